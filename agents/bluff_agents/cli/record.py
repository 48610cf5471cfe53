"""`bluff record`: games that agents play, written as game records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from bluff_agents.cli.common import AgentsOption, PlayersOption, RulesOption, TrustOption, load_rules
from bluff_agents.cli.screen import counted, progress
from bluff_env.engine.arguments import row_seeds
from bluff_env.errors import BluffError, RecordError
from bluff_env.record import record_of_row, write_records
from bluff_env.ruleset import NAMED, Rules

if TYPE_CHECKING:
    from bluff_agents import Agent
    from bluff_env import GameBatch

# Games played and written at a time; what is written does not depend on it.
_CHUNK = 1024
_MOST_GAMES = 10_000_000


class RecordingError(BluffError):
    """Not as many agents as seats, or more games than anybody would read."""


def record(
    rules: RulesOption,
    agents: AgentsOption,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write (JSON Lines).")],
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="How many games.")] = 1,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Decides deals and the agents’ chance.")] = 0,
    players: PlayersOption = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
    trust: TrustOption = False,
) -> None:
    """Let agents play and write the games down, hidden cards included.

    For example:

    bluff record --rules bloff --agents counter honest honest random --games 3 --seed 1 --out games.jsonl

    bluff record --rules house.yaml --agents counter --games 100 --out house.jsonl
    """
    from bluff_agents import load
    from bluff_agents.evaluation.files import check_target

    r = load_rules(rules, players)
    seats = _seats(agents, r.players)
    if games > _MOST_GAMES:
        raise RecordingError(f"--games: {games} is not allowed; a whole number from 1 to {_MOST_GAMES}")
    check_target(out, overwrite)
    loaded = {name: load(name, r, trust=trust) for name in dict.fromkeys(seats)}
    name = rules if rules in NAMED else None
    with progress(games, "games") as advance:
        try:
            write_records(out, _records(r, name, loaded, seats, games, seed, advance))
        except RecordError as error:  # nothing is wrong with a game: the file cannot be written
            raise BluffError(str(error)) from None
    print(f"{out}: {counted(games, 'game')}")


def _seats(agents: Sequence[str], players: int) -> list[str]:
    """Who sits where: one agent fills all seats."""
    if len(agents) == 1:
        return [agents[0]] * players
    if len(agents) != players:
        raise RecordingError(f"--agents: {len(agents)} named for {players} seats; one for all, or exactly {players}")
    return list(agents)


def _records(
    r: Rules,
    name: str | None,
    loaded: dict[str, Agent],
    seats: list[str],
    games: int,
    seed: int,
    advance: Callable[[int], None],
) -> Iterator[dict[str, Any]]:
    """The games one after the other. Each depends on its own seed alone, so they may be played in parts."""
    from bluff_agents.evaluation.play import play

    seeds = row_seeds(seed, games)
    row = np.array([list(loaded).index(agent) for agent in seats], np.int64)
    for low in range(0, games, _CHUNK):
        part = seeds[low : low + _CHUNK]
        finished: list[GameBatch] = []

        def keep(batch: GameBatch, first: int, finished: list[GameBatch] = finished) -> None:
            finished.append(batch)

        play(r, list(loaded.values()), part, np.tile(row, (len(part), 1)), on_batch=keep)
        for batch in finished:
            for index in range(len(batch)):
                yield {**record_of_row(batch, index, name), "seats": seats}
                advance(1)
