r"""Taylor's formula over a box.

For f analytic on a box with middle c and half widths r_i, and x in it, g(t) = f(c + t (x - c)) has g(1) = f(x), so

    f(x) = f(c) + sum_i f_i(c) (x_i - c_i) + g''(u)/2,   0 < u < 1,

and g''(u)/2 is the coefficient of t^2 of f(y + t h), with y in the box and |h_i| <= r_i.  In one variable the same to any
order: the coefficients of (x - c)^j, j < K, at c, and the one of order K anywhere in the box.  So values are known up to the
square of the width times a second derivative of f itself, where ranges of its parts are known up to the width times the slopes
of these: a small difference of large terms is enclosed by few boxes.

>>> from asymp.kernel.terms import read
>>> found = enclosure(read("sqrt(x) - 1/2 - x/2"), {"x": Range(fmpq(9, 10), fmpq(11, 10))}, 4, 64)
>>> fmpq(-15, 10**4) < found.low < 0 <= found.high < fmpq(1, 10**4)
True
>>> enclosure(read("sqrt(x)"), {"x": Range(fmpq(-1), fmpq(1))}, 2, 64)
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: a logarithm or a power of what may be 0 or negative, somewhere in a ball
"""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb, arb_series, ctx, fmpq

from asymp.kernel.facts.intervals import Box, Range
from asymp.kernel.facts.jets import Jet, to_order
from asymp.kernel.facts.ranges import Evaluator
from asymp.kernel.terms import Refused, Term, free, name, walk
from asymp.kernel.trust import ARITHMETIC, FLINT, rests_on
from asymp.language.names import BINDERS

MOST_ORDER = 8


def enclosure(term: Term, at: Box, order: int, bits: int) -> Range:
    """A range of the values of a term over a box.

    Args:
        term: without sums, products over an index and integrals.
        at: the box.
        order: K, which is 2 in several variables.
        bits: the precision of the balls.

    Raises:
        Refused: it is not seen to be analytic on the box.
    """
    moving = sorted(v for v in free(term) & at.keys() if not at[v].is_point)
    if not 2 <= order <= MOST_ORDER or (len(moving) != 1 and order != 2) or any(p.head in BINDERS for p in walk(term)):
        raise Refused("Taylor's formula to order 2 to 8, in several variables to order 2, of what has no sums")
    with ctx.workprec(bits):
        rests_on(ARITHMETIC, f"{FLINT}arb.union", f"{FLINT}arb_series")
        evaluator = Evaluator(bits)
        middle = {v: (at[v].low + at[v].high) / 2 for v in moving}
        radius = {v: arb((at[v].high - at[v].low) / 2) for v in moving}
        jet = Jet(lambda part: not free(part).isdisjoint(moving), lambda part: evaluator.range(part, at).ball)
        here = {v: arb(x) for v, x in middle.items()}
        around = {v: arb(at[v].low).union(arb(at[v].high)) for v in moving}
        if len(moving) == 1:
            one = {moving[0]: arb(1)}
            near, far = (_coefficients(jet, term, place, one, order) for place in (here, around))
            found = sum((a * _power(radius[moving[0]], j) for j, a in enumerate([*near[:order], far[order]])), arb(0))
        else:
            found = _coefficients(jet, term, around, {v: _power(r, 1) for v, r in radius.items()}, 2)[2]
            slopes = [(_coefficients(jet, term, here, {v: arb(1)}, 1), radius[v]) for v in moving]
            found = found + (slopes[0][0][0] if slopes else _coefficients(jet, term, here, {}, 0)[0])
            for slope, r in slopes:
                found = found + slope[1] * _power(r, 1)
        return evaluator.of_ball(found)


def _power(r: arb, j: int) -> arb:
    """A ball of all t^j for |t| <= r."""
    top = (r**j).upper()
    return arb(1) if j == 0 else (-top).union(top) if j % 2 else arb(0).union(top)


def _coefficients(jet: Jet, term: Term, at: Mapping[str, arb], along: Mapping[str, arb], order: int) -> list[arb]:
    """Those of t^0, ..., t^order of a term at ``at + t*along``.

    Raises:
        Refused: one is not finite.
    """
    with to_order(order):
        leaves = {name(v): arb_series([x, along.get(v, fmpq(0))]) for v, x in at.items()}
        found = jet.of(term, leaves)
        coefficients = [found[k] for k in range(order + 1)]
    if found.prec <= order or not all(one.is_finite() for one in coefficients):
        raise Refused("not seen to be analytic on the box")
    return coefficients
