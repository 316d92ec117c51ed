"""Where a function of one variable rises and falls, for all parameters: pieces on which it is monotone.

Signs are decided by algebra for all values of the parameters (an open interval is covered by one positive
symbol; Descartes' rule of signs counts the roots of polynomials in it), by isolation of real roots, or,
where no parameter is left, by interval arithmetic (:mod:`asymp.enclosure.signs`).

>>> t, r = sp.Symbol("t", positive=True), sp.Symbol("r", positive=True)
>>> pieces(sp.log(1 + t) - t / (1 + r), t, sp.S.Zero, sp.oo)
[(0, r, 1), (r, oo, -1)]
"""

from __future__ import annotations

import itertools

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.enclosure.signs import sign_between
from asymp.expansion import Refused
from asymp.functions.symbolic import EVERYWHERE
from asymp.notes import remembered
from asymp.scale import sign

Piece = tuple[sp.Expr, sp.Expr, int]
"""(low, high, direction): rising (1) or falling (-1) on the open interval."""

_s = sp.Dummy("s", positive=True)
MOST_DEGREE = 24


def cover(low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """An expression in one positive symbol that runs through the open interval (not the whole line)."""
    if high == sp.oo:
        return low + _s
    if low == -sp.oo:
        return high - _s
    return low + (high - low) / (1 + _s)


def pieces(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> list[Piece]:
    """The maximal intervals on which f is strictly monotone, from left to right.

    Raises:
        Refused: the sign of f' could not be found everywhere.
    """
    if low == -sp.oo and high == sp.oo:
        return _merged([*pieces(f, t, low, sp.S.Zero), *pieces(f, t, sp.S.Zero, high)])
    slope = sy.factor(sy.together(_plain(sy.diff(f, t))))
    if slope == 0:
        raise Refused(f"{f} is constant")
    cuts: list[sp.Expr] = [low, high]
    direction: list[tuple[sp.Expr, list[sp.Expr]]] = []
    for factor, power in _factors(slope):
        if power % 2 == 0:
            continue
        roots = sign_changes(factor, t, low, high)
        direction.append((factor, roots))
        cuts += [r for r in roots if r not in cuts]
    cuts = _sorted(cuts)
    found = []
    for a, b in itertools.pairwise(cuts):
        total = 1
        for factor, _ in direction:
            one = definite(factor, t, a, b)
            if one is None:
                raise Refused(f"the sign of {factor} for {a} < {t} < {b} is not known")
            total *= one
        found.append((a, b, total))
    return _merged(found)


def _merged(found: list[Piece]) -> list[Piece]:
    result: list[Piece] = []
    for piece in found:
        if result and result[-1][2] == piece[2]:
            result[-1] = (result[-1][0], piece[1], piece[2])
        else:
            result.append(piece)
    return result


def _plain(f: sp.Expr) -> sp.Expr:
    """Quotients of entire functions, whose factors have signs of their own."""
    f = f.replace(sp.tan, lambda x: sp.sin(x) / sp.cos(x)).replace(sp.cot, lambda x: sp.cos(x) / sp.sin(x))
    return f.replace(sp.tanh, lambda x: sp.sinh(x) / sp.cosh(x))


def _factors(f: sp.Expr) -> list[tuple[sp.Expr, int]]:
    """f as a product of factors and odd or even powers (an even power has no sign); a real power counts as odd."""
    result = []
    for factor in sp.Mul.make_args(f):
        base, exponent = factor.as_base_exp()
        if exponent.is_Integer:
            result.append((base, int(exponent)))
        else:
            result.append((factor, 1))
    return result


def _sorted(points: list[sp.Expr]) -> list[sp.Expr]:
    result: list[sp.Expr] = []
    for point in points:
        place = 0
        while place < len(result) and _less(result[place], point):
            place += 1
        result.insert(place, point)
    return result


def _less(a: sp.Expr, b: sp.Expr) -> bool:
    if a == -sp.oo or b == sp.oo:
        return True
    if b == -sp.oo or a == sp.oo:
        return False
    side = sign(sy.factor(a - b))
    if side in (None, 0):
        raise Refused(f"whether {a} < {b} is not known")
    return side == -1


@uncounted
@remembered(maxsize=5_000)
def definite(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int | None:
    """1 or -1: the one sign of f on the open interval; None: it has none, or it is not found."""
    if low == -sp.oo and high == sp.oo:
        left, right = definite(f, t, low, sp.S.Zero), definite(f, t, sp.S.Zero, high)
        at = sign(f.subs(t, 0))
        return left if left == right == at else None
    if not f.has(t):
        return sign(f) or None
    total = 1
    for factor, power in _factors(sy.factor(sy.together(_plain(f)))):
        one = _definite(factor, t, low, high)
        if one is None:
            return None
        total *= one**power
    return total


def _definite(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int | None:
    found = sign(f.subs(t, cover(low, high)))
    if found in (1, -1):
        return found
    numeric = f.free_symbols == {t} and not (low.free_symbols | high.free_symbols)
    if numeric and _over_rationals(f, t):
        return _by_isolation(f, t, low, high)
    counted = _descartes(f, t, low, high)
    if counted is not None and counted[0] == 0:
        return counted[1]
    if numeric and low != -sp.oo and high != sp.oo:
        return sign_between(f, t, low, high)
    if numeric:
        return _half_line(f, t, low, high)
    return None


def _half_line(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int | None:
    """By algebra far out, by intervals on the rest."""
    for size in (2, 8, 40):
        far = (high - size) if low == -sp.oo else (low + size)
        outside = sign(sy.expand(f.subs(t, far - _s if low == -sp.oo else far + _s)))
        if outside in (1, -1):
            inside = sign_between(f, t, *((far, high) if low == -sp.oo else (low, far)))
            if inside == outside and sign(f.subs(t, far)) == inside:
                return inside
    return None


def _poly(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Poly | None:
    """The numerator of f over the cover of the interval, where f is a rational function of t."""
    if not f.is_rational_function(t):
        return None
    top, bottom = sp.fraction(sy.cancel(sy.together(f.subs(t, cover(low, high)))))
    try:
        above, below = sy.poly(top, _s), sy.poly(bottom, _s)
    except sy.SymbolicFailure:
        return None
    if above.degree() > MOST_DEGREE or {sign(sy.factor(c)) for c in below.coeffs()} not in ({1}, {-1}):
        return None
    return above * sign(sy.factor(below.coeffs()[0]))


def _descartes(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> tuple[int, int] | None:
    """(sign changes of the coefficients, sign of the last): at most so many roots in the interval.

    Descartes' rule of signs: no change, no root; one change, exactly one root, which is simple.
    """
    poly = _poly(f, t, low, high)
    if poly is None:
        return None
    signs = [sign(sy.factor(c)) for c in poly.all_coeffs() if c != 0]
    if None in signs or not signs:
        return None
    changes = sum(a != b for a, b in itertools.pairwise(signs))
    return changes, int(signs[-1] or 0)


def _over_rationals(f: sp.Expr, t: sp.Symbol) -> bool:
    return bool(f.is_polynomial(t)) and sy.poly(f, t).domain in (sp.ZZ, sp.QQ)


def _by_isolation(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int | None:
    """The sign at one point, where no root of odd or even order lies in the interval."""
    if _real_roots(f, t, low, high):
        return None
    return sign(f.subs(t, _inside(low, high)))


def _inside(low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """A point of an interval with numeric ends, rational where the ends are not."""
    point = cover(low, high).subs(_s, 1)
    if point.is_Rational:
        return point
    near = sp.Rational(str(point.evalf(20)))
    return near if (low == -sp.oo or near > low) and (high == sp.oo or near < high) else point


def _real_roots(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> list[tuple[sp.Expr, int]]:
    """The real roots in the open interval with multiplicities, isolated exactly (rational coefficients)."""
    counted: dict[sp.Expr, int] = {}
    for root in sy.poly(f, t).real_roots():
        counted[root] = counted.get(root, 0) + 1
    return [
        (r, m) for r, m in counted.items()
        if (low == -sp.oo or (r != low and r > low)) and (high == sp.oo or (r != high and r < high))
    ]


def sign_changes(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> list[sp.Expr]:
    """The points of the open interval where f changes sign.

    Raises:
        Refused: they could not all be found.
    """
    if definite(f, t, low, high) is not None:
        return []
    counted = _descartes(f, t, low, high)
    if counted is not None:
        if counted[0] == 1:
            root = _single_root(f, t, low, high)
            if root is not None:
                return [root]
        if _over_rationals(f, t) and not (low.free_symbols | high.free_symbols):
            return [r for r, m in _real_roots(f, t, low, high) if m % 2]
    candidates = _candidates(f, t, low, high)
    if not candidates:
        raise Refused(f"where {f} changes sign for {low} < {t} < {high} is not known")
    for root in candidates:
        if sy.simplify(f.subs(t, root)) != 0:
            raise Refused(f"{root} is no root of {f}")
    return candidates  # the sign between any two of them is checked by the caller


def _single_root(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr | None:
    """The one root in the interval, of a factor of degree 1 or 2 in t or of rational coefficients."""
    poly = sy.poly(sp.fraction(sy.together(f))[0], t)
    if poly.degree() == 1:
        return sy.factor(-poly.coeff_monomial(1) / poly.coeff_monomial(t))
    if poly.degree() == 2:
        a, b, c = poly.all_coeffs()
        for side in (1, -1):
            root = sy.radsimp((-b + side * sp.sqrt(sy.factor(b**2 - 4 * a * c))) / (2 * a))
            above = sp.S.One if low == -sp.oo else sign(root - low)
            below = sp.S.One if high == sp.oo else sign(high - root)
            if above == 1 and below == 1:
                return root
    return None


def _candidates(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> list[sp.Expr]:
    """Proposals for the roots in the open interval: nothing rests on them."""
    if isinstance(f, (sp.sin, sp.cos)) and f.args[0].is_polynomial(t) and sy.degree(f.args[0], t) == 1:
        slope, offset = f.args[0].coeff(t, 1), f.args[0].coeff(t, 0)
        first = sp.S.Zero if isinstance(f, sp.sin) else sp.pi / 2
        proposed = [(first + k * sp.pi - offset) / slope for k in range(-8, 9)]
    else:
        if sp.count_ops(f) > 60:
            return []
        try:
            proposed = sy.solve(f, t)
        except sy.SymbolicFailure:
            return []
    return [r for r in proposed if not r.has(sp.I) and (low == -sp.oo or sign(r - low) == 1)
            and (high == sp.oo or sign(high - r) == 1)]


# --- regularity ----------------------------------------------------------------------------------


def require_smooth(f: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> None:
    """f is analytic on the open interval.

    Raises:
        Refused: it has, or may have, a singularity there, or it is no elementary function.
    """
    for node in sp.preorder_traversal(f):
        if not node.has(t) or node == t or node.is_Add or node.is_Mul or isinstance(node, EVERYWHERE):
            continue
        if node.is_Pow and node.base is sp.E:
            continue
        if node.is_Pow and node.exp.is_Integer and node.exp >= 0:
            continue
        if node.is_Pow and node.exp.is_Integer:
            if definite(node.base, t, low, high) is None:
                raise Refused(f"{node.base} may vanish for {low} < {t} < {high}")
            continue
        base = node.base if node.is_Pow else node.args[0] if isinstance(node, sp.log) else None
        if isinstance(node, sp.tan):
            if definite(sp.cos(node.args[0]), t, low, high) is None:
                raise Refused(f"{node} may have a pole for {low} < {t} < {high}")
            continue
        if base is None or not node.args:
            raise Refused(f"no method knows {node.func.__name__} under an integral")
        if definite(base, t, low, high) != 1:
            raise Refused(f"{base} may not be positive for {low} < {t} < {high}")
