"""TorchRL: the environment with a batch size, PettingZoo's environment through TorchRL's wrapper, and the script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bluff_agents
from bluff_env import BluffError, bluff_v0
from bluff_env.vector import BluffVectorEnv
from frameworks.common import run

torch = pytest.importorskip("torch")
pytest.importorskip("torchrl")

from torchrl.envs import MarlGroupMapType  # noqa: E402
from torchrl.envs.libs.pettingzoo import PettingZooWrapper  # noqa: E402
from torchrl.envs.utils import check_env_specs  # noqa: E402

from bluff_env.adapters.torchrl import BluffTorchRL  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested")]


def legal(masks: Any, actions: Any) -> Any:
    return masks.gather(-1, actions.unsqueeze(-1)).squeeze(-1)


@pytest.mark.parametrize(("name", "fields"), [("bloff", {}), ("bluffstopp", {"players": 3}), ("tiny", {})])
def test_torchrls_own_check_of_environments_passes(name: str, fields: dict[str, Any]) -> None:
    check_env_specs(BluffTorchRL(5, name, seed=1, **fields))


def test_a_rollout_is_the_vector_environments_games_with_legal_actions() -> None:
    torch.manual_seed(0)
    envs = BluffTorchRL(6, "bloff", opponents="honest", seed=7, players=3)
    rollout = envs.rollout(150, break_when_any_done=False)
    assert legal(rollout["action_mask"], rollout["action"]).all()
    other = BluffVectorEnv(6, "bloff", "honest", players=3, autoreset_mode="Disabled")
    seen, _ = other.reset(seed=7)
    ended = 0
    for step in range(150):
        assert np.array_equal(rollout["observation"][:, step].numpy(), seen)
        assert np.array_equal(rollout["action_mask"][:, step].numpy(), other.action_masks())
        seen, paid, done, _, _ = other.step(rollout["action"][:, step].numpy())
        after = rollout["next"][:, step]
        assert np.array_equal(after["observation"].numpy(), seen)
        assert np.array_equal(after["reward"][:, 0].numpy(), paid.astype(np.float32))
        assert np.array_equal(after["done"][:, 0].numpy(), done)
        if done.any():
            ended += 1
            seen, _ = other.reset(options={"reset_mask": done})
    assert ended


def test_the_same_seed_is_the_same_rollout() -> None:
    def once(seed: int) -> Any:
        torch.manual_seed(3)
        return BluffTorchRL(4, "bloff", seed=seed).rollout(40, break_when_any_done=False)["observation"]

    assert torch.equal(once(1), once(1))
    assert not torch.equal(once(1), once(2))


def test_an_illegal_action_ends_its_rows_game_with_minus_one() -> None:
    envs = BluffTorchRL(2, "bloff", seed=1)
    now = envs.reset()
    now["action"] = torch.stack([now["action_mask"][0].float().argmin(), now["action_mask"][1].float().argmax()])
    after = envs.step(now)["next"]
    assert after["done"][:, 0].tolist() == [True, False]
    assert after["reward"][:, 0].tolist() == [-1.0, 0.0]


@pytest.mark.parametrize("seed", [-1, 2**53])
def test_a_seed_out_of_range_is_refused_in_one_line(seed: int) -> None:
    with pytest.raises(BluffError, match=r"seed: .* is not allowed"):
        BluffTorchRL(2, "tiny", seed=seed)


def test_torchrls_own_wrapper_takes_the_pettingzoo_environment_with_its_masks() -> None:
    env = PettingZooWrapper(
        bluff_v0.env("tiny"), use_mask=True, categorical_actions=True, done_on_any=False, seed=0,
        group_map=MarlGroupMapType.ALL_IN_ONE_GROUP,
    )  # fmt: skip
    check_env_specs(env)
    rollout = env.rollout(300)
    group = rollout["agents"]
    assert legal(group["action_mask"], group["action"])[group["mask"]].all()
    assert (group["mask"].sum(1) == 1).all()
    assert rollout["next", "done"][-1].all()
    assert rollout["next", "agents", "reward"][-1].sum() == 0


@pytest.mark.long
def test_the_script_trains_with_masks_and_writes_an_agent_that_loads(tmp_path: Path) -> None:
    arguments = ("--steps", "1000", "--games", "16", "--deals", "2", "--out", "mine.safetensors")
    done = run("train_torchrl.py", tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert "alone against random" in done.stdout
    assert "mean reward" in done.stderr
    assert "mean reward -1.00" not in done.stderr  # what an illegal action pays: without the mask all games end so
    assert bluff_agents.load(tmp_path / "mine.safetensors", "bloff").name == "mine"


@pytest.mark.long
def test_the_script_tells_a_users_mistake_in_one_line(tmp_path: Path) -> None:
    done = run("train_torchrl.py", tmp_path, "--opponents", "nobody")
    assert done.returncode == 2
    assert "nobody" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
