"""Antiderivatives of sums of c*x^k*log(x)^j*exp(r*x): proposals, which the kernel differentiates.

>>> from asymp.kernel.terms import ONE
>>> at = Context(pairs=((ONE, "<=", name("x")),))
>>> print(antiderivative(at.value(terms.read("log(x)/x")), "x"))
1/2*log(x)^2
"""

from __future__ import annotations

from collections.abc import Iterator

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.bounds import difference, limit
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import NONE, NONNEGATIVE, Signs
from asymp.kernel.rings.ratio import ONE_POLY, Powers, Ratio, in_order, to_term
from asymp.kernel.summation.generalised import replaced
from asymp.kernel.terms import Term, add, call, free, multiply, name, negative, number, power, reciprocal
from asymp.prove.search import Search, Tree

MOST_DEGREE = 12


def antiderivative(value: Ratio, x: str) -> Term | None:
    """A term whose derivative in x is the value, or None."""
    if value.den != ONE_POLY:
        return None
    found = [_of_monomial(powers, c, x) for powers, c in value.num.items()]
    return None if any(part is None for part in found) else add(*(part for part in found if part is not None))


def _of_monomial(powers: Powers, c: mpq, x: str) -> Term | None:
    k, j, rate, rest = mpq(0), 0, terms.ZERO, []
    for a, e in powers:
        if x not in free(a):
            rest.append((a, e))
        elif a == name(x):
            k += e
        elif a == call("log", name(x)) and e.denominator == 1 and e > 0:
            j += int(e)
        elif a.head == "exp" and (slope := _slope(a.parts[0], x)) is not None:
            rate = add(rate, multiply(number(e), slope))
        else:
            return None
    factor = to_term(Ratio({in_order(dict(rest)): c}))
    inner = _basic(k, j, x) if rate == terms.ZERO else _exponential(k, j, rate, x)
    return None if inner is None else multiply(factor, inner)


def _slope(m: Term, x: str) -> Term | None:
    """r, where m = r*x."""
    if m == name(x):
        return terms.ONE
    if m.head != "product" or name(x) not in m.parts:
        return None
    rest = list(m.parts)
    rest.remove(name(x))
    return None if any(x in free(part) for part in rest) else multiply(*rest)


def _basic(k: mpq, j: int, x: str) -> Term | None:
    """Of x^k*log(x)^j, by parts."""
    log = call("log", name(x))
    if j > MOST_DEGREE:
        return None
    if k == -1:
        return multiply(number(mpq(1, j + 1)), power(log, number(j + 1)))
    found, factor = [], mpq(1)
    for i in range(j + 1):
        factor = factor / (k + 1) if i == 0 else -factor * (j - i + 1) / (k + 1)
        logs = [power(log, number(j - i))] if j > i else []
        found.append(multiply(number(factor), power(name(x), number(k + 1)), *logs))
    return add(*found)


def _exponential(k: mpq, j: int, rate: Term, x: str) -> Term | None:
    """Of x^k*exp(r*x), and of log(x)*exp(r*x)."""
    whole, inner = call("exp", multiply(rate, name(x))), call("Ei", multiply(rate, name(x)))
    if k == -1 and j == 0:
        return inner
    if k == 0 and j == 1:
        log = multiply(call("log", name(x)), whole, reciprocal(rate))
        return add(log, multiply(number(-1), inner, reciprocal(rate)))
    if j or k.denominator != 1 or not 0 <= k <= MOST_DEGREE:
        return None
    found, factor = [], mpq(1)
    for i in range(int(k) + 1):
        xs = [power(name(x), number(k - i))] if k > i else []
        found.append(multiply(number(factor), power(rate, number(-1 - i)), whole, *xs))
        factor *= -(k - i)
    return add(*found)


# --- steps of a search ---------------------------------------------------------------------------------


def by_antiderivative(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """Integrals with a known antiderivative."""
    for part in terms.walk(d):
        if part.head != "Integral" or terms.has_bound(part):
            continue
        body, low, high = part.parts
        x = fresh(d, at)
        here = at.with_range(x, low, high, whole=False)
        found = antiderivative(here.value(terms.opened(body, name(x))), x)
        if found is None:
            continue
        tree: Tree = ["integrate", str(part), x, str(found)]
        top = _upper(part, x, found, here)
        new = terms.add(top, negative(terms.substitute(found, {x: low})))
        inner = search.maybe(replaced(d, part, new), at, wanted, depth - 1)
        if inner is not None:
            yield [*tree, inner]


def _upper(integral: Term, x: str, found: Term, here: Context) -> Term:
    high = integral.parts[2]
    return terms.substitute(found, {x: high}) if high != name("oo") else limit(here.value(found), x, here)


def by_integrands(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """One integral against another, or against a number times the length of its range."""
    if wanted == NONE:
        return
    found = [part for part in terms.walk(d) if part.head == "Integral" and not terms.has_bound(part)]
    x = fresh(d, at)
    if len(found) == 2 and found[0].parts[1:] == found[1].parts[1:]:
        low, high = found[0].parts[1:]
        here = at.with_range(x, low, high, whole=False)
        f, g = (terms.opened(part.parts[0], name(x)) for part in found)
        for a, b in ((f, g), (g, f)):
            tree = search.maybe(difference(a, b), here, NONNEGATIVE, depth - 1)
            if tree is not None:
                yield ["by", [["1", ["integral", x, str(a), str(b), str(low), str(high), tree]]]]
    elif len(found) == 1:
        low, high = found[0].parts[1:]
        here = at.with_range(x, low, high, whole=False)
        f = terms.opened(found[0].parts[0], name(x))
        value = at.value(d)
        own = [(powers, c) for powers, c in value.num.items() if any(a == found[0] for a, _ in powers)]
        if value.den != ONE_POLY or len(own) != 1 or not at.of(value):
            return
        ((powers, c),) = own
        others = Ratio({p: e for p, e in value.num.items() if p != powers})
        factor = Ratio({in_order({a: k for a, k in powers if a != found[0]}): c})
        width = at.value(high) - at.value(low)
        g = to_term(-others * factor.inverse() * width.inverse())
        for a, b in ((f, g), (g, f)):
            tree = search.maybe(difference(a, b), here, NONNEGATIVE, depth - 1)
            if tree is not None:
                m = factor if a is f else -factor
                yield ["by", [[str(to_term(m)), ["integral", x, str(a), str(b), str(low), str(high), tree]]]]


def fresh(d: Term, at: Context) -> str:
    """A name that is not in use."""
    return next(x for x in (f"t{k}" for k in range(1, 1000)) if x not in free(d) | at.names())
