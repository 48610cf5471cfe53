"""Options, and what else several commands share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from bluff_env.errors import ConfigError
from bluff_env.ruleset import Rules
from bluff_env.ruleset import rules as make_rules

RulesOption = Annotated[
    str, typer.Option("--rules", metavar="NAME|FILE", help="A named rule set (see bluff rules) or a YAML file.")
]
PlayersOption = Annotated[int | None, typer.Option("--players", metavar="N", help="Seats, 2 to 16.")]
AgentsOption = Annotated[
    list[str],
    typer.Option(
        "--agents",
        metavar="A [B …]",
        help="A bot's name, an agent file, a run folder, or package.module:factory. One agent fills all seats; "
        "else name one for every seat.",
    ),
]
TrustOption = Annotated[bool, typer.Option("--trust", help="Load SB3 .zip files, which run code from the file.")]
PortOption = Annotated[
    int | None,
    typer.Option("--port", metavar="N", min=0, max=65535, help="Where the page is served; any free one, if left out."),
]
OpenOption = Annotated[bool, typer.Option("--open", help="Open the page in the browser at once.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for a program to read.")]


def refuse_idle(given: Mapping[str, Any], why: str) -> None:
    """Refuses options that would change nothing where they stand.

    Args:
        given: {option: its value}; None or False where it was not given.
        why: what they go with, or do not.

    Raises:
        ConfigError: those that were given, and why not.
    """
    idle = [name for name, value in given.items() if value is not None and value is not False]
    if idle:
        raise ConfigError(f"{', '.join(idle)}: {why}")


def load_rules(spec: str, players: int | None) -> Rules:
    """The rules a command was given, with another number of players if wanted."""
    changed: dict[str, Any] = {} if players is None else {"players": players}
    return make_rules(spec, **changed)


@contextmanager
def training_installed(extra: str = "train") -> Iterator[None]:
    """Around imports that need the extra `train`, or another one: says in one line what is not installed.

    Raises:
        ConfigError: a package that the block wants is missing.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorBoard looks for TensorFlow
    with _installed("training", extra):
        yield


@contextmanager
def web_installed() -> Iterator[None]:
    """Around imports that need the extra `web`, as `training_installed`. Raises ConfigError."""
    with _installed("the browser", "web"):
        yield


@contextmanager
def _installed(what: str, extra: str) -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("bluff_env", "bluff_agents"):
            raise
        raise ConfigError(
            f"{what} needs more than is installed ({error.name}): pip install 'bluff-env[{extra}]'"
        ) from None
