"""Dropp: whom to accuse, and when a drop pays. [D1] to [D4]"""

from __future__ import annotations

from typing import Any

from bluff_agents.bots.look import claimant_of, passes_before_the_play
from bluff_env import Rules
from bluff_env.engine.compiling import entry, jit
from bluff_env.engine.row import row
from bluff_env.engine.state import P_NOTICES
from bluff_env.engine.table import rule_in

#: Share of turns in which people are believed to drop a card.
DROPS = 0.2


def guilt(rules: Rules, drops: float = DROPS) -> float:
    """The chance that a notice is none of the false alarms; 0 without dropp."""
    if rules.dropp is None:
        return 0.0
    real, false = drops * rules.dropp.notice, (1 - drops) * rules.dropp.false_notice
    return real / (real + false) if real > 0 else 0.0


def noticed(rules: Rules) -> float:
    """The chance that at least one seat notices a drop; 0 without dropp."""
    return 0.0 if rules.dropp is None else 1 - (1 - rules.dropp.notice) ** (rules.players - 1)


@jit
def suspect(rule: Any, o: Any) -> Any:
    """The seat, counted from the observer, of which a notice has come since the last window; 0 for none.

    A drop before a pass is noticed when nobody is asked anything, so notices of the passes before the play count. Each
    notice is acted on once: in the first window after the turn it came from.
    """
    n, since, who = rule.seats, passes_before_the_play(rule, o), claimant_of(rule, o)
    for seat in range(1, n):
        back = (who - seat) % n  # turns from a seat's last one to the play on the table
        if back <= since and o[rule.obs_at[P_NOTICES] + seat] == rule.notice_cap - back:
            return seat
    return 0


@entry
def suspects(rules: Any, counts: Any, rows: Any, found: Any) -> None:
    """`suspect` for the given rows, one result each."""
    for i in range(len(rows)):
        found[i] = suspect(rule_in(rules), row(counts, rows[i]))
