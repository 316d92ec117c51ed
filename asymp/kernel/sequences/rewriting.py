"""Rules that put equal terms for functions of which theorems tell the values, and that join cases.

>>> import asymp.kernel.growths.asymptotics
>>> from asymp.kernel.theorem import apply
>>> apply("rewrite", [], statement="1 < 2 for x > 0", cuts=[])
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: values of functions, the comparison with these put in, and cuts
>>> parts = [apply("algebra", statement=f"x + x = 2*x for whole x, {where}") for where in ("x >= 1", "x <= 0")]
>>> apply("cases", parts, statement="x + x = 2*x for whole x", cases=[{"where": "x >= 1"}, {"where": "x <= 0"}])
⊢ x + x = 2*x for whole x
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.rings.circular import turned
from asymp.kernel.summation import linear
from asymp.kernel.summation.cells import node_of, on_cell
from asymp.kernel.summation.linear import Relation, System, relations
from asymp.kernel.summation.sums import Sums, bound
from asymp.kernel.terms import ONE, Refused, Term, add, name, negative, opened, rebuilt, singles, substitute
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, read_closed, rule, shown
from asymp.language.bodies import Shape
from asymp.language.conditions import Compared, Condition, OfKind, read_conditions
from asymp.language.finite import written
from asymp.language.meanings import HEADS
from asymp.language.names import BINDERS
from asymp.language.names import substitute as put_nodes
from asymp.language.statement import Comparison, Statement
from asymp.language.syntax import Node, walk

DEEPEST = 8
MOST_SUMS = 400
"""Parts of sums that are tried."""
Value = tuple[Term, Term, tuple[Condition, ...]]
"""f(x, y, ...) of different variables, what it is, and where."""


def values_of(premises: Sequence[Theorem]) -> list[Value]:
    """The equations f(x, y, ...) = term among premises.

    Raises:
        Refused: one is of another form.
    """
    found = []
    for one in premises:
        other = one.statement
        if not one.holds or type(other.body) is not Comparison or other.some or other.uniform or other.regime:
            raise Refused("a premise of another form")
        (single,) = list(other.body.chain.pairs())
        left, sign, right = terms.of(single[0]), single[1], terms.of(single[2])
        names = [part.name for part in left.parts if part.head == "name" and part.name not in terms.CONSTANTS]
        if sign != "=" or not left.parts or len(names) < len(left.parts) or len(set(names)) < len(names):
            raise Refused("a premise that is no value of a function at variables")
        if left.head in HEADS | set(BINDERS):
            raise Refused("a premise on what is no function")
        variables = {v for c in other.domain for node in c.terms() for v in terms.free(terms.of(node))} | terms.free(right)
        variables |= {c.name for c in other.domain if isinstance(c, OfKind)}
        if not variables <= set(names):
            raise Refused("a premise with variables that the function does not have")
        found.append((left, right, other.domain))
    return found


class Rewriter:
    """Puts values for functions, on a domain.  ``cuts``: terms after which sums are cut where no value holds throughout."""

    def __init__(self, domain: Sequence[Condition], values: Sequence[Value], cuts: Sequence[Term] = ()) -> None:
        self.values = list(values)
        self.heads = {left.head for left, _, _ in values}
        self.cuts = tuple(cuts)
        self.whole = given(domain).whole
        self.cell, self.rest = linear.system(domain, self.whole)
        self.used: set[int] = set()
        self.sums = 0

    def rewritten(self, term: Term) -> Term:
        """The term with values for functions, at all places where there are any.

        Raises:
            Refused: a function of which no value is known at its place.
        """
        return self._put(term, self.cell, self.whole, 0)

    def _holds_one(self, term: Term) -> bool:
        return any(part.head in self.heads for part in terms.walk(term))

    def _put(self, term: Term, cell: System, whole: frozenset[str], depth: int) -> Term:
        if not self._holds_one(term):
            return term
        if term.head == "Sum":
            return self._sum(term, cell, whole, depth, self.cuts)
        if term.head in BINDERS:
            raise Refused(f"a function under a {term.head}")
        parts = tuple(self._put(part, cell, whole, depth) for part in term.parts)
        if term.head not in self.heads:
            return rebuilt(term, parts)
        settled = tuple(self._settled(part, cell, whole) for part in parts)
        for part in settled:
            if not (part.head == "name" and part != name("oo")) and not self._is_linear(part, whole):
                if not self._shown(part, cell, whole, lambda one, x: True):
                    raise Refused(f"{part} is not seen to be defined")
        return self._value(Term(term.head, settled), cell, whole)

    def _is_linear(self, term: Term, whole: frozenset[str]) -> bool:
        try:
            linear.form(term, whole)
        except Refused:
            return False
        return True

    def _settled(self, term: Term, cell: System, whole: frozenset[str]) -> Term:
        """Min and Max of whole numbers whose order is seen."""
        if not term.parts or term.head in BINDERS:
            return term
        parts = tuple(self._settled(part, cell, whole) for part in term.parts)
        if term.head in ("Min", "Max") and len(parts) == 2:
            for x, y in (parts, parts[::-1]):
                if linear.implies(cell, linear.at_least(x, y, whole)):
                    return x if term.head == "Min" else y
        return rebuilt(term, parts)

    def _sum(self, term: Term, cell: System, whole: frozenset[str], depth: int, cuts: tuple[Term, ...]) -> Term:
        """A sum, as a whole or in the parts up to a cut and after it."""
        body, low, high = term.parts
        self.sums += 1
        if self.sums > MOST_SUMS:
            raise Refused("too many parts of sums")
        if depth > DEEPEST or self._holds_one(low) or self._holds_one(high):
            raise Refused("sums inside one another, or a function at an end")
        if not linear.implies(cell, linear.at_least(low, add(high, ONE), whole)):
            raise Refused("a sum that may run backwards")
        for end in (low, high):
            if not linear.is_whole(end, whole):
                raise Refused("the ends of a sum are to be whole")
        if low == high:
            return self._put(opened(body, low), cell, whole, depth)
        try:
            k = f"@{depth}"
            within, inside = whole | {k}, opened(body, name(k))
            more = {linear.at_least(low, name(k), within), linear.at_least(name(k), high, within)}
            return Term("Sum", (bound(self._put(inside, cell | more, within, depth + 1), k), low, high))
        except Refused as error:
            last = error
        for place, cut in enumerate(cuts):
            after = add(cut, ONE)
            ends = ((low, after), (cut, high))
            if cut == high or after == low or not terms.free(cut) <= whole:
                continue
            if all(linear.implies(cell, linear.at_least(x, y, whole)) for x, y in ends):
                try:
                    parts = [Term("Sum", (body, low, cut)), Term("Sum", (body, after, high))]
                    return add(*(self._sum(part, cell, whole, depth, cuts[place + 1 :]) for part in parts))
                except Refused as error:
                    last = error
        raise last

    def _value(self, term: Term, cell: System, whole: frozenset[str]) -> Term:
        for k, (left, right, where) in enumerate(self.values):
            if left.head == term.head and len(left.parts) == len(term.parts):
                put = {variable.name: part for variable, part in zip(left.parts, term.parts, strict=True)}
                if all(self.seen(c, put, cell, whole) for c in where):
                    self.used.add(k)
                    return substitute(right, put)
        raise Refused(f"no value of {term}")

    def seen(self, c: Condition, put: Mapping[str, Term], cell: System, whole: frozenset[str]) -> bool:
        """Whether a condition of a value is seen to hold."""
        if isinstance(c, OfKind):
            if c.kind == "real":
                return self._shown(put[c.name], cell, whole, lambda one, x: True)
            try:
                return linear.is_whole(put[c.name], whole)
            except Refused:
                return False
        if not isinstance(c, Compared):
            return False
        return all(self._compared(one, put, cell, whole) for one in relations([c]))

    def _compared(self, one: Relation, put: Mapping[str, Term], cell: System, whole: frozenset[str]) -> bool:
        low, high = substitute(one.low, put), substitute(one.high, put)
        try:
            return linear.implies(cell, linear.at_least(low, high, whole, one.strict))
        except Refused:
            pass
        if any(low == r.low and high == r.high and r.strict >= one.strict for r in self._given()):
            return True
        if one.strict:
            return self._shown(add(high, negative(low)), cell, whole, lambda sums, x: sums.sign(x) == 1)
        return self._shown(add(high, negative(low)), cell, whole, lambda sums, x: sums.is_nonnegative(x))

    def _given(self) -> tuple[Relation, ...]:
        return relations(c for c in self.rest if isinstance(c, Compared))

    def _shown(self, term: Term, cell: System, whole: frozenset[str], told: Any) -> bool:
        def work(sums: Sums, values: Any) -> bool:
            return bool(told(sums, sums.of(values(term))))

        try:
            return on_cell(cell, self.rest, whole, (), work)
        except Refused:
            return False


def rewritten(statement: Statement, writer: Rewriter) -> Statement:
    """A comparison with values for functions.

    Raises:
        Refused: there is a function without a value.
    """
    return _changed(statement, writer.rewritten)


@rule("rewrite")
def _rewrite(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A comparison, from values f(x, y, ...) = term for some domain, and from the comparison with these put in.

    The two say the same, so that the one fails where the other does.

    Each place where f stands must lie in the domain of a value: that is seen by linear conditions on whole numbers, by a
    condition of the statement, or by a sign.  In a sum over k from a to b >= a - 1 it must hold for a <= k <= b; where it
    does not, the sum is cut after one of the terms ``cuts``.
    """
    statement = comparison_in(data)
    if not premises:
        raise Refused("values of functions, the comparison with these put in, and cuts")
    *values, last = premises
    writer = Rewriter(statement.domain, values_of(values), [terms.read(one) for one in data.texts("cuts")])
    if terms.canonical(rewritten(statement, writer)) != terms.canonical(last.statement):
        raise Refused("the last premise is not the statement with these values")
    if len(writer.used) < len(values):
        raise Refused("a value that is not used")
    return Conclusion(statement, last.holds)


@rule("replace")
def _replace(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A comparison, or a shape, from equations whose domains hold its own, and from it with their right for their left sides.

    The left side of an equation has no variable but those of the domain, so that it is the same at all its places.
    """
    statement = read_closed(data["statement"])
    if type(statement.body) not in (Comparison, Shape) or statement.some or statement.uniform or statement.regime:
        raise Refused("a comparison or a shape for all of a domain is wanted")
    if not premises:
        raise Refused("equations, and the comparison with their right for their left sides")
    *equations, last = premises
    goal = singles(statement.domain)
    put: dict[Term, Term] = {}
    for one in equations:
        other = one.statement
        if not one.holds or type(other.body) is not Comparison or other.some or other.uniform or other.regime:
            raise Refused("a premise of another form")
        ((left, sign, right),) = list(other.body.chain.pairs())
        if sign != "=" or not singles(other.domain) <= goal:
            raise Refused("an equation on another domain")
        put[terms.of(left)] = terms.of(right)
    if terms.canonical(replaced(statement, put)) != terms.canonical(last.statement):
        raise Refused("the last premise is not the statement with these values")
    if len(put) < len(equations) or any(replaced(statement, {left: put[left]}) == statement for left in put):
        raise Refused("an equation that is not used")
    return Conclusion(statement, last.holds)


def replaced(statement: Statement, put: Mapping[Term, Term]) -> Statement:
    """A comparison, or a shape, with terms for terms, the outermost first."""

    def change(term: Term) -> Term:
        if term in put:
            return put[term]
        return rebuilt(term, tuple(map(change, term.parts))) if term.parts else term

    return _changed(statement, change)


def _changed(statement: Statement, change: Callable[[Term], Term]) -> Statement:
    if isinstance(statement.body, Shape):
        return replace(statement, body=replace(statement.body, term=node_of(change(terms.of(statement.body.term)))))
    if not isinstance(statement.body, Comparison):
        raise Refused("a comparison is wanted")
    chain = statement.body.chain
    parts = tuple(node_of(change(terms.of(part))) for part in chain.parts)
    return replace(statement, body=replace(statement.body, chain=replace(chain, parts=parts)))


@rule("written out")
def _written_out(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement from the same with its sums and products between numbers, such as Sum(f(k), (k, 1, 3)), written out.

    Or with (-1)^k for cos(pi*k), and 0 for sin(pi*k), in its sums and products over whole k (DLMF 4.16.1, Table 4.16.1).
    """
    statement = read_closed(data["statement"])
    other = in_whole_turns(statement)
    turned = len(premises) == 1 and terms.canonical(premises[0].statement) == terms.canonical(other)
    return Conclusion(statement, shown(premises, [other if turned else written(statement)], None))


def in_whole_turns(statement: Statement) -> Statement:
    """With the values of sines and cosines at whole multiples of pi in sums and products; itself where there are none.

    >>> from asymp.language.statement import read_statement
    >>> print(in_whole_turns(read_statement("Sum(cos(pi*k)/k, (k, 1, oo)) = -log(2)")))
    Sum(b0^(-1)*(-1)^b0, (b0, 1, oo)) = -log(2)
    """
    whole = given(statement.conditions()).whole

    def of(node: Node) -> Node:
        if not any(part.kind == "call" and part.text in ("sin", "cos") for part in walk(node)):
            return node
        term = terms.of(node)
        return node if (found := _turned(term, whole, 0)) == term else node_of(found)

    return replace(statement, body=statement.body.changed(of))


def _turned(term: Term, whole: frozenset[str], depth: int) -> Term:
    if not any(part.head in ("sin", "cos") for part in terms.walk(term)):
        return term
    if term.head not in ("Sum", "Product"):
        found = rebuilt(term, tuple(_turned(part, whole, depth) for part in term.parts))
        return turned(found, whole) if depth else found
    k = f"@{depth}"
    body = _turned(opened(term.parts[0], name(k)), whole | {k}, depth + 1)
    return Term(term.head, (bound(body, k), *(_turned(end, whole, depth) for end in term.parts[1:])))


@rule("cases")
def _cases(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A comparison on a domain from the same in cases that cover it.

    A case is {"where": conditions}, linear in whole variables, and its premise has these besides the statement's; or
    {"put": {v: t}}, v = t in whole numbers, and its premise is the statement with t for v.  Where one case fails, so does
    the statement.
    """
    statement = comparison_in(data)
    cases = data.listed("cases")
    if len(cases) != len(premises) or not premises:
        raise Refused("a case for each premise, and one at least: a domain without points is covered by none")
    whole = given(statement.domain).whole
    cell, _ = linear.system(statement.domain, whole)
    regions = []
    for case, premise in zip(cases, premises, strict=True):
        wanted, region = with_case(statement, case, whole)
        if terms.canonical(premise.statement) != terms.canonical(wanted):
            raise Refused("a premise is not its case")
        if not premise.holds and len(premises) > 1:
            raise Refused("cases beside one that fails")
        if not premise.holds:
            return Conclusion(statement, holds=False)
        regions.append(sorted({one.at({}, whole) for one in region}))
    if not linear.covered(cell, regions):
        raise Refused("the cases are not seen to cover the domain")
    return Conclusion(statement)


def with_case(statement: Statement, case: Any, whole: frozenset[str]) -> tuple[Statement, tuple[Relation, ...]]:
    """The statement of a case, and where it is.

    Raises:
        Refused: it is no case.
    """
    if type(case) is not dict or len(case) != 1:
        raise Refused("a case is where it is, or what is put for a variable")
    if "where" in case:
        if type(case["where"]) is not str:
            raise Refused("conditions are a text")
        found = read_conditions(case["where"])
        if any(isinstance(c, OfKind) for c in found):
            raise Refused("a case says no kind")
        return replace(statement, domain=(*found, *statement.domain)), relations(found)
    if type(case.get("put")) is not dict or len(case["put"]) != 1:
        raise Refused("one variable is put at once")
    ((v, text),) = case["put"].items()
    if type(v) is not str or type(text) is not str or v not in whole:
        raise Refused("a whole variable, and a term")
    value = terms.read(text)
    if not linear.is_whole(value, whole - {v}):
        raise Refused("a term that may not be whole")
    node = {v: node_of(value)}
    domain = tuple(
        c.changed(lambda one: put_nodes(one, node))
        for c in statement.domain
        if not (isinstance(c, OfKind) and c.name == v)
    )
    if any(not isinstance(c, (OfKind, Compared)) for c in statement.domain):
        raise Refused("a domain with lists of values")
    body = statement.body.changed(lambda one: put_nodes(one, node))
    return replace(statement, body=body, domain=domain), (Relation(name(v), value), Relation(value, name(v)))
