"""docs/rules.md shows for each rule its source, fields, engine file and tests. And rules that no other test shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bluff_env
from bluff_env import Game
from bluff_env.ruleset.rules import FIELDS
from referee_corners import CORNERS, REFUSED

ROOT = Path(__file__).parents[2]
IDS = (
    *(f"C{i}" for i in range(1, 11)), *(f"B{i}" for i in range(1, 10)), "D1", "D2", "D3", "D4", "M1", "M2", "E1", "E2",
    "E3", "V",
)  # fmt: skip
CORNER_CASES = "corner cases"


def rows() -> dict[str, list[str]]:
    """The table of docs/rules.md: id -> sentence, fields, engine files, tests."""
    lines = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| [")]
    return {row[0].strip("[]"): row[1:] for row in cells}


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def source_of(path: str, function: str) -> str:
    """The text of one test, decorators and docstring included."""
    text = (ROOT / path).read_text(encoding="utf-8")
    parts = re.split(r"\n\n\n(?=@|def |class |#)", text)
    found = [part for part in parts if re.search(rf"^def {function}\(", part, re.MULTILINE)]
    assert len(found) == 1, f"{path} has no test {function}"
    return found[0]


def test_every_rule_has_a_row_and_no_other() -> None:
    assert tuple(rows()) == IDS


@pytest.mark.parametrize("rule", IDS)
def test_the_row_of_a_rule_names_fields_files_and_tests_that_are_there_and_cite_it(rule: str) -> None:
    sentence, fields, files, tests = rows()[rule]
    assert len(sentence) > 20
    assert set(quoted(fields)) <= set(FIELDS)
    assert quoted(files)
    for file in quoted(files):
        assert f"[{rule}]" in (ROOT / "bluff_env" / "engine" / file).read_text(encoding="utf-8"), file
    assert quoted(tests) or CORNER_CASES in tests
    for test in quoted(tests):
        path, _, function = test.partition("::")
        assert f"[{rule}]" in source_of(path, function), test
    if CORNER_CASES in tests:
        assert any(name.startswith(f"[{rule}]") for name in (*CORNERS, *REFUSED))


# ---- rules that no other test is named for ----


@pytest.mark.parametrize("name", [n for n in bluff_env.rule_names() if bluff_env.rules(n).hand_size])
def test_each_is_dealt_so_many_cards_and_the_rest_is_the_stock(name: str) -> None:
    """[B1]"""
    game = Game(name, seed=2)
    rules = game.rules
    (deal,) = game.record()["deals"]
    assert [len(hand) for hand in deal["hands"]] == [rules.hand_size] * rules.players
    assert len(deal["stock"]) == rules.deck_size - (rules.hand_size or 0) * rules.players


def test_any_rank_may_be_claimed_every_turn_under_free_choice() -> None:
    """[C8]"""
    game = Game("blof_free", seed=1)
    for _ in range(3):
        view = game.view(game.turn or 0)
        assert view.to_claim == tuple("A23456789TJQK")
        game.push(f"7:{view.hand[0]}")
        for _ in range(3):
            game.push("decline")


def test_a_hand_found_out_is_shown_in_its_true_size() -> None:
    """[D1] [D2] [D3] [D4] A drop changes no size that others see until the seat is found guilty."""
    fields = {"players": 2, "dropp": {"penalty": 3, "notice": 0.0, "false_notice": 0.0}, "hand_size": 5}
    game = Game("bluffstopp_dropp", seed=1, **fields)
    mover = game.turn or 0
    hand = game.view(mover).hand
    game.push(f"drop {hand[0]}")
    game.push(f"{hand[1]}:{hand[1]}")
    assert game.view(1 - mover).hand_sizes[mover] == 4  # as if nothing had been dropped
    assert len(game.view(mover).hand) == 3
    game.push(f"accuse {mover}")
    assert game.view(1 - mover).hand_sizes[mover] == 6  # three that it has, three for being guilty
    assert len(game.view(mover).hand) == 6
    assert (game.turn, game.deciding) == (1 - mover, "answer")  # the accuser is then asked about the play


def test_a_match_that_is_cut_off_has_no_winner_and_keeps_its_scores() -> None:
    """[M1] [M2] [E1]"""
    fields = {"players": 2, "ranks": 2, "suits": 1, "target_points": 2, "max_turns": 1}
    game = Game(fields, deal={"dealer": 1, "hands": [["A"], ["2"]]})
    game.push("A:A")
    game.push("decline")
    assert game.view(0).scores == (1, 0)
    assert (game.over, game.view(0).turns) == (False, 0)  # dealt anew
    dealer = game.record()["deals"][1]["dealer"]
    assert dealer == 0  # one seat to the left
    mover = game.turn or 0
    card = game.view(mover).hand[0]
    game.push(f"A:{card}")
    game.push("call")
    if card == "A":
        assert game.view(0).scores == (1, 1)
    else:
        assert (game.over, game.cut_off, game.winner) == (True, True, None)
        assert game.view(0).scores == (1, 0)
        assert len(game.legal_moves) == 0


def test_the_cards_a_call_turns_are_those_of_the_last_play_and_are_safe_before() -> None:
    """[C4] [C6] The call does not look at the lie beneath, which nobody called."""
    deal = {"dealer": 1, "hands": [["2", "3", "3"], ["A", "A", "2"]]}
    game = Game({"players": 2, "ranks": 3, "suits": 2}, deal=deal)
    for text in ("A:3", "decline", "2:2", "call"):
        game.push(text)
    event = game.last_event() or {}
    assert (event["truthful"], event["wrong"], event["pile"]) == (True, 0, 2)
    assert game.view(0).hand == ("2", "2", "3", "3")
