"""What the tests of playing share: agents that do as they are told, and deals that look alike."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bluff_env
from bluff_agents.agent import Agent, Memoryless
from bluff_env import Game


class Quiet(Memoryless):
    """Lays one card, any that it may, and calls nothing: how many cards it lays tells nothing of its hand."""

    def __init__(self, rules: Any) -> None:
        super().__init__(rules, "quiet")
        lay = self.layout
        order = ("decline", "lay", "drop_none", "claim", "card", "pass", "call", "drop", "accuse")
        self._order = np.concatenate([np.arange(lay.n_actions)[lay.actions[s]] for s in order if s in lay.actions])

    def choose(self, observation: Any, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        first: NDArray[np.int64] = self._order[mask[:, self._order].argmax(axis=1)]
        return first


class Caller(Quiet):
    """Calls whenever it is asked."""

    def choose(self, observation: Any, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        call = self.layout.actions["call"].start
        return np.where(mask[:, call], call, super().choose(observation, mask, noise))


class Dropper(Quiet):
    """Drops a card whenever it may."""

    def choose(self, observation: Any, mask: NDArray[np.bool_], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        drops = self.layout.actions["drop"]
        may = mask[:, drops]
        return np.where(may.any(axis=1), drops.start + may.argmax(axis=1), super().choose(observation, mask, noise))


class Counting(Agent):
    """Has a memory, how often it has been asked, and calls every third time; it remembers all that it was told."""

    def __init__(self, rules: Any) -> None:
        super().__init__(rules, "counting")
        self._quiet, self._caller = Quiet(rules), Caller(rules)

    def act(self, observation: Any, mask: Any, noise: Any = None, state: Any = None) -> tuple[NDArray[np.int64], Any]:
        asked: NDArray[np.int64] = np.zeros(len(mask), np.int64) if state is None else state
        agents: Sequence[Agent] = (self._quiet, self._quiet, self._caller)
        chosen = [agents[n % 3].act(observation[i : i + 1], mask[i : i + 1])[0][0] for i, n in enumerate(asked)]
        return np.array(chosen, np.int64), asked + 1


def two_deals(rules: bluff_env.Rules, seat: int, seed: int) -> list[dict[str, Any]]:
    """Deals that agree in the hand of the seat and the start card, and in nothing else."""
    deal = Game(rules, seed=seed).record()["deals"][0]
    del deal["events"]
    top, stock = deal["stock"][:1], deal["stock"][1:]
    cards = [card for other, hand in enumerate(deal["hands"]) if other != seat for card in hand] + stock
    random.Random(seed).shuffle(cards)
    hands = [
        list(hand) if at == seat else [cards.pop() for _ in hand] for at, hand in enumerate(deal["hands"])
    ]  # fmt: skip
    return [deal, {**deal, "hands": hands, "stock": top + cards}]
