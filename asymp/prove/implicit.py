"""Roots that an equation of the regime ties: how many there are, what their terms are, and a proof.

An interval is cut until each piece has a form (E - R)/D of the gap between the sides that rises or falls, or one side that is
below the other; then :mod:`asymp.prove.newton` proposes terms, and the kernel sees that the gap changes sign around them.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("x = n - log(n) + O(log(n)/n) as n -> oo, x + log(x) = n, x > 0"), True)
⊢ x = n - log(n) + O(log(n)/n) as n -> oo, x + log(x) = n, x > 0
>>> theorem(read_statement("x = n - 2*log(n) + O(log(n)/n) as n -> oo, x + log(x) = n, x > 0"), True)
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: no change of sign is seen
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.bounds import replaced
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.growths.asymptotics import Decided
from asymp.kernel.growths.regime import alone, placed, ranges
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.ratio import Ratio, to_term
from asymp.kernel.sequences.implicit import MOST_CUTS, Tied, around, needed, tied
from asymp.kernel.sequences.rooted import logarithms_of
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import ONE, Refused, Term, add, multiply, name, negative, number
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison, Expanding
from asymp.language.conditions import Compared, read_conditions
from asymp.language.statement import Statement
from asymp.prove import first
from asymp.prove.newton import Form, zeros
from asymp.regimes.paths import path
from asymp.regimes.quantities import places

Prove = Callable[[Statement], Theorem]
FAR = 100
"""Beyond such a number the sides are compared."""
CUTS = tuple(map(number, (0, 1, 2, -1)))
ORDERS = (2, 3, 4, 6)
MOST_NEARER = 4
MOST_MORE = 6
"""Terms of an exponent beyond those of the root."""
MOST_SUMMANDS = 6
FAST = frozenset({"exp", "gamma", "factorial", "erfc", "uppergamma", "lowergamma"})
"""What is known best by its logarithm."""
MOST_TRIED = 12
"""Ways to cut an interval."""


@dataclass(frozen=True)
class Cover:
    """Why there is one root at most: see :func:`asymp.kernel.sequences.implicit.needed`."""

    far: str
    over: Term = ONE
    rises: bool = True
    piece: int = 0
    cuts: tuple[Term, ...] = ()
    signs: tuple[str, ...] = ()
    premises: tuple[Theorem, ...] = field(default=(), compare=False)

    def data(self) -> dict[str, Any]:
        """As the kernel is told it."""
        cuts, signs = [str(cut) for cut in self.cuts], list(self.signs)
        return {
            "far": self.far,
            "over": str(self.over),
            "rises": self.rises,
            "piece": self.piece,
            "cuts": cuts,
            "signs": signs,
        }


def is_tied(statement: Statement) -> bool:
    """Whether a statement is an expansion of a root that its regime ties."""
    try:
        return bool(tied(statement))
    except Refused:
        return False


def holds(statement: Statement, prove: Prove) -> Theorem:
    """A theorem of the expansion of a root.

    Raises:
        Refused: none is found.
    """
    root = tied(statement)
    cover = covered(root, prove)
    data = {**cover.data(), **path(root.plain), "statement": str(statement)}

    def told(more: dict[str, Any], order: int, by: str, place: Any) -> Theorem:
        return apply("implicit root", cover.premises, order=order, by=by, place=place, **data, **more)

    def at_end() -> Theorem:
        """Of what lies next to an end of the interval, by a term more."""
        body = statement.body
        assert isinstance(body, Expanding)
        if terms.of(body.growth) == terms.ZERO:
            raise Refused("nothing is nearer")
        kept = len(_summands(terms.of(body.kept)))
        more = (
            {"nearer": [str(add(*found)), str(rest)]}
            for found, rest in itertools.islice(proposals(root, kept + 1), MOST_NEARER)
        )
        return first(partial(_tried, partial(told, one), root) for one in more)

    try:
        return _tried(partial(told, {}), root)
    except Decided:
        raise
    except Refused as error:
        with suppress(Refused):
            return at_end()
        raise error from None


def _tried(one: Callable[[int, str, Any], Any], root: Tied) -> Any:
    """The first theorem by series of some order, in some quantities; none once it is seen that there is no change of sign."""
    why = Refused("no quantities for this regime")
    for order, by, place in itertools.product(ORDERS, ("logarithm", "difference"), list(places(root.plain))):
        try:
            return one(order, by, place)
        except Decided:
            raise
        except Refused as error:
            why = error
    raise why


def seen(statement: Statement, form: Tied) -> None:
    """That an equation, in another form, changes sign around the terms of a statement; nothing of how many roots there are.

    Raises:
        Refused: it is not seen.
    """
    root = replace(tied(statement), left=form.left, right=form.right)
    _tried(lambda order, by, place: around(statement, root, place, order, by, ()), root)


# --- how many roots -------------------------------------------------------------------------------------


def far_out(root: Tied) -> str:
    """What the moving variables of a regime obey from some point on, as text."""
    kinds = {"oo": f"{{}} > {FAR}", "0": f"0 < {{}}, {{}} < 1/{FAR}"}
    said = [kinds[kind].format(v, v) for v, kind in alone(root.plain).items() if kind]
    return ", ".join(said)


Piece = tuple[Term, bool] | str
"""By what the gap of the sides is divided that rises or falls, or how they compare."""


def pieces(root: Tied, prove: Prove) -> tuple[tuple[Term, ...], list[Piece]]:
    """Cuts of the interval, and why there is one root at most, or none, on each piece between them.

    Raises:
        Refused: none are found.
    """
    far = far_out(root)
    for cuts in ((), *itertools.islice(_cuts(root), MOST_TRIED)):
        found = list(itertools.takewhile(bool, (piece(root, far, cuts, k, prove) for k in range(len(cuts) + 1))))
        if len(found) > len(cuts):
            return cuts, found
    raise Refused("it is not seen that there is one root at most")


def covered(root: Tied, prove: Prove) -> Cover:
    """Why there is one root at most.

    Raises:
        Refused: it is not seen.
    """
    far, (cuts, found) = far_out(root), pieces(root, prove)
    shapes = [(k, one) for k, one in enumerate(found) if not isinstance(one, str)]
    if len(shapes) != 1:
        raise Refused("there may be several roots")
    k, (over, rises) = shapes[0]
    signs = tuple(one for one in found if isinstance(one, str))
    premises = map(prove, needed(root, read_conditions(far), over, rises, k, cuts, signs))
    return Cover(far, over, rises, k, cuts, signs, tuple(premises))


def piece(root: Tied, far: str, cuts: Sequence[Term], k: int, prove: Prove) -> Piece:
    """What is seen of a piece between cuts; empty where that is nothing."""
    beyond, others = read_conditions(far), ["<"] * len(cuts)
    for sign in "<>" if cuts else "":
        with suppress(Refused):
            prove(needed(root, beyond, ONE, True, 0 if k else 1, cuts, [sign] * len(cuts))[k])
            return sign
    sides = (root.right, *_summands(root.left), *_summands(root.right))
    divisors = dict.fromkeys((ONE, *(one for one in sides if not one.is_number)))
    for over, rises in itertools.product(divisors, (True, False)):
        with suppress(Refused):
            prove(needed(root, beyond, over, rises, k, cuts, others)[k])
            return over, rises
    return ""


def parts_of(root: Tied, cuts: Sequence[Term]) -> list[Tied]:
    """The root in each piece of its interval."""
    return [replace(root, low=low, high=high) for low, high in itertools.pairwise([root.low, *cuts, root.high])]


def is_zero(term: Term) -> bool:
    """Whether a term is 0 by identity."""
    return ranges(()).value(term).is_zero


def rootless(root: Tied, prove: Prove) -> bool:
    """Whether one side is seen to be below the other on the interval, far out."""
    return any(_is_shown(comparison(root, sign), prove) for sign in "<>")


def apart_at(root: Tied, place: Term, prove: Prove) -> bool:
    """Whether the sides are seen to differ at a place, far out."""
    at = {root.x: place}
    there = replace(
        root, left=terms.substitute(root.left, at), right=terms.substitute(root.right, at), low=None, high=None
    )
    return rootless(there, prove)


def comparison(root: Tied, sign: str) -> Statement:
    """How the sides compare in the interval."""
    inside = tuple(
        Compared((node_of(low), node_of(high)), (less,)) for low, less, high in root.pairs(root.low, root.high)
    )
    body = Comparison(Compared((node_of(root.left), node_of(root.right)), (sign,)))
    return Statement(body, domain=(*root.plain.domain, *root.kinds(), *read_conditions(far_out(root)), *inside))


def _is_shown(statement: Statement, prove: Prove) -> bool:
    with suppress(Refused):
        return bool(prove(statement))
    return False


def _cuts(root: Tied) -> Iterator[tuple[Term, ...]]:
    """Where the gap of the sides may turn: zeros of its slope, the middle, small whole numbers."""
    inside = [cut for cut in turns(root) if _between(root, cut)]
    if 0 < len(inside) <= MOST_CUTS:
        yield tuple(inside)
    if root.low is not None and root.high is not None and root.low.is_number and root.high.is_number:
        yield (number((root.low.number + root.high.number) / 2),)
    small = [cut for cut in CUTS if _between(root, cut)]
    for cut in small:
        yield (cut,)
    yield from itertools.combinations(sorted(small, key=lambda one: one.number), 2)


def _between(root: Tied, cut: Term) -> bool:
    domain = ranges((*root.plain.domain, *read_conditions(far_out(root))))
    gaps = [add(high, negative(low)) for low, _, high in root.pairs(root.low, root.high)]
    with suppress(Refused):
        return all(domain.sign(domain.value(terms.substitute(gap, {root.x: cut}))) == 1 for gap in gaps)
    return False


def turns(root: Tied) -> list[Term]:
    """Zeros of the slope of the gap between the sides: of its factors that are polynomials in x, log(x) or exp(x); ascending."""
    x = name(root.x)
    low_is_0 = root.low is not None and root.low.is_number and root.low.number >= 0
    domain = ranges(
        (*root.plain.domain, *read_conditions(far_out(root)), *(read_conditions(f"{x} > 0") if low_is_0 else ()))
    )
    found: list[Term] = []
    with suppress(Refused):
        slope = domain.value(derivative(add(root.left, negative(root.right)), root.x))
        _, atoms, rest = factored(slope.num)
        found += [ONE] * any(atom == terms.call("log", x) for atom, _ in atoms)
        for poly, _ in rest:
            for kind, back in ((x, lambda c: [c]), (terms.call("log", x), lambda c: [terms.call("exp", c)]),
                               (terms.call("exp", x), lambda c: [terms.call("log", c)])):  # fmt: skip
                positive = [to_term(c) for c in zeros(Ratio(poly), kind, domain)]
                opposite = (
                    []
                    if low_is_0 and kind == x
                    else [negative(to_term(c)) for c in zeros(_mirrored(Ratio(poly), kind), kind, domain)]
                )
                for c in (*positive, *opposite):
                    with suppress(Refused):
                        found += back(c)
    distinct = list(dict.fromkeys(found))
    with suppress(Refused):
        for k, one in enumerate(distinct):
            for j in range(k):
                if domain.sign(domain.value(add(distinct[j], negative(one)))) == 1:
                    distinct.insert(j, distinct.pop(k))
                    break
    return distinct


def _mirrored(c: Ratio, x: Term) -> Ratio:
    """What it is at -x, of a polynomial in x."""
    return Ratio({m: -k if dict(m).get(x, mpq(0)) % 2 == 1 else k for m, k in c.num.items()})


# --- terms ----------------------------------------------------------------------------------------------


def proposals(root: Tied, count: int) -> Iterator[tuple[list[Term], Term]]:
    """First terms of the root, and what its remainder is of the order of, to be tried; exact ones with the remainder 0."""
    if root.high is not None and root.high.is_number and root.high.number <= 0:  # the negative of a positive root
        ends = (None if end is None else negative(end) for end in (root.high, root.low))
        for kept, rest in proposals(_put(root, negative(name(root.x)), *ends), count):
            yield [negative(one) for one in kept], rest
        return
    tried = set[tuple[str, ...]]()
    for one in _forms(root):
        for start, rough in itertools.chain(
            ((start, None) for start in one.starts(list(_charts(root)))), _rough_starts(one, root)
        ):
            with suppress(Refused):
                found = one.refined(start, count + 1, rough)
                if (key := tuple(map(str, found))) not in tried:
                    tried.add(key)
                    yield found[:count], terms.ZERO if len(found) <= count else one.size(found[count])
    for far in _exponentials(root):
        yield from _through(far, root, count)


def _put(root: Tied, value: Term, low: Term | None, high: Term | None) -> Tied:
    """The equation of what stands for the root in a term."""
    left, right = (terms.substitute(side, {root.x: value}) for side in (root.left, root.right))
    return replace(root, left=left, right=right, low=low, high=high)


def _forms(root: Tied) -> Iterator[Form]:
    for place in sorted(places(root.plain), key=lambda one: "small" in one):
        with suppress(Refused):
            where = placed(root.plain, place)
            for form in forms(root):
                yield Form(form, root.x, where, place["scales"])


def _exponentials(root: Tied) -> Iterator[Term]:
    """exp(y), and c +- exp(-y) next to an end c, in the root's own letter."""
    x = name(root.x)
    if root.high is None:
        yield terms.call("exp", x)
    for end, sign in ((root.low, 1), (root.high, -1)):
        if end is not None and end.is_number:
            yield add(end, multiply(number(sign), terms.call("exp", negative(x))))


def _rough_starts(form: Form, root: Tied) -> Iterator[tuple[list[Term], Form]]:
    """First terms by a form with Gamma(s) for Gamma(s, x), as x far below s has it, or x^s exp(-x)/(x - s + 1), as above."""
    calls = dict.fromkeys(part for part in terms.walk(form.form) if part.head == "uppergamma" and root.x in part.free)
    if not calls:
        return
    domain = ranges((*root.plain.domain, *read_conditions(f"{far_out(root)}, {root.x} > 0")))
    for above in (False, True):
        found, here = form.form, domain
        for one in calls:
            s, x = one.parts
            here = replace(here, pairs=(*here.pairs, (add(s, negative(ONE)), "<", x))) if above else here
            tail = terms.call("exp", add(multiply(s, terms.call("log", x)), negative(x)))
            size = multiply(tail, terms.reciprocal(add(x, negative(s), ONE))) if above else terms.call("gamma", s)
            log = add(*logarithms_of(size, 1)) if above else terms.call("loggamma", s)
            found = replaced(replaced(found, terms.call("log", one), log), one, size)
        with suppress(Refused):
            rough = Form(to_term(here.value(found)), root.x, form.where, form.scales)
            yield from ((start, rough) for start in rough.near_scales())


def _through(value: Term, root: Tied, count: int) -> Iterator[tuple[list[Term], Term]]:
    """Terms of a root that is an exponential, by those of its exponent up to what vanishes."""
    for one in _forms(_put(root, value, terms.ZERO, None)):
        for start in one.starts([(None, 1)]):
            for more in range(1, count + MOST_MORE):
                try:
                    inner = one.refined(start, more + 1)
                    yield one.composed(value, inner[:more], inner[more:], count)
                    break
                except Refused:
                    continue


def _charts(root: Tied) -> Iterator[tuple[Term | None, int]]:
    low, high = root.low, root.high
    if high is None or not high.is_number:
        yield None, 1
    if low is None or not low.is_number:
        yield None, -1
    for end, side in ((low, 1), (high, -1)):
        if end is not None:
            yield end, side
    for end in (terms.ZERO, ONE):
        if end not in (low, high) and _between(root, end):
            yield end, 1
            yield end, -1


def forms(root: Tied) -> Iterator[Term]:
    """Forms with the same roots: the gap, and the logarithm of a quotient of one part of it and the others."""
    left, right = root.left, root.right
    pairs = [(left, right)]
    summands = [one for one in (*_summands(left), *map(negative, _summands(right))) if one != terms.ZERO]
    gap = add(*summands)
    if 2 <= len(summands) < MOST_SUMMANDS:
        for k, one in enumerate(summands):
            minus = _is_minus(one)
            others = add(*(other if minus else negative(other) for j, other in enumerate(summands) if j != k))
            pairs.append((negative(one) if minus else one, others))
    logs = [add(*logarithms_of(a, 1), *logarithms_of(b, -1)) for a, b in pairs if terms.ZERO not in (a, b)]
    parts = [part for part in terms.walk(gap) if root.x in part.free]
    quick = any(part.head in FAST or (part.head == "power" and root.x in part.parts[1].free) for part in parts)
    yield from dict.fromkeys([*logs[:1], gap, *logs[1:]] if quick else [gap, *logs])


def _summands(term: Term) -> list[Term]:
    return list(term.parts) if term.head == "sum" else [term]


def _is_minus(term: Term) -> bool:
    """Whether it is written with a sign."""
    return any(part.is_number and part.number < 0 for part in (term.parts if term.head == "product" else (term,)))
