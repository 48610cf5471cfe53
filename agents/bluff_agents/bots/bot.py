"""What the bots share: the numbers of their rules, the pieces of an observation by name, votes and gifts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bluff_agents.agent import Memoryless, Observations, as_counts
from bluff_agents.bots.chances import turns_until
from bluff_agents.bots.gifts import gifts, votes
from bluff_env import Rules
from bluff_env.engine.state import compile_rules

Counts = NDArray[np.int8]


class Bot(Memoryless):
    """A scripted player for any rules.

    Attributes:
        claims, kinds: C and K of the layout. Kind c is the card that claim c names; unsuited, so claims are ranks.
        copies, jokers: cards of each kind but the joker, and jokers, in the deck.
        cap: most cards in a play.
        compiled: the rules as the compiled functions read them.
        keep: (K,) how much a card is worth keeping, by relative kind, all different: unsuited those needed soonest,
            suited the highest; jokers most.
    """

    NAME: ClassVar[str]

    def __init__(self, rules: str | Mapping[str, Any] | Rules, seed: int | None = None) -> None:
        super().__init__(rules, self.NAME, seed)
        t = self.layout.tables
        self.claims = len(t.claims)
        self.kinds = len(t.kinds)
        self.copies = int(t.deck[0])
        self.jokers = self.rules.jokers
        self.cap = min(self.rules.most_cards, self.rules.deck_size)
        self._at: dict[str, int] = {piece.name: piece.start for piece in self.layout.parts}
        self._first: dict[str, int] = {segment.name: segment.start for segment in self.layout.segments}
        kinds = np.arange(self.kinds)
        worth = kinds % self.rules.ranks if self.rules.suited else -turns_until(self.rules)[kinds % self.claims]
        worth = worth * self.kinds + kinds
        worth[self.claims :] = worth.max() + 1
        self.keep: NDArray[np.int64] = worth
        self.compiled: NDArray[Any] = compile_rules(self.rules)

    def choose(
        self, observation: Observations, mask: NDArray[np.bool_], noise: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """(B,) int64: an action a row, whichever form the observations came in."""
        # one form of arrays for the compiled functions
        counts = np.require(as_counts(self.layout, observation), requirements=("C", "W"))
        mask = np.require(mask, requirements=("C", "W"))
        actions = self.decide(counts, mask, noise)
        # In the middle of a play that somebody else began, a bot's own plan may be out of reach: lay what is picked.
        legal = mask[np.arange(len(mask)), actions]
        return actions if legal.all() else np.where(legal, actions, mask.argmax(axis=1))

    @abstractmethod
    def decide(self, counts: Counts, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        """(B,) int64: an action a row, from (B, D) int8 counts."""

    def piece(self, counts: Counts, name: str) -> Counts:
        """(B, size) int8: a piece of every observation, as a view."""
        return counts[:, self.layout.pieces[name]]

    def phase(self, counts: Counts, name: str) -> NDArray[np.bool_]:
        """(B,) bool: is this what the seat decides?"""
        column: NDArray[np.bool_] = counts[:, self._at["phase"] + self.layout.phases.index(name)] != 0
        return column

    def claim(self, counts: Counts) -> NDArray[np.intp]:
        """(B,): the claim being made or on the table, in the relative order; 0 where there is none."""
        claim: NDArray[np.intp] = self.piece(counts, "claim").argmax(axis=1)
        return claim

    def vote(self, counts: Counts, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Writes the votes of some rows: for another start card where the hand cannot follow truthfully. [B2]"""
        votes(self.compiled, counts, rows, actions)

    def give(self, counts: Counts, mask: NDArray[np.bool_], rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Writes the cards to give next of some rows, so that those least worth keeping go. [B7]"""
        gifts(self.compiled, self.keep, counts, mask, rows, actions)


def draw(weights: NDArray[Any], noise: NDArray[np.float64]) -> NDArray[np.intp]:
    """(B,): an index a row, drawn with whole-number weights (B, X) by one uniform number a row.

    With 0/1 weights and a game's noise this is what `GameBatch.random_actions` draws. 0 where all weights are 0.
    """
    sums = weights.cumsum(axis=1, dtype=np.int32)
    index: NDArray[np.intp] = (sums > (noise * sums[:, -1]).astype(np.int32)[:, None]).argmax(axis=1)
    return index
