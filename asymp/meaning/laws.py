"""Whether the parameters of everyday laws in X_n => X are those of a law, far out in the regime.

>>> from asymp.parse import claim
>>> are_laws(claim("me/x", "binomial(n, c/n) => poisson(c)", "n -> oo", "me, 1", assume="c > 0").relation.statement)
>>> are_laws(claim("me/x", "exponential(1/n) => poisson(0)", "n -> oo", "me, 1").relation.statement)
Traceback (most recent call last):
...
asymp.meaning.read.Meaningless: poisson(0) is no law: 0 > 0 is needed
"""

from __future__ import annotations

from asymp.claim import Claim, LimitLaw
from asymp.kernel import terms
from asymp.kernel.laws.unfolding import Sure, parameters, sides
from asymp.kernel.terms import Refused
from asymp.language.statement import Statement
from asymp.language.syntax import words
from asymp.meaning.ground import Prove
from asymp.meaning.limit import far_out
from asymp.meaning.read import Kind, Meaningless
from asymp.meaning.truth import Truth
from asymp.meaning.whole import whole_valued


def are_laws(statement: Statement, prove: Prove | None = None) -> None:
    """Nothing, where the parameters of both sides are those of a law.

    Raises:
        Meaningless: they are not, or it is not known.
    """
    for one in sides(statement):
        for node, what in parameters(one):
            assert one.atom is not None
            place, said = words(one.atom), f"whole {words(node)}" if what == "whole" else f"{words(node)} {what} 0"
            truth = in_the_end((statement, node, what), prove)
            if truth is Truth.UNKNOWN:
                raise Meaningless(place, f"it is not known whether {place} is a law: {said} is needed", Kind.UNKNOWN)
            if truth is not Truth.ALWAYS and what == "whole":
                raise Meaningless(place, f"{place} is a law for whole {words(node)} alone", Kind.NOT_WHOLE)
            if truth is not Truth.ALWAYS:
                raise Meaningless(place, f"{place} is no law: {said} is needed", Kind.UNDEFINED)


def in_the_end(one: Sure, prove: Prove | None = None) -> Truth:
    """Whether a term is > 0, >= 0 or whole far out in the regime of a statement."""
    statement, node, what = one
    try:
        ground, term = far_out(statement, prove), terms.of(node)
    except Refused:
        return Truth.UNKNOWN
    if what == "whole":
        return whole_valued(term, ground.whole)
    signs, allowed = ground.signs(term), {1} if what == ">" else {0, 1}
    return Truth.ALWAYS if signs <= allowed else Truth.UNKNOWN if signs & allowed else Truth.NEVER


def limits_of(relation: LimitLaw, prove: Prove | None = None) -> tuple[Claim, ...]:
    """The limits of the first way of which all is sure; none where there is no such way."""
    for members, sure in relation.ways:
        if all(in_the_end(one, prove) is Truth.ALWAYS for one in sure):
            return members
    return ()
