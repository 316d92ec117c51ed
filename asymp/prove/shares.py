"""Search for closed forms of sums of shares: g(k) t/(s(k) + t) where g(k) s(k)/(s(k) + t) = g(k + 1), so that all but two
terms cancel; the kernel's rule decides.

>>> from asymp.language.statement import read_statement
>>> text = "Sum(Product(i*x/(i*x + y), (i, 1, k - 1))*y/(k*x + y), (k, 1, n)) = 1 - Product(i*x/(i*x + y), (i, 1, n))"
>>> holds(read_statement(f"{text} for whole n >= 1, x > 0, y > 0"), lambda rest: apply("sums", statement=str(rest), by=[]))
⊢ Sum(Product(i*x/(i*x + y), (i, 1, k - 1))*y/(k*x + y), (k, 1, n)) = 1 - Product(i*x/(i*x + y), (i, 1, n)) for whole n >= 1, \
x > 0, y > 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import asymp.kernel.sequences.partial  # noqa: F401  # the rule for such sums
from asymp.kernel import terms
from asymp.kernel.sequences.rewriting import replaced, with_case
from asymp.kernel.summation import linear
from asymp.kernel.terms import Refused, Term, add, multiply, name, negative, opened, substitute
from asymp.kernel.theorem import Theorem, apply
from asymp.language.conditions import OfKind
from asymp.language.statement import Comparison, Statement
from asymp.prove import first, read_on


def holds(statement: Statement, prover: Callable[[Statement], Theorem]) -> Theorem:
    """A theorem, from one without the sums.

    Raises:
        Refused: none was found.
    """
    terms_ = [part for node in statement.terms() for part in terms.walk(terms.of(node))]
    total = next((one for one in terms_ if one.head == "Sum" and not terms.has_bound(one) and any(_shares(one))), None)
    if total is None:
        raise Refused("no sum of shares")
    low, high = total.parts[1:]
    whole = frozenset(c.name for c in statement.domain if isinstance(c, OfKind) and c.kind == "whole") - terms.CONSTANTS
    cell, _ = linear.system(statement.domain, whole)
    if not linear.implies(cell, linear.at_least(low, high, whole)):
        cases = list(_cases(low, high, whole))
        parts = [holds(one, prover) if "where" in case else prover(one)
                 for case in cases for one in [with_case(statement, case, whole)[0]]]  # fmt: skip
        return apply("cases", parts, statement=str(statement), cases=cases)
    equation = _equation(total, statement)
    assert isinstance(equation.statement.body, Comparison)
    rest = replaced(statement, {total: terms.of(equation.statement.body.chain.parts[1])})
    try:
        last = holds(rest, prover)
    except Refused:
        last = prover(rest)
    return apply("replace", [equation, last], statement=str(statement))


def _cases(low: Term, high: Term, whole: frozenset[str]) -> Iterator[dict[str, object]]:
    """That a sum has terms, and that it has none."""
    yield {"where": f"{low} <= {high}"}
    gap = linear.form(add(high, negative(low), terms.ONE), whole)
    for v, k in gap[0].items():
        if abs(k) == 1 and "*" not in v:
            rest = [multiply(terms.number(-k * c), linear.product(w)) for w, c in gap[0].items() if w != v]
            yield {"put": {v: str(add(terms.number(-k * gap[1]), *rest))}}
            return
    raise Refused("a sum that may be empty, where no variable is given by others")


K = "k_"


def _equation(total: Term, statement: Statement) -> Theorem:
    """The sum, and its closed form."""
    low, high = total.parts[1:]
    f = opened(total.parts[0], name(K))

    def told(g: Term) -> Theorem:
        by = negative(g)
        value = add(substitute(g, {K: low}), substitute(by, {K: high}), substitute(f, {K: high}))
        return apply("partial sum", statement=str(read_on(f"{total} = {value}", statement.domain)), variable=K, by=str(by))

    return first((partial(told, g) for g in _shares(total)), "no share")


def _shares(total: Term) -> Iterator[Term]:
    """g, of a body g t/(s + t)."""
    f = opened(total.parts[0], name(K))
    factors = list(f.parts) if f.head == "product" else [f]
    for one in factors:
        if one.head == "power" and one.parts[1] == terms.number(-1) and one.parts[0].head == "sum":
            for t in one.parts[0].parts:
                left = [x for x in factors if x is not one]
                try:
                    for x in t.parts if t.head == "product" else (t,):
                        left.remove(x)
                except ValueError:
                    continue
                yield multiply(*left)
