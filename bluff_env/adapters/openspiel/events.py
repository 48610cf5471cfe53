"""What happens in a game as each seat sees it: one entry an event, in words and as numbers. [V]

An entry holds what one seat has seen of an event and nothing else; its text and its row of numbers hold the same.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bluff_env.cards import texts_of
from bluff_env.layout import Layout
from bluff_env.ruleset import Tables

Counts = tuple[int, ...]

#: The kinds of entries. `hand`: a deal has begun; `turned`: a start card has been turned and is voted on; `called`: a
#: call has been settled but for the cards that are picked to be given [B7]; `notice`: of a drop, or a false one [D2].
KINDS: Final = (
    "hand", "turned", "start", "play", "pass", "called", "call", "cleared", "drop", "notice", "accuse", "end",
)  # fmt: skip
#: How many numbers an entry has beside its lists of cards.
NUMBERS: Final = 4


class Entry(NamedTuple):
    """One event as one seat has seen it.

    Attributes:
        kind: one of `KINDS`.
        seat: who laid, passed, called, dropped, is suspected, accuses or has won; the dealer of a `hand`; -1: nobody.
        other: who was called or accused; the opener of a `hand`; -1: nobody.
        claim: what was claimed; -1: nothing.
        flag: the play was truthful, the accused guilty, the start card put back, or the game cut off.
        numbers: cards laid, taken, cleared or to be given; cards drawn; cards given; drops found out or cards back.
        bits: (n) who called in a race, or voted for another start card.
        own: (K) cards laid, turned, dropped or dealt, where the seat has seen them; else empty.
        taken: (K) cards taken with the pile or drawn, where it has seen them.
        given: (K) cards given, where it has seen them.
    """

    kind: str
    seat: int = -1
    other: int = -1
    claim: int = -1
    flag: bool = False
    numbers: tuple[int, int, int, int] = (0, 0, 0, 0)
    bits: int = 0
    own: Counts = ()
    taken: Counts = ()
    given: Counts = ()

    def text(self, t: Tables) -> str:
        """In words. Different entries have different texts."""
        parts = [self.kind]
        for name, seat in (("seat", self.seat), ("to", self.other)):
            if seat >= 0:
                parts.append(f"{name}={seat}")
        if self.claim >= 0:
            parts.append(f"claim={t.claims[self.claim]}")
        if self.flag:
            parts.append({"start": "back", "turned": "back", "end": "cut", "accuse": "guilty"}.get(self.kind, "true"))
        if any(self.numbers):
            parts.append("n=" + ".".join(map(str, self.numbers)))
        if self.bits:
            parts.append("by=" + ".".join(str(s) for s in range(t.rules.players) if self.bits >> s & 1))
        for name, cards in (("cards", self.own), ("got", self.taken), ("given", self.given)):
            if any(cards):
                parts.append(f"{name}={''.join(texts_of(t, cards))}")
        return " ".join(parts)

    def write(self, lay: Layout, out: NDArray[np.float32]) -> None:
        """As numbers, into a row of zeros of `width` places. Different entries have different rows."""
        n, claims, kinds = lay.rules.players, len(lay.tables.claims), len(lay.tables.kinds)
        out[KINDS.index(self.kind)] = 1.0
        at = len(KINDS)
        for seat in (self.seat, self.other):
            if seat >= 0:
                out[at + seat] = 1.0
            at += n
        for seat in range(n):
            out[at + seat] = self.bits >> seat & 1
        at += n
        if self.claim >= 0:
            out[at + self.claim] = 1.0
        at += claims
        out[at] = self.flag
        out[at + 1 : at + 1 + NUMBERS] = self.numbers
        at += 1 + NUMBERS
        for cards in (self.own, self.taken, self.given):
            if cards:
                out[at : at + kinds] = cards
            at += kinds


def width(lay: Layout) -> int:
    """Numbers in the row of an entry."""
    t = lay.tables
    return len(KINDS) + 3 * lay.rules.players + len(t.claims) + 1 + NUMBERS + 3 * len(t.kinds)
