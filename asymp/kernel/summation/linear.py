"""Linear conditions on whole variables, and products of these: whether they can be met, decided so that *no* is certain.

Elimination of one variable after another (Fourier and Motzkin) over the rationals; each condition is first divided by what
its coefficients have in common, and its number rounded down, which whole variables allow.  What is not found to be empty
may have points or not.

A product of variables stands for itself, as one more whole quantity ``a*n`` of which nothing is known but what products of
two conditions on its factors say: (a - 1)*(n - b) >= 0 for a >= 1 and n >= b.

>>> from asymp.language.conditions import read_conditions
>>> where = system(read_conditions("whole n, whole b, 0 <= b, b <= n - 1, 2*n < 3"), {"n", "b"})[0]
>>> is_empty(where), implies(where, parse("n - b - 1", {"n", "b"})), bounds(where, "n")
(False, True, (1, 1))
>>> own = {"n", "a", "r"}  # n*a + r = n with 0 <= r < n leaves a = 0, r = n out, and a > 1
>>> where = system(read_conditions("n*a + r = n, a >= 0, 0 <= r < n"), own)[0]
>>> implies(where, parse("1 - a", own)), implies(where, parse("a - 1", own))
(True, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations

from asymp.kernel import domain, terms
from asymp.kernel.summation.forms import (  # noqa: F401  # this module speaks of them too
    MOST,
    Linear,
    System,
    at_least,
    factors,
    form,
    is_whole,
    multiplied,
    negation,
    opposite,
    parse,
    product,
    tight,
    written,
)
from asymp.kernel.terms import Refused, Term
from asymp.language.conditions import Between, Compared, Condition, OfKind

NEVER: Linear = ((), -1)


@dataclass(frozen=True)
class Relation:
    """low <= high, or low < high, of two terms."""

    low: Term
    high: Term
    strict: bool = False

    def at(self, values: Mapping[str, Term], whole: AbstractSet[str]) -> Linear:
        """The linear condition with terms for some of the variables."""
        return at_least(terms.substitute(self.low, values), terms.substitute(self.high, values), whole, self.strict)


def relations(conditions: Iterable[Condition]) -> tuple[Relation, ...]:
    """The comparisons among conditions; a kind is left out.

    Raises:
        Refused: another condition.
    """
    found: list[Relation] = []
    for c in conditions:
        if isinstance(c, OfKind):
            continue
        if not isinstance(c, Compared):
            raise Refused(f"{c} is no comparison")
        for low, sign, high in domain.compared(c):
            found.append(Relation(low, high, sign == "<"))
            if sign == "=":
                found.append(Relation(high, low))
    return tuple(found)


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
    for low, sign, high in domain.compared(c):
        found.append(at_least(low, high, whole, sign == "<"))
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
    if _is_empty(where):
        return True
    if not _products(where):
        return False
    less = _solved(where)
    return (less != where and _is_empty(less)) or _is_empty(_with_products(less))


@lru_cache(maxsize=50_000)
def _solved(where: System) -> System:
    """The conditions with variables replaced that stand in products, and that equations without products give by others."""
    while inside := {v for one in _products(where) for v in factors(one)}:
        equations = [
            (one, v, k) for one in where if not any("*" in v for v, _ in one[0])
            for v, k in one[0] if abs(k) == 1 and v in inside and opposite(one) in where
        ]  # fmt: skip
        if not equations:
            break
        (coefficients, c), v, side = min(equations)
        value = {**{w: -side * k for w, k in coefficients if w != v}, "": -side * c}
        where = frozenset(_replaced(one, v, value) for one in where)
    return where


def _replaced(one: Linear, v: str, value: Mapping[str, int]) -> Linear:
    """A condition with a form for a variable, in its products too."""
    total: dict[str, int] = {"": one[1]}
    for w, k in one[0]:
        part: dict[str, int] = {"": k}
        for factor in factors(w):
            part = multiplied(part, value if factor == v else {factor: 1})
        for u, j in part.items():
            total[u] = total.get(u, 0) + j
    return tight({u: j for u, j in total.items() if u}, total[""])


def _is_empty(where: System) -> bool:
    return any(map(_is_contradiction, _parts(where)))


@lru_cache(maxsize=50_000)
def _is_contradiction(where: System) -> bool:
    left = _eliminated(where, ())
    return left is not None and any(not k and c < 0 for k, c in left)


def _parts(where: System) -> list[System]:
    """The conditions in groups that have no variable in common: they exclude each other if those of one group do."""
    groups: list[tuple[set[str], list[Linear]]] = []
    for one in where:
        names, rows = {v for v, _ in one[0]}, [one]
        rest = []
        for group in groups:
            if names.isdisjoint(group[0]):
                rest.append(group)
            else:
                names |= group[0]
                rows += group[1]
        groups = [*rest, (names, rows)]
    return [frozenset(rows) for _, rows in groups]


def _products(where: System) -> set[str]:
    return {v for k, _ in where for v, _ in k if "*" in v}


@lru_cache(maxsize=50_000)
def _with_products(where: System) -> System:
    """The conditions with products of two of them of which all products of variables stand in the conditions already.

    To the conditions without products are added what follows for all factors, for one, and for two that have a third in common.
    """
    known = _products(where)
    plain = {one for one in where if one[0] and not any("*" in v for v, _ in one[0])}
    partners: dict[str, set[str]] = {}
    for one in known:
        for v, w in permutations(factors(one), 2):
            partners.setdefault(v, set()).add(w)
    pairs = [pair for pair in combinations(sorted(partners), 2) if partners[pair[0]] & partners[pair[1]]]
    outer = _eliminated(where, tuple(sorted({v for k, _ in where for v, _ in k} - known)))
    for kept in [*((v,) for v in sorted(partners)), *pairs, tuple(sorted(partners))]:
        plain |= {one for one in _eliminated(outer or where, kept) or () if one[0]}
    found = set(where)
    meets = {v: {w for w in ws if "*".join(sorted((v, w))) in known} for v, ws in partners.items()}
    usable = [
        (one, {v for v, _ in one[0]}, set.intersection(*(meets.get(v, set()) for v, _ in one[0]))) for one in sorted(plain)
    ]  # fmt: skip
    for (p, _, common), (q, names, _) in combinations_with_replacement(usable, 2):
        if names <= common:
            both = multiplied({**dict(p[0]), "": p[1]}, {**dict(q[0]), "": q[1]})
            found.add(tight({v: k for v, k in both.items() if v}, both.get("", 0)))
    return frozenset(found) if len(found) <= MOST else where


@lru_cache(maxsize=50_000)
def _eliminated(where: System, kept: tuple[str, ...]) -> System | None:
    """What follows for the variables that are kept; None where that takes too much."""
    found = _strongest(where)
    while found.get((), 0) >= 0:
        above: dict[str, int] = {}
        below: dict[str, int] = {}
        for k in found:
            for v, c in k:
                side = above if c > 0 else below
                side[v] = side.get(v, 0) + 1
        counts = {v: (above.get(v, 0), below.get(v, 0)) for v in above.keys() | below.keys() if v not in kept}
        if not counts:
            return frozenset(found.items())
        if free := {v for v, (up, down) in counts.items() if not up or not down}:  # it may be as large, or small, as is wanted
            found = {k: c for k, c in found.items() if free.isdisjoint([v for v, _ in k])}
            continue
        v = min(sorted(counts), key=lambda one: counts[one][0] * counts[one][1] - sum(counts[one]))
        made: list[Linear] = []
        sides: tuple[list[tuple[int, Linear]], list[tuple[int, Linear]]] = ([], [])
        for one in found.items():
            at = next((k for name, k in one[0] if name == v), 0)
            if at:
                sides[at < 0].append((abs(at), one))
            else:
                made.append(one)
        made += [_joined(low, high, v) for low in sides[0] for high in sides[1]]
        found = _strongest(made)
        if len(found) > MOST:
            return None
    return frozenset({NEVER})


def _joined(low: tuple[int, Linear], high: tuple[int, Linear], v: str) -> Linear:
    """What follows from a v + f >= 0 and -b v + g >= 0, each given with a, or b: b f + a g >= 0."""
    (a, one), (b, other) = low, high
    found = {name: b * k for name, k in one[0]}
    for name, k in other[0]:
        found[name] = found.get(name, 0) + a * k
    del found[v]
    return tight(found, b * one[1] + a * other[1])


def _strongest(where: Iterable[Linear]) -> dict[tuple[tuple[str, int], ...], int]:
    least: dict[tuple[tuple[str, int], ...], int] = {}
    for k, c in where:
        if (k or c < 0) and c < least.get(k, c + 1):
            least[k] = c
    return least


def implies(where: System, one: Linear) -> bool:
    """Whether it is certain that a condition follows."""
    return is_empty(where | {negation(one)})


def is_redundant(where: System, one: Linear) -> bool:
    """Whether a condition is seen to follow from the others, products of variables being variables like any other."""
    return _is_empty((where - {one}) | {negation(one)})


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
    return _ends(_eliminated(_with_products(where) if _products(where) else where, (v,)), v)


def _ends(left: System | None, v: str) -> tuple[int | None, int | None]:
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
    if products := _products(where):
        kept = {v for k, _ in where for v, _ in k} - products
        left = _eliminated(_with_products(where), tuple(sorted(kept)))
        if left is None:
            return False
        where = left
    receding = frozenset((tuple((v, k) for v, k in one[0] if v in own), 0) for one in where)
    return all(is_empty(receding | {(((v, side),), -1)}) for v in variables for side in (1, -1))
