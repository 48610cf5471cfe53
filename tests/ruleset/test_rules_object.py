"""The rules object: RULES.md section 2, field by field."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
import random
from typing import Any

import numpy as np
import pytest

import bluff_env
from bluff_env import Game, Rules
from bluff_env.errors import RulesError
from bluff_env.ruleset import Dropp

#: Section 2's table: field -> default.
DEFAULTS: dict[str, Any] = {
    "players": 4, "ranks": 13, "suits": 4, "decks": 1, "jokers": 0, "suited": False, "ace": "low", "hand_size": None,
    "first_player": "dealer_left", "start_card": "none", "start_card_high": "J", "start_card_redraws": 3,
    "lead": "first_rank", "follow": "next", "round_ends": "never", "max_cards": None, "passing": "never",
    "all_passed": "must_play", "callers": "all", "call_order": "nearest", "penalty": "pile",
    "empty_stock": "from_opponent", "give": "random", "after_call": "left_of_accused", "reveal": "all", "dropp": None,
    "target_points": None, "max_turns": 1000, "rewards": "zero_sum",
}  # fmt: skip

#: Section 2's words: field -> all that may stand there.
WORDS: dict[str, tuple[Any, ...]] = {
    "suited": (False, True),
    "ace": ("low", "high"),
    "first_player": ("dealer_left", "random"),
    "start_card": ("none", "keep", "vote"),
    "start_card_high": tuple("A23456789TJQK"),
    "lead": ("first_rank", "any"),
    "follow": ("next", "any", "same", "adjacent", "same_or_adjacent", "higher_in_suit"),
    "round_ends": ("never", "call"),
    "passing": ("never", "allowed"),
    "all_passed": ("must_play", "clear_pile", "last_player_leads"),
    "callers": ("all", "next"),
    "call_order": ("nearest", "race"),
    "empty_stock": ("from_opponent", "nothing"),
    "give": ("random", "choose"),
    "after_call": ("left_of_accused", "right_party", "wrong_party", "left_of_wrong"),
    "reveal": ("all", "caller"),
    "rewards": ("zero_sum", "win_loss", "win"),
}

#: Whole numbers: field -> lowest, highest (None: section 2 names none).
NUMBERS: dict[str, tuple[int, int | None]] = {
    "players": (2, 16), "ranks": (1, 13), "suits": (1, 4), "decks": (1, 4), "jokers": (0, 8),
    "hand_size": (1, 52), "max_cards": (1, 52), "start_card_redraws": (0, None), "target_points": (1, None),
    "max_turns": (1, None),
}  # fmt: skip

DROPP = {"penalty": 3, "notice": 0.3, "false_notice": 0.02}
SUITED = {"suited": True, "follow": "higher_in_suit", "lead": "any", "hand_size": 7}


def refusal(**fields: Any) -> str:
    """The one line with which these fields are refused."""
    with pytest.raises(RulesError) as caught:
        Rules(**fields)
    text = str(caught.value)
    assert "\n" not in text
    assert isinstance(caught.value, ValueError)
    return text


def bad_numbers() -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for field, (low, high) in NUMBERS.items():
        found += [(field, low - 1), (field, -7), (field, float(low)), (field, low + 0.5), (field, str(low))]
        found += [(field, True), (field, [low]), (field, math.nan), (field, math.inf)]
        found += [] if high is None else [(field, high + 1)]
        found += [] if DEFAULTS[field] is None else [(field, None)]
    return found


def bad_words() -> list[tuple[str, Any]]:
    wrong = (None, "", 0, 1, "Low", "any ", "no", ["low"], {"low": 1})
    return [(field, value) for field in WORDS for value in wrong]


# ---- the fields ----


def test_the_fields_and_their_defaults_are_those_of_the_rules_page() -> None:
    assert Rules().to_dict() == DEFAULTS
    assert list(Rules().to_dict()) == list(DEFAULTS)
    assert bluff_env.rules("bloff") == bluff_env.rules({}) == Rules()


@pytest.mark.parametrize(("field", "value"), bad_numbers())
def test_a_number_out_of_range_or_of_another_type_is_refused_with_field_value_and_range(field: str, value: Any) -> None:
    text = refusal(**{field: value})
    low, high = NUMBERS[field]
    assert text.startswith(f"{field}: {value!r} is not allowed; ")
    assert f"a whole number from {low} to " in text
    assert high is None or text.endswith(f" to {high}")
    assert ("hand," in text) == (field == "max_cards")


@pytest.mark.parametrize(("field", "value"), bad_words())
def test_a_word_that_may_not_stand_there_is_refused_with_all_that_may(field: str, value: Any) -> None:
    text = refusal(**{field: value})
    allowed = ", ".join(str(word).lower() if isinstance(word, bool) else word for word in WORDS[field])
    assert text == f"{field}: {value!r} is not allowed; one of {allowed}"


@pytest.mark.parametrize("value", ["stock_0", "stock_", "stock", "stock_-1", "stock_03", "stock_1.5", "Pile", None, 3])
def test_a_penalty_is_the_pile_the_whole_stock_or_a_number_from_it(value: Any) -> None:
    text = refusal(penalty=value, hand_size=5)
    assert text.startswith(f"penalty: {value!r} is not allowed; pile, whole_stock, or stock_n")


@pytest.mark.parametrize(
    ("dropp", "message"),
    [
        (3, "dropp: 3 is not allowed; null or {penalty, notice, false_notice}"),
        ([3, 0.3, 0.02], "dropp: [3, 0.3, 0.02] is not allowed"),
        ({}, "dropp.penalty: missing; dropp needs penalty, notice, false_notice"),
        ({"penalty": 3, "notice": 0.5}, "dropp.false_notice: missing"),
        (DROPP | {"colour": 1}, "dropp.colour: no such field; fields: penalty, notice, false_notice"),
        (DROPP | {"penalty": 2}, "dropp.penalty: 2 is not allowed; a whole number from 3 to 6"),
        (DROPP | {"penalty": 7}, "dropp.penalty: 7 is not allowed; a whole number from 3 to 6"),
        (DROPP | {"penalty": 3.0}, "dropp.penalty: 3.0 is not allowed"),
        (DROPP | {"notice": 1.01}, "dropp.notice: 1.01 is not allowed; a number from 0 to 1"),
        (DROPP | {"notice": -0.1}, "dropp.notice: -0.1 is not allowed"),
        (DROPP | {"notice": math.nan}, "dropp.notice: nan is not allowed"),
        (DROPP | {"false_notice": "0.1"}, "dropp.false_notice: '0.1' is not allowed; a number from 0 to 1"),
        (DROPP | {"false_notice": True}, "dropp.false_notice: True is not allowed"),
    ],
)
def test_a_faulty_dropp_is_refused_by_its_own_field(dropp: Any, message: str) -> None:
    """[D1]"""
    assert refusal(dropp=dropp, hand_size=5).startswith(message)


def test_the_ends_of_every_range_are_allowed() -> None:
    for fields in (
        {"players": 2}, {"players": 16}, {"ranks": 1}, {"suits": 1}, {"decks": 4}, {"jokers": 8}, {"hand_size": 1},
        {"hand_size": 13}, {"max_cards": 1}, {"max_cards": 52}, {"max_cards": "hand"}, {"max_turns": 1},
        {"start_card_redraws": 0},
    ):  # fmt: skip
        assert Rules(**fields) != Rules()
    for penalty in (3, 6):
        for chance in (0, 1, 0.5):
            assert Dropp(penalty, chance, chance).notice == float(chance)


# ---- combinations ----


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"ranks": 1, "suits": 3}, "players: 4 with a deck of 3 cards leaves a player without a card"),
        ({"players": 16, "ranks": 5, "suits": 3}, "players: 16 with a deck of 15 cards"),
        ({"hand_size": 14}, "hand_size: 14 for 4 players needs 56 cards; the deck has 52"),
        ({"hand_size": 13, "start_card": "keep"}, "hand_size: 13 for 4 players and a start card needs 53 cards"),
        ({"hand_size": 13, "start_card": "vote"}, "hand_size: 13 for 4 players and a start card needs 53 cards"),
        ({"follow": "higher_in_suit"}, "follow: 'higher_in_suit' with suited False; higher_in_suit and suited go"),
        (SUITED | {"follow": "next"}, "follow: 'next' with suited True; higher_in_suit and suited go together"),
        (SUITED | {"lead": "first_rank"}, "lead: 'first_rank' is not allowed with suited; any"),
        (SUITED | {"decks": 2}, "decks: 2 is not allowed with suited; 1"),
        (SUITED | {"max_cards": 2}, "max_cards: 2 is not allowed with suited; null or 1"),
        (SUITED | {"max_cards": "hand"}, "max_cards: 'hand' is not allowed with suited; null or 1"),
        ({"start_card": "keep"}, "start_card: 'keep' needs a stock, so a hand_size; without one only none"),
        ({"start_card": "vote"}, "start_card: 'vote' needs a stock"),
        ({"dropp": DROPP}, "dropp: Dropp(penalty=3, notice=0.3, false_notice=0.02) needs a stock"),
        ({"penalty": "stock_1"}, "penalty: 'stock_1' needs a stock, so a hand_size; without one only pile"),
        ({"penalty": "whole_stock"}, "penalty: 'whole_stock' needs a stock"),
        ({"call_order": "race", "dropp": DROPP, "hand_size": 7}, "call_order: 'race' is not allowed with dropp"),
    ],
)
def test_each_combination_the_rules_page_refuses_is_refused_in_one_line(fields: dict[str, Any], message: str) -> None:
    assert refusal(**fields).startswith(message)


@pytest.mark.parametrize(
    "fields",
    [
        {"all_passed": "clear_pile"},
        {"all_passed": "last_player_leads"},
        {"give": "choose"},
        {"empty_stock": "nothing"},
        {"start_card_high": "A"},
        {"start_card_redraws": 0},
        {"hand_size": 3},
        {"ranks": 3, "suits": 2, "max_cards": 6},
    ],
)
def test_fields_without_effect_are_accepted_and_the_game_is_played(fields: dict[str, Any]) -> None:
    assert Game(fields, seed=1).legal_moves


@pytest.mark.parametrize("fields", [{"player": 3}, {"Players": 3}, {"colour": 1}, {"": 1}])
def test_an_unknown_field_is_refused_with_the_known_ones(fields: dict[str, Any]) -> None:
    (name,) = fields
    for make in (bluff_env.rules, Rules().replace, lambda **given: bluff_env.rules(given)):
        with pytest.raises(RulesError) as caught:
            make(**fields)
        text = str(caught.value)
        assert text.startswith(f"{name}: no such field of the rules")
        assert "did you mean" in text or text.endswith("fields: " + ", ".join(DEFAULTS))
        assert "\n" not in text
    with pytest.raises(TypeError):
        Rules(**fields)


def test_a_misspelt_field_is_answered_with_the_likeliest() -> None:
    for wrong, meant in (("player", "players"), ("maxcards", "max_cards"), ("call-order", "call_order")):
        with pytest.raises(RulesError, match=f"did you mean '{meant}'"):
            bluff_env.rules({wrong: 1})


@pytest.mark.parametrize(
    "fields",
    [
        *({field: word} for field, words in WORDS.items() for word in words),
        *({"penalty": penalty} for penalty in ("stock_1", "stock_3", "stock_999", "whole_stock")),
        *({"dropp": {"penalty": penalty, "notice": 1, "false_notice": 0}} for penalty in (3, 6)),
        *({"target_points": points} for points in (1, 5, 1_000_000)),
    ],
    ids=str,
)
def test_every_value_of_every_field_is_played(fields: dict[str, Any]) -> None:
    suited = fields.get("suited", fields.get("follow") == "higher_in_suit")
    needs = SUITED if suited else {"hand_size": 7}
    assert len(Game(needs | fields, seed=1).legal_moves) > 1


# ---- a value ----


def other_value(field: str) -> dict[str, Any]:
    """A change of this field, with what else it needs."""
    changes = {
        "players": 3, "ranks": 12, "suits": 3, "decks": 2, "jokers": 1, "ace": "high", "hand_size": 5, "max_cards": 2,
        "first_player": "random", "start_card": "vote", "start_card_high": "Q", "start_card_redraws": 1, "lead": "any",
        "follow": "same", "round_ends": "call", "passing": "allowed", "all_passed": "clear_pile", "callers": "next",
        "call_order": "race", "penalty": "stock_2", "empty_stock": "nothing", "give": "choose",
        "after_call": "wrong_party", "reveal": "caller", "dropp": DROPP, "target_points": 2, "max_turns": 9,
        "rewards": "win",
    }  # fmt: skip
    if field == "suited":
        return SUITED
    return {field: changes[field]} | ({"hand_size": 7} if field in ("start_card", "penalty", "dropp") else {})


def test_rules_are_equal_by_value_and_hash_alike_and_differ_in_every_field() -> None:
    assert Rules() == Rules()
    assert hash(Rules()) == hash(Rules())
    assert len({Rules(), bluff_env.rules("bloff"), bluff_env.rules("blof"), Rules(players=4)}) == 1
    for field in DEFAULTS:
        change = other_value(field)
        without = {key: value for key, value in change.items() if key != field} if field != "suited" else {}
        assert Rules(**change) != Rules(**without)
        assert len({Rules(**without), Rules(**change)}) == 2
    assert Rules() != Rules().to_dict()


def test_rules_cannot_be_changed() -> None:
    rules = Rules()
    for field in DEFAULTS:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(rules, field, getattr(rules, field))
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(rules, field)
    with pytest.raises((AttributeError, TypeError)):
        rules.colour = 1  # type: ignore[attr-defined]
    rules.to_dict()["players"] = 9
    assert rules == Rules()


def test_replace_gives_other_rules_checked_again() -> None:
    rules = bluff_env.rules("tiny")
    assert rules.replace(players=3) == Rules(players=3, ranks=3, suits=2, max_cards=1, max_turns=6)
    assert rules.replace() == rules
    with pytest.raises(RulesError, match="players: 7 with a deck of 6"):
        rules.replace(players=7)


def some_rules(seed: int) -> Rules:
    """Random rules."""
    rng = random.Random(seed)
    while True:
        fields: dict[str, Any] = {}
        for field in DEFAULTS:
            if rng.random() < 0.4:
                fields |= other_value(field)
        try:
            return Rules(**fields)
        except RulesError:
            continue


@pytest.mark.parametrize("seed", range(40))
def test_rules_come_back_from_dict_json_pickle_and_copy(seed: int) -> None:
    rules = some_rules(seed)
    plain = rules.to_dict()
    assert Rules(**plain) == bluff_env.rules(plain) == rules
    assert bluff_env.rules(json.loads(json.dumps(plain))) == rules
    assert bluff_env.rules(json.loads(json.dumps(plain))).to_dict() == plain
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules  # noqa: S301  # made here
    assert {type(value) for value in plain.values()} <= {int, str, bool, type(None), dict}


# ---- worked out ----


@pytest.mark.parametrize(
    ("fields", "cards", "most"),
    [
        ({}, 52, 4),
        ({"decks": 2}, 104, 8),
        ({"jokers": 2}, 54, 6),
        ({"suits": 3, "decks": 2, "jokers": 1}, 79, 7),
        ({"max_cards": 1}, 52, 1),
        ({"max_cards": 9}, 52, 9),
        ({"max_cards": "hand"}, 52, 52),
        ({"max_cards": "hand", "jokers": 1, "hand_size": 3}, 53, 53),
        ({"ranks": 3, "suits": 2, "players": 2}, 6, 2),
    ],
)
def test_max_cards_is_worked_out_after_all_other_fields(fields: dict[str, Any], cards: int, most: int) -> None:
    """[C2]"""
    rules = Rules(**fields)
    assert (rules.deck_size, rules.most_cards) == (cards, most)
    assert rules.max_cards == fields.get("max_cards")  # what was written stays as it was written


def test_max_cards_follows_the_other_fields_when_they_are_changed() -> None:
    """[C2]"""
    assert bluff_env.rules("blof_two_decks").most_cards == 8
    assert bluff_env.rules("blof_two_decks", decks=1).most_cards == 4
    assert bluff_env.rules("tiny", max_cards=None).most_cards == 2


def test_whole_numbers_of_numpy_become_plain_ones() -> None:
    """Rules are plain data; a numpy integer would not go into JSON."""
    made = bluff_env.rules("bloff", players=np.int64(5))
    assert made == bluff_env.rules("bloff", players=5)
    assert type(made.players) is int


def test_a_rank_that_yaml_reads_as_a_number_is_still_a_rank() -> None:
    assert bluff_env.rules("bluffstopp", start_card_high=9) == bluff_env.rules("bluffstopp", start_card_high="9")
