"""That a state of a chain, its home, is reached from every other: by induction over a list of regions, and over falling numbers.

>>> from asymp.kernel.chains.pieces import Piece
>>> from asymp.kernel.summation.linear import relations
>>> from asymp.language.chains import read_definition
>>> from asymp.language.conditions import read_conditions
>>> text = "f(b, n) = jumps of: whole n, n >= 1; states whole b, 0 <= b <= n; (b) -> (b - 1) with 1 for b > 0; (0) -> (n) with 1"
>>> law = Law(read_definition(text), (), [Piece((("b", ZERO, name("n")),), name("n"), None)])
>>> law.verify()
>>> reached(law, [ZERO], [[(relations(read_conditions("b >= 1")), 0, name("b"))]])
"""

from __future__ import annotations

from collections.abc import Sequence

from asymp.kernel.chains.law import Law
from asymp.kernel.summation import linear
from asymp.kernel.summation.linear import Relation
from asymp.kernel.terms import ZERO, Refused, Term, name, substitute

Region = tuple[Relation, ...]
Way = tuple[Region, int, Term]
"""A region of states, the number of a move that leaves them, and a term that falls."""
Home = Sequence[Term] | Region
"""A state by its coordinates, in terms of the parameters; or a region in which there is one state."""


def reached(law: Law, home: Home, order: Sequence[Sequence[Way]]) -> None:
    """That the home is one state, that the candidate is not 0 there, and that it is reached from every state.

    ``order``: groups of ways.  From the states of a way's region its move leads home, or to a region of a group before, or
    to a region of the same group at which that way's term is less than this one's is here.  The states are finitely many.

    Raises:
        Refused: it is not seen.
    """
    regions: list[Region] = [_home(law, home)]
    if any(law.pieces[k].value == ZERO for _, k in law.located(law.start | law.at(regions[0]))):
        raise Refused("the candidate is 0 at home")
    for group in order:
        if not all(leads(law, way, group, regions) for way in group):
            raise Refused("a move that is not seen to lead towards home")
        regions += [region for region, _, _ in group]
    if not linear.covered(law.start, [sorted(law.at(region)) for region in regions]):
        raise Refused("states from which no way leads home")


def _home(law: Law, home: Home) -> Region:
    own = law.chain.coordinates
    if all(isinstance(one, Relation) for one in home) and home:
        region = tuple(one for one in home if isinstance(one, Relation))
        if law.listing is None or not law.listing.is_never_empty(law):
            raise Refused("a home that is a region, of a chain that may have no states")
        if not is_single(law, region):
            raise Refused("a home that may be several states")
        return region
    if len(home) != len(own):
        raise Refused("a home has all coordinates")
    place = {c: term for c, term in zip(own, home, strict=True) if isinstance(term, Term)}
    for term in place.values():  # of the parameters alone
        law.require_whole(term, law.chain.whole)
    if not linear.all_of(law.base, law.at(law.states, place)):
        raise Refused("the home is not always a state")
    return tuple(Relation(*ends) for c, term in place.items() for ends in ((name(c), term), (term, name(c))))


def is_single(law: Law, region: Region) -> bool:
    """Whether it is seen that two states of a region are the same."""
    own = law.chain.coordinates
    other = {c: name(f"{c}'") for c in own}
    within = {*law.whole, *(term.name for term in other.values())}
    both = [*law.states, *region]
    cell = law.base | {one.at(put, within) for one in both for put in ({}, other)}
    left = list(own)
    while left:
        seen = []
        for c in left:
            rows = [linear.at_least(*ends, within) for ends in ((name(c), other[c]), (other[c], name(c)))]
            if linear.all_of(cell, rows):
                cell |= {*rows}
                seen.append(c)
        if not seen:
            return False
        left = [c for c in left if c not in seen]
    return True


def leads(law: Law, way: Way, group: Sequence[Way], regions: Sequence[Region]) -> bool:
    """Whether from all states of a way's region its move leads to one of some regions, or on in the group at a lesser number."""
    region, chosen, by = way
    step, cell = law.steps[chosen], law.start | law.at(region)
    after = law.moved(step)
    goals = [law.at(one, after) for one in regions]
    for other, _, then in group:
        goals.append(law.at(other, after) | law.at((Relation(substitute(then, after), by, True),)))
    return linear.all_of(cell, law.at(step.source)) and linear.covered(cell, [sorted(goal) for goal in goals])
