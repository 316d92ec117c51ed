"""The root of an equation, term by term, and the proof that it is there.

Let F be a form of the equation (F = 0 exactly at its roots, continuous between the points used).  From an
approximation P the next term is the leading term of -F(P)/F'(P) (Newton's step; de Bruijn, Asymptotic Methods
in Analysis, 2.3-2.4).  That only finds the terms.  What proves them is the change of sign: with P_K the first K
terms, c g the next one,

    F(P_K + (c + 1) g) and F(P_K + (c - 1) g)

have opposite signs for all large scales, each by the leading term of its expansion; so a root lies between the
two points, and it is P_K + O(g).
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.mills import without_small
from asymp.expansion import Expansion, NoTerm, Refused, assume_nonzero, assumptions, is_zero
from asymp.scale import Growth, Regime, sign

ORDERS = (1, 2, 3, 4, 6, 8, 11, 14)
"""Orders of the series that are tried until a leading term is known."""


@dataclass(frozen=True)
class Approximation:
    """Terms of a root, larger first; ``exact``: there is no other."""

    terms: tuple[tuple[Growth, sp.Expr], ...]
    exact: bool = False

    @property
    def expr(self) -> sp.Expr:
        """The sum of the terms."""
        return sp.Add(*(c * g.expr for g, c in self.terms))

    def first(self, count: int) -> Approximation:
        """The first terms."""
        return Approximation(self.terms[:count], self.exact and count >= len(self.terms))


class Iteration:
    """One form F of an equation in one regime (scales and positive parameters, no ties).

    Args:
        form: F, in the scales and the unknown.
        unknown: x.
        regime: what tends where.
    """

    def __init__(self, form: sp.Expr, unknown: sp.Symbol, regime: Regime) -> None:
        self.form, self.unknown, self.regime = form, unknown, regime
        self._quick = without_small(form)  # finds the terms; the form itself proves them
        self._small = form - self._quick
        self._order = 0  # index into ORDERS: what was needed last is needed next

    def at(self, expr: sp.Expr, point: sp.Expr, order: int, scales: tuple[sp.Symbol, ...] = ()) -> Expansion:
        """An expression in the unknown, at an expression in the scales."""
        regime = Regime("", (*self.regime.scales, *scales), {self.unknown: point})
        return Expander(regime, order)(expr)

    def leading(self, expr: sp.Expr, point: sp.Expr) -> tuple[Growth, sp.Expr] | None:
        """The leading term there; None where the expression vanishes identically.

        Raises:
            Refused: none is known at any order.
        """
        if expr == self.form and self._small != 0 and (main := self._without_small(point)) is not None:
            return main
        failure = Refused("no order was tried")
        for place in range(self._order, len(ORDERS)):
            try:
                found = self.at(expr, point, ORDERS[place])
                if not found.terms and not found.remainder:
                    return None
                growth, coefficient = found.leading()
            except Refused as refused:
                failure = refused
                if place >= self._order + 3 and not isinstance(refused, NoTerm):
                    break  # more terms do not help
                continue
            self._order = place
            return growth, coefficient
        raise failure

    def _without_small(self, point: sp.Expr) -> tuple[Growth, sp.Expr] | None:
        """The leading term of F, where what is left out of the quick form is of smaller order; None: not shown."""
        try:
            found = self.leading(self._quick, point)
            if found is None:
                return None
            rest = self.at(self._small, point, 1)
        except Refused:
            return None
        negligible = all((g / found[0]).limit() == "zero" for g in (*rest.terms, *rest.remainder))
        return found if negligible else None

    def slope(self, point: sp.Expr) -> tuple[Growth, sp.Expr]:
        """The leading term of F' there: of the derivative, or of (F(P + P/w) - F(P)) w/P with w -> oo.

        Raises:
            Refused: neither is known.
        """
        form = self._quick
        derivative = sy.diff(form, self.unknown)
        if not derivative.has(sp.Derivative, sp.Subs, sp.meijerg, sp.hyper):
            try:
                found = self.leading(derivative, point)
                if found is not None:
                    return found
            except Refused:
                pass
        w = sp.Dummy("w", positive=True)
        for order in (1, 2):
            moved = self.at(form, point * (1 + 1 / w), order, (w,))
            linear = {}
            for growth, coefficient in moved.terms.items():
                if not growth.large and dict(growth.powers).get(w) == -1:
                    linear[growth * Growth.of(w)] = coefficient
            if linear:
                break
        growth, coefficient = Expansion.make(linear).leading()
        lead = self.at(self.unknown, point, 2).leading()
        return growth / lead[0], coefficient / lead[1]

    def refine(self, start: Approximation, count: int) -> Approximation:
        """At least ``count`` terms, or all of them where the root is exact.

        Raises:
            Refused: a step is not known, or is not small against the terms before it.
        """
        try:
            return self._refined(start, count, keep_slope=True)
        except Refused:  # the slope changes its order as P grows better
            return self._refined(start, count, keep_slope=False)

    def _refined(self, start: Approximation, count: int, keep_slope: bool) -> Approximation:
        terms = list(start.terms)
        slope = None
        while len(terms) < count:
            point = sp.Add(*(c * g.expr for g, c in terms))
            left = self.leading(self._quick, point)
            if left is None and self._quick != self.form:
                left = self.leading(self.form, point)
            if left is None:
                return Approximation(tuple(terms), exact=True)
            if slope is None or not keep_slope:
                slope = self.slope(point)
            growth, coefficient = left[0] / slope[0], _neat(-left[1] / slope[1])
            if any((growth / g).limit() != "zero" for g, _ in terms):
                raise Refused(f"Newton's step {coefficient * growth.expr} is not small")
            terms.append((growth, coefficient))
        return Approximation(tuple(terms))

    def proves(self, found: Approximation, count: int, low: sp.Expr, high: sp.Expr) -> None:
        """F changes its sign across the ``count`` terms, within the next one, inside (low, high).

        Raises:
            Refused: the signs are not known, or are equal, or a point is not shown to lie in the interval.
        """
        growth, coefficient = found.terms[count]
        head = found.first(count).expr
        signs = self._signs_across(head, growth, coefficient, low, high)
        if signs is None:
            signs = []
            for shift in (1, -1):
                point = head + _neat(coefficient + shift) * growth.expr
                self.inside(point, low, high)
                signs.append(self._sign_at(point))
        if signs[0] * signs[1] != -1:
            raise Refused(f"the equation does not change its sign at {self.unknown} = {head}")

    def _sign_at(self, point: sp.Expr) -> int:
        left = self.leading(self.form, point)
        side = None if left is None else sign(left[1])
        if side is None:
            raise Refused(f"the sign of the equation at {self.unknown} = {point} is not known")
        return side

    def _signs_across(
        self, head: sp.Expr, growth: Growth, coefficient: sp.Expr, low: sp.Expr, high: sp.Expr
    ) -> list[int] | None:
        """Signs of F at P + (c +- 1) g from one expansion, at P + t g with t real; None: not shown this way.

        Where the leading coefficient is A (t - c), they are those of A and -A.
        """
        t = sp.Dummy("t", real=True)
        point = head + t * growth.expr
        try:
            with assumptions() as noted:
                self.inside(point, low, high)
                left = self.leading(self.form, point)
            if left is None or any(t in a.free_symbols for a in noted):
                return None
            line = sy.poly(left[1], t)
            if line.degree() != 1 or not is_zero(_neat(line.eval(coefficient))):
                return None
            across = sign(sy.factor(line.LC()))
        except ValueError:
            return None
        if across not in (1, -1):
            return None
        for a in noted:
            assume_nonzero(a)
        return [across, -across]

    def inside(self, point: sp.Expr, low: sp.Expr, high: sp.Expr) -> None:
        """Raises Refused unless the point is shown to lie in (low, high) for large scales."""
        for end, gap in ((low, point - low), (high, high - point)):
            if end in (sp.oo, -sp.oo):
                continue
            left = self.leading(gap, point)
            if left is None or sign(left[1]) != 1:
                raise Refused(f"{self.unknown} = {point} is not shown to lie in ({low}, {high})")


def _neat(coefficient: sp.Expr) -> sp.Expr:
    """A coefficient in a short form: logarithms apart, over one denominator."""
    expanded = sy.expand(sy.expand_log(sy.expand(coefficient), force=True))
    if expanded.is_Rational or (not expanded.free_symbols and not expanded.has(sp.Pow)):
        return expanded
    together = sy.factor(sy.cancel(sy.together(expanded))) if expanded.count_ops() < 400 else expanded
    return min((expanded, together), key=lambda e: e.count_ops())
