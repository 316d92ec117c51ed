r"""Coefficients [z^n] F as n tends to infinity: by singularities, by a saddle, or of partitions, as terms and as series.

>>> from asymp.kernel.growths.growth import Domain
>>> for text in ("1/sqrt(1 - 4*z)", "exp(z)", "1/Product(1 - z^k, (k, 1, oo))"):
...     found = coefficients(terms.substitute(terms.read(text), {"z": Z}), Domain(), 1)
...     print([str(one) for one in found.rest])
['@N^(-3/2)*4^@N']
['exp(@N - log(@N)*@N)*@N^(-3/2)']
['exp(3/5*pi*@N^(1/2)*(2/3)^(1/2))']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.circles import Coefficients, N, by_singularities
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.partitions import partitions
from asymp.kernel.growths.saddles import by_saddle
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.noted import noted
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.rings.power_series import Z, at_zero, opened, parted
from asymp.kernel.terms import Refused, Term, first
from asymp.kernel.trust import remembered


def coefficients(term: Term, domain: Domain, order: int) -> Coefficients:
    """The coefficients of a function of Z, whose constants have values in the domain: as many terms of each expansion as asked.

    Raises:
        Refused: it has no power series, is not seen to be singular in finitely many places, or not how.
    """
    within = {name: found for name, found in domain.ranges.items() if name in term.free} if not domain.pairs else domain.within
    found = _known(term, replace(domain, between={}, within=dict(within)), order)
    if isinstance(found, str):
        raise Refused(found)
    return found


@remembered(256)
def _known(term: Term, domain: Domain, order: int) -> Coefficients | str:
    """The same; or why it is refused, which is remembered too."""
    try:
        at_zero(term, domain)
        if any(part.head == "Product" for part in terms.walk(term)):
            kept, rest = partitions(term, N)
            return Coefficients(kept, terms.ZERO, (rest,))
        ways: list[Callable[[Term, Domain, int], Coefficients]] = [by_singularities]
        ways += [_by_saddle] if any(part.head == "exp" and Z.name in part.free for part in terms.walk(term)) else []
        return first([partial(way, term, domain, order) for way in ways], told_by=0)
    except Refused as error:
        return f"of a coefficient: {error}"


def _by_saddle(term: Term, domain: Domain, order: int) -> Coefficients:
    """By the saddle-point method; of z^k F the coefficient of z^(N - k) in F is asked."""
    parts = term.parts if term.head == "product" else (term,)
    powers = {part: part.parts[1].number if part.head == "power" else mpq(1) for part in parts if Z in (part, *part.parts[:1])}
    own = {part: k for part, k in powers.items() if part == Z or (part.head == "power" and k.denominator == 1)}
    found = by_saddle(terms.multiply(terms.ONE, *(part for part in parts if part not in own)), domain, order)
    at = {N.name: terms.add(N, terms.number(-sum(own.values(), mpq(0))))}
    kept, *rest = (terms.substitute(one, at) for one in (found.kept, *found.rest))
    return Coefficients(kept, terms.ZERO, tuple(rest), saddle=(at[N.name], found.seen))


def series_of_coefficient(e: Expands, term: Term) -> Series:
    """The series of a coefficient of which the number is whole and tends to infinity; what alternates is in the remainder.

    Raises:
        Refused: that is not seen, or the coefficients are not known; or the function moves.
    """
    a = e.algebra
    front, found = pieces(e, term)
    if found.saddle is not None:
        noted("saddle", term=term, front=front, number=found.saddle[0], seen=found.saddle[1], domain=a.domain)
    kept = e.series(found.kept)
    rest = [g for one in (found.waved, *found.sizes, *found.rest) if one != terms.ZERO for g in loose(e.series(one))]
    return a.times(e.series(front), a.made(list(kept.terms), [*kept.rest, *rest]))


def of_partial_sums(term: Term) -> Term | None:
    """[z^n] F/(1 - z) for the sum of [z^k] F, k = 0, ..., n; None of another sum.

    >>> str(of_partial_sums(terms.read("Sum([z^k] exp(z), (k, 0, n))")))
    'Coefficient(exp(b0)*(1 - b0)^(-1), (b0, 0, n))'
    """
    body, low, high = term.parts
    if body.head != "Coefficient" or low != terms.ZERO or body.parts[2] != Term("bound") or 1 in body.parts[0].indices:
        return None
    over = terms.reciprocal(terms.add(terms.ONE, terms.negative(Term("bound"))))
    return Term("Coefficient", (terms.multiply(body.parts[0], over), terms.ZERO, high))


def pieces(e: Expands, term: Term, put: Callable[[Term], Term] = lambda term: term) -> tuple[Term, Coefficients]:
    """What stands before a coefficient, and what is known of it, its number put in; ``put``: terms in the quantities that move.

    Raises:
        Refused: as for :func:`series_of_coefficient`.
    """
    a, n = e.algebra, put(term.parts[2])
    front, body = parted(opened(term))
    body = put(body)
    if not e.constant(body) or e.constant(n) or not is_whole(n, frozenset(one.name for one in e.whole)):
        raise Refused("a coefficient of what moves, or whose number is not seen to be whole")
    if not a.grows(e.series(n)):
        raise Refused("a coefficient whose number is not seen to tend to infinity")
    return front, coefficients(body, a.domain, a.order).with_number(term.parts[2])


def alternating(e: Expands, term: Term, rests: dict[str, Series], put: Callable[[Term], Term] = lambda term: term) -> Term:
    """A term with the terms of its coefficients where these alternate, and a name, of which ``rests`` has the series, for each
    remainder; what is in binders is left alone."""
    if term.head == "Coefficient":
        try:
            front, found = pieces(e, term, put)
        except Refused:
            return term
        if found.waved == found.turning == terms.ZERO:
            return term
        name = f"rest{len(rests) + 1}_"
        rests[name] = e.algebra.made([], [g for one in found.rest for g in loose(e.series(put(one)))])
        wave = terms.multiply(terms.power(terms.number(-1), term.parts[2]), found.waved)
        return terms.multiply(front, terms.add(found.kept, wave, found.turning, terms.name(name)))
    if not term.parts or term.head in terms.BINDERS:
        return term
    return terms.rebuilt(term, tuple(alternating(e, part, rests, put) for part in term.parts))
