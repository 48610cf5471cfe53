"""The table as text that fits 80 columns: as one seat sees it, or with all hands."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import groupby

from bluff_env.game import View
from bluff_env.render.words import seat_names, status

_WIDTH = 80


def table_text(view: View, hands: Sequence[tuple[str, ...]] | None = None) -> str:
    """A few lines: seats with hand sizes, pile and stock, the play on the table, the hand of the seat that looks.

    Args:
        view: what that seat sees.
        hands: the cards of every seat, for a spectator who is shown them all; None: only those of the view.
    """
    names = seat_names(len(view.hand_sizes))
    # a spectator sees how many cards each hand truly has; notices are each seat's own
    sizes = view.hand_sizes if hands is None else tuple(map(len, hands))
    stock = f"   stock {view.stock}" if view.stock else ""
    lines = [f"turn {view.turns}   pile {view.pile}{stock}   {status(view, names)}"]
    for seat, size in enumerate(sizes):
        mark = "*" if seat == view.turn else " "
        you = " (sees this)" if seat == view.seat and hands is None else ""
        points = f", {view.scores[seat]} won" if sum(view.scores) > int(view.over) else ""
        lines.append(f"{mark} player_{seat}: {size} card{'' if size == 1 else 's'}{points}{you}")
    if view.start_card is not None:
        lines.append(f"start card: {view.start_card}")
    if view.claimant is not None:
        lines.append(f"on the table: player_{view.claimant} laid {view.count} and claims {view.claim}")
    elif view.last_claim is not None and not view.over:
        passes = f", {view.passes} passed" if view.passes else ""
        lines.append(f"to follow: {view.last_claim}{passes}")
    for seat, ago in view.notices if hands is None else ():
        when = "just now" if ago == 0 else f"{ago} turn{'' if ago == 1 else 's'} ago"
        lines.append(f"notice: player_{seat} may have dropped a card, {when}")
    if hands is None:
        lines += _wrapped("hand: ", _grouped(view.hand))
    else:
        for name, hand in zip(names, hands, strict=True):
            lines += _wrapped(f"{name} holds: ", _grouped(hand))
    if view.picked:
        lines += _wrapped("picked: ", _grouped(view.picked))
    return "\n".join(lines) + "\n"


def _grouped(cards: tuple[str, ...]) -> str:
    """`A A 4` as "AA 4"; suited cards by suit, as "7S AS  2H"."""
    if any(len(card) > 1 for card in cards):
        return "  ".join(" ".join(suit) for _, suit in groupby(cards, key=lambda card: card[1:]))
    return " ".join("".join(group) for _, group in groupby(cards)) or "none"


def _wrapped(head: str, text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_long_words=False)
