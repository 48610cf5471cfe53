"""README and docs are tried, not written.

Blocks labelled `python` and `console` run. Those labelled `sh` take long, need what is not there (a browser, a
cluster), or change what is installed: of them it is tried that every command, option, recipe and extra is there and
taken. `yaml` blocks are rules; `text` is what something prints.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import bluff_env
from bluff_agents import configs
from bluff_agents.cli.app import _Lazy
from bluff_agents.cli.words import spread
from bluff_agents.rllib import FRAMEWORK
from bluff_agents.rllib import read_recipe as read_rllib_recipe
from bluff_agents.training import read_recipe

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "agents/README.md", *sorted((ROOT / "docs").glob("*.md"))]
LANGUAGES = {"python", "console", "sh", "yaml", "text"}
#: Programs of others, which are not run.
FOREIGN = ("ray", "tensorboard", "wait")
#: What is not installed for every run of the tests; blocks that import it are left out where it is missing.
OPTIONAL = {"pyspiel": "pyspiel", r"bluff_agents\.rllib": "ray"}
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(language: str) -> list[tuple[str, str]]:
    return [
        (f"{page.relative_to(ROOT)}-{number}", block[1])
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
    for name_in_code, module in OPTIONAL.items():
        if re.search(rf"^(?:import|from) {name_in_code}\b", code, re.MULTILINE):
            pytest.importorskip(module)
    done = _run([sys.executable, "-W", "error::DeprecationWarning", "-c", code], tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("name", "block"), _blocks("console"), ids=[name for name, _ in _blocks("console")])
def test_every_command_runs(name: str, block: str, tmp_path: Path) -> None:
    """Lines of one block run one after the other in the same folder, in which the page's YAML files lie. Scripts are
    run by .ci/run itself.
    """
    page = ROOT / name.rpartition("-")[0]
    for language, text in _BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "yaml" and (file := re.match(r"# (\w+\.yaml)\n", text)):
            (tmp_path / file[1]).write_text(text, encoding="utf-8")
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


def _long_commands() -> list[str]:
    """Every command of the `sh` blocks, each once; of loops with the first value."""
    found: dict[str, None] = {}
    for _, block in _blocks("sh"):
        values: dict[str, str] = {}
        for line in re.split(r"\n|;|&", re.sub(r"\s#.*", "", block)):
            words = line.split()
            while words and words[0] in ("do", "done"):
                words = words[1:]
            if words[:1] == ["for"]:
                values[words[1]] = words[3]
            elif words:
                for name, value in values.items():
                    words = [word.replace(f"${name}", value) for word in words]
                found[" ".join(words)] = None
    return list(found)


@pytest.mark.parametrize("line", _long_commands())
def test_every_long_command_is_taken(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line.partition(" > ")[0])
    if words[0] == "bluff":
        command = _Lazy().get_command(None, words[1])
        taken = command.make_context(words[1], spread(words[1:])[1:]).params
        if words[1] == "train" and not words[2].startswith("runs/"):
            settings = taken["settings"] or []
            distributed = configs.read(words[2], settings).values.get("framework") == FRAMEWORK
            (read_rllib_recipe if distributed else read_recipe)(words[2], settings)
    elif words[:2] == ["pip", "install"]:
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
            "optional-dependencies"
        ]
        named = re.findall(r"\[(\w+)\]", line)
        assert set(named) <= set(extras)
        assert named or "." in words
    elif (script := words[1] if words[0] == "python" else words[0]).startswith("scripts/"):
        told = _run(
            [sys.executable, str(ROOT / script), "--help"]
            if script.endswith(".py")
            else [str(ROOT / script), "--help"],
            tmp_path,
        )
        missing = re.search(r"No module named '(\w+)", told.stderr)
        if missing and not missing[1].startswith("bluff_"):  # a library of an extra that is not installed
            pytest.skip(missing[0])
        assert told.returncode == 0, told.stderr
        for word in words:
            assert not word.startswith("--") or word in told.stdout, word
    else:
        assert words[0] in FOREIGN, line


def test_every_block_says_what_it_is() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert {language for language, _ in _BLOCK.findall(text)} <= LANGUAGES, page
        fences = re.findall(r"^```.*$", text, re.MULTILINE)
        assert len(fences) == 2 * len(_BLOCK.findall(text)), page
        assert not re.search(
            r"^\n {4}\S", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
        ), page


@pytest.mark.parametrize(("name", "text"), _blocks("yaml"), ids=[name for name, _ in _blocks("yaml")])
def test_every_yaml_block_is_rules(name: str, text: str) -> None:
    bluff_env.rules(yaml.safe_load(text))


def test_every_link_to_a_file_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
