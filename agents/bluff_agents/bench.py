"""Measuring: the median and spread of repeated short measurements, with the machine and versions they were made on.

What there is to measure stands in `benchmarks`; `bluff bench` prints it.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

import bluff_env
from bluff_env.errors import BluffError

#: Called with the seconds to measure for; returns the number measured.
Measure = Callable[[float], float]

_PACKAGES: Final = ("numpy", "numba", "gymnasium", "pettingzoo")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One thing to measure.

    Attributes:
        name: what `--only` calls it.
        what: what is measured.
        unit: of its number.
        prepare: sets up and warms up; returns what measures. Raises `Skip` where it cannot be measured here.
    """

    name: str
    what: str
    unit: str
    prepare: Callable[[], Measure]


class BenchError(BluffError):
    """A benchmark that there is not, or that failed."""


class Skip(Exception):
    """Why a benchmark cannot be run here."""


@dataclass(slots=True)
class Result:
    """What a benchmark gave.

    Attributes:
        benchmark: what was measured.
        values: one number a repeat.
        skipped: why there are none, or nothing.
    """

    benchmark: Benchmark
    values: list[float] = field(default_factory=list)
    skipped: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        about = {"name": self.benchmark.name, "what": self.benchmark.what, "unit": self.benchmark.unit}
        if self.skipped:
            return {**about, "skipped": self.skipped}
        spread = {"median": median(self.values), "low": min(self.values), "high": max(self.values)}
        return {**about, **spread, "values": self.values}


def run(benchmark: Benchmark, repeats: int, seconds: float, on_repeat: Callable[[int], None] | None = None) -> Result:
    """Measures one benchmark.

    Args:
        benchmark: what to measure.
        repeats: how often.
        seconds: how long each time, about.
        on_repeat: told before each repeat which it is.
    """
    result = Result(benchmark)
    try:
        measure = benchmark.prepare()
        for repeat in range(repeats):
            if on_repeat is not None:
                on_repeat(repeat)
            result.values.append(measure(seconds))
    except Skip as reason:
        result.skipped = str(reason)
    return result


def versions() -> dict[str, str]:
    """Python and the packages the numbers depend on."""
    own = {"bluff-env": bluff_env.__version__, "python": platform.python_version()}
    return {**own, **{name: importlib.metadata.version(name) for name in _PACKAGES}}


def machine() -> dict[str, Any]:
    """The processor and how many of its cores this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"cpu": _cpu(), "cores": cores, "system": f"{platform.system()} {platform.machine()}"}


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"
