"""[D1] to [D4] Dropp: secret discards, notices and false alarms, accusations."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.chance import happens
from bluff_env.engine.compiling import jit
from bluff_env.engine.events import note
from bluff_env.engine.penalty import draw_stock
from bluff_env.engine.state import EVENT_ACCUSE, EVENT_ALARM, EVENT_DROP
from bluff_env.engine.words import left_of

_MOST_NOTICE = 127


@jit
def drop(rule: Any, game: Any, cards: Any, kind: int) -> None:
    """One card out of the hand into the lap: no other seat sees it, the hand's shown size stays. [D1] [D2]"""
    seat = game.player
    cards[rule.c_hands + seat * rule.stride + kind] -= 1
    cards[rule.c_laps + seat * rule.stride + kind] += 1
    game.sizes[seat] -= 1
    game.laps[seat] += 1
    game.dropped = kind


@jit
def notices(rule: Any, game: Any, cards: Any, log: Any, event: int) -> None:
    """As soon as the play or pass is made: notices of a drop, or false alarms; old ones grow older. [D2]"""
    mover, n = game.mover, rule.seats
    for at in range(rule.c_notices, rule.c_notices + n * n):
        cards[at] = max(cards[at] - 1, 0)
    probability = rule.notice if game.dropped >= 0 else rule.false_notice
    noticed = 0
    seat = left_of(rule, mover)
    while seat != mover:
        if happens(game, log, probability):
            cards[rule.c_notices + seat * n + mover] = rule.notice_cap
            noticed |= 1 << seat
        seat = left_of(rule, seat)
    if game.dropped >= 0:
        note(game, EVENT_DROP, mover, game.dropped, noticed)
        note(game, event, mover, game.claim)
    else:
        note(game, event, mover, game.claim)
        if noticed:
            note(game, EVENT_ALARM, mover, 0, noticed)


@jit
def accuse(rule: Any, game: Any, cards: Any, target: int) -> None:
    """The stock pays the penalty as far as it goes; then the accuser is asked about the play. [D3]"""
    guilty = game.laps[target] > 0
    loser = target if guilty else game.player
    drawn = draw_stock(rule, game, cards, loser, rule.dropp)
    if guilty:
        game.laps[target] = 0  # the shown size of the hand is the true one again [D4]
    game.may_accuse = 0
    note(game, EVENT_ACCUSE, game.player, target, 1 if guilty else 0, drawn)
