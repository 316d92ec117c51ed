"""An expansion that was derived in SymPy's expressions, as it is set against numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy as sp

from asymp.cas import term_of
from asymp.check.symbolic_integrals import runs_of
from asymp.claim import Outcome
from asymp.expansion import Expansion
from asymp.scale import Regime


@dataclass(frozen=True)
class Derivation:
    """What was derived: ``expr`` has ``expansion`` in ``regime``."""

    regime: Regime
    expr: sp.Expr
    expansion: Expansion

    @property
    def main(self) -> sp.Expr:
        """The terms in the variables of the regime."""
        return self._in_variables(self.expansion.expr)

    @property
    def rest(self) -> sp.Expr:
        """The growths of the remainder, added up, in the variables of the regime; 0 where there is none."""
        return self._in_variables(sp.Add(*(r.expr for r in self.expansion.remainder)))

    @cached_property
    def measured(self) -> InTerms:
        """What numbers are set against."""
        return InTerms(self)

    def _in_variables(self, expr: sp.Expr) -> sp.Expr:
        regime = self.regime
        exact = {s: regime.inverse.get(s, regime.names.get(s, s)) for s in regime.scales}
        return expr.subs({**exact, **regime.uncovered()}, simultaneous=True)


class InTerms:
    """A derivation in the kernel's terms, with the paths of its regime."""

    def __init__(self, derivation: Derivation) -> None:
        self.expr, self.main, self.rest = map(term_of, (derivation.expr, derivation.main, derivation.rest))
        self.runs = runs_of(derivation.regime)
        self.outcome, self.whole = Outcome.HOLDS, bool(derivation.regime.whole)

    def is_identity(self) -> bool:
        """Whether it is the quantity itself: that is not asked here."""
        return False
