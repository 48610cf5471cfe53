"""A batch of observations piece by piece, turned so that sums over a piece are sums over long rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bluff_env import Layout


class Sight:
    """Observations (B, D) int8 as pieces (size, B) int64: `see["hand"][0]` is what each has of relative rank 0.

    Attributes:
        rows: (B,) 0 … B - 1, to pick one entry a column.
    """

    def __init__(self, layout: Layout, counts: NDArray[np.int8]) -> None:
        self._layout = layout
        self._counts = counts
        self._pieces: dict[str, NDArray[np.int64]] = {}
        self.rows = np.arange(len(counts))

    def __getitem__(self, piece: str) -> NDArray[np.int64]:
        found = self._pieces.get(piece)
        if found is None:
            found = self._counts[:, self._layout.pieces[piece]].T.astype(np.int64, order="C")
            self._pieces[piece] = found
        return found

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

    def recent_calls(self) -> NDArray[np.int64]:
        """(B,): how many of the last H plays were called."""
        width, start = self._layout.recent_width, self._layout.pieces["recent"].start
        last = start + width * np.arange(1, self._layout.history + 1)
        calls: NDArray[np.int64] = self._counts[:, np.concatenate([last - 2, last - 1])].sum(axis=1, dtype=np.int64)
        return calls
