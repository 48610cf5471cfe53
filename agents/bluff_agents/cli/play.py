"""`bluff play`: a person against agents, in the terminal."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bluff_agents.cli.common import PlayersOption, RulesOption, TrustOption, load_rules
from bluff_agents.cli.screen import console, counted
from bluff_env.errors import BluffError, RecordError
from bluff_env.record import write_records

if TYPE_CHECKING:
    from bluff_agents.play import Session

#: The input ended before the game did.
_UNFINISHED = 1


def play(
    rules: RulesOption = "bloff",
    players: PlayersOption = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agents",
            metavar="A [B …]",
            help="Who sits in the other seats, from your left on: names as elsewhere; one for all. If left out: a "
            "trained agent where there is one for the rules, else counter.",
        ),
    ] = None,
    seat: Annotated[int, typer.Option("--seat", metavar="N", min=0, help="Your seat, from 0.")] = 0,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="Decides deal and agents; drawn, if left out.")
    ] = None,
    hint: Annotated[
        str | None, typer.Option("--hint", metavar="AGENT", help="Whom hint asks; if left out, as if --agents were.")
    ] = None,
    practice: Annotated[bool, typer.Option("--practice", help="Moves may be taken back with undo.")] = False,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write the game as a record, also an unfinished one.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
    trust: TrustOption = False,
) -> None:
    """Play against agents in the terminal.

    Type the number of a move that is shown, or the move: call, decline, pass,
    :44 (two fours, where fours must be claimed), 9H:7S (says nine of hearts,
    is the seven of spades). Also: list, hint, undo, log, help, quit; ? explains
    the rules.

    For example:

    bluff play

    bluff play --rules bluffstopp --players 3 --practice

    bluff play --agents counter honest bold --seed 7 --save game.jsonl

    bluff play --rules tiny < moves.txt
    """
    from bluff_agents.evaluation.files import check_target
    from bluff_agents.play import Session
    from bluff_agents.play.terminal import Terminal

    load_rules(rules, players)  # says what is wrong with them before anything else
    if save is not None:
        check_target(save, overwrite)
    changed: dict[str, Any] = {} if players is None else {"players": players}
    session = Session(rules, agents or None, seat=seat, seed=seed, practice=practice, trust=trust, **changed)
    if hint is not None:
        session.adviser(hint)
    terminal = Terminal(session, hint, console(), save)
    try:
        ending = terminal.run()
    finally:
        if terminal.save is not None:
            _write(session, terminal.save)
    if ending == "input":
        raise typer.Exit(_unfinished(session))
    _say_how_to_deal_again(session, rules, players, seat)


def _write(session: Session, path: Path) -> None:
    """Saves the game, whole or not at all."""
    try:
        write_records(path, [session.record()])
    except RecordError as error:  # nothing is wrong with the game: the file cannot be written
        raise BluffError(str(error)) from None
    print(f"{path}: {'game' if session.over else 'unfinished game'} saved")


def _unfinished(session: Session) -> int:
    turns = session.view()["turns"]
    print(f"bluff: the input ended before the game did, after {counted(turns, 'turn')}", file=sys.stderr, flush=True)
    return _UNFINISHED


def _say_how_to_deal_again(session: Session, rules: str, players: int | None, seat: int) -> None:
    words = ["bluff", "play", "--rules", rules, *([] if players is None else ["--players", str(players)])]
    words += [*(["--seat", str(seat)] if seat else []), "--seed", str(session.seed)]
    print(f"The same cards again: {shlex.join(words)}")
