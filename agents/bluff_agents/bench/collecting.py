"""Measuring all that was chosen, and the answer as plain data: what `bluff bench --json` prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bluff_agents.bench.curves import Curve
from bluff_agents.bench.measuring import Benchmark, Result, machine, run, versions
from bluff_agents.bench.peers import Peer

#: Told what is being measured.
Say = Callable[[str], None]


def collect(
    benchmarks: Sequence[Benchmark],
    peers: Sequence[Peer] = (),
    curves: Sequence[Curve] = (),
    *,
    repeats: int,
    seconds: float,
    say: Say = lambda text: None,
) -> dict[str, Any]:
    """Measures, one thing after the other.

    Args:
        benchmarks: ours.
        peers: other libraries.
        curves: what to go through.
        repeats: measurements of each.
        seconds: how long a measurement takes, about.
        say: told what is being measured.

    Returns:
        machine (as it was before), versions, repeats and seconds; results, one a figure; peers and curves, where there
        are any.
    """
    here = machine()  # with the load that others make, not ours
    results = [result.to_dict() for b in benchmarks for result in _run(b, repeats, seconds, say)]
    others = [peer.told(_run(peer.benchmark(), repeats, seconds, say)) for peer in peers]
    drawn = _through(curves, repeats, seconds, say)
    packages = [name for some in (*(b.packages for b in benchmarks), *(p.packages for p in peers)) for name in some]
    told: dict[str, Any] = {
        "machine": here,
        "versions": versions(packages),
        "repeats": repeats,
        "seconds": seconds,
        "results": results,
    }
    if peers:
        told["peers"] = others
    if curves:
        told["curves"] = drawn
    return told


def _run(benchmark: Benchmark, repeats: int, seconds: float, say: Say) -> list[Result]:
    say(f"{benchmark.what}: preparing")
    return run(benchmark, repeats, seconds, lambda repeat: say(f"{benchmark.what}: {repeat + 1} of {repeats}"))


def _through(curves: Sequence[Curve], repeats: int, seconds: float, say: Say) -> list[dict[str, Any]]:
    """Every point once, then every point again: what the machine does meanwhile hits neighbouring points alike."""
    for curve in curves:
        say(f"{curve.what}: preparing")
        curve.prepare()
    for repeat in range(repeats):
        for curve in curves:
            say(f"{curve.what}: {repeat + 1} of {repeats}")
            curve.measure(seconds)
    return [curve.to_dict() for curve in curves]
