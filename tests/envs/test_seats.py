"""Seats: uniform players played on by compiled code play the very games they play when they are asked."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import bluff_agents
import bluff_env
from bluff_agents.bots.uniform import Random
from bluff_env.errors import MoveError
from bluff_env.seats import Seats

GAMES = 12


class Asked:
    """The bot `random` without the mark by which compiled code plays in its place."""

    def __init__(self, rules: bluff_env.Rules) -> None:
        self.bot = bluff_agents.load("random", rules)
        self.asked = 0

    def act(self, *given: Any) -> Any:
        self.asked += 1
        return self.bot.act(*given)


class Heir(Random):
    """Not marked itself: who knows what it does."""

    asked = 0

    def choose(self, *given: Any) -> Any:
        self.asked += 1
        return super().choose(*given)


def table(rules: bluff_env.Rules, opponents: Any, asked: Any = None, games: int = GAMES, **more: Any) -> Seats:
    names = dict.fromkeys(opponents)
    players = {name: bluff_agents.load(name, rules) for name in names}
    if asked is not None:
        players["random"] = asked
    return Seats(rules, games, opponents, players, seed=3, **more)


def alike(one: Seats, other: Seats) -> None:
    assert (one.observe() == other.observe()).all()
    assert (one.batch.mask == other.batch.mask).all()
    assert (one.batch.player == other.batch.player).all()
    assert (one.seat == other.seat).all()
    assert (one.opponents == other.opponents).all()
    assert one.batch.records() == other.batch.records()


@pytest.mark.parametrize("opponents", [{"random": 1.0}, {"random": 0.6, "honest": 0.4}], ids=["random", "mixed"])
@pytest.mark.parametrize("restart", [True, False])
@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_compiled_random_players_play_the_games_of_asked_ones(name: str, restart: bool, opponents: Any) -> None:
    rules = bluff_env.rules(name)
    slow = Asked(rules)
    one, other = (table(rules, opponents, asked, alike=0.5) for asked in (None, slow))
    one.reset(5), other.reset(5)
    assert slow.asked
    random, ended = np.random.default_rng(0), 0
    for _ in range(60):
        actions = (random.random(one.batch.mask.shape) * one.batch.mask).argmax(axis=1)
        actions[one.batch.player < 0] = -1
        told, expected = one.step(actions, restart), other.step(actions, restart)
        for field in fields(told):
            a, b = getattr(told, field.name), getattr(expected, field.name)
            assert a.dtype == b.dtype
            order = (told.rows.argsort(), expected.rows.argsort()) if len(a) == len(told.rows) else (..., ...)
            assert (a[order[0]] == b[order[1]]).all(), field.name
        ended += len(told.rows)
    alike(one, other)
    assert (one.observe() == one.batch.observe(one.seat)).all()


def test_games_longer_than_their_log_go_on() -> None:
    rules = bluff_env.rules("bloff", players=3)
    one, other = (table(rules, {"random": 1.0}, asked, seat=0) for asked in (None, Asked(rules)))
    one.reset(1), other.reset(1)
    random = np.random.default_rng(0)
    for _ in range(900):
        actions = (random.random(one.batch.mask.shape) * one.batch.mask).argmax(axis=1)
        one.step(actions), other.step(actions)
    assert one.batch.games["log_begin"].max() > 0
    alike(one, other)


def test_only_a_player_whose_own_class_is_marked_is_played_for() -> None:
    rules = bluff_env.rules("bloff", ranks=4, suits=2)
    heir = Heir(rules)
    one, other = table(rules, {"random": 1.0}), table(rules, {"random": 1.0}, heir)
    one.reset(1), other.reset(1)
    assert heir.asked
    before = heir.asked
    other.set_player("random", bluff_agents.load("random", rules))
    for _ in range(30):
        actions = one.batch.mask.argmax(axis=1)
        one.step(actions), other.step(actions)
    assert heir.asked == before
    alike(one, other)


def test_named_by_place_they_sit_from_the_outside_seats_left_on() -> None:
    rules = bluff_env.rules("bloff", players=4)
    seats = table(rules, ["honest", "random", "honest"], games=40)
    seats.reset(1)
    assert seats.names == ("honest", "random")
    assert len(set(seats.seat.tolist())) == 4
    for row, seat in enumerate(seats.seat):
        assert [seats.opponents[row, (seat + place) % 4] for place in range(4)] == [-1, 0, 1, 0]
    with pytest.raises(bluff_env.BluffError, match="opponents: 2 named; 3 for 4 seats"):
        table(rules, ["honest", "random"])


def test_fresh_rows_begin_their_next_game_whatever_their_action() -> None:
    rules = bluff_env.rules("tiny")
    one, other = table(rules, {"random": 1.0}), table(rules, {"random": 1.0})
    one.reset(1), other.reset(1)
    actions = one.batch.mask.argmax(axis=1)
    wild = actions.copy()
    wild[[2, 5]] = 99
    outcome = one.step(wild, restart=False, fresh=np.array([2, 5]))
    assert not outcome.done[[2, 5]].any()
    other.step(np.where(wild == 99, -1, actions), restart=False)
    other.reset(rows=[2, 5])
    alike(one, other)
    assert one.dealt.tolist() == other.dealt.tolist()


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(3, np.int64), r"actions: shape \(3,\), dtype int64 found; \(12,\) whole numbers expected"),
        (np.zeros(12), r"actions: shape \(12,\), dtype float64 found"),
        (np.full(12, 99), "row 0: action 99 is not legal"),
        (np.full(12, -2), "row 0: action -2 is not legal"),
        (np.full(12, 2**64 - 1, np.uint64), "row 0: action .* is not legal"),
    ],
)
def test_actions_that_are_none_are_refused_and_nothing_changes(actions: Any, message: str) -> None:
    seats = table(bluff_env.rules("bloff"), {"random": 1.0})
    seats.reset(1)
    before = seats.batch.records()
    with pytest.raises(MoveError, match=message):
        seats.step(actions)
    assert seats.batch.records() == before


class Quick:
    """Lays one card at once and never calls."""

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        return np.where(mask[:, 0], 0, np.where(mask[:, 2], 2, mask.argmax(axis=1))), None


def test_a_given_deal_in_which_the_outside_seat_has_no_say_is_refused() -> None:
    rules = bluff_env.rules("bloff", players=3, ranks=3, suits=1, callers="next")
    seats = Seats(rules, 2, {"quick": 1.0}, {"quick": Quick()}, seat=0)
    deal = {"dealer": 0, "opener": 1, "hands": [["2"], ["A"], ["3"]], "stock": []}
    with pytest.raises(bluff_env.BluffError, match="row 1: deal: the game ends before the learner is asked anything"):
        seats.reset(seeds=[1, 2], deals=[None, deal])


def test_games_without_a_say_are_dealt_again_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = bluff_env.rules("bloff", players=16, callers="next", max_turns=1)
    seats = Seats(rules, 20, {"quick": 1.0}, {"quick": Quick()}, seat=0)
    seats.reset(1)
    assert (seats.batch.player == 0).all()
    assert seats.dealt.max() > 3
    monkeypatch.setattr("bluff_env.seats._MOST_UNASKED", 3)
    with pytest.raises(bluff_env.BluffError, match="reset: 3 games in a row ended before the learner was asked"):
        seats.reset(1)
