"""[B2] The start card: kept, or voted on."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.chance import chance
from bluff_env.engine.compiling import jit
from bluff_env.engine.events import note
from bluff_env.engine.state import ASKED_BACK, EVENT_START, VOTE
from bluff_env.engine.turn import begin_turn, turn_to
from bluff_env.engine.words import left_of


@jit
def turn_start_card(rule: Any, game: Any, cards: Any) -> None:
    """The stock's top card is shown to all; if it is high the seats vote, from the dealer's left. [B2]"""
    game.start = cards[rule.c_stock + game.top]
    game.top += 1
    game.stock -= 1
    high = game.start < rule.claims and rule.high_rank >= 0 and game.start % rule.ranks >= rule.high_rank
    if rule.vote and high and game.redraws < rule.redraws:
        game.phase = VOTE
        game.player = left_of(rule, game.dealer)
        game.callers = 0  # who votes for another, until all have voted
    else:
        note(game, EVENT_START, game.start, 0, 0, -1)
        keep(rule, game, cards)


@jit
def vote(rule: Any, game: Any, cards: Any, log: Any, another: bool) -> None:
    """One vote, which nobody sees before all have voted; a strict majority puts the card back. [B2]"""
    if another:
        game.callers |= 1 << game.player
    game.player = left_of(rule, game.player)
    if game.player != left_of(rule, game.dealer):
        return
    yes = 0
    for seat in range(rule.seats):
        yes += (game.callers >> seat) & 1
    if 2 * yes <= rule.seats:
        note(game, EVENT_START, game.start, 1, game.callers, -1)
        keep(rule, game, cards)
        return
    back = chance(game, log, game.stock + 1, ASKED_BACK)
    note(game, EVENT_START, game.start, 1, game.callers, back)
    game.top -= 1
    game.stock += 1
    for i in range(back):
        cards[rule.c_stock + game.top + i] = cards[rule.c_stock + game.top + i + 1]
    cards[rule.c_stock + game.top + back] = game.start
    game.redraws += 1
    turn_start_card(rule, game, cards)


@jit
def keep(rule: Any, game: Any, cards: Any) -> None:
    """The start card becomes the pile's first card and must be followed, unless nothing can or it is a joker. [B2]"""
    game.callers = 0
    game.start_lies = 1
    game.pile = 1
    game.last = rule.claims
    if game.start < rule.claims and rule.follow_count[game.start] > 0:
        game.last = game.start
        turn_to(rule, game, game.start)  # as if claimed
    begin_turn(rule, game, cards, game.opener)
