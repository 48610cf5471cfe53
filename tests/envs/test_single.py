"""Bluff-v0: one learner against opponents."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import bluff_env
from bluff_env import GameBatch
from envs.common import Uniform, action_by, every_table

#: Seat 0 deals, so seat 1 opens. Seat 1 can go out with its only card, an ace.
SMALL_RULES = {"players": 3, "ranks": 3, "suits": 1}
SMALL_DEAL = {"dealer": 0, "opener": 1, "hands": [["2"], ["A"], ["3"]], "stock": []}


def made(rules: Any = "bloff", opponents: Any = None, **options: Any) -> Any:
    """The environment itself, without Gymnasium's wrappers."""
    opponents = Uniform() if opponents is None else opponents
    return gymnasium.make("bluff_env:Bluff-v0", rules=rules, opponents=opponents, **options).unwrapped


class Declining:
    """Lays the first legal card at once and never calls."""

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        answering = mask[:, 0]
        laying = mask[:, 2] & ~answering
        first = mask.argmax(axis=1)
        return np.where(laying, 2, np.where(answering, 0, first)), None


class Remembering:
    """Checks that it is handed back what it returned, and that a new game begins with None."""

    def __init__(self) -> None:
        self.states: list[Any] = []

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        self.states.append(None if state is None else int(state[0]))
        assert observation.dtype == np.int8
        assert (mask.dtype, noise.shape) == (np.bool_, (1,))
        return np.array([action_by(noise[0], mask[0])]), np.zeros(1, np.int64) if state is None else state + 1


def episode(env: Any, seed: int | None = None, **options: Any) -> list[Any]:
    """A game of random legal actions: all that came back, in order."""
    observation, info = env.reset(seed=seed, **options)
    told = [(observation.tolist(), repr(info))]
    over = False
    random = np.random.default_rng(1)
    while not over:
        observation, reward, over, truncated, info = env.step(action_by(random.random(), env.action_masks()))
        told.append((observation.tolist(), reward, over, truncated, repr(info)))
    return told


# ---- what the learner is shown ----


@every_table
def test_the_learner_sees_what_a_batch_shows_its_seat(name: str, players: int) -> None:
    env = made(name, players=players, seat=players - 1)
    scale = env.layout.scale
    observation, info = env.reset(seed=3)
    for _ in range(50):
        batch: GameBatch = env.game.batch
        counts = batch.observe(players - 1)[0]
        assert (observation == counts.astype(np.float32) / scale).all()
        assert observation.dtype == np.float32
        assert batch.player[0] in (players - 1, -1)
        assert (info["action_mask"] == batch.mask[0]).all()
        assert (info["action_mask"].dtype, env.action_masks().dtype) == (np.int8, np.bool_)
        assert (env.action_masks() == info["action_mask"]).all()
        if env.game.over:
            assert not info["action_mask"].any()
            break
        observation, _, _, _, info = env.step(action_by(0.5, info["action_mask"]))


def test_arrays_are_fresh_and_writing_to_them_changes_nothing() -> None:
    env, untouched = made(seat=0), made(seat=0)
    observation, info = env.reset(seed=1)
    kept, copies = [], []
    expected = untouched.reset(seed=1)
    over = False
    while not over:
        assert (observation == expected[0]).all()
        kept += [observation, info["action_mask"], env.action_masks()]
        copies += [array.copy() for array in kept[-3:]]
        action = int(info["action_mask"].argmax())
        observation, _, over, _, info = env.step(action)
        expected = untouched.step(action)
    assert all((a == b).all() for a, b in zip(kept, copies, strict=True))
    for array in (observation, info["action_mask"], env.action_masks()):
        array[:] = 1
    assert not env.action_masks().any()


def test_the_infos_tell_the_mask_the_seat_and_at_the_end_the_cut_off_and_nothing_else() -> None:
    env = made(players=3, max_turns=4)
    _, info = env.reset(seed=1)
    while True:
        assert set(info) == {"action_mask", "seat"}
        assert info["seat"] == env.seat
        _, _, over, _, info = env.step(action_by(0.3, info["action_mask"]))
        if over:
            break
    assert set(info) == {"action_mask", "seat", "cut_off"}
    assert info["cut_off"] is True


# ---- rules, options, seats ----


@pytest.mark.parametrize("seed", [None, 4])
def test_rules_opponents_and_seat_survive_every_reset(seed: int | None) -> None:
    opponent = Uniform()
    env = made({"base": "blof_free", "rewards": "win"}, opponent, seat=1, players=3, max_turns=7)
    rules = bluff_env.rules("blof_free", rewards="win", players=3, max_turns=7)
    for _ in range(4):
        asked = opponent.asked
        episode(env, seed)
        assert (env.rules, env.seat, env.record()["rules"]) == (rules, 1, rules.to_dict())
        assert opponent.asked > asked


def test_a_given_deal_is_dealt_and_only_for_that_game() -> None:
    env = made(SMALL_RULES, seat=1)
    for seed in (None, 3):
        env.reset(seed=seed, options={"deal": SMALL_DEAL})
        deal = env.record()["deals"][0]
        assert {key: deal[key] for key in SMALL_DEAL} == SMALL_DEAL
        assert env.record()["seed"] is None
    env.reset(seed=3)
    assert env.record()["seed"] == 3


def test_a_random_seat_is_each_of_the_seats_and_follows_from_the_seed() -> None:
    env, other = made(), made()
    seats = []
    for seed in range(40):
        info, again = env.reset(seed=seed)[1], other.reset(seed=seed)[1]
        assert info["seat"] == again["seat"] == env.seat
        seats.append(info["seat"])
    assert set(seats) == {0, 1, 2, 3}
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(40)} == {0, 1, 2, 3}  # drawn anew each game


@pytest.mark.parametrize("seat", range(4))
def test_a_fixed_seat_stays(seat: int) -> None:
    env = made(seat=seat)
    for _ in range(10):
        assert env.reset()[1]["seat"] == seat


def test_opponents_named_one_by_one_sit_from_the_learners_left_on() -> None:
    seen: list[tuple[str, int]] = []

    class Noting(Uniform):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

        def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
            seen.append((self.name, int(env.game.turn)))
            return super().act(observation, mask, noise, state)

    env = made("bloff", [Noting("left"), Noting("across"), Noting("right")], seat=3)
    episode(env, seed=1)
    assert set(seen) == {("left", 0), ("across", 1), ("right", 2)}


def test_an_opponent_with_a_memory_is_handed_its_own_and_begins_each_game_with_none() -> None:
    opponent = Remembering()
    env = made("bloff", opponent, seat=0, players=2)
    for _ in range(2):
        opponent.states.clear()
        episode(env, seed=2)
        assert opponent.states == [None, *range(len(opponent.states) - 1)]


# ---- the end ----


@pytest.mark.parametrize("rewards", ["zero_sum", "win_loss", "win"])
def test_the_reward_is_the_learners_own_and_comes_at_the_end(rewards: str) -> None:
    """[E3]"""
    paid = set()
    env = made("tiny", players=3, rewards=rewards, max_turns=30)
    for seed in range(30):
        *before, last = episode(env, seed)
        assert all(step[1] == 0.0 for step in before[1:])
        result = env.record()["result"]
        assert last[1:4] == (result["rewards"][env.seat], True, False)
        assert type(last[1]) is float
        paid.add(last[1])
    lost = {"zero_sum": -0.5, "win_loss": -1.0, "win": 0.0}[rewards]
    assert {1.0, lost} <= paid <= {1.0, lost, 0.0}


def test_an_illegal_action_ends_the_episode_with_minus_one_and_changes_nothing() -> None:
    env = made(seat=0)
    for illegal in (-1, 10**6, None):
        env.reset(seed=1)
        before = env.record()
        action = int(np.flatnonzero(~env.action_masks())[0]) if illegal is None else illegal
        observation, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
        assert env.observation_space.contains(observation)
        assert not info["action_mask"].any()
        assert not env.action_masks().any()
        assert env.record() == before
        with pytest.raises(bluff_env.BluffError, match="reset"):
            env.step(0)
    assert "illegal" not in env.reset(seed=1)[1]
    assert env.action_masks().any()


@pytest.mark.parametrize("action", [2.7, "3", None, [3]])
def test_what_is_no_action_at_all_is_refused_not_rounded(action: Any) -> None:
    env = made(seat=0)
    env.reset(seed=1)
    before = env.record()
    with pytest.raises((TypeError, ValueError)):
        env.step(action)
    assert env.record() == before


def test_a_step_after_the_end_or_before_the_beginning_says_reset() -> None:
    env = made("tiny")
    with pytest.raises(bluff_env.BluffError, match=r"reset\(\)"):
        env.step(0)
    episode(env, seed=1)
    with pytest.raises(bluff_env.BluffError, match=r"reset\(\)"):
        env.step(0)


def test_a_game_that_ends_before_the_learner_is_asked_is_followed_by_the_next() -> None:
    rules = {"players": 3, "ranks": 3, "suits": 1, "callers": "next"}
    env = made(rules, Declining(), seat=0)
    # Seat 1 lays its ace and is out, only seat 2 is asked: the learner, seat 0, has no say. A deal asked for is
    # not passed over in silence.
    with pytest.raises(bluff_env.BluffError, match="deal: the game ends before the learner is asked anything"):
        env.reset(options={"deal": SMALL_DEAL})
    for seed in range(30):
        told = episode(env, seed)
        assert len(told) >= 2
        assert told[-1][2:4] == (True, False)


def test_a_table_at_which_the_learner_is_seldom_asked_is_dealt_until_it_is() -> None:
    rules = {"players": 16, "ranks": 4, "suits": 4, "callers": "next", "max_turns": 1}
    env = made(rules, Declining(), seat=0)
    for seed in range(10):
        env.reset(seed=seed)  # it opens or is asked in one game of eight
        assert env.action_masks().any()


# ---- copies, and the environment as people make it ----


def by_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))  # noqa: S301  # what was pickled a moment ago


@pytest.mark.parametrize("copied", [copy.deepcopy, by_pickle])
@pytest.mark.parametrize("opponents", [None, "honest"])
def test_a_copy_is_the_game_under_way_and_goes_on_by_itself(copied: Callable[[Any], Any], opponents: Any) -> None:
    env = made("bloff", opponents, max_turns=60)
    env.reset(seed=2)
    for _ in range(5):
        env.step(action_by(0.4, env.action_masks()))
    other = copied(env)
    before = env.record()
    assert other.record() == before
    told = []
    for one in (other, env):
        assert one.record() == before
        rows = []
        over = False
        while not over:
            observation, reward, over, _, info = one.step(action_by(0.4, one.action_masks()))
            rows.append((observation.tolist(), reward, over, repr(info)))
        told.append((rows, one.record(), episode(one), one.seat))  # and the next game, unseeded
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 4}, "seat: 4 is not allowed; a seat from 0 to 3, or None"),
        ({"seat": True}, "seat: True is not allowed"),
        ({"opponents": "honset"}, "no bot named 'honset' (did you mean 'honest'"),
        ({"opponents": ["random", "random"]}, "opponents: 2 named; one, or 3 for 4 seats"),
        ({"opponents": None}, "opponents: None found; a name, a file, an agent, or a list of 3 of them expected"),
        ({"opponents": ["random", "random", 3]}, "opponents: 3 found; a name, a file, or an agent with act() expected"),
        ({"render_mode": "ansi ", "disable_env_checker": True}, "render_mode: 'ansi ' is not allowed"),
        ({"rules": "blof_fre"}, "did you mean 'blof_free'"),
        ({"players": 17}, "players: 17 is not allowed"),
        ({"reveal": "nobody"}, "reveal: 'nobody' is not allowed; one of all, caller"),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")  # Gymnasium warns of the unknown render mode, too
def test_wrong_arguments_are_one_clear_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(bluff_env.BluffError) as caught:
        gymnasium.make("Bluff-v0", **arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_making_it_by_the_module_prefix_alone_registers_it_and_needs_no_torch() -> None:
    code = (
        "import gymnasium, sys; env = gymnasium.make('bluff_env:Bluff-v0', rules='tiny', opponents='random');"
        "env.reset(seed=1); assert not {'torch', 'ray', 'pygame', 'stable_baselines3'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
