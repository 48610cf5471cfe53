"""`evaluate`: who sits where, how often each wins, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation import schedule as schedules
from bluff_agents.evaluation.collecting import Collected, collect
from bluff_agents.evaluation.play import CHUNK
from bluff_agents.evaluation.ratings import check_openskill, rated_deals, ratings
from bluff_agents.evaluation.results import AgentResult, Evaluation, EvaluationError, MatchupResult, RatingResult
from bluff_agents.evaluation.schedule import BOTH, Schedule, seatings
from bluff_agents.evaluation.shards import Job
from bluff_agents.evaluation.statistics import intervals
from bluff_agents.evaluation.telling import behaviour_results, calibration_results
from bluff_agents.evaluation.workers import MOST_WORKERS, Loader, cores
from bluff_env import Rules, layout, name_of, rule_names
from bluff_env import rules as make_rules
from bluff_env.engine.arguments import row_seeds
from bluff_env.engine.rng import MAX_SEED

if TYPE_CHECKING:
    from bluff_agents import Agent

__all__ = ["MAX_DEALS", "distinct_names", "evaluate", "seatings"]

MAX_DEALS: Final = 1_000_000
#: Games of one evaluation: how each ended is kept.
MAX_GAMES: Final = 100_000_000
# Deals whose seats are looked at together.
_BLOCK: Final = 4096

_Share = tuple[float, float, float]


def evaluate(
    rules: str | Mapping[str, Any] | Rules,
    agents: Sequence[Agent],
    deals: int = 1000,
    seed: int = 0,
    *,
    names: Sequence[str] | None = None,
    rules_name: str | None = None,
    chunk: int = CHUNK,
    resamples: int = 2000,
    round_robin: bool = False,
    tables: str = BOTH,
    rated: bool = False,
    behaviour: bool = False,
    calibration: bool = False,
    until: float | None = None,
    workers: int = 1,
    loader: Loader | None = None,
    on_games: Callable[[int], None] | None = None,
    on_record: Callable[[dict[str, Any]], None] | None = None,
) -> Evaluation:
    """Plays every deal in all rotations of the seats, so that luck and place cancel.

    A deal's seed decides the cards, the opener and the noise that agents are given, so all its games are dealt alike.

    Args:
        rules: anything `bluff_env.rules` takes.
        agents: one for every seat; or one, which fills them all; or two, each of which then plays alone against
            copies of the other. In a round robin any number from 2.
        deals: deals to play; n agents play n games each deal, two agents at more than two seats 2n.
        seed: decides everything: the deals, the noise, the intervals.
        names: what the agents are called in the result (their own names, if None); namesakes get "#2", "#3" …
        rules_name: what the rules are called (the name given as `rules`, else that of `bluff_env.name_of`).
        chunk: games held at once; changes nothing but memory and speed.
        resamples: of the bootstrap.
        round_robin: every agent against every other (see `schedule.round_robin`).
        tables: of a round robin: "both", "copies" or "mixed".
        rated: of a round robin with mixed tables: ratings too, which need openskill.
        behaviour: how the agents play too (see `behaviour`).
        calibration: how right those are that can tell their chances too (see `calibration`).
        until: go on until half of every interval of a share is this narrow, or `deals` have been played.
        workers: processes that play, 0: one a core. The result is the same for any number.
        loader: makes the agents in another process; None: those given are handed over, by pickle.
        on_games: told how many games have ended since it was last told.
        on_record: given the record of every game, once it is finished.

    Raises:
        EvaluationError: a number of agents that fits no table, an agent of another layout, an answer that is not
            legal, or a number out of range.
    """
    r = make_rules(rules)
    deals = _whole("deals", deals, 1, MAX_DEALS)
    seed = _whole("seed", seed, 0, MAX_SEED)
    workers = _whole("workers", workers, 0, MOST_WORKERS) or cores()
    _whole("chunk", chunk, 1, MAX_DEALS)
    _whole("resamples", resamples, 1, MAX_DEALS)
    _check_until(until)
    if rules_name is None:
        rules_name = rules if isinstance(rules, str) and rules in rule_names() else name_of(r)
    schedule = make_schedule(len(agents), r.players, deals, seed, round_robin, tables)
    if rated:
        check_openskill()
    _check_layout(r, agents)
    called = list(names) if names is not None else [agent.name for agent in agents]
    if len(called) != len(agents):
        raise EvaluationError(f"names: {len(called)} given for {len(agents)} agents")
    copies = schedule.entries // len(agents)  # one agent named fills every seat
    called = distinct_names(called * copies)
    entries = list(agents) * copies
    # An agent that stands for several entries is asked once for all of them.
    first = {id(agent): at for at, agent in reversed(list(enumerate(agents)))}
    asked = [agents[at] for at in sorted(first.values())]
    which = np.array([sorted(first.values()).index(first[id(agent)]) for agent in entries])
    job = Job(r, rules_name, tuple(called), which, chunk, behaviour, calibration, on_record is not None)
    asked_loader = None if loader is None else _Chosen(loader, sorted(first.values()))

    def shares_of(found: Collected) -> tuple[list[_Share], list[_Share]]:
        return _shares(found, schedule, round_robin, seed, resamples)

    def enough(found: Collected) -> bool:
        return all((high - low) / 2 <= (until or 0) for row in shares_of(found) for _, low, high in row)

    found = collect(
        job, schedule, row_seeds(seed, deals), asked, enough=None if until is None else enough, workers=workers,
        loader=asked_loader, on_games=on_games, on_record=on_record,
    )  # fmt: skip
    shares, pair_shares = shares_of(found)
    names_of_asked = [called[int(np.argmax(which == at))] for at in range(len(asked))]
    rated = rated and round_robin and schedule.mixed.size > 0
    return Evaluation(
        rules=r,
        rules_name=rules_name,
        deals=len(found),
        seed=seed,
        games=found.winner.size,
        cut_off=_short(found.cut_off.mean()),
        turns=_short(found.turns.mean()),
        fair=_short(1 / (r.players if round_robin else len(called))),
        same=len(asked) == 1,
        agents=tuple(
            AgentResult(name, *share, turns)
            for name, share, turns in zip(called, shares, _turns_won(found, schedule), strict=True)
        ),
        matchups=tuple(
            MatchupResult(called[one], called[rest], *share)
            for (one, rest, _), share in zip(schedule.pairs, pair_shares, strict=True)
        ),
        round_robin=tables if round_robin else None,
        until=until,
        most_deals=deals,
        ratings=_ratings(found, schedule, called, seed) if rated else None,
        rated_deals=rated_deals(len(found), schedule.mixed.size) if rated else 0,
        behaviour=behaviour_results(names_of_asked, found.behaviour) if behaviour else None,
        calibration=calibration_results(names_of_asked, found.calibration) if calibration else None,
    )


class _Chosen:
    """Of the agents that a loader makes, those that are asked."""

    def __init__(self, loader: Loader, at: list[int]) -> None:
        self.loader, self.at = loader, at

    def __call__(self) -> Sequence[Agent]:
        agents = self.loader()
        return [agents[at] for at in self.at]


def make_schedule(
    agents: int, players: int, deals: int, seed: int = 0, robin: bool = False, tables: str = BOTH
) -> Schedule:
    """Who sits where; see `schedule`.

    Raises:
        EvaluationError: a number of agents that fits no table, or more games than can be kept.
    """
    one_deal = schedules.round_robin(agents, players, 1, 0, tables).games if robin else len(seatings(agents, players))
    if deals * one_deal > MAX_GAMES:
        raise EvaluationError(
            f"deals: {deals:,} of {one_deal:,} games each are more than {MAX_GAMES:,} games; "
            f"{MAX_GAMES // one_deal:,} deals at most"
        )
    if robin:
        return schedules.round_robin(agents, players, deals, seed, tables)
    return schedules.one_table(agents, players, deals, seed)


def distinct_names(names: Sequence[str]) -> list[str]:
    """The names with "#2", "#3" … after the second and later namesakes.

    >>> distinct_names(["counter", "honest", "counter"])
    ['counter', 'honest', 'counter#2']
    """
    found: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in found or (number > 1 and candidate in names):
            number += 1
            candidate = f"{name}#{number}"
        found.append(candidate)
    return found


def _check_layout(r: Rules, agents: Sequence[Agent]) -> None:
    mine = layout(r)
    for agent in agents:
        if agent.layout.fingerprint != mine.fingerprint:
            differences = "; ".join(mine.differences(agent.layout.describe()))
            raise EvaluationError(f"agent {agent.name} was made for other rules: {differences}")


def winners(found: Collected, schedule: Schedule) -> NDArray[np.int16]:
    """(D, m) int16: the entry that won each game, -1 for none."""
    won = np.full(found.winner.shape, -1, np.int16)
    for low in range(0, len(won), _BLOCK):
        high = min(low + _BLOCK, len(won))
        seat = found.winner[low:high].astype(np.int64)
        entry = np.take_along_axis(schedule.seats(low, high), np.maximum(seat, 0)[:, :, None], axis=2)[:, :, 0]
        won[low:high] = np.where(seat >= 0, entry, -1)
    return won


def _shares(
    found: Collected, schedule: Schedule, robin: bool, seed: int, resamples: int
) -> tuple[list[_Share], list[_Share]]:
    """(share, low, high) of each entry over the games it is judged by, and of each pair over the games of that pair."""
    won = winners(found, schedule)
    pairs = [(won[:, games] == one).sum(axis=1) for one, _, games in schedule.pairs]
    pair_games = [len(games) for _, _, games in schedule.pairs]
    wins = [(won[:, games] == entry).sum(axis=1) for entry, games in enumerate(schedule.judged)]
    counts = np.stack([*wins, *pairs], axis=1)
    out_of = np.array([*schedule.seats_judged, *pair_games])
    if robin:  # each by itself: equal numbers of wins are few, and drawn as one
        bounds = [intervals(counts[:, [at]], out_of[[at]], seed, resamples) for at in range(len(out_of))]
        low, high = (np.concatenate(side) for side in zip(*bounds, strict=True))
    else:
        low, high = intervals(counts, out_of, seed, resamples)
    share = counts.sum(axis=0) / (len(won) * out_of)
    told = [(_short(s), _short(a), _short(b)) for s, a, b in zip(share, low, high, strict=True)]
    return told[: len(wins)], told[len(wins) :]


def _turns_won(found: Collected, schedule: Schedule) -> list[float | None]:
    """Mean turns of the games that each entry won, of those it is judged by."""
    won = winners(found, schedule)
    turns = [found.turns[:, games][won[:, games] == entry] for entry, games in enumerate(schedule.judged)]
    return [_short(row.mean()) if row.size else None for row in turns]


def _ratings(found: Collected, schedule: Schedule, called: Sequence[str], seed: int) -> tuple[RatingResult, ...]:
    """Ratings from the first deals' games at mixed tables."""
    deals = rated_deals(len(found), schedule.mixed.size)
    seats = schedule.seats(0, deals)[:, schedule.mixed]
    told = ratings(seats, found.winner[:deals, schedule.mixed], len(called), seed)
    return tuple(
        RatingResult(name, *map(_short, row)) for name, row in zip(called, zip(*told, strict=True), strict=True)
    )


def _short(value: float) -> float:
    """Six digits after the point: finer than any number of games can tell."""
    return round(float(value), 6)


def _whole(name: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise EvaluationError(f"{name}: {value!r} is not allowed; a whole number from {low:,} to {high:,}")
    return int(value)


def _check_until(until: float | None) -> None:
    if until is not None and (isinstance(until, bool) or not isinstance(until, int | float) or not 0 < until < 1):
        raise EvaluationError(f"until: {until!r} is not allowed; a number between 0 and 1, such as 0.01 for ± 1 %")
