r"""Incomplete gamma functions, their derivatives in the parameter, and the like, as real balls.

.. math:: \Gamma^{(k)}(a, u) = \int_u^\infty e^{-s} s^{a-1} (\ln s)^k ds
    = \partial_a^k \Bigl[\Gamma(a) - \sum_{m \ge 0} \frac{(-1)^m u^{a+m}}{m!\,(a+m)}\Bigr],

where at a = 0 the pole of Gamma cancels that of the term m = 0.  The sums are hypergeometric
functions with argument -u: they cancel like e^u, so the working precision is raised by
1.45 u bits twice (the result is about e^-u); for large u the integral is expanded at its end point instead.
"""

from __future__ import annotations

from math import comb, factorial, log2

from flint import arb, ctx, fmpq

from asymp.enclosure.arithmetic import NAN, Number, bits_of, coefficient, series, to_ball, to_integer, within


def gamma_derivative(order: int, parameter: Number, u: arb) -> arb:
    """The k-th derivative in a of Gamma(a, u), for u > 0.

    >>> with ctx.workprec(80): gamma_derivative(1, fmpq(0), arb(1)).str(12, radius=False)
    '0.0978431972167'
    """
    if not u > 0:
        return NAN
    bits = ctx.prec
    if bits_of(u) > 4 and u > bits // 3:
        far = _far(order, to_ball(parameter), u, bits)
        if far is not None:
            return far
    if bits_of(u) > 18:
        return NAN
    extra = int(2.9 * float(u.abs_upper())) + 20 if bits_of(u) > -2 else 16
    with ctx.workprec(bits + extra):
        whole = to_integer(parameter)
        value = (
            _integer(order, int(whole), u)
            if whole is not None and abs(whole) < 10_000
            else _plain(order, to_ball(parameter), u)
        )
    return +value


def complete_derivative(order: int, parameter: fmpq) -> arb:
    """The k-th derivative of Gamma(a), a > 0: the integral from 0."""
    if not parameter > 0:
        return NAN
    return factorial(order) * coefficient(series([arb(parameter), arb(1)], order + 2).gamma(), order)


def _integer(order: int, parameter: int, u: arb) -> arb:
    """From a = 0 by Gamma^(k)(a+1) = a Gamma^(k)(a) + k Gamma^(k-1)(a) + u^a e^-u ln(u)^k."""
    row = [_at_zero(k, u) for k in range(order + 1)]
    decay, log = (-u).exp(), u.log()
    powers = [decay]
    for _ in range(order):
        powers.append(powers[-1] * log)
    if parameter > 0:
        scale = arb(1)
        for a in range(parameter):
            row = [a * row[k] + (k * row[k - 1] if k else 0) + scale * powers[k] for k in range(order + 1)]
            scale = scale * u
    else:
        scale = arb(1)
        for a in range(-1, parameter - 1, -1):
            scale = scale / u
            lower: list[arb] = []
            for k in range(order + 1):
                rest = row[k] - scale * powers[k] - (k * lower[k - 1] if k else 0)
                lower.append(rest / a)
            row = lower
    return row[order]


def _at_zero(order: int, u: arb) -> arb:
    """a = 0: k! [a^k](Gamma(a) - u^a/a) - sum over m >= 1, both convergent for every u > 0."""
    log = u.log()
    taylor = series([arb(1), arb(1)], order + 2).gamma()  # Gamma(1 + a)
    k = order
    pole = factorial(k) * coefficient(taylor, k + 1) - log ** (k + 1) / (k + 1)
    total = arb(0)
    for r in range(k + 1):
        # sum over m >= 1 of (-u)^m / (m! m^(r+1)) = -u pFq(1, .., 1; 2, .., 2; -u)
        tail = -u * (-u).hypgeom([1] * (r + 2), [2] * (r + 2))
        total += comb(k, r) * log ** (k - r) * (-1) ** r * factorial(r) * tail
    return pole - total


def _plain(order: int, a: arb, u: arb) -> arb:
    """a not a pole: Gamma^(k)(a) minus the lower incomplete function, term by term."""
    k, log = order, u.log()
    taylor = series([a, arb(1)], k + 1).gamma()
    total = arb(0)
    for r in range(k + 1):
        tail = (-u).hypgeom([a] * (r + 1), [a + 1] * (r + 1)) / a ** (r + 1)
        total += comb(k, r) * log ** (k - r) * (-1) ** r * factorial(r) * tail
    return factorial(k) * coefficient(taylor, k) - u**a * total


def _far(order: int, a: arb, u: arb, bits: int) -> arb | None:
    r"""Large u: with s = u(1+v), e^-u u^a times the integral of e^(-uv) g(v), g(v) = (1+v)^(a-1) (ln u + ln(1+v))^k.

    Taylor at v = 0 to M terms.  The disc of radius (1+v)/2 around v lies in the cut plane, where
    |g| <= (1+v)^(a-1) 2^|a-1| (ln u + ln(1+v) + 2)^k (|ln(z)| <= ln(1+v) + ln 2 + pi/6), so Cauchy bounds
    the remainder by 2^M v^M sup |g| / (1+v)^M.  With M >= a + k + 1 the powers of 1+v decrease:
    |rest| <= 2^(M+|a-1|) (ln u + 2)^k  M!/u^(M+1), because ln u + 2 + ln(1+v) <= (ln u + 2)(1+v).
    """
    log = u.log()
    size = float(u.abs_lower()) if bits_of(u) < 1000 else 1e300
    goal, best, terms = bits + 8, None, 0
    # 2^M M!/u^M is least near M = u/2, where it is about e^(-u/2)
    spent = 0.0
    while terms < size / 2:
        terms += 1
        spent += log2(2 * terms / size)
        if -spent > goal:
            best = terms
            break
    if best is None:
        return None
    count = max(best, int(abs(float(a.mid()))) + order + 3) if bits_of(a) < 30 else None
    if count is None or count > 5 * bits + 1000:
        return None
    v = series([arb(1), arb(1)], count)
    g = ((a - 1) * v.log()).exp() if not (a - 1).is_zero() else series([arb(1)], count)
    if order:
        g = g * (v.log() + log) ** order
    total, weight = arb(0), 1 / u
    for m in range(count):
        total += coefficient(g, m) * weight
        weight = weight * (m + 1) / u
    # weight is now count!/u^(count+1)
    rest = weight * arb(2) ** (count + abs(a - 1)) * (log + 2) ** order
    return (-u).exp() * u**a * (total + within(rest))


def log_power_tails(z: arb, start: arb, order: int, count: int) -> list[list[arb]]:
    r"""I[s-1][l] = integral from N to oo of e^(-zt) t^(-s) ln(t)^l dt, for s = 1..count, l = 0..order.

    z > 0.  s = 1 comes from Gamma^(k)(0, u), u = N z, with ln t = ln s - ln z; then by parts
    I(s+1, l) = (N^(-s) e^(-u) ln(N)^l - z I(s, l) + l I(s+1, l-1)) / s, which loses up to 1.45 u bits.
    """
    u = start * z
    log_z, log_n = z.log(), start.log()
    base = [gamma_derivative(k, fmpq(0), u) for k in range(order + 1)]
    first = []
    for power in range(order + 1):
        terms = (comb(power, k) * base[k] * (-log_z) ** (power - k) for k in range(power + 1))
        first.append(sum(terms, arb(0)))
    return _by_parts(first, (-u).exp(), z, start, log_n, count)


def log_power_ends(start: arb, order: int, count: int) -> list[list[arb]]:
    """The same for z = 0, where s = 1 diverges and stands for -ln(N)^(l+1)/(l+1): differences are right."""
    log_n = start.log()
    first = [-(log_n ** (k + 1)) / (k + 1) for k in range(order + 1)]
    return _by_parts(first, arb(1), arb(0), start, log_n, count)


def _by_parts(first: list[arb], decay: arb, z: arb, start: arb, log_n: arb, count: int) -> list[list[arb]]:
    rows = [first]
    inverse = 1 / start
    for s in range(1, count):
        decay = decay * inverse  # e^-u N^-s
        row: list[arb] = []
        edge = decay
        for power, below in enumerate(rows[-1]):
            value = edge - z * below
            if power:
                value += power * row[power - 1]
                # edge is e^-u N^-s ln(N)^l
            row.append(value / s)
            edge = edge * log_n
        rows.append(row)
    return rows
