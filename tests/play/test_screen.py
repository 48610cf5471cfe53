"""What is drawn: it fits 80×24 whatever the rules and the number of seats, and says what there is to know."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bluff_agents.play import Session
from bluff_agents.play.screen import hand_lines, plainer, result_text, shortened, summary_lines, table_lines
from bluff_agents.play.summing import COUNTED
from bluff_agents.play.words import card_dict

TABLES = [
    ("bloff", 4), ("bloff", 6), ("bloff", 16), ("blof_two_decks", 8), ("blof_free", 2), ("bluffstopp", 6),
    ("bluffstopp_dropp", 7), ("bluffstopp_jokers", 2), ("blof_match", 10), ("cheat", 3),
]  # fmt: skip


def text_of(lines: list[Any]) -> str:
    return "\n".join(line.plain for line in lines)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_table_fits_80_by_24_with_a_line_left_to_type_in(name: str, players: int) -> None:
    session = Session(name, "counter", seed=3, players=players)
    rng, new = random.Random(1), list(session.events)
    for _ in range(25):
        if session.over:
            break
        view = session.view()
        lines, shown = table_lines(view, new)
        assert len(lines) <= 23, text_of(lines)
        assert max(len(line.plain) for line in lines) <= 80, text_of(lines)
        assert shown
        for number in shown:
            assert f"{number + 1}) " in text_of(lines)
        new = session.play(rng.choice(shown))


def test_the_summary_fits_80_columns_with_all_there_is_to_count() -> None:
    counted = dict.fromkeys((*COUNTED, "cards", "score"), 99)
    seats = [{"seat": seat, "name": "runs/a_long_name/of_an_agent", **counted} for seat in range(16)]
    found = {"winner": 15, "cut_off": False, "deals": 9, "last": None, "seats": seats}
    lines = summary_lines(found, 0)
    assert max(len(line.plain) for line in lines) <= 80, text_of(lines)
    assert "*15 …" in lines[-1].plain
    assert "of_an_agent" in lines[-1].plain


def test_the_table_shows_seats_pile_claim_hand_and_moves() -> None:
    session = Session("bloff", "counter", seed=3, players=3, deal=None)
    lines, shown = table_lines(session.view(), session.events)
    text = text_of(lines)
    view = session.view()
    for row in view["seats"]:
        assert f"{row['seat']} {'you' if row['you'] else row['name']}" in text
        assert f"{row['cards']} cards" in text
    assert f"Pile {view['pile']}" in text
    assert f"Last claim: {view['claim']['words']}" in text
    assert "│".join(["", *(card["sign"] for card in view["hand"]), ""]) in text
    assert "1) decline  2) call" in text
    assert shown == [0, 1]


@pytest.mark.parametrize(
    ("cards", "drawn"),
    [
        (["4S", "TH", "X"], ["╭──╭───╭─────╮", "│4♠│10♥│joker│", "╰──╰───╰─────╯"]),
        (["A", "A", "T"], ["╭─╭─╭──╮", "│A│A│10│", "╰─╰─╰──╯"]),
        ([], ["You have no cards left."]),
    ],
)
def test_cards_are_drawn_with_ranks_or_with_suits_as_the_rules_have_them(cards: list[str], drawn: list[str]) -> None:
    assert [line.plain for line in hand_lines([card_dict(card) for card in cards], 80)] == drawn


def test_a_hand_too_large_to_draw_is_counted() -> None:
    cards = [card_dict(rank) for rank in "A23456789TJQK" for _ in range(8)]
    lines = hand_lines(cards, 80)
    assert lines[0].plain.startswith("Your 104 cards: A×8 2×8 3×8")
    assert len(lines) <= 3


def test_where_signs_cannot_be_shown_there_are_letters() -> None:
    drawn = plainer("╭──╭───╮│4♠│10♥│ 1–2 “seat 1’s” … ×")
    assert drawn.replace("“", '"').replace("”", '"').isascii()
    assert "|4S|10H|" in drawn


@pytest.mark.parametrize(
    ("winner", "deals", "expected"),
    [(0, 1, "You win the game!"), (1, 3, "Seat 1, counter, wins the match."), (None, 1, "Nobody wins.")],
)
def test_the_end_says_who_has_won(winner: int | None, deals: int, expected: str) -> None:
    summary = {"winner": winner, "deals": deals, "seats": [{"name": "human"}, {"name": "counter"}]}
    assert result_text(summary, 0) == expected


def test_a_name_too_long_for_its_room_is_shown_by_its_end() -> None:
    assert [shortened("honest", room) for room in (7, 6, 5)] == ["honest", "honest", "…nest"]
