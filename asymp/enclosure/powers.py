r"""Integrals of powers of polynomials against an exponential, certified at any size of the powers.

.. math:: I = \int_a^b Q(t) \prod_j P_j(t)^{N_j} e^{-ct} dt, \qquad 0 \le a < b \le \infty,\ N_j > 0,

where P(t) = sum of a_k t^k/k! with a_0, ..., a_d > 0 and a_k^2 >= a_{k-1} a_{k+1} (a truncated exponential series has
a_k = 1), and Q has no negative coefficient.

*P is log-concave on t >= 0.*  The coefficient of t^m/m! in P P'' - P'^2 is the sum over i <= m of
C(m,i) (b_i - b_{i+1}), b_i = a_i a_{m+2-i}; summed by parts and folded at the middle it is the sum over i < (m+1)/2 of
(C(m,i) - C(m,i-1)) (b_i - b_{i+1}), and b rises to its middle.  So L = sum N_j ln P_j - ct is concave, each tangent is above it,
and outside of [u, v] the integral is at most that of e^tangent.

*Quadrature.*  On [u, v] Gauss's rule with N nodes errs by at most 4.3 M r^(-2N)/(1 - r^(-2)) times (v-u)/2, M a bound on the
Bernstein ellipse of sum r of its semiaxes over (v-u)/2 (its Chebyshev coefficients are at most 2M r^(-k); the rule and the integral
take each to at most 2 and 2/(k^2-1)).  On the rectangle alpha <= x <= beta, |y| <= h around the ellipse, X its farthest corner,

.. math:: \mathrm{Re}\,P(x+iy) \ge p := P(\alpha) - \tfrac12 h^2 P''(X), \qquad
          \Big|\frac{d^2}{dz^2} \ln P\Big| \le \frac{D(X)}{p^2}, \quad D = P'^2 - P P'',

so that Re L(x+iy) <= L(x) + (h^2/2) sum N_j D_j(X)/p_j^2: with the tangent for L(x) that bounds M.  (For alpha < 0, P(alpha) is
replaced by P(0) - |alpha| P'(|alpha|), and L continued from 0 by Taylor's formula.)  Pieces on which too many nodes are wanted
are halved.

>>> with ctx.workprec(100):
...     str(power_integral([([fmpq(1), fmpq(1)], fmpq(10)**8)], fmpq(10)**8).mid())[:20]  # int (1+t)^n e^(-nt)
'0.000125337471026486'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf, isfinite, log

from flint import arb, arb_poly, ctx, fmpq, fmpz

from asymp.budget import spend, uncounted
from asymp.enclosure.arithmetic import NAN, Number, bits_of, to_ball, within
from asymp.enclosure.numbers import Undecided

Power = tuple[Sequence[Number], Number]
"""The coefficients of a polynomial, the constant first, and the power that it is raised to."""
MOST_BITS = 4_200
"""Accuracy beyond which it is not tried: it costs seconds."""
MOST_EXPANDED = 160
"""Degrees up to which the integrand is multiplied out."""
MOST_PIECES = 200
RADII = (1.1, 1.2, 1.3, 1.45, 1.6, 1.8, 2.0, 2.3, 2.7, 3.2, 4.0, 5.0, 7.0, 10.0, 16.0, 32.0)
"""Sums of the semiaxes that are tried."""
LN2 = log(2)


def power_integral(factors: Sequence[Power], rate: Number, low: Number | int = 0, high: Number | None = None) -> Number:
    """The integral of the product of the powers, times e^(-rate t), from ``low`` to ``high`` (None: to infinity).

    The result is exact where all is rational and short; it is not finite where the precision is too low or the form another one.

    Raises:
        Undecided: more digits than can be had.
    """
    start, stop = to_ball(low) if not isinstance(low, int) else arb(low), None if high is None else to_ball(high)
    c = to_ball(rate)
    cut = [(_trimmed(coefficients), power) for coefficients, power in factors]
    if not (start >= 0 and start.is_finite() and c.is_finite() and all(coefficients for coefficients, _ in cut)):
        return NAN
    if stop is None and not c > 0:
        return NAN
    if stop is not None and not (stop.is_finite() and stop > start):
        return NAN
    if stop is None and start.is_zero():
        value = expanded(cut, rate)
        if value is not None:
            return value
    if ctx.prec > MOST_BITS:
        raise Undecided("an integral of powers of polynomials to thousands of digits")
    found = sorted_out(cut)
    if found is None or not start.is_exact() or (stop is not None and not stop.is_exact()):
        return NAN
    powers, weight = found
    degrees = sum(((len(p) - 1) * abs(to_ball(power)) for p, power in powers), arb(1))
    bits = ctx.prec
    with ctx.workprec(bits + max(0, bits_of(degrees)) + 32):
        job = Job([Logarithm(p, to_ball(power)) for p, power in powers], _poly(weight), to_ball(rate), start, stop, bits - 24)
        value = job.integral()
    return +value


def _trimmed(coefficients: Sequence[Number]) -> list[Number]:
    """Without what is zero at the top."""
    found = list(coefficients)
    while found and isinstance(found[-1], fmpq) and found[-1] == 0:
        found.pop()
    return found


def _poly(coefficients: Sequence[Number]) -> arb_poly:
    return arb_poly([to_ball(x) for x in coefficients])


# --- small degrees ---------------------------------------------------------------------------


def expanded(factors: Sequence[Power], rate: Number) -> Number | None:
    """The sum of p_k k!/rate^(k+1) over the coefficients of the product, exact where it stays short; None where that is long.

    >>> expanded([([fmpq(1), fmpq(1)], fmpq(2))], fmpq(1))  # 1 + 2 + 2
    5
    """
    whole = [int(power.p) if isinstance(power, fmpq) and power.q == 1 and power >= 0 else None for _, power in factors]
    degree = 0
    for (coefficients, _), power in zip(factors, whole, strict=True):
        if power is None:
            return None
        degree += (len(coefficients) - 1) * power
    if degree > MOST_EXPANDED:
        return None
    exact = isinstance(rate, fmpq) and all(isinstance(x, fmpq) for p, _ in factors for x in p)
    height = max([1, *(x.height_bits() for p, _ in factors for x in p if isinstance(x, fmpq))])
    exact = exact and (degree + 1) * (height + (rate.height_bits() if isinstance(rate, fmpq) else 0)) < 4 * ctx.prec
    with ctx.workprec(ctx.prec + 2 * degree.bit_length() + 8):
        product = [fmpq(1)] if exact else [arb(1)]
        for (coefficients, _), power in zip(factors, whole, strict=True):
            given = list(coefficients) if exact else [to_ball(x) for x in coefficients]
            product = _times(product, given, power or 0)
        spend(degree + 1)
        total = fmpq(0) if exact else arb(0)
        c = rate if exact else to_ball(rate)
        for k in range(len(product) - 1, -1, -1):  # p_0 + (1/c)(p_1 + (2/c)(p_2 + ...))
            total = product[k] + total * (k + 1) / c
        total = total / c
    return total if exact else +total


def _times(product: list[Number], coefficients: list[Number], power: int) -> list[Number]:
    """The product with a power of a polynomial, all exact or all balls."""
    if all(isinstance(x, fmpq) for x in (*product, *coefficients)):
        from flint import fmpq_poly

        return list((fmpq_poly(product) * fmpq_poly(coefficients) ** power).coeffs())
    return list((arb_poly(product) * arb_poly(coefficients) ** power).coeffs())


# --- the form --------------------------------------------------------------------------------


def sorted_out(factors: Sequence[Power]) -> tuple[list[Power], list[Number]] | None:
    """The factors that are log-concave by their coefficients, and the product Q of the rest; None where a factor is neither."""
    powers: list[Power] = []
    weight: list[Number] = [fmpq(1)]
    for coefficients, power in factors:
        if to_ball(power).is_zero() or len(coefficients) == 1 and power == 1 and coefficients[0] == 1:
            continue
        if power > 0 and is_log_concave(coefficients):
            powers.append((coefficients, power))
        elif isinstance(power, fmpq) and power in range(1, 65) and all(x >= 0 for x in coefficients):
            weight = list((_poly(weight) * _poly(coefficients) ** int(power.p)).coeffs())
        else:
            return None
    return powers, weight


def is_log_concave(coefficients: Sequence[Number]) -> bool:
    """Whether k! p_k are positive with (k! p_k)^2 >= (k-1)! p_{k-1} (k+1)! p_{k+1}, certainly.

    >>> is_log_concave([fmpq(1), fmpq(1), fmpq(1, 2)]), is_log_concave([fmpq(1), fmpq(0), fmpq(1)])
    (True, False)
    """
    p = coefficients
    if not p or not all(x > 0 for x in p):
        return False
    return all(k * p[k] * p[k] >= (k + 1) * p[k - 1] * p[k + 1] for k in range(1, len(p) - 1))


class Logarithm:
    """N ln P with its derivatives, on the real line and bounded beside it."""

    def __init__(self, coefficients: Sequence[Number], power: arb) -> None:
        self.power = power
        self.p = _poly(coefficients)
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


@dataclass
class Bound:
    """Of a piece: the height of e^L on the ellipse over its top (a logarithm), and of Q."""

    log: arb
    weight: arb


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
        if not self.peak.is_finite():
            return NAN
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
    def _gallop(fallen: object, guess: arb, reach: arb | None, drop: float) -> arb | None:
        """guess 2^k with the least k at which L has fallen by ``drop``; at most ``reach``."""

        def far(k: int) -> bool:
            x = _halved(guess, -k)
            return bool((reach is not None and x >= reach) or fallen(x) >= drop)  # type: ignore[operator]

        step = 1
        if far(0):
            while far(-step):
                step *= 2
                if step > 1 << 40:
                    return None
            low, high = -step, -(step // 2)
        else:
            while not far(step):
                step *= 2
                if step > 1 << 40:
                    return None
            low, high = step // 2, step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if far(middle) else (middle, high)
        x = _halved(guess, -high)
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
        most = max(64, int(0.75 * self.goal) + 24)
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
            wanted = fixed + _float(bound.log) + _log(bound.weight / size)
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
        return -(-best[0] // 8) * 8, best[1], best[2]

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
        return Bound(log_, weight) if log_.is_finite() and weight.is_finite() else None

    def _gauss(self, u: arb, v: arb, count: int, r: float, bound: Bound) -> arb:
        """The integral over [u, v] in units of e^peak."""
        bits = -(-(self.goal + 48) // 64) * 64
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
        error = arb("4.3") * bound.log.exp() * bound.weight * ratio**count / (1 - ratio)
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
