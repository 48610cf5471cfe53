"""A batch of observations piece by piece, turned so that sums over a piece are sums over long rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bluff_env import Layout


class Sight:
    """Observations (B, D) int8 as pieces (size, B) int64: `see["hand"][0]` is what each has of relative rank 0.

    Attributes:
        counts: the observations.
        mask: (B, A) bool, the legal actions.
        rows: (B,) 0 … B - 1, to pick one entry a column.
    """

    def __init__(self, layout: Layout, counts: NDArray[np.int8], mask: NDArray[np.bool_]) -> None:
        self._layout = layout
        self.counts = counts
        self._pieces: dict[str, NDArray[np.int64]] = {}
        self.mask = mask
        self.rows = np.arange(len(counts))

    def __getitem__(self, piece: str) -> NDArray[np.int64]:
        found = self._pieces.get(piece)
        if found is None:
            found = self.counts[:, self._layout.pieces[piece]].T.astype(np.int64, order="C")
            self._pieces[piece] = found
        return found

    def __contains__(self, piece: str) -> bool:
        return piece in self._layout.pieces

    def part(self, piece: str, start: int, stop: int) -> NDArray[np.int64]:
        """(stop - start, B): some numbers of a piece."""
        first = self._layout.pieces[piece].start
        found: NDArray[np.int64] = self.counts[:, first + start : first + stop].T.astype(np.int64, order="C")
        return found

    def total(self, piece: str, start: int = 0, stop: int | None = None) -> NDArray[np.int64]:
        """(B,): the sum of a piece, or of some of its numbers."""
        where = self._layout.pieces[piece]
        end = where.stop if stop is None else where.start + stop
        found: NDArray[np.int64] = self.counts[:, where.start + start : end].sum(axis=1, dtype=np.int64)
        return found

    def may(self, segment: str) -> NDArray[np.bool_]:
        """(B,): is the first action of this segment legal? All False where the rules do not have it."""
        if segment not in self._layout.actions:
            return np.zeros(len(self.rows), np.bool_)
        return self.mask[:, self._layout.actions[segment].start]

    def only(self, rows: NDArray[np.intp]) -> Sight:
        """Some of the observations."""
        return Sight(self._layout, self.counts[rows], self.mask[rows])

    @property
    def answering(self) -> bool:
        """Is there a play on the table? A batch is of one phase, so one row tells."""
        return bool(self.counts[0, self._layout.pieces["claimant"]].any())

    @property
    def claimant(self) -> NDArray[np.intp]:
        """(B,): who made the play on the table, counted from the observer."""
        claimant: NDArray[np.intp] = self["claimant"].argmax(axis=0)
        return claimant

    @property
    def claim(self) -> NDArray[np.intp]:
        """(B,): the claim being made or on the table, in the relative order."""
        claim: NDArray[np.intp] = self["claim"].argmax(axis=0)
        return claim

    def play(self, back: int) -> NDArray[np.int64]:
        """(width, B): the play so many plays ago, as the piece `recent` tells it; all zero where there was none."""
        width = self._layout.recent_width
        return self.part("recent", back * width, (back + 1) * width)

    def recent_calls(self) -> NDArray[np.int64]:
        """(B,): how many of the last H plays were called."""
        width, start = self._layout.recent_width, self._layout.pieces["recent"].start
        last = start + width * np.arange(1, self._layout.history + 1)
        calls: NDArray[np.int64] = self.counts[:, np.concatenate([last - 2, last - 1])].sum(axis=1, dtype=np.int64)
        return calls

    def passes_before_the_play(self) -> NDArray[np.int64]:
        """(B,): how many seats passed between the play on the table and the one before."""
        n = self._layout.rules.players
        before = self.play(1)
        seats = before[:n]
        passes: NDArray[np.int64] = (self.claimant - seats.argmax(axis=0) - 1) % n
        passes[(seats.sum(axis=0) == 0) | (before[-2:].sum(axis=0) > 0)] = 0
        return passes
