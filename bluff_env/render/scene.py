"""What a picture shows, as plain data: the table as one seat sees it, or with all hands. Nothing here draws.

Everything a picture shows passes through here, so what a seat may not see is left out in one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bluff_env.cards import claim_of, kind_of
from bluff_env.errors import BluffError
from bluff_env.game import Game, View
from bluff_env.record import event_of
from bluff_env.render.words import seat_names
from bluff_env.ruleset import tables


@dataclass(frozen=True, slots=True)
class Face:
    """A card or a claim in a line of text, drawn and not written."""

    card: str


#: A line of text with drawn cards in it.
Line = tuple[str | Face, ...]
#: How many of the last events are told.
_TOLD: Final = 3


@dataclass(frozen=True, slots=True)
class Called:
    """The last call, until something else is laid.

    Attributes:
        caller, accused, wrong: seats.
        claim, cards: what was claimed, and the cards turned up, None where they are not shown.
        count: how many cards those are.
        truthful: was the claim true?
    """

    caller: int
    accused: int
    wrong: int
    claim: str
    cards: tuple[str, ...] | None
    count: int
    truthful: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture shows.

    Attributes:
        view: the table as the looking seat sees it; with all hands shown, as the seat to move does.
        bottom: the seat that is drawn at the bottom; the others follow clockwise, as they sit.
        names: what the seats are called.
        hands: the cards of each seat, None where only backs are shown.
        sizes: how many cards each hand has, as far as is shown [D2].
        laid: the cards of the play on the table, None where they are not shown or there is none.
        truthful: is that play true, None where that is not shown?
        called: the last call, while nothing else has been laid.
        answered: seats that have been asked about the play on the table already.
        stocked: is there a stock in this game, empty or not?
        told: the last events, the newest at the end.
    """

    view: View
    bottom: int
    names: tuple[str, ...]
    hands: tuple[tuple[str, ...] | None, ...]
    sizes: tuple[int, ...]
    laid: tuple[str, ...] | None
    truthful: bool | None
    called: Called | None
    answered: tuple[int, ...]
    stocked: bool
    told: tuple[Line, ...]


def scene_of(game: Game, seat: int | None, bottom: int | None = None, names: Sequence[str] | None = None) -> Scene:
    """The table of a game.

    Args:
        game: the game as it stands.
        seat: who looks, and sees nothing that its seat may not know; None: a spectator who sees all hands.
        bottom: the seat to be drawn at the bottom; None: the one that looks, and 0 for a spectator.
        names: what the seats are called; None: `player_0` …

    Raises:
        BluffError: not one name a seat.
    """
    n = game.rules.players
    called = tuple(seat_names(n) if names is None else names)
    if len(called) != n:
        raise BluffError(f"names: {len(called)} given for {n} seats; one a seat")
    shown = [seat is None or seat == other for other in range(n)]
    at = seat if bottom is None else bottom
    looks = (game.turn if game.turn is not None else at) if seat is None else seat
    view = game.view(looks or 0)
    if seat is None:  # notices are each seat's own; the events tell a spectator who noticed what
        view = replace(view, notices=())
    hands = tuple(game.view(other).hand if shown[other] else None for other in range(n))
    story = _Story(game, seat, called)
    laid = story.laid if view.claimant is not None else None
    return Scene(
        view=view,
        bottom=at or 0,
        names=called,
        hands=hands,
        sizes=tuple(size if hand is None else len(hand) for size, hand in zip(view.hand_sizes, hands, strict=True)),
        laid=laid,
        truthful=None if laid is None or view.claim is None else _true(game, view.claim, laid),
        called=story.called,
        answered=_answered(view, n),
        stocked=game.rules.hand_size is not None,
        told=tuple(story.lines[-_TOLD:]),
    )


def _true(game: Game, claim: str, cards: Sequence[str]) -> bool:
    t = tables(game.rules)
    return all(bool(t.matches[claim_of(t, claim), kind_of(t, card)]) for card in cards)


def _answered(view: View, n: int) -> tuple[int, ...]:
    """Seats are asked from the left of who laid on; in a race nobody learns what they said. [C3]"""
    if view.deciding != "answer" or view.claimant is None or view.turn is None:
        return ()
    return tuple((view.claimant + i) % n for i in range(1, (view.turn - view.claimant) % n))


class _Story:
    """What has happened, as far as the looking seat was told; None sees all. [V]

    Attributes:
        lines: the events in words.
        laid: the cards of the last play, None where they are not shown.
        called: the last call, None once something else has been laid.
    """

    def __init__(self, game: Game, seat: int | None, names: Sequence[str]) -> None:
        self._game, self._seat, self._names = game, seat, names
        self._play: dict[str, Any] = {}
        self.lines: list[Line] = []
        self.laid: tuple[str, ...] | None = None
        self.called: Called | None = None
        dealer = int(game.batch.games["dealer"][0])
        t = tables(game.rules)
        for row in game.batch.trace(0)[0].tolist():
            line = self._line(event_of(t, row, dealer))
            if line:
                self.lines.append(line)

    def _sees(self, *seats: int) -> bool:
        return self._seat is None or self._seat in seats

    def _line(self, event: dict[str, Any]) -> Line:
        match event:
            case {"play": _}:
                return self._laid(event)
            case {"call": _}:
                return self._called(event)
            case {"pass": _, "seat": seat}:
                return (f"{self._names[seat]} passes",)
            case {"cleared": count}:
                self.called = None
                return (f"the pile is set aside: {_cards(count)}",)
            case {"start": card, "back_at": back}:
                return ("start card: " if back is None else "put back by vote: ", Face(card))
            case {"drop": card, "seat": seat, "noticed": noticed} if self._sees(seat):
                return (f"{self._names[seat]} drops ", Face(card), self._noticed(noticed))
            case {"alarm": seat, "noticed": noticed} if self._seat is None:
                return (f"{self._names[seat]} dropped nothing", self._noticed(noticed))
            case {"accuse": accused, "seat": seat, "guilty": guilty, "drawn": drawn}:
                taker = self._names[accused if guilty else seat]
                found = "rightly" if guilty else "wrongly"
                return (f"{self._names[seat]} accuses {self._names[accused]} {found}: {taker} takes {_cards(drawn)}",)
            case {"end": {"winner": winner}}:
                return ("cut off, no winner" if winner is None else f"{self._names[winner]} has won",)
        return ()

    def _laid(self, event: dict[str, Any]) -> Line:
        seat, cards = event["seat"], tuple(event["play"])
        self._play, self.called = event, None
        self.laid = cards if self._sees(seat) else None
        return (f"{self._names[seat]} lays {len(cards)} and claims ", Face(event["claim"]))

    def _called(self, event: dict[str, Any]) -> Line:
        caller, accused, truthful = event["seat"], event["call"], event["truthful"]
        cards = tuple(self._play["play"])
        seen = self._game.rules.reveal == "all" or self._sees(caller, accused)
        self.called = Called(
            caller, accused, event["wrong"], self._play["claim"], cards if seen else None, len(cards), truthful
        )
        what = "the truth" if truthful else "a bluff"
        taken = event["pile"] + len(event["drawn"]) + len(event["given"])
        loser = self._names[event["wrong"]]
        return (f"{self._names[caller]} calls {self._names[accused]}: {what}. {loser} takes {_cards(taken)}",)

    def _noticed(self, seats: Sequence[int]) -> str:
        if self._seat is not None:
            return ""  # who noticed is known to who noticed
        return f", {' and '.join(self._names[s] for s in seats) or 'nobody'} suspects it"


def _cards(what: int | Sequence[str]) -> str:
    count = what if isinstance(what, int) else len(what)
    return f"{count} card{'' if count == 1 else 's'}"
