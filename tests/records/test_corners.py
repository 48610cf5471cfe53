"""The hand-written corner cases of RULES.md, which the plain referee plays, are read by bluff_env's reader alike."""

from __future__ import annotations

import copy

import pytest

from bluff_env.reading import game_of
from bluff_env.record import check_record
from gameplay import Refereed
from records.common import said_by_reader, said_by_referee
from referee_corners import CORNERS, REFUSED, without_consequences


@pytest.mark.parametrize("name", CORNERS)
def test_a_corner_case_is_read_as_written(name: str) -> None:
    assert check_record(copy.deepcopy(CORNERS[name])) == CORNERS[name]


@pytest.mark.parametrize("name", CORNERS)
def test_the_consequences_of_a_corner_case_are_filled_in(name: str) -> None:
    filled = check_record(without_consequences(CORNERS[name]))
    for deal, expected in zip(filled["deals"], CORNERS[name]["deals"], strict=True):
        for event, whole in zip(deal["events"], expected["events"], strict=True):
            cards = {key: sorted(value) for key, value in whole.items() if key in ("drawn", "given", "back")}
            assert {**event, **{key: sorted(event[key]) for key in cards}} == {**whole, **cards}
        assert deal.get("end") == expected.get("end")
    assert filled["result"] == CORNERS[name]["result"]


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_rule_forbids_is_refused_where_it_stands(name: str) -> None:
    record, _ = REFUSED[name]
    before = copy.deepcopy(record)
    before["deals"][0]["events"].pop()
    assert said_by_reader(before)[0] is None
    place, text = said_by_reader(record)
    assert place == (0, len(record["deals"][0]["events"]) - 1), text
    assert place == said_by_referee(record)[0]


@pytest.mark.parametrize("name", CORNERS)
def test_a_corner_case_cut_short_is_the_position_that_the_referee_sees(name: str) -> None:
    """The seat to move, what it decides and the number of its moves."""
    for length in range(len(CORNERS[name]["deals"][-1]["events"])):
        record = copy.deepcopy(CORNERS[name])
        cut = record["deals"][-1]
        cut["events"] = cut["events"][:length]
        cut.pop("end", None)
        del record["result"]
        if length and "drop" in cut["events"][-1]:
            continue  # a drop that no play or pass follows yet is not in what is written
        game = game_of(record)
        table = Refereed(game).table
        assert (game.turn, game.deciding == "answer") == (table.to_move, table.asking)
        if not game.over:
            assert len(game.legal_moves) == len(table.legal_moves())
