"""To call or not: the share in the race to be out first after every outcome, weighed by the chance of a lie."""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_agents.bots.doubt import doubt
from bluff_agents.bots.look import claimant_of, plays_told, recent_calls, size_of, which
from bluff_agents.bots.plan import HAND, take_up, worth
from bluff_agents.bots.suited_doubt import suited_doubt
from bluff_agents.bots.suited_plan import hand_weight, heights
from bluff_agents.bots.suspicion import suspect
from bluff_agents.bots.table import called_of_late, callers_after, gift_of, rivals_of, taken_of, tempo_of
from bluff_env.engine.compiling import jit
from bluff_env.engine.state import P_CLAIM, P_HAND, P_PILE, P_STOCK_SIZE, P_TURNS, RIGHT_PARTY, WRONG_PARTY

#: Turns a seat, and at most, after which a game is thought to get nowhere.
TURNS_A_SEAT = 75
MOST_TURNS = 300


@jit
def own_weight(rule: Any, mind: Any, o: Any, who: int, work: Any) -> Any:
    """What the own hand counts in the race while the play of another is on the table."""
    if mind.suited:
        return hand_weight(mind, size_of(rule, o, 0), heights(rule, o))
    hand = work[HAND]
    for kind in range(rule.kinds):
        hand[kind] = o[rule.obs_at[P_HAND] + kind]
    return np.exp(worth(rule, mind, hand, who))  # its next claim comes n - who ranks after the one on the table


@jit
def weary(rule: Any, o: Any, noise: float) -> Any:
    """Whether to let a play pass for the sake of an end: where everybody calls, some games would never have one, and a
    game cut off is won by nobody [E2]. Ordinary games end long before.
    """
    long = min(TURNS_A_SEAT * rule.seats, MOST_TURNS)
    gone = o[rule.obs_at[P_TURNS]] * rule.max_turns // rule.turns_scale
    return gone > long and noise > max(1 - (gone - long) / (2 * long), 0.25)


@jit
def calls(rule: Any, mind: Any, o: Any, noise: float, work: Any) -> Any:
    """Whether to call the play on the table. Every last card is: if it was true the game is lost anyway."""
    if weary(rule, o, noise):
        return False
    who = claimant_of(rule, o)
    mine, theirs = size_of(rule, o, 0), size_of(rule, o, who)
    if theirs == 0:
        return True
    lie = suited_doubt(rule, mind, o, work[HAND]) if mind.suited else doubt(rule, mind, o)
    if mind.trust <= 1:
        return lie >= mind.trust
    tempo = tempo_of(rule, mind, o) if mind.suited else 1.0
    mine_now, theirs_now = own_weight(rule, mind, o, who, work), mind.weight[theirs]
    rest = rivals_of(rule, mind, o) - theirs_now
    top = which(o, rule.obs_at[P_CLAIM], rule.claims)
    unfollowed = rule.follow_count[top] == 0
    now = mine_now / (mine_now + rest + (theirs_now * tempo if unfollowed else theirs_now))
    bonus_right = tempo if rule.after_call == RIGHT_PARTY else 1.0
    bonus_wrong = tempo if rule.after_call == WRONG_PARTY else 1.0
    # right: the claimant takes the penalty
    took, given = taken_of(rule, o, mine), gift_of(rule, o, mine)
    right = 1.0
    if mine > given:
        lighter = mine_now * mind.weight[mine - given] / mind.weight[mine] * bonus_right
        right = lighter / (lighter + rest + mind.weight[theirs + took] * bonus_wrong)
    # wrong: the observer does
    took, given = taken_of(rule, o, theirs), gift_of(rule, o, theirs)
    wrong = 0.0
    if theirs > given:
        heavier = mine_now * mind.weight[mine + took] / mind.weight[mine]
        if rule.penalty == 0 and not mind.suited:
            take_up(rule, o, 0, work[HAND])
            heavier = min(np.exp(worth(rule, mind, work[HAND], who)), mine_now)
        heavier *= bonus_wrong
        wrong = heavier / (heavier + rest + mind.weight[theirs - given] * bonus_right)
    after = callers_after(rule, who)
    if mind.others > 0 and after > 0 and rule.seats > 2:
        # whoever is asked later may call instead, and bear what it costs
        rate = min(mind.others * called_of_late(rule, mind, o) * (0.5 + lie), 1.0)
        waits = 1 - (1 - rate) ** after
        took = taken_of(rule, o, mine)
        lied = mine_now / (mine_now + rest * 1.05 + mind.weight[theirs + took] * bonus_wrong)
        told = mine_now / (mine_now + rest * (rule.seats - 3) / (rule.seats - 2) + theirs_now * bonus_right)
        now += waits * (lie * lied + (1 - lie) * told - now)
    caution = mind.caution
    if who == rule.seats - 1 and plays_told(rule, o) == 1:
        caution *= mind.first  # nobody was asked before: who leads now may lead to the end
    if lie * (right - now) <= caution * (1 - lie) * (now - wrong):
        return False
    return not mind.patient or o[rule.obs_at[P_PILE]] > mind.patience * recent_calls(rule, o)


@jit
def answer(rule: Any, mind: Any, o: Any, mask: Any, noise: float, work: Any) -> Any:
    """Call, decline, or accuse whom it noticed when that is more likely to hit the guilty than a wrong one costs."""
    worth_it = mind.guilt > mind.caution / (mind.caution + 1)
    if worth_it and rule.a_accuse >= 0 and mask[rule.a_accuse] and o[rule.obs_at[P_STOCK_SIZE]] > 0:
        found = suspect(rule, o)
        if found > 0:
            return rule.a_accuse + found - 1
    return rule.a_call if calls(rule, mind, o, noise, work) else rule.a_decline
