"""Small players for tests of judging, without bots. In a module of their own, so that other processes find them."""

from __future__ import annotations

from typing import Any

import numpy as np

from bluff_env import layout, rules

SMALL = rules({"players": 3, "ranks": 4, "suits": 2, "max_turns": 30})


class Chance:
    """A uniform legal action, from the noise alone."""

    name = "chance"

    def __init__(self, r: Any = SMALL) -> None:
        self.rules, self.layout = rules(r), layout(rules(r))

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        return legal(mask, noise), None


class Trusting(Chance):
    """Never calls; else as chance has it."""

    name = "trusting"

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        decline = self.layout.actions["decline"].start
        return np.where(mask[:, decline], decline, legal(mask, noise)), None


class Remembering(Chance):
    """Counts its own decisions in a game, and lets the count move its choice."""

    name = "remembering"

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        count = np.zeros((len(mask), 1), np.int32) if state is None else state
        return legal(mask, (noise + 0.37 * count[:, 0]) % 1), count + 1


class Hopeful(Chance):
    """Thinks that it wins with a chance of one in so many cards in its hand."""

    name = "hopeful"

    def win_chance(self, observation: Any) -> Any:
        return 1 / np.maximum(observation[:, self.layout.pieces["hand"]].sum(axis=1), 1)


class Failing(Chance):
    """Fails when it is asked."""

    name = "failing"

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[Any, Any]:
        raise RuntimeError("nothing\ncomes to mind")


def legal(mask: Any, noise: Any) -> Any:
    """(B,) the legal action that stands at this share of them."""
    return (mask.cumsum(axis=1) > (noise * mask.sum(axis=1)).astype(int)[:, None]).argmax(axis=1)
