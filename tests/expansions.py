"""Expansions as SymPy's expressions in positive symbols, to be set against numbers from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from asymp.cas import text as text_of
from asymp.enclosure import enclose
from asymp.language.statement import read_statement
from asymp.parse import claim, parse_expression
from asymp.prove.expanding import expanded as search


@dataclass(frozen=True)
class Expansion:
    """The terms, the larger ones first, and the growth of what is left, 0 of nothing."""

    terms: tuple[sp.Expr, ...]
    growth: sp.Expr

    @property
    def expr(self) -> sp.Expr:
        """The sum of the terms."""
        return sp.Add(*self.terms)


def expanded(f: str | sp.Expr, to: str = "n->oo", assume: Iterable[str] | str = (), order: int = 3) -> Expansion:
    """The first terms, which are a theorem.

    Raises:
        Refused: there are none, or they split into cases.
    """
    text = f if isinstance(f, str) else text_of(f)
    asked = claim("me/expansion", f"{text} = O(1)", to=to, source="me, 1", assume=assume)
    found = search(read_statement(asked.closed), order)
    assert found.theorem.holds and found.kind == "O"
    return Expansion(tuple(map(parse_expression, found.terms)), parse_expression(found.growth))


def distances(f: str | sp.Expr, e: Expansion, points: Iterable[Mapping[str, Any]]) -> list[float]:
    """|f - terms| over the remainder, by certified numbers."""
    expr = parse_expression(f) if isinstance(f, str) else f
    return [abs(float(enclose((expr - e.expr) / e.growth, dict(at), digits=6).value)) for at in points]


def follows(f: str | sp.Expr, e: Expansion, points: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the distance from the terms is of the size of the remainder, farther and farther out."""
    found = distances(f, e, points)
    return found[-1] <= 1.5 * found[0] + 1e-3


def far(*sizes: int, **others: Any) -> list[dict[str, Any]]:
    """n at powers of 10, with values of other variables."""
    return [{"n": 10**size, **others} for size in sizes]
