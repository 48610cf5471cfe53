#!/usr/bin/env python3
"""PPO with masks in TorchRL, one learner at each of many tables.

    python scripts/train_torchrl.py --steps 300000 --seed 0 --out torchrl.safetensors

At the end it says how often the agent wins alone against three random players, with a 95 % interval. The agent file
plays everywhere: bluff evaluate --rules bloff --agents torchrl.safetensors honest
"""

import argparse
import sys
import time

import numpy as np
import torch
from _example import judge, run, table_parser
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import bluff_env
from bluff_agents.agentfile import write_agent
from bluff_agents.policy import input_scale
from bluff_env.adapters.torchrl import BluffTorchRL


class Scale(nn.Module):
    """Observations times a factor: counts are in [0, 1], where one card more of many is hardly seen."""

    def __init__(self, factor: np.ndarray) -> None:
        super().__init__()
        self.register_buffer("factor", torch.tensor(factor))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return observation * self.factor


def layers(network: nn.Module, factor: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights (in, out) and biases, as agent files hold them; the factor goes into the first weights."""
    linear = [part for part in network.modules() if isinstance(part, nn.Linear)]
    found = [(part.weight.detach().T.numpy().copy(), part.bias.detach().numpy().copy()) for part in linear]
    return [(factor[:, None] * found[0][0], found[0][1]), *found[1:]]


def train(args: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)  # TorchRL draws actions from torch's own generator
    rules = bluff_env.rules(args.rules)
    env = BluffTorchRL(args.games, rules, args.opponents, seed=args.seed, max_turns=min(120, rules.max_turns))
    factor = input_scale(env.layout)
    size, actions, hidden = (
        env.layout.size,
        env.layout.n_actions,
        {"num_cells": [128, 128], "activation_class": nn.Tanh},
    )
    policy, critic = MLP(size, actions, **hidden), MLP(size, 1, **hidden)
    nn.init.orthogonal_(policy[-1].weight, 0.01)
    with torch.no_grad():
        policy[-1].bias[env.layout.actions["call"]] -= 2.0  # a beginner who calls everything learns nothing else
    actor = ProbabilisticActor(
        TensorDictModule(nn.Sequential(Scale(factor), policy), ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},  # how the mask reaches the distribution
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    value = ValueOperator(nn.Sequential(Scale(factor), critic))
    gae = GAE(gamma=1.0, lmbda=0.97, value_network=value, average_gae=True)
    loss = ClipPPOLoss(actor, value, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, loss_critic_type="l2")
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3, eps=1e-5)
    frames = 32 * args.games
    steps, begun = 0, time.monotonic()
    collector = Collector(
        env, actor, frames_per_batch=frames, total_frames=-(-args.steps // frames) * frames,
        auto_register_policy_transforms=False,
    )  # fmt: skip
    for rollout in collector:
        with torch.no_grad():
            gae(rollout)
        flat = rollout.reshape(-1)
        for _ in range(4):
            for rows in torch.randperm(len(flat)).split(1024):
                losses = loss(flat[rows])
                optimizer.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        steps += frames
        ended = rollout["next", "done"]
        if steps // frames % 10 == 0 or steps >= args.steps:
            paid = rollout["next", "reward"][ended].mean() if ended.any() else float("nan")
            rate = steps / (time.monotonic() - begun)
            print(f"{steps:,} steps, {rate:,.0f}/s, mean reward {paid:.2f}", file=sys.stderr, flush=True)
    write_agent(args.out, args.rules, layers(policy, factor), value=layers(critic, factor))
    judge(args, steps, time.monotonic() - begun)


if __name__ == "__main__":
    run(table_parser(__doc__, 300_000, "torchrl.safetensors"), train)
