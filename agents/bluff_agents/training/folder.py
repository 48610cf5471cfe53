"""The run folder: config.yaml, metrics.csv, agent.safetensors, curves.png, checkpoints/ and TensorBoard's files.

Every file is written under a temporary name and then renamed, so that whatever ends the run leaves whole files.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final, Protocol

import yaml

from bluff_agents.agentfile import RUN_AGENT
from bluff_agents.configs import RUN_CONFIG
from bluff_agents.evaluation.files import whole
from bluff_env.errors import ConfigError

METRICS: Final = "metrics.csv"
CURVES: Final = "curves.png"
CHECKPOINTS: Final = "checkpoints"
_TENSORBOARD: Final = "events.out.tfevents.*"
_SEATS: Final = "player_*.safetensors"  # of runs that train one policy a seat


class Plain(Protocol):
    """A recipe, whatever trains by it."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data that it can be read back from."""
        ...


class RunFolder:
    """One run's folder.

    Attributes:
        path: where it is.
        agent, metrics, curves, checkpoints: what it holds.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.agent = path / RUN_AGENT
        self.metrics = path / METRICS
        self.curves = path / CURVES
        self.checkpoints = path / CHECKPOINTS

    @property
    def is_run(self) -> bool:
        """Does a run's recipe lie here?"""
        return (self.path / RUN_CONFIG).is_file()

    def check_free(self, overwrite: bool) -> bool:
        """May a run begin here? Whether there is one that would be replaced.

        Raises:
            ConfigError: there is something of that name already; with `overwrite`, something that is not a run.
        """
        if not self.path.exists() or (self.path.is_dir() and not any(self.path.iterdir())):
            return False
        if not overwrite:
            raise ConfigError(f"{self.path}: exists already; --overwrite replaces it, or choose another --set out=…")
        if not self.is_run:
            raise ConfigError(f"{self.path}: not a run folder (no {RUN_CONFIG}), so --overwrite leaves it alone")
        return True

    def begin(self, recipe: Plain, overwrite: bool) -> None:
        """Makes the folder and writes the recipe as run.

        Raises:
            ConfigError: as of `check_free`, or the folder cannot be made.
        """
        if self.check_free(overwrite):
            self._clear()
            self.sweep()
        try:
            self.checkpoints.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"{self.path}: cannot be made: {error.strerror or error}") from None
        self.write_recipe(recipe)

    def write_recipe(self, recipe: Plain) -> None:
        """Writes the recipe as run."""
        self.write_text(self.path / RUN_CONFIG, yaml.safe_dump(recipe.to_dict(), sort_keys=False, allow_unicode=True))

    def write_text(self, path: Path, text: str) -> None:
        """A text file, whole or not at all."""
        with whole(path) as temporary:
            temporary.write_text(text, encoding="utf-8")

    def forget_tensorboard(self) -> None:
        """Removes TensorBoard's files, which only ever grow."""
        for file in self.path.glob(_TENSORBOARD):
            file.unlink()

    def sweep(self) -> None:
        """Removes files that a run which was killed had begun to write."""
        for folder in (self.path, self.checkpoints):
            for name in (".*.part", ".*.tmp"):
                for file in folder.glob(name):
                    if file.is_file():
                        file.unlink()

    def _clear(self) -> None:
        """Removes what a run writes, and nothing else; the recipe last: a folder half cleared is still a run's."""
        shutil.rmtree(self.checkpoints, ignore_errors=True)
        self.forget_tensorboard()
        for file in self.path.glob(_SEATS):
            file.unlink()
        for name in (METRICS, CURVES, RUN_AGENT, RUN_CONFIG):
            (self.path / name).unlink(missing_ok=True)
