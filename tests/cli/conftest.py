"""Running the command inside the test's process: what it printed and its exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bluff_agents.cli import main

TINY = {"base": "tiny", "max_turns": 20}


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)

    def complaint(self, status: int = 2) -> str:
        """The one line on stderr of a command that refused, with nothing on stdout."""
        assert self.status == status, self
        assert self.out == "", self
        assert "Traceback" not in self.err, self
        assert self.err.endswith("\n"), self
        assert self.err.count("\n") == 1, self
        return self.err.rstrip("\n")


@pytest.fixture
def bluff(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Done]:
    """Runs the command in a folder of its own, as if piped into a file."""
    for name in ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    def run(*words: object) -> Done:
        capsys.readouterr()
        status = main([str(word) for word in words])
        said = capsys.readouterr()
        return Done(status, said.out, said.err)

    return run
