"""A 4-ary heap of runs by their completion times: the soonest is the first of the arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asymp.sample.compiler import late, part


@part
def down(times: Any, counts: Any, n: int, time: float, servers: int) -> None:
    """The run takes the place of the top of a heap of n and sinks to where it belongs."""
    i = 0
    while True:
        child = 4 * i + 1
        if child + 3 < n:
            soonest = child
            if times[child + 1] < times[soonest]:
                soonest = child + 1
            if times[child + 2] < times[soonest]:
                soonest = child + 2
            if times[child + 3] < times[soonest]:
                soonest = child + 3
        elif child < n:
            soonest = child
            for j in range(child + 1, n):
                if times[j] < times[soonest]:
                    soonest = j
        else:
            break
        if times[soonest] >= time:
            break
        times[i] = times[soonest]
        counts[i] = counts[soonest]
        i = soonest
    times[i] = time
    counts[i] = servers


@part
def push(times: Any, counts: Any, n: int, time: float, servers: int) -> None:
    """The run is added below a heap of n and rises to where it belongs."""
    i = n
    while i > 0:
        parent = (i - 1) >> 2
        if times[parent] <= time:
            break
        times[i] = times[parent]
        counts[i] = counts[parent]
        i = parent
    times[i] = time
    counts[i] = servers


@part
def pop(times: Any, counts: Any, n: int) -> int:
    """The soonest run is removed; the number that remain."""
    n -= 1
    if n > 0:
        down(times, counts, n, times[n], counts[n])
    return n


@late
def move() -> Callable[..., None]:
    """``move(array, first, count)``: ``array[first:first+count]`` one place up, by memmove (a loop is several times
    slower)."""
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def moved(context: Any, array: Any, first: Any, count: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            start = builder.gep(data, [arguments[1]])
            above = builder.gep(data, [builder.add(arguments[1], arguments[1].type(1))])
            size = context.get_abi_sizeof(context.get_data_type(signature.args[0].dtype))
            cgutils.raw_memmove(builder, above, start, arguments[2], size)
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), code

    return lambda array, first, count: moved(array, first, count)


@part
def beside(times: Any, counts: Any, n: int, time: float, servers: int) -> int:
    """A run is put among n that are in order, the soonest last; the steps it took."""
    # The soonest few are passed one by one; further up the place is counted: guesses are what halving costs.
    i = n
    low = max(n - 8, 0)
    while i > low and times[i - 1] < time:
        times[i] = times[i - 1]
        counts[i] = counts[i - 1]
        i -= 1
    if i == low and i > 0 and times[i - 1] < time:
        low = 0
        for j in range(i):
            low += times[j] >= time
        move(times, low, i - low)
        move(counts, low, i - low)
        i = low
    times[i] = time
    counts[i] = servers
    return n - i
