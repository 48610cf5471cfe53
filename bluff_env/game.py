"""Game: one game for people and programs. Verbs, whole moves, text; a view of the one engine."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bluff_env.cards import claim_of, counts_of, texts_of
from bluff_env.engine.batch import GameBatch, Snapshot
from bluff_env.engine.rng import MAX_SEED
from bluff_env.engine.state import ANSWER, CLAIM
from bluff_env.errors import MoveError
from bluff_env.layout import Layout
from bluff_env.moves import LegalMoves, Move, parse_move
from bluff_env.record import last_event, record_of_row, rewards_of
from bluff_env.ruleset import Rules, named, tables
from bluff_env.ruleset import rules as make_rules


@dataclass(frozen=True, slots=True)
class View:
    """What one seat sees of the table, in words and absolute seats.

    Attributes:
        seat: the seat that looks.
        hand: its cards; picked: those it has picked for a play under way.
        hand_sizes: cards in each hand; pile: cards in the pile.
        turn: the seat to move, None when over; asked: it is asked whether it calls.
        to_claim: what the seat to move may claim, where its turn it is and it picks or claims.
        claimant, claim, count: the play on the table, None and 0 when none.
        turns: turns played.
        winner, cut_off, over: how the game stands.
    """

    seat: int
    hand: tuple[str, ...]
    picked: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    pile: int
    turn: int | None
    asked: bool
    to_claim: tuple[str, ...]
    claimant: int | None
    claim: str | None
    count: int
    turns: int
    winner: int | None
    cut_off: bool
    over: bool


class Game:
    """One game.

    Args:
        rules: anything `bluff_env.rules` takes.
        seed: a whole number from 0 to 2**53 - 1 that decides the deal; None: drawn by the system.
        deal: a deal as game records write it, instead of a shuffled one.
        **fields: fields of the rules that differ, e.g. `players=3`.

    Attributes:
        rules: what is played.
        batch: the one-row GameBatch beneath, which holds what no seat may see.

    >>> game = Game("bloff", seed=1)
    >>> game.turn, len(game.legal_moves) > 100
    (0, True)
    """

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules = "bloff",
        seed: int | None = None,
        deal: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> None:
        self.rules: Rules = make_rules(rules, **fields)
        self._tables = tables(self.rules)
        chosen = secrets.randbelow(MAX_SEED + 1) if seed is None else seed
        self.batch = GameBatch(self.rules, seeds=[chosen], deals=None if deal is None else [deal], restart=False)
        self.batch.name = named(rules, self.rules)

    @property
    def layout(self) -> Layout:
        """What actions and observations mean."""
        return self.batch.layout

    @property
    def turn(self) -> int | None:
        """The seat to move, None when the game is over."""
        player = int(self.batch.player[0])
        return None if player < 0 else player

    @property
    def asked(self) -> bool:
        """Is the seat to move asked whether it calls the play on the table?"""
        return bool(self.batch.games["phase"][0] == ANSWER)

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.turn is None

    @property
    def winner(self) -> int | None:
        """The seat that won, None while the game goes on or when it was cut off."""
        winner = int(self.batch.winner[0])
        return None if winner < 0 else winner

    @property
    def cut_off(self) -> bool:
        """Was the game cut off after `max_turns` turns? [E2]"""
        return bool(self.batch.cut_off[0])

    @property
    def turns(self) -> int:
        """Turns played."""
        return int(self.batch.turns[0])

    @property
    def rewards(self) -> list[float]:
        """The reward of each seat: zeros until the game is over. [E3]"""
        return rewards_of(self.batch, 0)

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves of the seat to move; none when the game is over."""
        if self.over:
            return LegalMoves(self._tables, False, [], np.zeros(0), 0)
        most = min(self.rules.most_cards, int(self.batch.games["sizes"][0, self.turn]))
        return LegalMoves(self._tables, self.asked, self._claims(), self._counts("hands", self.turn), most)

    def push(self, move: Move | str | Mapping[str, Any]) -> None:
        """Plays one move of the seat to move.

        Args:
            move: a `Move`, its text (`4:4JT`, `call`, `decline`; a claim the rules force may be left out), or an
                event of a record. An event names its seat; seats asked before it that it passes over decline.

        Raises:
            MoveError: not legal here, or not readable; nothing has been played.
        """
        if isinstance(move, Mapping):
            from bluff_env.reading import push_event

            push_event(self, move)
            return
        if self.over:
            raise MoveError(f"move {str(move)!r}: the game is over")
        if self.batch.games["count"][0] and not self.asked:
            raise MoveError(f"move {str(move)!r}: the seat to move has picked cards one by one; go on with push_action")
        parsed = parse_move(self._tables, move, self._only_claim()) if isinstance(move, str) else move
        legal = self.legal_moves
        if parsed not in legal:
            raise MoveError(f"move {str(parsed)!r} is not legal for seat {self.turn}; {self._allowed()}")
        for action in self._actions(parsed):
            self.batch.step([action])

    def push_action(self, action: int) -> None:
        """Plays one small decision, an action of the layout, as the environments do.

        Raises:
            MoveError: not legal here; names the action and the legal ones.
        """
        self.batch.step(single_action(self.batch, action))

    def observe(self, seat: int) -> dict[str, NDArray[Any]]:
        """What a seat sees, as the environments give it.

        Returns:
            observation: (D,) float32 in [0, 1]; action_mask: (A,) int8, all zeros for a seat that is not to move.
        """
        counts = self.batch.observe(seat)[0]
        mask = self.batch.mask[0] if seat == self.turn else np.zeros(self.layout.n_actions)
        return {"observation": self.layout.to_float(counts), "action_mask": mask.astype(np.int8)}

    def view(self, seat: int) -> View:
        """What a seat sees, in words. Raises BluffError for a seat that is not at the table."""
        self.batch.observe(seat)  # checks the seat
        game, t = self.batch.games[0], self._tables
        mine = seat == self.turn and not self.asked
        return View(
            seat=seat,
            hand=tuple(texts_of(t, self._counts("hands", seat))),
            picked=tuple(texts_of(t, self._counts("picked"))) if mine else (),
            hand_sizes=tuple(int(s) for s in game["sizes"][: self.rules.players]),
            pile=int(game["pile"]),
            turn=self.turn,
            asked=self.asked,
            to_claim=tuple(t.claims[c] for c in self._claims()) if mine else (),
            claimant=int(game["mover"]) if self.asked else None,
            claim=t.claims[game["claim"]] if self.asked else None,
            count=int(game["count"]) if self.asked else 0,
            turns=self.turns,
            winner=self.winner,
            cut_off=self.cut_off,
            over=self.over,
        )

    def record(self) -> dict[str, Any]:
        """The game as a record (`bluff-record/1`), hidden cards included; also of a game under way."""
        return record_of_row(self.batch, 0)

    def last_event(self) -> dict[str, Any] | None:
        """The event that the last decision brought about, as a record writes it; None for a decline or a pick."""
        return last_event(self.batch, 0)

    def snapshot(self) -> Snapshot:
        """A copy of the game as it stands, for `restore`."""
        return self.batch.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Puts the game back as it stood."""
        self.batch.restore(snapshot)

    def __repr__(self) -> str:
        state = "over" if self.over else f"seat {self.turn} to move"
        return f"<Game of {self.rules.players} seats, turn {self.turns}, {state}>"

    def _claims(self) -> list[int]:
        """What the mover may claim: the one it has chosen, or all it may choose from."""
        game = self.batch.games[0]
        if game["phase"] != CLAIM:
            return [int(game["claim"])]
        return [int(c) for c in np.flatnonzero(self._tables.follows[int(game["last"])])]

    def _only_claim(self) -> str | None:
        claims = self._claims()
        return self._tables.claims[claims[0]] if len(claims) == 1 else None

    def _counts(self, region: str, seat: int | None = None) -> NDArray[np.int8]:
        k = len(self._tables.kinds)
        at = int(self.batch.rule[f"c_{region}"][0]) + (0 if seat is None else seat * k)
        return self.batch.cards[0, at : at + k]

    def _actions(self, move: Move) -> list[int]:
        """The small decisions of a move: the claim where it is chosen, the picks from the claimed card on, lay."""
        lay, game = self.layout, self.batch.games[0]
        if move.kind != "play":
            return [lay.actions[move.kind].start]
        t, shift = self._tables, int(game["shift"])
        n, claim = len(t.claims), claim_of(t, move.claim)
        counts = counts_of(t, move.cards)
        actions = [lay.actions["claim"].start + (claim - shift) % n] if game["phase"] == CLAIM else []
        for kind in [*((claim + i) % n for i in range(n)), *range(n, len(t.kinds))]:
            place = kind if kind >= n else (kind - shift) % n
            actions += [lay.actions["card"].start + place] * int(counts[kind])
        size = int(counts.sum())
        if size < min(self.rules.most_cards, int(game["sizes"][self.turn or 0])):
            actions.append(lay.actions["lay"].start)
        return actions

    def _allowed(self) -> str:
        if self.asked:
            return "call or decline"
        claims = " ".join(self._tables.claims[c] for c in self._claims())
        most = min(self.rules.most_cards, int(self.batch.games["sizes"][0, self.turn]))
        return f"claim one of {claims} with 1 to {most} cards of its hand"


def single_action(batch: GameBatch, action: object) -> NDArray[np.int64]:
    """(1,) int64: one action as a batch of one game takes it.

    Raises:
        MoveError: no whole number, the game is over, or -1, by which a batch would leave its game alone.
    """
    try:
        number = operator.index(action)  # type: ignore[arg-type]  # what has no such number raises TypeError
    except TypeError:
        raise MoveError(f"action {action!r}: a whole number expected") from None
    if batch.player[0] < 0:
        raise MoveError(f"action {number}: the game is over")
    if not 0 <= number < batch.layout.n_actions:
        raise MoveError(batch.illegal_text(0, number))
    return np.array([number], np.int64)
