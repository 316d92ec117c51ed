"""Linear recurrences of second order: bounds of a(n+1)/a(n) by induction, and how fast a(n) grows by these.

Let a(n+1) = P(n) a(n) + Q(n) a(n-1), and r(n) = a(n+1)/a(n), so that r(n) = P(n) + Q(n)/r(n-1), which rises or falls in
r(n-1) as Q is below or above 0.  With 0 < l(N) <= r(N) <= h(N), and where the right side leads from [l(n-1), h(n-1)]
into [l(n), h(n)], which its values at the ends tell, l(n) <= r(n) <= h(n) for all n >= N; if a(N) > 0, then all a(n)
are, n >= N.

If r(n) g(n)/g(n+1) = 1 + O(n^(-m)) with m > 1, the product of these converges to a number that is not 0: a(n) =
Theta(g(n)).  Such l and h are partial sums of the formal solution (Birkhoff and Trjitzinsky; Wimp and Zeilberger, J.
Math. Anal. Appl. 111 (1985)), with a further term of either sign.

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> said = "whole n >= 5, sequence a(n), a(n+2) = a(n+1) + a(n), a(0) = 0, a(1) = 1"
>>> statement = read_closed(f"8/5 <= a(n+1)/a(n) <= 13/8 for {said}")
>>> data = {"of": "a", "low": "8/5", "high": "13/8", "sign": 1}
>>> apply("ratio", [theorem(one, True) for one in between(statement, Data(data))], statement=str(statement), **data)
⊢ 8/5 <= a(n + 1)/a(n) <= 13/8 for whole n >= 5, sequence a(n), a(n + 2) = a(n + 1) + a(n), a(0) = 0, a(1) = 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.declared import Declared, declared, linear
from asymp.kernel.sequences.declared import whole_from
from asymp.kernel.sequences.iterated import expanded, needing, runs
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    add,
    call,
    multiply,
    name,
    negative,
    number,
    power,
    read,
    reciprocal,
    substitute,
)
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Comparison, Eventual, Expanding, Ordering
from asymp.language.conditions import Compared, Condition, OfKind, Recurrence
from asymp.language.statement import Statement

Bounded = tuple[Term, Term, Term, str, int]
"""l, f and h of l <= f <= h, the variable, and from where on."""


def second_order(found: Declared) -> tuple[Term, Term, int]:
    """P and Q of a(n+1) = P(n) a(n) + Q(n) a(n-1), in the sequence's variable, and the least n of which that is said.

    Raises:
        Refused: the recurrence is of another form.
    """
    parts, rest = linear(found)
    if rest != ZERO or not parts or set(parts) - {found.top - 1, found.top - 2}:
        raise Refused(f"{found.name} is not given by a homogeneous linear recurrence of second order")
    n, back = found.variable, number(1 - found.top)
    shift = {n: add(name(n), back)}
    over = reciprocal(substitute(found.lead, shift))
    p, q = (multiply(number(-1), substitute(parts.get(found.top - k, ZERO), shift), over) for k in (1, 2))
    return p, q, found.start + found.top - 1


def chain_from(statement: Statement, of: str) -> Bounded:
    """What l <= f <= h says for whole v >= N, with the declaration of a sequence, and no more.

    Raises:
        Refused: it is another statement.
    """
    declared(statement, of)
    body = statement.body
    if (
        type(body) is not Comparison
        or body.chain.signs != ("<=", "<=")
        or statement.some
        or statement.uniform
        or statement.regime
    ):
        raise Refused("l <= f <= h for all of a domain is wanted")
    v, start = from_on(statement.domain)
    low, f, high = (terms.of(node) for node in body.chain.parts)
    return low, f, high, v, start


def from_on(domain: Sequence[Condition]) -> tuple[str, int]:
    """v and N of ``whole v >= N``, beside declarations.

    Raises:
        Refused: more is said, or less.
    """
    rest = [c for c in domain if not isinstance(c, Recurrence)]
    kinds, ends = [c for c in rest if isinstance(c, OfKind)], [c for c in rest if isinstance(c, Compared)]
    if len(rest) != 2 or len(kinds) != 1 or len(ends) != 1 or kinds[0].kind != "whole":
        raise Refused("whole n >= N is wanted")
    pairs = list(ends[0].pairs())
    low, sign, high = pairs[0]
    low, high = (low, high) if sign == "<=" else (high, low)
    least = terms.of(low)
    if len(pairs) != 1 or sign not in ("<=", ">=") or terms.of(high) != name(kinds[0].name) or not least.is_number:
        raise Refused("whole n >= N is wanted")
    if least.number.denominator != 1:
        raise Refused("n from a whole number on is wanted")
    return kinds[0].name, int(least.number)


@needing("ratio", of_sequences=True)
def between(statement: Statement, data: Data) -> list[Statement]:
    """l(n) <= a(n+1)/a(n) <= h(n), or a(n) > 0, for whole n >= N, by induction.

    Data: statement, of, low (l), high (h), sign (1 where Q >= 0, -1 where Q <= 0).

    Raises:
        Refused: the statement says something else, or a(N) is not seen to be positive.
    """
    of, sign = data.text("of"), data.whole("sign")
    found = declared(statement, of)
    v, start = from_on(statement.domain)
    here = name(v)
    low, high, a = read(data.text("low")), read(data.text("high")), Term(of, (here,))
    ratio = multiply(Term(of, (add(here, ONE),)), reciprocal(a))
    said = Statement(
        Comparison(Compared((node_of(low), node_of(ratio), node_of(high)), ("<=", "<="))), domain=statement.domain
    )
    positive = Statement(Comparison(Compared((node_of(a), node_of(ZERO)), (">",))), domain=statement.domain)
    if terms.canonical(statement) not in (terms.canonical(said), terms.canonical(positive)):
        raise Refused("the statement does not say that")
    if (
        (low.free | high.free) - {v}
        or any(part.head == of for f in (low, high) for part in terms.walk(f))
        or sign not in (1, -1)
    ):
        raise Refused(f"bounds in {v}, and a sign, are wanted")
    p, q, least = second_order(found)
    p, q = (substitute(f, {found.variable: here}) for f in (p, q))
    if start < found.first or start + 1 < least:
        raise Refused(f"the recurrence says nothing of a({start + 2})")
    if (value := mpq(found.at(start))) <= 0:
        raise Refused(f"{of}({start}) is not positive")
    at_start = number(mpq(found.at(start + 1)) / value)
    before, first = {v: add(here, number(-1))}, {v: number(start)}
    least_end, most_end = (high, low) if sign == 1 else (low, high)  # of what stands below Q
    after = whole_from(v, start + 1)

    def step(end: Term) -> Term:
        return add(p, multiply(q, reciprocal(substitute(end, before))))

    rows: list[tuple[Term, str, Term, tuple[Condition, ...]]] = [
        (substitute(low, first), "<=", at_start, ()), (at_start, "<=", substitute(high, first), ()),
        (ZERO, "<", low, whole_from(v, start)), (ZERO, "<=", multiply(number(sign), q), after),
        (low, "<=", step(least_end), after), (step(most_end), "<=", high, after),
    ]  # fmt: skip
    return [Statement(Comparison(Compared((node_of(x), node_of(y)), (s,))), domain=d) for x, s, y, d in rows]


@rule("squeezed", of_sequences=True)
def _squeezed(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f = g + O(k), or f = R(k), as n tends to infinity, from l <= f <= h for whole n >= N and the same of l and h.

    Data: statement, of (a sequence in it).  R is O, o or Theta; of Theta a third premise is that l > 0 in the end.
    """
    statement, of = read_closed(data["statement"]), data.text("of")
    _, a = runs(statement, of)
    if not premises:
        raise Refused("a premise of bounds is wanted")
    low, f, high, v, _ = chain_from(premises[0].statement, of)
    body = statement.body
    if not isinstance(body, (Expanding, Ordering)) or terms.of(body.left) != f or a.parts[0] != name(v):
        raise Refused("the bounds are of another term")
    if not premises[0].holds:
        raise Refused("bounds that do not hold")
    if body.order not in ("O", "o", "Theta") or (isinstance(body, Expanding) and body.order == "Theta"):
        raise Refused("a statement of another form")
    same_declarations(premises[0].statement, statement)
    plain = tuple(c for c in statement.domain if not isinstance(c, Recurrence))
    wanted = [Statement(replace(body, left=node_of(end)), domain=plain, regime=statement.regime) for end in (low, high)]
    if body.order == "Theta":
        wanted.append(Statement(Eventual(node_of(low), ">", node_of(ZERO)), domain=plain, regime=statement.regime))
    shown(premises[1:], wanted)
    return Conclusion(statement)


def same_declarations(one: Statement, other: Statement) -> None:
    """That what one statement declares, the other does."""
    mine, others = (terms.singles(c for c in s.domain if isinstance(c, Recurrence)) for s in (one, other))
    if not mine <= others:
        raise Refused("a premise of another sequence")


@rule("growth", of_sequences=True)
def _growth(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """a(n) = Theta(g(n)), from a(n+1)/a(n) = g(n+1)/g(n) (1 + O(n^(-m))) with m > 1, and g(n) > 0 in the end.

    Data: statement, of, power (m).
    """
    statement = read_closed(data["statement"])
    shown(premises, growing(statement, data.text("of"), read(data.text("power"))))
    return Conclusion(statement)


def growing(statement: Statement, of: str, m: Term) -> list[Statement]:
    """What has to hold for that.

    Raises:
        Refused: the statement says something else.
    """
    _, a = runs(statement, of)
    body = statement.body
    if not isinstance(body, Ordering) or body.order != "Theta" or terms.of(body.left) != a:
        raise Refused(f"{a} = Theta(..) is wanted")
    g, v = terms.of(body.growth), a.parts[0]
    if not m.is_number or m.number <= 1 or any(part.head == of for part in terms.walk(g)) or g.free - {v.name}:
        raise Refused("a growth in n, and a power above 1, are wanted")
    after = {v.name: add(v, ONE)}
    ratio = multiply(Term(of, (add(v, ONE),)), reciprocal(a))
    own = multiply(substitute(g, after), reciprocal(g))
    plain = tuple(c for c in statement.domain if not isinstance(c, Recurrence))
    small = Expanding(node_of(ratio), node_of(own), "O", node_of(multiply(own, power(v, negative(m)))))
    return [
        Statement(small, domain=statement.domain, regime=statement.regime),
        Statement(Eventual(node_of(g), ">", node_of(ZERO)), domain=plain, regime=statement.regime),
    ]


@rule("same order", of_sequences=True)
def _same_order(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f = R(h), or that it fails, from f = Theta(g) and g = R(h), or that that fails; f is a(n), or its logarithm.

    Data: statement, of.
    """
    statement, of = read_closed(data["statement"]), data.text("of")
    runs(statement, of)
    body = statement.body
    if len(premises) != 2 or not isinstance(body, Ordering):
        raise Refused("f = R(h), and two premises, are wanted")
    g = theta(premises[0], statement, of, terms.of(body.left))
    plain = tuple(c for c in statement.domain if not isinstance(c, Recurrence))
    wanted = Statement(replace(body, left=node_of(g)), domain=plain, regime=statement.regime)
    return Conclusion(statement, shown(premises[1:], [wanted], None))


def theta(premise: Theorem, statement: Statement, of: str, f: Term) -> Term:
    """g of a premise f = Theta(g) in the regime of a statement.

    Raises:
        Refused: it is another one.
    """
    runs(premise.statement, of)
    body = premise.statement.body
    if not premise.holds or not isinstance(body, Ordering) or body.order != "Theta" or terms.of(body.left) != f:
        raise Refused(f"{f} = Theta(..) is not the premise")
    if terms.canonical(premise.statement)[4] != terms.canonical(statement)[4]:
        raise Refused("a premise of another regime")
    same_declarations(premise.statement, statement)
    return terms.of(body.growth)


@rule("logarithm of an order", of_sequences=True)
def _logarithm_of_an_order(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """log(a(n)) = log(g(n)) + O(1), from a(n) = Theta(g(n)), a(n) > 0 for whole n >= N, and g(n) > 0 in the end.

    Data: statement, of.
    """
    statement, of = read_closed(data["statement"]), data.text("of")
    _, a = runs(statement, of)
    left, kept, growth = expanded(statement.body)
    if len(premises) != 3 or not all(one.holds for one in premises):
        raise Refused("three premises that hold are wanted")
    g = theta(premises[0], statement, of, a)
    if (left, kept, growth) != (call("log", a), call("log", g), ONE):
        raise Refused(f"log({a}) = log({g}) + O(1) is what follows")
    v = a.parts[0].name
    there, _ = from_on(premises[1].statement.domain)
    positive = Comparison(Compared((node_of(Term(of, (name(there),))), node_of(ZERO)), (">",)))
    if premises[1].statement.regime or terms.canonical(premises[1].statement) != terms.canonical(
        Statement(positive, domain=premises[1].statement.domain)
    ):
        raise Refused(f"{of}({v}) > 0 is not the second premise")
    same_declarations(premises[1].statement, statement)
    plain = tuple(c for c in statement.domain if not isinstance(c, Recurrence))
    shown(premises[2:], [Statement(Eventual(node_of(g), ">", node_of(ZERO)), domain=plain, regime=statement.regime)])
    return Conclusion(statement)
