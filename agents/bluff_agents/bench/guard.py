"""CI's guard against the engine getting slower: not a timed test, but a ratio to a yardstick measured in the same run.

`scripts/guard` runs it. The yardstick is a fixed piece of numpy's work of the engine's kind: rows of small numbers
copied in another order, added up and compared. It is measured right before and after each measurement of the engine, so
that a slow or busy machine slows both, and the median of several such ratios is compared with the one recorded in
.ci/speed.json. Only less than half of that fails: machines differ, and so do numpy's versions.

After a change that makes the engine faster or slower on purpose: `scripts/guard --record`, on a quiet machine.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np

from bluff_agents.bench.engine import GAMES
from bluff_agents.bench.loops import Loop, batch_loop, per_second
from bluff_agents.bench.measuring import BenchError, machine, versions
from bluff_agents.bench.showing import between, number
from bluff_agents.evaluation.files import whole
from bluff_env.errors import BluffError

#: A ratio below this share of the recorded one fails.
LEAST: Final = 0.5

_ROOT: Final = Path(__file__).resolve().parents[3]
_COMMAND: Final = "scripts/guard"
_WIDTH: Final = 250  # numbers in a row, about an observation of bloff
_ROUNDS, _SECONDS = 7, 0.15

#: What is guarded: how it is prepared, and how many rows the yardstick beside it has.
_GUARDED: Final[Mapping[str, tuple[Callable[[], Loop], int]]] = {
    "batch": (partial(batch_loop, "bloff", GAMES), GAMES),
    "batch_bluffstopp": (partial(batch_loop, "bluffstopp", GAMES), GAMES),
    "one": (partial(batch_loop, "bloff", 1), 1),
}

#: Ratios by what is guarded: agent-steps in the time of one pass of the yardstick, one a round.
Ratios = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is guarded, its median ratio with the lowest and the highest, and the recorded one."""

    name: str
    ratio: float
    low: float
    high: float
    recorded: float

    @property
    def passed(self) -> bool:
        """Is it at least half of what was recorded?"""
        return self.ratio >= LEAST * self.recorded

    def __str__(self) -> str:
        share = f"{self.ratio / self.recorded:.2f} of the recorded {number(self.recorded)}"
        spread = f"{number(self.ratio)} ({between(self.low, self.high)})"
        return f"{self.name}: {spread} agent-steps a yardstick, {share}: {'good' if self.passed else 'TOO SLOW'}"


def yardstick(rows: int) -> Loop:
    """Passes over (rows, 250) int8: copied in another order, counted up, compared. Counts passes."""
    rng = np.random.default_rng(0)
    table = rng.integers(0, 4, (rows, _WIDTH), dtype=np.int8)
    order, column = rng.permutation(rows), rng.permutation(_WIDTH)
    moved, sums = np.empty_like(table), np.empty_like(table)
    passes = max(1, GAMES // rows // 8)

    def loop() -> int:
        for _ in range(passes):
            moved[:] = table[order]
            np.cumsum(moved, axis=1, out=sums)
            table[:, column[0]] = sums.argmax(axis=1) & 3
            moved[sums > 2] = 0
        return passes

    loop()
    return loop


def measure(rounds: int = _ROUNDS, seconds: float = _SECONDS) -> dict[str, list[float]]:
    """The ratios of everything guarded, one a round, the yardstick before and after each."""
    ready = {name: (make(), yardstick(rows)) for name, (make, rows) in _GUARDED.items()}
    ratios: dict[str, list[float]] = {name: [] for name in ready}
    for _ in range(rounds):
        for name, (loop, stick) in ready.items():
            before = per_second(stick, seconds / 2)
            speed = per_second(loop, seconds)
            after = per_second(stick, seconds / 2)
            ratios[name].append(speed / ((before + after) / 2))
    return ratios


def judge(ratios: Ratios, recorded: Mapping[str, float]) -> list[Verdict]:
    """A verdict on everything measured.

    Raises:
        BenchError: nothing is recorded for one of them.
    """
    for name in ratios:
        if name not in recorded:
            raise BenchError(f"nothing is recorded for {name!r}; {_COMMAND} --record")
    return [Verdict(name, median(some), min(some), max(some), recorded[name]) for name, some in ratios.items()]


def read(path: Path) -> dict[str, float]:
    """The recorded ratios.

    Raises:
        BenchError: no such file, or not one of those.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["ratios"]
        ratios = {str(name): float(ratio) for name, ratio in found.items()}
    except FileNotFoundError:
        raise BenchError(f"{path}: no such file; {_COMMAND} --record writes it") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BenchError(f"{path}: holds no recorded ratios; {_COMMAND} --record writes it anew") from None
    for name, ratio in ratios.items():
        if not 0 < ratio < float("inf"):
            raise BenchError(f"{path}: {name}: {ratio} found; a number above 0 expected")
    return ratios


def record(path: Path, ratios: Ratios) -> dict[str, float]:
    """Writes the medians down, with where they were measured; gives them."""
    medians = {name: float(f"{median(some):.4g}") for name, some in ratios.items()}
    told: dict[str, Any] = {
        "about": f"Agent-steps in the time of one pass of the numpy yardstick. Written by {_COMMAND} --record.",
        "ratios": medians,
        "machine": machine(),
        "versions": versions(),
    }
    with whole(path) as temporary:
        temporary.write_text(json.dumps(told, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return medians


def main(
    argv: Sequence[str] | None = None, path: Path = _ROOT / ".ci" / "speed.json", measured: Ratios | None = None
) -> int:
    """Measures, prints every ratio beside the recorded one; exit status 1 when one is less than half of it.

    Args:
        argv: nothing, or `--record`: writes down what was measured instead of judging it.
        path: the recorded ratios.
        measured: ratios to judge instead of measuring.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments not in ([], ["--record"]):
        print(f"usage: {_COMMAND} [--record]", file=sys.stderr)
        return 2
    try:
        known = {} if arguments else read(path)  # a faulty file is refused before anything is measured
        ratios = measure() if measured is None else measured
        if arguments:
            known = record(path, ratios)
        verdicts = judge(ratios, known)
    except BluffError as error:
        print(f"{_COMMAND}: {error}", file=sys.stderr)
        return 2
    print(*verdicts, sep="\n")
    if all(verdict.passed for verdict in verdicts):
        return 0
    print(f"{_COMMAND}: slower than half of what {path} records", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
