"""`cautious`: takes no risk that it need not take."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from bluff_agents.bots.counter import Counter
from bluff_agents.bots.habits import Habits, SuitedHabits


class Cautious(Counter):
    """Counts cards like `counter`, and is afraid.

    It never lies when it can tell the truth and passes rather than lie; where it must lie it lays one card, the one it
    needs last. It calls a last card, and else only where nine in ten such plays would be lies, whatever is at stake.
    """

    NAME: ClassVar[str] = "cautious"
    HABITS: ClassVar[Habits] = Habits(trust=0.9, plain=1, extra=1)
    WAITING: ClassVar[Habits] = HABITS
    SAME: ClassVar[Habits] = HABITS
    NEAR: ClassVar[Habits] = HABITS
    FREE: ClassVar[Habits] = HABITS
    SUITED: ClassVar[SuitedHabits] = SuitedHabits(trust=0.9, plain=1)
    PASSING: ClassVar[SuitedHabits] = replace(SUITED, bold=10)
    STOCK: ClassVar[SuitedHabits] = SUITED
