"""The rule for what falls to its limit: g - f >= 0 where g - f does not rise, and tends to a number c >= 0.

>>> import asymp.kernel.growths.asymptotics
>>> from asymp.kernel.theorem import apply
>>> along = {"place": {"scales": {"s": "x"}, "values": {"x": "s"}}, "runner": "k", "values": {"x": "k"}}
>>> limit = apply("asymptotic", statement="1/x - 1/(x + 1) -> 0 as x -> oo", order=2, **along)
>>> slope = apply("sums", statement="-1*x^(-2) + (x + 1)^(-2) <= 0 for x > 0", by=[])
>>> apply("falling", [limit, slope], statement="1/(x + 1) <= 1/x for x > 0", variable="x", by="slope")
⊢ 1/(x + 1) <= 1/x for x > 0
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.sequences.induction import one_link, premise_of
from asymp.kernel.summation.sums import settled
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, name, negative, substitute
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, rule
from asymp.language.bodies import Limiting
from asymp.language.conditions import Compared, Condition, OfKind, Tends


@rule("falling")
def _falling(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f <= g for all n from some number on, since g - f falls to a number c >= 0.

    Premises: g - f -> c as n -> oo; and ``by`` next: g - f is not more at n + 1 than at n, on the domain, or ``by`` slope, for
    all real n of the domain: its derivative is <= 0.  f < g where that is said by <, or c > 0.  Of n the domain says only that
    it is whole and what it lies above.  In the second case no infinite sum stands in g - f.
    """
    statement = comparison_in(data)
    n, by = data.text("variable"), data.text("by")
    left, sign, right = one_link(statement)
    if len(premises) != 2 or by not in ("next", "slope") or sign == "=":
        raise Refused("a variable, how the difference falls, its limit, and that it does")
    others = [c for c in statement.domain if not is_about(c, n)]
    gap = add(right, negative(left))
    whole = n in given(statement.domain).whole
    least = limit_of(premises[0], gap, n, whole, others)
    step, domain = premise_of(premises[1], statement.domain), premises[1].statement.domain
    wanted = (substitute(gap, {n: add(name(n), ONE)}), gap)
    if by == "slope":
        if n in given(domain).whole or name("oo") in terms.walk(gap):
            raise Refused("a slope is for real numbers, and for no infinite sum")
        settled(domain, lambda one: one.of(gap))
        wanted = (derivative(gap, n), ZERO)
    if (step[0], step[2]) != wanted:
        raise Refused("the second premise does not say that the difference falls")
    if sign == "<" and step[1] != "<" and not least > 0:
        raise Refused("not seen to be strict")
    return Conclusion(statement)


def is_about(c: Condition, n: str) -> bool:
    """Whether a condition speaks of n: that it is whole, or lies above something.

    Raises:
        Refused: it says something else of it.
    """
    if isinstance(c, OfKind):
        return c.name == n
    if not isinstance(c, Compared):
        raise Refused(f"{c} is no comparison")
    sides = [(low, high) if sign[0] in "<=" else (high, low) for low, sign, high in c.pairs()]
    found = [(terms.of(low), terms.of(high)) for low, high in sides]
    if not any(n in terms.free(low) | terms.free(high) for low, high in found):
        return False
    if len(found) > 1 or c.signs == ("=",) or found[0][1] != name(n) or n in terms.free(found[0][0]):
        raise Refused(f"{c}: more than what {n} lies above")
    return True


def limit_of(theorem: Theorem, gap: Term, n: str, whole: bool, others: Sequence[Condition]) -> Any:
    """c, of a theorem that says gap -> c as n -> oo, for parameters of which the domain says as much.

    Raises:
        Refused: it says something else, or c is not a number, or c < 0.
    """
    value = tends_to(theorem, gap, n, whole, others)
    if not value.is_number or value.number < 0:
        raise Refused("a limit that may be negative")
    return value.number


def tends_to(theorem: Theorem, gap: Term, n: str, whole: bool, others: Sequence[Condition]) -> Term:
    """The limit, of a theorem that says gap -> limit as n -> oo, for parameters of which the domain says as much.

    Raises:
        Refused: it says something else.
    """
    said = theorem.statement
    regime = [c for c in said.regime if not (isinstance(c, OfKind) and c == OfKind(n, "whole") and whole)]
    given = terms.singles(others)
    if not theorem.holds or not isinstance(said.body, Limiting) or said.some or said.uniform or len(regime) != 1:
        raise Refused("no limit of the difference")
    (to,) = regime
    if not isinstance(to, Tends) or (terms.of(to.term), terms.of(to.target), to.side) != (name(n), name("oo"), ""):
        raise Refused(f"no limit as {n} tends to infinity")
    if terms.of(said.body.left) != gap or not terms.singles(said.domain) <= given:
        raise Refused("the limit of something else, or for other parameters")
    value = terms.of(said.body.value)
    if n in terms.free(value) or name("oo") in terms.walk(value):
        raise Refused("no limit that is a number")
    return value
