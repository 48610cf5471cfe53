"""From RLlib's weights to agent files, which play without ray and without torch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import bluff_env
from bluff_agents.agentfile import RUN_AGENT, write_agent
from bluff_agents.policy import Layer, PolicyAgent, input_scale
from bluff_agents.rllib.recipe import SHARED, RllibRecipe

#: Weights of one module, as `learner_group.get_weights()` gives them: {parameter: array}.
Weights = Mapping[str, Any]

_POLICY: Final = "policy_net"
_VALUE: Final = "value_net"


def layers(weights: Weights, net: str, scale: NDArray[np.float32]) -> list[Layer]:
    """The layers of a `MaskedModule`'s policy_net or value_net: weights (in, out) and biases (out,), copied, the
    factors of the input within the first.
    """
    numbers = sorted({int(name.split(".")[1]) for name in weights if name.startswith(f"{net}.")})
    rows = [(_array(weights[f"{net}.{at}.weight"]).T, _array(weights[f"{net}.{at}.bias"])) for at in numbers]
    return [(scale[:, None] * rows[0][0], rows[0][1]), *rows[1:]]


def agent(recipe: RllibRecipe, weights: Weights, name: str) -> PolicyAgent:
    """What the weights play under the rules of the recipe."""
    scale = input_scale(bluff_env.layout(recipe.rules))
    return PolicyAgent(recipe.rules, layers(weights, _POLICY, scale), recipe.activation, name=name)


def write_agents(recipe: RllibRecipe, weights: Mapping[str, Weights], steps: int, folder: Path) -> None:
    """The agent files of a run: agent.safetensors, and with one policy a seat player_0.safetensors … beside it, the
    first of which agent.safetensors is.
    """
    scale = input_scale(bluff_env.layout(recipe.rules))
    for number, (policy, state) in enumerate(weights.items()):
        info = {
            "recipe": recipe.name, "steps": steps, "seed": recipe.seed, "trained_by": "rllib", "policy": policy,
            "rewards": recipe.training_rules.rewards,  # what the critic has learnt to expect
        }  # fmt: skip
        names = [] if policy == SHARED else [seat_file(policy)]
        for file in names if number else [*names, RUN_AGENT]:
            write_agent(
                folder / file, recipe.rules, layers(state, _POLICY, scale), recipe.activation,
                value=layers(state, _VALUE, scale), info=info,
            )  # fmt: skip


def seat_file(policy: str) -> str:
    """What a run folder calls the agent file of one seat's policy."""
    return f"{policy}.safetensors"


def _array(value: Any) -> NDArray[np.float32]:
    """Fresh, whether RLlib gives tensors or arrays."""
    found = value.detach().cpu().numpy() if hasattr(value, "detach") else value
    return np.array(found, np.float32)
