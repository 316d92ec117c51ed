r"""Sums of x^i i^k H_i^j over huge ranges, at a cost that does not grow with the range.

Write x = e^{-z}, z >= 0.

*Powers k >= 0* go by parts.  The polynomial R with R(i) - x R(i+1) = sum of c_k i^k makes
W(i) = x^i R(i) the sum from i on, and

.. math:: \sum_{i=a}^{b} [W(i) - W(i+1)] H_i^j
   = W(a) H_{a-1}^j - W(b+1) H_b^j + \sum_{i=a}^{b} W(i) [H_i^j - (H_i - 1/i)^j],

which has fewer harmonic factors.

*Powers -s, s >= 1* are differences of tails, T(N) = sum over i >= N, by Euler-Maclaurin.
H(t) = psi(t+1) + gamma is a Bernstein function, so H(t)/t is completely monotone, and so are t^-s,
e^{-zt} and all products: f(t) = e^{-zt} t^{-s} H(t)^j with s >= j.  For a completely monotone f the
Euler-Maclaurin remainder has the sign of the first omitted term and is smaller (Schilling, Song
and Vondracek, Bernstein Functions, Thm 3.7 and Cor 3.8; Olver, Asymptotics and Special Functions, 8.3).
The integral over [N, oo) uses H(t) = ln t + gamma + 1/(2t) - sum B_{2k}/(2k t^{2k}), enveloping for t > 0.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, e, log2, pi

from flint import arb, arb_series, ctx, fmpq

from asymp.budget import spend, uncounted
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.arithmetic import NAN, ZERO, Number, bits_of, coefficient, series, to_ball, within
from asymp.enclosure.incomplete import log_power_ends, log_power_tails

Terms = dict[tuple[int, int], Number]
"""(k, j) -> coefficient of i^k H_i^j."""


def geometric_harmonic(decay: Number, terms: Terms, first: int, last: int | None) -> Number | None:
    """Sum of x^i i^k H_i^j, x = e^-decay, i = first..last (``None``: to infinity), first >= 1.

    None means that this method does not apply; nan that the precision is too low, or divergence.

    >>> geometric_harmonic(to_ball(fmpq(2)).log(), {(-1, 0): fmpq(1)}, 1, None).overlaps(arb(2).log())
    True
    """
    exact_one = isinstance(decay, fmpq) and decay == 0
    sign = to_ball(decay)
    if not sign.is_finite():
        return None  # x is not positive: the sum alternates
    if not exact_one and not sign > 0 and (last is None or not sign < 0):
        return NAN
    left: Terms = dict(terms)
    total: list[Number] = []
    rest = ZERO if exact_one else -(-sign).expm1()
    for j in range(max(j for _, j in terms), -1, -1):
        polynomial = {k: c for (k, i), c in left.items() if i == j and k >= 0}
        if not polynomial:
            continue
        if last is None and exact_one:
            return NAN
        for k in polynomial:
            del left[k, j]
        antidifference = _antidifference(polynomial, decay, rest)
        total.append(_edge(antidifference, decay, first, j, first - 1))
        if last is not None:
            total.append(-_edge(antidifference, decay, last + 1, j, last))
        # W(i) [H^j - (H - 1/i)^j] = -W(i) sum over m >= 1 of C(j, m) H^(j-m) (-1/i)^m
        for m in range(1, j + 1):
            for k, c in antidifference.items():
                key = (k - m, j - m)
                share = ar.multiply((fmpq(-comb(j, m) * (-1) ** m), c))
                left[key] = ar.add((left.get(key, ZERO), share))
    left = {key: c for key, c in left.items() if not (isinstance(c, fmpq) and c == 0)}
    if left:
        part = _negative_powers(decay, {(-k, j): to_ball(c) for (k, j), c in left.items()}, first, last)
        if part is None:
            return None
        total.append(part)
    return ar.add(total)


def _antidifference(polynomial: dict[int, Number], decay: Number, rest: Number) -> dict[int, Number]:
    """R with R(i) - x R(i+1) = polynomial(i): from the top coefficient down.  ``rest`` is 1 - x."""
    degree = max(polynomial)
    result: dict[int, Number] = {}
    if isinstance(rest, fmpq):  # x = 1: R has one degree more and is fixed by R(i) - R(i+1)
        for d in range(degree, -1, -1):
            known = [ar.multiply((fmpq(comb(top, d)), c)) for top, c in result.items() if top > d + 1]
            value = ar.add([polynomial.get(d, ZERO), *known])
            result[d + 1] = ar.multiply((fmpq(-1, d + 1), value))
        return result
    x, inverse = 1 - to_ball(rest), 1 / to_ball(rest)
    for d in range(degree, -1, -1):
        known = [ar.multiply((fmpq(comb(top, d)), c)) for top, c in result.items()]
        carried = x * ar.add(known) if known else ZERO
        result[d] = ar.multiply((ar.add((polynomial.get(d, ZERO), carried)), inverse))
    return result


def _edge(polynomial: dict[int, Number], decay: Number, at: int, j: int, harmonic_at: int) -> Number:
    """x^at R(at) H(harmonic_at)^j."""
    point = fmpq(at)
    value = ar.add([ar.multiply((c, ar.integer_power(point, k))) for k, c in polynomial.items()])
    factors = [ar.exponential(ar.multiply((-point, decay))), value]
    if j:
        factors.append(ar.integer_power(ar.harmonic(fmpq(harmonic_at)), j))
    return ar.multiply(factors)


# --- negative powers -------------------------------------------------------------------------

PRICE = 72_000
"""A series of so many terms at so many bits, terms * bits^2, that takes a microsecond where there is a lgamma in it."""

Negative = dict[tuple[int, int], arb]
"""(s, j) -> coefficient of i^-s H_i^j, s >= 1."""


def _negative_powers(decay: Number, terms: Negative, first: int, last: int | None) -> arb | None:
    z = to_ball(decay)
    free = isinstance(decay, fmpq) and decay == 0
    if any(j > s for s, j in terms) or not (free or z > 0):
        return None  # not completely monotone
    if free and last is None and min(s for s, _ in terms) < 2:
        return NAN
    bits = ctx.prec
    enough = int(0.2 * bits) + 8
    count = None if last is None else last - first + 1
    if count is not None and count <= enough:
        return direct(z, terms, first, first + count - 1)
    if free and not any(j for _, j in terms):
        return _zeta(terms, first, last)
    if not free and z > fmpq(1, 2):
        return _steep(z, terms, first, last)
    start = max(first, _from(enough, bits, float(z.abs_upper())) if any(j for _, j in terms) else enough)
    end = None if last is None else tail(z, free, terms, last + 1, start == first)
    closed = None if free or first != 1 else _closed(z, terms)
    if closed is not None and (last is None or last >= enough):
        head = closed
    else:
        head = direct(z, terms, first, start - 1) + tail(z, free, terms, start, True)
    return head if end is None else head - end


def _from(enough: int, bits: int, z: float) -> int:
    """Where the tail begins if powers of H_i are summed: later, the series of H there is shorter, and needs fewer bits."""

    def cost(start: int) -> float:
        length = 2 * em_terms(bits, start.bit_length(), z) + 2
        more = length * max(0.0, log2(length / (2 * pi * e)))  # as far as B_2k/(2k)! times (2k)! has grown
        return start * bits / 4_000 + length * (bits + more + length) ** 2 / PRICE

    return min((enough << k for k in range(10)), key=cost)


def _zeta(terms: Negative, first: int, last: int | None) -> arb:
    """Powers alone: differences of Hurwitz's zeta function, zeta(s, N) = sum over i >= N of i^-s (DLMF 25.11.1)."""
    total = arb(0)
    for (s, _), c in terms.items():
        if s == 1:
            assert last is not None  # it diverges
            value = to_ball(ar.harmonic(fmpq(last))) - to_ball(ar.harmonic(fmpq(first - 1)))
        else:
            value = arb(s).zeta(arb(first)) - (arb(0) if last is None else arb(s).zeta(arb(last + 1)))
        total += c * value
    return total


def direct(z: arb, terms: Negative, first: int, last: int) -> arb:
    """The sum term by term."""
    ratio = (-z).exp()
    power = (-z * first).exp()
    needs_harmonic = any(j for _, j in terms)
    harmonic = to_ball(ar.harmonic(fmpq(first - 1))) if needs_harmonic else arb(0)
    total = arb(0)
    for i in range(first, last + 1):
        if needs_harmonic:
            harmonic += arb(1) / i
        inner = arb(0)
        for (s, j), c in terms.items():
            inner += (c * harmonic**j if j else c) / i**s
        total += power * inner
        power = power * ratio
    return total


def _steep(z: arb, terms: Negative, first: int, last: int | None) -> arb:
    """z not small: stop where x^i is negligible; the rest is below a geometric series.

    Successive terms x^i i^-s H_i^j have ratio at most x (i+2)/(i+1) to the power j.
    """
    length = int((ctx.prec + 20) * 0.7 / float(z.abs_lower()) * 1.2) + 20 if bits_of(z) < 60 else 2
    stop = first + length if last is None else min(last, first + length)
    value = direct(z, terms, first, stop)
    if last is not None and stop == last:
        return value
    x, order = (-z).exp(), max(j for _, j in terms)
    ratio = x * (arb(stop + 3) / (stop + 2)) ** order
    if not ratio < 1:
        return NAN
    edge = sum((abs(c) for c in _at(terms, stop + 1)), arb(0)) * (-z * (stop + 1)).exp()
    return value + within(edge / (1 - ratio))


def _at(terms: Negative, i: int) -> list[arb]:
    harmonic = to_ball(ar.harmonic(fmpq(i)))
    return [c * harmonic**j / arb(i) ** s for (s, j), c in terms.items()]


def _closed(z: arb, terms: Negative) -> arb | None:
    """Sums from 1 to infinity: Li_s(x), and sum of x^i H_i/i = Li_2(x) + ln(1-x)^2/2."""
    if any(not (j == 0 or (s, j) == (1, 1)) for s, j in terms):
        return None
    rest = -(-z).expm1()
    log_rest = rest.log()
    dilogarithm: arb | None = None
    total = arb(0)
    for (s, j), c in terms.items():
        if (s, j) == (1, 0):
            value = -log_rest
        elif s == 2 or j:
            if dilogarithm is None:
                # Li2(x) = pi^2/6 - ln x ln(1-x) - Li2(1-x)
                dilogarithm = arb.pi() ** 2 / 6 + z * log_rest - rest.polylog(2)
            value = dilogarithm + log_rest**2 / 2 if j else dilogarithm
        else:
            value = (-z).exp().polylog(s)
        total += c * value
    return total


def tail(z: arb, free: bool, terms: Negative, start: int, relative: bool = True) -> arb:
    """Sum over i >= start of c e^(-zi) i^-s H_i^j (for z = 0: up to a constant that cancels in differences)."""
    point = arb(start)
    bits = ctx.prec
    if not free:
        u = point * z
        if not relative and u > bits + 50:
            # completely monotone, so decreasing: below f(N)/(1-x)
            edge = sum((abs(c) for c in _at(terms, start)), arb(0)) * (-u).exp()
            return within(edge / -(-z).expm1())
    count = em_terms(bits, bits_of(point), 0.0 if free else float(z.abs_upper()) if bits_of(z) > -900 else 0.0)
    order = max(j for _, j in terms)
    depth = max(s for s, _ in terms) + order * (2 * count + 4) + 1
    rows = log_power_ends(point, order, depth) if free else log_power_tails(z, point, order, depth)
    harmonic = _harmonic_expansion(count + 1)
    total = arb(0)
    for (s, j), c in terms.items():
        inner = arb(0)
        for (m, power), weight in _polynomial_power(harmonic, j).items():
            inner += weight * rows[s + m - 1][power]
        total += c * inner
    return total + _corrections(z, free, terms, start, count)


def em_terms(bits: int, log_n: int, z: float) -> int:
    """How many Euler-Maclaurin terms reach 2^-bits (or as near as they go)."""
    best, best_gain = 1, 0.0
    scale = 2.0 ** min(log_n - 1, 900)
    for count in range(1, 20 + bits):
        step = (z + (2 * count + 2) / (e * scale)) / (2 * pi)
        gain = -(2 * count + 2) * log2(step) if step > 0 else 1e9
        if gain > best_gain:
            best, best_gain = count, gain
        if gain > bits + 10 or gain < best_gain - 20:
            break
    return best


def _harmonic_expansion(count: int) -> dict[tuple[int, int], Number]:
    """(m, l) -> coefficient of t^-m ln(t)^l in H(t); the last is a ball: the enveloping remainder."""
    result: dict[tuple[int, int], Number] = {(0, 1): ar.ONE, (0, 0): arb.const_euler(), (1, 0): ar.HALF}
    for k in range(1, count + 1):
        result[2 * k, 0] = -_bernoulli_over(2 * k, ctx.prec)
    last = 2 * count + 2
    result[last, 0] = within(_bernoulli_over(last, ctx.prec))
    return result


@uncounted
@lru_cache(maxsize=5_000)
def _bernoulli_over(n: int, bits: int) -> arb:
    """B_n/n at the precision in force, which is ``bits``: hundreds of them are wanted for each of many sums."""
    assert bits == ctx.prec
    return arb.bernoulli(n) / n


def _polynomial_power(base: dict[tuple[int, int], Number], exponent: int) -> dict[tuple[int, int], Number]:
    if exponent == 0:
        return {(0, 0): ar.ONE}
    result = base
    for _ in range(exponent - 1):
        product: dict[tuple[int, int], Number] = {}
        for (m, i), a in result.items():
            for (k, j), b in base.items():
                key = (m + k, i + j)
                product[key] = product.get(key, ZERO) + to_ball(a) * b
        result = product
    return result


@uncounted
@lru_cache(maxsize=256)
def _powers_at(start: int, s: int, j: int, length: int, weight: int, bits: int) -> arb_series:
    """t^-s H(t)^j about t = ``start``, at the precision in force, which is ``bits``; its far coefficients have 2^weight before
    them, and flint's series of lgamma loses about a bit a term."""
    if j:
        with ctx.workprec(bits + weight + length + 10):
            h = series([arb(start) + 1, 1], length + 1).lgamma().derivative() + arb.const_euler()
        return _powers_at(start, s, j - 1, length, weight, bits) * h
    return series([arb(start), 1], length).inv() ** s


def _corrections(z: arb, free: bool, terms: Negative, start: int, count: int) -> arb:
    """f(N)/2 - sum of B_2k/(2k)! f^(2k-1)(N) for k = 1..count, and the first omitted term as radius."""
    length = 2 * count + 2
    weights = [_bernoulli_over(2 * k, ctx.prec) for k in range(1, count + 2)]
    decay = series([arb(1)], length) if free else (series([arb(0), -z], length).exp() * (-arb(start) * z).exp())
    total, more = arb(0), max(0, bits_of(weights[-1]))
    for (s, j), c in terms.items():
        spend(length * (ctx.prec + more + length) ** 2 // PRICE if j else length)
        f = decay * _powers_at(start, s, j, length, more, ctx.prec)
        value = coefficient(f, 0) / 2
        for k in range(1, count + 1):
            value -= weights[k - 1] * coefficient(f, 2 * k - 1)
        total += c * (value + remainder(weights[count] * coefficient(f, 2 * count + 1)))
    return total


def remainder(omitted: arb) -> arb:
    """The ball of the Euler-Maclaurin remainder, given the first omitted term."""
    return within(omitted)
