r"""Sequences a(n+1) = F(a(n)): how they come to a fixed point, or grow, by what F does on the way.

*Fixed points.*  Where 0 <= F(x) - p <= q (x - p) with q < 1 for p <= x <= c = a(k), or the same from below, |a(n) - p|
<= q^(n-k) |c - p|: so a(n) = p + O(q^n).  The same is so where F(p) = p and |F'(x)| <= q for all x within r >= |c - p|
of p, by the mean value theorem.

*Increments.*  Where p < F(x) < x for p < x <= c, and F is continuous, a(n) falls and tends to a number l >= p; were l >
p, then F(l) = l < l; so it tends to p.  Where F(x) > x for x >= c it is infinity for the same reason.  With p = 0, or
infinity, let y(n) = a(n)^e tend to infinity and

.. math:: F(x)^e - x^e = L + M x^s + O(x^t), \qquad L > 0, \; s/e = -1, \; u = -t/e > 0.

By Stolz and Cesaro's theorem y(n) ~ L n; so the increments are L + O(k^(-min(1, u))), or without M L + O(k^(-u)), and
y(n) = L n + O(1), O(log n) or O(n^(1-u)) as u is above, at or below 1.  With M, and u > 1, y(n) = L n + O(log n), hence
1/y(k) = 1/(L k) + O(log(k)/k^2), of which the last has a finite sum, and y(n) = L n + (M/L) log n + O(1).  (De Bruijn,
Asymptotic Methods in Analysis, 8.)

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> newton = "sequence x(n), x(n+1) = (x(n) + 2/x(n))/2, x(0) = 1"
>>> statement = read_closed(f"x(n) = sqrt(2) + O((1/2)^n) as whole n -> oo for {newton}")
>>> data = {"of": "x", "after": 1, "to": "2^(1/2)", "side": 1, "rate": "1/2"}
>>> apply("fixed point", [theorem(one, True) for one in settling(statement, Data(data))], statement=str(statement), **data)
⊢ x(n) = sqrt(2) + O((1/2)^n) as whole n -> oo for sequence x(n), x(n + 1) = (x(n) + 2/x(n))/2, x(0) = 1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.data import Data
from asymp.kernel.facts.context import SMOOTH
from asymp.kernel.growths.declared import Declared, declared, shift_of
from asymp.kernel.summation.cells import node_of
from asymp.kernel.summation.generalised import replaced
from asymp.kernel.terms import (
    ONE,
    Refused,
    Term,
    add,
    multiply,
    name,
    negative,
    number,
    power,
    read,
    rebuilt,
    substitute,
)
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Body, Comparison, Eventual, Expanding, Ordering
from asymp.language.conditions import Compared, OfKind, Recurrence, Tends
from asymp.language.statement import Statement
from asymp.language.syntax import Node

Needed = Callable[[Statement, Data], Sequence[Statement]]
X = "x"
OO = name("oo")
MOST_PARTS, MOST_STEPS = 4_000, 40


def needing(name: str, of_sequences: bool = False) -> Callable[[Needed], Needed]:
    """Registers the rule that a statement holds if all holds that a function says of it and of the data."""

    def register(needed: Needed) -> Needed:
        @wraps(needed)
        def conclude(premises: Sequence[Theorem], data: Data) -> Conclusion:
            statement = read_closed(data["statement"])
            shown(premises, needed(statement, data))
            return Conclusion(statement)

        rule(name, of_sequences)(conclude)
        return needed

    return register


@lru_cache(maxsize=256)
def map_of(found: Declared) -> Term:
    """F of a(n+1) = F(a(n)), in x.

    Raises:
        Refused: the recurrence is of another form.
    """
    before = add(name(found.variable), number(found.top - 1))
    if set(found.calls) != {before} or len(found.begins) != 1:
        raise Refused(f"{found.name}({found.variable} + 1) is not given by {found.name}({found.variable}) alone")
    step = replaced(found.step(), Term(found.name, (before,)), name("@"))
    if step.free != {"@"}:
        raise Refused(f"{found.name}({found.variable} + 1) hangs on {found.variable} too")
    return substitute(step, {"@": name(X)})


def orbit(found: Declared, k: int) -> Term:
    """The value after k steps, as a term."""
    if not 0 <= k <= MOST_STEPS:
        raise Refused("so many steps")
    value, f = terms.of(found.begins[0]), map_of(found)
    for _ in range(k):
        value = substitute(f, {X: value})
        if sum(1 for _ in terms.walk(value)) > MOST_PARTS:
            raise Refused("a value that is too long a term")
    return value


def said(left: Term, sign: str, right: Term, *domain: tuple[Term, str, Term]) -> Statement:
    """A comparison for all x that meet comparisons."""
    return Statement(
        Comparison(Compared((node_of(left), node_of(right)), (sign,))),
        domain=tuple(Compared((node_of(low), node_of(high)), (order,)) for low, order, high in domain),
    )


def runs(statement: Statement, of: str) -> tuple[Declared, Term]:
    """The sequence of a statement, and a(v), where v is the whole variable that tends to infinity; nothing else is said.

    Raises:
        Refused: more is said, or less.
    """
    found = declared(statement, of)
    tends = [c for c in statement.regime if isinstance(c, Tends)]
    others = [c for c in statement.regime if not isinstance(c, Tends)]
    if (
        len(tends) != 1
        or statement.some
        or statement.uniform
        or tends[0].term.kind != "name"
        or terms.of(tends[0].target) != OO
    ):
        raise Refused("what holds of a sequence as its one variable tends to infinity is wanted")
    v = tends[0].term.text
    kinds = [c for c in (*others, *statement.domain) if not isinstance(c, Recurrence)]
    if not kinds or any(c != OfKind(v, "whole") for c in kinds) or v in terms.CONSTANTS:
        raise Refused(f"more is said than that {v} is whole and tends to infinity")
    return found, Term(of, (name(v),))


def expanded(body: Body) -> tuple[Term, Term, Term]:
    """f, g and h of f = g + O(h)."""
    if not isinstance(body, Expanding) or body.order != "O":
        raise Refused("an expansion with a remainder O(..) is wanted")
    return terms.of(body.left), terms.of(body.kept), terms.of(body.growth)


# --- to a fixed point -------------------------------------------------------------------------------------------


@needing("fixed point", of_sequences=True)
def settling(statement: Statement, data: Data) -> list[Statement]:
    """a(n) = p + O(q^n), where F brings every point of a range nearer to p by the factor q, and does not leave it.

    Data: statement, of, after (k), to (p), rate (q), side (1 where the range is from p up to a(k), -1 from a(k) up to p,
    0 where it is what lies within a distance of p), and then within (the distance r).

    Raises:
        Refused: the statement says something else.
    """
    found, a = runs(statement, data.text("of"))
    left, kept, growth = expanded(statement.body)
    p, q, side, c = (
        read(data.text("to")),
        read(data.text("rate")),
        data.whole("side"),
        orbit(found, data.whole("after")),
    )
    if left != a or kept != p or growth != power(q, a.parts[0]) or p.free or not q.is_number or not 0 < q.number < 1:
        raise Refused(f"{left} = {p} + O(({q})^{a.parts[0]}) is wanted, with 0 < {q} < 1")
    x, f = name(X), map_of(found)
    if side == 0:
        r = read(data.text("within"))
        if r.free:
            raise Refused("a distance that is no number")
        inside, slope = ((add(p, negative(r)), "<=", x), (x, "<=", add(p, r))), derivative(f, X)
        return [
            said(substitute(f, {X: p}), "=", p), said(add(p, negative(r)), "<=", c), said(c, "<=", add(p, r)),
            said(slope, "<=", q, *inside), said(negative(q), "<=", slope, *inside),
            said(terms.ZERO, "<=", power(add(f, negative(p)), number(2)), *inside),
        ]  # fmt: skip
    if side not in (1, -1):
        raise Refused("a side is 1, -1 or 0")
    low, high = (p, c) if side == 1 else (c, p)
    inside = (low, "<=", x), (x, "<=", high)
    gap, before = add(multiply(number(side), add(f, negative(p)))), multiply(number(side), add(x, negative(p)))
    return [said(low, "<=", high), said(terms.ZERO, "<=", gap, *inside), said(gap, "<=", multiply(q, before), *inside)]


# --- by increments -------------------------------------------------------------------------------------------------


@needing("increments", of_sequences=True)
def drifting(statement: Statement, data: Data) -> list[Statement]:
    """a(n)^e = L n + O(h), or L n + (M/L) log(n) + O(1), by what F adds to x^e as x tends to where a(n) does; or a(n) > 0.

    Data: statement, of, after (k), to ("0", from above, or "oo"); and where not a(n) > 0 is said but a(n)^e: exponent (e), slope
    (L), rest (t), and second ([M, s], or [] where there is no such term).

    Raises:
        Refused: the statement says something else.
    """
    found, a = runs(statement, data.text("of"))
    p, f, x, c = read(data.text("to")), map_of(found), name(X), orbit(found, data.whole("after"))
    if any(part.head not in SMOOTH for part in terms.walk(f)):
        raise Refused(f"{f} may not be continuous")
    if p == terms.ZERO:
        inside = (terms.ZERO, "<", x), (x, "<=", c)
        wanted = [said(terms.ZERO, "<", c), said(terms.ZERO, "<", f, *inside), said(f, "<", x, *inside)]
    elif p == OO:
        wanted = [said(terms.ZERO, "<", c), said(x, "<", f, (c, "<=", x))]
    else:
        raise Refused("to 0 or to infinity")
    body = statement.body
    if isinstance(body, Eventual):
        low, high = (body.left, body.right) if body.sign == "<" else (body.right, body.left)
        if body.sign not in "<>" or (terms.of(low), terms.of(high)) != (terms.ZERO, a):
            raise Refused(f"{a} > 0 is wanted")
        return wanted
    left, kept, growth = expanded(body)
    e, slope, t, second = (*(read(data.text(key)) for key in ("exponent", "slope", "rest")), data.texts("second"))
    if not (e.is_number and slope.is_number and t.is_number) or slope.number <= 0 or left != power(a, e):
        raise Refused(f"{a}^e = ..., and L > 0, are wanted")
    way, v = (1 if p == OO else -1), a.parts[0]
    u = -t.number / e.number if e.number else mpq(0)
    if e.number * way <= 0 or u <= 0:
        raise Refused("a power that does not tend to infinity, or a rest that does not tend to 0")
    gap, main = add(power(f, e), negative(power(x, e))), slope
    expected, rest = (
        multiply(slope, v),
        terms.ONE if u > 1 else terms.call("log", v) if u == 1 else power(v, number(1 - u)),
    )
    if second:
        m, s = (read(one) for one in second) if len(second) == 2 else (ONE, ONE)
        if not (m.is_number and s.is_number) or s.number != -e.number or u <= 1:
            raise Refused("a second term M*x^(-e), and a smaller rest")
        main = add(slope, multiply(m, power(x, s)))
        expected = add(expected, multiply(m, terms.reciprocal(slope), terms.call("log", v)))
        rest = ONE
    if (kept, growth) != (expected, rest):
        raise Refused(f"{left} = {expected} + O({rest}) is what follows")
    near = Tends(node_of(x), node_of(p), "" if p == OO else "+")
    wanted.append(Statement(Expanding(node_of(gap), node_of(main), "O", node_of(power(x, t))), regime=(near,)))
    return wanted


@needing("doubling", of_sequences=True)
def doubled(statement: Statement, data: Data) -> list[Statement]:
    """log(a(n)) = Theta(d^n), where m x^d <= F(x) <= K x^d for x >= c = a(k), d > 1 and m c^(d-1) > 1.

    Data: statement, of, after (k), degree (d), least (m), most (K).

    Then F(x) >= x, and y(n) = log(a(n)) + log(m)/(d-1) > 0 obeys y(n+1) >= d y(n); so log(a(n)) + log(K)/(d-1) does with
    <=. (Aho and Sloane, Fibonacci Quart. 11 (1973).)

    Raises:
        Refused: the statement says something else.
    """
    found, a = runs(statement, data.text("of"))
    d, m, most = (read(data.text(key)) for key in ("degree", "least", "most"))
    body, x, f, c = statement.body, name(X), map_of(found), orbit(found, data.whole("after"))
    if not all(one.is_number and one.number > 0 for one in (d, m, most)) or d.number <= 1:
        raise Refused("positive numbers, and a degree above 1, are wanted")
    if not isinstance(body, Ordering) or (body.order, terms.of(body.left), terms.of(body.growth)) != (
        "Theta", terms.call("log", a), power(d, a.parts[0]),
    ):  # fmt: skip
        raise Refused(f"log({a}) = Theta({d}^{a.parts[0]}) is what follows")
    inside = (c, "<=", x)
    return [
        said(terms.ZERO, "<", c), said(terms.ONE, "<", multiply(m, power(c, number(d.number - 1)))),
        said(multiply(m, power(x, d)), "<=", f, inside), said(f, "<=", multiply(most, power(x, d)), inside),
    ]  # fmt: skip


# --- at other places, and powers ------------------------------------------------------------------------------------


@rule("shifted", of_sequences=True)
def _shifted(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """What holds of a(n) as n tends to infinity, at n + c in place of n, c a whole number.

    Data: statement, of, by (c).
    """
    statement = read_closed(data["statement"])
    shown(premises, [unshifted(statement, data.text("of"), data.whole("by"))])
    return Conclusion(statement)


def unshifted(statement: Statement, of: str, c: int) -> Statement:
    """The statement with n - c for n."""
    _, a = runs(statement, of)
    v = a.parts[0]
    back = {v.name: add(v, number(-c))}

    def change(node: Node) -> Node:
        return node_of(substitute(terms.of(node), back))

    return Statement(statement.body.changed(change), domain=statement.domain, regime=statement.regime)


@rule("next", of_sequences=True)
def _next(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement of a(n + c), or its negation, from that of F(... F(a(n))), as n tends to infinity.

    Data: statement, of.
    """
    statement = read_closed(data["statement"])
    return Conclusion(statement, shown(premises, [of_first(statement, data.text("of"))], None))


def of_first(statement: Statement, of: str) -> Statement:
    """The statement with F(... F(a(n))) for a(n + c), c > 0, where a(n + 1) = F(a(n))."""
    f = map_of(declared(statement, of))

    def value(term: Term, c: int) -> Term:
        a = Term(of, (_variable(statement),))
        if not 0 <= c <= MOST_STEPS:
            return term
        for _ in range(c):
            a = substitute(f, {X: a})
        return a

    return _at_shifts(statement, of, value)


@rule("of a power", of_sequences=True)
def _of_a_power(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement of a(n), or its negation, from that of (a(n)^e)^(1/e), where a(n) > 0 in the end.

    Data: statement, of, exponent (e).  Premises: the statement with that, and a(n) > 0.
    """
    statement = read_closed(data["statement"])
    wanted = of_power(statement, data.text("of"), read(data.text("exponent")))
    holds = shown(premises[:1], [wanted], None)
    if len(premises) != 2:
        raise Refused("two premises are wanted")
    _, a = runs(premises[1].statement, data.text("of"))
    positive = Eventual(node_of(a), ">", node_of(terms.ZERO))
    shown(premises[1:], [Statement(positive, domain=premises[1].statement.domain, regime=premises[1].statement.regime)])
    if not terms.canonical(premises[1].statement)[3] <= terms.canonical(statement)[3]:
        raise Refused("a premise of another sequence")
    return Conclusion(statement, holds)


def of_power(statement: Statement, of: str, e: Term) -> Statement:
    """The statement with (a(n)^e)^(1/e) for a(n), at whatever n + c that tends to infinity."""
    declared(statement, of)
    if not e.is_number or not e.number:
        raise Refused("a power is wanted")

    def value(term: Term, _: int) -> Term:
        if e == number(-1):  # (1/a)^(-1) would be read as a
            return terms.call("exp", negative(terms.call("log", power(term, e))))
        return power(power(term, e), number(1 / e.number))

    return _at_shifts(statement, of, value)


def _at_shifts(statement: Statement, of: str, value: Callable[[Term, int], Term]) -> Statement:
    """The statement with other terms for the a(n + c) in it, where n tends to infinity; there is none elsewhere in it."""
    v = _variable(statement)

    def change(node: Node) -> Node:
        def of_term(term: Term) -> Term:
            if term.head == of:
                c = shift_of(term.parts[0], v.name) if len(term.parts) == 1 else None
                if c is None:
                    raise Refused(f"{term} is not at {v} + c")
                return value(term, c)
            return rebuilt(term, tuple(map(of_term, term.parts))) if term.parts else term

        return node_of(of_term(terms.of(node)))

    return Statement(statement.body.changed(change), domain=statement.domain, regime=statement.regime)


def _variable(statement: Statement) -> Term:
    """The one whole variable that tends to infinity."""
    found = [
        c.term.text
        for c in statement.regime
        if isinstance(c, Tends) and c.term.kind == "name" and terms.of(c.target) == OO
    ]
    whole = [v for v in found if OfKind(v, "whole") in (*statement.regime, *statement.domain)]
    if len(whole) != 1 or statement.some or statement.uniform:
        raise Refused("one whole variable that tends to infinity is wanted")
    return name(whole[0])
