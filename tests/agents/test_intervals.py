"""Intervals of shares where wins, or losses, are rare: never narrower than what is known bears out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bluff_agents.benchmark.scoring import crossed_interval
from bluff_agents.evaluation.statistics import intervals, widened

GAMES = 4


def bounds(wins: Any, games: int = GAMES) -> tuple[float, float]:
    low, high = intervals(np.asarray(wins)[:, None], np.array([games]), seed=0)
    return float(low[0]), float(high[0])


def won(deals: int, *wins: int) -> Any:
    """Games won in each deal: those named, and none in the others."""
    return np.array([*wins, *[0] * (deals - len(wins))], np.int64)


@pytest.mark.parametrize("deals", [1, 2, 12, 100, 1000])
@pytest.mark.parametrize("games", [1, 4, 16])
def test_the_upper_bound_never_falls_as_deals_are_won(deals: int, games: int) -> None:
    """From none to twelve, each by one game. Beyond, the bootstrap's own noise may move it by a game."""
    found = [bounds(won(deals, *[1] * many), games)[1] for many in range(min(deals, 12) + 1)]
    assert found == sorted(found)


def test_until_does_not_end_on_a_few_lucky_wins() -> None:
    for many in range(6):
        low, high = bounds(won(100, *[1] * many))
        assert (high - low) / 2 > 0.015


@pytest.mark.parametrize("deals", [3, 100])
def test_the_exact_bound_never_falls_whichever_game_is_won_next(deals: int) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        wins, before = won(deals), 0.0
        for game in rng.permutation(deals * GAMES)[:30]:
            wins[game // GAMES] += 1
            high = float(widened(np.ones(1), np.zeros(1), wins[:, None], np.array([GAMES]))[1][0])
            assert before <= high <= 1
            before = high


def test_the_lower_bound_mirrors_it_where_losses_are_rare() -> None:
    for losses in range(6):
        low, high = bounds(won(300, *[1] * losses))
        assert bounds(GAMES - won(300, *[1] * losses)) == pytest.approx((1 - high, 1 - low))


def test_few_deals_won_as_wholes_have_the_exact_binomial_bound() -> None:
    """Clopper and Pearson's for 0 to 3 of 1,000, from tables."""
    found = [bounds(won(1000, *[GAMES] * many))[1] for many in range(4)]
    assert found == pytest.approx([0.003682, 0.005559, 0.007206, 0.008742], abs=2e-6)


def test_where_neither_wins_nor_losses_are_rare_nothing_is_widened() -> None:
    rng = np.random.default_rng(1)
    for deals, share in ((100, 0.25), (1000, 0.02)):
        wins = rng.binomial(GAMES, share, (deals, 3))
        low, high = intervals(wins, np.array([GAMES] * 3), seed=0)
        exact = widened(np.ones(3), np.zeros(3), wins, np.array([GAMES] * 3))
        assert (low < exact[0]).all()
        assert (high > exact[1]).all()


def test_the_interval_of_a_rare_win_covers_it() -> None:
    rng = np.random.default_rng(7)
    for share, alike in ((0.002, 0.0), (0.01, 1.0), (0.998, 0.5)):
        covered = 0
        for _ in range(150):
            same = rng.random(300) < alike
            each = np.where(same[:, None], (rng.random(300) < share)[:, None], rng.random((300, GAMES)) < share)
            low, high = bounds(each.sum(axis=1))
            covered += low <= share <= high
        assert covered >= 0.94 * 150, (share, alike)


def test_one_win_of_several_runs_is_no_surer_than_none() -> None:
    none = np.zeros((3, 500), np.int64)
    one = none.copy()
    one[1, 7] = 1
    assert crossed_interval(one, GAMES, 0)[2] >= crossed_interval(none, GAMES, 0)[2] > 0.005
    assert crossed_interval(GAMES - one, GAMES, 0)[1] <= crossed_interval(GAMES - none, GAMES, 0)[1] < 0.995
