"""`bluff play`: a person against agents, in the terminal or in a browser."""

from __future__ import annotations

import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bluff_agents.cli.common import (
    OpenOption,
    PlayersOption,
    PortOption,
    RulesOption,
    TrustOption,
    load_rules,
    web_installed,
)
from bluff_agents.cli.screen import console, counted
from bluff_env.engine.rng import MAX_SEED
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
    web: Annotated[
        bool, typer.Option("--web", help="Play in a browser on this machine, at the address printed.")
    ] = False,
    port: PortOption = None,
    opened: OpenOption = False,
    moment: Annotated[
        int | None,
        typer.Option(
            "--moment", metavar="N", min=0, help="Seconds to answer a claim in a browser, 20 if left out; 0: no limit."
        ),
    ] = None,
    trust: TrustOption = False,
) -> None:
    """Play against agents, in the terminal or in a browser.

    Type the number of a move that is shown, or the move: call, decline, pass,
    :44 (two fours, where fours must be claimed), 9H:7S (says nine of hearts,
    is the seven of spades). Also: list, hint, undo, log, help, quit; ? explains
    the rules. With --web everything is done by mouse or keyboard on a page.

    For example:

    bluff play

    bluff play --rules bluffstopp --players 3 --practice

    bluff play --agents counter honest bold --seed 7 --save game.jsonl

    bluff play --web --rules bluffstopp

    bluff play --rules tiny < moves.txt
    """
    from bluff_agents.evaluation.files import check_target
    from bluff_agents.play import Session
    from bluff_agents.play.terminal import Terminal

    load_rules(rules, players)  # says what is wrong with them before anything else
    if save is not None:
        check_target(save, overwrite)
    changed: dict[str, Any] = {} if players is None else {"players": players}
    if not web and (port is not None or opened or moment is not None):
        raise BluffError("--port, --open and --moment are for --web")
    if overwrite and save is None:
        raise BluffError("--overwrite: only with --save, whose file it replaces")

    def deal(seed: int | None = seed) -> Session:
        return Session(rules, agents or None, seat=seat, seed=seed, practice=practice, trust=trust, **changed)

    session = deal()
    if hint is not None:
        session.adviser(hint)
    if web:
        # a game after another is decided by the seed, too, where one was given
        with _signals_end_it():
            _serve(
                session, lambda last: deal(None if seed is None else (last + 1) % (MAX_SEED + 1)),
                hint, moment, save, port or 0, opened,
            )  # fmt: skip
        return
    terminal = Terminal(session, hint, console(), save)
    with _signals_end_it():
        try:
            ending = terminal.run()
        finally:
            if terminal.save is not None:
                _write(session, terminal.save)
    if ending == "input":
        raise typer.Exit(_unfinished(session))
    _say_how_to_deal_again(session, rules, players, agents, seat, trust)


@contextmanager
def _signals_end_it() -> Iterator[None]:
    """SIGTERM, and the SIGHUP of a terminal that is closed, end a game as Ctrl-C does, so that it is saved.

    Does nothing outside the main thread: others get no signals.
    """
    listens = threading.current_thread() is threading.main_thread()
    names = ("SIGTERM", "SIGHUP") if listens else ()
    numbers = [number for name in names if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.getsignal(number) for number in numbers}

    def end(number: int, _: object) -> None:
        if number != signal.SIGTERM and signal.getsignal(signal.SIGTERM) is not end:
            signal.raise_signal(signal.SIGTERM)  # a server listens for it, and must not be broken off anywhere
            return
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)  # a second one must not break off the saving
        raise KeyboardInterrupt

    try:
        for number in numbers:
            signal.signal(number, end)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _serve(
    session: Session,
    deal: Callable[[int], Session],
    hint: str | None,
    moment: int | None,
    save: Path | None,
    port: int,
    opened: bool,
) -> None:
    """Plays in a browser until Ctrl-C: this game, and others that `deal` makes, given the seed of the one before."""
    with web_installed():
        from bluff_agents.web.playing import MOMENT, PlayRoom
        from bluff_agents.web.server import ServerError, serve
    room = PlayRoom(session, lambda: deal(room.session.seed), hint, MOMENT if moment is None else moment)
    try:
        serve(room, port, "game", opened)
    except ServerError:
        save = None  # nothing was played: what the file holds stays
        raise
    finally:
        if save is not None:
            _save(room.records(), save)
            which = ", the last of them" if room.finished else ","
            unfinished = "" if room.session.over else f"{which} unfinished"
            print(f"{save}: {counted(len(room.finished) + 1, 'game')} saved{unfinished}")


def _write(session: Session, path: Path) -> None:
    """Saves the game, whole or not at all."""
    _save([session.record()], path)
    print(f"{path}: {'game' if session.over else 'unfinished game'} saved")


def _save(records: list[dict[str, Any]], path: Path) -> None:
    try:
        write_records(path, records)
    except RecordError as error:  # nothing is wrong with the game: the file cannot be written
        raise BluffError(str(error)) from None


def _unfinished(session: Session) -> int:
    turns = session.view()["turns"]
    print(f"bluff: the input ended before the game did, after {counted(turns, 'turn')}", file=sys.stderr, flush=True)
    return _UNFINISHED


def _say_how_to_deal_again(
    session: Session, rules: str, players: int | None, agents: list[str] | None, seat: int, trust: bool
) -> None:
    words = ["bluff", "play", "--rules", rules, *([] if players is None else ["--players", str(players)])]
    words += [
        *(["--agents", *agents] if agents else []),
        *(["--seat", str(seat)] if seat else []),
        *(["--trust"] if trust else []),
        "--seed",
        str(session.seed),
    ]
    print(f"The same cards again: {shlex.join(words)}")
