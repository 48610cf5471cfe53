"""What a benchmark found, as plain numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import bluff_env
from bluff_agents.benchmark.task import Task


@dataclass(frozen=True, slots=True)
class Run:
    """One trained agent.

    Attributes:
        agent: as it was named.
        seed: of its training, where its file says so.
        steps: decisions it has learnt from, those among them that it imitated; None where its file does not say.
        bot: is it one of the bots?
        imitated: how many of the steps were decisions of another agent.
        imitate: that agent, where the file says so.
    """

    agent: str
    seed: int | None
    steps: int | None
    bot: bool
    imitated: int = 0
    imitate: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """Games won, of all: the mean over runs, its 95 % interval, and each run's own."""

    against: str
    mean: float
    low: float
    high: float
    runs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a task.

    Attributes:
        task: the task.
        method: what the agents are called together.
        runs: the agents.
        deals: deals played; fewer than the task's when only tried.
        score: the mean over all opponents, each counting alike.
        scores: against each.
        cut_off: share of games cut off.
    """

    task: Task
    method: str
    runs: tuple[Run, ...]
    deals: int
    score: Score
    scores: tuple[Score, ...]
    cut_off: float

    @property
    def steps(self) -> int | None:
        """Learner steps of the run that took most, imitated ones among them; None where one does not say."""
        steps = [run.steps for run in self.runs]
        return None if None in steps else max(step for step in steps if step is not None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `bluff benchmark --json` prints it."""
        from bluff_agents.benchmark.lines import faults

        return {
            "task": self.task.name,
            "version": bluff_env.__version__,
            "method": self.method,
            "deals": self.deals,
            "cut_off": self.cut_off,
            "runs": [asdict(run) for run in self.runs],
            "score": asdict(self.score),
            "scores": [asdict(score) for score in self.scores],
            "faults": faults(self),
        }
