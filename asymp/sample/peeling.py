r"""Cores of random hypergraphs with millions of servers, by peeling.

A server of least degree is deleted with its jobs (edges), again and again; the largest degree at a deletion so far is the
server's core number, the largest k for which it is in the k-core. Servers stand in an array in the order of their degrees,
with the place where each degree begins, so that a degree falls by one at a constant cost (Batagelj and Zaversnik, 2003): O(n
+ d jobs) in all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asymp.sample import streams
from asymp.sample.compiler import jit
from asymp.sample.parallel_phases import choose

Array = np.ndarray[Any, Any]


def random_edges(n: int, jobs: int, d: int, seed: int) -> Array:
    """So many sets of d of n servers, all sets equally likely, independent: int32[jobs, d].

    >>> random_edges(5, 3, 2, 0).shape
    (3, 2)
    """
    found = np.empty((jobs, d), np.int32)
    _fill(found, np.arange(n, dtype=np.int32), streams.stream(seed, 4))
    return found


def core_numbers(n: int, edges: Array) -> Array:
    """Of each server the largest k for which it is in the k-core: int64[n].

    >>> core_numbers(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]], np.int32)).tolist()
    [2, 2, 2, 1]
    """
    jobs, d = edges.shape
    flat = edges.ravel()
    degree = np.bincount(flat, minlength=n).astype(np.int64)
    first = np.concatenate([[0], np.cumsum(degree)]).astype(np.int64)
    held = (np.argsort(flat, kind="stable") // d).astype(np.int32)
    order = np.argsort(degree, kind="stable").astype(np.int32)
    begins = np.searchsorted(degree[order], np.arange(int(degree.max(initial=0)) + 2)).astype(np.int64)
    _peel(edges, first, held, degree, order, begins, np.ones(jobs, np.bool_))
    return degree


@jit
def _fill(found: Any, order: Any, s: Any) -> None:
    chosen = np.empty(found.shape[1], np.int64)
    for k in range(found.shape[0]):
        choose(chosen, order, order.size, s)
        for m in range(chosen.size):
            found[k, m] = chosen[m]


@jit
def _peel(edges: Any, first: Any, held: Any, degree: Any, order: Any, begins: Any, alive: Any) -> None:
    """``degree`` becomes the core numbers; ``order`` is by degree, ``begins[k]`` the first place of degree k or more."""
    n = order.size
    place = np.empty(n, np.int64)
    for k in range(n):
        place[order[k]] = k
    for k in range(n):
        v = order[k]
        least = degree[v]
        for e in range(first[v], first[v + 1]):
            job = held[e]
            if not alive[job]:
                continue
            alive[job] = False
            for m in range(edges.shape[1]):
                w = edges[job, m]
                x = degree[w]
                if x > least:  # to the front of its degree, which then begins one later
                    there = max(begins[x], k + 1)
                    u = order[there]
                    here = place[w]
                    order[here] = u
                    place[u] = here
                    order[there] = w
                    place[w] = there
                    begins[x] = there + 1
                    degree[w] = x - 1
