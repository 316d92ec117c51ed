"""Ranges of sums that may be empty where conditions couple variables, and what is said twice of one variable.

Truth is by hand: an empty sum is 0, whatever its body would be; a body with no value where the sum is empty is never asked
for; and of a variable that is real and one of 0, 1, 2, 3 two things are said, so that the text asserts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.soundness.statements import Statement

KIND = "domains"
NO_MEANING = (
    "floor(x) = x for real x, x in 0..3",
    "floor(x) = x for real x in 0..3",
    "x^2 >= x for x in 0..3, real x",
    "k/n -> 0 as n -> oo for real k, k in 1..3",
    "sin(pi*x) = 0 for x in 0..3, real x",
    "n >= 1 for whole n, real n, n >= 1",
)
DECIDED = (
    ("Sum(1/d, (k,1,d)) = 1 for whole d >= 0, whole n >= 0, d >= (n-17)^2", False),
    ("Sum(1/d, (k,1,d)) = 1 for whole d >= 0, whole n >= 0, d >= (n-17)^2 + 1", True),
    ("Sum(1/d, (k,1,d)) > 0 for whole d >= 0, whole n >= 0, d >= (n-5)^2", False),
    ("Sum(1/d, (k,1,d)) >= 0 for whole d >= 0, whole n >= 0, d >= (n-5)^2", True),
    ("Sum(1/(n-m), (k,m+1,n)) = 1 for whole m >= 0, whole n >= m", False),
    ("Sum(1/(n-m), (k,m+1,n)) = 1 for whole m >= 0, whole n > m", True),
    ("Sum(log(d), (k,1,d)) = Sum(log(d), (j,1,d)) for whole d >= 0, whole n >= 0, d >= (n-3)^2", True),
    ("Sum(d, (k,1,d)) = d^2 for whole d >= 0, whole n >= 0, d >= (n-3)^2", True),
    ("Sum(1/d, (k,1,d)) <= 1 for whole d >= 0", True),
    ("Product(1/d, (k,1,d)) = 1 for whole d >= 0, d <= 1", True),
    ("floor(x) = x for x in 0..3", True),
    ("floor(x) = x for real x, 0 <= x <= 3", False),
)


def statements() -> Iterator[Statement]:
    """Those that assert nothing (truth None), and those that are true or false."""
    for text in NO_MEANING:
        yield Statement(text, None, (), None, KIND, "it asserts nothing")
    for text, true in DECIDED:
        yield Statement(text, None, (), true, KIND, "by hand")
