"""PolicyAgent: a small trained network that plays with numpy alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.agent import Memoryless, Observations, as_floats
from bluff_agents.errors import AgentError
from bluff_env import Layout, Rules

#: A layer: weights (in, out) and bias (out,), float32.
Layer = tuple[NDArray[np.float32], NDArray[np.float32]]

ACTIVATIONS: Final = ("tanh", "relu")
#: What a critic may have learnt to expect: `rewards` of the rules.
PAID: Final = ("zero_sum", "win_loss", "win")

# A product of float32 matrices may differ in its last bits with the number of rows, since BLAS chooses its method by
# size. So a network's products all have the same number of rows, the last ones zeros if need be, and a row's action is
# the same in any batch. Few rows cost nothing, and keep a product so small that BLAS does not hand it to several
# threads: on a busy machine these wait for each other for milliseconds.
_MOST_ROWS: Final = 16
_LARGEST_PRODUCT: Final = 2**19 - 1


#: The logit of an action that is not legal: its share of the softmax is exactly 0.
ILLEGAL: Final = np.float32(-1e30)


class PolicyAgent(Memoryless):
    """A multi-layer perceptron from the float observation to one logit an action; actions are drawn from the softmax
    over the legal ones.

    Args:
        rules: anything `bluff_env.rules` takes.
        weights: the layers from the observation on; the last is the action head and has no activation.
        activation: "tanh" or "relu".
        name, seed: as of every agent.
        deterministic: play the likeliest action instead (also settable as an attribute).
        value: a critic's layers, from the observation to what a seat may expect to be paid; the same activation.
        value_rewards: the `rewards` of the rules the critic has learnt under; None: those of `rules`.

    Raises:
        AgentError: layers that do not fit together or the rules.
    """

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules,
        weights: Sequence[Layer],
        activation: str = "tanh",
        name: str = "policy",
        deterministic: bool = False,
        seed: int | None = None,
        value: Sequence[Layer] | None = None,
        value_rewards: str | None = None,
    ) -> None:
        super().__init__(rules, name, seed)
        self.weights = checked_layers(weights, self.layout.size, self.layout.n_actions, activation, name)
        self.value = None if value is None else checked_layers(value, self.layout.size, 1, activation, f"{name}, value")
        self.value_rewards = self.rules.rewards if value_rewards is None else value_rewards
        if self.value_rewards not in PAID:
            raise AgentError(f"{name}: value_rewards {value_rewards!r} found; {', '.join(PAID)} expected")
        largest = max(weight.size for weight, _ in [*self.weights, *(self.value or [])])
        self._block = next((rows for rows in (_MOST_ROWS, 8) if rows * largest <= _LARGEST_PRODUCT), 4)
        self.activation = activation
        self.deterministic = deterministic

    def choose(
        self, observation: Observations, mask: NDArray[np.bool_], noise: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """(B,) int64: drawn by the noise, or the likeliest."""
        logits = np.where(mask, self.logits(observation), ILLEGAL)
        if self.deterministic:
            likeliest: NDArray[np.int64] = logits.argmax(axis=1)
            return likeliest
        return sample(logits, noise)

    def probabilities(
        self, observation: Observations, mask: NDArray[np.bool_] | NDArray[np.int8]
    ) -> NDArray[np.float64]:
        """(B, A) float64: exactly what `choose` draws from."""
        legal: NDArray[np.bool_] = mask.astype(np.bool_, copy=False)
        logits = np.where(legal, self.logits(observation), ILLEGAL)
        if not self.deterministic:
            return shares(logits, legal)
        likely = np.zeros(mask.shape)
        likely[np.arange(len(likely)), logits.argmax(axis=1)] = 1.0
        likely[~legal] = 0.0
        return likely

    def logits(self, observation: Observations) -> NDArray[np.float32]:
        """(B, A) float32: one number an action, legal or not."""
        return self._through(self.weights, observation)

    def win_chance(self, observation: Observations) -> NDArray[np.float64] | None:
        """As of `Agent`: what the critic expects to be paid, as a chance to win; None without a critic. [E3]"""
        if self.value is None:
            return None
        paid = self._through(self.value, observation)[:, 0].astype(np.float64)
        lost = {"zero_sum": -1 / (self.rules.players - 1), "win_loss": -1.0, "win": 0.0}[self.value_rewards]
        return np.clip((paid - lost) / (1 - lost), 0.0, 1.0)

    def _through(self, layers: list[Layer], observation: Observations) -> NDArray[np.float32]:
        """(B, X) float32: what a network makes of the observations, in products that all have the same rows."""
        observation = as_floats(self.layout, observation)
        rows = len(observation)
        blocks = -(-rows // self._block)
        x: NDArray[np.float32] = np.zeros((blocks, self._block, self.layout.size), np.float32)
        x.reshape(-1, self.layout.size)[:rows] = observation
        for number, (weight, bias) in enumerate(layers):
            if number:
                np.tanh(x, out=x) if self.activation == "tanh" else np.maximum(x, 0, out=x)
            x = x @ weight
            x += bias
        return x.reshape(len(x) * self._block, -1)[:rows]


def input_scale(lay: Layout, hide: Sequence[str] = ()) -> NDArray[np.float32]:
    """(D,) float32: what each number of an observation is multiplied by.

    The root of its highest value: a hand of 13 out of 52 cards counts for 1.8 instead of 0.25. Zero for the share of
    turns gone, so that the agent plays alike whatever max_turns is: recipes train with a lower one than they judge by.
    Zero also for the pieces of `hide`.
    """
    scale = np.sqrt(lay.scale)
    for piece in ("turns", *hide):
        scale[lay.pieces[piece]] = 0
    return scale


def sample(logits: NDArray[np.float32], noise: NDArray[np.float64]) -> NDArray[np.int64]:
    """(B,) int64: an index a row, drawn from the softmax of (B, A) logits by one uniform number a row (inverse CDF)."""
    sums = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True)).cumsum(axis=1)
    total = sums[:, -1]
    target = np.minimum(noise * total, np.nextafter(total, 0))  # below the total, whatever rounding does
    drawn: NDArray[np.int64] = (sums > target[:, None]).argmax(axis=1)
    return drawn


def shares(logits: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(B, A) float64: the softmax of (B, A) logits that are `ILLEGAL` where not legal; zero where nothing is."""
    parts: NDArray[np.float64] = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    parts[~legal] = 0.0
    parts /= np.maximum(parts.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    return parts


def checked_layers(weights: Sequence[Layer], inputs: int, outputs: int, activation: str, name: str) -> list[Layer]:
    """The layers as contiguous float32 arrays.

    Raises:
        AgentError: a layer that does not fit the one before it, the observation or the actions; numbers that are not
            finite; an unknown activation.
    """
    if activation not in ACTIVATIONS:
        raise AgentError(f"{name}: activation {activation!r} found; {' or '.join(ACTIVATIONS)} expected")
    if not weights:
        raise AgentError(f"{name}: no layers found; at least the action head expected")
    layers: list[Layer] = []
    size = inputs
    for number, (weight, bias) in enumerate(weights):
        weight, bias = np.ascontiguousarray(weight, np.float32), np.ascontiguousarray(bias, np.float32)
        last = number == len(weights) - 1
        if weight.ndim != 2 or len(weight) != size or bias.shape != weight.shape[1:] or (last and len(bias) != outputs):
            expected = f"({size}, {outputs if last else 'n'}) and ({outputs if last else 'n'},)"
            raise AgentError(f"{name}: layer {number} has shapes {weight.shape} and {bias.shape}; {expected} expected")
        if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            raise AgentError(f"{name}: layer {number} holds numbers that are not finite")
        layers.append((weight, bias))
        size = len(bias)
    return layers
