"""One decision of a counting player, compiled: which of its parts answers for which phase."""

from __future__ import annotations

from typing import Any

from bluff_agents.bots.call import answer
from bluff_agents.bots.gifts import gift, vote
from bluff_agents.bots.look import phase_of, size_of, which
from bluff_agents.bots.plan import claim, pick
from bluff_agents.bots.suited_plan import suited_claim, suited_pick, worst
from bluff_env.engine.compiling import entry, jit
from bluff_env.engine.row import row
from bluff_env.engine.state import ANSWER, CLAIM, DROP, GIVE, P_CLAIM, P_STOCK_SIZE, PICK, VOTE
from bluff_env.engine.table import rule_in


@jit
def drop(rule: Any, mind: Any, o: Any) -> Any:
    """The card least worth keeping, where one card less is worth more than the penalty, times being noticed. [D1]"""
    penalty = min(rule.dropp, o[rule.obs_at[P_STOCK_SIZE]])
    if size_of(rule, o, 0) > 1 and mind.noticed * penalty < 1:
        return rule.a_drop + worst(rule, mind, o, -1)
    return rule.a_drop_none


@jit
def decide(rule: Any, mind: Any, o: Any, mask: Any, noise: float, work: Any) -> Any:
    """The action of one row; 0 where the observer is not to move."""
    phase = phase_of(rule, o)
    if phase == ANSWER:
        return answer(rule, mind, o, mask, noise, work)
    if phase == PICK:
        if mind.suited:
            return suited_pick(rule, mind, o, mask, work)
        return pick(rule, mind, o, mask, which(o, rule.obs_at[P_CLAIM], rule.claims), work)
    if phase == CLAIM:
        return suited_claim(rule, mind, o, mask, work) if mind.suited else claim(rule, mind, o, mask, work)
    if phase == VOTE:
        return vote(rule, o)
    if phase == GIVE:
        return gift(rule, mind.keep, o, mask)
    if phase == DROP:
        return drop(rule, mind, o)
    return 0


@entry
def decide_rows(rules: Any, minds: Any, counts: Any, mask: Any, noise: Any, work: Any, actions: Any) -> None:
    """`decide` for every row.

    Args:
        rules, minds: arrays of length 1: the compiled rules and the player's mind.
        counts, mask: (B, D) int8 and (B, A) bool.
        noise: (B,) float64.
        work: (4, 64) int64, scratch.
        actions: (B,) int64, written.
    """
    rule = rule_in(rules)
    for i in range(counts.shape[0]):
        actions[i] = decide(rule, minds[0], row(counts, i), row(mask, i), noise[i], work)
