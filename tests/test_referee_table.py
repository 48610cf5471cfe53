"""The referee's table move by move: who is asked what, in which order, and what may be answered."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee import Illegal, Move, Table, check_rules, count_histories
from referee_corners import CHOOSE, DROPP, EIGHT, NOTHING, OPEN, SIX, SPADES, STOPP, TWELVE, dealt


def table(rules: dict[str, Any], hands: list[str], stock: str = "", rng: random.Random | None = None) -> Table:
    """A table at which the last seat has dealt."""
    full = {"players": len(hands), "hand_size": len(hands[0].split())} | rules
    return Table(full, dealt(full, hands, [], stock=stock), rng)


def push(at: Table, *moves: Move) -> None:
    for move in moves:
        at.push(move)


CALL, DECLINE, PASS = ("call",), ("decline",), ("pass",)


# ---- start card ----


def test_the_seats_vote_in_play_order_from_the_dealers_left_before_the_opener_moves() -> None:
    at = table(SPADES | {"start_card": "vote"}, ["2S", "3S", "4S"], "JS 5S")
    for voter in (0, 1, 2):
        assert (at.phase, at.to_move, at.start_card, at.pile_size()) == ("vote", voter, "JS", 0)
        assert at.legal_moves() == [("vote", False), ("vote", True)]
        assert len(at.stock) == 9
        at.push(("vote", True))
    assert (at.phase, at.chance, at.to_move) == ("put_back", True, None)
    assert at.legal_moves() == [("put_back", place) for place in range(10)]
    at.push(("put_back", 9))
    assert (at.stock[-1], at.start_card, at.pile_size(), at.turns) == ("JS", "5S", 1, 0)
    assert at.claimable() == ["6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS"]


@pytest.mark.parametrize(
    ("high", "ace", "asked"),
    [("J", "high", "JQKA"), ("J", "low", "JQK"), ("A", "high", "A"), ("A", "low", "A23456789TJQK"), ("2", "high", "*")],
)
def test_the_vote_is_about_ranks_from_start_card_high_up_in_the_order_of_the_deck(
    high: str, ace: str, asked: str
) -> None:
    for rank in "A23456789TJQK":
        rules = SPADES | {"start_card": "vote", "start_card_high": high, "ace": ace}
        first, second, *_ = [f"{other}S" for other in "A23456789TJQK" if other != rank]
        at = table(rules, [first, second], f"{rank}S")
        assert (at.phase == "vote") == (asked == "*" or rank in asked)


def test_nobody_is_asked_where_start_card_high_is_not_in_the_deck() -> None:
    assert table(EIGHT | {"start_card": "vote"}, ["2S", "3S"], "5S").phase == "turn"


# ---- claims ----


def test_in_suit_only_a_higher_rank_of_the_suit_follows() -> None:
    at = table(TWELVE, ["2S 3S", "4S 5S"])
    assert len(at.claimable()) == 12
    push(at, ("play", "5H", ("2S",)), DECLINE)
    assert (at.to_move, at.claimable(), at.most_cards()) == (1, ["6H", "7H"], 1)
    push(at, ("play", "7H", ("4S",)), DECLINE)
    assert (at.to_move, len(at.claimable()), at.may_pass()) == (1, 12, False)


def test_with_the_ace_low_the_king_is_never_to_be_followed() -> None:
    at = table(SPADES | {"ace": "low"}, ["2S 3S", "4S 5S"])
    push(at, ("play", "KS", ("2S",)), DECLINE)
    assert (at.to_move, len(at.claimable())) == (0, 13)


# ---- passing ----


def test_a_seat_that_follows_may_pass_one_that_leads_may_not() -> None:
    at = table(TWELVE | OPEN, ["2S 3S", "4S 5S", "2H 3H"])
    assert PASS not in at.legal_moves()
    push(at, ("play", "3S", ("2S",)), DECLINE, DECLINE)
    assert PASS in at.legal_moves()
    push(at, PASS)
    assert (at.to_move, at.claimable(), at.passes, at.turns) == (2, ["4S", "5S", "6S", "7S"], 1, 2)
    push(at, PASS)
    assert (at.to_move, len(at.claimable()), at.passes, at.may_pass()) == (0, 12, 0, False)


def test_a_play_ends_a_run_of_passes() -> None:
    at = table({"ranks": 4, "suits": 2, "passing": "allowed", "all_passed": "clear_pile"}, ["A 2", "A 3", "3 4"])
    push(at, ("play", "A", ("A",)), DECLINE, DECLINE, PASS, ("play", "2", ("3",)), DECLINE, DECLINE)
    assert (at.passes, at.to_move) == (0, 0)
    push(at, PASS, PASS)
    assert (at.events[-1], at.to_move, at.claimable()) == ({"cleared": 2, "next": 2}, 2, ["A"])


def test_must_play_lets_nobody_complete_a_round_of_passes() -> None:
    at = table({"ranks": 4, "suits": 2, "passing": "allowed"}, ["A 2", "A 3", "3 4"])
    push(at, ("play", "A", ("A",)), DECLINE, DECLINE, PASS, PASS)
    assert (at.to_move, at.claimable(), at.may_pass()) == (0, ["2"], False)
    with pytest.raises(Illegal, match="pass"):
        at.push(PASS)


# ---- calls ----


def test_in_a_race_all_are_asked_before_one_who_called_is_drawn() -> None:
    at = table({"ranks": 4, "suits": 2, "call_order": "race"}, ["A 2", "A 3", "2 3", "4 4"])
    push(at, ("play", "A", ("2",)))
    for seat, answer in ((1, CALL), (2, DECLINE), (3, CALL)):
        assert (at.to_move, at.legal_moves()) == (seat, [DECLINE, CALL])
        at.push(answer)
    assert (at.chance, at.to_move, at.legal_moves()) == (True, None, [("caller", 1), ("caller", 3)])
    with pytest.raises(Illegal, match="caller"):
        at.push(("caller", 2))
    at.push(("caller", 3))
    assert (at.events[-1]["seat"], at.events[-1]["callers"], at.to_move) == (3, [1, 3], 1)


def test_a_race_is_drawn_evenly() -> None:
    drawn = []
    for seed in range(300):
        at = table(
            {"ranks": 4, "suits": 2, "call_order": "race"}, ["A 2", "A 3", "2 3", "4 4"], rng=random.Random(seed)
        )
        push(at, ("play", "A", ("2",)), CALL, CALL, CALL)
        drawn.append(at.events[-1]["seat"])
    assert all(70 < drawn.count(seat) < 130 for seat in (1, 2, 3))


def test_the_right_party_picks_exactly_what_it_owes_and_nobody_else_acts() -> None:
    at = table(EIGHT | CHOOSE, ["2S 3S 4S", "2H 3H 4H"])
    push(at, ("play", "5S", ("2S",)), CALL)
    assert (at.phase, at.to_move, at.owed, at.stock) == ("give", 1, 1, [])
    assert set(at.legal_moves()) == {("give", ("2H",)), ("give", ("3H",)), ("give", ("4H",))}
    for wrong in [("give", ()), ("give", ("2H", "3H")), ("give", ("2S",)), CALL, DECLINE, PASS]:
        with pytest.raises(Illegal):
            at.push(wrong)
    at.push(("give", ("3H",)))
    assert (at.to_move, at.hands[0].total(), at.hands[1].total()) == (1, 5, 2)


def test_cards_drawn_blind_are_as_likely_as_there_are_of_a_kind() -> None:
    rules = {"ranks": 2, "suits": 4, "hand_size": 4, "penalty": "stock_1"}
    given = []
    for seed in range(300):
        at = table(rules, ["2 A A A", "2 2 2 A"], rng=random.Random(seed))
        push(at, ("play", "A", ("2",)), CALL)
        given += at.events[-1]["given"]
    assert 195 < given.count("2") < 255


# ---- dropp ----


def test_the_mover_may_drop_one_card_and_then_has_to_lay() -> None:
    at = table(TWELVE | DROPP, ["2S 3S", "2H 3H"])
    assert [move for move in at.legal_moves() if move[0] == "drop"] == [("drop", "2S"), ("drop", "3S")]
    at.push(("drop", "2S"))
    assert (at.chance, at.legal_moves()) == (True, [("notice", ()), ("notice", (1,))])
    at.push(("notice", (1,)))
    assert (at.to_move, {move[0] for move in at.legal_moves()}) == (0, {"play"})
    push(at, ("play", "2S", ("3S",)))
    assert (at.phase, at.hands[0].total(), at.laps[0], at.drops) == ("window", 0, {"2S": 1}, [1, 0])


def test_a_seat_that_did_not_drop_may_raise_a_false_alarm_before_anyone_is_asked() -> None:
    at = table(TWELVE | DROPP, ["2S 3S", "2H 3H", "4S 5S"])
    at.push(("play", "2S", ("3S",)))
    assert at.chance
    assert set(at.legal_moves()) == {("alarm", ()), ("alarm", (1,)), ("alarm", (2,)), ("alarm", (1, 2))}
    at.push(("alarm", (2,)))
    assert (at.to_move, at.events[-1]) == (1, {"alarm": 0, "noticed": [2]})


def test_accusing_leaves_the_accuser_to_answer_and_then_the_seats_not_yet_asked() -> None:
    at = table(TWELVE | DROPP, ["2S 3S", "2H 3H", "4S 5S"])
    push(at, ("play", "2S", ("3S",)), ("alarm", ()), DECLINE)
    assert at.legal_moves() == [DECLINE, CALL, ("accuse", 0), ("accuse", 1)]
    push(at, ("accuse", 0))
    assert (at.to_move, at.legal_moves()) == (2, [DECLINE, CALL])
    push(at, DECLINE)
    assert (at.to_move, at.phase) == (1, "turn")


def test_the_probabilities_of_notices_are_those_of_the_rules() -> None:
    noticed = {"drop": 0, "alarm": 0}
    for seed in range(400):
        at = table(TWELVE | {"dropp": {"penalty": 3, "notice": 0.5, "false_notice": 0.25}},
                   ["2S 3S", "2H 3H", "4S 5S"], rng=random.Random(seed))  # fmt: skip
        push(at, ("drop", "2S"), ("play", "2S", ("3S",)), CALL, ("play", "2H", ("2H",)))
        for event in at.events:
            for kind in noticed:
                noticed[kind] += len(event["noticed"]) if kind in event else 0
    assert 350 < noticed["drop"] < 450  # of 800
    assert 155 < noticed["alarm"] < 245  # of 800


# ---- rules objects ----


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        (STOPP | {"hand_size": 7, "follow": "next"}, "follow"),
        ({"follow": "higher_in_suit"}, "follow"),
        (STOPP | {"hand_size": 7, "lead": "first_rank"}, "lead"),
        (STOPP | {"hand_size": 7, "decks": 2}, "decks"),
        (STOPP | {"hand_size": 7, "max_cards": 2}, "max_cards"),
        (STOPP | {"hand_size": 7, "max_cards": "hand"}, "max_cards"),
        (STOPP, "penalty"),
        ({"penalty": "whole_stock"}, "penalty"),
        ({"penalty": "stock_03"}, "penalty"),
        ({"start_card": "keep"}, "start_card"),
        (DROPP, "dropp"),
        ({"hand_size": 5, "call_order": "race"} | DROPP, "call_order"),
        ({"hand_size": 5, "dropp": {"penalty": 2, "notice": 0.3, "false_notice": 0.02}}, "dropp"),
        ({"hand_size": 5, "dropp": {"penalty": 3, "notice": 1.3, "false_notice": 0.02}}, "dropp"),
        ({"hand_size": 5, "dropp": {"penalty": 3, "notice": 0.3}}, "dropp"),
        ({"hand_size": 5, "dropp": {}}, "dropp"),
        ({"hand_size": 13, "start_card": "keep"}, "hand_size"),
        ({"players": 14, "ranks": 13, "suits": 1}, "players"),
        ({"target_points": 0}, "target_points"),
        ({"start_card_redraws": -1}, "start_card_redraws"),
        ({"start_card_high": "10"}, "start_card_high"),
    ],
)
def test_rules_that_do_not_go_together_are_refused_with_the_field_named(rules: dict[str, Any], field: str) -> None:
    with pytest.raises(Illegal, match=f"rules: {field}"):
        check_rules(rules)


def test_fields_without_effect_are_accepted() -> None:
    check_rules(
        {"hand_size": 7, "max_cards": 500, "penalty": "stock_99", "start_card_high": "A", "ranks": 9, "suits": 4}
    )
    check_rules(STOPP | {"hand_size": 7, "max_cards": 1, "jokers": 8, "all_passed": "clear_pile"})
    check_rules({"give": "choose", "reveal": "caller", "empty_stock": "nothing"})


# ---- counting ----

TWO: dict[str, Any] = {"players": 2}
THREE_CARDS = SIX | TWO | {"suits": 1, "hand_size": 1}
FOUR_CARDS = SIX | TWO | {"suits": 1, "ranks": 4, "hand_size": 2, "max_turns": 4}
COUNTED: list[tuple[dict[str, Any], int]] = [
    (THREE_CARDS | {"max_turns": 4}, 60),
    (THREE_CARDS | NOTHING | {"max_turns": 5}, 1_680),
    (FOUR_CARDS, 1_878),
    (FOUR_CARDS | CHOOSE | {"penalty": "stock_1"}, 9_366),
    (THREE_CARDS | {"suits": 2, "ranks": 2, "max_turns": 3, "penalty": "whole_stock"}, 1_176),
    (
        THREE_CARDS
        | {"ranks": 4, "max_turns": 3, "start_card": "vote", "start_card_high": "4", "start_card_redraws": 1},
        660,
    ),
    (SIX | OPEN | {"players": 3, "suits": 1, "ranks": 3, "hand_size": 1, "max_turns": 4}, 96),
    (
        TWO
        | {"ranks": 3, "suits": 2, "max_cards": 1, "max_turns": 5, "passing": "allowed", "all_passed": "clear_pile"},
        32_932,
    ),
    ({"players": 3, "ranks": 3, "suits": 1, "max_turns": 5, "passing": "allowed"}, 1_144),
    ({"players": 3, "ranks": 3, "suits": 1, "max_turns": 4, "call_order": "race"}, 1_788),
    (TWO | {"ranks": 3, "suits": 1, "hand_size": 1, "max_turns": 5, "lead": "any", "follow": "any"}, 1_680),
    (TWO | {"ranks": 2, "suits": 1, "jokers": 2, "max_turns": 5, "max_cards": "hand"}, 8_830),
    (FOUR_CARDS | DROPP | {"max_turns": 2}, 19_002),
]


@pytest.mark.parametrize(("rules", "count"), COUNTED)
def test_small_games_have_so_many_histories(rules: dict[str, Any], count: int) -> None:
    assert count_histories(rules) == count


def test_histories_of_a_game_of_two_cards_counted_by_hand() -> None:
    """Two cards, a turn: the deal, two claims, each declined or called. Both orders of the deal."""
    rules = SIX | {"players": 2, "suits": 1, "ranks": 2, "hand_size": 1, "max_turns": 1}
    assert count_histories(rules) == 2 * (1 + 2 + 4)
