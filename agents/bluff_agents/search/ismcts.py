"""`ismcts`: information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012) on the project's own engine.

It draws worlds that its observation allows and plays them on, many at a time: in a tree whose nodes are what the seat
to move sees there, by upper confidence bounds, and beyond the tree by a bot at all seats. It plays what it tried most.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log, sqrt
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.agent import Agent, Memoryless, Observations, as_counts
from bluff_agents.bots.counter import Counter
from bluff_agents.errors import AgentError
from bluff_agents.search.worlds import Worlds
from bluff_env import GameBatch, Rules

#: Worlds that are played on at a time; nodes learn in between.
_AT_ONCE: Final = 32
#: How much is tried what has not been tried much.
_EXPLORE: Final = 0.7


def untold(agent: Agent) -> AgentError:
    """What is said to whom asks an agent that searches for its chances."""
    return AgentError(f"{agent.name}: searches for every decision, too slowly to tell its chances; another agent")


class _Node:
    """What a seat sees at a decision in the tree: its legal actions, how often each was tried, and what it brought."""

    __slots__ = ("actions", "total", "tries", "won")

    def __init__(self, actions: NDArray[np.int64]) -> None:
        self.actions = [int(action) for action in actions]
        self.tries = [0] * len(actions)
        self.won = [0.0] * len(actions)
        self.total = 0

    def choose(self, random: np.random.Generator) -> int:
        """The place of the action to try: one not tried yet, or the one with the highest bound."""
        fresh = [place for place, tries in enumerate(self.tries) if tries == 0]
        if fresh:
            return fresh[int(random.integers(len(fresh)))]
        spread = log(self.total)
        bounds = [
            won / tries + _EXPLORE * sqrt(spread / tries) for won, tries in zip(self.won, self.tries, strict=True)
        ]
        return max(range(len(bounds)), key=bounds.__getitem__)


class Ismcts(Memoryless):
    """The player. Votes, gifts and drops are those of `counter`, which also plays on beyond the tree.

    Args:
        rules: anything `bluff_env.rules` takes.
        seed: seeds its own generator, used where `act` is given no noise.
        simulations: games that are played on for a decision.
        horizon: decisions after which a game that goes on is judged by the cards in the hands.

    Raises:
        AgentError: fewer than one simulation, or one decision.
    """

    NAME: ClassVar[str] = "ismcts"

    def __init__(
        self, rules: str | Mapping[str, Any] | Rules, seed: int | None = None, simulations: int = 256,
        horizon: int = 150,
    ) -> None:  # fmt: skip
        super().__init__(rules, self.NAME, seed)
        if simulations < 1 or horizon < 1:
            raise AgentError(f"ismcts: simulations {simulations}, horizon {horizon}; at least 1 each")
        self._counter = Counter(self.rules)
        self._at_once = min(_AT_ONCE, simulations)
        self._waves = -(-simulations // self._at_once)
        self._horizon = horizon
        self._worlds = Worlds(self.rules, self.layout, self._at_once)
        self._cards_dealt = max(1.0, self.rules.deck_size / self.rules.players)
        if self.rules.hand_size is not None:
            self._cards_dealt = float(self.rules.hand_size)

    def choose(
        self, observation: Observations, mask: NDArray[np.bool_], noise: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """(B,) int64: an action a row. Rows are searched one after the other, each from its own noise alone."""
        counts = as_counts(self.layout, observation)
        actions, _ = self._counter.act(counts, mask, noise)
        for row in np.flatnonzero(mask.sum(axis=1) > 1):
            found = self._search(counts[row], mask[row], float(noise[row]))
            if found >= 0:
                actions[row] = found
        return actions

    def probabilities(
        self, observation: Observations, mask: NDArray[np.bool_] | NDArray[np.int8]
    ) -> NDArray[np.float64]:
        """Not told: it would take hundreds of searches.

        Raises:
            AgentError: always.
        """
        raise untold(self)

    def _search(self, observation: NDArray[np.int8], mask: NDArray[np.bool_], noise: float) -> int:
        """The action that was tried most; -1 where nothing is searched."""
        random = np.random.default_rng(int(noise * 2**53))
        tree: dict[bytes, _Node] = {}
        root = _Node(np.flatnonzero(mask))
        for _ in range(self._waves):
            batch = self._worlds.draw(observation, mask, random)
            if batch is None:
                return -1
            self._wave(batch, root, tree, random)
        return root.actions[max(range(len(root.actions)), key=lambda place: (root.tries[place], root.won[place]))]

    def _wave(self, batch: GameBatch, root: _Node, tree: dict[bytes, _Node], random: np.random.Generator) -> None:
        """Plays all worlds to the end, or to the horizon, and lets the nodes on their ways learn."""
        count, n = len(batch), self.rules.players
        ways: list[list[tuple[_Node, int, int]]] = [[] for _ in range(count)]
        in_tree = np.ones(count, np.bool_)
        value = np.full((count, n), np.nan)
        deals = batch.games["scores"].sum(axis=1)
        for step in range(self._horizon):
            alive = np.isnan(value[:, 0])
            if not alive.any():
                break
            actions, _ = self._counter.act(batch.observation, batch.mask, random.random(count))
            actions[~alive] = -1
            seats = batch.player.copy()
            for row in np.flatnonzero(in_tree & alive):
                node = root if step == 0 else self._node(batch, int(row), tree)
                if len(node.actions) > 1:
                    place = node.choose(random)
                    node.tries[place] += 1  # at once, so that the other worlds try others
                    node.total += 1
                    ways[row].append((node, place, int(seats[row])))
                    in_tree[row] = node.tries[place] > 1 or step == 0
                    actions[row] = node.actions[place]
                else:
                    actions[row] = node.actions[0]
            rewards, done = batch.step(actions)
            value[done] = rewards[done]
            scores = batch.games["scores"][:, :n]
            won = alive & ~done & (scores.sum(axis=1) > deals)  # a deal of a match
            for row in np.flatnonzero(won):
                value[row] = self._judged(scores[row] - scores[row].mean(), 1.0)
        for row in np.flatnonzero(np.isnan(value[:, 0])):
            sizes = batch.games["sizes"][row, :n].astype(np.float64)
            value[row] = self._judged(sizes.mean() - sizes, self._cards_dealt)
        for game, way in enumerate(ways):
            for node, place, seat in way:
                node.won[place] += float(value[game, seat])

    def _judged(self, lead: NDArray[Any], scale: float) -> NDArray[np.float64]:
        """What a lead is worth to each seat, if it is not won yet."""
        return np.clip(lead / scale, -1.0, 1.0) / 2

    def _node(self, batch: GameBatch, row: int, tree: dict[bytes, _Node]) -> _Node:
        key = bytes([int(batch.player[row])]) + batch.observation[row].tobytes() + batch.mask[row].tobytes()
        node = tree.get(key)
        if node is None:
            node = tree[key] = _Node(np.flatnonzero(batch.mask[row]))
        return node
