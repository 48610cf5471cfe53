"""Tables of a round robin, of behaviour and of calibration, for the terminal: 80 columns, no colour needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from bluff_agents.evaluation.results import AgentResult, BehaviourResult, Evaluation, RatingResult, Ratio

#: Agents in a matrix that still fits 80 columns.
MOST_IN_MATRIX: Final = 8


def percent(share: float | None) -> str:
    """A share with one digit: "25.0 %"; "–" for none."""
    return "–" if share is None else f"{100 * share:.1f} %"


def interval(low: float | None, high: float | None) -> str:
    """Two shares: "24.1 – 25.9 %"."""
    return "" if low is None or high is None else f"{100 * low:.1f} – {percent(high)}"


def verdict(low: float, high: float, fair: float) -> str:
    """In words whether the interval leaves the fair share out."""
    return "above" if low > fair else "below" if high < fair else ""


def plain_table(*names: str, right: Sequence[int] = ()) -> Table:
    """A table without lines; the first column gives way where it is too wide."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for at, name in enumerate(names):
        table.add_column(name, justify="right" if at in right else "left", overflow="fold", no_wrap=at > 0)
    return table


def ranked(evaluation: Evaluation) -> list[tuple[int, AgentResult, RatingResult | None]]:
    """(number in the matrix, agent, rating) from the best share of wins down."""
    rated = evaluation.ratings or (None,) * len(evaluation.agents)
    rows = list(zip(range(1, len(rated) + 1), evaluation.agents, rated, strict=True))
    return sorted(rows, key=lambda row: (-row[1].share, row[0]))


def standing(evaluation: Evaluation) -> Table:
    """Who won how often, from the best down, with ratings where there are any."""
    e = evaluation
    heads = ["agent", "wins", "95 % interval", "fair?", *(["rating", "95 %"] if e.ratings else []), "turns won"]
    table = plain_table(*heads, right=(1, 2, *((4, 5, 6) if e.ratings else (4,))))
    for _, agent, rating in ranked(e):
        turns = "–" if agent.turns is None else f"{agent.turns:,.0f}"
        cells = [percent(agent.share), interval(agent.low, agent.high), verdict(agent.low, agent.high, e.fair)]
        if rating is not None:
            cells += [f"{rating.rating:.1f}", f"{rating.low:.1f} – {rating.high:.1f}"]
        table.add_row(Text(agent.name), *cells, turns)
    table.add_row("fair share", percent(e.fair), style="dim")
    return table


def matrix(evaluation: Evaluation) -> Table:
    """The share of games that the agent of a row won, alone against copies of that of a column, in percent."""
    names = [agent.name for agent in evaluation.agents]
    shares = {(m.one, m.rest): m.share for m in evaluation.matchups}
    table = plain_table("one", *map(str, range(1, len(names) + 1)), right=range(1, len(names) + 1))
    for at, one in enumerate(names, 1):
        row = [f"{100 * shares[one, rest]:.1f}" if (one, rest) in shares else "·" for rest in names]
        table.add_row(Text(f"{at} {one}"), *row)
    return table


def behaviour_table(behaviour: Sequence[BehaviourResult]) -> Table:
    """How each agent played, in a line; the whole of it is in JSON and in the report."""
    table = plain_table("agent", "bluffs", "by choice", "cards t/b", "caught", "calls", "right", right=range(1, 7))
    for one in behaviour:
        cards = one.groups["cards"]
        cells = [
            one.groups["bluff"][""], one.groups["bluff_by_truth"]["possible"], None,
            one.groups["caught"][""], one.groups["call"][""], one.groups["right"][""],
        ]  # fmt: skip
        shown = [percent(cell.value) if cell is not None else "" for cell in cells]
        shown[2] = f"{_mean(cards['truth'])} / {_mean(cards['bluff'])}"
        table.add_row(Text(one.name), *shown)
    return table


#: What the columns of `behaviour_table` mean.
BEHAVIOUR_KEY: Final = (
    "over all games; bluffs: of its plays; by choice: the same where the truth was possible; cards t/b: a play, true / "
    "bluff; caught: its bluffs that were called; calls: of the plays it was asked about; right: of its calls."
)


def calibration_table(evaluation: Evaluation) -> Table:
    """How right the agents' own chances were, in a line each."""
    table = plain_table("agent", "foretold", "won", "95 % interval", "Brier", "constant", "turns", right=range(1, 7))
    for one in evaluation.calibration or ():
        table.add_row(
            Text(one.name), percent(one.foretold), percent(one.won.value), interval(one.won.low, one.won.high),
            f"{one.brier.value:.4f}", f"{one.constant:.4f}", f"{one.turns:,}",
        )  # fmt: skip
    return table


def _mean(ratio: Ratio) -> str:
    return "–" if ratio.value is None else f"{ratio.value:.2f}"
