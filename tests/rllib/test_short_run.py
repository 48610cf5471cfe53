"""One short run with RLlib, in the process that trains, and what becomes of it when it is resumed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import bluff_agents
from bluff_agents.cli import main
from bluff_agents.rllib import read_recipe
from small_runs import weights

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
ray = pytest.importorskip("ray")
pytest.importorskip("ray.rllib")
from bluff_agents.rllib import trainer  # noqa: E402  (needs ray)
from bluff_agents.rllib.algorithm import seed_at  # noqa: E402
from bluff_env.adapters.rllib import BluffMultiAgentEnv  # noqa: E402
from bluff_env.errors import ConfigError  # noqa: E402

pytestmark = pytest.mark.slow

SMALL: dict[str, Any] = {
    "framework": "rllib",
    "rules": "tiny",
    "total_steps": 128,
    "env_runners": 0,
    "games_per_runner": 4,
    "steps_per_iteration": 128,
    "batch_size": 64,
    "epochs": 1,
    "network": [16],
    "evaluate_deals": 4,
    "evaluate_against": ["random"],
}


@pytest.fixture(scope="module")
def one_ray() -> Iterator[None]:
    """For several runs, which use what the process has joined."""
    ray.init("local", num_cpus=1, include_dashboard=False, object_store_memory=150_000_000, log_to_driver=False)
    yield
    ray.shutdown()


def test_a_short_run_makes_an_agent_and_goes_on_with_games_of_its_own(
    one_ray: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    seeds: list[int] = []
    reset = BluffMultiAgentEnv.reset

    def watched(env: Any, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Any:
        seeds.extend([] if seed is None else [seed])
        return reset(env, seed=seed, options=options)

    monkeypatch.setattr(BluffMultiAgentEnv, "reset", watched)
    out, file = tmp_path / "run", tmp_path / "recipe.yaml"
    file.write_text(yaml.safe_dump({**SMALL, "out": str(out)}))
    recipe = read_recipe(file)
    assert main(["train", str(file)]) == 0
    assert "done: " in capsys.readouterr().out
    begun, before, seeds[:] = set(seeds), weights(out), []
    assert recipe.seed in begun
    assert bluff_agents.load(out).name == "run"

    report = trainer.train(read_recipe(out, ["total_steps=256"]), resume=True, trust=True)
    assert report.steps >= 256
    assert 128 <= report.before < 256
    assert seed_at(recipe, report.before) in seeds
    assert not begun & set(seeds)
    assert not all(np.array_equal(a, b) for a, b in zip(before, weights(out), strict=True))

    assert main(["train", str(out), "--resume", "--trust"]) == 0
    said = capsys.readouterr().out
    assert f"nothing left to do: all {report.steps:,} steps are made" in said
    assert "steps/s" not in said


def test_what_rllib_refuses_is_told_in_one_line_and_leaves_the_old_run(
    one_ray: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from ray.rllib.algorithms.ppo import PPOConfig

    def validate(config: Any) -> None:
        raise ValueError("that is too much\nfor me")

    out, file = tmp_path / "run", tmp_path / "recipe.yaml"
    out.mkdir()
    (out / "config.yaml").write_text(yaml.safe_dump(SMALL))
    file.write_text(yaml.safe_dump({**SMALL, "out": str(out)}))
    monkeypatch.setattr(PPOConfig, "validate", validate)
    with pytest.raises(ConfigError, match=r"^run: RLlib refuses the recipe: that is too much$"):
        trainer.train(read_recipe(file), overwrite=True)
    assert yaml.safe_load((out / "config.yaml").read_text()) == SMALL


def test_each_step_that_a_run_may_go_on_from_has_a_seed_of_its_own():
    recipe = read_recipe("bloff_rllib", ["seed=7"])
    seeds = [seed_at(recipe, steps) for steps in range(0, 10_000, 100)]
    assert seeds[0] == 7
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert seed_at(recipe, 100) != seed_at(read_recipe("bloff_rllib", ["seed=8"]), 100)
