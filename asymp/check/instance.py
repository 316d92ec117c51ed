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


def misplaced(claim: Claim) -> str:
    """Why one of the points at which a claim is to be tried lies outside its regime; empty where none does."""
    assert claim.regime is not None
    for values in claim.refuting:
        why = outside(claim.regime, {s: sp.sympify(x) for s, x in symbols(claim, values).items()})
        if why:
            return f"the claim is to be tried at a point where it says nothing: {why}"
    return ""


def outside(regime: Regime, point: Mapping[sp.Symbol, sp.Expr]) -> str:
    """Why a point of parameter values does not lie in the regime's ranges, proved; empty where it does.

    A range is covered by positive symbols: at the point each of these must be positive.  What a part of the
    parameters leaves open is no obstacle unless it is certainly not positive.

    >>> a, b = sp.symbols("a b", positive=True)
    >>> regime = Regime("n -> oo, 1 < a < 3", (), ranges={a: 1 + 2 / (1 + b)}, whole=frozenset({"a"}))
    >>> outside(regime, {a: sp.Integer(2)}), outside(regime, {a: sp.Integer(3)}), outside(regime, {a: sp.Rational(3, 2)})
    ('', 'a = 3 lies outside the range of a', 'a = 3/2 is no whole number')
    """
    for symbol, value in point.items():
        where = f"{symbol} = {value}"
        if not value.is_number or value.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
            return f"{where} is no number"
        if symbol.name in regime.whole and not value.is_integer:
            return f"{where} is no whole number"
        if (symbol.is_positive and sign(value) != 1) or (symbol.is_nonnegative and sign(value) == -1):
            return f"{where} is not positive"
    for cover in regime.uncovered().values():
        used = [s for s in point if s in cover.free_symbols]
        if not used:
            continue
        rest = cover.subs(dict(point))
        if rest.is_number:
            inside = not rest.has(sp.nan, sp.zoo, sp.oo, -sp.oo) and sign(rest) == 1
        else:
            inside = sign(rest.subs(dict(regime.ranges))) not in (0, -1)
        if not inside:
            where = ", ".join(f"{s} = {point[s]}" for s in used)
            return f"{where} lies outside the range of {', '.join(str(s) for s in used)}"
    return ""
