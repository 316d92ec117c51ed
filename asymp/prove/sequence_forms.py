"""Terms that a sequence declared by a recurrence may be: proposals, which the kernel proves by induction.

Of first order: a(n) = r(n) a(n-1) + b(n) is h(n) (a(m) + sum of b(k)/h(k)) with h(n) = r(m+1) ... r(n), a product of
Gammas where r is a quotient of polynomials; of constant coefficients: by the zeros of the characteristic polynomial.

>>> from asymp.language.statement import read_statement
>>> from asymp.kernel.growths.declared import declared
>>> said = read_statement("a(n) = 0 for sequence a(n), n*a(n) = (n+1)*a(n-1) + 2*n, a(0) = 0")
>>> (f, start), *_ = closed_forms(declared(said, "a"))
>>> print(f, start)
2*(harmonic(n + 1) - harmonic(1))*(n + 1) 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import isqrt

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.declared import Declared, linear, polynomial
from asymp.kernel.rings.polynomials import Poly, derived, divided, rational_zeros, solution, times, value_at
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    add,
    call,
    multiply,
    name,
    negative,
    number,
    power,
    reciprocal,
    substitute,
)

GUESSED, MOST_GUESSED = 12, 3
"""Values that a guess is to have, and the degrees of its polynomials."""
OTHERS = ((1, 1), (1, 2), (1, 0), (0, 1), (1, -1), (1, 3), (2, 1))
"""First values of other solutions that are tried."""


def closed_forms(found: Declared) -> Iterator[tuple[Term, int]]:
    """Terms that the sequence may be, and from where."""
    yield from _by_recurrence(found)
    for way in (_rational_form, _hypergeometric_form, _reduced_form):
        with suppress(Refused, ZeroDivisionError):
            yield way(found), found.first


def _by_recurrence(found: Declared) -> Iterator[tuple[Term, int]]:
    try:
        parts, rest = linear(found)
    except Refused:
        return
    n = found.variable
    shift = {n: add(name(n), number(-found.top))}
    lead = polynomial(substitute(found.lead, shift), n)
    each = {j - found.top: polynomial(substitute(c, shift), n) for j, c in parts.items()}
    beside = negative(substitute(rest, shift))
    if lead is None or any(p is None for p in each.values()):
        return
    back = {-j: [-c for c in p] for j, p in each.items() if p is not None and any(p)}
    for way in (_constant, _first_order):
        try:
            yield way(found, lead, back, beside), found.first
        except Refused:
            continue


# --- guesses by the first values --------------------------------------------------------------------------------


def _rational_form(found: Declared) -> Term:
    """A quotient of polynomials that has the first values."""
    p, q = _through([mpq(found.at(found.first + k)) for k in range(GUESSED)], found.first)
    n = found.variable
    return multiply(poly_term(p, n), reciprocal(poly_term(q, n))) if len(q) > 1 else poly_term([c / q[0] for c in p], n)


def _hypergeometric_form(found: Declared) -> Term:
    """A product of Gammas, where a(n)/a(n - 1) is a quotient of polynomials at the first values."""
    values = [mpq(found.at(found.first + k)) for k in range(GUESSED + 1)]
    p, q = _through([y / x for x, y in pairwise(values)], found.first + 1)
    return multiply(number(values[0]), _product(_factors(p), _factors(q), found.variable, found.first))


def _reduced_form(found: Declared) -> Term:
    """h(n) (c + sum of d(k)), with a product h of Gammas that obeys the recurrence too, and such a d."""
    n, m, size = found.variable, found.first, len(found.begins)
    if size != 2:
        raise Refused("not of second order")
    values = [mpq(found.at(m + k)) for k in range(GUESSED + 2)]
    for begins in OTHERS:
        other = replace(found, begins=tuple(node_of(number(mpq(x))) for x in begins), known=[])
        h = [mpq(other.at(m + k)) for k in range(GUESSED + 2)]
        try:
            p, q = _through([y / x for x, y in pairwise(h)], m + 1)
            d = [x / y for x, y in zip(values, h, strict=True)]
            d = [y - x for x, y in pairwise(d)]
            u, v = _through([y / x for x, y in pairwise(d)], m + 2)
            main = multiply(number(h[0]), _product(_factors(p), _factors(q), n, m))
            k = "k" if n != "k" else "j"
            body = multiply(number(d[0]), _product(_factors(u), _factors(v), k, m + 1))
        except (Refused, ZeroDivisionError):
            continue
        return multiply(main, add(number(values[0] / h[0]), terms.read(f"Sum({body}, ({k}, {m + 1}, {n}))")))
    raise Refused("no other solution is guessed")


def _through(values: list[mpq], first: int) -> tuple[Poly, Poly]:
    """p and q of the least degrees with p(first + k) = values_k q(first + k), and q != 0 there.

    Raises:
        Refused: there are none of low degree.
    """
    for below in range(MOST_GUESSED + 1):
        for above in range(MOST_GUESSED + 1):
            size = above + below + 1
            rows = []
            for k in range(size):
                x, y = mpq(first + k), values[k]
                rows.append([*(x**i for i in range(above + 1)), *(-y * x**i for i in range(below)), y * x**below])
            try:
                solved = solution(rows)
            except Refused:
                continue
            p, q = solved[: above + 1], [*solved[above + 1 :], mpq(1)]
            at = [(value_at(p, mpq(first + k)), value_at(q, mpq(first + k))) for k in range(len(values))]
            if all(u == y * v and v for (u, v), y in zip(at, values, strict=True)):
                return p, q
    raise Refused("no quotient of polynomials")


# --- of first order ---------------------------------------------------------------------------------------


def _first_order(found: Declared, lead: Poly, back: dict[int, Poly], beside: Term) -> Term:
    """The solution of lead(n) a(n) = back(n) a(n-1) + beside(n)."""
    if set(back) != {1}:
        raise Refused("not of first order")
    n, m = found.variable, found.first
    start = terms.of(found.begins[0])
    try:
        over, under = _factors(back[1]), _factors(lead)
    except Refused:
        k = "k" if n != "k" else "j"
        ratio = multiply(poly_term(back[1], k), reciprocal(poly_term(lead, k)))
        if beside != ZERO:
            raise
        return multiply(start, terms.read(f"Product({ratio}, ({k}, {m + 1}, {n}))"))
    h = _product(over, under, n, m)
    if beside == ZERO:
        return multiply(start, h)
    each = multiply(beside, reciprocal(poly_term(lead, n)))
    rational = _rational(over, under, n, m)
    b = polynomial(beside, n)
    if rational is not None and b is not None:
        above, below = rational  # h = above/below
        total = _total(times(b, below), times(lead, above), n, m)
        if total is not None:
            return multiply(h, add(start, total))
    k = "k" if n != "k" else "j"
    body = substitute(multiply(each, reciprocal(h)), {n: name(k)})
    return multiply(h, add(start, terms.read(f"Sum({body}, ({k}, {m + 1}, {n}))")))


def _factors(p: Poly) -> tuple[mpq, list[mpq]]:
    """The leading coefficient, and the zeros.

    Raises:
        Refused: they are not all rational.
    """
    found, rest = rational_zeros(p)
    if len(rest) > 1:
        raise Refused("zeros that are not rational")
    return rest[0], found


def _product(over: tuple[mpq, list[mpq]], under: tuple[mpq, list[mpq]], n: str, m: int) -> Term:
    """The product of over/under from m + 1 to n."""
    c = over[0] / under[0]
    ups, downs = list(over[1]), list(under[1])
    factors: list[Term] = [] if c == 1 else [power(number(c), add(name(n), number(-m)))]
    for r in list(ups):
        close = [s for s in downs if (r - s).denominator == 1 and abs(r - s) <= 12]
        if close:
            s = min(close, key=lambda s: abs(r - s))
            ups.remove(r)
            downs.remove(s)
            factors += _linear(r, s, n, m)
    for rows, sign in ((ups, 1), (downs, -1)):
        for r in rows:
            if r.denominator == 1 and r > m:
                raise Refused("a factor that vanishes")
            here, at_m = add(name(n), number(1 - r)), number(m + 1 - r)
            one = call("factorial", name(n)) if r == 0 else call("gamma", here)
            begin = number(mpq(1)) if r == m or (r == 0 and m in (0, 1)) else call("gamma", at_m)
            factors += (
                [power(one, number(sign)), power(begin, number(-sign))] if begin != ONE else [power(one, number(sign))]
            )
    return multiply(*factors) if factors else ONE


def _linear(r: mpq, s: mpq, n: str, m: int) -> list[Term]:
    """The product of (k - r)/(k - s) from m + 1 to n, where r - s is whole: (n + 1 - s) ... (n - r) by its value at m."""
    low, high, sign = (s, r, 1) if s > r else (r, s, -1)
    found = []
    for i in range(int(low - high)):  # n - high, n - high - 1, ..., n + 1 - low
        at_m = m - high - i
        if at_m <= 0:
            raise Refused("a factor that vanishes")
        one = add(name(n), number(-high - i))
        found.append(power(multiply(one, number(1 / at_m)), number(sign)))
    return found


def _rational(over: tuple[mpq, list[mpq]], under: tuple[mpq, list[mpq]], n: str, m: int) -> tuple[Poly, Poly] | None:
    """Polynomials of which the product is the quotient, where it is one."""
    if over[0] != under[0] or len(over[1]) != len(under[1]):
        return None
    ups, downs, above, below = list(over[1]), list(under[1]), [mpq(1)], [mpq(1)]
    for r in list(ups):
        close = [s for s in downs if (r - s).denominator == 1 and abs(r - s) <= 12]
        if not close:
            return None
        s = min(close, key=lambda s: abs(r - s))
        downs.remove(s)
        low, high = max(r, s), min(r, s)
        for i in range(int(low - high)):
            factor = [(-high - i) / (m - high - i), 1 / (m - high - i)]
            above, below = (times(above, factor), below) if s > r else (above, times(below, factor))
    return above, below


def _total(p: Poly, q: Poly, n: str, m: int) -> Term | None:
    """The sum of p/q from m + 1 to n, by partial fractions; None where q has double zeros, or such as are not rational."""
    common, _ = rational_zeros(p)
    zeros, rest = rational_zeros(q)
    if len(rest) > 1:
        return None
    p, q = [c / rest[0] for c in p], [c / rest[0] for c in q]
    for x in common:
        if x in zeros:
            zeros.remove(x)
            p, q = divided(p, [-x, mpq(1)])[0], divided(q, [-x, mpq(1)])[0]
    if len(set(zeros)) < len(zeros):
        return None
    whole, part = divided(p, q) if len(p) >= len(q) else ([mpq(0)], p)
    found = []
    k = "k" if n != "k" else "j"
    if any(whole[1:]):
        body = poly_term([mpq(0), *whole[1:]], k)
        found.append(terms.read(f"Sum({body}, ({k}, {m + 1}, {n}))"))
    if whole[0]:
        found.append(multiply(number(whole[0]), add(name(n), number(-m))))
    slope = derived(q)
    for x in zeros:
        c = value_at(part, x) / value_at(slope, x)
        head, shift = ("harmonic", -x) if x.denominator == 1 else ("digamma", 1 - x)
        if head == "harmonic" and x > m:
            return None
        low = ZERO if head == "harmonic" and m + shift == 0 else call(head, number(m + shift))
        found.append(multiply(number(c), add(call(head, add(name(n), number(shift))), negative(low))))
    return add(*found) if found else ZERO


def poly_term(p: Poly, n: str) -> Term:
    """A polynomial as a term."""
    return (
        add(*(multiply(number(c), power(name(n), number(i))) if i else number(c) for i, c in enumerate(p) if c))
        if any(p)
        else ZERO
    )


# --- of constant coefficients --------------------------------------------------------------------------------


def _constant(found: Declared, lead: Poly, back: dict[int, Poly], beside: Term) -> Term:
    """The solution of a recurrence of constant coefficients, and a polynomial beside."""
    b = polynomial(beside, found.variable)
    if b is None or not back or len(lead) > 1 or any(len(p) > 1 for p in back.values()):
        raise Refused("coefficients that are not constant")
    n, order = found.variable, max(back)
    if order != len(found.begins):
        raise Refused("more first values than its order")
    steps = [back[j][0] / lead[0] if j in back else mpq(0) for j in range(1, order + 1)]
    zeros, rest = rational_zeros([*(-c for c in reversed(steps)), mpq(1)])
    if len(rest) not in (1, 3):
        raise Refused("zeros of high degree")
    basis: list[tuple[Callable[[int], mpq], Term]] = []
    for x in dict.fromkeys(zeros):
        basis += [(partial(_power, x, i), _power_term(x, i, n)) for i in range(zeros.count(x))]
    extra: list[mpq] = []
    if any(b):
        ones = zeros.count(mpq(1))
        extra = _particular(steps, [c / lead[0] for c in b], ones)
    begins = [
        mpq(Fraction(found.at(found.first + i))) - value_at(extra or [mpq(0)], mpq(found.first + i))
        for i in range(order)
    ]
    pair: tuple[mpq, ...] = ()
    if len(rest) == 3:
        half, square = -rest[1] / rest[2] / 2, (rest[1] / rest[2] / 2) ** 2 - rest[0] / rest[2]
        if square <= 0:
            raise Refused("zeros that are not real")
        pair = (half, square)
        basis += [(partial(_conjugate, half, square, part), ZERO) for part in (0, 1)]
    rows = [[f(found.first + i) for f, _ in basis] + [begins[i]] for i in range(order)]
    solved = solution(rows)
    parts = [multiply(number(c), term) for c, (_, term) in zip(solved, basis, strict=True) if c and term != ZERO]
    if pair:
        root = root_of(pair[1])
        u, v = solved[-2:]
        for sign in (1, -1):
            small = pair[0] ** 2 < pair[1]
            side = (
                1 if (pair[0] > 0 or small if sign > 0 else pair[0] > 0 and not small) else -1
            )  # the sign of the zero
            base = add(number(side * pair[0]), multiply(number(side * sign), root))
            alternating = power(number(-1), name(n)) if side < 0 else ONE
            parts.append(multiply(add(number(u), multiply(number(sign * v), root)), alternating, power(base, name(n))))
    return add(*parts, poly_term(extra, n) if extra else ZERO)


def root_of(x: mpq) -> Term:
    """The root of a positive number, with what is a square before it."""
    under, before = int(x.numerator * x.denominator), 1
    for d in range(2, min(isqrt(under), 1000) + 1):
        while under % (d * d) == 0:
            under, before = under // (d * d), before * d
    return multiply(number(mpq(before, x.denominator)), power(number(under), number(mpq(1, 2))))


def _power(x: mpq, i: int, k: int) -> mpq:
    return x**k * mpq(k) ** i


def _power_term(x: mpq, i: int, n: str) -> Term:
    rows = ([power(name(n), number(i))] if i else []) + ([power(number(abs(x)), name(n))] if abs(x) != 1 else [])
    rows += [power(number(-1), name(n))] if x < 0 else []
    return multiply(*rows) if rows else ONE


def _conjugate(half: mpq, square: mpq, part: int, k: int) -> mpq:
    """c (half + r)^k + conjugate, with c = 1 or r, where r^2 = square."""
    a, b = mpq(1), mpq(0)
    for _ in range(abs(k)):
        a, b = a * half + b * square, a + b * half
    if k < 0:
        raise Refused("a negative index")
    return 2 * b * square if part else 2 * a


def _particular(steps: list[mpq], b: Poly, ones: int) -> Poly:
    """A polynomial p with p(n) - sum of steps_j p(n - j) = b(n), divisible by n^ones."""
    size = len(b)
    rows = []
    for k in range(size):
        row = [
            mpq(k) ** i - sum((c * mpq(k - j) ** i for j, c in enumerate(steps, 1)), mpq(0))
            for i in range(ones, ones + size)
        ]
        rows.append([*row, value_at(b, mpq(k))])
    return [mpq(0)] * ones + solution(rows)
