"""Algorithms 1 and 2, run as printed and corrected (:mod:`asymp.queues.pseudocode`), and what is said of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from asymp.claim import Claim, Property
from asymp.queues.pseudocode import (
    Undefined,
    algorithm_1,
    algorithm_1_printed,
    algorithm_2,
    algorithm_2_printed,
    all_larger,
    some_larger,
)
from asymp.queues.recurrence import Job, Vector, loynes, pile, workloads
from proofs.mjsre import coupling
from proofs.mjsre.exact import Periodic, growth
from proofs.mjsre.inputs import HALF, below, drawn
from proofs.mjsre.notation import beyond, claim, erratum
from proofs.mjsre.stationary import INPUTS, Input, returned
from proofs.mjsre.trying import exists, tried

WHERE = "40 drawn periodic pasts (9 jobs a period, 1 to 5 servers, 40/41 of the threshold), l = 1, 2, 3"
PILES = "40 drawn periodic inputs (1 to 4 jobs a period, 1 to 4 servers)"
REPAIRED = "Read with lines 11, 17 and 18 corrected as above."


def claims() -> list[Claim]:
    """The statements on the two algorithms, in order."""
    return [*_algorithm_1(), *_observations(), *coupling.claims(), *_algorithm_2()]


# --- pasts that repeat --------------------------------------------------------------------------------


class Past(NamedTuple):
    """A stable periodic past: xi_{-1}, xi_{-2}, ..., its limit M_oo, and the first n with M_n = M_oo."""

    servers: int
    period: tuple[Job, ...]
    limit: Vector
    enough: int

    def sample(self, n: int) -> Job:
        """Job -n, n >= 1."""
        if n < 1:
            raise LookupError(f"job {-n} is not of the past")
        return self.period[(n - 1) % len(self.period)]

    def until(self, length: int) -> list[Vector]:
        """M_0, ..., M_length."""
        return loynes([self.sample(n) for n in range(1, length + 1)], self.servers)


@cache
def _pasts(count: int = 40, length: int = 9) -> tuple[Past, ...]:
    """Drawn pasts, at 40/41 of the rate at which their pile would grow.

    M_n does not decrease, so that a period that leaves M_{kp} as it is leaves it so for ever: that is M_oo, exactly.
    """
    pasts = []
    for seed in range(count):
        servers = 1 + seed % 5
        jobs = [job._replace(service=job.service + HALF) for job in drawn(500 + seed, servers, length, 3, 4)]
        mean_gap = sum(job.gap for job in jobs) / Fraction(length)
        slack = Fraction(41, 40) * growth(Periodic(servers, tuple(reversed(jobs)))) / mean_gap
        period = tuple(job._replace(gap=job.gap * slack) for job in jobs)
        limit, periods = [Fraction(0)] * servers, 0
        while (after := workloads(reversed(period), servers, limit)[-1]) != limit:
            limit, periods = after, periods + 1
        chain = Past(servers, period, limit, 0).until(periods * length)
        pasts.append(Past(servers, period, limit, next(n for n, m in enumerate(chain) if m == limit)))
    return tuple(pasts)


def _starts() -> Iterator[tuple[Past, int]]:
    """Every past with every first l."""
    return itertools.product(_pasts(), (1, 2, 3))


# --- Algorithm 1 --------------------------------------------------------------------------------------


def _algorithm_1() -> list[Claim]:
    return [
        *erratum(
            "algorithm-1-doubling",
            "Algorithm 1",
            (
                Property(tried(WHERE, lambda: itertools.starmap(_doubled_printed, _starts()))),
                "If the two maxima (of the sequences from -l and from -2l) are the same, the algorithm has converged; otherwise "
                "it doubles l and repeats, each pass sampling the jobs that those before have not sampled.",
            ),
            (
                Property(tried(WHERE, lambda: itertools.starmap(_doubled, _starts()))),
                "With l_prev <- l before l <- 2 l in lines 17 and 18 (and line 11 ending at 1), each pass samples the jobs that "
                "it needs and that those before have not sampled; the run ends at the first of l, 2 l, 4 l, ... at which "
                "M_l = M_2l, which it returns.",
            ),
            note="Line 17 doubles l and line 18 then copies the doubled one to l_prev: line 6 of the second pass runs from 2 l + 1 "
            "to 2 l and samples nothing, while line 12 uses jobs l + 1 to 2 l.  (Job 0, which line 11 reaches too, is "
            "left out here: it has a claim of its own.)",
        ),
        beyond(
            "algorithm-1-second-pass",
            "Algorithm 1",
            Property(tried(WHERE, lambda: itertools.starmap(_never_doubled, _starts()))),
            "As printed, with jobs that were never sampled left out, Algorithm 1 ends with its second pass and returns M_l for "
            "the l that it was given, whatever the load.",
        ),
        claim(
            "algorithm-1-comparison",
            "Algorithm 1",
            Property(tried(WHERE, lambda: (_compared(*case, False) for case in _starts()))),
            "If the two maxima are the same, we consider that the algorithm has converged; otherwise the iteration is repeated: "
            "line 15, M* > M^max.",
            note="Read with > for: nowhere smaller and somewhere larger.  " + REPAIRED,
        ),
        beyond(
            "algorithm-1-comparison-strict",
            "Algorithm 1",
            exists(WHERE, lambda: (_compared(*case, True) for case in _starts())),
            "With > of every coordinate in line 15, a run can end though the two maxima differ: one coordinate is the same while "
            "others still grow.",
            note="The paper orders vectors coordinatewise and does not say which > is meant.  " + REPAIRED,
        ),
    ]


def _doubled_printed(past: Past, ell: int) -> str | None:
    def never(j: int) -> Job | None:
        if j:
            raise Undefined(12, f"(alpha, sigma, tau) of job {-j}, in the second pass,")
        return None

    try:
        algorithm_1_printed(ell, past.sample, past.servers, never)
    except Undefined as error:
        return f"l = {ell}: {error}"
    return None


def _doubled(past: Past, ell: int) -> str | None:
    run = algorithm_1(ell, past.sample, past.servers)
    doubled = tuple(ell * 2**k for k in range(len(run.lengths)))
    chain = past.until(doubled[-1])
    asked = list(itertools.chain.from_iterable(run.sampled))
    equal = [chain[l] == chain[2 * l] for l in doubled[:-1]]
    good = run.lengths == doubled and asked == list(range(1, doubled[-1] + 1)) and equal.index(True) == len(equal) - 1
    return None if good and run.returned == chain[doubled[-1]] else f"l = {ell}: {run}"


def _never_doubled(past: Past, ell: int) -> str | None:
    run = algorithm_1_printed(ell, past.sample, past.servers, lambda j: None)
    good = run.returned == past.until(ell)[-1] and run.lengths == (ell, 2 * ell)
    return None if good else f"l = {ell}: {run}"


def _compared(past: Past, ell: int, every: bool) -> str | None:
    """The printed lines with every job of the past at hand; ``every``: > in every coordinate."""
    read, greater = (lambda j: past.sample(j) if j else None), all_larger if every else some_larger
    run = algorithm_1_printed(ell, past.sample, past.servers, read, greater)
    before, last = run.lengths[-2:]
    chain = past.until(last)
    if chain[before] == chain[last]:
        return None
    return f"it ends at M_{before} = {_plain(chain[before])}, M_{last} = {_plain(chain[last])}"


def _plain(w: Sequence[object]) -> str:
    return "(" + ", ".join(str(x) for x in w) + ")"


# --- what is observed on it ---------------------------------------------------------------------------


def _observations() -> list[Claim]:
    place = "Algorithm 1"
    return [
        *erratum(
            "algorithm-1-observation-1",
            place,
            (
                Property(tried(f"{WHERE}, job 0 = (1, 1, 0)", lambda: (_generated(*case, True) for case in _starts()))),
                "(1) M is the workload generated by the sequence that begins with job -l and terminates at the arrival of (but "
                "excluding) job 0, accounting for the services from sigma_{-l} to sigma_{-1}.",
            ),
            (
                Property(tried(WHERE, lambda: (_generated(*case, False) for case in _starts()))),
                "(1) holds if line 11 ends at j = 1.",
            ),
            note="Line 11 runs down to 0, and line 12 then applies job 0, which lines 6 to 9 never sample.  Where it is given, M "
            "is the workload that job 1 finds.",
        ),
        claim(
            "algorithm-1-observation-2",
            place,
            Property(tried(WHERE, lambda: itertools.starmap(_largest, _starts()))),
            "(2) M^max is the maximum workload observed at any step.",
            note=f"{REPAIRED}  The maximum over the passes, in every coordinate.",
        ),
        claim(
            "algorithm-1-observation-3a",
            place,
            Property(tried(WHERE, lambda: itertools.starmap(_terminates, _starts()))),
            "(3a) If the MJSRE is stable, Algorithm 1 terminates almost surely.",
            note=f"{REPAIRED}  It ends with the pass after the first l 2^k at which M_n = M_oo, or before.  That there is one, "
            "which the paper gives as the reason, is a claim of its own.",
        ),
        claim(
            "algorithm-1-observation-3b",
            place,
            Property(tried(WHERE, lambda: itertools.starmap(_lower_bound, _starts()))),
            "(3b) M^max is a lower bound to a perfect sample of the system workload.",
            note=f"{REPAIRED}  At every pass, against the limit M_oo, which is known for a periodic past.",
        ),
        claim(
            "algorithm-1-observation-3c",
            place,
            Property(tried(WHERE.replace("l = 1, 2, 3", "l = N, N + 1, 2 N + 1"), _reaches)),
            "(3c) M^max tends to the perfect sample M_oo as l -> oo.",
            note=f"{REPAIRED}  From l = N on it is M_oo.",
        ),
        beyond(
            "algorithm-1-bias",
            place,
            exists("three finite chains", lambda: map(_bias, reversed(INPUTS))),
            "Algorithm 1 (corrected) can end before it has reached the perfect sample: M_l = M_2l with M_l < M_oo has a "
            "positive probability, which depends on the first l.",
            note="Exact: what job -2l finds is independent of the jobs after it, and has the stationary law.",
        ),
    ]


def _generated(past: Past, ell: int, printed: bool) -> str | None:
    until = past.until(ell)[-1]
    if not printed:
        run = algorithm_1(ell, past.sample, past.servers)
        return None if run.found[0] == until else f"l = {ell}: {run}"
    run = algorithm_1_printed(ell, past.sample, past.servers, lambda j: None if j else Job(1, 1, 0), most=1)
    if run.found[0] == until:
        return None
    return f"l = {ell}, job 0 = (1, 1, 0): M = {_plain(run.found[0])}, and {_plain(until)} at the arrival of job 0"


def _largest(past: Past, ell: int) -> str | None:
    run = algorithm_1(ell, past.sample, past.servers)
    largest = [max(w[i] for w in run.found) for i in range(past.servers)]
    return None if run.returned == largest else f"l = {ell}: {run}"


def _terminates(past: Past, ell: int) -> str | None:
    run = algorithm_1(ell, past.sample, past.servers)
    late = 2 * next(ell * 2**k for k in range(20) if ell * 2**k >= past.enough)
    good = run.returned is not None and run.lengths[-1] <= late
    return None if good else f"l = {ell}, N = {past.enough}: {run.lengths}"


def _lower_bound(past: Past, ell: int) -> str | None:
    run = algorithm_1(ell, past.sample, past.servers)
    return None if all(below(w, past.limit) for w in run.found) else f"l = {ell}: {run.found} above {past.limit}"


def _reaches() -> Iterator[str | None]:
    for past in _pasts():
        for ell in (max(past.enough, 1), past.enough + 1, 2 * past.enough + 1):
            run = algorithm_1(ell, past.sample, past.servers)
            yield (
                None
                if run.returned == past.limit
                else f"l = {ell}, N = {past.enough}: {run.returned}, not {past.limit}"
            )


def _bias(source: Input) -> str | None:
    """P(Algorithm 1 ends, and not with M_oo), exactly, from l = 1, 2, 4 on."""
    wrong = [returned(source, ell).wrong for ell in (1, 2, 4)]
    kinds = "; ".join(f"({j.servers}, {j.service}, {j.gap}) with probability {q}" for q, j in source.jobs)
    shown = ", ".join(f"{float(p):.2g}" for p in wrong)
    said = f"s = {source.servers}, (alpha, sigma, tau) = {kinds}: not M_oo with probability {shown} from l = 1, 2, 4 (exactly {wrong[0]} "
    return f"{said}from 1)" if min(wrong) > 0 else None


# --- Algorithm 2 --------------------------------------------------------------------------------------

TOLERANCES = (Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**6))


def _algorithm_2() -> list[Claim]:
    return [
        *erratum(
            "algorithm-2",
            "Algorithm 2",
            (
                Property(tried(f"{PILES}, l = 5, eps = 1/10, 1/1000, 1/10^6, l_cur read as l", _rate_printed)),
                "Algorithm 2 evaluates the limit of Equation (6): as eps decreases, gamma_cur comes nearer to gamma.",
            ),
            (
                Property(tried(f"{PILES}, l = 128, eps = 1/10, 1/1000", _rate)),
                "With l doubled at the end of each pass (and l_cur = l in line 14), gamma_cur at the last l is within s "
                "max(sigma)/l of gamma.",
            ),
            note="l never changes.  The second pass samples nothing, the two estimates are equal, and every eps (below the first "
            "estimate) gets the answer of the first l jobs.  Section 7.5 describes a doubling scheme.",
            corrected_note="The bound is for the periodic inputs tried, whose gamma is known exactly.",
        ),
        *erratum(
            "algorithm-2-current",
            "Algorithm 2",
            (
                Property(tried(f"{PILES}, l = 5", lambda: _defined(False))),
                "Each line of Algorithm 2 uses what an earlier line has set: line 14, gamma_cur <- M^s/l_cur.",
            ),
            (
                Property(tried(f"{PILES}, l = 5", lambda: _defined(True))),
                "With l for l_cur each line of Algorithm 2 uses what an earlier line has set, and gamma_cur = |H_l|/l.",
            ),
        ),
        beyond(
            "algorithm-2-tolerance",
            "Algorithm 2",
            exists("s = 2, 3, 4 servers, unit jobs, l = 4 .. 9", _coincidences),
            "The tolerance of Algorithm 2 (corrected) bounds no error: two piles can have the same slope by coincidence, and the run "
            "then ends with a wrong threshold, whatever eps.",
        ),
    ]


class Stream(NamedTuple):
    """Periodic jobs, with gamma, which is that of the periodic pile."""

    servers: int
    period: tuple[Job, ...]
    rate: Fraction

    def sample(self, n: int) -> Job:
        """Job n, n >= 1."""
        return self.period[(n - 1) % len(self.period)]


@cache
def _streams() -> tuple[Stream, ...]:
    streams = []
    for seed in range(40):
        servers, length = 1 + seed % 4, 1 + seed // 4 % 4
        period = tuple(job._replace(service=job.service + 1) for job in drawn(900 + seed, servers, length, 3))
        streams.append(Stream(servers, period, growth(Periodic(servers, period))))
    return tuple(streams)


def _rate_printed() -> Iterator[str | None]:
    for stream in _streams():
        runs = [algorithm_2_printed(5, eps, stream.sample, stream.servers, True) for eps in TOLERANCES]
        errors = [abs(1 / answer - stream.rate) for answer, _ in runs]
        nearer = errors[0] == 0 or errors[-1] < errors[0]
        answer, passes = runs[0][0], len(runs[-1][1].lengths)
        said = f"1/gamma_cur = {answer} for eps = 1/10 and 1/10^6, after {passes} passes; the threshold is {1 / stream.rate}"
        yield None if nearer else said


def _rate() -> Iterator[str | None]:
    for stream in _streams():
        for eps in TOLERANCES[:2]:
            answer, run = algorithm_2(128, eps, stream.sample, stream.servers, most=4)
            most = stream.servers * max(job.service for job in stream.period) / Fraction(run.lengths[-1])
            good = abs(1 / answer - stream.rate) <= most
            yield (
                None if good else f"eps = {eps}: {answer} at l = {run.lengths[-1]}, the threshold is {1 / stream.rate}"
            )


def _defined(read: bool) -> Iterator[str | None]:
    for stream in _streams():
        try:
            answer, _ = algorithm_2_printed(5, TOLERANCES[0], stream.sample, stream.servers, read)
        except Undefined as error:
            yield str(error)
        else:
            slope = pile([stream.sample(n) for n in range(1, 6)], stream.servers)[-1][-1] / Fraction(5)
            yield None if answer == 1 / slope else f"{answer}, not {1 / slope}"


def _coincidences() -> Iterator[str | None]:
    for servers, ell in itertools.product((2, 3, 4), range(4, 10)):
        answer, run = algorithm_2(ell, 0, lambda n: Job(1, Fraction(1), 0), servers, most=6)
        if len(run.lengths) < 6 and answer != servers:
            lengths = ", ".join(str(l) for l in run.lengths)
            yield f"s = {servers}, unit jobs: l = {lengths} ends with {answer}, difference 0; the threshold is {servers}"
