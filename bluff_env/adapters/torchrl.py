"""TorchRL: many games at once as one environment with a batch size. Needs torchrl (the extra `torchrl`).

from bluff_env.adapters.torchrl import BluffTorchRL

env = BluffTorchRL(256, "bloff", opponents="random", seed=1)
rollout = env.rollout(100, break_when_any_done=False)  # a TensorDict (256, 100)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from bluff_env.asking import Player
from bluff_env.engine.rng import MAX_SEED
from bluff_env.errors import BluffError
from bluff_env.ruleset import Rules
from bluff_env.vector import BluffVectorEnv


class BluffTorchRL(EnvBase):  # type: ignore[misc]  # torchrl is seldom installed where types are checked
    """N games, one learner at each table: the games of `gymnasium.make_vec("Bluff-v0")` as TensorDicts of size (N,).

    Keys: `observation` (N, D) float32 in [0, 1]; `action_mask` (N, A) bool, all False once a game is over; `action`
    (N,) int64; `reward` (N, 1) float32, each learner's own, at the end; `done`, `terminated` (N, 1) bool. A cut-off is
    a final result, so nothing is ever truncated. Rows that are done are reset by TorchRL, which says which.

    Random actions, such as those of `rollout` without a policy, are legal ones: the action's spec follows the mask. An
    illegal action ends its row's game with reward -1.

    Args:
        num_envs: N.
        rules, opponents, seat, **fields: as of `bluff_env.vector.BluffVectorEnv`.
        seed: decides every game; None: the system draws it.

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
        seed: int | None = None,
        **fields: Any,
    ) -> None:
        self.games = BluffVectorEnv(num_envs, rules, opponents, seat, autoreset_mode=AutoresetMode.DISABLED, **fields)
        self.layout = self.games.layout
        n, actions, size = self.games.num_envs, self.layout.n_actions, self.layout.size
        super().__init__(device="cpu", batch_size=[n])
        self.observation_spec = Composite(
            observation=Bounded(0.0, 1.0, (n, size), dtype=torch.float32),
            action_mask=Binary(actions, (n, actions), dtype=torch.bool),
            shape=(n,),
        )
        self.action_spec = Categorical(actions, (n,), dtype=torch.int64)
        self.reward_spec = Unbounded((n, 1), dtype=torch.float32)
        flag = Categorical(2, (n, 1), dtype=torch.bool)
        self.full_done_spec = Composite(done=flag, terminated=flag.clone(), shape=(n,))
        self._next_seed: int | None = None
        if seed is not None:
            self._set_seed(seed)

    def _set_seed(self, seed: int | None) -> None:
        """The next reset of all rows begins the games of this seed."""
        if seed is not None and not 0 <= seed <= MAX_SEED - self.games.num_envs:
            raise BluffError(f"seed: {seed!r} is not allowed; a whole number from 0 to {MAX_SEED} less the games")
        self._next_seed = seed

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """A uniform legal action in each row, drawn by torch's generator; action 0 in rows that are over."""
        masks = self.games.action_masks()
        masks[~masks.any(axis=1), 0] = True
        action = torch.multinomial(torch.from_numpy(masks).float(), 1)[:, 0]
        tensordict = TensorDict({}, batch_size=self.batch_size) if tensordict is None else tensordict
        return tensordict.set("action", action)

    def _reset(self, tensordict: TensorDictBase | None = None, **kwargs: Any) -> TensorDictBase:
        given = None if tensordict is None else tensordict.get("_reset", None)
        if given is None or given.all():
            seed, self._next_seed = self._next_seed, None
            observation, _ = self.games.reset(seed=seed)
        else:
            observation, _ = self.games.reset(options={"reset_mask": given.reshape(-1).numpy()})
        over = torch.zeros(*self.batch_size, 1, dtype=torch.bool)
        return self._seen(observation).update({"done": over, "terminated": over.clone()})

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        actions = tensordict.get("action").reshape(-1).numpy().astype(np.int64, copy=False)
        observation, rewards, terminated, _, _ = self.games.step(actions)
        over = torch.from_numpy(terminated)[:, None]
        return self._seen(observation).update(
            {"reward": torch.from_numpy(rewards).float()[:, None], "done": over, "terminated": over.clone()}
        )

    def _seen(self, observation: Any) -> TensorDictBase:
        masks = torch.from_numpy(self.games.action_masks())
        return TensorDict({"observation": torch.from_numpy(observation), "action_mask": masks}, self.batch_size)
