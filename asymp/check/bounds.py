"""Evidence for bounds ``f <= g``: explicit expansions and balls for any range of one variable, and points of the domain.

Proofs are the kernel's (:mod:`asymp.prove.bounds`); what is derived here without one supports a statement, or refutes it at
a point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from asymp.check import finite
from asymp.check.falsify import counterexample
from asymp.check.settle import settle
from asymp.claim import Bound, Domain, Evidence, Outcome, Strength


def evidence(relation: Bound, by_theorem: Callable[[], Evidence | None] = lambda: None) -> list[Evidence]:
    """Evidence for ``lhs op rhs`` on its whole domain: derived, refuted at one point, or upheld at the points of its grid.

    Where no point refutes it and there is a theorem of it, its line stands and nothing is derived a second time.

    Where the statement is one of one variable and neither its proof nor its refutation is found, the prover was
    stopped near some place; a grid does not speak there.
    """
    if relation.op not in ("<", "<=", ">", ">="):
        return [Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, f"{relation.op!r} is not a comparison")]
    lines = finite.argued(relation.proof)
    grid = finite.bound_on_grid(relation) if relation.domain.grid or not lines else None
    if grid is not None and grid.outcome is Outcome.REFUTED:
        return [*lines, grid]
    if not relation.domain.complete:
        if (proved := by_theorem()) is not None:
            return [proved, *lines, *([grid] if grid is not None else [])]
        line = _whole_domain(relation)
        if line is not None and line.outcome is not Outcome.UNDECIDED:
            kept = [x for x in (*lines, grid) if x is not None and x.outcome is line.outcome]
            return [line, *kept]
        if line is not None and not lines:
            return [line]
        if line is not None:
            lines.append(line)
        else:
            point = counterexample(relation)
            if point is not None:
                there = replace(relation, domain=Domain(relation.domain.text, (point,)))
                found = finite.bound_on_grid(there)
                if found.outcome is Outcome.REFUTED:
                    return [*lines, found]
    return [*lines, *([grid] if grid is not None else [])]


def _whole_domain(relation: Bound) -> Evidence | None:
    """The statement for its whole domain, proved or refuted; undecided, with the place; None where it is none of one variable."""
    line = settle(relation)
    if line is not None and line.outcome is Outcome.REFUTED and relation.domain.conditions:
        return None  # a point of the box, of which nobody knows whether it is in the domain
    return line
