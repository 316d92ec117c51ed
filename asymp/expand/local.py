"""Generalised power series at a point: sum of c w^q (ln w)^k, exact coefficients, real or symbolic exponents q.

The coefficients live in a field of rational functions: every number or parameter expression that is not
rational is a generator of its own, so that arithmetic is fast and exact.

>>> w, r = sp.Symbol("w", positive=True), sp.Symbol("r", positive=True)
>>> field = Field([r])
>>> expansion_at_zero(sp.log(1 + r * w), w, field, sp.Integer(3)).show()
-r**2*w**2/2 + r*w + O(w**3)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as field_
from typing import Any

import sympy as sp
from sympy.polys.fields import field as fraction_field
from sympy.polys.rings import ring as polynomial_ring

import asymp.symbolics as sy
from asymp.budget import METER, PRODUCT, uncounted
from asymp.expansion import Refused, is_zero
from asymp.functions.symbolic import EVERYWHERE
from asymp.notes import remembered
from asymp.scale import sign

SPARE = 12
"""Irrational constants that one problem may bring."""

Key = tuple[sp.Expr, int]
"""(q, k) of w^q (ln w)^k."""


class Field:
    """Rational functions of parameters and of named irrational constants.

    Args:
        parameters: symbols that occur in coefficients.
        algebraic: an algebraic number to adjoin exactly, or None.
    """

    def __init__(self, parameters: Iterable[sp.Symbol], algebraic: sp.Expr | None = None) -> None:
        known = sorted(parameters, key=str)
        spare = [sp.Dummy(f"c{k}") for k in range(SPARE)]
        domain = sp.QQ if algebraic is None else sp.QQ.algebraic_field(algebraic)
        self.domain, self.algebraic = domain, algebraic
        # over a number field fractions would not be reduced: polynomials there, divided by numbers alone
        make = fraction_field if algebraic is None else polynomial_ring
        self.field, *generators = make([*known, *spare], domain)
        self._parameters = dict(zip(known, generators, strict=False))
        self._spare = list(zip(spare, generators[len(known) :], strict=True))
        self._atoms: dict[sp.Expr, Any] = {}
        self._names: dict[sp.Symbol, sp.Expr] = {}
        self.one, self.zero = self.field.one, self.field.zero

    def of(self, expr: sp.Expr) -> Any:
        """An expression as an element.

        Raises:
            Refused: too many irrational constants.
        """
        if expr.is_Rational:
            return self.field.ground_new(self.domain.from_sympy(expr))
        if expr in self._parameters:
            return self._parameters[expr]
        if expr in self._atoms:
            return self._atoms[expr]
        if expr.is_Add:
            total = self.zero
            for arg in expr.args:
                total += self.of(arg)
            return total
        if expr.is_Mul:
            product = self.one
            for arg in expr.args:
                product *= self.of(arg)
            return product
        if expr.is_Pow and expr.exp.is_Integer:
            return self.power(self.of(expr.base), int(expr.exp))
        if self.algebraic is not None and expr.is_algebraic and expr.is_number:
            try:
                return self.field.ground_new(self.domain.from_sympy(expr))
            except sp.CoercionFailed:
                pass  # not in this number field: a generator of its own
        if not self._spare:
            raise Refused(f"more than {SPARE} irrational constants in one local expansion")
        name, element = self._spare.pop(0)
        self._atoms[expr], self._names[name] = element, expr
        return element

    def power(self, element: Any, n: int) -> Any:
        """An integer power.

        Raises:
            Refused: the inverse is not in the ring.
        """
        if n >= 0 or self.algebraic is None:
            return element**n
        if not element.is_ground:
            raise Refused(f"1/({self.expr(element)}) in a local expansion")
        return self.field.ground_new(self.domain.one / element.coeff(1)) ** -n

    def expr(self, element: Any) -> sp.Expr:
        """An element as an expression."""
        return element.as_expr().subs(self._names) if self._names else element.as_expr()

    def vanishes(self, element: Any) -> bool:
        """Whether an element is 0 as a number (generators may be related)."""
        if element == 0:
            return True
        if not self._names:
            return False
        parts = (element,) if self.algebraic is not None else (element.numer, element.denom)
        first = len(self._parameters)  # generators from here on are irrational constants
        if not any(any(monomial[first:]) for part in parts for monomial in part.monoms()):
            return False
        return is_zero(self.expr(element))


@uncounted
@remembered(maxsize=100_000)
def before(q: sp.Expr, r: sp.Expr) -> bool:
    """Whether q < r for exponents that may hold parameters.

    Raises:
        Refused: that depends on the parameters.
    """
    side = sign(q - r)
    if side is None:
        raise Refused(f"whether {q} < {r} depends on parameters")
    return side < 0


@uncounted
@remembered(maxsize=100_000)
def beyond(q: sp.Expr, cut: sp.Expr) -> bool:
    """Whether w^q is certainly O(w^cut)."""
    return cut != sp.oo and sign(q - cut) in (0, 1)


@dataclass(frozen=True)
class Series:
    """Terms (q, k) -> coefficient of w^q (ln w)^k, and O(w^cut) up to logarithms."""

    field: Field
    terms: dict[Key, Any] = field_(default_factory=dict)
    cut: sp.Expr = sp.oo

    def keep(self, cut: sp.Expr) -> Series:
        """Cut at an exponent."""
        low = self.cut if cut == sp.oo or (self.cut != sp.oo and before(self.cut, cut)) else cut
        kept = {key: c for key, c in self.terms.items() if c != 0 and not beyond(key[0], low)}
        return Series(self.field, kept, low)

    def dropped(self, cut: sp.Expr) -> Series:
        """Without what is O(w^cut); an exact sum from which nothing is dropped stays exact."""
        if self.cut == sp.oo and not any(beyond(q, cut) for q, _ in self.terms):
            return self
        return self.keep(cut)

    def __add__(self, other: Series) -> Series:
        total = dict(self.terms)
        for key, c in other.terms.items():
            total[key] = total[key] + c if key in total else c
        return Series(self.field, total, _least([self.cut, other.cut])).keep(sp.oo)

    def scaled(self, factor: Any) -> Series:
        """A multiple."""
        return Series(self.field, {key: c * factor for key, c in self.terms.items()}, self.cut)

    def times(self, other: Series, cut: sp.Expr) -> Series:
        """The product, cut."""
        low = _least([cut, _plus(self.cut, other.lowest()), _plus(other.cut, self.lowest())])
        METER.steps += PRODUCT * (len(self.terms) * len(other.terms) + 1)
        total: dict[Key, Any] = {}
        whole = self.cut == sp.oo and other.cut == sp.oo
        for (q, k), a in self.terms.items():
            for (r, m), b in other.terms.items():
                power = q + r
                if beyond(power, low):
                    whole = False
                    continue
                key = (power, k + m)
                total[key] = total[key] + a * b if key in total else a * b
        return Series(self.field, {key: c for key, c in total.items() if c != 0}, sp.oo if whole else low)

    def lowest(self) -> sp.Expr:
        """The lowest exponent (of the terms, else the cut)."""
        return _least([key[0] for key in self.terms] or [self.cut])

    def leading(self) -> tuple[sp.Expr, Any]:
        """Exponent and coefficient of the lowest term, which must not vanish.

        Raises:
            Refused: no term is known, or it carries a logarithm.
        """
        for q in _ordered({key[0] for key in self.terms}):
            at = {k: c for (r, k), c in self.terms.items() if r == q and not self.field.vanishes(c)}
            if set(at) == {0}:
                return q, at[0]
            if at:
                raise Refused("a logarithm in the leading term of a local expansion")
        raise Refused("no term of a local expansion is known")

    def show(self) -> sp.Expr:
        """As text."""
        w = sp.Symbol("w", positive=True)
        shown = [f"{sy.factor(self.field.expr(c)) * w**q * sp.log(w)**k}" for (q, k), c in self.terms.items()]
        tail = [] if self.cut == sp.oo else [f"O({w**self.cut})"]
        return sp.Symbol(" + ".join(shown + tail).replace("+ -", "- "))


def _plus(a: sp.Expr, b: sp.Expr) -> sp.Expr:
    return sp.oo if sp.oo in (a, b) else a + b


def _least(exponents: Iterable[sp.Expr]) -> sp.Expr:
    best = sp.oo
    for q in exponents:
        if q != sp.oo and (best == sp.oo or before(q, best)):
            best = q
    return best


def _ordered(exponents: Iterable[sp.Expr]) -> list[sp.Expr]:
    left, result = list(exponents), []
    while left:
        low = _least(left)
        result.append(low)
        left.remove(low)
    return result


# --- expressions ---------------------------------------------------------------------------------

ANALYTIC = (*EVERYWHERE, sp.tan)
"""Functions analytic on the whole real line (the tangent: between its poles)."""

EXTRA = 12
"""Cancellation may eat this many orders before a local expansion is given up."""


def expansion_at_zero(expr: sp.Expr, w: sp.Symbol, field: Field, cut: sp.Expr) -> Series:
    """The expansion for w -> 0+ up to O(w^cut): Taylor, Puiseux, with powers of ln w.

    Raises:
        Refused: the expression has no such expansion that is found here.
    """
    for more in (0, 4, EXTRA):
        try:
            series = _expand(expr, w, field, cut + more, {})
        except Refused:
            if more == EXTRA:
                raise
            continue
        if series.cut == sp.oo or not before(series.cut, cut):
            return series.dropped(cut)
    raise Refused(f"cancellation in the local expansion of {expr}")


def _expand(expr: sp.Expr, w: sp.Symbol, field: Field, cut: sp.Expr, memo: dict[sp.Expr, Series]) -> Series:
    if expr not in memo:
        memo[expr] = _node(expr, w, field, cut, memo)
    return memo[expr]


def _node(expr: sp.Expr, w: sp.Symbol, field: Field, cut: sp.Expr, memo: dict[sp.Expr, Series]) -> Series:
    if not expr.has(w):
        if expr.is_finite is False:
            raise Refused(f"{expr} in a local expansion")
        value = field.of(expr)
        return Series(field, {} if value == 0 else {(sp.S.Zero, 0): value})
    if expr == w:
        return Series(field, {(sp.S.One, 0): field.one})
    parts = [_expand(arg, w, field, cut, memo) for arg in expr.args] if not expr.is_Pow else []
    if expr.is_Add:
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total
    if expr.is_Mul:
        total = parts[0]
        for part in parts[1:]:
            total = total.times(part, cut)
        return total
    if expr.is_Pow and not expr.exp.has(w):
        return _power(_expand(expr.base, w, field, cut, memo), expr.exp, cut)
    if expr.is_Pow and expr.base is not sp.E:
        return _expand(sp.exp(expr.exp * sp.log(expr.base), evaluate=False), w, field, cut, memo)
    if isinstance(expr, sp.exp) or expr.is_Pow:
        return _analytic(sp.exp, _expand(expr.exp, w, field, cut, memo), cut)
    if isinstance(expr, sp.log):
        return _log(parts[0], cut)
    if isinstance(expr, sp.cot):  # the tangent at its pole
        return _node(sp.cos(expr.args[0]) / sp.sin(expr.args[0]), w, field, cut, memo)
    if isinstance(expr, ANALYTIC) and len(parts) == 1:
        return _analytic(expr.func, parts[0], cut)
    raise Refused(f"no local expansion of {expr.func.__name__}")


def _compose(coefficients: list[Any], small: Series, cut: sp.Expr) -> Series:
    """sum_k a_k small^k by Horner's scheme; small has positive exponents only."""
    if not small.terms and small.cut == sp.oo:
        coefficients = coefficients[:1]
    total = Series(small.field, {(sp.S.Zero, 0): coefficients[-1]} if coefficients[-1] != 0 else {})
    for c in reversed(coefficients[:-1]):
        total = total.times(small, cut) + Series(small.field, {(sp.S.Zero, 0): c} if c != 0 else {})
    left_out = small.lowest()
    return total if left_out == sp.oo else total.keep(_least([cut, left_out * len(coefficients)]))


def _count(small: Series, cut: sp.Expr) -> int:
    """How many powers of a series stay below the cut."""
    low = small.lowest()
    if low == sp.oo:
        return 1
    count = 1
    while before(low * count, cut):
        count += 1
        if count > 200:
            raise Refused("a local expansion with too many terms")
    return count


def _relative(x: Series) -> tuple[sp.Expr, Any, Series]:
    """x = c w^q (1 + small)."""
    q, c = x.leading()
    inverse = x.field.power(c, -1)
    rest = {(r - q, k): a * inverse for (r, k), a in x.terms.items() if (r, k) != (q, 0) and not (before(r, q))}
    return q, c, Series(x.field, rest, x.cut if x.cut == sp.oo else x.cut - q)


def _power(x: Series, exponent: sp.Expr, cut: sp.Expr) -> Series:
    field = x.field
    if exponent.is_Integer and exponent >= 0:
        total = Series(field, {(sp.S.Zero, 0): field.one})
        for _ in range(int(exponent)):
            total = total.times(x, cut)
        return total
    q, c, small = _relative(x)
    coefficient = field.expr(c)
    if exponent.is_Integer:
        head = field.power(c, int(exponent))
    else:
        if sign(coefficient) != 1:
            raise Refused(f"a power of {coefficient}, which may not be positive")
        head = field.one if coefficient == 1 else field.of(coefficient**exponent)
    inner = cut - q * exponent
    count = _count(small, inner) if small.terms or small.cut != sp.oo else 1
    powers = [field.of(sp.binomial(exponent, k) if exponent.is_number else sp.ff(exponent, k) / sp.factorial(k))
              for k in range(count)]
    body = _compose(powers, small, inner)
    return Series(field, {(r + q * exponent, k): a * head for (r, k), a in body.terms.items()},
                  _plus(body.cut, q * exponent))


def _log(x: Series, cut: sp.Expr) -> Series:
    field = x.field
    q, c, small = _relative(x)
    coefficient = sy.factor(field.expr(c))
    if sign(coefficient) != 1:
        raise Refused(f"the logarithm of {coefficient}, which may not be positive")
    head: dict[Key, Any] = {}
    if coefficient != 1:
        head[(sp.S.Zero, 0)] = field.of(sp.log(coefficient))
    if q != 0:
        head[(sp.S.Zero, 1)] = field.of(q)
    count = _count(small, cut)
    body = _compose([field.zero, *(field.of(sp.Rational((-1) ** (k + 1), k)) for k in range(1, count))], small, cut)
    return Series(field, head) + body


def _analytic(function: Any, x: Series, cut: sp.Expr) -> Series:
    """Taylor's series of an analytic function about the constant term of its argument."""
    field = x.field
    if any(before(q, sp.S.Zero) or (q == 0 and k) for q, k in x.terms) or not before(sp.S.Zero, _least([x.cut, 1])):
        raise Refused(f"{function.__name__} of a quantity that is not known to be bounded")
    centre = x.terms.get((sp.S.Zero, 0), field.zero)
    small = Series(field, {key: c for key, c in x.terms.items() if key != (sp.S.Zero, 0)}, x.cut)
    at, s = sy.factor(field.expr(centre)) if centre != 0 else sp.S.Zero, sp.Dummy("s", real=True)
    count = _count(small, cut)
    derivative, coefficients = function(s), []
    for k in range(count):
        value = derivative.subs(s, at)
        if value.is_finite is False:
            raise Refused(f"{function.__name__} at {at}")
        coefficients.append(field.of(value / sp.factorial(k)))
        derivative = sy.diff(derivative, s)
    return _compose(coefficients, small, cut)
