"""What a theorem's series say of a claim, set against certified numbers as every derivation is."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp.claim import Asymptotic, Claim, Outcome, Step
from asymp.expand.view import Equivalent, ExpansionOf, Limit, Order, Said, view_of
from asymp.expansion import Refused
from asymp.kernel.theorem import Theorem
from asymp.parse.mathematics import parse_expression
from asymp.prove.expansion import Expanded, expansions
from asymp.scale import Regime


@dataclass(frozen=True)
class Derived:
    """``expr`` = ``main`` + O(``rest``) in a regime, in its variables, by the series of a theorem."""

    regime: Regime
    expr: sp.Expr
    main: sp.Expr
    rest: sp.Expr
    outcome: Outcome
    why: str
    following: str | None
    steps: tuple[Step, ...] = ()
    assumed: tuple[sp.Expr, ...] = ()

    @property
    def left_over(self) -> sp.Expr:
        """The quantity without its terms."""
        return self.expr - self.main


def derived(claim: Claim, theorem: Theorem) -> list[Derived]:
    """What the series behind a theorem say of its claim: one, or one for each value of a parameter.

    Raises:
        Refused: it does not come from series in one regime.
    """
    found = []
    for one in expansions(theorem):
        asked = claim.relation
        if str(one.statement) != claim.closed or not isinstance(asked, Asymptotic):
            asked = Asymptotic(one.statement)
        view = view_of(asked)
        found.append(_derived(one, view.relation, view.regime, theorem.holds))
    return found


def _derived(one: Expanded, relation: Said, regime: Regime, holds: bool) -> Derived:
    fields = [x for x in vars(relation).values() if isinstance(x, sp.Basic)]
    known = {*regime.ties, *regime.scales, *regime.ranges}.union(*(x.free_symbols for x in fields))
    symbols = {s.name: s for s in known}
    expr = _quantity(relation, one.quantity)
    if one.along:
        runner = sp.Symbol(one.runner, positive=True)
        values = {symbols[name]: parse_expression(x, {one.runner: runner}) for name, x in one.along.items() if name in symbols}
        expr, regime, symbols = expr.subs(values), Regime.single(runner), {one.runner: runner}

    def read(text: str) -> sp.Expr:
        return parse_expression(text, symbols)

    kept, rests = list(map(read, one.kept)), list(map(read, one.rest))
    written = [sy.latex(x) for x in kept] + [rf"O\left({sy.latex(x)}\right)" for x in rests]
    step = Step("by the series of the theorem", rf"{one.quantity} = {' + '.join(written) or '0'}".replace("+ -", "- "))
    main, rest = sp.Add(*kept), sp.Add(*rests)
    following = _neat(sp.Add(*map(read, one.next))) if one.next else None
    outcome = Outcome.HOLDS if holds else Outcome.REFUTED
    return Derived(regime, expr, main, rest, outcome, one.why, None if following is None else str(following), (step,))


def _quantity(relation: Said, name: str) -> sp.Expr:
    match relation:
        case Equivalent():
            return relation.f / relation.g
        case Limit():
            return relation.f
        case ExpansionOf():
            f = relation.f - relation.terms
            return f / relation.growth if name == "f/g" else f
        case Order():
            f, g = (relation.g, relation.f) if relation.order in ("Omega", "omega") else (relation.f, relation.g)
            return f / g if name == "f/g" else f
    raise Refused(f"{type(relation).__name__} is not an asymptotic relation")


def _neat(expr: sp.Expr) -> sp.Expr:
    """Terms with what is rational in the parameters in lowest terms, powers for exp(c log x), and E_1(x) for -Ei(-x)."""
    expr = expr.replace(sp.exp, lambda x: sp.Mul(*(_power(part) for part in sp.Add.make_args(sy.expand(x)))))
    expr = sy.powsimp(expr, combine="exp")
    expr = expr.replace(lambda e: isinstance(e, sp.Ei) and (-e.args[0]).is_positive, lambda e: -sp.expint(1, -e.args[0]))
    return sp.Add(*(_lowest(term) for term in sp.Add.make_args(expr)))


def _power(exponent: sp.Expr) -> sp.Expr:
    """exp of one term: a power of x where it is a multiple of log x."""
    logs = [f for f in sp.Mul.make_args(exponent) if isinstance(f, sp.log)]
    return logs[0].args[0] ** (exponent / logs[0]) if len(logs) == 1 else sp.exp(exponent)


def _lowest(term: sp.Expr) -> sp.Expr:
    plain: list[sp.Expr] = []
    other: list[sp.Expr] = []
    for factor in sp.Mul.make_args(term):
        base = factor.base if factor.is_Pow and factor.exp.is_Integer else factor
        (plain if base.is_rational_function() and not base.is_Symbol else other).append(factor)
    return sp.Mul(sy.factor(sp.Mul(*plain)), *other) if any(x.is_Add for f in plain for x in f.as_base_exp()[:1]) else term
