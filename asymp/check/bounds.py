"""Evidence for bounds ``f <= g``: a theorem for the whole domain, or points.

Proofs are the kernel's (:mod:`asymp.prove.bounds`, :mod:`asymp.prove.line`), and so are most refutations.  Where it has none, a
point may refute the statement, also one where nobody chose to look (:mod:`asymp.check.falsify`); that none does supports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from asymp.check import finite
from asymp.check.falsify import counterexample
from asymp.check.theorems import decided_as_read, line_of, witness
from asymp.claim import Bound, Claim, Domain, Evidence, Outcome, Strength
from asymp.domain import is_whole
from asymp.language.conditions import Compared
from asymp.language.statement import read_statement
from asymp.prove.line import enclosed

OPERATORS = ("<", "<=", ">", ">=")


def evidence(relation: Bound, said: Claim | None = None) -> list[Evidence]:
    """Evidence for ``lhs op rhs`` on its whole domain: a theorem, one point against it, or the points of its grid for it.

    ``said``: a claim whose text is the statement of these sides, of which a theorem is asked; None: there is no text.

    Where the domain has an equality, few points of a grid lie on it, and they do not speak.  Nor do they of a statement in one
    variable whose sides the kernel can enclose: it looked for a proof and for a point at which that fails, and was stopped.
    """
    if relation.op not in OPERATORS:
        return [Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, f"{relation.op!r} is not a comparison")]
    lines = finite.argued(relation.proof)
    grid = [finite.bound_on_grid(relation)] if relation.domain.grid or not lines else []
    if relation.domain.complete or any(line.outcome is Outcome.REFUTED for line in grid):
        return [*lines, *grid]
    found = decided_as_read(said) if said is not None else ""
    if not isinstance(found, str):
        told = found[1]
        point = witness(told)
        if told.holds or (refuted := _at(relation, point)) is None:
            return [line_of(told), *lines, *(line for line in grid if told.holds and line.outcome is Outcome.HOLDS)]
        return [refuted]
    if (refuted := _at(relation, counterexample(relation))) is not None:
        return [*lines, refuted]
    if not lines and any(isinstance(c, Compared) and "=" in c.signs for c in relation.domain.conditions):
        why = f"an equality leaves few points of the domain {relation.domain.text}, and they tell nothing of the others"
        return [replace(line, outcome=Outcome.UNDECIDED, strength=Strength.NONE, detail=why) for line in grid]
    if not lines and isinstance(found, str) and said is not None and said.closed and enclosed(read_statement(said.closed)):
        why = f"no theorem for all of {relation.domain.text}: {found}"
        return [replace(line, outcome=Outcome.UNDECIDED, strength=Strength.NONE, detail=why) for line in grid]
    return [*lines, *grid]


def _at(relation: Bound, point: Mapping[str, Any] | None) -> Evidence | None:
    """That the statement fails at a point, by balls; of a point at which whole variables are not, nothing is said."""
    if point is None or not all(is_whole(point[v]) for v in relation.domain.whole & point.keys()):
        return None
    found = finite.bound_on_grid(replace(relation, domain=Domain(relation.domain.text, (dict(point),))))
    return found if found.outcome is Outcome.REFUTED else None
