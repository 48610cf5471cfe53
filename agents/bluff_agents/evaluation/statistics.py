"""Intervals: the bootstrap over deals. All games of a deal are one unit, since they share its luck."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

LEVEL: Final = 0.95
#: The normal quantile of that level.
Z: Final = 1.959963984540054
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


#: The sums over deals that an interval of a ratio needs: of x, n, x², x n, n², and the deals in which n is not 0.
SUMS: Final = 6


def ratio_sums(x: NDArray[Any], n: NDArray[Any]) -> NDArray[Any]:
    """The sums over deals behind a ratio Σx / Σn and its interval. Sums of parts of the deals are added.

    Args:
        x: (…, D) what is counted in each deal, such as the bluffs of an agent.
        n: (…, D) out of how many, such as its plays.

    Returns:
        (…, SUMS) of the arguments' type.
    """
    sums: NDArray[Any] = np.stack([x, n, x * x, x * n, n * n, (n != 0).astype(x.dtype)], axis=-2).sum(axis=-1)
    return sums


def ratio_intervals(
    sums: NDArray[Any], share: bool = True
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Ratios with 95 % intervals that take the deals, not the single decisions, for independent.

    The variance is that of a ratio estimator with the deals as clusters (Cochran, Sampling Techniques, 3rd ed., 6.3). A
    share is given Wilson's interval for the number of independent decisions that would have this variance (as Korn
    and Graubard, Survey Methodology 24, 1998, do with the exact one), but never for more than there were; where the
    share is 0 or 1, for the number of deals. A mean is given the normal interval.

    Args:
        sums: (…, SUMS) of `ratio_sums`.
        share: are they shares, or means of something else?

    Returns:
        ratio, low, high: (…,) each; NaN where nothing was counted.
    """
    sx, sn, sxx, sxn, snn, deals = np.moveaxis(sums.astype(np.float64), -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = sx / sn
        spread = np.maximum(sxx - 2 * p * sxn + p * p * snn, 0.0)
        variance = spread / sn**2 * deals / np.maximum(deals - 1, 1)
        if not share:
            wide = Z * np.sqrt(variance)
            return p, p - wide, p + wide
        equal = np.where(variance > 0, np.minimum(p * (1 - p) / variance, sn), deals)
        equal = np.where(deals > 1, equal, 1.0)
        middle = (p + Z**2 / (2 * equal)) / (1 + Z**2 / equal)
        wide = Z / (1 + Z**2 / equal) * np.sqrt(p * (1 - p) / equal + Z**2 / (4 * equal**2))
    low, high = np.minimum(middle - wide, p), np.maximum(middle + wide, p)
    return p, np.where(sn > 0, np.maximum(low, 0.0), np.nan), np.where(sn > 0, np.minimum(high, 1.0), np.nan)
