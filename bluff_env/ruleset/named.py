"""The named rule sets, each with the game text it comes from (RULES section 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A named set: the fields that differ from the defaults, its source, and the source's advice on players."""

    fields: dict[str, Any]
    source: str
    advised_players: str


_STOPP: Final[dict[str, Any]] = {
    "suited": True, "ace": "high", "lead": "any", "follow": "higher_in_suit", "hand_size": 7, "start_card": "vote",
    "penalty": "stock_3", "round_ends": "call", "after_call": "right_party",
}  # fmt: skip
_OPEN: Final[dict[str, Any]] = {
    **_STOPP, "hand_size": 6, "start_card": "none", "passing": "allowed", "all_passed": "last_player_leads",
}  # fmt: skip

NAMED: Final[dict[str, NamedSet]] = {
    "bloff": NamedSet({}, "Bløff, the Norwegian text (000)", "3-10"),
    "bluff": NamedSet({"first_player": "random"}, "Bluff, the Swedish text (001)", "2-10"),
    "blof": NamedSet({}, "Blöf, the Turkish text (004), in sequence", "2-10"),
    "blof_free": NamedSet({"lead": "any", "follow": "any"}, "Serbest Blöf (004): any rank every turn [C8]", "2-10"),
    "blof_starter": NamedSet({"lead": "any"}, "Blöf (004), house rule: the opener picks the rank [C7]", "2-10"),
    "blof_two_decks": NamedSet({"players": 8, "decks": 2}, "Bløff and Blöf (000, 004) with two decks [C1]", "7-10"),
    "blof_pass": NamedSet({"passing": "allowed"}, "Pas Geçmeli (004): the player to move may pass [C9]", "2-10"),
    "blof_free_pass": NamedSet(
        {"lead": "any", "follow": "any", "passing": "allowed", "all_passed": "clear_pile"},
        "Serbest and Pas Geçmeli (004): any rank, or pass [C8] [C9]",
        "2-10",
    ),
    "blof_match": NamedSet({"target_points": 5}, "Blöf (004): the first to win five deals [M1]", "2-10"),
    "bluffstopp": NamedSet(_STOPP, "Bluffstopp, the second Swedish text (003)", "2-6"),
    "bluffstopp_six": NamedSet({**_STOPP, "hand_size": 6, "start_card": "keep"}, "Bluffstopp in 001: six cards", "2-6"),
    "bluffstopp_open": NamedSet(_OPEN, "Bluffstopp, the first Swedish text (002): no start card, passing [B5]", "3-7"),
    "bluffstopp_pile": NamedSet({**_OPEN, "penalty": "pile"}, "variant of 002: the wrong party takes the pile", "3-7"),
    "bluffstopp_stock": NamedSet({**_STOPP, "penalty": "whole_stock"}, "variant of 003: takes the whole stock", "2-6"),
    "bluffstopp_jokers": NamedSet({**_STOPP, "jokers": 2}, "003 with jokers [B9]", "2-6"),
    "bluffstopp_dropp": NamedSet(
        {**_OPEN, "dropp": {"penalty": 3, "notice": 0.3, "false_notice": 0.02}},
        "002 and 003 with dropp [D1]",
        "3-7",
    ),
    "cheat": NamedSet(
        {"lead": "any", "follow": "same_or_adjacent"},
        "Cheat (Britain): the same rank or one step up or down; en.wikipedia.org/wiki/Cheat_(game), revision of 2013 "
        "(who plays after a call is not said there: decided as in 000)",
        "3-8",
    ),
    "bs": NamedSet(
        {},
        "BS or I Doubt It (United States): aces first, then one step up every play; en.wikipedia.org/wiki/Cheat_(game) "
        "(the same fields as bloff)",
        "3-10",
    ),
    "verish": NamedSet(
        {
            "lead": "any",
            "follow": "same",
            "round_ends": "call",
            "callers": "next",
            "max_cards": 3,
            "after_call": "left_of_wrong",
        },
        "Verish ne verish (Russia): one rank until somebody is called, by the next player only; "
        "pagat.com/beating/verish.html (not modelled: a card set aside, four of a kind put away)",
        "2-6",
    ),
    "tiny": NamedSet(
        {"ranks": 3, "suits": 2, "players": 2, "max_cards": 1, "max_turns": 6},
        "a six-card deck, small enough to solve exactly",
        "2",
    ),
}


def rule_names() -> tuple[str, ...]:
    """The names of all rule sets, in the order the documentation lists them."""
    return tuple(NAMED)
