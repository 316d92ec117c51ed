"""Sums of any summand that has a series, and Riemann sums: theorems, their false siblings, and what is refused.

Sources of the values: DLMF 2.10.1 (Euler and Maclaurin), 4.36.3 (coth), 6.12.2 (li), 20.7.32 (theta); and sums at n = 2000 and 4000 in
floating point, to which the series are compared.
"""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq

from asymp.enclosure import enclose
from asymp.kernel import terms
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.riemann_sums import series_of_riemann
from asymp.kernel.growths.series import Algebra
from asymp.kernel.growths.telescoped_sums import series_of_telescoped, written
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.parse import parse_expression
from asymp.prove.claims import theorem

N = terms.name("n")


def expander(order: int) -> Expander:
    domain = Domain(within={"c": Range(mpq(0), True), "s": Range()})
    return Expander(Algebra(domain, order), {"n": 0}, {}, frozenset({N}))


TRUE_AND_FALSE = [
    ("Sum(1/(k^2 + 1), (k, 1, n)) = Sum(1/(k^2 + 1), (k, 1, oo)) - 1/n + {}/n^2 + O(1/n^3)", "1/2", "-1/2"),
    ("Sum(log(1 + 1/k^2), (k, n, oo)) = 1/n + {}/n^2 + O(1/n^3)", "1/2", "1/3"),
    ("Sum(k/log(k), (k, 2, n)) = n^2/(2*log(n)) + {}*n^2/log(n)^2 + O(n^2/log(n)^3)", "1/4", "1/2"),
    ("Sum(1/(k*log(k)), (k, 2, n)) = {}*log(log(n)) + O(1)", "1", "(1 + 10^(-200))"),
    ("Sum(sqrt(k)*2^k, (k, 1, n)) ~ {}*sqrt(n)*2^n", "2", "1"),
    ("Sum(exp(-sqrt(k)), (k, n, oo)) ~ {}*sqrt(n)*exp(-sqrt(n))", "2", "1"),
    ("Sum(1/(k + c)^2, (k, n, oo)) = 1/n + {}/n^2 + O(1/n^3) for c > 0", "(1/2 - c)", "(1/2 + c)"),
    ("Sum(1/(n^2 + k^2), (k, 1, n)) = pi/(4*n) - 1/(4*n^2) + {}/n^3 + O(1/n^6)", "(-1/24)", "(1/24)"),
    ("Sum(1/(n^2 + k^2), (k, 0, oo)) = pi/(2*n) + {}/n^2 + O(1/n^6)", "1/2", "-1/2"),
    (
        "Sum(sqrt(n^2 + k^2), (k, 0, n)) = n^2*Integral(sqrt(1 + t^2), (t, 0, 1)) + {}*n*(1 + sqrt(2)) + O(1)",
        "1/2",
        "1",
    ),
    ("Sum(exp(-k^2/n), (k, 1, n)) = sqrt(pi*n)/2 + {} + O(1/n)", "-1/2", "1/2"),
]


@pytest.mark.parametrize(("text", "right", "wrong"), TRUE_AND_FALSE)
def test_theorems_and_their_false_siblings(text, right, wrong):
    said, _, where = text.partition(" for ")
    where = f" as whole n -> oo{' for ' + where if where else ''}"
    assert not any(
        name.startswith("engine") for name in theorem(read_statement(said.format(right) + where), True).trusts
    )
    assert not theorem(read_statement(said.format(wrong) + where), False).holds


@pytest.mark.parametrize("series", [series_of_riemann, series_of_telescoped])
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Sum(Abs(k/n - 1/2), (k, 0, n))", "not smooth inside"),
        ("Sum(Max(k, n), (k, 0, 2*n))", "not smooth inside"),
        ("Sum(sqrt(k*(n - k)), (k, 0, n))", "not smooth at the ends"),
        ("Sum(1/(k - n/2)^2, (k, 1, n))", "a pole inside"),
        ("Sum(1/(n + k), (k, 1, oo))", "diverges"),
        ("Sum(sin(k/n)/(1 + k/n), (k, 0, oo))", "not absolutely integrable"),
        ("Sum(1/(k - 50), (k, 1, n))", "a pole at an index"),
        ("Sum(1/k, (k, n, oo))", "diverges"),
        ("Sum(1/(k*log(k)), (k, n, oo))", "diverges"),
        ("Sum(1/(k*log(k)), (k, 1, n))", "log(1) is divided by"),
        ("Sum((-1)^k*sqrt(k), (k, 1, n))", "no series"),
        ("Sum(k^s, (k, n, oo))", "converges for some s alone"),
    ],
)
def test_what_is_refused(series, text, why):
    with pytest.raises(Refused):
        series(expander(2), terms.read(text))


@pytest.mark.parametrize(
    ("text", "summand", "first"),
    [
        ("Sum((k + 1)/(k^3 + 2), (k, 1, n))", lambda k, n: (k + 1) / (k**3 + 2), 1),
        ("Sum(log(k)^2/sqrt(k + 3), (k, 1, n))", lambda k, n: mpmath.log(k) ** 2 / mpmath.sqrt(k + 3), 1),
        ("Sum(1/(3*n + 2*k), (k, 0, n))", lambda k, n: 1 / (3 * n + 2 * k), 0),
        ("Sum(n/(n^2 + n*k + k^2), (k, 0, 2*n))", lambda k, n: n / (n**2 + n * k + k**2), 0),
    ],
)
def test_differences_of_two_sums_against_floating_point(text, summand, first):
    """S(2 n) - S(n) does not need the constant."""
    for series in (series_of_telescoped, series_of_riemann):
        try:
            found = series(expander(4), terms.read(text))
            break
        except Refused:
            continue

    def terms_at(n: int) -> mpmath.mpf:
        shown = [str(terms.multiply(to_term(c), written(g, N))) for c, g in found.terms if g.powers]
        with mpmath.workdps(30):
            return sum(
                (mpmath.mpf(enclose(parse_expression(one), {"n": n}, digits=20).value) for one in shown), mpmath.mpf(0)
            )

    def total(n: int) -> mpmath.mpf:
        last = 2 * n if "2*n))" in text else n
        return mpmath.fsum(summand(mpmath.mpf(k), n) for k in range(first, last + 1))

    with mpmath.workdps(25):
        gaps = [total(n) - terms_at(n) for n in (2000, 4000)]
        assert abs(gaps[1] - gaps[0]) < mpmath.mpf(10) ** -5
