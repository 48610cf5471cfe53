"""Which cards to give where the right party pays from its hand [B7]."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.sight import Sight


def gift(see: Sight, cards: NDArray[np.bool_], keep: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.intp]:
    """(B,) the kind to pick next, so that in the end those least worth keeping have been given.

    Picks go one way, and a kind is open only while enough cards stand from it on: how many are still owed is read off
    the last open kind.

    Args:
        see: the observations.
        cards: (K, B) which kinds are open.
        keep: (K, B) how much each kind is worth keeping, all different in a column.
        order: (K, B) the kinds in the order of picks.
    """
    rows = see.rows
    open_ = cards[order, rows]
    left = (see["hand"] - see["picked"])[order, rows] * (open_.cumsum(axis=0) > 0)
    from_here = left[::-1].cumsum(axis=0)[::-1]
    last = len(order) - 1 - open_[::-1].argmax(axis=0)
    owed = from_here[last, rows]
    worth = np.where(left > 0, keep[order, rows], np.iinfo(np.int64).max)
    by_worth = worth.argsort(axis=0, kind="stable")
    before = np.take_along_axis(left, by_worth, axis=0).cumsum(axis=0) - np.take_along_axis(left, by_worth, axis=0)
    given = np.zeros_like(open_)
    np.put_along_axis(given, by_worth, before < owed, axis=0)
    place = (given & open_).argmax(axis=0)
    chosen: NDArray[np.intp] = order[place, rows]
    return chosen
