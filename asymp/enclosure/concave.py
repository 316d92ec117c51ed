r"""Certified integrals of Q e^L, where L = sum of N_j ln P_j - ct is concave on t >= 0: see :mod:`asymp.enclosure.powers`.

Each tangent of L is above it, so that outside of [u, v] the integral is at most that of Q e^tangent.

*Quadrature.*  On [u, v] Gauss's rule with N nodes errs by at most 4.3 M r^(-2N)/(1 - r^(-2)) times (v-u)/2, M a bound on the
Bernstein ellipse whose semiaxes sum to r (v-u)/2 (the integrand's Chebyshev coefficients are at most 2M r^(-k); the rule and the
integral take each polynomial to at most 2 and 2/(k^2-1) in size).  On the rectangle alpha <= x <= beta, |y| <= h around the
ellipse, X the modulus of its farthest corner,

.. math:: \mathrm{Re}\,P(x+iy) \ge p := P(\alpha) - \tfrac12 h^2 P''(X), \qquad
          \Big|\frac{d^2}{dz^2} \ln P\Big| \le \frac{D(X)}{p^2}, \quad D = P'^2 - P P'',

so that Re L(x+iy) <= L(x) + (h^2/2) sum N_j D_j(X)/p_j^2: with the tangent for L(x) that bounds M.  (For alpha < 0, P(alpha) is
replaced by P(0) - |alpha| P'(|alpha|), and L continued from 0 by Taylor's formula.)  Pieces on which too many nodes are wanted
are halved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil, inf, isfinite, log

from flint import arb, arb_poly, ctx, fmpz

from asymp.budget import spend, uncounted
from asymp.enclosure.arithmetic import NAN, Number, bits_of, halved, to_ball, within
from asymp.enclosure.numbers import Undecided

MOST_BITS = 4_000
"""Accuracy beyond which it is not tried: it costs seconds."""
MOST_PIECES = 600
RADII = (1.1, 1.2, 1.3, 1.45, 1.6, 1.8, 2.0, 2.3, 2.7, 3.2, 4.0, 5.0, 7.0, 10.0, 16.0, 32.0)
"""Sums of the semiaxes that are tried."""
LN2 = log(2)


def polynomial(coefficients: Sequence[Number]) -> arb_poly:
    """A polynomial in balls, the constant first."""
    return arb_poly([to_ball(x) for x in coefficients])


class Logarithm:
    """N ln P with its derivatives, on the real line and bounded beside it."""

    def __init__(self, coefficients: Sequence[Number], power: arb) -> None:
        self.power = power
        self.p = polynomial(coefficients)
        self.first = self.p.derivative()
        self.second = self.first.derivative()
        bend = self.first * self.first - self.p * self.second
        self.bend = bend  # D, without negative coefficients where the p_k are exact: by the lemma
        self.size = arb_poly([x.abs_upper() for x in bend.coeffs()])

    def around(self, alpha: arb, height: arb, corner: arb) -> arb:
        """A bound of |N (ln P)''| on the rectangle; nan where P is not certain to have no zero in it."""
        least = self.p(alpha) if alpha > 0 else self.p[0] - abs(alpha) * self.first(abs(alpha))
        least = (least - height**2 / 2 * self.second(corner)).lower()
        return self.power * self.size(corner) / least**2 if least > 0 else NAN


Bound = tuple[arb, arb]
"""Of a piece: the height of e^L on the ellipse over its top (a logarithm), and of Q."""


class Job:
    """One evaluation, at one precision, to an error of about 2^-goal of the integral."""

    def __init__(
        self, logs: list[Logarithm], weight: arb_poly, rate: arb, low: arb, high: arb | None, goal: int
    ) -> None:
        self.logs, self.weight, self.rate, self.goal = logs, weight, rate, goal
        self.low, self.high = low, high
        self.slower = weight.derivative()
        self.top = self.peak = self.lift = self.end = arb(0)

    def value(self, t: arb) -> arb:
        """L."""
        total = -self.rate * t
        for part in self.logs:
            total += part.power * part.p(t).log()
        return total

    def slope(self, t: arb) -> arb:
        """L'."""
        total = -self.rate
        for part in self.logs:
            total += part.power * part.first(t) / part.p(t)
        return total

    def bend(self, t: arb) -> arb:
        """L''."""
        return -sum((part.power * part.bend(t) / part.p(t) ** 2 for part in self.logs), arb(0))

    def integral(self) -> arb:
        """The value; not finite where the precision is too low."""
        top = self._top()
        if top is None:
            return NAN
        self.top, self.peak, self.lift = top, self.value(top), self.slope(top)
        if not self.peak.is_finite() or not self.peak.rad() < 1:
            return NAN
        if self.peak.rad() > 0:
            self.goal = min(self.goal, 8 - bits_of(self.peak.rad()))  # what is given is known to no more
        if self.goal > MOST_BITS:
            raise Undecided("an integral of powers of polynomials to thousands of digits")
        drop = (self.goal + 8) * LN2
        right, left = self._fall(drop, 1), self._fall(drop, -1)
        if right is None or left is None or not right > left:
            return NAN
        rest = self._beyond(right) + self._before(left)
        scale = (right - top).max(top - left) / (self.goal + 8)
        total = self._pieces(left, self.end, scale)
        return (total + rest) * self.peak.exp()

    # --- where the peak is: nothing rests on it --------------------------------------------------

    def _top(self) -> arb | None:
        """About where L is largest."""
        if not self.slope(self.low).mid() > 0:
            return self.low
        if self.high is not None:
            far = self.high
            if self.slope(far).mid() >= 0:
                return far
        else:
            far = (sum((part.power * part.p.degree() for part in self.logs), arb(0)) / self.rate).abs_upper() + self.low
        near, count = far, 1
        while count < 1 << 40 and not self.slope((self.low + near).mid()).mid() > 0:
            far, near = near, _halved(near, count)
            count *= 2
        steps = count // 2  # near = far/2^steps
        while steps > 1:
            steps //= 2
            middle = _halved(far, steps)
            if not self.slope((self.low + middle).mid()).mid() > 0:
                far = middle
        low, high = (self.low + near).mid(), (self.low + far).mid()
        if near < far / 4:
            low = (self.low + far / 4).mid() if self.slope((self.low + far / 4).mid()).mid() > 0 else low
        t = ((low + high) / 2).mid()
        for _ in range(200):
            slope, bend = self.slope(t).mid(), self.bend(t).mid()
            if slope > 0:
                low = t
            else:
                high = t
            if not bend < 0:
                t = ((low + high) / 2).mid()
                continue
            if slope**2 < -bend / 1024:
                return t
            step = (t - slope / bend).mid()
            t = step if low < step < high else ((low + high) / 2).mid()
        return t

    def _fall(self, drop: float, side: int) -> arb | None:
        """About where L has fallen by ``drop``; the end of the range where it has not."""
        reach = None if side > 0 and self.high is None else self.top - self.low if side < 0 else self.high - self.top
        end = self.low if side < 0 else self.high

        def fallen(x: arb) -> arb:
            return (self.peak - self.value((self.top + side * x).mid())).mid()

        if reach is not None and (reach.is_zero() or not fallen(reach) > drop):
            return end
        guess = arb(0)
        if (bend := -self.bend(self.top).mid()) > 0:
            guess = (2 * drop / bend).sqrt().mid()
        if (slope := -side * self.lift.mid()) > 0 and (guess.is_zero() or drop / slope < guess):
            guess = (drop / slope).mid()
        if not guess > 0:
            guess = reach if reach is not None else ((1 + drop) / self.rate).abs_upper()
        if reach is not None and guess > reach:
            guess = reach
        x = self._gallop(fallen, guess, reach, drop)
        if x is None:
            return None
        for _ in range(12):  # Newton's step on a convex function, from the right
            gap = fallen(x) - drop
            if not gap > drop / 32:
                break
            slope = -side * self.slope((self.top + side * x).mid()).mid()
            if not slope > 0:
                break
            x = (x - gap / slope).mid()
        return (self.top + side * x).mid()

    @staticmethod
    def _gallop(fallen: Callable[[arb], arb], guess: arb, reach: arb | None, drop: float) -> arb | None:
        """guess 2^k with the least k at which L has fallen by ``drop``; at most ``reach``."""

        def far(k: int) -> bool:
            x = _halved(guess, -k)
            return bool((reach is not None and x >= reach) or fallen(x) >= drop)

        inwards, step = far(0), 1
        way = -1 if inwards else 1
        while far(way * step) is inwards:
            step *= 2
            if step > 1 << 40:
                return None
        ends = way * step, way * (step // 2)
        x = _halved(guess, -1 - halved(min(ends), max(ends), lambda k: not far(k)))
        return reach if reach is not None and x > reach else x.mid()

    # --- the rest: bounded by a tangent ------------------------------------------------------------

    def _beyond(self, right: arb) -> arb:
        """A ball for the integral over t >= ``right``, in units of e^peak; :attr:`end` is where it begins."""
        self.end = right
        if self.high is not None and right >= self.high:
            return arb(0)
        degree = max(0, self.weight.degree())
        for _ in range(64):
            if self.high is not None and self.end >= self.high:
                self.end = self.high
                return arb(0)
            fall = -self.slope(self.end)
            if fall * self.end > 2 * degree and fall > 0:
                steep = (self.value(self.end) - self.peak).exp() * self.weight(self.end)
                return _up_to(steep / (fall - degree / self.end if degree else fall))
            self.end = (self.top + 2 * (self.end - self.top)).mid()
        return NAN

    def _before(self, left: arb) -> arb:
        """A ball for the integral over t <= ``left``."""
        if left <= self.low:
            return arb(0)
        rise = self.slope(left)
        if not rise > 0:
            return NAN
        return _up_to((self.value(left) - self.peak).exp() * self.weight(left) / rise)

    # --- the quadrature ----------------------------------------------------------------------------

    def _pieces(self, left: arb, right: arb, scale: arb) -> arb:
        todo, total, count = [(left, right)], arb(0), 0
        most = max(64, min(int(0.75 * self.goal) + 24, 120 + self.goal // 3))  # those of long rules take long to find
        size = self.weight((self.top + scale).mid())
        while todo:
            count += 1
            if count > MOST_PIECES:
                return NAN
            u, v = todo.pop()
            best = self._rule(u, v, scale, size, most)
            if best is None:
                middle = ((u + v) / 2).mid()
                if not u < middle < v:
                    return NAN
                todo += [(middle, v), (u, middle)]
                continue
            total += self._gauss(u, v, *best)
        return total

    def _rule(self, u: arb, v: arb, scale: arb, size: arb, most: int) -> tuple[int, float, Bound] | None:
        """The number of nodes and r, with the bound there; None where more than ``most`` are wanted."""
        half = (v - u) / 2
        fixed = self.goal * LN2 + 2 + _log(half / scale)
        best: tuple[int, float, Bound] | None = None
        worse = 0
        for r in RADII:
            bound = self._bound(u, v, r)
            if bound is None:
                break
            wanted = fixed + _float(bound[0]) + _log(bound[1] / size)
            if not isfinite(wanted):
                break
            nodes = max(4, ceil(wanted / (2 * log(r))))
            if best is None or nodes < best[0]:
                best, worse = (nodes, r, bound), 0
            else:
                worse += 1
                if worse == 2:
                    break
        if best is None or best[0] > most:
            return None
        return _rounded(best[0], 8), best[1], best[2]

    def _bound(self, u: arb, v: arb, r: float) -> Bound | None:
        """L over the peak, and Q, on the ellipse."""
        wide, tall = (arb(r) + 1 / arb(r)) / 2, (arb(r) - 1 / arb(r)) / 2
        middle, half = (u + v) / 2, (v - u) / 2
        alpha, beta, height = (middle - wide * half).lower(), (middle + wide * half).upper(), (tall * half).upper()
        corner = (beta**2 + height**2).sqrt().upper()  # -alpha <= beta, for u >= 0
        bend = sum((part.around(alpha, height, corner) for part in self.logs), arb(0))
        if not bend.is_finite():
            return None
        first = alpha if alpha > 0 else arb(0)
        if first <= self.top <= beta:
            at, slope, value = self.top, self.lift, arb(0)
        else:
            at = beta if beta < self.top else first
            slope, value = self.slope(at), self.value(at) - self.peak
        log_ = value + (slope * (first - at)).max(slope * (beta - at))
        if not alpha >= 0:
            fall = -self.slope(arb(0))
            before = self.value(arb(0)) - self.peak + abs(alpha) * fall.max(arb(0)) + alpha**2 / 2 * bend
            log_ = log_.max(before)
        log_ = (log_ + bend * height**2 / 2).upper()
        weight = self.weight(corner).upper()
        return (log_, weight) if log_.is_finite() and weight.is_finite() else None

    def _gauss(self, u: arb, v: arb, count: int, r: float, bound: Bound) -> arb:
        """The integral over [u, v] in units of e^peak."""
        bits = _rounded(self.goal + 48, 64)
        spend(count * (6 + 2 * len(self.logs)) * (1 + ctx.prec // 256))
        nodes, off = _nodes(count, bits)
        middle, half = (u + v) / 2, (v - u) / 2
        total, weighted = arb(0), self.weight.degree() > 0
        shift = self.peak
        logs = [(part.power, part.p) for part in self.logs]
        for node, weight in nodes:
            t = middle + half * node
            log_ = -self.rate * t - shift
            for power, p in logs:
                log_ += power * p(t).log()
            term = log_.exp() * weight
            total += term * self.weight(t) if weighted else term
        if not weighted:
            total = total * self.weight[0]
        ratio = arb(r) ** -2
        error = arb("4.3") * bound[0].exp() * bound[1] * ratio**count / (1 - ratio)
        steep = abs(self.slope(u)).max(abs(self.slope(v)))  # the nodes are exact numbers near the rule's
        most = (self.lift * (u - self.top)).max(self.lift * (v - self.top)).exp()
        error += 2 * off * half * most * (self.slower(v) + self.weight(v) * steep)
        return half * (total + within(error))


def _halved(x: arb, times: int) -> arb:
    """x/2^times."""
    return x * arb(2) ** fmpz(-times) if abs(times) < 1 << 60 else x


def _up_to(bound: arb) -> arb:
    """The ball from 0 to a bound."""
    return arb(0).union(bound.abs_upper()) if bound.is_finite() else NAN


def _float(x: arb) -> float:
    try:
        return float(x.mid())
    except OverflowError:
        return inf


def _log(x: arb) -> float:
    """ln x, roughly."""
    return float(x.mid().log().mid()) if x.mid() > 0 else -inf


def _rounded(x: int, least: int) -> int:
    """Up to a multiple of ``least``, and of a quarter of the power of 2 below it: rules are found once, and are few."""
    step = max(least, 1 << max(x.bit_length() - 3, 0))
    return -(-x // step) * step


@uncounted
@lru_cache(maxsize=256)
def _nodes(count: int, bits: int) -> tuple[list[tuple[arb, arb]], arb]:
    """Gauss's rule: exact numbers near its nodes, its weights, and how far off the nodes are at most."""
    found: list[tuple[arb, arb]] = []
    off = arb(0)
    with ctx.workprec(bits):
        for k in range(count // 2):
            node, weight = arb.legendre_p_root(count, k, weight=True)
            off = off.max(node.rad())
            found += [(node.mid(), weight), (-node.mid(), weight)]
        if count % 2:
            found.append((arb(0), arb.legendre_p_root(count, count // 2, weight=True)[1]))
    return found, off
