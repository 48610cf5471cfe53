#!/usr/bin/env python3
"""PPO by self-play in one file: every seat of every game learns. Of the project it needs bluff_env alone.

    python scripts/ppo_selfplay_torch.py --rules bloff --steps 1000000 --seed 0 --out selfplay.safetensors
    bluff evaluate --rules bloff --agents selfplay.safetensors random --deals 200

A step is one decision of one seat. N games advance together (`GameBatch`), and in each some seat is to move, so what a
seat lived through is scattered over the rows of a rollout: `advantages` picks up its thread. The same seed and
arguments give the same agent, number for number, on the same machine.
"""

import argparse
import json
import os
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save
from torch import nn

import bluff_env
from bluff_env import BluffError, GameBatch


def parse() -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    add = parser.add_argument
    add("--rules", default="bloff", help="a named rule set (see `bluff rules`) or a YAML file")
    add("--steps", type=whole, default=1_000_000, help="decisions to learn from")
    add("--seed", type=int, default=0)
    add("--out", type=Path, default=Path("selfplay.safetensors"), help="the agent file to write")
    add("--overwrite", action="store_true", help="replace a file that is there already")
    add("--games", type=whole, default=256)
    add("--rollout", type=whole, default=64, help="steps of every game between two updates")
    add("--batch", type=whole, default=1024, help="decisions in a minibatch")
    add("--epochs", type=whole, default=4)
    add("--network", type=whole, nargs="*", default=[128, 128], help="hidden layers")
    add("--rate", type=float, nargs=2, default=[2e-3, 3e-4], help="learning rate at the start and at the end")
    add("--entropy", type=float, nargs=2, default=[0.02, 0.005], help="weight of the entropy, likewise")
    add("--lead", type=float, nargs=2, default=[0.5, 0.0], help="what a change in the lead pays, likewise")
    add("--gamma", type=float, default=1.0)
    add("--gae-lambda", type=float, default=0.97)
    add("--clip", type=float, default=0.2)
    add("--value-weight", type=float, default=0.5)
    add("--max-gradient", type=float, default=0.5)
    add("--call-bias", type=float, default=-2.0, help="a beginner's inclination to call")
    add(
        "--max-turns",
        type=whole,
        default=120,
        help="training games are cut off after so many turns, if the rules allow more",
    )
    add("--rewards", default="win", choices=["win", "win_loss", "zero_sum"], help="what training games pay")
    add("--threads", type=whole, default=1, help="torch's threads")
    add("--judge", type=int, default=1000, help="games against random at the end; 0: none")
    return parser, parser.parse_args()


def whole(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


class Network(nn.Module):
    """Two perceptrons, from (B, D) int8 counts to (B, A) logits and to (B,) values.

    A count goes in divided by the root of its highest value: a hand of 13 of 52 cards is 1.8, and one card more is
    seen. The share of turns gone goes in as 0, for training games end sooner than those that are judged.
    """

    def __init__(self, layout: bluff_env.Layout, hidden: list[int], call_bias: float, random: torch.Generator) -> None:
        super().__init__()
        # What [0, 1], which agent files are asked with, is multiplied by; and the same for counts.
        self.scale = torch.from_numpy(np.sqrt(layout.scale))
        self.scale[layout.pieces["turns"]] = 0.0
        self.factor = self.scale / torch.tensor(layout.scale)
        self.policy = perceptron([layout.size, *hidden, layout.n_actions], 0.01, random)
        self.value = perceptron([layout.size, *hidden, 1], 1.0, random)
        with torch.no_grad():
            self.policy[-1].bias[layout.actions["call"]] += call_bias

    def forward(self, counts: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log probabilities (B, A), -1e8 and so impossible where (B, A) mask is False; and values (B,)."""
        seen = counts.float() * self.factor
        logits = self.policy(seen).masked_fill(~mask, -1e8)
        return torch.log_softmax(logits, 1), self.value(seen)[:, 0]

    def layers(self, network: nn.Sequential) -> list[tuple[np.ndarray, np.ndarray]]:
        """Weights (in, out) and biases (out,) for observations in [0, 1]: the scale goes into the first weights."""
        linear = [layer for layer in network if isinstance(layer, nn.Linear)]
        layers = [(layer.weight.detach().T.numpy().copy(), layer.bias.detach().numpy().copy()) for layer in linear]
        layers[0] = (self.scale.numpy()[:, None] * layers[0][0], layers[0][1])
        return layers


def perceptron(sizes: list[int], last_gain: float, random: torch.Generator) -> nn.Sequential:
    parts: list[nn.Module] = []
    for number, (ins, outs) in enumerate(pairwise(sizes), 2):
        layer = nn.Linear(ins, outs)
        nn.init.orthogonal_(layer.weight, last_gain if number == len(sizes) else 2**0.5, generator=random)
        nn.init.zeros_(layer.bias)
        parts += [layer, nn.Tanh()]
    return nn.Sequential(*parts[:-1])


def draw(log_probs: torch.Tensor, random: torch.Generator) -> torch.Tensor:
    """(B,) int64: one action a row, by its probability (the smallest of exponential times at these rates)."""
    return (log_probs - torch.empty_like(log_probs).exponential_(generator=random).log()).argmax(1)


class Tables:
    """The games under way, with what their seats are paid for a better lead."""

    def __init__(self, rules: bluff_env.Rules, games: int, seed: int) -> None:
        self.batch = GameBatch(rules, games=games, seed=seed, restart=False)
        self.hand = rules.hand_size or rules.deck_size / rules.players
        self.rows = np.arange(games)
        self.left = np.arange(rules.players)
        self.before = self.lead(self.batch.player)
        self.told = {"games": 0, "turns": 0, "cut off": 0}  # of games that ended

    def lead(self, seen_by: np.ndarray) -> np.ndarray:
        """(N, P) float32: how many cards the others hold on average beyond a seat's own, in hands as dealt.

        Args:
            seen_by: (N,) the seat from which each row's observation looks around the table.
        """
        around = self.batch.observation[:, self.batch.layout.pieces["hand_sizes"]].astype(np.float32)
        sizes = np.empty_like(around)
        sizes[self.rows[:, None], (seen_by[:, None] + self.left) % len(self.left)] = around
        others = (sizes.sum(1, keepdims=True) - sizes) / (len(self.left) - 1)
        return (others - sizes) / self.hand

    def step(self, actions: np.ndarray, weight: float) -> tuple[np.ndarray, np.ndarray]:
        """Rewards (N, P) float32 and done (N,) bool, fresh; the games that are done are followed by their next."""
        moved = self.batch.player.copy()
        paid, over = self.batch.step(actions)
        rewards, done = paid.copy(), over.copy()
        now = self.lead(np.where(done, moved, self.batch.player))
        rewards += np.float32(weight) * (now - self.before)
        self.before = now
        if done.any():
            self.told["games"] += int(done.sum())
            self.told["turns"] += int(self.batch.turns[done].sum())
            self.told["cut off"] += int(self.batch.cut_off[done].sum())
            self.batch.reset(rows=np.flatnonzero(done))
            fresh = self.lead(self.batch.player)
            self.before[done] = fresh[done]
        return rewards, done


def advantages(
    values: np.ndarray, players: np.ndarray, rewards: np.ndarray, done: np.ndarray, gamma: float, lam: float
) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantages, each seat's decisions chained to its own next decision in the same game.

    Going backwards, a seat's thread in a game holds what it was paid since the decision to be looked at, and value and
    advantage of the decision after it. The last decision of a thread that goes on beyond the rollout lends its value to
    the one before it and is left out itself: nobody knows yet what came of it.

    Args:
        values, players, done: (T, N), of the decision made in each step, who made it, and whether it ended the game.
        rewards: (T, N, P), what each seat was paid after it.

    Returns:
        advantages (T, N) float32, and known (T, N) bool: False for those that are left out.
    """
    steps, games, seats = rewards.shape
    rows = np.arange(games)
    result, known = np.zeros((steps, games), np.float32), np.zeros((steps, games), bool)
    paid, next_value, next_advantage = (np.zeros((games, seats), np.float32) for _ in range(3))
    begun = np.zeros((games, seats), bool)  # is anything known after this decision?
    for t in reversed(range(steps)):
        over, seat = done[t], players[t]
        paid[over] = next_value[over] = next_advantage[over] = 0.0  # what follows is another game
        begun[over] = True
        paid += rewards[t]
        known[t] = begun[rows, seat]
        error = paid[rows, seat] + gamma * next_value[rows, seat] - values[t]
        result[t] = np.where(known[t], error + gamma * lam * next_advantage[rows, seat], 0.0)
        paid[rows, seat], next_value[rows, seat], next_advantage[rows, seat] = 0.0, values[t], result[t]
        begun[rows, seat] = True
    return result, known


def collect(
    network: Network, tables: Tables, steps: int, lead: float, random: torch.Generator
) -> dict[str, np.ndarray]:
    """A rollout: arrays (T, N, …)."""
    batch, rows = tables.batch, []
    for _ in range(steps):
        seen = {"counts": batch.observation.copy(), "mask": batch.mask.copy(), "players": batch.player.copy()}
        with torch.no_grad():
            log_probs, values = network(torch.from_numpy(seen["counts"]), torch.from_numpy(seen["mask"]))
        actions = draw(log_probs, random)
        chosen = log_probs.gather(1, actions[:, None])[:, 0]
        seen |= {"actions": actions.numpy(), "log_probs": chosen.numpy(), "values": values.numpy()}
        seen["rewards"], seen["done"] = tables.step(seen["actions"], lead)
        rows.append(seen)
    return {name: np.stack([row[name] for row in rows]) for name in rows[0]}


def update(
    network: Network, optimizer: torch.optim.Optimizer, rollout: dict[str, np.ndarray], entropy_weight: float,
    args: argparse.Namespace, random: torch.Generator,
) -> dict[str, float]:  # fmt: skip
    """PPO's epochs over a rollout; the mean entropy, and how much of the returns' variance the critic foretold."""
    ahead, known = advantages(
        rollout["values"], rollout["players"], rollout["rewards"], rollout["done"], args.gamma, args.gae_lambda
    )
    if not known.any():
        raise BluffError("--rollout: so few steps that nobody decides twice; a higher number expected")
    names = ("counts", "mask", "actions", "log_probs")
    counts, mask, actions, old = (torch.from_numpy(rollout[name][known]) for name in names)
    advantage, returns = torch.from_numpy(ahead[known]), torch.from_numpy((ahead + rollout["values"])[known])
    entropies = []
    for _ in range(args.epochs):
        for rows in torch.randperm(len(old), generator=random).split(args.batch):
            if len(rows) == 1:
                continue  # one alone has no spread to be measured against
            log_probs, values = network(counts[rows], mask[rows])
            ratio = (log_probs.gather(1, actions[rows, None])[:, 0] - old[rows]).exp()
            better = advantage[rows]
            better = (better - better.mean()) / (better.std() + 1e-8)
            gain = torch.min(better * ratio, better * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
            entropy = -(log_probs.exp() * log_probs).sum(1).mean()
            error = (returns[rows] - values).square().mean()
            loss = args.value_weight * error - gain - entropy_weight * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), args.max_gradient)
            optimizer.step()
            entropies.append(entropy.item())
    foretold = 1 - (ahead[known].var() / max(1e-12, returns.numpy().var()))
    return {"entropy": float(np.mean(entropies)), "explained": float(foretold)}


def write_agent(path: Path, rules: bluff_env.Rules, network: Network, info: dict[str, object]) -> None:
    """The agent file that `bluff_agents.load` and `bluff evaluate` take, whole or not at all."""
    layout = bluff_env.layout(rules)
    nets = {"policy": network.layers(network.policy), "value": network.layers(network.value)}
    shape: dict[str, object] = {"activation": "tanh"}
    shape |= {net: [len(bias) for _, bias in layers[:-1]] for net, layers in nets.items()}
    metadata = {
        "format": "bluff-agent/1",
        "rules": json.dumps(rules.to_dict()),
        "layout": json.dumps({**layout.describe(), "fingerprint": layout.fingerprint}),
        "network": json.dumps(shape),
        "info": json.dumps(info),
    }
    tensors = {}
    for net, layers in nets.items():
        for number, (weight, bias) in enumerate(layers):
            tensors[f"{net}.{number}.weight"], tensors[f"{net}.{number}.bias"] = np.ascontiguousarray(weight), bias
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(save(tensors, metadata))
        os.replace(temporary, path)
    except OSError as error:
        raise BluffError(f"--out: {path} cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


def judge(rules: bluff_env.Rules, network: Network, games: int, seed: int, random: torch.Generator) -> str:
    """One seat alone against uniformly random others, its seat moving on with every game."""
    batch = GameBatch(rules, games=games, seed=seed + 1, restart=False)
    mine = np.arange(games) % rules.players
    while (batch.player >= 0).any():
        actions = batch.random_actions()
        turn = np.flatnonzero(batch.player == mine)
        with torch.no_grad():
            log_probs, _ = network(torch.from_numpy(batch.observation[turn]), torch.from_numpy(batch.mask[turn]))
        actions[turn] = draw(log_probs, random).numpy()
        batch.step(actions)
    share, z = float((batch.winner == mine).mean()), 1.96
    middle, half = share + z * z / (2 * games), z * (share * (1 - share) / games + z * z / (4 * games**2)) ** 0.5
    low, high = ((middle + side * half) / (1 + z * z / games) for side in (-1, 1))
    return (
        f"against random: won {share:.1%} ({low:.1%} – {high:.1%}, 95 %) of {games:,} games, "
        f"fair {1 / rules.players:.1%}; cut off {batch.cut_off.mean():.1%}"
    )


def train(args: argparse.Namespace) -> None:
    if args.out.exists() and not args.overwrite:
        raise BluffError(f"--out: {args.out} exists already; --overwrite replaces it")
    if args.out.is_dir():
        raise BluffError(f"--out: {args.out} is a folder; the name of a file expected")
    if not args.out.absolute().parent.is_dir():
        raise BluffError(f"--out: there is no folder {args.out.parent}")
    if not os.access(args.out.absolute().parent, os.W_OK):
        raise BluffError(f"--out: the folder {args.out.parent} cannot be written")
    if args.judge < 0:
        raise BluffError(f"--judge: {args.judge} is not allowed; a whole number of at least 0")
    rules = bluff_env.rules(args.rules)
    torch.set_num_threads(args.threads)
    random = torch.Generator().manual_seed(args.seed)
    training = bluff_env.rules(rules, max_turns=min(args.max_turns, rules.max_turns), rewards=args.rewards)
    tables = Tables(training, args.games, args.seed)
    network = Network(tables.batch.layout, args.network, args.call_bias, random)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.rate[0], eps=1e-5)
    steps, begun, said = 0, time.monotonic(), 0.0
    info: dict[str, object] = {"trainer": Path(__file__).name, "seed": args.seed, "rewards": args.rewards}
    try:
        while steps < args.steps:
            rate, entropy, lead = (
                low + (high - low) * steps / args.steps for low, high in (args.rate, args.entropy, args.lead)
            )
            optimizer.param_groups[0]["lr"] = rate
            rollout = collect(network, tables, args.rollout, lead, random)
            learnt = update(network, optimizer, rollout, entropy, args, random)
            steps += args.rollout * args.games
            if time.monotonic() - said > 10 or steps >= args.steps:
                said, told = time.monotonic(), tables.told
                games = told["games"]
                ended = "no game has ended"
                if games:
                    ended = f"games: {told['turns'] / games:.0f} turns, {told['cut off'] / games:.0%} cut off"
                print(
                    f"{steps:,} of {args.steps:,} steps, {steps / (said - begun):,.0f}/s; {ended}; entropy "
                    f"{learnt['entropy']:.2f}, explained {learnt['explained']:.2f}", file=sys.stderr, flush=True,
                )  # fmt: skip
                tables.told = dict.fromkeys(told, 0)
    except KeyboardInterrupt:
        print(f"ended after {steps:,} steps", file=sys.stderr)
    write_agent(args.out, rules, network, info | {"steps": steps})
    print(f"{args.out}: {steps:,} steps")
    if args.judge:
        print(judge(rules, network, args.judge, args.seed, random))


if __name__ == "__main__":
    parser, arguments = parse()
    try:
        train(arguments)
    except BluffError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
