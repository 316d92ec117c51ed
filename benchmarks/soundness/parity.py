"""Statements about whole n that hang on parity and integer parts; their truth is counted over a period, in Python.

X(n) is periodic with a period that is read off its construction; n! X(n) = o(n!), = O(n!) and = Theta(n!) are true if X is 0
everywhere, always, and if X is 0 nowhere.  n! asks for whole n.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction

from benchmarks.soundness.statements import Statement

Whole = Callable[[int], Fraction]


def _shapes(rng: random.Random) -> Iterator[tuple[str, Whole, int]]:
    """(X as text, X, a period of it)."""
    a, b, c, d = (rng.randint(1, 5) for _ in range(4))
    v = Fraction(rng.randint(-2, 2), rng.choice([1, 1, 2]))
    yield (f"(-1)^({a}*n^2+{b}*n) - ({v})", lambda n: Fraction((-1) ** (a * n * n + b * n)) - v, 2)
    yield (f"(-1)^(n*(n+1)/2)*(-1)^({a}*n) - ({v})", lambda n: Fraction((-1) ** (n * (n + 1) // 2 + a * n)) - v, 4)
    yield (f"(-1)^({a}*n^3+{b}*n) - (-1)^({c}*n)", lambda n: Fraction((-1) ** (a * n**3 + b * n) - (-1) ** (c * n)), 2)
    yield (f"floor(({a}*n+{b})/{c}) - ({a}*n)/{c} - ({v})", lambda n: (a * n + b) // c - Fraction(a * n, c) - v, c)
    yield (f"floor(({a * c}*n+{b})/{c}) - {a}*n - {b // c}", lambda n: Fraction((a * c * n + b) // c - a * n - b // c), 1)
    yield (f"ceiling(n/{c}) - floor((n+{c - 1})/{c})", lambda n: Fraction(-(-n // c) - (n + c - 1) // c), 1)
    yield (f"ceiling(n/{c}) - floor((n+{d})/{c})", lambda n: Fraction(-(-n // c) - (n + d) // c), c)
    yield (f"(1+(-1)^n)*floor(n/2) - n*(1+(-1)^n)/2 + ({v})", lambda n: (1 + (-1) ** n) * (n // 2 - Fraction(n, 2)) + v, 2)
    yield (f"(-1)^floor(n/{c}) - ({v})", lambda n: Fraction((-1) ** (n // c)) - v, 2 * c)
    yield (f"sin(pi*{a}*n) + ({v})", lambda n: v, 1)
    yield (f"cos(pi*{a}*n) - (-1)^({b}*n)", lambda n: Fraction((-1) ** (a * n) - (-1) ** (b * n)), 2)
    yield (f"cos(2*pi*n/3) + 1/2 - ({v})", lambda n: (Fraction(3, 2) if n % 3 == 0 else Fraction(0)) - v, 3)
    yield (f"floor(floor(n/{c})/{d}) - floor(n/{c * d})", lambda n: Fraction(n // c // d - n // (c * d)), 1)


def statements(count: int = 8, seed: int = 5) -> Iterator[Statement]:
    """Statements with their truth."""
    rng = random.Random(seed)
    seen: set[str] = set()
    for _ in range(count):
        for text, x, period in _shapes(rng):
            if text in seen:
                continue
            seen.add(text)
            values = [x(n) for n in range(60, 60 + period)]
            zero, nowhere = all(v == 0 for v in values), all(v != 0 for v in values)
            why = f"over a period X is {', '.join(map(str, values[:6]))}"
            for order, true in (("o", zero), ("O", True), ("Theta", nowhere)):
                yield Statement(f"factorial(n)*({text}) = {order}(factorial(n))", "n->oo", (), true, "parity", why)
