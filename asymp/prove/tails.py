"""Search for proofs that the partial sums of a convergent series stay below a number; the kernel's rules decide.

With T(n) >= 0 and f(n + 1) <= T(n) - T(n + 1) for n >= K the sum to n is at most c - T(n), by induction from S(K) + T(K) <= c.
For f(k) near C k^(-s) a T is C (n + h)^(1 - s)/(s - 1); where f(k + 1) <= q f(k), it is q f(n)/(1 - q).

>>> from asymp.language.statement import read_statement
>>> from asymp.prove import sums
>>> holds(read_statement("Sum(1/k^2, (k, 1, n)) < 2 for whole n >= 1"), sums.holds)
⊢ Sum(1/k^2, (k, 1, n)) < 2 for whole n >= 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.ranges import Evaluator, point
from asymp.kernel.sequences.induction import links
from asymp.kernel.sequences.rewriting import with_case
from asymp.kernel.terms import ONE, Refused, Term, add, multiply, name, negative, number, opened, power, reciprocal
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison
from asymp.language.conditions import Compared, OfKind, read_conditions, text_of
from asymp.language.statement import Statement, read_statement
from asymp.prove import first

BITS = 128
FAR = 10**6
"""Where the exponent of a term is read off."""
MOST_FIRST = 12
"""Values of n that are taken by themselves."""
EXPONENTS = 12
"""The exponent is taken as a multiple of 1/12."""
SHIFTS = (mpq(1, 2), mpq(1), mpq(0))
NEARLY = mpq(1, 2**60)
SHARES = (mpq(1), mpq(1, 2), mpq(1, 9), mpq(3))
"""Of f(n), that T(n) is: q/(1 - q)."""


def holds(statement: Statement, prover: Callable[[Statement], Theorem]) -> Theorem:
    """A theorem that a sum to n is below a number for all whole n from a number on.

    Raises:
        Refused: it is another statement, or none was found.
    """
    if type(statement.body) is not Comparison or len(links(statement.body.chain)) != 1:
        raise Refused("one comparison is wanted")
    total, sign, most = links(statement.body.chain)[0]
    if total.head != "Sum" or sign == "=" or terms.free(most) or total.parts[2].head != "name" or not total.parts[1].is_number:
        raise Refused("no sum to n that is to be below a number")
    n, least = total.parts[2].name, _least(statement, total.parts[2].name)
    if terms.free(total) != {n} or n in terms.free(total.parts[0]) or least is None:
        raise Refused("a sum with parameters")
    return first(
        partial(_bounded, statement, prover, (n, least), start, add(most, negative(rest)), total)
        for rest, start in _rests(total, most, n, least)
    )


def _least(statement: Statement, n: str) -> int | None:
    """Where a whole variable starts, of which nothing else is said."""
    kinds = [c for c in statement.domain if isinstance(c, OfKind)]
    bounds = [c for c in statement.domain if isinstance(c, Compared)]
    if len(statement.domain) != 2 or [(c.name, c.kind) for c in kinds] != [(n, "whole")] or len(bounds) != 1:
        return None
    ((low, sign, high),) = [(terms.of(x), s, terms.of(y)) for x, s, y in bounds[0].pairs()] if len(bounds[0].parts) == 2 else [
        (ONE, "", ONE)]  # fmt: skip
    if sign == ">=":
        low, high = high, low
    return int(low.number) if sign in ("<=", ">=") and low.is_number and low.number.denominator == 1 and high == name(n) else None


def _rests(total: Term, most: Term, n: str, least: int) -> Iterator[tuple[Term, int]]:
    """T(n), and the first n from which on the sum is seen to be at most c - T(n), by numbers."""
    body, start = total.parts[0], int(total.parts[1].number)

    def f(k: Term) -> Term:
        return opened(body, k)

    for rest in (*_of_powers(f, n), *(multiply(number(share), f(name(n))) for share in SHARES)):
        for k in range(max(least, start), max(least, start) + MOST_FIRST):
            try:
                gap = _value(add(most, negative(total), negative(rest)), n, k)
                falls = _value(rest, n, k) - _value(add(rest, f(name(n))), n, k + 1)
            except Refused:
                continue
            if gap > -NEARLY and falls > -NEARLY:
                yield rest, k
                break


def _of_powers(f: Callable[[Term], Term], n: str) -> Iterator[Term]:
    """C (n + h)^(1 - s)/(s - 1), for terms near C k^(-s)."""
    try:
        near, far = (_value(f(name(n)), n, k) for k in (FAR, FAR**2))
    except Refused:  # too small for a number: no power
        return
    if near <= 0 or far <= 0:
        return
    ratio = multiply(terms.call("log", number(near / far)), reciprocal(terms.call("log", number(FAR))))
    exponent = mpq(round(EXPONENTS * _value(ratio, n, 0)), EXPONENTS)
    scale = _value(multiply(f(name(n)), power(name(n), number(exponent))), n, FAR**2)
    scale = mpq(Fraction(int(scale.numerator), int(scale.denominator)).limit_denominator(1000))
    if exponent > 1 and scale > 0:
        for shift in SHIFTS:
            yield multiply(number(scale / (exponent - 1)), power(add(name(n), number(shift)), number(1 - exponent)))


def _value(term: Term, n: str, k: int) -> mpq:
    """The value for n = k, near enough."""
    found = Evaluator(BITS).range(term, {n: point(k)}).low
    return mpq(int(found.p), int(found.q))


def _bounded(
    statement: Statement, prover: Callable[[Statement], Theorem], ends: tuple[str, int], start: int, bound: Term, total: Term
) -> Theorem:
    """From S(n) <= c - T(n) for n >= start, and the values of n before."""
    n, least = ends
    where = tuple(read_conditions(f"whole {n}, {n} >= {start}"))
    given = prover(read_statement(f"{total} <= {bound} for {text_of(where)}"))
    rest = apply("sums", [given], statement=str(replace(statement, domain=where)), by=[[[0, "1"]]])
    if start <= least:
        return apply("sums", [rest], statement=str(statement), by=[[[0, "1"]]])
    whole = frozenset({n})
    cases: list[dict[str, Any]] = [{"put": {n: str(k)}} for k in range(least, start)]
    first_ones = [prover(with_case(statement, case, whole)[0]) for case in cases]
    (others,) = where[1:]
    case = {"where": str(others)}
    after = apply("sums", [rest], statement=str(with_case(statement, case, whole)[0]), by=[[[0, "1"]]])
    return apply("cases", [*first_ones, after], statement=str(statement), cases=[*cases, case])
