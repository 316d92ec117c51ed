"""Regimes and domains that nothing meets, and their neighbours that have a path.

That no values meet the conditions is written down by hand, with the reason; nothing here comes from asymp.  Of no values a
statement asserts nothing: neither *holds* nor *refuted* is an answer.  Along a path that is there each body has its truth.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.soundness.statements import Statement

BODIES = ("n/m -> oo", "n/m -> 0", "1/n -> 0", "n -> 0", "n + 1 ~ n", "n = O(1)", "sin(pi*m) ~ pi*m")

NOWHERE = (
    ("n -> oo, m -> oo, m = o(n), n = o(m)", "each is less than the other"),
    ("n -> oo, m -> oo, m = omega(n), m = o(n)", "each is less than the other"),
    ("n -> oo, m -> oo, n/m -> 0, n/m -> oo", "one quotient, two limits"),
    ("n -> oo, m -> oo, m = Theta(n), m/n -> 0", "a quotient that is bounded below tends to 0"),
    ("n -> oo, m -> oo, m = omega(n^2), n = omega(m^(1/2))", "n^2 is less than m, and more"),
    ("whole n -> oo, m = 1/n, whole m", "0 < 1/n < 1"),
    ("whole n -> oo, m = n + 1/2, whole m", "n is whole"),
    ("whole n -> oo, m = log(n), whole m", "exp(m) is not rational for whole m > 0"),
    ("whole n -> oo, m = pi*n, whole m", "pi is not rational"),
    ("whole n -> oo, m = n*sqrt(2), whole m", "the root of 2 is not rational"),
    ("n -> oo, m = 1/n, m > 1", "1/n tends to 0"),
    ("n -> oo, m -> 0+, m < 0", "from above"),
    ("n -> oo, n < 3, m -> oo", "n tends to infinity"),
    ("n -> oo, m = 2*n, m < n", "n is positive"),
)
SOMEWHERE = (  # the regime, and of each body whether it is true
    ("n -> oo, m -> oo, m = o(n)", (True, False, True, False, True, False, None)),
    ("n -> oo, m -> oo, m = omega(n)", (False, True, True, False, True, False, None)),
    ("whole n -> oo, m = 1/n", (True, False, True, False, True, False, True)),
    ("whole n -> oo, m = n^2, whole m", (False, True, True, False, True, False, None)),
)
DOMAINS = (
    ("x > y, y > x", "neither is more than the other"),
    ("x > 0, x^2 < 0", "a square"),
    ("x > 1, x < 1", "neither"),
    ("whole x, 2*x = 1", "a half is not whole"),
    ("x in {1, 2}, x > 2", "neither"),
    ("x = 2, x = 3", "two values"),
    ("x > 0, y > 0, x + y < 0", "a sum of positive numbers"),
    ("x*y > 1, x > 0, y < 0", "a product of different signs"),
)


def statements() -> Iterator[Statement]:
    """The statements of no path (truth None), and their neighbours that have one."""
    for regime, why in NOWHERE:
        for body in BODIES:
            yield Statement(body, regime, (), None, "paths", why)
    for regime, truths in SOMEWHERE:
        for body, true in zip(BODIES, truths, strict=True):
            if true is not None:
                yield Statement(body, regime, (), true, "paths", "by hand")
    for domain, why in DOMAINS:
        for body in ("x/n -> 0", "x + n -> 0", "x/n = O(1)"):
            yield Statement(f"{body} as n -> oo for {domain}", None, (), None, "paths", why)
    for body, true in (("x/n -> 0", True), ("x + n -> 0", False), ("x/n = O(1)", True)):
        yield Statement(f"{body} as n -> oo for x > 2, x < 3", None, (), true, "paths", "by hand")
