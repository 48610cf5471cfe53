#!/usr/bin/env python3
"""PPO with masks in TorchRL, one learner at each of many tables.

    python scripts/train_torchrl.py --steps 300000 --seed 0 --out torchrl.safetensors

At the end it says how often the agent wins alone against three random players, with a 95 % interval. The agent file
plays everywhere: bluff evaluate --rules bloff --agents torchrl.safetensors honest
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import bluff_agents
from bluff_agents.agentfile import write_agent
from bluff_agents.evaluation import evaluate
from bluff_env import BluffError
from bluff_env.adapters.torchrl import BluffTorchRL


def parse() -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="bloff")
    parser.add_argument("--opponents", default="random", help="what bluff_agents.load takes")
    parser.add_argument("--steps", type=int, default=300_000, help="the learner's decisions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", type=int, default=128)
    parser.add_argument("--deals", type=int, default=100, help="judged by so many, each in all rotations of the seats")
    parser.add_argument("--out", type=Path, default=Path("torchrl.safetensors"), help="the agent file to write")
    return parser, parser.parse_args()


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
    env = BluffTorchRL(args.games, args.rules, args.opponents, seed=args.seed, max_turns=120)
    factor = np.sqrt(env.layout.scale)
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
    judged = evaluate(args.rules, [bluff_agents.load(args.out), bluff_agents.load("random", args.rules)], args.deals)
    alone = judged.matchups[0]
    print(
        f"{args.out}: won {alone.share:.1%} ({alone.low:.1%} – {alone.high:.1%}, 95 %) alone against random, "
        f"fair {1 / judged.rules.players:.0%}; {steps:,} steps, {steps / (time.monotonic() - begun):,.0f}/s"
    )


if __name__ == "__main__":
    parser, arguments = parse()
    try:
        train(arguments)
    except BluffError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
