"""Moving counts into the relative order, sixteen bytes at a time.

An observation is mostly rows of C counts that must stand rotated. Copied byte by byte, they took most of a step. One
16-byte load and store a piece is exact where it matters and writes up to 15 bytes too far. Hence the order in
`observe`: rows in rising order, and what lies behind a run of rows is written (or zeroed) after it. Card rows have 16
spare bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bluff_env.engine.compiling import inlined


def typed_intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Numba's `intrinsic`, for type checkers: its own annotations keep the typing context among the arguments."""
    compiled: Callable[..., Any] = intrinsic(function)
    return compiled


_memset: Any = cgutils.memset  # has no annotations

#: Bytes moved at a time, and the most that is read or written too far, plus one.
CHUNK: Final = 16


@typed_intrinsic
def _copy_chunk(typing: Any, out: Any, to: Any, source: Any, at: Any) -> Any:
    """out[to : to + 16] = source[at : at + 16], unaligned and unchecked, as one load and one store."""
    signature = types.void(out, to, source, at)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        chunk = ir.VectorType(ir.IntType(8), CHUNK).as_pointer()

        def address(array: int, index: int) -> Any:
            data = context.make_array(signature.args[array])(context, builder, args[array]).data
            return builder.bitcast(builder.gep(data, [args[index]]), chunk)

        builder.store(builder.load(address(2, 3), align=1), address(0, 1), align=1)
        return context.get_dummy_value()

    return signature, codegen


@inlined
def rotated(size: int, shift: int, source: Any, at: int, out: Any, to: int) -> None:
    """Copies `size` counts so that number `shift` stands first. Spoils up to 15 bytes behind."""
    first = size - shift
    if size <= CHUNK:
        _copy_chunk(out, to, source, at + shift)
        _copy_chunk(out, to + first, source, at)
        return
    for i in range(0, first, CHUNK):
        _copy_chunk(out, to + i, source, at + shift + i)
    for i in range(0, shift, CHUNK):
        _copy_chunk(out, to + first + i, source, at + i)


@inlined
def rotated_kinds(rule: Any, shift: int, source: Any, at: int, out: Any, to: int) -> None:
    """Copies K counts into the relative order; a joker stays last. Spoils up to 15 bytes behind."""
    rotated(rule.claims, shift, source, at, out, to)
    if rule.kinds > rule.claims:
        out[to + rule.claims] = source[at + rule.claims]


@typed_intrinsic
def _lower_chunk(typing: Any, counts: Any, at: Any, by: Any) -> Any:
    """counts[at : at + 16] = max(0, those - by), unaligned and unchecked; counts and by from 0 to 127."""
    signature = types.void(counts, at, by)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        chunk = ir.VectorType(ir.IntType(8), CHUNK)
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        address = builder.bitcast(builder.gep(data, [args[1]]), chunk.as_pointer())
        lane = builder.insert_element(
            ir.Constant(chunk, ir.Undefined), builder.trunc(args[2], ir.IntType(8)), ir.IntType(32)(0)
        )
        less = builder.shuffle_vector(
            lane, ir.Constant(chunk, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), CHUNK), None)
        )
        found = builder.load(address, align=1)
        kept = builder.select(builder.icmp_signed(">", found, less), builder.sub(found, less), ir.Constant(chunk, None))
        builder.store(kept, address, align=1)
        return context.get_dummy_value()

    return signature, codegen


@typed_intrinsic
def _zero(typing: Any, out: Any, low: Any, size: Any) -> Any:
    """out[low : low + size] = 0, unchecked."""
    signature = types.void(out, low, size)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        _memset(builder, builder.gep(data, [args[1]]), args[2], 0)
        return context.get_dummy_value()

    return signature, codegen


@inlined
def zeroed(out: Any, low: int, high: int) -> None:
    """Zeroes out[low:high]."""
    _zero(out, np.int64(low), np.int64(high - low))


# The loops below run over unsigned numbers: numba then needs no check for negative indices, which lets LLVM vectorise.


@inlined
def moved(cards: Any, at: int, to: int, size: int) -> None:
    """Copies `size` counts from `at` to `to`."""
    a, b = np.uint64(at), np.uint64(to)
    for i in range(np.uint64(size)):
        cards[b + i] = cards[a + i]


@inlined
def added(cards: Any, at: int, to: int, size: int) -> None:
    """Adds `size` counts at `at` to those at `to`."""
    a, b = np.uint64(at), np.uint64(to)
    for i in range(np.uint64(size)):
        cards[b + i] += cards[a + i]


@inlined
def subtracted(cards: Any, at: int, to: int, size: int) -> None:
    """Takes `size` counts at `at` from those at `to`, never below zero."""
    a, b = np.uint64(at), np.uint64(to)
    for i in range(np.uint64(size)):
        cards[b + i] = max(cards[b + i] - cards[a + i], 0)


@inlined
def lowered(counts: Any, at: int, size: int, by: int) -> None:
    """Lowers `size` counts by the same number, never below zero. Lowers up to 15 more behind them."""
    less = np.int64(min(by, 127))
    for i in range(0, size, CHUNK):
        _lower_chunk(counts, np.int64(at + i), less)
