"""From a statement of one regime to the same of another whose paths are among those of the first.

A path of the narrower regime satisfies each condition of the wider one: because the condition stands in both, or because
it follows.  Where T -> k > 0 for a positive monomial T in what tends, and L -> oo, also L*T -> oo and L/T -> oo, since T stays
between k/2 and 2k in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.paths import path_of
from asymp.kernel.growths.regime import (
    alone,
    growing,
    is_positive,
    moving,
    names_in,
    positive_monomial,
    ranges,
    ties,
    understood,
)  # fmt: skip
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio
from asymp.kernel.terms import Refused, Term, canonical
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.conditions import Tends
from asymp.language.statement import Statement


@rule("narrower")
def _narrower(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """The statement, from a premise with the same body, of a regime and domain that hold those of the statement.

    Data: statement, and a path of its regime: runner, values (see paths).

    What is a parameter of the premise is a parameter here too: it holds for each value of it, and along no path of values.
    """
    if len(premises) != 1 or not premises[0].holds:
        raise Refused("a statement with a path of it, and one premise that holds")
    statement, other = read_closed(data["statement"]), premises[0].statement
    understood(statement)
    understood(other)
    here, there = canonical(statement), canonical(other)
    if here[:3] != there[:3] or statement.some or statement.uniform or not statement.regime or not other.regime:
        raise Refused("a premise that says something else")
    if not there[3] <= here[3]:
        raise Refused("a premise of a narrower domain")
    if strangers := moving(statement) & names_in(other) - moving(other):
        raise Refused(f"{min(strangers)} moves, and is a parameter of the premise")
    for condition in other.regime:
        if not canonical(replace(other, regime=(condition,)))[4] <= here[4]:
            _follows(condition, statement)
    path_of(statement, data)
    return Conclusion(statement)


def _follows(condition: Any, statement: Statement) -> None:
    """That Y -> oo or Y -> 0 in the statement's regime, since Y or 1/Y is L*T or L/T.

    Raises:
        Refused: that is not seen.
    """
    target = terms.of(condition.target) if isinstance(condition, Tends) else None
    if target not in (terms.name("oo"), terms.ZERO) or condition.side == "-":
        raise Refused(f"{condition} is not said here")
    tied, lone = ties(statement.regime), {v: kind for v, kind in alone(statement).items() if kind}
    variables, large = growing(statement, tied, {})
    everywhere = Domain(within={v: Range(mpq(kind == "oo"), True) for v, kind in variables.items()})

    def form(node: Any) -> Ratio | None:
        term = terms.substitute(terms.of(node), tied)
        return positive_monomial(term, everywhere) if is_positive(term, lone) else None

    found = form(condition.term)
    if found is None:
        raise Refused(f"{condition} is not seen to follow")
    rises = found if target == terms.name("oo") else found.inverse()
    logs: list[Term] = [terms.call("log", terms.name(v)) for v, kind in lone.items() if kind == "oo"]
    sources = [positive_monomial(term, everywhere) for term in (*large, *logs)]
    for c in statement.regime:
        if isinstance(c, Tends) and _is_positive_constant(c, statement) and (t := form(c.term)) is not None:
            if any(rises == source * t or rises == source * t.inverse() for source in sources):
                return
    raise Refused(f"{condition} is not seen to follow")


def _is_positive_constant(condition: Tends, statement: Statement) -> bool:
    """Whether what a condition tends to is a positive number, or parameter."""
    target = terms.of(condition.target)
    if terms.free(target) & moving(statement) or any(part.name == "oo" for part in terms.walk(target)):
        return False
    domain = ranges((*statement.domain, *statement.regime))
    return domain.signs(target) == {1}
