"""Domains and regimes that couple their variables: parameters that depend on what moves, limits that move, two rates.

Truth is by hand.  What is undefined at some point of its domain asserts nothing, nor does f -> c where c moves, nor a
"for all m" whose m depends on n.  Of the regimes with two rates: n e^(-n p) tends to infinity along n p = log log n, and to 0
along n p = 2 log n, and (1-p)^n is e^(-n p - n p^2/2 - ...).
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.soundness.statements import Statement

KIND = "coupled"
NO_MEANING = (
    "n/m -> oo as n -> oo for 1 <= m <= n, whole m",
    "n/m -> oo as n -> oo for n >= m >= 1, whole m",
    "m/n = O(1) as n -> oo for 1 <= m < n^2, whole m",
    "n*p/m -> oo as n -> oo, p -> 0+, n*p -> oo for whole m, 1 <= m <= 1/p",
    "n*x -> 0 as n -> oo for 0 < x < 1/n",
    "(1+a/n)^n -> exp(a)+1/n as n -> oo for a > 0",
    "n*p -> c + p as n -> oo, n*p -> c",
    "log(x*y) = log(x)+log(y) for real x, real y, x*y > 0",
    "log(x*y) = log(x)+log(y) for real x, real y, x*y > 0, x > -5",
    "1/(x-y) = 1/(x-y) for x > 0, y > 0, x*y < 1",
    "log(1-x-y) <= 0 for x > 0, y > 0, x + y <= 1",
    "1/(x*y) = 1/x/y for real x, real y, x + y > 0",
    "Sum(1/j,(j,k,n)) <= n for whole n >= 1, whole k, 1 <= k <= 2*n",
)
DECIDED = (
    ("n/m -> oo as n -> oo uniformly in 1 <= m <= n, whole m", False),
    ("n/m -> oo as n -> oo for whole m, 1 <= m <= 7", True),
    ("n^(a-b) -> 0 as n -> oo for whole a, whole b, 1 <= a < b, b >= 1", True),
    ("log(x*y) = log(x)+log(y) for real x, real y, x*y > 0, x > 0", True),
    ("log(1-x-y) <= 0 for x > 0, y > 0, x + y < 1", True),
    ("1/(x-y) > 0 for x > y, y > 0", True),
    ("sqrt(n^2 - m^2) <= n for n >= 1, m >= 0, m <= n", True),
    ("sqrt(x^2) = x for real x, real y, x*y > 0", False),
    ("n*(1-p)^(n-1) -> 0 as n -> oo, p -> 0+, n*p -> oo", False),
    ("n*(1-p)^n -> oo as n -> oo, p -> 0+, n*p -> oo", False),
    ("n*p*(1-p)^n -> 0 as n -> oo, p -> 0+, n*p -> oo", True),
    ("(1-p)^n/p -> 0 as n -> oo, p -> 0+, n*p -> oo", False),
    ("(1-p)^n ~ exp(-n*p) as n -> oo, p -> 0+, n*p -> oo", False),
    ("(1-p)^n ~ exp(-n*p) as n -> oo, p -> 0+, n*p^2 -> 0", True),
    ("(1+1/m)^n ~ exp(n/m) as n -> oo, m -> oo, n/m -> oo", False),
    ("n*(1-1/m)^n -> 0 as n -> oo, m -> oo, n/m -> oo", False),
    ("n*exp(-n/m) -> 0 as n -> oo, m -> oo, n/m -> oo", False),
)


def statements() -> Iterator[Statement]:
    """Those that assert nothing (truth None), and neighbours that are true or false."""
    for text in NO_MEANING:
        yield Statement(text, None, (), None, KIND, "it asserts nothing")
    for text, true in DECIDED:
        yield Statement(text, None, (), true, KIND, "by hand")
