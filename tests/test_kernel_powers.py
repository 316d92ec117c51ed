"""Sums of powers that are not whole, and of logarithms, as series of the kernel: held against sums, attacked, refused."""

from __future__ import annotations

import pytest
from flint import arb, ctx

from asymp.enclosure.numbers import to_fmpq
from asymp.kernel import terms
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.series import Algebra
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

HOLD = """
Sum(sqrt(k), (k, 1, n)) = 2/3*n^(3/2) + sqrt(n)/2 + zeta(-1/2) + 1/(24*sqrt(n)) + O(n^(-5/2)) as whole n -> oo
Sum(1/k^2, (k, 1, n)) = pi^2/6 - 1/n + 1/(2*n^2) - 1/(6*n^3) + O(n^(-5)) as whole n -> oo
Sum(1/k^2, (k, n, oo)) = 1/n + 1/(2*n^2) + 1/(6*n^3) + O(n^(-5)) as whole n -> oo
Sum(k^(-5/2), (k, n, 2*n)) ~ (2/3 - sqrt(2)/6)*n^(-3/2) as whole n -> oo
Sum(1/k^2 + 3/sqrt(k) - k, (k, 3, n)) = -n^2/2 - n/2 + 6*sqrt(n) + 3*zeta(1/2) - 3/sqrt(2) - 5/4 + pi^2/6 + O(1/sqrt(n)) as whole n -> oo
Sum(log(k), (k, 1, n)) = n*log(n) - n + log(n)/2 + log(2*pi)/2 + 1/(12*n) + O(n^(-3)) as whole n -> oo
Sum(a*k^(-3/2), (k, 1, n)) -> a*zeta(3/2) as whole n -> oo for a > 0
Sum(sqrt(k + 1), (k, 1, n)) = 2/3*n^(3/2) + 3/2*sqrt(n) + zeta(-1/2) - 1 + O(1/sqrt(n)) as whole n -> oo
Sum(sqrt(2*n - k), (k, 1, n)) ~ 2/3*(2*sqrt(2) - 1)*n^(3/2) as whole n -> oo
Sum(log(n + k), (k, 1, n)) = n*log(n) + (2*log(2) - 1)*n + log(2)/2 + O(1/n) as whole n -> oo
Sum(1/(n - k)^2, (k, 1, n - 1)) -> pi^2/6 as whole n -> oo
"""
FAIL = """
Sum(sqrt(k), (k, 1, n)) = 2/3*n^(3/2) + sqrt(n)/2 + (1 + 10^(-200))*zeta(-1/2) + O(1/sqrt(n)) as whole n -> oo
Sum(1/k^2, (k, 1, n)) = pi^2/6 - (1 + 10^(-200))/n + O(1/n^2) as whole n -> oo
Sum(1/k^2, (k, 2, n)) -> pi^2/6 as whole n -> oo
Sum(k^(-5/2), (k, n, 2*n)) ~ (1 + 10^(-200))*(2/3 - sqrt(2)/6)*n^(-3/2) as whole n -> oo
Sum(1/(n - k)^2, (k, 2, n - 1)) = pi^2/6 + O(1/n^2) as whole n -> oo
Sum(log(n + k), (k, 1, n)) = n*log(n) + (2*log(2) - 1)*n + O(1/n) as whole n -> oo
Sum(log(k), (k, 2, n)) = n*log(n) - n + log(n)/2 + log(2*pi)/2 + (1 + 10^(-200))/(12*n) + O(n^(-2)) as whole n -> oo
"""


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize("text", lines(HOLD))
def test_it_holds_without_the_engine(text):
    found = theorem(read_statement(text), True)
    assert not any(one.startswith("engine") for one in found.trusts), found.trusts
    assert any(one in found.trusts for one in ("DLMF 25.11.4", "DLMF 5.5.1"))


@pytest.mark.parametrize("text", lines(FAIL))
def test_a_constant_that_is_a_little_off_fails(text):
    assert not theorem(read_statement(text), False).holds
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


def series(text: str, order: int = 4, whole: str = "n"):
    names = frozenset(terms.name(x) for x in whole)
    return Expander(Algebra(Domain(), order), {"n": 0}, {}, names).series(terms.read(text))


@pytest.mark.parametrize("text", [
    "Sum(1/sqrt(k), (k, 1, oo))", "Sum(log(k), (k, n, oo))", "Sum(1/k^2, (k, 0, n))", "Sum(sqrt(k), (k, 0, n))",
    "Sum(sqrt(k), (k, -3, n))", "Sum(sqrt(k), (k, n, 1))", "Sum(k^(-2), (k, 2*n, n))", "Sum(sqrt(k), (k, 1, n/2))",
    "Sum(sqrt(k), (k, 1, 7/2 + n))", "Sum(1/(n - k), (k, 1, n))",
    "Sum(1/(n - k), (k, 1, 2*n))", "Sum(1/(n - k)^2, (k, 1, oo))", "Sum(1/((k - 3)*(k - 4)), (k, 1, n))", "Sum(log(k - n), (k, 1, n - 1))",
    "Sum(1/(k + n), (k, 1, oo))", "Sum(sqrt(k - n), (k, 1, n - 1))", "Sum(sqrt(k)*log(k), (k, 1, oo))",
    "Sum(1/(k^2 - k), (k, 1, n))", "Sum(log(k)^2, (k, 0, n))", "Sum(sqrt(k), (k, oo, n))",
])  # fmt: skip
def test_what_is_not_seen_is_refused(text):
    with pytest.raises(Refused):
        series(text)


def test_of_a_number_that_is_not_whole_nothing_is_said():
    with pytest.raises(Refused):
        series("Sum(sqrt(k), (k, 1, n))", whole="")


def number(ratio) -> arb:
    """A coefficient, of numbers, zeta and logarithms."""
    from asymp.kernel.rings.ratio import to_term

    return ball(to_term(ratio))


def ball(term) -> arb:
    match term.head:
        case "number":
            return arb(to_fmpq(term.number))
        case "name":
            return {"pi": arb.pi(), "EulerGamma": arb.const_euler()}[term.name]
        case "sum":
            return sum(map(ball, term.parts), arb(0))
        case "product":
            found = arb(1)
            for part in term.parts:
                found *= ball(part)
            return found
        case "power":
            return ball(term.parts[0]) ** ball(term.parts[1])
    return {"zeta": arb.zeta, "log": arb.log, "loggamma": arb.lgamma}[term.head](ball(term.parts[0]))


@pytest.mark.parametrize("body", ["k^(1/2)", "k^(-1/2)", "k^(-2)", "k^(-7/2)", "k^(5/3)", "k^(-2) + 2*k^(1/3) - 3*k", "log(k)", "k^3 - k^(-1)"])
@pytest.mark.parametrize("low", [1, 2, 12])
def test_sums_follow_their_series(body, low):
    """The remainder at n = 200 and 2000: it falls as its growth says."""
    found = series(f"Sum({body}, (k, {low}, n))", 5)
    inside = terms.read(f"Sum({body}, (k, 1, 2))").parts[0]
    with ctx.workprec(300):
        shares, total, k = [], arb(0), low
        for n in (200, 2000):
            while k <= n:
                total += ball(terms.opened(inside, terms.number(k)))
                k += 1
            kept, rest = ((sum((number(c) * _size(g, n) for c, g in part), arb(0))) for part in (found.terms, [(_one(), r) for r in found.rest]))
            shares.append(abs(total - kept) / (rest if found.rest else arb(2) ** -200))
        assert shares[1] < 4 * shares[0] + arb(2) ** -60, shares


def _one():
    from asymp.kernel.rings.ratio import rational

    return rational(1)


def _size(growth, n: int) -> arb:
    found = arb(1)
    for (_, depth), e in growth.powers:
        base = arb(n)
        for _ in range(depth):
            base = base.log()
        found *= base ** number(e)
    return found


@pytest.mark.parametrize(("text", "value"), [
    ("Sum(1/(n + k), (k, 1, n))", lambda n: sum(arb(1) / (n + k) for k in range(1, n + 1))),
    ("Sum(1/(k*(n - k)), (k, 1, n - 1))", lambda n: sum(arb(1) / (k * (n - k)) for k in range(1, n))),
    ("Sum(1/(k*(k - n)), (k, 1, n - 1))", lambda n: sum(arb(-1) / (k * (n - k)) for k in range(1, n))),
    ("Sum(k^2/(2*n - k), (k, 0, n))", lambda n: sum(arb(k * k) / (2 * n - k) for k in range(n + 1))),
    ("Sum(1/((n + k)*(2*n + k)), (k, 0, n))", lambda n: sum(arb(1) / ((n + k) * (2 * n + k)) for k in range(n + 1))),
    ("Sum(1/(n + k + 1/2), (k, 1, n))", lambda n: sum(arb(2) / (2 * n + 2 * k + 1) for k in range(1, n + 1))),
    ("Sum(1/(k - 2*n)^3, (k, 0, n))", lambda n: sum(arb(-1) / (2 * n - k) ** 3 for k in range(n + 1))),
    ("Sum(1/(k + 3) - 1/(k + 1), (k, 0, n))", lambda n: sum(arb(1) / (k + 3) - arb(1) / (k + 1) for k in range(n + 1))),
])  # fmt: skip
def test_what_is_shifted_or_turned_is_the_sum_itself(text, value):
    """Sums in n + k and n - k, and products of two such, against the sums at n = 40, 160, 640."""
    f, ratios = series(text), []
    with ctx.workprec(200):
        for n in (40, 160, 640):
            total = sum((number(c) * _size(g, n) for c, g in f.terms), arb(0))
            ratios.append(abs(value(n) - total) / (sum((_size(g, n) for g in f.rest), arb(0)) if f.rest else arb(2) ** -150))
    assert ratios[2].mid() <= 1.2 * max(ratios[0].mid(), ratios[1].mid()) + 1, ratios
