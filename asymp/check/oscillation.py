r"""Orders of growth where expansions fail: what oscillates, and what is bounded by an explicit constant.

Every asymptotic relation is one question or two: is h = O(g), or h = o(g)?

* *Refuted along a sequence.*  sin and cos of A(n) -> oo take their values at any phase along n_k with
  A(n_k) = 2 pi k + theta (A is continuous, so these n_k exist and tend to oo); n_k with B(n_k) = k + phi
  makes floor(B) = B - phi; (-1)^n is 1 or -1 along the even and the odd n.  What then remains is a statement without
  oscillation, and where that fails the one that was asked fails: h(n_k)/g(n_k) is unbounded (or not small).
* *Held by explicit bounds.*  |h/g| <= C G for n >= N with G bounded, or G -> 0 (:mod:`asymp.expand.calculus`).
* *Held at the ends.*  If h/g, or its logarithm, is monotone in each sine on [-1, 1], it is largest at -1 or 1.

Exact zeros have their own rules: 0 = o(0), and f = O(0) only where f vanishes from some point on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from asymp.check import symbolic
from asymp.check.finite import difference_is_zero
from asymp.check.points import short
from asymp.check.sequences import Question, oscillators, questions, sequences
from asymp.claim import (
    Claim,
    Evidence,
    Limit,
    Order,
    Outcome,
    Step,
    Strength,
    Verdict,
    Witness,
)
from asymp.enclosure import InputError, Undecided, enclose
from asymp.enclosure.explicit import number, rounded_up
from asymp.expand.explicit import Calculus
from asymp.expand.supremum import Ball, Later
from asymp.expansion import Refused
from asymp.scale import ONE, Growth, Regime

STARTS = (2, 3, 10, 100, 10**4, 10**9, 10**20, 10**50, 10**100, 10**1000)
Check = Callable[[Claim], Verdict]


def decide(claim: Claim, check: Check) -> tuple[Evidence, ...]:
    """Lines of evidence that decide the claim, or none.

    Args:
        claim: with a regime.
        check: the judge, for the statements without oscillation.
    """
    asked = questions(claim.relation)
    regime = claim.regime
    if not asked or regime is None or (len(regime.scales) != 1):
        return ()
    found: list[Evidence] = []
    for question in asked:
        lines = _decide(question, claim, regime, check)
        if not lines:
            found = []
            continue
        if lines[0].outcome is Outcome.REFUTED:
            return lines
        found += lines
    if isinstance(claim.relation, Limit) and claim.relation.value.is_infinite:
        return ()  # the sign of f is open
    held = len([line for line in found if line.kind == "symbolic"]) == len(asked)
    return tuple(found) if held else ()


def _decide(q: Question, claim: Claim, regime: Regime, check: Check) -> tuple[Evidence, ...]:
    zero = _zeros(q)
    if zero is not None:
        return zero
    variables = frozenset(regime.scales) | frozenset(regime.ties)
    refuted = _along_a_sequence(q, claim, check)
    if refuted:
        return refuted
    held = _by_explicit_bounds(q, regime)
    if held:
        return held
    return _at_the_ends(q, claim, variables, check)


# --- exact zeros -------------------------------------------------------------------------------


def is_zero(expr: sp.Expr) -> bool:
    """Whether an expression vanishes identically, by algebra."""
    return bool(expr == 0 or sp.expand(expr) == 0 or difference_is_zero(expr, sp.S.Zero))


def _nonzero(expr: sp.Expr) -> bool:
    """Whether it is certainly nonzero at arbitrarily large arguments, by algebra: a product of what never vanishes."""
    if expr.is_zero is False or (expr.is_number and number(expr) != 0):
        return True
    return bool(expr.is_positive or expr.is_negative)


def _zeros(q: Question) -> tuple[Evidence, ...] | None:
    """The rules for h = 0 and g = 0; None where neither vanishes identically."""
    if is_zero(q.h):
        why = f"the left side is identically 0, which is {q.order} of anything"
        return (Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, why, steps=(Step("exact zero", "h = 0"),)),)
    if not is_zero(q.g):
        return None
    if _nonzero(q.h):
        why = f"{q.h} never vanishes and the bound is identically 0: |h| <= C*0 fails"
        return (Evidence("symbolic", Outcome.REFUTED, Strength.PROVED, why, steps=(Step("exact zero", "g = 0"),)),)
    return None


# --- along a sequence --------------------------------------------------------------------------


def _along_a_sequence(q: Question, claim: Claim, check: Check) -> tuple[Evidence, ...]:
    """Evidence that the question fails along a sequence; empty where none was found."""
    assert claim.regime is not None
    for words, plain in sequences(q, claim.regime):
        cleared = _cleared(plain)
        if cleared is None:
            continue
        step = Step(f"along {words}, k = 1, 2, ...", sp.latex(cleared.h) + f" = {q.order}\\left({sp.latex(cleared.g)}\\right)?")
        if is_zero(cleared.g):
            if is_zero(cleared.h) or not _never_zero_far_out(cleared.h, claim):
                continue
            why = f"along {words} (k = 1, 2, ...) the bound is 0 and the left side is {cleared.h}, which is not 0"
            return (Evidence("symbolic", Outcome.REFUTED, Strength.PROVED, why, steps=(step,)),)
        if is_zero(cleared.h):
            continue
        simple = replace(claim, relation=Order(cleared.h, q.order, cleared.g), refuting=())
        try:
            if any(d.outcome is not Outcome.REFUTED for d in symbolic.derive(simple)):
                continue
        except ValueError:
            continue
        verdict = check(simple)
        if verdict.outcome is Outcome.REFUTED and verdict.strength is Strength.PROVED:
            why = f"fails along {words} (k = 1, 2, ...): {cleared.text()} does not hold, {verdict.evidence[0].detail}"
            steps = (step, *verdict.steps)
            first = replace(verdict.evidence[0], detail=why, steps=steps)
            return (first, *verdict.evidence[1:])
    return ()


def _cleared(q: Question) -> Question | None:
    """The question without denominators that vanish: h/g keeps its size where both are multiplied."""
    h, g = sp.together(q.h), sp.together(q.g)
    if not (h.has(sp.zoo, sp.nan) or g.has(sp.zoo, sp.nan)):
        return Question(sp.expand(q.h) if is_zero(q.h) else q.h, q.order, sp.expand(q.g) if is_zero(q.g) else q.g)
    return None


def _never_zero_far_out(expr: sp.Expr, claim: Claim) -> bool:
    """Whether an expression has a leading term, hence no zero far out."""
    from asymp.expand import Expander

    assert claim.regime is not None
    try:
        _, coefficient = Expander(claim.regime, 3)(expr).leading()
    except ValueError:
        return False
    return bool(coefficient.is_number and number(coefficient) != 0)


# --- by explicit bounds --------------------------------------------------------------------------


def _by_explicit_bounds(q: Question, regime: Regime) -> tuple[Evidence, ...]:
    """|h/g| <= C G for n >= N, G bounded (or G -> 0); or |g/h| is bounded like that, which refutes it."""
    if regime.ranges or regime.cases:
        return ()
    (scale,) = regime.scales
    quotient = regime.resolve(q.h / q.g)
    if quotient.free_symbols - {scale}:
        return ()
    n = sp.Symbol(scale.name, positive=True)
    quotient = quotient.subs(scale, n)
    shown = regime.display(scale)
    found = _bound_of(quotient, n)
    if found is not None:
        growth, size, start = found
        where = growth.limit()
        if where == "zero" or (where == "one" and q.order == "O"):
            why = f"|h/g| <= {_product(size, growth)} for all {shown} >= {short(start)}, which is {q.order}(1)"
            return _with_points(Outcome.HOLDS, why, quotient, size, growth.expr, n, start)
    inverse = regime.resolve(q.g / q.h).subs(scale, n)
    found = _bound_of(inverse, n)
    if found is not None:
        growth, size, start = found
        where = growth.limit()
        if where == "zero" or (where == "one" and q.order == "o"):
            why = f"|g/h| <= {_product(size, growth)} for all {shown} >= {short(start)}, so that h/g is not {q.order}(1)"
            return _with_points(Outcome.REFUTED, why, inverse, size, growth.expr, n, start)
    return ()


def _product(size: Ball, growth: Growth) -> str:
    return rounded_up(size, 4) + ("" if growth == ONE else f"*{growth}")


def _bound_of(expr: sp.Expr, n: sp.Symbol) -> tuple[Growth, Ball, int] | None:
    """(G, C, N) with |expr| <= C G for all n >= N, or None."""
    for order in (2, 4):
        for start in STARTS:
            c = Calculus(n, start, order)
            try:
                growth, size = c.magnitude(c(expr))
                c.half_line.require_positive(growth)
            except Later:
                continue
            except (Refused, Undecided, InputError, ValueError, TypeError, ZeroDivisionError, NotImplementedError):
                break
            return growth, size, start
    return None


def _with_points(
    outcome: Outcome, why: str, quotient: sp.Expr, size: Ball, growth: sp.Expr, n: sp.Symbol, start: int
) -> tuple[Evidence, ...]:
    """The derivation, set against certified values of the quotient at a few points; nothing if one contradicts it."""
    symbolic_line = Evidence(
        "symbolic", outcome, Strength.PROVED, why,
        steps=(Step("explicit expansion of the quotient", why),),
    )  # fmt: skip
    points = []
    for factor in (1, 3, 10**8, 10**20):
        at = sp.Integer(start) * factor + (1 if factor > 1 else 0)
        try:
            ball = enclose(quotient, {n.name: at}, digits=8, cap_bits=4000)
            scaled = enclose(sp.Abs(quotient) / growth, {n.name: at}, digits=8, cap_bits=4000)
        except (Undecided, InputError, ArithmeticError, ValueError):
            continue
        if scaled.ball > size:
            return ()
        points.append(Witness({n.name: str(at) if at < 10**30 else f"about 1e{len(str(int(at))) - 1}"}, ball.value, ball.radius))
    if not points:
        return ()
    detail = f"certified values stay within the explicit bound at {len(points)} points"
    return symbolic_line, Evidence("enclosed", outcome, Strength.SUPPORTED, detail, tuple(points))


# --- at the ends of what oscillates --------------------------------------------------------------


def _at_the_ends(q: Question, claim: Claim, variables: frozenset[sp.Symbol], check: Check) -> tuple[Evidence, ...]:
    """h/g monotone in each of sin, cos on [-1, 1], or its logarithm linear: largest at the ends.  (-1)^n is at an end."""
    waves, jumps, signs = oscillators(q, variables)
    atoms = [*waves, *signs]
    if not atoms or jumps or len(atoms) > 2 or any(isinstance(a, sp.tan) for a in atoms):
        return ()
    names = {a: sp.Dummy("s", real=True) for a in atoms}
    h, g = q.h.xreplace(names), q.g.xreplace(names)
    for a in waves:
        if not (_linear(h, names[a]) and not g.has(names[a])) and not _log_linear(h / g, names[a]):
            return ()
    lines: list[Evidence] = []
    steps = [Step("largest where each sine is -1 or 1", "")]
    for corner in itertools.product((1, -1), repeat=len(atoms)):
        swap = dict(zip(names.values(), corner, strict=True))
        plain = Question(h.subs(swap), q.order, g.subs(swap))
        if is_zero(plain.h):
            continue
        if is_zero(plain.g):
            return ()
        verdict = check(replace(claim, relation=Order(plain.h, q.order, plain.g), refuting=()))
        if verdict.outcome is not Outcome.HOLDS or verdict.strength is not Strength.PROVED:
            return ()
        lines += verdict.evidence
        steps += verdict.steps
    why = "; ".join(dict.fromkeys(line.detail for line in lines if line.kind == "symbolic"))
    first = Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, f"at both ends of what oscillates: {why}", steps=tuple(steps))
    return (first, *[line for line in lines if line.kind == "enclosed"])


def _linear(expr: sp.Expr, s: sp.Symbol) -> bool:
    return bool(sp.expand(sp.diff(expr, s, 2)) == 0)


def _log_linear(expr: sp.Expr, s: sp.Symbol) -> bool:
    """Whether ln of an expression is linear in s: a product of powers whose exponents alone hold s, linearly."""
    for factor in sp.Mul.make_args(sp.powsimp(expr)):
        base, exponent = (sp.E, factor.args[0]) if isinstance(factor, sp.exp) else factor.as_base_exp()
        if base.has(s) or (exponent.has(s) and not (base.is_positive and _linear(exponent, s))):
            return False
    return True
