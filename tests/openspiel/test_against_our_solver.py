"""OpenSpiel's best responses, NashConv and CFR+ on the game `python_bluff` give the numbers of our own solver, which
grows its trees by another way. Skipped where OpenSpiel is not installed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from bluff_agents.exploit import CfrPlus, Tree, exploitability, grow, uniform
from bluff_agents.exploit.chances import deals
from spiel_games import every_state, load

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import policy as spiel_policy  # noqa: E402  (only where it is installed)
from open_spiel.python.algorithms import cfr, expected_game_score  # noqa: E402
from open_spiel.python.algorithms import exploitability as spiel_exploitability  # noqa: E402

from bluff_env.adapters.openspiel.text import rules_of  # noqa: E402

STOPP = (
    "bluffstopp; players: 2; ranks: 2; suits: 2; hand_size: 1; start_card: none; penalty: stock_1; "
    "empty_stock: nothing; max_turns: 3"
)
#: Rules without chance after the deal, which our solver takes.
RULES = {
    "two cards": "tiny; ranks: 2; suits: 1; max_turns: 4",
    "three": "tiny; ranks: 3; suits: 1; max_turns: 4",
    "pairs": "tiny; ranks: 2; suits: 2; max_cards: 2; max_turns: 4",
    "free": "tiny; ranks: 2; suits: 1; lead: any; follow: any; max_turns: 4",
    "passing": "tiny; ranks: 3; suits: 1; passing: allowed; all_passed: clear_pile; max_turns: 4",
    "three seats": "tiny; ranks: 3; suits: 1; players: 3; max_turns: 3",
    "seen by the caller": "tiny; ranks: 3; suits: 1; players: 3; max_turns: 3; reveal: caller",
    "a stock": STOPP,
    "a start card": STOPP.replace("start_card: none", "start_card: keep"),
    "gifts": STOPP.replace("empty_stock: nothing", "give: choose").replace("hand_size: 1", "hand_size: 2"),
    "tiny": "tiny",
}


@lru_cache(maxsize=2)
def both_of(name: str) -> tuple[Any, Tree]:
    """The OpenSpiel game, in which the last seat deals as in our trees, and our tree."""
    rules = rules_of(RULES[name])
    return load(RULES[name], dealer=rules.players - 1), grow(rules)


@lru_cache(maxsize=2)
def places_of_deals(tree: Tree) -> dict[str, int]:
    given = [deal for deal, _ in deals(tree.rules)]
    return {f"{deal['hands']} {deal['stock']}": place for place, deal in enumerate(given)}


def node_of(tree: Tree, state: Any) -> int:
    """The node of our tree that a state is, found by walking there. No state in the middle of the deal."""
    node = -1
    for position in state.position.steps:
        if not position.games:
            continue
        if node < 0:
            t, r = position.table.layout.tables, tree.rules
            hands = [[t.kinds[k] for k in np.repeat(range(len(t.kinds)), position.count("hands", s))] for s in
                     range(r.players)]  # fmt: skip
            size = r.deck_size - sum(map(len, hands))
            at = position.table.at("stock")
            stock = [t.kinds[k] for k in np.frombuffer(position.cards, np.int8)[at : at + size]]
            node = places_of_deals(tree)[f"{hands} {stock}"]
        else:
            legal = tree.actions[tree.infoset[node]]
            node = int(tree.kids[node]) + int((legal == position.action).argmax())
    return node


class Ours(spiel_policy.Policy):
    """A policy of the tree, for OpenSpiel."""

    def __init__(self, game: Any, tree: Tree, policy: np.ndarray) -> None:
        super().__init__(game, list(range(tree.rules.players)))
        self.tree, self.policy = tree, policy

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        at = self.tree.infoset[node_of(self.tree, state)]
        legal = self.tree.actions[at]
        return {int(action): float(p) for action, p in zip(legal, self.policy[at], strict=True) if action >= 0}


SLOW = [pytest.param("tiny", marks=pytest.mark.long)]


@pytest.mark.parametrize("name", [*(name for name in RULES if name != "tiny"), *SLOW])
def test_the_game_has_the_nodes_and_information_sets_of_our_tree(name):
    game, tree = both_of(name)
    states = [state for state in every_state(game) if state.position.games]
    assert len(states) == len(tree)
    pairs = {
        (int(tree.infoset[node_of(tree, state)]), state.information_state_string())
        for state in states
        if not state.is_terminal()
    }
    assert len(pairs) == len({ours for ours, _ in pairs}) == len({theirs for _, theirs in pairs}) == len(tree.seat)


@pytest.mark.parametrize("name", ["three", "pairs", "free", "three seats", *SLOW])
def test_openspiel_finds_the_nash_conv_and_values_that_our_solver_finds(name):
    game, tree = both_of(name)
    solving = CfrPlus(tree)
    solving.run(20)
    for policy in (uniform(tree), solving.average):
        ours, theirs = exploitability(tree, policy), Ours(game, tree, policy)
        found = spiel_exploitability.nash_conv(game, theirs, return_only_nash_conv=False)
        assert ours.nash_conv == pytest.approx(found.nash_conv, abs=1e-9)
        gains = [best - value for best, value in zip(ours.best, ours.values, strict=True)]
        assert gains == pytest.approx(list(found.player_improvements), abs=1e-9)
        values = expected_game_score.policy_value(game.new_initial_state(), [theirs] * tree.rules.players)
        assert list(values) == pytest.approx(ours.values, abs=1e-9)


@pytest.mark.long
def test_the_uniform_policy_of_tiny_has_the_nash_conv_of_our_solver():
    game, tree = both_of("tiny")
    found = spiel_exploitability.nash_conv(game, spiel_policy.UniformRandomPolicy(game))
    assert found == pytest.approx(exploitability(tree, uniform(tree)).nash_conv, abs=1e-9)


@pytest.mark.parametrize("name", ["three", "pairs", "free", *SLOW])
def test_openspiels_cfr_plus_goes_the_same_way_as_ours(name):
    game, tree = both_of(name)
    theirs, ours = cfr.CFRPlusSolver(game), CfrPlus(tree)
    for _ in range(2 if len(tree) > 10_000 else 8):
        theirs.evaluate_and_update_policy()
    ours.run(theirs._iteration)
    found = spiel_exploitability.nash_conv(game, theirs.average_policy())
    assert exploitability(tree, ours.average).nash_conv == pytest.approx(found, abs=1e-9)


def test_who_deals_is_chance_unless_it_is_given():
    drawn, given = load(RULES["three"]), load(RULES["three"], dealer=1)
    state = drawn.new_initial_state()
    assert [state.action_to_string(-1, outcome) for outcome, _ in state.chance_outcomes()] == ["dealer 0", "dealer 1"]
    uniform_policy = spiel_policy.UniformRandomPolicy
    values = [
        expected_game_score.policy_value(game.new_initial_state(), [uniform_policy(game)] * 2)
        for game in (drawn, given)
    ]
    assert values[0] == pytest.approx([0, 0], abs=1e-12)
    assert abs(values[1][0]) > 0.1
