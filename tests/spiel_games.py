"""What the tests of the OpenSpiel game share: games of small rules, and walks through them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

#: Rules with every kind of chance and of decision, on decks small enough to be played quickly.
CORNERS: dict[str, str] = {
    "race": "bloff; call_order: race; ranks: 3; suits: 2; players: 3; max_turns: 12",
    "match": "tiny; target_points: 2; first_player: random; max_turns: 8",
    "match with a stock": "bluffstopp; rewards: win; ranks: 6; suits: 2; hand_size: 2; target_points: 2; "
    "max_turns: 15; penalty: stock_2; players: 3",
    "gifts chosen": "bluffstopp; ranks: 4; suits: 2; hand_size: 2; players: 2; give: choose; max_turns: 20",
    "gifts drawn in a race": "bluffstopp; ranks: 4; suits: 2; hand_size: 2; players: 3; call_order: race; "
    "max_turns: 15",
    "dropp": "bluffstopp_dropp; ranks: 6; hand_size: 4; players: 3; max_turns: 12; "
    "dropp: {penalty: 3; notice: 0.5; false_notice: 0.25}",
    "seen by the caller": "bloff; reveal: caller; ranks: 4; suits: 2; jokers: 2; max_turns: 12; players: 3",
    "passing": "blof_free_pass; ranks: 4; suits: 2; players: 3; max_turns: 15; rewards: win_loss",
    "votes": "bluffstopp; ranks: 5; suits: 2; start_card_high: 4; hand_size: 2; players: 3; max_turns: 6",
    "uneven": "bloff; ranks: 5; suits: 1; players: 3; max_turns: 8; callers: next",
}


def load(rules: str, **parameters: Any) -> Any:
    """The game of these rules."""
    import pyspiel

    import bluff_env.adapters.openspiel

    assert bluff_env.adapters.openspiel.NAME in pyspiel.registered_names()
    return pyspiel.load_game("python_bluff", {"rules": rules, **parameters})


def sampled(state: Any, random: np.random.Generator) -> int:
    """An outcome of chance, or a uniform action of whoever decides."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        return int(random.choice(outcomes, p=np.array(chances) / sum(chances)))
    return int(random.choice(state.legal_actions()))


def walk(game: Any, random: np.random.Generator) -> Iterator[Any]:
    """The states of a game played at random, the end included."""
    state = game.new_initial_state()
    yield state.clone()
    while not state.is_terminal():
        state.apply_action(sampled(state, random))
        yield state.clone()


def every_state(game: Any) -> list[Any]:
    """All states of a small game."""
    found, stack = [], [game.new_initial_state()]
    while stack:
        state = stack.pop()
        found.append(state)
        if not state.is_terminal():
            stack += [state.child(action) for action in state.legal_actions()]
    return found
