"""What is measured while training: metrics.csv (rewritten whole), TensorBoard, and the counts they come from."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback

from bluff_agents.evaluation.files import whole
from bluff_agents.training.league import PAST
from bluff_agents.training.report import crossed
from bluff_env.errors import ConfigError

_FIRST: Final = ("steps", "seconds", "steps_per_s")


class Tally(BaseCallback):
    """Counts the games that end in a rollout, and tells `on_step` how far the run is."""

    def __init__(self, on_step: Any) -> None:
        super().__init__()
        self._tell = on_step
        self.clear()

    def clear(self) -> None:
        """Forgets what was counted."""
        self.games: dict[str, int] = {}
        self.wins: dict[str, int] = {}
        self.cut_off = 0
        self.turns = 0

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        for row in np.flatnonzero(self.locals["dones"]):
            info = infos[row]
            who = info["opponents"]
            self.games[who] = self.games.get(who, 0) + 1
            self.wins[who] = self.wins.get(who, 0) + info["won"]
            self.cut_off += info["cut_off"]
            self.turns += info["turns"]
        self._tell(self.num_timesteps)
        return True

    def row(self) -> dict[str, float]:
        """What was counted: games, share of cut-offs, turns a game, and the share won against each opponent."""
        games = sum(self.games.values())
        if not games:
            return {"games": 0}
        found = {"games": games, "cut_off": self.cut_off / games, "turns": self.turns / games}
        played: dict[str, int] = {}
        won: dict[str, int] = {}
        for name, count in sorted(self.games.items()):
            who = PAST if name.startswith(f"{PAST}_") else name  # earlier selves as one
            played[who] = played.get(who, 0) + count
            won[who] = won.get(who, 0) + self.wins[name]
        return found | {f"won/{who}": won[who] / count for who, count in played.items()}


class Metrics:
    """The rows of metrics.csv, one a rollout, kept in memory and written whole.

    Attributes:
        rows: {column: number} each; a column is empty where a row lacks it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[dict[str, float]] = []

    def resume(self, steps: int) -> None:
        """Takes over the rows up to a checkpoint's steps.

        Raises:
            ConfigError: a file that is not one of these.
        """
        try:
            with self.path.open(encoding="utf-8", newline="") as file:
                read = [{key: float(v) for key, v in row.items() if v} for row in csv.DictReader(file)]
            self.rows = [row for row in read if row["steps"] <= steps]
        except FileNotFoundError:
            self.rows = []
        except (OSError, ValueError, KeyError, TypeError, AttributeError, csv.Error) as error:
            raise ConfigError(f"{self.path}: not the metrics of a run: {error}") from None

    def comes(self, every: int, total: int) -> bool:
        """Is the last row one after which what comes every so many steps, and at the end, is due?"""
        if not self.rows:
            return False
        before, after = (int(row["steps"]) for row in ([{"steps": 0.0}, *self.rows])[-2:])
        return after >= total or crossed(every, before, after)

    def is_judged(self, against: Sequence[str]) -> bool:
        """Was the agent, or each of several, judged against all of these at the last row?"""
        names = [key.removeprefix("judged/") for key in self.rows[-1] if key.startswith("judged/")]
        return all(any(name == who or name.startswith(f"{who} (") for name in names) for who in against)

    def write(self) -> None:
        """Writes all rows."""
        columns = dict.fromkeys([*_FIRST, *(key for row in self.rows for key in row)])
        text = io.StringIO()
        writer = csv.DictWriter(text, list(columns), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _short(value) for key, value in row.items()} for row in self.rows)
        with whole(self.path) as temporary:
            temporary.write_text(text.getvalue(), encoding="utf-8")


def _short(value: float) -> float | int:
    """Six digits are enough to plot; whole numbers as such."""
    return int(value) if float(value).is_integer() else float(f"{value:.6g}")
