"""Conditionals: what is said if something holds is said of where that holds, and what is said iff it holds is said both ways.

>>> import asymp.kernel.growths.asymptotics
>>> from asymp.kernel.sequences import induction
>>> from asymp.kernel.theorem import apply
>>> there = apply("sums", statement="x^2 > 1 for x > 1", by=[])
>>> less = apply("sums", statement="x^2 <= 1 for x > 0, x <= 1", by=[])
>>> apply("conditional", [less], statement="x > 1 if x^2 > 1 for x > 0", turned=[[1, ["<="]]])
⊢ x > 1 if x^2 > 1 for x > 0
>>> apply("conditional", [less], statement="x > 1 iff x^2 > 1 for x > 0", turned=[[1, ["<="]], None])
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: the premises are other statements
>>> fails = apply("witness", statement="x > 1 for x^2 > 1, real x", at={"x": "-2"}, bits=64)
>>> apply("conditional", [fails], statement="x > 1 iff x^2 > 1 for real x", turned=[])
⊢ not: x > 1 iff x^2 > 1 for real x
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asymp.kernel.balls.boxes import question
from asymp.kernel.balls.goals import context
from asymp.kernel.data import Data, items, texts, whole
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown, together
from asymp.language.bodies import And, Body, Comparison, If, Iff
from asymp.language.conditions import OPPOSITES, Compared
from asymp.language.statement import Statement


@rule("conditional")
def _conditional(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A if B for all of D, from A for all of D where B; A iff B, from that both ways.  It fails if one of these fails.

    Data: statement; turned, for each way None, or [k, signs] where it is shown by its contrapositive (see :func:`turned`),
    which may be about nothing: there are then no points where B holds, and of none anything is concluded but this; [] where
    it fails.

    What is given is defined all over D, and what is said where it holds: of a point at which it is not, the statement says
    nothing that could hold or fail.
    """
    statement, opposites = read_closed(data["statement"]), data.listed("turned")
    each = ways(statement)
    for _, where in _sides(statement):
        for chain in _given(where):
            _defined(replace(statement, body=Comparison(chain)))
    if not opposites:
        found = together(statement, premises, each)
        if found.holds:
            raise Refused("how each way is shown is not said")
        for way in each:
            if type(way.body) is Comparison:
                _defined(way)
        return found
    parts: list[Statement] = []
    for way, opposite in zip(each, opposites, strict=True):
        k, signs = (None, []) if opposite is None else items(opposite, 2)
        if k is not None and whole(k) < len(statement.domain):
            raise Refused("a condition of the domain, which is not what is given")
        parts += [way] if k is None else turned(way, k, texts(signs))
    shown(premises, parts)
    return Conclusion(statement)


def ways(statement: Statement) -> list[Statement]:
    """The statements that a conditional comes down to: one, or both ways.

    Raises:
        Refused: it is no conditional, or one of limits, or what is given is no comparison.
    """
    if not isinstance(statement.body, (If, Iff)) or statement.some or statement.uniform or statement.regime:
        raise Refused("a conditional for all of a domain is wanted")
    return [replace(statement, body=said, domain=(*statement.domain, *_given(where))) for said, where in _sides(statement)]


def _sides(statement: Statement) -> list[tuple[Body, Body]]:
    """What is said, and where."""
    body = statement.body
    assert isinstance(body, (If, Iff))
    return [(body.left, body.right)] + ([(body.right, body.left)] if isinstance(body, Iff) else [])


def _given(body: Body) -> list[Compared]:
    parts = body.parts if isinstance(body, And) else (body,)
    found = [part.chain for part in parts if type(part) is Comparison]
    if len(found) != len(parts):
        raise Refused("what is given is no comparison")
    return found


def turned(statement: Statement, k: int, signs: Sequence[str]) -> list[Statement]:
    """A for all of D where B comes down to: not B for all of D where not A.  A and B are comparisons, A is defined all over D.

    Args:
        statement: A for all of D where B.
        k: the place of B among the conditions, counted from 0.
        signs: for each way in which A fails, two where it is an equation, the sign that is there instead of B's.

    Raises:
        Refused: they are chains, the signs are others, or the comparison may not be defined all over the domain.
    """
    body = statement.body
    if type(k) is not int or not 0 <= k < len(statement.domain) or type(body) is not Comparison:
        raise Refused("a comparison, and the place of a condition")
    given, said = statement.domain[k], body.chain
    if not isinstance(given, Compared) or len(given.signs) != 1 or len(said.signs) != 1:
        raise Refused("two comparisons are wanted")
    opposites = OPPOSITES[said.signs[0]]
    if len(signs) != len(opposites) or not all(one in OPPOSITES[given.signs[0]] for one in signs):
        raise Refused("a sign that excludes the condition, for each way to fail")
    _defined(statement)
    found = []
    for opposite, sign in zip(opposites, signs, strict=True):
        here, there = replace(said, signs=(opposite,)), replace(given, signs=(sign,))
        domain = (*statement.domain[:k], here, *statement.domain[k + 1 :])
        found.append(replace(statement, body=Comparison(there), domain=domain))
    return found


def _defined(statement: Statement) -> None:
    """That the sides of a comparison are defined all over its domain.

    Raises:
        Refused: that is not seen.
    """
    asked = question(statement)
    at = context(asked)
    for low, _, high in asked.links:
        at.value(low)
        at.value(high)
