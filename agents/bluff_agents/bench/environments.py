"""Benchmarks of the environments: PettingZoo's AEC loop with and without wrappers, Gymnasium alone and in vectors."""

from __future__ import annotations

from typing import Any, Final

import gymnasium

from bluff_agents.bench.loops import Loop, aec_loop, any_legal_each, measured, single_loop, vector_loop
from bluff_agents.bench.measuring import Benchmark, Figure, Measure, Target
from bluff_env import bluff_v0

_GAMES: Final = 1024
_ID: Final = "bluff_env:Bluff-v0"


def raw_env_loop() -> Loop:
    """A game of raw_env()."""
    return aec_loop(bluff_v0.raw_env(rules="bloff"))


def env_loop() -> Loop:
    """A game of env()."""
    return aec_loop(bluff_v0.env(rules="bloff"))


def _gymnasium() -> Measure:
    return measured(single_loop(gymnasium.make(_ID, rules="bloff", opponents="random")))


def _vector() -> Measure:
    env: Any = gymnasium.make_vec(_ID, num_envs=_GAMES, rules="bloff", opponents="random")
    choose = any_legal_each(_GAMES, int(env.single_action_space.n))
    return measured(vector_loop(env, choose, "action_mask"))


BENCHMARKS: Final = (
    Benchmark(
        (Figure("raw_env", "PettingZoo, raw_env() in an AEC loop", "agent-steps/s", Target(60e3)),),
        lambda: measured(raw_env_loop()),
    ),
    Benchmark(
        (Figure("env", "PettingZoo, env() in an AEC loop", "agent-steps/s", Target(25e3)),),
        lambda: measured(env_loop()),
    ),
    Benchmark((Figure("gym", "Gymnasium, one game, against random", "learner steps/s"),), _gymnasium),
    Benchmark(
        (Figure("vector", f"Gymnasium, {_GAMES:,} games, against random", "learner steps/s", Target(1e6)),), _vector
    ),
)
