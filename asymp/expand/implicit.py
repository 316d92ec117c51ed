"""Roots of equations: their expansions, derived and proved.

1. Which root.  On an interval of the unknown some form of the equation (L - R, (L - R) over one of its terms,
   ln L - ln R where both are positive) is continuous and strictly monotone, which :mod:`asymp.expand.shape` shows by
   rules; so there is at most one root.  An interval on which no form is monotone is cut, and every piece
   is shown to hold one root or none.
2. Where.  :mod:`asymp.expand.balance` proposes leading terms, :mod:`asymp.expand.newton` adds terms.
3. Proof.  A form changes its sign within O(next term) of the terms, by its own expansion at the two ends.

>>> x, n = sp.symbols("x n", positive=True)
>>> (root,) = expand_root(x * sp.exp(x), n, x, Regime.single(n), order=2)
>>> root.regime.display(root.expansion.expr), root.when
(log(n) - log(log(n)), 'x > 0')
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp.claim import Step
from asymp.expand.balance import starts
from asymp.expand.closed import closed, written_out
from asymp.expand.engine import Expander
from asymp.expand.equations import LONGEST, ascending, log_of, sides, zeros
from asymp.expand.mills import whole_upper, without_logarithm
from asymp.expand.newton import Approximation, Iteration
from asymp.expand.shape import Shape
from asymp.expansion import Expansion, Refused, assumptions
from asymp.scale import Regime, sign


@dataclass(frozen=True)
class Root:
    """One root: the interval it is the only root in, its expansion, and the steps of the proof.

    ``regime`` names the scales of the expansion: ``display`` puts it into the variables of the equation.
    """

    when: str
    low: sp.Expr
    high: sp.Expr
    regime: Regime
    expansion: Expansion
    steps: tuple[Step, ...]


def expand_root(
    left: sp.Expr,
    right: sp.Expr,
    unknown: sp.Symbol,
    regime: Regime,
    order: int = 3,
    low: sp.Expr = sp.S.Zero,
    high: sp.Expr = sp.oo,
) -> tuple[Root, ...]:
    """The roots of ``left = right`` with low < unknown < high, the first ``order`` terms of each.

    Args:
        left: a side of the equation.
        right: the other.
        unknown: the symbol that is solved for; it must have the sign that the interval gives it.
        regime: what tends where.
        order: terms.
        low: lower end of the interval, free of the unknown; -oo too.
        high: upper end, oo too.

    Raises:
        Refused: there is no root, or it is not shown how many there are, or one of them is not found or not proved.
    """
    whole = _Equation(left, right, unknown, regime, low, high)
    pieces = whole.pieces()
    roots = []
    for piece in pieces:
        if len(pieces) > 1 and piece.shape.sign(piece.direct) in (1, -1):
            continue
        try:
            roots.append(piece.root(order))
        except Refused:
            if not piece.rootless():
                raise
    if not roots:
        raise Refused(f"no root with {whole.when()}: the two sides differ there")
    if len(roots) == 1:  # the other pieces hold none
        (root,) = roots
        roots = [Root(whole.when(), low, high, root.regime, root.expansion, root.steps)]
    return tuple(roots)


class _Equation:
    """left = right on one interval of the unknown."""

    def __init__(
        self,
        left: sp.Expr,
        right: sp.Expr,
        x: sp.Symbol,
        regime: Regime,
        low: sp.Expr,
        high: sp.Expr,
        from_end: bool = False,
    ) -> None:
        self.given = (left, right)
        self.from_end = from_end  # the unknown is the distance from an end of another interval
        self.x, self.regime, self.low, self.high = x, regime, low, high
        left, right = written_out(regime.resolve(left)), written_out(regime.resolve(right))
        if x not in left.free_symbols | right.free_symbols:
            raise Refused(f"the equation does not hold the unknown {x}")
        direct = sy.expand(left - right) if (left - right).is_polynomial(x) else left - right
        short = direct.count_ops() < LONGEST and not direct.has(sp.Sum, sp.Integral, sp.Product)
        if direct == 0 or (short and sy.simplify(direct) == 0):
            raise Refused("both sides are equal: every value is a root")
        if left == 0 or right == 0:
            left, right = sides(direct, x)
        self.left, self.right, self.direct = left, right, left - right
        self.plain = Regime(regime.text, regime.scales)
        self.shape = Shape(self.plain, x, regime.resolve(low), regime.resolve(high))

    def when(self) -> str:
        """The interval as text."""
        low, high = self.regime.display(self.low), self.regime.display(self.high)
        if high == sp.oo:
            return f"{self.x} real" if low == -sp.oo else f"{self.x} > {low}"
        return f"{self.x} < {high}" if low == -sp.oo else f"{low} < {self.x} < {high}"

    # -- how many roots ------------------------------------------------------------------------
    def _forms(self) -> Iterator[sp.Expr]:
        """Forms with the same roots on the interval."""
        yield self.direct
        side = self.shape.sign(self.left)
        if side in (1, -1) and self.shape.sign(self.right) == side:
            with contextlib.suppress(Refused):
                yield sy.expand_mul(log_of(side * self.left) - log_of(side * self.right))
        for term in sp.Add.make_args(sy.expand(self.direct)):
            if self.x in term.free_symbols and self.shape.sign(term) in (1, -1):
                yield sy.expand(self.direct / term)

    def slope(self) -> int | None:
        """Whether a form is strictly monotone: at most one root."""
        return next((s for form in self._forms() if (s := self.shape.slope(form)) in (1, -1)), None)

    def rootless(self) -> bool:
        """Whether a form is shown to have one sign on the interval."""
        return any(self.shape.sign(form) in (1, -1) for form in self._forms())

    def pieces(self) -> list[_Equation]:
        """Intervals with at most one root each, that cover this one.

        Raises:
            Refused: none found.
        """
        if self.slope() is not None:
            return [self]
        for cuts in self._cuts():
            ends = [self.low, *cuts, self.high]
            parts = [_Equation(*self.given, self.x, self.regime, a, b) for a, b in itertools.pairwise(ends)]
            at_cuts = (self.shape.constant_sign(self.direct.subs(self.x, self.regime.resolve(c))) for c in cuts)
            if all(s in (1, -1) for s in at_cuts) and all(p.slope() is not None or p.rootless() for p in parts):
                return parts
        raise Refused(
            f"how many roots there are with {self.when()} is not shown; assume an interval of {self.x} "
            f"on which the two sides differ by a monotone function"
        )

    def _cuts(self) -> Iterator[list[sp.Expr]]:
        inside = [z for z in zeros(sy.diff(self.direct, self.x), self.x) if self._between(z)]
        if 0 < len(inside) < 4:
            with_order = ascending(inside)
            if with_order is not None:
                yield with_order
        if self.low.is_number and self.high.is_number and (middle := (self.low + self.high) / 2).is_finite:
            yield [middle]
        whole = [sp.Integer(k) for k in (-1, 0, 1, 2) if self._between(sp.Integer(k))]
        for count in (1, 2):
            for k in range(len(whole) - count + 1):
                yield list(whole[k : k + count])

    def _between(self, value: sp.Expr) -> bool:
        return all(
            end in (sp.oo, -sp.oo) or self.shape.constant_sign(self.regime.resolve(gap)) == 1
            for end, gap in ((self.low, value - self.low), (self.high, self.high - value))
        )

    # -- the root ------------------------------------------------------------------------------
    def root(self, order: int) -> Root:
        """The only root on the interval.

        Raises:
            Refused: it is not found or not proved.
        """
        reasons: list[str] = []
        for form, regime, low, high in self._solvable():
            for start in starts(form, self.x, regime, low, high):
                try:
                    return self._proved(form, regime, start, order, low, high)
                except ValueError as refused:
                    reasons.append(str(refused))
        found = self._through_exponential(order) or self._from_an_end(order)
        if found is not None:
            return found
        short = [r for r in dict.fromkeys(reasons) if len(r) < 200]
        raise Refused(f"no root found with {self.when()}" + (": " + short[0] if short else ""))

    def _proved(
        self, form: sp.Expr, regime: Regime, start: Approximation, order: int, low: sp.Expr, high: sp.Expr
    ) -> Root:
        iteration = Iteration(form, self.x, regime)
        found = iteration.refine(start, order + 1)
        if found.exact and len(found.terms) <= order:
            iteration.inside(found.expr, low, high)
            return self._answer(form, regime, Expansion.make(dict(found.terms)))
        with assumptions() as noted:
            iteration.proves(found, order, low, high)
        undecided = [regime.display(a) for a in noted if _may_vanish(a)]
        if undecided:
            raise Refused(f"derived only where {undecided[0]} is not 0")
        return self._answer(form, regime, Expansion.make(dict(found.terms[:order]), [found.terms[order][0]]))

    def _answer(self, form: sp.Expr, regime: Regime, expansion: Expansion) -> Root:
        f, x = sy.latex(regime.display(form)), sy.latex(self.x)
        steps = (
            Step("one root at most", rf"F({x}) = {f} \text{{ is continuous and monotone for }} {self.when()}", ""),
            Step(
                "Newton's step, term by term",
                rf"{x} \approx P - F(P)/F'(P)",
                "de Bruijn, Asymptotic Methods in Analysis, 2.3-2.4",
            ),
            Step(
                "change of sign within the next term",
                rf"F(P + (c \pm 1)g) \text{{ have opposite signs, }} P = {sy.latex(regime.display(expansion.expr))}",
                "intermediate value theorem",
            ),
        )
        return Root(self.when(), self.low, self.high, regime, expansion, steps)

    def _solvable(self) -> Iterator[tuple[sp.Expr, Regime, sp.Expr, sp.Expr]]:
        """Forms to solve and the interval, in the scales that suit them: ln n itself where n occurs in no other way."""
        forms = []
        left, right = closed(self.left), closed(self.right)
        pairs = [(-left, -right) if self.shape.sign(self.right) == -1 else (left, right)]
        terms = sp.Add.make_args(sy.expand(left - right))
        if 2 < len(terms) < 6:
            for term in terms:
                rest = sp.Add(*(t for t in terms if t != term))
                pairs.append((-term, rest) if self.shape.sign(term) == -1 else (term, -rest))
        for a, b in pairs:
            try:
                forms.append(sy.expand_mul(log_of(a) - log_of(b)))
            except Refused:
                continue
        grows_fast = left - right
        slow = not any(
            self.x in e.free_symbols for e in grows_fast.atoms(sp.exp, sp.gamma, sp.factorial, sp.erfc)
        ) and not any(self.x in p.exp.free_symbols for p in grows_fast.atoms(sp.Pow))
        forms.insert(0 if slow else 1, grows_fast)
        forms += [without_logarithm(form, self.x) for form in forms] + [whole_upper(form) for form in forms]
        for form in dict.fromkeys(forms):
            yield self._in_logarithms(form)

    def _in_logarithms(self, form: sp.Expr) -> tuple[sp.Expr, Regime, sp.Expr, sp.Expr]:
        regime = self.regime
        names, inverse, scales, ties = dict(regime.names), dict(regime.inverse), [], {}
        for scale in regime.scales:
            log = sp.Dummy("l", positive=True)
            spread = form.replace(sp.log, lambda a: sy.expand_log(sp.log(a), force=True))
            changed = spread.subs(sp.log(scale), log)
            if scale in form.free_symbols and scale not in changed.free_symbols:
                form = changed
                names[log] = sp.log(regime.names.get(scale, scale))
                inverse[log] = sp.log(regime.inverse.get(scale, regime.names.get(scale, scale)))
                ties[scale] = sp.exp(log)
                scales.append(log)
            else:
                scales.append(scale)
        regime = Regime(regime.text, tuple(scales), {}, regime.ranges, names, inverse, regime.paths, regime.instances)
        low, high = (end.subs(ties) for end in (self.shape.low, self.shape.high))
        return form, regime, low, high

    def _through_exponential(self, order: int) -> Root | None:
        """x = e^y or e^(-y), y -> oo: an expansion of y with a vanishing remainder gives one of x."""
        if self.low.is_negative or self.low == -sp.oo:
            return None
        y = sp.Dummy("y", positive=True)
        for side in (1, -1):
            if (side == 1 and self.high != sp.oo) or (side == -1 and self.low != 0):
                continue
            for form, regime, low, high in self._solvable():
                end = low if side == 1 else 1 / high
                start_at = sp.S.Zero if end == 0 else sp.log(end)  # y is beyond it, and so x in the interval
                inner = sy.expand(sy.expand_log(form.subs(self.x, sp.exp(side * y)), force=True))
                for start in starts(inner, y, regime, sp.S.Zero, sp.oo):
                    for terms in range(1, order + 7):
                        try:
                            iteration = Iteration(inner, y, regime)
                            found = iteration.refine(start, terms + 1)
                            if found.exact and len(found.terms) <= terms:
                                iteration.inside(found.expr, start_at, sp.oo)
                                expansion = Expansion.make(dict(found.terms))
                            else:
                                with assumptions() as noted:
                                    iteration.proves(found, terms, start_at, sp.oo)
                                if any(_may_vanish(a) for a in noted):
                                    continue
                                expansion = Expansion.make(dict(found.terms[:terms]), [found.terms[terms][0]])
                            result = expansion.scaled(side).exp(order + 2)
                        except ValueError:
                            continue
                        if len(result.terms) > order or result.is_exact():
                            return self._answer(form, regime, _cut(result, order))
        return None

    def _from_an_end(self, order: int) -> Root | None:
        """x = end +- y: the expansion of the distance y > 0 from an end gives one of x."""
        if self.from_end:
            return None
        for end, side in ((self.low, 1), (self.high, -1)):
            if not end.is_finite or (end == 0 and side == 1):
                continue
            y = sp.Dummy("y", positive=True)
            left, right = (part.subs(self.x, end + side * y) for part in self.given)
            try:
                span = sy.expand(self.high - self.low)
                root = _Equation(left, right, y, self.regime, sp.S.Zero, span, from_end=True).root(order + 1)
                place = self.regime.resolve(end)
                if not place.free_symbols <= {*root.regime.scales, *self.regime.ranges}:
                    continue  # the scales of the root are logarithms of those of the end
                start = Expander(self.plain, order)(place)
                if start.remainder:
                    continue
                whole = _cut(start + root.expansion.scaled(side), order)
            except ValueError:
                continue
            far = sy.latex(self.regime.display(end) + side * sp.Symbol("y"))
            step = Step("distance from an end", rf"{sy.latex(self.x)} = {far}", "")
            return Root(self.when(), self.low, self.high, root.regime, whole, (step, *root.steps))
        return None


def _cut(expansion: Expansion, order: int) -> Expansion:
    """The first terms; the others join the remainder."""
    ordered = expansion.ordered()
    rest = [g for g, _ in ordered[order:]]
    return Expansion.make(dict(ordered[:order]), [*rest, *expansion.remainder])


def _may_vanish(coefficient: sp.Expr) -> bool:
    """Whether it is not shown to have one sign, as it stands or over one denominator."""
    if sign(coefficient) is not None:
        return False
    return any(sign(part) is None for part in sp.fraction(sy.together(coefficient)))
