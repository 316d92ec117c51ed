"""Limits, conditions and assumptions as the engine reads them: a regime in SymPy's symbols.

>>> parse_limit("n->oo, p->0+").text
'n -> oo, p -> 0+'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import sympy as sp

from asymp.growth import Growth
from asymp.language.conditions import (
    Compared,
    Condition,
    Conditions,
    Grows,
    OfKind,
    Tends,
    read_conditions,
    subjects,
    text_of,
)
from asymp.language.elaborate import interval
from asymp.language.functions import in_order
from asymp.language.hints import Unsaid
from asymp.language.known import is_infinite
from asymp.language.syntax import Node, Parser
from asymp.language.value import NotExact, value
from asymp.ordering import impose, monomial, ways
from asymp.parse.mathematics import CONSTANTS, FUNCTIONS, OPERATORS, Builder
from asymp.parse.numbers import ParseError
from asymp.scale import Regime
from asymp.sign import decided_sign


@dataclass(frozen=True)
class Setting:
    """What the names in a statement mean: limits, ties, ranges, values, symbols for them, and ends that count too."""

    symbols: Mapping[str, sp.Symbol] = field(default_factory=dict)
    regime: Regime | None = None
    values: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    ends: tuple[tuple[sp.Symbol, sp.Rational], ...] = ()


def parse_limit(text: str, assume: Iterable[str] = (), avoid: Iterable[str] = ()) -> Regime:
    """A regime: ``n->oo``, ``p->0+``, ``x->1-``, ``x->-oo``, and ties ``p = 1/n``, separated by commas.

    Several variables tend to their limits independently, but for orderings: ``n*p->oo``, ``k/n->0``,
    ``n*(1-x)->oo``, ``n*p->c``.  The last means n p = c + o(1), whatever the o(1); the tie ``p = c/n`` means
    exactly that.  ``avoid`` lists names that the symbols made up here must not take.

    >>> regime = parse_limit("p->0+")
    >>> regime.ties
    {p: 1/v}
    """
    return parse_setting(text, assume, avoid).regime or Regime(text, ())


def parse_setting(text: str, assume: Iterable[str] = (), avoid: Iterable[str] = (), closed: bool = False) -> Setting:
    """The limits with the assumptions, and the symbols that the statement is to be read with.

    ``closed``: whether ranges may include an end (a >= 1); the regime's are open, the ends are listed beside them.
    """
    if not text.strip():
        raise ParseError("a limit is missing: write n->oo or p->0+", text)
    return setting_of(read_conditions(text), _assumed(assume), avoid, closed)


def _assumed(assume: Iterable[str]) -> Conditions:
    return tuple(condition for text in assume for condition in read_conditions(text))


def setting_of(tending: Conditions, assumed: Conditions, avoid: Iterable[str] = (), closed: bool = False) -> Setting:
    """The same of conditions: what tends where, and ranges of parameters."""
    kinds = _kinds((*tending, *assumed))
    every = (*tending, *assumed)
    taken = set(avoid).union(*(node.every_name for c in every for node in c.terms()), *map(subjects, every))
    lone = [c for c in tending if isinstance(c, Tends) and c.term.kind == "name"]
    if not lone:
        raise ParseError("no limit: write n->oo or p->0+", text_of(tending))
    names = [c.term.text for c in lone]
    if len(set(names)) < len(names):
        raise ParseError("a variable has two limits", text_of(tending))
    symbols: dict[str, sp.Symbol] = {}
    scales: list[sp.Symbol] = []
    values: dict[sp.Symbol, sp.Expr] = {}
    shown: dict[sp.Symbol, sp.Expr] = {}
    for c in lone:
        name, target = c.term.text, _target(c)
        positive = target is sp.oo or (target.is_nonnegative and (c.side == "+" or target.is_positive))
        symbol = symbols[name] = sp.Symbol(name, positive=True) if positive else sp.Symbol(name, real=True)
        if target is sp.oo:
            scales.append(symbol)
            continue
        scale = sp.Symbol(_fresh("v", taken), positive=True)
        scales.append(scale)
        if target is -sp.oo:
            values[symbol], shown[scale] = -scale, -symbol
        else:
            values[symbol] = target + (1 / scale if c.side == "+" else -1 / scale)
            shown[scale] = 1 / (symbol - target if c.side == "+" else target - symbol)
    ends: list[tuple[sp.Symbol, sp.Rational]] = []
    inequalities = [c for c in tending if isinstance(c, Compared) and c.signs != ("=",)]
    ranges, fixed = assumed_ranges((*assumed, *inequalities), symbols, taken, ends if closed else None, kinds)
    if len({symbol for symbol, _ in ends}) > 1:  # their corners would be cases too
        raise ParseError(f"only one range may include its ends, not those of {' and '.join(sorted({str(x) for x, _ in ends}))}")
    orderings: list[Condition] = [c for c in tending if isinstance(c, Grows) or (isinstance(c, Tends) and c not in lone)]
    for one in tending:
        if isinstance(one, Compared) and one.signs == ("=",):
            if one.parts[0].kind != "name" or one.parts[0].text in names:  # n*p = c, or a variable that has a limit too
                orderings.append(one)
                continue
            symbol, expr = _tie(one, symbols)
            values[symbol] = expr.xreplace(values)
        elif not isinstance(one, (Tends, Grows, Compared, OfKind)):
            raise ParseError(f"{one} does not belong to what tends where")
    label = text_of(tending)
    regime = Regime(
        label, tuple(scales), values, ranges, shown, paths=ways(tuple(scales), values, label), instances=instances(ranges),
        whole=frozenset(name for name, kind in kinds.items() if kind == "whole"),
        real=frozenset(name for name, kind in kinds.items() if kind == "real"),
    )
    return Setting(symbols, _all_ordered(orderings, regime, symbols, taken), fixed, tuple(ends))


def all_said(setting: Setting, to: str, *expressions: str, unknown: str = "") -> None:
    """Nothing, where every name tends somewhere, is tied, has a range or a value; ``unknown`` is what is asked for.

    Raises:
        ParseError: of a name nothing is said, with what was probably meant.

    >>> all_said(parse_setting("n->oo"), "n->oo", "n + Gamma")
    Traceback (most recent call last):
    ...
    asymp.language.hints.Unsaid: nothing is said of Gamma: write EulerGamma, or assume "Gamma > 0" or the like
    """
    nodes = [*(Parser(text).whole() for text in expressions), *(node for c in read_conditions(to) for node in c.terms())]
    for name in dict.fromkeys(name for node in nodes for name in in_order(node)):
        if name not in CONSTANTS and name not in setting.symbols and name != unknown:
            raise Unsaid(name, 'assume "{} > 0" or the like')


def _kinds(conditions: Conditions) -> dict[str, str]:
    kinds: dict[str, str] = {}
    for c in conditions:
        if isinstance(c, OfKind) and kinds.setdefault(c.name, c.kind) != c.kind:
            raise ParseError(f"{c.name} cannot be {c.kind} and {kinds[c.name]}")
    return kinds


def _target(c: Tends) -> sp.Expr:
    """Where a variable tends: oo, -oo, or a rational number from one side."""
    if c.term.text in CONSTANTS or c.term.text in FUNCTIONS or c.term.text in OPERATORS:
        raise ParseError(f"{c.term.text} cannot be a variable", str(c), 1)
    if way := is_infinite(c.target):
        return sp.oo if way > 0 else -sp.oo
    number = _number(c.target)
    if number is None:
        raise ParseError("a variable tends to oo, -oo or a rational number", str(c))
    if not c.side:
        raise ParseError(f"say from which side: {c.term.text}->{number}+ or {c.term.text}->{number}-", str(c))
    return number


def _number(node: Node) -> sp.Rational | None:
    """An exact number; None for another term."""
    try:
        found = value(node, {})
    except NotExact:
        return None
    return sp.Rational(found.numerator, found.denominator)


def _tie(c: Compared, symbols: dict[str, sp.Symbol]) -> tuple[sp.Symbol, sp.Expr]:
    name = c.parts[0].text
    if name in CONSTANTS:
        raise ParseError("neither a limit (n->oo) nor a tie (p = 1/n)", str(c), 1)
    if name in symbols:
        raise ParseError(f"{name} is tied and has a limit too", str(c), 1)
    symbol = symbols[name] = sp.Symbol(name, positive=True)
    expr = Builder(str(c), symbols).build(c.parts[1])
    if symbol in expr.free_symbols:
        raise ParseError(f"{name} is tied to itself", str(c), 1)
    return symbol, expr


# --- orderings -----------------------------------------------------------------------------------


def _all_ordered(parts: list[Condition], regime: Regime, symbols: dict[str, sp.Symbol], taken: set[str]) -> Regime:
    """The regime with all orderings put in: n*p*log(n)->oo can be once n*p->0 is, so each is tried until none is left."""
    left = list(parts)
    while left:
        for part in left:
            try:
                regime = _ordered(part, regime, symbols, taken)
            except ParseError:
                if part == left[-1]:
                    raise
                continue
            left.remove(part)
            break
    return regime


def _ordered(part: Condition, regime: Regime, symbols: dict[str, sp.Symbol], taken: set[str]) -> Regime:
    """The regime with an ordering put in: n*p->oo, k/n->0, n*p->c, or a tie p = c/n of a variable with a limit.

    A variable of which nothing else is said gets the limit that the ordering implies: n*p->c means p->0+.
    """
    exact = isinstance(part, Compared)
    builder = Builder(str(part), symbols)
    if isinstance(part, Grows):
        if part.order not in ("o", "omega"):
            raise ParseError(f"{part}: say what the ratio tends to (0, oo or a constant): a regime is one way to the limit")
        expr, target = builder.build(part.term) / builder.build(part.growth), sp.oo if part.order == "omega" else sp.S.Zero
    else:
        left, right = part.terms()
        expr, target = builder.build(left), sp.oo if is_infinite(right) > 0 else builder.build(right)
    unknown = expr.free_symbols - set(symbols.values()) - set(regime.ranges)
    if exact:
        expr, target = expr / target, sp.S.One
    if len(unknown) > 1 or (unknown and target is sp.oo):
        name = min(unknown, key=str)
        raise ParseError(f"say where {name} tends too, such as {name}->oo or {name}->0+", str(part))
    if unknown:
        regime = _implied(part, regime, expr, unknown.pop(), symbols, taken)
    found = monomial(expr.subs(dict(regime.ties)), regime.scales)
    if found is None or target.free_symbols & {*regime.scales, *regime.ties}:
        raise ParseError("an ordering is of a product of powers: n*p->oo, k/n->0, n*p->c", str(part), 1)
    coefficient, growth = found
    if target is not sp.oo and target != 0:
        target = target / coefficient
    signs = [decided_sign(x.subs(dict(regime.ranges))) for x in (coefficient, target) if x not in (sp.oo, 0)]
    if any(s != 1 for s in signs):
        raise ParseError("a product tends to 0, to oo, or to something positive", str(part), 1)
    try:
        return impose(regime, growth, target, exact, None if exact else expr / coefficient)
    except ValueError as error:
        raise ParseError(str(error), str(part), 1) from error


def _implied(
    part: Condition, regime: Regime, expr: sp.Expr, new: sp.Symbol, symbols: dict[str, sp.Symbol], taken: set[str]
) -> Regime:
    """The regime with a variable whose limit follows: from n -> oo and n*p -> c, p -> 0+."""
    found = monomial(expr.subs(dict(regime.ties)), (*regime.scales, new))
    power = sp.S.Zero if found is None else dict(found[1].powers).get(new, sp.S.Zero)
    rest = None if found is None or power == 0 else (found[1] / Growth.of(new, power)).limit()
    if rest != "infinity":
        raise ParseError(f"say where {new} tends too, such as {new}->oo or {new}->0+", str(part))
    symbols[new.name] = new
    if power.is_negative:
        return replace(regime, scales=(*regime.scales, new))
    scale = sp.Symbol(_fresh("v", taken), positive=True)
    return replace(
        regime, scales=(*regime.scales, scale), ties={**regime.ties, new: 1 / scale},
        names={**regime.names, scale: 1 / new},
    )


# --- ranges ---------------------------------------------------------------------------------------


def assumed_ranges(
    assumed: Conditions, symbols: dict[str, sp.Symbol], taken: set[str],
    ends: list[tuple[sp.Symbol, sp.Rational]] | None = None, kinds: Mapping[str, str] | None = None,
) -> tuple[dict[sp.Symbol, sp.Expr], dict[sp.Symbol, sp.Expr]]:
    """Parameters with their covered ranges, and those with a fixed value; ``ends`` collects those that belong to one."""
    about: dict[str, list[Compared]] = {}
    fixed: dict[sp.Symbol, sp.Expr] = {}
    for c in assumed:
        if isinstance(c, OfKind):
            continue
        if isinstance(c, Compared) and c.signs == ("=",) and c.parts[0].kind == "name" and (x := _number(c.parts[1])) is not None:
            fixed[sp.Symbol(c.parts[0].text, positive=x > 0, real=True)] = x
            continue
        name = _of_one_name(c)
        if name in symbols:
            raise ParseError(f"{name} tends to its limit: assume something of the parameters", str(c))
        assert isinstance(c, Compared)
        about.setdefault(name, []).append(c)
    covered: dict[sp.Symbol, sp.Expr] = {}
    for name, conditions in about.items():
        found = interval(name, tuple(conditions))
        assert found is not None
        (low, low_open), (high, high_open) = ((None if end is None else sp.Rational(end.numerator, end.denominator), is_open)
                                              for end, is_open in found)  # fmt: skip
        closed = [end for end, is_open in ((low, low_open), (high, high_open)) if end is not None and not is_open]
        if closed and ends is None:
            raise ParseError(f"{name}: assume an open range ({name} > ...), and ask its end as {name} = ...")
        least = low
        low = low if low is not None or high is None or high <= 0 else sp.Integer(0)
        symbol = symbols[name] = sp.Symbol(name, positive=True) if low is not None and low >= 0 else sp.Symbol(name, real=True)
        if ends is not None:
            ends += [(symbol, end) for end in dict.fromkeys(closed)]
        if closed and least == high:  # a <= x <= a
            raise ParseError(f"{name} has one value: write {name} = {least}")
        free = sp.Symbol(_fresh("a", taken), positive=True)
        if low is None:
            covered[symbol] = high - free
        elif high is None:
            covered[symbol] = low + free
        elif high <= low or ((kinds or {}).get(name) == "whole" and sp.floor(low) + 1 >= high):
            raise ParseError(f"the assumptions on {name} leave nothing")
        else:
            covered[symbol] = low + (high - low) / (1 + free)
    for symbol in fixed:
        symbols[symbol.name] = symbol
    return covered, fixed


def _of_one_name(c: Condition) -> str:
    """The variable that a condition compares with numbers.

    Raises:
        ParseError: it does something else.
    """
    if isinstance(c, Compared) and "=" not in c.signs:
        names = [node.text for node in c.parts if node.kind == "name" and node.text not in CONSTANTS]
        numbers = [node for node in c.parts if _number(node) is not None]
        if len(names) == 1 and len(numbers) == len(c.parts) - 1 and (len(c.parts) == 2 or c.parts[1].text == names[0]):
            return names[0]
    raise ParseError("a condition compares one name with numbers: n >= 1 or 0 < x < 1", str(c))


def instances(
    ranges: Mapping[sp.Symbol, sp.Expr], free: Iterable[sp.Symbol] = ()
) -> tuple[dict[sp.Symbol, sp.Expr], ...]:
    """Values of the parameters at which numbers are computed: two choices, distinct and exact."""
    parameters = sorted(free, key=str)
    if not ranges and not parameters:
        return ({},)
    choices = []
    for size, order in ((sp.Integer(1), parameters), (sp.Rational(1, 3), parameters[::-1])):  # not proportional
        values = {symbol: cover.xreplace(dict.fromkeys(cover.free_symbols, size)) for symbol, cover in ranges.items()}
        values.update({symbol: size * (k + 2) / 2 for k, symbol in enumerate(order)})
        choices.append(values)
    return tuple(choices)


def _fresh(name: str, taken: set[str]) -> str:
    """A name that is not taken yet."""
    candidate, number = name, 1
    while candidate in taken:
        candidate, number = f"{name}{number}", number + 1
    taken.add(candidate)
    return candidate
