r"""Power series at 0 of terms in one variable: what :math:`[z^n] F(z)` is taken of, and the algebra in which they are found.

A term has a power series at 0 if it is made of its variable and of constants by +, \*, powers, exp, log, sin and cos, where what
is divided by is not 0 to all orders, and what is rooted or logged has a positive constant and no negative powers.  Negative
powers of the variable may come up on the way and have to cancel: (exp(z) - 1)/z has a power series, log(z)/log(z) has none.

:func:`series` goes through a term; what it calculates with is given: exact coefficients here (:class:`Exact`), balls
(:mod:`asymp.kernel.facts.coefficients`), or expansions at a singularity (:mod:`asymp.kernel.growths.singular_expansions`).

>>> from asymp.kernel.facts.context import Context
>>> body = terms.read("(1 - sqrt(1 - 4*@z))/(2*@z)".replace("@z", "z"))
>>> found = series(terms.substitute(body, {"z": Z}), Exact(Context(), 6))
>>> found.start, [str(to_term(c)) for c in found.parts[:4]]
(0, ['1', '1', '2', '5'])
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Generic, Protocol, TypeVar

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings import recurring
from asymp.kernel.rings.counting import at_index
from asymp.kernel.rings.field import Facts, exponential, logarithm
from asymp.kernel.rings.ratio import ONE_POLY, Ratio, atom, multiplied_out, rational, to_term
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import rests_on

Z = terms.name("@z")
"""The variable."""
MOST_EXACT = 30
"""The highest coefficient whose value is found exactly, with parameters in it."""
MOST_FACTORS = 200
"""Of a product or a sum that is written out."""
S = TypeVar("S")


class Operations(Protocol[S]):
    """What :func:`series` calculates with; each may refuse."""

    @property
    def order(self) -> int:
        """Coefficients beyond this one are not wanted."""

    def constant(self, term: Term) -> S: ...
    def variable(self) -> S: ...
    def add(self, f: S, g: S) -> S: ...
    def times(self, f: S, g: S) -> S: ...
    def power(self, f: S, exponent: Term) -> S: ...
    def exp(self, f: S) -> S: ...
    def log(self, f: S) -> S: ...
    def sin(self, f: S) -> S: ...
    def cos(self, f: S) -> S: ...


ELEMENTARY = {
    head: terms.read(text) for head, text in (
        ("tan", "sin(x)/cos(x)"), ("sec", "1/cos(x)"), ("cot", "cos(x)/sin(x)"), ("csc", "1/sin(x)"),
        ("sinh", "exp(-x)*(exp(2*x) - 1)/2"), ("cosh", "exp(-x)*(exp(2*x) + 1)/2"), ("tanh", "(exp(2*x) - 1)/(exp(2*x) + 1)"),
        ("coth", "(exp(2*x) + 1)/(exp(2*x) - 1)"), ("sech", "2*exp(x)/(exp(2*x) + 1)"), ("csch", "2*exp(x)/(exp(2*x) - 1)"),
        ("atanh", "log((1 + x)/(1 - x))/2"),
    )
}  # fmt: skip
"""Functions by exp, log, sin and cos: identities of power series, up to negative powers."""


def elementary(term: Term) -> Term:
    """A term with exp, log, sin and cos for other functions.

    >>> str(elementary(terms.call("tan", Z)))
    'cos(@z)^(-1)*sin(@z)'
    """
    if not term.parts or Z.name not in term.free:
        return term
    found = terms.rebuilt(term, tuple(map(elementary, term.parts)))
    return terms.substitute(ELEMENTARY[found.head], {"x": found.parts[0]}) if found.head in ELEMENTARY else found


def opened(term: Term) -> Term:
    """What a coefficient is taken of, in the variable Z, by exp, log, sin and cos."""
    return elementary(terms.opened(term.parts[0], Z))


def parted(term: Term) -> tuple[Term, Term]:
    """What a coefficient is taken of as a factor without the variable, and the rest: [z^n] (c F) = c [z^n] F.

    >>> [str(part) for part in parted(opened(terms.read("Coefficient(n!*exp(z)/2, (z, 0, n))")))]
    ['1/2*factorial(n)', 'exp(@z)']
    """
    parts = term.parts if term.head == "product" else (term,)
    return tuple(terms.multiply(*(part for part in parts if (Z.name in part.free) is way)) for way in (False, True))  # type: ignore[return-value]


def series(term: Term, of: Operations[S]) -> S:
    """The series of a term in Z.

    Raises:
        Refused: it has none, or is made of other functions.
    """
    if Z.name not in term.free:
        return of.constant(term)
    match term.head:
        case "name":
            return of.variable()
        case "sum":
            return reduce(of.add, (series(part, of) for part in term.parts))
        case "product":
            return reduce(of.times, (series(part, of) for part in term.parts))
        case "power" if Z.name not in term.parts[1].free:
            return of.power(series(term.parts[0], of), term.parts[1])
        case "power":
            return of.exp(of.times(series(term.parts[1], of), of.log(series(term.parts[0], of))))
        case "exp":
            return of.exp(series(term.parts[0], of))
        case "log":
            return of.log(series(term.parts[0], of))
        case "sin":
            return of.sin(series(term.parts[0], of))
        case "cos":
            return of.cos(series(term.parts[0], of))
        case "Sum" | "Product":
            return series(written_out(term, of.order), of)
    raise Refused(f"no power series of {term.head} is known here")


def written_out(term: Term, order: int) -> Term:
    """A sum or a product between numbers as one of its terms; of an infinite one those that reach coefficients up to ``order``.

    In an infinite one the index k stands in powers Z^(c k + d) alone, c and d whole, c > 0; the summand is 0, and the factor 1,
    where these are 0: that of an index k is 0, or 1, up to the least of the powers in it.

    Raises:
        Refused: it is another one, or a long one.
    """
    body, low, high = term.parts
    if not low.is_number or low.number.denominator != 1 or not (high.is_number or high == terms.name("oo")):
        raise Refused(f"{term.head} whose ends are no numbers")
    first = int(low.number)
    if high.is_number:
        last = int(high.number)
    else:
        last = _last(term, first, order)
    if high.is_number and (high.number.denominator != 1 or last < first - 1):
        raise Refused(f"{term.head} that does not run forwards")
    if last - first >= max(MOST_FACTORS, order + 1):
        raise Refused(f"a long {term.head}")
    parts = [at_index(body, terms.number(k)) for k in range(first, last + 1)]
    return terms.add(terms.ZERO, *parts) if term.head == "Sum" else terms.multiply(terms.ONE, *parts)


def _last(term: Term, first: int, order: int) -> int:
    """The last index that matters, of an infinite one."""
    k = terms.name("@k")
    inner, slopes = terms.opened(term.parts[0], k), list[tuple[int, int]]()

    def without(part: Term) -> Term:
        if part.head == "power" and part.parts[0] == Z and k.name in part.parts[1].free:
            slopes.append(linear(part.parts[1], k))
            return terms.ZERO
        if k.name in part.free and not part.parts:
            raise Refused(f"an index that stands outside of powers of {Z.name}")
        return terms.rebuilt(part, tuple(map(without, part.parts))) if k.name in part.free else part

    rest = reduced(without(inner))
    if not slopes or rest != (terms.ZERO if term.head == "Sum" else terms.ONE):
        raise Refused(f"an infinite {term.head} that is not seen to have a power series")
    if any(c < 1 or c * first + d < 1 for c, d in slopes):
        raise Refused("powers that do not rise with the index")
    return max(first - 1, *((order - d) // c for c, d in slopes))


def linear(term: Term, k: Term) -> tuple[int, int]:
    """c and d of c k + d, with whole c and d.

    Raises:
        Refused: it is another term.
    """
    c, d = recurring.linear(terms.substitute(term, {k.name: recurring.K}))
    if c.denominator != 1 or d.denominator != 1:
        raise Refused("an exponent that is not linear in the index")
    return int(c), int(d)


def reduced(term: Term) -> Term:
    """A term whose numbers are multiplied and added: 0 x is 0, 1^a is 1."""
    if not term.parts or term.head in terms.BINDERS:
        return term
    found = terms.rebuilt(term, tuple(map(reduced, term.parts)))
    if found.head == "product" and terms.ZERO in found.parts:
        return terms.ZERO
    if found.head == "power" and found.parts[0] == terms.ONE:
        return terms.ONE
    if found.head in ("log", "exp") and found.parts == ((terms.ONE,) if found.head == "log" else (terms.ZERO,)):
        return terms.ZERO if found.head == "log" else terms.ONE
    return found


# --- exact coefficients ------------------------------------------------------------------------------------------


class Number(Protocol):
    """A coefficient: of what is 0 by identity it is told."""

    @property
    def is_zero(self) -> bool: ...
    def __add__(self: C, other: C, /) -> C: ...
    def __mul__(self: C, other: C, /) -> C: ...


C = TypeVar("C", bound=Number)


@dataclass(frozen=True)
class Laurent(Generic[C]):
    """z^start (c_0 + c_1 z + ...), up to the first power that is not known; c_0 is not 0 by identity."""

    start: int
    parts: tuple[C, ...]

    @property
    def end(self) -> int:
        """The first power that is not known."""
        return self.start + len(self.parts)


def normal(start: int, parts: list[C]) -> Laurent[C]:
    """The series with these coefficients, from that of z^start on."""
    for k, c in enumerate(parts):
        if not c.is_zero:
            return Laurent(start + k, tuple(parts[k:]))
    return Laurent(start + len(parts), ())


def added(f: Laurent[C], g: Laurent[C], zero: C) -> Laurent[C]:
    """f + g."""
    start, end = min(f.start, g.start), min(f.end, g.end)
    at = [[(h.parts[k - h.start] if h.start <= k < h.end else zero) for k in range(start, end)] for h in (f, g)]
    return normal(start, [a + b for a, b in zip(*at, strict=True)])


def multiplied(f: Laurent[C], g: Laurent[C], zero: C) -> Laurent[C]:
    """f g."""
    count = min(len(f.parts), len(g.parts))
    parts = [sum((f.parts[j] * g.parts[k - j] for j in range(k + 1)), zero) for k in range(count)]
    return normal(f.start + g.start, parts)


@dataclass(frozen=True)
class Exact:
    """Coefficients that are values on a domain: functions of its parameters and of constants."""

    at: Facts
    order: int

    def constant(self, term: Term) -> Laurent[Ratio]:
        """A term that does not hold the variable."""
        return normal(0, [self.at.value(term), *[rational(0)] * self.order])

    def variable(self) -> Laurent[Ratio]:
        """z."""
        return Laurent(1, (rational(1), *[rational(0)] * self.order))

    def add(self, f: Laurent[Ratio], g: Laurent[Ratio]) -> Laurent[Ratio]:
        """f + g."""
        return added(f, g, rational(0))

    def times(self, f: Laurent[Ratio], g: Laurent[Ratio]) -> Laurent[Ratio]:
        """f g."""
        return multiplied(f, g, rational(0))

    def power(self, f: Laurent[Ratio], exponent: Term) -> Laurent[Ratio]:
        """A power of f: k b_k c_0 = sum_(0 < j <= k) (e j - (k - j)) c_j b_(k - j)."""
        e = self.at.value(exponent)
        k = e.constant()
        if k == 0 and not f.parts:
            raise Refused("0^0")
        if k is not None and k.denominator == 1 and k >= 0 and not f.parts:
            return Laurent(int(k) * f.start, ())
        self._leads(f)
        if k is None or k.denominator != 1:
            self._is_positive(f, "a root")
        first = self.at.value(terms.power(to_term(f.parts[0]), to_term(e)))
        own = [c * f.parts[0].inverse() for c in f.parts]
        found = [first]
        for n in range(1, len(own)):
            parts = ((e * rational(j) - rational(n - j)) * own[j] * found[n - j] for j in range(1, n + 1))
            found.append(sum(parts, rational(0)) * rational(mpq(1, n)))
        return normal(f.start * int(k) if k is not None and k.denominator == 1 else 0, found)

    def exp(self, f: Laurent[Ratio]) -> Laurent[Ratio]:
        """exp f: k b_k = sum_(0 < j <= k) j c_j b_(k - j)."""
        own = self._regular(f, "an exponential")
        found = [exponential_of(own[0], self.at)] if own else []
        for n in range(1, len(own)):
            parts = (rational(mpq(j, n)) * own[j] * found[n - j] for j in range(1, n + 1))
            found.append(sum(parts, rational(0)))
        return normal(0, found)

    def sin(self, f: Laurent[Ratio]) -> Laurent[Ratio]:
        """sin f."""
        return self._waves(f)[0]

    def cos(self, f: Laurent[Ratio]) -> Laurent[Ratio]:
        """cos f."""
        return self._waves(f)[1]

    def _waves(self, f: Laurent[Ratio]) -> tuple[Laurent[Ratio], Laurent[Ratio]]:
        """sin f and cos f: k s_k = sum_(0 < j <= k) j c_j d_(k - j), and k d_k = -sum j c_j s_(k - j)."""
        own = self._regular(f, "a sine or a cosine")
        sin, cos = ([self.at.value(terms.call(head, to_term(c))) for c in own[:1]] for head in ("sin", "cos"))
        for n in range(1, len(own)):
            steps = [rational(mpq(j, n)) * own[j] for j in range(1, n + 1)]
            sums = [sum((c * row[n - j] for j, c in enumerate(steps, 1)), rational(0)) for row in (cos, sin)]
            sin.append(sums[0])
            cos.append(-sums[1])
        return normal(0, sin), normal(0, cos)

    def log(self, f: Laurent[Ratio]) -> Laurent[Ratio]:
        """log f: k c_k = k c_0 b_k + sum_(0 < j < k) j b_j c_(k - j)."""
        self._is_positive(f, "a logarithm")
        over = f.parts[0].inverse()
        own = [c * over for c in f.parts]
        found = [logarithm(f.parts[0], self.at)]
        for n in range(1, len(own)):
            found.append(own[n] - sum((rational(mpq(j, n)) * found[j] * own[n - j] for j in range(1, n)), rational(0)))
        return normal(0, found)

    def _regular(self, f: Laurent[Ratio], what: str) -> list[Ratio]:
        if f.start < 0:
            raise Refused(f"{what} of what has a pole at 0")
        return [*[rational(0)] * min(f.start, self.order), *f.parts][: self.order + 1]

    def _leads(self, f: Laurent[Ratio]) -> None:
        if not f.parts or 0 in self.at.of(f.parts[0]):
            raise Refused("a division by what may be 0 near 0")

    def _is_positive(self, f: Laurent[Ratio], what: str) -> None:
        if f.start or not f.parts or self.at.of(f.parts[0]) != {1}:
            raise Refused(f"{what} of what is not seen to be positive at 0")


def coefficient_of(term: Term, at: Facts) -> Ratio:
    """The value of [z^n] F, for a number n.

    >>> from asymp.kernel.facts.context import Context
    >>> str(to_term(coefficient_of(terms.read("[z^3] a*exp(x*z)"), Context())))
    '1/6*a*x^3'

    Raises:
        Refused: n is none of the first whole numbers, or it is not seen that there is a power series.
    """
    n = term.parts[2]
    if not n.is_number or n.number.denominator != 1 or not 0 <= n.number <= MOST_EXACT:
        raise Refused("a coefficient that is not one of the first")
    front, body = parted(opened(term))
    found, k = at_zero(body, at, int(n.number) + 1), int(n.number)
    return at.value(front) * (found.parts[k - found.start] if k >= found.start else rational(0))


def exponential_of(x: Ratio, at: Facts) -> Ratio:
    """exp x, where whole powers of sums among the atoms are multiplied out, as in (1 + log(2)) - 1; and exp(W(y)) is y/W(y)."""
    if x.den != ONE_POLY:
        return exponential(x)
    if not any(a.head == "sum" and (k < 0 or k.denominator != 1) for powers in x.num for a, k in powers):
        x = Ratio(multiplied_out(x.num))
    rest, front = dict(x.num), rational(1)
    for powers, c in x.num.items():
        if len(powers) == 1 and powers[0][0].head == "LambertW" and powers[0][1] == 1 and c.denominator == 1:
            w = powers[0][0]
            if len(w.parts) == 1 and at.of(atom(w)) <= {-1, 1}:
                rests_on("DLMF 4.13.1")
                front = front * (at.value(w.parts[0]) * atom(w).inverse()).power(int(c))
                del rest[powers]
    return front * exponential(Ratio(rest))


def at_zero(term: Term, at: Facts, count: int = 1) -> Laurent[Ratio]:
    """The first coefficients of a power series, in the variable Z: as many as are asked for are known.

    Raises:
        Refused: it is not seen to have one.
    """
    for order in (count + 1, count + 4, count + 12):
        found = series(term, Exact(at, order))
        if found.start < 0 and found.parts:
            raise Refused("it has a pole at 0")
        if found.end >= count:
            return found
    raise Refused("too many first coefficients are 0")
