"""`bluff check`: is every game of these files played by the rules?"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from bluff_agents.cli.common import JsonOption
from bluff_agents.cli.screen import counted, progress, say_json
from bluff_env.errors import RecordError
from bluff_env.record import check_record, read_lines

_FAULTY, _UNREADABLE = 1, 2  # exit statuses


@dataclass(frozen=True, slots=True)
class _Fault:
    """The first fault of one game: where, and what was expected."""

    line: int
    text: str

    def to_dict(self) -> dict[str, Any]:
        place = re.match(r"deal (\d+)(?:, event (\d+))?: ", self.text)
        deal, event = place.groups() if place else (None, None)
        return {
            "line": self.line,
            "deal": None if deal is None else int(deal),
            "event": None if event is None else int(event),
            "fault": self.text,
        }


@dataclass(slots=True)
class _Checked:
    """What was found in one file.

    Attributes:
        path: the file.
        good: games without a fault.
        faults: one for every other game.
        cut_short: reading stopped at the last fault, which is no JSON.
        unreadable: why the file could not be read at all, or nothing.
    """

    path: Path
    good: int = 0
    faults: list[_Fault] = field(default_factory=list)
    cut_short: bool = False
    unreadable: str = ""

    @property
    def status(self) -> int:
        return _UNREADABLE if self.unreadable else _FAULTY if self.faults else 0

    def to_dict(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "good": self.good,
            "faults": [fault.to_dict() for fault in self.faults],
            "unreadable": self.unreadable or None,
        }

    def summary(self) -> str:
        if self.cut_short:
            return f"{self.path}: {counted(self.good, 'game')} good; nothing was read after line {self.faults[-1].line}"
        if self.faults:
            return f"{self.path}: {self.good} of {counted(self.good + len(self.faults), 'game')} good"
        return f"{self.path}: {counted(self.good, 'game')}, all good"


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files of game records.")],
    as_json: JsonOption = False,
) -> None:
    """Check that every game in these files was played by the rules.

    For example:

    bluff check games.jsonl

    bluff check *.jsonl
    """
    found = []
    with progress(None, "games") as advance:
        for path in files:
            checked = _check_file(path, advance)
            found.append(checked)
            if not as_json:
                _say(checked)
    if as_json:
        say_json({"files": [checked.to_dict() for checked in found]})
    raise typer.Exit(max(checked.status for checked in found))


def _check_file(path: Path, advance: Callable[[int], None]) -> _Checked:
    checked = _Checked(path)
    try:
        for line, value in read_lines(path):
            try:
                check_record(value)
                checked.good += 1
            except RecordError as error:
                checked.faults.append(_Fault(line, str(error)))
            advance(1)
    except RecordError as error:
        place = re.fullmatch(rf"{re.escape(str(path))}:(\d+): (.*)", str(error), re.DOTALL)
        if place is None:
            checked.unreadable = str(error)
        else:  # a line that is no JSON
            checked.faults.append(_Fault(int(place[1]), place[2]))
            checked.cut_short = True
    return checked


def _say(checked: _Checked) -> None:
    if checked.unreadable:
        print(f"bluff: {checked.unreadable}", file=sys.stderr)
        return
    for fault in checked.faults:
        print(f"{checked.path}:{fault.line}: {fault.text}")
    print(checked.summary())
