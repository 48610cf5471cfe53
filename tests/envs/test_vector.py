"""The native vector environment: number for number what Gymnasium's own vector of single environments gives."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

import bluff_agents
import bluff_env
from bluff_env.single import BluffEnv
from bluff_env.vector import BluffVectorEnv
from envs.common import Uniform, action_by

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED)
every_mode = pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
SMALL = {"ranks": 5, "suits": 2, "max_turns": 30}
#: Seat 0 deals, so seat 1 opens. Seat 1 can go out with its only card, an ace.
TINY_RULES = {"players": 3, "ranks": 3, "suits": 1}
TINY_DEAL = {"dealer": 0, "opener": 1, "hands": [["2"], ["A"], ["3"]], "stock": []}


def native(num_envs: int = 6, rules: Any = "bloff", opponents: Any = "random", **options: Any) -> BluffVectorEnv:
    """The environment itself, without wrappers."""
    env = gymnasium.make_vec("bluff_env:Bluff-v0", num_envs, rules=rules, opponents=opponents, **options)
    found = env.unwrapped
    assert isinstance(found, BluffVectorEnv)
    return found


def looped(num_envs: int = 6, mode: AutoresetMode = AutoresetMode.NEXT_STEP, **options: Any) -> Any:
    """The same as a loop over single environments."""
    return SyncVectorEnv([lambda: BluffEnv(**options)] * num_envs, autoreset_mode=mode)


def same(one: Any, other: Any) -> bool:
    """Equal values of equal types, in dicts and in arrays of arrays too."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, np.ndarray):
        if (one.dtype, one.shape) != (other.dtype, other.shape):
            return False
        if one.dtype == object:
            return all(same(a, b) for a, b in zip(one, other, strict=True))
        return bool((one == other).all())
    return bool(one == other)


def actions_for(masks: Any, random: np.random.Generator, illegal: float = 0.0) -> Any:
    """(N,) int64: random legal actions, and now and then one that is not."""
    noise = random.random(len(masks))
    found = np.array([action_by(x, mask) if mask.any() else 0 for x, mask in zip(noise, masks, strict=True)])
    wild = random.integers(-2, masks.shape[1] + 3, len(masks))
    return np.where(random.random(len(masks)) < illegal, wild, found)


def masks_of(env: Any) -> Any:
    return np.array(env.call("action_masks")) if isinstance(env, SyncVectorEnv) else env.action_masks()


def compare(one: Any, other: Any, steps: int, seed: Any = 5, illegal: float = 0.0, options: Any = None) -> set[str]:
    """Plays both alike, and returns the keys of the infos that were seen."""
    mode, random, seen = one.metadata["autoreset_mode"], np.random.default_rng(0), set()
    assert same(one.reset(seed=seed, options=options), other.reset(seed=seed, options=options))
    for _ in range(steps):
        masks = masks_of(one)
        assert same(masks, masks_of(other))
        actions = actions_for(masks, random, illegal)
        told = one.step(actions)
        assert same(told, other.step(actions))
        seen |= {*told[4], *told[4].get("final_info", {})}
        ended = told[2]
        if mode is AutoresetMode.DISABLED and ended.any():
            assert same(
                one.reset(options={"reset_mask": ended.copy()}), other.reset(options={"reset_mask": ended.copy()})
            )
    return seen


TABLES: list[dict[str, Any]] = [
    {"rules": "bloff", "seat": None, **SMALL},
    {"rules": "bloff", "opponents": ["honest", "random", "counter"], "seat": 2, **SMALL},
    {"rules": "blof_free_pass", "opponents": ["random", "honest"], "players": 3, "max_turns": 30},
    {"rules": "blof_match", "players": 2, "target_points": 2, "rewards": "win", "max_turns": 60},
    {"rules": "bluffstopp", "opponents": "honest", "max_turns": 40},
    {"rules": "bluffstopp_dropp", "opponents": "random", "seat": 0, "max_turns": 25},
    {"rules": "tiny", "opponents": "honest"},
]


@every_mode
@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table["rules"]))
def test_it_gives_what_a_loop_over_single_environments_gives(table: dict[str, Any], mode: AutoresetMode) -> None:
    seen = compare(native(autoreset_mode=mode, **table), looped(mode=mode, **table), 250)
    last = {"final_obs", "final_info"} if mode is AutoresetMode.SAME_STEP else set()
    assert {"action_mask", "seat", "cut_off", *last} == {key for key in seen if not key.startswith("_")}


@every_mode
def test_illegal_actions_end_episodes_as_in_the_loop(mode: AutoresetMode) -> None:
    table = {"rules": "bloff", "opponents": ["random", "honest", "random"], **SMALL}
    seen = compare(native(8, autoreset_mode=mode, **table), looped(8, mode, **table), 300, illegal=0.1)
    assert {"illegal", "cut_off"} <= seen


@every_mode
@pytest.mark.parametrize("seed", [7, [3, 1, 4, 1, 5, 9], [2**53 - 1, 0, 0, 10, 11, 12]])
def test_a_seed_gives_each_row_its_game(seed: Any, mode: AutoresetMode) -> None:
    table = {"rules": "bloff", **SMALL}
    env, loop = native(autoreset_mode=mode, **table), looped(mode=mode, **table)
    for _ in range(2):
        compare(env, loop, 40, seed)
    assert same(env.reset(), loop.reset())  # each row's next game
    partly = [1, None, 2, None, None, 3]
    assert same(env.reset(seed=partly), loop.reset(seed=partly))
    for row, single in enumerate(BluffEnv(**table) for _ in range(6)):
        observations, infos = env.reset(seed=100)
        observation, info = single.reset(seed=100 + row)
        assert (observations[row] == observation).all()
        assert infos["seat"][row] == info["seat"]


def test_without_a_seed_the_system_begins_the_series() -> None:
    env = native(50, "bloff")
    first = env.reset()[0]
    assert not (first == env.reset()[0]).all()
    assert not (first == native(50, "bloff").reset()[0]).all()
    assert len(np.unique(first, axis=0)) > 40


@every_mode
def test_a_mask_resets_some_rows_and_leaves_the_others(mode: AutoresetMode) -> None:
    table = {"rules": "bloff", **SMALL}
    env, loop = native(autoreset_mode=mode, **table), looped(mode=mode, **table)
    compare(env, loop, 20)
    before = env.records()
    mask = np.array([True, False, True, False, False, True])
    for seed in (None, 40, [1, 2, 3, 4, 5, 6]):
        options = {"reset_mask": mask}
        told = env.reset(seed=seed, options=options)
        assert options == {"reset_mask": mask}  # SyncVectorEnv takes it out, so that wrappers miss it
        assert same(told, loop.reset(seed=seed, options=dict(options)))
        assert [record for record, new in zip(env.records(), mask, strict=True) if not new] == [
            record for record, new in zip(before, mask, strict=True) if not new
        ]
    random = np.random.default_rng(3)
    for _ in range(10):
        actions = actions_for(env.action_masks(), random)
        assert same(env.step(actions), loop.step(actions))
        if env.action_masks().any(axis=1).all() or mode is not AutoresetMode.DISABLED:
            continue
        break


def test_given_deals_are_dealt_for_that_game_only() -> None:
    table = {"rules": TINY_RULES, "seat": 1}
    env, loop = native(3, **table), looped(3, **table)
    assert same(env.reset(seed=1, options={"deal": TINY_DEAL}), loop.reset(seed=1, options={"deal": TINY_DEAL}))
    assert [{key: record["deals"][0][key] for key in TINY_DEAL} for record in env.records()] == [TINY_DEAL] * 3
    assert same(env.reset(), loop.reset())
    assert all(record["seed"] is not None for record in env.records())
    env.reset(seed=1, options={"deals": [None, TINY_DEAL, None]})
    assert [record["seed"] for record in env.records()] == [1, None, 3]
    mask = np.array([False, True, True])
    env.reset(seed=5, options={"deals": [TINY_DEAL, None, TINY_DEAL], "reset_mask": mask})
    assert [record["seed"] for record in env.records()] == [1, 6, None]


# ---- arrays ----


@every_mode
def test_arrays_are_fresh_and_lie_in_the_spaces(mode: AutoresetMode) -> None:
    env = native(5, autoreset_mode=mode, **SMALL)
    random, kept, copies = np.random.default_rng(1), [], []
    told = env.reset(seed=1)
    assert env.observation_space.contains(told[0])
    for _ in range(60):
        actions = actions_for(env.action_masks(), random)
        assert env.action_space.contains(actions)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert env.observation_space.contains(observations)
        assert (rewards.dtype, terminated.dtype, truncated.dtype) == (np.float64, np.bool_, np.bool_)
        assert not truncated.any()
        kept += [observations, rewards, terminated, truncated, env.action_masks()]
        kept += [array for key, array in infos.items() if isinstance(array, np.ndarray) and array.dtype != object]
        copies += [array.copy() for array in kept[len(copies) :]]
        if mode is AutoresetMode.DISABLED and terminated.any():
            env.reset(options={"reset_mask": terminated})
    assert all((a == b).all() for a, b in zip(kept, copies, strict=True))
    before = env.action_masks(), env._observations()
    for array in kept:
        array[:] = 1
    assert same(before, (env.action_masks(), env._observations()))
    ids = [id(array.base) if array.base is not None else id(array) for array in kept]
    assert len(set(ids)) == len(ids)


def test_actions_of_any_whole_number_type_are_taken_and_kept() -> None:
    env, other = native(4, "tiny"), native(4, "tiny")
    for kind in (np.int8, np.uint8, np.int32, np.uint64, list):
        told = env.reset(seed=2), other.reset(seed=2)
        assert same(*told)
        actions = env.action_masks().argmax(axis=1)
        given = actions.tolist() if kind is list else actions.astype(kind)
        assert same(env.step(given), other.step(actions))
        assert np.array_equal(given, actions)
    env.reset(seed=2)
    assert env.step(np.full(4, 2**64 - 1, np.uint64))[4]["illegal"].all()


def test_hidden_cards_are_in_no_info() -> None:
    env = native(8, autoreset_mode="SameStep", **SMALL)
    random, seen = np.random.default_rng(0), set()
    env.reset(seed=3)
    for _ in range(80):
        infos = env.step(actions_for(env.action_masks(), random))[4]
        seen |= {*infos, *infos.get("final_info", {})}
    told = {"action_mask", "seat", "cut_off", "final_obs", "final_info"}
    assert seen == told | {f"_{key}" for key in told}


# ---- what people do with it ----


def test_make_vec_makes_it_and_knows_how_to_make_it_again() -> None:
    env = gymnasium.make_vec("bluff_env:Bluff-v0", num_envs=3, rules="bloff", players=3, opponents="honest")
    assert type(env) is BluffVectorEnv
    assert (env.num_envs, env.rules.players, env.metadata["autoreset_mode"]) == (3, 3, AutoresetMode.NEXT_STEP)
    assert repr(env) == "BluffVectorEnv(Bluff-v0, num_envs=3)"
    again = gymnasium.make_vec(env.spec)
    assert same(env.reset(seed=1), again.reset(seed=1))
    other = gymnasium.make_vec(
        "Bluff-v0", num_envs=2, vectorization_mode="vector_entry_point", autoreset_mode="SameStep"
    )
    assert other.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    env.close()
    assert env.closed


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasiums_own_vectors_give_the_same(mode: str) -> None:
    table = {"rules": "bloff", "opponents": "honest", **SMALL}
    loop = gymnasium.make_vec("bluff_env:Bluff-v0", num_envs=2, vectorization_mode=mode, **table)
    env = native(2, **table)
    random = np.random.default_rng(0)
    try:
        told = env.reset(seed=4), loop.reset(seed=4)
        for _ in range(60):
            assert same(*told)
            actions = actions_for(told[0][-1]["action_mask"], random)
            told = env.step(actions), loop.step(actions)
    finally:
        loop.close()


@every_mode
def test_gymnasiums_statistics_count_the_episodes(mode: AutoresetMode) -> None:
    inner = native(16, autoreset_mode=mode, **SMALL)
    env, random, ended, paid = wrappers.RecordEpisodeStatistics(inner, 10_000), np.random.default_rng(0), 0, []
    env.reset(seed=1)
    for _ in range(200):
        _, rewards, terminated, _, infos = env.step(actions_for(inner.action_masks(), random))
        assert ("episode" in infos) == terminated.any()
        ended += int(terminated.sum())
        paid += rewards[terminated].tolist()
        if mode is AutoresetMode.DISABLED and terminated.any():
            env.reset(options={"reset_mask": terminated.copy()})
    assert env.episode_count == ended > 50
    assert list(env.return_queue) == paid or mode is AutoresetMode.SAME_STEP  # which 1.2 adds up wrongly
    if mode is not AutoresetMode.SAME_STEP:
        assert set(paid) == {1.0, 0.0, -1 / 3}


def test_gymnasiums_wrappers_for_vectors_work() -> None:
    plain, random = native(4, **SMALL), np.random.default_rng(0)
    env: Any = wrappers.TransformReward(native(4, **SMALL), lambda reward: 2 * reward)
    env = wrappers.FlattenObservation(env)
    env.reset(seed=1), plain.reset(seed=1)
    for _ in range(60):
        actions = actions_for(plain.action_masks(), random)
        one, other = env.step(actions), plain.step(actions)
        assert (one[0] == other[0]).all()
        assert (one[1] == 2 * other[1]).all()
    listed = wrappers.DictInfoToList(native(4, **SMALL))
    _, infos = listed.reset(seed=1)
    assert [set(info) for info in infos] == [{"action_mask", "seat"}] * 4


def test_numpy_to_torch_works() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("array_api_compat")  # which Gymnasium's wrapper needs
    env = wrappers.NumpyToTorch(native(4, **SMALL))
    observations, infos = env.reset(seed=1)
    for _ in range(60):
        assert isinstance(observations, torch.Tensor)
        actions = torch.multinomial(infos["action_mask"].double() + 1e-9, 1)[:, 0]
        observations, rewards, _, _, infos = env.step(actions)
        assert rewards.shape == (4,)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
def test_a_copy_goes_on_by_itself(copied: Any) -> None:
    env = native(4, opponents=["random", "honest", "random"], **SMALL)
    random = np.random.default_rng(0)
    env.reset(seed=1)
    for _ in range(30):
        env.step(actions_for(env.action_masks(), random))
    other = copied(env)
    for _ in range(60):
        actions = actions_for(env.action_masks(), random)
        told = env.step(actions)
        assert same(told, other.step(actions))


def test_it_shows_each_table_as_its_learner_sees_it() -> None:
    env = native(3, render_mode="ansi")
    loop = looped(3, rules="bloff", opponents="random", render_mode="ansi")
    random = np.random.default_rng(0)
    env.reset(seed=1), loop.reset(seed=1)
    for _ in range(10):
        assert env.render() == loop.render()
        actions = actions_for(env.action_masks(), random)
        env.step(actions), loop.step(actions)
    records = env.records()
    env.render()
    assert env.records() == records
    assert native(3).render() is None
    action = int(env.action_masks()[1].argmax())
    assert env.action_text(action, 1) == loop.envs[1].action_text(action)


def test_opponents_made_outside_are_asked_in_batches() -> None:
    opponent = Uniform()
    env = native(64, opponents=opponent, **SMALL)
    env.reset(seed=1)
    before, random = opponent.asked, np.random.default_rng(0)
    for _ in range(20):
        env.step(actions_for(env.action_masks(), random))
    assert opponent.asked - before < 20 * 40
    compare(native(4, opponents=[opponent, "random", opponent], **SMALL), native(4, **SMALL), 200)  # the same play


def test_a_game_that_ends_before_the_learner_is_asked_is_followed_by_the_next() -> None:
    class Declining:
        """Lays the first legal card at once and never calls."""

        def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
            answering = mask[:, 0]
            return np.where(mask[:, 2] & ~answering, 2, np.where(answering, 0, mask.argmax(axis=1))), None

    table = {"rules": {**TINY_RULES, "callers": "next"}, "opponents": Declining(), "seat": 0}
    env = native(6, **table)
    compare(env, looped(6, **table), 60)
    with pytest.raises(bluff_env.BluffError, match="row 0: deal: the game ends before the learner is asked anything"):
        env.reset(options={"deal": TINY_DEAL})
    with pytest.raises(bluff_env.BluffError, match=r"step: no game has begun; call reset\(\)"):
        env.step(np.zeros(6, np.int64))
    compare(env, looped(6, **table), 10)


# ---- wrong use ----


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs: 0 is not allowed; a whole number of at least 1"),
        ({"num_envs": True}, "num_envs: True is not allowed"),
        ({"seat": 4}, "seat: 4 is not allowed; a seat from 0 to 3, or None"),
        ({"opponents": "honset"}, "no bot named 'honset' (did you mean 'honest'"),
        ({"opponents": ["random", "random"]}, "opponents: 2 named; one, or 3 for 4 seats"),
        ({"opponents": None}, "opponents: None found; a name, a file, an agent, or a list of 3 of them expected"),
        ({"render_mode": "human"}, "'human' is not allowed for many games at once; ansi, rgb_array, or None"),
        ({"autoreset_mode": "Never"}, "autoreset_mode: 'Never' is not allowed; one of NextStep, SameStep, Disabled"),
        ({"autoreset_mode": None}, "autoreset_mode: None is not allowed"),
        ({"rules": "blof_fre"}, "did you mean 'blof_free'"),
        ({"player": 3}, "player"),
    ],
)
def test_wrong_arguments_are_one_clear_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(bluff_env.BluffError) as caught:
        BluffVectorEnv(**arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed: -1 is not allowed; a whole number from 0 to 9007199254740991, or None"),
        ({"seed": 2**53 - 2}, "seed: 9007199254740992 is not allowed"),
        ({"seed": 1.5}, "seed: 1 given for 3 games; one number, or 3"),
        ({"seed": [1, 2]}, "seed: 2 given for 3 games; one number, or 3"),
        ({"seed": [1, 2, "3"]}, "seed: '3' is not allowed"),
        ({"seed": True}, "seed: True is not allowed"),
        ({"options": {"deel": 1}}, "options: 'deel' is not allowed; deal, deals, reset_mask"),
        ({"options": [1]}, "options: [1] found; a mapping such as {'deal': ...} expected"),
        ({"options": {"deal": 3}}, "deal"),
        ({"options": {"deals": [None]}}, "deals: [None] found; a list of 3, None where cards are shuffled, expected"),
        ({"options": {"deals": [None] * 3, "deal": TINY_DEAL}}, "options: deal and deals found; one of them expected"),
        ({"options": {"reset_mask": [True] * 3}}, "reset_mask: [True, True, True] found; an array of 3 bool"),
        ({"options": {"reset_mask": np.zeros(3, bool)}}, "some True, expected"),
        ({"options": {"reset_mask": np.ones(4, bool)}}, "an array of 3 bool, some True, expected"),
    ],
)
def test_a_wrong_reset_is_one_clear_line_and_changes_nothing(arguments: dict[str, Any], message: str) -> None:
    env = native(3, TINY_RULES)
    env.reset(seed=1)
    before = env.records()
    with pytest.raises(bluff_env.BluffError) as caught:
        env.reset(**arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert env.records() == before
    env.step(env.action_masks().argmax(axis=1))


def test_a_wrong_step_is_one_clear_line_and_changes_nothing() -> None:
    env = native(3, "tiny", autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(bluff_env.BluffError, match=r"step: no game has begun; call reset\(\)"):
        env.step(np.zeros(3, np.int64))
    with pytest.raises(bluff_env.BluffError, match="reset_mask: no game has begun; reset all rows first"):
        env.reset(options={"reset_mask": np.array([True, False, False])})
    env.reset(seed=1)
    before = env.records()
    for actions in (np.zeros(2, np.int64), np.zeros(3), 1, ["a", "b", "c"]):
        with pytest.raises(bluff_env.BluffError, match=r"actions: shape .* found; \(3,\) whole numbers expected"):
            env.step(actions)
    assert env.records() == before
    env.step(np.array([-1, *env.action_masks().argmax(axis=1)[1:]]))
    with pytest.raises(bluff_env.BluffError, match=r"step: the episode in row 0 is over; reset\(\) it with options"):
        env.step(env.action_masks().argmax(axis=1))


def test_an_opponent_that_fails_leaves_no_half_played_games_to_go_on_from() -> None:
    class Failing(Uniform):
        def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
            actions, state = super().act(observation, mask, noise, state)
            return (actions - 1000 if self.asked == 40 else actions), state

    env, random = native(4, opponents=Failing()), np.random.default_rng(0)
    env.reset(seed=1)
    with pytest.raises(bluff_env.BluffError, match="agent Failing: action -"):  # noqa: PT012
        while True:
            env.step(actions_for(env.action_masks(), random))
    with pytest.raises(bluff_env.BluffError, match=r"call reset\(\)"):
        env.step(np.zeros(4, np.int64))
    env.reset(seed=1)
    assert env.action_masks().any(axis=1).all()


def test_making_it_by_the_module_prefix_alone_registers_it_and_needs_neither_torch_nor_sb3() -> None:
    code = (
        "import gymnasium, sys; env = gymnasium.make_vec('bluff_env:Bluff-v0', num_envs=2, rules='tiny');"
        "env.reset(seed=1); assert not {'torch', 'ray', 'pygame', 'stable_baselines3'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_random_opponent_is_the_bot() -> None:
    table = {"rules": "bloff", **SMALL}
    rules = bluff_env.rules("bloff", **SMALL)
    compare(native(opponents=bluff_agents.load("random", rules), **table), native(**table), 100)
