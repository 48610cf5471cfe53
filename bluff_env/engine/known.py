"""[V] What each seat is certain of in the other hands: the region `c_known` (subject, observer, kind).

It is a lower bound. It grows by cards turned up by a call and taken, and by own cards taken with the pile. When the
subject lays m cards unseen, each kind may have lost up to m, so the bound falls by m. While the play can still be
turned up that fall is only shown (see `observe`), not stored: a turned play tells exactly which cards are gone.
"""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import jit
from bluff_env.engine.copying import added, lowered, subtracted


@jit
def lose_sight(rule: Any, cards: Any, subject: int, count: int) -> None:
    """The subject's play of `count` cards was not called and stays unseen. [C6] [V]"""
    lowered(cards, rule.c_known + subject * rule.known_stride, rule.known_stride, count)


@jit
def learn_from_call(rule: Any, cards: Any, accused: int, wrong: int) -> None:
    """The accused's last play is turned up for all, then the wrong party takes the pile: runs just before. [V] [C4]"""
    n, kinds = rule.seats, rule.kinds
    for observer in range(n):
        subtracted(cards, rule.c_last, rule.c_known + accused * rule.known_stride + observer * kinds, kinds)
    for observer in range(n):
        if observer != wrong:
            at = rule.c_known + wrong * rule.known_stride + observer * kinds
            added(cards, rule.c_laid + observer * kinds, at, kinds)
            if observer != accused:  # the accused's own cards already hold its last play
                added(cards, rule.c_last, at, kinds)
