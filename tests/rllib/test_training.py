"""Training with RLlib: one policy for all or one a seat, agent files, checkpoints, lost env runners, a cluster."""

from __future__ import annotations

import csv
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import bluff_agents
from bluff_agents.agentfile import read_agent
from bluff_agents.cli import main
from bluff_agents.evaluation import evaluate
from bluff_agents.rllib import RllibRecipe, read_recipe
from bluff_env import GameBatch, bluff_v0
from bluff_env.errors import BluffError, ConfigError
from small_runs import same, weights

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_worker_niceness", "0")  # by default Ray's workers give way to whatever else runs
ray = pytest.importorskip("ray")
pytest.importorskip("ray.rllib")
from bluff_agents.rllib import trainer  # noqa: E402  (needs ray)

pytestmark = pytest.mark.long

SMALL: dict[str, Any] = {
    "framework": "rllib",
    "rules": "tiny",
    "total_steps": 600,
    "env_runners": 0,
    "games_per_runner": 8,
    "steps_per_iteration": 256,
    "batch_size": 64,
    "epochs": 2,
    "network": [16, 16],
    "opponents": {"self": 0.7, "honest": 0.3},
    "evaluate_every": 10**6,
    "evaluate_deals": 4,
    "evaluate_against": ["random"],
    "checkpoint_every": 256,
    "keep_checkpoints": 3,
}


def recipe(out: Path, **changes: Any) -> RllibRecipe:
    file = out.with_name(f"{out.name}-recipe.yaml")
    file.write_text(yaml.safe_dump({**SMALL, "out": str(out), **changes}))
    return read_recipe(file)


def rows(out: Path) -> list[dict[str, str]]:
    with (out / "metrics.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def one_ray() -> Iterator[None]:
    """One Ray for several runs, which use what the process has joined."""
    ray.init("local", num_cpus=3, include_dashboard=False, object_store_memory=150_000_000, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def shared(one_ray: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one policy for all seats."""
    out = tmp_path_factory.mktemp("rllib") / "shared"
    report = trainer.train(recipe(out))
    assert report.finished
    assert report.steps >= 600
    return out


def test_an_agent_trained_by_rllib_is_loaded_and_judged_like_any_other(shared: Path):
    file = read_agent(shared / "agent.safetensors")
    assert file.info["trained_by"] == "rllib"
    assert file.info["steps"] >= 600
    agent = bluff_agents.load(shared)
    assert agent.name == "shared"
    batch = GameBatch("tiny", games=3, seed=1)
    chance = agent.win_chance(batch.observation)
    assert chance is not None
    assert ((chance >= 0) & (chance <= 1)).all()
    result = evaluate("tiny", [agent, bluff_agents.load("honest", "tiny")], deals=20)
    assert sum(one.share for one in result.agents) + result.cut_off == pytest.approx(1.0)
    found = rows(shared)
    assert {"judged/random", "won/honest", "entropy", "kl", "cut_off", "turns"} <= set(found[-1])
    assert (shared / "curves.png").stat().st_size > 10_000


def test_the_agent_file_plays_each_action_as_likely_as_the_rlmodule(shared: Path):
    """On games under way, with the weights of RLlib's own checkpoint; the critic too."""
    import torch
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.rl_module import RLModule

    (checkpoint,) = sorted((shared / "checkpoints").iterdir())[-1:]
    module = RLModule.from_checkpoint(str(checkpoint / "learner_group" / "learner" / "rl_module" / "shared"))
    agent = bluff_agents.load(shared)
    batch = GameBatch("tiny", games=64, seed=3)
    for _ in range(5):
        observation, mask = batch.layout.to_float(batch.observation), batch.mask.copy()
        seen = {"observation": torch.as_tensor(observation), "action_mask": torch.as_tensor(mask.astype(np.int8))}
        with torch.no_grad():
            out = module.forward_exploration({Columns.OBS: seen})
            drawn = module.get_exploration_action_dist_cls().from_logits(out[Columns.ACTION_DIST_INPUTS])
            values = module.compute_values({Columns.OBS: seen}).numpy()
        theirs = drawn._dist.probs.numpy()
        assert np.allclose(agent.probabilities(observation, mask), theirs, atol=1e-5)
        assert (theirs[~mask] == 0).all()
        assert np.allclose(agent._through(agent.value, observation)[:, 0], values, atol=1e-5)
        batch.step(batch.random_actions())


def test_a_recipe_gives_the_same_agent_again_and_another_seed_another(shared: Path, tmp_path: Path):
    """Where the trainer's own process plays."""
    trainer.train(recipe(tmp_path / "again"))
    assert same(shared, tmp_path / "again")
    trainer.train(recipe(tmp_path / "other", seed=1, total_steps=200))
    assert not same(shared, tmp_path / "other")


def test_the_generators_of_the_process_are_left_as_they_were(one_ray: None, tmp_path: Path):
    import random

    import torch

    before = random.getstate(), torch.get_rng_state(), torch.get_num_threads()
    trainer.train(recipe(tmp_path / "run", total_steps=100))
    assert random.getstate() == before[0]
    assert torch.equal(torch.get_rng_state(), before[1])
    assert torch.get_num_threads() == before[2]


def test_one_policy_a_seat_makes_an_agent_for_each(one_ray: None, tmp_path: Path):
    out = tmp_path / "seats"
    rules = {"base": "tiny", "players": 3}
    report = trainer.train(recipe(out, rules=rules, policies="per_seat", opponents={"self": 1}))
    files = [out / f"player_{seat}.safetensors" for seat in range(3)]
    assert [read_agent(file).info["policy"] for file in files] == ["player_0", "player_1", "player_2"]
    loaded = [bluff_agents.load(file) for file in files]
    batch = GameBatch(rules, games=8, seed=0)
    played = [agent.probabilities(batch.observation, batch.mask) for agent in loaded]
    assert not np.allclose(played[0], played[1])
    assert not np.allclose(played[1], played[2])
    assert np.array_equal(bluff_agents.load(out).probabilities(batch.observation, batch.mask), played[0])
    assert [one.against for one in report.judged] == [f"random (player_{seat})" for seat in range(3)]
    assert len(evaluate(rules, loaded, deals=5).agents) == 3
    trainer.train(recipe(out, rules=rules, total_steps=100), overwrite=True)
    assert not any(file.exists() for file in files)


def test_a_run_goes_on_from_its_checkpoint_if_it_is_trusted(
    shared: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    before, steps = weights(shared), int(rows(shared)[-1]["steps"])
    assert main(["train", str(shared), "--resume"]) == 2
    said = capsys.readouterr().err
    assert "hold pickles, which can run any code when loaded; --trust" in said
    assert said.count("\n") == 1

    found: dict[str, Any] = {}
    begun = trainer._Run._go_on

    def go_on(run: Any, checkpoint: Path) -> None:
        begun(run, checkpoint)
        run.write_agents()
        found["weights"], found["checkpoint"] = weights(shared), checkpoint
        found["optimizer"] = str(run.algorithm.learner_group.get_state()["learner"]["optimizer"])

    monkeypatch.setattr(trainer._Run, "_go_on", go_on)
    assert main(["train", str(shared), "--resume", "--trust", "--set", "total_steps=1100"]) == 0
    assert found["checkpoint"].name == f"step-{steps:012d}"
    assert all(np.array_equal(a, b) for a, b in zip(before, found["weights"], strict=True))
    assert "exp_avg" in found["optimizer"]  # Adam's, too
    after = [int(row["steps"]) for row in rows(shared)]
    assert after == sorted(set(after))
    assert after[-1] >= 1100
    assert read_agent(shared / "agent.safetensors").info["steps"] == after[-1]
    assert not all(np.array_equal(a, b) for a, b in zip(before, weights(shared), strict=True))


def test_schedules_go_on_where_they_were(one_ray: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    rates: list[float] = []
    iterate = trainer._Run._iterate

    def watched(run: Any, interrupt: Any) -> dict[str, Any]:
        result: dict[str, Any] = iterate(run, interrupt)
        rates.append(float(result["learners"]["shared"]["default_optimizer_learning_rate"]))
        return result

    monkeypatch.setattr(trainer._Run, "_iterate", watched)
    changes = {"learning_rate": [1e-2, 0.0], "total_steps": 2560}
    trainer.train(recipe(tmp_path / "whole", **changes))
    whole, rates[:] = rates.copy(), []

    def interrupted(run: Any, interrupt: Any) -> dict[str, Any]:
        result = watched(run, interrupt)
        if run.steps >= 1280:
            signal.raise_signal(signal.SIGINT)
        return result

    monkeypatch.setattr(trainer._Run, "_iterate", interrupted)
    report = trainer.train(recipe(tmp_path / "parts", **changes))
    assert not report.finished
    monkeypatch.setattr(trainer._Run, "_iterate", watched)
    trainer.train(recipe(tmp_path / "parts", **changes), resume=True, trust=True)
    assert len(rates) == len(whole)
    assert rates == pytest.approx(whole, abs=2e-4)
    assert whole[0] > whole[-1]


def test_a_run_interrupted_in_its_last_iteration_is_judged_when_it_goes_on(
    one_ray: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    iterate, made = trainer._Run._iterate, recipe(tmp_path / "run", total_steps=256)

    def interrupted(run: Any, interrupt: Any) -> dict[str, Any]:
        signal.raise_signal(signal.SIGINT)
        return iterate(run, interrupt)  # type: ignore[no-any-return]

    with monkeypatch.context() as patch:
        patch.setattr(trainer._Run, "_iterate", interrupted)
        report = trainer.train(made)
    assert report.steps >= 256
    assert not report.finished
    assert not report.judged
    again = trainer.train(made, resume=True, trust=True)
    assert again.finished
    assert [one.against for one in again.judged] == ["random"]
    assert 0 <= float(rows(made.out)[-1]["judged/random"]) <= 1


@pytest.mark.parametrize("runners", [1, 2])
def test_a_killed_env_runner_does_not_end_the_run(
    runners: int, one_ray: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """With others, they go on without it; alone, it is waited for."""
    killed: list[int] = []
    seen: list[tuple[int, float]] = []
    iterate, row = trainer._Run._iterate, trainer._Run._row

    def with_an_accident(run: Any, interrupt: Any) -> dict[str, Any]:
        if run.steps and not killed:
            pids = run.algorithm.env_runner_group.foreach_env_runner(lambda _: os.getpid(), local_env_runner=False)
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)
        return iterate(run, interrupt)  # type: ignore[no-any-return]

    def watched(run: Any, result: dict[str, Any], speed: float) -> dict[str, float]:
        found: dict[str, float] = row(run, result, speed)
        seen.append((run.steps, found["env_runners"]))
        if found["restarts"] and found["env_runners"] == runners:
            signal.raise_signal(signal.SIGINT)  # enough has been seen
        return found

    monkeypatch.setattr(trainer._Run, "_iterate", with_an_accident)
    monkeypatch.setattr(trainer._Run, "_row", watched)
    report = trainer.train(recipe(tmp_path / "run", env_runners=runners, total_steps=10**9))
    assert len(killed) == 1
    assert report.steps == seen[-1][0] > seen[0][0]
    assert seen[-1][1] == runners
    assert read_agent(tmp_path / "run" / "agent.safetensors").info["steps"] == report.steps


def test_a_run_whose_env_runners_never_come_back_ends_with_one_line(
    one_ray: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    out = tmp_path / "run"
    monkeypatch.setattr(trainer, "PATIENCE", 0.0)
    monkeypatch.setattr(trainer._Run, "_train", lambda run: {"env_runners": {"num_env_steps_sampled": float("nan")}})
    with pytest.raises(ConfigError, match=r"^run: ended at 0 steps: no env runner has come back$"):
        trainer.train(recipe(out))
    assert bluff_agents.load(out).name == "run"


def test_an_opponent_that_only_the_trainers_machine_has_is_told_in_one_line(
    one_ray: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Env runners do not see what has come to the path after Ray was started."""
    (tmp_path / "only_here.py").write_text(
        "import bluff_agents\n\ndef make(rules):\n    return bluff_agents.load('honest', rules)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(
        ConfigError, match=r"^run: an env runner cannot seat an opponent: only_here:make: module 'only_here' cannot"
    ) as error:
        trainer.train(recipe(tmp_path / "run", env_runners=1, opponents={"self": 1, "only_here:make": 1}))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "run").exists()


def test_the_module_learns_in_rllibs_own_wrapper_around_the_pettingzoo_env(one_ray: None, tmp_path: Path):
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.tune.registry import register_env

    from bluff_agents.rllib.algorithm import algorithm_config

    register_env("tiny_bluff", lambda _: PettingZooEnv(bluff_v0.env(rules="tiny")))
    config = algorithm_config(recipe(tmp_path / "run", opponents={"self": 1}))
    config = config.environment("tiny_bluff", env_config={}).callbacks(on_episode_end=lambda **_: None)
    algorithm = config.build_algo()
    try:
        before = algorithm.learner_group.get_weights()["shared"]["policy_net.0.weight"].copy()
        result = algorithm.train()
        assert result["env_runners"]["num_env_steps_sampled"] >= 256
        assert not np.array_equal(before, algorithm.learner_group.get_weights()["shared"]["policy_net.0.weight"])
    finally:
        algorithm.stop()


def test_wrong_use_is_told_in_one_line(one_ray: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "run"
    with pytest.raises(ConfigError, match=r"checkpoints: no checkpoint to go on from"):
        trainer.train(recipe(out), resume=True, trust=True)
    with pytest.raises(ConfigError, match=r"40 CPUs are wanted \(env_runners, .*\); this Ray has 3"):
        trainer.train(recipe(out, env_runners=40))
    with pytest.raises(ConfigError, match="has joined a Ray already"):
        trainer.train(recipe(out), address="auto")
    with pytest.raises(BluffError, match="no bot named 'nobody'"):
        trainer.train(recipe(out, opponents={"self": 1, "nobody": 1}))
    assert not out.exists()
    broken = out / "checkpoints" / "step-000000000256"
    broken.mkdir(parents=True)
    (out / "config.yaml").write_text(yaml.safe_dump(SMALL))
    with pytest.raises(ConfigError, match="cut short, or of another recipe"):
        trainer.train(read_recipe(out), resume=True, trust=True)
