"""What people hand to a batch, checked and brought into the form that compiled code takes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bluff_env.engine.rng import MAX_SEED
from bluff_env.errors import BluffError, MoveError


def whole_actions(actions: ArrayLike, games: int) -> NDArray[np.int64]:
    """(N,) int64, a fresh array: actions of whatever whole-number type. Raises MoveError for anything else."""
    given = np.asarray(actions)
    if given.shape != (games,) or given.dtype.kind not in "iu":
        found = f"shape {given.shape}, dtype {given.dtype} found"
        raise MoveError(f"actions: {found}; ({games},) whole numbers expected")
    if given.dtype == np.uint64:
        given = np.minimum(given, np.uint64(2**62))  # far from legal still, and not below zero
    return given.astype(np.int64)


def row_seeds(seed: int | np.integer, n: int) -> NDArray[np.int64]:
    """(n,) int64: the seeds of a batch's rows, drawn from one seed (numpy's SeedSequence)."""
    drawn = np.random.SeedSequence(int(seed)).generate_state(n, np.uint64)
    return (drawn >> np.uint64(11)).astype(np.int64)


def whole_seeds(seeds: ArrayLike, n: int) -> NDArray[np.int64]:
    """(n,) int64: n seeds, one a row. Raises BluffError for anything else."""
    array = np.asarray(seeds)
    if array.dtype == object and array.shape == (n,) and all(type(seed) is int for seed in array):
        raise BluffError(f"seeds: {min(array)} to {max(array)} found; 0 to {MAX_SEED} allowed")
    if array.dtype.kind not in "iu" or array.shape != (n,):
        raise BluffError(f"seeds: shape {array.shape}, dtype {array.dtype} found; ({n},) whole numbers expected")
    if n and (array.min() < 0 or array.max() > MAX_SEED):
        raise BluffError(f"seeds: {array.min()} to {array.max()} found; 0 to {MAX_SEED} allowed")
    return array.astype(np.int64)


def positive(name: str, value: int) -> int:
    """A whole number of at least 1. Raises BluffError, with the argument's name, for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise BluffError(f"{name}: {value!r} is not allowed; a whole number of at least 1")
    return int(value)
