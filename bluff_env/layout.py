"""Layout: what the actions and the numbers of an observation mean under given rules.

One table of segments gives the action ids, masks and texts; one table of pieces gives the observation's slices, highest
values and documentation. Nothing about sizes is written twice.

Everything is relative to the observer and the table. Seats: 0 is the observer, then to the left. Ranks, which run
round: 0 is the rank last claimed by a laid play, or that of a kept start card that must be followed; before either the
rank before the first of the order (so under `follow=next` the rank to claim is always 1). Suited: suits rotate so that
the suit last claimed is 0, ranks stay. A joker is the last kind and never rotates.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_env.ruleset import Rules, Tables, tables
from bluff_env.ruleset import rules as make_rules

#: Goes up when a piece or segment changes its meaning, so that agents trained on the old one are refused.
LAYOUT_VERSION: Final = 1

#: The highest values of the pieces `turns` (hundredths of max_turns) and `called`.
TURNS_SCALE: Final = 100
CALLED_CAP: Final = 20
#: A notice counts down from this, one with every turn.
NOTICE_CAP: Final = 20
_INT8_MAX: Final = 127


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of an observation or of the state.

    Attributes:
        name: its name.
        start, size: where it stands.
        shape: how its numbers are arranged, row by row.
        highest: the value at which it saturates (int8); the float form divides by it.
        meaning: one sentence for people.
    """

    name: str
    start: int
    size: int
    shape: str
    highest: tuple[int, ...]
    meaning: str

    @property
    def slice(self) -> slice:
        """Where it stands."""
        return slice(self.start, self.start + self.size)


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment of the action ids: `size` actions from `start` on."""

    name: str
    start: int
    size: int
    meaning: str

    @property
    def slice(self) -> slice:
        """Where it stands."""
        return slice(self.start, self.start + self.size)


class Layout:
    """The action segments and observation pieces of one rules object.

    Attributes:
        rules, tables: what it was made from.
        segments: the action segments in order.
        actions: {segment: slice} into the action ids.
        n_actions: A, the number of actions.
        parts: the observation's pieces in order.
        pieces: {piece: slice} into an observation.
        size: D, the length of an observation.
        scale: (D,) float32, the highest value of each number (1 to 127).
        state_parts, state_pieces, state_size, state_scale: the same for the full state (see `GameBatch.state`).
        phases: the names in the one-hot piece `phase`.
        history: H, the plays that the piece `recent` goes back.
        recent_width: numbers per play in `recent`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules: Rules = rules
        self.tables: Tables = tables(rules)
        self.history: int = max(8, 2 * rules.players)
        self.phases: tuple[str, ...] = tuple(self._phases())
        self.claim_width: int = self._claim_width()
        self.recent_width: int = rules.players + self.claim_width + int(rules.most_cards > 1) + 2
        self.segments: tuple[Segment, ...] = self._segments()
        self.actions: dict[str, slice] = {s.name: s.slice for s in self.segments}
        self.n_actions: int = sum(s.size for s in self.segments)
        self.parts: tuple[Piece, ...] = _stack(self._pieces())
        self.pieces: dict[str, slice] = {p.name: p.slice for p in self.parts}
        self.size: int = sum(p.size for p in self.parts)
        self.scale: NDArray[np.float32] = _scale(self.parts)
        self.state_parts: tuple[Piece, ...] = _stack(self._state_pieces())
        self.state_pieces: dict[str, slice] = {p.name: p.slice for p in self.state_parts}
        self.state_size: int = sum(p.size for p in self.state_parts)
        self.state_scale: NDArray[np.float32] = _scale(self.state_parts)

    def to_float(self, counts: NDArray[np.int8]) -> NDArray[np.float32]:
        """(…, D) int8 counts as float32 in [0, 1]: exact, `to_counts` gives the same counts back."""
        floats = counts.astype(np.float32)
        floats /= self.scale  # a second large array would cost more than the division
        return floats

    def to_counts(self, observation: NDArray[np.float32]) -> NDArray[np.int8]:
        """(…, D) float32 in [0, 1] as int8 counts, the inverse of `to_float`."""
        counts: NDArray[np.int8] = np.rint(observation * self.scale).astype(np.int8)
        return counts

    @property
    def fingerprint(self) -> str:
        """16 hex digits that two layouts share exactly if the same numbers mean the same in both."""
        text = json.dumps(self.describe(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def describe(self) -> dict[str, Any]:
        """What agents must agree on, as plain data: version, cards, actions and pieces with their highest values."""
        return {
            "version": LAYOUT_VERSION,
            "kinds": list(self.tables.kinds),
            "claims": list(self.tables.claims),
            "actions": [[s.name, s.size] for s in self.segments],
            "pieces": [[p.name, p.shape, sorted(set(p.highest)), p.size] for p in self.parts],
        }

    def differences(self, other: dict[str, Any]) -> list[str]:
        """What differs between this layout and another's `describe()` (from a file, perhaps), one phrase each."""
        mine = self.describe()
        found = [
            f"{key} {other.get(key)!r} instead of {mine[key]!r}"
            for key in ("version", "kinds", "claims")
            if other.get(key) != mine[key]
        ]
        for key in ("actions", "pieces"):
            ours, theirs = _rows(mine[key]) or {}, _rows(other.get(key))
            if theirs is None:
                found.append(f"{key} {'of another form' if key in other else 'missing'}")
                continue
            for name in {**ours, **theirs}:
                if ours.get(name) != theirs.get(name):
                    found.append(
                        f"{key[:-1]} {name} {_size_text(theirs.get(name))} instead of {_size_text(ours.get(name))}"
                    )
        return found

    def action_text(self, action: int, shift: int = 0) -> str:
        """An action in words. `shift`: the claim that relative index 0 stands for (see `GameBatch.shift`).

        Raises:
            IndexError: not an action of this layout.
        """
        t = self.tables
        for s in self.segments:
            if s.start <= action < s.start + s.size:
                index = action - s.start
                if s.name == "claim":
                    return f"claim {t.claims[(index + shift) % len(t.claims)]}"
                if s.name in ("card", "drop"):
                    joker = index >= len(t.claims)
                    verb = "pick" if s.name == "card" else "drop"
                    return f"{verb} {t.kinds[index if joker else (index + shift) % len(t.claims)]}"
                if s.name == "accuse":
                    return f"accuse the seat {index + 1} to the left"
                return s.name.replace("_", " ")
        raise IndexError(f"action {action}: there are {self.n_actions} actions, 0 to {self.n_actions - 1}")

    def _phases(self) -> list[str]:
        """The kinds of decisions that occur, in the order a game can ask them."""
        r = self.rules
        gives = r.penalty != "pile" and r.empty_stock == "from_opponent" and r.give == "choose"
        occurs = {
            "vote": r.start_card == "vote" and r.start_card_redraws > 0,
            "drop": r.dropp is not None,
            "claim": self.tables.claim_choice,
            "pick": True,
            "answer": True,
            "give": gives,
        }
        return [name for name, does in occurs.items() if does]

    def _claim_width(self) -> int:
        """Numbers that a claim takes in `recent`: none where the claims run by themselves, else a rank and a suit."""
        if not self.tables.claim_choice:
            return 0
        return self.rules.ranks + (self.rules.suits if self.rules.suited else 0)

    def _segments(self) -> tuple[Segment, ...]:
        t, r = self.tables, self.rules
        vote = "vote" in self.phases
        decline = "do not call the play on the table [C3]" + ("; keep the start card [B2]" if vote else "")
        call = "call the play on the table [C3]" + ("; vote for another start card [B2]" if vote else "")
        gives = "; give it [B7]" if "give" in self.phases else ""
        rows = [("decline", 1, decline), ("call", 1, call)]
        if r.passing == "allowed":
            rows.append(("pass", 1, "pass instead of laying [C9] [B5]"))
        if r.most_cards > 1:
            rows.append(("lay", 1, "lay the picked cards (automatic at the cap or when the hand is empty) [C2]"))
        if t.claim_choice:
            rows.append(("claim", len(t.claims), "choose what to claim, by relative claim [C7] [C8] [B3]"))
        rows.append(("card", len(t.kinds), f"pick a card of this relative kind for the play [C2]{gives}"))
        if r.dropp is not None:
            rows.append(("drop_none", 1, "drop nothing in this turn [D1]"))
            rows.append(("drop", len(t.kinds), "drop a card of this relative kind [D1]"))
            rows.append(("accuse", r.players - 1, "accuse a seat of a drop, 1 to n - 1 to the left [D3]"))
        start, segments = 0, []
        for name, size, meaning in rows:
            segments.append(Segment(name, start, size, meaning))
            start += size
        return tuple(segments)

    def _pieces(self) -> list[tuple[str, str, list[int], str]]:
        r, t, n = self.rules, self.tables, self.rules.players
        kinds, claims = [int(c) for c in t.deck], len(t.claims)
        cards = min(_INT8_MAX, r.deck_size)
        rows = [
            ("hand", "K", kinds, "the observer's hand, picked cards included until they are laid"),
            ("picked", "K", kinds, "cards the observer has picked for the play it is making, or to give"),
            ("mine_in_pile", "K", kinds, "cards the observer has laid into the present pile"),
            ("hand_sizes", "n", [cards] * n, "cards in each hand" + self._apparent()),
            ("pile_size", "1", [cards], "cards in the pile"),
        ]
        if r.hand_size is not None:
            rows.append(("stock_size", "1", [cards], "cards in the stock [B1]"))
        rows.append(
            ("phase", "one-hot", [1] * len(self.phases), f"what the observer decides: {', '.join(self.phases)}; "
             "all zero when it is not to move")
        )  # fmt: skip
        if t.claim_choice:
            rows.append(("claimable", "C", [1] * claims, "claims open to the observer, when it is to choose one"))
        rows += [
            ("claim", "C", [1] * claims, "the claim on the table; for the observer picking cards, the claim it makes"),
            ("claim_count", "1", [min(_INT8_MAX, r.most_cards)], "cards laid in the play on the table; 0 when none"),
            ("claimant", "n", [1] * n, "who made the play on the table; all zero when none"),
            self._origin(),
            ("claimed_in_pile", "n x C", [min(_INT8_MAX, 2 * max(kinds[:claims]))] * (n * claims),
             "cards each seat has claimed into the present pile"),
            ("known", "n x K", kinds * n, "cards certain to be in each other hand: turned by a call and taken, the "
             "observer's own cards taken, cards given; row 0 is zero [V]"),
            ("called", "n x 3", [CALLED_CAP] * (3 * n), "per seat: its called plays that were bluffs, that were true, "
             "and its own calls that were wrong"),
            ("turns", "1", [TURNS_SCALE], "share of max_turns gone, in hundredths [E2]"),
        ]  # fmt: skip
        return [*rows, *self._rare_pieces(kinds), self._recent()]

    def _rare_pieces(self, kinds: list[int]) -> list[tuple[str, str, list[int], str]]:
        """Pieces that only some rules give a meaning to."""
        r, n = self.rules, self.rules.players
        rows: list[tuple[str, str, list[int], str]] = []
        if r.passing == "allowed":
            rows.append(("passes", "1", [n], "passes in a row [C9]"))
        if r.target_points is not None:
            rows.append(("scores", "n", [min(_INT8_MAX, r.target_points)] * n, "deals each seat has won [M1]"))
        if r.dropp is not None:
            meaning = (
                f"the observer's notices of a drop, by seat: {NOTICE_CAP} when fresh, one less with every turn [D2]"
            )
            rows.append(("notices", "n", [NOTICE_CAP] * n, meaning))
        if r.start_card != "none":
            rows.append(("start_card", "K", [1] * len(kinds), "the start card, voted on or in the pile [B2]"))
        return rows

    def _apparent(self) -> str:
        return (
            ", as they appear to the others: drops not found out still count [D2]"
            if self.rules.dropp is not None
            else ""
        )

    def _origin(self) -> tuple[str, str, list[int], str]:
        if self.rules.suited:
            return ("origin", "one-hot", [1] * self.rules.suits, "where the first suit stands in the relative order")
        return ("origin", "one-hot", [1] * self.rules.ranks, "where the first rank stands in the relative order")

    def _recent(self) -> tuple[str, str, list[int], str]:
        r = self.rules
        one = [1] * (r.players + self.claim_width)
        if r.most_cards > 1:
            one.append(min(_INT8_MAX, r.most_cards))
        what = ["seat (n)"]
        if self.claim_width:
            what.append("claimed rank (R), suit (S)" if r.suited else "claimed rank (R)")
        if r.most_cards > 1:
            what.append("count")
        what.append("called and a bluff, called and true")
        meaning = f"the last {self.history} plays, latest first, each: {', '.join(what)}"
        return ("recent", f"{self.history} x {self.recent_width}", [*one, 1, 1] * self.history, meaning)

    def _state_pieces(self) -> list[tuple[str, str, list[int], str]]:
        """The whole truth, in absolute seats and relative kinds, for centralised critics."""
        r, n = self.rules, self.rules.players
        own = {piece[0]: piece for piece in self._pieces()}
        kinds = own["hand"][2]
        public = [
            own[name]
            for name in ("hand_sizes", "pile_size", "stock_size", "claim", "claim_count", "claimant", "origin")
            if name in own
        ]
        hidden: list[tuple[str, str, list[int], str]] = []
        if r.call_order == "race" or "vote" in self.phases:
            hidden.append(("answers", "n", [1] * n, "who has called in the race, or voted for another card, so far"))
        if "vote" in self.phases:
            hidden.append(("opener", "n", [1] * n, "who opens the deal [B2]"))
            most = max(1, min(_INT8_MAX, r.start_card_redraws))
            hidden.append(("redraws", "1", [most], "start cards put back so far [B2]"))
        if "give" in self.phases:
            hidden.append(("owed", "1", [min(_INT8_MAX, r.deck_size)], "cards the right party still has to give [B7]"))
        if r.dropp is not None:
            hidden.append(("may_accuse", "1", [1], "the seat asked has not accused in this window [D3]"))
            hidden.append(("laps", "n x K", kinds * n, "cards each seat has dropped [D1]"))
        if r.all_passed == "clear_pile":
            hidden.append(("aside", "K", kinds, "cards of cleared piles [C9]"))
        if r.hand_size is not None:
            hidden.append(("stock", "K", kinds, "cards in the stock, in any order"))
        notices = [("notices", "n x n", [NOTICE_CAP] * (n * n), "each seat's (row) notices")] if r.dropp else []
        rare = [piece for piece in self._rare_pieces(kinds) if piece[0] != "notices"]
        return [
            ("player", "n", [1] * n, "the seat to move; all zero at the end"),
            own["phase"],
            ("hands", "n x K", kinds * n, "every hand"),
            own["picked"],
            ("last_play", "K", kinds, "the cards of the play on the table; all zero when none"),
            ("laid_in_pile", "n x K", kinds * n, "cards each seat has laid into the present pile"),
            *public,
            own["claimed_in_pile"],
            ("known", "n x n x K", kinds * (n * n), "what each seat (row) is certain of in each hand"),
            own["called"],
            own["turns"],
            *hidden,
            *notices,
            *rare,
            own["recent"],
        ]


def layout(rules: str | Mapping[str, Any] | Rules) -> Layout:
    """The layout of these rules, or of anything that `bluff_env.rules` takes (cached: rules are immutable)."""
    return _layout(make_rules(rules))


@lru_cache(maxsize=256)
def _layout(rules: Rules) -> Layout:
    return Layout(rules)


def _stack(rows: list[tuple[str, str, list[int], str]]) -> tuple[Piece, ...]:
    start, pieces = 0, []
    for name, shape, highest, meaning in rows:
        pieces.append(Piece(name, start, len(highest), shape, tuple(highest), meaning))
        start += len(highest)
    return tuple(pieces)


def _scale(parts: tuple[Piece, ...]) -> NDArray[np.float32]:
    scale = np.array([value for p in parts for value in p.highest], np.float32)
    scale.setflags(write=False)
    return scale


def _rows(value: Any) -> dict[str, list[Any]] | None:
    """{name: what stands after it} of rows that begin with a name; None where it is something else."""
    good = isinstance(value, list) and all(
        isinstance(row, list) and len(row) > 1 and isinstance(row[0], str) for row in value
    )
    return {row[0]: row[1:] for row in value} if good else None


def _size_text(row: list[Any] | None) -> str:
    return "missing" if row is None else f"of size {row[-1]}" if len(row) == 1 else f"{row[0]} (size {row[-1]})"
