"""Tianshou: many games at once as one vector environment. Needs tianshou (the extra `tianshou`).

from bluff_env.adapters.tianshou import BluffTianshou
from tianshou.data import Collector, VectorReplayBuffer

envs = BluffTianshou(64, "bloff", opponents="random", seed=1)
collector = Collector(algorithm, envs, VectorReplayBuffer(64 * 128, len(envs)))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from tianshou.data import Batch
from tianshou.env import BaseVectorEnv

from bluff_env.asking import Player
from bluff_env.engine.arguments import whole_seeds
from bluff_env.errors import BluffError
from bluff_env.ruleset import Rules
from bluff_env.ruleset import rules as make_rules
from bluff_env.vector import seats_against


class BluffTianshou(BaseVectorEnv):  # type: ignore[misc]  # tianshou is seldom installed where types are checked
    """N games, one learner at each table: a `DummyVectorEnv` of N single `Bluff-v0`, without the loop.

    Observations are a Batch of `obs` (N, D) float32 in [0, 1] and `mask` (N, A) bool, all False once a game is over,
    as Tianshou makes them of PettingZoo's. Rewards (N,) float64, each learner's own, at the end; a cut-off is a final
    result, so nothing is ever truncated. `info` holds `env_id`, `seat`, and at the end `cut_off`.

    Args:
        num_envs: N.
        rules, opponents, seat, **fields: as of `bluff_env.vector.BluffVectorEnv`.
        seed: decides every game, until `seed()` sets another.

    Raises:
        BluffError: arguments that are not allowed.
    """

    def __init__(
        self,
        num_envs: int,
        rules: str | Mapping[str, Any] | Rules = "bloff",
        opponents: str | Player | Sequence[str | Player] = "random",
        seat: int | None = None,
        *,
        seed: int = 0,
        **fields: Any,
    ) -> None:
        # Not BaseVectorEnv's own beginning, which makes a worker for each game; what it leaves behind is set here.
        self.rules: Rules = make_rules(rules, **fields)
        self.seats = seats_against(opponents, self.rules, num_envs, seat)
        self.layout = self.seats.batch.layout
        self.env_num = len(self.seats)
        self.is_async, self.is_closed = False, False
        self.waiting_id: list[int] = []
        self._single: dict[str, Any] = {
            "action_space": spaces.Discrete(self.layout.n_actions),
            "observation_space": spaces.Dict(
                {
                    "obs": spaces.Box(0.0, 1.0, (self.layout.size,), np.float32),
                    "mask": spaces.MultiBinary(self.layout.n_actions),
                }
            ),
            "metadata": {"render_modes": []},
            "spec": None,
            "reward_range": (-1.0, 1.0),
        }
        self._next_seed: NDArray[np.int64] | None = None
        self.seed(seed)

    def get_env_attr(self, key: str, id: int | Sequence[int] | NDArray[Any] | None = None) -> list[Any]:
        """The same value for every game."""
        value = self._single[key] if key in self._single else getattr(self, key)
        return [value for _ in self._rows(id)]

    def set_env_attr(self, key: str, value: Any, id: int | Sequence[int] | NDArray[Any] | None = None) -> None:
        """Refused: the games share everything."""
        raise BluffError(f"set_env_attr: {key!r} cannot be set for single games")

    def seed(self, seed: int | Sequence[int] | None = None) -> list[Any]:
        """The seeds of the games that the next reset of all rows begins: seed + i in row i, or N seeds."""
        if seed is None:
            return [None] * self.env_num
        given = [int(seed) + i for i in range(self.env_num)] if isinstance(seed, int | np.integer) else list(seed)
        if len(given) != self.env_num:
            raise BluffError(f"seed: {len(given)} given for {self.env_num} games; one number, or {self.env_num}")
        self._next_seed = whole_seeds(given, self.env_num)
        return [[one] for one in given]

    def reset(
        self, env_id: int | Sequence[int] | NDArray[Any] | None = None, **options: Any
    ) -> tuple[Batch, NDArray[Any]]:
        """New games in the given rows (all, if None): from the seeds set last, once; else each row's next game."""
        if options:
            raise BluffError(f"reset: {next(iter(options))!r} is not allowed; seeds are set by seed()")
        rows = self._rows(env_id)
        seeds, every = None, len(rows) == self.env_num
        if every:
            seeds, self._next_seed = self._next_seed, None
        if seeds is not None:
            self.seats.reset(seeds=seeds)
        else:
            self.seats.reset(rows=rows)
        return self._seen(rows), self._infos(rows)

    def step(
        self, action: NDArray[Any] | torch.Tensor, id: int | Sequence[int] | NDArray[Any] | None = None
    ) -> tuple[Batch, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], NDArray[Any]]:
        """Plays an action in each of the given rows (all, if None), and the others' up to the learner's next decision.

        Raises:
            BluffError: an illegal action, or a row whose game is over; names the row, and nothing is changed.
        """
        rows, given = self._rows(id), np.full(self.env_num, -1, np.int64)
        played = np.asarray(action).reshape(-1)
        if len(played) != len(rows):
            raise BluffError(f"step: {len(played)} actions given for {len(rows)} games")
        if (played < 0).any():
            raise BluffError(f"step: action {played[played < 0][0]} is not legal")
        given[rows] = played
        outcome = self.seats.step(given, restart=False)
        infos = self._infos(rows)
        for row, info in zip(rows, infos, strict=True):
            if outcome.done[row]:
                info["cut_off"] = bool(self.seats.batch.cut_off[row])
        return self._seen(rows), outcome.rewards[rows], outcome.done[rows], np.zeros(len(rows), np.bool_), infos

    def render(self, **options: Any) -> list[Any]:
        """Nothing is drawn."""
        return [None] * self.env_num

    def close(self) -> None:
        """Nothing to close."""
        self.is_closed = True

    def _rows(self, id: int | Sequence[int] | NDArray[Any] | None) -> NDArray[np.int64]:
        return np.arange(self.env_num) if id is None else np.atleast_1d(np.asarray(id, np.int64))

    def _seen(self, rows: NDArray[np.int64]) -> Batch:
        batch = self.seats.batch
        return Batch(obs=self.layout.to_float(batch.observation[rows]), mask=batch.mask[rows])

    def _infos(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        return np.array([{"env_id": int(row), "seat": int(self.seats.seat[row])} for row in rows], object)
