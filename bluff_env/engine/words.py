"""Small words of the engine: the seat on the left, relative and absolute claims, the order of picks."""

from __future__ import annotations

from typing import Any

from bluff_env.engine.compiling import inlined


@inlined
def left_of(rule: Any, seat: int) -> Any:
    """The seat on the left, which comes next in the order of play (a division would cost more)."""
    return seat + 1 if seat + 1 < rule.seats else 0


@inlined
def right_of(rule: Any, seat: int) -> Any:
    """The seat on the right."""
    return (seat if seat > 0 else rule.seats) - 1


@inlined
def absolute(rule: Any, game: Any, relative: int) -> Any:
    """The claim that stands at a place in the relative order."""
    claim = relative + game.shift
    return claim - rule.claims if claim >= rule.claims else claim


@inlined
def order(rule: Any, claim: int, kind: int) -> Any:
    """A kind's place in the order of picks, which starts at the claimed card; jokers last."""
    if kind >= rule.claims or kind >= claim:
        return kind if kind >= rule.claims else kind - claim
    return kind - claim + rule.claims


@inlined
def relative_kind(rule: Any, game: Any, kind: int) -> Any:
    """A claim's or kind's place in the relative order; a joker stays last."""
    if kind >= rule.claims:
        return kind
    place = kind - game.shift
    return place + rule.claims if place < 0 else place
