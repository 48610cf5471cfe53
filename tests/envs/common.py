"""What the tests of the environments share: the tables they run over, and players to fill seats with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bluff_env
from bluff_env.errors import RulesError

SEATS = (2, 3, 4, 7, 10)


def _allowed(name: str, players: int) -> bool:
    try:
        bluff_env.rules(name, players=players)
    except RulesError:
        return False
    return True


#: Every named set with every number of seats that its deck is large enough for.
NAMED_AND_SEATS = [(name, n) for name in bluff_env.rule_names() for n in SEATS if _allowed(name, n)]
#: One set of each kind, over whose numbers of seats the quick run goes, too; of the others it takes their own number.
OF_EACH_KIND = ("bloff", "bluffstopp_dropp")


def _quick(name: str, players: int) -> bool:
    return name in OF_EACH_KIND or players == min(bluff_env.rules(name).players, 7)


every_table = pytest.mark.parametrize(
    ("name", "players"),
    [pytest.param(*table, marks=() if _quick(*table) else pytest.mark.slow) for table in NAMED_AND_SEATS],
)


def action_by(noise: float, mask: NDArray[Any]) -> int:
    """The uniform legal action that a number in [0, 1) picks, as `GameBatch.random_actions` picks it."""
    legal = np.flatnonzero(mask)
    return int(legal[int(noise * len(legal))])


class Uniform:
    """A player of uniform legal actions, made here so that these tests need no agents."""

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.asked = 0

    def act(
        self, observation: NDArray[Any], mask: NDArray[Any], noise: NDArray[np.float64] | None = None, state: Any = None
    ) -> tuple[NDArray[np.int64], Any]:
        self.asked += 1
        drawn = self.random.random(len(mask)) if noise is None else noise
        return np.array([action_by(x, row) for x, row in zip(drawn, mask, strict=True)], np.int64), state
