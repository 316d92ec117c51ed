r"""Proofs by series, told: the series of each whole side, the comparison that decides, and what is folded below them.

A variable that lies between two ends, what oscillates between its bounds, and a path are further quantities: said is what they
are, and the series have them as letters.  The series are those that the rule itself has found.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from asymp.claim import Step
from asymp.kernel import terms
from asymp.kernel.growths.growth import ONE, Domain
from asymp.kernel.growths.regime import Placed
from asymp.kernel.growths.series import Series
from asymp.kernel.growths.summands import INDEX
from asymp.kernel.growths.uniform import uniform_range
from asymp.kernel.noted import Note
from asymp.kernel.rings.ratio import Ratio as Coefficient
from asymp.kernel.rings.ratio import rational, to_term
from asymp.kernel.terms import Refused, Term, add, negative
from asymp.kernel.theorem import Theorem
from asymp.language.bodies import Eventual, Expanding, Limiting, Ordering, Ratio
from asymp.language.names import BINDERS
from asymp.language.syntax import Node
from asymp.prove.telling import Page, sources
from asymp.prove.written import Quantities, in_order, labelled, set_series

LABEL = "A_"
"""Of the parts of a side."""
LONG = 60
"""Characters of a side's LaTeX; a longer one is not said again before its series."""
_ORDERS = {"O": "O", "o": "o", "Theta": r"\Theta", "Omega": r"\Omega", "omega": r"\omega"}
_SIDES = ("the left side", "the right side", "the bound")
_METHODS = {
    "series_of_powers": "as a sum of powers", "exponential_sum": "as an incomplete gamma function",
    "series_of_sum": "by geometric sums", "series_of_recurring": "by comparison with a difference",
    "series_of_mellin": "by Mellin transforms", "series_of_oscillating": "by summation by parts",
    "series_of_dominated": "term by term, the terms being dominated", "series_of_peaked": "by Laplace's method for sums",
    "series_of_ends": "by the terms at the ends of the range", "series_of_rounded": "with bounds of what is rounded off",
    "by_laplace": "by Laplace's method at {peak}", "by_decay": "by Laplace's method", "series_of_waves": "by stationary phase",
    "series_of_integral": "by incomplete gamma functions", "series_of_telescoped": "as a sum of differences",
    "series_of_dyadic": "by the exact sum over powers", "series_of_riemann": "as a Riemann sum",
}  # fmt: skip
"""Of a sum or an integral, by which of the kernel's methods its series is found."""
_SEEN = {"closed": "exponential_sum", "differences": "series_of_telescoped"}
"""What is noted, by the method that has seen it."""
_CHAPTERS = {"chapter 6": "by singularity analysis", "chapter 8": "by the saddle-point method"}
"""Of a coefficient, by what is cited."""


# --- in a regime, and on a path ------------------------------------------------------------------------


def asymptotic(page: Page, one: Theorem) -> Iterator[Step]:
    """The series of a regime."""
    place = one.made[2]["place"]
    yield from _regime(page, place)
    yield from _Told(page, one, page.heard(one)).compared(one.holds and not place.get("small"))


def path(page: Page, one: Theorem) -> Iterator[Step]:
    """The series along a path."""
    yield from _Told(page, one, page.heard(one)).compared(False)


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
    notes, place = page.heard(one), one.made[2]["place"]
    where: Placed = next(note for note in notes if note.kind == "series").of["where"]
    v, low, high = page.term(terms.name(variable)), page.term(below[0][0]), page.term(above[0][0])
    yield from _regime(page, place)
    alone = "the series use these bounds alone, so that their remainders are uniform"
    range_ = rf"{low} \le {v} \le {high}"
    if variable in where.scales:
        yield Step(f"Let ${v}$ be any function with ${range_}$; {alone}", "")
    else:
        s = next(name for name in where.scales if name not in place.get("scales", {}))
        range_ = rf"1 \le {s} \le 2"
        said = f"Write ${v}$ by ${s}$, any function with ${range_}$; {alone}"
        yield Step(said, f"{v} = {page.term(where.values[variable])}")
    *found, last = _Told(page, one, notes).compared(False)
    rule = "it follows that" if last.rule == "So" else last.rule[:1].lower() + last.rule[1:]
    yield from (*found, replace(last, rule=f"As ${range_}$, {rule}"))


# --- what oscillates -------------------------------------------------------------------------------------


def oscillating(page: Page, one: Theorem) -> Iterator[Step]:
    """The series with letters for what oscillates or jumps between bounds, class by class."""
    data, notes = one.made[2], page.heard(one)
    yield from _regime(page, data.get("place", {}))
    if "turn" in data:
        turn = page.term(terms.multiply(terms.read(data["turn"]), terms.name("pi")))
        yield Step(
            f"The phase comes as near to ${turn}$ as one likes, modulo $2 \\pi$, for infinitely many whole numbers", ""
        )
    for note in (note for note in notes if note.kind == "series"):
        for v, value in note.of.get("value", {}).items():
            m = next(one for one in "mlj" if one not in value.free)
            page.letters[v] = terms.name(m)
            yield Step(f"For ${page.term(terms.name(v))} = {page.term(terms.substitute(value, page.letters))}$", "")
        names = {name: terms.read(x) for name, x in data.get("place", {}).get("scales", {}).items()}
        told = _Told(page, one, [*(n for n in notes if n.kind != "series"), note])
        yield from _waves(page, note, names, list(map(told.put, one.statement.body.terms())))
        yield from told.compared(False)


def _put(term: Term, names: Mapping[str, Term]) -> Term:
    """A sine or the like of a term in the quantities of a regime, in the statement's variables."""
    inner = terms.substitute(term, names)
    with contextlib.suppress(Refused):
        if len(inner.parts) == 1:
            return Term(inner.head, (to_term(Domain().value(inner.parts[0])),))
    return inner


def _waves(page: Page, note: Note, names: Mapping[str, Term], puts: Sequence[Term]) -> Iterator[Step]:
    """The letters of what oscillates, which are the page's from now on."""
    waves, expander = note.of["waves"], note.of["expander"]
    atoms = {name: _put(atom, names) for atom, name in waves.found.items()} | _phases(expander, names)
    shown = list[str]()
    found = list[Coefficient]()
    for put in puts:
        with contextlib.suppress(Refused):  # oo has no series
            found += [c for c, _ in expander.series(put).terms]
    used = {a.name for c in found for powers in (*c.num, *c.den) for a, _ in powers if a.head == "name"}
    for name, (low, high) in waves.reach.items():
        if name not in used and name not in atoms:
            continue
        page.counted["b_"] += 1
        page.letters[name] = letter = terms.name(f"b_{page.counted['b_']}")
        atom = atoms.get(name)
        if atom is not None and atom.head in ("floor", "ceiling"):
            inner = atom.parts[0]
            atom = add(inner, negative(atom)) if atom.head == "floor" else add(atom, negative(inner))
        equal = f" = {page.term(atom)}" if atom is not None else ""
        shown.append(rf"{page.term(letter)}{equal} \in [{low}, {high}]")
    if shown:
        yield Step("Of what oscillates or jumps only the bounds are used", r",\quad ".join(shown))


def _phases(expander: Any, names: Mapping[str, Term]) -> dict[str, Term]:
    """Of the sines and cosines of which a series was asked for those that are one of the quantities by themselves."""
    found: dict[str, Term] = {}
    phases = getattr(expander, "phases", None)
    for term in phases.asked if phases is not None else ():
        with contextlib.suppress(Refused):
            f = expander.series(term)
            own = _put(term, names)
            if len(f.terms) == 1 and not f.rest and f.terms[0][1].same(ONE):
                c = to_term(f.terms[0][0])
                if c.head == "name":
                    found.setdefault(c.name, own)
                elif (opposite := negative(c)).head == "name":
                    found.setdefault(opposite.name, negative(own))
    return found


# --- the series of sides ----------------------------------------------------------------------------------


class _Told:
    """The series of the sides of one statement, as a rule has found them."""

    def __init__(self, page: Page, one: Theorem, notes: Sequence[Note]) -> None:
        note = [note for note in notes if note.kind == "series"][-1]
        self.page, self.one, self.of = page, one, note.of
        self.where: Placed = note.of["where"]
        self.expander = note.of["expander"]
        self.quantities = Quantities(self.where, one.made[2].get("place", {}).get("scales", {}), whole=True)
        self.methods = _methods(page, notes)

    def put(self, node: Node) -> Term:
        """A side of the statement in the quantities of its regime."""
        if "read" not in self.of:
            return self.where.put(terms.of(node))
        term: Term = self.of["read"][node]
        return term if self.one.made[0] == "along" else self.where.put(term)

    def series(self, node: Node) -> Series:
        """That of a side."""
        found: Series = self.expander.series(self.put(node))
        return found

    def shown(self, f: Series) -> str:
        """A series in LaTeX."""
        return set_series(f, self.expander.algebra, self.quantities, self.page.notation, self.page.letters)

    def compared(self, whole: bool) -> Iterator[Step]:
        """The series of each side, and the comparison; ``whole``: sides that are no series but terms are not said again."""
        page, labels, before = self.page, dict(self.page.labels), set[str]()
        for node, side in zip(self.one.statement.body.terms(), _SIDES, strict=False):
            side_term = terms.of(node)
            parts = list(self.parts(side_term, labels) if "read" not in self.of else self.by_itself(node))
            if not parts or (whole and not self.series(node).rest):
                continue
            last, _, series = parts[-1]
            if len(parts) == 1 and "read" not in self.of and series == page.term(self.where.put(last)):
                continue  # it is its own series
            if (shown := page.node(node, self.one.statement)) in before:
                continue
            before.add(shown)
            method, alone, inner = self.by(last) or "Expanding", len(parts) == 1 and last == side_term, list[Step]()
            for part, label, series in parts:  # sums and the like are said; what is made of them is folded away
                if (by := self.by(part)) and not alone:
                    yield Step(by, f"{label} = {series}")
                elif not alone:
                    inner.append(Step("", f"{label} = {series}"))
                yield from self.seen(part)
            if last != side_term:
                yield Step(f"Expanding parts of {side}", shown, steps=tuple(inner))
            elif len(shown) > LONG:
                yield Step(f"{method}, {side} is", series, steps=tuple(inner))
            else:
                yield Step(f"{method},", f"{shown} = {series}", steps=tuple(inner))
        yield self.decided()

    def by(self, part: Term) -> str:
        """By which method a part is expanded, if that is one of a sum, an integral or a coefficient."""
        if part.head == "Coefficient":
            own = sources(self.one)
            return next((words[:1].upper() + words[1:] for chapter, words in _CHAPTERS.items() if chapter in own), "")
        words, _ = self.methods.get(self.where.put(part), ("", None))
        return words[:1].upper() + words[1:]

    def seen(self, part: Term) -> tuple[Step, ...]:
        """What the method has seen that expands a part."""
        _, note = self.methods.get(self.where.put(part), ("", None))
        return tuple(self.told_of(note)) if note else ()

    def told_of(self, note: Note) -> Iterator[Step]:
        """A closed form, differences, or a saddle."""
        page, values = self.page, self.quantities.values

        def put(term: Term) -> str:
            return page.term(terms.substitute(term, {**values, INDEX: k}))

        k = terms.name(next(x for x in "kjlm" if x not in self.one.statement.body.terms()[0].every_name))
        if note.kind == "closed":
            yield Step("In closed form it is", put(note.of["by"]))
        elif note.kind == "differences":
            letter, off = page.term(k), r" + O\left(" + " + ".join(map(put, note.of["left"])) + r"\right)"
            yield Step(f"Write $F({letter}) = {put(note.of['by'])}$; then",
                       f"{put(note.of['of'])} = F({letter}) - F({letter} - 1){off if note.of['left'] else ''}")  # fmt: skip
        elif note.kind == "saddle":
            number = terms.substitute(note.of["number"], values)
            own = Quantities(Placed({}, {"N": 0}, note.of["domain"], {}), {"N": str(number)})
            shown = [set_series(f, self.expander.algebra, own, page.notation) for f in note.of["seen"]]
            n = page.term(number)
            n = n if number.head == "name" else rf"\left({n}\right)"
            factor = note.of["front"] != terms.ONE or note.of["number"] != note.of["term"].parts[2]
            some = "Up to a constant and a power of $z$ the" if factor else "The"
            yield Step(rf"{some} function is $e^G$; on the circle $|z| = r$ near the saddle",
                       rf"r = {shown[0]},\quad G(r) - {n} \ln r = {shown[1]},\quad \kappa = {shown[2]}")  # fmt: skip
            yield Step(
                r"Here $\kappa$ is $(z\,d/dz)^2 G$ at $z = r$, and the first term of the coefficient of $e^G$ is",
                rf"\frac{{e^{{G(r)}}}}{{r^{{{n}}} \sqrt{{2 \pi \kappa}}}}",
            )

    def by_itself(self, node: Node) -> Iterator[tuple[Term, str, str]]:
        """A side with its series, where that is no term of it."""
        with contextlib.suppress(Refused):  # oo has no series
            f = self.series(node)
            written = self.shown(f)
            if (len(f.terms) > 1 or f.rest) and written != self.page.node(node, self.one.statement):
                yield terms.of(node), "", written

    def parts(self, whole: Term, labels: dict[Term, Term]) -> Iterator[tuple[Term, str, str]]:
        """The parts of a term that have series, the inner ones first: each with its label, in those of others, and its series."""
        page, found = self.page, dict[Term, str]()
        for part in _inside_out(whole):
            put = self.where.put(part)
            if part in labels or put.is_number or put in self.expander.leaves or self.expander.constant(put):
                continue
            with contextlib.suppress(Refused):  # a part that only the whole gives a meaning
                series = self.expander.series(put)
                written = self.shown(series)
                plain = not series.rest and _is_plain(part) and len(written) < LONG
                plain = part is not whole and (plain or _is_multiple(part))
                if (len(series.terms) > 1 or series.rest) and written != page.term(part) and not plain:
                    found[part] = written
        for part, written in sorted(found.items(), key=lambda item: not self.by(item[0])):  # sums and the like first
            if len(found) == 1:  # it is not referred to
                yield part, page.term(part), written
                continue
            page.counted[LABEL] += 1
            label = terms.name(f"{LABEL}{page.counted[LABEL]}")
            yield part, f"{page.term(label)} = {page.term(labelled(part, labels))}", written
            labels[part] = label

    def decided(self) -> Step:
        """What the series say of the statement."""
        one, a, source = self.one, self.expander.algebra, sources(self.one)
        body, equal = one.statement.body, "=" if one.holds else r"\ne"

        def first(f: Series, alone: bool = False) -> str:
            growths = a.below(f)[1]  # those that outweigh the rest
            top = [(rational(1) if alone else c, g) for c, g in in_order(f.terms, a) if g in growths]
            return self.shown(Series(tuple(top)))

        with contextlib.suppress(Refused, ValueError):
            match body:
                case Ratio() | Expanding():
                    other = body.right if isinstance(body, Ratio) else body.kept
                    order, size = ("o", body.right) if isinstance(body, Ratio) else (body.order, body.growth)
                    gap = a.add(self.series(body.left), a.scaled(self.series(other), rational(-1)))
                    growth = self.series(size)
                    bound, shown = rf"{_ORDERS[order]}\left({first(growth, True)}\right)", self.shown(gap)
                    same = a.within(gap, order, growth) is one.holds and shown not in ("0", bound)
                    if not gap.terms and not gap.rest:
                        return Step("The two sides are the same, with no remainder", "", source)
                    return Step("The two sides differ by", f"{shown} {equal} {bound}" if same else shown, source)
                case Ordering():
                    left = self.series(body.left)
                    bound = rf"{equal} {_ORDERS[body.order]}\left({first(self.series(body.growth), True)}\right)"
                    with contextlib.suppress(Refused):
                        return Step("By the largest terms", f"{first(left)} {bound}", source)
                    if a.within(left, body.order, self.series(body.growth)) is one.holds:
                        return Step("So", f"{self.page.node(body.left, one.statement)} {bound}", source)
                case Limiting():
                    value, f = self.page.node(body.value, one.statement), self.series(body.left)
                    if (
                        one.holds
                        and len(f.terms) == 1
                        and f.terms[0][1].same(ONE)
                        and (at := self.shown(Series(f.terms))) != value
                    ):
                        return Step("So it tends to", f"{at} = {value}", source)
                    return Step(f"So it {'tends' if one.holds else 'does not tend'} to ${value}$", "", source)
                case Eventual():
                    more, less = (self.series(x) for x in (body.right, body.left)[:: -1 if body.sign[0] == ">" else 1])
                    gap = a.add(more, a.scaled(less, rational(-1)))
                    sign = {1: "> 0", -1: "< 0"}.get(a.below(gap)[0], "") if gap.terms or gap.rest else ""
                    said = "From some point on, the larger side less the other is"
                    return Step(said, f"{self.shown(gap)} {sign}".strip(), source)
        with contextlib.suppress(Refused):
            sides = [self.shown(self.series(node)) for node in body.terms()]
            there = "Along it the sides are" if not one.holds else "The sides are"
            return Step(there, r"\quad\text{and}\quad ".join(sides), source)
        return Step("The series show it" if one.holds else "The series show that it fails", "", source)


def _methods(page: Page, notes: Sequence[Note]) -> dict[Term, tuple[str, Note | None]]:
    """Of sums, integrals and coefficients by which method they were expanded, and what it has seen."""
    found, by, peak, seen = dict[Term, tuple[str, Note | None]](), "", "", dict[tuple[Term, str], Note]()
    for note in notes:
        match note.kind:
            case "saddle":
                found[note.of["term"]] = "", note
            case "closed" | "differences":
                seen[note.of["term"], _SEEN[note.kind]] = note
            case "peak":
                peak = f"$t = {page.term(note.of['at'])}$"
            case "method":
                by = name if (name := getattr(note.of["by"], "__name__", "")) in _METHODS else by
            case "expanded":
                term = note.of["term"]
                found[term], by = (_METHODS.get(by, "").format(peak=peak), seen.get((term, by))), ""
    return found


def _is_multiple(term: Term) -> bool:
    """Whether it is another part with a number before it, or beside it."""
    return term.head in ("sum", "product") and len(term.parts) == 2 and any(part.is_number for part in term.parts)


def _is_plain(term: Term) -> bool:
    """Whether it is made of names and numbers by sums, products and whole powers: as well read as its series."""
    if term.head == "power":
        return term.parts[1].is_number and _is_plain(term.parts[0])
    return not term.parts or (term.head in ("sum", "product") and all(map(_is_plain, term.parts)))


def _inside_out(term: Term) -> Iterator[Term]:
    """The parts of a term that is no sum over a variable, the inner ones first, then the term."""
    if term.head not in BINDERS:
        for part in term.parts:
            yield from _inside_out(part)
    yield term
