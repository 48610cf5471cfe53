"""PettingZoo's own conformance tests over every named set and number of seats."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test, state_test

from bluff_env import bluff_v0
from envs.common import action_by, every_table

pytestmark = [
    # What PettingZoo says of every environment whose observations are Dict(observation, action_mask).
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]
either_env = pytest.mark.parametrize("make", [bluff_v0.env, bluff_v0.raw_env], ids=["env", "raw_env"])


@either_env
@every_table
def test_the_api_test_passes_without_a_warning_of_its_own(
    make: Callable[..., Any], name: str, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(name, players=players), num_cycles=150)
    assert "Passed" in capsys.readouterr().out
    assert {str(w.message)[:40] for w in caught} <= {
        "Observation space for each agent probabl",
        "Observation is not a NumPy array",
    }


@pytest.mark.slow
@every_table
def test_the_api_test_passes_over_whole_games(name: str, players: int) -> None:
    api_test(bluff_v0.env(name, players=players), num_cycles=2000)


@either_env
@every_table
def test_the_seed_test_passes(make: Callable[..., Any], name: str, players: int) -> None:
    seed_test(partial(make, name, players=players), num_cycles=20)


@pytest.mark.slow
@every_table
def test_the_seed_test_passes_over_whole_games(name: str, players: int) -> None:
    seed_test(partial(bluff_v0.env, name, players=players), num_cycles=1000)


@either_env
@every_table
def test_the_render_test_passes_in_all_modes(make: Callable[..., Any], name: str, players: int, pygame: Any) -> None:
    def is_a_table(text: str) -> bool:
        return f"player_{players - 1}" in text

    render_test(partial(make, name, players=players), custom_tests={"ansi": is_a_table})


@pytest.mark.filterwarnings("ignore::UserWarning")  # of the wrapper: this test plays unmasked actions
@every_table
def test_the_state_test_passes(name: str, players: int) -> None:
    env = bluff_v0.env(name, players=players)
    state_test(env, env, num_cycles=30)  # of a parallel environment it asks only reset and state


@every_table
def test_every_state_of_a_game_stays_in_the_state_space(name: str, players: int) -> None:
    env = bluff_v0.raw_env(name, players=players)
    env.reset(seed=3)
    random = np.random.default_rng(3)
    for _ in range(200):
        assert env.state_space.contains(env.state())
        if any(env.terminations.values()):
            break
        env.step(action_by(random.random(), env.observe(env.agent_selection)["action_mask"]))
