"""`bluff evaluate`: agents against each other, every deal in all rotations of the seats."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from bluff_agents.cli.common import JsonOption, PlayersOption, RulesOption, TrustOption, load_rules
from bluff_agents.cli.screen import progress, say_json, show
from bluff_env import rule_names
from bluff_env.ruleset import Rules

if TYPE_CHECKING:
    from bluff_agents import Agent

#: Deals played if nothing else is said; and at most, if it is said how narrow the intervals have to be.
_DEALS, _MOST_DEALS = 1000, 100_000


def evaluate(
    agents: Annotated[
        list[str],
        typer.Option(
            "--agents",
            metavar="A [B …]",
            help="Who plays: a bot's name, an agent file, a run folder, or package.module:factory. One agent fills "
            "every seat; two play one against the rest, both ways; or name one for every seat.",
        ),
    ],
    rules: RulesOption = "bloff",
    players: PlayersOption = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            metavar="N",
            help="Deals; each is played in all rotations of the seats. 1,000; with --until at most 100,000.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Decides deals, chance and intervals.")] = 0,
    max_turns: Annotated[
        int | None, typer.Option("--max-turns", metavar="N", help="Turns before a game is cut off.")
    ] = None,
    round_robin: Annotated[
        bool,
        typer.Option("--round-robin", help="Any number of agents, each against each other; ratings."),
    ] = False,
    tables: Annotated[
        str | None,
        typer.Option(
            "--tables",
            metavar="KIND",
            help="Of a round robin: copies (one against copies of another), mixed (different agents), or both. Both, "
            "if left out.",
        ),
    ] = None,
    rated: Annotated[
        bool | None,
        typer.Option(
            "--ratings/--no-ratings",
            help="Plackett–Luce ratings from a round robin’s mixed tables; if left out, where there are such.",
        ),
    ] = None,
    behaviour: Annotated[
        bool, typer.Option("--behaviour", help="How they play: bluffs, calls, and how both turn out.")
    ] = False,
    calibration: Annotated[
        bool, typer.Option("--calibration", help="Are their own chances to win right? Of agents that have a critic.")
    ] = False,
    until: Annotated[
        float | None,
        typer.Option("--until", metavar="W", help="Go on until every interval of a share is ± W, such as 0.01."),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", help="Processes that play; 0: one a core. The result is the same.")
    ] = 1,
    as_json: JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw a picture: .png, .svg or .pdf.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Keep all games as records (JSON Lines).")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="FOLDER", help="A Markdown report with pictures, behaviour and calibration in it."
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files that exist.")] = False,
    trust: TrustOption = False,
) -> None:
    """Play agents against each other: how often each wins, with 95 % intervals.

    For example:

    bluff evaluate --rules bloff --agents zoo/bloff-4 counter honest random

    bluff evaluate --rules bloff --agents counter honest bold --round-robin --workers 0

    bluff evaluate --rules bluffstopp --agents runs/mine counter --until 0.01 --report report
    """
    from bluff_agents.evaluation import evaluate as play_all
    from bluff_agents.evaluation.files import whole
    from bluff_agents.evaluation.folder import save_report
    from bluff_agents.evaluation.judging import make_schedule
    from bluff_agents.evaluation.plots import save_plot
    from bluff_agents.evaluation.ratings import check_openskill
    from bluff_agents.evaluation.report import report as text_report
    from bluff_agents.evaluation.schedule import BOTH, COPIES

    r = load_rules(rules, players)
    if max_turns is not None:
        r = r.replace(max_turns=max_turns)
    deals = deals if deals is not None else _DEALS if until is None else _MOST_DEALS
    # A wrong number of agents is refused before any is loaded.
    games = make_schedule(len(agents), r.players, 1, robin=round_robin, tables=tables or BOTH).games
    _check_asked(round_robin, tables, rated)
    rated = round_robin and tables != COPIES if rated is None else rated
    _check_written(plot, save, report, overwrite)
    if rated:
        check_openskill()
    loader = _Load(tuple(agents), r, trust)
    loaded = loader()

    with ExitStack() as stack:
        file: TextIO | None = None
        if save is not None:
            file = stack.enter_context(stack.enter_context(whole(save)).open("w", encoding="utf-8"))
        evaluation = play_all(
            r,
            loaded,
            deals,
            seed,
            names=agents,
            rules_name=rules if rules in rule_names() else None,
            round_robin=round_robin,
            tables=tables or BOTH,
            rated=rated,
            behaviour=behaviour or report is not None,
            calibration=calibration or report is not None,
            until=until,
            workers=workers,
            loader=loader,
            on_games=stack.enter_context(progress(deals * games if until is None else None, "games")),
            on_record=None if file is None else _line_writer(file),
        )
    if plot is not None:
        with whole(plot) as temporary:
            save_plot(evaluation, temporary, plot.suffix[1:].lower())
    if report is not None:
        save_report(evaluation, report, f"bluff {shlex.join(sys.argv[1:])}" if sys.argv[1:2] == ["evaluate"] else None)
    if as_json:
        say_json(evaluation.to_dict())
    else:
        show(text_report(evaluation), *(f"Written: {path}" for path in (save, plot, report) if path is not None))


def _check_asked(round_robin: bool, tables: str | None, rated: bool | None) -> None:
    """Refuses what was asked for and would be passed over."""
    from bluff_agents.evaluation import EvaluationError
    from bluff_agents.evaluation.schedule import COPIES

    if tables is not None and not round_robin:
        raise EvaluationError(f"--tables {tables}: only a --round-robin has tables to choose from")
    if rated and not round_robin:
        raise EvaluationError("--ratings: only a --round-robin has ratings")
    if rated and tables == COPIES:
        raise EvaluationError("--ratings: come from mixed tables, which --tables copies leaves out")


def _check_written(plot: Path | None, save: Path | None, report: Path | None, overwrite: bool) -> None:
    """Refuses, before anything is played, what could not be written afterwards."""
    from bluff_agents.evaluation import EvaluationError
    from bluff_agents.evaluation.files import check_apart, check_target
    from bluff_agents.evaluation.folder import check_report
    from bluff_agents.evaluation.plots import check_plot

    if overwrite and save is None and plot is None and report is None:
        raise EvaluationError("--overwrite: only with --save, --plot or --report, whose files it replaces")
    if save is not None:
        check_target(save, overwrite)
    if plot is not None:
        check_target(plot, overwrite)
        check_plot(plot)
    if report is not None:
        check_report(report, overwrite)
    check_apart({"--save": save, "--plot": plot}, {"--report": report})


@dataclass(frozen=True, slots=True)
class _Load:
    """Loads the agents, here or in another process; one named twice is loaded once."""

    names: tuple[str, ...]
    rules: Rules
    trust: bool

    def __call__(self) -> Sequence[Agent]:
        from bluff_agents import load

        loaded = {name: load(name, self.rules, trust=self.trust) for name in dict.fromkeys(self.names)}
        return [loaded[name] for name in self.names]


def _line_writer(file: TextIO) -> Callable[[dict[str, Any]], None]:
    def write(record: dict[str, Any]) -> None:
        file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")

    return write
