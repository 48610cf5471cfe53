"""Training with RLlib on Ray, on one machine or many: docs/rllib.md. Needs the extra `rllib`, but for `recipe`."""

from __future__ import annotations

from bluff_agents.rllib.recipe import FRAMEWORK, RllibRecipe, read_recipe

__all__ = ["FRAMEWORK", "RllibRecipe", "read_recipe"]
