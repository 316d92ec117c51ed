"""Evidence for bounds ``f <= g``: a theorem for the whole domain; or explicit expansions and balls over one variable; or points.

Proofs are the kernel's (:mod:`asymp.prove.bounds`), and so are most refutations.  What is derived here without one supports
a statement (:mod:`asymp.check.settle`), or refutes it at a point, also one where nobody chose to look
(:mod:`asymp.check.falsify`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import sympy as sp

from asymp.check import finite
from asymp.check.domains import typed
from asymp.check.falsify import counterexample
from asymp.check.settle import settle
from asymp.check.theorems import line_of, witness
from asymp.claim import Bound, Domain, Evidence, Outcome, Strength
from asymp.kernel.theorem import Theorem
from asymp.language.conditions import Compared

OPERATORS = ("<", "<=", ">", ">=")


def evidence(relation: Bound, theorem_of: Callable[[], Theorem | None] = lambda: None) -> list[Evidence]:
    """Evidence for ``lhs op rhs`` on its whole domain: a theorem, one point against it, or the points of its grid for it.

    ``theorem_of``: asks the kernel whether the statement of these sides holds or fails, for all that its text says.

    Where the statement is one of one variable and neither its proof nor its refutation is found, the prover was
    stopped near some place; a grid does not speak there.  Nor does it where the domain has an equality, on which few of its
    points lie.
    """
    if relation.op not in OPERATORS:
        return [Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, f"{relation.op!r} is not a comparison")]
    lines = finite.argued(relation.proof)
    grid = [finite.bound_on_grid(relation)] if relation.domain.grid or not lines else []
    if relation.domain.complete or any(line.outcome is Outcome.REFUTED for line in grid):
        return [*lines, *grid]
    told = theorem_of()
    if told is not None:
        point = witness(told)
        if told.holds or point is None:
            return [line_of(told), *lines, *(line for line in grid if told.holds and line.outcome is Outcome.HOLDS)]
        if (refuted := _at(relation, point)) is not None:
            return [refuted]
    settled = settle(relation)
    if settled is not None and not (settled.outcome is Outcome.REFUTED and relation.domain.conditions):
        if settled.outcome is not Outcome.UNDECIDED:
            return [settled, *(line for line in (*lines, *grid) if line.outcome is settled.outcome)]
        return [*lines, settled, *grid] if lines else [settled]
    if (refuted := _at(relation, counterexample(relation))) is not None:
        return [*lines, refuted]
    if not lines and any(isinstance(c, Compared) and "=" in c.signs for c in relation.domain.conditions):
        why = f"an equality leaves few points of the domain {relation.domain.text}, and they tell nothing of the others"
        return [replace(line, outcome=Outcome.UNDECIDED, strength=Strength.NONE, detail=why) for line in grid]
    return [*lines, *grid]


def _at(relation: Bound, point: Mapping[str, sp.Expr] | None) -> Evidence | None:
    """That the statement fails at a point, by balls; of a point at which whole variables are not, nothing is said."""
    if point is None or not all(sp.sympify(point[v]).is_integer for v in typed(relation.domain).whole & point.keys()):
        return None
    found = finite.bound_on_grid(replace(relation, domain=Domain(relation.domain.text, (dict(point),))))
    return found if found.outcome is Outcome.REFUTED else None
