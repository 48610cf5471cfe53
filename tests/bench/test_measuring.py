"""What a benchmark gives, and what its loops count; how fast things are is no test."""

from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from bluff_agents.bench import catalogue, loops, measuring, starting
from bluff_agents.bench.engine import memory
from bluff_agents.bench.measuring import Benchmark, Figure, Skip, Target, run
from bluff_env import GameBatch

BOAT = Figure("boat", "a boat", "s", Target(2.0, at_most=True))
OARS = Figure("oars", "its oars, by the boat", "×")


def test_every_figure_has_one_value_a_repeat_with_median_and_spread() -> None:
    numbers = iter([(3.0, 0.3), (1.0, 0.1), (2.0, 0.2)])
    seen = []
    boat, oars = run(Benchmark((BOAT, OARS), lambda: lambda seconds: next(numbers)), 3, 0.5, seen.append)
    assert seen == [0, 1, 2]
    assert oars.to_dict() == {
        "name": "oars", "what": "its oars, by the boat", "unit": "×",
        "median": 0.2, "low": 0.1, "high": 0.3, "values": [0.3, 0.1, 0.2],
    }  # fmt: skip
    told = boat.to_dict()
    assert (told["median"], told["target"], told["at_most"]) == (2.0, 2.0, True)


def test_what_cannot_be_measured_here_is_skipped_with_its_reason() -> None:
    def prepare() -> measuring.Measure:
        raise Skip("needs a bigger boat")

    boat, oars = (result.to_dict() for result in run(Benchmark((BOAT, OARS), prepare), 3, 0))
    assert boat == {
        "name": "boat", "what": "a boat", "unit": "s", "target": 2.0, "at_most": True, "skipped": "needs a bigger boat",
    }  # fmt: skip
    assert oars["skipped"] == "needs a bigger boat"


def test_what_has_no_spread_is_measured_once() -> None:
    (found,) = run(Benchmark((BOAT,), lambda: lambda seconds: (1.0,), once=True), 5, 0)
    assert found.values == [1.0]


def test_ratios_are_taken_in_pairs() -> None:
    assert measuring.ratios([2.0, 6.0], [1.0, 4.0]) == [2.0, 1.5]
    with pytest.raises(ValueError, match="zip"):
        measuring.ratios([1.0], [])


def test_versions_leave_out_what_is_not_installed() -> None:
    found = measuring.versions(["no-such-distribution", "numpy", "PyYAML"])
    assert set(found) == {"bluff-env", "python", "numpy", "numba", "gymnasium", "pettingzoo", "PyYAML"}


def test_names_of_figures_are_all_different_and_none_hides_a_peer() -> None:
    names = [figure.name for b in catalogue.BENCHMARKS for figure in b.figures]
    assert len(set(names)) == len(names)
    assert not any(name.startswith("peer") for name in names)
    assert all(peer.name.startswith("peer_") for peer in catalogue.PEERS)


def test_a_benchmark_goes_by_the_names_of_all_its_figures() -> None:
    ours, peers = catalogue.named(["sb3_ratio", "memory_"])
    assert [b.figures[0].name for b in ours] == ["memory_bluffstopp", "sb3"]
    assert peers == []


@pytest.mark.parametrize(
    ("names", "with_peers", "ours", "peers"),
    [([], False, True, False), ([], True, True, True), (["peer_pgx"], True, False, False), (["one"], True, True, True)],
)
def test_peers_are_measured_when_they_are_asked_for(names, with_peers, ours, peers) -> None:
    chosen, others = catalogue.named(names, with_peers)
    assert bool(chosen) is ours
    assert (others == list(catalogue.PEERS)) is peers


def test_memory_counts_every_array_once_however_often_it_is_seen() -> None:
    batch = GameBatch("tiny", games=8)
    before = memory(batch)
    batch.seen_again = batch.observation[2:]
    assert memory(batch) == before
    arrays = (batch.observation, batch.mask, batch._logs.at_hand, batch.cards)
    assert before * 1024 * 8 >= sum(array.nbytes for array in arrays)


def test_cheap_choices_are_legal_and_reach_every_legal_action() -> None:
    rng = np.random.default_rng(1)
    mask = rng.random((64, 9)) < 0.4
    mask[:, 0] |= ~mask.any(axis=1)
    choose, chosen = loops.any_legal_each(64, 9), np.zeros_like(mask)
    for _ in range(300):
        actions = choose(mask)
        assert mask[np.arange(64), actions].all()
        chosen[np.arange(64), actions] = True
    assert (chosen == mask).all()
    assert {loops.any_legal(mask[0], random.Random(s)) for s in range(99)} == set(np.flatnonzero(mask[0]).tolist())


@pytest.mark.parametrize(("mode", "counted"), [(AutoresetMode.NEXT_STEP, 6), (AutoresetMode.SAME_STEP, 8)])
def test_a_step_that_only_deals_is_no_decision(mode: AutoresetMode, counted: int) -> None:
    mask, over = np.ones((8, 3), np.bool_), np.arange(8) < 2
    env = SimpleNamespace(
        metadata={"autoreset_mode": mode},
        reset=lambda: (None, {"mask": mask}),
        step=lambda actions: (None, None, over, np.zeros(8, np.bool_), {"mask": mask}),
    )
    loop = loops.vector_loop(env, lambda mask: mask.argmax(axis=1), "mask")
    assert loop() == counted


def test_threads_are_kept_on_one_core_and_let_go_again() -> None:
    before = measuring.cores()
    with measuring.one_core():
        assert measuring.cores() == 1 or not hasattr(measuring.os, "sched_setaffinity")
    assert measuring.cores() == before


@pytest.mark.slow
def test_starts_are_measured_on_a_copy_with_its_own_cache() -> None:
    start = starting.Start()
    root = start.root
    without_cache = start.seconds()
    assert start.seconds() < without_cache
    del start
    assert not root.exists()
