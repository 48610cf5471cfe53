"""Judging agents: deals played in every rotation of the seats, shares of wins with intervals, tables and pictures.

`evaluate(rules, agents)` plays and returns an `Evaluation`; `report` prints it, `plots` draws it (and alone needs
matplotlib).
"""

from __future__ import annotations

from bluff_agents.evaluation.judging import distinct_names, evaluate
from bluff_agents.evaluation.results import AgentResult, Evaluation, EvaluationError, MatchupResult
from bluff_agents.evaluation.schedule import seatings

__all__ = ["AgentResult", "Evaluation", "EvaluationError", "MatchupResult", "distinct_names", "evaluate", "seatings"]
