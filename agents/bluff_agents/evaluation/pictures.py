"""The pictures of a round robin, of behaviour and of calibration. Need matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from bluff_agents.evaluation.plots import BLUE, GREY, INK, ORANGE, short
from bluff_agents.evaluation.report import title, where_judged
from bluff_agents.evaluation.results import BehaviourResult, CalibrationResult, Evaluation, Ratio
from bluff_agents.evaluation.tables import ranked

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind people can tell apart.
COLOURS: Final = (BLUE, ORANGE, "#009e73", "#cc79a7", "#e69f00", "#56b4e9", INK)
_LIGHT: Final = "#e4e4e4"
# Agents whose behaviour one picture shows: more bars side by side cannot be told apart.
_MOST_BARS: Final = 7


def heat_map(evaluation: Evaluation) -> Figure:
    """Who beats whom: a row an agent alone, a column the copies it plays against; blue above the fair share."""
    from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

    e = evaluation
    names = [agent.name for _, agent, _ in ranked(e)]
    shares = {(m.one, m.rest): m for m in e.matchups}
    fair, size = 1 / e.rules.players, len(names)
    values = np.array([[shares[a, b].share if (a, b) in shares else np.nan for b in names] for a in names])
    longest = max(len(short(name)) for name in names)
    figure = _figure(2.2 + 0.085 * longest + 0.8 * size, 1.9 + 0.075 * longest + 0.62 * size)
    axes = figure.subplots()
    colours = LinearSegmentedColormap.from_list("share", [ORANGE, "#f7f7f7", BLUE])
    axes.set_facecolor("#e9e9e9")  # nobody plays against itself
    image = axes.imshow(values, cmap=colours, norm=TwoSlopeNorm(fair, 0, max(1.0, fair + 0.01)), aspect="auto")
    for row, column in np.ndindex(size, size):
        if not np.isnan(values[row, column]):
            told = shares[names[row], names[column]]
            sure = told.low > fair or told.high < fair
            far = values[row, column] > fair + 0.6 * (1 - fair) or values[row, column] < 0.35 * fair
            axes.text(
                column, row, _percent(told.share), ha="center", va="center",
                fontsize=9 if size <= 12 else 6.5, color="white" if far else INK, weight="bold" if sure else "normal",
            )  # fmt: skip
    labels = [short(name) for name in names]
    axes.set_xticks(range(size), labels, rotation=35 if longest > 6 else 0, ha="right" if longest > 6 else "center")
    axes.set_yticks(range(size), labels)
    rest = e.rules.players - 1
    axes.set_xlabel(f"against {rest} × this one" if rest > 1 else "against this one", fontsize=9.5, color=INK)
    axes.set_ylabel("one of", fontsize=9.5, color=INK)
    axes.tick_params(length=0, labelsize=9)
    axes.set_xticks(np.arange(size - 1) + 0.5, minor=True)
    axes.set_yticks(np.arange(size - 1) + 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="minor", length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.03, ticks=[0, fair, 1])
    bar.ax.set_yticklabels(["0 %", f"fair, {_percent(fair)} %", "100 %"], fontsize=8.5)
    bar.outline.set_visible(False)
    _title(figure, e, "Games won, %; bold: sure to be above or below fair")
    return figure


def standing_plot(evaluation: Evaluation) -> Figure:
    """Shares of wins, and ratings where there are any, with intervals, from the best down."""
    e = evaluation
    rows = ranked(e)
    panels = 2 if e.ratings else 1
    figure = _figure(7.5 if panels == 1 else 10, 1.6 + 0.42 * len(rows))
    drawn = figure.subplots(1, panels, sharey=True, squeeze=False)[0]
    shares = [(agent.share, agent.low, agent.high) for _, agent, _ in rows]
    _dots(drawn[0], shares, [low > e.fair or high < e.fair for _, low, high in shares])
    drawn[0].axvline(e.fair, color=ORANGE, linestyle="--", linewidth=1.5, zorder=2)
    drawn[0].set_xlim(left=min(0, drawn[0].get_xlim()[0]))
    _percent_axis(drawn[0], "x")
    drawn[0].set_xlabel(f"{where_judged(e).lower()}; dashed: fair", fontsize=9.5, color=INK)
    if e.ratings:
        _dots(drawn[1], [(r.rating, r.low, r.high) for _, _, r in rows if r is not None], [True] * len(rows))
        drawn[1].set_xlabel("Plackett–Luce rating (openskill)", fontsize=9.5, color=INK)
    drawn[0].set_yticks(range(len(rows)), [short(agent.name) for _, agent, _ in rows])
    drawn[0].set_ylim(len(rows) - 0.5, -0.5)
    for axes in drawn:
        _dress(axes, "x")
        axes.tick_params(axis="y", length=0)
    _title(figure, e, "with 95 % intervals")
    return figure


def behaviour_plot(evaluation: Evaluation) -> Figure:
    """Bluffs by hand size, with and without those that had to be; calls by claimed count and by cards left."""
    told = (evaluation.behaviour or ())[:_MOST_BARS]
    figure = _figure(11, 7.2)
    panels = figure.subplots(2, 2).ravel()
    texts = (
        ("bluff_by_hand", "plays that were bluffs", "cards in hand"),
        ("bluff_by_hand_truth_possible", "the same, where the truth was possible", "cards in hand"),
        ("call_by_count", "plays called, of those asked about", "cards claimed"),
        ("call_by_left", "plays called, of those asked about", "cards the accused had left"),
    )
    for axes, (group, text, along) in zip(panels, texts, strict=True):
        _bars(axes, told, group)
        axes.set_title(text, fontsize=10, color=INK)
        axes.set_xlabel(along, fontsize=9, color=INK)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(told)), fontsize=9, frameon=False)
    _title(figure, evaluation, _shown(evaluation))
    return figure


def outcome_plot(evaluation: Evaluation) -> Figure:
    """How plays and calls turned out: bluffs caught, truths doubted, calls that were right."""
    told = (evaluation.behaviour or ())[:_MOST_BARS]
    figure = _figure(11, 4.2)
    left, right = figure.subplots(1, 2, width_ratios=(3, 4))
    labels = {"caught": "its bluffs\ncalled", "doubted": "its truths\ncalled", "right": "its calls\nright"}
    rows = [BehaviourResult(one.name, {"outcome": {name: one.groups[name][""] for name in labels}}) for one in told]
    _bars(left, rows, "outcome", labels)
    _bars(right, told, "right_by_count")
    left.set_title("how plays and calls turned out", fontsize=10, color=INK)
    right.set_title("calls that were right", fontsize=10, color=INK)
    right.set_xlabel("cards claimed", fontsize=9, color=INK)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(told)), fontsize=9, frameon=False)
    _title(figure, evaluation, _shown(evaluation))
    return figure


def calibration_plot(evaluation: Evaluation) -> Figure:
    """A panel an agent: how often it won against the chance it gave itself; below, how often it gave which."""
    told = evaluation.calibration or ()
    columns = min(3, len(told))
    rows = -(-len(told) // columns)
    figure = _figure(0.8 + 3.5 * columns, 0.9 + 3.9 * rows)
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in panels[len(told) :]:
        axes.set_visible(False)
    for axes, one in zip(panels, told, strict=False):
        _reliability(axes, one)
    _title(figure, evaluation, "chances at the beginning of a turn")
    return figure


def _shown(e: Evaluation) -> str:
    """What the bars show, and whose they are where there are too many agents."""
    left_out = len(e.behaviour or ()) - _MOST_BARS
    return "with 95 % intervals" + (f"; {left_out} more agents are in the numbers" if left_out > 0 else "")


def _reliability(axes: Axes, told: CalibrationResult) -> None:
    axes.plot([0, 1], [0, 1], color=ORANGE, linestyle="--", linewidth=1.3, label="as foretold", zorder=2)
    axes.axhline(told.won.value or 0, color=GREY, linestyle=":", linewidth=1.2, label="won on average", zorder=2)
    most = max(one.won.of for one in told.bins)
    for one in told.bins:
        width = one.below - one.above
        axes.bar(one.above + width / 2, 0.18 * one.won.of / most, width=0.9 * width, color="#c9d7e2", zorder=1)
    shown = [one for one in told.bins if one.won.of]
    _error_bars(axes, [one.foretold or 0 for one in shown], [one.won for one in shown], BLUE, "o-", "won")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    _percent_axis(axes, "x")
    _percent_axis(axes, "y")
    axes.set_title(f"{short(told.name)}\nBrier {told.brier.value:.3f} (constant {told.constant:.3f})", fontsize=9.5)
    axes.set_xlabel("chance it gave itself (bars: how often)", fontsize=9, color=INK)
    axes.set_ylabel("won", fontsize=9, color=INK)
    axes.legend(fontsize=8, loc="upper left", frameon=False)
    _dress(axes, "both")


def _bars(axes: Axes, told: Sequence[BehaviourResult], group: str, labels: Mapping[str, str] | None = None) -> None:
    """Bars side by side, an agent a colour, with intervals. Nothing stands where nothing was counted."""
    words = [word for word in told[0].groups[group] if any(one.groups[group][word].of for one in told)]
    width = 0.82 / max(1, len(told))
    for at, one in enumerate(told):
        ratios = [one.groups[group][word] for word in words]
        places = [x - 0.41 + (at + 0.5) * width for x in range(len(words))]
        heights = [ratio.value or 0 for ratio in ratios]
        axes.bar(places, heights, 0.92 * width, color=COLOURS[at], alpha=0.55, label=short(one.name), zorder=2)
        shown = [(x, ratio) for x, ratio in zip(places, ratios, strict=True) if ratio.of]
        _error_bars(axes, [x for x, _ in shown], [ratio for _, ratio in shown], COLOURS[at], "none", None)
    axes.set_xticks(range(len(words)), [labels[word] if labels else word for word in words])
    axes.set_ylim(0, 1.02)
    _percent_axis(axes, "y")
    _dress(axes, "y")


def _error_bars(
    axes: Axes, places: Sequence[float], ratios: Sequence[Ratio], colour: str, style: str, label: str | None
) -> None:
    middle = [ratio.value or 0 for ratio in ratios]
    below = [max(0.0, value - (ratio.low or 0)) for value, ratio in zip(middle, ratios, strict=True)]
    above = [max(0.0, (ratio.high or 0) - value) for value, ratio in zip(middle, ratios, strict=True)]
    axes.errorbar(
        places, middle, yerr=[below, above], fmt=style, color=colour, markersize=4, linewidth=1.4, elinewidth=1.3,
        capsize=2, zorder=3, label=label, clip_on=False,
    )  # fmt: skip


def _dots(axes: Axes, rows: Sequence[tuple[float, float, float]], sure: Sequence[bool]) -> None:
    for at, ((value, low, high), certain) in enumerate(zip(rows, sure, strict=True)):
        axes.errorbar(
            [value], [at], xerr=[[max(0.0, value - low)], [max(0.0, high - value)]], fmt="o", markersize=5,
            color=BLUE if certain else GREY, linewidth=1.8, capsize=4, capthick=1.8, zorder=4,
        )  # fmt: skip


def _percent_axis(axes: Axes, which: str) -> None:
    from matplotlib.ticker import PercentFormatter

    (axes.xaxis if which == "x" else axes.yaxis).set_major_formatter(PercentFormatter(1.0, decimals=None, symbol=" %"))


def _percent(share: float) -> str:
    return f"{100 * share:.0f}" if share in (0, 1) else f"{100 * share:.1f}"


def _dress(axes: Axes, grid: str) -> None:
    axes.grid(axis=grid, color=_LIGHT, linewidth=0.8)  # type: ignore[arg-type]  # a text that it takes
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=8.5)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=150, layout="constrained")


def _title(figure: Figure, e: Evaluation, more: str) -> None:
    figure.suptitle(f"{title(e)}, {e.deals:,} deals, {e.games:,} games\n{more}", fontsize=10.5, color=INK)
