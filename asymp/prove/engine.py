"""What methods from outside say of single calls: their terms and remainders, for the kernel to compare."""

from __future__ import annotations

from functools import partial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.growth import power_of
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.regime import placed
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Term
from asymp.language.bodies import Expanding, Ordering
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser
from asymp.prove import first
from asymp.prove.method import Method, borrowed
from asymp.prove.written import Quantities, in_words, powers
from asymp.regimes.quantities import Place, places


def expansion_of(statement: Statement, order: int) -> tuple[Expanding, tuple[str, ...]]:
    """What a method says of the call of ``call = O(1) as ...``, and its name.

    Raises:
        Refused: there is none, or nothing that can be written as terms and a remainder.
    """
    assert isinstance(statement.body, Ordering)
    node = statement.body.left
    methods = borrowed(terms.of(node).head)
    plain = sorted(places(statement), key=lambda one: "small" in one)
    return first(
        (partial(_by, statement, node, order, one, place) for one in methods for place in plain),
        f"no method for {node}",
    )


def _by(
    statement: Statement, node: Node, order: int, method: Method, place: Place
) -> tuple[Expanding, tuple[str, ...]]:
    where = placed(statement, place)
    algebra = Algebra(where.domain, order)
    found = method.work(expander_of((), statement, where, algebra), where.put(terms.of(node)))
    quantities = Quantities(where, place["scales"])
    back = {q.name: terms.read(f"-log(1 - {p})") for p, q in where.powers.items()}

    def shown(several: list[Term]) -> Node:
        return Parser(in_words(powers(terms.substitute(terms.add(*several), back)))).whole()

    rest = found.rest or (power_of(0, 0, rational(mpq(-2 * order))),)  # exact, which no leaf is
    kept = [quantities.term(c, g) for c, g in found.terms]
    growths = [quantities.term(rational(1), r) for r in rest]
    return Expanding(node, shown(kept), "O", shown(growths)), (method.name,)
