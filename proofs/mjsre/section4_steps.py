"""Section 4: the proofs, step by step, each step decided over the ordered rationals.

A statement on vectors of any length s is one on a coordinate i that may be any: its formula involves W^i, W^alpha
and W^s alone.  The reordering R is a composition of compare-exchanges (x, y) -> (min, max) for any s (insertion
sort), so that what each of these keeps, R keeps.
"""

from __future__ import annotations

import itertools

import sympy as sp

from asymp.claim import Step
from asymp.papers.mjsre.piecewise import positive, proved
from asymp.papers.mjsre.recurrence import reorder

w, w_alpha, w_last = sp.symbols("w_i w_alpha w_s", real=True)
v, v_alpha, v_last = sp.symbols("v_i v_alpha v_s", real=True)
x, y, x1, y1 = sp.symbols("x y x' y'", real=True)
c, sigma, tau, t, t1 = sp.symbols("c sigma tau T T'", real=True)
a, b = sp.symbols("a b", real=True)


def insertion_sort_is_reordering(longest: int = 5) -> None:
    """R is the compare-exchanges of insertion sort: on all vectors of zeros and ones, hence on all vectors.

    (The 0-1 principle: both sides commute with nondecreasing maps.)  For longer vectors it is the
    correctness of insertion sort.

    Raises:
        ValueError: it is not.
    """
    for size in range(1, longest + 1):
        for bits in itertools.product((0, 1), repeat=size):
            found = list(bits)
            for last in range(1, size):
                for i in range(last, 0, -1):
                    found[i - 1], found[i] = min(found[i - 1 : i + 1]), max(found[i - 1 : i + 1])
            if found != reorder(bits):
                raise ValueError(f"insertion sort does not reorder {bits}")


def synchronization() -> list[Step]:
    """W -> S(alpha, W) is nondecreasing."""
    return [
        proved(
            "S(alpha, .) is nondecreasing in each coordinate",
            [(w, v), (w_alpha, v_alpha)],
            [(sp.Max(w_alpha, w), sp.Max(v_alpha, v))],
            r"W^\alpha\le V^\alpha,\ W^i\le V^i \implies \max(W^\alpha,W^i)\le\max(V^\alpha,V^i)",
        )
    ]


def reordering() -> list[Step]:
    """R is isotonic."""
    insertion_sort_is_reordering()
    lower, upper = [(x, x1), (y, y1)], [(sp.Min(x, y), sp.Min(x1, y1)), (sp.Max(x, y), sp.Max(x1, y1))]
    return [
        proved(
            "a compare-exchange is isotonic",
            lower,
            upper,
            r"x\le x',\ y\le y' \implies \min(x,y)\le\min(x',y'),\ \max(x,y)\le\max(x',y')",
        ),
        Step("R is a composition of compare-exchanges (insertion sort)", r"R = \prod ((x,y)\to(\min(x,y),\max(x,y)))"),
    ]


def monotone() -> list[Step]:
    """Lemma 4.1."""
    return [
        *synchronization(),
        proved("adding a constant", [(x, y)], [(x + c, y + c)], r"x\le y \implies x+c\le y+c,\ c=\sigma L^i-\tau"),
        proved("the positive part", [(x, y)], [(positive(x), positive(y))], r"x\le y \implies x^+\le y^+"),
        *reordering(),
    ]
