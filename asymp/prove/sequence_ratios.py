r"""Linear recurrences of second order: the formal solution's ratio, bounds of a(n+1)/a(n) about it, and statements by these.

r(n) r(n-1) = P(n) r(n-1) + Q(n) has solutions r = n^k (t_0 + t_1 n^(-w) + t_2 n^(-2w) + ...), with w = 1 or 1/2 and t_j
one after another from equations of first or second degree (Birkhoff and Trjitzinsky); that with the larger t_0 and t_1
belongs to almost all sequences.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> said = "sequence a(n), (n+2)*a(n) = (2*n+1)*a(n-1) + 3*(n-1)*a(n-2), a(0) = 1, a(1) = 1"
>>> theorem(read_statement(f"a(n+1)/a(n) = 3 - 9/(2*n) + O(1/n^2) as whole n -> oo for {said}"), True).holds
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import isqrt

from gmpy2 import mpq

from asymp.budget import uncounted
from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.declared import Declared
from asymp.kernel.rings.polynomials import Poly
from asymp.kernel.sequences.declared import whole_from
from asymp.kernel.sequences.ratios import between, growing, second_order
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, name, negative, number, power, substitute
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Ordering
from asymp.language.conditions import Recurrence
from asymp.language.statement import Statement, read_statement
from asymp.prove.sequence_leaves import Find, approximate, by_leaves, moved, of_bound, running, shifts, stated

STARTS = (4, 10, 25, 60, 150, 400)
"""The n from which on bounds are looked for."""
WIDTHS = (1, 4, 16, 64, 256)
TERMS = (3, 5)
"""Terms of the formal solution that are kept."""
CHECKED = 40
SMALL = 1e-9


@dataclass(frozen=True)
class Bounds:
    """Theorems of l <= a(n+1)/a(n) <= h and of a(n) > 0, for whole n from some point on, and l, h = T -+ K n^e."""

    chain: Theorem
    positive: Theorem
    kept: Term
    rest: mpq
    low: Term
    high: Term


def bounds(found: Declared, v: str, find: Find) -> Iterator[Bounds]:
    """Bounds of the ratio about the formal solution, with ever more of its terms."""
    p, q, least = second_order(found)
    solution = formal(p, q, found.variable)
    p, q = (substitute(f, {found.variable: name(v)}) for f in (p, q))
    for count in TERMS:
        count += solution.neutral
        kept, rest = solution.term(v, count), solution.rest(count) + mpq(solution.neutral, 2)
        with suppress(Refused):
            yield _bounds(found, v, (p, q, least), kept, rest, find)


def _bounds(found: Declared, v: str, of: tuple[Term, Term, int], kept: Term, rest: mpq, find: Find) -> Bounds:
    why = Refused("no bounds of the ratio are seen")
    for start in STARTS:
        if start < max(found.first, of[2] - 1):
            continue
        try:
            value = float(found.at(start + 1) / found.at(start))
        except ZeroDivisionError:
            continue
        for width in WIDTHS:
            side = multiply(number(width), _power(v, rest))
            low, high = add(kept, negative(side)), add(kept, side)
            sign = _sign_of_steps(v, of, low, high, start, value)
            if not sign:
                continue
            domain = (*whole_from(v, start), found.condition)
            chain = replace(
                read_statement(f"{low} <= {found.name}({v} + 1)/{found.name}({v}) <= {high}"), domain=domain
            )
            positive = replace(read_statement(f"{found.name}({v}) > 0"), domain=domain)
            data = {"of": found.name, "low": str(low), "high": str(high), "sign": sign}
            try:
                given = [find(one, True) for one in between(chain, Data(data))]
            except Refused as error:
                why = error
                continue
            between_, above = (apply("ratio", given, statement=str(one), **data) for one in (chain, positive))
            return Bounds(between_, above, kept, rest, low, high)
    raise why


def _sign_of_steps(v: str, of: tuple[Term, Term, int], low: Term, high: Term, start: int, value: float) -> int:
    """The sign of Q, if l and h seem to be bounds from there on; else 0."""

    def at(term: Term, n: int) -> float:
        return approximate(term, {v: float(n)})

    try:
        if not 0 < at(low, start) <= value <= at(high, start):
            return 0
        sign = 1 if at(of[1], start + 1) >= 0 else -1
        for n in (*range(start + 1, start + CHECKED), 10 * start, 100 * start, 10_000, 100_000):
            p, q = at(of[0], n), at(of[1], n)
            ends = sorted((p + q / at(low, n - 1), p + q / at(high, n - 1)))
            if q * sign < 0 or not 0 < at(low, n) <= ends[0] <= ends[1] <= at(high, n):
                return 0
    except (ArithmeticError, ValueError):
        return 0
    return sign


# --- statements --------------------------------------------------------------------------------------------


def known(statement: Statement, found: Declared, find: Find) -> Iterator[Callable[[bool], Theorem]]:
    """Ways to a statement of a limit of such a sequence."""
    v = running(statement)
    second_order(found)
    for one in bounds(found, v, find):
        yield partial(_by_ratio, statement, found, v, one, find)
        yield partial(_by_order, statement, found, v, one, find)


def _by_ratio(statement: Statement, found: Declared, v: str, one: Bounds, find: Find, holds: bool) -> Theorem:
    leaf = _leaf(statement, found, v, one, find)
    return by_leaves(statement, _shifted(leaf, statement, found.name, v), holds)


def _leaf(statement: Statement, found: Declared, v: str, one: Bounds, find: Find) -> Theorem:
    said = stated(statement, f"{found.name}({v} + 1)/{found.name}({v}) = {one.kept} + O({_power(v, one.rest)})")
    ends = [of_bound(said, end) for end in (one.low, one.high)]
    return apply("squeezed", [one.chain, *(find(end, True) for end in ends)], statement=str(said), of=found.name)


def _shifted(leaf: Theorem, statement: Statement, of: str, v: str) -> list[Theorem]:
    """The leaf at the places of which a statement speaks: a(n + c + 1)/a(n + c)."""
    at = shifts(statement, of)
    c = min(at)
    if max(at) != c + 1:
        raise Refused("a statement that is not of the ratio of one value and the next")
    if c == 0:
        return [leaf]
    return [apply("shifted", [leaf], statement=str(moved(leaf.statement, v, c)), of=of, by=c)]


def _by_order(statement: Statement, found: Declared, v: str, one: Bounds, find: Find, holds: bool) -> Theorem:
    """a(n) = Theta(g(n)), with g from the logarithm of the formal solution."""
    g = growth(formal(*second_order(found)[:2], found.variable), v)
    order = stated(statement, f"{found.name}({v}) = Theta({g})")
    leaf = _leaf(statement, found, v, one, find)
    why = Refused("no power of n bounds what is left")
    for m in ("2", "3/2"):
        wanted = growing(order, found.name, terms.read(m))
        try:
            given = [by_leaves(wanted[0], [leaf], True), find(wanted[1], True)]
        except Refused as error:
            why = error
            continue
        made = apply("growth", given, statement=str(order), of=found.name, power=m)
        if isinstance(statement.body, Ordering):
            plain = tuple(c for c in statement.domain if not isinstance(c, Recurrence))
            premise = find(replace(statement, body=replace(statement.body, left=node_of(g)), domain=plain), holds)
            return apply("same order", [made, premise], statement=str(statement), of=found.name)
        logarithm = stated(statement, f"log({found.name}({v})) = log({g}) + O(1)")
        known_ = apply("logarithm of an order", [made, one.positive, given[1]], statement=str(logarithm), of=found.name)
        return by_leaves(statement, [known_], holds)
    raise why


def growth(solution: Formal, v: str) -> Term:
    """t_0^n Gamma(n)^k exp(2 c_1 sqrt(n)) n^(c_2), where log(r(n)/(t_0 n^k)) = c_1 n^(-1/2) + c_2/n + ..."""
    over = solution.t[0].inverse()
    first_, second = (solution.t[j] * over for j in (1, 2))
    c1, c2 = first_, second + -(first_ * first_ * Surd(mpq(1, 2)))
    n = name(v)
    rows = [power(solution.t[0].term(), n)] if solution.t[0] != Surd(mpq(1)) else []
    rows += [power(call("gamma", n), number(solution.k))] if solution.k else []
    if not c1.is_zero:
        rows.append(call("exp", multiply((c1 + c1).term(), power(n, number(mpq(1, 2))))))
    if not c2.is_zero:
        rows.append(power(n, c2.term()))
    return multiply(*rows) if rows else ONE


# --- formal solutions --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Surd:
    """a + b sqrt(d), with rational a and b, and one d for all."""

    a: mpq
    b: mpq = ZERO.number
    d: int = 1

    def __add__(self, other: Surd) -> Surd:
        return Surd(self.a + other.a, self.b + other.b, _common(self, other))

    def __mul__(self, other: Surd) -> Surd:
        d = _common(self, other)
        return Surd(self.a * other.a + self.b * other.b * d, self.a * other.b + self.b * other.a, d)

    def __neg__(self) -> Surd:
        return Surd(-self.a, -self.b, self.d)

    def inverse(self) -> Surd:
        """1/x."""
        norm = self.a * self.a - self.b * self.b * self.d
        return Surd(self.a / norm, -self.b / norm, self.d)

    def root(self) -> Surd:
        """The square root of a positive one.

        Raises:
            Refused: it is none of these, or not real.
        """
        if self.b:
            raise Refused("a root of what is not rational")
        if self.a < 0:
            raise Refused("a root that is not real")
        under, before = int(self.a.numerator * self.a.denominator), 1
        for k in range(2, min(isqrt(under), 1000) + 1):
            while under % (k * k) == 0:
                under, before = under // (k * k), before * k
        c = mpq(before, self.a.denominator)
        if under <= 1:
            return Surd(c * under, mpq(0), self.d)
        if self.d not in (1, under):
            raise Refused("two roots")
        return Surd(mpq(0), c, under)

    @property
    def is_zero(self) -> bool:
        """Whether it is 0."""
        return not self.a and not self.b

    def __float__(self) -> float:
        return float(self.a) + float(self.b) * self.d**0.5

    def term(self) -> Term:
        """As a term."""
        return (
            add(number(self.a), multiply(number(self.b), power(number(self.d), number(mpq(1, 2)))))
            if self.b
            else number(self.a)
        )


def _common(x: Surd, y: Surd) -> int:
    if x.b and y.b and x.d != y.d:
        raise Refused("two roots")
    return x.d if x.b else y.d if y.b else max(x.d, y.d)


NOUGHT = Surd(mpq(0))
Series = list[Surd]
"""Coefficients of powers of n^(-1/2), the largest first."""


def _times(p: Series, q: Series, size: int) -> Series:
    found = [NOUGHT] * size
    for i, x in enumerate(p[:size]):
        if not x.is_zero:
            for j, y in enumerate(q[: size - i]):
                if not y.is_zero:
                    found[i + j] = found[i + j] + x * y
    return found


def _before(p: Series, k: mpq, size: int) -> Series:
    """The series of r(n-1), where r(n) = n^k sum of p_j n^(-j/2): n^k is taken out."""
    found = [NOUGHT] * size
    for j, x in enumerate(p[:size]):
        c, e = mpq(1), k - mpq(j, 2)
        for i in range((size - 1 - j) // 2 + 1):  # (1 - 1/n)^e
            found[j + 2 * i] = found[j + 2 * i] + x * Surd(c)
            c = c * (e - i) / (i + 1) * -1
    return found


@dataclass(frozen=True)
class Formal:
    """r(n) = n^k sum of t_j n^(-j/2), cut off."""

    k: mpq
    t: tuple[Surd, ...]
    neutral: bool
    """Whether an error of the ratio at n - 1 is at first as large at n: then bounds lie further out."""

    def term(self, n: str, count: int) -> Term:
        """So many of its terms that are not 0, as a term."""
        rows = [(j, c) for j, c in enumerate(self.t) if not c.is_zero][:count]
        return add(*(multiply(c.term(), _power(n, self.k - mpq(j, 2))) for j, c in rows))

    def rest(self, count: int) -> mpq:
        """The exponent of what is left then."""
        rows = [j for j, c in enumerate(self.t) if not c.is_zero]
        j = rows[count] if count < len(rows) else (rows[count - 1] + self.step if count <= len(rows) else len(self.t))
        return self.k - mpq(j, 2)

    @property
    def step(self) -> int:
        """1 where half powers of n are in it, or 2."""
        return 1 if any(not c.is_zero for c in self.t[1::2]) else 2


def _power(n: str, e: mpq) -> Term:
    return ONE if not e else power(name(n), number(e))


@uncounted
@lru_cache(maxsize=32)
def formal(p: Term, q: Term, n: str, size: int = 16) -> Formal:
    """The larger formal solution.

    Raises:
        Refused: it is of another form, or its numbers are.
    """
    top, under = _polynomials(p, n)
    rows, below = _polynomials(q, n)
    a, b = (len(top) - len(under) if any(top) else None), len(rows) - len(below)
    k = max(mpq(a) if a is not None else mpq(b, 2), mpq(b, 2))
    first_, second = _quotient(top, under, size) if a is not None else [NOUGHT] * size, _quotient(rows, below, size)
    move_p = int(2 * (k - a)) if a is not None else size  # P = n^k (...): how many half powers it lies below n^k
    move_q = int(2 * (2 * k - b))
    first_ = ([NOUGHT] * move_p + first_)[:size]
    second = ([NOUGHT] * move_q + second)[:size]

    def gap(t: Series) -> Series:
        before = _before(t, k, size)
        pieces = _times(t, before, size), _times(first_, before, size), second
        return [x + -y + -z for x, y, z in zip(*pieces, strict=True)]

    t: Series = []
    for _ in range(size):
        t.append(_next(t, gap, size))
    rate = second[0] * (t[0] * t[0]).inverse()
    return Formal(k, tuple(t[: size - 4]), abs(float(rate)) > 1 - SMALL)


def _next(t: Series, gap: Callable[[Series], Series], size: int) -> Surd:
    """The next coefficient: the largest root of the first equation in which it stands."""
    at = [gap([*t, Surd(mpq(x))] + [NOUGHT] * (size - len(t) - 1)) for x in (0, 1, -1)]
    for c0, c1, c2 in zip(*at, strict=True):
        if (c1 + -c0).is_zero and (c2 + -c0).is_zero:
            if not c0.is_zero:
                raise Refused("no formal solution of this form")
            continue
        square = (c1 + c2 + -(c0 + c0)) * Surd(mpq(1, 2))
        slope = (c1 + -c2) * Surd(mpq(1, 2))
        if square.is_zero:
            return -(c0 * slope.inverse())
        half = slope * square.inverse() * Surd(mpq(1, 2))
        return -half + (half * half + -(c0 * square.inverse())).root()
    return NOUGHT


def _polynomials(term: Term, n: str) -> tuple[Poly, Poly]:
    """Numerator and denominator of a rational function."""
    value = Context(pairs=((ONE, "<=", name(n)),)).value(term)
    found = []
    for part in (value.num, value.den):
        rows: dict[int, mpq] = {}
        for powers, c in part.items():
            degree = sum((e for a, e in powers if a == name(n)), mpq(0))
            if any(a != name(n) for a, _ in powers) or degree.denominator != 1:
                raise Refused("no rational function")
            rows[int(degree)] = rows.get(int(degree), mpq(0)) + c
        found.append(rows)
    low = min(min(rows, default=0) for rows in found)
    low = min(low, 0)
    return tuple([rows.get(k + low, mpq(0)) for k in range(max(rows, default=0) - low + 1)] for rows in found)  # type: ignore[return-value]


def _quotient(p: Poly, q: Poly, size: int) -> Series:
    """p/q in powers of n^(-1/2), without the leading power of n."""
    u, v = list(reversed(p)), list(reversed(q))
    while u and not u[0]:
        u.pop(0)
    while not v[0]:
        v.pop(0)
    found: list[mpq] = []
    for k in range((size + 1) // 2):
        c = (u[k] if k < len(u) else mpq(0)) - sum((found[j] * v[k - j] for j in range(k) if k - j < len(v)), mpq(0))
        found.append(c / v[0])
    series = [NOUGHT] * (size + 1)
    for k, c in enumerate(found):
        series[2 * k] = Surd(c)
    return series[:size]
