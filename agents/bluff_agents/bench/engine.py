"""Benchmarks of the engine itself: batches of games, one game, two threads, memory."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any, Final

import numpy as np

from bluff_agents.bench.loops import Loop, any_legal, batch_loop, in_turn, measured
from bluff_agents.bench.measuring import Benchmark, Figure, Measure, Skip, Target, cores
from bluff_env import Game, GameBatch

GAMES: Final = 1024
# Two threads pay only where each has thousands of games to play.
_MANY: Final = 16_384
_STEPS: Final = "agent-steps/s"
_LITTLE: Final = Target(4.0, at_most=True)
# Steps after which memory is looked at: logs have grown to the longest games by then.
_STEPS_BEFORE_LOOKING: Final = 2000


def _measured(loop: Callable[[], Loop]) -> Callable[[], Measure]:
    return lambda: measured(loop())


def _two_threads() -> Measure:
    if cores() < 2:
        raise Skip("needs two cores; this process may use one")
    return in_turn(batch_loop("bloff", _MANY, threads=2), batch_loop("bloff", _MANY))


def game_loop() -> Loop:
    """One `Game`, decision by decision, as a person's program would play it."""
    chance, seeds = random.Random(0), count()

    def loop() -> int:
        game, steps = Game("bloff", seed=next(seeds)), 0
        while (turn := game.turn) is not None:
            game.push_action(any_legal(game.observe(turn)["action_mask"], chance))
            steps += 1
        return steps

    loop()
    return loop


def memory(batch: GameBatch) -> float:
    """KiB that a batch takes, a game: its arrays, and what it has put away of long games' logs."""
    owners: dict[int, Any] = {}
    for array in [*vars(batch).values(), batch._logs.at_hand]:
        while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
            array = array.base
        if isinstance(array, np.ndarray):
            owners[id(array)] = array
    return (sum(int(array.nbytes) for array in owners.values()) + batch._logs.bytes_away) / len(batch) / 1024


def _memory(rules: str) -> Measure:
    batch = GameBatch(rules, games=GAMES, seed=0)
    for _ in range(_STEPS_BEFORE_LOOKING):
        batch.step(batch.random_actions())
    return lambda seconds: (memory(batch),)


BENCHMARKS: Final = (
    Benchmark(
        (Figure("batch", f"GameBatch, {GAMES:,} games of bloff", _STEPS, Target(10e6)),),
        _measured(partial(batch_loop, "bloff", GAMES)),
    ),
    Benchmark(
        (Figure("batch_bluffstopp", f"GameBatch, {GAMES:,} games of bluffstopp", _STEPS, Target(4e6)),),
        _measured(partial(batch_loop, "bluffstopp", GAMES)),
    ),
    Benchmark(
        (
            Figure("batch_threads", f"GameBatch, {_MANY:,} games of bloff, two threads", _STEPS),
            Figure("threads_ratio", "two threads, by one thread", "×", Target(1.8)),
        ),
        _two_threads,
    ),
    Benchmark(
        (Figure("one", "GameBatch, one game of bloff", _STEPS, Target(0.8e6)),),
        _measured(partial(batch_loop, "bloff", 1)),
    ),
    Benchmark((Figure("game", "Game, decision by decision", _STEPS),), _measured(game_loop)),
    Benchmark(
        (Figure("memory", "a game of bloff in a batch, observation included", "KiB", _LITTLE),),
        partial(_memory, "bloff"),
        once=True,
    ),
    Benchmark(
        (Figure("memory_bluffstopp", "a game of bluffstopp", "KiB", _LITTLE),),
        partial(_memory, "bluffstopp"),
        once=True,
    ),
)
