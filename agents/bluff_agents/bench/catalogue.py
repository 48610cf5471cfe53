"""All benchmarks, in the order they are run, and how to choose among them."""

from __future__ import annotations

from typing import Final

from bluff_agents.bench import engine, environments, learning, parts, players, starting
from bluff_agents.bench.measuring import BenchError, Benchmark
from bluff_agents.bench.peers import PEERS, Peer

#: What is our own.
BENCHMARKS: Final[tuple[Benchmark, ...]] = (
    *engine.BENCHMARKS,
    *environments.BENCHMARKS,
    *players.BENCHMARKS,
    *learning.BENCHMARKS,
    *starting.BENCHMARKS,
    *parts.BENCHMARKS,
)


def named(names: list[str], with_peers: bool = False) -> tuple[list[Benchmark], list[Peer]]:
    """The benchmarks and peers whose names begin with one of these words; if there are none, all but those on demand.

    A benchmark goes by the name of any of its figures.

    Args:
        names: the words.
        with_peers: all peers too, unless one of the words already chooses among them.

    Raises:
        BenchError: a word that no name begins with.
    """
    known = [*(figure.name for b in BENCHMARKS for figure in b.figures), *(peer.name for peer in PEERS)]
    for word in names:
        if not any(name.startswith(word) for name in known):
            raise BenchError(f"--only: no benchmark {word!r}; benchmarks: {', '.join(known)}")

    def chosen(name: str) -> bool:
        return any(name.startswith(word) for word in names)

    ours = [b for b in BENCHMARKS if any(chosen(figure.name) for figure in b.figures) or not (names or b.on_demand)]
    others = [peer for peer in PEERS if chosen(peer.name)]
    return ours, list(PEERS) if with_peers and not others else others
