r"""Uniform forms: one closed expression across a transition, with its error derived and measured on both sides.

A family such as Erlang's B(n, rho n) has three expansions: for rho < 1, for rho > 1, and in the window rho = 1 + y/sqrt(n).
A uniform form holds in all three at once.  :func:`across` (i) derives in each regime that quantity/form -> 1, and the
order of the difference, and (ii) encloses quantity/form - 1 on a grid that crosses the transition, in certified balls.

The form of the incomplete gamma function is Temme's (DLMF 8.12.3-12; Temme 1979), with mu = x/a - 1,
eta^2/2 = mu - ln(1 + mu) and eta of the sign of mu:

.. math:: \frac{\Gamma(a,x)}{\Gamma(a)} = \tfrac12\mathrm{erfc}\bigl(\eta\sqrt{a/2}\bigr)
    + \frac{e^{-a\eta^2/2}}{\sqrt{2\pi a}}\Bigl(\sum_{k<K}\frac{c_k(\eta)}{a^k} + O(a^{-K})\Bigr),

uniformly for x/a in every closed part of (0, oo), with c_0 = 1/mu - 1/eta and c_k = c'_{k-1}/eta + (-1)^k g_k/mu,
g_k the coefficients of Stirling's series.  The c_k are regular at mu = 0; the closed forms used here are 0/0 there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

import asymp.symbolics as sy
from asymp.enclosure import Undecided, ball
from asymp.expand.engine import Expander
from asymp.expand.incomplete import stirling_coefficients
from asymp.expansion import Refused, assumptions
from asymp.growth import Growth
from asymp.queues import erlang
from asymp.scale import Regime
from asymp.sign import decided_sign

PRECISIONS = (256, 512, 1024, 4096)
"""Bits at which a point is tried in turn."""
SMALLEST_BITS = 200
"""Distances below 2^-SMALLEST_BITS (exponentially small ones) are bounded by it, not resolved."""

Grid = tuple[Mapping[sp.Symbol, sp.Expr], ...]


@dataclass(frozen=True)
class Uniform:
    """A quantity, the form that is to hold across the transition, where it is derived and where it is measured.

    Attributes:
        quantity: the exact quantity.
        form: the uniform form.
        regimes: the regimes that cover the family, on both sides and in between.
        grid: exact values of the variables; the first one of each point, ``runner``, orders the grid.
        runner: the large variable.
    """

    quantity: sp.Expr
    form: sp.Expr
    regimes: tuple[Regime, ...]
    grid: Grid
    runner: sp.Symbol


@dataclass(frozen=True)
class Derived:
    """quantity/form = 1 + O(error) in a regime (several growths: the sum of them); not 0 is what must not vanish."""

    regime: Regime
    error: tuple[Growth, ...]
    leading: sp.Expr | None
    nonzero: tuple[sp.Expr, ...] = ()

    def __str__(self) -> str:
        rest = " + ".join(str(self.regime.display(g.expr)) for g in self.error) or "0"
        return f"{self.regime.text}: quantity/form = 1 + O({rest})"


@dataclass(frozen=True)
class Measured:
    """sup |quantity/form - 1| over the points of one size, certified from above, and where it is largest."""

    size: sp.Expr
    supremum: Fraction
    where: Mapping[sp.Symbol, sp.Expr]
    points: int

    def __str__(self) -> str:
        at = ", ".join(f"{s} = {x}" for s, x in self.where.items())
        return f"{self.points} points with size {self.size}: at most {float(self.supremum):.3g}, at {at}"


@dataclass(frozen=True)
class Across:
    """What was derived in every regime, and measured at every size."""

    derived: tuple[Derived, ...]
    measured: tuple[Measured, ...]


def across(family: Uniform, order: int = 3) -> Across:
    """The error of a uniform form: derived regime by regime, and certified on the grid.

    Raises:
        Refused: in some regime quantity/form is not derived to tend to 1, or a point cannot be enclosed.
    """
    return Across(
        tuple(derive(family, regime, order) for regime in family.regimes),
        measure(family),
    )


def derive(family: Uniform, regime: Regime, order: int = 3) -> Derived:
    """quantity/form -> 1 in one regime, with the order of the difference; two more terms where ``order`` do not suffice.

    Raises:
        Refused: the quotient's limit is not derived, or it is not 1.
    """
    try:
        return _derived(family, regime, order)
    except Refused:
        return _derived(family, regime, order + 2)


def _derived(family: Uniform, regime: Regime, order: int) -> Derived:
    with assumptions() as noted:
        expander = Expander(regime, order)
        quotient = expander(family.quantity) * expander(family.form).inverse(order)
        difference = quotient - expander(sp.S.One)
    growths = (*difference.terms, *difference.remainder)
    for growth in growths:
        if growth.limit() != "zero":
            raise Refused(f"{regime.text}: quantity/form is {quotient}, which is not derived to tend to 1")
    leading = None
    if difference.terms:
        try:
            growth, coefficient = difference.leading()
            leading = regime.display(coefficient * growth.expr)
        except Refused:
            leading = None
    return Derived(regime, _largest(growths), leading, tuple(a for a in noted if decided_sign(a) is None))


def _largest(growths: Iterable[Growth]) -> tuple[Growth, ...]:
    kept: list[Growth] = []
    for g in growths:
        if any((g / k).limit() in ("zero", "one") for k in kept):
            continue
        kept = [k for k in kept if (k / g).limit() != "zero"] + [g]
    return tuple(kept)


def measure(family: Uniform) -> tuple[Measured, ...]:
    """sup |quantity/form - 1| over the grid, one size of the runner after the other, certified from above.

    Raises:
        Refused: a point where the quotient cannot be enclosed.
    """
    distance = family.quantity / family.form - 1
    found: dict[sp.Expr, list[tuple[Fraction, Mapping[sp.Symbol, sp.Expr]]]] = {}
    for point in family.grid:
        found.setdefault(point[family.runner], []).append((_upper(distance, point), point))
    result = []
    for size, rows in found.items():
        supremum, where = max(rows, key=lambda row: row[0])
        result.append(Measured(size, supremum, where, len(rows)))
    return tuple(result)


def _upper(distance: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> Fraction:
    """An upper bound of |distance| at a point, within a thousandth of it or below 2^-SMALLEST_BITS."""
    values = {s.name: x for s, x in point.items()}
    reason = "no finite ball"
    for bits in PRECISIONS:
        try:
            found = ball(distance, values, bits)
        except Undecided as undecided:
            reason = str(undecided)
            continue
        if found.is_finite() and (found.rel_accuracy_bits() > 10 or found.abs_upper() < 2.0**-SMALLEST_BITS):
            mantissa, exponent = found.abs_upper().man_exp()
            return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    at = ", ".join(f"{s} = {x}" for s, x in point.items())
    raise Refused(f"quantity/form could not be enclosed at {at}: {reason}")


# --- the incomplete gamma function ---------------------------------------------------------------

_eta, _mu = sp.symbols("eta mu")


def temme_coefficients(count: int) -> list[sp.Expr]:
    """c_0 .. c_count in eta and mu, closed: c_k = (1/eta) dc_{k-1}/deta + (-1)^k g_k/mu (DLMF 8.12.9-11).

    With d mu/d eta = eta (1 + mu)/mu, a function of both has (1/eta) d/deta = (1/eta) d_eta + ((1 + mu)/mu) d_mu.

    >>> temme_coefficients(1)
    [1/mu - 1/eta, -1/(12*mu) - 1/mu**2 - 1/mu**3 + eta**(-3)]
    """
    stirling = stirling_coefficients(count)
    found = [1 / _mu - 1 / _eta]
    for k in range(1, count + 1):
        last = found[-1]
        slope = sy.diff(last, _eta) / _eta + (1 + _mu) / _mu * sy.diff(last, _mu)
        found.append(sy.expand(slope + (-1) ** k * stirling[k] / _mu))
    return found


def uniform_incomplete_gamma(a: sp.Expr, ratio: sp.Expr, order: int) -> sp.Expr:
    """Temme's form of e^(a eta^2/2) Gamma(a, ratio a)/Gamma(a), with c_0 .. c_order; its error is O(a^(-order-3/2)).

    The square root of (mu - ln(1 + mu))/mu^2 is regular and positive at mu = 0, so that eta has the sign of mu.
    At ratio = 1 itself the closed forms are 0/0.
    """
    mu = ratio - 1
    eta = mu * sp.sqrt(2 * (mu - sp.log(ratio)) / mu**2)
    weight = sp.exp(a * (mu - sp.log(ratio)))
    series = sp.Add(*(c.subs({_eta: eta, _mu: mu}) * a**-k for k, c in enumerate(temme_coefficients(order))))
    return weight * sp.erfc(eta * sp.sqrt(a / 2)) / 2 + series / sp.sqrt(2 * sp.pi * a)


# --- Erlang B ------------------------------------------------------------------------------------

rho = sp.Symbol("rho", positive=True)
"""Offered load per server."""
_d, _y = sp.symbols("d y", positive=True)


def crossing_regimes() -> tuple[Regime, ...]:
    """n -> oo with rho fixed on either side of 1, in the window 1 -+ y/sqrt(n), and between the two, at 1 -+ n^(-1/3)."""
    n = erlang.n
    third = n ** -sp.Rational(1, 3)
    return (
        Regime("rho < 1", (n,), ranges={rho: 1 / (1 + _d)}),
        Regime("rho = 1 - n^(-1/3)", (n,), ties={rho: 1 - third}),
        Regime("rho = 1 - y/sqrt(n)", (n,), ties={rho: 1 - _y / sp.sqrt(n)}),
        Regime("rho = 1 + y/sqrt(n)", (n,), ties={rho: 1 + _y / sp.sqrt(n)}),
        Regime("rho = 1 + n^(-1/3)", (n,), ties={rho: 1 + third}),
        Regime("rho > 1", (n,), ranges={rho: 1 + _d}),
    )


SIZES = (10, 100, 10**4, 10**8)
"""Numbers of servers at which a form is measured."""


def crossing_grid(sizes: Iterable[int] = SIZES) -> Grid:
    """rho from 1/100 to 100, close to 1 at distances from 3/sqrt(n) to 1/n, on both sides."""
    n, points = erlang.n, []
    for size in sizes:
        root = sp.Integer(sp.floor(sp.sqrt(size)))
        offsets = [sp.Rational(3) / root, 2 / root, 1 / root, 1 / (2 * root), 1 / (10 * root), sp.Rational(1, size)]
        near = [1 + s * x for x in offsets for s in (-1, 1) if 1 - x > 0]
        far = [sp.Rational(*q) for q in ((1, 100), (1, 10), (1, 2), (9, 10), (11, 10), (2, 1), (10, 1), (100, 1))]
        points += [{n: sp.Integer(size), rho: x} for x in sorted({*near, *far})]
    return tuple(points)


def erlang_b_form(order: int) -> sp.Expr:
    """The uniform form of 1/B(n, rho n): 1 + n Gamma(n, a) e^a/a^n, with Gamma(n, a) by Temme and Gamma(n) exact.

    The relative error is O(n^(-order-1)) beyond the transition, O(n^(-order-3/2)) in the window: 1/B is of order sqrt(n) there.
    """
    n = erlang.n
    scaled = sp.gamma(n) * sp.exp(n - n * sp.log(n))  # Gamma(n) (e/n)^n; e^a/a^n = (e/n)^n e^(n eta^2/2)
    return 1 + n * scaled * uniform_incomplete_gamma(n, rho, order)


def erlang_b_across(order: int = 1, sizes: Iterable[int] = SIZES) -> Uniform:
    """Erlang's loss formula at load rho n, across rho = 1."""
    n = erlang.n
    quantity = erlang.inverse_erlang_b().subs(erlang.a, n * rho)
    return Uniform(quantity, erlang_b_form(order), crossing_regimes(), crossing_grid(sizes), n)
