"""Sums: partial sums of logarithmic series, harmonic weights, Euler-Maclaurin, Laplace's method for sums."""

from __future__ import annotations

import mpmath as mp

from benchmarks.capability import numerics
from benchmarks.capability.problem import Fit, numbered

LFMS = "Grosof, Ayhan 2025, "
KNUTH = "Knuth, The Art of Computer Programming I, 1.2.11.3"
AT_C = ({"c": "1/2"}, {"c": "3"})
_PARTIAL = "Sum(x^b/b, (b, 1, n - 1))"

PARTIAL = numbered(
    "partial-sums",
    [
        {
            "source": LFMS + "Lemma 5.3, 0 < alpha < 1", "text": _PARTIAL, "to": "n->oo, x=1-n^(-a)", "assume": ("0<a<1",),
            "at": ({"a": "1/2"}, {"a": "2/3"}), "terms": ("a*log(n)",), "digits": 200,
            "value": lambda n, a: -mp.log(n**-a) - numerics.tail_of_logarithm(n, -mp.log1p(-(n**-a))),
        },
        {
            "source": LFMS + "Lemma 5.3, alpha = 1/2", "text": _PARTIAL, "to": "n->oo, x=1-n^(-1/2)",
            "terms": ("log(n)/2",), "digits": 200,
            "value": lambda n: mp.log(n) / 2 - numerics.tail_of_logarithm(n, -mp.log1p(-1 / mp.sqrt(n))),
        },
        {
            "source": LFMS + "Lemma 5.3, p = c/n", "text": _PARTIAL, "to": "n->oo, x=1-c/n", "at": AT_C,
            "terms": ("log(n)", "-log(c) - E1(c)", "(c - 1)*exp(-c)/(2*n)"),
            "value": lambda n, x: numerics.partial_logarithm(n, 1 - x), "digits": 250,
        },
        {
            "source": LFMS + "Lemma 5.3, p = 1/n", "text": _PARTIAL, "to": "n->oo, x=1-1/n", "terms": ("log(n)", "-E1(1)"),
            "value": lambda n, x: numerics.partial_logarithm(n, 1 - x), "digits": 250,
        },
        {
            "source": LFMS + "Lemma 5.3, alpha = 2", "text": _PARTIAL, "to": "n->oo, x=1-n^(-2)",
            "terms": ("log(n)", "EulerGamma", "-3/(2*n)"), "next": "7/(6*n^2)",
            "value": lambda n, x: numerics.partial_logarithm(n, 1 - x), "digits": 420,
        },
        {
            "source": LFMS + "Lemma 8.3, alpha > 2", "text": _PARTIAL, "to": "n->oo, x=1-n^(-a)", "assume": ("a>2",),
            "at": ({"a": "3"}, {"a": "5/2"}), "terms": ("log(n)", "EulerGamma", "-1/(2*n)"),
            "value": lambda n, x: numerics.partial_logarithm(n, 1 - x), "sizes": ("1e66", "1e132"), "digits": 600,
        },
        {
            "source": "Flajolet, Gourdon, Dumas, Mellin transforms and asymptotics (1995), Example 1",
            "text": "Sum(exp(-b/n)/b, (b, 1, n))", "to": "n->oo", "terms": ("log(n)", "-E1(1)", "(1 + exp(-1))/(2*n)"),
            "value": lambda n: -mp.log(-mp.expm1(-1 / n)) - numerics.tail_of_logarithm(n, 1 / n) + mp.exp(-1) / n,
            "digits": 250,
        },
    ],
)  # fmt: skip


def _weighted(n: mp.mpf, p: mp.mpf) -> mp.mpf:
    """``sum of (1-p)^i H_i over 1 <= i < n`` by parts."""
    partial = numerics.partial_logarithm(n, p)
    return (partial - mp.exp(n * mp.log1p(-p)) * (mp.digamma(n) + mp.euler)) / p


def _harmonic_ratio(rate: mp.mpf, power: int, at: list[int]) -> list[mp.mpf]:
    """``sum of (1 - rate/n^power)^i H_i/i over i < n`` for each n."""
    found = []
    for n in at:
        x, term, harmonic, total = 1 - rate / mp.mpf(n) ** power, mp.mpf(1), mp.mpf(0), mp.mpf(0)
        for i in range(1, n):
            term *= x
            harmonic += mp.mpf(1) / i
            total += term * harmonic / i
        found.append(total)
    return found


def _log_basis(j: int) -> str:
    """log(n)^2, log(n), 1, log(n)/n, 1/n, log(n)/n^2, ..."""
    return "log(n)^2" if j == 0 else ("log(n)" if j % 2 else "1") + f"/n^{(j - 1) // 2}"


_C1 = "(log(c)^2/2 + pi^2/6 - EulerGamma*E1(c) - GammaDerivative(1, 0, c) + log(c)*E1(c))"

WEIGHTED = numbered(
    "harmonic-weights",
    [
        {
            "source": "Concrete Mathematics, (7.43)", "text": "Sum((1 - p)^i*harmonic(i), (i, 1, oo))", "to": "p->0+",
            "terms": ("-log(p)/p",), "value": lambda p: -mp.log(p) / p,
        },
        {
            "source": LFMS + "Lemma 5.5; Lewin, Polylogarithms", "text": "Sum((1 - p)^i*harmonic(i)/i, (i, 1, oo))",
            "to": "p->0+", "terms": ("log(p)^2/2", "pi^2/6", "p*log(p)", "-p"), "next": "p^2*log(p)/2 - p^2/4",
            "value": lambda p: mp.pi**2 / 6 - mp.log(p) * mp.log1p(-p) - mp.polylog(2, p) + mp.log(p) ** 2 / 2,
        },
        {
            "source": LFMS + "Lemma 5.5, p = c/n", "text": "Sum((1 - p)^i*harmonic(i), (i, 1, n - 1))", "to": "n->oo, p=c/n",
            "at": AT_C, "digits": 350,
            "terms": ("n*log(n)*(1 - exp(-c))/c", "-n*(EulerGamma*exp(-c) + log(c) + E1(c))/c"),
            "next": "exp(-c)*(c*log(n) + 1 + c*EulerGamma)/2", "value": lambda n, p: _weighted(n, p),
        },
        {
            "source": LFMS + "Lemma 5.5, alpha = 1/2", "text": "Sum((1 - p)^i*harmonic(i), (i, 1, n - 1))",
            "to": "n->oo, p=n^(-1/2)", "terms": ("sqrt(n)*log(n)/2",), "value": lambda n, p: _weighted(n, p), "digits": 200,
        },
        {
            "source": LFMS + "Lemma 5.5, alpha = 2", "text": "Sum((1 - p)^i*harmonic(i), (i, 1, n - 1))",
            "to": "n->oo, p=n^(-2)", "terms": ("n*log(n)", "(EulerGamma - 1)*n", "-log(n)/2", "3/4 - EulerGamma/2"),
            "value": lambda n, p: _weighted(n, p), "digits": 700,
        },
        {
            "source": LFMS + "Lemma 5.5, p = c/n", "text": "Sum((1 - p)^i*harmonic(i)/i, (i, 1, n - 1))", "to": "n->oo, p=c/n",
            "at": ({"c": "1/2"}, {"c": "2"}), "terms": ("log(n)^2/2", "-(log(c) + E1(c))*log(n)", _C1),
            "fit": Fit("1", _log_basis, lambda at, c: _harmonic_ratio(c, 1, at), count=47, first=2000, step=200), "digits": 200,
        },
        {
            "source": LFMS + "Lemma 5.5, alpha = 2", "text": "Sum((1 - p)^i*harmonic(i)/i, (i, 1, n - 1))",
            "to": "n->oo, p=n^(-2)",
            "terms": ("log(n)^2/2", "EulerGamma*log(n)", "EulerGamma^2/2 + pi^2/12", "-3*log(n)/(2*n)"),
            "fit": Fit("1", _log_basis, lambda at: _harmonic_ratio(mp.mpf(1), 2, at), count=51, first=2000, step=200),
            "digits": 200,
        },
    ],
)  # fmt: skip

EULER = numbered(
    "euler-maclaurin",
    [
        {
            "source": "Concrete Mathematics, (9.91)", "text": "Sum(log(k), (k, 1, n))", "to": "n->oo",
            "terms": ("n*log(n)", "-n", "log(n)/2", "log(2*pi)/2"), "next": "1/(12*n)", "value": lambda n: mp.loggamma(n + 1),
        },
        {
            "source": "Glaisher 1878; Concrete Mathematics, exercise 9.28", "text": "Sum(k*log(k), (k, 1, n))", "to": "n->oo",
            "terms": ("n^2*log(n)/2", "-n^2/4", "n*log(n)/2", "log(n)/12", "log(glaisher)"), "digits": 250,
            "fit": Fit(
                "1", lambda j: ["n^2*log(n)", "n^2", "n*log(n)", "log(n)"][j] if j < 4 else f"1/n^{2 * j - 8}",
                lambda at: numerics.cumulative(lambda k: k * mp.log(k), at), count=28,
            ),
        },
        {
            "source": "Concrete Mathematics, exercise 9.27", "text": "Sum(sqrt(k), (k, 1, n))", "to": "n->oo",
            "terms": ("2*n^(3/2)/3", "sqrt(n)/2", "zeta(-1/2)", "1/(24*sqrt(n))"), "digits": 250,
            "fit": Fit(
                "1", lambda j: ["n^(3/2)", "sqrt(n)", "1"][j] if j < 3 else f"n^(-1/2)/n^{2 * j - 6}",
                lambda at: numerics.cumulative(mp.sqrt, at), count=28,
            ),
        },
        {
            "source": "Concrete Mathematics, exercise 9.27", "text": "Sum(1/sqrt(k), (k, 1, n))", "to": "n->oo",
            "terms": ("2*sqrt(n)", "zeta(1/2)", "1/(2*sqrt(n))", "-1/(24*n^(3/2))"), "digits": 250,
            "fit": Fit(
                "1", lambda j: ["sqrt(n)", "1", "1/sqrt(n)"][j] if j < 3 else f"n^(1/2)/n^{2 * j - 4}",
                lambda at: numerics.cumulative(lambda k: 1 / mp.sqrt(k), at), count=28,
            ),
        },
        {
            "source": "Concrete Mathematics, 9.5 (9.79)", "text": "Sum(1/(n^2 + k^2), (k, 1, n))", "to": "n->oo",
            "terms": ("pi/(4*n)", "-1/(4*n^2)", "-1/(24*n^3)"), "next": "1/(2016*n^7)",
            "value": lambda n: (mp.digamma(mp.mpc(1, n)) - mp.digamma(mp.mpc(n + 1, n))).imag / n,
        },
        {
            "source": "Polya, Szego, Problems and Theorems in Analysis I, II 11", "text": "Sum(1/(n + k), (k, 1, n))",
            "to": "n->oo",
            "terms": ("log(2)", "-1/(4*n)", "1/(16*n^2)"), "next": "-1/(128*n^4)",
            "value": lambda n: mp.digamma(2 * n + 1) - mp.digamma(n + 1),
        },
        {
            "source": "DLMF 25.2.5 (Stieltjes constants)", "text": "Sum(log(k)/k, (k, 1, n))", "to": "n->oo",
            "terms": ("log(n)^2/2", "stieltjes(1)", "log(n)/(2*n)"), "digits": 250,
            "fit": Fit(
                "1", lambda j: ["log(n)^2", "1", "log(n)/n"][j] if j < 3 else f"log(n)^{1 - j % 2}/n^{(j + 1) // 2 * 2 - 2}",
                lambda at: numerics.cumulative(lambda k: mp.log(k) / k, at), count=41,
            ),
        },
        {
            "source": "Polya, Szego, Problems and Theorems in Analysis I, II 10", "text": "Sum(log(1 + k/n), (k, 1, n))",
            "to": "n->oo", "terms": ("(2*log(2) - 1)*n", "log(2)/2", "-1/(24*n)"), "next": "7/(2880*n^3)",
            "value": lambda n: mp.loggamma(2 * n + 1) - mp.loggamma(n + 1) - n * mp.log(n),
        },
        {
            "source": "de Bruijn, Asymptotic Methods in Analysis, 3.4 (theta function)", "text": "Sum(exp(-k^2/n), (k, 0, oo))",
            "to": "n->oo", "terms": ("sqrt(pi*n)/2", "1/2"), "sizes": ("1e66", "1e132"), "digits": 150,
            # Jacobi: sum over all k of e^(-k^2/n) = sqrt(pi n) (1 + 2 e^(-pi^2 n) + ...)
            "value": lambda n: (mp.sqrt(mp.pi * n) * (1 + 2 * mp.exp(-(mp.pi**2) * n)) + 1) / 2,
        },
    ],
)  # fmt: skip

_STIRLING = "sqrt(2*pi*n)*exp(n*log(n) - n)"


def _exponential_sum(n: mp.mpf) -> mp.mpf:
    return mp.exp(n * mp.log(n) - mp.loggamma(n + 1)) * numerics.inverse_erlang(n, n)


LAPLACE = numbered(
    "laplace-sums",
    [
        {
            "source": KNUTH + " (25) (Ramanujan's Q)", "text": "Sum(factorial(n)/(factorial(n - k)*n^k), (k, 1, n))",
            "to": "n->oo",
            "terms": ("sqrt(pi*n/2)", "-1/3", "sqrt(pi/(2*n))/12", "-4/(135*n)"), "next": "sqrt(pi/(2*n^3))/288",
            "sizes": ("1e66", "1e126"), "value": lambda n: numerics.inverse_erlang(n, n) - 1,
        },
        {
            "source": KNUTH + " (Ramanujan)", "text": "Sum(n^k/factorial(k), (k, 0, n))", "to": "n->oo",
            "terms": ("exp(n)/2", "2*exp(n)/(3*sqrt(2*pi*n))", "-23*exp(n)/(270*sqrt(2*pi)*n^(3/2))"),
            "next": "23*exp(n)/(3024*sqrt(2*pi)*n^(5/2))", "sizes": ("1e66", "1e100"), "value": _exponential_sum,
        },
        {
            "source": "Franel 1894; OEIS A000172", "text": "Sum(binomial(n, k)^3, (k, 0, n))", "to": "n->oo",
            "terms": ("2*8^n/(sqrt(3)*pi*n)", "-2*8^n/(3*sqrt(3)*pi*n^2)"), "digits": 250,
            "fit": Fit(
                "8^n/n", lambda j: f"1/n^{j}",
                lambda at: numerics.recurrence([1, 2], lambda k: (7 * k * k + 7 * k + 2, 8 * k * k, (k + 1) ** 2), at),
            ),
        },
        {
            "source": "OEIS A001850 (Delannoy)", "text": "Sum(binomial(n, k)*binomial(n + k, k), (k, 0, n))", "to": "n->oo",
            "terms": (
                "(1 + sqrt(2))^(2*n + 1)/(2^(5/4)*sqrt(pi*n))",
                "(1 + sqrt(2))^(2*n + 1)/(2^(5/4)*sqrt(pi*n))*(3*sqrt(2) - 8)/(32*n)",
            ), "digits": 250,
            "fit": Fit(
                "(3 + 2*sqrt(2))^n/sqrt(n)", lambda j: f"1/n^{j}",
                lambda at: numerics.recurrence([1, 3], lambda k: (3 * (2 * k + 1), -k, k + 1), at),
            ),
        },
        {
            "source": "OEIS A005259 (Apery)", "text": "Sum(binomial(n, k)^2*binomial(n + k, k)^2, (k, 0, n))", "to": "n->oo",
            "terms": ("(1 + sqrt(2))^(4*n + 2)/(2^(9/4)*(pi*n)^(3/2))",), "digits": 250,
            "fit": Fit(
                "(1 + sqrt(2))^(4*n)/n^(3/2)", lambda j: f"1/n^{j}",
                lambda at: numerics.recurrence(
                    [1, 5], lambda k: ((2 * k + 1) * (17 * k * k + 17 * k + 5), -(k**3), (k + 1) ** 3), at
                ),
            ),
        },
        {
            "source": "Knuth, The Art of Computer Programming III, 5.1.4 (53) (involutions)",
            "text": "Sum(factorial(n)/(factorial(k)*factorial(n - 2*k)*2^k), (k, 0, floor(n/2)))", "to": "n->oo",
            "terms": tuple(f"exp(n*log(n)/2 - n/2 + sqrt(n) - 1/4)/sqrt(2)*{c}" for c in ("1", "7/(24*sqrt(n))")),
            "digits": 300,
            "fit": Fit(
                "exp(n*log(n)/2 - n/2 + sqrt(n))", lambda j: f"n^(-{j}/2)",
                lambda at: numerics.recurrence([1, 1], lambda k: (1, k, 1), at), count=50, first=20000, step=2000,
            ),
        },
        {
            "source": "Comtet, Advanced Combinatorics, VII; OEIS A046825", "text": "Sum(1/binomial(n, k), (k, 0, n))",
            "to": "n->oo",
            "terms": ("2", "2/n", "4/n^2"), "digits": 250,
            "fit": Fit("1", lambda j: f"1/n^{j}", lambda at: _inverse_binomials(at)),
        },
        {
            "source": "OEIS A003422 (left factorial)", "text": "Sum(factorial(k), (k, 0, n))", "to": "n->oo",
            "terms": (_STIRLING, f"{_STIRLING}*13/(12*n)", f"{_STIRLING}*313/(288*n^2)"), "digits": 250,
            "fit": Fit(
                _STIRLING, lambda j: f"1/n^{j}", lambda at: numerics.cumulative(lambda k: mp.factorial(k), at, 0),
                first=1000, step=60, count=36,
            ),
        },
        {
            "source": "OEIS A059841-type; Sum (2^k - 1)/k", "text": "Sum(binomial(n, k)/k, (k, 1, n))", "to": "n->oo",
            "terms": ("2*2^n/n", "2*2^n/n^2", "6*2^n/n^3"), "digits": 250,
            "fit": Fit(
                "2^n/n", lambda j: f"1/n^{j}", lambda at: numerics.cumulative(lambda k: (mp.mpf(2) ** k - 1) / k, at),
            ),
        },
    ],
)  # fmt: skip


def _inverse_binomials(at: list[int]) -> list[mp.mpf]:
    """S(n) = (n+1)/(2n) S(n-1) + 1."""
    found, value = {}, mp.mpf(1)
    for n in range(1, max(at) + 1):
        value = (n + 1) * value / (2 * n) + 1
        found[n] = value
    return [found[n] for n in at]


PROBLEMS = [*PARTIAL, *WEIGHTED, *EULER, *LAPLACE]
