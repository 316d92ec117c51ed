"""Integrals with a large parameter: Watson, Laplace, Erdelyi, windows, traps, and certified values at sharp peaks."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp
from flint import arb, ctx

from asymp.cas import term_of
from asymp.check.expansion import expand_text
from asymp.enclosure import Undecided, ball, enclose
from asymp.enclosure.ranges import span
from asymp.kernel.terms import Refused
from asymp.parse import parse_expression
from tests.expansions import Expansion, expanded, far, follows

n = sp.Symbol("n", positive=True)
t = sp.Symbol("t", positive=True)
r = sp.Symbol("r", positive=True)


def integral(function: sp.Expr, low: sp.Expr | int = 0, high: sp.Expr = sp.oo) -> sp.Integral:
    return sp.Integral(function, (t, low, high))


def same(found: Expansion, terms: sp.Expr, count: int | None = None) -> bool:
    """Whether the first terms are these."""
    return sp.simplify(sp.expand(sp.powsimp(sp.expand(sp.Add(*found.terms[:count]) - terms)))) == 0


# --- known expansions --------------------------------------------------------------------------


def test_stirling():
    """t^n e^(-t) peaks at t = n: the expansion of n! from its logarithm is another method."""
    found, stirling = expanded(integral(t**n * sp.exp(-t)), order=5), expanded(sp.factorial(n), order=5)
    assert all(sp.simplify(x / y) == 1 for x, y in zip(found.terms, stirling.terms, strict=True))


def test_macdonald_and_bessel():
    """DLMF 10.40.1-2: K_0 and I_0 with a_k(0) = prod (-(2j-1)^2)/(k! 8^k)."""
    a = [sp.Mul(*(-sp.Integer(2 * j - 1) ** 2 for j in range(1, k + 1))) / (sp.factorial(k) * 8**k) for k in range(4)]
    found = expanded(integral(sp.exp(-n * sp.cosh(t))), order=4)
    head = sp.sqrt(sp.pi / (2 * n)) * sp.exp(-n)
    assert same(found, head * sum(c / n**k for k, c in enumerate(a)), 4)
    found = expanded(integral(sp.exp(n * sp.cos(t)), 0, sp.pi), order=4)
    head = sp.pi * sp.exp(n) / sp.sqrt(2 * sp.pi * n)
    assert same(found, head * sum((-1) ** k * c / n**k for k, c in enumerate(a)), 4)


def test_watson():
    """DLMF 6.12.1: e^z E_1(z) = int e^(-zt)/(1+t) dt ~ sum (-1)^k k!/z^(k+1)."""
    found = expanded(integral(sp.exp(-n * t) / (1 + t)), order=7)
    assert same(found, sum((-1) ** k * sp.factorial(k) / n ** (k + 1) for k in range(7)))
    assert found.growth == n**-8


def test_watson_symbolic_power_and_logarithm():
    """int t^(s-1) e^(-nt)/(1+t) ~ sum (-1)^k Gamma(s+k) n^(-s-k); its derivative at s = 1 has the logarithm."""
    s = sp.Symbol("s", positive=True)
    found = expanded(integral(t ** (s - 1) * sp.exp(-n * t) / (1 + t)), assume="s>0", order=4)
    for k, term in enumerate(found.terms):
        assert sp.simplify(sp.gammasimp(term * n ** (s + k) / sp.gamma(s + k)) - (-1) ** k) == 0
    found = expanded(integral(sp.exp(-n * t) * sp.log(t) / (1 + t)), order=6)
    form = sum((-1) ** k * sp.diff(sp.gamma(s) * n ** (-s), s).subs(s, k + 1) for k in range(3))
    assert same(found, sp.expand_func(form), 6)


def test_wallis():
    """int_0^(pi/2) cos^n = sqrt(pi) Gamma((n+1)/2)/(2 Gamma(n/2+1)) (DLMF 5.12.2)."""
    found = expanded(integral(sp.cos(t) ** n, 0, sp.pi / 2), order=4)
    other = expanded(sp.sqrt(sp.pi) / 2 * sp.gamma((n + 1) / 2) / sp.gamma(n / 2 + 1), order=4)
    assert all(sp.simplify(x - y) == 0 for x, y in zip(found.terms, other.terms, strict=True))


def test_beta_with_symbolic_power():
    """int t^(s-1) (1-t)^n = B(s, n+1) ~ Gamma(s) n^(-s) (1 - s(s+1)/(2n) + ...) (DLMF 5.11.13)."""
    s = sp.Symbol("s", positive=True)
    first, second = expanded(integral(t ** (s - 1) * (1 - t) ** n, 0, 1), assume="s>0", order=2).terms
    assert sp.simplify(sp.gammasimp(n * second / first) + s * (s + 1) / 2) == 0


@pytest.mark.parametrize("phase", [sp.log(1 + t) - t / 3, -((t - 2) ** 2) * (1 + t / 5)])
def test_perron(phase):
    """Perron's formula: Gamma(k + 1/2)/(2k)! d^(2k)/dt^(2k) [g ((t-t0)^2/(phi(t0)-phi(t)))^(k+1/2)] at t0."""
    g = 1 / (1 + t)
    (peak,) = [x for x in sp.solve(sp.diff(phase, t), t) if x.is_positive]
    found = expanded(integral(g * sp.exp(n * phase)), order=3)
    top = sp.exp(n * phase.subs(t, peak)) * sp.sqrt(n)
    w = sp.Symbol("w")
    depth = 5
    shifted = [sp.diff(phase, t, j).subs(t, peak) / sp.factorial(j) for j in range(2, 2 + depth)]
    ratio = sum(-c * w**j for j, c in enumerate(shifted))
    amplitude = g.subs(t, peak + w)
    for k, term in enumerate(found.terms):
        c = sp.simplify(term * n ** (k + 1) / top)
        lead = ratio.subs(w, 0)
        expression = amplitude * (ratio / lead) ** (-k - sp.Rational(1, 2))
        value = sp.diff(expression, w, 2 * k).subs(w, 0) / sp.factorial(2 * k)
        assert sp.simplify(c - sp.gamma(k + sp.Rational(1, 2)) * value * lead ** (-k - sp.Rational(1, 2))) == 0


# --- the blocking integrals of insensitive load balancing -----------------------------------------


def test_erlang_in_the_window():
    """rho = 1 + a/sqrt(n): exp(a^2/2) erfc(a/sqrt 2) leads (Jagerman 1974, theorem 14)."""
    found = expanded("Integral((1+t)**n*exp(-n*rho*t),(t,0,oo))", "n->oo, rho=1+a/sqrt(n)", "a>0")
    a = sp.Symbol("a", positive=True)
    lead = sp.sqrt(sp.pi / 2) * sp.exp(a**2 / 2) * sp.erfc(a / sp.sqrt(2))
    assert same(found, lead / sp.sqrt(n), 1)


@pytest.mark.parametrize("theta", [2, 3, 4])
def test_endpoint_with_gaps(theta):
    """rho > 1: 1/((rho-1) n) - 1/((rho-1)^(theta+2) n^(theta+1)) + ..., nothing between (ilb, equation 54)."""
    g = sum(t**k / sp.factorial(k) for k in range(theta + 1))
    rho = sp.Symbol("rho", positive=True)
    found = expanded(integral(g**n * sp.exp(-n * rho * t)), assume="rho>1", order=2)
    assert same(found, 1 / ((rho - 1) * n) - 1 / ((rho - 1) ** (theta + 2) * n ** (theta + 1)), 2)


@pytest.mark.parametrize("theta", [1, 2, 3, 5])
def test_degenerate_endpoint(theta):
    """rho = 1: (theta+1)!^(1/(theta+1))/(theta+1) Gamma(1/(theta+1)) n^(-1/(theta+1)) (ilb, corollary 6)."""
    g = sum(t**k / sp.factorial(k) for k in range(theta + 1))
    found = expanded(integral(g**n * sp.exp(-n * t)), order=2)
    p = theta + 1
    lead = sp.factorial(p) ** sp.Rational(1, p) * sp.gamma(sp.Rational(1, p)) / p
    assert same(found, lead * n ** -sp.Rational(1, p), 1)


def test_window_keeps_its_integral():
    """theta = 2, n rho = n + a n^(1/3): the leading coefficient is int exp(-a u - u^3/6) du (ilb, theorem 7)."""
    found = expanded("Integral((1+t+t**2/2)**n*exp(-n*rho*t),(t,0,oo))", "n->oo, rho=1+a/n**(2/3)", "a>0", order=1)
    c = sp.simplify(found.terms[0] * n ** sp.Rational(1, 3))
    assert n not in c.free_symbols
    at = {"a": "1/2"}
    u = sp.Symbol("u", positive=True)
    airy = ball(sp.Integral(sp.exp(-u / 2 - u**3 / 6), (u, 0, sp.oo)), {}, 80)
    plain = c.subs(sp.Symbol("a", positive=True), sp.Symbol("a"))
    assert enclose(plain, at, digits=12).ball.overlaps(airy)


# --- windows, several scales ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("Integral(exp(-n*t**2-n**(3/4)*t),(t,0,oo))", n ** -sp.Rational(3, 4)),
        ("Integral(exp(-n*t**2-n**(1/4)*t),(t,0,oo))", sp.sqrt(sp.pi / n) / 2),
        ("Integral(exp(-n*t-1/t),(t,0,oo))", sp.sqrt(sp.pi) * sp.exp(-2 * sp.sqrt(n)) * n ** -sp.Rational(3, 4)),
        ("Integral(exp(n*(t**2-t**4)),(t,-oo,oo))", sp.sqrt(2 * sp.pi / n) * sp.exp(n / 4)),
        ("Integral(exp(n*t**2),(t,-1,1))", sp.exp(n) / n),
        ("Integral(exp(-n*(1-cos(t))),(t,0,2*pi))", sp.sqrt(2 * sp.pi / n)),
        ("Integral(exp(-t)/t,(t,n,oo))", sp.exp(-n) / n),
    ],
)
def test_leading_terms(text, lead):
    assert same(expanded(text), lead, 1)


def test_the_peak_leaves_the_range():
    """rho < 2: inside, rho > 2: at the end 1; for all rho: refused."""
    text = "Integral(exp(n*(t*rho-t**2)),(t,0,1))"
    with pytest.raises(Refused):
        expanded(text, assume="rho>0")
    inside, outside = (expanded(text, assume=a).terms[0] for a in ("0<rho<2", "rho>2"))
    assert inside != outside


# --- traps -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Integral(exp(n*t),(t,0,oo))",
        "Integral(exp(n/t),(t,0,1))",
        "Integral(exp(-n*t)/t,(t,0,oo))",
        "Integral(exp(-n*t)/t**(3/2),(t,0,1))",
        "Integral(exp(-n*t)/(t-1),(t,0,oo))",
        "Integral(exp(-n*t)/(t-1)**2,(t,0,2))",
        "Integral(exp(-n*t)*tan(t),(t,0,2))",
        "Integral(floor(t+1/2)*exp(-n*t),(t,0,oo))",
        "Integral(exp(-n*t)*exp(t**2),(t,0,oo))",
        "Integral((1+t**2)**(-n)*exp(t),(t,0,oo))",
        "Integral(exp(-n*atan(t)),(t,0,oo))",
        "Integral(exp(-n*t/(1+t)),(t,0,oo))",
        "Integral(exp(-n*t)*sin(1/t),(t,0,1))",
        "Integral(cos(t)**n,(t,0,pi))",
        "Integral(1/(1+t**n),(t,0,1))",
        "Integral(exp(-t**2/n)*sin(t),(t,0,oo))",
        "Integral(exp(-n*Abs(t-1/n)),(t,0,1))",
    ],
)
def test_traps_are_refused(text):
    with pytest.raises(Refused):
        expanded(text)


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("Integral(exp(-n*t)*log(1+t)/t,(t,0,oo))", lambda t: mp.log1p(t) / t * mp.exp(-100 * t)),
        ("Integral((sin(t)/t)**n,(t,0,1))", lambda t: mp.sinc(t) ** 100),
        ("Integral(exp(-n*t)*t/(exp(t)-1),(t,0,oo))", lambda t: t / mp.expm1(t) * mp.exp(-100 * t)),
        ("Integral(exp(-n*t)*(1/t-1/sin(t)),(t,0,1))", lambda t: (1 / t - 1 / mp.sin(t)) * mp.exp(-100 * t)),
        ("Integral(exp(-n*t)*(1/(exp(t)-1)-1/t+1/2)/t,(t,0,oo))",
         lambda t: (1 / mp.expm1(t) - 1 / t + mp.mpf(1) / 2) / t * mp.exp(-100 * t)),
        ("Integral(t**n*log(t)/(t-1),(t,0,1))", lambda t: t**100 * mp.log(t) / (t - 1)),
    ],
)
def test_removable_singularities(text, function):
    """Values at n = 100 against mpmath's quadrature at 60 digits, where no value is put in."""
    with mp.workdps(60):
        top = 1 if ",1))" in text else 3
        points = [mp.mpf(10) ** -30, mp.mpf(1) / 50, mp.mpf(1) / 10, mp.mpf(1) / 2, top - mp.mpf(10) ** -40]
        points += [] if top == 1 else [6]
        other = mp.quad(function, points)
        value = enclose(parse_expression(text, {}), {"n": 100}, digits=15).ball
        assert abs(mp.mpf(value.mid().str(30, radius=False)) - other) < mp.mpf(10) ** -14 * abs(other)


def test_a_quotient_is_removable_only_if_its_numerator_vanishes():
    """cos(t)/t is no such quotient: the integral diverges, and no closed form hides that."""
    for text in ("Integral(exp(-n*t)*cos(t)/t,(t,0,1))", "Integral((exp(-n*t)-2*exp(-2*n*t))/t,(t,0,oo))"):
        with pytest.raises(Refused):
            expanded(text)
        with pytest.raises(Undecided):
            enclose(parse_expression(text, {}), {"n": "1e8"}, digits=8, cap_bits=1000)


def test_a_wrong_coefficient_is_not_confirmed():
    """The check of expansions against certified values can fail."""
    quantity = integral((1 + t) ** n * sp.exp(-2 * n * t))
    found = expanded(quantity, order=3)
    wrong = Expansion(tuple(c * (2 if k == 1 else 1) for k, c in enumerate(found.terms)), found.growth)
    for expansion, right in ((found, True), (wrong, False)):
        assert follows(quantity, expansion, far(8, 20)) is right


@pytest.mark.parametrize(
    ("text", "assume"),
    [
        ("Integral((1+t)**n*exp(-n*rho*t),(t,0,oo))", "0<rho<1"),
        ("Integral((1+t+t**2/2)**n*exp(-n*rho*t),(t,0,oo))", "rho>1"),
        ("Integral((1+t+t**2/2)**n*exp(-n*t),(t,0,oo))", None),
    ],
)
def test_confirmed(text, assume):
    answer = expand_text(text, "n->oo", [assume] if assume else [], order=2)
    assert "terms" in answer, answer


# --- certified values ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["7", "1e8", "1e20", "1e100"])
@pytest.mark.parametrize(
    ("integral_", "other"),
    [
        (integral((1 - t**2) ** n, 0, 1), sp.sqrt(sp.pi) / 2 * sp.exp(sp.loggamma(n + 1) - sp.loggamma(n + sp.Rational(3, 2)))),
        (integral(t**n * sp.exp(-t)), sp.exp(sp.loggamma(n + 1))),
        (integral(sp.exp(-n * t) / (1 + t)), sp.exp(n) * sp.expint(1, n)),
        (integral(sp.exp(-n * t**2 - sp.sqrt(n) * t)), sp.sqrt(sp.pi / n) / 2 * sp.exp(sp.Rational(1, 4)) * sp.erfc(sp.Rational(1, 2))),
        (integral(sp.exp(-n * t) * sp.sqrt(t) * sp.sin(t)),
         sp.sqrt(sp.pi) / 2 * (1 + n**2) ** -sp.Rational(3, 4) * sp.sin(sp.Rational(3, 2) * sp.atan(1 / n))),
    ],
)
def test_sharp_peaks_against_closed_forms(integral_, other, size):
    """Beta, gamma, exponential integral, error function (DLMF 5.12.1, 5.2.1, 6.2.2, 7.7.6), and Im Gamma(3/2)(n-i)^(-3/2)."""
    found, known = (enclose(e, {"n": size}, digits=20) for e in (integral_, other))
    assert found.ball.overlaps(known.ball)


def test_sharp_peak_at_a_googol_to_the_tenth():
    value = enclose(integral((1 + t) ** n * sp.exp(-n * t)) * sp.sqrt(2 * n / sp.pi), {"n": "1e500"}, digits=10)
    assert value.value.startswith("1.00000000")


def test_spans_contain_values():
    x = sp.Symbol("x", real=True)
    for f in (sp.exp(-x) * (x**2 - 2), sp.cos(x) / (2 + x**2), sp.tanh(x) - sp.cosh(x) / 3, (1 + x**2) ** sp.Rational(-3, 2)):
        bounds = span(term_of(f), "x")
        with ctx.workprec(80):
            for a, b in ((-2, 3), (0, 1), (1, 40)):
                low, high = bounds.over(arb(a), arb(b))
                for k in range(11):
                    value = ball(f, {"x": sp.Rational(a * (10 - k) + b * k, 10)}, 80)
                    assert not value < low
                    assert not value > high


@pytest.mark.parametrize(
    "text",
    [
        "Integral(exp(-n*t)/(t-1)**2,(t,0,2))",
        "Integral(exp(n/(t-1)),(t,0,2))",
        "Integral(exp(-n*t)/(t-1),(t,0,oo))",
        "Integral(exp(-n*t)/t,(t,0,oo))",
        "Integral(exp(-n*atan(1/(t-1)))*exp(-t),(t,0,oo))",
    ],
)
def test_no_value_for_what_diverges_or_jumps(text):
    """A derivative of one sign proves nothing across a pole (or across the jump of atan(1/(t-1)))."""
    with pytest.raises(Undecided):
        enclose(parse_expression(text, {}), {"n": "1e8"}, digits=8, cap_bits=1000)


def test_two_humps_and_a_negative_base():
    """cos^n on (0, pi), n even: twice the integral to pi/2; (t^2-1)^n e^(-nt) lives at 0."""
    whole, half = (enclose(integral(sp.cos(t) ** n, 0, b), {"n": "1e8"}, digits=12) for b in (sp.pi, sp.pi / 2))
    assert whole.ball.overlaps(2 * half.ball)
    value = enclose(integral((t**2 - 1) ** n * sp.exp(-n * t), 0, sp.Integer(3)), {"n": "1e8"}, digits=10)
    assert value.value.startswith("9.999999800")


# --- a symbolic number of terms ----------------------------------------------------------------------

BUFFER = "Integral(Sum(t**k/factorial(k),(k,0,theta))**n*exp(-n*{}t),(t,0,oo))"


@pytest.mark.parametrize("theta", [2])
@pytest.mark.parametrize("load", ["rho*", ""])
def test_symbolic_buffer_depth(theta, load):
    """The terms for all theta > 1 are those derived for each depth from the sum written out, a second route."""
    assume = ["theta>1", "rho>1"] if load else ["theta>1"]
    shown = sp.Add(*expanded(BUFFER.format(load), assume=assume, order=2).terms)
    here = shown.subs({sp.Symbol("theta", positive=True): theta, sp.Symbol("rho", positive=True): sp.Rational(3, 2)})
    written = "+".join(f"t**{k}/{sp.factorial(k)}" for k in range(theta + 1))
    other = expanded(f"Integral(({written})**n*exp(-n*{'3/2*' if load else ''}t),(t,0,oo))", order=2)
    assert abs((here - other.expr).subs(n, sp.Rational(7, 3)).evalf(30)) < 1e-25


def test_symbolic_buffer_depth_is_confirmed():
    answer = expand_text(BUFFER.format("rho*"), "n->oo", ["theta>1", "rho>1"], order=2)
    assert "terms" in answer
    assert len(answer["terms"]) == 2
    below = expand_text(BUFFER.format("rho*"), "n->oo", ["theta>1", "0<rho<1"], order=2)
    assert "refused" in below


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("Integral(t**n*(1-t)**(1/3),(t,0,1))", sp.exp(sp.loggamma(n + 1) - sp.loggamma(n + sp.Rational(7, 3))) * sp.gamma(sp.Rational(4, 3))),
        ("Integral(t**n*log(1-t),(t,0,1))", -(sp.digamma(n + 2) + sp.EulerGamma) / (n + 1)),
        ("Integral(exp(-n*t)*log(1+t),(t,0,oo))", sp.exp(n) * sp.expint(1, n) / n),
        ("Integral((1+t)**(-n)/sqrt(t),(t,0,oo))", sp.sqrt(sp.pi) * sp.exp(sp.loggamma(n - sp.S.Half) - sp.loggamma(n))),
        ("Integral(exp(-n*t)*(1-exp(-t))/t,(t,0,oo))", sp.log(1 + 1 / n)),
        ("Integral(exp(-n*t)*sin(t)/t,(t,0,oo))", sp.atan(1 / n)),
    ],
)
def test_sharp_integrals_in_closed_form(text, closed):
    """DLMF 5.12.1 and its derivative, 6.2.2 by parts, 5.12.3, Frullani's integral 4.10(i), 1.14.42 (Laplace transforms)."""
    for size in ("1e6", "1e8", "1e20"):
        found, known = enclose(parse_expression(text, {}), {"n": size}, digits=12), enclose(closed, {"n": size}, digits=20)
        assert found.ball.overlaps(known.ball), size
