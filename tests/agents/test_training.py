"""Training: run folders, runs that repeat and go on exactly, how strong agents get."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

import bluff_agents
import bluff_env
from bluff_agents.agentfile import read_agent
from bluff_agents.evaluation import evaluate
from bluff_agents.policy import ACTIVATIONS, PolicyAgent
from bluff_agents.training import read_recipe
from bluff_agents.training.activations import MODULES
from bluff_agents.training.export import Average, policy_agent
from bluff_agents.training.imitation import imitate
from bluff_agents.training.league import League, mixture
from bluff_agents.training.model import make_model
from bluff_agents.training.trainer import train
from bluff_env.adapters.sb3 import BluffVecEnv
from bluff_env.errors import BluffError
from small_runs import recipe, rows, same


def one_line(error: pytest.ExceptionInfo[BluffError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    return text


# Runs


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "small"
    report = train(recipe(out))
    assert report.finished
    assert report.steps == 640
    return out


def test_a_run_leaves_all_that_its_folder_should_hold(run: Path):
    assert read_recipe(run) == recipe(run)
    assert {path.name for path in (run / "checkpoints").iterdir()} == {"step-000000000512.pt", "step-000000000640.pt"}
    assert list(run.glob("events.out.tfevents.*"))
    assert (run / "curves.png").read_bytes().startswith(b"\x89PNG")
    with (run / "metrics.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["steps"]) for row in rows] == [128, 256, 384, 512, 640]
    assert [bool(row["judged/random"]) for row in rows] == [False, False, True, False, True]
    assert not [path for path in run.rglob("*") if path.name.endswith((".tmp", ".part"))]


def test_the_agent_of_a_run_plays_without_torch(run: Path):
    code = f"import bluff_agents, sys; bluff_agents.load({str(run)!r}, 'tiny'); assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
    file = read_agent(run / "agent.safetensors")
    assert file.rules == bluff_env.rules("tiny")
    assert file.info["steps"] == 640
    assert file.value is not None


def test_the_same_seed_makes_the_same_agent_and_another_seed_another(run: Path, tmp_path: Path):
    generators = torch.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002 - it must stay as it was
    train(recipe(tmp_path / "again"))
    assert same(run, tmp_path / "again")
    train(recipe(tmp_path / "other", seed=1))
    assert not same(run, tmp_path / "other")
    assert torch.equal(generators[0], torch.get_rng_state())
    assert np.array_equal(generators[1], np.random.get_state()[1])  # noqa: NPY002


def test_the_average_counts_the_kth_update_k_times():
    average = Average()
    for number in (3.0, 6.0, 9.0):
        average.add([(np.full((1, 2), number, np.float32), np.full(2, -number, np.float32))])
    weight, bias = average.policy_layers()[0]
    assert weight.tolist() == [[7.0, 7.0]]  # (1 × 3 + 2 × 6 + 3 × 9) / 6
    assert bias.tolist() == [-7.0, -7.0]


def test_a_policy_that_imitates_an_agent_does_what_the_agent_does(tmp_path: Path):
    rules = bluff_env.rules("tiny")
    made = recipe(tmp_path / "unused", network=[64, 64])
    env = BluffVecEnv(rules, 16, "self", seed=0)
    torch.manual_seed(0)
    model, honest = make_model(made, env), bluff_agents.load("honest", rules)
    generator = torch.get_rng_state()
    batch = bluff_env.GameBatch(rules, games=500, seed=9)
    for _ in range(4):
        batch.step(honest.act(batch.observation, batch.mask, batch.noise())[0])

    def alike() -> float:
        mine = policy_agent(model, rules).probabilities(batch.observation, batch.mask)
        return float(np.minimum(mine, honest.probabilities(batch.observation, batch.mask)).sum(axis=1).mean())

    before = alike()
    imitate(model, honest, rules, 20_000, seed=0)
    assert before < 0.8
    assert alike() > 0.9
    assert torch.equal(generator, torch.get_rng_state())


def test_a_folder_in_use_is_refused_unless_overwriting_and_then_only_a_run(run: Path, tmp_path: Path):
    before = (run / "metrics.csv").read_bytes()
    with pytest.raises(BluffError, match="exists already; --overwrite replaces it") as error:
        train(recipe(run))
    one_line(error)
    assert (run / "metrics.csv").read_bytes() == before
    foreign = tmp_path / "thesis"
    foreign.mkdir()
    (foreign / "chapter.tex").write_text("…")
    with pytest.raises(BluffError, match="not a run folder"):
        train(recipe(foreign), overwrite=True)
    assert (foreign / "chapter.tex").exists()
    shutil.copytree(run, tmp_path / "run")
    train(recipe(tmp_path / "run", total_steps=100), overwrite=True)
    assert [row["steps"] for row in rows(tmp_path / "run")] == ["128"]


def test_a_missing_opponent_is_noticed_before_a_folder_is_made(tmp_path: Path):
    with pytest.raises(BluffError, match="no bot named 'honst'"):
        train(recipe(tmp_path / "x", opponents={"honst": 1}))
    assert not (tmp_path / "x").exists()


# The model


def test_every_activation_that_agent_files_know_can_be_trained():
    assert set(MODULES) == set(ACTIVATIONS)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_update_is_that_of_maskable_ppo(threads: int, tmp_path: Path):
    made = recipe(tmp_path / "x", epochs=1, batch_size=128, threads=threads)
    env = BluffVecEnv(made.training_rules, made.games, "random")
    torch.manual_seed(0)
    model = make_model(made, env)
    ours = model.train
    model.train = lambda: None
    model.learn(made.rollout)
    model.ent_coef = 0.02
    before = {name: tensor.clone() for name, tensor in model.policy.state_dict().items()}
    optimizer = model.policy.optimizer.state_dict()
    ours()
    after = {name: tensor.clone() for name, tensor in model.policy.state_dict().items()}
    model.policy.load_state_dict(before)
    model.policy.optimizer.load_state_dict(optimizer)
    MaskablePPO.train(model)
    for name, tensor in model.policy.state_dict().items():
        assert torch.allclose(tensor, after[name], atol=2e-5), name
    assert any(not torch.equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_the_exported_agent_is_the_policy(activation: str, tmp_path: Path):
    made = recipe(tmp_path / "x", activation=activation, rules="bloff")
    env = BluffVecEnv(made.training_rules, made.games, "random")
    model = make_model(made, env)
    observation = env.reset()
    agent = policy_agent(model, made.rules)
    with torch.no_grad():
        expected = torch.log_softmax(
            model.policy.get_distribution(torch.from_numpy(observation)).distribution.logits, 1
        )
    found = torch.log_softmax(torch.from_numpy(agent.logits(observation)), 1)
    assert torch.allclose(found, expected, atol=1e-4)
    assert torch.allclose(
        torch.from_numpy(agent.logits(env.seats.batch.observation)), torch.from_numpy(agent.logits(observation))
    )


def test_what_a_recipe_hides_changes_neither_the_policy_nor_the_critic(tmp_path: Path):
    made = recipe(tmp_path / "run", rules="bloff", hide=["known", "recent"])
    agent = bluff_agents.load(train(made).folder, "bloff")
    assert read_recipe(tmp_path / "run").hide == ("known", "recent")
    env = BluffVecEnv("bloff", 4, "random")
    seen = env.reset()
    changed = seen.copy()
    for piece in made.hide:
        changed[:, env.layout.pieces[piece]] = 1 - changed[:, env.layout.pieces[piece]]
    assert isinstance(agent, PolicyAgent)
    assert np.array_equal(agent.logits(seen), agent.logits(changed))
    chances = [agent.win_chance(observation) for observation in (seen, changed)]
    assert chances[0] is not None
    assert chances[1] is not None
    assert np.array_equal(*chances)
    changed[:, env.layout.pieces["hand"]] = 1 - changed[:, env.layout.pieces["hand"]]
    assert not np.allclose(agent.logits(seen), agent.logits(changed))


def test_a_beginner_is_disinclined_to_call(tmp_path: Path):
    made = recipe(tmp_path / "x", rules="bloff", inclination_to_call=-3)
    env = BluffVecEnv(made.training_rules, made.games, "random")
    logits = policy_agent(make_model(made, env), made.rules).logits(env.reset())
    assert (logits[:, 1] < logits[:, 0] - 2).all()


# Strength


@pytest.mark.slow
def test_self_play_on_a_deck_that_can_be_solved_comes_near_an_equilibrium(tmp_path: Path):
    made = read_recipe("tiny_pairs", ["total_steps=300000", "evaluate_deals=2", f"out={tmp_path / 'run'}"])
    report = train(made)
    assert report.nash_conv is not None
    assert report.nash_conv < 0.1
    shares = [float(row["nash_conv_share"]) for row in rows(report.folder) if row["nash_conv_share"]]
    assert shares[0] > 0.4
    assert shares[-1] == pytest.approx(report.nash_conv, rel=1e-4)


@pytest.mark.slow
def test_an_agent_trained_for_a_minute_beats_three_random_players(tmp_path: Path):
    """700,000 steps: a minute on two cores."""
    made = read_recipe(
        "bloff_quick",
        ["total_steps=700000", f"out={tmp_path / 'minute'}", "evaluate_every=1000000", "evaluate_deals=2"],
    )
    train(made)
    agent = bluff_agents.load(tmp_path / "minute", "bloff")
    random = bluff_agents.load("random", "bloff")
    found = evaluate("bloff", [agent, random, random, random], deals=250, seed=99)
    assert found.agents[0].low > 0.5, found.agents[0]


def test_the_league_meets_the_harder_of_its_earlier_selves_more_often():
    rules = bluff_env.rules("tiny")
    settings = read_recipe("bloff_quick", ["rules=tiny", "games=16", "steps_per_rollout=64"])
    env = BluffVecEnv(rules, 16, mixture({"self": 0.5, "past": 0.5}, 3), later=("past_1", "past_2", "past_3"))
    league = League(env, rules, {"self": 0.5, "past": 0.5}, 3)
    model = make_model(settings, env)
    for _ in range(4):  # the fourth takes the place of the first
        league.add(model)
    league.count({"past_1": 50, "past_2": 50, "past_3": 50}, {"past_1": 45, "past_2": 25, "past_3": 5})
    easy, even, hard = league.weights()
    assert easy < even < hard
    edges = env.seats._edges
    assert edges is not None
    shares = np.diff([0.0, *edges, 1.0])
    assert shares[0] == pytest.approx(0.5)
    assert shares[1:] == pytest.approx(0.5 * league.weights() / league.weights().sum())


def test_shares_are_set_for_the_same_names_only():
    env = BluffVecEnv("tiny", 2, {"random": 0.5, "honest": 0.5})
    with pytest.raises(BluffError, match="opponents: random, liar found; shares of random, honest expected"):
        env.seats.set_shares({"random": 1.0, "liar": 1.0})
