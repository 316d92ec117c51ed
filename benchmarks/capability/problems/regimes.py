"""Two variables at once, and parameters that decide the order of the terms."""

from __future__ import annotations

import mpmath as mp

from benchmarks.capability import numerics
from benchmarks.capability.problem import Case, numbered

LFMS = "Grosof, Ayhan 2025, "
_MU = "1/p/(1/mun + (1 - p)^n/(n*mu1*p) + Sum((1 - p)^b/(b*mu1), (b, 1, n - 1)))"
RATES = ({"mu1": "1", "mun": "2"}, {"mu1": "3", "mun": "1"})
_D = "(mu1/mun + exp(-c)/c - log(c) - E1(c))"


def _throughput(n: mp.mpf, p: mp.mpf, mu1: mp.mpf, mun: mp.mpf) -> mp.mpf:
    """mu of Lemma 5.3."""
    cycle = 1 / mun + mp.exp(n * mp.log1p(-p)) / (n * mu1 * p) + numerics.partial_logarithm(n, p) / mu1
    return 1 / (p * cycle)


REGIMES = numbered(
    "two-variables",
    [
        {
            "source": LFMS + "Theorem 4.2 with one more term", "text": _MU, "to": "n->oo, p=c/n",
            "at": tuple({**r, "c": c} for r, c in zip(RATES, ("1", "2"), strict=True)), "sizes": ("exp(1e33)", "exp(1e66)"),
            "terms": ("n*mu1/(c*log(n))", f"-n*mu1*{_D}/(c*log(n)^2)"), "next": f"n*mu1*{_D}^2/(c*log(n)^3)", "digits": 250,
            "value": _throughput,
        },
        {
            "source": LFMS + "Theorem 4.1, p = n^(-a), 0 < a < 1", "text": _MU, "to": "n->oo, p=n^(-a)", "assume": ("0<a<1",),
            "at": ({**RATES[0], "a": "1/2"}, {**RATES[1], "a": "2/3"}), "sizes": ("exp(1e33)", "exp(1e66)"), "digits": 250,
            "terms": ("mu1*n^a/(a*log(n))", "-mu1^2*n^a/(mun*a^2*log(n)^2)"), "next": "mu1^3*n^a/(mun^2*a^3*log(n)^3)",
            # n p -> oo: the full term and the tail are below e^(-n p)
            "value": lambda n, a, mu1, mun: n**a / (1 / mun + a * mp.log(n) / mu1),
        },
        {
            "source": LFMS + "Theorem 4.1, n p -> oo", "text": _MU, "to": "u->oo, v->oo, p=1/v, n=u*v", "at": RATES,
            "scales": {"u": "N", "v": "exp(N)"}, "sizes": ("1e33", "1e66"), "digits": 250,
            "terms": ("mu1*v/log(v)", "-mu1^2*v/(mun*log(v)^2)"), "next": "mu1^3*v/(mun^2*log(v)^3)",
            "value": lambda u, v, mu1, mun: v / (1 / mun + mp.log(v) / mu1),
        },
        {
            "source": LFMS + "Lemma 8.3, corrected", "text": _MU, "to": "n->oo, p=n^(-a)", "assume": ("a>1",),
            "at": ({**RATES[0], "a": "3/2"}, {**RATES[1], "a": "3"}), "sizes": ("1e70", "1e140"), "digits": 900,
            "terms": ("mu1*n", "-mu1*n^(2 - a)*log(n)", "-mu1*(mu1/mun - 1 + EulerGamma)*n^(2 - a)"), "value": _throughput,
        },
        {
            "source": "Feller I, VI.5 (Poisson's limit with its correction)", "text": "binomial(n, k)*p^k*(1 - p)^(n - k)",
            "to": "n->oo, p=c/n", "at": ({"k": "2", "c": "1/2"}, {"k": "5", "c": "3"}),
            "terms": ("exp(-c)*c^k/factorial(k)", "exp(-c)*c^k/factorial(k)*(k*c - c^2/2 - k*(k - 1)/2)/n"),
            "value": lambda n, k, p: mp.exp(
                mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1) + k * mp.log(p) + (n - k) * mp.log1p(-p)
            ),
        },
        {
            "source": LFMS + "Lemma 7.1 (the power)", "text": "(1 - p)^n", "to": "n->oo, p=n^(-a)", "assume": ("1/2<a<1",),
            "at": ({"a": "3/4"}, {"a": "5/6"}), "terms": ("exp(-n^(1 - a))", "-exp(-n^(1 - a))*n^(1 - 2*a)/2"),
            "next": "exp(-n^(1 - a))*n^(2 - 4*a)/8", "sizes": ("1e66", "1e160"), "value": lambda n, p: mp.exp(n * mp.log1p(-p)),
        },
        {
            "source": "Flajolet, Sedgewick, VIII (occupancy), n p -> 0", "text": "(1 - (1 - p)^n)/p",
            "to": "u->oo, v->oo, p=1/(u*v), n=u", "terms": ("u", "-u/(2*v)"), "next": "u/(6*v^2) + 1/(2*v)",
            "value": lambda n, p: -mp.expm1(n * mp.log1p(-p)) / p,
        },
        {
            "source": "Flajolet, Sedgewick, VIII (occupancy), n p = c", "text": "(1 - (1 - p)^n)/p", "to": "n->oo, p=c/n",
            "at": ({"c": "1/2"}, {"c": "2"}), "terms": ("n*(1 - exp(-c))/c", "c*exp(-c)/2"),
            "next": "exp(-c)*(c^2/3 - c^3/8)/n", "value": lambda n, p: -mp.expm1(n * mp.log1p(-p)) / p,
        },
    ],
)  # fmt: skip

_THIRD = "-mu1*(mu1/mun - 1 + EulerGamma)*n^(2 - a)"

SPLITS = numbered(
    "case-splits",
    [
        {
            "source": LFMS + "Lemma 8.3 (alpha against 2)", "text": "Sum((1 - p)^i/i, (i, 1, n - 1))", "to": "n->oo, p=n^(-a)",
            "assume": ("a>1",), "sizes": ("1e80", "1e264"), "digits": 800,
            "cases": (
                Case({"a": "5/4"}, ("log(n)", "EulerGamma", "-n^(1 - a)"), "n^(2 - 2*a)/4"),
                Case({"a": "3"}, ("log(n)", "EulerGamma", "-1/(2*n)"), "-13/(12*n^2)"),
            ),
            "value": lambda n, p: numerics.partial_logarithm(n, p),
        },
        {
            "source": LFMS + "Theorem 8.1 (alpha against 2)", "text": _MU, "to": "n->oo, p=n^(-a)", "assume": ("a>1",),
            "sizes": ("1e70", "1e140"), "digits": 900, "value": _throughput,
            "cases": (
                Case({**RATES[0], "a": "3"}, ("mu1*n", "-mu1*n^(2 - a)*log(n)", _THIRD, "mu1*n^(1 - a)/2")),
                Case({**RATES[1], "a": "5/2"}, ("mu1*n", "-mu1*n^(2 - a)*log(n)", _THIRD, "mu1*n^(1 - a)/2")),
            ),
        },
        {
            "source": "DLMF 25.11.43 (s against 1)", "text": "harmonic(n, s)", "to": "n->oo", "assume": ("s>0",),
            "sizes": ("1e66", "1e140"), "digits": 600,
            "cases": (
                Case({"s": "1/2"}, ("n^(1 - s)/(1 - s)", "zeta(s)", "n^(-s)/2"), "-s*n^(-s - 1)/12"),
                Case({"s": "3"}, ("zeta(s)", "n^(1 - s)/(1 - s)", "n^(-s)/2"), "-s*n^(-s - 1)/12"),
            ),
            "value": lambda n, s: (
                mp.zeta(s) - mp.psi(2, n + 1) / -2 if s == 3 else mp.zeta(s) + _hurwitz_half(n)
            ),
        },
        {
            "source": "orders of n^(3-2a) log n, n^(2-a), n^(1-a) log(n)^2 (Theorem 8.1)",
            "text": "n^(3 - 2*a)*log(n) + n^(2 - a) + n^(1 - a)*log(n)^2", "to": "n->oo", "assume": ("a>1",),
            "sizes": ("1e99", "1e300"), "digits": 800,
            "cases": (
                Case({"a": "4/3"}, ("n^(2 - a)", "n^(3 - 2*a)*log(n)"), "n^(1 - a)*log(n)^2"),
                Case({"a": "3"}, ("n^(2 - a)", "n^(1 - a)*log(n)^2"), "n^(3 - 2*a)*log(n)"),
            ),
            "value": lambda n, a: n ** (3 - 2 * a) * mp.log(n) + n ** (2 - a) + n ** (1 - a) * mp.log(n) ** 2,
        },
        {
            "source": "DLMF 8.7.3 (a against 1)", "text": "uppergamma(-a, x)", "to": "x->0+", "assume": ("0<a<2",),
            "sizes": ("1e70", "1e140"), "digits": 600,
            "cases": (
                Case({"a": "1/2"}, ("x^(-a)/a", "gamma(-a)", "x^(1 - a)/(1 - a)"), "x^(2 - a)/(2*(a - 2))"),
                Case({"a": "3/2"}, ("x^(-a)/a", "x^(1 - a)/(1 - a)", "gamma(-a)"), "x^(2 - a)/(2*(2 - a))*(-1)"),
            ),
            "value": lambda x, a: mp.gammainc(-a, x),
        },
    ],
)  # fmt: skip


def _hurwitz_half(n: mp.mpf) -> mp.mpf:
    """-zeta(1/2, n+1) by Hermite's formula (DLMF 25.11.29)."""
    a = n + 1
    window = (mp.mp.prec * mp.ln2 + 10) / 6
    rest = mp.quad(
        lambda x: mp.sin(mp.atan(x / a) / 2) / ((a * a + x * x) ** mp.mpf("0.25") * mp.expm1(2 * mp.pi * x)),
        [0, 1, 4, 16, 64, window],
    )
    return -(1 / (2 * mp.sqrt(a)) - 2 * mp.sqrt(a) + 2 * rest)


PROBLEMS = [*REGIMES, *SPLITS]
