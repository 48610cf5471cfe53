"""What benchmarks repeat: loops that play games with random legal actions and count the decisions made."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import count
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bench.measuring import Measure
from bluff_env import GameBatch

#: Plays a little further and returns how many decisions that took.
Loop = Callable[[], int]

# How many decisions a batch of any size makes between two looks at the clock, and before it is first measured.
_DECISIONS: Final = 2000
_WARM_UP: Final = 500


def per_second(loop: Loop, seconds: float) -> float:
    """How many of what `loop` counts are done in a second, measured for about so many."""
    done, begin = 0, time.perf_counter()
    while True:
        done += loop()
        passed = time.perf_counter() - begin
        if passed >= seconds:
            return done / passed


def measured(loop: Loop) -> Measure:
    """Measures one loop."""
    return lambda seconds: (per_second(loop, seconds),)


def in_turn(ours: Loop, theirs: Loop) -> Measure:
    """Measures ours, then theirs, so that whatever else the machine does hits both: ours, and how many times theirs."""

    def measure(seconds: float) -> tuple[float, float]:
        first, second = per_second(ours, seconds), per_second(theirs, seconds)
        return first, first / second

    return measure


def batch_loop(rules: str, games: int, threads: int = 1, **fields: Any) -> Loop:
    """Step, observation, mask and a random legal action of every game of a batch, with games at all stages."""
    batch = GameBatch(rules, games=games, seed=0, threads=threads, **fields)
    actions = np.empty(games, np.int64)
    rounds = max(1, _DECISIONS // games)

    def loop() -> int:
        for _ in range(rounds):
            batch.step(batch.random_actions(actions))
        return rounds * games

    for _ in range(max(1, _WARM_UP // rounds)):
        loop()
    return loop


def aec_loop(env: Any) -> Loop:
    """One game of a PettingZoo AEC environment, played as its documentation shows."""
    chance = random.Random(0)
    env.reset(seed=0)

    def loop() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(any_legal(observation["action_mask"], chance))
                steps += 1
        return steps

    loop()
    return loop


def vector_loop(env: Any, choose: Callable[[NDArray[Any]], NDArray[np.int64]], mask_name: str) -> Loop:
    """One step of every game of a Gymnasium VectorEnv whose infos hold a mask under that name.

    Where the step after a game's end only deals the next one, that is no decision, and is not counted as one.
    """
    from gymnasium.vector import AutoresetMode

    deals_next = env.metadata.get("autoreset_mode") is AutoresetMode.NEXT_STEP
    mask: NDArray[Any] = env.reset()[1][mask_name]
    over = np.zeros(len(mask), np.bool_)

    def loop() -> int:
        nonlocal mask, over
        idle = int(np.count_nonzero(over)) if deals_next else 0
        _, _, terminated, truncated, infos = env.step(choose(mask))
        mask, over = infos[mask_name], terminated | truncated
        return len(mask) - idle

    for _ in range(50):
        loop()
    return loop


def single_loop(env: Any) -> Loop:
    """One game of a Gymnasium environment whose info holds the mask."""
    chance, seeds = random.Random(0), count()

    def loop() -> int:
        _, info = env.reset(seed=next(seeds))
        steps, over = 0, False
        while not over:
            _, _, terminated, truncated, info = env.step(any_legal(info["action_mask"], chance))
            over = bool(terminated or truncated)
            steps += 1
        return steps

    loop()
    return loop


def any_legal(mask: NDArray[Any], chance: random.Random) -> int:
    """One of the actions that are true in a mask (A,)."""
    legal = mask.nonzero()[0]
    return int(legal[int(chance.random() * len(legal))])


def any_legal_each(games: int, actions: int) -> Callable[[NDArray[Any]], NDArray[np.int64]]:
    """A function that chooses one of the actions that are true in each row of a mask (games, actions), cheaply."""
    rng, drawn = np.random.default_rng(0), np.empty((games, actions), np.float32)

    def choose(mask: NDArray[Any]) -> NDArray[np.int64]:
        rng.random(dtype=np.float32, out=drawn)
        np.add(drawn, mask, out=drawn)  # a factor instead would let a draw of exactly 0 choose what is not legal
        chosen: NDArray[np.int64] = drawn.argmax(axis=1)
        return chosen

    return choose
