"""Render modes: text, pictures and the window, in every form of the environment."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import bluff_env
from bluff_env import Game, bluff_v0
from bluff_env.render.ansi import table_text
from bluff_env.render.modes import Renderer
from bluff_env.render.scene import Face, scene_of
from bluff_env.render.size import HEIGHT, WIDTH
from bluff_env.single import BluffEnv
from envs.common import Uniform

SHAPE = (HEIGHT, WIDTH, 3)


def single(**options: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make("bluff_env:Bluff-v0", **{"rules": "bloff", "opponents": Uniform(), **options})


def step(env: Any) -> None:
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))


# ---- what is shown ----


def test_a_spectator_sees_all_hands_and_whether_the_play_on_the_table_is_true() -> None:
    game = Game("bloff", seed=1)
    game.push("A:2Q")
    scene = scene_of(game, None)
    assert scene.hands == tuple(game.view(seat).hand for seat in range(4))
    assert (scene.laid, scene.truthful, scene.bottom) == (("2", "Q"), False, 0)


def test_a_seat_sees_its_own_cards_and_backs() -> None:
    game = Game("bloff", seed=1)
    game.push("A:2Q")
    scene = scene_of(game, 2)
    assert scene.hands == (None, None, game.view(2).hand, None)
    assert (scene.laid, scene.truthful, scene.bottom, scene.sizes) == (None, None, 2, (11, 13, 13, 13))
    assert scene_of(game, 0).laid == ("2", "Q")  # who laid them knows them


@pytest.mark.parametrize(("reveal", "seen"), [("all", [0, 1, 2, 3]), ("caller", [0, 2])])
def test_cards_turned_by_a_call_are_shown_to_whom_the_rules_show_them(reveal: str, seen: list[int]) -> None:
    """[V] [B6]"""
    game = Game("bloff", seed=1, reveal=reveal)
    for move in ("A:2Q", "decline", "call"):
        game.push(move)
    for seat in range(4):
        called = scene_of(game, seat).called
        assert called is not None
        assert (called.caller, called.accused, called.wrong, called.truthful, called.count) == (2, 0, 0, False, 2)
        assert called.cards == (("2", "Q") if seat in seen else None)
    assert scene_of(game, None).called.cards == ("2", "Q")
    assert scene_of(game, 3).told[-1] == ("player_2 calls player_0: a bluff. player_0 takes 2 cards",)


def test_text_with_all_hands_has_true_sizes_and_no_seat_s_own_notices() -> None:
    """[D2] A hand out of which a card was dropped is smaller than it appears, and who noticed it is hidden."""
    rules = bluff_env.rules("bluffstopp_dropp", start_card="none")
    game = Game(rules.replace(dropp={"penalty": 3, "notice": 1.0, "false_notice": 0.0}), seed=1)
    mover = game.turn
    assert mover is not None
    size = len(game.view(mover).hand)
    for kind in ("drop", "play"):
        game.push(next(move for move in game.legal_moves if move.kind == kind))
    other = (mover + 1) % rules.players
    hands = [game.view(seat).hand for seat in range(rules.players)]
    seen, opened = table_text(game.view(other)), table_text(game.view(other), hands)
    assert f"player_{mover}: {size - 1} cards" in seen
    assert f"notice: player_{mover}" in seen
    assert f"player_{mover}: {size - 2} cards" in opened
    assert "notice" not in opened
    assert Renderer("ansi", "all", rules.players).render(game, other, 0.0) == opened
    assert Renderer("ansi", "seat", rules.players).render(game, other, 0.0) == seen


def test_a_call_is_shown_until_something_else_is_laid() -> None:
    game = Game("bloff", seed=1)
    for move in ("A:2Q", "call"):
        game.push(move)
    assert scene_of(game, 1).called is not None
    game.push(game.legal_moves[0])
    scene = scene_of(game, 1)
    assert scene.called is None
    assert scene.told[-1] == ("player_1 lays 1 and claims ", Face("2"))


def test_the_secret_of_a_drop_is_told_to_its_seat_and_to_spectators_alone() -> None:
    """[D2]"""
    game = Game("bluffstopp_dropp", seed=1)
    mover, dropped = game.turn or 0, game.view(game.turn or 0).hand[0]
    game.push(f"drop {dropped}")
    game.push(next(move for move in game.legal_moves if move.kind == "play"))
    for seat in (None, *range(game.rules.players)):
        told = any(Face(dropped) in line and "drops" in str(line[0]) for line in scene_of(game, seat).told)
        assert told == (seat in (None, mover))


def test_names_can_be_given_one_a_seat() -> None:
    game = Game("bloff", seed=1)
    assert scene_of(game, None, names=["a", "b", "c", "d"]).names == ("a", "b", "c", "d")
    with pytest.raises(bluff_env.BluffError, match="names: 2 given for 4 seats"):
        scene_of(game, None, names=["a", "b"])


# ---- the modes ----


def test_an_aec_picture_shows_all_hands_unless_a_view_is_named(pygame: Any) -> None:
    from bluff_env.render.drawn.picture import picture

    for view, seat in ((None, None), ("all", None), ("seat", 1), (2, 2)):
        env = bluff_v0.env("bloff", render_mode="rgb_array", render_view=view)
        env.reset(seed=4)
        while env.agent_selection != "player_1":
            step(env)
        frame = env.render()
        assert (frame.shape, frame.dtype) == (SHAPE, np.uint8)
        assert np.array_equal(frame, picture(scene_of(env.unwrapped.game, seat)))


def test_an_aec_text_shows_one_hand_unless_all_are_asked_for() -> None:
    env = bluff_v0.raw_env("bloff", render_mode="ansi", render_view="all")
    env.reset(seed=4)
    text, game = env.render(), env.game
    for seat in range(4):
        assert f"player_{seat} holds: " in text
    assert "(sees this)" not in text
    assert max(map(len, text.splitlines())) <= 80
    seen = bluff_v0.raw_env("bloff", render_mode="ansi", render_view=3)
    seen.reset(seed=4)
    assert seen.render() == table_text(game.view(3))


def test_bluff_v0s_picture_shows_the_learners_cards_alone_unless_all_are_asked_for(pygame: Any) -> None:
    from bluff_env.render.drawn.picture import picture

    for view, looks in ((None, 2), ("seat", 2), ("all", None), (1, 1)):
        env = single(render_mode="rgb_array", render_view=view, seat=2)
        env.reset(seed=4)
        frame = env.render()
        assert (frame.shape, frame.dtype) == (SHAPE, np.uint8)
        bottom = 2 if looks is None else looks
        assert np.array_equal(frame, picture(scene_of(env.unwrapped.game, looks, bottom)))


def test_many_games_show_what_single_ones_show(pygame: Any) -> None:
    options = {"rules": "bluffstopp", "opponents": "random", "render_mode": "rgb_array"}
    envs = gymnasium.make_vec("bluff_env:Bluff-v0", num_envs=2, **options)
    envs.reset(seed=7)
    frames = envs.render()
    for row in range(2):
        env = gymnasium.make("bluff_env:Bluff-v0", **options)
        env.reset(seed=7 + row)
        assert np.array_equal(frames[row], env.render())


def test_the_same_seed_is_the_same_picture_and_a_picture_changes_nothing(pygame: Any) -> None:
    made = [bluff_v0.raw_env("bluffstopp", render_mode="rgb_array") for _ in range(2)]
    for env in made:
        env.reset(seed=5)
    for _ in range(8):
        before = made[0].record()
        first, again, other = made[0].render(), made[0].render(), made[1].render()
        assert np.array_equal(first, again)
        assert np.array_equal(first, other)
        assert made[0].record() == before
        first[:] = 0  # the caller's own
        assert made[0].render().any()
        for env in made:
            step(env)


def test_human_mode_shows_every_step_in_a_window_that_close_closes(pygame: Any) -> None:
    from bluff_env.render.drawn.picture import pixels

    env = bluff_v0.env("bloff", render_mode="human")
    assert not pygame.display.get_init()
    env.reset(seed=1)
    pictured = bluff_v0.env("bloff", render_mode="rgb_array")
    pictured.reset(seed=1)
    for _ in range(6):
        assert np.array_equal(pixels(pygame.display.get_surface()), pictured.render())
        step(env), step(pictured)
    assert env.render() is None
    env.close()
    assert not pygame.display.get_init()
    env.close()  # a second time does no harm
    env.reset(seed=1)  # and it opens again
    assert pygame.display.get_surface().get_size() == (WIDTH, HEIGHT)


def test_a_window_that_its_user_closes_stays_closed_and_the_game_goes_on(pygame: Any) -> None:
    env = single(render_mode="human")
    _, info = env.reset(seed=1)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    for _ in range(3):
        _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        assert not over
        assert not pygame.display.get_init()
    env.close()


def test_a_window_shows_no_more_pictures_a_second_than_render_fps(pygame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from bluff_env.render.drawn import window

    now, slept = [0.0], []
    monkeypatch.setattr(window.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(window.time, "sleep", lambda s: (slept.append(s), now.__setitem__(0, now[0] + s)))
    shown, surface = window.Window(), pygame.Surface((8, 8))
    for _ in range(3):
        shown.show(surface, fps=4)
    shown.close()
    assert sum(slept) == pytest.approx(0.5)


def test_an_environment_with_an_open_window_can_be_copied(pygame: Any) -> None:
    env = bluff_v0.raw_env("bloff", render_mode="human")
    env.reset(seed=1)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):  # noqa: S301  # made here
        step(other)
        assert (other.game.batch.steps[0], env.game.batch.steps[0]) == (1, 0)


@pytest.mark.parametrize("make", [bluff_v0.env, single])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"render_view": "everybody"}, "render_view: 'everybody' is not allowed; one of all, seat, a seat from 0 to 3"),
        ({"render_view": 4}, "render_view: 4 is not allowed"),
        ({"render_view": True}, "render_view: True is not allowed"),
    ],
)
def test_a_wrong_view_is_one_clear_line(make: Callable[..., Any], arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(bluff_env.BluffError) as caught:
        make(render_mode="ansi", **arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("mode", ["human", "rgb_array"])
def test_without_pygame_a_picture_is_refused_in_one_line_and_text_is_not(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    for make in (bluff_v0.raw_env, BluffEnv):
        with pytest.raises(bluff_env.BluffError) as caught:
            make(render_mode=mode)
        assert str(caught.value) == (
            f"render_mode: {mode} needs pygame-ce, which is not installed: pip install 'bluff-env[render]'"
        )
    env = bluff_v0.raw_env(render_mode="ansi")
    env.reset(seed=1)
    assert env.render().startswith("turn 0")


def test_where_no_window_can_be_opened_human_mode_says_so_in_one_line(pygame: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    env = bluff_v0.env("bloff", render_mode="human")
    with pytest.raises(bluff_env.BluffError, match=r"render_mode: human can open no window here .*rgb_array"):
        env.reset(seed=1)


def test_pygame_is_loaded_only_when_a_picture_is_drawn() -> None:
    code = (
        "import sys; from bluff_env import bluff_v0\n"
        "for mode in ('ansi', None): env = bluff_v0.env(render_mode=mode); env.reset(seed=1); env.render()\n"
        "assert 'pygame' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- Gymnasium's wrappers ----


def test_record_video_films_episodes_and_record_episode_statistics_counts_them(pygame: Any, tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")  # comes with it
    env = single(rules="tiny", render_mode="rgb_array")
    env = gymnasium.wrappers.RecordEpisodeStatistics(env)
    env = gymnasium.wrappers.RecordVideo(env, str(tmp_path / "films"), lambda _: True, fps=4, disable_logger=True)
    lengths = []
    for seed in range(2):
        _, info = env.reset(seed=seed)
        over, steps = False, 0
        while not over:
            _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
            steps += 1
        lengths.append(steps)
        assert (info["episode"]["r"], info["episode"]["l"]) == (reward, steps)
    env.close()
    films = sorted(tmp_path.glob("films/*.mp4"))
    assert [film.name for film in films] == ["rl-video-episode-0.mp4", "rl-video-episode-1.mp4"]
    counted = [imageio_ffmpeg.count_frames_and_secs(str(film)) for film in films]
    assert counted == [(steps + 1, pytest.approx((steps + 1) / 4, abs=0.01)) for steps in lengths]


def test_render_collection_collects_a_picture_a_step(pygame: Any) -> None:
    env = single(rules="tiny", render_mode="rgb_array_list")
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    assert [frame.shape for frame in env.render()] == [SHAPE, SHAPE]
