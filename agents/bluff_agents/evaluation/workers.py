"""Parts of a judgement shared out among processes; the results come in the order of the parts.

The processes are spawned, not forked: numba's and BLAS's threads do not survive a fork. Each loads the agents anew.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Final, cast

from bluff_agents.evaluation.results import EvaluationError
from bluff_agents.evaluation.shards import Job, Part, PartPlayed, play_part
from bluff_env.errors import BluffError

if TYPE_CHECKING:
    from bluff_agents import Agent

#: Makes the agents; called once in every process, so it and its arguments must be picklable.
Loader = Callable[[], Sequence["Agent"]]

MOST_WORKERS: Final = 1024
# Parts a process may be ahead of the result that is due, so that a slow one keeps nobody waiting.
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

    When whoever asks stops asking, or is interrupted, the processes are ended, whatever they are at. So each has a pipe
    of its own: with a queue that they share, as in `concurrent.futures`, the reader would wait for ever for the rest
    of a result whose writer was ended in the middle.

    Raises:
        EvaluationError: agents that cannot be handed to another process or fail there, or a process that died.
    """
    try:
        packed = pickle.dumps((job, loader))
    except Exception as error:  # whatever an agent of somebody's own makes of being pickled
        raise EvaluationError(f"workers: an agent cannot be handed to another process: {_text(error)}") from error
    team: list[_Worker] = []
    try:
        for _ in range(workers):
            team.append(_Worker(packed))
        yield from _in_order(team, iter(parts))
    except (EOFError, OSError):
        raise EvaluationError(
            "workers: a process ended unexpectedly; with less memory than --workers times one needs it would, and so "
            "it would in a script without `if __name__ == '__main__':`"
        ) from None
    finally:
        for worker in team:
            worker.end()


class _Worker:
    """A process that plays parts, and this end of the pipe to it."""

    def __init__(self, packed: bytes) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=_serve, args=(there, packed), daemon=True)
        with _no_interrupts():
            self.process.start()
        there.close()  # else nobody would notice when the process ends

    def end(self) -> None:
        """Ends the process and waits until it has ended."""
        self.process.terminate()
        self.process.join()
        self.pipe.close()


def _in_order(team: Sequence[_Worker], parts: Iterator[Part]) -> Iterator[PartPlayed]:
    """Hands a part to whoever has none, and the results on in the order of the parts."""
    idle = list(team)
    at: dict[Connection, tuple[_Worker, int]] = {}  # who is at which part
    found: dict[int, PartPlayed] = {}  # results that are not due yet
    begun = due = 0
    while True:
        while idle and begun < due + len(team) * (1 + _AHEAD):
            part = next(parts, None)
            if part is None:
                break
            worker = idle.pop()
            worker.pipe.send(part)
            at[worker.pipe], begun = (worker, begun), begun + 1
        if due in found:
            yield found.pop(due)
            due += 1
            continue
        if not at:
            return
        for pipe in wait(list(at)):
            result = cast("Connection", pipe).recv()
            worker, number = at.pop(cast("Connection", pipe))
            if isinstance(result, Exception):
                raise result
            found[number] = result
            idle.append(worker)


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


def _serve(pipe: Connection, packed: bytes) -> None:
    """Plays part after part, until this process is ended or the other one is gone.

    What goes wrong is sent, not raised.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, OSError):
        try:
            job, loader = pickle.loads(packed)  # noqa: S301  # made by the process that began this one
            agents = loader()
        except Exception as error:
            pipe.recv()
            pipe.send(_told(error))
            return
        while True:
            pipe.send(_played(job, agents, pipe.recv()))


def _played(job: Job, agents: Sequence[Agent], part: Part) -> PartPlayed | Exception:
    try:
        return play_part(job, agents, part)
    except Exception as error:
        return _told(error)


def _told(error: Exception) -> Exception:
    """Our own errors as they are, others as one line."""
    if isinstance(error, BluffError):
        return EvaluationError(str(error))
    return EvaluationError(f"workers: {_text(error)}")


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
