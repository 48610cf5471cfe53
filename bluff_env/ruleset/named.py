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


NAMED: Final[dict[str, NamedSet]] = {
    "bloff": NamedSet({}, "Bløff, the Norwegian text (000)", "3-10"),
    "bluff": NamedSet({"first_player": "random"}, "Bluff, the Swedish text (001)", "2-10"),
    "blof": NamedSet({}, "Blöf, the Turkish text (004), in sequence", "2-10"),
    "blof_free": NamedSet({"lead": "any", "follow": "any"}, "Serbest Blöf (004): any rank every turn [C8]", "2-10"),
    "blof_starter": NamedSet({"lead": "any"}, "Blöf (004), house rule: the opener picks the rank [C7]", "2-10"),
    "blof_two_decks": NamedSet({"players": 8, "decks": 2}, "Bløff and Blöf (000, 004) with two decks [C1]", "7-10"),
    "tiny": NamedSet(
        {"ranks": 3, "suits": 2, "players": 2, "max_cards": 1, "max_turns": 6},
        "a six-card deck, small enough to solve exactly",
        "2",
    ),
}


def rule_names() -> tuple[str, ...]:
    """The names of all rule sets, in the order the documentation lists them."""
    return tuple(NAMED)
