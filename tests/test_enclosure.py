"""Certified numbers: every method against a second one, exact values, and what must be refused."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from flint import acb, arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.claim import Quantity
from asymp.enclosure import (
    Enclosure,
    InputError,
    Undecided,
    ball,
    compare,
    enclose,
    enclose_quantity,
    exact,
    prepare,
    sign,
    tails,
)
from asymp.enclosure.incomplete import gamma_derivative, log_power_tails
from asymp.enclosure.numbers import contains_exactly, decimal_ball, read_number
from asymp.special import GammaDerivative

i, b, t, n, p, x, z = sp.symbols("i b t n p x z", positive=True)
mu1, mun, alpha, c = sp.symbols("mu1 mun alpha c", positive=True)

# Grosof & Ayhan, Lemma 5.3 and Lemma 5.5
MU = 1 / p / (1 / mun + (1 - p) ** n / (n * mu1 * p) + sp.Sum((1 - p) ** b / (b * mu1), (b, 1, n - 1)))
DELTA = (1 - p) ** n * (1 - MU / (n * mu1)) * (
    n - 1 + 1 / p - MU / mu1 * sp.harmonic(n - 1) - MU / (n * p * mu1)
) + sp.Sum((1 - p) ** i * p * (1 - MU / (i * mu1)) * (i - MU / mu1 * sp.harmonic(i)), (i, 1, n - 1))
PARAMETERS = {
    "n": ("an integer >= 1", lambda v: isinstance(v, int) and v >= 1),
    "p": ("in (0, 1]", lambda v: 0 < v <= 1),
    "mu1": ("positive", lambda v: v > 0),
    "mun": ("positive", lambda v: v > 0),
}
OTHERS = {"p": {"alpha": n**-alpha, "c": c / n}}
THROUGHPUT = Quantity("lfms/throughput", MU, PARAMETERS, OTHERS)
RELATIVE = Quantity("lfms/relative", DELTA, PARAMETERS, OTHERS)

small_p = st.fractions(min_value=Fraction(1, 10**6), max_value=Fraction(999, 1000), max_denominator=10**6)


def lfms_exact(size: int, prob: Fraction, one: Fraction, big: Fraction) -> tuple[Fraction, Fraction]:
    """Both quantities, straight from the lemmas in rational arithmetic."""
    rest = 1 - prob
    h = [Fraction(0)]
    for k in range(1, size + 1):
        h.append(h[-1] + Fraction(1, k))
    inner = sum((rest**k / (k * one) for k in range(1, size)), Fraction(0))
    mu = 1 / prob / (1 / big + rest**size / (size * one * prob) + inner)
    edge = size - 1 + 1 / prob - mu / one * h[size - 1] - mu / (size * prob * one)
    value = rest**size * (1 - mu / (size * one)) * edge
    value += sum((rest**k * prob * (1 - mu / (k * one)) * (k - mu / one * h[k]) for k in range(1, size)), Fraction(0))
    return mu, value


def close(enclosure: Enclosure, reference: mpmath.mpf, digits: int = 20) -> bool:
    """Whether a certified value agrees with an mpmath number to some digits."""
    with mpmath.workdps(60):
        return bool(abs(mpmath.mpf(enclosure.value) / reference - 1) < mpmath.mpf(10) ** -digits)


# --- exact values ----------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.integers(1, 90), small_p, st.sampled_from(["1", "10", "1/10"]), st.sampled_from(["1", "10", "1/10"]))
def test_the_balls_contain_the_exact_rational_values(size: int, prob: Fraction, one: str, big: str) -> None:
    raw = {"n": str(size), "p": str(prob), "mu1": one, "mun": big}
    mu, value = lfms_exact(size, prob, Fraction(one), Fraction(big))
    assert mu in enclose_quantity(THROUGHPUT, raw)
    assert value in enclose_quantity(RELATIVE, raw)


def test_exact_agrees_with_the_lemmas() -> None:
    for size in (1, 2, 3, 60):
        values = {"n": size, "p": Fraction(1, size + 1), "mu1": 1, "mun": Fraction(1, 10)}
        found = exact(MU, values), exact(DELTA, values)
        assert found == lfms_exact(size, Fraction(1, size + 1), Fraction(1), Fraction(1, 10))


@settings(max_examples=20)
@given(st.integers(1, 400), small_p, st.integers(0, 3), st.integers(0, 2))
def test_power_harmonic_sums_contain_the_exact_sum(size: int, prob: Fraction, k: int, j: int) -> None:
    body = (1 - p) ** i * i**k * sp.harmonic(i) ** j
    direct, h, power = fmpq(0), fmpq(0), fmpq(1)
    rest = fmpq(prob.denominator - prob.numerator, prob.denominator)
    size = min(size, 120)
    for m in range(1, size + 1):
        h, power = h + fmpq(1, m), power * rest
        direct += power * fmpq(m) ** k * h**j
    found = ball(sp.Sum(body, (i, 1, n)), {"n": size, "p": prob}, 300)
    assert contains_exactly(found, direct)


@settings(max_examples=25)
@given(st.integers(1, 10**6), st.integers(60, 400))
def test_more_precision_gives_an_overlapping_narrower_ball(size: int, bits: int) -> None:
    expr = sp.Sum((1 - p) ** i * (i - sp.harmonic(i) + sp.harmonic(i) / i), (i, 1, n))
    values = {"n": size, "p": Fraction(1, size + 1)}
    rough, fine = ball(expr, values, bits), ball(expr, values, 2 * bits + 64)
    assert rough.overlaps(fine)
    assert fine.rad() <= rough.rad() or fine.rad() == 0


def test_exact_zero_is_zero() -> None:
    assert str(enclose(x - Fraction(1, 3) * sp.Integer(3) * x, {"x": "1/3"})) == "0"
    assert str(enclose(p * n - 1, {"p": "1e-1000", "n": "1e1000"})) == "0"
    assert enclose(DELTA, {"n": 5, "p": 1, "mu1": 1, "mun": 1}).value == "0"


# --- two methods for every number --------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (2, 2)])
@pytest.mark.parametrize("decay", ["0", "1e-30", "1e-6", "0.01", "0.3"])
def test_tails_agree_with_direct_sums(shape: tuple[int, int], decay: str) -> None:
    with ctx.workprec(160):
        rate, free, one = arb(decay), decay == "0", {shape: arb(1)}
        by_tails = tails.tail(rate, free, one, 60) - tails.tail(rate, free, one, 2000)
        by_terms = tails.direct(rate, one, 60, 1999)
        assert by_tails.overlaps(by_terms)
        assert by_terms.rel_accuracy_bits() > 100
        if decay != "0.3":  # there the tail from 2000 on is e^-600 and its recurrence loses digits
            assert by_tails.rad() < arb("1e-20")


@pytest.mark.parametrize("broken", ["remainder", "expansion", "correction"])
def test_a_broken_tail_is_caught_by_the_second_method(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    one = {(1, 1): arb(1)}
    if broken == "remainder":  # too few terms and no error term
        monkeypatch.setattr(tails, "remainder", lambda omitted: arb(0))
        monkeypatch.setattr(tails, "em_terms", lambda *_: 3)
    elif broken == "expansion":  # H(t) without its term 1/(2t)
        good = tails._harmonic_expansion
        monkeypatch.setattr(tails, "_harmonic_expansion", lambda k: {**good(k), (1, 0): fmpq(0)})
    else:
        monkeypatch.setattr(tails, "_corrections", lambda *_: arb(0))
    with ctx.workprec(160):
        rate = arb("0.001")
        by_tails = tails.tail(rate, False, one, 60) - tails.tail(rate, False, one, 900)
        assert not by_tails.overlaps(tails.direct(rate, one, 60, 899))


@pytest.mark.parametrize("size", [2000, 20000])
@pytest.mark.parametrize("power", ["1/2", "1", "2"])
def test_quantities_agree_with_a_direct_sum(size: int, power: str) -> None:
    raw = {"n": str(size), "alpha": power, "mu1": "1/10", "mun": "10"}
    with mpmath.workdps(60):
        prob = mpmath.mpf(size) ** -(mpmath.mpf(Fraction(power).numerator) / Fraction(power).denominator)
        one, big, rest = mpmath.mpf(1) / 10, mpmath.mpf(10), 1 - prob
        term, inner, rows, h = mpmath.mpf(1), mpmath.mpf(0), [], mpmath.mpf(0)
        for k in range(1, size):
            term *= rest
            h += mpmath.mpf(1) / k
            inner += term / k
            rows.append((term, h))
        last = term * rest
        mu = 1 / prob / (1 / big + last / (size * one * prob) + inner / one)
        value = last * (1 - mu / (size * one)) * (size - 1 + 1 / prob - mu / one * h - mu / (size * prob * one))
        for k, (weight, height) in enumerate(rows, 1):
            value += weight * prob * (1 - mu / (k * one)) * (k - mu / one * height)
        assert close(enclose_quantity(THROUGHPUT, raw), mu, 29)
        assert close(enclose_quantity(RELATIVE, raw), value, 29)


@pytest.mark.parametrize("body", [sp.log(i), 1 / (i + 1) ** 2, sp.sqrt(i), sp.log(i + x) / i, i ** sp.Rational(-3, 2)])
def test_general_sums_agree_with_direct_sums(body: sp.Expr) -> None:
    values = {"n": 3000, "x": "1/2"}
    function = sp.lambdify((i, x), body, "mpmath")
    with mpmath.workdps(40):
        direct = mpmath.fsum(function(mpmath.mpf(k), mpmath.mpf(1) / 2) for k in range(1, 3001))
    assert close(enclose(sp.Sum(body, (i, 1, n)), values, 25), direct, 24)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize("parameter", [0, 1, -1, -2, sp.Rational(3, 2)])
@pytest.mark.parametrize("u", ["1/1000", "1", "40", "3000"])
def test_gamma_derivative_agrees_with_quadrature(order: int, parameter: sp.Expr, u: str) -> None:
    found = enclose(GammaDerivative(order, parameter, sp.Rational(u)), digits=20)
    with mpmath.workdps(25):
        start, a = (
            mpmath.mpf(sp.Rational(u).p) / sp.Rational(u).q,
            mpmath.mpf(sp.Rational(parameter).p) / sp.Rational(parameter).q,
        )

        def integrand(v: mpmath.mpf) -> mpmath.mpf:  # s = start e^v
            s = start * mpmath.exp(v)
            return mpmath.exp(start - s) * s**a * mpmath.log(s) ** order

        width = mpmath.log(1 + 90 / start)
        direct = mpmath.quad(integrand, mpmath.linspace(0, width, 24)) * mpmath.exp(-start)
    assert close(found, direct, 14)


def test_gamma_derivative_evaluates_in_sympy_too() -> None:
    for u in (sp.Rational(1, 50), sp.Integer(1), sp.Integer(7)):
        expr = GammaDerivative(1, 0, u)
        assert close(enclose(expr), mpmath.mpf(str(expr.evalf(18))), 14)


def test_far_and_near_expansions_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    from asymp.enclosure import incomplete

    with ctx.workprec(120):
        far = gamma_derivative(2, fmpq(-1), arb(300))
        monkeypatch.setattr(incomplete, "_far", lambda *_: None)
        near = gamma_derivative(2, fmpq(-1), arb(300))
    assert far.overlaps(near)
    assert min(far.rel_accuracy_bits(), near.rel_accuracy_bits()) > 90


def test_log_power_tails_agree_with_rigorous_quadrature() -> None:
    with ctx.workprec(100):
        rows = log_power_tails(arb("0.125"), arb(20), 2, 6)
        for s in (1, 3, 6):
            for power in range(3):
                direct = acb.integral(
                    lambda v, a, s=s, k=power: (-v / 8).exp() / v**s * v.log(analytic=a) ** k, 20, 1500
                )
                assert rows[s - 1][power].overlaps(direct.real + arb(0, arb("1e-60")))


def test_integrals_agree_with_their_closed_forms() -> None:
    prob = {"p": "1/3"}
    by_gamma = enclose(sp.Integral((1 - p) ** t * sp.log(t) / t, (t, 1, 9)), prob)
    by_quadrature = enclose(sp.Integral((1 - p) ** t * sp.log(t + 0 * t) / (t + 1) * (1 + 1 / t), (t, 1, 9)), prob)
    assert by_gamma.ball.overlaps(by_quadrature.ball)
    half_line = enclose(sp.Integral(sp.exp(-t) * sp.log(1 - sp.exp(-t)), (t, 1, sp.oo)))
    # by parts: with w = 1 - e^-1, the integral of ln w over [w, 1] is -1 - w ln w + w
    w = 1 - sp.exp(-1)
    assert half_line.ball.overlaps(enclose(-1 - w * sp.log(w) + w).ball)


# --- reference values ----------------------------------------------------------------------------

REFERENCES = [
    # DLMF 4.6.1: -ln(1 - x) = sum of x^b/b, at 1/2
    (sp.Sum(sp.Rational(1, 2) ** i / i, (i, 1, sp.oo)), sp.log(2)),
    # Euler: sum of 1/i^2
    (sp.Sum(1 / i**2, (i, 1, sp.oo)), sp.pi**2 / 6),
    # Euler (1775): sum of H_i/i^2 = 2 zeta(3)
    (sp.Sum(sp.harmonic(i) / i**2, (i, 1, sp.oo)), 2 * sp.zeta(3)),
    # Au-Yeung (1993), Borwein & Borwein (1995): sum of H_i^2/i^2 = 17 pi^4/360
    (sp.Sum(sp.harmonic(i) ** 2 / i**2, (i, 1, sp.oo)), 17 * sp.pi**4 / 360),
    # generating function of the harmonic numbers: -ln(1-x)/(1-x), at 1/10
    (sp.Sum(sp.Rational(1, 10) ** i * sp.harmonic(i), (i, 1, sp.oo)), -sp.log(sp.Rational(9, 10)) * sp.Rational(10, 9)),
    # Graham, Knuth, Patashnik (6.67-6.70): sum of H_i for i <= m is (m+1)(H_(m+1) - 1)
    (sp.Sum(sp.harmonic(i), (i, 1, n)), (n + 1) * (sp.harmonic(n + 1) - 1)),
    # sum of H_i/i for i <= m is (H_m^2 + H_m^(2))/2 (GKP 6.71)
    (sp.Sum(sp.harmonic(i) / i, (i, 1, n)), (sp.harmonic(n) ** 2 + sp.harmonic(n, 2)) / 2),
    # exponential series
    (sp.Sum(3**i / sp.factorial(i), (i, 0, sp.oo)), sp.exp(3)),
    # Stirling's sum of logarithms
    (sp.Sum(sp.log(i), (i, 1, n)), sp.loggamma(n + 1)),
    # DLMF 6.2.2 and 8.19.1
    (sp.Integral(sp.exp(-t) / t, (t, 2, sp.oo)), sp.expint(1, 2)),
    # DLMF 6.12.1 region: E_1(x) = -Ei(-x) for x > 0
    (sp.uppergamma(0, 3), sp.expint(1, 3)),
    # DLMF 25.12.6: Li2(x) + Li2(1-x) = pi^2/6 - ln x ln(1-x)
    (
        sp.polylog(2, sp.Rational(1, 7)) + sp.polylog(2, sp.Rational(6, 7)),
        sp.pi**2 / 6 - sp.log(sp.Rational(1, 7)) * sp.log(sp.Rational(6, 7)),
    ),
    # sum of sqrt(i), i <= m: zeta(-1/2) - zeta(-1/2, m+1) (DLMF 25.11.4)
    (sp.Sum(sp.sqrt(i), (i, 1, n)), sp.zeta(-sp.S.Half) - sp.zeta(-sp.S.Half, n + 1)),
]


@pytest.mark.parametrize(("left", "right"), REFERENCES, ids=[str(k) for k in range(len(REFERENCES))])
def test_reference_identities(left: sp.Expr, right: sp.Expr) -> None:
    values = {"n": "1e20"}
    first, second = enclose(left, values), enclose(right, values)
    assert first.ball.overlaps(second.ball)


def test_printed_reference_digits() -> None:
    # Euler's constant, OEIS A001620; Apery's, A002117; Omega constant, A030178
    assert enclose(sp.EulerGamma, digits=20).value == "0.57721566490153286061"
    assert enclose(sp.zeta(3), digits=20).value == "1.2020569031595942854"
    assert enclose(sp.LambertW(1), digits=20).value == "0.56714329040978387300"
    # Soldner: li(1.4513692348833810502839684858920274494930322836...) = 0, OEIS A070769
    assert sign(sp.li(sp.Rational("1.45136923488338105028396848589"))) == -1
    assert sign(sp.li(sp.Rational("1.45136923488338105028396848590"))) == 1


# --- huge and tiny ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["1e20", "1e100", "1e1000"])
def test_throughput_is_near_its_leading_terms_at_huge_n(size: str) -> None:
    # alpha = 2: mu/n = 1 - O(n^-1 ln n), and E[Delta] is positive (Theorem 4.3)
    values = {"n": size, "p": sp.Integer(int(read_number(size).p)) ** -2, "mu1": 1, "mun": 1}
    assert compare(MU, "<", n, values)
    assert compare(MU, ">", n - 2 * sp.log(n), values)
    assert enclose_quantity(RELATIVE, {"n": size, "alpha": "2", "mu1": "1", "mun": "1"}).ball > 0


def test_powers_near_one_need_no_long_base() -> None:
    tiny = enclose((1 - x) ** n, {"x": "1e-2000", "n": "1e1000"}, 1100)
    assert compare((1 - x) ** n, "<", 1, {"x": "1e-2000", "n": "1e1000"})
    assert Fraction(10**1000 - 1, 10**1000) in tiny or tiny.ball < 1
    assert enclose(x, {"x": "1e-3000000"}).value.endswith("e-3000000")


def test_a_transition_is_refused_or_right() -> None:
    """Gamma(n, n) at n = 10^1000: flint's balls are nan there."""
    with pytest.raises(Undecided):
        enclose(sp.uppergamma(n, n), {"n": "1e1000"}, cap_bits=2000)
    # at n = 1000, Gamma(n, n) = (n-1)! e^-n sum of n^k/k! (DLMF 8.4.8), exactly summed
    direct = sp.factorial(999) * sp.exp(-1000) * sp.Sum(sp.Integer(1000) ** i / sp.factorial(i), (i, 0, 999))
    assert enclose(sp.uppergamma(n, n), {"n": 1000}).ball.overlaps(enclose(direct).ball)


def test_values_may_be_irrational_or_balls() -> None:
    root = enclose(x**2, {"x": sp.Integer(10) ** sp.Rational(-1, 2)})
    assert Fraction(1, 10) in root
    again = enclose(x * 2, {"x": enclose(sp.pi, digits=50)}, digits=40)
    assert again.ball.overlaps(enclose(2 * sp.pi, digits=40).ball)
    assert Fraction(10) in enclose(sp.exp(x / 100), {x: sp.log(sp.Integer(10) ** 100)})


# --- comparisons and refusals ------------------------------------------------------------------------


def test_comparisons_never_take_an_overlap_for_an_answer() -> None:
    assert sign(sp.exp(sp.pi * sp.sqrt(163)) - 262537412640768744) == -1
    assert compare(x, "<=", Fraction(1, 3), {"x": "1/3"})
    assert not compare(x, "<", Fraction(1, 3), {"x": "1/3"})
    for op in ("<", "<=", ">", ">=", "=="):
        with pytest.raises(Undecided):
            compare(sp.sqrt(2) * sp.sqrt(x), op, sp.sqrt(2 * x + 0 * x + y_zero()), {"x": 3, "y": 1}, cap_bits=1000)


def y_zero() -> sp.Expr:
    """Zero, but not rationally: sin^2 + cos^2 - 1."""
    y = sp.Symbol("y", positive=True)
    return sp.sin(y) ** 2 + sp.cos(y) ** 2 - 1


@pytest.mark.parametrize(
    ("expr", "values"),
    [
        (sp.log(-1 - x), {"x": 1}),
        (1 / (x - 1), {"x": 1}),
        (sp.Sum(1 / i, (i, 1, sp.oo)), {}),
        (sp.Sum(2**i / i, (i, 1, sp.oo)), {}),
        (sp.Integral(1 / t, (t, 1, sp.oo)), {}),
        (sp.Integral(sp.sin(t), (t, 0, sp.oo)), {}),
        (sp.Sum(sp.log(i), (i, 1, n)), {"n": "5/2"}),
        (sp.Function("f")(x), {"x": 1}),
        (y_zero(), {"y": 1}),
    ],
)
def test_what_is_not_a_number_is_undecided(expr: sp.Expr, values: dict[str, object]) -> None:
    with pytest.raises(Undecided):
        enclose(expr, values, cap_bits=400)  # more bits say the same, after a longer while


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "1e", "1e999999999", "1/0", "0x10", "1_0", "1.2.3", "--1", "1e1.5", "١"]
)
def test_bad_numbers(text: str) -> None:
    with pytest.raises(InputError, match="n"):
        read_number(text, "n")


def test_numbers_are_read_exactly() -> None:
    assert read_number("1e8") == 10**8
    assert read_number("0.25") == fmpq(1, 4)
    assert read_number(" -2 ") == -2
    assert read_number("1.5e-3/2") == fmpq(3, 4000)
    assert read_number("1e1000") == fmpq(10) ** 1000
    with pytest.raises(InputError):
        enclose(x, {"x": 0.1})


GOOD = {"n": "10", "p": "1/3", "mu1": "1", "mun": "1"}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"q": "1"}, "q"),
        ({"n": None}, "n"),
        ({"p": None}, "p"),
        ({"alpha": "2"}, "alpha"),
        ({"p": "nan"}, "p"),
        ({"n": "2.5"}, "n"),
        ({"n": "0"}, "n"),
        ({"mu1": "-1"}, "mu1"),
        ({"p": None, "c": "11"}, "c"),
        ({"p": None, "alpha": "-1"}, "alpha"),
        ({"n": "1e99999999999"}, "n"),
    ],
)
def test_bad_parameters_are_named_in_one_line(change: dict[str, str | None], named: str) -> None:
    raw = {k: v for k, v in {**GOOD, **change}.items() if v is not None}
    with pytest.raises(InputError) as caught:
        enclose_quantity(THROUGHPUT, raw)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("digits", [0, -3, 100_001, 2.5, True])
def test_bad_digits(digits: int) -> None:
    with pytest.raises(InputError, match="digits"):
        enclose_quantity(THROUGHPUT, GOOD, digits=digits)


@settings(max_examples=60)
@given(st.fractions(), st.integers(1, 40), st.integers(-400, 400))
def test_printed_midpoint_and_radius_contain_the_ball(value: Fraction, digits: int, scale: int) -> None:
    with ctx.workprec(100):
        inside = arb(fmpq(value.numerator, value.denominator)) * arb(10) ** scale
        text, radius = decimal_ball(inside, digits)
    low, high = read_number(text) - read_number(radius), read_number(text) + read_number(radius)
    with ctx.workprec(20_000):  # exact: the ends of the ball are dyadic
        assert arb(low) <= inside.mid() - inside.rad() or low == high
        assert arb(high) >= inside.mid() + inside.rad() or low == high
        assert contains_exactly(inside, low) or low < high


def test_cost_does_not_grow_with_n() -> None:
    """Not a matter of seconds: the same number of precision rounds, at a precision that n does not set."""
    prepare(THROUGHPUT)
    prepare(RELATIVE)
    raw = {"alpha": "1", "mu1": "1", "mun": "1"}
    for quantity in (THROUGHPUT, RELATIVE):
        near, far = (enclose_quantity(quantity, {**raw, "n": size}) for size in ("1e8", "1e1000"))
        assert near.bits == far.bits
