"""`adaptive`: takes each seat for what its turned up plays say."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from bluff_agents.bots.counter import Counter
from bluff_agents.bots.habits import FREE, NEAR, PASSING, SAME, STOCK, SUITED, WAITING, Habits, SuitedHabits


class Adaptive(Counter):
    """Begins like `counter` and soon believes what it has seen.

    It keeps an estimate of every seat's bluffing: the called plays that were bluffs and those that were true, which the
    observation tells of each seat, weigh against its beliefs as soon as there are a few. How often the table
    calls it reads off all called plays so far, and lies the more the fewer there are. All this stands in the
    observation, so it needs no memory of its own and plays the same from any point of a game on.
    """

    NAME: ClassVar[str] = "adaptive"
    HABITS: ClassVar[Habits] = Habits(record=3, grudge=2, stray=0.04, long=0.8)
    WAITING: ClassVar[Habits] = replace(WAITING, record=3, grudge=2, stray=0.04, long=0.8)
    SAME: ClassVar[Habits] = replace(SAME, record=3, grudge=2, stray=0.04, long=0.8)
    NEAR: ClassVar[Habits] = replace(NEAR, record=3, grudge=2, stray=0.04, long=0.8)
    FREE: ClassVar[Habits] = replace(FREE, record=3, grudge=2, stray=0.04, long=0.8)
    SUITED: ClassVar[SuitedHabits] = replace(SUITED, record=3, long=0.8)
    PASSING: ClassVar[SuitedHabits] = replace(PASSING, record=3, long=0.8)
    STOCK: ClassVar[SuitedHabits] = replace(STOCK, record=3, long=0.8)
