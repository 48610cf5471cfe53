"""Suited games: how likely the play on the table is a lie, and where the cards of a suit may be.

While a claim is followed everything happens in one suit, the relative suit 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bluff_agents.bots.look import claimant_of, size_of, total, which
from bluff_agents.bots.table import tilt_of
from bluff_env.engine.compiling import jit
from bluff_env.engine.state import (
    P_CLAIM,
    P_CLAIMANT,
    P_CLAIMED,
    P_HAND,
    P_KNOWN,
    P_MINE,
    P_PILE,
    P_RECENT,
    P_START,
)

#: How many claims of a card in the pile one counts as that a call has shown to be true.
SHOWN: Final = 100


@jit
def remember(rule: Any, o: Any, told: Any) -> None:
    """Writes what calls have shown of the claims in the pile, as far as the last H plays go: for every card, `SHOWN` if
    it lies there, else less one for every claim of it that was a lie.

    A joker makes a claim true too, so where there are some a true claim stays what it was: a claim. A caught play that
    went back to the hand it came from [B8] is still counted as a lie, though its claim has gone: seldom, as it takes an
    empty stock.

    Args:
        rule, o: as everywhere.
        told: (C,) int64, written.
    """
    for card in range(rule.claims):
        told[card] = 0
    if rule.penalty == 0:  # who was wrong has taken all these cards
        return
    n, r = rule.seats, rule.ranks
    at = rule.obs_at[P_RECENT]
    for _ in range(rule.history):
        outcome = at + rule.recent_width - 2
        if o[outcome] != 0 or (o[outcome + 1] != 0 and rule.kinds == rule.claims):
            card = which(o, at + n, r) + r * which(o, at + n + r, rule.recent_width - 2 - n - r)
            told[card] += SHOWN if o[outcome + 1] != 0 else -1
        at += rule.recent_width


@jit
def unseen(rule: Any, mind: Any, o: Any, card: int, told: Any) -> Any:
    """The chance that a card is among the cards of hands and stock that are not in sight; `told`: see `remember`."""
    kinds, claims = rule.kinds, rule.claims
    if o[rule.obs_at[P_HAND] + card] != 0 or o[rule.obs_at[P_MINE] + card] != 0:
        return 0.0
    start = rule.obs_at[P_START]
    if start >= 0 and o[start + card] != 0:
        return 0.0
    claimed = 0
    for seat in range(1, rule.seats):
        if o[rule.obs_at[P_KNOWN] + seat * kinds + card] != 0:
            return 0.0
        claimed += o[rule.obs_at[P_CLAIMED] + seat * claims + card]
    # the play on the table is no evidence for itself
    if o[rule.obs_at[P_CLAIM] + card] != 0 and total(o, rule.obs_at[P_CLAIMANT], rule.seats) > 0:
        claimed -= 1
    if claimed > 0:
        claimed += told[card]
        if claimed > SHOWN // 2:
            return 0.0
    return (1 - mind.told) ** max(claimed, 0)


@jit
def out_of_sight(rule: Any, mind: Any, o: Any, on_table: int) -> Any:
    """How many cards of hands and stock are not in sight.

    Args:
        rule, mind, o: as everywhere.
        on_table: cards of the play on the table, which are among them.
    """
    kinds, mine = rule.kinds, total(o, rule.obs_at[P_MINE], rule.kinds)
    cards = rule.deck_size - size_of(rule, o, 0) - mine - total(o, rule.obs_at[P_KNOWN], rule.seats * kinds)
    if rule.obs_at[P_START] >= 0:
        cards -= total(o, rule.obs_at[P_START], kinds)
    others = o[rule.obs_at[P_PILE]] - on_table - mine
    return max(cards - mind.told * max(others, 0), 1.0)


@jit
def jokers_unseen(rule: Any, mind: Any, o: Any) -> Any:
    """How many jokers are not in sight."""
    if rule.kinds == rule.claims:
        return 0
    joker, found = rule.claims, mind.jokers
    found -= o[rule.obs_at[P_HAND] + joker] + o[rule.obs_at[P_MINE] + joker]
    for seat in range(1, rule.seats):
        found -= o[rule.obs_at[P_KNOWN] + seat * rule.kinds + joker]
    return max(found, 0)


@jit
def followed(rule: Any, o: Any) -> Any:
    """The rank that the play on the table had to follow, in its suit; -1 where it led."""
    n, r = rule.seats, rule.ranks
    before = rule.obs_at[P_RECENT] + rule.recent_width
    told = total(o, before, n) > 0
    claim = which(o, rule.obs_at[P_CLAIM], rule.claims)
    floor = -1
    if not told:
        start = rule.obs_at[P_START]
        if start >= 0 and total(o, start, r) > 0:
            floor = which(o, start, r)
    else:
        outcome = before + rule.recent_width - 2
        called = o[outcome] + o[outcome + 1] > 0
        # nobody follows his own play: he led again
        if not called and o[before + claimant_of(rule, o)] == 0 and o[before + n + r] > 0:
            floor = which(o, before + n, r)
    return floor if floor < claim else -1


@jit
def held_by(rule: Any, mind: Any, o: Any, who: int, card: int, share: float, told: Any) -> Any:
    """The chance that a seat holds a card, or held it before the play on the table."""
    if o[rule.obs_at[P_KNOWN] + who * rule.kinds + card] != 0:
        return 1.0
    return unseen(rule, mind, o, card, told) * share


@jit
def suited_doubt(rule: Any, mind: Any, o: Any, told: Any) -> Any:
    """The chance that the play on the table is a lie; 1 where own sight proves it.

    Bayes' rule over why a seat makes this claim: it holds the card, or it holds no card that could follow.

    Args:
        rule, mind, o: as everywhere.
        told: (C,) int64, scratch.
    """
    remember(rule, o, told)
    r = rule.ranks
    claim, who = which(o, rule.obs_at[P_CLAIM], rule.claims), claimant_of(rule, o)
    floor = followed(rule, o)
    held = size_of(rule, o, who) + 1.0
    share = min(held / out_of_sight(rule, mind, o, 1), 0.95)
    card = held_by(rule, mind, o, who, claim, share, told)
    joker = 1 - (1 - share) ** jokers_unseen(rule, mind, o)
    none = 1.0
    if floor < 0:
        claims = rule.claims
        true = card / held
        lie = mind.stray * np.exp(mind.lure * ((claim % r) / max(r - 1, 1) - 0.5))
    else:
        claims = r - 1 - floor
        lower, open_ = 1.0, 0.0  # the chance that it holds nothing lower; how many of the others it may hold
        for rank in range(floor + 1, r):
            if rank == claim:
                continue
            chance = held_by(rule, mind, o, who, rank, share, told)
            none *= 1 - chance
            open_ += chance
            if rank < claim:
                lower *= 1 - chance
        true = card * (mind.lowest * lower + (1 - mind.lowest) / (1 + open_))
        none *= 1 - card
        stuck = none * (mind.lie if rule.a_pass >= 0 else 1.0)
        true += none * joker * mind.joker / claims
        lie = stuck * (1 - joker * mind.joker) + (1 - none) * mind.stray
    lie /= claims
    lie *= min((size_of(rule, o, who) + 1) / mind.dealt, 1.0) ** mind.near
    lie *= tilt_of(rule, mind, o, who)
    return 1 / (1 + (true / (lie + 1e-12)) ** mind.shrink)
