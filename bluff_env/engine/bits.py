"""Sets as the bits of a 64-bit number: the first member is the lowest bit."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import types

from bluff_env.engine.compiling import inlined
from bluff_env.engine.row import typed_intrinsic

_ONE: Final = np.uint64(1)


@inlined
def low_bits(count: int) -> Any:
    """The lowest `count` (0 to 63) bits set."""
    return (_ONE << np.uint64(count)) - _ONE


@inlined
def contains(bits: Any, member: int) -> Any:
    """Is bit `member` set?"""
    return (bits >> np.uint64(member)) & _ONE == _ONE


@inlined
def turned(bits: Any, shift: int, size: int) -> Any:
    """The lowest `size` (up to 63) bits rotated so that number `shift` stands first."""
    return ((bits >> np.uint64(shift)) | (bits << np.uint64(size - shift))) & low_bits(size)


@typed_intrinsic
def ones(typing: Any, word: Any) -> Any:
    """How many bits are set."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@inlined
def place_of(word: Any, number: int) -> Any:
    """Where the set bit stands that has `number` set bits below it."""
    place = 0
    for half in (32, 16, 8, 4, 2, 1):
        below = ones(word & low_bits(half))
        above = int(number >= below)  # no branch: nobody could guess where it goes
        number -= below * above
        word >>= np.uint64(half * above)
        place += half * above
    return place
