"""What `bluff rules` shows, as plain data and as rows of tables; the documentation's page is made from the same.

Everything comes from the rules object, the named sets and the layout; only what a field of the rules means is said
here.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import Any, Final

from bluff_env.layout import Layout, Piece, layout
from bluff_env.ruleset import NAMED, Rules, rules

#: What each field of the rules object decides; the brackets are places in the rules' text.
FIELD_MEANINGS: Final[dict[str, str]] = {
    "players": "seats",
    "ranks": "ranks in the deck",
    "suits": "suits in the deck",
    "decks": "decks shuffled together",
    "jokers": "jokers added to that [B9]",
    "suited": "claims and cards carry suits",
    "ace": "low: A 2 … K; high: 2 … K A",
    "hand_size": "cards dealt to each; null: the whole deck",
    "first_player": "who opens the deal [C1]",
    "start_card": "a card turned to begin with [B2]",
    "start_card_high": "lowest rank that is voted on [B2]",
    "start_card_redraws": "most times another card is turned [B2]",
    "lead": "what may be claimed when leading [C7]",
    "follow": "what may be claimed after a claim [C2] [C8] [B3]",
    "round_ends": "call: the play after a call leads [C7]",
    "max_cards": "most cards in a play; null: all of a rank [C2]",
    "passing": "may the player to move pass [C9]",
    "all_passed": "what follows when all others pass [C9]",
    "callers": "who may call; next: the seat to the left [C3]",
    "call_order": "who wins when several would call [C3]",
    "penalty": "what the wrong party takes [C4] [B6]",
    "empty_stock": "what replaces what the stock cannot pay [B7]",
    "give": "how cards owed from a hand are picked [B7]",
    "after_call": "who plays next after a call [C5] [B6]",
    "reveal": "who sees the cards turned by a call [V]",
    "dropp": "secret discards [D1]",
    "target_points": "points that win a match; null: one deal [M1]",
    "max_turns": "turns before a deal is cut off [E2]",
    "rewards": "to the winner and the others [E3]",
}


def value_text(value: Any) -> str:
    """A field's value as YAML writes it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = dataclasses.asdict(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {value_text(v)}" for key, v in value.items()) + "}"
    return str(value)


def differing(r: Rules) -> dict[str, Any]:
    """The fields whose values are not the defaults, as plain data."""
    plain, default = r.to_dict(), Rules().to_dict()
    return {name: value for name, value in plain.items() if value != default[name]}


def describe_sets() -> list[dict[str, Any]]:
    """Every named set: its name, source, advised players and the fields that differ from the defaults."""
    return [
        {
            "name": name,
            "source": named.source,
            "advised_players": named.advised_players,
            "differs": differing(rules(name)),
        }
        for name, named in NAMED.items()
    ]


def describe(r: Rules, name: str | None, source: str, advised_players: str | None) -> dict[str, Any]:
    """Everything `bluff rules NAME` shows, as plain data.

    Args:
        r: the rules.
        name: the named set, None for house rules.
        source: where the rules come from.
        advised_players: the source's advice, None where there is none.
    """
    lay = layout(r)
    return {
        "name": name,
        "source": source,
        "advised_players": advised_players,
        "rules": r.to_dict(),
        "differs": differing(r),
        "sizes": sizes(lay),
        "kinds": list(lay.tables.kinds),
        "claims": list(lay.tables.claims),
        "fingerprint": lay.fingerprint,
        "actions": [
            {"segment": s.name, "start": s.start, "stop": s.start + s.size, "meaning": s.meaning} for s in lay.segments
        ],
        "observation": [_piece(p) for p in lay.parts],
        "state": [_piece(p) for p in lay.state_parts],
    }


def sizes(lay: Layout) -> dict[str, int]:
    """How long everything is."""
    return {
        "seats": lay.rules.players,
        "cards": lay.rules.deck_size,
        "kinds": len(lay.tables.kinds),
        "claims": len(lay.tables.claims),
        "actions": lay.n_actions,
        "observation": lay.size,
        "state": lay.state_size,
    }


def letters(lay: Layout) -> str:
    """What the letters in the pieces' shapes stand for."""
    n, k, c, r = lay.rules.players, len(lay.tables.kinds), len(lay.tables.claims), lay.rules.ranks
    return f"n = {n} seats, K = {k} kinds of card, C = {c} claims, R = {r} ranks"


def kinds_text(lay: Layout) -> str:
    """The kinds of card in their order, as game records write them."""
    return " ".join(lay.tables.kinds)


def action_rows(lay: Layout) -> list[tuple[str, str, str]]:
    """(segment, ids, meaning) of the action table."""
    rows = []
    for s in lay.segments:
        last = s.start + s.size - 1
        rows.append((s.name, str(s.start) if s.size == 1 else f"{s.start}–{last}", s.meaning))
    return rows


def piece_rows(parts: Iterable[Piece]) -> list[tuple[str, str, str, str, str]]:
    """(piece, slice, shape, highest value, meaning) of the observation's or the state's table."""
    return [(p.name, f"{p.start}:{p.start + p.size}", p.shape, _highest(p), p.meaning) for p in parts]


def state_rows(lay: Layout) -> list[tuple[str, str, str, str, str]]:
    """The state's table; pieces that are the observation's too are not explained again."""
    shown = {(p.name, p.shape, p.highest, p.meaning) for p in lay.parts}
    rows = zip(lay.state_parts, piece_rows(lay.state_parts), strict=True)
    return [
        (*row[:4], "as in the observation" if (p.name, p.shape, p.highest, p.meaning) in shown else row[4])
        for p, row in rows
    ]


def uncited(text: str) -> str:
    """A meaning without the places in the rules' text that it cites."""
    return re.sub(r" \[[A-Z]\d*\]", "", text)


def _piece(p: Piece) -> dict[str, Any]:
    alike = len(set(p.highest)) == 1
    return {
        "piece": p.name,
        "start": p.start,
        "stop": p.start + p.size,
        "shape": p.shape,
        "highest": p.highest[0] if alike else list(p.highest),
        "meaning": p.meaning,
    }


def _highest(p: Piece) -> str:
    values = sorted(set(p.highest))
    return ", ".join(map(str, values)) if len(values) <= 2 else f"{values[0]}–{values[-1]}"
