"""Upper and lower limits, and negations: what is said of all paths of a regime together.

As liminf f = -limsup(-f), all is said of upper limits.  For a number c, by its definition,

- limsup f <= c exactly if for every e > 0 f <= c + e from some point on;
- limsup f = c exactly if limsup f <= c, and f is near to c along some path: if f - c = Omega(1) fails;
- limsup f = oo exactly if Max(f, 0) = O(1) fails, and limsup f = -oo exactly if f -> -oo.

The second is of one f: where f has parameters, it is near to c for one of their values, and not for all.

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> said = read_closed("limsup(cos(pi*n/2)) = 1 as whole n -> oo")
>>> given = [theorem(parts(said)[0], True), theorem(parts(said)[1], False)]
>>> apply("upper limit", given, statement=str(said))
⊢ limsup(cos(pi*n/2)) = 1 as whole n -> oo
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.bounded import Waves, every_class
from asymp.kernel.growths.growth import ONE
from asymp.kernel.growths.paths import path_of
from asymp.kernel.growths.regime import moving, names_in, require_fresh
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import rational
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term, canonical
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Eventual, Limiting, Not, Ordering, UpperLimit
from asymp.language.conditions import Compared
from asymp.language.statement import Statement
from asymp.language.syntax import Node

OO = terms.name("oo")


@rule("negation")
def _negation(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """``not A`` holds where A fails, and fails where A holds; A has no parameters, of which it would fail for one.

    Data: statement.
    """
    statement = read_closed(data["statement"])
    return Conclusion(statement, holds=not shown(premises, [negated(statement)], None))


def negated(statement: Statement) -> Statement:
    """A of ``not A``.

    Raises:
        Refused: it is no negation, or has parameters.
    """
    if not isinstance(statement.body, Not) or statement.some or statement.uniform or not statement.regime:
        raise Refused("a statement of another form")
    found = replace(statement, body=statement.body.body)
    _of_one(found)
    return found


def _of_one(statement: Statement) -> None:
    if still := sorted(names_in(statement) - moving(statement) - terms.CONSTANTS - {"oo"}):
        raise Refused(f"{still[0]} is a parameter")


@rule("upper limit")
def _upper_limit(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """limsup f = c and limsup f <= c hold or fail by what they say: see the module.

    Data: statement, and ``offset``, the e of limsup f <= c.
    """
    statement = read_closed(data["statement"])
    wanted = parts(statement, data.text("offset") if "offset" in data else "")
    signs = [True, False][: len(wanted)] if len(wanted) == 2 else [_is_direct(statement)]
    said = [(canonical(one.statement), one.holds) for one in premises]
    expected = [(canonical(one), sign) for one, sign in zip(wanted, signs, strict=True)]
    if said == expected:
        if len(wanted) == 2 or not _is_direct(statement):
            _of_one(replace(statement, body=wanted[-1].body))
        return Conclusion(statement)
    if len(said) == 1 and (said[0][0], not said[0][1]) in expected:
        return Conclusion(statement, holds=False)
    raise Refused("the premises are not what the upper limit says")


@rule("upper bound")
def _upper_bound(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """limsup f <= c holds: by series of f - c, all else tends to 0, or to -oo, and what stays is at most 0.

    Data: statement, order, place, classes, and a path (see the rule ``bounded``).
    """
    statement, order, classes = read_closed(data["statement"]), data["order"], data.whole("classes")
    body = statement.body
    if not isinstance(body, UpperLimit) or body.sign == "=" or premises:
        raise Refused("a statement of another form")
    f, c = oriented(body)
    asked = replace(statement, body=Ordering(node_of(terms.add(f, terms.negative(c))), "O", Node("number", 1, "1")))
    if any(part == OO for part in terms.walk(c)) or c.free & moving(statement):
        raise Refused(f"{c} is infinite, or moves")
    every_class(asked, order, data["place"], classes, _at_most_zero)
    path_of(statement, data)
    return Conclusion(statement)


def _at_most_zero(f: Series, a: Algebra, waves: Waves) -> bool:
    """Whether f <= o(1)."""
    stays = rational(0)
    for c, g in f.terms:
        if g.same(ONE):
            stays = c
        elif g.limit(a.domain) != "zero" and not (g.limit(a.domain) == "infinity" and waves.at_most_zero(c, a.domain)):
            return False
    return all(g.limit(a.domain) == "zero" for g in f.rest) and (stays.is_zero or waves.at_most_zero(stays, a.domain))


def oriented(body: UpperLimit) -> tuple[Term, Term]:
    """f and c of limsup f; of liminf f, -f and -c."""
    f, c = terms.of(body.left), terms.of(body.value)
    return (f, c) if body.kind == "limsup" else (terms.negative(f), terms.negative(c))


def _is_direct(statement: Statement) -> bool:
    """Whether it holds where its one part holds, and not where that fails."""
    assert isinstance(statement.body, UpperLimit)
    return statement.body.sign != "=" or oriented(statement.body)[1] != OO


def parts(statement: Statement, e: str = "") -> list[Statement]:
    """The statements by which one of an upper limit holds or fails: the first holds and the second fails; or there is one.

    Raises:
        Refused: it is of another form, or its value moves.
    """
    body = statement.body
    if not isinstance(body, UpperLimit) or statement.some or statement.uniform or not statement.regime:
        raise Refused("a statement of another form")
    f, c = oriented(body)
    zero, one = Node("number", 1, "0"), Node("number", 1, "1")
    if c.free & moving(statement):
        raise Refused(f"{c} moves")
    infinite = any(part == OO for part in terms.walk(c))
    if infinite and (body.sign != "=" or c not in (OO, terms.negative(OO))):
        raise Refused("a bound that is no number")
    if c == OO:
        return [replace(statement, body=Ordering(node_of(terms.call("Max", f, terms.ZERO)), "O", one))]
    if c == terms.negative(OO):
        return [replace(statement, body=Limiting(node_of(f), node_of(c)))]
    if body.sign != "=":
        require_fresh((statement,), (e,))
        above = node_of(terms.add(c, terms.name(e)))
        some = Compared((Node("name", 1, e), zero), (">",))
        return [replace(statement, body=Eventual(node_of(f), "<=", above), domain=(*statement.domain, some))]
    below = replace(body, sign="<=" if body.kind == "limsup" else ">=")
    away = Ordering(node_of(terms.add(f, terms.negative(c))), "Omega", one)
    return [replace(statement, body=below), replace(statement, body=away)]
