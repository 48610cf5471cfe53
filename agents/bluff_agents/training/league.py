"""The league: earlier selves that the learner keeps playing against, the harder ones more often.

Self-play against the present policy alone can go round in circles: what beats today's policy may lose to last week's.
A pool of earlier selves keeps them in the game; sampling them by how hard they still are spends no games on those that
are long beaten (fictitious self-play, Heinrich et al. 2015; prioritised as by Vinyals et al. 2019).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from bluff_agents.policy import Layer, PolicyAgent
from bluff_agents.training.export import activation_of, policy_agent, policy_layers
from bluff_env import Rules
from bluff_env.adapters.sb3 import BluffVecEnv

#: The name in a recipe's opponents that stands for the pool.
PAST: Final = "past"
# A won share counts for this much less a game later; so the latest hundred games or so tell how hard a self is.
_FORGET: Final = 0.99
_EVEN_CHANCE_GAMES: Final = 10.0
# How often the easiest of all is met, beside one that always wins.
_LEAST: Final = 0.05


def names(size: int) -> tuple[str, ...]:
    """What the selves of a pool of this size are called in the mixture of opponents."""
    return tuple(f"{PAST}_{i + 1}" for i in range(size))


def mixture(opponents: dict[str, float], size: int) -> dict[str, float]:
    """A recipe's opponents with the pool's share shared out evenly among its places."""
    rest = {name: share for name, share in opponents.items() if name != PAST}
    return rest | dict.fromkeys(names(size), opponents[PAST] / size) if PAST in opponents else rest


class League:
    """A pool of earlier selves, its places filled one after the other and then again from the first.

    A place that is not filled yet is played by the present policy.

    Args:
        env: the learner's environment, whose mixture names the places (`mixture`).
        rules: what the selves play.
        opponents: the recipe's.
        size: how many selves the pool holds.
    """

    def __init__(self, env: BluffVecEnv, rules: Rules, opponents: dict[str, float], size: int) -> None:
        self._env, self._rules, self._opponents = env, rules, opponents
        self.names: tuple[str, ...] = names(size) if PAST in opponents else ()
        self._layers: list[list[Layer] | None] = [None] * len(self.names)
        self._activation = "tanh"
        self._next = 0
        # Games against each self that still count, and how many of them the learner won.
        self._games: NDArray[np.float64] = np.zeros(len(self.names))
        self._wins: NDArray[np.float64] = np.zeros(len(self.names))

    def follow(self, model: Any) -> None:
        """Lets the present policy play in the places that are not filled."""
        empty = [name for name, layers in zip(self.names, self._layers, strict=True) if layers is None]
        if empty:
            present = policy_agent(model, self._rules)
            for name in empty:
                self._env.set_player(name, present)

    def add(self, model: Any) -> None:
        """Puts the present policy into the next place."""
        if self.names:
            at, self._next = self._next, (self._next + 1) % len(self.names)
            self._activation = activation_of(model)
            self._fill(at, policy_layers(model))
            self._games[at] = self._wins[at] = 0.0
            self._share_out()

    def count(self, games: dict[str, int], wins: dict[str, int]) -> None:
        """Takes a rollout's games against single selves into account, and shares the pool's share out anew."""
        for at, name in enumerate(self.names):
            played = games.get(name, 0)
            kept = _FORGET**played
            self._games[at] = self._games[at] * kept + played
            self._wins[at] = self._wins[at] * kept + wins.get(name, 0)
        self._share_out()

    def _share_out(self) -> None:
        """Shares the pool's share out among its places, for the games dealt from now on."""
        if self.names:
            weights = self.weights()
            shares = {name: share for name, share in self._opponents.items() if name != PAST}
            pool = zip(self.names, self._opponents[PAST] * weights / weights.sum(), strict=True)
            self._env.seats.set_shares(shares | {name: float(share) for name, share in pool})

    def weights(self) -> NDArray[np.float64]:
        """(size,) how often each self is met, in proportion: more often the more often it wins."""
        fair = 1.0 / self._rules.players
        won = (self._wins + _EVEN_CHANCE_GAMES * fair) / (self._games + _EVEN_CHANCE_GAMES)
        weights: NDArray[np.float64] = _LEAST + (1.0 - won) ** 2
        return weights

    def _fill(self, at: int, layers: list[Layer]) -> None:
        self._layers[at] = layers
        name = self.names[at]
        self._env.set_player(name, PolicyAgent(self._rules, layers, self._activation, name=name))

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps: plain data and tensors."""
        return {
            "next": self._next,
            "activation": self._activation,
            "games": self._games.tolist(),
            "wins": self._wins.tolist(),
            "layers": [None if layers is None else _tensors(layers) for layers in self._layers],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Puts the pool back as it was.

        Raises:
            ValueError: a pool of another size.
        """
        self._next, self._activation = int(state["next"]), str(state["activation"])
        if not 0 <= self._next < max(1, len(self.names)) or len(state["layers"]) != len(self.names):
            raise ValueError("a league of another size")
        self._games[:], self._wins[:] = state["games"], state["wins"]
        for at, layers in enumerate(state["layers"]):
            if layers is not None:
                self._fill(at, [(weight.numpy(), bias.numpy()) for weight, bias in layers])
        self._share_out()


def _tensors(layers: list[Layer]) -> list[tuple[torch.Tensor, torch.Tensor]]:
    return [(torch.from_numpy(weight), torch.from_numpy(bias)) for weight, bias in layers]
