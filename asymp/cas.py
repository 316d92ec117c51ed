"""SymPy's expressions as terms and as text: structure for structure, with nothing computed.

>>> k, n = sp.symbols("k n", positive=True)
>>> str(term_of(sp.Sum(sp.sqrt(k) / n, (k, 1, n)) - sp.log(n)))
'Sum(b0^(1/2)*n^(-1), (b0, 1, n)) - log(n)'
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import sympy as sp
from gmpy2 import mpq
from sympy.printing.str import StrPrinter

from asymp.budget import uncounted
from asymp.functions.symbolic import row_of
from asymp.kernel import terms
from asymp.kernel.terms import Refused, Term
from asymp.language.words import CONSTANTS

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
