"""The deal under way as movements of single cards, for `resampling`.

The engine counts cards by kind. Here each card of the deck is told apart: where copies of a kind could have moved, one
is chosen at random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from bluff_env.adapters.openspiel.events import Counts, Entry
from bluff_env.adapters.openspiel.position import Position

Sampler = Callable[[], float]


@dataclass(slots=True)
class Move:
    """Cards on the move.

    Attributes:
        kind: lay, take, draw, give, back, clear, drop, turn, put_back, keep, or seen: turned by a call.
        seat: whose cards move, or who gets them.
        cards: the cards, where who moves them chooses; else they follow from the rest.
        to: who gets given cards.
        count: how many are drawn, or how many lie above a start card that goes back.
        seen: the watching player sees them.
        truth: of a play that was called and that the player did not see: was it truthful; None else.
        claim: what was claimed.
        at: which of `Story.steps` this happened in.
    """

    kind: str
    seat: int = -1
    cards: list[int] = field(default_factory=list)
    to: int = -1
    count: int = 0
    seen: bool = False
    truth: bool | None = None
    claim: int = -1
    at: int = -1


@dataclass(slots=True)
class Step:
    """A decision that has been made: the position before, and after it with what chance decided in between."""

    before: Position
    action: int
    after: Position
    results: tuple[tuple[str, int], ...]


class Story:
    """What has happened in the deal under way, every card told apart.

    Args:
        position: where a decision is to be made, or the end.
        player: who watches.
        uniform: numbers in [0, 1).

    Attributes:
        begin: the position at which the first card of the deal was dealt.
        first: the position after the deal.
        steps: the decisions since.
        kinds: the kind of each card; cards are numbered as they were dealt: hand by hand, seat 0 first, the stock.
        hands, stock: the cards as they were dealt.
        moves: how they moved.
        noticed: the steps in which the player has been given a notice of a drop.
        turns: the steps that ended a turn, and whose.
        accused: the last step in which each seat has been accused of a drop, -1 for none.
    """

    def __init__(self, position: Position, player: int, uniform: Sampler) -> None:
        self.player, self._uniform = player, uniform
        self.table = position.table
        self.begin, self.first, self.steps = _deal_under_way(position)
        r, n = self.table.rules, self.table.kinds
        self.kinds: list[int] = []
        self.hands: list[list[int]] = []
        for seat in range(r.players):
            self.hands.append(self._new(_hand_of(self.first, seat)))
        at, size = self.table.at("stock"), r.deck_size - len(self.kinds)
        stock = np.frombuffer(self.first.cards, np.int8)[at : at + size].tolist()
        self.stock = [card for kind in stock for card in self._new([int(k == kind) for k in range(n)])]
        self.moves: list[Move] = []
        self.noticed: set[int] = set()
        self.turns: list[tuple[int, int]] = []
        self.accused = [-1] * r.players
        self._hold = [list(hand) for hand in self.hands]
        self._stock = list(self.stock)
        self._pile: list[int] = []
        self._last: list[int] = []
        self._start = -1
        self._drawn = False
        self._tell()

    def _new(self, counts: Counts | list[int]) -> list[int]:
        fresh = []
        for kind, count in enumerate(counts):
            for _ in range(count):
                fresh.append(len(self.kinds))
                self.kinds.append(kind)
        return fresh

    def _tell(self) -> None:
        for entry in self.fresh(None, self.first, self.player):
            if entry.kind in ("turned", "start"):
                self._start_card(entry, -1, 0)
        for at, step in enumerate(self.steps):
            places = [result for what, result in step.results if what == "back"]
            views = [self.fresh(step.before, step.after, seat) for seat in range(self.table.rules.players)]
            for seat, view in enumerate(views):  # a drop is seen by who drops
                for entry in view:
                    if entry.kind == "drop":
                        cards = self._take_from(seat, entry.own)
                        self.moves.append(Move("drop", seat, cards, at=at))
            shared = [[e for e in view if e.kind not in ("drop", "notice")] for view in views]
            for together in zip(*shared, strict=True):
                self._event(together, at, places)
            if any(entry.kind == "notice" for entry in views[self.player]):
                self.noticed.add(at)

    def fresh(self, before: Position | None, after: Position, seat: int) -> list[Entry]:
        """What a seat has seen between two positions; in the deal, from its hand on."""
        known = None if before is None else before.sights[seat]
        found: list[Entry] = []
        sight = after.sights[seat]
        while sight is not known and sight.entry is not None:
            if before is None and sight.entry.kind == "hand":
                break
            found.append(sight.entry)
            assert sight.before is not None
            sight = sight.before
        return found[::-1]

    def _event(self, views: tuple[Entry, ...], at: int, places: list[int]) -> None:
        entry = views[self.player]
        match entry.kind:
            case "turned" | "start":
                place = places.pop(0) if entry.flag and places else 0  # no choice where the stock is empty
                self._start_card(entry, at, place)
            case "pass":
                self.turns.append((at, entry.seat))
            case "play":
                self.turns.append((at, entry.seat))
                cards = self._take_from(entry.seat, views[entry.seat].own)
                self._pile += cards
                self._last = cards
                self.moves.append(Move("lay", entry.seat, cards, claim=entry.claim, at=at))
            case "called":
                self._turn_up(entry, at)
                self._draw(_wrong(entry), entry.numbers[1], at)
                self._drawn = True
            case "call":
                self._call(views, at)
            case "cleared":
                self._pile = []
                self.moves.append(Move("clear", at=at))
            case "accuse":  # [D3]
                self.accused[entry.other] = at
                self._draw(entry.other if entry.flag else entry.seat, entry.numbers[1], at)

    def _start_card(self, entry: Entry, at: int, place: int) -> None:
        """[B2] The stock's top card, turned; it stays as the pile's first card or goes back into the stock."""
        if self._start < 0:
            self._start = self._stock.pop(0)
            self.moves.append(Move("turn", seen=True, at=at))
        if entry.kind == "turned":
            return
        if entry.flag:
            self._stock.insert(place, self._start)
            self.moves.append(Move("put_back", count=place, at=at))
        else:
            self._pile = [self._start]
            self.moves.append(Move("keep", at=at))
        self._start = -1

    def _turn_up(self, entry: Entry, at: int) -> None:
        """The cards of the last play are turned: who does not see them is told whether they were what was claimed."""
        if any(entry.own):
            self.moves.append(Move("seen", cards=self._last, seen=True, at=at))
        else:
            lay = next(move for move in reversed(self.moves) if move.kind == "lay")
            lay.truth = entry.flag

    def _call(self, views: tuple[Entry, ...], at: int) -> None:
        """[C4], [B6] Who was wrong takes the pile or draws."""
        entry = views[self.player]
        wrong = _wrong(entry)
        right = entry.seat if wrong == entry.other else entry.other
        taken, drawn, given, back = entry.numbers
        if not self._drawn:
            self._turn_up(entry, at)
            if taken:
                self._hold[wrong] += self._pile
                self._pile = []
                self.moves.append(Move("take", wrong, seen=wrong == self.player, at=at))
            self._draw(wrong, drawn, at)
        self._drawn = False
        if given:  # [B7]
            cards = self._take_from(right, views[right].given)
            self._hold[wrong] += cards
            self.moves.append(Move("give", right, cards, wrong, seen=self.player in (wrong, right), at=at))
        if back:  # [B8]
            self._pile = [card for card in self._pile if card not in self._last]
            self._hold[entry.other] += self._last
            self.moves.append(Move("back", entry.other, at=at))

    def _draw(self, seat: int, count: int, at: int) -> None:
        if count:
            self._hold[seat] += self._stock[:count]
            self._stock = self._stock[count:]
            self.moves.append(Move("draw", seat, count=count, seen=seat == self.player, at=at))

    def _take_from(self, seat: int, counts: Counts) -> list[int]:
        """So many cards of each kind out of a hand; which of those that look the same is drawn."""
        taken: list[int] = []
        for kind, count in enumerate(counts):
            alike = [card for card in self._hold[seat] if self.kinds[card] == kind]
            for _ in range(count):
                taken.append(alike.pop(int(self._uniform() * len(alike))))
        self._hold[seat] = [card for card in self._hold[seat] if card not in taken]
        return taken


def _wrong(entry: Entry) -> int:
    return entry.seat if entry.flag else entry.other


def _hand_of(first: Position, seat: int) -> Counts:
    """What a seat was dealt in the deal under way."""
    for entry in first.sights[seat]:
        if entry.kind == "hand":
            return entry.own
    raise AssertionError("a deal begins with a hand")


def _deal_under_way(position: Position) -> tuple[Position, Position, list[Step]]:
    """Where the last deal began, the position after it, and the decisions since."""
    way = position.steps
    start = max(i for i, at in enumerate(way) if at.what == "deal") if any(at.what == "deal" for at in way) else -1
    first = start + 1
    while not way[first].games or way[first].waiting >= 0:
        first += 1
    begin = start
    while begin > 0 and way[begin - 1].what == "deal":
        begin -= 1
    steps: list[Step] = []
    before, action = way[first], -1
    results: list[tuple[str, int]] = []
    for previous, at in zip(way[first:], way[first + 1 :], strict=False):
        assert at.action is not None
        if previous.player >= 0:
            before, action, results = previous, at.action, []
        else:
            results.append((previous.what, at.action))
        if at.waiting < 0:
            steps.append(Step(before, action, at, tuple(results)))
    return way[max(begin, 0)], way[first], steps
