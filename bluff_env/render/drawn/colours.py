"""The colours of the pictures. Text on its ground has a contrast of at least 4.5 to 1."""

from __future__ import annotations

from typing import Final

Colour = tuple[int, int, int]

ROOM: Final[Colour] = (16, 38, 34)
FELT: Final[Colour] = (24, 74, 60)
RIM: Final[Colour] = (92, 62, 38)
PLATE: Final[Colour] = (13, 28, 27)
EDGE: Final[Colour] = (66, 104, 94)
GOLD: Final[Colour] = (244, 200, 88)
LIGHT: Final[Colour] = (240, 244, 240)
DIM: Final[Colour] = (176, 200, 190)
PAPER: Final[Colour] = (252, 251, 246)
PALE: Final[Colour] = (206, 212, 206)
CARD_EDGE: Final[Colour] = (112, 118, 124)
BLACK: Final[Colour] = (22, 26, 32)
RED: Final[Colour] = (192, 32, 42)
BACK: Final[Colour] = (44, 78, 148)
BACK_LINES: Final[Colour] = (126, 156, 216)
LIE: Final[Colour] = (190, 40, 46)
TRUTH: Final[Colour] = (30, 112, 66)
