"""A statement at values of its parameters, and in fewer variables."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from asymp.claim import Claim
from asymp.expand import Expander
from asymp.scale import Regime, sign


def projected(claim: Claim) -> Regime | None:
    """The regime of a statement that involves one large variable alone, whatever the others do."""
    regime = claim.regime
    assert regime is not None
    free = set().union(*(f.free_symbols for f in claim.relation.__dict__.values() if isinstance(f, sp.Basic)))
    tied = free & (set(regime.ties) | set(regime.scales))
    if len(tied) != 1:
        return None
    (variable,) = tied
    growth, coefficient = Expander(regime, 2)(variable).leading()
    if growth.limit() != "infinity" or sign(coefficient) != 1 or regime.ties.get(variable) is None:
        return None
    return Regime(f"{variable} -> oo, by: {regime.text}", (variable,), ranges=regime.ranges,
                  paths=Regime.single(variable).paths, instances=regime.instances)


def symbols(claim: Claim, values: Mapping[str, object]) -> dict[sp.Symbol, object]:
    """The claim's symbols of these names, with their values."""
    known: set[sp.Symbol] = set()
    for field in claim.relation.__dict__.values():
        if isinstance(field, sp.Basic):
            known |= field.free_symbols
    assert claim.regime is not None
    known |= set(claim.regime.ranges)
    return {s: values[s.name] for s in known if s.name in values}


def put_in(relation: object, point: Mapping[sp.Symbol, sp.Expr]) -> object:
    """The relation with values put in."""
    fields = {
        name: value.subs(dict(point)) if isinstance(value, sp.Basic) else value
        for name, value in relation.__dict__.items()
    }
    return type(relation)(**fields)
