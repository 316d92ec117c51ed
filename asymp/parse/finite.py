"""Statements about finite values as relations: equalities and comparisons, shapes, extremes, roots, formulas at points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from asymp.claim import Bound, Claim, Composite, Identity, Root, Value
from asymp.domain import Domain, Interval
from asymp.language import statement as say
from asymp.language.conditions import (
    Between,
    Compared,
    Condition,
    Conditions,
    Listed,
    OfKind,
    read_conditions,
    subjects,
)
from asymp.language.elaborate import CONSTANTS, functions_called, variables_of
from asymp.language.kinds import WHOLE_LETTERS
from asymp.language.known import is_infinite, known
from asymp.language.names import free_names, substitute
from asymp.language.numbers import ParseError
from asymp.language.parts import Part, parts_of
from asymp.language.statement import Statement
from asymp.language.syntax import Node, words
from asymp.language.value import value, without_models
from asymp.parse.built import Again, Built
from asymp.parse.points import Points
from asymp.parse.terms import Formula, Models, Side
from asymp.parse.ties import is_narrowed, parts_of_ties

EXACT = frozenset({"Ranked", "AtMost"})
"""What is evaluated exactly, and is no expression."""


def member_of_none(statement: Statement) -> Claim:
    """What a composite statement needs, and is to be given."""
    raise ParseError(f"no part of a statement: {statement}")


@dataclass
class Finite(Points):
    """A statement for all points of a domain."""

    again: Again = member_of_none
    source: str = ""

    def built(self) -> Built:
        """The relation, with what its ties need to have a meaning."""
        found, tied = self._built(), parts_of_ties(self.statement, self.models)
        if isinstance(found.relation, (Bound, Identity, Root)) and tied:
            domain = replace(found.relation.domain, tied=tied, narrowed=is_narrowed(self.statement))
            return replace(found, relation=replace(found.relation, domain=domain))
        return found

    def _built(self) -> Built:
        body = self.statement.body
        if isinstance(body, say.Rounding):
            if variables_of(self.statement):
                raise ParseError(f"a printed number has no variables: {variables_of(self.statement)[0]}")
            term = without_models(body.term, {}, self.models)
            return Built(Value(term, body.digits), self._parts(term))
        if isinstance(body, say.Shape):
            return self._shape(body)
        if isinstance(body, say.Extreme):
            return self._extreme(body)
        if isinstance(body, say.OneRoot):
            return self._root(body)
        parts: tuple[say.Body, ...] = body.parts if isinstance(body, say.And) else (body,)
        single = [
            say.Comparison(Compared((left, right), (sign,)))
            for part in parts
            if isinstance(part, say.Comparison)
            for left, sign, right in part.chain.pairs()
        ]
        plain = not self.statement.some and all(isinstance(part, say.Comparison) for part in parts)
        if plain and len(single) == 1:
            return self._comparison(*next(single[0].chain.pairs()))
        if plain:
            members = [replace(self.statement, body=part) for part in single]
            return Built(Composite(tuple(self.again(m) for m in members)))
        for part in body.terms() if isinstance(body, say.True_) else ():
            if part.text not in self.models:
                raise ParseError(f"a relation is missing (~, =, <=, <, >=, > or ->): {words(part)}")
        formula = Formula(body, self.statement.some, tuple(sorted(self.models.items())))
        return Built(Identity(formula, Side(Node("number", 1, "1")), self.domain()), self._given(body))

    def _parts(self, *nodes: Node) -> tuple[Part, ...]:
        """What in terms may be undefined.

        Raises:
            ParseError: they are made of something unknown.
        """
        for node in nodes:
            known(node, self.source or str(self.statement.body), self.ranges)
        return tuple(part for node in nodes for part in parts_of(node))

    def _given(self, body: say.Body) -> tuple[Part, ...]:
        """The parts of what is given in a conditional, which is defined all over the domain; an iff gives either side."""
        if not isinstance(body, (say.If, say.Iff)) or functions_called(self.statement) & {*self.models, *EXACT}:
            return ()
        return self._parts(*body.right.terms(), *(body.left.terms() if isinstance(body, say.Iff) else ()))

    def _comparison(self, left: Node, sign: str, right: Node) -> Built:
        domain = self.domain()
        coded = functions_called(self.statement) & {*self.models, *EXACT}
        models: Models = tuple(sorted(self.models.items())) if coded else ()
        parts = () if coded else self._parts(left, right)
        lhs, rhs = Side(left, models), Side(right, models)
        return Built(Identity(lhs, rhs, domain) if sign == "=" else Bound(lhs, sign, rhs, domain), parts)

    def _shape(self, body: say.Shape) -> Built:
        """f(x) against f(x + h), h > 0; against f(x + 1) for whole x."""
        whole = any(isinstance(c, OfKind) and c.name == body.name and c.kind == "whole" for c in self.statement.domain)
        step = Node("number", 1, "1") if whole else Node("name", 1, _fresh("h", variables_of(self.statement)))
        later = Node("sum", 1, "", (Node("name", 1, body.name), step), "++")

        def moved(node: Node) -> Node:
            return substitute(node, {body.name: later})

        sign = {"increasing": "<", "decreasing": ">", "nondecreasing": "<=", "nonincreasing": ">="}[body.shape]
        chain = Compared((body.term, moved(body.term)), (sign,))
        speaking = _speaking(self.statement, body.name)
        kinds = [c for c in self.statement.domain if isinstance(c, OfKind) and c.name == body.name]
        if not kinds and body.name in WHOLE_LETTERS:
            raise ParseError(f"say whole {body.name} or real {body.name}: {body.shape} is another thing for each")
        if not all(_is_range(c, body.name) for c in speaking):
            raise ParseError(f"{body.shape} in {body.name}: give it one range, no list of values and nothing else")
        upper = [c.changed(moved) for c in speaking if isinstance(c, Compared) and _bounds_above(c, body.name)]
        more: Conditions = () if whole else read_conditions(f"{words(step)} > 0")
        domain = (*self.statement.domain, *more, *upper)
        return replace(self, statement=replace(self.statement, body=say.Comparison(chain), domain=domain), ranges={}).built()

    def _extreme(self, body: say.Extreme) -> Built:
        """f(x) <= f(v) for all x, and v is one of them."""

        def there(node: Node) -> Node:
            return substitute(node, {body.name: body.place})

        speaking = _speaking(self.statement, body.name)
        others = [c for c in speaking if set().union(*map(free_names, c.terms())) - {body.name} - CONSTANTS]
        if body.name in free_names(body.place) or others or not all(_is_range(c, body.name) for c in speaking):
            raise ParseError(f"{body.extreme} at {body.name}: give it one range between numbers, and a place that is not its own")
        sign = "<=" if body.extreme == "largest" else ">="
        parts: list[say.Body] = [say.Comparison(Compared((body.term, there(body.term)), (sign,)))]
        members = [replace(self.statement, body=parts[0])]
        outside = tuple(c for c in self.statement.domain if body.name not in subjects(c) and _kind_of_other(c, body.name))
        if OfKind(body.name, "whole") in self.statement.domain:
            whole = Compared((Node("call", 1, "floor", (body.place,)), body.place), ("=",))
            members.append(replace(self.statement, body=say.Comparison(whole), domain=outside))
        for condition in self.statement.domain:
            if isinstance(condition, Compared) and body.name in set().union(*map(free_names, condition.parts)):
                inside = say.Comparison(condition.changed(there))
                members.append(replace(self.statement, body=inside, domain=outside))
        return Built(Composite(tuple(self.again(m) for m in members)))

    def _root(self, body: say.OneRoot) -> Built:
        """left - right as a function of its unknown on an open range, for all values of the other variables."""
        if _speaking(self.statement, body.name) or any(getattr(c, "name", "") == body.name for c in self.statement.domain):
            raise ParseError(f"the range of {body.name} is the one in the brackets")
        ends = []
        for end in (body.low, body.high):
            ends.append(None if is_infinite(end) else value(end, {}))
        difference = Node("sum", 1, "", (body.left, body.right), "+-")
        text = f"{body.name} in ({words(body.low)}, {words(body.high)})"
        if any(name != body.name for name in variables_of(self.statement)):
            within = [Compared((body.low, Node("name", 1, body.name)), ("<",))] if not is_infinite(body.low) else []
            within += [Compared((Node("name", 1, body.name), body.high), ("<",))] if not is_infinite(body.high) else []
            zero = say.Comparison(Compared((body.left, body.right), ("=",)))
            there = replace(self.statement, body=zero, domain=(*self.statement.domain, *within))
            found = replace(self, statement=there, ranges={}).built()
            assert isinstance(found.relation, Identity)
            domain = replace(found.relation.domain, real=found.relation.domain.real | {body.name})
            return replace(found, relation=Root(difference, body.name, domain))
        self.ranges = {body.name: Interval(ends[0], True, ends[1], True)}
        relation = Root(difference, body.name, Domain(text, (), self.ranges, real=frozenset({body.name})))
        return Built(relation, self._parts(difference))


def _speaking(statement: Statement, name: str) -> list[Condition]:
    """The conditions of the domain on a variable, but for its kind."""
    found = []
    for c in statement.domain:
        named = set(c.names) if isinstance(c, Listed) else {c.name} if isinstance(c, Between) else set()
        if not isinstance(c, OfKind) and (name in named or any(name in free_names(node) for node in c.terms())):
            found.append(c)
    return found


def _is_range(condition: Condition, name: str) -> bool:
    """Whether it is a chain of inequalities with the variable alone in one place, so that what obeys it is an interval."""
    if not isinstance(condition, Compared) or "=" in condition.signs:
        return False
    own = [part for part in condition.parts if name in free_names(part)]
    return len(own) == 1 and own[0].kind == "name"


def _bounds_above(condition: Compared, name: str) -> bool:
    """Whether it may keep a variable from growing: any comparison but a plain lower bound."""
    free = [name in free_names(node) for node in condition.parts]
    plain = sum(free) == 1 and condition.parts[free.index(True)].kind == "name"
    if not plain:
        return True
    place = free.index(True)
    above = condition.signs[place][0] == "<" if place < len(condition.signs) else False
    below = condition.signs[place - 1][0] == ">" if place > 0 else False
    return above or below


def _kind_of_other(condition: Condition, name: str) -> bool:
    if isinstance(condition, OfKind):
        return condition.name != name
    return all(name not in free_names(node) for node in condition.terms())


def _fresh(name: str, taken: Iterable[str]) -> str:
    known = set(taken)
    candidate, k = name, 1
    while candidate in known:
        candidate, k = f"{name}{k}", k + 1
    return candidate
