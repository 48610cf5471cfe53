"""The text of an evaluation: a table for people (80 columns, no colour needed) and JSON for programs."""

from __future__ import annotations

import json
from typing import Final

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from bluff_agents.evaluation.results import Evaluation

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
    # At two seats the agents' own table says the same as the two ways round.
    if e.matchups and e.rules.players > 2:
        parts += [_matchup_table(e), Text("\nOver all these games:\n")]
    parts += [_agent_table(e), Text()]
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
    return found


def percent(share: float) -> str:
    """A share with one digit: "25.0 %"."""
    return f"{100 * share:.1f} %"


def count(number: int, word: str) -> str:
    """A number and what it counts: "1 deal", "1,000 deals"."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


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
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for name in names:
        table.add_column(name, overflow="fold")
    table.add_column("wins", justify="right", no_wrap=True)
    table.add_column("95 % interval", justify="right", no_wrap=True)
    table.add_column("fair?", no_wrap=True)
    return table


def _cells(share: float, low: float, high: float, fair: float) -> tuple[str, str, str]:
    """Share, interval, and in words whether the interval leaves the fair share out."""
    verdict = "above" if low > fair else "below" if high < fair else ""
    return percent(share), f"{100 * low:.1f} – {percent(high)}", verdict
