"""What each part of the training is worth: the same recipe with one thing changed, several seeds each, judged alike.

`scripts/ablate` runs it. It writes docs/ablation.json, docs/images/ablation.png and the table in docs/training.md. Runs
that are there already are kept, so it can be ended and begun again, or begun in several places for parts of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import bluff_env
from bluff_agents.benchmark.playing import play_task
from bluff_agents.benchmark.runs import command, finished, setting, trained
from bluff_agents.benchmark.task import Task
from bluff_agents.evaluation.files import whole
from bluff_agents.pages import rewritten
from bluff_env.errors import ConfigError
from bluff_env.ruleset.rules import near

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROOT: Final = Path(__file__).resolve().parents[3]
_COMMAND: Final = "scripts/ablate"
_USAGE: Final = f"usage: {_COMMAND} [--seed N …] [--set KEY=VALUE …] [VARIANT …] | --page"
_RUNS: Final = "runs/ablation"
_TRY: Final = "runs/ablation-try"
_TRY_DEALS: Final = 20
_SEEDS: Final = 3
_COLOURS: Final = ("#d55e00", "#0072b2")

RECIPE: Final = "zoo_bloff_4"
STEPS: Final = 500_000
#: What all variants have in common: short runs of small networks, as there are thirty of them.
SHORT: Final = (
    f"total_steps={STEPS}", "imitate_steps=300_000", "network=[128, 128]", "league_every=50000", "evaluate_deals=2",
)  # fmt: skip
#: What is judged: one against three of each.
TASK: Final = Task(
    "ablation", "What each part of the training is worth", bluff_env.rules("bloff"), STEPS, _SEEDS, 500, 2026,
    (("honest",), ("counter",)),
)  # fmt: skip

_BOTS: Final = "counter: 0.18, adaptive: 0.06, cautious: 0.08, honest: 0.08"
_ODD_BOTS: Final = "bold: 0.04, liar: 0.02, always_call: 0.01, random: 0.02"
#: name -> (in words, settings laid over the recipe and `SHORT`). The first is these alone.
VARIANTS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "whole": ("the recipe", ()),
    "no-entropy": ("no entropy bonus", ("entropy=0",)),
    "much-entropy": ("entropy bonus 0.1 to 0.05", ("entropy=[0.1, 0.05]",)),
    "no-league": ("no earlier selves", (f"opponents={{self: 0.51, {_BOTS}, {_ODD_BOTS}}}",)),
    "no-bots": ("no bots", ("opponents={self: 0.5, past: 0.5}",)),
    "no-imitation": ("no imitation", ("imitate=null",)),
    "no-knowledge": (
        "without what the seat knows of cards not in its hand (`known`, `mine_in_pile`)",
        ("hide=[known, mine_in_pile]",),
    ),
    "no-history": ("without the latest plays and calls (`recent`, `called`)", ("hide=[recent, called]",)),
    "small": ("network 64, 64", ("network=[64, 64]",)),
    "large": ("network 256, 256", ("network=[256, 256]",)),
}


def main(argv: Sequence[str] | None = None, root: Path = _ROOT) -> int:
    """Trains what is missing, judges it, and writes numbers, picture and table. Returns the exit status.

    Args:
        argv: variants, all if none; `--seed N`, given once or more, trains only these seeds and writes nothing;
            `--set KEY=VALUE`, given to the training, for a try that leaves docs/ alone; `--page`: only writes
            picture and table, from the numbers.
        root: the checkout.
    """
    return command(_COMMAND, _main, argv, root)


def _main(arguments: list[str], root: Path) -> int:
    if arguments == ["--page"]:
        _write_page(root)
        return 0
    names, seeds, settings = _read(arguments)
    base = root / (_TRY if settings else _RUNS)
    for seed in seeds or range(_SEEDS):  # seed by seed, so that what is there early says something about each
        for name in names:
            if not trained(folder := base / f"{name}-{seed}", _words(name, seed, folder, settings)):
                return 130
    if seeds:
        return 0
    told = {name: _judged(name, base, _TRY_DEALS if settings else None) for name in names}
    target = base / "ablation.json" if settings else root / "docs/ablation.json"
    if not settings and target.is_file():
        told = json.loads(target.read_text(encoding="utf-8")) | told
    told = {name: told[name] for name in VARIANTS if name in told}
    with whole(target) as temporary:
        temporary.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if settings:
        print(*table(told), sep="\n")
    else:
        _write_page(root)
    return 0


def _read(arguments: list[str]) -> tuple[list[str], list[int], list[str]]:
    names: list[str] = []
    seeds: list[int] = []
    settings: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if word == "--seed":
            value = next(rest, "")
            if not value.isdecimal() or int(value) >= _SEEDS:
                raise ConfigError(f"--seed: {value!r} is not allowed; a whole number from 0 to {_SEEDS - 1}")
            seeds.append(int(value))
        elif word == "--set":
            settings += ["--set", setting(next(rest, ""))]
        elif word.startswith("-"):
            raise ConfigError(f"no such option: {word}; {_USAGE}")
        elif word not in VARIANTS:
            raise ConfigError(f"no variant named {word!r}{near(word, tuple(VARIANTS))}; {', '.join(VARIANTS)}")
        else:
            names.append(word)
    return names or list(VARIANTS), seeds, settings


def _words(name: str, seed: int, folder: Path, settings: Sequence[str]) -> list[str]:
    """Of `bluff train`, for a variant."""
    laid = [f"seed={seed}", *SHORT, *VARIANTS[name][1], f"out={folder}"]
    return [RECIPE, *(word for one in laid for word in ("--set", one)), *settings]


def _judged(name: str, base: Path, deals: int | None) -> dict[str, Any]:
    folders = [base / f"{name}-{seed}" for seed in range(_SEEDS)]
    missing = [folder.name for folder in folders if not finished(folder)]
    if missing:
        raise ConfigError(f"{base}: {', '.join(missing)} is not trained to the end")
    result = play_task(TASK, [str(folder) for folder in folders], method=name, deals=deals, workers=0)
    told = {s.against: {"mean": s.mean, "low": s.low, "high": s.high, "runs": list(s.runs)} for s in result.scores}
    return {"deals": result.deals, "steps": result.steps, "against": told}


def table(told: Mapping[str, Any]) -> list[str]:
    """Markdown: a row for each variant."""
    against = list(next(iter(told.values()))["against"])
    rows = [f"| | {' | '.join(against)} |", "| --- |" + " --- |" * len(against)]
    for name, one in told.items():
        cells = [
            f"{s['mean']:.1%} ({s['low']:.1%} – {s['high']:.1%})".replace("%", " %") for s in one["against"].values()
        ]
        rows.append(f"| {VARIANTS[name][0]} | {' | '.join(cells)} |")
    return rows


def draw(told: Mapping[str, Any]) -> Figure:
    """A row for each variant: the mean with its interval, and each seed."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    figure = Figure(figsize=(7.5, 0.6 + 0.42 * len(told)), dpi=150, layout="constrained")
    axes = figure.subplots()
    for at, one in enumerate(told.values()):
        for which, (score, colour) in enumerate(zip(one["against"].values(), _COLOURS, strict=True)):
            y = at + (0.17 if which else -0.17)
            axes.plot([score["low"], score["high"]], [y, y], color=colour, lw=2, alpha=0.45, solid_capstyle="round")
            axes.plot(score["runs"], [y] * len(score["runs"]), "|", color=colour, markersize=6)
            axes.plot([score["mean"]], [y], "o", color=colour, markersize=5)
    for which, (against, colour) in enumerate(zip(next(iter(told.values()))["against"], _COLOURS, strict=True)):
        axes.plot([], [], "o-", color=colour, markersize=5, label=f"one against {against}")
        axes.axvline(
            next(iter(told.values()))["against"][against]["mean"], color=colour, ls=":", lw=1, zorder=which
        )  # fmt: skip
    names = [fill(VARIANTS[name][0].partition(" (")[0], 28) for name in told]
    axes.set_yticks(range(len(told)), names, fontsize=9)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    figure.supxlabel("games won; dots: mean of the seeds with 95 % interval, strokes: each seed", fontsize=9)
    axes.grid(axis="x", color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8.5)
    figure.legend(fontsize=8.5, loc="outside upper center", ncols=2, frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure


def _write_page(root: Path) -> None:
    numbers = root / "docs/ablation.json"
    if not numbers.is_file():
        raise ConfigError(f"{numbers} is missing; {_COMMAND} without --page makes it")
    told = json.loads(numbers.read_text(encoding="utf-8"))
    with whole(root / "docs/images/ablation.png") as temporary:
        draw(told).savefig(temporary, format="png")
    target = root / "docs/training.md"
    lines = [*table(told), "", "![What each part is worth](images/ablation.png)"]
    text = rewritten(target.read_text(encoding="utf-8"), "docs/training.md", "ablation", _COMMAND, lines)
    with whole(target) as temporary:
        temporary.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
