"""Who sits where: the tables that are played of every deal. Each table is played in all rotations of its seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation.results import EvaluationError

#: What a round robin plays: one agent against copies of another, tables of different agents, or both.
COPIES, MIXED, BOTH = "copies", "mixed", "both"
TABLES: Final = (BOTH, COPIES, MIXED)

# Sets the orders of the agents apart from the seeds of the deals, which come from the same number.
_SALT: Final = 0x5EA7
_MIXED_SALT: Final = 0x3153


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """The games of each of D deals: first those that are the same for every deal, then those at drawn tables.

    Attributes:
        entries: how many agents are told apart.
        players: n, seats.
        fixed: (f, n) int16, which entry sits at each seat, the same for all deals.
        drawn: (D, t, n) int16, tables drawn for each deal, played in all n rotations.
        pairs: (one, rest, the games of a deal, by number, in which one sits alone against copies of rest).
        judged: for each entry the games of a deal, by number, that its own share is taken from.
        seats_judged: the seats it takes in them.
        mixed: the games of a deal, by number, at tables of different agents.
    """

    entries: int
    players: int
    fixed: NDArray[np.int16]
    drawn: NDArray[np.int16]
    pairs: tuple[tuple[int, int, NDArray[np.int64]], ...]
    judged: tuple[NDArray[np.int64], ...]
    seats_judged: tuple[int, ...]
    mixed: NDArray[np.int64]

    @property
    def games(self) -> int:
        """Games of a deal."""
        return len(self.fixed) + int(self.drawn.shape[1]) * self.players

    def seats(self, low: int, high: int) -> NDArray[np.int16]:
        """(d, games, n) int16: which entry sits at each seat, for the deals from `low` to before `high`."""
        deals = high - low
        fixed = np.broadcast_to(self.fixed, (deals, *self.fixed.shape))
        turned = self.drawn[low:high][:, :, _rotations(self.players)]  # (d, t, rotation, n)
        return np.concatenate([fixed, turned.reshape(deals, -1, self.players)], axis=1)


def seatings(agents: int, players: int) -> NDArray[np.int64]:
    """(m, n) int64: the m games that are played of each deal; which agent sits at each of n seats.

    Raises:
        EvaluationError: a number of agents that fits no table.
    """
    if agents in (1, players):
        return _rotations(players)
    if agents == 2:
        alone = np.eye(players, dtype=np.int64)
        return np.concatenate([1 - alone, alone])
    more = " or 2" if players == 2 else f", 2 (each against the rest) or {players}"
    raise EvaluationError(
        f"agents: {agents} named for {players} seats; name 1 (fills every seat){more}; "
        "--round-robin takes any number from 2"
    )


def one_table(agents: int, players: int, deals: int, seed: int) -> Schedule:
    """One agent in all seats, two each against copies of the other, or one for every seat.

    Who sits to the left of whom matters too, and no rotation changes it: with a weak fourth, three equal agents won
    22 %, 27 % and 49 % in one order. So each deal has an order of its own, drawn from the seed (then 33 % each).
    """
    games = seatings(agents, players)
    fixed, drawn = games.astype(np.int16), np.empty((deals, 0, players), np.int16)
    if agents == players:
        order = np.random.default_rng([seed, _SALT]).permuted(np.tile(np.arange(players), (deals, 1)), axis=1)
        fixed, drawn = fixed[:0], order[:, None].astype(np.int16)
    pairs = []
    if agents == 2:
        alone = [np.flatnonzero((games == one).sum(axis=1) == 1) for one in range(2)]
        pairs = [(one, 1 - one, alone[one]) for one in range(2)]
    entries = players if agents == 1 else agents
    every = np.arange(len(games))
    return Schedule(
        entries, players, fixed, drawn, tuple(pairs), (every,) * entries, (len(games),) * entries, every
    )  # fmt: skip


def round_robin(agents: int, players: int, deals: int, seed: int, tables: str = BOTH) -> Schedule:
    """Every agent against every other, on the same deals.

    Copies: each agent alone against copies of each other, in all seats; at two seats both ways are the same games.
    Mixed: of every deal as many tables of different agents as give each agent the same number of seats, k agents at n
    seats lcm(k, n) / n of them, who meets whom being drawn for each deal. With fewer agents than seats, each sits
    n // k times and those that sit once more take turns. At two seats the tables of copies are mixed ones.

    Args:
        agents: k, at least 2.
        players: n, seats.
        deals: D.
        seed: decides who meets whom in which order.
        tables: "both", "copies" or "mixed".

    Raises:
        EvaluationError: fewer than two agents, or other tables.
    """
    if agents < 2:
        raise EvaluationError(f"agents: {agents} named for a round robin; 2 or more expected")
    if tables not in TABLES:
        raise EvaluationError(f"tables: {tables!r} is not allowed; {', '.join(TABLES)}")
    games, pairs, at = [np.empty((0, players), np.int16)], [], 0
    for one in range(agents if tables != MIXED or players == 2 else 0):
        for rest in range(one + 1 if players == 2 else 0, agents):
            if one != rest:
                games.append(np.where(np.eye(players, dtype=np.bool_), one, rest).astype(np.int16))
                where = np.arange(at, at + players)
                at += players
                pairs += [(one, rest, where)] + ([(rest, one, where)] if players == 2 else [])
    drawn = np.empty((deals, 0, players), np.int16)
    if tables != COPIES and players > 2:
        drawn = mixed_tables(agents, players, deals, seed)
    mixed = np.arange(at) if players == 2 else np.arange(at, at + drawn.shape[1] * players)
    pairs.sort(key=lambda pair: pair[:2])
    if mixed.size:
        judged = (mixed,) * agents
        seats = (mixed.size * players // agents,) * agents
    else:
        judged = tuple(np.concatenate([where for one, _, where in pairs if one == agent]) for agent in range(agents))
        seats = tuple(map(len, judged))
    return Schedule(agents, players, np.concatenate(games), drawn, tuple(pairs), judged, seats, mixed)


def mixed_tables(agents: int, players: int, deals: int, seed: int) -> NDArray[np.int16]:
    """(D, t, n) int16: tables in a drawn order, at which every agent sits equally often in every deal.

    Those of a deal do not depend on how many deals follow.
    """
    who, order = (np.random.default_rng([seed, _MIXED_SALT, what]) for what in range(2))
    base, extra = divmod(players, agents)
    count = int(np.lcm(agents, extra)) // extra if extra else 1
    line = who.permuted(np.tile(np.arange(agents, dtype=np.int16), (deals, 1)), axis=1)
    taken = np.arange(count * extra).reshape(count, extra) % agents  # neighbours in a drawn line, so never one twice
    always = np.broadcast_to(np.tile(np.arange(agents, dtype=np.int16), base), (deals, count, base * agents))
    return order.permuted(np.concatenate([always, line[:, taken]], axis=2), axis=2)


def _rotations(players: int) -> NDArray[np.int64]:
    rotation = np.arange(players)
    return (rotation[None, :] - rotation[:, None]) % players
