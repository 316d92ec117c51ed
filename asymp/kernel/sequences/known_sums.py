r"""Sums that have names, and functions that are sums: equations by which one is put for the other.

- *exponential*: with Q(a) = Gamma(a, z)/Gamma(a) for z > 0, and Q(0) = 0, Q(a + 1) - Q(a) = z^a e^(-z)/Gamma(a + 1) (DLMF 8.8.2)
  and Q(a) -> 1, so that

      sum_(k=l)^h z^k/Gamma(g + k) = z^(1-g) e^z (Q(g + h) - Q(g + l - 1)),    g + l >= 1, l <= h;

  and so for h = oo, and for Gamma(g - k) with 1/z for z.
- *lower*: gamma(a, x) = Gamma(a) - Gamma(a, x) for a > 0, x > 0 (DLMF 8.2.3).
- *alternating*: differences of rational functions and of powers: see :mod:`asymp.kernel.rings.alternating`.
- *fixed-point-free*: the permutations that leave nothing in its place, n! sum_(k=0)^n (-1)^k/k! (DLMF 26.13.4).
- *set partitions*: sums over Stirling's numbers of the second kind: see :mod:`asymp.kernel.rings.set_partitions`; with x = 1 and
  without m! it is B(n).
- *nearest*: n! e^x for x = 1, -1 is the whole number T = n! sum_(k<=n) x^k/k! and the rest, n! times the sum of x^k/k! beyond n,
  which lies between 0 and 1/n for x = 1, n >= 1 (it is below the sum of (n + 1)^(-j), j >= 1), and has a size below 1/(n + 1)
  for x = -1 (it alternates and falls); so floor(n! e^x + c) = T for 0 <= c <= 1 - 1/n, and for 1/(n+1) <= c <= 1 - 1/(n+1).
- *partitions*: sum_(k>=0) k^n/k! = e B(n) for n >= 1 (Dobinski 1877; DLMF 26.7.5), from k = 0 or 1 on.

>>> from asymp.kernel.theorem import apply
>>> said = "Sum(x^k/k!, (k, 0, n)) = exp(x)*uppergamma(n + 1, x)/n! for whole n >= 0, x > 0"
>>> apply("known sum", statement=said, form="exponential")
⊢ Sum(x^k/k!, (k, 0, n)) = exp(x)*uppergamma(n + 1, x)/n! for whole n >= 0, x > 0
>>> apply("known sum", statement=said.replace("x > 0", "x >= 0"), form="exponential")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: powers of what may not be positive
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asymp.kernel import terms
from asymp.kernel.data import Data, text
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.moving_gammas import ExponentialSummand
from asymp.kernel.growths.summands import OO, I
from asymp.kernel.rings.alternating import signed, with_sign
from asymp.kernel.rings.set_partitions import as_infinite, parts
from asymp.kernel.sequences.induction import one_link
from asymp.kernel.sequences.lattice import context
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, negative, number, power, reciprocal
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, rule
from asymp.kernel.trust import rests_on

ABOVE, COUNT = {1}, {0, 1}
E = terms.name("E")


@rule("known sum", alone=True)
def _known_sum(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """An equation of one of these forms; see the module.

    ``form``: exponential, lower, alternating, fixed-point-free, nearest, partitions or set partitions.
    """
    statement, form = comparison_in(data), text(data["form"])
    if form not in FORMS:
        raise Refused("an equation of one of the forms")
    left, sign, right = one_link(statement)
    if sign != "=":
        raise Refused("an equation of one of the forms")
    if right != (wanted := FORMS[form](left, context(statement))):
        raise Refused(f"{form} says {left} = {wanted}")
    return Conclusion(statement)


def _ends(term: Term, at: Context) -> tuple[Term, Term]:
    """The ends of a sum, which are whole and in order."""
    _, low, high = term.parts
    if not at.is_whole(low) or not (high == OO or at.is_whole(high)):
        raise Refused("the ends of a sum are not seen to be whole")
    if high != OO and not at.signs(add(high, ONE, negative(low))) <= COUNT:
        raise Refused("a sum that may run backwards")
    return low, high


def exponential(term: Term, at: Context) -> Term:
    """Of a sum of powers over gamma functions."""
    if term.head != "Sum":
        raise Refused("a sum is wanted")
    low, high = _ends(term, at)
    found = ExponentialSummand()
    found.read(terms.opened(term.parts[0], I), 1)
    if found.gamma is None:
        raise Refused("no sum of powers over gamma functions")
    g, z = found.gamma, multiply(*found.base)
    if found.way == -1:
        if high == OO:
            raise Refused("a sum to infinity over gamma functions of what falls")
        z, low, high = power(z, number(-1)), negative(high), negative(low)
    if not at.signs(z) <= ABOVE:
        raise Refused("powers of what may not be positive")
    for part in (*found.outside, g):
        at.value(part)
    rests_on("DLMF 8.8.2")
    before = add(g, low, number(-1))
    shares = [ONE if high == OO else _share(add(g, high), z, at)]
    if before != ZERO and not at.value(before).is_zero:
        shares.append(negative(_share(before, z, at)))
    front = [] if g == ONE else [power(z, add(ONE, negative(g)))]
    return multiply(*found.outside, *front, call("exp", z), add(*shares))


def _share(a: Term, z: Term, at: Context) -> Term:
    """Q(a)."""
    if not at.signs(a) <= ABOVE:
        raise Refused("a gamma function of what may not be positive")
    return multiply(call("uppergamma", a, z), reciprocal(_gamma(a, at)))


def _gamma(a: Term, at: Context) -> Term:
    return call("factorial", add(a, number(-1))) if at.is_whole(a) else call("gamma", a)


def lower(term: Term, at: Context) -> Term:
    """Of a lower incomplete gamma function."""
    if term.head != "lowergamma" or not all(at.signs(part) <= ABOVE for part in term.parts):
        raise Refused("no lower incomplete gamma function of what is positive")
    rests_on("DLMF 8.2.2")
    return add(_gamma(term.parts[0], at), negative(call("uppergamma", *term.parts)))


def alternating(term: Term, at: Context) -> Term:
    """Of an alternating sum of binomials."""
    if term.head != "Sum":
        raise Refused("a sum is wanted")
    low, high = _ends(term, at)
    if not at.signs(add(high, negative(low))) <= COUNT:
        raise Refused("a sum that may be empty")

    def positive(one: Term) -> bool:
        return at.signs(one) <= ABOVE

    sign, found = signed(term, positive)
    if not at.is_whole(sign):
        raise Refused("a sign that is not seen to be one")
    at.value(found)
    return with_sign(sign, found)


def fixed_point_free(term: Term, at: Context) -> Term:
    """Of the number of permutations without a fixed point."""
    if term.head != "subfactorial" or not _is_count(term.parts[0], at):
        raise Refused("no subfactorial of a whole number")
    rests_on("DLMF 26.13.4")
    (n,) = term.parts
    return multiply(call("factorial", n), _cut_off(-1, n))


def nearest(term: Term, at: Context) -> Term:
    """Of floor(n! e + c) and floor(n!/e + c)."""
    if term.head != "floor":
        raise Refused("what is rounded down is wanted")
    parts = list(term.parts[0].parts if term.parts[0].head == "sum" else term.parts)
    for one in parts:
        factors = list(one.parts) if one.head == "product" else []
        counts = [part for part in factors if part.head == "factorial"]
        if len(factors) != 2 or len(counts) != 1:
            continue
        (n,), (e,) = counts[0].parts, [part for part in factors if part not in counts]
        x = next((x for x in (1, -1) if e in (power(E, number(x)), call("exp", number(x)))), 0)
        if not x or not at.is_whole(n) or not at.signs(n) <= ABOVE:
            continue
        c = add(*(part for part in parts if part is not one))
        most = reciprocal(n if x == 1 else add(n, ONE))
        low, high = c if x == 1 else add(c, negative(most)), add(ONE, negative(c), negative(most))
        if not (at.signs(low) <= COUNT and at.signs(high) <= COUNT):
            raise Refused("a rest that may not be rounded away")
        rests_on("DLMF 4.2.19")
        return multiply(counts[0], _cut_off(x, n))
    raise Refused("no factorial times e or 1/e")


def _cut_off(x: int, n: Term) -> Term:
    """The sum of x^k/k! up to n."""
    below = reciprocal(call("factorial", Term("bound")))
    return Term("Sum", (below if x == 1 else multiply(power(number(-1), Term("bound")), below), ZERO, n))


def partitions(term: Term, at: Context) -> Term:
    """Of Dobinski's sum."""
    if term.head != "Sum" or term.parts[2] != OO or term.parts[1] not in (ZERO, ONE):
        raise Refused("no infinite sum from 0 or 1 on")
    body = terms.opened(term.parts[0], I)
    factors = body.parts if body.head == "product" else (body,)
    rest = [part for part in factors if part != reciprocal(call("factorial", I))]
    if len(rest) != 1 or len(factors) != 2 or rest[0].head != "power" or rest[0].parts[0] != I:
        raise Refused("another sum")
    n = rest[0].parts[1]
    if I.name in n.free or not at.is_whole(n) or not at.signs(n) <= ABOVE:
        raise Refused("another sum, or 0^0")
    rests_on("DLMF 26.7.5")
    return multiply(terms.name("E"), call("bell", n))


def set_partitions(term: Term, at: Context) -> Term:
    """Of a sum over Stirling's numbers of the second kind."""
    if term.head != "Sum":
        raise Refused("a sum is wanted")
    _, n = _ends(term, at)

    def positive(one: Term) -> bool:
        return at.signs(one) <= ABOVE

    outside, x, ordered = parts(term, positive)
    for one in (x, *outside):
        at.value(one)
    if x == ONE and not ordered:
        return multiply(*outside, call("bell", n))
    return as_infinite(term, positive)


def _is_count(term: Term, at: Context) -> bool:
    return at.is_whole(term) and at.signs(term) <= COUNT


FORMS: dict[str, Callable[[Term, Context], Term]] = {
    "exponential": exponential, "lower": lower, "alternating": alternating, "fixed-point-free": fixed_point_free,
    "nearest": nearest, "partitions": partitions, "set partitions": set_partitions,
}  # fmt: skip
