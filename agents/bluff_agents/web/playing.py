"""PlayRoom: a person's game in a browser, with all that the person's seat may know and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from bluff_agents.play import PlayError, Session
from bluff_agents.play.events import Event
from bluff_agents.web.messages import Forms, MessageError
from bluff_agents.web.room import Answer, Told
from bluff_env import BluffError

#: Seconds that the page gives for an answer to a claim, where nothing is said.
MOMENT: Final = 20


class PlayRoom:
    """One game after the other, of one person against agents.

    Every message names the position it is meant for, by the number that came with it: what was meant for an earlier
    one, from another tab or by a second click, is refused.

    Args:
        session: the game.
        deal: makes another, when it is over and one more is wanted.
        adviser: who is asked for hints; None: as of `Session.hint`.
        moment: seconds that the page gives for an answer to a claim before it lets the claim stand; 0: no limit.

    Attributes:
        session: the game that is played.
        finished: the records of the games before it.
    """

    forms: ClassVar[Forms] = {
        "move": {"at": int, "move": str},
        "undo": {"at": int},
        "hint": {"at": int},
        "again": {"at": int},
    }

    def __init__(
        self, session: Session, deal: Callable[[], Session], adviser: str | None = None, moment: int = MOMENT
    ) -> None:
        self.session = session
        self._deal, self._adviser, self._moment = deal, adviser, moment
        self.finished: list[dict[str, Any]] = []
        self._at = 0

    def welcome(self) -> list[Told]:
        """As of `Room`."""
        session = self.session
        hello = {
            "type": "hello",
            "mode": "play",
            "moment": self._moment,
            "rules": session.name,
            "explained": session.explain(),
            "practice": session.practice,
        }
        return [hello, self._state(log=session.events)]

    def answer(self, message: dict[str, Any]) -> Answer:
        """As of `Room`."""
        if message["at"] != self._at:
            return Answer([{"type": "error", "text": "that was meant for an earlier position"}, *self.welcome()[1:]])
        match message["type"]:
            case "move":
                return self._move(message["move"])
            case "undo":
                return self._undo()
            case "hint":
                return self._hint()
            case _:
                return self._again()

    def records(self) -> list[dict[str, Any]]:
        """All games, the last one perhaps unfinished, hidden cards included."""
        return [*self.finished, self.session.record()]

    def _move(self, text: str) -> Answer:
        try:
            self.session.check(text)
        except BluffError as error:
            raise MessageError(str(error)) from None
        # whatever goes wrong from here on is an agent's failure, whose text may name the cards of its hand
        answering = self.session.view()["phase"] == "answer"
        fresh = self.session.play(text)
        self._at += 1
        return Answer([], [self._state(fresh=fresh, stood=answering and not fresh)])

    def _undo(self) -> Answer:
        try:
            self.session.undo()
        except PlayError as error:
            raise MessageError(str(error)) from None
        self._at += 1
        return Answer([], [self._state(log=self.session.events)])

    def _hint(self) -> Answer:
        if self.session.over:
            raise MessageError("hint: the game is over")
        try:
            self.session.adviser(self._adviser)
        except BluffError as error:  # about the agent alone; what fails when it is asked may name cards
            raise MessageError(str(error)) from None
        return Answer([{"type": "hint", "at": self._at, **self.session.hint(self._adviser)}])

    def _again(self) -> Answer:
        if not self.session.over:
            raise MessageError("again: the game is not over")
        dealt = self._deal()
        self.finished.append(self.session.record())
        self.session = dealt
        self._at += 1
        return Answer([], [self._state(log=[], fresh=dealt.events)])

    def _state(
        self, log: Sequence[Event] | None = None, fresh: Sequence[Event] = (), stood: bool = False
    ) -> dict[str, Any]:
        """How the game stands.

        Args:
            log: what a page is to show of the past, instead of what it shows; None: that stays.
            fresh: what has happened since, to be shown one by one.
            stood: an answer was given, and nobody called.
        """
        session = self.session
        view = session.view()
        del view["events"]
        return {
            "type": "state",
            "at": self._at,
            "view": view,
            "log": None if log is None else list(log),
            "fresh": list(fresh),
            "stood": stood,
            "summary": session.summary() if session.over else None,
        }
