"""Many games in lockstep: in every round each agent is asked once, for all games in which it is to move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from bluff_env import GameBatch, Rules
from bluff_env.asking import Asker

if TYPE_CHECKING:
    from bluff_agents import Agent

#: Games held at once; the results do not depend on it.
CHUNK: Final = 4096


class Watcher(Protocol):
    """Whoever looks on while games are played, hidden cards included, and changes nothing."""

    def begin(self, batch: GameBatch, first: int) -> None:
        """A batch begins, whose row 0 is game `first`."""

    def before(self, batch: GameBatch, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """(R,) actions are about to be played in these (R,) rows, all those under way."""

    def after(self, batch: GameBatch) -> None:
        """They have been."""

    def end(self, batch: GameBatch) -> None:
        """All games of the batch are over."""


@dataclass(frozen=True, slots=True)
class Played:
    """How G games ended.

    Attributes:
        winner: (G,) int64, the winning seat, -1 for none.
        turns: (G,) int64, turns played, in all deals of a match.
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
    watchers: Sequence[Watcher] = (),
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
        watchers: who looks on.
    """
    winner = np.empty(len(seeds), np.int64)
    turns = np.empty(len(seeds), np.int64)
    cut_off = np.empty(len(seeds), np.bool_)
    for low in range(0, len(seeds), chunk):
        part = slice(low, low + chunk)
        batch = GameBatch(rules, seeds=seeds[part], restart=False)
        for watcher in watchers:
            watcher.begin(batch, low)
        turns[part] = _play_out(batch, agents, seating[part], on_games, watchers)
        winner[part], cut_off[part] = batch.winner, batch.cut_off
        for watcher in watchers:
            watcher.end(batch)
        if on_batch is not None:
            on_batch(batch, low)
    return Played(winner, turns, cut_off)


def _play_out(
    batch: GameBatch,
    agents: Sequence[Agent],
    seating: NDArray[np.int64],
    on_games: Callable[[int], None] | None,
    watchers: Sequence[Watcher],
) -> NDArray[np.int64]:
    """Plays all games of a batch to their ends; (G,) the turns that each took."""
    match = batch.rules.target_points is not None  # whose every deal counts its turns from 0
    earlier = np.zeros(len(batch), np.int64)  # turns of the deals before the present one
    askers = [Asker(agent, *seating.shape) for agent in agents]
    actions = np.full(len(batch), -1, np.int64)
    running = np.arange(len(batch))  # only these rows are looked at
    while running.size:
        movers = seating[running, batch.player[running]]
        noise = batch.noise()
        for index, asker in enumerate(askers):
            asked = movers == index
            if asked.any():
                rows = running[asked]
                actions[rows] = asker.ask(batch, rows, noise[rows])
        for watcher in watchers:
            watcher.before(batch, running, actions[running])
        before = batch.turns[running] if match else None
        _, done = batch.step(actions)
        if before is not None:
            dealt = batch.turns[running] < before  # the step ended a deal, and so made no turn of its own
            earlier[running[dealt]] += before[dealt]
        for watcher in watchers:
            watcher.after(batch)
        if done.any():
            actions[done] = -1
            if on_games is not None:
                on_games(int(done.sum()))
            running = running[~done[running]]
    return earlier + batch.turns
