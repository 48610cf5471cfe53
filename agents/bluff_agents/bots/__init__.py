"""The scripted players. They see only observations and masks, like everyone else."""

from __future__ import annotations

from bluff_agents.bots.adaptive import Adaptive
from bluff_agents.bots.always_call import AlwaysCall
from bluff_agents.bots.bold import Bold
from bluff_agents.bots.bot import Bot
from bluff_agents.bots.cautious import Cautious
from bluff_agents.bots.counter import Counter
from bluff_agents.bots.honest import Honest
from bluff_agents.bots.liar import Liar
from bluff_agents.bots.uniform import Random

BOTS: dict[str, type[Bot]] = {
    bot.NAME: bot for bot in (Random, Liar, AlwaysCall, Honest, Cautious, Bold, Adaptive, Counter)
}


def bot_names() -> tuple[str, ...]:
    """The names of all bots, the weaker ones first."""
    return tuple(BOTS)
