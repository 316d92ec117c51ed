"""Log-exp functions: Gruntz's examples and expansions of nested logarithms, powers and exponentials."""

from __future__ import annotations

import mpmath as mp

from benchmarks.capability.problem import numbered

GRUNTZ = "Gruntz, On computing limits in a symbolic manipulation system (1996), "
HUGE = ("exp(1e40)", "exp(1e80)")
SMALL = ("1e3", "1e5")  # exp(n) is computed: e^(-n) is what is left

PROBLEMS = numbered(
    "log-exp",
    [
        {
            "source": GRUNTZ + "(8.1)", "text": "exp(n)*(exp(1/n - exp(-n)) - exp(1/n))", "to": "n->oo",
            "terms": ("-1", "-1/n", "-1/(2*n^2)"), "next": "-1/(6*n^3)", "sizes": ("1e9", "1e62"), "digits": 400,
            # e^n (e^(-e^(-n)) - 1) is -1 + e^(-n)/2 and e^(-n) is below every precision
            "value": lambda n: -mp.exp(1 / n),
        },
        {
            "source": GRUNTZ + "(8.8)", "text": "exp(exp(n))/exp(exp(n - exp(-exp(exp(n)))))", "to": "n->oo",
            "terms": ("1",), "sizes": ("3", "5"),
            "value": lambda n: mp.exp(-mp.exp(n) * mp.expm1(-mp.exp(-mp.exp(mp.exp(n))))),
        },
        {
            "source": GRUNTZ + "(8.11)", "text": "(exp(n*exp(-n)/(exp(-n) + exp(-2*n^2/(n + 1)))) - exp(n))/n",
            "to": "n->oo", "terms": ("-exp(2)",), "next": "2*exp(2)/n", "sizes": ("1e12", "1e62"),
            # with q = exp(-2n^2/(n+1) + n) = exp(-n + 2 - 2/(n+1)): the exponent is n/(1 + q) = n - n q + O(n q^2)
            "value": lambda n: -mp.exp(2 - 2 / (n + 1)),
        },
        {
            "source": GRUNTZ + "(8.12)", "text": "(3^n + 5^n)^(1/n)", "to": "n->oo",
            "terms": ("5", "5*(3/5)^n/n"), "next": "5*(3/5)^(2*n)*(1 - n)/(2*n^2)", "sizes": ("700", "2000"), "digits": 1600,
            "value": lambda n: mp.exp(mp.log(mp.mpf(3) ** n + mp.mpf(5) ** n) / n),
        },
        {
            "source": GRUNTZ + "(8.19)",
            "text": "log(n)*(log(log(n) + log(log(n))) - log(log(n)))/log(log(n) + log(log(log(n))))", "to": "n->oo",
            "terms": ("1",), "next": "-log(log(n))/(2*log(n)) - log(log(log(n)))/(log(n)*log(log(n)))", "sizes": HUGE,
            "value": lambda n: (
                mp.log(n) * mp.log1p(mp.log(mp.log(n)) / mp.log(n)) / mp.log(mp.log(n) + mp.log(mp.log(mp.log(n))))
            ),
        },
        {
            "source": GRUNTZ + "(8.18)", "text": "exp(n)*(sin(1/n + exp(-n)) - sin(1/n + exp(-n^2)))", "to": "n->oo",
            "terms": ("1", "-1/(2*n^2)", "1/(24*n^4)"), "next": "-1/(720*n^6)", "sizes": ("1e9", "1e62"), "digits": 600,
            "value": lambda n: mp.cos(1 / n),
        },
        {
            "source": "Graham, Knuth, Patashnik, Concrete Mathematics, 9.2", "text": "(1 + 1/n)^n", "to": "n->oo",
            "terms": ("E", "-E/(2*n)", "11*E/(24*n^2)"), "next": "-7*E/(16*n^3)",
            "value": lambda n: mp.exp(n * mp.log1p(1 / n)),
        },
        {
            "source": "Graham, Knuth, Patashnik, Concrete Mathematics, exercise 9.13", "text": "(n + 2 + 1/n)^n/n^n",
            "to": "n->oo", "terms": ("exp(2)", "-exp(2)/n"), "next": "7*exp(2)/(6*n^2)",
            "value": lambda n: mp.exp(n * mp.log1p(2 / n + 1 / n**2)),
        },
        {
            "source": "Concrete Mathematics, (9.27) f.", "text": "n^(1/n)", "to": "n->oo",
            "terms": ("1", "log(n)/n", "log(n)^2/(2*n^2)"), "next": "log(n)^3/(6*n^3)",
            "value": lambda n: mp.exp(mp.log(n) / n),
        },
        {
            "source": "de Bruijn, Asymptotic Methods in Analysis, 1.5", "text": "sqrt(n^2 + n) - n", "to": "n->oo",
            "terms": ("1/2", "-1/(8*n)", "1/(16*n^2)"), "next": "-5/(128*n^3)",
            "value": lambda n: n / (mp.sqrt(n**2 + n) + n),
        },
        {
            "source": "de Bruijn, Asymptotic Methods in Analysis, 1.5", "text": "log(log(n + 1)) - log(log(n))", "to": "n->oo",
            "terms": ("1/(n*log(n))", "-1/(2*n^2*log(n))", "-1/(2*n^2*log(n)^2)"), "next": "1/(3*n^3*log(n))",
            "value": lambda n: mp.log1p(mp.log1p(1 / n) / mp.log(n)),
        },
        {
            "source": "Hardy, Orders of Infinity, IV", "text": "exp(sqrt(log(n)^2 + log(n)))", "to": "n->oo",
            "terms": ("n*exp(1/2)", "-n*exp(1/2)/(8*log(n))"), "next": "9*n*exp(1/2)/(128*log(n)^2)", "sizes": HUGE,
            "value": lambda n: mp.exp(mp.sqrt(mp.log(n) ** 2 + mp.log(n))),
        },
        {
            "source": "Bender, Orszag, Advanced Mathematical Methods, 3.4", "text": "log(1 + exp(n) + n)", "to": "n->oo",
            "terms": ("n", "n*exp(-n)", "exp(-n)"), "next": "-n^2*exp(-2*n)/2", "sizes": ("300", "1e3"), "digits": 1500,
            "value": lambda n: n + mp.log1p((1 + n) * mp.exp(-n)),
        },
        {
            "source": "Hardy, Orders of Infinity, V", "text": "log(n + log(n))/log(n)", "to": "n->oo",
            "terms": ("1", "1/n", "-log(n)/(2*n^2)"), "next": "log(n)^2/(3*n^3)",
            "value": lambda n: 1 + mp.log1p(mp.log(n) / n) / mp.log(n),
        },
        {
            "source": "Bender, Orszag, Advanced Mathematical Methods, 3.4 (x^x near 0)", "text": "x^x", "to": "x->0+",
            "terms": ("1", "x*log(x)", "x^2*log(x)^2/2"), "next": "x^3*log(x)^3/6",
            "value": lambda x: mp.exp(x * mp.log(x)),
        },
    ],
)  # fmt: skip
