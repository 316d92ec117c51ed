r"""A sum of F(q^k) oscillates with log N/log q: what it is along N = q^m for whole m, and so where a statement of it fails.

Let F(y) have the series of :mod:`asymp.kernel.growths.dyadic_sums`, with N for s.  Let c N^beta be its term with alpha = beta on
the *left* (c = 0 where there is none), and f(z) N^beta, which outweighs all others, that *between*; let the sum of all else on
the left, at first and to the right be o(N^beta), or at most that of (y/N)^r N^beta or of (N/y)^r N^beta, r > 0.  Then, with
N = q^m, k = m + j and a the first k,

.. math:: \sum_{k \ge a} F(q^k) = c N^\beta (m - a) + N^\beta w, \qquad
   w \to \sum_{j \ge 0} f(q^j) + \sum_{j < 0} (f(q^j) - c),

by dominated convergence.  So w lies from some point on in any open interval around the right side, which balls enclose: for
z >= V or z <= 1/V the absolute value of a summand is at most C V^(-r), with C by a series of it with an explicit remainder.

>>> from asymp.kernel.theorem import apply
>>> apply("along powers", statement="Sum(exp(-2^k/n), (k, 0, oo)) = log(n)/log(2) + 1/6 + o(1) as n -> oo", order=2, runner="m",
...       values={"n": "2^m"})
⊢ not: Sum(exp(-2^k/n), (k, 0, oo)) = log(n)/log(2) + 1/6 + o(1) as n -> oo
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from flint import arb, ctx, fmpq
from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.facts.ranges import ball
from asymp.kernel.growths.asymptotics import checked_order, fails_by_series
from asymp.kernel.growths.bounded import Waves
from asymp.kernel.growths.dyadic_sums import HALVES, Dyadic, U, Y, in_base, monomial, powers_of, written
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import BOUNDED, ONE, Domain, Growth, power_of
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.paths import refuting
from asymp.kernel.growths.regime import moving, require_fresh
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rays.algebra import Ray
from asymp.kernel.rays.expander import Explicit
from asymp.kernel.rays.supremum import HalfLine, Later, Numbers
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term, add, multiply, negative, number, power
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.kernel.trust import remembered
from asymp.language.bodies import Limiting

N, X = terms.name("@n"), terms.name("@x")
BITS = 192
SMALL = mpq(1, 2**44)
"""What the two ends of the sum over j may leave, and how far the interval reaches beyond the ball."""
MOST_DOUBLED, STEPS = 70, 3
EXPONENTS = (*map(mpq, (12, 6, 3, 2, 1)), mpq(1, 2))
"""The r that are tried."""


@rule("along powers", alone=True)
def _along_powers(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f = O(g) and the like fail, along a path on which sums of F(q^k) are known.

    Data: statement, order, runner and values (see paths).

    Every condition is verified on the path, where the difference, or the quotient, has a term of a size that is excluded.
    """
    statement, order = read_closed(data["statement"]), data["order"]
    checked_order(statement, order)
    path = refuting(statement, data)
    waves = Steps(path.whole, runner=path.runner)
    plain = Expander(Algebra(Domain(), order), {path.runner: 0}, {})
    read = {node: waves.without(path.where.put(terms.of(node))) for node in statement.body.terms()}
    if not waves.sums:
        raise Refused("no sum of this kind")
    require_fresh((statement,), [path.runner, *waves.reach, *waves.within, *waves.series])
    where = replace(path.where, domain=waves.domain(Domain()))
    expander = expander_of((), statement, where, Algebra(where.domain, order))
    expander.whole |= {terms.name(path.runner)}
    known = {terms.name(v): in_runner(plain, f, q, path.runner) for v, (f, q) in waves.series.items()}
    expander.leaves = {**expander.leaves, **known}
    for argument in waves.arguments():
        expander.series(argument)
    body = statement.body
    if isinstance(body, Limiting) and terms.free(terms.of(body.value)) & moving(statement):
        raise Refused("a limit that moves")
    if not fails_by_series(body, expander, read.__getitem__):
        raise Refused("the series do not show that it fails")
    return Conclusion(statement, holds=False)


@dataclass
class Steps(Waves):
    """Quantities that stand for atoms, sums of F(q^k) too."""

    runner: str = ""
    series: dict[str, tuple[Series, Term]] = field(default_factory=dict)
    """Of sums of which no more is seen: their series in N, and q."""

    def without_sum(self, term: Term) -> Term:
        """A sum by its step, or by its series."""
        if term not in self.sums:
            w = f"step{len(self.within) + len(self.series) + 1}_"
            try:
                self.sums[term], self.within[w] = along(term, self.runner, w)
            except Refused:
                try:
                    one = at_powers(term, self.runner)
                    self.series[w], self.sums[term] = (one.series(mpq(1)), one.q), terms.name(w)
                except Refused:
                    return term
        return self.sums[term]


def in_runner(e: Expander, f: Series, q: Term, runner: str) -> Series:
    """A series in N = q^runner as one in the runner."""
    a, n = e.algebra, power(q, terms.name(runner))

    def of(g: Growth) -> Series:
        logs = [n, terms.call("log", n)]
        if g.exponent or any(depth > 1 for (_, depth), _ in g.powers):
            raise Refused("a growth that is no power times logarithms")
        return e.series(multiply(*(power(logs[depth], to_term(c)) for (_, depth), c in g.powers)))

    found = a.total(a.scaled(of(g), c) for c, g in f.terms)
    return a.made(list(found.terms), [*found.rest, *(h for g in f.rest for h in loose(of(g)))])


def at_powers(term: Term, runner: str) -> Dyadic:
    """A sum along N = q^runner, as one in N.

    Raises:
        Refused: it is none.
    """
    base, f, start = in_base(term)
    if not base.is_number or base.number in (0, 1) or base.number < 0:
        raise Refused("powers of what is no number")
    if base.number < 1:
        base, f = number(1 / base.number), terms.substitute(f, {Y.name: power(Y, number(-1))})
    f = written(f, base, runner, N)
    if f.free != {Y.name, N.name}:
        raise Refused("what is not made of powers of one number")
    plain = Expander(Algebra(Domain(), 2), {N.name: 0}, {})
    return Dyadic(plain, f, base, start, N.name, whole=base.number.denominator == 1)


def along(term: Term, runner: str, w: str) -> tuple[Term, Range]:
    """A sum, with w in it, along N = q^runner, and where w lies from some point on.

    Raises:
        Refused: that is not seen.
    """
    one = at_powers(term, runner)
    beta, c, middle = Limit(one).found()
    base, start = one.q, one.start
    large = power(base, multiply(number(beta), terms.name(runner))) if beta else terms.ONE
    found = add(multiply(terms.name(w), large), multiply(to_term(c), large, add(terms.name(runner), number(-start))))
    if c.is_zero:
        found = multiply(terms.name(w), large)
    total = summed(middle, to_term(c), base.number)
    return found, Range(_end(total.lower(), -1), True, _end(total.upper(), 1), True)


def _end(x: arb, way: int) -> mpq:
    with ctx.workprec(BITS):
        k = (x * 2**80).floor().unique_fmpz() if way < 0 else (x * 2**80).ceil().unique_fmpz()
    if k is None:
        raise Refused("a value that is not known")
    return mpq(int(k), 2**80) + way * SMALL


@dataclass(frozen=True)
class Limit:
    """What F(z N)/N^beta tends to, where it dominates all else."""

    sum: Dyadic

    def found(self) -> tuple[mpq, Ratio, Term]:
        """beta, c and f, as a term in z.

        Raises:
            Refused: they are not seen.
        """
        one, n = self.sum, {N.name: 0}
        domain = one.wider(u=Range(mpq(0), True))
        middle = one.of(one.f, {Y.name: multiply(U, N)}, n, u=Range(mpq(0), True))
        top = [
            (c, g)
            for c, g in middle.terms
            if all(domain.quotient(h, g) == "zero" for h in (*(h for _, h in middle.terms if h is not g), *middle.rest))
        ]
        if len(top) != 1 or (powers := powers_of(top[0][1], 1)) is None or (beta := powers[0].constant()) is None:
            raise Refused("no term that leads, or none that is a power")
        value, main = top[0][0], rational(0)
        left = one.of(one.f, {N.name: multiply(Y, U)}, {Y.name: 0, U.name: 1})
        rest = list(left.rest)
        for c, g in left.terms:
            powers = powers_of(g, 2)
            if powers and (powers[0] - powers[1]).is_zero and powers[1].constant() == beta:
                main = c
            else:
                rest.append(g)
        right = one.of(one.f, {Y.name: multiply(U, N)}, {U.name: 0, N.name: 1})
        rights = [*(g for _, g in right.terms), *right.rest]
        if not (all(self._on_the_left(g, beta) for g in rest) and all(self._on_the_right(g, beta) for g in rights)):
            raise Refused("terms that are not seen to be dominated")
        large = power_of(0, 0, rational(beta)) if beta else ONE
        less = multiply(to_term(main), power(N, number(beta)) if beta else terms.ONE)
        first = one.first(one.f if main.is_zero else add(one.f, negative(less)))
        if any(one.algebra.domain.quotient(g, large) != "zero" for g in first):
            raise Refused("first terms that count")
        return beta, main, _plain(to_term(value))

    def _on_the_left(self, g: Growth, beta: mpq) -> bool:
        """Whether g(y, N/y) is O((y/N)^r N^beta), r > 0, or its sum over y <= N is o(N^beta)."""
        domain = self.sum.algebra.domain
        for i, j in [(i, j) for i in HALVES for j in HALVES]:
            fits = (i > j and i <= beta) or (i <= j and j < beta)
            if fits and domain.quotient(g, monomial(i, j)) in BOUNDED:
                return True
        return False

    def _on_the_right(self, g: Growth, beta: mpq) -> bool:
        """Whether g(v, N) is O(v^(-r) N^beta), r > 0."""
        domain = self.sum.algebra.domain
        return any(domain.quotient(g, monomial(-mpq(1, 2), j)) in BOUNDED for j in HALVES if j <= beta)


def _plain(term: Term) -> Term:
    """The same with exp(k x) for exp(x)^k."""
    found = terms.rebuilt(term, tuple(map(_plain, term.parts))) if term.parts else term
    if found.head == "power" and found.parts[0].head == "exp":
        return terms.call("exp", multiply(found.parts[0].parts[0], found.parts[1]))
    return found


@remembered(200)
def summed(f: Term, c: Term, q: mpq) -> arb:
    """A ball around the sum of f(q^j) over j >= 0 and of f(q^j) - c over j < 0.

    Raises:
        Refused: it is not seen to converge.
    """
    with ctx.workprec(BITS):
        below = add(f, negative(c)) if c != terms.ZERO else f
        total = _half(f, q, 0) + _half(terms.substitute(below, {U.name: power(U, number(-1))}), q, 1)
        if not total.is_finite():
            raise Refused("a sum that is not seen to converge")
        return total


def _half(f: Term, q: mpq, first: int) -> arb:
    """The sum of f(q^j) over j >= first."""
    total, rate = arb(0), arb(fmpq(int(q.numerator), int(q.denominator)))
    tried = list(EXPONENTS)
    for j in range(first, MOST_DOUBLED):
        place = q**j
        for r in list(tried) if j % STEPS == first else ():
            try:
                left = _left(f, place, r, rate)
            except Later:
                continue
            except Refused:
                tried.remove(r)
                continue
            if left < arb(fmpq(1, 2**44)):
                return total + left.union(-left)
            break
        total += ball(terms.substitute(f, {U.name: number(place)}), bits=BITS)
    raise Refused("a sum that is not seen to converge fast enough")


def _left(f: Term, place: mpq, r: mpq, rate: arb) -> arb:
    """C V^(-r)/(1 - q^(-r)), where |f(v)| <= C v^(-r) for v >= V.

    Raises:
        Refused: no C is seen; Later: it may be for a larger V.
    """
    ray = Ray(Domain(), 3, line=HalfLine(fmpq(int(place.numerator), int(place.denominator)), Numbers(BITS)))
    c = ray.bound(Explicit(ray, {X.name: 0}, {}).series(multiply(terms.substitute(f, {U.name: X}), power(X, number(r)))))
    e, start = arb(fmpq(int(r.numerator), int(r.denominator))), arb(fmpq(int(place.numerator), int(place.denominator)))
    return c * start ** (-e) / (1 - rate ** (-e))
