"""The rules in words: they say what the fields say, for every set of rules."""

from __future__ import annotations

from typing import Any

import pytest

import bluff_env
from bluff_agents.play import explain


@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_the_rules_are_explained_in_few_whole_sentences(name: str) -> None:
    lines = explain(name)
    assert 8 <= len(lines) <= 16
    for line in lines:
        assert line[0].isupper() or line[0].isdigit()
        assert line.endswith(".")
        assert not any(word in line for word in ("None", "null", "[", "_", "  "))


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("bloff", "players", 5),
        ("bloff", "decks", 2),
        ("bloff", "jokers", 2),
        ("bloff", "hand_size", 5),
        ("bloff", "first_player", "random"),
        ("bloff", "lead", "any"),
        *(("bloff", "follow", value) for value in ("any", "same", "adjacent", "same_or_adjacent")),
        ("bloff", "ace", "high"),
        ("bloff", "round_ends", "call"),
        ("bloff", "max_cards", 1),
        ("bloff", "max_cards", "hand"),
        ("bloff", "passing", "allowed"),
        ("blof_pass", "all_passed", "clear_pile"),
        ("blof_pass", "all_passed", "last_player_leads"),
        ("bloff", "callers", "next"),
        ("bloff", "call_order", "race"),
        ("bluffstopp", "penalty", "pile"),
        ("bluffstopp", "penalty", "whole_stock"),
        ("bluffstopp", "penalty", "stock_2"),
        ("bluffstopp", "empty_stock", "nothing"),
        ("bluffstopp", "give", "choose"),
        *(("bloff", "after_call", value) for value in ("right_party", "wrong_party", "left_of_wrong")),
        ("bloff", "reveal", "caller"),
        ("bluffstopp", "start_card", "none"),
        ("bluffstopp", "start_card", "keep"),
        ("bluffstopp", "start_card_high", "K"),
        ("bluffstopp", "start_card_redraws", 1),
        ("bluffstopp_dropp", "dropp", None),
        ("bluffstopp_dropp", "dropp", {"penalty": 4, "notice": 0.3, "false_notice": 0.02}),
        ("bluffstopp_dropp", "dropp", {"penalty": 3, "notice": 0.5, "false_notice": 0.02}),
        ("bloff", "target_points", 3),
        ("bloff", "max_turns", 99),
    ],
)
def test_a_field_that_matters_changes_what_is_said(name: str, field: str, value: Any) -> None:
    assert explain(bluff_env.rules(name, **{field: value})) != explain(name)


def test_the_end_is_that_of_a_deal_and_in_a_match_of_the_match_too() -> None:
    """[E2] [M2]"""
    end = explain(bluff_env.rules("bloff", max_turns=1))[-1]
    assert end == (
        "After 1 turn the deal is cut off without a winner; who goes out with the last of them wins all the same."
    )
    match = explain(bluff_env.rules("blof_match", max_turns=90))[-1]
    assert match.startswith("After 90 turns a deal is cut off, which ends the match without a winner;")
