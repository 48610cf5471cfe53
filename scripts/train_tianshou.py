#!/usr/bin/env python3
"""PPO with masks in Tianshou, one learner at each of many tables.

    python scripts/train_tianshou.py --steps 300000 --seed 0 --out tianshou.safetensors

At the end it says how often the agent wins alone against three random players, with a 95 % interval. The agent file
plays everywhere: bluff evaluate --rules bloff --agents tianshou.safetensors honest
"""

import argparse
import time
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from _example import judge, run, table_parser
from tianshou.algorithm.modelfree.ppo import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.trainer import OnPolicyTrainerParams
from tianshou.utils.net.common import AbstractDiscreteActor
from torch import nn

import bluff_env
from bluff_agents.agentfile import write_agent
from bluff_agents.policy import input_scale
from bluff_env.adapters.tianshou import BluffTianshou


class Perceptron(nn.Module):
    """From (B, D) observations in [0, 1], times a factor: there one card more of many is hardly seen."""

    def __init__(self, factor: np.ndarray, outputs: int) -> None:
        super().__init__()
        self.register_buffer("factor", torch.tensor(factor))
        pairs = list(pairwise([len(factor), 128, 128, outputs]))
        self.net = nn.Sequential(*[part for pair in pairs for part in (nn.Linear(*pair), nn.Tanh())][:-1])

    def forward(self, observation: Any) -> torch.Tensor:
        return self.net(torch.as_tensor(observation) * self.factor)

    def layers(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Weights (in, out) and biases, as agent files hold them; the factor goes into the first weights."""
        linear = [part for part in self.net if isinstance(part, nn.Linear)]
        found = [(part.weight.detach().T.numpy().copy(), part.bias.detach().numpy().copy()) for part in linear]
        return [(self.factor.numpy()[:, None] * found[0][0], found[0][1]), *found[1:]]


class Actor(AbstractDiscreteActor):
    """Logits, -1e8 where the mask says no: how the mask reaches the distribution."""

    def __init__(self, net: Perceptron, actions: int) -> None:
        super().__init__(actions)
        self.net = net

    def get_preprocess_net(self) -> Any:
        return self.net

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        return self.net(obs.obs).masked_fill(~torch.as_tensor(obs.mask), -1e8), state


class Critic(nn.Module):
    def __init__(self, net: Perceptron) -> None:
        super().__init__()
        self.net = net

    def forward(self, obs: Batch) -> torch.Tensor:
        return self.net(obs.obs)


def train(args: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)  # Tianshou draws actions from torch's own generator,
    np.random.seed(args.seed)  # noqa: NPY002  # and the order of samples from NumPy's
    rules = bluff_env.rules(args.rules)
    envs = BluffTianshou(args.games, rules, args.opponents, seed=args.seed, max_turns=min(120, rules.max_turns))
    layout = envs.layout
    factor = input_scale(layout)
    policy, value = Perceptron(factor, layout.n_actions), Perceptron(factor, 1)
    with torch.no_grad():
        policy.net[-1].weight *= 0.1
        policy.net[-1].bias[layout.actions["call"]] -= 2.0  # a beginner who calls everything learns nothing else
    algorithm = PPO(
        policy=DiscreteActorPolicy(actor=Actor(policy, layout.n_actions), action_space=envs.action_space[0]),
        critic=Critic(value),
        optim=AdamOptimizerFactory(lr=1e-3, eps=1e-5),
        gamma=1.0,
        gae_lambda=0.97,
        ent_coef=0.01,
        max_grad_norm=0.5,
        max_batchsize=4096,
    )
    rollout = 32 * args.games
    rollouts = -(-args.steps // rollout)
    collector = Collector(algorithm, envs, VectorReplayBuffer(rollout, args.games))
    collector.reset()
    begun = time.monotonic()
    algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=rollouts * rollout,
            collection_step_num_env_steps=rollout,
            batch_size=1024,
            update_step_num_repetitions=4,
            verbose=False,
        )
    )
    steps, seconds = rollouts * rollout, time.monotonic() - begun
    write_agent(args.out, args.rules, policy.layers(), value=value.layers())
    judge(args, steps, seconds)


if __name__ == "__main__":
    run(table_parser(__doc__, 300_000, "tianshou.safetensors"), train)
