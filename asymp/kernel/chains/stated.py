"""A statement on a population: its domain, and the population at the parameters with which its functions are called."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asymp.kernel import terms
from asymp.kernel.chains.population import HERE, THERE, Balanced
from asymp.kernel.sequences.rewriting import Rewriter
from asymp.kernel.summation import linear
from asymp.kernel.summation.cells import on_cell
from asymp.kernel.summation.linear import System
from asymp.kernel.summation.sums import Sums
from asymp.kernel.terms import Refused, Term, add, multiply, name, negative, number, substitute
from asymp.language.conditions import Compared, Every, OfFunction, OfKind, read_conditions
from asymp.language.meanings import MEANT
from asymp.language.names import BINDERS
from asymp.language.populations import read_form
from asymp.language.statement import Statement

LEVEL, TIME, TOTAL, WEIGHT = (name(f"{one}_of_population") for one in ("level", "time", "total", "weight"))
"""A level, the variable of an integral, the total of a state, and the sum of all weights."""
Work = Callable[[Sums, Callable[[Term], Term]], bool]


class Stated:
    """A statement, and what is known on its domain; of functions that it declares nothing is, but what is asked for by name.

    Raises:
        Refused: it calls no functions of the population, or for other parameters than those that the population has.
    """

    def __init__(self, law: Balanced, statement: Statement) -> None:
        self.law, self.statement = law, statement
        chain, domain = law.chain, statement.domain
        self.functions = {one: read_form(kind) for one, kind in chain.functions}
        self.said = terms.singles(domain)
        self.declared = {c.name: c for c in domain if isinstance(c, OfFunction)}
        known = [c for c in domain if not isinstance(c, (OfFunction, Every))]
        if not all(isinstance(c, (OfKind, Compared)) for c in known):
            raise Refused("comparisons and kinds are wanted")
        self.of_functions = [c for c in known if isinstance(c, Compared) and self.is_of_functions(*map(terms.of, c.terms()))]
        plain = [c for c in known if c not in self.of_functions]
        there = Rewriter(plain, [])
        self.whole, self.cell, self.rest = there.whole, there.cell, there.rest
        nodes = [*self.statement.terms(), *(node for c in domain for node in c.terms())]
        used = frozenset(self.declared).union(chain.parameters, *(terms.free(terms.of(node)) for node in nodes))
        if used & {HERE, THERE} or any("_of_population" in one for one in used) or set(self.declared) & {*self.functions, *MEANT}:
            raise Refused("a name that stands for something else")
        put = self._parameters()
        if not all(there.seen(c, put, there.cell, there.whole) for c in chain.of):
            raise Refused("the parameters are not seen to be those of the population")
        self.size, self.low, self.high = (substitute(one, put) for one in (law.size, law.low, law.high))
        self.weight, self.share = (substitute(one, {**put, law.level: LEVEL}) for one in (law.weight, law.share))
        self.of_total = substitute(law.of_total, {**put, law.total.name: TOTAL})
        self.put_in, self.more = put, set[str]()

    def _parameters(self) -> dict[str, Term]:
        """With which parameters the functions are called: with the same all over."""
        chain, found = self.law.chain, set[tuple[Term, ...]]()
        for node in self.statement.terms():
            for part in terms.walk(terms.of(node)):
                if part.head in self.functions:
                    found.add(part.parts[len(chain.extra(part.head)) :])
        parts = (part for one in found for x in one for part in terms.walk(x))
        if len(found) != 1 or any(part.head in (*self.functions, *BINDERS, "bound") for part in parts):
            raise Refused("functions of the population are wanted, all with the same parameters")
        (given,) = found
        return dict(zip(chain.parameters, given, strict=True))

    def is_of_functions(self, *found: Term) -> bool:
        """Whether a declared function is called in terms."""
        return any(part.head in self.declared for term in found for part in terms.walk(term))

    def a_level(self, term: Term) -> Term:
        """The term, if it is seen to be a level."""
        try:
            inside = linear.all_of(self.cell, [self.row(self.low, term), self.row(term, self.high)])
        except Refused:
            inside = False
        if not inside or not linear.is_whole(term, self.whole):
            raise Refused(f"{term} is not seen to be a level")
        return term

    # --- where something is seen ----------------------------------------------------------------------

    def seen(self, work: Work, cell: System = frozenset(), more: Sequence[Term] = (), whole: Sequence[Term] = ()) -> bool:
        """Whether something is seen on the domain, on a cell, where more are positive, and more are whole."""
        rest = [*self.rest, *(c for one in more for c in read_conditions(f"{one} > 0"))]
        try:
            return on_cell(self.cell | cell, rest, {*self.whole, *(one.name for one in whole)}, (), work)
        except Refused:
            return False

    def row(self, low: Term, high: Term) -> linear.Linear:
        """low <= high, of whole quantities."""
        return linear.at_least(low, high, {*self.whole, *self.more, LEVEL.name, HERE, TOTAL.name})

    @property
    def levels(self) -> System:
        """What is known of any level."""
        return frozenset({self.row(self.low, LEVEL), self.row(LEVEL, self.high)})

    def same(
        self, sides: Sequence[Term], cell: System = frozenset(), more: Sequence[Term] = (), whole: Sequence[Term] = ()
    ) -> bool:
        """Whether two terms are seen to be equal."""
        left, right = sides
        return self.seen(lambda one, put: one.is_zero(one.of(put(left)) - one.of(put(right))), cell, more, whole)

    def vector(self, vector: Term) -> Term:
        """The body of a vector over all levels."""
        if vector.head != "Vector" or vector.parts[1:] != (self.low, self.high) or len(vector.parts) != 3:
            raise Refused("a vector over all levels is wanted")
        if any(part.head in (*self.functions, *BINDERS) for part in terms.walk(vector.parts[0])):
            raise Refused("a function of a function")
        return vector.parts[0]

    def width(self) -> int:
        """How many levels there are, where that is a number; else 0."""
        found, c = linear.form(add(self.high, negative(self.low)), self.whole)
        return int(c) + 1 if not any(found.values()) and c.denominator == 1 else 0

    def plain(self, term: Term, fresh: dict[Term, Term]) -> Term:
        """A term with names for the values of declared functions, whose arguments are put in order."""
        if term.head in self.declared:
            call = Term(term.head, tuple(map(self.in_order, term.parts)))
            return fresh.setdefault(call, name(f"value{len(fresh)}_of_population"))
        if term.head in BINDERS and self.is_of_functions(term):
            raise Refused("a function under a sum")
        return terms.rebuilt(term, tuple(self.plain(part, fresh) for part in term.parts)) if term.parts else term

    def in_order(self, term: Term) -> Term:
        """A linear form in whole quantities, in one way of writing it."""
        found, c = linear.form(term, {*self.whole, LEVEL.name})
        return add(number(c), *(multiply(number(k), linear.product(v)) for v, k in sorted(found.items()) if k))
