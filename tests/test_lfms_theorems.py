"""What the theorems of section 5 prove, and that they prove nothing else."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from asymp.enclosure import exact
from asymp.queues import balance
from asymp.queues.one_and_n import b as B
from asymp.queues.one_and_n import mu1 as MU1
from asymp.queues.one_and_n import n as N
from asymp.queues.one_and_n import p as P
from proofs.lfms import theorems as five
from proofs.lfms.model import chain

Q = 1 - P
NAMES = [name for name in vars(five) if name.isupper() and callable(getattr(five, name))]
CHAIN_GRID = [
    {"n": n, "p": p, "mu1": mu1, "mun": mun} for n in (2, 3, 7) for p in (Fraction(1, 10), Fraction(6, 7)) for mu1, mun in ((1, 10), (10, 1))
]


def test_there_are_fourteen_theorems():
    assert len(NAMES) == 14


@pytest.mark.parametrize("name", NAMES)
def test_a_theorem_has_its_steps(name):
    assert getattr(five, name)()


def test_the_theorems_print_what_the_grid_tries():
    """The symbolic numerators, at numbers, are the exact chain's: the same statement, written twice."""
    for point in CHAIN_GRID:
        system = chain(**point)
        cycle, mu = exact(five.CYCLE, point), exact(five.MU, point)
        assert mu == system.throughput
        assert exact(five.E_DELTA.subs(five.mu, sp.Rational(mu.numerator, mu.denominator)), point) == system.mean_relative_completions
        for phase, (a, jobs) in {five.SERVICE: (1, 0), five.DRAIN: (1, 1), five.FULL: (0, point["n"])}.items():
            at = {**point, "b": jobs}
            assert exact(five.TIMES[phase].subs(B, jobs), at) / cycle == system.P[a, jobs]
            assert exact(five.COMPLETIONS[phase].subs(B, jobs), at) == system.pid[a, jobs]


def _law(**changed):
    """MANY with pieces changed: index -> value."""
    pieces = list(five.MANY.law)
    for key, value in changed.items():
        k = int(key.removeprefix("piece"))
        pieces[k] = replace(pieces[k], value=value)
    return replace(five.MANY, law=tuple(pieces))


BROKEN_LAWS = {
    "a stray factor": _law(piece2=2 * Q**N / P),
    "a shifted exponent": _law(piece3=Q ** (B + 1)),
    "state n - 1 without 1/p": _law(piece1=Q ** (N - 1)),
    "the law of n = 1 for n >= 2": _law(piece1=Q ** (N - 1), piece2=Q**N, piece3=Q**B * P),
}


@pytest.mark.parametrize("case", BROKEN_LAWS.values(), ids=BROKEN_LAWS.keys())
def test_a_law_that_is_not_stationary_is_found_out(case):
    with pytest.raises(ValueError, match="residual"):
        five.stationary(case)


def test_the_flows_alone_find_out_a_wrong_law():
    """The balance in time is a check of its own, of completing states: there the last two laws are right."""

    def balanced(case):
        return all(five.difference_is_zero(outflow, inflow) for _, outflow, inflow in five.flows(case))

    assert balanced(five.MANY)
    assert balanced(five.SINGLE)
    for name, case in BROKEN_LAWS.items():
        assert balanced(case) == (name in list(BROKEN_LAWS)[2:]), name


def test_the_law_of_many_servers_is_not_that_of_one():
    with pytest.raises(ValueError):
        five.stationary(replace(five.SINGLE, law=tuple(replace(x, value=sp.Integer(1)) for x in five.SINGLE.law)))


def _summed(expr, low, high):
    """The expression with its sum over other limits."""
    changed = expr.xreplace({sp.Tuple(B, 1, N - 1): sp.Tuple(B, low, high)})
    assert changed != expr
    return changed


def _with(table, phase, value):
    return {**table, phase: value}


TILDE_BELOW, TILDE_LAST = balance.relative_completions_formula()
BROKEN = {
    "5.2: service": lambda c: five.in_time(c, _with(five.TIMES, five.SERVICE, 2 / balance.mun)),
    "5.2: drain, exponent": lambda c: five.in_time(c, _with(five.TIMES, five.DRAIN, Q ** (B - 1) / (B * MU1))),
    "5.2: drain, as first printed": lambda c: five.in_time(c, _with(five.TIMES, five.DRAIN, 1 / (B * MU1))),
    "5.2: full, without 1/p": lambda c: five.in_time(c, _with(five.TIMES, five.FULL, Q**N / (N * MU1))),
    "5.2: cycle, one term short": lambda c: five.in_time(c, cycle=_summed(five.CYCLE, 2, N - 1)),
    "5.2: cycle, one term long": lambda c: five.in_time(c, cycle=_summed(five.CYCLE, 1, N)),
    "5.2: cycle, sign": lambda c: five.in_time(c, cycle=five.CYCLE - 2 / balance.mun),
    "5.3: 1/p1 for 1/p": lambda c: five.throughput(c, five.MU * P / Q),
    "5.3: a stray factor": lambda c: five.throughput(c, 2 * five.MU),
    "5.4: drain": lambda c: five.at_completions(c, _with(five.COMPLETIONS, five.DRAIN, Q**B)),
    "5.4: full": lambda c: five.at_completions(c, _with(five.COMPLETIONS, five.FULL, Q**N * P)),
    "5.4: C'' with n = 1": lambda c: [("", P * c.pi(five.FULL), c.pid(five.FULL))],
    "5.5: pi^d from P, as printed": lambda c: c.each("", {x: c.mu / c.rate(x) * c.P(x) for x in c.phases}, c.pid),
    "5.5: sign": lambda c: five.relative_completions(c, -five.E_DELTA),
    "5.5: a stray 1": lambda c: five.relative_completions(c, five.E_DELTA + Q**N),
    "5.5: H_i for H_{n-1}": lambda c: five.relative_completions(c, five.E_DELTA.subs(sp.harmonic(N - 1), sp.harmonic(N))),
    "5.5: the sum to n": lambda c: five.relative_completions(c, _summed(five.E_DELTA, 1, N)),
    "5.5: the exponent": lambda c: five.relative_completions(c, five.E_DELTA.xreplace({Q**B: Q ** (B + 1)})),
    "nothing to show": lambda c: [],
}


@pytest.mark.parametrize("equations", BROKEN.values(), ids=BROKEN.keys())
def test_a_theorem_of_a_wrong_statement_raises(equations):
    with pytest.raises(ValueError, match=r"not shown equal|nothing to show"):
        five.theorem(equations)()


@pytest.mark.parametrize(
    ("below", "special"),
    [(TILDE_BELOW + 1, None), (-TILDE_BELOW, None), (TILDE_BELOW.subs(B, B + 1), None), (None, TILDE_LAST + 1)],
)
def test_a_wrong_solution_of_poissons_equation_is_found_out(below, special):
    assert any(residual != 0 for _, residual in balance.verify_poisson(below, special))


def test_lemma_5_5_rests_on_poissons_equation(monkeypatch):
    monkeypatch.setattr(five.balance, "verify_poisson", lambda: [("state n: full", sp.Integer(1))])
    with pytest.raises(ValueError, match="residual 1"):
        five.LEMMA_5_5()
