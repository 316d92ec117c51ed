"""The rule for a sum that telescopes within its range: nothing is asked of its body elsewhere.

>>> from asymp.kernel.theorem import apply
>>> where = "for whole b, whole a, 0 <= a, a <= b"
>>> text = f"Sum((b - k)*Product(j, (j, 1, b - k)), (k, a, b)) = Product(j, (j, 1, b - a + 1)) - 1 {where}"
>>> print(apply("partial sum", statement=text, variable="k", by="-Product(j, (j, 1, b - k + 1))").statement.body)
Sum((b - k)*Product(j, (j, 1, b - k)), (k, a, b)) = Product(j, (j, 1, b - a + 1)) - 1
>>> apply("partial sum", statement=text, variable="k", by="0")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: F(b) - F(a) + f(b) is not the right side
"""

from __future__ import annotations

from collections.abc import Sequence

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.sequences.induction import telescoping
from asymp.kernel.summation.cells import node_of
from asymp.kernel.summation.sums import Sums, settled
from asymp.kernel.terms import Refused, add, name, number, substitute
from asymp.kernel.theorem import Conclusion, Theorem, rule
from asymp.language.conditions import Compared, OfKind


@rule("partial sum")
def _partial(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """Sum(f, (k, a, b)) = F(b) - F(a) + f(b), where b >= a, and F(k + 1) - F(k) = f(k) for whole k, a <= k <= b - 1.

    ``variable`` is k in ``by``, the text of F.
    """
    statement, left, right, k, f, F = telescoping(premises, data)
    _, low, high = left.parts
    if high == name("oo"):
        raise Refused("an infinite sum")

    def step(one: Sums) -> bool:
        return one.is_zero(one.of(substitute(F, {k: add(name(k), terms.ONE)})) - one.of(F) - one.of(f))

    def whole(one: Sums) -> bool:
        one.of(left)  # it is defined: its ends are whole, and it does not run backwards
        if not one.at_least_0(one.of(high) - one.of(low)):
            raise Refused("a sum that may be empty")
        last, first = ({k: end} for end in (high, low))
        value = one.of(substitute(F, last)) - one.of(substitute(F, first)) + one.of(substitute(f, last))
        return one.is_zero(value - one.of(right))

    ends = tuple(map(node_of, (low, name(k), add(high, number(-1)))))
    within = (*statement.domain, OfKind(k, "whole"), Compared(ends[:2], ("<=",)), Compared(ends[1:], ("<=",)))
    if not settled(statement.domain, whole):
        raise Refused("F(b) - F(a) + f(b) is not the right side")
    if not settled(within, step):
        raise Refused("the difference of F is not the body")
    return Conclusion(statement)
