"""`counter`: weighs the chance that a claim is true against the cards at stake, and plans what to lie with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.bot import Bot, Counts
from bluff_agents.bots.doubt import Doubt
from bluff_agents.bots.habits import Habits, SuitedHabits
from bluff_agents.bots.planning import Planner
from bluff_agents.bots.sight import Sight
from bluff_agents.bots.stakes import Stakes
from bluff_agents.bots.suits import SuitedDoubt, SuitedPlanner, weights
from bluff_agents.bots.suspicion import Suspicion
from bluff_env import Rules


class Counter(Bot):
    """The player that counts. It uses no randomness: the cards are enough of it.

    - Calls when that makes its share in the race to be out first larger: the claimant's hand grows by the penalty if
      the claim is a lie, its own if not, and who is right may lead. Calls every last card: if that was true the game
      is lost anyway.
    - Claims, where it may choose, the rank it holds most of.
    - Tells the truth when it can, and adds false cards while they are unlikely to be called. A lie takes the card it
      will need last. Keeps cards to lie with until a true last play is possible. Passes where no lie is better.
    - Suited: leads with its lowest card, towards the end with one that keeps the lead; follows with the lowest; lies
      with the claim that is least likely to be called, and keeps a joker for the last play.
    - Drops a card when the penalty, where it is noticed, costs less than the card. Accuses whom it noticed when that is
      more likely to hit the guilty than a wrong accusation costs.

    Args:
        rules, seed: as of every agent.
        habits, suited: what it believes of people and how it weighs cards, in unsuited and in suited games.
    """

    NAME: ClassVar[str] = "counter"

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules,
        seed: int | None = None,
        habits: Habits | None = None,
        suited: SuitedHabits | None = None,
    ) -> None:
        super().__init__(rules, seed)
        self.habits = habits or Habits()
        self.suited = suited or SuitedHabits()
        self.stakes = Stakes(self.layout)
        self.suspicion = Suspicion(self.layout)
        self.doubt: Doubt | SuitedDoubt
        most = 2 * self.rules.deck_size + 2
        if self.rules.suited:
            self.doubt = SuitedDoubt(self.layout, self.suited)
            self.suits = SuitedPlanner(self.layout, self.suited, self.keep)
            self._weight, self._caution, self._tempo = (
                weights(self.suited, most),
                self.suited.caution,
                self.suited.tempo,
            )
        else:
            self.doubt = Doubt(self.layout, self.habits)
            self.planner = Planner(self.layout, self.habits)
            self._weight = np.arange(1.0, most + 1) ** -self.habits.chase
            self._caution, self._tempo = self.habits.caution, 0.0
        after = self.rules.after_call
        self._bonus_right = np.exp(self._tempo) if after == "right_party" else 1.0
        self._bonus_wrong = np.exp(self._tempo) if after == "wrong_party" else 1.0
        # Where a call starts the ranks anew, or they need not move on, hasty calls keep some from ever coming up.
        stands = self.rules.round_ends == "call" or self.rules.follow in ("same", "adjacent", "same_or_adjacent")
        self._patient = stands and self.rules.penalty == "pile" and not self.rules.suited
        self._unfollowed: NDArray[np.bool_] = np.logical_not(self._follows.any(axis=1))

    def decide(self, counts: Counts, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        """(B,) int64: an action a row; the noise is not used."""
        actions = np.zeros(len(counts), np.int64)
        for name in self.layout.phases:
            rows = np.flatnonzero(self.phase(counts, name))
            if rows.size:
                part = counts if len(rows) == len(counts) else counts[rows]
                actions[rows] = getattr(self, f"_{name}")(Sight(self.layout, part, mask[rows]))
        return actions

    def _answer(self, see: Sight) -> NDArray[np.int64]:
        sizes, who, rows = see["hand_sizes"], see.claimant, see.rows
        lie = self.doubt(see)
        theirs_left = sizes[who, rows]
        counted = self._weight[sizes]
        total, mine, theirs = counted.sum(axis=0), counted[0], counted[who, rows]
        stays = np.where(self._unfollowed[see.claim], theirs * (np.exp(self._tempo) - 1), 0.0)
        now = mine / (total + stays)
        took, given = self.stakes(see, sizes[0])
        lighter = self._weight[sizes[0] - given] * self._bonus_right
        heavier = self._weight[theirs_left + took] * self._bonus_wrong
        right = np.where(sizes[0] > given, lighter / (total - theirs - mine + lighter + heavier), 1.0)
        took, given = self.stakes(see, theirs_left)
        heavier = self._weight[sizes[0] + took] * self._bonus_wrong
        lighter = self._weight[theirs_left - given] * self._bonus_right
        wrong = np.where(theirs_left > given, heavier / (total - theirs - mine + lighter + heavier), 0.0)
        gain = lie * (right - now) - self._caution * (1 - lie) * (now - wrong)
        call = gain > 0
        if self._patient:
            call &= see["pile_size"][0] > self.habits.patience * see.recent_calls()
        call |= theirs_left == 0
        action = np.where(call, self._first["call"], self._first["decline"])
        if "accuse" in self._first:
            action = self._accuse(see, action)
        return action

    def _claim(self, see: Sight) -> NDArray[np.int64]:
        if self.rules.suited:
            claims, passes = self.suits.claim(see)
        else:
            claims, passes = self.planner.claim(see, self._weight)
        return np.where(passes & see.may("pass"), self._first.get("pass", -1), self._first["claim"] + claims)

    def _pick(self, see: Sight) -> NDArray[np.int64]:
        if self.rules.suited:
            card = self._first["card"] + self.suits.card(see)
            may = np.flatnonzero(see.may("pass"))
            if may.size:
                card[may] = np.where(self.suits.forced(see.only(may)), self._first["pass"], card[may])
            return card
        kinds = self.order[:, see.claim]
        rivals = self._weight[see["hand_sizes"][1:]].sum(axis=0)
        lay, passes = self.planner.plan(see, kinds, see["hand"][kinds, see.rows], rivals)
        missing = lay > see["picked"][kinds, see.rows]
        place = missing.argmax(axis=0)
        card = self._first["card"] + kinds[place, see.rows]
        action = np.where(missing[place, see.rows], card, self._first.get("lay", -1))
        return np.where(passes & see.may("pass"), self._first.get("pass", -1), action)

    def _vote(self, see: Sight) -> NDArray[np.int64]:
        return self.vote(see.counts)

    def _give(self, see: Sight) -> NDArray[np.int64]:
        return self.give(see)

    def _drop(self, see: Sight) -> NDArray[np.int64]:
        hand = see["hand"]
        worst = np.where(hand > 0, self.keep, np.iinfo(np.int64).max).argmin(axis=0)
        drops = self.suspicion.drop_pays(see) & (hand.sum(axis=0) > 1)
        return np.where(drops, self._first["drop"] + worst, self._first["drop_none"])

    def _accuse(self, see: Sight, action: NDArray[np.int64]) -> NDArray[np.int64]:
        """Accuses where the guilty hurt most: the penalty falls on one of the others, or on itself."""
        suspect = self.suspicion.suspect(see)
        worth = self.suspicion.guilt > 1 / (1 + 1 / self._caution)
        accuses = (suspect > 0) & see.may("accuse") & worth & (see["stock_size"][0] > 0)
        return np.where(accuses, self._first["accuse"] + suspect - 1, action)
