"""curves.png: how a run went. Needs matplotlib."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bluff_agents.evaluation.files import whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which colour-blind people can tell apart.
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222")
# One more round through the colours for each of these.
_STYLES: Final = ("-", (0, (4, 1.5)), (0, (1, 1)))
# More lines than this are drawn without what they are the mean of, and their names stand beside the picture.
_MANY: Final = 6
_GREY: Final = "#8a8a8a"
_TICKS: Final = 8.5

Rows = Sequence[dict[str, float]]
Style = str | tuple[int, tuple[float, ...]]


def load_drawing() -> None:
    """Loads what drawing needs, fonts included, some tens of megabytes."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    figure.subplots().set_title("…")
    figure.savefig(BytesIO(), format="png")


def draw_curves(path: Path, rows: Rows, title: str, players: int) -> None:
    """Draws the rows of metrics.csv: shares won when judged, in training, how games end, how the policy changes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7.5), dpi=120, layout="constrained")
    (judged, training), (games, learning) = figure.subplots(2, 2)
    figure.suptitle(title, fontsize=12)
    _judged(judged, rows, 1 / players)
    _training(training, rows, 1 / players)
    _games(games, rows)
    _learning(learning, rows)
    for axes in (judged, training, games, learning):
        _dress(axes, rows)
    with whole(path) as temporary:
        figure.savefig(temporary, format="png")
    # A figure's parts point at each other, so it stays, some megabytes, until Python comes to look for such things.
    del figure, judged, training, games, learning, axes
    gc.collect()


def _judged(axes: Axes, rows: Rows, fair: float) -> None:
    axes.set_title("won when judged, one against copies of a bot", fontsize=10)
    looks = _looks(rows, "judged/")
    for who, (colour, style) in looks.items():
        points = [row for row in rows if f"judged/{who}" in row]
        steps = [row["steps"] for row in points]
        low, high = ([row[f"{end}/{who}"] for row in points] for end in ("low", "high"))
        axes.fill_between(steps, low, high, color=colour, alpha=0.2, linewidth=0)
        won = [row[f"judged/{who}"] for row in points]
        axes.plot(steps, won, marker="o", linestyle=style, color=colour, markersize=3.5, label=who)
    _shares(axes, fair, len(looks) > _MANY)


def _training(axes: Axes, rows: Rows, fair: float) -> None:
    axes.set_title("won in training, by who sat in the other seats", fontsize=10)
    looks = _looks(rows, "won/")
    for who, (colour, style) in looks.items():
        _smooth(axes, rows, f"won/{who}", colour, who, style, faint=len(looks) <= _MANY)
    _shares(axes, fair, len(looks) > _MANY)


def _games(axes: Axes, rows: Rows) -> None:
    axes.set_title("games in training", fontsize=10)
    _smooth(axes, rows, "turns", _COLOURS[0], "turns a game (left)")
    axes.set_ylim(bottom=0)
    right = _right(axes)
    _smooth(right, rows, "cut_off", _COLOURS[1], "share cut off (right)")
    _percent(right, 0)
    _legend(axes, right)


def _learning(axes: Axes, rows: Rows) -> None:
    axes.set_title("policy", fontsize=10)
    _smooth(axes, rows, "entropy", _COLOURS[0], "entropy of a decision (left)")
    axes.set_ylim(bottom=0)
    right = _right(axes)
    _smooth(right, rows, "kl", _COLOURS[1], "change an update, KL divergence (right)")
    right.set_ylim(bottom=0)
    _legend(axes, right)


def _right(axes: Axes) -> Axes:
    """A second axis on the right-hand side, looking like the first."""
    right = axes.twinx()
    right.tick_params(labelsize=_TICKS)
    right.spines["top"].set_visible(False)
    return right


def _smooth(
    axes: Axes, rows: Rows, key: str, colour: str, label: str, style: Style = "-", *, faint: bool = True
) -> None:
    """A strong line through the moving mean and, if wanted, a faint one through the values."""
    points = [row for row in rows if key in row]
    steps, values = [row["steps"] for row in points], [row[key] for row in points]
    reach = max(1, len(values) // 40)
    means = []
    for at in range(len(values)):
        window = values[max(0, at - reach) : at + reach + 1]
        means.append(sum(window) / len(window))
    if faint:
        axes.plot(steps, values, color=colour, alpha=0.25, linewidth=0.8)
    axes.plot(steps, means, color=colour, linestyle=style, linewidth=1.6, label=label)


def _looks(rows: Rows, prefix: str) -> dict[str, tuple[str, Style]]:
    """Colour and style of line for each name behind a prefix; a name has the same behind both."""

    def behind(prefix: str) -> list[str]:
        return list(dict.fromkeys(key.removeprefix(prefix) for row in rows for key in row if key.startswith(prefix)))

    names = dict.fromkeys([*behind("judged/"), *sorted(behind("won/"))])
    rounds = len(_COLOURS)
    every = {who: (_COLOURS[at % rounds], _STYLES[at // rounds % len(_STYLES)]) for at, who in enumerate(names)}
    return {who: every[who] for who in every if who in behind(prefix)}


def _shares(axes: Axes, fair: float, beside: bool) -> None:
    axes.axhline(fair, color=_GREY, linestyle="--", linewidth=1.2, label="fair share")
    _percent(axes, 0.02)
    if beside:
        axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    else:
        _legend(axes)


def _percent(axes: Axes, below: float) -> None:
    """Shares from 0 to 1; `below`: room for a line along 0."""
    from matplotlib.ticker import PercentFormatter

    axes.set_ylim(-below, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def _legend(axes: Axes, *others: Axes) -> None:
    handles: list[Any] = []
    for one in (axes, *others):
        handles += one.get_legend_handles_labels()[0]
    if handles:
        axes.legend(handles=handles, fontsize=8, loc="best", framealpha=0.85)


def _dress(axes: Axes, rows: Rows) -> None:
    from matplotlib.ticker import EngFormatter

    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlim(0, max((row["steps"] for row in rows), default=1))
    axes.set_xlabel("learner steps", fontsize=9)
    axes.tick_params(labelsize=_TICKS)
    axes.grid(color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines["top"].set_visible(False)
