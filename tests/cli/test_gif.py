"""scripts/gif: films of games."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bluff_agents import gamegif
from bluff_env import Game


def test_a_film_has_a_picture_of_every_play_and_call_and_is_the_same_again(tmp_path: Path) -> None:
    pytest.importorskip("pygame")
    image = pytest.importorskip("PIL.Image")
    words = ["--rules", "tiny", "--agents", "random", "honest", "--seed", "3", "--out"]
    made = [tmp_path / "one.gif", tmp_path / "two.gif"]
    for out in made:
        assert gamegif.main([*words, str(out)]) == 0
    assert made[0].read_bytes() == made[1].read_bytes()
    kinds = [kind for kind, _ in gamegif.played(Game("tiny", seed=3), ["random", "honest"])]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    with image.open(made[0]) as film:
        assert film.n_frames == len(kinds)
        assert film.info["loop"] == 0


def test_a_film_follows_the_game_with_all_hands_shown() -> None:
    moments = list(gamegif.played(Game("bloff", seed=110), ["counter", "bold", "honest", "liar"]))
    last = None
    for kind, scene in moments:
        assert all(hand is not None for hand in scene.hands)
        assert scene.names == ("counter", "bold", "honest", "liar")
        assert (scene.called is not None) == (kind == "call") or kind == "end"
        last = scene
    assert any(scene.called and not scene.called.truthful for _, scene in moments)  # the README says so
    assert last is not None
    assert last.view.winner is not None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--agents", "honest"], "--agents: 1 named for 4 seats; exactly 4"),
        (["--rules", "blof_fre"], "did you mean 'blof_free'"),
        (["--seed", "-1"], "seed"),
    ],
)
def test_what_cannot_be_filmed_is_one_line_and_writes_nothing(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pygame")
    assert gamegif.main([*words, "--out", str(tmp_path / "a.gif")]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_film_does_not_replace_a_file_by_accident(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pygame")
    out = tmp_path / "a.gif"
    out.write_text("mine")
    assert gamegif.main(["--out", str(out)]) == 2
    assert "exists already; --overwrite replaces it" in capsys.readouterr().err
    assert out.read_text() == "mine"


def test_without_pygame_a_film_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    assert gamegif.main(["--out", str(tmp_path / "a.gif")]) == 2
    assert capsys.readouterr().err == (
        "a film needs pygame-ce, which is not installed: pip install 'bluff-env[render,judge]'\n"
    )
