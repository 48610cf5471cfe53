"""Drops in records and games: told before the play or pass with which they are noticed. [D1] [D2]"""

from __future__ import annotations

from typing import Any

import pytest

from bluff_env import Game
from bluff_env.errors import MoveError
from bluff_env.record import check_record


def _at_a_drop() -> tuple[Game, dict[str, Any], str]:
    game = Game("bluffstopp_dropp", seed=1)
    seat = game.turn
    assert seat is not None
    card = game.view(seat).hand[0]
    other = (seat + 1) % 4
    return game, {"seat": seat, "drop": card, "noticed": [other]}, game.view(seat).hand[1]


def test_a_position_that_ends_in_a_drop_keeps_it_and_its_notices() -> None:
    game, drop, card = _at_a_drop()
    game.push(drop)
    position = game.record()
    assert position["deals"][0]["events"] == [drop]
    assert check_record(position) == position
    resumed = Game.from_record(position)
    assert resumed.record()["deals"] == position["deals"]
    resumed.push(f"2S:{card}")
    assert resumed.record()["deals"][0]["events"][0] == drop
    assert resumed.view(drop["noticed"][0]).notices


def test_after_a_drop_made_as_a_move_the_play_is_a_move_too() -> None:
    game, drop, card = _at_a_drop()
    game.push(f"drop {drop['drop']}")
    with pytest.raises(MoveError, match="go on with a move"):
        game.push({"seat": drop["seat"], "claim": "2S", "play": [card]})
    game.push(f"2S:{card}")
    assert [*game.record()["deals"][0]["events"][0]] == ["seat", "drop", "noticed"]


def test_a_restored_game_waits_for_no_event_of_its_future() -> None:
    game = Game("blof_free_pass", seed=1)
    first = game.turn
    assert first is not None
    game.push(f"A:{game.view(first).hand[0]}")
    for _ in range(3):
        game.push("decline")
    passes = [{"seat": (first + i) % 4, "pass": True} for i in (1, 2, 3)]
    for event in passes[:2]:
        game.push(event)
    before = game.snapshot()
    game.push(passes[2])
    game.restore(before)
    game.push(passes[2])
    assert "cleared" in game.record()["deals"][0]["events"][-1]
