"""What chance decides after the deal: race winners, blind draws, notices, a start card's new place, later deals.

Every such result is written into the game's log behind the action that brought it about, one byte each. Playing a
log again reads them back, and a reader of game records can write them there before the step (`forced`), so that the
same code plays, replays and follows records. The first result of a step that did not stand there is told (`asked`):
who lets somebody else decide about chance takes the step back, writes one result more, and steps again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_env.engine.compiling import jit
from bluff_env.engine.rng import below, draw
from bluff_env.engine.state import ASKED_NOTICE


@jit
def chance(game: Any, log: Any, bound: int, asked: int) -> Any:
    """A uniform number from 0 to bound - 1; bound is at most 256. Nothing is drawn where there is no choice. `asked`:
    what for, one of `state.ASKED_…`.
    """
    if bound <= 1:
        return 0
    if game.forced > 0:
        game.forced -= 1
    else:
        if game.asked == 0:
            game.asked = asked
            game.choices = bound
        log[game.logged] = below(game, bound)
    game.logged += 1
    return np.int64(log[game.logged - 1])


@jit
def happens(game: Any, log: Any, probability: float) -> Any:
    """True with this probability. Nothing is drawn where it is 0 or 1."""
    if probability <= 0.0 or probability >= 1.0:
        return probability >= 1.0
    if game.forced > 0:
        game.forced -= 1
    else:
        if game.asked == 0:
            game.asked = ASKED_NOTICE
            game.odds = probability
        share = np.float64(draw(game) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
        log[game.logged] = 1 if share < probability else 0
    game.logged += 1
    return log[game.logged - 1] == 1
