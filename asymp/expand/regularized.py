r"""Q(a, x) = Gamma(a, x)/Gamma(a) and P = 1 - Q in a product: their 1 is exact.

As a quotient of two expansions an exponentially small P would vanish behind the power of 1/a that is left out of
Gamma(a)/Gamma(a).  Source: DLMF 8.2.4, 8.8.5-6, 5.5.1.
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand import engine
from asymp.expand.engine import Expander
from asymp.expand.incomplete import both_large
from asymp.expansion import Expansion, Refused

MOST_STEPS = 4


def _bottom(factor: sp.Expr) -> sp.Expr | None:
    """z of a factor 1/Gamma(z)."""
    base, power = factor.as_base_exp()
    if power != -1 or not isinstance(base, (sp.gamma, sp.factorial)):
        return None
    return base.args[0] + (1 if isinstance(base, sp.factorial) else 0)


def regularized(expander: Expander, expr: sp.Expr) -> Expansion | None:
    """A product with Gamma(a, x)/Gamma(z) or gamma(a, x)/Gamma(z) in it, z - a a small integer, a -> oo; else None.

    >>> from asymp.scale import Regime
    >>> n = sp.Symbol("n", positive=True)
    >>> e = Expander(Regime.single(n), 1)(sp.uppergamma(n, n / 2) / sp.gamma(n) - 1)
    >>> str(e.leading()[0])
    'exp(n*(1/2 - log(2)))/sqrt(n)'
    """
    variables = expander._variables()
    tops = [f for f in expr.args if isinstance(f, (sp.uppergamma, sp.lowergamma)) and f.args[0].free_symbols & variables]
    bottoms = [(f, z) for f in expr.args if (z := _bottom(f)) is not None]
    for top in tops:
        a, x = top.args
        for bottom, z in bottoms:
            steps = sy.expand(z - a)
            if not steps.is_Integer or abs(steps) > MOST_STEPS:
                continue
            others = sp.Mul(*(f for f in expr.args if f not in (top, bottom)))
            if steps > 0:  # Gamma(a)/Gamma(a + m)
                others = others / sp.Mul(*(a + j for j in range(int(steps))))
            else:
                others = others * sp.Mul(*(a - j for j in range(1, 1 - int(steps))))
            try:
                share = both_large(expander, a, x, isinstance(top, sp.lowergamma), share=True)
            except Refused:
                continue
            return share if others == 1 else expander(others) * share
    return None


engine.FACTORS.append(regularized)
