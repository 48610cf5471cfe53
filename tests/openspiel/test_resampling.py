"""Resampling: another state that a player cannot tell from this one, as likely as it should be, whatever is true."""

from __future__ import annotations

from collections import defaultdict
from math import comb

import numpy as np
import pytest

import bluff_env
from bluff_env.errors import BluffError
from spiel_games import CORNERS, every_state, load, walk

pyspiel = pytest.importorskip("pyspiel")

DRAWS = "bluffstopp; ranks: 2; suits: 2; hand_size: 1; players: 2; start_card: none; max_turns: 3; penalty: stock_1"
#: Small enough to list every state, with pile, stock, gifts, hidden calls and two cards at a time.
LISTED = {
    "tiny, four turns": "tiny; max_turns: 4",
    "two cards at a time": "tiny; ranks: 2; suits: 2; max_cards: 2; max_turns: 3",
    "three seats": "tiny; ranks: 2; suits: 3; players: 3; max_turns: 3",
    "seen by the caller": "tiny; ranks: 2; suits: 3; players: 3; max_turns: 3; reveal: caller",
    "a stock": DRAWS,
    "gifts": "bluffstopp; ranks: 2; suits: 1; jokers: 3; hand_size: 2; players: 2; start_card: none; max_turns: 3; "
    "penalty: stock_2",
    "a start card": DRAWS.replace("start_card: none", "start_card: vote; start_card_high: 2; start_card_redraws: 1"),
    "a race": "tiny; ranks: 2; suits: 3; players: 3; max_turns: 2; call_order: race",
}


def blindly(state, player):
    """How likely a state is if chance is as the rules say and every card that another seat moves is drawn blindly.
    Small decisions that are told, or secret answers, count alike.
    """
    likely, picks, hand = 1.0, [], None
    lay = state.position.table.layout
    for before, after in zip(state.position.steps, state.position.steps[1:], strict=False):
        if before.player < 0:
            likely *= before.chances[before.legal.index(after.action)]
        elif before.player != player and before.decides in ("pick", "give"):
            at = after.action - lay.actions["card"].start
            if 0 <= at < lay.actions["card"].stop - lay.actions["card"].start:
                claims = len(lay.tables.claims)
                picks.append(at if at >= claims else (at + int(before.game["shift"])) % claims)
                hand = before.count("hands", before.player).tolist()
            if not after.own[before.player] and picks:  # the play is told
                for kind in set(picks):
                    likely *= comb(hand[kind], picks.count(kind))
                likely /= comb(sum(hand), len(picks))
                picks = []
    return likely


def groups_of(game):
    """{what a player knows where it is to move: {history: how likely}}, and the states by their histories."""
    groups, states = defaultdict(dict), {}
    for state in every_state(game):
        player = state.current_player()
        if player >= 0:
            way = tuple(state.history())
            groups[state.information_state_string()][way] = blindly(state, player)
            states[way] = state
    return groups, states


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, id=name, marks=[] if name in ("two cards at a time", "gifts") else pytest.mark.long)
        for name, rules in LISTED.items()
    ],
)
def test_states_come_as_often_as_they_are_likely_whatever_the_true_state(rules):
    """Chi-square against all states that the player cannot tell apart, from two different true ones."""
    game = load(rules, dealer=rules_players(rules) - 1)
    groups, states = groups_of(game)
    large = sorted((text for text in groups if 3 <= len(groups[text]) <= 60), key=lambda text: (len(text), text))
    chosen = [large[int(i)] for i in np.linspace(0, len(large) - 1, 5)]
    for number, text in enumerate(dict.fromkeys(chosen)):
        expected = groups[text]
        total = sum(expected.values())
        for true in (min(expected), max(expected)):
            state = states[true]
            random, count, draws = np.random.default_rng(number), defaultdict(int), 400
            for _ in range(draws):
                found = state.resample_from_infostate(state.current_player(), random.random)
                count[tuple(found.history())] += 1
            assert set(count) <= set(expected)
            statistic = sum((count[s] - draws * p / total) ** 2 / (draws * p / total) for s, p in expected.items())
            free = len(expected) - 1
            assert statistic < free + 5 * (2 * free) ** 0.5, (text, true)


def rules_players(rules):
    from bluff_env.adapters.openspiel.text import rules_of

    return rules_of(rules).players


EVERYWHERE = {**CORNERS, **{name: f"{name}; max_turns: 8" for name in bluff_env.rule_names()}}


@pytest.mark.parametrize("rules", EVERYWHERE.values(), ids=EVERYWHERE)
def test_the_player_cannot_tell_and_the_rest_is_another_state(rules):
    game, random = load(rules), np.random.default_rng(5)
    states = list(walk(game, np.random.default_rng(6)))
    others = 0
    for state in states[:: max(1, len(states) // 8)]:
        for player in range(game.num_players()):
            found = state.resample_from_infostate(player, random.random)
            assert found.information_state_string(player) == state.information_state_string(player)
            assert found.information_state_tensor(player) == state.information_state_tensor(player)
            if not (state.is_chance_node() or found.is_chance_node()):
                assert found.current_player() == state.current_player()
                assert found.observation_tensor(player) == state.observation_tensor(player)
            others += str(found) != str(state)
    assert others


def test_the_sampler_decides_everything():
    game = load(CORNERS["dropp"])
    state = list(walk(game, np.random.default_rng(3)))[-4]
    once, again = (state.resample_from_infostate(1, np.random.default_rng(9).random).history() for _ in range(2))
    assert once == again


def test_openspiels_own_sampler_will_do():
    state = list(walk(load("bloff; max_turns: 3"), np.random.default_rng(0)))[-2]
    found = state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    assert found.information_state_string(0) == state.information_state_string(0)


def test_a_drop_is_drawn_where_it_was_noticed_more_often_than_where_not():
    game = load("bluffstopp_dropp; ranks: 6; hand_size: 5; players: 2; max_turns: 8; "
                "dropp: {penalty: 3; notice: 0.9; false_notice: 0.1}")  # fmt: skip
    share = {}
    for seed in range(20):
        for state in walk(game, np.random.default_rng(seed)):
            text = state.information_state_string(0)
            if state.current_player() == 0 and "play seat=1" in text:
                first = text.count("play seat=") + text.count("pass seat=") == 1
                if first and ("notice" in text) not in share:
                    random = np.random.default_rng(seed)
                    laps = [
                        state.resample_from_infostate(0, random.random).position.game["laps"][1] for _ in range(300)
                    ]
                    share["notice" in text] = np.mean(np.array(laps) > 0)
                break
        if len(share) == 2:
            break
    assert share[True] == pytest.approx(0.9, abs=0.06)
    assert share[False] == pytest.approx(0.1, abs=0.06)


def test_a_seat_that_is_not_at_the_table_is_refused():
    with pytest.raises(BluffError, match="player 2: a seat from 0 to 1 expected"):
        load("tiny").new_initial_state().resample_from_infostate(2, np.random.default_rng(0).random)
