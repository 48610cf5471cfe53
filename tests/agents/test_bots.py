"""The scripted players: legal, deterministic in their noise, blind to batches, and as strong as promised."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest

import bluff_env
from bluff_agents import Agent, bot_names, load
from bluff_agents.bots import BOTS
from bluff_agents.bots.bot import Bot
from bluff_agents.bots.chances import NEVER, Hypergeometric, chance_of_proof, turns_until

BLOFF = bluff_env.rules("bloff")
HOUSE_RULES: list[dict[str, Any]] = [
    *({"base": name} for name in bluff_env.rule_names()),
    {"players": 2},
    {"players": 10, "callers": "next"},
    {"players": 13},
    {"players": 3, "follow": "adjacent", "lead": "any"},
    {"players": 3, "follow": "same_or_adjacent", "round_ends": "call", "max_cards": "hand"},
    {"players": 5, "follow": "same", "lead": "any", "jokers": 3},
    {"players": 4, "jokers": 2, "max_cards": 2, "after_call": "wrong_party"},
    {"players": 4, "jokers": 8, "decks": 4, "max_cards": "hand", "after_call": "right_party"},
    {"players": 3, "jokers": 1, "lead": "any", "follow": "any", "hand_size": 5},
    {"players": 2, "ranks": 1, "suits": 4},
    {"players": 2, "ranks": 2, "suits": 1, "jokers": 2, "max_cards": 1},
]


def situations(rules: bluff_env.Rules, bot: Bot, games: int = 40, steps: int = 150) -> Any:
    """(observations, masks, noise) along games that a bot plays against itself."""
    batch = bluff_env.GameBatch(rules, games=games, seed=3)
    seen = []
    for _ in range(steps):
        noise = batch.noise()
        seen.append((batch.observation.copy(), batch.mask.copy(), noise))
        actions, state = bot.act(batch.observation, batch.mask, noise)
        assert state is None
        assert np.array_equal(bot.decide(batch.observation, batch.mask, noise), actions)  # a plan is never out of reach
        batch.step(actions)
    return tuple(np.concatenate(arrays) for arrays in zip(*seen, strict=True))


def play(rules: bluff_env.Rules, agents: list[Agent], deals: int) -> bluff_env.GameBatch:
    """Every deal in all rotations of the seats; row `deal * players + r` seats agent `(seat + r) % players`."""
    n = rules.players
    batch = bluff_env.GameBatch(rules, seeds=np.repeat(np.arange(deals), n), restart=False)
    rotation = np.tile(np.arange(n), deals)
    while (batch.player >= 0).any():
        actions, noise = np.full(len(batch), -1), batch.noise()
        sitting = np.where(batch.player < 0, -1, (batch.player + rotation) % n)
        for agent in set(agents):
            rows = np.flatnonzero(np.isin(sitting, [i for i, a in enumerate(agents) if a is agent]))
            actions[rows], _ = agent.act(batch.observation[rows], batch.mask[rows], noise[rows])
        batch.step(actions)
    return batch


def wins_of_first(batch: bluff_env.GameBatch) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(deals,): the share of a deal's rotations that the agent named first won."""
    n = batch.rules.players
    won = (batch.winner >= 0) & ((batch.winner + np.tile(np.arange(n), len(batch) // n)) % n == 0)
    return won.reshape(-1, n).mean(axis=1)


@pytest.mark.parametrize("fields", HOUSE_RULES, ids=str)
@pytest.mark.parametrize("name", bot_names())
def test_bots_play_any_rules_the_same_in_both_forms_and_any_batch(name: str, fields: dict[str, Any]) -> None:
    rules = bluff_env.rules(fields)
    bot = BOTS[name](rules)
    observation, mask, noise = situations(rules, bot)
    actions, _ = bot.act(observation, mask, noise)
    floats = bluff_env.layout(rules).to_float(observation)
    assert np.array_equal(bot.act(floats, mask.astype(np.int8), noise)[0], actions)
    order = np.random.default_rng(0).permutation(len(actions))[:500]
    assert np.array_equal(bot.act(observation[order], mask[order], noise[order])[0], actions[order])
    for row in order[:50]:
        assert bot.act(observation[row], mask[row], noise[row])[0] == actions[row]


@pytest.mark.parametrize("name", bot_names())
def test_a_row_without_a_legal_action_is_left_alone(name: str) -> None:
    batch = bluff_env.GameBatch(BLOFF, games=3, seed=0)
    mask = batch.mask.copy()
    mask[1] = False
    assert (load(name, BLOFF).act(batch.observation, mask)[0] == -1).tolist() == [False, True, False]


@pytest.mark.parametrize("name", bot_names())
def test_a_bot_goes_on_with_a_play_that_another_began(name: str) -> None:
    bot, chance = load(name, BLOFF), load("random", BLOFF)
    batch = bluff_env.GameBatch(BLOFF, games=100, seed=6)
    for step in range(300):
        batch.step((bot if step % 3 else chance).act(batch.observation, batch.mask, batch.noise())[0])


@pytest.mark.parametrize("name", bot_names())
def test_without_noise_the_seed_decides(name: str) -> None:
    batch = bluff_env.GameBatch(BLOFF, games=100, seed=0)
    first, again = (load(name, BLOFF, seed=5).act(batch.observation, batch.mask)[0] for _ in range(2))
    assert np.array_equal(first, again)


def test_random_draws_what_the_engine_draws() -> None:
    batch = bluff_env.GameBatch(BLOFF, games=200, seed=1)
    bot = load("random", BLOFF)
    for _ in range(100):
        actions, _ = bot.act(batch.observation, batch.mask, batch.noise())
        assert np.array_equal(actions, batch.random_actions())
        batch.step(actions)


@pytest.mark.parametrize(
    "fields", [{}, {"players": 3, "jokers": 2}, {"lead": "any", "follow": "any"}, {"follow": "adjacent"}], ids=str
)
def test_honest_tells_the_truth_when_it_can_and_calls_only_lies(fields: dict[str, Any]) -> None:
    rules = bluff_env.rules({"base": "bloff", **fields})
    bot, batch = load("honest", rules), bluff_env.GameBatch(rules, games=150, seed=2)
    chance = load("random", rules)  # lays the lies that honest is asked about
    lay, state = batch.layout, batch.layout.state_pieces
    claims = len(lay.tables.claims)
    calls = lies = 0
    for _ in range(400):
        before, hand = batch.observation.copy(), batch.observation[:, lay.pieces["hand"]].copy()
        honest = batch.player % 2 == 0
        noise = batch.noise()
        actions = np.where(honest, *(a.act(batch.observation, batch.mask, noise)[0] for a in (bot, chance)))
        full = batch.state()
        played = full[:, state["last_play"]]
        claim = full[:, state["claim"]].argmax(axis=1)
        others = played.sum(axis=1) - played[np.arange(150), claim] - (played[:, claims:].sum(axis=1))
        called = honest & (actions == lay.actions["call"].start)
        assert (others[called] > 0).all()
        calls += int(called.sum())
        picking = honest & (before[:, lay.pieces["phase"]][:, lay.phases.index("pick")] == 1)
        kind = actions - lay.actions["card"].start
        wanted = before[:, lay.pieces["claim"]].argmax(axis=1)
        lying = picking & (kind >= 0) & (kind != wanted) & (kind < claims)
        can = (hand[np.arange(150), wanted] > 0) | (hand[:, claims:].sum(axis=1) > 0)
        assert not (lying & can).any()
        lies += int(lying.sum())
        batch.step(actions)
    assert calls > 20
    assert lies > 20 or rules.follow == "any"


def test_counter_calls_what_cannot_be_and_every_last_card() -> None:
    bot, batch = load("counter", BLOFF), bluff_env.GameBatch(BLOFF, games=300, seed=4)
    lay = batch.layout
    proved = last = 0
    for _ in range(600):
        actions, _ = bot.act(batch.observation, batch.mask, batch.noise())
        see = {name: batch.observation[:, where] for name, where in lay.pieces.items()}
        asked = see["phase"][:, lay.phases.index("answer")] == 1
        impossible = asked & (see["claim_count"][:, 0] + see["hand"][:, 0] + see["mine_in_pile"][:, 0] > 4)
        out = asked & ((see["hand_sizes"] * see["claimant"]).sum(axis=1) == 0)
        assert (actions[out] == lay.actions["call"].start).all()
        large = impossible & (see["pile_size"][:, 0] > 3)
        assert (actions[large] == lay.actions["call"].start).all()
        proved, last = proved + int(large.sum()), last + int(out.sum())
        batch.step(actions)
    assert proved > 20
    assert last > 20


def test_four_counters_end_their_games() -> None:
    counter = load("counter", BLOFF)
    batch = play(BLOFF, [counter] * 4, deals=250)
    assert batch.cut_off.mean() <= 0.005
    assert batch.turns.mean() < 200


@pytest.mark.parametrize(("other", "least"), [("honest", 0.4), ("random", 0.97)])
def test_one_counter_beats_three_others(other: str, least: float) -> None:
    them = load(other, BLOFF)
    wins = wins_of_first(play(BLOFF, [load("counter", BLOFF), them, them, them], deals=400))
    assert wins.mean() - 1.96 * wins.std() / 20 > least


def test_one_honest_beats_three_random() -> None:
    chance = load("random", BLOFF)
    assert wins_of_first(play(BLOFF, [load("honest", BLOFF), chance, chance, chance], deals=150)).mean() > 0.9


def test_hypergeometric_chances_are_the_ratios_of_counts() -> None:
    chances = Hypergeometric(60)
    for total, marked, drawn in ((39, 3, 13), (5, 5, 2), (8, 0, 3), (10, 4, 10), (1, 1, 0)):
        x = np.arange(-2, 8)
        expected = [
            comb(marked, i) * comb(total - marked, drawn - i) / comb(total, drawn) if 0 <= i <= drawn else 0 for i in x
        ]
        assert chances(x, total, marked, drawn) == pytest.approx(expected, abs=1e-12)


def test_a_seat_knows_when_it_will_claim_a_rank_again() -> None:
    four = turns_until(BLOFF)
    assert all((turn * 4 - d) % 13 == 0 for d, turn in enumerate(four))
    assert turns_until(BLOFF.replace(players=13)).tolist() == [1] + [NEVER] * 12
    assert turns_until(BLOFF.replace(follow="any")).tolist() == [1] * 13
    assert turns_until(BLOFF.replace(follow="same")).tolist() == [1] + [NEVER] * 12


def test_a_claim_is_proved_false_by_whoever_holds_too_many() -> None:
    proof = chance_of_proof(BLOFF)
    assert proof[4, 1] == pytest.approx(3 * (1 / 3) ** 4)
    assert proof[3, 2] == pytest.approx(3 * (1 / 3) ** 3)
    assert proof[1, 4] == 1
    assert proof[0, 4] == 0
