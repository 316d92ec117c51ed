"""The functions that an expression may use, as maps of real numbers and of complex balls.

Each name maps to ``(real, complex)``.  The complex form takes ``analytic``: where it is true it must
answer nan unless the function is analytic on the whole ball (that is what makes an integral sound).
``None`` stands for: not available.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
from flint import acb, arb, fmpq

from asymp.enclosure import arithmetic as ar
from asymp.enclosure import classical
from asymp.enclosure.arithmetic import NAN, Number, to_ball, to_integer
from asymp.enclosure.cuts import CNAN as CNAN
from asymp.enclosure.cuts import beyond_one, imaginary_beyond, negative, outside_unit
from asymp.enclosure.incomplete import gamma_derivative
from asymp.enclosure.large import erfc, exponential_integral, hurwitz, lower_gamma, upper_gamma
from asymp.enclosure.zeta import stieltjes, zeta_derivative
from asymp.functions.classes import (
    BarnesG,
    Bell,
    Bernoulli,
    Hyp1F1,
    Hyp2F1,
    IncompleteBeta,
    Stirling1,
    Stirling2,
    Subfactorial,
)
from asymp.functions.symbolic import row_of
from asymp.outside import loaded, refuse
from asymp.special import GammaDerivative, ZetaDerivative

Real = Callable[[Sequence[Number]], Number]
Complex = Callable[[Sequence[acb], bool], acb]


def _simple(name: str, exact: dict[int, Number] | None = None) -> tuple[Real, Complex]:
    """A function that is a method of both kinds of ball, meromorphic or entire."""

    def real(args: Sequence[Number]) -> Number:
        value = args[0]
        if exact and isinstance(value, fmpq) and value.q == 1 and int(value.p) in exact:
            return exact[int(value.p)]
        return getattr(to_ball(value), name)()

    def complex_(args: Sequence[acb], analytic: bool) -> acb:
        return getattr(args[0], name)()

    return real, complex_


def _cut(name: str, cut: Callable[[acb], bool], exact: dict[int, Number] | None = None) -> tuple[Real, Complex]:
    """The same with a branch cut: nan where the ball may touch it."""
    real, plain = _simple(name, exact)

    def complex_(args: Sequence[acb], analytic: bool) -> acb:
        return CNAN if analytic and cut(args[0]) else plain(args, analytic)

    return real, complex_


def _digamma(args: Sequence[Number]) -> Number:
    return to_ball(args[0]).digamma()


def _polygamma(args: Sequence[Number]) -> Number:
    order, x = to_integer(args[0]), to_ball(args[1])
    if order is None or order < 0:
        return NAN
    if order == 0:
        return x.digamma()
    # (-1)^(m+1) m! zeta(m+1, x)
    sign = 1 if order % 2 else -1
    return sign * arb.fac_ui(int(order)) * arb(int(order) + 1).zeta(x)


def _zeta(args: Sequence[Number]) -> Number:
    s = to_ball(args[0])
    return s.zeta() if len(args) == 1 else hurwitz(s, to_ball(args[1]))


def _upper(args: Sequence[Number]) -> Number:
    a, x = args
    whole = to_integer(a)
    if whole is not None and whole == 1:
        return ar.exponential(-x)
    return upper_gamma(to_ball(a), to_ball(x))


def _gamma_derivative(args: Sequence[Number]) -> Number:
    order = to_integer(args[0])
    if order is None or order < 0 or order > 60:
        return NAN
    return gamma_derivative(int(order), args[1], to_ball(args[2]))


def _erfc(args: Sequence[Number]) -> Number:
    return ar.ONE if isinstance(args[0], fmpq) and args[0] == 0 else erfc(args[0])


def _quotient(top: Number, bottom: Number) -> Number:
    """Gamma(top)/Gamma(bottom); 0 where only the bottom is a pole."""
    if min(to_ball(top), to_ball(bottom)) > 40:
        return (to_ball(top).lgamma() - to_ball(bottom).lgamma()).exp()
    return to_ball(_gamma((top,))) * to_ball(bottom).rgamma()


def _rising(args: Sequence[Number]) -> Number:
    return _quotient(ar.add(args), args[0])


def _falling(args: Sequence[Number]) -> Number:
    top = ar.add((args[0], ar.ONE))
    return _quotient(top, ar.add((top, ar.multiply((fmpq(-1), args[1])))))


def _catalan(args: Sequence[Number]) -> Number:
    n = args[0]
    return ar.multiply((ar.binomial(n + n, n), ar.invert(ar.add((n, ar.ONE)))))


def _airy(name: str, derivative: int) -> tuple[Real, Complex]:
    """An Airy function or its derivative, entire."""

    def real(args: Sequence[Number]) -> Number:
        return getattr(to_ball(args[0]), name)(derivative=derivative)

    return real, lambda a, _: getattr(a[0], name)(derivative=derivative)


def _polylog(args: Sequence[Number]) -> Number:
    s, z = args
    whole = to_integer(s)
    if not to_ball(s).is_finite():
        return NAN
    if not s > 1 and to_ball(z).contains(1):
        return NAN  # the series diverges at 1, where zeta(s) is a continuation of something else
    if whole is not None and whole == 1:
        return -ar.log1p(-z)
    if isinstance(z, fmpq) and z == 0:
        return ar.ZERO
    if isinstance(z, fmpq) and z == 1:
        return to_ball(s).zeta()
    if whole is not None and whole == 2 and 1 - z < fmpq(1, 2) and z < 1:
        # Li2(z) = pi^2/6 - ln z ln(1-z) - Li2(1-z): few terms near 1
        rest = to_ball(1 - z)
        return arb.pi() ** 2 / 6 - to_ball(ar.logarithm(z)) * rest.log() - rest.polylog(2)
    if whole is not None and 2 <= whole <= 40 and z < -8:
        return _inverted_polylog(int(whole), -to_ball(z))
    return to_ball(z).polylog(to_ball(s))


def _inverted_polylog(s: int, y: arb) -> arb:
    """Li_s(-y), y > 1: -(2 pi i)^s B_s(1/2 + ln y/(2 pi i))/s! - (-1)^s Li_s(-1/y) (Erdelyi et al. 1.11(16))."""
    middle = acb(arb(1) / 2, -y.log() / (2 * arb.pi()))
    main = (acb(0, 2 * arb.pi()) ** s * middle.bernoulli_poly(s)).real / arb.fac_ui(s)
    return -main - (-1) ** s * (-1 / y).polylog(arb(s))


def _lambertw(args: Sequence[Number]) -> Number:
    branch = to_integer(args[1]) if len(args) > 1 else 0
    if branch is None or branch not in (0, -1):
        return NAN
    if isinstance(args[0], fmpq) and args[0] == 0 and branch == 0:
        return ar.ZERO
    return to_ball(args[0]).lambertw(int(branch))


def _atan2(args: Sequence[Number]) -> Number:
    y, x = to_ball(args[0]), to_ball(args[1])
    return NAN if y.contains(0) and x.contains(0) else arb.atan2(y, x)


def _gamma(args: Sequence[Number]) -> Number:
    whole = to_integer(args[0])
    return ar.factorial(args[0] - 1) if whole is not None and whole > 0 else to_ball(args[0]).gamma()


def _heaviside_free(name: str) -> Complex:
    def complex_(args: Sequence[acb], analytic: bool) -> acb:
        return getattr(args[0], name)(analytic=analytic)

    return complex_


def _c_harmonic(args: Sequence[acb], analytic: bool) -> acb:
    if len(args) != 1:
        return CNAN
    return (args[0] + 1).digamma() + arb.const_euler()


def _c_polylog(args: Sequence[acb], analytic: bool) -> acb:
    s, z = args
    if z.contains(acb(1)) and not s.real > 1:
        return CNAN
    return CNAN if analytic and beyond_one(z) else z.polylog(s)


def _c_upper(args: Sequence[acb], analytic: bool) -> acb:
    a, x = args
    return CNAN if analytic and negative(x) else x.gamma_upper(a)


def _c_expint(args: Sequence[acb], analytic: bool) -> acb:
    nu, x = args
    return CNAN if analytic and negative(x) else x.expint(nu)


def _c_zeta(args: Sequence[acb], analytic: bool) -> acb:
    if len(args) == 1:
        return args[0].zeta()
    return CNAN if analytic and negative(args[1]) else args[0].zeta(args[1])


def _c_polygamma(args: Sequence[acb], analytic: bool) -> acb:
    return args[1].polygamma(args[0])


def _c_lambertw(args: Sequence[acb], analytic: bool) -> acb:
    if len(args) > 1 and not args[1].is_zero():
        return CNAN
    z = args[0]
    if analytic and z.imag.contains(0) and not z.real > arb(-367) / 1000:
        return CNAN
    return z.lambertw()


def _one(function: Callable[[Number], Number]) -> Real:
    return lambda args: function(args[0])


def _two(function: Callable[[Number, Number], Number]) -> Real:
    return lambda args: function(args[0], args[1])


_Z, _I = {0: ar.ZERO}, {0: ar.ONE}

FUNCTIONS: dict[type, tuple[Real, Complex | None]] = {
    sp.exp: (_one(ar.exponential), lambda a, _: a[0].exp()),
    sp.log: (_one(ar.logarithm), _heaviside_free("log")),
    sp.sin: _simple("sin", _Z),
    sp.cos: _simple("cos", _I),
    sp.tan: _simple("tan", _Z),
    sp.cot: _simple("cot"),
    sp.sec: _simple("sec", _I),
    sp.csc: _simple("csc"),
    sp.sinh: _simple("sinh", _Z),
    sp.cosh: _simple("cosh", _I),
    sp.tanh: _simple("tanh", _Z),
    sp.coth: _simple("coth"),
    sp.sech: _simple("sech", _I),
    sp.csch: _simple("csch"),
    sp.asin: _cut("asin", outside_unit, _Z),
    sp.acos: _cut("acos", outside_unit),
    sp.atan: _cut("atan", imaginary_beyond, _Z),
    sp.asinh: _cut("asinh", imaginary_beyond, _Z),
    sp.acosh: _cut("acosh", lambda z: z.imag.contains(0) and not z.real > 1, {1: ar.ZERO}),
    sp.atanh: _cut("atanh", outside_unit, _Z),
    sp.atan2: (_atan2, None),
    sp.erf: _simple("erf", _Z),
    sp.erfc: (_erfc, _simple("erfc")[1]),
    sp.erfi: _simple("erfi", _Z),
    sp.gamma: (_gamma, lambda a, _: a[0].gamma()),
    sp.loggamma: (_one(lambda x: to_ball(x).lgamma()), _cut("lgamma", negative)[1]),
    sp.digamma: (_digamma, lambda a, _: a[0].digamma()),
    sp.polygamma: (_polygamma, _c_polygamma),
    sp.zeta: (_zeta, _c_zeta),
    sp.factorial: (_one(ar.factorial), lambda a, _: (a[0] + 1).gamma()),
    sp.factorial2: (_one(ar.double_factorial), None),
    sp.binomial: (_two(ar.binomial), None),
    sp.floor: (_one(ar.floor), None),
    sp.ceiling: (_one(ar.ceiling), None),
    sp.Abs: (_one(ar.absolute), _heaviside_free("real_abs")),
    sp.sign: (_one(ar.signum), None),
    sp.Min: (ar.least, None),
    sp.Max: (ar.greatest, None),
    sp.harmonic: (
        lambda args: ar.harmonic(args[0]) if len(args) == 1 else ar.generalized_harmonic(*args),
        _c_harmonic,
    ),
    sp.expint: (lambda a: exponential_integral(to_ball(a[0]), to_ball(a[1])), _c_expint),
    sp.Ei: (_one(lambda x: to_ball(x).ei()), _cut("ei", negative)[1]),
    sp.li: (_one(lambda x: to_ball(x).li()), _cut("li", lambda z: z.imag.contains(0) and not z.real > 1)[1]),
    sp.Si: _simple("si", _Z),
    sp.Ci: (_one(lambda x: to_ball(x).ci()), _cut("ci", negative)[1]),
    sp.Shi: _simple("shi", _Z),
    sp.Chi: (_one(lambda x: to_ball(x).chi()), _cut("chi", negative)[1]),
    sp.uppergamma: (_upper, _c_upper),
    sp.lowergamma: (lambda a: lower_gamma(to_ball(a[0]), to_ball(a[1])), None),
    sp.polylog: (_polylog, _c_polylog),
    sp.LambertW: (_lambertw, _c_lambertw),
    sp.beta: (
        lambda a: (to_ball(a[0]).lgamma() + to_ball(a[-1]).lgamma() - to_ball(ar.add((a[0], a[-1]))).lgamma()).exp(),
        None,
    ),
    sp.besseli: (lambda a: to_ball(a[1]).bessel_i(to_ball(a[0])), None),
    sp.besselj: (lambda a: to_ball(a[1]).bessel_j(to_ball(a[0])), None),
    sp.besselk: (lambda a: to_ball(a[1]).bessel_k(to_ball(a[0])), None),
    sp.airyai: _airy("airy_ai", 0),
    sp.airybi: _airy("airy_bi", 0),
    sp.airyaiprime: _airy("airy_ai", 1),
    sp.airybiprime: _airy("airy_bi", 1),
    sp.Li: (_one(lambda x: to_ball(x).li() - arb(2).li()), None),
    sp.RisingFactorial: (_rising, None),
    sp.FallingFactorial: (_falling, None),
    sp.catalan: (_catalan, None),
    GammaDerivative: (_gamma_derivative, None),
    ZetaDerivative: (lambda a: zeta_derivative(a[0], a[1]), None),
    sp.acot: classical.ACOT,
    sp.asec: classical.ASEC,
    sp.acsc: classical.ACSC,
    sp.acoth: classical.ACOTH,
    sp.asech: classical.ASECH,
    sp.acsch: classical.ACSCH,
    sp.fresnels: _simple("fresnel_s", _Z),
    sp.fresnelc: _simple("fresnel_c", _Z),
    sp.elliptic_k: classical.ELLIPTIC_K,
    sp.elliptic_e: classical.ELLIPTIC_E,
    sp.bessely: (classical.bessel_y, None),
    BarnesG: (classical.barnes, lambda a, _: a[0].barnes_g()),
    Hyp1F1: (classical.kummer, lambda a, _: a[2].hypgeom_1f1(a[0], a[1])),
    Hyp2F1: (classical.gauss, lambda a, analytic: CNAN if analytic and beyond_one(a[3]) else a[3].hypgeom_2f1(*a[:3])),
    IncompleteBeta: (classical.incomplete_beta, None),
    Stirling1: classical.STIRLING1,
    Stirling2: classical.STIRLING2,
    Bell: classical.BELL,
    Bernoulli: classical.BERNOULLI,
    Subfactorial: classical.SUBFACTORIAL,
    sp.stieltjes: (lambda a: stieltjes(a), None),
}
"""SymPy class -> (real, complex)."""


def hypergeometric(upper: int) -> tuple[Real, Complex | None]:
    """pFq: the first ``upper`` arguments above, the last is the variable, the others below."""

    def real(args: Sequence[Number]) -> Number:
        top = [to_ball(a) for a in args[:upper]]
        bottom = [to_ball(b) for b in args[upper:-1]]
        ends = any((whole := to_integer(a)) is not None and whole <= 0 for a in args[:upper])
        if len(top) > len(bottom) + 1 and not ends and not (isinstance(args[-1], fmpq) and args[-1] == 0):
            return NAN  # the series diverges
        return to_ball(args[-1]).hypgeom(top, bottom)

    return real, None


def methods(function: Any) -> tuple[Real, Complex | None] | None:
    """(real, complex) of a SymPy function: from the table, by its row, or its own; None where there is none."""
    return FUNCTIONS.get(function) or _by_its_row(function) or getattr(function, "enclosed", None)


def _by_its_row(function: Any) -> tuple[Real, None] | None:
    """The balls of a row from outside; what they raise, and what is no number, is no value."""
    found = row_of(function)
    if found is None or ":" not in found.row.ball:
        return None

    def real(args: Sequence[Number]) -> Number:
        try:
            value = loaded(found.row.ball)(*args)
        except Exception as error:  # of somebody else's code
            refuse(f"{found.row.ball} raised {type(error).__name__}: {error}"[:300])
            return NAN
        return value if isinstance(value, (arb, fmpq)) else NAN

    return real, None


def known(function: Any) -> bool:
    """Whether a SymPy function can be enclosed."""
    return methods(function) is not None or function is sp.hyper
