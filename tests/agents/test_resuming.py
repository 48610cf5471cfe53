"""Runs that were ended, by whatever and whenever, go on as if they had not been."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bluff_agents.benchmark.runs import finished
from bluff_agents.cli import main
from bluff_agents.training import trainer
from bluff_agents.training.checkpoint import latest_checkpoint, load_checkpoint
from bluff_agents.training.league import League
from bluff_agents.training.model import make_model
from bluff_agents.training.trainer import train
from bluff_env.adapters.sb3 import BluffVecEnv
from bluff_env.engine.state import GAME
from bluff_env.errors import BluffError
from small_runs import recipe, rows, same

LEAGUE: dict[str, Any] = {"opponents": {"self": 0.5, "past": 0.5}, "league_size": 2, "league_every": 128, "alike": 1.0}
EXPLOIT: dict[str, Any] = {"exploit_every": 384}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five rollouts of 128 steps; judged at 384 and 640, checkpoints at 256, 512 and 640."""
    out = tmp_path_factory.mktemp("runs") / "small"
    train(recipe(out, **EXPLOIT))
    return out


def same_numbers(one: Path, other: Path) -> bool:
    """The same agent, and the same numbers on the way but for the time they took?"""
    timeless = [[{k: v for k, v in row.items() if "seconds" not in k and k != "steps_per_s"} for row in rows(run)]
                for run in (one, other)]  # fmt: skip
    return same(one, other) and timeless[0] == timeless[1]


# Going on


def test_a_run_goes_on_from_a_checkpoint_as_if_it_had_never_ended(run: Path, tmp_path: Path):
    ended = tmp_path / "ended"
    shutil.copytree(run, ended)
    latest_checkpoint(ended / "checkpoints").unlink()
    (ended / "agent.safetensors").unlink()
    half = [ended / ".metrics.csv.12345.part", ended / "checkpoints" / ".step-000000000512.pt.12345.part"]
    for file in half:
        file.write_text("half a")
    report = train(recipe(ended, **EXPLOIT), resume=True)
    assert report.steps == 640
    assert not any(file.exists() for file in half)
    assert same_numbers(run, ended)


def test_a_run_whose_agent_is_an_average_goes_on_as_if_it_had_never_ended(tmp_path: Path):
    whole, ended = tmp_path / "whole", tmp_path / "ended"
    train(recipe(whole, average=True))
    shutil.copytree(whole, ended)
    latest_checkpoint(ended / "checkpoints").unlink()
    train(recipe(ended, average=True), resume=True)
    assert same_numbers(whole, ended)


def test_a_run_with_a_league_goes_on_from_a_checkpoint_as_if_it_had_never_ended(tmp_path: Path):
    train(recipe(tmp_path / "whole", **LEAGUE))
    shutil.copytree(tmp_path / "whole", tmp_path / "ended")
    latest_checkpoint(tmp_path / "ended" / "checkpoints").unlink()
    (tmp_path / "ended" / "agent.safetensors").unlink()
    train(recipe(tmp_path / "ended", **LEAGUE), resume=True)
    assert same_numbers(tmp_path / "whole", tmp_path / "ended")
    # also where a self has just been added, whose record begins anew
    late = {"opponents": {"self": 0.1, "past": 0.9}, "league_every": 256, "total_steps": 1400, "keep_checkpoints": 9}
    train(recipe(tmp_path / "long", **(LEAGUE | late)))
    for kept in (1, 3):
        again = tmp_path / f"again-{kept}"
        shutil.copytree(tmp_path / "long", again)
        for path in sorted((again / "checkpoints").glob("step-*.pt"))[kept:]:
            path.unlink()
        train(recipe(again, **(LEAGUE | late)), resume=True)
        assert same_numbers(tmp_path / "long", again)
    last = rows(tmp_path / "whole")[-1]
    assert 0 <= float(last["won/past"]) <= 1
    assert not [column for column in last if column.startswith("won/past_")]


@pytest.mark.parametrize("rollout", [1, 3, 5])
def test_a_signal_in_any_rollout_costs_no_number(
    rollout: int, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Also one in which the agent would have been judged, or in the last."""
    real, made = trainer._Run._rollout, recipe(tmp_path / "ended", **EXPLOIT)

    def ended_in(one: Any, tally: Any) -> None:
        real(one, tally)
        if one.steps == 128 * rollout:
            signal.raise_signal(signal.SIGTERM)

    with monkeypatch.context() as patch:
        patch.setattr(trainer._Run, "_rollout", ended_in)
        report = train(made)
    assert report.steps == 128 * rollout
    assert not report.finished
    assert not finished(made.out)
    assert train(made, resume=True).finished
    assert same_numbers(run, made.out)
    latest = max(made.out.glob("events.out.tfevents.*"), key=lambda path: path.stat().st_mtime_ns)
    assert b"judged/random" in latest.read_bytes()
    assert finished(made.out)


@pytest.mark.parametrize("what", ["judge_alone", "exploitability", "draw_curves"])
@pytest.mark.parametrize("steps", [384, 640])
def test_a_run_killed_while_measuring_measures_when_it_goes_on(
    what: str, steps: int, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    class Killed(BaseException):
        pass

    real, made = getattr(trainer, what), recipe(tmp_path / "killed", **EXPLOIT)
    at: list[int] = []

    def killed(*args: Any) -> Any:
        if rows(made.out)[-1:] and int(rows(made.out)[-1]["steps"]) == steps:
            raise Killed
        return real(*args)

    def noting(one: Any, tally: Any) -> None:
        rollout(one, tally)
        at.append(one.steps)

    rollout = trainer._Run._rollout
    with monkeypatch.context() as patch:
        patch.setattr(trainer._Run, "_rollout", noting)
        patch.setattr(trainer, what, lambda *args: killed(*args) if at else real(*args))
        with pytest.raises(Killed):
            train(made)
    assert at[-1] == steps
    assert not finished(made.out)
    train(made, resume=True)
    assert same_numbers(run, made.out)
    assert (made.out / "curves.png").is_file()
    assert finished(made.out)


def test_a_resumed_run_that_has_made_all_its_steps_says_so(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    shutil.copytree(run, tmp_path / "run")
    assert main(["train", str(tmp_path / "run"), "--resume"]) == 0
    said = capsys.readouterr().out
    assert "nothing left to do: all 640 steps are made" in said
    assert "steps/s" not in said
    assert same_numbers(run, tmp_path / "run")


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("seed=7", "was begun with seed 0, so it cannot go on with 7; --resume takes another total_steps,"),
        ("opponents={random: 1}", "was begun with opponents {"),
        ("learning_rate=1e-4", "was begun with learning_rate ["),
        ("training_rules={max_turns: 5}", "was begun with training_rules {}, so"),
    ],
)
def test_a_run_does_not_go_on_as_another(
    setting: str, expected: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    shutil.copytree(run, tmp_path / "run")
    assert main(["train", str(tmp_path / "run"), "--resume", "--set", "total_steps=1200", "--set", setting]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"bluff: {tmp_path / 'run'}: {expected}")
    assert said.err.count("\n") == 1
    assert [path.read_bytes() for path in sorted((tmp_path / "run").glob("*.*"))] == [
        path.read_bytes() for path in sorted(run.glob("*.*"))
    ]


# Reading checkpoints


def read(path: Path, run: Path) -> None:
    made = recipe(run, **EXPLOIT)
    env = BluffVecEnv(made.training_rules, made.games, dict(made.opponents))
    load_checkpoint(path, make_model(made, env), env, League(env, made.rules, dict(made.opponents), 1))


def test_the_games_of_a_checkpoint_stand_where_they_stood(run: Path, tmp_path: Path):
    made = recipe(tmp_path / "again", **EXPLOIT)
    one = trainer._Run(made, False, False, {})
    for steps in (128, 256):
        one.model.learn(128, callback=None, reset_num_timesteps=False)
        assert one.steps == steps
    one.checkpoint()
    before = one.env.snapshot()
    shutil.copyfile(run / "config.yaml", made.out / "config.yaml")
    other = trainer._Run(made, False, True, {}).env.snapshot()
    for name in GAME.names or ():  # but what was left by an earlier game and counts no more
        if name not in ("choices", "odds", "events"):
            assert np.array_equal(before.games.games[name], other.games.games[name]), name
    for name in ("cards", "log", "observation", "mask"):
        assert np.array_equal(getattr(before.games, name), getattr(other.games, name)), name
    for name in ("seat", "opponents", "dealt"):
        assert np.array_equal(getattr(before, name), getattr(other, name)), name


def test_a_checkpoint_that_holds_code_is_refused(run: Path, tmp_path: Path):
    class Payload:
        def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
            return os.mkdir, (str(tmp_path / "ran"),)

    torch.save({"format": "bluff-checkpoint/3", "steps": Payload()}, tmp_path / "step-1.pt")
    with pytest.raises(BluffError, match="cut short, or of another recipe") as error:
        read(tmp_path / "step-1.pt", run)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "ran").exists()


def test_half_a_checkpoint_is_refused(run: Path, tmp_path: Path):
    (tmp_path / "step-2.pt").write_bytes(latest_checkpoint(run / "checkpoints").read_bytes()[:5000])
    with pytest.raises(BluffError, match="cut short"):
        read(tmp_path / "step-2.pt", run)


def _all(key: str, value: int) -> Callable[[dict[str, Any]], object]:
    return lambda content: content[key].fill_(value)


DAMAGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "seats that there are not": _all("seat", 10**9),
    "opponents that there are not": _all("opponents", 2),
    "negative seats": _all("seat", -1),
    "another deal": _all("seeds", 1),
    "no seeds": _all("seeds", -5),
    "illegal actions": _all("logs", 255),
    "logs longer than they are": _all("logged", 10**6),
    "logs that end early": _all("logged", 0),
    "no logs": lambda content: content.update(logs=[1, 2]),
    "logs of other numbers": lambda content: content.update(logs=content["logs"].float()),
    "fewer games": lambda content: content.update(seeds=content["seeds"][:3]),
    "steps in words": lambda content: content.update(steps="many"),
    "fewer steps than none": lambda content: content.update(steps=-1),
    "a list for a league": lambda content: content.update(league=[1]),
    "a larger league": lambda content: content["league"].update(next=5),
    "no optimizer": lambda content: content.update(optimizer={}),
    "a policy of another shape": lambda content: content["policy"].update(
        {name: value[:1] for name, value in content["policy"].items()}
    ),
    "episodes in words": lambda content: content.update(episode_starts="none"),
    "no dictionary at all": lambda content: content.clear(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_refused_in_one_line(damage: str, run: Path, tmp_path: Path):
    content = torch.load(latest_checkpoint(run / "checkpoints"), weights_only=True)
    read(latest_checkpoint(run / "checkpoints"), run)
    DAMAGES[damage](content)
    torch.save(content, tmp_path / "step-3.pt")
    with pytest.raises(BluffError, match=r"step-3\.pt: (cut short, or of another recipe|not a checkpoint)") as error:
        read(tmp_path / "step-3.pt", run)
    assert "\n" not in str(error.value)
