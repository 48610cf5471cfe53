"""scripts/sb3_example.py against the real Stable-Baselines3."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import bluff_agents

pytestmark = pytest.mark.slow  # libraries that take long to import, then a rollout or two

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "sb3_example.py"


def test_it_trains_evaluates_and_writes_an_agent_that_loads(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--steps", "8192", "--out", "mine.safetensors"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "episode_reward=" in done.stdout
    assert bluff_agents.load(tmp_path / "mine.safetensors", "bloff").name == "mine"
