r"""The method of stationary phase: integrals of g(t) cos(N h(t) + r), and of g(t) sin(N h(t) + r), by what g and h are at points.

**Theorem** (Erdelyi 1955; Olver, Asymptotics and Special Functions, 1974, chapter 3, theorem 13.1; DLMF 2.3(iv)).  Let g and h be
infinitely differentiable on (a, b), with h' != 0 there, and as t -> a+ let g(t) and h(t) - h(a) have expansions in powers of
y = t - a, which may be differentiated, that begin with y^(lambda - 1) and with s c y^mu, c > 0, s = 1 or -1, lambda > 0, mu > 0;
and likewise as t -> b-, in y = b - t.  (Or let b be oo and (d) hold: h -> oo or -oo, P_0 = g/h' -> 0 at b, and each of the
integrals of P_k h' exp(i N h), P_(k+1) = P_k'/h', converge there uniformly in N; then b adds nothing.)  Then the integral of
g exp(i N h) is the sum of what both ends add, with expansions to any order, in which each power

    y^E exp(i N s c y^mu)    adds    exp(i N h(a)) Gamma((E + 1)/mu)/mu (N c)^(-(E+1)/mu) exp(i s pi (E + 1)/(2 mu)).

The theorem is about one end; both are had by a cut between them, where what the two halves add cancels.  Powers in steps of 1/d
are whole ones of y^(1/d).  With D = h - h(a) - s c y^mu, the powers are those of g sum_j (i N D)^j/j!: to take them is the same
formal change of variable as by w = |h - h(a)|, and what is cut from it is O of what it would add.

At infinity (d) is seen where g and h are of a field of Hardy (made by + - * /, powers, exp, log and arcs of tangents), |h| grows
to infinity, and P_0 -> 0: as functions of w = h(t) they are of one again, where what tends to 0 is monotone in the end, and has
a derivative that tends to 0; so P_k -> 0 for all k, and Dirichlet's test has uniform bounds.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {})
>>> found = Phase(e, terms.name("n"), terms.read(f"{T}^2"), terms.ZERO, "cos").integral(terms.ONE, terms.ZERO, terms.name("oo"))
>>> [str(to_term(c)) for c, _ in found.terms]  # of cos(n t^2), 0 < t < oo: sqrt(pi/(8 n))
['1/4*pi^(1/2)*2^(1/2)']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import factorial
from typing import Any

from flint import fmpq
from gmpy2 import mpq

from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.facts.intervals import Range as Interval
from asymp.kernel.facts.intervals import as_end
from asymp.kernel.facts.ranges import Evaluator
from asymp.kernel.growths.exact import Whole
from asymp.kernel.growths.growth import Domain, Growth, degree
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.phases import turned
from asymp.kernel.growths.series import Algebra as Algebra
from asymp.kernel.growths.series import Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio, atom, rational, to_term
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import rests_on

T = terms.name("t_of_the_phase")
"""The variable of the integral."""
END = "y_of_the_phase"
OO = terms.name("oo")
HARDY = frozenset({"number", "name", "sum", "product", "power", "exp", "log", "atan", "sinh", "cosh", "tanh"})
MOST_BOXES, MOST_POINTS, BITS = 200, 8, 64
EXTRA = 3
"""Orders of g and h at an end beyond those that are wanted."""
_settled = Whole(frozenset(), domain=Domain(within={END: Range(mpq(0), True)})).settled


@dataclass(frozen=True)
class Powers:
    """sum of c y^q, and O of each of the other powers."""

    known: tuple[tuple[Ratio, Ratio], ...]
    rest: tuple[Ratio, ...]


@dataclass(frozen=True)
class Phase:
    """cos or sin (``head``) of N h(T) + r; ``e`` is the expander of what moves."""

    e: Any
    large: Term
    h: Term
    shift: Term
    head: str

    def integral(self, g: Term, low: Term, high: Term) -> Series:
        """The integral of g times it, between ends that stay.

        Raises:
            Refused: the conditions of the theorem are not seen to hold.
        """
        a = self.e.algebra
        way, growths = a.below(self.e.series(self.large))
        if not all(x.limit(a.domain) == "infinity" for x in growths):
            raise Refused("a phase that is not seen to grow")
        if way == -1:
            return replace(self, large=terms.negative(self.large), h=terms.negative(self.h)).integral(g, low, high)
        if not self.e.constant(low) or not self.e.constant(high) or not (self.h.free | g.free) & {T.name}:
            raise Refused("ends that move, or nothing that does")
        rests_on("Olver 1974, chapter 3")
        points = [low, *self._stationary(low, high), high]
        found = Series(())
        for p, q in pairwise(points):
            self._smooth(g, p, q)
            orders = [self.at_end(p, 1), self.at_infinity(g) if q == OO else self.at_end(q, -1)]
            self._monotone(p, q, orders)
            found = a.add(found, self.added(g, p, 1))
            if q != OO:
                found = a.add(found, self.added(g, q, -1))
        return found

    # --- where the theorem applies --------------------------------------------------------------------

    def _inside(self, p: Term, q: Term) -> Any:
        """The domain, with T between p and q: between rational numbers next to them."""
        domain = self.e.algebra.domain
        low, high = (None if x == OO else self._rational(x, way) for x, way in ((p, -1), (q, 1)))
        return replace(domain, within={**domain.within, T.name: Range(low, low is not None, high, high is not None)})

    def _rational(self, x: Term, way: int) -> mpq | None:
        if x.is_number:
            return x.number
        if x.free:
            raise Refused("an end that is a parameter")
        ball = Evaluator(BITS).range(x, {})
        found = ball.low if way == -1 else ball.high
        return mpq(int(found.p), int(found.q))

    def _smooth(self, g: Term, p: Term, q: Term) -> None:
        """That g and h are analytic between p and q: made of analytic functions, which are defined there."""
        domain = self._inside(p, q)
        for term in (g, self.h):
            for part in terms.walk(term):
                row = NAMED.get(part.head)
                if part.head not in HARDY and not (q != OO and row is not None and row.everywhere):
                    raise Refused(f"{part.head} in an integral that oscillates")
            domain.value(term)

    def _monotone(self, p: Term, q: Term, orders: list[Ratio]) -> None:
        """That h' is not 0 between p and q: by its sign, or by balls; next to an end of order k by the k-th derivative."""
        slope = derivative(self.h, T.name)
        domain = self._inside(p, q)
        try:
            if domain.sign(domain.value(slope)):
                return
        except Refused:
            pass
        first, last = (x.constant() for x in orders)
        if slope.free != {T.name} or not all(k is not None and k.denominator == 1 and k <= 12 for k in (first, last)):
            raise Refused("a phase that may be stationary")
        ends = domain.within[T.name]
        if q == OO:  # far out by its sign
            ends = Range(ends.low, True, ends.low + 1, True)
            beyond = replace(domain, within={**domain.within, T.name: Range(ends.high, False)})
            if not beyond.sign(beyond.value(slope)):
                raise Refused("a phase that may be stationary")
        low, high = as_end(ends.low), as_end(ends.high)
        width = high - low
        self._not_zero(slope, low + width / 16, high - width / 16)
        for order, begin, end in ((first, low, low + width / 16), (last, high - width / 16, high)):
            higher = slope
            for _ in range(int(order or 1) - 1):
                higher = derivative(higher, T.name)
            self._not_zero(higher, begin, end)

    @staticmethod
    def _not_zero(term: Term, low: fmpq, high: fmpq) -> None:
        evaluator, todo = Evaluator(BITS), [(low, high)]
        for _ in range(MOST_BOXES):
            if not todo:
                return
            begin, end = todo.pop()
            if evaluator.range(term, {T.name: Interval(begin, end)}).holds_zero():
                middle = (begin + end) / 2
                todo += [(begin, middle), (middle, end)]
        raise Refused("a phase that may be stationary")

    def _stationary(self, low: Term, high: Term) -> list[Term]:
        """Points between the ends at which h' may be 0, in order."""
        domain = self._inside(low, high)
        slope = domain.value(derivative(self.h, T.name))
        inside: list[Term] = []
        own = self.e.algebra.domain

        def is_above(x: Term, y: Term) -> bool:
            return bool(own.sign(own.value(x) - own.value(y)) == 1)

        for point in _zeros(slope, domain):
            if is_above(point, low) and (high == OO or is_above(high, point)) and point not in inside:
                inside.append(point)
        if len(inside) > MOST_POINTS:
            raise Refused("too many points where the phase is stationary")
        for k, one in enumerate(inside):  # by insertion
            j = k
            while j and is_above(inside[j - 1], one):
                j -= 1
            inside.insert(j, inside.pop(k))
        return inside

    # --- series at the ends -----------------------------------------------------------------------------

    def _powers(self, term: Term, p: Term, way: int) -> Powers:
        """A term at T = p + way y, y -> 0+, in powers of y."""
        inner = self.e.alone(END, EXTRA)
        y = terms.reciprocal(terms.name(END))
        at = y if p == terms.ZERO and way == 1 else terms.add(p, terms.multiply(terms.number(way), y))
        f = inner.series(_settled(terms.substitute(term, {T.name: at})))
        return Powers(tuple((-degree(g), c) for c, g in f.terms), tuple(-degree(g) for g in f.rest))

    def at_end(self, p: Term, way: int) -> Ratio:
        """The order of h - h(p) at an end."""
        return self._leading(p, way)[0]

    def _leading(self, p: Term, way: int) -> tuple[Ratio, int, Ratio, Ratio, Powers]:
        """mu, s, c, h(p) and what is left of h."""
        domain = self.e.algebra.domain
        h = self._powers(self.h, p, way)
        value = next((c for q, c in h.known if q.is_zero), rational(0))
        others = [(q, c) for q, c in h.known if not q.is_zero]
        for mu, c in others:
            if all(domain.sign(q - mu) == 1 for q in (*(q for q, _ in others if q is not mu), *h.rest)):
                sign = domain.sign(c)
                if domain.sign(mu) != 1 or not sign:
                    break
                left = Powers(tuple((q, d) for q, d in others if q is not mu), h.rest)
                return mu, sign, c * rational(sign), value, left
        raise Refused("a phase that is not seen to be of one order at an end")

    def at_infinity(self, g: Term) -> Ratio:
        """That h grows to infinity there, and g/h' tends to 0.

        Raises:
            Refused: that is not seen.
        """
        if any(part.head not in HARDY for term in (g, self.h) for part in terms.walk(term)):
            raise Refused("what is not of a field of Hardy")
        a = self.e.algebra
        inner = self.e.alone(T.name)
        _, growths = inner.algebra.below(inner.series(self.h))
        first = inner.series(terms.multiply(g, terms.reciprocal(derivative(self.h, T.name))))
        if not all(x.limit(a.domain) == "infinity" for x in growths) or not inner.algebra.vanishes(first):
            raise Refused("an integral that is not seen to converge at infinity")
        return rational(0)

    # --- what an end adds --------------------------------------------------------------------------------

    def added(self, g: Term, p: Term, way: int) -> Series:
        """What the end p adds, where the integral goes on in the direction of ``way``."""
        a, domain = self.e.algebra, self.e.algebra.domain
        mu, sign, c, value, left = self._leading(p, way)
        weight = self._powers(g, p, way)
        exponents = [*(q for q, _ in weight.known), *weight.rest]
        if not exponents:
            return Series(())
        least = next((q for q in exponents if all(q is r or domain.sign(r - q) in (0, 1) for r in exponents)), None)
        if least is None or domain.sign(least + rational(1)) != 1:
            raise Refused("an integrand that is not seen to be integrable at an end")
        over = mu.inverse()
        last = (least + rational(1) + rational(a.order)) * over
        total = Series((), self._growths(-last))

        def kept(f: Powers, j: int) -> Powers:
            """Without what is O(N^(-last)) already."""
            def larger(q: Ratio) -> bool:
                return domain.sign((q + rational(1)) * over - rational(j) - last) not in (0, 1)

            return Powers(tuple(x for x in f.known if larger(x[0])), tuple(q for q in f.rest if larger(q)))

        product, j = kept(weight, 0), 0
        while (product.known or product.rest) and j <= a.order + EXTRA:
            for E, k in product.known:
                z = (E + rational(1)) * over
                size = domain.value(terms.call("gamma", to_term(z))) * over * domain.raised(c, -z) * k
                size = size * rational(mpq(1, factorial(j)))
                power = self.e.series(terms.power(self.large, to_term(rational(j) - z)))
                total = a.add(total, a.times(a.scaled(power, size), self._turned(value, j, sign, z)))
            for E in product.rest:
                total = a.made(list(total.terms), [*total.rest, *self._growths(rational(j) - (E + rational(1)) * over)])
            product, j = kept(_times(product, left), j + 1), j + 1
        for E in (*(E for E, _ in product.known), *product.rest):
            total = a.made(list(total.terms), [*total.rest, *self._growths(rational(j) - (E + rational(1)) * over)])
        return total

    def _growths(self, exponent: Ratio) -> tuple[Growth, ...]:
        return tuple(loose(self.e.series(terms.power(self.large, to_term(exponent)))))

    def _turned(self, value: Ratio, j: int, sign: int, z: Ratio) -> Series:
        """cos or sin of N h(p) + r and of the angle of i^j e^(i s pi z/2)."""
        angle = (rational(j) + rational(sign) * z) * rational(mpq(1, 2)) * atom(terms.name("pi"))
        if value.is_zero and self.shift == terms.ZERO:
            return self.e.algebra.constant(turned(self.e.algebra, angle)[self.head == "sin"])  # type: ignore[no-any-return]
        moved = terms.add(terms.multiply(to_term(value), self.large), self.shift, to_term(angle))
        return self.e.series(terms.call(self.head, moved))  # type: ignore[no-any-return]


def _times(f: Powers, g: Powers) -> Powers:
    known: dict[Any, tuple[Ratio, Ratio]] = {}
    for p, c in f.known:
        for q, d in g.known:
            e, k = p + q, c * d
            known[e.key] = (e, known[e.key][1] + k) if e.key in known else (e, k)
    rest = [p + r for p, _ in f.known for r in g.rest] + [r + q for r in f.rest for q, _ in g.known]
    rest += [r + s for r in f.rest for s in g.rest]
    return Powers(tuple((e, k) for e, k in known.values() if not k.is_zero), tuple({r.key: r for r in rest}.values()))


def _zeros(slope: Ratio, domain: Any) -> Iterator[Term]:
    """Terms without T at which a rational function may be 0: zeros of linear or quadratic factors, of sines that divide it."""
    powers = [dict(row) for row in slope.num]
    for a in {a for row in powers for a in row}:
        if a.head in ("sin", "cos") and T.name in a.free and all(row.get(a, 0) > 0 for row in powers):
            inner = domain.value(a.parts[0])
            c, d = (inner.num.get(key, mpq(0)) for key in ((((T, mpq(1)),), ())[0:2]))
            if c and len(inner.num) <= 2:
                half = mpq(1, 2) if a.head == "cos" else mpq(0)
                for k in range(-MOST_POINTS, MOST_POINTS + 1):
                    turns = terms.multiply(terms.number((k + half) / c), terms.name("pi"))
                    yield terms.add(turns, terms.number(-d / c)) if d else turns
    if powers and all(row.get(T, 0) > 0 for row in powers):
        yield terms.ZERO
    degrees: dict[int, Ratio] = {}
    least = min((row.get(T, mpq(0)) for row in powers), default=mpq(0))
    for monomial, weight in slope.num.items():
        degree = dict(monomial).get(T, mpq(0)) - least
        others = tuple((a, e) for a, e in monomial if a != T)
        if degree.denominator != 1 or any(T.name in a.free for a, _ in others):
            return
        degrees[int(degree)] = degrees.get(int(degree), rational(0)) + Ratio({others: weight})
    zero, one, two = (to_term(degrees.get(k, rational(0))) for k in range(3))
    match max(degrees, default=0):
        case 1:
            yield _tidy(terms.multiply(terms.number(-1), zero, terms.reciprocal(one)), domain)
        case 2:
            square = terms.add(terms.power(one, terms.number(2)), terms.multiply(terms.number(-4), two, zero))
            root = terms.power(square, terms.number(mpq(1, 2)))
            for way in (1, -1):
                top = terms.add(terms.negative(one), terms.multiply(terms.number(way), root))
                try:
                    yield _tidy(terms.multiply(top, terms.reciprocal(terms.multiply(terms.number(2), two))), domain)
                except Refused:
                    return


def _tidy(x: Term, domain: Any) -> Term:
    return to_term(domain.value(x))
