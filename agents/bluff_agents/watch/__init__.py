"""Watching recorded games: step by step, with all hands open or one seat's view, and agents' opinions beside it."""

from __future__ import annotations

from bluff_agents.watch.shelf import Shelf, WatchError
from bluff_agents.watch.showing import Showing

__all__ = ["Shelf", "Showing", "WatchError"]
