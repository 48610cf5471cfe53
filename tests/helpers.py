"""What several tests share: random rules objects, and games played at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_env import BluffError, GameBatch, Rules, name_of, rule_names, rules


def random_rules(rng: np.random.Generator, **fixed: Any) -> Rules:
    """A legal rules object, every field of it drawn."""
    while True:
        try:
            return Rules(**{**_drawn(rng), **fixed})
        except BluffError:
            continue


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    suited = bool(rng.random() < 0.45)
    fields: dict[str, Any] = {
        "players": int(rng.choice([2, 2, 3, 3, 4, 4, 5, 7, 10, 16])),
        "ranks": int(rng.integers(1, 14)),
        "suits": int(rng.integers(1, 5)),
        "decks": 1 if suited else int(rng.choice([1, 1, 2, 3, 4])),
        "jokers": int(rng.choice([0, 0, 1, 2, 8])),
        "suited": suited,
        "ace": str(rng.choice(["low", "high"])),
        "hand_size": None if rng.random() < 0.35 else int(rng.integers(1, 12)),
        "first_player": str(rng.choice(["dealer_left", "random"])),
        "start_card": str(rng.choice(["none", "keep", "vote", "vote"])),
        "start_card_high": str(rng.choice(list("A23456789TJQK"))),
        "start_card_redraws": int(rng.choice([0, 1, 3])),
        "lead": "any" if suited else str(rng.choice(["first_rank", "any"])),
        "follow": "higher_in_suit"
        if suited
        else str(rng.choice(["next", "any", "same", "adjacent", "same_or_adjacent"])),
        "round_ends": str(rng.choice(["never", "call"])),
        "max_cards": None if suited else [None, None, 1, 2, 3, 7, "hand"][int(rng.integers(7))],
        "passing": str(rng.choice(["never", "allowed"])),
        "all_passed": str(rng.choice(["must_play", "clear_pile", "last_player_leads"])),
        "callers": str(rng.choice(["all", "all", "next"])),
        "call_order": str(rng.choice(["nearest", "nearest", "race"])),
        "penalty": str(rng.choice(["pile", "stock_1", "stock_3", "stock_7", "whole_stock"])),
        "empty_stock": str(rng.choice(["from_opponent", "nothing"])),
        "give": str(rng.choice(["random", "choose"])),
        "after_call": str(rng.choice(["left_of_accused", "right_party", "wrong_party", "left_of_wrong"])),
        "reveal": str(rng.choice(["all", "caller"])),
        "dropp": None
        if rng.random() < 0.7
        else {
            "penalty": int(rng.integers(3, 7)),
            "notice": float(rng.choice([0, 0.3, 1])),
            "false_notice": float(rng.choice([0, 0.1, 1])),
        },
        "target_points": None if rng.random() < 0.7 else int(rng.integers(1, 4)),
        "max_turns": int(rng.choice([1, 6, 20, 60, 150])),
        "rewards": str(rng.choice(["zero_sum", "win_loss", "win"])),
    }
    if fields["hand_size"] is None and rng.random() < 0.9:
        fields.update(start_card="none", dropp=None, penalty="pile")
    return fields


def name(r: Rules) -> str:
    """A short name of a rules object, for the names of tests."""
    return f"{name_of(r) or 'drawn'}-{r.players}"


def named_rules() -> list[Rules]:
    """Every named set, with max_turns short enough for a test."""
    return [rules(name, max_turns=min(300, rules(name).max_turns)) for name in rule_names()]


def played(batch: GameBatch, steps: int = 1_000_000) -> GameBatch:
    """Plays random legal actions in every row until all games are over (or for so many steps)."""
    for _ in range(steps):
        actions = batch.random_actions()
        if (actions < 0).all():
            break
        batch.step(actions)
    return batch


def counts(batch: GameBatch, row: int, region: str, rows: int = 1) -> np.ndarray[Any, np.dtype[np.int8]]:
    """(rows, K) a view of a region of a row's card counts, see `engine.state`: the truth, for tests."""
    rule = batch.rule[0]
    at, stride = int(rule[f"c_{region}"]), int(rule["stride"])
    return batch.cards[row, at : at + rows * stride].reshape(rows, stride)[:, : int(rule["kinds"])]


def hands(batch: GameBatch, row: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    """(n, K) every hand of a row's game: the truth, for tests."""
    return counts(batch, row, "hands", batch.rules.players)
