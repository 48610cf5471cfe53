"""The rules object, the deck and the deal of RULES.md, in plain Python; part of the referee (see referee.py).

A card is its text: the rank ("A", "T") in unsuited games, rank and suit ("TH") in suited ones, "X" a joker. A
claim is written like a card. A hand is a Counter of cards, the stock a list with its top card first.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

RANK_LETTERS = "A23456789TJQK"
SUIT_LETTERS = "SHDC"
JOKER = "X"


class Illegal(ValueError):
    """A rules object, a deal or a move that RULES.md does not allow."""


# ---- the rules object: RULES.md section 2 ----

DEFAULTS: dict[str, Any] = {
    "players": 4, "ranks": 13, "suits": 4, "decks": 1, "jokers": 0, "suited": False, "ace": "low",
    "hand_size": None, "first_player": "dealer_left",
    "start_card": "none", "start_card_high": "J", "start_card_redraws": 3,
    "lead": "first_rank", "follow": "next", "round_ends": "never", "max_cards": None,
    "passing": "never", "all_passed": "must_play", "callers": "all", "call_order": "nearest",
    "penalty": "pile", "empty_stock": "from_opponent", "give": "random",
    "after_call": "left_of_accused", "reveal": "all", "dropp": None, "target_points": None,
    "max_turns": 1000, "rewards": "zero_sum",
}  # fmt: skip

RANGES: dict[str, tuple[int, float]] = {
    "players": (2, 16), "ranks": (1, 13), "suits": (1, 4), "decks": (1, 4), "jokers": (0, 8),
    "hand_size": (1, math.inf), "max_cards": (1, math.inf), "max_turns": (1, math.inf),
    "target_points": (1, math.inf), "start_card_redraws": (0, math.inf),
}  # fmt: skip

CHOICES: dict[str, tuple[Any, ...]] = {
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


def check_rules(rules: dict[str, Any]) -> dict[str, Any]:
    """The rules with missing fields at their default; raises Illegal if they cannot do."""
    if unknown := set(rules) - set(DEFAULTS):
        raise Illegal(f"rules: unknown fields {sorted(unknown)}")
    full = DEFAULTS | rules
    for field, value in full.items():
        if not _allowed(field, value):
            raise Illegal(f"rules: {field} is {value!r}, expected {_expected(field)}")
    _check_combination(full)
    return full


def _allowed(field: str, value: Any) -> bool:
    if value is None:
        return DEFAULTS[field] is None  # exactly the fields that default to null may be null
    if field == "max_cards" and value == "hand":
        return True
    if field == "penalty":
        return isinstance(value, str) and bool(re.fullmatch(r"pile|whole_stock|stock_[1-9][0-9]*", value))
    if field == "dropp":
        return _allowed_dropp(value)
    if field in CHOICES:
        return any(same(value, choice) for choice in CHOICES[field])
    low, high = RANGES[field]
    return is_int(value) and low <= value <= high


def _allowed_dropp(value: Any) -> bool:
    """{penalty: 3..6, notice: p, false_notice: q}, all three [D1]."""
    if not isinstance(value, dict) or set(value) != {"penalty", "notice", "false_notice"}:
        return False
    shares = [value["notice"], value["false_notice"]]
    return (
        is_int(value["penalty"])
        and 3 <= value["penalty"] <= 6
        and all(isinstance(share, int | float) and not isinstance(share, bool) and 0 <= share <= 1 for share in shares)
    )


def _expected(field: str) -> str:
    if field in CHOICES:
        return f"one of {CHOICES[field]}"
    return f"a whole number in {RANGES[field]}" if field in RANGES else "a value of RULES.md section 2"


def _check_combination(rules: dict[str, Any]) -> None:
    players, hand_size, cards = rules["players"], rules["hand_size"], deck(rules).total()
    if rules["follow"] == "higher_in_suit" and not rules["suited"]:
        raise Illegal("rules: follow is 'higher_in_suit', expected another value unless suited")
    if rules["suited"]:
        only: dict[str, tuple[Any, ...]] = {
            "follow": ("higher_in_suit",),
            "lead": ("any",),
            "decks": (1,),
            "max_cards": (None, 1),
        }
        for field, values in only.items():
            if rules[field] not in values:
                raise Illegal(f"rules: {field} is {rules[field]!r}, expected one of {values} when suited")
    if hand_size is None:
        for field, value in {"start_card": "none", "dropp": None, "penalty": "pile"}.items():
            if rules[field] != value:
                raise Illegal(f"rules: {field} is {rules[field]!r}, expected {value!r} without hand_size")
    if rules["dropp"] is not None and rules["call_order"] == "race":
        raise Illegal("rules: call_order is 'race', expected 'nearest' with dropp")
    if cards < players:
        raise Illegal(f"rules: players is {players}, expected at most one for each of the {cards} cards")
    for_hands = cards - (rules["start_card"] != "none")
    if hand_size is not None and hand_size * players > for_hands:
        raise Illegal(f"rules: hand_size is {hand_size}, expected at most {for_hands // players}")


# The named sets of RULES.md section 8: the fields that differ from the defaults.
BLUFFSTOPP: dict[str, Any] = {
    "suited": True, "ace": "high", "lead": "any", "follow": "higher_in_suit", "hand_size": 7, "start_card": "vote",
    "penalty": "stock_3", "round_ends": "call", "after_call": "right_party",
}  # fmt: skip
BLUFFSTOPP_OPEN = BLUFFSTOPP | {
    "hand_size": 6, "start_card": "none", "passing": "allowed", "all_passed": "last_player_leads",
}  # fmt: skip
NAMED: dict[str, dict[str, Any]] = {
    "bloff": {},
    "bluff": {"first_player": "random"},
    "blof": {},
    "blof_free": {"lead": "any", "follow": "any"},
    "blof_pass": {"passing": "allowed"},
    "blof_free_pass": {"lead": "any", "follow": "any", "passing": "allowed", "all_passed": "clear_pile"},
    "blof_starter": {"lead": "any"},
    "blof_two_decks": {"players": 8, "decks": 2},
    "blof_match": {"target_points": 5},
    "bluffstopp": BLUFFSTOPP,
    "bluffstopp_six": BLUFFSTOPP | {"hand_size": 6, "start_card": "keep"},
    "bluffstopp_open": BLUFFSTOPP_OPEN,
    "bluffstopp_pile": BLUFFSTOPP_OPEN | {"penalty": "pile"},
    "bluffstopp_stock": BLUFFSTOPP | {"penalty": "whole_stock"},
    "bluffstopp_jokers": BLUFFSTOPP | {"jokers": 2},
    "bluffstopp_dropp": BLUFFSTOPP_OPEN | {"dropp": {"penalty": 3, "notice": 0.3, "false_notice": 0.02}},
    "tiny": {"players": 2, "ranks": 3, "suits": 2, "max_cards": 1, "max_turns": 6},
}


def is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def same(one: Any, other: Any) -> bool:
    """Equal and of one type: 1 is not True."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


# ---- cards and claims ----


def rank_order(rules: dict[str, Any]) -> str:
    """The ranks in play, in the order of claims; small decks keep the first of that order."""
    order = RANK_LETTERS if rules["ace"] == "low" else RANK_LETTERS[1:] + "A"
    return order[: rules["ranks"]]


def claims(rules: dict[str, Any]) -> list[str]:
    """All that can be claimed: the ranks in order, or suit by suit; a joker never."""
    ranks = rank_order(rules)
    if not rules["suited"]:
        return list(ranks)
    return [rank + suit for suit in SUIT_LETTERS[: rules["suits"]] for rank in ranks]


def deck(rules: dict[str, Any]) -> Counter[str]:
    """How many of each card the whole deck holds."""
    copies = 1 if rules["suited"] else rules["suits"]
    cards = Counter(dict.fromkeys(claims(rules), copies * rules["decks"]))
    return cards + Counter({JOKER: rules["jokers"]})


def in_order(rules: dict[str, Any], cards: Iterable[str]) -> tuple[str, ...]:
    """The cards in the order of claims, jokers last."""
    return tuple(sorted(cards, key=[*claims(rules), JOKER].index))


def matches(claim: str, card: str) -> bool:
    """Does this card make the claim true? A joker makes any claim true [B9]."""
    return card in (claim, JOKER)


def following(rules: dict[str, Any], last: str | None) -> list[str]:
    """The claims allowed after `last`, in order; None: when leading [C2] [C7] [C8] [B3].

    Ranks wrap round, except in suit, where nothing follows the highest rank [B4].
    """
    order = rank_order(rules)
    if last is None:
        return claims(rules) if rules["lead"] == "any" else [order[0]]
    if rules["suited"]:
        rank, suit = last[0], last[1]
        return [higher + suit for higher in order[order.index(rank) + 1 :]]
    if rules["follow"] == "any":
        return list(order)
    steps = {"next": (1,), "same": (0,), "adjacent": (-1, 1), "same_or_adjacent": (-1, 0, 1)}
    at = order.index(last)
    allowed = {order[(at + step) % len(order)] for step in steps[rules["follow"]]}
    return [rank for rank in order if rank in allowed]


def to_follow_after(rules: dict[str, Any], card_or_claim: str) -> str | None:
    """What the next player has to follow after this claim or kept start card; None: the next player leads.

    A claim that nothing can follow is never to be followed [B4], nor is such a start card or a joker [B2].
    """
    if card_or_claim == JOKER or not following(rules, card_or_claim):
        return None
    return card_or_claim


def votes_on(rules: dict[str, Any], start_card: str, redraws: int) -> bool:
    """Are the seats asked whether to turn another start card, so many having been turned anew [B2]?"""
    order, high = rank_order(rules), rules["start_card_high"]
    if rules["start_card"] != "vote" or redraws >= rules["start_card_redraws"]:
        return False
    return start_card != JOKER and high in order and order.index(start_card[0]) >= order.index(high)


# ---- the deal: [C1] [B1] ----


def hand_sizes(rules: dict[str, Any], dealer: int) -> list[int]:
    """How many cards each seat is dealt; from the dealer's left, the first seats may hold one more [C1]."""
    players, hand_size = rules["players"], rules["hand_size"]
    if hand_size is not None:
        return [hand_size] * players
    each, over = divmod(deck(rules).total(), players)
    return [each + ((seat - dealer - 1) % players < over) for seat in range(players)]


def random_deal(rules: dict[str, Any], rng: random.Random, dealer: int | None = None) -> dict[str, Any]:
    """A shuffled deck dealt; the dealer drawn unless named, the opener drawn where the rules say so."""
    players = rules["players"]
    if dealer is None:
        dealer = rng.randrange(players)
    opener = rng.randrange(players) if rules["first_player"] == "random" else (dealer + 1) % players
    cards = list(deck(rules).elements())
    rng.shuffle(cards)
    hands = [[cards.pop() for _ in range(size)] for size in hand_sizes(rules, dealer)]
    return {"dealer": dealer, "opener": opener, "hands": hands, "stock": cards}


def check_deal(rules: dict[str, Any], deal: dict[str, Any]) -> tuple[int, int]:
    """Dealer and opener of a deal whose hands and stock are exactly the deck, dealt as the rules say."""
    players = rules["players"]
    dealer = _check_seat("dealer", deal.get("dealer"), players)
    left = (dealer + 1) % players
    if "opener" not in deal and rules["first_player"] == "random":
        raise Illegal("opener is missing, expected a seat where chance decides who opens")
    opener = _check_seat("opener", deal.get("opener", left), players)
    if rules["first_player"] == "dealer_left" and opener != left:
        raise Illegal(f"opener is {opener}, expected {left}, the seat left of the dealer")
    sizes = [len(hand) for hand in deal["hands"]]
    if sizes != hand_sizes(rules, dealer):
        raise Illegal(f"hands of {sizes} cards, expected {hand_sizes(rules, dealer)}")
    dealt = Counter(card for cards in [*deal["hands"], deal.get("stock", [])] for card in cards)
    if dealt != deck(rules):
        over, lacking = dealt - deck(rules), deck(rules) - dealt
        raise Illegal(f"expected exactly the deck dealt: {dict(over)} too many, {dict(lacking)} lacking")
    return dealer, opener


def _check_seat(name: str, value: Any, players: int) -> int:
    if not is_int(value) or not 0 <= value < players:
        raise Illegal(f"{name} is {value!r}, expected a seat from 0 to {players - 1}")
    return int(value)


# ---- rewards: [E3] ----


def rewards(rules: dict[str, Any], winner: int | None) -> list[float]:
    """What each seat gets at the end; nothing without a winner."""
    players = rules["players"]
    if winner is None:
        return [0.0] * players
    loss = {"zero_sum": -1.0 / (players - 1), "win_loss": -1.0, "win": 0.0}[rules["rewards"]]
    return [1.0 if seat == winner else loss for seat in range(players)]
