"""Checks of a recipe's values, whatever trains by it: each points at the line that a fault stands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import bluff_env
from bluff_agents import configs
from bluff_agents.agentfile import FREE_FIELDS
from bluff_agents.configs import Config
from bluff_agents.policy import ACTIVATIONS
from bluff_env import BluffError, Rules

#: A number of steps is at most this.
MANY: Final = 10**12
#: Whole numbers that every framework's recipes hold: key -> lowest and highest value.
WHOLE: Final[Mapping[str, tuple[int, int]]] = {
    "total_steps": (1, MANY),
    "batch_size": (2, 10_000_000),
    "epochs": (1, 1000),
    "evaluate_every": (1, MANY),
    "evaluate_deals": (2, 1_000_000),
    "checkpoint_every": (1, MANY),
    "keep_checkpoints": (1, 1_000_000),
    "threads": (1, 1024),
}
#: Numbers that they hold: key -> lowest and highest value.
NUMBER: Final[Mapping[str, tuple[float, float]]] = {
    "alike": (0.0, 1.0),
    "gamma": (0.0, 1.0),
    "gae_lambda": (0.0, 1.0),
    "clip": (1e-6, 10.0),
    "value_weight": (0.0, 1e6),
    "max_gradient": (1e-6, 1e6),
    "inclination_to_call": (-20.0, 20.0),
}
#: Numbers that may change over the run: [at the start, at the end], or one for both.
RAMP: Final[Mapping[str, tuple[float, float]]] = {
    "learning_rate": (0.0, 1.0),
    "entropy": (0.0, 10.0),
    "lead_weight": (0.0, 10.0),
}


def common(
    config: Config, key: str, wholes: Mapping[str, tuple[int, int]], numbers: Mapping[str, tuple[float, float]]
) -> Any:
    """One checked value of a key that is not about rules or folders, and that recipes of every framework hold; or one
    of the whole numbers and numbers, key -> lowest and highest value, that those of one framework hold beside.

    Raises:
        ConfigError: a value that is not allowed.
        KeyError: a key of which nothing is known here: whoever added it to a recipe forgot to have it checked.
    """
    value = config.values[key]
    if key in WHOLE or key in wholes:
        return whole(config, key, value, *(wholes[key] if key in wholes else WHOLE[key]))
    if key in NUMBER or key in numbers:
        return number(config, key, value, *(numbers[key] if key in numbers else NUMBER[key]))
    if key in RAMP:
        return ramp(config, key, value, *RAMP[key])
    if key == "opponents":
        return shares(config, key, value)
    if key == "network":
        return sizes(config, key, value)
    if key == "evaluate_against":
        return judges(config, key, value)
    if key == "activation":
        return one_of(config, key, value, ACTIVATIONS)
    raise KeyError(key)


def whole(config: Config, key: str, value: Any, low: int, high: int) -> int:
    """A whole number; 1.0e6 is one too."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise config.error(key, f"{value!r} is not allowed; a whole number from {low} to {high}")
    return value


def number(config: Config, key: str, value: Any, low: float, high: float) -> float:
    """A number."""
    if isinstance(value, str):
        with suppress(ValueError):
            value = float(value)  # YAML takes 1e-3 for a word
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise config.error(key, f"{value!r} is not allowed; a number from {low:g} to {high:g}")
    return float(value)


def ramp(config: Config, key: str, value: Any, low: float, high: float) -> tuple[float, float]:
    """A number that may change over the run: [at the start, at the end], or one for both."""
    row = value if isinstance(value, list) else [value, value]
    if len(row) != 2:
        raise config.error(key, f"{value!r} is not allowed; one number, or [at the start, at the end]")
    return number(config, key, row[0], low, high), number(config, key, row[1], low, high)


def one_of(config: Config, key: str, value: Any, allowed: Sequence[str]) -> str:
    """A word out of a few."""
    if value not in allowed:
        raise config.error(key, f"{value!r} is not allowed; {' or '.join(allowed)}")
    return str(value)


def sizes(config: Config, key: str, value: Any) -> tuple[int, ...]:
    """Sizes of hidden layers."""
    if not isinstance(value, list) or not all(type(size) is int and 1 <= size <= 65536 for size in value):
        raise config.error(key, f"{value!r} is not allowed; a list of layer sizes, such as [128, 128]")
    return tuple(value)


def judges(config: Config, key: str, value: Any) -> tuple[str, ...]:
    """Agents to be judged against."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise config.error(key, f"{value!r} is not allowed; a list of agents, such as [random, honest]")
    for name in value:
        if name in ("self", "past"):
            raise config.error(key, f"{name!r} is nobody to be judged against; agents, such as [random, honest]")
    return tuple(value)


def shares(config: Config, key: str, value: Any) -> tuple[tuple[str, float], ...]:
    """{who: share of the seats}, one of them above 0."""
    if not isinstance(value, Mapping) or not value:
        raise config.error(key, f"{value!r} is not allowed; shares, such as {{self: 0.75, counter: 0.25}}")
    found = tuple((str(who), number(config, f"{key}.{who}", share, 0, 1e6)) for who, share in value.items())
    if not any(share for _, share in found):
        raise config.error(key, "no share is above 0")
    return found


def training_rules(config: Config, judged: Rules) -> Rules:
    """The key `training_rules`: the rules that are judged by, with what differs while training."""
    changes = config.values.get("training_rules") or {}
    if not isinstance(changes, Mapping):
        raise config.error("training_rules", f"{changes!r} is not allowed; fields of the rules")
    for key in changes:
        if key not in FREE_FIELDS:
            raise config.error(
                f"training_rules.{key}",
                f"an agent cannot be trained under another one; {', '.join(FREE_FIELDS)} may differ",
            )
    return rules(config, "training_rules", judged, **{str(key): value for key, value in changes.items()})


def rules(config: Config, key: str, spec: Any, **changes: Any) -> Rules:
    """The rules that a key holds; their errors are given the line of the field."""
    if not isinstance(spec, str | Mapping | Rules):
        raise config.error(key, f"{spec!r} is not allowed; a name, a .yaml file, or fields of the rules")
    try:
        return bluff_env.rules(spec, **changes)
    except BluffError as error:
        field, _, text = str(error).partition(": ")
        if f"{key}.{field}" in config.origins:
            raise config.error(f"{key}.{field}", text) from None
        raise config.error(key, text if field == key else str(error)) from None


def folder(config: Config) -> Path:
    """The key `out`: `runs/NAME` if it is not given; a run's own recipe means the folder it lies in."""
    out = config.values.get("out")
    if out is not None and (not isinstance(out, str) or not out):
        raise config.error("out", f"{out!r} is not allowed; a folder")
    if config.path.name == configs.RUN_CONFIG and not config.where("out").startswith("--set"):
        return config.path.parent  # wherever it has been moved to
    return Path("runs") / config.name if out is None else Path(out)


def plain_rules(found: Rules) -> str | dict[str, Any]:
    """A name where one says it all, else the fields that differ from the defaults."""
    for name in bluff_env.rule_names():
        if bluff_env.rules(name) == found:
            return name
    default = {f.name: f.default for f in fields(Rules)}
    return {key: value for key, value in found.to_dict().items() if value != default[key]}


def plain_changes(judged: Rules, training: Rules) -> dict[str, Any]:
    """What `training_rules` must say."""
    changed = {key: getattr(training, key) for key in FREE_FIELDS}
    return {key: value for key, value in changed.items() if value != getattr(judged, key)}


def plain(recipe: Any) -> dict[str, Any]:
    """A recipe, a dataclass with the fields `rules`, `training_rules`, `opponents`, `out` and `name`, as plain data."""
    found: dict[str, Any] = {
        "rules": plain_rules(recipe.rules),
        "training_rules": plain_changes(recipe.rules, recipe.training_rules),
        "opponents": dict(recipe.opponents),
        "out": str(recipe.out),
    }
    for f in fields(recipe):
        if f.name not in found and f.name != "name":
            value = getattr(recipe, f.name)
            found[f.name] = list(value) if isinstance(value, tuple) else value
    return found
