"""Replay: a recorded game gone through decision by decision, with the game as it stood at each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bluff_env.cards import texts_of
from bluff_env.engine.batch import Snapshot
from bluff_env.engine.state import GIVE, PICK
from bluff_env.game import Game
from bluff_env.moves import Move
from bluff_env.reading import game_of
from bluff_env.record import last_events
from bluff_env.ruleset import Rules

#: Small decisions that are followed by others of the same move.
_PARTS: Final = ("claim", "card", "drop_none")


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of a seat, and what came of it.

    Attributes:
        seat: who decided.
        deciding: what was decided, "play", "answer", "vote" or "give".
        move: what it decided.
        actions: the small decisions that the move is made of.
        events: what came of it, as records write events, the end of a deal as `{"end": ...}`; those of the deal that
            follows in a match (a start card) among them. Empty for who let a play stand.
        dealer: of the deal in which it was decided.
        deal: the number of that deal, from 0.
    """

    seat: int
    deciding: str
    move: Move
    actions: tuple[int, ...]
    events: tuple[Mapping[str, Any], ...]
    dealer: int
    deal: int


class Replay:
    """Goes through a recorded game. Position k is the game before step k; the last one is how the record leaves it.

    Args:
        record: the game, finished or not; checked as by `bluff_env.record.check_record`.

    Attributes:
        rules: what is played.
        steps: the decisions, in order.
        beginning: what came about by itself before the first, as events.
        hands: for each position the cards of every hand, in the order of the layout.
        game: the game at the position gone to last, the last one to begin with. Look, do not play.

    Raises:
        RecordError: the record's first fault.
    """

    def __init__(self, record: object) -> None:
        final = game_of(record)
        self.rules: Rules = final.rules
        deal = final.record()["deals"][0]
        dealt = {key: deal[key] for key in ("dealer", "opener", "hands", "stock")}
        self.game = Game(self.rules, seed=0, deal=dealt)
        self.steps: list[Step] = []
        self.beginning: list[dict[str, Any]] = last_events(self.game.batch, 0, self._dealer)
        self.hands: list[list[list[str]]] = [self._hands()]
        self._snapshots: list[Snapshot] = [self.game.snapshot()]
        self._follow(final.log())

    def __len__(self) -> int:
        return len(self.steps)

    def go(self, position: int) -> Game:
        """The game at a position, from 0 to the number of steps. Any other raises IndexError."""
        if not 0 <= position <= len(self.steps):
            raise IndexError(f"position {position}: from 0 to {len(self.steps)} expected")
        self.game.restore(self._snapshots[position])
        return self.game

    def decisions(self, position: int, seat: int) -> list[tuple[Any, Any]]:
        """What a seat has been asked before a position in the whole game: observation (1, D) and mask (1, A) each.

        The game is left at `position`.
        """
        seen = []
        for at, step in enumerate(self.steps[:position]):
            if step.seat == seat:
                game = self.go(at)
                for number in range(len(step.actions)):
                    if number:  # only after the last small decision chance may decide something
                        game.push_action(step.actions[number - 1])
                    seen.append((game.batch.observation.copy(), game.batch.mask.copy()))
        self.go(position)
        return seen

    def _follow(self, log: list[int]) -> None:
        """Plays the decisions of a log once more; what chance decided after each stands in it, behind the decision."""
        game, games, deal, dealer = self.game, self.game.batch.games, 0, 0
        seat, deciding, claims = 0, "", tuple[str, ...]()
        actions: list[int] = []
        parts: list[tuple[str, int]] = []
        events: list[dict[str, Any]] = []
        while (at := int(games["logged"][0])) < len(log):
            if not actions:
                seat, deciding, dealer = game.turn or 0, game.deciding or "", self._dealer
                claims = game.view(seat).to_claim
            actions.append(log[at])
            parts.append(self._part(log[at]))
            game.batch.force(log[at + 1 :])
            game.batch.step([log[at]])
            games["forced"][0] = 0
            events += last_events(game.batch, 0, dealer)
            if self._whole(parts[-1][0], seat):
                move = self._move(seat, deciding, claims, parts)
                self.steps.append(Step(seat, deciding, move, tuple(actions), tuple(events), dealer, deal))
                self.hands.append(self._hands() if events or move.kind == "drop" else self.hands[-1])
                self._snapshots.append(game.snapshot())
                deal += any("end" in event for event in events)
                actions, parts, events = [], [], []

    def _part(self, action: int) -> tuple[str, int]:
        """What kind of action a number is, and its place among those: of cards and claims the kind it stands for."""
        segment = next(s for s in self.game.layout.segments if s.start <= action < s.start + s.size)
        place, n = action - segment.start, len(self.game.layout.tables.claims)
        if segment.name in ("claim", "card", "drop") and place < n:
            place = (place + int(self.game.batch.games["shift"][0])) % n
        return segment.name, place

    def _whole(self, name: str, seat: int) -> bool:
        """Has the small decision just made closed a move?"""
        if name not in _PARTS or self.game.turn != seat:
            return True
        return name == "card" and int(self.game.batch.games["phase"][0]) not in (PICK, GIVE)

    def _move(self, seat: int, deciding: str, claims: Sequence[str], parts: list[tuple[str, int]]) -> Move:
        """The move that small decisions make up. `claims`: what could be claimed before them."""
        t = self.game.layout.tables
        claim, cards = claims[0] if len(claims) == 1 else None, list[int]()
        for name, place in parts:
            if name in ("decline", "call", "pass"):
                voted = {"decline": "keep", "call": "another"}
                return Move(voted[name] if deciding == "vote" else name)  # type: ignore[arg-type]  # the same words
            if name == "accuse":
                return Move("accuse", seat=(seat + 1 + place) % self.rules.players)
            if name == "drop":
                return Move("drop", cards=(t.kinds[place],))
            if name == "claim":
                claim = t.claims[place]
            elif name == "card":
                cards.append(place)
        laid = tuple(t.kinds[kind] for kind in sorted(cards))
        return Move("give", cards=laid) if deciding == "give" else Move("play", claim, laid)

    @property
    def _dealer(self) -> int:
        return int(self.game.batch.games["dealer"][0])

    def _hands(self) -> list[list[str]]:
        t = self.game.layout.tables
        return [list(texts_of(t, self.game.hand_counts(seat))) for seat in range(self.rules.players)]
