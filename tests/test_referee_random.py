"""Random games over random rules objects: the referee agrees with itself, and no card is lost."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest

from referee import Fault, Illegal, Move, Table, check_rules, deck, replay
from referee_corners import without_consequences
from referee_random import RandomGame, random_game, random_rules
from referee_rules import CHOICES, DEFAULTS, NAMED

SEEDS = range(30)


def largest(name: str) -> dict[str, Any]:
    """A named set with as many players as its deck serves, and short deals."""
    for players in range(16, 1, -1):
        try:
            return check_rules(NAMED[name] | {"players": players, "max_turns": 100})
        except Illegal:
            continue
    raise AssertionError(name)


def conserved(table: Table, move: Move) -> None:
    """Every card of the deck is somewhere, and small hands' moves are all listed."""
    cards = Counter(table.stock) + Counter(table.cards_of_pile()) + table.aside
    for held in [*table.hands, *table.laps]:
        cards += held
    if table.phase == "vote":
        cards += Counter([str(table.start_card)])
    assert cards == deck(table.rules)
    assert table.to_move is not None
    if table.hands[table.to_move].total() < 7:
        assert move in table.legal_moves()
        assert len(set(table.legal_moves())) == len(table.legal_moves())


def check_game(game: RandomGame) -> None:
    """The game's record is a fault-free one that says everything, with and without its consequences."""
    expected = copy.deepcopy(game.record)
    whole = replay(copy.deepcopy(game.record))
    assert {key: whole[key] for key in expected} == expected
    assert replay(whole) == whole
    assert replay(without_consequences(whole)) == whole


@pytest.mark.parametrize("seed", SEEDS)
def test_random_games_over_random_rules_replay_to_the_same_record(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        check_game(random_game(random_rules(rng), rng, conserved))


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("table", ["usual", "of two", "largest"])
def test_random_games_of_every_named_set_replay_to_the_same_record(name: str, table: str) -> None:
    rules = largest(name) if table == "largest" else check_rules({"max_turns": 200} | NAMED[name])
    if table == "of two":
        rules |= {"players": 2}
    check_game(random_game(rules, random.Random(1), conserved))


def test_sixteen_seats_play_with_four_decks() -> None:
    rules = check_rules({"players": 16, "decks": 4, "jokers": 8, "max_turns": 300})
    game = random_game(rules, random.Random(3), conserved)
    assert sorted(len(hand) for hand in game.record["deals"][0]["hands"]) == [13] * 8 + [14] * 8
    check_game(game)


def test_the_rules_drawn_take_every_value_of_every_field() -> None:
    rng = random.Random(0)
    drawn = [random_rules(rng) for _ in range(400)]
    for field, values in CHOICES.items():
        assert {rules[field] for rules in drawn} == set(values), field
    for field in DEFAULTS:
        assert len({str(rules[field]) for rules in drawn}) > 1, field


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_cut_short_anywhere_is_a_position(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(random_rules(rng, target_points=None), rng)
    whole = replay(game.record)
    events = whole["deals"][0]["events"]
    for length in range(0, len(events), 1 + len(events) // 10):
        cut = copy.deepcopy(whole)
        (deal,) = cut["deals"]
        deal["events"] = events[:length]
        del deal["end"], cut["result"]
        filled = replay(cut)
        came = filled["deals"][0]["events"]
        assert came[:length] == events[:length]
        assert len(came) <= length + 1


def changed(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return [*value, "X"]
    return 0 if value is None else value + 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_changed_consequence_is_a_fault_where_it_stands(seed: int) -> None:
    rng = random.Random(seed)
    whole = replay(random_game(random_rules(rng), rng).record)
    places = [
        (index, at, key)
        for index, deal in enumerate(whole["deals"])
        for at, event in enumerate(deal["events"])
        for key in ("truthful", "wrong", "pile", "cleared", "guilty", "drawn", "next", "back")
        if key in event
    ]
    for index, at, key in rng.sample(places, min(20, len(places))):
        record = copy.deepcopy(whole)
        event = record["deals"][index]["events"][at]
        event[key] = changed(event[key])
        with pytest.raises(Fault) as caught:
            replay(record)
        assert (caught.value.deal, caught.value.event) == (index, at)
        assert key in caught.value.message
