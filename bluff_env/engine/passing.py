"""[C9] [B5] Passing, and what a whole round of passes causes."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.closing import close_turn
from bluff_env.engine.compiling import jit
from bluff_env.engine.copying import added
from bluff_env.engine.dropp import notices
from bluff_env.engine.events import note
from bluff_env.engine.penalty import empty_pile
from bluff_env.engine.state import EVENT_CLEARED, EVENT_PASS
from bluff_env.engine.words import left_of


@jit
def do_pass(rule: Any, game: Any, cards: Any, log: Any) -> None:
    """A pass is a turn that claims nothing. After n - 1 in a row the seat that laid last leads. [C9]"""
    game.passes += 1
    game.turns += 1
    game.share = game.turns * rule.turns_scale // rule.max_turns
    game.claim = -1
    if rule.dropp:
        notices(rule, game, cards, log, EVENT_PASS)
    else:
        note(game, EVENT_PASS, game.mover)
    following = left_of(rule, game.mover)
    if game.passes == rule.seats - 1 and not rule.must_play:
        game.passes = 0
        game.last = rule.claims
        if game.layer >= 0:  # else nobody has laid yet: the next seat leads and the pile stays
            following = game.layer
            if rule.clear_pile:
                set_aside(rule, game, cards)
    close_turn(rule, game, cards, log, -1, following)


@jit
def set_aside(rule: Any, game: Any, cards: Any) -> None:
    """The pile goes out of play, face down. [C9]"""
    for s in range(rule.seats):
        added(cards, rule.c_laid + s * rule.stride, rule.c_aside, rule.stride)
    if game.start_lies:
        cards[rule.c_aside + game.start] += 1
    note(game, EVENT_CLEARED, game.pile)
    empty_pile(rule, game, cards)
