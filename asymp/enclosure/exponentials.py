"""What decays exponentially in an index: its rate, and functions of nothing but such exponentials."""

from __future__ import annotations

import sympy as sp

from asymp.enclosure.plan import Builder, Plan
from asymp.enclosure.summand import line

Rates = tuple[tuple[int, str], ...]
"""The places of the rates of exponentials, with the names that these have in a plan."""


def rate_of(expr: sp.Expr, index: sp.Symbol) -> sp.Expr | None:
    """c for expr = exp(-c t) (a constant factor is left out), else None."""
    if isinstance(expr, sp.exp):
        parts = line(expr.args[0], index)
        if parts is not None and parts[1] == 0 and parts[0] != 0:
            return -parts[0]
    if expr.is_Pow and index not in expr.base.free_symbols:
        parts = line(expr.exp, index)
        if parts is not None and parts[1] == 0 and parts[0] != 0:
            return -parts[0] * sp.log(expr.base)
    return None


def bounded_part(builder: Builder, body: sp.Expr, index: sp.Symbol) -> tuple[Rates, Plan] | None:
    """The rates of all exponentials in a body, and its plan in names for them; None where the index stands elsewhere too."""
    names: dict[sp.Expr, sp.Symbol] = {}

    def swap(expr: sp.Expr) -> sp.Expr:
        decay = rate_of(expr, index)
        if decay is not None:
            return names.setdefault(decay, sp.Symbol(f"\0w{len(names)}", positive=True))
        return expr.func(*(swap(arg) for arg in expr.args)) if expr.args else expr

    swapped = swap(body)
    if index in swapped.free_symbols:
        return None
    plan = builder.body(swapped, sp.Dummy("none"), set(names.values()))
    return tuple((builder.place(rate), symbol.name) for rate, symbol in names.items()), plan
