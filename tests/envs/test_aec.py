"""The AEC environment's own promises: rules, resets, given deals, illegal actions, the end, rewards, observations."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bluff_env
from bluff_env import GameBatch, bluff_v0
from envs.common import action_by, every_table

Step = Callable[[Any], None]

#: Seat 0 deals, so seat 1 opens. Seat 1 can go out with its only card, an ace.
SMALL_RULES = {"players": 3, "ranks": 3, "suits": 1}
SMALL_DEAL = {"dealer": 0, "opener": 1, "hands": [["2"], ["A"], ["3"]], "stock": []}


def action_of(env: Any, text: str) -> int:
    """The action that reads so now."""
    unwrapped = env.unwrapped
    (found,) = [a for a in range(unwrapped.layout.n_actions) if unwrapped.action_text(a) == text]
    return found


def play(env: Any, *texts: str) -> None:
    for text in texts:
        env.step(action_of(env, text))


def play_random(env: Any, seed: int, steps: int = 10**9) -> None:
    """Random legal actions, until the game is over or so many have been played."""
    random = np.random.default_rng(seed)
    for _ in range(steps):
        if any(env.terminations.values()):
            return
        env.step(action_by(random.random(), env.observe(env.agent_selection)["action_mask"]))


def everything(env: Any) -> list[Any]:
    """All that can be asked of an environment, for comparing."""
    unwrapped = env.unwrapped
    told = [env.agent_selection, env.agents, env.rewards, env._cumulative_rewards, env.terminations, env.truncations]
    told += [env.infos, unwrapped.record(), unwrapped.game.batch.seed.tolist(), env.state().tolist(), repr(unwrapped)]
    for agent in env.possible_agents:
        told += [array.tolist() for array in env.observe(agent).values()]
    return copy.deepcopy(told)


# ---- rules and options survive a reset ----


@pytest.mark.parametrize("seed", [None, 4])
@pytest.mark.parametrize("make", [bluff_v0.env, bluff_v0.raw_env])
def test_rules_survive_every_reset(make: Callable[..., Any], seed: int | None) -> None:
    env = make({"base": "blof_free", "ace": "high", "rewards": "win"}, players=3, max_turns=7, render_mode="ansi")
    rules = bluff_env.rules("blof_free", ace="high", rewards="win", players=3, max_turns=7)
    spaces = env.observation_space("player_0"), env.action_space("player_0")
    for _ in range(4):
        env.reset(seed=seed)
        assert env.unwrapped.rules == rules
        assert env.unwrapped.record()["rules"] == rules.to_dict()
        assert env.possible_agents == env.agents == ["player_0", "player_1", "player_2"]
        assert (env.observation_space("player_0"), env.action_space("player_0")) == spaces
        assert isinstance(env.render(), str)
        play_random(env, seed=1)
        assert env.unwrapped.game.turns <= 7


def test_a_given_deal_is_dealt_and_only_for_that_game() -> None:
    env = bluff_v0.env(SMALL_RULES)
    for seed in (None, 3):
        env.reset(seed=seed, options={"deal": SMALL_DEAL})
        record = env.unwrapped.record()
        assert {key: record["deals"][0][key] for key in SMALL_DEAL} == SMALL_DEAL
        assert record["seed"] is None  # the seed does not tell this deal
        assert env.agent_selection == "player_1"
    env.reset(seed=3)
    fresh = bluff_v0.env(SMALL_RULES)
    fresh.reset(seed=3)
    assert env.unwrapped.record() == fresh.unwrapped.record()
    assert env.unwrapped.record()["seed"] == 3


def test_other_options_are_left_alone() -> None:
    env = bluff_v0.env("tiny")
    env.reset(seed=1, options={"colour": "red"})
    assert env.unwrapped.record()["seed"] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dealer": 3}, "dealer 3; a seat from 0 to 2"),
        ({"dealer": None}, "dealer missing; a seat from 0 to 2"),
        ({"opener": 2}, "opener 2; with first_player dealer_left it is 1"),
        ({"hands": [["2"], ["A"]]}, "hands: 2 hands; 3 lists of cards expected"),
        ({"hands": [["2", "3"], ["A"], []]}, "hand of seat 0 has 2 cards"),
        ({"hands": [["2"], ["A"], ["4"]]}, "hand of seat 2: card '4' is not in this deck; cards: A 2 3"),
        ({"hands": [["2"], ["A"], ["A"]]}, "2 cards A; the deck has 1"),
        ({"stock": ["A"]}, "2 cards A; the deck has 1"),
        ({"cards": 3}, "unknown key 'cards'"),
    ],
)
def test_a_deal_the_rules_could_not_have_dealt_is_refused_and_the_game_under_way_goes_on(
    change: dict[str, Any], message: str
) -> None:
    env = bluff_v0.raw_env(SMALL_RULES)
    env.reset(seed=1)
    before = everything(env)
    with pytest.raises(bluff_env.BluffError) as caught:
        env.reset(options={"deal": {**SMALL_DEAL, **change}})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert everything(env) == before


# ---- a game under way, copied ----


def by_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))  # noqa: S301  # what was pickled a moment ago


@pytest.mark.parametrize("copied", [copy.deepcopy, by_pickle])
@pytest.mark.parametrize("make", [bluff_v0.env, bluff_v0.raw_env])
@pytest.mark.parametrize("name", bluff_env.rule_names())
def test_a_copy_is_the_game_under_way_and_goes_on_by_itself(
    name: str, make: Callable[..., Any], copied: Callable[[Any], Any]
) -> None:
    env = make(name, render_mode="ansi")
    env.reset(seed=2)
    play_random(env, seed=2, steps=9)
    other = copied(env)
    before = everything(env)
    assert everything(other) == before
    assert other.render() == env.render()
    play_random(other, seed=5)
    assert everything(env) == before  # the original has not moved
    play_random(env, seed=5)
    assert everything(env) == everything(other)
    env.reset()
    other.reset()
    assert everything(env) == everything(other)  # the series of games goes on alike


def test_a_copy_of_an_environment_that_was_never_reset_can_be_reset() -> None:
    env = copy.deepcopy(bluff_v0.env("tiny"))
    env.reset(seed=1)
    play_random(env, seed=1)
    assert all(env.terminations.values())


# ---- illegal actions ----


def test_an_illegal_action_in_raw_env_is_a_value_error_that_names_it_and_the_legal_ones_and_changes_nothing() -> None:
    env = bluff_v0.raw_env(SMALL_RULES)
    env.reset(options={"deal": SMALL_DEAL})
    before = everything(env)
    pick_ace, pick_two = action_of(env, "pick A"), action_of(env, "pick 2")
    with pytest.raises(ValueError, match="player_1") as caught:
        env.step(pick_two)
    text = str(caught.value)
    assert text == f"action {pick_two} (pick 2) is not legal for player_1; legal: {pick_ace} (pick A)"
    assert everything(env) == before
    env.step(pick_ace)
    with pytest.raises(ValueError, match=r"legal: 0 \(decline\), 1 \(call\)"):
        env.step(pick_ace)


@pytest.mark.parametrize("action", [-1, -2, 10**6, 2**40, 2**80, 2.7, 3.0, "3", None, float("nan"), [3], (), 1e300])
def test_what_is_no_action_at_all_is_a_value_error_and_changes_nothing(action: Any) -> None:
    env = bluff_v0.raw_env("bloff")
    env.reset(seed=1)
    before = everything(env)
    with pytest.raises(ValueError, match="action"):
        env.step(action)
    assert everything(env) == before


@pytest.mark.parametrize("kind", [int, np.int64, np.int32, np.uint8, np.array])
def test_an_action_may_be_any_whole_number(kind: Callable[[int], Any]) -> None:
    env = bluff_v0.raw_env("bloff")
    env.reset(seed=1)
    env.step(kind(int(env.observe(env.agent_selection)["action_mask"].argmax())))
    assert env.game.batch.steps[0] == 1


@pytest.mark.filterwarnings("ignore::UserWarning")  # of the wrapper, about the illegal move
def test_in_env_an_illegal_action_ends_the_game_for_all_with_minus_one_for_who_played_it() -> None:
    env = bluff_v0.env("bloff")
    env.reset(seed=1)
    play_random(env, seed=1, steps=5)
    mover = env.agent_selection
    illegal = int(np.flatnonzero(env.observe(mover)["action_mask"] == 0)[0])
    env.step(illegal)
    assert env.rewards == {agent: -1.0 if agent == mover else 0.0 for agent in env.possible_agents}
    assert all(env.terminations.values())
    seen = {}
    for agent in env.agent_iter():
        observation, reward, terminated, _, info = env.last()
        seen[agent] = reward
        assert terminated
        assert info == {"cut_off": False}
        assert observation["observation"].shape == (env.unwrapped.layout.size,)
        env.step(None)
    assert seen == {agent: -1.0 if agent == mover else 0.0 for agent in env.possible_agents}
    env.reset(seed=1)
    assert not any(env.terminations.values())


def test_using_env_before_reset_says_so() -> None:
    for use in (lambda env: env.step(0), lambda env: env.last(), lambda env: env.observe("player_0")):
        with pytest.raises(Exception, match="reset"):
            use(bluff_v0.env("tiny"))


# ---- the end, and rewards ----


@every_table
def test_all_agents_end_in_the_same_step_terminated_and_never_truncated(name: str, players: int) -> None:
    env = bluff_v0.raw_env(name, players=players, max_turns=25)
    for seed in range(4):
        env.reset(seed=seed)
        random = np.random.default_rng(seed)
        while not any(env.terminations.values()):
            assert env.agents == env.possible_agents
            assert set(env.rewards.values()) == {0.0}
            assert env.infos == {agent: {"cut_off": False} for agent in env.agents}
            env.step(action_by(random.random(), env.observe(env.agent_selection)["action_mask"]))
        assert env.terminations == dict.fromkeys(env.possible_agents, True)
        assert env.truncations == dict.fromkeys(env.possible_agents, False)
        result = env.record()["result"]
        assert env.infos == {agent: {"cut_off": result["cut_off"]} for agent in env.agents}
        assert list(env.rewards.values()) == pytest.approx(result["rewards"])
        paid = {}
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            assert (terminated, truncated, info["cut_off"]) == (True, False, result["cut_off"])
            assert not observation["action_mask"].any()
            paid[agent] = reward
            env.step(None)
        assert set(paid) == set(env.possible_agents)
        assert [paid[agent] for agent in env.possible_agents] == pytest.approx(result["rewards"])
        assert env.agents == []


@pytest.mark.parametrize(("rewards", "lost"), [("zero_sum", -0.5), ("win_loss", -1.0), ("win", 0.0)])
def test_rewards_are_those_of_the_rules_and_paid_once(rewards: str, lost: float) -> None:
    """[E3]"""
    env = bluff_v0.env(SMALL_RULES, rewards=rewards)
    env.reset(options={"deal": SMALL_DEAL})
    totals = dict.fromkeys(env.possible_agents, 0.0)
    script = iter(["pick A", "decline", "decline"])
    for agent in env.agent_iter():
        _, reward, over, _, _ = env.last()
        totals[agent] += reward
        env.step(None if over else action_of(env, next(script)))
    assert totals == {"player_0": lost, "player_1": 1.0, "player_2": lost}


@pytest.mark.parametrize("rewards", ["zero_sum", "win_loss", "win"])
def test_a_cut_off_pays_nothing_to_anybody_and_is_marked(rewards: str) -> None:
    """[E2] [E3]"""
    env = bluff_v0.env("bloff", players=3, max_turns=1, rewards=rewards)
    env.reset(seed=1)
    play_random(env, seed=1)
    assert env.rewards == dict.fromkeys(env.possible_agents, 0.0)
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.truncations == dict.fromkeys(env.possible_agents, False)
    assert env.infos == {agent: {"cut_off": True} for agent in env.possible_agents}


def test_a_winner_on_the_last_turn_is_not_cut_off() -> None:
    """[E2]"""
    env = bluff_v0.env(SMALL_RULES, max_turns=1)
    env.reset(options={"deal": SMALL_DEAL})
    play(env, "pick A", "decline", "decline")
    assert env.infos["player_1"] == {"cut_off": False}
    assert env.rewards["player_1"] == 1.0


def test_a_last_card_called_in_vain_wins_and_the_caller_has_taken_the_pile() -> None:
    """[C10] [C4]"""
    env = bluff_v0.env(SMALL_RULES)
    env.reset(options={"deal": SMALL_DEAL})
    play(env, "pick A", "decline", "call")
    assert env.rewards["player_1"] == 1.0
    assert env.unwrapped.game.view(0).hand == ("A", "2")


# ---- what is seen ----


@every_table
def test_masks_are_all_zeros_for_seats_that_are_not_to_move(name: str, players: int) -> None:
    env = bluff_v0.raw_env(name, players=players)
    env.reset(seed=6)
    random = np.random.default_rng(6)
    for _ in range(60):
        if any(env.terminations.values()):
            break
        masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
        assert [agent for agent, mask in masks.items() if mask.any()] == [env.agent_selection]
        env.step(action_by(random.random(), masks[env.agent_selection]))


@every_table
def test_observations_are_the_batchs_counts_over_the_layouts_scale_exactly(name: str, players: int) -> None:
    rules = bluff_env.rules(name, players=players)
    env, batch = bluff_v0.raw_env(rules), GameBatch(rules, seeds=[8], restart=False)
    env.reset(seed=8)
    scale = batch.layout.scale
    for _ in range(60):
        for seat, agent in enumerate(env.possible_agents):
            seen, counts = env.observe(agent), batch.observe(seat)[0]
            assert seen["observation"].dtype == np.float32
            assert (seen["observation"] == counts.astype(np.float32) / scale).all()
            assert (np.rint(seen["observation"] * scale) == counts).all()
            assert env.observation_space(agent).contains(seen)
        if batch.player[0] < 0:
            break
        assert env.agent_selection == f"player_{batch.player[0]}"
        assert (env.observe(env.agent_selection)["action_mask"] == batch.mask[0]).all()
        action = batch.random_actions()
        batch.step(action)
        env.step(action[0])


def arrays(env: Any) -> list[NDArray[Any]]:
    seen = [array for agent in env.possible_agents for array in env.observe(agent).values()]
    return [*seen, env.state()]


def test_arrays_are_fresh_and_writing_to_them_changes_nothing() -> None:
    env = bluff_v0.raw_env("bloff")
    env.reset(seed=1)
    for _ in range(3):
        before = everything(env)
        for array in arrays(env):
            array[:] = 1
        env.last()[0]["action_mask"][:] = 1
        assert everything(env) == before
        kept = arrays(env)
        copies = [array.copy() for array in kept]
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        assert all((a == b).all() for a, b in zip(kept, copies, strict=True))


@every_table
def test_the_state_holds_every_hand(name: str, players: int) -> None:
    env = bluff_v0.raw_env(name, players=players)
    lay = env.layout
    env.reset(seed=4)
    random = np.random.default_rng(4)
    for _ in range(40):
        state = env.state()
        assert (state.shape, state.dtype) == ((lay.state_size,), np.float32)
        assert state.min() >= 0
        assert state.max() <= 1
        counts = np.rint(state * lay.state_scale).astype(int)
        hands = counts[lay.state_pieces["hands"]].reshape(players, -1)
        shift, claims = int(env.game.batch.shift[0]), len(lay.tables.claims)
        for seat in range(players):
            relative = [env.game.view(seat).hand.count(lay.tables.claims[(i + shift) % claims]) for i in range(claims)]
            assert hands[seat, :claims].tolist() == relative
        if any(env.terminations.values()):
            break
        assert counts[lay.state_pieces["player"]].tolist() == [
            int(agent == env.agent_selection) for agent in env.agents
        ]
        env.step(action_by(random.random(), env.observe(env.agent_selection)["action_mask"]))


# ---- making one ----


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": "blof_fre"}, "no rule set named 'blof_fre' (did you mean 'blof_free'"),
        ({"players": 1}, "players: 1 is not allowed; a whole number from 2 to 16"),
        ({"player": 3}, "player: no such field of the rules (did you mean 'players'"),
        ({"render_mode": "rgb"}, "render_mode: 'rgb' is not allowed; one of ansi, human, rgb_array, or None"),
        ({"passing": "no"}, "passing: 'no' is not allowed; one of never, allowed"),
    ],
)
@pytest.mark.parametrize("make", [bluff_v0.env, bluff_v0.raw_env])
def test_wrong_arguments_are_one_clear_line(make: Callable[..., Any], arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(bluff_env.BluffError) as caught:
        make(**arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_a_render_mode_render_gives_nothing() -> None:
    env = bluff_v0.raw_env("tiny")
    env.reset(seed=1)
    assert env.render() is None
