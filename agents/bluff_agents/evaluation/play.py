"""Many games in lockstep: in every round each agent is asked once, for all games in which it is to move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_agents.evaluation.results import EvaluationError
from bluff_env import GameBatch, Rules

if TYPE_CHECKING:
    from bluff_agents import Agent

#: Games held at once; the results do not depend on it.
CHUNK: Final = 4096


@dataclass(frozen=True, slots=True)
class Played:
    """How G games ended.

    Attributes:
        winner: (G,) int64, the winning seat, -1 for none.
        turns: (G,) int64, turns played.
        cut_off: (G,) bool.
    """

    winner: NDArray[np.int64]
    turns: NDArray[np.int64]
    cut_off: NDArray[np.bool_]


def play(
    rules: Rules,
    agents: Sequence[Agent],
    seeds: NDArray[np.int64],
    seating: NDArray[np.int64],
    *,
    chunk: int = CHUNK,
    on_games: Callable[[int], None] | None = None,
    on_batch: Callable[[GameBatch, int], None] | None = None,
) -> Played:
    """Plays G games to their ends.

    Args:
        rules: what is played.
        agents: the agents, each asked once a round.
        seeds: (G,) the seed of each game: its deal, and the noise the agents are given.
        seating: (G, n) which of `agents` sits at each seat.
        chunk: games held at once.
        on_games: told how many games have ended since it was last told.
        on_batch: given each batch of finished games, with the number of its first game.
    """
    winner = np.empty(len(seeds), np.int64)
    turns = np.empty(len(seeds), np.int64)
    cut_off = np.empty(len(seeds), np.bool_)
    for low in range(0, len(seeds), chunk):
        part = slice(low, low + chunk)
        batch = GameBatch(rules, seeds=seeds[part], restart=False)
        _play_out(batch, agents, seating[part], on_games)
        winner[part], turns[part], cut_off[part] = batch.winner, batch.turns, batch.cut_off
        if on_batch is not None:
            on_batch(batch, low)
    return Played(winner, turns, cut_off)


def _play_out(
    batch: GameBatch, agents: Sequence[Agent], seating: NDArray[np.int64], on_games: Callable[[int], None] | None
) -> None:
    askers = [_Asker(agent, seating.shape) for agent in agents]
    actions = np.full(len(batch), -1, np.int64)
    running = np.arange(len(batch))  # only these rows are looked at
    while running.size:
        seats = batch.player[running]
        movers = seating[running, seats]
        noise = batch.noise()
        for index, asker in enumerate(askers):
            asked = movers == index
            if asked.any():
                rows = running[asked]
                actions[rows] = asker.ask(batch, rows, seats[asked], noise[rows])
        _, done = batch.step(actions)
        if done.any():
            actions[done] = -1
            if on_games is not None:
                on_games(int(done.sum()))
            running = running[~done[running]]


class _Asker:
    """One agent over all rows of a batch. What it remembers is kept a row and seat, as it may sit at several."""

    def __init__(self, agent: Agent, shape: tuple[int, ...]) -> None:
        self._agent = agent
        self._begun = np.zeros(shape, np.bool_)
        self._memory: NDArray[Any] | None = None

    def ask(
        self, batch: GameBatch, rows: NDArray[np.int64], seats: NDArray[np.int32], noise: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """(B,) int64: a legal action for each of B rows, in which these seats are to move."""
        if self._memory is None:  # it has none, or this is its first decision in every row
            return self._ask(batch, rows, seats, noise, None)
        begun = self._begun[rows, seats]
        if begun.all():
            return self._ask(batch, rows, seats, noise, self._memory[rows, seats])
        actions = np.empty(len(rows), np.int64)
        new = ~begun
        actions[new] = self._ask(batch, rows[new], seats[new], noise[new], None)
        if begun.any():
            old = self._memory[rows[begun], seats[begun]]
            actions[begun] = self._ask(batch, rows[begun], seats[begun], noise[begun], old)
        return actions

    def _ask(
        self,
        batch: GameBatch,
        rows: NDArray[np.int64],
        seats: NDArray[np.int32],
        noise: NDArray[np.float64],
        memory: NDArray[Any] | None,
    ) -> NDArray[np.int64]:
        mask = batch.mask[rows]
        answer, after = self._agent.act(batch.observation[rows], mask, noise, memory)
        actions = self._checked(batch, rows, mask, answer)
        if after is not None:
            state = np.asarray(after)
            if state.shape[:1] != rows.shape:
                raise EvaluationError(f"agent {self._agent.name}: state of shape {state.shape} for {len(rows)} rows")
            if self._memory is None:
                self._memory = np.zeros((*self._begun.shape, *state.shape[1:]), state.dtype)
            self._memory[rows, seats] = state
            self._begun[rows, seats] = True
        return actions

    def _checked(
        self, batch: GameBatch, rows: NDArray[np.int64], mask: NDArray[np.bool_], answer: object
    ) -> NDArray[np.int64]:
        """The answer, if it is one legal action a row; an illegal one is never turned into a legal one."""
        actions = np.asarray(answer)
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            found = f"shape {actions.shape}, dtype {actions.dtype}"
            raise EvaluationError(f"agent {self._agent.name}: {found} found; {rows.shape} whole numbers expected")
        actions = actions.astype(np.int64, copy=False)
        known = (actions >= 0) & (actions < mask.shape[1])
        legal = known & mask[np.arange(len(rows)), np.where(known, actions, 0)]
        if not legal.all():
            at = int(np.argmin(legal))
            raise EvaluationError(f"agent {self._agent.name}: {batch.illegal_text(int(rows[at]), int(actions[at]))}")
        return actions
