"""scripts/ppo_selfplay_torch.py: its advantages against a slow reckoning, and the agents it writes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bluff_agents
import bluff_env
from bluff_agents.agentfile import read_agent
from bluff_agents.policy import PolicyAgent
from frameworks.common import SCRIPTS, run

torch = pytest.importorskip("torch")
SHORT = ("--rules", "tiny", "--steps", "600", "--games", "16", "--rollout", "20", "--network", "8", "--judge", "0")


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("ppo_selfplay_torch", SCRIPTS / "ppo_selfplay_torch.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def slowly(values: Any, players: Any, rewards: Any, done: Any, gamma: float, lam: float) -> tuple[Any, Any]:
    """The same advantages, each thread of decisions picked out and added up by itself, forwards."""
    steps, games, seats = rewards.shape
    result, known = np.zeros((steps, games)), np.zeros((steps, games), bool)
    for game in range(games):
        ends = np.flatnonzero(done[:, game]).tolist()
        for first, last in zip([0, *[end + 1 for end in ends]], [*ends, steps - 1], strict=True):
            for seat in range(seats):
                mine = [t for t in range(first, last + 1) if players[t, game] == seat]
                over = last in ends
                errors = []
                for this, after in zip(mine, [*mine, None][1:], strict=True):
                    if after is None and not over:
                        break
                    paid = rewards[this : last + 1 if after is None else after, game, seat].sum()
                    then = 0.0 if after is None else values[after, game]
                    errors.append((this, paid + gamma * then - values[this, game]))
                for at, (t, _) in enumerate(errors):
                    known[t, game] = True
                    result[t, game] = sum((gamma * lam) ** k * error for k, (_, error) in enumerate(errors[at:]))
    return result, known


@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 1.0), (1.0, 0.97), (0.9, 0.5)])
def test_the_advantages_are_those_of_each_seats_own_decisions(script: Any, gamma: float, lam: float) -> None:
    random = np.random.default_rng(4)
    values = random.normal(size=(40, 6)).astype(np.float32)
    players, done = random.integers(3, size=(40, 6)), random.random((40, 6)) < 0.1
    rewards = random.normal(size=(40, 6, 3)).astype(np.float32)
    found, known = script.advantages(values, players, rewards, done, gamma, lam)
    expected, sure = slowly(values, players, rewards, done, gamma, lam)
    assert np.array_equal(known, sure)
    assert 0 < known.sum() < known.size
    assert np.allclose(found, expected, atol=1e-4)


def test_without_a_critic_the_advantage_of_a_whole_game_is_what_the_seat_was_paid(script: Any) -> None:
    tables = script.Tables(bluff_env.rules("bloff", players=3), 4, seed=2)
    random, rows = torch.Generator().manual_seed(0), []
    for _ in range(400):
        players, mask = tables.batch.player.copy(), torch.from_numpy(tables.batch.mask.copy())
        actions = script.draw(torch.where(mask, 0.0, -1e8), random).numpy()
        rows.append((players, *tables.step(actions, 0.0)))
    players, rewards, done = (np.stack(column) for column in zip(*rows, strict=True))
    found, known = script.advantages(np.zeros(players.shape, np.float32), players, rewards, done, 1.0, 1.0)
    assert done.any()
    for game in range(4):
        start = 0
        for end in np.flatnonzero(done[:, game]):
            assert rewards[end, game].sum() == pytest.approx(0)
            assert found[start : end + 1, game] == pytest.approx(rewards[end, game][players[start : end + 1, game]])
            assert known[start : end + 1, game].all()
            start = end + 1


def test_what_a_better_lead_pays_adds_up_to_the_lead_at_the_end(script: Any) -> None:
    tables = script.Tables(bluff_env.rules("bloff", rewards="win", max_turns=30), 8, seed=1)
    random, total, ended = torch.Generator().manual_seed(1), np.zeros((8, 4)), 0
    for _ in range(300):
        actions = script.draw(torch.where(torch.from_numpy(tables.batch.mask), 0.0, -1e8), random).numpy()
        finals, seats = tables.batch.snapshot(), tables.batch.player.copy()
        rewards, done = tables.step(actions, 2.0)
        assert rewards[~done].sum(1) == pytest.approx(0, abs=1e-5)
        total += rewards
        for row in np.flatnonzero(done):
            again = bluff_env.GameBatch(tables.batch.rules, games=8, restart=False)
            again.restore(finals)
            won, _ = again.step(actions)
            sizes = again.observation[row, again.layout.pieces["hand_sizes"]].astype(float)
            sizes = np.roll(sizes, seats[row])  # from the seat that moved last, as seats stand
            lead = ((sizes.sum() - sizes) / 3 - sizes) / tables.hand
            assert total[row] == pytest.approx(won[row] + 2.0 * lead, abs=1e-4)
            total[row], ended = 0.0, ended + 1
    assert ended
    assert tables.told["games"] == ended


def test_the_agent_it_writes_plays_as_its_network_does(script: Any, tmp_path: Path) -> None:
    rules = bluff_env.rules("bloff")
    network = script.Network(bluff_env.layout(rules), [16, 8], -2.0, torch.Generator().manual_seed(5))
    script.write_agent(tmp_path / "mine.safetensors", rules, network, {"rewards": "win"})
    agent = bluff_agents.load(tmp_path / "mine.safetensors")
    assert isinstance(agent, PolicyAgent)
    assert agent.rules == rules
    batch = bluff_env.GameBatch(rules, games=64, seed=3)
    for _ in range(60):
        batch.step(batch.random_actions())
    with torch.no_grad():
        log_probs, values = network(torch.from_numpy(batch.observation), torch.from_numpy(batch.mask))
    assert agent.probabilities(batch.observation, batch.mask) == pytest.approx(log_probs.exp().numpy(), abs=1e-5)
    assert agent.win_chance(batch.observation) == pytest.approx(values.clip(0, 1).numpy(), abs=1e-5)
    assert read_agent(tmp_path / "mine.safetensors").info == {"rewards": "win"}


@pytest.mark.long
def test_the_same_seed_gives_the_same_agent_number_for_number(tmp_path: Path) -> None:
    for seed, name in ((1, "one"), (1, "same"), (2, "other")):
        done = run("ppo_selfplay_torch.py", tmp_path, *SHORT, "--seed", str(seed), "--out", f"{name}.safetensors")
        assert done.returncode == 0, done.stderr
    one, same, other = (read_agent(tmp_path / f"{name}.safetensors") for name in ("one", "same", "other"))
    assert one.info == same.info != other.info
    pairs = [*zip(one.weights, same.weights, strict=True), *zip(one.value or [], same.value or [], strict=True)]
    assert len(pairs) == 4
    assert all(np.array_equal(a, b) for first, second in pairs for a, b in zip(first, second, strict=True))
    assert not np.array_equal(one.weights[0][0], other.weights[0][0])


@pytest.mark.long
def test_it_learns_to_beat_random_at_a_small_game_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "long.yaml").write_text("{base: tiny, max_turns: 200}")
    done = run("ppo_selfplay_torch.py", tmp_path, "--rules", "long.yaml", "--steps", "60000", "--out", "it.safetensors")
    assert done.returncode == 0, done.stderr
    low = float(done.stdout.split("(")[1].split("%")[0])
    assert "fair 50.0%" in done.stdout
    assert low > 60
    assert "60,000 steps" in done.stderr
    assert bluff_agents.load(tmp_path / "it.safetensors", "tiny").name == "it"


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--rules", "nosuch"), "nosuch"),
        (("--out", "there.safetensors"), "exists already; --overwrite replaces it"),
        (("--out", "no/folder.safetensors"), "there is no folder no"),
        (("--steps", "0"), "argument --steps"),
        (("--rollout", "1"), "a higher number expected"),
        (("--seed", "-1"), "seed"),
    ],
)
def test_a_users_mistake_is_told_in_one_line(tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    (tmp_path / "there.safetensors").write_text("mine")
    done = run("ppo_selfplay_torch.py", tmp_path, *SHORT, *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert (tmp_path / "there.safetensors").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["there.safetensors"]


def test_it_needs_of_the_project_the_environment_alone() -> None:
    lines = (SCRIPTS / "ppo_selfplay_torch.py").read_text(encoding="utf-8").splitlines()
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported - set(sys.stdlib_module_names) == {"numpy", "torch", "safetensors", "bluff_env"}
