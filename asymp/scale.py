"""Regimes: what tends where.

A regime is *parametrised by independent large scales*: quantities that tend to infinity, none
tied to another.  The variables of a paper are expressions in them.  ``p = omega(1/n), p -> 0``
is ``n = u v, p = 1 - exp(-1/v)`` with u and v free: every joint path to the limit is covered,
and a comparison that depends on the path is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp


@dataclass(frozen=True)
class Path:
    """One way to run to the limit: the regime's variables as expressions in its ``runner``.

    ``at(10**8)`` gives the exact values of all variables and parameters at that point.
    """

    name: str
    runner: sp.Symbol
    values: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)

    def at(self, size: int) -> dict[str, sp.Expr]:
        """The values (by name) where the runner is ``size``."""
        point = {self.runner.name: sp.Integer(size)}
        for symbol, expr in self.values.items():
            point[symbol.name] = sp.sympify(expr).subs(self.runner, sp.Integer(size))
        return point


@dataclass(frozen=True)
class Regime:
    """What tends where.

    Args:
        text: as printed.
        scales: the independent symbols that tend to +oo.
        ties: variables of the paper -> expressions in scales and parameters.
        ranges: parameter -> expression in a positive symbol that covers its range
            (``alpha > 1`` is ``{alpha: 1 + a}``, a positive).
        names: scale -> what it is in the paper's variables, to leading order (for display).
        paths: ways to the limit along which numbers are computed.
        instances: parameter values (symbol -> exact value) at which numbers are computed.
    """

    text: str
    scales: tuple[sp.Symbol, ...]
    ties: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    ranges: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    names: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    paths: tuple[Path, ...] = ()
    instances: tuple[Mapping[sp.Symbol, sp.Expr], ...] = ({},)

    @staticmethod
    def single(n: sp.Symbol, text: str = "") -> Regime:
        """One variable that tends to infinity.

        >>> Regime.single(sp.Symbol("n", positive=True)).text
        'n -> oo'
        """
        return Regime(text or f"{n} -> oo", (n,), paths=(Path(f"{n} -> oo", n),))
