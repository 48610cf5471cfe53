"""Recorded games as they are shown: what each seat was told, all hands open, and what agents think."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bluff_agents import load
from bluff_agents.play import Session
from bluff_agents.watch import Showing
from bluff_agents.watch.belief import truth
from bluff_env import Game
from bluff_env.reading import check_record
from play.common import Counting

SETS: list[tuple[str, dict[str, Any]]] = [
    ("bloff", {}),
    ("blof_free_pass", {}),
    ("blof_match", {"target_points": 2}),
    ("bluffstopp", {"give": "choose"}),
    ("bluffstopp_open", {}),
    ("bluffstopp_dropp", {}),
    ("bluffstopp_jokers", {"reveal": "caller"}),
    ("bluff", {"call_order": "race"}),
]


def played(rules: str, seat: int = 1, seed: int = 5, **fields: Any) -> Session:
    """A game of a person who acts at random, against bots that do too."""
    session, rng = Session(rules, "random", seat=seat, seed=seed, max_turns=60, **fields), random.Random(seed)
    while not session.over:
        session.play(rng.choice(session.moves))
    return session


@pytest.mark.parametrize(("rules", "fields"), SETS)
def test_a_seat_s_view_of_a_record_tells_what_that_seat_was_told_in_the_game(
    rules: str, fields: dict[str, Any]
) -> None:
    session = played(rules, **fields)
    showing = Showing(check_record(json.loads(json.dumps(session.record()))))
    told = [{key: value for key, value in event.items() if key != "table"} for event in session.events]
    assert showing.events(len(showing), session.seat) == told
    assert showing.position(len(showing), session.seat)["view"]["winner"] == session.view()["winner"]


@pytest.mark.parametrize(("rules", "fields"), SETS)
def test_every_position_is_shown_whole_and_agrees_with_itself(rules: str, fields: dict[str, Any]) -> None:
    showing = Showing(played(rules, **fields).record())
    deck = showing.replay.rules.deck_size
    for position in range(len(showing) + 1):
        shown = showing.position(position, None)
        json.dumps(shown, allow_nan=False)
        sizes = [len(hand) for hand in shown["hands"]]
        assert sizes == [row["cards"] for row in shown["view"]["seats"]] == showing.sizes()[position]
        assert sum(sizes) + shown["view"]["pile"] + shown["view"]["stock"] <= deck
        assert (shown["next"] is None) == (position == len(showing))
        if shown["next"] is not None:
            assert shown["next"]["call"] == (position in showing.calls)
            assert shown["next"]["words"]
        if shown["view"]["claim"] is not None:
            assert len(shown["laid"]) == shown["view"]["claim"]["count"]
        for seat in range(showing.replay.rules.players):
            seen = showing.position(position, seat)
            assert [hand is not None for hand in seen["hands"]].count(True) == 1
            assert seen["hands"][seat] == shown["hands"][seat]
    starts = showing.deals()
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert len(starts) == len(showing.replay.go(len(showing)).record()["deals"])


def test_with_all_hands_open_the_cards_of_every_play_are_told() -> None:
    showing = Showing(played("bluffstopp_dropp").record())
    kinds = {event["kind"] for event in showing.events(len(showing), None)}
    assert {"play", "drop"} <= kinds
    for event in showing.events(len(showing), None):
        if event["kind"] in ("play", "call"):
            assert event["cards"]
        assert "you" not in event["words"].split()


def test_what_another_seat_does_next_is_not_told_before_it_is_seen() -> None:
    showing = Showing(played("bluffstopp").record())
    for position, step in enumerate(showing.replay.steps):
        for seat in range(showing.replay.rules.players):
            words = showing.position(position, seat)["next"]["words"]
            open_to_all = step.move.kind in ("call", "decline", "pass")
            assert (words is not None) == (seat == step.seat or open_to_all)


def test_an_opinion_is_what_the_agent_would_do_there() -> None:
    session = Session("bloff", "counter", seed=3)
    while not session.over:
        session.play(next((move for move in session.moves if move.kind == "decline"), session.moves[0]))
    showing, agent = Showing(session.record()), load("zoo/bloff-4", "bloff")
    answers = [at for at, step in enumerate(showing.replay.steps) if step.deciding == "answer"]
    for position in answers[:20]:
        said = showing.opinion(position, agent)
        game = showing.replay.go(position)
        likely = agent.probabilities(game.batch.observation, game.batch.mask)[0]
        assert said is not None
        chances = {move["text"]: move["chance"] for move in said["moves"]}
        assert set(chances) == {"call", "decline"}
        assert chances["call"] == pytest.approx(likely[game.layout.actions["call"].start], abs=1e-3)
        assert sum(chances.values()) + said["rest"] == pytest.approx(1)
        assert said["win"] == pytest.approx(float(agent.win_chance(game.batch.observation)[0]))  # type: ignore[index]
        assert said["true"] is None
        done = [move["text"] for move in said["moves"] if move["made"]]
        assert done == [str(showing.replay.steps[position].move)]
    assert showing.opinion(len(showing), agent) is None


def test_what_was_done_has_its_chance_however_unlikely_it_was() -> None:
    showing, agent = Showing(played("blof_free_pass").record()), load("random", "blof_free_pass")
    for position, step in enumerate(showing.replay.steps[:40]):
        said = showing.opinion(position, agent)
        assert said is not None
        made = [move for move in said["moves"] if move["made"]]
        assert [move["text"] for move in made] == [str(step.move)]
        assert made[0]["chance"] > 0
        assert sum(move["chance"] for move in said["moves"]) + said["rest"] == pytest.approx(1)
        assert showing.position(position, None)["position"] == position


def test_an_agent_with_a_memory_is_asked_with_what_it_remembers() -> None:
    rules = played("bloff").record()["rules"]
    agent = Counting(rules)
    session = Session("bloff", agent, seed=9, max_turns=60)
    while not session.over:
        session.play(session.moves[0])
    showing = Showing(session.record())
    for position, step in enumerate(showing.replay.steps[:120]):
        if step.seat == 2:
            said = showing.opinion(position, Counting(showing.replay.rules))
            assert said is not None
            assert [move["chance"] for move in said["moves"] if move["made"]] == [pytest.approx(1)]


def test_a_bot_that_counts_knows_a_lie_that_its_own_cards_prove() -> None:
    deck = [rank for rank in "A23456789TJQK" for _ in range(4)]
    random.Random(1).shuffle(deck)
    others = [card for card in deck if card != "A"]
    hands = [["A"] * 4 + others[:9], others[9:22], others[22:35], others[35:48]]
    game = Game("bloff", deal={"dealer": 0, "opener": 1, "hands": hands, "stock": []})
    counter = load("counter", game.rules)
    game.push(f"A:{hands[1][0]}")
    for move in ("decline", "decline"):
        game.push(move)
    assert game.turn == 0
    assert truth(counter, game.batch.observation) == pytest.approx(0, abs=1e-6)
    assert truth(load("honest", game.rules), game.batch.observation) is None


@pytest.mark.parametrize(("rules", "name", "bound"), [("bloff", "bold", 0.4), ("bluffstopp", "cautious", 0.9)])
def test_the_chance_shown_is_the_one_that_the_bot_calls_by(rules: str, name: str, bound: float) -> None:
    """Both call from a chance of a lie on, and every last card."""
    session = Session(rules, "counter", seed=3)
    while not session.over:
        session.play(next((move for move in session.moves if move.kind == "decline"), session.moves[0]))
    showing, agent = Showing(session.record()), load(name, session.rules)
    called = set()
    for position, step in enumerate(showing.replay.steps):
        game = showing.replay.go(position)
        if step.deciding == "answer" and game.view(step.seat).hand_sizes[game.view(step.seat).claimant or 0]:
            believed = truth(agent, game.batch.observation)
            action, _ = agent.act(game.batch.observation, game.batch.mask, [0.5])
            calls = bool(action[0] == game.layout.actions["call"].start)
            assert believed is not None
            assert calls == (1 - believed >= bound)
            called.add(calls)
    assert called == {True, False}
