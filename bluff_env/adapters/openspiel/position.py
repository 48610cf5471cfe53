"""Positions: where a game can stand, chance nodes included. The engine plays every step; no rule stands here.

What chance decides after the deal is decided inside a step of the engine (`engine.chance`). A position that waits for
it is the one before the step, the action, and the results so far: they are written into the log, the step is tried,
and the engine tells what it asked beyond them. Once it asks nothing more the step stands.
"""

from __future__ import annotations

from functools import lru_cache
from threading import RLock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_env.adapters.openspiel.dealing import Dealt, Outcomes, deal_on, deck_of
from bluff_env.adapters.openspiel.events import Entry
from bluff_env.adapters.openspiel.seeing import entries_of_deal, entries_of_step
from bluff_env.adapters.openspiel.sight import Sight
from bluff_env.adapters.openspiel.text import rules_of
from bluff_env.deals import Deal
from bluff_env.engine.batch import GameBatch
from bluff_env.engine.state import (
    ASKED_BACK,
    ASKED_BLIND,
    ASKED_DECK,
    ASKED_NOTICE,
    ASKED_OPENER,
    ASKED_RACE,
    GAME,
    PHASES,
)
from bluff_env.errors import BluffError
from bluff_env.layout import Layout, layout
from bluff_env.ruleset import Rules

CHANCE: Final = -1
OVER: Final = -4

# Positions of a small deck that are kept, so that solvers, which walk the same tree again and again, find them.
_KEPT: Final = 150_000
_SMALL_DECK: Final = 12

_ASKED: Final = {ASKED_RACE: "race", ASKED_BLIND: "blind", ASKED_BACK: "back", ASKED_OPENER: "opener"}
_PHASE_NAMES: Final = {number: name for name, number in PHASES.items()}


class Position:
    """Where a game stands. Never changed, so copies of a state share it.

    Attributes:
        table: who plays the steps.
        parent, action: where it came from, and by which action or outcome; None at the beginning.
        player: who decides, CHANCE or OVER.
        legal: the legal actions, in rising order; at a chance node the outcomes.
        chances: how likely each outcome is; empty where a player decides.
        what: what chance decides: dealer, opener, deal, race, back (where a start card goes), blind, notice; or "".
        games, cards: the engine's game after the last whole step; empty before the first deal is complete.
        sights: what each seat has seen.
        own: for each seat, its actions that no event has told of yet.
        dealer, dealt: of the deal under way, -1 and () if none.
        waiting, results: the action whose step waits for chance, and the results so far; -1 and () if none.
    """

    __slots__ = (
        "action", "cards", "chances", "dealer", "dealt", "games", "kids", "legal", "own", "parent", "player", "results",
        "sights", "table", "waiting", "what",
    )  # fmt: skip

    def __init__(self, table: TableOfPositions, parent: Position | None = None, action: int | None = None) -> None:
        self.table = table
        self.parent = parent
        self.action = action
        self.player = CHANCE
        self.legal: tuple[int, ...] = ()
        self.chances: tuple[float, ...] = ()
        self.what = ""
        self.games: bytes = b"" if parent is None else parent.games
        self.cards: bytes = b"" if parent is None else parent.cards
        n = table.rules.players
        self.sights: tuple[Sight, ...] = (Sight(),) * n if parent is None else parent.sights
        self.own: tuple[tuple[int, ...], ...] = ((),) * n if parent is None else parent.own
        self.dealer = -1
        self.dealt: Dealt = ()
        self.waiting = -1
        self.results: tuple[int, ...] = ()
        self.kids: dict[int, Position] | None = None

    def __deepcopy__(self, memo: Any) -> Position:
        return self

    def __copy__(self) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _position_of, (self.table.text, self.table.dealer, self.path)

    @property
    def path(self) -> tuple[int, ...]:
        """The actions and outcomes that lead here."""
        path = []
        at = self
        while at.parent is not None:
            assert at.action is not None
            path.append(at.action)
            at = at.parent
        return tuple(reversed(path))

    @property
    def steps(self) -> list[Position]:
        """The positions on the way here, the first first, this one included."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]

    @property
    def game(self) -> Any:
        """The engine's `GAME` record, a copy; before the first deal is complete it is all zero."""
        return np.frombuffer(self.games, GAME)[0] if self.games else np.zeros(1, GAME)[0]

    @property
    def decides(self) -> str:
        """What the seat to move decides, a name of `layout.phases`; "" for chance and at the end."""
        return _PHASE_NAMES[int(self.game["phase"])] if self.player >= 0 else ""

    def count(self, region: str, seat: int = 0) -> NDArray[np.int8]:
        """(K,) int8: cards of a region of the engine's memory (see `engine.state`), of a seat where each has one."""
        at = self.table.at(region, seat)
        return np.frombuffer(self.cards, np.int8)[at : at + self.table.kinds]

    def next(self, action: int) -> Position:
        """Where an action, or an outcome of chance, leads.

        Raises:
            BluffError: not legal here.
        """
        if self.kids is not None and action in self.kids:
            return self.kids[action]
        if action not in self.legal:
            raise BluffError(f"action {action} is not legal here; legal: {', '.join(map(str, self.legal)) or 'none'}")
        return self.table.next(self, action)


class TableOfPositions:
    """The positions of one rules object: the engine that plays them, and where they begin.

    Args:
        rules: what is played.
        dealer: who deals first; -1: chance decides.

    Attributes:
        text: the rules as text.
        root: where every game begins.
    """

    def __init__(self, rules: Rules, text: str, dealer: int) -> None:
        self.rules = rules
        self.text = text
        self.dealer = dealer
        self.layout: Layout = layout(rules)
        self.kinds = len(self.layout.tables.kinds)
        self.deck_size = rules.deck_size
        self._batch = GameBatch(rules, seeds=[0], restart=False)
        self._games = self._batch.games.view(np.uint8)
        self._cards = self._batch.cards.view(np.uint8).reshape(-1)
        self._action = np.zeros(1, np.int64)
        self._lock = RLock()
        self._at: bytes | None = None  # the game that the batch holds
        self._kept = 0 if rules.deck_size <= _SMALL_DECK else _KEPT
        self.root = Position(self)
        self._keep(self.root)
        if dealer >= 0:
            self._opener_or_deal(self.root, dealer)
        else:
            self._ask(self.root, "dealer", [(seat, 1 / rules.players) for seat in range(rules.players)])

    def at(self, region: str, seat: int = 0) -> int:
        """Where a region, or a seat's part of it, begins in a game's cards."""
        rule = self._batch.rule[0]
        return int(rule[f"c_{region}"]) + seat * int(rule["stride"])

    def text_of_action(self, position: Position, action: int) -> str:
        """An action at a position in words."""
        return self.layout.action_text(action, int(position.game["shift"]))

    def observe(self, position: Position, seat: int) -> NDArray[np.int8]:
        """(D,) int8, a fresh array: what a seat sees at a position; zeros before the first deal is complete."""
        if not position.games:
            return np.zeros(self.layout.size, np.int8)
        with self._lock:
            self._load(position)
            seen: NDArray[np.int8] = self._batch.observe(seat)[0]
            return seen

    def mask(self, position: Position) -> NDArray[np.bool_]:
        """(A,) bool, a fresh array: the legal actions of the seat to move; all False for chance and at the end."""
        mask = np.zeros(self.layout.n_actions, np.bool_)
        if position.player >= 0:
            mask[list(position.legal)] = True
        return mask

    def returns(self, position: Position) -> list[float]:
        """What each seat is paid: zeros before the end. [E3]"""
        if position.player != OVER:
            return [0.0] * self.rules.players
        with self._lock:
            self._load(position)
            return [float(x) for x in self._batch.rewards_so_far(0)]

    def next(self, before: Position, action: int) -> Position:
        """`Position.next` of a legal action."""
        after = Position(self, before, action)
        with self._lock:
            if before.what == "dealer":
                self._opener_or_deal(after, action)
            elif before.what == "opener" and before.waiting < 0:
                after.results = (action,)
                self._deal(after, before.dealer, ())
            elif before.what == "deal":
                after.results, after.waiting = before.results, before.waiting
                self._deal(after, before.dealer, (*before.dealt, action))
            elif before.player >= 0:
                own = (*before.own[before.player], action)
                after.own = (*before.own[: before.player], own, *before.own[before.player + 1 :])
                self._step(after, action, ())
            else:
                self._step(after, before.waiting, (*before.results, action))
        self._remember(before, action, after)
        return after

    def _remember(self, before: Position, action: int, after: Position) -> None:
        if before.kids is not None:
            self._keep(after)
            before.kids[action] = after

    def _keep(self, position: Position) -> None:
        if self._kept < _KEPT:
            self._kept += 1
            position.kids = {}

    # The deal

    def _ask(self, position: Position, what: str, outcomes: Outcomes) -> None:
        position.what = what
        position.legal = tuple(outcome for outcome, _ in outcomes)
        position.chances = tuple(chance for _, chance in outcomes)

    def _opener_or_deal(self, position: Position, dealer: int) -> None:
        position.dealer = dealer
        if self.rules.first_player == "random":
            self._ask(position, "opener", [(seat, 1 / self.rules.players) for seat in range(self.rules.players)])
        else:
            self._deal(position, dealer, ())

    def _deal(self, position: Position, dealer: int, dealt: Dealt) -> None:
        """Goes on with the deal as far as chance has no choice; `results` holds the opener where that is drawn."""
        position.dealer = dealer
        position.dealt, outcomes = deal_on(self.rules, dealer, dealt)
        if outcomes:
            self._ask(position, "deal", outcomes)
            return
        deck = deck_of(self.rules, dealer, position.dealt)
        position.dealer, position.dealt = -1, ()
        if position.waiting >= 0:  # a later deal of a match
            results, position.results = position.results, ()
            self._step(position, position.waiting, (*results, *deck))
            return
        opener = position.results[0] if position.results else -1
        position.results = ()
        self._at = None
        self._batch.lay_out(0, 0, Deal(dealer, opener, np.array(deck, np.int8)))
        entries = entries_of_deal(self._batch, self.rules)
        position.sights = tuple(_then(sight, seen) for sight, seen in zip(position.sights, entries, strict=True))
        self._stand(position)

    # A step

    def _step(self, position: Position, action: int, results: tuple[int, ...]) -> None:
        """Tries the step of a position's parent. It stands, or waits for chance."""
        batch, game = self._batch, self._batch.games[0]
        self._load(position)  # which still holds the game as it stood before
        before_game, before_cards = position.games, position.cards
        self._at = None
        if results:
            batch.force(results)
        self._action[0] = action
        batch.step(self._action)
        asked = int(game["asked"])
        if asked:
            game["forced"] = 0
            position.waiting, position.results = action, results
            self._wait(position, asked)
            return
        position.waiting, position.results = -1, ()
        entries = entries_of_step(batch, self.rules, np.frombuffer(before_game, GAME)[0], before_cards)
        if any(entries):
            position.own = ((),) * self.rules.players
            position.sights = tuple(_then(sight, seen) for sight, seen in zip(position.sights, entries, strict=True))
        self._stand(position)

    def _wait(self, position: Position, asked: int) -> None:
        """The next thing that chance decides in a step."""
        game = self._batch.games[0]
        if asked == ASKED_DECK:
            self._deal(position, int(game["dealer"]), ())
        elif asked == ASKED_NOTICE:
            likely = float(game["odds"])
            self._ask(position, "notice", [(0, 1 - likely), (1, likely)])
        else:
            choices = int(game["choices"])
            self._ask(position, _ASKED[asked], [(i, 1 / choices) for i in range(choices)])

    def _load(self, position: Position) -> None:
        """Puts the engine's game as it stands at a position."""
        if self._at is not position.games:
            self._games[:] = np.frombuffer(position.games, np.uint8)
            self._cards[:] = np.frombuffer(position.cards, np.uint8)
            self._at = position.games

    def _stand(self, position: Position) -> None:
        """The engine's game is that of a position now."""
        game = self._batch.games[0]
        game["logged"] = game["log_begin"] = game["forced"] = 0
        position.games, position.cards = self._games.tobytes(), self._cards.tobytes()
        self._at = position.games
        player = int(game["player"])
        position.player = player if player >= 0 else OVER
        position.legal = tuple(np.flatnonzero(self._batch.mask[0]).tolist()) if player >= 0 else ()


def _then(sight: Sight, entries: list[Entry]) -> Sight:
    for entry in entries:
        sight = sight.then(entry)
    return sight


@lru_cache(maxsize=8)
def table_of(text: str, dealer: int) -> TableOfPositions:
    """The positions of rules given as text; who deals first, -1: chance decides. Shared, as they never change."""
    return TableOfPositions(rules_of(text), text, dealer)


def _position_of(text: str, dealer: int, path: tuple[int, ...]) -> Position:
    """A position from what it is written down as: the actions and outcomes that lead there are played again."""
    position = table_of(text, dealer).root
    for action in path:
        position = position.next(action)
    return position
