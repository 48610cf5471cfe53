"""Counting small games: RULES.md section 8; part of the referee (see referee.py)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee_rules import check_rules, deck, hand_sizes, in_order
from referee_table import Table, sets_of_cards


def count_histories(rules: dict[str, Any]) -> int:
    """The number of histories of one deal of a small game, unfinished ones counted.

    Counted is every node of the game tree of every distinct deal: the position after the deal, where no move
    is made yet, and one node for each move that may come next, down to the last: a play, a pass, a drop, an
    answer, a vote, cards given, and each outcome of chance (which cards, if drawn blind, by kind). What has
    only one outcome by rule (no card or all cards given, a single caller, a probability of 0 or 1, an empty
    stock to put a card back into) is no move. The deals are those of one dealer, the seat to the left opening.
    Cards are told apart by kind only, in deals and in plays; a stock by its order if any card can ever come
    from it. Histories that reach one position count separately.
    """
    full = check_rules(rules)
    dealer = full["players"] - 1
    total = 0
    for hands in distinct_deals(full, dealer):
        for stock in distinct_stocks(full, deck(full) - Counter(card for hand in hands for card in hand)):
            total += count_from(Table(full, {"dealer": dealer, "opener": 0, "hands": hands, "stock": stock}))
    return total


def count_from(table: Table) -> int:
    """This node and all below it."""
    total = 1
    for move in table.legal_moves():
        after = table.copy()
        after.push(move)
        total += count_from(after)
    return total


def distinct_deals(rules: dict[str, Any], dealer: int) -> Iterator[list[list[str]]]:
    """The hands of every deal, cards told apart by kind only."""

    def deal_on(left: Counter[str], sizes: list[int]) -> Iterator[list[list[str]]]:
        if not sizes:
            yield []
            return
        for hand in _hands_of(rules, left, sizes[0]):
            for others in deal_on(left - Counter(hand), sizes[1:]):
                yield [list(hand), *others]

    yield from deal_on(deck(rules), hand_sizes(rules, dealer))


def distinct_stocks(rules: dict[str, Any], cards: Counter[str]) -> Iterator[list[str]]:
    """The orders of a stock, cards told apart by kind only; one order if no card ever comes from it."""
    listed = list(cards.elements())
    if rules["penalty"] == "pile" and rules["start_card"] == "none" and rules["dropp"] is None:
        yield listed
    else:
        yield from sorted({tuple(order): list(order) for order in itertools.permutations(listed)}.values())


def _hands_of(rules: dict[str, Any], cards: Counter[str], size: int) -> Iterator[tuple[str, ...]]:
    sets = sets_of_cards(in_order(rules, cards.elements()), size)
    return (hand for hand in sets if len(hand) == size)
