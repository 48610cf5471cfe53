"""`bluff watch` in the terminal and through pipes, and what both commands say of `--web`."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from bluff_agents.watch import Shelf, Showing
from bluff_env.reading import check_record


@pytest.fixture
def games(bluff: Any, tmp_path: Path) -> Path:
    """Two games of bloff."""
    words = ("--rules", "bloff", "--agents", "counter", "honest", "random", "bold", "--games", 2, "--seed", 4)
    assert bluff("record", *words, "--out", "games.jsonl").status == 0
    return tmp_path / "games.jsonl"


@pytest.fixture
def watch(bluff: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`bluff watch` with lines through a pipe; what it printed."""

    def run(lines: str, *words: object) -> Any:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        return bluff("watch", *words)

    return run


def test_steps_calls_and_positions_are_shown_and_fit_80_columns(watch: Any, games: Path) -> None:
    showing = Shelf([games]).open(0)
    first = next(at for at in showing.calls if at > 0)
    done = watch(f"\nc\nn\nb\nC\n{len(showing)}\nfirst\nlast\np\nl\nh\nq\n", games)
    assert (done.status, done.err) == (0, "")
    places = [int(at) for at in re.findall(r"· step (\d+) of", done.out)]
    back = next((at for at in reversed(showing.calls) if at < places[2]), None)
    assert places[:3] == [0, 1, next(at for at in showing.calls if at > 1)]
    assert places[3:5] == [places[2] + 1, places[2]]
    assert places[5:] == ([back] if back is not None else []) + [len(showing), 0, len(showing)]
    assert first in (1, places[2])
    assert "Seat 0 calls" in done.out or "calls seat" in done.out
    assert "Hand sizes, up to" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_one_seat_s_view_shows_its_hand_alone(watch: Any, games: Path) -> None:
    record = json.loads(games.read_text().splitlines()[0])
    opened = watch("", games).out
    seen = watch("", games, "--seat", 1).out
    rows = [line for line in seen.splitlines() if re.match(r"[> ] \d ", line)]
    assert "all hands open" in opened
    assert "seen by seat 1" in seen
    assert [len(line.split()) > 4 for line in rows] == [False, True, False, False]
    assert len(record["seats"]) == len(rows)


def test_an_opinion_has_chances_and_how_likely_the_claim_is_true(watch: Any, games: Path) -> None:
    done = watch("1\na zoo/bloff-4\na\na nobody\nq\n", games, "--agent", "counter")
    counting, trained = done.out.split("watch> a zoo/bloff-4")
    assert re.search(r"counter in the place of seat \d; the claim is true: \d+ %; no value estimate\.", counting)
    assert "< done" in counting
    assert re.search(r"in the place of seat \d; chance to win: \d+ %", trained)
    assert "nobody" in trained.split("a nobody")[1]


def test_from_one_seat_s_place_nobody_s_opinion_of_another_s_cards_is_told(watch: Any, games: Path) -> None:
    showing = Shelf([games]).open(0)
    other = (showing.replay.steps[0].seat + 1) % 4
    done = watch("", games, "--agent", "counter", "--seat", other)
    assert "is not known from seat" in done.out
    assert "%" not in done.out


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("C", "no call before this"),
        ("b", "this is the first step"),
        ("999999", "step 999999 is not allowed; a step from 0 to"),
        ("s 4", "seat 4 is not allowed; a seat from 0 to 3"),
        ("g 3", "game 3 is not allowed; a game from 1 to 2"),
        ("B", "game 0 is not allowed; a game from 1 to 2"),
        ("fold", "'fold': not known here; h for help"),
        ("a ismcts", "ismcts: searches for every decision"),
        ("9" * 5000, "a number of 5000 digits: not known here"),
        (f"s {'9' * 5000}", "a number of 5000 digits: not known here"),
        (f"g {'9' * 5000}", "a number of 5000 digits: not known here"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said_in_one_line_and_one_goes_on(
    watch: Any, games: Path, lines: str, complaint: str
) -> None:
    done = watch(f"{lines}\n\n", games)
    assert done.status == 0
    assert complaint in done.out
    assert "· step 1 of" in done.out


def test_other_games_of_a_folder_are_a_command_away(watch: Any, games: Path) -> None:
    (games.parent / "results.json").write_text('{"rules": "bloff"}')
    done = watch("N\nB\ng 2\n", games.parent)
    assert re.findall(r"game (\d) of 2", done.out) == ["1", "2", "1", "2"]


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (("nowhere.jsonl",), 2, "nowhere.jsonl: no such file or folder"),
        (("games.jsonl", "--game", 3), 2, "game 3 is not allowed; a game from 1 to 2"),
        (("games.jsonl", "--seat", 4), 2, "--seat: 4 is not allowed"),
        (("games.jsonl", "--agent", "nobody"), 2, "nobody"),
        (
            ("games.jsonl", "--agent", "ismcts"),
            2,
            "ismcts: searches for every decision, too slowly to tell its chances",
        ),
        (("games.jsonl", "--agent", "zoo/bluffstopp"), 2, "zoo/bluffstopp"),
        (("games.jsonl", "--agent", "counter", "honest"), 2, "--agent: 2 named"),
        (("games.jsonl", "--port", 0), 2, "--port and --open are for --web"),
    ],
)
def test_wrong_use_is_one_line(bluff: Any, games: Path, words: tuple[Any, ...], status: int, complaint: str) -> None:
    assert complaint in bluff("watch", *words).complaint(status)


def test_a_faulty_game_is_refused_by_file_and_line_and_the_others_are_shown(watch: Any, games: Path) -> None:
    one, two = map(json.loads, games.read_text().splitlines())
    two["deals"][0]["events"][0]["seat"] = 7
    games.write_text(json.dumps(one) + "\n" + json.dumps(two) + "\n")
    done = watch("g 2\n\n", games)
    assert f"{games}:2: deal 0, event 0" in done.out.replace("\n", "")
    assert "· step 1 of" in done.out


def test_without_any_standard_input_the_first_position_is_shown(
    bluff: Any, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    done = bluff("watch", games)
    assert (done.status, done.err) == (0, "")
    assert "· step 0 of" in done.out


def test_names_in_a_record_cannot_command_the_terminal(watch: Any, games: Path) -> None:
    record = json.loads(games.read_text().splitlines()[0])
    record["seats"][0], record["name"] = "\x1b[2Jcounter\x07\ud800", "\x9b31mbloff"
    games.write_text(json.dumps(record) + "\n")
    done = watch("p\nq\n", games)
    assert (done.status, done.err) == (0, "")
    assert not any(sign in done.out for sign in "\x1b\x07\x9b")
    assert "?[2Jcounter??" in done.out
    label = Shelf([games]).label(0)
    assert (label["seats"][0], label["rules"]) == ("?[2Jcounter??", "?31mbloff")


def test_positions_in_a_seat_s_view_hold_no_other_hand(games: Path) -> None:
    record = check_record(json.loads(games.read_text().splitlines()[0]))
    showing = Showing(record)
    for position in range(0, len(showing) + 1, 7):
        shown = showing.position(position, 2)
        assert [hand is not None for hand in shown["hands"]] == [False, False, True, False]
        for event in (*shown["fresh"], *shown["log"]):
            assert event["kind"] != "play" or event["seat"] == 2 or event["cards"] is None
        claimant = shown["view"]["claim"] and shown["view"]["claim"]["seat"]
        assert shown["laid"] is None or claimant == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("what", ["play", "watch"])
def test_a_server_prints_its_address_and_ctrl_c_ends_it_well(games: Path, what: str) -> None:
    pytest.importorskip("uvicorn", reason="the browser version needs the extra web")
    words = {
        "play": ["play", "--rules", "tiny", "--agents", "random", "--save", "played.jsonl"],
        "watch": ["watch", games],
    }
    running = subprocess.Popen(
        [sys.executable, "-m", "bluff_agents", *words[what], "--web"],
        cwd=games.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert running.stdout is not None
    assert "Ctrl-C ends" in running.stdout.readline()
    address = running.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{40,}", address)
    # what follows the redirect is refused: urllib keeps no cookie
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(address, timeout=60)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert (running.returncode, err) == (0, "")
    assert out == ("played.jsonl: 1 game saved, unfinished\n" if what == "play" else "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("web", [False, True], ids=["terminal", "web"])
def test_a_game_is_saved_when_its_terminal_is_closed(tmp_path: Path, web: bool, number: signal.Signals) -> None:
    if web:
        pytest.importorskip("uvicorn", reason="the browser version needs the extra web")
    words = ["play", "--rules", "tiny", "--agents", "random", "--save", "played.jsonl", *(["--web"] if web else [])]
    running = subprocess.Popen(
        [sys.executable, "-m", "bluff_agents", *words], cwd=tmp_path,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert running.stdout is not None
    if web:
        _, address = (running.stdout.readline().strip() for _ in range(2))
        with pytest.raises(urllib.error.HTTPError, match="403"):  # the page is served: the game is on
            urllib.request.urlopen(address, timeout=60)
    else:
        assert running.stdout.read(1)  # the table: the game is on
    running.send_signal(number)
    _, err = running.communicate(timeout=120)
    assert running.returncode == (0 if web else 130)  # as after Ctrl-C
    assert err == ""
    assert json.loads((tmp_path / "played.jsonl").read_text(encoding="utf-8"))["result"] is None


def test_what_is_for_a_browser_is_refused_without_it(bluff: Any) -> None:
    for words in (("--port", 0), ("--open",), ("--moment", 5)):
        assert "--port, --open and --moment are for --web" in bluff("play", *words).complaint()


def test_without_the_extra_one_line_says_what_to_install(
    bluff: Any, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("uvicorn", "bluff_agents.web.server", "bluff_agents.web.playing", "bluff_agents.web.watching"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    for words in (("play", "--rules", "tiny", "--agents", "random", "--web"), ("watch", games, "--web")):
        assert "pip install 'bluff-env[web]'" in bluff(*words).complaint()
