"""The activations that agent files know, as torch's modules."""

from __future__ import annotations

from typing import Final

from torch import nn

#: {the name in recipes and agent files: the module}; the names are those of `bluff_agents.policy.ACTIVATIONS`.
MODULES: Final[dict[str, type[nn.Module]]] = {"tanh": nn.Tanh, "relu": nn.ReLU}
