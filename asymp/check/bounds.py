r"""Evidence for bounds, and short proofs of those in one variable: ``f <= g for n >= N``, for all n.

With D = g - f the rules are, for x >= N:

* *sign*: D(N + t) has nonnegative terms for t >= 0;
* *increasing*: D(N) >= 0 and D' >= 0;
* *decreasing to 0*: D' <= 0 and D -> 0;
* *induction*, where D holds H_n: D(N) >= 0 and D(n + 1) - D(n) >= 0 for integers n >= N.

Where none applies, :mod:`asymp.check.settle` takes any range of one variable, with explicit expansions and balls.

D' and the difference are again to be shown to have a sign, to a small depth.  Only what is smooth for
x >= N is differentiated: powers and logarithms of what is positive there, exponentials.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

import asymp.symbolics as sy
from asymp.check import finite
from asymp.check.domains import typed
from asymp.check.falsify import counterexample
from asymp.check.settle import settle
from asymp.claim import Bound, Domain, Evidence, Outcome, Step, Strength
from asymp.enclosure import Undecided, enclose
from asymp.expand import Expander
from asymp.scale import Regime

DEPTH = 5
"""Derivatives taken at most."""
ATTEMPTS = 24
LARGEST = 60
"""Expressions looked at before giving up, and operations in the largest."""


def evidence(relation: Bound) -> list[Evidence]:
    """Evidence for ``lhs op rhs`` on its whole domain: proved, refuted at one point, or upheld at the points of its grid.

    Where the statement is one of one variable and neither its proof nor its refutation is found, the prover was
    stopped near some place; a grid does not speak there.
    """
    if relation.op not in ("<", "<=", ">", ">="):
        return [Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, f"{relation.op!r} is not a comparison")]
    lines = finite.argued(relation.proof)
    grid = finite.bound_on_grid(relation) if relation.domain.grid or not lines else None
    if grid is not None and grid.outcome is Outcome.REFUTED:
        return [*lines, grid]
    if not relation.domain.complete:
        line = _whole_domain(relation)
        if line is not None and line.outcome is not Outcome.UNDECIDED:
            kept = [x for x in (*lines, grid) if x is not None and x.outcome is line.outcome]
            return [line, *kept]
        if line is not None and not lines:
            return [line]
        if line is not None:
            lines.append(line)
        else:
            point = counterexample(relation)
            if point is not None:
                there = replace(relation, domain=Domain(relation.domain.text, (point,)))
                found = finite.bound_on_grid(there)
                if found.outcome is Outcome.REFUTED:
                    return [*lines, found]
    return [*lines, *([grid] if grid is not None else [])]


def _whole_domain(relation: Bound) -> Evidence | None:
    """The statement for its whole domain, proved or refuted; undecided, with the place; None where it is none of one variable."""
    line = settle(relation)
    if line is not None and line.outcome is Outcome.REFUTED and relation.domain.conditions:
        return None  # a point of the box, of which nobody knows whether it is in the domain
    if line is not None and line.outcome is not Outcome.UNDECIDED:
        return line
    steps = prove(relation)
    if steps:
        detail = "proved for the whole domain: " + "; ".join(step.rule for step in steps)
        return Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, detail, steps=steps)
    return line


def prove(relation: Bound) -> tuple[Step, ...]:
    """The steps of a proof for the whole domain; none where no rule applies.

    >>> n = sp.Symbol("n", positive=True)
    >>> from asymp.claim import Domain
    >>> [step.rule for step in prove(Bound(sp.log(n), "<=", n, Domain("n >= 1")))]
    ['D increases from D(1) >= 0', 'no negative term for n = 1 + t, t >= 0']
    >>> prove(Bound(n, "<=", 10 * sp.log(n), Domain("n >= 2")))
    ()
    """
    lhs, rhs = relation.lhs, relation.rhs
    if not isinstance(lhs, sp.Expr) or not isinstance(rhs, sp.Expr):
        return ()
    free = (lhs - rhs).free_symbols
    domain = typed(relation.domain)
    if len(free) != 1 or set(domain.ranges or ()) != {symbol.name for symbol in free}:
        return ()
    (variable,) = free
    assert domain.ranges is not None
    bounds = domain.ranges[variable.name]
    x = sp.Symbol(variable.name, positive=True)
    difference = (rhs - lhs if relation.op[0] == "<" else lhs - rhs).subs(variable, x)
    start = bounds.low
    if start is None or start <= 0 or bounds.high is not None:
        return ()
    if difference.has(sp.harmonic) and variable.name not in domain.whole:
        return ()  # induction says nothing of what lies between whole numbers
    prover, strict = _Prover(x, start), len(relation.op) == 1
    try:
        first = prover.induction(difference, strict) if difference.has(sp.harmonic) else (difference, [])
        if first is None:
            return ()
        for depth in range(DEPTH + 1):  # short proofs first
            steps = prover.nonnegative(first[0], strict and not first[1], depth)
            if steps is not None:
                return (*first[1], *steps)
    except (ValueError, NotImplementedError, ZeroDivisionError):
        pass  # no proof is no refutation
    return ()


class _Prover:
    """Signs of expressions in ``x`` on x >= start."""

    def __init__(self, x: sp.Symbol, start: sp.Rational) -> None:
        self.x, self.start = x, start
        self.t = sp.Symbol("t", nonnegative=True)
        self.left = ATTEMPTS

    def nonnegative(self, d: sp.Expr, strict: bool, depth: int) -> list[Step] | None:
        """Steps that show d >= 0 (or > 0), or None."""
        self.left -= 1
        if self.left < 0 or d.count_ops() > LARGEST or not self._smooth(d):
            return None
        d = sy.expand(d)
        forms = [d]
        top, bottom = sp.fraction(sy.together(d))
        if bottom != 1 and self._shifted(bottom).is_positive:
            forms.append(sy.expand(top))
        for form in forms:
            steps = self._by_terms(form, strict)
            if steps is not None:
                return steps
        for form in forms if depth else ():
            steps = self._by_slope(form, strict, depth)
            if steps is not None:
                return steps
        return None

    def _by_terms(self, d: sp.Expr, strict: bool) -> list[Step] | None:
        for form in (self._shifted(d), sy.expand(self._shifted(d)), sy.factor(self._shifted(d))):
            if form.is_positive if strict else form.is_nonnegative:
                rule = f"no negative term for {self.x} = {self.start} + t, t >= 0"
                return [Step(rule, f"{sy.latex(d)} = {sy.latex(form)}")]
        return None

    def _by_slope(self, d: sp.Expr, strict: bool, depth: int) -> list[Step] | None:
        slope = sy.diff(d, self.x)
        if self._sign_at_start(d) >= (1 if strict else 0):
            steps = self.nonnegative(slope, False, depth - 1)
            if steps is not None:
                rule = f"D increases from D({self.start}) {'>' if strict else '>='} 0"
                return [Step(rule, f"D = {sy.latex(d)}"), *steps]
        if not strict and self._vanishes(d):
            steps = self.nonnegative(-slope, False, depth - 1)
            if steps is not None:
                return [Step("D decreases to 0", f"D = {sy.latex(d)}"), *steps]
        return None

    def induction(self, d: sp.Expr, strict: bool) -> tuple[sp.Expr, list[Step]] | None:
        """What is left to be shown nonnegative: D(n+1) - D(n), by harmonic(n + 1) = harmonic(n) + 1/(n + 1)."""
        if self.start != int(self.start) or d.atoms(sp.harmonic) != {sp.harmonic(self.x)}:
            return None
        h = sp.Dummy("H", positive=True)
        here = d.subs(sp.harmonic(self.x), h)
        there = here.subs({self.x: self.x + 1, h: h + 1 / (self.x + 1)}, simultaneous=True)
        change = sy.expand(there - here)
        if change.has(h) or self._sign_at_start(d) < (1 if strict else 0):
            return None
        rule = f"induction over the integers from {self.start}: D({self.start}) {'>' if strict else '>='} 0, D(n+1) >= D(n)"
        return change, [Step(rule, f"D = {sy.latex(d)}")]

    def _shifted(self, d: sp.Expr) -> sp.Expr:
        return d.subs(self.x, self.start + self.t)

    def _smooth(self, d: sp.Expr) -> bool:
        """Whether d is made of what is smooth on x >= start."""
        if d.is_Symbol or d.is_number:
            return d == self.x or bool(d.is_real and d.is_finite)
        if not all(self._smooth(part) for part in d.args):
            return False
        if d.is_Add or d.is_Mul or isinstance(d, sp.exp):
            return True
        if isinstance(d, sp.log):
            return bool(self._shifted(d.args[0]).is_positive)
        if d.is_Pow:
            natural = d.exp.is_Integer and d.exp.is_positive
            return bool(natural or self._shifted(d.base).is_positive)
        return False

    def _sign_at_start(self, d: sp.Expr) -> int:
        """1, 0 or -1; -1 also where it is not known."""
        value = sy.simplify(d.subs(self.x, self.start).doit())
        if value == 0:
            return 0
        try:
            ball = enclose(value, {}, digits=5).ball
        except Undecided:
            return -1
        return 1 if ball > 0 else -1

    def _vanishes(self, d: sp.Expr) -> bool:
        """Whether d -> 0, derived."""
        try:
            e = Expander(Regime.single(self.x), 3)(d)
        except ValueError:
            return False
        return all(growth.limit() == "zero" for growth in (*e.terms, *e.remainder))
