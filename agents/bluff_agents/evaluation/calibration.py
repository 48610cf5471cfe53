"""Are an agent's own chances to win right? Each is compared with who did win.

Asked at the beginning of every turn of its own, of agents that can tell (`Agent.win_chance`): trained ones whose file
holds a critic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation.results import EvaluationError
from bluff_agents.evaluation.statistics import SUMS, ratio_sums
from bluff_env import GameBatch, Rules
from bluff_env.engine.state import CLAIM, DROP, PICK

if TYPE_CHECKING:
    from bluff_agents import Agent

#: Chances are put into this many groups of equal width.
BINS: Final = 10
#: After the groups: all of them, then the square of the error.
ALL, BRIER = BINS, BINS + 1
#: Behind the sums over deals: the sum of the chances themselves.
FORETOLD: Final = SUMS


class Forecasts:
    """Keeps what agents think of their chances in the games of some deals.

    Args:
        rules: what is played.
        agents: the agents.
        deal_of: (G,) the deal of each game, from 0.
        seating: (G, n) which agent sits at each seat.
    """

    def __init__(
        self, rules: Rules, agents: Sequence[Agent], deal_of: NDArray[np.int64], seating: NDArray[np.int64]
    ) -> None:
        self._agents = agents
        self._able = [callable(getattr(agent, "win_chance", None)) for agent in agents]
        self._deal_of, self._seating = deal_of, seating
        self._dropp = rules.dropp is not None
        deals = int(deal_of.max()) + 1
        # for each agent, deal and group: how often won, how often in all (or the square of the error), and the chances
        self._counts = np.zeros((len(agents), deals, BRIER + 1, 3), np.float64)
        self._told: list[tuple[int, NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]] = []
        self._first = 0

    def begin(self, batch: GameBatch, first: int) -> None:
        """A batch begins, whose row 0 is game `first`."""
        self._first, self._told = first, []

    def before(self, batch: GameBatch, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Asks whoever is at the beginning of a turn."""
        g, rule = batch.games, batch.rule[0]
        phase = g["phase"][rows]
        if self._dropp:
            begins = phase == DROP
        else:
            unasked = rule["follow_count"][g["last"][rows]] == 1
            begins = (phase == CLAIM) | ((phase == PICK) & (g["count"][rows] == 0) & unasked)
        rows = rows[begins]
        seats = g["player"][rows]
        who = self._seating[self._first + rows, seats]
        for index, agent in enumerate(self._agents):
            asked = who == index
            if self._able[index] and asked.any():
                try:
                    chances = agent.win_chance(batch.observation[rows[asked]])
                except OSError as error:  # as in `Asker`
                    raise EvaluationError(f"agent {agent.name}: {type(error).__name__}: {error}") from error
                if chances is None:
                    self._able[index] = False
                else:
                    self._told.append((index, rows[asked], seats[asked], np.asarray(chances, np.float64)))

    def after(self, batch: GameBatch) -> None:
        """Nothing to be seen."""

    def end(self, batch: GameBatch) -> None:
        """All games of the batch are over: who was right?"""
        winner = batch.winner
        for index, rows, seats, chances in self._told:
            won = (winner[rows] == seats).astype(np.float64)
            deals = self._deal_of[self._first + rows]
            group = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
            rest = np.stack([won, np.ones_like(won), chances], axis=1)
            np.add.at(self._counts[index], (deals, group), rest)
            np.add.at(self._counts[index, :, ALL], deals, rest)
            rest[:, 0] = (chances - won) ** 2
            np.add.at(self._counts[index, :, BRIER], deals, rest)
        self._told = []

    def sums(self) -> NDArray[np.float64]:
        """(agents, BRIER + 1, SUMS + 1) float64: the sums over deals, then those of the chances."""
        by_group = self._counts.transpose(0, 2, 3, 1)
        sums = ratio_sums(by_group[:, :, 0], by_group[:, :, 1])
        return np.concatenate([sums, by_group[:, :, 2].sum(axis=-1)[..., None]], axis=-1)


def no_forecasts(agents: int) -> NDArray[Any]:
    """The sums of no deals."""
    return np.zeros((agents, BRIER + 1, SUMS + 1), np.float64)
