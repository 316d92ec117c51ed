"""Power series at the point that they are around: sums of terms with a factor 0^(c k + d).

As in Sum(x^k, (k, 0, oo)) at x = 0 the factor counts (see :mod:`asymp.kernel.rings.counting`): it is 1 where c k + d = 0, and
0 where c k + d > 0; so that of the sum no term is left, or the first.

>>> from asymp.kernel.facts.context import Context
>>> at = Context(frozenset("n"), ((terms.ZERO, "<=", terms.name("n")),))
>>> [str(to_term(at.value(terms.read(f"Sum({f})")))) for f in ("0^k/k!, (k, 0, oo)", "0^k/k, (k, 1, oo)", "2*0^k, (k, 0, n)")]
['1', '0', '2']
>>> at.value(terms.read("Sum(0^k, (k, 0, n - 1))"))
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: a range that may be empty, or run backwards
"""

from __future__ import annotations

from typing import Any

from asymp.kernel import terms
from asymp.kernel.facts.signs import NONNEGATIVE, POSITIVE, Signs
from asymp.kernel.rings.counting import at_index, counts
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.rings.recurring import INDEX, K, counted, linear, step_of
from asymp.kernel.terms import Refused, Term


def power(base: Ratio, exponent: Signs) -> Ratio:
    """0^y, which is 0 for y > 0.

    Raises:
        Refused: it is another power, or may be 0^0.
    """
    if not (base.is_zero and exponent == POSITIVE):
        raise Refused("a root of what may not be positive")
    return base


def has_nought(term: Term) -> bool:
    """Whether a sum has such a factor: 0, or a product with it, to a power with the index."""
    body = term.parts[0]
    return any(
        counts(one) and terms.ZERO in (one.parts[0], *one.parts[0].parts)
        for one in (body.parts if body.head == "product" else (body,))
    )


def total(term: Term, at: Any) -> Ratio:
    """The value of a sum, from a number on, of such terms.

    Args:
        term: the sum.
        at: the context.

    Raises:
        Refused: it is another one, or it is not seen that its terms have values and its range is not empty.
    """
    body, low, high = term.parts
    factors = terms.opened(body, K).parts if body.head == "product" else (terms.opened(body, K),)
    powers = [one for one in factors if one.head == "power" and INDEX in one.parts[1].free - one.parts[0].free]
    noughts = [one for one in powers if at.value(one.parts[0]).is_zero]
    rest = terms.multiply(*(one for one in factors if one not in noughts[:1]))
    c, d = linear(noughts[0].parts[1]) if noughts else (0, 0)
    if not (low.is_number and low.number.denominator == 1 and c > 0 and c.denominator == d.denominator == 1):
        raise Refused("another sum of powers of 0")
    if high != terms.name("oo") and not (at.is_whole(high) and at.signs(terms.add(high, terms.negative(low))) <= NONNEGATIVE):
        raise Refused("a range that may be empty, or run backwards")
    if (start := c * low.number + d) < 0:
        raise Refused("0 to a power below 0")
    k = at.fresh(term)
    try:
        at.with_range(k, low, high, whole=True).value(terms.substitute(rest, {INDEX: terms.name(k)}))
    except Refused:
        if step_of(rest, at).least > low.number:
            raise
    return at.value(counted(at_index(body, low))) if start == 0 else rational(0)
