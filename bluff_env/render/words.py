"""What is going on at the table, in one line: said alike by the text and by the picture."""

from __future__ import annotations

from collections.abc import Sequence

from bluff_env.game import View


def seat_names(players: int) -> tuple[str, ...]:
    """What the seats are called unless somebody says otherwise: `player_0` …, as PettingZoo's agents."""
    return tuple(f"player_{seat}" for seat in range(players))


def status(view: View, names: Sequence[str]) -> str:
    """Who is to move and what it decides, or how the game ended. The mover alone is told what it may claim."""
    if view.cut_off:
        return "cut off, no winner"
    if view.over:
        return f"{names[view.winner or 0]} has won"
    who = names[view.turn or 0]
    if view.deciding == "answer":
        return f"{who} is asked: call or decline"
    if view.deciding == "vote":
        return f"{who} votes: keep the start card or another"
    if view.deciding == "give":
        return f"{who} picks cards to give"
    if not view.to_claim:
        return f"{who} is to play"
    to_claim = f"claim {view.to_claim[0]}" if len(view.to_claim) == 1 else "choose a claim"
    return f"{who} is to play: {to_claim}"
