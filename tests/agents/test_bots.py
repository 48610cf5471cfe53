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
from bluff_agents.bots.chances import NEVER, chance_of_proof, turns_until
from bluff_agents.bots.doubt import chance_of
from helpers import random_rules

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
    {
        "players": 5,
        "hand_size": 6,
        "start_card": "vote",
        "start_card_high": "2",
        "penalty": "stock_3",
        "give": "choose",
    },
    {"players": 3, "passing": "allowed", "all_passed": "last_player_leads", "follow": "adjacent", "jokers": 2},
    {"base": "bluffstopp_open", "ranks": 1, "suits": 4, "hand_size": 1, "players": 2},
    {"base": "bluffstopp_jokers", "players": 6, "call_order": "race", "give": "choose", "after_call": "wrong_party"},
    {"base": "bluffstopp_dropp", "players": 2, "dropp": {"penalty": 3, "notice": 0.1, "false_notice": 0}},
    {"base": "bluffstopp", "empty_stock": "nothing", "jokers": 8, "callers": "next", "passing": "allowed"},
]
STOPP = tuple(name for name in bluff_env.rule_names() if name.startswith("bluffstopp"))


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


@pytest.mark.parametrize("seed", range(30))
def test_bots_play_whatever_rules_are_drawn(seed: int) -> None:
    rules = random_rules(np.random.default_rng(seed))
    batch = bluff_env.GameBatch(rules, games=30, seed=seed)
    bots = [BOTS[name](rules) for name in bot_names()]
    to_float = bluff_env.layout(rules).to_float
    for step in range(80):
        observation, mask, noise = batch.observation, batch.mask, batch.noise()
        row = step % 30
        actions = []
        for bot in bots:
            actions.append(bot.act(observation, mask, noise)[0])
            assert np.array_equal(bot.act(to_float(observation), mask, noise)[0], actions[-1])
            assert bot.act(observation[row], mask[row], noise[row])[0] == actions[-1][row]
        batch.step(actions[step % len(bots)])  # which refuses what is not legal


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


def stopp(bots: list[str], fields: dict[str, Any], games: int = 200, steps: int = 250) -> Any:
    """Moments of games between bots, seat by seat: (pieces, state pieces, actions, segment starts) of each step."""
    rules = bluff_env.rules(fields)
    batch = bluff_env.GameBatch(rules, games=games, seed=5)
    agents = [load(name, rules) for name in bots]
    lay = batch.layout
    first = {name: where.start for name, where in lay.actions.items()}
    for _ in range(steps):
        noise = batch.noise()
        every = [agent.act(batch.observation, batch.mask, noise)[0] for agent in agents]
        actions = np.choose(batch.player % len(agents), every)
        see = {name: batch.observation[:, where].astype(int) for name, where in lay.pieces.items()}
        see |= {f"{name}?": see["phase"][:, i] == 1 for i, name in enumerate(lay.phases)}
        see["seat"] = batch.player.copy()
        full = batch.state()
        yield see, {name: full[:, where].astype(int) for name, where in lay.state_pieces.items()}, actions, first
        batch.step(actions)


@pytest.mark.parametrize("name", ["bluffstopp", "bluffstopp_open"])
def test_honest_calls_a_claim_of_the_very_card_it_holds_or_laid_and_no_other(name: str) -> None:
    calls = 0
    for see, _, actions, first in stopp(["honest", "random"], {"base": name}):
        asked = see["answer?"] & (see["seat"] % 2 == 0)
        sight = see["hand"] + see["mine_in_pile"] + see.get("start_card", 0)
        proved = (sight * see["claim"]).sum(axis=1) > 0
        assert np.array_equal(actions[asked] == first["call"], proved[asked])
        calls += int(proved[asked].sum())
    assert calls > 100


@pytest.mark.parametrize("bot", ["honest", "cautious"])
@pytest.mark.parametrize("name", STOPP)
def test_who_can_follow_or_lead_truthfully_does(bot: str, name: str) -> None:
    claims = len(bluff_env.layout(bluff_env.rules(name)).tables.claims)
    truths = 0
    for see, _, actions, first in stopp([bot], {"base": name}, games=100, steps=150):
        able = (see["hand"][:, :claims] * see["claimable"]).sum(axis=1) > 0
        rows = see["claim?"] & able
        claimed = actions - first["claim"]
        assert (see["hand"][rows, claimed[rows]] > 0).all()
        picks = see["pick?"] & ((see["hand"][:, :claims] * see["claim"]).sum(axis=1) > 0)
        assert np.array_equal(actions[picks] - first["card"], see["claim"][picks].argmax(axis=1))
        truths += int(rows.sum())
    assert truths > 500


def test_honest_passes_when_it_cannot_follow() -> None:
    passed = 0
    for see, _, actions, first in stopp(["honest"], {"base": "bluffstopp_open"}, games=100):
        follows = (see["claimable"].sum(axis=1) > 0) & (see["claimable"].sum(axis=1) < 52)
        unable = follows & ((see["hand"] * see["claimable"]).sum(axis=1) == 0)
        assert (actions[unable] == first["pass"]).all()
        assert (actions[follows & ~unable] != first["pass"]).all()
        passed += int(unable.sum())
    assert passed > 500


def test_counter_calls_the_card_it_holds_and_every_last_card() -> None:
    last = proved = 0
    for see, _, actions, first in stopp(["counter"], {"base": "bluffstopp_open"}):
        out = see["answer?"] & ((see["hand_sizes"] * see["claimant"]).sum(axis=1) == 0)
        holds = see["answer?"] & ((see["hand"] * see["claim"]).sum(axis=1) > 0)
        assert (actions[out | holds] == first["call"]).all()
        last, proved = last + int(out.sum()), proved + int(holds.sum())
    assert last > 100
    assert proved > 100


def test_counter_lies_now_and_then_where_it_might_pass() -> None:
    lies = passed = 0
    for see, _, actions, first in stopp(["counter"], {"base": "bluffstopp_open"}):
        follows = (see["claimable"].sum(axis=1) > 0) & (see["claimable"].sum(axis=1) < 52)
        unable = follows & ((see["hand"] * see["claimable"]).sum(axis=1) == 0)
        passed += int((actions[unable] == first["pass"]).sum())
        lies += int((actions[unable] >= first["claim"]).sum())
    assert passed > 500
    assert lies > 50


def test_counter_keeps_a_joker_for_its_last_play() -> None:
    kept = last = 0
    for see, _, actions, first in stopp(["counter"], {"base": "bluffstopp_jokers"}):
        one = see["pick?"] & (see["hand"][:, -1] == 1)
        laid = actions == first["card"] + 52
        alone = see["hand"].sum(axis=1) == 1
        assert not laid[one & ~alone].any()
        assert laid[one & alone].all()
        kept, last = kept + int((one & ~alone).sum()), last + int((one & alone).sum())
    assert kept > 100
    assert last > 10


@pytest.mark.parametrize("bot", ["honest", "counter", "liar"])
def test_votes_for_another_card_exactly_where_it_cannot_follow(bot: str) -> None:
    another = 0
    for see, _, actions, first in stopp([bot], {"base": "bluffstopp", "start_card_high": "2"}, games=300, steps=60):
        start = see["start_card"].reshape(-1, 4, 13).argmax(axis=2).max(axis=1)
        suit = see["start_card"].reshape(-1, 4, 13).sum(axis=2).argmax(axis=1)
        own = see["hand"].reshape(-1, 4, 13)[np.arange(300), suit]
        able = (own * (np.arange(13) > start[:, None])).sum(axis=1) > 0
        votes = see["vote?"]
        assert np.array_equal(actions[votes] == first["call"], ~able[votes] & (start[votes] < 12))
        another += int((actions[votes] == first["call"]).sum())
    assert another > 100


@pytest.mark.parametrize("bot", ["honest", "counter"])
def test_gives_its_lowest_cards(bot: str) -> None:
    gifts = 0
    fields = {"base": "bluffstopp", "give": "choose", "hand_size": 10, "players": 5, "start_card": "none"}
    for see, _, actions, first in stopp([bot, "random"], fields, games=300, steps=120):
        gives = see["give?"] & (see["seat"] % 2 == 0) & (see["picked"].sum(axis=1) == 0)
        for row in np.flatnonzero(gives):
            card = actions[row] - first["card"]
            ranks = np.flatnonzero(see["hand"][row]) % 13
            assert card % 13 <= np.sort(ranks)[:3].max()  # one of the three lowest, in the order of picks
            gifts += 1
    assert gifts > 20


def test_honest_never_drops_and_accuses_whom_it_noticed() -> None:
    accused = 0
    for see, _, actions, first in stopp(["honest", "random"], {"base": "bluffstopp_dropp"}):
        own = see["seat"] % 2 == 0
        assert (actions[own & see["drop?"]] == first["drop_none"]).all()
        asked = own & see["answer?"]
        target = actions - first["accuse"] + 1
        rows = np.flatnonzero(asked & (target > 0) & (target < 4))
        assert (see["notices"][rows, target[rows]] > 15).all()
        accused += len(rows)
    assert accused > 100


def test_counter_drops_where_it_is_hardly_noticed_or_the_stock_cannot_punish_it() -> None:
    for notice, always in ((0.3, False), (0.05, True)):
        fields = {"base": "bluffstopp_dropp", "dropp": {"penalty": 3, "notice": notice, "false_notice": 0.02}}
        drops = 0
        for see, _, actions, first in stopp(["counter"], fields, games=100, steps=200):
            dropping = see["drop?"] & (actions != first["drop_none"])
            more = see["hand"].sum(axis=1) > 1
            cheap = (see["stock_size"][:, 0] == 0) | (always & see["drop?"])
            large = see["stock_size"][:, 0] > 2
            assert dropping[see["drop?"] & more & cheap].all()
            assert always or not dropping[large].any()
            drops += int(dropping.sum())
        assert drops > 10


@pytest.mark.parametrize("name", STOPP)
def test_counter_is_the_best_at_bluffstopp_and_honest_better_than_chance(name: str) -> None:
    rules = bluff_env.rules(name)
    counter, honest, chance = (load(bot, rules) for bot in ("counter", "honest", "random"))
    assert play(rules, [counter] * 4, deals=100).cut_off.mean() < 0.02
    wins = wins_of_first(play(rules, [counter, honest, honest, honest], deals=250))
    assert wins.mean() - 1.96 * wins.std() / 250**0.5 > 0.3
    wins = wins_of_first(play(rules, [honest, chance, chance, chance], deals=150))
    assert wins.mean() - 1.96 * wins.std() / 150**0.5 > 0.4


@pytest.mark.parametrize("name", ["blof_pass", "blof_free_pass"])
def test_counter_is_the_best_where_one_may_pass(name: str) -> None:
    rules = bluff_env.rules(name)
    counter, honest = load("counter", rules), load("honest", rules)
    assert play(rules, [counter] * 4, deals=100).cut_off.mean() < 0.02
    wins = wins_of_first(play(rules, [counter, honest, honest, honest], deals=150))
    assert wins.mean() - 1.96 * wins.std() / 150**0.5 > 0.4


def test_four_counters_end_their_games() -> None:
    counter = load("counter", BLOFF)
    batch = play(BLOFF, [counter] * 4, deals=250)
    assert batch.cut_off.mean() <= 0.005
    assert batch.turns.mean() < 200


@pytest.mark.parametrize(
    "fields",
    [
        {"round_ends": "call"},
        {"round_ends": "call", "lead": "any"},
        {"lead": "any", "follow": "same_or_adjacent"},
        {"round_ends": "call", "lead": "any", "follow": "same", "callers": "next", "max_cards": 3},
    ],
    ids=str,
)
def test_four_counters_are_patient_where_calls_keep_ranks_from_coming_up(fields: dict[str, Any]) -> None:
    rules = bluff_env.rules({"base": "bloff", **fields})
    assert play(rules, [load("counter", rules)] * 4, deals=25).cut_off.mean() < 0.05


@pytest.mark.parametrize(("other", "least"), [("honest", 0.4), ("random", 0.97)])
def test_one_counter_beats_three_others(other: str, least: float) -> None:
    them = load(other, BLOFF)
    wins = wins_of_first(play(BLOFF, [load("counter", BLOFF), them, them, them], deals=400))
    assert wins.mean() - 1.96 * wins.std() / 20 > least


def test_one_honest_beats_three_random() -> None:
    chance = load("random", BLOFF)
    assert wins_of_first(play(BLOFF, [load("honest", BLOFF), chance, chance, chance], deals=150)).mean() > 0.9


def test_hypergeometric_chances_are_the_ratios_of_counts() -> None:
    for cards, marked, drawn in ((39, 3, 13), (5, 5, 2), (8, 0, 3), (10, 4, 10), (1, 1, 0)):
        for x in range(-2, 8):
            possible = 0 <= x <= drawn and drawn - x <= cards - marked
            expected = comb(marked, x) * comb(cards - marked, drawn - x) / comb(cards, drawn) if possible else 0
            assert chance_of(x, cards, marked, drawn) == pytest.approx(expected, abs=1e-12)


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
