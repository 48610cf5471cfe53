"""Seats that play uniformly at random, played on inside one compiled call: they need the mask, but no observation."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import entry, jit
from bluff_env.engine.observe import write_observation
from bluff_env.engine.rng import noise_of
from bluff_env.engine.state import OVER
from bluff_env.engine.step import step, write_mask, write_rewards


@jit
def uniform_action(mask: Any, noise: float) -> Any:
    """The legal action that stands at the share of the legal ones that the noise gives, as in `rows.random_rows`."""
    legal = 0
    for a in range(mask.shape[0]):
        legal += mask[a]
    left = int(noise * legal)
    for a in range(mask.shape[0]):
        left -= mask[a]
        if left < 0:
            return a
    return -1


@entry
def play_uniform_rows(
    rules: Any, games: Any, cards: Any, log: Any, observation: Any, mask: Any, rows: Any, actions: Any,
    seats: Any, opponents: Any, uniform: Any, rewards: Any, mover: Any, scratch: Any,
) -> Any:  # fmt: skip
    """Plays the given rows on: the row's action first (-1: none), then the uniform seats for as long as they are to
    move. Legality is the caller's concern, and that every log has room for a step.

    Args:
        rows: (k,) int64, games under way.
        actions: (N,) int64, by row.
        seats: (N,) int64, the seat played from outside, which is not uniform.
        opponents: (N, P) int64, who sits where; -1 in the outside seat.
        uniform: (who,) bool.
        rewards: (N,) float64, out: what the outside seat is paid, in the given rows.
        mover: (N,) int64, out: who is to move, in the given rows; -1: the outside seat, -2: the game is over.
        scratch: (P,) float64.

    Observation and mask are then those of the seat to move; of a game that is over, those of the outside seat. A row
    whose log is full stops early, with a uniform seat to move: there is room again after `GameBatch` has made some.

    Returns:
        The longest log of these rows.
    """
    rule = rules[0]
    most = 0
    for j in range(rows.shape[0]):
        i = rows[j]
        game, hands, legal = games[i], cards[i], mask[i]
        if actions[i] >= 0:
            step(rule, game, hands, log[i], actions[i])
        who = -2 if game.phase == OVER else opponents[i, game.player]
        while who >= 0 and uniform[who] and game.logged + rule.log_margin <= log.shape[1]:
            write_mask(rule, game, hands, legal)
            step(rule, game, hands, log[i], uniform_action(legal, noise_of(game.seed, game.steps)))
            who = -2 if game.phase == OVER else opponents[i, game.player]
        mover[i] = who
        write_rewards(rule, game, scratch)
        rewards[i] = scratch[seats[i]]
        write_observation(rule, game, hands, game.player if game.player >= 0 else seats[i], observation[i])
        write_mask(rule, game, hands, legal)
        most = max(most, game.logged)
    return most
