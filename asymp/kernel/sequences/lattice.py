r"""Facts about roundings that are neither linear nor inductive: two ways to count the points of a lattice.

- *nested*: floor(f(floor(x))) = floor(f(x)) for f that is continuous, increases, and is whole only at whole numbers: x/n for
  whole n >= 1, x^(1/q) for whole q >= 1 and x >= 0.  Were floor(f(floor(x))) < floor(f(x)), f would be whole at some y,
  floor(x) < y <= x, and y would be whole.  (Graham, Knuth and Patashnik, Concrete Mathematics, (3.10).)
- *residues*: floor(x/m) + floor((x + 1)/m) + ... + floor((x + m - 1)/m) = floor(x), m >= 1 whole (Hermite): both sides rise by 1
  as x passes a whole number, by one of the terms alone, and are 0 for 0 <= x < 1.
- *hyperbola*: sum_(k<=n) floor(n/k) = 2 sum_(k<=s) floor(n/k) - s^2, s = floor(n^(1/2)): pairs k, m >= 1 with k m <= n, of which
  one is at most s; both are in s^2.
- *roots*: the sum of floor(k^(1/q)), k from 0 or 1 to b, is (b + 1) M - (1^q + ... + M^q), M = floor((b + 1)^(1/q)):
  m <= floor(k^(1/q)) says k >= m^q, which b + 1 - m^q of the k meet if m^q <= b + 1.
- *divisors*: sum_(k<=n) (floor(n/k) - floor((n - 1)/k)) <= 2 n^(1/2): it counts the k that divide n, and of k and n/k one is at
  most n^(1/2).

>>> from asymp.kernel.theorem import apply
>>> apply("lattice", statement="floor(floor(x)/n) = floor(x/n) for real x, whole n >= 1", form="nested")
⊢ floor(floor(x)/n) = floor(x/n) for whole n >= 1, real x
>>> apply("lattice", statement="floor(floor(x)/n) = floor(x/n) for real x, n > 0", form="nested")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: a divisor that is not seen to be whole and positive
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data, text
from asymp.kernel.domain import given
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import NONNEGATIVE
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.sequences.induction import one_link
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, name, negative, number, power, reciprocal
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, rule
from asymp.language.statement import Statement

HALF = number(mpq(1, 2))
INDEX = name("index_of_the_sum")


@rule("lattice", alone=True)
def _lattice(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A comparison of one of these forms; see the module.

    ``form``: nested, residues, hyperbola, roots or divisors.
    """
    statement, form = comparison_in(data), text(data["form"])
    if form not in FORMS:
        raise Refused("a comparison of one of the forms")
    low, sign, high = one_link(statement)
    if (sign, high) != (wanted := FORMS[form](low, context(statement))):
        raise Refused(f"{form} says {low} {wanted[0]} {wanted[1]}")
    return Conclusion(statement)


def context(statement: Statement) -> Context:
    """What is known where a statement speaks."""
    where = given(statement.domain)
    return Context(where.whole, tuple(pair for pair in where.pairs if pair[1] != "="))


def _whole(term: Term, at: Context, least: int, what: str) -> None:
    """That a term is whole, and at least so much."""
    if not is_whole(term, at.whole) or not at.signs(add(term, number(-least))) <= NONNEGATIVE:
        raise Refused(f"{what} that is not seen to be whole and {'positive' if least else 'not negative'}")


def nested(term: Term, at: Context) -> tuple[str, Term]:
    """Of floor(f(floor(x)))."""
    if term.head != "floor":
        raise Refused("what is rounded down is wanted")
    inner = term.parts[0]
    if inner.head == "power" and inner.parts[0].head == "floor" and inner.parts[1].is_number:
        e, x = inner.parts[1].number, inner.parts[0].parts[0]
        if e <= 0 or (1 / e).denominator != 1 or not at.signs(x) <= NONNEGATIVE:
            raise Refused("a root of what may be negative, or another power")
        return "=", call("floor", power(x, inner.parts[1]))
    floors = [part for part in inner.parts if part.head == "floor"] if inner.head == "product" else []
    if len(floors) != 1:
        raise Refused("no quotient and no root of what is rounded down")
    for part in inner.parts:
        if part.head != "floor":
            below = part.parts[0] if part.head == "power" and part.parts[1] == number(-1) else reciprocal(part)
            _whole(below, at, 1, "a divisor")
    at.value(floors[0].parts[0])
    return "=", call("floor", multiply(*(part.parts[0] if part.head == "floor" else part for part in inner.parts)))


def _sum(term: Term) -> tuple[Term, Term, Term]:
    if term.head != "Sum" or INDEX.name in term.free:
        raise Refused("a sum is wanted")
    return terms.opened(term.parts[0], INDEX), term.parts[1], term.parts[2]


def residues(term: Term, at: Context) -> tuple[str, Term]:
    """Of the sum of floor((x + k)/m), 0 <= k < m."""
    body, low, high = _sum(term)
    m = add(high, ONE)
    _whole(m, at, 1, "a divisor")
    if low != ZERO or body.head != "floor":
        raise Refused("another sum")
    inner = [part for part in body.parts[0].parts if part.head == "sum"]
    x = add(*(part for part in inner[0].parts if part != INDEX)) if len(inner) == 1 else ZERO
    if INDEX.name in x.free or body != call("floor", multiply(add(x, INDEX), reciprocal(m))):
        raise Refused("another sum")
    at.value(x)
    return "=", x if is_whole(x, at.whole) else call("floor", x)


def hyperbola(term: Term, at: Context) -> tuple[str, Term]:
    """Of the sum of floor(n/k), 1 <= k <= n."""
    body, low, n = _sum(term)
    _whole(n, at, 1, "n")
    if low != ONE or body != call("floor", multiply(n, reciprocal(INDEX))) or INDEX.name in n.free:
        raise Refused("another sum")
    s = call("floor", power(n, HALF))
    half = Term("Sum", (term.parts[0], ONE, s))
    return "=", add(multiply(number(2), half), negative(power(s, number(2))))


def roots(term: Term, at: Context) -> tuple[str, Term]:
    """Of the sum of floor(k^(1/q)), 0 or 1 <= k <= b."""
    body, low, b = _sum(term)
    _whole(b, at, 0, "b")
    if low not in (ZERO, ONE) or body.head != "floor" or body.parts[0].head != "power" or body.parts[0].parts[0] != INDEX:
        raise Refused("another sum")
    e = body.parts[0].parts[1]
    if not e.is_number or e.number <= 0 or (1 / e.number).denominator != 1:
        raise Refused("another sum")
    m = call("floor", power(add(b, ONE), e))
    powers = Term("Sum", (power(Term("bound"), number(1 / e.number)), ONE, m))
    return "=", add(multiply(add(b, ONE), m), negative(powers))


def divisors(term: Term, at: Context) -> tuple[str, Term]:
    """Of the sum of floor(n/k) - floor((n - 1)/k), 1 <= k <= n."""
    body, low, n = _sum(term)
    _whole(n, at, 1, "n")
    ends = [call("floor", multiply(one, reciprocal(INDEX))) for one in (n, add(n, number(-1)))]
    if low != ONE or INDEX.name in n.free or body != add(ends[0], negative(ends[1])):
        raise Refused("another sum")
    return "<=", multiply(number(2), power(n, HALF))


FORMS: dict[str, Callable[[Term, Context], tuple[str, Term]]] = {
    "nested": nested, "residues": residues, "hyperbola": hyperbola, "roots": roots, "divisors": divisors,
}  # fmt: skip
