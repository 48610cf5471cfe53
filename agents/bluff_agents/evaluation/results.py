"""What an evaluation found, as plain numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bluff_env import BluffError, Rules


class EvaluationError(BluffError):
    """An evaluation that cannot be played or written: one line naming what was found and what is allowed."""


@dataclass(frozen=True, slots=True)
class AgentResult:
    """One agent's part.

    Attributes:
        name: its name, told apart from namesakes by "#2", "#3" …
        share: games it won, of all games (a game cut off is won by nobody).
        low, high: the 95 % interval of the share, by bootstrap over deals.
        turns: mean turns of the games it won; None if it won none.
    """

    name: str
    share: float
    low: float
    high: float
    turns: float | None


@dataclass(frozen=True, slots=True)
class MatchupResult:
    """One agent alone against copies of another: the share of games that the one won, with its 95 % interval."""

    one: str
    rest: str
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of `evaluate`.

    Attributes:
        rules: what was played.
        rules_name: the rule set's name; None for house rules.
        deals: deals, each of which gave `games / deals` games, one a seating.
        seed: the seed of the evaluation.
        games: games played.
        cut_off: share of games cut off. [E2]
        turns: mean turns of all games.
        fair: the share of games each of `agents` would win if all were equal and no game were cut off.
        same: one agent filled every seat.
        agents: one a seat; with two agents named, the two, over all games.
        matchups: with two agents named, each against copies of the other (fair: 1 / players); else none.
    """

    rules: Rules
    rules_name: str | None
    deals: int
    seed: int
    games: int
    cut_off: float
    turns: float
    fair: float
    same: bool
    agents: tuple[AgentResult, ...]
    matchups: tuple[MatchupResult, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `bluff evaluate --json` prints it. `rules`: the name, or the fields where there is none."""
        return {
            "rules": self.rules_name if self.rules_name is not None else self.rules.to_dict(),
            "players": self.rules.players,
            "max_turns": self.rules.max_turns,
            "deals": self.deals,
            "games": self.games,
            "seed": self.seed,
            "cut_off": self.cut_off,
            "turns": self.turns,
            "fair": self.fair,
            "agents": [asdict(agent) for agent in self.agents],
            "matchups": [asdict(matchup) for matchup in self.matchups],
        }
