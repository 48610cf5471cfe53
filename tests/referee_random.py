"""Rules objects and games drawn at random, for holding engine and referee against each other (see referee.py)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from referee_records import FORMAT, Match
from referee_rules import RANK_LETTERS, Illegal, check_rules, deck, random_deal
from referee_table import GIVE, TURN, VOTE, WINDOW, Move, Table


def random_rules(rng: random.Random, **fixed: Any) -> dict[str, Any]:
    """A legal rules object, every field drawn but those named; small decks and short deals are likely."""
    while True:
        try:
            return check_rules(_drawn(rng) | fixed)
        except Illegal:
            continue


def _drawn(rng: random.Random) -> dict[str, Any]:
    suited = rng.random() < 0.5
    rules: dict[str, Any] = {
        "players": rng.choice([2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 10, 16]),
        "ranks": rng.choice([13, *range(1, 14)]),
        "suits": rng.randint(1, 4),
        "decks": 1 if suited else rng.choice([1, 1, 1, 2, 3, 4]),
        "jokers": rng.choice([0, 0, 0, 1, 2, 8]),
        "suited": suited,
        "ace": rng.choice(["low", "high"]),
        "hand_size": None,
        "first_player": rng.choice(["dealer_left", "random"]),
        "start_card": rng.choice(["none", "keep", "vote"]),
        "start_card_high": rng.choice(["J", *RANK_LETTERS]),
        "start_card_redraws": rng.choice([0, 1, 2, 3, 3, 10]),
        "lead": "any" if suited else rng.choice(["first_rank", "any"]),
        "follow": "higher_in_suit",
        "round_ends": rng.choice(["never", "call"]),
        "max_cards": rng.choice([None, 1]) if suited else rng.choice([None, None, 1, 2, 3, 7, 500, "hand"]),
        "passing": rng.choice(["never", "allowed", "allowed"]),
        "all_passed": rng.choice(["must_play", "clear_pile", "last_player_leads"]),
        "callers": rng.choice(["all", "all", "next"]),
        "call_order": rng.choice(["nearest", "nearest", "race"]),
        "penalty": rng.choice(["pile", "stock_1", "stock_2", "stock_3", "stock_3", "stock_12", "whole_stock"]),
        "empty_stock": rng.choice(["from_opponent", "nothing"]),
        "give": rng.choice(["random", "choose"]),
        "after_call": rng.choice(["left_of_accused", "right_party", "wrong_party", "left_of_wrong"]),
        "reveal": rng.choice(["all", "caller"]),
        "dropp": rng.choice([None, None, {}]),
        "target_points": rng.choice([None, None, None, 1, 2, 3]),
        "max_turns": rng.choice([1, 2, 6, 20, 60, 150, 150]),
        "rewards": rng.choice(["zero_sum", "win_loss", "win"]),
    }
    if not suited:
        rules["follow"] = rng.choice(["next", "any", "same", "adjacent", "same_or_adjacent"])
    if rules["dropp"] is not None:
        notice, false_notice = (rng.choice([0, 1, 0.0, 1.0, 0.02, 0.3, 0.5]) for _ in range(2))
        rules["dropp"] = {"penalty": rng.randint(3, 6), "notice": notice, "false_notice": false_notice}
        rules["call_order"] = "nearest"
    cards = deck(rules).total() - (rules["start_card"] != "none")
    if rng.random() < 0.7 and cards >= rules["players"]:
        most = cards // rules["players"]
        rules["hand_size"] = rng.choice([most, rng.randint(1, most), min(most, 7), min(most, 3)])
    else:
        rules |= {"start_card": "none", "dropp": None, "penalty": "pile"}
    return rules


def random_move(table: Table, rng: random.Random) -> Move:
    """A legal move of the seat to move, about every other play a truthful one."""
    if table.phase == VOTE:
        return ("vote", rng.random() < 0.6)
    if table.phase == WINDOW:
        if table.may_accuse() and rng.random() < 0.15:
            asked = table.asked[0]
            return ("accuse", rng.choice([seat for seat in range(table.players) if seat != asked]))
        return ("call",) if rng.random() < 0.5 / len(table.asked) else ("decline",)
    assert table.to_move is not None
    hand = table.in_order(table.hands[table.to_move].elements())
    if table.phase == GIVE:
        return ("give", table.in_order(rng.sample(hand, table.owed)))
    assert table.phase == TURN
    if table.may_drop() and rng.random() < 0.2:
        return ("drop", rng.choice(hand))
    if table.may_pass() and rng.random() < 0.35:
        return ("pass",)
    most = table.most_cards()
    number = rng.choice([1, 1, rng.randint(1, most), most])
    true = [claim for claim in table.claimable() if claim in hand]
    if true and rng.random() < 0.5:
        claim = rng.choice(true)
        return ("play", claim, (claim,) * min(number, hand.count(claim)))
    return ("play", rng.choice(table.claimable()), table.in_order(rng.sample(hand, number)))


class Stage(NamedTuple):
    """What was true after so many events of a deal."""

    events: int
    hands: list[Counter[str]]
    drops: list[int]  # by each seat since it was last found out
    stock: int
    pile: int
    passes: int


class RandomGame(NamedTuple):
    """A finished game: its record, its tables, and for each deal what was true after each event."""

    record: dict[str, Any]
    tables: list[Table]
    stages: list[list[Stage]]


Watcher = Callable[[Table, Move], None]


def random_game(rules: dict[str, Any], rng: random.Random, before_move: Watcher | None = None) -> RandomGame:
    """A game of random moves, chance drawn from the same generator; `before_move` sees every decision."""
    match, deals, tables, stages = Match(rules), [], [], []
    while not match.over:
        deal = random_deal(rules, rng, match.next_dealer)
        table = Table(rules, deal, rng)
        seen = [_stage(table)]
        while not table.over:
            move = random_move(table, rng)
            if before_move:
                before_move(table, move)
            table.push(move)
            if len(table.events) > seen[-1].events:
                seen.append(_stage(table))
        deals.append(deal | {"events": table.events, "end": {"winner": table.winner, "cut_off": table.cut_off}})
        tables.append(table)
        stages.append(seen)
        match.add(table)
    record = {"format": FORMAT, "rules": rules, "deals": deals, "result": match.result()}
    return RandomGame(record, tables, stages)


def _stage(table: Table) -> Stage:
    hands = [hand.copy() for hand in table.hands]
    return Stage(len(table.events), hands, table.drops[:], len(table.stock), table.pile_size(), table.passes)
