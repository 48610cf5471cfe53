"""What a rules object compiles into: card kinds, claims, and who may follow and match whom.

Two tables drive everything (RULES section 1): `follows[last, next]` with the row `lead`, and `matches[claim, card]`.

Kinds and claims are numbered suit by suit in the order of the ranks; unsuited games have one "suit". A joker, where
played, is the last kind. The claims come first among the kinds: kind c is the card that claim c names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bluff_env.ruleset.rules import JOKER, RANK_LETTERS, SUIT_LETTERS, Rules


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables of one rules object, read-only. K kinds, C claims.

    Attributes:
        rules: the rules they come from.
        kinds: names of the K kinds, as game records write them.
        claims: names of the C claims.
        deck: (K,) int8, cards of each kind in the deck.
        follows: (C + 1, C) bool, may `next` be claimed after `last`; the last row is for leading.
        matches: (C, K) bool, does the kind make the claim true; a joker matches any claim [B9].
        block: how many claims rotate as one step of the relative order: 1 (unsuited: by rank) or `ranks` (suited: by
            suit).
    """

    rules: Rules
    kinds: tuple[str, ...]
    claims: tuple[str, ...]
    deck: NDArray[np.int8]
    follows: NDArray[np.bool_]
    matches: NDArray[np.bool_]
    block: int

    @property
    def lead(self) -> NDArray[np.bool_]:
        """(C,) bool: what may be claimed when leading [C7]."""
        row: NDArray[np.bool_] = self.follows[len(self.claims)]
        return row

    @property
    def claim_choice(self) -> bool:
        """Is there a state in which the player to move has more than one claim to choose from?"""
        return bool((self.follows.sum(axis=1) > 1).any())


def rank_order(r: Rules) -> str:
    """The ranks in play, lowest first: `ace` decides where the ace stands."""
    order = RANK_LETTERS if r.ace == "low" else RANK_LETTERS[1:] + "A"
    return order[: r.ranks]


@lru_cache(maxsize=256)
def tables(r: Rules) -> Tables:
    """The tables of these rules (cached: rules are immutable)."""
    ranks = rank_order(r)
    if r.suited:
        claims = tuple(rank + suit for suit in SUIT_LETTERS[: r.suits] for rank in ranks)
        copies = r.decks
    else:
        claims = tuple(ranks)
        copies = r.suits * r.decks
    kinds = claims + ((JOKER,) if r.jokers else ())
    deck = np.array([copies] * len(claims) + [r.jokers] * (len(kinds) - len(claims)), np.int8)
    matches = np.zeros((len(claims), len(kinds)), np.bool_)
    np.fill_diagonal(matches, True)
    matches[:, len(claims) :] = True  # [B9]
    follows = _follows(r, len(claims))
    for array in (deck, follows, matches):
        array.setflags(write=False)
    return Tables(r, kinds, claims, deck, follows, matches, r.ranks if r.suited else 1)


def _follows(r: Rules, n_claims: int) -> NDArray[np.bool_]:
    """[C2] next, [C8] any, [B3] higher_in_suit; ranks wrap round except under that. The last row leads [C7]."""
    last, following = np.divmod(np.arange(n_claims * n_claims), n_claims)
    step = (following - last) % r.ranks
    back_or_on = (step == 1 % r.ranks) | (step == -1 % r.ranks)
    by_name = {
        "next": step == 1 % r.ranks,
        "any": np.ones_like(step, np.bool_),
        "same": step == 0,
        "adjacent": back_or_on,
        "same_or_adjacent": back_or_on | (step == 0),
        "higher_in_suit": (last // r.ranks == following // r.ranks) & (following > last),
    }
    lead = np.ones(n_claims, np.bool_)
    if r.lead == "first_rank":
        lead[1:] = False
    return np.vstack([by_name[r.follow].reshape(n_claims, n_claims), lead[None]])
