"""Which facts a comparison follows from: factors for a combination, by the simplex method in exact arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from asymp.kernel.functions.order_terms import Fact, Polynomial, gap
from asymp.kernel.terms import Term

MOST_FACTS = 160
MOST_PIVOTS = 400
By = list[list[object]]


def combination(facts: Sequence[Fact], goal: Fact | None) -> By | None:
    """Pairs of a fact's number and a factor from which a goal follows, or (None) a contradiction; None where there are none.

    >>> from asymp.kernel.terms import Term, read
    >>> x, y, z = map(read, "xyz")
    >>> combination([(x, "<=", y), (y, "<", z)], (x, "<", z))
    [[0, '1'], [1, '1']]
    """
    wanted = gap(goal) if goal is not None else {}
    gaps = _near([gap(fact) for fact in facts], [sign for _, sign, _ in facts], wanted, goal is None)
    if goal is not None and not set(wanted) - {()} and _enough(wanted.get((), mpq(0)), goal, False):
        return []
    if goal is not None and goal[1] == "=":
        found = _solve([(k, g) for k, g in gaps if facts[k][1] == "="], wanted, frozenset(range(len(facts))), exact=True)
        return _written(found)
    equations = frozenset(k for k, _ in gaps if facts[k][1] == "=")
    strict = [k for k, _ in gaps if facts[k][1] == "<"]
    found = _solve(gaps, wanted, equations, exact=False)
    if found is None:
        return None
    rest = wanted.get((), mpq(0)) - sum((c * dict(gaps)[k].get((), mpq(0)) for k, c in found.items()), mpq(0))
    needs = goal is None or goal[1] == "<"
    if rest > 0 or (not needs and rest == 0):
        return _written(found)
    if rest == 0 and any(found.get(k, 0) > 0 for k in strict):
        return _written(found)
    for k in strict if rest == 0 else ():  # one strict comparison is to be among them
        one = _solve(gaps, wanted, equations, exact=False, least=k)
        if one is not None:
            return _written(one)
    return None


def _enough(rest: mpq, goal: Fact, strict: bool) -> bool:
    return rest == 0 if goal[1] == "=" else rest > 0 or (rest == 0 and (goal[1] == "<=" or strict))


def _written(found: dict[int, mpq] | None) -> By | None:
    return None if found is None else [[k, str(c)] for k, c in sorted(found.items()) if c]


def _near(
    gaps: list[Polynomial], signs: Sequence[str], wanted: Polynomial, everything: bool
) -> list[tuple[int, Polynomial]]:
    """The facts that share parts with what is wanted, or with such facts; the nearest first, and no two the same."""
    seen = set(wanted) - {()}
    left = {k: set(g) - {()} for k, g in enumerate(gaps)}
    order: list[int] = []
    if everything:
        order = list(left)
    while not everything:
        new = [k for k, parts in left.items() if parts & seen or not parts]
        if not new:
            break
        order += new
        for k in new:
            seen |= left.pop(k)
    kept: dict[object, int] = {}
    for k in order[:MOST_FACTS]:
        kept.setdefault((signs[k], frozenset(gaps[k].items())), k)
    return [(k, gaps[k]) for k in kept.values()]


def _solve(
    gaps: list[tuple[int, Polynomial]] | None, wanted: Polynomial, free: frozenset[int], exact: bool, least: int | None = None
) -> dict[int, mpq] | None:
    """Factors c with wanted - sum c g a number, as large as can be (0 where ``exact``, and at least 0 with ``least`` > 0)."""
    columns: list[tuple[int, int]] = []  # fact, sign
    gaps = _useful(gaps, wanted, free, exact)
    if gaps is None:
        return None
    for k, _ in gaps:
        columns += [(k, 1), (k, -1)] if k in free else [(k, 1)]
    rows = sorted({p for _, g in gaps for p in g} | set(wanted), key=str)
    if not exact:
        rows = [p for p in rows if p != ()]
    at = dict(gaps)
    matrix = [[sign * at[k].get(p, mpq(0)) for k, sign in columns] for p in rows]
    right = [wanted.get(p, mpq(0)) for p in rows]
    cost = [mpq(0) if exact else sign * at[k].get((), mpq(0)) for k, sign in columns]
    if least is not None:  # the numbers are to cancel, and one factor is to be 1
        matrix.append([sign * at[k].get((), mpq(0)) for k, sign in columns])
        right.append(wanted.get((), mpq(0)))
        matrix.append([mpq(k == least) for k, sign in columns])
        right.append(mpq(1))
        found = _simplex(matrix, right, [mpq(0)] * len(columns))
    else:
        found = _simplex(matrix, right, cost)
    if found is None:
        return None
    factors: dict[int, mpq] = {}
    for (k, sign), c in zip(columns, found, strict=True):
        factors[k] = factors.get(k, mpq(0)) + sign * c
    return factors


def _useful(
    gaps: list[tuple[int, Polynomial]] | None, wanted: Polynomial, free: frozenset[int], exact: bool
) -> list[tuple[int, Polynomial]] | None:
    """Those facts that can be in a combination: of a part that is not wanted there is more than one sign; None: it is none."""
    left = dict(gaps or [])
    while True:
        up: dict[tuple[Term, ...], list[int]] = {}
        down: dict[tuple[Term, ...], list[int]] = {}
        for k, g in left.items():
            for p, c in g.items():
                if p != () or exact:
                    for where in (up, down) if k in free else ((up,) if c > 0 else (down,)):
                        where.setdefault(p, []).append(k)
        for p, c in wanted.items():
            if (p != () or exact) and p not in (up if c > 0 else down):
                return None
        bad = {k for a, b in ((up, down), (down, up)) for p, places in a.items() if p not in b and not wanted.get(p)
               for k in places}  # fmt: skip
        if not bad:
            return list(left.items())
        left = {k: g for k, g in left.items() if k not in bad}


def _simplex(matrix: list[list[mpq]], right: list[mpq], cost: list[mpq]) -> list[mpq] | None:
    """x >= 0 with A x = b and c x least, or one where there is no least; None where there is none (Bland's rule)."""
    m, n = len(matrix), len(cost)
    rows = [[-x for x in row] + [-b] if b < 0 else [*row, b] for row, b in zip(matrix, right, strict=True)]
    for i, row in enumerate(rows):
        row[n:n] = [mpq(i == j) for j in range(m)]
    basis = list(range(n, n + m))
    if not _optimised(rows, basis, [mpq(0)] * n + [mpq(1)] * m, n + m):
        return None
    if any(rows[i][-1] for i in range(m) if basis[i] >= n):
        return None
    for i in range(m):
        if basis[i] >= n:
            pivot = next((j for j in range(n) if rows[i][j]), None)
            if pivot is not None:
                _pivot(rows, basis, i, pivot)
    _optimised(rows, basis, cost + [mpq(0)] * m, n)
    found = [mpq(0)] * n
    for i, j in enumerate(basis):
        if j < n:
            found[j] = rows[i][-1]
    return found


def _optimised(rows: list[list[mpq]], basis: list[int], cost: list[mpq], usable: int) -> bool:
    for _ in range(MOST_PIVOTS):
        entering = None
        for j in range(usable):
            if j in basis:
                continue
            reduced = cost[j] - sum((cost[basis[i]] * row[j] for i, row in enumerate(rows) if row[j]), mpq(0))
            if reduced < 0:
                entering = j
                break
        if entering is None:
            return True
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(rows) if row[entering] > 0]
        if not ratios:
            return True
        _pivot(rows, basis, min(ratios)[2], entering)
    return False


def _pivot(rows: list[list[mpq]], basis: list[int], i: int, j: int) -> None:
    scale = rows[i][j]
    rows[i] = [x / scale for x in rows[i]]
    for k, row in enumerate(rows):
        if k != i and row[j]:
            factor = row[j]
            rows[k] = [x - factor * y for x, y in zip(row, rows[i], strict=True)]
    basis[i] = j
