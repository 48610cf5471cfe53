"""Benchmarks of training: MaskablePPO on our VecEnv and on one that does nothing; a recipe as `bluff train` runs it."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import importlib.util
import io
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from bluff_agents.bench.loops import Loop, per_second
from bluff_agents.bench.measuring import Benchmark, Figure, Measure, Skip, Target

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecEnv

_RECIPE: Final = "bloff_quick"
_PACKAGES: Final = ("torch", "stable_baselines3", "sb3_contrib")
_UNIT: Final = "learner steps/s"

_GAMES: Final = 256
_ROLLOUT: Final = 64  # steps of every game between two updates
#: PPO as in the figures that the target was set by: few epochs of large batches, SB3's own 64×64 network.
_PPO: Final[dict[str, Any]] = {"n_steps": _ROLLOUT, "batch_size": 2048, "n_epochs": 4, "gamma": 1.0, "device": "cpu"}
#: The bots of the recipe, in its proportions. No "self": the policy's own games would be no environment's time.
_OPPONENTS: Final = {"counter": 0.35, "honest": 0.2, "random": 0.05}


def _need_libraries() -> None:
    for package in _PACKAGES:
        if importlib.util.find_spec(package) is None:
            raise Skip(f"needs {package} (pip install 'bluff-env[train]')")


def _sb3() -> Measure:
    """Rollouts and updates of ours and of an environment that does nothing, one after the other, one torch thread."""
    _need_libraries()
    from sb3_contrib import MaskablePPO

    from bluff_agents.bench.idle import IdleVecEnv
    from bluff_agents.training.model import ParallelPPO
    from bluff_env.adapters.sb3 import BluffVecEnv

    def ours() -> BluffVecEnv:
        return BluffVecEnv("bloff", games=_GAMES, opponents=_OPPONENTS, seed=1)

    with _one_torch_thread():
        env = ours()
        idle = IdleVecEnv(_GAMES, env.layout.size, env.layout.n_actions)
        loops = [_learning(MaskablePPO, env), _learning(MaskablePPO, idle), _learning(ParallelPPO, ours())]

    def measure(seconds: float) -> tuple[float, ...]:
        with _one_torch_thread():
            sb3, nothing, own = (per_second(loop, seconds) for loop in loops)
        return sb3, nothing, sb3 / nothing, own

    return measure


def _learning(algorithm: type[MaskablePPO], env: VecEnv) -> Loop:
    """One rollout and its update, as `model.learn` does them; warmed up by one."""
    model = algorithm("MlpPolicy", env, seed=0, **_PPO)
    steps = _ROLLOUT * env.num_envs

    def loop() -> int:
        model.learn(steps, reset_num_timesteps=False)
        return steps

    loop()
    return loop


@contextlib.contextmanager
def _one_torch_thread() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _recipe() -> Measure:
    """Learner steps of the recipe's training, its updates included; judging, checkpoints and pictures left out."""
    _need_libraries()
    from bluff_agents.training import read_recipe
    from bluff_agents.training.trainer import train

    def measure(seconds: float) -> tuple[float]:
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
            steps = int(last["steps"]) - int(first["steps"])
            return (steps / (float(last["seconds"]) - float(first["seconds"])),)

    return measure


_SETTING: Final = f"{_GAMES} games, batch 2,048, 4 epochs, 64×64"

BENCHMARKS: Final = (
    Benchmark(
        (
            Figure("sb3", f"MaskablePPO against bots: {_SETTING}", _UNIT),
            Figure("sb3_idle", "the same on a VecEnv that does nothing", _UNIT),
            Figure("sb3_ratio", "the first by the second", "×", Target(0.8)),
            Figure("sb3_trainer", "the first with bluff train's own PPO, one thread", _UNIT),
        ),
        _sb3,
        _PACKAGES,
    ),
    Benchmark((Figure("learner", f"bluff train {_RECIPE}, two threads", _UNIT),), _recipe, _PACKAGES),
)
