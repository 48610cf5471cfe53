"""Rows and records: what compiled functions pass around instead of arrays, one address each.

numba hands an array on as seven words, checks every index for being negative and multiplies it by a stride. A row is
one word, indexed as it stands: `row[i]` reads or writes number i, unchecked, so only engine code may make and use rows.
Whatever they hold, whole numbers are int64 in compiled code; written, they are cut to what the row or field holds.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, imputils
from numba.core.typing import templates
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.extending import intrinsic, models

# Of numba's own functions many have no annotations.
_cgutils: Any = cgutils
_imputils: Any = imputils
_templates: Any = templates
_extending: Any = numba.extending


def typed_intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Numba's `intrinsic`, for type checkers: its own annotations keep the typing context among the arguments."""
    compiled: Callable[..., Any] = intrinsic(function)
    return compiled


class RowType(types.Type):
    """The type of a row of numbers of one type."""

    def __init__(self, dtype: Any, constant: bool = False) -> None:
        self.dtype, self.constant = dtype, constant
        super().__init__(name=f"{'Constant' if constant else ''}Row({dtype})")


class RecordType(types.Type):
    """The type of a record: its fields are numbers, or rows of them."""

    def __init__(self, dtype: np.dtype[Any], constant: bool = False) -> None:
        self.dtype, self.constant = dtype, constant
        super().__init__(name=f"{'Constant' if constant else ''}Record({numba.from_dtype(dtype)})")


class _Address(models.PrimitiveModel):
    """Both are an address."""

    def __init__(self, manager: Any, fe_type: Any) -> None:
        model: Any = super()
        row = isinstance(fe_type, RowType)
        kind = manager.lookup(fe_type.dtype).get_data_type() if row else ir.IntType(8)
        model.__init__(manager, fe_type, kind.as_pointer())


_extending.register_model(RowType)(_Address)
_extending.register_model(RecordType)(_Address)


def _in_code(dtype: Any) -> Any:
    """What a number is in compiled code: all but words of bits an int64, so that a function is compiled once."""
    return types.int64 if isinstance(dtype, types.Integer) and dtype != types.uint64 else dtype


def _read(context: Any, builder: Any, dtype: Any, address: Any, constant: bool) -> Any:
    """The number at an address. What nobody writes meanwhile need not be read twice."""
    load = builder.load(address)
    if constant:
        load.set_metadata("invariant.load", builder.module.add_metadata([]))
    number = context.data_model_manager[dtype].from_data(builder, load)
    return context.cast(builder, number, dtype, _in_code(dtype))


def _write(context: Any, builder: Any, dtype: Any, value: Any, value_type: Any, address: Any) -> None:
    number = context.cast(builder, value, value_type, dtype)
    builder.store(context.data_model_manager[dtype].as_data(builder, number), address)


# row[i]


@_templates.infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and isinstance(args[0], RowType) and isinstance(args[1], types.Integer):
            return _templates.signature(_in_code(args[0].dtype), *args)
        return None


@_templates.infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 3 and isinstance(args[0], RowType) and isinstance(args[1], types.Integer):
            return _templates.signature(types.void, *args)
        return None


def _item(context: Any, builder: Any, row: Any, index: Any, index_type: Any) -> Any:
    return builder.gep(row, [context.cast(builder, index, index_type, types.intp)])


@_extending.lower_builtin(operator.getitem, RowType, types.Integer)  # type: ignore[untyped-decorator]  # numba's
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    row = sig.args[0]
    return _read(context, builder, row.dtype, _item(context, builder, args[0], args[1], sig.args[1]), row.constant)


@_extending.lower_builtin(operator.setitem, RowType, types.Integer, types.Any)  # type: ignore[untyped-decorator]
def _set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    address = _item(context, builder, args[0], args[1], sig.args[1])
    _write(context, builder, sig.args[0].dtype, args[2], sig.args[2], address)
    return context.get_dummy_value()


# record.field


@_templates.infer_getattr
class _Field(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, record: Any, name: str) -> Any:  # type: ignore[override]  # declared as a constant
        field = record.dtype[name]
        if field.subdtype is None:
            return _in_code(numba.from_dtype(field))
        return RowType(numba.from_dtype(field.subdtype[0]), record.constant)


def _place(context: Any, builder: Any, record: Any, value: Any, name: str) -> tuple[Any, Any]:
    """A field's address and the type of its numbers."""
    field, offset = record.dtype.fields[name][:2]
    kind = numba.from_dtype(field.subdtype[0] if field.subdtype else field)
    address = builder.gep(value, [ir.IntType(64)(offset)])
    return builder.bitcast(address, context.get_data_type(kind).as_pointer()), kind


@_imputils.lower_getattr_generic(RecordType)  # type: ignore[untyped-decorator]  # numba's
def _get_field(context: Any, builder: Any, record: Any, value: Any, name: str) -> Any:
    address, kind = _place(context, builder, record, value, name)
    return address if record.dtype[name].subdtype else _read(context, builder, kind, address, record.constant)


@_imputils.lower_setattr_generic(RecordType)  # type: ignore[untyped-decorator]  # numba's
def _set_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    address, kind = _place(context, builder, sig.args[0], args[0], name)
    _write(context, builder, kind, args[1], sig.args[1], address)


@typed_intrinsic
def row(typing: Any, array: Any, index: Any) -> Any:
    """Row `index` of a C-ordered array of two dimensions."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        view = context.make_array(sig.args[0])(context, builder, args[0])
        stride = _cgutils.unpack_tuple(builder, view.strides)[0]
        offset = builder.mul(context.cast(builder, args[1], sig.args[1], types.intp), stride)
        return _cgutils.pointer_add(builder, view.data, offset, return_type=view.data.type)

    return RowType(array.dtype)(array, index), codegen


def _at(kind: Any) -> Callable[..., Any]:
    @typed_intrinsic
    def at(typing: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

        return kind(types.int64), codegen

    return at


def row_at(dtype: Any) -> Callable[..., Any]:
    """An intrinsic (address) -> the row of numbers of one type that begins there."""
    return _at(RowType(dtype))


def record_at(dtype: np.dtype[Any], constant: bool = False) -> Callable[..., Any]:
    """An intrinsic (address) -> the record of a numpy dtype that stands there.

    `constant`: nobody writes it while compiled code runs. Its fields are then read once and kept, where numba would
    read them again after every write to a row, which might have changed them for all it knows.
    """
    return _at(RecordType(dtype, constant))


def record_in(dtype: np.dtype[Any], constant: bool = False) -> Callable[..., Any]:
    """An intrinsic (array) -> the first record of an array of a numpy dtype, as of `record_at`."""
    kind = RecordType(dtype, constant)

    @typed_intrinsic
    def first(typing: Any, array: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            view = context.make_array(sig.args[0])(context, builder, args[0])
            return builder.bitcast(view.data, context.get_value_type(sig.return_type))

        return kind(array), codegen

    return first
