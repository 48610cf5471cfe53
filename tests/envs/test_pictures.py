"""How a picture is laid out: nothing outside it, nothing over something else, every card there and readable."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from bluff_env import Game
from bluff_env.render.scene import scene_of
from bluff_env.render.size import HEIGHT, WIDTH
from gameplay import random_move

pygame = pytest.importorskip("pygame")

from bluff_env.render.drawn import colours, hands, picture, shapes  # noqa: E402  # only where pygame is

WHOLE = pygame.Rect(0, 0, WIDTH, HEIGHT)
KINDS = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
RANKS = list("A23456789TJQK")


@pytest.mark.parametrize("players", range(2, 17))
def test_seats_lie_within_the_picture_and_apart(players: int) -> None:
    areas = picture.seat_areas(players)
    assert len(areas) == players
    assert all(WHOLE.contains(area) for area in areas)
    assert not any(one.colliderect(other) for one, other in combinations(areas, 2))
    assert not any(area.colliderect(picture.MIDDLE) for area in areas)
    middle = np.array(WHOLE.center)
    around = [np.arctan2(*(np.array(area.center) - middle)[::-1]) for area in areas]
    turned = np.mod(np.array(around) - around[0], 2 * np.pi)  # clockwise on the screen, where y points down
    assert (np.diff(turned) > 0).all()


@pytest.mark.parametrize("size", [(206, 130), (180, 110), (420, 100), (840, 130)])
@pytest.mark.parametrize("deck", [KINDS, RANKS * 4, RANKS * 16], ids=["suited", "one deck", "four decks"])
def test_every_card_of_a_hand_lies_in_its_space_once_and_can_be_read(deck: list[str], size: tuple[int, int]) -> None:
    area = pygame.Rect((40, 40), size)
    rng = random.Random(f"{size} {len(deck)}")
    for count in (1, 2, 7, 13, 20, 36, len(deck)):
        cards = sorted(rng.sample(deck, count), key=deck.index)
        height, places = hands.placed(cards, area, 74, picked=cards[:2])
        assert Counter(p.card for p in places for _ in range(p.copies)) == Counter(cards)
        assert sum(p.raised for p in places) == min(2, count)
        assert height >= hands.SMALLEST
        half = shapes.card_width(height) / 2
        assert all(area.left - 1 <= p.x - half and p.x + half <= area.right + 1 for p in places)
        for one, following in pairwise(places):
            same_row = abs(following.y - one.y) < 0.2 * height
            assert following.x - one.x > 0.24 * height if same_row else following.y - one.y > 0.2 * height


def test_ranks_stay_within_the_strip_that_the_next_card_leaves() -> None:
    for name in ("TH", "T", "QS", "Q", "X"):
        surface = pygame.surfarray.array3d(shapes.card(name, 100)).swapaxes(0, 1)
        strip = surface[6:34, 3:25]
        right = surface[6:34, 27:60]
        dark = [int((part.astype(int).min(axis=2) < 120).sum()) for part in (strip, right)]
        assert dark[0] > 30
        assert dark[1] == 0


@pytest.mark.parametrize(("letter", "ink"), [("S", colours.BLACK), ("H", colours.RED), ("D", colours.RED)])
def test_suits_are_drawn_as_shapes_of_their_own(letter: str, ink: Any) -> None:
    alpha = pygame.surfarray.array_alpha(shapes.sign(letter, 60, ink))
    assert 0.15 < (alpha > 128).mean() < 0.75
    assert ((alpha > 128) == (alpha > 128)[::-1]).mean() > 0.97  # alike to the left and to the right
    for other in set("SHDC") - {letter}:
        assert (alpha != pygame.surfarray.array_alpha(shapes.sign(other, 60, ink))).mean() > 0.1


def test_a_line_is_never_wider_than_its_space() -> None:
    for words in ("short", "a very long name " * 12, "w" * 300):
        assert shapes.line((words,), 20, 200).get_width() <= 200
        assert shapes.fitting(words, 20, 200).get_width() <= 200


def test_text_stands_out_from_its_ground() -> None:
    def light(colour: Any) -> float:
        parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    def contrast(one: Any, other: Any) -> float:
        low, high = sorted([light(one), light(other)])
        return (high + 0.05) / (low + 0.05)

    c = colours
    pairs = [(c.LIGHT, c.FELT), (c.DIM, c.FELT), (c.GOLD, c.FELT), (c.LIGHT, c.PLATE), (c.DIM, c.PLATE)]
    pairs += [(c.BLACK, c.GOLD), (c.BLACK, c.PAPER), (c.RED, c.PAPER), (c.LIGHT, c.LIE), (c.LIGHT, c.TRUTH)]
    pairs += [(c.LIGHT, c.BACK)]
    assert min(contrast(*pair) for pair in pairs) >= 4.5


@pytest.mark.parametrize(
    ("rules", "fields"),
    [
        ("bloff", {"players": 16, "decks": 4, "jokers": 8, "max_cards": "hand"}),
        ("bluffstopp_dropp", {"players": 7}),
        ("blof_match", {"players": 2, "target_points": 2}),
        ("tiny", {}),
    ],
)
def test_whole_games_can_be_drawn(rules: str, fields: dict[str, Any]) -> None:
    game, rng = Game(rules, seed=2, **fields), random.Random(2)
    for turn in range(60):
        if game.over:
            break
        if turn % 6 == 0:
            for seat in (None, turn % game.rules.players):
                assert picture.picture(scene_of(game, seat)).std() > 20
        game.push(random_move(game, rng))


def test_a_seats_picture_is_the_same_whatever_the_others_hold() -> None:
    deals = [Game("bloff", seed=1).record()["deals"][0] for _ in range(2)]
    for deal in deals:
        del deal["events"]
    deals[1]["hands"][1:] = [deals[1]["hands"][2], deals[1]["hands"][3], deals[1]["hands"][1]]
    games = [Game("bloff", deal=deal) for deal in deals]
    for game in games:
        game.push(f"A:{game.view(0).hand[0]}")
    for seat, same in ((0, True), (None, False), (1, False)):
        one, other = (picture.picture(scene_of(game, seat)) for game in games)
        assert np.array_equal(one, other) == same
