r"""Products: of a few factors whose exponents cancel, and of linear factors over a range.

**Of a few.**  Where exp(x) and b^y = exp(y log b) are not seen to tend anywhere by themselves, as exp(n + n^(1/2)/w), their
product may be: it is the exponential of the sum of the exponents.

**Over a range.**  By Gamma(z + 1) = z Gamma(z) (DLMF 5.5.1), for whole numbers p <= q and N = q - p + 1,

    prod_(p<=k<=q) (a + b k) = b^N Gamma(a/b + q + 1)/Gamma(a/b + p),                   b > 0,  a + b p > 0,
    prod_(p<=k<=q) (a - b k) = b^N Gamma(a/b - p + 1)/Gamma(a/b - q),                   b > 0,  a - b q > 0,

and where all factors are negative, that of their negatives is one of these.  By Euler's products (DLMF 4.36.1, 4.22.1)

    prod_(k>=1) (1 + c/k^2) = sinh(pi c^(1/2))/(pi c^(1/2)),  c > 0;    sin(pi |c|^(1/2))/(pi |c|^(1/2)),  -1 < c < 0,

and prod_(k>q) (1 + c/k^2) = 1 + O(1/q), since |log(1 + t)| <= |t|/(1 - |t|) for |t| < 1; so that of factors a + b k^2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.geometric_sums import in_range
from asymp.kernel.growths.growth import ONE
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.summands import I
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term, add, call, multiply, negative, number, power
from asymp.kernel.trust import rests_on


def product(e: Expands, parts: Sequence[Term]) -> Series:
    """A product of factors; where some are exponentials, and no term is left of it otherwise, with one exponential for these.

    Raises:
        Refused: a factor has no series.
    """
    a, refusal, found = e.algebra, Refused(""), Series(())
    try:
        found = a.constant(rational(1))
        for part in parts:
            found = a.times(found, e.series(part))
    except Refused as error:
        refusal, found = error, Series((), (ONE,))
    powers = [part for part in parts if has_logarithm(part) and not e.constant(part)]
    if not found.terms and found.rest and len(powers) > 1:
        with suppress(Refused):
            exponent = Series(())
            for part in powers:
                exponent = a.add(exponent, logarithm(e, part))
            together = a.exp(exponent)
            for part in parts:
                if part not in powers:
                    together = a.times(together, e.series(part))
            return together
    if str(refusal):
        raise refusal
    return found


def has_logarithm(term: Term) -> bool:
    """Whether a term is an exponential, a gamma function or a binomial coefficient, by its head, or a power of one."""
    if term.head == "power":
        return has_logarithm(term.parts[0]) if term.parts[1].is_number else term.parts[0] != terms.ZERO
    return term.head in ("exp", "factorial", "gamma", "binomial")


def logarithm(e: Expands, term: Term) -> Series:
    """The logarithm of one of these; it is positive then.

    Raises:
        Refused: that is not seen.
    """
    match term.head:
        case "exp":
            return e.series(term.parts[0])
        case "gamma" | "factorial":
            return e.series(call("loggamma", add(term.parts[0], number(term.head == "factorial"))))
        case "binomial":
            n, k = term.parts
            logs = [e.series(call("loggamma", add(one, terms.ONE))) for one in (n, k, add(n, negative(k)))]
            return e.algebra.minus(logs[0], e.algebra.add(*logs[1:]))
    base, exponent = term.parts
    return e.algebra.times(e.series(exponent), logarithm(e, base) if has_logarithm(base) else e.log(base))


def sign_of(e: Expands, term: Term) -> int:
    """The sign of a term in the end, which is not 0.

    Raises:
        Refused: that is not seen.
    """
    try:
        return e.algebra.below(e.series(term))[0]
    except Refused:
        if not has_logarithm(term):
            raise
        logarithm(e, term)
        return 1


def of_range(e: Expands, term: Term) -> Series:
    """A product over a range, of powers of factors that are linear in its index and positive.

    Raises:
        Refused: it is another one, or that is not seen.
    """
    body, low, high = term.parts
    in_range(term, e.algebra, e.series, e.whole)
    count = add(high, negative(low), terms.ONE)
    exponent, odd, rest = terms.ZERO, False, Series(())
    for factor, times, is_root in _factors(e, terms.opened(body, I)):
        if I.name in factor.free:
            try:
                sign, log = _log_of_range(e, factor, low, high, count)
            except NotLinear:
                sign, log = 1, _log_of_squares(e, factor, low, high)
                rest = Series((), tuple(loose(e.series(terms.reciprocal(high)))))
        else:
            sign = e.algebra.below(e.series(factor))[0]
            log = multiply(count, call("log", multiply(number(sign), factor)))
        if sign == -1 and is_root:
            raise Refused("a root of what may be negative")
        odd ^= sign == -1 and times.numerator % 2 == 1
        exponent = add(exponent, multiply(number(times), log))
    if odd:
        raise Refused("factors that are negative")
    return e.algebra.exp(e.algebra.add(e.series(exponent), rest))


def _factors(e: Expands, body: Term) -> Iterator[tuple[Term, mpq, bool]]:
    """The factors of a summand, each with its exponent, and whether it stands under a root."""
    if body.head == "product":
        for part in body.parts:
            yield from _factors(e, part)
    elif body.head == "power" and body.parts[1].is_number:
        exponent = body.parts[1].number
        for factor, times, is_root in _factors(e, body.parts[0]):
            yield factor, times * exponent, is_root or exponent.denominator != 1
    else:
        value = _values(e)(body)
        for poly, way in ((value.num, 1), (value.den, -1)):
            content, powers, rest = factored(poly)
            yield number(content), mpq(way), False
            yield from ((atom, way * times, times.denominator != 1) for atom, times in powers)
            yield from ((to_term(Ratio(one)), mpq(way * times), False) for one, times in rest)


def _values(e: Expands) -> Callable[[Term], Ratio]:
    """Values where the quantities are positive, and the index: where it is not, the same is so by identity."""
    return Context(within={name: Range(mpq(0), True) for name in (*e.scales, I.name)}).value


class NotLinear(Refused):
    """A factor is not linear in the index."""


def _log_of_squares(e: Expands, factor: Term, low: Term, high: Term) -> Term:
    """The logarithm of the product of a + b k^2, b > 0, up to O(1/high), where high tends to infinity."""
    at, value = [terms.substitute(factor, {I.name: number(k)}) for k in range(2)], _values(e)
    a, b = to_term(value(at[0])), to_term(value(add(at[1], negative(at[0]))))
    if value(add(a, multiply(b, I, I))) != value(factor) or I.name in (*a.free, *b.free) or not low.is_number or low.number < 1:
        raise Refused(f"{factor} is no square of the index, from 1 on, with a number")
    c = to_term(value(multiply(a, terms.reciprocal(b))))
    above = e.algebra.below(e.series(c))[0]
    if not e.constant(c) or not e.sees_positive(b) or not (above == 1 or e.sees_positive(add(terms.ONE, c))):
        raise Refused(f"{factor} is not seen to be positive and constant")
    if not all(g.limit(e.algebra.domain) == "infinity" for g in e.algebra.below(e.series(high))[1]):
        raise Refused("a range that is not seen to grow without end")
    rests_on("DLMF 4.36.1" if above == 1 else "DLMF 4.22.1")
    root = multiply(terms.name("pi"), power(multiply(number(above), c), number(mpq(1, 2))))
    total = multiply(call("sinh" if above == 1 else "sin", root), terms.reciprocal(root))
    first = [add(terms.ONE, multiply(c, number(1 / k**2))) for k in map(mpq, range(1, int(low.number)))]
    squares = multiply(number(2), add(call("loggamma", add(high, terms.ONE)), negative(call("log", call("gamma", low)))))
    count = add(high, negative(low), terms.ONE)
    logs = [negative(call("log", one)) for one in first]
    return add(squares, call("log", total), multiply(count, call("log", b)), *logs)


def _log_of_range(e: Expands, factor: Term, low: Term, high: Term, count: Term) -> tuple[int, Term]:
    """The sign of a + b k, which is one for all of the range, and the logarithm of the product of |a + b k|."""
    at = [terms.substitute(factor, {I.name: number(k)}) for k in range(2)]
    a, b, value = at[0], add(at[1], negative(at[0])), _values(e)
    if value(add(a, multiply(b, I))) != value(factor) or I.name in to_term(value(b)).free:
        raise NotLinear(f"{factor} is not linear in the index")
    a, b = to_term(value(a)), to_term(value(b))
    way = e.algebra.below(e.series(b))[0]
    size = b if way == 1 else negative(b)
    start = to_term(value(multiply(a, power(size, number(-1)))))
    ends = [add(start, end if way == 1 else negative(end)) for end in (low, high)]
    sign = e.algebra.below(e.series(ends[0]))[0]
    if e.algebra.below(e.series(ends[1]))[0] != sign:
        raise Refused(f"{factor} changes its sign in the range")
    ends = [end if sign == 1 else negative(end) for end in ends]
    least, most = ends if way == sign else ends[::-1]
    rests_on("DLMF 5.5.1")
    before = call("log", call("gamma", least)) if e.constant(least) else call("loggamma", least)
    return sign, add(multiply(count, call("log", size)), call("loggamma", add(most, terms.ONE)), negative(before))
