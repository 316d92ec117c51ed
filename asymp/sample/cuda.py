r"""The multiserver-job queue on a GPU: Algorithm 1 for many samples at once.

The kernels are in ``multiserver.cu``; NVRTC compiles them for the card at hand through ``cupy.RawModule``, without fused
multiply-adds, so that a sample has the bits that the CPU gives it (:mod:`asymp.sample.trajectory`,
:mod:`asymp.sample.observe`).  A launch takes a batch of samples from one mark to the next; those that have met a
shorter trajectory of their own are done, and the list of the others is closed up before the next launch.  Jobs are
drawn where they are served: nothing random crosses the bus.

* Few runs (servers over the smallest need at most :data:`THREAD_RUNS`): a thread a sample, its runs a sorted array in
  shared memory.
* Many runs: a warp a sample, its runs a 32-ary heap in global memory, whose children of a node the lanes compare at
  once; each lane draws one of the next 32 jobs.

Memory is bounded: a batch is as many samples as half of the free memory holds, whatever their number in all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from asymp.sample import observe, trajectory
from asymp.sample.packed import Packed
from asymp.sample.runs import block_length

Array = np.ndarray[Any, Any]

THREAD_RUNS = 64
"""Most runs of a sample that a thread keeps in shared memory."""
SHARED_BYTES = 48 << 10
"""What any card gives a block without being asked."""
LAUNCH_JOBS, LAUNCH_LENGTH = 1 << 30, 1 << 17
"""Jobs of a launch, in all and of one sample: a launch is to take less than a second, so that a run can be interrupted."""
MOST_THREADS, MOST_WARPS = 1 << 18, 1 << 14
"""Most samples of a batch: some times what a large card holds at once."""
OPTIONS = ("--std=c++17", "--fmad=false")
NULL = np.uint64(0)


@cache
def source() -> str:
    """The kernels' text."""
    return (resources.files("asymp.sample") / "multiserver.cu").read_text(encoding="utf-8")


class Device:
    """The kernels on a card, bound to a workload.

    Args:
        xp: CuPy.
        packed: the workload and the interarrival law.
        seed: of the run.
    """

    def __init__(self, xp: Any, packed: Packed, seed: int) -> None:
        self.xp, self.packed, self.seed = xp, packed, seed
        self._module = xp.RawModule(code=source(), options=OPTIONS)
        p = packed
        self._tables = (
            [np.int64(p.thresholds.size)]
            + [xp.asarray(a) for a in (p.thresholds, p.aliases, p.needs, p.classes, p.kinds, p.parameters)]
            + [np.int64(p.kinds_used), np.int64(p.arrival_thresholds.size)]
            + [xp.asarray(a) for a in (p.arrival_thresholds, p.arrival_aliases, p.arrival_kinds, p.arrival_parameters)]
            + [np.int64(p.arrival_kinds_used)]
        )

    def launch(self, kernel: str, base: int, lanes: int, threads: int, arguments: list[Any], shared: int = 0) -> None:
        """Start a kernel on so many threads in all; ``base`` is the sample of slot 0."""
        plain = [np.int64(a) if isinstance(a, int) else a for a in arguments]
        laws = [*self._tables, np.uint64(self.seed), np.uint64(base)]
        function = self._module.get_function(kernel)
        function(((lanes + threads - 1) // threads,), (threads,), (*laws, *plain), shared_mem=shared)
        # Waited for: launches that pile up could not be interrupted.
        self.xp.cuda.runtime.deviceSynchronize()

    def draw_jobs(self, sample: int, first: int, count: int, step: int = 1) -> tuple[Array, Array, Array, Array]:
        """``(need, cls, sigma, tau)`` as :func:`asymp.sample.jobs.draw_jobs` has them."""
        xp = self.xp
        out = [xp.empty(count, kind) for kind in (np.int64, np.int32, np.float64, np.float64)]
        self.launch("draws", sample, count, 128, [first, count, step, *out])
        need, cls, sigma, tau = (xp.asnumpy(a) for a in out)
        return need, cls, sigma, tau


class Batch:
    """Samples ``base, base + 1, ...`` (slots 0, 1, ...) on a device: their states, and marks of their longest trajectories.

    Args:
        device: the kernels.
        first: the first length of Algorithm 1.
        most: the longest.
        size: slots.
        warps: whether a sample has a warp to itself; chosen by the number of runs if not given.
    """

    def __init__(self, device: Device, first: int, most: int, size: int, warps: bool | None = None) -> None:
        xp, packed = device.xp, device.packed
        self.device, self.size, self.base = device, size, 0
        self.servers = int(packed.servers)
        self.runs = self.servers // int(packed.needs.min())
        self.room = self.runs + 1  # a mark has the free servers as one more run
        self.block = block_length(self.servers)
        self.index = trajectory.mark_indices(first, most, self.runs + 2)
        self.warps = self.runs > THREAD_RUNS if warps is None else warps
        self.threads = 128
        while not self.warps and 12 * self.runs * self.threads > SHARED_BYTES:
            self.threads //= 2
        if self.threads < 32:
            raise ValueError(f"{self.runs} runs do not fit into the shared memory of a thread")
        # Warps: runs begin at place 31, so that the 32 children of a run share lines of memory.
        self._across = (31 + self.runs + 31) // 32 * 32 if self.warps else 1
        self._along = 1 if self.warps else size
        shape = (size, self._across) if self.warps else (self.runs, size)
        self._times, self._counts = xp.empty(shape), xp.empty(shape, np.int32)
        self._clock, self._level = xp.empty((size, 2)), xp.empty((size, 2), np.int64)
        self._marks: dict[int, tuple[Any, Any, Any]] = {}

    def restart(self, base: int) -> None:
        """Forget everything; slot 0 is sample ``base``."""
        self.base = base
        for _, _, length in self._marks.values():
            length.fill(-1)

    def begin(self, slots: Any, start: int, row: int | None = None) -> None:
        """Empty systems before job ``start``; a mark of that is kept in a row."""
        top = -(-start // self.block) * self.block
        times, counts, length = (NULL, NULL, NULL) if row is None else self._mark(row)
        arguments = [slots, slots.size, self.servers, top, start, self._clock, self._level, times, counts, length]
        self.device.launch("begin", self.base, slots.size, 128, [*arguments, self._mark_steps()[1]])

    def travel(
        self, slots: Any, start: int, jobs: int, step: int, row: int | None = None, trace: Any = None
    ) -> Array | None:
        """Through jobs ``start, start + step, ...``; with a row, which states agree with its marks, which they replace.

        ``trace``: two arrays (jobs, slots) for the jobs' waiting times and idle server times.
        """
        name = ("trace" if trace else "travel") + ("_warps" if self.warps else "_threads")
        once = jobs if trace else max(64, min(LAUNCH_LENGTH, LAUNCH_JOBS // slots.size))
        same = self.device.xp.empty(slots.size, np.int64)
        done = 0
        while done < jobs or jobs == 0:
            now = min(once, jobs - done)
            last = done + now == jobs
            times, counts, length = self._mark(row) if last and row is not None else (NULL, NULL, NULL)
            arguments = [slots, slots.size, self.block, start + step * done, now, step, *self._state()]
            arguments += [times, counts, length, *self._mark_steps(), same, *(trace or ())]
            self._launch(name, slots.size, arguments)
            done += now
            if last:
                break
        return None if row is None else self.device.xp.asnumpy(same) != 0

    def forward(self, slots: Any, jobs: int, sums: Any, histograms: Any, warmup: int, shift: int, low: int) -> None:
        """Empty systems through jobs 0, ..., jobs - 1; those from ``warmup`` on go into ``sums`` (classes, 5, slots) and
        ``histograms`` (sections, classes, bins) as :func:`asymp.sample.forward.run` has them."""
        sections, classes, bins = histograms.shape
        self.begin(slots, 0)
        once = max(64, min(LAUNCH_LENGTH, LAUNCH_JOBS // slots.size))
        for first in range(0, jobs, once):
            now = min(once, jobs - first)
            arguments = [slots, slots.size, self.block, first, now, *self._state(), sums, histograms]
            arguments += [sections, classes, max(warmup - first, 0), bins, shift, low]
            self._launch("forward" + ("_warps" if self.warps else "_threads"), slots.size, arguments)

    def pile(self, slots: Any, first: int, jobs: int) -> tuple[Array, Array]:
        """Jobs ``first, ..., first + jobs - 1`` put on each slot's pile: the rise of V, and of each class the jobs and
        their service times, (slots, classes, 2); the bits of :func:`asymp.sample.pile.climb`."""
        xp = self.device.xp
        classes = int(self.device.packed.classes.max()) + 1
        sums, rise = xp.zeros((classes, 2, slots.size)), xp.zeros(slots.size)
        once = max(1, min(LAUNCH_LENGTH, LAUNCH_JOBS // slots.size) // 1024) * 1024
        for start in range(0, jobs, once):
            # The clock of a pile starts anew by itself, not at multiples of a block.
            arguments = [slots, slots.size, 1 << 62, first + start, min(once, jobs - start), *self._state(), sums, rise]
            self._launch("pile" + ("_warps" if self.warps else "_threads"), slots.size, arguments)
        return xp.asnumpy(rise), np.moveaxis(xp.asnumpy(sums), 2, 0)

    def _state(self) -> list[Any]:
        return [self._clock, self._level, self._times, self._counts, self._along, self._across, self.runs]

    def _launch(self, kernel: str, samples: int, arguments: list[Any]) -> None:
        lanes = samples * (32 if self.warps else 1)
        shared = 0 if self.warps else 12 * self.runs * self.threads
        self.device.launch(kernel, self.base, lanes, self.threads, arguments, shared)

    def extend(self, slots: Array, length: int) -> Array:
        """Trajectories from ``-length`` on top of the marks of shorter ones; of the slots, those that did not meet them."""
        xp = self.device.xp
        row = int(np.searchsorted(self.index, length))
        at_mark = row < self.index.size and int(self.index[row]) == length
        there = xp.asarray(slots)
        self.begin(there, length, row if at_mark else None)
        index = length
        for below in range(row - 1, -1, -1):
            stop = int(self.index[below])
            same = self.travel(there, index, index - stop, -1, below)
            index = stop
            assert same is not None
            if same.any():
                slots = slots[~same]
                there = xp.asarray(slots)
            if not slots.size:
                break
        return slots

    def look(self, slots: Array, view: observe.View) -> Array:
        """Observations of the workload that job 0 finds, as :func:`asymp.sample.observe.look` makes them."""
        xp = self.device.xp
        classes = view.needs.size
        out = xp.zeros((slots.size, classes + len(observe.EXTRA)))
        columns = [xp.asarray(a) for a in view]
        arguments = [xp.asarray(slots), slots.size, classes, *columns, *self._mark(0), *self._mark_steps(), out]
        self.device.launch("look", self.base, slots.size, 128, [*arguments, out.shape[1]])
        return np.asarray(xp.asnumpy(out))

    def _mark(self, row: int) -> tuple[Any, Any, Any]:
        # Rows of lengths that no sample reaches take no memory.
        if row not in self._marks:
            xp = self.device.xp
            shape = (self.size, self.room) if self.warps else (self.room, self.size)
            self._marks[row] = xp.empty(shape), xp.empty(shape, np.int32), xp.full(self.size, -1, np.int64)
        return self._marks[row]

    def _mark_steps(self) -> tuple[int, int]:
        return (1, self.room) if self.warps else (self.size, 1)


def batch_size(xp: Any, packed: Packed, plan: observe.Plan, block: int) -> int:
    """How many samples are run at once: a multiple of ``block`` unless not even one block fits."""
    runs = int(packed.servers) // int(packed.needs.min())
    rows = trajectory.mark_indices(plan.first, plan.most, runs + 2).size
    free, _ = xp.cuda.runtime.memGetInfo()
    most = MOST_THREADS if runs <= THREAD_RUNS else MOST_WARPS
    size = max(1, min(most, int(free) // 2 // ((12 * (runs + 64) + 64) * (rows + 1))))
    return size // block * block or size


def blocks(
    xp: Any, packed: Packed, view: observe.View, seed: int, plan: observe.Plan, done: int, samples: int, block: int
) -> Iterator[tuple[Array, Array]]:
    """Observations and stopping lengths of blocks of samples ``done, ..., samples - 1``."""
    size = min(batch_size(xp, packed, plan, block), samples - done)
    batch = Batch(Device(xp, packed, seed), plan.first, plan.most, size)
    # Blocks are what sums are made of, so they are the same however many samples fit into a batch.
    together = max(size, block)
    for start in range(done, samples, together):
        last = min(start + together, samples)
        found = []
        for low in range(start, last, size):
            batch.restart(low)
            found.append(observe_batch(batch, view, min(size, last - low), plan))
        out, stopped = (np.concatenate(parts) for parts in zip(*found, strict=True))
        for low in range(0, last - start, block):
            high = min(low + block, last - start)
            yield out[low:high], stopped[low:high]


def observe_batch(batch: Batch, view: observe.View, count: int, plan: observe.Plan) -> tuple[Array, Array]:
    """Algorithm 1 for slots 0, ..., count - 1: observations and the lengths that confirmed them (negative: none did)."""
    classes = view.needs.size
    out, stopped = np.empty((count, classes + len(observe.EXTRA))), np.empty(count, np.int64)
    slots = np.arange(count, dtype=np.int64)
    length = plan.first
    batch.extend(slots, length)
    while slots.size and 2 * length <= plan.most:
        length *= 2
        going = batch.extend(slots, length)
        met = np.setdiff1d(slots, going, assume_unique=True)
        slots = going
        if not met.size:
            continue
        stopped[met] = length
        out[met] = batch.look(met, view)
        again = met[(batch.base + met) % plan.share == 0] if plan.share > 0 else met[:0]
        if again.size:
            changed = batch.extend(again, plan.factor * length)
            if changed.size:
                out[changed, classes + 5] = batch.look(changed, view)[:, classes] - out[changed, classes]
    if slots.size:
        stopped[slots] = -length
        out[slots] = batch.look(slots, view)
    return out, stopped


class Replications:
    """Forward runs of many samples at once, for :func:`asymp.sample.forward.forward`."""

    def __init__(self, xp: Any, packed: Packed, seed: int, samples: int) -> None:
        # No marks are kept: the plan's lengths only size the batch.
        self.size = min(batch_size(xp, packed, observe.Plan(1, 1, 0, 1), 1), samples)
        self._batch = Batch(Device(xp, packed, seed), 1, 1, self.size)

    def run(self, base: int, jobs: int, warmup: int, shift: int, low: int, sums: Array, histograms: Array) -> None:
        """Samples ``base, ...``, one a row of ``sums`` (samples, classes, 5); counts are added to ``histograms``."""
        xp = self._batch.device.xp
        self._batch.restart(base)
        slots = xp.arange(len(sums), dtype=np.int64)
        # Neighbouring samples are neighbours in the device's memory.
        found, counts = xp.zeros((*sums.shape[1:], len(sums))), xp.zeros(histograms.shape, np.uint64)
        self._batch.forward(slots, jobs, found, counts, warmup, shift, low)
        sums += np.moveaxis(xp.asnumpy(found), 2, 0)
        histograms += xp.asnumpy(counts).astype(np.int64)
