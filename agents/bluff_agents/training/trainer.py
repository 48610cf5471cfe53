"""`train`: a recipe run from beginning to end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import torch
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat

import bluff_agents
from bluff_agents.agent import Agent
from bluff_agents.agentfile import write_agent
from bluff_agents.exploit import behaviour, exploitability, grow, uniform
from bluff_agents.policy import Layer, PolicyAgent
from bluff_agents.training.checkpoint import latest_checkpoint, load_checkpoint, save_checkpoint
from bluff_agents.training.curves import draw_curves, load_drawing
from bluff_agents.training.export import Average, activation_of, policy_layers, value_layers
from bluff_agents.training.folder import RunFolder
from bluff_agents.training.imitation import imitate
from bluff_agents.training.interrupt import Interrupt
from bluff_agents.training.league import PAST, League, mixture
from bluff_agents.training.memory import give_back_large_blocks
from bluff_agents.training.metrics import Metrics, Tally
from bluff_agents.training.model import ParallelPPO, make_model
from bluff_agents.training.progress import Meter
from bluff_agents.training.recipe import Recipe, check_goes_on
from bluff_agents.training.report import Judged, Report, crossed, judge_alone
from bluff_env.adapters.sb3 import SELF, BluffVecEnv

# What SB3's log calls the numbers that metrics.csv keeps.
_LOGGED: Final = {
    "entropy": "train/entropy_loss",
    "kl": "train/approx_kl",
    "clipped": "train/clip_fraction",
    "value_loss": "train/value_loss",
    "explained": "train/explained_variance",
}
# `learn` is asked for one rollout at a time, so it never comes to a second, after which it would log.
_NEVER: Final = 2


def train(
    recipe: Recipe, *, overwrite: bool = False, resume: bool = False, players: Mapping[str, Agent] | None = None
) -> Report:
    """Trains an agent and leaves a run folder; shows progress on stderr.

    Ctrl-C or SIGTERM ends it after the rollout under way, with a checkpoint.

    Args:
        recipe: what to train, how, and where to.
        overwrite: replace a run that is in the folder already.
        resume: go on from the folder's latest checkpoint.
        players: {name: agent} for opponents that are not to be loaded by their name.

    Raises:
        BluffError: one line: an opponent that cannot be loaded, a folder that exists already, nothing to resume or
            another recipe than it was begun with, rules too large for `exploit_every`.
    """
    give_back_large_blocks()
    with _quiet_threads(), Interrupt() as interrupt:
        return _Run(recipe, overwrite, resume, players or {}).go(interrupt)


@contextmanager
def _quiet_threads() -> Iterator[None]:
    """One thread for each of torch's operations: the update shares its work out by itself. Leaves everything as it was,
    torch's generator too.
    """
    before, checks = torch.get_num_threads(), torch.distributions.Distribution._validate_args
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)
    try:
        with torch.random.fork_rng(devices=[]):
            yield
    finally:
        torch.set_num_threads(before)
        torch.distributions.Distribution.set_default_validate_args(checks)


class _Run:
    """One run: what it holds and what is due when."""

    def __init__(self, recipe: Recipe, overwrite: bool, resume: bool, players: Mapping[str, Agent]) -> None:
        self.recipe = recipe
        self.folder = RunFolder(recipe.out)
        self.bots: dict[str, Agent] = {
            name: players.get(name) or bluff_agents.load(name, recipe.rules)
            for name in dict.fromkeys(
                (*(name for name, _ in recipe.opponents), *recipe.evaluate_against, recipe.imitate or SELF)
            )
            if name not in (SELF, PAST)
        }
        self.tree = grow(recipe.rules) if recipe.exploit_every else None
        self.uniform = 1.0 if self.tree is None else exploitability(self.tree, uniform(self.tree)).nash_conv
        opponents = dict(recipe.opponents)
        shares = mixture(opponents, recipe.league_size)
        self.env = BluffVecEnv(
            recipe.training_rules,
            recipe.games,
            shares,
            players={name: bot for name, bot in self.bots.items() if name in shares},
            later=shares.keys() - self.bots.keys(),
            seed=recipe.seed,
            alike=recipe.alike,
        )
        torch.manual_seed(recipe.seed)
        self.model: ParallelPPO = make_model(recipe, self.env)
        self.env.follow(self.model)
        self.league = League(self.env, recipe.rules, opponents, recipe.league_size)
        self.average = Average() if recipe.average else None
        self.metrics = Metrics(self.folder.metrics)
        self.judged: tuple[Judged, ...] = ()
        self.nash_conv: float | None = None
        self.seconds_before = 0.0  # in a run that goes on
        self._begin(overwrite, resume)
        self.model.set_logger(Logger(None, [TensorBoardOutputFormat(str(self.folder.path))]))
        self.begun_at, self.begun_with = time.monotonic(), self.steps
        self.aside = 0.0  # seconds spent judging

    @property
    def steps(self) -> int:
        return self.model.num_timesteps

    def _begin(self, overwrite: bool, resume: bool) -> None:
        """The folder, and an agent in it from the first moment on."""
        if resume:
            latest = latest_checkpoint(self.folder.checkpoints)
            check_goes_on(self.recipe)
            self.folder.sweep()
            load_checkpoint(latest, self.model, self.env, self.league, self.average)
            self.metrics.resume(self.steps)
            self.seconds_before = self.metrics.rows[-1]["seconds"] if self.metrics.rows else 0.0
            self.folder.write_recipe(self.recipe)
        else:
            self.folder.begin(self.recipe, overwrite)
        self._warm_up()
        if self.recipe.imitate and not resume:
            self._imitate()
        self.write_agent()

    def _imitate(self) -> None:
        """Gives the beginner the ways of another agent."""
        recipe, agent = self.recipe, self.bots[self.recipe.imitate]
        print(f"{recipe.name}: imitating {agent.name} …", file=sys.stderr, flush=True)
        imitate(self.model, agent, recipe.training_rules, recipe.imitate_steps, recipe.seed)

    def go(self, interrupt: Interrupt) -> Report:
        """Rollouts until the steps are done or the run is asked to end."""
        recipe = self.recipe
        print(f"training {recipe.name}: {recipe.total_steps:,} steps, into {recipe.out}", file=sys.stderr, flush=True)
        meter = Meter(recipe.name, recipe.total_steps, self.steps)
        tally = Tally(meter.update)
        rows = self.metrics.rows
        try:
            if rows and rows[-1]["steps"] == self.steps and self._due():  # a run that was ended before it was judged
                self._measure(meter)
                self._log(rows[-1])
            while self.steps < recipe.total_steps:
                before, begun = self.steps, time.monotonic()
                self._rollout(tally)
                if crossed(recipe.league_every, before, self.steps):
                    self.league.add(self.model)
                rows.append(self._row(tally, (self.steps - before) / (time.monotonic() - begun)))
                self.metrics.write()  # before the checkpoint, which must not be without its row
                ended = interrupt.asked
                if ended or self.steps >= recipe.total_steps or crossed(recipe.checkpoint_every, before, self.steps):
                    self.checkpoint()
                if not ended:
                    self._measure(meter)
                self._log(rows[-1])
                if ended:
                    self._draw()
                    break
        finally:
            meter.close()
            self.model.logger.close()
        seconds = time.monotonic() - self.begun_at
        speed = (self.steps - self.begun_with) / max(seconds - self.aside, 1e-9)
        finished = self.steps >= recipe.total_steps and not self._due()
        return Report(
            self.folder.path, self.steps, seconds, speed, finished, self.judged, self.nash_conv, self.begun_with
        )

    def _rollout(self, tally: Tally) -> None:
        """One rollout and its update, at the present point of the schedules."""
        recipe, model = self.recipe, self.model
        done = min(1.0, self.steps / recipe.total_steps)
        rate, model.ent_coef, self.env.lead_weight = (
            start + (end - start) * done for start, end in (recipe.learning_rate, recipe.entropy, recipe.lead_weight)
        )
        model.lr_schedule = lambda _: rate
        # What is drawn in a rollout follows from the seed and the step it begins at, so that a run can go on exactly.
        torch.manual_seed(int(np.random.SeedSequence([recipe.seed, self.steps]).generate_state(1, np.uint64)[0] >> 1))
        tally.clear()
        self.league.follow(model)
        model.learn(recipe.rollout, callback=tally, log_interval=_NEVER, reset_num_timesteps=False)
        self.league.count(tally.games, tally.wins)
        if self.average is not None:
            self.average.add(policy_layers(model))

    def _row(self, tally: Tally, speed: float) -> dict[str, float]:
        """The row of metrics.csv for the rollout just made, at so many steps a second."""
        logged = self.model.logger.name_to_value
        seconds = time.monotonic() - self.begun_at - self.aside
        row: dict[str, float] = {
            "steps": self.steps,
            "seconds": round(self.seconds_before + seconds, 2),
            "steps_per_s": round(speed),
            **tally.row(),
            **{name: float(logged[key]) for name, key in _LOGGED.items()},
        }
        row["entropy"] = -row["entropy"]
        return row

    def _log(self, row: dict[str, float]) -> None:
        """The row to TensorBoard, beside what SB3 has recorded."""
        for key, value in row.items():
            if key not in ("steps", *_LOGGED):
                self.model.logger.record(key if "/" in key else f"run/{key}", value)
        self.model.logger.dump(self.steps)

    def _warm_up(self) -> None:
        """Loads and compiles what judging needs, so that a run holds its memory from its first minute on."""
        recipe = self.recipe
        judge_alone(recipe.rules, self._agent(), self.bots, recipe.evaluate_against, 2, recipe.seed)
        load_drawing()

    def _due(self) -> list[Callable[[dict[str, float], Meter], None]]:
        """What is still to be measured after the last row, by the schedule and by what stands in it."""
        recipe, metrics = self.recipe, self.metrics
        due: list[Callable[[dict[str, float], Meter], None]] = []
        if metrics.comes(recipe.evaluate_every, recipe.total_steps) and not metrics.is_judged(recipe.evaluate_against):
            due.append(self._judge)
        solved = self.tree is not None and metrics.comes(recipe.exploit_every, recipe.total_steps)
        if solved and "nash_conv" not in metrics.rows[-1]:
            due.append(self._exploit)
        return due

    def _measure(self, meter: Meter) -> None:
        """Measures what is due, into the last row."""
        due, begun = self._due(), time.monotonic()
        for measure in due:
            measure(self.metrics.rows[-1], meter)
        if due:
            if self._judge in due:
                self._draw()
            self.metrics.write()
            spent = time.monotonic() - begun
            self.aside += spent
            meter.pause(spent)

    def _judge(self, row: dict[str, float], meter: Meter) -> None:
        """The present policy alone against copies of each bot, into the row."""
        meter.say("judging …")
        recipe = self.recipe
        found, columns = judge_alone(
            recipe.rules, self._agent(), self.bots, recipe.evaluate_against, recipe.evaluate_deals, recipe.seed
        )
        row |= columns
        self.judged = tuple(found)
        meter.say(", ".join(f"{one.against} {one.share:.0%}" for one in found))

    def _exploit(self, row: dict[str, float], meter: Meter) -> None:
        """The NashConv of the present policy into the row, by itself and as a share of the uniform policy's."""
        assert self.tree is not None
        found = exploitability(self.tree, behaviour(self.tree, self._agent())).nash_conv
        self.nash_conv = found / self.uniform
        row |= {"nash_conv": found, "nash_conv_share": self.nash_conv}
        meter.say(f"NashConv {self.nash_conv:.1%} of uniform")

    def _draw(self) -> None:
        title = f"{self.recipe.name}: {self.steps:,} learner steps"
        draw_curves(self.folder.curves, self.metrics.rows, title, self.recipe.rules.players)

    def checkpoint(self) -> None:
        """A checkpoint and the agent as it is now."""
        keep = self.recipe.keep_checkpoints
        save_checkpoint(self.folder.checkpoints, self.model, self.env, self.league, keep, self.average)
        self.write_agent()

    def _layers(self) -> list[Layer]:
        """What the agent plays: the present policy, or the average."""
        return self.average.policy_layers() if self.average and self.average.updates else policy_layers(self.model)

    def _agent(self) -> PolicyAgent:
        """The agent as it stands, as later updates do not change it."""
        return PolicyAgent(self.recipe.rules, self._layers(), activation_of(self.model), name="self")

    def write_agent(self) -> None:
        """The agent file."""
        info: dict[str, Any] = {
            "recipe": self.recipe.name, "steps": self.steps, "seed": self.recipe.seed,
            "rewards": self.recipe.training_rules.rewards,  # what the critic has learnt to expect
        }  # fmt: skip
        if self.recipe.imitate:  # of a budget of decisions these are a part
            info |= {"imitate": self.recipe.imitate, "imitated": self.recipe.imitate_steps}
        write_agent(
            self.folder.agent, self.recipe.rules, self._layers(), activation_of(self.model),
            value=value_layers(self.model), info=info,
        )  # fmt: skip
