"""`bluff watch`: recorded games, step by step, in the terminal or in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bluff_agents.cli.common import OpenOption, PortOption, TrustOption, web_installed
from bluff_agents.cli.screen import console
from bluff_env.errors import BluffError

if TYPE_CHECKING:
    from bluff_agents.agent import Agent
    from bluff_env import Rules


def watch(
    records: Annotated[
        list[Path], typer.Argument(metavar="RECORD", help="Files of game records, or folders with such.")
    ],
    game: Annotated[int, typer.Option("--game", metavar="N", min=1, help="Which game is shown first, from 1.")] = 1,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", min=0, help="Show what this seat saw; if left out, all hands.")
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="A [B …]",
            help="Whose opinions to show: names as elsewhere, in a terminal one. If left out, in a browser: counter "
            "and a trained agent where there is one for the rules.",
        ),
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="Watch in a browser on this machine.")] = False,
    port: PortOption = None,
    opened: OpenOption = False,
    trust: TrustOption = False,
) -> None:
    """Watch recorded games: step by step, from call to call, open or as one seat saw it.

    In the terminal type Enter for a step, c for the next call, s 2 for seat 2's
    view, o for all hands, a NAME for an agent's opinion, p for a plot of hand
    sizes; h tells the rest.

    For example:

    bluff watch games.jsonl

    bluff watch games.jsonl --game 3 --seat 0 --agent counter

    bluff watch games.jsonl --web --agent counter zoo/bloff-4

    bluff evaluate --rules bloff --agents counter honest --deals 5 --save games.jsonl

    bluff watch games.jsonl --web --open
    """
    from bluff_agents import load
    from bluff_agents.play import default_opponent
    from bluff_agents.play.hinting import refuse_searching
    from bluff_agents.watch import Shelf

    if not web and (port is not None or opened):
        raise BluffError("--port and --open are for --web")
    if not web and agent and len(agent) > 1:
        raise BluffError(f"--agent: {len(agent)} named; in a terminal one opinion is shown, and another by a NAME")
    shelf = Shelf(records)
    showing = shelf.open(game - 1)
    if seat is not None and seat >= len(showing.seats):
        raise BluffError(f"--seat: {seat} is not allowed; a whole number from 0 to {len(showing.seats) - 1}")
    rules = showing.replay.rules

    def loaded(name: str, rules: Rules) -> Agent:
        agent = load(name, rules, trust=trust)
        refuse_searching(agent)
        return agent

    for name in agent or ():
        loaded(name, rules)  # says at once what is wrong with it
    if not web:
        from bluff_agents.watch.terminal import WatchTerminal

        WatchTerminal(shelf, loaded, agent[0] if agent else None, console(), game - 1, seat).run()
        return
    with web_installed():
        from bluff_agents.web.server import serve
        from bluff_agents.web.watching import WatchRoom
    names = list(dict.fromkeys(agent or [default_opponent(rules, showing.name), "counter"]))
    serve(WatchRoom(shelf, names, loaded, game - 1, seat), port or 0, "watching", opened)
