"""What one seat sees, and what a centralised critic may see. Written into an int8 row at the layout's places.

`write_observation` is given the state and a seat, and reads only what that seat has seen [V]: its own hand, picks and
laid cards, its own row of `c_known`, and what is public. Picks and a chosen claim are nobody else's before the play is
laid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_env.engine.bits import turned
from bluff_env.engine.compiling import inlined, jit
from bluff_env.engine.copying import (
    CHUNK,
    blank,
    copied_before,
    copy_chunk,
    lower_rotated_before,
    rotated_before,
    rotated_kinds,
    spread,
    zeroed,
)
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
from bluff_env.engine.words import left_of, relative_kind, right_of

_INT8_MAX = 127
_NOTHING = np.uint64(0)


@jit
def write_observation(rule: Any, game: Any, cards: Any, seat: int, out: Any) -> None:
    """(D,) int8: everything that `seat` has seen [V]. Last pieces falling, first ones rising: see `copying`."""
    at = rule.obs_at
    write_recent(rule, game, cards, seat, out, at[P_RECENT])
    write_rare(rule, game, cards, seat, out)
    rotated_before(3 * rule.seats, 3 * seat, cards, rule.c_called, out, at[P_CALLED])
    write_known(rule, game, cards, seat, seat, out, at[P_KNOWN])
    write_claimed_in_pile(rule, game, cards, seat, out, at[P_CLAIMED])
    write_own(rule, game, cards, seat, out)
    zeroed(out, at[P_SIZES], at[P_CLAIMED])
    write_decision(rule, game, seat == game.player, at, out)
    write_public(rule, game, seat, at, out)


@inlined
def write_own(rule: Any, game: Any, cards: Any, seat: int, out: Any) -> None:
    """Hand, picks and what the seat has laid, rising."""
    at, hand, laid = rule.obs_at, rule.c_hands + seat * rule.stride, rule.c_laid + seat * rule.stride
    if at[P_CLAIMED] - at[P_SIZES] >= CHUNK:
        rotated_kinds(rule, game.shift, cards, hand, out, at[P_HAND])
        if seat == game.player:
            rotated_kinds(rule, game.shift, cards, rule.c_picked, out, at[P_PICKED])
        else:
            blank(out, at[P_PICKED], at[P_MINE])
        rotated_kinds(rule, game.shift, cards, laid, out, at[P_MINE])
    else:  # a tiny deck: nothing may be spoiled
        for k in range(rule.kinds):
            place = relative_kind(rule, game, k)
            out[at[P_HAND] + place] = cards[hand + k]
            out[at[P_PICKED] + place] = cards[rule.c_picked + k] if seat == game.player else 0
            out[at[P_MINE] + place] = cards[laid + k]


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
        write_decision(rule, game, True, at, out)


@inlined
def write_claimed_in_pile(rule: Any, game: Any, cards: Any, seat: int, out: Any, to: int) -> None:
    """(n, C) from `seat` on, falling: cards each seat has claimed into the present pile."""
    subject = seat
    for row in range(rule.seats - 1, -1, -1):
        subject = right_of(rule, subject)
        at = rule.c_claimed + subject * rule.stride
        rotated_before(rule.claims, game.shift, cards, at, out, to + row * rule.claims)
    if game.many_claimed:
        for i in range(to, to + rule.seats * rule.claims):
            out[i] = min(out[i], rule.copies)


@inlined
def write_known(rule: Any, game: Any, cards: Any, observer: int, first: int, out: Any, to: int) -> None:
    """(n, K) from seat `first` on, falling: what the observer is certain of in each hand, less the unseen cards of a
    play on the table.
    """
    kinds = rule.kinds
    unseen = game.count if game.phase == ANSWER else 0
    subject = first
    for row in range(rule.seats - 1, -1, -1):
        subject = right_of(rule, subject)
        at, place = row_of(rule, subject, observer), to + row * kinds
        if kinds > rule.claims:
            jokers = cards[at + rule.claims]
            out[place + rule.claims] = max(jokers - unseen, 0) if subject == game.mover else jokers
        lower_rotated_before(rule.claims, game.shift, cards, at, out, place, unseen if subject == game.mover else 0)


@inlined
def write_decision(rule: Any, game: Any, to_move: bool, at: Any, out: Any) -> None:
    """What the seat to move decides, what it may claim, and the claim on the table or, to itself, the one it makes. No
    branches: nobody could guess what a game asks next.
    """
    phase = game.phase
    out[at[P_PHASE] + max(rule.phase_at[phase], 0)] = to_move and phase != OVER
    told = phase == ANSWER or phase == GIVE or (to_move and phase == PICK)
    out[at[P_CLAIM] + relative_kind(rule, game, max(game.claim, 0))] = told
    if at[P_CLAIMABLE] >= 0:
        bits = turned(rule.follow_bits[game.last], game.shift, rule.claims)
        spread(out, at[P_CLAIMABLE], rule.claims, bits if to_move and phase == CLAIM else _NOTHING)


@inlined
def write_public(rule: Any, game: Any, seat: int, at: Any, out: Any) -> None:
    """What all have seen, with the seats counted from `seat`, in every game [V]. What it leaves alone is zero."""
    n = rule.seats
    out[at[P_PILE]] = min(game.pile, _INT8_MAX)
    out[at[P_TURNS]] = game.share
    out[at[P_ORIGIN] + (rule.fronts - game.front if game.front > 0 else 0)] = 1
    played = game.phase == ANSWER or game.phase == GIVE
    out[at[P_COUNT]] = min(game.count, _INT8_MAX) if played else 0
    place = game.mover - seat
    out[at[P_CLAIMANT] + (place + n if place < 0 else place)] = played
    subject = seat
    for row in range(n):
        out[at[P_SIZES] + row] = min(game.sizes[subject] + game.laps[subject], _INT8_MAX)
        subject = left_of(rule, subject)
    if at[P_STOCK_SIZE] >= 0:
        out[at[P_STOCK_SIZE]] = min(game.stock, _INT8_MAX)


@inlined
def write_rare(rule: Any, game: Any, cards: Any, seat: int, out: Any) -> None:
    """The pieces between `turns` and `recent`, which only some rules have: notices are the seat's own, the rest is
    public [V].
    """
    at, n = rule.obs_at, rule.seats
    zeroed(out, at[P_TURNS], at[P_RECENT])
    write_scores_and_passes(rule, game, seat, at, out)
    if rule.dropp:
        subject = seat
        for row in range(n):
            out[at[P_NOTICES] + row] = cards[rule.c_notices + seat * n + subject]
            subject = left_of(rule, subject)


@inlined
def write_scores_and_passes(rule: Any, game: Any, seat: int, at: Any, out: Any) -> None:
    """Passes, scores and start card, where the rules have them. [C9] [M1] [B2]"""
    if rule.passing:
        out[at[P_PASSES]] = game.passes
    if rule.target > 0:
        subject = seat
        for row in range(rule.seats):
            out[at[P_SCORES] + row] = min(game.scores[subject], _INT8_MAX)
            subject = left_of(rule, subject)
    if at[P_START] >= 0 and (game.start_lies or game.phase == VOTE):
        out[at[P_START] + relative_kind(rule, game, game.start)] = 1


@inlined
def write_recent(rule: Any, game: Any, cards: Any, seat: int, out: Any, to: int) -> None:
    """The last H plays, latest first: seat, claim where it is chosen, count where it varies, called and a bluff, called
    and true. Copied from the ring of plays (see `state`), falling.
    """
    n, ranks, suits, size, front = rule.seats, rule.ranks_claimed, rule.suits_claimed, rule.recent_stride, game.front
    outcome = 3 if rule.counts_shown else 2
    to += rule.history * (n + ranks + suits + outcome)
    slot = game.head
    for _ in range(rule.history):
        slot = (slot if slot > 0 else rule.history) - 1
        entry = rule.c_recent + slot * size
        end = entry + size
        copy_chunk(out, to - CHUNK, cards, end - CHUNK)
        to -= outcome
        end -= 3
        if suits > 0:
            copied_before(cards, end - 2 * suits + front, out, to - suits, suits)
            to -= suits
            copied_before(cards, end - 2 * suits - ranks, out, to - ranks, ranks)
            to -= ranks
        elif ranks > 0:
            copied_before(cards, end - 2 * ranks + front, out, to - ranks, ranks)
            to -= ranks
        copy_chunk(out, to - CHUNK, cards, entry + seat + n - CHUNK)  # up to 16 seats
        to -= n


@jit
def write_state(rule: Any, game: Any, cards: Any, out: Any) -> None:
    """(S,) int8: the whole truth, seats absolute, for centralised critics; never an observation."""
    n, kinds, stride, at = rule.seats, rule.kinds, rule.stride, rule.state_at
    write_recent(rule, game, cards, 0, out, at[P_RECENT])
    zeroed(out, at[P_TURNS], at[P_RECENT])
    rotated_before(3 * n, 0, cards, rule.c_called, out, at[P_CALLED])
    for observer in range(n - 1, -1, -1):
        write_known(rule, game, cards, observer, 0, out, at[P_KNOWN] + observer * n * kinds)
    write_claimed_in_pile(rule, game, cards, 0, out, at[P_CLAIMED])
    zeroed(out, 0, at[P_HANDS])
    for k in range(kinds):
        place = relative_kind(rule, game, k)
        out[at[P_PICKED] + place] = cards[rule.c_picked + k]
        out[at[P_LAST] + place] = cards[rule.c_last + k]
        for seat in range(n):
            out[at[P_HANDS] + seat * kinds + place] = cards[rule.c_hands + seat * stride + k]
            out[at[P_LAID] + seat * kinds + place] = cards[rule.c_laid + seat * stride + k]
    zeroed(out, at[P_SIZES], at[P_CLAIMED])
    if game.player >= 0:
        out[at[P_PLAYER] + game.player] = 1
    write_decision(rule, game, True, at, out)
    write_hidden(rule, game, cards, at, out)
    write_public(rule, game, 0, at, out)
    write_scores_and_passes(rule, game, 0, at, out)


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
