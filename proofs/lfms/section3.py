"""Section 3: the model, the load fractions, the saturated system, equations (1) and (2)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import (
    Bound,
    Claim,
    Domain,
    Equivalent,
    Evidence,
    Identity,
    Limit,
    Outcome,
    Property,
    Step,
    Strength,
    Witness,
)
from asymp.queues.open_queue import heavy_traffic_limit, open_one_and_n
from asymp.queues.rules import one_and_n_rules
from proofs.lfms import samples
from proofs.lfms.notation import chain, claim, erratum, p1, r, require_vanishing, t
from proofs.lfms.regimes import BALANCED, N_DOMINATED, ONE_DOMINATED, c, mu1, mun, n, p

lam = sp.Symbol("lambda", positive=True)

LOAD_1 = lam * p1 / mu1
LOAD_N = lam * n * p / mun
FRACTION = LOAD_1 / (LOAD_1 + LOAD_N)
"""The fraction of the load that 1-server jobs bring, from the two loads that the paper states."""

_RATIONALS = Domain.product(
    "n >= 1, 0 < p_n < 1, mu1 > 0, mun > 0, lambda > 0",
    n=[1, 2, 5],
    p=[Fraction(1, 2), Fraction(1, 7)],
    mu1=[1, 10],
    mun=[1, 10],
    **{"lambda": [1, Fraction(3, 4)]},
)


def claims() -> list[Claim]:
    """The statements of section 3, in order."""
    return [*_loads(), *_regimes(), *_saturated()]


def _loads() -> list[Claim]:
    place = "Section 3.1"
    return [
        claim(
            "section-3.1-load-of-1-server-jobs",
            place,
            Identity(
                lam * p1 * 1 * sp.Integral(t * mu1 * sp.exp(-mu1 * t), (t, 0, sp.oo)),
                LOAD_1,
                _RATIONALS,
                proof=lambda: _mean_duration(mu1),
            ),
            "The overall load of 1-server jobs is lambda p1/mu1.",
            note="Arrival rate of 1-server jobs, times 1 server, times the mean of Exp(mu1).",
        ),
        claim(
            "section-3.1-load-of-n-server-jobs",
            place,
            Identity(
                lam * p * n * sp.Integral(t * mun * sp.exp(-mun * t), (t, 0, sp.oo)),
                LOAD_N,
                _RATIONALS,
                proof=lambda: _mean_duration(mun),
            ),
            "The overall load of n-server jobs is lambda n p_n/mun.",
        ),
        *erratum(
            "section-3.1-load-fraction",
            place,
            (
                Identity(FRACTION, p1 / (p1 + n * p), _RATIONALS),
                "1-server jobs require p1/(p1 + n p_n) of the total load.",
            ),
            (
                Identity(FRACTION, p1 / (p1 + n * p * r), _RATIONALS),
                "1-server jobs require p1/(p1 + n p_n mu1/mun) of the total load.",
            ),
            note="From the two loads stated just before it; right only for mu1 = mun.",
        ),
        *erratum(
            "section-3.1-load-fraction-approximation",
            place,
            (
                Equivalent(FRACTION, 1 / (1 + n * p)),
                "As p1 -> 1, the fraction of the load required by 1-server jobs can be approximated as 1/(1 + n p_n).",
            ),
            (
                Equivalent(FRACTION, 1 / (1 + n * p * r)),
                "As p1 -> 1, the fraction of the load required by 1-server jobs is ~ 1/(1 + n p_n mu1/mun).",
            ),
            regime=BALANCED,
            note="Read as a ratio that tends to 1, where it says most: n p_n = c.  Right only for mu1 = mun.",
            refuting=({"mu1": 10, "mun": 1, "c": 1},),
        ),
    ]


def _mean_duration(rate: sp.Symbol) -> list[Step]:
    """An antiderivative of t e^(-rate t) rate, with its values at both ends."""
    antiderivative = -(t + 1 / rate) * sp.exp(-rate * t)
    if sp.simplify(sp.diff(antiderivative, t) - t * rate * sp.exp(-rate * t)) != 0:
        raise ValueError("not an antiderivative")
    if antiderivative.subs(t, 0) != -1 / rate:
        raise ValueError("wrong value at 0")
    require_vanishing(antiderivative, t)
    return [
        Step("antiderivative, checked by differentiation", sp.latex(antiderivative)),
        Step("at infinity it tends to 0, at 0 it is minus the mean", sp.latex(1 / rate)),
    ]


def _regimes() -> list[Claim]:
    place = "Section 3.1"
    return [
        claim(
            "section-3.1-n-dominated",
            place,
            Limit(FRACTION, sp.Integer(0)),
            "If n p_n = omega(1), the fraction of load of 1-server jobs converges to 0.",
            regime=N_DOMINATED,
        ),
        claim(
            "section-3.1-n-dominated-equivalently",
            place,
            Limit(n * p, sp.oo),
            "n p_n = omega(1), or equivalently p_n = omega(1/n).",
            regime=N_DOMINATED,
        ),
        claim(
            "section-3.1-balanced",
            place,
            Limit(FRACTION, 1 / (1 + c * r)),
            "If n p_n = theta(1), the fraction of load of 1-server jobs converges to a value strictly between 0 and 1.",
            regime=BALANCED,
            note="theta(1) in the paper's sense: n p_n has a limit c > 0.  The value is 1/(1 + c mu1/mun).",
        ),
        claim(
            "section-3.1-balanced-value-above-0",
            place,
            Bound(1 / (1 + c * r), ">", sp.Integer(0), _LIMIT_VALUES, proof=_positive),
            "The limit of the fraction is strictly above 0.",
        ),
        claim(
            "section-3.1-balanced-value-below-1",
            place,
            Bound(1 / (1 + c * r), "<", sp.Integer(1), _LIMIT_VALUES, proof=_positive),
            "The limit of the fraction is strictly below 1.",
        ),
        claim(
            "section-3.1-one-dominated",
            place,
            Limit(FRACTION, sp.Integer(1)),
            "If n p_n = o(1), the fraction of load of 1-server jobs converges to 1.",
            regime=ONE_DOMINATED,
        ),
    ]


_LIMIT_VALUES = Domain.product(
    "c > 0, mu1 > 0, mun > 0", c=[Fraction(1, 100), 1, 100], mu1=[1, 10], mun=[1, 10]
)


def _positive() -> list[Step]:
    if not (c * r).is_positive:
        raise ValueError("c mu1/mun is not known to be positive")
    return [Step("c mu1/mun > 0, so that 1 < 1 + c mu1/mun < oo", r"0 < \frac{1}{1 + c\mu_1/\mu_n} < 1")]


# --- section 3.2 ------------------------------------------------------------------------------


def _saturated() -> list[Claim]:
    place = "Section 3.2"
    return [
        claim(
            "section-3.2-stability",
            place,
            Property(_stability_threshold),
            "The open system is stable if and only if lambda < mu, the throughput of the saturated system.",
            note="Also in section 3.1.  The mean drift of the open queue decides stability exactly.",
        ),
        claim(
            "equation-1",
            "Equation (1)",
            Property(_poisson_solutions),
            "Delta(y) = (mu_y - mu)/nu_y + sum over y' of (nu_{y,y'}/nu_y) Delta(y') has solutions, "
            "unique up to an additive constant.",
        ),
        claim(
            "section-3.2-unique",
            place,
            Property(_unique_solution),
            "The convention E[Delta(Y)] = 0 results in a unique solution.",
        ),
        claim(
            "equation-2",
            "Equation (2)",
            Property(heavy_traffic),
            "lim_{rho -> 1} E[Q(1 - rho)] = E[Delta(Y_d)] + 1.",
            note="[15, Theorem 4.2], tried on the open queue by matrix-geometric solution and extrapolation in 1 - rho.",
            sampled=samples.open_queue,
        ),
    ]


_OPEN = tuple(
    (size, prob, *rates)
    for size in (1, 2, 3)
    for prob in ("1/2", "1/5")
    for rates in ((1, 1), (10, 1), (1, 10))
)


def _evidence(
    kind: str, good: bool, strength: Strength, detail: str, points: list[Witness]
) -> list[Evidence]:
    outcome = Outcome.HOLDS if good else Outcome.REFUTED
    return [Evidence(kind, outcome, strength, detail, tuple(points))]


def _stability_threshold() -> list[Evidence]:
    """The capacity of the open queue, from its drift, equals the saturated throughput exactly."""
    bad = []
    for size, prob, rate1, raten in _OPEN:
        mu = chain(size, Fraction(prob), rate1, raten).throughput
        below = open_one_and_n(size, prob, rate1, raten, mu * Fraction(999, 1000))
        at = open_one_and_n(size, prob, rate1, raten, mu)
        if not (below.capacity == mu and below.is_stable and not at.is_stable):
            bad.append(
                Witness(
                    {"n": str(size), "p": prob, "mu1": str(rate1), "mun": str(raten)},
                    str(below.capacity),
                    "0",
                )
            )
    detail = f"exact drift of the open queue at {len(_OPEN)} parameter sets, n = 1, 2, 3: capacity = mu"
    return _evidence("enclosed", not bad, Strength.CERTIFIED, detail, bad)


def _poisson_matrix(
    size: int, prob: Fraction, rate1: int, raten: int
) -> tuple[sp.Matrix, sp.Matrix, sp.Matrix]:
    """(I - T, reward, P) over the completing states of the time-average chain, from the exact chain."""
    system = chain(size, prob, rate1, raten)
    states = list(system.completion_rate)
    row = {y: k for k, y in enumerate(states)}
    onward: dict[tuple[int, int], dict[tuple[int, int], Fraction]] = {}
    for step in system.transitions:
        onward.setdefault(step.source, {})[step.target] = step.probability

    def land(y: tuple[int, int]) -> dict[tuple[int, int], Fraction]:
        """Draws take no time: where they end."""
        if y in row:
            return {y: Fraction(1)}
        out: dict[tuple[int, int], Fraction] = {}
        for after, weight in onward[y].items():
            for end, share in land(after).items():
                out[end] = out.get(end, Fraction(0)) + weight * share
        return out

    matrix = sp.eye(len(states))
    for y in states:
        for after, weight in onward[y].items():
            for end, share in land(after).items():
                matrix[row[y], row[end]] -= sp.Rational(weight * share)
    reward = sp.Matrix([sp.Rational(1 - system.throughput / system.completion_rate[y]) for y in states])
    law = sp.Matrix([[sp.Rational(system.P[y]) for y in states]])
    return matrix, reward, law


_SMALL = tuple(
    (size, prob, *rates)
    for size in (1, 2, 4)
    for prob in (Fraction(1, 2), Fraction(1, 5))
    for rates in ((1, 1), (10, 1))
)


def _poisson_solutions() -> list[Evidence]:
    """The rank of I - T is one less than its size, and the reward lies in its range: exact linear algebra."""
    bad = []
    for point in _SMALL:
        matrix, reward, _ = _poisson_matrix(*point)
        size = matrix.rows
        if not (
            matrix.rank() == size - 1 == matrix.row_join(reward).rank()
            and matrix * sp.ones(size, 1) == sp.zeros(size, 1)
        ):
            bad.append(_witness(point, str(matrix.rank())))
    return _evidence(
        "enclosed",
        not bad,
        Strength.CERTIFIED,
        f"exact ranks at {len(_SMALL)} parameter sets, n = 1, 2, 4",
        bad,
    )


def _unique_solution() -> list[Evidence]:
    """With the row P Delta = 0 the rank is full; the solution is the chain's Delta."""
    bad = []
    for point in _SMALL:
        matrix, reward, law = _poisson_matrix(*point)
        system = chain(*point)
        delta = sp.Matrix([sp.Rational(system.relative_completions[y]) for y in system.completion_rate])
        whole = matrix.col_join(law)
        if not (whole.rank() == matrix.rows and whole * delta == reward.col_join(sp.zeros(1, 1))):
            bad.append(_witness(point, str(whole.rank())))
    return _evidence(
        "enclosed",
        not bad,
        Strength.CERTIFIED,
        f"exact ranks at {len(_SMALL)} parameter sets, n = 1, 2, 4",
        bad,
    )


def _witness(point: tuple[int, Fraction, int, int], value: str) -> Witness:
    size, prob, rate1, raten = point
    return Witness({"n": str(size), "p": str(prob), "mu1": str(rate1), "mun": str(raten)}, value, "0")


def heavy_traffic() -> list[Evidence]:
    """Extrapolated limits of the open queue against the exact E[Delta(Y_d)] + 1."""
    worst, points, good = 0.0, [], True
    for size, prob, rate1, raten in (
        (2, "1/2", 1, 1),
        (2, "1/5", 10, 1),
        (3, "1/3", 1, 1),
        (3, "1/5", 1, 10),
    ):
        limit, error = heavy_traffic_limit(one_and_n_rules(size, prob, rate1, raten), dps=30, steps=9)
        exact = chain(size, Fraction(prob), rate1, raten).mean_relative_completions + 1
        gap = abs(float(limit - exact.numerator / type(limit)(exact.denominator)))
        worst = max(worst, gap)
        good = good and gap <= max(1e-6, 100 * float(error))
        points.append(
            Witness(
                {"n": str(size), "p": prob, "mu1": str(rate1), "mun": str(raten)},
                str(limit),
                f"{float(error):.1e}",
            )
        )
    detail = f"heavy-traffic limits of the open queue agree with E[Delta(Y_d)] + 1 to {worst:.1e}"
    if not good:
        detail = f"heavy-traffic limits of the open queue differ from E[Delta(Y_d)] + 1 by {worst:.1e}"
    return _evidence("enclosed", good, Strength.SUPPORTED, detail, points)
