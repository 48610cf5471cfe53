"""The VecEnv for Stable-Baselines3: fresh arrays, legal masks, seats that rotate, opponents by share, the same from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from bluff_env.adapters.sb3 import BluffVecEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

import bluff_env

GAMES = 24


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def make(rules: Any = "bloff", games: int = GAMES, opponents: Any = "random", **more: Any) -> BluffVecEnv:
    small = {"ranks": 5, "suits": 2} if rules == "bloff" else {}
    return BluffVecEnv(bluff_env.rules(rules, max_turns=40, **small), games, opponents, **more)


def legal(env: BluffVecEnv, random: np.random.Generator) -> np.ndarray:
    return (random.random((env.num_envs, env.layout.n_actions)) * env.action_masks()).argmax(axis=1)


class Recorder(VecEnvWrapper):
    """Keeps copies of all that the environment hands out, made before anybody can change it."""

    def __init__(self, venv: BluffVecEnv) -> None:
        super().__init__(venv)
        self.observations: list[np.ndarray] = []
        self.masks: list[np.ndarray] = []
        self.rewards: list[np.ndarray] = []
        self.actions: list[np.ndarray] = []

    def reset(self) -> np.ndarray:
        first = self.venv.reset()
        self.observations.append(first.copy())
        return first

    def step_async(self, actions: np.ndarray) -> None:
        self.actions.append(np.array(actions))
        self.venv.step_async(actions)

    def step_wait(self) -> VecEnvStepReturn:
        observations, rewards, dones, infos = self.venv.step_wait()
        self.observations.append(observations.copy())
        self.rewards.append(rewards.copy())
        return observations, rewards, dones, infos

    def env_method(self, name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        found = self.venv.env_method(name, *args, indices=indices, **kwargs)
        self.masks.append(np.array(found))
        return found


class Reused(BluffVecEnv):
    """What SB3 cannot bear: the same observation buffer every time."""

    def observation(self) -> np.ndarray:
        self._buffer = getattr(self, "_buffer", np.zeros((self.num_envs, self.layout.size), np.float32))
        self._buffer[:] = super().observation()
        return self._buffer


def collect(env: BluffVecEnv, steps: int = 48) -> tuple[Recorder, Any]:
    recorder = Recorder(env)
    model = MaskablePPO("MlpPolicy", recorder, n_steps=steps, batch_size=64, n_epochs=1, device="cpu", seed=3)
    kept: dict[str, np.ndarray] = {}

    def keep() -> None:  # instead of the update, which reshapes the buffer
        buffer = model.rollout_buffer
        kept.update({name: getattr(buffer, name).copy() for name in ("observations", "rewards", "action_masks", "actions")})

    model.train = keep
    model.learn(steps * env.num_envs)
    return recorder, kept


def same_as_shown(recorder: Recorder, kept: dict[str, np.ndarray]) -> bool:
    return np.array_equal(kept["observations"], np.array(recorder.observations[:-1]))


def test_the_rollout_buffer_holds_what_the_environment_showed():
    recorder, kept = collect(make())
    assert same_as_shown(recorder, kept)
    assert np.array_equal(kept["rewards"], np.array(recorder.rewards))
    assert np.array_equal(kept["action_masks"] > 0, np.array(recorder.masks))
    assert np.array_equal(kept["actions"][:, :, 0], np.array(recorder.actions))
    assert kept["rewards"].any(), "no game ended: the test saw too little"


def test_a_reused_buffer_would_be_noticed():
    assert not same_as_shown(*collect(Reused("tiny", GAMES, "random")))


def test_the_actions_that_sb3_plays_are_legal():
    recorder, _ = collect(make())
    for mask, actions in zip(recorder.masks, recorder.actions, strict=True):
        assert mask[np.arange(GAMES), actions].all()


def test_an_illegal_action_is_refused_and_changes_nothing():
    env = make()
    before = env.reset()
    actions = (~env.action_masks()).argmax(axis=1)
    with pytest.raises(bluff_env.BluffError, match=r"row 0: action .* is not legal"):
        env.step(actions)
    assert np.array_equal(env.observation(), before)


def test_observations_lie_in_the_space_and_masks_never_are_empty():
    env, random = make(), np.random.default_rng(0)
    observations = env.reset()
    for _ in range(100):
        assert observations.dtype == np.float32
        assert all(env.observation_space.contains(one) for one in observations)
        assert env.action_masks().any(axis=1).all()
        assert (env.seats.batch.player == env.seats.seat).all()
        observations, rewards, dones, _ = env.step(legal(env, random))
        assert rewards.dtype == np.float32
        assert dones.dtype == np.bool_


def test_rewards_and_ends_are_those_of_the_learners_seat():
    env, random = make(games=64), np.random.default_rng(1)
    env.reset()
    cut_off = won = 0
    for _ in range(300):
        _, rewards, dones, infos = env.step(legal(env, random))
        assert (rewards[~dones] == 0).all()
        for row, info in enumerate(infos):
            assert bool(info) == dones[row]
            if not info:
                continue
            last = info["terminal_observation"]
            own, *others = last[env.layout.pieces["hand_sizes"]]
            expected = 0 if info["cut_off"] else 1 if info["won"] else -1 / 3
            assert rewards[row] == pytest.approx(expected)
            assert info["won"] == (own == 0 and not info["cut_off"])
            assert info["TimeLimit.truncated"] is False
            assert not last[env.layout.pieces["phase"]].any()
            assert info["cut_off"] or info["won"] or min(others) == 0
            cut_off, won = cut_off + info["cut_off"], won + info["won"]
    assert cut_off
    assert won


def test_the_learners_seat_moves_on_with_every_game():
    env, random = make(games=10), np.random.default_rng(2)
    env.reset()
    seats: list[list[int]] = [[int(seat)] for seat in env.seats.seat]
    for _ in range(400):
        _, _, dones, _ = env.step(legal(env, random))
        for row in np.flatnonzero(dones):
            seats[row].append(int(env.seats.seat[row]))
    for row, found in enumerate(seats):
        assert found == [(row + game) % 4 for game in range(len(found))]
        assert len(found) > 4


def test_opponents_are_drawn_by_share_and_from_the_seed_alone():
    opponents = {"random": 0.5, "honest": 0.3, "counter": 0.2}
    env = make("tiny", games=4000, opponents=opponents)
    env.reset()
    shares = np.bincount(env.seats.opponent, minlength=3) / 4000
    assert shares == pytest.approx([0.5, 0.3, 0.2], abs=0.03)
    seeds = env.seats.batch.seed
    alone = make("tiny", games=1, opponents=opponents)
    for row in range(20):
        alone.seats.reset(seeds=[int(seeds[row])])
        if alone.seats.batch.seed[0] == seeds[row]:
            assert alone.seats.opponent[0] == env.seats.opponent[row]


def play(env: BluffVecEnv, steps: int = 120) -> list[np.ndarray]:
    random, found = np.random.default_rng(5), [env.reset()]
    for _ in range(steps):
        observations, rewards, dones, _ = env.step(legal(env, random))
        found += [observations, rewards, dones]
    return found


def equal(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_the_seed_decides_everything():
    opponents = {"random": 0.5, "honest": 0.5}
    first = play(make(opponents=opponents, seed=7))
    assert equal(first, play(make(opponents=opponents, seed=7)))
    assert not equal(first, play(make(opponents=opponents, seed=8)))
    env = make(opponents=opponents, seed=8)
    env.seed(7)
    assert equal(first, play(env))
    assert not equal(first, play(env)), "a reset without a seed goes on to new games"
    env.seed(7)
    assert equal(first, play(env))
    assert env.rules.max_turns == 40
    assert env.seats.names == ("random", "honest")


def test_a_game_in_which_the_learner_is_never_asked_is_dealt_again():
    rules = bluff_env.rules("bloff", callers="next", max_turns=1)
    env = BluffVecEnv(rules, 32, "random")
    env.reset()
    for _ in range(50):
        _, _, _, _ = env.step(legal(env, np.random.default_rng(3)))
        assert (env.seats.batch.player == env.seats.seat).all()


def test_self_is_the_present_policy_of_the_model_that_is_followed():
    env = make(opponents={"self": 1.0})
    with pytest.raises(bluff_env.BluffError, match="nobody plays 'self'"):
        env.reset()
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, device="cpu", seed=0)
    env.follow(model)
    logits = env.seats.players["self"].logits(env.observation())
    model.learn(2 * 16 * GAMES)
    env.step(legal(env, np.random.default_rng(0)))
    after = env.seats.players["self"].logits(env.observation())
    assert not np.allclose(logits, after)
    with torch.no_grad():
        expected = model.policy.get_distribution(torch.from_numpy(env.observation())).distribution.logits.numpy()
    shifted = after - after.max(axis=1, keepdims=True)
    assert shifted == pytest.approx(expected - expected.max(axis=1, keepdims=True), abs=1e-4)


def test_a_loser_with_fewer_cards_is_consoled_more():
    env, random = make(games=64), np.random.default_rng(1)
    env.reset()
    env.consolation = 0.3
    seen = set()
    for _ in range(200):
        _, rewards, dones, infos = env.step(legal(env, random))
        for row in np.flatnonzero(dones):
            own, *others = infos[row]["terminal_observation"][env.layout.pieces["hand_sizes"]]
            plain = 1 if infos[row]["won"] else 0 if infos[row]["cut_off"] else -1 / 3
            beaten = np.mean([1.0 if other > own else 0.5 if other == own else 0.0 for other in others])
            assert rewards[row] == pytest.approx(plain + (0 if infos[row]["won"] else 0.3 * beaten))
            seen.add(round(float(rewards[row]), 3))
    assert len(seen) > 4


def test_sb3_finds_the_masks_and_its_monitor_counts_the_games():
    env = make()
    assert is_masking_supported(env)
    assert not env.has_attr("no_such_thing")
    env.reset()
    assert np.array_equal(get_action_masks(env), env.action_masks())
    assert np.array_equal(env.env_method("action_masks", indices=[3])[0], env.action_masks()[3])
    assert env.get_attr("render_mode", indices=[0, 1]) == [None, None]
    assert env.env_is_wrapped(VecEnvWrapper) == [False] * GAMES
    monitored, random, ended = VecMonitor(env), np.random.default_rng(0), 0
    monitored.reset()
    for _ in range(150):
        _, _, dones, infos = monitored.step(legal(env, random))
        assert [("episode" in info) for info in infos] == list(dones)
        ended += int(dones.sum())
    assert monitored.episode_count == ended > 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"opponents": {"randm": 1.0}}, "no bot named 'randm' .did you mean 'random'"),
        ({"opponents": {"random": 0.0}}, "opponents: .* shares of at least 0"),
        ({"opponents": {"random": -1.0}}, "opponents: .* shares of at least 0"),
        ({"opponents": {}}, "opponents: .* shares of at least 0"),
        ({"seat": 4}, "seat: 4 is not allowed"),
        ({"players": {"nobody": None}}, "players: 'nobody' is not in the mixture"),
        ({"games": 0}, "games: 0 is not allowed"),
    ],
)
def test_a_faulty_environment_is_refused_in_one_line(more: dict[str, Any], message: str):
    with pytest.raises(bluff_env.BluffError, match=message) as caught:
        make(**more)
    assert "\n" not in str(caught.value)
