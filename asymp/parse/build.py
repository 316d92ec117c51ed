"""Closed statements to claims: the relation, the regime or the domain, and the parts as they were typed.

>>> from asymp.language.elaborate import Setting
>>> from asymp.language.statement import read_statement
>>> from asymp.language.elaborate import closed
>>> built = build(closed(read_statement("log(x) <= x for x >= 1"), Setting()))
>>> built.relation.kind, dict(built.relation.domain.grid[0])
('bound', {'x': 1})
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from asymp.claim import (
    Bound,
    Claim,
    Composite,
    Equivalent,
    ExpansionOf,
    Identity,
    Limit,
    Order,
    Relation,
    Root,
    Source,
    Value,
)
from asymp.domain import Domain, Interval
from asymp.functions import Part
from asymp.language import statement as say
from asymp.language.conditions import (
    Between,
    Compared,
    Condition,
    Conditions,
    Grows,
    Listed,
    OfKind,
    Tends,
    read_conditions,
    text_of,
)
from asymp.language.elaborate import CONSTANTS, functions_called, interval, subjects, variables_of
from asymp.language.names import free_names, substitute
from asymp.language.numbers import NoLimit, ParseError
from asymp.language.statement import Statement, is_asymptotic
from asymp.language.syntax import Node, words
from asymp.language.value import NotExact, value
from asymp.ordering import by_rate
from asymp.parse.mathematics import Builder, infinite
from asymp.parse.setting import instances, parse_setting
from asymp.parse.terms import Formula, Models, Term, Undecided, points, satisfied
from asymp.scale import Regime

Functions = Mapping[str, Callable[..., Any]]
MOST_TRIED = 400
"""Points of a domain with several variables that are tried where a statement names none."""


@dataclass(frozen=True)
class Built:
    """What a statement became: a relation with its regime, and its parts as typed."""

    relation: Relation
    regime: Regime | None = None
    parts: tuple[Part, ...] | None = None


def build(statement: Statement, functions: Functions | None = None, tried: Conditions = ()) -> Built:
    """The relation of a closed statement.

    Args:
        statement: closed, without defined names.
        functions: functions of a model.
        tried: the points at which a universal statement is tried, or the values of parameters in a regime.

    Raises:
        ParseError: it cannot be asked: the condition, and why.
    """
    models = dict(functions or {})
    body = statement.body
    if is_asymptotic(body):
        return _asymptotic(statement, models, tried)
    if statement.regime:
        raise ParseError(f"what tends where belongs to a statement about a limit, not to {body}")
    return _Finite(statement, models, tried).built()


# --- statements about limits ---------------------------------------------------------------------


def _asymptotic(statement: Statement, models: Functions, tried: Conditions) -> Built:
    if not statement.regime:
        raise NoLimit(f"say what tends where, such as n -> oo: {statement.body}")
    if used := functions_called(statement) & set(models):
        raise ParseError(f"{sorted(used)[0]} is a function of the model: it has values at points, and no expansion")
    if statement.some:
        raise ParseError("'for some' belongs to a statement about finite values")
    if isinstance(statement.body, say.And):
        members = [replace(statement, body=part) for part in statement.body.parts]
        return Built(Composite(tuple(_member(m, build(m, models, tried)) for m in members)))
    if statement.uniform:
        return _uniform(statement, models, tried)
    text, assumed = _regime_text(statement)
    names = [name for name in variables_of(statement) if name not in CONSTANTS]
    setting = parse_setting(text, assumed, names)
    builder = Builder(str(statement.body), setting.symbols)
    relation = _limit_relation(statement.body, builder)
    regime = setting.regime
    assert regime is not None
    regime = replace(regime, text=text_of(statement.regime))
    free = _free_parameters(relation, regime)
    regime = replace(regime, instances=_instances(regime, free, tried))
    for name in _through_rate(statement, builder.parts, regime):
        regime = by_rate(regime, name)
    return Built(relation, regime, tuple(builder.parts))


def _limit_relation(body: say.Body, builder: Builder) -> Relation:
    match body:
        case say.Ratio(left, right):
            return Equivalent(builder.build(left), builder.build(right))
        case say.Limiting(left, value):
            limit = infinite(value)
            return Limit(builder.build(left), builder.build(value) if limit is None else limit)
        case say.Ordering(left, order, growth):
            return Order(builder.build(left), order, builder.build(growth))
        case say.Expanding(left, kept, order, growth):
            return ExpansionOf(builder.build(left), builder.build(kept), order, builder.build(growth))
    raise ParseError(f"not a statement about a limit: {body}")


def _regime_text(statement: Statement) -> tuple[str, list[str]]:
    """What tends where and the ranges of parameters, as :func:`asymp.parse.setting.parse_setting` takes them."""
    kinds = {c.name: c.kind for c in statement.conditions() if isinstance(c, OfKind)}
    tending = {c.term.text for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name"}
    pieces, assumed = [], []
    for condition in statement.regime:
        if isinstance(condition, Tends):
            kind = kinds.get(condition.term.text, "") if condition.term.kind == "name" else ""
            pieces.append(f"{'integer' if kind == 'whole' else kind} {condition}".strip())
        elif isinstance(condition, Grows):
            pieces.append(_ordering(condition, kinds))
        elif isinstance(condition, Compared) and condition.signs == ("=",):
            pieces.append(str(condition))
        elif isinstance(condition, Compared):
            assumed.append(str(condition))
        elif not isinstance(condition, OfKind):
            raise ParseError(f"{condition} does not belong to what tends where")
    for condition in statement.domain:
        if isinstance(condition, OfKind):
            continue
        if not isinstance(condition, Compared) or len(subjects(condition)) != 1:
            raise ParseError(f"{condition}: in a limit a parameter has a range of its own, such as alpha > 1")
        name = next(iter(subjects(condition)))
        if name in tending or interval(name, (condition,)) is None:
            raise ParseError(f"{condition}: {name} tends to its limit, or is bounded by what is no number")
        if words(condition.parts[0]) != name or words(condition.parts[-1]) != "0" or condition.signs != (">",):
            assumed.append(f"{'integer ' if kinds.get(name) == 'whole' else ''}{condition}")
    return ", ".join(pieces), assumed


def _ordering(condition: Grows, kinds: Mapping[str, str]) -> str:
    """``p = omega(log(n)/n)`` as p/(log(n)/n)->oo."""
    ratio = f"({words(condition.term)})/({words(condition.growth)})"
    if condition.order in ("o", "omega"):
        return f"{ratio}->{'0' if condition.order == 'o' else 'oo'}"
    raise ParseError(f"{condition}: say what the ratio tends to (0, oo or a constant): a regime is one way to the limit")


def _free_parameters(relation: Relation, regime: Regime) -> set[sp.Symbol]:
    used = [item for item in vars(relation).values() if isinstance(item, sp.Basic)] + list(regime.ties.values())
    free: set[sp.Symbol] = set().union(*(item.free_symbols for item in used)) if used else set()
    return free - set(regime.scales) - set(regime.ties) - set(regime.ranges)


def _instances(regime: Regime, free: Iterable[sp.Symbol], tried: Conditions) -> tuple[Mapping[sp.Symbol, sp.Expr], ...]:
    found = instances(regime.ranges, free)
    if not tried:
        return found
    symbols = {s.name: s for s in (*free, *regime.ranges)}
    rows = []
    for k, point in enumerate(points(tried, {}, {})):
        base = dict(found[k % len(found)])
        for name, number in point.items():
            if name not in symbols:
                raise ParseError(f"{name} is no parameter of this statement")
            base[symbols[name]] = sp.Rational(number.numerator, number.denominator)
        rows.append(base)
    return tuple(rows)


def _through_rate(statement: Statement, parts: Sequence[Part], regime: Regime) -> list[sp.Symbol]:
    """The variables p -> 0+ of which powers (1-p)^n are taken, where n grows; none that is tied exactly."""
    found = []
    for condition in statement.regime:
        if not (isinstance(condition, Tends) and condition.term.kind == "name" and str(condition).endswith("-> 0+")):
            continue
        name = condition.term.text
        exact = [c for c in statement.regime if isinstance(c, Compared) and name in set().union(*map(free_names, c.parts))]
        symbol = next((s for s in regime.ties if s.name == name), None)
        if exact or symbol is None:
            continue
        powers = [part for part in parts if part.head == "power" and part.arguments[0] == 1 - symbol]
        if any(not part.arguments[1].is_number for part in powers):
            found.append(symbol)
    return found


def _uniform(statement: Statement, models: Functions, tried: Conditions) -> Built:
    """Along some ways of the uniform variable: both ends of its range, next to them, and in the middle."""
    variable = [c for c in statement.uniform if isinstance(c, Compared)]
    chain = variable[0] if variable else None
    if chain is None or len(chain.parts) != 3 or chain.parts[1].kind != "name" or any(s[0] != "<" for s in chain.signs):
        raise ParseError(f"a uniform range is written low <= i <= high, not {text_of(statement.uniform)}")
    name, low, high = chain.parts[1].text, chain.parts[0], chain.parts[2]
    whole = any(isinstance(c, OfKind) and c.name == name and c.kind == "whole" for c in statement.uniform)
    one = Node("number", 1, "1")
    places = []
    for end, way in ((low, "+"), (high, "-")):
        if chain.signs[0 if way == "+" else 1] == "<=":
            places.append(end)
        places.append(Node("sum", 1, "", (end, one), f"+{way}"))
    middle = Node("product", 1, "", (Node("sum", 1, "", (low, high), "++"), Node("number", 1, "2")), "*/")
    places.append(Node("call", 1, "floor", (middle,)) if whole else middle)
    members = []
    for place in places:
        put = replace(statement, uniform=(), body=statement.body.changed(lambda node, at=place: substitute(node, {name: at})))
        members.append(_member(put, build(put, models, tried)))
    return Built(Composite(tuple(members), complete=False))


def _member(statement: Statement, built: Built) -> Claim:
    """One part of a composite statement, as the judge takes it."""
    return Claim("part/part", Source("part", "part"), built.relation, str(statement.body), built.regime, parts=built.parts)


# --- statements about finite values ----------------------------------------------------------------


@dataclass
class _Finite:
    """A statement for all points of a domain."""

    statement: Statement
    models: Functions
    tried: Conditions
    ranges: dict[str, Interval] = field(default_factory=dict)

    def built(self) -> Built:
        """The relation."""
        body = self.statement.body
        if isinstance(body, say.Rounding):
            if variables_of(self.statement):
                raise ParseError(f"a printed number has no variables: {variables_of(self.statement)[0]}")
            builder = Builder(words(body.term))
            return Built(Value(builder.build(body.term), body.digits), None, tuple(builder.parts))
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
            return Built(Composite(tuple(_member(m, build(m, self.models, self.tried)) for m in members)))
        for part in body.terms() if isinstance(body, say.True_) else ():
            if part.text not in self.models:
                raise ParseError(f"a relation is missing (~, =, <=, <, >=, > or ->): {words(part)}")
        formula = Formula(body, self.statement.some, tuple(sorted(self.models.items())))
        return Built(Identity(formula, sp.S.One, self.domain()))

    def _comparison(self, left: Node, sign: str, right: Node) -> Built:
        domain = self.domain()
        if functions_called(self.statement) & set(self.models):
            models: Models = tuple(sorted(self.models.items()))
            lhs, rhs = Term(left, models), Term(right, models)
            return Built(Identity(lhs, rhs, domain) if sign == "=" else Bound(lhs, sign, rhs, domain))
        builder = Builder(str(self.statement.body), self.symbols())
        lhs, rhs = builder.build(left), builder.build(right)
        relation = Identity(lhs, rhs, domain) if sign == "=" else Bound(lhs, sign, rhs, domain)
        return Built(relation, None, tuple(builder.parts))

    def _shape(self, body: say.Shape) -> Built:
        """f(x) against f(x + h), h > 0; against f(x + 1) for whole x."""
        whole = any(isinstance(c, OfKind) and c.name == body.name and c.kind == "whole" for c in self.statement.domain)
        step = Node("number", 1, "1") if whole else Node("name", 1, _fresh("h", variables_of(self.statement)))
        later = Node("sum", 1, "", (Node("name", 1, body.name), step), "++")

        def moved(node: Node) -> Node:
            return substitute(node, {body.name: later})

        sign = {"increasing": "<", "decreasing": ">", "nondecreasing": "<=", "nonincreasing": ">="}[body.shape]
        chain = Compared((body.term, moved(body.term)), (sign,))
        speaking = [c for c in self.statement.domain if any(body.name in free_names(node) for node in c.terms())]
        if any(isinstance(c, (Listed, Between)) for c in speaking):
            raise ParseError(f"{body.shape} in {body.name}: give it a range, not a list of values")
        upper = [c.changed(moved) for c in speaking if isinstance(c, Compared) and _bounds_above(c, body.name)]
        more: Conditions = () if whole else read_conditions(f"{words(step)} > 0")
        domain = (*self.statement.domain, *more, *upper)
        return build(replace(self.statement, body=say.Comparison(chain), domain=domain), self.models, self.tried)

    def _extreme(self, body: say.Extreme) -> Built:
        """f(x) <= f(v) for all x, and v is one of them."""

        def there(node: Node) -> Node:
            return substitute(node, {body.name: body.place})

        sign = "<=" if body.extreme == "largest" else ">="
        parts: list[say.Body] = [say.Comparison(Compared((body.term, there(body.term)), (sign,)))]
        members = [replace(self.statement, body=parts[0])]
        outside = tuple(c for c in self.statement.domain if body.name not in subjects(c) and _kind_of_other(c, body.name))
        for condition in self.statement.domain:
            if isinstance(condition, Compared) and body.name in set().union(*map(free_names, condition.parts)):
                inside = say.Comparison(condition.changed(there))
                members.append(replace(self.statement, body=inside, domain=outside))
        return Built(Composite(tuple(_member(m, build(m, self.models, self.tried)) for m in members)))

    def _root(self, body: say.OneRoot) -> Built:
        """left - right as a function of its unknown on an open range."""
        if others := [name for name in variables_of(self.statement) if name != body.name]:
            raise ParseError(f"a root is asked of one equation: give {others[0]} a value")
        ends = []
        for end in (body.low, body.high):
            limit = infinite(end)
            ends.append(None if limit is not None else _rational(value(end, {})))
        self.ranges = {body.name: Interval(ends[0], True, ends[1], True)}
        text = f"{body.name} in ({words(body.low)}, {words(body.high)})"
        builder = Builder(str(body), self.symbols())
        expr = builder.build(Node("sum", 1, "", (body.left, body.right), "+-"))
        relation = Root(expr, builder.scope[body.name], Domain(text, (), self.ranges, real=frozenset({body.name})))
        return Built(relation, None, tuple(builder.parts))

    # --- domains

    def symbols(self) -> dict[str, sp.Symbol]:
        """Each name with the sign of its range: a domain is never cut to what is positive."""
        self._read_ranges()
        found = {}
        for name, bounds in self.ranges.items():
            if bounds.low is None or bounds.low < 0:
                found[name] = sp.Symbol(name, real=True)
            elif bounds.low == 0 and not bounds.low_open:
                found[name] = sp.Symbol(name, nonnegative=True)
            else:
                found[name] = sp.Symbol(name, positive=True)
        return found

    def _read_ranges(self) -> None:
        if self.ranges:
            return
        outer = (*self.statement.domain,)
        names = [n for n in variables_of(self.statement) if n not in _inner(self.statement)]
        for name in names:
            found = interval(name, tuple(c for c in outer if isinstance(c, Compared)))
            low, high = found or ((None, False), (None, False))
            listed = [x for c in outer for x in _values(c, name)]
            if listed and found is None:
                low, high = (min(listed), False), (max(listed), False)
            self.ranges[name] = Interval(_rational(low[0]), low[1], _rational(high[0]), high[1])

    def domain(self) -> Domain:
        """The domain with the points at which it is tried: all of them where they are finitely many."""
        self._read_ranges()
        conditions = self.statement.domain
        names = set(self.ranges)
        text = text_of(conditions) or "always"
        if not names:
            return replace(Domain.points(), text=text)
        kinds = {c.name: c.kind for c in conditions if isinstance(c, OfKind)}
        whole, real = (frozenset(n for n, k in kinds.items() if k == kind and n in names) for kind in ("whole", "real"))
        extra = tuple(c for c in conditions if not _is_box(c))
        given = {n for c in conditions for n in (c.names if isinstance(c, Listed) else ())} | {
            c.name for c in conditions if isinstance(c, Between)
        }
        whole |= {c.name for c in conditions if isinstance(c, Between)}
        shape = Domain(text, (), self.ranges, whole, real=real, conditions=extra)
        try:
            every = tuple(points(conditions, {}, self.models))
        except ParseError:
            if given:
                raise
        else:
            if not every:
                raise ParseError(f"no point is in the domain: {text}")
            return replace(shape, grid=tuple({n: p[n] for n in p if n in names} for p in every), complete=True)
        grid = self._tried(conditions) if self.tried else self._chosen(conditions, whole)
        if not grid:
            raise ParseError(f"no point was found in the domain: {text}")
        return replace(shape, grid=grid)

    def _tried(self, conditions: Conditions) -> tuple[Mapping[str, Any], ...]:
        found = []
        for point in points(self.tried, {}, self.models):
            missing = sorted(set(self.ranges) - set(point))
            if missing:
                raise ParseError(f"'at' gives {missing[0]} no value")
            for condition in conditions:
                if not satisfied(condition, point, self.models):
                    shown = ", ".join(f"{n} = {x}" for n, x in point.items())
                    raise ParseError(f"the point {shown} is not in the domain: {condition}")
            found.append({n: x for n, x in point.items() if n in self.ranges})
        return tuple(found)

    def _chosen(self, conditions: Conditions, whole: frozenset[str]) -> tuple[Mapping[str, Any], ...]:
        """Exact points of the box that obey the other conditions: fewer values of each where there are more variables."""
        axes = []
        for name, bounds in self.ranges.items():
            found = [p for p in bounds.points() if name not in whole or p.is_Integer]
            if bounds.is_empty(name in whole) or not found:
                raise ParseError(f"the condition on {name} leaves nothing")
            axes.append(found)
        most = max(2, int(MOST_TRIED ** (1 / len(axes)))) if len(axes) > 2 else 24
        grid = []
        for values in itertools.product(*(_spread(axis, most) for axis in axes)):
            point = dict(zip(self.ranges, values, strict=True))
            try:
                inside = all(satisfied(c, point, self.models) for c in conditions if not _is_box(c))
            except (NotExact, Undecided, ParseError):
                inside = False
            if inside:
                grid.append(point)
        return tuple(grid)


def _spread(axis: list[Any], most: int) -> list[Any]:
    """Some of the values: the first ones, which lie at the lower end, and some far out."""
    if len(axis) <= most:
        return axis
    first = axis[: (most + 1) // 2]
    rest = axis[len(first) :]
    step = max(1, len(rest) // (most - len(first) or 1))
    return [*first, *rest[step - 1 :: step][: most - len(first)]]


def _inner(statement: Statement) -> set[str]:
    return {name for c in statement.some for name in subjects(c)}


def _values(condition: Condition, name: str) -> list[Any]:
    if isinstance(condition, Listed) and name in condition.names:
        return [value(row[condition.names.index(name)], {}) for row in condition.rows]
    if isinstance(condition, Between) and condition.name == name:
        try:
            return [value(condition.low, {}), value(condition.high, {})]
        except NotExact:
            return []
    return []


def _rational(found: Any) -> sp.Rational | None:
    return None if found is None else sp.Rational(found.numerator, found.denominator)


def _is_box(condition: Condition) -> bool:
    """Whether it is a kind, or bounds one variable by numbers alone."""
    if isinstance(condition, OfKind):
        return True
    if not isinstance(condition, Compared):
        return False
    free = set().union(*(free_names(node) for node in condition.parts)) - CONSTANTS
    return len(free) == 1 and all(
        node.kind == "name" or not free_names(node) for node in condition.parts
    ) and interval(next(iter(free)), (condition,)) is not None  # fmt: skip


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
