"""The picture of an evaluation: shares of wins with their intervals, against the fair share. Needs matplotlib."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bluff_agents.evaluation.report import MANY_CUT_OFF, count, title
from bluff_agents.evaluation.results import Evaluation, EvaluationError
from bluff_agents.evaluation.tables import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES: Final = (".pdf", ".png", ".svg")
_LONGEST_NAME: Final = 28
BLUE, ORANGE, GREY, INK = "#0072b2", "#d55e00", "#8a8a8a", "#222222"


def check_plot(path: Path) -> None:
    """Refuses, before anything is played, a picture that could not be drawn afterwards.

    Raises:
        EvaluationError: a kind of file that is not known, or no matplotlib.
    """
    if path.suffix.lower() not in SUFFIXES:
        found = repr(path.suffix) if path.suffix else "no ending"
        raise EvaluationError(f"{path}: {found} found; a plot ends in {', '.join(SUFFIXES)}")
    if find_spec("matplotlib") is None:
        raise EvaluationError("a plot needs matplotlib, which is not installed: pip install 'bluff-env[train]'")


def draw(evaluation: Evaluation) -> Figure:
    """One row an agent (or, at more than two seats with two agents named, one a matchup): share and interval.

    Bars are grey where the interval holds the fair share.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    rows, fair = _rows(evaluation)
    figure = Figure(figsize=(7.5, 1.5 + 0.5 * len(rows)), dpi=150, layout="constrained")
    axes = figure.subplots()
    colors = [BLUE if low > fair or high < fair else GREY for _, _, low, high in rows]
    axes.barh(range(len(rows)), [row[1] for row in rows], height=0.55, color=colors, alpha=0.45, zorder=2)
    for at, (_, share, low, high) in enumerate(rows):
        axes.errorbar(
            [share], [at], xerr=[[max(0.0, share - low)], [max(0.0, high - share)]],
            color=INK, linewidth=1.8, capsize=4, capthick=1.8, zorder=4,
        )  # fmt: skip
        axes.annotate(
            percent(share), (max(high, share), at), (6, 0), textcoords="offset points", va="center", fontsize=9.5,
            color=INK, zorder=5, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
        )  # fmt: skip
    axes.axvline(fair, color=ORANGE, linestyle="--", linewidth=1.5, zorder=3)
    axes.set_yticks(range(len(rows)), [row[0] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    widest = max(fair, *(row[3] for row in rows))
    axes.set_xlim(0, 1.15 * widest)  # room for the numbers beside the bars
    ticks = [tick for tick in MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(0, widest) if tick <= 1.1 * widest]
    axes.set_xticks(ticks, [f"{100 * tick:.4g} %" for tick in ticks])
    axes.set_xlabel(f"games won, with 95 % interval; dashed: fair share, {percent(fair)}", fontsize=9.5, color=INK)
    axes.grid(axis="x", color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.suptitle(_title(evaluation), fontsize=11, color=INK)
    return figure


def save_plot(evaluation: Evaluation, path: Path, kind: str) -> None:
    """Draws into a file of this kind ("png", "svg", "pdf"), whatever the file is called.

    Of a round robin the heat map, or without tables of copies the shares and ratings.
    """
    if evaluation.round_robin is None:
        draw(evaluation).savefig(path, format=kind)
        return
    from bluff_agents.evaluation.pictures import heat_map, standing_plot

    (heat_map if evaluation.matchups else standing_plot)(evaluation).savefig(path, format=kind)


def _rows(e: Evaluation) -> tuple[list[tuple[str, float, float, float]], float]:
    """(label, share, low, high) a row, and the share that would be fair."""
    if e.matchups and e.rules.players > 2:
        rest = e.rules.players - 1
        rows = [(f"{short(m.one)}\nagainst {rest} × {short(m.rest)}", m.share, m.low, m.high) for m in e.matchups]
        return rows, 1 / e.rules.players
    return [(short(a.name), a.share, a.low, a.high) for a in e.agents], e.fair


def _title(e: Evaluation) -> str:
    text = f"{title(e)}: {count(e.deals, 'deal')}, {count(e.games, 'game')}"
    if e.cut_off > MANY_CUT_OFF:
        text += f", {percent(e.cut_off)} cut off"
    return text


def short(name: str) -> str:
    """Long names are mostly paths, whose ends tell them apart. Dollar signs would begin a formula."""
    text = name if len(name) <= _LONGEST_NAME else "…" + name[1 - _LONGEST_NAME :]
    return text.replace("$", r"\$")
