"""RLlib's MultiAgentEnv: the same games as PettingZoo's, bots in some seats, what is paid."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import bluff_env
from bluff_env import bluff_v0
from bluff_env.errors import BluffError, MoveError

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
pytest.importorskip("ray.rllib")
from bluff_env.adapters import rllib as adapter

Env = adapter.BluffMultiAgentEnv


def play(env: Any, seed: int | None, steps: int = 100_000) -> dict[str, Any]:
    """One game by a policy that follows from what is seen alone; what each agent saw and was paid."""
    observations, _ = env.reset(seed=seed)
    seen: dict[str, list[np.ndarray]] = {}
    paid: dict[str, float] = {}
    rewards, over, infos = {}, {"__all__": False}, {}
    for _ in range(steps):
        for agent, observation in observations.items():
            seen.setdefault(agent, []).append(observation["observation"])
        for agent, reward in rewards.items():
            paid[agent] = paid.get(agent, 0.0) + reward
        if over["__all__"]:
            break
        ((agent, observation),) = observations.items()
        legal = np.flatnonzero(observation["action_mask"])
        action = int(legal[int(observation["observation"].sum() * 1000) % len(legal)])
        observations, rewards, over, truncated, infos = env.step({agent: action})
        assert truncated == {"__all__": False}
    return {"seen": seen, "paid": paid, "infos": infos, "over": over}


@pytest.mark.parametrize("rules", ["tiny", "bloff", "bluffstopp"])
def test_it_plays_the_games_of_rllibs_own_wrapper_around_the_pettingzoo_env(rules: str):
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    fields = bluff_env.rules(rules, max_turns=60)
    ours, theirs = Env({"rules": fields}), PettingZooEnv(bluff_v0.env(rules=fields))
    assert ours.observation_spaces == theirs.observation_spaces
    assert ours.action_spaces == theirs.action_spaces
    for seed in (1, None, None, 7):
        observations, _ = ours.reset(seed=seed)
        expected, _ = theirs.reset(seed=seed)
        asked: set[str] = set()
        while True:
            assert set(observations) == set(expected) & (set(observations) | asked)
            for agent, observation in observations.items():
                assert ours.observation_spaces[agent].contains(observation)
                for part in ("observation", "action_mask"):
                    assert np.array_equal(observation[part], expected[agent][part])
            if len(observations) > 1 or not next(iter(observations.values()))["action_mask"].any():
                break
            ((agent, observation),) = observations.items()
            asked.add(agent)
            action = int(np.flatnonzero(observation["action_mask"])[-1])
            observations, rewards, over, _, _ = ours.step({agent: action})
            expected, paid, their_over, _, _ = theirs.step({agent: action})
            assert rewards == pytest.approx({agent: paid[agent] for agent in rewards})
            assert over["__all__"] == their_over["__all__"]
        assert over["__all__"]


def test_the_spaces_hold_what_is_seen_and_all_agents_end_in_the_same_step():
    env = Env({"rules": "bloff"})
    found = play(env, seed=3)
    assert set(found["over"]) == {*found["seen"], "__all__"}
    assert all(found["over"].values())
    assert sum(found["paid"].values()) == pytest.approx(0.0, abs=1e-6)
    assert env.ending == adapter.Ending(False, env.ending.turns, 4, True, "self")


def test_a_seed_decides_the_game_who_sits_where_and_what_follows():
    config = {"rules": "bloff", "opponents": {"self": 1, "honest": 1, "random": 1}, "alike": 0.5}
    one, other = Env(config), Env(config)
    for seed in (5, None, None):
        a, b = play(one, seed), play(other, seed)
        assert a["paid"] == b["paid"]
        assert one.ending == other.ending
        assert one.agents == other.agents


def test_runners_of_rllib_play_games_of_their_own():
    from ray.rllib.env.env_context import EnvContext

    def deal(worker: int) -> bytes:
        env = Env(EnvContext({"rules": "bloff"}, worker_index=worker))
        env.reset(seed=10 - worker)  # as RLlib seeds: the runner's number added, and so the same again elsewhere
        return env.batch.cards.tobytes()

    assert len({deal(worker) for worker in (0, 1, 2, 3)}) == 4
    assert deal(2) == deal(2)


def test_bots_take_their_share_of_the_seats_and_leave_one_to_a_learner():
    env = Env({"rules": "bloff", "opponents": {"self": 0.5, "honest": 0.3, "random": 0.2}, "alike": 0.5})
    seats, kinds = [], []
    for game in range(300):
        observations, _ = env.reset(seed=0 if not game else None)
        assert set(observations) <= set(env.agents)
        assert len(env.agents) == env._sitting.count("") >= 1
        seats.append(len(env.agents) - 1)
        kinds.append(len(set(env._sitting)))
    assert np.mean(seats) / 3 == pytest.approx(0.5, abs=0.07)
    assert set(kinds) == {1, 2, 3}


def test_agents_are_paid_for_their_lead_and_the_payments_add_up():
    config = {"rules": bluff_env.rules("bloff", rewards="win"), "opponents": {"self": 1, "honest": 1}}
    plain, paying = Env(config), Env({**config, "lead_weight": 0.5})
    for seed in (1, 2, 3):
        one, other = play(plain, seed), play(paying, seed)
        assert set(one["paid"]) == set(other["paid"])
        for agent, paid in other["paid"].items():
            lead = [paying._lead_of(np.rint(seen * env_scale(paying)).astype(np.int8)) for seen in other["seen"][agent]]
            assert paid - one["paid"][agent] == pytest.approx(0.5 * (lead[-1] - lead[0]), abs=1e-6)


def env_scale(env: Any) -> np.ndarray:
    return np.asarray(env.layout.scale, np.float64)


def test_how_a_game_ended_is_told():
    env = Env({"rules": bluff_env.rules("bloff", max_turns=3), "opponents": {"honest": 1}})
    found = play(env, seed=1)
    assert all(info == {"cut_off": True} for info in found["infos"].values())
    assert env.ending == adapter.Ending(True, 3, 1, False, "honest")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"rulse": "bloff"}, r"env_config: no such key 'rulse' \(did you mean 'rules'\?\)"),
        ({"opponents": {}}, "opponents: {} found; shares such as"),
        ({"opponents": {"self": 0}}, "opponents: .* is not allowed; shares of at least 0"),
        ({"opponents": {"honest": -1, "self": 1}}, "opponents: .* is not allowed"),
        ({"opponents": {"honest": "much"}}, "opponents: .* is not allowed"),
        ({"opponents": {"honest": "0.5"}}, "opponents: .* is not allowed"),
        ({"opponents": {"honest": True}}, "opponents: .* is not allowed"),
        ({"opponents": {"honest": float("nan"), "self": 1}}, "opponents: .* is not allowed"),
        ({"alike": 2.5}, "alike: 2.5 is not allowed; a share from 0 to 1"),
        ({"alike": float("nan")}, "alike: nan is not allowed; a share from 0 to 1"),
        ({"alike": "x"}, "alike: 'x' is not allowed; a share from 0 to 1"),
        ({"lead_weight": -0.5}, "lead_weight: -0.5 is not allowed; a number of at least 0"),
        ({"lead_weight": float("nan")}, "lead_weight: nan is not allowed; a number of at least 0"),
        ({"lead_weight": float("inf")}, "lead_weight: inf is not allowed; a number of at least 0"),
        ({"lead_weight": "x"}, "lead_weight: 'x' is not allowed; a number of at least 0"),
        ({"opponents": {"nobody": 1}}, "agent: no bot named 'nobody'"),
        ({"rules": "blöf"}, "blöf"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(config: dict[str, Any], said: str):
    with pytest.raises(BluffError, match=said) as error:
        Env(config)
    assert "\n" not in str(error.value)


def test_only_the_agent_to_move_may_act_and_only_legally():
    env = Env({"rules": "tiny"})
    observations, _ = env.reset(seed=1)
    ((agent, observation),) = observations.items()
    with pytest.raises(BluffError, match="actions of nobody found"):
        env.step({})
    other = next(one for one in env.possible_agents if one != agent)
    with pytest.raises(BluffError, match=f"actions of {other} found; of {agent} alone expected"):
        env.step({other: 0})
    with pytest.raises(MoveError, match="legal"):
        env.step({agent: int(np.flatnonzero(observation["action_mask"] == 0)[0])})
