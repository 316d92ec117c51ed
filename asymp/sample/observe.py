r"""What is read off a stationary workload, and blocks of samples of it.

From a workload W, ``W^1 <= ... <= W^s``, each class c with need a has the waiting time ``W^a`` and, for a job of the
class, the idle time ``sum_{i<=a} (W^a - W^i)`` of servers that wait with it (head-of-line blocking).  All classes are
read off each sample, so that what is observed of a mixture over classes is its mean given W.

The columns of an observation are the waiting times of the classes, then those of :data:`EXTRA`:

* ``mean`` and ``second``: ``sum_c p_c W^{a_c}`` and ``sum_c p_c (W^{a_c})^2``;
* ``idle``: ``sum_c p_c sum_{i<=a_c} (W^{a_c} - W^i)``;
* ``printed13``: the same with every time cut at tau, the time to the next arrival, as equation (13) of the paper has it;
* ``printed12``: the bracket of equation (12), its parenthesis placed as in (11), at job 0's own class, service and tau;
* ``change``: by how much ``mean`` grew when the sample was continued past the point where Algorithm 1 stopped (else 0).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from asymp.queues.job_classes import Workload
from asymp.sample.compiler import jit
from asymp.sample.jobs import fill
from asymp.sample.runs import Array
from asymp.sample.trajectory import extend, stop

EXTRA = ("mean", "second", "idle", "printed13", "printed12", "change")


class View(NamedTuple):
    """The classes as kernels see them, smallest need first: ``order[i]`` is the class of row i."""

    order: Array  # int64[classes]
    needs: Array  # int64[classes]
    probabilities: Array  # float64[classes]


def view(workload: Workload) -> View:
    """The view of the classes of a workload."""
    needs, probabilities = np.array(workload.needs, np.int64), np.array(workload.probabilities)
    order = np.argsort(needs, kind="stable").astype(np.int64)
    return View(order, needs[order], probabilities[order])


def look(view: View, times: Any, counts: Any, n: int, need: int, sigma: float, tau: float, out: Any) -> None:
    """An observation of the workload of n runs (waits ``times``, ascending, on ``counts`` servers) into ``out``.

    ``need``, ``sigma``, ``tau`` are those of job 0.  The text serves the compiled and the plain path.
    """
    classes = view.needs.size
    mean, second, idle, printed13 = 0.0, 0.0, 0.0, 0.0
    run, seen, above = -1, 0, 0.0  # runs up to `run` hold the first `seen` servers
    total, cut, wait = 0.0, 0.0, 0.0  # sums over those servers of W and of min(W, tau)
    for i in range(classes):
        while seen < view.needs[i]:
            run += 1
            wait = times[run]
            total += counts[run] * wait
            cut += counts[run] * min(wait, tau)
            seen += counts[run]
        # Servers seen beyond the need are of the last run and have its wait.
        beyond = seen - view.needs[i]
        p = view.probabilities[i]
        out[view.order[i]] = wait
        mean += p * wait
        second += p * wait * wait
        idle += p * (view.needs[i] * wait - (total - beyond * wait))
        short = min(wait, tau)
        printed13 += p * (view.needs[i] * short - (cut - beyond * short))
    seen, cut, start = 0, 0.0, 0.0
    for run in range(n):
        if seen < need:
            start = times[run]
        seen += counts[run]
        above = min(times[run], tau)
        cut += counts[run] * above
    # (11): sum_{i<=a} (W^a ^ tau - W^i ^ tau + tau - (W^a + sigma) ^ tau) + sum_{i>a} (tau - W^i ^ tau)
    out[classes] = mean
    out[classes + 1] = second
    out[classes + 2] = idle
    out[classes + 3] = printed13
    out[classes + 4] = need * (min(start, tau) - min(start + sigma, tau)) + seen * tau - cut
    out[classes + 5] = 0.0


class Plan(NamedTuple):
    """How samples are run: Algorithm 1's first and last length, and how many are continued (one in ``share``, to
    ``factor`` times the length at which they stopped)."""

    first: int
    most: int
    share: int
    factor: int


seen = jit(look)


@jit
def observe(
    packed: Any, view: Any, seed: Any, sample: int, count: int, bench: Any, block: int, plan: Any, out: Any, stopped: Any
) -> None:
    """Rows of ``out`` and ``stopped`` become the observations and stopping lengths (negative: not stopped) of samples
    ``sample, sample + 1, ...``."""
    classes = view.needs.size
    marks = bench.marks
    again = np.empty(out.shape[1])
    for k in range(count):
        which = np.uint64(sample + k)
        length = stop(packed, seed, which, bench, block, plan.first, plan.most)
        stopped[k] = length
        fill(packed, seed, which, np.int64(0), np.int64(1), np.int64(1), bench.need, bench.cls, bench.sigma, bench.tau)
        need, sigma, tau = bench.need[0], bench.sigma[0], bench.tau[0]
        seen(view, marks.times[0], marks.counts[0], marks.length[0], need, sigma, tau, out[k])
        if length > 0 and plan.share > 0 and (sample + k) % plan.share == 0:
            if extend(packed, seed, which, bench, block, plan.factor * length):
                seen(view, marks.times[0], marks.counts[0], marks.length[0], need, sigma, tau, again)
                out[k, classes + 5] = again[classes] - out[k, classes]
