"""Search for proofs of comparisons of powers, factorials and products by those of their logarithms; the kernel's rules decide.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove import sums
>>> holds(read_statement("n! <= n^n for whole n >= 1"), sums.holds)
⊢ n! <= n^n for whole n >= 1
"""

from __future__ import annotations

from collections.abc import Callable

from asymp.kernel import terms
from asymp.kernel.sequences.induction import links
from asymp.kernel.terms import Refused, Term, call
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison
from asymp.language.conditions import text_of
from asymp.language.statement import Statement, read_statement


def holds(statement: Statement, prover: Callable[[Statement], Theorem]) -> Theorem:
    """A theorem that f <= g holds, from one that log f <= log g does, and the same for < and =.

    Raises:
        Refused: no side is such a term, or none was found.
    """
    if type(statement.body) is not Comparison or len(links(statement.body.chain)) != 1:
        raise Refused("one comparison is wanted")
    left, sign, right = links(statement.body.chain)[0]
    if not (_grows(left) or _grows(right)) or "log" in (left.head, right.head):
        raise Refused("no power, factorial or product whose logarithm is simpler")
    logs = tuple(call("log", side) for side in (left, right))
    premise = prover(_compared(statement, logs[0], sign, logs[1]))
    powers = _compared(statement, call("exp", logs[0]), sign, call("exp", logs[1]))
    again = apply("monotone", [premise], statement=str(powers))
    return apply("sums", [again], statement=str(statement), by=[[[0, "1"]]])


def _grows(term: Term) -> bool:
    """Whether it is, as a whole, made of factors of which one is a power with a variable exponent, a factorial or a product."""
    parts = term.parts if term.head == "product" else (term,)
    return any(
        part.head in ("factorial", "Product", "binomial", "exp")
        or (part.head == "power" and (bool(terms.free(part.parts[1])) or _grows(part.parts[0])))
        for part in parts
    )


def _compared(statement: Statement, left: Term, sign: str, right: Term) -> Statement:
    where = f" for {text_of(statement.domain)}" if statement.domain else ""
    return read_statement(f"{left} {sign} {right}{where}")
