"""Moves as people and records see them: a whole play, a call, or no call. Text round trips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bluff_env.cards import claim_of, counts_of, kind_of, texts_of
from bluff_env.errors import BluffError, MoveError
from bluff_env.ruleset import Tables


@dataclass(frozen=True, slots=True)
class Move:
    """One move: `Move("play", "4", ("4", "J", "T"))`, `Move("call")` or `Move("decline")`.

    As text: `4:4JT` (the claim, then the cards), `call`, `decline`.
    """

    kind: Literal["play", "call", "decline"]
    claim: str | None = None
    cards: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.claim}:{''.join(self.cards)}" if self.kind == "play" else self.kind


def parse_move(t: Tables, text: str, claim: str | None = None) -> Move:
    """The move a text names. `claim` stands in where the text leaves the claim out (`:4JT` or `4JT`).

    Raises:
        MoveError: the text is no move of these rules.
    """
    text = text.strip()
    if text in ("call", "decline"):
        return Move("call" if text == "call" else "decline")
    before, colon, after = text.partition(":")
    named, cards = (before, after) if colon else ("", before)
    try:
        claimed = t.claims[claim_of(t, named or claim)]
        kinds = sorted(kind_of(t, card) for card in _split(t, cards.replace(" ", "")))
    except BluffError as error:
        raise MoveError(
            f"move {text!r}: {error}; a move is call, decline, or claim:cards such as {example(t)}"
        ) from None
    if not kinds:
        raise MoveError(f"move {text!r}: no cards; a move is call, decline, or claim:cards such as {example(t)}")
    return Move("play", claimed, tuple(t.kinds[kind] for kind in kinds))


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
    """

    def __init__(self, t: Tables, asked: bool, claims: list[int], hand: NDArray[Any], most: int) -> None:
        self._tables = t
        self._asked = asked
        self._claims = claims
        self._hand = [int(count) for count in hand]
        self._most = most

    def __len__(self) -> int:
        if self._asked:
            return 2
        ways = np.zeros(self._most + 1, object)  # ways[m]: multisets of m cards; whole numbers without a limit
        ways[0] = 1
        for count in self._hand:
            fresh = np.zeros_like(ways)
            for taken in range(min(count, self._most) + 1):
                fresh[taken:] += ways[: len(ways) - taken]
            ways = fresh
        return int(ways[1:].sum()) * len(self._claims)

    def __iter__(self) -> Iterator[Move]:
        if self._asked:
            yield from (Move("decline"), Move("call"))
            return
        for claim in self._claims:
            for counts in _multisets(self._hand, self._most):
                if any(counts):
                    yield Move("play", self._tables.claims[claim], tuple(texts_of(self._tables, counts)))

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move):
            return False
        if move.kind != "play":
            return self._asked and move in (Move("decline"), Move("call"))
        if self._asked or move.claim not in {self._tables.claims[c] for c in self._claims}:
            return False
        try:
            counts = counts_of(self._tables, move.cards)
        except BluffError:
            return False
        return 1 <= counts.sum() <= self._most and bool((counts <= np.array(self._hand)).all())

    def __repr__(self) -> str:
        shown = []
        for move in self:
            shown.append(str(move))
            if len(shown) == 8:
                break
        more = len(self) - len(shown)
        return f"<LegalMoves {' '.join(shown)}{f' and {more} more' if more else ''}>"


def _multisets(hand: list[int], most: int) -> Iterator[list[int]]:
    if not hand:
        yield []
        return
    for taken in range(min(hand[0], most) + 1):
        for rest in _multisets(hand[1:], most - taken):
            yield [taken, *rest]
