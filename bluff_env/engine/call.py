"""[C3] to [C6], [C10]: answering a play, the call, what the wrong party takes, who goes out, who plays next."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import jit
from bluff_env.engine.copying import added, zeroed
from bluff_env.engine.known import learn_from_call, lose_sight
from bluff_env.engine.state import (
    CALLED_BLUFF,
    CALLED_TRUE,
    EVENT_CALL,
    LEFT_OF_ACCUSED,
    OVER,
    RIGHT_PARTY,
)
from bluff_env.engine.turn import begin_turn, left_of


@jit
def decline(rule: Any, game: Any, cards: Any) -> None:
    """A seat does not call; the next is asked, in play order from the accused's left, each once. [C3]"""
    following = left_of(rule, game.player)
    if rule.callers_next or following == game.mover:
        lose_sight(rule, cards, game.mover, game.count)
        close_window(rule, game, cards, True, left_of(rule, game.mover))  # an uncalled play is safe [C6]
    else:
        game.player = following


@jit
def call(rule: Any, game: Any, cards: Any) -> None:
    """The first who calls is the caller and nobody further is asked: `nearest`. [C3] [C4]"""
    accused, caller = game.mover, game.player
    truthful = is_truthful(rule, game, cards)
    wrong = caller if truthful else accused
    right = accused if truthful else caller
    game.event = EVENT_CALL
    game.caller = caller
    game.truthful = truthful
    game.wrong = wrong
    cards[rule.c_recent + 4 * game.head + 3] = CALLED_TRUE if truthful else CALLED_BLUFF
    count_up(rule, cards, accused, 1 if truthful else 0)
    if truthful:
        count_up(rule, cards, caller, 2)
    learn_from_call(rule, cards, accused, wrong)
    take_pile(rule, game, cards, wrong)  # paid in full before anything else is decided [C4]
    if rule.round_ends_call:
        game.last = rule.claims  # the next play leads [C7]
    if rule.after_call == LEFT_OF_ACCUSED:
        following = left_of(rule, accused)  # [C5]
    elif rule.after_call == RIGHT_PARTY:
        following = right
    else:
        following = wrong
    close_window(rule, game, cards, truthful, following)


@jit
def is_truthful(rule: Any, game: Any, cards: Any) -> bool:
    """Does every card of the last play match its claim? A joker matches any. [C4] [B9]"""
    for k in range(rule.kinds):
        if cards[rule.c_last + k] > 0 and not rule.matches[game.claim, k]:
            return False
    return True


@jit
def count_up(rule: Any, cards: Any, seat: int, what: int) -> None:
    """The record that the piece `called` shows: 0 called bluffs, 1 called truths, 2 own wrong calls; saturating."""
    at = rule.c_called + 3 * seat + what
    cards[at] = min(cards[at] + 1, rule.called_cap)


@jit
def take_pile(rule: Any, game: Any, cards: Any, seat: int) -> None:
    """The wrong party takes the whole pile, the last play included. [C4]"""
    hand = rule.c_hands + seat * rule.kinds
    for s in range(rule.seats):
        added(cards, rule.c_laid + s * rule.kinds, hand, rule.kinds)
    zeroed(cards, rule.c_laid, rule.c_laid + rule.seats * rule.kinds)
    zeroed(cards, rule.c_claimed, rule.c_claimed + rule.seats * rule.claims)
    game.sizes[seat] += game.pile
    game.taken = game.pile
    game.pile = 0


@jit
def close_window(rule: Any, game: Any, cards: Any, stands: bool, following: int) -> None:
    """The call window closes: going out [C10], the cut-off [E2], or the next turn."""
    zeroed(cards, rule.c_last, rule.c_last + rule.kinds)
    if stands and game.sizes[game.mover] == 0:
        game.winner = game.mover  # [C10] [E1]
        finish(game)
    elif game.turns >= rule.max_turns:
        game.cut_off = 1  # [E2]
        finish(game)
    else:
        begin_turn(rule, game, following)


@jit
def finish(game: Any) -> None:
    """The deal is over: nobody is asked anything more. [E1]"""
    game.phase = OVER
    game.player = -1
    game.count = 0
