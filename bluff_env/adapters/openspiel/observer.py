"""What a player may look at: observations, and information states with perfect recall, as tensors and in words."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bluff_env.adapters.openspiel import limits
from bluff_env.adapters.openspiel.events import width
from bluff_env.adapters.openspiel.position import Position, TableOfPositions
from bluff_env.errors import BluffError
from bluff_env.layout import Layout
from bluff_env.ruleset import Rules

#: Pieces of an observation that only the seat itself knows.
PRIVATE: Final = ("hand", "picked", "mine_in_pile", "phase", "claimable", "known", "notices")


def tensor_shape(r: Rules, lay: Layout) -> dict[str, tuple[int, ...]]:
    """The pieces of an information state tensor and their shapes."""
    return {
        "player": (r.players,),
        "decides": (len(lay.phases),),
        "own": (lay.n_actions,),
        "events": (limits.events(r), width(lay)),
    }


def tensor_size(r: Rules, lay: Layout) -> int:
    """Numbers in an information state tensor."""
    return sum(int(np.prod(shape, dtype=object)) for shape in tensor_shape(r, lay).values())


class _Observer:
    """Names that OpenSpiel looks for.

    Attributes:
        tensor: (size,) float32, written in place by `set_from`; None where there is none.
        dict: {piece: view of `tensor`}.
    """

    def __init__(self, table: TableOfPositions, shapes: dict[str, tuple[int, ...]]) -> None:
        self.table = table
        self.dict: dict[str, NDArray[np.float32]] = {}
        self.tensor: NDArray[np.float32] | None = None
        if shapes:
            sizes = [int(np.prod(shape)) for shape in shapes.values()]
            self.tensor = np.zeros(sum(sizes), np.float32)
            at = 0
            for (name, shape), size in zip(shapes.items(), sizes, strict=True):
                self.dict[name] = self.tensor[at : at + size].reshape(shape)
                at += size


class InformationState(_Observer):
    """All that a player has seen since the first deal: equal strings, equal tensors, equal knowledge.

    The tensor: the player; what it decides now; its own actions that no event has told of yet (how often each: their
    order follows from what they are); and a row for each event as it saw it, the first first (see `events.Entry`).
    """

    def __init__(self, table: TableOfPositions) -> None:
        r, lay = table.rules, table.layout
        self._size = tensor_size(r, lay)
        super().__init__(table, tensor_shape(r, lay) if self._size <= limits.MAX_TENSOR else {})

    def set_from(self, state: Any, player: int) -> None:
        """Writes what a player of a state knows.

        Raises:
            BluffError: the tensor would be larger than `limits.MAX_TENSOR`.
        """
        if self.tensor is None:
            raise BluffError(too_large(self.table.rules, self._size))
        position: Position = state.position
        lay = self.table.layout
        self.tensor.fill(0.0)
        self.dict["player"][player] = 1.0
        if position.player == player:
            self.dict["decides"][lay.phases.index(position.decides)] = 1.0
        for action in position.own[player]:
            self.dict["own"][action] += 1.0
        rows, sight = self.dict["events"], position.sights[player]
        for place, entry in zip(range(sight.length - 1, -1, -1), sight, strict=True):
            entry.write(lay, rows[place])

    def string_from(self, state: Any, player: int) -> str:
        """The same in words."""
        position: Position = state.position
        return information_of(position, player)


def information_of(position: Position, player: int) -> str:
    """All that a player knows at a position, in words."""
    own = ".".join(map(str, position.own[player]))
    decides = position.decides if position.player == player else ""
    seen = position.sights[player].text(position.table.layout.tables)
    return f"player {player}; {seen}" + (f"; own {own}" if own else "") + (f"; decides {decides}" if decides else "")


class Observation(_Observer):
    """What a player sees of the table now: the project's own observation, `layout.to_float` of its counts."""

    def __init__(self, table: TableOfPositions, public: bool, private: bool) -> None:
        self._public, self._private = public, private
        whole = public and private
        super().__init__(table, {"observation": (table.layout.size,)} if whole else {})

    def set_from(self, state: Any, player: int) -> None:
        """Writes what a player of a state sees."""
        if self.tensor is None:
            raise BluffError("observation: parts of it are told in words only; take public and private together")
        position: Position = state.position
        self.tensor[:] = self.table.layout.to_float(self.table.observe(position, player))

    def string_from(self, state: Any, player: int) -> str:
        """In words: every piece in which something stands."""
        position: Position = state.position
        counts = self.table.observe(position, player)
        told = []
        picking = position.player == player and position.decides == "pick"
        for part in self.table.layout.parts:
            own = part.name in PRIVATE or (part.name == "claim" and picking)  # what it is about to claim, not yet said
            if not (self._private if own else self._public):
                continue
            values = counts[part.slice].tolist()
            if any(values):
                told.append(f"{part.name}={'.'.join(map(str, values))}")
        return " ".join(told)


def too_large(r: Rules, size: int) -> str:
    """One line for a tensor that is not offered."""
    return (
        f"information state tensor: {size:,} numbers for max_turns {r.max_turns}; at most {limits.MAX_TENSOR:,}: lower "
        "max_turns (or target_points), or use the observation tensor or the information state string"
    )
