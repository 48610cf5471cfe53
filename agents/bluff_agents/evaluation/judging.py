"""`evaluate`: who sits where, how often each wins, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation.play import CHUNK, Played, play
from bluff_agents.evaluation.results import AgentResult, Evaluation, EvaluationError, MatchupResult
from bluff_agents.evaluation.statistics import intervals
from bluff_env import GameBatch, Rules, layout, name_of, rule_names
from bluff_env import rules as make_rules
from bluff_env.engine.arguments import row_seeds
from bluff_env.engine.rng import MAX_SEED
from bluff_env.record import record_of_row

if TYPE_CHECKING:
    from bluff_agents import Agent

MAX_DEALS: Final = 1_000_000
# Sets the orders of the agents apart from the seeds of the deals, which come from the same number.
_SALT: Final = 0x5EA7


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
    on_games: Callable[[int], None] | None = None,
    on_record: Callable[[dict[str, Any]], None] | None = None,
) -> Evaluation:
    """Plays every deal in all rotations of the seats, so that luck and place cancel.

    A deal's seed decides the cards, the opener and the noise that agents are given, so all its games are dealt alike.
    Who sits to the left of whom matters too, and no rotation changes it: with a weak fourth, three equal agents won
    22 %, 27 % and 49 % in one order. So each deal has an order of its own, drawn from the seed (then 33 % each).

    Args:
        rules: anything `bluff_env.rules` takes.
        agents: one for every seat; or one, which fills them all; or two, each of which then plays alone against
            copies of the other.
        deals: deals to play; n agents play n games each deal, two agents at more than two seats 2n.
        seed: decides everything: the deals, the noise, the intervals.
        names: what the agents are called in the result (their own names, if None); namesakes get "#2", "#3" …
        rules_name: what the rules are called (the name given as `rules`, else that of `bluff_env.name_of`).
        chunk: games held at once; changes nothing but memory and speed.
        resamples: of the bootstrap.
        on_games: told how many games have ended since it was last told.
        on_record: given the record of every game, once it is finished.

    Raises:
        EvaluationError: a number of agents that fits no table, an agent of another layout, an answer that is not
            legal, or deals or a seed out of range.
    """
    r = make_rules(rules)
    deals = _whole("deals", deals, 1, MAX_DEALS)
    seed = _whole("seed", seed, 0, MAX_SEED)
    _whole("chunk", chunk, 1, MAX_DEALS)
    _whole("resamples", resamples, 1, MAX_DEALS)
    if rules_name is None:
        rules_name = rules if isinstance(rules, str) and rules in rule_names() else name_of(r)
    seating = seatings(len(agents), r.players)
    _check_layout(r, agents)
    called = list(names) if names is not None else [agent.name for agent in agents]
    if len(called) != len(agents):
        raise EvaluationError(f"names: {len(called)} given for {len(agents)} agents")
    copies = r.players if len(agents) == 1 else 1
    entries = list(agents) * copies
    called = distinct_names(called * copies)
    asked = list({id(agent): agent for agent in entries}.values())
    which = np.array([next(i for i, agent in enumerate(asked) if agent is entry) for entry in entries])

    seats = seating[None].repeat(deals, axis=0)  # (deals, m, n)
    if len(agents) == r.players:
        order = np.random.default_rng([seed, _SALT]).permuted(np.tile(np.arange(r.players), (deals, 1)), axis=1)
        seats = order[np.arange(deals)[:, None, None], seats]
    table = seats.reshape(-1, r.players)
    on_batch = None if on_record is None else _recorder(rules_name, called, table, on_record)
    seeds = np.repeat(row_seeds(seed, deals), len(seating))
    played = play(r, asked, seeds, which[table], chunk=chunk, on_games=on_games, on_batch=on_batch)

    won = _won(seats, played)
    turns = played.turns.reshape(won.shape[:2])
    shares, pair_shares = _shares(won, seats, len(agents) == 2, seed, resamples)
    return Evaluation(
        rules=r,
        rules_name=rules_name,
        deals=deals,
        seed=seed,
        games=len(table),
        cut_off=_short(played.cut_off.mean()),
        turns=_short(turns.mean()),
        fair=_short(1 / len(called)),
        same=len(asked) == 1,
        agents=tuple(
            AgentResult(name, *shares[i], _short(turns[won[:, :, i]].mean()) if won[:, :, i].any() else None)
            for i, name in enumerate(called)
        ),
        matchups=tuple(
            MatchupResult(called[one], called[1 - one], *pair_shares[one]) for one in range(len(pair_shares))
        ),
    )


def seatings(agents: int, players: int) -> NDArray[np.int64]:
    """(m, n) int64: the m games that are played of each deal; which agent sits at each of n seats.

    Raises:
        EvaluationError: a number of agents that fits no table.
    """
    rotation = np.arange(players)
    if agents in (1, players):
        return (rotation[None, :] - rotation[:, None]) % players
    if agents == 2:
        alone = np.eye(players, dtype=np.int64)
        return np.concatenate([1 - alone, alone])
    more = " or 2" if players == 2 else f", 2 (each against the rest) or {players}"
    raise EvaluationError(f"agents: {agents} named for {players} seats; name 1 (fills every seat){more}")


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


def _recorder(
    name: str | None, called: list[str], seats: NDArray[np.int64], on_record: Callable[[dict[str, Any]], None]
) -> Callable[[GameBatch, int], None]:
    def on_batch(batch: GameBatch, first: int) -> None:
        for row in range(len(batch)):
            record = record_of_row(batch, row, name)
            record["seats"] = [called[entry] for entry in seats[first + row]]
            on_record(record)

    return on_batch


def _won(seats: NDArray[np.int64], played: Played) -> NDArray[np.bool_]:
    """(deals, m, agents) bool: did this agent win the game? None did where it was cut off."""
    seat = played.winner.reshape(seats.shape[:2])
    winner = np.take_along_axis(seats, np.maximum(seat, 0)[:, :, None], axis=2)
    won: NDArray[np.bool_] = (winner == np.arange(seats.max() + 1)) & (seat >= 0)[:, :, None]
    return won


def _shares(
    won: NDArray[np.bool_], seats: NDArray[np.int64], both_ways: bool, seed: int, resamples: int
) -> tuple[list[tuple[float, float, float]], list[tuple[float, float, float]]]:
    """(share, low, high) of each agent over all games and, of two agents, of each over the games it has one seat in."""
    wins, games = [won.sum(axis=1)], [won.shape[1]] * won.shape[2]
    for one in range(2 if both_ways else 0):
        alone = (seats[0] == one).sum(axis=1) == 1
        wins.append(won[:, alone, one].sum(axis=1, keepdims=True))
        games.append(int(alone.sum()))
    counts = np.concatenate(wins, axis=1)
    low, high = intervals(counts, np.array(games), seed, resamples)
    share = counts.sum(axis=0) / (len(won) * np.array(games))
    found = [(_short(s), _short(a), _short(b)) for s, a, b in zip(share, low, high, strict=True)]
    return found[: won.shape[2]], found[won.shape[2] :]


def _short(value: float) -> float:
    """Six digits after the point: finer than any number of games can tell."""
    return round(float(value), 6)


def _whole(name: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise EvaluationError(f"{name}: {value!r} is not allowed; a whole number from {low:,} to {high:,}")
    return int(value)
