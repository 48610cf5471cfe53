"""Hands of cards: where each card lies in the space that a hand has, whatever its number of cards."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

import pygame

from bluff_env.render.drawn import colours, shapes

#: The least of a card, as a share of its height, that must be seen for its rank to be read.
_READABLE: Final = 0.25
#: The least of a row's height that must be seen, where rows overlap: rank, and below it suit or number.
_ROW: Final = 0.54
#: How far a fan is opened to each side, in degrees.
_OPENED: Final = 5.5
#: How far picked cards are raised, in pixels.
LIFT: Final = 8
#: Cards get smaller before they are put in rows or together: by this share, and not below so many pixels.
_SMALLER: Final = 0.7
SMALLEST: Final = 48
#: The most of a card that is left to be seen by the next, as a share of its width: of faces, and of backs.
_WIDE: Final = 0.78
_CLOSE: Final = 0.3


@dataclass(frozen=True, slots=True)
class Placed:
    """One card of a hand, or several of a kind as one.

    Attributes:
        card: None for a back.
        x, y: its middle; angle: turned to the left, in half degrees.
        copies: how many it stands for; raised: of these, how many are picked.
    """

    card: str | None
    x: float
    y: float
    angle: int = 0
    copies: int = 1
    raised: int = 0


def draw_hand(
    surface: pygame.Surface,
    area: pygame.Rect,
    height: int,
    cards: Sequence[str] | None,
    count: int,
    picked: Sequence[str] = (),
) -> None:
    """Draws a hand.

    Args:
        surface: what to draw on.
        area: the space it may take, filled from the top.
        height: of a card, where there is room for it.
        cards: the hand; None: backs.
        count: how many cards it has, for backs.
        picked: the cards of it that are raised.
    """
    if cards is None:
        places = _fan([None] * count, area, height, _CLOSE)
    else:
        height, places = placed(cards, area, height, picked)
    clip = surface.get_clip()
    surface.set_clip(area.inflate(40, 2 * LIFT))  # what has no room is cut at the bottom, where nothing is to be read
    for place in places:
        sprite = shapes.card(place.card, height, place.angle)
        up = LIFT if place.raised else 0
        surface.blit(sprite, sprite.get_rect(center=(round(place.x), round(place.y) - up)))
    for place in places:
        if place.copies > 1:
            _badge(surface, place, height)
    surface.set_clip(clip)


def placed(
    cards: Sequence[str], area: pygame.Rect, height: int, picked: Sequence[str] = ()
) -> tuple[int, list[Placed]]:
    """Where the cards lie: one fan; or one card of each kind with their number; or rows; each where the last is too
    narrow for ranks to be read.

    Returns:
        The height of the cards, and each with its place, those in front last.
    """
    left = Counter(picked)
    raised = []
    for card in cards:
        raised.append(int(left[card] > 0))
        left[card] -= raised[-1]
    for smaller in range(height, min(height, max(SMALLEST, round(height * _SMALLER))) - 1, -2):
        if len(cards) <= _fits(area.width, smaller):
            fan = _fan(cards, area, smaller, _WIDE)
            return smaller, [replace(place, raised=up) for place, up in zip(fan, raised, strict=True)]
    kinds = list(dict.fromkeys(cards))
    copies, up = Counter(cards), Counter(picked)
    rows = _rows(kinds, area.width, height)
    while len(rows) > 1 and height * (1 + _ROW * (len(rows) - 1)) > area.height and height > SMALLEST:
        height -= 2
        rows = _rows(kinds, area.width, height)
    step = min(height * _ROW, (area.height - height) / max(1, len(rows) - 1))
    places = []
    for number, row in enumerate(rows):
        top = area.move(0, round(number * step))
        for place in _fan(row, top, height, _WIDE, opened=0):
            card = place.card or ""
            places.append(replace(place, copies=copies[card], raised=up[card]))
    return height, places


def _fits(width: int, height: int) -> int:
    """How many cards of a height fit into a row so that their ranks can be read."""
    return 1 + max(0, int((width - shapes.card_width(height)) / (height * _READABLE)))


def _rows(kinds: list[str], width: int, height: int) -> list[list[str]]:
    """Kinds in rows: one row, or one a suit, or as many as it takes."""
    most = _fits(width, height)
    if len(kinds) <= most:
        return [kinds]
    suits = [list(group) for _, group in groupby(kinds, key=lambda kind: kind[1:])]
    if len(suits) > 1 and max(map(len, suits)) <= most:
        rows = [suits[0]]
        for suit in suits[1:]:  # short suits share a row
            if len(rows[-1]) + len(suit) <= most:
                rows[-1] = rows[-1] + suit
            else:
                rows.append(suit)
        return rows
    number = -(-len(kinds) // most)
    each = -(-len(kinds) // number)
    return [kinds[i : i + each] for i in range(0, len(kinds), each)]


def _fan(
    cards: Sequence[str | None], area: pygame.Rect, height: int, widest: float, opened: float = _OPENED
) -> list[Placed]:
    """Cards side by side, or over one another, along an arc whose ends hang lower."""
    n, width = len(cards), shapes.card_width(height)
    step = min(width * widest, (area.width - width) / max(1, n - 1))
    half = step * (n - 1) / 2
    side = math.radians(min(opened, n * 0.9))
    places = []
    for i, card in enumerate(cards):
        along = 0.0 if n == 1 else 2 * i / (n - 1) - 1
        turn = along * side
        drop = half * (1 - math.cos(turn)) / math.sin(side) if side else 0.0
        angle = round(-2 * math.degrees(turn))
        places.append(Placed(card, area.centerx + along * half, area.top + height / 2 + drop, angle))
    return places


def _badge(surface: pygame.Surface, place: Placed, height: int) -> None:
    """How many cards of a kind there are, at the upper left of the one that is drawn, below its rank."""
    words = shapes.text(f"×{place.copies}", max(13, height // 5), colours.LIGHT)
    field = words.get_rect().inflate(4, 2)
    left = place.x - shapes.card_width(height) / 2 + 1
    field.topleft = (round(left), round(place.y - height / 2 + height * 0.34))
    pygame.draw.rect(surface, colours.BACK, field, border_radius=4)
    surface.blit(words, words.get_rect(center=field.center))
