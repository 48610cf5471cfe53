"""Recipes for RLlib: what they may say, and what is said of the rest. Needs neither ray nor torch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bluff_agents.cli import main
from bluff_agents.rllib import read_recipe
from bluff_env.errors import ConfigError

GOOD = "framework: rllib\nrules: tiny\ntotal_steps: 10\n"


def test_a_recipe_is_written_as_it_is_read(tmp_path: Path):
    recipe = read_recipe("bloff_rllib", ["policies=per_seat", "env_runners=7", "learning_rate=[1e-3, 1e-4]"])
    assert recipe.policies == "per_seat"
    assert recipe.env_runners == 7
    assert recipe.learning_rate == (1e-3, 1e-4)
    (tmp_path / "config.yaml").write_text(yaml.safe_dump({**recipe.to_dict(), "out": str(tmp_path)}))
    again = read_recipe(tmp_path)
    assert again.to_dict() == {**recipe.to_dict(), "out": str(tmp_path)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("framework: rllib\nrules: tiny\n", "total_steps: missing"),
        ("rules: tiny\ntotal_steps: 1\n", "framework: missing"),
        ("framework: ray\nrules: tiny\ntotal_steps: 1\n", ":1: framework: 'ray' is not allowed; rllib"),
        (GOOD + "env_runner: 2\n", ":4: env_runner: no such key (did you mean 'e"),
        (GOOD + "env_runners: -1\n", ":4: env_runners: -1 is not allowed; a whole number from 0 to"),
        (GOOD + "games: 64\n", ":4: games: no such key"),
        (GOOD + "policies: two\n", ":4: policies: 'two' is not allowed; shared or per_seat"),
        (GOOD + "opponents: {self: 1, past: 1}\n", ":4: opponents.past: RLlib keeps no league"),
        (GOOD + "cpus_per_runner: 0\n", ":4: cpus_per_runner: 0 is not allowed; a number from 0.01"),
        (GOOD + "gpus_per_learner: 1\n", ":4: gpus_per_learner: 1 found, but learners is 0"),
        (GOOD + "steps_per_iteration: 100\n", ": batch_size: 1024 is more than a learner's share of an iteration, 100"),
        (
            GOOD + "learners: 4\nsteps_per_iteration: 4000\n",
            ": batch_size: 1024 is more than a learner's share of an iteration, 1000",
        ),
        (GOOD + "training_rules: {ranks: 5}\n", ":4: training_rules.ranks: an agent cannot"),
        (GOOD + "seed: 4294967296\n", ":4: seed: 4294967296 is not allowed"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_said_with_its_line(tmp_path: Path, text: str, said: str):
    file = tmp_path / "wrong.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        read_recipe(file)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_every_key_that_a_recipe_may_hold_is_checked(tmp_path: Path):
    """What cannot be a value of any key is refused for each. A key that the checks forget ends in a KeyError."""
    recipe = read_recipe("bloff_rllib")
    for key in recipe.to_dict():
        file = tmp_path / f"{key}.yaml"
        values: dict[str, Any] = {"framework": "rllib", "rules": "tiny", "total_steps": 10, key: {"no": [{}]}}
        file.write_text(yaml.safe_dump(values))
        with pytest.raises(ConfigError) as error:
            read_recipe(file)
        assert key in str(error.value)


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that is used wrongly says: one line."""
    assert main(list(words)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    return said


def test_a_folder_in_use_is_refused_before_ray_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """By its name, and as a run folder. Importing Ray and starting it takes half a minute."""
    for name in [name for name in sys.modules if name.startswith("bluff_agents.rllib.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ray", None)
    run = tmp_path / "run"
    run.mkdir()
    (run / "config.yaml").write_text(GOOD)
    for words in ([str(run)], ["bloff_rllib", "--set", f"out={run}"]):
        assert f"{run}: exists already; --overwrite replaces it" in complaint(capsys, "train", *words)
    assert "no checkpoint to go on from" in complaint(capsys, "train", str(run), "--resume", "--trust")
    checkpoints = run / "checkpoints"
    (checkpoints / "step-000000000256").mkdir(parents=True)
    assert "--trust goes on from it" in complaint(capsys, "train", str(run), "--resume")
    (checkpoints / "step-latest").mkdir()
    assert "step-latest: not a checkpoint of a run" in complaint(capsys, "train", str(run), "--resume", "--trust")
    (run / "config.yaml").unlink()
    words = ["bloff_rllib", "--set", f"out={run}", "--overwrite"]
    assert f"{run}: not a run folder" in complaint(capsys, "train", *words)


def test_without_ray_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in [name for name in sys.modules if name.startswith("bluff_agents.rllib.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setitem(sys.modules, "ray.rllib", None)
    assert "training needs more than is installed (ray): pip install 'bluff-env[rllib]'" in complaint(
        capsys, "train", "bloff_rllib", "--set", f"out={tmp_path / 'run'}"
    ).replace("(ray.rllib)", "(ray)")


def test_options_for_rllib_are_refused_elsewhere(capsys: pytest.CaptureFixture[str]):
    assert "--address: only for recipes with framework: rllib" in complaint(
        capsys, "train", "tiny", "--address", "auto"
    )
    assert "--trust: only for recipes with framework: rllib" in complaint(capsys, "train", "tiny", "--trust")
    assert "--trust: only with --resume" in complaint(capsys, "train", "bloff_rllib", "--trust")
    assert "--overwrite and --resume: only one of them" in complaint(
        capsys, "train", "bloff_rllib", "--overwrite", "--resume"
    )
