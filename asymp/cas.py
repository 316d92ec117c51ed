"""SymPy's expressions as terms and as text: structure for structure, with nothing computed.

>>> k, n = sp.symbols("k n", positive=True)
>>> str(term_of(sp.Sum(sp.sqrt(k) / n, (k, 1, n)) - sp.log(n)))
'Sum(b0^(1/2)*n^(-1), (b0, 1, n)) - log(n)'
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import sympy as sp
from gmpy2 import mpq
from sympy.core.function import AppliedUndef
from sympy.printing.str import StrPrinter

from asymp.budget import uncounted
from asymp.functions.symbolic import row_of
from asymp.kernel import terms
from asymp.kernel.terms import Refused, Term
from asymp.language.numbers import ParseError
from asymp.language.tokens import spelt
from asymp.language.words import CONSTANTS, OWN

_CONSTANTS: dict[Any, Term] = {
    sp.pi: terms.name("pi"),
    sp.E: terms.name("E"),
    sp.EulerGamma: terms.name("EulerGamma"),
    sp.oo: terms.name("oo"),
    sp.S.NegativeInfinity: terms.negative(terms.name("oo")),
    sp.nan: Term("nan"),
    sp.zoo: Term("nan"),
    sp.GoldenRatio: terms.read("(1 + sqrt(5))/2"),
    sp.Catalan: terms.add(*(
        terms.multiply(terms.number(mpq(side, 16)), Term("zeta", (terms.number(2), terms.number(mpq(k, 4)))))
        for k, side in ((1, 1), (3, -1))
    )),
}  # fmt: skip
"""Catalan's constant is (zeta(2, 1/4) - zeta(2, 3/4))/16: DLMF 25.11.40."""
_OTHERS: dict[Any, str] = {sp.atan2: "atan2"}
"""Functions that are no rows of the table, and have balls."""
_BINDERS = (sp.Sum, sp.Integral, sp.Product)


def term_of(expr: Any) -> Term:
    """The term of an expression.  What has no counterpart is a function by SymPy's name for it, of which nothing is known.

    Raises:
        Refused: a variable has the name of a constant, or a quotient divides by 0.
        TypeError: it is no expression.
    """
    if not isinstance(expr, sp.Expr):
        raise TypeError(f"a {type(expr).__name__} is not an expression")
    return _term(expr, ())


@uncounted
@lru_cache(maxsize=20_000)
def positive_names(expr: sp.Expr) -> frozenset[str]:
    """The names of the symbols that are said to be positive.

    >>> positive_names(sp.Symbol("x", positive=True) + sp.Symbol("y"))
    frozenset({'x'})
    """
    return frozenset(symbol.name for symbol in expr.free_symbols if symbol.is_positive)


@uncounted
@lru_cache(maxsize=20_000)
def _term(expr: sp.Basic, bound: tuple[sp.Symbol, ...]) -> Term:
    if bound and not (expr.free_symbols & set(bound)):
        return _term(expr, ())
    if isinstance(expr, sp.Symbol):
        if expr in bound:
            return Term("bound", number=mpq(bound.index(expr)))
        if expr.name in CONSTANTS:
            raise Refused(f"a variable called {expr.name}")
        return terms.name(expr.name)
    if isinstance(expr, sp.Rational | sp.Float):
        expr = sp.Rational(expr)
        return terms.number(mpq(int(expr.p), int(expr.q)))
    if expr in _CONSTANTS:
        return _CONSTANTS[expr]
    if isinstance(expr, _BINDERS):
        return _binder(expr, bound)
    if isinstance(expr, sp.Piecewise):
        return Term("cases", tuple(_case(value, condition, bound) for value, condition in expr.args))
    if isinstance(expr, sp.polys.rootoftools.ComplexRootOf):
        coefficients = [int(c) for c in reversed(expr.poly.all_coeffs())]
        return Term("root_of", tuple(map(terms.number, map(mpq, coefficients))), mpq(expr.index))
    if isinstance(expr, sp.hyper):
        above, below = ([_term(one, bound) for one in several] for several in (expr.ap, expr.bq))
        return Term("hyper", (*above, *below, _term(expr.argument, bound)), mpq(len(above)))
    if isinstance(expr, sp.Derivative | sp.Subs) or not all(isinstance(arg, sp.Expr) for arg in expr.args):
        return Term(type(expr).__name__, tuple(terms.name(symbol.name) for symbol in sorted(expr.free_symbols, key=str)))
    parts = tuple(_term(arg, bound) for arg in expr.args)
    if expr.is_Add:
        return terms.add(*parts)
    if expr.is_Mul:
        return terms.multiply(*parts)
    if expr.is_Pow:
        return terms.power(*parts)
    if isinstance(expr, sp.polygamma) and expr.args[0] == 0:
        return Term("digamma", parts[1:])
    row = row_of(expr.func)
    return Term(row.row.name if row is not None else _OTHERS.get(expr.func, expr.func.__name__), parts)


def _binder(expr: Any, bound: tuple[sp.Symbol, ...]) -> Term:
    """Ranges stand innermost first; an outer variable may stand in an inner range."""
    head, limits = type(expr).__name__, expr.limits
    if any(len(limit) != 3 for limit in limits):
        return Term(f"indefinite {head}", tuple(terms.name(symbol.name) for symbol in sorted(expr.free_symbols, key=str)))
    names = tuple(limit[0] for limit in limits)
    found = _term(expr.function, names + bound)
    for place, (_, low, high) in enumerate(limits):
        outer = names[place + 1 :] + bound
        found = Term(head, (found, _term(low, outer), _term(high, outer)))
    return found


def _case(value: sp.Expr, condition: Any, bound: tuple[sp.Symbol, ...]) -> Term:
    """A value, and where it is that: a sign after the difference of two sides, or always."""
    if condition is sp.true:
        return Term("case", (_term(value, bound),), name="true")
    if not isinstance(condition, sp.Rel):
        return Term("case", (_term(value, bound),), name=str(condition))
    gap = terms.add(_term(condition.lhs, bound), terms.negative(_term(condition.rhs, bound)))
    return Term("case", (_term(value, bound), gap), name=condition.rel_op)


# --- to text ---------------------------------------------------------------------------------------


class _Printer(StrPrinter):
    """SymPy's own text, but for powers, sums and integrals."""

    def _ranged(self, name: str, expr: Any) -> str:
        limits = [f"({', '.join(map(self._print, limit))})" for limit in expr.limits]
        return f"{name}({', '.join([self._print(expr.function), *limits])})"

    def _print_Sum(self, expr: sp.Sum) -> str:
        return self._ranged("Sum", expr)

    def _print_Product(self, expr: sp.Product) -> str:
        return self._ranged("Product", expr)

    def _print_Integral(self, expr: sp.Integral) -> str:
        return self._ranged("Integral", expr)

    def _print_Exp1(self, _: Any) -> str:
        return "E"


MOST_DEGREE, MOST_SUMMED = 50, 200


def quotient(term: Term, x: str) -> Term:
    """A term in one variable, with rational numbers, as a quotient of polynomials without a common factor.

    >>> str(quotient(terms.read("x/(1 + 1/x) + floor(5/2)*(x - 1)"), "x"))
    '(x + 1)^(-1)*(-2 + 3*x^2)'

    Raises:
        Refused: it is none.
    """
    field, one = sp.polys.fields.field(x, sp.QQ)

    def number(found: Any) -> sp.Rational:
        if found.numer.degree() > 0 or found.denom.degree() > 0:
            raise Refused("no number")
        return sp.Rational(str(found.as_expr()))

    def of(part: Term) -> Any:
        match part.head:
            case "number":
                return field(sp.QQ(int(part.number.numerator), int(part.number.denominator)))
            case "name" if part.name == x:
                return one
            case "sum":
                return sum(map(of, part.parts), field(0))
            case "product":
                return math.prod(map(of, part.parts), start=field(1))
            case "power":
                base, k = of(part.parts[0]), number(of(part.parts[1]))
                if k.is_integer and (base or k > 0) and abs(k) <= MOST_DEGREE:
                    return base ** int(k)
            case "Sum" | "Product":
                low, high = (number(of(end)) for end in part.parts[1:])
                if low.is_integer and high.is_integer and high - low < MOST_SUMMED:
                    found = [of(terms.opened(part.parts[0], terms.number(k))) for k in range(int(low), int(high) + 1)]
                    return sum(found, field(0)) if part.head == "Sum" else math.prod(found, start=field(1))
            case "floor" | "ceiling":
                return field(sp.QQ(int(getattr(sp, part.head)(number(of(part.parts[0]))))))
        raise Refused("no quotient of polynomials")

    found = of(term)
    return terms.multiply(term_of(found.numer.as_expr()), terms.reciprocal(term_of(found.denom.as_expr())))


def text(expr: sp.Basic) -> str:
    """An expression as text of the language: what a statement is written with from Python.

    >>> n, p = sp.symbols("n p", positive=True)
    >>> text(sp.Sum((1 - p)**n / n, (n, 1, sp.oo)) + sp.harmonic(p))
    'harmonic(p) + Sum((1 - p)^n/n, (n, 1, oo))'
    """
    return str(_Printer().doprint(expr)).replace("**", "^")


# --- relations as statements -----------------------------------------------------------------------


class Said(NamedTuple):
    """A relation as a statement of the language: what :func:`asymp.claim` takes."""

    text: str
    to: str | None
    assume: tuple[str, ...]


_SIGNS = {sp.Equality: "=", sp.StrictLessThan: "<", sp.LessThan: "<=", sp.StrictGreaterThan: ">", sp.GreaterThan: ">="}
_SIDES = {"+": "+", "-": "-", "+-": ""}
_KINDS = (("integer", "whole {}"), ("real", "real {}"))
_RANGES = (("positive", "{} > 0"), ("negative", "{} < 0"), ("nonnegative", "{} >= 0"), ("nonpositive", "{} <= 0"))


def statement_of(relation: Any) -> Said:
    """A relation of SymPy as text, with what its symbols are said to be; a limit and O say what tends.

    >>> n = sp.Symbol("n", integer=True, positive=True)
    >>> statement_of(sp.Lt(sp.log(n), n))
    Said(text='log(n) < n', to=None, assume=('whole n', 'n > 0'))
    >>> statement_of(sp.Eq(sp.harmonic(n), sp.log(n) + sp.EulerGamma + sp.O(1/n, (n, sp.oo))))[:2]
    ('harmonic(n) = log(n) + EulerGamma + O(1/n)', 'n -> oo')
    >>> statement_of(sp.Eq(sp.Limit(sp.log(n)/n, n, sp.oo), 0))[:2]
    ('log(n)/n -> 0', 'n -> oo')

    Raises:
        ParseError: it has no counterpart, or is none any more.
        TypeError: it is no relation.
    """
    if relation is sp.true or relation is sp.false or isinstance(relation, bool):
        raise ParseError(f"SymPy has made {relation} of the relation: write it as text, or with evaluate=False")
    if not isinstance(relation, sp.Rel):
        raise TypeError(f"a statement is text or a relation of SymPy such as sp.Eq(f, g), not a {type(relation).__name__}")
    sign = _SIGNS.get(type(relation))
    if sign is None:
        raise ParseError(f"{type(relation).__name__} is not read: write it with <, <=, > or >=")
    left, right = relation.args
    found: tuple[str, str | None]
    if right.has(sp.Limit) or (right.has(sp.Order) and sign == "=") or (left.has(sp.Order) and sign == "="):
        if left.has(sp.Limit, sp.Order) and right.has(sp.Limit, sp.Order):
            raise ParseError("a limit, or O, on both sides: write it as text")
        left, right = (right, left) if right.has(sp.Limit) or left.has(sp.Order) else (left, right)
    if sign == "=" and isinstance(left, sp.Limit):
        what, x, end, side = left.args
        found = f"{said(what)} -> {said(right)}", _tending(x, end, _SIDES[str(side)])
    elif sign == "=" and right.has(sp.Order):
        kept, rest = right.removeO(), right.getO()
        if rest is None or len(rest.variables) != 1 or kept.has(sp.Order):
            raise ParseError("O stands alone or in a sum, and in one variable")
        (x,), (end,) = rest.variables, rest.point
        order = f"O({said(rest.expr)})"
        side = "+" if x.is_positive and end == 0 else ""
        found = f"{said(left)} = {order if kept == 0 else f'{said(kept)} + {order}'}", _tending(x, end, side)
    else:
        found = f"{said(left)} {sign} {said(right)}", None
    return Said(found[0], found[1], assumed(relation))


def assumed(expr: sp.Basic) -> tuple[str, ...]:
    """What its symbols are said to be, as conditions of the language: SymPy has used it.

    Raises:
        ParseError: the language cannot say it of a name, as that it is prime, or rational; or two symbols have one name.

    >>> assumed(sp.Symbol("p", positive=True) + sp.Symbol("x"))
    ('real p', 'p > 0')
    """
    everyone = sorted(expr.atoms(sp.Symbol), key=lambda one: spelt(one.name))  # that of a sum would be taken for another
    if twice := [a for a, b in pairwise(everyone) if spelt(a.name) == spelt(b.name)]:
        raise ParseError(f"two symbols are called {twice[0]}")
    symbols = sorted(expr.free_symbols.union(*(limit.args[1].free_symbols for limit in expr.atoms(sp.Limit))), key=str)
    said: list[str] = []
    for symbol in symbols:
        known = symbol.assumptions0
        words = [found[0] for several in (_KINDS, _RANGES) if (found := [row for row in several if known.get(row[0])])]
        if lost := _lost(known, {word for word, _ in words}):
            raise ParseError(f"{symbol}: {lost} is not said of a name: say it in the statement")
        said += [text.format(symbol) for _, text in words]
    return tuple(said)


def _lost(known: Mapping[str, bool], words: set[str]) -> str:
    """What is known of a symbol beyond what some words say, and beyond what is so of every real number."""
    follows = sp.Symbol("x", real=True).assumptions0 | sp.Symbol("x", **dict.fromkeys(words, True)).assumptions0
    lost = [(word, is_so) for word, is_so in known.items() if follows.get(word) is not is_so]
    positive = [word for word, is_so in lost if is_so and not word.startswith("extended_")]
    return ", ".join(positive or [word if is_so else f"not {word}" for word, is_so in lost])


def _tending(x: sp.Symbol, end: sp.Expr, side: str) -> str:
    return f"{x} -> {said(end)}{'' if end.is_infinite else side}"


def said(expr: Any) -> str:
    """An expression as text, where its numbers are exact and its names are names.

    Raises:
        ParseError: they are not.
    """
    for part in sp.preorder_traversal(expr):
        if isinstance(part, sp.Float):
            raise ParseError(f"{part} is a float, no exact number: write sp.Rational")
        if isinstance(part, sp.Symbol) and (not re.fullmatch(r"[^\W\d_]\w*", part.name) or part.name in OWN):
            raise ParseError(f"{part.name!r} cannot be the name of a variable")
        if isinstance(part, AppliedUndef) and hasattr(sp, part.func.__name__):
            raise ParseError(f"{part} is of any function {part.func.__name__}, not of SymPy's: write it as text")
        if isinstance(part, sp.Limit | sp.Order) or not isinstance(part, sp.Expr | sp.Tuple):
            raise ParseError(f"a {type(part).__name__} within a formula is not read: write it as text")
    return text(expr)
