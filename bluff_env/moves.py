"""Moves as people and records see them: a whole play, a call, a pass. Text round trips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from bluff_env.cards import claim_of, counts_of, kind_of, texts_of
from bluff_env.errors import BluffError, MoveError
from bluff_env.ruleset import Tables

_WORDS = ("call", "decline", "pass", "keep", "another")

Kind = Literal["play", "call", "decline", "pass", "keep", "another", "drop", "accuse", "give"]


@dataclass(frozen=True, slots=True)
class Move:
    """One move of the seat to move.

    As text: `4:4JT` (a play: the claim, then the cards), `call`, `decline`, `pass`; `keep` or `another` (votes on the
    start card); `drop 7H`, `accuse 2` (a seat), `give 7H3S`.
    """

    kind: Kind
    claim: str | None = None
    cards: tuple[str, ...] = ()
    seat: int | None = None

    def __str__(self) -> str:
        if self.kind == "play":
            return f"{self.claim}:{''.join(self.cards)}"
        if self.kind == "accuse":
            return f"accuse {self.seat}"
        return f"{self.kind} {''.join(self.cards)}" if self.cards else self.kind


def parse_move(t: Tables, text: str, claim: str | None = None) -> Move:
    """The move a text names. `claim` stands in where the text leaves the claim out (`:4JT` or `4JT`).

    Raises:
        MoveError: the text is no move of these rules.
    """
    text = text.strip()
    first, _, rest = text.partition(" ")
    if text in _WORDS:
        return Move(text)  # type: ignore[arg-type]  # one of the words
    try:
        if first == "accuse":
            return Move("accuse", seat=int(rest))
        if first in ("drop", "give"):
            return Move(first, cards=_cards(t, rest))  # type: ignore[arg-type]  # one of the two
        before, colon, after = text.partition(":")
        named, cards = (before, after) if colon else ("", before)
        return Move("play", t.claims[claim_of(t, named or claim)], _cards(t, cards))
    except ValueError as error:
        what = f"a move is claim:cards such as {example(t)}, or one of {', '.join(_WORDS)}, drop, accuse, give"
        raise MoveError(f"move {text!r}: {error}; {what}") from None


def _cards(t: Tables, text: str) -> tuple[str, ...]:
    kinds = sorted(kind_of(t, card) for card in _split(t, text.replace(" ", "")))
    if not kinds:
        raise BluffError("no cards")
    return tuple(t.kinds[kind] for kind in kinds)


def example(t: Tables) -> str:
    """A move of these rules as text, for messages."""
    return f"{t.claims[0]}:{t.kinds[0]}"


def _split(t: Tables, cards: str) -> Iterator[str]:
    width = 2 if t.rules.suited else 1
    at = 0
    while at < len(cards):
        step = 1 if cards[at] == "X" else width
        yield cards[at : at + step]
        at += step


class LegalMoves:
    """The legal moves of the seat to move: iterable, with `in` and `len`, worked out on demand.

    A large hand has far more plays than anyone wants in a list.

    Args:
        t: the tables of the rules.
        simple: the moves that are no plays and no gifts.
        claims: what may be claimed; None where cards are given instead of laid.
        hand: (K,) the cards to choose from.
        least, most: how many cards a play or gift may have; most 0: none is possible.
    """

    def __init__(
        self, t: Tables, simple: list[Move], claims: list[int] | None, hand: NDArray[Any], least: int, most: int
    ) -> None:
        self._tables = t
        self._simple = simple
        self._claims: list[str | None] = [None] if claims is None else [t.claims[c] for c in claims]
        self._kind: Kind = "give" if claims is None else "play"
        self._hand = [int(count) for count in hand]
        self._least, self._most = least, most

    def __len__(self) -> int:
        if self._most == 0:
            return len(self._simple)
        ways = np.zeros(self._most + 1, object)  # ways[m]: multisets of m cards; whole numbers without a limit
        ways[0] = 1
        for count in self._hand:
            fresh = np.zeros_like(ways)
            for taken in range(min(count, self._most) + 1):
                fresh[taken:] += ways[: len(ways) - taken]
            ways = fresh
        return int(ways[self._least :].sum()) * len(self._claims) + len(self._simple)

    def __iter__(self) -> Iterator[Move]:
        yield from self._simple
        if self._most == 0:
            return
        for claim in self._claims:
            for counts in _multisets(self._hand, self._most):
                if sum(counts) >= self._least:
                    yield Move(self._kind, claim, tuple(texts_of(self._tables, counts)))

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        """The move at a place of the iteration, worked out by going there; raises IndexError behind the last. A slice
        gives a list.
        """
        if isinstance(index, slice):
            places = range(*index.indices(len(self)))
            last = max(places, default=-1)
            before = list(islice(self, last + 1))
            return [before[at] for at in places]
        place = index + len(self) if index < 0 else index
        found = next(islice(self, place, None), None) if place >= 0 else None
        if found is None:
            raise IndexError(f"move {index} of {len(self)}")
        return found

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move):
            return False
        if move.kind not in ("play", "give"):
            return move in self._simple
        if self._most == 0 or move.kind != self._kind or move.claim not in self._claims:
            return False
        try:
            counts = counts_of(self._tables, move.cards)
        except BluffError:
            return False
        return self._least <= counts.sum() <= self._most and bool((counts <= np.array(self._hand)).all())

    def __repr__(self) -> str:
        shown = [str(move) for move in islice(self, 8)]
        more = len(self) - len(shown)
        return f"<LegalMoves {' '.join(shown)}{f' and {more} more' if more else ''}>"


def _multisets(hand: list[int], most: int) -> Iterator[list[int]]:
    if not hand:
        yield []
        return
    for taken in range(min(hand[0], most) + 1):
        for rest in _multisets(hand[1:], most - taken):
            yield [taken, *rest]
