"""Evidence for the relations that are not asymptotic: identities, bounds on a grid, printed numbers.

Two lines of evidence, kept apart: *symbolic* (the steps that a claim brings along) and *enclosed* (every grid point, exactly or
in balls); proofs are the kernel's.  What they may say:

* what holds at every point is *certified* where these points are the whole domain, and *supported* where they are
  a few points of it; balls that agree never certify an equality, however many digits agree;
* disjoint balls, or unequal exact numbers, refute it: one certified counterexample is enough;
* an empty grid, a point outside the domain, an error or an undecided comparison upholds nothing;
* the steps that a claim brings along (``proof``) *support* it: they are a function that never sees the statement.

>>> from asymp.parse import parse_statement
>>> [(e.kind, str(e.outcome), str(e.strength)) for e in identity(parse_statement("(1 + x)^2 = 1 + x for x > 0"))]
[('enclosed', 'refuted', 'certified')]
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from asymp.check.domains import difference_of, has_totals, unchosen
from asymp.check.turns import given, turns, unsolved
from asymp.claim import Bound, Domain, Evidence, Identity, Outcome, Side, Step, Strength, Value, Witness
from asymp.enclosure import InputError, Undecided, ball, compare, enclose
from asymp.kernel.terms import Term, add, has_bound, negative, number, walk
from asymp.language.bodies import If, Iff
from asymp.parse.at import term_of
from asymp.parse.terms import Formula

CAP_BITS = 1 << 14
"""Working precision at which a comparison on the grid is given up as undecided."""
BALL_BITS = 512
"""Working precision of the comparison of irrational sides of an identity."""

BETWEEN = 24
"""Points beside the grid at which an identity is tried."""
ENOUGH = 5
"""Points at least where both sides were compared, if at others no precision in reach shows every term."""
COSTLY = 4
"""The same where a sum or an integral has to be evaluated at each."""

Point = Mapping[str, Any]
class _TooDeep(Undecided):
    """No precision in reach shows every term there: nothing was compared."""


_FAILED = (Undecided, InputError, ArithmeticError, ValueError, TypeError, KeyError, IndexError)


def identity(relation: Identity) -> list[Evidence]:
    """Evidence for ``lhs == rhs``: what is argued for it, and the grid.

    >>> from asymp.parse import parse_statement
    >>> identity(parse_statement("Sum(n, (n, 1, 3)) = 6"))[-1].strength
    <Strength.CERTIFIED: 'certified'>
    """
    lines = argued(relation.proof)
    if relation.domain.grid or not lines:
        lines.append(_identity_on_grid(relation))
    return lines


def value(relation: Value) -> list[Evidence]:
    """Evidence for a printed number: it is the expression rounded, or truncated, to its digits.

    >>> from asymp.parse import parse_statement
    >>> value(parse_statement("EulerGamma rounds to 0.57726"))[0].detail
    'not 0.57726: the value is 0.577215664901532861 (rounded to as many digits: 0.57722)'
    """
    try:
        printed = Decimal(relation.printed)
        if not printed.is_finite():
            raise InvalidOperation
    except InvalidOperation:
        return [_undecided(f"{relation.printed!r} is not a decimal number")]
    unit = Fraction(10) ** int(printed.as_tuple().exponent)
    centre = Fraction(printed)
    try:
        term = term_of(relation.term)
        true = _text(term, {}, 18)
        points = (Witness({}, *true),)
        if _between(term, centre - unit / 2, centre + unit / 2):
            return [_certified(f"rounds to {relation.printed}: the value is {true[0]}", points)]
        away = -1 if centre < 0 or printed.is_signed() else 1
        inner, outer = centre, centre + away * unit
        if _between(term, inner, outer, open_end=True):
            return [_certified(f"is truncated to {relation.printed}: the value is {true[0]}", points)]
        rounded = _rounded(term, unit)
    except (Undecided, InputError, ArithmeticError, ValueError, TypeError) as error:
        return [_undecided(_reason(error))]
    detail = f"not {relation.printed}: the value is {true[0]} (rounded to as many digits: {rounded})"
    return [Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, detail, points)]


# --- proofs --------------------------------------------------------------------------------------


def argued(proof: Callable[[], Sequence[Step]] | None) -> list[Evidence]:
    """The steps that a claim brings along: they support it; undecided where one of them fails."""
    if proof is None:
        return []
    try:
        steps = tuple(proof())
    except Exception as error:  # any failing step fails the proof, whatever it raises
        return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"the proof failed: {_reason(error)}")]
    if not steps:
        return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, "the proof has no steps")]
    detail = "argued for the whole domain: " + "; ".join(step.rule for step in steps)
    return [Evidence("symbolic", Outcome.HOLDS, Strength.SUPPORTED, detail, steps=steps)]


# --- identities on the grid ----------------------------------------------------------------------


def _identity_on_grid(relation: Identity) -> Evidence:
    domain = relation.domain
    if not domain.grid:
        return _undecided("no grid of points to try")
    all_exact, digits, undecided, deep = True, BALL_BITS, "", ""
    tried = []
    for point in domain.grid:
        try:
            equal, agreed, sides = _equal_at(relation, point)
            tried.append(point)
        except _TooDeep as error:
            deep = f"at {_shown(point)}: {_reason(error)}"
            continue
        except _FAILED as error:
            undecided = undecided or f"at {_shown(point)}: {_reason(error)}"
            continue
        if not equal:
            return _at_functions(_unequal(point, sides), domain)
        all_exact = all_exact and agreed is None
        digits = min(digits, agreed) if agreed is not None else digits
    turning = []
    for at, true, is_given in turns(relation):
        if not true:
            return _unequal(at, (("0", "0"), ("1", "0")))
        turning += [_shown(at)] if is_given else []
    if undecided or (deep and (domain.complete or len(tried) < ENOUGH)):
        return _undecided(undecided or deep)
    domain = replace(domain, grid=tuple(tried))
    if not domain.complete and not turning and not any(_is_given(relation, point) for point in tried):
        return _undecided(f"at none of the {len(tried)} points tried is what is given true: it says nothing there")
    if not domain.complete and (equation := unsolved(relation)):
        return _undecided(f"not all solutions of {equation} are found: at others nothing was tried")
    if not domain.complete:
        failing = _between_the_points(relation)
        if failing is not None:
            return failing
    if all_exact:
        more = f"; and where it turns: {_listed(dict.fromkeys(turning))}" if turning else ""
        return _upheld(f"equal, exactly, at {_grid(domain)}{more}", domain)
    detail = f"the sides agree to {digits} digits at {_grid(domain)}; balls do not prove equality"
    return Evidence("enclosed", Outcome.HOLDS, Strength.SUPPORTED, detail)


def _is_given(relation: Identity, point: Point) -> bool:
    """Whether a conditional says something at a point; anything else does everywhere."""
    formula = relation.lhs
    if not isinstance(formula, Formula) or not isinstance(formula.body, (If, Iff)) or formula.some:
        return True
    with contextlib.suppress(*_FAILED):
        return given(formula.body, point, dict(formula.models))
    return False


def _between_the_points(relation: Identity) -> Evidence | None:
    """A failure at a point of the box that nobody chose: a difference may vanish on a whole grid."""
    difference = difference_of(relation)
    if difference is None:
        return None
    points = unchosen(relation.domain, difference, f"{relation.lhs} = {relation.rhs}", far=3)
    costly = has_totals(difference)
    for point in itertools.islice(points, COSTLY if costly else BETWEEN):
        try:
            equal, _, sides = _equal_at(relation, point)
        except _FAILED:
            continue
        if not equal:
            return _unequal(point, sides)
    return None


def _unequal(point: Point, sides: Sides) -> Evidence:
    detail = f"fails at {_shown(point)}: {sides[0][0]} on the left, {sides[1][0]} on the right"
    return Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, detail, _both(point, sides))


def _at_functions(line: Evidence, domain: Domain) -> Evidence:
    """A failure at functions of which what is said was looked at in a few places is no certain counterexample."""
    return replace(line, strength=Strength.SUPPORTED) if domain.of_functions else line


Sides = tuple[tuple[str, str], tuple[str, str]]


def _equal_at(relation: Identity, point: Point) -> tuple[bool, int | None, Sides]:
    """(equal, digits that agree or None if exact, the two sides as (value, radius))."""
    nothing: Sides = (("", "0"), ("", "0"))
    left, right = (_side(side, point) for side in (relation.lhs, relation.rhs))
    if not isinstance(left, Term) and not isinstance(right, Term):
        if left == right:
            return True, None, nothing
        return False, None, _first_difference(left, right)
    left, right = (side if isinstance(side, Term) else number(mpq(_number(side))) for side in (left, right))
    depth = _depth(add(left, negative(right)), point)
    bits = BALL_BITS + depth
    if bits > BALL_BITS + CAP_BITS:
        raise _TooDeep(f"some term is below 2^-{CAP_BITS} of another: no ball of the sum would show it")
    left_ball, right_ball = (ball(side, point, bits) for side in (left, right))
    if not (left_ball.is_finite() and right_ball.is_finite()):
        raise Undecided(f"no ball holds a side at {bits} bits: it is too large, has no value, or there is no method for it")
    if not left_ball.overlaps(right_ball):
        return False, None, (_text(left, point), _text(right, point))
    agreed = _digits_of(left_ball - right_ball, left_ball, bits)
    if agreed < max(15, depth * 0.30103):
        raise Undecided(f"the sides are known to {max(agreed, 0)} digits only")
    return True, agreed, nothing


def _side(side: Side, point: Point) -> Any:
    """A side at a point: Fractions, tuples and dicts of them, or a term that is not known to be rational."""
    found = side(**point)
    return found if isinstance(found, Term) else _exact_value(found)


def _exact_value(found: Any) -> Any:
    """Exact numbers as Fractions, in tuples and dicts."""
    if isinstance(found, (bool, int, Fraction)):
        return Fraction(found)
    if isinstance(found, (tuple, list)):
        return tuple(_exact_value(item) for item in found)
    if isinstance(found, Mapping):
        return {key: _exact_value(item) for key, item in found.items()}
    raise TypeError(f"a {type(found).__name__} is not an exact number")


def _number(found: Any) -> Fraction:
    if isinstance(found, (int, Fraction)):
        return Fraction(found)
    raise TypeError(f"a {type(found).__name__} is not an exact number")


def _first_difference(left: Any, right: Any) -> Sides:
    """The first entry of two unequal values that differs, as text."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in [*left, *(key for key in right if key not in left)]:
            if left.get(key) != right.get(key):
                inner = _first_difference(left.get(key, "missing"), right.get(key, "missing"))
                return (f"{inner[0][0]} [{key}]", "0"), (f"{inner[1][0]} [{key}]", "0")
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
        return next(_first_difference(a, b) for a, b in zip(left, right, strict=True) if a != b)
    return (str(left), "0"), (str(right), "0")


def _depth(term: Term, values: Mapping[str, Any]) -> int:
    """Bits beyond the usual that show every term of every sum beside its largest, and numbers apart: 1 + 10^-200 is not 1."""
    numbers = {abs(part.number) for part in walk(term) if part.is_number}
    deepest = float(sum(max(one.numerator.bit_length(), one.denominator.bit_length()) for one in numbers))
    for total in dict.fromkeys(part for part in walk(term) if part.head == "sum"):
        sizes = []
        for part in total.parts:
            if has_bound(part):
                continue
            with contextlib.suppress(*_FAILED):
                size = abs(ball(part, values, 64))
                if size.is_finite() and size > 0:
                    sizes.append(float(size.log().mid()))
        if sizes:
            deepest += (max(sizes) - min(sizes)) / math.log(2)
    return int(min(deepest, 1e9))


def _digits_of(gap: Any, size: Any, bits: int) -> int:
    """Decimal digits to which a ball around 0 certifies a difference, relative to the sides (to 1 where these may be 0)."""
    scale = abs(size) if size != 0 and not size.contains(0) else None
    widest = float(gap.abs_upper() if scale is None else (gap.abs_upper() / scale).abs_upper())
    if widest == 0:
        return int(bits * 0.30103)
    return int(-math.log10(widest)) if widest < 1 else 0


# --- bounds on the grid --------------------------------------------------------------------------


def bound_on_grid(relation: Bound) -> Evidence:
    """Evidence for ``lhs op rhs`` from certified comparisons at the points of the grid.

    >>> from asymp.parse import parse_statement
    >>> found = bound_on_grid(parse_statement("log(1 + x) < x for x in {1/10, 1, 10^9}"))
    >>> found.detail, found.strength.value
    ('lhs < rhs at all 3 points: x = 1/10, 1, 1000000000', 'certified')
    """
    if relation.op not in ("<", "<=", ">", ">="):
        return _undecided(f"{relation.op!r} is not a comparison")
    if not relation.domain.grid:
        return _undecided("no grid of points to try")
    undecided = ""
    for point in relation.domain.grid:
        try:
            left, right = (_term(side, point) for side in (relation.lhs, relation.rhs))
            good = compare(left, relation.op, right, point, cap_bits=CAP_BITS)
        except _FAILED as error:
            undecided = undecided or f"at {_shown(point)}: {_reason(error)}"
            continue
        if not good:
            sides = (_text(left, point), _text(right, point))
            detail = f"fails at {_shown(point)}: {sides[0][0]} {relation.op} {sides[1][0]} is false"
            line = Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, detail, _both(point, sides))
            return _at_functions(line, relation.domain)
    if undecided:
        return _undecided(undecided)
    return _upheld(f"lhs {relation.op} rhs at {_grid(relation.domain)}", relation.domain)


def _term(side: Side, point: Point) -> Term | Fraction:
    """What balls are asked of: a plain side as it stands, the value of another."""
    plain = getattr(side, "term", None)
    if plain is not None:
        return plain
    found = side(**point)
    return found if isinstance(found, Term) else _number(found)


# --- printed numbers -----------------------------------------------------------------------------


def _between(expr: Term, first: Fraction, last: Fraction, open_end: bool = False) -> bool:
    """Whether a number lies between two others; ``open_end``: and is not the second."""
    up = first <= last
    begins = compare(expr, ">=" if up else "<=", first, cap_bits=CAP_BITS)
    ends = ("<" if open_end else "<=") if up else (">" if open_end else ">=")
    return begins and compare(expr, ends, last, cap_bits=CAP_BITS)


def _rounded(expr: Term, unit: Fraction) -> str:
    """The value rounded to a multiple of ``unit``, as a decimal."""
    digits = 40
    text = enclose(expr, digits=digits).value
    steps = round(Fraction(text) / unit)
    places = 0
    while unit * 10**places < 1:
        places += 1
    return f"{Decimal(steps.__int__()) * Decimal(unit.numerator) / Decimal(unit.denominator):.{places}f}"


# --- words ---------------------------------------------------------------------------------------


def _text(expr: Term | Fraction, values: Point, digits: int = 18) -> tuple[str, str]:
    """(value, radius) of an expression at a point, as decimal strings."""
    try:
        found = enclose(expr, values, digits=digits, cap_bits=CAP_BITS)
    except Undecided:
        inside = ball(expr, values, BALL_BITS)  # zero has no relative digits
        return str(inside.mid()), str(inside.rad())
    return found.value, found.radius


def _both(point: Point, sides: Sides) -> tuple[Witness, ...]:
    at = {name: str(item) for name, item in point.items()}
    return tuple(
        Witness({**at, "side": name}, *side) for name, side in zip(("left", "right"), sides, strict=True)
    )


def _shown(point: Point) -> str:
    return ", ".join(f"{name} = {item}" for name, item in point.items()) or "the one point"


def _grid(domain: Domain) -> str:
    """The grid in words: how many points, and the values of each parameter on it."""
    if len(domain.grid) == 1:
        return _shown(domain.grid[0])
    axes: dict[str, dict[str, None]] = {}
    for point in domain.grid:
        for name, item in point.items():
            axes.setdefault(name, {})[str(item)] = None
    return f"all {len(domain.grid)} points: " + "; ".join(
        f"{name} = {_listed(axis)}" for name, axis in axes.items()
    )


def _listed(items: Iterable[str]) -> str:
    found = list(items)
    return ", ".join(found if len(found) <= 12 else [*found[:6], "...", *found[-3:]])


def _certified(detail: str, points: tuple[Witness, ...]) -> Evidence:
    return Evidence("enclosed", Outcome.HOLDS, Strength.CERTIFIED, detail, points)


def _upheld(detail: str, domain: Domain) -> Evidence:
    """Certified where the points are the domain; a few points of it support the statement."""
    strength = Strength.CERTIFIED if domain.complete else Strength.SUPPORTED
    return Evidence("enclosed", Outcome.HOLDS, strength, detail)


def _undecided(detail: str) -> Evidence:
    return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, detail)


def _reason(error: BaseException) -> str:
    text = " ".join(str(error).split()) or "no reason given"
    return (text if isinstance(error, Undecided) else f"{type(error).__name__}: {text}")[:300]
