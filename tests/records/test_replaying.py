"""Replay: recorded games gone through decision by decision."""

from __future__ import annotations

import numpy as np
import pytest

import bluff_env
from bluff_env import Game
from bluff_env.errors import RecordError
from bluff_env.replaying import Replay

SETS = (
    "bloff",
    "blof_free_pass",
    "bluffstopp",
    "bluffstopp_open",
    "bluffstopp_dropp",
    "bluffstopp_jokers",
    "blof_match",
)


def played(rules: bluff_env.Rules, seed: int) -> Game:
    """A game of players who act at random."""
    game = Game(rules, seed=seed)
    rng = np.random.default_rng(seed)
    while not game.over:
        game.push_action(int(rng.choice(np.flatnonzero(game.batch.mask[0]))))
    return game


@pytest.mark.parametrize("name", SETS)
def test_the_steps_of_a_replay_are_the_game_again_with_every_answer(name: str) -> None:
    fields = {"target_points": 2} if name == "blof_match" else {}
    game = played(bluff_env.rules(name, max_turns=60, **fields), 3)
    record = game.record()
    replay = Replay(record)
    told = list(replay.beginning)
    for at, step in enumerate(replay.steps):
        before = replay.go(at)
        assert (before.turn, before.deciding) == (step.seat, step.deciding)
        assert before.actions_of(step.move) == list(step.actions)
        for seat in range(replay.rules.players):
            assert list(before.view(seat).hand) == replay.hands[at][seat]
        told += step.events
    assert [event for event in told if "end" not in event] == [e for deal in record["deals"] for e in deal["events"]]
    assert [event["end"] for event in told if "end" in event] == [
        deal["end"] for deal in record["deals"] if "end" in deal
    ]
    last = replay.go(len(replay))
    assert last.over
    assert last.record()["result"] == record["result"]


def test_an_unfinished_game_ends_where_its_record_does() -> None:
    game = Game("bloff", seed=1)
    for move in (next(iter(game.legal_moves)), "decline", "decline"):
        game.push(move)
    replay = Replay(game.record())
    assert [step.move.kind for step in replay.steps] == ["play"]
    assert replay.go(1).asked


def test_what_a_seat_was_asked_before_is_what_it_was_shown_then() -> None:
    replay = Replay(played(bluff_env.rules("blof_free"), 5).record())
    seen = replay.decisions(len(replay), 2)
    assert len(seen) == sum(len(step.actions) for step in replay.steps if step.seat == 2)
    actions = [action for step in replay.steps if step.seat == 2 for action in step.actions]
    assert all(mask[0, action] for (_, mask), action in zip(seen, actions, strict=True))


def test_faulty_records_and_positions_that_are_not_there_are_refused() -> None:
    record = played(bluff_env.rules("tiny"), 1).record()
    with pytest.raises(IndexError):
        Replay(record).go(-1)
    record["deals"][0]["events"][0]["seat"] = 9
    with pytest.raises(RecordError, match="deal 0, event 0"):
        Replay(record)
