"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

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
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for a program to read.")]


def load_rules(spec: str, players: int | None) -> Rules:
    """The rules a command was given, with another number of players if wanted."""
    changed: dict[str, Any] = {} if players is None else {"players": players}
    return make_rules(spec, **changed)
