"""The table as one seat sees it, as plain text that fits 80 columns."""

from __future__ import annotations

import textwrap
from itertools import groupby

from bluff_env.game import View

_WIDTH = 80


def table_text(view: View) -> str:
    """A few lines: seats with hand sizes, the pile, the play on the table, the hand of the seat that looks."""
    lines = [f"turn {view.turns}   pile {view.pile}   {_status(view)}"]
    seats = []
    for seat, size in enumerate(view.hand_sizes):
        mark = "*" if seat == view.turn else " "
        you = " (sees this)" if seat == view.seat else ""
        seats.append(f"{mark} player_{seat}: {size} card{'' if size == 1 else 's'}{you}")
    lines += seats
    if view.claimant is not None:
        lines.append(f"on the table: player_{view.claimant} laid {view.count} and claims {view.claim}")
    lines += _wrapped("hand: ", _grouped(view.hand))
    if view.picked:
        lines += _wrapped("picked: ", _grouped(view.picked))
    return "\n".join(lines) + "\n"


def _status(view: View) -> str:
    if view.cut_off:
        return "cut off, no winner"
    if view.over:
        return f"player_{view.winner} has won"
    if view.asked:
        return f"player_{view.turn} is asked: call or decline"
    if not view.to_claim:
        return f"player_{view.turn} is to play"
    to_claim = f"claim {view.to_claim[0]}" if len(view.to_claim) == 1 else "choose a claim"
    return f"player_{view.turn} is to play: {to_claim}"


def _grouped(cards: tuple[str, ...]) -> str:
    """`A A 4` as "AA 4"."""
    return " ".join("".join(group) for _, group in groupby(cards)) or "none"


def _wrapped(head: str, text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_long_words=False)
