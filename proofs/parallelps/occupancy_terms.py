r"""The mean occupancy of parallel processor sharing: heavy traffic, light traffic, many servers a job.

EQ = (d - 1) lam b, where b > 0 is the only root of S(b) = 1/(1 - lam), S(b) = sum_u prod_{v<=u} a b/(b + v), a = d lam
(:class:`asymp.papers.parallelps.occupancy_symbol.ParallelOccupancy`).  S = M(1; b+1; a b) = e^(ab) (ab)^(-b) gamma(b + 1) P(b, ab) (DLMF 8.5.1).

>>> from asymp.scale import Regime
>>> n = sp.Symbol("n", positive=True)
>>> Expander(Regime.single(n), 2)(ParallelOccupancy(2, 1 / n))
1/n + 2/(3*n**2) + 14/(27*n**3) + O(n**(-4))
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.expand.engine import Expander
from asymp.expand.method import Method
from asymp.expand.place import place, power_series, side
from asymp.expansion import Expansion, Refused, assumptions
from asymp.papers.parallelps.occupancy_symbol import ParallelOccupancy
from asymp.scale import ONE, sign

D = sp.Symbol("d")


def _occupancy(expander: Expander, expr: sp.Expr) -> Expansion:
    d, lam = expander(expr.args[0]), expander(expr.args[1])
    if d.is_exact() and set(d.terms) == {ONE}:
        servers = d.terms[ONE]
        if sign(servers - 1) != 1:
            raise Refused(f"{servers} is not known to be above 1")
        at = place(lam)
        if at.kind == "zero" and side(lam) > 0:
            return _light(expander, servers, lam)
        if at.kind == "constant" and at.centre == 1:
            return _heavy(expander, servers, expander(1 - expr.args[1]))
        raise Refused(f"the load tends to {at.centre}: expansions at 0 and at 1 are known for a fixed number of servers")
    if place(d).kind == "infinity" and lam.is_exact() and set(lam.terms) == {ONE}:
        return _many(expander, d, lam.terms[ONE])
    raise Refused("the number of servers a job and the load both vary")


def _heavy(expander: Expander, d: sp.Expr, idle: Expansion) -> Expansion:
    r"""lam = 1 - eps, eps -> 0+, d > 1 fixed, L = ln(1/eps), h = d - 1 - ln d > 0.

    S is bounded for bounded b, so b -> oo, and ln S = b h(a) + ln(2 pi b)/2 + 1/(12 b) - ... + ln P(b, ab), by Stirling's
    series (DLMF 5.11.1); 1 - P = O(e^(-b h)/sqrt(b)) = O(eps) (DLMF 8.11.7, a > 1), h(a) = h(d) + O(eps).  So b solves
    b = (L - ln(2 pi b)/2 - 1/(12 b) + ...)/h + O(eps L), of which b = L/h + O(ln L) is a first answer, and each substitution
    gains a factor 1/L.
    """
    if side(idle) < 0:
        raise Refused("a load above 1")
    order = (expander.order + 1) // 2  # each power of 1/L comes with several of ln L
    gap, shift = sp.Dummy("h", positive=True), sp.Dummy("c", real=True)
    large = -idle.log(order)
    lost = Expansion.big_o((idle * large).leading()[0])  # eps L
    with assumptions() as assumed:
        found = _substituted(large, gap, shift, lost, order).scaled((d - 1) / gap)
    if any(shift in each.free_symbols for each in assumed):  # h > 0, for it is 0 at d = 1 and its slope is 1 - 1/d; c may be 0
        raise Refused("a coefficient that may vanish")
    expander.note(
        "heavy traffic: the root by substitution",
        r"\mathrm{E}Q = (d-1)\lambda b,\quad b = \frac{1}{h}\left(L - \tfrac12\ln(2\pi b) - \tfrac{1}{12 b} + \dots\right),"
        r"\quad L = \ln\tfrac{1}{1-\lambda},\; h = d - 1 - \ln d",
        "DLMF 8.5.1, 8.11.7, 5.11.1",
    )
    value = d - 1 - sp.log(d)
    meant = {gap: value, shift: sp.log(2 * sp.pi / value)}
    return Expansion.make({g: c.subs(meant) for g, c in found.terms.items()}, [*found.remainder, *lost.remainder])


def _substituted(large: Expansion, gap: sp.Expr, shift: sp.Expr, lost: Expansion, order: int) -> Expansion:
    """h b = L - (c + ln(h b))/2 - h/(12 (h b)) + ... + O(eps L), c = ln(2 pi/h), from h b = L + O(ln L)."""
    terms = order // 2 + 1
    found = large + Expansion.big_o(large.log(order).leading()[0])
    for _ in range(order + 2):
        inverse = found.inverse(order)
        stirling = [(found.log(order) + Expansion.constant(shift)).scaled(sp.Rational(1, 2))]
        for j in range(1, terms + 1):
            weight = sp.bernoulli(2 * j) / (2 * j * (2 * j - 1))  # Stirling's series
            stirling.append(inverse.power(sp.Integer(2 * j - 1), order).scaled(weight * gap ** (2 * j - 1)))
        stirling.append(Expansion.big_o(inverse.power(sp.Integer(2 * terms + 1), order).leading()[0]))
        found = large - Expansion.sum(stirling) + lost
    return found


@uncounted
@lru_cache(maxsize=32)
def light_coefficients(count: int, value: sp.Expr = D) -> tuple[sp.Expr, ...]:
    """The coefficients of lam, lam^2, ... of EQ, rational in d; for a rational ``value`` of d they are numbers.

    (S - 1)/lam = 1/(1 - lam) is analytic in b and lam, at lam = 0 it says d b/(b + 1) = 1, with the slope (d - 1)^2/d at its
    root b = 1/(d - 1): so b is analytic in lam, and its coefficients follow one by one.

    >>> light_coefficients(2), light_coefficients(4, sp.Integer(3))
    ((1, d/(2*d - 1)), (1, 3/5, 387/875, 54171/153125))
    """
    field: Any = sp.QQ if value.is_Rational else sp.QQ.frac_field(D)
    d, one, zero = field.from_sympy(value), field.one, field.zero

    def times(x: list[Any], y: list[Any]) -> list[Any]:
        return [sum((x[i] * y[k - i] for i in range(k + 1)), zero) for k in range(len(x))]

    def inverted(x: list[Any]) -> list[Any]:
        found = [one / x[0]]
        for k in range(1, len(x)):
            found.append(-sum((x[i] * found[k - i] for i in range(1, k + 1)), zero) * found[0])
        return found

    b = [one / (d - one)]
    for k in range(1, count):
        b.append(zero)
        total, product = -one, [one] + [zero] * k
        for u in range(1, k + 2):
            product = [d * c for c in times(times(product, b[: len(product)]), inverted([b[0] + u, *b[1 : len(product)]]))]
            total += product[-1]
            product = product[:-1]  # the next one has a factor lam more
        b[k] = -total * d / (d - one) ** 2
    return tuple(sy.factor(field.to_sympy(c * (d - one))) for c in b)


def _light(expander: Expander, d: sp.Expr, lam: Expansion) -> Expansion:
    """A power series in lam, by the implicit function theorem (:func:`light_coefficients`)."""
    found = light_coefficients(expander.order + 1, d if d.is_Rational else D)
    expander.note(
        "light traffic: coefficients one by one",
        r"\sum_{u\ge1} d^u\lambda^{u-1}\prod_{v=1}^u\frac{b}{b+v} = \frac{1}{1-\lambda},\quad \mathrm{E}Q = (d-1)\lambda b",
        "implicit function theorem",
    )
    return power_series(lam, lambda k: found[k - 1].subs(D, d) if k else sp.S.Zero, expander.order + 1)


def _many(expander: Expander, d: Expansion, lam: sp.Expr) -> Expansion:
    r"""d -> oo at a fixed load: L + (L Ein(L)/lam - L)/d + O(1/d^2), L = ln(1/(1 - lam)), Ein(L) = gamma + ln L + E_1(L).

    With x = EQ and 1/(d - 1) = t the terms of (3) are x^u/u! (1 + t)^u/prod_{v<=u} (1 + x t/(v lam)), analytic in x and t at
    t = 0, where they add up to e^x = 1/(1 - lam).  The next order is by sum_u x^u H_u/u! = e^x Ein(x) (DLMF 6.2.3, 6.2.4).
    """
    if not (sign(lam) == 1 and sign(1 - lam) == 1):
        raise Refused(f"{lam} is not known to lie between 0 and 1")
    x = -sp.log(1 - lam)
    whole = sp.EulerGamma + sp.log(x) + sp.expint(1, x)
    inverse = d.inverse(expander.order)
    expander.note(
        "many servers a job",
        r"\mathrm{E}Q = L + \frac{1}{d}\left(\frac{L\,\mathrm{Ein}(L)}{\lambda} - L\right) + O(d^{-2}),"
        r"\quad L = \ln\tfrac{1}{1-\lambda}",
        "implicit function theorem; DLMF 6.2.3",
    )
    square = inverse.power(sp.Integer(2), expander.order)
    return Expansion.constant(x) + inverse.scaled(x * whole / lam - x) + Expansion.big_o(square.leading()[0])


METHOD = Method("parallel_occupancy", (ParallelOccupancy,), _occupancy, 100, source="Theorem 1; DLMF 8.5.1")
