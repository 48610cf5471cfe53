"""`pettingzoo.make`, and PettingZoo's conversion from turns to a parallel environment, with what it cannot do."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test
from pettingzoo.utils import turn_based_aec_to_parallel

import bluff_env
from bluff_env import GameBatch, bluff_v0
from envs.common import action_by

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]
NAME = "bluff_env/bluff-v0"


def test_make_gives_the_wrapped_environment_with_the_rules_asked_for() -> None:
    env = pettingzoo.make("aec", NAME, rules="bluffstopp", players=3)
    assert type(env) is type(bluff_v0.env())
    assert env.unwrapped.rules == bluff_env.rules("bluffstopp", players=3)


def test_make_finds_it_after_the_import_alone() -> None:
    code = f"import bluff_env, pettingzoo; print(pettingzoo.make('aec', {NAME!r}).unwrapped.possible_agents)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout.strip()) == (
        0,
        "['player_0', 'player_1', 'player_2', 'player_3']",
    ), done.stderr


def test_the_name_without_its_version_and_pettingzoos_way_of_writing_it_are_found() -> None:
    assert pettingzoo.spec("aec", "bluff_env/bluff") is pettingzoo.spec("aec", "bluff_env/bluff_v0")


def test_the_api_test_passes_on_what_make_gives(capsys: pytest.CaptureFixture[str]) -> None:
    api_test(pettingzoo.make("aec", NAME), num_cycles=300)
    assert "Passed" in capsys.readouterr().out


def masked(observations: dict[str, Any], noise: float) -> dict[str, int | None]:
    """Actions of all seats: a legal one of the seat to move, None of the others."""
    masks = {agent: seen["action_mask"] for agent, seen in observations.items()}
    return {agent: action_by(noise, mask) if mask.any() else None for agent, mask in masks.items()}


@pytest.mark.parametrize("name", ["bloff", "bluffstopp", "tiny"])
def test_the_parallel_api_test_passes_on_the_converted_environment(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parallel_api_test(turn_based_aec_to_parallel(pettingzoo.make("aec", NAME, rules=name)), num_cycles=500)
    assert "Passed" in capsys.readouterr().out


def test_the_converted_environment_plays_the_same_game_and_pays_the_same() -> None:
    parallel = turn_based_aec_to_parallel(pettingzoo.make("aec", NAME, rules="bloff", players=3))
    batch = GameBatch("bloff", players=3, seeds=[5], restart=False)
    observations, _ = parallel.reset(seed=5)
    random, steps = np.random.default_rng(1), 0
    while parallel.agents:
        to_move = [agent for agent, seen in observations.items() if seen["action_mask"].any()]
        assert to_move == [f"player_{batch.player[0]}"]
        noise = random.random()
        paid, _ = batch.step(np.array([action_by(noise, batch.mask[0])]))
        observations, rewards, terminations, truncations, infos = parallel.step(masked(observations, noise))
        assert [rewards[f"player_{seat}"] for seat in range(3)] == paid[0].tolist()
        assert len({*terminations.values()}) == 1
        assert not any(truncations.values())
        if parallel.agents:
            assert infos["player_0"]["active_agent"] == f"player_{batch.player[0]}"
        steps += 1
    assert terminations == dict.fromkeys(terminations, True)
    assert steps == batch.steps[0]


def test_the_conversion_takes_the_action_of_the_seat_to_move_and_no_other() -> None:
    """Docs: the others' actions are ignored, whatever they are; a missing one of the seat to move is a KeyError."""
    parallel = turn_based_aec_to_parallel(bluff_v0.raw_env("bloff"))
    observations, _ = parallel.reset(seed=1)
    actions = masked(observations, 0.5)
    mover = next(agent for agent, action in actions.items() if action is not None)
    parallel.step({agent: -7 if action is None else action for agent, action in actions.items()})
    other = turn_based_aec_to_parallel(bluff_v0.raw_env("bloff"))
    other.reset(seed=1)
    other.step({mover: actions[mover]})
    assert np.array_equal(parallel.state(), other.state())
    with pytest.raises(KeyError):
        other.step({})


def test_an_illegal_action_ends_the_game_of_all_seats_in_the_converted_environment() -> None:
    parallel = turn_based_aec_to_parallel(pettingzoo.make("aec", NAME))
    observations, _ = parallel.reset(seed=2)
    mover = next(agent for agent, seen in observations.items() if seen["action_mask"].any())
    wrong = int(np.flatnonzero(observations[mover]["action_mask"] == 0)[0])
    _, rewards, terminations, truncations, _ = parallel.step({mover: wrong})
    assert rewards[mover] == -1
    assert all(terminations[agent] or truncations[agent] for agent in terminations)
    assert not parallel.agents
