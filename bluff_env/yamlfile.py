"""Reading small YAML files: safe_load only, with the line of every key, so that an error can point at it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bluff_env.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Mapping:
    """A YAML mapping and where its keys stand; nested keys are joined by dots ("train.seed")."""

    path: Path
    values: dict[str, Any]
    lines: dict[str, int]

    def line(self, key: str) -> int | None:
        """The line (from 1) of a key, or None when it does not stand in the file."""
        return self.lines.get(key)


def read_mapping(path: Path) -> Mapping:
    """The mapping a YAML file holds.

    Raises:
        ConfigError: no such file, not UTF-8 text, not YAML, not a mapping, or a key that stands twice.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text (byte {error.start})") from None
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark is not None else str(path)
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise ConfigError(f"{where}: not valid YAML: {what}") from None
    except (ValueError, RecursionError) as error:  # e.g. a date that no calendar has
        raise ConfigError(f"{path}: not valid YAML: {error}") from None
    if values is None:
        return Mapping(path, {}, {})
    if not isinstance(node, yaml.MappingNode) or not isinstance(values, dict):
        raise ConfigError(f"{path}:1: expected fields, as 'key: value' lines; found {type(values).__name__}")
    lines: dict[str, int] = {}
    try:
        _collect(path, node, "", lines)
    except RecursionError:
        raise ConfigError(f"{path}: not valid YAML here: a value that contains itself") from None
    return Mapping(path, {str(k): v for k, v in values.items()}, lines)


def _collect(path: Path, node: yaml.MappingNode, prefix: str, lines: dict[str, int]) -> None:
    for key, value in node.value:
        name = f"{prefix}{key.value}"
        if name in lines:
            raise ConfigError(f"{path}:{key.start_mark.line + 1}: {name}: stands twice (first on line {lines[name]})")
        lines[name] = key.start_mark.line + 1
        if isinstance(value, yaml.MappingNode):
            _collect(path, value, f"{name}.", lines)
