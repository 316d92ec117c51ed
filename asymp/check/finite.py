"""Evidence for the relations that are not asymptotic: identities, bounds, printed numbers.

Two lines of evidence, kept apart: *symbolic* (a proof for the whole domain) and *enclosed* (every
grid point, exactly or in balls).  What they may say:

* exact numbers that agree at every grid point certify an identity there; balls never do, however
  many digits agree: they *support* it;
* disjoint balls, or unequal exact numbers, refute it: one certified counterexample is enough;
* an empty grid, an error or an undecided comparison upholds nothing.

>>> x = sp.Symbol("x", positive=True)
>>> from asymp.claim import Domain
>>> [(e.kind, str(e.outcome), str(e.strength)) for e in identity(
...     Identity((1 + x)**2, 1 + x, Domain.product("x > 0", x=[1, 2])))]
[('enclosed', 'refuted', 'certified')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp.claim import Bound, Domain, Evidence, Identity, Outcome, Step, Strength, Value, Witness
from asymp.enclosure import InputError, Undecided, ball, compare, enclose, exact

CAP_BITS = 1 << 14
"""Working precision at which a comparison on the grid is given up as undecided."""
BALL_BITS = 512
"""Working precision of the comparison of irrational sides of an identity."""

Point = Mapping[str, Any]


def identity(relation: Identity) -> list[Evidence]:
    """Evidence for ``lhs == rhs``: its proof or a symbolic one, and the grid.

    >>> n = sp.Symbol("n", positive=True)
    >>> from asymp.claim import Domain
    >>> relation = Identity(sp.Sum(n, (n, 1, 3)), sp.Integer(6), Domain("", ({},)))
    >>> identity(relation)[-1].strength
    <Strength.CERTIFIED: 'certified'>
    """
    lines = _proof(relation.proof)
    if relation.proof is None and isinstance(relation.lhs, sp.Expr) and isinstance(relation.rhs, sp.Expr):
        steps = difference_is_zero(relation.lhs, relation.rhs)
        if steps:
            detail = "the difference is shown to vanish identically"
            lines.append(Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, detail, steps=tuple(steps)))
    if relation.domain.grid or not lines:
        lines.append(_identity_on_grid(relation))
    return lines


def bound(relation: Bound) -> list[Evidence]:
    """Evidence for ``lhs op rhs``: its proof, and the grid by certified comparisons.

    >>> x = sp.Symbol("x", positive=True)
    >>> from asymp.claim import Domain
    >>> relation = Bound(sp.log(1 + x), "<", x, Domain.product("x > 0", x=[Fraction(1, 10), 1, 10**9]))
    >>> bound(relation)[0].detail
    'lhs < rhs at all 3 points: x = 1/10, 1, 1000000000'
    """
    lines = _proof(relation.proof)
    if relation.domain.grid or not lines:
        lines.append(_bound_on_grid(relation))
    return lines


def value(relation: Value) -> list[Evidence]:
    """Evidence for a printed number: it is the expression rounded, or truncated, to its digits.

    >>> value(Value(sp.EulerGamma, "0.57726"))[0].detail
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
        true = _text(relation.expr, {}, 18)
        points = (Witness({}, *true),)
        if _between(relation.expr, centre - unit / 2, centre + unit / 2):
            return [_certified(f"rounds to {relation.printed}: the value is {true[0]}", points)]
        away = -1 if centre < 0 or printed.is_signed() else 1
        inner, outer = centre, centre + away * unit
        if _between(relation.expr, min(inner, outer), max(inner, outer)):
            return [_certified(f"is truncated to {relation.printed}: the value is {true[0]}", points)]
        rounded = _rounded(relation.expr, unit)
    except (Undecided, InputError, ArithmeticError, ValueError, TypeError) as error:
        return [_undecided(_reason(error))]
    detail = f"not {relation.printed}: the value is {true[0]} (rounded to as many digits: {rounded})"
    return [Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, detail, points)]


# --- proofs --------------------------------------------------------------------------------------


def _proof(proof: Callable[[], Sequence[Step]] | None) -> list[Evidence]:
    """The steps of a given proof; undecided where one of them fails."""
    if proof is None:
        return []
    try:
        steps = tuple(proof())
    except Exception as error:  # any failing step fails the proof, whatever it raises
        return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"the proof failed: {_reason(error)}")]
    if not steps:
        return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, "the proof has no steps")]
    detail = "proved for the whole domain: " + "; ".join(step.rule for step in steps)
    return [Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, detail, steps=steps)]


# --- identities on the grid ----------------------------------------------------------------------


def _identity_on_grid(relation: Identity) -> Evidence:
    domain = relation.domain
    if not domain.grid:
        return _undecided("no grid of points to try")
    all_exact, digits, undecided = True, BALL_BITS, ""
    for point in domain.grid:
        try:
            equal, agreed, sides = _equal_at(relation, point)
        except (Undecided, InputError, ArithmeticError, ValueError, TypeError, KeyError, IndexError) as error:
            undecided = undecided or f"at {_shown(point)}: {_reason(error)}"
            continue
        if not equal:
            detail = f"fails at {_shown(point)}: {sides[0][0]} on the left, {sides[1][0]} on the right"
            return Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, detail, _both(point, sides))
        all_exact = all_exact and agreed is None
        digits = min(digits, agreed) if agreed is not None else digits
    if undecided:
        return _undecided(undecided)
    if all_exact:
        return _certified(f"equal, exactly, at {_grid(domain)}", ())
    detail = f"the sides agree to {digits} digits at {_grid(domain)}; balls do not prove equality"
    return Evidence("enclosed", Outcome.HOLDS, Strength.SUPPORTED, detail)


Sides = tuple[tuple[str, str], tuple[str, str]]


def _equal_at(relation: Identity, point: Point) -> tuple[bool, int | None, Sides]:
    """(equal, digits that agree or None if exact, the two sides as (value, radius))."""
    nothing: Sides = (("", "0"), ("", "0"))
    sides = [_side(side, point) for side in (relation.lhs, relation.rhs)]
    if not any(isinstance(side, sp.Expr) for side in sides):
        left, right = sides
        if left == right:
            return True, None, nothing
        return False, None, _first_difference(left, right)
    values = _values(point)
    left_expr, right_expr = (
        side if isinstance(side, sp.Expr) else sp.Rational(_number(side)) for side in sides
    )
    left_ball, right_ball = (ball(side, values, BALL_BITS) for side in (left_expr, right_expr))
    if not (left_ball.is_finite() and right_ball.is_finite()):
        raise Undecided(f"a side is not a finite number at {BALL_BITS} bits")
    if not left_ball.overlaps(right_ball):
        return False, None, (_text(left_expr, values), _text(right_expr, values))
    agreed = _digits_of(left_ball - right_ball, left_ball)
    if agreed < 15:
        raise Undecided(f"the sides are known to {max(agreed, 0)} digits only")
    return True, agreed, nothing


def _side(side: Any, point: Point) -> Any:
    """A side at a point: Fractions, tuples and dicts of them, or an expression that is not rational."""
    if isinstance(side, sp.Expr):
        try:
            return exact(side, _values(point))
        except Undecided:
            return side
    return _exact_value(side(**point) if callable(side) else side)


def _exact_value(found: Any) -> Any:
    """Exact numbers as Fractions, in tuples and dicts."""
    if isinstance(found, (bool, int, Fraction, sp.Rational)):
        return _number(found)
    if isinstance(found, (tuple, list)):
        return tuple(_exact_value(item) for item in found)
    if isinstance(found, Mapping):
        return {key: _exact_value(item) for key, item in found.items()}
    raise TypeError(f"a {type(found).__name__} is not an exact number")


def _number(found: Any) -> Fraction:
    if isinstance(found, sp.Rational):
        return Fraction(int(found.p), int(found.q))
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


def _digits_of(gap: Any, size: Any) -> int:
    """Decimal digits to which a ball around 0 certifies a difference, relative to 1 + |size|."""
    widest = float(gap.abs_upper()) / (1 + float(size.abs_upper()))
    if widest == 0:
        return int(BALL_BITS * 0.30103)
    return int(-sp.log(sp.Float(widest), 10).evalf(8)) if widest < 1 else 0


# --- bounds on the grid --------------------------------------------------------------------------


def _bound_on_grid(relation: Bound) -> Evidence:
    if relation.op not in ("<", "<=", ">", ">="):
        return _undecided(f"{relation.op!r} is not a comparison")
    if not relation.domain.grid:
        return _undecided("no grid of points to try")
    undecided = ""
    for point in relation.domain.grid:
        try:
            values = _values(point)
            left, right = (_expression(side, point) for side in (relation.lhs, relation.rhs))
            good = compare(left, relation.op, right, values, cap_bits=CAP_BITS)
        except (Undecided, InputError, ArithmeticError, ValueError, TypeError, KeyError, IndexError) as error:
            undecided = undecided or f"at {_shown(point)}: {_reason(error)}"
            continue
        if not good:
            sides = (_text(left, values), _text(right, values))
            detail = f"fails at {_shown(point)}: {sides[0][0]} {relation.op} {sides[1][0]} is false"
            return Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, detail, _both(point, sides))
    if undecided:
        return _undecided(undecided)
    return _certified(f"lhs {relation.op} rhs at {_grid(relation.domain)}", ())


def _expression(side: Any, point: Point) -> sp.Expr:
    if isinstance(side, sp.Expr):
        return side
    number = _number(side(**point) if callable(side) else side)
    return sp.Rational(number.numerator, number.denominator)


# --- printed numbers -----------------------------------------------------------------------------


def _between(expr: sp.Expr, low: Fraction, high: Fraction) -> bool:
    return compare(expr, ">=", low, cap_bits=CAP_BITS) and compare(expr, "<=", high, cap_bits=CAP_BITS)


def _rounded(expr: sp.Expr, unit: Fraction) -> str:
    """The value rounded to a multiple of ``unit``, as a decimal."""
    digits = 40
    text = enclose(expr, digits=digits).value
    steps = round(Fraction(text) / unit)
    places = 0
    while unit * 10**places < 1:
        places += 1
    return f"{Decimal(steps.__int__()) * Decimal(unit.numerator) / Decimal(unit.denominator):.{places}f}"


# --- equality by exact algebra -----------------------------------------------------------------


def difference_is_zero(lhs: sp.Expr, rhs: sp.Expr) -> list[Step]:
    """The steps that show ``lhs - rhs = 0``, or none.

    Finite geometric sums are replaced with closed forms that are themselves checked by
    telescoping; what else is not rational (other sums, integrals, logarithms, harmonic numbers,
    powers with a symbolic exponent) becomes an indeterminate.  If the difference vanishes as a
    rational function of the indeterminates, it vanishes; otherwise nothing is said.

    >>> n, q = sp.symbols("n q", positive=True)
    >>> i = sp.Symbol("i", integer=True, positive=True)
    >>> [s.rule for s in difference_is_zero(sp.Sum(q**i, (i, 0, n)), (1 - q**(n + 1))/(1 - q))]
    ['finite sums in closed form, checked by telescoping', 'zero as a rational function of its indeterminates']
    >>> difference_is_zero(sp.Sum(q**i, (i, 1, n)), (1 - q**(n + 1))/(1 - q))
    []
    """
    if lhs.has(sp.Float) or rhs.has(sp.Float):
        return []  # floats round, and SymPy adds them
    steps: list[Step] = []
    try:
        difference = _sums(lhs - rhs, steps)
        atoms: dict[sp.Expr, sp.Symbol] = {}
        rational = _rational(difference, atoms)
        if not rational.is_rational_function(*rational.free_symbols):
            return []
        numerator, denominator = sp.fraction(sp.together(rational))
        if sp.expand(numerator) != 0 or sp.expand(denominator) == 0:
            return []
    except (sp.SympifyError, TypeError, ValueError, NotImplementedError, ZeroDivisionError, RecursionError):
        return []
    named = ", ".join(sp.latex(expr) for expr in atoms)
    steps.append(Step("zero as a rational function of its indeterminates", named or "0 = 0"))
    return steps


def _sums(expr: sp.Expr, steps: list[Step]) -> sp.Expr:
    """Sums split into their terms, with constants drawn out, and closed where they are geometric."""
    if not expr.has(sp.Sum):
        return expr
    if isinstance(expr, sp.Sum) and len(expr.limits) == 1:
        return _sum(expr, steps)
    if expr.args and not isinstance(expr, (sp.Sum, sp.Integral)):
        return expr.func(*(_sums(arg, steps) for arg in expr.args))
    return expr


def _sum(expr: sp.Sum, steps: list[Step]) -> sp.Expr:
    hidden: dict[sp.Expr, sp.Symbol] = {}
    index, low, high = expr.limits[0]
    body = _hide(_sums(expr.function, steps), index, hidden)
    shown = {name: constant for constant, name in hidden.items()}
    # indices are renamed, so that equal sums are equal; by depth, so that none is captured
    inside = {symbol.name for item in body.atoms(sp.Sum) for symbol in item.bound_symbols}
    k = sp.Symbol(f"k{len(inside)}_", integer=True)
    if high.has(sp.oo, -sp.oo) or low.has(sp.oo, -sp.oo):
        # the terms of a convergent series may not be summed one by one
        return sp.Sum(body.xreplace({index: k}), (k, low, high)).xreplace(shown)
    total: sp.Expr = sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(body)):
        outer, inner = term.as_independent(index, as_Add=False)
        inner = sp.powsimp(inner).xreplace({index: k})
        closed = _geometric(inner, k, low, high)
        if closed is None:
            total += outer * sp.Sum(inner, (k, low, high))
            continue
        formula = sp.latex(sp.Eq(sp.Sum(inner, (k, low, high)), closed))
        if all(step.latex != formula for step in steps):
            steps.append(Step("finite sums in closed form, checked by telescoping", formula))
        total += outer * closed
    return total.xreplace(shown)


def _hide(expr: sp.Expr, index: sp.Symbol, hidden: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """Parts without the index become symbols, so that expanding a term leaves them whole."""
    if expr.is_Symbol or expr.is_Rational:
        return expr
    if index not in expr.free_symbols:
        return hidden.setdefault(expr, sp.Dummy())
    if expr.is_Add or expr.is_Mul:
        free, bound = expr.as_independent(index, as_Add=bool(expr.is_Add))
        return expr.func(
            _hide(free, index, hidden), *(_hide(arg, index, hidden) for arg in expr.func.make_args(bound))
        )
    if expr.is_Pow and expr.exp.is_Integer:
        return _hide(expr.base, index, hidden) ** expr.exp
    return expr


def _geometric(body: sp.Expr, k: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr | None:
    """The closed form of ``sum of k^m q^k`` for m = 0, 1, if the body is one; None otherwise.

    F(x) = sum to x satisfies F(x) - F(x-1) = x^m q^x and F(low - 1) = 0: both are checked.
    """
    degree, rest = 0, body
    if body.is_Mul and k in body.args:
        degree, rest = 1, body / k
    if rest == 1 and degree == 0:
        return high - low + 1
    if not rest.is_Pow or rest.base.has(k):
        return None
    q = rest.base
    shift = sp.expand(rest.exp - k)
    if shift.has(k) or q == 1:
        return None
    x = sp.Symbol("x_", positive=True)
    if degree == 0:
        form = (q**low - q ** (x + 1)) / (1 - q)
    else:
        form = (low * q**low - (low - 1) * q ** (low + 1) - (x + 1) * q ** (x + 1) + x * q ** (x + 2)) / (
            1 - q
        ) ** 2
    step = form - form.subs(x, x - 1) - x**degree * q**x
    if _nonzero(step) or _nonzero(form.subs(x, low - 1)):
        return None
    return q**shift * form.subs(x, high)


def _nonzero(expr: sp.Expr) -> bool:
    numerator, _ = sp.fraction(sp.together(_rational(expr, {})))
    return bool(sp.expand(numerator) != 0)


def _rational(expr: sp.Expr, atoms: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """The expression with every part that is not rational replaced by an indeterminate."""
    if expr.is_Rational or expr.is_Symbol:
        return expr
    if expr.is_Add or expr.is_Mul:
        return expr.func(*(_rational(arg, atoms) for arg in expr.args))
    if expr.is_Pow and expr.exp.is_Integer:
        return _rational(expr.base, atoms) ** expr.exp
    if isinstance(expr, sp.exp) or (expr.is_Pow and not expr.exp.is_Rational):
        base, exponent = expr.as_base_exp()
        return _power(base, exponent, atoms)
    return atoms.setdefault(expr, sp.Symbol(f"a{len(atoms)}_"))


def _power(base: sp.Expr, exponent: sp.Expr, atoms: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """``x^(e + k) = x^e x^k`` and ``x^(m e) = (x^e)^m`` for integers k and m; x is not 0 where this is used."""
    whole = sp.Integer(1)
    for term in sp.Add.make_args(sp.expand(exponent)):
        factor, rest = term.as_coeff_Mul()
        if rest == 1 and factor.is_Integer:
            whole *= _rational(base, atoms) ** factor if base is not sp.E else _unit(sp.E, atoms) ** factor
        elif factor.is_Integer:
            whole *= _unit(sp.Pow(base, rest, evaluate=False), atoms) ** factor
        else:
            whole *= _unit(sp.Pow(base, term, evaluate=False), atoms)
    return whole


def _unit(expr: sp.Expr, atoms: dict[sp.Expr, sp.Symbol]) -> sp.Symbol:
    return atoms.setdefault(expr, sp.Symbol(f"a{len(atoms)}_"))


# --- words ---------------------------------------------------------------------------------------


def _values(point: Point) -> dict[str, Any]:
    return dict(point)


def _text(expr: sp.Expr, values: Point, digits: int = 18) -> tuple[str, str]:
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


def _undecided(detail: str) -> Evidence:
    return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, detail)


def _reason(error: BaseException) -> str:
    text = " ".join(str(error).split()) or "no reason given"
    return f"{type(error).__name__}: {text}"[:300]
