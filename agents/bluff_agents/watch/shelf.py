"""Shelf: the games of some files of records, each opened only when it is looked at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bluff_agents.play.words import printable
from bluff_agents.watch.showing import Showing
from bluff_env import BluffError
from bluff_env.errors import RecordError
from bluff_env.record import read_lines

#: Files of a folder that are taken for records.
_ENDINGS: Final = (".jsonl", ".json")
#: Games kept opened, the latest.
_KEPT: Final = 4


class WatchError(BluffError):
    """What is to be watched is not there: no such game, no records in a folder."""


class Shelf:
    """All games of files, in order.

    Args:
        paths: files of game records, or folders with such.

    Attributes:
        games: where each game stands: its file and line.

    Raises:
        BluffError: a file is not there or cannot be read, or there is no game in all of them.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.games: list[tuple[Path, int]] = []
        self._texts: list[str] = []
        self._open: dict[int, Showing] = {}
        for path in [file for named in paths for file in _files(named)]:
            for line, value in read_lines(path):
                self.games.append((path, line))
                self._texts.append(json.dumps(value))  # a text takes a tenth of the memory of what it stands for
        if not self.games:
            raise WatchError("no games to watch")

    def __len__(self) -> int:
        return len(self.games)

    def label(self, number: int) -> dict[str, Any]:
        """What can be said of a game before it is checked: `where`, `rules`, `seats`, `winner` (None: none told)."""
        value = json.loads(self._texts[number])
        record = value if isinstance(value, dict) else {}
        result = record.get("result")
        seats = record.get("seats")
        winner = result.get("winner") if isinstance(result, dict) else None
        rules = record.get("name")
        path, line = self.games[number]
        return {
            "where": printable(f"{path}:{line}"),
            "rules": printable(rules) if isinstance(rules, str) else None,
            "seats": [printable(str(seat)) for seat in seats] if isinstance(seats, list) else [],
            "winner": winner if type(winner) is int else None,
        }

    def open(self, number: int) -> Showing:
        """A game, checked.

        Raises:
            WatchError: there is no such game. RecordError: its first fault, with file and line.
        """
        if not 0 <= number < len(self):
            raise WatchError(f"game {number + 1} is not allowed; a game from 1 to {len(self)}")
        if number not in self._open:
            path, line = self.games[number]
            try:
                made = Showing(json.loads(self._texts[number]))
            except RecordError as error:
                raise RecordError(f"{path}:{line}: {error}") from None
            while len(self._open) >= _KEPT:
                del self._open[next(iter(self._open))]
            self._open[number] = made
        return self._open[number]


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise WatchError(f"{path}: no such file or folder")
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix in _ENDINGS and _is_record(file))
    if not found:
        raise WatchError(f"{path}: no game records in this folder")
    return found


def _is_record(file: Path) -> bool:
    """Does a file of a folder begin like a record? Folders of results hold other JSON too."""
    if not file.is_file():
        return False
    with file.open(encoding="utf-8", errors="replace") as opened:
        return '"bluff-record/' in opened.read(2000)
