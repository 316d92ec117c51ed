"""An inequality from some point on, from a limit on the right side of a constant.

>>> from asymp.kernel.growths import asymptotics
>>> from asymp.kernel.theorem import apply
>>> place, along = {"scales": {"n_": "n"}, "values": {"n": "n_"}}, {"runner": "k", "values": {"n": "k"}}
>>> limit = apply("asymptotic", statement="1/2 + 1/n -> 1/2 as n -> oo", order=1, place=place, **along)
>>> less = apply("algebra", statement="1/2 < a for a > 1/2")
>>> apply("in the end", [limit, less], statement="1/2 + 1/n <= a as n -> oo for a > 1/2")
⊢ 1/2 + 1/n <= a as n -> oo for a > 1/2
"""

from __future__ import annotations

from collections.abc import Sequence

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.regime import moving
from asymp.kernel.terms import CONSTANTS, Refused, Term, canonical
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.bodies import Comparison, Eventual, Limiting


@rule("in the end")
def _in_the_end(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f < w from some point on, from f -> v and v < w; f and w may change places.

    Data: statement.

    v and w do not move.  Both premises are for parameters at least as many as the statement has: f -> v in its regime, on a
    domain of which all conditions are the statement's, and v < w there too.
    """
    statement = read_closed(data["statement"])
    if set(data) != {"statement"} or len(premises) != 2 or not all(one.holds for one in premises):
        raise Refused("a statement, and two premises that hold")
    limit, order = (one.statement for one in premises)
    body, said = statement.body, order.body
    if not isinstance(body, Eventual) or not isinstance(limit.body, Limiting) or type(said) is not Comparison:
        raise Refused("what holds from some point on, from a limit and a comparison")
    if order.regime or any(one.some or one.uniform or one.ties for one in (statement, limit, order)):
        raise Refused("a premise of another form")
    if canonical(limit)[4] != canonical(statement)[4]:
        raise Refused("a limit of another regime")
    if not all(canonical(one)[3] <= canonical(statement)[3] for one in (limit, order)):
        raise Refused("a premise of a narrower domain")
    f, v = terms.of(limit.body.left), terms.of(limit.body.value)
    low, high = _sides(body.left, body.sign, body.right)
    (link,) = said.chain.pairs() if len(said.chain.signs) == 1 else ((None, "", None),)
    if link[1] not in ("<", ">") or any(part.name == "oo" for part in terms.walk(v)):
        raise Refused("a limit that is a number, and one strict comparison")
    if _sides(*link) != ((v, high) if low == f else (low, v)) or f not in (low, high):
        raise Refused("the premises are about other terms")
    still = high if low == f else low
    if (terms.free(v) | terms.free(still)) - CONSTANTS & moving(statement):
        raise Refused("a side that moves")
    if any(terms.free(terms.of(node)) & moving(statement) for c in statement.domain for node in c.terms()):
        raise Refused("a condition on what moves")
    return Conclusion(statement)


def _sides(left: object, sign: str, right: object) -> tuple[Term, Term]:
    """The lower side and the higher one."""
    low, high = (left, right) if sign[0] == "<" else (right, left)
    return terms.of(low), terms.of(high)  # type: ignore[arg-type]

