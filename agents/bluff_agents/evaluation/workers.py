"""Parts of a judgement shared out among processes; the results come in the order of the parts.

The processes are spawned, not forked: numba's and BLAS's threads do not survive a fork. Each loads the agents anew.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from bluff_agents.evaluation.results import EvaluationError
from bluff_agents.evaluation.shards import Job, Part, PartPlayed, play_part
from bluff_env.errors import BluffError

if TYPE_CHECKING:
    from bluff_agents import Agent

#: Makes the agents; called once in every process, so it and its arguments must be picklable.
Loader = Callable[[], Sequence["Agent"]]

MOST_WORKERS: Final = 1024
# Parts handed out beyond those a process is at, so that none waits.
_AHEAD: Final = 1


class Given:
    """A loader that brings along agents made elsewhere, which must be picklable."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self.agents = list(agents)

    def __call__(self) -> Sequence[Agent]:
        """The agents."""
        return self.agents


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_parts(job: Job, parts: Iterable[Part], loader: Loader, workers: int) -> Generator[PartPlayed]:
    """Plays the parts in other processes, a few ahead of what has been asked for. Yields the results in order.

    When whoever asks stops asking, or is interrupted, the processes are ended.

    Raises:
        EvaluationError: agents that cannot be handed to another process or fail there, or a process that died.
    """
    try:
        packed = pickle.dumps((job, loader))
    except Exception as error:  # whatever an agent of somebody's own makes of being pickled
        raise EvaluationError(f"workers: an agent cannot be handed to another process: {_text(error)}") from error
    context = multiprocessing.get_context("spawn")
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(packed,))
    waiting: deque[Future[PartPlayed | Exception]] = deque()
    ended = False
    try:
        for part in parts:
            with _no_interrupts():
                waiting.append(pool.submit(_play, part))
            if len(waiting) >= workers + _AHEAD:
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())
        ended = True
    except BrokenProcessPool:
        raise EvaluationError(
            "workers: a process ended unexpectedly; with less memory than --workers times one needs it would, and so "
            "it would in a script without `if __name__ == '__main__':`"
        ) from None
    finally:
        if not ended:
            for child in set(multiprocessing.active_children()) - before:
                child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _result(future: Future[PartPlayed | Exception]) -> PartPlayed:
    found = future.result()
    if isinstance(found, Exception):
        raise found
    return found


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Ctrl-C is heard afterwards. Processes begun within never hear it; this one ends them when it is interrupted."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- in the other process ----

_mine: dict[str, Any] = {}


def _begin(packed: bytes) -> None:
    """Called once. It must not fail: what went wrong is told when the first part is asked for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        job, loader = pickle.loads(packed)  # noqa: S301  # made by the process that began this one
        _mine["job"], _mine["agents"] = job, loader()
    except Exception as error:
        _mine["error"] = _told(error)


def _play(part: Part) -> PartPlayed | Exception:
    """A part played, or what went wrong; not raised, since pickled errors bring along another process's traceback."""
    if "error" in _mine:
        found: Exception = _mine["error"]
        return found
    try:
        return play_part(_mine["job"], _mine["agents"], part)
    except Exception as error:
        return _told(error)


def _told(error: Exception) -> Exception:
    """Our own errors as they are, others as one line."""
    if isinstance(error, BluffError):
        return EvaluationError(str(error))
    return EvaluationError(f"workers: {_text(error)}")


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
