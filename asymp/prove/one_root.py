"""How many roots an equation has in an interval: the interval is cut until on each piece one side is below the other, or a form
(E - R)/D of the gap between them rises or falls, far out in a regime.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> root = tied(read_statement("x = 1 + O(1) as n -> oo, log(x)/x = 1/n, x > 0"))
>>> cuts, found = pieces(root, lambda statement: theorem(statement, True))
>>> [str(cut) for cut in cuts], [(str(over), rises) for over, rises in found]
(['exp(1)'], [('1', True), ('1', False)])
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.growths.regime import alone, ranges
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.ratio import Ratio, to_term
from asymp.kernel.sequences.implicit import MOST_CUTS, Tied, needed, tied
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import ONE, Refused, Term, add, name, negative, number
from asymp.kernel.theorem import Theorem
from asymp.language.bodies import Comparison
from asymp.language.conditions import Compared, read_conditions
from asymp.language.statement import Statement
from asymp.prove.newton import zeros

__all__ = ["apart_at", "covered", "far_out", "parts_of", "pieces", "rootless", "tied"]

Prove = Callable[[Statement], Theorem]
FAR = 100
"""Beyond such a number the sides are compared."""
CUTS = tuple(map(number, (0, 1, 2, -1)))
MOST_TRIED = 12
"""Ways to cut an interval."""


def summands(term: Term) -> tuple[Term, ...]:
    """What is added up in it."""
    return term.parts if term.head == "sum" else (term,)


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
    for cuts in itertools.chain([()], itertools.islice(_cuts(root), MOST_TRIED)):
        found = list(itertools.takewhile(bool, (piece(root, far, cuts, k, prove) for k in range(len(cuts) + 1))))
        if len(found) > len(cuts):
            return cuts, found
    raise Refused("it is not seen that there is one root at most")


def covered(root: Tied, prove: Prove) -> tuple[list[Theorem], dict[str, Any]]:
    """Why there is one root at most: premises and data for the kernel.

    Raises:
        Refused: it is not seen.
    """
    far, (cuts, found) = far_out(root), pieces(root, prove)
    shapes = [(k, one) for k, one in enumerate(found) if not isinstance(one, str)]
    if len(shapes) != 1:
        raise Refused("there may be several roots")
    k, (over, rises) = shapes[0]
    signs = [one for one in found if isinstance(one, str)]
    premises = list(map(prove, needed(root, read_conditions(far), over, rises, k, cuts, signs)))
    said = {"far": far, "over": str(over), "rises": rises, "piece": k, "cuts": list(map(str, cuts)), "signs": signs}
    return premises, said


def piece(root: Tied, far: str, cuts: Sequence[Term], k: int, prove: Prove) -> Piece:
    """What is seen of a piece between cuts; empty where that is nothing."""
    beyond, others = read_conditions(far), ["<"] * len(cuts)
    for sign in "<>" if cuts else "":
        with suppress(Refused):
            prove(needed(root, beyond, ONE, True, 0 if k else 1, cuts, [sign] * len(cuts))[k])
            return sign
    sides = (root.right, *summands(root.left), *summands(root.right))
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
    with suppress(Refused):
        return ranges(()).value(term).is_zero
    return False


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
    inside = [cut for cut in turns(root) if is_between(root, cut)]
    derivative(add(root.left, negative(root.right)), root.x)  # without, no piece of a part has a shape that is seen
    if 0 < len(inside) <= MOST_CUTS:
        yield tuple(inside)
    if root.low is not None and root.high is not None and root.low.is_number and root.high.is_number:
        yield (number((root.low.number + root.high.number) / 2),)
    small = [cut for cut in CUTS if is_between(root, cut)]
    for cut in small:
        yield (cut,)
    yield from itertools.combinations(sorted(small, key=lambda one: one.number), 2)


def is_between(root: Tied, cut: Term) -> bool:
    """Whether a place is seen to lie in the interval, far out."""
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
