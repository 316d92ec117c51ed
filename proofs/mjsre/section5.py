"""Section 5: stability is a threshold on the arrival rate, the reciprocal of the growth rate of a pile."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from asymp.claim import Bound, Claim, Domain, Evidence, Identity, Outcome, Property
from asymp.queues.open_queue import OpenQueue
from asymp.queues.recurrence import Job, Number, pile, workloads
from asymp.queues.rules import JobClass, Rules
from asymp.queues.saturated import one_and_n, saturated
from proofs.mjsre import samples
from proofs.mjsre.exact import Lattice, Periodic, fixed_point, growth, random_periodic, spaced
from proofs.mjsre.inputs import drawn
from proofs.mjsre.notation import certified, claim, erratum, trend

SHAPES = ("even", "batch", "rising")
SLACK = Fraction(1, 50)
"""How far on either side of the threshold the periodic inputs are tried."""


def claims() -> list[Claim]:
    """The statements of section 5, in order."""
    return [*_theorem(), *_global_jobs(), *_remark()]


# --- Theorem 5.1 ---------------------------------------------------------------------------------


def _theorem() -> list[Claim]:
    place = "Theorem 5.1"
    return [
        *erratum(
            "theorem-5.1",
            place,
            (
                Property(lambda: threshold(at=Fraction(1))),
                "The stability condition, under which W_n converges weakly to a finite limit, is lambda < lambda_c.",
            ),
            (
                Property(threshold),
                "W_n converges weakly to a finite limit if lambda < lambda_c, and W_n^s -> oo a.s. if lambda > lambda_c.",
            ),
            note="Read as necessary and sufficient; on either side of lambda_c it is right.  At lambda_c a limit can exist: with sigma = tau = 1 for all jobs on one server, lambda = lambda_c and "
            "W_n = 0 for all n.  The saturation rule says nothing of lambda = lambda_c.",
            corrected_note="Exact for periodic inputs; sampled for the exponential workload of Table 2.",
            corrected_sampled=samples.threshold_of_table_2,
        ),
        claim(
            "equation-5",
            "Equation (5)",
            Identity(_capacity, saturated_rate, EXPONENTIAL),
            "lambda_c = 1/gamma.",
            note="With Poisson arrivals and exponential services: the rate at which the open queue, a quasi-birth-and-death "
            "process, has drift 0, against the throughput 1/gamma of the saturated system.",
        ),
        claim(
            "equation-6",
            "Equation (6)",
            Property(limit_exists),
            "gamma = lim |H_n|_oo / n exists a.s.",
            note="For i.i.d. jobs with integer service times the pile seen from its lowest server is a finite Markov chain, so "
            "that the limit exists by the ergodic theorem; E|H_n| - n gamma is seen to stay bounded and nonnegative.",
        ),
        claim(
            "theorem-5.1-proof-subadditive",
            place,
            Bound(
                lambda seed, m: _height(drawn(seed, 4, 12)),
                "<=",
                lambda seed, m: _height(drawn(seed, 4, 12)[:m]) + _height(drawn(seed, 4, 12)[m:]),
                Domain.product("jobs 0 .. m + n", seed=range(60), m=[1, 4, 6, 11]),
            ),
            "Proof of Theorem 5.1: the sub-additive ergodic theorem applies, |H_{m+n}| <= |H_m| + |H_n o theta^m|.",
        ),
        claim(
            "equation-7",
            "Equation (7)",
            Identity(
                lambda seed: pile(drawn(seed, 4, 14), 4),
                lambda seed: workloads([job._replace(gap=0) for job in drawn(seed, 4, 14)], 4),
                Domain.product("s = 4", seed=range(40)),
            ),
            "H_{n+1} = R(S(alpha_n, H_n) + sigma_n L(alpha_n)) is the workload (2) when tau_k = 0 for all k.",
        ),
    ]


def _height(jobs: Sequence[Job], servers: int = 4) -> Number:
    """|H_n| of the pile of the jobs."""
    return pile(jobs, servers)[-1][-1]


def threshold(at: Fraction | None = None) -> list[Evidence]:
    """Periodic inputs below and above 1/gamma, or at ``at`` times 1/gamma where it is said to be unstable.

    Below, the workload reaches a fixed point.  Above, W_n >= H_n - T_n componentwise at the top, which grows.
    """
    if at is not None:
        one = Periodic(1, (Job(1, Fraction(1), Fraction(1)),))
        gap = growth(one) / at
        if fixed_point(spaced(one, gap)) is not None:
            detail = f"one server, sigma = tau = 1: lambda = {1 / gap} = lambda_c, and the workload is 0 for ever"
            return certified(Outcome.REFUTED, detail)
        return certified(Outcome.UNDECIDED, "no fixed point at the threshold for sigma = tau = 1")
    for seed, servers in itertools.product(range(12), (2, 3, 5)):
        jobs = random_periodic(seed, servers, 6)
        gamma = growth(jobs)
        for shape in SHAPES:
            wrong = _wrong_side(jobs, gamma, shape)
            if wrong:
                return certified(Outcome.REFUTED, wrong)
    detail = (
        f"36 periodic inputs, three spacings: a finite limit at gaps gamma (1 + {SLACK}), none at gamma (1 - {SLACK})"
    )
    return certified(Outcome.HOLDS, detail)


def _wrong_side(jobs: Periodic, gamma: Fraction, shape: str) -> str:
    """What contradicts the threshold 1/gamma, or nothing."""
    if fixed_point(spaced(jobs, gamma * (1 + SLACK), shape)) is None:
        return f"no limit below the threshold 1/{gamma}, gaps {shape}: {jobs}"
    above = spaced(jobs, gamma * (1 - SLACK), shape)
    near, far = (workloads(above.jobs(k), above.servers)[-1][-1] for k in (40, 80))
    if not far - near >= 40 * len(jobs.pattern) * gamma * SLACK / 2:
        return f"the workload does not grow above the threshold 1/{gamma}, gaps {shape}: {jobs}"
    return ""


_F = Fraction
SYSTEMS: tuple[tuple[int, tuple[tuple[int, Fraction, Fraction], ...]], ...] = (
    (2, ((1, _F(1, 2), _F(1)), (2, _F(1, 2), _F(1)))),
    (3, ((1, _F(1, 3), _F(2)), (2, _F(2, 3), _F(1)))),
    (3, ((1, _F(1, 2), _F(1)), (2, _F(1, 3), _F(2)), (3, _F(1, 6), _F(3)))),
    (4, ((2, _F(3, 5), _F(1)), (3, _F(2, 5), _F(5, 2)))),
    (3, ((1, _F(1), _F(7, 4)),)),
)
"""Servers, and (need, probability, service rate) of each class."""
EXPONENTIAL = Domain.product("exponential services, Poisson arrivals; five systems of 2 to 4 servers", system=range(5))


@lru_cache(maxsize=16)
def _rules(system: int) -> Rules:
    servers, classes = SYSTEMS[system]
    return Rules(servers, tuple(JobClass(need, rate, probability) for need, probability, rate in classes))


@lru_cache(maxsize=16)
def _capacity(system: int) -> Fraction:
    return OpenQueue(_rules(system), Fraction(1)).capacity


@lru_cache(maxsize=16)
def saturated_rate(system: int) -> Fraction:
    """The throughput of the saturated system, exactly."""
    rules = _rules(system)
    return saturated(rules.servers, rules.classes).throughput


LATTICES: tuple[tuple[int, list[tuple[Fraction, int, list[tuple[int, Fraction]]]]], ...] = (
    (2, [(_F(1, 2), 1, [(1, _F(1, 2)), (3, _F(1, 2))]), (_F(1, 2), 2, [(1, _F(1))])]),
    (3, [(_F(1, 3), 1, [(1, _F(1, 4)), (2, _F(3, 4))]), (_F(2, 3), 2, [(1, _F(1, 2)), (4, _F(1, 2))])]),
    (4, [(_F(1, 2), 1, [(2, _F(1))]), (_F(1, 4), 2, [(1, _F(1, 2)), (3, _F(1, 2))]), (_F(1, 4), 4, [(1, _F(1))])]),
)


def limit_exists(factor: Fraction = Fraction(1)) -> list[Evidence]:
    """0 <= E|H_n| - n gamma <= the tallest shape, for n up to 60, in three finite chains; ``factor`` misstates gamma."""
    for servers, classes in LATTICES:
        chain = Lattice(servers, classes)
        gamma, tallest = chain.growth * factor, max(chain.heights)
        for n, mean in enumerate(chain.mean_heights(60)):
            if not 0 <= mean - n * gamma <= tallest:
                return certified(
                    Outcome.REFUTED, f"E|H_{n}| - {n} gamma = {float(mean - n * gamma):.4g}, s = {servers}"
                )
    return trend("0 <= E|H_n| - n gamma <= the tallest shape, n <= 60, in 3 finite chains, exactly")


# --- jobs that need all servers ---------------------------------------------------------------------


def _global_jobs() -> list[Claim]:
    return [
        claim(
            "equation-8",
            "Equation (8)",
            Identity(
                lambda n, p, mu1, mun: 1 / one_and_n(n, p, mu1, mun).throughput,
                _cycle,
                Domain.product(
                    "n >= 1 servers, 0 < p_g < 1",
                    n=[1, 2, 3, 4, 6],
                    p=[_F(1, 2), _F(1, 10), _F(6, 7)],
                    mu1=[1, _F(5, 2)],
                    mun=[1, _F(1, 3)],
                ),
            ),
            "Where some jobs require all servers, with frequency p_g: gamma = p_g E[H^g_eta].",
            note="Jobs of the cycle are counted from 1, the first of them global.  1-and-n jobs with exponential services: the "
            "saturated chain against the mean height of a cycle, which is explicit (k small jobs take H_k/mu1 if k <= n, "
            "(k - n)/(n mu1) + H_n/mu1 otherwise).",
        ),
        claim(
            "equation-8-deterministic",
            "Equation (8)",
            Identity(
                lambda n, p, small, large: Lattice(n, [(1 - p, 1, [(small, _F(1))]), (p, n, [(large, _F(1))])]).growth,
                lambda n, p, small, large: p * (large + small * _mean_rows(n, p)),
                Domain.product("n >= 1", n=[2, 3, 5], p=[_F(1, 2), _F(1, 10)], small=[1, 3], large=[1, 4]),
            ),
            "In the case of deterministic service times of small jobs, Equation (8) is explicit: gamma = "
            "p_g (sigma_g + sigma_1 E[ceil(K/s)]), K geometric.",
            note="The paper refers to another for this case; the right side is written here.  The left side is the pile of i.i.d. "
            "jobs, solved as a finite chain.",
        ),
        *erratum(
            "section-5-eta",
            "Section 5",
            (
                Identity(
                    lambda p, n: _eta(p, n),
                    lambda p, n: p * (1 - p) ** (n - 1),
                    Domain.product("n >= 1", p=[_F(1, 3)], n=range(1, 8)),
                ),
                "The distribution of eta, the smallest n > 1 such that job n is of type g, is geometric of parameter p_g.",
            ),
            (
                Identity(
                    lambda p, n: _eta(p, n + 1),
                    lambda p, n: p * (1 - p) ** (n - 1),
                    Domain.product("n >= 1", p=[_F(1, 3), _F(1, 2), _F(5, 6)], n=range(1, 8)),
                ),
                "The distribution of eta - 1, the number of jobs of a cycle, is geometric of parameter p_g on 1, 2, ....",
            ),
            note="eta is at least 2.  It matters to (8) only through how jobs are counted: p_g E[number of jobs of a cycle] = 1.",
        ),
    ]


def _eta(p: Fraction, n: int) -> Fraction:
    """P(eta = n): jobs 2 .. n - 1 are not global, job n is (job 1 is global)."""
    total = Fraction(0)
    for rest in itertools.product((True, False), repeat=max(n - 1, 0)):
        smallest = next((job for job, is_global in enumerate(rest, start=2) if is_global), None)
        if smallest == n:
            weight = Fraction(1)
            for is_global in rest:
                weight *= p if is_global else 1 - p
            total += weight
    return total


def _cycle(n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    """p_g E[H^g_eta] for exponential services, summed exactly."""
    q, harmonic, total = 1 - p, Fraction(0), 1 / Fraction(mun)
    for k in range(n):
        harmonic += Fraction(1, k) if k else 0
        total += p * q**k * harmonic / mu1
    # from k = n on: sum of p q^k ((k - n)/n + H_n)/mu1 = q^n (q/(n p) + H_n)/mu1
    harmonic += Fraction(1, n)
    return p * (total + q**n * (q / (n * p) + harmonic) / mu1)


def _mean_rows(c: int, p: Fraction) -> Fraction:
    """E[ceil(K/c)] for P(K = k) = p (1-p)^k: sum over j >= 0 of P(K > j c)."""
    q = 1 - p
    return q / (1 - q**c)


# --- Remark 4 ----------------------------------------------------------------------------------------


def _remark() -> list[Claim]:
    return [
        claim(
            "remark-4-insensitive",
            "Remark 4",
            Property(insensitive(SHAPES)),
            "The stability region is insensitive to the distribution of inter-arrival times.",
            note="Exact for periodic inputs: equal gaps, batches, and rising gaps of the same mean.  Sampled for the "
            "exponential workload of Table 2 with four interarrival laws.",
            sampled=samples.insensitive_of_table_2,
        ),
    ]


def insensitive(shapes: tuple[str, ...]) -> Callable[[], list[Evidence]]:
    """A test that gaps of one mean and any shape are on the same side of the threshold."""

    def test() -> list[Evidence]:
        for seed, servers in itertools.product(range(8), (2, 4)):
            jobs = random_periodic(seed, servers, 6)
            gamma = growth(jobs)
            for gap in (gamma * (1 + SLACK), gamma * (1 - SLACK)):
                stable = {shape: fixed_point(spaced(jobs, gap, shape), 200) is not None for shape in shapes}
                if len(set(stable.values())) > 1:
                    return certified(Outcome.REFUTED, f"at the mean gap {gap} stable is {stable}: {jobs}")
                if set(stable.values()) != {gap > gamma}:
                    return certified(
                        Outcome.REFUTED, f"at the mean gap {gap}, gamma = {gamma}: stable is {stable}: {jobs}"
                    )
        return certified(Outcome.HOLDS, f"16 periodic inputs, gaps {', '.join(shapes)}, 2% on either side")

    return test


def ideal_rate(system: int) -> Fraction:
    """lambda_ideal of a system, exactly."""
    servers, classes = SYSTEMS[system]
    return servers / sum((need * prob / rate for need, prob, rate in classes), Fraction(0))
