"""Statements as they are typed, and claims built from them.

>>> parse_statement("log(gamma(n)) ~ n*log(n)").kind
'equivalent'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from asymp.claim import (
    Bound,
    Claim,
    Domain,
    Equivalent,
    ExpansionOf,
    Identity,
    Limit,
    Order,
    Outcome,
    Relation,
    Source,
)
from asymp.domain import Interval
from asymp.functions import Part
from asymp.language.syntax import Node, Parser, Token, tokens
from asymp.parse.mathematics import ORDERS, Builder, infinite
from asymp.parse.numbers import NoLimit, ParseError
from asymp.parse.setting import (
    Setting,
    assumed_ranges,
    instances,
    kind_of,
    parse_setting,
    read_condition,
    split_conditions,
)
from asymp.scale import Regime

# --- statements ------------------------------------------------------------------------------


def parse_statement(text: str, symbols: Mapping[str, sp.Symbol] | None = None) -> Relation:
    """A statement as a relation.

    ``f ~ g``; ``f = O(g)`` (also o, Theta, Omega, omega); ``f = a + b + O(g)``; ``f = (1 + o(1))*g``;
    ``f -> value``; ``f <= g for n >= 1`` (also <, >=, >); ``f = g for n >= 1``.

    Raises:
        ParseError: one line with the column.

    >>> parse_statement("harmonic(n) = log(n) + EulerGamma + O(1/n)").growth
    1/n
    >>> parse_statement("log(n) <= n for n >= 1").domain.text
    'n >= 1'
    """
    return read_statement(text, symbols)[0]


def read_statement(
    text: str, symbols: Mapping[str, sp.Symbol] | None = None, assume: Iterable[str] = ()
) -> tuple[Relation, tuple[Part, ...]]:
    """The relation, and the parts of the statement as they were typed.

    ``assume``: further conditions on the names of a statement about finite values.

    >>> [part.text for part in read_statement("log(n) <= sqrt(n) for n >= 1")[1]]
    ['log(n)', 'sqrt(n)']
    """
    found = tokens(text)
    found, condition = _split_condition(found, text)
    places = [i for i, token in enumerate(found) if token.kind == "relation"]
    if not places:
        raise ParseError("a relation is missing (~, =, <=, <, >=, > or ->)", text, found[-1].column)
    if len(places) > 1:
        raise ParseError("a second relation: one statement at a time", text, found[places[1]].column)
    place = places[0]
    sign = found[place]
    left = Parser(text, [*found[:place], Token("end", "", sign.column)]).whole()
    right = Parser(text, found[place + 1 :]).whole()
    if condition is not None and sign.text in ("~", "->"):
        raise ParseError(
            "'for' belongs to a statement about finite values (=, <=, <, >=, >)", text, condition[0].column
        )
    builder = Builder(text, symbols)
    if sign.text == "~":
        return Equivalent(builder.build(left), builder.build(right)), tuple(builder.parts)
    if sign.text == "->":
        limit = infinite(right)
        return Limit(builder.build(left), builder.build(right) if limit is None else limit), tuple(builder.parts)
    if sign.text == "=":
        asymptotic = _asymptotic(left, right, builder)
        if asymptotic is not None:
            if condition is not None:
                raise ParseError("'for' belongs to a statement about finite values", text, condition[0].column)
            return asymptotic, tuple(builder.parts)
    where = _conditions(condition, text, assume)
    builder = Builder(text, {**(symbols or {}), **where.symbols()})
    lhs, rhs = builder.build(left), builder.build(right)
    domain = where.domain(builder.named)
    relation = Identity(lhs, rhs, domain) if sign.text == "=" else Bound(lhs, sign.text, rhs, domain)
    return relation, tuple(builder.parts)


def _split_condition(found: list[Token], text: str) -> tuple[list[Token], list[Token] | None]:
    """The statement's tokens, and those after ``for``."""
    for i, token in enumerate(found):
        if token.kind == "name" and token.text == "for":
            end = Token("end", "", token.column)
            if found[i + 1].kind == "end":
                raise ParseError("the condition after 'for' is missing", text, token.column)
            return [*found[:i], end], found[i + 1 :]
    return found, None


def _asymptotic(left: Node, right: Node, builder: Builder) -> Relation | None:
    """``O(g)``, ``a + b + O(g)`` or ``(1 + o(1))*g`` on the right; None for an ordinary equation."""
    if _is_order(right):
        return Order(builder.build(left), right.text, builder.build(_inside(right, builder)))
    if right.kind == "sum":
        orders = [i for i, part in enumerate(right.parts) if _is_order(part)]
        if orders:
            return _expansion(left, right, orders, builder)
    if right.kind == "product":
        factors = [i for i, part in enumerate(right.parts) if _is_one_plus_o(part) and right.signs[i] == "*"]
        if len(factors) == 1:
            rest = _without(right, factors[0])
            return Equivalent(builder.build(left), builder.build(rest))
    return None


def _expansion(left: Node, right: Node, orders: list[int], builder: Builder) -> ExpansionOf:
    last = right.parts[orders[-1]]
    if len(orders) > 1:
        raise builder.fail("a second remainder", last)
    if last.text not in ("O", "o"):
        raise builder.fail(f"a remainder is O(...) or o(...), not {last.text}(...)", last)
    if right.signs[orders[0]] == "-":
        raise builder.fail("a remainder is added, not subtracted", last)
    terms = _without(right, orders[0])
    growth = _inside(last, builder)
    return ExpansionOf(builder.build(left), builder.build(terms), last.text, builder.build(growth))


def _is_order(node: Node) -> bool:
    return node.kind == "call" and node.text in ORDERS


def _is_one_plus_o(node: Node) -> bool:
    """``1 + o(1)``."""
    if node.kind != "sum" or len(node.parts) != 2 or node.signs != "++":
        return False
    ones = [p for p in node.parts if p.kind == "number" and p.text == "1"]
    smalls = [p for p in node.parts if p.kind == "call" and p.text == "o" and len(p.parts) == 1]
    return len(ones) == 1 and len(smalls) == 1 and smalls[0].parts[0].text == "1"


def _inside(node: Node, builder: Builder) -> Node:
    if len(node.parts) != 1:
        raise builder.fail(f"{node.text}(...) takes one growth", node)
    return node.parts[0]


def _without(node: Node, index: int) -> Node:
    """A sum or product without one of its parts."""
    parts = node.parts[:index] + node.parts[index + 1 :]
    signs = node.signs[:index] + node.signs[index + 1 :]
    if len(parts) == 1 and signs in ("+", "*"):
        return parts[0]
    return replace(node, parts=parts, signs=signs)


# --- conditions of finite statements ---------------------------------------------------------


@dataclass
class _Conditions:
    """What is said after 'for': ranges, and which names are whole or real."""

    text: str
    words: str = ""
    ranges: dict[str, Interval] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    valued: set[str] = field(default_factory=set)

    def add(self, part: list[Token], text: str) -> None:
        """One more condition."""
        name, bounds = read_condition(part, text)
        kind = kind_of(part)
        if kind and self.kinds.setdefault(name, kind) != kind:
            raise ParseError(f"{name} cannot be {kind} and {self.kinds[name]}", text, part[0].column)
        self.ranges[name] = self.ranges.get(name, Interval()).meet(bounds)

    def symbols(self) -> dict[str, sp.Symbol]:
        """Each name with the sign of its range: a domain is never cut to what is positive."""
        found = {}
        for name, bounds in self.ranges.items():
            if bounds.low is None or bounds.low < 0:
                found[name] = sp.Symbol(name, real=True)
            elif bounds.low == 0 and not bounds.low_open:
                found[name] = sp.Symbol(name, nonnegative=True)
            else:
                found[name] = sp.Symbol(name, positive=True)
        return found

    def domain(self, names: set[str]) -> Domain:
        """The domain in words and as a box, and exact points in it (whole numbers where the range has any)."""
        names = names - self.valued
        missing = sorted(names - set(self.ranges))
        if missing:
            raise ParseError(f"say for which {missing[0]}: add 'for {missing[0]} >= 1' or the like", self.text)
        whole = frozenset(name for name, kind in self.kinds.items() if kind == "integer")
        axes: dict[str, list[sp.Rational]] = {}
        for name, bounds in sorted(self.ranges.items()):
            points = [p for p in bounds.points() if name not in whole or p.is_Integer]
            if bounds.is_empty(name in whole) or not points:
                raise ParseError(f"the condition on {name} leaves nothing", self.text)
            axes |= {name: points} if name in names else {}
        grid = Domain.product(self.words or "always", **axes) if names else replace(Domain.points(), text=self.words or "always")
        real = frozenset(name for name, kind in self.kinds.items() if kind == "real")
        return replace(grid, ranges=self.ranges, whole=whole, real=real)


def _conditions(condition: list[Token] | None, text: str, assume: Iterable[str]) -> _Conditions:
    found = _Conditions(text)
    said = []
    if condition is not None:
        said.append(text[condition[0].column - 1 :].strip())
        for part in split_conditions(condition, text):
            found.add(part, text)
    for more in assume:
        for part in split_conditions(tokens(more), more):
            if len(part) > 2 and part[1].text == "=":  # a value is put in, it is no range
                found.valued.add(part[0].text)
            else:
                found.add(part, more)
                said.append(more[part[0].column - 1 : part[-1].column - 1 + len(part[-1].text)])
    found.words = ", ".join(said)
    return found


# --- claims ----------------------------------------------------------------------------------


def claim(
    id: str,
    statement: str,
    to: str | None = None,
    source: str | Source = "",
    assume: Iterable[str] | str = (),
    **others: Any,
) -> Claim:
    """A claim from text, as in a file of one's own.

    Args:
        id: permanent name, ``paper/slug``.
        statement: as for :func:`parse_statement`.
        to: the limit, as for :func:`parse_limit`; a statement about finite values needs none.
        source: ``"bibliography key, locator"`` or a Source.
        assume: ranges of parameters, such as ``"alpha>1"``.
        others: further fields of :class:`asymp.claim.Claim`, such as ``expected="refuted"``.

    >>> claim("my/stirling", "log(gamma(n)) ~ n*log(n)", to="n->oo", source="me, eq. (1)").source.locator
    'eq. (1)'
    """
    assumptions = [assume] if isinstance(assume, str) else list(assume)
    if isinstance(source, str):
        key, _, locator = source.partition(",")
        if not key.strip() or not locator.strip():
            raise ValueError(f"{id}: write the source as 'bibliography key, locator', not {source!r}")
        source = Source(key.strip(), locator.strip())
    if to is None:
        setting = Setting(*_only_assumed(assumptions))
    else:
        setting = parse_setting(to, assumptions, re.findall(r"[^\W\d]\w*", statement))
    relation, parts = read_statement(statement, setting.symbols, assumptions)
    if to is None and relation.kind in ("equivalent", "expansion", "limit", "order"):
        raise NoLimit(f'{id}: say what tends where, such as to="n->oo"')
    if "expected" in others:
        others["expected"] = Outcome(others["expected"])
    relation = _fixed(relation, setting.values)
    parts = tuple(part.with_values(dict(setting.values)) for part in parts) if setting.values else parts
    regime = setting.regime
    if regime is not None:
        regime = replace(regime, instances=instances(regime.ranges, _parameters(relation, regime)))
    return Claim(id, source, relation, statement, regime=regime, parts=parts, **others)


def _parameters(relation: Relation, regime: Regime) -> set[sp.Symbol]:
    """The free symbols that neither tend anywhere nor have a range of their own."""
    used = [item for item in vars(relation).values() if isinstance(item, sp.Basic)] + list(regime.ties.values())
    free = set().union(*(item.free_symbols for item in used)) if used else set()
    return free - set(regime.scales) - set(regime.ties) - set(regime.ranges)


def _only_assumed(assumptions: list[str]) -> tuple[dict[str, sp.Symbol], None, dict[sp.Symbol, sp.Expr]]:
    symbols: dict[str, sp.Symbol] = {}
    _, fixed = assumed_ranges(assumptions, symbols, set())
    return symbols, None, fixed


def _fixed(relation: Relation, values: Mapping[sp.Symbol, sp.Expr]) -> Relation:
    """The relation with the parameters of fixed value put in."""
    if not values:
        return relation
    changed = {name: item.subs(values) for name, item in vars(relation).items() if isinstance(item, sp.Basic)}
    return replace(relation, **changed)
