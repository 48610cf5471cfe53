"""RllibRecipe: everything a run with RLlib depends on, checked when it is read. Needs neither ray nor torch."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Final

from bluff_agents import configs
from bluff_agents.configs import Config
from bluff_agents.training import checks
from bluff_env import Rules

#: What a recipe's key `framework` says, so that `bluff train` hands it to RLlib.
FRAMEWORK: Final = "rllib"
SHARED: Final = "shared"
PER_SEAT: Final = "per_seat"

# RLlib adds the number of the runner and of the game to the seed, and numpy's generators take no more than 32 bits.
_MAX_SEED: Final = 2**31 - 1
# Whole numbers beside those of `checks.WHOLE`: key -> lowest and highest value.
_WHOLE: Final = {
    "seed": (0, _MAX_SEED),
    "env_runners": (0, 10_000),
    "games_per_runner": (1, 10_000),
    "learners": (0, 1000),
    "steps_per_iteration": (2, 100_000_000),
}
# Numbers beside those of `checks.NUMBER`: key -> lowest and highest value.
_NUMBER: Final = {"cpus_per_runner": (0.01, 1024.0), "gpus_per_learner": (0.0, 64.0)}


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

    @property
    def steps_per_learner(self) -> int:
        """A learner's share of the decisions between two updates."""
        return self.steps_per_iteration // max(1, self.learners)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `read_recipe` reads back as an equal recipe."""
        return {"framework": FRAMEWORK, **checks.plain(self)}


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
    if recipe.batch_size > recipe.steps_per_learner:
        raise config.error(
            "batch_size",
            f"{recipe.batch_size} is more than a learner's share of an iteration, {recipe.steps_per_learner}",
        )
    if recipe.gpus_per_learner and not recipe.learners:
        raise config.error("gpus_per_learner", f"{recipe.gpus_per_learner:g} found, but learners is 0; 1 or more")
    return recipe


def _value(config: Config, key: str) -> Any:
    """One checked value of a key that is not about rules or folders."""
    if key == "policies":
        return checks.one_of(config, key, config.values[key], (SHARED, PER_SEAT))
    value = checks.common(config, key, _WHOLE, _NUMBER)
    if key == "opponents" and "past" in dict(value):
        raise config.error(f"{key}.past", "RLlib keeps no league; self and agents may be named")
    return value
