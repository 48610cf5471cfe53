"""`honest`: tells the truth when it can, and calls only what its own cards prove false."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.bot import Bot, Counts, draw
from bluff_agents.bots.suspicion import guilt, suspects
from bluff_env import Rules


class Honest(Bot):
    """The plain player.

    - Claims, where it may choose, what it can lay truthfully: the rank it holds most of; suited, its lowest card.
    - Lays all its cards of the claimed rank; without one a joker. Without either it passes if it may; else it must lie,
      with one card, any of its hand equally likely.
    - Calls a play that claims more cards than can be: its own hand and its own cards in the pile, and the start card
      there, hold too many of them.
    - Votes for another start card that it could not follow. Gives the cards that are hardest to get rid of.
    - Never drops a card. Accuses whom it noticed, where a notice is more likely true than not.
    """

    NAME: ClassVar[str] = "honest"

    def __init__(self, rules: str | Mapping[str, Any] | Rules, seed: int | None = None) -> None:
        super().__init__(rules, seed)
        self.guilt = guilt(self.rules)
        # worth in a choice of claims: suited from the lowest rank up, unsuited by the number of cards, see `_claim`
        ranks = -(np.arange(self.claims) % self.rules.ranks)
        self._rank_first = ranks if self.rules.suited else np.zeros_like(ranks)

    def decide(self, counts: Counts, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        """(B,) int64: an action a row; the noise chooses the lie."""
        claim = self.claim(counts)
        answer, pick = self._answer(counts, claim), self._pick(counts, mask, claim, noise)
        actions = np.where(self.phase(counts, "answer"), answer, pick)
        if "claim" in self.layout.phases:
            actions = np.where(self.phase(counts, "claim"), self._claim(counts, mask, noise), actions)
        if "accuse" in self._first and self.guilt > 0.5:
            actions = self._accuse(counts, mask, actions)
        if "drop" in self.layout.phases:
            actions = np.where(self.phase(counts, "drop"), self._first["drop_none"], actions)
        if "vote" in self.layout.phases:
            self.vote(counts, np.flatnonzero(self.phase(counts, "vote")), actions)
        if "give" in self.layout.phases:
            self.give(counts, mask, np.flatnonzero(self.phase(counts, "give")), actions)
        return actions

    def _answer(self, counts: Counts, claim: NDArray[np.intp]) -> NDArray[np.int64]:
        seen = self.piece(counts, "hand") + self.piece(counts, "mine_in_pile")
        if "start_card" in self._at:
            seen = seen + self.piece(counts, "start_card")
        unseen = self.copies - seen[np.arange(len(counts)), claim]
        if self.jokers:
            unseen = unseen + self.jokers - seen[:, -1]
        false = self.piece(counts, "claim_count")[:, 0] > unseen
        return np.where(false, self._first["call"], self._first["decline"])

    def _claim(self, counts: Counts, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        """(B,) int64: what it claims, or the pass; the noise chooses among claims that it cannot make truthfully."""
        open_ = self.piece(counts, "claimable") != 0
        held = np.where(open_, self.piece(counts, "hand")[:, : self.claims], 0)
        able = held.max(axis=1) > 0
        best = np.where(held > 0, held + self._rank_first, -self.claims).argmax(axis=1)
        best = np.where(able, best, draw(open_, noise))
        if "pass" not in self._first:
            return self._first["claim"] + best
        if self.jokers:
            able |= self.piece(counts, "hand")[:, -1] > 0
        passes = ~able & mask[:, self._first["pass"]]
        return np.where(passes, self._first["pass"], self._first["claim"] + best)

    def _pick(
        self, counts: Counts, mask: NDArray[np.bool_], claim: NDArray[np.intp], noise: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """(B,) int64: an action a row; the noise chooses the lie."""
        hand, picked = self.piece(counts, "hand"), self.piece(counts, "picked").sum(axis=1)
        held = hand[np.arange(len(counts)), claim]
        lie = draw(hand, noise)
        able = held > 0
        if self.jokers:
            lie = np.where(hand[:, -1] > 0, self.kinds - 1, lie)
            able |= hand[:, -1] > 0
        first = self._first["card"] + np.where(held > 0, claim, lie)
        if "pass" in self._first:
            first = np.where(~able & mask[:, self._first["pass"]], self._first["pass"], first)
        return np.where(picked < np.maximum(held, 1), first, self._first.get("lay", -1))

    def _accuse(self, counts: Counts, mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> NDArray[np.int64]:
        rows = np.flatnonzero(mask[:, self._first["accuse"]])
        found = np.empty(len(rows), np.int64)
        suspects(self.compiled, counts, rows, found)
        actions[rows] = np.where(found > 0, self._first["accuse"] + found - 1, actions[rows])
        return actions
