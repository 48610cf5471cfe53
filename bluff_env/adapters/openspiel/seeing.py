"""From the engine's events to what each seat has seen of them. [V]"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bluff_env.adapters.openspiel.events import Counts, Entry
from bluff_env.engine import state as codes
from bluff_env.engine.batch import GameBatch
from bluff_env.engine.state import EVENT_WIDTH
from bluff_env.ruleset import Rules

Entries = list[list[Entry]]  # of each seat


class _Seeing:
    """What one step of a batch of one game has shown to each seat."""

    def __init__(self, batch: GameBatch, rules: Rules) -> None:
        self.batch, self.rules = batch, rules
        self.game = batch.games[0]
        self.kinds = int(batch.rule["kinds"][0])
        self.found: Entries = [[] for _ in range(rules.players)]

    def all(self, entry: Entry) -> None:
        """All have seen the same."""
        for seen in self.found:
            seen.append(entry)

    def region(self, name: str, cards: NDArray[np.int8], seat: int = 0) -> Counts:
        """Cards of a region of a game's memory."""
        rule = self.batch.rule[0]
        at = int(rule[f"c_{name}"]) + seat * int(rule["stride"])
        return tuple(cards[at : at + self.kinds].tolist())

    def one(self, kind: int) -> Counts:
        """One card."""
        return tuple(int(k == kind) for k in range(self.kinds))

    def deal(self) -> None:
        """A deal has begun: every seat sees its hand."""
        dealer, opener = int(self.game["dealer"]), int(self.game["opener"])
        cards = self.batch.cards[0]
        for seat, seen in enumerate(self.found):
            seen.append(Entry("hand", dealer, opener, own=self.region("hands", cards, seat)))

    def turned(self) -> None:
        """A start card has been turned and is voted on. [B2]"""
        self.all(Entry("turned", own=self.one(int(self.game["start"]))))

    def watches(self, seat: int, caller: int, accused: int) -> bool:
        """Does a seat see the cards that a call turns? [V]"""
        return self.rules.reveal == "all" or seat in (caller, accused)

    def step(self, before: Any, cards: NDArray[np.int8]) -> None:
        """All that a step has brought about. `before`, `cards`: the game as it stood before it."""
        game = self.game
        notices: list[tuple[int, Entry]] = []
        new_deal = False
        for event in self.batch.events(0).tolist() if game["n_events"] else []:
            kind, a, b, c = event[:4]
            if new_deal:  # what comes about by itself in the next deal of a match
                self.deal()
                new_deal = False
            first, second = (tuple(event[EVENT_WIDTH + i * self.kinds :][: self.kinds]) for i in (0, 1))
            if kind == codes.EVENT_PLAY:
                self.play(a, b, first)
            elif kind == codes.EVENT_CALL:
                self.call(event, first, second, cards, before)
            elif kind == codes.EVENT_PASS:
                self.all(Entry("pass", a))
            elif kind == codes.EVENT_CLEARED:
                self.all(Entry("cleared", numbers=(a, 0, 0, 0)))
            elif kind == codes.EVENT_START:
                self.all(Entry("start", flag=event[4] >= 0, bits=c if b else 0, own=self.one(a)))
            elif kind == codes.EVENT_DROP:
                self.found[a].append(Entry("drop", a, own=self.one(b)))
                notices = [(seat, Entry("notice", a)) for seat in range(self.rules.players) if c >> seat & 1]
            elif kind == codes.EVENT_ALARM:
                notices = [(seat, Entry("notice", a)) for seat in range(self.rules.players) if c >> seat & 1]
            elif kind == codes.EVENT_ACCUSE:
                self.accuse(a, b, bool(c), event[4], first, int(before["laps"][b]))
            elif kind == codes.EVENT_END:
                self.all(Entry("end", a, flag=bool(b)))
                new_deal = game["phase"] != codes.OVER
        for seat, notice in notices:  # after the play or pass, so that a true one is told like a false one [D2]
            self.found[seat].append(notice)
        if new_deal:
            self.deal()
        if game["phase"] == codes.GIVE and before["phase"] == codes.ANSWER:
            self.called(cards)
        if game["phase"] == codes.VOTE and (
            before["phase"] != codes.VOTE or game["redraws"] != before["redraws"] or any(self.found)
        ):
            self.turned()

    def play(self, mover: int, claim: int, cards: Counts) -> None:
        """A play: its cards are seen by whoever laid them."""
        for seat, seen in enumerate(self.found):
            own = cards if seat == mover else ()
            seen.append(Entry("play", mover, claim=claim, numbers=(sum(cards), 0, 0, 0), own=own))

    def call(self, event: list[int], drawn: Counts, given: Counts, cards: NDArray[np.int8], before: Any) -> None:
        """A call: who was wrong takes cards that the others do not see."""
        caller, accused, truthful, wrong, pile, back, callers = event[1:8]
        right = accused if wrong == caller else caller
        turned = self.region("last", cards)
        got = drawn
        if pile:
            got = tuple(sum(column) for column in zip(*self.pile(cards, before), strict=True))
        for seat, seen in enumerate(self.found):
            seen.append(
                Entry(
                    "call", caller, accused, flag=bool(truthful), numbers=(pile, sum(drawn), sum(given), back),
                    bits=callers if self.rules.call_order == "race" else 0,
                    own=turned if self.watches(seat, caller, accused) else (),
                    taken=got if seat == wrong else (), given=given if seat in (wrong, right) else (),
                )
            )  # fmt: skip

    def pile(self, cards: NDArray[np.int8], before: Any) -> list[Counts]:
        """The pile before the step: what each seat has laid into it, and the start card."""
        laid = [self.region("laid", cards, seat) for seat in range(self.rules.players)]
        return [*laid, self.one(int(before["start"])) if before["start_lies"] else (0,) * self.kinds]

    def called(self, cards: NDArray[np.int8]) -> None:
        """A call is settled but for the cards that the right party picks. [B7]"""
        game = self.game
        caller, accused, wrong = int(game["caller"]), int(game["mover"]), int(game["wrong"])
        drawn = self.region("drawn", self.batch.cards[0])
        turned = self.region("last", cards)
        numbers = (int(game["owed"]), int(game["drawn"]), 0, 0)
        for seat, seen in enumerate(self.found):
            seen.append(
                Entry(
                    "called", caller, accused, flag=bool(game["truthful"]), numbers=numbers,
                    bits=int(game["callers"]) if self.rules.call_order == "race" else 0,
                    own=turned if self.watches(seat, caller, accused) else (),
                    taken=drawn if seat == wrong and game["drawn"] else (),
                )
            )  # fmt: skip

    def accuse(self, accuser: int, accused: int, guilty: bool, drawn: int, cards: Counts, laps: int) -> None:
        """An accusation: the drops of a guilty seat are found out. [D3] [D4]"""
        loser = accused if guilty else accuser
        numbers = (0, drawn, 0, laps if guilty else 0)
        for seat, seen in enumerate(self.found):
            seen.append(Entry("accuse", accuser, accused, -1, guilty, numbers, taken=cards if seat == loser else ()))


def entries_of_deal(batch: GameBatch, rules: Rules) -> Entries:
    """What each seat sees when the first deal has been laid out."""
    seeing = _Seeing(batch, rules)
    seeing.deal()
    game = batch.games[0]
    if game["n_events"]:  # a start card that nobody is asked about
        seeing.all(Entry("start", own=seeing.one(int(game["start"]))))
    elif game["phase"] == codes.VOTE:
        seeing.turned()
    return seeing.found


def entries_of_step(batch: GameBatch, rules: Rules, before: Any, cards: bytes) -> Entries:
    """What each seat has seen of the last step of a batch of one game.

    Args:
        batch: the game after the step.
        rules: its rules.
        before, cards: the `GAME` record and the card counts before it.
    """
    seeing = _Seeing(batch, rules)
    seeing.step(before, np.frombuffer(cards, np.int8))
    return seeing.found
