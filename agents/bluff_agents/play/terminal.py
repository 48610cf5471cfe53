"""Playing in a terminal: shows the table, reads what the person types, plays it, until the game is over."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from typing import Final, Literal

from rich.console import Console
from rich.text import Text

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
#: How a game in the terminal can end: played out, left by `quit`, or left by the end of what was typed.
Ending = Literal["over", "left", "input"]
_SHORTER: Final = {"c": "call", "d": "decline", "p": "pass", "k": "keep", "a": "another", "q": "quit", "exit": "quit"}
_HELP: Final = (
    "A number plays the move that stands beside it.",
    "claim:cards lays cards: 4:4J says one four more than there is; :4J where only one rank can be claimed. "
    "T or 10 is a ten, X a joker; with suits 9H:7S says the nine of hearts and is the seven of spades.",
    "call (c), decline (d), pass (p), keep (k), another (a); drop 7H, accuse 2, give 7H3S.",
    "list: all moves. hint: what an agent would do; hint counter asks counter. log: all that has happened.",
    "?: the rules in play. undo: takes your last move back, in practice. quit: leaves the game.",
)


class Terminal:
    """A person, a screen and a keyboard, or a pipe.

    Args:
        session: the game.
        adviser: who is asked for hints; None: as of `Session.hint`.
        console: where lines go.
    """

    def __init__(self, session: Session, adviser: str | None, console: Console) -> None:
        self.session, self.adviser, self.console = session, adviser, console
        self._typed = sys.stdin.isatty() and console.is_terminal
        self._clears = self._typed and not console.is_dumb_terminal
        self._ascii = not _can_show(console.encoding)
        self._new: list[Event] = list(session.events)
        self._shown: set[int] = set()

    def run(self) -> Ending:
        """Plays the game to its end, or as far as the person goes."""
        if self._typed:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  # lines can be edited, and those before recalled
        redraw = True
        while not self.session.over:
            if redraw:
                self._show_table()
            line = self._read("> ")
            if line is None:
                return "left" if self._typed else "input"
            text = line.strip()
            if _SHORTER.get(text.lower(), text.lower()) == "quit":
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
        }
        command = commands.get(word.lower())
        if command is not None and (not rest or word.lower() == "hint"):
            return command(rest.strip())
        answered = self.session.view()["phase"] == "answer"
        self._new = self.session.play(self._chosen(text))
        if answered and not self._new:
            self._new = [{"kind": "stands", "words": "nobody calls."}]
        return True

    def _chosen(self, text: str) -> int | str:
        """The move that is meant: a number of those shown, or its text."""
        if not text.isdecimal():
            return _SHORTER.get(text.lower(), text)
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
        """A line that was typed; None at the end of input. What comes through a pipe is shown as if it were typed."""
        if self._typed:
            try:
                return input(prompt)
            except EOFError:
                print()
                return None
        line = sys.stdin.readline()
        if not line:
            return None
        print(f"{prompt}{line.rstrip()}", flush=True)
        return line

    @property
    def _width(self) -> int:
        return min(self.console.width, 100) if self._typed else _WIDTH

    @property
    def _height(self) -> int:
        return self.console.height if self._typed else _HEIGHT


def _can_show(encoding: str) -> bool:
    try:
        _SIGNS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
