"""The meaning of a claim: which variables are whole, and that every part of it is real and defined where it is made.

>>> from asymp.parse import claim
>>> [fact for fact in meaning(claim("me/x", "Sum(1/k,(k,1,n*m)) ~ log(n*m)", to="n->oo, m->oo", source="me, 1")).facts][:1]
['m whole (end of Sum(1/k, (k, 1, n*m)))']
>>> meaning(claim("me/y", "cos(n*acos(2)) <= 1 for integer n >= 1", source="me, 2"))
Traceback (most recent call last):
...
asymp.meaning.read.Meaningless: acos(2) is not defined: (X + 1 >= 0 and 1 - X >= 0) is needed, not X = 2
>>> meaning(claim("me/z", "x + sin(x) = O(x)", to="x->oo", source="me, 3")).facts
('O: bounded, with a limit or without',)
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from asymp.claim import Asymptotic, Bound, Claim, Identity, Relation, Root, Value
from asymp.domain import Domain
from asymp.kernel import terms
from asymp.kernel.terms import Term
from asymp.language.bodies import Expanding, Ordering
from asymp.language.kinds import WHOLE_LETTERS
from asymp.language.parts import Part
from asymp.meaning.domains import box, finite
from asymp.meaning.ground import PI, Prove
from asymp.meaning.limits import of_limit
from asymp.meaning.read import Kind, Meaningless, Reading, read
from asymp.parse.at import term_of

BOUNDING = {"O": "bounded", "Omega": "kept from 0", "Theta": "bounded and kept from 0"}
"""What is said of the ratio: some papers define O by its limit, which is more."""
READ_WHOLE = frozenset({"sin", "cos", "tan", "cot", "sec", "csc", "floor", "ceiling"})


@dataclass(frozen=True)
class Meaning:
    """How a statement is read.

    Args:
        facts: which variables are whole and why, and what was found to be defined, in words.
        whole: the names of the whole variables, declared or forced.
        relation: what is said.
        ambiguous: names that usually mean whole numbers, and are neither declared nor forced.
        hangs: whether the answer may hang on it whether those are whole.
        unsure: why it is not known that all is defined on the whole domain, where it is at the points tried: then a theorem,
            which asks it of every part, may uphold the statement, and points may only refute it.
    """

    facts: tuple[str, ...]
    whole: frozenset[str]
    relation: Relation
    ambiguous: frozenset[str] = frozenset()
    hangs: bool = False
    unsure: str = ""


def meaning(claim: Claim, prove: Prove | None = None) -> Meaning:
    """How a claim is read.

    Args:
        claim: typed claims carry their parts as typed; of others the relation is walked as it stands.
        prove: a prover of bounds in one variable, for domains that are boxes.

    Raises:
        Meaningless: a part of it is undefined somewhere, a sum runs backwards, or it is not known that all is well.
    """
    relation, parts = claim.relation, claim.parts
    if isinstance(relation, Identity | Bound | Root):
        domain = relation.domain.with_real_points()
        found = _of_domain(parts, domain, prove)
        plain = tuple(term for term in _sides(relation) if term is not None)
        names = frozenset[str]().union(*(term.free for term in plain), *(p.free - terms.CONSTANTS for p in parts))
        extra = sorted(domain.ranges.keys() - names) if len(plain) == len(_sides(relation)) else ()
        return _complete(found, relation, plain, domain.real, extra)
    if isinstance(relation, Value):
        found = read(parts, finite(Domain("", ({},), complete=True), prove))
        return _complete(found, relation, (), frozenset(), ())
    if not isinstance(relation, Asymptotic):
        return Meaning((), frozenset(), relation)
    found, plain, unused = of_limit(claim, prove)
    made = _complete(found, relation, plain, relation.real, unused)
    body = relation.statement.body
    if isinstance(body, Ordering | Expanding) and body.order in BOUNDING:
        made = replace(made, facts=(*made.facts, f"{body.order}: {BOUNDING[body.order]}, with a limit or without"))
    return made


def _sides(relation: Identity | Bound | Root) -> tuple[Term | None, ...]:
    """The terms that are compared; None for one that calls functions of a model, or is a formula."""
    if isinstance(relation, Root):
        return (term_of(relation.difference),)
    return tuple(getattr(side, "term", None) for side in (relation.lhs, relation.rhs))


def _of_domain(parts: tuple[Part, ...], domain: Domain, prove: Prove | None) -> Reading:
    _of_ties(domain, prove)
    if domain.complete:
        return read(parts, finite(domain, prove), domain.real)
    try:
        found = read(parts, box(domain, prove), domain.real)
    except Meaningless as error:
        if error.kind is not Kind.UNKNOWN or not domain.conditions:
            raise
        found = read(parts, finite(domain, prove), domain.real)  # what fails at a point fails all the same
        found.unsure = error.why
    for name, bounds in domain.ranges.items():
        if bounds.is_empty(name in found.whole):
            raise Meaningless(name, f"no whole {name} lies in the range given", Kind.EMPTY)
    return found


def _of_ties(domain: Domain, prove: Prove | None) -> None:
    """That what is tied has a value at every point where its other variables have theirs."""
    if not domain.tied:
        return
    real = domain.real | (set().union(*(part.free for part in domain.tied)) - domain.whole)  # a tie makes no variable whole
    try:
        read(domain.tied, finite(domain, prove) if domain.complete else box(domain, prove, coupled=False), real)
    except Meaningless:
        if domain.narrowed or domain.complete or not domain.conditions:
            raise  # else the box is more than the domain
        read(domain.tied, box(domain, prove), real)


def _complete(
    found: Reading, relation: Relation, read: tuple[Term, ...], real: frozenset[str], extra: Iterable[str]
) -> Meaning:
    free = frozenset[str]().union(*(term.free for term in read))
    ambiguous = frozenset(name for name in free if name in WHOLE_LETTERS and name not in found.whole | real)
    jumping, waving = hanging(read, ambiguous)
    unused = [f"{name} occurs in the conditions alone" for name in extra]
    said = [f"{name} real (say integer {name} where it is whole)" for name in sorted(waving - jumping)]
    facts = tuple(dict.fromkeys([*found.facts, *unused, *said]))
    return Meaning(facts, found.whole, relation, ambiguous, bool(jumping), found.unsure)


def hanging(read: Iterable[Term], names: AbstractSet[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The names on whose being whole it hangs what terms do: in floor, in sin(pi ...); and all in a wave.

    >>> [sorted(found) for found in hanging([terms.read("floor(n) + sin(m)")], {"n", "m"})]
    [['n'], ['m', 'n']]
    """
    jumping: frozenset[str] = frozenset()
    waving: frozenset[str] = frozenset()
    for part in (part for term in read for part in terms.walk(term) if part.head in READ_WHOLE):
        inside = part.free & names
        waving |= inside
        if part.head in ("floor", "ceiling") or any(x == PI for x in terms.walk(part.parts[0])):
            jumping |= inside
    return jumping, waving
