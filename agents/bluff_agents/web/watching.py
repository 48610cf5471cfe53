"""WatchRoom: recorded games in a browser, with agents' opinions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from bluff_agents.agent import Agent
from bluff_agents.watch import Shelf, Showing
from bluff_agents.web.messages import Forms, MessageError
from bluff_agents.web.room import Answer, Told
from bluff_env import BluffError, Rules

#: What stands for all hands open, in place of a seat.
OPEN: Final = "open"


class WatchRoom:
    """Games of files, looked at by any number of tabs, each where it likes.

    Args:
        shelf: the games.
        agents: the names of those whose opinions can be asked for.
        load: gives an agent by its name, for rules.
        game: which is shown first.
        eyes: the seat whose view is shown first; None: all hands open.
    """

    forms: ClassVar[Forms] = {
        "game": {"game": int},
        "show": {"game": int, "position": int, "eyes": str},
        "opinion": {"game": int, "position": int, "agent": int},
    }

    def __init__(
        self,
        shelf: Shelf,
        agents: Sequence[str],
        load: Callable[[str, Rules], Agent],
        game: int = 0,
        eyes: int | None = None,
    ) -> None:
        self.shelf, self.agents, self._load = shelf, list(agents), load
        self._first, self._eyes = game, eyes
        self._loaded: dict[tuple[str, Rules], Agent] = {}

    def welcome(self) -> list[Told]:
        """As of `Room`."""
        hello = {
            "type": "hello",
            "mode": "watch",
            "games": len(self.shelf),
            "agents": self.agents,
            "game": self._first,
            "eyes": OPEN if self._eyes is None else str(self._eyes),
        }
        return [hello]

    def answer(self, message: dict[str, Any]) -> Answer:
        """As of `Room`."""
        try:
            showing = self.shelf.open(message["game"])
        except BluffError as error:
            raise MessageError(str(error)) from None
        if message["type"] == "game":
            return Answer([self._outline(message["game"], showing)])
        position = message["position"]
        if position > len(showing):
            raise MessageError(f"position {position}: from 0 to {len(showing)} expected")
        if message["type"] == "show":
            eyes = self._seat(message["eyes"], showing)
            return Answer([{"type": "position", "game": message["game"], **showing.position(position, eyes)}])
        return Answer([self._opinion(message, showing)])

    def _outline(self, number: int, showing: Showing) -> Told:
        """All of a game that a page needs once."""
        return {
            "type": "game",
            "game": number,
            **self.shelf.label(number),
            "seats": showing.seats,
            "last": len(showing),
            "calls": showing.calls,
            "deals": showing.deals(),
            "sizes": showing.sizes(),
        }

    def _opinion(self, message: dict[str, Any], showing: Showing) -> Told:
        if message["agent"] >= len(self.agents):
            raise MessageError(f"opinion: agent: one of {len(self.agents)} expected")
        name, rules = self.agents[message["agent"]], showing.replay.rules
        told = {"type": "opinion", **{key: message[key] for key in ("game", "position", "agent")}}
        try:
            if (name, rules) not in self._loaded:
                self._loaded[name, rules] = self._load(name, rules)
            return {**told, "name": name, "said": showing.opinion(message["position"], self._loaded[name, rules])}
        except BluffError as error:
            return {**told, "name": name, "said": None, "failed": str(error)}

    def _seat(self, eyes: str, showing: Showing) -> int | None:
        if eyes == OPEN:
            return None
        if eyes.isascii() and eyes.isdecimal() and len(eyes) <= 2 and int(eyes) < showing.replay.rules.players:
            return int(eyes)
        raise MessageError(f"show: eyes: {OPEN} or a seat expected")
