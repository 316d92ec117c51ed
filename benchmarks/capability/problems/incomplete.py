"""Incomplete gamma functions with one or both arguments large, and Erlang's formulas."""

from __future__ import annotations

import mpmath as mp

from benchmarks.capability import numerics
from benchmarks.capability.problem import numbered

ROOT = ("1e66", "1e132")  # expansions in 1/sqrt(n)
ABOVE, BELOW = ({"c": "2"}, {"c": "7/5"}), ({"c": "1/2"}, {"c": "4/5"})
PHI = "exp(-x^2/2)/sqrt(2*pi)"
LOADS_BELOW, LOADS_ABOVE = ({"r": "1/2"}, {"r": "9/10"}), ({"r": "2"}, {"r": "7/5"})
SLACK = ({"b": "1/2"}, {"b": "2"})


def _upper_at(n: mp.mpf, x: mp.mpf) -> mp.mpf:
    """Gamma(n, n + x sqrt n) e^n n^(-n) sqrt(n): ``integral over s > x of exp(n ln(1+u) - n u)/(1+u)``, u = s/sqrt(n)."""
    root = mp.sqrt(n)
    window = numerics.gaussian_window()
    points = [x, *(k for k in (0, 4, 8, 16) if k > x), window]
    return mp.quad(lambda s: mp.exp(n * mp.log1p(s / root) - root * s) / (1 + s / root), points)


def _gamma_scaled(n: mp.mpf) -> mp.mpf:
    """Gamma(n) e^n n^(-n) sqrt(n)."""
    return mp.exp(mp.loggamma(n) + n - n * mp.log(n)) * mp.sqrt(n)


GAMMA = numbered(
    "incomplete-gamma",
    [
        {
            "source": "DLMF 8.11.2", "text": "uppergamma(a, x)", "to": "x->oo", "at": ({"a": "1/3"}, {"a": "5/2"}),
            "terms": ("x^(a - 1)*exp(-x)", "(a - 1)*x^(a - 2)*exp(-x)", "(a - 1)*(a - 2)*x^(a - 3)*exp(-x)"),
            "next": "(a - 1)*(a - 2)*(a - 3)*x^(a - 4)*exp(-x)",
            "value": lambda x, a: mp.exp(a * mp.log(x) - x) * numerics.upper_gamma_scaled(a, x),
        },
        {
            "source": "DLMF 8.7.1", "text": "lowergamma(a, x)", "to": "x->0+", "at": ({"a": "1/3"}, {"a": "5/2"}),
            "terms": ("x^a/a", "-x^(a + 1)/(a + 1)", "x^(a + 2)/(2*(a + 2))"), "next": "-x^(a + 3)/(6*(a + 3))",
            "value": lambda x, a: mp.exp(a * mp.log(x) - x) * numerics.lower_gamma_scaled(a, x),
        },
        {
            "source": "DLMF 8.11.6", "text": "uppergamma(n, c*n)", "to": "n->oo", "assume": ("c>1",), "at": ABOVE,
            "terms": tuple(
                f"exp(n*log(c*n) - c*n)*{t}"
                for t in ("1/((c - 1)*n)", "(-c/((c - 1)^3*n^2))", "c*(2*c + 1)/((c - 1)^5*n^3)")
            ),
            "next": "-exp(n*log(c*n) - c*n)*c*(6*c^2 + 8*c + 1)/((c - 1)^7*n^4)",
            "value": lambda n, c: mp.exp(n * mp.log(c * n) - c * n) * numerics.upper_gamma_scaled(n, c * n),
        },
        {
            "source": "DLMF 8.11.6", "text": "lowergamma(n, c*n)", "to": "n->oo", "assume": ("0<c<1",), "at": BELOW,
            "terms": tuple(
                f"exp(n*log(c*n) - c*n)*{t}"
                for t in ("1/((1 - c)*n)", "(-c/((1 - c)^3*n^2))", "c*(2*c + 1)/((1 - c)^5*n^3)")
            ),
            "next": "-exp(n*log(c*n) - c*n)*c*(6*c^2 + 8*c + 1)/((1 - c)^7*n^4)",
            "value": lambda n, c: mp.exp(n * mp.log(c * n) - c * n) * numerics.lower_gamma_scaled(n, c * n),
        },
        {
            "source": "DLMF 8.11.12", "text": "uppergamma(n, n)", "to": "n->oo", "sizes": ROOT,
            "terms": tuple(
                f"exp(n*log(n) - n)*{t}" for t in ("sqrt(pi/(2*n))", "(-1/(3*n))", "sqrt(2*pi)/(24*n^(3/2))")
            ),
            "next": "-4*exp(n*log(n) - n)/(135*n^2)",
            "value": lambda n: mp.exp(n * mp.log(n) - n) * _upper_at(n, mp.mpf(0)) / mp.sqrt(n),
        },
        {
            "source": "Temme 1979; DLMF 8.12.4 (transition)", "text": "uppergamma(n, n + x*sqrt(n))/gamma(n)", "to": "n->oo",
            "terms": ("erfc(x/sqrt(2))/2", f"{PHI}*(x^2 - 1)/(3*sqrt(n))"),
            "next": f"{PHI}*(x^5/18 - 11*x^3/36 + x/12)/n", "at": ({"x": "1/2"}, {"x": "2"}), "sizes": ROOT,
            "value": lambda n, x: _upper_at(n, x) / _gamma_scaled(n),
        },
        {
            "source": "Ramanujan; DLMF 8.11.12 (Poisson at its mean)", "text": "uppergamma(n + 1, n)/factorial(n)", "to": "n->oo",
            "terms": ("1/2", "2/(3*sqrt(2*pi*n))", "-23/(270*sqrt(2*pi)*n^(3/2))"), "next": "23/(3024*sqrt(2*pi)*n^(5/2))",
            "sizes": ("1e66", "1e100"),
            "value": lambda n: mp.exp(n * mp.log(n) - n - mp.loggamma(n + 1)) * numerics.inverse_erlang(n, n),
        },
        {
            "source": "DLMF 8.7.3", "text": "uppergamma(a, x)", "to": "x->0+", "assume": ("a>0",),
            "at": ({"a": "1/3"}, {"a": "5/2"}), "terms": ("gamma(a)", "-x^a/a", "x^(a + 1)/(a + 1)"),
            "next": "-x^(a + 2)/(2*(a + 2))", "sizes": ("1e33", "1e66"), "digits": 600,
            "value": lambda x, a: mp.gamma(a) - mp.exp(a * mp.log(x) - x) * numerics.lower_gamma_scaled(a, x),
        },
        {
            "source": "DLMF 8.11.6 with 5.11.3 (Cramer's tail)", "text": "lowergamma(n, c*n)/gamma(n)", "to": "n->oo",
            "assume": ("0<c<1",), "at": BELOW,
            "terms": (
                "exp(n*(log(c) + 1 - c))/((1 - c)*sqrt(2*pi*n))*n^0",
                "exp(n*(log(c) + 1 - c))/((1 - c)*sqrt(2*pi*n))*(-1/12 - c/(1 - c)^2)/n",
            ),
            "next": "exp(n*(log(c)+1-c))/((1-c)*sqrt(2*pi*n))*(1/288 + c/(12*(1-c)^2) + c*(2*c+1)/(1-c)^4)/n^2",
            "value": lambda n, c: (
                mp.exp(n * (mp.log(c) + 1 - c) + n * mp.log(n) - n - mp.loggamma(n)) * numerics.lower_gamma_scaled(n, c * n)
            ),
        },
    ],
)  # fmt: skip

_B = "(r*n)^n/factorial(n)/Sum((r*n)^k/factorial(k), (k, 0, n))"
_C = "1/(1 + (1 - r)*factorial(n)/(r*n)^n*Sum((r*n)^k/factorial(k), (k, 0, n - 1)))"
_HEAD = "exp(n*(log(r) + 1 - r))/sqrt(2*pi*n)"
_I0 = "(sqrt(2*pi)*exp(b^2/2)*(1 + erf(b/sqrt(2)))/2)"


def _poisson(n: mp.mpf, a: mp.mpf) -> mp.mpf:
    """e^(-a) a^n/n!; for a < n Erlang's B up to a relative e^(-cn)."""
    return mp.exp(n * mp.log(a) - a - mp.loggamma(n + 1))


ERLANG = numbered(
    "erlang",
    [
        {
            "source": "Jagerman 1974, Theorem 9 (light load)", "text": _B, "to": "n->oo", "assume": ("0<r<1",), "at": LOADS_BELOW,
            "terms": (_HEAD, f"-{_HEAD}/(12*n)"), "next": f"{_HEAD}/(288*n^2)", "value": lambda n, r: _poisson(n, r * n),
        },
        {
            "source": "Jagerman 1974, (23)", "text": _B.replace("r*n", "n"), "to": "n->oo",
            "terms": ("sqrt(2/(pi*n))", "-4/(3*pi*n)"), "next": "sqrt(2/pi)*(8/(9*pi) - 1/12)/n^(3/2)", "sizes": ROOT,
            "value": lambda n: 1 / numerics.inverse_erlang(n, n),
        },
        {
            "source": "Jagerman 1974, Theorem 13 (overload)", "text": _B, "to": "n->oo", "assume": ("r>1",), "at": LOADS_ABOVE,
            "terms": ("(r - 1)/r", "1/(r*(r - 1)*n)"), "next": "-2/((r - 1)^3*n^2)",
            "value": lambda n, r: 1 / numerics.inverse_erlang(n, r * n),
        },
        {
            "source": "Jagerman 1974, Theorem 14; Halfin, Whitt 1981", "text": _B.replace("r*n", "n - b*sqrt(n)"), "to": "n->oo",
            "at": SLACK, "terms": (f"1/({_I0}*sqrt(n))", f"(-b^3/3 - (b^2 + 2)/(3*{_I0}))/({_I0}*n)"), "sizes": ROOT,
            "value": lambda n, b: 1 / numerics.inverse_erlang(n, n - b * mp.sqrt(n)),
        },
        {
            "source": "Jagerman 1974, (2) (as an incomplete gamma function)", "text": "(r*n)^n*exp(-r*n)/uppergamma(n + 1, r*n)",
            "to": "n->oo", "assume": ("r>1",), "at": LOADS_ABOVE, "terms": ("(r - 1)/r", "1/(r*(r - 1)*n)"),
            "next": "-2/((r - 1)^3*n^2)", "value": lambda n, r: 1 / numerics.inverse_erlang(n, r * n),
        },
        {
            "source": "Erlang 1917; Zhang, van Leeuwaarden, Zwart 2012 (light load)", "text": _C, "to": "n->oo",
            "assume": ("0<r<1",), "at": LOADS_BELOW, "terms": (f"{_HEAD}/(1 - r)", f"-{_HEAD}/(12*(1 - r)*n)"),
            "next": f"{_HEAD}/(288*(1 - r)*n^2)", "value": lambda n, r: 1 / (r + (1 - r) / _poisson(n, r * n)),
        },
        {
            "source": "Halfin, Whitt 1981, Proposition 1; Janssen, van Leeuwaarden, Zwart 2008",
            "text": _C.replace("1 - r", "b/sqrt(n)").replace("r*n", "n - b*sqrt(n)"), "to": "n->oo", "at": SLACK, "sizes": ROOT,
            "terms": (f"1/(1 + b*{_I0})", f"-b*((b^2 - 1)/3 + b^3*{_I0}/3)/((1 + b*{_I0})^2*sqrt(n))"),
            "value": lambda n, b: 1 / (1 + b / mp.sqrt(n) * (numerics.inverse_erlang(n, n - b * mp.sqrt(n)) - 1)),
        },
    ],
)  # fmt: skip

PROBLEMS = [*GAMMA, *ERLANG]
