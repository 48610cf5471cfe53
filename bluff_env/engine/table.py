"""Where a batch's arrays lie, as compiled functions get it: one number, the address of a `TABLE` record.

Python pays for every array it hands to compiled code, more than a step of one game takes. The arrays themselves are
kept alive by the `GameBatch` that wrote the table, which does not let them be replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numba import types
from numpy.typing import NDArray

from bluff_env.engine.compiling import inlined
from bluff_env.engine.row import record_at, record_in, row_at
from bluff_env.engine.state import GAME, RULE

TABLE: Final = np.dtype(
    [
        # addresses
        ("rule", np.int64),
        ("games", np.int64),
        ("cards", np.int64),
        ("log", np.int64),
        ("observation", np.int64),
        ("mask", np.int64),
        ("rewards", np.int64),
        ("done", np.int64),
        # numbers
        ("rows", np.int64),
        ("shares", np.int64),  # threads that share a step
        ("log_width", np.int64),
        ("restart", np.int64),  # 1: a row whose game ends begins its next one in the same step
    ]
)

_GAME_SIZE: Final = GAME.itemsize

table_at: Final = record_at(TABLE, constant=True)
rule_at: Final = record_at(RULE, constant=True)
#: The same from the array that `compile_rules` gives.
rule_in: Final = record_in(RULE, constant=True)
game_at: Final = record_at(GAME)
_counts_at: Final = row_at(types.int8)
_bytes_at: Final = row_at(types.uint8)
_truths_at: Final = row_at(types.boolean)
_floats_at: Final = row_at(types.float32)


def make_table(arrays: Mapping[str, NDArray[Any]], shares: int, restart: bool) -> NDArray[Any]:
    """The table (an array of length 1) of a batch's arrays, named as in `TABLE`; each must lie row after row."""
    table = np.zeros(1, TABLE)
    for name, array in arrays.items():
        if not (array.flags.c_contiguous and (array.flags.writeable or name == "rule")):
            raise ValueError(f"{name}: not one row after another, or not to be written")
        table[name] = array.ctypes.data
    table["rows"], table["log_width"] = len(arrays["games"]), arrays["log"].shape[1]
    table["shares"], table["restart"] = shares, restart
    return table


@inlined
def game_of(table: Any, i: int) -> Any:
    """The `GAME` record of row i."""
    return game_at(table.games + i * _GAME_SIZE)


@inlined
def cards_of(table: Any, rule: Any, i: int) -> Any:
    """The card counts of row i."""
    return _counts_at(table.cards + i * rule.c_width)


@inlined
def log_of(table: Any, i: int) -> Any:
    """The log of row i, to be indexed from `log_begin` on."""
    return _bytes_at(table.log + i * table.log_width - game_of(table, i).log_begin)


@inlined
def observation_of(table: Any, rule: Any, i: int) -> Any:
    """The observation of row i."""
    return _counts_at(table.observation + i * rule.observation)


@inlined
def mask_of(table: Any, rule: Any, i: int) -> Any:
    """The mask of row i."""
    return _truths_at(table.mask + i * rule.actions)


@inlined
def rewards_of(table: Any, rule: Any, i: int) -> Any:
    """The rewards of row i, one a seat."""
    return _floats_at(table.rewards + i * 4 * rule.seats)


@inlined
def done_of(table: Any) -> Any:
    """Which rows' games ended in this step."""
    return _truths_at(table.done)
