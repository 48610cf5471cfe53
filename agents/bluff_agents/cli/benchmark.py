"""`bluff benchmark`: the fixed tasks, and the line that an agent's runs give for a paper's table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from bluff_agents.cli.common import JsonOption, TrustOption, refuse_idle
from bluff_agents.cli.screen import progress, say_json, show, table
from bluff_env.errors import ConfigError

if TYPE_CHECKING:
    from bluff_agents.benchmark import Task


def benchmark(
    task: Annotated[
        str | None,
        typer.Argument(metavar="[TASK]", help="A task's name, or a YAML file; none: lists them."),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent", metavar="A [B …]", help="The trained agents, one a seed: files, run folders, or factories."
        ),
    ] = None,
    method: Annotated[
        str | None, typer.Option("--method", metavar="TEXT", help="What the line calls them; else their recipe.")
    ] = None,
    deals: Annotated[
        int | None, typer.Option("--deals", metavar="N", help="Fewer deals than the task has, for a try.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", help="Processes that play, 1; 0: one a core. The result is the same."),
    ] = None,
    latex: Annotated[bool, typer.Option("--latex", help="The line for a LaTeX table instead of Markdown.")] = False,
    as_json: JsonOption = False,
    trust: TrustOption = False,
) -> None:
    """Judge trained agents on a fixed task, so that others can compare.

    For example:

    bluff benchmark

    bluff benchmark bloff-4-v1 --agent runs/one runs/two runs/three
    """
    from bluff_agents.benchmark import play_task, read_task, task_names
    from bluff_agents.benchmark.lines import LATEX, MARKDOWN, lines, told

    if not agents:
        of_playing = {
            "--method": method, "--deals": deals, "--workers": workers, "--latex": latex, "--trust": trust,
        }  # fmt: skip
        refuse_idle(of_playing, "only with --agent, which names who plays the task")
    elif as_json:
        refuse_idle({"--latex": latex}, "not with --json, which prints no line for a table")
    if task is None:
        if agents:
            raise ConfigError(f"no task named; tasks: {', '.join(task_names())}")
        tasks = [read_task(name) for name in task_names()]
        say_json([_plain(one) for one in tasks]) if as_json else show(*_list(tasks))
        return
    found = read_task(task)
    if not agents:
        say_json(_plain(found)) if as_json else show(*_one(found))
        return
    games = len(agents) * len(found.against) * found.rules.players * (found.deals if deals is None else deals)
    with progress(games, "games") as advance:
        result = play_task(
            found, agents, method=method, deals=deals, workers=1 if workers is None else workers, trust=trust,
            on_games=advance,
        )  # fmt: skip
    if as_json:
        say_json(result.to_dict())
    else:
        show(*told(result), "\nThe line for a table:\n")
        print(*lines(result, LATEX if latex else MARKDOWN), sep="\n")  # not wrapped, to be copied


def _list(tasks: list[Task]) -> Iterator[RenderableType]:
    rows = [
        (Text(one.name, "cyan"), f"{one.steps / 1e6:g} M", f"{one.deals:,}", one.recipe or "–", one.title)
        for one in tasks
    ]
    yield table(("task", "steps", "deals", "reference", "what"), rows, numbers=(1, 2))
    yield "\nbluff benchmark TASK says more; with --agent A B C D E, one a seed, it plays."


def _one(task: Task) -> Iterator[RenderableType]:
    against = [task.opponents(at) for at in range(len(task.against))]
    rows = [
        ("what", task.title),
        ("rules", _rules(task)),
        ("budget", f"{task.steps:,} decisions of the learner, for each seed"),
        ("seeds", f"{task.seeds} or more, an agent each"),
        ("against", "; ".join(against)),
        ("deals", f"{task.deals:,} against each, from every seat: {task.deals * task.rules.players:,} games"),
        ("score", "the share of games won, the mean over opponents and seeds"),
        ("reference", task.recipe or "none"),
    ]
    yield table((task.name, ""), rows)


def _rules(task: Task) -> str:
    """The rules in short: a name, or what differs from the defaults."""
    from bluff_env import name_of
    from bluff_env.ruleset import Rules

    named, default = name_of(task.rules), Rules().to_dict()
    changed = {key: value for key, value in task.rules.to_dict().items() if value != default[key] and key != "players"}
    text = named or ", ".join(f"{key} {value}" for key, value in changed.items())
    return f"{text}, {task.rules.players} players".removeprefix(", ")


def _plain(task: Task) -> dict[str, object]:
    return {
        "name": task.name,
        "title": task.title,
        "rules": task.rules.to_dict(),
        "steps": task.steps,
        "seeds": task.seeds,
        "deals": task.deals,
        "deal_seed": task.deal_seed,
        "against": [list(others) for others in task.against],
        "recipe": task.recipe,
    }
