"""A deal given by hand: from a record's mapping to the order of the deck, checked against the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bluff_env.cards import kind_of
from bluff_env.errors import BluffError, DealError
from bluff_env.ruleset import Rules, tables

_KEYS = ("dealer", "opener", "hands", "stock")


@dataclass(frozen=True, slots=True)
class Deal:
    """A checked deal: dealer and opener (-1: as the rules say) and the deck in the order it is dealt [C1]."""

    dealer: int
    opener: int
    deck: NDArray[np.int8]


def hand_sizes(r: Rules, dealer: int) -> list[int]:
    """Cards each seat is dealt: one at a time, first card to the dealer's left. [C1]"""
    dealt = r.deck_size if r.hand_size is None else r.hand_size * r.players
    return [dealt // r.players + ((seat - dealer - 1) % r.players < dealt % r.players) for seat in range(r.players)]


def parse_deal(r: Rules, deal: object) -> Deal:
    """A deal as game records write it: `{"dealer": 3, "opener": 0, "hands": [[...], ...], "stock": [...]}`.

    `opener` may be left out; so may `stock` where the whole deck is dealt. Cards of a hand stand in any order, the
    stock top first.

    Raises:
        DealError: a missing or unknown key, a card not in the deck, or hands that the rules could not have dealt.
    """
    if not isinstance(deal, Mapping):
        raise DealError(f"deal: {type(deal).__name__} found; a mapping with dealer, hands and stock expected")
    for key in deal:
        if key not in _KEYS:
            raise DealError(f"deal: unknown key {key!r}; keys: {', '.join(_KEYS)}")
    dealer = _seat(r, "dealer", deal.get("dealer"))
    opener = _seat(r, "opener", deal["opener"]) if "opener" in deal else -1
    if r.first_player == "dealer_left" and opener not in (-1, (dealer + 1) % r.players):
        raise DealError(f"deal: opener {opener}; with first_player dealer_left it is {(dealer + 1) % r.players}")
    hands = _hands(r, deal.get("hands"), dealer)
    stock = _cards(r, "stock", deal.get("stock", []))
    deck = [hands[(dealer + 1 + i) % r.players][i // r.players] for i in range(sum(map(len, hands)))] + stock
    found = np.bincount(np.array(deck, np.int64), minlength=len(tables(r).kinds))
    for kind, count, expected in zip(tables(r).kinds, found, tables(r).deck, strict=True):
        if count != expected:
            raise DealError(f"deal: {count} cards {kind}; the deck has {expected}")
    return Deal(dealer, opener, np.array(deck, np.int8))


def _seat(r: Rules, name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value < r.players:
        found = "missing" if value is None and name == "dealer" else repr(value)  # an opener may be left out
        raise DealError(f"deal: {name} {found}; a seat from 0 to {r.players - 1}")
    return int(value)


def _hands(r: Rules, hands: Any, dealer: int) -> list[list[int]]:
    if not isinstance(hands, list | tuple) or len(hands) != r.players:
        found = f"{len(hands)} hands" if isinstance(hands, list | tuple) else repr(hands)
        raise DealError(f"deal: hands: {found}; {r.players} lists of cards expected")
    parsed = [_cards(r, f"hand of seat {seat}", hand) for seat, hand in enumerate(hands)]
    for seat, (hand, size) in enumerate(zip(parsed, hand_sizes(r, dealer), strict=True)):
        if len(hand) != size:
            raise DealError(
                f"deal: hand of seat {seat} has {len(hand)} cards; dealt from dealer {dealer} it has {size}"
            )
    return parsed


def _cards(r: Rules, name: str, cards: Any) -> list[int]:
    if not isinstance(cards, list | tuple):
        raise DealError(f"deal: {name}: {cards!r}; a list of cards expected")
    try:
        return [kind_of(tables(r), card) for card in cards]
    except BluffError as error:
        raise DealError(f"deal: {name}: {error}") from None
