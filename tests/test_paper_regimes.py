"""Regimes of papers: uniform over short ranges, what is rounded off, products over ranges, upper limits, negations, named numbers."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.ranges import ball
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.logarithmic_sums import _parts, _term, constant
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply, certificate, replay
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.language.syntax import Parser, words
from asymp.parse import claim
from asymp.prove.claims import theorem

N = "as whole n -> oo"
SHORT = "uniformly in whole k, n - sqrt(n) <= k <= n + sqrt(n)"

HOLDS = [
    # uniform where the ends of the range are near each other
    f"binomial(2*n, k)/4^n ~ exp(-(k - n)^2/n)/sqrt(pi*n) {SHORT} {N}",
    f"binomial(2*n, k)/4^n = O(1/sqrt(n)) {SHORT} {N}",
    f"k/n -> 1 {SHORT} {N}",
    # what is rounded off cancels
    "Product(1 - k/n, (k, 1, m - 1)) -> exp(-c^2/2) as n -> oo, m = floor(c*sqrt(n)) for c > 0",
    "n!/(n - m)!/n^m -> exp(-c^2/2) as n -> oo, m = ceiling(c*sqrt(n)) for c > 0",
    # products over ranges
    f"Product((2*k - 1)/(2*k), (k, 1, n)) ~ 1/sqrt(pi*n) {N}",
    f"Product(1 + k/n^2, (k, 1, n)) -> exp(1/2) {N}",
    f"Product((k - n - 1)*(k - n - 2), (k, 1, n)) ~ n!*(n + 1)! {N}",  # two negative factors
    # parameters that are ordered, and what falls or stays
    "x^a = O(x^b) as x -> oo for a >= 1, b >= a",
    # sums with logarithms, and roots
    f"Sum(log(k)^2/k, (k, 2, n)) = log(n)^3/3 + stieltjes(2) + o(1) {N}",
    f"Sum(log(k)/k^2, (k, n, oo)) ~ log(n)/n {N}",
    "n*(sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6))) -> 0 as n -> oo",
    # upper limits and negations
    f"limsup(cos(pi*n/2)) = 1 {N}", f"liminf((-1)^n*(1 + 1/n)) = -1 {N}", "limsup(x*sin(x)) = oo as x -> oo",
    "limsup(-n) = -oo as n -> oo", f"limsup(a*(-1)^n) <= a {N} for a > 0", "limsup(Abs(x)/x) = 1 as x -> 0",
    "not Abs(x)/x -> 1 as x -> 0",
]
FAILS = [
    f"binomial(2*n, k)/4^n = o(1/sqrt(n)) {SHORT} {N}",
    "p^n -> 0 uniformly in real p, 1/2 <= p < 1 as n -> oo",
    "Product(1 - k/n, (k, 1, m - 1)) -> exp(-c^2) as n -> oo, m = floor(c*sqrt(n)) for c > 0",
    "binomial(2*n, n + k) ~ 4^n/sqrt(pi*n)*exp(-k^2/n) as whole n -> oo, whole k -> oo, k/n^(4/5) -> 0",
    "x^a = o(x^b) as x -> oo for a >= 1, b >= a",
    f"Sum(log(k)/k, (k, 1, n)) = log(n)^2/2 + stieltjes(1) + 10^(-200) + o(1) {N}",
    "n*(sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6) + 10^(-60))) -> 0 as n -> oo",
    f"limsup(cos(pi*n/2)) = 1 - 10^(-200) {N}", f"limsup(cos(pi*n/2)) = 1 + 10^(-200) {N}", f"limsup(a*(-1)^n) <= a/2 {N} for a > 0",
    "limsup(1/n) = oo as n -> oo", f"not 1/n -> 0 {N}", "not Abs(x) -> 0 as x -> 0",
]


@pytest.mark.parametrize(("text", "holds"), [*((one, True) for one in HOLDS), *((one, False) for one in FAILS)])
def test_what_is_shown_is_replayed(text: str, holds: bool) -> None:
    found = theorem(read_statement(text), holds)
    assert found.holds is holds and replay(certificate(found)).statement == found.statement


@pytest.mark.parametrize(
    "text",
    [
        f"binomial(2*n, k)/4^n ~ exp(-(k - n)^2/(2*n))/sqrt(pi*n) {SHORT} {N}",
        f"1/(k - n) = O(1) {SHORT} {N}",  # it has no value at k = n
        f"k - n -> 0 {SHORT} {N}",
        f"Product(1 - 2*k/n, (k, 1, n - 1)) -> 0 {N}",  # factors of both signs
        f"Product(k - n - 1, (k, 1, n)) -> oo {N}",  # its sign is that of (-1)^n
        f"Product(1 - k/n, (k, 2, 1 - n)) -> 1 {N}",  # a range that runs backwards
        f"Product(((k - n - 1)^3)^(1/3)*((k - n - 2)^3)^(1/3), (k, 1, n)) ~ n!*(n + 1)! {N}",  # a root of what is negative
        f"Sum(log(k)/k, (k, 1 - n, n)) -> oo {N}",
        "floor(n*pi) - n*pi -> 0 as n -> oo",
        f"limsup(a*(-1)^n) = a {N} for a > 0",  # near a for one a, and not for all
        "not a/n -> 0 as n -> oo for a > 0",
        f"limsup(sin(n)) = sin(n) {N}",
    ],
)
def test_what_is_not_shown(text: str) -> None:
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


def test_what_is_said_of_all_paths_is_for_its_own_rules() -> None:
    """A rule that takes more paths, or fewer, or some at a time, concludes nothing of it."""
    along = {"order": 2, "place": {"scales": {"v": "n"}, "values": {"n": "v"}}, "runner": "k", "values": {"n": "k"}}
    for text in ("limsup(1/n) = 0 as n -> oo", "not 1/n -> 1 as n -> oo"):
        with pytest.raises(Refused):
            apply("asymptotic", statement=text, **along)
    sides = [theorem(read_statement(f"limsup(Abs(x)/x) = {c} as x -> 0{s}"), True) for c, s in ((1, "+"), (-1, "-"))]
    with pytest.raises(Refused):
        apply("two sides", sides[1:], statement="limsup(Abs(x)/x) = -1 as x -> 0", variable="x")
    with pytest.raises(Refused):
        apply("upper limit", [theorem(read_statement("1/n <= e as n -> oo for e > 1"), True)],
              statement="limsup(1/n) <= 0 as n -> oo", offset="e")  # fmt: skip


@pytest.mark.parametrize(
    "text", ["not a/n -> 0 as n -> oo for a > 0", "not f = C + O(1) for some real C as n -> oo", "not n => normal(0, 1) as n -> oo"]
)
def test_a_negation_with_two_readings_is_asked_back(text: str) -> None:
    body, _, regime = text.partition(" as ")
    to, _, assumed = regime.partition(" for ")
    with pytest.raises(ParseError):
        claim("me/x", body.replace("f =", "n ="), to=to, assume=[assumed] if assumed else [], source="me, 1")


@pytest.mark.parametrize("text", ["limsup(n) < 1 as n -> oo", "limsup(n) = 1 = n as n -> oo", "limsup(n, m) = 1 as n -> oo", "not not n -> 1 as n -> oo"])
def test_upper_limits_are_read_in_one_form(text: str) -> None:
    with pytest.raises(ParseError):
        read_statement(text)


# --- numbers by name -----------------------------------------------------------------------------


def test_numbers_by_name() -> None:
    for text, value in (
        ("Glaisher", mpmath.glaisher), ("Catalan", mpmath.catalan), ("GoldenRatio", mpmath.phi), ("stieltjes(2)", mpmath.stieltjes(2)),
        ("zeta'(2)", mpmath.zeta(2, 1, 1)), ("zeta''(-1)", mpmath.zeta(-1, 1, 2)),
    ):  # fmt: skip
        found = ball(terms.read(text), {}, 64)
        assert abs(float(found.mid()) - float(value)) < 1e-12
        assert words(Parser(words(Parser(text).whole())).whole()) == words(Parser(text).whole())
    for text in ("stieltjes(1/2)", "stieltjes(-1)", "zeta'(1)", "ZetaDerivative(1/2, 2)"):
        with pytest.raises(Refused):
            ball(terms.read(text), {}, 64)


@pytest.mark.parametrize(("e", "h"), [(mpq(-1), 1), (mpq(-1), 3), (mpq(1), 1), (mpq(-2), 2), (mpq(1, 2), 1), (mpq(-1, 3), 2), (mpq(3), 2)])
def test_sums_of_powers_with_logarithms(e: mpq, h: int) -> None:
    """DLMF 25.2.4 and 25.2.9 against sums term by term: within the remainder, which a wrong constant or term exceeds."""
    m, most = 60, 4

    def number(term: terms.Term) -> mpmath.mpf:
        return mpmath.mpf(ball(term, {}, 256).mid().str(50, radius=False))

    with mpmath.workdps(50):
        s = mpmath.mpf(int(e.numerator)) / int(e.denominator)
        total = mpmath.fsum(mpmath.mpf(k) ** s * mpmath.log(k) ** h for k in range(1, m + 1))
        parts = [number(_term(terms.number(m), *one)) for one in _parts(e, h, most)]
        gap = abs(total - mpmath.fsum(parts) - number(constant(e, h)))
        assert gap < mpmath.mpf(m) ** (s - 2 * most) * mpmath.log(m) ** h
        assert gap < min(abs(part) for part in parts if part) / 2  # what it would be without one of them


def test_a_rounded_term_is_one_quantity() -> None:
    algebra = Algebra(Domain(), 3).exactly()
    e = Expander(algebra, {"n": 0}, {}, frozenset({terms.name("n")}))
    same = e.series(terms.read("floor(sqrt(n)) - floor(sqrt(n)) + n"))
    assert [str(to_term(c)) for c, _ in same.terms] == ["1"] and not same.rest
    other = e.series(terms.read("floor(sqrt(n)) - floor(sqrt(n) + 1/2)"))  # 0 or -1: two quantities
    assert {g.limit(algebra.domain) for _, g in other.terms} <= {"one", "bounded"} and len(other.terms) > 1
    with pytest.raises(Refused):
        algebra.below(other)
