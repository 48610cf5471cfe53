"""[V] What each seat is certain of in the other hands: the region `c_known` (subject, observer, kind).

It is a lower bound. It grows by cards turned up by a call and taken, by own cards taken with the pile, and by cards
given. When the subject lays m cards unseen, each kind may have lost up to m, so the bound falls by m. While the play
can still be turned up that fall is only shown (see `observe`), not stored: a turned play tells exactly which cards are
gone. Under dropp a turn may cost one more card that nobody sees, so the bound falls by one as the turn begins.
"""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import inlined
from bluff_env.engine.copying import added, lowered, subtracted


@inlined
def lose_sight(rule: Any, cards: Any, subject: int, count: int) -> None:
    """The subject's play of `count` cards was not called and stays unseen. [C6] [V]"""
    lowered(cards, row_of(rule, subject, 0), rule.seats * rule.stride, count)


@inlined
def row_of(rule: Any, subject: int, observer: int) -> Any:
    """Where the observer's row about a subject begins."""
    return rule.c_known + (subject * rule.seats + observer) * rule.stride


@inlined
def sees_turned(rule: Any, observer: int, accused: int, caller: int) -> Any:
    """Cards turned by a call: all see them, or under reveal=caller only caller and accused. [V] [B6]"""
    return rule.reveal_all or observer == accused or observer == caller


@inlined
def learn_from_call(rule: Any, game: Any, cards: Any, accused: int, caller: int, wrong: int) -> None:
    """The accused's last play is turned up; a taken pile goes to the wrong party. Runs just before. [V] [C4] [B6]"""
    n, size = rule.seats, rule.stride
    for observer in range(n):
        at = row_of(rule, accused, observer)
        if sees_turned(rule, observer, accused, caller):
            subtracted(cards, rule.c_last, at, size)
        else:
            lowered(cards, at, size, game.count)
    if rule.penalty != 0:
        return
    for observer in range(n):
        if observer != wrong:
            at = row_of(rule, wrong, observer)
            added(cards, rule.c_laid + observer * size, at, size)
            # the accused's own cards already hold its last play
            if observer != accused and sees_turned(rule, observer, accused, caller):
                added(cards, rule.c_last, at, size)
            if game.start_lies:
                cards[at + game.start] += 1  # shown to all when it was turned [B2]


@inlined
def learn_from_gift(rule: Any, cards: Any, giver: int, taker: int, count: int) -> None:
    """Cards given: giver and taker know them, the others that so many are gone. Runs just before. [B7] [V]"""
    for observer in range(rule.seats):
        if observer == taker:
            subtracted(cards, rule.c_given, row_of(rule, giver, observer), rule.stride)
        elif observer != giver:
            lowered(cards, row_of(rule, giver, observer), rule.stride, count)
    added(cards, rule.c_given, row_of(rule, taker, giver), rule.stride)


@inlined
def learn_from_return(rule: Any, cards: Any, accused: int, caller: int) -> None:
    """The turned cards go back to the accused's hand. [B8] [V]"""
    for observer in range(rule.seats):
        if observer != accused and sees_turned(rule, observer, accused, caller):
            added(cards, rule.c_last, row_of(rule, accused, observer), rule.stride)
