"""Plackett–Luce ratings (openskill) from tables of different agents, with a bootstrap over deals.

A game tells who won and nothing about the others, so the winner comes first and the others share the second place. A
game that was cut off tells nothing and is left out. openskill's model (Weng and Lin, A Bayesian approximation method
for online ranking, JMLR 12, 2011) looks at one game after the other, so its ratings depend on their order. Agents do
not change, so `tau` is 0: every game counts, and the steps become ever smaller. The rating told is the mean over
several orders of all games, drawn from the seed.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation.results import EvaluationError

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

#: Orders of the games that openskill's ratings are averaged over.
ORDERS: Final = 4
#: Deals drawn anew, each time rated in an order of their own.
RESAMPLES: Final = 200
#: More games than these are not rated: the first deals say enough, and openskill takes its time.
MOST_GAMES: Final = 20_000
_SALT: Final = 0x9A7E


def check_openskill() -> None:
    """Refuses ratings, before anything is played, that could not be worked out afterwards."""
    if find_spec("openskill") is None:
        raise EvaluationError(
            "ratings need openskill, which is not installed: pip install 'bluff-env[judge]', or --no-ratings"
        )


def rated_deals(deals: int, games: int) -> int:
    """How many deals, from the first on, are rated, of so many with so many games each."""
    return max(1, min(deals, MOST_GAMES // max(1, games)))


def ratings(
    seats: NDArray[Any], won: NDArray[Any], agents: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Ratings on openskill's scale (a new player: 25) with 95 % intervals.

    Args:
        seats: (D, m, n) which agent sits at each seat, in the m games of each of D deals.
        won: (D, m) the seat that won, -1 for none.
        agents: k, how many agents there are.
        seed: decides orders and what the bootstrap draws.

    Returns:
        rating, low, high: (k,) float64 each. The interval is that of one order, so it holds what order is worth too.
    """
    rng = np.random.default_rng([seed, _SALT])
    deals, games, players = seats.shape
    table, winner = seats.reshape(-1, players).astype(np.int64), won.reshape(-1).astype(np.int64)
    told = np.flatnonzero(winner >= 0)
    model = _model()
    passes = [rated_by_openskill(model, table, winner, rng.permutation(told), agents) for _ in range(ORDERS)]
    orders = np.full((RESAMPLES, deals * games), -1, np.int64)
    for at in range(RESAMPLES):
        drawn = rng.integers(0, deals, size=(deals,))
        order = (drawn[:, None] * games + np.arange(games)).reshape(-1)
        order = rng.permutation(order[winner[order] >= 0])
        orders[at, : len(order)] = order
    again = rated_together(model, table, winner, orders, agents)
    low, high = np.quantile(again, [0.025, 0.975], axis=0)
    return np.mean(passes, axis=0), low, high


def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce

    return PlackettLuce(tau=0.0)


def rated_by_openskill(
    model: PlackettLuce, table: NDArray[np.int64], winner: NDArray[np.int64], order: NDArray[np.int64], agents: int
) -> NDArray[np.float64]:
    """(k,) float64: the ratings after these games in this order, each agent beginning as a new player.

    An agent that sits at several seats is given the changes of all of them.
    """
    mu, sigma = np.full(agents, model.mu), np.full(agents, model.sigma)
    for game in order.tolist():
        sat = table[game]
        teams = [[model.rating(mu=mu[agent], sigma=sigma[agent])] for agent in sat]
        ranks = [0.0 if seat == winner[game] else 1.0 for seat in range(len(sat))]
        after = model.rate(teams, ranks=ranks)
        change = np.array([team[0].mu for team in after]) - mu[sat]
        factor = np.array([team[0].sigma for team in after]) / sigma[sat]
        np.add.at(mu, sat, change)
        np.multiply.at(sigma, sat, factor)
    return mu


def rated_together(
    model: PlackettLuce, table: NDArray[np.int64], winner: NDArray[np.int64], orders: NDArray[np.int64], agents: int
) -> NDArray[np.float64]:
    """(R, k) float64: as `rated_by_openskill`, for R orders side by side, a hundred times as fast.

    Args:
        model: its constants are used.
        table: (G, n) which agent sits at each seat.
        winner: (G,) the seat that won.
        orders: (R, T) games by number; -1: no game.
        agents: k.
    """
    rows = len(orders)
    players = table.shape[1]
    mu, sigma = np.full((rows, agents), model.mu), np.full((rows, agents), model.sigma)
    each = np.arange(rows)[:, None]
    for game in orders.T:
        sat, first = table[game], np.arange(players) == winner[game][:, None]
        m, s = mu[each, sat], sigma[each, sat]
        c = np.sqrt((s**2 + model.beta**2).sum(axis=1, keepdims=True))
        strength = np.exp(m / c)
        all_of = strength / strength.sum(axis=1, keepdims=True)
        others = np.where(first, 0.0, strength)
        rest = others / others.sum(axis=1, keepdims=True)
        omega = np.where(first, 1 - all_of, 1 / (players - 1) - rest - all_of)
        delta = all_of * (1 - all_of) + rest * (1 - rest)
        real = (game >= 0)[:, None]
        change = np.where(real, s**2 / c * omega, 0.0)
        shrink = np.sqrt(np.maximum(1 - (s / c) ** 3 * delta, model.kappa))
        np.add.at(mu, (each, sat), change)
        np.multiply.at(sigma, (each, sat), np.where(real, shrink, 1.0))
    return mu
