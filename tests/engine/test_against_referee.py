"""The engine against the plain referee, which was written from RULES.md without looking at the engine."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from bluff_env import BluffError, GameBatch, Rules, rule_names, rules
from bluff_env.engine.state import PICK
from bluff_env.record import check_record
from helpers import name, named_rules, played, random_rules
from referee import count_histories, distinct_deals, replay


def _agree(r: Rules, games: int, seed: int) -> None:
    for record in played(GameBatch(r, games=games, seed=seed, restart=False)).records():
        written = json.loads(json.dumps(record))
        assert replay(written) == written


@pytest.mark.parametrize("r", named_rules(), ids=name)
def test_random_games_of_every_named_set_replay_without_a_difference(r: Rules) -> None:
    _agree(r, games=15, seed=1)


def _largest(name: str) -> Rules:
    for players in range(16, 1, -1):
        try:
            return rules(name, players=players, max_turns=min(100, rules(name).max_turns))
        except BluffError:
            continue
    raise AssertionError(name)


@pytest.mark.parametrize("set_name", rule_names())
def test_the_largest_legal_table_of_every_named_set_replays_without_a_difference(set_name: str) -> None:
    _agree(_largest(set_name), games=2, seed=4)


def test_sixteen_seats_with_four_decks_replay_without_a_difference() -> None:
    for fields in ({"max_cards": "hand"}, {"follow": "any", "lead": "any", "call_order": "race"}, {"jokers": 8}):
        _agree(Rules(**{"players": 16, "decks": 4, "max_turns": 60, **fields}), games=2, seed=5)


def test_random_games_over_random_rules_replay_without_a_difference() -> None:
    rng = np.random.default_rng(2)
    for _ in range(120):
        _agree(random_rules(rng), games=3, seed=int(rng.integers(2**32)))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_twenty_thousand_random_games_replay_without_a_difference(part: int) -> None:
    rng = np.random.default_rng(1000 + part)
    for _ in range(334):
        _agree(random_rules(rng), games=3, seed=int(rng.integers(2**32)))


def test_the_project_reads_its_own_records_back_unchanged() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        for record in played(GameBatch(random_rules(rng, max_turns=40), games=2, seed=5, restart=False)).records():
            assert check_record(record) == record


def _tree_size(r: Rules) -> int:
    """Histories of every distinct deal of dealer 0, a play or an answer being one move, walked breadth first. The
    referee's own count is in test_referee.
    """
    deals = [{"dealer": 0, "hands": hands, "stock": []} for hands in distinct_deals(r.to_dict(), 0)]
    batch = GameBatch(r, deals=deals, games=len(deals), restart=False)
    found = 0
    while len(batch):
        phase, count = batch.games["phase"], batch.games["count"]
        chosen = batch.rule["follow_count"][0][batch.games["last"]] > 1
        found += int(((phase != PICK) | ((count == 0) & ~chosen)).sum())  # half a play is no history of its own
        rows, actions = np.nonzero(batch.mask)
        if not len(rows):
            break
        following = GameBatch(r, games=len(rows), restart=False)
        for array in ("games", "cards", "observation", "mask"):
            getattr(following, array)[:] = getattr(batch, array)[rows]
        following.step(actions)
        batch = following
    return found


@pytest.mark.parametrize(
    ("fields", "histories"),
    [
        ({"ranks": 3, "suits": 2, "max_cards": 1, "max_turns": 6}, 63_976),
        ({"ranks": 2, "suits": 2, "max_cards": 2, "max_turns": 8}, 69_618),
        ({"ranks": 4, "suits": 1, "max_cards": 1, "max_turns": 8}, 82_998),
        pytest.param({"ranks": 3, "suits": 2, "max_cards": 2, "max_turns": 5}, 260_182, marks=pytest.mark.slow),
        ({"players": 3, "ranks": 3, "suits": 1, "max_turns": 5, "passing": "allowed"}, 1_144),
        (
            {"ranks": 3, "suits": 2, "max_cards": 1, "max_turns": 5, "passing": "allowed", "all_passed": "clear_pile"},
            32_932,
        ),
        ({"ranks": 2, "suits": 1, "jokers": 2, "max_turns": 5, "max_cards": "hand"}, 8_830),
        (
            {"players": 3, "ranks": 2, "suits": 2, "max_turns": 4, "callers": "next", "after_call": "left_of_wrong"},
            None,
        ),
        ({"ranks": 4, "suits": 1, "max_turns": 4, "lead": "any", "follow": "same", "round_ends": "call"}, None),
    ],
)
def test_the_engine_has_as_many_histories_of_tiny_decks_as_section_8_says(
    fields: dict[str, Any], histories: int | None
) -> None:
    r = Rules(**{"players": 2, **fields})
    assert _tree_size(r) == (histories or count_histories(r.to_dict()))
