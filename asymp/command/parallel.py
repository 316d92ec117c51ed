"""Checking many claims at once, in a few worker processes.

A claim may hold functions, which cannot be sent to another process.  So a worker is sent a
*place* (a registered paper or a file, and an id), loads the claim itself, and sends back the verdict
without its claim, which is plain data.  A worker that dies costs one claim, not the run.

Claims whose checks are written in one module often share what they compute (a solved queue, a sample), which a
process keeps.  So a worker prefers claims of the modules that it has begun, and helps with another's
only when there is nothing else.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import time
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from asymp import registry
from asymp.claim import Claim, Outcome, Strength, Verdict


@dataclass(frozen=True)
class Place:
    """Where a claim can be loaded from: a paper's key or a file's path, and the claim's id."""

    claim_id: str
    file: str | None = None

    def load(self) -> Claim:
        """The claim itself."""
        if self.file is None:
            return registry.find_claim(self.claim_id)
        return next(claim for claim in registry.load_file(self.file) if claim.id == self.claim_id)


def check_all(
    places: Sequence[Place],
    jobs: int = 2,
    quick: bool = False,
    started: Callable[[Place], None] | None = None,
    limit: float = 300.0,
) -> Iterator[tuple[Place, Verdict]]:
    """The verdicts as they come; in this process when ``jobs`` is 1 or workers cannot be started.

    A claim that takes a worker more than ``limit`` seconds is undecided.
    """
    jobs = min(jobs, len(places))
    if jobs > 1:
        try:
            workers = [_start(quick) for _ in range(jobs)]
        except (OSError, ValueError, RuntimeError):
            workers = []
        if workers:
            yield from _parallel(list(places), workers, quick, started, limit)
            return
    for place in places:
        if started:
            started(place)
        yield place, check_place(place, quick)


@contextlib.contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """A termination request is answered like Ctrl-C: what was found so far is kept."""

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def check_place(place: Place, quick: bool = False) -> Verdict:
    """Check one claim here; an error of the checker itself is an undecided verdict."""
    from asymp.check import check

    claim = place.load()
    begin = time.perf_counter()
    try:
        verdict = check(claim, quick=quick)
    except Exception as error:
        return _undecided(claim, f"the check failed: {type(error).__name__}: {error}", begin)
    if verdict.seconds:
        return verdict
    return replace(verdict, seconds=time.perf_counter() - begin)


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    place: Place | None = None
    since: float = 0.0


def _context() -> Any:
    """Fork where it is the platform's own way: a worker then has all claims loaded already."""
    methods = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("fork" if "fork" in methods and os.name == "posix" else "spawn")


def _start(quick: bool) -> _Worker:
    context = _context()
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there, quick, os.getpid()), daemon=True)
    process.start()
    there.close()
    return _Worker(process, here)


def _work(pipe: Connection, quick: bool, parent: int) -> None:
    """A worker's life: places in, verdicts (without their claims) out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers Ctrl-C and ends the workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while os.getppid() == parent:
        if not pipe.poll(1.0):
            continue
        try:
            place = pipe.recv()
        except EOFError:
            return
        if place is None:
            return
        verdict = replace(check_place(place, quick), claim=None)  # type: ignore[arg-type]
        try:
            pipe.send(verdict)
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            reason = f"its evidence cannot be sent between processes: {error}"
            pipe.send(Verdict(None, Outcome.UNDECIDED, Strength.NONE, (), reason=reason))  # type: ignore[arg-type]


def _parallel(
    waiting: list[Place],
    workers: list[_Worker],
    quick: bool,
    started: Callable[[Place], None] | None,
    limit: float,
) -> Iterator[tuple[Place, Verdict]]:
    owners: dict[str, _Worker] = {}
    groups = [_group(place) for place in waiting]

    def take(worker: _Worker) -> Place | None:
        """The first claim of this worker's groups; else of a group that nobody has begun; else any."""
        if not waiting:
            return None
        mine = (k for k, group in enumerate(groups) if owners.get(group) is worker)
        fresh = (k for k, group in enumerate(groups) if group not in owners)
        k = next(mine, next(fresh, 0))
        owners.setdefault(groups.pop(k), worker)
        return waiting.pop(k)

    def give(worker: _Worker) -> None:
        worker.place = take(worker)
        worker.since = time.perf_counter()
        if worker.place is not None:
            if started:
                started(worker.place)
            worker.pipe.send(worker.place)

    try:
        for worker in workers:
            give(worker)
        while busy := [worker for worker in workers if worker.place is not None]:
            ready = multiprocessing.connection.wait([worker.pipe for worker in busy], timeout=1.0)
            for worker in busy:
                late = time.perf_counter() - worker.since > limit
                if late and worker.pipe not in ready and worker.place is not None:
                    slow, since = worker.place, worker.since
                    worker.process.kill()
                    _renew(worker, quick)
                    give(worker)
                    yield slow, _undecided(slow.load(), f"no answer within {limit:g} seconds", since)
            for worker in [worker for worker in busy if worker.pipe in ready]:
                place = worker.place
                assert place is not None
                try:
                    verdict = replace(worker.pipe.recv(), claim=place.load())
                except (EOFError, OSError):
                    worker.process.join(5)
                    code = worker.process.exitcode
                    verdict = _undecided(
                        place.load(), f"the process that checked it died ({_death(code)})", worker.since
                    )
                    _renew(worker, quick)
                give(worker)
                yield place, verdict
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join(5)


def _group(place: Place) -> str:
    """The module in which the claim's check is written."""
    claim = place.load()
    relation = claim.relation
    for function in (claim.sampled, getattr(relation, "test", None), getattr(relation, "lhs", None)):
        if isinstance(function, types.FunctionType):
            return function.__module__
    return place.claim_id


def _renew(worker: _Worker, quick: bool) -> None:
    """A new process in the place of one that is gone."""
    worker.process.join(5)
    worker.pipe.close()
    fresh = _start(quick)
    worker.process, worker.pipe = fresh.process, fresh.pipe


def _death(code: int | None) -> str:
    if code is not None and code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return name + (": out of memory?" if -code == 9 else "")
    return f"exit code {code}"


def _undecided(claim: Claim, reason: str, begin: float) -> Verdict:
    seconds = time.perf_counter() - begin
    return Verdict(claim, Outcome.UNDECIDED, Strength.NONE, (), None, seconds, " ".join(reason.split())[:500])
