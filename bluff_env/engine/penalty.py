"""[C4] [B6] [B7] What the wrong party takes: the pile, cards of the stock, cards of the right party's hand."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.chance import chance
from bluff_env.engine.compiling import inlined, jit
from bluff_env.engine.copying import added, blank, moved, subtracted
from bluff_env.engine.known import learn_from_gift
from bluff_env.engine.state import ASKED_BLIND

WHOLE_STOCK_INSTEAD = 3  # [B7]: what an empty stock stands for under whole_stock


@inlined
def take_pile(rule: Any, game: Any, cards: Any, seat: int) -> None:
    """The wrong party takes the whole pile, the last play included. [C4]"""
    hand = rule.c_hands + seat * rule.stride
    for s in range(rule.seats):
        added(cards, rule.c_laid + s * rule.stride, hand, rule.stride)
    if game.start_lies:
        cards[hand + game.start] += 1
    game.sizes[seat] += game.pile
    game.taken = game.pile
    empty_pile(rule, game, cards)


@inlined
def empty_pile(rule: Any, game: Any, cards: Any) -> None:
    """The pile has been taken or set aside."""
    blank(cards, rule.c_laid, rule.c_laid + rule.seats * rule.stride)
    blank(cards, rule.c_claimed, rule.c_claimed + rule.seats * rule.stride)
    game.pile = 0
    game.start_lies = 0
    game.many_claimed = 0


@inlined
def draw_stock(rule: Any, game: Any, cards: Any, seat: int, owed: int) -> Any:
    """A seat takes cards from the top of the stock, as far as it goes; they are noted in `c_drawn`. How many. [B6]"""
    blank(cards, rule.c_drawn, rule.c_drawn + rule.stride)
    count = min(owed, game.stock)
    for _ in range(count):
        kind = cards[rule.c_stock + game.top]
        cards[rule.c_hands + seat * rule.stride + kind] += 1
        cards[rule.c_drawn + kind] += 1
        game.top += 1
    game.stock -= count
    game.sizes[seat] += count
    return count


@jit
def penalise(rule: Any, game: Any, cards: Any, log: Any, wrong: int, right: int) -> Any:
    """The penalty, up to cards that the giver picks. Returns how many those are. [C4] [B6] [B7]"""
    game.taken = 0
    game.drawn = 0
    game.given = 0
    if rule.penalty == 0:
        take_pile(rule, game, cards, wrong)
        return 0
    whole = rule.penalty < 0
    owed = rule.penalty
    if whole:
        owed = game.stock if game.stock > 0 else WHOLE_STOCK_INSTEAD
    game.drawn = draw_stock(rule, game, cards, wrong, owed)
    blank(cards, rule.c_given, rule.c_given + rule.stride)
    short = min(owed - game.drawn, game.sizes[right])
    if short <= 0 or not rule.from_opponent:
        return 0
    if rule.choose and short < game.sizes[right]:
        return short
    hand = rule.c_hands + right * rule.stride
    if short == game.sizes[right]:
        moved(cards, hand, rule.c_given, rule.stride)  # the whole hand: nothing to draw or pick
    else:
        draw_blind(rule, game, cards, log, hand, short)
    hand_over(rule, game, cards, right, wrong)
    return 0


@jit
def draw_blind(rule: Any, game: Any, cards: Any, log: Any, hand: int, count: int) -> None:
    """Draws cards of a hand, each as likely, into `c_given`: the place among those left, in order of kinds. [B7]"""
    left = 0
    for k in range(rule.kinds):
        left += cards[hand + k]
    for _ in range(count):
        place = chance(game, log, left, ASKED_BLIND)
        for k in range(rule.kinds):
            place -= cards[hand + k] - cards[rule.c_given + k]
            if place < 0:
                cards[rule.c_given + k] += 1
                break
        left -= 1


@jit
def hand_over(rule: Any, game: Any, cards: Any, giver: int, taker: int) -> None:
    """The cards of `c_given` change hands; giver and taker know them. [B7] [V]"""
    count = 0
    for k in range(rule.kinds):
        count += cards[rule.c_given + k]
    learn_from_gift(rule, cards, giver, taker, count)
    subtracted(cards, rule.c_given, rule.c_hands + giver * rule.stride, rule.stride)
    added(cards, rule.c_given, rule.c_hands + taker * rule.stride, rule.stride)
    game.sizes[giver] -= count
    game.sizes[taker] += count
    game.given = count
