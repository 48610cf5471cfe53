"""`counter`: weighs the chance that a claim is true against the cards at stake, and plans what to lie with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.bot import Bot, Counts
from bluff_agents.bots.doubt import Doubt
from bluff_agents.bots.habits import Habits
from bluff_agents.bots.planning import Planner
from bluff_agents.bots.sight import Sight
from bluff_env import Rules


class Counter(Bot):
    """The player that counts. It uses no randomness: the cards are enough of it.

    - Calls when that makes its share in the race to be out first larger: the claimant's hand grows by the pile if the
      claim is a lie, its own if not. Calls every last card: if that was true the game is lost anyway.
    - Claims, where it may choose, the rank it holds most of.
    - Tells the truth when it can, and adds false cards while they are unlikely to be called. A lie takes the card it
      will need last. Keeps cards to lie with until a true last play is possible.

    Args:
        rules, seed: as of every agent.
        habits: what it believes of people and how it weighs cards.
    """

    NAME: ClassVar[str] = "counter"

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules,
        seed: int | None = None,
        habits: Habits | None = None,
    ) -> None:
        super().__init__(rules, seed)
        self.habits = habits or Habits()
        self.doubt = Doubt(self.layout, self.habits)
        self.planner = Planner(self.layout, self.habits)
        self._weight = np.arange(1.0, 2 * self.rules.deck_size + 2) ** -self.habits.chase

    def decide(self, counts: Counts, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        """(B,) int64: an action a row; the noise is not used."""
        actions = np.zeros(len(counts), np.int64)
        for name in self.layout.phases:
            rows = np.flatnonzero(self.phase(counts, name))
            if rows.size:
                actions[rows] = getattr(self, f"_{name}")(Sight(self.layout, counts[rows]))
        return actions

    def _answer(self, see: Sight) -> NDArray[np.int64]:
        sizes, who, pile = see["hand_sizes"], see.claimant, see["pile_size"][0]
        lie = self.doubt(see)
        weights = self._weight[sizes]
        total, mine, theirs = weights.sum(axis=0), weights[0], weights[who, see.rows]
        now = mine / total
        right = mine / (total - theirs + self._weight[sizes[who, see.rows] + pile])
        heavier = self._weight[sizes[0] + pile]
        wrong = heavier / (total - mine + heavier)
        gain = lie * (right - now) - self.habits.caution * (1 - lie) * (now - wrong)
        call = (gain > 0) | (sizes[who, see.rows] == 0)
        return np.where(call, self._first["call"], self._first["decline"])

    def _claim(self, see: Sight) -> NDArray[np.int64]:
        # of ranks held alike the one of which more cards lie in the pile, where nobody can miss them
        score = see["hand"][: self.claims] * 256 + see["mine_in_pile"][: self.claims]
        best: NDArray[np.int64] = self._first["claim"] + np.where(see["claimable"] > 0, score, -1).argmax(axis=0)
        return best

    def _pick(self, see: Sight) -> NDArray[np.int64]:
        kinds = self.planner.kinds_from(see.claim)
        rivals = self._weight[see["hand_sizes"][1:]].sum(axis=0)
        lay = self.planner.plan(see, kinds, see["hand"][kinds, see.rows], rivals)
        missing = lay > see["picked"][kinds, see.rows]
        place = missing.argmax(axis=0)
        card = self._first["card"] + kinds[place, see.rows]
        return np.where(missing[place, see.rows], card, self._first.get("lay", -1))
