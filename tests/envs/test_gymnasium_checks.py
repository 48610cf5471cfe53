"""Gymnasium's and SB3's conformance tests of Bluff-v0 over every named set and number of seats."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as sb3_check_env

from envs.common import Uniform, every_table

pytestmark = pytest.mark.filterwarnings("error")
opponents = pytest.mark.parametrize("opponents", ["random", "honest"])


def made(name: str, players: int, **options: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make("bluff_env:Bluff-v0", rules=name, players=players, **options)


@opponents
@every_table
def test_gymnasiums_check_env_passes(name: str, players: int, opponents: str, pygame: Any) -> None:
    check_env(made(name, players, opponents=opponents).unwrapped)


@opponents
@every_table
def test_sb3s_check_env_passes(name: str, players: int, opponents: str) -> None:
    sb3_check_env(made(name, players, opponents=opponents))


def test_the_checks_pass_with_an_opponent_made_outside_and_a_fixed_seat() -> None:
    env = made("bloff", 4, opponents=Uniform(), seat=2)
    check_env(env.unwrapped, skip_render_check=True)
    sb3_check_env(env)


@pytest.mark.parametrize(("name", "players"), [("bloff", 4), ("tiny", 2)])
def test_gymnasiums_own_vector_of_single_environments_runs(name: str, players: int) -> None:
    make = {"rules": name, "players": players, "opponents": "random"}
    envs = gymnasium.make_vec("Bluff-v0", num_envs=3, vectorization_mode="sync", **make)
    observation, info = envs.reset(seed=[1, 2, 3])
    for _ in range(100):
        assert observation.shape == (3, envs.single_observation_space.shape[0])
        actions = [envs.single_action_space.sample(mask) for mask in info["action_mask"]]
        observation, rewards, terminated, truncated, info = envs.step(actions)
        assert not truncated.any()
        assert (rewards[~terminated] == 0).all()
    envs.close()
