"""What the series of a theorem say of its quantity: terms and a remainder, in the variables of its statement.

A theorem of a regime comes from series; those of the quotient f/g, or of f, are written down here, with as many terms as
show one beyond what is claimed.  Of a refutation they hold along its path.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> (found,) = expansions(theorem(read_statement("harmonic(n) ~ log(n) as whole n -> oo"), True))
>>> found.kept[:2], found.next, found.why
(('1', 'EulerGamma/log(n)'), ('EulerGamma/log(n)',), 'f/g tends to 1')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from asymp.kernel import terms
from asymp.kernel.growths.asymptotics import by_series, fails_by_series, holds, quotient
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import ONE, Domain, Growth
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.regime import Placed, placed
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import Ratio as Coefficient
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem
from asymp.language.bodies import Body, Expanding, Limiting, Ordering, Ratio
from asymp.language.statement import Statement
from asymp.prove.asymptotic import ORDERS, Leaves
from asymp.prove.written import Quantities, in_order, in_words

FURTHER = {True: 3, False: 2}
"""Pairs of orders, beyond those of the theorem, at which a further term is looked for: of f ~ g, and of others."""


@dataclass(frozen=True)
class Expanded:
    """A quantity that is ``kept`` + O(``rest``), as text.

    Args:
        statement: that of which the theorem speaks, with the values of parameters that were taken one by one.
        quantity: ``"f/g"``, or ``"f"`` where g has no leading term; of a limit ``"f"``.
        kept: its terms, the larger ones first.
        rest: growths of the remainder; none where the terms are exact.
        why: what that says of the statement.
        next: the terms that tell f from what is claimed, if the remainder does not hide them.
        along: of a refutation, the variables' values in the runner.
        runner: its name.
    """

    statement: Statement
    quantity: str
    kept: tuple[str, ...]
    rest: tuple[str, ...]
    why: str
    next: tuple[str, ...] = ()
    along: Mapping[str, str] = field(default_factory=dict)
    runner: str = ""


def expansions(theorem: Theorem) -> list[Expanded]:
    """What the series behind a theorem say: one, or one for each value of a parameter that was taken by itself.

    Raises:
        Refused: it comes from something else than series in a regime.
    """
    rule, premises, data = theorem.made
    if rule in ("written out", "apart"):
        return [one for premise in premises for one in expansions(premise)]
    if rule not in ("asymptotic", "path"):
        raise Refused(f"no series in the rule {rule}")
    last = Refused("no order shows the terms")
    best: Expanded | None = None
    for order, given in _orders(theorem, premises, data):
        try:
            found = _Told(theorem, order, given).expanded()
        except Refused as error:
            last = error
            continue
        best = best if best is not None and not found.next else found
        if found.next or not found.rest or not theorem.holds:
            break
    if best is None:
        raise last
    return [best]


def _orders(theorem: Theorem, premises: Sequence[Theorem], data: Mapping[str, Any]) -> Iterator[tuple[int, Sequence[Theorem]]]:
    """The theorem's own order and leaves; then more terms."""
    yield data["order"], premises
    if "place" not in data:
        return
    if premises:  # what is given may be known better than the kernel's own series were
        yield data["order"] + 2, premises
    atoms = [p.statement.body.left for p in premises if isinstance(p.statement.body, Expanding)]
    said = Leaves(theorem.statement, [data["place"]], atoms)
    more = [pair for pair in ORDERS if pair[1] > data["order"] or (pair[1] == data["order"] and premises)]
    for engine, order in more[: FURTHER[isinstance(theorem.statement.body, Ratio)]]:
        try:
            yield order, said.to(engine)
        except Refused:
            continue


class _Told:
    """The series of one theorem at one order."""

    def __init__(self, theorem: Theorem, order: int, premises: Sequence[Theorem]) -> None:
        self.theorem, self.statement, data = theorem, theorem.statement, theorem.made[2]
        if theorem.made[0] == "path":
            values = {str(k): terms.read(v) for k, v in data["values"].items()}
            self.runner, self.along = data["runner"], dict(data["values"])
            self.where, scales = Placed(values, {self.runner: 0}, Domain(), {}), {}
        else:
            self.runner, self.along = "", {}
            self.where, scales = placed(self.statement, data["place"], [p.statement for p in premises]), data["place"]["scales"]
        self.algebra = Algebra(self.where.domain, order)
        self.expander: Expander
        by_series(partial(self._shown, premises), self.algebra, [self.where.put(terms.of(x)) for x in self.statement.terms()])
        self.quantities = Quantities(self.where, scales)
        self.small = {q.name: terms.read(f"-log(1 - {p})") for p, q in self.where.powers.items()}
        self.near = {q.name: terms.name(p) for p, q in self.where.powers.items()}
        moving = [name for name, x in self.along.items() if not terms.read(x).is_number]
        if len(moving) == 1 and self.along[moving[0]] == self.runner:  # the runner is that variable
            self.near[self.runner] = terms.name(moving[0])

    def _shown(self, premises: Sequence[Theorem], algebra: Algebra) -> None:
        """The series by which a theorem is shown: as the rule has it."""
        self.algebra = algebra
        self.expander = expander_of(premises, self.statement, self.where, algebra)
        if self.runner:
            self.expander.whole |= {terms.name(self.runner)}
        show = holds if self.theorem.holds else fails_by_series
        if not show(self.statement.body, self.expander, lambda node: self.where.put(terms.of(node))):
            raise Refused("not by these series")

    def series(self, node: Any) -> Series:
        return self.expander.series(self.where.put(terms.of(node)))

    def expanded(self) -> Expanded:
        """What the series say."""
        body = self.statement.body
        name, q, beyond = self._quantity(body)
        why = self._why(body, q, beyond)
        shown = in_order(q.terms, self.algebra)
        kept = tuple(self.term(c, g) for c, g in shown)
        rest = tuple(self.term(rational(1), g) for g in q.rest)
        following = self._leading(beyond) if self.theorem.holds else []
        return Expanded(
            self.statement, name, kept, rest, why, tuple(self.near_term(c, g) for c, g in following), self.along, self.runner
        )

    def _quantity(self, body: Body) -> tuple[str, Series, Series]:
        """What numbers are set against, and the difference that the statement is about."""
        a = self.algebra
        match body:
            case Ratio():
                f, g = quotient(self.expander, self.where.put(terms.of(body.left)), self.where.put(terms.of(body.right)))
                q = a.times(f, a.power(g, rational(-1)))
                return "f/g", q, a.minus(q, a.constant(rational(1)))
            case Limiting():
                f, value = self.series(body.left), terms.of(body.value)
                infinite = value in (terms.name("oo"), terms.negative(terms.name("oo")))
                return "f", f, f if infinite else a.minus(f, self.series(body.value))
            case Expanding() | Ordering():
                f = self.series(body.left)
                f = a.minus(f, self.series(body.kept)) if isinstance(body, Expanding) else f
                g = self.series(body.growth)
                f, g = (g, f) if body.order in ("Omega", "omega") else (f, g)
                try:
                    q = a.times(f, a.power(g, rational(-1)))
                except Refused:
                    return "f", f, f
                lead = self._leading(q) if body.order == "Theta" else []
                if len(lead) == 1 and lead[0][1].same(ONE):  # the quotient tends to a constant: what comes after it
                    return "f/g", q, a.minus(q, a.constant(lead[0][0]))
                return "f/g", q, f
        raise Refused("a statement of another form")

    def _leading(self, f: Series) -> list[tuple[Coefficient, Growth]]:
        """The terms that no other outweighs, if the remainder does not hide them."""
        def small(g: Growth, h: Growth) -> bool:
            return (g / h).limit(self.algebra.domain) == "zero"

        top = [(c, g) for k, (c, g) in enumerate(f.terms) if not any(small(g, h) for j, (_, h) in enumerate(f.terms) if j != k)]
        return top if all(any(small(r, g) for _, g in top) for r in f.rest) else []

    def _why(self, body: Body, q: Series, beyond: Series) -> str:
        """In words, what the series say."""
        holds, lead = self.theorem.holds, self._leading(q)
        large = any(g.limit(self.algebra.domain) == "infinity" for _, g in lead)
        first = " + ".join(self.near_term(c, g) for c, g in lead).replace("+ -", "- ")
        at = ", ".join(f"{v} = {x}" for v, x in self.along.items())
        along = f"along {at} " if at and list(self.along.values()) != [self.runner] else ""
        match body:
            case Ratio() | Limiting():
                name, target = ("f/g", "1") if isinstance(body, Ratio) else ("the quantity", in_words(terms.of(body.value)))
                if not holds and (large or (not lead and q.rest)):
                    return f"{along}{name} behaves as {first}" if lead else f"{along}{name} does not tend to {target}"
                if large:
                    return f"{along}{name} behaves as {first}"
                other = "0" if self.algebra.vanishes(q) else target
                limit = next((self.near_term(c, g) for c, g in q.terms if g.same(ONE)), other)
                return f"{along}{name} tends to {limit}" + ("" if holds else f", not {target}")
            case Expanding() | Ordering():
                left, bound = ("it", body.growth) if body.order not in ("Omega", "omega") else ("the right side", body.left)
                order = {"Omega": "O", "omega": "o"}.get(body.order, body.order)
                if body.order == "Theta":
                    kind = "tends to" if lead and lead[0][1].same(ONE) else "behaves as"
                    return f"{along}the quotient {kind} {first or '0'}"
                tail = self._leading(beyond)
                what = " + ".join(self.near_term(c, g) for c, g in tail).replace("+ -", "- ") or "0"
                if not tail and (beyond.terms or beyond.rest):
                    parts = [self.near_term(c, g) for c, g in beyond.terms]
                    rest = " + ".join(self.near_term(rational(1), g) for g in beyond.rest)
                    what = " + ".join([*parts, *([f"O({rest})"] if rest else [])]).replace("+ -", "- ")
                elif beyond.rest or len(beyond.terms) > len(tail):
                    what = f"{what} + ..."
                said = f"{order}({in_words(terms.of(bound))})"
                return f"{along}{left} is {what}, which is {said if holds else f'not {said}'}"
        raise Refused("a statement of another form")

    # --- in words ----------------------------------------------------------------------------------------

    def term(self, c: Coefficient, growth: Growth) -> str:
        """A term, exactly."""
        return in_words(terms.substitute(self.quantities.term(c, growth), self.small))

    def near_term(self, c: Coefficient, growth: Growth) -> str:
        """A term, to leading order where nothing exponential is in it: -log(1 - p) is p."""
        if growth.exponent and not self.runner:
            return self.term(c, growth)
        return in_words(terms.substitute(self.quantities.term(c, growth), self.near))
