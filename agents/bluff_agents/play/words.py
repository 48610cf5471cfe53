"""Cards, claims and moves in words, for people: what the notation of records (`4:4JT`, `TH`) stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from bluff_env import Move
from bluff_env.ruleset.rules import JOKER

RANK_WORDS: Final = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip
SUIT_WORDS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(number: int) -> str:
    """2 is "two"; digits above ten."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def counted(number: int, noun: str, words: bool = True) -> str:
    """As "one card", "three cards", or with digits."""
    return f"{number_word(number) if words else number} {noun}{'' if number == 1 else 's'}"


def card_words(card: str) -> str:
    """`TH` is "ten of hearts", `T` "ten", `X` "joker"."""
    if card == JOKER:
        return "joker"
    rank = RANK_WORDS[card[0]]
    return f"{rank} of {SUIT_WORDS[card[1]]}" if len(card) > 1 else rank


def card_signs(card: str) -> str:
    """`TH` is "10♥", `T` "10", `X` "joker": as cards are printed."""
    if card == JOKER:
        return "joker"
    rank = "10" if card[0] == "T" else card[0]
    return rank + (SUIT_SIGNS[card[1]] if len(card) > 1 else "")


def card_dict(card: str) -> dict[str, Any]:
    """A card as plain data: `card` (notation), `rank`, `suit` (None where cards have none), `sign`, `words`."""
    joker = card == JOKER
    return {
        "card": card,
        "rank": "joker" if joker else ("10" if card[0] == "T" else card[0]),
        "suit": SUIT_WORDS[card[1]] if len(card) > 1 else None,
        "sign": card_signs(card),
        "words": card_words(card),
    }


def claim_words(claim: str, count: int = 1) -> str:
    """What a play is said to be: "two fours", "a six", "the ten of hearts"."""
    if len(claim) > 1:
        return f"the {card_words(claim)}"
    rank = RANK_WORDS[claim]
    if count == 1:
        return f"{'an' if rank[0] in 'ae' else 'a'} {rank}"
    return f"{number_word(count)} {plural(claim)}"


def plural(claim: str) -> str:
    """`4` is "fours", `6` "sixes"; with suits "ten of hearts"."""
    if len(claim) > 1:
        return card_words(claim)
    rank = RANK_WORDS[claim]
    return rank + ("es" if rank.endswith("x") else "s")


def cards_words(cards: Sequence[str]) -> str:
    """A few cards in a row: "4 4 J", "10♥ 3♠"."""
    return " ".join(card_signs(card) for card in cards)


def cards_counted(cards: Sequence[str]) -> str:
    """Many cards in a row: "A×3 4 J×2"; with suits each by itself."""
    parts = []
    for card, group in groupby(cards):
        many = len(list(group))
        parts.append(card_signs(card) + (f"×{many}" if many > 1 else ""))
    return " ".join(parts)


def move_words(move: Move, true: bool | None, accused: str = "the play") -> str:
    """A move as an offer to whom it is open: "claim two fours: lay 4 4 (true)".

    Args:
        move: the move.
        true: of a play, is it so?
        accused: whose play a call would turn.
    """
    match move.kind:
        case "play":
            claim = claim_words(move.claim or "", len(move.cards))
            return f"claim {claim}: lay {cards_words(move.cards)} ({'true' if true else 'a bluff'})"
        case "call":
            return f"call {accused} a bluff"
        case "decline":
            return "let it stand"
        case "keep":
            return "keep the start card"
        case "another":
            return "vote for another start card"
        case "drop":
            return f"drop {cards_words(move.cards)} out of sight"
        case "accuse":
            return f"accuse seat {move.seat} of a drop"
        case "give":
            return f"give {cards_words(move.cards)}"
        case _:
            return "pass"


class Names:
    """How events name seats: "you" or "seat 2", with the verb that goes with it.

    Args:
        seat: whose eyes the events are seen with.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __call__(self, seat: int) -> str:
        """As "you" or "seat 2"."""
        return "you" if seat == self.seat else f"seat {seat}"

    def does(self, seat: int, verb: str) -> str:
        """As "you lay", "seat 2 lays"."""
        if seat == self.seat:
            return f"you {verb}"
        ending = "es" if verb.endswith(("s", "sh", "ch")) else "s"
        return f"seat {seat} {_IRREGULAR.get(verb, verb + ending)}"

    def own(self, seat: int) -> str:
        """As "your", "seat 2’s"."""
        return "your" if seat == self.seat else f"seat {seat}’s"

    def several(self, seats: Sequence[int]) -> str:
        """As "you, seat 2 and seat 3"."""
        texts = [self(seat) for seat in seats]
        return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


_IRREGULAR: Final[Mapping[str, str]] = {"have": "has", "are": "is"}


def printable(text: str) -> str:
    """The text with "?" for what no screen shows and a terminal might obey: control characters, half characters."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
