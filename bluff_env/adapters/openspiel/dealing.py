"""The deal as chance nodes: one card at a time, each hand in the order of kinds.

What a hand is dealt first tells nobody anything, so a hand's cards come in the order of kinds, each with the
probability that a shuffled deck gives it: every different deal is exactly one way through the chance nodes. The cards
of the stock, whose order counts, come top first. A card that nothing is left to decide about has no node. [C1] [B1]
"""

from __future__ import annotations

from itertools import pairwise
from math import comb

from bluff_env.deals import hand_sizes
from bluff_env.ruleset import Rules, tables

Dealt = tuple[int, ...]
Outcomes = list[tuple[int, float]]


def stock_matters(r: Rules) -> bool:
    """Does a card of the stock ever come into play?"""
    return r.penalty != "pile" or r.start_card != "none" or r.dropp is not None


def order_of_seats(r: Rules, dealer: int) -> list[int]:
    """The seats in the order in which they are dealt their hands."""
    return [(dealer + 1 + i) % r.players for i in range(r.players)]


def deal_on(r: Rules, dealer: int, dealt: Dealt) -> tuple[Dealt, Outcomes]:
    """What can be dealt next.

    Args:
        r: the rules.
        dealer: who deals.
        dealt: the kinds dealt so far: hand by hand from the dealer's left, then the stock.

    Returns:
        `dealt` with all cards added that were left no choice, and the kinds that may follow with their probabilities;
        none when all has been dealt.
    """
    sizes = hand_sizes(r, dealer)
    ends = [0]
    for seat in order_of_seats(r, dealer):
        ends.append(ends[-1] + sizes[seat])
    left = [int(count) for count in tables(r).deck]
    for kind in dealt:
        left[kind] -= 1
    while True:
        at = len(dealt)
        if at == r.deck_size:
            return dealt, []
        if at >= ends[-1]:
            if not stock_matters(r):
                rest = [kind for kind, count in enumerate(left) for _ in range(count)]
                return dealt + tuple(rest), []
            outcomes = [(kind, count / sum(left)) for kind, count in enumerate(left) if count]
        else:
            begin, end = next((low, high) for low, high in pairwise(ends) if low <= at < high)
            outcomes = _next_of_hand(left, dealt[begin:], end - at)
        if len(outcomes) > 1:
            return dealt, outcomes
        dealt += (outcomes[0][0],)
        left[outcomes[0][0]] -= 1


def _next_of_hand(left: list[int], hand: Dealt, wanted: int) -> Outcomes:
    """The next card of a hand that is dealt in the order of kinds.

    Args:
        left: cards of each kind that the hand has left.
        hand: what it has been dealt so far.
        wanted: how many cards are still to come.
    """
    last = hand[-1] if hand else -1
    taken = sum(kind == last for kind in hand)
    had = left[last] + taken if hand else 0  # when the first of this kind was dealt
    above = [sum(left[kind:]) for kind in range(len(left))] + [0]  # cards of a kind or a higher one

    def with_more(more: int) -> int:
        """Ways to deal the rest if at least `more` cards of the last kind are still among them."""
        return sum(comb(had, taken + i) * comb(above[last + 1], wanted - i) for i in range(more, wanted + 1))

    ways = []
    if hand and with_more(1):
        ways.append((last, with_more(1)))
    for kind in range(last + 1, len(left)):
        first = comb(above[kind], wanted) - comb(above[kind + 1], wanted)
        if first:
            ways.append((kind, (comb(had, taken) if hand else 1) * first))
    total = sum(count for _, count in ways)
    return [(kind, count / total) for kind, count in ways]


def deck_of(r: Rules, dealer: int, dealt: Dealt) -> list[int]:
    """The order of the deck that deals exactly this, one card to each seat in turn. [C1]"""
    sizes, hands, at = hand_sizes(r, dealer), {}, 0
    for seat in order_of_seats(r, dealer):
        hands[seat] = dealt[at : at + sizes[seat]]
        at += sizes[seat]
    order = order_of_seats(r, dealer)
    return [hands[order[i % r.players]][i // r.players] for i in range(at)] + list(dealt[at:])
