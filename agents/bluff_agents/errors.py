"""Errors about agents that are the user's to mend: one line naming the thing, what was found and what is expected."""

from __future__ import annotations

from bluff_env.errors import BluffError


class AgentError(BluffError):
    """An agent that cannot be found, read or seated: an unknown name, a faulty file, an agent for other rules."""
