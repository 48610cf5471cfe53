"""Cards as text: kinds and claims to the letters of game records and back.

Unsuited: the rank, one of `A 2 3 4 5 6 7 8 9 T J Q K`. Suited: rank then suit, `TH`. Joker: `X`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from bluff_env.errors import BluffError
from bluff_env.ruleset.rules import JOKER, SUIT_LETTERS
from bluff_env.ruleset.tables import Tables


def kind_of(t: Tables, card: object) -> int:
    """The kind a card's text names. Readers of unsuited games accept a suit and ignore it.

    Raises:
        BluffError: not a card of this deck.
    """
    if isinstance(card, str):
        text = card
        if not t.rules.suited and len(text) == 2 and text[1] in SUIT_LETTERS and text[0] != JOKER:
            text = text[0]
        if text in t.kinds:
            return t.kinds.index(text)
    raise BluffError(f"card {card!r} is not in this deck; cards: {' '.join(t.kinds)}")


def claim_of(t: Tables, claim: object) -> int:
    """The claim a text names.

    Raises:
        BluffError: not a claim of these rules.
    """
    if isinstance(claim, str) and claim in t.claims:
        return t.claims.index(claim)
    raise BluffError(f"claim {claim!r} is not one of these rules; claims: {' '.join(t.claims)}")


def counts_of(t: Tables, cards: Iterable[object]) -> NDArray[np.int64]:
    """(K,) int64: how many of each kind a list of cards' texts holds."""
    counts = np.zeros(len(t.kinds), np.int64)
    for card in cards:
        counts[kind_of(t, card)] += 1
    return counts


def texts_of(t: Tables, counts: Sequence[int] | NDArray[np.integer]) -> list[str]:
    """The cards that (K,) counts stand for, as texts in the order of the kinds."""
    return [kind for kind, count in zip(t.kinds, counts, strict=True) for _ in range(int(count))]
