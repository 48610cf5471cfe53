"""The table as one seat sees it, as plain text that fits 80 columns."""

from __future__ import annotations

import textwrap
from itertools import groupby

from bluff_env.game import View

_WIDTH = 80


def table_text(view: View) -> str:
    """A few lines: seats with hand sizes, pile and stock, the play on the table, the hand of the seat that looks."""
    stock = f"   stock {view.stock}" if view.stock else ""
    lines = [f"turn {view.turns}   pile {view.pile}{stock}   {_status(view)}"]
    for seat, size in enumerate(view.hand_sizes):
        mark = "*" if seat == view.turn else " "
        you = " (sees this)" if seat == view.seat else ""
        points = f", {view.scores[seat]} won" if sum(view.scores) > int(view.over) else ""
        lines.append(f"{mark} player_{seat}: {size} card{'' if size == 1 else 's'}{points}{you}")
    if view.start_card is not None:
        lines.append(f"start card: {view.start_card}")
    if view.claimant is not None:
        lines.append(f"on the table: player_{view.claimant} laid {view.count} and claims {view.claim}")
    elif view.last_claim is not None and not view.over:
        passes = f", {view.passes} passed" if view.passes else ""
        lines.append(f"to follow: {view.last_claim}{passes}")
    for seat, ago in view.notices:
        when = "just now" if ago == 0 else f"{ago} turn{'' if ago == 1 else 's'} ago"
        lines.append(f"notice: player_{seat} may have dropped a card, {when}")
    lines += _wrapped("hand: ", _grouped(view.hand))
    if view.picked:
        lines += _wrapped("picked: ", _grouped(view.picked))
    return "\n".join(lines) + "\n"


def _status(view: View) -> str:
    if view.cut_off:
        return "cut off, no winner"
    if view.over:
        return f"player_{view.winner} has won"
    who = f"player_{view.turn}"
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


def _grouped(cards: tuple[str, ...]) -> str:
    """`A A 4` as "AA 4"; suited cards by suit, as "7S AS  2H"."""
    if any(len(card) > 1 for card in cards):
        return "  ".join(" ".join(suit) for _, suit in groupby(cards, key=lambda card: card[1:]))
    return " ".join("".join(group) for _, group in groupby(cards)) or "none"


def _wrapped(head: str, text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_long_words=False)
