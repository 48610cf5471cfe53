"""Room: what a server shows. It is told what a browser sends and says what browsers are told, and knows no network."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from bluff_agents.web.messages import Forms

#: A message to a browser, as JSON holds it.
Told = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What follows from a message.

    Attributes:
        sender: for the tab that sent it.
        everybody: for all open tabs, that one included, after it.
    """

    sender: list[Told] = field(default_factory=list)
    everybody: list[Told] = field(default_factory=list)


class Room(Protocol):
    """A game to play, or records to look at. Asked by one thread at a time."""

    @property
    def forms(self) -> Forms:
        """What a browser may send here."""
        ...

    def welcome(self) -> list[Told]:
        """All that a tab needs that has just come, or come back."""
        ...

    def answer(self, message: dict[str, Any]) -> Answer:
        """Does what a message of a known form asks for.

        Raises:
            MessageError: it cannot be done, for a reason that the sender may know. Any other exception is a failure
                whose text may tell what the sender must not know.
        """
        ...


def trouble(text: str) -> Told:
    """A message that something was refused."""
    return {"type": "error", "text": text}
