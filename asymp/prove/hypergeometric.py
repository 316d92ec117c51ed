"""Hypergeometric terms by the quotients of their neighbours, and Gosper's and Zeilberger's algorithms on these.

A term t(n, k) is hypergeometric where t(n, k + 1)/t(n, k) and t(n + 1, k)/t(n, k) are rational functions: t is a product of
rational functions, of powers with exponents linear in n and k, and of factorials of what is linear in them with whole slopes.
For terms t_0, t_1, ... with rational quotients it is asked for a_j free of k, and a rational R, such that

    a_0 t_0(k) + a_1 t_1(k) + ... = G(k + 1) - G(k),    G(k) = R(k) t_0(k)

(Petkovsek, Wilf and Zeilberger, A = B, chapters 5 and 6).  All is formal: the kernel looks at poles, and at ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from asymp.kernel import terms
from asymp.kernel.rings.ratio import primes
from asymp.kernel.terms import Refused, Term, add, multiply, name, number, power

MOST_SHIFT = 12
MOST_UNKNOWN = 24
MOST_DEGREE = 60

Quotient = Any
"""An element of the field of rational functions over the whole numbers; its first generator is k."""


class NoTelescoper(Refused):
    """There is no such telescoping sum."""


@dataclass
class Formal:
    """r b_1^(e_1) ... L_1!^(m_1) ..., with linear forms e and L: what it is at one place, as rational functions."""

    rational: Quotient
    powers: list[tuple[Quotient, Quotient]]
    factorials: list[tuple[Quotient, int]]

    def __mul__(self, other: Formal) -> Formal:
        return Formal(self.rational * other.rational, self.powers + other.powers, self.factorials + other.factorials)

    def raised(self, m: int) -> Formal:
        """A whole power."""
        return Formal(self.rational**m, [(b, e * m) for b, e in self.powers], [(x, m * j) for x, j in self.factorials])


class Ring:
    """Rational functions of some names; of ``k`` first."""

    def __init__(self, k: str, names: Sequence[str]) -> None:
        self.names = [k, *(v for v in names if v != k)]
        from sympy import ZZ  # what needs no recurrence needs no SymPy
        from sympy.polys.fields import field

        self.field, *gens = field([f"x{j}" for j in range(len(self.names))], ZZ)
        self.gens = dict(zip(self.names, gens, strict=True))
        self.k = gens[0]

    # --- from terms, and to terms ------------------------------------------------------------------

    def formal(self, term: Term) -> Formal:
        """A term as a product of such factors.

        Raises:
            Refused: it is none, or divides by 0.
        """
        try:
            return self._formal(term)
        except ZeroDivisionError:
            raise Refused("a division by 0") from None

    def _formal(self, term: Term) -> Formal:
        match term.head:
            case "number":
                return self._plain(self.field(int(term.number.numerator)) / self.field(int(term.number.denominator)))
            case "name" if term.name in self.gens:
                return self._plain(self.gens[term.name])
            case "product":
                return reduce(Formal.__mul__, map(self.formal, term.parts))
            case "sum":
                return self._sum([self.formal(part) for part in term.parts])
            case "power":
                base, e = self.formal(term.parts[0]), term.parts[1]
                if e.is_number and e.number.denominator == 1 and abs(e.number) <= MOST_SHIFT:
                    return base.raised(int(e.number))
                if base.powers or base.factorials:
                    raise Refused("a power of what is not rational")
                over = self.rational(e)
                if not term.parts[0].is_number or not term.parts[0].number:
                    return Formal(self.field(1), [(base.rational, over)], [])
                c = term.parts[0].number
                found = [(self.field(-1), over)] if c < 0 else []
                return Formal(self.field(1), found + [(self.field(q), over * m) for q, m in primes(abs(c))], [])
            case "factorial":
                return Formal(self.field(1), [], [(self.rational(term.parts[0]), 1)])
            case "gamma":
                return Formal(self.field(1), [], [(self.rational(term.parts[0]) - 1, 1)])
            case "binomial" if len(term.parts) == 2:
                x, y = map(self.rational, term.parts)
                return Formal(self.field(1), [], [(x, 1), (y, -1), (x - y, -1)])
            case "catalan":
                x = self.rational(term.parts[0])
                return Formal(1 / (x + 1), [], [(2 * x, 1), (x, -2)])
        raise Refused(f"{term.head} is nothing hypergeometric")

    def _plain(self, x: Quotient) -> Formal:
        return Formal(x, [], [])

    def rational(self, term: Term) -> Quotient:
        """A term that is a rational function.

        Raises:
            Refused: it is none.
        """
        found = self.formal(term)
        if found.powers or found.factorials:
            raise Refused("an argument that is not rational")
        return found.rational

    def _sum(self, parts: Sequence[Formal]) -> Formal:
        """The sum of similar terms."""
        quotients = [self.quotient(part, parts[0]) for part in parts]
        return Formal(parts[0].rational * sum(quotients, self.field(0)), parts[0].powers, parts[0].factorials)

    def quotient(self, one: Formal, other: Formal) -> Quotient:
        """one/other, if that is a rational function.

        Raises:
            Refused: it is none.
        """
        found = one * other.raised(-1)
        result = found.rational
        left = list(found.factorials)
        while left:
            x, m = left.pop()
            total = m
            rest = []
            for y, j in left:
                shift = whole_number(y - x)
                if shift is None:
                    rest.append((y, j))
                else:
                    result, total = result * self._steps(x, shift) ** j, total + j
            if total:
                raise Refused("terms whose quotient is not rational")
            left = rest
        bases: dict[Quotient, Quotient] = {}
        for b, e in found.powers:
            bases[b] = bases.get(b, self.field(0)) + e
        for b, e in bases.items():
            shift = whole_number(e)
            if shift is None:
                raise Refused("powers whose quotient is not rational")
            result = result * b**shift
        return result

    def _steps(self, x: Quotient, m: int) -> Quotient:
        """(x + m)!/x!."""
        if abs(m) > MOST_SHIFT:
            raise Refused("factorials that are far from one another")
        found = self.field(1)
        for j in range(1, abs(m) + 1):
            found = found * (x + j) if m > 0 else found / (x + 1 - j)
        return found

    def times(self, x: Quotient, term: Term) -> Term:
        """A rational function times a term: the rational factors of that are taken into it."""
        rest = []
        for part in term.parts if term.head == "product" else (term,):
            try:
                x = x * self.rational(part)
            except Refused:
                rest.append(part)
        return multiply(self.term(x), *rest)

    def moved(self, one: Formal, v: str, by: int) -> Formal:
        """The term with v + by for v."""
        return Formal(self.shift(one.rational, v, by), [(self.shift(b, v, by), self.shift(e, v, by)) for b, e in one.powers],
                      [(self.shift(x, v, by), m) for x, m in one.factorials])  # fmt: skip

    def shift(self, x: Quotient, v: str, by: int) -> Quotient:
        """A rational function with v + by for v."""
        gen = self.gens[v].numer
        return self.field(_composed(x.numer, gen, by)) / self.field(_composed(x.denom, gen, by))

    def limit(self, x: Quotient) -> Quotient:
        """As k -> oo.

        Raises:
            Refused: it has none.
        """
        k = self.k.numer
        d = x.denom.degree(k)
        if x.numer and x.numer.degree(k) > d:
            raise Refused("no limit")
        return self.field(_coefficient(x.numer, k, d)) / self.field(_coefficient(x.denom, k, d))

    def term(self, x: Quotient) -> Term:
        """A rational function as a term, in factors."""
        return multiply(self._factors(x.numer, 1), self._factors(x.denom, -1))

    def _factors(self, p: Any, side: int) -> Term:
        """A polynomial, or its reciprocal, as a product."""
        if not p:
            return terms.ZERO
        content, found = p.factor_list()
        powers = [(self._polynomial(q), side * m) for q, m in found]
        whole = power(number(int(content)), number(side))
        return multiply(whole, *(q if m == 1 else power(q, number(m)) for q, m in powers))

    def _polynomial(self, p: Any) -> Term:
        return add(*(
            multiply(number(int(c)), *(power(name(v), number(e)) for v, e in zip(self.names, m, strict=True) if e))
            for m, c in p.terms()
        ))  # fmt: skip


def _composed(p: Any, gen: Any, by: int) -> Any:
    return p.compose(gen, gen + by) if by else p


def whole_number(x: Quotient) -> int | None:
    """The whole number that a rational function is, or None."""
    if x.denom != 1 or not (x.numer.is_ground):
        return None
    return int(x.numer.coeff(1)) if x.numer else 0


# --- Gosper, with unknown factors -----------------------------------------------------------------------


def telescoper(ring: Ring, quotients: Sequence[Quotient], step: Quotient) -> tuple[list[Quotient], Quotient]:
    """a_j free of k, not all 0, and R; t_j/t_0 are the quotients, and t_0(k + 1)/t_0(k) the step.

    Raises:
        Refused: there are none.
    """
    r, k = ring.field.ring, ring.field.ring.gens[0]
    q = reduce(lambda x, y: x.lcm(y), (x.denom for x in quotients))
    heads = [(x * ring.field(q)).numer for x in quotients]
    h = step * ring.field(q) / ring.field(_composed(q, k, 1))
    a, b, c = _gosper_form(h, k)
    before = _composed(b, k, -1)
    most = max(p.degree(k) for p in heads) + c.degree(k)
    degree = _degree(a, before, most, k)
    if degree < 0 or degree + len(heads) > MOST_UNKNOWN:
        raise NoTelescoper("no telescoping sum")
    columns = []
    x = r(1)
    up = r(1)
    for _ in range(degree + 1):
        columns.append(a * up - before * x)
        x, up = x * k, up * (k + 1)
    columns += [-c * p for p in heads]
    rows: dict[int, dict[int, Any]] = {}
    for j, p in enumerate(columns):
        for powers, value in p.terms():
            cell = rows.setdefault(powers[0], {}).setdefault(j, r(0))
            rows[powers[0]][j] = cell + r({(0, *powers[1:]): value})
    found = _null(r, [[row.get(j, r(0)) for j in range(len(columns))] for row in rows.values()], degree + 1)
    xs, factors = found[: degree + 1], found[degree + 1 :]
    total = sum((x * ring.field(k) ** j for j, x in enumerate(xs)), ring.field(0))
    return factors, total * ring.field(before) / (ring.field(c) * ring.field(q))


def _null(r: Any, rows: list[list[Any]], unknown: int) -> list[Quotient]:
    """A vector that the rows send to 0, of which something after the first unknowns is not 0: that without denominators."""
    from sympy.polys.matrices import DomainMatrix

    space = DomainMatrix(rows, (len(rows), len(rows[0])), r.to_domain()).to_field().nullspace()
    for vector in space.to_list():
        if any(vector[unknown:]):
            to = vector[0].field
            scale = reduce(lambda x, y: x.lcm(y), (x.denom for x in vector[unknown:]))
            shared = reduce(lambda x, y: x.gcd(y), ((x * to(scale)).numer for x in vector[unknown:]))
            return [x * to(scale) / to(shared) for x in vector]
    raise NoTelescoper("no telescoping sum")


def _gosper_form(h: Quotient, k: Any) -> tuple[Any, Any, Any]:
    """a, b, c with h = a(k)/b(k) c(k + 1)/c(k), and no common factor of a(k) and b(k + j) for j = 0, 1, ..."""
    (above, a), (below, b) = ([content, dict(found)] for content, found in (h.numer.factor_list(), h.denom.factor_list()))
    c = h.numer.ring(1)
    for p in list(a):
        for q in list(b):
            if a[p] and b.get(q) and (shift := _apart(p, q, k)) is not None:
                m = min(a[p], b[q])
                a[p], b[q] = a[p] - m, b[q] - m
                for j in range(1, shift + 1):
                    c *= _composed(p, k, -j) ** m
                if _composed(q, k, shift) != p:
                    above = -above if m % 2 else above
    def multiplied(content: Any, found: dict[Any, int]) -> Any:
        return reduce(lambda x, f: x * f[0] ** f[1], found.items(), c.ring(content))

    return multiplied(above, a), multiplied(below, b), c


def _apart(p: Any, q: Any, k: Any) -> int | None:
    """j >= 0 with p(k) = q(k + j), or its negative, for irreducible polynomials in which k stands."""
    d = p.degree(k)
    if d < 1 or q.degree(k) != d:
        return None
    one, other = (_coefficient(f, k, d) for f in (p, q))
    if one != other and one != -other:
        return None
    low, side = (_coefficient(f, k, d - 1) for f in (p, q))
    gap = low - side if one == other else -low - side
    j = gap.ring.to_field()(gap) / gap.ring.to_field()(other * d)
    found = whole_number(j)
    if found is None or found < 0 or _composed(q, k, found) not in (p, -p):
        return None
    return found


def _coefficient(p: Any, k: Any, d: int) -> Any:
    """That of k^d, free of k."""
    return p.ring.from_dict({(0, *m[1:]): c for m, c in p.terms() if m[0] == d})


def _degree(a: Any, b: Any, most: int, k: Any) -> int:
    """The largest degree in k that x may have where a(k) x(k + 1) - b(k) x(k) is of degree ``most``."""
    most = max(most, -1)  # that of 0 is no number
    top = max(a.degree(k), b.degree(k))
    if _coefficient(a - b, k, top):
        return int(most - top)
    to = a.ring.to_field()
    root = whole_number(to(_coefficient(b - a, k, top - 1)) / to(_coefficient(a, k, top))) if top else None
    return int(max(most - top + 1, -1 if root is None else min(root, MOST_DEGREE)))
