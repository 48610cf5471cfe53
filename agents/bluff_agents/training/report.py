"""What comes of a run, whatever trains it: evaluations, and the report at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bluff_agents.agent import Agent
from bluff_agents.evaluation import evaluate
from bluff_env import Rules


@dataclass(frozen=True, slots=True)
class Judged:
    """One evaluation: how often the agent won alone against copies of `against`, with its 95 % interval."""

    against: str
    share: float
    low: float
    high: float
    cut_off: float
    turns: float


@dataclass(frozen=True, slots=True)
class Report:
    """How a run ended.

    Attributes:
        folder: the run folder.
        steps: learner decisions made.
        seconds: the time it took, evaluations included.
        steps_per_s: learner decisions a second, evaluations left out.
        finished: False if it was asked to end before.
        judged: the last evaluation; empty if there was none.
        nash_conv: the last figure, as a share of the uniform policy's; None if there was none.
        before: of the steps, those that had been made before it was resumed.
    """

    folder: Path
    steps: int
    seconds: float
    steps_per_s: float
    finished: bool
    judged: tuple[Judged, ...] = field(default=())
    nash_conv: float | None = None
    before: int = 0


def judge_alone(
    rules: Rules,
    agent: Agent,
    bots: Mapping[str, Agent],
    against: Sequence[str],
    deals: int,
    seed: int,
    label: str = "",
) -> tuple[list[Judged], dict[str, float]]:
    """One agent alone against copies of each bot.

    Args:
        rules: what is played.
        agent: who is judged.
        bots: {name: bot}, at least those of `against`.
        against: the bots' names.
        deals: of each evaluation, each played in all rotations.
        seed: decides the deals.
        label: which agent it is, said behind the bot's name; "": there is only one.

    Returns:
        The evaluations, and their columns for a row of metrics.csv.
    """
    found: list[Judged] = []
    row: dict[str, float] = {}
    for name in against:
        result = evaluate(rules, [agent, *[bots[name]] * (rules.players - 1)], deals, seed)
        mine, who = result.agents[0], f"{name} ({label})" if label else name
        found.append(Judged(who, mine.share, mine.low, mine.high, result.cut_off, result.turns))
        row |= {f"judged/{who}": mine.share, f"low/{who}": mine.low, f"high/{who}": mine.high}
        row[f"judged_cut_off/{who}"] = result.cut_off
    return found, row


def crossed(every: int, before: int, after: int) -> bool:
    """Has a multiple of `every` been reached?"""
    return after // every > before // every
