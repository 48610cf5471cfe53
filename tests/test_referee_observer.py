"""What the plain observer says a seat may know: by hand, held against the truth, and against what is hidden."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest

from plain_observer import Memory, pieces
from referee import check_rules, replay
from referee_corners import (
    CHOOSE,
    DROPP,
    EIGHT,
    OPEN,
    SPADES,
    TWELVE,
    Record,
    accuse,
    alarm,
    call,
    cleared,
    drop,
    one,
    passes,
    play,
    start,
)
from referee_random import random_game, random_rules
from referee_rules import NAMED

HIDDEN = "?"


def seen(record: Record, seat: int, hand: str, **how: Any) -> dict[str, list[int]]:
    """The pieces of a seat after the last event of a record of one deal that the referee agrees with."""
    (deal,) = replay(record)["deals"]
    return pieces(record["rules"], deal, deal["events"], seat, Counter(hand.split()), **how)


# ---- by hand ----


def test_suits_turn_so_that_the_suit_last_claimed_comes_first_and_ranks_stay() -> None:
    before = one(TWELVE | {"jokers": 1}, ["2S 3H", "4S X"])
    after = one(TWELVE | {"jokers": 1}, ["2S 3H", "4S X"], play(0, "6H", "2S"))
    assert seen(before, 1, "4S X")["hand"] == [0, 0, 1, 0, 0, 0, *[0] * 6, 1]
    assert seen(before, 1, "4S X")["origin"] == [1, 0]
    assert seen(after, 1, "4S X")["hand"] == [*[0] * 6, 0, 0, 1, 0, 0, 0, 1]
    assert seen(after, 1, "4S X")["origin"] == [0, 1]
    assert seen(after, 1, "4S X")["claimed_in_pile"] == [0] * 12 + [0, 0, 0, 0, 1, 0] + [0] * 6
    assert seen(after, 1, "4S X")["claimant"] == [0, 1]


def test_a_kept_start_card_that_must_be_followed_counts_as_claimed() -> None:
    record = one(TWELVE | {"start_card": "keep"}, ["2S 3H", "4S 5S"], start("3S"), stock="3S")
    assert (seen(record, 0, "2S 3H")["origin"], seen(record, 0, "2S 3H")["start_card"]) == ([1, 0], [0, 1] + [0] * 10)
    record = one(TWELVE | {"start_card": "keep"}, ["2S 3H", "4S 5S"], start("2H"), stock="2H")
    assert seen(record, 0, "2S 3H")["start_card"] == [1] + [0] * 11
    assert (seen(record, 0, "2S 3H")["pile_size"], seen(record, 0, "2S 3H")["stock_size"]) == ([1], [7])
    unsuited = one(
        {"ranks": 4, "suits": 2, "hand_size": 2, "start_card": "keep"}, ["A A", "2 2"], start("3"), stock="3"
    )
    assert seen(unsuited, 0, "A A")["start_card"] == [1, 0, 0, 0]
    assert seen(unsuited, 0, "A A")["hand"] == [0, 0, 2, 0]


def test_a_start_card_being_voted_on_is_seen_and_lies_neither_on_pile_nor_stock() -> None:
    rules = SPADES | {"start_card": "vote"}
    first = seen(one(rules, ["2S", "3S"], stock="KS QS"), 0, "2S")
    assert (first["start_card"][11], first["pile_size"], first["stock_size"]) == (1, [0], [10])
    second = seen(one(rules, ["2S", "3S"], start("KS", "aa", 4), stock="KS QS"), 0, "2S")
    assert (second["start_card"][10], sum(second["start_card"]), second["stock_size"]) == (1, 1, [10])


def test_a_start_card_taken_with_the_pile_is_known_to_be_in_that_hand() -> None:
    record = one(
        SPADES | {"start_card": "keep", "penalty": "pile"}, ["2S 3S", "4S 5S"],
        start("7S"), play(0, "8S", "2S"), call(1, 0, "bluff", pile=2, then=1), stock="7S",
    )  # fmt: skip
    found = seen(record, 1, "4S 5S")
    assert found["known"][13:] == [1, 0, 0, 0, 0, 1, *[0] * 7]  # 2S turned, 7S
    assert (found["start_card"], found["pile_size"]) == ([0] * 13, [0])


def test_turned_cards_that_stay_in_the_pile_are_in_no_hand_and_drawn_cards_are_the_takers_own() -> None:
    record = one(
        TWELVE, ["2S 3S", "2H 3H"],
        play(0, "4S", "2S"), call(1, 0, "bluff", drawn="4S 5S 6S", then=1), stock="4S 5S 6S",
    )  # fmt: skip
    found = seen(record, 1, "2H 3H")
    assert (found["known"], found["hand_sizes"], found["stock_size"]) == ([0] * 24, [2, 4], [5])
    assert seen(record, 0, "3S 4S 5S 6S")["mine_in_pile"] == [1] + [0] * 11


def test_cards_given_are_known_to_giver_and_taker_only() -> None:
    rules = EIGHT | CHOOSE | {"ranks": 5, "penalty": "stock_2", "hand_size": 3}
    record = one(
        rules, ["2S 3S 4S", "2H 3H 4H", "5S 5H 6H"],
        play(0, "6S", "2S"), call(1, 0, "bluff", drawn="6S", given="3H", then=1),
    )  # fmt: skip
    assert seen(record, 1, "2H 4H")["known"][-10:] == [0] * 6 + [1] + [0] * 3  # the row of seat 0: 3H
    assert sum(seen(record, 2, "5S 5H 6H")["known"]) == 0
    assert seen(record, 2, "5S 5H 6H")["hand_sizes"] == [3, 4, 2]


def test_under_reveal_caller_only_caller_and_accused_see_what_was_turned() -> None:
    for reveal, expected in (("all", 1), ("caller", 0)):
        rules = {"ranks": 3, "suits": 2, "reveal": reveal}
        record = one(rules, ["A 2", "A 3", "2 3"], play(0, "A", "2"), call(1, 0, "bluff", pile=1, then=1))
        assert sum(seen(record, 2, "2 3")["known"]) == expected
        assert sum(seen(record, 1, "A 3")["known"]) == 1


def test_the_run_of_passes_is_counted() -> None:
    rules = {"ranks": 3, "suits": 2, "passing": "allowed", "all_passed": "clear_pile"}
    events = [play(0, "A"), passes(1), passes(2), cleared(1, 0), play(0, "A", "2")]
    counts = [seen(one(rules, ["A 2", "2 3", "A 3"], *events[:n]), 0, "A")["passes"] for n in range(4)]
    assert counts == [[0], [0], [1], [0]]


def test_a_seat_sees_its_own_notices_once_the_play_is_made_and_how_long_ago_they_were() -> None:
    rules = TWELVE | OPEN | DROPP
    hands = ["2S 3S 6S", "2H 3H 6H", "4S 5S 7S"]
    events = [drop(0, "3S", 2), play(0, "2S"), passes(1), alarm(1, 2), passes(2)]
    assert seen(one(rules, hands, *events[:1]), 2, "4S 5S 7S")["notices"] == [0, 0, 0]
    assert seen(one(rules, hands, *events[:2]), 2, "4S 5S 7S")["notices"] == [0, 1, 0]
    assert seen(one(rules, hands, *events[:2]), 1, "2H 3H 6H")["notices"] == [0, 0, 0]
    assert seen(one(rules, hands, *events[:4]), 2, "4S 5S 7S")["notices"] == [0, 2, 1]
    assert seen(one(rules, hands, *events), 2, "4S 5S 7S")["notices"] == [0, 3, 2]


def test_a_hand_looks_as_if_nothing_had_been_dropped_until_its_seat_is_found_out() -> None:
    rules, hands = TWELVE | DROPP, ["2S 3S 4S", "2H 3H 4H"]
    events = [drop(0, "3S"), play(0, "2S"), accuse(1, 0, True, "5S 6S 7S")]
    sizes = [seen(one(rules, hands, *events[:n], stock="5S 6S 7S"), 1, "2H 3H 4H")["hand_sizes"] for n in range(4)]
    assert sizes == [[3, 3], [3, 3], [3, 2], [3, 4]]
    own = [seen(one(rules, hands, *events[:n], stock="5S 6S 7S"), 0, "4S")["hand_sizes"] for n in range(4)]
    assert own == [[3, 3], [2, 3], [1, 3], [4, 3]]


def test_scores_are_seen_from_the_observers_seat() -> None:
    record = one({"ranks": 3, "suits": 2, "target_points": 5}, ["A 2", "A 3", "2 3"])
    assert seen(record, 1, "A 3", scores=[1, 2, 3])["scores"] == [2, 3, 1]


def test_pieces_without_a_point_are_left_out() -> None:
    plain = set(seen(one({"ranks": 2, "suits": 2}, ["A 2", "A 2"]), 0, "A 2"))
    assert plain.isdisjoint({"stock_size", "passes", "scores", "notices", "start_card"})


# ---- random games ----


def some_rules() -> list[dict[str, Any]]:
    rng = random.Random(11)
    named = [check_rules({"max_turns": 60} | rules) for rules in NAMED.values()]
    return named + [random_rules(rng, max_turns=60) for _ in range(60)]


SOME = some_rules()


@pytest.mark.parametrize("rules", SOME, ids=range(len(SOME)))
def test_what_a_seat_remembers_is_true(rules: dict[str, Any]) -> None:
    game = random_game(rules, random.Random(5))
    for deal, stages in zip(game.record["deals"][:2], game.stages, strict=False):
        for seat in range(rules["players"]):
            memory, done = Memory(rules, deal, seat), 0
            for stage in stages:
                for event in deal["events"][done : stage.events]:
                    memory.see(event)
                done = stage.events
                hands = [hand.copy() for hand in stage.hands]
                if done and "drop" in (last := deal["events"][done - 1]):
                    hands[last["seat"]][last["drop"]] += 1  # allowed for once the play or pass is made
                assert all(bound <= hand for bound, hand in zip(memory.known, hands, strict=True))
                apparent = [
                    hand.total() + drops * (who != seat)
                    for who, (hand, drops) in enumerate(zip(stage.hands, stage.drops, strict=True))
                ]
                assert memory.hand_sizes == apparent
                assert (memory.stock_size, memory.pile_size) == (stage.stock, stage.pile)
                assert memory.passes == stage.passes


def censored(rules: dict[str, Any], deal: dict[str, Any], seat: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The deal and its events with everything that the seat cannot see made unreadable [V]."""
    deal, events, pile = copy.deepcopy(deal), copy.deepcopy(deal["events"]), list[dict[str, Any]]()
    turned = {event["start"] for event in events if "start" in event} | set(deal["stock"][:1])
    deal["hands"] = [hand if who == seat else [HIDDEN] * len(hand) for who, hand in enumerate(deal["hands"])]
    deal["stock"] = [card if card in turned else HIDDEN for card in deal["stock"]]
    for event in events:
        if "noticed" in event:
            event["noticed"] = [who for who in event["noticed"] if who == seat]
        if "play" in event:
            pile.append(event)
            if event["seat"] != seat:
                event |= {"play": [HIDDEN] * len(event["play"]), "really": event["play"]}
        if "drop" in event and event["seat"] != seat:
            event["drop"] = HIDDEN
        if "call" in event and seat not in (event["call"], event["seat"]):
            event["given"] = [HIDDEN] * len(event["given"])
        if "drawn" in event:
            loser = event["wrong"] if "call" in event else (event["accuse"] if event["guilty"] else event["seat"])
            event["drawn"] = event["drawn"] if loser == seat else [HIDDEN] * len(event["drawn"])
        if "call" in event and (rules["reveal"] == "all" or seat in (event["call"], event["seat"])):
            pile[-1]["turned"] = pile[-1].get("really", pile[-1]["play"])
        elif "back" in event:
            event["back"] = [HIDDEN] * len(event["back"])
    return deal, events


@pytest.mark.parametrize("rules", SOME, ids=range(len(SOME)))
def test_what_a_seat_cannot_see_changes_nothing_that_it_is_shown(rules: dict[str, Any]) -> None:
    game = random_game(rules, random.Random(6))
    whole = game.record["deals"][0]
    for seat in random.Random(7).sample(range(rules["players"]), 2):
        deal, events = censored(rules, whole, seat)
        plain, blind = Memory(rules, whole, seat), Memory(rules, deal, seat)
        for length, (event, hidden) in enumerate(zip(whole["events"], events, strict=True)):
            if "call" in event and "turned" in blind.pile[-1]:
                blind.pile[-1]["play"] = blind.pile[-1]["turned"]  # now it is seen
            plain.see(event)
            blind.see(hidden)
            for name in (
                "known",
                "hand_sizes",
                "stock_size",
                "pile_size",
                "last_claim",
                "notices",
                "passes",
                "start_card",
            ):
                assert getattr(plain, name) == getattr(blind, name), (name, length)
