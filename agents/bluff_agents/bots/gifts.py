"""Votes for another start card [B2], and which cards to give where the right party pays from its hand [B7]."""

from __future__ import annotations

from typing import Any

from bluff_agents.bots.look import which
from bluff_env.engine.bits import contains
from bluff_env.engine.compiling import entry, jit
from bluff_env.engine.row import row
from bluff_env.engine.state import P_CLAIM, P_HAND, P_PICKED, P_START
from bluff_env.engine.table import rule_in


@jit
def vote(rule: Any, o: Any) -> Any:
    """For another start card unless the hand can follow this one truthfully, or nothing can. [B2]"""
    start = which(o, rule.obs_at[P_START], rule.claims)
    hand = rule.obs_at[P_HAND]
    if rule.kinds > rule.claims and o[hand + rule.claims] > 0:
        return rule.a_decline
    followed = False
    for claim in range(rule.claims):
        if contains(rule.follow_bits[start], claim):
            followed = True
            if o[hand + claim] > 0:
                return rule.a_decline
    return rule.a_call if followed else rule.a_decline


@jit
def gift(rule: Any, keep: Any, o: Any, mask: Any) -> Any:
    """The card to give next, so that in the end those least worth keeping have been given.

    Picks go one way from the claim on, and a kind is open only while enough cards stand from it on: how many are still
    owed is read off the last open kind.

    Args:
        rule: the compiled rules.
        keep: (K,) how much each relative kind is worth keeping, all different.
        o, mask: the observation and the legal actions.
    """
    hand, picked = rule.obs_at[P_HAND], rule.obs_at[P_PICKED]
    claim = which(o, rule.obs_at[P_CLAIM], rule.claims)
    first, last = -1, 0
    for place in range(rule.kinds):
        if mask[rule.a_card + _kind(rule, claim, place)]:
            first = place if first < 0 else first
            last = place
    owed = 0
    for place in range(last, rule.kinds):
        kind = _kind(rule, claim, place)
        owed += o[hand + kind] - o[picked + kind]
    for place in range(first, last + 1):
        kind = _kind(rule, claim, place)
        if not mask[rule.a_card + kind]:
            continue
        worse = 0
        for other in range(first, rule.kinds):
            there = _kind(rule, claim, other)
            if keep[there] < keep[kind]:
                worse += o[hand + there] - o[picked + there]
        if worse < owed:
            return rule.a_card + kind
    return rule.a_card + _kind(rule, claim, first)


@jit
def _kind(rule: Any, claim: int, place: int) -> Any:
    """The relative kind at a place in the order of picks for a claim."""
    return place if place >= rule.claims else (claim + place) % rule.claims


@entry
def votes(rules: Any, counts: Any, rows: Any, actions: Any) -> None:
    """`vote` for the given rows."""
    for i in rows:
        actions[i] = vote(rule_in(rules), row(counts, i))


@entry
def gifts(rules: Any, keep: Any, counts: Any, mask: Any, rows: Any, actions: Any) -> None:
    """`gift` for the given rows."""
    for i in rows:
        actions[i] = gift(rule_in(rules), keep, row(counts, i), row(mask, i))
