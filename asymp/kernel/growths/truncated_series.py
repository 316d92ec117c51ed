r"""Series of truncated exponentials S_m(x), the sum of x^k/k! up to a fixed m, next to 0 and next to a positive number.

For x -> 0+ the logarithm is known to a power of x that m tells: log S_m(x) = x - x^(m+1)/(m+1)! + ...; and S_m(c + e) is the sum
of S_(m-j)(c) e^j/j!, a polynomial in e.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.rings.field import Range
>>> domain = Domain(frozenset("m"), within={"m": Range(mpq(1))})
>>> e = Expander(Algebra(domain, 1), {"n": 0}, {}, frozenset({terms.name("m")}))
>>> found = e.series(terms.read("log(Sum((1/n)^i/i!, (i, 0, m))) - 1/n"))
>>> [(str(to_term(c)), str(to_term(g.powers[0][1]))) for c, g in found.terms]
[('-gamma(m + 1)^(-1)*(m + 1)^(-1)', '-1 - m')]
"""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq as mpq

from asymp.kernel import terms as terms
from asymp.kernel.facts.truncated import argument
from asymp.kernel.growths.growth import ONE
from asymp.kernel.growths.growth import Domain as Domain
from asymp.kernel.growths.integrand import Base
from asymp.kernel.growths.series import Algebra as Algebra
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.terms import Refused, Term


def logarithm(e: Expands, term: Term) -> Series:
    """log S_m(x), where x tends to 0.

    Raises:
        Refused: it is another term, or x is not seen to be positive and to vanish.
    """
    a, x, m = e.algebra, *_parts(e, term)
    y = e.series(x)
    if not a.vanishes(y) or a.below(y)[0] != 1:
        raise Refused("an argument that is not seen to tend to 0 from above")
    found, rest = Base({0: rational(1)}, m).logarithm(0, a.order, a.domain)
    total = a.total(a.scaled(a.power(y, q), c) for q, c in found)
    left = [g for q in rest for _, g in a.power(y, q).terms]
    return a.made(list(total.terms), [*total.rest, *left])


def near(e: Expands, term: Term) -> Series:
    """S_m(x), where x tends to a positive number.

    Raises:
        Refused: it is another term, or x is not seen to tend there.
    """
    a, x, m = e.algebra, *_parts(e, term)
    f = e.series(x)
    c = next((c for c, g in f.terms if g.same(ONE)), rational(0))
    small = a.add(f, a.constant(-c))
    if a.domain.sign(c) != 1 or not a.vanishes(small):
        raise Refused("an argument that is not seen to tend to a positive number")
    base = Base({}, m).moved(c, 1, a.domain)
    taylor = {0: rational(1), **base.taylor(a.order)}
    return a.scaled(a.composed(lambda k: taylor[k], small), base.at_zero)


def together(e: Expands, parts: Sequence[Term]) -> Series | None:
    """A product of powers of several of them next to 0, by the sum of their logarithms, in which x cancels exactly; None: there
    are not two."""
    a, total, others, count = e.algebra, Series(()), list[Term](), 0
    for part in parts:
        base, k = part.parts if part.head == "power" else (part, terms.ONE)
        if argument(base) is None or e.constant(base) or not k.is_number:
            others.append(part)
            continue
        try:
            total = a.add(total, a.scaled(logarithm(e, base), rational(k.number)))
        except Refused:
            return None
        count += 1
    return a.times(a.exp(total), e.series(terms.multiply(*others))) if count > 1 else None


def _parts(e: Expands, term: Term) -> tuple[Term, Ratio]:
    """x and m.

    Raises:
        Refused: m moves, or is not seen to be a whole number that is not negative.
    """
    x = argument(term)
    if x is None or term.parts[2].is_number or not e.constant(term.parts[2]):
        raise Refused("no truncated exponential with a fixed end")
    m = e.algebra.domain.value(term.parts[2])
    if not is_whole(term.parts[2], frozenset(v.name for v in e.whole)) or not e.algebra.domain.of(m) <= {0, 1}:
        raise Refused(f"{term.parts[2]} is not seen to be a whole number, and not below 0")
    return x, m
