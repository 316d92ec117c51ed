"""Sections 1 and 3: the queues of before; Lindley's equation and Loynes' theorem, the case of one server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import sympy as sp

from asymp.claim import Bound, Claim, Domain, Evidence, Identity, Outcome, Property, Step, Strength
from asymp.queues.recurrence import Job, Number, step
from asymp.queues.rules import JobClass
from asymp.queues.saturated import saturated
from asymp.sample.referee import play
from proofs.mjsre.exact import fixed_point, random_periodic, spaced
from proofs.mjsre.inputs import arrivals, drawn
from proofs.mjsre.notation import certified, claim

SEEDS = Domain.product("one server, any arrivals and services", seed=range(40))
"""Random inputs: 12 jobs, services and gaps halves of integers."""


def claims() -> list[Claim]:
    """The statements of sections 1 and 3, in order."""
    return [
        claim(
            "section-1-traditional",
            "Section 1",
            Identity(
                lambda s, mu: saturated(s, [JobClass(1, mu, Fraction(1))]).throughput / mu / s,
                lambda s, mu: Fraction(1),
                Domain.product("jobs that need one server", s=[1, 2, 5, 9], mu=[Fraction(1), Fraction(2, 7)]),
            ),
            "Where tasks differ only in their resource holding times, utilization approaches 100% as the workload increases.",
        ),
        claim(
            "section-3.1-lindley",
            "Section 3.1",
            Identity(_lindley, _waits, SEEDS),
            "The workload of a G/G/1 queue at the arrival of job n satisfies W_{n+1} = (W_n + sigma_n - tau_n)^+.",
            note="Against the queue played event by event, exactly.",
        ),
        claim(
            "section-3.2-increasing",
            "Section 3.2",
            Bound(
                _loynes,
                "<=",
                lambda seed, n: _loynes(seed, n + 1),
                Domain.product("one server, n >= 0", seed=range(20), n=range(12)),
                proof=_increasing,
            ),
            "Coupling from the past starting from an empty state at time -n leads to a state at time 0 that increases with n.",
            note="Increases is read as: does not decrease.",
        ),
        claim(
            "section-3.2-dichotomy",
            "Section 3.2",
            Property(dichotomy()),
            "The limit is infinite a.s. if the load factor is higher than 1, and a.s. finite if it is less than 1.",
            note="Tried on periodic inputs (stationary and ergodic once the phase is drawn at random), for which the limit "
            "can be computed exactly.",
        ),
        claim(
            "section-3.2-perfect-sample",
            "Section 3.2",
            Property(perfect_sample),
            "In the stable case the limit is a perfect sample of the steady-state workload distribution.",
            note="Where sigma - tau is 1 with probability p < 1/2 and -1 otherwise: the limit is the maximum of a random "
            "walk, the steady state that of the chain of Lindley's equation; both have the law (p/q)^k (1 - p/q).  At "
            "finite n the laws of M_n and W_n are compared.",
        ),
    ]


# --- Lindley -----------------------------------------------------------------------------------


def _lindley(seed: int) -> tuple[Number, ...]:
    found: list[Number] = [Fraction(0)]
    for job in drawn(seed, 1, 12)[:-1]:
        found.append(max(found[-1] + job.service - job.gap, Fraction(0)))
    return tuple(found)


def _waits(seed: int) -> tuple[Number, ...]:
    return tuple(play(arrivals(drawn(seed, 1, 12)), 1).waits)


# --- Loynes ------------------------------------------------------------------------------------


def _loynes(seed: int, n: int) -> Number:
    """The workload at time 0 from an empty start at job -n; job -k is the k-th drawn."""
    found: Sequence[Number] = (Fraction(0),)
    for job in reversed(drawn(seed, 1, 14)[:n]):
        found = step(found, job)
    return found[0]


def _increasing() -> list[Step]:
    """(w + x)^+ is nondecreasing in w."""
    x, d = sp.Symbol("x", real=True), sp.Symbol("d", nonnegative=True)
    busy, idle = sp.Symbol("u", nonnegative=True), sp.Symbol("v", positive=True)
    both_busy = (busy + d) - busy  # w + x = u >= 0
    from_idle = sp.Max(0, d - idle)  # w + x = -v < 0, where (w + x)^+ = 0
    if not (both_busy.is_nonnegative and from_idle.is_nonnegative and x.is_real):
        raise ValueError("the map of Lindley's equation is not seen to be nondecreasing")
    return [
        Step("w -> (w + x)^+ is nondecreasing", r"(w + d + x)^+ - (w + x)^+ \ge 0,\ d \ge 0"),
        Step(
            "one job earlier the state is at least 0, the empty start; then the same maps are applied to both",
            r"M_1 \ge 0 = M_0",
        ),
    ]


def dichotomy(factors: Sequence[Fraction] = (Fraction(9, 10), Fraction(11, 10))) -> Callable[[], list[Evidence]]:
    """A test that the workload of periodic inputs has a limit at the first factor of the load, none at the second."""

    def test() -> list[Evidence]:
        for seed in range(30):
            system = random_periodic(seed, 1, 5)
            mean = sum((Fraction(job.service) for job in system.pattern), Fraction(0)) / len(system.pattern)
            for shape in ("even", "batch", "rising"):
                below, above = (spaced(system, mean / factor, shape) for factor in factors)
                if fixed_point(below, 200) is None:
                    return certified(Outcome.REFUTED, f"no limit at load {factors[0]}: {below}")
                if not _escapes(above.jobs(40)):
                    return certified(Outcome.REFUTED, f"the workload does not escape at load {factors[1]}: {above}")
        loads = " and ".join(str(factor) for factor in factors)
        return certified(Outcome.HOLDS, f"30 periodic inputs of 5 jobs, three spacings, loads {loads}")

    return test


def _escapes(jobs: Sequence[Job]) -> bool:
    """Whether the workload after the jobs is at least what they offered less the time, and that has grown."""
    drift = sum((Fraction(job.service) - Fraction(job.gap) for job in jobs), Fraction(0))
    history = play(arrivals(jobs), 1)
    now = sum((Fraction(job.gap) for job in jobs), Fraction(0))
    return history.last_activity() - now >= drift > len(jobs) // 20


# --- the random walk ----------------------------------------------------------------------------


WALKS = Domain.product(
    "sigma - tau = 1 with probability p < 1/2, else -1",
    p=[Fraction(1, 3), Fraction(2, 5), Fraction(1, 10)],
    n=[1, 5, 20],
)


def _maximum(p: Fraction, n: int) -> dict[int, Fraction]:
    """The law of the maximum of 0, S_1, ..., S_n, where S is the walk backwards in time: M_n of Loynes."""
    law = {(0, 0): Fraction(1)}  # (maximum, maximum - position)
    for _ in range(n):
        after = dict[tuple[int, int], Fraction]()
        for (top, below), w in law.items():
            up = (top, below - 1) if below else (top + 1, 0)
            for state, weight in ((up, w * p), ((top, below + 1), w * (1 - p))):
                after[state] = after.get(state, Fraction(0)) + weight
        law = after
    found = dict[int, Fraction]()
    for (top, _), w in law.items():
        found[top] = found.get(top, Fraction(0)) + w
    return dict(sorted(found.items()))


def _chain(p: Fraction, n: int) -> dict[int, Fraction]:
    """The law of W_n in Lindley's equation, W_0 = 0."""
    law = {0: Fraction(1)}
    for _ in range(n):
        after = dict[int, Fraction]()
        for k, w in law.items():
            for state, weight in ((k + 1, w * p), (max(k - 1, 0), w * (1 - p))):
                after[state] = after.get(state, Fraction(0)) + weight
        law = after
    return dict(sorted(law.items()))


def perfect_sample(maximum: Callable[[Fraction, int], dict[int, Fraction]] | None = None) -> list[Evidence]:
    """The laws of M_n and W_n for finite n, and of the limit and the steady state, of one family of walks."""
    for point in WALKS.grid:
        if (maximum or _maximum)(**point) != _chain(**point):
            return certified(Outcome.REFUTED, f"M_n and W_n differ in law at {point}")
    lines = certified(Outcome.HOLDS, f"M_n and W_n have one law at {len(WALKS.grid)} points (p, n) of the walk")
    try:
        steps = tuple(_geometric())
    except ValueError as error:
        return [*lines, *certified(Outcome.UNDECIDED, f"the derivation failed: {error}")]
    detail = "sigma - tau = 1 with probability p < 1/2, else -1: both laws are (p/q)^k (1 - p/q), for all p"
    return [*lines, Evidence("symbolic", Outcome.HOLDS, Strength.CERTIFIED, detail, steps=steps)]


def _geometric() -> list[Step]:
    """Both laws are geometric of ratio p/q: hitting probabilities of a walk, balance of a chain."""
    p, k = sp.Symbol("p", positive=True), sp.Symbol("k", integer=True, positive=True)
    q, ratio = 1 - p, p / (1 - p)
    law = ratio**k
    # h = P(the walk ever reaches 1) solves h = p + q h^2 and is the root below 1
    hit = sp.simplify(p + q * ratio**2 - ratio)
    inside = sp.simplify(sp.powsimp(sp.expand(law - p * law / ratio - q * law * ratio)))
    border = sp.simplify(1 - q * 1 - q * ratio)  # at 0: stays with probability q, comes from 1 with q
    if any(x != 0 for x in (hit, inside, border)):
        raise ValueError(f"residuals {hit}, {inside}, {border}")
    return [
        Step("the walk ever reaches 1 with probability h = p + q h^2, h < 1; it reaches k with h^k", r"h = p/q"),
        Step(
            "balance of Lindley's chain inside and at 0",
            r"\pi_k = p\,\pi_{k-1} + q\,\pi_{k+1},\ \pi_0 = q(\pi_0 + \pi_1)",
        ),
    ]
