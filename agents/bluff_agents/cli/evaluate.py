"""`bluff evaluate`: agents against each other, every deal in all rotations of the seats."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from bluff_agents.cli.common import JsonOption, PlayersOption, RulesOption, TrustOption, load_rules
from bluff_agents.cli.screen import progress, say_json, show
from bluff_env import rule_names
from bluff_env.ruleset import Rules


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
        int, typer.Option("--deals", metavar="N", help="Deals; each is played in all rotations of the seats.")
    ] = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Decides deals, chance and intervals.")] = 0,
    max_turns: Annotated[
        int | None, typer.Option("--max-turns", metavar="N", help="Turns before a game is cut off.")
    ] = None,
    as_json: JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw a picture: .png, .svg or .pdf.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Keep all games as records (JSON Lines).")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files that exist.")] = False,
    trust: TrustOption = False,
) -> None:
    """Play agents against each other: how often each wins, with 95 % intervals."""
    from bluff_agents.evaluation import evaluate as play_all
    from bluff_agents.evaluation import seatings
    from bluff_agents.evaluation.files import whole
    from bluff_agents.evaluation.plots import save_plot
    from bluff_agents.evaluation.report import report

    r = load_rules(rules, players)
    if max_turns is not None:
        r = r.replace(max_turns=max_turns)
    total = deals * len(seatings(len(agents), r.players))  # refuses a wrong number of agents before any is loaded
    _check_files(plot, save, overwrite)
    loaded = _load(agents, r, trust)

    with ExitStack() as stack:
        file: TextIO | None = None
        if save is not None:
            file = stack.enter_context(stack.enter_context(whole(save)).open("w", encoding="utf-8"))
        evaluation = play_all(
            r,
            [loaded[name] for name in agents],
            deals,
            seed,
            names=agents,
            rules_name=rules if rules in rule_names() else None,
            on_games=stack.enter_context(progress(total, "games")),
            on_record=None if file is None else _line_writer(file),
        )
    if plot is not None:
        with whole(plot) as temporary:
            save_plot(evaluation, temporary, plot.suffix[1:].lower())
    if as_json:
        say_json(evaluation.to_dict())
    else:
        show(report(evaluation), *(f"Written: {path}" for path in (save, plot) if path is not None))


def _check_files(plot: Path | None, save: Path | None, overwrite: bool) -> None:
    """Refuses, before anything is played, what could not be written afterwards."""
    from bluff_agents.evaluation import EvaluationError
    from bluff_agents.evaluation.files import check_target
    from bluff_agents.evaluation.plots import check_plot

    if save is not None:
        check_target(save, overwrite)
    if plot is not None:
        check_target(plot, overwrite)
        check_plot(plot)
    if plot is not None and save is not None and plot.resolve() == save.resolve():
        raise EvaluationError(f"{plot}: named for both --save and --plot")


def _load(names: list[str], r: Rules, trust: bool) -> dict[str, Any]:
    """The agents by name; one named twice is loaded once."""
    from bluff_agents import load

    return {name: load(name, r, trust=trust) for name in dict.fromkeys(names)}


def _line_writer(file: TextIO) -> Callable[[dict[str, Any]], None]:
    def write(record: dict[str, Any]) -> None:
        file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")

    return write
