"""Compiled code writes where it should and nowhere else: it moves sixteen bytes at a time, unchecked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bluff_env import GameBatch, Rules
from bluff_env.engine import rows as compiled
from helpers import name, named_rules, random_rules

GUARD = 64
SIGN = 77


def guarded(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint8]]:
    """The same array between two guards, and the bytes of all three."""
    size = array.nbytes
    base = np.full(size + 2 * GUARD, SIGN, np.uint8)
    inner = base[GUARD : GUARD + size].view(array.dtype).reshape(array.shape)
    inner[...] = array
    return inner, base


def corners() -> list[Rules]:
    """The smallest and the largest rows, and some between."""
    return [
        Rules(players=2, ranks=2, suits=1, max_cards=1),
        Rules(players=2, ranks=2, suits=2, max_cards=2, follow="any", lead="any"),
        Rules(players=16, decks=4, follow="any", lead="any"),
        Rules(players=3, suited=True, follow="higher_in_suit", lead="any", ace="high", jokers=2),
        *(random_rules(np.random.default_rng(seed)) for seed in range(12)),
    ]


@pytest.mark.parametrize("r", [*named_rules(), *corners()], ids=name)
def test_nothing_is_written_outside_the_rows_that_are_stepped(r: Rules) -> None:
    batch = GameBatch(r, games=5, seed=2)
    bases = []
    for field in ("cards", "observation", "mask", "_rewards", "_done"):
        inner, base = guarded(getattr(batch, field))
        batch.__dict__[field] = inner
        bases.append(base)
    batch._link()
    for step in range(300):
        before = [array.copy() for array in (batch.cards, batch.observation, batch.mask)]
        alone = np.arange(5) % 3 == step % 3
        batch.step(np.where(alone, -1, batch.random_actions()))
        for array, old in zip((batch.cards, batch.observation, batch.mask), before, strict=True):
            assert (array[alone] == old[alone]).all()
    for base in bases:
        assert (base[:GUARD] == SIGN).all()
        assert (base[-GUARD:] == SIGN).all()


@pytest.mark.parametrize("r", [*named_rules(), *corners()], ids=name)
def test_looking_at_a_game_writes_one_observation_and_no_more(r: Rules) -> None:
    batch = GameBatch(r, games=3, seed=4)
    for step in range(120):
        batch.step(batch.random_actions())
        if step % 10 == 0:
            for seat in range(r.players):
                out, base = guarded(np.zeros((1, batch.layout.size), np.int8))
                compiled.observe_rows(batch.address, np.array([1]), np.array([seat]), out)
                assert (out[0] == batch.observe(seat, [1])[0]).all()
                assert (base[:GUARD] == SIGN).all()
                assert (base[-GUARD:] == SIGN).all()
            state, base = guarded(np.zeros((3, batch.layout.state_size), np.int8))
            compiled.state_rows(batch.address, state)
            assert (state == batch.state()).all()
            assert (base[:GUARD] == SIGN).all()
            assert (base[-GUARD:] == SIGN).all()
