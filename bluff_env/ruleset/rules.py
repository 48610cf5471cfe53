"""The rules object: every field of the game texts, checked when it is made."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Final, Literal

from bluff_env.errors import RulesError

RANK_LETTERS: Final = "A23456789TJQK"
SUIT_LETTERS: Final = "SHDC"
JOKER: Final = "X"

# Whole numbers: field -> lowest and highest value.
_RANGES: Final[dict[str, tuple[int, int]]] = {
    "players": (2, 16),
    "ranks": (1, 13),
    "suits": (1, 4),
    "decks": (1, 4),
    "jokers": (0, 8),
    "start_card_redraws": (0, 1000),
    "max_turns": (1, 1_000_000),
}
# Words: field -> what may stand there.
_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "suited": (False, True),
    "ace": ("low", "high"),
    "first_player": ("dealer_left", "random"),
    "start_card": ("none", "keep", "vote"),
    "start_card_high": tuple(RANK_LETTERS),
    "lead": ("first_rank", "any"),
    "follow": ("next", "any", "same", "adjacent", "same_or_adjacent", "higher_in_suit"),
    "round_ends": ("never", "call"),
    "passing": ("never", "allowed"),
    "all_passed": ("must_play", "clear_pile", "last_player_leads"),
    "callers": ("all", "next"),
    "call_order": ("nearest", "race"),
    "empty_stock": ("from_opponent", "nothing"),
    "give": ("random", "choose"),
    "after_call": ("left_of_accused", "right_party", "wrong_party", "left_of_wrong"),
    "reveal": ("all", "caller"),
    "rewards": ("zero_sum", "win_loss", "win"),
}


@dataclass(frozen=True, slots=True)
class Dropp:
    """Secret discards [D1]: penalty cards (3..6), the chance of noticing one and of a false alarm (0..1)."""

    penalty: int
    notice: float
    false_notice: float

    def __post_init__(self) -> None:
        _check_int("dropp.penalty", self.penalty, 3, 6)
        for name in ("notice", "false_notice"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise RulesError(f"dropp.{name}: {value!r} is not allowed; a number from 0 to 1")
            object.__setattr__(self, name, float(value))


@dataclass(frozen=True, slots=True)
class Rules:
    """One game of the family: immutable, hashable, equal by value. The fields are those of RULES section 2.

    Attributes:
        players: seats, 2 to 16.
        ranks, suits, decks, jokers: the deck; 1 to 13, 1 to 4, 1 to 4, 0 to 8.
        suited: claims and cards carry suits.
        ace: "low" (A 2 … K) or "high" (2 … K A); small decks keep the first `ranks` of that order.
        hand_size: None deals the whole deck; a number deals that many each, the rest is the stock.
        first_player: "dealer_left" or "random": who opens.
        start_card, start_card_high, start_card_redraws: [B2].
        lead: what may be claimed when leading, "first_rank" or "any" [C7].
        follow: what may be claimed after a claim: "next", "any", "same", "adjacent", "same_or_adjacent",
            "higher_in_suit" [C2] [C8] [B3].
        round_ends: "never", or "call": the play after a call leads [C7].
        max_cards: most cards in one play: None (the most one claim can hold), a number, or "hand" [C2].
        passing, all_passed: [C9].
        callers: who may call: "all", or "next", the seat left of the accused only.
        call_order: "nearest" or "race" [C3].
        penalty: "pile", "stock_n" with n of at least 1, or "whole_stock" [C4] [B6].
        empty_stock, give: [B7].
        after_call: who plays next: "left_of_accused", "right_party", "wrong_party", or
            "left_of_wrong", the seat left of the wrong party (not in the game texts: Verish ne verish) [C5] [B6].
        reveal: who sees the cards a call turns, "all" or "caller" [V].
        dropp: None or a `Dropp` [D1].
        target_points: None or the points that win a match [M1].
        max_turns: turns in a deal before it is cut off [E2].
        rewards: "zero_sum", "win_loss" or "win" [E3].

    Raises:
        RulesError: one line naming the field, the value found and what is allowed.
    """

    players: int = 4
    ranks: int = 13
    suits: int = 4
    decks: int = 1
    jokers: int = 0
    suited: bool = False
    ace: Literal["low", "high"] = "low"
    hand_size: int | None = None
    first_player: Literal["dealer_left", "random"] = "dealer_left"
    start_card: Literal["none", "keep", "vote"] = "none"
    start_card_high: str = "J"
    start_card_redraws: int = 3
    lead: Literal["first_rank", "any"] = "first_rank"
    follow: Literal["next", "any", "same", "adjacent", "same_or_adjacent", "higher_in_suit"] = "next"
    round_ends: Literal["never", "call"] = "never"
    max_cards: int | Literal["hand"] | None = None
    passing: Literal["never", "allowed"] = "never"
    all_passed: Literal["must_play", "clear_pile", "last_player_leads"] = "must_play"
    callers: Literal["all", "next"] = "all"
    call_order: Literal["nearest", "race"] = "nearest"
    penalty: str = "pile"
    empty_stock: Literal["from_opponent", "nothing"] = "from_opponent"
    give: Literal["random", "choose"] = "random"
    after_call: Literal["left_of_accused", "right_party", "wrong_party", "left_of_wrong"] = "left_of_accused"
    reveal: Literal["all", "caller"] = "all"
    dropp: Dropp | None = None
    target_points: int | None = None
    max_turns: int = 1000
    rewards: Literal["zero_sum", "win_loss", "win"] = "zero_sum"

    def __post_init__(self) -> None:
        if isinstance(self.dropp, Mapping):
            object.__setattr__(self, "dropp", _dropp(self.dropp))
        for name in FIELDS:
            value = getattr(self, name)
            if isinstance(value, Integral) and not isinstance(value, int):
                object.__setattr__(self, name, int(value))  # numpy's whole numbers are as good as Python's
        high: Any = self.start_card_high
        if type(high) is int and 2 <= high <= 9:
            object.__setattr__(self, "start_card_high", str(high))  # 9 in YAML is a number
        _check_values(self)
        _check_combinations(self)

    @property
    def deck_size(self) -> int:
        """Cards in play, jokers included."""
        return self.ranks * self.suits * self.decks + self.jokers

    @property
    def stock_penalty(self) -> int | None:
        """The n of the penalty stock_n: cards that who was wrong draws; None under another penalty [B6]."""
        return int(self.penalty.removeprefix("stock_")) if self.penalty.startswith("stock_") else None

    @property
    def most_cards(self) -> int:
        """`max_cards` worked out: the most cards one play may have (before the hand's size limits it) [C2]."""
        if self.max_cards == "hand":
            return self.deck_size
        if self.max_cards is None:
            return 1 if self.suited else self.suits * self.decks + self.jokers
        return self.max_cards

    def replace(self, **changes: Any) -> Rules:
        """The same rules with some fields changed, checked again."""
        return from_mapping(changes, base=self)

    def to_dict(self) -> dict[str, Any]:
        """Every field as plain data (for JSON and YAML); `Rules(**d)` gives an equal object."""
        return dataclasses.asdict(self)


FIELDS: Final = tuple(f.name for f in dataclasses.fields(Rules))


def from_mapping(fields: Mapping[str, Any], base: Rules | None = None) -> Rules:
    """Rules from a mapping of fields laid over `base` (the defaults, if None). Unknown keys are errors."""
    for key in fields:
        if key not in FIELDS:
            hint = near(str(key), FIELDS) or f"; fields: {', '.join(FIELDS)}"
            raise RulesError(f"{key}: no such field of the rules{hint}")
    start = {} if base is None else {name: getattr(base, name) for name in FIELDS}
    return Rules(**{**start, **fields})


def near(word: str, known: tuple[str, ...]) -> str:
    """A hint such as " (did you mean 'bloff'?)" for a misspelt word, or nothing."""
    import difflib

    close = difflib.get_close_matches(word, known, n=3, cutoff=0.5)
    return f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""


def _dropp(value: Mapping[str, Any]) -> Dropp:
    allowed = ("penalty", "notice", "false_notice")
    for key in value:
        if key not in allowed:
            raise RulesError(f"dropp.{key}: no such field; fields: {', '.join(allowed)}")
    for key in allowed:
        if key not in value:
            raise RulesError(f"dropp.{key}: missing; dropp needs {', '.join(allowed)}")
    return Dropp(**value)


def _check_int(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise RulesError(f"{name}: {value!r} is not allowed; a whole number from {low} to {high}")


def _check_values(r: Rules) -> None:
    for name, (low, high) in _RANGES.items():
        _check_int(name, getattr(r, name), low, high)
    for name, allowed in _CHOICES.items():
        value = getattr(r, name)
        if not any(type(value) is type(a) and value == a for a in allowed):
            words = ", ".join(str(a).lower() if isinstance(a, bool) else str(a) for a in allowed)
            raise RulesError(f"{name}: {value!r} is not allowed; one of {words}")
    if r.hand_size is not None:
        _check_int("hand_size", r.hand_size, 1, r.deck_size)
    most: object = r.max_cards
    if most not in (None, "hand") and (type(most) is not int or not 1 <= most <= r.deck_size):
        raise RulesError(f"max_cards: {most!r} is not allowed; null, hand, or a whole number from 1 to {r.deck_size}")
    if not isinstance(r.penalty, str) or not re.fullmatch(r"pile|whole_stock|stock_[1-9][0-9]{0,2}", r.penalty):
        raise RulesError(f"penalty: {r.penalty!r} is not allowed; pile, whole_stock, or stock_n with n from 1 to 999")
    if r.target_points is not None:
        _check_int("target_points", r.target_points, 1, 1_000_000)
    if r.dropp is not None and not isinstance(r.dropp, Dropp):
        raise RulesError(f"dropp: {r.dropp!r} is not allowed; null or {{penalty, notice, false_notice}}")


def _check_combinations(r: Rules) -> None:
    """The combinations RULES section 2 refuses."""
    if r.hand_size is None and r.deck_size < r.players:
        raise RulesError(f"players: {r.players} with a deck of {r.deck_size} cards leaves a player without a card")
    start = int(r.start_card != "none")
    if r.hand_size is not None and r.hand_size * r.players + start > r.deck_size:
        extra = " and a start card" if start else ""
        raise RulesError(
            f"hand_size: {r.hand_size} for {r.players} players{extra} needs {r.hand_size * r.players + start} cards; "
            f"the deck has {r.deck_size}"
        )
    if (r.follow == "higher_in_suit") != r.suited:
        raise RulesError(f"follow: {r.follow!r} with suited {r.suited}; higher_in_suit and suited go together")
    if r.suited and r.lead == "first_rank":
        raise RulesError("lead: 'first_rank' is not allowed with suited; any")
    if r.suited and r.decks > 1:
        raise RulesError(f"decks: {r.decks} is not allowed with suited; 1")
    if r.suited and r.max_cards not in (None, 1):
        raise RulesError(f"max_cards: {r.max_cards!r} is not allowed with suited; null or 1")
    if r.hand_size is None:
        for name, found, plain in (
            ("start_card", r.start_card, "none"),
            ("dropp", r.dropp, None),
            ("penalty", r.penalty, "pile"),
        ):
            if found != plain:
                allowed = "null" if plain is None else plain
                raise RulesError(f"{name}: {found!r} needs a stock, so a hand_size; without one only {allowed}")
    if r.call_order == "race" and r.dropp is not None:
        raise RulesError("call_order: 'race' is not allowed with dropp; nearest")
