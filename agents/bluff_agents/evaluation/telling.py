"""What was counted, as results with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation.behaviour import CELLS, GROUPS, MEANS
from bluff_agents.evaluation.calibration import ALL, BINS, BRIER, FORETOLD
from bluff_agents.evaluation.results import BehaviourResult, Bin, CalibrationResult, Ratio
from bluff_agents.evaluation.statistics import SUMS, ratio_intervals


def behaviour_results(names: Sequence[str], sums: NDArray[np.int64]) -> tuple[BehaviourResult, ...]:
    """Each agent's ratios by group and word.

    Args:
        names: the agents.
        sums: (agents, N_CELLS, SUMS) of `Watch.sums`.
    """
    return tuple(
        BehaviourResult(
            name,
            {
                group: dict(zip(words, _ratios(sums[at, list(CELLS[group])], group not in MEANS), strict=True))
                for group, words in GROUPS.items()
            },
        )
        for at, name in enumerate(names)
    )


def calibration_results(names: Sequence[str], sums: NDArray[np.float64]) -> tuple[CalibrationResult, ...]:
    """How right each agent is that told its chances.

    Args:
        names: the agents.
        sums: (agents, BRIER + 1, SUMS + 1) of `Forecasts.sums`.
    """
    return tuple(_calibration(name, sums[at]) for at, name in enumerate(names) if sums[at, ALL, 1] > 0)


def _calibration(name: str, sums: NDArray[np.float64]) -> CalibrationResult:
    ratios = _ratios(sums[: ALL + 1, :SUMS], True)
    brier = _ratios(sums[BRIER : BRIER + 1, :SUMS], False)[0]
    turns, won = int(sums[ALL, 1]), sums[ALL, 0] / sums[ALL, 1]
    bins = tuple(
        Bin(at / BINS, (at + 1) / BINS, _number(sums[at, FORETOLD] / sums[at, 1]) if sums[at, 1] else None, ratios[at])
        for at in range(BINS)
    )
    foretold = round(float(sums[ALL, FORETOLD] / turns), 6)
    return CalibrationResult(name, turns, foretold, ratios[ALL], brier, round(float(won * (1 - won)), 6), bins)


def _ratios(sums: NDArray[Any], share: bool) -> list[Ratio]:
    value, low, high = ratio_intervals(sums, share)
    return [
        Ratio(_number(v), _number(a), _number(b), int(n))
        for v, a, b, n in zip(value, low, high, sums[:, 1], strict=True)
    ]


def _number(value: float) -> float | None:
    """Six digits after the point; None where nothing was counted."""
    return None if np.isnan(value) else round(float(value), 6)
