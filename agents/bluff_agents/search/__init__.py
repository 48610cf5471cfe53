"""Players that search: they imagine the hidden cards and play games on from there. Far slower than the bots."""

from __future__ import annotations

from bluff_agents.search.ismcts import Ismcts

#: Like `bots.BOTS`, by the names that `bluff_agents.load` takes.
SEARCHERS: dict[str, type[Ismcts]] = {Ismcts.NAME: Ismcts}

__all__ = ["SEARCHERS", "Ismcts"]
