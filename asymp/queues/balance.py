"""Balance and Poisson's equations of the 1-and-n system for symbolic n: proofs for all n at once.

The transitions of the system are five families, affine in the number b of 1-server jobs
(:func:`families`); that they generate exactly the chain of :func:`asymp.queues.saturated.one_and_n` is
tested for n = 1..12.  The balance equations are *derived* from them: ranges of b are cut where
the families begin and end, and every comparison of end points is decided for all n from a
stated smallest one on, or refused.  A candidate law is substituted, and what is left must be 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp.queues.one_and_n import b, mu, mu1, mun, n, p, relative_completions_formula


@dataclass(frozen=True)
class Family:
    """Transitions (a, b) -> (target_a, b + shift) for all integers lo <= b <= hi.

    ``rate`` is the completion rate in (a, b), None for a draw, which takes no time.
    """

    name: str
    a: int
    lo: sp.Expr
    hi: sp.Expr
    target_a: int
    shift: int
    probability: sp.Expr
    rate: sp.Expr | None

    @property
    def is_completion(self) -> bool:
        """Whether a job leaves."""
        return self.rate is not None


@dataclass(frozen=True)
class Piece:
    """A candidate on the states (a, lo..hi): ``value`` is an expression in b, n and parameters."""

    a: int
    lo: sp.Expr
    hi: sp.Expr
    value: sp.Expr


@dataclass(frozen=True)
class Balance:
    """One balance equation, valid for all integers lo <= b <= hi (none if hi < lo)."""

    label: str
    lo: sp.Expr
    hi: sp.Expr
    lhs: sp.Expr
    rhs: sp.Expr

    @property
    def residual(self) -> sp.Expr:
        """lhs - rhs, simplified; 0 where the equation holds."""
        return _simplified(self.lhs - self.rhs)


def families(servers: sp.Expr = n) -> list[Family]:
    """The transitions of the saturated 1-and-n system (Grosof and Ayhan 2025, section 5.1).

    >>> [family.name for family in families()]
    ['1-server job drawn', 'n-server job drawn', 'drain', 'n-server job completes', 'full']
    """
    zero, one = sp.Integer(0), sp.Integer(1)
    return [
        Family("1-server job drawn", 0, zero, servers - 1, 0, 1, 1 - p, None),
        Family("n-server job drawn", 0, zero, servers - 1, 1, 0, p, None),
        Family("drain", 1, one, servers - 1, 1, -1, one, b * mu1),
        Family("n-server job completes", 1, zero, zero, 0, 0, one, mun),
        Family("full", 0, servers, servers, 0, -1, one, servers * mu1),
    ]


def stationary_law(servers: sp.Expr = n) -> list[Piece]:
    """The transition-average law up to a factor, for n >= 2: the pieces of Lemma 5.1 with pi_{0,0} = 1."""
    q = 1 - p
    return [
        Piece(0, sp.Integer(0), servers - 2, q**b),
        Piece(0, servers - 1, servers - 1, q ** (servers - 1) / p),
        Piece(0, servers, servers, q**servers / p),
        Piece(1, sp.Integer(0), servers - 1, q**b),
    ]


def symbolic_balance(
    value: Callable[[int, sp.Expr], sp.Expr] | None = None, servers: sp.Expr = n, smallest: int = 2
) -> list[Balance]:
    """The balance equations ``pi_y = sum over x of pi_x P(x, y)``, for all n >= ``smallest``.

    ``value(a, b)`` writes pi_{a,b}; by default as ``Function("pi")(a, b)``.

    >>> for equation in symbolic_balance()[:3]:
    ...     print(equation.label, "|", equation.lhs, "=", equation.rhs)
    (0, 0) | pi(0, 0) = pi(1, 0)
    (0, b), 1 <= b <= n - 2 | pi(0, b) = (1 - p)*pi(0, b - 1)
    (0, n - 1) | pi(0, n - 1) = (1 - p)*pi(0, n - 2) + pi(0, n)
    """
    write = value or (lambda a, jobs: sp.Function("pi")(a, jobs))
    whole = [
        Piece(0, sp.Integer(0), servers, sp.Integer(0)),
        Piece(1, sp.Integer(0), servers - 1, sp.Integer(0)),
    ]
    equations = []
    for a, lo, hi, _, inflow in _segments(whole, servers, smallest):
        at = lo if lo == hi else b
        rhs = sum((f.probability * write(f.a, at - f.shift) for f, _ in inflow), sp.Integer(0))
        equations.append(Balance(_name(a, lo, hi), lo, hi, write(a, at), rhs))
    return equations


def verify_balance(
    candidate: Sequence[Piece] | None = None, servers: sp.Expr = n, smallest: int = 2
) -> list[tuple[str, sp.Expr]]:
    """(state, residual) of every balance equation for a candidate law; all 0 proves it stationary.

    The chain is finite and irreducible, so a positive solution is the law up to its total.  With
    ``servers`` symbolic the residuals are identities in b and n, for all n >= ``smallest``.

    Raises:
        ValueError: if the candidate's pieces do not cover the states exactly, or two end points
            cannot be compared for all n >= ``smallest``.

    >>> verify_balance()[0]
    ('(0, 0)', 0)
    >>> any(residual != 0 for _, residual in verify_balance())
    False
    """
    pieces = list(candidate) if candidate is not None else stationary_law(servers)
    residuals = []
    for a, lo, hi, own, inflow in _segments(pieces, servers, smallest):
        at = lo if lo == hi else b
        rhs = sum((f.probability * piece.value.subs(b, at - f.shift) for f, piece in inflow), sp.Integer(0))
        residuals.append((_name(a, lo, hi), _simplified(own.value.subs(b, at) - rhs)))
    return residuals


def verify_outflow(servers: sp.Expr = n, smallest: int = 2) -> list[tuple[str, sp.Expr]]:
    """(state, 1 - total probability out of it): all 0, the families leave no state short.

    >>> {residual for _, residual in verify_outflow()}
    {0}
    """
    own = families(servers)
    ranges = [Piece(f.a, f.lo, f.hi, f.probability) for f in own]
    found = []
    for a in (0, 1):
        here = [piece for piece in ranges if piece.a == a]
        for lo, hi in _cut([(x.lo, x.hi) for x in here], servers, smallest):
            total = sum((x.value for x in here if _inside(lo, hi, x.lo, x.hi, servers, smallest)), sp.Integer(0))
            found.append((_name(a, lo, hi), sy.simplify(1 - total)))
    return found


def verify_poisson(below: sp.Expr | None = None, special: sp.Expr | None = None) -> list[tuple[str, sp.Expr]]:
    """(equation, residual) of Poisson's equation (1) for Delta~, for all n >= 1; all 0 proves it.

    ``below`` is Delta~(b) for b < n and ``special`` Delta~(n), in terms of ``mu``; Lemma 5.5's unless
    given.  The equation of state 0, whose next state is any, reads
    ``E[Delta~(Y_d)] = mu/mun - 1`` and is proved by induction: with q = 1 - p,

    ``S(m) = sum_{b<m} q^b p Delta~(b) + q^m Delta~(m-1)`` has ``S(1) = 0`` and
    ``S(m+1) - S(m) = q^m (1 - mu/(m mu1))``, so that ``E = sum_{m<n} q^m (1 - mu/(m mu1)) + q^n
    (Delta~(n) - Delta~(n-1))``; the sum of ``q^m/m`` is eliminated by Lemma 5.3.

    >>> {residual for _, residual in verify_poisson()}
    {0}
    """
    f_below, f_special = relative_completions_formula()
    f = f_below if below is None else below
    last = f_special if special is None else special
    q = 1 - p
    m = sp.Symbol("m", positive=True)
    gain = 1 - mu / (m * mu1)

    def at(where: sp.Expr) -> sp.Expr:
        return f.subs(b, where)

    drain = at(m) - gain - at(m - 1)
    full = last - (1 - mu / (n * mu1)) - q * last - p * at(n - 1)
    # S(m+1) - S(m): the terms below m cancel.
    step = q**m * p * at(m) + q ** (m + 1) * at(m) - q**m * at(m - 1) - q**m * gain
    geometric = (q - q ** (m + 1)) / p - (q - q**m) / p - q**m  # sum_{0<i<m} q^i = (q - q^m)/p, its step
    # Lemma 5.3 gives mu sum_{0<i<n} q^i/(i mu1) = 1/p - mu/mun - mu q^n/(n mu1 p).
    logarithmic = 1 / p - mu / mun - mu * q**n / (n * mu1 * p)
    mean = (q - q**n) / p - logarithmic + q**n * (last - at(n - 1))
    return [
        ("Delta~(0) = 0", _simplified(at(sp.Integer(0)))),
        ("states 1 <= m < n: drain", _simplified(drain)),
        ("state n: full", _simplified(full)),
        ("state 0: induction begins", _simplified(p * at(sp.Integer(0)) + q * at(sp.Integer(0)))),
        ("state 0: induction step", _simplified(step)),
        ("state 0: geometric sum step", _simplified(geometric)),
        ("state 0: E[Delta~(Y_d)] = mu/mun - 1", _simplified(mean - (mu / mun - 1))),
    ]


# --- ranges of b, compared for all n from the smallest one on ----------------------------------

Segment = tuple[int, sp.Expr, sp.Expr, Piece, list[tuple[Family, Piece]]]


def _segments(own: Sequence[Piece], servers: sp.Expr, smallest: int) -> list[Segment]:
    """The states cut into ranges on which one piece holds and one set of (family, source piece) enters."""
    inflows: list[tuple[int, sp.Expr, sp.Expr, Family, Piece]] = []
    for family in families(servers):
        for piece in own:
            if piece.a != family.a:
                continue
            lo = piece.lo if _at_most(family.lo, piece.lo, servers, smallest) else family.lo
            hi = piece.hi if _at_most(piece.hi, family.hi, servers, smallest) else family.hi
            # A range that is empty at the smallest n only (hi = lo - 1 there) is kept.
            if _at_most(lo, hi + 1, servers, smallest) and sy.expand(hi - lo) != -1:
                inflows.append((family.target_a, lo + family.shift, hi + family.shift, family, piece))
    segments: list[Segment] = []
    for a in (0, 1):
        here = [piece for piece in own if piece.a == a]
        entering = [flow for flow in inflows if flow[0] == a]
        ends = [(piece.lo, piece.hi) for piece in here] + [(flow[1], flow[2]) for flow in entering]
        for lo, hi in _cut(ends, servers, smallest):
            held = [x for x in here if _inside(lo, hi, x.lo, x.hi, servers, smallest)]
            if len(held) != 1:
                raise ValueError(f"the candidate has {len(held)} values at {_name(a, lo, hi)}")
            flows = [(f, x) for _, l, h, f, x in entering if _inside(lo, hi, l, h, servers, smallest)]
            segments.append((a, lo, hi, held[0], flows))
    return segments


def _cut(ranges: Sequence[tuple[sp.Expr, sp.Expr]], servers: sp.Expr, smallest: int) -> list[tuple[sp.Expr, sp.Expr]]:
    """Consecutive ranges between all end points, in order."""
    points: list[sp.Expr] = []
    for point in {sy.expand(x) for lo, hi in ranges for x in (lo, hi + 1)}:
        place = sum(1 for other in points if _at_most(other, point, servers, smallest))
        points.insert(place, point)
    return [(lo, sy.expand(hi - 1)) for lo, hi in itertools.pairwise(points)]


def _inside(lo: sp.Expr, hi: sp.Expr, lower: sp.Expr, upper: sp.Expr, servers: sp.Expr, smallest: int) -> bool:
    return _at_most(lower, lo, servers, smallest) and _at_most(hi, upper, servers, smallest)


def _at_most(x: sp.Expr, y: sp.Expr, servers: sp.Expr, smallest: int) -> bool:
    """Whether x <= y for all n >= smallest; x and y affine in n."""
    gap = sy.expand(y - x)
    if gap.is_Integer:
        return bool(gap >= 0)
    slope, first = gap.coeff(servers, 1), gap.subs(servers, smallest)
    if not (slope.is_Integer and first.is_Integer):
        raise ValueError(f"{x} and {y} are not affine in {servers}")
    if slope > 0 and first >= 0:
        return True
    if slope < 0 and first <= 0:
        # x >= y throughout; equal at the smallest n at most, where the order of two cuts does not matter.
        return False
    raise ValueError(f"whether {x} <= {y} depends on {servers} >= {smallest}")


def _name(a: int, lo: sp.Expr, hi: sp.Expr) -> str:
    return f"({a}, {lo})" if sy.expand(hi - lo) == 0 else f"({a}, b), {lo} <= b <= {hi}"


def _simplified(expr: sp.Expr) -> sp.Expr:
    """0 if the expression vanishes: powers of 1 - p and neighbouring harmonic numbers are collected.

    ``H_x = H_{x-1} + 1/x`` is applied until one harmonic number of each family is left, and
    ``(1-p)^(x+k)`` is written ``(1-p)^x (1-p)^k``; then only rational functions remain.
    """
    base = sp.Symbol("q_", positive=True)
    expr = expr.replace(sp.harmonic, _one_harmonic)
    expr = sy.expand_power_exp(expr.xreplace({1 - p: base}).subs(p, 1 - base))
    return sy.factor(sy.powsimp(sy.together(expr))).subs(base, 1 - p) if expr != 0 else sp.Integer(0)


def _one_harmonic(x: sp.Expr, order: sp.Expr = sp.Integer(1)) -> sp.Expr:
    """H_x^(r) rewritten at x without its negative integer part: H_{x-1} = H_x - 1/x^r."""
    constant = x.as_coeff_Add()[0]
    if x.is_number or not (constant.is_Integer and constant < 0):
        return sp.harmonic(x, order) if order != 1 else sp.harmonic(x)
    whole = x - constant
    value = sp.harmonic(whole, order) if order != 1 else sp.harmonic(whole)
    return value - sum((1 / (whole - k) ** order for k in range(-int(constant))), sp.Integer(0))
