"""Coefficients: rational functions with rational coefficients in *atoms*, which are parameters, constants and functions of them.

A coefficient is zero by identity, once everything is multiplied out, and nonzero or positive by an argument on its domain:
with x = a + t for a parameter x > a, or x = (a + b t)/(1 + t) for a < x < b, every monomial in the positive t has a
coefficient of one sign, that of a constant being told by a ball.

>>> domain = Domain({"a": Range(Fraction(1), True, None, True)})
>>> x = of_term(terms.read("(a - 1)*(a + 1) - a^2 + 1"), domain)
>>> x.is_zero, sign(of_term(terms.read("a^2 - a"), domain), domain), sign(of_term(terms.read("a - 2"), domain), domain)
(True, 1, None)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.rings import bernstein
from asymp.kernel.rings.constants import SPECIAL, constant_sign
from asymp.kernel.rings.defined import Range, exact, is_defined, is_whole, known, meant, values
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.gamma import FURTHEST, rewritten
from asymp.kernel.rings.moments import erfc, integral, powers_of, shorter
from asymp.kernel.rings.ratio import (
    MOST_DEGREE,
    ONE_POLY,
    Poly,
    Powers,
    Ratio,
    atom,
    in_order,
    joined,
    number_power,
    primes,
    product_of,
    rational,
)  # fmt: skip
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import rests_on


@dataclass(frozen=True)
class Domain:
    """The ranges of parameters."""

    ranges: Mapping[str, Range] = field(default_factory=dict)
    signs: dict[Any, int | None] = field(default_factory=dict, repr=False, compare=False)
    """Signs that are known already, by the whole polynomial."""
    between: Mapping[int, tuple[Any, Any]] = field(default_factory=dict)
    """Of quantities that need not tend anywhere, growths L and H: from some point on, aL <= s_i <= bH and s_i >= 1, for
    some positive a and b; see growth and uniform."""


def of_term(term: Term, domain: Domain) -> Ratio:
    """A term of parameters alone as a coefficient, if it is defined and real on the whole domain.

    Raises:
        Refused: that is not seen.
    """
    if (simple := known(term)) is not None:
        return of_term(simple, domain)
    match term.head:
        case "number":
            return rational(term.number)
        case "name" if term.name != "oo":
            return atom(term)
        case "sum":
            return sum((of_term(part, domain) for part in term.parts), rational(0))
        case "product":
            found = rational(1)
            for part in term.parts:
                found = found * of_term(part, domain)
            return found
        case "power":
            base, exponent = (of_term(part, domain) for part in term.parts)
            return raised(base, exponent, domain)
        case "log":
            return logarithm(of_term(term.parts[0], domain), domain)
        case "exp":
            return exponential(of_term(term.parts[0], domain))
        case "gamma" | "factorial" | "harmonic" | "digamma" | "loggamma":
            argument = of_term(term.parts[0], domain)
            if sign(argument + rational(term.head == "factorial"), domain) != 1:
                raise Refused(f"{term.head} of what may not be positive")
            if term.head in ("gamma", "factorial"):
                rests_on(*(["DLMF 5.4.1"] if term.head == "factorial" else []))
                return _gamma(argument if term.head == "gamma" else argument + rational(1), domain)
            return atom(Term(term.head, (to_term(argument),)))
    if term.head == "Integral":
        return _integral(term, domain)
    if term.head == "erfc":
        if sign(of_term(term.parts[0], domain), domain) != 1:
            raise Refused("erfc of what may not be positive")
        rests_on("DLMF 7.11.2")
        return of_term(erfc(term.parts[0]), domain)
    if (other := rewritten(term)) is not None:
        return of_term(other, domain)
    if term.head in SPECIAL and len(term.parts) == SPECIAL[term.head]:
        *first, last = (of_term(part, domain) for part in term.parts)
        if term.head == "Ei" and sign(last, domain) == -1:
            rests_on("DLMF 6.2.6", "DLMF 6.11.1")
            return -atom(terms.call("uppergamma", terms.ZERO, to_term(-last)))
        one = {"zeta": 1, "polylog": -1}.get(term.head)  # of s > 1, and of s and 0 < z < 1
        told = one is None or sign(last - rational(1), domain) == one
        if not told or sign(last, domain) not in ((1, -1) if term.head == "Ei" else (1,)):
            raise Refused(f"{term} may not be defined")
        return atom(Term(term.head, (*map(to_term, first), to_term(last))))
    row = NAMED.get(term.head)
    if row is not None and row.smooth and term.head not in SPECIAL:
        arguments = tuple(to_term(of_term(part, domain)) for part in term.parts)
        if (value := exact(term.head, arguments)) is not None:
            return rational(value)

        def signs(x: Term) -> frozenset[int]:
            return frozenset({-1, 0, 1} if (found := sign(of_term(x, domain), domain)) is None else {found})

        if is_defined(term.head, arguments, signs, lambda x: is_whole(x, frozenset())):
            rests_on(*row.facts)
            meaning = meant(here := Term(term.head, arguments)) or known(here)
            return atom(here) if meaning is None else of_term(meaning, domain)
    raise Refused(f"{term.head} is no coefficient")


def _integral(term: Term, domain: Domain) -> Ratio:
    """One that converges and is positive: see moments."""
    power, exponent = powers_of(term)
    s = of_term(power, domain)
    found: list[tuple[Ratio, Ratio]] = []
    for c, q in ((of_term(c, domain), of_term(q, domain)) for c, q in exponent):
        at = next((k for k, (_, other) in enumerate(found) if other == q), None)
        if at is None:
            found.append((c, q))
        else:
            found[at] = (found[at][0] + c, q)
    found = [(c, q) for c, q in found if not c.is_zero]
    top = next((c for c, q in found if all(sign(q - other, domain) == 1 for _, other in found if other is not q)), None)
    positive = [s + rational(1), *(q for _, q in found)]
    if top is None or sign(top, domain) != -1 or any(sign(x, domain) != 1 for x in positive):
        raise Refused(f"{term} may not converge")
    own = to_term(s), [(to_term(c), to_term(q)) for c, q in found]
    other = shorter(*own) if all(sign(c, domain) == -1 for c, _ in found) else None
    return atom(integral(*own)) if other is None else of_term(other, domain)


def _gamma(z: Ratio, domain: Domain) -> Ratio:
    """Gamma(z), z > 0, by that of y = z - k, k whole, whose constant part lies in (0, 1] (DLMF 5.5.1), where y > 0."""
    c = z.num.get((), Fraction(0)) if z.den == ONE_POLY else Fraction(1)
    k = -((-c.numerator) // c.denominator) - 1
    if (0 < k <= FURTHEST and sign(z - rational(k), domain) == 1) or -FURTHEST <= k < 0:
        rests_on("DLMF 5.5.1")
        found = rational(1)
        for j in range(min(k, 0), max(k, 0)):  # z - k, ..., z - 1 or z, ..., z - k - 1
            found = found * (z - rational(k if k > 0 else 0) + rational(j if k > 0 else j - k))
        z = z - rational(k)
        return found * _gamma_atom(z) if k > 0 else found.inverse() * _gamma_atom(z)
    return _gamma_atom(z)


def _gamma_atom(z: Ratio) -> Ratio:
    """Gamma(z), where 1 and sqrt(pi) for z = 1 and 1/2 (DLMF 5.4.1, 5.4.6)."""
    if (c := z.constant()) == 1:
        rests_on("DLMF 5.4.1")
        return rational(1)
    if c == Fraction(1, 2):
        rests_on("DLMF 5.4.6")
        return Ratio({((terms.name("pi"), c),): Fraction(1)})
    return atom(Term("gamma", (to_term(z),)))


def raised(b: Ratio, e: Ratio, domain: Domain) -> Ratio:
    """A power: a whole one of what is not 0, or of what is positive."""
    k = e.constant()
    if k is not None and k.denominator == 1:
        if k <= 0 and sign(b, domain) not in (1, -1):
            raise Refused("a division by what may be 0")
        return b.power(int(k))
    if sign(b, domain) != 1:
        raise Refused("a root of what may not be positive")
    return exponential(e * logarithm(b, domain))


def logarithm(x: Ratio, domain: Domain) -> Ratio:
    """log x, for x > 0: of a monomial in positive atoms and primes it is the sum of theirs."""
    if sign(x, domain) != 1:
        raise Refused("a logarithm of what may not be positive")
    if len(x.num) == 1 and x.den == ONE_POLY:
        ((powers, c),) = x.num.items()
        if all(_positive(a, domain) for a, _ in powers):
            found = rational(0)
            for prime, k in primes(c):
                found = found + rational(k) * atom(terms.call("log", terms.number(prime)))
            for a, e in powers:
                found = found + rational(e) * _log_of_atom(a, domain)
            return found
    try:
        return _log_of_factors(x, domain)
    except Refused:
        return atom(terms.call("log", to_term(x)))


def _log_of_factors(x: Ratio, domain: Domain) -> Ratio:
    """log x for x > 0 as the sum of those of its factors, each of which has one sign on the domain.

    Raises:
        Refused: a factor of which no sign is seen, or x has none but itself.
    """
    found = rational(0)
    for poly, side in ((x.num, 1), (x.den, -1)):
        number, powers, rest = factored(poly)
        if not all(_positive(a, domain) for a, _ in powers):
            raise Refused("a factor that may not be positive")
        for prime, k in primes(abs(number)):
            found = found + rational(side * k) * atom(terms.call("log", terms.number(prime)))
        for a, e in powers:
            found = found + rational(side * e) * _log_of_atom(a, domain)
        for q, k in rest:
            told = _poly_sign(q, domain)
            if not told:
                raise Refused("a factor of which no sign is seen")
            positive = to_term(Ratio(q if told == 1 else {p: -c for p, c in q.items()}))
            found = found + rational(side * k) * atom(terms.call("log", positive))
    return found


def _log_of_atom(a: Term, domain: Domain) -> Ratio:
    if a == terms.name("E"):
        return rational(1)
    return of_term(a.parts[0], domain) if a.head == "exp" else atom(terms.call("log", a))


def exponential(x: Ratio) -> Ratio:
    """exp x: exp(c log a) is a^c, exp(c) is E^c, and exp(c m) is exp(m)^c for a monomial m; a product over the parts of x."""
    if x.den != ONE_POLY:  # exp((c m + ...)/d) as exp(m/d)^c ..., d primitive
        first = min(x.den, key=lambda powers: [(a.order, k) for a, k in powers])
        scale = Fraction(gcd(*(v.numerator for v in x.den.values())), lcm(*(v.denominator for v in x.den.values())))
        scale = scale if x.den[first] > 0 else -scale
        den = {powers: v / scale for powers, v in x.den.items()}
        return Ratio({in_order({
            terms.call("exp", to_term(Ratio({powers: Fraction(1)}, den))): c / scale for powers, c in x.num.items()
        }): Fraction(1)})  # fmt: skip
    factor = Fraction(1)
    found: Powers = ()
    for powers, c in x.num.items():
        if not powers:
            base = terms.name("E")
        elif len(powers) == 1 and powers[0][0].head == "log" and powers[0][1] == 1:
            base = powers[0][0].parts[0]  # an atom: see logarithm
        else:
            base = terms.call("exp", to_term(Ratio({powers: Fraction(1)})))
        if base.is_number and c.denominator == 1:
            factor *= number_power(base.number, int(c))
            continue
        if base.is_number:
            whole = c.numerator // c.denominator
            factor, c = factor * number_power(base.number, whole), c - whole
        more, found = joined(found, ((base, c),))
        factor *= more
    return Ratio({found: factor})


def to_term(x: Ratio) -> Term:
    """The coefficient as a canonical term."""

    def poly(p: Poly) -> Term:
        return terms.add(*(
            terms.multiply(terms.number(c), *(terms.power(a, terms.number(k)) for a, k in powers)) for powers, c in p.items()
        ))  # fmt: skip

    return poly(x.num) if x.den == ONE_POLY else terms.multiply(poly(x.num), terms.reciprocal(poly(x.den)))


# --- signs -----------------------------------------------------------------------------------------


def sign(x: Ratio, domain: Domain) -> int | None:
    """1, -1 or 0 where it is that on the whole domain; None where that is not seen."""
    if x.is_zero:
        return 0
    top, bottom = _poly_sign(x.num, domain), _poly_sign(x.den, domain)
    return top * bottom if top is not None and bottom is not None else None


def _poly_sign(p: Poly, domain: Domain) -> int | None:
    key = frozenset(p.items())
    if key not in domain.signs:
        found = _find_sign(p, domain)
        domain.signs[key] = _by_halves(p, domain) if found is None else found
    return domain.signs[key]


def _by_halves(p: Poly, domain: Domain) -> int | None:
    """The sign of a polynomial with rational coefficients in one parameter."""
    found = {a for powers in p for a, _ in powers}
    r = domain.ranges.get(next(iter(found)).name, Range()) if len(found) == 1 else Range()
    if r.low is None or any(k.denominator != 1 or not 0 <= k <= MOST_DEGREE for powers in p for _, k in powers):
        return None
    by_degree = {int(powers[0][1]) if powers else 0: c for powers, c in p.items()}
    coefficients = [by_degree.get(k, Fraction(0)) for k in range(max(by_degree) + 1)]
    closed = [end for end, is_open in ((r.low, r.low_open), (r.high, r.high_open)) if end is not None and not is_open]
    return bernstein.sign_on(coefficients, r.low, r.high, closed)


def _find_sign(p: Poly, domain: Domain) -> int | None:
    try:
        parted, weak = _in_positives(p, domain)
    except Refused:
        return None
    signs, strict = set(), False
    for powers, constants in parted.items():
        found = constant_sign(tuple(sorted(constants.items(), key=lambda item: [(a.order, k) for a, k in item[0]])))
        if found is None:
            return None
        if found:
            signs.add(found)
            strict = strict or not any(a in weak for a, _ in powers)
    return signs.pop() if len(signs) == 1 and strict else None


def _in_positives(p: Poly, domain: Domain) -> tuple[dict[Powers, Poly], set[Term]]:
    """The polynomial in positive quantities with constants as coefficients, up to a positive factor; which may be 0."""
    least: dict[Term, Fraction] = {}
    for powers in p:
        for a, k in powers:
            least[a] = min(least.get(a, Fraction(0)), k)
    weak: set[Term] = set()
    parted: dict[Powers, Poly] = {}
    degrees = {a: max(dict(powers).get(a, Fraction(0)) - low for powers in p) for a, low in least.items()}
    for powers, c in p.items():
        outer: Poly = {(): c}
        inner: dict[Term, Fraction] = {}
        own = dict(powers)
        for a, low in least.items():
            k = own.get(a, Fraction(0))
            if not terms.free(a):
                inner[a] = k
                continue
            if low < 0 and not _positive(a, domain):
                raise Refused("a power of what may be negative")
            outer = product_of(outer, _moved(a, k - low, degrees[a], domain, weak))
        key = in_order(inner)
        for monomial, d in outer.items():
            into = parted.setdefault(monomial, {})
            into[key] = into.get(key, Fraction(0)) + d
    return parted, weak


def _moved(a: Term, k: Fraction, degree: Fraction, domain: Domain, weak: set[Term]) -> Poly:
    """a^k in a positive t; all powers of one bounded parameter are multiplied by the same (1 + t)^degree."""
    t: Powers = ((a, Fraction(1)),)
    found = domain.ranges.get(a.name, Range()) if a.head == "name" else Range()
    if a.head == "exp" and k.denominator == degree.denominator == 1 and sign(of_term(a.parts[0], domain), domain) == 1:
        return _poly_power(_above(a.parts[0], domain) | {t: Fraction(1)}, int(k), ONE_POLY, 0)
    if a.head != "name" or k.denominator != 1 or degree.denominator != 1:
        if not _positive(a, domain):
            raise Refused(f"the sign of {a}")
        return {((a, k),): Fraction(1)} if k else dict(ONE_POLY)
    if found.low is None and found.high is None:
        raise Refused(f"{a.name} may have any sign")
    if found.low is not None and found.high is not None:
        if found.low >= found.high:
            raise Refused(f"{a.name} has no room")
        low, high = {(): found.low, t: found.high}, {(): Fraction(1), t: Fraction(1)}
        if not (found.low_open and found.high_open):
            # with t in [0, oo] every monomial may vanish at an end: the sign is asked of an open interval only
            raise Refused(f"{a.name} may be at an end")
        return _poly_power({x: c for x, c in low.items() if c}, int(k), high, int(degree - k))
    if found.low is not None:
        base, is_open = {(): found.low, t: Fraction(1)}, found.low_open
    else:
        assert found.high is not None
        base, is_open = {(): found.high, t: Fraction(-1)}, found.high_open
    if not is_open:
        weak.add(a)
    return _poly_power({x: c for x, c in base.items() if c}, int(k), ONE_POLY, 0)


def _above(x: Term, domain: Domain) -> Poly:
    """exp(x) - t for x > 0, with a positive t: 1 + x + x^2/2 for a parameter that is only said to be positive, else 1.

    There x stands for itself, whatever its exponents elsewhere (see _moved).
    """
    if x.head != "name" or domain.ranges.get(x.name) != Range(Fraction(0), True):
        return dict(ONE_POLY)
    return {(): Fraction(1), ((x, Fraction(1)),): Fraction(1), ((x, Fraction(2)),): Fraction(1, 2)}


def _poly_power(p: Poly, k: int, q: Poly, j: int) -> Poly:
    if k > MOST_DEGREE or j > MOST_DEGREE:
        raise Refused("a high power")
    found = dict(ONE_POLY)
    for _ in range(k):
        found = product_of(found, p)
    for _ in range(j):
        found = product_of(found, q)
    return found


def _positive(a: Term, domain: Domain) -> bool:
    """Whether an atom is positive on the domain."""
    if a.head == "name" and a.name in terms.CONSTANTS:
        return a.name != "oo"
    if a.head in ("gamma", "factorial", "sum", "product"):  # a sum is an atom only as what has a logarithm
        return True
    if a.head in ("harmonic", "uppergamma", "zeta", "polylog", "Integral"):  # of the arguments that of_term lets through
        return True
    if a.head == "log" and a.parts[0].head == "name" and terms.free(a):
        return _begins(domain.ranges.get(a.parts[0].name, Range()), 1)
    if _begins(domain.ranges.get(a.name, Range()) if a.head == "name" else values(a), 0):
        return True
    return not terms.free(a) and constant_sign(((((a, Fraction(1)),), Fraction(1)),)) == 1


def _begins(found: Range, c: int) -> bool:
    """Whether a range lies above c."""
    return found.low is not None and (found.low > c or (found.low == c and found.low_open))
