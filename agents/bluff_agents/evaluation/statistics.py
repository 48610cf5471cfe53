"""Intervals: the bootstrap over deals. All games of a deal are one unit, since they share its luck."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

LEVEL: Final = 0.95
#: The normal quantile of that level.
Z: Final = 1.959963984540054
# Numbers held at once while resampling.
_BLOCK: Final = 4_000_000
# So many deals with a win, or a loss, are few: intervals are then held against exact ones.
_FEW: Final = 9
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
        low, high: (k,) each, the middle 95 %. Where wins or losses are rare, the bootstrap cannot tell how sure that
        is; see `widened`.
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
    return widened(lows, highs, wins, games)


def widened(
    lows: NDArray[np.float64], highs: NDArray[np.float64], wins: NDArray[np.int64], games: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Intervals of shares, made as wide as exact ones where few deals hold a win, or few a loss; others stay.

    What estimates a spread from the deals that were seen makes too little of few wins, and nothing of none. Clopper and
    Pearson's exact bound (Biometrika 26, 1934) is one for deals, of which some hold a win: that many times what a win
    brought, it is one for the share. So the upper end is at least the bound for the j deals with most wins, times their
    mean share of games won, for any j up to 9; and the bound for no deal at all, times 1, as nothing is known then of
    how many games of a deal are won together (for 0 of 1,000 deals: 0.4 %). Each of them can only rise as games are
    won, and so their greatest does. The lower end is mirrored, by losses.

    Args:
        lows, highs: (k,) the intervals.
        wins: (D, k) games won in each deal.
        games: (k,) games a deal counts for each share.

    Returns:
        low, high: (k,) each.
    """
    return np.minimum(lows, 1 - _rare(games - wins, games)), np.maximum(highs, _rare(wins, games))


def _rare(wins: NDArray[np.int64], games: NDArray[np.int64]) -> NDArray[np.float64]:
    """(k,) how large shares may be, by the exact bounds for up to `_FEW` deals with a win."""
    deals = len(wins)
    few = min(_FEW, deals)
    most = np.sort(np.partition(wins, deals - few, axis=0)[deals - few :], axis=0)[::-1]
    bounds = _exact_bounds(deals)
    each = bounds[1 : few + 1] / np.arange(1, few + 1)
    of_some = (each[:, None] * np.cumsum(most, axis=0)).max(axis=0) / games
    bound: NDArray[np.float64] = np.maximum(of_some, bounds[0])
    return bound


@lru_cache(maxsize=64)
def _exact_bounds(deals: int) -> NDArray[np.float64]:
    """(few + 1,) Clopper and Pearson's upper bounds of a chance that came true in 0, 1 … of so many deals."""
    count = np.arange(min(_FEW, deals - 1) + 1)
    ways = np.cumsum(np.log(np.concatenate([[1.0], (deals - count[:-1]) / count[1:]])))  # "deals over count", as a log
    low, high = np.zeros(len(count)), np.ones(len(count))
    for _ in range(50):  # halvings
        chance = (low + high) / 2
        exactly = np.exp(ways + count * np.log(chance)[:, None] + (deals - count) * np.log1p(-chance)[:, None])
        likely = np.tril(exactly).sum(axis=1) > (1 - LEVEL) / 2  # to see so few or fewer
        low, high = np.where(likely, chance, low), np.where(likely, high, chance)
    return np.append(high, 1.0)  # in all of them, where they are so few


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
