r"""A theorem as a proof that is read: what is to be shown, the lemmas, the series of whole sides, and what decides.

The kernel makes the theorem again, with those that it rests on; each becomes a paragraph, or a lemma with its own proof inside
it, and what is algebra is folded away.  A paragraph says no more than its theorem does, and conditions that stand in the
statement which it belongs to are not said again.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from asymp.claim import Step
from asymp.kernel import terms
from asymp.kernel.balls.boxes import certainly, number_in, question
from asymp.kernel.facts.ranges import Evaluator, Range
from asymp.kernel.growths.asymptotics import expander_of
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.regime import Placed, placed
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import DEFINITION, Theorem, replay
from asymp.language.bodies import Eventual, Expanding, Limiting, Ordering, Ratio
from asymp.language.conditions import Compared
from asymp.language.names import BINDERS
from asymp.language.statement import Statement
from asymp.language.statement_tex import statement_tex
from asymp.language.syntax import Node, words
from asymp.language.tex import Notation
from asymp.prove import told_order
from asymp.prove.rule_words import ROUTINE, WORDS
from asymp.prove.told_bounds import told
from asymp.prove.written import Quantities, in_order, named, set_series, set_term, set_text, tidied

SHOW, REFUTE = "To be shown", "To be refuted"
LABEL, GIVEN = "A_", "S_"
"""Of the parts of a side, and of the atoms that are given."""
MOST_STEPS = 8
"""Steps of a proof by order that are not folded away."""
LONG = 60
"""Characters of a side's LaTeX; a longer one is not said again before its series."""


def derivation(steps: Sequence[Mapping[str, Any]], notation: Notation) -> tuple[Step, ...]:
    """The proof that a certificate makes.

    Raises:
        Refused: it is none.

    >>> from asymp.kernel.theorem import certificate
    >>> from asymp.language.statement import read_statement
    >>> from asymp.prove.claims import theorem
    >>> found = theorem(read_statement("log(n + 1) ~ log(n) as n -> oo"), True)
    >>> for step in derivation(certificate(found), {}): print(step.rule, "|", step.latex)
    To be shown | \\ln \\left(n + 1\\right) \\sim \\ln n \\qquad (n \\to \\infty)
    Expanding, | \\ln \\left(n + 1\\right) = \\ln n + \\frac{1}{n} + O\\left(\\frac{1}{n^{2}}\\right)
    The two sides differ by | \\frac{1}{n} + O\\left(\\frac{1}{n^{2}}\\right) = o\\left(\\ln n\\right)
    """
    root, teller = replay(list(map(dict, steps))), _Teller(notation)
    head = Step(f"{SHOW if root.holds else REFUTE}{teller.fails(root)}", teller.said(root, None, True))
    return (head, *teller.proof(root, ""))


class _Teller:
    """Tells theorems in a notation, with one numbering of lemmas and labels."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self.names: dict[Theorem, str] = {}
        self.labels: dict[Term, Term] = {}
        self.counted = Counter[str]()
        self._routine: dict[Theorem, bool] = {}

    # --- proofs --------------------------------------------------------------------------------------------

    def proof(self, one: Theorem, inside: str) -> list[Step]:
        """What shows a theorem that has been said; ``inside``: the name of the lemma that it is, with a stop."""
        rule, made, _ = one.made
        premises = list(dict.fromkeys(made))
        found = self.routine([premise for premise in premises if self.is_routine(premise)], one)
        others = [premise for premise in premises if not self.is_routine(premise)]
        source = _sources(one)
        if rule in _TOLD or len(others) != 1 or others[0] in self.names or is_bare(others[0]):
            found += [step for premise in others for step in self.lemma(premise, one, inside)]
            return found + (list(_TOLD[rule](self, one)) if rule in _TOLD else [Step(_closing(one), "", source)])
        (left,) = others
        aim, said = "to be shown" if left.holds else "to be refuted", self.said(left, one, True)
        if said != self.said(one, one, True) or self.fails(left):
            found.append(Step(f"It remains {aim}{self.fails(left)} ({_words(rule)})", said, source))
        return found + self.proof(left, inside)

    def lemma(self, one: Theorem, outer: Theorem, inside: str) -> Iterator[Step]:
        """A theorem on which another rests: with its name and proof, if it is more than one step."""
        rule = one.made[0]
        if one in self.names:
            yield Step(f"By {self.names[one]}", self.said(one, outer))
        elif rule in _GIVEN:
            yield self.given(one, inside)
        elif is_bare(one):
            yield Step(_sentence(_words(rule)), self.said(one, outer), _sources(one))
        else:
            name = self.named(one, inside)
            said = self.said(one, outer)
            yield Step(_sentence(self.fails(one)[2:]), said, "", name, tuple(self.proof(one, f"{name}.")))

    def named(self, one: Theorem, inside: str) -> str:
        """The lemma's name from now on."""
        self.counted[inside] += 1
        self.names[one] = f"{inside or 'Lemma '}{self.counted[inside]}"
        return self.names[one]

    def is_routine(self, one: Theorem) -> bool:
        """Whether it is algebra, and all that it rests on."""
        if one not in self._routine:
            self._routine[one] = one.holds and one.made[0] in ROUTINE and all(map(self.is_routine, one.made[1]))
        return self._routine[one]

    def routine(self, those: Sequence[Theorem], outer: Theorem) -> list[Step]:
        """Algebra: one fact with what is below it folded, several in one fold."""
        found = [self.fact(one, outer) for one in those]
        if len(found) < 2:
            return found
        return [Step("By algebra, with signs on the domain", "", "", "", tuple(found))]

    def fact(self, one: Theorem, outer: Theorem) -> Step:
        """A theorem of algebra."""
        if one in self.names:
            return Step("As before", self.said(one, outer))
        self.names[one] = "as before"
        below = self.routine(list(dict.fromkeys(one.made[1])), one)
        inner = below[0].steps if len(below) == 1 and not below[0].latex else tuple(below)
        return Step(_sentence(_words(one.made[0])), self.said(one, outer), _sources(one), "", inner)

    def given(self, one: Theorem, inside: str) -> Step:
        """An atom's expansion: one that is believed, or a root's."""
        body = one.statement.body
        assert isinstance(body, Expanding)
        rule, premises, data = one.made
        label = terms.name(f"{GIVEN}{len(self.labels) + 1}")
        left = self.said(one, None)
        self.labels[terms.of(body.left)] = label
        said = f"{self.term(label)} = {left}"
        if rule == "leaf":
            methods = (terms.of(body.left).head.lower(), *data.get("by", ()))
            return Step("Given", said, ", ".join(f"engine: {by}" for by in methods))
        name = self.named(one, inside) if premises else ""
        return Step(_sentence(_words(rule)), said, _sources(one), name, tuple(self.before(one, f"{name}.")) if premises else ())

    def before(self, one: Theorem, inside: str) -> Iterator[Step]:
        """What a theorem rests on."""
        premises = list(dict.fromkeys(one.made[1]))
        yield from self.routine([premise for premise in premises if self.is_routine(premise)], one)
        for premise in premises:
            if not self.is_routine(premise):
                yield from self.lemma(premise, one, inside)

    # --- statements ----------------------------------------------------------------------------------------

    def term(self, term: Term) -> str:
        """A term in LaTeX."""
        return set_term(term, self.notation)

    def said(self, one: Theorem, outer: Theorem | None, refuted: bool = False) -> str:
        """What a theorem says, but for conditions of the one to which it belongs; ``refuted``: that it fails has been said."""
        known = outer.statement.domain if outer else ()

        def change(node: Node) -> Node:
            return self.read(node, one.statement, outer is not None)

        kept = [condition for condition in one.statement.domain if condition not in known]
        domain = tuple(each.changed(change) if isinstance(each, Compared) else each for each in kept)
        body = one.statement.body.changed(change)
        shown = statement_tex(replace(one.statement, body=body, domain=domain), self.notation)
        return shown if one.holds or refuted else rf"\text{{not: }}{shown}"

    def read(self, node: Node, statement: Statement, tidy: bool = True) -> Node:
        """A term of a statement, with the letters of ranges as they were before names were made different."""
        said = (*statement.terms(), *(one for condition in statement.conditions() for one in condition.terms()))
        every = frozenset[str]().union(*(one.every_name for one in said))
        own = {name: name.rstrip("_") for name in every if name.endswith("_") and name.rstrip("_") not in every}
        return tidied(named(node, own)) if tidy else named(node, own)

    def fails(self, one: Theorem) -> str:
        """Where it fails, if it does: a point, or a path."""
        rule, _, data = one.made
        if rule == "witness" and data["at"]:
            return f"; it fails at ${self.values(data['at'])}$"
        if rule in ("path", "along", "along powers"):
            run = rf"{self.term(terms.name(data['runner']))} \to \infty"
            return f"; it fails along ${self.values(data['values'])},\\ {run}$, where every condition holds"
        return ""

    def values(self, values: Mapping[str, str]) -> str:
        """Names with their values."""
        pairs = (f"{set_text(name, self.notation)} = {self.term(terms.read(str(x)))}" for name, x in values.items() if name != x)
        return r",\ ".join(pairs) or r",\ ".join(values)

    # --- series --------------------------------------------------------------------------------------------

    def asymptotic(self, one: Theorem) -> Iterator[Step]:
        """The series of a regime."""
        data = one.made[2]
        where = placed(one.statement, data["place"], [premise.statement for premise in one.made[1]])
        quantities = Quantities(where, data["place"].get("scales", {}))
        for p, q in data["place"].get("small", {}).items():
            p, q = (self.term(terms.name(name)) for name in (p, q))
            yield Step(f"Write ${q}$ for $-\\ln \\left(1 - {p}\\right)$", rf"1 - {p} = e^{{-{q}}},\ \frac{{{q}}}{{{p}}} \to 1")
        scales = [quantities.values[name] for name in data["place"].get("scales", {})]
        if len(scales) > 1:
            shown = r",\ ".join(rf"{self.term(scale)} \to \infty" for scale in scales)
            yield Step("Series are in what tends to infinity, each by itself", shown)
        yield from self.compared(one, where, quantities)

    def path(self, one: Theorem) -> Iterator[Step]:
        """The series along a path."""
        values = {str(k): terms.read(v) for k, v in one.made[2]["values"].items()}
        where = Placed(values, {one.made[2]["runner"]: 0}, Domain(), {})
        yield from self.compared(one, where, Quantities(where, {}))

    def compared(self, one: Theorem, where: Placed, quantities: Quantities) -> Iterator[Step]:
        """The series of each side, and the comparison."""
        body, algebra = one.statement.body, Algebra(where.domain, one.made[2]["order"])
        expander = expander_of(one.made[1], one.statement, where, algebra)
        labels, exact = dict(self.labels), one.holds and not one.made[2]["place"].get("small")
        for node, side in zip(body.terms(), ("the left side", "the right side", "the bound"), strict=False):
            parts = list(self.parts(terms.of(node), where, expander, quantities, labels))
            if not parts or (exact and not expander.series(where.put(terms.of(node))).rest):
                continue
            found = tuple(Step(_KINDS.get(part.head, ""), f"{label} = {series}") for part, label, series in parts)
            last, _, series = parts[-1]
            shown = self.node(node, one.statement)
            if len(parts) == 1 and series == self.term(where.put(last)):  # its terms are those of the series
                continue
            if last != terms.of(node):
                yield Step(f"Expanding parts of {side}", shown, steps=found)
            elif len(shown) > LONG:
                yield Step(f"Expanding, {side} is", series, steps=found)
            else:
                yield Step("Expanding,", f"{shown} = {series}", steps=found if len(found) > 1 else ())
        yield from self.decided(one, where, expander, quantities)

    def parts(
        self, whole: Term, where: Placed, expander: Expander, quantities: Quantities, labels: dict[Term, Term]
    ) -> Iterator[tuple[Term, str, str]]:
        """The parts of a term that have series, the inner ones first: each with its label, in those of others, and its series."""
        for part in _inside_out(whole):
            put = where.put(part)
            if part in labels or put.is_number or put in expander.leaves or expander.constant(put):
                continue
            with contextlib.suppress(Refused):  # a part that only the whole gives a meaning
                series = expander.series(put)
                written = set_series(series, expander.algebra, quantities, self.notation)
                if (len(series.terms) > 1 or series.rest) and written != self.term(part):
                    self.counted[LABEL] += 1
                    label = terms.name(f"{LABEL}{self.counted[LABEL]}")
                    yield part, f"{self.term(label)} = {self.term(_labelled(part, labels))}", written
                    labels[part] = label

    def decided(self, one: Theorem, where: Placed, expander: Expander, quantities: Quantities) -> Iterator[Step]:
        """What the series say of the statement."""
        body, a, source = one.statement.body, expander.algebra, _sources(one)

        def series(node: Node) -> Series:
            return expander.series(where.put(terms.of(node)))

        def shown(f: Series) -> str:
            return set_series(f, a, quantities, self.notation)

        def first(f: Series, alone: bool = False) -> str:
            growths = a.below(f)[1]  # those that outweigh the rest
            top = [(rational(1) if alone else c, g) for c, g in in_order(f.terms, a) if g in growths]
            return set_series(Series(tuple(top)), a, quantities, self.notation)

        with contextlib.suppress(Refused, ValueError):
            equal = "=" if one.holds else r"\ne"
            match body:
                case Ratio() | Expanding():
                    other = body.right if isinstance(body, Ratio) else body.kept
                    order, size = ("o", body.right) if isinstance(body, Ratio) else (body.order, body.growth)
                    gap, growth = a.minus(series(body.left), series(other)), series(size)
                    bound = rf"{_ORDERS[order]}\left({first(growth, True)}\right)"
                    same = a.within(gap, order, growth) is one.holds and shown(gap) not in ("0", bound)
                    yield Step("The two sides differ by", f"{shown(gap)} {equal} {bound}" if same else shown(gap), source)
                    return
                case Ordering():
                    f, g = first(series(body.left)), first(series(body.growth), True)
                    yield Step("By the largest terms", rf"{f} {equal} {_ORDERS[body.order]}\left({g}\right)", source)
                    return
                case Limiting():
                    tends = "tends" if one.holds else "does not tend"
                    yield Step(f"So it {tends} to ${self.node(body.value, one.statement)}$", "", source)
                    return
                case Eventual():
                    gap = a.minus(series(body.left), series(body.right))
                    yield Step("The left side less the right side is", shown(gap), source)
                    return
        yield Step(_sentence(_words(one.made[0])), "", source)

    def node(self, node: Node, statement: Statement) -> str:
        """A term of a statement, as it is written there."""
        return set_text(words(self.read(node, statement)), self.notation)

    # --- other rules ---------------------------------------------------------------------------------------

    def bounds(self, one: Theorem) -> Iterator[Step]:
        """Goals, each with those to which it comes down."""
        for goal in told(one.made[2], self.term, lambda term: f"${self.term(term)}$"):
            yield replace(goal, source=_sources(one))

    def order(self, one: Theorem) -> Iterator[Step]:
        """What is known, step by step; a long proof is folded away."""
        steps, words = tuple(told_order.told(one.made[2], self.term)), _sentence(WORDS["order"])
        if len(steps) > MOST_STEPS:
            yield Step(words, "", _sources(one), steps=steps)
        else:
            yield Step(words, "", _sources(one))
            yield from steps

    def witness(self, one: Theorem) -> Iterator[Step]:
        """Both sides at the point."""
        _, _, data = one.made
        asked, evaluator = question(replace(one.statement, some=())), Evaluator(data["bits"])
        at = {v: Range(number_in(x), number_in(x)) for v, x in data["at"].items()}
        said = "By balls"
        with contextlib.suppress(Refused, ValueError, OverflowError):
            for link in [link for link in asked.links if certainly(link, at, evaluator) is False][:1]:
                left, right = (_decimal(evaluator.range(side, at)) for side in (link[0], link[2]))
                sides = ("the left side", "the right side")
                if len(asked.links) > 1:
                    sides = (f"${self.term(link[0])}$", f"${self.term(link[2])}$")
                said = f"There {sides[0]} is ${left}$ and {sides[1]} ${right}$"
        yield Step(said, "", _sources(one))


def is_bare(one: Theorem) -> bool:
    """Whether its rule says all that there is to say."""
    rule, premises, _ = one.made
    return not premises and rule not in _TOLD and rule not in _GIVEN


def _sources(one: Theorem) -> str:
    """What is trusted for a theorem and for none on which it rests; a definition is said elsewhere."""
    own = one.trusts.difference(*(premise.trusts for premise in one.made[1]))
    return ", ".join(sorted("the model" if source.startswith(DEFINITION) else source for source in own))


def _words(rule: str) -> str:
    return WORDS.get(rule, f"by the rule {rule}")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _closing(one: Theorem) -> str:
    """How the statement follows."""
    words = _words(one.made[0])
    return f"Hence {'the statement' if one.holds else 'it fails'}: {words}" if one.made[1] else _sentence(words)


def _labelled(term: Term, labels: Mapping[Term, Term]) -> Term:
    """A term with the labels of parts that were shown before; of a negative only the part itself has one."""
    if term in labels:
        return labels[term]
    if not term.parts:
        return term
    return terms.rebuilt(term, tuple(_labelled(part, labels) for part in term.parts))


def _inside_out(term: Term) -> Iterator[Term]:
    """The parts of a term that is no sum over a variable, the inner ones first, then the term."""
    if term.head not in BINDERS:
        for part in term.parts:
            yield from _inside_out(part)
    yield term


def _decimal(x: Range) -> str:
    """A number to the digits that are certain of it, at most eight."""
    if x.is_point and x.low.q < 10**6:
        return str(x.low) if x.low.q == 1 else rf"\frac{{{x.low.p}}}{{{x.low.q}}}"
    for digits in range(8, 0, -1):
        low, high = (f"{float(end):.{digits}g}" for end in (x.low, x.high))
        if low == high:
            mantissa, _, exponent = low.partition("e")
            return mantissa + r"\ldots" + (rf" \cdot 10^{{{int(exponent)}}}" if exponent else "")
    raise ValueError("not known to one digit")


_ORDERS = {"O": "O", "o": "o", "Theta": r"\Theta", "Omega": r"\Omega", "omega": r"\omega"}
_KINDS = {"Sum": "Series of a sum", "Integral": "Series of an integral", "Coefficient": "By singularities or a saddle"}
_GIVEN = frozenset({"leaf", "root series"})
_TOLD: dict[str, Callable[[_Teller, Theorem], Iterator[Step]]] = {
    "asymptotic": _Teller.asymptotic, "path": _Teller.path, "bounds": _Teller.bounds, "order": _Teller.order,
    "witness": _Teller.witness,
}  # fmt: skip
"""What a derivation says of a step by each rule, where it says more than the rule's words."""
