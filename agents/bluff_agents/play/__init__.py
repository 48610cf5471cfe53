"""A person at the table: the game as one seat sees it, in words, for the terminal and for the web."""

from __future__ import annotations

from bluff_agents.play.explaining import explain
from bluff_agents.play.session import PlayError, Session, default_opponent

__all__ = ["PlayError", "Session", "default_opponent", "explain"]
