"""Functions of what the methods here expand: the kernel's series of a function, with leaves for its arguments.

>>> from asymp.scale import Regime
>>> n = sp.Symbol("n", positive=True)
>>> k = sp.Symbol("k", positive=True)
>>> Expander(Regime.single(n), 1)(sp.cosh(sp.Sum(1 / (n + k), (k, 1, n)))).first(1)
[(Growth(powers=(), large=()), cosh(log(2)))]
"""

from __future__ import annotations

import sympy as sp

from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expansion import Expansion, Refused
from asymp.functions.symbolic import classes

FUNCTIONS = tuple(kind for kind in classes(lambda row: row.name not in ("exp", "log")) if issubclass(kind, sp.Function))


@handles(*FUNCTIONS, order=9)
def of_leaves(expander: Expander, expr: sp.Expr) -> Expansion:
    """f(x_1, ..., x_k), where the arguments that move have expansions here."""
    if all(x.is_Symbol for x in expr.args) or not any(_is_ours(expander, x) for x in expr.args):
        raise Refused(f"the kernel has no series of {expr}", undecided=())
    moving = expander._variables()
    return expander.of(expr.func, *(expander(x) if x.free_symbols & moving else x for x in expr.args))


def _is_ours(expander: Expander, argument: sp.Expr) -> bool:
    """Whether an argument is not the kernel's alone."""
    return argument.has(sp.Sum, sp.Integral, sp.Product) or bool(argument.free_symbols & expander._bound.keys())
