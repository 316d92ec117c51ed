"""Roots of equations: their expansions, and the series of the kernel in SymPy's expressions that these use."""

from asymp.expand import oracle as oracle  # it plugs itself in
from asymp.expand.engine import Expander as Expander
