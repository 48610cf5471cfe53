"""Intervals: the bootstrap over deals. All games of a deal are one unit, since they share its luck."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

LEVEL: Final = 0.95
# Numbers held at once while resampling.
_BLOCK: Final = 4_000_000
# Sets these draws apart from the seeds of the deals, which come from the same number.
_SALT: Final = 0xB007


def intervals(
    wins: NDArray[np.int64], games: NDArray[np.int64], seed: int, resamples: int = 2000
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Percentile bootstrap of shares of wins, deals being drawn again as wholes.

    Args:
        wins: (D, k) games won in each deal, for k shares.
        games: (k,) games a deal counts for each share.
        seed: the seed of the evaluation; the same seed gives the same intervals.
        resamples: how many times D deals are drawn anew.

    Returns:
        low, high: (k,) each, the middle 95 %. Where a share is 0 or 1 the bootstrap cannot tell how sure that is; the
        open side is then the exact binomial bound for that many deals (for 0 of 1,000: 0.4 %).
    """
    deals = len(wins)
    # Equal deals are drawn as one kind: the same distribution as drawing deals, at a cost that does not grow with them.
    patterns, counts = np.unique(wins, axis=0, return_counts=True)
    rng = np.random.default_rng([seed, _SALT])
    shares = np.empty((resamples, wins.shape[1]))
    block = max(1, _BLOCK // len(patterns))
    for low in range(0, resamples, block):
        drawn = rng.multinomial(deals, counts / deals, size=min(block, resamples - low))
        shares[low : low + block] = drawn @ patterns / (deals * games)
    tail = (1 - LEVEL) / 2
    lows, highs = np.quantile(shares, [tail, 1 - tail], axis=0)
    bound = 1 - tail ** (1 / deals)
    found = wins.sum(axis=0)
    lows = np.where(found == deals * games, 1 - bound, lows)
    highs = np.where(found == 0, bound, highs)
    return lows, highs
