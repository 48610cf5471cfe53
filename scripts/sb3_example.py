#!/usr/bin/env python3
"""MaskablePPO at four-handed Bløff without the `bluff` command: python scripts/sb3_example.py --steps 1000000"""

import torch
from _example import parser_of, run
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from stable_baselines3.common.vec_env import VecMonitor

from bluff_agents.agentfile import write_agent
from bluff_agents.policy import input_scale
from bluff_agents.training.export import policy_layers, value_layers
from bluff_agents.training.model import ScaledInput
from bluff_env.adapters.sb3 import BluffVecEnv


def train(args):
    torch.set_num_threads(1)

    # 1 for a win, else 0, so that the mean reward is the share of wins; a game that gets nowhere ends soon.
    rules = {"base": "bloff", "rewards": "win", "max_turns": 120}
    env = BluffVecEnv(rules, games=256, opponents={"self": 0.5, "honest": 0.4, "random": 0.1}, seed=args.seed)
    env.lead_weight = 0.3  # changes in the lead pay a little, too: something to learn from before the first win
    scale = {"features_extractor_class": ScaledInput, "features_extractor_kwargs": {"scale": input_scale(env.layout)}}
    learning = {"n_steps": 32, "batch_size": 2048, "n_epochs": 4, "learning_rate": 1e-3, "ent_coef": 0.01, "gamma": 1.0}
    model = MaskablePPO("MlpPolicy", VecMonitor(env), seed=args.seed, device="cpu", policy_kwargs=scale, **learning)
    env.follow(model)  # "self" is the model's policy as it stands at the beginning of every rollout
    judge = VecMonitor(BluffVecEnv(rules, games=64, opponents="random", seed=args.seed + 1))
    often = max(32, args.steps // 5 // env.num_envs)
    model.learn(args.steps, MaskableEvalCallback(judge, n_eval_episodes=256, eval_freq=often, deterministic=False))
    write_agent(args.out, env.rules, policy_layers(model), value=value_layers(model))


run(parser_of(__doc__, 1_000_000, "sb3.safetensors"), train)
