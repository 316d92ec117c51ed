"""Texts that can be taken for something else: swallowed words, n!!, ties without a value, names of which nothing is said.

Each truth is worked out by hand, or by a count of Python's whole numbers; nothing comes from asymp.  A text that says
nothing definite asserts nothing (truth None): neither *holds* nor *refuted* is an answer to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from benchmarks.soundness.statements import Statement

NOTHING = (
    # a word that belongs to no form
    ("n*x/(1+n*x) -> 1 as n -> oo uniformly for 0 < x < 1", None, "uniformly is said with 'in'"),
    ("x^n -> 0 as n -> oo uniformly for 0 < x < 1", None, "uniformly is said with 'in'"),
    ("k^2 = n for some all k in 0..3 for n in {0, 1}", None, "some or all?"),
    ("k^2 = n for all some k in 0..3 for n in {0, 1}", None, "some or all?"),
    ("x > 0 for all all x > 0", None, "a word twice"),
    ("n! ! >= n for whole n >= 1", None, "(n!)! or n!!?"),
    ("n!!! >= n for whole n >= 1", None, "(n!)!!, (n!!)! or a triple factorial?"),
    ("n >= 2 for n in 2...7", None, "from 2 to 0.7?"),
    ("n > 0 for whole n + m > 3", None, "which of the two is whole?"),
    ("floor(x) = x for real x in 0..3", None, "real, and whole"),
    # a name of which nothing is said
    ("harmonic(n) - log(n) -> gamma", "n->oo", "which gamma?"),
    ("harmonic(n) - log(n) -> γ", "n->oo", "which gamma?"),
    ("harmonic(n) = log(n) + EulerGama + O(1/n)", "n->oo", "no such constant"),
    ("sqrt(n) -> infinity", "n->oo", "no such name"),
    ("n! ~ sqrt(2*Pi*n)*(n/E)^n", "n->oo", "no such constant"),
    ("(1+1/n)^n -> e", "n->oo", "no such constant"),
    ("n^a -> oo", "n->oo", "which a?"),
    ("n*p -> c", "n->oo, p = c/n", "which c?"),
    # a tie whose term has no value, or is not whole
    *((f"{body} for {where}", None, why) for body in ("n >= 1", "n >= 0", "n >= 1 and n >= 0") for where, why in (
        ("whole n >= 0, p = 1/n", "1/0"), ("n in 0..3, p = 1/n", "1/0"), ("whole n >= 0, p = 1/n, p < 1/2", "1/0"),
        ("whole n >= 1, p = n/2, whole p", "1/2 is not whole"), ("whole n >= 1, p = log(n - 1)", "log(0)"),
        ("n = 1, n > 2", "no point"), ("n = 1/2, whole n", "no point"),
    )),
    ("x^2 is increasing in x for x > 0, p = 1/(x - 1)", None, "1/0"),
    ("n ~ n + 1", "n->oo, p=1/(n-n)", "1/0"),
    ("sin(pi*p) ~ pi*p as integer m -> oo, p = 1/m, integer p", None, "1/m is not whole"),
    # a value of a list, at which nothing is said if its variable is taken as whole
    ("Sum(1, (k, 1, n)) = n for n in {1/2, 1}", None, "no sum ends at 1/2"),
    ("Sum(1, (k, 1, n)) = 5*n for n in {1/2, 1}", None, "no sum ends at 1/2"),
    ("Product(k, (k, n - 1, 5)) >= 1 for n in {3/2, 2}", None, "none begins at 1/2"),
    ("(-1)^n = 1 for n in {1/2, 2}", None, "no root of -1"),
)  # fmt: skip
SAID = (
    ("n*x/(1+n*x) -> 1 as n -> oo uniformly in 1/100 < x < 1", None, True, "at least 1 - 100/n"),
    ("k^2 = n for some k in 0..3 for n in {0, 1, 4, 9}", None, True, "squares"),
    ("k^2 = n for some k in 0..3 for n in {0, 1, 5}", None, False, "5 is no square"),
    ("(2*n)!! = 2^n*n! for whole n >= 0", None, True, "DLMF 5.4.2"),
    ("(2*n-1)!! = (2*n)!/(2^n*n!) for whole n >= 0", None, True, "DLMF 5.4.2"),
    ("n!! = (n!)! for whole n >= 0", None, False, "3 and 720 at n = 3"),
    ("(2*n-1)!! = 2^n*n! for whole n >= 0", None, False, "1 and 2 at n = 1"),
    ("harmonic(n) - log(n) -> EulerGamma", "n->oo", True, "by definition"),
    ("n >= 1 for whole n >= 1, p = 1/n", None, True, "as it says"),
    ("n >= 3 for whole n >= 1, p = 1/n, p < 1/2", None, True, "1/n < 1/2 is n > 2"),
    ("n >= 3 for whole n >= 1, p = 1/n, p <= 1/2", None, False, "n = 2"),
    ("n >= 2 for whole n >= 1, p = 1/n", None, False, "n = 1"),
    ("x >= 0 for x in 0..3", None, True, "as it says"),
    ("n! = 1 for n in {0, 1, 1/2}", None, False, "(1/2)! is 0.886"),
    ("n! >= 4/5 for n in {0, 1, 1/2}", None, True, "(1/2)! is 0.886"),
    ("k*(k - 1) >= 0 for k in {1/2, 2}", None, False, "-1/4 at 1/2"),
    ("sin(pi*n) = 0 for n in {0, 1, 1/2}", None, False, "1 at 1/2"),
    ("Sum(1, (k, 1, 2*n)) = 2*n for n in {1/2, 1}", None, True, "1 and 2"),
    ("Sum(1, (k, 1, 2*n)) = n for n in {1/2, 1}", None, False, "1 at 1/2"),
    ("Sum(1, (k, 1, n)) = n for n in {1, 2}", None, True, "1 and 2"),
)
PARAMETERS = (
    ("n^a -> oo", ("a > 0",), True, "a > 0"),
    ("n^a -> oo", ("a > -1",), False, "a = -1/2"),
    ("harmonic(n) - log(n) -> gamma", ("gamma > 0",), False, "gamma = 1"),
)


def statements() -> Iterator[Statement]:
    """Those that assert nothing, their neighbours that say something, and values of n!!."""
    for text, to, why in NOTHING:
        yield Statement(text, to, (), None, "reading", why)
    for text, to, true, why in SAID:
        yield Statement(text, to, (), true, "reading", why)
    for text, assume, true, why in PARAMETERS:
        yield Statement(text, "n->oo", assume, true, "reading", why)
    for n in range(-1, 24):
        value = math.prod(range(n, 0, -2))
        yield Statement(f"({n})!! = {value}", None, (), True, "reading", "a product of whole numbers")
        yield Statement(f"({n})!! = {value + 1}", None, (), False, "reading", "a product of whole numbers, and one more")
