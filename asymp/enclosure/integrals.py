"""Integrals in a plan (rigorous, by flint's adaptive quadrature)."""

from __future__ import annotations

from typing import Any

import sympy as sp
from flint import acb, arb, fmpq

from asymp.enclosure.arithmetic import NAN, Number, to_ball
from asymp.enclosure.plan import Builder


def build(builder: Builder, body: sp.Expr, index: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int:
    """The place of an integral over a finite interval."""
    start, stop = builder.place(low), builder.place(high)
    plan = builder.body(body, index)
    inputs = tuple(plan.inputs)

    def real(v: Any) -> Number:
        values = [to_complex(v[k]) for k in inputs]
        environment = {"\0inputs": values}

        def integrand(t: acb, analytic: bool) -> acb:
            return plan.run_complex({**environment, "\0index": t}, (), analytic)

        a, b = to_ball(v[start]), to_ball(v[stop])
        if not (a.is_finite() and b.is_finite()):
            return NAN
        value = acb.integral(integrand, acb(a), acb(b))
        return value.real if value.is_finite() and value.imag.contains(0) else NAN

    return builder.emit(("integral", body, index, low, high), real, None)


def to_complex(value: Number) -> acb:
    """An exact or real number as a complex ball."""
    return acb(arb(value)) if isinstance(value, fmpq) else acb(value)
