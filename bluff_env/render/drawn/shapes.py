"""Text, suits and cards as small surfaces, drawn large and made smaller so that edges are smooth, and kept.

The default font has no suits, so they are drawn as shapes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import pygame

from bluff_env.render.drawn import colours
from bluff_env.render.drawn.colours import Colour
from bluff_env.render.scene import Face, Line
from bluff_env.ruleset.rules import JOKER

#: How much larger a shape is drawn than shown.
_FINE: Final = 6
_ASPECT: Final = 0.7  # width of a card to its height


def card_width(height: int) -> int:
    """The width of a card of a height, in pixels."""
    return round(height * _ASPECT)


@lru_cache(maxsize=64)
def _font(size: int) -> pygame.font.Font:
    pygame.font.init()
    return pygame.font.Font(None, size)


@lru_cache(maxsize=2048)
def text(words: str, size: int, colour: Colour = colours.LIGHT) -> pygame.Surface:
    """A line of text, `size` pixels high: half of one twice as large, for small letters of the font lie unevenly."""
    large = _font(2 * size).render(words, True, colour)
    return pygame.transform.smoothscale(large, ((large.get_width() + 1) // 2, (large.get_height() + 1) // 2))


def fitting(words: str, size: int, width: int, colour: Colour = colours.LIGHT) -> pygame.Surface:
    """A line of text that is no wider than so many pixels: shortened in the end, where it must be."""
    whole = text(words, size, colour)
    short = words
    while whole.get_width() > width and short:
        short = short[:-1]
        whole = text(short.rstrip() + "…", size, colour)
    return whole


def rank_of(card: str) -> str:
    """The rank as cards show it: 10 for T; nothing for a joker."""
    rank = card[:1]
    return {"T": "10", JOKER: ""}.get(rank, rank)


def ink_of(card: str) -> Colour:
    """Red for hearts and diamonds, black for all else."""
    return colours.RED if card[1:] in ("H", "D") else colours.BLACK


@lru_cache(maxsize=256)
def sign(letter: str, size: int, colour: Colour) -> pygame.Surface:
    """A suit (S H D C), or a star for any other letter, on a square of so many pixels, else transparent."""
    large = size * _FINE
    surface = pygame.Surface((large, large), pygame.SRCALPHA, 32)
    surface.fill((*colour, 0))  # so that smooth edges fade into the colour and not into black
    for points in _OUTLINES.get(letter, _star)():
        pygame.draw.polygon(surface, colour, [(x * large, y * large) for x, y in points])
    return pygame.transform.smoothscale(surface, (size, size))


Points = list[tuple[float, float]]


def _heart() -> list[Points]:
    turns = [2 * math.pi * i / 60 for i in range(60)]
    curve = [
        (math.sin(t) ** 3, -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16)
        for t in turns
    ]
    return [[(0.5 + 0.47 * x, 0.45 + 0.47 * y) for x, y in curve]]


def _diamond() -> list[Points]:
    return [[(0.5, 0.02), (0.86, 0.5), (0.5, 0.98), (0.14, 0.5)]]


def _stem() -> Points:
    return [(0.46, 0.6), (0.54, 0.6), (0.57, 0.82), (0.7, 0.97), (0.3, 0.97), (0.43, 0.82)]


def _spade() -> list[Points]:
    (heart,) = _heart()
    return [[(x, 0.82 - 0.88 * y) for x, y in heart], _stem()]


def _club() -> list[Points]:
    leaves = [
        [(cx + 0.215 * math.cos(2 * math.pi * i / 40), cy + 0.215 * math.sin(2 * math.pi * i / 40)) for i in range(40)]
        for cx, cy in ((0.5, 0.24), (0.25, 0.59), (0.75, 0.59))
    ]
    return [*leaves, [(0.4, 0.4), (0.6, 0.4), (0.6, 0.62), (0.4, 0.62)], _stem()]


def _star() -> list[Points]:
    corners = [(0.5 if i % 2 == 0 else 0.21, math.pi * (i / 5 - 0.5)) for i in range(10)]
    return [[(0.5 + r * math.cos(a), 0.52 + r * math.sin(a)) for r, a in corners]]


_OUTLINES: Final = {"H": _heart, "D": _diamond, "S": _spade, "C": _club}


@lru_cache(maxsize=512)
def _card(card: str | None, height: int) -> pygame.Surface:
    """A card twice as large as shown; None: its back."""
    high = 2 * height
    wide = 2 * card_width(height)
    surface = pygame.Surface((wide, high), pygame.SRCALPHA, 32)
    corner = high // 12
    whole = surface.get_rect()
    pygame.draw.rect(surface, colours.CARD_EDGE, whole, border_radius=corner)
    inner = whole.inflate(-4, -4)
    pygame.draw.rect(surface, colours.PAPER, inner, border_radius=corner - 2)
    if card is None:
        _draw_back(surface, inner.inflate(-high // 14, -high // 14), corner)
        return surface
    ink, rank, suit = ink_of(card), rank_of(card), card[1:]
    small = high * (30 if suit else 36) // 100
    index = text(rank, small * 4 // 3, ink) if rank else sign("*", small * 3 // 4, ink)
    strip = high * 25 // 100  # what overlapping cards leave to be seen
    if index.get_width() > strip:
        index = pygame.transform.smoothscale(index, (strip, index.get_height()))
    left = 4 + (strip - index.get_width()) // 2
    surface.blit(index, (left, high // 30 if rank else high // 14))
    if suit:
        mark = sign(suit, high * 19 // 100, ink)
        surface.blit(mark, (4 + (strip - mark.get_width()) // 2, high * 29 // 100))
    if suit or not rank:
        middle = sign(suit or "*", high * 40 // 100, ink)
    else:  # pale: a rank cut in half by the next card would be mistaken for another
        middle = text(rank, high * 68 // 100, colours.PALE)
    surface.blit(middle, middle.get_rect(center=(wide * 58 // 100, high * 62 // 100)))
    return surface


def _draw_back(surface: pygame.Surface, area: pygame.Rect, corner: int) -> None:
    pygame.draw.rect(surface, colours.BACK, area, border_radius=max(2, corner - 4))
    pattern = pygame.Surface(area.size, pygame.SRCALPHA, 32)
    step = max(8, area.width // 5)
    for x in range(-area.height, area.width + area.height, step):
        pygame.draw.line(pattern, (*colours.BACK_LINES, 120), (x, 0), (x + area.height, area.height), 2)
        pygame.draw.line(pattern, (*colours.BACK_LINES, 120), (x, 0), (x - area.height, area.height), 2)
    surface.blit(pattern, area)
    pygame.draw.rect(surface, colours.BACK_LINES, area, width=2, border_radius=max(2, corner - 4))


@lru_cache(maxsize=4096)
def card(name: str | None, height: int, angle: int = 0) -> pygame.Surface:
    """A card as it is shown; None: its back.

    Args:
        name: the card as game records write it.
        height: of the card in pixels.
        angle: turned to the left, in half degrees.
    """
    large = _card(name, height)
    if angle == 0:
        return pygame.transform.smoothscale(large, (card_width(height), height))
    return pygame.transform.rotozoom(large, angle / 2, 0.5)


@lru_cache(maxsize=256)
def chip(name: str, size: int) -> pygame.Surface:
    """A card or a claim as a small light field in a line of text."""
    rank, suit, ink = rank_of(name), name[1:], ink_of(name)
    parts = [text(rank, size, ink)] if rank else []
    if suit or not rank:
        parts.append(sign(suit or "*", size * 62 // 100, ink))
    pad = size // 4
    width = sum(part.get_width() for part in parts) + 2 * pad + (len(parts) - 1) * 2
    surface = pygame.Surface((max(width, size), size), pygame.SRCALPHA, 32)
    pygame.draw.rect(surface, colours.PAPER, surface.get_rect(), border_radius=size // 5)
    x = (surface.get_width() - width) // 2 + pad
    for part in parts:
        surface.blit(part, part.get_rect(midleft=(x, size // 2 + 1)))
        x += part.get_width() + 2
    return surface


def line(pieces: Line, size: int, width: int, colour: Colour = colours.LIGHT) -> pygame.Surface:
    """A line of text with cards in it, no wider than so many pixels: its letters get smaller where they must."""
    for smaller in range(size, max(size * 2 // 3, 9), -1):
        parts = _parts(pieces, smaller, colour)
        if sum(part.get_width() for part in parts) <= width:
            break
    else:
        parts = _parts(_shortened(pieces), smaller, colour)
    high = max((part.get_height() for part in parts), default=1)
    surface = pygame.Surface((max(1, sum(part.get_width() for part in parts)), high), pygame.SRCALPHA, 32)
    x = 0
    for part in parts:
        surface.blit(part, part.get_rect(midleft=(x, high // 2)))
        x += part.get_width()
    return surface.subsurface((0, 0, min(width, surface.get_width()), high))


def _parts(pieces: Sequence[str | Face], size: int, colour: Colour) -> list[pygame.Surface]:
    return [chip(piece.card, size) if isinstance(piece, Face) else text(piece, size, colour) for piece in pieces]


def _shortened(pieces: Line) -> Line:
    """The same with long words cut: names can be of any length."""
    return tuple(p if isinstance(p, Face) else " ".join(map(_short, p.split(" "))) for p in pieces)


def _short(word: str) -> str:
    return word if len(word) <= 16 else word[:15] + "…"
