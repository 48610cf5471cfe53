"""A VecEnv that does nothing: what training on it takes is SB3's own time. Needs stable-baselines3."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn


class IdleVecEnv(VecEnv):
    """Gives the same arrays at every step: observations drawn once, every action legal, no reward, no end.

    Args:
        games: N.
        size: D, numbers of an observation.
        actions: A.
    """

    def __init__(self, games: int, size: int, actions: int) -> None:
        self.render_mode: str | None = None  # VecEnv's own __init__ asks for it
        super().__init__(games, spaces.Box(0.0, 1.0, (size,), np.float32), spaces.Discrete(actions))
        self._observation: NDArray[np.float32] = np.random.default_rng(0).random((games, size), np.float32)
        self._masks: NDArray[np.bool_] = np.ones((games, actions), np.bool_)
        self._done: NDArray[np.bool_] = np.zeros(games, np.bool_)
        self._infos: list[dict[str, Any]] = [{} for _ in range(games)]

    def reset(self) -> NDArray[np.float32]:
        """The observations."""
        return self._observation

    def step_async(self, actions: NDArray[Any]) -> None:
        """Takes no notice."""

    def step_wait(self) -> VecEnvStepReturn:
        """The same as ever, but rewards of their own, which SB3 changes."""
        return self._observation, np.zeros(self.num_envs, np.float32), self._done, self._infos

    def close(self) -> None:
        """Nothing to close."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The same value for every row."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Sets it for all rows."""
        setattr(self, attr_name, value)

    def action_masks(self) -> NDArray[np.bool_]:
        """(N, A) bool, all true."""
        return self._masks

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> Any:
        """`action_masks` gives one array, which is the least that SB3 can be given."""
        return getattr(self, method_name)(*args, **kwargs)

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """No row is wrapped."""
        return [False for _ in self._get_indices(indices)]
