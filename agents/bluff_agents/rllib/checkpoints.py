"""RLlib's own checkpoints, one folder each, in the run folder. They hold pickles, which can run code when loaded."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final

from bluff_agents.evaluation.files import whole_folder
from bluff_agents.training.folder import RunFolder
from bluff_env.errors import ConfigError

_NAME: Final = "step-"


def save_checkpoint(folder: Path, algorithm: Any, steps: int, keep: int) -> Path:
    """Writes `step-N/`, whole or not at all, and removes all but the latest `keep`. Any Ray can go on from it:
    `Algorithm.from_checkpoint(path)`.
    """
    path = folder.absolute() / f"{_NAME}{steps:012d}"
    with whole_folder(path) as fresh:
        algorithm.save_to_path(str(fresh))
    for old in _found(folder)[:-keep]:
        shutil.rmtree(old, ignore_errors=True)
    return path


def check_folder(out: Path, *, overwrite: bool, resume: bool, trust: bool) -> Path | None:
    """Whether a run may begin, or go on, in a folder: before Ray is imported and started, which takes half a minute.

    Returns:
        The checkpoint to go on from; None: the run begins.

    Raises:
        ConfigError: a folder that is in use, no checkpoint, or one that is not trusted.
    """
    if not resume:
        RunFolder(out).check_free(overwrite)
        return None
    found = latest_checkpoint(RunFolder(out).checkpoints)
    steps_of(found)
    check_trust(found, trust)
    return found


def steps_of(path: Path) -> int:
    """The steps that a run had made at a checkpoint.

    Raises:
        ConfigError: its name does not say so.
    """
    number = path.name.removeprefix(_NAME)
    if not number.isdecimal() or not number.isascii():
        raise ConfigError(f"{path}: not a checkpoint of a run, which would be called {_NAME} and its steps")
    return int(number)


def latest_checkpoint(folder: Path) -> Path:
    """The latest checkpoint of a run.

    Raises:
        ConfigError: there is none.
    """
    found = _found(folder)
    if not found:
        raise ConfigError(f"{folder}: no checkpoint to go on from")
    return found[-1]


def check_trust(path: Path, trust: bool) -> None:
    """Refuses a checkpoint that the user has not said to trust.

    Raises:
        ConfigError: not trusted.
    """
    if not trust:
        raise ConfigError(
            f"{path}: RLlib's checkpoints hold pickles, which can run any code when loaded; --trust goes on from it, "
            "if you trust whoever made it"
        )


def load_checkpoint(path: Path, algorithm: Any) -> int:
    """Puts the algorithm back as it was; the steps it had made. This can run code hidden in the files: only after
    `check_trust`.

    Raises:
        ConfigError: not a checkpoint, or one of another recipe.
    """
    try:
        algorithm.restore_from_path(str(path.absolute()))
    except Exception as error:  # a foreign folder may fail in any way: pickle, torch, a key that is missing
        first = (str(error).splitlines() or [""])[0]
        raise ConfigError(f"{path}: cut short, or of another recipe ({type(error).__name__}: {first})") from None
    return steps_of(path)


def _found(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(f"{_NAME}*") if path.is_dir())
