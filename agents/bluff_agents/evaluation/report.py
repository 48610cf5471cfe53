"""The text of an evaluation: a table for people (80 columns, no colour needed) and JSON for programs."""

from __future__ import annotations

import json
from typing import Final

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from bluff_agents.evaluation.results import Evaluation
from bluff_agents.evaluation.schedule import COPIES
from bluff_agents.evaluation.tables import (
    BEHAVIOUR_KEY,
    MOST_IN_MATRIX,
    behaviour_table,
    calibration_table,
    interval,
    matrix,
    percent,
    plain_table,
    standing,
    verdict,
)

#: From this share of games on, cut-offs are worth a note.
MANY_CUT_OFF: Final = 0.02
#: With fewer deals than this the bootstrap makes intervals that are too narrow.
FEW_DEALS: Final = 30


def as_json(evaluation: Evaluation) -> str:
    """The evaluation as one JSON object, indented."""
    return json.dumps(evaluation.to_dict(), indent=2, ensure_ascii=False)


def print_report(evaluation: Evaluation, console: Console | None = None) -> None:
    """Prints `report` (to stdout, if no console is given)."""
    (Console(highlight=False) if console is None else console).print(report(evaluation))


def report(evaluation: Evaluation) -> Group:
    """Heading, tables and notes, to be printed by rich."""
    e = evaluation
    parts: list[Text | Table] = [Text(heading(e), style="bold"), Text()]
    if e.round_robin is not None:
        parts += _round_robin(e)
    # At two seats the agents' own table says the same as the two ways round.
    elif e.matchups and e.rules.players > 2:
        parts += [_matchup_table(e), Text("\nOver all these games:\n"), _agent_table(e), Text()]
    else:
        parts += [_agent_table(e), Text()]
    if e.behaviour:
        parts += [Text("How they play:\n"), behaviour_table(e.behaviour), Text(BEHAVIOUR_KEY + "\n", style="dim")]
    if e.calibration is not None:
        parts += [Text("Their own chances to win, at the beginning of a turn, against who won:\n")]
        parts += [calibration_table(e) if e.calibration else Text("none of the agents can tell its chances"), Text()]
    parts.append(Text(f"Turns a game: {e.turns:,.0f}. Cut off: {percent(e.cut_off)} of games."))
    parts += [Text(f"Note: {note}") for note in notes(e)]
    return Group(*parts)


def heading(evaluation: Evaluation) -> str:
    """What was played, e.g. "bloff, 4 players: 1,000 deals × 4 seatings = 4,000 games (seed 0)"."""
    e = evaluation
    return (
        f"{title(e)}: {count(e.deals, 'deal')} × {count(e.games // e.deals, 'seating')} = {count(e.games, 'game')} "
        f"(seed {e.seed})"
    )


def title(evaluation: Evaluation) -> str:
    """The rules in a few words, e.g. "bloff, 4 players"."""
    return f"{evaluation.rules_name or 'house rules'}, {evaluation.rules.players} players"


def notes(evaluation: Evaluation) -> list[str]:
    """What a reader should know before trusting the numbers."""
    e, found = evaluation, []
    if e.cut_off > MANY_CUT_OFF:
        share, limit = percent(e.cut_off), count(e.rules.max_turns, "turn")
        found.append(f"{share} of games were cut off after {limit}: a cut-off counts as won by nobody.")
    if e.same:
        found.append("one agent sits in every seat, so the shares say nothing; turns and cut-offs do.")
    elif e.deals < FEW_DEALS:
        found.append(f"with {count(e.deals, 'deal')} the intervals are too narrow; play {FEW_DEALS} or more.")
    if e.until is not None:
        reached, wide = e.half_width <= e.until, f"± {percent(e.half_width)}"
        if reached:
            found.append(f"ended after {count(e.deals, 'deal')}: every interval of a share is {wide} or narrower.")
        else:
            found.append(f"± {percent(e.until)} was not reached in {count(e.deals, 'deal')}: the widest is {wide}.")
    if e.ratings is not None and e.rated_deals < e.deals:
        found.append(f"the ratings come from the first {count(e.rated_deals, 'deal')}.")
    return found


def count(number: int, word: str) -> str:
    """A number and what it counts: "1 deal", "1,000 deals"."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def where_judged(evaluation: Evaluation) -> str:
    """What the agents' own shares of a round robin are shares of."""
    if evaluation.rules.players == 2:
        return "Against all others"
    if evaluation.round_robin == COPIES:
        return "Alone against copies of each other"
    return "At tables of different agents, games won a seat"


def _round_robin(e: Evaluation) -> list[Text | Table]:
    parts: list[Text | Table] = [Text(f"{where_judged(e)}:\n"), standing(e), Text()]
    if not e.matchups:
        return parts
    copies = f"one against {e.rules.players - 1} × each other" if e.rules.players > 2 else "one against another"
    if len(e.agents) > MOST_IN_MATRIX:
        return [*parts, Text(f"Who beats whom, {copies}: too wide to show here; see --json, --plot or --report.\n")]
    fair = f"fair: {100 / e.rules.players:.1f}"
    return [*parts, Text(f"Who beats whom, {copies} (by number), games won in percent; {fair}:\n"), matrix(e), Text()]


def _agent_table(evaluation: Evaluation) -> Table:
    table = _table("agent")
    table.add_column("turns when won", justify="right", overflow="fold")
    for agent in evaluation.agents:
        turns = "–" if agent.turns is None else f"{agent.turns:,.0f}"
        table.add_row(Text(agent.name), *_cells(agent.share, agent.low, agent.high, evaluation.fair), turns)
    table.add_row("fair share", percent(evaluation.fair), style="dim")
    return table


def _matchup_table(evaluation: Evaluation) -> Table:
    fair = 1 / evaluation.rules.players
    table = _table("one", f"against {evaluation.rules.players - 1} ×")
    for m in evaluation.matchups:
        table.add_row(Text(m.one), Text(m.rest), *_cells(m.share, m.low, m.high, fair))
    table.add_row("fair share", "", percent(fair), style="dim")
    return table


def _table(*names: str) -> Table:
    table = plain_table()
    for name in names:
        table.add_column(name, overflow="fold")
    table.add_column("wins", justify="right", no_wrap=True)
    table.add_column("95 % interval", justify="right", no_wrap=True)
    table.add_column("fair?", no_wrap=True)
    return table


def _cells(share: float, low: float, high: float, fair: float) -> tuple[str, str, str]:
    """Share, interval, and in words whether the interval leaves the fair share out."""
    return percent(share), interval(low, high), verdict(low, high, fair)
