"""The command as a whole: words, help, exit statuses, and never a traceback."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import bluff_env
from bluff_agents.cli.words import WordsError, spread

COMMANDS = ("play", "watch", "train", "evaluate", "exploit", "record", "check", "rules", "benchmark", "bench")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("evaluate --agents A B C --deals 3", "evaluate --agents A --agents B --agents C --deals 3"),
        ("evaluate --deals 3 --agents A B", "evaluate --deals 3 --agents A --agents B"),
        ("evaluate --agents A --agents B", "evaluate --agents A --agents B"),
        ("evaluate --agents=A --deals 3", "evaluate --agents=A --deals 3"),
        ("check a b", "check a b"),
        ("x --agents A B -- C D", "x --agents A --agents B -- C D"),
    ],
)
def test_one_option_takes_several_names(words: str, expected: str) -> None:
    assert spread(words.split()) == expected.split()


@pytest.mark.parametrize("words", ["record --agents", "record --agents --out x", "record --agents -- x"])
def test_an_option_for_names_without_a_name_is_refused(words: str) -> None:
    with pytest.raises(WordsError, match="--agents: no name follows"):
        spread(words.split())


def test_version_is_the_package_s(bluff) -> None:
    assert bluff("--version").out == f"bluff-env {bluff_env.__version__}\n"


@pytest.mark.parametrize("words", [(), ("--help",)])
def test_help_lists_every_command(bluff, words) -> None:
    done = bluff(*words)
    assert done.status == 0
    for command in COMMANDS:
        assert f"│ {command} " in done.out
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_fits_the_screen_and_names_no_bool(bluff, command) -> None:
    done = bluff(command, "--help")
    assert done.status == 0
    assert f"Usage: bluff {command}" in done.out
    assert "<bool>" not in done.out
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("recrod", "no command 'recrod' (did you mean 'record'?)"),
        ("rules bloff --plyers 3", "no such option: --plyers"),
        ("rules bloff --players three", "invalid value for '--players'"),
        ("rules bloff blof", "unexpected extra argument"),
        ("check", "missing argument 'FILE'"),
        ("record --agents random --out x", "missing option '--rules'"),
        ("record --rules bloff --agents --out x", "--agents: no name follows"),
        ("record --rules bloff --agents random --out x --games 0", "invalid value for '--games'"),
        ("--nonsense", "no such option: --nonsense"),
    ],
)
def test_wrong_words_are_one_line_and_status_2(bluff, words, complaint) -> None:
    line = bluff(*words.split()).complaint()
    assert line.startswith("bluff: ")
    assert complaint in line


def test_a_message_stays_one_line_whatever_it_quotes(bluff) -> None:
    bluff("rules", "no\nsuch\nrules").complaint()


def run(*words: str, **more) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bluff_agents", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def test_the_process_ends_with_the_exit_status() -> None:
    assert run("rules").returncode == 0
    done = run("rules", "blof_fre")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "did you mean 'blof_free'" in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_has_examples_whose_options_there_are(bluff, command) -> None:
    module = importlib.import_module(f"bluff_agents.cli.{command}")
    text = inspect.getdoc(getattr(module, command)) or ""
    examples = [line.strip() for line in text.splitlines() if line.strip().startswith(f"bluff {command}")]
    assert examples
    known = bluff(command, "--help").out
    for example in examples:
        for option in re.findall(r"--[a-z-]+", example):
            assert f"{option} " in known, example


@pytest.mark.parametrize("words", [["rules", "tiny"], ["--help"]])
def test_showing_rules_or_help_imports_nothing_heavy(words) -> None:
    code = (
        f"import sys; from bluff_agents.cli import main; main({words})\n"
        "heavy = {'torch', 'matplotlib', 'stable_baselines3', 'sb3_contrib', 'tensorboard'} & set(sys.modules)\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    command = f"set -o pipefail; {sys.executable} -m bluff_agents rules bloff --json | head -c 10"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


def test_a_terminal_that_cannot_show_a_letter_is_no_error() -> None:
    done = run("rules", env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 0, done.stderr
    assert "Bl?ff" in done.stdout


def test_an_interrupt_ends_quietly_with_130_and_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time, numpy as np\n"
        "class Slow:\n"
        "    def act(self, observation, mask, noise=None, state=None):\n"
        "        open('asked', 'w').close(); time.sleep(0.1)\n"
        "        return mask.argmax(axis=1).astype(np.int64), None\n"
        "def make(rules):\n"
        "    return Slow()\n"
    )
    words = ["record", "--rules", "bloff", "--agents", "slow:make", "--games", "100", "--out", "games.jsonl"]
    process = subprocess.Popen(
        [sys.executable, "-m", "bluff_agents", *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        # what a shell runs in the background is told to ignore it, and so are its children
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    for _ in range(600):
        if (tmp_path / "asked").exists() or process.poll() is not None:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert {path.name for path in tmp_path.iterdir()} <= {"slow.py", "asked", "__pycache__"}
