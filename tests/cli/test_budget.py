"""The benchmark's budget: everything counts that a seed has learnt from, imitated decisions among it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bluff_agents.agentfile import read_agent, write_agent
from bluff_agents.benchmark import Task, play_task, read_task
from bluff_agents.benchmark.lines import faults, lines
from bluff_env import layout
from make_tiny_agent import random_layers


@pytest.fixture
def task(tmp_path: Path) -> Task:
    path = tmp_path / "small-2-v1.yaml"
    path.write_text("title: small\nrules: tiny\nsteps: 1000\nseeds: 1\ndeals: 3\ndeal_seed: 5\nagainst: [random]\n")
    return read_task(str(path))


def agent(folder: Path, task: Task, **info: Any) -> str:
    """An agent that was never trained, in a file that says it was."""
    lay, path = layout(task.rules), folder / "mine.safetensors"
    write_agent(path, task.rules, random_layers([lay.size, lay.n_actions]), info={"seed": 0, **info})
    return str(path)


def test_a_run_tells_what_it_imitated_from_the_first_moment_on_and_when_it_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    from bluff_agents.training.trainer import train
    from small_runs import recipe

    words = {"imitate": "counter", "imitate_steps": 512, "total_steps": 1}
    train(recipe(tmp_path / "run", **words))
    assert (
        read_agent(tmp_path / "run/agent.safetensors").info.items() >= {"imitate": "counter", "imitated": 512}.items()
    )
    train(recipe(tmp_path / "run", **words | {"total_steps": 200}), resume=True)
    file = read_agent(tmp_path / "run/agent.safetensors")
    assert file.info.items() >= {"imitate": "counter", "imitated": 512}.items()
    assert file.steps == 256
    train(recipe(tmp_path / "other", total_steps=1))
    assert not {"imitate", "imitated"} & read_agent(tmp_path / "other/agent.safetensors").info.keys()


def test_imitated_decisions_count_against_the_budget(task: Task, tmp_path: Path) -> None:
    result = play_task(task, [agent(tmp_path, task, steps=32, imitate="counter", imitated=200_000)])
    assert [fault.partition(": ")[2] for fault in faults(result)] == [
        "200,032 learner steps, 200,000 of them imitated; the task allows 1,000"
    ]
    assert result.steps == 200_032
    assert lines(result)[-1].endswith(" | 1 | 0.2 M |")
    assert result.to_dict()["runs"][0]["steps"] == 200_032
    assert result.to_dict()["runs"][0]["imitated"] == 200_000


@pytest.mark.parametrize("whom", ["counter", "ismcts"])
def test_imitation_within_the_budget_needs_no_note(task: Task, tmp_path: Path, whom: str) -> None:
    result = play_task(task, [agent(tmp_path, task, steps=600, imitate=whom, imitated=400)])
    assert result.steps == 1000
    assert faults(result) == []


@pytest.mark.parametrize("whom", ["zoo/bloff-4", "runs/mine", "a.b:Own", "a\nb", ""])
def test_what_an_imitated_agent_has_learnt_from_itself_is_asked_for(task: Task, tmp_path: Path, whom: str) -> None:
    result = play_task(task, [agent(tmp_path, task, steps=600, imitate=whom, imitated=400)])
    assert faults(result)[0].endswith(
        f"imitated {whom!r}, which is no bot of the project: what that has learnt from is missing from the steps"
    )


@pytest.mark.parametrize(
    "info",
    [
        {"steps": 600, "imitate": "counter"},
        {"steps": 600, "imitate": "counter", "imitated": -500},
        {"steps": 600, "imitate": "counter", "imitated": True},
        {"steps": 600, "imitate": "counter", "imitated": "few"},
        {"steps": -600},
        {"imitate": "counter", "imitated": 400},
    ],
)
def test_where_a_file_tells_no_numbers_its_steps_are_not_known(
    task: Task, tmp_path: Path, info: dict[str, Any]
) -> None:
    result = play_task(task, [agent(tmp_path, task, **info)])
    assert result.steps is None
    assert "does not say how many steps" in faults(result)[0]


@pytest.mark.parametrize("whom", [None, 7, ["counter"]])
def test_whoever_imitated_nobody_knows_whom_is_told(task: Task, tmp_path: Path, whom: Any) -> None:
    result = play_task(task, [agent(tmp_path, task, steps=600, imitate=whom, imitated=400)])
    assert "its file does not say whom it imitated" in faults(result)[0]
