"""The golden records: games a person has read against RULES.md. `make.py` makes them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import bluff_env
import referee
from bluff_env import Game, GameBatch
from bluff_env.reading import game_of
from bluff_env.record import check_record, read_records
from golden.make import FEATURES, FEATURES_OF, features

HERE = Path(__file__).parent
STORY = "anne_bjorn_carla_david"
NAMES = (*bluff_env.rule_names(), STORY)
ANNE, BJORN, CARLA, DAVID = range(4)

every_record = pytest.mark.parametrize("name", NAMES)


def golden(name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return record


def test_there_is_one_for_every_named_set_and_no_other() -> None:
    assert {path.stem for path in HERE.glob("*.json")} == set(NAMES)


@every_record
def test_both_readers_accept_it_and_give_it_back_unchanged(name: str) -> None:
    assert check_record(golden(name)) == golden(name)
    assert referee.replay(golden(name)) == golden(name)
    assert list(read_records(HERE / f"{name}.json")) == [golden(name)]


@every_record
def test_its_rules_are_those_of_the_named_set(name: str) -> None:
    record = golden(name)
    assert record["name"] == ("bloff" if name == STORY else name)
    assert record["rules"] == bluff_env.rules(record["name"]).to_dict()
    assert len(record["seats"]) == record["rules"]["players"]


@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_its_seed_deals_the_same_cards(name: str) -> None:
    """What this freezes is promised: the version of bluff_v0 changes when a seed would play out differently."""
    record = golden(name)
    deals = [
        Game(name, seed=record["seed"]).record()["deals"][0],
        GameBatch(name, seeds=[3, record["seed"], 5]).records()[1]["deals"][0],
    ]
    for deal in deals:
        for key in ("dealer", "opener", "hands", "stock"):
            assert deal[key] == record["deals"][0][key]


@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_playing_its_events_from_its_seed_gives_it_again(name: str) -> None:
    record = golden(name)
    game = Game(name, seed=record["seed"])
    for deal in record["deals"]:
        for event in deal["events"]:
            game.push(event)
    while not game.over:
        game.push("decline")
    assert {**game.record(), "seats": record["seats"]} == record


@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_it_shows_what_its_rules_are_about(name: str) -> None:
    record = golden(name)
    assert features(record) >= set(FEATURES_OF.get(name, FEATURES))
    assert (record["result"]["winner"] is None) == (name == "tiny")


def test_tiny_shows_the_cut_off() -> None:
    """[E2]"""
    record = golden("tiny")
    assert record["result"] == {"winner": None, "scores": [0, 0], "rewards": [0.0, 0.0], "cut_off": True}
    assert sum("play" in event for event in record["deals"][0]["events"]) == record["rules"]["max_turns"]


# ---- the game told in source 000 ----


def test_the_story_is_the_one_that_source_000_tells() -> None:
    record = golden(STORY)
    assert record["seats"] == ["Anne", "Bjørn", "Carla", "David"]
    (deal,) = record["deals"]
    anne, bjorn, carla, david = (Counter(hand) for hand in deal["hands"])
    assert deal["opener"] == ANNE
    assert (bjorn["2"], bjorn["9"] > 0, carla["3"] >= 2, anne["4"]) == (0, True, True, 2)
    assert david >= Counter("4JT")
    told = [
        (ANNE, "A", Counter("AA")),  # «to ess». Det stemmer.
        (BJORN, "2", Counter("9")),  # «én toer»
        (CARLA, "3", Counter("33")),  # to treere, helt sant
        (DAVID, "4", Counter("4JT")),  # «tre firere»: en firer, en knekt og en tier
    ]
    plays = [(e["seat"], e["claim"], Counter(e["play"])) for e in deal["events"] if "play" in e]
    assert plays[:4] == told
    call = deal["events"][4]
    assert (call["seat"], call["call"], call["wrong"], call["pile"]) == (ANNE, DAVID, DAVID, 8)  # alle de åtte kortene
    assert (call["next"], deal["events"][5]["seat"], deal["events"][5]["claim"]) == (ANNE, ANNE, "5")  # med femmere


def test_the_story_goes_on_from_where_it_was_left() -> None:
    game = game_of(golden(STORY))
    assert (game.turn, game.deciding) == (BJORN, "answer")
    assert game.view(DAVID).hand_sizes == (9, 12, 11, 18)
    assert Counter(game.view(DAVID).hand) == Counter("223446789TTJK") + Counter("AA933")
    for _ in range(3):
        game.push("decline")
    assert (game.turn, game.view(BJORN).to_claim) == (BJORN, ("6",))
