"""Training by self-play. Needs the extra `train`; `recipe` alone needs neither torch nor SB3."""

from __future__ import annotations

from bluff_agents.training.recipe import Recipe, read_recipe

__all__ = ["Recipe", "read_recipe"]
