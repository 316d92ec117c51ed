"""Section 4: the recurrence, its monotonicity and separability.

The recurrence (:mod:`asymp.queues.recurrence`) is set against first come, first served played event by event
(:mod:`asymp.sample.referee`), which does not know it.  Loynes' sequence is in :mod:`proofs.mjsre.section4_loynes`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from asymp.claim import Bound, Claim, Domain, Property
from asymp.queues.recurrence import (
    Job,
    arrive,
    kiefer_wolfowitz,
    last_activity,
    leading,
    reorder,
    step,
    synchronize,
    waiting,
    workloads,
)
from asymp.sample.referee import Arrival, History, play
from proofs.mjsre import section4_loynes
from proofs.mjsre import section4_steps as steps
from proofs.mjsre.inputs import arrivals, batch, below, listed, vectors
from proofs.mjsre.notation import claim, erratum
from proofs.mjsre.trying import argued, exists, tried

DRAWN = "drawn sequences of 12 jobs on 1 to 6 servers"


def claims() -> list[Claim]:
    """The statements of section 4, in order; its algorithm is in :mod:`proofs.mjsre.algorithms`."""
    return [*_discipline(), *_recurrence(), *_lemma(), *_theorem(), *_proof_of_theorem(), *section4_loynes.claims()]


# --- 4.1 -----------------------------------------------------------------------------------------


def _discipline() -> list[Claim]:
    return [
        claim(
            "section-4.1-scan",
            "Section 4.1",
            Property(tried(f"all sequences of 3 jobs on 2 servers, {DRAWN}", lambda: map(_scanned, _sequences()))),
            "As a consequence (of first come, first served), at the departure time of a job the scheduler puts in service "
            "all the jobs in the buffer, scanning them in order of arrival, until it finds the first whose request cannot "
            "be satisfied, or none remains.",
            note="The scan, played event by event, against: a job starts at the first time, not before its arrival nor before "
            "the start of the job ahead of it, at which the jobs ahead of it leave as many servers as it needs.",
        ),
        claim(
            "section-4.1-blocking",
            "Section 4.1",
            exists("all sequences of 3 jobs on 2 servers", lambda: map(_held_up, listed(2, 3, (1, 2), (0, 1)))),
            "It may happen that, while job n is at the head of the line, a subsequent job m with alpha_m < alpha_n could "
            "start its service since there are at least alpha_m idle servers, but is blocked by job n.",
        ),
    ]


def _sequences() -> Iterator[tuple[int, list[Job]]]:
    for jobs in listed(2, 3, (0, 1, 3), (0, 2)):
        yield 2, jobs
    yield from batch(240)


def _scanned(case: tuple[int, list[Job]]) -> str | None:
    servers, jobs = case
    queue = arrivals(jobs)
    history = play(queue, servers)
    ahead: list[tuple[Fraction, Fraction, int]] = []
    floor = Fraction(0)
    for job in queue:
        floor = max(floor, job.time)
        for now in sorted({floor, *(end for _, end, _ in ahead if end > floor)}):
            if sum(need for begin, end, need in ahead if begin <= now < end) + job.servers <= servers:
                break
        floor = now
        ahead.append((now, now + job.service, job.servers))
    return None if history.starts == [begin for begin, _, _ in ahead] else f"{jobs} on {servers} servers"


def _held_up(jobs: list[Job]) -> str | None:
    history = play(arrivals(jobs), 2)
    first, second, third = history.jobs
    if third.servers < second.servers and history.starts[1] > third.time:
        free = 2 - sum(j.servers for j, s, e in _served(history)[:1] if s <= third.time < e)
        if free >= third.servers and history.starts[2] >= history.starts[1]:
            return f"{jobs}: {free} server idle at {third.time}, job 2 starts at {history.starts[2]}"
    return None


def _served(history: History) -> list[tuple[Arrival, Fraction, Fraction]]:
    return list(zip(history.jobs, history.starts, history.completions, strict=True))


# --- (1), (2) --------------------------------------------------------------------------------------


def _recurrence() -> list[Claim]:
    single = "sequences of 12 one-server jobs on 1 to 6 servers"
    return [
        claim(
            "equation-1",
            "Equation (1)",
            Property(tried(f"240 drawn {single}", _kiefer_wolfowitz)),
            "Where each job requires exactly one server, the ordered workload satisfies W_{n+1} = R(W_n + sigma_n L - tau_n U)^+.",
        ),
        claim(
            "equation-2",
            "Equation (2)",
            Property(tried(f"all sequences of 3 jobs on 2 servers, 240 {DRAWN}", lambda: map(_ordered, _sequences()))),
            "The ordered workload vector satisfies W_{n+1} = R(S(alpha_n, W_n) + sigma_n L(alpha_n) - tau_n U)^+.",
            note="Job by job and server by server against the queue played event by event.  The workload of a server is read as "
            "the text has it, the time an arriving job must wait before that server becomes available: a server that stands "
            "idle is not available to it before the jobs ahead have started.",
        ),
        claim(
            "section-4.3-start",
            "Section 4.3",
            Property(tried(f"all sequences of 3 jobs on 2 servers, 240 {DRAWN}", lambda: map(_waited, _sequences()))),
            "To start the service of job n it is necessary to wait for the latest of the first alpha_n CPUs, which occurs at "
            "W_n^{alpha_n}.",
        ),
        claim(
            "section-4.3-hol",
            "Section 4.3",
            Property(
                tried(f"all sequences of 3 jobs on 2 servers, 240 {DRAWN}", lambda: map(_held_idle, _sequences()))
            ),
            "The HOL effect is caught by S(alpha_n, W_n), since the first 1, ..., alpha_n - 1 servers remain idle until server "
            "alpha_n becomes available for the service of the job at the head of the line.",
            note="Read as: job n costs the sum of W^{alpha_n} - W^i over i <= alpha_n, and the sum of these over the jobs is the "
            "time that servers stand idle while a job waits in the queue played event by event.",
        ),
    ]


def _kiefer_wolfowitz() -> Iterator[str | None]:
    for servers, jobs in batch(240):
        single = [job._replace(servers=1) for job in jobs]
        history, w = play(arrivals(single), servers), [Fraction(0)] * servers
        for number, job in enumerate(single):
            seen = history.workload(number, history.jobs[number].time)[0]
            yield None if seen == w and history.waits[number] == w[0] else f"job {number} of {single} on {servers}"
            w = kiefer_wolfowitz(w, job.service, job.gap)


def _ordered(case: tuple[int, list[Job]]) -> str | None:
    servers, jobs = case
    history = play(arrivals(jobs), servers)
    for number, w in enumerate(workloads(jobs[:-1], servers)):
        if history.workload(number, history.jobs[number].time) != [w]:
            return f"job {number} of {jobs} on {servers} servers"
    return None


def _waited(case: tuple[int, list[Job]]) -> str | None:
    servers, jobs = case
    history = play(arrivals(jobs), servers)
    found = [waiting(job.servers, w) for job, w in zip(jobs, workloads(jobs, servers), strict=False)]
    return None if history.waits == found else f"{jobs} on {servers} servers: {history.waits}, not {found}"


def _held_idle(case: tuple[int, list[Job]]) -> str | None:
    servers, jobs = case
    history = play(arrivals(jobs), servers)
    found = sum(
        waiting(job.servers, w) - x
        for job, w in zip(jobs, workloads(jobs, servers), strict=False)
        for x in w[: job.servers]
    )
    idle = history.blocked(0, history.last_activity())
    return None if idle == found else f"{jobs} on {servers} servers: {idle}, not {found}"


# --- Lemma 4.1 -------------------------------------------------------------------------------------

LATTICE = "all ordered vectors of 1 to 4 entries in 0, 1, 2, 4"


def _pairs() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    for size in range(1, 5):
        points = vectors(size, (0, 1, 2, 4))
        yield from ((w, v) for w, v in itertools.product(points, points) if below(w, v))


def _lemma() -> list[Claim]:
    return [
        claim(
            "lemma-4.1",
            "Lemma 4.1",
            argued(steps.monotone, tried(f"{LATTICE}, every alpha, (sigma, tau) = (0, 1), (3, 2)", _lemma_cases)),
            "For all fixed alpha in 1..s, sigma and tau in R+, the map W -> R(S(alpha, W) + sigma L(alpha) - tau U)^+ is "
            "coordinatewise nondecreasing.",
        ),
        claim(
            "lemma-4.1-proof-synchronization",
            "Lemma 4.1",
            argued(steps.synchronization, tried(f"{LATTICE}, every alpha", _synchronized_cases)),
            "By first principles, the map W -> S(alpha, W) is monotonic.",
        ),
        claim(
            "lemma-4.1-proof-reordering",
            "Lemma 4.1",
            argued(
                steps.reordering, tried("all vectors of 1 to 4 entries in 0..3, every k, a = 1, 2", _reordered_cases)
            ),
            "The map from a vector to its reordering is isotonic: A <= A + alpha E_k implies R(A) <= R(A + a E_k).",
            note="Printed once with alpha and once with a, which are one positive number: a misprint.",
        ),
    ]


def _lemma_cases() -> Iterator[str | None]:
    for w, v in _pairs():
        for alpha in range(1, len(w) + 1):
            for job in (Job(alpha, 0, 1), Job(alpha, 3, 2)):
                yield None if below(step(w, job), step(v, job)) else f"{w} <= {v}, {job}"


def _synchronized_cases() -> Iterator[str | None]:
    for w, v in _pairs():
        for alpha in range(1, len(w) + 1):
            yield None if below(synchronize(alpha, w), synchronize(alpha, v)) else f"{w} <= {v}, alpha = {alpha}"


def _reordered_cases() -> Iterator[str | None]:
    for size in range(1, 5):
        for w in itertools.product(range(4), repeat=size):
            for k, more in itertools.product(range(size), (1, 2)):
                raised = [x + more * (i == k) for i, x in enumerate(w)]
                yield None if below(reorder(w), reorder(raised)) else f"{w}, k = {k + 1}, a = {more}"


# --- Theorem 4.2 -----------------------------------------------------------------------------------


def _timed(count: int = 240) -> Iterator[tuple[int, list[Job], list[Fraction]]]:
    """Drawn jobs with arrival times that start anywhere, also before 0."""
    for servers, jobs in batch(count, 5, 8):
        first = jobs[-1].gap - 2
        yield servers, jobs, [first + sum(job.gap for job in jobs[:k]) for k in range(len(jobs))]


def _later(times: list[Fraction], jobs: list[Job]) -> list[Fraction]:
    """Arrival times T' >= T, in order: each is held up by what the jobs' own service times say, if any."""
    moved, last = [], None
    for number, (time, job) in enumerate(zip(times, jobs, strict=True)):
        new = time + (job.service / 2 if number % 3 != 1 else 0)
        last = new if last is None else max(last, new)
        moved.append(last)
    return moved


def _theorem() -> list[Claim]:
    place, where = "Theorem 4.2", "240 drawn sequences of 8 jobs on 1 to 5 servers"
    return [
        claim(
            "theorem-4.2-last-activity",
            place,
            Property(tried(where, lambda: (_activity(*case) for case in _timed()))),
            "Here X_[m,n] (the time of the last activity) = T_n + max(W_[m,n]^{alpha_n} + sigma_n, W_[m,n]^s).",
            note="Against the last departure of the queue played event by event.",
        ),
        claim(
            "theorem-4.2-causality",
            place,
            argued(steps.causal, tried(where, lambda: (_causal(*case) for case in _timed()))),
            "The multiserver-job queue is causal: X_[m,n](N) >= T_n.",
        ),
        claim(
            "theorem-4.2-external-monotonicity",
            place,
            argued(steps.externally_monotone, tried(where, lambda: (_external(*case) for case in _timed()))),
            "It is externally monotone: X_[m,n](N') >= X_[m,n](N) whenever T'_n >= T_n for all n.",
        ),
        claim(
            "theorem-4.2-homogeneity",
            place,
            argued(steps.homogeneous, tried(where, lambda: (_homogeneous(*case) for case in _timed()))),
            "It is homogeneous: X_[m,n](c + N) = X_[m,n](N) + c.",
        ),
        claim(
            "theorem-4.2-separability",
            place,
            argued(steps.separable, tried(f"{where}, every l at which X_[m,l] <= T_{{l+1}}", _separable)),
            "It is separable: if X_[m,l](N) <= T_{l+1} then X_[m,n](N) = X_[l+1,n](N), m <= l < n.",
        ),
    ]


def _activity(servers: int, jobs: list[Job], times: list[Fraction]) -> str | None:
    queue = [Arrival(t, job.servers, job.service) for t, job in zip(times, jobs, strict=True)]
    same = play(queue, servers).last_activity() == last_activity(times, jobs, servers)
    return None if same else f"{queue} on {servers} servers"


def _causal(servers: int, jobs: list[Job], times: list[Fraction]) -> str | None:
    return None if last_activity(times, jobs, servers) >= times[-1] else f"{jobs} on {servers} servers"


def _external(servers: int, jobs: list[Job], times: list[Fraction]) -> str | None:
    later = _later(times, jobs)
    good = last_activity(later, jobs, servers) >= last_activity(times, jobs, servers)
    return None if good and below(times, later) else f"{jobs} on {servers} servers at {times}, {later}"


def _homogeneous(servers: int, jobs: list[Job], times: list[Fraction]) -> str | None:
    found = last_activity(times, jobs, servers)
    moved = [last_activity([t + c for t in times], jobs, servers) - c for c in (Fraction(7, 3), -5)]
    return None if moved == [found, found] else f"{jobs} on {servers} servers"


def _separable() -> Iterator[str | None]:
    for servers, jobs, times in _timed():
        whole = last_activity(times, jobs, servers)
        for l in range(1, len(jobs)):
            if last_activity(times[:l], jobs[:l], servers) <= times[l]:
                good = last_activity(times[l:], jobs[l:], servers) == whole
                yield None if good else f"{jobs} on {servers} servers, l = {l}"


# --- its proof ---------------------------------------------------------------------------------------


def _proof_of_theorem() -> list[Claim]:
    place, where = "Theorem 4.2", "240 drawn sequences of 8 jobs on 1 to 5 servers"
    halves = [Fraction(k, 2) for k in range(-4, 5)]
    return [
        *erratum(
            "theorem-4.2-proof-vector",
            place,
            (
                Property(tried("the drawn sequences, m = 1", lambda: _departures(True))),
                "With D_[m,n] := T_n U + W_[m,m+n], D_[m,n](N) <= D_[m,n](N') for all n.",
            ),
            (
                argued(steps.externally_monotone, tried("the drawn sequences, m = 1", lambda: _departures(False))),
                "With D_[m,n] := T_{m+n} U + W_[m,m+n], D_[m,n](N) <= D_[m,n](N') for all n.",
            ),
            note="The index of T is a misprint: the induction that follows has T_{m+n}.  As printed it fails as soon as only the "
            "arrivals after T_n are later.",
        ),
        claim(
            "theorem-4.2-proof-chain",
            place,
            Property(tried(where, _chain)),
            "W_[m,m+n+1](N) <= R(S(W(N')) + sigma L + (T' - T - tau) U)^+ = R(... + (T'_{m+n+1} - T_{m+n+1}) U - tau' U)^+ <= "
            "R(S(W(N')) + sigma L - tau' U)^+ + (T'_{m+n+1} - T_{m+n+1}) U = W_[m,m+n+1](N') + (T'_{m+n+1} - T_{m+n+1}) U.",
            note="Each relation of the display, on both sides of which everything is computed.",
        ),
        claim(
            "theorem-4.2-proof-positive-part",
            place,
            Bound(
                lambda a, b: max(a + b, 0),
                "<=",
                lambda a, b: max(a, 0) + b,
                Domain.product("b > 0", a=halves, b=[b for b in halves if b > 0]),
                proof=steps.positive_part,
            ),
            "If b > 0, then (a + b)^+ <= a^+ + b.",
        ),
    ]


def _departures(printed: bool) -> Iterator[str | None]:
    """D_[m,n](N) <= D_[m,n](N'), m = 1, where N' has later arrivals: some, or all from some place on."""
    for servers, jobs, times, later in _shifted():
        # times[0] is T_0, which only the printed formula refers to; jobs 1, 2, ... are fed
        here, there = (arrive(ts[1:], jobs[1:], servers) for ts in (times, later))
        for n in range(len(jobs) - 1):
            index = n if printed else 1 + n
            d, e = ([ts[index] + x for x in w[n]] for ts, w in ((times, here), (later, there)))
            where = f"T = {_shown(times)}, T' = {_shown(later)} from T_0 on, jobs {jobs[1:]}, s = {servers}"
            yield None if below(d, e) else f"n = {n}, {_shown(d)} > {_shown(e)}, {where}"


def _shifted() -> Iterator[tuple[int, list[Job], list[Fraction], list[Fraction]]]:
    yield 1, [Job(1, 1, 0), Job(1, 2, 0), Job(1, 1, 0)], [Fraction(0)] * 3, [Fraction(0), Fraction(0), Fraction(1)]
    for seed, (servers, jobs, times) in enumerate(_timed(80)):
        place = 1 + seed % (len(times) - 1)
        for later in (_later(times, jobs), [t + 2 * (k >= place) for k, t in enumerate(times)]):
            yield servers, jobs, times, later


def _shown(times: list[Fraction]) -> str:
    return "(" + ", ".join(str(t) for t in times) + ")"


def _chain() -> Iterator[str | None]:
    for servers, jobs, times in _timed():
        later = _later(times, jobs)
        here, there = arrive(times, jobs, servers), arrive(later, jobs, servers)
        for k, job in enumerate(jobs[:-1]):
            tau, tau1 = times[k + 1] - times[k], later[k + 1] - later[k]
            ahead, before = later[k + 1] - times[k + 1], later[k] - times[k]
            first = _moved(there[k], job, before - tau)
            second = _moved(there[k], job, ahead - tau1)
            third = [x + ahead for x in _moved(there[k], job, -tau1)]
            good = below(here[k + 1], first) and first == second and below(second, third)
            yield None if good and third == [x + ahead for x in there[k + 1]] else f"job {k} of {jobs}, s = {servers}"


def _moved(w: list[Fraction], job: Job, by: Fraction) -> list[Fraction]:
    """R(S(alpha, W) + sigma L(alpha) + by U)^+."""
    ones = leading(job.servers, len(w))
    raised = zip(synchronize(job.servers, w), ones, strict=True)
    return reorder(max(x + job.service * one + by, 0) for x, one in raised)
