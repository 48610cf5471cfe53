"""Tianshou: the vector environment, PettingZoo's environment through Tianshou's wrapper, and the script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bluff_agents
from bluff_env import BluffError, bluff_v0
from bluff_env.vector import BluffVectorEnv
from frameworks.common import run

pytest.importorskip("tianshou")

from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

from bluff_env.adapters.tianshou import BluffTianshou

pytestmark = pytest.mark.slow


def collected(envs: Any, algorithm: Any, **how: int) -> tuple[Any, Any]:
    """What a collector has put into its buffer, and its statistics."""
    buffer = VectorReplayBuffer(4000, len(envs))
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    told = collector.collect(**how)
    return buffer[buffer.sample_indices(0)], told


def test_it_plays_the_vector_environments_games() -> None:
    envs = BluffTianshou(5, "bloff", opponents="honest", players=3)
    envs.seed(11)
    other = BluffVectorEnv(5, "bloff", "honest", players=3, autoreset_mode="Disabled")
    seen, _ = envs.reset()
    expected, _ = other.reset(seed=11)
    random, ended = np.random.default_rng(0), 0
    for _ in range(150):
        assert np.array_equal(seen.obs, expected)
        assert np.array_equal(seen.mask, other.action_masks())
        actions = np.array([random.choice(np.flatnonzero(mask)) for mask in seen.mask])
        seen, paid, done, cut, infos = envs.step(actions)
        expected, rewards, over, _, _ = other.step(actions)
        assert np.array_equal(seen.obs, expected)
        assert np.array_equal(paid, rewards)
        assert np.array_equal(done, over)
        assert not cut.any()
        assert ["cut_off" in info for info in infos] == done.tolist()
        if done.any():
            ended += 1
            fresh, _ = envs.reset(np.flatnonzero(done))
            expected, _ = other.reset(options={"reset_mask": done})
            seen[np.flatnonzero(done)] = fresh
    assert ended


def test_some_games_can_be_stepped_while_the_others_stand_still() -> None:
    envs = BluffTianshou(4, "bloff", seed=3)
    before, _ = envs.reset()
    after, rewards, _, _, infos = envs.step(before.mask[[1, 3]].argmax(axis=1), [1, 3])
    assert after.obs.shape[0] == len(rewards) == 2
    assert [info["env_id"] for info in infos] == [1, 3]
    still = envs.layout.to_float(envs.seats.batch.observation)
    assert np.array_equal(still[[0, 2]], before.obs[[0, 2]])
    assert not np.array_equal(still[[1, 3]], before.obs[[1, 3]])


@pytest.mark.parametrize("how", [{"n_step": 600}, {"n_episode": 7}])
def test_a_collector_takes_steps_and_whole_episodes_with_legal_actions(how: dict[str, int]) -> None:
    envs = BluffTianshou(6, "tiny", seed=1)
    algorithm = MARLRandomDiscreteMaskedOffPolicyAlgorithm(envs.action_space[0])
    found, told = collected(envs, algorithm, **how)
    assert found.obs.mask[np.arange(len(found)), found.act.astype(int)].all()
    assert told.n_collected_episodes >= 7
    assert set(np.unique(found.rew)) <= {-1.0, 0.0, 1.0}


def test_what_is_not_allowed_is_told_in_one_line() -> None:
    envs = BluffTianshou(3, "tiny", seed=1)
    seen, _ = envs.reset()
    with pytest.raises(BluffError, match="row 0: "):
        envs.step(seen.mask.argmin(axis=1))
    with pytest.raises(BluffError, match="2 actions given for 3 games"):
        envs.step(np.zeros(2, int))
    with pytest.raises(BluffError, match="reset: 'options' is not allowed"):
        envs.reset(options={})
    with pytest.raises(BluffError, match="2 given for 3 games"):
        envs.seed([1, 2])


def test_tianshous_own_wrapper_takes_the_pettingzoo_environment_with_its_masks() -> None:
    envs = DummyVectorEnv([lambda: PettingZooEnv(bluff_v0.env("tiny")) for _ in range(2)])
    one = PettingZooEnv(bluff_v0.env("tiny"))
    seats = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(one.action_space) for _ in range(2)]
    found, told = collected(envs, MultiAgentOffPolicyAlgorithm(algorithms=seats, env=one), n_step=200)
    assert np.array(found.obs.mask)[np.arange(len(found)), found.act.astype(int)].all()
    assert told.n_collected_episodes > 2
    assert found.rew.shape[1] == 2


@pytest.mark.long
def test_the_script_trains_with_masks_and_writes_an_agent_that_loads(tmp_path: Path) -> None:
    arguments = ("--steps", "1000", "--games", "16", "--deals", "2", "--out", "mine.safetensors")
    done = run("train_tianshou.py", tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert "alone against random" in done.stdout
    assert bluff_agents.load(tmp_path / "mine.safetensors", "bloff").name == "mine"
