"""Instances of theorems: terms for variables, where what the theorem's domain says of them holds.

>>> from asymp.kernel.theorem import apply
>>> rule = apply("sums", statement="x <= x + y for x > 0, y >= 0", by=[])
>>> apply("instance", [rule], statement="z^2 <= z^2 + 1 for z > 0", values={"x": "z^2", "y": "1"})
⊢ z^2 <= z^2 + 1 for z > 0
>>> apply("instance", [rule], statement="z <= z + 1 for z >= 0", values={"x": "z", "y": "1"})
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: x > 0 is not seen
>>> lemma = apply("sums", statement="x <= x^2 for x >= 1", by=[])
>>> rest = apply("sums", statement="x + 1 <= x^2 + 1 for x >= 1, x <= x^2", by=[])
>>> apply("given", [rest, lemma], statement="x + 1 <= x^2 + 1 for x >= 1")
⊢ x + 1 <= x^2 + 1 for x >= 1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.data import Data, terms_in
from asymp.kernel.sequences.induction import chain_of, links, premise_of, seen, variables_in
from asymp.kernel.summation.sums import Sums, settled
from asymp.kernel.terms import Refused, Term, canonical, substitute
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, read_closed, rule, shown
from asymp.language.bodies import Comparison
from asymp.language.conditions import Compared, Condition
from asymp.language.statement import Statement

OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@rule("instance")
def _instance(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A theorem with terms for some of its variables, where all that its domain says is seen on the new one, or a premise."""
    statement = comparison_in(data)
    if not premises:
        raise Refused("a theorem, and terms for its variables")
    told = [("Compared", *link) for one in premises[1:] for link in [premise_of(one, statement.domain)]]
    values = terms_in(data["values"], "values")
    other = premises[0].statement
    if not premises[0].holds or type(other.body) is not Comparison or other.some or other.uniform or other.regime:
        raise Refused("a premise of another form")
    if set(values) & terms.CONSTANTS:
        raise Refused("a constant is no variable")
    put = [(substitute(a, values), sign, substitute(b, values)) for a, sign, b in links(other.body.chain)]
    if put != links(chain_of(statement)):
        raise Refused("another statement than the theorem with these terms")
    if spare := values.keys() - variables_in(other):
        raise Refused(f"{min(spare)} does not stand in the theorem")
    same = not values and other.domain == statement.domain

    used: set[object] = set()

    def work(one: Sums) -> None:
        for value in values.values():
            one.of(value)
        for c in () if same else other.domain:
            wanted = _put(c, values)
            used.update(wanted)
            if not wanted or not all(link in told for link in wanted):
                seen_or_said(one, c, values, statement.domain)

    settled(statement.domain, work)
    if not set(told) <= used:
        raise Refused("a premise that is no condition of the theorem")
    return Conclusion(statement)


def _put(c: Condition, values: Mapping[str, Term]) -> list[tuple[str, Term, str, Term]]:
    found = links(c) if isinstance(c, Compared) else []
    return [("Compared", substitute(a, values), sign, substitute(b, values)) for a, sign, b in found]


def seen_or_said(one: Sums, c: Condition, values: Mapping[str, Term], domain: Sequence[Condition]) -> None:
    """That a condition holds for the values, since a domain says so, or it is seen.

    Raises:
        Refused: neither.
    """
    wanted = _put(c, values)
    if not wanted or not set(wanted) <= terms.singles(domain):
        seen(one, c, values)
        return
    assert isinstance(c, Compared)
    for low, sign, high in c.pairs():
        if sign in OPPOSITE:
            try:
                seen(one, Compared((low, high), (OPPOSITE[sign],)), values)
            except Refused:
                continue
            raise Refused("a domain without a point")


@rule("given")
def _given(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement for all of a domain, from the same where comparisons hold besides, which theorems say of all of that domain.

    Premises: the statement under the comparisons of the others; these, for the domain of the statement itself.
    """
    statement = read_closed(data["statement"])
    if len(premises) < 2 or statement.some or statement.uniform or statement.regime:
        raise Refused("a statement of another form, or no comparison that is given")
    said = canonical(statement)[3]
    more: list[Condition] = []
    for one in premises[1:]:
        other = one.statement
        if not one.holds or type(other.body) is not Comparison or other.some or other.uniform or other.regime:
            raise Refused("a premise that is no comparison for all of a domain")
        if canonical(other)[3] != said:
            raise Refused("a premise of another domain")
        more.append(other.body.chain)
    shown(premises[:1], [under(statement, more)])
    return Conclusion(statement)


def under(statement: Statement, more: Sequence[Condition]) -> Statement:
    """A statement where comparisons hold besides."""
    return replace(statement, domain=(*statement.domain, *more), ties=())
