"""Terms of a root that an equation ties: by Newton's step on forms of the equation, or on those of an exponential.

>>> from asymp.language.statement import read_statement
>>> from asymp.kernel.sequences.implicit import tied
>>> root = tied(read_statement("x = 1 + O(1) as n -> oo, log(1 - x) = -n, 0 < x < 1"))
>>> kept, rest = next(proposals(root, 2))
>>> [str(one) for one in kept], str(rest)
(['1', '-exp(n)^(-1)'], '0')
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.balls.bounds import replaced
from asymp.kernel.growths.regime import placed, ranges
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.sequences.implicit import Tied
from asymp.kernel.sequences.rooted import logarithms_of
from asymp.kernel.terms import ONE, Refused, Term, add, multiply, name, negative, number
from asymp.language.conditions import read_conditions
from asymp.prove.newton import Form
from asymp.prove.one_root import far_out, is_between, summands
from asymp.regimes.quantities import places

MOST_MORE = 6
"""Terms of an exponent beyond those of the root."""
MOST_SUMMANDS = 6
FAST = frozenset({"exp", "gamma", "factorial", "erfc", "uppergamma", "lowergamma"})
"""What is known best by its logarithm."""


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
        if end is not None and end.head != "sum":
            yield end, side
    for end in (terms.ZERO, ONE):
        if end not in (low, high) and is_between(root, end):
            yield end, 1
            yield end, -1


def forms(root: Tied) -> Iterator[Term]:
    """Forms with the same roots: the gap, and the logarithm of a quotient of one part of it and the others."""
    parts = [one for one in (*summands(root.left), *map(negative, summands(root.right))) if one != terms.ZERO]
    gap, pairs = add(*parts), [(root.left, root.right)]
    if 2 <= len(parts) < MOST_SUMMANDS:
        for k, one in enumerate(parts):
            minus = _is_minus(one)
            others = add(*(other if minus else negative(other) for j, other in enumerate(parts) if j != k))
            pairs.append((negative(one) if minus else one, others))
    logs = [add(*logarithms_of(a, 1), *logarithms_of(b, -1)) for a, b in pairs if terms.ZERO not in (a, b)]
    moving = [part for part in terms.walk(gap) if root.x in part.free]
    quick = any(part.head in FAST or (part.head == "power" and root.x in part.parts[1].free) for part in moving)
    yield from dict.fromkeys([*logs[:1], gap, *logs[1:]] if quick else [gap, *logs])


def _is_minus(term: Term) -> bool:
    """Whether it is written with a sign."""
    return any(part.is_number and part.number < 0 for part in (term.parts if term.head == "product" else (term,)))
