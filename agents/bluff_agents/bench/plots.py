"""The pictures of `bluff bench --curves`: speed against batch size and against seats. Needs matplotlib."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bluff_agents.bench.curves import BATCH_SIZE, SEATS
from bluff_agents.bench.measuring import BenchError
from bluff_agents.bench.showing import machine_text
from bluff_agents.evaluation.files import check_target, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: What is written into the folder.
BY_BATCH, BY_SEATS, NUMBERS = "speed_by_batch.png", "speed_by_seats.png", "speed_curves.json"

# Okabe and Ito's colours, which colour-blind people can tell apart.
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
_GREY, _INK = "#8a8a8a", "#222222"
# How far apart names are put: times the speed of the one below.
_APART: Final = 1.32


def check_folder(folder: Path) -> None:
    """Refuses, before anything is measured, a folder that could not be written to afterwards; makes it if need be.

    Raises:
        BenchError: no matplotlib, or no such folder and none can be made.
        EvaluationError: a file in it that cannot be replaced.
    """
    if find_spec("matplotlib") is None:
        raise BenchError("--curves: needs matplotlib, which is not installed: pip install 'bluff-env[train]'")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BenchError(f"--curves: {folder}: cannot be made: {error.strerror or error}") from None
    for name in (BY_BATCH, BY_SEATS, NUMBERS):
        check_target(folder / name, overwrite=True)


def save_plots(told: Mapping[str, Any], folder: Path, numbers: bool = True) -> list[Path]:
    """Writes both pictures, and the numbers behind them if wanted; the paths.

    Args:
        told: what `collect` gives.
        folder: where to.
        numbers: write the numbers too.
    """
    written = [folder / BY_BATCH, folder / BY_SEATS]
    for path, figure in zip(written, (draw_by_batch(told), draw_by_seats(told)), strict=True):
        with whole(path) as temporary:
            figure.savefig(temporary, format="png")
    if numbers:
        behind = {key: told[key] for key in ("machine", "versions", "repeats", "seconds", "curves")}
        written.append(folder / NUMBERS)
        with whole(written[-1]) as temporary:
            temporary.write_text(json.dumps(behind, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return written


def draw_by_batch(told: Mapping[str, Any]) -> Figure:
    """Speed against the number of games in the batch, both logarithmic, with the peers that were measured."""
    from matplotlib.ticker import EngFormatter, FixedLocator, NullLocator

    figure, axes = _figure(told, "GameBatch: step, observation, mask and a random legal action")
    sizes = _draw(axes, [curve for curve in told["curves"] if curve["along"] == BATCH_SIZE])
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    peers = [peer for peer in told.get("peers", ()) if "median" in peer]
    _draw_peers(axes, peers)
    axes.xaxis.set_major_locator(FixedLocator(sizes))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_major_formatter(EngFormatter(sep=" "))
    axes.set_xlim(sizes[0] / 1.5, sizes[-1] * 2)
    axes.set_xlabel(BATCH_SIZE, fontsize=9.5, color=_INK)
    axes.grid(axis="y", which="minor", color="#f2f2f2", linewidth=0.6)
    axes.legend(fontsize=9, loc="lower right", frameon=False)
    return figure


def draw_by_seats(told: Mapping[str, Any]) -> Figure:
    """Speed against the number of seats."""
    from matplotlib.ticker import EngFormatter, FixedLocator

    figure, axes = _figure(told, "GameBatch by seats, 1,024 games")
    seats = _draw(axes, [curve for curve in told["curves"] if curve["along"] == SEATS])
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(FixedLocator(seats))
    axes.yaxis.set_major_formatter(EngFormatter(sep=" "))
    axes.set_xlabel(SEATS, fontsize=9.5, color=_INK)
    axes.legend(fontsize=9, loc="best", frameon=False)
    return figure


def _figure(told: Mapping[str, Any], title: str) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.8), dpi=150, layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, fontsize=11, color=_INK, pad=22)
    beneath = f"median and range of {told['repeats']}; {machine_text(told)}"
    axes.annotate(
        beneath, (0.5, 1), (0, 7), "axes fraction", textcoords="offset points", ha="center", fontsize=8, color=_GREY
    )
    axes.set_ylabel("agent-steps a second", fontsize=9.5, color=_INK)
    axes.tick_params(labelsize=8.5)
    axes.grid(color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def _draw(axes: Axes, curves: Sequence[Mapping[str, Any]]) -> list[int]:
    """The curves; all places along them."""
    places: set[int] = set()
    for curve, colour in zip(curves, _COLOURS, strict=False):
        at = [point["at"] for point in curve["points"]]
        low, high, median = ([point[key] for point in curve["points"]] for key in ("low", "high", "median"))
        axes.fill_between(at, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(at, median, "o-", color=colour, markersize=4, linewidth=1.6, label=curve["what"], zorder=3)
        places |= set(at)
    return sorted(places)


def _draw_peers(axes: Axes, peers: Sequence[Mapping[str, Any]]) -> None:
    """A grey diamond for each peer at the number of its games, named beside it, names kept apart."""
    for games in sorted({peer["games"] for peer in peers}):
        here = sorted((peer for peer in peers if peer["games"] == games), key=lambda peer: float(peer["median"]))
        beside = 0.0
        for peer in here:
            value = float(peer["median"])
            beside = max(value, _APART * beside)
            axes.annotate(
                peer["what"].partition(",")[0], (1.25 * games, beside), va="center", fontsize=7, color=_INK, zorder=5,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5},
            )  # fmt: skip
    if peers:
        at, speed = [peer["games"] for peer in peers], [peer["median"] for peer in peers]
        axes.plot(at, speed, "D", color=_GREY, markersize=4.5, zorder=4, label="other libraries")
