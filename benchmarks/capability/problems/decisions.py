"""Statements that hold or not.  The truth is the limit of the quotient of the sides, ``ratio``."""

from __future__ import annotations

import mpmath as mp

from benchmarks.capability.problem import numbered

GRUNTZ = "Gruntz 1996, "

PROBLEMS = numbered(
    "decisions",
    [
        {
            "source": "Concrete Mathematics, (9.88)", "text": "harmonic(n) - log(n) - EulerGamma = O(1/n^2)", "to": "n->oo",
            "holds": False, "ratio": "(harmonic(n) - log(n) - EulerGamma)*n^2", "limit": "oo",
            "value": lambda n: (mp.digamma(n + 1) - mp.log(n)) * n**2,
        },
        {
            "source": "Concrete Mathematics, (9.91)", "text": "log(factorial(n)) = n*log(n) - n + O(log(n))", "to": "n->oo",
            "holds": True, "ratio": "(log(factorial(n)) - n*log(n) + n)/log(n)", "limit": "1/2",
            "value": lambda n: (mp.loggamma(n + 1) - n * mp.log(n) + n) / mp.log(n), "sizes": ("1e33", "exp(1e3)"),
            "digits": 1000,
        },
        {
            "source": "Hardy, Orders of Infinity", "text": "n^log(n) = o(exp(sqrt(n)))", "to": "n->oo", "holds": True,
            "ratio": "n^log(n)/exp(sqrt(n))", "limit": "0", "value": lambda n: mp.exp(mp.log(n) ** 2 - mp.sqrt(n)),
        },
        {
            "source": "OEIS A000984", "text": "binomial(2*n, n) ~ 4^n/sqrt(n)", "to": "n->oo", "holds": False,
            "ratio": "binomial(2*n, n)*sqrt(n)/4^n", "limit": "1/sqrt(pi)",
            "value": lambda n: mp.exp(mp.loggamma(2 * n + 1) - 2 * mp.loggamma(n + 1) - n * mp.log(4)) * mp.sqrt(n),
        },
        {
            "source": "DLMF 6.12.2", "text": "li(n) - n/log(n) = o(n/log(n)^2)", "to": "n->oo", "holds": False,
            "ratio": "(li(n) - n/log(n))*log(n)^2/n", "limit": "1", "sizes": ("exp(1e3)", "exp(1e9)"),
            "value": lambda n: mp.log(n) ** 2 * (
                mp.quad(lambda s: mp.exp(-s) / (mp.log(n) - s), [0, 1, 4, 16, 64, 256, mp.mp.prec]) - 1 / mp.log(n)
            ), "digits": 60,
        },
        {
            "source": "Concrete Mathematics, 9.6", "text": "Sum(1/k^2, (k, 1, n)) - pi^2/6 ~ -1/n", "to": "n->oo", "holds": True,
            "ratio": "-(Sum(1/k^2, (k, 1, n)) - pi^2/6)*n", "limit": "1", "value": lambda n: mp.psi(1, n + 1) * n,
        },
        {
            "source": GRUNTZ + "(8.7)-type", "text": "exp(exp(n - exp(-exp(n)))) ~ exp(exp(n))", "to": "n->oo", "holds": True,
            "ratio": "exp(exp(n - exp(-exp(n))))/exp(exp(n))", "limit": "1", "sizes": ("4", "9"), "digits": 6000,
            "value": lambda n: mp.exp(mp.exp(n) * mp.expm1(-mp.exp(-mp.exp(n)))),
        },
        {
            "source": "Concrete Mathematics, (9.91)", "text": "factorial(n) = O((n/2)^n)", "to": "n->oo", "holds": True,
            "ratio": "factorial(n)/(n/2)^n", "limit": "0",
            "value": lambda n: mp.exp(mp.loggamma(n + 1) - n * mp.log(n / 2)),
        },
        {
            "source": "Concrete Mathematics, exercise 9.13", "text": "(1 - 1/n)^(n^2) ~ exp(-n)", "to": "n->oo", "holds": False,
            "ratio": "(1 - 1/n)^(n^2)*exp(n)", "limit": "exp(-1/2)", "value": lambda n: mp.exp(n * n * mp.log1p(-1 / n) + n),
        },
        {
            "source": "DLMF 4.13.10", "text": "LambertW(n) - log(n) + log(log(n)) = o(1)", "to": "n->oo", "holds": True,
            "ratio": "LambertW(n) - log(n) + log(log(n))", "limit": "0", "sizes": ("exp(1e5)", "exp(1e9)"), "digits": 60,
            "value": lambda n: _lambert(mp.log(n)) - mp.log(n) + mp.log(mp.log(n)),
        },
        {
            "source": "DLMF 8.11.6", "text": "uppergamma(n, 2*n)/gamma(n) = o(1/n^5)", "to": "n->oo", "holds": True,
            "ratio": "uppergamma(n, 2*n)/gamma(n)*n^5", "limit": "0",
            "value": lambda n: n**5 * mp.exp(n * mp.log(2 * n) - 2 * n - mp.loggamma(n)) / n,
        },
        {
            "source": GRUNTZ + "(8.9)", "text": "log(n)^2*exp(sqrt(log(n))*log(log(n))^2) = o(sqrt(n))", "to": "n->oo",
            "holds": True, "ratio": "log(n)^2*exp(sqrt(log(n))*log(log(n))^2)/sqrt(n)", "limit": "0", "digits": 60,
            "sizes": ("exp(1e9)", "exp(1e12)"),
            "value": lambda n: mp.exp(
                2 * mp.log(mp.log(n)) + mp.sqrt(mp.log(n)) * mp.log(mp.log(n)) ** 2 - mp.log(n) / 2
            ),
        },
    ],
)  # fmt: skip


def _lambert(log: mp.mpf) -> mp.mpf:
    from benchmarks.capability.numerics import newton

    return newton(lambda w: w + mp.log(w) - log, log - mp.log(log))
