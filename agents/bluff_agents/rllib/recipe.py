"""RllibRecipe: everything a run with RLlib depends on, checked when it is read. Needs neither ray nor torch."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Final

from bluff_agents import configs
from bluff_agents.configs import Config
from bluff_agents.policy import ACTIVATIONS
from bluff_agents.training import checks
from bluff_env import Rules

#: What a recipe's key `framework` says, so that `bluff train` hands it to RLlib.
FRAMEWORK: Final = "rllib"
SHARED: Final = "shared"
PER_SEAT: Final = "per_seat"

_MANY: Final = 10**12
# RLlib adds the number of the runner and of the game to the seed, and numpy's generators take no more than 32 bits.
_MAX_SEED: Final = 2**31 - 1
# Whole numbers: key -> lowest and highest value.
_WHOLE: Final = {
    "seed": (0, _MAX_SEED),
    "total_steps": (1, _MANY),
    "env_runners": (0, 10_000),
    "games_per_runner": (1, 10_000),
    "learners": (0, 1000),
    "steps_per_iteration": (2, 100_000_000),
    "batch_size": (2, 10_000_000),
    "epochs": (1, 1000),
    "evaluate_every": (1, _MANY),
    "evaluate_deals": (2, 1_000_000),
    "checkpoint_every": (1, _MANY),
    "keep_checkpoints": (1, 1_000_000),
    "threads": (1, 1024),
}
# Numbers: key -> lowest and highest value.
_NUMBER: Final = {
    "alike": (0.0, 1.0),
    "cpus_per_runner": (0.01, 1024.0),
    "gpus_per_learner": (0.0, 64.0),
    "gamma": (0.0, 1.0),
    "gae_lambda": (0.0, 1.0),
    "clip": (1e-6, 10.0),
    "value_weight": (0.0, 1e6),
    "max_gradient": (1e-6, 1e6),
    "inclination_to_call": (-20.0, 20.0),
}
# Numbers that may change over the run: [at the start, at the end], or one for both.
_RAMP: Final = {"learning_rate": (0.0, 1.0), "entropy": (0.0, 10.0), "lead_weight": (0.0, 10.0)}


@dataclass(frozen=True, slots=True)
class RllibRecipe:
    """How agents are trained by self-play with RLlib's PPO. `read_recipe` makes one from YAML.

    Keys that `Recipe` has too mean the same here.

    Attributes:
        rules, training_rules, total_steps, out, seed: as of `Recipe`. Steps are decisions of learners; the run ends
            with the iteration that reaches them.
        policies: "shared": one policy plays all learners' seats; "per_seat": each seat has a policy of its own.
        opponents: {who: share of the seats}: "self" (whoever learns) and agents that `bluff_agents.load` loads on every
            node. One seat of each game is a learner's in any case.
        alike: the share of games in which all other seats are drawn as one; in the others each by itself.
        env_runners: processes that play, each an actor of Ray; 0: the trainer's own process plays.
        cpus_per_runner: what each of them takes of Ray's count of processors.
        games_per_runner: games that each holds at once.
        learners: processes that learn; 0: the trainer's own.
        gpus_per_learner: GPUs for each of them.
        threads: torch's threads in the trainer's process.
        steps_per_iteration: decisions between two updates, all runners' together.
        batch_size, epochs, gamma, gae_lambda, clip, value_weight, max_gradient, learning_rate, entropy: of PPO.
        lead_weight, network, activation, inclination_to_call: as of `Recipe`.
        evaluate_every, evaluate_deals, evaluate_against, checkpoint_every, keep_checkpoints: as of `Recipe`.
        name: what the run is called.
    """

    rules: Rules
    training_rules: Rules
    total_steps: int
    out: Path
    name: str
    seed: int = 0
    policies: str = SHARED
    opponents: tuple[tuple[str, float], ...] = (("self", 1.0),)
    alike: float = 0.5
    env_runners: int = 1
    cpus_per_runner: float = 1.0
    games_per_runner: int = 32
    learners: int = 0
    gpus_per_learner: float = 0.0
    threads: int = 1
    steps_per_iteration: int = 8192
    batch_size: int = 1024
    epochs: int = 4
    learning_rate: tuple[float, float] = (1e-3, 1e-4)
    entropy: tuple[float, float] = (0.03, 0.01)
    lead_weight: tuple[float, float] = (0.3, 0.0)
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    value_weight: float = 0.5
    max_gradient: float = 0.5
    network: tuple[int, ...] = (128, 128)
    activation: str = "tanh"
    inclination_to_call: float = -2.0
    evaluate_every: int = 250_000
    evaluate_deals: int = 100
    evaluate_against: tuple[str, ...] = ("random", "honest", "counter")
    checkpoint_every: int = 100_000
    keep_checkpoints: int = 2

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `read_recipe` reads back as an equal recipe."""
        plain: dict[str, Any] = {
            "framework": FRAMEWORK,
            "rules": checks.plain_rules(self.rules),
            "training_rules": checks.plain_changes(self.rules, self.training_rules),
            "opponents": dict(self.opponents),
            "out": str(self.out),
        }
        for f in fields(self):
            if f.name not in plain and f.name != "name":
                value = getattr(self, f.name)
                plain[f.name] = list(value) if isinstance(value, tuple) else value
        return plain


KEYS: Final = ("framework", *(f.name for f in fields(RllibRecipe) if f.name != "name"))


def read_recipe(name_or_path: str | os.PathLike[str], settings: Sequence[str] = ()) -> RllibRecipe:
    """A recipe by name, path or run folder, with `settings` such as "env_runners=4" laid over it.

    Raises:
        ConfigError: one line with file and line: a key that is not known (with near matches), missing, or whose value
            is not allowed.
    """
    config = configs.read(name_or_path, settings)
    config.check_keys(KEYS)
    for key in ("framework", "rules", "total_steps"):
        if key not in config.values:
            raise config.error(key, "missing")
    checks.one_of(config, "framework", config.values["framework"], (FRAMEWORK,))
    defaults = {f.name: f.default for f in fields(RllibRecipe) if f.default is not MISSING}
    values = {key: _value(config, key) for key in defaults.keys() | {"total_steps"} if key in config.values}
    rules, folder = checks.rules(config, "rules", config.values["rules"]), checks.folder(config)
    recipe = RllibRecipe(
        rules=rules,
        training_rules=checks.training_rules(config, rules),
        out=folder,
        name=folder.resolve().name,
        **values,
    )
    if recipe.batch_size > recipe.steps_per_iteration:
        raise config.error(
            "batch_size", f"{recipe.batch_size} is more than an iteration holds, {recipe.steps_per_iteration}"
        )
    if recipe.gpus_per_learner and not recipe.learners:
        raise config.error("gpus_per_learner", f"{recipe.gpus_per_learner:g} found, but learners is 0; 1 or more")
    return recipe


def _value(config: Config, key: str) -> Any:
    """One checked value of a key that is not about rules or folders."""
    value = config.values[key]
    if key in _WHOLE:
        return checks.whole(config, key, value, *_WHOLE[key])
    if key in _NUMBER:
        return checks.number(config, key, value, *_NUMBER[key])
    if key in _RAMP:
        return checks.ramp(config, key, value, *_RAMP[key])
    if key == "policies":
        return checks.one_of(config, key, value, (SHARED, PER_SEAT))
    if key == "opponents":
        found = checks.shares(config, key, value)
        if "past" in dict(found):
            raise config.error(f"{key}.past", "RLlib keeps no league; self and agents may be named")
        return found
    if key == "network":
        return checks.sizes(config, key, value)
    if key == "evaluate_against":
        return checks.judges(config, key, value)
    return checks.one_of(config, key, value, ACTIVATIONS)
