"""Small runs for tests of training."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from bluff_agents.agentfile import read_agent
from bluff_agents.training import Recipe, read_recipe

SMALL: dict[str, Any] = {
    "rules": "tiny",
    "total_steps": 600,
    "opponents": {"self": 0.5, "honest": 0.5},
    "games": 16,
    "steps_per_rollout": 8,
    "batch_size": 64,
    "epochs": 2,
    "network": [16, 16],
    "threads": 2,
    "evaluate_every": 300,
    "evaluate_deals": 4,
    "evaluate_against": ["random"],
    "checkpoint_every": 256,
}


def recipe(out: Path, **changes: Any) -> Recipe:
    file = out.with_name(f"{out.name}-recipe.yaml")
    file.write_text(yaml.safe_dump({**SMALL, "out": str(out), **changes}))
    return read_recipe(file)


def weights(run: Path) -> list[np.ndarray]:
    return [array for layer in read_agent(run / "agent.safetensors").weights for array in layer]


def same(one: Path, other: Path) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(weights(one), weights(other), strict=True))


def rows(run: Path) -> list[dict[str, str]]:
    with (run / "metrics.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
