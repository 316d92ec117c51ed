"""Shapes in a whole variable from comparisons of consecutive values, the first ones by themselves; and what refutes a shape.

Where the values of n are all whole numbers of an interval, f increases in n if f(n) < f(n + 1) for each: a chain leads from
one value to any other.

>>> from asymp.kernel.theorem import apply
>>> step = apply("algebra", statement="n^2 < (n + 1)^2 for whole n >= 1")
>>> apply("consecutive", [step], statement="n^2 is increasing in n for whole n >= 1", first=0, by="next")
⊢ n^2 is increasing in n for whole n >= 1
>>> apply("consecutive", [step], statement="n^2 is increasing in n for whole n >= 0", first=0, by="next")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: the premises are other statements

A shape says of any two places of its domain which value is larger, and an extreme the same of its own and any other: where
that fails, it does.

>>> fails = apply("witness", statement="log(3)/3 < log(4)/4 for 3 > 0, 4 > 0", at={}, bits=64)
>>> apply("places", [fails], statement="log(x)/x is increasing in x for x > 0", at=["3", "4"])
⊢ not: log(x)/x is increasing in x for x > 0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.boxes import may_be_whole, number_in, question
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.sequences.apart import least_whole
from asymp.kernel.summation.cells import node_of, with_values
from asymp.kernel.terms import CONSTANTS, ONE, Refused, Term, add, name, number
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import And, Comparison, Extreme, Shape
from asymp.language.conditions import Compared, Condition, OfKind
from asymp.language.names import substitute
from asymp.language.statement import Statement

MOST_FIRST = 50
_SIGNS = {"increasing": "<", "decreasing": ">", "nondecreasing": "<=", "nonincreasing": ">="}


@rule("consecutive")
def _consecutive(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A shape in a whole variable, by its consecutive values.

    Data: statement; first, how many values are by themselves; by, which is next or shape.

    Premises: the comparison with the next value at each of the first ones; and for all others (``next``) that comparison
    too, or (``shape``) the statement from there on.
    """
    statement = read_closed(data["statement"])
    shown(premises, needed(statement, data.whole("first"), data.text("by")))
    return Conclusion(statement)


def needed(statement: Statement, first: int, by: str) -> list[Statement]:
    """The premises.

    Raises:
        Refused: it says nothing of the shape in a whole variable, or the values of this are not those of an interval.
    """
    body = statement.body
    if type(body) is not Shape or statement.some or statement.uniform or statement.regime:
        raise Refused("a shape is wanted")
    if type(first) is not int or not 0 <= first <= MOST_FIRST or by not in ("next", "shape"):
        raise Refused("a number of first values, and next or shape")
    n = body.name
    about = [c for c in statement.domain if _speaks_of(c, n)]
    if n not in given(statement.domain).whole:
        raise Refused(f"{n} is not whole")
    ends = [c for c in about if not isinstance(c, OfKind)]
    if not all(isinstance(c, Compared) and _is_end(c, n) for c in ends):
        raise Refused(f"where {n} lies is not an interval")
    f, sign = terms.of(body.term), _SIGNS[body.shape]
    if not first:
        return [_step(statement, f, n, name(n), sign, statement.domain)] if by == "next" else [statement]
    starts = [(c, low) for c in ends if isinstance(c, Compared) and (low := least_whole(c, n)) is not None]
    if not starts:
        raise Refused(f"{n} has no least value")
    start, low = starts[0]
    others = tuple(c for c in statement.domain if c not in about)
    beyond = Compared((node_of(name(n)), node_of(number(low + first))), (">=",))
    rest = replace(statement, domain=tuple(beyond if c is start else c for c in statement.domain))
    last = rest if by == "shape" else _step(statement, f, n, name(n), sign, rest.domain)
    return [*(_step(statement, f, n, number(low + k), sign, others) for k in range(first)), last]


def _speaks_of(c: Condition, n: str) -> bool:
    if isinstance(c, OfKind):
        return c.name == n
    return n in getattr(c, "names", ()) or n == getattr(c, "name", "") or any(n in terms.free(terms.of(one)) for one in c.terms())


def _is_end(c: Compared, n: str) -> bool:
    """Whether it says only where n begins or ends."""
    sides = [terms.of(part) for part in c.parts]
    if len(sides) != 2 or c.signs[0] == "=":
        return False
    return any(one == name(n) and n not in terms.free(other) for one, other in (sides, sides[::-1]))


def _step(statement: Statement, f: Term, n: str, at: Term, sign: str, domain: tuple[Condition, ...]) -> Statement:
    here, there = (node_of(terms.substitute(f, {n: place})) for place in (at, add(at, ONE)))
    return replace(statement, body=Comparison(Compared((here, there), (sign,))), domain=domain)


@rule("places")
def _places(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """That a shape, or an extreme, does not hold: of two places, or of one and its own, it says what fails.

    Data: statement; at, the places as rational numbers, the lesser one first.  Premise: the comparison fails, for values of
    the other variables with which all of ``at`` lie in the domain; or, of an extreme, its own place does not lie there then.
    """
    statement = read_closed(data["statement"])
    numbers = [number_in(one) for one in data.listed("at")]
    wanted = compared_at(statement, [mpq(int(one.p), int(one.q)) for one in numbers])
    return Conclusion(statement, shown(premises, [wanted], False))


def compared_at(statement: Statement, places: Sequence[mpq]) -> Statement:
    """What a shape says of two places, or an extreme of one and its own, where these lie in the domain.

    Raises:
        Refused: it is of another form, the places are others, or more is said of the variable than comparisons.
    """
    body = statement.body
    if type(body) not in (Shape, Extreme) or statement.some or statement.uniform or statement.regime:
        raise Refused("a shape or an extreme is wanted")
    assert isinstance(body, (Shape, Extreme))
    x = body.name
    about = [c for c in statement.domain if _speaks_of(c, x)]
    if x in CONSTANTS or not all(isinstance(c, (Compared, OfKind)) for c in about):
        raise Refused(f"more is said of {x} than comparisons")
    asked = question(replace(statement, body=Comparison(Compared((body.term, body.term), ("=",)))))
    is_whole = asked.is_whole(x) or (x not in asked.where.of_kind and may_be_whole(x, asked))
    if is_whole and not all(one.denominator == 1 for one in places):
        raise Refused("a place that is not whole")
    own: list[Comparison] = []  # that an extreme's own place lies in the domain
    if isinstance(body, Shape):
        if len(places) != 2 or not places[0] < places[1]:
            raise Refused("two places, the lesser one first")
        ends, sign = [node_of(number(one)) for one in places], _SIGNS[body.shape]
    else:
        if len(places) != 1 or x in terms.free(terms.of(body.place)):
            raise Refused("one place beside that which the statement names")
        ends, sign = [node_of(number(places[0])), body.place], "<=" if body.extreme == "largest" else ">="
        own = [Comparison(c) for c in with_values(about, {x: terms.of(body.place)}) if isinstance(c, Compared)]
    sides = [substitute(body.term, {x: one}) for one in ends]
    there = [c for one in places for c in with_values(about, {x: number(one)})]
    others = [c for c in statement.domain if c not in about]
    parts = (*own, Comparison(Compared(tuple(sides), (sign,))))
    return replace(statement, body=And(parts) if own else parts[0], domain=(*others, *there))
