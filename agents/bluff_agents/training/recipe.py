"""Recipe: everything a training run depends on, checked when it is read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Final

from bluff_agents import configs
from bluff_agents.configs import Config
from bluff_agents.training import checks
from bluff_env import Layout, Rules
from bluff_env.engine.rng import MAX_SEED
from bluff_env.errors import ConfigError

# Whole numbers beside those of `checks.WHOLE`: key -> lowest and highest value.
_WHOLE: Final = {
    "seed": (0, MAX_SEED),
    "games": (1, 1_000_000),
    "steps_per_rollout": (2, 1_000_000),
    "exploit_every": (0, checks.MANY),
    "imitate_steps": (1, checks.MANY),
    "league_size": (1, 1000),
    "league_every": (1, checks.MANY),
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How an agent is trained by self-play with MaskablePPO. `read_recipe` makes one from YAML.

    Attributes:
        rules: the game the agent is for, in which it is also judged.
        total_steps: decisions of the learner; the run ends with the rollout that reaches them.
        out: the run folder; `runs/NAME` if the recipe does not say.
        seed: decides everything.
        training_rules: the same with what differs while training: max_turns, rewards, first_player.
        opponents: {who: share of the seats}: "self" (the present policy), a bot, an agent file.
            "past" is a pool of `league_size` earlier selves, the harder ones met more often (see `training.league`).
        alike: the share of games in which all opponents are the same one; in the others each seat is drawn by itself.
        league_size: how many earlier selves the pool holds.
        league_every: steps between two of them.
        games: games held at once, one learner seat in each.
        steps_per_rollout: learner decisions per game between two updates.
        batch_size, epochs, gamma, gae_lambda, clip, value_weight, max_gradient: of PPO.
        learning_rate, entropy: (start, end), changed evenly over the run.
        lead_weight: (start, end): what every change in the lead in cards pays (see `BluffVecEnv`).
        network: sizes of the hidden layers, of the policy and of the critic alike.
        activation: "tanh" or "relu".
        hide: pieces of the observation that neither policy nor critic sees, of those that `bluff rules NAME` lists: to
            find out what they are worth.
        average: true: the agent is not the last policy but the mean of the weights after every update, those of update
            k counting k times, as CFR+ averages its policies. It wavers less than any one policy in self-play.
        inclination_to_call: added to the first policy's logit of calling; below 0 it calls less than it declines.
        imitate: an agent that the policy learns to play like before the first rollout; "": none.
        imitate_steps: decisions of that agent which it learns from.
        evaluate_every: steps between two evaluations; the last one comes at the end.
        evaluate_deals: deals of each evaluation, each played in all rotations.
        evaluate_against: whom: one agent against copies of each of these.
        exploit_every: steps between two exact figures of the NashConv of the present policy, the last one at the end;
            0: none. Only for rules small enough to be solved (see `bluff_agents.exploit`).
        checkpoint_every: steps between two checkpoints.
        keep_checkpoints: how many of the latest are kept.
        threads: parts into which the update shares out each minibatch, each with a thread of its own. The agent that
            comes of a recipe depends on it in the last digits, so it is part of the recipe, not of the machine.
        name: what the run is called.
    """

    rules: Rules
    training_rules: Rules
    total_steps: int
    out: Path
    name: str
    seed: int = 0
    opponents: tuple[tuple[str, float], ...] = (("self", 0.75), ("counter", 0.15), ("honest", 0.1))
    alike: float = 0.5
    league_size: int = 8
    league_every: int = 500_000
    games: int = 256
    steps_per_rollout: int = 64
    batch_size: int = 2048
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
    hide: tuple[str, ...] = ()
    average: bool = False
    inclination_to_call: float = -2.0
    imitate: str = ""
    imitate_steps: int = 400_000
    evaluate_every: int = 500_000
    evaluate_deals: int = 100
    evaluate_against: tuple[str, ...] = ("random", "honest", "counter")
    exploit_every: int = 0
    checkpoint_every: int = 250_000
    keep_checkpoints: int = 2
    threads: int = 1

    @property
    def rollout(self) -> int:
        """Learner decisions between two updates."""
        return self.games * self.steps_per_rollout

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `read_recipe` reads back as an equal recipe."""
        return checks.plain(self)


KEYS: Final = tuple(f.name for f in fields(Recipe) if f.name != "name")
# What a run that goes on may be given anew. By all else it would no longer be the run that its recipe and seed make.
_ANEW: Final = (
    "total_steps", "evaluate_every", "evaluate_deals", "evaluate_against", "exploit_every", "checkpoint_every",
    "keep_checkpoints",
)  # fmt: skip


def read_recipe(name_or_path: str | os.PathLike[str], settings: Sequence[str] = ()) -> Recipe:
    """A recipe by name, path or run folder, with `settings` such as "total_steps=20000" laid over it.

    Raises:
        ConfigError: one line with file and line: a key that is not known (with near matches), missing, or whose value
            is not allowed.
    """
    config = configs.read(name_or_path, settings)
    config.check_keys(KEYS)
    for key in ("rules", "total_steps"):
        if key not in config.values:
            raise config.error(key, "missing")
    defaults = {f.name: f.default for f in fields(Recipe) if f.default is not MISSING}
    values = {key: _value(config, key) for key in defaults.keys() | {"total_steps"} if key in config.values}
    rules = checks.rules(config, "rules", config.values["rules"])
    folder = checks.folder(config)
    recipe = Recipe(
        rules=rules,
        training_rules=checks.training_rules(config, rules),
        out=folder,
        name=folder.resolve().name,
        **values,
    )
    pieces = Layout(rules).pieces
    for piece in recipe.hide:
        if piece not in pieces:
            raise config.error("hide", f"{piece!r} is not allowed; pieces of the observation: {', '.join(pieces)}")
    if recipe.batch_size > recipe.rollout:
        raise config.error("batch_size", f"{recipe.batch_size} is more than a rollout holds, {recipe.rollout}")
    return recipe


def check_goes_on(recipe: Recipe) -> None:
    """May the run in a recipe's folder go on by this recipe?

    Raises:
        ConfigError: it was begun by another; names the first key that differs.
    """
    begun, asked = read_recipe(recipe.out).to_dict(), recipe.to_dict()
    for key, value in begun.items():
        if asked[key] != value and key not in (*_ANEW, "out"):
            raise ConfigError(
                f"{recipe.out}: was begun with {key} {value!r}, so it cannot go on with {asked[key]!r}; "
                f"--resume takes another {', '.join(_ANEW)}"
            )


def _value(config: Config, key: str) -> Any:
    """One checked value of a key that is not about rules or folders."""
    value = config.values[key]
    if key == "average":
        if not isinstance(value, bool):
            raise config.error(key, f"{value!r} is not allowed; true or false")
        return value
    if key == "imitate":
        if value is not None and not isinstance(value, str):
            raise config.error(key, f"{value!r} is not allowed; an agent")
        if value in ("self", "past"):
            raise config.error(key, f"{value!r} is nobody to be imitated; an agent, such as counter")
        return value or ""
    if key == "hide":
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise config.error(key, f"{value!r} is not allowed; a list of pieces of the observation, such as [known]")
        return tuple(value)
    return checks.common(config, key, _WHOLE, {})
