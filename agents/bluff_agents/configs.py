"""Recipes: YAML files found by name, in the checkout's `configs/` or the installed package; changed by `--set a.b=c`.

A recipe is plain data here. What its keys mean, and which there are, is the business of whoever reads it (such as
`bluff_agents.training.Recipe`), with `Config.error` to point at the line a fault stands on.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from bluff_env.errors import ConfigError
from bluff_env.ruleset.rules import near
from bluff_env.yamlfile import read_mapping

_HERE: Final = Path(__file__).resolve().parent
_ENDINGS: Final = (".yaml", ".yml")
#: What a run folder calls the recipe it was made from.
RUN_CONFIG: Final = "config.yaml"


@dataclass(frozen=True, slots=True)
class Config:
    """A recipe's values and where each was set.

    Attributes:
        path: the file.
        values: nested mappings, lists, words and numbers.
        origins: {dotted key: "file:line" or "--set key=value"}.
    """

    path: Path
    values: dict[str, Any]
    origins: dict[str, str]

    @property
    def name(self) -> str:
        """What the recipe is called: the file's name, or for a run folder's recipe the folder's."""
        return self.path.parent.resolve().name if self.path.name == RUN_CONFIG else self.path.stem

    def where(self, key: str) -> str:
        """Where a key, or else the mapping around it, was set; the file where it was not."""
        while key:
            if key in self.origins:
                return self.origins[key]
            key = key.rpartition(".")[0]
        return str(self.path)

    def error(self, key: str, text: str) -> ConfigError:
        """A fault of one key, with its place: "configs/x.yaml:3: games: 0 is not allowed; …"."""
        return ConfigError(f"{self.where(key)}: {key}: {text}")

    def check_keys(self, known: Iterable[str]) -> None:
        """Refuses keys, at the top level, that are not known.

        Raises:
            ConfigError: names the key, its place and near matches.
        """
        allowed = tuple(known)
        for key in self.values:
            if key not in allowed:
                raise self.error(key, f"no such key{near(key, allowed)}; keys: {', '.join(allowed)}")


def folders() -> list[Path]:
    """Where recipes are looked up by name, first match first: the checkout's `configs/`, the installed package's."""
    checkout = _HERE.parent.parent
    found = [checkout / "configs"] if (checkout / "pyproject.toml").is_file() else []
    return [folder for folder in [*found, _HERE / "configs"] if folder.is_dir()]


def names() -> tuple[str, ...]:
    """The recipes that can be named, in alphabetical order."""
    files = (path for folder in folders() for path in folder.iterdir() if path.suffix in _ENDINGS)
    return tuple(sorted({path.stem for path in files}))


def find(name_or_path: str | os.PathLike[str]) -> Path:
    """The file of a recipe given by name, by path, or by the run folder that it made.

    Raises:
        ConfigError: no such recipe, with near matches, or no such file.
    """
    text = os.fspath(name_or_path)
    path = Path(text)
    if path.suffix in _ENDINGS or os.sep in text or "/" in text:
        if path.is_dir():
            if not (path / RUN_CONFIG).is_file():
                raise ConfigError(f"{text}: no {RUN_CONFIG} in this folder; a run folder expected")
            return path / RUN_CONFIG
        if not path.is_file():
            raise ConfigError(f"{text}: no such file")
        return path
    for folder in folders():
        for ending in _ENDINGS:
            if (folder / (text + ending)).is_file():
                return folder / (text + ending)
    if (path / RUN_CONFIG).is_file():
        return path / RUN_CONFIG
    known = names()
    raise ConfigError(
        f"no recipe named {text!r}{near(text, known)}; recipes: {', '.join(known) or 'none'}, or a .yaml file"
    )


def read(name_or_path: str | os.PathLike[str], settings: Sequence[str] = ()) -> Config:
    """A recipe with `settings` ("a.b=c", the value a YAML scalar or list) laid over it.

    Raises:
        ConfigError: no such recipe, a file that is not YAML, or a setting that cannot be read.
    """
    path = find(name_or_path)
    found = read_mapping(_shown(path))
    config = Config(found.path, found.values, {key: f"{found.path}:{line}" for key, line in found.lines.items()})
    for setting in settings:
        _apply(config, setting)
    return config


def _shown(path: Path) -> Path:
    """The path as errors show it: from the working directory where it lies below that."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path


def _apply(config: Config, setting: str) -> None:
    """Lays one setting over the values."""
    key, equals, text = setting.partition("=")
    key = key.strip()
    if not equals or not key or not all(key.split(".")):
        raise ConfigError(f"--set {setting}: key=value expected, such as --set total_steps=100000")
    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise ConfigError(f"--set {setting}: {text!r} is not valid YAML") from None
    *above, last = key.split(".")
    values = config.values
    for depth, part in enumerate(above, start=1):
        inner = values.get(part, {})
        if part == "rules" and depth == 1 and isinstance(inner, str):
            inner = {"base": inner}  # a named set, about to be changed
        if not isinstance(inner, dict):
            raise ConfigError(f"--set {setting}: {'.'.join(above[:depth])} is {inner!r}, which has no fields")
        values[part] = inner
        values = inner
    values[last] = value
    prefix = key + "."
    for old in [name for name in config.origins if name.startswith(prefix)]:
        del config.origins[old]
    config.origins[key] = f"--set {setting}"
