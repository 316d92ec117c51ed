"""The functions of asymp's language by mpmath: one list for all that compare with it.  It knows nothing of asymp.

>>> BY_MPMATH["harmonic"](10, 2)
mpf('1.5497677311665408')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath


def _counted(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of whole numbers that are not negative."""
    return lambda *args: function(*map(int, args)) if all(x == int(x) and x >= 0 for x in args) else mpmath.nan


def _gauss(a: Any, b: Any, c: Any, x: Any) -> Any:
    """A polynomial by its terms: mpmath does not end where its value is 0."""
    for top, other in ((a, b), (b, a)):
        if top == int(top) and top <= 0 and not (c == int(c) and c <= 0):
            return sum(mpmath.rf(top, k) * mpmath.rf(other, k) / mpmath.rf(c, k) / mpmath.factorial(k) * x**k
                       for k in range(1 - int(top)))  # fmt: skip
        if x < 1 and not (c == int(c) and c <= 0) and abs(c - top - mpmath.nint(c - top)) < 1e-20 and c - top < 0.5:
            return (1 - x) ** (c - a - b) * _gauss(mpmath.nint(c - top), c - other, c, x)  # DLMF 15.8.1
    return mpmath.hyp2f1(a, b, c, x)


def _harmonic(x: Any, order: Any = 1) -> Any:
    return mpmath.psi(0, x + 1) + mpmath.euler if order == 1 else mpmath.zeta(order) - mpmath.zeta(order, x + 1)


def _expint(p: Any, x: Any) -> Any:
    """mpmath loses digits for large p: there the integral (DLMF 8.19.3), on the scale 1/(p + x) on which it decays."""
    if p < 20:
        return mpmath.e1(x) if p == 1 else mpmath.expint(p, x)
    ends = [1 + mpmath.mpf(k) / (p + x) for k in (0, 2, 6, 15, 40, 120, 300)]
    return mpmath.exp(-x) * mpmath.quad(lambda t: mpmath.exp(-x * (t - 1)) * t**-p, [*ends, mpmath.inf])


def _gamma_derivative(k: Any, a: Any, u: Any) -> Any:
    window = mpmath.mp.prec * mpmath.ln2 + 10
    ends = [u, *(u + 2**j for j in range(30) if 2**j < window), u + window]
    return mpmath.quad(lambda t: mpmath.exp(-t) * t ** (a - 1) * mpmath.log(t) ** int(k), ends)


def _polylog(s: Any, z: Any) -> Any:
    if s == 2 and mpmath.mpf(1) / 2 < z < 1:  # DLMF 25.12.6
        return mpmath.pi**2 / 6 - mpmath.log(z) * mpmath.log(1 - z) - mpmath.polylog(2, 1 - z)
    if not mpmath.isint(s) and -1 <= z < 0:  # alternating: DLMF 25.12.10
        return mpmath.nsum(lambda k: z**k / k**s, [1, mpmath.inf])
    return mpmath.polylog(s, z)


def _occupancy(d: Any, load: Any) -> Any:
    """The root x of sum_u prod_{v <= u} d load/(1 + v (d - 1) load/x) = 1/(1 - load), by its terms."""
    if d == 1:
        return load / (1 - load)

    def total(x: Any) -> Any:
        found, term, v = mpmath.mpf(1), mpmath.mpf(1), 0
        while term > found * mpmath.eps:
            v += 1
            term *= d * load / (1 + v * (d - 1) * load / x)
            found += term
        return found - 1 / (1 - load)

    top = mpmath.mpf(1)
    while total(top) < 0:
        top *= 2
    return mpmath.findroot(total, (top / 1024, top), solver="anderson", tol=mpmath.eps * 2**10, maxsteps=200)


def _catalan(x: Any) -> Any:
    return 4**x * mpmath.gamma(x + 0.5) * mpmath.rgamma(x + 2) / mpmath.sqrt(mpmath.pi)


SAME = (
    "log exp sqrt sin cos tan cot sec csc asin acos atan sinh cosh tanh coth sech csch asinh acosh atanh asec acsc acoth asech "
    "acsch floor sign gamma loggamma digamma factorial beta binomial rf ff barnesg erf erfc erfi fresnels fresnelc "
    "zeta besseli besselj bessely besselk airyai airybi hyp1f1"
)
"""What mpmath calls as the language does."""
BY_MPMATH: dict[str, Callable[..., Any]] = {
    **{name: getattr(mpmath, name) for name in SAME.split()},
    "acot": lambda x: mpmath.acot(x) if x else mpmath.nan,
    "ceiling": mpmath.ceil,
    "Abs": abs,
    "Min": min,
    "Max": max,
    "trigamma": lambda x: mpmath.polygamma(1, x),
    "polygamma": lambda m, x: mpmath.polygamma(int(m), x) if m == int(m) and m >= 0 else mpmath.nan,
    "factorial2": lambda n: mpmath.fac2(n) if n == int(n) and n >= -1 else mpmath.nan,
    "catalan": _catalan,
    "harmonic": _harmonic, "stieltjes": lambda k: mpmath.stieltjes(int(k)) if k == int(k) and k >= 0 else mpmath.nan,
    "stirling1": _counted(mpmath.stirling1),
    "stirling2": _counted(mpmath.stirling2),
    "bell": _counted(mpmath.bell),
    "bernoulli": _counted(mpmath.bernoulli),
    "subfactorial": _counted(lambda n: sum((-1) ** k * mpmath.factorial(n) / mpmath.factorial(k) for k in range(n + 1))),
    "E1": mpmath.e1,
    "Ei": mpmath.ei,
    "li": lambda x: mpmath.ei(mpmath.log(x)) if x > 0 else mpmath.li(x),
    "Li": lambda x: mpmath.li(x) - mpmath.li(2),
    "Si": mpmath.si,
    "Ci": mpmath.ci,
    "Shi": mpmath.shi,
    "Chi": mpmath.chi,
    "expint": _expint,
    "uppergamma": lambda a, x: mpmath.gammainc(a, x),
    "lowergamma": lambda a, x: mpmath.gammainc(a, 0, x),
    "betainc": lambda a, b, x: mpmath.betainc(a, b, 0, x),
    "GammaDerivative": _gamma_derivative,
    "LambertW": lambda x, k=0: mpmath.lambertw(x, int(k)),
    "polylog": _polylog,
    "ZetaDerivative": lambda m, s: mpmath.zeta(s, 1, int(m)),
    "airyaiprime": lambda x: mpmath.airyai(x, derivative=1),
    "airybiprime": lambda x: mpmath.airybi(x, derivative=1),
    "hyp2f1": _gauss,
    "elliptic_k": mpmath.ellipk,
    "elliptic_e": mpmath.ellipe,
    "parallel_occupancy": _occupancy,
}
