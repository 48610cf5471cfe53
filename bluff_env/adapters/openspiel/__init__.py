"""OpenSpiel: every rule set as the game `python_bluff`. Needs open_spiel (the extra `openspiel`).

import pyspiel
import bluff_env.adapters.openspiel  # registers the game

game = pyspiel.load_game("python_bluff(rules=tiny)")
state = game.new_initial_state()

docs/openspiel.md has the parameters, what the tensors hold, and what runs.
"""

from __future__ import annotations

import pyspiel

from bluff_env.adapters.openspiel.game import GAME_TYPE, NAME, BluffGame, BluffState, state_of
from bluff_env.adapters.openspiel.text import rules_of, text_of

__all__ = ["NAME", "BluffGame", "BluffState", "rules_of", "state_of", "text_of"]

if NAME not in pyspiel.registered_names():
    pyspiel.register_game(GAME_TYPE, BluffGame)
