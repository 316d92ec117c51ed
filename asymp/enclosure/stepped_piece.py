r"""Stretches of a :class:`~asymp.enclosure.stepped.Stepped` term, on which it is hypergeometric, and sums over pieces of them.

On the states a + qk the term is T(k), T(k+1)/T(k) = r(k) a product of linear forms.  On k = m - h, ..., m + h Taylor's
polynomial p of ln r at m, and the polynomial P with P(k+1) - P(k) = p(k), P(m) = 0, give ln T(k)/T(m) = P(k) + e with
|e| <= 2h sup |ln r - p|; Taylor's polynomial of e^P W at m (W the weights, and in a stretch of periods the terms between) is
summed by the sums of powers of k - m.  What is left of both series after N terms is bounded by Cauchy: on |k - m| <= h at
most (h/R)^N/(1 - h/R) times a bound on |z - m| <= R.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from flint import arb, arb_series, ctx, fmpq, fmpz

from asymp.budget import spend, uncounted
from asymp.enclosure.arithmetic import halved, series, whole_above, within
from asymp.enclosure.peaked import Term
from asymp.enclosure.stepped import Form, Step, Stepped


class TooLong(Exception):
    """More states or pieces than are worth adding."""


@dataclass
class Local:
    """The term on a stretch a, a + way P, ..., with its forms and its logarithm."""

    steps: list[Step]
    weights: list[list[list[tuple[int, int, int]]]]  # of each state of a period, of each weight
    forms: dict[Form, int]
    factor: fmpq | arb  # what each period brings besides the forms
    count: int

    @cached_property
    def log(self) -> arb:
        """ln of the factor."""
        return arb(self.factor).log()

    @cached_property
    def term(self) -> Term:
        """ln T."""
        parts: list[tuple[str, arb, arb, int]] = []
        log = self.log
        for (c, d), w in self.forms.items():
            log += w * arb(abs(d) or c).log()
            if d > 0:
                parts.append(("gamma", arb(w), arb(fmpq(c, d)), 1))
            elif d < 0:
                parts.append(("gamma", arb(-w), arb(fmpq(c, -d) + 1), -1))
        return Term(parts, log)

    def growth(self, k: int) -> arb:
        """ln T(k+1)/T(k)."""
        return sum((w * arb(c + d * k).log() for (c, d), w in self.forms.items()), self.log)

    def rise(self, k: int, to: int) -> arb:
        """ln T(to)/T(k)."""
        return self.term.value(arb(to)) - self.term.value(arb(k))


def stretch(term: Stepped, a: int, way: int, period: int) -> Local:
    """The term on a, a + way P, ...: as far as it goes by one rational step, or for P > 1 to the end of the range."""
    count = term.length(a, way) if period == 1 else abs((term.last if way > 0 else term.first) - a) // period
    steps, weights = [], []
    forms: dict[Form, int] = {}
    factor: fmpq | arb = fmpq(1)
    for r in range(period):
        step = term.step(a + way * r, way, way * period) if count > 1 or period > 1 else Step({}, fmpq(1))
        if step is None:
            raise TooLong
        steps.append(step)
        weights.append(term.weight_forms(a + way * r, way * period))
        factor = factor * step.plain
        for form, w in step.forms.items():
            forms[form] = forms.get(form, 0) + w
    forms = {form: w for form, w in forms.items() if w}
    for c, d in forms:
        if c <= 0 or c + d * (count - 2 + (period > 1)) <= 0:
            raise TooLong  # a ratio that is not positive
    return Local(steps, weights, forms, factor, count)


def turn(local: Local, k: int, last: int) -> int:
    """About where from k on the terms of the stretch turn, or ``last``: only a guide."""
    rises = local.growth(k).mid() > 0
    if k >= last or (local.growth(last - 1).mid() > 0) == rises:
        return last
    return halved(k, last, lambda j: (local.growth(j).mid() > 0) == rises)


def peak(local: Local) -> int:
    """The k with the largest term of the stretch, or the larger end: only a guide."""
    last = local.count - 1
    if last < 1:
        return 0
    best, top = 0, arb(0)
    for k in (turn(local, 0, last), last):
        rise = local.rise(0, k).mid()
        if rise > top:
            best, top = k, rise
    return best


# --- pieces ---------------------------------------------------------------------------------------------


def half_length(local: Local, k: int) -> tuple[int, arb]:
    """Half the length of the piece that begins at k, and the radius of its disc: only a guide."""
    slope, bend = abs(local.growth(k)), arb(0)
    radius = arb(512 * local.count)
    for (c, d), w in local.forms.items():
        here = arb(c + d * k)
        bend += w * d / here
        if d:
            radius = radius.min(here / (3 * abs(d)))
    bend, most = abs(bend), arb(ctx.prec) / 6
    # slope R + bend R^2/2 = most
    reach = 2 * most / (slope + (slope * slope + 2 * bend * most).sqrt())
    radius = (radius if radius < reach else reach).mid()
    return max(0, whole_above(radius / 4) - 1) if radius.is_finite() else 0, radius


def add_piece(local: Local, k: int, half: int, radius: arb, t: arb) -> tuple[list[arb], arb]:
    """The sums over k, ..., k + 2 half of T times each weight, T(k) being t; and T at the last."""
    bits, width = ctx.prec, arb(half)
    length = whole_above((bits * fmpq(11, 8) / ((radius / width).log() / arb(2).log())).mid()) + 4
    spend(length * length * (1 + bits // 1000) // 4 + 20 * len(local.forms))
    weights, bounds, growth, change = _weights(local, k + half, half, radius, length)
    small = (width / radius) ** length / (1 - width / radius)
    log = _antidifference(growth, half)
    known = log.coeffs()
    fall = within(2 * width * change * small)  # of ln T(j) at any j of the piece
    evens, odds = sum(known[2::2], fall), sum(known[1::2], arb(0))
    ratio, size = radius / width, arb(0)
    for c in reversed(known):
        size = size * ratio + abs(c)
    size = size.exp()
    peak = t / (evens - odds).exp()
    local_term = log.exp()
    powers = _power_sums(half, -(-length // 16) * 16, bits)
    wrong = (2 * half + 1) * size * (small + fall.abs_upper().expm1())
    total = []
    for one, bound in zip(weights, bounds, strict=True):
        inside = within(wrong * bound)
        for c, power in zip((local_term * one).coeffs()[::2], powers[::2], strict=False):
            inside += c * power
        total.append(peak * inside)
    return total, peak * (evens + odds).exp()


def _weights(
    local: Local, centre: int, half: int, radius: arb, length: int
) -> tuple[list[arb_series], list[arb], arb_series, arb]:
    """At the centre, in units of ``half``: the series of the weights, summed over a period, and their bounds on the disc;
    that of ln T(k+1)/T(k), and a bound of its change on the disc."""
    total = [series([0], length) for _ in local.weights[0]]
    bounds = [arb(0) for _ in local.weights[0]]
    inner, size, change = series([1], length), arb(1), arb(0)
    for step, weights in zip(local.steps, local.weights, strict=True):
        for at, one in enumerate(weights):
            product, bound = inner, size
            for c, d, w in one:
                form = series([c + d * centre, d * half], length)
                for _ in range(w):
                    product, bound = product * form, bound * (abs(c + d * centre) + abs(d) * radius)
            total[at], bounds[at] = total[at] + product, bounds[at] + bound
        plain = arb(step.plain)
        tops, bottoms = series([plain], length), None
        size = size * plain
        for (c, d), w in step.forms.items():
            form, here, spread = series([c + d * centre, d * half], length), c + d * centre, abs(d) * radius
            if not here > spread:
                raise TooLong
            change -= abs(w) * (-spread / here).log1p()
            for _ in range(abs(w)):
                if w > 0:
                    tops, size = tops * form, size * (here + spread)
                else:
                    bottoms, size = form if bottoms is None else bottoms * form, size / (here - spread)
        inner = inner * tops if bottoms is None else inner * tops / bottoms
    return total, bounds, inner.log(), change


def _antidifference(growth: arb_series, half: int) -> arb_series:
    """The polynomial P with P(u + 1/half) - P(u) = growth(u), P(0) = 0: sum of B_i/i! half^(1-i) times the (i-1)st derivative."""
    length = growth.prec
    factorials, scales, bernoulli = _bernoulli(half, -(-length // 16) * 16, ctx.prec)
    known = growth.coeffs()
    known += [arb(0)] * (length - len(known))
    turned = series([c * f for c, f in zip(reversed(known), reversed(factorials[:length]), strict=True)], length)
    both = (turned * series(bernoulli[:length], length)).coeffs()
    both += [arb(0)] * (length - len(both))
    return series([0, *(c * f for c, f in zip(reversed(both[1:]), scales[1:length], strict=True))], length)


@uncounted
@lru_cache(maxsize=1024)
def _bernoulli(half: int, length: int, bits: int) -> tuple[list[arb], list[arb], list[arb]]:
    """m!, half/m! and B_m/m! half^-m (B_1 = -1/2) for m < length."""
    with ctx.workprec(bits + 32):
        factorials = [arb(fmpz.fac_ui(m)) for m in range(length)]
        inverse = 1 / arb(half)
        bernoulli = [(arb.bernoulli(m) if m != 1 else -arb(1) / 2) / f * inverse**m for m, f in enumerate(factorials)]
        return factorials, [half / f for f in factorials], bernoulli


@uncounted
@lru_cache(maxsize=1024)
def _power_sums(half: int, length: int, bits: int) -> list[arb]:
    """The sums of (j/half)^m over -half <= j <= half, for m < length."""
    with ctx.workprec(bits + 2 * length + 32):
        inverse = 1 / arb(half)
        bernoulli = [arb.bernoulli(2 * i) for i in range(1, length // 2 + 2)]
        result = [arb(2 * half + 1)]
        for m in range(1, length):
            if m % 2:
                result.append(arb(0))
                continue
            # h/(m+1) + 1/2 + sum over i of C(m, 2i-1) B_2i/(2i) h^(1-2i), twice
            total, choose, scale = arb(half) / (m + 1) + fmpq(1, 2), arb(m), inverse
            for i in range(1, m // 2 + 1):
                total += bernoulli[i - 1] * choose / (2 * i) * scale
                choose = choose * (m - 2 * i + 1) * (m - 2 * i) / ((2 * i) * (2 * i + 1))
                scale = scale * inverse * inverse
            result.append(2 * total)
        return result
