"""What several tests share: random rules objects, and games played at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_env import BluffError, GameBatch, Rules, name_of, rule_names, rules


def random_rules(rng: np.random.Generator, **fixed: Any) -> Rules:
    """A legal rules object that this version plays, every field of it drawn."""
    while True:
        fields: dict[str, Any] = {
            "players": int(rng.choice([2, 2, 3, 3, 4, 4, 5, 7, 10, 16])),
            "ranks": int(rng.integers(1, 14)),
            "suits": int(rng.integers(1, 5)),
            "decks": int(rng.choice([1, 1, 1, 2, 3, 4])),
            "jokers": int(rng.choice([0, 0, 0, 1, 2, 8])),
            "ace": str(rng.choice(["low", "high"])),
            "hand_size": None if rng.random() < 0.7 else int(rng.integers(1, 14)),
            "first_player": str(rng.choice(["dealer_left", "random"])),
            "lead": str(rng.choice(["first_rank", "any"])),
            "follow": str(rng.choice(["next", "any", "same", "adjacent", "same_or_adjacent"])),
            "round_ends": str(rng.choice(["never", "call"])),
            "max_cards": [None, None, 1, 2, 3, 7, "hand"][int(rng.integers(7))],
            "callers": str(rng.choice(["all", "all", "next"])),
            "after_call": str(rng.choice(["left_of_accused", "right_party", "wrong_party"])),
            "max_turns": int(rng.choice([1, 6, 20, 100, 300])),
            "rewards": str(rng.choice(["zero_sum", "win_loss", "win"])),
        }
        try:
            return Rules(**{**fields, **fixed})
        except BluffError:
            continue


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


def hands(batch: GameBatch, row: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    """(n, K) every hand of a row's game: the truth, for tests."""
    n, k = batch.rules.players, int(batch.rule["kinds"][0])
    at = int(batch.rule["c_hands"][0])
    return batch.cards[row, at : at + n * k].reshape(n, k)
