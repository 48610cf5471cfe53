"""Rows: what compiled functions pass around instead of arrays, one address each.

numba hands an array on as seven words, checks every index for being negative and multiplies it by a stride. A row is
one word, indexed as it stands: `row[i]` reads or writes number i, unchecked, so only engine code may make and use rows.
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


class _RowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        model: Any = super()
        model.__init__(manager, fe_type, manager.lookup(fe_type.dtype).get_data_type().as_pointer())


_extending.register_model(RowType)(_RowModel)


@_templates.infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and isinstance(args[0], RowType) and isinstance(args[1], types.Integer):
            return _templates.signature(args[0].dtype, *args)
        return None


@_templates.infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 3 and isinstance(args[0], RowType) and isinstance(args[1], types.Integer):
            return _templates.signature(types.void, args[0], args[1], args[0].dtype)
        return None


def _address(context: Any, builder: Any, row: Any, index: Any, index_type: Any) -> Any:
    return builder.gep(row, [context.cast(builder, index, index_type, types.intp)])


def _constant(builder: Any, address: Any) -> Any:
    """Reads what nobody writes meanwhile."""
    load = builder.load(address)
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load


@_extending.lower_builtin(operator.getitem, RowType, types.Integer)  # type: ignore[untyped-decorator]  # numba's
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    address = _address(context, builder, args[0], args[1], sig.args[1])
    if sig.args[0].constant:
        return _constant(builder, address)
    return context.unpack_value(builder, sig.return_type, address)


@_extending.lower_builtin(operator.setitem, RowType, types.Integer, types.Any)  # type: ignore[untyped-decorator]  # numba's
def _set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    address = _address(context, builder, args[0], args[1], sig.args[1])
    context.pack_value(builder, sig.args[2], args[2], address)
    return context.get_dummy_value()


class ConstantsType(types.Type):
    """The type of a record of constants, see `constants_at`."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        super().__init__(name=f"Constants({numba.from_dtype(dtype)})")


class _ConstantsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        model: Any = super()
        model.__init__(manager, fe_type, ir.IntType(8).as_pointer())


_extending.register_model(ConstantsType)(_ConstantsModel)


@_templates.infer_getattr
class _Field(AttributeTemplate):
    key = ConstantsType

    def generic_resolve(self, constants: Any, name: str) -> Any:  # type: ignore[override]  # declared as a constant
        field = constants.dtype[name]
        if field.subdtype is None:
            return numba.from_dtype(field)
        return RowType(numba.from_dtype(field.subdtype[0]), constant=True)


@_imputils.lower_getattr_generic(ConstantsType)  # type: ignore[untyped-decorator]  # numba's
def _get_field(context: Any, builder: Any, constants: Any, value: Any, name: str) -> Any:
    field, offset = constants.dtype.fields[name][:2]
    address = builder.gep(value, [ir.IntType(64)(offset)])
    if field.subdtype is not None:
        return builder.bitcast(address, context.get_value_type(RowType(numba.from_dtype(field.subdtype[0]))))
    return _constant(builder, builder.bitcast(address, context.get_data_type(numba.from_dtype(field)).as_pointer()))


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


def record_at(dtype: np.dtype[Any]) -> Callable[..., Any]:
    """An intrinsic (address) -> the record of a numpy dtype that stands there."""
    return _at(numba.from_dtype(dtype))


def constants_at(dtype: np.dtype[Any]) -> Callable[..., Any]:
    """An intrinsic (address) -> a record of numbers that nobody writes while compiled code runs.

    A field of it is read once and kept, where numba would read it again after every write to a row, which might have
    changed it for all it knows. Fields that are arrays are rows.
    """
    return _at(ConstantsType(dtype))
