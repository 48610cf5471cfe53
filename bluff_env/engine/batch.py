"""GameBatch: N games of the same rules, held as arrays, one row a game."""

from __future__ import annotations

import copy
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bluff_env.deals import Deal, parse_deal
from bluff_env.engine import rows as compiled
from bluff_env.engine.arguments import positive, row_seeds, whole_actions, whole_seeds
from bluff_env.engine.logs import Logs
from bluff_env.engine.rng import MAX_SEED
from bluff_env.engine.state import EVENT_WIDTH, GAME, MOST_EVENTS, compile_rules
from bluff_env.engine.table import make_table
from bluff_env.errors import BluffError, MoveError
from bluff_env.layout import Layout, layout
from bluff_env.ruleset import Rules, named
from bluff_env.ruleset import rules as make_rules

_ARRAYS = ("games", "cards", "observation", "mask", "_rewards", "_done")
_FIXED = frozenset(
    {"rules", "layout", "rule", "games", "cards", "observation", "mask", "restart", "threads", "address"}
)
# For the fast way through a step: names that need no second look-up.
_INT64 = np.dtype(np.int64)
_step_rows, _random_rows = compiled.step_rows, compiled.random_rows


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of every game of a batch, for `GameBatch.restore`. Holds hidden cards."""

    rules: Rules
    games: NDArray[Any]
    cards: NDArray[np.int8]
    log: NDArray[np.uint8]
    observation: NDArray[np.int8]
    mask: NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"<Snapshot of {len(self.games)} games>"


class GameBatch:
    """N games of the same rules, advanced together. A row's game depends on its seed alone, not on the batch.

    Args:
        rules: anything `bluff_env.rules` takes.
        games: N, the number of games.
        seed: one whole number from which each row's seed is drawn; None: drawn by the system.
        seeds: N seeds (0 to 2**53 - 1), one a row, instead.
        deals: N deals as game records write them, instead of shuffled ones (None in a row: shuffled).
        restart: a row whose game ends begins its next game in the same step (its seed is drawn from the last).
        threads: how many threads share a step at most, each with some thousand games; the results are the same for any
            number.
        **fields: fields of the rules that differ, e.g. `players=3`.

    Attributes:
        rules, layout: what is played and what the numbers mean.
        name: the named set the rules are, as it was asked for; None for house rules.
        observation: (N, D) int8, what the seat to move sees; of a finished game, what the seat that moved last sees.
        mask: (N, A) bool, its legal actions; all False when the game is over.
        address: where compiled code finds the arrays (see `engine.table`).
        rule, games, cards: the compiled rules and the games themselves (see `engine.state`). They hold what no seat
            may see; to look at, not to write.

    The arrays, the properties among them, are views that `step` writes in place: copy what must last. Who writes into
    `observation` or `mask` changes no game: what is legal and what `random_actions` draws goes by the game. A step
    mends only what it changes, `refresh` all of it.

    >>> batch = GameBatch("tiny", games=2, seed=1)
    >>> rewards, done = batch.step(batch.random_actions())
    >>> rewards.shape, done.shape
    ((2, 2), (2,))
    """

    address: int

    #: A thread is given no fewer rows: waking it takes longer than they do.
    rows_a_thread = 2048

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules = "bloff",
        games: int = 1,
        seed: int | None = 0,
        *,
        seeds: ArrayLike | None = None,
        deals: Sequence[Any] | None = None,
        restart: bool = True,
        threads: int = 1,
        **fields: Any,
    ) -> None:
        self.rules: Rules = make_rules(rules, **fields)
        self.name: str | None = named(rules, self.rules)
        self.layout: Layout = layout(self.rules)
        self.restart = restart
        self.threads = positive("threads", threads)
        n = positive("games", games)
        if seeds is not None and games == 1:
            n = len(np.atleast_1d(np.asarray(seeds)))
        elif deals is not None and games == 1:
            n = len(deals)
        self.rule = compile_rules(self.rules)
        self.games: NDArray[Any] = np.zeros(n, GAME)
        self.cards: NDArray[np.int8] = np.zeros((n, int(self.rule["c_width"][0])), np.int8)
        self._logs = Logs(self.games, int(self.rule["log_margin"][0]))
        self.observation: NDArray[np.int8] = np.zeros((n, self.layout.size), np.int8)
        self.mask: NDArray[np.bool_] = np.zeros((n, self.layout.n_actions), np.bool_)
        self._rewards: NDArray[np.float32] = np.zeros((n, self.rules.players), np.float32)
        self._done: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self._shape = (n,)
        self._views: dict[str, NDArray[Any]] = {}  # of fields of the games
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0
        self._link()
        self.reset(seed=secrets.randbelow(MAX_SEED + 1) if seed is None else seed, seeds=seeds, deals=deals)

    def __len__(self) -> int:
        return len(self.games)

    def __repr__(self) -> str:
        return f"GameBatch({len(self)} games, {self.rules.players} seats, restart={self.restart})"

    def __setattr__(self, name: str, value: Any) -> None:
        """Compiled code knows where the arrays lie: they are written into, not replaced."""
        if name in _FIXED and name in self.__dict__:
            raise AttributeError(f"GameBatch.{name} is fixed when the batch is made")
        super().__setattr__(name, value)

    def __copy__(self) -> GameBatch:
        return copy.deepcopy(self)  # two batches cannot share games

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None, "rule": None, "_table": None, "_views": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, rule=compile_rules(state["rules"]))
        for name in _ARRAYS:  # what comes from shared memory may be read-only
            self.__dict__[name] = np.require(state[name], requirements=("C", "W"))
        self._logs.of(self.games)
        self._link()

    def _link(self) -> None:
        """Tells compiled code where the arrays lie."""
        self._shares = max(1, min(self.threads, len(self) // self.rows_a_thread))
        self._table = make_table(
            {
                "rule": self.rule,
                "games": self.games,
                "cards": self.cards,
                "log": self._logs.at_hand,
                "observation": self.observation,
                "mask": self.mask,
                "rewards": self._rewards,
                "done": self._done,
            },
            self._shares,
            self.restart,
        )
        self.__dict__["address"] = int(self._table.ctypes.data)

    @property
    def player(self) -> NDArray[np.int32]:
        """(N,) int32: the seat to move, -1 when over."""
        return self._field("player")

    @property
    def cut_off(self) -> NDArray[np.bool_]:
        """(N,) bool: True after the step that cut the row's game off. [E2]"""
        return self._field("cut_off").astype(np.bool_)

    @property
    def turns(self) -> NDArray[np.int32]:
        """(N,) int32: turns played, in a match those of the deal under way."""
        return self._field("turns")

    @property
    def steps(self) -> NDArray[np.int32]:
        """(N,) int32: decisions made."""
        return self._field("steps")

    @property
    def seed(self) -> NDArray[np.int64]:
        """(N,) int64: what each game was dealt from."""
        return self._field("seed")

    @property
    def shift(self) -> NDArray[np.int32]:
        """(N,) int32: the claim that relative index 0 stands for."""
        return self._field("shift")

    @property
    def winner(self) -> NDArray[np.int32]:
        """(N,) int32: the seat that won, -1 for none."""
        return self._field("winner")

    def _field(self, name: str) -> NDArray[Any]:
        view: NDArray[Any] | None = self._views.get(name)
        if view is None:
            view = self.games[name]
            view.flags.writeable = False
            self._views[name] = view
        return view

    def reset(
        self,
        seed: int | None = None,
        *,
        seeds: ArrayLike | None = None,
        deals: Sequence[Any] | None = None,
        rows: ArrayLike | None = None,
    ) -> None:
        """New games in the given rows (all, if None), from one seed, from one seed a row, or from given deals.

        With neither seed nor seeds, each row's next game is the one that `restart` would begin.

        Raises:
            BluffError: a seed out of range, or not as many seeds or deals as rows.
            DealError: a deal the rules could not have dealt; nothing is changed.
        """
        where = self.rows(rows)
        if seeds is not None:
            use = whole_seeds(seeds, len(where))
        elif seed is not None:
            use = row_seeds(whole_seeds([seed], 1)[0], len(self))[where]
        else:
            use = self.games["next_seed"][where]
        given = [None] * len(where) if deals is None else list(deals)
        if len(given) != len(where):
            raise BluffError(f"deals: {len(given)} given for {len(where)} rows")
        parsed = [None if deal is None else parse_deal(self.rules, deal) for deal in given]
        fresh = np.array([i for i, deal in enumerate(parsed) if deal is None], np.int64)
        compiled.deal_rows(self.address, use[fresh], where[fresh])
        for i, deal in enumerate(parsed):
            if deal is not None:
                self.lay_out(int(where[i]), int(use[i]), deal)

    def lay_out(self, row: int, seed: int, deal: Deal) -> None:
        """A new game in a row from a checked deal; `seed` is what later chance comes from."""
        at = int(self.rule["c_deck"][0])
        self.cards[row, at : at + len(deal.deck)] = deal.deck
        compiled.lay_out_row(self.address, row, seed, deal.dealer, deal.opener)

    def step(self, actions: ArrayLike) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Plays one action in every row; -1 leaves a row alone.

        Args:
            actions: (N,) whole numbers.

        Returns:
            rewards: (N, P) float32, one a seat, zero until the game ends [E3]; written in place by the next step.
            done: (N,) bool, the games that ended in this step; written in place by the next step.

        Raises:
            MoveError: an illegal action; names the row, and no row is changed.
        """
        if not (
            isinstance(actions, np.ndarray)
            and actions.dtype is _INT64
            and actions.shape == self._shape
            and actions.flags.carray
        ):
            actions = whole_actions(actions, self._shape[0])
        if self._shares == 1:
            most = _step_rows(self.address, actions, 0)
        else:
            self.check(actions)
            most = max(self._shared(_step_rows, actions))
        if most < 0:
            self._refuse(-1 - int(most), actions)
        if most > self._logs.full:
            self.room_after(most)
        return self._rewards, self._done

    def check(self, actions: NDArray[np.int64]) -> None:
        """Raises MoveError where one of (N,) int64 actions is neither -1 nor legal."""
        if actions.dtype != _INT64 or actions.shape != self._shape or not actions.flags.carray:
            actions = whole_actions(actions, self._shape[0])
        bad = int(compiled.first_illegal(self.address, actions))
        if bad >= 0:
            self._refuse(bad, actions)

    def _refuse(self, row: int, actions: NDArray[np.int64]) -> None:
        raise MoveError((f"row {row}: " if len(self) > 1 else "") + self.illegal_text(row, int(actions[row])))

    def _shared(self, function: Callable[..., Any], actions: NDArray[np.int64]) -> list[Any]:
        """Calls a compiled function for all rows, one share of them a thread. This thread takes the first."""
        if self._pool is None or self._pool_of != os.getpid():  # threads do not survive a fork
            self._pool, self._pool_of = ThreadPoolExecutor(self._shares - 1), os.getpid()
        pool, address = self._pool, self.address
        others = [pool.submit(function, address, actions, share) for share in range(2, self._shares + 1)]
        return [function(address, actions, 1), *(other.result() for other in others)]

    def room_after(self, filled: int) -> None:
        """Makes room in the logs if one is filled so far that a step might not fit."""
        if filled > self._logs.full and self._logs.make_room():
            self._link()

    def force(self, results: Sequence[int]) -> None:
        """What chance will decide in the next step of a batch of one game. For readers of records."""
        self._logs.force(results)
        self.games["forced"][0] = len(results)

    @property
    def redeal_bytes(self) -> int:
        """How many results of chance the next deal of a match takes in a log."""
        return self.rules.deck_size + int(self.rules.first_player == "random")

    def redeal(self, deal: Deal) -> None:
        """Replaces the deal of a match that chance has just dealt in a batch of one game. For readers of records."""
        rule = self.rule[0]
        opened = [deal.opener] if self.rules.first_player == "random" else []
        self._logs.replace_last([*opened, *deal.deck])
        self.cards[0, rule["c_deck"] : rule["c_deck"] + len(deal.deck)] = deal.deck
        opener = (deal.dealer + 1) % self.rules.players if deal.opener < 0 else deal.opener
        compiled.redeal_row(self.address, 0, opener)

    def illegal_text(self, row: int, action: int) -> str:
        """One line that says why an action is refused in a row, and what is legal there."""
        if self.player[row] < 0:
            return f"action {action}: the game is over; only -1, which leaves it alone, is allowed"
        words = [int(word) for word in self.games["legal"][row]]
        legal = [a for a in range(self.layout.n_actions) if words[a // 64] >> (a % 64) & 1]
        texts = ", ".join(f"{a} ({self.action_text(a, row)})" for a in legal)
        known = 0 <= action < self.layout.n_actions
        named = f"{action} ({self.action_text(action, row)})" if known else str(action)
        return f"action {named} is not legal for player_{self.player[row]}; legal: {texts}"

    def action_text(self, action: int, row: int = 0) -> str:
        """An action in words, as it stands in a row's game now."""
        return self.layout.action_text(action, int(self.shift[row]))

    def refresh(self) -> None:
        """Writes `observation` and `mask` anew, which a step only brings up to date: for who has written into them."""
        compiled.show_rows(self.address)

    def observe(self, seats: ArrayLike, rows: ArrayLike | None = None) -> NDArray[np.int8]:
        """What the given seats see.

        Args:
            seats: one seat for all rows, or one a row.
            rows: the rows to look at; all, if None.

        Returns:
            (rows, D) int8, a fresh array.
        """
        where = self.rows(rows)
        given = np.asarray(seats)
        if given.dtype.kind not in "iu" or given.shape not in ((), (1,), where.shape):
            raise BluffError(
                f"seats: shape {given.shape}, dtype {given.dtype} found; a seat, or one for each of {len(where)} rows"
            )
        who = np.broadcast_to(given.astype(np.int64), where.shape)
        if who.size and not ((who >= 0) & (who < self.rules.players)).all():
            raise BluffError(f"seats: {who.min()} to {who.max()} found; 0 to {self.rules.players - 1}")
        out = np.empty((len(where), self.layout.size), np.int8)
        compiled.observe_rows(self.address, where, np.ascontiguousarray(who), out)
        return out

    def rows(self, rows: ArrayLike | None) -> NDArray[np.int64]:
        """The rows that are meant: all if None, those that are true in a mask; compiled code does not check them."""
        if rows is None:
            return np.arange(len(self))
        given = np.atleast_1d(np.asarray(rows))
        if given.dtype == np.bool_ and given.shape == (len(self),):
            return np.flatnonzero(given)
        if given.size and (given.dtype.kind not in "iu" or given.ndim != 1):
            found = f"shape {given.shape}, dtype {given.dtype} found"
            raise BluffError(f"rows: {found}; whole numbers, or {len(self)} times true or false")
        where = np.ascontiguousarray(given, np.int64)
        if where.size and not ((where >= 0) & (where < len(self))).all():
            raise BluffError(f"rows: {where.min()} to {where.max()} found; 0 to {len(self) - 1}")
        return where

    def state(self) -> NDArray[np.int8]:
        """(N, S) int8, a fresh array: everything, hidden cards included (`layout.state_pieces`)."""
        out = np.empty((len(self), self.layout.state_size), np.int8)
        compiled.state_rows(self.address, out)
        return out

    def events(self, row: int) -> NDArray[np.int32]:
        """(n, width) int32, a fresh array: what the last step of a row brought about (see `rows.write_events`)."""
        out = np.empty((MOST_EVENTS, EVENT_WIDTH + 3 * int(self.rule["kinds"][0])), np.int32)
        return out[: int(compiled.event_rows(self.address, self._row(row), out))]

    def trace(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """All that happened in a row's game, found by playing it once more. Fresh arrays.

        Returns:
            (n, width) int32 events, see `rows.write_events`.
            (deals, 2 + deck) int32, the later deals of a match: dealer, opener, deck; the last may be unused.
        """
        at = self._row(row)
        game = self.games[at]
        out = np.empty(((int(game["steps"]) + 1) * MOST_EVENTS, EVENT_WIDTH + 3 * int(self.rule["kinds"][0])), np.int32)
        deals = np.empty((int(game["scores"].sum()) + 1, 2 + self.rules.deck_size), np.int32)
        scratch, cards = np.zeros(1, GAME), np.zeros((1, self.cards.shape[1]), np.int8)
        whole = self._logs.whole(at)[None]
        found = compiled.trace_row(self.address, at, whole, scratch.ctypes.data, cards, out, deals)
        return out[: int(found)], deals

    def rewards_so_far(self, row: int) -> NDArray[np.float64]:
        """(n,) float64: the rewards of a row as its game stands, unrounded, a fresh array. [E3]"""
        out: NDArray[np.float64] = np.zeros(self.rules.players, np.float64)
        compiled.reward_row(self.address, self._row(row), out[None])
        return out

    def _row(self, row: int) -> int:
        """One row, checked: compiled code does not."""
        return int(self.rows(row)[0])

    def noise(self) -> NDArray[np.float64]:
        """(N,) float64 in [0, 1), a fresh array: randomness for the next decision, from seed and step alone."""
        out = np.empty(len(self), np.float64)
        compiled.noise_rows(self.address, out)
        return out

    def random_actions(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """(N,) int64: a uniform legal action a row, from `noise`; -1 where the game is over. Into `out` if given."""
        if out is None:
            out = np.empty(len(self), np.int64)
        elif not (out.dtype is _INT64 and out.shape == self._shape and out.flags.carray) and not self._fits(out):
            raise BluffError(f"out: shape {out.shape}, dtype {out.dtype} found; {self._shape} int64 expected")
        if self._shares == 1:
            _random_rows(self.address, out, 0)
        else:
            self._shared(_random_rows, out)
        return out

    def _fits(self, out: NDArray[Any]) -> bool:
        return out.shape == self._shape and out.dtype == _INT64 and bool(out.flags.carray)

    def snapshot(self, rows: ArrayLike | None = None) -> Snapshot:
        """A copy of the given games (all, if None) as they stand."""
        where = self.rows(rows)
        games, cards, log = self.games[where], self.cards[where], self._logs.copies(where)
        return Snapshot(self.rules, games, cards, log, self.observation[where], self.mask[where])

    def restore(self, snapshot: Snapshot) -> None:
        """Puts all games back as they stood at a snapshot of games of the same rules and number."""
        if snapshot.rules != self.rules or len(snapshot.games) != len(self):
            raise BluffError(f"snapshot: {snapshot!r} of other rules or size; {self!r} expected")
        self.games[:] = snapshot.games
        self.cards[:] = snapshot.cards
        self.observation[:] = snapshot.observation
        self.mask[:] = snapshot.mask
        self._logs.restore(snapshot.log)
        self._link()

    def records(self) -> list[dict[str, Any]]:
        """The N games as game records (`bluff-record/1`), finished or under way. Hidden cards included."""
        from bluff_env.record import record_of_row

        return [record_of_row(self, row) for row in range(len(self))]
