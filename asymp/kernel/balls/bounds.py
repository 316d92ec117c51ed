"""Comparisons for all of a domain, also one without bounds, and where the two sides touch.

``bounds`` proves a chain of comparisons, that a term is increasing (decreasing ...) in a variable, or that it is largest
(least) at a place.  Its data are ``statement``; ``point``, a rational number as text for each variable, at which every
condition of the domain certainly holds: a domain without points is refused; and ``proofs``, one for each single
comparison: a tree that shows of d (right side less left side) in the :class:`~asymp.kernel.facts.context.Context` of the domain
which signs it may have.  A tree is a list, its first item the name of a step:

* ``["by", [[m, fact], ...]]``: d is the sum of all m*fact and a rest, all of one sign;
* ``["slope", x, i, end, slope]``: hypothesis i is a <= x or x <= a (or <).  d at x = a is not negative, and the derivative
  (its negative, for x <= a) neither on (a, x], whose points satisfy all that is kept.  Both have values on all of [a, x]; or
  d alone has, made of what is continuous, and the derivative on (a, x];
* ``["concave", x, i, j, start, end, bend]``: hypotheses i and j are a <= x and x <= b (or <).  d at x = a and at x = b is not
  negative, and the second derivative is not positive between; d has values on all of [a, b], and it and its derivatives inside;
* ``["induct", n, i, start, step]``: hypothesis i is a <= n for whole a and n.  d at n = a, and d(n + 1) - d(n) for n >= a;
* ``["cases", u, above, below]``: where u >= 0, and where u <= 0;
* ``["parted", x, place, above, below]``: where the place is <= x, a term without x, and where x <= it;
* ``["whole", n, k, below, above]``: where a whole n is at most the number k, and where it is at least k + 1;
* ``["put", x, i, t, proof]``: a + t for x (a - t), where hypothesis i is a <= x (x <= a);
* ``["integrate", f, x, F, proof]``: F(b) - F(a) for the integral f from a to b, where F' = f on the closed range and, for
  b = oo, F is seen to have a limit there.

Facts are terms with the signs they are seen to have:

* ``["given", i]``: hypothesis i, right side less left side;
* ``["square", e]``: e^2 >= 0;
* ``["log", u, v]``: u/v - 1 - log(u) + log(v) >= 0 for positive u and v, since log(x) <= x - 1; > 0 where u < v, or u > v;
* ``["exp", u]``: exp(u) - 1 - u >= 0; > 0 where u < 0, or u > 0;
* ``["power", x, b]``: (1 + x)^b - 1 - b*x >= 0 for x > -1, and b >= 1 or b <= 0 (Bernoulli); > 0 where x is not 0, nor b 0 or 1;
* ``["rises", f, u, v, proof]``: f(u) - f(v) >= 0 from u - v >= 0, for f that the table says to increase on one interval, and
  harmonic; f(v) - f(u) >= 0 for one that decreases;
* ``["lemma", e, proof]``: any term e, with a proof of its signs;
* ``["integral", x, f, g, a, b, proof]``: the integral of f - g over a <= x <= b is not negative where f - g is not there.

>>> from asymp.kernel.theorem import apply
>>> proof = ["slope", "x", 0, ["by", []], ["by", []]]
>>> apply("bounds", statement="log(1 + x) <= x for x > 0", point={"x": "1"}, proofs=[proof])
⊢ log(1 + x) <= x for x > 0
>>> proof = ["concave", "x", 0, 1, ["by", []], ["by", []], ["by", []]]
>>> apply("bounds", statement="sin(x) > 2*x/pi for 0 < x, x < pi/2", point={"x": "1"}, proofs=[proof])
⊢ sin(x) > 2*x/pi for 0 < x, x < pi/2
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.balls.goals import goals, is_inside, other_end
from asymp.kernel.data import Data, items, text
from asymp.kernel.domain import Pair
from asymp.kernel.facts.context import SMOOTH, Context
from asymp.kernel.facts.signs import NONE, NONNEGATIVE, POSITIVE, Signs, plus, times
from asymp.kernel.rings.defined import slope
from asymp.kernel.rings.field import exponential, logarithm
from asymp.kernel.rings.ratio import ONE_POLY, Ratio, rational, to_term
from asymp.kernel.summation.generalised import bound as closed
from asymp.kernel.summation.generalised import replaced
from asymp.kernel.terms import CONSTANTS, ONE, ZERO, Refused, Term, add, call, free, name, negative, read, walk
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.kernel.trust import rests_on

MOST_STEPS = 400
WANTED = {"<": POSITIVE, "<=": NONNEGATIVE, "=": NONE}
NEGATED: Signs = frozenset({-1})


def difference(high: Term, low: Term) -> Term:
    """high - low."""
    return add(high, negative(low))


# --- proofs -----------------------------------------------------------------------------------------


class Proof:
    """The steps of one theorem, counted."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def signs(self, d: Term, at: Context, tree: Any) -> Signs:
        """The signs that a proof shows d to have, which has a value all over the context.

        Raises:
            Refused: a side condition of a step is not met.
        """
        self.left -= 1
        kind = text(items(tree)[0], "a step") if tree else ""
        if self.left < 0 or kind not in _STEPS or len(tree) != 1 + _STEPS[kind][0]:
            raise Refused("a proof is a list of a step's name and its data")
        return _STEPS[tree[0]][1](self, d, at, *tree[1:])

    def sum_of_facts(self, d: Term, at: Context, summands: Any) -> Signs:
        """d is a sum of multiples of facts and of a rest."""
        rest, found = at.value(d), []
        for m, fact in (items(pair, 2) for pair in items(summands)):
            factor = at.value(_term(m, at))
            value, signs = self.fact(fact, at)
            rest = rest - factor * value
            found.append(times(at.of(factor), signs))
        return plus([*found, at.of(rest)])

    def slope(self, d: Term, at: Context, x: Any, i: Any, end: Any, slope: Any) -> Signs:
        """By the mean value theorem: d is defined and continuous on [a, x], and its derivative is defined on (a, x]."""
        a, strict, rises = bound(at, x, i)
        others = tuple(p for p in at.pairs if x not in free(p[0]) | free(p[2]))
        far = [p for p in at.pairs if other_end(p, x, rises)]
        closed: Pair = (a, "<=", name(x)) if rises else (name(x), "<=", a)
        segment = Context(at.whole - {x}, (*others, closed, *far))
        ends = tuple((a, s, high) if rises else (low, s, a) for low, s, high in far)
        start = self.signs(terms.substitute(d, {x: a}), Context(at.whole - {x}, (*others, *ends)), end)
        segment.value(d)
        d_x = derivative(d, x)
        inner: Pair = (a, "<", name(x)) if rises else (name(x), "<", a)  # where the mean value theorem has its place
        within = Context(segment.whole, (*others, inner, *far))
        (within if all(part.head in SMOOTH for part in walk(d)) else segment).value(d_x)
        grows = self.signs(d_x if rises else negative(d_x), within, slope)
        if not grows <= NONNEGATIVE:
            raise Refused("the derivative is not seen to have that sign")
        return plus([start, POSITIVE if strict and grows == POSITIVE else grows | NONE])

    def concave(self, d: Term, at: Context, x: Any, i: Any, j: Any, start: Any, end: Any, bend: Any) -> Signs:
        """A concave function is not below the lesser of its values at two ends: above it inside, where it is strictly so."""
        (a, open_below, rises), (b, open_above, falls) = bound(at, x, i), bound(at, x, j)
        if not rises or falls:
            raise Refused("an end below and an end above")
        others = tuple(p for p in at.pairs if x not in free(p[0]) | free(p[2]))
        around = Context(at.whole - {x}, (*others, (a, "<" if open_below or open_above else "<=", b)))
        closed = around.given((a, "<=", name(x)), (name(x), "<=", b))
        inside = around.given((a, "<", name(x)), (name(x), "<", b))
        closed.value(d)
        d_x = derivative(d, x)
        d_xx = derivative(d_x, x)
        for one in (d_x, d_xx):
            (inside if all(part.head in SMOOTH for part in walk(d)) else closed).value(one)
        low, high = (self.signs(terms.substitute(d, {x: place}), around, proof) for place, proof in ((a, start), (b, end)))
        falls_off = self.signs(negative(d_xx), inside, bend)
        if not low | high | falls_off <= NONNEGATIVE:
            raise Refused("not seen to be concave between places where it is not negative")
        strict = (falls_off == POSITIVE and open_below and open_above) or low | high == POSITIVE
        return POSITIVE if strict else NONNEGATIVE

    def induct(self, d: Term, at: Context, n: Any, i: Any, start: Any, step: Any) -> Signs:
        """d(a), and d(n + 1) - d(n) for all n >= a."""
        a, strict, rises = bound(at, n, i)
        if n not in at.whole or not at.is_whole(a) or not rises:
            raise Refused("induction from a whole number on")
        first = add(a, ONE) if strict else a
        others = tuple(p for p in at.pairs if n not in free(p[0]) | free(p[2]))
        base = self.signs(terms.substitute(d, {n: first}), Context(at.whole - {n}, others), start)
        rise = difference(terms.substitute(d, {n: add(name(n), ONE)}), d)
        grows = self.signs(rise, Context(at.whole, (*others, (first, "<=", name(n)))), step)
        return plus([base, grows | NONE])

    def cases(self, d: Term, at: Context, u: Any, above: Any, below: Any) -> Signs:
        """u >= 0, and u <= 0."""
        term = _term(u, at)
        at.value(term)
        return self.signs(d, at.given((ZERO, "<=", term)), above) | self.signs(d, at.given((term, "<=", ZERO)), below)

    def parted(self, d: Term, at: Context, x: Any, place: Any, above: Any, below: Any) -> Signs:
        """place <= x, and x <= place."""
        end = _term(place, at)
        if read(text(x)) != name(x) or x in CONSTANTS | free(end):
            raise Refused("a variable, and a place without it")
        at.value(end)
        return self.signs(d, at.given((end, "<=", name(x))), above) | self.signs(d, at.given((name(x), "<=", end)), below)

    def whole(self, d: Term, at: Context, n: Any, k: Any, below: Any, above: Any) -> Signs:
        """n <= k, and n >= k + 1."""
        number = read(text(k))
        if text(n) not in at.whole or not number.is_number or number.number.denominator != 1:
            raise Refused("a whole variable and a whole number")
        low, high = (name(n), "<=", number), (add(number, ONE), "<=", name(n))
        return self.signs(d, at.given(low), below) | self.signs(d, at.given(high), above)

    def put(self, d: Term, at: Context, x: Any, i: Any, t: Any, proof: Any) -> Signs:
        """x = a + t, where t = x - a > 0 (or >= 0)."""
        a, strict, rises = bound(at, x, i)
        if read(text(t)) != name(t) or t in CONSTANTS | at.names() | free(d):
            raise Refused("a fresh name")
        value = {x: add(a, name(t)) if rises else difference(a, name(t))}
        pairs = [
            (terms.substitute(low, value), s, terms.substitute(high, value))
            for k, (low, s, high) in enumerate(at.pairs) if k != i
        ]  # fmt: skip
        whole = {t} if x in at.whole and at.is_whole(a) else set()
        here = Context((at.whole - {x}) | whole, ((ZERO, "<" if strict else "<=", name(t)), *pairs))
        return self.signs(terms.substitute(d, value), here, proof)

    def integrate(self, d: Term, at: Context, f: Any, x: Any, antiderivative: Any, proof: Any) -> Signs:
        """The fundamental theorem of the calculus."""
        integral, big = read(text(f)), read(text(antiderivative))
        if integral.head != "Integral" or text(x) in free(d) or read(x) != name(x):
            raise Refused("an integral, and a fresh name")
        body, low, high = integral.parts
        if terms.has_bound(integral) or x in free(integral):
            raise Refused("an integral by itself, and a fresh name")
        if high != name("oo") and not at.signs(difference(high, low)) <= NONNEGATIVE:
            raise Refused("a range that may run backwards")
        at.value(low)
        here = at.with_range(x, low, high, whole=False)
        inner = terms.opened(body, name(x))
        if any(part.head not in SMOOTH for term in (inner, big) for part in terms.walk(term)):
            raise Refused("an integral of what may not be continuous")
        value = here.value(big)
        if not (here.value(derivative(big, x)) - here.value(inner)).is_zero:
            raise Refused("that is no antiderivative")
        top = terms.substitute(big, {x: high}) if high != name("oo") else limit(value, x, here)
        total = difference(top, terms.substitute(big, {x: low}))
        at.value(total)
        return self.signs(replaced(d, integral, total), at, proof)

    # --- facts -----------------------------------------------------------------------------------

    def fact(self, fact: Any, at: Context) -> tuple[Ratio, Signs]:
        """A fact's value, and the signs that it is seen to have."""
        match fact:
            case ["given", int(i)] if 0 <= i < len(at.pairs) and type(i) is int:
                low, sign, high = at.pairs[i]
                return at.value(difference(high, low)), WANTED[sign]
            case ["square", e]:
                value = at.value(_term(e, at))
                return value * value, NONNEGATIVE
            case ["log", u, v]:
                up, down = at.value(_term(u, at)), at.value(_term(v, at))
                logs = logarithm(up, at) - logarithm(down, at)
                return up * down.inverse() - rational(1) - logs, _unless_zero(at.of(up - down))
            case ["exp", u]:
                value = at.value(_term(u, at))
                return exponential(value) - rational(1) - value, _unless_zero(at.of(value))
            case ["power", x, b]:
                base, exponent = at.value(_term(x, at)), at.value(_term(b, at))
                above, below = at.of(exponent - rational(1)), at.of(exponent)
                if not (above <= NONNEGATIVE or below <= {-1, 0}):
                    raise Refused("Bernoulli's inequality needs an exponent outside of (0, 1)")
                grown = exponential(exponent * logarithm(base + rational(1), at))
                signs = _unless_zero(at.of(base)) if above == POSITIVE or below == NEGATED else NONNEGATIVE
                return grown - rational(1) - exponent * base, signs
            case ["rises", str(f), u, v, proof] if (side := 1 if f == "harmonic" else slope(f)):
                larger, smaller = _term(u, at), _term(v, at)
                signs = self.signs(difference(larger, smaller), at, proof)
                if not signs <= NONNEGATIVE:
                    raise Refused("it is not seen to be larger")
                rests_on(*(("DLMF 5.4.14", "DLMF 5.15.1") if f == "harmonic" else NAMED[f].facts))
                return rational(side) * (at.value(call(f, larger)) - at.value(call(f, smaller))), signs
            case ["lemma", e, proof]:
                term = _term(e, at)
                return at.value(term), self.signs(term, at, proof)
            case ["integral", str(x), f, g, a, b, proof]:
                parts, low, high = [_term(part, at) for part in (f, g)], _term(a, at), _term(b, at)
                here = at.with_range(x, low, high, whole=False)
                if high == name("oo") or not self.signs(difference(*parts), here, proof) <= NONNEGATIVE:
                    raise Refused("not seen to be larger on all of the range")
                both = [at.value(Term("Integral", (closed(part, x), low, high))) for part in parts]
                return both[0] - both[1], NONNEGATIVE
        raise Refused("no such fact")


_STEPS: dict[str, tuple[int, Callable[..., Signs]]] = {
    "by": (1, Proof.sum_of_facts), "slope": (4, Proof.slope), "concave": (6, Proof.concave), "induct": (4, Proof.induct),
    "cases": (3, Proof.cases), "parted": (4, Proof.parted), "whole": (4, Proof.whole), "put": (4, Proof.put),
    "integrate": (4, Proof.integrate),
}  # fmt: skip
"""The number of a step's data, and what it does."""


def _unless_zero(signs: Signs) -> Signs:
    """Of a strictly convex function less its tangent, so far from where they touch: positive elsewhere."""
    return POSITIVE if signs in (POSITIVE, NEGATED) else NONNEGATIVE


def _term(found: Any, at: Context) -> Term:
    """A term from a proof; its value is asked for by who uses it."""
    return read(text(found))


def bound(at: Context, x: Any, i: Any) -> tuple[Term, bool, bool]:
    """Of hypothesis i, which is a <= x or x <= a: a, whether it is strict, and whether a is below.

    Raises:
        Refused: it is none of these.
    """
    if type(i) is not int or not 0 <= i < len(at.pairs) or type(x) is not str or x in CONSTANTS:
        raise Refused("a variable and the number of a hypothesis")
    low, sign, high = at.pairs[i]
    if sign == "=" or (name(x) not in (low, high)) or x in free(low) & free(high):
        raise Refused(f"that is no end of {x}")
    a = low if high == name(x) else high
    if name("oo") in terms.walk(a):
        raise Refused("an infinite end")
    return a, sign == "<", high == name(x)


def limit(value: Ratio, x: str, at: Context) -> Term:
    """The limit of a value as x tends to infinity, where each of its terms is constant or seen to vanish.

    A term vanishes if it is a constant times powers of x and of log(x) and exp(-c*x) or Gamma(a, c*x) for a c > 0.

    Raises:
        Refused: that is not seen.
    """
    if value.den != ONE_POLY:
        raise Refused("a limit of a quotient")
    constant = {}
    for powers, c in value.num.items():
        moving = [(a, k) for a, k in powers if x in free(a)]
        if not moving:
            constant[powers] = c
            continue
        rate, falls = rational(0), False
        for a, k in moving:
            if a == name(x) or (a == call("log", name(x)) and k > 0 and k.denominator == 1):
                continue
            if a.head not in ("exp", "uppergamma") or (a.head == "uppergamma" and x in free(a.parts[0])):
                raise Refused(f"the limit of {a}")
            slope = at.value(a.parts[-1]) * at.value(name(x)).inverse()
            if any(x in free(b) for p in (slope.num, slope.den) for m in p for b, _ in m):
                raise Refused(f"the limit of {a}")
            if a.head == "exp":
                rate = rate + slope * rational(k)
            elif at.of(slope) == POSITIVE and k > 0 and k.denominator == 1:
                falls = True
            else:
                raise Refused(f"the limit of {a}")
        if not (at.of(rate) == NEGATED or (falls and at.of(rate) <= {-1, 0})):
            raise Refused("a term that is not seen to vanish")
    return to_term(Ratio(constant))


# --- the rule ---------------------------------------------------------------------------------------


@rule("bounds", alone=True)
def _bounds(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A chain of comparisons, a shape or an extreme, from the signs of differences on a domain."""
    statement, given, trees = read_closed(data["statement"]), data.table("point"), data.listed("proofs")
    wanted = goals(statement)
    is_inside(statement, given)
    if len(trees) != len(wanted):
        raise Refused(f"{len(wanted)} proofs are wanted")
    proof = Proof()
    for (d, sign, at), tree in zip(wanted, trees, strict=True):
        if not proof.signs(d, at, tree) <= WANTED[sign]:
            raise Refused(f"{d} is not seen to be {'>' if sign == '<' else '>=' if sign == '<=' else '='} 0")
    return Conclusion(statement)
