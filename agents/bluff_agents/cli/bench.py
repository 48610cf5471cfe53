"""`bluff bench`: how fast everything is on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from bluff_agents.cli.common import JsonOption
from bluff_agents.cli.screen import console, counted, say_json, show, table


def bench(
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="Only those whose names begin so (may be repeated)."),
    ] = None,
    peers: Annotated[
        bool, typer.Option("--peers", help="Other libraries too, turn about with ours: those that are installed.")
    ] = False,
    curves: Annotated[
        Path | None,
        typer.Option(
            "--curves", metavar="FOLDER", help="Speed against batch size and seats too: two pictures and the numbers."
        ),
    ] = None,
    repeats: Annotated[int, typer.Option("--repeats", metavar="N", min=1, help="Measurements of each.")] = 5,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", min=0.0, help="How long a measurement takes, about.")
    ] = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Measure speeds: the median and spread of repeated measurements.

    For example:

    bluff bench

    bluff bench --json --seconds 0.2
    """
    from bluff_agents.bench.catalogue import named
    from bluff_agents.bench.collecting import collect
    from bluff_agents.bench.curves import all_curves
    from bluff_agents.bench.plots import check_folder, save_plots

    ours, others = named(only or [], peers)
    if curves is not None:
        check_folder(curves)
    with _status() as say:
        through = [] if curves is None else all_curves()
        told = collect(ours, others, through, repeats=repeats, seconds=seconds, say=say)
    written = [] if curves is None else save_plots(told, curves)
    if as_json:
        say_json(told)
    else:
        show(*_report(told), *(f"Written: {path}" for path in written))


def _report(told: dict[str, Any]) -> Iterator[RenderableType]:
    from bluff_agents.bench.showing import machine_text, versions_text

    if told["results"]:
        yield _table(told["results"])
    if told.get("peers"):
        if told["results"]:
            yield ""
        yield _peers(told["peers"])
    measurements = counted(told["repeats"], "measurement")
    yield Text(f"\n{measurements} of each. {machine_text(told)}.")
    yield Text(f"{versions_text(told)}.")


def _table(results: Sequence[dict[str, Any]]) -> RenderableType:
    from bluff_agents.bench.showing import between, missed, number, target_text

    rows: list[tuple[str | Text, ...]] = []
    for found in results:
        name, target = Text(found["name"], "cyan"), target_text(found)
        if "skipped" in found:
            rows.append((name, "–", "", target, f"{found['what']}: {found['skipped']}"))
            continue
        spread = between(found["low"], found["high"]) if len(found["values"]) > 1 else ""
        sign, unit = (" ×", "") if found["unit"] == "×" else ("", f", {found['unit']}")
        median = Text(number(found["median"]) + sign, "bold yellow" if missed(found) else "bold")
        rows.append((name, median, spread, target, found["what"] + unit))
    return table(("benchmark", "median", "min – max", "target", "what"), rows, numbers=(1, 2, 3))


def _peers(peers: Sequence[dict[str, Any]]) -> RenderableType:
    """A line for each peer and each form of ours that it is compared with."""
    from bluff_agents.bench.showing import between, number

    rows: list[tuple[str | Text, ...]] = []
    for peer in peers:
        if "skipped" in peer:
            rows.append(("–", "", "", "", "", f"{peer['what']}: {peer['skipped']}"))
        for at, one in enumerate(peer.get("ours", ())):
            ratio = one["ratio"]
            rows.append(
                (
                    number(peer["median"]) if at == 0 else "",
                    number(one["median"]),
                    Text(f"{number(ratio['median'])} ×", "bold"),
                    between(ratio["low"], ratio["high"]),
                    Text(one["name"], "cyan"),
                    peer["what"] if at == 0 else "",
                )
            )
    return table(("theirs", "ours", "ratio", "min – max", "ours is", "theirs is"), rows, numbers=(0, 1, 2, 3))


@contextmanager
def _status() -> Iterator[Callable[[str], None]]:
    """What is being measured, on stderr, where that is a terminal. Nothing moves: that would be measured too."""
    screen = console(stderr=True)

    def say(text: str) -> None:
        if screen.is_terminal:
            screen.file.write(f"\r\x1b[K{text}")
            screen.file.flush()

    try:
        yield say
    finally:
        say("")
