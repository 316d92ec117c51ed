"""Registered quantities: validation of what the user gives, and their certified values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol

from flint import fmpq

from asymp.budget import uncounted
from asymp.enclosure.algebra import subs
from asymp.enclosure.arithmetic import halved, to_ball
from asymp.enclosure.enclose import (
    CAP_BITS,
    Enclosure,
    as_enclosure,
    as_term,
    compiled,
    finish,
    plan_of,
    run,
    said_positive,
    sign_of,
)
from asymp.enclosure.numbers import InputError, Undecided, dyadic, read_number, to_fraction
from asymp.enclosure.plan import Plan
from asymp.kernel.terms import Refused, Term

MOST_DIGITS = 100_000
MOST_DOUBLINGS = 4_000


class Quantity(Protocol):
    """What is asked of a quantity, as :class:`asymp.claim.Quantity` says it: terms, texts or expressions, tests of parameters."""

    @property
    def id(self) -> str: ...
    @property
    def definition(self) -> Any: ...
    @property
    def parameters(self) -> Mapping[str, tuple[str, Callable[[Any], bool]]]: ...
    @property
    def alternatives(self) -> Mapping[str, Mapping[str, Any]]: ...
    @property
    def together(self) -> Callable[[Mapping[str, Any]], str | None] | None: ...
    @property
    def least(self) -> str: ...
    @property
    def first(self) -> int: ...

def prepare(what: Any) -> None:
    """Build the plans of a quantity or an expression now, so that the first evaluation is as fast as any other."""
    if hasattr(what, "definition"):
        for given in _choices(what):
            _plan(what, given, {})
    else:
        plan_of(what)


def _choices(quantity: Quantity) -> list[tuple[tuple[str, str], ...]]:
    """All ways to give the parameters: pairs (parameter, the alternative used for it)."""
    result: list[tuple[tuple[str, str], ...]] = [()]
    for name, others in quantity.alternatives.items():
        result = [(*pairs, *extra) for pairs in result for extra in [(), *(((name, o),) for o in others)]]
    return result


def _plan(quantity: Quantity, given: tuple[tuple[str, str], ...], values: Mapping[str, fmpq]) -> Plan:
    """The plan of the definition with the alternatives substituted, at some values."""
    alternatives = tuple((name, quantity.alternatives[name][other]) for name, other in given)
    return compiled(*_substituted(quantity.definition, alternatives), values)


@uncounted
@lru_cache(maxsize=512)
def _substituted(expr: Any, given: tuple[tuple[str, Any], ...]) -> tuple[Term, frozenset[str]]:
    term, positive = as_term(expr), said_positive(expr)
    for _, other in given:
        positive |= said_positive(other)
    try:
        return subs(term, {name: as_term(other) for name, other in given}), positive
    except Refused as error:
        raise Undecided(str(error)) from error


def enclose_quantity(
    quantity: Quantity, raw: Mapping[str, str], digits: int = 30, cap_bits: int = CAP_BITS
) -> Enclosure:
    """A certified value of a registered quantity.

    Args:
        quantity: the definition.
        raw: parameter name -> number as text (``"1e8"``, ``"1/3"``); an alternative may stand for a parameter.
        digits: relative digits, 1 to 100000.

    Raises:
        InputError: one line that names the parameter.
        Undecided: not certified at the precision cap.
    """
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MOST_DIGITS:
        raise InputError(f"digits={digits}: must be an integer from 1 to {MOST_DIGITS}")
    values, given = read_parameters(quantity, raw)
    if quantity.least:

        def below(k: int) -> bool:
            at = {**values, quantity.least: fmpq(k)}
            return sign_of(_plan(quantity, given, at), at, cap_bits) < 0

        found = least_whole(below, quantity.first)
        return as_enclosure(fmpq(found), max(digits, len(str(found))), 64)
    return finish(_plan(quantity, given, values), values, digits, max(cap_bits, int(digits * 3.33) + 4096))


def least_whole(holds: Callable[[int], bool], first: int) -> int:
    """The least whole k >= first for which ``holds``, if it holds from some k on and not before; by doubling and halving.

    ``holds`` is asked at what is returned, and at the number before it unless that is below ``first``.

    Raises:
        Undecided: it does not hold within 2^4000 of first.

    >>> least_whole(lambda k: k * k > 200, 1), least_whole(lambda k: True, 7)
    (15, 7)
    """
    if holds(first):
        return first
    low, step = first, 1
    while not holds(low + step):
        low, step = low + step, 2 * step
        if step.bit_length() > MOST_DOUBLINGS:
            raise Undecided("the least whole number was not found")
    return 1 + halved(low, low + step, lambda k: not holds(k))


def read_parameters(quantity: Quantity, raw: Mapping[str, str]) -> tuple[dict[str, fmpq], tuple[tuple[str, str], ...]]:
    """The exact values of what was given, and which alternatives were used; all predicates checked."""
    allowed = set(quantity.parameters)
    for others in quantity.alternatives.values():
        allowed.update(others)
    values: dict[str, fmpq] = {}
    for name, text in raw.items():
        if name not in allowed:
            raise InputError(f"{name}: unknown parameter of {quantity.id} (it has {', '.join(sorted(allowed))})")
        values[name] = read_number(str(text), name)
    given: list[tuple[str, str]] = []
    for name in quantity.parameters:
        others = [other for other in quantity.alternatives.get(name, {}) if other in values]
        found = ([name] if name in values else []) + others
        if len(found) > 1:
            raise InputError(f"{found[0]} and {found[1]}: give only one of them")
        if not found and not _is_alternative(quantity, name):
            choice = [name, *quantity.alternatives.get(name, {})]
            raise InputError(f"{name}: missing (give {' or '.join(f'{one}=...' for one in choice)})")
        if found and found[0] != name:
            given.append((name, found[0]))
    for name, (text, test) in quantity.parameters.items():
        if name in values:
            _check(name, raw[name], text, test, [values[name]])
    for name, other in given:
        text, test = quantity.parameters[name]
        shown = f"{raw[other]} makes {name}"
        _check(other, shown, text, test, _bounds(quantity.alternatives[name][other], values, other))
    if quantity.together is not None:
        out = quantity.together({name: to_fraction(value) for name, value in values.items()})
        if out is not None:
            others = ", ".join(f"{name}={_clipped(str(text))}" for name, text in raw.items() if name != out)
            raise InputError(f"{out}={_clipped(str(raw[out]))}: must be {quantity.parameters[out][0]} (with {others})")
    return values, tuple(given)


def _is_alternative(quantity: Quantity, name: str) -> bool:
    return any(name in others for others in quantity.alternatives.values())


def _bounds(expr: Any, values: Mapping[str, fmpq], name: str) -> list[fmpq]:
    """The exact value, or a lower and an upper bound."""
    value = run(plan_of(expr), values, 128)
    if isinstance(value, fmpq):
        return [value]
    inside = to_ball(value)
    if not inside.is_finite():
        raise InputError(f"{name}: {expr} is not a finite real number there")
    try:
        return [dyadic(inside.lower()), dyadic(inside.upper())]
    except Undecided as error:
        raise InputError(f"{name}: {expr} is {error}") from error


def _check(name: str, shown: str, text: str, test: Any, points: list[fmpq]) -> None:
    for point in points:
        exact = to_fraction(point)
        try:
            good = bool(test(int(exact) if exact.denominator == 1 else exact))
        except (TypeError, ValueError, ArithmeticError):
            good = False
        if not good:
            raise InputError(f"{name}={_clipped(shown)}: must be {text}")


def _clipped(shown: str) -> str:
    return shown if len(shown) <= 60 else shown[:57] + "..."
