"""The references of the benchmark: the project's own recipes, trained with several seeds and judged by its tasks.

`scripts/reference` runs it. For each task it writes docs/reference/TASK.json and the learning curves beside it, and
from all of them the table in docs/benchmark.md. Runs that are there already are kept, so it can be ended and begun
again. A try, with changed settings, stays in runs/reference-try/.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bluff_agents.benchmark.lines import lines
from bluff_agents.benchmark.playing import play_task
from bluff_agents.benchmark.runs import command, setting, trained
from bluff_agents.benchmark.task import Task, read_task, task_names
from bluff_agents.evaluation.files import whole
from bluff_agents.pages import rewritten
from bluff_env.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROOT: Final = Path(__file__).resolve().parents[3]
_COMMAND: Final = "scripts/reference"
_USAGE: Final = f"usage: {_COMMAND} [--seeds N] [--set KEY=VALUE …] [TASK …] | --page"
_TRY: Final = "runs/reference-try"
_TRY_DEALS: Final = 20
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222")


def main(argv: Sequence[str] | None = None, root: Path = _ROOT) -> int:
    """Trains what is missing, judges it, and writes numbers, pictures and the table. Returns the exit status.

    Args:
        argv: tasks, all that have a recipe if none; `--seeds N` instead of the task's; `--set KEY=VALUE`, given to the
            training, for a try that leaves docs/ alone; `--page`: only writes the table from the numbers.
        root: the checkout.
    """
    return command(_COMMAND, _main, argv, root)


def _main(arguments: list[str], root: Path) -> int:
    if arguments == ["--page"]:
        _write_page(root)
        return 0
    names, seeds, settings = _read(arguments)
    for name in names:
        task = read_task(name)
        if task.recipe is None:
            raise ConfigError(f"{name}: the task names no recipe to be its reference")
        runs = [_trained(task, seed, settings, root) for seed in range(task.seeds if seeds is None else seeds)]
        if None in runs:
            return 130
        folders = [str(run) for run in runs if run is not None]
        result = play_task(task, folders, method=task.recipe, deals=_TRY_DEALS if settings else None, workers=0)
        told = result.to_dict() | {"lines": lines(result), "curves": [_curve(Path(folder)) for folder in folders]}
        for run in told["runs"]:
            run["agent"] = Path(run["agent"]).name
        target = root / (_TRY if settings else "docs/reference")
        target.mkdir(exist_ok=True)
        with whole(target / f"{task.name}.json") as temporary:
            temporary.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        with whole(target / f"{task.name}.png") as temporary:
            draw(told, task).savefig(temporary, format="png")
        print(*lines(result), sep="\n", flush=True)
    if not settings:
        _write_page(root)
    return 0


def _read(arguments: list[str]) -> tuple[list[str], int | None, list[str]]:
    names: list[str] = []
    settings: list[str] = []
    seeds: int | None = None
    rest = iter(arguments)
    for word in rest:
        if word == "--seeds":
            value = next(rest, "")
            if not value.isdecimal() or int(value) < 1:
                raise ConfigError(f"--seeds: {value!r} is not allowed; a whole number of at least 1")
            seeds = int(value)
        elif word == "--set":
            settings += ["--set", setting(next(rest, ""))]
        elif word.startswith("-"):
            raise ConfigError(f"no such option: {word}; {_USAGE}")
        else:
            names.append(word)
    return names or [name for name in task_names() if read_task(name).recipe is not None], seeds, settings


def _trained(task: Task, seed: int, settings: Sequence[str], root: Path) -> Path | None:
    """The run folder of one seed, trained to its end; None if that was interrupted."""
    folder = root / (_TRY if settings else "runs/reference") / f"{task.name}-{seed}"
    words = [str(task.recipe), "--set", f"seed={seed}", "--set", f"total_steps={task.steps}"]
    return folder if trained(folder, [*words, "--set", f"out={folder}", *settings]) else None


def _curve(folder: Path) -> dict[str, list[float]]:
    """What the evaluations while training found: steps, and the share won against each bot."""
    with (folder / "metrics.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if any(row[key] for key in row if key.startswith("judged/"))]
    bots = [key for key in (rows[0] if rows else {}) if key.startswith("judged/")]
    curve = {key.removeprefix("judged/"): [float(row[key]) for row in rows] for key in bots}
    return {"steps": [float(row["steps"]) for row in rows]} | curve


def draw(told: Mapping[str, Any], task: Task) -> Figure:
    """Learning curves: the mean over seeds, and from the lowest to the highest; at the right the task's own verdict."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter, PercentFormatter

    figure = Figure(figsize=(7.5, 4.6), dpi=150, layout="constrained")
    axes = figure.subplots()
    curves = told["curves"]
    shortest = min(len(curve["steps"]) for curve in curves)
    steps = curves[0]["steps"][:shortest]
    end = max(*steps, task.steps) if steps else task.steps
    for bot, colour in zip([key for key in curves[0] if key != "steps"], _COLOURS, strict=False):
        seeds = [curve[bot][:shortest] for curve in curves]
        each = list(zip(*seeds, strict=True))
        axes.fill_between(steps, [min(row) for row in each], [max(row) for row in each], color=colour, alpha=0.2, lw=0)
        axes.plot(steps, [sum(row) / len(row) for row in each], "o-", color=colour, markersize=3.5, label=bot)
        for at in range(len(task.against)):
            if task.against[at] == (bot,):
                score = told["scores"][at]
                error = [[score["mean"] - score["low"]], [score["high"] - score["mean"]]]
                axes.errorbar([1.04 * end], [score["mean"]], yerr=error, fmt="D", color=colour, markersize=4, capsize=3)
    axes.axhline(1 / task.rules.players, color="#8a8a8a", linestyle="--", linewidth=1.2, label="fair share")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlim(0, 1.08 * end)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    axes.xaxis.set_major_formatter(EngFormatter(sep=" "))
    axes.set_xlabel("learner steps; diamonds: the task's own deals, with 95 % interval", fontsize=9.5)
    axes.set_ylabel("won, one against copies", fontsize=9.5)
    axes.set_title(
        f"{task.name}: {told['method']}, {len(curves)} seeds, mean and range", fontsize=11, color="#222222"
    )  # fmt: skip
    axes.grid(color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8.5)
    axes.legend(fontsize=8.5, loc="best", framealpha=0.85)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure


def page(text: str, told: Sequence[Mapping[str, Any]]) -> str:
    """docs/benchmark.md with what stands between its marks written anew.

    Raises:
        ConfigError: the marks are not there, or twice.
    """
    fresh: list[str] = []
    for one in told:
        fresh += [*one["lines"], "", f"![{one['task']}: learning curves](reference/{one['task']}.png)", ""]
        fresh += [f"- {fault}" for fault in one["faults"]] + ([""] if one["faults"] else [])
    if not told:
        fresh += [f"None yet: `{_COMMAND}` trains and writes them.", ""]
    return rewritten(text, "docs/benchmark.md", "references", _COMMAND, fresh[:-1])


def _write_page(root: Path) -> None:
    target = root / "docs/benchmark.md"
    numbers = sorted((root / "docs/reference").glob("*.json"))
    told = [json.loads(path.read_text(encoding="utf-8")) for path in numbers]
    text = page(target.read_text(encoding="utf-8"), told)
    with whole(target) as temporary:
        temporary.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
