r"""Proofs by numbers, told: covers of a domain by boxes, a line cut into pieces, a point that refutes.

Said is how many boxes there are and how deep the cuts go, what settles them, and where the two sides are nearest with the
enclosure there; of a half-line, the difference as a series with its constant, and by how much its first term outweighs the rest.

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.telling import Page
>>> cover = [["x", "1/2", "ok", ["y", "1/2", "ok", "ok"]]]
>>> one = apply("boxes", statement="x*y <= 1/2 for 0 < x < y < 1, x + y <= 4/5", cover=cover, bits=64)
>>> for step in boxes(Page({}), one): print((step.rule + " | " + step.latex).rstrip())
The domain lies in the box $0 \le x \le \frac{4}{5},\ 0 \le y \le \frac{4}{5}$, which is cut into 3 boxes, at most 2 cuts deep |
No point of the domain lies in 2 of them |
In the other 1 box both sides are enclosed by balls of 64 bits | x y \le \frac{2}{5} < \frac{1}{2}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gmpy2 import mpq

from asymp.claim import Step
from asymp.kernel import terms
from asymp.kernel.balls.boxes import Question, question
from asymp.kernel.domain import Pair
from asymp.kernel.facts.ranges import Range
from asymp.kernel.growths.growth import ONE, Growth
from asymp.kernel.growths.regime import Placed
from asymp.kernel.noted import Note
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Term, add, negative
from asymp.kernel.theorem import Theorem
from asymp.language.bodies import Comparison, Rounding
from asymp.prove.telling import SIGNS, Page, counted, decimal, enclosure, exact, number, sources
from asymp.prove.written import Quantities, gathered, in_order, powers

LONG = 160
"""Characters of a side's LaTeX; a longer one is not said again."""
_BY = {
    "ok": "both sides are enclosed by balls of {bits} bits",
    "each": "both sides are computed at each whole value by balls of {bits} bits",
    "slope": "the difference of the sides has derivatives of one sign, so that it is least at an end of each range; there it is "
    "enclosed by balls of {bits} bits",
    "taylor": "the difference of the sides is enclosed by Taylor's formula to the order {order}",
}


class _Cover:
    """What a cover has settled: each place with how, and the gap between the sides there."""

    def __init__(self, notes: Sequence[Note], asked: Question) -> None:
        self.links, self.settled = asked.links, [note.of for note in notes if note.kind == "settled"]
        self.outside = sum(1 for note in notes if note.kind == "outside")
        self.gaps: list[tuple[mpq, Note, str]] = []
        """Of each comparison in each place: the gap, what was seen, and by which leaf."""
        seen: list[Note] = []
        for note in notes:
            if note.kind in ("sides", "least") and note.of["pair"] in self.links:
                seen.append(note)
            elif note.kind in ("settled", "outside"):
                self.gaps += [(_gap(one), one, note.of["leaf"]) for one in seen if note.kind == "settled"]
                seen = []
        self.points = all(x.is_point for found in self.settled for x in found["at"].values())

    def ways(self) -> dict[str, int]:
        """How many places are settled in which way."""
        found: dict[str, int] = {}
        for one in self.settled:
            found[one["leaf"]] = found.get(one["leaf"], 0) + 1
        return found


def _gap(note: Note) -> mpq:
    """A number that the right side less the left is not below, or 0 where they are to be equal."""
    if note.kind == "least":
        return exact(note.of["low"])
    return exact(note.of["high"].low) - exact(note.of["low"].high)


def boxes(page: Page, one: Theorem) -> Iterator[Step]:
    """How many boxes, how deep, and the worst one."""
    data, notes, asked = one.made[2], page.heard(one), question(one.statement)
    cover, several = _Cover(notes, asked), len(data["cover"]) > 1 or asked.lists
    source = sources(one)
    if cover.points:
        yield from _points(page, cover, asked, data["bits"], source)
        return
    cuts = max(map(_depth, data["cover"]))
    where = "For each choice of the listed values the domain lies in a box" if several else "The domain lies in a box"
    if not several and (whole := _whole_box(cover, notes, asked)):
        where = f"The domain lies in the box {_place(page, whole)}"
    total = len(cover.settled) + cover.outside
    if cuts:
        where += f", which is cut into {counted(total, 'box', 'boxes')}, at most {counted(cuts, 'cut')} deep"
    yield Step(where, "")
    yield from _settled(page, cover, data["bits"], source, "the other " if cover.outside else "")


def _settled(page: Page, cover: _Cover, bits: int, source: str, other: str = "") -> Iterator[Step]:
    """What settles boxes, and the worst of them."""
    if cover.outside:
        yield Step(f"No point of the domain lies in {cover.outside} of them", "")
    for kind, count in cover.ways().items():
        own = [(gap, note) for gap, note, leaf in cover.gaps if leaf == kind]
        way, _, order = kind.partition(" ")
        alone = len(cover.ways()) == 1
        size = counted(count, "box", "boxes")
        begin = f"In {other}{size}" if alone and (count > 1 or other) else "There" if alone else f"In {count} of them"
        said = f"{begin} {_BY[way].format(bits=bits, order=order)}"
        if own and any(pair[1] != "=" for pair in cover.links):
            _, worst = min(own, key=lambda item: item[0])
            near = f"; they are nearest for {_place(page, worst.of['at'])}" if count > 1 else ""
            yield Step(f"{said}{near}", _enclosed(page, worst), source)
        else:
            yield Step(said, "", source)


def _enclosed(page: Page, worst: Note) -> str:
    """The two sides at a place, or the least of their difference."""
    left, sign, right = worst.of["pair"]
    if worst.kind == "least":
        gap = page.term(add(right, negative(left)))
        gap = gap if len(gap) <= LONG else r"\text{larger side} - \text{smaller side}"
        return rf"{gap} \ge {number(exact(worst.of['low']), False)}"
    low, high = worst.of["low"], worst.of["high"]
    if low.is_point and high.is_point and low.low == high.low:
        return f"{page.term(left)} = {page.term(right)}"
    if left.is_number and exact(high.low) == left.number:
        return rf"{page.term(left)} {SIGNS[sign]} {page.term(right)}"
    ends = _side(page, left, low, True), _side(page, right, high, False)
    middle = SIGNS["<" if _gap(worst) > 0 else sign]
    return f"{ends[0]} {middle} {ends[1]}"


def _side(page: Page, side: Term, x: Range, is_left: bool) -> str:
    """A side with the end of its enclosure that counts: a number alone is itself."""
    if side.is_number:
        return page.term(side)
    written = page.term(side)
    if len(written) > LONG:
        written = rf"\text{{{'smaller' if is_left else 'larger'} side}}"
    if x.is_point:
        shown = number(exact(x.low))
        return f"{written} = {shown}" if is_left else f"{shown} = {written}"
    end = number(exact(x.high), True) if is_left else number(exact(x.low), False)
    return rf"{written} \le {end}" if is_left else rf"{end} \le {written}"


def _points(page: Page, cover: _Cover, asked: Question, bits: int, source: str) -> Iterator[Step]:
    """A domain of finitely many points, at each of which both sides are computed."""
    where = f"The domain has {counted(len(cover.settled), 'point')}" if asked.variables() else "Both sides are numbers"
    equal = all(pair[1] == "=" for pair in cover.links)
    if equal:
        same = {(str(note.of["low"]), str(note.of["high"])): note for _, note, _ in cover.gaps}
        if len(same) == 1:
            (note,) = same.values()
            yield Step(f"{where}; exactly computed, both sides are", number(exact(note.of["low"].low)), source)
        else:
            yield Step(f"{where}; at each both sides are computed exactly, and are equal", "", source)
        return
    _, worst, _ = min(cover.gaps, key=lambda item: item[0])
    at = f"; they are nearest at {_place(page, worst.of['at'])}" if len(cover.settled) > 1 else ""
    each = "at each both sides are" if asked.variables() else "they are"
    yield Step(f"{where}; {each} computed by balls of {bits} bits{at}", _enclosed(page, worst), source)


def _whole_box(cover: _Cover, notes: Sequence[Note], asked: Question) -> dict[str, Range]:
    """The least box that holds all that are looked at."""
    every = [note.of["at"] for note in notes if note.kind in ("settled", "outside")]
    return {v: Range(min(at[v].low for at in every), max(at[v].high for at in every)) for v in asked.variables()}


def _place(page: Page, at: dict[str, Range]) -> str:
    """Where variables lie, in LaTeX."""
    found = []
    for v, x in at.items():
        name = page.term(terms.name(v))
        if x.is_point:
            found.append(f"{name} = {number(exact(x.low))}")
        else:
            found.append(rf"{number(exact(x.low), False)} \le {name} \le {number(exact(x.high), True)}")
    return "$" + r",\ ".join(found) + "$"


def _depth(tree: Any) -> int:
    return 1 + max(map(_depth, tree[2:])) if isinstance(tree, list) else 0


# --- a line ------------------------------------------------------------------------------------------------


def line(page: Page, one: Theorem) -> Iterator[Step]:
    """Each piece with what settles it."""
    *found, last = _line(page, one)
    yield from (*found, replace(last, source=sources(one)))


def _line(page: Page, one: Theorem) -> Iterator[Step]:
    data, notes, asked = one.made[2], page.heard(one), question(one.statement)
    (x,) = asked.variables()
    starts = [k for k, note in enumerate(notes) if note.kind == "piece"]
    if len(starts) > 1:
        cut = ", ".join(_piece(page, x, notes[k]) for k in starts)
        yield Step(f"The domain is covered by {counted(len(starts), 'piece')}: {cut}", "")
    for k, end in zip(starts, [*starts[1:], len(notes)], strict=True):
        piece, inner = notes[k], notes[k + 1 : end]
        way = piece.of["way"]
        if way == "boxes":
            cover = _Cover(inner, asked)
            if cover.points and cover.settled:
                steps = list(_points(page, cover, asked, data["bits"], ""))
            else:
                total = len(cover.settled) + cover.outside
                tree = next(p[3] for p in data["pieces"] if p[2] == "boxes" and _same(p, piece))
                cuts = f", at most {counted(_depth(tree), 'cut')} deep" if total > 1 else ""
                steps = [Step(f"{counted(total, 'box', 'boxes')}{cuts}", "")] if total > 1 else []
                steps += _settled(page, cover, data["bits"], "", "the other " if cover.outside else "")
            first, *others = steps
            rule = first.rule.removeprefix("There ")
            between = " " if rule != first.rule else ": "
            where = f"For {_piece(page, x, piece)}{between}" if len(starts) > 1 else ""
            yield Step(f"{where}{rule[:1].lower()}{rule[1:]}" if where else first.rule, first.latex)
            yield from others
        elif way == "at":
            yield from _end(page, inner, asked, x)
        else:
            yield from _ray(page, x, piece, inner)
            if way != "far":
                yield from _end(page, inner, asked, x)


def _same(data: Any, piece: Note) -> bool:
    return [str(terms.read(end)) if end else "" for end in data[:2]] == [
        str(piece.of[e] or "") for e in ("low", "high")
    ]


def _piece(page: Page, x: str, piece: Note) -> str:
    low, high = (page.term(end.term) if end is not None else "" for end in (piece.of["low"], piece.of["high"]))
    v = page.term(terms.name(x))
    if piece.of["way"] == "at":
        return f"${v} = {low}$"
    return "$" + r" \le ".join(filter(None, [low, v, high])) + "$"


def _ray(page: Page, x: str, piece: Note, inner: Sequence[Note]) -> Iterator[Step]:
    """The difference on a half-line."""
    put = terms.substitute(piece.of["x"], {x: terms.name("s")})
    start = number(exact(piece.of["start"]))
    if piece.of["way"] == "far" and piece.of["x"] == terms.name(x):
        begin, scale = rf"For ${page.term(terms.name(x))} \ge {start}$", x
    else:
        begin, scale = rf"For ${page.term(terms.name(x))} = {page.term(put)}$, $s \ge {start}$", "s"
    for note in inner:
        if note.kind == "gap":
            yield from explicit(page, note, begin, scale)


def _end(page: Page, inner: Sequence[Note], asked: Question, x: str) -> Iterator[Step]:
    """An end of a piece, by itself."""
    place = next((note.of["place"] for note in inner if note.kind == "end"), None)
    if place is None:
        return
    at = f"${page.term(terms.name(x))} = {page.term(place.term)}$"
    if any(note.kind == "excluded" for note in inner):
        yield Step(f"{at} does not belong to the domain", "")
        return
    for left, sign, right in asked.links:
        sides = [page.term(terms.substitute(side, {x: place.term})) for side in (left, right)]
        note = next((n for n in inner if n.kind == "sides" and n.of["pair"] == (left, sign, right)), None)
        if note is not None and note.of["low"].is_point and str(note.of["low"]) == str(note.of["high"]):
            yield Step(f"At {at} both sides are ${enclosure(note.of['low'])}$", "")
        elif note is not None and _gap(note) > 0:
            yield Step(f"At {at}", f"{enclosure(note.of['low'])} < {enclosure(note.of['high'])}")
        else:
            yield Step(f"At {at}, by exact values", f"{sides[0]} {SIGNS[sign]} {sides[1]}")


def _times(size: str, growth: str) -> str:
    """A number times a growth, both in LaTeX."""
    over = r"\frac{1}{"
    return rf"\frac{{{size}}}{{" + growth.removeprefix(over) if growth.startswith(over) else rf"{size} \cdot {growth}"


def explicit(page: Page, note: Note, begin: str, scale: str) -> Iterator[Step]:
    """The difference of two sides on a half-line: its series, with the constant of the remainder, and what it is not below."""
    ray, gap = note.of["ray"], note.of["series"]
    quantities = Quantities(Placed({}, {scale: 0}, ray.domain, {}), {})
    if not gap.terms and not gap.rest:
        yield Step(f"{begin} the two sides have the same series, with no remainder", "")
        return
    left, _, right = note.of["pair"]

    def put(term: Term) -> str:
        return page.term(gathered(powers(term), quantities.tidy))

    def sized(size: str, g: Growth) -> str:
        return size if g.same(ONE) else _times(size, put(quantities.term(rational(1), g)))

    shown = [put(quantities.shown(c, g)) for c, g in in_order(gap.terms, ray)]
    rests = [rf"\theta \cdot {sized(number(exact(r.size.upper()), True), r)}" for r in gap.rest]
    c, g = ray.leading(gap)
    least = exact(ray.least(gap, c, g, ray.domain.sign(c)).lower())
    floor = rf"\ge {sized(number(least, False), g)}" if least > 0 else r"\ge 0"
    said = " + ".join([*shown, *rests]).replace("+ -", "- ")
    theta = r", with some $|\theta| \le 1$," if rests else ""
    sides = page.term(add(right, negative(left)))
    equal = f"{sides} = " if len(sides) <= LONG else ""
    what = "" if equal else " the larger side less the other is"
    yield Step(f"{begin}{what}{theta if what else theta.rstrip(',')}", f"{equal}{said} {floor}")


# --- a point -----------------------------------------------------------------------------------------------


def witness(page: Page, one: Theorem) -> Iterator[Step]:
    """Both sides of the comparison that fails at the point, as they stand in the statement."""
    statement, source = one.statement, sources(one)
    body = statement.body
    assert isinstance(body, Comparison)
    notes = {note.of["pair"]: note for note in page.heard(one) if note.kind == "sides"}
    pairs = list(body.chain.pairs())
    for left, sign, right in pairs:
        a, b = terms.of(left), terms.of(right)
        turned: Pair = (b, sign.replace(">", "<"), a) if sign[0] == ">" else (a, sign, b)
        note = notes.get(turned)
        if statement.some or note is None or not _fails(note, turned[1]):
            continue
        low, high = enclosure(note.of["low"]), enclosure(note.of["high"])
        first, second = (high, low) if sign[0] == ">" else (low, high)
        sides = ("the left side", "the right side")
        if len(pairs) > 1:
            sides = (f"${page.node(left, statement)}$", f"${page.node(right, statement)}$")
        yield Step(f"There {sides[0]} is ${first}$, and {sides[1]} is ${second}$", "", source)
        return
    more = "for no value of the others that the conditions allow" if statement.some else "as the exact values show"
    yield Step(f"There it fails {more}", "", source)


def _fails(note: Note, sign: str) -> bool:
    low, high = note.of["low"], note.of["high"]
    if sign == "=":
        return bool(low.high < high.low or high.high < low.low)
    return bool(low.low > high.high or (sign == "<" and low.low >= high.high))


def rounding(page: Page, one: Theorem) -> Iterator[Step]:
    """The value, and between which numbers what is printed so lies."""
    (of,) = (note.of for note in page.heard(one) if note.kind == "value")
    body = one.statement.body
    assert isinstance(body, Rounding)
    minus = "-" if body.digits.startswith("-") else ""
    ends = rf"{minus}{decimal(of['low'])}\text{{ and }}{minus}{decimal(of['high'])}"
    yield Step(f"By balls the value is ${enclosure(of['of'])}$; what is printed so lies between", ends, sources(one))
