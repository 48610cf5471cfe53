"""Speed against the number of games in a batch, and against the number of seats at a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from bluff_agents.bench.engine import GAMES
from bluff_agents.bench.loops import Loop, batch_loop, per_second
from bluff_agents.bench.measuring import cores, spread
from bluff_env import BluffError
from bluff_env import rules as make_rules

#: What the horizontal axis of a curve is.
BATCH_SIZE, SEATS = "games in the batch", "seats"

_SIZES: Final = (1, 4, 16, 64, 256, 1024, 4096)
_SEATS: Final = range(2, 17)


@dataclass(slots=True)
class Curve:
    """Agent-steps a second of GameBatch, at several points.

    Attributes:
        what: what the curve is of, such as "bloff".
        along: what changes along it.
        points: where it is measured: {place: what prepares the loop}.
        values: the numbers measured at each of them, one a repeat.
    """

    what: str
    along: str
    points: dict[int, Callable[[], Loop]]
    values: dict[int, list[float]] = field(default_factory=dict)
    _loops: dict[int, Loop] = field(default_factory=dict)

    def prepare(self) -> None:
        """Sets up and warms up every point."""
        self._loops = {at: make() for at, make in self.points.items()}
        self.values = {at: [] for at in self.points}

    def measure(self, seconds: float) -> None:
        """Measures every point once more."""
        for at, loop in self._loops.items():
            self.values[at].append(per_second(loop, seconds))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        points = [{"at": at, **spread(values)} for at, values in self.values.items()]
        return {"what": self.what, "along": self.along, "unit": "agent-steps/s", "points": points}


def all_curves() -> list[Curve]:
    """Batches of 1 to 4,096 games, also on two threads where there are two cores; 2 to 16 seats where rules allow."""
    curves = [_by_size(rules, 1) for rules in ("bloff", "bluffstopp")]
    if cores() > 1:
        curves.append(_by_size("bloff", 2))
    return [*curves, *(_by_seats(rules) for rules in ("bloff", "bluffstopp"))]


def _by_size(rules: str, threads: int) -> Curve:
    what = rules if threads == 1 else f"{rules}, {threads} threads"
    return Curve(what, BATCH_SIZE, {n: partial(batch_loop, rules, n, threads) for n in _SIZES if n >= threads})


def _by_seats(rules: str) -> Curve:
    return Curve(rules, SEATS, {n: partial(batch_loop, rules, GAMES, players=n) for n in _SEATS if _allowed(rules, n)})


def _allowed(rules: str, players: int) -> bool:
    try:
        make_rules(rules, players=players)
    except BluffError:
        return False
    return True
