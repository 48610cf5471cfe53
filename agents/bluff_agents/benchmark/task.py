"""Tasks: YAML files in `tasks/`, named with a number that changes whenever the games of the task do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import bluff_env
from bluff_agents.bots import bot_names
from bluff_agents.configs import Config
from bluff_env import BluffError, Rules
from bluff_env.engine.rng import MAX_SEED
from bluff_env.errors import ConfigError
from bluff_env.ruleset.rules import near
from bluff_env.yamlfile import read_mapping

#: Where the tasks lie that can be named.
FOLDER: Final = Path(__file__).resolve().parent / "tasks"
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*-v[1-9][0-9]*")
KEYS: Final = ("title", "rules", "steps", "seeds", "deals", "deal_seed", "against", "recipe")
_WHOLE: Final = {"steps": (1, 10**12), "seeds": (1, 1000), "deals": (2, 1_000_000), "deal_seed": (0, MAX_SEED)}


@dataclass(frozen=True, slots=True)
class Task:
    """What is played, against whom, and what it may cost to learn it.

    Attributes:
        name: such as "bloff-4-v1".
        title: in words.
        rules: what is played.
        steps: decisions that a learner may take in training, for each seed.
        seeds: how many trained agents, a seed each, a result needs at least.
        deals: deals against each opponent, each played from all seats.
        deal_seed: what they are dealt from.
        against: who sits in the other seats: one name (copies), or one for each.
        recipe: the project's recipe that a reference is kept of, if any.
    """

    name: str
    title: str
    rules: Rules
    steps: int
    seeds: int
    deals: int
    deal_seed: int
    against: tuple[tuple[str, ...], ...]
    recipe: str | None = None

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots, each once."""
        return tuple(dict.fromkeys(name for others in self.against for name in others))

    def opponents(self, which: int) -> str:
        """Who sits in the other seats, in words: "3 × honest", "random + honest + counter"."""
        others = self.against[which]
        if len(others) > 1:
            return " + ".join(others)
        return f"{self.rules.players - 1} × {others[0]}" if self.rules.players > 2 else others[0]


def task_names() -> tuple[str, ...]:
    """The tasks that can be named, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def read_task(name_or_path: str) -> Task:
    """A task by name, or by path, for a task of one's own.

    Raises:
        ConfigError: one line: no such task, with near matches; file and line of a key that is not known, missing, or
            whose value is not allowed; or a task of one's own by the name of another.
    """
    path = Path(name_or_path)
    if path.suffix not in (".yaml", ".yml"):
        if name_or_path not in task_names():
            names = task_names()
            raise ConfigError(f"no task named {name_or_path!r}{near(name_or_path, names)}; tasks: {', '.join(names)}")
        path = FOLDER / f"{name_or_path}.yaml"
    found = read_mapping(path)
    config = Config(path, found.values, {key: f"{path}:{line}" for key, line in found.lines.items()})
    config.check_keys(KEYS)
    if not _NAME.fullmatch(path.stem):
        raise ConfigError(f"{path}: a task is called by small letters and a number, such as bloff-4-v1")
    for key in KEYS:
        if key not in config.values and key != "recipe":
            raise config.error(key, "missing")
    rules = _rules(config)
    numbers = {key: _whole(config, key) for key in _WHOLE}
    recipe = config.values.get("recipe")
    if recipe is not None and not isinstance(recipe, str):
        raise config.error("recipe", f"{recipe!r} is not allowed; a recipe's name")
    task = Task(
        path.stem, _text(config, "title"), rules, against=_against(config, rules), recipe=recipe, **numbers
    )  # fmt: skip
    # Its line would stand in a table under the name of a task that is something else.
    if path.stem in task_names() and path != FOLDER / f"{path.stem}.yaml" and task != read_task(path.stem):
        raise ConfigError(f"{path}: differs from the task {path.stem} that comes with bluff-env; another name expected")
    return task


def _text(config: Config, key: str) -> str:
    value = config.values[key]
    if not isinstance(value, str) or not value:
        raise config.error(key, f"{value!r} is not allowed; a text")
    return value


def _whole(config: Config, key: str) -> int:
    value, (low, high) = config.values[key], _WHOLE[key]
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise config.error(key, f"{value!r} is not allowed; a whole number from {low:,} to {high:,}")
    return value


def _rules(config: Config) -> Rules:
    spec: Any = config.values["rules"]
    if not isinstance(spec, str | Mapping):
        raise config.error("rules", f"{spec!r} is not allowed; a name or fields of the rules")
    try:
        return bluff_env.rules(spec)
    except BluffError as error:
        raise config.error("rules", str(error)) from None


def _against(config: Config, rules: Rules) -> tuple[tuple[str, ...], ...]:
    value = config.values["against"]
    if not isinstance(value, list) or not value:
        raise config.error("against", f"{value!r} is not allowed; a list of bots, or of lists of bots")
    found = [(one,) if isinstance(one, str) else tuple(one) if isinstance(one, list) else () for one in value]
    for one, others in zip(value, found, strict=True):
        if not others or not all(isinstance(name, str) for name in others):
            raise config.error("against", f"{one!r} is not allowed; a bot, or a list of bots")
        if len(others) not in (1, rules.players - 1):
            raise config.error(
                "against", f"{', '.join(others)}: {len(others)} bots for the other {rules.players - 1} seats"
            )
        for name in others:
            if name not in bot_names():
                known = bot_names()
                raise config.error("against", f"no bot named {name!r}{near(name, known)}; bots: {', '.join(known)}")
    if len(set(found)) < len(found):
        raise config.error("against", f"{value!r}: the same opponents twice")
    return tuple(found)
