"""`train`: a recipe for RLlib run from beginning to end."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import ray
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat

import bluff_agents
from bluff_agents.rllib.algorithm import algorithm_config, count_games, policy_ids
from bluff_agents.rllib.checkpoints import check_folder, load_checkpoint, save_checkpoint, steps_of
from bluff_agents.rllib.cluster import check_opponents, joined, own_generators
from bluff_agents.rllib.export import Weights, agent, write_agents
from bluff_agents.rllib.recipe import SHARED, RllibRecipe
from bluff_agents.training.curves import draw_curves
from bluff_agents.training.folder import RunFolder
from bluff_agents.training.interrupt import Interrupt
from bluff_agents.training.metrics import Metrics
from bluff_agents.training.progress import Meter
from bluff_agents.training.report import Judged, Report, crossed, judge_alone
from bluff_env.adapters.rllib import SELF
from bluff_env.errors import ConfigError

# What RLlib calls the numbers of a policy that metrics.csv keeps.
_LOGGED: Final = {
    "entropy": "entropy",
    "kl": "mean_kl_loss",
    "value_loss": "vf_loss",
    "explained": "vf_explained_var",
}
#: Seconds to wait where all env runners are lost, until one is back.
PATIENCE: Final = 900.0


def train(
    recipe: RllibRecipe,
    *,
    overwrite: bool = False,
    resume: bool = False,
    trust: bool = False,
    address: str | None = None,
) -> Report:
    """Trains an agent, or one a seat, and leaves a run folder; shows progress on stderr.

    Ctrl-C or SIGTERM ends it after the iteration under way, with a checkpoint.

    Args:
        recipe: what to train, how, and where to.
        overwrite: replace a run that is in the folder already.
        resume: go on from the folder's latest checkpoint, with other games than it began with.
        trust: resume although RLlib's checkpoints can run code hidden in them.
        address: HOST:PORT of a Ray cluster's head, or "auto"; None: a Ray of this process's own, or the one it has
            joined already.

    Raises:
        BluffError: one line: an opponent that cannot be loaded, a folder that is in use, nothing to resume, an address
            where no cluster is, a cluster that is too small, env runners that fail again and again.
    """
    checkpoint = check_folder(recipe.out, overwrite=overwrite, resume=resume, trust=trust)
    bots = {
        name: bluff_agents.load(name, recipe.rules)
        for name in dict.fromkeys((*(name for name, _ in recipe.opponents), *recipe.evaluate_against))
        if name != SELF
    }
    # Ray takes SIGTERM for itself when it is joined, so what listens for it comes after.
    with own_generators(recipe.threads), joined(recipe, address), Interrupt() as interrupt:
        check_opponents(recipe)
        run = _Run(recipe, bots, overwrite, checkpoint)
        try:
            run.begin(checkpoint)
            return run.go(interrupt)
        finally:
            run.stop()


class _Run:
    """One run: what it holds and what is due when."""

    def __init__(self, recipe: RllibRecipe, bots: Mapping[str, Any], overwrite: bool, checkpoint: Path | None) -> None:
        self.recipe, self.bots = recipe, bots
        self.folder = RunFolder(recipe.out)
        self.metrics = Metrics(self.folder.metrics)
        self.judged: tuple[Judged, ...] = ()
        self.seconds_before = 0.0  # in a run that goes on
        self.steps = 0
        # A runner deals by its seed when it first resets, so a run that goes on needs another than at its beginning.
        config = algorithm_config(recipe, 0 if checkpoint is None else steps_of(checkpoint))
        try:
            config.copy(copy_frozen=False).validate()
        except ValueError as error:
            first = (str(error).strip().splitlines() or ["no more is known"])[0]
            raise ConfigError(f"{recipe.name}: RLlib refuses the recipe: {first}") from None
        if checkpoint is None:
            self.folder.begin(recipe, overwrite)
        if recipe.env_runners:
            print(f"{recipe.name}: starting {recipe.env_runners} env runner(s) …", file=sys.stderr, flush=True)
        with self._told("cannot be started"):
            try:
                self.algorithm: Any = config.build_algo()
            except IndexError as error:  # RLlib looks for the first env runner that lives
                raise ConfigError(f"{recipe.name}: no env runner could be started; Ray says above why") from error
        self.logger = Logger(None, [TensorBoardOutputFormat(str(self.folder.path))])
        self.begun_at, self.begun_with = time.monotonic(), 0
        self.aside = 0.0  # seconds spent judging

    def begin(self, checkpoint: Path | None) -> None:
        """From the beginning or from a checkpoint; an agent file is there from the first moment on."""
        if checkpoint is not None:
            self._go_on(checkpoint)
        self.begun_at, self.begun_with = time.monotonic(), self.steps
        self.write_agents()

    def stop(self) -> None:
        """Ends RLlib's actors, and removes the folder for logs that RLlib makes in the home folder and leaves empty."""
        self.algorithm.stop()
        with suppress(OSError):
            os.rmdir(self.algorithm.logdir)

    def _go_on(self, checkpoint: Path) -> None:
        """Back to where a checkpoint was taken."""
        self.steps = load_checkpoint(checkpoint, self.algorithm)
        self.metrics.resume(self.steps)
        self.seconds_before = self.metrics.rows[-1]["seconds"] if self.metrics.rows else 0.0
        self.folder.write_recipe(self.recipe)

    def go(self, interrupt: Interrupt) -> Report:
        """Iterations until the steps are done or the run is asked to end."""
        recipe = self.recipe
        where = f"{recipe.env_runners} env runner(s) on {count_nodes(self.algorithm)} node(s)"
        here = where if recipe.env_runners else "games in this process"
        say = f"training {recipe.name}: {recipe.total_steps:,} steps, {here}, into {recipe.out}"
        print(say, file=sys.stderr, flush=True)
        meter = Meter(recipe.name, recipe.total_steps, self.steps)
        meter.update(self.steps)
        rows = self.metrics.rows
        try:
            if rows and rows[-1]["steps"] == self.steps and self._due():  # a run that was ended before it was judged
                self._judge(meter)
                self._log(rows[-1])
            while self.steps < recipe.total_steps:
                before, begun = self.steps, time.monotonic()
                result = self._iterate(interrupt)
                meter.update(self.steps)
                rows.append(self._row(result, (self.steps - before) / (time.monotonic() - begun)))
                self.metrics.write()  # before the checkpoint, which must not be without its row
                ended = interrupt.asked
                if ended or self.steps >= recipe.total_steps or crossed(recipe.checkpoint_every, before, self.steps):
                    self.checkpoint()
                if not ended:
                    self._judge(meter)
                self._log(rows[-1])
                if ended:
                    self._draw()
                    break
        finally:
            meter.close()
            self.logger.close()
        seconds = time.monotonic() - self.begun_at
        speed = (self.steps - self.begun_with) / max(seconds - self.aside, 1e-9)
        finished = self.steps >= recipe.total_steps and not self._due()
        return Report(self.folder.path, self.steps, seconds, speed, finished, self.judged, before=self.begun_with)

    def _iterate(self, interrupt: Interrupt) -> dict[str, Any]:
        """One iteration, at the present point of the schedules; RLlib sees to those of PPO itself."""
        start, end = self.recipe.lead_weight
        weight = start + (end - start) * min(1.0, self.steps / self.recipe.total_steps)
        if start or end:
            self.algorithm.env_runner_group.foreach_env_runner(partial(_set_lead_weight, weight=weight))
        result = self._train()
        patience = time.monotonic() + PATIENCE
        while not (sampled := _sampled(result)):  # all env runners are lost; RLlib starts them again
            if interrupt.asked:
                break
            if time.monotonic() > patience:
                raise ConfigError(f"{self.recipe.name}: ended at {self.steps:,} steps: no env runner has come back")
            time.sleep(1.0)
            result = self._train()
        self.steps += sampled
        return result

    def _train(self) -> dict[str, Any]:
        """An iteration of RLlib."""
        with self._told(f"ended at {self.steps:,} steps"):
            result: dict[str, Any] = self.algorithm.train()
        return result

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Turns an error of Ray, which may bring an env runner's whole traceback, into one line."""
        try:
            yield
        except ray.exceptions.RayError as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            last = lines[-1] if lines else "no more is known"
            raise ConfigError(f"{self.recipe.name}: {what}: {type(error).__name__}: {last}") from error

    def _row(self, result: dict[str, Any], speed: float) -> dict[str, float]:
        """The row of metrics.csv for the iteration just made, at so many steps a second."""
        seconds = time.monotonic() - self.begun_at - self.aside
        row: dict[str, float] = {
            "steps": self.steps,
            "seconds": round(self.seconds_before + seconds, 2),
            "steps_per_s": round(speed),
            **count_games(result),
        }
        learners = result.get("learners", {})
        learnt = [learners[name] for name in policy_ids(self.recipe) if name in learners]
        for name, key in _LOGGED.items():  # the mean of all policies
            found = [float(one[key]) for one in learnt if key in one]
            if found:
                row[name] = float(np.mean(found))
        state = result.get("fault_tolerance", {})
        row["env_runners"] = float(state.get("num_healthy_workers", 0))
        row["restarts"] = float(state.get("num_remote_worker_restarts", 0))
        return row

    def _log(self, row: dict[str, float]) -> None:
        """The row to TensorBoard."""
        for key, value in row.items():
            if key != "steps":
                self.logger.record(key if "/" in key else f"run/{key}", value)
        self.logger.dump(self.steps)

    def _due(self) -> bool:
        """Is the agent still to be judged after the last row, by the schedule and by what stands in it?"""
        recipe, metrics = self.recipe, self.metrics
        return metrics.comes(recipe.evaluate_every, recipe.total_steps) and not metrics.is_judged(
            recipe.evaluate_against
        )

    def _judge(self, meter: Meter) -> None:
        """Where that is due, each policy, as its agent file plays, alone against copies of each bot; into the last row,
        and drawn.
        """
        if not self._due():
            return
        begun, row = time.monotonic(), self.metrics.rows[-1]
        meter.say("judging …")
        recipe, found = self.recipe, []
        for policy, weights in self.weights().items():
            some, columns = judge_alone(
                recipe.rules, agent(recipe, weights, policy), self.bots, recipe.evaluate_against,
                recipe.evaluate_deals, recipe.seed, label="" if policy == SHARED else policy,
            )  # fmt: skip
            found += some
            row |= columns
        self.judged = tuple(found)
        meter.say(", ".join(f"{one.against} {one.share:.0%}" for one in found))
        self._draw()
        self.metrics.write()
        spent = time.monotonic() - begun
        self.aside += spent
        meter.pause(spent)

    def _draw(self) -> None:
        title = f"{self.recipe.name}: {self.steps:,} learner steps"
        draw_curves(self.folder.curves, self.metrics.rows, title, self.recipe.rules.players)

    def checkpoint(self) -> None:
        """A checkpoint and the agents as they are now."""
        save_checkpoint(self.folder.checkpoints, self.algorithm, self.steps, self.recipe.keep_checkpoints)
        self.write_agents()

    def weights(self) -> dict[str, Weights]:
        """Of each policy, the learner's own: those of env runners have no critic."""
        found = self.algorithm.learner_group.get_weights()
        return {name: found[name] for name in policy_ids(self.recipe)}

    def write_agents(self) -> None:
        """The agent files."""
        write_agents(self.recipe, self.weights(), self.steps, self.folder.path)


def _sampled(result: dict[str, Any]) -> int:
    """Decisions that env runners have brought; where none is alive, RLlib says NaN or nothing."""
    found = float(result.get("env_runners", {}).get("num_env_steps_sampled", 0))
    return 0 if np.isnan(found) else int(found)


def count_nodes(algorithm: Any) -> int:
    """On how many nodes the env runners live."""
    found = algorithm.env_runner_group.foreach_env_runner(_node, local_env_runner=False)
    return len(set(found))


def _node(env_runner: Any) -> str:
    return str(ray.get_runtime_context().get_node_id())


def _set_lead_weight(env_runner: Any, weight: float) -> None:
    for env in env_runner.env.unwrapped.envs if env_runner.env is not None else ():
        env.unwrapped.lead_weight = weight
