"""Rows: what compiled functions pass around instead of arrays, one address each.

numba hands an array on as seven words, checks every index for being negative and multiplies it by a stride. A row is one
word, indexed as it stands: `row[i]` reads or writes number i, unchecked, so only engine code may make and index rows.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model


def typed_intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Numba's `intrinsic`, for type checkers: its own annotations keep the typing context among the arguments."""
    compiled: Callable[..., Any] = intrinsic(function)
    return compiled


class RowType(types.Type):  # type: ignore[misc]  # numba has no annotations
    """The type of a row of numbers of one type."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Row({dtype})")


class _RowModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, fe_type: RowType) -> None:
        super().__init__(manager, fe_type, manager.lookup(fe_type.dtype).get_data_type().as_pointer())


register_model(RowType)(_RowModel)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and isinstance(args[0], RowType) and isinstance(args[1], types.Integer):
            return signature(args[0].dtype, *args)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 3 and isinstance(args[0], RowType) and isinstance(args[1], types.Integer):
            return signature(types.void, args[0], args[1], args[0].dtype)
        return None


def _address(context: Any, builder: Any, row: Any, index: Any, index_type: Any) -> Any:
    return builder.gep(row, [context.cast(builder, index, index_type, types.intp)])


@lower_builtin(operator.getitem, RowType, types.Integer)  # type: ignore[untyped-decorator]
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.unpack_value(builder, sig.return_type, _address(context, builder, *args, sig.args[1]))


@lower_builtin(operator.setitem, RowType, types.Integer, types.Any)  # type: ignore[untyped-decorator]
def _set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    address = _address(context, builder, args[0], args[1], sig.args[1])
    context.pack_value(builder, sig.args[2], args[2], address)
    return context.get_dummy_value()


@typed_intrinsic
def row(typing: Any, array: Any, index: Any) -> Any:
    """Row `index` of a C-ordered array of two dimensions."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        view = context.make_array(sig.args[0])(context, builder, args[0])
        stride = cgutils.unpack_tuple(builder, view.strides)[0]
        offset = builder.mul(context.cast(builder, args[1], sig.args[1], types.intp), stride)
        return cgutils.pointer_add(builder, view.data, offset, return_type=view.data.type)

    return RowType(array.dtype)(array, index), codegen


def row_at(dtype: Any) -> Callable[..., Any]:
    """An intrinsic (address) -> the row of numbers of one type that begins there."""

    @typed_intrinsic
    def at(typing: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

        return RowType(dtype)(types.int64), codegen

    return at


def record_at(dtype: np.dtype[Any]) -> Callable[..., Any]:
    """An intrinsic (address) -> the record of a numpy dtype that stands there."""
    record = numba.from_dtype(dtype)

    @typed_intrinsic
    def at(typing: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

        return record(types.int64), codegen

    return at
