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
        low, high: the 95 % interval of the share, by bootstrap over deals; see `statistics.intervals`.
        turns: mean turns of the games it won, all deals of a match together; None if it won none.
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
class RatingResult:
    """An agent's Plackett–Luce rating (openskill's scale: a new player has 25) with its 95 % interval."""

    name: str
    rating: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """A share or a mean of what was counted, with its 95 % interval over deals.

    Attributes:
        value, low, high: None where nothing was counted.
        of: how many were counted, such as plays.
    """

    value: float | None
    low: float | None
    high: float | None
    of: int


@dataclass(frozen=True, slots=True)
class BehaviourResult:
    """How an agent played: group of `behaviour.GROUPS` -> word -> ratio."""

    name: str
    groups: dict[str, dict[str, Ratio]]


@dataclass(frozen=True, slots=True)
class Bin:
    """Turns at whose beginning an agent gave itself a chance between two bounds.

    Attributes:
        above, below: the bounds.
        foretold: the mean of the chances given; None without any.
        won: how often it won.
    """

    above: float
    below: float
    foretold: float | None
    won: Ratio


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """How right an agent's own chances were.

    Attributes:
        name: the agent.
        turns: chances given, one at the beginning of each of its turns.
        foretold: their mean.
        won: how often it won, over the same turns.
        brier: mean square of the error (0: a prophet).
        constant: the same of always saying `won`.
        bins: by the chance given.
    """

    name: str
    turns: int
    foretold: float
    won: Ratio
    brier: Ratio
    constant: float
    bins: tuple[Bin, ...]


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
        turns: mean turns of all games, all deals of a match together.
        fair: the share of games each of `agents` would win if all were equal and no game were cut off.
        same: one agent filled every seat.
        agents: one a seat; with two agents named, the two, over all games.
        matchups: with two agents named, each against copies of the other (fair: 1 / players); else none. In a round
            robin all pairs.
        round_robin: what its tables were, "both", "copies" or "mixed"; None where it was none. The agents' shares are
            then those of the seats they took at mixed tables, or without such, when alone against copies.
        until: the half-width that ended the judging, if one was asked for.
        most_deals: deals that would have been played at most.
        ratings: from mixed tables of a round robin, if asked for.
        rated_deals: the deals they come from.
        behaviour: how each agent played, if asked for.
        calibration: of the agents that can tell their chances, if asked for.
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
    round_robin: str | None = None
    until: float | None = None
    most_deals: int = 0
    ratings: tuple[RatingResult, ...] | None = None
    rated_deals: int = 0
    behaviour: tuple[BehaviourResult, ...] | None = None
    calibration: tuple[CalibrationResult, ...] | None = None

    @property
    def half_width(self) -> float:
        """Half the width of the widest interval of a share of wins."""
        widths = [one.high - one.low for one in self.agents] + [one.high - one.low for one in self.matchups]
        return max(widths) / 2

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `bluff evaluate --json` prints it. `rules`: the name, or the fields where there is none.

        Keys of what was not asked for are left out.
        """
        told: dict[str, Any] = {
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
        if self.round_robin is not None:
            told["round_robin"] = self.round_robin
        if self.until is not None:
            told |= {"until": self.until, "most_deals": self.most_deals, "half_width": round(self.half_width, 6)}
        if self.ratings is not None:
            told |= {"ratings": [asdict(rating) for rating in self.ratings], "rated_deals": self.rated_deals}
        if self.behaviour is not None:
            told["behaviour"] = [{"name": one.name} | asdict(one)["groups"] for one in self.behaviour]
        if self.calibration is not None:
            told["calibration"] = [asdict(one) for one in self.calibration]
        return told
