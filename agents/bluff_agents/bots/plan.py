"""Unsuited games: which cards to lay, and what a hand is worth that is left to go on with.

Hands here are counts in the order of picks: place 0 is the claimed rank, a joker (place C) comes last. They lie in rows
of the scratch array `work`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_agents.bots.doubt import chance_of
from bluff_agents.bots.look import size_of, total
from bluff_agents.bots.mind import COUNTS
from bluff_agents.bots.table import called_of_late, rivals_of
from bluff_env.engine.compiling import jit
from bluff_env.engine.state import P_CLAIMABLE, P_CLAIMED, P_HAND, P_MINE, P_PICKED, P_PILE, P_SIZES

# rows of the scratch array
HAND, LAY, LEFT, BEST = range(4)


@jit
def worth(rule: Any, mind: Any, hand: Any, shift: int) -> Any:
    """What a hand counts in the race to be out first, as a logarithm.

    Where the ranks to claim are known ahead, the seat looks for the best turn to go out on: the last play must be true
    (every last card is called), each turn before takes a true rank or a lie, and there must be cards for all of them.
    Elsewhere every rank is a turn.

    Args:
        rule, mind: the compiled rules, the player's mind.
        hand: (K,) counts; `hand[i]` may be claimed in the own turn in which rank `i + shift` may.
        shift: see hand.
    """
    claims = rule.claims
    size, ranks = 0, 0
    for kind in range(rule.kinds):
        size += hand[kind]
        ranks += hand[kind] > 0
    base = mind.base[size]
    if not mind.ordered:
        return base - mind.turn * ranks + (mind.home if ranks == 1 else 0.0)
    jokers = hand[claims] if rule.kinds > claims else 0
    best = base - mind.turn * (ranks + 2) - mind.stuck
    due, known = 0, 0  # cards and ranks that have come up before
    for turn in range(claims):
        place = mind.rank_at[turn]
        if place < 0:
            break
        place -= shift
        if place < 0:
            place += claims
        group = hand[place] + jokers
        if group > 0 and (mind.passes or size - group >= turn):
            lies = 0 if mind.passes else turn - known
            extra = max(size - group - due - lies, 0)  # cards that must go as further false ones
            value = base - mind.turn * (turn + 1) - mind.risk * lies - mind.over * extra
            if turn == 0 and group == size:
                value += mind.home
            best = max(best, value)
        if not mind.stays:  # else the true cards wait for the end
            due += hand[place]
            known += hand[place] > 0
    return best


@jit
def take_up(rule: Any, o: Any, claim: int, hand: Any) -> None:
    """Adds the pile to a hand: the own cards in it, and the others' as if they were what they were claimed to be.

    Args:
        rule, o: as everywhere.
        claim: the relative rank at place 0 of the hand.
        hand: (K,) counts, written.
    """
    claims = rule.claims
    for place in range(rule.kinds):
        kind = place if place >= claims else (claim + place) % claims
        hand[place] += o[rule.obs_at[P_MINE] + kind]
        if place < claims:
            for seat in range(1, rule.seats):
                hand[place] += o[rule.obs_at[P_CLAIMED] + seat * claims + kind]


@jit
def plan(rule: Any, mind: Any, o: Any, claim: int, work: Any) -> Any:
    """Fills `work[LAY]` with the cards to lay for a claim; returns the share in the race that this gives.

    It depends on nothing that changes while cards are picked.
    """
    kinds, claims = rule.kinds, rule.claims
    hand, lay, left, best = work[HAND], work[LAY], work[LEFT], work[BEST]
    size = 0
    at = rule.obs_at[P_HAND]
    for place in range(kinds):
        kind = place if place >= claims else (claim + place) % claims
        hand[place] = o[at + kind]
        size += hand[place]
    rivals = rivals_of(rule, mind, o)
    late = called_of_late(rule, mind, o)
    unseen = mind.copies - hand[0] - o[rule.obs_at[P_MINE] + claim]
    for place in range(kinds):
        left[place] = hand[place]
    take_up(rule, o, claim, left)
    heavy = np.exp(worth(rule, mind, left, 0))
    cap = rule.cap
    true = min(hand[0], cap)
    jokers = hand[claims] if kinds > claims else 0
    used = 0
    if jokers > 0:
        if hand[0] + jokers == size and size <= cap:
            used = jokers
        elif hand[0] == 0:
            used = 1
    found = -1.0
    for back in range(0, true + 1):  # true cards kept back: to lie with later, or to cover a lie now
        if back > 0 and back == true and mind.plain > 0:
            break
        for place in range(kinds):
            lay[place] = 0
            left[place] = hand[place]
        lay[0] = true - back
        left[0] -= lay[0]
        if used > 0:
            lay[claims] = used
            left[claims] -= used
        count = lay[0] + used
        rest = size - count
        if count > 0:
            mine = 1.0
            if rest > 0:
                mine = np.exp(worth(rule, mind, left, 0))
                heavier = mine / (mine + rivals * (rule.seats - 2) / (rule.seats - 1))  # the caller is as good as out
                mine = mine / (mine + rivals)
                mine += min(mind.bait * late, 1.0) * (heavier - mine)
            if mine > found:
                found = mine
                for place in range(kinds):
                    best[place] = lay[place]
            if mind.plain > 0:
                continue
        for number in range(1, int(mind.extra) + 1):  # false cards, one more at a time
            if count + 1 > cap or rest < 1:
                break
            card, top = next_lie(rule, mind, left, rest)
            if card < 0:
                break
            left[card] -= 1
            lay[card] += 1
            count += 1
            rest -= 1
            called = chance_of_call(rule, mind, o, unseen, count, rest == 0, late)
            stands, caught = 1.0, heavy
            if rest > 0:
                mine = np.exp(top)
                stands = mine / (mine + rivals)
                caught = min(heavy, mine)
            caught /= caught + rivals
            value = stands - called * (stands - caught)
            if value > found:
                found = value
                for place in range(kinds):
                    best[place] = lay[place]
            elif number > 1:
                break
            if mind.plain > 0:
                break
    for place in range(kinds):
        lay[place] = best[place]
    return found


@jit
def next_lie(rule: Any, mind: Any, left: Any, rest: int) -> Any:
    """The false card that leaves the best of a hand, and what is left is worth; -1 where there is none. A joker makes
    any claim true: it is no lie.
    """
    card, top = -1, -np.inf
    for place in range(1, rule.claims):
        if left[place] > 0:
            left[place] -= 1
            value = 0.0 if rest == 1 else worth(rule, mind, left, 0)
            left[place] += 1
            if value > top:
                top, card = value, place
    return card, top


@jit
def chance_of_call(rule: Any, mind: Any, o: Any, unseen: int, count: int, last: bool, late: float) -> Any:
    """The chance that a lie of `count` cards is called: by whoever can prove it; else the more often the unlikelier the
    claim looks to a seat that counts cards; and as often as any play was called of late.

    Args:
        rule, mind, o: as everywhere.
        unseen: cards of the claimed rank that the others may hold.
        count: cards laid.
        last: no card is left.
        late: the share of plays that are called.
    """
    unseen = max(unseen, 0)
    proof = mind.proof[unseen, min(count, COUNTS - 1)]
    looks = 1.0 if last else unlikely(rule, mind, o, unseen, count)
    called = 1.0 if last else min(mind.nerves * late * looks, 1.0)
    called = proof + (1 - proof) * called
    return called + (1 - called) * min(mind.late * late, 1.0)


@jit
def unlikely(rule: Any, mind: Any, o: Any, unseen: int, count: int) -> Any:
    """The chance, as another seat counts it, that the observer does not hold so many cards of the claimed rank."""
    others = rule.seats - 1
    size, mine = size_of(rule, o, 0), total(o, rule.obs_at[P_MINE], rule.kinds)
    theirs = total(o, rule.obs_at[P_SIZES] + 1, others) + o[rule.obs_at[P_PILE]] - mine
    cards = size + mine + theirs * (others - 1) // others
    marked = min(mind.copies - (unseen + others // 2) // others, cards)
    likely = 0.0
    for held in range(count, min(marked, size) + 1):
        likely += chance_of(held, cards, marked, size)
    return 1 - min(likely, 1.0)


@jit
def stay(rule: Any, mind: Any, o: Any, claim: int, work: Any) -> Any:
    """The share in the race after a pass."""
    hand = work[HAND]
    at = rule.obs_at[P_HAND]
    for place in range(rule.kinds):
        kind = place if place >= rule.claims else (claim + place) % rule.claims
        hand[place] = o[at + kind]
    mine = np.exp(worth(rule, mind, hand, 0))
    return mine / (mine + rivals_of(rule, mind, o))


@jit
def pick(rule: Any, mind: Any, o: Any, mask: Any, claim: int, work: Any) -> Any:
    """The next card of the plan, `lay` when all are picked, or the pass where that is better."""
    value = plan(rule, mind, o, claim, work)
    lay = work[LAY]
    if rule.a_pass >= 0 and mask[rule.a_pass] and lay[0] == 0:
        true = rule.kinds > rule.claims and lay[rule.claims] > 0
        if not true and stay(rule, mind, o, claim, work) >= value:
            return rule.a_pass
    at = rule.obs_at[P_PICKED]
    for place in range(rule.kinds):
        kind = place if place >= rule.claims else (claim + place) % rule.claims
        if lay[place] > o[at + kind]:
            return rule.a_card + kind
    return rule.a_lay


@jit
def claim(rule: Any, mind: Any, o: Any, mask: Any, work: Any) -> Any:
    """What to claim where there is a choice, or the pass.

    Where the ranks then run on, that for which the plan is best; else the rank held most, and of ranks held alike the
    one of which more cards lie in the pile, where nobody can miss them.
    """
    hand, mine, open_ = rule.obs_at[P_HAND], rule.obs_at[P_MINE], rule.obs_at[P_CLAIMABLE]
    chosen, top = -1, -1.0
    for c in range(rule.claims):
        if o[open_ + c] != 0:
            if mind.ordered:
                value = plan(rule, mind, o, c, work)
            else:
                value = 256.0 * o[hand + c] + o[mine + c]
            if value > top:
                chosen, top = c, value
    if rule.a_pass >= 0 and mask[rule.a_pass] and o[hand + chosen] == 0:
        value = plan(rule, mind, o, chosen, work)
        true = rule.kinds > rule.claims and work[LAY, rule.claims] > 0
        if not true and stay(rule, mind, o, chosen, work) >= value:
            return rule.a_pass
    return rule.a_claim + chosen
