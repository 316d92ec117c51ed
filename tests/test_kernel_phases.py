"""What oscillates in expansions, integrals of it, exponentials not known up to what vanishes: against balls, and what is kept out."""

from __future__ import annotations

import random

import mpmath
import pytest
from gmpy2 import mpq

from asymp.check.ask import ask
from asymp.kernel import terms
from asymp.kernel.facts.ranges import ball
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.phase_integrals import series_of_waves
from asymp.kernel.growths.phases import Phases
from asymp.kernel.growths.series import Algebra
from asymp.kernel.growths.stationary import Phase
from asymp.kernel.rings.ratio import rational, to_term
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

N = terms.name("n")


def number(term):
    return mpmath.mpf(ball(term).mid().str(25, radius=False))


class At(Phases):
    """Sines at one n, as numbers: then an expansion is a number, too."""

    def __init__(self, n):
        super().__init__(lambda: terms.ONE, lambda s: s)
        self.n = terms.number(n)

    def series(self, e, term):
        value = number(terms.substitute(term, {"n": self.n}))
        return e.algebra.constant(rational(mpq(str(value))))


def expanded(text, n, order=3):
    """The value of the expansion at n, and of its remainder."""
    e = Expander(Algebra(Domain(), order), {"n": 0}, {}, phases=At(n))
    found = series_of_waves(e, terms.read(text))

    def size(g):
        assert not g.exponent
        return mpmath.fprod(mpmath.mpf(n) ** number(to_term(k)) * 1 for (_, depth), k in g.powers if not depth)

    return mpmath.fsum(number(to_term(c)) * size(g) for c, g in found.terms), max(size(g) for g in found.rest)


def value(text, n):
    """The integral by mpmath's quadrature, between roots of the phase or in many pieces."""
    body, low, high = terms.read(text).parts
    f = mpmath_of(terms.opened(body, terms.name("t")), n)
    a = number(low)
    if high == terms.name("oo"):
        return mpmath.quadosc(f, [a, mpmath.inf], omega=n)
    return mpmath.quad(f, mpmath.linspace(a, number(high), 60))


def mpmath_of(term, n):
    """A term in t and n as a function of t, by a translation of its own."""
    def of(x, t):
        inner = [of(part, t) for part in x.parts]
        match x.head:
            case "number":
                return mpmath.mpf(int(x.number.numerator)) / int(x.number.denominator)
            case "name":
                return {"t": t, "n": mpmath.mpf(n), "pi": mpmath.pi}[x.name]
            case "sum":
                return mpmath.fsum(inner)
            case "product":
                return mpmath.fprod(inner)
            case "power":
                return inner[0] ** inner[1]
        return getattr(mpmath, x.head)(*inner)

    return lambda t: of(term, t)


INTEGRALS = [
    "Integral(cos(n*t^2), (t, 0, 1))", "Integral(sin(n*t)*t^(-1/2), (t, 0, 1))", "Integral(cos(n*(t^3 - 3*t))*(1 + t), (t, 0, 2))",
    "Integral(cos(n*sin(t) - 2*t), (t, 0, pi))", "Integral(exp(-t)*sin(n*t), (t, 0, oo))", "Integral(cos(n*t)/(1 + t)^2, (t, 1, oo))",
    "Integral(sin(n*t + 1)*cos(n*t)*t, (t, 0, 1))", "Integral(cos(n*(t - t^2/2))*log(2 + t), (t, 0, 1))",
]  # fmt: skip


@pytest.mark.parametrize("text", INTEGRALS)
def test_an_integral_follows_its_expansion(text):
    ratios = []
    for n in (23, 61):
        found, rest = expanded(text, n)
        ratios.append(abs(value(text, n) - found) / rest)
    assert ratios[1] < 3 * ratios[0] + mpmath.mpf(10) ** -6, ratios
    assert ratios[1] < 50


def test_random_amplitudes_and_phases():
    chosen = random.Random(7)
    for _ in range(4):
        a, b, c = (chosen.randint(1, 5) for _ in range(3))
        text = f"Integral(({a} + t^{b})*cos(n*({c}*t + t^2)), (t, 0, 1))"
        (x, rest), exact = expanded(text, 47), value(text, 47)
        assert abs(exact - x) < 200 * rest, text


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("Integral(cos(n*(t^2 - t)), (t, 0, 1))", "_monotone"),  # it stands still at 1/2
        ("Integral(cos(n*(t^3 - t)), (t, 0, 1))", "_monotone"),
    ],
)
def test_without_a_condition_the_theorem_is_false(monkeypatch, text, condition):
    monkeypatch.setattr(Phase, "_stationary", lambda self, low, high: [])
    with pytest.raises(Refused):
        expanded(text, 61)
    monkeypatch.setattr(Phase, condition, lambda self, *_: None)
    errors = [abs(value(text, n) - found) / rest for n in (61, 301) for found, rest in [expanded(text, n, 4)]]
    assert errors[1] > 3 * errors[0], errors


@pytest.mark.parametrize(
    "text",
    [
        "Integral(cos(n*t)/t, (t, 0, 1))",  # not integrable at 0
        "Integral(cos(n*t), (t, 0, oo))", "Integral(sin(n*t)*t, (t, 0, oo))",  # which do not converge
        "Integral(cos(n*log(t))/t^(1/2), (t, 1, oo))",
        "Integral(cos(t)*cos(n*t^2), (t, 0, oo))",  # at infinity a sine is of no field of Hardy
        "Integral(cos(n*(t - t)), (t, 0, 1))", "Integral(t*cos(n*t^0), (t, 0, 1))",  # a phase that stands still
        "Integral(cos(n*t + n^2*t^2), (t, 0, 1))", "Integral(cos(n*t)/(n + t), (t, 0, 1))",
        "Integral(cos(n*(t - 1/2)^2)*log(t - 1/4), (t, 0, 1))",  # not defined
        "Integral(cos(n*1/t), (t, 0, 1))", "Integral(floor(t)*cos(n*t), (t, 0, 2))",
        "Integral(cos(n*t), (t, 0, n))", "Integral(cos(n*t)*exp(t), (t, -oo, 0))",
    ],
)  # fmt: skip
def test_integrals_that_are_refused(text):
    if text.endswith("(t, 0, n))"):  # sin(n^2)/n, which is no refusal: the phase n^2 u on [0, 1]
        assert expanded(text, 31)[1] > 0
    elif text.endswith("(t, -oo, 0))"):
        assert abs(expanded(text, 31)[0] - mpmath.mpf(1) / (1 + 31**2)) < 1e-5
    else:
        with pytest.raises(Refused):
            expanded(text, 31)


# --- sines in the series of functions ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("besselj(v, x) = sqrt(2/(pi*x))*cos(x - v*pi/2 - pi/4) + O(x^(-3/2)) as x -> oo for v > -3", True),
        ("besselj(v, x) = sqrt(2/(pi*x))*cos(x + v*pi/2 - pi/4) + O(x^(-3/2)) as x -> oo for v > 0", False),
        ("bessely(0, x) = (1 + 10^(-30))*sqrt(2/(pi*x))*sin(x - pi/4) + O(x^(-3/2)) as x -> oo", False),
        ("airyai(-x) = sin(2/3*x^(3/2) + pi/4)/(sqrt(pi)*x^(1/4)) + O(x^(-7/4)) as x -> oo", True),
        ("cos(x + 1/x) = cos(x) - sin(x)/x + O(1/x^2) as x -> oo", True),
        ("cos(x + 1/x) = cos(x) + sin(x)/x + O(1/x^2) as x -> oo", False),
        ("sin(x + log(x)/x) - sin(x) = O(1/x) as x -> oo", False),
        ("besselj(0, pi*n) = (-1)^n/(pi*sqrt(n)) + O(n^(-3/2)) as whole n -> oo", True),
        ("besselj(0, pi*n) = 1/(pi*sqrt(n)) + O(n^(-3/2)) as whole n -> oo", False),
        ("besselj(0, x) = o(x^(-1/2)) as x -> oo", False),
    ],
)
def test_sines_of_functions(text, holds):
    assert theorem(read_statement(text), holds)


@pytest.mark.parametrize("text", ["sin(x) = O(1/x) as x -> oo", "sin(x^2 + x) - sin(x^2) -> 0 as x -> oo"])
def test_what_has_other_phases_does_not_cancel(text):
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


# --- exponentials, and differences far out -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("exp(exp(x + 1/x))/exp(exp(x)) -> oo", "holds"), ("exp(exp(x + 1/x))/exp(exp(x) + exp(x)/x) -> oo", "holds"),
        ("exp(exp(x + 1/x))/exp(exp(x) + 2*exp(x)/x) -> oo", "refuted"),
        ("exp(exp(x + 1/x)) - exp(exp(x + 1/x) + exp(-2*x)) -> -oo", "holds"),
        ("exp(exp(x + 1/x) + 1/x)/exp(exp(x + 1/x)) = 1 + 2/x + O(1/x^2)", "refuted"),
        ("exp(exp(exp(x)/(1-1/x))) - exp(exp(exp(x)/(1-1/x-log(x)^(-log(x))))) -> -oo", "holds"),
        ("exp(exp(exp(x)/(1-1/x))) - exp(exp(exp(x)/(1-1/x+log(x)^(-log(x))))) -> -oo", "refuted"),
        ("(gamma(x + 1/gamma(x)) - gamma(x))/log(x) -> 1", "holds"),
        ("(gamma(x + 1/gamma(x)) - gamma(x))/log(x) -> 1 + 10^(-30)", "refuted"),
    ],
)  # fmt: skip
def test_exponentials_that_have_no_finite_exponent(text, outcome):
    verdict = ask(text, to="x -> oo")
    assert (str(verdict.outcome), str(verdict.strength)) == (outcome, "proved")


# --- sums --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Sum(cos(k), (k, 1, n)) = O(1)", True), ("Sum(cos(k), (k, 1, n)) = o(1)", False),
        ("Sum(cos(2*k)/k^2, (k, 1, n)) -> pi^2/6 - pi + 1", True),
        ("Sum(sin(k)/k^3, (k, 1, n)) -> pi^2/6 - pi/4 + 1/12", True), ("Sum(sin(k)/k, (k, 1, n)) -> (pi - 1)/2 + 10^(-30)", False),
        ("Sum(sin(k), (k, 1, n)) = (cos(1/2) + cos(n + 1/2))/(2*sin(1/2)) + O(1/n)", False),
    ],
)  # fmt: skip
def test_sums_of_sines(text, holds):
    assert theorem(read_statement(f"{text} as whole n -> oo"), holds)


@pytest.mark.parametrize(
    "text",
    ["Sum(sin(7*k)/k, (k, 1, n)) -> (pi - 7)/2", "Sum(cos(k)/(k - 5), (k, 1, n)) = O(1)", "Sum(cos(k)*sin(1/k), (k, 1, n)) -> 0",
     "Sum(cos(k)^2, (k, 1, n)) = O(1)", "Sum(cos(k^2)/k, (k, 1, n)) = O(1)"],
)  # fmt: skip
def test_sums_of_sines_that_are_refused(text):
    with pytest.raises(Refused):
        theorem(read_statement(f"{text} as whole n -> oo"), True)


@pytest.mark.parametrize(("a", "s"), [(mpq(1, 3), 1), (mpq(2), 2), (mpq(3), 3), (mpq(5), 4)])
def test_a_sum_of_sines_over_powers_against_numbers(a, s):
    e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({N}))
    head = "sin" if s % 2 else "cos"
    found = e.series(terms.read(f"Sum({head}({a}*k)/k^{s}, (k, 1, n))"))
    size = 4000
    wave = getattr(mpmath, head)
    total = mpmath.fsum(wave(k * mpmath.mpf(a.numerator) / a.denominator) / mpmath.mpf(k) ** s for k in range(1, size))
    assert abs(total - number(to_term(found.terms[0][0]))) < 10 * mpmath.mpf(size) ** -s


def test_a_turn_is_of_one_phase_of_a_whole_runner():
    for text, holds in (("cos(n) -> 0", False), ("cos(n) + cos(2*n) -> 0", False)):
        assert theorem(read_statement(f"{text} as whole n -> oo"), holds)
    for text in ("cos(n)*(-1)^n -> 0", "sin(pi*n) = o(1)"):
        with pytest.raises(Refused):
            theorem(read_statement(f"{text} as whole n -> oo"), False)
