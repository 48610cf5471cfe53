"""Playing in a terminal: shows the table, reads what the person types, plays it, until the game is over."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal

from rich.console import Console
from rich.text import Text

from bluff_agents.evaluation.files import check_target
from bluff_agents.play.events import Event
from bluff_agents.play.screen import (
    event_lines,
    hint_lines,
    listed_lines,
    plainer,
    rules_lines,
    summary_lines,
    table_lines,
)
from bluff_agents.play.session import PlayError, Session
from bluff_env import BluffError

_SIGNS: Final = "♠♥♦♣╭╮╰╯─│·…’×"
_WIDTH, _HEIGHT = 80, 24
#: Digits of a number that is read as one; no list is that long.
LONGEST_NUMBER: Final = 9
#: How a game in the terminal can end: played out, left by `quit`, or left by the end of what was typed.
Ending = Literal["over", "left", "input"]
#: Short for what; only where the letter cannot be a card.
_SHORTER: Final = {
    "answer": {"c": "call", "d": "decline"},
    "vote": {"k": "keep", "a": "another"},
    "play": {"p": "pass"},
}
_HELP: Final = (
    "A number plays the move that stands beside it.",
    "claim:cards lays cards. 4:4J is a four and a jack said to be two fours; :4J will do where only fours can be "
    "claimed. T or 10 is a ten, X a joker. With suits 9H:7S is the seven of spades said to be the nine of hearts.",
    "call (c), decline (d), pass (p), keep (k), another (a); drop 7H, accuse 2, give 7H3S.",
    "list: all moves. hint: what an agent would do; hint counter asks counter. log: all that has happened.",
    "?: the rules in play. undo: takes your last move back, in practice. quit: leaves the game.",
    "save FILE: the game will be written to FILE, as a record, when it ends or you leave it.",
)


class Terminal:
    """A person, a screen and a keyboard, or a pipe.

    Args:
        session: the game.
        adviser: who is asked for hints; None: as of `Session.hint`.
        console: where lines go.
        save: the file that the game will be written to, by whoever runs this, or None.

    Attributes:
        save: the same; the person may have named another.
    """

    def __init__(self, session: Session, adviser: str | None, console: Console, save: Path | None = None) -> None:
        self.session, self.adviser, self.console, self.save = session, adviser, console, save
        self._keyboard = sys.stdin is not None and sys.stdin.isatty()
        self._typed = self._keyboard and sys.stdout.isatty()
        self._clears = self._typed and not console.is_dumb_terminal
        self._ascii = not can_show(console.encoding)
        self._new: list[Event] = list(session.events)
        self._shown: set[int] = set()

    def run(self) -> Ending:
        """Plays the game to its end, or as far as the person goes."""
        read_anything()
        if self._typed:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  # lines can be edited, and those before recalled
        redraw = True
        while not self.session.over:
            if redraw:
                self._show_table()
            line = self._read("> ")
            if line is None:
                return "left" if self._keyboard else "input"
            text = line.strip()
            if text.lower() in ("quit", "exit"):
                return "left"
            try:
                redraw = self._answer(text)
            except BluffError as error:
                self._say([Text(str(error), style="red")])
                redraw = False
        self._show_end()
        return "over"

    def _answer(self, text: str) -> bool:
        """Does what was typed; is the table to be shown again?"""
        word, _, rest = text.partition(" ")
        commands: dict[str, Callable[[str], bool]] = {
            "": lambda rest: True,
            "?": self._rules,
            "rules": self._rules,
            "help": self._help,
            "h": self._help,
            "list": self._list,
            "l": self._list,
            "hint": self._hint,
            "log": self._log,
            "undo": self._undo,
            "u": self._undo,
            "save": self._save,
        }
        command = commands.get(word.lower())
        if command is not None and (not rest or word.lower() in ("hint", "save")):
            return command(rest.strip())
        answered = self.session.view()["phase"] == "answer"
        self._new = self.session.play(self._chosen(text))
        if answered and not self._new:
            self._new = [{"kind": "stands", "words": "nobody calls."}]
        return True

    def _chosen(self, text: str) -> int | str:
        """The move that is meant: a number of those shown, or its text."""
        if not text.isdecimal() or len(text) > LONGEST_NUMBER:
            return _SHORTER.get(self.session.view()["phase"], {}).get(text.lower(), text)
        number = int(text)
        if number - 1 in self._shown:
            return number - 1
        raise PlayError(f"no move {text} is shown; list shows all, and cards are laid as :{text} or claim:{text}")

    def _rules(self, rest: str) -> bool:
        return self._page(rules_lines(self.session.explain(), self._width))

    def _help(self, rest: str) -> bool:
        return self._page(rules_lines(_HELP, self._width))

    def _list(self, rest: str) -> bool:
        view = self.session.view()
        self._shown = {move["id"] for move in view["moves"]}
        return self._page(listed_lines(view))

    def _log(self, rest: str) -> bool:
        return self._page(event_lines(self.session.events, self._width))

    def _hint(self, rest: str) -> bool:
        self._say(hint_lines(self.session.hint(rest or self.adviser), self.session.view()))
        return False

    def _undo(self, rest: str) -> bool:
        self.session.undo()
        self._new = self.session.events[-3:]
        return True

    def _save(self, rest: str) -> bool:
        if not rest:
            raise PlayError("save: the name of a file expected")
        path = Path(rest)
        check_target(path, overwrite=False)
        instead = "" if self.save is None else f", and not to {self.save},"
        self.save = path
        self._say([Text(f"The game will be written to {path}{instead} when it ends or you leave it.")])
        return False

    def _show_table(self) -> None:
        view = self.session.view()
        if self._clears:
            self.console.clear()
        lines, shown = table_lines(view, self._new, self._width, self._height)
        self._shown = set(shown)
        self._say(lines)

    def _show_end(self) -> None:
        if self._clears:
            self.console.clear()
        summary = summary_lines(self.session.summary(), self.session.seat, self._width)
        room = max(2, self._height - len(summary) - 4)
        self._say([*event_lines(self._new, self._width, room), Text(), *summary])

    def _page(self, lines: Sequence[Text]) -> bool:
        """Shows lines, a screen at a time where somebody reads along."""
        at_a_time = max(1, self._height - 2) if self._typed else len(lines)
        for at in range(0, len(lines), max(1, at_a_time)):
            self._say(lines[at : at + at_a_time])
            more = at + at_a_time < len(lines)
            if more and (self._read("Enter: more, q: back ") or "q").strip().lower() == "q":
                break
        return False

    def _say(self, lines: Sequence[Text]) -> None:
        for line in lines:
            if self._ascii:
                line = Text(plainer(line.plain), style=line.style)
            self.console.print(line, soft_wrap=True)

    def _read(self, prompt: str) -> str | None:
        """A line that was typed; None at the end of input. What comes from a pipe is shown as if it were typed."""
        if self._typed:
            try:
                return input(prompt)
            except EOFError:
                print()
                return None
            except KeyboardInterrupt:
                print()
                raise
        print(prompt, end="", flush=True)
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not self._keyboard or not line:
            print(line.rstrip(), flush=True)
        return line or None

    @property
    def _width(self) -> int:
        return min(self.console.width, 100) if self._typed else _WIDTH

    @property
    def _height(self) -> int:
        return self.console.height if self._typed else _HEIGHT


def read_anything() -> None:
    """Lets standard input hold what is no text: it is no move and no command either."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def can_show(encoding: str, signs: str = _SIGNS) -> bool:
    """Can a screen of this encoding show these signs?"""
    try:
        signs.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
