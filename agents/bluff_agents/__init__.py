"""bluff_agents: players for bluff_env. `load("counter", rules)` seats a bot, a trained agent or one of your own."""

from __future__ import annotations

from bluff_agents.agent import Agent
from bluff_agents.bots import bot_names
from bluff_agents.errors import AgentError
from bluff_agents.loading import load

__all__ = ["Agent", "AgentError", "bot_names", "load"]
