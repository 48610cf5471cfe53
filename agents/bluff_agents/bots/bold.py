"""`bold`: lies as if nobody looked, and believes little."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from bluff_agents.bots.counter import Counter
from bluff_agents.bots.habits import Habits, SuitedHabits


class Bold(Counter):
    """Counts cards like `counter`, and has no fear.

    It believes that only a lie that somebody can prove is called: it adds false cards to true ones, lays several where
    it has no true one, and lies rather than pass. It calls where two in five such plays would be lies, whatever is at
    stake.
    """

    NAME: ClassVar[str] = "bold"
    HABITS: ClassVar[Habits] = Habits(trust=0.4, nerves=0, late=0)
    WAITING: ClassVar[Habits] = HABITS
    SAME: ClassVar[Habits] = HABITS
    FREE: ClassVar[Habits] = replace(HABITS, filler=0.4, thin=0.8)
    NEAR: ClassVar[Habits] = FREE
    SUITED: ClassVar[SuitedHabits] = SuitedHabits(trust=0.4, nerves=0, again=0, last_nerves=0.5)
    PASSING: ClassVar[SuitedHabits] = replace(SUITED, bold=0.5)
    STOCK: ClassVar[SuitedHabits] = SUITED
