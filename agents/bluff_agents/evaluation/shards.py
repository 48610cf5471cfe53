"""Games played in parts, here or by other processes. A part is some whole deals; what comes of it depends on nothing
but the part, so the whole is the same for any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation.behaviour import Watch
from bluff_agents.evaluation.calibration import Forecasts
from bluff_agents.evaluation.play import Watcher, play
from bluff_env import GameBatch, Rules
from bluff_env.record import record_of_row

if TYPE_CHECKING:
    from bluff_agents import Agent


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """What all parts have in common.

    Attributes:
        rules: what is played.
        rules_name: what records call the rules.
        called: what the entries are called.
        which: (entries,) which agent each entry is.
        chunk: games held at once.
        behaviour, calibration, records: what is wanted beside who won.
    """

    rules: Rules
    rules_name: str | None
    called: tuple[str, ...]
    which: NDArray[np.int64]
    chunk: int
    behaviour: bool
    calibration: bool
    records: bool


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some deals.

    Attributes:
        seeds: (d,) int64, the seed of each deal.
        seats: (d, m, n) int16, which entry sits at each seat, for m games of each deal.
    """

    seeds: NDArray[np.int64]
    seats: NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class PartPlayed:
    """How the games of some deals ended.

    Attributes:
        winner: (d, m) int8, the winning seat, -1 for none.
        turns: (d, m) int32.
        cut_off: (d, m) bool.
        behaviour, calibration: of `Watch.sums` and `Forecasts.sums`, where wanted.
        records: the games as records, in order, where wanted.
    """

    winner: NDArray[np.int8]
    turns: NDArray[np.int32]
    cut_off: NDArray[np.bool_]
    behaviour: NDArray[np.int64] | None
    calibration: NDArray[np.float64] | None
    records: list[dict[str, Any]]


def play_part(
    job: Job, agents: Sequence[Agent], part: Part, on_games: Callable[[int], None] | None = None
) -> PartPlayed:
    """Plays all games of some deals."""
    deals, games, players = part.seats.shape
    table = part.seats.reshape(-1, players).astype(np.int64)
    seating = job.which[table]
    deal_of = np.repeat(np.arange(deals), games)
    watch = Watch(job.rules, len(agents), deal_of, seating) if job.behaviour else None
    forecasts = Forecasts(job.rules, agents, deal_of, seating) if job.calibration else None
    watchers: list[Watcher] = [one for one in (watch, forecasts) if one is not None]
    records: list[dict[str, Any]] = []

    def keep(batch: GameBatch, first: int) -> None:
        for row in range(len(batch)):
            record = record_of_row(batch, row, job.rules_name)
            record["seats"] = [job.called[entry] for entry in table[first + row]]
            records.append(record)

    played = play(
        job.rules, agents, np.repeat(part.seeds, games), seating, chunk=job.chunk, on_games=on_games,
        on_batch=keep if job.records else None, watchers=watchers,
    )  # fmt: skip
    shape = (deals, games)
    return PartPlayed(
        played.winner.reshape(shape).astype(np.int8),
        played.turns.reshape(shape).astype(np.int32),
        played.cut_off.reshape(shape),
        None if watch is None else watch.sums(),
        None if forecasts is None else forecasts.sums(),
        records,
    )
