"""One number for all of a domain: f(n) <= C g(n) for all n >= 1, for some C.

A for D for some C for E says that for all parameters of E there is a number C with which A holds for all of D.  It holds
where there is a theorem of A with a term for C that is in the parameters alone, and has what is said of C.  It fails where
it is seen to fail for all C as a variable of D tends somewhere within D, for there what holds for all of D holds in the end:
f <= C g fails for all C as f is eventually not negative, and is no O(g).

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> given = theorem(read_closed("n + 3 <= 4*n for whole n >= 1"), True)
>>> apply("one for all", [given], statement="n + 3 <= C*n for whole n >= 1 for some real C", variable="C", value="4")
⊢ n + 3 <= C*n for whole n >= 1 for some real C
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.boxes import may_be_whole, question
from asymp.kernel.balls.goals import is_inside
from asymp.kernel.data import Data
from asymp.kernel.growths.constants import left_open, put_for
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Comparison, Eventual, Ordering
from asymp.language.conditions import OPPOSITES, Compared, Conditions, OfKind, read_conditions
from asymp.language.names import substitute
from asymp.language.statement import Statement, Throughout


@rule("one for all")
def _one_for_all(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A for D for some C for E, from A with a term for C for D and E, and from what is said of C said of the term.

    Data: statement, variable (C), value (the term, in what is said of in E).
    """
    statement = read_closed(data["statement"])
    shown(premises, with_one(statement, data.text("variable"), data.text("value")))
    return Conclusion(statement)


@rule("none for all")
def _none_for_all(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """That fails where A for some C, which may depend on all but what tends, fails; so does A in the end within D.

    Data: statement, variable (C), to (such as ``whole n -> oo``; empty where A itself is of a limit).
    """
    statement, v, to = read_closed(data["statement"]), data.text("variable"), data.text("to")
    wanted = in_the_end(statement, v, to) if to else each_its_own(statement, v)
    return Conclusion(statement, shown(premises, [wanted], False))


@rule("no factor")
def _no_factor(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f <= C g in a regime fails for all C where f is not negative in the end, and f = O(g) fails.

    And f >= C g for all C > 0 where g is not negative in the end, and g = O(f) fails.

    Data: statement, variable (C), by: ``above`` for f <= C g, ``positive`` for f >= C g and C > 0, ``below`` for f >= C g read as
    -f <= (-C) g.
    """
    statement = read_closed(data["statement"])
    below, order = factors(statement, data.text("variable"), data.text("by"))
    shown(premises[:1], [below])
    return Conclusion(statement, shown(premises[1:], [order], False))


def with_one(statement: Statement, v: str, value: str) -> list[Statement]:
    """A with a term for v, for D and E; and what is said of v said of the term, for E.

    Raises:
        Refused: the statement is of another form, more than one number is left open, or the term is in other variables.
    """
    inner = _of_one(statement, v)
    put, said = put_for(statement, v, value)
    changed = Throughout(inner).changed(lambda node: substitute(node, put)).statement
    return [replace(changed, domain=(*changed.domain, *statement.domain)), *said]


@rule("no one number")
def _no_one_number(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f <= C g for D for some C fails where what it says at all but the last of some points of D is against what it says there.

    Data: statement, variable (C), points (of each the values of D's variables, and the sign of the comparison that is used).
    """
    statement = read_closed(data["statement"])
    given = data.listed("points")
    if not all(isinstance(one, dict) and all(isinstance(x, str) for x in (*one, *one.values())) for one in given):
        raise Refused("points are tables of texts")
    shown(premises, [against(statement, data.text("variable"), given)])
    return Conclusion(statement, holds=False)


def against(statement: Statement, v: str, points: Sequence[Mapping[str, str]]) -> Statement:
    """That what is said of v, and the comparison at all points but the last, imply that it fails at the last.

    Raises:
        Refused: the statement is of another form, or has parameters, or a point does not lie in D.
    """
    inner = _of_one(statement, v)
    if type(inner.body) is not Comparison or inner.some or inner.uniform or inner.regime or statement.domain:
        raise Refused("one comparison for all of a domain, without parameters, is wanted")
    if len(inner.body.chain.signs) != 1 or not points:
        raise Refused("one comparison, and points, are wanted")
    _of_known_kinds(inner)
    (left, sign, right), said = next(inner.body.chain.pairs()), list[Compared]()
    for one in points:
        values, used = {x: text for x, text in one.items() if x != "sign"}, one.get("sign")
        if used not in WEAKER[sign]:
            raise Refused(f"{used} does not follow from {sign}")
        is_inside(inner, values)
        put = {x: node_of(terms.number(mpq(text))) for x, text in values.items()}
        said.append(Compared((substitute(left, put), substitute(right, put)), (used,)))
    (opposite,) = OPPOSITES[said[-1].signs[0]]
    kind = () if any(isinstance(c, OfKind) for c in statement.some) else (OfKind(v, "real"),)
    wanted = Comparison(replace(said[-1], signs=(opposite,)))
    return Statement(wanted, domain=(*kind, *statement.some, *said[:-1]))


WEAKER = {"<=": ("<=",), "<": ("<",), ">=": (">=",), ">": (">",), "=": ("<=", ">=")}
"""The comparisons that follow from one."""


def each_its_own(statement: Statement, v: str) -> Statement:
    """A for some v, which may be another for each value of D: what follows if there is one for all.

    Raises:
        Refused: some other number is left open in A.
    """
    inner = _of_one(statement, v)
    if inner.some or inner.uniform or not inner.regime:
        raise Refused("a statement of a limit, with nothing left open, is wanted")
    return replace(inner, some=statement.some, domain=(*inner.domain, *statement.domain))


def in_the_end(statement: Statement, v: str, to: str) -> Statement:
    """A for some v as the one variable of D tends to an end of its range, or to infinity: what follows if there is one for all.

    Raises:
        Refused: D is no range of one variable between numbers, or the limit is not at an end of it.
    """
    inner = _of_one(statement, v)
    if type(inner.body) is not Comparison or inner.some or inner.uniform or inner.regime:
        raise Refused("a comparison for all of a domain is wanted")
    _of_known_kinds(inner)
    regime = read_conditions(to)
    x = next(iter({name for c in inner.domain for name in c.mentioned} - {v}), "")
    kinds = tuple(c for c in inner.domain if isinstance(c, OfKind))
    low, high = _range(tuple(c for c in inner.domain if not isinstance(c, OfKind)), x)
    if any(c.name != x for c in kinds) or x in {
        name for c in (*statement.domain, *statement.some) for name in c.mentioned
    }:
        raise Refused("a range of one variable between numbers is wanted")
    ends = {f"{x} -> oo": high is None, f"{x} -> -oo": low is None}
    whole = OfKind(x, "whole") in kinds
    ends |= {} if whole or low is None else {f"{x} -> {low}+": high is None or high.number > low.number}
    ends |= {} if whole or high is None else {f"{x} -> {high}-": low is None or high.number > low.number}
    allowed = [text for text, seen in ends.items() if seen]
    if not any(
        tuple(read_conditions(text)) == tuple(c for c in regime if not isinstance(c, OfKind)) for text in allowed
    ):
        raise Refused(f"{to} is no end of the range of {x}")
    if (OfKind(x, "whole") in regime) != whole or any(c.name != x for c in regime if isinstance(c, OfKind)):
        raise Refused(f"{x} is whole in one of domain and regime")
    return Statement(inner.body, some=statement.some, domain=statement.domain, regime=regime)


def factors(statement: Statement, v: str, by: str) -> tuple[Statement, Statement]:
    """0 <= f, and f = O(g), of f <= v g in a regime; 0 <= g, and g = O(f), of v g <= f with v > 0; 0 <= -f, and f = O(g).

    Raises:
        Refused: it is of another form.
    """
    body = statement.body
    if not isinstance(body, Eventual) or body.sign == "=" or statement.uniform or not statement.regime:
        raise Refused("f <= C g in a regime is wanted")
    left_open(statement, v)
    low, high = map(terms.of, (body.left, body.right) if body.sign[0] == "<" else (body.right, body.left))
    f, g = (low, _factor(high, v)) if by == "above" else (high, _factor(low, v))
    if g is None or v in f.free or by not in ("above", "positive", "below"):
        raise Refused(f"{v} is no factor of that side")
    if by == "positive" and not _is_positive(statement.some, v):
        raise Refused(f"{v} is not said to be positive")
    small, large = (g, f) if by == "positive" else (f if by == "above" else terms.negative(f), g)
    plain = replace(statement, some=())
    return (
        replace(plain, body=Eventual(node_of(terms.ZERO), "<=", node_of(small))),
        replace(plain, body=Ordering(node_of(small), "O", node_of(large))),
    )


def _factor(side: Term, v: str) -> Term | None:
    """g of v g."""
    g = terms.substitute(side, {v: terms.ONE})
    return g if v not in g.free and terms.multiply(terms.name(v), g) == side else None


def _is_positive(some: Conditions, v: str) -> bool:
    pairs = [pair for c in some if isinstance(c, Compared) for pair in c.pairs()]
    lower = [(a, b) if sign == "<" else (b, a) for a, sign, b in pairs if sign in ("<", ">")]
    return any(terms.of(b) == terms.name(v) and terms.of(a).is_number and terms.of(a).number >= 0 for a, b in lower)


def _range(conditions: Conditions, x: str) -> tuple[Term | None, Term | None]:
    """The numbers between which a variable is: the ends of what is said of it, and None where it has none.

    Raises:
        Refused: something else is said of it.
    """
    low: Term | None = None
    high: Term | None = None
    for c in conditions:
        if not isinstance(c, Compared) or any(sign not in ("<", "<=", ">", ">=") for sign in c.signs):
            raise Refused(f"{c} is no bound by a number")
        for left, sign, right in c.pairs():
            below, above = (terms.of(left), terms.of(right)) if sign[0] == "<" else (terms.of(right), terms.of(left))
            if above == terms.name(x) and below.is_number:
                low = below if low is None or below.number > low.number else low
            elif below == terms.name(x) and above.is_number:
                high = above if high is None or above.number < high.number else high
            else:
                raise Refused(f"{c} is no bound by a number")
    return low, high


def _of_one(statement: Statement, v: str) -> Statement:
    """A for D, of a statement that leaves v open.

    Raises:
        Refused: it is of another form, or more is left open than v.
    """
    body = statement.body
    if not isinstance(body, Throughout) or statement.uniform or statement.regime:
        raise Refused("one number for all of a domain is wanted")
    left_open(statement, v)
    inner = body.statement
    bound = {name for c in (*inner.some, *inner.uniform, *inner.regime) for name in c.mentioned}
    if bound & {name for c in statement.domain for name in c.mentioned}:
        raise Refused("one letter stands for two things")
    kinds = {c.name for c in inner.domain if isinstance(c, OfKind)}
    if isinstance(inner.body, Throughout) or v in bound | kinds:
        raise Refused(f"{v} stands for something else before")
    return inner


def _of_known_kinds(inner: Statement) -> None:
    """That no variable of a domain may be meant to be whole without its being said: 1/n is bounded for whole n > 0.

    Raises:
        Refused: one may be.
    """
    said = {c.name for c in inner.domain if isinstance(c, OfKind)}
    asked = question(inner)
    for x in sorted({name for c in inner.domain for name in c.mentioned} - said):
        if may_be_whole(x, asked):
            raise Refused(f"{x} may be whole or real: say which")
