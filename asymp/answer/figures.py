"""The figure of a claim: its quantity, certified, over what the claim says and over its derived expansion, to n = 10^1000.

>>> from asymp.parse import claim
>>> made = figure_of(claim("me/x", "harmonic(n) ~ log(n)", to="n->oo", source="me, 1"), order=2, powers=(2, 1000))
>>> [line.label for line in made.panels[0].series], made.panels[0].series[0].ys
(['as stated', '1 term', '2 terms'], ('1.12642471573', '1.00025068158'))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import sympy as sp

from asymp import budget
from asymp.check.expansion import answers
from asymp.check.measure import some
from asymp.check.symbolic_integrals import as_term, cut_series, evaluable, runs_of, values, with_whole_limits
from asymp.claim import Asymptotic, Claim
from asymp.enclosure import InputError, Undecided, enclose
from asymp.expand import Refused
from asymp.expand.splits import Bounds
from asymp.expand.view import Equivalent, ExpansionOf, Order, Said, view_of
from asymp.export.plot import Figure, Panel, Series
from asymp.scale import Regime

POWERS = (1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 1000)
"""n = 10^j: where the quantity is enclosed."""
CAP_BITS = 40_000
COLOURS = ("purple", "green", "orange", "blue", "black")
LEAST = 2


class NoFigure(ValueError):
    """There is nothing to draw, or it could not be computed: why."""


def figure_of(claim: Claim, order: int = 3, title: str = "", powers: Sequence[int] = POWERS, stated: bool = True) -> Figure:
    """The figure of an asymptotic claim.

    Args:
        claim: a statement about a limit.
        order: of so many terms of the derived expansion each first part is drawn; 0: of none.
        title: else its place and its statement.
        powers: the sizes, as powers of ten.
        stated: whether the claim's own right side is drawn too.

    Returns:
        Certified values (12 digits) of the quantity over each of them, and how far they are from 1.

    Raises:
        NoFigure: it is no statement about a limit, or there are fewer than two certified values.
    """
    if not isinstance(claim.relation, Asymptotic):
        raise NoFigure(f"{claim.id} has no figure: it is no statement about a limit")
    try:
        view = view_of(claim.relation)
    except Refused as error:
        raise NoFigure(f"{claim.id} has no figure: {error}") from error
    quantity, regime = _quantity(view.relation), view.regime
    tried = some(runs_of(regime), thorough=False)
    if not tried:
        raise NoFigure(f"{claim.id} has no figure: no path of its regime is known")
    run = tried[0]
    instance, f = with_whole_limits(cut_series(quantity[0]), values(run.instance), 0)
    run = run.with_instance({s.name: as_term(x) for s, x in instance.items()})
    fixed = {s.name: sp.sympify(x) for s, x in instance.items()}
    case = ""
    over = [("as stated", quantity[1])] if stated and quantity[1] is not None else []
    if not isinstance(view.relation, Order):
        case, derived = _derived(quantity[0], regime, order, fixed)
        over += derived
    if not over:
        raise NoFigure(f"{claim.id} has no figure: no expansion was derived there")
    points = [(f"1e{power}", run.at(10**power)) for power in powers]
    ratios, errors = [], []
    for number, (label, main) in enumerate(over):
        colour = COLOURS[number % len(COLOURS)]
        ratios.append(_series(label, colour, points, evaluable(f) / main, 12, positive=False))
        errors.append(_series(label, colour, points, sp.Abs(evaluable(f) / main - 1), 4, positive=True))
    if all(len(line.xs) < LEAST for line in ratios):
        raise NoFigure(f"{claim.id} has no figure: fewer than two certified values could be had")
    at = ", ".join([run.name, *(f"{s} = {x}" for s, x in instance.items())])
    panels = [Panel("certified value / right side", tuple(line for line in ratios if line.xs), "", y_log=False)]
    if not isinstance(view.relation, Order):
        panels.append(Panel("|certified value / right side - 1|", tuple(line for line in errors if line.xs)))
    name = title or f"{claim.source.locator} ({claim.id})"
    at += f" (the case {case})" if case else ""
    caption = f"Certified values of the quantity of {claim.id} over what is named, at {at}: {claim.statement}"
    return Figure(name, run.runner, tuple(panels), caption=caption, x_log_log=True)


def _quantity(relation: Said) -> tuple[sp.Expr, sp.Expr | None]:
    """What a relation is about, and what it is set against."""
    if isinstance(relation, (Equivalent, Order)):
        return relation.f, relation.g
    if isinstance(relation, ExpansionOf):
        return relation.f, relation.terms if relation.terms != 0 else relation.growth
    return relation.f, relation.value if relation.value.is_finite and relation.value != 0 else None


def _derived(f: sp.Expr, regime: Regime, order: int, at: Mapping[str, sp.Expr]) -> tuple[str, list[tuple[str, sp.Expr]]]:
    """The case that the parameters' values are in, and the first parts of the expansion there; none where it is refused."""
    if not order:
        return "", []
    try:
        found = answers(f, regime, order)
    except ValueError:
        return "", []
    for one in found:
        there = not one.case.words and all(_inside(at.get(s.name), b, at) for s, b in one.case.bounds.items())
        if there and one.answer is not None:
            terms = one.answer.terms()
            return one.case.when, [(f"{k} term{'s' * (k > 1)}", sp.Add(*terms[:k])) for k in range(1, len(terms) + 1)]
    return "", []


def _inside(value: sp.Expr | None, bounds: Bounds, at: Mapping[str, sp.Expr]) -> bool:
    """Whether a parameter's value is in the subrange of a case: its one point, or strictly between its ends."""
    if value is None:
        return False

    def distance(end: sp.Expr | None) -> sp.Expr:
        return sp.S.One if end is None else value - end.subs({s: at.get(s.name, s) for s in end.free_symbols})

    low, high = distance(bounds.low), distance(bounds.high)
    if bounds.is_point():
        return bool(low == 0)
    return low.is_positive is True and (bounds.high is None or high.is_negative is True)


def _series(
    label: str, colour: str, points: Iterable[tuple[str, dict[str, sp.Expr]]], expr: sp.Expr, digits: int, positive: bool
) -> Series:
    """One curve, of the points at which its value is certified (and, on a logarithmic axis, not 0)."""
    xs, ys = [], []
    for size, where in points:
        names = {s.name for s in expr.free_symbols}
        try:
            ball = enclose(expr, {n: x for n, x in where.items() if n in names}, digits, CAP_BITS, budget.ORDERS)
        except (Undecided, InputError, Refused):
            continue
        if not (positive and ball.value == "0"):
            xs.append(size)
            ys.append(ball.value)
    return Series(label, colour, tuple(xs), tuple(ys))
