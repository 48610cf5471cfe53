"""At Bluffstopp nobody can win much more than a fair share against three `always_call`, however well it plays.

Each first play is called by the seat left of the opener, and whoever is right in that call leads [B6]. `always_call`
leads with what it holds, is called, is right and leads again, until it is out; nobody has a say in that, as some other
seat calls where one declines. So one seat can win in two ways alone: as the opener, if it can follow the start card
truthfully (or there is none) and goes on telling the truth; or left of an opener that cannot, by calling. Whoever sits
there, each deal has one such winner in one of the four rotations, but for what a vote for another start card [B2]
changes. The script below plays this best way with every way of voting, as if it knew which is best.
"""

from __future__ import annotations

import numpy as np
import pytest

import bluff_env
from bluff_agents import load
from bluff_agents.evaluation import evaluate

WAYS = 8  # of voting, at most three times


def best_share(name: str, deals: int) -> float:
    """What telling the truth, calling every play and the best votes win alone against three `always_call`."""
    rules = bluff_env.rules(name)
    seed, one, way = (x.ravel() for x in np.mgrid[:deals, : rules.players, :WAYS])
    batch = bluff_env.GameBatch(rules, seeds=seed, restart=False)
    bot, phase = load("always_call", rules), batch.layout.pieces["phase"]
    winner, votes, over = np.full(len(seed), -1), np.zeros(len(seed), np.int64), np.zeros(len(seed), bool)
    while not over.all():
        actions, _ = bot.act(batch.observation, batch.mask, batch.noise())
        if "vote" in batch.layout.phases:
            voting = batch.observation[:, phase][:, batch.layout.phases.index("vote")] != 0
            voting &= (batch.player == one) & ~over
            actions = np.where(voting, way >> votes & 1, actions)
            votes += voting
        _, done = batch.step(actions)
        winner[done & ~over] = batch.winner[done & ~over]
        over |= done
    assert votes.max() <= 3
    won = (winner == one).reshape(deals, rules.players, WAYS)
    return float(won.any(axis=2).mean())


def test_without_a_start_card_a_quarter_is_the_most_that_can_be_won_against_always_call() -> None:
    assert best_share("bluffstopp_open", 200) == 0.25


def test_votes_for_the_start_card_lift_the_most_that_can_be_won_by_no_more_than_two_points() -> None:
    assert 0.25 <= best_share("bluffstopp", 1000) < 0.27


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        *((name, agent) for name in ("bluffstopp", "bluffstopp_open") for agent in ("random", "honest", "counter")),
        ("bluffstopp", "zoo/bluffstopp"),
        ("bluffstopp_open", "zoo/bluffstopp-open"),
    ],
)
def test_no_agent_wins_more_against_always_call_than_can_be_won(name: str, agent: str) -> None:
    players = [load(agent, name), *(load("always_call", name) for _ in range(3))]
    share = evaluate(name, players, deals=100, seed=3).agents[0].share
    chance = 0.03 if name == "bluffstopp" else 0.0  # other deals; without a start card all deals are alike
    assert share <= best_share(name, 100) + chance
