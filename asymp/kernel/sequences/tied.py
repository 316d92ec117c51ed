"""The rule for a variable that the domain gives by others: v = t is put where v stands.

>>> from asymp.kernel.theorem import apply
>>> premise = apply("sums", statement="1/(1 + x) < 1 for x > 0", by=[])
>>> apply("tied", [premise], statement="p < 1 for x > 0, 0 < p, p = 1/(1 + x)", variable="p")
⊢ p < 1 for x > 0, 0 < p, p = 1/(1 + x)
>>> apply("tied", [premise], statement="p < 1 for x > 0, 1 < p, p = 1/(1 + x)", variable="p")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: 1 < p is not seen
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.sequences.induction import seen
from asymp.kernel.summation.cells import node_of
from asymp.kernel.summation.sums import Sums, settled
from asymp.kernel.terms import Refused, Term, name, substitute
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, rule, shown
from asymp.language.bodies import Comparison
from asymp.language.conditions import Compared, Condition, OfKind
from asymp.language.statement import Statement


@rule("tied")
def _tied(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A comparison where v = t, from the same with t for v, on whose domain all else that is said of v is seen of t."""
    statement = comparison_in(data)
    v = data.text("variable")
    value, about, wanted = untied(statement, v)
    shown(premises, [wanted])

    def work(one: Sums) -> None:
        one.of(value)
        for c in about:
            seen(one, c, {v: value})

    settled(wanted.domain, work)
    return Conclusion(statement)


def untied(statement: Statement, v: str) -> tuple[Term, list[Condition], Statement]:
    """What a real variable equals on the domain, what else is said of it, and the statement without it.

    Raises:
        Refused: the domain does not say what it is, or says it twice.
    """
    found: list[Term] = []
    about: list[Condition] = []
    rest: list[Condition] = []
    for c in statement.domain:
        value = _value(c, v)
        if value is not None:
            found.append(value)
        elif isinstance(c, OfKind):
            (about if c.name == v else rest).append(c)
        elif isinstance(c, Compared):
            (about if any(v in terms.free(terms.of(node)) for node in c.parts) else rest).append(c)
        else:
            raise Refused(f"{c} is no condition on values")
    if len(found) != 1 or v in terms.CONSTANTS or v in given(statement.domain).whole:
        raise Refused(f"no one value of {v}")
    assert isinstance(statement.body, Comparison)
    chain = statement.body.chain
    parts = tuple(node_of(substitute(terms.of(part), {v: found[0]})) for part in chain.parts)
    body = replace(statement.body, chain=replace(chain, parts=parts))
    return found[0], about, replace(statement, body=body, domain=tuple(rest))


def _value(c: Condition, v: str) -> Term | None:
    """t, of a condition v = t, or t = v, with t free of v."""
    if not isinstance(c, Compared) or c.signs != ("=",):
        return None
    left, right = map(terms.of, c.parts)
    for one, value in ((left, right), (right, left)):
        if one == name(v) and v not in terms.free(value):
            return value
    return None
