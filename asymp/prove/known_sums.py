"""Search for proofs of comparisons with sums that have names, and with functions that are sums: equals are put for equals.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("Sum((-1)^k*n!/k!, (k, 0, n)) = subfactorial(n) for whole n >= 0"), True)
⊢ Sum((-1)^k*n!/k!, (k, 0, n)) = subfactorial(n) for whole n >= 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.sequences.known_sums import FORMS
from asymp.kernel.sequences.lattice import context
from asymp.kernel.sequences.rewriting import replaced
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.conditions import Compared
from asymp.language.statement import Comparison, Statement

HEADS = frozenset({"Sum", "floor", "lowergamma", "subfactorial"})
Prove = Callable[[Statement], Theorem]


def put_in(statement: Statement, prove: Prove) -> Theorem:
    """A theorem on a comparison, from one on it with other names for sums; ``prove``: of that.

    Raises:
        Refused: none is found, or there are no such sums.
    """
    if type(statement.body) is not Comparison or statement.some or statement.uniform or statement.regime:
        raise Refused("a comparison for all of a domain is wanted")
    for form in FORMS:
        with suppress(Refused):
            return apply("known sum", statement=str(statement), form=form)
    known: list[Theorem] = []
    put: dict[Term, Term] = {}
    for part in dict.fromkeys(_largest(statement)):
        for form, of in FORMS.items():
            with suppress(Refused):
                right = of(part, context(statement))
                equation = replace(statement, body=Comparison(Compared((node_of(part), node_of(right)), ("=",))))
                known.append(apply("known sum", statement=str(equation), form=form))
                put[part] = right
                break
    if not known:
        raise Refused("no sums that have other names")
    return apply("replace", [*known, prove(replaced(statement, put))], statement=str(statement))


def _largest(statement: Statement) -> Iterator[Term]:
    """Parts of the sides that such equations may speak of, none of them inside another."""
    todo = [terms.of(node) for node in statement.terms()]
    while todo:
        one = todo.pop()
        if one.head in HEADS:
            yield one
        else:
            todo += one.parts
