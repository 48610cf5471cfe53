"""The same seed is the same game in the AEC environment, in Gymnasium, as a Game and in a GameBatch."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import bluff_env
from bluff_env import Game, GameBatch, bluff_v0
from envs.common import Uniform, action_by, every_table

Record = dict[str, Any]
SEEDS = (0, 2**53 - 1)
MAX_TURNS = 200


def of_game(name: str, players: int, seed: int) -> Record:
    game = Game(name, seed=seed, players=players, max_turns=MAX_TURNS)
    while not game.over:
        game.push_action(action_by(game.batch.noise()[0], game.batch.mask[0]))
    return game.record()


def of_batch(name: str, players: int, seeds: tuple[int, ...]) -> list[Record]:
    batch = GameBatch(bluff_env.rules(name, players=players, max_turns=MAX_TURNS), seeds=list(seeds), restart=False)
    while (batch.player >= 0).any():
        batch.step(batch.random_actions())
    return batch.records()


def of_aec(env: Any, seed: int) -> Record:
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, _, over, _, _ = env.last()
        env.step(None if over else action_by(env.unwrapped.game.batch.noise()[0], observation["action_mask"]))
        assert agent in env.possible_agents
    return env.unwrapped.record()


def of_gymnasium(env: Any, seed: int) -> Record:
    env.reset(seed=seed)
    over = False
    while not over:
        action = action_by(env.unwrapped.game.batch.noise()[0], env.unwrapped.action_masks())
        _, _, over, _, _ = env.step(action)
    return env.unwrapped.record()


def but_name(record: Record) -> Record:
    """Without `name`: what the caller called the rules, which a batch is not told."""
    return {**record, "name": None}


@every_table
def test_a_seed_is_one_game_in_every_environment(name: str, players: int) -> None:
    aec = bluff_v0.env(name, players=players, max_turns=MAX_TURNS)
    table = {"players": players, "max_turns": MAX_TURNS}
    single = gymnasium.make("Bluff-v0", rules=name, opponents=Uniform(), seat=players - 1, **table)
    for seed, record in zip(SEEDS, of_batch(name, players, SEEDS), strict=True):
        assert record["seed"] == seed
        assert but_name(of_game(name, players, seed)) == but_name(record)
        assert but_name(of_aec(aec, seed)) == but_name(record)
        assert but_name(of_gymnasium(single, seed)) == but_name(record)


def test_where_the_learner_sits_does_not_change_the_game() -> None:
    expected = of_game("bloff", 4, 5)
    for seat in (0, 1, 2, 3, None):
        env = gymnasium.make("Bluff-v0", opponents=Uniform(), seat=seat, max_turns=MAX_TURNS)
        assert of_gymnasium(env, 5) == expected


def test_different_seeds_are_different_games() -> None:
    deals = [str(of_game("bloff", 4, seed)["deals"][0]["hands"]) for seed in range(20)]
    assert len(set(deals)) == 20


def test_unseeded_resets_after_a_seeded_one_are_one_series_in_every_environment() -> None:
    batch = GameBatch("bloff", seeds=[9])
    aec, single = bluff_v0.env("bloff"), gymnasium.make("Bluff-v0", opponents=Uniform(), seat=1)
    aec.reset(seed=9)
    single.reset(seed=9)
    for _ in range(5):
        assert aec.unwrapped.record()["seed"] == single.unwrapped.record()["seed"] == batch.records()[0]["seed"]
        batch.reset()
        aec.reset()
        single.reset()


def test_an_environment_that_was_never_seeded_deals_a_game_of_its_own() -> None:
    seeds = set()
    for _ in range(5):
        env = bluff_v0.raw_env("bloff")
        env.reset()
        single = gymnasium.make("Bluff-v0", opponents=Uniform())
        single.reset()
        seeds |= {env.record()["seed"], single.unwrapped.record()["seed"], Game("bloff").record()["seed"]}
    assert len(seeds) == 15


def test_the_global_random_generators_are_left_alone() -> None:
    before = np.random.get_state()[1].copy()  # noqa: NPY002  # this is what must not move
    of_aec(bluff_v0.env("bloff", players=3), 1)
    of_gymnasium(gymnasium.make("Bluff-v0", opponents="random"), 1)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


@pytest.mark.parametrize("seed", [-1, 2**53, 1.5, "1", True])
def test_a_seed_that_is_none_is_refused_and_the_game_under_way_goes_on(seed: Any) -> None:
    env = bluff_v0.raw_env("bloff")
    env.reset(seed=1)
    before = env.record()
    with pytest.raises(ValueError, match="seeds: "):
        env.reset(seed=seed)
    assert env.record() == before
    with pytest.raises(ValueError, match="seeds: "):
        Game("bloff", seed=seed)
