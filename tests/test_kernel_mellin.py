"""Sums of k^a F(x k^p) as x -> 0+: random ones against their own terms, false siblings, and what is refused."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from flint import arb, ctx

from asymp.kernel import terms
from asymp.kernel.facts.ranges import ball
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.mellin_sums import series_of_mellin
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

SHAPES = (
    "exp(-k/n)", "1/(exp(k/n) - 1)", "1/(exp(k/n) + 1)", "log(1 - exp(-k/n))", "log(1 + exp(-k/n))", "exp(-k^2/n^2)",
    "exp(k/n)/(exp(k/n) - 1)^2", "exp(-2*k/n)/(1 + exp(-k/n))", "exp(-3*k/n)/(exp(-k/n) - 1)^2",
)  # fmt: skip


def expander(order: int = 3) -> Expander:
    return Expander(Algebra(Domain(), order), {"n": 0}, {}, frozenset({terms.name("n")}))


def value(found: Series, n: int) -> arb:
    """What the terms say at n, a monomial in n and log n each."""
    total = arb(0)
    for c, g in found.terms:
        one = ball(to_term(c), {}, 200)
        for (_, depth), e in g.powers:
            one *= (arb(n).log() if depth else arb(n)) ** ball(to_term(e), {}, 200)
        total += one
    return total


def summed(body: str, low: int, n: int) -> arb:
    """The terms up to e^(-50), by balls."""
    term = terms.read(body)
    return sum(
        (
            ball(terms.substitute(term, {"k": terms.number(k), "n": terms.number(n)}), {}, 200)
            for k in range(low, 50 * n)
        ),
        arb(0),
    )


def test_random_sums_are_what_their_series_say():
    rng = random.Random(26)
    before, ctx.prec = ctx.prec, 200
    try:
        for shape in SHAPES:
            sign, a, low = rng.choice(("", "(-1)^k*", "(-1)^(k+1)*")), rng.choice((-2, -1, 0, 1, 2)), rng.choice((1, 2))
            body = f"{sign}k^({a})*{shape}"
            found = series_of_mellin(expander(), terms.read(f"Sum({body}, (k, {low}, oo))"))
            (rest,) = found.rest
            exponent = next((Fraction(str(to_term(e))) for _, e in rest.powers), 0)
            assert exponent <= 0, body
            n = 8  # the constant of O is not known: it is that of the next term, far below 10^3 here
            gap = abs(value(found, n) - summed(body, low, n))
            assert gap < 1_000 * arb(n) ** float(max(exponent, -12)), body
    finally:
        ctx.prec = before


@pytest.mark.parametrize("change", ["1 + 10^(-200)", "-1"])
@pytest.mark.parametrize(
    "said",
    [
        "Sum(k/(exp(k*t)-1), (k, 1, oo)) = pi^2/(6*t^2) - 1/(2*t) + ({c})/24 + O(t)",
        "Sum(1/(k*(exp(k*t)-1)), (k, 1, oo)) = pi^2/(6*t) + log(t)/2 - ({c})*log(2*pi)/2 + O(t)",
        "Sum((-1)^k*exp(-k*t), (k, 0, oo)) = ({c})/2 + O(t)",
    ],
)
def test_a_changed_term_is_refuted(said, change):
    theorem(read_statement(said.format(c="1") + " as t -> 0+"), True)
    false = read_statement(said.format(c=change) + " as t -> 0+")
    with pytest.raises(Refused):
        theorem(false, True)
    theorem(false, False)


@pytest.mark.parametrize(
    "text",
    [
        "Sum(exp(-k*n), (k, 1, oo))",  # x does not tend to 0
        "Sum(exp(k/n), (k, 1, oo))",  # from below
        "Sum(exp(-k^(-1)/n), (k, 1, oo))",  # p < 0
        "Sum(1/(exp(k/n) - 2), (k, 1, oo))",
        "Sum(1/(exp(k/n) - 1)^3, (k, 1, oo))",
        "Sum(exp(k/n)/(exp(k/n) - 1), (k, 1, oo))",  # its terms tend to 1
        "Sum(log(1 - exp(-k/n))*exp(-k/n), (k, 1, oo))",
        "Sum(log(2 - exp(-k/n)), (k, 1, oo))",
        "Sum(exp(-k/n - k^2/n), (k, 1, oo))",
        "Sum(exp(-k/n), (k, 1, n))",
        "Sum(exp(-k/n), (k, 30, oo))",
        "Sum((-1)^(k/2)*exp(-k/n), (k, 1, oo))",
        "Sum((-2)^k*exp(-k/n), (k, 1, oo))",
        "Sum(exp(-k/n)/(exp(k^2/n) - 1), (k, 1, oo))",
        "Sum(exp(-k/(2*n))/(1 - exp(-k/n)), (k, 1, oo))",  # half a unit
    ],
)
def test_other_sums_are_refused(text):
    with pytest.raises(Refused):
        series_of_mellin(expander(), terms.read(text))
