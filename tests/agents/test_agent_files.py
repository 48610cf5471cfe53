"""Agent files and `load`: what is written is played, what is faulty is refused in one line."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import bluff_env
from bluff_agents import AgentError, load
from bluff_agents.agent import NOISES, Agent
from bluff_agents.agentfile import read_agent, write_agent
from bluff_agents.benchmark.runs import finished
from bluff_agents.policy import PolicyAgent, sample
from make_tiny_agent import random_layers, write_tiny_agent

BLOFF = bluff_env.rules("bloff")
LAYOUT = bluff_env.layout(BLOFF)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.safetensors"
    write_tiny_agent(str(path))
    return path


def refusal(*arguments: Any, **options: Any) -> str:
    """What `load` says: one line."""
    with pytest.raises(AgentError) as caught:
        load(*arguments, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def rewrite(path: Path, changes: dict[str, str | None] | None = None, tensors: dict[str, Any] | None = None) -> None:
    """Changes metadata (None: taken out) and tensors of an agent file."""
    header = json.loads(path.read_bytes()[8 : 8 + struct.unpack("<Q", path.read_bytes()[:8])[0]])
    metadata = {**header["__metadata__"], **(changes or {})}
    kept = {**load_file(path), **(tensors or {})}
    save_file(
        {key: value for key, value in kept.items() if value is not None},
        path,
        {key: value for key, value in metadata.items() if value is not None},
    )


def test_a_written_agent_is_read_back_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    policy, value = random_layers([LAYOUT.size, 8, 16, LAYOUT.n_actions]), random_layers([LAYOUT.size, 4, 1], seed=1)
    write_agent(path, "bloff", policy, "relu", value=value, info={"steps": 7, "recipe": "none"})
    file = read_agent(path)
    assert (file.rules, file.activation, file.info) == (BLOFF, "relu", {"steps": 7, "recipe": "none"})
    assert file.value is not None
    for written, read in zip(policy + value, file.weights + file.value, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(written, read, strict=True))
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_agent_is_the_same_file_to_the_last_byte(tmp_path: Path) -> None:
    layers = random_layers([LAYOUT.size, 8, LAYOUT.n_actions])
    for number in range(6):
        write_agent(tmp_path / f"{number}", "bloff", layers, info={"steps": 7})
    assert len({(tmp_path / f"{number}").read_bytes() for number in range(6)}) == 1


def test_a_loaded_agent_plays_as_the_one_in_memory(tiny: Path, situations: bluff_env.GameBatch) -> None:
    noise = situations.noise()
    memory = PolicyAgent(BLOFF, read_agent(tiny).weights)
    loaded = load(tiny, BLOFF)
    expected, _ = memory.act(situations.observation, situations.mask, noise)
    assert np.array_equal(loaded.act(situations.observation, situations.mask, noise)[0], expected)
    floats = LAYOUT.to_float(situations.observation)
    assert np.array_equal(loaded.act(floats, situations.mask.astype(np.int8), noise)[0], expected)
    assert situations.mask[np.arange(300), expected].all()


@pytest.mark.parametrize("sizes", [[32, 32], [128, 128], [], [256, 64, 64]])
def test_a_row_has_the_same_logits_bit_for_bit_in_any_batch(sizes: list[int], situations: bluff_env.GameBatch) -> None:
    agent = PolicyAgent(BLOFF, random_layers([LAYOUT.size, *sizes, LAYOUT.n_actions]))
    whole = agent.logits(situations.observation)
    for rows in (1, 7, 64):
        parts = [agent.logits(situations.observation[low : low + rows]) for low in range(0, 300, rows)]
        assert np.array_equal(np.concatenate(parts), whole)
    upside_down = agent.logits(np.ascontiguousarray(situations.observation[::-1]))
    assert np.array_equal(upside_down[::-1], whole)


def test_actions_are_drawn_as_the_softmax_says() -> None:
    logits = np.tile(np.log(np.array([[0.1, 0.6, 0.3]], np.float32)), (30_000, 1))
    noise = np.random.default_rng(0).random(30_000)
    shares = np.bincount(sample(logits, noise)) / 30_000
    assert shares == pytest.approx([0.1, 0.6, 0.3], abs=0.01)
    edge = np.full(1, 1 - 2**-53)
    assert sample(np.array([[0.0, 0.0, -1e30]], np.float32), edge) == 1


def test_a_deterministic_policy_plays_its_likeliest_legal_action(situations: bluff_env.GameBatch) -> None:
    agent = PolicyAgent(BLOFF, random_layers([LAYOUT.size, LAYOUT.n_actions]), deterministic=True)
    best = np.where(situations.mask, agent.logits(situations.observation), -np.inf).argmax(axis=1)
    assert np.array_equal(agent.act(situations.observation, situations.mask)[0], best)


def test_without_noise_the_seed_decides(tiny: Path, situations: bluff_env.GameBatch) -> None:
    first, again, other = (
        load(tiny, BLOFF, seed=seed).act(situations.observation, situations.mask)[0] for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_an_agent_may_play_where_only_what_it_cannot_see_differs(tiny: Path) -> None:
    load(tiny, BLOFF.replace(max_turns=50, rewards="win", first_player="random"))


def test_an_agent_for_other_rules_is_refused_saying_what_differs(tiny: Path) -> None:
    text = refusal(tiny, BLOFF.replace(players=5, follow="any"))
    assert "players 4 instead of 5" in text
    assert "follow 'next' instead of 'any'" in text


def test_an_agent_for_another_layout_is_refused_saying_what_differs(tiny: Path) -> None:
    described = LAYOUT.describe()
    described["pieces"] = [row for row in described["pieces"] if row[0] != "turns"]
    rewrite(tiny, {"layout": json.dumps({**described, "fingerprint": "0" * 16})})
    assert "piece turns missing instead of" in refusal(tiny, BLOFF)


@pytest.mark.parametrize("keep", [0, 4, 200, 5_000, -1])
def test_a_file_cut_short_is_refused(tiny: Path, keep: int) -> None:
    tiny.write_bytes(tiny.read_bytes()[:keep])
    assert "cut short" in refusal(tiny, BLOFF)


@pytest.mark.parametrize("content", [b"hello, this is no agent at all", b"PK\x03\x04" + bytes(100), b"\xff" * 64])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(content)
    assert "not an agent file" in refusal(path, BLOFF)


@pytest.mark.parametrize("metadata", [None, {"format": "pt"}, {"format": "bluff-agent/2"}])
def test_foreign_safetensors_are_refused(tmp_path: Path, metadata: dict[str, str] | None) -> None:
    path = tmp_path / "x.safetensors"
    save_file({"layer": np.zeros((2, 2), np.float32)}, path, metadata)
    assert "'bluff-agent/1' expected" in refusal(path, BLOFF)


@pytest.mark.parametrize(
    ("changes", "tensors", "says"),
    [
        ({"rules": None}, {}, "rules is missing"),
        ({"rules": "[1"}, {}, "rules in its metadata is not a JSON object"),
        ({"network": '{"activation": "gelu", "policy": [32, 32]}'}, {}, "'gelu'"),
        ({"network": '{"activation": "tanh", "policy": "32"}'}, {}, "a list of sizes expected"),
        ({"network": '{"activation": "tanh", "policy": [32, 33]}'}, {}, "[32, 33] expected"),
        ({}, {"policy.0.bias": None}, "policy.0.bias is missing"),
        ({}, {"extra": np.zeros(1, np.float32)}, "extra is unexpected"),
        ({}, {"policy.0.bias": np.zeros(32, np.float64)}, "is F64 [32]; F32 [32] expected"),
        ({}, {"policy.1.bias": np.full(32, np.nan, np.float32)}, "not finite"),
    ],
)
def test_a_faulty_agent_file_is_refused(
    tiny: Path, changes: dict[str, str | None], tensors: dict[str, Any], says: str
) -> None:
    rewrite(tiny, changes, tensors)
    assert says in refusal(tiny, BLOFF)


DEEP = "[" * 200_000


@pytest.mark.parametrize("key", ["rules", "layout", "network", "info"])
@pytest.mark.parametrize("text", [DEEP, '{"a": ' * 5000, "", "null", "7", '"text"', "[1]", "{", "9" * 5000])
def test_metadata_of_a_wrong_shape_are_refused(tiny: Path, key: str, text: str) -> None:
    rewrite(tiny, {key: text})
    assert f"faulty agent file: {key} in its metadata" in refusal(tiny, BLOFF)


@pytest.mark.parametrize("depth", [100, 400, 700, 900, 950, 980])
@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("rules", '{"base": "bloff", "players": %s}'),
        ("layout", '{"fingerprint": "x", "kinds": %s}'),
        ("layout", '{"fingerprint": "x", "pieces": [["turns", %s]]}'),
        ("network", '{"activation": "tanh", "policy": [%s]}'),
        ("network", '{"activation": %s, "policy": [32, 32]}'),
    ],
)
def test_metadata_that_can_be_read_but_hardly_told_are_refused(tiny: Path, key: str, text: str, depth: int) -> None:
    rewrite(tiny, {key: text % ("[" * depth + "]" * depth)})
    for rules in (BLOFF, None):
        assert refusal(tiny, rules)


@pytest.mark.parametrize(
    "wrong", [5, "text", None, True, [1], [None], [[]], [["turns"]], [[["turns"], 1]], [[1, 1]], {"turns": 1}]
)
@pytest.mark.parametrize("key", ["actions", "pieces"])
def test_a_layout_of_a_wrong_shape_is_refused(tiny: Path, key: str, wrong: Any) -> None:
    rewrite(tiny, {"layout": json.dumps({**LAYOUT.describe(), key: wrong, "fingerprint": "x"})})
    text = refusal(tiny, BLOFF)
    assert f"made for another layout: {key} " in text
    assert len(text) < 300
    rewrite(tiny, {"layout": json.dumps({"fingerprint": "x", key: wrong})})
    assert f"{key} " in refusal(tiny, BLOFF)


@pytest.mark.parametrize(
    ("changes", "tensors"),
    [
        ({"rules": json.dumps({**BLOFF.to_dict(), "a\nb": 1})}, {}),
        ({"layout": json.dumps({"pieces": [["a\nb", "c\nd", 1]], "fingerprint": "x"})}, {}),
        ({"layout": json.dumps({"pieces": [["turns", "c\nd", [], "e\nf"]], "fingerprint": "x"})}, {}),
        ({"network": json.dumps({"activation": "a\nb", "policy": [32, 32]})}, {}),
        ({"network": json.dumps({"activation": "tanh", "policy": "a\nb"})}, {}),
        ({}, {"a\nb": np.zeros(1, np.float32)}),
        ({"format": "a\nb"}, {}),
    ],
)
def test_no_text_from_a_file_breaks_the_line_that_refuses_it(
    tiny: Path, changes: dict[str, str | None], tensors: dict[str, Any]
) -> None:
    rewrite(tiny, changes, tensors)
    for rules in (BLOFF, None):
        assert refusal(tiny, rules)


@pytest.mark.parametrize("steps", ["many", [1], None, -1, True])
def test_steps_that_are_no_number_are_those_of_no_finished_run(tmp_path: Path, steps: Any) -> None:
    (tmp_path / "config.yaml").write_text("rules: bloff\ntotal_steps: 1\n")
    (tmp_path / "metrics.csv").write_text("steps,judged/random,judged/honest,judged/counter\n1,0,0,0\n")
    layers = random_layers([LAYOUT.size, LAYOUT.n_actions])
    for number, ended in ((1, True), (steps, False)):
        write_agent(tmp_path / "agent.safetensors", BLOFF, layers, info={"steps": number})
        assert finished(tmp_path) is ended


def test_layers_that_do_not_fit_are_not_written_over_what_was_there(tiny: Path) -> None:
    before = tiny.read_bytes()
    with pytest.raises(AgentError, match=r"layer 1 has shapes \(9, 16\) and \(16,\); \(8, 16\) and \(16,\) expected"):
        write_agent(tiny, BLOFF, [*random_layers([LAYOUT.size, 8]), *random_layers([9, LAYOUT.n_actions])])
    assert tiny.read_bytes() == before
    assert list(tiny.parent.iterdir()) == [tiny]


def test_a_run_folder_is_its_agent(tmp_path: Path) -> None:
    run = tmp_path / "first_try"
    run.mkdir()
    assert "no agent.safetensors in this folder" in refusal(run, BLOFF)
    write_tiny_agent(str(run / "agent.safetensors"))
    assert load(run, BLOFF).name == "first_try"
    assert load(run / "agent.safetensors", BLOFF).name == "first_try"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("hones", "did you mean 'honest'"),
        ("nobody", "random, liar, always_call"),
        ("runs/none", "no such file or run folder"),
        ("none.safetensors", "no such file"),
        ("none.zip", "no such file"),
        ("no_such_module:make", "module 'no_such_module' cannot be imported"),
        ("json:nothing", "has no 'nothing'"),
        ("json:loadz", "did you mean 'load'"),
        ("string:digits", "is a str; something called as factory(rules) expected"),
        ("builtins:repr", "it made a str without act()"),
    ],
)
def test_what_cannot_be_found_or_seated_is_refused(name: str, says: str) -> None:
    assert says in refusal(name, BLOFF)


def test_observations_of_another_layout_are_refused(situations: bluff_env.GameBatch) -> None:
    agent = load("random", BLOFF.replace(players=5))
    with pytest.raises(AgentError, match="expected"):
        agent.act(situations.observation, situations.mask)


def test_an_sb3_zip_is_loaded_only_on_trust(tmp_path: Path, situations: bluff_env.GameBatch) -> None:
    gymnasium, sb3 = pytest.importorskip("gymnasium"), pytest.importorskip("sb3_contrib")

    class Bare(gymnasium.Env[Any, Any]):  # type: ignore[misc, name-defined]
        observation_space = gymnasium.spaces.Box(0, 1, (LAYOUT.size,), np.float32)
        action_space = gymnasium.spaces.Discrete(LAYOUT.n_actions)

    path = tmp_path / "model.zip"
    sb3.MaskablePPO("MlpPolicy", Bare(), n_steps=8, batch_size=8, device="cpu").save(path)
    assert "pickles, which can run any code" in refusal(path, BLOFF)
    noise = situations.noise()
    agent = load(path, BLOFF, trust=True)
    actions, state = agent.act(situations.observation, situations.mask, noise)
    assert state is None
    assert situations.mask[np.arange(300), actions].all()
    single, _ = agent.act(LAYOUT.to_float(situations.observation[5]), situations.mask[5], noise[5])
    assert single == actions[5]
    assert "made for observations" in refusal(path, BLOFF.replace(players=5), trust=True)
    path.write_bytes(b"no zip")
    assert "not a MaskablePPO model" in refusal(path, BLOFF, trust=True)


def test_loading_an_agent_file_imports_no_torch(tiny: Path) -> None:
    code = (
        "import sys, bluff_agents; agent = bluff_agents.load(sys.argv[1], 'bloff'); "
        "assert 'torch' not in sys.modules and 'stable_baselines3' not in sys.modules; print(agent.name)"
    )
    done = subprocess.run([sys.executable, "-c", code, tiny], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "tiny"


@pytest.mark.parametrize("name", ["", 3, None])
def test_what_names_no_agent_is_refused(name: Any) -> None:
    with pytest.raises(AgentError, match=r"^agent: "):
        load(name, "bloff")


# How likely each action is


def test_a_network_s_probabilities_are_what_it_draws_by(tiny: Path, situations: bluff_env.GameBatch):
    agent = load(tiny, BLOFF)
    likely = agent.probabilities(situations.observation, situations.mask)
    assert likely.sum(axis=1) == pytest.approx(np.ones(len(situations)))
    assert (likely[~situations.mask] == 0).all()
    # What every agent answers that does not know its probabilities, off by one value of the noise at most.
    counted = Agent.probabilities(agent, situations.observation, situations.mask)
    assert abs(likely - counted).max() <= 1 / NOISES + 1e-9


def test_a_network_that_plays_the_likeliest_action_is_sure_of_it(tiny: Path, situations: bluff_env.GameBatch):
    agent = load(tiny, BLOFF)
    agent.deterministic = True
    likely = agent.probabilities(situations.observation, situations.mask)
    actions, _ = agent.act(situations.observation, situations.mask)
    assert (likely[np.arange(len(likely)), actions] == 1).all()


def test_where_nothing_is_legal_no_action_has_a_probability(tiny: Path, situations: bluff_env.GameBatch):
    nothing = np.zeros_like(situations.mask)
    for name in (tiny, "random", "honest"):
        assert (load(name, BLOFF).probabilities(situations.observation, nothing) == 0).all()
