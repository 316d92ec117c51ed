"""Expansions that are asked for: derived, then confirmed by certified numbers, or refused.

>>> answer = expand_text("harmonic(n)", to="n->oo", order=2)
>>> answer["terms"], answer["remainder"]["growth"], answer["strength"]
(['log(n)', 'EulerGamma'], '1/n', 'proved')

Where the answer hangs on a parameter it splits into cases:

>>> answer = expand_text("n^(3-2*a)*log(n) + n^(1-a)", to="n->oo", assume="a>1", order=1)
>>> [(case["when"], *case["terms"]) for case in answer["cases"]]
[('a<2', 'n**(3 - 2*a)*log(n)'), ('a=2', 'log(n)/n'), ('a>2', 'n**(1 - a)')]
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp import budget
from asymp.budget import Budget
from asymp.cas import text as text_of
from asymp.check import cases, coefficients, implicit, trend
from asymp.check.derivation import Derivation
from asymp.check.meant import prove
from asymp.check.refusals import reason, refusal
from asymp.check.theorems import of_expansion
from asymp.claim import Step
from asymp.enclosure import InputError, Undecided
from asymp.expand import Expander, Expansion, Refused
from asymp.expand.kernel_series import usual
from asymp.expand.splits import Case, Found, at_end, by_cases, may_vanish, zeros
from asymp.expansion import NoTerm, assumptions, coarse, logarithm, maximal
from asymp.growth import Growth
from asymp.language.bodies import Ordering
from asymp.language.conditions import read_conditions
from asymp.language.elaborate import MOST_IN_A_LIMIT, of_bounded_size
from asymp.language.everyday import text_in_terms
from asymp.language.statement import Statement
from asymp.language.syntax import Parser
from asymp.meaning import Meaningless
from asymp.meaning.limits import has_a_path, read_far_out
from asymp.parse import NoLimit, ParseError, all_said, parse_setting
from asymp.parse.mathematics import read_expression
from asymp.parse.setting import instances
from asymp.scale import Regime
from asymp.sign import decided_sign, undecided
from asymp.stopwatch import Stopwatch

MOST_TERMS = 30
"""The time for K terms grows like K^2 or faster."""
EXTRA = (0, 1, 2, 4, 8, 16, 32)
"""How much further than K the series are taken until K terms and the next one are known."""
AGAIN = 3
"""So many further orders may end in the same refusal."""
FEW = 6
"""For more terms than these, lower orders of the series are tried first."""

COARSE = Step("what is exponentially small, by its order", r"e^{E} = O(e^{E_0/2}),\quad E \sim E_0 \to -\infty")


@dataclass(frozen=True)
class Answer:
    """The first terms, what is left, the steps, and the coefficients that must not vanish.

    ``fewer`` says why there are fewer terms than were asked for; it is empty where there are not.
    """

    regime: Regime
    expansion: Expansion
    steps: tuple[Step, ...]
    nonzero: tuple[sp.Expr, ...]
    fewer: str = ""

    def terms(self) -> list[sp.Expr]:
        """The terms in the statement's variables, larger ones first."""
        shown: list[sp.Expr] = []
        left = self.expansion.ordered()
        while left:
            alike = [q for q in left if q[0] == left[0][0] or (q[0] / left[0][0]).limit() == "unknown"]
            together = logarithm(dict(alike))
            if together is None:
                alike = left[:1]
            growth, c, rest = together or (*alike[0], sp.S.One)
            shown.append(_lowest(self.regime.display(c)) * self.regime.display(growth.expr) * self._display_log(rest))
            left = [q for q in left if q not in alike]
        return shown

    def _display_log(self, expr: sp.Expr) -> sp.Expr:
        """ln of a product of scales, in the statement's variables."""
        return expr if not isinstance(expr, sp.log) else sp.log(sy.powsimp(self.regime.display(expr.args[0])))

    def growth(self) -> sp.Expr:
        """The growth of the remainder; 0 where the expansion is exact.  Incomparable growths are added up."""
        # n p - c may have either sign: a bound is of its size
        sizes = {scale: sp.Abs(self.regime.names[scale]) for scale in self.regime.inverse if scale in self.regime.names}
        return self.regime.display(sp.Add(*(r.expr for r in self.expansion.remainder)).subs(sizes))

    def vanishing(self) -> list[str]:
        """Where a shown coefficient after the first is 0: the others, and the remainder, stand."""
        found = []
        for k, (_, c) in enumerate(self.expansion.ordered()[1:], 2):
            at = zeros(c, Case(self.regime))
            if at:
                found.append(f"term {k} is 0 at {' and at '.join(at)}")
        return found


def _lowest(coefficient: sp.Expr) -> sp.Expr:
    """A function of the parameters in lowest terms: rational, or with roots of rational functions in it.

    >>> c = sp.Symbol("c", positive=True)
    >>> _lowest(sp.sqrt(c) / sp.sqrt(1 - c) + sp.sqrt(1 / c - 1))
    1/(sqrt(c)*sqrt(1 - c))
    """
    if sp.count_ops(coefficient) > 200 or not coefficient.free_symbols:
        return coefficient
    if coefficient.is_rational_function():
        divided = any(q.base.is_Add and q.exp.is_negative for q in coefficient.atoms(sp.Pow))
        return sy.factor(coefficient) if divided or sp.fraction(sy.together(coefficient))[1] != 1 else coefficient
    if coefficient.has(sp.gamma) and not any(isinstance(q.base, sp.gamma) for q in coefficient.atoms(sp.Pow)):
        coefficient = usual(min(coefficient, sy.factor(sy.together(coefficient)), key=sp.count_ops))
    roots = [q for q in coefficient.atoms(sp.Pow) if q.base.is_Add and q.exp.is_Rational and not q.exp.is_Integer]
    if not roots:
        return coefficient
    for root in roots:
        top, bottom = sp.fraction(sy.together(root.base))
        if bottom.is_positive:
            coefficient = coefficient.subs(root, top**root.exp / bottom**root.exp)
    bases = {q.base for q in coefficient.atoms(sp.Pow) if not q.exp.is_Integer}
    return sy.factor(sy.together(coefficient)).replace(
        lambda q: q.is_Pow and q.exp.is_Integer and q.exp % 2 == 0 and -q.base in bases, lambda q: (-q.base) ** q.exp
    )


@dataclass(frozen=True)
class _Derived:
    """All that was derived at one order, and the first terms of it."""

    steps: tuple[Step, ...]
    full: Expansion
    first: Expansion
    nonzero: tuple[sp.Expr, ...]
    unordered: str = ""


def confirmed(expr: sp.Expr, regime: Regime, order: int = 3) -> Answer:
    """The first ``order`` terms, derived, and confirmed by certified values on the regime's paths.

    Fewer, with the reason, where there are no more or no more can be derived.

    Raises:
        Refused: no method applies, what comes first hangs on a parameter or on the path (``undecided``
            says on what), or the numbers do not confirm what was derived.
    """
    found = _derived(expr, regime, order)
    if not found.first.terms and found.first.remainder:
        raise Refused(f"no term could be derived, only O({' + '.join(map(str, found.first.remainder))})", undecided=())
    _confirm(expr, regime, found)
    fewer = ""
    if len(found.first.terms) < order:
        count = len(found.first.terms)
        fewer = found.unordered or (
            "exact: there are no more terms" if found.full.is_exact()
            else f"only {count} term{'s' * (count != 1)} could be derived: the rest is not known beyond its order"
        )
    return Answer(regime, found.first, found.steps, found.nonzero, fewer)


def _confirm(expr: sp.Expr, regime: Regime, found: _Derived) -> None:
    """Certified numbers against the terms that are shown, and against all that were derived.

    A wrong coefficient of a shown term may hide among the terms left out; it cannot behind all of them.

    Raises:
        Refused: they do not agree, or nothing could be compared.
    """
    measured = 0
    for expansion in (found.first, found.full) if found.full != found.first else (found.full,):
        fits = _fits(expr, expansion, regime)
        if any(not fit.bounded for fit in fits):
            raise Refused("derived, but certified numbers do not follow it", undecided=())
        measured = max([measured, *(len(fit.ratios) for fit in fits)])
    if found.full.remainder and measured < 2:  # one number alone does not show whether the distance grows
        what = "at one size alone" if measured else "nowhere"
        raise Refused(f"derived, but {what} a certified number could be compared with it", undecided=())


def _fits(expr: sp.Expr, expansion: Expansion, regime: Regime) -> list[trend.Fit]:
    derivation = Derivation(regime, *_scaled(expr, expansion, regime))
    try:
        fits, _ = trend.confirm(derivation, witnesses=False, steps=budget.FAR_BALL)
    except (Undecided, InputError) as error:
        raise Refused(f"derived, but not confirmed by certified numbers: {error}", undecided=()) from error
    return fits


def _scaled(expr: sp.Expr, e: Expansion, regime: Regime) -> tuple[sp.Expr, Expansion]:
    """Both over an exponential that leads: at huge n e^(-n) itself is beyond any precision."""
    try:
        growth, _ = e.leading()
    except Refused:
        return expr, e
    if not growth.large:
        return expr, e
    exact = {s: regime.inverse.get(s, regime.names.get(s, s)) for s in regime.scales}
    head = Growth((), growth.large)
    return expr / regime.display(head.expr.subs(exact, simultaneous=True)), e * Expansion.of(head**-1)


def _derived(expr: sp.Expr, regime: Regime, order: int) -> _Derived:
    """What is known at the first order at which enough terms are; at the last that was tried, if none suffices."""
    purse = Budget(budget.ORDERS)
    failure: Refused | None = None
    best: _Derived | None = None
    orders = [order + extra for extra in EXTRA]
    if order > FEW:  # sums and products of several series have more terms than each of them
        orders = [-(-order // 3), -(-2 * order // 3), *orders]
    stuck = again = 0
    for terms in orders:
        before_it = purse.used()
        try:
            with assumptions() as noted, undecided():
                expander = Expander(regime, terms)
                full = expander(expr)
                first, unordered = _first(full, order, regime)
                nonzero = tuple(a for a in dict.fromkeys(noted) if decided_sign(a) is None)
                _must_not_vanish(first, nonzero)
            before, best = best, _Derived(tuple(expander.steps), full, first, nonzero, unordered)
            if len(full.terms) > order or full.is_exact() or unordered:
                break
            stuck += before is not None and (before.full.terms, before.full.remainder) == (full.terms, full.remainder)
        except Refused as refused:
            stuck += bool(refused.undecided)
            again = again + 1 if failure is not None and _alike(refused, failure) else 0
            failure = refused
        # a further order helps against cancellation, not against what is undecided or not known better
        if stuck == 2 or again == AGAIN:
            break
        complete = best is not None and len(best.first.terms) == order
        if 3 * purse.used() - 2 * before_it > (budget.LAST_ORDER if complete else budget.ORDERS):
            break
    if best is None:
        raise failure or Refused("no order was tried")
    return best


def _alike(one: Refused, other: Refused) -> bool:
    """Whether two refusals come from the same place over the same question, and more terms are not what is wanted."""
    if isinstance(one, NoTerm) or type(one) is not type(other) or one.undecided != other.undecided:
        return False
    return _place(one) == _place(other)


def _place(error: Exception) -> tuple[str, int]:
    inner = error.__traceback__
    while inner is not None and inner.tb_next is not None:
        inner = inner.tb_next
    return ("", 0) if inner is None else (inner.tb_frame.f_code.co_filename, inner.tb_lineno)


def _first(full: Expansion, order: int, regime: Regime) -> tuple[Expansion, str]:
    """The first terms; the growths of the others join the remainder.

    Where two terms compare as the path has it (n p against 1/n, when n p -> 0 is all that is known): the terms
    up to there, and why there are no more.

    Raises:
        Refused: the order of the first terms hangs on a parameter, or which is first on the path.
    """
    why = ""
    try:
        shown = dict(full.first(order))
    except Refused as refused:
        if not refused.undecided or any(isinstance(question, sp.Expr) for question in refused.undecided):
            raise
        count = next((k for k in range(order - 1, 0, -1) if _ordered_up_to(full, k)), 0)
        if not count:
            raise
        shown = dict(full.first(count))
        rivals = sorted(str(regime.display(g.expr)) for g in maximal(g for g in (*full.terms, *full.remainder) if g not in shown))
        why = f"the order of {' and '.join(rivals)} is not given"
    rest = [growth for growth in full.terms if growth not in shown]
    return Expansion.make(shown, [*rest, *full.remainder]), why


def _ordered_up_to(full: Expansion, count: int) -> bool:
    try:
        full.first(count)
    except Refused:
        return False
    return True


def _must_not_vanish(first: Expansion, nonzero: Iterable[sp.Expr]) -> None:
    """Where a leading coefficient, or one that was divided by, is 0 at a parameter value the answer splits there."""
    leading = [c for _, c in list(first.ordered())[:1]]
    for coefficient in (*leading, *nonzero):
        if may_vanish(coefficient):
            raise Refused(f"{coefficient} may vanish", undecided=(coefficient,))


def answers(
    expr: sp.Expr, regime: Regime, order: int = 3, ends: Iterable[tuple[sp.Symbol, sp.Expr]] = ()
) -> list[Found[Answer]]:
    """The first terms in every case that the answer splits into, each confirmed by numbers inside it.

    ``ends``: ends of the parameters' ranges that belong to them: cases of their own where another answer holds there.

    Raises:
        Refused: there is no answer in any case.
    """


    def attempt(case: Case) -> Answer:
        inside = case.at(expr)
        if inside.has(sp.zoo, sp.nan):
            raise Refused("not defined there (a division by zero)", undecided=())
        try:
            return confirmed(inside, case.regime, order)
        except Refused as refused:
            if not refused.undecided:
                raise
            with contextlib.suppress(ValueError), coarse():  # fewer terms are better than many cases
                found = confirmed(inside, case.regime, order)
                return replace(found, steps=(*found.steps, COARSE))
            raise

    found = cases.merged(by_cases(attempt, Case(regime)))
    for symbol, value in ends:
        case = at_end(Case(regime), symbol, value)
        try:
            there = by_cases(attempt, case)
        except Refused as refused:
            there = [Found(case, None, refused)]
        for one in there:
            found = cases.with_end(found, one, symbol)
    return found


def expand_text(
    expression: str | None,
    to: str,
    assume: Iterable[str] | str = (),
    order: int = 3,
    equation: str | None = None,
    unknown: str | None = None,
) -> dict[str, Any]:
    """The answer to ``asymp expand`` as plain data: terms, remainder, strength, seconds; or refused.

    Where a coefficient that was divided by may vanish, the answer is one case, with what must not be 0.

    Raises:
        ParseError: text that cannot be read, in one line.
    """
    watch = Stopwatch()
    if not 1 <= order <= MOST_TERMS:
        raise ParseError(f"--order: not in 1..{MOST_TERMS}")
    if equation is not None or expression is None:
        return implicit.expand_equation(equation or "", unknown or "", to, assume, order)
    assumed = [assume] if isinstance(assume, str) else list(assume)
    expression = text_in_terms(expression)
    tree = Parser(expression).whole()
    of_bounded_size([tree], MOST_IN_A_LIMIT)
    if "Coefficient" in tree.calls:
        return coefficients.expanded(expression, to, assumed, order)
    setting = parse_setting(to, assumed, re.findall(r"[^\W\d]\w*", expression), closed=True)
    expr, parts = read_expression(expression, setting.symbols)
    all_said(setting, to, expression)
    if setting.regime is None:
        raise NoLimit("say what tends where, such as --to n->oo")
    try:
        said = read_conditions(", ".join(assumed)) if assumed else ()
        asked = Statement(Ordering(tree, "O", tree), domain=said, regime=read_conditions(to))
        values = {symbol.name: Parser(text_of(value)).whole() for symbol, value in setting.values.items()}
        read_far_out(asked, [part.with_values(values) for part in parts], setting.regime.real, prove)
        has_a_path(asked)
    except Meaningless as error:
        return {"refused": f"no meaning: {error}"}
    if setting.values:
        expr = expr.subs(dict(setting.values))
    regime = setting.regime
    free = expr.free_symbols.union(*(tie.free_symbols for tie in regime.ties.values()))
    free -= {*regime.scales, *regime.ties, *regime.ranges}
    regime = replace(regime, instances=instances(regime.ranges, free)) if free else regime
    try:
        found = answers(expr, regime, order, setting.ends)
    except ValueError as refused:  # Refused, or a method that met what it cannot take
        return refusal(refused, regime, parts)
    except (RecursionError, NotImplementedError, ArithmeticError, AttributeError, TypeError) as error:  # SymPy gave up
        return {"refused": f"an expression that could not be worked with: {type(error).__name__}"}
    try:
        shown = [_plain(one) for one in found]
    except ValueError:  # Python writes down no number of more than some thousand digits
        return {"refused": "derived, but its numbers are too long to write down"}
    result = shown[0] if len(shown) == 1 and "when" not in shown[0] else {"cases": shown}
    return {**result, **of_expansion(expression, to, assumed, shown), "seconds": watch.seconds()}


def _plain(one: Found[Answer]) -> dict[str, Any]:
    """A case as plain data."""
    conditions = [one.case.when] if one.case.when else []
    if one.answer is None:
        return {"when": " and ".join(conditions), "refused": reason(one.refused or Refused(""), one.case.regime)}
    answer = one.answer
    conditions += [f"{answer.regime.display(a)} != 0" for a in answer.nonzero]
    shown: dict[str, Any] = {"when": " and ".join(conditions)} if conditions else {}
    shown["terms"] = [str(term) for term in answer.terms()]
    shown["remainder"] = {"kind": "O", "growth": str(answer.growth()), "constant": None, "valid_from": None}
    if answer.fewer:
        shown["fewer"] = answer.fewer
    if vanishing := answer.vanishing():
        shown["vanishing"] = vanishing
    return shown
