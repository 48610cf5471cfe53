"""The on-disk cache of compiled code: notices every edit, and is not needed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import bluff_env

_PROBE = """
from bluff_env.engine.compiling import entry
from bluff_env.engine.words import order
from bluff_env.engine.state import RULE
import numpy as np

@entry
def probe(rules):
    return order(rules[0], 1, 1)

rules = np.zeros(1, RULE)
rules["claims"] = 13
print(probe(rules), sum(probe.stats.cache_hits.values()))
"""


def test_an_edit_in_any_engine_file_is_noticed(tmp_path: Path) -> None:
    package = Path(bluff_env.__file__).parent
    shutil.copytree(package, tmp_path / "bluff_env", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "bluff_env" / "engine" / "probing.py").write_text(_PROBE)
    run = [sys.executable, "-m", "bluff_env.engine.probing"]

    def show() -> list[str]:
        done = subprocess.run(
            run,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
        )
        return done.stdout.split()

    assert show() == ["0", "0"]
    assert show() == ["0", "1"]  # from the cache
    words = tmp_path / "bluff_env" / "engine" / "words.py"
    edited = words.read_text().replace("else kind - claim\n", "else kind - claim + 5\n")
    assert edited != words.read_text()
    words.write_text(edited)  # a function of another file, which the cached one calls
    assert show() == ["5", "0"]


def test_an_edit_beside_a_compiled_function_elsewhere_is_noticed(tmp_path: Path) -> None:
    players = tmp_path / "players"
    players.mkdir()
    (players / "__init__.py").write_text("")
    (players / "helper.py").write_text(
        "from bluff_env.engine.compiling import jit\n\n\n@jit\ndef number():\n    return 1\n"
    )
    (players / "main.py").write_text(
        "from bluff_env.engine.compiling import entry\nfrom players.helper import number\n\n\n"
        "@entry\ndef probe():\n    return number()\n\n\nprint(probe(), sum(probe.stats.cache_hits.values()))\n"
    )
    package = Path(bluff_env.__file__).parent
    shutil.copytree(package, tmp_path / "bluff_env", ignore=shutil.ignore_patterns("__pycache__"))

    def show() -> list[str]:
        run = [sys.executable, "-m", "players.main"]
        env = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(run, env=env, capture_output=True, text=True, check=True, cwd=tmp_path).stdout.split()

    assert show() == ["1", "0"]
    assert show() == ["1", "1"]  # from the cache
    helper = players / "helper.py"
    helper.write_text(helper.read_text().replace("return 1", "return 2"))
    assert show() == ["2", "0"]


def test_without_a_folder_that_can_be_written_the_engine_still_runs_and_says_so_in_one_line(tmp_path: Path) -> None:
    code = (
        "import tempfile\n"
        "def refuse(*arguments, **options): raise OSError\n"
        "tempfile.TemporaryFile = refuse\n"  # every folder is as good as read-only
        "from bluff_env.engine.compiling import cache_folder, entry\n"
        "@entry\n"
        "def double(x): return 2 * x\n"
        "print(cache_folder(), double(21))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == ["None", "42"]
    assert len(done.stderr.strip().splitlines()) == 1
    assert "no cache folder can be written" in done.stderr


def test_who_sits_at_a_terminal_is_told_once_that_the_engine_is_compiled(tmp_path: Path) -> None:
    code = (
        "import io, pathlib, sys\n"
        "from bluff_env.engine import compiling\n"
        "class Terminal(io.StringIO):\n"
        "    def isatty(self): return True\n"
        "sys.stderr = Terminal() if sys.argv[1] == 'terminal' else io.StringIO()\n"
        f"compiling.cache_folder = lambda: pathlib.Path({str(tmp_path)!r})\n"
        "def one(x): return x + 1\n"
        "def two(x): return x + 2\n"
        "print(compiling.entry(one)(1), compiling.entry(two)(1), end=sys.stderr.getvalue())"
    )
    (tmp_path / "mod.py").write_text(code)  # numba's cache wants functions of a file

    def said(where: str) -> str:
        run = [sys.executable, "mod.py", where]
        done = subprocess.run(run, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
        assert done.startswith("2 3")
        return done.removeprefix("2 3")

    assert said("terminal") == "bluff_env: compiling the engine, once; half a minute …\n"
    assert said("terminal") == ""
    (tmp_path / "mod.py").write_text(code + "\n")
    assert said("pipe") == ""
