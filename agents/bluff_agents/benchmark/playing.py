"""Playing a task: every agent against the same opponents, on the same deals, from all seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

import bluff_agents
from bluff_agents.agentfile import read_agent
from bluff_agents.benchmark.results import Result, Run, Score
from bluff_agents.benchmark.scoring import crossed_interval
from bluff_agents.benchmark.task import Task
from bluff_agents.bots import bot_names
from bluff_agents.evaluation.collecting import collect
from bluff_agents.evaluation.judging import winners
from bluff_agents.evaluation.play import CHUNK
from bluff_agents.evaluation.results import EvaluationError
from bluff_agents.evaluation.schedule import Schedule
from bluff_agents.evaluation.shards import Job
from bluff_agents.evaluation.workers import MOST_WORKERS, cores
from bluff_agents.loading import agent_file
from bluff_env.engine.arguments import row_seeds

if TYPE_CHECKING:
    from bluff_agents import Agent

# Sets the orders at the table apart from the seeds of the deals, which come from the same number.
_SALT: Final = 0xBE4C


@dataclass(frozen=True, slots=True)
class _Load:
    """Loads the agents and bots, here or in another process."""

    task: Task
    agents: tuple[str, ...]
    trust: bool

    def __call__(self) -> Sequence[Agent]:
        return [bluff_agents.load(name, self.task.rules, trust=self.trust) for name in (*self.agents, *self.task.bots)]


def play_task(
    task: Task,
    agents: Sequence[str],
    *,
    method: str | None = None,
    deals: int | None = None,
    workers: int = 1,
    trust: bool = False,
    on_games: Callable[[int], None] | None = None,
) -> Result:
    """Plays a task.

    Args:
        task: the task.
        agents: the agents, one a seed, as `bluff_agents.load` takes them.
        method: what they are called together; None: what their names begin with.
        deals: fewer than the task's, to try something.
        workers: processes that play, 0: one a core. The result is the same for any number.
        trust: load SB3 .zip files.
        on_games: told how many games have ended since it was last told.

    Raises:
        BluffError: no agent, one named twice, one that cannot be loaded, or a number out of range.
    """
    for at, name in enumerate(agents):
        if name in agents[:at]:
            raise EvaluationError(f"agent {name}: named twice; each is a run of its own, with a seed of its own")
    if not agents:
        raise EvaluationError("no agent named; one a seed expected")
    deals = task.deals if deals is None else deals
    if not 1 <= deals <= task.deals:
        raise EvaluationError(f"deals: {deals} is not allowed; 1 to {task.deals:,}, the task's own")
    if not 0 <= workers <= MOST_WORKERS:
        raise EvaluationError(f"workers: {workers} is not allowed; a whole number from 0 to {MOST_WORKERS:,}")
    loader = _Load(task, tuple(agents), trust)
    players = loader()
    schedule = task_schedule(task, len(agents), deals)
    called = (*agents, *task.bots)
    only_wins = {"behaviour": False, "calibration": False, "records": False}
    job = Job(task.rules, None, called, np.arange(len(called)), CHUNK, **only_wins)
    found = collect(
        job, schedule, row_seeds(task.deal_seed, deals), players, workers=workers or cores(), loader=loader,
        on_games=on_games,
    )  # fmt: skip
    won = winners(found, schedule).reshape(deals, len(agents), len(task.against), task.rules.players)
    wins = (won == np.arange(len(agents))[:, None, None]).sum(axis=3).transpose(1, 2, 0)  # (k, S, D)
    seats = task.rules.players
    runs = tuple(_run(name) for name in agents)
    return Result(
        task,
        _method(players[: len(agents)]) if method is None else method,
        runs,
        deals,
        _score("all", wins.sum(axis=1), seats * len(task.against), task.deal_seed),
        tuple(_score(task.opponents(at), wins[:, at], seats, task.deal_seed) for at in range(len(task.against))),
        round(float(found.cut_off.mean()), 6),
    )


def task_schedule(task: Task, agents: int, deals: int) -> Schedule:
    """Games of a deal: for each agent, for each choice of opponents, one from each seat.

    Opponents that differ sit in an order drawn for each deal, the same for every agent.
    """
    n, number = task.rules.players, {name: agents + at for at, name in enumerate(task.bots)}
    rng = np.random.default_rng([task.deal_seed, _SALT])
    tables = np.empty((deals, agents, len(task.against), n), np.int16)
    for at, others in enumerate(task.against):
        entries = [number[name] for name in others] * ((n - 1) // len(others))
        order = rng.permuted(np.tile(np.array(entries, np.int16), (task.deals, 1)), axis=1)[:deals]
        tables[:, :, at, 1:] = order[:, None]
        tables[:, :, at, 0] = np.arange(agents)
    drawn = tables.reshape(deals, -1, n)
    none = np.empty(0, np.int64)
    return Schedule(agents + len(task.bots), n, np.empty((0, n), np.int16), drawn, (), (), (), none)


def _score(against: str, wins: NDArray[np.int64], games: int, seed: int) -> Score:
    mean, low, high = (round(value, 6) for value in crossed_interval(wins, games, seed))
    return Score(against, mean, low, high, tuple(round(float(row.mean() / games), 6) for row in wins))


def _run(name: str) -> Run:
    if name in bot_names():
        return Run(name, None, 0, bot=True)
    path = agent_file(name)
    if path is None:
        return Run(name, None, None, bot=False)
    file = read_agent(path)
    seed, imitate = file.info.get("seed"), file.info.get("imitate")
    imitated: object = file.info.get("imitated", 0 if imitate is None else None)
    steps = file.steps
    if steps is None or type(imitated) is not int or imitated < 0:
        steps, imitated = None, 0
    else:
        steps += imitated
    return Run(
        name, seed if type(seed) is int else None, steps, False, imitated, imitate if isinstance(imitate, str) else None
    )  # fmt: skip


def _method(players: Sequence[Agent]) -> str:
    """What the names of the runs begin with: "mine-0", "mine-1" … are "mine"."""
    names = [player.name for player in players]
    if len(names) == 1:
        return names[0]
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in alike).rstrip("-_. ") or names[0]
