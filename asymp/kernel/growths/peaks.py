r"""Proposals for where the terms of a sum are largest: zeros of the slope of their logarithm, up to less.

With g = sum e_i log Gamma(z_i) + sum p_i log z_i + lambda k and z_i = beta_i k + c_i (see peaked_sums), about

    g' = sum e_i beta_i log z_i + sum p_i beta_i/z_i + lambda = 0.

Without p_i that grow it says that a product of powers of the z_i is 1, and without gamma functions that a rational function is
0: a polynomial in k, whose coefficients are series in the scale s.  Its roots begin with c s^q, by Newton's polygon, and go on in
the same way (Newton 1676; Walker, Algebraic Curves, 4.3).  Where k^p stands with gamma functions of multiples of k, it is by
Lambert's W.

Nothing rests on what is proposed here.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> e, n = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")})), terms.name("n")
>>> kept = [(True, number(-1), mpq(-2), add(n, terms.ONE)), (True, number(-1), mpq(1), terms.ONE)]  # 1/((n - 2k)! k! 2^k)
>>> [str(x) for x in peaks(e, kept, terms.read("-log(2)"))][:3]
['1/2*n', '1/2*n + 1/2*n^(1/2)', '1/2*n - 1/2*n^(1/2)']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import comb

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.growth import Growth, degree
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.field import exponential
from asymp.kernel.rings.ratio import Poly, Ratio, atom, in_order, rational, to_term
from asymp.kernel.terms import Refused, Term, add, call, multiply, number, power

Piece = tuple[bool, Term, mpq, Term]
"""Whether it is a gamma function, its exponent, beta and c."""
T = terms.name("@root")
MOST_DEGREE, MOST_PARTS, DEEPEST = 16, 200, 3
Plane = dict[tuple[int, mpq], Ratio]
"""A polynomial in k and powers of the scale: (j, q) -> the coefficient of k^j s^q."""


def peaks(e: Expands, pieces: Sequence[Piece], rate: Term) -> Iterator[Term]:
    """Places, those with fewer terms first."""
    if len(e.scales) != 1:
        return
    (scale,) = e.scales
    growing = [one for one in pieces if not one[0] and not e.constant(one[1])]
    if growing and any(gamma for gamma, _, _, _ in pieces):
        with suppress(Refused):
            yield from _by_lambert(e, pieces, growing, rate)
        return
    with suppress(Refused):
        plane = _rational(e, growing, rate) if growing else _product(e, pieces, rate)
        todo: list[tuple[Term | None, Plane]] = [(None, plane)]
        for _ in range(DEEPEST):
            rest: list[tuple[Term | None, Plane]] = []
            for before, here in todo:
                for c, q in _first(e, here, before is not None):
                    step = multiply(to_term(c), power(terms.name(scale), number(q)) if q else terms.ONE)
                    x = step if before is None else add(before, step)
                    yield x
                    with suppress(Refused):
                        rest.append((x, _moved(here, c, q)))
            todo = rest


def _plane(f: Series) -> dict[mpq, Ratio]:
    """Powers of the one scale."""
    found = {}
    for c, g in f.terms:
        found[_exponent(g)] = c
    return found


def _exponent(g: Growth) -> mpq:
    if (e := degree(g).constant()) is None:
        raise Refused("what is no power of the scale")
    return e


def _linear(e: Expands, slope: mpq, rest: Term) -> Plane:
    found: Plane = {(0, q): c for q, c in _plane(e.series(rest)).items()}
    found[1, mpq(0)] = rational(slope)
    return found


def _times(p: Plane, q: Plane) -> Plane:
    found: Plane = {}
    for (i, a), c in p.items():
        for (j, b), d in q.items():
            found[i + j, a + b] = found[i + j, a + b] + c * d if (i + j, a + b) in found else c * d
    if len(found) > MOST_PARTS or max((i for i, _ in found), default=0) > MOST_DEGREE:
        raise Refused("a polynomial of high degree")
    return found


def _plus(p: Plane, q: Plane) -> Plane:
    found = dict(p)
    for key, c in q.items():
        found[key] = found[key] + c if key in found else c
    return {key: c for key, c in found.items() if not c.is_zero}


def _product(e: Expands, pieces: Sequence[Piece], rate: Term) -> Plane:
    """prod z^(e beta) e^lambda - 1, times what it is divided by."""
    c, growth = e.algebra.leading(e.algebra.exp(e.series(rate))) if rate != terms.ZERO else (rational(1), Growth())
    sides: list[Plane] = [{(0, _exponent(growth)): c}, {(0, mpq(0)): rational(-1)}]
    for gamma, weight, slope, rest in pieces:
        k = weight.number * slope if gamma else mpq(0)
        if k.denominator != 1:
            raise Refused("a power that is no whole number")
        for _ in range(abs(int(k))):
            sides[k < 0] = _times(sides[k < 0], _linear(e, slope, rest if not gamma else add(rest, number(-1))))
    return _plus(*sides)


def _rational(e: Expands, growing: Sequence[Piece], rate: Term) -> Plane:
    """(sum p beta/z + lambda) prod z."""
    found: Plane = {(0, q): c for q, c in _plane(e.series(rate)).items()}
    for _, _, slope, rest in growing:
        found = _times(found, _linear(e, slope, rest))
    for k, (_, weight, slope, _) in enumerate(growing):
        part: Plane = {(0, q): c * rational(slope) for q, c in _plane(e.series(weight)).items()}
        for j, (_, _, other, rest) in enumerate(growing):
            part = _times(part, _linear(e, other, rest)) if j != k else part
        found = _plus(found, part)
    return found


def _first(e: Expands, plane: Plane, smaller: bool) -> Iterator[tuple[Ratio, mpq]]:
    """c and q of roots that begin with c s^q."""
    highest: dict[int, mpq] = {}
    for i, q in plane:
        highest[i] = max(q, highest.get(i, q))
    slopes = {(highest[i] - highest[j]) / (j - i) for i in highest for j in highest if i < j}
    for q in sorted(slopes, reverse=True):
        top = max(b + i * q for i, b in highest.items())
        edge = {i: plane[i, b] for i, b in highest.items() if b + i * q == top}
        if len(edge) < 2:
            continue
        low = min(edge)
        for c in _roots(e, {i - low: c for i, c in edge.items()}):
            if smaller or e.algebra.domain.sign(c) == 1:
                yield c, q


def _roots(e: Expands, p: dict[int, Ratio]) -> Iterator[Ratio]:
    """Zeros of the linear and the quadratic factors of a polynomial."""
    total = rational(0)
    for i, c in p.items():
        total = total + c * (atom(T).power(i) if i else rational(1))
    for factor, _ in factored(total.num)[2]:
        parts: dict[int, Poly] = {}
        for powers, v in factor.items():
            left = dict(powers)
            degree = left.pop(T, mpq(0))
            if degree.denominator != 1:
                raise Refused("a root of the unknown")
            parts.setdefault(int(degree), {})[in_order(left)] = v
        a, b, c = (Ratio(parts.get(i, Poly())) for i in (2, 1, 0))
        if max(parts) == 1:
            yield -c * b.inverse()
        elif max(parts) == 2:
            with suppress(Refused):
                root = e.algebra.domain.raised(b * b - rational(4) * a * c, rational(mpq(1, 2)))
                for way in (1, -1):
                    yield (rational(way) * root - b) * (rational(2) * a).inverse()


def _moved(plane: Plane, c: Ratio, q: mpq) -> Plane:
    """With k + c s^q for k."""
    found: Plane = {}
    for (i, b), v in plane.items():
        part = {
            (j, b + (i - j) * q): v * rational(comb(i, j)) * (c.power(i - j) if i > j else rational(1))
            for j in range(i + 1)
        }
        found = _plus(found, part)
    if len(found) < 2:
        raise Refused("a root that is exact")
    return found


def _by_lambert(e: Expands, pieces: Sequence[Piece], growing: Sequence[Piece], rate: Term) -> Iterator[Term]:
    """exp(L + W(p e^(-L)/E)) for k^p and E log k - E L from gamma functions: p/k = E (log k - L)."""
    if len(growing) != 1 or growing[0][2] != 1 or not all(e.constant(rest) for gamma, _, _, rest in pieces if gamma):
        return
    E, parts = mpq(0), [rate]
    for gamma, weight, slope, _ in pieces:
        if gamma:
            E -= weight.number * slope
            parts.append(multiply(weight, number(slope), call("log", number(abs(slope)))))
    if E <= 0:
        return
    L = multiply(number(1 / E), add(*parts))
    value = e.algebra.domain.value(L)
    below = to_term(exponential(-value))
    w = call("LambertW", multiply(growing[0][1], below, number(1 / E)))
    yield multiply(call("exp", w), to_term(exponential(value)))
