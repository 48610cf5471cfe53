"""The VecEnv for Stable-Baselines3: fresh arrays, legal masks, seats that rotate, opponents by share, seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

import bluff_agents
import bluff_env
from bluff_env.adapters.sb3 import BluffVecEnv
from bluff_env.seats import Seats

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
        kept.update(
            {name: getattr(buffer, name).copy() for name in ("observations", "rewards", "action_masks", "actions")}
        )

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


def others(env: BluffVecEnv) -> np.ndarray:
    """(N, P - 1): who sits to the learner's left and on."""
    seats = (env.seats.seat[:, None] + np.arange(1, env.rules.players)) % env.rules.players
    assert (env.seats.opponents[np.arange(env.num_envs), env.seats.seat] == -1).all()
    return np.take_along_axis(env.seats.opponents, seats, axis=1)


def test_opponents_are_drawn_by_share():
    opponents = {"random": 0.5, "honest": 0.3, "counter": 0.2}
    for alike in (1, 0.4, 0):
        env = make(games=3000, opponents=opponents, alike=alike)
        env.reset()
        found = others(env)
        assert np.bincount(found.ravel(), minlength=3) / found.size == pytest.approx([0.5, 0.3, 0.2], abs=0.04)
        same = (found == found[:, :1]).all(axis=1).mean()
        assert same == pytest.approx(alike + (1 - alike) * (0.5**3 + 0.3**3 + 0.2**3), abs=0.04)


def test_opponents_follow_from_the_games_seed_alone():
    more: dict[str, Any] = {"opponents": {"random": 0.5, "honest": 0.5}, "alike": 0.5, "seat": 1}
    env, alone = make(games=40, **more), make(games=1, **more)
    env.seats.reset(seeds=np.arange(40))
    for row in range(40):
        alone.seats.reset(seeds=[row])
        assert (alone.seats.opponents[0] == env.seats.opponents[row]).all()
        assert (alone.observation()[0] == env.observation()[row]).all()


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


def test_without_restart_a_game_stays_at_its_end_as_the_outside_seat_sees_it():
    rules = bluff_env.rules("bloff", ranks=5, suits=2, max_turns=40)
    seats = Seats(rules, 32, {"random": 1.0}, {"random": bluff_agents.load("random", rules)}, seed=3)
    seats.reset(3)
    assert len(set(seats.seat.tolist())) == 4
    random, over = np.random.default_rng(0), np.zeros(32, bool)
    while not over.all():
        actions = (random.random(seats.batch.mask.shape) * seats.batch.mask).argmax(axis=1)
        outcome = seats.step(np.where(over, -1, actions), restart=False)
        assert not (outcome.done & over).any()
        over |= outcome.done
        assert ((seats.batch.player < 0) == over).all()
        assert (seats.observe() == seats.batch.observe(seats.seat)).all()
        assert (seats.observe()[outcome.rows] == outcome.observation).all()
    assert (seats.dealt == 1).all()
    seats.reset(rows=[4, 7])
    assert seats.dealt.tolist() == [2 if row in (4, 7) else 1 for row in range(32)]
    assert np.flatnonzero(seats.batch.player >= 0).tolist() == [4, 7]


def test_a_restored_environment_goes_on_alike():
    env = make(opponents={"random": 0.5, "honest": 0.5})
    env.lead_weight = 0.3
    env.reset()
    random = np.random.default_rng(0)
    for _ in range(30):
        env.step(legal(env, random))

    def go_on() -> list[np.ndarray]:
        draws, found = np.random.default_rng(1), [env.observation()]
        for _ in range(60):
            observations, rewards, dones, _ = env.step(legal(env, draws))
            found += [observations, rewards, dones]
        return found

    snapshot = env.snapshot()
    first = go_on()
    env.restore(snapshot)
    assert equal(first, go_on())


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


def test_the_lead_pays_what_it_is_at_the_end_of_the_game():
    env, random = make(games=64), np.random.default_rng(1)
    sizes = env.layout.pieces["hand_sizes"]
    scale = env.layout.scale[sizes]

    def lead(observation: np.ndarray) -> Any:
        own, *others = observation[sizes] * scale
        return (np.mean(others) - own) / (10 / 4)

    env.lead_weight = 0.5
    begin = [lead(one) for one in env.reset()]
    paid, ended = np.zeros(64), 0
    for _ in range(200):
        observations, rewards, dones, infos = env.step(legal(env, random))
        paid += rewards
        for row in np.flatnonzero(dones):
            plain = 1 if infos[row]["won"] else 0 if infos[row]["cut_off"] else -1 / 3
            change = lead(infos[row]["terminal_observation"]) - begin[row]
            assert paid[row] == pytest.approx(plain + 0.5 * change, abs=1e-4)
            begin[row], paid[row], ended = lead(observations[row]), 0, ended + 1
    assert ended > 50


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
        ({"alike": 1.5}, "alike: 1.5 is not allowed"),
        ({"games": 0}, "games: 0 is not allowed"),
    ],
)
def test_a_faulty_environment_is_refused_in_one_line(more: dict[str, Any], message: str):
    with pytest.raises(bluff_env.BluffError, match=message) as caught:
        make(**more)
    assert "\n" not in str(caught.value)


def test_an_opponent_with_a_memory_keeps_it_a_row_and_seat_and_begins_each_game_anew():
    class Counting:
        """Remembers how often it has decided in a seat's game."""

        name = "counting"

        def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
            before = np.zeros(len(mask), np.int64) if state is None else state
            turns = observation[:, layout.pieces["turns"].start]
            assert ((before > 0) | (turns <= 2)).all()  # no memory only near the beginning of a game
            longest.append(int(before.max()))
            return mask.argmax(axis=1), before + 1

    layout, longest = bluff_env.layout(bluff_env.rules("bloff", max_turns=100)), []
    env = BluffVecEnv(
        bluff_env.rules("bloff", max_turns=100), games=8, opponents="counting", players={"counting": Counting()}
    )
    env.reset()
    for _ in range(400):
        env.step(env.action_masks().argmax(axis=1))
    assert max(longest) > 5
