r"""Proofs by series, told: the series of each whole side, the comparison that decides, and what is folded below them.

A variable that lies between two ends, what oscillates between its bounds, and a path are further quantities: said is what they
are, and the series have them as letters.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

from asymp.claim import Step
from asymp.kernel import terms
from asymp.kernel.growths.asymptotics import expander_of
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import ONE, Domain
from asymp.kernel.growths.regime import Placed, placed
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.growths.uniform import uniform_range
from asymp.kernel.noted import Note
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused, Term, add, negative
from asymp.kernel.theorem import Theorem
from asymp.language.bodies import Eventual, Expanding, Limiting, Ordering, Ratio
from asymp.language.names import BINDERS
from asymp.language.syntax import Node
from asymp.prove.telling import Page, exact, heard, number, sources
from asymp.prove.written import Quantities, gathered, in_order, powers, set_series

LABEL = "A_"
"""Of the parts of a side."""
LONG = 60
"""Characters of a side's LaTeX; a longer one is not said again before its series."""
_ORDERS = {"O": "O", "o": "o", "Theta": r"\Theta", "Omega": r"\Omega", "omega": r"\omega"}
_KINDS = {"Sum": "Series of a sum", "Integral": "Series of an integral", "Coefficient": "By singularities or a saddle"}
_SIDES = ("the left side", "the right side", "the bound")


# --- in a regime, and on a path ------------------------------------------------------------------------


def asymptotic(page: Page, one: Theorem) -> Iterator[Step]:
    """The series of a regime."""
    data = one.made[2]
    where = placed(one.statement, data["place"], [premise.statement for premise in one.made[1]])
    yield from _regime(page, data["place"])
    expander = expander_of(one.made[1], one.statement, where, Algebra(where.domain, data["order"]))
    whole = one.holds and not data["place"].get("small")
    yield from _Told(page, one, where, expander, data["place"].get("scales", {})).compared(whole)


def path(page: Page, one: Theorem) -> Iterator[Step]:
    """The series along a path."""
    data = one.made[2]
    values = {str(k): terms.read(v) for k, v in data["values"].items()}
    where = Placed(values, {data["runner"]: 0}, Domain(), {})
    expander = expander_of(one.made[1], one.statement, where, Algebra(where.domain, data["order"]))
    yield from _Told(page, one, where, expander, {}).compared(False)


def _regime(page: Page, place: Mapping[str, Mapping[str, str]]) -> Iterator[Step]:
    """In which quantities the series are."""
    for p, q in place.get("small", {}).items():
        p, q = (page.term(terms.name(name)) for name in (p, q))
        said = rf"Write ${q}$ for $-\ln \left(1 - {p}\right)$, so that"
        yield Step(said, rf"1 - {p} = e^{{-{q}}},\ \frac{{{q}}}{{{p}}} \to 1")
    scales = [terms.read(scale) for scale in place.get("scales", {}).values()]
    if len(scales) > 1:
        shown = r",\ ".join(rf"{page.term(scale)} \to \infty" for scale in scales)
        yield Step("The series are in quantities that tend to infinity independently of one another", shown)


# --- one more quantity, between two ends ----------------------------------------------------------------


def uniform(page: Page, one: Theorem) -> Iterator[Step]:
    """The series with the uniform variable as a quantity of which only its ends are known."""
    variable, below, above = uniform_range(one.statement)
    (note,) = (note for note in heard(one) if note.kind == "series")
    where: Placed = note.of["where"]
    v, low, high = page.inline(terms.name(variable)), below[0][0], above[0][0]
    yield from _regime(page, one.made[2]["place"])
    if variable in where.scales:
        range_ = rf"${page.term(low)} \le {page.term(terms.name(variable))} \le {page.term(high)}$"
        said = f"Let {v} be any function with {range_}; the series use these bounds alone, so that their remainders are uniform"
    else:
        s = next(name for name in where.scales if name not in one.made[2]["place"].get("scales", {}))
        said = f"Write {v} as below, where ${s}$ may be any function with $1 \\le {s} \\le 2$"
        yield Step(said, f"{page.term(terms.name(variable))} = {page.term(where.values[variable])}")
        said = "The series use these bounds alone, so that their remainders are uniform"
    yield Step(said, "")
    told = _Told(page, one, where, note.of["expander"], one.made[2]["place"].get("scales", {}))
    yield from told.compared(False)


# --- what oscillates -------------------------------------------------------------------------------------


def oscillating(page: Page, one: Theorem) -> Iterator[Step]:
    """The series with letters for what oscillates or jumps between bounds, class by class."""
    data, notes = one.made[2], [note for note in heard(one) if note.kind == "series"]
    yield from _regime(page, data.get("place", {}))
    if "turn" in data:
        turn = page.term(terms.multiply(terms.read(data["turn"]), terms.name("pi")))
        yield Step(f"The phase comes as near to ${turn}$ as one likes, modulo $2 \\pi$, for infinitely many whole numbers", "")
    for k, note in enumerate(notes):
        if note.of.get("value"):
            ((v, value),) = note.of["value"].items()
            yield Step(f"For ${page.term(terms.name(v))} = {page.term(value)}$", "")
        yield from _waves(page, note, k)
        scales = data.get("place", {}).get("scales", {})
        yield from _Told(page, one, note.of["where"], note.of["expander"], scales, note).compared(False)


def _waves(page: Page, note: Note, k: int) -> Iterator[Step]:
    """The letters of what oscillates, which are the page's from now on."""
    waves, letters = note.of["waves"], dict[str, Term]()
    shown = []
    for atom, name in waves.found.items():
        page.counted["b_"] += 1
        letters[name] = letter = terms.name(f"b_{page.counted['b_']}")
        low, high = waves.reach[name]
        what = {"floor": add(atom.parts[0], negative(atom)), "ceiling": add(atom, negative(atom.parts[0]))}.get(atom.head, atom)
        shown.append(rf"{page.term(letter)} = {page.term(what)} \in [{low}, {high}]")
    for name in (name for name in waves.reach if name not in letters):
        page.counted["b_"] += 1
        letters[name] = letter = terms.name(f"b_{page.counted['b_']}")
        low, high = waves.reach[name]
        shown.append(rf"{page.term(letter)} \in [{low}, {high}]")
    page.letters |= letters
    if shown:
        yield Step("What oscillates or jumps is a quantity of which only its bounds are used", r",\quad ".join(shown))


# --- the series of sides ----------------------------------------------------------------------------------


class _Told:
    """The series of the sides of one statement."""

    def __init__(
        self, page: Page, one: Theorem, where: Placed, expander: Expander, scales: Mapping[str, str], note: Note | None = None
    ) -> None:  # fmt: skip
        self.page, self.one, self.where, self.expander = page, one, where, expander
        self.quantities = Quantities(where, scales)
        self.read = note.of["read"] if note else None
        self.letters = page.letters

    def put(self, node: Node) -> Term:
        """A side of the statement in the quantities of its regime."""
        if self.read is None:
            return self.where.put(terms.of(node))
        return self.read[node] if self.one.made[0] == "along" else self.where.put(self.read[node])

    def series(self, node: Node) -> Series:
        """That of a side."""
        return self.expander.series(self.put(node))

    def shown(self, f: Series) -> str:
        """A series in LaTeX."""
        return set_series(f, self.expander.algebra, self.quantities, self.page.notation, self.letters)

    def compared(self, whole: bool) -> Iterator[Step]:
        """The series of each side, and the comparison; ``whole``: sides that are no series but terms are not said again."""
        page, labels = self.page, dict(self.page.labels)
        for node, side in zip(self.one.statement.body.terms(), _SIDES, strict=False):
            if self.read is None:
                parts = list(self.parts(terms.of(node), labels))
            else:
                f = self.series(node)
                written = self.shown(f)
                known = (len(f.terms) < 2 and not f.rest) or written == page.node(node, self.one.statement)
                parts = [] if known else [(terms.of(node), "", written)]
            if not parts or (whole and not self.series(node).rest):
                continue
            found = tuple(Step(_KINDS.get(part.head, ""), f"{label} = {series}") for part, label, series in parts)
            last, _, series = parts[-1]
            shown = page.node(node, self.one.statement)
            if len(parts) == 1 and self.read is None and series == page.term(self.where.put(last)):  # it is its own series
                continue
            if last != terms.of(node):
                yield Step(f"Expanding parts of {side}", shown, steps=found)
            elif len(shown) > LONG:
                yield Step(f"Expanding, {side} is", series, steps=found if self.read is None else ())
            else:
                yield Step("Expanding,", f"{shown} = {series}", steps=found if len(found) > 1 else ())
        yield from self.decided()

    def parts(self, whole: Term, labels: dict[Term, Term]) -> Iterator[tuple[Term, str, str]]:
        """The parts of a term that have series, the inner ones first: each with its label, in those of others, and its series."""
        page, found = self.page, list[tuple[Term, str]]()
        for part in _inside_out(whole):
            put = self.where.put(part)
            if part in labels or put.is_number or put in self.expander.leaves or self.expander.constant(put):
                continue
            with contextlib.suppress(Refused):  # a part that only the whole gives a meaning
                series = self.expander.series(put)
                written = self.shown(series)
                if (len(series.terms) > 1 or series.rest) and written != page.term(part) and part not in dict(found):
                    found.append((part, written))
        if len(found) == 1:  # it is not referred to
            yield found[0][0], page.term(found[0][0]), found[0][1]
            return
        for part, written in found:
            page.counted[LABEL] += 1
            label = terms.name(f"{LABEL}{page.counted[LABEL]}")
            yield part, f"{page.term(label)} = {page.term(labelled(part, labels))}", written
            labels[part] = label

    def decided(self) -> Iterator[Step]:
        """What the series say of the statement."""
        one, a, source = self.one, self.expander.algebra, sources(self.one)
        body = one.statement.body

        def first(f: Series, alone: bool = False) -> str:
            growths = a.below(f)[1]  # those that outweigh the rest
            top = [(rational(1) if alone else c, g) for c, g in in_order(f.terms, a) if g in growths]
            return self.shown(Series(tuple(top)))

        with contextlib.suppress(Refused, ValueError):
            equal = "=" if one.holds else r"\ne"
            match body:
                case Ratio() | Expanding():
                    other = body.right if isinstance(body, Ratio) else body.kept
                    order, size = ("o", body.right) if isinstance(body, Ratio) else (body.order, body.growth)
                    gap = a.add(self.series(body.left), a.scaled(self.series(other), rational(-1)))
                    growth = self.series(size)
                    bound = rf"{_ORDERS[order]}\left({first(growth, True)}\right)"
                    same = a.within(gap, order, growth) is one.holds and self.shown(gap) not in ("0", bound)
                    shown = self.shown(gap)
                    yield Step("The two sides differ by", f"{shown} {equal} {bound}" if same else shown, source)
                    return
                case Ordering():
                    g = first(self.series(body.growth), True)
                    bound = rf"{equal} {_ORDERS[body.order]}\left({g}\right)"
                    with contextlib.suppress(Refused):
                        yield Step("By the largest terms", f"{first(self.series(body.left))} {bound}", source)
                        return
                    if a.within(self.series(body.left), body.order, self.series(body.growth)) is one.holds:
                        yield Step("So", f"{self.page.node(body.left, one.statement)} {bound}", source)
                        return
                case Limiting():
                    tends = "tends" if one.holds else "does not tend"
                    yield Step(f"So it {tends} to ${self.page.node(body.value, one.statement)}$", "", source)
                    return
                case Eventual():
                    gap = a.add(self.series(body.right), a.scaled(self.series(body.left), rational(-1)))
                    sign = {1: "> 0", -1: "< 0"}.get(a.below(gap)[0], "") if gap.terms or gap.rest else ""
                    yield Step("From some point on, the right side less the left is", f"{self.shown(gap)} {sign}".strip(), source)
                    return
        failed = "" if one.holds else " that it fails"
        yield Step(f"The series show{failed or ' it'}", "", source)


def labelled(term: Term, labels: Mapping[Term, Term]) -> Term:
    """A term with the labels of parts that were shown before; of a negative only the part itself has one."""
    if term in labels:
        return labels[term]
    if not term.parts:
        return term
    return terms.rebuilt(term, tuple(labelled(part, labels) for part in term.parts))


def _inside_out(term: Term) -> Iterator[Term]:
    """The parts of a term that is no sum over a variable, the inner ones first, then the term."""
    if term.head not in BINDERS:
        for part in term.parts:
            yield from _inside_out(part)
    yield term


# --- on a half-line, with constants --------------------------------------------------------------------------


def explicit(page: Page, note: Note, begin: str, scale: str) -> Iterator[Step]:
    """The difference of two sides on a half-line: its series, with the constant of the remainder, and what it is not below."""
    ray, gap = note.of["ray"], note.of["series"]
    quantities = Quantities(Placed({}, {scale: 0}, ray.domain, {}), {})
    if not gap.terms and not gap.rest:
        yield Step(f"{begin} the two sides have the same series, with no remainder", "")
        return
    shown = set_series(Series(gap.terms), ray, quantities, page.notation) if gap.terms else ""
    rests = []
    for r in gap.rest:
        growth = page.term(gathered(powers(quantities.term(rational(1), r)), quantities.tidy))
        size = number(exact(r.size.upper()), True)
        rests.append(rf"\theta \cdot {size}" + ("" if r.same(ONE) else rf" \cdot {growth}"))
    c, g = ray.leading(gap)
    least = ray.least(gap, c, g, ray.domain.sign(c))
    size = number(max(exact(least.lower()), 0 * exact(least.lower())), False)
    growth = page.term(gathered(powers(quantities.term(rational(1), g)), quantities.tidy))
    floor = rf"\ge {size}" + ("" if g.same(ONE) else rf" \cdot {growth}") if exact(least.lower()) > 0 else r"\ge 0"
    said = " + ".join(filter(None, [shown, *rests])).replace("+ -", "- ")
    theta = r", with $|\theta| \le 1$," if rests else ""
    yield Step(f"{begin} the right side less the left is{theta}", f"{said} {floor}")

