"""Asking players: whatever can play a seat, asked for many rows at once, with what it remembers kept a row and seat."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bluff_env.engine.batch import GameBatch
from bluff_env.errors import BluffError


@runtime_checkable
class Player(Protocol):
    """Whatever can play a seat: `bluff_agents.Agent` without the import.

    A class that says `uniform = True` draws a uniform legal action by the noise, as `GameBatch.random_actions` does:
    then compiled code may play in its place, many times as fast, and `act` is not called.
    """

    def act(
        self,
        observation: NDArray[Any],
        mask: NDArray[np.bool_],
        noise: NDArray[np.float64] | None = None,
        state: Any = None,
    ) -> tuple[NDArray[Any], Any]:
        """(B, D), (B, A), (B,) -> (B,) legal actions, and the memory to hand in next time (None: has none)."""
        ...


class Asker:
    """One player over all rows of a batch. What it remembers is kept a row and seat, as it may sit at several.

    Args:
        player: the player.
        rows, seats: the size of the batch.
    """

    def __init__(self, player: Player, rows: int, seats: int) -> None:
        self.player = player
        self._begun = np.zeros((rows, seats), np.bool_)
        self._memory: NDArray[Any] | None = None

    @property
    def name(self) -> str:
        """What messages call the player."""
        return str(getattr(self.player, "name", type(self.player).__name__))

    def forget(self, rows: NDArray[np.int64] | list[int]) -> None:
        """New games begin in these rows."""
        if self._memory is not None:
            self._begun[rows] = False

    def saved(self) -> tuple[NDArray[np.bool_], NDArray[Any] | None]:
        """A copy of what the player remembers, for `back_to`."""
        return self._begun.copy(), None if self._memory is None else self._memory.copy()

    def back_to(self, saved: tuple[NDArray[np.bool_], NDArray[Any] | None]) -> None:
        """Puts back what the player remembered."""
        begun, memory = saved
        self._begun[:] = begun
        self._memory = None if memory is None else memory.copy()

    def ask(self, batch: GameBatch, rows: NDArray[np.int64], noise: NDArray[np.float64]) -> NDArray[np.int64]:
        """(B,) int64: a legal action for each of B rows, for the seats to move there.

        Args:
            batch: the games.
            rows: (B,) where the player is asked.
            noise: (B,) the randomness it may use.

        Raises:
            BluffError: an answer that is not one legal action a row; it is never turned into a legal one. Or the player
                could not read, write or reach something.
        """
        if self._memory is None:  # it has none, or this is its first decision in every row
            return self._ask(batch, rows, noise, None)
        seats = batch.player[rows]
        begun = self._begun[rows, seats]
        if begun.all():
            return self._ask(batch, rows, noise, self._memory[rows, seats])
        actions = np.empty(len(rows), np.int64)
        new = ~begun
        actions[new] = self._ask(batch, rows[new], noise[new], None)
        if begun.any():
            old = self._memory[rows[begun], seats[begun]]
            actions[begun] = self._ask(batch, rows[begun], noise[begun], old)
        return actions

    def _ask(
        self, batch: GameBatch, rows: NDArray[np.int64], noise: NDArray[np.float64], memory: NDArray[Any] | None
    ) -> NDArray[np.int64]:
        mask = batch.mask[rows]
        try:
            answer, after = self.player.act(batch.observation[rows], mask, noise, memory)
        except OSError as error:  # else it would be taken for one of a file that is being written meanwhile
            raise BluffError(f"agent {self.name}: {type(error).__name__}: {error}") from error
        actions = self._checked(batch, rows, mask, answer)
        if after is not None:
            state, seats = np.asarray(after), batch.player[rows]
            if state.shape[:1] != rows.shape:
                raise BluffError(f"agent {self.name}: state of shape {state.shape} for {len(rows)} rows")
            if self._memory is None:
                self._memory = np.zeros((*self._begun.shape, *state.shape[1:]), state.dtype)
            self._memory[rows, seats] = state
            self._begun[rows, seats] = True
        return actions

    def _checked(
        self, batch: GameBatch, rows: NDArray[np.int64], mask: NDArray[np.bool_], answer: object
    ) -> NDArray[np.int64]:
        actions = np.asarray(answer)
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            found = f"shape {actions.shape}, dtype {actions.dtype}"
            raise BluffError(f"agent {self.name}: {found} found; {rows.shape} whole numbers expected")
        actions = actions.astype(np.int64, copy=False)
        known = (actions >= 0) & (actions < mask.shape[1])
        if not known.all():
            legal = known & mask[np.arange(len(rows)), np.where(known, actions, 0)]
        else:
            legal = mask[np.arange(len(rows)), actions]
        if not legal.all():
            at = int(np.argmin(legal))
            raise BluffError(f"agent {self.name}: {batch.illegal_text(int(rows[at]), int(actions[at]))}")
        return actions
