"""RECORD.md, 'Reading': the first fault is reported with the deal, the event's index and what was expected.

The referee, written apart, must find the same fault in the same place.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from bluff_env.record import check_record
from records.common import Place, Record, said_by_reader, said_by_referee, two_turns

#: The story of source 000 up to Anne's fives; see tests/golden.
EXAMPLE_HANDS = ["AA44555667789", "9A33TJQK68JQK", "33A2256789TJQ", "4JT224789TKKQ"]


def example() -> Record:
    """Anne, Bjørn, Carla and David, as far as the story is told; every consequence is stated."""
    events: list[Record] = [
        {"seat": 0, "claim": "A", "play": ["A", "A"]},
        {"seat": 1, "claim": "2", "play": ["9"]},
        {"seat": 2, "claim": "3", "play": ["3", "3"]},
        {"seat": 3, "claim": "4", "play": ["4", "J", "T"]},
        {"seat": 0, "call": 3, "truthful": False, "wrong": 3, "pile": 8, "drawn": [], "given": [], "next": 0},
        {"seat": 0, "claim": "5", "play": ["5"]},
    ]
    hands = [list(hand) for hand in EXAMPLE_HANDS]
    deal = {"dealer": 3, "opener": 0, "hands": hands, "stock": [], "events": events}
    return copy.deepcopy({"format": "bluff-record/1", "rules": {}, "deals": [deal], "result": None})


def fault_of(record: Any) -> tuple[Place | None, str]:
    """Where the reader finds a fault and what it says; the referee must find one in the same place."""
    place, text = said_by_reader(record)
    assert place == said_by_referee(record)[0], said_by_referee(record)[1]
    return place, text


def changed(record: Record, change: Callable[[Record, Record], None]) -> Record:
    """The record after a change of it and its deal."""
    change(record, record["deals"][0])
    return record


def test_both_examples_are_faultless() -> None:
    assert fault_of(example()) == fault_of(two_turns()) == (None, "")


# ---- above the deals ----


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "bluff-record/2"}, "format: 'bluff-record/2' found; 'bluff-record/1' expected"),
        ({"format": None}, "format: None found; 'bluff-record/1' expected"),
        ({"colour": 1}, "record: unknown key 'colour'; keys: format, rules, name, seed, seats, deals, result"),
        ({"rules": None}, "rules: missing; every field of the rules object expected"),
        ({"rules": []}, "rules: missing; every field of the rules object expected"),
        ({"rules": {"players": 17}}, "rules: players: 17 is not allowed; a whole number from 2 to 16"),
        ({"rules": {"player": 4}}, "rules: player: no such field of the rules (did you mean 'players'"),
        ({"rules": {"base": "bloff"}}, "rules: base: no such field of the rules"),
        ({"rules": {"passing": "no"}}, "rules: passing: 'no' is not allowed; one of never, allowed"),
        ({"seats": ["a"]}, "seats: ['a'] found; 4 names or null expected"),
        ({"seats": "abcd"}, "seats: 'abcd' found; 4 names or null expected"),
        ({"deals": []}, "deals: [] found; a list of one deal expected"),
        ({"deals": {}}, "deals: {} found; a list of one deal expected"),
        ({"deals": None}, "deals: None found; a list of one deal expected"),
        ({"result": {"winner": None}}, "result: stated, but the game is not over; null expected"),
    ],
)
def test_a_fault_above_the_deals_is_reported_without_one(change: Record, message: str) -> None:
    place, text = fault_of(example() | change)
    assert place == (None, None)
    assert text.startswith(message)


@pytest.mark.parametrize("key", ["format", "rules", "deals"])
def test_what_a_record_needs_may_not_be_missing(key: str) -> None:
    record = example()
    del record[key]
    place, text = fault_of(record)
    assert place == (None, None)
    assert text.startswith(f"{key}: ")


@pytest.mark.parametrize("record", [None, [], "bluff-record/1", 3, True])
def test_what_is_no_record_at_all_is_refused(record: Any) -> None:
    place, text = fault_of(record)
    assert place == (None, None)
    assert text == f"a game record is a mapping; {type(record).__name__} found"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 3}, "name: 3 found"),
        ({"seed": "7"}, "seed: '7' found"),
        ({"seed": -1}, "seed: -1 found"),
        ({"seats": [1, 2, 3, 4]}, "seats: [1, 2, 3, 4] found; 4 names or null expected"),
    ],
)
def test_name_seed_and_seats_are_texts_and_a_whole_number(change: Record, message: str) -> None:
    place, text = said_by_reader(example() | change)  # the referee asks nothing of them
    assert place == (None, None)
    assert text.startswith(message)


# ---- the deal ----


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dealer": 4}, "dealer 4; a seat from 0 to 3"),
        ({"dealer": None}, "dealer missing; a seat from 0 to 3"),
        ({"dealer": 3.0}, "dealer 3.0; a seat from 0 to 3"),
        ({"dealer": True}, "dealer True; a seat from 0 to 3"),
        ({"opener": 1}, "opener 1; with first_player dealer_left it is 0"),
        ({"opener": None}, "opener None; a seat from 0 to 3"),
        ({"stock": ["A"]}, "5 cards A; the deck has 4"),
        ({"stock": None}, "stock: None; a list of cards expected"),
        ({"stock": 0}, "stock: 0; a list of cards expected"),
        ({"stock": "A"}, "stock: 'A'; a list of cards expected"),
        ({"hands": EXAMPLE_HANDS}, "hand of seat 0: 'AA44555667789'; a list of cards expected"),
        ({"hands": [list(h) for h in EXAMPLE_HANDS[:3]]}, "hands: 3 hands; 4 lists of cards expected"),
        ({"hands": None}, "hands: None; 4 lists of cards expected"),
        ({"hands": [list("A" * 13)] * 4}, "52 cards A; the deck has 4"),
        ({"hands": [list("A2"), list("2" * 24), list("3" * 13), list("4" * 13)]}, "hand of seat 0 has 2 cards"),
        ({"hands": [["AX", *"A44555667789"], *map(list, EXAMPLE_HANDS[1:])]}, "card 'AX' is not in this deck"),
        ({"hands": [["10", *"A44555667789"], *map(list, EXAMPLE_HANDS[1:])]}, "card '10' is not in this deck"),
        ({"hands": [[1, *"A44555667789"], *map(list, EXAMPLE_HANDS[1:])]}, "card 1 is not in this deck"),
        ({"events": None}, "events: a list expected; NoneType found"),
        ({"events": {}}, "events: a list expected; dict found"),
        ({"colour": 1}, "unknown key 'colour'; keys: dealer, opener, hands, stock, events, end"),
    ],
)
def test_cards_that_are_not_the_deck_dealt_as_the_rules_say_are_reported_with_the_deal(
    change: Record, message: str
) -> None:
    """[C1]"""
    record = changed(example(), lambda _, deal: deal.update(change))
    place, text = fault_of(record)
    assert place == (0, None)
    assert message in text


@pytest.mark.parametrize("key", ["dealer", "hands", "events"])
def test_what_a_deal_needs_may_not_be_missing(key: str) -> None:
    place, text = fault_of(changed(example(), lambda _, deal: deal.pop(key)))
    assert place == (0, None)
    assert key in text


@pytest.mark.parametrize("deal", [None, [], "deal", 3])
def test_what_is_no_deal_is_refused(deal: Any) -> None:
    place, text = fault_of(example() | {"deals": [deal]})
    assert place == (0, None)
    assert text == f"deal 0: a mapping expected; {type(deal).__name__} found"


def test_a_second_deal_is_a_fault_without_match_play() -> None:
    record = example()
    record["deals"] *= 2
    assert fault_of(record)[0] == (1, None)


# ---- events ----


@pytest.mark.parametrize(
    ("event", "change", "message"),
    [
        (0, {"seat": 1}, "seat 1 is not to move; expected seat 0"),
        (0, {"seat": 0.0}, "seat: 0.0 stated, 0 expected"),
        (0, {"seat": False}, "seat False is not to move; expected seat 0"),
        (0, {"seat": None}, "seat None is not to move; expected seat 0"),
        (0, {"claim": "2"}, "claim one of A with 1 to 4 cards"),
        (0, {"claim": "X"}, "claim 'X' is not one of these rules; claims: A 2 3 4 5 6 7 8 9 T J Q K"),
        (0, {"claim": None}, "claim None is not one of these rules"),
        (0, {"claim": " A"}, "claim ' A' is not one of these rules"),
        (1, {"play": ["2"]}, "is not legal for seat 1"),
        (1, {"play": []}, "1 to 4 cards"),
        (1, {"play": ["A", "3", "3", "T", "J"]}, "1 to 4 cards"),
        (1, {"play": ["1"]}, "card '1' is not in this deck"),
        (1, {"play": ["9", ""]}, "card '' is not in this deck"),
        (1, {"play": ["9", " "]}, "card ' ' is not in this deck"),
        (1, {"play": ["9A"]}, "card '9A' is not in this deck"),
        (1, {"play": "9"}, "play '9'; a list of cards expected"),
        (1, {"play": [9]}, "card 9 is not in this deck"),
        (1, {"play": None}, "play None; a list of cards expected"),
        (2, {"count": 2}, "unknown key 'count'; keys of a play: seat, claim, play"),
        (3, {"truthful": False}, "unknown key 'truthful'; keys of a play: seat, claim, play"),
        (4, {"call": 2}, "call 2: the play on the table is that of seat 3"),
        (4, {"call": None}, "call None: the play on the table is that of seat 3"),
        (4, {"seat": 3}, "seat 3 is not asked; expected one of 0, 1, 2"),
        (4, {"seat": 4}, "seat 4 is not asked"),
        (4, {"seat": None}, "seat None is not asked"),
        (4, {"seat": 1}, "next: 0 stated, 0 expected"),
        (4, {"truthful": True}, "truthful: True stated, False expected"),
        (4, {"truthful": 0}, "truthful: 0 stated, False expected"),
        (4, {"wrong": 0}, "wrong: 0 stated, 3 expected"),
        (4, {"pile": 3}, "pile: 3 stated, 8 expected"),
        (4, {"pile": 8.0}, "pile: 8.0 stated, 8 expected"),
        (4, {"drawn": ["A"]}, "drawn: ['A'] stated, [] expected"),
        (4, {"drawn": None}, "drawn: None stated; a list of cards expected"),
        (4, {"given": ["4"]}, "given: ['4'] stated, [] expected"),
        (4, {"next": 3}, "next: 3 stated, 0 expected"),
        (4, {"next": None}, "next: None stated, 0 expected"),
        (4, {"callers": [0]}, "'callers' without a race"),
        (4, {"back": []}, "back: [] stated, nothing expected"),
        (4, {"play": ["4"]}, "unknown key 'call'; keys of a play: "),
        (5, {"seat": 1}, "seat 1 is not to move; expected seat 0"),
        (5, {"call": 3}, "unknown key 'call'; keys of a play: "),
    ],
)
def test_an_event_that_is_not_so_is_reported_with_its_index(event: int, change: Record, message: str) -> None:
    record = changed(example(), lambda _, deal: deal["events"][event].update(change))
    if message.startswith("next: 0 stated, 0"):  # another caller who could have called: the same is stated of him
        assert fault_of(record) == (None, "")
        return
    place, text = fault_of(record)
    assert place == (0, event)
    assert text.startswith(f"deal 0, event {event}: ")
    assert message in text


@pytest.mark.parametrize(("event", "key"), [(0, "seat"), (0, "claim"), (0, "play"), (4, "seat"), (4, "call")])
def test_what_an_event_needs_may_not_be_missing(event: int, key: str) -> None:
    record = changed(example(), lambda _, deal: deal["events"][event].pop(key))
    place, text = fault_of(record)
    assert place == (0, event)
    assert key in text


@pytest.mark.parametrize(
    "event", [None, [], "call", 3, {}, {"seat": 0, "pass": True}, {"seat": 0, "drop": "5"}, {"cleared": 0, "next": 0}]
)
def test_what_is_no_event_of_these_rules_is_refused(event: Any) -> None:
    record = changed(example(), lambda _, deal: deal["events"].append(event))
    assert fault_of(record)[0] == (0, 6)


def test_calls_that_could_not_be_made_are_reported() -> None:
    call = {"seat": 1, "call": 0}
    nothing_laid = changed(example(), lambda _, deal: deal["events"].insert(0, call))
    place, text = fault_of(nothing_laid)
    assert (place, "seat 1 was not to be asked; expected seat 0" in text) == ((0, 0), True)
    own_play = changed(example(), lambda _, deal: deal["events"].insert(1, {"seat": 0, "call": 0}))
    assert fault_of(own_play)[0] == (0, 1)
    called_twice = changed(example(), lambda _, deal: deal["events"].insert(5, {"seat": 1, "call": 3}))
    assert fault_of(called_twice)[0] == (0, 5)
    next_only = example() | {"rules": {"callers": "next"}}
    next_only["deals"][0]["events"].insert(1, {"seat": 2, "call": 0})
    assert fault_of(next_only)[0] == (0, 1)


def test_an_event_after_the_end_is_reported_at_that_event() -> None:
    """[E1]"""
    late = changed(two_turns(), lambda _, deal: deal["events"].append({"seat": 0, "claim": "A", "play": ["A"]}))
    place, text = fault_of(late)
    assert place == (0, 3)
    assert text == "deal 0, event 3: the deal was over before it"


# ---- the end and the result ----


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ({"winner": 0, "cut_off": False}, "end: winner 0 stated, 1 expected"),
        ({"winner": None, "cut_off": False}, "end: winner None stated, 1 expected"),
        ({"winner": True, "cut_off": False}, "end: winner True stated, 1 expected"),
        ({"winner": 1, "cut_off": True}, "end: cut_off True stated, False expected"),
        ({"winner": 1, "cut_off": 0}, "end: cut_off 0 stated, False expected"),
        ({"winner": 1, "turns": 2}, "end: unknown key 'turns'; keys: winner, cut_off"),
        (None, "end: a mapping expected; NoneType found"),
        ([], "end: a mapping expected; list found"),
    ],
)
def test_an_end_that_is_not_so_is_reported_after_the_last_event(end: Any, message: str) -> None:
    place, text = fault_of(changed(two_turns(), lambda _, deal: deal.update(end=end)))
    assert place == (0, 3)
    assert message in text


def test_an_end_too_early_is_reported_after_the_last_event() -> None:
    early = changed(example(), lambda _, deal: deal.update(end={"winner": 0, "cut_off": False}))
    place, text = fault_of(early)
    assert place == (0, 6)
    assert text == "deal 0, event 6: end: the deal is not over; seat 1 is to move"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"winner": 0}, "result: winner 0 stated, 1 expected"),
        ({"scores": [1, 0]}, "result: scores [1, 0] stated, [0, 1] expected"),
        ({"scores": None}, "result: scores None stated"),
        ({"rewards": [1.0, -1.0]}, "result: rewards [1.0, -1.0] stated, [-1.0, 1.0] expected"),
        ({"rewards": [-1.0]}, "result: rewards [-1.0] stated"),
        ({"rewards": [-1.0, 1.001]}, "result: rewards [-1.0, 1.001] stated"),
        ({"rewards": [-1.0, float("nan")]}, "result: rewards [-1.0, nan] stated"),
        ({"rewards": [float("-inf"), 1.0]}, "result: rewards [-inf, 1.0] stated"),
        ({"rewards": None}, "result: rewards None stated"),
        ({"rewards": ["-1", "1"]}, "result: rewards ['-1', '1'] stated"),
        ({"cut_off": True}, "result: cut_off True stated, False expected"),
        ({"turns": 2}, "result: unknown key 'turns'; keys: winner, scores, rewards, cut_off"),
    ],
)
def test_a_result_that_is_not_so_is_reported(change: Record, message: str) -> None:
    """[E3]"""
    place, text = fault_of(changed(two_turns(), lambda record, _: record["result"].update(change)))
    assert place == (None, None)
    assert text.startswith(message)


@pytest.mark.parametrize("result", [[], 0, "won", True])
def test_a_result_is_a_mapping_or_null(result: Any) -> None:
    place, text = fault_of(two_turns() | {"result": result})
    assert place == (None, None)
    assert text.startswith("result: a mapping or null expected")


def test_rewards_may_be_rounded_to_a_32_bit_number_and_come_back_unrounded() -> None:
    record = changed(two_turns(), lambda record, _: record["result"].update(rewards=[-0.9999999, 1]))
    assert check_record(record)["result"]["rewards"] == [-1.0, 1.0]


def test_a_reward_larger_than_any_float_is_a_fault_and_no_crash() -> None:
    record = changed(two_turns(), lambda record, _: record["result"].update(rewards=[-1.0, 10**400]))
    assert said_by_reader(record)[0] == (None, None)


def test_the_first_of_two_faults_is_reported() -> None:
    def two_faults(_: Record, deal: Record) -> None:
        deal["events"][4]["pile"] = 3
        deal["events"][2]["claim"] = "4"

    assert fault_of(changed(example(), two_faults))[0] == (0, 2)


def test_a_record_read_from_json_is_faultless_still() -> None:
    assert fault_of(json.loads(json.dumps(two_turns()))) == (None, "")
