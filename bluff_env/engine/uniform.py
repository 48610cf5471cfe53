"""Seats that play uniformly at random, played on inside one compiled call: what they see need not be written."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import entry
from bluff_env.engine.legal import find_legal, uniform_action
from bluff_env.engine.rows import show_to
from bluff_env.engine.state import OVER
from bluff_env.engine.step import reward_of, step
from bluff_env.engine.table import cards_of, game_of, log_of, rule_at, table_at


@entry
def play_uniform_rows(
    address: int, rows: Any, actions: Any, seats: Any, opponents: Any, uniform: Any, paid: Any, mover: Any
) -> Any:
    """Plays the given rows on: the row's action first (-1: none), then the uniform seats for as long as they are to
    move. Legality is the caller's concern, and that every log has room for a step.

    Args:
        address: of the batch's table.
        rows: (k,) int64, games under way.
        actions: (N,) int64, by row.
        seats: (N,) int64, the seat played from outside, which is not uniform.
        opponents: (N, P) int64, who sits where; -1 in the outside seat.
        uniform: (who,) bool.
        paid: (N,) float64, out: what the outside seat is paid, in the given rows.
        mover: (N,) int64, out: who is to move, in the given rows; -1: the outside seat, -2: the game is over.

    Observation and mask are then those of the seat to move; of a game that is over, those of the outside seat. A row
    whose log is full stops early, with a uniform seat to move: there is room again after `GameBatch` has made some.

    Returns:
        How far the log of any of these rows is filled.
    """
    table = table_at(address)
    rule = rule_at(table.rule)
    last = table.log_width - rule.log_margin
    most = 0
    for j in range(rows.shape[0]):
        i = rows[j]
        game, cards, log = game_of(table, i), cards_of(table, rule, i), log_of(table, i)
        action = actions[i]
        if action >= 0:
            step(rule, game, cards, log, action)
        who = -2 if game.phase == OVER else opponents[i, game.player]
        while who >= 0 and uniform[who] and game.logged - game.log_begin <= last:
            find_legal(rule, game, cards)
            step(rule, game, cards, log, uniform_action(game))
            who = -2 if game.phase == OVER else opponents[i, game.player]
        mover[i] = who
        paid[i] = reward_of(rule, game, seats[i])
        show_to(table, rule, game, cards, i, game.player if game.player >= 0 else seats[i])
        most = max(most, game.logged - game.log_begin)
    return most
