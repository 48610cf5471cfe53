"""Showing: a recorded game as it is shown, position by position, with all hands open or as one seat saw it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bluff_agents.agent import Agent
from bluff_agents.play.events import Event
from bluff_agents.play.offering import offer
from bluff_agents.play.words import card_dict, claim_words, printable
from bluff_agents.watch.opinions import opinion
from bluff_agents.watch.telling import laid, told
from bluff_env.replaying import Replay

#: The latest events that a position holds.
_RECENT: Final = 60


class Showing:
    """One game of a file.

    Position k is the game before its step k; the last is how the game ends. `eyes` is a seat, or None: all hands open.

    Args:
        record: the game.

    Attributes:
        replay: the game, step by step.
        seats: what each seat is called.
        calls: the positions at which somebody is about to call or accuse.

    Raises:
        RecordError: the record's first fault.
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.replay = Replay(record)
        self.name: str | None = record.get("name")
        names = record.get("seats") or ["player"] * self.replay.rules.players
        self.seats: list[str] = [printable(name) for name in names]
        self.calls = [at for at, step in enumerate(self.replay.steps) if step.move.kind in ("call", "accuse")]
        self._told: dict[int | None, list[list[Event]]] = {}

    def __len__(self) -> int:
        """The last position."""
        return len(self.replay)

    def sizes(self) -> list[list[int]]:
        """The true sizes of all hands, a list a position."""
        return [[len(hand) for hand in hands] for hands in self.replay.hands]

    def deals(self) -> list[int]:
        """The positions at which the deals begin."""
        starts = [0]
        for at, step in enumerate(self.replay.steps):
            if step.deal >= len(starts):
                starts.append(at)
        return starts

    def events(self, position: int, eyes: int | None) -> list[Event]:
        """All that was told up to a position."""
        return [event for events in self._lists(eyes)[: position + 1] for event in events]

    def position(self, position: int, eyes: int | None) -> dict[str, Any]:
        """The table at a position, as plain data.

        Keys:

        - `position`, `last`, `deal`; `eyes`: the seat, or None
        - `view`: as far as it goes what `Session.view` has: `rules`, `players`, `seat`, `seats` (`seat`, `name`, `you`,
          `cards`, `to_move`, `score`), `pile`, `stock`, `start_card`, `passes`, `claim`, `phase`, `turns`,
          `max_turns`, `target_points`, `notices`, `over`, `winner`, `cut_off`
        - `hands`: the cards of each hand as `words.card_dict`; None of a hand that is not seen
        - `laid`: the cards of the play that is answered, where they are seen, else None
        - `fresh`: the events that led here; `log`: the latest before them
        - `next`: what is decided here: `seat`, `deciding`, `words`, `call`; None at the end. `words` and `call` are
          None where these eyes do not see what is decided, such as another seat's play.
        """
        replay = self.replay
        game = replay.go(position)
        step = replay.steps[position] if position < len(replay) else None
        seat = 0 if eyes is None else eyes
        view = game.view(seat)
        sizes = view.hand_sizes if eyes is not None else tuple(len(hand) for hand in replay.hands[position])
        lists = self._lists(eyes)
        log = [event for events in lists[:position] for event in events]
        claim = None
        if view.claimant is not None:
            words = claim_words(view.claim or "", view.count)
            claim = {"seat": view.claimant, "claim": view.claim, "count": view.count, "words": words, "open": True}
        mine = eyes is None or (view.claimant == eyes)
        return {
            "position": position,
            "last": len(replay),
            "deal": 0 if step is None and not replay.steps else (step or replay.steps[-1]).deal,
            "eyes": eyes,
            "view": {
                "rules": self.name,
                "players": replay.rules.players,
                "seat": seat,
                "seats": [
                    {
                        "seat": s, "name": self.seats[s], "you": False, "cards": sizes[s],
                        "to_move": s == view.turn, "score": view.scores[s],
                    }
                    for s in range(replay.rules.players)
                ],
                "pile": view.pile,
                "stock": view.stock,
                "start_card": None if view.start_card is None else card_dict(view.start_card),
                "passes": view.passes,
                "claim": claim,
                "phase": view.deciding or "over",
                "turns": view.turns,
                "max_turns": replay.rules.max_turns,
                "target_points": replay.rules.target_points,
                "notices": [] if eyes is None else [{"seat": s, "ago": ago} for s, ago in view.notices],
                "over": view.over,
                "winner": view.winner,
                "cut_off": view.cut_off,
            },
            "hands": [
                [card_dict(card) for card in hand] if eyes in (None, s) else None
                for s, hand in enumerate(replay.hands[position])
            ],
            "laid": laid(replay, position) if mine else None,
            "fresh": lists[position],
            "log": log[-_RECENT:],
            "next": None if step is None else self._next(position, eyes),
        }  # fmt: skip

    def opinion(self, position: int, agent: Agent) -> dict[str, Any] | None:
        """What an agent thinks of the decision at a position: see `opinions.opinion`. None at the end."""
        return opinion(self.replay, position, agent) if position < len(self) else None

    def _next(self, position: int, eyes: int | None) -> dict[str, Any]:
        step = self.replay.steps[position]
        # an answer is given in the sight of all, a play is seen as its claim, and what else is done is seen later
        race = self.replay.rules.call_order == "race" and step.deciding == "answer"
        open_to_all = step.move.kind in ("call", "decline", "pass", "accuse") and not race
        seen = eyes in (None, step.seat) or open_to_all
        words = offer(self.replay.go(position), [step.move])[0]["words"] if seen else None
        return {
            "seat": step.seat,
            "deciding": step.deciding,
            "words": words,
            "call": step.move.kind in ("call", "accuse") if seen else None,
        }

    def _lists(self, eyes: int | None) -> list[list[Event]]:
        if eyes not in self._told:
            self._told[eyes] = told(self.replay, eyes)
        return self._told[eyes]
