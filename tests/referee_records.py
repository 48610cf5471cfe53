"""Reading game records: RECORD.md, and match play; part of the referee (see referee.py)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from referee_rules import (
    JOKER,
    RANK_LETTERS,
    SUIT_LETTERS,
    Illegal,
    check_rules,
    is_int,
    rewards,
    same,
)
from referee_table import ALARM, GIVE, NOTICE, PUT_BACK, TURN, VOTE, Table

FORMAT = "bluff-record/1"


class Fault(Exception):
    """The first thing wrong with a record: where (deal, event; None above them) and what was expected."""

    def __init__(self, deal: int | None, event: int | None, message: str) -> None:
        super().__init__(f"deal {deal}, event {event}: {message}")
        self.deal, self.event, self.message = deal, event, message


class Match:
    """The deals of one game: one, or with `target_points` as many as it takes [M1] [M2]."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.scores = [0] * rules["players"]
        self.next_dealer: int | None = None  # None: drawn, for the first deal
        self.winner: int | None = None
        self.cut_off = False

    @property
    def over(self) -> bool:
        """Somebody has won, or a deal was cut off."""
        return self.winner is not None or self.cut_off

    def add(self, table: Table) -> None:
        """Counts a deal that is over; the next dealer sits one seat to the left."""
        self.next_dealer = (table.dealer + 1) % self.rules["players"]
        self.cut_off = table.cut_off
        if table.winner is not None:
            self.scores[table.winner] += 1
            if self.scores[table.winner] == (self.rules["target_points"] or 1):
                self.winner = table.winner

    def result(self) -> dict[str, Any] | None:
        """As in a record; None while unfinished."""
        if not self.over:
            return None
        gains = rewards(self.rules, self.winner)
        return {"winner": self.winner, "scores": self.scores, "rewards": gains, "cut_off": self.cut_off}


def replay(record: dict[str, Any]) -> dict[str, Any]:
    """Plays a record through, checks all it states, and returns it with every gap filled.

    Raises Fault at the first thing wrong. Lists keep their order; cards of unsuited games lose their suits.
    """
    with _faults_of(None, None):
        rules = _read_header(record)
    match, deals = Match(rules), []
    previous: Table | None = None
    for index, deal in enumerate(record["deals"]):
        with _faults_of(index, None):
            _check_another_deal(match, previous, deal)
        previous, filled = _replay_deal(rules, index, deal)
        deals.append(filled)
        if previous.over:
            match.add(previous)
    with _faults_of(None, None):
        result = _check_result(match, record.get("result"))
    optional = {key: record.get(key) for key in ("name", "seed", "seats")}
    return {"format": FORMAT, "rules": rules, **optional, "deals": deals, "result": result}


@contextmanager
def _faults_of(deal: int | None, event: int | None) -> Iterator[None]:
    """Says where in the record something illegal stands."""
    try:
        yield
    except Illegal as problem:
        raise Fault(deal, event, str(problem)) from None


def _read_header(record: Any) -> dict[str, Any]:
    """Format, keys and rules of a record; the rules with all fields."""
    _check_keys("record", record, ("format", "rules", "deals"), ("name", "seed", "seats", "result"))
    if record["format"] != FORMAT:
        raise Illegal(f"format is {record['format']!r}, expected {FORMAT!r}")
    if not isinstance(record["rules"], dict):
        raise Illegal("rules is no object, expected the fields of RULES.md section 2")
    rules = check_rules(record["rules"])
    seats = record.get("seats")
    if seats is not None and (not isinstance(seats, list) or len(seats) != rules["players"]):
        raise Illegal(f"seats is {seats!r}, expected {rules['players']} names")
    if not isinstance(record["deals"], list) or not record["deals"]:
        raise Illegal("deals is empty or no list, expected at least one deal")
    return rules


def _check_keys(name: str, found: Any, required: Iterable[str], optional: Iterable[str]) -> None:
    if not isinstance(found, dict):
        raise Illegal(f"{name} is {found!r}, expected an object")
    if missing := [key for key in required if key not in found]:
        raise Illegal(f"{name} lacks {missing}")
    if unknown := set(found) - {*required, *optional}:
        raise Illegal(f"{name} has unknown keys {sorted(unknown)}, expected {[*required, *optional]}")


# ---- deals ----


def _check_another_deal(match: Match, previous: Table | None, deal: Any) -> None:
    """May this deal follow, and does the right seat deal [M1] [M2]?"""
    if previous is None:
        return
    if not previous.over:
        raise Illegal("another deal after one without an end, expected none")
    if match.over:
        raise Illegal("another deal after the end of the game, expected none")
    if isinstance(deal, dict) and not same(deal.get("dealer"), match.next_dealer):
        raise Illegal(f"dealer is {deal.get('dealer')!r}, expected {match.next_dealer}, one seat to the left")


def _replay_deal(rules: dict[str, Any], index: int, deal: Any) -> tuple[Table, dict[str, Any]]:
    """Plays one deal of a record; the table as it then stands and the deal with its gaps filled."""
    with _faults_of(index, None):
        filled = _read_deal(rules, deal)
        reader = _Reader(Table(rules, filled))
    for at, event in enumerate(deal["events"]):
        with _faults_of(index, at):
            reader.read(event)
    with _faults_of(index, len(deal["events"])):
        reader.settle()
        if "end" in deal:
            reader.read_end(deal["end"])
    table = reader.table
    filled |= {"opener": table.opener, "events": table.events}
    if table.over:
        filled["end"] = {"winner": table.winner, "cut_off": table.cut_off}
    return table, filled


def _read_deal(rules: dict[str, Any], deal: Any) -> dict[str, Any]:
    """The deal proper, with its cards as this referee names them."""
    _check_keys("deal", deal, ("dealer", "hands", "events"), ("opener", "stock", "end"))
    for key in ("hands", "events"):
        if not isinstance(deal[key], list):
            raise Illegal(f"{key} is {deal[key]!r}, expected a list")
    hands = [_read_cards(rules, "hand", hand) for hand in deal["hands"]]
    stock = _read_cards(rules, "stock", deal.get("stock", []))
    read = {"dealer": deal["dealer"], "hands": hands, "stock": stock}
    if "opener" in deal:
        return read | {"opener": deal["opener"]}
    moved = [event["seat"] for event in deal["events"] if isinstance(event, dict) and "seat" in event]
    if rules["first_player"] == "random" and moved:
        return read | {"opener": moved[0]}  # somebody has moved: that seat opened
    return read


def _read_cards(rules: dict[str, Any], name: str, cards: Any) -> list[str]:
    """Card texts; in unsuited games a suit is accepted and ignored."""
    if not isinstance(cards, list):
        raise Illegal(f"{name} is {cards!r}, expected a list of cards")
    return [_read_card(rules, name, card) for card in cards]


def _read_card(rules: dict[str, Any], name: str, card: Any) -> str:
    suit = f"[{SUIT_LETTERS}]" if rules["suited"] else f"[{SUIT_LETTERS}]?"
    if not isinstance(card, str) or not re.fullmatch(rf"[{RANK_LETTERS}]{suit}|{JOKER}", card):
        a_suit = f" with a suit of {SUIT_LETTERS}" if rules["suited"] else ""
        raise Illegal(f"{name} holds {card!r}, expected a rank of {RANK_LETTERS}{a_suit} or {JOKER}")
    return card if rules["suited"] else card[0]


# ---- events ----


class _Reader:
    """Plays a deal's events on a table and holds what they state against what the table makes of them.

    Some of the table's events come by themselves: a start card that nobody is asked about, a pile cleared. They
    must stand in the record before anything else; only at the end of an unfinished deal they may be missing.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.read_so_far = 0  # of the table's events

    def read(self, event: Any) -> None:
        """One event of the record."""
        readers = {
            "start": self._read_start, "play": self._read_play, "pass": self._read_pass, "call": self._read_call,
            "cleared": self._read_cleared, "drop": self._read_drop, "alarm": self._read_alarm,
            "accuse": self._read_accuse,
        }  # fmt: skip
        kinds = [kind for kind in readers if kind in event] if isinstance(event, dict) else []
        if not kinds:
            raise Illegal(f"event is {event!r}, expected one with a key of {list(readers)}")
        if kinds[0] != "alarm":
            self.settle()  # no false alarm was raised
        if self._came_by_itself and kinds[0] not in self.table.events[self.read_so_far]:
            raise Illegal(f"event is {event!r}, expected {self.table.events[self.read_so_far]}")
        readers[kinds[0]](event)

    @property
    def _came_by_itself(self) -> bool:
        return len(self.table.events) > self.read_so_far

    def settle(self) -> None:
        """No false alarm is written: none was raised [D2]."""
        if self.table.phase == ALARM:
            self.table.push((ALARM, ()))

    def read_end(self, end: Any) -> None:
        """The end of a deal: whoever could have called did not."""
        _check_keys("end", end, (), ("winner", "cut_off"))
        if self._came_by_itself:
            raise Illegal(f"the deal ends, expected {self.table.events[self.read_so_far]}")
        self._decline_all()
        if not self.table.over:
            raise Illegal(f"the deal ends, expected {self.table.expected()}")
        _check_stated("end", end, {"winner": self.table.winner, "cut_off": self.table.cut_off})

    def _compare(self, name: str, stated: dict[str, Any]) -> None:
        """Holds an event against the table's; lists stay in the order stated."""
        rightly = self.table.events[self.read_so_far]
        self.read_so_far += 1
        _check_stated(name, stated, rightly)
        rightly |= {key: value for key, value in stated.items() if isinstance(value, list)}

    def _mover_of(self, name: str, event: dict[str, Any]) -> None:
        """The seat that plays, passes or drops must be the one to move, all others having declined."""
        self._decline_all()
        if self.table.phase != TURN or not same(event["seat"], self.table.to_move):
            raise Illegal(f"a {name} of seat {event['seat']!r}, expected {self.table.expected()}")

    def _decline_all(self) -> None:
        while self.table.asking:
            self.table.push(("decline",))

    def _read_start(self, event: dict[str, Any]) -> None:
        """A start card turned: the votes, and where it went if voted away [B2]."""
        table = self.table
        voting = table.phase == VOTE
        _check_keys("start card", event, ("start", "votes") if voting else ("start",), ("votes", "back_at"))
        stated = event | {"start": _read_card(table.rules, "start", event["start"])}
        if voting:
            votes = event["votes"]
            if not isinstance(votes, list) or len(votes) != table.players:
                raise Illegal(f"votes is {votes!r}, expected one of each of the {table.players} seats")
            for vote in votes:
                table.push(("vote", vote))
            if table.phase == PUT_BACK:
                table.push((PUT_BACK, event.get("back_at")))
        elif not self._came_by_itself:
            raise Illegal(f"a start card, expected {table.expected()}")
        self._compare("start card", stated)

    def _read_play(self, event: dict[str, Any]) -> None:
        """A play: whoever could have called before it did not."""
        _check_keys("play", event, ("seat", "claim", "play"), ())
        cards = _read_cards(self.table.rules, "play", event["play"])
        self._mover_of("play", event)
        self.table.push(("play", event["claim"], cards))
        self._compare("play", event | {"play": cards})

    def _read_pass(self, event: dict[str, Any]) -> None:
        _check_keys("pass", event, ("seat", "pass"), ())
        self._mover_of("pass", event)
        self.table.push(("pass",))
        self._compare("pass", event)

    def _read_cleared(self, event: dict[str, Any]) -> None:
        _check_keys("pile cleared", event, ("cleared",), ("next",))
        if not self._came_by_itself:
            raise Illegal(f"the pile cleared, expected {self.table.expected()}")
        self._compare("pile cleared", event)

    def _read_drop(self, event: dict[str, Any]) -> None:
        """A drop, and who will notice it [D1] [D2]."""
        _check_keys("drop", event, ("seat", "drop", "noticed"), ())
        card = _read_card(self.table.rules, "drop", event["drop"])
        self._mover_of("drop", event)
        self.table.push(("drop", card))
        if self.table.phase == NOTICE:
            self.table.push((NOTICE, _read_list("noticed", event["noticed"])))
        self._compare("drop", event | {"drop": card})

    def _read_alarm(self, event: dict[str, Any]) -> None:
        """A false alarm, directly after the play or pass of the seat suspected [D2]."""
        _check_keys("alarm", event, ("alarm", "noticed"), ())
        if self.table.phase == ALARM:
            if not _read_list("noticed", event["noticed"]):
                raise Illegal("noticed of the alarm is empty, expected a seat, or no alarm")
            self.table.push((ALARM, event["noticed"]))
        elif not self._came_by_itself:
            raise Illegal(f"a false alarm, expected {self.table.expected()}")
        self._compare("alarm", event)

    def _read_call(self, event: dict[str, Any]) -> None:
        """A call and its consequences: the seats asked before the caller declined [C3]."""
        table = self.table
        race = table.rules["call_order"] == "race"
        required = ("seat", "call", "callers") if race else ("seat", "call")
        _check_keys("call", event, required, ("truthful", "wrong", "pile", "drawn", "given", "back", "next"))
        cards = {
            name: _read_cards(table.rules, name, event[name]) for name in ("drawn", "given", "back") if name in event
        }
        stated = event | cards
        self._check_asked("call", event)
        if race:
            self._race(event["seat"], _read_list("callers", event["callers"]))
        else:
            while table.to_move != event["seat"]:
                table.push(("decline",))
            table.push(("call",))
        if table.phase == GIVE:
            if "given" not in event:
                raise Illegal(f"call lacks ['given'], expected {table.owed} cards of the right party")
            table.push((GIVE, stated["given"]))
        self._compare("call", stated)

    def _race(self, seat: int, callers: list[Any]) -> None:
        """All seats asked answer before one of those who called is drawn [C3]."""
        asked = self.table.asked[:]
        if any(not is_int(one) or one not in asked for one in callers) or len(set(callers)) < len(callers):
            raise Illegal(f"callers is {callers!r}, expected some of the seats asked, {asked}, each once")
        if seat not in callers:
            raise Illegal(f"callers is {callers!r}, expected seat {seat}, whose call counts, among them")
        for one in asked:
            self.table.push(("call",) if one in callers else ("decline",))
        if len(callers) > 1:
            self.table.push(("caller", seat))

    def _read_accuse(self, event: dict[str, Any]) -> None:
        """An accusation: the seats asked before the accuser declined [D3]."""
        _check_keys("accusation", event, ("seat", "accuse"), ("guilty", "drawn"))
        stated = dict(event)
        if "drawn" in event:
            stated["drawn"] = _read_cards(self.table.rules, "drawn", event["drawn"])
        self._check_asked("accusation", event)
        while self.table.to_move != event["seat"]:
            self.table.push(("decline",))
        self.table.push(("accuse", event["accuse"]))
        self._compare("accusation", stated)

    def _check_asked(self, name: str, event: dict[str, Any]) -> None:
        if not self.table.asking:
            raise Illegal(f"a {name} of seat {event['seat']!r}, expected {self.table.expected()}")
        if not is_int(event["seat"]) or event["seat"] not in self.table.asked:
            raise Illegal(f"a {name} of seat {event['seat']!r}, expected one of the seats asked, {self.table.asked}")


def _read_list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Illegal(f"{name} is {value!r}, expected a list of seats")
    return value


IN_ANY_ORDER = ("play", "drawn", "given", "back", "noticed", "callers")


def _check_stated(name: str, stated: dict[str, Any], rightly: dict[str, Any]) -> None:
    for key, value in stated.items():
        if key not in rightly:
            raise Illegal(f"{key} of the {name} is {value!r}, expected none here")
        if not (_same_list(value, rightly[key]) if key in IN_ANY_ORDER else same(value, rightly[key])):
            raise Illegal(f"{key} of the {name} is {value!r}, expected {rightly[key]!r}")


def _same_list(one: Any, other: list[Any]) -> bool:
    """The same cards or seats, in any order."""
    return isinstance(one, list) and sorted(map(repr, one)) == sorted(map(repr, other))


def _check_result(match: Match, stated: Any) -> dict[str, Any] | None:
    """The result of a finished game [E3] [M1] [M2]; None while it is unfinished."""
    result = match.result()
    if stated is None or result is None:
        if stated is not None:
            raise Illegal(f"result is {stated!r}, expected none while the game is unfinished")
        return result
    _check_keys("result", stated, (), result)
    gains = result["rewards"]
    if not _close_to(stated.get("rewards", gains), gains):
        raise Illegal(f"rewards of the result are {stated['rewards']}, expected {gains}")
    _check_stated("result", {**stated, "rewards": gains}, result)
    return result


def _close_to(stated: Any, gains: list[float]) -> bool:
    """Equal but for the rounding of a 32-bit number."""
    if not isinstance(stated, list) or len(stated) != len(gains):
        return False
    return all(
        isinstance(one, int | float) and math.isclose(one, other, abs_tol=1e-6)
        for one, other in zip(stated, gains, strict=True)
    )
