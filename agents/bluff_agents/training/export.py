"""From a MaskablePPO model to what plays without torch: the layers of its policy, as numpy arrays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from torch import nn

from bluff_agents.errors import AgentError
from bluff_agents.policy import Layer, PolicyAgent
from bluff_agents.training.activations import MODULES
from bluff_env import Rules

_NAMES: Final = {module: name for name, module in MODULES.items()}


def policy_agent(model: Any, rules: Rules, name: str = "self") -> PolicyAgent:
    """The present policy of a MaskablePPO model with MlpPolicy, as an agent that later updates do not change."""
    return PolicyAgent(rules, policy_layers(model), activation_of(model), name=name)


class Average:
    """The mean of a policy's weights after each of its updates, the k-th counting k times.

    Averaging is what makes fictitious play and CFR+ converge where the present policy goes round in circles; over the
    weights of one network that moves slowly it stands in for the mean of the policies (Polyak averaging, with the
    weights of Shamir and Zhang 2013, Stochastic Gradient Descent for Non-smooth Optimization, η = 1).

    Attributes:
        updates: how many are in it.
        layers: float64, as of `policy_layers`.
    """

    def __init__(self) -> None:
        self.updates = 0
        self.layers: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []

    def add(self, layers: list[Layer]) -> None:
        """The policy after one more update."""
        self.updates += 1
        share = 2 / (self.updates + 1)
        wide = [(weight.astype(np.float64), bias.astype(np.float64)) for weight, bias in layers]
        if self.updates > 1:
            wide = [
                (old + share * (new - old), old_bias + share * (bias - old_bias))
                for (old, old_bias), (new, bias) in zip(self.layers, wide, strict=True)
            ]
        self.layers = wide

    def policy_layers(self) -> list[Layer]:
        """The mean, as agents play it."""
        return [(weight.astype(np.float32), bias.astype(np.float32)) for weight, bias in self.layers]


def policy_layers(model: Any) -> list[Layer]:
    """The policy's layers from the observation to the logits: weights (in, out) and biases (out,), copied."""
    return _layers(model.policy, model.policy.mlp_extractor.policy_net, model.policy.action_net)


def value_layers(model: Any) -> list[Layer]:
    """The critic's layers from the observation to one number."""
    return _layers(model.policy, model.policy.mlp_extractor.value_net, model.policy.value_net)


def activation_of(model: Any) -> str:
    """The name of the activation between the layers.

    Raises:
        AgentError: one that agent files do not know.
    """
    found = model.policy.activation_fn
    if found not in _NAMES:
        raise AgentError(f"activation {found.__name__}: not one that agents play; {', '.join(_NAMES.values())}")
    return _NAMES[found]


def _layers(policy: Any, hidden: nn.Sequential, head: nn.Linear) -> list[Layer]:
    rows = [(_copy(layer.weight).T, _copy(layer.bias)) for layer in [*hidden, head] if isinstance(layer, nn.Linear)]
    scale = getattr(policy.features_extractor, "scale", None)
    if scale is not None:  # a fixed factor on every input is a factor on the first weights
        rows[0] = (_copy(scale)[:, None] * rows[0][0], rows[0][1])
    return rows


def _copy(tensor: Any) -> NDArray[np.float32]:
    array: NDArray[np.float32] = tensor.detach().cpu().numpy().copy()
    return array
