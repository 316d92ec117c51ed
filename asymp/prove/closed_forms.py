"""Closed forms of sums of powers and of geometric sums, proposed as F with F(k + 1) - F(k) = f(k)."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.context import Context
from asymp.kernel.rings.ratio import Ratio, in_order, rational, to_term
from asymp.kernel.summation.sums import Sums
from asymp.kernel.terms import Refused, Term, add, multiply, name, negative, number, power, reciprocal, substitute
from asymp.language.conditions import Condition, name_of
from asymp.language.statement import Statement


@dataclass(frozen=True)
class Total:
    """A sum of a monomial, as it stands in a coefficient: its name there, its body, ends, and bound variable."""

    atom: Term
    body: Ratio
    low: Term
    high: Term
    variable: str


def totals(one: Sums, x: Ratio) -> list[Total]:
    """The sums that stand in a coefficient."""
    found = {}
    for powers in x.num:
        for a, _ in powers:
            meaning = one.meaning.get(a.name)
            if meaning is not None and meaning.head == "Sum":
                body, low, high, k = meaning.parts
                found[a.name] = Total(a, one._of(body), low, high, k.name)
    return list(found.values())


def linear_part(x: Ratio, one: Term) -> Ratio | None:
    """The coefficient of an atom, if no higher power of it occurs."""
    found: dict[tuple[tuple[Term, mpq], ...], mpq] = {}
    for powers, c in x.num.items():
        k = dict(powers).get(one, mpq(0))
        if k not in (0, 1):
            return None
        if k:
            found[in_order({a: e for a, e in powers if a != one})] = c
    return Ratio(found)


def closed_form(one: Sums, total: Total, statement: Statement) -> tuple[str, str, str, Term] | None:
    """Of Sum(k^m x^(c k), (k, a, b)): the equation, its variable, F with F(k + 1) - F(k) = k^m x^(c k), and the value."""
    ((powers, _),) = total.body.num.items()
    degree, base, rate = 0, terms.ONE, terms.ONE
    for a, e in powers:
        meaning = one.meaning.get(a.name)
        if a == name(total.variable) and e.denominator == 1 and 0 <= e <= 6:
            degree = int(e)
        elif meaning is not None and meaning.head == "power" and base == terms.ONE:
            if one.depends(meaning.parts[0], total.variable):
                return None
            quotient = one._of(meaning.parts[1]) * rational(e) * one._of(reciprocal(name(total.variable)))
            if any(one.depends(x, total.variable) for p in quotient.num for x, _ in p):
                return None
            base, rate = one.meant(meaning.parts[0]), one.meant(to_term(quotient))
        else:
            return None
    taken = {v for node in statement.terms() for v in terms.free(terms.of(node))} | {
        v for c in statement.conditions() for v in names_in(c)
    }
    k = next(v for v in (f"k{j}" if j else "k" for j in range(100)) if v not in taken)
    x = power(base, rate) if rate != terms.ONE else base
    by = multiply(power(base, multiply(rate, name(k))), _geometric(degree, x, k)) if base != terms.ONE else _faulhaber(degree, k)
    low, high = simple(one.meant(total.low)), simple(one.meant(total.high))
    body = multiply(power(base, multiply(rate, name(k))), power(name(k), number(degree)) if degree else terms.ONE)
    start = negative(substitute(by, {k: low}))
    value = start if high == name("oo") else add(substitute(by, {k: add(high, terms.ONE)}), start)
    return f"Sum({body}, ({k}, {low}, {high})) = {value}", k, str(by), value


def simple(term: Term) -> Term:
    """A polynomial multiplied out; anything else as it is."""
    try:
        return to_term(Context(continuous=True).value(term))
    except Refused:
        return term


def names_in(c: Condition) -> set[str]:
    """The variables of a condition."""
    return {v for node in c.terms() if node.kind != "tuple" for v in terms.free(terms.of(node))} | {name_of(c)} - {""}


def _geometric(m: int, x: Term, k: str) -> Term:
    """P with x P(k + 1) - P(k) = k^m: k^m/(x - 1) - x/(x - 1) sum over j < m of binomial(m, j) P_j."""
    over = reciprocal(add(x, number(-1)))
    found: list[Term] = []
    for i in range(m + 1):
        lower = [multiply(number(-comb(i, j)), x, over, found[j]) for j in range(i)]
        found.append(add(multiply(power(name(k), number(i)) if i else terms.ONE, over), *lower))
    return found[m]


def _faulhaber(m: int, k: str) -> Term:
    """S with S(k + 1) - S(k) = k^m."""
    found: list[Term] = []
    for i in range(m + 1):
        lower = [multiply(number(mpq(-comb(i + 1, j), i + 1)), found[j]) for j in range(i)]
        found.append(add(multiply(number(mpq(1, i + 1)), power(name(k), number(i + 1))), *lower))
    return found[m]
