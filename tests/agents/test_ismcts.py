"""`ismcts`: the worlds it imagines look like what it was shown, and it plays by its seed alone."""

from __future__ import annotations

import numpy as np
import pytest

import bluff_agents
import bluff_env
from bluff_agents.errors import AgentError
from bluff_agents.play import Session
from bluff_agents.search import Ismcts
from bluff_agents.search.worlds import SEARCHED, Worlds
from helpers import name

RULES = [
    *(bluff_env.rules(name) for name in bluff_env.rule_names()),
    bluff_env.rules("bloff", players=3, call_order="race", jokers=2, reveal="caller"),
    bluff_env.rules("bluffstopp", ranks=4, suits=2, hand_size=2, players=2, give="choose"),
]


@pytest.mark.parametrize("rules", RULES, ids=name)
def test_a_world_looks_to_its_observer_like_the_game_it_is_shown(rules):
    lay, random = bluff_env.layout(rules), np.random.default_rng(0)
    worlds = Worlds(rules, lay, 3)
    batch, honest = bluff_env.GameBatch(rules, games=2, seed=1), bluff_agents.load("honest", rules)
    searched = [lay.phases.index(name) for name in SEARCHED if name in lay.phases]
    found = 0
    for step in range(80):
        for row in range(2):
            world = worlds.draw(batch.observation[row], batch.mask[row], random)
            decides = int(batch.observation[row, lay.pieces["phase"]].argmax())
            assert (world is not None) == (decides in searched)
            if world is not None:
                found += 1
                assert (world.observation == batch.observation[row]).all()
                assert (world.mask == batch.mask[row]).all()
        actions = honest.act(batch.observation, batch.mask, batch.noise())[0]
        batch.step(actions if step % 3 else batch.random_actions())
    assert found > 40


def test_worlds_differ_in_what_is_hidden_and_hold_all_cards():
    rules = bluff_env.rules("bloff")
    batch = bluff_env.GameBatch(rules, games=1, seed=1, restart=False)
    while int(batch.turns[0]) < 12:
        batch.step(batch.random_actions())
    world = Worlds(rules, batch.layout, 20).draw(batch.observation[0], batch.mask[0], np.random.default_rng(0))
    assert world is not None
    state, pieces = world.state(), world.layout.state_pieces
    hands = state[:, pieces["hands"]].reshape(20, 4, 13)
    laid = state[:, pieces["laid_in_pile"]].reshape(20, 4, 13)
    assert len({hands[row, 1:].tobytes() for row in range(20)}) == 20
    assert ((hands.sum(axis=1) + laid.sum(axis=1)) == 4).all()


def test_it_plays_by_the_noise_alone_whatever_the_batch():
    rules = bluff_env.rules("tiny")
    batch = bluff_env.GameBatch(rules, games=6, seed=2)
    noise = batch.noise()
    together = Ismcts(rules, simulations=32).act(batch.observation, batch.mask, noise)[0]
    player = Ismcts(rules, simulations=32)
    alone = [player.act(batch.observation[i : i + 1], batch.mask[i : i + 1], noise[i : i + 1])[0][0] for i in range(6)]
    assert together.tolist() == alone
    floats = batch.layout.to_float(batch.observation)
    assert (Ismcts(rules, simulations=32).act(floats, batch.mask, noise)[0] == together).all()


@pytest.mark.parametrize("name", ["bluffstopp_dropp", "bluffstopp", "blof_match", "tiny"])
def test_it_plays_every_decision_legally(name):
    rules = bluff_env.rules(name, max_turns=6)
    batch, player = bluff_env.GameBatch(rules, games=1, seed=3, restart=False), Ismcts(rules, simulations=2, horizon=4)
    for _ in range(40):
        if batch.player[0] >= 0:
            batch.step(player.act(batch.observation, batch.mask, batch.noise())[0])  # refuses what is not legal


def test_it_is_loaded_by_its_name():
    assert isinstance(bluff_agents.load("ismcts", "tiny"), Ismcts)
    with pytest.raises(AgentError, match="rules expected"):
        bluff_agents.load("ismcts")
    with pytest.raises(AgentError, match="simulations 0"):
        Ismcts("tiny", simulations=0)


def test_it_is_not_asked_for_its_chances_which_would_take_minutes():
    session = Session("tiny", "random", seed=1)
    with pytest.raises(AgentError, match="ismcts: searches for every decision, too slowly to tell its chances"):
        session.hint("ismcts")


def test_it_sees_a_sure_lie():
    """Both aces in its own hand: whoever claims aces lies."""
    deal = {"dealer": 1, "opener": 0, "hands": [["2", "3", "3"], ["A", "A", "2"]], "stock": []}
    batch = bluff_env.GameBatch("tiny", deals=[deal], restart=False)
    lay = batch.layout
    batch.step([int(np.flatnonzero(batch.mask[0])[0])])
    assert batch.player[0] == 1
    call = lay.actions["call"].start
    calls = [Ismcts("tiny", simulations=64).act(batch.observation, batch.mask, [u])[0][0] for u in (0.1, 0.5, 0.9)]
    assert calls == [call] * 3


@pytest.mark.slow
def test_it_wins_against_random():
    from bluff_agents.evaluation import evaluate

    rules = bluff_env.rules("tiny")
    result = evaluate(rules, [Ismcts(rules, simulations=64), bluff_agents.load("random", rules)], 60, seed=1)
    assert result.matchups[0].share > 0.5
