"""scripts/sb3_example.py against the real Stable-Baselines3."""

from __future__ import annotations

from pathlib import Path

import pytest

import bluff_agents
from frameworks.common import SCRIPTS, run

pytestmark = pytest.mark.long  # libraries that take long to import, then a rollout or two


def test_it_trains_evaluates_and_writes_an_agent_that_loads(tmp_path: Path) -> None:
    done = run("sb3_example.py", tmp_path, "--steps", "8192", "--out", "mine.safetensors")
    assert done.returncode == 0, done.stderr
    assert "episode_reward=" in done.stdout
    assert bluff_agents.load(tmp_path / "mine.safetensors", "bloff").name == "mine"


def test_it_is_as_short_as_the_docs_say() -> None:
    lines = (SCRIPTS / "sb3_example.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 30
