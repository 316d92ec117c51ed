"""Whether the parameters of everyday laws in X_n => X are those of a law, far out in the regime.

>>> from asymp.parse import claim
>>> are_laws(claim("me/x", "binomial(n, c/n) => poisson(c)", "n -> oo", "me, 1", assume="c > 0").relation.statement)
>>> are_laws(claim("me/x", "exponential(1/n) => poisson(0)", "n -> oo", "me, 1").relation.statement)
Traceback (most recent call last):
...
asymp.meaning.read.Meaningless: poisson(0) is no law: 0 > 0 is needed
"""

from __future__ import annotations

from asymp.kernel import terms
from asymp.kernel.facts.signs import Signs
from asymp.kernel.laws.unfolding import parameters, sides
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
    try:
        ground = far_out(statement, prove)
        both = sides(statement)
    except Refused as error:
        raise Meaningless(str(statement.body), str(error), Kind.UNKNOWN) from error
    for one in both:
        for node, what in parameters(one):
            assert one.atom is not None
            place, term = words(one.atom), terms.of(node)
            if what == "whole":
                if whole_valued(term, ground.whole) is not Truth.ALWAYS:
                    raise Meaningless(place, f"{place} is a law for whole {words(node)} alone", Kind.NOT_WHOLE)
                continue
            signs: Signs = ground.signs(term)
            allowed = {1} if what == ">" else {0, 1}
            if not signs & allowed:
                raise Meaningless(place, f"{place} is no law: {words(node)} {what} 0 is needed", Kind.UNDEFINED)
            if not signs <= allowed:
                why = f"it is not known whether {place} is a law: {words(node)} {what} 0 is needed"
                raise Meaningless(place, why, Kind.UNKNOWN)
