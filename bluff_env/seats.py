"""One seat of many games: N games of a batch, one seat of each played from outside, the other seats by opponents.

The core of the single-seat environments (SB3's VecEnv, Gymnasium's VectorEnv). Opponents are asked in batches, all rows
where the same policy is to move at once, until every seat played from outside is to move or its game is over. Those who
play uniformly at random are not asked: compiled code plays for them (`engine.uniform`), the very same games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bluff_env.asking import Asker, Player
from bluff_env.engine.arguments import whole_actions
from bluff_env.engine.batch import GameBatch, Snapshot
from bluff_env.engine.uniform import play_uniform_rows
from bluff_env.errors import BluffError
from bluff_env.ruleset import Rules

# Salts keep what is drawn from a game's seed here apart from its deal and its noise.
_SALT_ALIKE: Final = 0x3C6EF372FE94F82A
_SALT_OPPONENT: Final = 0x8F1BBCDCBFA53E0B
_SALT_SEAT: Final = 0x5851F42D4C957F2D

# Who is to move, where nobody of the names is.
_OUTSIDE, _OVER = -1, -2
_NO_ROWS: Final[NDArray[np.int64]] = np.zeros(0, np.int64)
#: Games in a row that may end before the outside seat is asked anything.
_MOST_UNASKED: Final = 1000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step of `Seats` brought the seats played from outside. All arrays are fresh.

    Attributes:
        rewards: (N,) float64, zero until the game ends [E3].
        done: (N,) bool, the games that ended.
        rows: (k,) int64, their rows, in the order in which they ended.
        observation: (k, D) int8, what the seat saw at the end.
        winner: (k,) int32, the seat that won, -1 for none.
        cut_off: (k,) bool [E2].
        turns: (k,) int32, turns the game took; of a match, its last deal.
        seat: (k,) int64, the seat that was played from outside.
        opponents: (k, P) int64, who sat in each seat: an index into `Seats.names`; -1 in the outside seat.
    """

    rewards: NDArray[np.float64]
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
        opponents: {name: share of the seats}; the shares need not sum to 1. Or P - 1 names, one for each other seat,
            from the outside seat's left on.
        players: {name: who plays under that name}; names may be filled in later by `set_player`.
        seed: one whole number from which every game follows.
        seat: the seat played from outside; None draws it from each game's seed; "rotate" moves it one seat to the
            left with every game of a row, row i beginning with seat i.
        alike: the share of games in which all opponents are the same one; in the others each seat is drawn by itself.

    Attributes:
        batch: the games. Its observation of a game that is over is what the outside seat sees.
        names: who may sit in the other seats.
        seat: (N,) int64, the seat played from outside in the game under way.
        opponents: (N, P) int64, who sits in each seat: an index into `names`; -1 in the outside seat.
        dealt: (N,) int64, how many games the row has begun.
    """

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules,
        games: int,
        opponents: Mapping[str, float] | Sequence[str],
        players: Mapping[str, Player],
        *,
        seed: int = 0,
        seat: int | Literal["rotate"] | None = None,
        alike: float = 1.0,
    ) -> None:
        self.batch = GameBatch(rules, games=games, seed=seed, restart=False)
        self.names: tuple[str, ...] = tuple(dict.fromkeys(opponents))
        n, p = len(self.batch), self.batch.rules.players
        self._edges: NDArray[np.float64] | None = edges(opponents) if isinstance(opponents, Mapping) else None
        self._places: NDArray[np.int64] = np.array([self.names.index(name) for name in opponents], np.int64)
        if self._edges is None and len(self._places) != p - 1:
            raise BluffError(f"opponents: {len(self._places)} named; {p - 1} for {p} seats")
        self._askers: list[Asker | None] = [self._asker(players.get(name)) for name in self.names]
        self._uniform: NDArray[np.bool_] = np.array([_plays_uniformly(asker) for asker in self._askers])
        self._seating = _seating(seat, p)
        self._alike = share("alike", alike)
        self.seat: NDArray[np.int64] = np.zeros(n, np.int64)
        self.opponents: NDArray[np.int64] = np.full((n, p), _OUTSIDE, np.int64)
        self.dealt: NDArray[np.int64] = np.zeros(n, np.int64)
        # Written by `_play`: who is to move in each row, and what the outside seat is paid.
        self._mover: NDArray[np.int64] = np.full(n, _OUTSIDE, np.int64)
        self._paid: NDArray[np.float64] = np.zeros(n, np.float64)

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
        at = self.names.index(name)
        self._askers[at] = self._asker(player)
        self._uniform[at] = _plays_uniformly(self._askers[at])

    def set_shares(self, opponents: Mapping[str, float]) -> None:
        """The shares of the same names from the next game of each row on.

        Raises:
            BluffError: other names, shares that are not allowed, or opponents that have fixed places.
        """
        if self._edges is None or tuple(opponents) != self.names:
            raise BluffError(f"opponents: {', '.join(opponents)} found; shares of {', '.join(self.names)} expected")
        self._edges = edges(opponents)

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

        Raises:
            BluffError: as of `GameBatch.reset`; or in a given deal the outside seat is never asked anything.
        """
        where = self.batch.rows(rows)
        self.batch.reset(seed, seeds=seeds, deals=deals, rows=where)
        if rows is None and (seed is not None or seeds is not None):
            self.dealt[:] = 0
        self._seat(where)
        self._run(where, np.full(len(self), -1, np.int64), where, restart=False)

    def step(self, actions: ArrayLike, restart: bool = True, fresh: NDArray[np.int64] | None = None) -> Outcome:
        """Plays the outside seats' actions, then the opponents, up to the outside seats' next decisions.

        Args:
            actions: (N,) whole numbers; -1 leaves a row alone.
            restart: begin the next game where one ended, in the same step; otherwise the row stays at its end.
            fresh: (k,) rows that begin their next game instead of playing an action.

        Raises:
            MoveError: an illegal action; names the row, and nothing is changed.
        """
        batch = self.batch
        given = whole_actions(actions, len(self))
        new = _NO_ROWS if fresh is None else fresh
        given[new] = -1
        batch.check(given)
        rows = np.flatnonzero(given >= 0)
        if new.size:
            self._deal(new)
            rows = np.concatenate([rows, new])
        return self._run(rows, given, new, restart)

    def observe(self) -> NDArray[np.int8]:
        """(N, D) int8, a fresh array: what the outside seats see."""
        return self.batch.observation.copy()

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

    def _run(
        self, rows: NDArray[np.int64], actions: NDArray[np.int64], fresh: NDArray[np.int64], restart: bool
    ) -> Outcome:
        """Plays the given rows on until nobody but outside seats is to move.

        Args:
            rows: games under way.
            actions: (N,) what to play first in these rows; -1: nothing. Written over.
            fresh: the rows among them whose games have just been dealt.
            restart: as of `step`.
        """
        n = len(self)
        rewards, ended, parts = np.zeros(n, np.float64), np.zeros(n, np.bool_), []
        asked, unasked = np.ones(n, np.bool_), np.zeros(n, np.int64)
        asked[fresh] = False
        while rows.size:
            self._play(rows, actions)
            over = rows[self._mover[rows] == _OVER]
            if over.size:
                begun, again = over[asked[over]], over[~asked[over]]
                if begun.size:
                    rewards[begun], ended[begun] = self._paid[begun], True
                    parts.append(self._ends(begun))
                unasked[again] += 1
                self._may_deal_again(again, unasked)
                if restart:
                    again = over
                asked[again] = False
                self._deal(again)
            rows = rows[self._mover[rows] >= 0]
            if rows.size:
                actions.fill(-1)
                self._ask(rows, actions)
        if not parts:
            parts.append(self._ends(_NO_ROWS))
        columns = parts[0] if len(parts) == 1 else [np.concatenate(column) for column in zip(*parts, strict=True)]
        return Outcome(rewards, ended, *columns)

    def _play(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Plays the rows' legal actions, and on for the uniform players; who is to move then is in `_mover`."""
        logged = play_uniform_rows(
            self.batch.address, rows, actions, self.seat, self.opponents, self._uniform, self._paid, self._mover
        )
        self.batch.room_after(logged)

    def _ends(self, rows: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
        """The columns of `Outcome` for games that have just ended."""
        batch, seat = self.batch, self.seat[rows]
        seen = batch.observation[rows]
        return rows, seen, batch.winner[rows], batch.cut_off[rows], batch.turns[rows], seat, self.opponents[rows]

    def _may_deal_again(self, rows: NDArray[np.int64], unasked: NDArray[np.int64]) -> None:
        """Refuses to pass over a deal that was asked for, and rules under which the outside seat has no say."""
        given = rows[self.batch.games["given_deal"][rows] != 0]
        if given.size:
            where = f"row {given[0]}: " if len(self) > 1 else ""
            raise BluffError(f"{where}deal: the game ends before the learner is asked anything; another deal or seat")
        if rows.size and unasked[rows].max() >= _MOST_UNASKED:
            raise BluffError(f"reset: {_MOST_UNASKED} games in a row ended before the learner was asked anything")

    def _deal(self, rows: NDArray[np.int64]) -> None:
        """The next game in the given rows."""
        if rows.size:
            self.batch.reset(rows=rows)
            self._seat(rows)

    def _seat(self, rows: NDArray[np.int64]) -> None:
        """Seats the outside player and the opponents of games just dealt."""
        seeds, n = self.batch.seed[rows], self.batch.rules.players
        if self._seating == "rotate":
            seat = (rows + self.dealt[rows]) % n
        elif self._seating is None:
            seat = drawn_seat(seeds, n)
        else:
            seat = np.full(len(rows), self._seating)
        if len(self.names) == 1:
            sitting = np.zeros((len(rows), n), np.int64)
        elif self._edges is None:  # the place of each seat, from the outside seat's left on; its own does not matter
            sitting = self._places[(np.arange(n) - seat[:, None] - 1) % n % (n - 1)]
        else:
            alike = _uniform(seeds, _SALT_ALIKE) < self._alike
            salts = np.where(alike[:, None], 0, np.arange(n)).astype(np.uint64) + np.uint64(_SALT_OPPONENT)
            sitting = np.searchsorted(self._edges, _uniform(seeds[:, None], salts), side="right")
        sitting[np.arange(len(rows)), seat] = _OUTSIDE
        self.seat[rows] = seat
        self.opponents[rows] = sitting
        self._mover[rows] = sitting[np.arange(len(rows)), self.batch.player[rows]]
        self.dealt[rows] += 1
        self._forget(rows)

    def _ask(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Writes the opponents' decisions in rows where they are to move; uniform players get none here."""
        noise, who = self.batch.noise(), self._mover[rows]
        for k, asker in enumerate(self._askers):
            some = rows[who == k]
            if some.size and not self._uniform[k]:
                if asker is None:
                    raise BluffError(f"opponents: nobody plays {self.names[k]!r} yet; see set_player")
                actions[some] = asker.ask(self.batch, some, noise[some])

    def _asker(self, player: Player | None) -> Asker | None:
        return None if player is None else Asker(player, len(self.batch), self.batch.rules.players)

    def _forget(self, rows: NDArray[np.int64]) -> None:
        """New games begin: players with a memory begin anew there."""
        for asker in self._askers:
            if asker is not None:
                asker.forget(rows)


def drawn_seat(seeds: NDArray[np.int64], players: int) -> NDArray[np.int64]:
    """(N,) int64: the outside seat of games with these seeds, where it is drawn."""
    return (_uniform(seeds, _SALT_SEAT) * players).astype(np.int64)


def _plays_uniformly(asker: Asker | None) -> bool:
    """Says the player's class that it draws uniform legal actions by `noise`? Its own class: heirs may not."""
    return asker is not None and vars(type(asker.player)).get("uniform") is True


def edges(opponents: Mapping[str, float]) -> NDArray[np.float64]:
    """Where in [0, 1) each name's share ends, the last one left out.

    Raises:
        BluffError: shares that are not allowed.
    """
    given = list(opponents.values())
    try:
        shares = np.array(given, np.float64)
    except (TypeError, ValueError):
        shares = np.array([np.nan])
    words = any(isinstance(part, str | bool) for part in given)  # which numpy would take for numbers
    if words or not shares.size or not (np.isfinite(shares).all() and (shares >= 0).all() and shares.sum() > 0):
        raise BluffError(f"opponents: {dict(opponents)!r} is not allowed; shares of at least 0, one of them above 0")
    ends: NDArray[np.float64] = np.cumsum(shares / shares.sum())[:-1]
    return ends


def share(name: str, value: float) -> float:
    """A share from 0 to 1.

    Raises:
        BluffError: anything else; `name` says what it is the share of.
    """
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
