"""Write a small agent with random weights, as a file to try things with: python tests/make_tiny_agent.py OUT

It plays `bluff_env.rules("bloff")`, badly. Needs no torch.
"""

import sys
from itertools import pairwise

import numpy as np

import bluff_env
from bluff_agents.agentfile import write_agent
from bluff_agents.policy import Layer


def random_layers(sizes: list[int], seed: int = 0) -> list[Layer]:
    """Layers of these sizes, from the observation to the actions, scaled so that no action is certain."""
    random = np.random.default_rng(seed)
    return [
        ((random.standard_normal((ins, outs)) / ins**0.5).astype(np.float32), np.zeros(outs, np.float32))
        for ins, outs in pairwise(sizes)
    ]


def write_tiny_agent(path: str, rules: str | bluff_env.Rules = "bloff") -> None:
    """An agent file with two hidden layers of 32."""
    lay = bluff_env.layout(bluff_env.rules(rules))
    layers = random_layers([lay.size, 32, 32, lay.n_actions])
    write_agent(path, lay.rules, layers, info={"made by": "tests/make_tiny_agent.py", "steps": 0})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write_tiny_agent(sys.argv[1])
