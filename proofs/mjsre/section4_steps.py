"""Section 4: the proofs, step by step, each step decided over the ordered rationals.

A statement on vectors of any length s is one on a coordinate i that may be any: its formula involves W^i, W^alpha
and W^s alone.  The reordering R is a composition of compare-exchanges (x, y) -> (min, max) for any s (insertion
sort), so that what each of these keeps, R keeps.
"""

from __future__ import annotations

import itertools

import sympy as sp

from asymp.claim import Step
from asymp.queues.recurrence import reorder
from proofs.mjsre.piecewise import positive, proved

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


def nondecreasing() -> list[Step]:
    """Lemma 4.3, by induction: M_{n+1} and M_n end with the same n maps, applied to M_1 >= 0 and to 0."""
    return [
        proved("the base", [], [(0, positive(x))], r"M_0 = 0 \le M_1"),
        *monotone(),
        Step("the same map (3), that of job -1, is applied to both", r"M_n\le M_{n+1} \implies M_{n+1}\le M_{n+2}"),
    ]


def causal() -> list[Step]:
    """X_[m,n] >= T_n."""
    return [
        proved(
            "the workload is not negative",
            [(0, w_alpha), (0, w_last), (0, sigma)],
            [(t, t + sp.Max(w_alpha + sigma, w_last))],
            r"T_n \le T_n + \max(W^\alpha+\sigma,W^s)",
        )
    ]


def homogeneous() -> list[Step]:
    """X(c + N) = X(N) + c."""
    return [
        proved("the gaps do not change", [], [((t1 + c) - (t + c), t1 - t)], r"(T'+c)-(T+c)=T'-T", equal=True),
        proved(
            "X is translated",
            [],
            [(t + c + sp.Max(w_alpha + sigma, w_last), (t + sp.Max(w_alpha + sigma, w_last)) + c)],
            r"X_{[m,n]}(c+N)=X_{[m,n]}(N)+c",
            equal=True,
        ),
    ]


def separable() -> list[Step]:
    """If X_[m,l] <= T_{l+1} then W_[m,l+1] = 0, the vector with which [l+1, n] begins."""
    early = [(t + sp.Max(w_alpha + sigma, w_last), t + tau), (0, sigma), (w_alpha, w_last), (w, w_last)]
    return [
        proved(
            "i <= alpha",
            [*early, (w, w_alpha)],
            [(positive(sp.Max(w_alpha, w) + sigma - tau), sp.Integer(0))],
            r"(\max(W^\alpha,W^i)+\sigma-\tau)^+=0",
            equal=True,
        ),
        proved(
            "i > alpha",
            early,
            [(positive(sp.Max(w_alpha, w) - tau), sp.Integer(0))],
            r"(\max(W^\alpha,W^i)-\tau)^+=0",
            equal=True,
        ),
        Step("from W_[m,l+1] = 0 = W_[l+1,l+1] on the two recurrences are the same", r"W_{[m,n]}=W_{[l+1,n]}"),
    ]


def externally_monotone() -> list[Step]:
    """D_{n+1} = R(S(alpha, D_n) + sigma L) v T_{n+1} U with D_n = T_n U + W_n: nondecreasing in D_n and in T_{n+1}."""
    gap = t1 - t
    return [
        proved(
            "the positive part, seen from the next arrival",
            [],
            [(positive(x - gap) + t1, sp.Max(x + t, t1))],
            r"(x-\tau)^+ + T' = \max(x+T,T')",
            equal=True,
        ),
        proved(
            "S commutes with translations",
            [],
            [(sp.Max(w_alpha, w) + t, sp.Max(w_alpha + t, w + t))],
            r"S(\alpha,W)+TU=S(\alpha,W+TU)",
            equal=True,
        ),
        proved(
            "so does a compare-exchange",
            [],
            [(sp.Min(x, y) + c, sp.Min(x + c, y + c)), (sp.Max(x, y) + c, sp.Max(x + c, y + c))],
            r"R(W)+cU=R(W+cU)",
            equal=True,
        ),
        *monotone(),
        proved("a later arrival", [(x, y), (t, t1)], [(sp.Max(x, t), sp.Max(y, t1))], r"\max(D,T)\le\max(D',T')"),
        proved(
            "X is nondecreasing in D",
            [(w_alpha, v_alpha), (w_last, v_last)],
            [(sp.Max(w_alpha + sigma, w_last), sp.Max(v_alpha + sigma, v_last))],
            r"X=\max(D^\alpha+\sigma,D^s)",
        ),
    ]


def positive_part() -> list[Step]:
    """(a + b)^+ <= a^+ + b for b >= 0 (the text has b > 0, and needs b = 0 too)."""
    words = r"0\le b \implies (a+b)^+\le a^+ + b"
    return [proved("(a + b)^+ <= a^+ + b for b >= 0", [(0, b)], [(positive(a + b), positive(a) + b)], words)]
