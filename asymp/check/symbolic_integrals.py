"""The paths of a regime in SymPy's symbols, as ways to the limit in the kernel's terms."""

from __future__ import annotations

import sympy as sp

from asymp.cas import term_of
from asymp.check.measure import Run
from asymp.scale import Regime


def runs_of(regime: Regime) -> list[Run]:
    """Every path of a regime with every one of its instances; the paths one after another."""
    found = []
    for path in regime.paths:
        for instance in regime.instances or ({},):
            put = {s.name: term_of(sp.sympify(x)) for s, x in instance.items()}
            values = {s.name: term_of(sp.sympify(x)) for s, x in path.values.items()}
            found.append(Run(path.name, path.runner.name, values, put))
    return found
