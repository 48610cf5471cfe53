"""The table of all bots against all in agents/README.md: `scripts/bots_table`, or python -m bluff_agents.botstable.

One of each bot plays against copies of each other bot, every deal in all rotations of the seats. The table stands
between two marks in the page; what is around it is written by hand.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

from bluff_agents.bots import bot_names
from bluff_agents.cli.screen import progress
from bluff_agents.evaluation import evaluate, seatings
from bluff_agents.evaluation.files import whole
from bluff_agents.loading import load
from bluff_agents.pages import rewritten
from bluff_env import BluffError, rules

_PAGE: Final = Path(__file__).resolve().parents[1] / "README.md"
_COMMAND: Final = "scripts/bots_table"
#: Rule sets and numbers of players.
GAMES: Final = (("bloff", 4), ("bluff", 2), ("bluffstopp", 4), ("bluffstopp_open", 4))
DEALS: Final = 1000
#: Cut-offs are told from this share of games on.
_WORTH_TELLING: Final = 0.001


@dataclass(frozen=True, slots=True)
class Cell:
    """One bot alone against copies of another: its share of games with the 95 % interval, and the share cut off."""

    share: float
    low: float
    high: float
    cut_off: float


def all_against_all(
    name: str, players: int, bots: Sequence[str], deals: int, seed: int, on_games: Callable[[int], None] | None = None
) -> dict[tuple[str, str], Cell]:
    """(one, rest) -> what the one won against the rest; (bot, bot): copies among themselves, for their cut-offs."""
    r = rules(name, players=players)
    agents = {bot: load(bot, r) for bot in bots}
    found: dict[tuple[str, str], Cell] = {}
    for bot in bots:
        alike = evaluate(r, [agents[bot]], deals, seed, on_games=on_games)
        found[bot, bot] = Cell(1 / players, 1 / players, 1 / players, alike.cut_off)
    for pair in combinations(bots, 2):
        both = evaluate(r, [agents[bot] for bot in pair], deals, seed, on_games=on_games)
        for result in both.matchups:
            found[result.one, result.rest] = Cell(result.share, result.low, result.high, both.cut_off)
    return found


def table(name: str, players: int, bots: Sequence[str], found: dict[tuple[str, str], Cell]) -> list[str]:
    """The lines of one game's table."""
    rest = "the other" if players == 2 else f"{players - 1} ×"
    lines = [
        f"### `{name}`, {players} players (fair share {100 / players:.0f} %)",
        "",
        f"| one \\ against {rest} | " + " | ".join(bots) + " |",
        "| --- |" + " --- |" * len(bots),
    ]
    for one in bots:
        cells = [_cell(found[one, other]) if other != one else "–" for other in bots]
        lines.append(f"| **{one}** | " + " | ".join(cells) + " |")
    alike = [f"{bot} {100 * found[bot, bot].cut_off:.1f} %" for bot in bots if _told(found[bot, bot])]
    pairs = [
        f"{one} and {other} {100 * found[one, other].cut_off:.1f} %"
        for one, other in combinations(bots, 2)
        if _told(found[one, other])
    ]
    lines += [
        "",
        f"Games cut off: among copies of one bot {_listed(alike)}; of two bots, both ways {_listed(pairs)}.",
        "",
    ]
    return lines


def _cell(cell: Cell) -> str:
    return f"{100 * cell.share:.1f} ({100 * cell.low:.1f}–{100 * cell.high:.1f})"


def _told(cell: Cell) -> bool:
    return cell.cut_off >= _WORTH_TELLING


def _listed(parts: list[str]) -> str:
    return ", ".join(parts) if parts else "none"


def games_of(bots: Sequence[str], deals: int, games: Sequence[tuple[str, int]] = GAMES) -> int:
    """How many games the tables take."""
    pairs = len(bots) * (len(bots) - 1) // 2
    return sum(deals * (len(bots) * len(seatings(1, n)) + pairs * len(seatings(2, n))) for _, n in games)


def page(text: str, lines: Sequence[str]) -> str:
    """agents/README.md with these lines between its marks.

    Raises:
        ConfigError: the marks are missing.
    """
    return rewritten(text, _PAGE.name, "table", _COMMAND, ["", *lines])


def main(words: Sequence[str] | None = None) -> int:
    """Plays everything and writes the page; the exit status."""
    parser = argparse.ArgumentParser(prog=_COMMAND, description="Writes the bots' table in agents/README.md.")
    parser.add_argument("--deals", type=int, default=DEALS, metavar="N", help=f"deals a pair and game ({DEALS:,})")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="decides the deals (0)")
    told = parser.parse_args(words)
    bots = bot_names()
    if not _PAGE.is_file():
        print(f"{_PAGE}: no such file; to be run from a checkout", file=sys.stderr)
        return 2
    lines = [
        "Share of games in percent that one bot (row) won alone against copies of another (column), with 95 % "
        f"intervals; {told.deals:,} deals in all rotations of the seats, seed {told.seed}.",
        "",
    ]
    try:
        page(_PAGE.read_text(encoding="utf-8"), [])  # refuses a page without marks before anything is played
        with progress(games_of(bots, told.deals), "games") as on_games:
            for name, players in GAMES:
                found = all_against_all(name, players, bots, told.deals, told.seed, on_games)
                lines += table(name, players, bots, found)
        fresh = page(_PAGE.read_text(encoding="utf-8"), lines)
        with whole(_PAGE) as temporary:
            temporary.write_text(fresh, encoding="utf-8")
    except BluffError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
