"""How far a run is, on stderr: a bar on a terminal, elsewhere a plain line now and then."""

from __future__ import annotations

import sys
import time
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

#: Seconds between two plain lines.
LINE_EVERY: Final = 20.0
# Seconds over which the speed is taken.
_WINDOW: Final = 30.0


class Meter:
    """Shows steps, steps per second and the time left.

    Args:
        name: what is being trained.
        total: steps at the end.
        begin: steps at the beginning.
    """

    def __init__(self, name: str, total: int, begin: int = 0) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._name, self._total, self._said = name, total, ""
        self._marks: list[tuple[float, int]] = []  # pairs (time, steps) within the window
        self._next_line = time.monotonic() + LINE_EVERY
        self._bar: Progress | None = None
        self._task: Any = None
        if self._console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[speed]}"),
                TextColumn("{task.fields[said]}", style="dim"), console=self._console, transient=True,
            )  # fmt: skip
            self._task = self._bar.add_task(name, total=total, completed=begin, speed="", said="")
            self._bar.start()

    def update(self, steps: int) -> None:
        """The run is at `steps`."""
        now = time.monotonic()
        if not self._marks:
            self._marks.append((now, steps))  # not before: the first step may wait for the engine to be compiled
        elif now > self._marks[-1][0] + 0.5:
            self._marks = [mark for mark in self._marks if mark[0] > now - _WINDOW] or self._marks[-1:]
            self._marks.append((now, steps))
        if self._bar is not None:
            self._bar.update(self._task, completed=min(steps, self._total), speed=self._speed_text(steps))
        elif now >= self._next_line:
            self._next_line = now + LINE_EVERY
            share = min(1.0, steps / self._total)
            line = f"{self._name}: {steps:,} of {self._total:,} steps ({share:.0%}), {self._speed_text(steps)}"
            print(f"{line}; {self._said}" if self._said else line, file=sys.stderr, flush=True)

    def pause(self, seconds: float) -> None:
        """Leaves a stretch of time, such as an evaluation, out of the speed."""
        self._marks = [(at + seconds, steps) for at, steps in self._marks]

    def say(self, text: str) -> None:
        """A few words beside the bar."""
        self._said = text
        if self._bar is not None:
            self._bar.update(self._task, said=text)

    def close(self) -> None:
        """Removes the bar."""
        if self._bar is not None:
            self._bar.stop()

    def _speed_text(self, steps: int) -> str:
        (begin, first), (end, last) = self._marks[0], self._marks[-1]
        if end <= begin or last <= first:
            return "starting"
        speed = (last - first) / (end - begin)
        left = int(max(0, self._total - steps) / speed)
        clock = (
            f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}" if left >= 3600 else f"{left // 60}:{left % 60:02}"
        )
        return f"{speed:,.0f} steps/s, {clock} left"
