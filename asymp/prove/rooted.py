r"""Searches what follows of a function that a row defines by an equation: its value in the equation, and its expansions.

Which terms to try is the engine's word; the kernel sees whether the equation changes sign around them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from functools import cmp_to_key, lru_cache, partial
from typing import Any

from asymp.budget import uncounted
from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.regime import moving, placed, ranges
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.factors import reduced
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.sequences.rooted import LEAF, VALUE, Ends, defined, equation_at, inside_of, needed_of_terms
from asymp.kernel.sequences.totals import Domain, bounds_from_below, needed, needed_from_below, total_of
from asymp.kernel.summation.cells import node_of, with_values
from asymp.kernel.terms import Refused, Term, add, name, negative, number, power, substitute
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison, Expanding, OneRoot
from asymp.language.conditions import Compared, OfKind, text_of
from asymp.language.statement import Statement, read_statement
from asymp.prove import first, totals
from asymp.regimes.names import unused

Prove = Callable[[Statement], Theorem]
MORE = 2
"""Terms of a total, beyond those of the expansion."""


def is_rooted(head: str) -> bool:
    """Whether an equation defines a function."""
    return head in NAMED and bool(NAMED[head].root)


def value(statement: Statement, call: Term, prove: Prove) -> Theorem:
    """The equation of a call, on a statement's domain.

    Raises:
        Refused: it is not seen.
    """
    _, one_root, _ = defined(call)
    wanted = equation_at(statement, call)
    return apply("root value", [prove(one_root)], statement=str(wanted), call=str(call))


_PROVERS: list[Prove] = []


def provide(prove: Prove) -> None:
    """What proves the premises: a search that asks this one."""
    _PROVERS[:] = [prove]


def expansion(statement: Statement, count: int, places: Sequence[Any], along: Mapping[str, Any]) -> Theorem:
    """A theorem of an expansion of a call: more terms the larger ``count``, and a remainder of the order of the next.

    Raises:
        Refused: none is found.
    """
    if not _PROVERS:
        raise Refused("nothing proves the premises")
    prove = _PROVERS[0]
    body = statement.body
    assert isinstance(body, Expanding)
    _, one_root, _ = defined(terms.of(body.left))
    ways = []
    for place in places:
        for few in (count + 1, 1) if count == 1 else (count + 1,):
            said = shortened(statement, few, place)
            data = {"statement": str(replace(statement, body=said)), "place": place, **along}
            ways.append(partial(_by_form, one_root, data, few, prove))
            ways.append(partial(_by_terms, one_root, data, max(1, len(said.kept.parts)) + MORE, prove))
    return first(ways)


def shortened(statement: Statement, count: int, place: Any) -> Expanding:
    """The largest terms of an expansion, and as remainder the next one, without what does not move.

    Raises:
        Refused: the sizes of two terms are not told apart.
    """
    body = statement.body
    assert isinstance(body, Expanding)
    nodes = list(zip(body.kept.parts, body.kept.signs, strict=True)) if body.kept.kind == "sum" else []
    if len(nodes) <= count:
        return body
    where = placed(statement, place)
    a = Algebra(where.domain, 2)
    expander = expander_of((), statement, where, a)
    names = moving(statement)
    growths = [_growth(terms.of(node), names) for node, _ in nodes]
    sizes = [a.leading(expander.series(where.put(one)))[1] for one in growths]

    def compared(i: int, j: int) -> int:
        return {"zero": 1, "infinity": -1}.get(a.domain.quotient(sizes[i], sizes[j]), 0)

    order = sorted(range(len(nodes)), key=cmp_to_key(compared))
    signs = {"+": terms.ONE, "-": terms.number(-1)}
    kept = terms.add(*(terms.multiply(signs[nodes[k][1]], terms.of(nodes[k][0])) for k in order[:count]))
    return replace(body, kept=node_of(kept), growth=node_of(growths[order[count]]))


def _growth(term: Term, names: AbstractSet[str]) -> Term:
    """A term without the factors that do not move."""
    return terms.multiply(*(one for one in (term.parts if term.head == "product" else (term,)) if one.free & names))


def _by_form(one_root: Statement, data: Mapping[str, Any], count: int, prove: Prove) -> Theorem:
    given = [prove(one_root)]
    with suppress(Refused):
        given.append(_form(str(one_root), prove))
    orders = (2, 3) if count <= 2 else (3,)
    return first(partial(apply, "root series", given, by="logarithm", order=order, **data) for order in orders)


@uncounted
@lru_cache(maxsize=16)
def _form(text: str, prove: Prove) -> Theorem:
    one_root = read_statement(text)
    body = one_root.body
    assert isinstance(body, OneRoot)
    where = ", ".join(filter(None, (text_of(one_root.domain), inside_of(one_root))))
    return totals.gamma_form(terms.of(body.left), where, prove)


def _by_terms(one_root: Statement, data: Mapping[str, Any], count: int, prove: Prove) -> Theorem:
    body = one_root.body
    assert isinstance(body, OneRoot)
    u = next(one for one in totals.NAMES if one not in (VALUE, *"xyzw"))
    f = total_of(terms.of(body.left), u)
    c, r = totals.first_of(f, u), totals.ratio(f, u)
    said = read_statement(data["statement"])
    assert isinstance(said.body, Expanding)
    put = {**defined(terms.of(said.body.left))[2], VALUE: name(LEAF)}
    ends = Ends(placed(said, data["place"]), 2, put, said.body)
    if not ends.known[1].algebra.vanishes(ends.series(substitute(r, {u: terms.ZERO}), 1)):
        raise Refused("a ratio that does not tend to 0")
    given = [prove(one_root), *map(prove, needed_of_terms(one_root, u, c, r))]
    how = {"by": "difference", "first": count, "variable": u, "value": str(c), "ratio": str(r)}
    return apply("root series", given, order=count, **how, **data)


def total(statement: Statement, prove: Prove) -> Theorem:
    """A theorem of a total c (1 or u) f(u), where an equation that defines a function in the statement says what that of f is.

    With f(u + 1)/f(u) = N/D(u), (N - D(u - 1)) f(u) is the difference of D(u - 1) f(u); where N - D(u - 1) = alpha + beta u, the
    total of u f(u) follows from that of f.

    Raises:
        Refused: none is found.
    """
    body = statement.body
    pairs = list(body.chain.pairs()) if isinstance(body, Comparison) else []
    if len(pairs) != 1 or pairs[0][1] != "=":
        raise Refused("an equation is wanted")
    left, right = terms.of(pairs[0][0]), terms.of(pairs[0][2])
    if left.head != "Sum":
        if right.head != "Sum":
            raise Refused("no total")
        turned = replace(statement, body=Comparison(Compared((pairs[0][2], pairs[0][0]), ("=",))))
        if terms.canonical(turned) != terms.canonical(statement):
            raise Refused("a total is wanted on the left")
        left = right
    calls = {part for side in pairs[0][::2] for part in terms.walk(terms.of(side)) if is_rooted(part.head)}
    return first((partial(_total, statement, left, call, prove) for call in sorted(calls, key=str)), "no root")


def _total(statement: Statement, left: Term, call: Term, prove: Prove) -> Theorem:
    known = value(statement, call, prove)
    assert isinstance(known.statement.body, Comparison)
    base = terms.of(known.statement.body.chain.parts[0])
    u = unused(statement, totals.NAMES, "u_")
    f, g = total_of(base, u), total_of(left, u)
    r = totals.ratio(f, u)
    over, under = totals.quotient(r)
    before = substitute(under, {u: add(name(u), number(-1))})
    outside = terms.multiply(*(one for one in (g.parts if g.head == "product" else (g,)) if u not in one.free))
    if g == terms.multiply(outside, f):
        parts = [[terms.ONE, g, r, terms.ZERO], [negative(outside), f, r, terms.ZERO]]
        h, of_h, start, tries = terms.ZERO, terms.ZERO, 0, [1]
    elif g == terms.multiply(outside, name(u), f):
        beta, alpha = negative(totals.slope(before, u)), add(over, negative(substitute(before, {u: terms.ZERO})))
        grown = terms.multiply(r, add(name(u), terms.ONE), power(name(u), number(-1)))
        parts = [[terms.multiply(beta, power(outside, number(-1))), g, grown, terms.ZERO], [alpha, f, r, terms.ZERO]]
        h = terms.multiply(before, f)
        of_h, start, tries = terms.multiply(r, under, power(before, number(-1))), 1, [-1, 1]
    else:
        raise Refused("another total")
    rows, by = [list(map(str, row)) for row in parts], [str(h), str(of_h), "0"]

    def made(sign: int) -> Theorem:
        wanted = needed(statement, u, rows, by, start, sign, [known.statement])
        given = [known if one is known.statement else prove(one) for one in wanted]
        data = {"statement": str(statement), "variable": u, "parts": rows, "by": by, "from": start, "sign": sign}
        return apply("totals", given, **data)

    return first(partial(made, sign) for sign in tries)


def bounded(statement: Statement, prove: Prove) -> Theorem:
    """A theorem that a function which an equation defines is at most L/c, or c times it at most L, from a bound of the total in
    that equation from below.

    Raises:
        Refused: none is found.
    """
    body = statement.body
    pairs = list(body.chain.pairs()) if isinstance(body, Comparison) else []
    factors = list(terms.of(pairs[0][0]).parts) if pairs and terms.of(pairs[0][0]).head == "product" else []
    factors = factors or [terms.of(left) for left, _, _ in pairs]
    calls = [one for one in factors if is_rooted(one.head)]
    if len(pairs) != 1 or pairs[0][1] != "<=" or len(calls) != 1:
        raise Refused("a bound of a function that an equation defines is wanted")
    call, (bound, over) = calls[0], totals.quotient(terms.of(pairs[0][2]))
    if len(factors) > 1:
        bound, over = terms.of(pairs[0][2]), terms.multiply(*(one for one in factors if one is not call))
    _, one_root, put = defined(call)
    equation = one_root.body
    assert isinstance(equation, OneRoot)
    inside = read_statement(f"0 = 0 for {', '.join(filter(None, (text_of(one_root.domain), inside_of(one_root))))}")
    _, c, b, z = totals.of_gamma(terms.of(equation.left), inside)
    share = to_term(reduced(ranges(inside.domain).value(terms.multiply(b, power(z, number(-1))))))
    b_1, z_1 = (substitute(one, {**put, VALUE: terms.ONE}) for one in (b, z))
    b, z, share = (substitute(one, {**put, VALUE: call}) for one in (b, z, share))
    rate = bounds_from_below(terms.ONE, b_1, z_1, share, terms.ONE)[0]
    told = (f"{share} <= 1", f"{over} > 0", f"{rate} >= {over}")  # where that is so, and the function is defined, it is shown
    kinds = [str(c) for c in statement.domain if isinstance(c, OfKind)]
    simple = [str(c) for c in with_values(one_root.domain, put)]
    small = read_statement(f"0 = 0 for {', '.join((*kinds, *simple, *told))}")
    where, known = Domain(small, LEAF), value(small, call, prove)
    assert isinstance(known.statement.body, Comparison)
    total_, u = terms.of(known.statement.body.chain.parts[0]), unused(small, totals.NAMES, "u_")
    product = where.said(f"{terms.multiply(call, rate)} <= {bound}")
    given = [
        known if one is known.statement else prove(one)
        for one in needed_from_below(product, u, c, b, z, share, total_, known.statement)
    ]
    said = {"value": str(c), "first": str(b), "at": str(z), "share": str(share), "total": str(total_)}
    least = apply("total below", given, statement=str(product), variable=u, **said)
    form = "e*c <= l" if len(factors) > 1 else "e <= l/c"
    lemma = prove(read_statement(f"{form} for e > 0, c > 0, k >= c, e*k <= l"))
    values = {"e": str(call), "l": str(bound), "c": str(over), "k": str(rate)}
    there = replace(small, body=statement.body)
    found = apply("instance", [lemma, least], statement=str(there), values=values)
    conditions = [prove(Domain(statement, LEAF).said(one)) for one in told]
    return apply("instance", [found, *conditions], statement=str(statement), values={})
