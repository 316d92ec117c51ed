"""One derivation: the expansion of a relation's quantity in one regime, and what it says of the relation.

Every asymptotic relation is one question about an expansion e and a growth g: does e = o(g), or
e = O(g)?  "f ~ g" asks whether f/g - 1 = o(1).  A term or remainder that vanishes against g settles
"yes"; a term that dominates all of e and does not vanish settles "no"; anything else is left open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import Budget
from asymp.cas import term_of
from asymp.check.symbolic_integrals import runs_of
from asymp.check.vanish import difference_is_zero
from asymp.claim import Outcome, Step
from asymp.expand import Expander
from asymp.expand.view import Equivalent, ExpansionOf, Limit, Order
from asymp.expansion import Expansion, Refused, absorbed, assumptions, maximal
from asymp.scale import ONE, Growth, Regime, sign
from asymp.sign import undecided

ORDERS = (2, 3, 5)
"""Terms kept of each series: tried in turn until the question is decided and a next term known."""


@dataclass(frozen=True)
class Derivation:
    """What was derived: ``expr`` has ``expansion`` in ``regime``; the outcome; the next term."""

    regime: Regime
    expr: sp.Expr
    expansion: Expansion
    outcome: Outcome
    why: str
    steps: tuple[Step, ...]
    next_term: Expansion | None = None
    assumed: tuple[sp.Expr, ...] = ()

    @property
    def main(self) -> sp.Expr:
        """The terms in the variables of the regime."""
        return self._in_variables(self.expansion.expr)

    @property
    def rest(self) -> sp.Expr:
        """The growths of the remainder, added up, in the variables of the regime; 0 where there is none."""
        return self._in_variables(sp.Add(*(r.expr for r in self.expansion.remainder)))

    @property
    def left_over(self) -> sp.Expr:
        """The quantity without its terms, in the scales."""
        return self.regime.resolve(self.expr) - self.expansion.expr

    @property
    def following(self) -> str | None:
        """The next term, in words."""
        return None if self.next_term is None else str(self.regime.leading(self.next_term.expr))

    @property
    def text(self) -> str:
        """Its regime, in words."""
        return self.regime.text

    @cached_property
    def measured(self) -> InTerms:
        """What numbers are set against."""
        return InTerms(self)

    def _in_variables(self, expr: sp.Expr) -> sp.Expr:
        regime = self.regime
        exact = {s: regime.inverse.get(s, regime.names.get(s, s)) for s in regime.scales}
        return expr.subs({**exact, **regime.uncovered()}, simultaneous=True)


class InTerms:
    """A derivation in the kernel's terms, with the paths of its regime."""

    def __init__(self, derivation: Derivation) -> None:
        self._derivation = derivation
        self.expr, self.main, self.rest = map(term_of, (derivation.expr, derivation.main, derivation.rest))
        self.runs = runs_of(derivation.regime)
        self.outcome, self.whole = derivation.outcome, bool(derivation.regime.whole)

    def is_identity(self) -> bool:
        """Whether an expansion without a remainder is the quantity itself, by algebra."""
        one = self._derivation
        if one.expr.has(sp.Sum):
            return bool(difference_is_zero(one.expr, one.main))
        return bool(sy.simplify(sy.expand_log(sy.expand(one.left_over), force=True)) == 0)


def decide(relation: object, regime: Regime, purse: Budget | None = None) -> Derivation:
    """The derivation at growing orders, no further one once the ``purse`` is empty.

    Raises:
        Refused: no order decides the relation in this regime.
    """
    failure = Refused("no order was tried")
    best: Derivation | None = None
    for order in ORDERS:
        if order > ORDERS[0] and purse is not None and purse.exhausted():
            break
        try:
            with assumptions() as assumed, undecided():
                found = _decide_at(relation, regime, Expander(regime, order))
        except Refused as refused:
            failure = refused
            continue
        kept = tuple(dict.fromkeys([*found.assumed, *(a for a in assumed if sign(a) is None)]))
        found = replace(found, assumed=kept)
        best = found
        wants_next = isinstance(relation, Equivalent) and found.outcome == Outcome.HOLDS
        if not wants_next or found.next_term is not None or found.expansion.is_exact() or order == ORDERS[1]:
            return found
    if best is None:
        raise failure
    return best


def _decide_at(relation: object, regime: Regime, expander: Expander) -> Derivation:
    if isinstance(relation, Equivalent):
        return _equivalent(relation, regime, expander)
    if isinstance(relation, Limit):
        return _limit(relation, regime, expander)
    if isinstance(relation, ExpansionOf):
        difference = expander(relation.f) - expander(relation.terms)
        return _order(relation.f - relation.terms, difference, relation.order, relation.growth, regime, expander)
    if isinstance(relation, Order):
        return _by_order(relation, regime, expander)
    raise Refused(f"{type(relation).__name__} is not an asymptotic relation")


def _equivalent(relation: Equivalent, regime: Regime, expander: Expander) -> Derivation:
    quotient = relation.f / relation.g
    e = expander(quotient)
    outcome, why = _tends_to(e, sp.S.One, regime, "f/g")
    final = Step("quotient", rf"f/g = {_latex(e, regime)}")
    next_term = _next(e - Expansion.constant(1)) if outcome == Outcome.HOLDS else None
    return Derivation(regime, quotient, e, outcome, why, (*expander.steps, final), next_term)


def _limit(relation: Limit, regime: Regime, expander: Expander) -> Derivation:
    e = expander(relation.f)
    final = Step("expansion", _latex(e, regime))
    if relation.value in (sp.oo, -sp.oo):
        growth, coefficient = e.leading()
        direction = sign(coefficient)
        if growth.limit() == "infinity" and direction is not None:
            right = direction == (1 if relation.value == sp.oo else -1)
            outcome = Outcome.HOLDS if right else Outcome.REFUTED
            why = f"the leading term is {regime.leading(coefficient * growth.expr)}"
        elif growth.limit() in ("one", "zero"):
            outcome, why = Outcome.REFUTED, f"the quantity stays bounded: {regime.leading(coefficient * growth.expr)}"
        else:
            raise Refused(f"{growth} may be large or not", undecided=(*growth.undecided(), coefficient))
        return Derivation(regime, relation.f, e, outcome, why, (*expander.steps, final))
    value = expander(relation.value)
    if any(g != ONE for g in value.terms) or value.remainder:
        raise Refused("the stated limit is not a constant")
    outcome, why = _tends_to(e, value.terms.get(ONE, sp.S.Zero), regime, "the quantity")
    return Derivation(regime, relation.f, e, outcome, why, (*expander.steps, final), _next(e - value))


def _by_order(relation: Order, regime: Regime, expander: Expander) -> Derivation:
    if relation.order in ("O", "o"):
        return _order(relation.f, expander(relation.f), relation.order, relation.g, regime, expander)
    if relation.order in ("Omega", "omega"):
        flipped = "O" if relation.order == "Omega" else "o"
        return _order(relation.g, expander(relation.g), flipped, relation.f, regime, expander)
    if relation.order != "Theta":
        raise Refused(f"unknown order {relation.order}")
    quotient = relation.f / relation.g
    e = expander(quotient)
    growth, coefficient = e.leading()
    final = Step("quotient", _latex(e, regime))
    steps = (*expander.steps, final)
    if growth == ONE:
        zeros = _parameter_zero(coefficient, regime)
        if zeros:
            why = f"the quotient tends to {regime.display(coefficient)}, which is 0 at {zeros}"
            return Derivation(regime, quotient, e, Outcome.REFUTED, why, steps)
        why = f"the quotient tends to {regime.display(coefficient)}"
        assumed = () if sign(coefficient) else (coefficient,)
        return Derivation(regime, quotient, e, Outcome.HOLDS, why, steps, _next(e - Expansion.constant(coefficient)), assumed)
    if growth.limit() in ("zero", "infinity"):
        why = f"the quotient behaves as {regime.leading(coefficient * growth.expr)}"
        return Derivation(regime, quotient, e, Outcome.REFUTED, why, steps)
    raise Refused(f"{growth} may be bounded or not", undecided=growth.undecided())


def _order(
    expr: sp.Expr, e: Expansion, order: str, bound: sp.Expr, regime: Regime, expander: Expander
) -> Derivation:
    """Does e = O(bound) or o(bound)?  The bound may be a sum of positive incomparable growths."""
    try:
        g = expander(bound)
    except Refused:  # 1/ln(uv) has no leading term in u and v, but a product with ln(uv) may be small
        return _order_of_quotient(expr, order, bound, regime, expander)
    tops = maximal(g.terms)
    if not tops or any(not absorbed(r, tops) for r in g.remainder):
        raise Refused(f"the bound {bound} has no known leading term")
    if len(tops) > 1 and any(sign(g.terms[t]) != 1 for t in tops):
        raise Refused(f"the terms of the bound {bound} may cancel")
    fine = ("zero",) if order == "o" else ("zero", "one")
    steps = (*expander.steps, Step("difference", _latex(e, regime)))

    def beaten(growth: Growth) -> bool:
        return any((growth / t).limit() in fine for t in tops)

    if all(beaten(h) for h in (*e.terms, *e.remainder)):
        tail = _head(e)
        what = regime.leading(tail.expr) if tail is not None else "0"
        why = f"it is {what} + ..., which is {order}({regime.display(bound)})"
        return Derivation(regime, *_over(expr, bound, e, g, tops), Outcome.HOLDS, why, steps, tail)
    growth, coefficient = e.leading()
    beats = ("one", "infinity") if order == "o" else ("infinity",)
    if all((growth / t).limit() in beats for t in tops):
        why = f"its leading term {regime.leading(coefficient * growth.expr)} is not {order}({regime.display(bound)})"
        return Derivation(regime, *_over(expr, bound, e, g, tops), Outcome.REFUTED, why, steps)
    raise Refused(
        f"{growth} against {', '.join(map(str, tops))} depends on the path or on parameters",
        undecided=[question for t in tops for question in (growth / t).undecided()],
    )


def _order_of_quotient(
    expr: sp.Expr, order: str, bound: sp.Expr, regime: Regime, expander: Expander
) -> Derivation:
    quotient = expr / bound
    e = expander(quotient)
    fine = ("zero",) if order == "o" else ("zero", "one")
    if not all(g.limit() in fine for g in (*e.terms, *e.remainder)):
        raise Refused(
            f"{e} is not known to be {'small' if order == 'o' else 'bounded'}",
            undecided=[question for g in (*e.terms, *e.remainder) for question in g.undecided()],
        )
    steps = (*expander.steps, Step("quotient", _latex(e, regime)))
    why = f"the quotient is {regime.display(e.expr)} + ..., which is {order}(1)"
    return Derivation(regime, quotient, e, Outcome.HOLDS, why, steps, _head(e))


def _over(
    expr: sp.Expr, bound: sp.Expr, e: Expansion, g: Expansion, tops: tuple[Growth, ...]
) -> tuple[sp.Expr, Expansion]:
    """What the numbers are to confirm: expr/bound and its expansion, or expr and e where bound is a sum."""
    if len(tops) == 1:
        try:
            return expr / bound, e * g.inverse(3)
        except Refused:
            pass
    return expr, e


def _tends_to(e: Expansion, value: sp.Expr, regime: Regime, name: str) -> tuple[Outcome, str]:
    others = [g for g in (*e.terms, *e.remainder) if g != ONE]
    if ONE not in e.remainder and all(g.limit() == "zero" for g in others):
        limit = e.terms.get(ONE, sp.S.Zero)
        shown = regime.display(limit)
        if (Expansion.constant(limit) - Expansion.constant(value)).terms:
            return Outcome.REFUTED, f"{name} tends to {shown}, not {regime.display(value)}"
        return Outcome.HOLDS, f"{name} tends to {shown}"
    growth, coefficient = e.leading()
    if growth.limit() == "infinity":
        return Outcome.REFUTED, f"{name} behaves as {regime.leading(coefficient * growth.expr)}"
    raise Refused(f"the limit of {e} depends on the path or on parameters", undecided=growth.undecided())


def _head(e: Expansion) -> Expansion | None:
    """The terms that no other known term dominates."""
    tops = maximal(e.terms)
    return Expansion({t: e.terms[t] for t in tops}) if tops else None


def _next(e: Expansion) -> Expansion | None:
    """The dominating terms, if every growth of the remainder is beaten by one of them."""
    head = _head(e)
    if head is None:
        return None
    if all(any((r / t).limit() == "zero" for t in head.terms) for r in e.remainder):
        return head
    free = [r for r in e.remainder if not any((r / t).limit() == "zero" for t in head.terms)]
    # an incomparable remainder stays beside the terms, as an O
    if all((r / t).limit() == "unknown" for r in free for t in head.terms):
        return Expansion(head.terms, tuple(free))
    return None


def _parameter_zero(coefficient: sp.Expr, regime: Regime) -> str:
    """A positive parameter value at which a coefficient in one parameter vanishes, or ''."""
    if sign(coefficient) is not None or len(coefficient.free_symbols) != 1:
        return ""
    (symbol,) = coefficient.free_symbols
    try:
        roots = sy.solve(coefficient, symbol)
    except sy.SymbolicFailure:
        return ""
    for root in roots:
        if root.is_positive:
            return f"{regime.display(symbol)} = {regime.display(root)}"
    return ""


def _latex(e: Expansion, regime: Regime) -> str:
    terms = [sy.latex(regime.exactly(c * g.expr)) for g, c in e.ordered()]
    rest = [rf"O\left({sy.latex(regime.leading(r.expr))}\right)" for r in e.remainder]
    return " + ".join(terms + rest).replace("+ -", "- ") or "0"
