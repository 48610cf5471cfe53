"""The zoo: trained agents that come with the package, and what keeps them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

import bluff_agents
from bluff_agents import configs, zoo, zootable
from bluff_agents.agentfile import RUN_AGENT, read_agent
from bluff_agents.errors import AgentError
from bluff_env import GameBatch, rules
from bluff_env.errors import BluffError


def test_the_zoo_holds_an_agent_for_each_of_the_games_it_promises() -> None:
    promised = {"bloff-2", "bloff-3", "bloff-4", "bloff-6", "blof-free", "bluffstopp", "bluffstopp-open"}
    assert {zoo.PREFIX + name for name in promised} <= set(zoo.names())


@pytest.mark.parametrize("name", zoo.names())
def test_an_agent_of_the_zoo_plays_out_of_the_box(name: str) -> None:
    agent = bluff_agents.load(name)
    batch = GameBatch(agent.rules, games=32, seed=3, restart=True)
    noise = np.random.default_rng(4)
    for _ in range(100):
        actions, _ = agent.act(batch.observation, batch.mask, noise.random(32), None)
        assert batch.mask[np.arange(32), actions].all()
        batch.step(actions)


@pytest.mark.parametrize("name", zoo.names())
def test_an_agent_of_the_zoo_comes_with_recipe_seed_curves_and_strength_in_less_than_two_megabytes(name: str) -> None:
    folder = zoo.folder(name)
    files = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert {*zootable.KEPT, zootable.STRENGTH} <= files.keys()
    assert sum(files.values()) <= zootable.LIMIT
    info = read_agent(folder / RUN_AGENT).info
    recipe = yaml.safe_load((folder / "config.yaml").read_text())
    assert info["seed"] == recipe["seed"]
    assert info["steps"] >= recipe["total_steps"]
    named = configs.read(info["recipe"]).values
    assert {key: recipe[key] for key in named if key != "rules"} == {key: named[key] for key in named if key != "rules"}
    assert rules(named["rules"]) == bluff_agents.load(name).rules


@pytest.mark.parametrize("name", zoo.names())
def test_what_a_strength_says_can_be_played_again(name: str) -> None:
    told = json.loads((zoo.folder(name) / zootable.STRENGTH).read_text())
    again = zootable.judge(name, 25, 5, ["honest"])["bots"]["honest"]
    share, low, high = again["won"]
    assert low - 0.05 <= told["bots"]["honest"]["won"][0] <= high + 0.05, (share, told["bots"]["honest"])


def test_names_that_the_zoo_does_not_hold_are_told_with_those_it_does() -> None:
    with pytest.raises(AgentError, match=r"no 'zoo/blof-4' in the zoo \(did you mean 'zoo/bloff-4'"):
        bluff_agents.load("zoo/blof-4")
    with pytest.raises(AgentError, match=r"no 'zoo/\.\./bots' in the zoo"):
        bluff_agents.load("zoo/../bots")


def test_an_agent_of_the_zoo_is_not_seated_at_a_game_it_was_not_trained_on() -> None:
    with pytest.raises(AgentError, match="players"):
        bluff_agents.load("zoo/bloff-4", rules("bloff", players=3))


def test_a_bot_needs_rules_as_it_has_none_of_its_own() -> None:
    with pytest.raises(AgentError, match="counter: only an agent file knows the rules it plays; rules expected"):
        bluff_agents.load("counter")
    with pytest.raises(AgentError, match="no bot named 'conter'"):
        bluff_agents.load("conter")


def test_only_a_finished_run_of_the_agents_own_recipe_becomes_part_of_the_zoo(tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(zoo.folder("zoo/bloff-4"), run)
    with pytest.raises(AgentError, match=r"no agent\.safetensors, config\.yaml, metrics\.csv, curves\.png in this"):
        zootable.add("bloff-4", tmp_path, tmp_path / "zoo")
    with pytest.raises(BluffError, match="no recipe named 'zoo_nobody'"):
        zootable.add("nobody", run, tmp_path / "zoo")
    config = yaml.safe_load((run / "config.yaml").read_text())
    (run / "config.yaml").write_text(yaml.safe_dump(config | {"clip": 0.3}))
    with pytest.raises(AgentError, match="clip other than in the recipe zoo_bloff_4"):
        zootable.add("bloff-4", run, tmp_path / "zoo")
    assert not (tmp_path / "zoo").exists()
    (run / "config.yaml").write_text(yaml.safe_dump(config))
    made = zootable.add("bloff-4", run, tmp_path / "zoo")
    assert sorted(path.name for path in made.iterdir()) == sorted(zootable.KEPT)


def test_the_page_of_the_zoo_is_what_the_strengths_say(tmp_path: Path) -> None:
    page = Path(zootable._PAGE)
    copy = tmp_path / "zoo.md"
    shutil.copyfile(page, copy)
    zootable.write_page(copy)
    assert copy.read_text() == page.read_text()
    copy.write_text("no marks")
    with pytest.raises(BluffError, match=r"zoo\.md: 0 places marked 'strength'; one expected"):
        zootable.write_page(copy)
    assert copy.read_text() == "no marks"
