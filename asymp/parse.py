"""Statements, limits and assumptions as they are typed; and claims built from them.

>>> parse_statement("log(gamma(n)) ~ n*log(n)").kind
'equivalent'
>>> parse_limit("n->oo, p->0+").text
'n -> oo, p -> 0+'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from asymp.claim import Bound, Claim, Domain, Equivalent, ExpansionOf, Identity, Limit, Order, Outcome, Relation, Source
from asymp.mathematics import CONSTANTS, FUNCTIONS, OPERATORS, ORDERS, Builder, parse_expression
from asymp.scale import Path, Regime
from asymp.syntax import Node, ParseError, Parser, Token, parse_number, tokens

__all__ = [
    "ParseError", "claim", "parse_assumptions", "parse_expression", "parse_limit", "parse_number", "parse_statement",
]  # fmt: skip

_INEQUALITIES = ("<=", "<", ">=", ">")


@dataclass(frozen=True)
class Setting:
    """What the names in a statement mean: limits, ties, ranges, values, and symbols for them."""

    symbols: Mapping[str, sp.Symbol] = field(default_factory=dict)
    regime: Regime | None = None
    values: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)


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
        raise ParseError("'for' belongs to a statement about finite values (=, <=, <, >=, >)", text, condition[0].column)
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


def _domain(
    lhs: sp.Expr, rhs: sp.Expr, condition: list[Token] | None, text: str, builder: Builder
) -> Domain:
    """The domain in words, and exact points in it (whole numbers where the range has any)."""
    free = sorted(str(symbol) for symbol in (lhs - rhs).free_symbols | lhs.free_symbols | rhs.free_symbols)
    ranges: dict[str, _Range] = {}
    words = ""
    if condition is not None:
        words = text[condition[0].column - 1 :].strip()
        for part in _split(condition, text):
            name, bounds = _condition(part, text)
            ranges[name] = ranges.get(name, _Range()).meet(bounds)
    missing = [name for name in free if name not in ranges]
    if missing:
        raise ParseError(f"say for which {missing[0]}: add 'for {missing[0]} >= 1' or the like", text)
    axes = {name: ranges[name].points() for name in free}
    for name, values in axes.items():
        if not values:
            raise ParseError(f"the condition on {name} leaves nothing", text)
        if builder.scope.get(name) and builder.scope[name].is_positive and ranges[name].low_or_zero() < 0:
            builder_symbol = sp.Symbol(name, real=True)
            raise ParseError(f"{builder_symbol} is read as positive: state it for positive values", text)
    return Domain.product(words or "always", **axes)


@dataclass(frozen=True)
class _Range:
    """An interval with exact ends; None is infinite."""

    low: sp.Rational | None = None
    low_open: bool = False
    high: sp.Rational | None = None
    high_open: bool = False

    def meet(self, other: _Range) -> _Range:
        low, low_open = self.low, self.low_open
        if other.low is not None and (low is None or (other.low, other.low_open) > (low, low_open)):
            low, low_open = other.low, other.low_open
        high, high_open = self.high, self.high_open
        if other.high is not None and (high is None or (-other.high, other.high_open) > (-high, high_open)):
            high, high_open = other.high, other.high_open
        return _Range(low, low_open, high, high_open)

    def low_or_zero(self) -> sp.Rational:
        return sp.Integer(0) if self.low is None else self.low

    def holds(self, value: sp.Rational) -> bool:
        above = self.low is None or value > self.low or (value == self.low and not self.low_open)
        below = self.high is None or value < self.high or (value == self.high and not self.high_open)
        return bool(above and below)

    def points(self) -> list[sp.Rational]:
        """Exact points: whole numbers near the lower end and far out; fractions if none fits."""
        start = sp.ceiling(self.low) if self.low is not None else sp.Integer(1)
        steps = [*range(0, 10), 15, 24, 49, 99, 999, 9_999, 10**6 - 1, 10**9 - 1, 10**20 - 1]
        points = [start + step for step in steps]
        found = [point for point in points if self.holds(point)]
        if self.high is not None and self.low is not None:
            width = self.high - self.low
            inner = [self.low + width * part / 16 for part in range(17)]
            if len(found) < 3:
                found += [point for point in inner if self.holds(point) and point not in found]
        return found


def _split(found: list[Token], text: str) -> list[list[Token]]:
    """Conditions separated by commas or ``and``."""
    parts: list[list[Token]] = [[]]
    for token in found:
        if token.kind == "end" or token.text in (",", "and"):
            if not parts[-1]:
                raise ParseError("an empty condition", text, token.column)
            parts.append([])
        else:
            parts[-1].append(token)
    return parts[:-1]


def _condition(part: list[Token], text: str) -> tuple[str, _Range]:
    """``n >= 1``, ``1 <= n`` or ``0 < x < 1``: the name and its range."""
    places = [i for i, token in enumerate(part) if token.kind == "relation"]
    if not places or len(places) > 2 or any(part[i].text not in _INEQUALITIES for i in places):
        raise ParseError("a condition is written n >= 1 or 0 < x < 1", text, part[0].column)
    pieces = [part[a:b] for a, b in zip([0, *[i + 1 for i in places]], [*places, len(part)], strict=True)]
    names = [i for i, piece in enumerate(pieces) if len(piece) == 1 and piece[0].kind == "name"]
    if len(names) != 1 or (len(pieces) == 3 and names != [1]) or pieces[names[0]][0].text in CONSTANTS:
        raise ParseError("a condition compares one name with numbers", text, part[0].column)
    bounds = _Range()
    for k, place in enumerate(places):
        sign = part[place].text
        left_is_name = names[0] == k
        value = _exact(pieces[k + 1] if left_is_name else pieces[k], text, part[place].column)
        upper = (sign[0] == "<") == left_is_name
        is_open = len(sign) == 1
        bounds = bounds.meet(_Range(high=value, high_open=is_open) if upper else _Range(low=value, low_open=is_open))
    return pieces[names[0]][0].text, bounds


def _exact(piece: list[Token], text: str, column: int) -> sp.Rational:
    """A rational number from tokens."""
    end = Token("end", "", column)
    value = Builder(text).build(Parser(text, [*piece, end]).whole())
    if not value.is_Rational:
        raise ParseError("an exact number is wanted", text, piece[0].column if piece else column)
    return value


# --- limits and assumptions ------------------------------------------------------------------


def parse_limit(text: str, assume: Iterable[str] = (), avoid: Iterable[str] = ()) -> Regime:
    """A regime: ``n->oo``, ``p->0+``, ``x->1-``, ``x->-oo``, and ties ``p = 1/n``, separated by commas.

    Several variables tend to their limits independently.  ``avoid`` lists names that the symbols
    made up here must not take.

    >>> regime = parse_limit("p->0+")
    >>> regime.ties
    {p: 1/v}
    """
    return parse_setting(text, assume, avoid).regime or Regime(text, ())


def parse_setting(text: str, assume: Iterable[str] = (), avoid: Iterable[str] = ()) -> Setting:
    """The limits with the assumptions, and the symbols that the statement is to be read with."""
    parts = [part for part in (piece.strip() for piece in text.split(",")) if part]
    if not parts:
        raise ParseError("a limit is missing: write n->oo or p->0+", text)
    assumptions = list(assume)
    taken = set(avoid) | set(re.findall(r"[^\W\d]\w*", " ".join([text, *assumptions])))
    limits = [(part, _limit(part)) for part in parts if "->" in part.replace("→", "->")]
    ties = [part for part in parts if "->" not in part.replace("→", "->")]
    if not limits:
        raise ParseError("no limit: write n->oo or p->0+", text)
    names = [name for _, (name, _, _) in limits]
    if len(set(names)) < len(names):
        raise ParseError("a variable has two limits", text)
    symbols: dict[str, sp.Symbol] = {}
    scales: list[sp.Symbol] = []
    values: dict[sp.Symbol, sp.Expr] = {}
    shown: dict[sp.Symbol, sp.Expr] = {}
    for _, (name, target, side) in limits:
        positive = target is sp.oo or (target.is_nonnegative and (side == "+" or target.is_positive))
        symbols[name] = sp.Symbol(name, positive=True) if positive else sp.Symbol(name, real=True)
        if target is sp.oo:
            scales.append(symbols[name])
            continue
        scale = sp.Symbol(_fresh("v", taken), positive=True)
        scales.append(scale)
        if target is -sp.oo:
            values[symbols[name]] = -scale
        else:
            values[symbols[name]] = target + (1 / scale if side == "+" else -1 / scale)
        shown[scale] = 1 / abs(symbols[name] - target) if target.is_finite else -symbols[name]
    ranges, fixed = _ranges(assumptions, symbols, taken)
    for tie in ties:
        symbol, expr = _tie(tie, symbols)
        values[symbol] = expr.xreplace(values)
    label = ", ".join(_label(part) for part in parts)
    paths = _paths(scales, values, label)
    regime = Regime(label, tuple(scales), values, ranges, shown, paths=paths, instances=_instances(ranges))
    return Setting(symbols, regime, fixed)


def parse_assumptions(texts: Iterable[str]) -> Mapping[sp.Symbol, sp.Expr]:
    """Ranges of parameters: symbol -> an expression in a positive symbol that covers its range.

    >>> parse_assumptions(["alpha>1"])
    {alpha: a + 1}
    """
    found = list(texts)
    return _ranges(found, {}, set(re.findall(r"[^\W\d]\w*", " ".join(found))))[0]


def _limit(part: str) -> tuple[str, sp.Expr, str]:
    """The name, where it tends, and from which side (empty at infinity)."""
    left, _, right = part.replace("→", "->").partition("->")
    name_tokens = tokens(left.strip())
    if len(name_tokens) != 2 or name_tokens[0].kind != "name":
        raise ParseError("a limit is of one variable: write n->oo or p->0+", part, 1)
    name = name_tokens[0].text
    if name in CONSTANTS or name in FUNCTIONS or name in OPERATORS:
        raise ParseError(f"{name} cannot be a variable", part, 1)
    right = right.strip()
    if right.replace("∞", "oo") in ("oo", "+oo", "infinity", "inf"):
        return name, sp.oo, ""
    if right.replace("∞", "oo") in ("-oo", "-infinity", "-inf"):
        return name, -sp.oo, ""
    side = right[-1:] if right[-1:] in "+-" else ""
    value = parse_expression(right[:-1] if side else right)
    if value.free_symbols or not value.is_Rational:
        raise ParseError("a variable tends to oo, -oo or a rational number", part, len(left) + 3)
    if not side:
        raise ParseError(f"say from which side: {name}->{right}+ or {name}->{right}-", part)
    return name, value, side


def _label(part: str) -> str:
    left, arrow, right = part.replace("→", "->").partition("->")
    return f"{left.strip()} -> {right.strip()}" if arrow else part


def _tie(text: str, symbols: dict[str, sp.Symbol]) -> tuple[sp.Symbol, sp.Expr]:
    name, equals, right = text.partition("=")
    name = name.strip()
    if not equals or not re.fullmatch(r"[^\W\d]\w*", name) or name in CONSTANTS:
        raise ParseError("neither a limit (n->oo) nor a tie (p = 1/n)", text, 1)
    if name in symbols:
        raise ParseError(f"{name} is tied and has a limit too", text, 1)
    symbol = symbols[name] = sp.Symbol(name, positive=True)
    expr = parse_expression(right, symbols)
    if symbol in expr.free_symbols:
        raise ParseError(f"{name} is tied to itself", text, 1)
    return symbol, expr


def _ranges(
    assumptions: list[str], symbols: dict[str, sp.Symbol], taken: set[str]
) -> tuple[dict[sp.Symbol, sp.Expr], dict[sp.Symbol, sp.Expr]]:
    """Parameters with their covered ranges, and those with a fixed value."""
    ranges: dict[str, _Range] = {}
    fixed: dict[sp.Symbol, sp.Expr] = {}
    for text in assumptions:
        for part in _split(tokens(text), text):
            if len(part) > 2 and part[0].kind == "name" and part[1].text == "=":
                value = _exact(part[2:], text, part[1].column)
                fixed[sp.Symbol(part[0].text, positive=value > 0, real=True)] = value
                continue
            name, bounds = _condition(part, text)
            if name in symbols:
                raise ParseError(f"{name} tends to its limit: assume something of the parameters", text)
            ranges[name] = ranges.get(name, _Range()).meet(bounds)
    covered: dict[sp.Symbol, sp.Expr] = {}
    for name, bounds in ranges.items():
        closed = (bounds.low is not None and not bounds.low_open) or (bounds.high is not None and not bounds.high_open)
        if closed:
            raise ParseError(f"{name}: assume an open range ({name} > ...), and ask its end as {name} = ...")
        low = bounds.low if bounds.low is not None or bounds.high is None or bounds.high <= 0 else sp.Integer(0)
        positive = low is not None and low >= 0
        symbols[name] = sp.Symbol(name, positive=True) if positive else sp.Symbol(name, real=True)
        free = sp.Symbol(_fresh("a", taken), positive=True)
        if low is None:
            covered[symbols[name]] = bounds.high - free
        elif bounds.high is None:
            covered[symbols[name]] = low + free
        elif bounds.high <= low:
            raise ParseError(f"the assumptions on {name} leave nothing")
        else:
            covered[symbols[name]] = low + (bounds.high - low) / (1 + free)
    for symbol in fixed:
        symbols[symbol.name] = symbol
    return covered, fixed


def _paths(scales: list[sp.Symbol], values: Mapping[sp.Symbol, sp.Expr], label: str) -> tuple[Path, ...]:
    """Ways to the limit: with several scales, each faster than the others in turn, and all alike."""
    runner = scales[0]
    choices: list[tuple[str, dict[sp.Symbol, sp.Expr]]] = [(label, {})]
    others = scales[1:]
    if others:
        choices = [
            (", ".join(f"{other} = {power}" for other in others), dict.fromkeys(others, power))
            for power in (runner, runner**2, sp.sqrt(runner))
        ]
    paths = []
    for name, chosen in choices:
        placed: dict[sp.Symbol, Any] = dict(chosen)
        placed.update({symbol: expr.subs(chosen) for symbol, expr in values.items()})
        paths.append(Path(name, runner, placed))
    return tuple(paths)


def _instances(
    ranges: Mapping[sp.Symbol, sp.Expr], free: Iterable[sp.Symbol] = ()
) -> tuple[dict[sp.Symbol, sp.Expr], ...]:
    """Values of the parameters at which numbers are computed: two choices, distinct and exact."""
    parameters = sorted(free, key=str)
    if not ranges and not parameters:
        return ({},)
    choices = []
    for size in (sp.Integer(1), sp.Rational(1, 3)):
        values = {symbol: cover.xreplace(dict.fromkeys(cover.free_symbols, size)) for symbol, cover in ranges.items()}
        values.update({symbol: size * (k + 2) / 2 for k, symbol in enumerate(parameters)})
        choices.append(values)
    return tuple(choices)


def _fresh(name: str, taken: set[str]) -> str:
    """A name that is not taken yet."""
    candidate, number = name, 1
    while candidate in taken:
        candidate, number = f"{name}{number}", number + 1
    taken.add(candidate)
    return candidate


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
        raise ValueError(f'{id}: say what tends where, such as to="n->oo"')
    if "expected" in others:
        others["expected"] = Outcome(others["expected"])
    relation = _fixed(relation, setting.values)
    regime = setting.regime
    if regime is not None:
        regime = replace(regime, instances=_instances(regime.ranges, _parameters(relation, regime)))
    return Claim(id, source, relation, statement, regime=regime, **others)


def _parameters(relation: Relation, regime: Regime) -> set[sp.Symbol]:
    """The free symbols that neither tend anywhere nor have a range of their own."""
    used = [item for item in vars(relation).values() if isinstance(item, sp.Basic)] + list(regime.ties.values())
    free = set().union(*(item.free_symbols for item in used)) if used else set()
    return free - set(regime.scales) - set(regime.ties) - set(regime.ranges)


def _only_assumed(assumptions: list[str]) -> tuple[dict[str, sp.Symbol], None, dict[sp.Symbol, sp.Expr]]:
    symbols: dict[str, sp.Symbol] = {}
    _, fixed = _ranges(assumptions, symbols, set())
    return symbols, None, fixed


def _fixed(relation: Relation, values: Mapping[sp.Symbol, sp.Expr]) -> Relation:
    """The relation with the parameters of fixed value put in."""
    if not values:
        return relation
    changed = {
        name: item.subs(values) for name, item in vars(relation).items() if isinstance(item, sp.Basic)
    }
    return replace(relation, **changed)
