"""How likely a bot that counts thinks it that the play on the table is true."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bluff_agents.agent import Agent, as_counts
from bluff_agents.bots.counter import Counter
from bluff_agents.bots.doubt import doubt
from bluff_agents.bots.suited_doubt import suited_doubt
from bluff_env.engine.compiling import entry
from bluff_env.engine.row import row
from bluff_env.engine.state import MAX_KINDS
from bluff_env.engine.table import rule_in


@entry
def doubt_rows(rules: Any, minds: Any, counts: Any, work: Any, found: Any) -> None:
    """The chance that the play on the table is a lie, into (B,) float64, from (B, D) int8 counts.

    `rules` and `minds` are arrays of length 1: the compiled rules and the player's mind. `work`: a number a kind of
    card, int64, scratch.
    """
    rule, mind = rule_in(rules), minds[0]
    for i in range(counts.shape[0]):
        o = row(counts, i)
        found[i] = suited_doubt(rule, mind, o, work) if mind.suited else doubt(rule, mind, o)


def truth(agent: Agent, observation: NDArray[Any]) -> float | None:
    """The chance that the play on the table is true, as an agent that counts reckons it; None of any other.

    Args:
        agent: who is asked.
        observation: (1, D), of a seat that is asked whether it calls.
    """
    if not isinstance(agent, Counter):
        return None
    counts = np.require(as_counts(agent.layout, observation), requirements=("C", "W"))
    found: NDArray[np.float64] = np.zeros(1, np.float64)
    doubt_rows(agent.compiled, agent.mind, counts, np.zeros(MAX_KINDS + 1, np.int64), found)
    return 1.0 - float(found[0])
