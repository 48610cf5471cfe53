"""Plays a schedule, here or by several processes, as far as it has to be played, and adds up what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation.behaviour import no_sums
from bluff_agents.evaluation.calibration import no_forecasts
from bluff_agents.evaluation.schedule import Schedule
from bluff_agents.evaluation.shards import Job, Part, PartPlayed, play_part
from bluff_agents.evaluation.workers import Given, Loader, play_parts

if TYPE_CHECKING:
    from bluff_agents import Agent

# When `until` is asked: after so many deals at first, then after each so many times more. Few looks, since every look
# is a chance to stop too early.
_FIRST_LOOK: Final = 100
_LOOK_AGAIN: Final = 1.25


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """How the games of D deals ended.

    Attributes:
        winner: (D, m) int8, the winning seat, -1 for none.
        turns: (D, m) int32.
        cut_off: (D, m) bool.
        behaviour, calibration: sums over deals of every agent (`Watch.sums`, `Forecasts.sums`).
    """

    winner: NDArray[np.int8]
    turns: NDArray[np.int32]
    cut_off: NDArray[np.bool_]
    behaviour: NDArray[np.int64]
    calibration: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.winner)


def looks(deals: int, until: bool) -> list[int]:
    """After how many deals the intervals are looked at; the last is `deals`."""
    found, at = [], float(_FIRST_LOOK)
    while until and int(at) < deals:
        found.append(int(at))
        at *= _LOOK_AGAIN
    return [*found, deals]


def collect(
    job: Job,
    schedule: Schedule,
    seeds: NDArray[np.int64],
    agents: Sequence[Agent],
    *,
    enough: Callable[[Collected], bool] | None = None,
    workers: int = 1,
    loader: Loader | None = None,
    on_games: Callable[[int], None] | None = None,
    on_record: Callable[[dict[str, Any]], None] | None = None,
) -> Collected:
    """Plays deal after deal.

    Args:
        job: what is played and what is wanted.
        schedule: who sits where.
        seeds: (D,) int64, the seed of each deal.
        agents: the agents.
        enough: asked at `looks` whether what has been played will do; None: all deals are played.
        workers: how many processes play; 1: this one.
        loader: makes the agents in another process; None: those here are handed over.
        on_games: told how many games have ended since it was last told.
        on_record: given the record of every game of the deals that count, in their order.
    """
    ends = looks(len(seeds), enough is not None)
    bounds = list(_bounds(ends, max(1, job.chunk // schedule.games)))
    parts = (Part(seeds[low:high], schedule.seats(low, high)) for low, high in bounds)
    played: Generator[PartPlayed]
    elsewhere = min(workers, len(bounds)) > 1
    if elsewhere:
        played = play_parts(job, parts, Given(agents) if loader is None else loader, min(workers, len(bounds)))
    else:
        played = (play_part(job, agents, part, on_games) for part in parts)
    found: list[PartPlayed] = []
    try:
        for (_, high), part in zip(bounds, played, strict=True):
            if elsewhere and on_games is not None:
                on_games(part.winner.size)
            for record in part.records if on_record is not None else ():
                on_record(record)  # type: ignore[misc]  # not None here
            part.records.clear()
            found.append(part)
            if enough is not None and high in ends:
                found = [_together(found, len(agents))]
                if high < len(seeds) and enough(_collected(found[0], len(agents))):
                    break
    finally:
        played.close()
    return _collected(_together(found, len(agents)), len(agents))


def _bounds(ends: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """Parts of at most `size` deals, none of which goes over one of the ends."""
    low = 0
    for end in ends:
        for begin in range(low, end, size):
            yield begin, min(begin + size, end)
        low = end


def _together(parts: Sequence[PartPlayed], agents: int) -> PartPlayed:
    """The parts as one."""
    behaviour, calibration = no_sums(agents), no_forecasts(agents)
    for part in parts:  # in order, so that sums of floating-point numbers are always the same
        behaviour = behaviour if part.behaviour is None else behaviour + part.behaviour
        calibration = calibration if part.calibration is None else calibration + part.calibration
    return PartPlayed(
        np.concatenate([part.winner for part in parts]),
        np.concatenate([part.turns for part in parts]),
        np.concatenate([part.cut_off for part in parts]),
        behaviour,
        calibration,
        [],
    )


def _collected(part: PartPlayed, agents: int) -> Collected:
    behaviour = no_sums(agents) if part.behaviour is None else part.behaviour
    calibration = no_forecasts(agents) if part.calibration is None else part.calibration
    return Collected(part.winner, part.turns, part.cut_off, behaviour, calibration)
