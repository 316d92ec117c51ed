r"""Removable singularities: N(x)/x^k with N analytic at 0 and N(0) = N'(0) = ... = N^(k-1)(0) = 0.

Such a quotient becomes a function R of its own, which knows its numerator.  Near 0 it is the power series of N,
divided by x^k, with Cauchy's bound of the rest: |N| <= M on the disc of radius r gives

.. math:: \Bigl|R(x) - \sum_{k \le j < J} a_j x^{j-k}\Bigr| \le \frac{M}{r^k} \frac{q^{J-k}}{1-q}, \qquad q = |x|/r < 1 ;

away from 0 it is the quotient.  Its derivative is of the same kind: (x N' - k N)/x^(k+1).

>>> f = regular(read("log(1 + t)/t"), "t", read("0"), read("oo"))
>>> f.head, str(f.parts[0]), bool(ball(f, {"t": 0}, 64).contains(1))
('Quotient', 't', True)
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flint import acb, arb, arb_series, ctx
from gmpy2 import mpq

from asymp.budget import uncounted
from asymp.enclosure import algebra as al
from asymp.enclosure.algebra import MINUS_OO, OO, minus, over, plus, raised, subs, times, whole
from asymp.enclosure.arithmetic import Number, bits_of, coefficient, series, setting, to_ball
from asymp.enclosure.calculus import X, diff, numerator_of, quotient
from asymp.enclosure.enclose import ball as ball
from asymp.enclosure.fields import factored, is_identity
from asymp.enclosure.functions import CNAN
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.plan import Builder, Plan, builds, compile_term
from asymp.enclosure.ranges import BOUNDS, WHOLE, Span, hull, make, meet, obstacles, span
from asymp.enclosure.signs import signs
from asymp.functions.table import NAMED
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name, number, walk
from asymp.kernel.terms import read as read
from asymp.notes import Memory

HIGHEST = 8
"""Zeros of higher order are not looked for."""
RADII = tuple(arb(2) ** k for k in range(3, -8, -1))
BITS = 128
"""Precision at which the disc is looked for."""
NEAR = 4
"""The power series is used where |x| < r/4."""


@uncounted
@lru_cache(maxsize=512)
def _series(numerator: Term, order: int) -> _Series:
    return _Series(numerator, order)


@builds("Quotient")
def build(builder: Builder, term: Term) -> int:
    """The place of a quotient."""
    series, spot = _series(numerator_of(term), int(term.number)), builder.place(term.parts[0])

    def complex_(v: Any) -> acb:
        return series.complex(v[spot], v.analytic)

    return builder.emit(("quotient", term), lambda v: series.real(v[spot]), complex_)


BOUNDS["Quotient"] = lambda term: _series(numerator_of(term), int(term.number)).range


class _Series:
    """The values of one quotient: power series near 0, quotient elsewhere."""

    def __init__(self, numerator: Term, order: int) -> None:
        self.numerator, self.order = numerator, order
        self.plan: Plan = compile_term(numerator)
        self._disc: tuple[arb, arb] | None = None
        self._coefficients: Memory[tuple[tuple[int, int, bool], int], list[arb]] = Memory(64, paid=True)
        self._parts: Any = None

    def _at(self, x: acb, analytic: bool) -> acb:
        return self.plan.run_complex({X: x}, analytic)

    @uncounted  # it is kept
    def disc(self) -> tuple[arb, arb]:
        """(r, M): |N| <= M on the disc of radius r, where N is analytic; the same whatever the precision is now."""
        if self._disc is None:
            with ctx.workprec(BITS):
                discs = ((r, abs(self._at(acb(arb(0, r), arb(0, r)), True)).abs_upper()) for r in RADII)
                self._disc = next((disc for disc in discs if disc[1].is_finite()), None)
            if self._disc is None:
                raise Undecided(f"{self.numerator} is not known to be analytic at 0")
        return self._disc

    def _terms(self, count: int) -> list[arb]:
        """a_k, a_(k+1), ... at the working precision."""
        size = max(16, 1 << count.bit_length())
        found = self._coefficients(
            (setting(), size), lambda: taylor(self.numerator, X, self.order + size)[self.order :]
        )
        return found[:count]

    def near(self, x: acb) -> acb:
        """By the power series; nan beyond a part of its disc."""
        radius, bound = self.disc()
        ratio = abs(x).abs_upper() / radius
        if not ratio * NEAR < 1:
            return CNAN
        # a wide ball is known no better for more terms
        bits = ctx.prec if x.is_exact() else max(8, min(ctx.prec, 2 * x.rel_accuracy_bits() + 8))
        count = 2 + bits // max(1, -bits_of(ratio)) if ratio > 0 else 1
        total = acb(0)
        for c in reversed(self._terms(count)):
            total = total * x + c
        rest = (bound / radius**self.order * ratio**count / (1 - ratio)).abs_upper()
        return total + acb(arb(0, rest), arb(0, rest))

    def complex(self, x: acb, analytic: bool) -> acb:
        """The value at a complex ball."""
        value = self.near(x)
        return value if value.is_finite() or x.contains(acb(0)) else self._at(x, analytic) / x**self.order

    def real(self, x: Number) -> arb:
        """The value at a real ball."""
        at = to_ball(x)
        value = self.near(acb(at)).real
        if value.is_finite() or at.contains(0):
            return value
        return to_ball(self.plan.run({X: at})) / at**self.order

    def range(self, over: Span) -> Span:
        """Bounds over an interval: N must be analytic on it."""
        edge = (self.disc()[0] / (2 * NEAR)).mid()
        low, high = over
        parts = []
        if low < edge and high > -edge:
            value = self.near(acb(low.max(-edge).union(high.min(edge)))).real
            parts.append(make(value, value))
        if high > edge:
            parts.append(self._far(low.max(edge) if low.is_finite() else edge, high))
        if low < -edge:
            parts.append(self._far(low, high.min(-edge) if high.is_finite() else -edge))
        return hull(parts) if parts else WHOLE

    def _far(self, low: arb, high: arb) -> Span:
        """The quotient; for a = low > 0 also the hull of N(a)/a^k, N'(a)/(k a^(k-1)), ..., N^(k)([a, high])/k!.

        Indeed N(x)/x^k = (a/x)^k N(a)/a^k + x^(-k) int_a^x N'(s) s^(1-k) d(s^k)/k is an average of the first and N'/(k s^(k-1)).
        """
        if self._parts is None:
            derivatives = [self.numerator]
            for _ in range(self.order):
                derivatives.append(diff(derivatives[-1], X))
            self._parts = (
                span(over(self.numerator, raised(name(X), number(self.order))), X),
                [(span(f, X), up) for f, up in obstacles(self.numerator, X)],
                [span(f, X) for f in derivatives],
            )
        whole, smooth, derivatives = self._parts
        for bounds, positive in smooth:
            if bounds.over(low, high).sign not in ((1,) if positive else (1, -1)):
                return WHOLE
        found = whole.over(low, high)
        if not low > 0:
            return found
        k, weight, parts = self.order, arb(1), []
        for j, f in enumerate(derivatives):
            bottom, top = f.over(low, low if j < k else high)
            scale = weight / low ** (k - j)
            parts.append(make(bottom * scale, top * scale))
            weight = weight / max(k - j, 1)
        return meet([found, hull(parts)])


# --- power series ----------------------------------------------------------------------------------


def taylor(expr: Term, t: str, length: int) -> list[arb]:
    """The first ``length`` coefficients of the expression in powers of t.

    Raises:
        Undecided: a function without a power series here.

    >>> [str(c.mid()) for c in taylor(read("exp(2*t)"), "t", 3)]
    ['1.00000000000000', '2.00000000000000', '2.00000000000000']
    """
    total = _expand(expr, t, series([0, 1], length), length, {})
    return [coefficient(total, k) for k in range(length)]


def _expand(expr: Term, t: str, x: arb_series, n: int, seen: dict[Term, arb_series]) -> arb_series:
    if expr not in seen:
        seen[expr] = _node(expr, t, x, n, seen)
    return seen[expr]


def _node(expr: Term, t: str, x: arb_series, n: int, seen: dict[Term, arb_series]) -> arb_series:
    if expr.head == "name" and expr.name == t:
        return x
    if t not in expr.free:
        return series([ball(expr, {}, ctx.prec + 16)], n)
    parts = [_expand(part, t, x, n, seen) for part in expr.parts]
    if expr.head in ("sum", "product"):
        total = parts[0]
        for part in parts[1:]:
            total = total + part if expr.head == "sum" else total * part
        return total
    if expr.head == "power":
        base, power = parts
        k = whole(expr.parts[1])
        if k is not None:
            raised = _power(base, abs(k))
            return raised if k >= 0 else series([1], n) / raised
        return (power * base.log()).exp()
    inner = parts[-1]
    if expr.head == "Quotient":  # without its removable singularity
        return _quotient(numerator_of(expr), int(expr.number), inner, n)
    if expr.head in ("sinh", "cosh"):
        side = 1 if expr.head == "cosh" else -1
        return (inner.exp() + side * (-inner).exp()) / 2
    row = NAMED.get(expr.head)
    if row is None or len(parts) != 1 or not hasattr(arb_series, row.ball or "none"):
        raise Undecided(f"no power series of {expr.head}")
    return getattr(inner, row.ball)()


def _quotient(numerator: Term, k: int, x: arb_series, n: int) -> arb_series:
    """N(x)/x^k; at x = 0 + ... by shifting the coefficients of N."""
    centre = coefficient(x, 0)
    if not centre.is_zero():
        if centre.contains(0):
            raise Undecided("a quotient near its removable singularity")
        return _expand(numerator, X, x, n, {}) / _power(x, k)
    total = series([0], n)
    for c in reversed(taylor(numerator, X, n + k)[k:]):
        total = total * x + c
    return total


def _power(base: arb_series, k: int) -> arb_series:
    if k > 64:
        raise Undecided("a high power in a power series")
    return base**k


# --- finding them ----------------------------------------------------------------------------------


@uncounted
@lru_cache(maxsize=512)
def regular(body: Term, t: str, low: Term, high: Term, known: frozenset[str] = frozenset()) -> Term:
    """The function with the removable singularities at the ends of its range as such quotients; ``known`` names are positive."""
    plain = al.replace(body, _plain)
    body = plain if low != MINUS_OO and _singular(plain, t, low, known) else body
    for end, inside in ((low, 1), (high, -1)):
        if end in (OO, MINUS_OO) or not _singular(body, t, end, known):
            continue
        u = al.fresh("u", body, end)
        try:
            found = _rewritten(subs(body, {t: plus(end, times(number(inside), name(u)))}), u, known)
        except (Undecided, Refused):
            continue
        if _has_quotient(found):
            body = subs(found, {u: times(number(inside), minus(name(t), end))})
    return body


def _plain(part: Term) -> Term | None:
    pair = {"coth": ("cosh", "sinh"), "cot": ("cos", "sin")}.get(part.head)
    return None if pair is None else over(*(Term(head, part.parts) for head in pair))


def _has_quotient(term: Term) -> bool:
    return any(part.head == "Quotient" for part in walk(term))


def _singular(body: Term, t: str, end: Term, known: frozenset[str]) -> bool:
    """Whether a base of a negative (or undecided) power vanishes at the end."""
    return any(
        t in p.free and t not in p.parts[1].free and not signs(p.parts[1], known) <= {0, 1} and _zero(p.parts[0], t, end)
        for p in walk(body) if p.head == "power"
    )  # fmt: skip


def _zero(f: Term, t: str, end: Term) -> bool:
    """Whether f has the value 0 at a place, by algebra."""
    try:
        return is_identity(subs(f, {t: end}))
    except Refused:
        return False


def _rewritten(f: Term, u: str, known: frozenset[str]) -> Term:
    """Inner singularities first; then each product as u^p times what is regular."""
    if u not in f.free or f.head == "name" or not _singular(f, u, ZERO, known):
        return f
    if f.head == "sum":
        together = factored(f) if any(_singular(a, u, ZERO, known) for a in f.parts) else f
        if together.head != "sum":
            found = _rewritten(together, u, known)
            if _has_quotient(found):
                return found
        return plus(*(_rewritten(a, u, known) for a in f.parts))
    if f.head not in ("product", "power"):
        return al.rebuilt(f, tuple(_rewritten(a, u, known) for a in f.parts))
    power, rest = _valued(f, u, known)
    return times(raised(name(u), power), rest)


def _valued(f: Term, u: str, known: frozenset[str]) -> tuple[Term, Term]:
    """(p, g) with f = u^p g for u > 0."""
    if u not in f.free:
        return ZERO, f
    if f.head == "name":
        return ONE, ONE
    if f.head == "product":
        parts = [_valued(a, u, known) for a in f.parts]
        return plus(*(p for p, _ in parts)), times(*(g for _, g in parts))
    if f.head == "power" and u not in f.parts[1].free:
        power, rest = _valued(f.parts[0], u, known)
        return times(power, f.parts[1]), raised(rest, f.parts[1])
    f = _rewritten(f, u, known)
    if not _zero(f, u, ZERO):
        return ZERO, f
    scale = _scale(f, u)
    numerator = subs(f, {u: over(name(X), scale)})
    if numerator.free != {X}:
        return ZERO, f
    derivative = numerator
    for order in range(1, HIGHEST):
        derivative = diff(derivative, X)
        try:
            there = subs(derivative, {X: ZERO})
        except Refused:
            return ZERO, f
        if not is_identity(there):
            k = number(mpq(order))
            return k, times(quotient(numerator, X, order, times(scale, name(u))), raised(scale, k))
    return ZERO, f


def _scale(f: Term, u: str) -> Term:
    """c, where f is a function of c u."""
    if f.free == {u}:
        return ONE
    found = {al.apart(term, u)[0] for term in walk(f) if term.head == "product" and u in term.free and term.free - {u}}
    return found.pop() if len(found) == 1 else ONE
