"""Watching records in a terminal, or through a pipe: a command a line."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from bluff_agents.agent import Agent
from bluff_agents.play.screen import event_lines, plainer, wrapped
from bluff_agents.play.terminal import LONGEST_NUMBER, can_show, read_anything
from bluff_agents.watch.lines import opinion_lines, plot_lines, position_lines
from bluff_agents.watch.shelf import Shelf, WatchError
from bluff_agents.watch.showing import Showing
from bluff_env import BluffError, Rules

_WIDTH: Final = 80
_SIGNS: Final = "▁█♠·…×’"
HELP: Final = (
    "Enter or n: a step on; b: a step back; a number: that step; first, last.",
    "c: the next call; C: the call before.",
    "o: all hands open; s 2: as seat 2 saw it.",
    "a NAME: an agent's opinion, from then on; a alone: none.",
    "p: hand sizes over the game; l: all that has happened.",
    "g 3: game 3; N, B: the next game, the one before; q: leaves.",
)


class WatchTerminal:
    """Somebody who looks at games.

    Args:
        shelf: the games.
        load: gives an agent by its name, for rules.
        agent: whose opinion is shown; None: nobody's.
        console: where lines go.
        game, eyes: what is shown first.
    """

    def __init__(
        self,
        shelf: Shelf,
        load: Callable[[str, Rules], Agent],
        agent: str | None,
        console: Console,
        game: int = 0,
        eyes: int | None = None,
    ) -> None:
        self.shelf, self.load, self.console = shelf, load, console
        self.agent, self.eyes, self.position = agent, eyes, 0
        self._agents: dict[tuple[str, Rules], Agent] = {}
        self._typed = sys.stdin is not None and sys.stdin.isatty() and console.is_terminal
        self._plain = not can_show(console.encoding, _SIGNS)
        self._open(game)
        self._seat_is_there(eyes)

    def run(self) -> None:
        """Shows what is asked for, until somebody leaves or nothing more comes."""
        read_anything()
        if self._typed:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  # lines can be edited, and those before recalled
        redraw = True
        while True:
            if redraw:
                self._show()
            line = self._read()
            if line is None or line.strip() in ("q", "quit", "exit"):
                return
            try:
                redraw = self._do(line.strip())
            except BluffError as error:
                self._say([Text(str(error), style="red")])
                redraw = False

    def _do(self, text: str) -> bool:
        """Does what was typed; is the position to be shown again?"""
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        last = len(self.showing)
        if text.isdecimal():
            self._go(_number(text))
            return True
        simple: dict[str, Callable[[], None]] = {
            "": lambda: self._go(self.position + 1),
            "n": lambda: self._go(self.position + 1),
            "b": lambda: self._go(self.position - 1),
            "first": lambda: self._go(0),
            "last": lambda: self._go(last),
            "c": lambda: self._call(self.showing.calls),
            "C": lambda: self._call(self.showing.calls, back=True),
            "N": lambda: self._open(self.game + 1),
            "B": lambda: self._open(self.game - 1),
            "o": lambda: self._look(None),
        }
        if text in simple:
            simple[text]()
            return True
        if word == "s" and rest.isdecimal():
            self._look(_number(rest))
        elif word == "g" and rest.isdecimal():
            self._open(_number(rest) - 1)
        elif word == "a":
            if rest:
                self._loaded(rest)
            self.agent = rest or None
        else:
            return self._page(text)
        return True

    def _page(self, text: str) -> bool:
        """What is shown beside the position."""
        if text in ("h", "help", "?"):
            self._say([Text(line) for part in HELP for line in wrapped(part, self._width)])
        elif text == "l":
            self._say(event_lines(self.showing.events(self.position, self.eyes), self._width))
        elif text == "p":
            showing = self.showing
            sizes = showing.sizes()
            self._say(plot_lines(sizes, showing.calls, showing.seats, self.position, self._width, self._plain))
        else:
            raise WatchError(f"{text!r}: not known here; h for help")
        return False

    def _go(self, position: int) -> None:
        if not 0 <= position <= len(self.showing):
            ends = {-1: "this is the first step", len(self.showing) + 1: "this is the last step"}
            other = f"step {position} is not allowed; a step from 0 to {len(self.showing)}"
            raise WatchError(ends.get(position, other))
        self.position = position

    def _call(self, calls: Sequence[int], back: bool = False) -> None:
        found = [at for at in calls if (at < self.position if back else at > self.position)]
        if not found:
            raise WatchError("no call before this" if back else "no call after this")
        self._go(found[-1] if back else found[0])

    def _look(self, eyes: int | None) -> None:
        self._seat_is_there(eyes)
        self.eyes = eyes

    def _seat_is_there(self, eyes: int | None) -> None:
        if eyes is not None and eyes >= len(self.showing.seats):
            raise WatchError(f"seat {eyes} is not allowed; a seat from 0 to {len(self.showing.seats) - 1}")

    def _open(self, game: int) -> None:
        self.showing: Showing = self.shelf.open(game)
        self.game, self.position = game, 0
        if self.eyes is not None and self.eyes >= len(self.showing.seats):
            self.eyes = None

    def _loaded(self, name: str) -> Agent:
        rules = self.showing.replay.rules
        if (name, rules) not in self._agents:
            self._agents[name, rules] = self.load(name, rules)
        return self._agents[name, rules]

    def _show(self) -> None:
        if self._typed and not self.console.is_dumb_terminal:
            self.console.clear()
        label = self.shelf.label(self.game)
        where = f"{label['rules'] or 'house rules'} · game {self.game + 1} of {len(self.shelf)}"
        shown = self.showing.position(self.position, self.eyes)
        self._say(position_lines(shown, where, self._width))
        if self.agent is not None and shown["next"] is not None:
            self._say([Text(), *self._opinion(shown["next"]["seat"])])

    def _opinion(self, seat: int) -> list[Text]:
        if self.eyes not in (None, seat):
            return [Text(f"What seat {seat} should do is not known from seat {self.eyes}’s place.", style="dim")]
        try:
            said = self.showing.opinion(self.position, self._loaded(self.agent or ""))
        except BluffError as error:
            return [Text(str(error), style="red")]
        return [] if said is None else opinion_lines(said, self._width)

    def _say(self, lines: Sequence[Text]) -> None:
        for line in lines:
            shown = Text(plainer(line.plain), style=line.style) if self._plain else line
            self.console.print(shown, soft_wrap=True)

    def _read(self) -> str | None:
        """A line that was typed; None at the end of input. What comes through a pipe is shown as if it were typed."""
        if self._typed:
            try:
                return input("watch> ")
            except EOFError:
                print()
                return None
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not line:
            return None
        print(f"watch> {line.rstrip()}", flush=True)
        return line

    @property
    def _width(self) -> int:
        return min(self.console.width, 120) if self._typed else _WIDTH


def _number(text: str) -> int:
    """The number that decimal digits make; of more of them than any number here has, Python might make none."""
    if len(text) > LONGEST_NUMBER:
        raise WatchError(f"a number of {len(text)} digits: not known here; h for help")
    return int(text)
