"""Quantities that an equation defines."""

from __future__ import annotations

import mpmath as mp

from benchmarks.capability import numerics
from benchmarks.capability.problem import numbered

HUGE = ("exp(1e40)", "exp(1e67)")
_D = "(d - 1 - log(d))"
_L = "log(1/(1 - l))"


def _quantile(n: mp.mpf) -> mp.mpf:
    """x with erfc(x) = 1/n, by the logarithms of both sides."""

    def f(x: mp.mpf) -> mp.mpf:
        return -x * x + mp.log(x * numerics.upper_gamma_scaled(mp.mpf(1) / 2, x * x) / mp.sqrt(mp.pi)) + mp.log(n)

    return numerics.newton(f, mp.sqrt(mp.log(n)))


def _mean_field(d: mp.mpf, log: mp.mpf) -> mp.mpf:
    """q with 1F1(1; b+1; d l b) = 1/(1-l) = e^log, b = q/((d-1) l), for l so near 1 that l = 1 to the precision.

    1F1(1; b+1; z) = b e^z integral over s of e^(-z s) s^(b-1), 0 < s < 1, with its peak at s = (b-1)/z.
    """

    def f(b: mp.mpf) -> mp.mpf:
        z = d * b

        def exponent(u: mp.mpf) -> mp.mpf:  # s = e^u
            return b * u - z * mp.exp(u)

        top = -mp.log(d)
        whole = numerics.peak(exponent, top, 1 / mp.sqrt(b))
        return mp.log(b) + z + exponent(top) + mp.log(whole) - log

    return (d - 1) * numerics.newton(f, log / (d - 1 - mp.log(d)))


PROBLEMS = numbered(
    "implicit",
    [
        {
            "source": "de Bruijn, 2.4; DLMF 4.13.10", "text": "x*exp(x) = n", "unknown": "x", "to": "n->oo", "sizes": HUGE,
            "terms": ("log(n)", "-log(log(n))", "log(log(n))/log(n)"), "next": "log(log(n))*(log(log(n)) - 2)/(2*log(n)^2)",
            "digits": 320,
            "value": lambda n: numerics.newton(lambda w: w + mp.log(w) - mp.log(n), mp.log(n) - mp.log(mp.log(n))),
        },
        {
            "source": "de Bruijn, 2.4; the n-th prime's first terms", "text": "x*log(x) = n", "unknown": "x", "to": "n->oo",
            "terms": ("n/log(n)", "n*log(log(n))/log(n)^2"), "next": "n*log(log(n))*(log(log(n)) - 1)/log(n)^3", "sizes": HUGE,
            "digits": 250,
            "value": lambda n: n / numerics.newton(lambda w: w + mp.log(w) - mp.log(n), mp.log(n) - mp.log(mp.log(n))),
        },
        {
            "source": "de Bruijn, 2.4", "text": "x + log(x) = n", "unknown": "x", "to": "n->oo",
            "terms": ("n", "-log(n)", "log(n)/n"), "next": "(log(n)^2/2 - log(n))/n^2", "digits": 250,
            "value": lambda n: numerics.newton(lambda x: x + mp.log(x) - n, n - mp.log(n)),
        },
        {
            "source": "Cantrell; Borwein, Corless 2018 (inverse gamma)", "text": "gamma(x) = exp(n)",
            "unknown": "x", "assume": ("x>2",),
            "to": "n->oo",
            "terms": ("n/log(n)", "n*log(log(n))/log(n)^2", "n/log(n)^2"),
            "next": "n*(log(log(n))^2 + log(log(n)))/log(n)^3", "sizes": HUGE, "digits": 250,
            "value": lambda n: numerics.newton(
                lambda x: x * mp.log(x) - x - mp.log(x) / 2 + mp.log(2 * mp.pi) / 2 + 1 / (12 * x) - n, n / mp.log(n)
            ),
        },
        {
            "source": "Blair, Edwards, Johnson 1976; DLMF 7.17.3 (normal quantile)", "text": "erfc(x) = 1/n", "unknown": "x",
            "to": "n->oo", "sizes": HUGE, "digits": 200,
            "terms": ("sqrt(log(n))", "-log(log(n))/(4*sqrt(log(n)))", "-log(pi)/(4*sqrt(log(n)))"),
            "next": "(-(log(log(n)) + log(pi))^2/32 + (log(log(n)) + log(pi))/8 - 1/4)/log(n)^(3/2)", "value": _quantile,
        },
        {
            "source": "de Bruijn, 2.4-type; 1 - x of x^n + x = 1", "text": "(1 - y)^n = y", "unknown": "y",
            "to": "n->oo", "assume": ("y<1",),
            "terms": ("log(n)/n", "-log(log(n))/n", "log(log(n))/(n*log(n))"),
            "next": "log(log(n))*(log(log(n)) - 2)/(2*n*log(n)^2)", "sizes": HUGE, "digits": 320,
            "value": lambda n: numerics.newton(
                lambda u: u + mp.log(u) - mp.log(n), mp.log(n) - mp.log(mp.log(n))  # n ln(1-y) = -u (1 + O(u/n))
            ) / n,
        },
        {
            "source": "Hardy, Orders of Infinity; x^n + x = 1", "text": "x^n + x = 1", "unknown": "x", "to": "n->oo",
            "terms": ("1", "-log(n)/n", "log(log(n))/n"), "next": "-log(log(n))/(n*log(n))", "sizes": HUGE, "digits": 700,
            "offset": "1", "compare": ("1e80", "1e300"),
            "value": lambda n: -numerics.newton(
                lambda u: u + mp.log(u) - mp.log(n), mp.log(n) - mp.log(mp.log(n))
            ) / n,
        },
        {
            "source": "Concrete Mathematics, 9.4 (bootstrapping)", "text": "x^5 + x = n", "unknown": "x", "to": "n->oo",
            "terms": ("n^(1/5)", "-n^(-3/5)/5", "-n^(-7/5)/25"), "next": "-n^(-11/5)/125", "sizes": ("1e50", "1e100"),
            "value": lambda n: numerics.newton(lambda x: x**5 + x - n, n ** mp.mpf("0.2")),
        },
        {
            "source": "Bender, Orszag, 7.1", "text": "cos(x) = n*x", "unknown": "x", "to": "n->oo",
            "terms": ("1/n", "-1/(2*n^3)", "13/(24*n^5)"), "next": "-541/(720*n^7)", "sizes": ("1e20", "1e40"),
            "value": lambda n: numerics.newton(lambda x: mp.cos(x) - n * x, 1 / n),
        },
        {
            "source": "Jagerman 1974 (inverse of Erlang's formula, overload)",
            "text": "(a^n/factorial(n))/Sum(a^k/factorial(k), (k, 0, n)) = 1/2", "unknown": "a", "to": "n->oo", "digits": 250,
            "terms": ("2*n", "-2"), "value": lambda n: numerics.newton(lambda a: numerics.inverse_erlang(n, a) - 2, 2 * n - 2),
        },
        {
            "source": "Jagerman 1974 (inverse of Erlang's formula, blocking q)",
            "text": "(a^n/factorial(n))/Sum(a^k/factorial(k), (k, 0, n)) = q", "unknown": "a", "to": "n->oo", "digits": 250,
            "assume": ("0<q<1",), "at": ({"q": "1/5"}, {"q": "1/2"}), "terms": ("n/(1 - q)", "-1/q"),
            "value": lambda n, q: numerics.newton(lambda a: numerics.inverse_erlang(n, a) - 1 / q, n / (1 - q) - 1 / q),
        },
        {
            "source": "job parallelism over d processor-sharing servers, (3) (mean-field fixed point)",
            "text": "Sum(Product(d*l/(1 + v*(d - 1)*l/q), (v, 1, u)), (u, 0, oo)) = 1/(1 - l)", "unknown": "q", "to": "l->1-",
            "assume": ("d>1",), "at": ({"d": "2"}, {"d": "5"}), "scales": {"l": "exp(N)"}, "sizes": ("1e33", "1e66"),
            "terms": (f"(d - 1)*{_L}/{_D}", f"-(d - 1)*log({_L})/(2*{_D})", f"-(d - 1)*log(2*pi/{_D})/(2*{_D})"),
            "next": f"(d - 1)*(log(2*pi*{_L}/{_D})/(4*{_D}*{_L}) - 1/(12*{_L}))", "digits": 230,
            "value": lambda d, N: _mean_field(d, N),
        },
        {
            "source": "square-root staffing (Halfin, Whitt 1981)", "text": "x - b*sqrt(x) = n", "unknown": "x", "to": "n->oo",
            "assume": ("b>0",), "at": ({"b": "1/2"}, {"b": "2"}), "terms": ("n", "b*sqrt(n)", "b^2/2"),
            "next": "b^3/(8*sqrt(n))", "sizes": ("1e66", "1e132"),
            "value": lambda n, b: ((b + mp.sqrt(b * b + 4 * n)) / 2) ** 2,
        },
        {
            "source": "de Bruijn, 2.4 (iteration)", "text": "exp(x) = n + x^2", "unknown": "x", "to": "n->oo",
            "terms": ("log(n)", "log(n)^2/n"), "next": "(2*log(n)^3 - log(n)^4/2)/n^2",
            "value": lambda n: numerics.newton(lambda x: x - mp.log(n + x * x), mp.log(n)),
        },
    ],
)  # fmt: skip
