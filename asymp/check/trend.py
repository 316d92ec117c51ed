"""The enclosed line of evidence for asymptotic relations: certified numbers at huge n.

A derivation claims  q = P + O(R).  At n = 10^8, 10^20, 10^100, 10^1000, along every path of the regime,
q - P is enclosed and divided by R.  A right expansion keeps |q - P|/R bounded; a wrong term
makes it grow like that term over R, so its growth is measured on the slowest scale that occurs,
ln n.  Without a derivation the numbers alone are a trend, and never more than *supported*.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from asymp import budget
from asymp.check.finite import difference_is_zero
from asymp.check.symbolic import Derivation
from asymp.claim import Claim, Equivalent, Evidence, ExpansionOf, Finding, Limit, Order, Outcome, Strength, Witness
from asymp.enclosure import Undecided, ball, enclose
from asymp.expand.closed import written_out
from asymp.expand.integrals import closed_form
from asymp.expansion import Refused
from asymp.scale import Path, Regime

SIZES = (8, 20, 100, 1000)
NEAR = (5, 10, 20, 50, 100, 1000, 10**4, 10**5, 10**6)
"""Values of n where nothing can be measured at the usual sizes: an exponentially small difference, a slow function."""
NEAREST = (1, 2, 3, 4)
"""The same for e^(e^n)."""
ALWAYS = 10**20
"""Up to here n is measured with budget.BALL steps a ball; beyond, with the steps that were asked for."""
CAP_BITS = 16_000
"""Differences below 2^-CAP_BITS (exponentially small terms at huge n) are not resolved: nothing is measured there."""
NEAR_CAP_BITS = 4_000
"""The same for n up to 10^20, where no power of n needs more."""
SLOW_CAP_BITS = 1_000
FREE = sp.Integer(2)
"""The value of a parameter for which the regime names none."""
NEGLIGIBLE = -30.0
"""ln(|q - P|/R) below this is not resolved further: it is no wrong coefficient of a term that R does not absorb."""
SLOPE = 0.5
"""|q - P|/R may grow at most like (ln n)^SLOPE: iterated logarithms hidden in R pass, one factor ln n fails."""


@dataclass(frozen=True)
class Fit:
    """ln(|q - P|/R) along one path (-inf where they agree exactly), and the verdict on it."""

    name: str
    ratios: tuple[float, ...]
    bounded: bool
    sizes: tuple[int, ...] = ()


def confirm(
    derivation: Derivation, sizes: tuple[int, ...] = SIZES, thorough: bool = True, witnesses: bool = True,
    steps: int = budget.BALL,
) -> tuple[list[Fit], list[Witness]]:
    """Confront a derived expansion with certified values of its quantity.

    Where no path gives two numbers to compare at the usual sizes, smaller ones are taken.  An integral is enclosed
    by quadrature, and by its closed form only where that fails.  ``sizes``: powers of ten.  ``steps``: the
    work that one ball may take beyond n = 10^20, as foretold by those before it.

    Raises:
        Undecided: a value could not be certified.
    """
    regime, e = derivation.regime, derivation.expansion
    if not e.remainder and not e.terms:
        return [], []
    exact = {s: regime.inverse.get(s, regime.names.get(s, s)) for s in regime.scales}
    covers = regime.uncovered()
    main = e.expr.subs({**exact, **covers}, simultaneous=True)
    rest = sp.Add(*(r.expr for r in e.remainder)).subs({**exact, **covers}, simultaneous=True)
    usual = sizes == SIZES
    if not _fast(derivation.expr):
        sizes = tuple(s for s in sizes if s <= 100)
    parts = (_cut(derivation.expr), main, rest)
    fits, points = _measured(regime, parts, [10**size for size in sizes], thorough, witnesses, steps)
    for nearer in (NEAR, NEAREST):
        if not (e.remainder and usual and all(len(fit.ratios) < 2 for fit in fits)):
            break
        with contextlib.suppress(Undecided):  # what was measured far out stands
            near, _ = _measured(regime, parts, nearer, thorough, witnesses=False, steps=steps)
            fits += [fit for fit in near if len(fit.ratios) >= 2]
    return fits, points


@dataclass
class _Cost:
    """What the latest ball cost, and what one at a higher precision may cost."""

    steps: int
    latest: int = 0
    bits: int = 1

    def affordable(self, bits: int, size: int) -> bool:
        """Whether the next ball is foretold to be cheap enough: the cost grows at least like bits^2 where it is felt."""
        return self.latest * bits**2 <= (budget.BALL if size <= ALWAYS else self.steps) * self.bits**2

    def counted(self, expr: sp.Expr, values: dict[str, sp.Expr], bits: int) -> Any:
        """A ball, and its cost noted."""
        begin = budget.spent()
        result = ball(expr, values, bits)
        self.latest, self.bits = budget.spent() - begin, bits
        return result


def _measured(
    regime: Regime, parts: tuple[sp.Expr, sp.Expr, sp.Expr], sizes: Iterable[int], thorough: bool, witnesses: bool,
    steps: int,
) -> tuple[list[Fit], list[Witness]]:
    """The fit of q - P to R on every path, and values of q on the first if they are wanted."""
    expr, main, rest = parts
    closed = _evaluable(expr)
    free = {s.name: FREE for s in (expr.free_symbols | main.free_symbols)}
    fits: list[Fit] = []
    points: list[Witness] = []
    for index, (path, instance) in enumerate(_runs(regime, thorough and _fast(expr))):
        instance, expr = _with_whole_limits(parts[0], instance, index)
        closed = _evaluable(expr) if expr != parts[0] else closed
        ratios: list[float] = []
        used: list[int] = []
        direct = closed != expr
        cost = _Cost(steps)
        for size in sizes:
            values = {**free, **{s.name: sp.sympify(x) for s, x in instance.items()}}
            point = {k: sp.sympify(x).subs(instance) for k, x in path.at(size).items()}
            values.update(point)
            if index == 0 and witnesses:
                shown = {path.runner.name: _named(size), **{s.name: str(x) for s, x in instance.items()}}
                with contextlib.suppress(Undecided):  # exponentially small beyond the cap
                    value = enclose(closed, values, digits=12, cap_bits=_cap(expr, size))
                    points.append(Witness(shown, value.value, value.radius))
            ratio = None
            if direct:
                quick = _Cost(budget.QUADRATURE, *((cost.latest, cost.bits) if used else ()))
                ratio = _ratio(expr, main, rest, values, size, quick)
                direct = ratio is not None
            if ratio is None:
                ratio = _ratio(closed, main, rest, values, size, cost)
            if ratio is not None:
                ratios.append(ratio)
                used.append(size)
        if not ratios:
            continue  # nothing could be measured on this path: it confirms nothing
        label = ", ".join([path.name, *(f"{s}={x}" for s, x in instance.items())])
        bounded = _bounded(ratios, [math.log(max(size, 2)) for size in used], exact_expansion=rest == 0)
        fits.append(Fit(label, tuple(ratios), bounded, tuple(used)))
    return fits, points


def _named(size: int) -> str:
    power = len(str(size)) - 1
    return f"1e{power}" if size == 10**power else str(size)


def _with_whole_limits(expr: sp.Expr, instance: dict, shift: int) -> tuple[dict, sp.Expr]:  # type: ignore[type-arg]
    """Parameters that end a sum inside an integral are whole numbers, different ones on different runs; such sums written out."""
    inner = {total for integral in expr.atoms(sp.Integral) for total in integral.function.atoms(sp.Sum)}
    ends = set().union(*(end.free_symbols for total in inner for limit in total.limits for end in limit[1:])) & set(instance)
    if not ends:
        return instance, expr
    instance = {s: sp.ceiling(x) + shift if s in ends else x for s, x in instance.items()}
    return instance, expr.xreplace({total: written_out(total.xreplace(instance)) for total in inner})


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _is_identity(derivation: Derivation) -> bool:
    """Whether an expansion without a remainder is the quantity itself, by algebra."""
    regime = derivation.regime
    exact = {s: regime.inverse.get(s, regime.names.get(s, s)) for s in regime.scales}
    if derivation.expr.has(sp.Sum):
        return bool(difference_is_zero(derivation.expr, derivation.expansion.expr.subs(exact)))
    difference = regime.resolve(derivation.expr) - derivation.expansion.expr
    return bool(sp.simplify(sp.expand_log(sp.expand(difference), force=True)) == 0)


def _cut(expr: sp.Expr) -> sp.Expr:
    """Infinite series that have no ball without it, cut where the terms are far below what is measured."""
    for total in expr.atoms(sp.Sum):
        (i, low, high), *others = total.limits
        powers = [f for f in sp.Mul.make_args(total.function) if f.is_Pow and f.exp == i]
        if high == sp.oo and not others and total.function.has(sp.log) and len(powers) == 1:
            # no ball of this series is to be had: cut where x^i < e^-700, far below what is measured
            expr = expr.subs(total, sp.Sum(total.function, (i, low, sp.floor(-700 / sp.log(powers[0].base)))))
    return expr


def _evaluable(expr: sp.Expr) -> sp.Expr:
    """Integrals over ranges up to 10^1000 in incomplete gamma functions (the identity has its own tests)."""
    for integral in expr.atoms(sp.Integral):
        with contextlib.suppress(Refused):
            expr = expr.subs(integral, closed_form(integral))
    return expr


def _cap(expr: sp.Expr, size: int) -> int:
    if not _fast(expr):
        return SLOW_CAP_BITS
    return NEAR_CAP_BITS if size <= 10**20 else CAP_BITS


def _ratio(
    expr: sp.Expr, main: sp.Expr, rest: sp.Expr, values: dict[str, sp.Expr], size: int, cost: _Cost
) -> float | None:
    """ln(|expr - main|/rest); an upper bound where that is below NEGLIGIBLE; None where no precision in reach tells."""
    bits, cap = 128, _cap(expr, size)
    try:
        if rest != 0:
            bottom = enclose(rest, values, digits=4, cap_bits=cap)
            if main != 0:  # a remainder below the precision that is affordable: do not even try
                most = enclose(main, values, digits=4, cap_bits=cap)
                floor = -0.6 * cap
                apart = float(abs(bottom.ball / most.ball).log().mid())
                if float(abs(most.ball).log().mid()) < floor or apart < floor:
                    return None
                bits = max(bits, int(-apart / math.log(2)) + 96)
        while True:
            if not cost.affordable(min(bits, cap), size):
                return None
            top = cost.counted(expr - main, values, min(bits, cap))
            if top == 0:
                return -math.inf
            if top.is_finite() and top.rel_accuracy_bits() >= 14:
                return math.inf if rest == 0 else float(abs(top / bottom.ball).log().mid())
            if rest != 0 and top.is_finite():
                upper = float((top.abs_upper() / abs(bottom.ball)).log().mid())
                if upper < NEGLIGIBLE:
                    return upper
                # the radius shrinks like 2^-bits once n itself is resolved: what is out of reach is given up
                missing = float((top.rad() / abs(bottom.ball)).log().mid()) / math.log(2)
                if bits > 2 * size.bit_length() + 128 and bits + missing > 2 * cap:
                    return None
            if bits >= cap:
                return None
            bits *= 2
    except Undecided:
        return None


def _fast(expr: sp.Expr) -> bool:
    """Whether all sums are geometric-harmonic: others cost too much at thousands of bits."""
    return not any(s.function.has(sp.log) for s in expr.atoms(sp.Sum))


def _bounded(ratios: list[float], sizes: Sequence[float], exact_expansion: bool) -> bool:
    """Not growing with n: the last against the largest before it; ``sizes`` are multiples of ln n.

    One number alone is not seen to grow: who asks has to see to it that there are two.
    """
    if exact_expansion:
        return all(r == -math.inf for r in ratios)
    if len(ratios) < 2 or ratios[-1] == -math.inf:
        return True
    # what is negligible was not resolved: an upper bound that grows shows nothing
    return ratios[-1] <= max(NEGLIGIBLE, *ratios[:-1]) + SLOPE * math.log(sizes[-1] / sizes[-2])


def _runs(regime: Regime, thorough: bool) -> list[tuple[Path, dict]]:
    """Every instance on the first path, and every other path at the first instance."""
    instances = [dict(i) for i in regime.instances] or [{}]
    if not regime.paths:
        return []
    first, *others = regime.paths
    runs = [(first, i) for i in (instances if thorough else instances[:1])]
    return runs + [(path, instances[0]) for path in (others if thorough else others[:1])]


def enclosed(derivations: list[Derivation], thorough: bool) -> Evidence:
    """The evidence: outcome as derived if all numbers agree; undecided, with the misfit, if they do not."""
    fits: list[Fit] = []
    points: list[Witness] = []
    exact = 0
    for derivation in derivations:
        if derivation.expansion.is_exact() and _is_identity(derivation):
            exact += 1
        more, at = confirm(derivation, thorough=thorough)
        fits += more
        points += at
    if exact == len(derivations):
        (outcome,) = {d.outcome for d in derivations} if len({d.outcome for d in derivations}) == 1 else (Outcome.UNDECIDED,)
        return Evidence("enclosed", outcome, Strength.SUPPORTED,
                        "the expansion is exact: subtracted from the quantity it leaves 0", tuple(points),
                        finding=Finding.CONFIRMED)
    if not fits:
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, "nothing could be measured", tuple(points),
                        finding=Finding.UNMEASURED)
    bad = [f for f in fits if not f.bounded]
    if bad:
        shown = "; ".join(f"{f.name}: " + ", ".join(f"e^{r:.3g}" for r in f.ratios) for f in bad[:3])
        return Evidence(
            "enclosed", Outcome.UNDECIDED, Strength.NONE,
            f"certified values do not follow the derived expansion, |q - P|/R grows: {shown}", tuple(points),
            finding=Finding.CONTRADICTED,
        )
    outcomes = {d.outcome for d in derivations}
    outcome = outcomes.pop() if len(outcomes) == 1 else Outcome.UNDECIDED
    worst = max((math.exp(min(max(f.ratios), 700.0)) for f in fits if f.ratios), default=0.0)
    sizes = ", ".join(_named(s) for s in sorted({s for f in fits for s in f.sizes}))
    return Evidence(
        "enclosed", outcome, Strength.SUPPORTED,
        f"certified values at n = {sizes} follow the derived expansion on {_count(len(fits), 'path')}: "
        f"|value - terms| <= {worst:.3g} * remainder",
        tuple(points),
        finding=Finding.CONFIRMED,
    )


# --- without a derivation --------------------------------------------------------------------


def trend(claim: Claim, thorough: bool) -> Evidence:
    """Numbers alone: the quotient of the two sides at growing n.  Never more than supported."""
    assert claim.regime is not None
    quotient, target, bounded = _question(claim)
    if quotient.has(sp.sin, sp.cos, sp.tan, sp.cot, sp.floor, sp.ceiling):
        raise Undecided("a quantity that oscillates shows no trend at a few points")
    quotient = _evaluable(_cut(quotient))
    rows: list[list[float]] = []
    points: list[Witness] = []
    for path, instance in _runs(claim.regime, thorough):
        row = []
        for size in SIZES:
            at = {s.name: FREE for s in quotient.free_symbols} | {s.name: sp.sympify(x) for s, x in instance.items()}
            at.update({k: sp.sympify(x).subs(instance) for k, x in path.at(10**size).items()})
            try:
                ball = enclose(quotient, at, digits=12, cap_bits=_cap(quotient, 10**size))
            except Undecided:
                continue  # too small to be told from 0 there
            shown = {path.runner.name: f"1e{size}", **{s.name: str(x) for s, x in instance.items()}}
            points.append(Witness({**shown, "path": path.name}, ball.value, ball.radius))
            distance = abs(ball.ball - target)
            # ln |quotient - target|: values beyond the range of a float compare as they should
            row.append(float(distance.log().mid()) if not distance.contains(0) else -math.inf)
        rows.append(row)
    rows = [r for r in rows if len(r) >= 3]
    if not rows:
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, "no two values could be certified", tuple(points))
    worst, largest = max(r[-1] for r in rows), max(max(r) for r in rows)
    if not all(math.isfinite(x) or x == -math.inf for r in rows for x in r):
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, "the quotient is not finite", tuple(points))
    if bounded and all(r[-1] <= max(r[:-1]) + 0.05 for r in rows):  # even ln ln n grows by 40%
        below = f"{math.exp(min(largest, 700.0)):.3g} on {_count(len(rows), 'path')}"
        return Evidence("enclosed", Outcome.HOLDS, Strength.SUPPORTED, f"the quotient stays below {below}", tuple(points))
    if not bounded and all(r[-1] < r[-2] <= r[0] and r[-1] < math.log(0.05) for r in rows):
        return Evidence("enclosed", Outcome.HOLDS, Strength.SUPPORTED,
                        f"the quotient's distance from {target:g} shrinks to {math.exp(worst):.3g}", tuple(points))
    return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, "the numbers show no clear trend", tuple(points))


def _question(claim: Claim) -> tuple[sp.Expr, float, bool]:
    """(quotient, its target, whether it need only stay bounded)."""
    r = claim.relation
    if isinstance(r, Equivalent):
        return r.f / r.g, 1.0, False
    if isinstance(r, Limit) and r.value not in (sp.oo, -sp.oo):
        return (r.f / r.value, 1.0, False) if r.value != 0 else (r.f, 0.0, False)
    if isinstance(r, ExpansionOf):
        return (r.f - r.terms) / r.growth, 0.0, r.order == "O"
    if isinstance(r, Order) and r.order in ("O", "o"):
        return r.f / r.g, 0.0, r.order == "O"
    raise Undecided(f"{type(r).__name__} has no trend")
