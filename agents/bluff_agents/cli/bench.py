"""`bluff bench`: how fast everything is on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.text import Text

from bluff_agents.cli.common import JsonOption
from bluff_agents.cli.screen import console, say_json, show, table


def bench(
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="Only those whose names begin so (may be repeated)."),
    ] = None,
    repeats: Annotated[int, typer.Option("--repeats", metavar="N", min=1, help="Measurements of each.")] = 5,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", min=0.0, help="How long a measurement takes, about.")
    ] = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Measure speeds: the median and spread of repeated measurements."""
    from bluff_agents.bench import machine, run, versions
    from bluff_agents.benchmarks import named

    chosen = named(only or [])
    results = []
    with _status() as say:
        for b in chosen:
            say(f"{b.what}: preparing")

            def on_repeat(repeat: int, what: str = b.what) -> None:
                say(f"{what}: {repeat + 1} of {repeats}")

            results.append(run(b, repeats, seconds, on_repeat))
    packages, here = versions(), machine()
    if as_json:
        told = [result.to_dict() for result in results]
        say_json({"machine": here, "versions": packages, "repeats": repeats, "seconds": seconds, "results": told})
        return
    rows: list[tuple[str | Text, ...]] = []
    for result in results:
        b, found = result.benchmark, result.to_dict()
        name = Text(b.name, "cyan")
        if result.skipped:
            rows.append((name, "–", "", "", f"{b.what}: {result.skipped}"))
        else:
            spread = f"{number(found['low'])} – {number(found['high'])}"
            rows.append((name, Text(number(found["median"]), "bold"), spread, b.unit, b.what))
    show(
        table(("benchmark", "median", "min – max", "unit", "what"), rows, numbers=(1, 2)),
        Text(f"\n{repeats} measurements each. {here['cpu']}, {here['cores']} cores, {here['system']}."),
        Text(", ".join(f"{name} {version}" for name, version in packages.items()) + "."),
    )


def number(value: float) -> str:
    """A measurement with the three digits that mean something: "9.87 M", "223 k", "0.410"."""
    for unit, size in ((" M", 1e6), (" k", 1e3)):
        if value >= 0.9995 * size:
            return f"{_digits(value / size)}{unit}"
    return _digits(value)


def _digits(value: float) -> str:
    return f"{value:,.{0 if value >= 99.95 else 1 if value >= 9.995 else 2 if value >= 0.9995 else 3}f}"


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
