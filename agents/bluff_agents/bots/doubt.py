"""Unsuited games: how likely the play on the table is a lie, from what the observer has in sight and what people do."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.bots.look import claimant_of, size_of, total
from bluff_agents.bots.mind import COUNTS, MOST
from bluff_agents.bots.table import tilt_of
from bluff_env.engine.compiling import jit
from bluff_env.engine.state import P_CLAIMED, P_COUNT, P_HAND, P_KNOWN, P_MINE, P_PILE, P_START

#: log k! for k from 0
LOG_FACTORIAL: Final[NDArray[np.float64]] = np.concatenate([[0.0], np.log(np.arange(1.0, MOST)).cumsum()])


@jit
def chance_of(x: int, cards: int, marked: int, drawn: int) -> Any:
    """The chance of x marked cards among `drawn` of `cards` cards with `marked` marked ones (hypergeometric)."""
    if x < 0 or x > marked or x > drawn or drawn - x > cards - marked:
        return 0.0
    log = LOG_FACTORIAL
    ways = log[cards] - log[marked] - log[cards - marked]
    hits = log[drawn] - log[x] - log[drawn - x]
    rest = log[cards - drawn] - log[marked - x] - log[cards - drawn - marked + x]
    return np.exp(hits + rest - ways)


@jit
def doubt(rule: Any, mind: Any, o: Any) -> Any:
    """The chance that the play on the table is a lie; 1 where own sight proves it.

    Bayes' rule over how many cards of the rank the claimant held before: just those claimed, or more, and laid
    truthfully; none, and it lied; or fewer, and false cards among them. The claim on the table is the relative rank 0;
    a joker makes any claim true.
    """
    n, kinds, joker = rule.seats, rule.kinds, rule.claims
    jokers = kinds > joker
    count, who = 0 + o[rule.obs_at[P_COUNT]], claimant_of(rule, o)
    hand, mine, known = rule.obs_at[P_HAND], rule.obs_at[P_MINE], rule.obs_at[P_KNOWN]
    mine_cards = total(o, mine, kinds)
    unknown = rule.deck_size - size_of(rule, o, 0) - mine_cards
    marked = mind.copies - o[hand] - o[mine]
    if jokers:
        marked += mind.jokers - o[hand + joker] - o[mine + joker]
    if rule.obs_at[P_START] >= 0:
        unknown -= total(o, rule.obs_at[P_START], kinds)
        marked -= o[rule.obs_at[P_START]]
    claimed = -count
    theirs, sure = 0, 0
    for seat in range(1, n):
        at = known + seat * kinds
        cards = total(o, at, kinds)
        right = 0 + o[at]
        if jokers:
            right += o[at + joker]
        unknown -= cards
        marked -= right
        claimed += o[rule.obs_at[P_CLAIMED] + seat * rule.claims]
        if seat == who:
            theirs, sure = cards, right
    in_pile = o[rule.obs_at[P_PILE]] - count - mine_cards
    unknown = max(unknown - int(np.rint(mind.pile_known * in_pile)), 0)
    marked = min(max(marked - int(np.rint(mind.told * max(claimed, 0))), 0), unknown)
    drawn = min(max(size_of(rule, o, who) + count - theirs, 0), unknown)
    short = min(count, COUNTS - 1)
    none = chance_of(-sure, unknown, marked, drawn)
    short_by_one = chance_of(count - 1 - sure, unknown, marked, drawn)
    true = chance_of(count - sure, unknown, marked, drawn)
    for more in range(count + 1, mind.copies + 1):
        true += mind.held * chance_of(more - sure, unknown, marked, drawn)
    tilt = tilt_of(rule, mind, o, who)
    lies = mind.lies[short] * (tilt if count > 1 else 1.0)  # who holds nothing must lie, whoever it is
    false = none**mind.options * lies + tilt * (
        short_by_one * mind.fillers[short] + (1 - none) * mind.stray * mind.lies[short]
    )
    false *= min((size_of(rule, o, who) + 1) / mind.dealt, 1.0) ** mind.near
    return 1 / (1 + (true / (false + 1e-9)) ** mind.shrink)
