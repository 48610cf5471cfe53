"""One seat of many games: N games of a batch, one seat of each played from outside, the other seats by opponents.

The core of the single-seat environments (SB3's VecEnv, Gymnasium's VectorEnv). Opponents are asked in batches, all rows
where the same policy is to move at once, until every seat played from outside is to move or its game is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bluff_env.asking import Asker, Player
from bluff_env.engine.batch import GameBatch, Snapshot
from bluff_env.errors import BluffError
from bluff_env.ruleset import Rules

# Salts keep what is drawn from a game's seed here apart from its deal and its noise.
_SALT_ALIKE: Final = 0x3C6EF372FE94F82A
_SALT_OPPONENT: Final = 0x8F1BBCDCBFA53E0B
_SALT_SEAT: Final = 0x5851F42D4C957F2D


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step of `Seats` brought the seats played from outside. All arrays are fresh.

    Attributes:
        rewards: (N,) float32, zero until the game ends [E3].
        done: (N,) bool, the games that ended.
        rows: (k,) int64, their rows, in the order in which they ended.
        observation: (k, D) int8, what the seat saw at the end.
        winner: (k,) int32, the seat that won, -1 for none.
        cut_off: (k,) bool [E2].
        turns: (k,) int32, turns the game took.
        seat: (k,) int64, the seat that was played from outside.
        opponents: (k, P) int64, who sat in each seat: an index into `Seats.names`; -1 in the outside seat.
    """

    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    rows: NDArray[np.int64]
    observation: NDArray[np.int8]
    winner: NDArray[np.int32]
    cut_off: NDArray[np.bool_]
    turns: NDArray[np.int32]
    seat: NDArray[np.int64]
    opponents: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SeatsSnapshot:
    """A copy of all games of a `Seats` and of who sits where, for `Seats.restore`. Holds hidden cards."""

    games: Snapshot
    seat: NDArray[np.int64]
    opponents: NDArray[np.int64]
    dealt: NDArray[np.int64]


class Seats:
    """N games, one seat of each played from outside.

    Who sits in the other seats is drawn anew for every game, from the game's seed: the same game has the same opponents
    in any batch. A game that ends before the outside seat was ever asked is dealt again.

    Args:
        rules: anything `bluff_env.rules` takes.
        games: N.
        opponents: {name: share of the seats}; the shares need not sum to 1.
        players: {name: who plays under that name}; names may be filled in later by `set_player`.
        seed: one whole number from which every game follows.
        seat: the seat played from outside; None draws it from each game's seed; "rotate" moves it one seat to the
            left with every game of a row, row i beginning with seat i.
        alike: the share of games in which all opponents are the same one; in the others each seat is drawn by itself.

    Attributes:
        batch: the games.
        names: who may sit in the other seats.
        seat: (N,) int64, the seat played from outside in the game under way.
        opponents: (N, P) int64, who sits in each seat: an index into `names`; -1 in the outside seat.
        dealt: (N,) int64, how many games the row has begun.
    """

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules,
        games: int,
        opponents: Mapping[str, float],
        players: Mapping[str, Player],
        *,
        seed: int = 0,
        seat: int | Literal["rotate"] | None = None,
        alike: float = 1.0,
    ) -> None:
        self.batch = GameBatch(rules, games=games, seed=seed, restart=False)
        self.names: tuple[str, ...] = tuple(opponents)
        self._edges = _edges(opponents)
        self._askers: list[Asker | None] = [self._asker(players.get(name)) for name in self.names]
        self._seating = _seating(seat, self.batch.rules.players)
        self._alike = _share("alike", alike)
        n = len(self.batch)
        self.seat: NDArray[np.int64] = np.zeros(n, np.int64)
        self.opponents: NDArray[np.int64] = np.full((n, self.batch.rules.players), -1, np.int64)
        self.dealt: NDArray[np.int64] = np.zeros(n, np.int64)

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def players(self) -> dict[str, Player]:
        """{name: who plays under it now}, for the names that somebody plays under."""
        return {name: asker.player for name, asker in zip(self.names, self._askers, strict=True) if asker is not None}

    def set_player(self, name: str, player: Player) -> None:
        """Who plays under a name of the mixture from now on, also in the games under way."""
        if name not in self.names:
            raise BluffError(f"opponents: no {name!r} in the mixture; names: {', '.join(self.names)}")
        self._askers[self.names.index(name)] = self._asker(player)

    def reset(
        self,
        seed: int | None = None,
        *,
        seeds: ArrayLike | None = None,
        deals: Sequence[Any] | None = None,
        rows: ArrayLike | None = None,
    ) -> None:
        """New games in the given rows (all, if None), played up to the outside seat's first decision.

        Arguments as in `GameBatch.reset`; with neither seed nor seeds each row goes on to its next game.
        """
        where = self.batch.rows(rows)
        if rows is None and (seed is not None or seeds is not None):
            self.dealt[:] = 0
        self.batch.reset(seed, seeds=seeds, deals=deals, rows=where)
        self._seat(where)
        actions = np.full(len(self), -1, np.int64)
        asked = self._ask(where, actions)
        while asked.size:
            _, done = self.batch.step(actions)
            actions.fill(-1)
            self._deal(asked[done[asked]])
            asked = self._ask(asked, actions)

    def step(self, actions: ArrayLike, restart: bool = True) -> Outcome:
        """Plays the outside seats' actions, then the opponents, up to the outside seats' next decisions.

        Args:
            actions: (N,) whole numbers; -1 leaves a row alone.
            restart: begin the next game where one ended, in the same step; otherwise the row stays at its end.

        Raises:
            MoveError: an illegal action; names the row, and nothing is changed.
        """
        rewards, ended = np.zeros(len(self), np.float32), np.zeros(len(self), np.bool_)
        parts: list[tuple[NDArray[Any], ...]] = []
        given = np.asarray(actions)
        paid, done = self.batch.step(given)
        asked = np.flatnonzero(given >= 0)
        replies = np.full(len(self), -1, np.int64)
        while asked.size:
            over = asked[done[asked]]
            if over.size:
                first = over[~ended[over]]  # a second end is that of a game in which the seat was never asked
                rewards[first] = paid[first, self.seat[first]]
                ended[first] = True
                parts.append(self._ends(first))
                if restart:
                    self._deal(over)
            replies.fill(-1)
            asked = self._ask(asked, replies)
            if asked.size:
                paid, done = self.batch.step(replies)
        columns = [np.concatenate(column) for column in zip(*(parts or [self._ends(asked[:0])]), strict=True)]
        return Outcome(rewards, ended, *columns)

    def observe(self) -> NDArray[np.int8]:
        """(N, D) int8, a fresh array: what the outside seats see."""
        seen = self.batch.observation.copy()
        over = np.flatnonzero(self.batch.player < 0)
        if over.size:  # the batch shows those as the last mover saw them
            seen[over] = self.batch.observe(self.seat[over], over)
        return seen

    def snapshot(self) -> SeatsSnapshot:
        """A copy of everything but the players."""
        return SeatsSnapshot(self.batch.snapshot(), self.seat.copy(), self.opponents.copy(), self.dealt.copy())

    def restore(self, snapshot: SeatsSnapshot) -> None:
        """Puts all games and seats back as they stood at a snapshot of games of the same rules and number.

        Players with a memory begin anew: it is no part of a snapshot.
        """
        self.batch.restore(snapshot.games)
        self.seat[:] = snapshot.seat
        self.opponents[:] = snapshot.opponents
        self.dealt[:] = snapshot.dealt
        self._forget(np.arange(len(self)))

    def _ends(self, rows: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
        """The columns of `Outcome` for games that have just ended."""
        batch, seat = self.batch, self.seat[rows]
        seen = batch.observe(seat, rows)
        return rows, seen, batch.winner[rows], batch.cut_off[rows], batch.turns[rows], seat, self.opponents[rows]

    def _deal(self, rows: NDArray[np.int64]) -> None:
        """The next game in the given rows."""
        if rows.size:
            self.batch.reset(rows=rows)
            self._seat(rows)

    def _seat(self, rows: NDArray[np.int64]) -> None:
        """Seats the outside player and the opponents of games just dealt."""
        seeds, n = self.batch.seed[rows], self.batch.rules.players
        if self._seating == "rotate":
            self.seat[rows] = (rows + self.dealt[rows]) % n
        elif self._seating is None:
            self.seat[rows] = (_uniform(seeds, _SALT_SEAT) * n).astype(np.int64)
        else:
            self.seat[rows] = self._seating
        alike = _uniform(seeds, _SALT_ALIKE) < self._alike
        for seat in range(n):
            drawn = _uniform(seeds, np.uint64(_SALT_OPPONENT) + np.where(alike, 0, seat).astype(np.uint64))
            self.opponents[rows, seat] = np.searchsorted(self._edges, drawn, side="right")
        self.opponents[rows, self.seat[rows]] = -1
        self.dealt[rows] += 1
        self._forget(rows)

    def _ask(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Writes the opponents' decisions where they are to move, and returns those of the rows where they are."""
        batch = self.batch
        mover = batch.player[rows]
        others = (mover >= 0) & (mover != self.seat[rows])
        rows, mover = rows[others], mover[others]
        if rows.size:
            noise, who = batch.noise(), self.opponents[rows, mover]
            for k, asker in enumerate(self._askers):
                some = rows[who == k]
                if some.size:
                    if asker is None:
                        raise BluffError(f"opponents: nobody plays {self.names[k]!r} yet; see set_player")
                    actions[some] = asker.ask(batch, some, noise[some])
        return rows

    def _asker(self, player: Player | None) -> Asker | None:
        return None if player is None else Asker(player, len(self.batch), self.batch.rules.players)

    def _forget(self, rows: NDArray[np.int64]) -> None:
        """New games begin: players with a memory begin anew there."""
        for asker in self._askers:
            if asker is not None:
                asker.forget(rows)


def _edges(opponents: Mapping[str, float]) -> NDArray[np.float64]:
    """Where in [0, 1) each name's share ends, the last one left out."""
    try:
        shares = np.array(list(opponents.values()), np.float64)
    except (TypeError, ValueError):
        shares = np.array([np.nan])
    if not shares.size or not (np.isfinite(shares).all() and (shares >= 0).all() and shares.sum() > 0):
        raise BluffError(f"opponents: {dict(opponents)!r} is not allowed; shares of at least 0, one of them above 0")
    edges: NDArray[np.float64] = np.cumsum(shares / shares.sum())[:-1]
    return edges


def _share(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BluffError(f"{name}: {value!r} is not allowed; a share from 0 to 1")
    return float(value)


def _seating(seat: object, players: int) -> Any:
    whole = isinstance(seat, int | np.integer) and not isinstance(seat, bool) and 0 <= seat < players
    if seat is None or seat == "rotate" or whole:
        return seat
    raise BluffError(f"seat: {seat!r} is not allowed; null, rotate, or a seat from 0 to {players - 1}")


def _uniform(seeds: NDArray[np.int64], salt: ArrayLike) -> NDArray[np.float64]:
    """One number in [0, 1) a seed (splitmix64's output function, as in `engine.rng`)."""
    x = seeds.astype(np.uint64) ^ np.asarray(salt, np.uint64)
    for multiplier, shift in ((0xBF58476D1CE4E5B9, 30), (0x94D049BB133111EB, 27)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(multiplier)
    x ^= x >> np.uint64(31)
    return (x >> np.uint64(11)).astype(np.float64) / 2**53
