"""The table of functions for SymPy's expressions: its classes, and the rows' conditions and ranges as expressions.

>>> row_of(sp.log).row.name
'log'
>>> NAMED["tanh"].range.low, NAMED["ln"].row.name
(-1, 'log')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from asymp.functions.classes import (
    BarnesG,
    Bell,
    Bernoulli,
    Borrowed,
    Hyp1F1,
    Hyp2F1,
    IncompleteBeta,
    Stirling1,
    Stirling2,
    Subfactorial,
)
from asymp.functions.conditions import Range, W, X, Y, Z
from asymp.functions.row import Row
from asymp.functions.table import BORROWED
from asymp.functions.table import ROWS as TABLE
from asymp.language.syntax import Node, Parser
from asymp.outside import is_own, loaded, refuse
from asymp.special import GammaDerivative, ZetaDerivative


@dataclass(frozen=True)
class Symbolic:
    """A row, for SymPy.

    Args:
        row: what the table says.
        heads: the SymPy classes that stand for it in an expression.
        make: builds it from its arguments.
        slow: beyond this size SymPy is not asked to compute it of a number (0: it always may).
    """

    row: Row
    heads: tuple[type, ...]
    make: Callable[..., Any]
    slow: int = 0

    @cached_property
    def range(self) -> Range:
        """Its values."""
        low, low_open, high, high_open = self.row.values
        ends = (expression(low) if low else -sp.oo, expression(high) if high else sp.oo)
        return Range(*ends, low_open, high_open, self.row.whole)

    @cached_property
    def period(self) -> sp.Expr | None:
        """Its period."""
        return expression(self.row.period) if self.row.period else None


def expression(text: str) -> sp.Expr:
    """A term of the table, in x, y, z and w.

    >>> expression("1 - (x)"), expression("-pi/2")
    (1 - _X, -pi/2)
    """
    return _expression(Parser(text).whole())


_LETTERS = {"x": X, "y": Y, "z": Z, "w": W, "pi": sp.pi, "E": sp.E, "EulerGamma": sp.EulerGamma}


def _expression(node: Node) -> sp.Expr:
    parts = [_expression(part) for part in node.parts]
    match node.kind:
        case "number":
            return sp.Rational(node.text)
        case "name":
            return _LETTERS[node.text]
        case "negative":
            return -parts[0]
        case "sum":
            return sp.Add(*(-p if sign == "-" else p for sign, p in zip(node.signs, parts, strict=True)))
        case "product":
            return sp.Mul(*(1 / p if sign == "/" else p for sign, p in zip(node.signs, parts, strict=True)))
        case "power":
            return sp.Pow(*parts)
    return NAMED[node.text].make(*parts)


# --- SymPy's classes --------------------------------------------------------------------------------


def _log(x: sp.Expr, *base: sp.Expr) -> sp.Expr:
    return sp.log(x) / sp.log(base[0]) if base else sp.log(x)


def _polylog(s: sp.Expr, z: sp.Expr) -> sp.Expr:
    """SymPy puts zeta(s) for Li_s(1), also where the series diverges."""
    return sp.zoo if z == 1 and s.is_number and (s - 1).is_nonpositive else sp.polylog(s, z)


def _lowergamma(a: sp.Expr, x: sp.Expr) -> sp.Expr:
    """SymPy puts 0 for x = 0, also where the integral diverges."""
    return sp.zoo if x == 0 and a.is_nonpositive else sp.lowergamma(a, x)


_HEADS: dict[str, type] = {
    "GammaDerivative": GammaDerivative, "ZetaDerivative": ZetaDerivative, "stieltjes": sp.stieltjes,
    "rf": sp.RisingFactorial, "ff": sp.FallingFactorial, "hyp1f1": Hyp1F1, "hyp2f1": Hyp2F1, "betainc": IncompleteBeta,
    "barnesg": BarnesG, "stirling1": Stirling1, "stirling2": Stirling2, "bell": Bell, "bernoulli": Bernoulli,
    "subfactorial": Subfactorial,
}  # fmt: skip
"""Classes that SymPy calls otherwise, has not, or has by another convention."""
_MADE: dict[str, Callable[..., Any]] = {
    "log": _log, "sqrt": sp.sqrt, "E1": sp.E1, "polylog": _polylog, "lowergamma": _lowergamma,
}  # fmt: skip
"""What is built otherwise than by the class."""
_SLOW = {
    **dict.fromkeys("gamma loggamma digamma factorial factorial2 binomial harmonic".split(), 1000),
    **dict.fromkeys("trigamma polygamma beta rf ff polylog besseli besselj besselk bessely".split(), 50),
    **dict.fromkeys("airyai airybi airyaiprime airybiprime".split(), 50),
    **dict.fromkeys("expint uppergamma lowergamma".split(), 20), "catalan": 200, "zeta": 200,
}  # fmt: skip


def _borrowed(row: Row) -> Symbolic:
    if row.symbolic and (own := _class_of(row)) is not None:
        return Symbolic(row, (own,), own, 1)
    count = tuple(range(row.least, row.most + 1))
    inside: dict[str, Any] = {"nargs": count, "called": row.name, "__module__": __name__}
    if row.derivative:
        inside["slope"] = staticmethod(lambda x: expression(row.derivative).subs(X, x))
    head = type(f"{_BORROWED}{row.name}", (Borrowed,), inside)
    return Symbolic(row, (head,), head)


def _class_of(row: Row) -> Any:
    """The class that a row from outside names; None, and a line, where that is no class of its own."""
    try:
        head = loaded(row.symbolic)
        if not issubclass(head, sp.Function) or is_own(head.__module__) or head.__module__.partition(".")[0] == "sympy":
            raise TypeError("it is no class of its own for a function")
    except Exception as error:  # of somebody else's code
        refuse(f"{BORROWED[row.name][1]}: {row.symbolic} is not used: {type(error).__name__}: {error}")
        return None
    return head


_BORROWED = "Borrowed_"


def __getattr__(name: str) -> Any:
    """The class of a row from outside, by its name: so it is found again in another process."""
    row = NAMED.get(name.removeprefix(_BORROWED)) if name.startswith(_BORROWED) else None
    if row is None:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return row.heads[0]


def _symbolic(row: Row) -> Symbolic:
    if row.name in BORROWED:
        return _borrowed(row)
    head = _HEADS.get(row.name) or getattr(sp, row.name)
    heads = () if row.name in ("sqrt", "E1") else (head,)  # SymPy has them as a power, and as another function's value
    return Symbolic(row, heads, _MADE.get(row.name, head), _SLOW.get(row.name, 0))


ROWS: tuple[Symbolic, ...] = tuple(map(_symbolic, TABLE))
NAMED: dict[str, Symbolic] = {name: row for row in ROWS for name in row.row.names.split()}
_HEADED: dict[type, Symbolic] = {head: row for row in ROWS for head in row.heads}


def row_of(head: type) -> Symbolic | None:
    """The row of a SymPy class; None for one that the table does not have."""
    return _HEADED.get(head)
