"""Orderings of large scales: n p -> oo, k/n -> 0, n p -> c, put into the regime by a change of scales.

A regime's scales run to infinity freely.  An ordering M -> oo of a monomial M = u^a R, in which u does not occur
in R and 1/R does not vanish, is put in by eliminating u: with w free and large, u = (w/R)^(1/a) tends to infinity,
M = w, and every path on which M -> oo is covered.  M -> 0 is 1/M -> oo.  M -> c is M = c + s/w with w free and
large, s = 1 or -1 (a path on which M = c is their limit, and a case of its own).  M = c is an exact tie.

>>> n, v, p = sp.symbols("n v p", positive=True)
>>> free = Regime("n -> oo, p -> 0+", (n, v), {p: 1 / v}, names={v: 1 / p})
>>> ordered = impose(free, Growth.of(n) / Growth.of(v), sp.oo)
>>> ordered.scales, ordered.ties
((v, w), {p: 1/v, n: v*w})
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

import asymp.symbolics as sy
from asymp.growth import Growth
from asymp.scale import Path, Regime
from asymp.sign import sign


def monomial(expr: sp.Expr, scales: tuple[sp.Symbol, ...]) -> tuple[sp.Expr, Growth] | None:
    """coefficient and growth of a monomial in the scales and their logarithms; None for anything else.

    >>> n, c = sp.symbols("n c", positive=True)
    >>> coefficient, growth = monomial(c * sp.sqrt(n) / sp.log(n), (n,))
    >>> coefficient, str(growth)
    (c, 'sqrt(n)/log(n)')
    """
    coefficient, growth = sp.S.One, Growth()
    for factor in sp.Mul.make_args(sy.powsimp(sy.expand_power_base(sy.factor(expr), force=True))):
        base, power = factor.as_base_exp()
        if not factor.free_symbols & set(scales):
            coefficient *= factor
        elif (base in scales or (isinstance(base, sp.log) and base.args[0] in scales)) and not (
            power.free_symbols & set(scales)
        ):
            growth = growth * Growth.of(base, power)
        else:
            return None
    return coefficient, growth


def impose(regime: Regime, growth: Growth, target: sp.Expr, exact: bool = False, shown: sp.Expr | None = None) -> Regime:
    """The regime with the ordering growth -> target: oo, 0, or a positive constant c (``exact``: growth = c).

    Args:
        regime: with free scales.
        growth: a monomial in its scales.
        target: where it tends.
        exact: whether it is tied to the target rather than tends to it.
        shown: the monomial in the paper's variables, to show the new scale with.

    Raises:
        ValueError: it contradicts the regime, or no scale can be eliminated.
    """
    shown = regime.display(growth.expr) if shown is None else shown
    if target == 0:
        return impose(regime, growth**-1, sp.oo, shown=1 / shown)
    known = growth.limit()
    if target is sp.oo and known == "infinity":
        return regime
    if known != "unknown":
        where = {"zero": "0", "infinity": "oo", "one": "1"}[known]
        raise ValueError(f"{shown} tends to {where} by the other conditions, not to {target}")
    w, s = _fresh(regime, "w"), _fresh(regime, "s", real=True)
    # n p is -n log(1-p) to leading order alone, where p is 1 - e^(-z): what is set against numbers is exact
    true = regime.exactly(growth.expr) if growth.expr.free_symbols & set(regime.inverse) else shown
    value = w if target is sp.oo else target if exact else target + s / w
    for atom, power in sorted(growth.powers, key=lambda q: (not q[0].is_Symbol, str(q[0]) not in {str(x) for x in regime.names})):
        within = atom.args[0] if isinstance(atom, sp.log) else atom  # log(n) y -> oo may put n = e^(w/y) in
        if not within.is_Symbol or any(a != atom and a.has(within) for a, _ in growth.powers):
            continue
        if target is sp.oo and sign(power) != 1:
            continue
        rest = growth / Growth.of(atom, power)
        back = rest ** (-1 / power)
        if target is sp.oo:
            back = back * Growth.of(w, 1 / power)
        if back.limit() != "infinity":
            continue
        solved = sy.expand_power_base(sy.powdenest((value / rest.expr) ** (1 / power), force=True))
        if within == atom:
            found = _without(regime, atom, solved, None if exact else w, shown, target, s, true)
            return replace(found, paths=found.paths + _slowly(regime, atom, growth, w)) if target is sp.oo else found
        found = _without(regime, within, sp.exp(solved), None if exact else w, shown, target, s, true)
        return replace(found, paths=_along(regime, within, growth, w) or found.paths)
    raise ValueError(f"{shown} -> {target}: no scale can be eliminated (state orderings of two variables at a time)")


def _slowly(regime: Regime, runner: sp.Symbol, growth: Growth, new: sp.Symbol) -> tuple[Path, ...]:
    """The way on which a variable n of the paper runs and the monomial grows as 2 log(n): there (1-p)^n is n^-2, not e^-n."""
    others = [(atom, power) for atom, power in growth.powers if atom != runner]
    if runner in regime.names or runner in regime.inverse or len(others) != 1 or len(regime.scales) != 2:
        return ()
    (other, power), slow = others[0], 2 * sp.log(runner)
    if not other.is_Symbol:
        return ()
    value = sy.expand_power_base(sy.powdenest((slow / runner ** dict(growth.powers)[runner]) ** (1 / power), force=True))
    found = monomial(value, (runner,))
    if found is None or found[1].limit() != "infinity":
        return ()
    ties = {x: e.subs(other, value) for x, e in regime.ties.items()}
    return (Path(f"{new} = {slow}", runner, {other: value, new: slow, **ties}),)


def _along(regime: Regime, runner: sp.Symbol, growth: Growth, new: sp.Symbol) -> tuple[Path, ...]:
    """Ways to the limit on which a variable n runs, where the growth, of log(n) and other scales, tends to infinity.

    In the new scale n is an exponential, and would be e^(10^16) where that is 10^8.
    """
    paths = []
    for power in (sp.Rational(1, 2), sp.Rational(1, 4)):
        chosen = {x: sp.log(runner) ** power for x in regime.scales if x != runner}
        value = sy.powsimp(growth.expr.subs(chosen))
        found = monomial(value, (runner,))
        if found is not None and found[1].limit() == "infinity":
            name = ", ".join(f"{x} = {e}" for x, e in chosen.items())
            ties = {x: e.subs(chosen) for x, e in regime.ties.items()}
            paths.append(Path(name, runner, {**chosen, new: value, **ties}))
    return tuple(paths)


def _without(
    regime: Regime, gone: sp.Symbol, value: sp.Expr, new: sp.Symbol | None, shown: sp.Expr, target: sp.Expr,
    s: sp.Symbol, true: sp.Expr,
) -> Regime:
    """The regime in which the scale ``gone`` is an expression in the others and in the new one."""
    scales = tuple(x for x in regime.scales if x != gone) + ((new,) if new is not None else ())
    ties = {x: sy.expand_log(e.subs(gone, value)) for x, e in regime.ties.items()}
    names = {x: e for x, e in regime.names.items() if x != gone}
    inverse = {x: e for x, e in regime.inverse.items() if x != gone}
    if gone not in regime.names and gone not in regime.inverse:
        ties[gone] = value  # it is a variable of the paper itself
    paths = ways(scales, ties, regime.text)
    if new is not None and target is sp.oo:
        names[new] = shown
        if true != shown:
            inverse[new] = true
    elif new is not None:
        # s/w is the distance of the monomial from its limit: shown without s, whose square is 1
        names |= {new: 1 / (shown - target), s: sp.S.One}
        inverse[new] = s / (true - target)
        paths = tuple(path.with_value(s, side) for side in (sp.S.One, sp.S.NegativeOne) for path in paths)
    return replace(regime, scales=scales, ties=ties, names=names, inverse=inverse, paths=paths)


def three_ways(regime: Regime, growth: Growth) -> list[tuple[str, Regime]]:
    """The regimes in which a monomial of two scales tends to oo, is constant, tends to 0, in words.

    [] for a growth of another form, and for the distance of n p from its limit c against other scales.

    >>> n, m = sp.symbols("n m", positive=True)
    >>> [words for words, _ in three_ways(Regime("n, m -> oo", (n, m)), Growth.of(n) / Growth.of(m))]
    ['n/m->oo', 'n/m=c', 'n/m->0']
    """
    powers = [power for _, power in growth.powers]
    if growth.large or len(powers) != 2 or regime.cases or not all(p.is_Rational for p in powers):
        return []
    if any(atom in regime.inverse for atom, _ in growth.powers):
        return []
    growth = growth ** (1 / sy.gcd(*powers))  # n**2/m**2 -> oo is n/m -> oo
    if dict(growth.powers)[_leading(regime, growth)] < 0:
        growth = growth**-1
    if sp.fraction(regime.display(growth.expr))[0] == 1:
        growth = growth**-1
    shown, c = regime.display(growth.expr), _fresh(regime, "c")
    try:
        ways_ = [
            (f"{shown}->oo", impose(regime, growth, sp.oo)),
            (f"{shown}={c}", impose(regime, growth, c, exact=True)),
            (f"{shown}->0", impose(regime, growth, sp.S.Zero)),
        ]
    except ValueError:
        return []
    tied = ways_[1][1]
    ways_[1] = (ways_[1][0], _with_values(tied, c))
    return ways_


def _with_values(regime: Regime, c: sp.Symbol) -> Regime:
    """The regime with values of a parameter at which numbers are computed."""
    some = zip((*regime.instances, *regime.instances), (sp.Integer(2), sp.Rational(1, 3)), strict=False)
    return replace(regime, instances=tuple({**i, c: x} for i, x in some))


def _leading(regime: Regime, growth: Growth) -> sp.Expr:
    """The scale whose power is shown positive: the first that is a variable of the paper, so that n p is not 1/(n p)."""
    atoms = [atom for atom, _ in growth.powers]
    plain = [atom for atom in atoms if atom not in regime.names]
    return min(plain or atoms, key=lambda a: regime.scales.index(a) if a in regime.scales else len(regime.scales))


def ways(scales: tuple[sp.Symbol, ...], ties: dict[sp.Symbol, sp.Expr], label: str) -> tuple[Path, ...]:
    """Ways to the limit: with several scales, each faster than the others in turn, and all alike."""
    runner, *others = scales
    if not others:
        return (Path(label, runner, ties),)
    paths = []
    for power in (runner, runner**2, sp.sqrt(runner)):
        chosen = dict.fromkeys(others, power)
        name = ", ".join(f"{other} = {power}" for other in others)
        paths.append(Path(name, runner, {**chosen, **{x: e.subs(chosen) for x, e in ties.items()}}))
    return tuple(paths)


def _fresh(regime: Regime, name: str, real: bool = False) -> sp.Symbol:
    known = {*regime.scales, *regime.ties, *regime.ranges, *(s for i in regime.instances for s in i)}
    maps = (regime.ties, regime.ranges, regime.names)
    known |= {s for mapping in maps for e in mapping.values() for s in sp.sympify(e).free_symbols}
    taken, number = {s.name for s in known}, 1
    candidate = name
    while candidate in taken:
        candidate, number = f"{name}{number}", number + 1
    return sp.Symbol(candidate, real=True, nonzero=True) if real else sp.Symbol(candidate, positive=True)
