r"""Where a function of the plane may be singular, and where it may be 0: all such places of a disc, or of the whole plane.

A term F in Z that has a power series at 0 (:mod:`asymp.kernel.rings.power_series`) is continued from there along every ray.
Let S be a finite set of places, none of them 0, and D the disc (or the plane) without the rays from each place of S outwards,
which is simply connected.  F is analytic in D if S holds

* for a sum, a product, a power with a whole exponent above 0: the singular places of its parts;
* for 1/g, g^a and log(g): those of g, and the zeros of g, since what has no zero in D has a logarithm there;
* for exp(g): those of g.

At 0 negative powers of Z may stand in parts that are added and multiplied; what is rooted or logged is positive there, and
what stands in exp is regular: this is what having a power series means.

The zeros of g in D, at which g is not singular, are among

* those of the factors of a product, and of the base of a power; none of exp(g);
* for a rational function of Z and of one square root of a polynomial, A + B sqrt(H): those of the numerator of A^2 - B^2 H;
* for c + d log(h): those of h - exp(-c/d); for c + d h^(p/q): those of h^p - (-c/d)^q; for log(h): those of h - 1;
* for sin(h) and cos(h), h = a Z + b: (k pi - b)/a and (k pi + pi/2 - b)/a, of which those of a disc are listed;
* for c + d exp(h), h = a Z + b: (log(-c/d) - b + 2 pi i k)/a, of which those of a disc are listed;
* for what is analytic in a disc: as many as the argument principle says, by balls around its circle.

Both lists are supersets, which does no harm: expansions at a place tell whether it is singular.

>>> from asymp.kernel.growths.growth import Domain
>>> def at(text, radius=None):
...     found = Singularities(Domain(), radius).of(terms.substitute(terms.read(text), {"z": Z}))
...     return [(str(to_term(one.place.value)) if one.place.value else "", one.branch) for one in found]
>>> at("exp(z)/sqrt(1 - 4*z^2)"), at("1/(1 - log(1/(1 - z)))"), at("1/(2 - exp(z))", fmpq(1))
([('1/2', True), ('-1/2', True)], [('1', True), ('1 - exp(-1)', False)], [('log(2)', False)])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from flint import fmpq
from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.equations import polynomial, rational_function, roots_of, solvable
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.plane import Place, compared, real, same, zeros_of
from asymp.kernel.growths.winding import zeros_in_disc
from asymp.kernel.rings.field import exponential
from asymp.kernel.rings.power_series import Exact, Z, series
from asymp.kernel.rings.quadratic import numerator_of_norm
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term

DEEPEST = 12
"""Equations that are solved inside one another."""
PI = terms.name("pi")


class NeedsDisc(Refused):
    """There may be infinitely many places: a disc is wanted."""


@dataclass(frozen=True, eq=False)
class Singular:
    """A place where a function may be singular; ``branch``: otherwise than by a pole."""

    place: Place
    branch: bool


def _branching(one: Singular) -> Singular:
    """What a pole becomes in a root, a logarithm or an exponential."""
    return Singular(one.place, True)


@dataclass
class Singularities:
    """Places of functions in the closed disc of a radius around 0, or in the whole plane where that is None.

    The functions have power series at 0, up to negative powers; constants have values in the domain.
    """

    domain: Domain
    radius: fmpq | None = None
    known: dict[Term, list[Singular]] = field(default_factory=dict)
    known_zeros: dict[tuple[Term, int], list[Place]] = field(default_factory=dict)

    def of(self, term: Term) -> list[Singular]:
        """Where a function may be singular.

        Raises:
            Refused: it is not seen that there are no others.
        """
        if term not in self.known:
            self.known[term] = self._of(term)
        return self.known[term]

    def _of(self, term: Term) -> list[Singular]:
        if Z.name not in term.free or term == Z:
            return []
        if polynomial(term, self.domain) is not None:
            return []
        match term.head:
            case "sum" | "product":
                return self.joined(one for part in term.parts for one in self.of(part))
            case "power" if Z.name not in term.parts[1].free:
                base, e = term.parts
                value = self.domain.value(e).constant()
                whole = value is not None and value.denominator == 1
                own = self.of(base)
                if whole and value is not None and value >= 0:
                    return own
                found = [*own, *(Singular(one, False) for one in self.zeros(base))]
                return self.joined(found if whole else map(_branching, found))
            case "power":
                base, e = term.parts
                found = [*self.of(e), *self.of(base), *(Singular(one, True) for one in self.zeros(base))]
                return self.joined(map(_branching, found))
            case "log":
                inner = term.parts[0]
                found = [*self.of(inner), *(Singular(one, True) for one in self.zeros(inner))]
                return self.joined(map(_branching, found))
            case "exp" | "sin" | "cos":
                return list(map(_branching, self.of(term.parts[0])))
        raise Refused(f"nothing is known of singularities of {term.head}")

    def joined(self, found: Iterable[Singular]) -> list[Singular]:
        """Each place once, and those of the disc alone."""
        kept: list[Singular] = []
        for one in found:
            if not self._inside(one.place):
                continue
            k = next((k for k, other in enumerate(kept) if self.same(one.place, other.place)), None)
            if k is None:
                kept.append(one)
            else:
                kept[k] = Singular(kept[k].place, kept[k].branch or one.branch)
        return kept

    def _inside(self, place: Place) -> bool:
        """Whether a place may be in the disc.

        Raises:
            Refused: it is not seen on which side of the circle it lies.
        """
        if self.radius is None:
            return True
        size = place.ball_of_size()
        if size > self.radius:
            return False
        if size < self.radius:
            return True
        raise Refused("a place too near to the circle")

    def same(self, a: Place, b: Place) -> bool:
        """Whether two places are one.

        Raises:
            Refused: it is not seen.
        """
        return a is b or same(a, b, self.domain)

    # --- zeros ---------------------------------------------------------------------------------------

    def zeros(self, term: Term, depth: int = 0) -> list[Place]:
        """Where a function may be 0 without being singular: places of the disc (or the plane) other than 0.

        Raises:
            Refused: it is not seen that there are no others.
        """
        key = (term, depth)
        if key not in self.known_zeros:
            found = [Singular(one, False) for one in self._zeros(term, depth)]
            self.known_zeros[key] = [one.place for one in self.joined(found) if not self._is_other(term, one.place)]
        return self.known_zeros[key]

    def _is_other(self, term: Term, place: Place) -> bool:
        """Whether a sum is seen not to be 0 at a real place: its value on the real line is that of its continuation, where no
        place at which it may be singular lies on the way."""
        if place.value is None or term.head != "sum" or polynomial(term, self.domain) is not None:
            return False
        try:
            if any(compared(one.place, place, self.domain) <= 0 for one in self.of(term)):
                return False
            value = self.domain.value(terms.substitute(term, {Z.name: to_term(place.value)}))
            return self.domain.sign(value) in (1, -1)
        except Refused:
            return False

    def _zeros(self, term: Term, depth: int) -> list[Place]:
        if depth > DEEPEST:
            raise Refused("equations too deep inside one another")
        if Z.name not in term.free:
            if self.domain.sign(self.domain.value(term)) not in (1, -1):
                raise Refused("a constant that may be 0")
            return []
        if (p := polynomial(term, self.domain)) is not None:
            return [one for one, _ in zeros_of(p, self.domain)]
        own = [one.place for one in self.of(term)] if term.head in ("power", "exp") else []
        match term.head:
            case "product":
                return [one for part in term.parts for one in self.zeros(part, depth)]
            case "power" if Z.name not in term.parts[1].free:
                return [*own, *self.zeros(term.parts[0], depth)]
            case "power" | "exp":
                return own
            case "log":
                return self.zeros(terms.add(term.parts[0], terms.number(-1)), depth + 1)
            case "sin" | "cos":
                return self._of_wave(term)
            case "sum":
                return self._of_sum(term, depth)
        raise Refused(f"nothing is known of zeros of {term.head}")

    def _of_sum(self, term: Term, depth: int) -> list[Place]:
        ways: list[Callable[[], list[Place]]] = [
            lambda: self._algebraic(term), lambda: self._rational(term),
            lambda: self._solved(term, depth), lambda: self._counted(term, depth),
        ]  # fmt: skip
        said: list[Refused] = []
        for way in ways:
            try:
                return way()
            except Refused as error:
                said.append(error)
        raise next((one for one in said if isinstance(one, NeedsDisc)), said[-1])

    def _algebraic(self, term: Term) -> list[Place]:
        return [one for one, _ in zeros_of(numerator_of_norm(term), self.domain)]

    def _rational(self, term: Term) -> list[Place]:
        return [one for one, _ in zeros_of(rational_function(term, self.domain)[0], self.domain)]

    def _solved(self, term: Term, depth: int) -> list[Place]:
        """Of c + d f(h), which is 0 where f(h) is q = -c/d."""
        q, head, inner, e = solvable(term, self.domain)
        sign = self.domain.sign(q)
        if head == "log":
            return self.zeros(terms.add(inner, terms.negative(to_term(exponential(q)))), depth + 1)
        if head == "power":
            top, bottom = int(e.numerator), int(e.denominator)
            if bottom == 1 or sign not in (1, -1):
                raise Refused("a power of which no root is taken")
            other = terms.add(terms.power(inner, terms.number(top)), terms.negative(to_term(q.power(bottom))))
            return self.zeros(other, depth + 1)
        p = polynomial(inner, self.domain)
        if sign not in (1, -1) or p is None or len(p) != 2:
            raise Refused("an exponential equation that is not solved")
        if self.radius is None:
            raise NeedsDisc("infinitely many zeros: a disc is wanted")
        log = self.domain.value(terms.call("log", to_term(q if sign == 1 else -q))) - p[0]
        found = [] if log.is_zero or sign == -1 else [real(log * p[1].inverse(), self.domain)]
        for k in range(1, 1_000):
            wave = rational(2 * k - (sign == -1)) * self.domain.value(PI)
            size = self.domain.raised((log * log + wave * wave) * (p[1] * p[1]).inverse(), rational(mpq(1, 2)))
            one = Place(size=size, of=(f"{to_term(log)}, {to_term(p[1])}", k))
            if not self._inside(one):
                return found  # and the others lie further out
            found += [one, replace(one, of=(f"{to_term(log)}, {to_term(p[1])}", -k))]
        raise Refused("too many zeros in the disc")

    def _of_wave(self, term: Term) -> list[Place]:
        """Of sin(a Z + b) or cos(a Z + b): (k pi - b)/a, or (k pi + pi/2 - b)/a."""
        p = polynomial(term.parts[0], self.domain)
        if p is None or len(p) != 2:
            raise Refused("zeros of a sine of what is not linear")
        if self.radius is None:
            raise NeedsDisc("infinitely many zeros: a disc is wanted")
        pi, found = self.domain.value(PI), list[Place]()
        shift = -p[0] + (pi * rational(mpq(1, 2)) if term.head == "cos" else rational(0))
        for way in (1, -1):
            for k in range(way == -1, 1_000):
                x = (rational(way * k) * pi + shift) * p[1].inverse()
                if x.is_zero:
                    continue
                one = real(x, self.domain)
                if not self._inside(one) and k and self._outwards(k, p):
                    break
                found.append(one)
            else:
                raise Refused("too many zeros in the disc")
        return found

    def _outwards(self, k: int, p: list[Ratio]) -> bool:
        """Whether the zeros from the k-th on move away from 0: k pi is beyond |b| + pi/2."""
        beyond = rational(k - 1) * self.domain.value(PI)
        return all(self.domain.sign(beyond - rational(way) * p[0]) == 1 for way in (1, -1))

    def _counted(self, term: Term, depth: int) -> list[Place]:
        """By the argument principle: as many as are known."""
        if self.radius is None:
            raise NeedsDisc("what is counted needs a disc")
        if any(self.of(part) for part in term.parts):
            raise Refused("zeros of what is singular in the disc are not counted")
        candidates = [one for one in roots_of(term, self.domain) if self._inside(one)]
        start = series(term, Exact(self.domain, 6))
        if not start.parts:
            raise Refused("a function that may be 0")
        count = zeros_in_disc(term, self.radius) - start.start
        found: list[Place] = []
        for one in candidates:
            assert one.value is not None
            if not any(self.same(one, other) for other in found):
                found.append(one)
        orders = sum(self._order(term, one) for one in found)
        if orders != count:
            raise Refused(f"{count} zeros in the disc, of which {orders} are known")
        return found

    def _order(self, term: Term, place: Place) -> int:
        """The order of a zero of what is analytic there: by its derivatives, which are series at the place."""
        assert place.value is not None
        moved = terms.substitute(term, {Z.name: terms.add(to_term(place.value), Z)})
        found = series(moved, Exact(self.domain, 4))
        if not found.parts or self.domain.sign(found.parts[0]) not in (1, -1):
            raise Refused("an order of a zero that is not seen")
        return found.start
