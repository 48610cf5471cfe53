"""How sure a score is that is the mean over runs with different seeds, all judged on the same deals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation.statistics import LEVEL, intervals, widened


def crossed_interval(wins: NDArray[np.int64], games: int, seed: int) -> tuple[float, float, float]:
    """The mean share of wins with a 95 % interval over seeds and over deals.

    Runs and deals are crossed: every run plays every deal. With both drawn at random, the variance of the mean is
    estimated by (MS of runs + MS of deals - MS of the rest) / (runs × deals), and the interval is Student's with
    Satterthwaite's degrees of freedom (Searle, Casella and McCulloch, Variance Components, 1992, ch. 4). With few seeds
    that matters: for five the quantile is up to 2.78, where the normal one is 1.96. One run says nothing about seeds:
    its interval is the bootstrap over deals, as in `bluff evaluate`. Rare wins or losses widen it as there, too.

    Args:
        wins: (k, D) games won by each of k runs in each of D deals.
        games: how many a deal counts.
        seed: of the bootstrap.

    Returns:
        mean, low, high.
    """
    runs, deals = wins.shape
    x = wins / games
    mean = float(x.mean())
    if runs == 1 or wins.min() == wins.max():  # all alike: the variance is 0
        low, high = (float(side[0]) for side in intervals(wins.sum(axis=0)[:, None], np.array([games * runs]), seed))
        return mean, low, high
    of_run, of_deal = x.mean(axis=1), x.mean(axis=0)
    ms_runs = deals * float(((of_run - mean) ** 2).sum()) / (runs - 1)
    ms_deals = runs * float(((of_deal - mean) ** 2).sum()) / max(1, deals - 1)
    rest = x - of_run[:, None] - of_deal[None, :] + mean
    freedom = (runs - 1) * max(1, deals - 1)
    ms_rest = float((rest**2).sum()) / freedom
    total = max(ms_runs + ms_deals - ms_rest, ms_runs, ms_deals)
    squares = ms_runs**2 / (runs - 1) + ms_deals**2 / max(1, deals - 1) + ms_rest**2 / freedom
    wide = student(max(1.0, total**2 / squares)) * (total / (runs * deals)) ** 0.5
    ends = np.array([max(0.0, mean - wide)]), np.array([min(1.0, mean + wide)])
    low, high = (float(side[0]) for side in widened(*ends, wins.sum(axis=0)[:, None], np.array([games * runs])))
    return mean, low, high


def student(freedom: float) -> float:
    """The quantile of Student's distribution that a two-sided 95 % interval takes, for 1 or more degrees of freedom.

    With t = √n tan a its density is that of cos^(n-1) a, which is smooth and bounded, and so easily added up.

    >>> round(student(4), 3)
    2.776
    """
    angle = np.linspace(0, np.pi / 2, 200_001)
    density = np.cos(angle) ** (freedom - 1)
    area = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
    at = np.interp(LEVEL * area[-1], area, angle)
    return float(np.sqrt(freedom) * np.tan(at))
