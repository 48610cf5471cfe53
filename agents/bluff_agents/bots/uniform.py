"""`random`: every legal decision is equally likely."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bluff_agents.agent import Observations
from bluff_agents.bots.bot import Bot, Counts, draw


class Random(Bot):
    """Uniform over legal decisions, not over plays: as likely to lay the first card as to pick a second one."""

    NAME: ClassVar[str] = "random"
    #: Compiled code may play in its place, drawing from the same noise (`bluff_env.seats`).
    uniform: ClassVar[bool] = True

    def decide(self, counts: Counts, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        """(B,) int64: the action that stands at the share of the legal ones that the noise gives."""
        return draw(mask, noise)

    def probabilities(
        self, observation: Observations, mask: NDArray[np.bool_] | NDArray[np.int8]
    ) -> NDArray[np.float64]:
        """(B, A) float64: every legal action alike."""
        likely: NDArray[np.float64] = mask.astype(np.float64)
        likely /= np.maximum(likely.sum(axis=1, keepdims=True), 1.0)
        return likely
