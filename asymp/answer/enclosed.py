"""Certified values of expressions that are typed in, and of registered quantities.

>>> str(enclose("Sum(1/k^2, (k, 1, n))", n="1e1000", digits=20))
'1.6449340668482264365 +/- 2.8e-20'
>>> enclose("log(x)", x=0)
Traceback (most recent call last):
...
asymp.enclosure.numbers.Undecided: no meaning: log(x) is not defined at x = 0: x > 0 is needed
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from asymp import budget, registry
from asymp.check.meant import prove
from asymp.claim import Quantity
from asymp.enclosure import Enclosure, InputError, Undecided, enclose_quantity
from asymp.enclosure import enclose as enclose_expr
from asymp.enclosure.numbers import read_number, to_fraction
from asymp.kernel.facts.ranges import Evaluator
from asymp.kernel.terms import Refused, Term, call, multiply, rebuilt, reciprocal
from asymp.language.everyday import text_in_terms
from asymp.language.functions import CONSTANTS
from asymp.language.hints import NO_NUMBERS, likely
from asymp.language.known import known
from asymp.language.names import BINDERS, free_names, ranges
from asymp.language.numbers import ParseError
from asymp.language.parts import Part, parts_of
from asymp.language.syntax import Node, Parser, walk
from asymp.meaning import Kind, Meaningless
from asymp.meaning.here import defined
from asymp.messages import near, one_line
from asymp.parse.at import term_of

if TYPE_CHECKING:
    import sympy as sp

MOST_DIGITS = 100_000
CAP_BITS = 200_000
BRIEF = 5
"""Digits to which a part is enclosed, to see whether it has a value."""
BRIEF_BITS = 1_024
_TOTALS = ("Sum", "Product", "Integral")


def enclose(
    what: str | sp.Expr, values: Mapping[Any, Any] | None = None, digits: int = 30, cap_bits: int = CAP_BITS, **named: Any
) -> Enclosure:
    """A certified value: a ball that holds the true one.

    Args:
        what: an expression in asymp's language, a registered quantity (``"lfms/throughput"``), or a SymPy expression.
        values: name -> exact number: an int, a Fraction or a text such as ``"1e1000"``, ``"1/3"``, ``"1 - 1e-12"``.
        digits: relative digits to be certified, 1 to 100000.
        cap_bits: working precision at which to give up.
        named: values too.

    Raises:
        ParseError: a text that cannot be read.
        InputError: a value is missing, is of a name that does not occur, or cannot be read.
        Undecided: a part has no value there, or none can be certified.

    >>> str(enclose("n^(1/n)", n=10, digits=10))
    '1.258925412 +/- 2.1e-10'
    """
    given = {**dict(values or {}), **named}
    if not isinstance(what, str):
        return enclose_expr(what, given, digits, cap_bits)
    if (quantity := quantity_of(what, given)) is not None:
        return enclose_quantity(quantity, {str(name): str(value) for name, value in given.items()}, digits, cap_bits)
    return enclose_text(what, given, digits, cap_bits)


def quantity_of(what: str, given: Mapping[Any, Any]) -> Quantity | None:
    """The registered quantity of that name; None where it is an expression.

    A name, also one of the form ``a/b`` or ``a-b``, is an expression where its letters have values, or are those of a
    constant, and where it is not like the name of any quantity.

    Raises:
        RegistryError: it looks like the name of a quantity, and there is none.
    """
    text = what.strip()
    key, slash, _ = text.partition("/")
    if not re.fullmatch(r"[A-Za-z][\w.-]*(/[A-Za-z][\w.+-]*)?", text, re.ASCII):
        return None
    if slash and key in registry.papers():
        return registry.find_quantity(text)
    names = {str(name) for name in given} | set(CONSTANTS)
    try:
        if free_names(Parser(text).whole()) <= names:
            return None
    except ParseError:
        if not slash:
            return None
    known = [item.id for one in registry.papers().values() for item in one.quantities()]
    return registry.find_quantity(text) if near(text, known) or slash else None


def enclose_text(text: str, given: Mapping[Any, Any], digits: int = 30, cap_bits: int = CAP_BITS) -> Enclosure:
    """A certified value of an expression of the language; see :func:`enclose`."""
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MOST_DIGITS:
        raise InputError(f"digits={digits}: must be an integer from 1 to {MOST_DIGITS}")
    text = text_in_terms(text, [str(name) for name in given], [str(name) for name, x in given.items() if str(x).isdigit()])
    node = _nested(Parser(text).whole())
    values = _values(node, given)
    known(node, text, values)
    parts = tuple(parts_of(node))
    cap = max(cap_bits, int(digits * 3.33) + 4096)

    def has_value(part: Part) -> bool:
        total = term_of(_nested(Parser(part.text).whole()))
        try:
            enclose_expr(total, _of(total, values), BRIEF, BRIEF_BITS, budget.ORDERS)
        except (Undecided, InputError):
            return False
        return True

    try:
        defined(parts, values, prove, has_value)
    except Meaningless as error:
        raise Undecided(error.why if error.kind is Kind.UNKNOWN else f"no meaning: {error}") from error
    try:
        term = _at_zero(term_of(node))
        return enclose_expr(term, _of(term, values), digits, cap, budget.ORDERS)
    except (Undecided, Refused) as error:
        raise Undecided(_where(error, parts, has_value)) from error


def _of(term: Term, values: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {name: value for name, value in values.items() if name in term.free}


def _where(error: Exception, parts: Iterable[Part], has_value: Callable[[Part], bool]) -> str:
    """Why there is no certified value, with the sum or integral that has none."""
    why = one_line(error)
    for part in parts:
        if part.head in _TOTALS and not part.binders and part.total is not None:
            if not has_value(part):
                return f"no method encloses {part.text} there: {why}"
    return why


def _at_zero(term: Term) -> Term:
    """With gamma(a) for uppergamma(a, 0) (DLMF 8.2.2), and 1 for gamma(a)/gamma(a), which has no zero.

    1 - uppergamma(a, 0)/gamma(a) is 0, which balls cannot tell.
    """
    term = rebuilt(term, tuple(map(_at_zero, term.parts))) if term.parts else term
    if term.head == "product":
        twice = {part for part in term.parts if part.head == "gamma" and reciprocal(part) in term.parts}
        gone = twice | {*map(reciprocal, twice)}
        return multiply(*(part for part in term.parts if part not in gone))
    if term.head != "uppergamma" or term.parts[1].free:
        return term
    with contextlib.suppress(Refused):
        there = Evaluator(64).range(term.parts[1], {})
        if there.low == there.high == 0:
            return call("gamma", term.parts[0])
    return term


def _values(node: Node, given: Mapping[Any, Any]) -> dict[str, Fraction]:
    """The exact values of the free names.

    Raises:
        InputError: one is missing, one too many, or no exact number.
    """
    free = set(free_names(node)) - set(CONSTANTS)
    bound = _bound(node)
    names = {_spelt(str(key)): value for key, value in given.items()}
    if len(names) < len(given):
        raise InputError("a name is given twice")
    for name in names:
        if name in CONSTANTS:
            raise InputError(f"{name}: a constant has its value")
        if name not in free:
            why = "it is bound in the expression" if name in bound else f"the expression holds {_listed(free)}"
            raise InputError(f"{name}: nothing to give a value to ({why})")
    missing = sorted(free - set(names))
    if missing and missing[0] in NO_NUMBERS:
        raise InputError(NO_NUMBERS[missing[0]])
    if missing:
        meant = f"write {near}, or " if (near := likely(missing[0])) else ""
        raise InputError(f"{missing[0]}: missing ({meant}give {missing[0]}=...)")
    if twice := sorted(free & bound):
        raise InputError(f"{twice[0]}: bound in a part of the expression and free in another: give one of them another name")
    return {name: _number(name, value) for name, value in names.items()}


def _number(name: str, value: Any) -> Fraction:
    if isinstance(value, str):
        return to_fraction(read_number(value, name))
    if getattr(value, "is_Rational", False):  # SymPy's
        return Fraction(int(value.p), int(value.q))
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise InputError(f"{name}={value}: give an int, a Fraction or a text such as \"0.1\", so that it is exact")
    return Fraction(value)


def _spelt(name: str) -> str:
    """A name as the language has it, Greek letters by their names."""
    found = Parser(name).whole()
    if found.kind != "name":
        raise InputError(f"{name[:40]!r} is no name")
    return found.text


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "no names"


def _bound(node: Node) -> set[str]:
    """The variables of ranges."""
    binders = (part for part in walk(node) if part.kind == "call" and part.text in BINDERS)
    return {name for part in binders for name, *_ in ranges(part)}


def _nested(node: Node) -> Node:
    """The same with one range a total: the last range is the outermost."""
    if not node.parts:
        return node
    parts = tuple(_nested(part) for part in node.parts)
    if node.kind == "call" and node.text in _TOTALS and len(parts) > 2:
        inner = parts[0]
        for limit in parts[1:]:
            inner = replace(node, parts=(inner, limit))
        return inner
    return replace(node, parts=parts)
