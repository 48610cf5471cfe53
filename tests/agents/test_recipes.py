"""Recipes: what they hold, and how faulty ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import bluff_env
from bluff_agents import configs
from bluff_agents.cli import main
from bluff_agents.training import read_recipe
from bluff_agents.training.trainer import train
from bluff_env.errors import BluffError
from small_runs import recipe


def one_line(error: pytest.ExceptionInfo[BluffError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    return text


def test_every_recipe_in_the_checkout_is_found_by_name_and_can_be_read():
    assert "bloff_quick" in configs.names()
    for name in configs.names():
        assert configs.find(name).is_file()
    made = read_recipe("bloff_quick")
    assert made.rules == bluff_env.rules("bloff")
    assert made.out == Path("runs/bloff_quick")


def test_settings_are_laid_over_a_recipe():
    made = read_recipe(
        "bloff_quick",
        [
            "total_steps=20000",
            "opponents.self=0.5",
            "rules.players=5",
            "network=[32]",
            "learning_rate=1e-3",
            "out=runs/x",
        ],
    )
    assert made.total_steps == 20000
    assert dict(made.opponents)["self"] == 0.5
    assert made.rules == bluff_env.rules("bloff", players=5)
    assert made.network == (32,)
    assert made.learning_rate == (0.001, 0.001)
    assert (made.out, made.name) == (Path("runs/x"), "x")


def test_a_recipe_written_as_run_reads_back_the_same(tmp_path: Path):
    made = recipe(tmp_path / "a", rules={"base": "bloff", "players": 3}, training_rules={"max_turns": 50})
    (tmp_path / "again.yaml").write_text(yaml.safe_dump(made.to_dict()))
    assert read_recipe(tmp_path / "again.yaml") == made


def test_a_run_folder_is_a_recipe_by_its_bare_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    train(recipe(tmp_path / "mine"))
    assert read_recipe("mine").out.resolve() == tmp_path / "mine"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "rules: tiny\ntotal_steps: 10\nlerning_rate: 0.1\n",
            ":3: lerning_rate: no such key (did you mean 'learning_rate'",
        ),
        ("rules: tiny\ntotal_steps: [1\n", ":3: not valid YAML"),
        ("rules: tiny\n", ": total_steps: missing"),
        ("total_steps: 10\n", ": rules: missing"),
        ("rules: tini\ntotal_steps: 10\n", ":1: rules: no rule set named 'tini' (did you mean 'tiny'?)"),
        ("rules: {base: bloff, players: 99}\ntotal_steps: 10\n", ":1: rules.players: 99 is not allowed"),
        ("rules:\n  base: bloff\n  plyers: 4\ntotal_steps: 10\n", ":3: rules.plyers: no such field"),
        ("rules: tiny\ntotal_steps: many\n", ":2: total_steps: 'many' is not allowed; a whole number"),
        (
            "rules: tiny\ntotal_steps: 10\nevaluate_against: [past]\n",
            ":3: evaluate_against: 'past' is nobody to be judged",
        ),
        ("rules: tiny\ntotal_steps: 10\nleague_size: 0\n", ":3: league_size: 0 is not allowed"),
        ("rules: tiny\ntotal_steps: 10\ngamma: 1.5\n", ":3: gamma: 1.5 is not allowed; a number from 0 to 1"),
        ("rules: tiny\ntotal_steps: 10\nentropy: [1, 2, 3]\n", ":3: entropy: [1, 2, 3] is not allowed"),
        ("rules: tiny\ntotal_steps: 10\nopponents:\n  self: -1\n", ":4: opponents.self: -1 is not allowed"),
        ("rules: tiny\ntotal_steps: 10\nopponents: {self: 0}\n", ":3: opponents: no share is above 0"),
        ("rules: tiny\ntotal_steps: 10\nnetwork: 64\n", ":3: network: 64 is not allowed"),
        (
            "rules: tiny\ntotal_steps: 10\nactivation: sigmoid\n",
            ":3: activation: 'sigmoid' is not allowed; tanh or relu",
        ),
        ("rules: tiny\ntotal_steps: 10\ntraining_rules: {ranks: 5}\n", ":3: training_rules.ranks: an agent cannot"),
        ("rules: tiny\ntotal_steps: 10\naverage: 1\n", ":3: average: 1 is not allowed; true or false"),
        ("rules: tiny\ntotal_steps: 10\nhide: known\n", ":3: hide: 'known' is not allowed; a list of pieces"),
        (
            "rules: tiny\ntotal_steps: 10\nhide: [hnad]\n",
            ":3: hide: 'hnad' is not allowed; pieces of",
        ),
        ("rules: tiny\ntotal_steps: 10\nimitate: 1\n", ":3: imitate: 1 is not allowed; an agent"),
        ("rules: tiny\ntotal_steps: 10\nimitate: self\n", ":3: imitate: 'self' is nobody to be imitated"),
        ("rules: tiny\ntotal_steps: 10\nimitate: past\n", ":3: imitate: 'past' is nobody to be imitated"),
        ("rules: tiny\ntotal_steps: 10\nexploit_every: -1\n", ":3: exploit_every: -1 is not allowed"),
        ("rules: tiny\ntotal_steps: 10\nout: 5\n", ":3: out: 5 is not allowed; a folder"),
        (
            "rules: tiny\ntotal_steps: 10\ngames: 2\nsteps_per_rollout: 2\n",
            ": batch_size: 2048 is more than a rollout holds, 4",
        ),
    ],
)
def test_a_faulty_recipe_is_refused_with_its_line(text: str, expected: str, tmp_path: Path):
    file = tmp_path / "faulty.yaml"
    file.write_text(text)
    with pytest.raises(BluffError) as error:
        read_recipe(file)
    assert one_line(error).startswith(f"{file}{expected}")


def test_every_key_that_a_recipe_may_hold_is_checked(tmp_path: Path):
    """What cannot be a value of any key is refused for each. A key that the checks forget ends in a KeyError."""
    for key in read_recipe("bloff_quick").to_dict():
        file = tmp_path / f"{key}.yaml"
        file.write_text(yaml.safe_dump({"rules": "tiny", "total_steps": 10, key: {"no": [{}]}}))
        with pytest.raises(BluffError) as error:
            read_recipe(file)
        assert key in one_line(error)


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("lerning_rate=1", "--set lerning_rate=1: lerning_rate: no such key (did you mean 'learning_rate'"),
        ("games", "--set games: key=value expected"),
        ("games=[1", "--set games=[1: '[1' is not valid YAML"),
        ("games=0", "--set games=0: games: 0 is not allowed"),
        ("games.x=1", "--set games.x=1: games is 512, which has no fields"),
    ],
)
def test_a_faulty_setting_is_refused(setting: str, expected: str):
    with pytest.raises(BluffError) as error:
        read_recipe("bloff_quick", [setting])
    assert one_line(error).startswith(expected)


def test_a_missing_recipe_is_answered_with_near_matches():
    with pytest.raises(BluffError) as error:
        read_recipe("blof_quick")
    assert one_line(error).startswith("no recipe named 'blof_quick' (did you mean 'bloff_quick'")
    with pytest.raises(BluffError, match=r"nowhere/x\.yaml: no such file"):
        read_recipe("nowhere/x.yaml")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["bloff_quick", "--set", "gmaes=5"], "--set gmaes=5: gmaes: no such key (did you mean 'games'"),
        (["blof_quick"], "no recipe named 'blof_quick'"),
        (["bloff_quick", "--overwrite", "--resume"], "--overwrite and --resume: only one of them"),
        (["bloff_quick", "--resume", "--set", "out=/nowhere"], "/nowhere/checkpoints: no checkpoint to go on from"),
        (["bloff_quick", "--set", "opponents={honst: 1}"], "agent: no bot named 'honst'"),
        (["bloff_quick", "--set", "exploit_every=5", "--set", "out=/nowhere"], "more than 3,000,000 nodes"),
        (["bloff_quick", "--set", "imitate=honst"], "agent: no bot named 'honst'"),
        (["bloff_quick", "--set", "evaluate_against=[runs/none]"], "runs/none: no such file or run folder"),
    ],
)
def test_the_command_refuses_in_one_line_with_status_2(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["train", *words]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"bluff: {expected}")
    assert said.err.count("\n") == 1
    assert said.out == ""
