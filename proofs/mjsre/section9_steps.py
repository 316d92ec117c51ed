"""Section 9: the proofs, step by step; see :mod:`proofs.mjsre.section4_steps`."""

from __future__ import annotations

import sympy as sp

from asymp.claim import Evidence, Outcome, Step
from proofs.mjsre.notation import certified
from proofs.mjsre.piecewise import positive, proved
from proofs.mjsre.section4_steps import c, reordering, sigma, v, w, w_alpha, x, x1, y, y1

start, later = sp.symbols("h h'", real=True)
"""W-hat, and that of a larger workload."""


def _start() -> Step:
    return proved(
        "the start, a maximum of entries (taken two by two)",
        [(x, x1), (y, y1)],
        [(sp.Max(x, y), sp.Max(x1, y1))],
        r"W\le V \implies \hat W\le\hat V",
    )


def _rest() -> list[Step]:
    return [
        proved("adding a constant", [(x, y)], [(x + c, y + c)], r"x\le y \implies x+c\le y+c"),
        proved("the positive part", [(x, y)], [(positive(x), positive(y))], r"x\le y \implies x^+\le y^+"),
        *reordering(),
    ]


def printed() -> list[Step]:
    """The maps of (14) and (15) as printed are nondecreasing."""
    used = proved(
        "servers that are used", [(start, later)], [(start + sigma, later + sigma)], r"\hat W+\sigma\le\hat V+\sigma"
    )
    return [_start(), used, proved("the others", [(w, v)], [(w, v)], r"W^i\le V^i"), *_rest()]


def corrected() -> list[Step]:
    """The same with every component raised to the start."""
    used = proved(
        "servers that are used", [(start, later)], [(start + sigma, later + sigma)], r"\hat W+\sigma\le\hat V+\sigma"
    )
    others = proved(
        "the others",
        [(w, v), (start, later)],
        [(sp.Max(start, w), sp.Max(later, v))],
        r"\max(\hat W,W^i)\le\max(\hat V,V^i)",
    )
    return [_start(), used, others, *_rest()]


def one_type() -> list[Step]:
    """With W ordered and one type, S^i = W^alpha for i <= alpha and W^i beyond is W^alpha v W^i."""
    return [
        proved("i <= alpha", [(w, w_alpha)], [(sp.Max(w_alpha, w), w_alpha)], r"W^i\le W^\alpha", equal=True),
        proved("i > alpha", [(w_alpha, w)], [(sp.Max(w_alpha, w), w)], r"W^\alpha\le W^i", equal=True),
    ]


def one_server() -> list[Step]:
    """S(1, W) = W for ordered W, and L(1) = E_1."""
    return [proved("W^1 is the least", [(w_alpha, w)], [(sp.Max(w_alpha, w), w)], r"S(1,W)=W", equal=True)]


def task_graph() -> list[Evidence]:
    """Nothing to decide."""
    return certified(Outcome.UNDECIDED, "neither the task graph model nor how it is embedded is defined in the paper")
