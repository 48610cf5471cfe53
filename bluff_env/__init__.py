"""bluff-env: the bluffing card games Bløff, Bluff and Blöf (the Cheat family) for reinforcement learning.

Start with `bluff_v0.env()` (PettingZoo AEC, also by `pettingzoo.make("aec", "bluff_env/bluff-v0")`),
`gymnasium.make("bluff_env:Bluff-v0")` (one seat against opponents) and `gymnasium.make_vec` (the same, many games at
once), `GameBatch` (thousands of games at once) or `Game` (one game, for people and programs).
"""

from __future__ import annotations

import gymnasium
import pettingzoo

from bluff_env import bluff_v0
from bluff_env.engine.batch import GameBatch, Snapshot
from bluff_env.errors import BluffError
from bluff_env.game import Game, View
from bluff_env.layout import Layout, layout
from bluff_env.moves import Move
from bluff_env.ruleset import Rules, name_of, rule_names, rules

__all__ = [
    "BluffError",
    "Game",
    "GameBatch",
    "Layout",
    "Move",
    "Rules",
    "Snapshot",
    "View",
    "bluff_v0",
    "layout",
    "name_of",
    "rule_names",
    "rules",
]
__version__ = "0.1.0"

gymnasium.register(
    id="Bluff-v0", entry_point="bluff_env.single:BluffEnv", vector_entry_point="bluff_env.vector:BluffVectorEnv"
)
pettingzoo.register("aec", "bluff_env/bluff-v0", entry_point="bluff_env.bluff_v0:env")
