"""The benchmarks of `bluff bench`: each sets up and warms up once and is then measured a few times, a second each."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import importlib.util
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

import bluff_env
from bluff_agents.bench import BenchError, Benchmark, Measure, Skip
from bluff_agents.bots import bot_names
from bluff_env import GameBatch

_RULES: Final = "bloff"
_GAMES: Final = 1024
_RECIPE: Final = "bloff_quick"
_BOTS: Final = bot_names()
# Decisions into their games at which bots are asked: at the beginning, amid, and where games have ended and begun.
_DEPTHS: Final = (5, 50, 400)


def _per_second(loop: Callable[[], int], seconds: float) -> float:
    """How many of what `loop` counts are done in a second."""
    done, begin = 0, time.perf_counter()
    while True:
        done += loop()
        passed = time.perf_counter() - begin
        if passed >= seconds:
            return done / passed


def _batch(games: int) -> Callable[[], Measure]:
    """Step, observation, mask and a random legal action of every game, the actions written into one array."""

    def prepare() -> Measure:
        batch = GameBatch(_RULES, games=games, seed=0)
        actions = np.empty(games, np.int64)
        rounds = max(1, 2000 // games)

        def loop() -> int:
            for _ in range(rounds):
                batch.step(batch.random_actions(actions))
            return rounds * games

        for _ in range(max(1, 500 // rounds)):  # so that games are at all stages
            loop()
        return lambda seconds: _per_second(loop, seconds)

    return prepare


def _aec(name: str) -> Callable[[], Measure]:
    def prepare() -> Measure:
        from bluff_env import bluff_v0

        make: Callable[..., Any] = getattr(bluff_v0, name)
        env = make(rules=_RULES)
        chance, seeds = random.Random(0), iter(range(1 << 30))

        def game() -> int:
            env.reset(seed=next(seeds))
            steps = 0
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(_any_legal(observation["action_mask"], chance))
                    steps += 1
            return steps

        game()
        return lambda seconds: _per_second(game, seconds)

    return prepare


def _gymnasium() -> Measure:
    import gymnasium

    env = gymnasium.make("bluff_env:Bluff-v0", rules=_RULES, opponents="random")
    chance, seeds = random.Random(0), iter(range(1 << 30))

    def game() -> int:
        _, info = env.reset(seed=next(seeds))
        steps, over = 0, False
        while not over:
            _, _, terminated, truncated, info = env.step(_any_legal(info["action_mask"], chance))
            over = bool(terminated or truncated)
            steps += 1
        return steps

    game()
    return lambda seconds: _per_second(game, seconds)


def _any_legal(mask: Any, chance: random.Random) -> int:
    legal = mask.nonzero()[0]
    return int(legal[int(chance.random() * len(legal))])


def _bot(name: str) -> Callable[[], Measure]:
    def prepare() -> Measure:
        from bluff_agents import load

        agent = load(name, _RULES)
        asked = []
        for depth in _DEPTHS:
            batch = GameBatch(_RULES, games=_GAMES, seed=depth)
            for _ in range(depth):
                batch.step(agent.act(batch.observation, batch.mask, batch.noise())[0])
            asked.append((batch.observation, batch.mask, batch.noise()))

        def loop() -> int:
            for observation, mask, noise in asked:
                agent.act(observation, mask, noise)
            return _GAMES * len(asked)

        loop()
        return lambda seconds: _per_second(loop, seconds)

    return prepare


def _learner() -> Measure:
    """Learner steps of the recipe's training, its updates included; judging, checkpoints and pictures left out."""
    for package in ("torch", "stable_baselines3", "sb3_contrib"):
        if importlib.util.find_spec(package) is None:
            raise Skip(f"needs {package} (pip install 'bluff-env[train]')")
    from bluff_agents.training import read_recipe
    from bluff_agents.training.trainer import train

    def measure(seconds: float) -> float:
        with tempfile.TemporaryDirectory() as folder:
            never = f"{10**9}"
            settings = [f"evaluate_every={never}", f"checkpoint_every={never}", "evaluate_against=[]"]
            recipe = read_recipe(_RECIPE, [*settings, f"out={folder}/run"])
            rollouts = 1 + max(1, round(2 * seconds))  # the first one warms up
            recipe = dataclasses.replace(recipe, total_steps=rollouts * recipe.rollout)
            with contextlib.redirect_stderr(io.StringIO()):  # its progress bar
                if not train(recipe).finished:
                    raise KeyboardInterrupt
            with (recipe.out / "metrics.csv").open(newline="") as file:
                rows = list(csv.DictReader(file))
            first, last = rows[0], rows[-1]
            return (int(last["steps"]) - int(first["steps"])) / (float(last["seconds"]) - float(first["seconds"]))

    return measure


_FIRST_STEP: Final = """
import time; begin = time.perf_counter()
import bluff_env
batch = bluff_env.GameBatch("bloff", games=2, seed=0)
batch.step(batch.random_actions())
print(time.perf_counter() - begin)
"""


class _Start:
    """Import to first step in a process of its own, from a copy of the package: the user's compiled cache stays.

    The first time there is no compiled cache, later there is. The copy is deleted with the object.
    """

    def __init__(self) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="bluff-bench-"))
        weakref.finalize(self, shutil.rmtree, self._root, ignore_errors=True)
        package = Path(bluff_env.__file__).parent
        shutil.copytree(package, self._root / "bluff_env", ignore=shutil.ignore_patterns("__pycache__"))

    def seconds(self) -> float:
        environment = {**os.environ, "PYTHONPATH": str(self._root), "XDG_CACHE_HOME": str(self._root)}
        done = subprocess.run(
            [sys.executable, "-c", _FIRST_STEP],
            env=environment,
            cwd=self._root,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise BenchError(f"bench: the process that imports bluff_env failed: {done.stderr.strip()[-300:]}")
        return float(done.stdout)


def _start_fresh() -> Measure:
    return lambda seconds: _Start().seconds()


def _start_cached() -> Measure:
    start = _Start()
    start.seconds()
    return lambda seconds: start.seconds()


#: All benchmarks, in the order they are run.
BENCHMARKS: Final = (
    Benchmark("batch", f"GameBatch, {_GAMES} games", "agent-steps/s", _batch(_GAMES)),
    Benchmark("one", "GameBatch, one game", "agent-steps/s", _batch(1)),
    Benchmark("raw_env", "raw_env() in an AEC loop", "agent-steps/s", _aec("raw_env")),
    Benchmark("env", "env() in an AEC loop", "agent-steps/s", _aec("env")),
    Benchmark("gym", "Gymnasium, against random", "own steps/s", _gymnasium),
    *(Benchmark(f"bot_{name}", f"{name}, batches of {_GAMES}", "decisions/s", _bot(name)) for name in _BOTS),
    Benchmark("learner", f"training {_RECIPE}", "steps/s", _learner),
    Benchmark("start_cached", "to first step, compiled", "s", _start_cached),
    Benchmark("start_fresh", "to first step, no cache", "s", _start_fresh),
)


def named(names: list[str]) -> list[Benchmark]:
    """The benchmarks whose names begin with one of these words; all, if there are none.

    Raises:
        BenchError: a word that no name begins with.
    """
    for name in names:
        if not any(b.name.startswith(name) for b in BENCHMARKS):
            raise BenchError(f"--only: no benchmark {name!r}; benchmarks: {', '.join(b.name for b in BENCHMARKS)}")
    return [b for b in BENCHMARKS if not names or any(b.name.startswith(name) for name in names)]
