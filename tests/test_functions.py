"""Functions at every kind of point: 160 expansions against mpmath, and a portion of them against certified balls.

The source of each row is the formula's number in the Digital Library of Mathematical Functions, or an elementary identity.
mpmath's values are taken at two precisions, which must agree; the distance of the expansion from them, over the
remainder that is claimed, must not grow.
"""

from __future__ import annotations

import re

import mpmath
import pytest
import sympy as sp

from asymp.check.expansion import expand_text
from asymp.kernel.terms import Refused
from asymp.parse import parse_expression
from benchmarks.by_mpmath import BY_MPMATH
from tests.expansions import Expansion, expanded, follows

N, ZERO = "n->oo", "x->0+"
ROWS = [
    # elementary functions
    ("sin(x)", ZERO, "", "4.19.1"),
    ("cos(2 + x)", ZERO, "", "4.21.2"),
    ("tan(x)", ZERO, "", "4.19.3"),
    ("tan(pi/2 - x)", ZERO, "", "4.14.4"),
    ("cot(pi + x)", ZERO, "", "4.19.6"),
    ("sec(x)", ZERO, "", "4.19.5"),
    ("csc(x)", ZERO, "", "4.19.4"),
    ("n*sin(c/n)", N, "", "4.19.1"),
    ("atan(n)", N, "", "4.24.3"),
    ("atan(-n)", N, "", "4.24.3"),
    ("atan(c + 1/n)", N, "", "4.24.3"),
    ("asin(1 - x)", ZERO, "", "4.24.1"),
    ("acos(1 - x)", ZERO, "", "4.24.2"),
    ("acos(1/2 + x)", ZERO, "", "4.23.26"),
    ("asin(-1 + x)", ZERO, "", "4.24.1"),
    ("sinh(c + x)", ZERO, "", "4.33.1"),
    ("n*tanh(1/n)", N, "", "4.33.3"),
    ("tanh(log(n))", N, "", "4.28.4"),
    ("coth(x)", ZERO, "", "4.33.6"),
    ("sech(log(n))", N, "", "4.28.6"),
    ("csch(x)", ZERO, "", "4.33.5"),
    ("asinh(n)", N, "", "4.38.1"),
    ("asinh(-n)", N, "", "4.37.16"),
    ("acosh(n)", N, "", "4.37.19"),
    ("acosh(1 + x)", ZERO, "", "4.38.4"),
    ("atanh(1 - x)", ZERO, "", "4.37.24"),
    ("atanh(1/2 + x)", ZERO, "", "4.37.24"),
    ("acot(n)", N, "", "4.23.9"),
    ("asec(n)", N, "", "4.23.8"),
    ("acoth(1 + x)", ZERO, "", "4.37.9"),
    ("asech(x)", ZERO, "", "4.37.8"),
    ("acsch(-n)", N, "", "4.37.7"),
    ("x**x", ZERO, "", "4.2.26"),
    ("(1 + 1/n)**n", N, "", "4.4.17"),
    ("(1 + c/n)**(n**2)*exp(-c*n)", N, "", "4.4.17"),
    ("x/(exp(x) - 1)", ZERO, "", "24.2.1"),
    ("log(cosh(x))", ZERO, "", "4.33.2"),
    ("Max(n, log(n)**2) + Min(1/n, 1/n**2)", N, "", "the larger from some point on"),
    ("Abs(1 - n)/n", N, "", "the sign from some point on"),
    # gamma and its kin
    ("loggamma(n)", N, "", "5.11.1"),
    ("loggamma(x)", ZERO, "", "5.7.3"),
    ("loggamma(3 + x)", ZERO, "", "5.7.3"),
    ("loggamma(c + x)", ZERO, "", "5.15.1"),
    ("gamma(n + 1)/(sqrt(2*pi*n)*(n/E)**n)", N, "", "5.11.3"),
    ("gamma(n + 1/2)/gamma(n)", N, "", "5.11.13"),
    ("gamma(n + c)/gamma(n)/n**c", N, "", "5.11.13"),
    ("gamma(n + sqrt(n))/gamma(n)/n**sqrt(n)", N, "", "5.11.1"),
    ("gamma(x)", ZERO, "", "5.7.1"),
    ("gamma(-1 + x)", ZERO, "", "5.2.1"),
    ("gamma(-2 - x)", ZERO, "", "5.2.1"),
    ("gamma(-1/2 + x)", ZERO, "", "5.5.1"),
    ("gamma(c + x)", ZERO, "", "5.2.2"),
    ("1/gamma(x)", ZERO, "", "5.7.1"),
    ("gamma(1 + x)*gamma(1 - x)", ZERO, "", "5.5.3"),
    ("factorial(n)/(n/E)**n", N, "", "5.11.3"),
    ("digamma(n)", N, "", "5.11.2"),
    ("digamma(x)", ZERO, "", "5.7.6"),
    ("digamma(-1 + x)", ZERO, "", "5.5.2"),
    ("digamma(-1/2 + x)", ZERO, "", "5.5.2"),
    ("trigamma(n)", N, "", "5.15.8"),
    ("polygamma(2, n)", N, "", "5.15.9"),
    ("polygamma(3, x)", ZERO, "", "5.15.5"),
    ("polygamma(1, 2 + x)", ZERO, "", "5.15.1"),
    ("beta(n, n)*4**n", N, "", "5.12.1"),
    ("beta(n, c)*n**c", N, "", "5.12.1"),
    ("beta(n, 1/n)", N, "", "5.12.1"),
    ("beta(x, x)", ZERO, "", "5.12.1"),
    ("binomial(2*n, n)/4**n", N, "", "26.3.12"),
    ("binomial(n, 3)", N, "", "26.3.1"),
    ("binomial(n, k)/n**k", N, "", "5.11.13"),
    ("binomial(n, c*n)*exp(n*(c*log(c) + (1 - c)*log(1 - c)))", N, "0<c<1", "5.11.1"),
    ("binomial(n, n/2 + y*sqrt(n))/2**n", N, "", "5.11.1"),
    ("log(binomial(n, sqrt(n)))", N, "", "5.11.1"),
    ("log(binomial(n, n**(2/3)))", N, "", "5.11.1"),
    ("catalan(n)/4**n", N, "", "26.5.6"),
    ("rf(n, 1/3)", N, "", "5.11.12"),
    ("ff(n, 5/2)", N, "", "5.11.12"),
    # harmonic numbers and zeta functions
    ("harmonic(n)", N, "", "5.11.2"),
    ("exp(harmonic(n))", N, "", "5.11.2"),
    ("harmonic(x)", ZERO, "", "5.7.4"),
    ("harmonic(1/2 + x)", ZERO, "", "5.4.15"),
    ("harmonic(n, 2)", N, "", "25.11.43"),
    ("harmonic(n, 1/2)", N, "", "25.11.43"),
    ("harmonic(n, s)", N, "s>1", "25.11.43"),
    ("harmonic(n, -3/2)", N, "", "25.11.43"),
    ("zeta(1 + x)", ZERO, "", "25.2.4"),
    ("zeta(1 - x)", ZERO, "", "25.2.4"),
    ("zeta(log(n))", N, "", "25.2.1"),
    ("zeta(x)", ZERO, "", "25.6.11"),
    ("zeta(3, n)", N, "", "25.11.43"),
    ("zeta(1/2, n)", N, "", "25.11.43"),
    ("zeta(s, n)", N, "s>1", "25.11.43"),
    ("polylog(s, x)", ZERO, "", "25.12.10"),
    ("polylog(2, 1 - x)", ZERO, "", "25.12.6"),
    ("polylog(3, 1 - x)", ZERO, "", "Erdelyi et al. 1.11(9)"),
    ("polylog(1/2, 1 - x)", ZERO, "", "25.12.12"),
    ("polylog(3/2, exp(-x))", ZERO, "", "25.12.12"),
    ("polylog(-2, 1 - x)", ZERO, "", "25.12.10"),
    ("polylog(2, -n)", N, "", "25.12.4"),
    ("polylog(3, -n)", N, "", "Erdelyi et al. 1.11(16)"),
    ("polylog(2, 1/2 + x)", ZERO, "", "25.12.2"),
    ("polylog(5/2, -1 + x)", ZERO, "", "25.12.10"),
    # error functions
    ("erf(x)", ZERO, "", "7.6.1"),
    ("erf(1 + x)", ZERO, "", "7.10.1"),
    ("erfc(n)*exp(n**2)", N, "", "7.12.1"),
    ("erfc(n + c/n)*exp(n**2)", N, "", "7.12.1"),
    ("erfc(c + 1/n)", N, "", "7.10.1"),
    ("erfi(x)", ZERO, "", "7.6.1"),
    ("exp(-n**2)*erfi(n)", N, "", "7.12.1"),
    ("exp(-n**2)*erfi(-n)", N, "", "7.12.1"),
    ("erfi(1/2 + x)", ZERO, "", "7.10.1"),
    ("1 - erf(sqrt(log(n)))", N, "", "7.12.1"),
    # Lambert's W
    ("LambertW(n)", N, "", "4.13.10"),
    ("LambertW(n*exp(n)/2)", N, "", "4.13.10"),
    ("LambertW(-x)", ZERO, "", "4.13.5"),
    ("LambertW(-x, -1)", ZERO, "", "4.13.11"),
    ("LambertW(-exp(-1) + x)", ZERO, "", "4.13.6"),
    ("LambertW(-exp(-1) + x, -1)", ZERO, "", "4.13.6"),
    ("LambertW(1 + x)", ZERO, "", "4.13.4"),
    ("LambertW(c + x)", ZERO, "", "4.13.4"),
    # exponential and logarithmic integrals
    ("exp(n)*expint(1, n)", N, "", "6.12.1"),
    ("expint(1, x)", ZERO, "", "6.6.2"),
    ("exp(-n)*Ei(n)", N, "", "6.12.2"),
    ("exp(n)*Ei(-n)", N, "", "6.12.1"),
    ("Ei(x)", ZERO, "", "6.6.1"),
    ("Ei(-x)", ZERO, "", "6.6.2"),
    ("Ei(c + x)", ZERO, "", "6.2.5"),
    ("li(n)/n", N, "", "6.12.2"),
    ("Li(n)/n", N, "", "6.12.2"),
    ("li(x)", ZERO, "", "6.12.1"),
    ("li(1 + x)", ZERO, "", "6.6.1"),
    ("li(1 - x)", ZERO, "", "6.6.1"),
    ("expint(3, x)", ZERO, "", "8.19.8"),
    ("expint(3/2, x)", ZERO, "", "8.19.10"),
    ("exp(n)*expint(nu, n)", N, "", "8.20.1"),
    ("expint(n, 1)", N, "", "8.20.6"),
    ("exp(n)*expint(n, n)", N, "", "8.20.6"),
    ("exp(c*n)*expint(n, c*n)", N, "", "8.20.6"),
    ("exp(sqrt(n))*expint(n, sqrt(n))", N, "", "8.20.6"),
    ("exp(n**2)*expint(n, n**2)", N, "", "8.20.6"),
    # incomplete gamma functions
    ("uppergamma(1/3, x)", ZERO, "", "8.7.3"),
    ("uppergamma(-1/2, x)", ZERO, "", "8.7.3"),
    ("uppergamma(-1, x)", ZERO, "", "8.4.15"),
    ("lowergamma(a, x)", ZERO, "", "8.7.1"),
    ("uppergamma(a, c + x)", ZERO, "", "8.8.13"),
    ("exp(n)*uppergamma(a, n)", N, "", "8.11.2"),
    ("2**n*uppergamma(-n, 2)", N, "", "8.20.6"),
    ("uppergamma(n, n)/gamma(n)", N, "", "8.11.12"),
    ("uppergamma(n + 1/2, n)/gamma(n + 1/2)", N, "", "8.12.7"),
    ("uppergamma(n, n + y*sqrt(n))/gamma(n)", N, "", "8.12.7"),
    ("lowergamma(n, n + y*sqrt(n))/gamma(n)", N, "y<0", "8.12.8"),
    ("exp(n**2 - 2*n*log(n))*uppergamma(n, n**2)", N, "", "8.11.7"),
    ("exp(n*log(n)-n*log(n*log(n)))*uppergamma(n, n*log(n))", N, "", "8.11.7"),
    ("exp(sqrt(n) - n*log(n)/2)*lowergamma(n, sqrt(n))", N, "", "8.11.6"),
    ("lowergamma(n, x)*x**(-n)", N, "", "8.11.4"),
    ("exp(n/2 - n*log(n/2))*lowergamma(n, n/2)", N, "", "8.11.6"),
    ("exp(n/2 - n*log(n/2))*lowergamma(n, n/2 + 1)", N, "", "8.11.6"),
    ("exp(2*n - n*log(2*n))*uppergamma(n, 2*n)", N, "", "8.11.7"),
    ("exp(rho*n - n*log(rho*n))*uppergamma(n + 1, rho*n)", N, "rho>1", "8.11.7"),
    # Bessel and Airy functions
    ("exp(-n)*besseli(nu, n)", N, "", "10.40.1"),
    ("exp(n)*besselk(1/3, n)", N, "", "10.40.2"),
    ("besselk(0, x)", ZERO, "", "10.31.2"),
    ("besselk(2, x)", ZERO, "", "10.31.1"),
    ("besselk(1/3, x)", ZERO, "", "10.27.4"),
    ("besselj(1, x)", ZERO, "", "10.2.2"),
    ("besselj(0, 1 + x)", ZERO, "", "10.6.7"),
    ("besselk(0, 1 + x)", ZERO, "", "10.29.5"),
    ("besseli(n, 1)*gamma(n + 1)*2**n", N, "", "10.25.2"),
    ("besseli(1, n)/besseli(0, n)", N, "", "10.40.1"),
    ("exp(2*n**(3/2)/3)*airyai(n)", N, "", "9.7.5"),
    ("exp(-2*n**(3/2)/3)*airybi(n)", N, "", "9.7.7"),
    ("airyai(x)", ZERO, "", "9.4.1"),
    ("airyai(-1 + x)", ZERO, "", "9.2.1"),
]
IDS = [f"{text} [{source}]" for text, _, _, source in ROWS]
SIZES = (60, 240, 960)
FAR = (10**15, 10**45, 10**135)
"""Where the remainder is a power of a logarithm."""
FREE = sp.Rational(7, 5)
INSIDE = {"y<0": -FREE, "rho>1": FREE, "s>1": FREE, "0<c<1": sp.Rational(2, 3)}


def read(text: str, to: str, assume: str, order: int) -> tuple[sp.Expr, Expansion]:
    """The expression, and its expansion: of other names it is said that they are positive."""
    expr = parse_expression(text)
    names = {str(one) for one in expr.free_symbols} - {to[0]} - set(re.findall(r"\w+", assume))
    return expr, expanded(text, to, [*([assume] if assume else []), *(f"{name} > 0" for name in sorted(names))], order)


def point(expr: sp.Expr, to: str, assume: str, size: int) -> dict[sp.Symbol, sp.Expr]:
    """What tends at ``size`` or 1/``size``, what has a range inside it, other parameters at FREE."""
    names = {str(one): one for one in expr.free_symbols}
    at = dict.fromkeys(names, FREE)
    at |= {name: INSIDE[assume] for name in names if assume and name in assume}
    at |= {to[0]: sp.Integer(size) if to == N else sp.Rational(1, size)}
    return {names[name]: value for name, value in at.items() if name in names}


# with what SymPy calls otherwise
FUNCTIONS = BY_MPMATH | {
    "stieltjes": lambda m: mpmath.stieltjes(int(m)), "RisingFactorial": mpmath.rf, "FallingFactorial": mpmath.ff,
}  # fmt: skip


def value(expr: sp.Expr, at: dict[sp.Symbol, sp.Expr], digits: int) -> mpmath.mpf:
    """mpmath's value."""
    symbols = sorted(expr.free_symbols, key=str)
    function = sp.lambdify(symbols, expr, [FUNCTIONS, "mpmath"])
    with mpmath.workdps(digits):
        result = function(*(mpmath.mpf(int(at[s].p)) / int(at[s].q) for s in symbols))
        return mpmath.mpf(mpmath.re(result))


def quotients(expr: sp.Expr, e: Expansion, to: str, assume: str) -> list[float]:
    """|f - P|/R at the sizes: from values at two precisions that agree."""
    (x,), t = [one for one in expr.free_symbols if str(one) == to[0]], sp.Symbol("t", positive=True)
    slow = e.growth.subs(x, t if to == N else 1 / t)
    logarithmic = slow.has(sp.log) and sp.limit(slow, t, sp.oo) == 0 and sp.limit(slow * t ** sp.Rational(1, 9), t, sp.oo) == sp.oo
    found = []
    for size in FAR if logarithmic else SIZES:
        at = point(expr + e.expr + e.growth, to, assume, size)
        high, low = value(expr, at, 60), value(expr, at, 45)
        assert mpmath.almosteq(high, low, rel_eps=mpmath.mpf(10) ** -33), (expr, size, high, low)
        with mpmath.workdps(60):
            gap = abs(high - value(e.expr, at, 60))
            if e.growth == 0:
                assert gap <= abs(high) * mpmath.mpf(10) ** -45
            found.append(float(gap / abs(value(e.growth, at, 40))) if e.growth != 0 else 0.0)
    return found


CLOSE = {"25.2.1", "4.13.11"}
"""Series of which far terms differ little at the sizes."""


def steady(found: list[float]) -> bool:
    return found[-1] <= 1.6 * max(found[:-1]) + 1e-12


def test_the_table_is_long_and_has_no_twins():
    assert len(ROWS) >= 160 and len(set(ROWS)) == len(ROWS)


@pytest.mark.parametrize(("text", "to", "assume", "source"), ROWS, ids=IDS)
def test_the_remainder_decays_as_claimed(text, to, assume, source):
    expr, e = read(text, to, assume, 2 if source in CLOSE else 3)
    found = quotients(expr, e, to, assume)
    assert steady(found), (source, e, found)
    if e.growth != 0 and len(e.terms) > 1:  # the check sees a last term that is missing, or taken twice
        *kept, last = e.terms
        wrong = [quotients(expr, Expansion((*kept, f * last), e.growth), to, assume) for f in (0, 2)]
        worse = max(wrong, key=lambda row: row[-1])
        assert worse[-1] > worse[0] and worse[-1] > 1.2 * found[-1], (source, e, found, wrong)


@pytest.mark.parametrize("row", ROWS[::5], ids=IDS[::5])
def test_certified_numbers_follow_the_expansion(row):
    text, to, assume, source = row
    expr, e = read(text, to, assume, 2)
    points = [point(expr + e.expr + e.growth, to, assume, 10**size) for size in ((8, 20, 100) if source in CLOSE else (8, 20))]
    assert e.growth == 0 or follows(text, e, [{str(x): str(at) for x, at in one.items()} for one in points]), (source, e)


REFUSED = [
    ("log(-n)", N),
    ("sqrt(-n)", N),
    ("tan(n)", N),
    ("gamma(-n)", N),
    ("digamma(-n)", N),
    ("loggamma(-1/2 + x)", ZERO),
    ("acos(1 + x)", ZERO),
    ("asin(n)", N),
    ("atanh(1 + x)", ZERO),
    ("acosh(1 - x)", ZERO),
    ("LambertW(-exp(-1) - x)", ZERO),
    ("LambertW(-n)", N),
    ("LambertW(x, -1)", ZERO),
    ("polylog(2, 1 + x)", ZERO),
    ("polylog(3/2, n)", N),
    ("expint(1, -n)", N),
    ("uppergamma(1/2, -x)", ZERO),
    ("uppergamma(n, rho*n)", N),
    ("uppergamma(n, -n)", N),
    ("besselj(n, n)", N),
    ("airyai(-n)/airyai(-n - 1)", N),
    ("zeta(-n)", N),
    ("harmonic(-n)", N),
    ("gamma(1 - c + x)", ZERO),
    ("LambertW(1 - c + x)", ZERO),
    ("Ei(1 - c + x)", ZERO),
    ("Max(n, c*n)", N),
    ("sin(n)**(1/2)", N),
    ("1/sin(n)", N),
    ("log(2 + sin(n))", N),
]


@pytest.mark.parametrize(("text", "to"), REFUSED, ids=[text for text, _ in REFUSED])
def test_what_is_not_real_or_not_decided_is_refused(text, to):
    positive = [f"{name} > 0" for name in ("c", "rho") if re.search(rf"\b{name}\b", text)]
    with pytest.raises(Refused):
        expanded(text, to, positive)


@pytest.mark.parametrize(("text", "rest"), [("besselj(0, n)", "1/sqrt(n)"), ("airyai(-n)", "1/n^(1/4)")])
def test_a_wave_is_known_by_its_amplitude(text, rest):
    with pytest.raises(Refused, match=re.escape(f"no term could be derived, only O({rest})")):
        expanded(text)


def test_oscillation_is_bounded_not_expanded():
    assert expanded("sin(n)/n + 1") == Expansion((sp.S.One,), 1 / sp.Symbol("n", positive=True))


def test_the_sides_of_a_pole_differ():
    x = sp.Symbol("x", positive=True)
    for text in ("gamma(-1 + x)", "gamma(-1 - x)"):
        assert expanded(text, ZERO, order=2).terms[0] * x == (-1 if "+" in text else 1)  # residue (-1)^m/m!, DLMF 5.2(i)


def test_the_incomplete_gamma_function_parts_at_its_poles():
    """Gamma(-a, x) at 0: the power and the constant change places at a = 1, where a logarithm comes in (DLMF 8.7.3)."""
    answer = expand_text("uppergamma(-a, x)", to="x->0+", assume="0<a<2")
    cases = {case["when"]: case["terms"] for case in answer["cases"]}
    assert cases["a<1"][1] == "gamma(-a)"
    assert cases["a=1"][1] == "log(x)"
    assert cases["a>1"][2] == "-gamma(1 - a)/a"
