"""Gamma functions, binomials, zeta and polylogarithms, error functions and integrals, Lambert's W."""

from __future__ import annotations

import mpmath as mp

from benchmarks.capability.problem import numbered

DLMF = "DLMF "
RHO = ({"c": "1/3"}, {"c": "3/4"})


def _log_binomial(n: mp.mpf, k: mp.mpf) -> mp.mpf:
    return mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)


GAMMA = numbered(
    "gamma",
    [
        {
            "source": DLMF + "5.11.1", "text": "loggamma(n)", "to": "n->oo",
            "terms": ("n*log(n)", "-n", "-log(n)/2", "log(2*pi)/2"), "next": "1/(12*n)", "value": lambda n: mp.loggamma(n),
        },
        {
            "source": DLMF + "5.11.3", "text": "factorial(n)", "to": "n->oo",
            "terms": tuple(f"sqrt(2*pi*n)*exp(n*log(n) - n)*{c}" for c in ("1", "1/(12*n)", "1/(288*n^2)")),
            "next": "-139*sqrt(2*pi*n)*exp(n*log(n) - n)/(51840*n^3)", "value": lambda n: mp.exp(mp.loggamma(n + 1)),
        },
        {
            "source": DLMF + "5.11.13; Concrete Mathematics, exercise 9.60", "text": "gamma(n + 1/2)/gamma(n)", "to": "n->oo",
            "terms": ("sqrt(n)", "-1/(8*sqrt(n))", "1/(128*n^(3/2))"), "next": "5/(1024*n^(5/2))",
            "value": lambda n: mp.exp(mp.loggamma(n + mp.mpf(1) / 2) - mp.loggamma(n)),
        },
        {
            "source": DLMF + "5.11.13", "text": "gamma(n + a)/gamma(n + b)", "to": "n->oo", "assume": ("a>0", "b>0"),
            "terms": ("n^(a - b)", "n^(a - b - 1)*(a - b)*(a + b - 1)/2"),
            "next": "n^(a - b - 2)*(a - b)*(a - b - 1)*(3*(a + b - 1)^2 - (a - b + 1))/24",
            "at": ({"a": "1/3", "b": "7/5"}, {"a": "5/2", "b": "1/7"}),
            "value": lambda n, a, b: mp.exp(mp.loggamma(n + a) - mp.loggamma(n + b)),
        },
        {
            "source": DLMF + "5.11.2", "text": "digamma(n)", "to": "n->oo", "terms": ("log(n)", "-1/(2*n)", "-1/(12*n^2)"),
            "next": "1/(120*n^4)", "value": lambda n: mp.digamma(n),
        },
        {
            "source": "Concrete Mathematics, (9.89)", "text": "harmonic(n)", "to": "n->oo",
            "terms": ("log(n)", "EulerGamma", "1/(2*n)"), "next": "-1/(12*n^2)", "value": lambda n: mp.digamma(n + 1) + mp.euler,
        },
        {
            "source": DLMF + "25.11.43", "text": "harmonic(n, 2)", "to": "n->oo", "terms": ("pi^2/6", "-1/n", "1/(2*n^2)"),
            "next": "-1/(6*n^3)", "value": lambda n: mp.zeta(2) - mp.psi(1, n + 1),
        },
        {
            "source": "Concrete Mathematics, exercise 9.27", "text": "harmonic(n, s)", "to": "n->oo", "assume": ("s>1",),
            "terms": ("zeta(s)", "n^(1 - s)/(1 - s)", "n^(-s)/2"), "next": "-s*n^(-s - 1)/12",
            "at": ({"s": "3"}, {"s": "4"}),
            "value": lambda n, s: mp.zeta(s) - mp.psi(int(s) - 1, n + 1) * (-1) ** int(s) / mp.factorial(int(s) - 1),
        },
        {
            "source": "Concrete Mathematics, 9.6", "text": "harmonic(2*n) - harmonic(n)", "to": "n->oo",
            "terms": ("log(2)", "-1/(4*n)", "1/(16*n^2)"), "next": "-1/(128*n^4)",
            "value": lambda n: mp.digamma(2 * n + 1) - mp.digamma(n + 1),
        },
        {
            "source": "Polya, Szego, Problems and Theorems in Analysis I, II 205", "text": "factorial(n)^(1/n)", "to": "n->oo",
            "terms": ("n/E", "log(n)/(2*E)", "log(2*pi)/(2*E)"), "next": "log(n)^2/(8*E*n)",
            "value": lambda n: mp.exp(mp.loggamma(n + 1) / n), "sizes": ("exp(1e3)", "exp(1e4)"), "digits": 14_000,
        },
        {
            "source": DLMF + "5.7.1", "text": "gamma(x)", "to": "x->0+",
            "terms": ("1/x", "-EulerGamma", "x*(EulerGamma^2/2 + pi^2/12)"),
            "next": "-x^2*(EulerGamma^3/6 + EulerGamma*pi^2/12 + zeta(3)/3)", "value": lambda x: mp.gamma(x),
        },
        {
            "source": DLMF + "5.15.8", "text": "polygamma(1, n)", "to": "n->oo", "terms": ("1/n", "1/(2*n^2)", "1/(6*n^3)"),
            "next": "-1/(30*n^5)", "value": lambda n: mp.psi(1, n),
        },
    ],
)  # fmt: skip

_ENTROPY = "exp(n*(-c*log(c) - (1 - c)*log(1 - c)))/sqrt(2*pi*c*(1 - c)*n)"
_WINDOW = "exp(-x^2)/sqrt(pi*n)"

BINOMIALS = numbered(
    "binomial",
    [
        {
            "source": "OEIS A000984; Concrete Mathematics, exercise 9.60", "text": "binomial(2*n, n)", "to": "n->oo",
            "terms": tuple(f"4^n/sqrt(pi*n)*{c}" for c in ("1", "(-1/(8*n))", "1/(128*n^2)")),
            "next": "4^n/sqrt(pi*n)*5/(1024*n^3)", "value": lambda n: mp.exp(_log_binomial(2 * n, n)),
        },
        {
            "source": "OEIS A000108; Flajolet, Sedgewick, Analytic Combinatorics, I.2.3", "text": "binomial(2*n, n)/(n + 1)",
            "to": "n->oo", "terms": tuple(f"4^n/sqrt(pi*n^3)*{c}" for c in ("1", "(-9/(8*n))", "145/(128*n^2)")),
            "next": "-4^n/sqrt(pi*n^3)*1155/(1024*n^3)", "value": lambda n: mp.exp(_log_binomial(2 * n, n)) / (n + 1),
        },
        {
            "source": "MacWilliams, Sloane, The Theory of Error-Correcting Codes, 10.11 (entropy form)",
            "text": "binomial(n, c*n)", "to": "n->oo", "assume": ("0<c<1",), "at": RHO,
            "terms": (_ENTROPY, _ENTROPY + "*(1 - 1/c - 1/(1 - c))/(12*n)"),
            "next": _ENTROPY + "*((1 - 1/c - 1/(1 - c))/12)^2/(2*n^2)",
            "value": lambda n, c: mp.exp(_log_binomial(n, c * n)),
        },
        {
            "source": "Feller, An Introduction to Probability Theory I, VII.2 (window)",
            "text": "binomial(2*n, n + x*sqrt(n))/4^n", "to": "n->oo", "at": ({"x": "1/2"}, {"x": "2"}),
            "terms": (_WINDOW, _WINDOW + "*(-1/8 + x^2/2 - x^4/6)/n"),
            "next": _WINDOW + "*(x^8/72 - 3*x^6/20 + 19*x^4/48 - 11*x^2/48 + 1/128)/n^2",
            "value": lambda n, x: mp.exp(_log_binomial(2 * n, n + x * mp.sqrt(n)) - n * mp.log(4)),
        },
        {
            "source": "OEIS A005809", "text": "binomial(3*n, n)", "to": "n->oo",
            "terms": tuple(f"(27/4)^n*sqrt(3/(4*pi*n))*{c}" for c in ("1", "(-7/(72*n))")),
            "next": "(27/4)^n*sqrt(3/(4*pi*n))*49/(10368*n^2)", "value": lambda n: mp.exp(_log_binomial(3 * n, n)),
        },
        {
            "source": "OEIS A001147 (double factorials)", "text": "factorial(2*n)/(2^n*factorial(n))", "to": "n->oo",
            "terms": tuple(f"sqrt(2)*exp(n*log(2*n) - n)*{c}" for c in ("1", "(-1/(24*n))", "1/(1152*n^2)")),
            "next": "sqrt(2)*exp(n*log(2*n) - n)*1003/(414720*n^3)",
            "value": lambda n: mp.exp(mp.loggamma(2 * n + 1) - mp.loggamma(n + 1) - n * mp.ln2),
        },
    ],
)  # fmt: skip

ZETA = numbered(
    "zeta",
    [
        {
            "source": DLMF + "25.2.4", "text": "zeta(1 + x)", "to": "x->0+", "terms": ("1/x", "EulerGamma", "-x*stieltjes(1)"),
            "next": "x^2*stieltjes(2)/2", "value": lambda x: _zeta_near_one(x), "sizes": ("1e31", "1e62"), "digits": 240,
        },
        {
            "source": DLMF + "25.12.6", "text": "polylog(2, 1 - x)", "to": "x->0+",
            "terms": ("pi^2/6", "x*log(x)", "-x"), "next": "x^2*log(x)/2 - x^2/4",
            "value": lambda x: mp.pi**2 / 6 - mp.log(x) * mp.log1p(-x) - mp.polylog(2, x),
        },
        {
            "source": DLMF + "25.12.12", "text": "polylog(1/2, 1 - x)", "to": "x->0+",
            "terms": ("sqrt(pi/x)", "zeta(1/2)", "-sqrt(pi*x)/4"), "next": "-x*zeta(-1/2)",
            "value": lambda x: _polylog(mp.mpf(1) / 2, x), "sizes": ("1e66", "1e130"),
        },
        {
            "source": DLMF + "25.12.12", "text": "polylog(s, exp(-x))", "to": "x->0+", "assume": ("1<s<2",),
            "at": ({"s": "3/2"}, {"s": "5/4"}),
            "terms": ("zeta(s)", "gamma(1 - s)*x^(s - 1)", "-zeta(s - 1)*x"), "next": "zeta(s - 2)*x^2/2",
            "value": lambda x, s: _polylog(s, -mp.expm1(-x)), "sizes": ("1e66", "1e140"), "digits": 700,
        },
        {
            "source": DLMF + "25.12.12 with 25.2.4", "text": "polylog(3, exp(-x))", "to": "x->0+",
            "terms": ("zeta(3)", "-pi^2*x/6", "-x^2*log(x)/2", "3*x^2/4"), "next": "x^3/12",
            "value": lambda x: _trilogarithm(x),
        },
        {
            "source": DLMF + "25.2.1", "text": "zeta(n)", "to": "n->oo", "terms": ("1", "2^(-n)", "3^(-n)"), "next": "4^(-n)",
            "sizes": ("400", "700"), "digits": 700, "value": lambda n: mp.fsum(mp.mpf(k) ** -n for k in range(1, 64)),
        },
        {
            "source": DLMF + "25.11.43", "text": "zeta(2, n)", "to": "n->oo", "terms": ("1/n", "1/(2*n^2)", "1/(6*n^3)"),
            "next": "-1/(30*n^5)", "value": lambda n: mp.psi(1, n),
        },
    ],
)  # fmt: skip


def _zeta_near_one(x: mp.mpf) -> mp.mpf:
    """zeta(1 + x) from the alternating zeta function: eta(s)/(1 - 2^(1-s)), the sum accelerated (Cohen et al. 2000)."""
    with mp.workdps(mp.mp.dps + 80):
        s, count = 1 + x, int(1.32 * mp.mp.dps) + 10
        d = (3 + mp.sqrt(8)) ** count
        d = (d + 1 / d) / 2
        b, c, total = mp.mpf(-1), -d, mp.mpf(0)
        for k in range(count):
            c = b - c
            total += c * mp.exp(-s * mp.log(k + 1))
            b = (k + count) * (k - count) * b / ((k + mp.mpf(1) / 2) * (k + 1))
        return +(total / d / -mp.expm1(-x * mp.ln2))


def _polylog(s: mp.mpf, x: mp.mpf) -> mp.mpf:
    """Li_s(1 - x) by the convergent series DLMF 25.12.12 in z = -ln(1 - x); the tests confront it with the defining sum."""
    z = -mp.log1p(-x)
    with mp.workdps(mp.mp.dps + 20):
        total, term, k = mp.gamma(1 - s) * z ** (s - 1), mp.mpf(1), 0
        while True:
            part = mp.zeta(s - k) * term
            total += part
            k += 1
            term *= -z / k
            if abs(term) < mp.eps:
                return +total


def _trilogarithm(x: mp.mpf) -> mp.mpf:
    """Li_3(e^(-x)) = zeta(3) - integral of Li_2(e^(-t)) over 0..x, with Li_2 by reflection (DLMF 25.12.6)."""

    def dilogarithm(t: mp.mpf) -> mp.mpf:
        small = -mp.expm1(-t)
        return mp.pi**2 / 6 + mp.log(small) * t - small_dilogarithm(small)

    def small_dilogarithm(u: mp.mpf) -> mp.mpf:
        total, power, k = mp.mpf(0), u, 1
        while abs(power) > mp.eps * u:
            total, power, k = total + power / k**2, power * u, k + 1
        return total

    return mp.zeta(3) - x * mp.quad(lambda s: dilogarithm(x * s), [0, 1])


_L1, _L2 = "log(n)", "log(log(n))"
_M1, _M2 = "log(x)", "log(-log(x))"

FUNCTIONS = numbered(
    "functions",
    [
        {
            "source": DLMF + "7.12.1", "text": "erfc(n)", "to": "n->oo",
            "terms": tuple(f"exp(-n^2)/(sqrt(pi)*n)*{c}" for c in ("1", "(-1/(2*n^2))", "3/(4*n^4)")),
            "next": "-15*exp(-n^2)/(8*sqrt(pi)*n^7)", "sizes": ("1e16", "1e33"),
            "value": lambda n: mp.exp(-(n**2)) / mp.sqrt(mp.pi) * _upper(mp.mpf(1) / 2, n**2) * n,
        },
        {
            "source": DLMF + "7.6.1", "text": "erf(x)", "to": "x->0+",
            "terms": ("2*x/sqrt(pi)", "-2*x^3/(3*sqrt(pi))", "x^5/(5*sqrt(pi))"), "next": "-x^7/(21*sqrt(pi))",
            "value": lambda x: mp.erf(x),
        },
        {
            "source": DLMF + "7.8.2 (Mills's ratio)", "text": "exp(n^2)*erfc(n)", "to": "n->oo",
            "terms": ("1/(sqrt(pi)*n)", "-1/(2*sqrt(pi)*n^3)", "3/(4*sqrt(pi)*n^5)"), "next": "-15/(8*sqrt(pi)*n^7)",
            "value": lambda n: n * _upper(mp.mpf(1) / 2, n**2) / mp.sqrt(mp.pi),
        },
        {
            "source": DLMF + "6.6.2", "text": "E1(x)", "to": "x->0+", "terms": ("-log(x)", "-EulerGamma", "x"), "next": "-x^2/4",
            "value": lambda x: mp.e1(x),
        },
        {
            "source": DLMF + "6.12.1", "text": "E1(n)", "to": "n->oo", "terms": ("exp(-n)/n", "-exp(-n)/n^2", "2*exp(-n)/n^3"),
            "next": "-6*exp(-n)/n^4", "value": lambda n: mp.exp(-n) * _upper(mp.mpf(0), n),
        },
        {
            "source": DLMF + "6.12.2", "text": "Ei(n)", "to": "n->oo", "terms": ("exp(n)/n", "exp(n)/n^2", "2*exp(n)/n^3"),
            "next": "6*exp(n)/n^4", "value": lambda n: mp.exp(n) * _ei_scaled(n),
        },
        {
            "source": DLMF + "6.12.2 (the prime number theorem's li)", "text": "li(n)", "to": "n->oo",
            "terms": ("n/log(n)", "n/log(n)^2", "2*n/log(n)^3"), "next": "6*n/log(n)^4", "sizes": ("exp(1e40)", "exp(1e66)"),
            "value": lambda n: n * _ei_scaled(mp.log(n)),
        },
        {
            "source": DLMF + "6.2.8, 6.6.1", "text": "li(1 - x)", "to": "x->0+", "terms": ("log(x)", "EulerGamma", "-x/2"),
            "next": "-x^2/24", "value": lambda x: _ei_small(mp.log1p(-x)),
        },
        {
            "source": DLMF + "6.2.8, 6.6.1", "text": "li(1 + x)", "to": "x->0+", "terms": ("log(x)", "EulerGamma", "x/2"),
            "next": "-x^2/24", "value": lambda x: _ei_small(mp.log1p(x)),
        },
        {
            "source": DLMF + "6.2.8, 6.12.1", "text": "li(x)", "to": "x->0+",
            "terms": ("x/log(x)", "x/log(x)^2", "2*x/log(x)^3"), "next": "6*x/log(x)^4", "sizes": ("exp(1e40)", "exp(1e66)"),
            "value": lambda x: -x * _upper(mp.mpf(0), -mp.log(x)),
        },
        {
            "source": DLMF + "4.13.10; Corless et al. 1996", "text": "LambertW(n)", "to": "n->oo",
            "terms": (_L1, f"-{_L2}", f"{_L2}/{_L1}"), "next": f"{_L2}*({_L2} - 2)/(2*{_L1}^2)",
            "sizes": ("exp(1e40)", "exp(1e66)"),
            "value": lambda n: _lambert(mp.log(n)),
        },
        {
            "source": DLMF + "4.13.11; Corless et al. 1996", "text": "LambertW(-x, -1)", "to": "x->0+",
            "terms": (_M1, f"-{_M2}", f"{_M2}/{_M1}"), "next": f"{_M2}*({_M2} - 2)/(2*{_M1}^2)",
            "sizes": ("exp(1e40)", "exp(1e66)"),
            "value": lambda x: -_lambert_minus(-mp.log(x)),
        },
        {
            "source": DLMF + "4.13.6; Corless et al. 1996 (branch point)", "text": "LambertW(x - exp(-1))", "to": "x->0+",
            "terms": ("-1", "sqrt(2*E*x)", "-2*E*x/3"), "next": "11*sqrt(2)*(E*x)^(3/2)/36", "sizes": ("1e66", "1e132"),
            "value": lambda x: _lambert_branch(x), "digits": 600,
        },
    ],
)  # fmt: skip


def _upper(a: mp.mpf, z: mp.mpf) -> mp.mpf:
    """Gamma(a, z) e^z z^(-a) z^a: without the power, by the continued fraction."""
    from benchmarks.capability.numerics import upper_gamma_scaled

    return upper_gamma_scaled(a, z)


def _ei_scaled(n: mp.mpf) -> mp.mpf:
    """Ei(n) e^(-n): the principal value of ``integral e^(-n s)/(1 - s)``; its rest beyond s = 1/2 is below e^(-n/2)."""
    window = mp.mp.prec * mp.ln2 + 10
    return mp.quad(lambda s: mp.exp(-s) / (n - s), [0, 1, 4, 16, 64, 256, window])


def _ei_small(u: mp.mpf) -> mp.mpf:
    """Ei(u) for small u (principal value): gamma + ln|u| + sum u^k/(k k!)."""
    total, term, k = mp.euler + mp.log(abs(u)), mp.mpf(1), 0
    while abs(term) > mp.eps:
        k += 1
        term *= u / k
        total += term / k
    return total


def _lambert(log: mp.mpf) -> mp.mpf:
    """w with w + ln w = log."""
    from benchmarks.capability.numerics import newton

    return newton(lambda w: w + mp.log(w) - log, log - mp.log(log))


def _lambert_minus(log: mp.mpf) -> mp.mpf:
    """v = -W_(-1)(-e^(-log)) > 1 with v - ln v = log."""
    from benchmarks.capability.numerics import newton

    return newton(lambda v: v - mp.log(v) - log, log + mp.log(log))


def _lambert_branch(x: mp.mpf) -> mp.mpf:
    from benchmarks.capability.numerics import newton

    # w = -1 + y:  (y - 1) e^y = e x - 1, that is 1 + (y - 1) e^y = e x
    def f(y: mp.mpf) -> mp.mpf:
        total, term, k = mp.mpf(0), y, 1  # 1 + (y-1)e^y = sum (k-1)/k! y^k
        power, factorial = y, mp.mpf(1)
        while True:
            k += 1
            power *= y
            factorial *= k
            term = power * (k - 1) / factorial
            total += term
            if abs(term) < mp.eps * abs(total):
                return mp.log(total) - mp.log(mp.e * x)

    return newton(f, mp.sqrt(2 * mp.e * x)) - 1


PROBLEMS = [*GAMMA, *BINOMIALS, *ZETA, *FUNCTIONS]
