"""What the tests of records share: records to read, and what each reader says of one."""

from __future__ import annotations

import copy
import re
from typing import Any

import numpy as np

import referee
from bluff_env import GameBatch, rules
from bluff_env.errors import RecordError
from bluff_env.record import check_record
from helpers import random_rules

Record = dict[str, Any]
#: (deal, event), each None where the fault stands above it; None instead of the pair: no fault.
Place = tuple[int | None, int | None]

#: Bluffstopp with few cards.
STOPP: dict[str, Any] = {
    "suited": True, "ace": "high", "lead": "any", "follow": "higher_in_suit", "penalty": "stock_3",
    "round_ends": "call", "after_call": "right_party",
}  # fmt: skip
#: Rules that between them use every field that matters to a record.
RULES: list[dict[str, Any]] = [
    {"players": 2, "ranks": 3, "suits": 2, "max_turns": 8},
    {"players": 3, "ranks": 4, "suits": 2, "jokers": 2, "lead": "any", "follow": "adjacent", "max_cards": "hand"},
    {"players": 4, "ranks": 5, "suits": 3, "hand_size": 3, "callers": "next", "after_call": "right_party"},
    {"players": 3, "ranks": 4, "suits": 4, "first_player": "random", "round_ends": "call", "rewards": "win_loss"},
    {"players": 5, "ace": "high", "follow": "same_or_adjacent", "after_call": "wrong_party", "max_turns": 30},
    {"players": 3, "ranks": 4, "suits": 2, "lead": "any", "follow": "any", "passing": "allowed",
     "all_passed": "clear_pile"},
    {"players": 4, "ranks": 4, "suits": 3, "passing": "allowed", "call_order": "race", "reveal": "caller"},
    {"players": 2, "ranks": 2, "suits": 2, "target_points": 2},
    STOPP | {"players": 3, "ranks": 5, "suits": 3, "hand_size": 3, "start_card": "vote", "start_card_high": "4",
             "jokers": 1},
    STOPP | {"players": 2, "ranks": 4, "suits": 2, "hand_size": 3, "start_card": "keep", "give": "choose",
             "call_order": "race", "target_points": 2},
    STOPP | {"players": 3, "ranks": 6, "suits": 2, "hand_size": 3, "passing": "allowed",
             "all_passed": "last_player_leads", "dropp": {"penalty": 3, "notice": 0.4, "false_notice": 0.3}},
    STOPP | {"players": 3, "ranks": 4, "suits": 2, "hand_size": 2, "penalty": "whole_stock",
             "empty_stock": "nothing", "reveal": "caller"},
    {"players": 3, "ranks": 3, "suits": 4, "hand_size": 2, "penalty": "stock_2", "follow": "same", "lead": "any",
     "passing": "allowed", "all_passed": "clear_pile", "round_ends": "call", "max_cards": 3, "start_card": "vote",
     "start_card_high": "2", "dropp": {"penalty": 4, "notice": 1.0, "false_notice": 0.0}},
]  # fmt: skip


def played(fields: dict[str, Any], seed: int, steps: int | None = None) -> Record:
    """The record of a game of random decisions: to its end, or so many decisions far."""
    batch = GameBatch(rules(fields, max_turns=fields.get("max_turns", 25)), seeds=[seed], restart=False)
    while batch.player[0] >= 0 and (steps is None or batch.steps[0] < steps):
        batch.step(batch.random_actions())
    (record,) = batch.records()
    return record


def some_records() -> list[Record]:
    """Finished games and positions under every rules object of `RULES`."""
    finished = [played(fields, seed) for fields in RULES for seed in range(3)]
    return finished + [played(fields, seed, steps) for fields in RULES for seed, steps in ((5, 0), (6, 7), (7, 30))]


def random_records(seed: int, count: int) -> list[Record]:
    """Games under rules with every field drawn, half of them broken off."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        batch = GameBatch(random_rules(rng), seeds=[int(rng.integers(2**32))], restart=False)
        steps = int(rng.choice([10, 40, 400]))
        while batch.player[0] >= 0 and batch.steps[0] < steps and batch.turns[0] < 30:
            batch.step(batch.random_actions())
        found += batch.records()
    return found


def two_turns() -> Record:
    """Seat 0 lays an ace, then seat 1 goes out with two twos, called by seat 0 in vain. Nothing is left out."""
    events: list[Record] = [
        {"seat": 0, "claim": "A", "play": ["A"]},
        {"seat": 1, "claim": "2", "play": ["2", "2"]},
        {"seat": 0, "call": 1, "truthful": True, "wrong": 0, "pile": 3, "drawn": [], "given": [], "next": None},
    ]
    hands = [["A", "A"], ["2", "2"]]
    end = {"winner": 1, "cut_off": False}
    deal = {"dealer": 1, "opener": 0, "hands": hands, "stock": [], "events": events, "end": end}
    result = {"winner": 1, "scores": [0, 1], "rewards": [-1.0, 1.0], "cut_off": False}
    whole = {"format": "bluff-record/1", "rules": rules({"players": 2, "ranks": 2, "suits": 2}).to_dict()}
    return copy.deepcopy(whole | {"name": None, "seed": None, "seats": None, "deals": [deal], "result": result})


def said_by_reader(record: Any) -> tuple[Place | None, str]:
    """Where bluff_env's reader finds the first fault, and its message; None where it finds none."""
    try:
        check_record(record)
    except RecordError as error:
        text = str(error)
        assert "\n" not in text
        found = re.match(r"deal (\d+)(?:, event (\d+))?: ", text)
        if not found:
            return (None, None), text
        return (int(found[1]), None if found[2] is None else int(found[2])), text
    return None, ""


def said_by_referee(record: Any) -> tuple[Place | None, str]:
    """The same of the plain referee."""
    try:
        referee.replay(record)
    except referee.Fault as fault:
        return (fault.deal, fault.event), str(fault)
    return None, ""
