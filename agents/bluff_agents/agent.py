"""Agent: what plays a seat. It is given observations and masks, never a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

import bluff_env
from bluff_agents.errors import AgentError
from bluff_env import Layout, Rules

Observations = NDArray[np.int8] | NDArray[np.float32]

#: Values of the noise that `Agent.probabilities` tries. One out of two to six, eight or ten draws exactly.
NOISES: Final = 240


class Agent(ABC):
    """One player of given rules, asked about many seats at once.

    Args:
        rules: anything `bluff_env.rules` takes.
        name: what tables and logs call it.
        seed: seeds the agent's own generator, which is used only when `act` is given no noise.

    Attributes:
        name, rules: as given.
        layout: what the actions and the numbers of an observation mean.
    """

    def __init__(self, rules: str | Mapping[str, Any] | Rules, name: str, seed: int | None = None) -> None:
        self.name = name
        self.rules: Rules = bluff_env.rules(rules)
        self.layout: Layout = bluff_env.layout(self.rules)
        self._random = np.random.default_rng(seed)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

    @abstractmethod
    def act(
        self,
        observation: Observations,
        mask: NDArray[np.bool_] | NDArray[np.int8],
        noise: ArrayLike | None = None,
        state: Any = None,
    ) -> tuple[NDArray[np.int64], Any]:
        """One decision a row.

        Args:
            observation: (B, D) int8 counts (`GameBatch`) or float32 in [0, 1] (the environments).
            mask: (B, A) bool or int8, the legal actions.
            noise: (B,) float64 in [0, 1), all the randomness the agent may use, so that a row's action depends on
                nothing but the row; None: the agent draws it.
            state: what the last call returned for these rows; None to begin, and for agents without memory.

        Returns:
            actions: (B,) int64; -1 in a row without a legal action, which `GameBatch.step` leaves alone.
            state: None for agents without memory, else an array with first axis B.
        """

    def probabilities(
        self, observation: Observations, mask: NDArray[np.bool_] | NDArray[np.int8]
    ) -> NDArray[np.float64]:
        """How likely each action is in each of B rows, for whom computes what the agent does instead of playing it.

        Here the shares of `NOISES` values of the noise, evenly spread over [0, 1), that lead to an action. For an agent
        that cuts [0, 1) into a stretch for each action, those are off by 1/NOISES at most, and exact where the cuts
        fall between the values. Agents that know their probabilities override this.

        Args:
            observation, mask: as of `act`.

        Returns:
            (B, A) float64; a row sums to 1, or is zero where no action is legal.

        Raises:
            AgentError: an agent with memory, whose play does not follow from one observation.
        """
        rows, likely = np.arange(len(observation)), np.zeros(mask.shape)
        for number in range(NOISES):
            actions, state = self.act(observation, mask, np.full(len(observation), (number + 0.5) / NOISES), None)
            if state is not None:
                raise AgentError(f"{self.name}: it has a memory, so how it plays does not follow from what it sees")
            can = actions >= 0
            likely[rows[can], actions[can]] += 1.0
        return likely / NOISES

    def win_chance(self, observation: Observations) -> NDArray[np.float64] | None:
        """(B,) float64 in [0, 1]: how likely it thinks it is to win, seen from (B, D) observations; None: cannot tell.

        Never asked when playing; judging compares it with who did win.
        """
        return None


class Memoryless(Agent):
    """An agent that decides from the observation alone. A single observation (D,) with mask (A,) is taken too."""

    def act(
        self,
        observation: Observations,
        mask: NDArray[np.bool_] | NDArray[np.int8],
        noise: ArrayLike | None = None,
        state: Any = None,
    ) -> tuple[NDArray[np.int64], Any]:
        """As of `Agent`; returns a 0-d array for a single observation."""
        single = observation.ndim == 1
        if single:
            observation, mask = observation[None], mask[None]
        size, n_actions = self.layout.size, self.layout.n_actions
        if observation.shape != (len(observation), size) or mask.shape != (len(observation), n_actions):
            raise AgentError(
                f"{self.name}: observations {observation.shape} and masks {mask.shape} found; "
                f"(B, {size}) and (B, {n_actions}) expected"
            )
        legal: NDArray[np.bool_] = mask.astype(np.bool_, copy=False)
        if noise is None:
            drawn = self._random.random(len(observation))
        else:
            drawn = np.asarray(noise, np.float64).reshape(len(observation))
        actions = self.choose(observation, legal, drawn)
        actions[~legal.any(axis=1)] = -1
        return (actions[0, ...] if single else actions), None

    @abstractmethod
    def choose(
        self, observation: Observations, mask: NDArray[np.bool_], noise: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """(B,) int64, a fresh array: an action a row. Rows without a legal action may get any."""


def as_floats(layout: Layout, observation: Observations) -> NDArray[np.float32]:
    """(B, D) float32 in [0, 1], whichever form it came in."""
    if observation.dtype == np.int8:
        return layout.to_float(cast("NDArray[np.int8]", observation))
    return cast("NDArray[np.float32]", observation)


def as_counts(layout: Layout, observation: Observations) -> NDArray[np.int8]:
    """(B, D) int8 counts, whichever form it came in."""
    if observation.dtype == np.int8:
        return cast("NDArray[np.int8]", observation)
    return layout.to_counts(cast("NDArray[np.float32]", observation))
