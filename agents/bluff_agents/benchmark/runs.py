"""Training runs that a script makes: begun, gone on with where they were, or kept where they are done."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bluff_agents.agentfile import RUN_AGENT, read_agent
from bluff_agents.configs import RUN_CONFIG
from bluff_agents.training.folder import METRICS
from bluff_env.errors import BluffError, ConfigError


def command(name: str, run: Callable[[list[str], Path], int], argv: Sequence[str] | None, root: Path) -> int:
    """Runs a script of the checkout; its exit status. A user's mistake is one line that begins with its name."""
    try:
        if not (root / "pyproject.toml").is_file():
            raise ConfigError(f"{root} is no checkout of bluff-env")
        return run(list(sys.argv[1:] if argv is None else argv), root)
    except BluffError as error:
        print(f"{name}: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 2


def trained(folder: Path, words: Sequence[str]) -> bool:
    """Is the run in `folder` at its end, now that `bluff train` has done what was missing? No if it was interrupted.

    Args:
        folder: the run folder.
        words: of `bluff train` for a run from the beginning, `out` among them.

    Raises:
        ConfigError: the training failed (what it said stands on stderr), or the folder's run is of another recipe.
    """
    _same_recipe(folder, words)
    if finished(folder):
        return True
    if (folder / "checkpoints").is_dir() and any((folder / "checkpoints").iterdir()):
        words = [str(folder), "--resume"]
    else:
        words = [*words, "--overwrite"]
    folder.parent.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-m", "bluff_agents", "train", *words], env={**os.environ, "PYTHONPATH": path}, check=False
    )
    if done.returncode not in (0, 130):
        raise ConfigError(f"{folder}: the training failed with exit status {done.returncode}")
    return finished(folder)


def _same_recipe(folder: Path, words: Sequence[str]) -> None:
    """Refuses a folder whose run was made with other settings than these: its numbers would stand under their name."""
    from bluff_agents.training import read_recipe

    if not (folder / RUN_CONFIG).is_file():
        return
    settings = [word for word in words[1:] if word != "--set"]
    asked, found = (recipe.to_dict() for recipe in (read_recipe(words[0], settings), read_recipe(str(folder))))
    other = [key for key in asked if key != "out" and asked[key] != found[key]]
    if other:
        raise ConfigError(f"{folder}: a run with another {', '.join(other)} is there; remove it to train anew")


def setting(text: str) -> str:
    """What follows `--set`; "KEY=VALUE", or a ConfigError."""
    if "=" not in text:
        raise ConfigError(f"--set: {text!r} is not allowed; KEY=VALUE")
    return text


def finished(folder: Path) -> bool:
    """Has the run come to the steps that its recipe asks for, and was its agent judged there?"""
    from bluff_agents.training import read_recipe

    if not (folder / RUN_AGENT).is_file() or not (folder / METRICS).is_file():
        return False
    recipe = read_recipe(str(folder))
    with (folder / METRICS).open(encoding="utf-8", newline="") as file:
        last = list(csv.DictReader(file))[-1:]
    judged = any(all(row.get(f"judged/{who}") for who in recipe.evaluate_against) for row in last)
    return judged and (read_agent(folder / RUN_AGENT).steps or 0) >= recipe.total_steps
