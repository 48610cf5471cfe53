"""The end of a turn and of a deal: going out [C10], the cut-off [E2], the next turn, the next deal of a match [M1]."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import jit
from bluff_env.engine.copying import blank
from bluff_env.engine.deal import next_deal
from bluff_env.engine.events import note
from bluff_env.engine.state import EVENT_END, EVENT_NEXT, OVER
from bluff_env.engine.turn import begin_turn


@jit
def close_turn(rule: Any, game: Any, cards: Any, log: Any, winner: int, following: int) -> None:
    """The turn is closed, its window answered and its pile cleared. `winner`: who has gone out, -1 for nobody.

    The last event of the step that names who moves next is told here. [C10] [E1] [E2]
    """
    blank(cards, rule.c_last, rule.c_last + rule.stride)
    told = game.n_events - 1
    if winner >= 0:
        game.winner = winner
        end_deal(rule, game, cards, log)
    elif game.turns >= rule.max_turns:
        game.cut_off = 1  # [E2]; in a match too: no winner, scores as they stand [M2]
        note(game, EVENT_END, -1, 1)
        finish(game)
    else:
        if told >= 0:
            game.events[told, EVENT_NEXT] = following
        begin_turn(rule, game, cards, following)


@jit
def end_deal(rule: Any, game: Any, cards: Any, log: Any) -> None:
    """The winner of a deal scores a point; the match goes on until one seat has enough. [E1] [M1]"""
    note(game, EVENT_END, game.winner, 0)
    game.scores[game.winner] += 1
    if rule.target > 0 and game.scores[game.winner] < rule.target:
        next_deal(rule, game, cards, log)
    else:
        finish(game)


@jit
def finish(game: Any) -> None:
    """The game is over: nobody is asked anything more. [E1]"""
    game.phase = OVER
    game.player = -1
    game.count = 0
