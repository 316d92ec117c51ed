r"""Sums of f(k) over whole k, for any f that has a series as k -> oo: by a function whose differences are nearly f.

**Theorem.**  Let F and B be functions for which, as k -> oo,

.. math:: f(k) = F(k) - F(k-1) + O(g(k)), \qquad B(k) - B(k-1) \sim \kappa\,g(k), \quad \kappa \ne 0, \quad g > 0.

Then the sum of f over a <= k <= N is F(N) + O(B(N)) where B tends to infinity, and F(N) + C + O(B(N)) where B tends to 0, C being
the sum of f from a on, where F tends to 0 too.  Between ends that both tend to infinity it is F(N) - F(a - 1) and O(B(N)), or
O(B(a - 1)); and from there on without end, where F and B tend to 0, it is -F(a - 1) + O(B(a - 1)).

*Proof.*  B(k) - B(k - 1) has one sign from some K on, and so the sum of g(k) over K < k <= N is O(|B(N) - B(K)|) (Stolz 1885):
O(B(N)) or, where B tends to 0, a convergent sum whose rest from N on is O(B(N)).  The sum of F(k) - F(k - 1) telescopes.  ∎

F is found term by term.  With c g the leading term of what is left of f, the next term of F is c t g/(s + 1) for g = t^s L, s
other than -1, L made of logarithms; so it is in log t for g = L/t; and for an exponential g it is c g/d, where d is the leading
term of 1 - g(t - 1)/g(t).  That these are right is not asked: what counts is the series of f(t) - (F(t) - F(t - 1)).  Terms that
make a divergent sum are taken out first, where they are powers of k and log k, whose sums are known with their constants.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> found = series_of_telescoped(e, terms.read("Sum(k/log(k), (k, 2, n))"))
>>> [str(to_term(c)) for c, _ in found.terms], len(found.rest)
(['1/4', '1/4', '3/8', '1/2'], 1)
>>> found = series_of_telescoped(e, terms.read("Sum(1/(k^2 + 1), (k, 1, n))"))
>>> [str(to_term(c)) for c, _ in found.terms]
['-1', '1/6', '1/2', 'Sum((1 + b0^2)^(-1), (b0, 1, oo))']
"""

from __future__ import annotations

from contextlib import suppress

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.geometric_sums import in_range
from asymp.kernel.growths.growth import ONE, Growth, power_of
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Algebra as Algebra
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.summands import INDEX, OO, I
from asymp.kernel.noted import noted
from asymp.kernel.rings.factors import reduced
from asymp.kernel.rings.ratio import Ratio, atom, rational, to_term
from asymp.kernel.summation.generalised import bound
from asymp.kernel.terms import Refused, Term, add, call, multiply, negative, number, power, substitute

MORE = 2
"""Terms of F beyond the order."""
DEEPEST = 3


def series_of_telescoped(e: Expands, term: Term) -> Series:
    """The series of a sum.

    Raises:
        Refused: it is another sum, or that is not seen.
    """
    in_range(term, e.algebra, e.series, e.whole)
    body, low, high = term.parts
    f = terms.opened(body, I)
    if INDEX in term.free or not all(e.constant(terms.name(x)) for x in f.free - {INDEX}) or INDEX not in f.free:
        raise Refused("a summand that moves but with its index")
    a, fixed = e.algebra, low.is_number
    if not fixed and not _grows(e, low):
        raise Refused("a sum that begins at what is not seen to grow without end")
    if high != OO and not _grows(e, high):
        raise Refused("a sum that ends at what is not seen to grow without end")
    if fixed:  # f has a value at every index
        a.domain.with_range(INDEX, low, OO, whole=True).value(f)
        f, found = (f, Series(())) if high == OO else _without_divergent(e, f, low, high)
    else:
        found = Series(())
    one = _Antidifference(e, f)
    noted("differences", term=term, of=f, by=one.f, left=one.left)
    before = add(low, number(-1))
    if high != OO:
        found = a.add(found, e.series(one.at(high)))
    elif not one.vanishes:
        raise Refused("a sum that is not seen to converge")
    if not fixed:
        found = a.add(found, a.scaled(e.series(one.at(before)), rational(-1)))
    elif one.vanishes:
        found = a.add(found, a.constant(_total(e, f, low)))
    elif one.converges:
        found = a.made(list(found.terms), [*found.rest, ONE])
    if high == OO and fixed:
        return found
    left = [loose(e.series(one.bound(k, before if small and not fixed else high))) for k, small in enumerate(one.small)]
    return a.made(list(found.terms), [*found.rest, *(g for growths in left for g in growths)])


def _grows(e: Expands, term: Term) -> bool:
    return not e.constant(term) and e.algebra.grows(e.series(term))


def _total(e: Expands, f: Term, low: Term) -> Ratio:
    """A convergent sum without end, as a number."""
    total = Term("Sum", (bound(f, INDEX), low, OO))
    with suppress(Refused):
        return e.algebra.domain.value(total)
    return atom(total)


def _without_divergent(e: Expands, f: Term, low: Term, high: Term) -> tuple[Term, Series]:
    """f without the powers of k and log k in it that make divergent sums, and the sum of these.

    f as it is, where one of them is no such power.
    """
    a, taken = e.algebra, terms.ZERO
    if low.number < 1:
        return f, Series(())
    inner = e.alone(INDEX, MORE)
    for c, g in inner.series(f).terms:
        powers = {depth: x.constant() for (_, depth), x in g.powers}
        s, h = powers.pop(0, mpq(0)), powers.pop(1, mpq(0))
        if g.exponent or powers or s is None or h is None or h.denominator != 1 or h < 0:
            return f, Series(())
        if s >= -1:
            taken = add(taken, multiply(to_term(c), power(I, number(s)), *[power(call("log", I), number(h))] * (h > 0)))
    if taken == terms.ZERO or taken == f:  # or it would be asked for itself
        return f, Series(())
    left = add(f, negative(taken))
    left = to_term(reduced(a.domain.with_range(INDEX, low, OO, whole=True).value(left)))
    return left, e.series(Term("Sum", (bound(taken, INDEX), low, high)))


class _Antidifference:
    """F, and the B of each growth that is left of f."""

    def __init__(self, e: Expands, f: Term) -> None:
        self.inner = inner = e.alone(INDEX, MORE)
        self.algebra = a = inner.algebra
        self.f, left = terms.ZERO, inner.series(f)
        for _ in range(a.order):
            if not left.terms:
                break
            term = _in_index(*self._first(*a.leading(left)))
            self.f = add(self.f, term)
            left = a.add(left, a.scaled(self._difference(term), rational(-1)))
            left = Series(tuple((reduced(c), g) for c, g in left.terms), left.rest)
        growths = a.made([], loose(left)).rest
        self.left = [_in_index(rational(1), g) for g in growths]
        self.bounds = [_in_index(*self._first(rational(1), g)) for g in growths]
        for term, g in zip(self.bounds, growths, strict=True):
            if not a.leading(self._difference(term))[1].same(g):
                raise Refused("what is left of a summand is not seen to be a difference")
        self.small = [self._tends(term) for term in self.bounds]
        self.converges = all(self.small)
        self.vanishes = self.converges and a.vanishes(inner.series(self.f))

    def at(self, end: Term) -> Term:
        """F there."""
        return substitute(self.f, {INDEX: end})

    def bound(self, k: int, end: Term) -> Term:
        """One of the B there."""
        return substitute(self.bounds[k], {INDEX: end})

    def _tends(self, term: Term) -> bool:
        """Whether a B tends to 0; else it tends to infinity."""
        match self.algebra.leading(self.inner.series(term))[1].limit(self.algebra.domain):
            case "zero" | "infinity" as told:
                return told == "zero"
        raise Refused("what is left of a summand is not seen to have a sum")

    def _difference(self, term: Term) -> Series:
        return self.inner.series(add(term, negative(_before(term))))

    def _first(self, c: Ratio, g: Growth) -> tuple[Ratio, Growth]:
        """The leading term of what has c g for its difference."""
        a = self.algebra
        if not g.exponent:
            powers, found = dict(g.powers), g
            for depth in range(DEEPEST):
                s = powers.get((0, depth), rational(0)) + rational(1)
                found = found.times(power_of(0, depth))
                if not s.is_zero:
                    if not a.domain.sign(s):
                        raise Refused("whether a sum converges is not seen")
                    return c * s.inverse(), found
            raise Refused("a sum of too slow a growth")
        term = _in_index(rational(1), g)
        share = self.inner.series(add(terms.ONE, negative(multiply(_before(term), power(term, number(-1))))))
        d, h = a.leading(share)
        if h.limit(a.domain) not in ("zero", "one"):
            raise Refused("terms that fall too fast")
        return reduced(c * d.inverse()), g / h


def _before(term: Term) -> Term:
    return substitute(term, {INDEX: add(I, number(-1))})


def _in_index(c: Ratio, g: Growth) -> Term:
    """c g, with the index for the quantity in it."""
    return multiply(to_term(c), written(g, I))


def written(g: Growth, t: Term) -> Term:
    """A growth in one quantity, with t for it."""
    parts = []
    for (_, depth), x in g.powers:
        base = t
        for _ in range(depth):
            base = call("log", base)
        parts.append(power(base, to_term(x)))
    if g.exponent:
        parts.append(call("exp", add(*(multiply(to_term(c), written(h, t)) for c, h in g.exponent))))
    return multiply(*parts) if parts else terms.ONE
