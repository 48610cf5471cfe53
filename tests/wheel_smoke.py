"""Try an installed wheel, without torch and away from the checkout; scripts/test runs this, pytest does not.

    python -I wheel_smoke.py AGENT

AGENT is a file that make_tiny_agent.py wrote, an agent for `bluff_env.rules("bloff")`. The checks are plain
asserts: an installation with the core dependencies alone has no pytest.
"""

import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np

import bluff_agents
import bluff_agents.configs
import bluff_env


def bluff(*arguments: str) -> str:
    """Run the command as installed, demand exit status 0, return what it printed."""
    program = Path(sysconfig.get_path("scripts"), "bluff")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, f"bluff {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def check_installation() -> None:
    """The packages are the installed ones, whole, with nothing else beside them."""
    assert importlib.util.find_spec("torch") is None, "torch is installed, so this would prove nothing"
    site_packages = Path(sysconfig.get_path("purelib")).resolve()
    for package in (bluff_env, bluff_agents):
        folder = Path(package.__file__).resolve().parent
        assert folder.parent == site_packages, f"{folder} is not in {site_packages}"
        assert (folder / "py.typed").is_file(), f"{folder} has no py.typed"
    installed = {file.parts[0] for file in importlib.metadata.files("bluff-env") or ()}
    beside = {name for name in installed if not name.endswith(".dist-info")}
    beside -= {"bluff_env", "bluff_agents", ".."}  # .. leads to the command
    assert not beside, f"the wheel also holds {sorted(beside)}"


def check_recipe() -> None:
    """Recipes are found by name, in the package."""
    recipe = Path(bluff_agents.configs.find("bloff_quick")).resolve()
    assert recipe.is_file(), recipe
    assert Path(bluff_agents.__file__).resolve().parent in recipe.parents, recipe


def check_page() -> None:
    """The browser's pages are in the package."""
    static = Path(bluff_agents.__file__).resolve().parent / "web" / "static"
    assert {"index.html", "main.js", "style.css"} <= {file.name for file in static.iterdir()}, static


def check_command() -> None:
    """The command shows rules and the benchmark's tasks, and judges agents."""
    assert bluff("rules", "bloff").strip()
    assert "bloff-4-v1" in bluff("benchmark")
    judged = json.loads(bluff("evaluate", "--rules", "bloff", "--agents", "random", "honest", "--deals", "5", "--json"))
    assert judged["deals"] == 5, judged
    assert [agent["name"] for agent in judged["agents"]] == ["random", "honest"], judged
    for agent in judged["agents"]:
        assert 0 <= agent["low"] <= agent["share"] <= agent["high"] <= 1, agent


def check_zoo() -> None:
    """The trained agents are in the wheel and beat the bots that they should."""
    agent = bluff_agents.load("zoo/bloff-4")
    assert agent.rules == bluff_env.rules("bloff")
    words = ("evaluate", "--rules", "bloff", "--agents", "zoo/bloff-4", "honest", "--deals", "25", "--json")
    won = json.loads(bluff(*words))["agents"][0]
    assert won["share"] > 0.35, won


def check_agent(file: str) -> None:
    """A trained agent plays from its file: only legal actions, and the same ones from the same noise."""
    rules = bluff_env.rules("bloff")
    agent = bluff_agents.load(file, rules)
    batch = bluff_env.GameBatch(rules, games=16, seed=1, restart=True)
    random, state, ended = np.random.default_rng(2), None, 0
    for _ in range(200):
        noise = random.random(16)
        actions, after = agent.act(batch.observation, batch.mask, noise=noise, state=state)
        again, _ = agent.act(batch.observation, batch.mask, noise=noise, state=state)
        assert np.array_equal(actions, again), (actions, again)
        assert batch.mask[np.arange(16), actions].all(), actions
        _, done = batch.step(actions)
        state, ended = after, ended + int(done.sum())
    print(f"wheel: 16 games, 200 steps, {ended} games ended")
    bluff("evaluate", "--rules", "bloff", "--agents", file, "random", "--deals", "5", "--json")


def main() -> None:
    """Run all checks."""
    check_installation()
    check_recipe()
    check_page()
    check_command()
    check_zoo()
    check_agent(sys.argv[1])
    assert "torch" not in sys.modules
    print(f"wheel: bluff-env {importlib.metadata.version('bluff-env')} works without torch")


if __name__ == "__main__":
    main()
