"""A hint to the processor, inside compiled kernels, that a row of a table will soon be wanted.

Tables of a million servers do not fit the caches, and a random row is a wait of a hundred nanoseconds.  Where a kernel knows some
draws ahead which row comes, this has it fetched meanwhile.  It changes nothing but the time.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from asymp.sample.compiler import late


@late
def fetch() -> Callable[[Any, int], None]:
    """``fetch(table, i)``: the beginning of ``table[i]`` (an array of any dimension) will be read and written."""
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    ir: Any = import_module("llvmlite.ir")  # it has no types

    @intrinsic
    def hint(context: Any, table: Any, i: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            array = target.make_array(kind)(target, builder, arguments[0])
            stride = cgutils.unpack_tuple(builder, array.strides, kind.ndim)[0]
            word, byte, flag = ir.IntType(64), ir.IntType(8).as_pointer(), ir.IntType(32)
            address = builder.add(builder.ptrtoint(array.data, word), builder.mul(arguments[1], stride))
            form = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
            call = cgutils.get_or_insert_function(builder.module, form, "llvm.prefetch.p0i8")
            builder.call(call, [builder.inttoptr(address, byte), flag(1), flag(3), flag(1)])
            return target.get_dummy_value()

        return types.void(table, types.intp), generate

    return lambda table, i: hint(table, i)
