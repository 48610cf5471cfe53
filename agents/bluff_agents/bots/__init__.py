"""The scripted players: `random`, `honest` and `counter`. They see only observations and masks, like everyone else."""

from __future__ import annotations

from bluff_agents.bots.bot import Bot
from bluff_agents.bots.counter import Counter
from bluff_agents.bots.honest import Honest
from bluff_agents.bots.uniform import Random

BOTS: dict[str, type[Bot]] = {bot.NAME: bot for bot in (Random, Honest, Counter)}


def bot_names() -> tuple[str, ...]:
    """The names of all bots, weakest first."""
    return tuple(BOTS)
