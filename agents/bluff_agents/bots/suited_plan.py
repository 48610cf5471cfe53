"""Suited games: what to claim and which card to lay for it. One card, so a true one, a joker, a lie, or the pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_agents.bots.look import size_of, which
from bluff_agents.bots.mind import MOST
from bluff_agents.bots.suited_doubt import out_of_sight, remember, unseen
from bluff_agents.bots.table import called_of_late, gift_of, rivals_of, taken_of, tempo_of
from bluff_env.engine.compiling import jit
from bluff_env.engine.state import P_CLAIM, P_CLAIMABLE, P_CLAIMED, P_HAND, P_KNOWN, RIGHT_PARTY, WRONG_PARTY

#: More than any share in the race, and than any that a pass is taken to be worth: who is plain tells the truth.
SURELY = 100.0


@jit
def worst(rule: Any, mind: Any, o: Any, but: int) -> Any:
    """The card least worth keeping, other than one; that one, if there is no other."""
    found = but
    for kind in range(rule.kinds):
        if o[rule.obs_at[P_HAND] + kind] > 0 and kind != but and (found == but or mind.keep[kind] < mind.keep[found]):
            found = kind
    return found


@jit
def height_of(rule: Any, kind: int) -> Any:
    """How high a card stands, from 0 (lowest) to 1 (highest, or a joker)."""
    return 1.0 if kind >= rule.claims else (kind % rule.ranks) / max(rule.ranks - 1, 1)


@jit
def heights(rule: Any, o: Any) -> Any:
    """The sum of the heights of the hand's cards."""
    found = 0.0
    for kind in range(rule.kinds):
        if o[rule.obs_at[P_HAND] + kind] > 0:
            found += o[rule.obs_at[P_HAND] + kind] * height_of(rule, kind)
    return found


@jit
def hand_weight(mind: Any, cards: int, high: float) -> Any:
    """What the own hand counts in the race, by its cards and the sum of their heights."""
    return mind.weight[cards] * np.exp(mind.high * (high / max(cards, 1) - 0.5))


@jit
def claimed_before(rule: Any, o: Any, claim: int, told: Any) -> Any:
    """Has anybody claimed this very card into the present pile, and was not caught lying? `told`: see `remember`."""
    found = told[claim]
    for seat in range(rule.seats):
        found += o[rule.obs_at[P_CLAIMED] + seat * rule.claims + claim]
    return found > 0


@jit
def nerves_of(rule: Any, mind: Any, o: Any, claim: int, size: int, late: float, told: Any) -> Any:
    """The chance that a claim is doubted by whoever does not hold the card; `told`: see `remember`."""
    nerves = mind.nerves
    if claim % rule.ranks == rule.ranks - 1:
        nerves *= 1 + mind.ace_nerves
    if size == 1:
        nerves = mind.last_nerves
    nerves = nerves * late / (1 - late + nerves * late)
    return max(nerves, mind.again) if claimed_before(rule, o, claim, told) else nerves


@jit
def proved(rule: Any, mind: Any, o: Any, claim: int, theirs: float, told: Any) -> Any:
    """The chance that somebody who may call holds the card claimed; `theirs`: the share of unseen cards they hold,
    `told`: see `remember`.
    """
    for seat in range(1, 2 if rule.callers_next else rule.seats):
        if o[rule.obs_at[P_KNOWN] + seat * rule.kinds + claim] != 0:
            return 1.0
    return unseen(rule, mind, o, claim, told) * theirs


@jit
def shares(rule: Any, mind: Any, o: Any, cards: int, high: float, rivals: float) -> Any:
    """The shares in the race that `cards` cards in hand have after the play has stood, after it was called and true,
    and after it was called and a lie; the first for a claim that may be followed.
    """
    n, took, given = rule.seats, taken_of(rule, o, cards), gift_of(rule, o, cards)
    tempo = tempo_of(rule, mind, o)
    mine = hand_weight(mind, cards, high)
    stands = 1.0 if cards == 0 else mine / (mine + rivals)
    right = 1.0
    if cards > given:
        lighter = mine * mind.weight[cards - given] / mind.weight[cards]
        lighter *= tempo if rule.after_call == RIGHT_PARTY else 1.0
        caller = mind.weight[min(size_of(rule, o, 1) + took, MOST - 1)]
        right = lighter / (lighter + rivals * (n - 2) / (n - 1) + caller)
    took = min(taken_of(rule, o, size_of(rule, o, 1)), MOST - 1 - cards)
    heavy = hand_weight(mind, cards + took, high + 0.5 * took) * (tempo if rule.after_call == WRONG_PARTY else 1.0)
    lead = 1 + (tempo - 1) / (n - 1) if rule.after_call == RIGHT_PARTY else 1.0  # one of the others: the caller
    return stands, right, heavy / (heavy + rivals * lead)


@jit
def best_claim(rule: Any, mind: Any, o: Any, low: int, high: int, any_open: bool, told: Any) -> Any:
    """The best of some claims, its value (the share in the race it gives), and the card to lay with it."""
    remember(rule, o, told)
    size, rivals = size_of(rule, o, 0), rivals_of(rule, mind, o)
    late = called_of_late(rule, mind, o)
    tall = heights(rule, o)
    theirs = 0
    for seat in range(1, 2 if rule.callers_next else rule.seats):
        theirs += size_of(rule, o, seat)
    held = min(theirs / out_of_sight(rule, mind, o, 0), 1.0)
    lie = worst(rule, mind, o, -1)
    second = worst(rule, mind, o, lie)
    low_stands, _, low_caught = shares(rule, mind, o, size - 1, tall - height_of(rule, lie), rivals)
    joker = spends_joker(rule, o, size)
    keeps_lead = tempo_of(rule, mind, o)
    press = mind.press / max(rule.ranks - 1, 1)
    chosen, top, card = low, -1.0, lie
    for claim in range(low, high):
        if not any_open and o[rule.obs_at[P_CLAIMABLE] + claim] == 0:
            continue
        nerves = nerves_of(rule, mind, o, claim, size, late, told)
        last = rule.follow_count[claim] == 0 and size > 1
        extra = press * (claim % rule.ranks)
        able = o[rule.obs_at[P_HAND] + claim] > 0
        if able or joker:
            kind = claim if able else rule.claims
            stands, right, _ = shares(rule, mind, o, size - 1, tall - height_of(rule, kind), rivals)
            if last:
                stands = stands * keeps_lead / (1 + stands * (keeps_lead - 1))
            value = stands + nerves * (right - stands) + extra
            if mind.plain > 0:
                value += SURELY if able else SURELY / 2
            if value > top:
                chosen, top, card = claim, value, kind
        # a lie, even with a claim it could make true: nobody can prove that one false
        false, stands, caught = lie, low_stands, low_caught
        if false == claim:
            if second == claim:
                continue
            false = second
            stands, _, caught = shares(rule, mind, o, size - 1, tall - height_of(rule, false), rivals)
        if false >= rule.claims:
            continue
        if last:
            stands = stands * keeps_lead / (1 + stands * (keeps_lead - 1))
        called = proved(rule, mind, o, claim, held, told)
        called += (1 - called) * nerves
        value = stands - called * (stands - caught) + extra
        if value > top:
            chosen, top, card = claim, value, false
    return chosen, top, card


@jit
def spends_joker(rule: Any, o: Any, size: int) -> Any:
    """A joker for want of a true card: the last one is kept for the last play, which it makes true."""
    if rule.kinds == rule.claims:
        return False
    jokers = 0 + o[rule.obs_at[P_HAND] + rule.claims]
    return jokers > 1 or (jokers == 1 and size == 1)


@jit
def suited_stay(rule: Any, mind: Any, o: Any) -> Any:
    """The share in the race after a pass."""
    mine = hand_weight(mind, size_of(rule, o, 0), heights(rule, o))
    return mine / (mine + rivals_of(rule, mind, o))


@jit
def suited_claim(rule: Any, mind: Any, o: Any, mask: Any, work: Any) -> Any:
    """What to claim, or the pass."""
    claim, top, _ = best_claim(rule, mind, o, 0, rule.claims, False, work[0])
    if rule.a_pass >= 0 and mask[rule.a_pass] and top < suited_stay(rule, mind, o) * mind.bold:
        return rule.a_pass
    return rule.a_claim + claim


@jit
def suited_pick(rule: Any, mind: Any, o: Any, mask: Any, work: Any) -> Any:
    """The card for the claim being made, or the pass where one claim alone may follow."""
    claim = which(o, rule.obs_at[P_CLAIM], rule.claims)
    _, top, card = best_claim(rule, mind, o, claim, claim + 1, True, work[0])
    if rule.a_pass >= 0 and mask[rule.a_pass] and top < suited_stay(rule, mind, o) * mind.bold:
        return rule.a_pass
    return rule.a_card + card
