"""Section 6: moments, waiting and system times, and the servers that are wasted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

import sympy as sp

from asymp.claim import Claim, Domain, Evidence, Identity, Outcome, Property, Step, Strength
from asymp.queues.recurrence import Job, Number, waiting, workloads
from asymp.sample.referee import History, play
from proofs.mjsre import samples
from proofs.mjsre.exact import Periodic, fixed_point, growth, random_periodic, spaced
from proofs.mjsre.inputs import arrivals, drawn
from proofs.mjsre.notation import claim, erratum

S = 4
COUNT = 9
RANDOM = Domain.product(f"s = {S}, {COUNT} jobs, the last of them job 0", seed=range(60))
"""Random inputs, exact; many of them have jobs that wait when job 0 arrives."""
PERIODIC = Domain.product("periodic inputs of 5 jobs at 10/11 of the threshold", servers=[2, 3, 5], seed=range(6))


def claims() -> list[Claim]:
    """The statements of section 6, in order."""
    return [*_moments(), *_job_observer(), *_busy_and_idle(), *_waste()]


# --- 6.1 -----------------------------------------------------------------------------------------


def _moments() -> list[Claim]:
    return [
        claim(
            "section-6.1-moments",
            "Section 6.1",
            Property(pollaczek_khinchine),
            "In the Poisson case, if sigma_0 has finite moments of order k + 1, then W^s has finite moments of order k.",
            note="Checked where everything is explicit: one server, k = 1, 2, 3.  There the moment of order k + 1 is also "
            "needed: it enters E[W^k] with a positive coefficient.",
        )
    ]


def pollaczek_khinchine(orders: Sequence[int] = (1, 2, 3), shift: int = 1) -> list[Evidence]:
    """E[W^k] of M/G/1 from the transform of Pollaczek and Khinchine, in the moments m_j of the service time.

    The moment of order ``k + shift`` is to enter with the coefficient lambda/((k + 1)(1 - rho)).
    """
    rate, z = sp.symbols("lambda z", positive=True)
    steps = []
    for k in orders:
        moments = sp.symbols(f"m1:{k + 2}", positive=True)
        # z - lambda (1 - beta(z)) = z (1 - rho - ...): divided by z before it is inverted
        series = sum((rate * (-z) ** j * m / sp.factorial(j + 1) for j, m in enumerate(moments)), sp.Integer(0))
        load = rate * moments[0]
        transform = (1 - load) / (1 - series)
        found = sp.factor(sp.series(transform, z, 0, k + 1).removeO().coeff(z, k) * (-1) ** k * sp.factorial(k))
        room = sp.Symbol("r", positive=True)  # 1 - rho
        highest = moments[k + shift - 1]
        slope = sp.factor(sp.diff(found, highest).subs(rate, (1 - room) / moments[0]))
        bottom = sp.fraction(sp.factor(found.subs(rate, (1 - room) / moments[0])))[1]
        if not bottom.subs(room, 1).is_positive or len(sp.Poly(bottom, room).terms()) != 1:
            return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"E[W^{k}] may be infinite below load 1")]
        if sp.simplify(slope - (1 - room) / (moments[0] * room * (k + 1))) != 0:
            detail = f"the coefficient of m_{k + shift} in E[W^{k}] is {slope}, r = 1 - rho"
            return [Evidence("symbolic", Outcome.REFUTED, Strength.CERTIFIED, detail)]
        steps.append(Step("Pollaczek and Khinchine", f"E[W^{{{k}}}] = {sp.latex(found)}"))
    detail = f"M/G/1, k = {', '.join(map(str, orders))}: E[W^k] is finite if m_(k+1) is, and contains lambda m_(k+1)/((k+1)(1-rho))"
    return [Evidence("symbolic", Outcome.HOLDS, Strength.CERTIFIED, detail, steps=tuple(steps))]


# --- 6.2 -----------------------------------------------------------------------------------------


def _job_observer() -> list[Claim]:
    return [
        claim(
            "section-6.2-waiting",
            "Section 6.2",
            Identity(
                lambda seed: tuple(_played(seed).waits),
                lambda seed: tuple(waiting(job.servers, w) for job, w in _seen(seed)),
                RANDOM,
            ),
            "The stationary waiting time, between the arrival of job 0 and the time all servers it asks for are available, is "
            "W^{alpha_0}.",
            note="For every job of the input, against the discipline played event by event.",
        ),
        claim(
            "section-6.2-system",
            "Section 6.2",
            Identity(
                lambda seed: tuple(
                    end - job.time for job, end in zip(_played(seed).jobs, _played(seed).completions, strict=True)
                ),
                lambda seed: tuple(waiting(job.servers, w) + job.service for job, w in _seen(seed)),
                RANDOM,
            ),
            "The stationary system time is r = W^{alpha_0} + sigma_0.",
        ),
    ]


@lru_cache(maxsize=128)
def _played(seed: int) -> History:
    """The input played event by event, each job taking the servers that have been free for longest.

    When jobs start does not depend on the servers they take, so that a first play tells the second.
    """
    jobs = arrivals(drawn(seed, S, COUNT))
    ends = iter(play(jobs, S).completions)
    free_since: dict[int, Number] = dict.fromkeys(range(S), Fraction(0))

    def longest(free: Sequence[int], count: int) -> Sequence[int]:
        taken = sorted(free, key=free_since.__getitem__)[:count]
        free_since.update(dict.fromkeys(taken, next(ends)))
        return taken

    return play(jobs, S, longest)


@lru_cache(maxsize=128)
def _seen(seed: int) -> list[tuple[Job, list[Number]]]:
    """Each job, and the workload of (2) that it finds."""
    jobs = drawn(seed, S, COUNT)
    return list(zip(jobs, workloads(jobs, S), strict=False))


# --- (9), (10), (11) ------------------------------------------------------------------------------

Spans = tuple[tuple[Number, Number], ...]
"""When a server is busy."""
Tail = tuple[Number, Spans]
"""When the load brought before job 0 ends at a server, and when the server is busy after that."""


def _joined(*spans: tuple[Number, Number]) -> Spans:
    found: list[tuple[Number, Number]] = []
    for begin, end in spans:
        if found and found[-1][1] == begin:
            begin = found.pop()[0]
        if begin < end:
            found.append((begin, end))
    return tuple(found)


def _timelines(used: bool, seed: int) -> tuple[Spans, ...]:
    """Busy intervals, from the arrival of job 0 on, of the servers that serve it (or of the others)."""
    history = _played(seed)
    return tuple(sorted(_busy(history, x, history.jobs[-1].time) for x in _servers(history, used)))


def _servers(history: History, used: bool) -> list[int]:
    return [x for x in range(S) if (x in history.allocations[-1]) == used]


def _busy(history: History, server: int, since: Number) -> Spans:
    now = history.jobs[-1].time
    return tuple((a - now, b - now) for a, b in history.busy(server, since, history.last_activity()))


def _printed(used: bool, seed: int) -> tuple[Spans, ...]:
    """The same, as (9) and (10) have it."""
    job, w = _seen(seed)[-1]
    zero, reached = Fraction(0), waiting(job.servers, w)
    own = ((reached, reached + job.service),) if used else ()
    return tuple(sorted(_joined((zero, x), *own) for x in _part(w, job, used)))


def _part(w: Sequence[Number], job: Job, used: bool) -> Sequence[Number]:
    return w[: job.servers] if used else w[job.servers :]


def _after(used: bool, seed: int) -> tuple[Tail, ...]:
    """Per server: when the load brought before job 0 ends, and the busy intervals after that.

    A server that is free while an earlier job waits is not there for job 0 before that job has started.
    """
    history = _played(seed)
    now, found = history.jobs[-1].time, []
    begun = max([now, *history.starts[:-1]])
    for server, end in enumerate(history.released(COUNT - 1)):
        if server in _servers(history, used):
            done = begun if end is None else max(begun, end)
            found.append((done - now, _busy(history, server, done)))
    return tuple(sorted(found))


def _after_corrected(used: bool, seed: int) -> tuple[Tail, ...]:
    job, w = _seen(seed)[-1]
    reached = waiting(job.servers, w)
    own = ((reached, reached + job.service),) if used else ()
    return tuple(sorted((x, _joined(*own)) for x in _part(w, job, used)))


def _busy_and_idle() -> list[Claim]:
    why = (
        "The workload W^i contains the time for which server i stands idle while an earlier job, that has not started at time "
        "0, waits for its servers."
    )
    found = []
    for number, used, who in ((9, True, "i <= alpha_0"), (10, False, "alpha_0 < i <= s")):
        printed = (
            "busy on [0, W^i], idle (due to HOL blocking) on [W^i, W^{alpha_0}], busy on [W^{alpha_0}, W^{alpha_0} + sigma_0], "
            "idle after"
            if used
            else "busy on [0, W^i], idle after"
        )
        found += erratum(
            f"equation-{number}",
            f"Equation ({number})",
            (
                Identity(_bind(_timelines, used), _bind(_printed, used), RANDOM),
                f"In the absence of further arrivals server i, {who}, is {printed}.",
            ),
            (
                Identity(_bind(_after, used), _bind(_after_corrected, used), RANDOM),
                f"Server i, {who}, has ended the load brought before job 0 at W^i; from then on it is "
                + printed.removeprefix("busy on [0, W^i], ")
                + ".",
            ),
            note=why,
        )
    found += erratum(
        "equation-11",
        "Equation (11)",
        (
            Identity(_idle, _equation_11, RANDOM),
            "The total server idle time in [0, tau] is the sum of W^{alpha_0} ^ tau - W^i ^ tau + tau - (W^{alpha_0} + "
            "sigma_0) ^ tau over i <= alpha_0 and of tau - W^i ^ tau over i > alpha_0.",
        ),
        (
            Identity(
                lambda seed: _played(seed).blocked(Fraction(0), _played(seed).last_activity()),
                lambda seed: sum((_gap(w, job.servers) for job, w in _seen(seed)), Fraction(0)),
                RANDOM,
            ),
            "The idle time due to HOL blocking by job n is the sum of W^{alpha_n} - W^i over i <= alpha_n, whenever it falls; over "
            "all jobs these add up to the whole of it.",
        ),
        note=why + "  tau is here the time from the last job but one to the last.",
    )
    return found


def _bind(
    function: Callable[[bool, int], tuple[Spans, ...] | tuple[Tail, ...]], used: bool
) -> Callable[[int], tuple[Spans, ...] | tuple[Tail, ...]]:
    return lambda seed: function(used, seed)


def _gap(w: Sequence[Number], need: int) -> Fraction:
    """The sum over i <= alpha of W^alpha - W^i."""
    return sum((Fraction(w[need - 1] - x) for x in w[:need]), Fraction(0))


def _idle(seed: int) -> Number:
    history = _played(seed)
    low, high = history.jobs[-2].time, history.jobs[-1].time
    return history.idle(low, high)


def _equation_11(seed: int) -> Fraction:
    job, w = _seen(seed)[-2]
    return printed_idle(w, job)


def printed_idle(w: Sequence[Number], job: Job) -> Fraction:
    """Equation (11)."""
    reached, gap = waiting(job.servers, w), job.gap
    end = min(reached + job.service, gap)
    first = (Fraction(min(reached, gap) - min(x, gap) + gap - end) for x in w[: job.servers])
    return sum(first, Fraction(0)) + sum((Fraction(gap - min(x, gap)) for x in w[job.servers :]), Fraction(0))


# --- (12), (13), Little ---------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _stationary(servers: int, seed: int) -> tuple[Periodic, int, list[list[Number]]]:
    """(a stable periodic input, periods until it repeats, the workloads that the jobs of a period find)."""
    system = random_periodic(100 + seed, servers, 5)
    system = spaced(system, growth(system) * Fraction(11, 10), "rising")
    found = fixed_point(system)
    if found is None:
        raise ArithmeticError("a stable input without a fixed point")
    return system, found[1], workloads(system.jobs(1), servers, found[0])[:-1]


@lru_cache(maxsize=64)
def _window(servers: int, seed: int) -> tuple[History, Fraction, Fraction]:
    """The input played event by event, and the second of the periods that repeat."""
    system, periods, _ = _stationary(servers, seed)
    low = (periods + 1) * system.duration
    return play(arrivals(system.jobs(periods + 3)), servers), low, low + system.duration


def wasted(servers: int, seed: int) -> Fraction:
    """The mean number of servers inactive, played event by event."""
    history, low, high = _window(servers, seed)
    return Fraction(history.idle(low, high)) / (high - low)


def wasted_by_blocking(servers: int, seed: int) -> Fraction:
    """The mean number of servers inactive while a job waits, played event by event."""
    history, low, high = _window(servers, seed)
    return Fraction(history.blocked(low, high)) / (high - low)


def _number(servers: int, seed: int) -> Fraction:
    """The mean number of jobs in the system over a period, played event by event."""
    history, low, high = _window(servers, seed)
    stays = (
        max(min(end, high) - max(job.time, low), Fraction(0))
        for job, end in zip(history.jobs, history.completions, strict=True)
    )
    return sum((Fraction(x) for x in stays), Fraction(0)) / (high - low)


def _per_time(value: Callable[[Sequence[Number], Job], Number]) -> Callable[[int, int], Fraction]:
    """lambda E^0[value(W, job)] over the jobs of a period."""

    def mean(servers: int, seed: int) -> Fraction:
        system, _, seen = _stationary(servers, seed)
        each = (Fraction(value(w, job)) for w, job in zip(seen, system.pattern, strict=True))
        return sum(each, Fraction(0)) / system.duration

    return mean


def printed_blocking(w: Sequence[Number], job: Job) -> Fraction:
    """The sum of equation (13)."""
    reached = min(waiting(job.servers, w), job.gap)
    return sum((Fraction(reached - min(x, job.gap)) for x in w[: job.servers]), Fraction(0))


def _waste() -> list[Claim]:
    cut = (
        "Idleness after the next arrival is never counted: from t_1 on the servers i <= alpha_0 count as loaded until "
    )
    cut += "W^{alpha_0} + sigma_0.  "
    return [
        *erratum(
            "equation-12",
            "Equation (12)",
            (
                Identity(wasted, _per_time(printed_idle), PERIODIC),
                "The mean number of servers inactive is lambda E_0 of the sum (11).",
            ),
            (
                Identity(
                    wasted,
                    lambda servers, seed: servers - _per_time(lambda w, job: job.servers * job.service)(servers, seed),
                    PERIODIC,
                ),
                "The mean number of servers inactive is w = s - lambda E[alpha_0 sigma_0].",
            ),
            note=cut
            + "The parenthesis of tau - (W^{alpha_0} + sigma_0) ^ tau is also misplaced in print; it is read as in (11).",
            sampled=samples.printed_waste,
        ),
        *erratum(
            "equation-13",
            "Equation (13)",
            (
                Identity(wasted_by_blocking, _per_time(printed_blocking), PERIODIC),
                "The mean number of servers inactive due to HOL blocking is lambda E_0 sum over i <= alpha_0 of "
                "W^{alpha_0} ^ tau - W^i ^ tau.",
            ),
            (
                Identity(wasted_by_blocking, _per_time(lambda w, job: _gap(w, job.servers)), PERIODIC),
                "The mean number of servers inactive due to HOL blocking is lambda E_0 sum over i <= alpha_0 of W^{alpha_0} - W^i.",
            ),
            note=cut + "The authors' program does not cut at tau.",
            sampled=samples.printed_blocking,
            corrected_sampled=samples.corrected_blocking,
        ),
        claim(
            "section-6.3-little",
            "Section 6.3",
            Identity(_number, _per_time(lambda w, job: waiting(job.servers, w) + job.service), PERIODIC),
            "The mean number of jobs in the system is the mean of r under the Palm distribution of the arrivals, multiplied by "
            "lambda.",
            sampled=samples.little,
        ),
    ]
