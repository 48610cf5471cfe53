"""What a benchmark found, for people, and as a line for a paper's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from bluff_agents.benchmark.results import Result, Score
from bluff_agents.bots import bot_names
from bluff_agents.evaluation.tables import interval, percent, plain_table
from bluff_agents.search import SEARCHERS

#: A run ends with the rollout that reaches its budget; so much more is not held against it.
_OVERRUN: Final = 1.01
MARKDOWN, LATEX = "markdown", "latex"


def faults(result: Result) -> list[str]:
    """What keeps the line out of a table, or has to be said beside it."""
    task, runs = result.task, result.runs
    found = []
    if result.deals < task.deals:
        found.append(f"{result.deals:,} of {task.deals:,} deals: a try, not a result")
    if all(run.bot for run in runs):
        if len(runs) > 1:
            found.append("several bots are not runs of one method")
        return found
    if len(runs) < task.seeds:
        few = f"{len(runs)} of at least {task.seeds} seeds"
        found.append(f"{few}: the interval is over deals alone" if len(runs) == 1 else few)
    for run in runs:
        if run.bot:
            found.append(f"{run.agent}: a bot among trained agents")
        elif run.steps is None:
            found.append(f"{run.agent}: its file does not say how many steps it has learnt from; say so yourself")
        elif run.steps > task.steps * _OVERRUN:
            some = f", {run.imitated:,} of them imitated" if run.imitated else ""
            found.append(f"{run.agent}: {run.steps:,} learner steps{some}; the task allows {task.steps:,}")
        if run.imitated and run.imitate is None:
            found.append(f"{run.agent}: its file does not say whom it imitated; say so yourself")
        elif run.imitated and run.imitate not in (*bot_names(), *SEARCHERS):
            found.append(
                f"{run.agent}: imitated {run.imitate!r}, which is no bot of the project: what that has learnt from is "
                "missing from the steps"
            )
    seeds = [run.seed for run in runs if run.seed is not None]
    for seed in sorted({seed for seed in seeds if seeds.count(seed) > 1}):
        found.append(f"{seeds.count(seed)} agents were trained with the same seed, {seed}")
    return found


def told(result: Result) -> Iterator[RenderableType]:
    """Tables and notes for the terminal."""
    task = result.task
    seeds = f"{len(result.runs)} {'seed' if len(result.runs) == 1 else 'seeds'}"
    yield Text(f"{task.name}, {task.title}: {result.method}, {seeds}, {result.deals:,} deals", style="bold")
    yield ""
    table = plain_table("against", "wins", "95 % interval", "lowest", "highest", right=range(1, 5))
    for score in (*result.scores, result.score):
        bold = "bold" if score is result.score else ""
        table.add_row(
            Text(score.against), percent(score.mean), interval(score.low, score.high), percent(min(score.runs)),
            percent(max(score.runs)), style=bold,
        )  # fmt: skip
    yield table
    yield f"\nfair share {percent(1 / task.rules.players)}; cut off: {percent(result.cut_off)} of games"
    for fault in faults(result):
        yield Text(f"Note: {fault}.")


def lines(result: Result, form: str = MARKDOWN) -> list[str]:
    """Head and line of a table, in Markdown or LaTeX."""
    task = result.task
    head = ["task", "method", "score, %", *(score.against for score in result.scores), "seeds", "steps"]
    steps = "–" if result.steps is None else _millions(result.steps)
    cells = [task.name, result.method, *map(_cell, (result.score, *result.scores)), str(len(result.runs)), steps]
    if form == LATEX:
        return [_latex(head), _latex(cells)]
    return [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |", f"| {' | '.join(cells)} |"]


def _cell(score: Score) -> str:
    """Percent with the interval: "57.0 (53.1 – 60.9)"."""
    return f"{100 * score.mean:.1f} ({100 * score.low:.1f} – {100 * score.high:.1f})"


def _millions(steps: int) -> str:
    return f"{steps / 1e6:.1f} M" if steps >= 100_000 else f"{steps:,}"


def _latex(cells: Sequence[str]) -> str:
    escaped = (
        cell.replace("%", r"\%").replace("_", r"\_").replace(" – ", "--").replace("×", r"$\times$") for cell in cells
    )
    return " & ".join(escaped) + r" \\"
