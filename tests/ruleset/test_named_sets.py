"""The named sets and how rules are found: by name, mapping and `base`, held against RULES.md section 8."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bluff_env
from bluff_env import BluffError, Rules
from bluff_env.errors import RulesError
from bluff_env.ruleset import NAMED, name_of

STOPP: dict[str, Any] = {
    "suited": True, "ace": "high", "lead": "any", "follow": "higher_in_suit", "hand_size": 7, "start_card": "vote",
    "penalty": "stock_3", "round_ends": "call", "after_call": "right_party",
}  # fmt: skip
OPEN = STOPP | {"hand_size": 6, "start_card": "none", "passing": "allowed", "all_passed": "last_player_leads"}
#: Section 8, and three sets beyond the texts: name -> sources cited, fields that differ, advised players.
SECTION_8: dict[str, tuple[tuple[str, ...], dict[str, Any], str]] = {
    "bloff": (("000",), {}, "3-10"),
    "bluff": (("001",), {"first_player": "random"}, "2-10"),
    "blof": (("004",), {}, "2-10"),
    "blof_free": (("004",), {"lead": "any", "follow": "any"}, "2-10"),
    "blof_starter": (("004",), {"lead": "any"}, "2-10"),
    "blof_two_decks": (("000", "004"), {"players": 8, "decks": 2}, "7-10"),
    "blof_pass": (("004",), {"passing": "allowed"}, "2-10"),
    "blof_free_pass": (
        ("004",), {"lead": "any", "follow": "any", "passing": "allowed", "all_passed": "clear_pile"}, "2-10",
    ),
    "blof_match": (("004",), {"target_points": 5}, "2-10"),
    "bluffstopp": (("003",), STOPP, "2-6"),
    "bluffstopp_six": (("001",), STOPP | {"hand_size": 6, "start_card": "keep"}, "2-6"),
    "bluffstopp_open": (("002",), OPEN, "3-7"),
    "bluffstopp_pile": (("002",), OPEN | {"penalty": "pile"}, "3-7"),
    "bluffstopp_stock": (("003",), STOPP | {"penalty": "whole_stock"}, "2-6"),
    "bluffstopp_jokers": (("003",), STOPP | {"jokers": 2}, "2-6"),
    "bluffstopp_dropp": (
        ("002", "003"), OPEN | {"dropp": {"penalty": 3, "notice": 0.3, "false_notice": 0.02}}, "3-7",
    ),
    "cheat": (("wikipedia.org/wiki/Cheat_(game)",), {"lead": "any", "follow": "same_or_adjacent"}, "3-8"),
    "bs": (("wikipedia.org/wiki/Cheat_(game)",), {}, "3-10"),
    "verish": (
        ("pagat.com/beating/verish.html",),
        {"lead": "any", "follow": "same", "round_ends": "call", "callers": "next", "max_cards": 3,
         "after_call": "left_of_wrong"}, "2-6",
    ),
    "tiny": ((), {"players": 2, "ranks": 3, "suits": 2, "max_cards": 1, "max_turns": 6}, "2"),
}  # fmt: skip


def test_the_named_sets_are_those_of_the_rules_page() -> None:
    assert bluff_env.rule_names() == tuple(SECTION_8)


@pytest.mark.parametrize("name", SECTION_8)
def test_a_named_set_has_the_fields_source_and_advice_of_the_rules_page(name: str) -> None:
    sources, fields, advised = SECTION_8[name]
    assert bluff_env.rules(name) == Rules(**fields)
    assert all(source in NAMED[name].source for source in sources)
    assert NAMED[name].source
    assert NAMED[name].advised_players == advised


def test_advised_numbers_of_players_are_not_enforced() -> None:
    for players in (2, 16):
        assert bluff_env.rules("bloff", players=players).players == players
        assert bluff_env.rules("blof_two_decks", players=players).decks == 2  # decks never change by themselves
        assert bluff_env.rules("bloff", players=players).decks == 1


@pytest.mark.parametrize(
    ("wrong", "likely"),
    [("blof_fre", "blof_free"), ("blöff", "bloff"), ("Bloff", "bloff"), ("blof_two_deck", "blof_two_decks")],
)
def test_an_unknown_name_is_answered_with_near_matches_and_all_names(wrong: str, likely: str) -> None:
    with pytest.raises(RulesError) as caught:
        bluff_env.rules(wrong)
    text = str(caught.value)
    assert f"no rule set named {wrong!r} (did you mean " in text
    assert f"'{likely}'" in text.split(";")[0]
    assert ", ".join(SECTION_8) in text
    assert "\n" not in text


def test_a_name_far_from_all_others_is_answered_with_all_names() -> None:
    with pytest.raises(RulesError) as caught:
        bluff_env.rules("zzz")
    assert "did you mean" not in str(caught.value)
    assert ", ".join(SECTION_8) in str(caught.value)


@pytest.mark.parametrize("spec", [None, 3, ["bloff"], b"bloff", object()])
def test_what_is_neither_name_nor_mapping_is_refused(spec: Any) -> None:
    with pytest.raises((BluffError, TypeError)):
        bluff_env.rules(spec)


def test_fields_given_beside_a_name_lie_over_it() -> None:
    assert bluff_env.rules("blof_free", players=3) == Rules(lead="any", follow="any", players=3)
    assert bluff_env.rules("blof_free", lead="first_rank") == Rules(follow="any")
    assert bluff_env.rules({"players": 3}, players=5).players == 5


def test_a_rules_object_is_taken_as_it_is() -> None:
    rules = bluff_env.rules("blof_free")
    assert bluff_env.rules(rules) is rules
    assert bluff_env.rules(rules, players=3) == bluff_env.rules("blof_free", players=3)


def test_a_mapping_may_start_from_a_named_set() -> None:
    assert bluff_env.rules({"base": "blof_free", "players": 3}) == bluff_env.rules("blof_free", players=3)
    assert bluff_env.rules({"base": "blof_two_decks"}) == bluff_env.rules("blof_two_decks")
    assert bluff_env.rules({"base": "tiny", "max_turns": 9, "players": 3}, players=2).max_turns == 9


@pytest.mark.parametrize("base", ["blof_fre", "house.yaml", 3, ["bloff"], {}])
def test_an_unknown_base_is_refused(base: Any) -> None:
    with pytest.raises(RulesError) as caught:
        bluff_env.rules({"base": base})
    assert str(caught.value).startswith("base: no rule set named ")
    assert "names: bloff, " in str(caught.value)


def test_the_name_of_rules_is_that_of_their_set_whatever_players_turns_and_rewards() -> None:
    for name in SECTION_8:
        same = "bloff" if name in ("blof", "bs") else name  # several names for the same rules: the first
        assert name_of(bluff_env.rules(name)) == same
        assert name_of(bluff_env.rules(name, players=3, max_turns=50, rewards="win")) == same
    assert name_of(bluff_env.rules("bloff", max_cards=1)) is None


def test_a_mapping_given_is_not_changed() -> None:
    given = {"base": "blof_free", "players": 3}
    bluff_env.rules(given, players=4)
    assert given == {"base": "blof_free", "players": 3}


def test_rules_may_be_given_wherever_a_name_may(tmp_path: Path) -> None:
    file = tmp_path / "house.yaml"
    file.write_text("base: blof_free\nplayers: 3\n", encoding="utf-8")
    rules = bluff_env.rules("blof_free", players=3)
    for spec in (rules, {"base": "blof_free", "players": 3}, file, str(file)):
        assert bluff_env.Game(spec).rules == bluff_env.bluff_v0.env(spec).unwrapped.rules == rules
        assert bluff_env.GameBatch(spec).rules == rules
