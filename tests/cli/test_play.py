"""`bluff play` with piped input: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import io
import json
import re
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bluff_env.engine.rng import MAX_SEED

ONES = "1\n" * 400


@pytest.fixture
def play(bluff, monkeypatch) -> Callable[..., object]:
    """Runs `bluff play` with lines on its standard input."""

    def run(words: str, typed: str):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return bluff("play", *words.split())

    return run


@pytest.mark.parametrize("rules", ["bloff", "bluffstopp", "tiny"])
def test_a_whole_game_is_played_through_a_pipe_and_saved(play, bluff, tmp_path: Path, rules: str) -> None:
    done = play(f"--rules {rules} --seed 2 --save game.jsonl --agents counter", ONES)
    assert (done.status, done.err) == (0, "")
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert "wins the game" in done.out or "You win the game" in done.out or "Nobody wins" in done.out
    assert done.out.endswith(
        f"game.jsonl: game saved\nThe same cards again: bluff play --rules {rules} --agents counter --seed 2\n"
    )
    assert bluff("check", "game.jsonl").out == "game.jsonl: 1 game, all good\n"


def test_a_seed_and_lines_give_the_same_game(play) -> None:
    first, again = (play("--rules bloff --players 3 --seed 7 --agents random", ONES).out for _ in range(2))
    assert first == again
    assert play("--rules bloff --players 3 --seed 8 --agents random", ONES).out != first


def test_input_that_ends_early_is_one_line_and_status_1_and_the_game_so_far_is_kept(play, bluff, tmp_path) -> None:
    done = play("--rules bloff --seed 2 --save game.jsonl --agents counter", "1\n1\n")
    assert done.status == 1
    assert done.err.startswith("bluff: the input ended before the game did, after ")
    assert done.err.count("\n") == 1
    assert "game.jsonl: unfinished game saved" in done.out
    record = json.loads((tmp_path / "game.jsonl").read_text(encoding="utf-8"))
    assert record["result"] is None
    assert record["seats"] == ["human", "counter", "counter", "counter"]
    assert bluff("check", "game.jsonl").status == 0


def test_no_input_at_all_is_one_line_and_status_1(play, monkeypatch, bluff) -> None:
    assert play("--rules tiny --seed 1", "").status == 1
    monkeypatch.setattr(sys, "stdin", None)
    done = bluff("play", "--rules", "tiny", "--seed", 1)
    assert done.status == 1
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("line", ["hint {}", "save {}"])
@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "no/such/folder/x"], ids=["long", "null", "nowhere"])
def test_a_name_that_no_file_can_have_is_refused_and_the_game_goes_on(play, line: str, name: str) -> None:
    done = play("--rules tiny --seed 1 --agents random", f"{line.format(name)}\n{ONES}")
    assert (done.status, done.err) == (0, "")
    assert "expected" in done.out or "no such" in done.out or "there is no folder" in done.out
    assert "will be written" not in done.out
    assert "The same cards again" in done.out


def test_quit_leaves_the_game(play) -> None:
    done = play("--rules bloff --seed 2 --seat 1 --players 3", "quit\n1\n")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("The same cards again: bluff play --rules bloff --players 3 --seat 1 --seed 2\n")


def test_the_line_that_deals_the_same_cards_has_trust_where_it_was_given(play) -> None:
    done = play("--rules tiny --seed 3 --agents random --trust", "quit\n")
    assert done.out.endswith("bluff play --rules tiny --agents random --trust --seed 3\n")


def test_hints_rules_and_undo_are_there_through_a_pipe(play) -> None:
    done = play(
        "--rules bluffstopp --seed 2 --practice --hint counter", "hint\n?\nlog\nhelp\nlist\nundo\n1\nundo\nquit\n"
    )
    assert done.status == 0
    for said in ("counter would play:", "Get rid of your cards", "undo: you have made no move yet", "> undo\n"):
        assert said in done.out


def test_undo_outside_practice_is_refused_and_the_game_goes_on(play) -> None:
    done = play("--rules tiny --seed 1 --agents random", f"undo\nsave\nnonsense\n999\n{'9' * 5000}\n" + ONES)
    assert done.status == 0
    for said in (
        "undo: only in practice mode",
        "save: the name of a file",
        "'nonsense': no move",
        "no move 999 is",
        "'99999",
    ):
        assert said in done.out


def test_a_letter_that_is_a_card_is_never_a_command(play) -> None:
    done = play("--rules bloff --seed 1 --players 2 --agents counter", "decline\nq\nk\na\nj\n" * 20 + "quit\n")
    assert done.status == 0
    assert "> q\n" in done.out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--rules blof_fre", "did you mean 'blof_free'"),
        ("--agents counter honest", "agents: 2 named for 3 other seats; one for all, or exactly 3"),
        ("--agents cuonter", "no bot named 'cuonter'"),
        ("--agents zoo/bluffstopp", "made for other rules"),
        ("--seat 4 --agents counter", "seat: 4 is not allowed; a whole number from 0 to 3"),
        ("--seat -1", "invalid value for '--seat'"),
        ("--hint nobody --agents counter", "no bot named 'nobody'"),
        ("--hint ismcts --agents counter", "ismcts: searches for every decision, too slowly to tell its chances"),
        ("--overwrite", "--overwrite: only with --save"),
        ("--save nowhere/game.jsonl", "there is no folder nowhere"),
        ("--save .", ".: is a folder"),
        ("--players 40", "players: 40 is not allowed"),
        (f"--seed {2**60} --agents counter", "seed"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(play, words: str, complaint: str) -> None:
    assert complaint in play(words, "").complaint()


def test_a_file_that_exists_is_replaced_only_when_told_to(play, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text("precious")
    words = "--rules tiny --seed 1 --agents random --save game.jsonl"
    assert "exists already; --overwrite" in play(words, ONES).complaint()
    assert (tmp_path / "game.jsonl").read_text() == "precious"
    assert play(f"{words} --overwrite", ONES).status == 0
    assert json.loads((tmp_path / "game.jsonl").read_text())["result"] is not None


def test_a_port_in_use_leaves_the_file_of_save_as_it_is(play, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="the browser version needs the extra web")
    (tmp_path / "game.jsonl").write_text("precious")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = f"--rules tiny --agents random --web --port {port} --save"
        assert f"port {port}: in use" in play(f"{words} game.jsonl --overwrite", "").complaint()
        assert f"port {port}: in use" in play(f"{words} new.jsonl", "").complaint()
    assert (tmp_path / "game.jsonl").read_text() == "precious"
    assert not (tmp_path / "new.jsonl").exists()


@pytest.mark.parametrize(("seed", "then"), [(7, [8, 9]), (MAX_SEED, [0, 1])])
def test_games_dealt_again_in_a_browser_are_decided_by_the_seed(play, monkeypatch, seed: int, then: list[int]) -> None:
    server = pytest.importorskip("bluff_agents.web.server", reason="the browser version needs the extra web")
    seeds = []

    def through(room, *options: object) -> None:
        for at in (0, 1, 2):
            seeds.append(room.session.seed)
            while not room.session.over:
                room.session.play(0)
            room.answer({"type": "again", "at": at})

    monkeypatch.setattr(server, "serve", through)
    play(f"--rules tiny --agents random --web --seed {seed}", "")
    assert seeds == [seed, *then]


def test_the_game_in_the_documentation_is_one_that_is_played(play) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    found = re.search(r"\(`bluff play ([^`]+)`, after `1` typed (\d+) times\):\n\n```text\n(.*?)```", page, re.DOTALL)
    assert found is not None
    words, times, shown = found.groups()
    done = play(words, "1\n" * int(times))
    assert done.out.split("> 1\n")[-1].rstrip() == shown.rstrip()


def test_help_shows_examples(bluff) -> None:
    assert "bluff play --rules bluffstopp --players 3 --practice" in bluff("play", "--help").out
