r"""Integrals of powers of polynomials against an exponential, certified at any size of the powers.

.. math:: I = \int_a^b Q(t) \prod_j P_j(t)^{N_j} e^{-ct} dt, \qquad 0 \le a < b \le \infty,\ N_j > 0,

where P(t) = sum of a_k t^k/k! with a_0, ..., a_d > 0 and a_k^2 >= a_{k-1} a_{k+1} (a truncated exponential series has
a_k = 1), and Q has no negative coefficient.

*P is log-concave on t >= 0.*  The coefficient of t^m/m! in P P'' - P'^2 is the sum over i <= m of
C(m,i) (b_i - b_{i+1}), b_i = a_i a_{m+2-i}; summed by parts and folded at the middle it is the sum over i < (m+1)/2 of
(C(m,i) - C(m,i-1)) (b_i - b_{i+1}), and b rises to its middle.  So L = sum N_j ln P_j - ct is concave.

What is done with it is in :mod:`asymp.enclosure.concave`.  A polynomial in t is what is written as one, or a Sum of
c(k) t^k over k from a number to what need not be one.

>>> with ctx.workprec(100):  # (1 + t)^n e^(-nt) at n = 10^8: about sqrt(pi/2n)
...     power_integral([([fmpq(1), fmpq(1)], fmpq(10)**8)], fmpq(10)**8).str(10)
'[0.0001253380805 +/- 2.66e-15]'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, arb_poly, ctx, fmpq, fmpq_poly

from asymp.budget import spend
from asymp.enclosure.algebra import OO, base_and_exponent, body_of, factors, has, log_of, negative, plus, times, whole
from asymp.enclosure.arithmetic import NAN, Number, add, bits_of, to_ball, to_integer
from asymp.enclosure.arithmetic import multiply as product
from asymp.enclosure.calculus import coefficients as coefficients_of
from asymp.enclosure.calculus import line
from asymp.enclosure.concave import Job, Logarithm
from asymp.enclosure.concave import polynomial as in_balls
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.plan import Body, Builder
from asymp.enclosure.signs import signs
from asymp.kernel import terms as kernel_terms
from asymp.kernel.terms import Term, name
from asymp.kernel.terms import read as read

Power = tuple[Sequence[Number], Number]
"""The coefficients of a polynomial, the constant first, and the power that it is raised to."""
MOST_EXPANDED = 160
"""Degrees up to which the integrand is multiplied out."""
FEW, MOST_OF_FEW = 12, 12_000
"""The same where the powers sum to no more than 12."""


def power_integral(factors: Sequence[Power], rate: Number, low: Number | int = 0, high: Number | None = None) -> Number | None:
    """The integral of the product of the powers, times e^(-rate t), from ``low`` to ``high`` (None: to infinity).

    The result is exact where all is rational and short, not finite where the precision is too low, and None where the factors or
    the range are of another kind than is treated here.

    Raises:
        Undecided: thousands of digits are asked for.
    """
    start, stop = to_ball(low) if not isinstance(low, int) else arb(low), None if high is None else to_ball(high)
    c = to_ball(rate)
    cut = [(list(coefficients), power) for coefficients, power in factors]
    for coefficients, _ in cut:
        while coefficients and isinstance(coefficients[-1], fmpq) and coefficients[-1] == 0:
            coefficients.pop()
    if not (start.is_finite() and c.is_finite()):
        return NAN
    if not (start >= 0 and all(coefficients for coefficients, _ in cut)) or (stop is None and not c > 0):
        return None
    if stop is not None and not (stop.is_finite() and stop > start):
        return None
    if stop is None and start.is_zero():
        value = expanded(cut, rate)
        if value is not None:
            return value
    found = sorted_out(cut)
    if found is None or not start.is_exact() or (stop is not None and not stop.is_exact()):
        return None
    powers, weight = found
    degrees = sum(((len(p) - 1) * abs(to_ball(power)) for p, power in powers), arb(1))
    bits = ctx.prec
    with ctx.workprec(bits + max(0, bits_of(degrees)) + 32):
        terms = [Logarithm(p, to_ball(power)) for p, power in powers]
        job = Job(terms, in_balls(weight), to_ball(rate), start, stop, bits - 24)
        value = job.integral()
    return +value


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
    if degree > (MOST_OF_FEW if sum(power or 0 for power in whole) <= FEW else MOST_EXPANDED):
        return None
    exact = isinstance(rate, fmpq) and all(isinstance(x, fmpq) for p, _ in factors for x in p)
    height = max([1, *(x.height_bits() for p, _ in factors for x in p if isinstance(x, fmpq))])
    exact = exact and (degree + 1) * (height + (rate.height_bits() if isinstance(rate, fmpq) else 0)) < 4 * ctx.prec
    with ctx.workprec(ctx.prec + 2 * degree.bit_length() + 8):
        found = [fmpq(1)] if exact else [arb(1)]
        for (coefficients, _), power in zip(factors, whole, strict=True):
            given = list(coefficients) if exact else [to_ball(x) for x in coefficients]
            found = _times(found, given, power or 0)
        spend(degree + 1)
        total = fmpq(0) if exact else arb(0)
        c = rate if exact else to_ball(rate)
        for k in range(len(found) - 1, -1, -1):  # p_0 + (1/c)(p_1 + (2/c)(p_2 + ...))
            total = found[k] + total * (k + 1) / c
        total = total / c
    return total if exact else +total


def _times(product: list[Number], coefficients: list[Number], power: int) -> list[Number]:
    """The product with a power of a polynomial, all exact or all balls."""
    if all(isinstance(x, fmpq) for x in (*product, *coefficients)):
        return list((fmpq_poly(product) * fmpq_poly(coefficients) ** power).coeffs())
    return list((arb_poly(product) * arb_poly(coefficients) ** power).coeffs())


# --- the form --------------------------------------------------------------------------------


def sorted_out(factors: Sequence[Power]) -> tuple[list[Power], list[Number]] | None:
    """The factors that are log-concave by their coefficients, and the product Q of the rest; None where a factor is neither."""
    powers: list[Power] = []
    weight: list[Number] = [fmpq(1)]
    for coefficients, power in factors:
        if to_ball(power).is_zero() or (len(coefficients) == 1 and power == 1 and coefficients[0] == 1):
            continue
        if power > 0 and is_log_concave(coefficients):
            powers.append((coefficients, power))
        elif isinstance(power, fmpq) and power in range(1, 65) and all(x >= 0 for x in coefficients):
            weight = list((in_balls(weight) * in_balls(coefficients) ** int(power.p)).coeffs())
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


# --- recognised in a plan -------------------------------------------------------------------------

Read = Callable[[Any], list[Number] | None]
"""The coefficients from the values of a plan; None where the range is not whole, or too long."""
MOST_PLAIN = 20
"""Powers up to which an integrand is one of terms of known degrees, which have closed forms."""
MOST_TERMS = 2_000
"""Terms of a sum whose length is not known beforehand."""


def build(
    builder: Builder, body: Term, t: str, low: Term, high: Term
) -> Callable[[Any], Number | None] | None:
    """The integral of ``body`` over t as a function of the values of a plan; None where it has another form, which for some
    values alone the function may answer too.

    >>> body = read("Sum(t^k/factorial(k), (k, 0, 2))^n*exp(-n*t)")
    >>> [build(Builder(), f, "t", read("0"), read("oo")) is None for f in (body, read("sin(t)"))]
    [False, True]
    """
    if not signs(low, builder.positive) <= {0, 1} or body.head not in ("product", "power"):
        return None
    rates: list[Term] = []
    constants: list[Term] = []
    powers: list[tuple[Read, int]] = []
    raised = False
    for part in factors(body):
        if t not in part.free:
            constants.append(part)
            continue
        base, exponent = base_and_exponent(part)
        if t not in base.free:
            straight = line(exponent, t)
            if straight is None:
                return None
            rates.append(times(negative(straight[0]), log_of(base)))
            constants.append(Term("exp", (times(straight[1], log_of(base)),)))
            continue
        if t in exponent.free or signs(exponent) == {-1}:
            return None
        read_off = polynomial(builder, base, t)
        if read_off is None:
            return None
        n = whole(exponent)
        raised = raised or n is None or n > MOST_PLAIN
        powers.append((read_off, builder.place(exponent)))
    if not raised:
        return None
    stop = None if high == OO else builder.place(high)
    start, rate = builder.place(low), builder.place(plus(*rates)) if rates else None
    factor = builder.place(kernel_terms.multiply(*constants)) if constants else None

    def value(v: Any) -> Number | None:
        given = []
        for read_off, exponent in powers:
            several = read_off(v)
            if several is None:
                return None
            if not all(to_ball(x).is_finite() for x in (*several, v[exponent])):
                return NAN
            given.append((several, v[exponent]))
        found = power_integral(given, fmpq(0) if rate is None else v[rate], v[start], None if stop is None else v[stop])
        return found if factor is None or found is None else product((v[factor], found))

    return value


def polynomial(builder: Builder, term: Term, t: str) -> Read | None:
    """The coefficients of a polynomial in t, the constant first; None where it is none."""
    if term.head == "sum" and has(term, "Sum"):
        parts = [polynomial(builder, part, t) for part in term.parts]
        return None if any(part is None for part in parts) else lambda v: _added([part(v) for part in parts if part])
    if term.head == "Sum":
        return _sum(builder, term, t)
    terms = coefficients_of(term, t)
    if terms is None:
        return None
    places = [builder.place(c) for c in terms]
    return lambda v: [v[k] for k in places]


def _sum(builder: Builder, total: Term, t: str) -> Read | None:
    body, k, low, high = body_of(total)
    first = whole(low)
    if t in high.free or first is None or first < 0:
        return None
    rest, found = [], False
    for part in factors(body):
        if part == kernel_terms.power(name(t), name(k)) and not found:
            found = True
        elif t in part.free:
            return None
        else:
            rest.append(part)
    if not found:
        return None
    plan = builder.body(times(*rest), k)
    last = builder.place(high)

    def read(v: Any) -> list[Number] | None:
        top = to_integer(v[last])
        if top is not None and top > MOST_TERMS:
            raise Undecided(f"an integral of a power of a polynomial of degree {_short(top)}: up to {MOST_TERMS} is tried")
        if top is None or top < first - 1:
            return None
        term = Body(plan, v)
        return [fmpq(0)] * first + [term(fmpq(j)) for j in range(first, int(top) + 1)]

    return read


def _short(number: Any) -> str:
    return str(number) if number < 10**20 else "beyond 10^20"


def _added(parts: list[list[Number] | None]) -> list[Number] | None:
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    return [add([part[k] for part in known if k < len(part)]) for k in range(max(map(len, known)))]
