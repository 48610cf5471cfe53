"""The picture of a table: seats around it in playing order, the play and the last call in the middle."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import pygame
from numpy.typing import NDArray

from bluff_env.render.drawn import colours, shapes
from bluff_env.render.drawn.colours import Colour
from bluff_env.render.drawn.hands import LIFT, draw_hand
from bluff_env.render.scene import Called, Face, Line, Scene
from bluff_env.render.size import HEIGHT, WIDTH
from bluff_env.render.words import status

_PLATE: Final = 26  # height of a name plate
_MARGIN: Final = 10
_SIDE: Final = 206  # width of the seats at the left and right
_TOP: Final = 136  # height of the seats at the top
_HAND: Final = 466  # where the seat at the bottom begins
MIDDLE: Final = pygame.Rect(228, 150, WIDTH - 456, 308)
_CARD: Final = 86  # height of a card in the middle
_OWN_CARD: Final = 108  # height of a card of the seat at the bottom
_OTHER_CARD: Final = 74


def picture(scene: Scene) -> NDArray[np.uint8]:
    """(640, 960, 3) uint8, a fresh array: the picture of a table."""
    return pixels(drawn(scene))


def pixels(surface: pygame.Surface) -> NDArray[np.uint8]:
    """(height, width, 3) uint8, a fresh array: what a surface shows."""
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


def drawn(scene: Scene) -> pygame.Surface:
    """The picture of a table as a surface."""
    surface = _table().copy()
    for place, area in enumerate(seat_areas(len(scene.names))):
        _draw_seat(surface, area, scene, (scene.bottom + place) % len(scene.names), own=place == 0)
    _draw_middle(surface, scene)
    return surface


def seat_areas(players: int) -> list[pygame.Rect]:
    """Where the seats are: the first at the bottom, the others clockwise from its left on, as they play."""
    others = players - 1
    side = others // 3
    top = others - 2 * side
    wide = (WIDTH - _MARGIN * (top + 1)) // top
    each = min(wide, 420 if top == 1 else 300)
    gap = (WIDTH - top * each) / (top + 1)
    areas = [pygame.Rect(_MARGIN, _HAND, WIDTH - 2 * _MARGIN, HEIGHT - _HAND - 2)]
    high = (MIDDLE.height - _MARGIN * (side - 1)) // max(1, side)
    tall = min(high, 170)
    sides = [round(MIDDLE.top + (i + 0.5) * (MIDDLE.height / max(1, side)) - tall / 2) for i in range(side)]
    areas += [pygame.Rect(_MARGIN, y, _SIDE, tall) for y in reversed(sides)]
    areas += [pygame.Rect(round(gap + i * (each + gap)), 8, each, _TOP) for i in range(top)]
    areas += [pygame.Rect(WIDTH - _MARGIN - _SIDE, y, _SIDE, tall) for y in sides]
    return areas


@lru_cache(maxsize=1)
def _table() -> pygame.Surface:
    """The empty table, drawn twice as large and made smaller."""
    large = pygame.Surface((2 * WIDTH, 2 * HEIGHT), 0, 32)
    large.fill(colours.ROOM)
    area = pygame.Rect(2 * 96, 2 * 56, 2 * (WIDTH - 192), 2 * (HEIGHT - 152))
    pygame.draw.rect(large, colours.RIM, area, border_radius=360)
    pygame.draw.rect(large, colours.FELT, area.inflate(-32, -32), border_radius=344)
    return pygame.transform.smoothscale(large, (WIDTH, HEIGHT))


def _draw_seat(surface: pygame.Surface, area: pygame.Rect, scene: Scene, seat: int, own: bool) -> None:
    view = scene.view
    plate = pygame.Rect(0, area.top, min(area.width, 236), _PLATE)
    plate.centerx = area.centerx
    _draw_plate(surface, plate, scene, seat)
    picked = view.picked if seat == view.turn else ()
    hand = pygame.Rect(area.left, plate.bottom + LIFT + 2, area.width, area.bottom - plate.bottom - LIFT - 2)
    if own:
        hand.inflate_ip(-100, 0)
        hand.top += 4
    draw_hand(surface, hand, _OWN_CARD if own else _OTHER_CARD, scene.hands[seat], scene.sizes[seat], picked)


def _draw_plate(surface: pygame.Surface, plate: pygame.Rect, scene: Scene, seat: int) -> None:
    """Name, what the seat is doing, and the number of its cards."""
    view = scene.view
    marked = seat == (view.winner if view.over else view.turn)
    pygame.draw.rect(surface, colours.GOLD if marked else colours.PLATE, plate, border_radius=8)
    pygame.draw.rect(surface, colours.GOLD if marked else colours.EDGE, plate, width=2, border_radius=8)
    ink, dim = (colours.BLACK, colours.BLACK) if marked else (colours.LIGHT, colours.DIM)
    size = shapes.text(str(scene.sizes[seat]), 20, ink)
    surface.blit(size, size.get_rect(midright=(plate.right - 9, plate.centery + 1)))
    doing = _doing(scene, seat)
    if sum(view.scores) > int(view.over):
        doing = f"{view.scores[seat]} won" + (f", {doing}" if doing else "")
    right = plate.right - 15 - size.get_width()
    if doing:
        what = shapes.fitting(doing, 16, 116, dim)
        surface.blit(what, what.get_rect(midright=(right, plate.centery + 1)))
        right -= what.get_width() + 6
    name = shapes.fitting(scene.names[seat], 18, right - plate.left - 9, ink)
    surface.blit(name, name.get_rect(midleft=(plate.left + 9, plate.centery + 1)))


def _doing(scene: Scene, seat: int) -> str:
    view = scene.view
    if view.over:
        return "has won" if seat == view.winner else ""
    if seat == view.turn:
        return {"answer": "calls?", "vote": "votes", "give": "gives"}.get(view.deciding or "", "to play")
    if seat == view.claimant:
        return "has laid"
    if seat in scene.answered:
        return "was asked"
    return ""


def _draw_middle(surface: pygame.Surface, scene: Scene) -> None:
    view, area = scene.view, MIDDLE
    state = shapes.line(_status(scene), 24, area.width - 8, colours.GOLD)
    surface.blit(state, state.get_rect(center=(area.centerx, area.top + 18)))
    _draw_pile(surface, pygame.Rect(area.left + 4, area.top + 48, 116, 150), "pile", view.pile)
    if scene.stocked:
        _draw_pile(surface, pygame.Rect(area.right - 120, area.top + 48, 116, 150), "stock", view.stock)
    centre = pygame.Rect(area.left + 124, area.top + 40, area.width - 248, 168)
    if view.claimant is not None:
        _draw_play(surface, centre, scene)
    elif scene.called is not None:
        _draw_call(surface, centre, scene.called, scene.names)
    elif view.deciding == "vote" and view.start_card is not None:
        _draw_cards(surface, centre, (view.start_card,), 1)
        _label(surface, centre, ("start card",))
    y = area.top + 212
    below = _below(scene)
    if below:
        image = shapes.line(below, 18, area.width - 16)
        surface.blit(image, image.get_rect(midtop=(area.centerx, y)))
    for i, told in enumerate(reversed(scene.told)):
        image = shapes.line(told, 17, area.width - 16, colours.LIGHT if i == 0 else colours.DIM)
        surface.blit(image, image.get_rect(midbottom=(area.centerx, area.bottom - 2 - 19 * i)))


def _status(scene: Scene) -> Line:
    """The status with a claim drawn instead of written."""
    words, (claim, *more) = status(scene.view, scene.names), scene.view.to_claim or ("",)
    if claim and not more and words.endswith(f"claim {claim}"):
        return (words.removesuffix(claim), Face(claim))
    return (words,)


def _below(scene: Scene) -> Line:
    """What is to be followed, and what the looking seat has noticed."""
    view = scene.view
    pieces: list[str | Face] = []
    if view.last_claim is not None and view.claimant is None and not view.over:
        passes = f", {view.passes} passed" if view.passes else ""
        pieces += ["to follow: ", Face(view.last_claim), passes]
    if view.start_card is not None and view.deciding != "vote" and view.start_card != view.last_claim:
        pieces += ["   " if pieces else "", "start card: ", Face(view.start_card)]
    for seat, ago in view.notices:
        when = "just now" if ago == 0 else f"{ago} turn{'' if ago == 1 else 's'} ago"
        pieces += ["   " if pieces else "", f"{scene.names[seat]} may have dropped a card, {when}"]
    return tuple(pieces)


def _draw_pile(surface: pygame.Surface, area: pygame.Rect, name: str, count: int) -> None:
    """Some backs over one another, more for more cards, and how many there are."""
    height = _CARD
    shown = min(count, 2 + count // 6, 7)
    for i in range(shown):
        sprite = shapes.card(None, height)
        spot = sprite.get_rect(center=(area.centerx + 2 * i - shown, area.top + 56 - 2 * i + shown))
        surface.blit(sprite, spot)
    if not shown:
        empty = pygame.Rect(0, 0, shapes.card_width(height), height)
        empty.center = (area.centerx, area.top + 56)
        pygame.draw.rect(surface, colours.EDGE, empty, width=2, border_radius=8)
    words = shapes.text(f"{name} {count}", 18)
    surface.blit(words, words.get_rect(midtop=(area.centerx, area.top + 112)))


def _draw_play(surface: pygame.Surface, area: pygame.Rect, scene: Scene) -> None:
    view = scene.view
    if view.claim is None or view.claimant is None:
        return
    _label(surface, area, (f"{scene.names[view.claimant]} claims {view.count} × ", Face(view.claim)))
    _draw_cards(surface, area, scene.laid, view.count)
    if scene.truthful is not None:
        _stamp(surface, area, "true" if scene.truthful else "a bluff", colours.PLATE)


def _draw_call(surface: pygame.Surface, area: pygame.Rect, called: Called, names: tuple[str, ...]) -> None:
    _label(surface, area, (f"{names[called.accused]} claimed {called.count} × ", Face(called.claim)))
    _draw_cards(surface, area, called.cards, called.count)
    words = f"{names[called.caller]} called: " + ("true!" if called.truthful else "a bluff!")
    _stamp(surface, area, words, colours.TRUTH if called.truthful else colours.LIE)


def _draw_cards(surface: pygame.Surface, area: pygame.Rect, cards: tuple[str, ...] | None, count: int) -> None:
    place = pygame.Rect(area.left, area.top + 32, area.width, _CARD + 8)
    draw_hand(surface, place, _CARD, cards, count)


def _label(surface: pygame.Surface, area: pygame.Rect, pieces: Line) -> None:
    image = shapes.line(pieces, 20, area.width)
    surface.blit(image, image.get_rect(center=(area.centerx, area.top + 12)))


def _stamp(surface: pygame.Surface, area: pygame.Rect, words: str, ground: Colour) -> None:
    image = shapes.fitting(words, 20, area.width - 24)
    field = image.get_rect().inflate(22, 10)
    field.midbottom = (area.centerx, area.bottom)
    pygame.draw.rect(surface, ground, field, border_radius=field.height // 2)
    pygame.draw.rect(surface, colours.LIGHT, field, width=1, border_radius=field.height // 2)
    surface.blit(image, image.get_rect(center=field.center))
