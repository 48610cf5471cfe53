"""Runs that are ended, by a signal, a kill or a full disk, and runs side by side."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

import bluff_agents
from bluff_agents.agentfile import read_agent
from bluff_agents.training import read_recipe
from bluff_agents.training.checkpoint import latest_checkpoint
from bluff_agents.training.interrupt import Interrupt
from bluff_agents.training.trainer import train
from small_runs import SMALL, recipe, same


def start(out: Path, *more: str) -> subprocess.Popen[str]:
    file = out.with_name("endless.yaml")
    file.write_text(yaml.safe_dump({**SMALL, "total_steps": 10**9, "checkpoint_every": 10**8, "out": str(out)}))
    command = [sys.executable, "-m", "bluff_agents", "train", str(file), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 240
    while not path.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_noted_once_and_then_heeded(number: signal.Signals):
    before = signal.getsignal(number)
    with Interrupt() as interrupt:
        assert not interrupt.asked
        signal.raise_signal(number)
        assert interrupt.asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_ctrl_c_ends_a_run_cleanly_with_a_checkpoint(tmp_path: Path):
    out = tmp_path / "run"
    process = start(out)
    wait_for(out / "metrics.csv", process)
    process.send_signal(signal.SIGINT)
    said, complained = process.communicate(timeout=120)
    assert process.returncode == 0, complained
    assert "Traceback" not in complained
    assert str(out / "agent.safetensors") in said
    steps = read_agent(out / "agent.safetensors").info["steps"]
    assert latest_checkpoint(out / "checkpoints").name == f"step-{steps:012d}.pt"
    assert steps > 0
    assert bluff_agents.load(out, "tiny").name == "run"


def test_a_killed_run_leaves_a_folder_that_loads(tmp_path: Path):
    out = tmp_path / "run"
    process = start(out)
    wait_for(out / "agent.safetensors", process)
    process.kill()
    process.communicate(timeout=60)
    assert bluff_agents.load(out, "tiny").name == "run"
    assert read_recipe(out).total_steps == 10**9


def test_seeds_trained_side_by_side_make_the_agents_that_they_make_alone(tmp_path: Path):
    made = [recipe(tmp_path / f"run-{seed}", seed=seed) for seed in (1, 2)]
    command = [sys.executable, "-m", "bluff_agents", "train"]
    running = [
        subprocess.Popen([*command, str(one.out.with_name(f"{one.out.name}-recipe.yaml"))], stderr=subprocess.DEVNULL)
        for one in made
    ]
    assert [process.wait(timeout=240) for process in running] == [0, 0]
    assert not same(*(one.out for one in made))
    for seed, one in zip((1, 2), made, strict=True):
        alone = recipe(tmp_path / f"alone-{seed}", seed=seed)
        train(alone)
        assert same(one.out, alone.out)


def test_a_full_disk_ends_a_run_with_one_line_and_leaves_what_was_there(tmp_path: Path):
    """A limit on the size of files stands in for the disk: the agent's file is small enough, a checkpoint is not."""
    out = tmp_path / "run"
    train(recipe(out))
    before = {path: path.read_bytes() for path in out.rglob("step-*.pt")}
    assert before
    blocks = (out / "agent.safetensors").stat().st_size // 1024 + 2
    assert all(len(content) > 1024 * blocks for content in before.values())
    more = [sys.executable, "-m", "bluff_agents", "train", str(out), "--resume", "--set", "total_steps=1200"]
    done = subprocess.run(
        ["bash", "-c", f'ulimit -f {blocks}; exec "$@"', "bash", *more], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert re.search(r"checkpoints/step-\d+\.pt: cannot be written: File too large\n$", done.stderr), done.stderr
    assert {path: path.read_bytes() for path in out.rglob("step-*.pt")} == before
    subprocess.run(more, check=True, capture_output=True)
    assert read_agent(out / "agent.safetensors").info["steps"] >= 1200
