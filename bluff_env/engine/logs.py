"""The logs of a batch: every action of each game under way, and what chance decided after it, a byte each.

A row keeps the end of its log at hand; beyond a size, what came before is put away. So a batch takes the memory of the
games it plays and not that of the longest of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

# Bytes that a row keeps at hand: at first, and from when on the rest is put away.
_FIRST: Final = 256
_LARGE: Final = 1024


class Logs:
    """The logs of N games.

    Args:
        games: (N,) `GAME` records: `logged` bytes each, of which the first `log_begin` have been put away.
        margin: the most bytes that a step can add to a log.

    Attributes:
        at_hand: (N, W) uint8, the end of each log; another array when it has grown.
        full: a log filled further has no room for a step.
        bytes_away: how many bytes have been put away.
    """

    def __init__(self, games: NDArray[Any], margin: int) -> None:
        self._games, self._margin = games, margin
        self.at_hand: NDArray[np.uint8] = np.zeros((len(games), max(_FIRST, 4 * margin)), np.uint8)
        self._away: list[bytes] = [b""] * len(games)
        self.full = self.at_hand.shape[1] - margin

    def of(self, games: NDArray[Any]) -> None:
        """Whose logs these are, after they have been copied."""
        self._games, self.at_hand = games, np.require(self.at_hand, requirements=("C", "W"))

    @property
    def bytes_away(self) -> int:
        """What has been put away of games under way, and of those before them whose place is not needed yet."""
        return sum(map(len, self._away))

    def make_room(self) -> bool:
        """Makes room for a step in every row. True if `at_hand` is another array now."""
        if self.at_hand.shape[1] < _LARGE:
            self._grow()
            return True
        begin = self._games["log_begin"]
        used = self._games["logged"] - begin
        for row in np.flatnonzero(used > self.full // 2):
            away = int(used[row]) - self._margin
            before = self._away[row] if begin[row] else b""
            self._away[row] = before + self.at_hand[row, :away].tobytes()
            self.at_hand[row, : self._margin] = self.at_hand[row, away : used[row]]
            begin[row] += away
        return False

    def _grow(self) -> None:
        self.at_hand = np.concatenate([self.at_hand, np.zeros_like(self.at_hand)], axis=1)
        self.full = self.at_hand.shape[1] - self._margin

    def whole(self, row: int) -> NDArray[np.uint8]:
        """(logged,) uint8, a fresh array: all of a row's log."""
        begin, logged = int(self._games["log_begin"][row]), int(self._games["logged"][row])
        before = np.frombuffer(self._away[row] if begin else b"", np.uint8)
        return np.concatenate([before, self.at_hand[row, : logged - begin]])

    def copies(self, rows: NDArray[np.int64]) -> NDArray[np.uint8]:
        """(rows, length) uint8, a fresh array: the whole logs, zeros behind those that are shorter than the longest."""
        copies = np.zeros((len(rows), int(self._games["logged"][rows].max(initial=0))), np.uint8)
        for i, row in enumerate(rows):
            whole = self.whole(row)
            copies[i, : len(whole)] = whole
        return copies

    def restore(self, copies: NDArray[np.uint8]) -> None:
        """Puts back copies of all rows' logs; the games are those of then already."""
        while self.at_hand.shape[1] < min(_LARGE, copies.shape[1] + self._margin):
            self._grow()
        for row, (begin, logged) in enumerate(zip(self._games["log_begin"], self._games["logged"], strict=True)):
            self._away[row] = copies[row, :begin].tobytes()
            self.at_hand[row, : logged - begin] = copies[row, begin:logged]

    def force(self, results: Sequence[int]) -> None:
        """Writes what chance will decide in the next step of a single game, as far as a step can go."""
        at = int(self._games["logged"][0] - self._games["log_begin"][0]) + 1
        some = results[: self._margin - 1]
        self.at_hand[0, at : at + len(some)] = some

    def replace_last(self, results: Sequence[int]) -> None:
        """Writes other results over the last ones of a single game."""
        end = int(self._games["logged"][0] - self._games["log_begin"][0])
        self.at_hand[0, end - len(results) : end] = results
