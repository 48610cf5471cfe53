"""Counts moved sixteen at a time.

Rows of counts (a hand, what a seat has laid, what it has claimed …) take a whole number of 16-byte chunks in a game's
memory, zero behind the last count. So one count or many, they are moved, added, compared and rotated a chunk at a time,
with no loop over kinds.

An observation has no such gaps. There a chunk spoils up to 16 bytes behind what it should write, or before it where it
is made to end with it (`…_before`). Hence the order in `observe`: the first pieces rising, the last ones falling, each
mending what the one before has spoiled, and then what lies between, exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types

from bluff_env.engine.compiling import inlined
from bluff_env.engine.row import typed_intrinsic

#: Counts moved at a time, and the most that is read or written too far.
CHUNK: Final = 16

_BYTES: Final = ir.VectorType(ir.IntType(8), CHUNK)
_BITS: Final = ir.IntType(CHUNK)
_ONE: Final = np.uint64(1)


def _chunk_at(context: Any, builder: Any, sig: Any, args: Any, row: int) -> Any:
    """The address of the chunk that begins at args[row][args[row + 1]]."""
    index = context.cast(builder, args[row + 1], sig.args[row + 1], types.intp)
    return builder.bitcast(builder.gep(args[row], [index]), _BYTES.as_pointer())


def _combined(combine: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """An intrinsic (out, to, source, at): the chunk at out[to] becomes what `combine` makes of it and of source[at]."""

    @typed_intrinsic
    def chunk(typing: Any, out: Any, to: Any, source: Any, at: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            target = _chunk_at(context, builder, sig, args, 0)
            found = builder.load(_chunk_at(context, builder, sig, args, 2), align=1)
            builder.store(combine(builder, lambda: builder.load(target, align=1), found), target, align=1)
            return context.get_dummy_value()

        return types.void(out, to, source, at), codegen

    return chunk


def _less(builder: Any, counts: Any, by: Any) -> Any:
    """Counts - by, never below zero; both from 0 to 127."""
    kept = builder.sub(counts, by)
    return builder.select(builder.icmp_signed(">", counts, by), kept, ir.Constant(_BYTES, None))


copy_chunk: Final = _combined(lambda builder, old, found: found)
_add_chunk: Final = _combined(lambda builder, old, found: builder.add(old(), found))
_subtract_chunk: Final = _combined(lambda builder, old, found: _less(builder, old(), found))


@typed_intrinsic
def _lower_chunk(typing: Any, out: Any, to: Any, source: Any, at: Any, by: Any) -> Any:
    """out[to : to + 16] = source[at : at + 16], each lowered by the same number from 0 to 127, never below zero."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        undefined, place = ir.Constant(_BYTES, ir.Undefined), ir.IntType(32)(0)
        lane = builder.insert_element(undefined, builder.trunc(args[4], ir.IntType(8)), place)
        less = builder.shuffle_vector(lane, undefined, ir.Constant(ir.VectorType(ir.IntType(32), CHUNK), None))
        found = builder.load(_chunk_at(context, builder, sig, args, 2), align=1)
        builder.store(_less(builder, found, less), _chunk_at(context, builder, sig, args, 0), align=1)
        return context.get_dummy_value()

    return types.void(out, to, source, at, types.int64), codegen


@typed_intrinsic
def _above_chunk(typing: Any, a: Any, a_at: Any, b: Any, b_at: Any) -> Any:
    """Which of sixteen counts of `a` are above those of `b`, as the low bits of a uint64."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left, right = (builder.load(_chunk_at(context, builder, sig, args, row), align=1) for row in (0, 2))
        bits = builder.bitcast(builder.icmp_signed(">", left, right), _BITS)
        return builder.zext(bits, ir.IntType(64))

    return types.uint64(a, a_at, b, b_at), codegen


@typed_intrinsic
def _spread_chunk(typing: Any, out: Any, to: Any, bits: Any) -> Any:
    """out[to : to + 16] = the low sixteen bits, one a byte. Rows of int8 or bool."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        low = builder.trunc(args[2], _BITS)
        ones = builder.bitcast(low, ir.VectorType(ir.IntType(1), CHUNK))
        builder.store(builder.zext(ones, _BYTES), _chunk_at(context, builder, sig, args, 0), align=1)
        return context.get_dummy_value()

    return types.void(out, to, types.uint64), codegen


@typed_intrinsic
def _zero_chunk(typing: Any, out: Any, to: Any) -> Any:
    """out[to : to + 16] = 0."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(ir.Constant(_BYTES, None), _chunk_at(context, builder, sig, args, 0), align=1)
        return context.get_dummy_value()

    return types.void(out, to), codegen


# Loops over chunks count up by hand: a `range` with a step costs a division.


@inlined
def blank(out: Any, low: int, high: int) -> None:
    """Zeroes out[low:high], and up to 16 bytes behind."""
    while low < high:
        _zero_chunk(out, low)
        low += CHUNK


# Whole chunks of a game's memory. `size` is a multiple of CHUNK.


@inlined
def moved(cards: Any, at: int, to: int, size: int) -> None:
    """Copies `size` counts from `at` to `to`."""
    i = 0
    while i < size:
        copy_chunk(cards, to + i, cards, at + i)
        i += CHUNK


@inlined
def added(cards: Any, at: int, to: int, size: int) -> None:
    """Adds `size` counts at `at` to those at `to`."""
    i = 0
    while i < size:
        _add_chunk(cards, to + i, cards, at + i)
        i += CHUNK


@inlined
def subtracted(cards: Any, at: int, to: int, size: int) -> None:
    """Takes `size` counts at `at` from those at `to`, never below zero."""
    i = 0
    while i < size:
        _subtract_chunk(cards, to + i, cards, at + i)
        i += CHUNK


@inlined
def lowered(counts: Any, at: int, size: int, by: int) -> None:
    """Lowers `size` counts by the same number, never below zero."""
    less = np.int64(min(by, 127))
    i = 0
    while i < size:
        _lower_chunk(counts, at + i, counts, at + i, less)
        i += CHUNK


@inlined
def above(cards: Any, at: int, other: int, size: int) -> Any:
    """A bit for each of `size` (up to 64) counts at `at` that is above that at `other`."""
    bits = np.uint64(0)
    i = 0
    while i < size:
        bits |= _above_chunk(cards, at + i, cards, other + i) << np.uint64(i)
        i += CHUNK
    return bits


# Into an observation or a mask.


@inlined
def copied(source: Any, at: int, out: Any, to: int, size: int) -> None:
    """Copies `size` counts. Spoils up to 16 bytes behind."""
    i = 0
    while i < size:
        copy_chunk(out, to + i, source, at + i)
        i += CHUNK


@inlined
def copied_before(source: Any, at: int, out: Any, to: int, size: int) -> None:
    """Copies `size` counts. Reads and spoils up to 16 bytes before."""
    i = size
    while i > 0:
        i -= CHUNK
        copy_chunk(out, to + i, source, at + i)


@inlined
def rotated(size: int, shift: int, source: Any, at: int, out: Any, to: int) -> None:
    """Copies `size` counts so that number `shift` stands first. Spoils up to 16 bytes behind."""
    first = size - shift
    if size <= CHUNK:
        copy_chunk(out, to, source, at + shift)
        copy_chunk(out, to + first, source, at)
    else:
        copied(source, at + shift, out, to, first)
        copied(source, at, out, to + first, shift)


@inlined
def rotated_kinds(rule: Any, shift: int, source: Any, at: int, out: Any, to: int) -> None:
    """Copies K counts into the relative order; a joker stays last. Spoils up to 16 bytes behind."""
    rotated(rule.claims, shift, source, at, out, to)
    if rule.kinds > rule.claims:
        out[to + rule.claims] = source[at + rule.claims]


@inlined
def rotated_before(size: int, shift: int, source: Any, at: int, out: Any, to: int) -> None:
    """Copies `size` counts so that number `shift` stands first. Reads and spoils up to 16 bytes before."""
    first = size - shift
    if size <= CHUNK:
        copy_chunk(out, to + size - CHUNK, source, at + shift - CHUNK)
        copy_chunk(out, to + first - CHUNK, source, at + size - CHUNK)
    else:
        copied_before(source, at, out, to + first, shift)
        copied_before(source, at + shift, out, to, first)


@inlined
def lower_rotated_before(size: int, shift: int, source: Any, at: int, out: Any, to: int, by: int) -> None:
    """The same with every count lowered by the same number, never below zero."""
    first, less = size - shift, np.int64(min(by, 127))
    if size <= CHUNK:
        _lower_chunk(out, to + size - CHUNK, source, at + shift - CHUNK, less)
        _lower_chunk(out, to + first - CHUNK, source, at + size - CHUNK, less)
        return
    i = shift
    while i > 0:
        i -= CHUNK
        _lower_chunk(out, to + first + i, source, at + i, less)
    i = first
    while i > 0:
        i -= CHUNK
        _lower_chunk(out, to + i, source, at + shift + i, less)


@inlined
def zeroed(out: Any, low: int, high: int) -> None:
    """Zeroes out[low:high]; the last chunk ends where they end."""
    if high - low < CHUNK:
        while low < high:
            out[low] = 0
            low += 1
    else:
        blank(out, low, high - CHUNK)
        _zero_chunk(out, high - CHUNK)


@inlined
def spread(out: Any, to: int, size: int, bits: Any) -> None:
    """Writes `size` (up to 64) bits as counts of 0 and 1; the last chunk ends where they end."""
    if size < CHUNK:
        for i in range(size):
            out[to + i] = (bits >> np.uint64(i)) & _ONE
        return
    i = 0
    while i < size - CHUNK:
        _spread_chunk(out, to + i, bits >> np.uint64(i))
        i += CHUNK
    _spread_chunk(out, to + size - CHUNK, bits >> np.uint64(size - CHUNK))
