"""A certificate as a derivation that can be followed: what each rule did, in the statement's own variables.

The kernel makes the theorem again, and the series that it made on the way are written down: of each part of the statement
its terms and its remainder, from the leaves to the whole; then the comparison that the statement is.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cmp_to_key
from typing import Any

from gmpy2 import mpq

from asymp.claim import Step
from asymp.kernel import terms
from asymp.kernel.growths.asymptotics import expander_of
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain, Growth
from asymp.kernel.growths.regime import Placed, placed
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio as Coefficient
from asymp.kernel.rings.ratio import rational, to_term
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Expanding, Limiting, Ratio
from asymp.language.names import BINDERS
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser, words
from asymp.language.tex import Notation, statement_tex, tex
from asymp.prove.rule_words import WORDS
from asymp.prove.told_bounds import told

STATEMENT = "which is the statement"
AT = r" \quad\text{ at } "
LABEL, GIVEN = "A_", "S_"
"""Of the parts of a statement, and of the atoms that are given."""
MOST_SHOWN = 6
"""Terms of a series that are written out; what follows is part of the remainder then."""


def derivation(steps: Sequence[Mapping[str, Any]], notation: Notation) -> tuple[Step, ...]:
    """The steps of a certificate.

    Raises:
        Refused: it is none.

    >>> from asymp.kernel.theorem import certificate
    >>> from asymp.language.statement import read_statement
    >>> from asymp.prove.claims import theorem
    >>> found = theorem(read_statement("log(n + 1) ~ log(n) as n -> oo"), True)
    >>> for step in derivation(certificate(found), {}): print(step.rule, "|", step.latex)
    what tends to infinity, each by itself | n \\to \\infty
    logarithm | A_{1} = \\ln \\left(n + 1\\right) = \\ln n + \\frac{1}{n} + O\\left(\\frac{1}{n^{2}}\\right)
    difference | \\frac{1}{n} + O\\left(\\frac{1}{n^{2}}\\right)
    which is the statement |
    """
    made: list[Theorem] = []
    found: list[Step] = []
    labels: dict[Term, Term] = {}
    for step in steps:
        premises = [made[k] for k in step["premises"]]
        made.append(apply(step["rule"], premises, **step["data"]))
        told = _TOLD.get(step["rule"], _plainly)
        page = _Page(notation, labels)
        found += told(made[-1], premises, step, page)
        if len(made) < len(steps) and found[-1].rule == STATEMENT:  # what was shown on the way
            found[-1] = replace(found[-1], rule="so", latex=page.said(made[-1]))
    if len(found) > 1 or steps[-1]["rule"] == "witness":  # the statement itself need not be said again
        shown, _, at = found[-1].latex.partition(AT)
        found[-1] = replace(found[-1], latex=at if shown == _Page(notation, labels).said(made[-1]) else found[-1].latex)
    return tuple(found)


@dataclass(frozen=True)
class _Page:
    """How terms are written: in a notation, with labels for atoms that are given."""

    notation: Notation
    labels: dict[Term, Term]

    def term(self, term: Term) -> str:
        """A term in LaTeX."""
        text = in_words(term)
        if term.head != "sum" and text.startswith("-"):  # the sign before a fraction, not in it
            return "-" + tex(Parser(text[1:]).whole(), self.notation)
        return tex(Parser(text).whole(), self.notation)

    def text(self, text: str) -> str:
        """A term, or an equation, in text."""
        return " = ".join(tex(Parser(side).whole(), self.notation) for side in text.split("="))

    def said(self, theorem: Theorem) -> str:
        """What a theorem says."""
        shown = statement_tex(_tidied(theorem.statement), self.notation)
        return shown if theorem.holds else rf"\text{{not: }}{shown}"


def _tidied(statement: Statement) -> Statement:
    """The statement with letters for bound variables, and quotients, in terms that the searches wrote.

    >>> from asymp.language.statement import read_statement
    >>> str(_tidied(read_statement("Sum((b0^2)^(-1), (b0, 1, k)) <= 1/b1 for whole k >= 1, b1 > k^3")))
    'Sum(1/i^2, (i, 1, k)) <= 1/b1 for whole k >= 1, b1 > k^3'
    """

    def tidied(node: Node) -> Node:
        return Parser(in_words(terms.of(node))).whole() if _UNTIDY.search(words(node)) else node

    return replace(statement, body=statement.body.changed(tidied))


_UNTIDY = re.compile(r"\^\(-|\(b\d+_*,")
"""A reciprocal as a power, or the range of a variable that has no letter."""


def _plainly(theorem: Theorem, _: Sequence[Theorem], step: Mapping[str, Any], page: _Page) -> Iterator[Step]:
    yield Step(WORDS.get(step["rule"], f"by the rule {step['rule']}"), page.said(theorem))


def _witness(theorem: Theorem, _: Sequence[Theorem], step: Mapping[str, Any], page: _Page) -> Iterator[Step]:
    at = ", ".join(f"{page.term(terms.name(v))} = {page.term(terms.read(x))}" for v, x in step["data"]["at"].items())
    yield Step("it fails, by balls", f"{page.said(theorem)}{AT}{at}" if at else page.said(theorem))


def _leaf(theorem: Theorem, _: Sequence[Theorem], step: Mapping[str, Any], page: _Page) -> Iterator[Step]:
    """An atom's expansion, believed."""
    body = theorem.statement.body
    assert isinstance(body, Expanding)
    atom, kept, growth = (terms.of(node) for node in (body.left, body.kept, body.growth))
    label = terms.name(f"{GIVEN}{len(page.labels) + 1}")
    left = page.term(_labelled(atom, page.labels))
    said = f"{page.term(label)} = {left} = {page.term(kept)} + O\\left({page.term(growth)}\\right)"
    page.labels[atom] = label
    if step["rule"] == "root series":
        yield Step("a root: its equation changes sign around these terms", said)
        return
    yield Step("given", said, ", ".join(f"engine: {one}" for one in (atom.head.lower(), *step["data"].get("by", ()))))


# --- series --------------------------------------------------------------------------------------------


def _asymptotic(
    theorem: Theorem, premises: Sequence[Theorem], step: Mapping[str, Any], page: _Page
) -> Iterator[Step]:
    data = step["data"]
    where = placed(theorem.statement, data["place"], [premise.statement for premise in premises])
    quantities = Quantities(where, data["place"].get("scales", {}))
    for p, q in data["place"].get("small", {}).items():
        rule = f"{q} = -log(1 - {p})"
        yield Step("a quantity in place of another", f"{page.text(rule)}, 1 - {p} = e^{{-{q}}}, {q}/{p} \\to 1")
    if data["place"].get("scales"):
        shown = ", ".join(f"{page.term(quantities.values[name])} \\to \\infty" for name in data["place"]["scales"])
        yield Step("what tends to infinity, each by itself", shown)
    yield from _compared(theorem, premises, step, page, where, quantities)


def _path(theorem: Theorem, premises: Sequence[Theorem], step: Mapping[str, Any], page: _Page) -> Iterator[Step]:
    data = step["data"]
    values = {str(k): terms.read(v) for k, v in data["values"].items()}
    shown = ", ".join(f"{page.term(terms.name(v))} = {page.term(t)}" for v, t in values.items())
    yield Step("along a path of the regime, on which every condition holds", shown)
    where = Placed(values, {data["runner"]: 0}, Domain(), {})
    yield from _compared(theorem, premises, step, page, where, Quantities(where, {}))


def _compared(
    theorem: Theorem, premises: Sequence[Theorem], step: Mapping[str, Any], page: _Page, where: Placed,
    quantities: Quantities,
) -> Iterator[Step]:
    """The series of the parts of the statement, the inner ones first, and the comparison."""
    statement = theorem.statement
    expander = expander_of(premises, statement, where, Algebra(where.domain, step["data"]["order"]))
    labels = dict(page.labels)
    for node in statement.body.terms():
        for part in _inside_out(terms.of(node)):
            put = where.put(part)
            if part in labels or put.is_number or put in expander.leaves or expander.constant(put):
                continue
            with contextlib.suppress(Refused):  # a part that only the whole gives a meaning
                series = expander.series(put)
                written = _written(series, expander, quantities, page)
                if (len(series.terms) > 1 or series.rest) and written != page.term(part):
                    label = terms.name(f"{LABEL}{len(labels) - len(page.labels) + 1}")
                    said = f"{page.term(label)} = {page.term(_labelled(part, labels))}"
                    yield Step(_KINDS.get(part.head, part.head), f"{said} = {written}")
                    labels[part] = label
    with contextlib.suppress(Refused):
        sides = _sides(statement)
        gap = expander.algebra.add(*(expander.series(where.put(side)) for side in sides))
        yield Step("difference", _written(gap, expander, quantities, page))
    own = theorem.trusts.difference(*(one.trusts for one in premises))
    yield Step(STATEMENT if theorem.holds else "which is not as stated", "", ", ".join(sorted(own)))


def _labelled(term: Term, labels: Mapping[Term, Term]) -> Term:
    """A term with the labels of parts that were shown before; of a negative only the part itself has one."""
    if term in labels:
        return labels[term]
    if not term.parts:
        return term
    return terms.rebuilt(term, tuple(_labelled(part, labels) for part in term.parts))


def _sides(statement: Statement) -> tuple[Term, Term]:
    """What is compared, and what is taken from it.

    Raises:
        Refused: nothing is.
    """
    match statement.body:
        case Ratio():
            other = statement.body.right
        case Expanding():
            other = statement.body.kept
        case Limiting() if terms.of(statement.body.value) != terms.name("oo"):
            other = statement.body.value
        case _:
            raise Refused("no difference")
    return terms.of(statement.body.left), terms.negative(terms.of(other))


def _inside_out(term: Term) -> Iterator[Term]:
    """The parts of a term that is no sum over a variable, the inner ones first, then the term."""
    if term.head not in BINDERS:
        for part in term.parts:
            yield from _inside_out(part)
    yield term


_KINDS = {
    "log": "logarithm", "exp": "exponential", "name": "in the new quantity", "Sum": "series of a sum",
    "Integral": "series of an integral",
    "Coefficient": "coefficients by singularities or a saddle",
}  # fmt: skip


class Quantities:
    """The quantities of a certificate in the statement's variables, and growths written in these."""

    def __init__(self, where: Placed, scales: Mapping[str, str]) -> None:
        self.names = [name for name, _ in sorted(where.scales.items(), key=lambda item: item[1])]
        self.values = {name: terms.read(scales.get(name, name)) for name in self.names}
        self.values |= {e: terms.reciprocal(terms.call("Abs", gap)) for e, gap in where.near.items()}
        self.names += where.near
        above = {v: Range(mpq(0), True) for value in self.values.values() for v in terms.free(value)}
        self.domain = Domain(within={**where.domain.ranges, **above})

    def term(self, c: Coefficient, growth: Growth) -> Term:
        """A coefficient times a growth.

        Raises:
            Refused: a quantity that stands for what is left of an exponent, and has no name.
        """
        return self._tidy(terms.multiply(to_term(c), self._growth(growth)))

    def _tidy(self, term: Term) -> Term:
        try:
            return to_term(self.domain.value(term))
        except Refused:
            return term

    def _growth(self, growth: Growth) -> Term:
        factors = []
        for (i, depth), e in growth.powers:
            if i >= len(self.names):
                raise Refused("a quantity without a name")
            base = self.values[self.names[i]]
            for _ in range(depth):
                base = terms.call("log", base)
            factors.append(terms.power(base, to_term(e)))
        parts = [self._tidy(terms.multiply(to_term(c), self._growth(g))) for c, g in growth.exponent]
        if parts:
            factors.append(terms.call("exp", terms.add(*parts)))
        return terms.multiply(*factors)


def in_order(series: Sequence[tuple[Coefficient, Growth]], algebra: Algebra) -> list[tuple[Coefficient, Growth]]:
    """Terms, the larger ones first."""

    def compared(x: tuple[Coefficient, Growth], y: tuple[Coefficient, Growth]) -> int:
        return {"infinity": -1, "zero": 1}.get((x[1] / y[1]).limit(algebra.domain), 0)

    return sorted(series, key=cmp_to_key(compared))


def _written(series: Series, expander: Expander, quantities: Quantities, page: _Page) -> str:
    """The terms, the larger ones first, and the remainder."""
    ordered = in_order(series.terms, expander.algebra)
    shown, rest = ordered[:MOST_SHOWN], list(series.rest)
    if ordered[MOST_SHOWN:]:
        rest = list(expander.algebra.made([], [*rest, *(g for _, g in ordered[MOST_SHOWN:])]).rest)
    parts = [page.term(quantities.term(c, g)) for c, g in shown]
    if rest:
        growths = " + ".join(page.term(quantities.term(rational(1), g)) for g in rest)
        parts.append(f"O\\left({growths}\\right)")
    return " + ".join(parts).replace("+ -", "- ") or "0"


def in_words(term: Term) -> str:
    """A term as text, with quotients and roots, and letters for bound variables.

    >>> in_words(terms.read("2^(1/2)*n^(-1)*x - 1"))
    'x*sqrt(2)/n - 1'
    """
    match term.head:
        case "sum":
            parts = sorted((in_words(part) for part in term.parts), key=_negative_last)
            return " + ".join(parts).replace("+ -", "- ")
        case "product" | "power":
            over, under = _factors(term)
            minus = "-" if over[:1] == ["-1"] else ""
            top = "*".join(over[1:] if minus else over) or "1"
            below = under[0] if len(under) == 1 else f"({'*'.join(under)})"
            return f"{minus}{top}" + (f"/{below}" if under else "")
    if not term.parts:
        return str(term)
    if term.head in BINDERS:
        letters = "zwxyuvts" if term.head == "Coefficient" else "ijklmrstuvw"
        variable = next(letter for letter in letters if letter not in {part.name for part in terms.walk(term)})
        body = terms.opened(term.parts[0], terms.name(variable))
        return f"{term.head}({in_words(body)}, ({variable}, {in_words(term.parts[1])}, {in_words(term.parts[2])}))"
    return f"{term.head}({', '.join(in_words(part) for part in term.parts)})"


def _negative_last(text: str) -> tuple[bool, bool]:
    return text.startswith("-"), not any(letter.isalpha() for letter in text)


def _factors(term: Term) -> tuple[list[str], list[str]]:
    """What stands above and below the line."""
    over: list[str] = []
    under: list[str] = []
    for part in term.parts if term.head == "product" else (term,):
        if part.is_number:
            top, bottom = part.number.numerator, part.number.denominator
            over[:0] = ["-1"] * (top < 0) + ([str(abs(top))] if abs(top) != 1 else [])
            under += [str(bottom)] if bottom != 1 else []
        elif part.head == "power" and _is_negative(part.parts[1]):
            under.append(_raised(part.parts[0], terms.negative(part.parts[1])))
        elif part.head == "power":
            over.append(_raised(*part.parts))
        else:
            over.append(_raised(part, terms.ONE))
    return over, under


def _is_negative(exponent: Term) -> bool:
    """Whether it is a negative number, or a multiple by one."""
    return any(part.is_number and part.number < 0 for part in (exponent.parts if exponent.head == "product" else (exponent,)))


def _raised(base: Term, exponent: Term) -> str:
    if exponent == terms.number(mpq(1, 2)):
        return f"sqrt({in_words(base)})"
    bare = in_words(base)
    base_text = bare if base.head in ("name", "bound") or base.head not in ("sum", "product", "power", "number") else f"({bare})"
    power = in_words(exponent)
    return base_text if exponent == terms.ONE else f"{base_text}^{power if power.isalnum() else f'({power})'}"


def _text(text: str, notation: Notation) -> str:
    if "=" in text:
        return " = ".join(_text(side, notation) for side in text.split("="))
    return tex(Parser(text).whole(), notation)


def _along(theorem: Theorem, premises: Sequence[Theorem], step: Mapping[str, Any], page: _Page) -> Iterator[Step]:
    shown = ", ".join(page.text(f"{v} = {t}") for v, t in step["data"]["values"].items())
    yield Step("along a path of the regime, on which every condition holds", shown)
    yield from _plainly(theorem, premises, step, page)


def _bounds(theorem: Theorem, _: Sequence[Theorem], step: Mapping[str, Any], page: _Page) -> Iterator[Step]:
    yield from (Step(words, formula) for words, formula in told(step["data"], page.term, in_words))
    yield Step(STATEMENT, page.said(theorem))


Told = Callable[[Theorem, Sequence[Theorem], Mapping[str, Any], _Page], Iterator[Step]]
_TOLD: dict[str, Told] = {"leaf": _leaf, "root series": _leaf, "asymptotic": _asymptotic, "path": _path,
                           "along": _along, "along powers": _along, "bounds": _bounds, "witness": _witness}
