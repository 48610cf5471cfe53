"""Referee and plain observer held against the sources' own example and RULES.md, before they judge."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest

from plain_observer import Memory, pieces
from referee import (
    Fault,
    Illegal,
    Table,
    check_rules,
    count_histories,
    deck,
    hand_sizes,
    rank_order,
    replay,
)

ANNE, BJORN, CARLA, DAVID = range(4)

# Three ranks twice, two players: A 2 3 in each hand unless a test deals otherwise.
SMALL = {"players": 2, "ranks": 3, "suits": 2}


def table(hands: list[str], **rules: Any) -> Table:
    """A table of few cards, the last seat dealing, with hands written as text."""
    deal = {"dealer": len(hands) - 1, "hands": [list(hand) for hand in hands], "stock": []}
    return Table(SMALL | {"players": len(hands)} | rules, deal)


def play(at: Table, claim: str, cards: str) -> None:
    at.push(("play", claim, tuple(cards)))


def call(at: Table) -> None:
    at.push(("call",))


def decline(at: Table) -> None:
    at.push(("decline",))


def laid_safely(at: Table, claim: str, cards: str) -> None:
    """A play that nobody calls."""
    play(at, claim, cards)
    while at.asking:
        decline(at)


# ---- the example game of source 000 ----

EXAMPLE_HANDS = ["AA44555667789", "9A33TJQK68JQK", "33A2256789TJQ", "4JT224789TKKQ"]
EXAMPLE_EVENTS: list[dict[str, Any]] = [
    {"seat": ANNE, "claim": "A", "play": ["A", "A"]},
    {"seat": BJORN, "claim": "2", "play": ["9"]},
    {"seat": CARLA, "claim": "3", "play": ["3", "3"]},
    {"seat": DAVID, "claim": "4", "play": ["4", "J", "T"]},
    {"seat": ANNE, "call": DAVID},
    {"seat": ANNE, "claim": "5", "play": ["5"]},
]


def example(**changes: Any) -> dict[str, Any]:
    """A fresh record of the example, unfinished."""
    hands = [list(hand) for hand in EXAMPLE_HANDS]
    deal = {"dealer": DAVID, "opener": ANNE, "hands": hands, "stock": [], "events": EXAMPLE_EVENTS}
    return copy.deepcopy({"format": "bluff-record/1", "rules": {}, "deals": [deal | changes]})


def test_in_the_example_game_david_takes_eight_cards_and_anne_goes_on_with_fives() -> None:
    events = replay(example())["deals"][0]["events"]
    consequences = {"truthful": False, "wrong": DAVID, "pile": 8, "drawn": [], "given": [], "next": ANNE}
    assert events[4] == {"seat": ANNE, "call": DAVID} | consequences
    assert [event for event in events if "play" in event] == [e for e in EXAMPLE_EVENTS if "play" in e]


def test_the_example_game_played_move_by_move_asks_the_nearest_seat_first() -> None:
    deal = {"dealer": DAVID, "hands": [list(hand) for hand in EXAMPLE_HANDS], "stock": []}
    at = Table({}, deal)
    for seat, claim, cards in [(ANNE, "A", "AA"), (BJORN, "2", "9"), (CARLA, "3", "33")]:
        assert (at.to_move, at.claimable()) == (seat, [claim])
        play(at, claim, cards)
        for answerer in [(seat + step) % 4 for step in (1, 2, 3)]:
            assert (at.to_move, at.asking, at.claimable()) == (answerer, True, [])
            decline(at)
    play(at, "4", "4JT")
    assert at.hands[DAVID].total() == 10
    call(at)
    assert at.hands[DAVID] == Counter(EXAMPLE_HANDS[DAVID]) + Counter("AA933")
    assert (at.pile, at.to_move, at.claimable(), at.turns) == ([], ANNE, ["5"], 4)


# ---- tiny decks counted ----


@pytest.mark.parametrize(
    ("ranks", "suits", "max_cards", "max_turns", "count"),
    [(3, 2, 1, 6, 63_976), (2, 2, 2, 8, 69_618), (4, 1, 1, 8, 82_998), (3, 2, 2, 5, 260_182)],
)
def test_tiny_decks_have_as_many_histories_as_the_rules_page_says(
    ranks: int, suits: int, max_cards: int, max_turns: int, count: int
) -> None:
    rules = {"ranks": ranks, "suits": suits, "max_cards": max_cards, "max_turns": max_turns}
    assert count_histories({"players": 2} | rules) == count


# ---- going out, and being cut off ----


def test_a_last_card_laid_truthfully_wins_although_called_and_the_caller_still_takes_the_pile() -> None:
    at = table(["A", "2", "3"], suits=1)
    play(at, "A", "A")
    assert not at.over
    decline(at)
    call(at)
    assert (at.winner, at.to_move, at.legal_moves()) == (0, None, [])
    assert at.hands == [Counter(), Counter("2"), Counter("A3")]
    assert (at.events[-1]["wrong"], at.events[-1]["pile"], at.events[-1]["next"]) == (2, 1, None)
    assert at.rewards() == [1.0, -0.5, -0.5]


def test_a_last_card_that_is_a_lie_wins_when_nobody_calls() -> None:
    at = table(["2", "A", "3"], suits=1)
    play(at, "A", "2")
    decline(at)
    assert not at.over
    decline(at)
    assert (at.winner, at.over, at.cut_off) == (0, True, False)


def test_a_last_card_that_is_a_lie_and_called_goes_back_and_play_goes_on() -> None:
    at = table(["2", "A", "3"], suits=1)
    play(at, "A", "2")
    call(at)
    assert (at.over, at.to_move, at.claimable()) == (False, 1, ["2"])
    assert at.hands[0] == Counter("2")


def test_the_deal_is_cut_off_only_when_the_last_turns_window_has_closed() -> None:
    at = table(["A23", "A23"], max_turns=1)
    play(at, "A", "2")
    assert (at.over, at.to_move) == (False, 1)
    call(at)
    assert (at.over, at.cut_off, at.winner, at.rewards()) == (True, True, None, [0.0, 0.0])
    assert at.hands[0] == Counter("A23")
    assert at.events[-1]["next"] is None


def test_going_out_on_the_last_turn_wins_all_the_same() -> None:
    at = table(["AAA", "222"], max_turns=1, suits=3, ranks=2)
    laid_safely(at, "A", "AAA")
    assert (at.winner, at.cut_off) == (0, False)


def test_going_out_by_a_called_lie_on_the_last_turn_is_cut_off() -> None:
    at = table(["22", "AA"], max_turns=1, ranks=2)
    play(at, "A", "22")
    call(at)
    assert (at.winner, at.cut_off, at.hands[0]) == (None, True, Counter("22"))


def test_rewards_follow_the_rules_object() -> None:
    for rewards, loss in [("zero_sum", -0.5), ("win_loss", -1.0), ("win", 0.0)]:
        at = table(["A", "2", "3"], suits=1, rewards=rewards)
        laid_safely(at, "A", "A")
        assert at.rewards() == [1.0, loss, loss]


# ---- claims and numbers of cards ----


def sizes(at: Table) -> set[int]:
    return {len(move[2]) for move in at.legal_moves()}


@pytest.mark.parametrize(
    ("max_cards", "jokers", "expected"),
    [(None, 0, {1, 2}), (None, 2, {1, 2, 3, 4}), (1, 0, {1}), (3, 0, {1, 2, 3}), (9, 0, {1, 2, 3, 4})],
)
def test_a_play_holds_at_most_max_cards(max_cards: int | None, jokers: int, expected: set[int]) -> None:
    joker = "X" * (jokers // 2)
    at = table(["AA22" + joker, "3344" + joker], ranks=4, max_cards=max_cards, jokers=jokers)
    assert sizes(at) == expected


def test_max_cards_hand_allows_the_whole_hand() -> None:
    assert sizes(table(["AA22", "3344"], ranks=4, max_cards="hand")) == {1, 2, 3, 4}


def test_legal_moves_are_every_claim_with_every_distinct_set_in_rank_order() -> None:
    at = table(["3AA", "223"], lead="any")
    sets = {("A",), ("3",), ("A", "A"), ("A", "3")}
    assert set(at.legal_moves()) == {("play", claim, cards) for claim in "A23" for cards in sets}
    assert len(at.legal_moves()) == 12


@pytest.mark.parametrize(
    ("follow", "after_a", "after_3"),
    [
        ("next", "2", "4"),
        ("any", "A234", "A234"),
        ("same", "A", "3"),
        ("adjacent", "24", "24"),
        ("same_or_adjacent", "A24", "234"),
    ],
)
def test_what_may_follow_a_claim_wraps_round(follow: str, after_a: str, after_3: str) -> None:
    for claim, expected in [("A", after_a), ("3", after_3)]:
        at = table(["AA22", "3344"], ranks=4, lead="any", follow=follow)
        laid_safely(at, claim, "A")
        assert at.claimable() == list(expected)


def test_the_first_play_claims_the_first_rank_of_the_order() -> None:
    assert table(["A23", "A23"]).claimable() == ["A"]
    assert table(["A23", "A23"], lead="any").claimable() == ["A", "2", "3"]
    assert table(["234", "234"], ace="high").claimable() == ["2"]
    assert rank_order({"ranks": 13, "ace": "high"}) == "23456789TJQKA"


def test_a_king_is_followed_by_an_ace() -> None:
    at = table(["A", "2", "3"], suits=1, lead="any")
    play(at, "3", "A")
    call(at)
    assert at.claimable() == ["A"]


@pytest.mark.parametrize(
    ("round_ends", "lead", "claims"),
    [
        ("never", "first_rank", "2"),
        ("never", "any", "3"),
        ("call", "first_rank", "A"),
        ("call", "any", "A23"),
    ],
)
def test_a_call_ends_the_round_or_does_not(round_ends: str, lead: str, claims: str) -> None:
    at = table(["A23", "A23"], round_ends=round_ends, lead=lead)
    play(at, "A" if lead == "first_rank" else "2", "3")
    call(at)
    assert at.claimable() == list(claims)


@pytest.mark.parametrize("round_ends", ["never", "call"])
def test_a_play_that_nobody_calls_never_ends_the_round(round_ends: str) -> None:
    at = table(["A23", "A23"], round_ends=round_ends)
    laid_safely(at, "A", "3")
    assert at.claimable() == ["2"]


def test_jokers_match_any_claim_and_are_never_claimed() -> None:
    at = table(["A2X", "A2X"], ranks=2, jokers=2, lead="any")
    assert at.claimable() == ["A", "2"]
    play(at, "A", "XA")
    assert at.pile[0].cards == ("A", "X")
    call(at)
    assert (at.events[-1]["truthful"], at.events[-1]["wrong"]) == (True, 1)
    with pytest.raises(Illegal, match="claim"):
        play(at, "X", "X")


# ---- who may call, who plays next ----


@pytest.mark.parametrize(
    ("after_call", "after_lie", "after_truth"),
    [("left_of_accused", 1, 1), ("right_party", 2, 0), ("wrong_party", 0, 2)],
)
def test_after_a_call_the_seat_named_by_the_rules_plays(after_call: str, after_lie: int, after_truth: int) -> None:
    for cards, expected in [("2", after_lie), ("A", after_truth)]:
        at = table(["A2", "A2", "33"], after_call=after_call)
        play(at, "A", cards)
        decline(at)
        call(at)
        assert at.to_move == expected == at.events[-1]["next"]


def test_callers_next_asks_only_the_seat_to_the_left() -> None:
    at = table(["A2", "A2", "33"], callers="next")
    play(at, "A", "2")
    assert (at.to_move, at.asking) == (1, True)
    decline(at)
    assert (at.to_move, at.asking) == (1, False)
    play(at, "2", "A")
    assert at.to_move == 2
    call(at)
    assert (at.hands[1], at.to_move) == (Counter("A22"), 2)


def test_a_call_turns_only_the_last_play_and_takes_the_whole_pile() -> None:
    at = table(["A2", "A2", "33"])
    laid_safely(at, "A", "2")
    play(at, "2", "2")
    call(at)
    assert (at.events[-1]["truthful"], at.events[-1]["pile"], at.hands[2]) == (True, 2, Counter("2233"))


def test_moves_out_of_turn_are_refused_and_change_nothing() -> None:
    at = table(["A23", "A23"])
    for move in [("call",), ("decline",), ("pass",), ("play", "A", ()), ("play", "A", ("A", "A"))]:
        with pytest.raises(Illegal):
            at.push(move)
    play(at, "A", "A")
    with pytest.raises(Illegal, match="window"):
        play(at, "2", "A")
    assert (at.turns, at.hands) == (1, [Counter("23"), Counter("A23")])


# ---- rules and deals ----


def test_the_first_seats_after_the_dealer_may_hold_one_more() -> None:
    assert hand_sizes(check_rules({"players": 5}), 3) == [11, 10, 10, 10, 11]


def test_with_a_hand_size_the_rest_is_a_stock_that_stays() -> None:
    deal = {"dealer": 1, "hands": [["A", "2"], ["3", "3"]], "stock": ["2", "A"]}
    at = Table(SMALL | {"hand_size": 2}, deal)
    laid_safely(at, "A", "2")
    assert at.hands == [Counter("A"), Counter("33")]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("players", 1),
        ("players", True),
        ("ranks", 14),
        ("follow", "down"),
        ("follow", "higher_in_suit"),
        ("max_cards", 0),
        ("hand_size", 14),
        ("ace", None),
        ("penalty", "stock_0"),
        ("colour", 1),
    ],
)
def test_rules_outside_the_rules_page_are_refused_with_the_field_named(field: str, value: Any) -> None:
    with pytest.raises(Illegal, match=field):
        Table({field: value}, {})


# ---- records ----


def test_a_record_is_returned_with_its_gaps_filled_and_again_unchanged() -> None:
    gappy = example()
    del gappy["deals"][0]["opener"], gappy["deals"][0]["stock"]
    gappy["deals"][0]["hands"][0][0] = "AS"  # a suit is accepted and ignored
    filled = replay(gappy)
    assert filled == replay(example()) == replay(filled)
    assert filled["deals"][0]["opener"] == ANNE
    assert filled["result"] is None
    assert "end" not in filled["deals"][0]


def test_the_opener_left_to_chance_is_the_seat_that_moved_first() -> None:
    record = finished() | {"rules": {"players": 2, "ranks": 2, "suits": 2, "first_player": "random"}}
    deal = record["deals"][0]
    deal["events"] = [{"seat": 1, "claim": "A", "play": ["2"]}]
    del deal["end"]
    assert replay(record)["deals"][0]["opener"] == 1
    deal["events"] = []
    assert fault_of(record)[:2] == (0, None)


def finished() -> dict[str, Any]:
    """A record of two turns: seat 0 lays an ace, then seat 1 goes out with twos, called by seat 0 in vain."""
    events = [
        {"seat": 0, "claim": "A", "play": ["A"]},
        {"seat": 1, "claim": "2", "play": ["2", "2"]},
        {"seat": 0, "call": 1},
    ]
    end = {"winner": 1, "cut_off": False}
    deal = {"dealer": 1, "hands": [["A", "A"], ["2", "2"]], "events": events, "end": end}
    rules = {"players": 2, "ranks": 2, "suits": 2}
    return {"format": "bluff-record/1", "rules": rules, "deals": [deal]}


def test_a_finished_record_gets_its_end_and_result() -> None:
    filled = replay(finished())
    assert filled["deals"][0]["end"] == {"winner": 1, "cut_off": False}
    assert filled["result"] == {"winner": 1, "scores": [0, 1], "rewards": [-1.0, 1.0], "cut_off": False}
    assert replay(filled) == filled


def test_an_end_says_that_nobody_called_the_last_play() -> None:
    record = finished()
    record["deals"][0]["events"].pop()
    assert replay(record)["result"]["winner"] == 1
    del record["deals"][0]["end"]
    assert replay(record)["result"] is None  # a position: the window is still open


def fault_of(record: dict[str, Any]) -> tuple[int | None, int | None, str]:
    with pytest.raises(Fault) as caught:
        replay(record)
    return caught.value.deal, caught.value.event, caught.value.message


@pytest.mark.parametrize(
    ("event", "change", "message"),
    [
        (0, {"seat": 1}, "seat 0"),
        (0, {"claim": "2"}, "claim"),
        (1, {"play": ["2"]}, "lacks"),
        (1, {"play": []}, "1 to 4"),
        (1, {"play": ["1"]}, "'1'"),
        (2, {"count": 2}, "count"),
        (4, {"call": CARLA}, "call"),
        (4, {"seat": DAVID}, "asked"),
        (4, {"truthful": True}, "truthful"),
        (4, {"truthful": 0}, "truthful"),
        (4, {"wrong": ANNE}, "wrong"),
        (4, {"pile": 3}, "expected 8"),
        (4, {"drawn": ["A"]}, "drawn"),
        (4, {"next": DAVID}, "next"),
        (4, {"callers": [ANNE]}, "callers"),
        (5, {"seat": BJORN}, "seat 0"),
    ],
)
def test_a_corrupted_event_is_reported_with_deal_and_event(event: int, change: dict[str, Any], message: str) -> None:
    record = example()
    record["deals"][0]["events"][event] |= change
    deal, at, text = fault_of(record)
    assert (deal, at) == (0, event)
    assert message in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dealer": 4}, "dealer"),
        ({"opener": BJORN}, "opener"),
        ({"stock": ["A"]}, "deck"),
        ({"hands": [list("A" * 13)] * 4}, "deck"),
        ({"hands": [list("A" * 12), list("2" * 14), list("3" * 13), list("4" * 13)]}, "13, 13"),
        ({"cards": 52}, "cards"),
    ],
)
def test_a_deal_that_is_not_the_deck_dealt_is_reported_with_the_deal(change: dict[str, Any], message: str) -> None:
    deal, event, text = fault_of(example(**change))
    assert (deal, event) == (0, None)
    assert message in text


def test_an_event_after_the_end_and_an_end_too_early_are_reported() -> None:
    late = finished()
    late["deals"][0]["events"].append({"seat": 0, "claim": "A", "play": ["A"]})
    assert fault_of(late)[:2] == (0, 3)
    early = example(end={"winner": ANNE, "cut_off": False})
    assert fault_of(early)[:2] == (0, 6)
    wrong = finished()
    wrong["deals"][0]["end"]["winner"] = 0
    assert fault_of(wrong)[:2] == (0, 3)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "bluff-record/2"},
        {"rules": {"players": 3.5}},
        {"colour": 1},
        {"seats": ["a"]},
        {"deals": []},
        {"result": {"winner": 0}},
    ],
)
def test_faults_above_the_deals_are_reported_without_one(change: dict[str, Any]) -> None:
    assert fault_of(example() | change)[:2] == (None, None)


def test_a_second_deal_is_a_fault_without_match_play() -> None:
    two = example()
    two["deals"] *= 2
    assert fault_of(two)[:2] == (1, None)


# ---- games of random moves, and what a seat may know of them ----

RANDOM_RULES: list[dict[str, Any]] = [
    {},
    {"max_turns": 30},
    {"players": 2, "decks": 2, "max_cards": "hand", "callers": "next", "after_call": "wrong_party"},
    {"players": 3, "ranks": 4, "jokers": 3, "ace": "high", "lead": "any", "follow": "adjacent"},
    {"players": 5, "hand_size": 3, "round_ends": "call", "lead": "any", "after_call": "right_party"},
]


def random_game(rules: dict[str, Any], seed: int) -> tuple[dict[str, Any], Table, list[list[Counter[str]]]]:
    """A game of random moves, up to 300 turns: its record, its table, and all hands after each event."""
    rng = random.Random(seed)
    full = check_rules({"max_turns": 300} | rules)
    cards = list(deck(full).elements())
    rng.shuffle(cards)
    hands = [[cards.pop() for _ in range(size)] for size in hand_sizes(full, 0)]
    deal = {"dealer": 0, "opener": 1, "hands": hands, "stock": cards}
    at = Table(full, deal)
    stages = [[hand.copy() for hand in at.hands]]
    while not at.over:
        if at.asking:
            at.push(rng.choice([("call",), *[("decline",)] * 3]))
        else:
            held = sorted(at.hands[at.to_move or 0].elements())
            at.push(("play", rng.choice(at.claimable()), rng.sample(held, rng.choice([1, 1, 1, at.most_cards()]))))
        if len(at.events) == len(stages):
            stages.append([hand.copy() for hand in at.hands])
    end = {"winner": at.winner, "cut_off": at.cut_off}
    record = {"format": "bluff-record/1", "rules": full, "deals": [deal | {"events": at.events, "end": end}]}
    return record, at, stages


@pytest.mark.parametrize("rules", RANDOM_RULES)
def test_a_played_game_replays_to_the_same_record(rules: dict[str, Any]) -> None:
    for seed in range(20):
        record, at, _ = random_game(rules, seed)
        filled = replay(record)
        assert filled["deals"] == record["deals"]
        assert filled["result"]["rewards"] == at.rewards()
        for event in at.events:
            if "call" in event:
                for key in ("truthful", "wrong", "pile", "drawn", "given", "next"):
                    del event[key]
        assert replay(record) == filled


@pytest.mark.parametrize("rules", RANDOM_RULES)
def test_what_a_seat_knows_for_certain_is_true(rules: dict[str, Any]) -> None:
    for seed in range(5):
        record, at, stages = random_game(rules, seed)
        (deal,) = record["deals"]
        for seat in range(at.rules["players"]):
            memory = Memory(at.rules, deal, seat)
            for event, hands in zip(at.events, stages[1:], strict=True):
                memory.see(event)
                assert all(bound <= hand for bound, hand in zip(memory.known, hands, strict=True))
                assert memory.hand_sizes == [hand.total() for hand in hands]


def relative(first: str, **counts: int) -> list[int]:
    """A count per rank, in the order that starts at `first`."""
    at = "A23456789TJQK".index(first)
    return [counts.get(f"r{rank}", 0) for rank in ("A23456789TJQK" * 2)[at : at + 13]]


def test_carla_sees_the_example_game_from_her_seat() -> None:
    deal = example()["deals"][0]
    hand = Counter("A2256789TJQ")
    before = pieces(check_rules({}), deal, [], CARLA, hand + Counter("33"))
    assert before["origin"] == [0, 1] + [0] * 11  # the rank to claim first is rank 1
    assert before["hand"] == relative("K", rA=1, r2=2, r3=2, r5=1, r6=1, r7=1, r8=1, r9=1, rT=1, rJ=1, rQ=1)
    seen = pieces(check_rules({}), deal, EXAMPLE_EVENTS[:4], CARLA, hand)
    assert seen["hand"] == relative("4", rA=1, r2=2, r5=1, r6=1, r7=1, r8=1, r9=1, rT=1, rJ=1, rQ=1)
    assert seen["mine_in_pile"] == relative("4", r3=2)
    assert (seen["hand_sizes"], seen["pile_size"]) == ([11, 10, 11, 12], [8])
    assert (seen["claim_count"], seen["claimant"]) == ([3], [0, 1, 0, 0])
    assert seen["origin"] == relative("4", rA=1)
    claims = [relative("4", **{claim: n}) for claim, n in [("r3", 2), ("r4", 3), ("rA", 2), ("r2", 1)]]
    assert seen["claimed_in_pile"] == [n for seat in claims for n in seat]
    assert (seen["known"], seen["called"]) == ([0] * 52, [0] * 12)


def test_cards_turned_and_own_cards_taken_are_known_until_their_holder_may_have_laid_them() -> None:
    deal, rules = example()["deals"][0], check_rules({})
    events = replay(example())["deals"][0]["events"]
    hand = Counter("A2256789TJQ")
    called = pieces(rules, deal, events[:5], CARLA, hand)
    assert called["known"][13:26] == relative("4", rA=0, r3=2, r4=1, rT=1, rJ=1)
    assert called["called"] == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert (called["mine_in_pile"], called["claim_count"], called["claimant"]) == ([0] * 13, [0], [0] * 4)
    events += [
        {"seat": BJORN, "claim": "6", "play": ["6"]},
        {"seat": CARLA, "claim": "7", "play": ["7"]},
        {"seat": DAVID, "claim": "8", "play": ["3"]},
    ]
    laid = pieces(rules, deal, events, CARLA, hand - Counter("7"))
    assert laid["known"][13:26] == relative("8", r3=1)
    called_again: dict[str, Any] = {"seat": ANNE, "call": DAVID, "truthful": False, "wrong": DAVID, "pile": 4}
    called_again |= {"drawn": [], "given": [], "next": ANNE}
    turned = pieces(rules, deal, [*events, called_again], CARLA, hand - Counter("7"))
    assert turned["known"][13:26] == relative("8", r3=2, r4=1, r7=1, rT=1, rJ=1)
    closed = pieces(rules, deal, events, CARLA, hand - Counter("7"), window_open=False)
    assert closed | {name: laid[name] for name in ("claim_count", "claimant")} == laid
    assert (closed["claim_count"], closed["claimant"]) == ([0], [0] * 4)


def test_called_counts_bluffs_and_truths_of_the_accused_and_wrong_calls_of_the_caller() -> None:
    deal, rules = finished()["deals"][0], check_rules({"players": 2, "ranks": 2, "suits": 2})
    events = replay(finished())["deals"][0]["events"]
    assert pieces(rules, deal, events, 0, Counter("AA22"))["called"] == [0, 0, 1, 0, 1, 0]
    assert pieces(rules, deal, events, 1, Counter())["called"] == [0, 1, 0, 0, 0, 1]
