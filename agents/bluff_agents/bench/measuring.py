"""Measuring: the median and spread of repeated short measurements, with the machine and versions they were made on.

What there is to measure stands in `catalogue`; `bluff bench` prints it.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

import bluff_env
from bluff_env.errors import BluffError

#: Called with the seconds to measure for; returns the numbers measured, one for each figure of its benchmark.
Measure = Callable[[float], tuple[float, ...]]
#: Sets up and warms up; returns what measures. Raises `Skip` where that cannot be measured here.
Prepare = Callable[[], Measure]

_PACKAGES: Final = ("numpy", "numba", "gymnasium", "pettingzoo")


@dataclass(frozen=True, slots=True)
class Target:
    """What a figure ought to reach, as the project set itself: at least `value`, or at most."""

    value: float
    at_most: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that a benchmark gives: its name, what it is, its unit, and what it ought to reach."""

    name: str
    what: str
    unit: str
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One thing to measure.

    Attributes:
        figures: what comes of it; `--only` calls it by the name of any of them.
        prepare: sets up and warms up; returns what measures. Raises `Skip` where it cannot be measured here.
        packages: distributions whose versions matter, beside those that always do.
        once: the number has no spread, so one measurement is enough.
        on_demand: measured only when asked for by name.
    """

    figures: tuple[Figure, ...]
    prepare: Prepare
    packages: tuple[str, ...] = ()
    once: bool = False
    on_demand: bool = False

    @property
    def what(self) -> str:
        """What its first figure is."""
        return self.figures[0].what


class BenchError(BluffError):
    """A benchmark that there is not, or that failed."""


class Skip(Exception):
    """Why a benchmark cannot be run here."""


@dataclass(slots=True)
class Result:
    """What came of one figure.

    Attributes:
        figure: what was measured.
        values: one number a repeat.
        skipped: why there are none, or nothing.
    """

    figure: Figure
    values: list[float] = field(default_factory=list)
    skipped: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        about: dict[str, Any] = {"name": self.figure.name, "what": self.figure.what, "unit": self.figure.unit}
        target = self.figure.target
        if target is not None:
            about |= {"target": target.value, "at_most": target.at_most}
        return {**about, "skipped": self.skipped} if self.skipped else {**about, **spread(self.values)}


def spread(values: Sequence[float]) -> dict[str, Any]:
    """Median, lowest and highest of some values, and the values."""
    return {"median": median(values), "low": min(values), "high": max(values), "values": list(values)}


def run(
    benchmark: Benchmark, repeats: int, seconds: float, on_repeat: Callable[[int], None] | None = None
) -> list[Result]:
    """Measures one benchmark.

    Args:
        benchmark: what to measure.
        repeats: how often.
        seconds: how long each time, about.
        on_repeat: told before each repeat which it is.

    Returns:
        One result for each of its figures.
    """
    results = [Result(figure) for figure in benchmark.figures]
    try:
        measure = benchmark.prepare()
        for repeat in range(1 if benchmark.once else repeats):
            if on_repeat is not None:
                on_repeat(repeat)
            for result, value in zip(results, measure(seconds), strict=True):
                result.values.append(value)
    except Skip as reason:
        for result in results:
            result.skipped = str(reason)
    return results


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """How many times theirs each of ours is, in pairs measured one after the other."""
    return [one / other for one, other in zip(ours, theirs, strict=True)]


def versions(more: Iterable[str] = ()) -> dict[str, str]:
    """Python and the packages the numbers depend on, with `more` of them where they are installed."""
    found = {"bluff-env": bluff_env.__version__, "python": platform.python_version()}
    for name in dict.fromkeys([*_PACKAGES, *more]):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def machine() -> dict[str, Any]:
    """The processor, how many of its cores this process may use, and how many programs want them at present."""
    told = {"cpu": _cpu(), "cores": cores(), "system": f"{platform.system()} {platform.machine()}"}
    if hasattr(os, "getloadavg"):
        told["load"] = round(os.getloadavg()[0], 1)
    return told


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Keeps this thread, and whatever threads it starts meanwhile, on one core, where the system can do that.

    For libraries that start a thread for every core.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})  # the first one tends to be the busier
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"
