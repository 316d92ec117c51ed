"""Whether e^(N phi_1 + N_2 phi_2 + ...) g is integrable at the end of an interval far from the peak, for N -> oo."""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.exponent import Phases
from asymp.expand.local import Field, Series, before, expansion_at_zero
from asymp.expansion import Expansion, Refused
from asymp.scale import Growth, Regime, sign

_x = sp.Dummy("x", positive=True)
_w = sp.Dummy("w", positive=True)


def require_integrable(phases: Phases, far: sp.Expr) -> None:
    """The integrand near ``far`` is bounded by an integrable function times e^((N - N_0)(phi_1)) for some N_0.

    phi_1 tends to -oo there and the other phases are O(phi_1), ln g = O(phi_1), ln(distance) = O(phi_1);
    or phi_1 and the others are bounded, and g is integrable.

    Raises:
        Refused: not so, or not known.
    """
    if far in (sp.oo, -sp.oo):
        _at_infinity(phases, 1 if far == sp.oo else -1)
    else:
        _at_point(phases, far)


def _bounded_factors_out(g: sp.Expr) -> sp.Expr:
    """|sin| and |cos| are at most 1."""
    kept = [f for f in sp.Mul.make_args(g) if not (isinstance(f.as_base_exp()[0], (sp.sin, sp.cos))
                                                   and f.as_base_exp()[1].is_nonnegative)]
    return sp.Mul(*kept)


def _at_infinity(phases: Phases, side: int) -> None:
    expander = Expander(Regime.single(_x), 3)

    def expand(f: sp.Expr) -> Expansion:
        f = f.subs(phases.variable, side * _x)
        return expander(f.replace(lambda e: isinstance(e, (sp.sinh, sp.cosh, sp.tanh)), lambda e: e.rewrite(sp.exp)))

    main, coefficient = expand(phases.main).leading()
    amplitude = expand(_bounded_factors_out(phases.amplitude))
    growths = [*amplitude.terms, *amplitude.remainder]
    others = [expand(f) for g, f in phases.terms.items() if g != phases.order[0]]
    if main.limit() == "infinity":
        if sign(coefficient) != -1:
            raise Refused("the exponent is not known to tend to -oo at infinity")
        sizes = [h for e in others for h in (*e.terms, *e.remainder)]
        sizes += [h for g in growths if g.limit() not in ("zero", "one") for h, _ in g.log()]
        sizes.append(Growth.of(sp.log(_x)))
        for h in sizes:
            if (h / main).limit() not in ("zero", "one"):
                raise Refused(f"at infinity {h.expr} is not small against the exponent")
        return
    if main.limit() == "unknown":
        raise Refused("how the exponent behaves at infinity depends on parameters")
    margin = Growth.of(_x) * Growth.of(sp.log(_x), 2)
    if any((h * margin).limit() != "zero" for h in growths):
        raise Refused("the amplitude is not integrable at infinity and the exponent is bounded there")
    if any(h.limit() not in ("zero", "one") for e in others for h in (*e.terms, *e.remainder)):
        raise Refused("a part of the exponent is unbounded at infinity where its main part is bounded")


def _at_point(phases: Phases, far: sp.Expr) -> None:
    inside = phases.low if far == phases.high else phases.high
    t = phases.variable
    sides = (-1,) if far == phases.high else (1,) if far == phases.low else (1, -1)
    del inside
    parameters = set().union(*(f.free_symbols for f in (*phases.terms.values(), phases.amplitude)), far.free_symbols)
    for side in sides:
        field = Field(parameters - {t}, far if far.is_number and far.is_algebraic and not far.is_Rational and
                      not parameters - {t} else None)

        def local(f: sp.Expr, side: int = side, field: Field = field) -> Series:
            return expansion_at_zero(f.subs(t, far + side * _w), _w, field, sp.Integer(2))

        main = local(phases.main)
        depth, logs = _depth(main)
        for g, f in phases.terms.items():
            if g == phases.order[0]:
                continue
            other, log = _depth(local(f))
            if before(other, depth) or (log and not (logs or before(depth, sp.S.Zero))):
                raise Refused(f"a part of the exponent is too large at {far}")
        power, rest = sp.S.Zero, []
        for factor in sp.Mul.make_args(sy.powsimp(phases.amplitude.subs(t, far + side * _w))):
            base, exponent = factor.as_base_exp()
            if base == _w and not exponent.has(_w):
                power += exponent
            else:
                rest.append(factor)
        series = expansion_at_zero(sp.Mul(*rest), _w, field, sp.Integer(2))
        if before(depth, sp.S.Zero) or logs:
            continue  # phi_1 -> -oo like a power or a multiple of ln w: any power of w is outweighed
        if not before(sp.S.NegativeOne, power + series.lowest()):
            raise Refused(f"the integral diverges at {far}")


def _depth(series: Series) -> tuple[sp.Expr, bool]:
    """The lowest exponent below 0 (else 0), and whether ln w stands alone."""
    low, logs = sp.S.Zero, False
    for q, k in series.terms:
        if before(q, low):
            low = q
        logs = logs or (k > 0 and q == 0)
    return low, logs
