"""Playing the events of a game record on a game: what players decided is played, what chance decided is forced.

Chance is forced by writing its results into the game's log before the step (`engine.chance`), so the one engine works
out every consequence, and each is compared with what the event states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bluff_env.cards import claim_of, counts_of, kind_of
from bluff_env.engine.batch import Snapshot
from bluff_env.engine.state import ANSWER, DROP, GIVE, VOTE
from bluff_env.errors import BluffError, MoveError
from bluff_env.moves import Move
from bluff_env.record import last_events
from bluff_env.ruleset import tables

if TYPE_CHECKING:
    from bluff_env.game import Game

#: What each kind of event, told by its first key here, may hold; the first so many are required.
_KEYS: Final[dict[str, tuple[int, tuple[str, ...]]]] = {
    "play": (3, ("seat", "claim", "play")),
    "pass": (2, ("seat", "pass")),
    "call": (
        2,
        ("seat", "call", "callers", "truthful", "wrong", "pile", "drawn", "given", "back", "next"),
    ),
    "start": (1, ("start", "votes", "back_at")),
    "cleared": (1, ("cleared", "next")),
    "drop": (3, ("seat", "drop", "noticed")),
    "alarm": (2, ("alarm", "noticed")),
    "accuse": (2, ("seat", "accuse", "guilty", "drawn")),
}
#: A snapshot of the game, what is pending, the drop told but not yet noticed.
Saved = tuple[Snapshot, list[dict[str, Any]], dict[str, Any] | None]
_CARDS: Final = ("play", "drawn", "given", "back")
_SEATS: Final = ("noticed", "callers")


def kind(event: Mapping[str, Any]) -> str:
    """Which kind of event this is. Raises MoveError when it is none."""
    for name in _KEYS:
        if name in event:
            return name
    raise MoveError(f"none of {', '.join(_KEYS)} found; an event has exactly one of them")


class Follower:
    """Follows a record's events on a game.

    Attributes:
        game: the game that is played.
        pending: events that have come about by themselves and must be told next (a cleared pile, an alarm, a start
            card not voted on, the end of the deal).
        next_deal: what has come about by itself in the next deal of a match, once the last has ended.
        repeatable: how all stood before the play or pass told last, and that event; None after anything else.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._batch = game.batch
        self._rules, self._tables = game.rules, tables(game.rules)
        self._drop: dict[str, Any] | None = None
        self.pending: list[dict[str, Any]] = []
        self.next_deal: list[dict[str, Any]] = []
        self.repeatable: tuple[Saved, Mapping[str, Any]] | None = None
        self.begin()

    def saved(self) -> Saved:
        """How game and follower stand, for `back_to`."""
        return self.game.snapshot(), list(self.pending), self._drop

    def back_to(self, saved: Saved) -> None:
        """Puts game and follower back as they stood."""
        snapshot, pending, self._drop = saved
        self.pending = list(pending)
        self._batch.restore(snapshot)

    def begin(self) -> None:
        """A deal has been laid out: its start card, if nobody is asked about it, comes about by itself."""
        self._drop = None
        self.pending = last_events(self._batch, 0, self._dealer) if self._batch.steps[0] == 0 else []

    def go_on(self) -> None:
        """The next event is no answer: seats still asked decline, and after the end of a deal of a match the next one
        begins.
        """
        self._decline_window()
        if self.pending and "end" in self.pending[0] and not self.game.over:
            self.pending = list(self.next_deal)

    @property
    def told_drop(self) -> dict[str, Any] | None:
        """A drop that has been told, while the play or pass with which it is noticed has not."""
        return None if self._drop is None else dict(self._drop)

    def finish(self, actions: Sequence[int]) -> None:
        """The play or pass after a told drop, as small decisions: noticed by whom the event says."""
        self._act(actions, self._notices(None))
        self._check_drop()

    def redealt(self) -> None:
        """A later deal of a match has been laid out."""
        self._drop = None
        self.pending = last_events(self._batch, 0, self._dealer)

    def push(self, event: Mapping[str, Any], following: object = None) -> dict[str, Any]:
        """Plays one event; seats that were asked before it and that it passes over decline.

        Args:
            event: the event.
            following: the one after it, looked at for a false alarm, which chance decides with the play.

        Returns:
            The event with every consequence.

        Raises:
            MoveError: illegal here, an unknown key, a consequence that is not so, or chance left out.
        """
        name = kind(event)
        required, keys = _KEYS[name]
        for key in event:
            if key not in keys:
                raise MoveError(f"unknown key {key!r}; keys of a {name}: {', '.join(keys)}")
        for key in keys[:required]:
            if key not in event:
                raise MoveError(f"{key!r} is missing")
        if name not in ("start", "cleared", "alarm") or not self.pending:
            if self.pending and "end" not in self.pending[0]:
                raise MoveError(f"{kind(self.pending[0])!r} expected: {self.pending[0]}")
            play = {
                "play": self._play, "pass": self._pass, "call": self._call, "start": self._start,
                "cleared": self._cleared, "drop": self._drop_told, "alarm": self._alarm, "accuse": self._accuse,
            }[name]  # fmt: skip
            play(event, following)
            if name == "drop":
                return {**event, "noticed": sorted(self._seats(event["noticed"]))}
        if not self.pending or "end" in self.pending[0] or kind(self.pending[0]) != name:
            raise MoveError(f"no {name!r} is expected here")
        return self._agreeing(self.pending.pop(0), event)

    def close(self) -> dict[str, Any] | None:
        """Seats still asked decline. Returns the end of the deal, if it has ended, else None."""
        self._decline_window()
        if self.pending and "end" in self.pending[0]:
            end: dict[str, Any] = self.pending.pop(0)["end"]
            return end
        return None

    # What players decide

    def _play(self, event: Mapping[str, Any], following: object) -> None:
        self._turn_of(event["seat"])
        cards = event["play"]
        if not isinstance(cards, list | tuple):
            raise MoveError(f"play {cards!r}; a list of cards expected")
        t = self._tables
        try:
            claim = t.claims[claim_of(t, event["claim"])]
            plain = tuple(t.kinds[kind_of(t, card)] for card in cards)
        except BluffError as error:
            raise MoveError(str(error)) from None
        self._drop_nothing()
        self._no_move_drop()
        actions = self.game.actions_of(Move("play", claim, plain))
        self._act(actions, self._notices(following))
        self._check_drop()

    def _pass(self, event: Mapping[str, Any], following: object) -> None:
        self._turn_of(event["seat"])
        self._drop_nothing()
        self._no_move_drop()
        self._act(self.game.actions_of(Move("pass")), self._notices(following))
        self._check_drop()

    def _drop_nothing(self) -> None:
        if self._phase == DROP:
            self._act([self._first("drop_none")])

    def _no_move_drop(self) -> None:
        if self._drop is None and self._batch.games["dropped"][0] >= 0:
            raise MoveError("this turn's drop was a move, which does not say who notices: go on with a move")

    def _drop_told(self, event: Mapping[str, Any], following: object) -> None:
        """A drop is told before the play or pass with which it is noticed; it is compared then (`_check_drop`)."""
        self._turn_of(event["seat"])
        if self._rules.dropp is None or self._phase != DROP:
            raise MoveError("nothing can be dropped here")
        try:
            card = self._tables.kinds[kind_of(self._tables, event["drop"])]
        except BluffError as error:
            raise MoveError(str(error)) from None
        self._check_noticed(event["seat"], self._seats(event["noticed"]))
        self._act(self.game.actions_of(Move("drop", cards=(card,))))
        self._drop = {**event, "drop": card}

    def _check_noticed(self, mover: int, noticed: list[int]) -> None:
        """Seats that could have noticed a drop: not the mover; all or none where chance leaves no choice. [D2]"""
        assert self._rules.dropp is not None
        others = [seat for seat in range(self._rules.players) if seat != mover]
        certain = {0.0: [], 1.0: others}.get(float(self._rules.dropp.notice))
        if certain is not None and sorted(noticed) != certain:
            raise MoveError(f"noticed: {noticed} stated, {certain} expected")
        if mover in noticed:
            raise MoveError(f"noticed: {noticed} stated; seat {mover} itself does not notice")

    def _call(self, event: Mapping[str, Any], following: object) -> None:
        seat, mover = event["seat"], int(self._batch.games["mover"][0])
        self._window(seat)
        if isinstance(event["call"], bool) or event["call"] != mover:
            raise MoveError(f"call {event['call']!r}: the play on the table is that of seat {mover}")
        race = self._rules.call_order == "race"
        if race and "callers" not in event:
            raise MoveError("'callers' is missing: in a race all who called")
        if not race and "callers" in event:
            raise MoveError("'callers' without a race")
        callers = self._seats(event["callers"]) if race else [seat]
        if seat not in callers:
            raise MoveError(f"callers {callers}: seat {seat!r} is not among them")
        forced = [sorted(callers).index(seat)] if race and len(callers) > 1 else []
        forced += self._blind_draws(event, seat)
        asked = self._asked()
        unasked = [c for c in callers if c not in asked]
        if unasked:
            raise MoveError(f"seat {unasked[0]!r} is not asked; expected one of {', '.join(map(str, asked))}")
        for player in asked:
            calls = player in callers
            final = player == (asked[-1] if race else seat)
            self._act([self._first("call" if calls else "decline")], forced if final else ())
            if final:
                break
        if self._phase == GIVE:
            self._pick_gifts(event)

    def _pick_gifts(self, event: Mapping[str, Any]) -> None:
        if "given" not in event:
            raise MoveError("'given' is missing: which cards the right party picked")
        try:
            cards = tuple(self._tables.kinds[kind_of(self._tables, card)] for card in event["given"])
        except (BluffError, TypeError) as error:
            raise MoveError(f"given: {error}") from None
        self._act(self.game.actions_of(Move("give", cards=cards)))

    def _accuse(self, event: Mapping[str, Any], following: object) -> None:
        seat, target, n = event["seat"], event["accuse"], self._rules.players
        if self._rules.dropp is None:
            raise MoveError("nobody can be accused without dropp")
        self._window(seat)
        if isinstance(target, bool) or target not in range(n) or target == seat:
            raise MoveError(f"accuse {target!r}: another seat from 0 to {n - 1} expected")
        while self.game.turn != seat:
            self._act([self._first("decline")])
            if self._phase != ANSWER:
                raise MoveError(f"seat {seat!r} is not asked any more")
        self._act([self._first("accuse") + (target - seat) % n - 1])

    def _start(self, event: Mapping[str, Any], following: object) -> None:
        n, votes = self._rules.players, event.get("votes")
        if self._phase != VOTE:
            raise MoveError("no start card is turned here")
        if not isinstance(votes, list) or len(votes) != n or not all(isinstance(v, bool) for v in votes):
            raise MoveError(f"votes {votes!r}: true or false for each of {n} seats expected, from the dealer's left")
        forced: list[int] = []
        if 2 * sum(votes) > n and int(self._batch.games["stock"][0]) > 0:
            back = event.get("back_at")
            if isinstance(back, bool) or not isinstance(back, int) or not 0 <= back <= self._batch.games["stock"][0]:
                most = int(self._batch.games["stock"][0])
                raise MoveError(f"back_at {back!r}: the place in the stock, 0 to {most}, expected")
            forced = [back]
        for i, another in enumerate(votes):
            self._act([self._first("call" if another else "decline")], forced if i == n - 1 else ())

    def _cleared(self, event: Mapping[str, Any], following: object) -> None:
        self._decline_window()

    def _alarm(self, event: Mapping[str, Any], following: object) -> None:
        """Nothing to play: an alarm comes about with a play or a pass."""
        self._seats(event["noticed"])

    # What chance decides

    def _notices(self, following: object) -> list[int]:
        """Who notices a drop, or is alarmed falsely: one result a seat, from the mover's left. [D2]"""
        dropp = self._rules.dropp
        if dropp is None:
            return []
        mover, n = int(self._batch.games["mover"][0]), self._rules.players
        if self._drop is not None:
            probability, noticed = dropp.notice, self._seats(self._drop["noticed"])
        else:
            probability, noticed = dropp.false_notice, []
            if isinstance(following, Mapping) and "alarm" in following:
                noticed = self._alarmed(following.get("noticed"))
        if not 0 < probability < 1:
            return []
        return [int((mover + 1 + i) % n in noticed) for i in range(n - 1)]

    def _alarmed(self, noticed: object) -> list[int]:
        """Who is alarmed by the event after this one; its faults are reported where it stands."""
        try:
            return self._seats(noticed)
        except MoveError:
            return []

    def _blind_draws(self, event: Mapping[str, Any], caller: object) -> list[int]:
        """Where each card given stood among those left in the right party's hand. [B7]"""
        r = self._rules
        if r.penalty == "pile" or r.give == "choose" or not event.get("given") or not isinstance(caller, int):
            return []
        mover = int(self._batch.games["mover"][0])
        right = mover if self.game.play_is_truthful() else caller
        hand = self.game.hand_counts(right)
        try:
            given = counts_of(self._tables, event["given"])
        except (BluffError, TypeError) as error:
            raise MoveError(f"given: {error}") from None
        if (given > hand).any():
            raise MoveError(f"given: {event['given']!r} is not in the hand of seat {right}")
        if given.sum() == hand.sum():
            return []
        places = []
        for k in np.repeat(np.arange(len(given)), given):
            if hand.sum() > 1:
                places.append(int(hand[:k].sum()))
            hand[k] -= 1
        return places

    # Small steps

    def _act(self, actions: Sequence[int], forced: Sequence[int] = ()) -> None:
        """Plays small decisions; what chance decides in the last is forced."""
        batch, dealer = self._batch, self._dealer
        for i, action in enumerate(actions):
            results = forced if i == len(actions) - 1 else ()
            at = int(batch.games["logged"][0])
            batch.force(results)
            batch.step([action])
            events = last_events(batch, 0, dealer)
            ends = [i for i, event in enumerate(events) if "end" in event]
            drawn = int(batch.games["logged"][0]) - at - 1
            if ends and not self.game.over:  # the next deal of a match has been dealt by chance
                self.next_deal = events[ends[0] + 1 :]
                events = events[: ends[0] + 1]
                drawn -= batch.redeal_bytes
            left = int(batch.games["forced"][0])
            batch.games["forced"][0] = 0
            if drawn > len(results):
                raise MoveError("what chance decided is missing ('given', 'noticed', 'callers' or 'back_at')")
            if left > 0:
                raise MoveError("more was decided by chance than the rules ask for ('given', 'noticed' or 'callers')")
            self.pending += events

    def _decline_window(self) -> None:
        while self._phase == ANSWER and not self.pending:
            self._act([self._first("decline")])

    def _turn_of(self, seat: object) -> None:
        self._decline_window()
        if self.pending and "end" in self.pending[0]:
            raise MoveError("the deal was over before it")
        if self.game.over:
            raise MoveError("the game is over")
        if self._phase == VOTE:
            raise MoveError("a 'start' event with the votes is expected")
        if isinstance(seat, bool) or seat != self.game.turn:
            raise MoveError(f"seat {seat!r} is not to move; expected seat {self.game.turn}")

    def _window(self, seat: object) -> None:
        """An open call window in which the seat is still to be asked."""
        if self.pending and "end" in self.pending[0]:
            raise MoveError("the deal was over before it")
        if self.game.over:
            raise MoveError("the game is over")
        if self._phase != ANSWER:
            raise MoveError(f"seat {seat!r} was not to be asked; expected seat {self.game.turn}")
        if isinstance(seat, bool) or seat not in self._asked():
            raise MoveError(f"seat {seat!r} is not asked; expected one of {', '.join(map(str, self._asked()))}")

    def _asked(self) -> list[int]:
        """The seats still to be asked about the play on the table, in order."""
        n, mover, seat = self._rules.players, int(self._batch.games["mover"][0]), self.game.turn
        if seat is None or self._phase != ANSWER:
            return []
        if self._rules.callers == "next":
            return [seat]
        return [(seat + i) % n for i in range((mover - seat) % n)]

    def _check_drop(self) -> None:
        """The drop told before is now an event of the engine's too: they must agree."""
        if self._drop is None:
            return
        told, self._drop = self._drop, None
        self._agreeing(self.pending.pop(0), told)

    def _agreeing(self, filled: dict[str, Any], stated: Mapping[str, Any]) -> dict[str, Any]:
        """The filled event, lists of cards in the order stated; raises MoveError where a statement is not so."""
        for key, value in stated.items():
            if key not in filled:
                raise MoveError(f"{key}: {value!r} stated, nothing expected")
            if key in _CARDS:
                filled[key] = self._same_cards(key, filled[key], value)
            elif key in _SEATS:
                if sorted(self._seats(value)) != filled[key]:
                    raise MoveError(f"{key}: {value!r} stated, {filled[key]!r} expected")
                filled[key] = list(value)
            elif type(filled[key]) is not type(value) or filled[key] != value:
                raise MoveError(f"{key}: {value!r} stated, {filled[key]!r} expected")
        return filled

    def _same_cards(self, key: str, expected: list[str], stated: object) -> list[str]:
        if not isinstance(stated, list | tuple):
            raise MoveError(f"{key}: {stated!r} stated; a list of cards expected")
        try:
            plain = [self._tables.kinds[kind_of(self._tables, card)] for card in stated]
        except BluffError as error:
            raise MoveError(f"{key}: {error}") from None
        if Counter(plain) != Counter(expected):
            raise MoveError(f"{key}: {stated!r} stated, {expected!r} expected")
        return plain

    def _seats(self, value: object) -> list[int]:
        n = self._rules.players
        whole = isinstance(value, list | tuple) and all(type(s) is int and 0 <= s < n for s in value)
        if not whole or len(set(value)) != len(value):  # type: ignore[arg-type, call-overload]  # a list here
            raise MoveError(f"seats {value!r}: a list of different seats from 0 to {n - 1} expected")
        return list(value)  # type: ignore[call-overload, no-any-return]  # a list here

    def _first(self, segment: str) -> int:
        start: int = self._batch.layout.actions[segment].start
        return start

    @property
    def _phase(self) -> int:
        return int(self._batch.games["phase"][0])

    @property
    def _dealer(self) -> int:
        return int(self._batch.games["dealer"][0])
