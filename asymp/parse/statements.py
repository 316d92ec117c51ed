"""Statements as they are typed, and claims built from them.

>>> parse_statement("log(gamma(n)) ~ n*log(n)").kind
'equivalent'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
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
from asymp.parse.mathematics import ORDERS, Builder
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
from asymp.parse.syntax import Node, Parser, Token, tokens
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
    builder = Builder(text, symbols)
    if condition is not None and sign.text in ("~", "->"):
        raise ParseError(
            "'for' belongs to a statement about finite values (=, <=, <, >=, >)", text, condition[0].column
        )
    if sign.text == "~":
        return Equivalent(builder.build(left), builder.build(right))
    if sign.text == "->":
        return Limit(builder.build(left), builder.build(right))
    if sign.text == "=":
        asymptotic = _asymptotic(left, right, builder)
        if asymptotic is not None:
            if condition is not None:
                raise ParseError("'for' belongs to a statement about finite values", text, condition[0].column)
            return asymptotic
    lhs, rhs = builder.build(left), builder.build(right)
    domain = _domain(lhs, rhs, condition, text, builder)
    return Identity(lhs, rhs, domain) if sign.text == "=" else Bound(lhs, sign.text, rhs, domain)


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


def _domain(lhs: sp.Expr, rhs: sp.Expr, condition: list[Token] | None, text: str, builder: Builder) -> Domain:
    """The domain in words, and exact points in it (whole numbers where the range has any)."""
    free = sorted(str(symbol) for symbol in (lhs - rhs).free_symbols | lhs.free_symbols | rhs.free_symbols)
    ranges: dict[str, Interval] = {}
    whole: set[str] = set()
    words = ""
    if condition is not None:
        words = text[condition[0].column - 1 :].strip()
        for part in split_conditions(condition, text):
            name, bounds = read_condition(part, text)
            ranges[name] = ranges.get(name, Interval()).meet(bounds)
            whole |= {name} if kind_of(part) == "integer" else set()
    missing = [name for name in free if name not in ranges]
    if missing:
        raise ParseError(f"say for which {missing[0]}: add 'for {missing[0]} >= 1' or the like", text)
    axes = {name: [p for p in ranges[name].points() if name not in whole or p.is_Integer] for name in free}
    for name, values in axes.items():
        if not values:
            raise ParseError(f"the condition on {name} leaves nothing", text)
        if builder.scope.get(name) and builder.scope[name].is_positive and (ranges[name].low or 0) < 0:
            builder_symbol = sp.Symbol(name, real=True)
            raise ParseError(f"{builder_symbol} is read as positive: state it for positive values", text)
    if not free:
        return replace(Domain.points(), text=words or "always")
    return replace(Domain.product(words, **axes), ranges=ranges, whole=frozenset(whole))


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
    relation = parse_statement(statement, setting.symbols)
    if to is None and relation.kind in ("equivalent", "expansion", "limit", "order"):
        raise NoLimit(f'{id}: say what tends where, such as to="n->oo"')
    if "expected" in others:
        others["expected"] = Outcome(others["expected"])
    relation = _fixed(relation, setting.values)
    regime = setting.regime
    if regime is not None:
        regime = replace(regime, instances=instances(regime.ranges, _parameters(relation, regime)))
    return Claim(id, source, relation, statement, regime=regime, **others)


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
