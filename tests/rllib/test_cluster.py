"""Joining a Ray cluster: two nodes on this machine, and addresses where none is."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import bluff_agents
from bluff_agents.cli import main

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_worker_niceness", "0")  # by default Ray's workers give way to whatever else runs
ray = pytest.importorskip("ray")
pytest.importorskip("ray.rllib")

ROOT = Path(__file__).resolve().parents[2]
SMALL = {
    "framework": "rllib",
    "rules": "tiny",
    "total_steps": 600,
    "env_runners": 2,
    "games_per_runner": 8,
    "steps_per_iteration": 256,
    "batch_size": 64,
    "epochs": 2,
    "network": [16, 16],
    "evaluate_every": 10**6,
    "evaluate_deals": 4,
    "evaluate_against": ["random"],
    "checkpoint_every": 10**6,
}


def small(tmp_path: Path) -> Path:
    file = tmp_path / "small.yaml"
    file.write_text(yaml.safe_dump({**SMALL, "out": str(tmp_path / "run")}))
    return file


@pytest.mark.long
def test_env_runners_spread_over_the_nodes_of_a_cluster_that_is_joined(tmp_path: Path):
    """Each of two nodes has room for one, so that two runners need both."""
    from ray.cluster_utils import Cluster

    plain = {"num_cpus": 1, "object_store_memory": 100_000_000}
    cluster = Cluster(initialize_head=True, head_node_args={**plain, "include_dashboard": False})
    try:
        cluster.add_node(**plain)
        command = [sys.executable, str(ROOT / "scripts" / "train_rllib.py"), str(small(tmp_path))]
        path = os.pathsep.join([str(ROOT), str(ROOT / "agents"), *filter(None, [os.environ.get("PYTHONPATH")])])
        done = subprocess.run(
            [*command, "--address", cluster.address],
            env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False, timeout=1200,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "2 env runner(s) on 2 node(s)" in done.stderr
        assert "Traceback" not in done.stderr
        assert bluff_agents.load(tmp_path / "run").name == "run"
    finally:
        cluster.shutdown()


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    return said


@pytest.mark.parametrize("address", ["somewhere", "ray://localhost:10001", "localhost:0", ":6379", "localhost:port"])
def test_what_is_no_address_is_refused(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    said = complaint(capsys, "train", str(small(tmp_path)), "--address", address)
    assert f"--address {address}: not an address; HOST:PORT of the cluster's head, or auto, expected" in said
    assert not (tmp_path / "run").exists()


def test_an_address_where_nobody_answers_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        said = complaint(capsys, "train", str(small(tmp_path)), "--address", address)
    assert f"--address {address}: no answer: " in said
    assert not (tmp_path / "run").exists()


def test_what_ray_says_of_an_address_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Not asked of Ray itself, which may find a cluster of somebody else's on this machine."""

    def init(address: str, **_: object) -> None:
        raise ConnectionError(
            f"Could not find any running Ray instance ({address}).\nPlease specify the one to connect to."
        )

    monkeypatch.setattr(ray, "init", init)
    said = complaint(capsys, "train", str(small(tmp_path)), "--address", "auto")
    assert said == "bluff: --address auto: cannot be joined: Could not find any running Ray instance (auto).\n"
    assert not (tmp_path / "run").exists()
