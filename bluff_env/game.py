"""Game: one game for people and programs. Verbs, whole moves, text; a view of the one engine."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bluff_env.cards import claim_of, counts_of, kind_of, texts_of
from bluff_env.engine.batch import GameBatch, Snapshot
from bluff_env.engine.rng import MAX_SEED
from bluff_env.engine.state import ANSWER, DROP, GIVE, OVER, PICK, VOTE
from bluff_env.errors import MoveError
from bluff_env.following import Follower
from bluff_env.layout import NOTICE_CAP, Layout
from bluff_env.moves import LegalMoves, Move, parse_move
from bluff_env.record import last_events, record_of_row, rewards_of
from bluff_env.ruleset import Rules, named, tables
from bluff_env.ruleset import rules as make_rules


@dataclass(frozen=True, slots=True)
class View:
    """What one seat sees of the table, in words and absolute seats.

    Attributes:
        seat: the seat that looks.
        hand: its cards; picked: those it has picked for a play or a gift under way.
        hand_sizes: cards in each hand, as they appear [D2]; pile, stock: cards in pile and stock.
        turn: the seat to move, None when over; deciding: what it decides, "play", "answer", "vote" or "give".
        to_claim: what the looking seat may claim, where it is to play.
        claimant, claim, count: the play on the table, None and 0 when none.
        last_claim: the claim to be followed, None for who leads.
        start_card: the start card voted on or in the pile, None when there is none.
        passes: passes in a row; scores: deals won by each seat; notices: seats of which the looking seat has a notice
            of a drop, with the turns since.
        turns: turns played, in a match those of the deal under way.
        winner, cut_off, over: how the game stands.
    """

    seat: int
    hand: tuple[str, ...]
    picked: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    pile: int
    stock: int
    turn: int | None
    deciding: str | None
    to_claim: tuple[str, ...]
    claimant: int | None
    claim: str | None
    count: int
    last_claim: str | None
    start_card: str | None
    passes: int
    scores: tuple[int, ...]
    notices: tuple[tuple[int, int], ...]
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
        self._follower: Follower | None = None

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Game:
        """The game as a record leaves it, to go on with or to look at: see `bluff_env.reading.game_of`."""
        from bluff_env.reading import game_of

        return game_of(record)

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
        """Turns played, in a match those of the deal under way."""
        return int(self.batch.turns[0])

    @property
    def rewards(self) -> list[float]:
        """The reward of each seat: zeros until the game is over. [E3]"""
        return rewards_of(self.batch, 0)

    @property
    def deciding(self) -> str | None:
        """What the seat to move decides: "play" (or pass, or drop), "answer", "vote", "give"; None when over."""
        phase = int(self.batch.games["phase"][0])
        return {OVER: None, ANSWER: "answer", VOTE: "vote", GIVE: "give"}.get(phase, "play")

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves of the seat to move; none when the game is over. Under dropp a play means "drop nothing" too."""
        t, game = self._tables, self.batch.games[0]
        nothing = np.zeros(len(t.kinds), np.int8)
        if self.turn is None:
            return LegalMoves(t, [], [], nothing, 1, 0)
        hand = self._counts("hands", self.turn)
        if self.deciding == "vote":
            return LegalMoves(t, [Move("keep"), Move("another")], [], nothing, 1, 0)
        if self.deciding == "answer":
            return LegalMoves(t, self._answers(), [], nothing, 1, 0)
        if self.deciding == "give":
            owed = int(game["owed"])
            return LegalMoves(t, [], None, hand, owed, owed)
        simple = [Move("pass")] if self._may_pass() else []
        if game["phase"] == DROP and game["sizes"][self.turn] > 1:
            simple += [Move("drop", cards=(t.kinds[k],)) for k in np.flatnonzero(hand)]
        most = min(self.rules.most_cards, int(game["sizes"][self.turn]))
        return LegalMoves(t, simple, self._claims(), hand, 1, most)

    def push(self, move: Move | str | Mapping[str, Any]) -> None:
        """Plays one move of the seat to move.

        Args:
            move: a `Move`, its text (`4:4JT`, `call`, `decline`, `pass` …; a claim the rules force may be left out), or
                an event of a record. An event names its seat; seats asked before it that it passes over decline.

        Raises:
            MoveError: not legal here, or not readable; nothing has been played.
        """
        if isinstance(move, Mapping):
            from bluff_env.reading import push_event

            push_event(self, move)
            return
        actions = self.actions_of(move)
        if self._follower is not None and self._follower.told_drop is not None:
            self._follower.finish(actions)
        else:
            for action in actions:
                self.batch.step([action])
        self._follower = None  # it would wait for events that have come about since

    def actions_of(self, move: Move | str) -> list[int]:
        """The small decisions that a move of the seat to move stands for. Raises MoveError if it is not legal here."""
        if self.over:
            raise MoveError(f"move {str(move)!r}: the game is over")
        game = self.batch.games[0]
        if game["picked"] or (self.deciding == "play" and game["count"]):
            raise MoveError(f"move {str(move)!r}: the seat to move has picked cards one by one; go on with push_action")
        parsed = parse_move(self._tables, move, self._only_claim()) if isinstance(move, str) else move
        if parsed not in self.legal_moves:
            raise MoveError(f"move {str(parsed)!r} is not legal for seat {self.turn}; {self._allowed()}")
        return self._actions(parsed)

    def push_action(self, action: int) -> None:
        """Plays one small decision, an action of the layout, as the environments do.

        Raises:
            MoveError: not legal here; names the action and the legal ones.
        """
        self.batch.step(single_action(self.batch, action))
        self._follower = None

    def observe(self, seat: int) -> dict[str, NDArray[Any]]:
        """What a seat sees, as the environments give it.

        Returns:
            observation: (D,) float32 in [0, 1]; action_mask: (A,) int8, all zeros for a seat that is not to move.
        """
        if seat == self.turn:
            counts, mask = self.batch.observation[0], self.batch.mask[0].astype(np.int8)
        else:
            counts, mask = self.batch.observe(seat)[0], np.zeros(self.layout.n_actions, np.int8)
        return {"observation": self.layout.to_float(counts), "action_mask": mask}

    def view(self, seat: int) -> View:
        """What a seat sees, in words. Raises BluffError for a seat that is not at the table."""
        self.batch.observe(seat)  # checks the seat
        game, t, n = self.batch.games[0], self._tables, self.rules.players
        mine = seat == self.turn
        plays = mine and self.deciding == "play"
        shown = self.deciding in ("answer", "give")
        start = self.deciding == "vote" or bool(game["start_lies"])
        leads = int(game["last"]) == len(t.claims)
        return View(
            seat=seat,
            hand=tuple(texts_of(t, self._counts("hands", seat))),
            picked=tuple(texts_of(t, self._counts("picked"))) if mine else (),
            hand_sizes=tuple(int(s) for s in (game["sizes"] + game["laps"])[:n]),
            pile=int(game["pile"]),
            stock=int(game["stock"]),
            turn=self.turn,
            deciding=self.deciding,
            to_claim=tuple(t.claims[c] for c in self._claims()) if plays else (),
            claimant=int(game["mover"]) if shown else None,
            claim=t.claims[game["claim"]] if shown else None,
            count=int(game["count"]) if shown else 0,
            last_claim=None if leads else t.claims[game["last"]],
            start_card=t.kinds[game["start"]] if start else None,
            passes=int(game["passes"]),
            scores=tuple(int(s) for s in game["scores"][:n]),
            notices=self._notices(seat),
            turns=self.turns,
            winner=self.winner,
            cut_off=self.cut_off,
            over=self.over,
        )

    def record(self) -> dict[str, Any]:
        """The game as a record (`bluff-record/1`), hidden cards included; also of a game under way."""
        record = record_of_row(self.batch, 0)
        told = None if self._follower is None else self._follower.told_drop
        if told is not None:  # its turn is not made yet, so it is no event of the engine's
            record["deals"][-1]["events"].append(told)
        return record

    def log(self) -> list[int]:
        """All small decisions so far, each followed by what chance decided after it (`engine.chance`)."""
        return [int(number) for number in self.batch._logs.whole(0)]

    def hand_counts(self, seat: int) -> NDArray[np.int64]:
        """(K,) int64: the cards of a hand, a fresh array. The truth, for readers of records."""
        return self._counts("hands", seat).astype(np.int64)

    def play_is_truthful(self) -> bool:
        """Does every card of the play on the table match its claim? The truth, for readers of records. [C4]"""
        last = self._counts("last")
        return not (last[~self._tables.matches[int(self.batch.games["claim"][0])]]).any()

    def last_event(self) -> dict[str, Any] | None:
        """The last event that the last decision brought about, as a record writes it; None for a decline or a pick."""
        events = [e for e in last_events(self.batch, 0, int(self.batch.games["dealer"][0])) if "end" not in e]
        return events[-1] if events and self.batch.steps[0] else None

    @property
    def follower(self) -> Follower:
        """Who plays the events of records on this game."""
        if self._follower is None:
            self._follower = Follower(self)
        return self._follower

    def snapshot(self) -> Snapshot:
        """A copy of the game as it stands, for `restore`."""
        return self.batch.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Puts the game back as it stood."""
        self.batch.restore(snapshot)
        self._follower = None

    def __repr__(self) -> str:
        state = "over" if self.over else f"seat {self.turn} to move"
        return f"<Game of {self.rules.players} seats, turn {self.turns}, {state}>"

    def _claims(self) -> list[int]:
        """What the mover may claim: the one it has chosen, or all it may choose from."""
        game = self.batch.games[0]
        if game["phase"] == PICK:
            return [int(game["claim"])]
        return [int(c) for c in np.flatnonzero(self._tables.follows[int(game["last"])])]

    def _only_claim(self) -> str | None:
        claims = self._claims()
        return self._tables.claims[claims[0]] if len(claims) == 1 else None

    def _may_pass(self) -> bool:
        """[C9] as the mask says; under dropp it is asked one decision earlier."""
        game, r = self.batch.games[0], self.rules
        if r.passing == "never" or game["last"] == len(self._tables.claims) or game["count"]:
            return False
        if game["phase"] == PICK and self._tables.follows[int(game["last"])].sum() > 1:
            return False  # the claim has been chosen, and the pass with it refused
        return r.all_passed != "must_play" or int(game["passes"]) < r.players - 1

    def _answers(self) -> list[Move]:
        moves = [Move("decline"), Move("call")]
        if self.rules.dropp is not None and self.batch.games["may_accuse"][0]:
            n = self.rules.players
            moves += [Move("accuse", seat=((self.turn or 0) + 1 + i) % n) for i in range(n - 1)]
        return moves

    def _notices(self, seat: int) -> tuple[tuple[int, int], ...]:
        if self.rules.dropp is None:
            return ()
        n, at = self.rules.players, int(self.batch.rule["c_notices"][0])
        fresh = self.batch.cards[0, at + seat * n : at + (seat + 1) * n]
        return tuple((s, NOTICE_CAP - int(fresh[s])) for s in range(n) if fresh[s])

    def _counts(self, region: str, seat: int | None = None) -> NDArray[np.int8]:
        k = len(self._tables.kinds)
        stride = int(self.batch.rule["stride"][0])
        at = int(self.batch.rule[f"c_{region}"][0]) + (0 if seat is None else seat * stride)
        return self.batch.cards[0, at : at + k]

    def _actions(self, move: Move) -> list[int]:
        """The small decisions of a legal move."""
        lay, game = self.layout, self.batch.games[0]
        first = {name: part.start for name, part in lay.actions.items()}
        simple = {"keep": "decline", "another": "call"}.get(move.kind, move.kind)
        before = [first["drop_none"]] if game["phase"] == DROP else []
        match move.kind:
            case "drop":
                return [first["drop"] + self._place(kind_of(self._tables, move.cards[0]))]
            case "accuse":
                return [first["accuse"] + ((move.seat or 0) - (self.turn or 0)) % self.rules.players - 1]
            case "give":
                return self._picks(move, int(game["claim"]))
            case "play":
                return before + self._play(move)
            case _:
                return [*before, first[simple]]

    def _play(self, move: Move) -> list[int]:
        """The claim where it is chosen, the picks from the claimed card on, lay where that is asked."""
        lay, game, claim = self.layout, self.batch.games[0], claim_of(self._tables, move.claim)
        chosen = game["phase"] == PICK or self._tables.follows[int(game["last"])].sum() == 1
        actions = [] if chosen else [lay.actions["claim"].start + self._place(claim)]
        actions += self._picks(move, claim)
        out_of_cards = len(move.cards) == int(game["sizes"][self.turn or 0]) and self.rules.dropp is None
        if len(move.cards) < min(self.rules.most_cards, self.rules.deck_size) and not out_of_cards:
            actions.append(lay.actions["lay"].start)
        return actions

    def _picks(self, move: Move, claim: int) -> list[int]:
        t, n = self._tables, len(self._tables.claims)
        counts = counts_of(t, move.cards)
        actions: list[int] = []
        for kind in [*((claim + i) % n for i in range(n)), *range(n, len(t.kinds))]:
            actions += [self.layout.actions["card"].start + self._place(kind)] * int(counts[kind])
        return actions

    def _place(self, kind: int) -> int:
        """Where a kind or claim stands in the relative order."""
        n = len(self._tables.claims)
        return kind if kind >= n else (kind - int(self.batch.games["shift"][0])) % n

    def _allowed(self) -> str:
        if self.deciding in ("answer", "vote"):
            return " or ".join(str(move) for move in self.legal_moves)
        game = self.batch.games[0]
        if self.deciding == "give":
            return f"give {game['owed']} cards of its hand"
        claims = " ".join(self._tables.claims[c] for c in self._claims())
        most = min(self.rules.most_cards, int(game["sizes"][self.turn or 0]))
        cards = f"1 to {most} cards" if most > 1 else "1 card"
        return f"claim one of {claims} with {cards} of its hand{' or pass' if self._may_pass() else ''}"


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
