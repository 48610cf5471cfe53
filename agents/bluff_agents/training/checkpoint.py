"""Checkpoints: enough to go on exactly. Tensors and numbers only, read with torch's `weights_only`: no code runs.

One is taken between two rollouts: the policy and its optimizer, the steps and updates so far, the games under way and
who sits where. What is drawn at random later follows from the seed and the steps, so no generator need be kept.

Of the games only their seeds and logs are kept, and they are played once more when it is read: the engine, which
refuses illegal actions, then makes all that compiled code relies on, and nothing of it comes from the file.
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
from bluff_env.engine.rng import MAX_SEED
from bluff_env.errors import ConfigError
from bluff_env.seats import SeatsSnapshot

_FORMAT: Final = "bluff-checkpoint/3"
_SEATS: Final = ("seat", "opponents", "dealt")
# What reading a damaged file may raise.
_DAMAGED: Final = (
    OSError, RuntimeError, pickle.UnpicklingError, EOFError, LookupError, ValueError, TypeError, AttributeError,
    OverflowError,
)  # fmt: skip


def save_checkpoint(
    folder: Path, model: ParallelPPO, env: BluffVecEnv, league: League, keep: int, average: Average | None = None
) -> Path:
    """Writes `step-N.pt`, whole or not at all, and removes all but the latest `keep`."""
    path = folder / f"step-{model.num_timesteps:012d}.pt"
    state = env.snapshot()
    content = {
        "format": _FORMAT,
        "steps": model.num_timesteps,
        "updates": model._n_updates,
        "policy": model.policy.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "league": league.state(),
        "episode_starts": _tensor(np.asarray(model._last_episode_starts)),
        "seeds": _tensor(state.games.games["seed"]),
        "logged": _tensor(state.games.games["logged"]),  # bytes of each log, zeros behind them
        "logs": _tensor(state.games.log),
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
        model.num_timesteps, model._n_updates = _count(content["steps"]), _count(content["updates"])
        model._last_episode_starts = _like(content["episode_starts"], np.zeros(len(env.seats), np.bool_), 0, 1)
        _restore_games(content, env)
        league.restore(content["league"])
        model.policy.load_state_dict(content["policy"])
        model.policy.optimizer.load_state_dict(content["optimizer"])
        if average is not None:
            arrays = [_array(tensor) for tensor in content["average"]]
            average.layers = list(zip(arrays[::2], arrays[1::2], strict=True))
            average.updates = _count(content["averaged"])
    except ConfigError:
        raise
    except _DAMAGED as error:
        first = (str(error).splitlines() or [""])[0]
        raise ConfigError(f"{path}: cut short, or of another recipe ({type(error).__name__}: {first})") from None
    model._last_obs = env.observation()


def _restore_games(content: dict[str, Any], env: BluffVecEnv) -> None:
    """Plays the games under way once more from their seeds.

    Raises:
        BluffError: an action that is not legal, or games that do not go as they are said to.
    """
    seats, batch = env.seats, env.seats.batch
    n = len(batch)
    logs = _array(content["logs"])
    if logs.dtype != np.uint8 or logs.ndim != 2:
        raise ValueError("the logs of games are not bytes")
    logged = _like(content["logged"], np.zeros(n, np.int32), 0, logs.shape[1])
    where = {
        "seat": _like(content["seat"], seats.seat, 0, env.rules.players - 1),
        "opponents": _like(content["opponents"], seats.opponents, -1, len(seats.names) - 1),
        "dealt": _like(content["dealt"], seats.dealt, 0, MAX_SEED),
    }
    batch.reset(seeds=_like(content["seeds"], np.zeros(n, np.int64), 0, MAX_SEED))
    rows = np.arange(n)
    while True:
        at = batch.games["logged"]
        going = (at < logged) & (batch.player >= 0)
        if not going.any():
            break
        batch.step(np.where(going, logs[rows, np.where(going, at, 0)].astype(np.int64), -1))
    state = batch.snapshot()
    if not np.array_equal(state.games["logged"], logged) or not np.array_equal(state.log, logs):
        raise ValueError("its games go another way in this version of the engine")
    env.restore(SeatsSnapshot(state, **where))


def _count(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value <= MAX_SEED:
        raise ValueError(f"{value!r} where a number of steps or updates was expected")
    return value


def _like(tensor: Any, array: NDArray[Any], lowest: int, highest: int) -> NDArray[Any]:
    """The numbers of a tensor, of the shape and type of an array and within bounds."""
    found = _array(tensor)
    if found.shape != array.shape or found.dtype != array.dtype:
        raise ValueError(f"{found.shape} {found.dtype} where {array.shape} {array.dtype} was expected")
    if found.size and not lowest <= found.min() <= found.max() <= highest:
        raise ValueError(f"{found.min()} to {found.max()} where {lowest} to {highest} was expected")
    return found


def _tensor(array: NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(array))


def _array(tensor: torch.Tensor) -> NDArray[Any]:
    array: NDArray[Any] = tensor.numpy()
    return array
