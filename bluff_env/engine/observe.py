"""What one seat sees, and what a centralised critic may see. Written into an int8 row at the layout's places.

`write_observation` is given the state and a seat, and reads only what that seat has seen [V]: its own hand, picks and
laid cards, its own row of `c_known`, and what is public. Picks and a chosen claim are nobody else's before the play is
laid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_env.engine.bits import turned
from bluff_env.engine.compiling import jit
from bluff_env.engine.copying import blank, copied, lowered, rotated, rotated_kinds, spread_exactly, zeroed
from bluff_env.engine.known import row_of
from bluff_env.engine.state import (
    ANSWER,
    CLAIM,
    GIVE,
    OVER,
    P_ANSWERS,
    P_ASIDE,
    P_CALLED,
    P_CLAIM,
    P_CLAIMABLE,
    P_CLAIMANT,
    P_CLAIMED,
    P_COUNT,
    P_HAND,
    P_HANDS,
    P_KNOWN,
    P_LAID,
    P_LAPS,
    P_LAST,
    P_MAY_ACCUSE,
    P_MINE,
    P_NOTICES,
    P_OPENER,
    P_ORIGIN,
    P_OWED,
    P_PASSES,
    P_PHASE,
    P_PICKED,
    P_PILE,
    P_PLAYER,
    P_RECENT,
    P_REDRAWS,
    P_SCORES,
    P_SIZES,
    P_START,
    P_STOCK,
    P_STOCK_SIZE,
    P_TURNS,
    PICK,
    VOTE,
)
from bluff_env.engine.words import left_of, relative_kind

_INT8_MAX = 127


@jit
def write_observation(rule: Any, game: Any, cards: Any, seat: int, out: Any) -> None:
    """(D,) int8: everything that `seat` has seen [V]. Pieces in rising order: see `copying`."""
    n, kinds, shift, stride, at = rule.seats, rule.kinds, game.shift, rule.stride, rule.obs_at
    to_move = seat == game.player
    rotated_kinds(rule, shift, cards, rule.c_hands + seat * stride, out, at[P_HAND])
    if to_move:
        rotated_kinds(rule, shift, cards, rule.c_picked, out, at[P_PICKED])
    else:
        blank(out, at[P_PICKED], at[P_MINE])
    rotated_kinds(rule, shift, cards, rule.c_laid + seat * stride, out, at[P_MINE])
    blank(out, at[P_SIZES], at[P_CLAIMED])
    write_claimed_in_pile(rule, game, cards, seat, out, at[P_CLAIMED])
    subject = seat
    for row in range(n):
        write_known(rule, game, cards, seat, subject, out, at[P_KNOWN] + row * kinds)
        subject = left_of(rule, subject)
    rotated(3 * n, 3 * seat, cards, rule.c_called, out, at[P_CALLED])
    if at[P_RECENT] - at[P_TURNS] > 1:
        zeroed(out, at[P_TURNS], at[P_RECENT])
    write_recent(rule, game, cards, seat, out, at[P_RECENT], rule.observation)
    if to_move:
        write_decision(rule, game, at, out)
    if rule.dropp:
        subject = seat
        for row in range(n):
            out[at[P_NOTICES] + row] = cards[rule.c_notices + seat * n + subject]
            subject = left_of(rule, subject)
    write_public(rule, game, cards, seat, at, out)


@jit
def write_choice(rule: Any, game: Any, relative: int, out: Any) -> None:
    """Brings the observation of the seat to move up to date where it has chosen a claim, or picked a card (`relative`,
    else -1), and decides on: nobody else saw that, and it changes nothing but what it is about to do.
    """
    at = rule.obs_at
    if relative >= 0:
        out[at[P_PICKED] + relative] += 1
    else:
        zeroed(out, at[P_PHASE], at[P_CLAIM] + rule.claims)
        write_decision(rule, game, at, out)


@jit
def write_claimed_in_pile(rule: Any, game: Any, cards: Any, seat: int, out: Any, to: int) -> None:
    """(n, C) from `seat` on: cards each seat has claimed into the present pile."""
    subject = seat
    for row in range(rule.seats):
        rotated(rule.claims, game.shift, cards, rule.c_claimed + subject * rule.stride, out, to + row * rule.claims)
        subject = left_of(rule, subject)
    if game.many_claimed:
        for i in range(to, to + rule.seats * rule.claims):
            out[i] = min(out[i], rule.copies)


@jit
def write_known(rule: Any, game: Any, cards: Any, observer: int, subject: int, out: Any, to: int) -> None:
    """(K,): what the observer is certain of in the subject's hand, less the unseen cards of a play on the table."""
    rotated_kinds(rule, game.shift, cards, row_of(rule, subject, observer), out, to)
    if game.phase == ANSWER and subject == game.mover:
        lowered(out, to, rule.kinds, game.count)


@jit
def write_decision(rule: Any, game: Any, at: Any, out: Any) -> None:
    """What the seat to move decides, what it may claim, and the claim it makes."""
    if game.phase != OVER:
        out[at[P_PHASE] + rule.phase_at[game.phase]] = 1
    if game.phase == PICK:
        out[at[P_CLAIM] + relative_kind(rule, game, game.claim)] = 1
    elif game.phase == CLAIM and at[P_CLAIMABLE] >= 0:
        bits = turned(rule.follow_bits[game.last], game.shift, rule.claims)
        spread_exactly(out, at[P_CLAIMABLE], rule.claims, bits)


@jit
def write_public(rule: Any, game: Any, cards: Any, seat: int, at: Any, out: Any) -> None:
    """What all have seen beside the plays, with the seats counted from `seat` [V]. Adds to what is zero so far."""
    n = rule.seats
    out[at[P_PILE]] = min(game.pile, _INT8_MAX)
    out[at[P_TURNS]] = game.share
    out[at[P_ORIGIN] + (rule.fronts - game.front if game.front > 0 else 0)] = 1
    if game.phase == ANSWER or game.phase == GIVE:
        out[at[P_CLAIM] + relative_kind(rule, game, game.claim)] = 1
        out[at[P_COUNT]] = min(game.count, _INT8_MAX)
        place = game.mover - seat
        out[at[P_CLAIMANT] + (place + n if place < 0 else place)] = 1
    subject = seat
    for row in range(n):
        out[at[P_SIZES] + row] = min(game.sizes[subject] + game.laps[subject], _INT8_MAX)
        subject = left_of(rule, subject)
    if at[P_STOCK_SIZE] >= 0:
        out[at[P_STOCK_SIZE]] = min(game.stock, _INT8_MAX)
    if rule.passing:
        out[at[P_PASSES]] = game.passes
    if rule.target > 0:
        for row in range(n):
            subject = seat + row if seat + row < n else seat + row - n
            out[at[P_SCORES] + row] = min(game.scores[subject], _INT8_MAX)
    if at[P_START] >= 0 and (game.start_lies or game.phase == VOTE):
        out[at[P_START] + relative_kind(rule, game, game.start)] = 1


@jit
def write_recent(rule: Any, game: Any, cards: Any, seat: int, out: Any, to: int, end: int) -> None:
    """The last H plays, latest first: seat, claim where it is chosen, count where it varies, called and a bluff, called
    and true. Copied from the ring of plays (see `state`); nothing is written at or behind `end`.
    """
    n, ranks, suits = rule.seats, rule.ranks_claimed, rule.suits_claimed
    uncounted = 0 if rule.counts_shown else 1
    slot = game.head
    for _ in range(rule.history):
        at = rule.c_recent + slot * rule.recent_stride
        copied(cards, at + seat, out, to, n, end)
        at += 2 * n
        to += n
        if suits:
            copied(cards, at, out, to, ranks, end)
            at += ranks
            to += ranks
            copied(cards, at + game.front, out, to, suits, end)
            at += 2 * suits
            to += suits
        elif ranks:
            copied(cards, at + game.front, out, to, ranks, end)
            at += 2 * ranks
            to += ranks
        copied(cards, at + uncounted, out, to, 3 - uncounted, end)
        to += 3 - uncounted
        slot = slot + 1 if slot + 1 < rule.history else 0


@jit
def write_state(rule: Any, game: Any, cards: Any, out: Any) -> None:
    """(S,) int8: the whole truth, seats absolute, for centralised critics; never an observation."""
    n, kinds, shift, stride, at = rule.seats, rule.kinds, game.shift, rule.stride, rule.state_at
    blank(out, 0, at[P_HANDS])
    for seat in range(n):
        rotated_kinds(rule, shift, cards, rule.c_hands + seat * stride, out, at[P_HANDS] + seat * kinds)
    rotated_kinds(rule, shift, cards, rule.c_picked, out, at[P_PICKED])
    rotated_kinds(rule, shift, cards, rule.c_last, out, at[P_LAST])
    for seat in range(n):
        rotated_kinds(rule, shift, cards, rule.c_laid + seat * stride, out, at[P_LAID] + seat * kinds)
    blank(out, at[P_SIZES], at[P_CLAIMED])
    write_claimed_in_pile(rule, game, cards, 0, out, at[P_CLAIMED])
    for observer in range(n):
        for subject in range(n):
            to = at[P_KNOWN] + (observer * n + subject) * kinds
            write_known(rule, game, cards, observer, subject, out, to)
    rotated(3 * n, 0, cards, rule.c_called, out, at[P_CALLED])
    zeroed(out, at[P_TURNS], rule.state)
    write_recent(rule, game, cards, 0, out, at[P_RECENT], rule.state)
    if game.player >= 0:
        out[at[P_PLAYER] + game.player] = 1
    write_decision(rule, game, at, out)
    write_hidden(rule, game, cards, at, out)
    write_public(rule, game, cards, 0, at, out)


@jit
def write_hidden(rule: Any, game: Any, cards: Any, at: Any, out: Any) -> None:
    """What no seat or one alone has seen, beside hands and plays: untold answers, laps, cleared piles, stock."""
    n, kinds = rule.seats, rule.kinds
    if at[P_ANSWERS] >= 0:
        for seat in range(n):
            out[at[P_ANSWERS] + seat] = (game.callers >> seat) & 1
    if at[P_OPENER] >= 0:
        out[at[P_OPENER] + game.opener] = 1
        out[at[P_REDRAWS]] = min(game.redraws, _INT8_MAX)
    if at[P_OWED] >= 0 and game.phase == GIVE:
        out[at[P_OWED]] = min(game.owed - game.picked, _INT8_MAX)
    if rule.dropp:
        out[at[P_MAY_ACCUSE]] = 1 if game.phase == ANSWER and game.may_accuse else 0
        for i in range(n * kinds):
            seat = i // kinds
            kind = i - seat * kinds
            place = at[P_LAPS] + seat * kinds + relative_kind(rule, game, kind)
            out[place] = cards[rule.c_laps + seat * rule.stride + kind]
        for i in range(n * n):
            out[at[P_NOTICES] + i] = cards[rule.c_notices + i]
    if at[P_ASIDE] >= 0:
        for k in range(kinds):
            out[at[P_ASIDE] + relative_kind(rule, game, k)] = cards[rule.c_aside + k]
    if at[P_STOCK] >= 0:
        for i in range(game.top, game.top + game.stock):
            out[at[P_STOCK] + relative_kind(rule, game, cards[rule.c_stock + i])] += 1
