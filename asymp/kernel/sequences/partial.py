"""The rules for a sum that telescopes within its range, and for an infinite one, as the limit of these.

>>> from asymp.kernel.theorem import apply
>>> where = "for whole b, whole a, 0 <= a, a <= b"
>>> text = f"Sum((b - k)*Product(j, (j, 1, b - k)), (k, a, b)) = Product(j, (j, 1, b - a + 1)) - 1 {where}"
>>> print(apply("partial sum", statement=text, variable="k", by="-Product(j, (j, 1, b - k + 1))").statement.body)
Sum((b - k)*Product(j, (j, 1, b - k)), (k, a, b)) = Product(j, (j, 1, b - a + 1)) - 1
>>> apply("partial sum", statement=text, variable="k", by="0")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: F(b) - F(a) + f(b) is not the right side
>>> import asymp.kernel.growths.asymptotics
>>> along = {"place": {"scales": {"s": "k"}, "values": {"k": "s"}}, "runner": "m", "values": {"k": "m"}}
>>> limit = apply("asymptotic", statement="-1/k -> 0 as whole k -> oo", order=2, **along)
>>> apply("series", [limit], statement="Sum(1/(k*(k + 1)), (k, 1, oo)) = 1", variable="k", by="-1/k")
⊢ Sum(1/(k*(k + 1)), (k, 1, oo)) = 1
"""

from __future__ import annotations

from collections.abc import Sequence

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.sequences.falling import tends_to
from asymp.kernel.sequences.induction import telescoping
from asymp.kernel.summation.cells import node_of
from asymp.kernel.summation.sums import Sums, settled
from asymp.kernel.terms import Refused, Term, add, name, number, substitute
from asymp.kernel.theorem import Conclusion, Theorem, rule
from asymp.language.conditions import Compared, OfKind
from asymp.language.statement import Statement


@rule("partial sum")
def _partial(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """Sum(f, (k, a, b)) = F(b) - F(a) + f(b), where b >= a, and F(k + 1) - F(k) = f(k) for whole k, a <= k <= b - 1.

    ``variable`` is k in ``by``, the text of F.
    """
    statement, left, right, k, f, F = telescoping(premises, data)
    _, low, high = left.parts
    if high == name("oo"):
        raise Refused("an infinite sum")

    def whole(one: Sums) -> bool:
        one.of(left)  # it is defined: its ends are whole, and it does not run backwards
        if not one.at_least_0(one.of(high) - one.of(low)):
            raise Refused("a sum that may be empty")
        last, first = ({k: end} for end in (high, low))
        value = one.of(substitute(F, last)) - one.of(substitute(F, first)) + one.of(substitute(f, last))
        return one.is_zero(value - one.of(right))

    if not settled(statement.domain, whole):
        raise Refused("F(b) - F(a) + f(b) is not the right side")
    _require_difference(statement, k, f, F, low, add(high, number(-1)))
    return Conclusion(statement)


@rule("series")
def _series(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """Sum(f, (k, a, oo)) = L - F(a), where F(k + 1) - F(k) = f(k) for whole k >= a, and F(k) -> L as k -> oo, the premise.

    The sum to m is F(m + 1) - F(a).  ``variable`` is k in ``by``, the text of F; a is a whole number.
    """
    statement, left, right, k, f, F = telescoping(premises[1:], data)
    _, low, high = left.parts
    if len(premises) != 1 or high != name("oo") or not (low.is_number and low.number.denominator == 1):
        raise Refused("the limit of F, and an infinite sum from a whole number on")
    limit = tends_to(premises[0], F, k, True, statement.domain)
    if not settled(statement.domain, lambda one: one.is_zero(one.of(limit) - one.of(substitute(F, {k: low})) - one.of(right))):
        raise Refused("L - F(a) is not the right side")
    _require_difference(statement, k, f, F, low)
    return Conclusion(statement)


def _require_difference(statement: Statement, k: str, f: Term, F: Term, low: Term, *last: Term) -> None:
    """That F(k + 1) - F(k) = f(k) for whole k from a number on, up to a last one where there is such."""

    def step(one: Sums) -> bool:
        return one.is_zero(one.of(substitute(F, {k: add(name(k), terms.ONE)})) - one.of(F) - one.of(f))

    ends = [Compared(tuple(map(node_of, pair)), ("<=",)) for pair in ((low, name(k)), *((name(k), end) for end in last))]
    if not settled((*statement.domain, OfKind(k, "whole"), *ends), step):
        raise Refused("the difference of F is not the body")
