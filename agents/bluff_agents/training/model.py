"""MaskablePPO as the recipes use it: fixed input scale, an update in threads of its own, seeded step by step."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import explained_variance
from torch import nn

from bluff_agents.policy import input_scale
from bluff_agents.training.activations import MODULES
from bluff_agents.training.recipe import Recipe
from bluff_env.adapters.sb3 import BluffVecEnv

#: The logit of an action that is not legal.
MASKED: Final = -1e8  # as in sb3_contrib, so that probabilities agree
_FLAT: Final = ("observations", "actions", "log_probs", "advantages", "returns", "action_masks")

Tensors = dict[str, torch.Tensor]


class ScaledInput(BaseFeaturesExtractor):
    """The observation times a fixed factor a number, so that counts with a high highest value are not lost.

    Args:
        observation_space: Box (D,).
        scale: (D,) float32.
    """

    def __init__(self, observation_space: spaces.Box, scale: NDArray[np.float32]) -> None:
        super().__init__(observation_space, observation_space.shape[0])
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.tensor(scale))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(B, D) -> (B, D)."""
        return observations * self.scale


class ParallelPPO(MaskablePPO):
    """MaskablePPO whose update shares each minibatch out to threads that meet once, to add up their gradients.

    torch's own threads meet after every operation; where something else wants the same cores that makes an update ten
    times slower, not faster. The gradients are added in a fixed order, and the order of the samples follows from the
    seed and the number of updates alone, so a run repeats and goes on from a checkpoint exactly.
    """

    sample_seed: int = 0
    parts: int = 1

    def train(self) -> None:
        """One update from the rollout buffer: the losses of MaskablePPO, with its names in the log."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        buffer, sums = self.rollout_buffer, np.zeros(5)
        data = {name: _flat(getattr(buffer, name)) for name in _FLAT}
        data["actions"] = data["actions"][:, 0].long()
        data["action_masks"] = data["action_masks"] > 0
        size, batch = len(data["actions"]), self.batch_size or len(data["actions"])
        minibatches = 0
        with ThreadPoolExecutor(max(1, self.parts - 1)) as pool:
            for _ in range(self.n_epochs):
                order = np.random.default_rng([self.sample_seed, self._n_updates]).permutation(size)
                for low in range(0, size, batch):
                    sums += self._minibatch(data, torch.from_numpy(order[low : low + batch]), pool)
                    minibatches += 1
                self._n_updates += 1
        policy_loss, value_loss, entropy, clipped, kl = sums / minibatches
        self.logger.record("train/policy_gradient_loss", policy_loss)
        self.logger.record("train/value_loss", value_loss)
        self.logger.record("train/entropy_loss", -entropy)
        self.logger.record("train/clip_fraction", clipped)
        self.logger.record("train/approx_kl", kl)
        self.logger.record(
            "train/explained_variance", explained_variance(buffer.values.ravel(), buffer.returns.ravel())
        )

    def _minibatch(self, data: Tensors, rows: torch.Tensor, pool: ThreadPoolExecutor) -> NDArray[np.float64]:
        """One step of the optimizer; (5,) means: policy loss, value loss, entropy, share clipped, KL divergence."""
        advantages = data["advantages"][rows]
        shift, spread = advantages.mean(), advantages.std() + 1e-8
        first, *rest = torch.tensor_split(rows, self.parts)
        jobs = [pool.submit(self._part, data, part, len(rows), shift, spread) for part in rest]
        results = [self._part(data, first, len(rows), shift, spread), *(job.result() for job in jobs)]
        parameters = list(self.policy.parameters())
        for parameter, *gradients in zip(parameters, *(gradients for gradients, _ in results), strict=True):
            parameter.grad = torch.stack(gradients).sum(0) if len(gradients) > 1 else gradients[0]
        nn.utils.clip_grad_norm_(parameters, self.max_grad_norm)
        self.policy.optimizer.step()
        means: NDArray[np.float64] = np.sum([sums for _, sums in results], axis=0) / len(rows)
        return means

    def _part(
        self, data: Tensors, rows: torch.Tensor, size: int, shift: torch.Tensor, spread: torch.Tensor
    ) -> tuple[tuple[torch.Tensor, ...], NDArray[np.float64]]:
        """A part's share of the gradients of its minibatch of `size`, and the (5,) sums over its rows."""
        logits, values = self.evaluate(data["observations"][rows])
        mask, actions = data["action_masks"][rows], data["actions"][rows]
        every = torch.log_softmax(torch.where(mask, logits, MASKED), dim=1)
        log_prob = every.gather(1, actions[:, None])[:, 0]
        entropy = -torch.where(mask, every.exp() * every, 0.0).sum()
        advantages = (data["advantages"][rows] - shift) / spread
        log_ratio = log_prob - data["log_probs"][rows]
        ratio = log_ratio.exp()
        clip = self.clip_range(1.0)  # type: ignore[operator]
        policy_loss = -torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).sum()
        value_loss = (data["returns"][rows] - values).square().sum()
        loss = (policy_loss - self.ent_coef * entropy + self.vf_coef * value_loss) / size
        gradients = torch.autograd.grad(loss, list(self.policy.parameters()))
        with torch.no_grad():
            clipped, kl = ((ratio - 1).abs() > clip).sum(), (ratio - 1 - log_ratio).sum()
            sums = torch.stack([policy_loss, value_loss, entropy, clipped, kl]).double().numpy()
        return gradients, sums

    def evaluate(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(B, A) logits and (B,) values. Not `policy.evaluate_actions`, which keeps its distribution in the policy."""
        policy: Any = self.policy
        features = policy.extract_features(observations)
        latent_pi, latent_vf = policy.mlp_extractor(features)
        return policy.action_net(latent_pi), policy.value_net(latent_vf)[:, 0]


def make_model(recipe: Recipe, env: BluffVecEnv) -> ParallelPPO:
    """A model as at the beginning of a run. Draws its first weights from torch's generator, so seed that first."""
    network = list(recipe.network)
    model = ParallelPPO(
        "MlpPolicy",
        env,
        n_steps=recipe.steps_per_rollout,
        batch_size=recipe.batch_size,
        n_epochs=recipe.epochs,
        gamma=recipe.gamma,
        gae_lambda=recipe.gae_lambda,
        clip_range=recipe.clip,
        vf_coef=recipe.value_weight,
        max_grad_norm=recipe.max_gradient,
        policy_kwargs={
            "net_arch": {"pi": network, "vf": network},
            "activation_fn": MODULES[recipe.activation],
            "features_extractor_class": ScaledInput,
            "features_extractor_kwargs": {"scale": input_scale(env.layout, recipe.hide)},
        },
        device="cpu",
    )
    model.sample_seed, model.parts = recipe.seed, recipe.threads
    head: Any = model.policy.action_net
    with torch.no_grad():
        head.bias[env.layout.actions["call"]] += recipe.inclination_to_call
    return model


def _flat(array: NDArray[Any]) -> torch.Tensor:
    """(steps, games, …) as one row a sample, without a copy."""
    return torch.from_numpy(array.reshape(-1, *array.shape[2:]))
