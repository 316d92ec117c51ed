"""Integrals with a large parameter: Watson's lemma, Laplace's method inside, at an end, degenerate, in a window, moving."""

from __future__ import annotations

import mpmath as mp

from benchmarks.capability import numerics
from benchmarks.capability.problem import numbered

OLVER = "Olver, Asymptotics and Special Functions, "
ROOT = ("1e66", "1e132")

WATSON = numbered(
    "watson",
    [
        {
            "source": OLVER + "3.2; DLMF 6.12.1", "text": "Integral(exp(-n*t)/(1 + t), (t, 0, oo))", "to": "n->oo",
            "terms": ("1/n", "-1/n^2", "2/n^3"), "next": "-6/n^4", "digits": 300,
            "value": lambda n: numerics.end(lambda t: mp.exp(-n * t) / (1 + t), 1 / n),
        },
        {
            "source": "Wong, Asymptotic Approximations of Integrals, II.2 (logarithm)",
            "text": "Integral(exp(-n*t)*log(t)/(1 + t), (t, 0, oo))", "to": "n->oo",
            "terms": ("-log(n)/n", "-EulerGamma/n"), "next": "(log(n) + EulerGamma - 1)/n^2", "digits": 300,
            "value": lambda n: numerics.end(lambda t: mp.exp(-n * t) * mp.log(t) / (1 + t), 1 / n),
        },
        {
            "source": OLVER + "3.3", "text": "Integral(exp(-n*t)*t^(-1/2)/(1 + t), (t, 0, oo))", "to": "n->oo",
            "terms": ("sqrt(pi/n)", "-sqrt(pi)/(2*n^(3/2))", "3*sqrt(pi)/(4*n^(5/2))"), "next": "-15*sqrt(pi)/(8*n^(7/2))",
            "value": lambda n: 2 * numerics.end(lambda u: mp.exp(-n * u * u) / (1 + u * u), 1 / mp.sqrt(n)), "digits": 300,
        },
        {
            "source": "Bender, Orszag, 6.4", "text": "Integral(exp(-n*t)*log(1 + t), (t, 0, oo))", "to": "n->oo",
            "terms": ("1/n^2", "-1/n^3", "2/n^4"), "next": "-6/n^5", "digits": 300,
            "value": lambda n: numerics.end(lambda t: mp.exp(-n * t) * mp.log1p(t), 1 / n),
        },
        {
            "source": "DLMF 13.7.3 (Kummer's U)", "text": "Integral(t^(a - 1)*exp(-n*t)/(1 + t)^b, (t, 0, oo))", "to": "n->oo",
            "assume": ("a>0", "b>0"), "at": ({"a": "1/2", "b": "1/3"}, {"a": "3/2", "b": "2"}), "digits": 300,
            "terms": ("gamma(a)*n^(-a)", "-b*gamma(a + 1)*n^(-a - 1)"), "next": "b*(b + 1)*gamma(a + 2)*n^(-a - 2)/2",
            "value": lambda n, a, b: 2 * numerics.end(
                lambda u: u ** (2 * a - 1) * mp.exp(-n * u * u) / (1 + u * u) ** b, 1 / mp.sqrt(n)
            ),
        },
        {
            "source": "Bender, Orszag, 6.4, Example 1", "text": "Integral(exp(-n*t)*sin(t), (t, 0, 1))", "to": "n->oo",
            "terms": ("1/n^2", "-1/n^4", "1/n^6"), "next": "-1/n^8", "digits": 500,
            "value": lambda n: (1 - mp.exp(-n) * (mp.cos(1) + n * mp.sin(1))) / (1 + n * n),
        },
        {
            "source": "DLMF 10.40.2 (Bessel's K_0)", "text": "Integral(exp(-n*cosh(t)), (t, 0, oo))", "to": "n->oo",
            "terms": tuple(f"sqrt(pi/(2*n))*exp(-n)*{c}" for c in ("1", "(-1/(8*n))", "9/(128*n^2)")),
            "next": "-sqrt(pi/(2*n))*exp(-n)*75/(1024*n^3)", "digits": 350,
            "value": lambda n: mp.exp(-n) * numerics.peak(
                lambda t: -2 * n * mp.sinh(t / 2) ** 2, mp.mpf(0), 1 / mp.sqrt(n), mp.mpf(0)
            ),
        },
    ],
)  # fmt: skip

_ERLANG = "Integral(exp(-n*(r*t - log(1 + t))), (t, 0, oo))"
_INSIDE = "sqrt(2*pi/n)/r*exp(n*(r - 1 - log(r)))"
_I0 = "(sqrt(2*pi)*exp(b^2/2)*(1 + erf(b/sqrt(2)))/2)"


def _cosh_rest(t: mp.mpf) -> mp.mpf:
    """cosh t - 1 - t^2/2."""
    total, term, k = mp.mpf(0), t**4 / 24, 4
    while abs(term) > mp.eps * abs(total):
        total += term
        term *= t * t / ((k + 1) * (k + 2))
        k += 2
    return total


LAPLACE = numbered(
    "laplace",
    [
        {
            "source": "de Bruijn, 4.2; interior maximum at t = r", "text": "Integral(exp(-n*(t - r*log(t))), (t, 0, oo))",
            "to": "n->oo", "assume": ("r>0",), "at": ({"r": "1/2"}, {"r": "3"}),
            "terms": tuple(f"sqrt(2*pi*r/n)*exp(n*(r*log(r) - r))*{c}" for c in ("1", "1/(12*r*n)", "1/(288*r^2*n^2)")),
            "next": "-sqrt(2*pi*r/n)*exp(n*(r*log(r) - r))*139/(51840*r^3*n^3)",
            "value": lambda n, r: mp.exp(mp.loggamma(r * n + 1) - (r * n + 1) * mp.log(n)),
        },
        {
            "source": "Jonckheere, Prabhu 2016, Theorem 5 (interior)", "text": _ERLANG, "to": "n->oo", "assume": ("0<r<1",),
            "at": ({"r": "1/2"}, {"r": "4/5"}), "terms": (_INSIDE, f"{_INSIDE}/(12*n)", f"{_INSIDE}/(288*n^2)"),
            "next": f"-139*{_INSIDE}/(51840*n^3)",
            # up to a relative e^(-cn) the integral runs over t > -1, where it is a gamma function
            "value": lambda n, r: mp.exp(n * r + mp.loggamma(n + 1) - (n + 1) * mp.log(n * r)),
        },
        {
            "source": "Jonckheere, Prabhu 2016, 5.2 (end)", "text": _ERLANG, "to": "n->oo", "assume": ("r>1",),
            "at": ({"r": "2"}, {"r": "7/5"}),
            "terms": ("1/((r - 1)*n)", "-1/((r - 1)^3*n^2)", "(2*r + 1)/((r - 1)^5*n^3)"),
            "next": "-(6*r^2 + 8*r + 1)/((r - 1)^7*n^4)", "value": lambda n, r: numerics.inverse_erlang(n, r * n) / (r * n),
        },
        {
            "source": "Jonckheere, Prabhu 2016, Theorem 6 (critical)", "text": _ERLANG.replace("r*t", "t"), "to": "n->oo",
            "terms": ("sqrt(pi/(2*n))", "2/(3*n)", "sqrt(2*pi)/(24*n^(3/2))"), "next": "-4/(135*n^2)", "sizes": ROOT,
            "value": lambda n: numerics.inverse_erlang(n, n) / n,
        },
        {
            "source": "Wallis; de Bruijn, 4.5", "text": "Integral(sin(t)^n, (t, 0, pi))", "to": "n->oo",
            "terms": ("sqrt(2*pi/n)", "-sqrt(2*pi)/(4*n^(3/2))", "sqrt(2*pi)/(32*n^(5/2))"),
            "next": "5*sqrt(2*pi)/(128*n^(7/2))",
            "value": lambda n: mp.sqrt(mp.pi) * mp.exp(mp.loggamma((n + 1) / 2) - mp.loggamma(n / 2 + 1)),
        },
        {
            "source": "Copson, Asymptotic Expansions, 16", "text": "Integral((1 - t^2)^n, (t, 0, 1))", "to": "n->oo",
            "terms": tuple(f"sqrt(pi/n)/2*{c}" for c in ("1", "(-3/(8*n))", "25/(128*n^2)")),
            "next": "-sqrt(pi/n)/2*105/(1024*n^3)",
            "value": lambda n: mp.sqrt(mp.pi) / 2 * mp.exp(mp.loggamma(n + 1) - mp.loggamma(n + mp.mpf(3) / 2)),
        },
        {
            "source": OLVER + "3.8 (degenerate)", "text": "Integral(exp(-n*t^4)/(1 + t), (t, 0, oo))", "to": "n->oo",
            "terms": ("gamma(1/4)/4*n^(-1/4)", "-sqrt(pi)/4*n^(-1/2)", "gamma(3/4)/4*n^(-3/4)"), "next": "-1/(4*n)",
            "sizes": ("1e130", "1e264"), "digits": 330,
            "value": lambda n: numerics.end(lambda t: mp.exp(-n * t**4) / (1 + t), n ** mp.mpf("-0.25")),
        },
        {
            "source": "Erdelyi, Asymptotic Expansions, 2.4 (degenerate inside)",
            "text": "Integral(exp(-n*(cosh(t) - 1 - t^2/2)), (t, -oo, oo))", "to": "n->oo", "sizes": ROOT, "digits": 350,
            "terms": ("gamma(1/4)/2*(24/n)^(1/4)", "-(24/n)^(1/4)*24^(3/2)*gamma(7/4)/(1440*sqrt(n))"),
            "next": "(24/n)^(1/4)*(-24^2*gamma(9/4)/40320 + 24^3*gamma(13/4)/(2*720^2))/(2*n)",
            "value": lambda n: 2 * numerics.end(lambda t: mp.exp(-n * _cosh_rest(t)), (24 / n) ** mp.mpf("0.25")),
        },
        {
            "source": "Jonckheere, Prabhu 2016, Theorem 6, theta = 2 (degenerate end)",
            "text": "Integral(exp(-n*(t - log(1 + t + t^2/2))), (t, 0, oo))", "to": "n->oo", "sizes": ("1e99", "1e198"),
            "digits": 420, "terms": ("(6/n)^(1/3)*gamma(4/3)", "6^(5/3)*gamma(5/3)/(24*n^(2/3))"), "next": "21/(40*n)",
            "value": lambda n: numerics.end(lambda t: mp.exp(-n * (t - mp.log1p(t + t * t / 2))), n ** (-mp.mpf(1) / 3)),
        },
        {
            "source": "Wong, II.1 (end, higher orders)", "text": "Integral(exp(-n*(t + t^2)), (t, 0, oo))", "to": "n->oo",
            "terms": ("1/n", "-2/n^2", "12/n^3", "-120/n^4"), "next": "1680/n^5", "digits": 420,
            "value": lambda n: numerics.end(lambda t: mp.exp(-n * (t + t * t)), 1 / n),
        },
    ],
)  # fmt: skip

WINDOW = numbered(
    "window",
    [
        {
            "source": "Jonckheere, Prabhu 2016, Theorem 7 (maximum reaches the end)",
            "text": _ERLANG.replace("r*t", "(1 - b/sqrt(n))*t"), "to": "n->oo", "at": ({"b": "1/2"}, {"b": "2"}), "sizes": ROOT,
            "terms": (f"{_I0}/sqrt(n)", f"(b^2 + 2 + (b^3 + 3*b)*{_I0})/(3*n)"),
            "value": lambda n, b: numerics.inverse_erlang(n, n - b * mp.sqrt(n)) / (n - b * mp.sqrt(n)),
        },
        {
            "source": "Wong, VII.4 (saddle point near an end)",
            "text": "Integral(exp(-n*t^2/2 + b*sqrt(n)*t)/(1 + t), (t, 0, oo))",
            "to": "n->oo", "at": ({"b": "1/2"}, {"b": "2"}), "sizes": ROOT, "digits": 350,
            "terms": (f"{_I0}/sqrt(n)", f"-(1 + b*{_I0})/n"), "next": f"(b + (b^2 + 1)*{_I0})/n^(3/2)",
            "value": lambda n, b: mp.exp(b * b / 2) * numerics.peak(
                lambda t: -((mp.sqrt(n) * t - b) ** 2) / 2 - mp.log1p(t) + mp.log1p(b / mp.sqrt(n)), b / mp.sqrt(n),
                1 / mp.sqrt(n), mp.mpf(0)
            ) / (1 + b / mp.sqrt(n)),
        },
        {
            "source": "Jagerman 1974, Theorem 14 (load above, b < 0)",
            "text": _ERLANG.replace("r*t", "(1 + b/sqrt(n))*t"), "to": "n->oo", "at": ({"b": "1/2"}, {"b": "2"}), "sizes": ROOT,
            "terms": ("sqrt(pi/2)*exp(b^2/2)*erfc(b/sqrt(2))/sqrt(n)",
                      "(b^2 + 2 - (b^3 + 3*b)*sqrt(pi/2)*exp(b^2/2)*erfc(b/sqrt(2)))/(3*n)"),
            "value": lambda n, b: numerics.inverse_erlang(n, n + b * mp.sqrt(n)) / (n + b * mp.sqrt(n)),
        },
        {
            "source": "de Bruijn, 4.4", "text": "Integral(exp(-n*(t - b/sqrt(n))^2)*cos(t), (t, 0, oo))", "to": "n->oo",
            "at": ({"b": "1/2"}, {"b": "1"}), "sizes": ROOT, "digits": 300,
            "terms": ("sqrt(pi)*(1 + erf(b))/(2*sqrt(n))",
                      "-(sqrt(pi)*(1 + erf(b))/2*(b^2 + 1/2) + b*exp(-b^2)/2)/(2*n^(3/2))"),
            "value": lambda n, b: numerics.end(
                lambda t: mp.exp(-((mp.sqrt(n) * t - b) ** 2)) * mp.cos(t), 1 / mp.sqrt(n)
            ),
        },
    ],
)  # fmt: skip

_STIRLING = "sqrt(2*pi*n)*exp(n*log(n) - n)"
_K1 = "sqrt(pi)*n^(1/4)*exp(-2*sqrt(n))"

MOVING = numbered(
    "moving-maximum",
    [
        {
            "source": "de Bruijn, 4.5; Stirling", "text": "Integral(t^n*exp(-t), (t, 0, oo))", "to": "n->oo",
            "terms": tuple(f"{_STIRLING}*{c}" for c in ("1", "1/(12*n)", "1/(288*n^2)")),
            "next": f"-139*{_STIRLING}/(51840*n^3)", "value": lambda n: mp.exp(mp.loggamma(n + 1)),
        },
        {
            "source": "DLMF 5.9.18 (derivative of the gamma function)", "text": "Integral(t^n*exp(-t)*log(t), (t, 0, oo))",
            "to": "n->oo", "terms": (f"{_STIRLING}*log(n)", f"{_STIRLING}*log(n)/(12*n)", f"{_STIRLING}/(2*n)"),
            "next": f"{_STIRLING}*(log(n)/288 - 1/24)/n^2", "value": lambda n: mp.exp(mp.loggamma(n + 1)) * mp.digamma(n + 1),
        },
        {
            "source": "DLMF 10.32.10, 10.40.2; Bender, Orszag, 6.4", "text": "Integral(exp(-t - n/t), (t, 0, oo))", "to": "n->oo",
            "terms": (_K1, f"3*{_K1}/(16*sqrt(n))", f"-15*{_K1}/(512*n)"), "next": f"105*{_K1}/(8192*n^(3/2))", "sizes": ROOT,
            "value": lambda n: 2 * mp.sqrt(n) * mp.exp(-2 * mp.sqrt(n)) * _bessel(2 * mp.sqrt(n)), "digits": 350,
        },
        {
            "source": "de Bruijn, 4.6; Bender, Orszag, 6.4, Example 12", "text": "Integral(exp(n*t - t*log(t)), (t, 1, oo))",
            "to": "n->oo", "sizes": ("100", "150"), "digits": 420,
            "terms": ("sqrt(2*pi)*exp(exp(n - 1) + (n - 1)/2)", "-sqrt(2*pi)*exp(exp(n - 1) - (n - 1)/2)/24"),
            "value": lambda n: mp.exp(mp.exp(n - 1)) * numerics.peak(
                lambda t: n * t - t * mp.log(t), mp.exp(n - 1), mp.exp((n - 1) / 2), mp.mpf(1)
            ),
        },
        {
            "source": "Bender, Orszag, 6.4, Example 11", "text": "Integral(exp(-n*t - 1/t), (t, 0, oo))", "to": "n->oo",
            "terms": tuple(f"sqrt(pi)*n^(-3/4)*exp(-2*sqrt(n))*{c}" for c in ("1", "3/(16*sqrt(n))")),
            "next": "-15*sqrt(pi)*n^(-3/4)*exp(-2*sqrt(n))/(512*n)", "sizes": ROOT, "digits": 350,
            "value": lambda n: 2 / mp.sqrt(n) * mp.exp(-2 * mp.sqrt(n)) * _bessel(2 * mp.sqrt(n)),
        },
    ],
)  # fmt: skip


def _bessel(z: mp.mpf) -> mp.mpf:
    """K_1(z) e^z: ``integral of e^(-z (cosh t - 1)) cosh t`` over t > 0 (DLMF 10.32.9)."""
    return numerics.peak(
        lambda t: -2 * z * mp.sinh(t / 2) ** 2 + mp.log(mp.cosh(t)), mp.mpf(0), 1 / mp.sqrt(z), mp.mpf(0)
    )


PROBLEMS = [*WATSON, *LAPLACE, *WINDOW, *MOVING]
