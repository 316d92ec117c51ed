"""The expander: one recursion over an expression; of each node the series of the kernel, and where it has none, or fewer terms
than are wanted, the methods that are written for such nodes (see method).

Every method returns an :class:`asymp.expansion.Expansion` whose remainder is proved by the
theorem its docstring names; what no handler can bound is refused, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import METER, NODE
from asymp.claim import Step
from asymp.expand.constants import converges
from asymp.expand.kernel_series import KernelSeries, canonical
from asymp.expand.method import handles, methods
from asymp.expansion import Expansion, NoTerm, Refused, assume_nonzero
from asymp.notes import Memory
from asymp.refusal import Tried
from asymp.scale import ONE, Growth, Regime, sign
from asymp.vanishing import is_coarse


class Expander:
    """Expansions in one regime to one order (the number of terms kept of each series).

    Args:
        regime: what tends where.
        order: terms of each elementary series; costs grow like its square.
    """

    def __init__(self, regime: Regime, order: int = 3) -> None:
        self.regime = regime
        self.order = order
        self.steps: list[Step] = []
        self._variables_: frozenset[sp.Symbol] = frozenset(regime.scales) | frozenset(regime.ties)
        self._bound: dict[sp.Symbol, Expansion] = {}
        self.kernel = KernelSeries(regime, order, self._bound)
        self._memo: Memory[tuple[sp.Expr, bool], tuple[Expansion, tuple[Step, ...]]] = Memory()

    def __call__(self, expr: sp.Expr) -> Expansion:
        """The expansion of ``expr``.

        Raises:
            Refused: no method applies, or a comparison cannot be decided.
        """
        expr = canonical(sp.sympify(expr))

        def expanded() -> tuple[Expansion, tuple[Step, ...]]:
            # steps of its own, since a method that is given up later drops those of the common list
            before, self.steps = self.steps, []
            METER.steps += NODE
            try:
                with sy.refusing("expanding"):
                    return self._expand(expr), tuple(self.steps)
            except Refused as refused:
                if isinstance(expr, sp.Sum | sp.Integral | sp.Product):
                    refused.total = expr
                raise
            finally:
                self.steps = before

        found, steps = self._memo((expr, is_coarse()), expanded)
        self.steps += [step for step in steps if step not in self.steps]
        return found

    def note(self, rule: str, latex: str, source: str = "") -> None:
        """Record a step of the derivation, once."""
        step = Step(rule, latex, source)
        if step not in self.steps:
            self.steps.append(step)

    def resolved(self, expr: sp.Expr) -> sp.Expr:
        """The expression in the scales (its special functions and sums untouched)."""
        return self.regime.resolve(expr)

    def _expand(self, expr: sp.Expr) -> Expansion:
        if expr.is_Symbol:
            return self._symbol(expr)
        if expr.is_number or not (expr.free_symbols & self._variables()):
            if expr.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
                numbers = {i: sp.Dummy() for i in expr.atoms(sp.Integral) if converges(i.subs(dict(self.regime.ranges)))}
                series = {total: sp.Dummy() for total in expr.atoms(sp.Sum)}
                if expr.xreplace({**series, **numbers}).has(sp.oo, -sp.oo, sp.zoo, sp.nan) or not (series or numbers):
                    raise Refused(f"{expr} is not a finite number")
                if numbers and not series:
                    return Expansion.constant(expr.subs(dict(self.regime.ranges)))
                return self._first_of(expr)  # whether a series converges is theirs to see
            if part := sy.costly(expr):
                raise Refused(f"{part} is too much work")
            constant = expr.subs(dict(self.regime.ranges))
            if constant.has(sp.I) or constant.is_real is False:
                raise Refused(f"{expr} is not real")
            for power in constant.atoms(sp.Pow):  # those of a bound variable are of no concern
                bases = power.base.free_symbols
                if power.exp.is_negative is not False and bases and bases <= constant.free_symbols:
                    assume_nonzero(power.base)
            return Expansion.constant(constant)
        if isinstance(expr, sp.Sum | sp.Integral | sp.Product) and sy.degree_bound(expr.function) > sy.MIDDLE_DEGREE:
            raise Refused(f"an exponent above {sy.MIDDLE_DEGREE} below a {expr.func.__name__}")
        begun = METER.steps
        try:
            own = self.kernel(expr)
        except Refused as refused:
            return self._first_of(expr, refused, METER.steps - begun)
        facts = self.kernel.facts
        if not own.is_exact() and len(own.terms) < self.order:
            try:
                found = self._first_of(expr)
            except Refused:
                if not (own.terms or is_coarse() or (isinstance(expr, sp.Function) and not isinstance(expr, sp.exp))):
                    raise
            else:
                if len(found.terms) >= len(own.terms):
                    return found
        if facts:
            self.note("series of the kernel", sy.latex(expr), ", ".join(facts))
        return own

    def _first_of(self, expr: sp.Expr, kernel: Refused | None = None, steps: int = 0) -> Expansion:
        """The first method that does not refuse, those from outside last; its steps alone are kept.

        Args:
            expr: a node.
            kernel: why the kernel has no series of it, if it has none.
            steps: the work that this took.
        """
        failed: list[Refused] = []
        tried: list[Tried] = []
        for method in methods(expr.func):
            before, begun = len(self.steps), METER.steps
            try:
                return method(self, expr)
            except Refused as refused:
                del self.steps[before:]
                failed.append(refused)
                tried.append(Tried(method.name, str(refused), METER.steps - begun))
        if kernel is not None and (not failed or len(failed) > 1 or isinstance(expr, sp.Function)):
            failed.append(kernel)
            tried.append(Tried("series of the kernel", str(kernel), steps))
        if not failed:
            raise Refused(f"no method expands {expr.func.__name__}")
        if len(failed) == 1:
            raise failed[0]
        kind = NoTerm if any(isinstance(one, NoTerm) for one in failed) else Refused
        questions = [question for one in failed for question in one.undecided]
        failure = kind("; ".join(dict.fromkeys(one.why for one in tried)), undecided=questions)
        failure.tried = tuple(tried)
        raise failure

    def _variables(self) -> frozenset[sp.Symbol]:
        return self._variables_

    def of(self, function: Callable[..., sp.Expr], *arguments: sp.Expr | Expansion) -> Expansion:
        """A function, as the kernel has its series, of constants and of what has these expansions.

        Raises:
            Refused: the kernel has none.
        """
        return self.kernel(function(*(self.standing_for(x) if isinstance(x, Expansion) else x for x in arguments)))

    def standing_for(self, x: Expansion) -> sp.Symbol:
        """A symbol that has this expansion, for expressions in it."""
        found = sp.Dummy("x", real=True)
        self._bound[found] = x
        self._variables_ |= {found}
        return found

    def _symbol(self, symbol: sp.Symbol) -> Expansion:
        if symbol in self._bound:
            return self._bound[symbol]
        if symbol in self.regime.ties:
            return self(self.regime.ties[symbol])
        if symbol in self.regime.scales:
            return Expansion.of(Growth.of(symbol))
        return Expansion.constant(self.regime.ranges.get(symbol, symbol))


@handles(sp.Add)
def _add(expander: Expander, expr: sp.Expr) -> Expansion:
    """A rational function of the variables is put into the scales first: 1 - (1 - e^(-1/v)) is e^(-1/v)."""
    if not expr.has(sp.Function, sp.Sum, sp.Integral):
        resolved = expander.resolved(expr)
        if not resolved.is_Add:
            return expander(resolved)
        return Expansion.sum(expander(term) for term in resolved.args)
    return Expansion.sum(expander(term) for term in expr.args)


@handles(sp.Mul)
def _mul(expander: Expander, expr: sp.Expr) -> Expansion:
    """A product; factors in one large variable alone that refuse the scales are tried in that variable.

    ln(uv) = ln u + ln v has no leading term for free u, v, yet H_n/ln n -> 1 as n = uv -> oo.
    """
    try:
        return _product(expander, expr.args)
    except Refused:
        variables = expander._variables()
        alone = [f for f in expr.args if len(f.free_symbols & variables) == 1]
        for variable in set().union(*(f.free_symbols & variables for f in alone)) & set(expander.regime.ties):
            group = [f for f in alone if variable in f.free_symbols]
            if len(group) > 1:
                others = [f for f in expr.args if f not in group]
                return _product(expander, others) * _in_one_variable(expander, sp.Mul(*group), variable)
        raise


def _product(expander: Expander, factors: Iterable[sp.Expr]) -> Expansion:
    product = Expansion.constant(1)
    for factor in factors:
        product = product * expander(factor)
    return product


def _in_one_variable(expander: Expander, expr: sp.Expr, variable: sp.Symbol) -> Expansion:
    """C + o(1) from the expansion in one variable n -> oo; (ln n)^(-b) = O((ln t)^(-b)) for a scale t | n."""
    tie = expander(variable)
    growth, coefficient = tie.leading()
    if growth.limit() != "infinity" or len(tie.terms) > 1 or coefficient != 1:
        raise Refused(f"{variable} is not a large monomial of the scales")
    inner = Expander(Regime(f"{variable} -> oo", (variable,), ranges=expander.regime.ranges), expander.order)(expr)
    rest = []
    for g in (*inner.terms, *inner.remainder):
        if g == ONE and g not in inner.remainder:
            continue
        back = ONE
        for atom, power in g.powers:
            if atom == variable:
                back = back * growth**power
            elif atom == sp.log(variable) and sign(power) == -1:
                # ln n >= ln t for every scale t whose power in n is at least 1
                scales = [a for a, x in growth.powers if a.is_Symbol and sign(x - 1) in (0, 1)]
                if not scales:
                    raise Refused(f"{g} is not bounded in the scales")
                back = back * Growth.of(sp.log(scales[0]), power)
            else:
                raise Refused(f"{g} is not bounded in the scales")
        if g.large or back.limit() != "zero":
            raise Refused(f"{g} does not vanish")
        rest.append(back)
    return Expansion.make({ONE: inner.terms.get(ONE, sp.S.Zero)}, rest)


@handles(sp.Pow)
def _pow(expander: Expander, expr: sp.Expr) -> Expansion:
    base, exponent = expr.args
    if not exponent.free_symbols & expander._variables():
        if exponent.has(sp.oo):
            expander(exponent)  # refuses what diverges
        if base.is_Symbol and base in expander.regime.scales:
            return Expansion.of(Growth.of(base, exponent.subs(dict(expander.regime.ranges))))
        return expander(base).power(exponent.subs(dict(expander.regime.ranges)), expander.order)
    return expander(sp.exp(exponent * sp.log(base), evaluate=False))


@handles(sp.exp)
def _exp(expander: Expander, expr: sp.Expr) -> Expansion:
    return expander(expr.args[0]).exp(expander.order)


@handles(sp.log)
def _log(expander: Expander, expr: sp.Expr) -> Expansion:
    argument = expr.args[0]
    if not argument.has(sp.Sum, sp.Integral):
        resolved = sp.log(expander.resolved(argument))
        if not isinstance(resolved, sp.log):
            return expander(resolved)
        argument = resolved.args[0]
    return expander(argument).log(expander.order)
