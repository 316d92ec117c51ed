"""Search for the data by which the kernel's rule verifies the law of a chain, from the hints of the chain's entry.

>>> from asymp.language.chains import read_chain
>>> chain = read_chain({"of": "whole n >= 1", "states": "whole b, 0 <= b <= n", "visits": "jumps",
...     "moves": ["b -> b + 1 with 1 for b < n", "n -> 0 at 1"], "law": ["b = 1 for 0 <= b <= n"]})
>>> law_data(chain)["home"]
['n']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from asymp.budget import uncounted
from asymp.kernel import terms
from asymp.kernel.chains.home import Region, Way, is_single, leads
from asymp.kernel.chains.law import Law
from asymp.kernel.chains.listing import Listing
from asymp.kernel.chains.pieces import Piece
from asymp.kernel.summation import linear
from asymp.kernel.summation.cells import solved, split
from asymp.kernel.summation.linear import Relation, System, relations
from asymp.kernel.terms import Refused, Term, add, name, negative
from asymp.language.chains import Chain
from asymp.language.conditions import OfKind, read_conditions, text_of


def law_data(chain: Chain) -> dict[str, Any]:
    """A law that the kernel may verify, as its rule takes it.

    Raises:
        Refused: none is known.
    """
    return _data(chain, (chain.law, chain.listed))


def settling_data(chain: Chain) -> dict[str, Any]:
    """Where a chain settles, as the kernel's rule takes it.

    Raises:
        Refused: it is not known.
    """
    if chain.settled is None:
        raise Refused("where the chain settles is not known")
    values = [{"where": text_of(where), "is": str(terms.of(node))} for node, where in chain.settled.values]
    return {"within": text_of(chain.settled.within), "falls": str(terms.of(chain.settled.falls)), "values": values}


@uncounted
@lru_cache(maxsize=100)
def _data(chain: Chain, hint: Any) -> dict[str, Any]:
    """A verified law, as the rule takes it.

    Raises:
        Refused: none is known.
    """
    del hint  # part of the key: chains are equal whatever their hints
    if not chain.law:
        raise Refused("the law of the chain is not known")
    if chain.listed is not None:
        return _listed(chain)
    pieces, regions, _ = ranged(chain)
    law = [
        {"ranges": [[c, str(low), str(high)] for c, low, high in one.ranges], "is": str(one.value),
         "rate": None if one.rate is None else str(one.rate)}
        for one in pieces
    ]  # fmt: skip
    home, order = _ways(Law(chain, (), pieces), regions)
    return {"chain": str(chain), "given": "", "law": law, "home": home, "order": order}


def ranged(chain: Chain) -> tuple[list[Piece], list[System], list[int]]:
    """The pieces of the hint, each split by which moves leave its states; their cells; and of which piece they are."""
    bare = Law(chain, (), ())
    found: list[Piece] = []
    regions: list[System] = []
    sources: list[int] = []
    for source, one in enumerate(chain.law):
        fixed = {c: terms.of(x) for c, x in zip(chain.coordinates, one.state, strict=True) if terms.of(x) != name(c)}
        own = [Relation(*ends) for c, x in fixed.items() for ends in ((name(c), x), (x, name(c)))]
        cells: list[tuple[System, list[int]]] = [(bare.start | bare.at((*own, *relations(one.where))), [])]
        for k, step in enumerate(bare.steps):
            cells = [(part, [*moves, k] if inside else moves)
                     for cell, moves in cells for part, inside in split(cell, sorted(bare.at(step.source)))]  # fmt: skip
        for cell, moves in cells:
            if linear.is_empty(cell):
                continue
            rates = [bare.steps[k].weight for k in moves if bare.steps[k].takes_time]
            ranges = _ranges(cell, chain)
            put = {c: low for c, low, high in ranges if low == high}
            found.append(Piece(ranges, terms.of(one.value), terms.substitute(add(*rates), put) if rates else None))
            regions.append(cell)
            sources.append(source)
    return found, regions, sources


def _ranges(cell: System, chain: Chain) -> tuple[tuple[str, Term, Term], ...]:
    """The ends of each coordinate on a cell, of later ones in terms of earlier ones."""
    whole = frozenset({*chain.coordinates, *chain.whole})
    for order in (chain.coordinates, chain.coordinates[::-1]):
        values, found = solved(cell, whole, order[::-1])
        ranges: list[tuple[str, Term, Term]] = []
        known = set(chain.parameters)
        for c in order:
            if c in values and terms.free(values[c]) <= known:
                ranges.append((c, values[c], values[c]))
            else:
                ends: dict[bool, list[Term]] = {True: [], False: []}
                for one in relations(x for x in found if not isinstance(x, OfKind)):
                    gap = linear.form(add(one.high, negative(one.low)), whole)
                    k = gap[0].get(c, 0)
                    others = {v: x for v, x in gap[0].items() if v != c and x}
                    if abs(k) == 1 and others.keys() <= known:
                        rest = add(terms.number(gap[1]), *(terms.multiply(terms.number(x), name(v)) for v, x in others.items()))
                        ends[k > 0].append(rest if k < 0 else negative(rest))
                low, high = (_sharpest(cell, ends[side], whole, side) for side in (True, False))
                if low is None or high is None:
                    break
                ranges.append((c, low, high))
            known.add(c)
        else:
            return tuple(ranges)
    raise Refused("a region that is no range of each coordinate")


def _sharpest(cell: System, ends: Sequence[Term], whole: frozenset[str], largest: bool) -> Term | None:
    for one in ends:
        pairs = [(other, one) if largest else (one, other) for other in ends]
        if all(linear.implies(cell, linear.at_least(low, high, whole)) for low, high in pairs):
            return one
    return None


def _ways(law: Law, regions: Sequence[System]) -> tuple[list[str], list[list[Any]]]:
    """A home, and an order in which all regions lead there."""
    own = law.chain.coordinates
    cells = [tuple(Relation(*linear.written(one)) for one in sorted(cell - law.base)) for cell in regions]
    falling = [x for c in own for x in (name(c), negative(name(c)))]
    falling += [add(x, y) for k, x in enumerate(falling) for y in falling[k + 1 :]]
    for piece in law.pieces:
        place: dict[str, Term] = {}
        for c, low, _ in piece.ranges:
            place[c] = terms.substitute(low, place)
        done = [tuple(Relation(*ends) for c, x in place.items() for ends in ((name(c), x), (x, name(c))))]
        if not linear.all_of(law.base, law.at(law.states, place)):
            continue
        left, order = list(cells), list[list[Any]]()
        while left:
            ways = ((region, k, by) for region in left for k in range(len(law.steps)) for by in falling)
            way = next((one for one in ways if leads(law, one, [one], done)), None)
            if way is None:
                break
            text = ", ".join(f"{one.low} <= {one.high}" for one in way[0])
            order.append([text, way[1], str(way[2])])
            done.append(way[0])
            left.remove(way[0])
        if not left:
            return [str(place[c]) for c in own], order
    raise Refused("no state is seen to be reached from all others")



# --- states that are listed by one coordinate --------------------------------------------------------------


def _listed(chain: Chain) -> dict[str, Any]:
    """The law of a chain whose states are no ranges of each coordinate: its pieces are as in the hint."""
    bare = Law(chain, (), ())
    law: list[dict[str, Any]] = []
    pieces: list[Piece] = []
    cells: list[System] = []
    for one in chain.law:
        fixed = [f"{c} = {terms.of(x)}" for c, x in zip(chain.coordinates, one.state, strict=True) if terms.of(x) != name(c)]
        where = ", ".join([*fixed, *map(str, one.where)])
        conditions = read_conditions(where) if where else ()
        region = bare.start | bare.at(relations(conditions))
        timed = [step for step in bare.steps if not linear.is_empty(region | bare.at(step.source)) and step.takes_time]
        found = Piece((), terms.of(one.value), add(*(step.weight for step in timed)) if timed else None, conditions)
        law.append({"where": where, "is": str(found.value), "rate": None if found.rate is None else str(found.rate)})
        pieces.append(found)
        cells.append(region)
    hint = chain.listed
    assert hint is not None
    rates = {one.rate for one in pieces if one.rate is not None and one.value != terms.ZERO}
    if len(rates) != 1:
        raise Refused("states in a list, of different rates")
    (rate,) = rates
    low, high, weight = map(terms.of, (hint.low, hint.high, hint.weight))
    listing = Listing(hint.by, low, high, tuple((c, terms.of(node)) for c, node in hint.others), weight, rate)
    home, order = _ways_in_groups(Law(chain, (), pieces, listing), cells)
    others = [[c, str(term)] for c, term in listing.others]
    listed = {"by": hint.by, "low": str(low), "high": str(high), "others": others, "is": str(weight), "rate": str(rate)}
    return {"chain": str(chain), "given": "", "law": law, "list": listed, "home": home, "order": order}


def _ways_in_groups(law: Law, cells: Sequence[System]) -> tuple[str, list[Any]]:
    """A region of one state, and groups of ways there from all cells.

    In a group one number falls at each move, by an amount that does not depend on the state.
    """
    numbers = list(_numbers(law))
    fine = cells
    for step in law.steps:
        fine = [part for cell in fine for part, _ in split(cell, sorted(law.at(step.source)))]
    for parts in (cells, fine):
        for home, edge in _homes(law):
            found = [part for cell in parts for part, _ in split(cell, sorted(law.at(edge)))]
            regions = [tuple(Relation(*linear.written(one)) for one in sorted(cell - law.start)) for cell in found]
            if (order := _order(law, regions, [relations(read_conditions(home))], numbers)) is not None:
                return home, order
    raise Refused("no state is seen to be reached from all others")


def _order(law: Law, left: list[Region], done: list[Region], numbers: Sequence[Term]) -> list[Any] | None:
    order = []
    while left:
        group = next((found for by in numbers if (found := _group(law, by, left, done))), None)
        if group is None:
            return None
        order.append([[", ".join(f"{r.low} <= {r.high}" for r in region), k, str(by)] for region, k, by in group])
        done = [*done, *(region for region, _, _ in group)]
        left = [region for region in left if region not in done]
    return order


def _homes(law: Law) -> Iterator[tuple[str, Region]]:
    """Regions of one state: where time passes, and a coordinate is 0; and this last condition."""
    for piece in law.pieces:
        if piece.rate is not None and piece.value != terms.ZERO:
            for c in law.chain.coordinates:
                text = ", ".join([*map(str, piece.where), f"{c} = 0"])
                if is_single(law, relations(read_conditions(text))):
                    yield text, (Relation(name(c), terms.ZERO),)


def _numbers(law: Law) -> Iterator[Term]:
    """What may fall: a coordinate, or its part of an equation between the states' coordinates; and sums of two."""
    found = [x for c in law.chain.coordinates for x in (name(c), negative(name(c)))]
    for one in law.states:
        for side in (one.low, one.high):
            for part in side.parts if side.head == "sum" else ():
                if part.head == "product" and not {*law.chain.coordinates}.isdisjoint(terms.free(part)):
                    found += [x for x in (part, negative(part)) if x not in found]
    yield from found
    yield from (add(x, y) for x, y in combinations(found, 2))


def _group(law: Law, by: Term, regions: Sequence[Region], done: Sequence[Region]) -> list[Way]:
    """The most regions from each of which some move leads on while a number falls, or to what is done."""
    falls = [k for k, step in enumerate(law.steps) if _falls(law, by, k)]
    ways = [
        (region, k, by) for region in regions for k in falls
        if linear.all_of(law.start | law.at(region), law.at(law.steps[k].source))
    ]  # fmt: skip
    while True:
        kept = [way for way in ways if leads(law, way, ways, done)]
        if len(kept) == len(ways):
            return list({way[0]: way for way in reversed(ways)}.values())
        ways = kept


def _falls(law: Law, by: Term, k: int) -> bool:
    after = terms.substitute(by, law.moved(law.steps[k]))
    return linear.implies(law.base, Relation(after, by, True).at({}, law.whole))
