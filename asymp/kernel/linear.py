"""Linear conditions on whole variables: whether they can be met, decided so that *no* is certain.

Elimination of one variable after another (Fourier and Motzkin) over the rationals; each condition is first divided by what
its coefficients have in common, and its number rounded down, which whole variables allow.  What is not found to be empty
may have points or not.

>>> from asymp.language.conditions import read_conditions
>>> where = system(read_conditions("whole n, whole b, 0 <= b, b <= n - 1, 2*n < 3"), {"n", "b"})[0]
>>> is_empty(where), implies(where, parse("n - b - 1", {"n", "b"})), bounds(where, "n")
(False, True, (1, 1))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from asymp.kernel import terms
from asymp.kernel.terms import Refused, Term
from asymp.language.conditions import Between, Compared, Condition

Linear = tuple[tuple[tuple[str, int], ...], int]
"""Coefficients of variables, in the order of their names, and a number: the condition is that the sum is >= 0."""
System = frozenset[Linear]
MOST = 600
"""Conditions that elimination may make."""
NEVER: Linear = ((), -1)


def form(term: Term, whole: AbstractSet[str]) -> tuple[dict[str, Fraction], Fraction]:
    """A term as a linear form in whole variables.

    Raises:
        Refused: it is none.
    """
    if term.is_number:
        return {}, term.number
    if term.head == "name" and term.name in whole and term.name not in terms.CONSTANTS:
        return {term.name: Fraction(1)}, Fraction(0)
    if term.head == "sum":
        found: dict[str, Fraction] = {}
        total = Fraction(0)
        for part in term.parts:
            more, c = form(part, whole)
            total += c
            for v, k in more.items():
                found[v] = found.get(v, Fraction(0)) + k
        return found, total
    if term.head == "product":
        numbers = [part.number for part in term.parts if part.is_number]
        others = [part for part in term.parts if not part.is_number]
        if len(numbers) == 1 and len(others) == 1:
            more, c = form(others[0], whole)
            return {v: k * numbers[0] for v, k in more.items()}, c * numbers[0]
    raise Refused(f"{term} is not linear in whole variables")


def is_whole(term: Term, whole: AbstractSet[str]) -> bool:
    """Whether a linear form in whole variables has whole values.

    Raises:
        Refused: the term is none.
    """
    found, c = form(term, whole)
    return all(number.denominator == 1 for number in (c, *found.values()))


def at_least(low: Term, high: Term, whole: AbstractSet[str], strict: bool = False) -> Linear:
    """low <= high, or low < high."""
    return _of(form(terms.add(high, terms.negative(low)), whole), strict)


def parse(text: str, whole: AbstractSet[str]) -> Linear:
    """The condition that a term is >= 0."""
    return at_least(terms.ZERO, terms.read(text), whole)


def _of(found: tuple[dict[str, Fraction], Fraction], strict: bool) -> Linear:
    coefficients, c = found
    scale = lcm(c.denominator, *(k.denominator for k in coefficients.values()))
    whole = {v: int(k * scale) for v, k in coefficients.items() if k}
    return _tight(whole, int(c * scale) - (1 if strict else 0))


def _tight(coefficients: dict[str, int], c: int) -> Linear:
    found = {v: k for v, k in coefficients.items() if k}
    common = gcd(*found.values()) if found else 1
    return tuple(sorted((v, k // common) for v, k in found.items())), c // common


def negation(one: Linear) -> Linear:
    """f < 0, which is -f - 1 >= 0."""
    return tuple((v, -k) for v, k in one[0]), -one[1] - 1


def opposite(one: Linear) -> Linear:
    """f <= 0."""
    return tuple((v, -k) for v, k in one[0]), -one[1]


def compared(c: Condition, whole: AbstractSet[str]) -> list[Linear]:
    """What a comparison says of whole variables.

    Raises:
        Refused: it is not linear in these.
    """
    if isinstance(c, Between):
        if c.name not in whole:
            raise Refused(f"{c.name} is not whole")
        place = terms.name(c.name)
        return [at_least(terms.of(c.low), place, whole), at_least(place, terms.of(c.high), whole)]
    if not isinstance(c, Compared):
        raise Refused(f"{c} is no comparison")
    found = []
    for left, sign, right in c.pairs():
        low, high = (terms.of(left), terms.of(right)) if sign[0] in "<=" else (terms.of(right), terms.of(left))
        found.append(at_least(low, high, whole, sign in ("<", ">")))
        if sign == "=":
            found.append(at_least(high, low, whole))
    return found


def system(conditions: Iterable[Condition], whole: AbstractSet[str]) -> tuple[System, list[Condition]]:
    """The linear conditions on whole variables among some, and the others; of a chain each comparison by itself."""
    found: set[Linear] = set()
    rest: list[Condition] = []
    for c in conditions:
        for one in singles(c):
            try:
                found.update(compared(one, whole))
            except Refused:
                rest.append(one)
    return frozenset(found), rest


def singles(c: Condition) -> list[Condition]:
    """The comparisons of a chain."""
    if isinstance(c, Compared):
        return [Compared((left, right), (sign,)) for left, sign, right in c.pairs()]
    return [c]


# --- elimination -----------------------------------------------------------------------------------


@lru_cache(maxsize=50_000)
def is_empty(where: System) -> bool:
    """Whether it is certain that no whole numbers meet the conditions."""
    left = _eliminated(where, ())
    return left is not None and any(not k and c < 0 for k, c in left)


def _eliminated(where: System, kept: Sequence[str]) -> System | None:
    """What follows for the variables that are kept; None where that takes too much."""
    found = _strongest(where)
    while True:
        if any(not k and c < 0 for k, c in found):
            return frozenset({NEVER})
        variables = {v for k, _ in found for v, _ in k} - set(kept)
        if not variables:
            return found
        counts = {v: (sum(_at(one, v) > 0 for one in found), sum(_at(one, v) < 0 for one in found)) for v in variables}
        v = min(sorted(variables), key=lambda one: counts[one][0] * counts[one][1] - sum(counts[one]))
        above = [one for one in found if _at(one, v) > 0]
        below = [one for one in found if _at(one, v) < 0]
        made = {one for one in found if _at(one, v) == 0}
        made |= {_joined(low, high, v) for low in above for high in below}
        found = _strongest(made)
        if len(found) > MOST:
            return None


def _at(one: Linear, v: str) -> int:
    return next((k for name, k in one[0] if name == v), 0)


def _joined(low: Linear, high: Linear, v: str) -> Linear:
    a, b = _at(low, v), -_at(high, v)
    found: dict[str, int] = {}
    for factor, one in ((b, low), (a, high)):
        for name, k in one[0]:
            found[name] = found.get(name, 0) + factor * k
    found.pop(v)
    return _tight(found, b * low[1] + a * high[1])


def _strongest(where: Iterable[Linear]) -> System:
    least: dict[tuple[tuple[str, int], ...], int] = {}
    for k, c in where:
        if k or c < 0:
            least[k] = min(least.get(k, c), c)
    return frozenset(least.items())


def implies(where: System, one: Linear) -> bool:
    """Whether it is certain that a condition follows."""
    return is_empty(where | {negation(one)})


def all_of(where: System, wanted: Iterable[Linear]) -> bool:
    """Whether all follow."""
    return all(implies(where, one) for one in wanted)


def covered(where: System, regions: Sequence[Iterable[Linear]]) -> bool:
    """Whether it is certain that each point lies in one of the regions."""
    if is_empty(where):
        return True
    if not regions:
        return False
    inside = where
    for one in regions[0]:
        if not covered(inside | {negation(one)}, regions[1:]):
            return False
        inside |= {one}
    return True


def bounds(where: System, v: str) -> tuple[int | None, int | None]:
    """Whole numbers between which a variable is certain to lie; None where none is found."""
    left = _eliminated(where, (v,))
    low: int | None = None
    high: int | None = None
    for k, c in left if left is not None else ():
        if k == ((v, 1),):
            low = -c if low is None else max(low, -c)
        if k == ((v, -1),):
            high = c if high is None else min(high, c)
    return low, high


def is_bounded(where: System, variables: Sequence[str], own: AbstractSet[str]) -> bool:
    """Whether for all values of the other variables finitely many whole numbers meet the conditions: they recede nowhere.

    Args:
        where: the conditions.
        variables: those that are to be bounded.
        own: the same as a set.
    """
    receding = frozenset((tuple((v, k) for v, k in one[0] if v in own), 0) for one in where)
    return all(is_empty(receding | {(((v, side),), -1)}) for v in variables for side in (1, -1))


def written(one: Linear) -> tuple[Term, Term]:
    """The condition as low <= high, of two terms with positive coefficients."""
    sides: dict[bool, list[Term]] = {True: [], False: []}
    for v, k in one[0]:
        sides[k > 0].append(terms.multiply(terms.number(abs(k)), terms.name(v)))
    sides[one[1] > 0].append(terms.number(abs(one[1])))
    return terms.add(*sides[False]), terms.add(*sides[True])
