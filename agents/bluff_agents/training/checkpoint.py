"""Checkpoints: enough to go on exactly. Tensors and numbers only, read with torch's `weights_only`: no code runs.

One is taken between two rollouts: the policy and its optimizer, the steps and updates so far, the games under way and
who sits where. What is drawn at random later follows from the seed and the steps, so no generator need be kept.
"""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from bluff_agents.evaluation.files import whole
from bluff_agents.training.export import Average
from bluff_agents.training.league import League
from bluff_agents.training.model import ParallelPPO
from bluff_env.adapters.sb3 import BluffVecEnv
from bluff_env.engine.batch import Snapshot
from bluff_env.engine.state import GAME
from bluff_env.errors import ConfigError
from bluff_env.seats import SeatsSnapshot

_FORMAT: Final = "bluff-checkpoint/2"
_ARRAYS: Final = ("cards", "log", "observation", "mask")
_SEATS: Final = ("seat", "opponents", "dealt")


def save_checkpoint(
    folder: Path, model: ParallelPPO, env: BluffVecEnv, league: League, keep: int, average: Average | None = None
) -> Path:
    """Writes `step-N.pt`, whole or not at all, and removes all but the latest `keep`."""
    path = folder / f"step-{model.num_timesteps:012d}.pt"
    state = env.snapshot()
    content = {
        "format": _FORMAT,
        "game": str(GAME),
        "steps": model.num_timesteps,
        "updates": model._n_updates,
        "policy": model.policy.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "league": league.state(),
        "episode_starts": _tensor(np.asarray(model._last_episode_starts)),
        "games": _tensor(state.games.games.view(np.uint8).reshape(len(env.seats), -1)),
        **{name: _tensor(getattr(state.games, name)) for name in _ARRAYS},
        **{name: _tensor(getattr(state, name)) for name in _SEATS},
    }
    if average is not None:
        content["average"] = [_tensor(array) for layer in average.layers for array in layer]
        content["averaged"] = average.updates
    packed = io.BytesIO()  # torch.save would tell of a full disk by errors of its own
    torch.save(content, packed)
    with whole(path) as temporary:
        temporary.write_bytes(packed.getvalue())
    for old in sorted(folder.glob("step-*.pt"))[:-keep]:
        old.unlink()
    return path


def latest_checkpoint(folder: Path) -> Path:
    """The latest checkpoint of a run.

    Raises:
        ConfigError: there is none.
    """
    found = sorted(folder.glob("step-*.pt"))
    if not found:
        raise ConfigError(f"{folder}: no checkpoint to go on from")
    return found[-1]


def load_checkpoint(
    path: Path, model: ParallelPPO, env: BluffVecEnv, league: League, average: Average | None = None
) -> None:
    """Puts model, environment and league, and the average if the recipe has one, back as they were.

    Raises:
        ConfigError: not a checkpoint, cut short, or one of another recipe or version.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        content = torch.load(io.BytesIO(data), weights_only=True)
        if not isinstance(content, dict) or content.get("format") != _FORMAT:
            raise ConfigError(f"{path}: not a checkpoint this version reads; {_FORMAT} expected")
        if content["game"] != str(GAME):
            raise ConfigError(f"{path}: from another version of the engine, whose games do not go on in this one")
        _restore_games(content, env)
        league.restore(content["league"])
        model.policy.load_state_dict(content["policy"])
        model.policy.optimizer.load_state_dict(content["optimizer"])
        if average is not None:
            arrays = [_array(tensor) for tensor in content["average"]]
            average.layers = list(zip(arrays[::2], arrays[1::2], strict=True))
            average.updates = int(content["averaged"])
    except (OSError, RuntimeError, pickle.UnpicklingError, EOFError, KeyError, ValueError, TypeError) as error:
        if isinstance(error, ConfigError):
            raise
        first = (str(error).splitlines() or [""])[0]
        raise ConfigError(f"{path}: cut short, or of another recipe ({type(error).__name__}: {first})") from None
    model.num_timesteps = int(content["steps"])
    model._n_updates = int(content["updates"])
    model._last_obs = env.observation()
    model._last_episode_starts = _array(content["episode_starts"])


def _restore_games(content: dict[str, Any], env: BluffVecEnv) -> None:
    games = _array(content["games"])
    snapshot = Snapshot(
        env.rules, np.ascontiguousarray(games).view(GAME)[:, 0], **{name: _array(content[name]) for name in _ARRAYS}
    )
    env.restore(SeatsSnapshot(snapshot, **{name: _array(content[name]) for name in _SEATS}))


def _tensor(array: NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(array))


def _array(tensor: torch.Tensor) -> NDArray[Any]:
    array: NDArray[Any] = tensor.numpy()
    return array
