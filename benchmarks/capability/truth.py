"""The true answers, verified: by the exact quantity at huge n, or by fitting exact values.

``residual``: with T_1 + ... + T_K the terms and f the exact quantity, |f - (T_1 + ... + T_K)| < 10^-60 |T_K| at the
largest size, so every coefficient is right to 60 digits, and the residual tends to the term that is stated to be next.
``fit``: the coefficients found from exact values at moderate n agree with the terms to 60 digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import mpmath as mp

from benchmarks.capability.evaluate import evaluate, parse
from benchmarks.capability.problem import Case, Problem

DIGITS = 60


@dataclass(frozen=True)
class Verified:
    """How far a truth is verified: ``digits`` of the last term's coefficient, ``next_off`` = |residual/next - 1|."""

    ok: bool
    digits: float
    next_off: float | None
    how: str


def verify(problem: Problem) -> Verified:
    """The worst over the problem's cases."""
    if problem.holds is not None:
        with mp.workdps(problem.digits):
            return _decided(problem)
    found = [verify_case(problem, case) for case in problem.cases]
    return min(found, key=lambda v: (v.ok, v.digits))


def verify_case(problem: Problem, case: Case) -> Verified:
    """One choice of the parameters."""
    with mp.workdps(problem.digits):
        return _fitted(problem, case) if problem.fit else _residual(problem, case)


def _residual(problem: Problem, case: Case) -> Verified:
    offs, digits = [], mp.inf
    for size in problem.sizes:
        point = problem.point(size, case)
        terms = [problem.number(parse(text), point) for text in case.terms if text != problem.offset]
        rest = problem.exact(point) - mp.fsum(terms)
        digits = mp.inf if rest == 0 else float(-mp.log10(abs(rest / terms[-1])))
        if case.next:
            offs.append(float(abs(rest / problem.number(parse(case.next), point) - 1)))
    ok = digits >= DIGITS and (not offs or (offs[-1] < 0.05 and offs[-1] < 0.5 * offs[0] + 1e-20))
    return Verified(bool(ok), float(digits), offs[-1] if offs else None, "residual")


def _fitted(problem: Problem, case: Case) -> Verified:
    fit = problem.fit
    assert fit is not None
    parameters = {name: evaluate(parse(text), {}) for name, text in case.at.items()}
    variable = problem.variable
    at = [fit.first + fit.step * k for k in range(fit.count)]
    values = fit.values(at, **parameters)
    basis, gauge = [parse(fit.basis(j)) for j in range(fit.count)], parse(fit.gauge)
    places = [{variable: mp.mpf(k), **parameters} for k in at]
    matrix = mp.matrix([[evaluate(b, place) for b in basis] for place in places])
    right = mp.matrix([v / evaluate(gauge, place) for v, place in zip(values, places, strict=True)])
    found = mp.lu_solve(matrix, right)
    digits = mp.inf
    for k, text in enumerate(case.terms):
        for place in places[:2]:
            coefficient = evaluate(parse(text), place) / evaluate(gauge, place) / evaluate(basis[k], place)
            off = abs(found[k] / coefficient - 1)
            digits = min(digits, mp.inf if off == 0 else -mp.log10(off))
    return Verified(bool(digits >= DIGITS), float(digits), None, "fit")


def _decided(problem: Problem) -> Verified:
    """The quotient moves to its stated limit."""
    found = [problem.exact(problem.point(size)) for size in problem.sizes]
    if problem.limit == "oo":
        ok, off = abs(found[1]) > 1000 * abs(found[0]) > 0, None
    else:
        limit = evaluate(parse(problem.limit), {})
        offs = [abs(value - limit) for value in found]
        ok, off = offs[1] < 0.01 and offs[1] <= offs[0] / 2, offs[1]
    return Verified(bool(ok), float("inf"), None if off is None else float(off), "limit")
