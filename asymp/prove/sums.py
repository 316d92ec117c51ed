"""Search for proofs of comparisons of terms with sums: closed forms, induction, logarithms; the kernel's rules decide.

>>> holds(read_statement("Sum(k, (k, 1, n)) = n*(n + 1)/2 for whole n >= 1"))
⊢ Sum(k, (k, 1, n)) = n*(n + 1)/2 for whole n >= 1
>>> holds(read_statement("(1 + x)^n >= 1 + n*x for x > 0, whole n >= 1"))
⊢ (1 + x)^n >= 1 + n*x for x > 0, whole n >= 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from asymp.kernel import terms
from asymp.kernel.ratio import Ratio, in_order, rational
from asymp.kernel.sequences import difference, links
from asymp.kernel.sums import Sums, settled
from asymp.kernel.field import to_term
from asymp.kernel.terms import Refused, Term, add, multiply, name, negative, number, power, reciprocal, substitute
from asymp.kernel.theorem import Theorem, apply
from asymp.language.conditions import Compared, Condition, OfKind, name_of, text_of
from asymp.language.statement import Comparison, Statement, read_statement

DEEPEST = 3
"""Inductions inside one another."""


def holds(statement: Statement) -> Theorem:
    """A theorem that a comparison holds for all of its domain.

    Raises:
        Refused: none was found, or the statement is of another form.
    """
    if type(statement.body) is not Comparison or statement.some or statement.uniform or statement.regime:
        raise Refused("a comparison for all of a domain is wanted")
    last = Refused("no way to such a theorem")
    for way in (_plainly, _by_closed_forms, _by_induction):
        try:
            return way(statement)
        except Refused as error:
            last = error
    raise last


def _plainly(statement: Statement) -> Theorem:
    return apply("sums", statement=str(statement), by=[])


# --- closed forms -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Total:
    """A sum of a monomial, as it stands in a coefficient: its name there, its body, ends, and bound variable."""

    atom: Term
    body: Ratio
    low: Term
    high: Term
    variable: str


def _by_closed_forms(statement: Statement) -> Theorem:
    """All sums that have closed forms are replaced by these."""
    assert isinstance(statement.body, Comparison)
    where = text_of(statement.domain)
    premises: list[Theorem] = []
    places: dict[str, int] = {}

    def closed(one: Sums, total: Total) -> tuple[int, Term] | None:
        found = _closed_form(one, total, statement)
        if found is None:
            return None
        text, variable, by, value = found
        if text not in places:
            try:
                premises.append(apply("telescope", statement=f"{text} for {where}", variable=variable, by=by))
            except Refused:
                return None
            places[text] = len(premises) - 1
        return places[text], value

    by: list[list[list[object]]] = []

    def work(one: Sums) -> None:
        by.clear()
        for left, _, right in links(statement.body.chain):  # type: ignore[union-attr]
            gap, used = one.of(right) - one.of(left), []
            for total in _totals(one, gap):
                form = closed(one, total)
                part = _linear_part(gap, total.atom)
                if form is None or part is None:
                    continue
                factor = -part
                used.append([form[0], str(explained(one, to_term(factor)))])
                gap = gap - factor * (one.of(form[1]) - Ratio({((total.atom, Fraction(1)),): Fraction(1)}))
            by.append(used)

    settled(statement.domain, work)
    if not premises:
        raise Refused("no sum with a closed form is seen")
    return apply("sums", premises, statement=str(statement), by=by)


def _totals(one: Sums, x: Ratio) -> list[Total]:
    found = {}
    for powers in x.num:
        for a, _ in powers:
            meaning = one.meaning.get(a.name)
            if meaning is not None and meaning.head == "Sum":
                body, low, high, k = meaning.parts
                found[a.name] = Total(a, one._of(body), low, high, k.name)
    return list(found.values())


def _linear_part(x: Ratio, one: Term) -> Ratio | None:
    """The coefficient of an atom, if no higher power of it occurs."""
    found: dict[tuple[tuple[Term, Fraction], ...], Fraction] = {}
    for powers, c in x.num.items():
        k = dict(powers).get(one, Fraction(0))
        if k not in (0, 1):
            return None
        if k:
            found[in_order({a: e for a, e in powers if a != one})] = c
    return Ratio(found)


def explained(one: Sums, term: Term, bound: str = "") -> Term:
    """A term of a coefficient in the statement's own names."""
    if term.head == "name" and term.name in one.origins:
        return one.origins[term.name]
    if term.head == "name" and term.name in one.meaning:
        meaning = one.meaning[term.name]
        if meaning.head != "Sum":
            return explained(one, meaning)
        body, low, high, k = meaning.parts
        inner = _bound(explained(one, body), k.name, 0)
        return Term("Sum", (inner, explained(one, low), explained(one, high)))
    if not term.parts:
        return term
    return terms.rebuilt(term, tuple(explained(one, part) for part in term.parts))


def _bound(term: Term, variable: str, depth: int) -> Term:
    """The body of a sum with its variable bound."""
    if term == name(variable):
        return Term("bound", number=Fraction(depth))
    if not term.parts:
        return term
    inside = [depth + 1 if k == 0 and term.head in ("Sum", "Product", "Integral") else depth for k in range(len(term.parts))]
    return terms.rebuilt(term, tuple(_bound(part, variable, d) for part, d in zip(term.parts, inside, strict=True)))


def _closed_form(one: Sums, total: Total, statement: Statement) -> tuple[str, str, str, Term] | None:
    """Of Sum(k^m x^(c k), (k, a, b)): the equation, its variable, F with F(k + 1) - F(k) = k^m x^(c k), and the value."""
    ((powers, _),) = total.body.num.items()
    degree, base, rate = 0, terms.ONE, terms.ONE
    for a, e in powers:
        meaning = one.meaning.get(a.name)
        if a == name(total.variable) and e.denominator == 1 and 0 <= e <= 6:
            degree = int(e)
        elif meaning is not None and meaning.head == "power" and base == terms.ONE and not one.depends(meaning.parts[0], total.variable):
            quotient = one._of(meaning.parts[1]) * rational(e) * one._of(reciprocal(name(total.variable)))
            if any(one.depends(x, total.variable) for p in quotient.num for x, _ in p):
                return None
            base, rate = explained(one, meaning.parts[0]), explained(one, to_term(quotient))
        else:
            return None
    taken = {v for node in statement.terms() for v in terms.free(terms.of(node))} | {
        v for c in statement.conditions() for v in _names(c)
    }
    k = next(v for v in (f"k{j}" if j else "k" for j in range(100)) if v not in taken)
    x = power(base, rate) if rate != terms.ONE else base
    by = multiply(power(base, multiply(rate, name(k))), _geometric(degree, x, k)) if base != terms.ONE else _faulhaber(degree, k)
    low, high = explained(one, total.low), explained(one, total.high)
    body = multiply(power(base, multiply(rate, name(k))), power(name(k), number(degree)) if degree else terms.ONE)
    start = negative(substitute(by, {k: low}))
    value = start if high == name("oo") else add(substitute(by, {k: add(high, terms.ONE)}), start)
    return f"Sum({body}, ({k}, {low}, {high})) = {value}", k, str(by), value


def _names(c: Condition) -> set[str]:
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
        lower = [multiply(number(Fraction(-comb(i + 1, j), i + 1)), found[j]) for j in range(i)]
        found.append(add(multiply(number(Fraction(1, i + 1)), power(name(k), number(i + 1))), *lower))
    return found[m]


# --- induction -------------------------------------------------------------------------------------------


def _by_induction(statement: Statement, depth: int = 0) -> Theorem:
    """Over a whole variable that starts at a number; the step may be an induction again."""
    assert isinstance(statement.body, Comparison)
    pairs = links(statement.body.chain)
    if len(pairs) != 1:
        raise Refused("a chain is proved link by link")
    left, sign, right = pairs[0]
    for n, least, others in _starts(statement):
        where = text_of(others)
        base = f"{substitute(left, {n: least})} {sign} {substitute(right, {n: least})}" + (f" for {where}" if where else "")
        weaker = "<=" if sign == "<" else sign
        step = f"{difference(left, n)} {weaker} {difference(right, n)} for {text_of(statement.domain)}"
        try:
            first = _at_depth(read_statement(base), DEEPEST)
            then = _at_depth(read_statement(step), depth + 1)
            return apply("induction", [first, then], statement=str(statement), variable=n)
        except Refused:
            continue
    raise Refused("no induction is found")


def _at_depth(statement: Statement, depth: int) -> Theorem:
    last = Refused("no way to such a theorem")
    ways: list[Callable[[Statement], Theorem]] = [_plainly, _by_closed_forms, _by_logarithms]
    if depth < DEEPEST:
        ways.append(lambda s: _by_induction(s, depth))
    for way in ways:
        try:
            return way(statement)
        except Refused as error:
            last = error
    raise last


def _starts(statement: Statement) -> Iterator[tuple[str, Term, list[Condition]]]:
    whole = {c.name for c in statement.domain if isinstance(c, OfKind) and c.kind == "whole"}
    for n in sorted(whole):
        about = [c for c in statement.domain if n in _names(c) or (isinstance(c, OfKind) and c.name == n)]
        bounds = [c for c in about if not isinstance(c, OfKind)]
        if len(bounds) == 1 and isinstance(bounds[0], Compared) and len(bounds[0].parts) == 2:
            low = terms.of(bounds[0].parts[1])
            if bounds[0].signs == (">=",) and low.is_number:
                yield n, low, [c for c in statement.domain if c not in about]


# --- logarithms ----------------------------------------------------------------------------------------------


def _by_logarithms(statement: Statement) -> Theorem:
    raise Refused("no logarithms")
