"""`liar`: never tells the truth while it can lie."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.bot import Counts, draw
from bluff_agents.bots.honest import Honest


class Liar(Honest):
    """Lays cards that are not what it claims, any of them equally likely, though it could tell the truth: one card, and
    half the time another. Where it may choose a claim it takes any. It never passes; only a hand that holds nothing
    false is laid truthfully. It calls as `honest` does, what its own cards prove false.
    """

    NAME: ClassVar[str] = "liar"

    def _claim(self, counts: Counts, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        return self._first["claim"] + draw(self.piece(counts, "claimable"), noise)

    def _pick(
        self, counts: Counts, mask: NDArray[np.bool_], claim: NDArray[np.intp], noise: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """(B,) int64: an action a row; the noise chooses card and number, the one from the digits behind the other."""
        start, rows = self._first["card"], np.arange(len(counts))
        picks = mask[:, start : start + self.kinds]
        false = self.piece(counts, "hand") * picks
        false[rows, claim] = 0
        false[:, self.claims :] = 0  # a joker makes any claim true [B9]
        only_true = false.sum(axis=1, dtype=np.int64) == 0
        cards = start + draw(np.where(only_true[:, None], picks, false), (2 * noise) % 1)
        if "lay" not in self._first:
            return cards
        begun = mask[:, self._first["lay"]]
        return np.where(begun & (only_true | (noise < 0.5)), self._first["lay"], cards)
