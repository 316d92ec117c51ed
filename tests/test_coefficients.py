"""[z^n] F: its text, its meaning, its values, and what is shown of it as n tends to infinity.

The numbers beside generating functions are those of the On-Line Encyclopedia of Integer Sequences; asymptotic statements are those of
Flajolet and Sedgewick, Analytic Combinatorics, chapters IV, VI and VIII, and of Sage's documentation of its generator
SingularityAnalysis, restated.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from gmpy2 import mpq

from asymp.check.meant import meant
from asymp.enclosure import Undecided, enclose, exact
from asymp.enclosure.arithmetic import to_ball
from asymp.enclosure.enclose import plan_of, run
from asymp.kernel import terms
from asymp.kernel.facts.coefficients import coefficient
from asymp.kernel.growths import saddles
from asymp.kernel.growths.circles import Coefficients, N
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.singular_expansions import coefficients
from asymp.kernel.growths.singularities import Singularities
from asymp.kernel.growths.winding import zeros_in_disc
from asymp.kernel.rings.power_series import Z
from asymp.kernel.terms import Refused
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.language.syntax import Parser, words
from asymp.language.tex import tex
from asymp.latex.terms import term as latex_term
from asymp.meaning import Meaningless
from asymp.parse import claim
from asymp.prove.claims import theorem

# --- text ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "again"), [
    ("[z^n] (1-sqrt(1-4*z))/(2*z)", "[z^n] (1 - sqrt(1 - 4*z))/(2*z)"),
    ("n!*[z^n] exp(z) - 1", "n!*([z^n] exp(z)) - 1"),
    ("1/[z^(2*n)] exp(z)", "1/([z^(2*n)] exp(z))"),
    ("-[z^n] -z", "-([z^n] -z)"),
    ("([z^n] z)!^2", "([z^n] z)!^2"),
    ("[z^n] [u^m] 1/(1 - u - z)", "[z^n] [u^m] 1/(1 - u - z)"),
    ("Sum([t^k] exp(t), (k, 0, n))", "Sum([t^k] exp(t), (k, 0, n))"),
])  # fmt: skip
def test_a_coefficient_is_written_and_read_back(text, again):
    node = Parser(text).whole()
    assert words(node) == again
    assert terms.of(Parser(again).whole()) == terms.of(node)
    assert terms.read(str(terms.of(node))) == terms.of(node)
    assert terms.of(latex_term(tex(node, {}))) == terms.of(node)


def test_its_variable_is_bound():
    one, other = (terms.read(f"[{v}^n] exp({v}*x)") for v in "zw")
    assert one == other != terms.read("[x^n] exp(x*x)") and one.free == {"n", "x"}
    body = Parser("[z^n] exp(z*x)").whole()
    assert body.free == {"n", "x"}
    assert claim("a/b", "[n^n] exp(n) <= 1 for n in 1..3", source="a, b").statement  # the n of the range is another


@pytest.mark.parametrize("text", ["[z^n] exp(z)/[z^n] z*2", "2^[z^n] z*3", "[z] z", "[z^n*2] z", "[2^n] z", "[z^n u^k] z", "Coefficient(z)"])
def test_what_has_two_readings_or_none_is_refused(text):
    with pytest.raises(ParseError):
        claim("a/b", f"{text} <= 1 for n in 1..3", source="a, b")


# --- meaning and values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("body", "numbers"), [
    ("(1-sqrt(1-4*z))/(2*z)", "1 1 2 5 14 42 132"), ("1/(1-z-z^2)", "1 1 2 3 5 8 13"),
    ("1/Product(1-z^k, (k, 1, oo))", "1 1 2 3 5 7 11"), ("Sum(z^k/(1-z^k), (k, 1, oo))", "0 1 2 2 3 2 4"),
    ("(1-z-sqrt(1-2*z-3*z^2))/(2*z^2)", "1 1 2 4 9 21 51"), ("log(1/(1-z))/(1-z)", "0 1 3/2 11/6 25/12"),
    ("z/(exp(z)-1)", "1 -1/2 1/12 0 -1/720"), ("exp(z/(1-z))", "1 1 3/2 13/6 73/24"), ("(1-z)^(1/3)", "1 -1/3 -1/9 -5/81"),
    ("(1-z)/(1-z)", "1 0 0 0"), ("sqrt((1-z)^2)", "1 -1 0 0"), ("(1+z)^z", "1 0 1 -1/2 5/6"), ("Product(1+k*z, (k, 1, 3))", "1 6 11 6 0"), ("Product(1+z/k, (k, 1, 2))", "1 3/2 1/2"),
])  # fmt: skip
def test_its_values(body, numbers):
    for n, value in enumerate(numbers.split()):
        assert exact(f"[z^n] {body}", {"n": n}) == Fraction(value)


def test_its_values_by_balls():
    for n in (200, 201, 260):  # exact, and beyond that balls
        assert 1 in enclose("n!*[z^n] exp(z)", {"n": n}, digits=20)
    with pytest.raises(Undecided):
        enclose("[z^n] exp(z)", {"n": 10**6})


@pytest.mark.parametrize(("body", "why"), [
    ("1/z", "a pole"), ("log(z)", "positive"), ("sqrt(z)", "positive"), ("sqrt(z^2)", "positive"), ("log(z)/log(z)", "positive"),
    ("exp(1/z)", "a pole"), ("1/(z - z)", "0 near 0"), ("log(z - 1)", "positive"), ("gamma(z)", "no power series of gamma"), ("cot(z)", "a pole"),
    ("Product(1 + z^(-k), (k, 1, oo))", "powers"), ("Product(1 + z/k, (k, 1, oo))", "index"), ("(exp(z) - 2)/z", "a pole"),
])  # fmt: skip
def test_what_has_no_power_series_has_no_meaning(body, why):
    for rest in ("<= 1 for n in 1..3", "= O(1) as n -> oo"):
        with pytest.raises(Meaningless, match=why):
            meant(claim("a/b", f"[z^n] {body} {rest}", source="a, b"))


@pytest.mark.parametrize("text", [
    "[z^n] exp(z) <= 3 for n in -1..2", "[z^(n/2)] exp(z) <= 3 for n in 1..2", "[z^n] exp(z) <= 3 for real n >= 1",
    "[z^n] sqrt(a - z) <= 3 for n in 1..2, a in {-1, 1}",
    "[z^n] 1/(a - z) = O(1) as n -> oo for a >= 0", "[z^n] exp(z)/(m - 2) = O(1) as n -> oo for m >= 1",
])  # fmt: skip
def test_what_is_not_defined_everywhere_has_no_meaning(text):
    with pytest.raises(Meaningless):
        meant(claim("a/b", text, source="a, b"))


# --- expansions against numbers --------------------------------------------------------------------------------------------


BITS = 2_000


def _value(term: terms.Term) -> fmpq | arb:
    return run(plan_of(term), {}, BITS)


def distances(body: str, found: Coefficients, sizes: tuple[int, ...]) -> list[float]:
    """|coefficient - terms| over the remainder."""
    term, said = terms.substitute(terms.read(body), {"z": Z}), list[float]()
    with ctx.workprec(BITS):
        for n in sizes:
            put = {N.name: terms.number(n)}
            wave = terms.multiply(terms.power(terms.number(-1), N), found.waved)
            kept = to_ball(_value(terms.substitute(terms.add(found.kept, wave, found.turning), put)))
            rest = sum((abs(to_ball(_value(terms.substitute(one, put)))) for one in found.rest), arb(0))
            gap = abs(to_ball(coefficient(term, n, _value)) - kept)
            said.append(float(gap.upper()) if not found.rest else float((gap / rest).upper()))
    return said


def of(body: str, order: int = 2) -> Coefficients:
    return coefficients(terms.substitute(terms.read(body), {"z": Z}), Domain(), order)


SIZES = (40, 41, 160)
FOUND = [
    "(1-z)^(-2)*log(1/(1-z))", "log(1/(1-z))^2", "exp(-z/2-z^2/4)/sqrt(1-z)", "1/((1-z)^2*(1+z))", "sqrt(1+z)/(1-z/3)",
    "1/(1-log(1/(1-z)))", "1/((1-2*z)*(1-z-z^3))", "z/(exp(z)-1)", "1/((1-z)^2*(1+z^2))", "1/((1-z)*(1-z^5))",
    "log((1-sqrt(1-4*z))/(2*z))", "1/(1-3/2*sqrt(1-z))", "1/(1+3/2*sqrt(1-z))", "sqrt(1+1/(1-z))", "1/(2-exp(exp(z)-1))",
    "1/(1-z*exp(z))", "(1-sqrt(1-2*log(1/(1-z))))", "exp(z/(1-z))", "z*exp(z+z^2/2)", "exp(1/sqrt(1-z))", "1/Product(1-z^k,(k,1,oo))",
    "1/(1/(1-z)-sqrt(1/(1-z)^2-1/2))", "sqrt(1-z)*log(1/(1-z))", "sin(z)/cos(z)", "log(1/cos(z))", "1/cos(2*z+1/3)",
    "Product(1+z^k,(k,1,oo))", "1/Product(1-z^k,(k,1,oo))^2", "Product((1-z^(3*k+2))^(-1/2),(k,0,oo))",
]  # fmt: skip


@pytest.mark.parametrize("body", FOUND)
def test_the_remainder_holds_the_rest(body):
    found = distances(body, of(body, 1), SIZES)
    assert max(found) < 20 and found[-1] < 2 * max(found[0], found[1], 1e-9), found


@pytest.mark.parametrize("body", ["1/(1-z^2)", "(1+z)^7/(1-3*z)^2", "1/(1-z^3)", "1/(1+z^2)^3", "1/(1-z+2*z^2)", "log(1/(1-3*z))", "1/(1-3*z+2*z^2)", "1/(1+z-z^2)", "(1-z)/(1-z)", "log(1-z)-log(1-z)"])
def test_what_is_exact_is_exact(body):
    found = of(body)
    assert not found.rest and max(distances(body, found, SIZES)) < 1e-40


# a condition of the theorem dropped, one at a time: the numbers see it


@pytest.mark.parametrize(("a", "b"), [
    *itertools.product((mpq(1, 2), mpq(-1), mpq(2), mpq(-5, 2)), (0, 1, 2)), (mpq(-2, 3), 0), (mpq(-2, 3), 1), (mpq(7, 4), 1),
])  # fmt: skip
def test_coefficients_of_standard_functions(a, b):
    body = f"(1-z)^({-a})*log(1/(1-z))^{b}" if b else f"(1-z)^({-a})"
    found = of(body)
    said = distances(body, found, SIZES)
    assert max(said) < 25 and said[-1] < 3 * max(said[0], 1e-9)
    if found.rest:  # with another constant before the terms, or without their correction, they are beside it
        wrong = distances(body, replace(found, kept=terms.multiply(terms.number(mpq(101, 100)), found.kept)), SIZES)
        assert wrong[-1] > 4 * wrong[0] or wrong[-1] > 50 * said[-1]


def test_a_singularity_that_is_not_seen_is_missed(monkeypatch):
    body = "1/((1-2*z)*(1-z))+sqrt(1-z)"
    said = distances(body, of(body), SIZES)
    plain = Singularities.of
    monkeypatch.setattr(Singularities, "of", lambda self, term: [one for one in plain(self, term) if str(one.place.value) != "x" and (
        one.place.size is None or self.domain.sign(one.place.size - self.domain.value(terms.ONE)) == 0)])  # fmt: skip
    other = "1/((1-2*z)*(1-z))+sqrt(1-z)+0*z^3"
    missed = distances(other, of(other), SIZES)
    assert max(said) < 20 and missed[-1] > 1e6 * max(missed[0], 1)


def test_a_root_of_unity_beside_the_saddle_is_not_seen_by_it(monkeypatch):
    """exp(z^2) has every other coefficient 0: that the exponents have no common divisor is needed."""
    with pytest.raises(Refused):
        of("exp(z^2)")
    monkeypatch.setattr(saddles, "gcd", lambda *numbers: 1)
    found = saddles.by_saddle(terms.substitute(terms.read("exp(z^2)"), {"z": Z}), Domain(), 1)
    assert min(distances("exp(z^2)", Coefficients(found.kept, terms.ZERO, found.rest), (40, 160))) > 1


@pytest.mark.parametrize(("body", "why"), [
    ("exp(-z/(1-z))", "essential"), ("exp(z/(1-z^2))", "essential"), ("exp(exp(z)-1)", "nothing singular"), ("exp(z-z^2)", "nothing"),
    ("1/(1-z-z^3)", "no number that is written down"), ("exp(log(1/(1-z))^2)", "essential"), ("1/(3-exp(z)-z^2)", "zeros in the disc"),
    ("Product(1-z^k, (k, 1, oo))", "infinite product"), ("1/Product(1-z^(2*k), (k, 1, oo))", "progression"), ("1/(1-a*z)", "may be 0"),
])  # fmt: skip
def test_what_is_not_known_is_refused(body, why):
    with pytest.raises(Refused, match=why):
        of(body)


def test_zeros_are_counted():
    for text, radius, count in (("1 - z*exp(z)", 1, 1), ("z^2*(2 - exp(z))", 1, 3), ("(exp(z) - 1)/z^2", 7, 1), ("3 - z", 2, 0)):
        assert zeros_in_disc(terms.substitute(terms.read(text), {"z": Z}), fmpq(radius)) == count
    for text in ("2 - z", "1 + log(1 - z)"):  # 0 on the circle; a logarithm that is not analytic in the disc
        with pytest.raises(Refused):
            zeros_in_disc(terms.substitute(terms.read(text), {"z": Z}), fmpq(2))


# --- statements -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("true", "false"), [
    ("[z^n] (1-sqrt(1-4*z))/(2*z) ~ 4^n/sqrt(pi*n^3)", "[z^n] (1-sqrt(1-4*z))/(2*z) ~ 4^(n+1)/sqrt(pi*n^3)"),
    ("[z^n] 1/(1-z-z^2) = ((1+sqrt(5))/2)^(n+1)/sqrt(5) + o(1)", "[z^n] 1/(1-z-z^2) = ((1+sqrt(5))/2)^n/sqrt(5) + o(1)"),
    ("[z^n] 1/(1-z^2) = (1+(-1)^n)/2 + O(2^(-n))", "[z^n] 1/(1-z^2) = 1/2 + o(1)"),
    ("[z^(2*n)] 1/sqrt(1-z^2) ~ 1/sqrt(pi*n)", "[z^(2*n)] 1/sqrt(1-z^2) ~ 1/sqrt(2*pi*n)"),
    ("n!*[z^n] exp(-z)/(1-z) ~ n!/E", "n!*[z^n] exp(-z)/(1-z) ~ n!/2"),
    ("([z^(n+1)] exp(z/(1-z)))/([z^n] exp(z/(1-z))) -> 1", "[z^n] exp(z/(1-z)) = O(exp(sqrt(n)))"),
    ("log([z^n] 1/(2-exp(z)))/n -> -log(log(2))", "log([z^n] 1/(2-exp(z)))/n -> log(2)"),
    ("[z^n] log(1/(1-z))/(1-z) = log(n) + EulerGamma + 1/(2*n) + O(1/n^2)", "[z^n] log(1/(1-z))/(1-z) = log(n) + EulerGamma + O(1/n^2)"),
    ("[z^n] (1-z)/(1-z) = O(exp(-n))", "[z^n] (1-z)/(1-z) = Theta(exp(-n))"),
    ("[z^n] 1/(1-log(1/(1-z))) ~ exp(-1)/(1-exp(-1))^(n+1)", "[z^n] 1/(1-log(1/(1-z))) ~ 1/(1-exp(-1))^(n+1)"),
    ("[z^n] z/((1-z)*log(1/(1-z))) ~ 1/log(n)", "[z^n] z/((1-z)*log(1/(1-z))) ~ 2/log(n)"),
    ("[z^n] 1/(1-z*exp(z)) ~ LambertW(1)^(-n)/(1+LambertW(1))", "[z^n] 1/(1-z*exp(z)) ~ LambertW(1)^(-n)"),
    ("[z^n] exp(z) ~ 1/n!", "[z^n] exp(z) ~ 2/n!"),
    ("[z^n] 1/(1+z^2) = cos(pi*n/2) + O(1/n)", "[z^n] 1/(1+z^2) = cos(pi*n/3) + O(1/n)"),
    ("[z^n] (tan(z) + sec(z)) ~ 2*(2/pi)^(n+1)", "[z^n] (tan(z) + sec(z)) ~ 2*(2/pi)^n"),
    ("[z^n] Product(1+z^k, (k, 1, oo)) ~ exp(pi*sqrt(n/3))/(4*3^(1/4)*n^(3/4))", "[z^n] Product(1+z^k, (k, 1, oo)) ~ exp(pi*sqrt(n/3))"),
    ("[z^n] (1-z)^(-a) ~ n^(a-1)/gamma(a) for a > 0", "[z^n] (1-z)^(-a) ~ n^a/gamma(a) for a > 0"),
    ("[z^n] 1/((1-z)*(1-p*z)) -> 1/(1-p) for 0 < p < 1", "[z^n] 1/((1-z)*(1-p*z)) -> 0 for 0 < p < 1"),
    ("[z^n] exp(x*z)/(1-z) -> exp(x) for x > 0", "[z^n] exp(x*z)/(1-z) -> exp(-x) for x > 0"),
])  # fmt: skip
def test_statements_and_their_siblings(true, false):
    for text, holds in ((true, True), (false, False)):
        said, _, where = text.partition(" for ")
        statement = read_statement(f"{said} as whole n -> oo" + (f" for {where}" if where else ""))
        assert not [leaf for leaf in theorem(statement, holds).trusts if leaf.startswith("engine")]


def test_a_factor_that_no_grid_sees_is_seen():
    for text, holds in (("(1+10^(-200))", False), ("(1+1/n)", True)):
        statement = read_statement(f"[z^n] 1/sqrt(1-4*z) ~ {text}*4^n/sqrt(pi*n) as whole n -> oo")
        assert theorem(statement, holds)
