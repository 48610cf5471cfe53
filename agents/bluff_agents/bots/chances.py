"""Tables for the bots that count: chances of holding cards, and how soon a seat may claim a rank again."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from bluff_env import Rules
from bluff_env.ruleset import tables

#: Turns until a rank that can never be claimed again.
NEVER = 100
#: Turns until any rank, where a call lets somebody lead with whatever he likes.
AFTER_A_CALL = 1


@lru_cache(maxsize=256)
def turns_until(rules: Rules) -> NDArray[np.int64]:
    """(C,): own turns from one at which a seat claims a rank until it may claim the one `d` further on, at least 1.

    Turns go round the table and each lays, so a seat's next turn comes after `players` plays. Unsuited games treat all
    ranks alike, so one row of `follows` tells all.
    """
    one_play = tables(rules).follows[:-1].astype(np.int64)
    until = np.full(len(one_play), NEVER)
    reach = np.eye(len(one_play), dtype=np.int64)[0]
    for turn in range(1, len(one_play) + 1):
        for _ in range(rules.players):
            reach = (reach @ one_play > 0).astype(np.int64)
        until[(until == NEVER) & (reach > 0)] = turn
    if rules.round_ends == "call" and rules.lead == "any":
        until = np.minimum(until, AFTER_A_CALL)
    until.setflags(write=False)
    return until


@lru_cache(maxsize=256)
def chance_of_proof(rules: Rules) -> NDArray[np.float64]:
    """(copies + 1, most + 1): the chance that one of those who may call holds what proves a claim false.

    Row: cards of the claimed rank (jokers left aside) that the seat making the claim does not have in sight. Column:
    cards claimed. Whoever holds more than `copies` less the cards claimed knows. The unseen cards are taken to lie with
    the other hands, each equally likely.
    """
    copies, others = rules.suits * rules.decks, rules.players - 1
    callers = 1 if rules.callers == "next" else others
    chances = np.zeros((copies + 1, copies + rules.jokers + 2))
    for unseen in range(copies + 1):
        for count in range(chances.shape[1]):
            need = copies + rules.jokers - count + 1
            one = sum(
                comb(unseen, x) * (1 / others) ** x * (1 - 1 / others) ** (unseen - x)
                for x in range(max(need, 0), unseen + 1)
            )
            chances[unseen, count] = min(1.0, callers * one)
    chances.setflags(write=False)
    return chances
