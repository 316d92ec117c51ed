"""The figure of a claim: its quantity, certified, over what the claim says and over its derived expansion, to n = 10^1000.

>>> from asymp.parse import claim
>>> made = figure_of(claim("me/x", "harmonic(n) ~ log(n)", to="n->oo", source="me, 1"), order=2, powers=(2, 1000))
>>> [line.label for line in made.panels[0].series], made.panels[0].series[0].ys
(['as stated', '1 term', '2 terms'], ('1.12642471573', '1.00025068158'))
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from asymp import budget
from asymp.check.derived import runs_of
from asymp.check.expansion import expand_text
from asymp.check.measure import Run, some
from asymp.claim import Asymptotic, Claim
from asymp.enclosure import InputError, Undecided, enclose
from asymp.export.called import called
from asymp.export.plot import Figure, Panel, Series
from asymp.export.terminal import formula
from asymp.kernel import terms
from asymp.kernel.growths.regime import names_in
from asymp.kernel.terms import Refused, Term
from asymp.language.bodies import Body, Expanding, Limiting, Ordering, Ratio
from asymp.language.conditions import Compared, read_conditions, text_of
from asymp.language.known import is_infinite
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement
from asymp.language.syntax import words
from asymp.language.value import NotExact, value
from asymp.parse.at import term_of

POWERS = (1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 1000)
"""n = 10^j: where the quantity is enclosed."""
CAP_BITS = 40_000
COLOURS = ("purple", "green", "orange", "blue", "black")
LEAST = 2
LONGEST = 90
"""Letters of a statement above a figure."""
WIDE = 100
FAR = 10**6
"""Between the least and the largest of what is drawn on a linear scale."""


class NoFigure(ValueError):
    """There is nothing to draw, or it could not be computed: why."""


def figure_of(
    claim: Claim,
    order: int = 3,
    title: str = "",
    powers: Sequence[int] = POWERS,
    stated: bool = True,
    certificate: Sequence[Mapping[str, Any]] | None = None,
) -> Figure:
    """The figure of an asymptotic claim.

    Args:
        claim: a statement about a limit.
        order: of so many terms of the derived expansion each first part is drawn; 0: of none.
        title: else its place and its statement.
        powers: the sizes, as powers of ten.
        stated: whether the claim's own right side is drawn too.
        certificate: of what is known of it: where that is a path on which it fails, that path is drawn.

    Returns:
        Certified values (12 digits) of the quantity over each of them, and how far they are from 1.

    Raises:
        NoFigure: it is no statement about a limit, or there are fewer than two certified values.
    """
    if not isinstance(claim.relation, Asymptotic):
        raise NoFigure(f"{claim.id} has no figure: it is no statement about a limit")
    statement = claim.relation.statement
    f, right = _quantity(statement.body)
    tried = [*_refuting(statement, certificate or ()), *some(runs_of(statement), thorough=False)]
    if not tried:
        raise NoFigure(f"{claim.id} has no figure: no path of its regime is known")
    run = tried[0]
    said = _said(statement.body) if stated else None
    over, case = [("as stated", right)] if stated and said is None and right is not None else [], ""
    plain = not isinstance(statement.body, Ordering)
    if plain and order:
        case, derived = _derived(statement, order, run.at(1))
        over += derived
    if not over and said is None:
        raise NoFigure(f"{claim.id} has no figure: no expansion was derived there")
    points = [(f"1e{power}", run.at(10**power)) for power in powers]
    ratios, errors = [], []
    for number, (label, main) in enumerate(over):
        colour = COLOURS[number % len(COLOURS)]
        ratio = terms.multiply(f, terms.reciprocal(main))
        error = terms.call("Abs", terms.add(ratio, terms.number(-1)))
        ratios.append(_series(label, colour, points, ratio, 12, positive=False))
        errors.append(_series(label, colour, points, error, 4, positive=True))
    claimed = []
    if said is not None:
        title_of, less, over_what = said
        left = terms.multiply(terms.add(f, terms.negative(less)), terms.reciprocal(over_what))
        line = _series("as stated", "purple", points, terms.call("Abs", left), 6, positive=True)
        claimed = [_measured(title_of, line)] if len(line.xs) >= LEAST else []
    if not claimed and all(len(line.xs) < LEAST for line in ratios):
        raise NoFigure(f"{claim.id} has no figure: fewer than two certified values could be had")
    at = ", ".join([run.name, *(f"{v} = {x}" for v, x in run.instance.items())])
    drawn = tuple(line for line in ratios if line.xs)
    panels = [*claimed, *([_ratios(drawn)] if drawn else [])]
    if plain and drawn:
        shown = tuple(line for line in errors if line.xs)
        sizes = [Decimal(str(y)) for line in shown for y in line.ys]
        panels.append(Panel("|certified value / right side - 1|", shown, y_log=not sizes or max(sizes) > 10 * min(sizes)))
    name = title or "\n".join(filter(None, [_title(claim), f"along {run.label}" if run.values else ""]))
    at += f" (the case {case})" if case else ""
    caption = f"Certified values of the quantity of {claim.id} over what is named, at {at}: {claim.statement}"
    return Figure(name, run.runner, tuple(panels), caption=caption, x_log_log=True)


def _refuting(statement: Statement, certificate: Sequence[Mapping[str, Any]]) -> list[Run]:
    """The way to the limit on which a statement fails, if its theorem has one: what moves by the runner, and all other values."""
    for data in (step["data"] for step in reversed(certificate) if step["rule"] == "path"):
        values = {v: terms.read(text) for v, text in data["values"].items()}
        own = next((v for v, x in values.items() if x == terms.name(data["runner"])), None)
        if own is None or not set(names_in(statement)) <= set(values):
            continue
        moved = {v: terms.substitute(x, {data["runner"]: terms.name(own)}) for v, x in values.items() if v != own}
        instance = {v: x for v, x in moved.items() if x.is_number}
        moving = {v: x for v, x in moved.items() if v not in instance}
        return [Run(", ".join(f"{v} = {x}" for v, x in moving.items()) or f"{own} -> oo", own, moving, instance)]
    return []


def _title(claim: Claim) -> str:
    """What it is called, if it stands in a paper, and what it says, if that is short."""
    said = formula(claim.statement)
    where = f"{called(claim.id, claim.source.locator)} ({claim.id})" if claim.source.locator != "typed in" else ""
    return "\n".join(filter(None, [where, said if len(said) <= LONGEST or not where else ""]))


def _quantity(body: Body) -> tuple[Term, Term | None]:
    """What a relation is about, and what it is set against."""
    match body:
        case Ratio():
            return term_of(body.left), term_of(body.right)
        case Ordering():
            return term_of(body.left), term_of(body.growth)
        case Expanding():
            kept = term_of(body.kept)
            return term_of(body.left), term_of(body.growth) if kept == terms.ZERO else kept
        case Limiting():
            target = terms.ZERO if is_infinite(body.value) else term_of(body.value)
            return term_of(body.left), None if target == terms.ZERO else target
    raise NoFigure("a statement without a quantity")


def _said(body: Body) -> tuple[str, Term, Term] | None:
    """What a statement says of a difference: that, what is taken away, and over what; None where it is about a quotient.

    The ratio of H_n to log n tends to 1, and so refutes nothing of H_n = log n + O(1/n): what does is n (H_n - log n), which is
    not bounded.
    """
    match body:
        case Expanding():
            growth, small = term_of(body.growth), "is said to tend to 0" if body.order == "o" else "is said to be bounded"
            over = "" if growth == terms.ONE else f" / ({words(body.growth)})"
            return f"|certified value - stated terms|{over}\n{small}", term_of(body.kept), growth
        case Limiting() if not is_infinite(body.value):
            return "|certified value - stated limit|\nis said to tend to 0", term_of(body.value), terms.ONE
    return None


def _measured(title: str, line: Series) -> Panel:
    """What is said to be bounded or to vanish; from 0 on where it stays within two powers of ten."""
    values = [Decimal(str(y)) for y in line.ys]
    near = max(values) < WIDE * min(values)
    return Panel(title, (line,), "", y_log=not near, y_limits=(0.0, 1.15 * float(max(values))) if near else None)


def _ratios(lines: tuple[Series, ...]) -> Panel:
    """Quotients that may tend to 1, on a linear scale; such as run away on that of their sizes."""
    title = "certified value / right side"
    values = [Decimal(str(y)) for line in lines for y in line.ys]
    sizes = [abs(value) for value in values if value]
    if not sizes or max(sizes) <= FAR * min(sizes):
        return Panel(title, lines, "", y_log=False)
    if min(values) > 0:
        return Panel(title, lines, "", y_log=True)
    kept = [[(x, y) for x, y in zip(line.xs, line.ys, strict=True) if Decimal(str(y))] for line in lines]
    shown = (
        replace(line, xs=tuple(x for x, _ in pairs), ys=tuple(str(abs(Decimal(str(y)))) for _, y in pairs), errors=())
        for line, pairs in zip(lines, kept, strict=True)
    )
    return Panel(f"|{title}|", tuple(shown), "", y_log=True)


def _derived(statement: Statement, order: int, at: Mapping[str, Any]) -> tuple[str, list[tuple[str, Term]]]:
    """The case that the parameters' values are in, and the first parts of the expansion there; none where it is refused."""
    left = next(iter(statement.body.terms()))
    try:
        said = [text_of((c,)) for c in statement.domain]
        found = expand_text(words(left), text_of(statement.regime), said, order)
    except ParseError:
        return "", []
    for case in found.get("cases", [found]):
        when = case.get("when", "")
        if "terms" in case and _holds(when, at):
            kept = [terms.read(text.replace("**", "^")) for text in case["terms"]]
            return when, [(f"{k} term{'s' * (k > 1)}", terms.add(*kept[:k])) for k in range(1, len(kept) + 1)]
    return "", []


def _holds(when: str, at: Mapping[str, Any]) -> bool:
    """Whether the conditions of a case are seen to hold at values of the parameters: comparisons of numbers with each other."""
    signs = {"<": (-1,), "<=": (-1, 0), "=": (0,), ">=": (0, 1), ">": (1,)}
    try:
        for c in read_conditions(when.replace(" and ", ", ")) if when else ():
            if not isinstance(c, Compared):
                return False
            for left, sign, right in c.pairs():
                gap = value(left, at) - value(right, at)
                if (gap > 0) - (gap < 0) not in signs[sign]:
                    return False
    except (ParseError, NotExact, TypeError, KeyError):
        return False
    return True


def _series(
    label: str, colour: str, points: Iterable[tuple[str, Mapping[str, Any]]], term: Term, digits: int, positive: bool
) -> Series:
    """One curve, of the points at which its value is certified (and, on a logarithmic axis, not 0)."""
    xs, ys = [], []
    for size, where in points:
        with contextlib.suppress(Undecided, InputError, Refused):
            ball = enclose(term, {n: x for n, x in where.items() if n in term.free}, digits, CAP_BITS, budget.ORDERS)
            if not (positive and ball.value == "0"):
                xs.append(size)
                ys.append(ball.value)
    return Series(label, colour, tuple(xs), tuple(ys))
