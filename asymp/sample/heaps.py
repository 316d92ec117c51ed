"""A heap of numbers by the times at which they are due, for compiled kernels.

``heap[0]`` is the first that is due; ``at[i]`` is where i stands in the heap.
"""

from __future__ import annotations

from typing import Any

from asymp.sample.compiler import part


@part
def sift(heap: Any, at: Any, due: Any, size: int, i: int) -> None:
    """i, whose ``due`` has changed, moves up or down to where it belongs."""
    here, time = at[i], due[i]
    while here > 0:
        above = (here - 1) >> 1
        j = heap[above]
        if due[j] <= time:
            break
        heap[here] = j
        at[j] = here
        here = above
    while True:
        child = 2 * here + 1
        if child >= size:
            break
        if child + 1 < size and due[heap[child + 1]] < due[heap[child]]:
            child += 1
        j = heap[child]
        if due[j] >= time:
            break
        heap[here] = j
        at[j] = here
        here = child
    heap[here] = i
    at[i] = here
