"""Benchmarks of the start: from the import to the first step, in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import Final

import bluff_env
from bluff_agents.bench.measuring import BenchError, Benchmark, Figure, Measure, Target

_FIRST_STEP: Final = """
import time; begin = time.perf_counter()
import bluff_env
batch = bluff_env.GameBatch("bloff", games=2, seed=0)
batch.step(batch.random_actions())
print(time.perf_counter() - begin)
"""


class Start:
    """Import to first step in a process of its own, from a copy of the package: the user's compiled cache stays.

    The first time there is no compiled cache, later there is. The copy is deleted with the object.
    """

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="bluff-bench-"))
        weakref.finalize(self, shutil.rmtree, self.root, ignore_errors=True)
        package = Path(bluff_env.__file__).parent
        shutil.copytree(package, self.root / "bluff_env", ignore=shutil.ignore_patterns("__pycache__"))

    def seconds(self) -> float:
        """How long it takes now."""
        environment = {**os.environ, "PYTHONPATH": str(self.root), "XDG_CACHE_HOME": str(self.root)}
        done = subprocess.run(
            [sys.executable, "-c", _FIRST_STEP],
            env=environment,
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise BenchError(f"bench: the process that imports bluff_env failed: {done.stderr.strip()[-300:]}")
        return float(done.stdout)


def _fresh() -> Measure:
    return lambda seconds: (Start().seconds(),)


def _cached() -> Measure:
    start = Start()
    start.seconds()
    return lambda seconds: (start.seconds(),)


BENCHMARKS: Final = (
    Benchmark((Figure("start_cached", "import to first step, compiled before", "s", Target(2.0, True)),), _cached),
    Benchmark((Figure("start_fresh", "import to first step, no cache", "s", Target(30.0, True)),), _fresh),
)
