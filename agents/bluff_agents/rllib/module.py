"""The network that RLlib trains: what an agent file can hold, with masked actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.inference_only_api import InferenceOnlyAPI
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

from bluff_agents.policy import ILLEGAL
from bluff_agents.training.activations import MODULES


class MaskedModule(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):  # type: ignore[misc]  # ray's types are unknown
    """A policy and a critic, two multi-layer perceptrons, for observations `Dict(observation, action_mask)`.

    Logits of actions that are not legal are `ILLEGAL`, so their share of the softmax is exactly 0.

    `model_config`:
        network: sizes of the hidden layers, of the policy and of the critic alike.
        activation: "tanh" or "relu".
        scale: (D,) numbers that the observation is multiplied by; folded into the first layer of the agent file.
        inclination: {action: number} added to the first policy's logits.
    """

    def setup(self) -> None:
        """Builds both networks, first weights as Stable-Baselines3 draws them."""
        inputs, actions = int(self.observation_space["observation"].shape[0]), int(self.action_space.n)
        config: Mapping[str, Any] = self.model_config
        hidden, activation = list(config["network"]), MODULES[config["activation"]]
        self.register_buffer("scale", torch.as_tensor(config["scale"], dtype=torch.float32), persistent=False)
        self.policy_net = mlp([inputs, *hidden, actions], activation, gain=0.01)
        self.value_net = mlp([inputs, *hidden, 1], activation, gain=1.0)
        head: Any = self.policy_net[-1]
        with torch.no_grad():
            for action, inclination in config["inclination"].items():
                head.bias[int(action)] += inclination

    def get_non_inference_attributes(self) -> list[str]:
        """Env runners need no critic."""
        return ["value_net"]

    def logits(self, seen: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """(B, A): one number an action, `ILLEGAL` where it is not legal."""
        logits = self.policy_net(seen["observation"] * self.scale)
        return torch.where(seen["action_mask"] > 0, logits, float(ILLEGAL))

    def _forward(self, batch: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """For acting and for learning alike."""
        return {Columns.ACTION_DIST_INPUTS: self.logits(batch[Columns.OBS])}

    def compute_values(self, batch: Mapping[str, Any], embeddings: Any = None) -> torch.Tensor:
        """(B,): what the agent may expect to be paid."""
        values: torch.Tensor = self.value_net(batch[Columns.OBS]["observation"] * self.scale)
        return values.squeeze(-1)


def mlp(sizes: Sequence[int], activation: type[nn.Module], gain: float) -> nn.Sequential:
    """Linear layers with the activation between them; orthogonal weights, those of the last one times `gain`."""
    layers: list[nn.Module] = []
    for number, (inputs, outputs) in enumerate(pairwise(sizes), start=1):
        layer, last = nn.Linear(inputs, outputs), number == len(sizes) - 1
        nn.init.orthogonal_(layer.weight, gain if last else 2**0.5)
        nn.init.zeros_(layer.bias)
        layers += [layer] if last else [layer, activation()]
    return nn.Sequential(*layers)
