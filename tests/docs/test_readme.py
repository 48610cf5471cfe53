"""README and docs are tried, not written: every code block and command in them runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: What is not installed for every run of the tests; blocks that import it are left out where it is missing.
OPTIONAL = ("pyspiel",)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(language: str) -> list[tuple[str, str]]:
    return [
        (f"{page.name}-{number}", block[1])
        for page in PAGES
        for number, block in enumerate(_BLOCK.findall(page.read_text(encoding="utf-8")))
        if block[0] == language
    ]


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "agents"), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path, "COLUMNS": "80"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.parametrize(("name", "code"), _blocks("python"), ids=[name for name, _ in _blocks("python")])
def test_every_python_block_runs(name: str, code: str, tmp_path: Path) -> None:
    for module in OPTIONAL:
        if re.search(rf"^(?:import|from) {module}\b", code, re.MULTILINE):
            pytest.importorskip(module)
    done = _run([sys.executable, "-W", "error::DeprecationWarning", "-c", code], tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("name", "block"), _blocks("console"), ids=[name for name, _ in _blocks("console")])
def test_every_command_runs(name: str, block: str, tmp_path: Path) -> None:
    """Lines of one block run one after the other in the same folder. The scripts are run by .ci/run itself."""
    for line in block.strip().splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        if words[0].startswith("scripts/"):
            assert _run([str(ROOT / words[0]), "--help"], tmp_path).returncode == 0
            continue
        assert words[0] == "bluff", line
        done = _run([sys.executable, "-m", "bluff_agents", *words[1:]], tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_every_link_to_a_file_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
