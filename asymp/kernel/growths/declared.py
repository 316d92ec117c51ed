"""Sequences that a statement declares by a recurrence: what the declaration says.

``sequence a(n), n*a(n) = (n+1)*a(n-1) + 2*n, a(0) = 0`` is a condition of the domain, so it belongs to the canonical
statement: statements of different recurrences are different.  It is a definition: with the first values a(m), ..., a(m +
r - 1) the equation at n = start, start + 1, ... gives one further value each, a(n + top), since every other value in it
comes earlier and what a(n + top) is multiplied by is a polynomial in n without a zero there.

>>> from asymp.language.statement import read_statement
>>> found = declared(read_statement("a(n) <= 2^n for sequence a(n), a(n+2) = a(n+1) + a(n), a(0) = 0, a(1) = 1"), "a")
>>> found.top, found.first, found.start, str(found.step()), str(found.at(10))
(2, 0, 0, 'a(n) + a(n + 1)', '55')
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.moments import polynomial_in
from asymp.kernel.rings.polynomials import Poly, value_at
from asymp.kernel.rings.recurring import number_of
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import CONSTANTS, Refused, Term, add, multiply, name, negative, number, walk
from asymp.language.conditions import Compared, OfKind, Recurrence
from asymp.language.meanings import MEANT
from asymp.language.names import free_names
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.language.value import NotExact, value

MOST_VALUES, MOST_DEGREE = 20_000, 80
MOST_BITS = 60_000
"""Of a value that is computed exactly."""
ROUNDED = ("floor", "ceiling")


@dataclass(frozen=True)
class Declared:
    """A sequence, in normal form.

    Args:
        condition: the declaration.
        top: the equation gives a(n + top).
        first: the least index of a value.
        begins: the first values.
        start: the equation is used for whole n >= start.
        lead, rest: lead*a(n + top) + rest = 0, where lead is a polynomial in n that has no zero from start on.
        calls: the arguments at which the rest has values of the sequence.
    """

    condition: Recurrence
    top: int
    first: int
    begins: tuple[Node, ...]
    start: int
    lead: Term
    rest: Term
    calls: tuple[Term, ...]
    known: list[Fraction] = field(default_factory=list, compare=False, repr=False)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.condition.name

    @property
    def variable(self) -> str:
        """The variable of its equation."""
        return self.condition.arguments[0]

    @property
    def equation(self) -> Compared:
        """The recurrence."""
        return next(c for c in self.condition.said if _is_general(self.condition, c))

    def step(self) -> Term:
        """What a(n + top) is, in n and values before it."""
        return (
            negative(self.rest)
            if self.lead == terms.ONE
            else negative(multiply(self.rest, terms.reciprocal(self.lead)))
        )

    def at(self, k: int) -> Fraction:
        """The exact value a(k).

        Raises:
            Refused: it is not rational, or long, or there is none.
        """
        if not self.first <= k <= self.first + MOST_VALUES:
            raise Refused(f"{self.name}({k}) is not computed")
        try:
            if not self.known:
                self.known.extend(Fraction(value(node, {})) for node in self.begins)
            step = node_of(self.step())
            while len(self.known) <= k - self.first:
                n = self.first + len(self.known) - self.top
                found = Fraction(
                    value(step, {self.variable: Fraction(n)}, {self.name: lambda i: self.known[int(i) - self.first]})
                )
                if max(found.numerator.bit_length(), found.denominator.bit_length()) > MOST_BITS:
                    raise Refused(f"{self.name}({k}) is too long")
                self.known.append(found)
        except (NotExact, ArithmeticError, TypeError) as error:
            raise Refused(f"{self.name}({k}) has no exact value: {error}") from error
        return self.known[k - self.first]


def _is_general(c: Recurrence, one: Compared) -> bool:
    return any(c.arguments[0] in free_names(node) for node in one.parts)


def named(statement: Statement, of: str) -> Recurrence:
    """The declaration of a sequence in a statement.

    Raises:
        Refused: there is none, or there are two, or the name is a variable too, or has a meaning of its own.
    """
    found = [c for c in statement.domain if isinstance(c, Recurrence) and c.name == of]
    if len(found) != 1 or any(
        isinstance(c, Recurrence) for c in (*statement.some, *statement.uniform, *statement.regime)
    ):
        raise Refused(f"{of} is not the name of one sequence")
    names = {v for node in statement.terms() for v in free_names(node)}
    for c in statement.conditions():
        names |= {getattr(c, "name", "")} if isinstance(c, OfKind) else set()
        names |= {v for node in c.terms() for v in free_names(node) - c.bound}
    if of in names | MEANT:
        raise Refused(f"{of} has a meaning already: give the sequence another name")
    return found[0]


def declared(statement: Statement, of: str) -> Declared:
    """A sequence of a statement; so :func:`sequence`."""
    return sequence(named(statement, of))


@lru_cache(maxsize=256)
def sequence(c: Recurrence) -> Declared:
    """What a declaration says.

    Raises:
        Refused: it defines no sequence: what is missing, or does not fit, is said.

    >>> from asymp.language.conditions import read_conditions
    >>> def said(text):
    ...     try:
    ...         (found,) = read_conditions(f"sequence a(n), {text}")
    ...         return sequence(found).start
    ...     except Refused as error:
    ...         return str(error)
    >>> said("a(n+1) = 2*a(n) + 1, a(0) = 0"), said("a(n) = a(floor(n/2)) + 1, a(1) = 1")
    (0, 2)
    >>> said("a(n+2) = a(n+1) + a(n), a(0) = 0")
    'a(n + 2) = a(n + 1) + a(n) at n = -1 needs a(-1): first values are missing'
    >>> said("(n-7)*a(n) = a(n-1), a(0) = 1")
    '(n - 7)*a(n) = a(n - 1) at n = 7 does not give a(7), which it multiplies by 0'
    >>> said("a(n) = a(n-1)/(n-3), a(0) = 1"), said("a(n) = a(n/2) + 1, a(1) = 1"), said("a(n) = c*a(n-1), a(0) = 1")
    ('a(n) = a(n - 1)/(n - 3) divides by 0 at n = 3', 'a(1/2*n) is not at a whole number for every n', \
'c is nothing that the sequence a could speak of')
    >>> said("a(n+1) = 2*a(n), a(0) = 1, a(1) = 3"), said("a(n)^2 = a(n-1), a(0) = 1")
    ('a(n + 1) = 2*a(n) at n = 0 contradicts the first values', 'the equation is not solved for a(n)')
    """
    n, a = c.arguments[0], c.name
    if n in CONSTANTS or n in MEANT or a in MEANT or a == n:
        raise Refused(f"{a}({n}) has a meaning already: give the sequence another name")
    general = [one for one in c.said if _is_general(c, one)]
    if len(general) != 1 or any(one.signs != ("=",) for one in c.said):
        raise Refused(f"the sequence {a} has {len(general)} equations in {n}, and one is wanted")
    (equation,) = general
    if strange := sorted({v for one in c.said for node in one.parts for v in free_names(node)} - CONSTANTS - {n}):
        raise Refused(f"{strange[0]} is nothing that the sequence {a} could speak of")
    if strange := sorted({f for one in c.said for node in one.parts for f in node.calls} - MEANT - {a}):
        raise Refused(f"{strange[0]} is nothing that the sequence {a} could speak of")
    first, begins = _begins(c)
    left, right = (terms.of(node) for node in equation.parts)
    calls = _calls(left, a) | _calls(right, a)
    shifts = [shift for t in calls if (shift := shift_of(t, n)) is not None]
    if not shifts:
        raise Refused(f"{equation} has no value {a}({n} + c)")
    top = max(shifts)
    z = Term(a, (add(name(n), number(top)),))
    lead, rest = _solved(add(left, negative(right)), z, a)
    if lead == number(-1):
        lead, rest = terms.ONE, negative(rest)
    start = first + len(begins) - top
    found = Declared(c, top, first, begins, start, lead, rest, tuple(sorted(calls - {z.parts[0]}, key=str)))
    _each_step(found, str(equation))
    return found


def _begins(c: Recurrence) -> tuple[int, tuple[Node, ...]]:
    known: dict[int, Node] = {}
    for one in c.said:
        if _is_general(c, one):
            continue
        left, right = one.parts
        at = terms.of(left.parts[0]) if left.kind == "call" and left.text == c.name and len(left.parts) == 1 else None
        if at is None or not at.is_number or at.number.denominator != 1 or c.name in right.calls:
            raise Refused(f"{one} is no first value, which is written {c.name}(0) = 1")
        if int(at.number) in known:
            raise Refused(f"{c.name}({at}) is given twice")
        known[int(at.number)] = right
    if not known or max(known) - min(known) >= len(known):
        raise Refused(f"first values are missing: the sequence {c.name} begins with values one after the other")
    return min(known), tuple(known[k] for k in sorted(known))


def _calls(term: Term, a: str) -> frozenset[Term]:
    found = {part.parts[0] for part in walk(term) if part.head == a and len(part.parts) == 1}
    if any(part.head == a and len(part.parts) != 1 for part in walk(term)):
        raise Refused(f"{a} has one argument")
    if any(terms.has_bound(t) or _calls(t, a) for t in found):
        raise Refused(f"a value of {a} inside a sum, or at a value of {a}")
    return frozenset(found)


def shift_of(t: Term, n: str) -> int | None:
    """c of n + c; None for the whole part of something less."""
    p = polynomial(t, n)
    if p is not None and len(p) == 2 and p[1] == 1 and p[0].denominator == 1:
        return int(p[0])
    inner = polynomial(t.parts[0], n) if t.head in ROUNDED else None
    if inner is None or len(inner) != 2 or not 0 < inner[1] < 1:
        raise Refused(f"a({t}) is not at a whole number for every {n}")
    return None


def polynomial(term: Term, n: str) -> Poly | None:
    """The coefficients of what is written as a polynomial in n; None of another term."""
    try:
        rows = {k: number_of(c) for k, c in polynomial_in(term, name(n), MOST_DEGREE).items()}
    except Refused:
        return None
    found = [rows.get(k, mpq(0)) for k in range(max(rows) + 1)]
    while len(found) > 1 and not found[-1]:
        found.pop()
    return found


def zero_from(p: Poly, start: int) -> int | None:
    """The least whole n >= start at which a polynomial is 0; None where there is none.

    Beyond 1 + max |c_k/c_d| it has no zeros (Cauchy's bound).

    >>> zero_from([mpq(-6), mpq(1), mpq(1)], 0), zero_from([mpq(-6), mpq(1), mpq(1)], 3), zero_from([mpq(0)], 5)
    (2, None, 5)
    """
    if not any(p):
        return start
    last = max(k for k, c in enumerate(p) if c)
    bound = 1 + max((abs(c / p[last]) for c in p[:last]), default=mpq(0))
    if bound > start + MOST_VALUES:
        raise Refused("a polynomial whose zeros may be large")
    return next((n for n in range(start, int(bound) + 1) if value_at(p, mpq(n)) == 0), None)


def _solved(gap: Term, z: Term, a: str) -> tuple[Term, Term]:
    """A and B with gap = A z + B, neither of which has z, and A no value of the sequence."""

    def apart(term: Term) -> tuple[Term, Term]:
        if z not in walk(term):
            return terms.ZERO, term
        if term == z:
            return terms.ONE, terms.ZERO
        if term.head == "sum":
            pairs = [apart(part) for part in term.parts]
            return add(*(x for x, _ in pairs)), add(*(y for _, y in pairs))
        inside = [part for part in term.parts if z in walk(part)] if term.head == "product" else []
        if len(inside) != 1:
            raise Refused(f"the equation is not solved for {z}")
        x, y = apart(inside[0])
        others = list(term.parts)
        others.remove(inside[0])
        return multiply(x, *others), terms.ZERO if y == terms.ZERO else multiply(y, *others)

    lead, rest = apart(gap)
    if _calls(lead, a):
        raise Refused(f"the equation is not solved for {z}")
    return lead, rest


def _each_step(found: Declared, text: str) -> None:
    """That each step is given by values before it, and by no division by 0 where that is seen of polynomials."""
    a, n, start = found.name, found.variable, found.start
    lead = polynomial(found.lead, n)
    if lead is None:
        raise Refused(f"{text}: what {a}({n} + {found.top}) is multiplied by is no polynomial")
    if (zero := zero_from(lead, start)) is not None:
        raise Refused(f"{text} at {n} = {zero} does not give {a}({zero + found.top}), which it multiplies by 0")
    for part in walk(found.rest):
        if part.head == "power" and part.parts[1].is_number and part.parts[1].number < 0:
            p = polynomial(part.parts[0], n)
            if p is not None and (zero := zero_from(p, start)) is not None:
                raise Refused(f"{text} divides by 0 at {n} = {zero}")
    for t in found.calls:
        _comes_before(found, t, text)
    for k in range(found.first - found.top, start):  # where it holds of the first values alone, it is to hold
        here = [index_of(t, n, k) for t in found.calls]
        if k + found.top >= found.first and all(found.first <= i < k + found.top for i in here):
            _is_met(found, k, text)


def index_of(t: Term, n: str, k: int) -> int:
    """The argument t at n = k."""
    shift = shift_of(t, n)
    if shift is not None:
        return k + shift
    p = polynomial(t.parts[0], n)
    assert p is not None
    x = value_at(p, mpq(k))
    return int(x.numerator // x.denominator) if t.head == "floor" else -int(-x.numerator // x.denominator)


def _comes_before(found: Declared, t: Term, text: str) -> None:
    """That the index t lies from ``first`` to before n + top, for all n >= start."""
    n, k = found.variable, found.start
    low = index_of(t, n, k)
    if low < found.first:
        raise Refused(f"{text} at {n} = {k} needs {found.name}({low}): first values are missing")
    if shift_of(t, n) is not None:
        return
    p = polynomial(t.parts[0], n)
    assert p is not None
    for k in range(found.start, found.start + MOST_VALUES):
        if index_of(t, n, k) >= k + found.top:
            raise Refused(f"{text} at {n} = {k} needs {found.name}({index_of(t, n, k)}), which it is to give")
        if value_at(p, mpq(k)) + 1 <= k + found.top:  # and so for all that follow: the slope is less than 1
            return
    raise Refused(f"{found.name}({t}) is not seen to come before {found.name}({n} + {found.top})")


def _is_met(found: Declared, k: int, text: str) -> None:
    values = {found.first + i: node for i, node in enumerate(found.begins)}
    try:
        exact = {i: Fraction(value(node, {})) for i, node in values.items()}
        sides = [
            value(node, {found.variable: Fraction(k)}, {found.name: lambda i: exact[int(i)]})
            for node in found.equation.parts
        ]
    except (NotExact, ArithmeticError, TypeError) as error:
        raise Refused(f"{text} at {found.variable} = {k} is not seen to agree with the first values") from error
    if sides[0] != sides[1]:
        raise Refused(f"{text} at {found.variable} = {k} contradicts the first values")


def pieces(found: Declared) -> tuple[dict[Term, Term], Term]:
    """The c_t, by t, and the rest q of lead*a(n + top) + sum of c_t a(t) + q = 0, where that is the equation.

    Raises:
        Refused: it is another one.
    """
    parts, rest = dict[Term, Term](), found.rest
    for t in found.calls:
        parts[t], rest = _solved(rest, Term(found.name, (t,)), found.name)
    if _calls(rest, found.name):
        raise Refused("an equation that is not linear")
    return parts, rest


def linear(found: Declared) -> tuple[dict[int, Term], Term]:
    """The polynomials c_j and the rest q of lead*a(n + top) + sum of c_j a(n + j) + q = 0, where that is the equation.

    Raises:
        Refused: it is another one.
    """
    parts, rest = pieces(found)
    shifts = {t: shift_of(t, found.variable) for t in parts}
    if strange := [t for t, shift in shifts.items() if shift is None]:
        raise Refused(f"{found.name}({strange[0]}) stands in the equation")
    return {shift: parts[t] for t, shift in shifts.items() if shift is not None}, rest
