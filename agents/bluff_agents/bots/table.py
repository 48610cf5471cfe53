"""What the other seats are like: their hands in the race to be out first, and how often they call."""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_agents.bots.look import called_in_all, plays_in_all, plays_told, recent_calls, size_of
from bluff_env.engine.compiling import jit
from bluff_env.engine.state import P_CALLED, P_PILE, P_STOCK_SIZE

#: What an empty stock stands for under `whole_stock` [B7].
INSTEAD = 3


@jit
def rivals_of(rule: Any, mind: Any, o: Any) -> Any:
    """What the other hands count in the race."""
    found = 0.0
    for seat in range(1, rule.seats):
        found += mind.weight[size_of(rule, o, seat)]
    return found


@jit
def called_of_late(rule: Any, mind: Any, o: Any) -> Any:
    """The share of plays that are called, from the last H of them and from all so far."""
    late = (recent_calls(rule, o) + mind.firm * mind.start) / (plays_told(rule, o) + mind.firm)
    if mind.long <= 0:
        return late
    ever = min((called_in_all(rule, o) + mind.firm * mind.start) / (plays_in_all(rule, o) + mind.firm), 1.0)
    return min(late + mind.long * (ever - late), 0.97)


@jit
def tempo_of(rule: Any, mind: Any, o: Any) -> Any:
    """How many times more a seat counts that leads. Where all is called a leader tells the truth, and leads again."""
    return np.exp(mind.tempo * (1 + mind.hot * called_of_late(rule, mind, o) ** mind.heat))


@jit
def tilt_of(rule: Any, mind: Any, o: Any, who: int) -> Any:
    """How much likelier a seat's lies are than other people's, by its plays that were turned up."""
    at = rule.obs_at[P_CALLED] + 3 * who
    return ((mind.record + o[at]) / (mind.record + o[at + 1])) ** mind.grudge


@jit
def callers_after(rule: Any, who: int) -> Any:
    """How many seats are asked about a play of `who` after the observer has declined. [C3]"""
    if rule.callers_next:
        return 0
    return rule.seats - 2 if rule.race else who - 1


@jit
def penalty_of(rule: Any, o: Any) -> Any:
    """Cards that the wrong party takes, if the right party can pay what the stock lacks. [C4] [B6] [B7]"""
    if rule.penalty == 0:
        return 0 + o[rule.obs_at[P_PILE]]
    stock = 0 + o[rule.obs_at[P_STOCK_SIZE]]
    owed = rule.penalty
    if owed < 0:
        owed = stock if stock > 0 else INSTEAD
    return owed if rule.from_opponent else min(owed, stock)


@jit
def gift_of(rule: Any, o: Any, right: int) -> Any:
    """Those of them that come from the right party's hand of `right` cards. [B7]"""
    if rule.penalty == 0 or not rule.from_opponent:
        return 0
    lacking = penalty_of(rule, o) - o[rule.obs_at[P_STOCK_SIZE]]
    return min(max(lacking, 0), right)


@jit
def taken_of(rule: Any, o: Any, right: int) -> Any:
    """Cards that the wrong party takes from the pile or the stock and from the right party's hand of `right` cards."""
    if rule.penalty == 0 or not rule.from_opponent:
        return penalty_of(rule, o)
    return min(penalty_of(rule, o), o[rule.obs_at[P_STOCK_SIZE]] + right)
