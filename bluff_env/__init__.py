"""bluff-env: the bluffing card games Bløff, Bluff and Blöf (the Cheat family) for reinforcement learning.

Start with `bluff_v0.env()` (PettingZoo AEC), `gymnasium.make("bluff_env:Bluff-v0")` (one seat against opponents),
`GameBatch` (thousands of games at once) or `Game` (one game, for people and programs).
"""

from __future__ import annotations

from bluff_env.engine.batch import GameBatch, Snapshot
from bluff_env.errors import BluffError
from bluff_env.layout import Layout, layout
from bluff_env.ruleset import Rules, name_of, rule_names, rules

__all__ = ["BluffError", "GameBatch", "Layout", "Rules", "Snapshot", "layout", "name_of", "rule_names", "rules"]
__version__ = "0.1.0"
