"""Relations as they read for whole values of some variables: what hangs on that, and what SymPy makes of it.

>>> from asymp.claim import Limit
>>> as_whole(Limit(sp.floor(sp.Symbol("n", positive=True)), sp.oo), {"n"}).f
n
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace

import sympy as sp

from asymp.claim import Relation
from asymp.kernel import terms
from asymp.kernel.terms import Term

READ_WHOLE = frozenset({"sin", "cos", "tan", "cot", "sec", "csc", "floor", "ceiling"})
_SYMPY = (sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc, sp.floor, sp.ceiling)
PI = terms.name("pi")


def marks(expr: sp.Expr, whole: Collection[str]) -> dict[sp.Symbol, sp.Symbol]:
    """Symbol -> the same with integer values, for the names that are whole."""
    return {
        s: sp.Symbol(s.name, integer=True, **{k: True for k in ("positive", "nonnegative") if getattr(s, f"is_{k}")})
        for s in sorted(expr.free_symbols, key=str)
        if s.name in whole and not s.is_integer
    }


def hanging(read: Iterable[Term], names: AbstractSet[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The names on whose being whole it hangs what terms do: in floor, in sin(pi ...); and all in a wave.

    >>> [sorted(found) for found in hanging([terms.read("floor(n) + sin(m)")], {"n", "m"})]
    [['n'], ['m', 'n']]
    """
    jumping: frozenset[str] = frozenset()
    waving: frozenset[str] = frozenset()
    for part in (part for term in read for part in terms.walk(term) if part.head in READ_WHOLE):
        inside = part.free & names
        waving |= inside
        if part.head in ("floor", "ceiling") or any(x == PI for x in terms.walk(part.parts[0])):
            jumping |= inside
    return jumping, waving


def as_whole(relation: Relation, names: Iterable[str]) -> Relation:
    """The relation with what SymPy makes of it for whole values of some variables.

    >>> from asymp.claim import Limit
    >>> n = sp.Symbol("n", positive=True)
    >>> as_whole(Limit(sp.sin(sp.pi * n) + sp.floor(n), sp.oo), {"n"}).f
    n
    """
    names = frozenset(names)
    changed = {}
    for name, item in vars(relation).items():
        if not isinstance(item, sp.Expr):
            continue
        if not (item.has(*_SYMPY) or any(q.base.is_negative for q in item.atoms(sp.Pow))):
            continue
        swaps = marks(item, names)
        changed[name] = item.subs(swaps).subs({new: old for old, new in swaps.items()}) if swaps else item
    changed = {name: item for name, item in changed.items() if item != getattr(relation, name)}
    return replace(relation, **changed) if changed else relation
