"""Few servers: the vector of their times of completion, in order, for the recurrence of :mod:`asymp.sample.runs`.

With ``w_i = oo`` beyond the last, a job of alpha servers that ends at e makes each ``w_i`` the larger of it and
``min(w_(i + alpha), e)``: several at a time, with nothing for the processor to guess, for it is guesses that cost most where
runs are kept.  What the vector costs grows with the servers, and with the servers of a job whose idle times are summed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from asymp.sample.compiler import late, part

Array = np.ndarray[Any, Any]

WIDTH = 4
"""Entries that go together."""


def few(servers: int, mean_need: float) -> bool:
    """Whether this costs less than runs, by what was measured.

    >>> few(20, 5.0), few(100, 1.0), few(200, 1.0), few(256, 1.3), few(200, 50.0)
    (True, True, False, True, False)
    """
    return servers <= 24 or (servers <= (128 if mean_need == 1 else 256) and mean_need <= 8)


def new_vector(servers: int) -> Array:
    """The times of idle servers and room beyond, from an address where entries that go together lie in one line of the cache."""
    found = np.full(2 * servers + WIDTH + 7, np.inf)
    found = found[-found.ctypes.data % 64 // 8 :][: 2 * servers + WIDTH]
    found[:servers] = 0.0
    return found


@late
def insert() -> Callable[..., None]:
    """``insert(times, alpha, end, servers)``: ``times[i] = max(min(times[i + alpha], end), times[i])``, WIDTH of them at a time,
    which a compiler that does not know alpha would not do."""
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    ir = cgutils.ir
    vector, lanes = ir.VectorType(ir.DoubleType(), WIDTH), ir.VectorType(ir.IntType(32), WIDTH)
    none = ir.Constant(vector, ir.Undefined)

    @intrinsic
    def inserted(context: Any, array: Any, alpha: Any, end: Any, servers: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array, alpha, end, servers = arguments
            data = context.make_array(signature.args[0])(context, builder, array).data
            kind = ir.FunctionType(vector, [vector, vector])
            low, high = (
                cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{WIDTH}f64")
                for name in ("minnum", "maxnum")
            )
            ends = builder.insert_element(none, end, ir.Constant(ir.IntType(32), 0))
            ends = builder.shuffle_vector(ends, none, ir.Constant(lanes, None))
            with cgutils.for_range_slice(builder, servers.type(0), servers, servers.type(WIDTH)) as (i, _):
                places = builder.gep(data, [i]), builder.gep(data, [builder.add(i, alpha)])
                here, beyond = (builder.bitcast(place, vector.as_pointer()) for place in places)
                sooner = builder.call(low, [builder.load(beyond, align=8), ends], fastmath=("nnan",))
                later = builder.call(high, [sooner, builder.load(here, align=8)], fastmath=("nnan",))
                builder.store(later, here, align=8)
            return context.get_dummy_value()

        return types.void(array, types.int64, types.float64, types.int64), code

    return lambda times, alpha, end, servers: inserted(times, alpha, end, servers)


@part
def advance(state: Any, need: Any, sigma: Any, tau: Any, count: int, wait: Any, idle: Any) -> None:
    """Through all jobs."""
    times, servers = state.times, state.level[3]
    t, v = state.clock[0], state.clock[1]
    if count == 0:
        return
    alpha = need[0]
    free = times[alpha - 1]
    for k in range(count):
        now = max(v, t)
        v = max(free, now)
        unused = 0.0
        if alpha > 1:
            now = max(times[0], now)
            for i in range(1, alpha):
                following = max(times[i], now)
                unused += i * (following - now)
                now = following
        wait[k] = v - t
        idle[k] = unused
        end = v + sigma[k]
        # What the next job waits for, as below, but not by way of the memory.  Unsigned indices do not count from the end.
        after = need[np.uint64(min(k + 1, count - 1))]
        free = max(min(times[np.uint64(after - 1 + alpha)], end), times[np.uint64(after - 1)])
        if servers > 2 * WIDTH:
            insert(times, alpha, end, servers)
        else:
            for i in range(servers):
                times[i] = max(min(times[np.uint64(i + alpha)], end), times[i])
        alpha = after
        t += tau[k]
    state.clock[0] = t
    state.clock[1] = v
