"""`bluff play` through a pseudo-terminal: whole games, on a screen of 80×24, with and without colour."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from pathlib import Path

import pytest

from bluff_env.record import check_record

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7]m")
CLEAR = re.compile(r"\x1b\[2J\x1b\[H|\x1b\[H\x1b\[2J")
_PROMPT = re.compile(r"(> |back )$")


def at_the_terminal(words: list[str], lines: list[str], folder: Path, **environment: str) -> tuple[str, int]:
    """What `bluff play` writes on a terminal of 80×24, and its exit status; a line is typed at every prompt.

    The last line is typed at all prompts that follow.
    """
    pid, screen = pty.fork()
    if pid == 0:  # the child
        os.chdir(folder)
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
            os.environ.pop(name, None)
        os.environ.update({"TERM": "xterm", **environment})
        os.execv(sys.executable, [sys.executable, "-m", "bluff_agents", "play", *words])
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    written, typed, end = b"", 0, time.monotonic() + 240
    while time.monotonic() < end and select.select([screen], [], [], 120)[0]:
        try:
            part = os.read(screen, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        written += part
        if _PROMPT.search(ESCAPES.sub("", written[-200:].decode(errors="replace"))):
            os.write(screen, (lines[min(typed, len(lines) - 1)] + "\n").encode())
            typed += 1
    _, status = os.waitpid(pid, 0)
    os.close(screen)
    return written.decode(), os.waitstatus_to_exitcode(status)


def screens(written: str) -> list[str]:
    return [ESCAPES.sub("", part).replace("\r", "") for part in CLEAR.split(written)]


@pytest.mark.parametrize(
    ("rules", "environment"),
    [
        ("bloff", {"NO_COLOR": "1"}),
        ("bluffstopp", {}),
        pytest.param("bluffstopp_dropp", {}, marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_is_played_on_a_terminal(rules: str, environment: dict[str, str], tmp_path: Path) -> None:
    words = ["--rules", rules, "--seed", "5", "--save", "game.jsonl"]
    written, status = at_the_terminal(words, ["1"], tmp_path, **environment)
    assert status == 0, written
    record = json.loads((tmp_path / "game.jsonl").read_text(encoding="utf-8"))
    assert check_record(record) == record
    assert record["result"] is not None
    assert (record["name"], record["seats"][0], record["seed"]) == (rules, "human", 5)
    shown = screens(written)
    assert len(shown) > 10
    for screen in shown[1:]:
        assert len(screen.strip("\n").split("\n")) <= 24, screen
        assert max(map(len, screen.split("\n"))) <= 80, screen
    assert "wins the game" in shown[-1] or "You win" in shown[-1]
    assert "game.jsonl: game saved" in shown[-1]
    assert ("♠" in written or "♥" in written) == rules.startswith("bluffstopp")
    assert bool(COLOUR.search(written)) == ("NO_COLOR" not in environment)


def test_everything_that_can_be_asked_is_answered_on_one_screen(tmp_path: Path) -> None:
    lines = ["?", "", "help", "hint counter", "list", "1", "undo", "log", "nonsense", "save kept.jsonl", "quit"]
    words = ["--rules", "bluffstopp_dropp", "--seed", "5", "--practice", "--agents", "counter"]
    written, status = at_the_terminal(words, lines, tmp_path)
    assert status == 0, written
    text = "".join(screens(written))
    for said in (
        "Get rid of your cards", "Enter: more", "you may accuse a seat of a drop", "A number plays the move",
        "counter would play:", "let it stand", "Seat 1 lays one card", "'nonsense': no move; allowed: decline, call,",
        "kept.jsonl: unfinished game saved", "bluff play --rules bluffstopp_dropp --agents counter --seed 5",
    ):  # fmt: skip
        assert said in text, said
    assert "Traceback" not in text
    assert json.loads((tmp_path / "kept.jsonl").read_text(encoding="utf-8"))["result"] is None


@pytest.mark.slow
def test_a_terminal_that_can_do_nothing_is_not_coloured_or_cleared(tmp_path: Path) -> None:
    words = ["--rules", "bluffstopp", "--seed", "1"]
    written, status = at_the_terminal(words, ["nonsense", "quit"], tmp_path, TERM="dumb")
    assert status == 0, written
    assert "a number or a move;" in written
    assert not COLOUR.search(written)
    assert not CLEAR.search(written)


@pytest.mark.slow
def test_the_end_of_input_at_a_keyboard_leaves_the_game(tmp_path: Path) -> None:
    written, status = at_the_terminal(["--rules", "tiny", "--seed", "1"], ["\x04"], tmp_path)
    assert status == 0, written
    assert "The same cards again" in written


@pytest.mark.slow
def test_an_interrupt_ends_with_130_and_keeps_what_was_to_be_saved(tmp_path: Path) -> None:
    words = ["--rules", "tiny", "--seed", "1", "--save", "game.jsonl"]
    written, status = at_the_terminal(words, ["\x03"], tmp_path)
    assert status == 130, written
    assert "Traceback" not in written
    assert (tmp_path / "game.jsonl").exists()
