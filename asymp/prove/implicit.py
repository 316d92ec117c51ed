"""Roots that an equation of the regime ties: how many there are, what their terms are, and a proof.

An interval is cut until each piece has a form of the gap between the sides, E - R or E/R, that rises or falls, or one side that is
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
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.growths.regime import alone, placed, ranges
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.sequences.implicit import MOST_CUTS, Tied, around, needed, tied
from asymp.kernel.sequences.rooted import logarithms_of
from asymp.kernel.terms import ONE, Refused, Term, add, multiply, name, negative, number, reciprocal
from asymp.kernel.theorem import Theorem, apply
from asymp.language.conditions import read_conditions
from asymp.language.statement import Statement
from asymp.prove import first
from asymp.prove.newton import Form, zeros
from asymp.regimes.paths import path
from asymp.regimes.quantities import places

Prove = Callable[[Statement], Theorem]
FAR = (4, 100)
"""Beyond such numbers the sides are compared."""
CUTS = tuple(map(number, (0, 1, 2, -1)))
ORDERS = (2, 3, 4, 6, 8, 11)
MOST_TRIED = 12
"""Ways to cut an interval."""


@dataclass(frozen=True)
class Cover:
    """Why there is one root at most: see :func:`asymp.kernel.sequences.implicit.needed`."""

    far: str
    way: str = "difference"
    rises: bool = True
    piece: int = 0
    cuts: tuple[Term, ...] = ()
    signs: tuple[str, ...] = ()
    premises: tuple[Theorem, ...] = field(default=(), compare=False)

    def data(self) -> dict[str, Any]:
        """As the kernel is told it."""
        cuts, signs = [str(cut) for cut in self.cuts], list(self.signs)
        return {"far": self.far, "way": self.way, "rises": self.rises, "piece": self.piece, "cuts": cuts, "signs": signs}


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
    tries = itertools.product(ORDERS, ("logarithm", "difference"), list(places(root.plain)))
    return first(
        (partial(apply, "implicit root", cover.premises, order=order, by=by, place=place, **data) for order, by, place in tries),
        "no quantities for this regime",
    )


def seen(statement: Statement) -> None:
    """That an equation changes sign around the terms of a statement, in which no more is seen of how many roots there are.

    Raises:
        Refused: it is not seen.
    """
    root = tied(statement)
    tries = itertools.product(ORDERS, ("logarithm", "difference"), list(places(root.plain)))
    first((partial(around, statement, root, place, order, by, ()) for order, by, place in tries), "no quantities for this regime")


# --- how many roots -------------------------------------------------------------------------------------


def far_out(root: Tied, size: int) -> str:
    """What the moving variables of a regime obey from some point on, as text."""
    kinds = {"oo": f"{{}} > {size}", "0": f"0 < {{}}, {{}} < 1/{size}"}
    said = [kinds[kind].format(v, v) for v, kind in alone(root.plain).items() if kind]
    return ", ".join(said)


def covered(root: Tied, prove: Prove) -> Cover:
    """Why there is one root at most.

    Raises:
        Refused: it is not seen.
    """
    for cuts in ((), *itertools.islice(_cuts(root), MOST_TRIED)):
        for size in FAR if not cuts else FAR[:1]:
            far = far_out(root, size)
            pieces = list(itertools.takewhile(bool, (piece(root, far, cuts, k, prove) for k in range(len(cuts) + 1))))
            shapes = [(k, one) for k, one in enumerate(pieces) if not isinstance(one, str)]
            if len(pieces) <= len(cuts) or len(shapes) != 1:
                continue
            k, (way, rises) = shapes[0]
            signs = tuple(one for one in pieces if isinstance(one, str))
            premises = map(prove, needed(root, read_conditions(far), way, rises, k, cuts, signs))
            return Cover(far, way, rises, k, tuple(cuts), signs, tuple(premises))
    raise Refused("it is not seen that there is one root at most")


def piece(root: Tied, far: str, cuts: Sequence[Term], k: int, prove: Prove) -> tuple[str, bool] | str:
    """The form of the gap of the sides that rises or falls on a piece, or how the sides compare there; empty where that is not seen."""
    beyond, others = read_conditions(far), ["<"] * len(cuts)
    for way, rises in itertools.product(("difference", "quotient"), (True, False)):
        with suppress(Refused):
            prove(needed(root, beyond, way, rises, k, cuts, others)[k])
            return way, rises
    for sign in "<>" if cuts else "":
        with suppress(Refused):
            prove(needed(root, beyond, "difference", True, 0 if k else 1, cuts, [sign] * len(cuts))[k])
            return sign
    return ""


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
    domain = ranges((*root.plain.domain, *read_conditions(far_out(root, FAR[0]))))
    gaps = [add(high, negative(low)) for low, _, high in root.pairs(root.low, root.high)]
    with suppress(Refused):
        return all(domain.sign(domain.value(terms.substitute(gap, {root.x: cut}))) == 1 for gap in gaps)
    return False


def turns(root: Tied) -> list[Term]:
    """Zeros of the slope of the gap between the sides: of its factors that are polynomials in x, log(x) or exp(x); ascending."""
    x = name(root.x)
    low_is_0 = root.low is not None and root.low.is_number and root.low.number >= 0
    domain = ranges((*root.plain.domain, *read_conditions(far_out(root, FAR[0])), *read_conditions(f"{x} > 0" if low_is_0 else "")))
    found: list[Term] = []
    with suppress(Refused):
        slope = domain.value(derivative(add(root.left, negative(root.right)), root.x))
        _, atoms, rest = factored(slope.num)
        found += [ONE] * any(atom == terms.call("log", x) for atom, _ in atoms)
        for poly, _ in rest:
            for kind, back in ((x, lambda c: [c]), (terms.call("log", x), lambda c: [terms.call("exp", c)]),
                               (terms.call("exp", x), lambda c: [terms.call("log", c)])):  # fmt: skip
                positive = [to_term(c) for c in zeros(Ratio(poly), kind, domain)]
                opposite = [] if low_is_0 and kind == x else [negative(to_term(c)) for c in zeros(_mirrored(Ratio(poly), kind), kind, domain)]
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
    tried = set[tuple[str, ...]]()
    for place in sorted(places(root.plain), key=lambda one: "small" in one):
        where = placed(root.plain, place)
        for form in forms(root):
            with suppress(Refused):
                one = Form(form, root.x, where, place["scales"])
                for start in one.starts(list(_charts(root))):
                    with suppress(Refused):
                        found = one.refined(start, count + 1)
                        if (key := tuple(map(str, found))) not in tried:
                            tried.add(key)
                            rest = terms.ZERO if len(found) <= count else one.size(found[count])
                            yield found[:count], rest


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
    gap = add(left, negative(right))
    pairs = [(left, right)]
    summands = [*(left.parts if left.head == "sum" else (left,)), *(negative(one) for one in (right.parts if right.head == "sum" else (right,)))]
    summands = [one for one in summands if one != terms.ZERO]
    if 2 <= len(summands) < 6:
        for k, one in enumerate(summands):
            rest = add(*(other for j, other in enumerate(summands) if j != k))
            pairs += [(negative(one), rest), (one, negative(rest))]
    logs = [add(*logarithms_of(a, 1), *logarithms_of(b, -1)) for a, b in pairs if terms.ZERO not in (a, b)]
    fast = {"exp", "gamma", "factorial", "erfc", "uppergamma", "lowergamma"}
    quick = any(part.head in fast or (part.head == "power" and root.x in part.parts[1].free) for part in terms.walk(gap) if root.x in part.free)
    yield from dict.fromkeys([logs[0], gap, *logs[1:]] if quick and logs else [gap, *logs])
