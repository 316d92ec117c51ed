"""Section 8: arguments that the engine does not find by itself, each for one statement.  They support it, no more."""

from __future__ import annotations

import sympy as sp

from asymp.claim import Step

n, p, mu1, mun, t = sp.symbols("n p mu1 mun t", positive=True)

__all__ = ["at_most_full", "below_full", "log_integral", "log_over"]


def at_most_full() -> list[Step]:
    """|1 - mu/(i mu1)| <= n/i, as mu <= n mu1 for n mu1 >= mun: each term of 1/C' is at least its part of 1/(n mu1 p_n)."""
    p1 = 1 - p
    if sp.simplify(1 + p1**n / p + (p1 - p1**n) / p - 1 / p) != 0:
        raise ValueError("the parts do not add up")
    above, b = sp.symbols("above b", positive=True)
    service = (1 / mun - 1 / (n * mu1)).subs(n, mun / mu1 + above)
    drain = (1 / (b * mu1) - 1 / (n * mu1)).subs(n, b + above)
    if not all(sp.factor(gap).is_positive and sp.simplify(gap.subs(above, 0)) == 0 for gap in (service, drain)):
        raise ValueError("a state is not slower than the full one")
    return [
        Step(
            "1/mun >= 1/(n mu1) and 1/(b mu1) >= 1/(n mu1) for b <= n",
            r"\frac1{C'} \ge \frac{1}{n\mu_1}\Bigl(1 + \frac{p_1^n}{p_n} + \sum_{b<n} p_1^b\Bigr)",
        ),
        Step("the parenthesis is 1/p_n, so that mu = 1/(p_n (1/C')) <= n mu1", r"\mu \le n\mu_1"),
        Step("hence", r"-\frac{n}{i} \le 1 - \frac{n}{i} \le 1 - \frac{\mu}{i\mu_1} \le 1 \le \frac{n}{i}"),
    ]


def below_full() -> list[Step]:
    """mu < n mu1 for n mu1 > mun."""
    return [*at_most_full()[:2], Step("strict, since 1/mun > 1/(n mu1)", r"\mu < n\mu_1")]


def log_integral() -> list[Step]:
    """The integral of ln t from 1 to n is n ln n - n + 1."""
    return _primitive(t * sp.log(t) - t, sp.log(t), n * sp.log(n) - n + 1)


def log_over() -> list[Step]:
    """The integral of ln t/t from 1 to n is ln^2 n/2."""
    return _primitive(sp.log(t) ** 2 / 2, sp.log(t) / t, sp.log(n) ** 2 / 2)


def _primitive(primitive: sp.Expr, integrand: sp.Expr, value: sp.Expr) -> list[Step]:
    if sp.simplify(sp.diff(primitive, t) - integrand) != 0:
        raise ValueError("not an antiderivative")
    if sp.simplify(primitive.subs(t, n) - primitive.subs(t, 1) - value) != 0:
        raise ValueError("the value differs")
    return [Step("antiderivative, checked by differentiation", sp.latex(primitive))]
