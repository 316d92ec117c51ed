r"""Roots that an equation of the regime ties to what moves: ``x = T + O(G) as n -> oo, E = R, low < x < high``.

The statement is about every x with E(x, n) = R(x, n) in the interval: from some point on \|x - T\| is at most a constant times
\|G\|, for each value of the parameters, however x is chosen where there are several.

* *One at most.*  For all n far out, each of the intervals low < x <= c_1, c_1 <= x <= c_2, ..., c_m <= x < high but one has a
  theorem that E < R or E > R on it.  On the one that is left, without the cuts at its ends, (E - R)/D with some D is a theorem's
  increasing or decreasing function, so that it is 0 once at most.  Each x of the interval lies in one of them, in whichever order
  the cuts are.
* *One at least, near T.*  E and R are continuous in x on the interval.  For some C both T + C G and T - C G lie in it, and E - R
  has opposite signs there, from some point on: see :mod:`asymp.kernel.sequences.rooted`.  So between them lies the only root.
  Where E - R is 0 at T, which lies in the interval, T is the root, and G may be 0.  What is said of T + O(G) follows from other
  terms T' + O(G'), where T' - T and G' are O(G).

>>> import asymp.kernel.records
>>> from asymp.kernel.theorem import apply
>>> text = "x = log(n) + O(log(log(n))) as n -> oo, x*exp(x) = n, x > 0"
>>> said = "x*exp(x) - n is increasing in x for n > 4, x > 0"
>>> shape = apply("bounds", statement=said, point={"n": "5", "x": "1"}, proofs=[["by", []]])
>>> data = {"order": 2, "place": {"scales": {"n_": "n"}, "values": {"n": "n_"}}, "runner": "k", "values": {"n": "k"}}
>>> data |= {"by": "logarithm", "over": "1", "rises": True, "far": "n > 4", "cuts": [], "signs": [], "piece": 0}
>>> apply("implicit root", [shape], statement=text, **data)
⊢ x = log(n) + O(log(log(n))) as n -> oo, x*exp(x) = n, x > 0
>>> apply("implicit root", [shape], statement=text.replace("log(n) +", "2*log(n) +"), **data)
Traceback (most recent call last):
...
asymp.kernel.growths.asymptotics.Decided: no change of sign is seen
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from asymp.kernel import terms
from asymp.kernel.balls.roots import continuous
from asymp.kernel.data import Data
from asymp.kernel.domain import Pair, compared
from asymp.kernel.growths.asymptotics import Decided, checked_order
from asymp.kernel.growths.paths import path_of
from asymp.kernel.growths.regime import names_in, placed, require_fresh
from asymp.kernel.sequences.rooted import LARGE, LEAF, Ends, sign_at
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import CONSTANTS, Refused, Term, add, multiply, name, negative, number, reciprocal
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Comparison, Expanding, Shape
from asymp.language.conditions import Compared, Condition, OfKind, read_conditions
from asymp.language.statement import Statement

MOST_CUTS = 3


@dataclass(frozen=True)
class Tied:
    """What a statement says of a root.

    Args:
        x: the root's name.
        left, right: the sides of its equation.
        low, high: the ends of its interval, where it has such.
        plain: the statement without the root: its regime, its domain, and all other names.
    """

    x: str
    left: Term
    right: Term
    low: Term | None
    high: Term | None
    plain: Statement

    def pairs(self, low: Term | None, high: Term | None, signs: tuple[str, str] = ("<", "<")) -> list[Pair]:
        """That the root lies between."""
        x = name(self.x)
        below = [(low, signs[0], x)] if low is not None else []
        return below + ([(x, signs[1], high)] if high is not None else [])

    def kinds(self) -> tuple[Condition, ...]:
        """What the regime says of kinds."""
        return tuple(c for c in self.plain.regime if isinstance(c, OfKind))


def tied(statement: Statement) -> Tied:
    """The root of which a statement speaks.

    Raises:
        Refused: it is of another form, or an expansion of something else.
    """
    body = statement.body
    if (
        type(body) is not Expanding
        or body.order != "O"
        or body.left.kind != "name"
        or statement.some
        or statement.uniform
    ):
        raise Refused("an expansion with a remainder O(..) of a root is wanted")
    x, others, found = body.left.text, list[Condition](), dict[str, list[tuple[Term, Term]]]()
    for c in statement.regime:
        if not isinstance(c, Compared) or x not in frozenset().union(*(terms.of(node).free for node in c.terms())):
            others.append(c)
            continue
        for left, sign, right in c.pairs():
            low, high = (left, right) if sign[0] in "<=" else (right, left)
            found.setdefault(sign.replace(">", "<"), []).append((terms.of(low), terms.of(high)))
    lows, highs = ([pair[k] for pair in found.get("<", []) if pair[1 - k] == name(x)] for k in (0, 1))
    ends = found.get("<", [])
    if found.keys() - {"<", "="} or len(found.get("=", [])) != 1 or len(lows) > 1 or len(highs) > 1:
        raise Refused("one equation of a root in an open interval is wanted")
    ((left_side, right_side),) = found["="]
    if len(lows) + len(highs) != len(ends) or any(x in end.free for end in (*lows, *highs)):
        raise Refused("ends of an interval with the root in them")
    every = frozenset().union(*(term.free for term in (left_side, right_side, *lows, *highs, terms.of(body.kept))))
    named = node_of(terms.call("Max", terms.ZERO, *map(name, sorted(every - {x} - CONSTANTS))))
    plain = replace(statement, regime=tuple(others), body=replace(body, left=named))
    if x in CONSTANTS or x in names_in(plain) or x in terms.of(body.kept).free:
        raise Refused(f"{x} stands elsewhere")
    low_end, high_end = (one[0] if one else None for one in (lows, highs))
    return Tied(x, left_side, right_side, low_end, high_end, plain)


@rule("implicit root")
def _implicit(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """``x = terms + O(growth)`` in a regime, for every root x of an equation in an interval.

    Data: statement, order, place and a path (see regime and paths); by, which is difference or logarithm; and for the premises
    far, comparisons that are seen to hold from some point on; cuts, and the number of the piece between them where (E - R)/D
    rises or does not (over is D); signs, how E compares with R on each of the others.
    Perhaps nearer: other terms and their remainder, from which it follows.  Premises: see :func:`needed`.
    """
    statement, order = read_closed(data["statement"]), data["order"]
    checked_order(statement, order)
    root = tied(statement)
    far = read_conditions(data.text("far"))
    shape = (terms.read(data.text("over")), data.flag("rises"), data.whole("piece"))
    shown(premises, needed(root, far, *shape, [terms.read(one) for one in data.texts("cuts")], data.texts("signs")))
    nearer = list(map(terms.read, data.texts("nearer"))) if "nearer" in data else []
    around(statement, root, data["place"], order, data.text("by"), far, nearer)
    path_of(root.plain, data)
    return Conclusion(statement)


def around(
    statement: Statement,
    root: Tied,
    place: Any,
    order: int,
    by: str,
    far: Sequence[Condition],
    nearer: Sequence[Term] = (),
) -> None:
    """That the equation changes sign around the terms, or holds at them, and the comparisons from some point on.

    Raises:
        Decided: it is seen that it does not.
        Refused: that is not seen.
    """
    body = statement.body
    assert isinstance(body, Expanding)
    if nearer:
        if len(nearer) != 2 or (nearer[0].free | nearer[1].free) - names_in(root.plain) - CONSTANTS:
            raise Refused("other terms and their remainder, in the same names")
        own, body = body, replace(body, kept=node_of(nearer[0]), growth=node_of(nearer[1]))
    where = placed(root.plain, place)
    require_fresh((statement,), (LEAF, LARGE, *where.scales))
    ends = Ends(where, order, {root.x: name(LEAF)}, body)
    if nearer:
        size, gap = terms.of(own.growth), add(terms.of(own.kept), negative(nearer[0]))
        if not all(
            ends.known[1].algebra.within(ends.series(one, 1), "O", ends.series(size, 1)) for one in (gap, nearer[1])
        ):
            raise Refused("other terms that are not so near")
    for c in far:
        pairs = compared(c) if isinstance(c, Compared) else []
        if not pairs or any(sign != "<" or root.x in one.free | other.free for one, sign, other in pairs):
            raise Refused(f"{c}: a strict comparison of what is far out is wanted")
        if any(ends.sign(add(other, negative(one)), 1) != 1 for one, _, other in pairs):
            raise Refused(f"{c} is not seen from some point on")
    exact = terms.of(body.growth) == terms.ZERO
    for side in (1,) if exact else (1, -1):
        for low, _, high in root.pairs(root.low, root.high):
            if ends.sign(add(high, negative(low)), side) != 1:
                raise Refused("an end that is not seen to lie in the interval")
    if exact:
        if not ends.series(add(root.left, negative(root.right)), 1).is_zero:
            raise Refused("terms that are not seen to be the root")
    elif sorted(sign_at(ends, side, root.left, root.right, by) for side in (1, -1)) != [-1, 1]:
        raise Decided("no change of sign is seen")


def needed(
    root: Tied,
    far: Sequence[Condition],
    over: Term,
    rises: bool,
    piece: int,
    cuts: Sequence[Term],
    signs: Sequence[str],
) -> list[Statement]:
    """The premises: of each piece of the interval how the sides compare, and of one of them the shape of their gap.

    Raises:
        Refused: a side may not be continuous, or the pieces are no cover.
    """
    e, r, x = root.left, root.right, root.x
    if type(rises) is not bool:
        raise Refused("whether the gap rises")
    if len(signs) != len(cuts) or not 0 <= piece <= len(cuts) <= MOST_CUTS or not set(signs) <= {"<", ">"}:
        raise Refused("a sign for each piece but one")
    if any(x in cut.free for cut in cuts):
        raise Refused("a cut that moves with the root")
    domain = (*root.plain.domain, *root.kinds(), *far)
    gap = add(*(_divided(one, over) for one in (*_summands(e), *map(negative, _summands(r)))))
    whole = Statement(Comparison(Compared((node_of(e), node_of(r)), ("=",))), domain=domain)
    continuous(whole, [e, r], root.pairs(root.low, root.high), x)
    found, left = list[Statement](), list(signs)
    for k, (low, high) in enumerate(pairwise([root.low, *cuts, root.high])):
        if k == piece:
            continuous(whole, [gap], root.pairs(low, high), x)
            shape = Shape(node_of(gap), "increasing" if rises else "decreasing", x)
            found.append(Statement(shape, domain=(*domain, *_said(root.pairs(low, high)))))
        else:
            at = root.pairs(low, high, ("<=" if k else "<", "<=" if k < len(cuts) else "<"))
            said = Comparison(Compared((node_of(e), node_of(r)), (left.pop(0),)))
            found.append(Statement(said, domain=(*domain, *_said(at))))
    return found


def _summands(term: Term) -> tuple[Term, ...]:
    return term.parts if term.head == "sum" else (term,)


def _divided(term: Term, over: Term) -> Term:
    """A term over another, where it is divided by the other too."""
    sign = next((k for k in (1, -1) if term == multiply(number(k), over)), 0)
    return number(sign) if sign else multiply(term, reciprocal(over)) if over != terms.ONE else term


def _said(pairs: Sequence[Pair]) -> tuple[Compared, ...]:
    return tuple(Compared((node_of(low), node_of(high)), (sign,)) for low, sign, high in pairs)
