"""`counter`: weighs the chance that a claim is true against the cards at stake, and plans what to lie with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.bot import Bot, Counts
from bluff_agents.bots.decide import decide_rows
from bluff_agents.bots.habits import FREE, NEAR, PASSING, SAME, STOCK, SUITED, WAITING, Habits, SuitedHabits
from bluff_agents.bots.mind import make_mind
from bluff_env import Rules
from bluff_env.engine.state import MAX_KINDS


class Counter(Bot):
    """The player that counts.

    - Calls when that makes its share in the race to be out first larger. The chance of a lie comes from the cards in
      sight (exact chances of what the claimant may have held), from what people do, and from the claimant's own record.
      At stake are the penalty, on the claimant's hand or its own, and the lead. It calls every last card: if that was
      true the game is lost anyway; and calls less where a later seat will call.
    - Lays what leaves the best hand: unsuited it looks through its coming claims for the turn on which it can go out
      with a true play, counts the lies it takes until then, and keeps cards for them. False cards go beside true ones
      while being called costs less than they are worth; it reckons with whoever can prove a lie, with how unlikely the
      claim looks to a seat that counts, and with how often this table calls.
    - Suited: weighs every claim open to it, made true or false; a lie with a card that it holds itself or has laid
      cannot be proved. It knows which claims calls have shown to be true or false, suspects a lead the more the higher
      it is, and calls the first play of a deal if nobody was asked before: where all is called, who leads first wins.
      Keeps a joker for the last play, passes where no claim is worth it.
    - Drops a card when the penalty, where it is noticed, costs less than the card. Accuses whom it noticed when that is
      more likely to hit the guilty than a wrong accusation costs.

    It uses the noise only in a game that has got nowhere for hundreds of turns: then it calls ever less, for an end.

    Args:
        rules, seed: as of every agent.
        habits, suited: what it believes of people and how it weighs cards, in unsuited and in suited games, in place of
            those that `habits_for` finds.
    """

    NAME: ClassVar[str] = "counter"
    HABITS: ClassVar[Habits] = Habits()  # claims in sequence
    WAITING: ClassVar[Habits] = WAITING  # and one may pass
    SAME: ClassVar[Habits] = SAME  # always the claim that was made
    NEAR: ClassVar[Habits] = NEAR  # or one step up or down
    FREE: ClassVar[Habits] = FREE  # any claim
    SUITED: ClassVar[SuitedHabits] = SUITED
    PASSING: ClassVar[SuitedHabits] = PASSING  # suited, and one may pass
    STOCK: ClassVar[SuitedHabits] = STOCK  # suited, and the whole stock is the penalty

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules,
        seed: int | None = None,
        habits: Habits | None = None,
        suited: SuitedHabits | None = None,
    ) -> None:
        super().__init__(rules, seed)
        own = (suited if self.rules.suited else habits) or self.habits_for(self.rules)
        self.mind: NDArray[Any] = make_mind(self.layout, self.keep, own)

    @classmethod
    def habits_for(cls, rules: Rules) -> Habits | SuitedHabits:
        """The habits for a kind of game."""
        passes = rules.passing == "allowed"
        if rules.suited:
            if rules.penalty == "whole_stock":
                return cls.STOCK
            return cls.PASSING if passes else cls.SUITED
        unsuited = {"next": cls.WAITING if passes else cls.HABITS, "same": cls.SAME, "any": cls.FREE}
        return unsuited.get(rules.follow, cls.NEAR)

    def decide(self, counts: Counts, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        """(B,) int64: an action a row."""
        actions = np.empty(len(counts), np.int64)
        work = np.zeros((4, MAX_KINDS + 1), np.int64)
        decide_rows(self.compiled, self.mind, counts, mask, noise, work, actions)
        return actions
