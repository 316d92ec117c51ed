r"""Differences of a function at places that are closer than any power: exp(1/n + e^(-n)) - exp(1/n).

Term by term such a sum vanishes behind what is left out of each series.  With B one of the arguments and
e_i = A_i - B -> 0,

.. math:: \sum_i c_i e^{A_i} = e^B \sum_i c_i e^{e_i}, \qquad \sum_i c_i \ln A_i = \ln B \sum_i c_i
   + \sum_i c_i \ln(1 + e_i/B), \qquad \sum_i c_i A_i^p = B^p \sum_i c_i (1 + e_i/B)^p,

the sine and the cosine by their sums of angles, and for f analytic at the limit b of B, by Taylor's formula,

.. math:: \sum_i c_i f(A_i) = \sum_{k \le K} \frac{f^{(k)}(B)}{k!} \sum_i c_i e_i^k + O\Bigl(\max_i |c_i e_i^{K+1}|\Bigr),

as f^(K+1) is bounded near b: the constants of the inner sums cancel exactly.  Tried only where term by term nothing
is left.  Source: Gruntz, On Computing Limits in a Symbolic Manipulation System (1996), chapter 5; DLMF 4.21.2, 4.21.9.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.expand import engine
from asymp.expand.engine import Expander
from asymp.expand.place import place
from asymp.expansion import Expansion, Refused
from asymp.functions.symbolic import EVERYWHERE, classes
from asymp.scale import sign

ODD = classes(lambda row: row.everywhere and row.parity == -1)
EVEN = classes(lambda row: row.everywhere and row.parity == 1)
ON_THE_RIGHT = (sp.gamma, sp.loggamma, sp.digamma)
"""Analytic at every positive place."""
ANALYTIC: tuple[Any, ...] = (sp.log, *EVERYWHERE, *ON_THE_RIGHT)
Member = tuple[sp.Expr, sp.Expr]
Kind = Any
"""A function, or the exponent of a power."""


def _member(term: sp.Expr, variables: frozenset[sp.Symbol]) -> tuple[Kind, Member] | None:
    """(kind, (c, A)) of a term c f(A) with one factor f(A) of a kind that is known; the first of them."""
    factors = sp.Mul.make_args(term)
    for position, factor in enumerate(factors):
        if not factor.free_symbols & variables:
            continue
        kind: Kind = None
        if isinstance(factor, ANALYTIC):
            kind, argument = factor.func, factor.args[0]
        elif factor.is_Pow and not factor.exp.free_symbols and not factor.base.is_Symbol:
            kind, argument = factor.exp, factor.base
        if kind is not None:
            return kind, (sp.Mul(*factors[:position], *factors[position + 1 :]), argument)
    return None


def nearby(expander: Expander, terms: Iterable[sp.Expr]) -> Expansion:
    """The sum of the terms, those put together whose arguments are near each other.

    >>> from asymp.scale import Regime
    >>> n = sp.Symbol("n", positive=True)
    >>> Expander(Regime.single(n), 1)(sp.exp(1 / n - sp.exp(-n)) - sp.exp(1 / n))
    -exp(-n) - exp(-n)/n + O(exp(-n)/n**2)

    Raises:
        Refused: there are none.
    """
    groups: dict[Kind, list[Member]] = {}
    alone: list[sp.Expr] = []
    for term in terms:
        found = _member(term, expander._variables())
        if found is None:
            alone.append(term)
        else:
            groups.setdefault(found[0], []).append(_upright(expander, *found))
    parts: list[Expansion] = []
    together = 0
    for kind, members in groups.items():
        while members:
            base = members[-1][1]
            near = [(c, sy.expand(a - base), expander(a - base)) for c, a in members]
            close = [(c, gap, e) for c, gap, e in near if _small(e)]
            together += len(close) > 1
            parts.append(_group(expander, kind, base, close))
            members = [m for m, (_, _, e) in zip(members, near, strict=True) if not _small(e)]
    if not together:
        raise Refused("no two arguments are near each other", undecided=())
    return Expansion.sum([*parts, *(expander(term) for term in alone)])


def _upright(expander: Expander, kind: Kind, member: Member) -> Member:
    """f(-A) of an odd or even f in f(A): SymPy writes atan(1/n - e^(-n)) with a minus sign before it."""
    c, argument = member
    if kind not in (*ODD, *EVEN) or sign(expander(argument).leading()[1]) != -1:
        return member
    return (-c if kind in ODD else c), -argument


def _small(gap: Expansion) -> bool:
    return all(g.limit() == "zero" for g in (*gap.terms, *gap.remainder))


def _weighted(parts: Iterable[tuple[Expansion, Expansion]]) -> Expansion:
    return Expansion.sum(c * e for c, e in parts)


def _group(expander: Expander, kind: Kind, base: sp.Expr, close: list[tuple[sp.Expr, sp.Expr, Expansion]]) -> Expansion:
    order = expander.order
    weights = [expander(c) for c, _, _ in close]
    gaps = [e for _, _, e in close]
    zero = Expansion({})
    if kind is sp.exp:
        inner = _weighted((c, e.exp(order)) for c, e in zip(weights, gaps, strict=True))
        return inner * expander(sp.exp(base, evaluate=False))
    if kind in (sp.sin, sp.cos):
        sines, cosines = _sine(gaps, order), _cosine(gaps, order)
        along = _weighted(zip(weights, cosines, strict=True))
        across = _weighted(zip(weights, sines, strict=True)).scaled(1 if kind is sp.sin else -1)
        other = sp.cos if kind is sp.sin else sp.sin
        return _times(expander, kind(base), along) + _times(expander, other(base), across)
    if kind is sp.log or isinstance(kind, sp.Expr):
        at = expander(base)
        inverse = at.inverse(order)
        ratios = [Expansion.constant(1) + e * inverse if e.terms or e.remainder else Expansion.constant(1) for e in gaps]
        if kind is sp.log:
            rest = _weighted((c, r.log(order)) for c, r in zip(weights, ratios, strict=True))
            return Expansion.sum(weights) * at.log(order) + rest
        powers = [r.power(kind, order) for r in ratios]
        return _weighted(zip(weights, powers, strict=True)) * at.power(kind, order)
    centre = place(expander(base))
    if centre.kind not in ("zero", "constant"):
        raise Refused(f"{base} does not tend to a constant")
    if kind in ON_THE_RIGHT and (centre.kind == "zero" or sign(centre.centre) != 1):
        raise Refused(f"{base} does not tend to a positive constant")
    x = sp.Dummy("x", positive=True)
    function = kind(x)
    total = [_weighted((c, e.tail(order + 1)) for c, e in zip(weights, gaps, strict=True) if e.terms or e.remainder)]
    powers = [Expansion.constant(1) for _ in gaps]
    for k in range(order + 1):
        inner = _weighted(zip(weights, powers, strict=True))
        total.append(_times(expander, function.subs(x, base) / sp.factorial(k), inner))
        function = sy.diff(function, x)
        powers = [p * e if e.terms or e.remainder else zero for p, e in zip(powers, gaps, strict=True)]
    return Expansion.sum(total)


def _times(expander: Expander, factor: sp.Expr, inner: Expansion) -> Expansion:
    return expander(factor) * inner if inner.terms or inner.remainder else inner


def _sine(gaps: list[Expansion], order: int) -> list[Expansion]:
    series = [sp.S.Zero if k % 2 == 0 else (-1) ** (k // 2) / sp.factorial(k) for k in range(order + 2)]
    return [e.series(series) if e.terms or e.remainder else Expansion({}) for e in gaps]


def _cosine(gaps: list[Expansion], order: int) -> list[Expansion]:
    series = [sp.S.Zero if k % 2 else (-1) ** (k // 2) / sp.factorial(k) for k in range(order + 2)]
    return [e.series(series) if e.terms or e.remainder else Expansion.constant(1) for e in gaps]


engine.NEARBY = nearby
