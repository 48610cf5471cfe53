"""`honest`: tells the truth when it can, and calls only what its own cards prove false."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.bot import Bot, Counts, draw


class Honest(Bot):
    """The plain player.

    - Claims, where it may choose, the rank it holds most of.
    - Lays all its cards of the claimed rank; without one a joker; without either it must lie, with one card, any of its
      hand equally likely.
    - Calls a play that claims more cards than can be: its own hand and its own cards in the pile hold too many of them.
    """

    NAME: ClassVar[str] = "honest"

    def decide(self, counts: Counts, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        """(B,) int64: an action a row; the noise chooses the lie."""
        claim = self.claim(counts)
        actions = np.where(self.phase(counts, "answer"), self._answer(counts, claim), self._pick(counts, claim, noise))
        if "claim" in self.layout.actions:
            held = np.where(self.piece(counts, "claimable") != 0, self.piece(counts, "hand")[:, : self.claims], -1)
            actions = np.where(self.phase(counts, "claim"), self._first["claim"] + held.argmax(axis=1), actions)
        return actions

    def _answer(self, counts: Counts, claim: NDArray[np.intp]) -> NDArray[np.int64]:
        seen = self.piece(counts, "hand") + self.piece(counts, "mine_in_pile")
        unseen = self.copies - seen[np.arange(len(counts)), claim]
        if self.jokers:
            unseen = unseen + self.jokers - seen[:, -1]
        false = self.piece(counts, "claim_count")[:, 0] > unseen
        return np.where(false, self._first["call"], self._first["decline"])

    def _pick(self, counts: Counts, claim: NDArray[np.intp], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        """(B,) int64: an action a row; the noise chooses the lie."""
        hand, picked = self.piece(counts, "hand"), self.piece(counts, "picked").sum(axis=1)
        held = hand[np.arange(len(counts)), claim]
        lie = draw(hand, noise)
        if self.jokers:
            lie = np.where(hand[:, -1] > 0, self.kinds - 1, lie)
        first = self._first["card"] + np.where(held > 0, claim, lie)
        return np.where(picked < np.maximum(held, 1), first, self._first.get("lay", -1))
