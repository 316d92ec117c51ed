"""How softplus is expanded: by its definition."""

import sympy as sp

from asymp.expand.method import Method


def work(expander, expr):
    """log(1 + e^u) for whatever u tends to."""
    return expander(sp.log(1 + sp.exp(expr.args[0])))


METHOD = Method("softplus", ("softplus",), work, order=100, source="Dugas et al. (2001)")
