"""Certified numbers: the value of an expression as a ball.

>>> str(enclose("harmonic(n)", {"n": "1e1000"}, digits=20))
'2303.1623086589472169 +/- 2.2e-17'
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from asymp.budget import Budget, uncounted
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebra import minus, simple, subs, summands, whole
from asymp.enclosure.arithmetic import Number, to_ball
from asymp.enclosure.ends import faults
from asymp.enclosure.numbers import (
    InputError,
    Undecided,
    contains_exactly,
    decimal_ball,
    read_number,
    terminating,
    to_fmpq,
    to_fraction,
)
from asymp.enclosure.plan import Plan, compile_term, need
from asymp.kernel.terms import Refused, Term, add, negative, number, read, walk
from asymp.language.numbers import ParseError

CAP_BITS = 200_000
"""Working precision beyond which the answer is: undecided."""

SHORT = 1 << 10
"""Bits of a number that is put in for its name."""

Values = Mapping[Any, Any] | None


@dataclass(frozen=True)
class Enclosure:
    """A certified number: it lies within ``radius`` of ``value``.

    ``digits`` relative digits were asked for; ``bits`` is the working precision that gave them.

    >>> one = enclose("pi", digits=5)
    >>> one.value, Fraction(22, 7) in one
    ('3.1416', False)
    """

    value: str
    radius: str
    digits: int
    bits: int
    ball: arb = field(repr=False, compare=False)
    exact: fmpq | None = field(default=None, repr=False, compare=False)

    def __contains__(self, number: Fraction | int | str) -> bool:
        """Whether the exact number lies in the ball."""
        exact = read_number(number) if isinstance(number, str) else to_fmpq(number)
        return exact == self.exact if self.exact is not None else contains_exactly(self.ball, exact)

    def __str__(self) -> str:
        return self.value if self.radius == "0" else f"{self.value} +/- {self.radius}"


def as_term(what: Any) -> Term:
    """What is asked for, as a term: a term, a text of the language, a number, or SymPy's expression, by the one adapter there is.

    Raises:
        InputError: it is none.
        Undecided: a part of it has no value.

    >>> str(as_term("sqrt(2) + 1")), str(as_term(3))
    ('1 + 2^(1/2)', '3')
    >>> as_term(0.5)
    Traceback (most recent call last):
    ...
    asymp.enclosure.numbers.InputError: a float is not an expression
    """
    if isinstance(what, Term):
        return what
    try:
        if isinstance(what, str):
            return read(what)
        if isinstance(what, (int, Fraction)) and not isinstance(what, bool):
            return number(what)
        if "sympy" in sys.modules:
            from asymp import cas

            return cas.term_of(what)
    except ParseError as error:
        raise InputError(str(error)) from None
    except Refused as error:
        raise Undecided(str(error)) from None
    except TypeError:
        pass
    raise InputError(f"a {type(what).__name__} is not an expression")


def said_positive(what: Any) -> frozenset[str]:
    """The names that an expression of SymPy's says to be positive; of a term nothing is said."""
    if isinstance(what, (Term, str, int, Fraction)):
        return frozenset()
    from asymp import cas

    return cas.positive_names(what)


def binding(values: Values) -> dict[str, Any]:
    """name -> exact rational, plan of a constant expression, or ball."""
    result: dict[str, Any] = {}
    for key, value in (values or {}).items():
        name = key if isinstance(key, str) else getattr(key, "name", str(key))
        if name in result:
            raise InputError(f"{name} is given twice")
        result[name] = _bound(name, value)
    return result


def _bound(name: str, value: Any) -> Any:
    if isinstance(value, Enclosure):
        return value.exact if value.exact is not None else value.ball
    if isinstance(value, str):
        return read_number(value, name)
    if isinstance(value, bool) or isinstance(value, (float, complex)):
        raise InputError(f"{name}={value}: give an int, a Fraction or a decimal string, so that it is exact")
    if isinstance(value, (int, Fraction, fmpq)):
        return to_fmpq(value)
    if isinstance(value, arb):
        return value
    try:
        term = as_term(value)
    except InputError:
        raise InputError(f"{name}: a {type(value).__name__} is not a number") from None
    if term.free:
        raise InputError(f"{name}={value}: not a constant")
    return to_fmpq(term.number) if term.is_number else compile_term(term)


def plan_of(expr: Any, bound: Mapping[str, Any] | None = None) -> Plan:
    """The plan of a term, a text of the language, a number or an expression of SymPy's, at values of such signs."""
    return compiled(as_term(expr), said_positive(expr), bound or {})


def compiled(term: Term, said: frozenset[str], bound: Mapping[str, Any]) -> Plan:
    """The plan of a term at values of its names, of which some are ``said`` to be positive."""
    short = {v: number(to_fraction(x)) for v, x in bound.items() if isinstance(x, fmpq) and x.height_bits() <= SHORT}
    try:
        settled = _settled(term, tuple(sorted(short.items())))
    except Refused as error:
        raise Undecided(str(error)) from error
    return compile_term(settled, _positive(said, bound) & settled.free)


@uncounted
@lru_cache(maxsize=4096)
def _settled(term: Term, values: tuple[tuple[str, Term], ...]) -> Term:
    """The term with numbers for its names where, under an integral, a sum ends at one of them or is raised to one.

    Such sums are written out, and of their powers L' loses nothing where it nearly vanishes.
    """
    put, moved = dict(values), False
    for part in (part for total in walk(term) if total.head == "Integral" for part in walk(total.parts[0])):
        ends = part.parts[1:] if part.head == "Sum" or (part.head == "power" and part.parts[0].head in ("sum", "Sum")) else ()
        moved = moved or bool(part.indices and any(end.free for end in ends))
        if part.head == "Sum" and any(v in put and whole(put[v]) is None for end in ends for v in end.free):
            return term  # its end is no whole number, which is said of it by its name
    return subs(term, put) if moved else term


def _positive(said: frozenset[str], bound: Mapping[str, Any]) -> frozenset[str]:
    """The names that are positive by their values, and those that are said to be and have no value yet."""
    known = {name: bool(value > 0) for name, value in bound.items() if isinstance(value, (fmpq, arb))}
    return frozenset(name for name in said | known.keys() if known.get(name, True))


def run(plan: Plan, bound: Mapping[str, Any], bits: int, exact_only: bool = False) -> Number:
    """One evaluation at a fixed precision: an exact rational or a ball."""
    need(plan.names, bound)
    height = 1 << 24 if exact_only else 4 * bits + 3 * height_of(bound) + 256
    with ctx.workprec(bits), ar.keep_exact_up_to(height, exact_only), faults() as found:
        # the numbers at the current precision
        value = plan.run({name: given.run({}) if isinstance(given, Plan) else given for name, given in bound.items()})
    if found and isinstance(value, arb) and not value.is_finite():
        raise Undecided(found[0])
    return value


def height_of(bound: Mapping[str, Any]) -> int:
    """Bits of the largest or smallest input: differences with them need as many."""
    return max((value.height_bits() for value in bound.values() if isinstance(value, fmpq)), default=0)


def ball(expr: Any, values: Values, bits: int) -> arb:
    """One evaluation at a fixed working precision; the ball contains the value, if it is real.

    >>> ball("sqrt(2)", {}, 64).str(8)
    '[1.4142136 +/- 3.77e-8]'
    """
    bound = binding(values)
    value = run(plan_of(expr, bound), bound, bits)
    with ctx.workprec(bits):
        return to_ball(value)


STALL_BITS = 16_384
"""Below this a radius that does not shrink is no reason to give up."""


def certified(
    plan: Plan, bound: Mapping[str, Any], digits: int, cap_bits: int, steps: int | None = None
) -> tuple[Number, int]:
    """The value to ``digits`` relative digits, and the precision that gave it."""
    purse = None if steps is None else Budget(steps)
    goal = int(digits * 3.3219281) + 5
    bits, value = min(cap_bits, goal + 60), ar.NAN
    widths: list[int] = []
    best = 0
    while True:
        value = run(plan, bound, bits)
        if isinstance(value, fmpq):
            return value, bits
        gained = value.rel_accuracy_bits() if value.is_finite() else -bits
        if gained >= goal:
            return value, bits
        if bits >= cap_bits:
            raise Undecided(_reason(value, digits, bits))
        if purse is not None and gained <= best and purse.exhausted():
            fewer = int(best * 0.30103) - 1
            hint = f" (--digits {fewer} may be had)" if fewer > 0 else ""
            raise Undecided(f"{_reason(value, digits, bits)}, and more precision is too much work{hint}")
        best = max(best, gained)
        widths.append(ar.bits_of(value.rad()) if value.is_finite() else 1 << 60)
        patience = max(STALL_BITS, 8 * height_of(bound))
        if len(widths) > 3 and widths[-1] > widths[-4] - 8 and bits > patience:
            # cancellation leaves a radius that shrinks once the precision exceeds the spread of the
            # inputs (1 - 10^-2000 needs 6644 bits) and of exponentially small terms; this one does not
            raise Undecided(_reason(value, digits, bits) + ", and more precision does not help")
        # what was lost to cancellation is lost again: add it; where nothing is left, double
        step = bits + (goal - gained) + 24 if gained > 8 else 2 * bits
        bits = min(cap_bits, max(step, bits + bits // 8))


def _reason(value: arb, digits: int, bits: int) -> str:
    if not value.is_finite():
        return f"no ball contains it at {bits} bits: it is too large, has no value, or there is no method for it"
    if value.contains(0):
        return f"cannot be told from zero at {bits} bits"
    return f"fewer than {digits} digits certified at {bits} bits"


def enclose(
    expr: Any, values: Values = None, digits: int = 30, cap_bits: int = CAP_BITS, steps: int | None = None
) -> Enclosure:
    """The value of an expression to ``digits`` certified relative digits.

    Args:
        expr: a term, a text of the language, a number, or an expression of SymPy's.
        values: name (or Symbol) -> int, Fraction, decimal string, constant expression or Enclosure.
        digits: relative digits that the ball must certify.
        cap_bits: working precision at which to give up.
        steps: the work (:mod:`asymp.budget`) after which to give up where more precision has not helped; None: no limit.

    Raises:
        Undecided: not reached at the cap, not a real number, or no certified method.
        InputError: a value is missing or cannot be read.

    >>> str(enclose("Sum(2^(-i)/i, (i, 1, oo))", digits=15))
    '0.693147180559945 +/- 3.1e-16'
    """
    bound = binding(values)
    return finish(plan_of(expr, bound), bound, digits, cap_bits, steps)


def finish(
    plan: Plan, bound: Mapping[str, Any], digits: int, cap_bits: int = CAP_BITS, steps: int | None = None
) -> Enclosure:
    """The enclosure of a plan."""
    value, bits = certified(plan, bound, digits, max(cap_bits, 64), steps)
    return as_enclosure(value, digits, bits)


def as_enclosure(value: Number, digits: int, bits: int) -> Enclosure:
    """A number as an enclosure, with its decimals."""
    exact = value if isinstance(value, fmpq) else None
    with ctx.workprec(max(bits, int(digits * 3.33) + 64)):
        inside = to_ball(value)
        if exact is not None and exact.q == 1 and exact.height_bits() < 3.3 * digits:
            return Enclosure(str(exact.p), "0", digits, bits, inside, exact)
        if exact is not None and exact.height_bits() < 3.3 * digits and fmpz(10) ** digits % exact.q == 0:
            return Enclosure(terminating(exact), "0", digits, bits, inside, exact)
        text, radius = decimal_ball(inside, digits)
    return Enclosure(text, radius, digits, bits, inside, exact)


def exact(expr: Any, values: Values = None) -> Fraction:
    """The exact rational value of an expression in rationals, + , * , integer powers, finite sums, harmonic.

    Raises:
        Undecided: the value is not found to be rational.

    >>> exact("harmonic(5)")
    Fraction(137, 60)
    """
    bound = binding(values)
    value = run(plan_of(expr, bound), bound, 64, exact_only=True)
    if not isinstance(value, fmpq):
        raise Undecided("not found to be a rational number")
    return to_fraction(value)


def sign(expr: Any, values: Values = None, cap_bits: int = CAP_BITS) -> int:
    """-1, 0 or 1; 0 only where the value is provably zero.

    >>> sign("exp(pi*sqrt(163)) - 640320^3 - 744")
    -1
    """
    bound = binding(values)
    return sign_of(plan_of(expr, bound), bound, cap_bits)


def sign_of(plan: Plan, bound: Mapping[str, Any], cap_bits: int = CAP_BITS) -> int:
    """The same of a plan."""
    bits = 128
    while True:
        value = run(plan, bound, bits)
        if value > 0:
            return 1
        if value < 0:
            return -1
        if isinstance(value, fmpq):
            return 0
        if bits >= cap_bits:
            raise Undecided(_reason(value, 1, bits).replace("fewer than 1 digits certified", "sign unknown"))
        bits = min(2 * bits, cap_bits)


@uncounted
@lru_cache(maxsize=1024)
def _difference(left: Term, right: Term) -> tuple[Term, bool]:
    """left - right, and whether parts cancel; kept, for sides that are compared at many points."""
    difference, written = minus(simple(left), simple(right)), add(left, negative(right))
    return difference, len(summands(difference)) < len(summands(written))


def compare(lhs: Any, op: str, rhs: Any, values: Values = None, cap_bits: int = CAP_BITS) -> bool:
    """Whether ``lhs op rhs`` holds, for op in <, <=, >, >=, ==, !=.

    Overlapping balls decide nothing: the sign of the difference is asked for.

    >>> compare("pi", "<", Fraction(22, 7))
    True
    """
    if op not in ar.RELATIONS:
        raise InputError(f"{op!r} is not a comparison (use <, <=, >, >=, ==, !=)")
    bound = binding(values)
    left, right = (as_term(side) for side in (lhs, rhs))
    try:
        difference, cancels = _difference(left, right)
    except Refused as error:
        raise Undecided(str(error)) from error
    if cancels:  # what does has a value too
        for side in (left, right):
            if not any(to_ball(run(plan_of(side, bound), bound, bits)).is_finite() for bits in (128, 2_048)):
                raise Undecided(f"{side} is not seen to be a finite real number")
    plan = compiled(difference, said_positive(lhs) | said_positive(rhs), bound)
    return ar.RELATIONS[op](sign_of(plan, bound, cap_bits), 0)
