"""[C3] to [C6], [B6] to [B8]: answering a play, the call, and what follows from it."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.chance import chance
from bluff_env.engine.closing import close_turn
from bluff_env.engine.compiling import inlined, jit
from bluff_env.engine.copying import above, added, blank, moved, subtracted
from bluff_env.engine.events import note, note_more
from bluff_env.engine.known import learn_from_call, learn_from_return, lose_sight
from bluff_env.engine.penalty import hand_over, penalise
from bluff_env.engine.state import (
    ASKED_RACE,
    CALLED_BLUFF,
    CALLED_TRUE,
    EVENT_CALL,
    GIVE,
    LEFT_OF_ACCUSED,
    LEFT_OF_WRONG,
    RIGHT_PARTY,
)
from bluff_env.engine.words import absolute, left_of, order


@jit
def answer(rule: Any, game: Any, cards: Any, log: Any, calls: bool) -> None:
    """Seats are asked in play order from the accused's left, each once. [C3]

    `nearest`: the first who calls is the caller, and nobody further is asked. `race`: all answer, nobody learns
    another's answer before all have, and one of those who called is drawn.
    """
    seat = game.player
    if calls:
        game.callers |= 1 << seat
    following = left_of(rule, seat)
    if calls and not rule.race:
        resolve(rule, game, cards, log, seat)
    elif not rule.callers_next and following != game.mover:
        game.player = following
        game.may_accuse = 1
    elif game.callers == 0:
        lose_sight(rule, cards, game.mover, game.count)  # an uncalled play is safe [C6]
        winner = game.mover if game.sizes[game.mover] == 0 else -1  # [C10]
        unfollowed = rule.follow_count[game.last] == 0  # its player leads [B4]
        close_turn(rule, game, cards, log, winner, game.mover if unfollowed else left_of(rule, game.mover))
    else:
        resolve(rule, game, cards, log, drawn_caller(rule, game, log))


@inlined
def drawn_caller(rule: Any, game: Any, log: Any) -> Any:
    """One of those who called, in seat order, drawn at random: "first to shout". [C3]"""
    count = 0
    for seat in range(rule.seats):
        count += (game.callers >> seat) & 1
    left = chance(game, log, count, ASKED_RACE)
    for seat in range(rule.seats):
        if (game.callers >> seat) & 1:
            if left == 0:
                return seat
            left -= 1
    return -1


@jit
def resolve(rule: Any, game: Any, cards: Any, log: Any, caller: int) -> None:
    """The call turns the last play; the penalty is paid in full before anything else is decided. [C4] [B6]"""
    accused = game.mover
    truthful = is_truthful(rule, game, cards)
    game.caller = caller
    game.truthful = truthful
    game.wrong = caller if truthful else accused
    game.right = accused if truthful else caller
    outcome = rule.c_recent + game.head * rule.recent_stride + rule.recent_outcome
    cards[outcome + (CALLED_TRUE if truthful else CALLED_BLUFF)] = 1
    count_up(rule, cards, accused, 1 if truthful else 0)
    if truthful:
        count_up(rule, cards, caller, 2)
    game.passes = 0  # [C9]
    learn_from_call(rule, game, cards, accused, caller, game.wrong)
    game.owed = penalise(rule, game, cards, log, game.wrong, game.right)
    if game.owed > 0:
        game.phase = GIVE  # nobody else acts meanwhile [B7]
        game.player = game.right
        game.position = 0
        game.picked = 0
    else:
        settle(rule, game, cards, log)


@jit
def give(rule: Any, game: Any, cards: Any, log: Any, relative: int) -> None:
    """The right party picks a card to give, in the order that starts at the claimed card. [B7]"""
    kind = relative if relative >= rule.claims else absolute(rule, game, relative)
    cards[rule.c_picked + kind] += 1
    game.picked += 1
    game.position = order(rule, game.claim, kind)
    if game.picked == game.owed:
        moved(cards, rule.c_picked, rule.c_given, rule.stride)
        blank(cards, rule.c_picked, rule.c_picked + rule.stride)
        game.picked = 0
        hand_over(rule, game, cards, game.right, game.wrong)
        settle(rule, game, cards, log)


@jit
def settle(rule: Any, game: Any, cards: Any, log: Any) -> None:
    """The penalty is paid: cards may go back [B8], somebody may be out [B7] [C10], somebody plays next [C5] [B6]."""
    accused = game.mover
    back = 0
    if not game.truthful and rule.penalty != 0 and game.drawn + game.given == 0 and game.sizes[accused] == 0:
        back = game.count
        learn_from_return(rule, cards, accused, game.caller)
        subtracted(cards, rule.c_last, rule.c_laid + accused * rule.stride, rule.stride)
        added(cards, rule.c_last, rule.c_hands + accused * rule.stride, rule.stride)
        moved(cards, rule.c_last, rule.c_back, rule.stride)
        game.sizes[accused] += back
        game.pile -= back
        cards[rule.c_claimed + accused * rule.stride + game.claim] -= back
    note(game, EVENT_CALL, game.caller, accused, game.truthful, game.wrong)
    note_more(game, game.taken, back, game.callers)
    if rule.round_ends_call:
        game.last = rule.claims  # the next play leads [C7]
    if rule.after_call == LEFT_OF_ACCUSED:
        following = left_of(rule, accused)  # [C5]
    elif rule.after_call == RIGHT_PARTY:
        following = game.right
    elif rule.after_call == LEFT_OF_WRONG:
        following = left_of(rule, game.wrong)
    else:
        following = game.wrong
    winner = game.right if game.sizes[game.right] == 0 else -1  # [B7] [C10]; a called bluff never wins [B8]
    close_turn(rule, game, cards, log, winner, following)


@inlined
def is_truthful(rule: Any, game: Any, cards: Any) -> Any:
    """Does every card of the last play match its claim? A joker matches any. [C4] [B9]"""
    played = above(cards, rule.c_last, rule.c_picked, rule.stride)  # nothing is picked while a play is answered
    return played & ~rule.match_bits[game.claim] == 0


@inlined
def count_up(rule: Any, cards: Any, seat: int, what: int) -> None:
    """The record that the piece `called` shows: 0 called bluffs, 1 called truths, 2 own wrong calls; saturating."""
    at = rule.c_called + 3 * seat + what
    cards[at] = min(cards[at] + 1, rule.called_cap)
