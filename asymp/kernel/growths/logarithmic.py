"""Quotients by the difference of logarithms: f ~ g where log f - log g -> 0, and f = o(g) where it tends to -oo; f -> 0 where
log f -> -oo, and f -> oo where log f -> oo.

Where two things move at rates of their own, the logarithms of powers, factorials and binomial coefficients have series whose
large terms cancel, which those of the quantities themselves have not.

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> text = "(1 - p)^n ~ exp(-n*p) as n -> oo, p -> 0+, n*p^2 -> 0"
>>> apply("by logarithms", [theorem(of_logarithms(read_closed(text)), True)], statement=text)
⊢ (1 - p)^n ~ exp(-n*p) as n -> oo, p -> 0+, n*p^2 -> 0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.regime import alone, is_positive
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import ONE, Refused, Term
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Body, Limiting, Ordering, Ratio
from asymp.language.statement import Statement
from asymp.language.syntax import Node

SPREAD = frozenset({"product", "power", "exp", "factorial", "gamma", "binomial"})
"""Heads of what has a logarithm that is no more than log of it."""


@rule("by logarithms")
def _by_logarithms(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f ~ g, f -> v, f = o(g), omega and Theta, from where log f - log g tends.  Data: statement.

    The premise has log f and log g written out: that of a product by those of its factors, of a power by its base's, of exp(x)
    as x.  Each of the logarithms has a value in the end, which says that what it is of is positive.
    """
    statement = read_closed(data["statement"])
    shown(premises, [of_logarithms(statement)])
    return Conclusion(statement)


def of_logarithms(statement: Statement) -> Statement:
    """The statement about logarithms.

    Raises:
        Refused: it is of another form, or a factor may not be positive.
    """
    if statement.some or statement.uniform or not statement.regime:
        raise Refused("a statement of another form")
    body = statement.body
    zero, oo = Node("number", 1, "0"), Node("name", 1, "oo")
    match body:
        case Ratio(f, g):
            told: tuple[Node, Node, Node | None] = (f, g, zero)
        case Limiting(f, v) if terms.of(v) in (terms.ZERO, terms.name("oo")) and terms.of(f).head in SPREAD:
            told = (f, Node("number", 1, "1"), oo if terms.of(v) == terms.name("oo") else Node("negative", 1, "", (oo,)))
        case Limiting(f, v):
            told = (f, v, zero)
        case Ordering(f, "o", g):
            told = (f, g, Node("negative", 1, "", (oo,)))
        case Ordering(f, "omega", g):
            told = (f, g, oo)
        case Ordering(f, "Theta", g):
            told = (f, g, None)
        case _:
            raise Refused("a statement of another form")
    left, right, limit = told
    if any(part.name in ("oo", "zoo", "nan") for part in terms.walk(terms.of(right))):
        raise Refused("a limit that is no number")
    parts = [_log(terms.of(left)), terms.negative(_log(terms.of(right)))]
    total = terms.add(*parts)
    lone = {v: kind for v, kind in alone(statement).items() if kind}
    kept = set(terms.walk(total))
    for one in {one for part in parts for one in terms.walk(part) if one.head in ("log", "loggamma")}:
        if one not in kept and not is_positive(one.parts[0], lone):  # what cancels was never asked for its value
            raise Refused(f"{one.parts[0]} is not seen to be positive")
    logs = node_of(total)
    made: Body = Ordering(logs, "O", Node("number", 1, "1")) if limit is None else Limiting(logs, limit)
    return replace(statement, body=made, ties=())


def _log(x: Term) -> Term:
    """log x by the logarithms of its factors, all of which are to be positive: each has its logarithm written, or is exp."""
    if x.head == "product":
        return terms.add(*map(_log, x.parts))
    if x.head == "power":
        base, exponent = x.parts
        return terms.multiply(exponent, _log(base))
    if x.head == "exp":
        return x.parts[0]
    if x.head == "factorial":
        return terms.call("loggamma", terms.add(x.parts[0], ONE))
    if x.head == "gamma":
        return terms.call("loggamma", x.parts[0])
    if x.head == "binomial":
        n, k = x.parts
        gammas = [terms.call("loggamma", terms.add(one, ONE)) for one in (n, k, terms.add(n, terms.negative(k)))]
        return terms.add(gammas[0], *map(terms.negative, gammas[1:]))
    if x == ONE:
        return terms.ZERO
    if x.is_number and x.number <= 0:
        raise Refused(f"{x} is not positive")
    return terms.call("log", x)
