"""A report as a folder: report.md with its pictures, and results.json for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import bluff_env
from bluff_agents.evaluation.files import check_folder, whole_folder
from bluff_agents.evaluation.report import heading, notes, where_judged
from bluff_agents.evaluation.results import BehaviourResult, Evaluation, EvaluationError, Ratio
from bluff_agents.evaluation.tables import interval, percent, ranked

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What every report holds.
TEXT, NUMBERS = "report.md", "results.json"
#: More agents' pairs than these are left to the picture and the numbers.
_MOST_PAIRS: Final = 12


def check_report(folder: Path, overwrite: bool) -> None:
    """Refuses, before anything is played, a report that could not be written afterwards.

    Raises:
        EvaluationError: no matplotlib, or a folder that is there, or cannot be made.
    """
    if find_spec("matplotlib") is None:
        raise EvaluationError("a report needs matplotlib, which is not installed: pip install 'bluff-env[judge]'")
    check_folder(folder, overwrite, (TEXT, NUMBERS))


def save_report(evaluation: Evaluation, folder: Path, command: str | None = None) -> None:
    """Writes the folder, whole or not at all.

    Args:
        evaluation: what was found.
        folder: the folder to make or, if it is a report, to replace.
        command: the command line it came from, to be told in it.
    """
    pictures = _pictures(evaluation)
    with whole_folder(folder) as fresh:
        for name, (draw, _) in pictures.items():
            draw(evaluation).savefig(fresh / name, format="png")
        told = evaluation.to_dict() | {"version": bluff_env.__version__, "command": command}
        (fresh / NUMBERS).write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        (fresh / TEXT).write_text(markdown(evaluation, command), encoding="utf-8")


def markdown(evaluation: Evaluation, command: str | None = None) -> str:
    """The text of report.md."""
    e, pictures = evaluation, _pictures(evaluation)

    def picture(name: str) -> list[str]:
        return [f"![{pictures[name][1]}]({name})", ""] if name in pictures else []

    lines = ["# Report", "", f"{heading(e)}.", ""]
    if command is not None:
        lines += [f"bluff-env {bluff_env.__version__}:", "", f"    {command}", ""]
    lines += [
        "Every deal is played in all rotations of the seats. Intervals are 95 %, by bootstrap over deals or with the "
        "deals as clusters. [results.json](results.json) has all numbers.",
        "",
    ]
    lines += [f"- {note}" for note in [f"turns a game: {e.turns:,.0f}; cut off: {percent(e.cut_off)}", *notes(e)]]
    lines += ["", "## Who wins", "", *picture("standing.png"), *_standing(e), ""]
    if e.matchups:
        lines += ["## Who beats whom", "", *picture("who_beats_whom.png"), *_pairs(e), ""]
    if e.behaviour:
        lines += ["## How they play", "", *picture("behaviour.png"), *picture("outcomes.png"), *_behaviour(e.behaviour)]
    if e.calibration:
        lines += ["", "## Their own chances", "", *picture("calibration.png"), *_calibration(e)]
    return "\n".join(lines).rstrip() + "\n"


def _pictures(e: Evaluation) -> dict[str, tuple[Callable[[Evaluation], Figure], str]]:
    """File -> (what draws it, what it shows)."""
    from bluff_agents.evaluation import pictures, plots

    found: dict[str, tuple[Callable[[Evaluation], Figure], str]] = {}
    if e.round_robin is None:
        found["standing.png"] = (plots.draw, "Shares of games won, with intervals")
    else:
        found["standing.png"] = (pictures.standing_plot, "Shares of games won and ratings, with intervals")
        if e.matchups:
            found["who_beats_whom.png"] = (pictures.heat_map, "Who beats whom")
    if e.behaviour:
        found["behaviour.png"] = (pictures.behaviour_plot, "Bluffs by hand size; calls by cards claimed and left")
        found["outcomes.png"] = (pictures.outcome_plot, "How plays and calls turned out")
    if e.calibration:
        found["calibration.png"] = (pictures.calibration_plot, "Chances foretold and games won")
    return found


def _standing(e: Evaluation) -> Iterator[str]:
    where = where_judged(e) if e.round_robin is not None else "Over all games"
    yield f"{where}; the fair share is {percent(e.fair)}."
    yield ""
    rating = ("rating", "95 % interval") if e.ratings else ()
    rows = []
    for _, agent, rated in ranked(e):
        cells = [agent.name, percent(agent.share), interval(agent.low, agent.high)]
        cells += [f"{rated.rating:.1f}", f"{rated.low:.1f} – {rated.high:.1f}"] if rated is not None else []
        rows.append([*cells, "–" if agent.turns is None else f"{agent.turns:,.0f}"])
    yield from _table(("agent", "wins", "95 % interval", *rating, "turns when won"), rows)
    if e.ratings:
        yield ""
        yield (
            "Ratings: openskill's Plackett–Luce model, the winner first and the others tied, the mean over several "
            "orders of the games. The tie draws them together, so they rank agents and do not foretell shares."
        )


def _pairs(e: Evaluation) -> Iterator[str]:
    rest = e.rules.players - 1
    text = f"One alone against {rest} copies" if rest > 1 else "One against another"
    yield f"{text}; the fair share is {percent(1 / e.rules.players)}."
    yield ""
    if len(e.agents) > _MOST_PAIRS:
        yield "The pairs are in results.json."
        return
    rows = [(m.one, m.rest, percent(m.share), interval(m.low, m.high)) for m in e.matchups]
    yield from _table(("one", f"against {rest} ×", "wins", "95 % interval"), rows)


#: Group, word and what the column is called.
_COLUMNS: Final[tuple[tuple[str, str, str], ...]] = (
    ("bluff", "", "bluffs, of plays"),
    ("bluff_by_truth", "possible", "bluffs where the truth was possible"),
    ("cards", "truth", "cards a true play"),
    ("cards", "bluff", "cards a bluff"),
    ("caught", "", "bluffs called"),
    ("doubted", "", "truths called"),
    ("call", "", "calls, of plays asked about"),
    ("right", "", "right, of calls"),
    ("passes", "", "passes, of turns"),
    ("cut_off", "", "games cut off"),
)


def _behaviour(told: Sequence[BehaviourResult]) -> Iterator[str]:
    yield (
        "A bluff is a play that is not truthful; the truth was possible where the hand held a card that would have "
        "made a claim true which was allowed there."
    )
    yield ""
    columns = [column for column in _COLUMNS if column[0] != "passes" or any(_passes(one) for one in told)]
    rows = [
        [text, *(_cell(one.groups[group][word], group == "cards") for one in told)] for group, word, text in columns
    ]
    yield from _table(("", *(one.name for one in told)), rows)


def _passes(one: BehaviourResult) -> bool:
    return bool(one.groups["passes"][""].value)


def _cell(ratio: Ratio, mean: bool) -> str:
    if ratio.value is None or ratio.low is None or ratio.high is None:
        return "–"
    if mean:
        return f"{ratio.value:.2f} ({ratio.low:.2f} – {ratio.high:.2f})"
    return f"{percent(ratio.value)} ({interval(ratio.low, ratio.high)})"


def _calibration(e: Evaluation) -> Iterator[str]:
    yield (
        "At the beginning of each of its turns an agent with a critic tells its chance to win. The Brier score is the "
        "mean square of the error; `constant` is that of always saying how often it did win."
    )
    yield ""
    rows = [
        (
            one.name, percent(one.foretold), f"{percent(one.won.value)} ({interval(one.won.low, one.won.high)})",
            f"{one.brier.value:.4f}", f"{one.constant:.4f}", f"{one.turns:,}",
        )
        for one in e.calibration or ()
    ]  # fmt: skip
    yield from _table(("agent", "foretold", "won", "Brier", "constant", "turns"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(map(_escaped, head))} |"
    yield f"| {' | '.join(['---'] * len(head))} |"
    for row in rows:
        yield f"| {' | '.join(map(_escaped, row))} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
