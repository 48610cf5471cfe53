"""Agents saved by Stable-Baselines3 as .zip. Needs the extra [train]; imported only when such a file is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.agent import Memoryless, Observations, as_floats
from bluff_agents.errors import AgentError
from bluff_agents.policy import ILLEGAL, sample, shares
from bluff_env import Rules

_BLOCK: Final = 64  # rows in every product, as in `policy`


class Sb3Agent(Memoryless):
    """A MaskablePPO model. Its draws use the noise it is given, not torch's generator."""

    def __init__(self, rules: Rules, model: Any, name: str, seed: int | None = None) -> None:
        super().__init__(rules, name, seed)
        self.model = model

    def choose(
        self, observation: Observations, mask: NDArray[np.bool_], noise: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """(B,) int64: drawn by the noise."""
        return sample(np.where(mask, self.logits(observation), ILLEGAL), noise)

    def probabilities(
        self, observation: Observations, mask: NDArray[np.bool_] | NDArray[np.int8]
    ) -> NDArray[np.float64]:
        """(B, A) float64: exactly what `choose` draws from."""
        legal: NDArray[np.bool_] = mask.astype(np.bool_, copy=False)
        return shares(np.where(legal, self.logits(observation), ILLEGAL), legal)

    def logits(self, observation: Observations) -> NDArray[np.float32]:
        """(B, A) float32: one number an action, legal or not."""
        import torch

        observation = as_floats(self.layout, observation)
        rows = len(observation)
        logits = np.empty((rows, self.layout.n_actions), np.float32)
        with torch.no_grad():
            for low in range(0, rows, _BLOCK):
                part = observation[low : low + _BLOCK]
                block = np.zeros((_BLOCK, self.layout.size), np.float32)
                block[: len(part)] = part
                tensor = torch.as_tensor(block, device=self.model.device)
                found = self.model.policy.get_distribution(tensor).distribution.logits
                logits[low : low + _BLOCK] = found.cpu().numpy()[: len(part)]
        return logits


def load_zip(path: Path, rules: Rules, seed: int | None = None) -> Sb3Agent:
    """A MaskablePPO model from a .zip. This can run code hidden in the file: only for files that are trusted.

    Raises:
        AgentError: no sb3-contrib, not such a file, or one for other observations or actions.
    """
    try:
        from sb3_contrib import MaskablePPO
    except ImportError as error:
        raise AgentError(f"{path}: needs sb3-contrib, of the extra [train]: {error}") from None
    try:
        model = MaskablePPO.load(path, device="cpu")
    except Exception as error:  # a foreign file may fail in any way: zipfile, pickle, torch
        first = (str(error).splitlines() or [""])[0]
        raise AgentError(f"{path}: not a MaskablePPO model: {type(error).__name__}: {first}") from None
    agent = Sb3Agent(rules, model, path.stem, seed)
    found = model.observation_space.shape, getattr(model.action_space, "n", None)
    expected = (agent.layout.size,), agent.layout.n_actions
    if found != expected:
        raise AgentError(
            f"{path}: made for observations {found[0]} and {found[1]} actions; {expected[0]} and {expected[1]} expected"
        )
    return agent
