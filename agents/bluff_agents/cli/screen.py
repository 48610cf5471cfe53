"""What the commands share in showing things: plain tables that fit 80 columns, with colour only on a terminal."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

#: Seconds before a bar is worth showing.
_A_MOMENT: Final = 1.0


def console(stderr: bool = False) -> Console:
    """A console that colours only what it is told to; 80 columns wide where it is no terminal."""
    return Console(highlight=False, markup=False, emoji=False, stderr=stderr)


def table(head: Sequence[str], rows: Iterable[Sequence[str | Text]], numbers: Iterable[int] = ()) -> Table:
    """A table without lines: the last column wraps, the others keep their width.

    Args:
        head: the columns' names.
        rows: the cells.
        numbers: the columns to set flush right.
    """
    right = set(numbers)
    made = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for at, name in enumerate(head):
        last = at == len(head) - 1
        made.add_column(name, no_wrap=not last, justify="right" if at in right else "left", overflow="fold")
    for row in rows:
        made.add_row(*row)
    return made


def show(*parts: RenderableType) -> None:
    """Prints tables and texts on stdout; without the blanks that fill up lines, which only files would keep."""
    screen = console()
    with screen.capture() as captured:
        for part in parts:
            screen.print(part)
    for line in captured.get().splitlines():
        print(line.rstrip())


def counted(number: int, word: str) -> str:
    """A number and what it counts: "1 game", "1,000 games"."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


@contextmanager
def progress(total: int | None, what: str) -> Iterator[Callable[[int], None]]:
    """A bar on stderr, shown only on a terminal and only when the work takes more than a moment.

    Args:
        total: how many there are to do; None: nobody knows.
        what: what is counted.

    Yields:
        A function to be told how many more are done.
    """
    screen = console(stderr=True)
    columns: list[ProgressColumn] = [TextColumn(what), BarColumn(), MofNCompleteColumn()]
    if total is not None:
        columns.append(TimeRemainingColumn())
    bar = Progress(*columns, console=screen, transient=True)
    task = bar.add_task("", total=total)
    begin = time.monotonic()

    def advance(done: int) -> None:
        bar.advance(task, done)
        if screen.is_terminal and not bar.live.is_started and time.monotonic() - begin > _A_MOMENT:
            bar.start()

    try:
        yield advance
    finally:
        if bar.live.is_started:
            bar.stop()


def say_json(data: Any) -> None:
    """Data for a program, on stdout."""
    print(json.dumps(data, ensure_ascii=False, indent=2))
