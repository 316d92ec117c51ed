"""Limits, conditions and assumptions as they are typed: what tends where, and which values are meant.

>>> parse_limit("n->oo, p->0+").text
'n -> oo, p -> 0+'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import sympy as sp

from asymp.domain import Interval
from asymp.growth import Growth
from asymp.language.conditions import read_conditions
from asymp.language.functions import in_order
from asymp.language.hints import unsaid
from asymp.language.syntax import Parser, Token, tokens
from asymp.ordering import impose, monomial, ways
from asymp.parse.mathematics import CONSTANTS, FUNCTIONS, OPERATORS, Builder, parse_expression
from asymp.parse.numbers import ParseError
from asymp.scale import Regime
from asymp.sign import decided_sign

_INEQUALITIES = ("<=", "<", ">=", ">")


@dataclass(frozen=True)
class Setting:
    """What the names in a statement mean: limits, ties, ranges, values, symbols for them, and ends that count too."""

    symbols: Mapping[str, sp.Symbol] = field(default_factory=dict)
    regime: Regime | None = None
    values: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    ends: tuple[tuple[sp.Symbol, sp.Rational], ...] = ()


# --- ranges ---------------------------------------------------------------------------------------


def split_conditions(found: list[Token], text: str) -> list[list[Token]]:
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


KINDS = {"integer": "integer", "integers": "integer", "whole": "integer", "real": "real"}


def kind_of(part: list[Token]) -> str:
    """What a condition says of its variable: ``integer`` in "integer n >= 1", ``real``, or nothing."""
    if len(part) > 1 and part[0].kind == "name" and (part[1].kind in ("name", "number") or part[1].text == "-"):
        return KINDS.get(part[0].text, "")
    return ""


def read_condition(part: list[Token], text: str) -> tuple[str, Interval]:
    """``n >= 1``, ``1 <= n``, ``0 < x < 1`` or ``integer n >= 1``: the name and its range."""
    part = part[1:] if kind_of(part) else part
    places = [i for i, token in enumerate(part) if token.kind == "relation"]
    if not places or len(places) > 2 or any(part[i].text not in _INEQUALITIES for i in places):
        raise ParseError("a condition is written n >= 1 or 0 < x < 1", text, part[0].column)
    pieces = [part[a:b] for a, b in zip([0, *[i + 1 for i in places]], [*places, len(part)], strict=True)]
    names = [i for i, piece in enumerate(pieces) if len(piece) == 1 and piece[0].kind == "name"]
    if len(names) != 1 or (len(pieces) == 3 and names != [1]) or pieces[names[0]][0].text in CONSTANTS:
        raise ParseError("a condition compares one name with numbers", text, part[0].column)
    bounds = Interval()
    for k, place in enumerate(places):
        sign = part[place].text
        left_is_name = names[0] == k
        value = exact_number(pieces[k + 1] if left_is_name else pieces[k], text, part[place].column)
        upper = (sign[0] == "<") == left_is_name
        is_open = len(sign) == 1
        bounds = bounds.meet(Interval(high=value, high_open=is_open) if upper else Interval(low=value, low_open=is_open))
    return pieces[names[0]][0].text, bounds


def exact_number(piece: list[Token], text: str, column: int) -> sp.Rational:
    """A rational number from tokens."""
    end = Token("end", "", column)
    value = Builder(text).build(Parser(text, [*piece, end]).whole())
    if not value.is_Rational:
        raise ParseError("an exact number is wanted", text, piece[0].column if piece else column)
    return value


# --- limits and assumptions ------------------------------------------------------------------


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
    assumptions = list(assume)
    if not _arrow(text):
        raise ParseError("no limit: write n->oo or p->0+", text)
    for written in (text, *assumptions):  # what the language refuses is refused here too
        read_conditions(written)
    parts = [piece.strip() for piece in text.split(",")]
    taken = set(avoid) | set(re.findall(r"[^\W\d]\w*", " ".join([text, *assumptions])))
    kinds: dict[str, str] = {}
    parts = [_without_kind(part, kinds) for part in parts]
    arrows = [part for part in parts if _arrow(part)]
    limits = [(part, _limit(part)) for part in arrows if _single(part)]
    orderings = [part for part in arrows if not _single(part)]
    ties = [part for part in parts if not _arrow(part)]
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
        if target is -sp.oo:
            shown[scale] = -symbols[name]
        else:
            shown[scale] = 1 / (symbols[name] - target if side == "+" else target - symbols[name])
    ends: list[tuple[sp.Symbol, sp.Rational]] = []
    ranges, fixed = assumed_ranges(assumptions, symbols, taken, ends if closed else None, kinds)
    if len({symbol for symbol, _ in ends}) > 1:  # their corners would be cases too
        raise ParseError(f"only one range may include its ends, not those of {' and '.join(sorted({str(x) for x, _ in ends}))}")
    for tie in ties:
        left = tie.partition("=")[0].strip()
        if left in names or ("=" in tie and left and not _single(left)):
            orderings.append(tie)  # a variable that has a limit too, or a product: n*p = c
            continue
        symbol, expr = _tie(tie, symbols)
        values[symbol] = expr.xreplace(values)
    label = ", ".join(_label(part) for part in text.split(",") if part.strip())
    paths = ways(tuple(scales), values, label)
    regime = Regime(
        label, tuple(scales), values, ranges, shown, paths=paths, instances=instances(ranges),
        whole=frozenset(name for name, kind in kinds.items() if kind == "integer"),
        real=frozenset(name for name, kind in kinds.items() if kind == "real"),
    )
    regime = _all_ordered(orderings, regime, symbols, taken)
    return Setting(symbols, regime, fixed, tuple(ends))


def all_said(setting: Setting, to: str, *expressions: str, unknown: str = "") -> None:
    """Nothing, where every name tends somewhere, is tied, has a range or a value; ``unknown`` is what is asked for.

    Raises:
        ParseError: of a name nothing is said, with what was probably meant.

    >>> all_said(parse_setting("n->oo"), "n->oo", "n + Gamma")
    Traceback (most recent call last):
    ...
    asymp.language.numbers.ParseError: nothing is said of Gamma: write EulerGamma, or assume "Gamma > 0" or the like
    """
    nodes = [*(Parser(text).whole() for text in expressions), *(node for c in read_conditions(to) for node in c.terms())]
    for name in dict.fromkeys(name for node in nodes for name in in_order(node)):
        if name not in CONSTANTS and name not in setting.symbols and name != unknown:
            raise ParseError(unsaid(name, 'assume "{} > 0" or the like'))


def _without_kind(part: str, kinds: dict[str, str]) -> str:
    """A limit or tie without the kind of its variable: ``integer n->oo``, ``real n->oo``."""
    match = re.match(r"([^\W\d]+)\s+([^\W\d]\w*)", part)
    if match is None or match.group(1) not in KINDS:
        return part
    _of_kind(match.group(2), KINDS[match.group(1)], kinds, part)
    return part[match.start(2) :]


def _of_kind(name: str, kind: str, kinds: dict[str, str], text: str) -> None:
    if kinds.setdefault(name, kind) != kind:
        raise ParseError(f"{name} cannot be {kind} and {kinds[name]}", text)


def _arrow(part: str) -> bool:
    return "->" in part.replace("→", "->")


def _single(part: str) -> bool:
    """Whether it is a limit of one variable; otherwise it orders several, as n*p->oo does."""
    left = part.replace("→", "->").partition("->")[0].strip()
    return not left or re.fullmatch(r"[^\W\d]\w*", left) is not None


def _all_ordered(parts: list[str], regime: Regime, symbols: dict[str, sp.Symbol], taken: set[str]) -> Regime:
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


def _ordered(part: str, regime: Regime, symbols: dict[str, sp.Symbol], taken: set[str]) -> Regime:
    """The regime with an ordering put in: n*p->oo, k/n->0, n*p->c, or a tie p = c/n of a variable with a limit.

    A variable of which nothing else is said gets the limit that the ordering implies: n*p->c means p->0+.
    """
    exact = not _arrow(part)
    left, _, right = part.replace("→", "->").partition("=" if exact else "->")
    expr = parse_expression(left, symbols)
    right = right.strip().replace("∞", "oo")
    target = sp.oo if right == "oo" else parse_expression(right.rstrip("+"), symbols)
    unknown = expr.free_symbols - set(symbols.values()) - set(regime.ranges)
    if exact:
        expr, target = expr / target, sp.S.One
    if len(unknown) > 1 or (unknown and target is sp.oo):
        name = min(unknown, key=str)
        raise ParseError(f"say where {name} tends too, such as {name}->oo or {name}->0+", part)
    if unknown:
        regime = _implied(part, regime, expr, unknown.pop(), symbols, taken)
    found = monomial(expr.subs(dict(regime.ties)), regime.scales)
    if found is None or target.free_symbols & {*regime.scales, *regime.ties}:
        raise ParseError("an ordering is of a product of powers: n*p->oo, k/n->0, n*p->c", part, 1)
    coefficient, growth = found
    if target is not sp.oo and target != 0:
        target = target / coefficient
    signs = [decided_sign(x.subs(dict(regime.ranges))) for x in (coefficient, target) if x not in (sp.oo, 0)]
    if any(s != 1 for s in signs):
        raise ParseError("a product tends to 0, to oo, or to something positive", part, 1)
    try:
        return impose(regime, growth, target, exact, None if exact else expr / coefficient)
    except ValueError as error:
        raise ParseError(str(error), part, 1) from error


def _implied(
    part: str, regime: Regime, expr: sp.Expr, new: sp.Symbol, symbols: dict[str, sp.Symbol], taken: set[str]
) -> Regime:
    """The regime with a variable whose limit follows: from n -> oo and n*p -> c, p -> 0+."""
    found = monomial(expr.subs(dict(regime.ties)), (*regime.scales, new))
    power = sp.S.Zero if found is None else dict(found[1].powers).get(new, sp.S.Zero)
    rest = None if found is None or power == 0 else (found[1] / Growth.of(new, power)).limit()
    if rest != "infinity":
        raise ParseError(f"say where {new} tends too, such as {new}->oo or {new}->0+", part)
    symbols[new.name] = new
    if power.is_negative:
        return replace(regime, scales=(*regime.scales, new))
    scale = sp.Symbol(_fresh("v", taken), positive=True)
    return replace(
        regime, scales=(*regime.scales, scale), ties={**regime.ties, new: 1 / scale},
        names={**regime.names, scale: 1 / new},
    )


def parse_assumptions(texts: Iterable[str]) -> Mapping[sp.Symbol, sp.Expr]:
    """Ranges of parameters: symbol -> an expression in a positive symbol that covers its range.

    >>> parse_assumptions(["alpha>1"])
    {alpha: a + 1}
    """
    found = list(texts)
    return assumed_ranges(found, {}, set(re.findall(r"[^\W\d]\w*", " ".join(found))))[0]


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
    if right.replace("∞", "oo") == "oo":
        return name, sp.oo, ""
    if right.replace("∞", "oo") == "-oo":
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


def assumed_ranges(
    assumptions: list[str], symbols: dict[str, sp.Symbol], taken: set[str],
    ends: list[tuple[sp.Symbol, sp.Rational]] | None = None, kinds: dict[str, str] | None = None,
) -> tuple[dict[sp.Symbol, sp.Expr], dict[sp.Symbol, sp.Expr]]:
    """Parameters with their covered ranges, and those with a fixed value; ``ends`` collects those that belong to one.

    ``kinds`` collects the names that are said to be whole ("integer k > 2") or real.
    """
    ranges: dict[str, Interval] = {}
    fixed: dict[sp.Symbol, sp.Expr] = {}
    for text in assumptions:
        for part in split_conditions(tokens(text), text):
            if len(part) > 2 and part[0].kind == "name" and part[1].text == "=":
                value = exact_number(part[2:], text, part[1].column)
                fixed[sp.Symbol(part[0].text, positive=value > 0, real=True)] = value
                continue
            name, bounds = read_condition(part, text)
            if kinds is not None and kind_of(part):
                _of_kind(name, kind_of(part), kinds, text)
            if name in symbols:
                raise ParseError(f"{name} tends to its limit: assume something of the parameters", text)
            ranges[name] = ranges.get(name, Interval()).meet(bounds)
    covered: dict[sp.Symbol, sp.Expr] = {}
    for name, bounds in ranges.items():
        closed = [end for end, is_open in ((bounds.low, bounds.low_open), (bounds.high, bounds.high_open))
                  if end is not None and not is_open]
        if closed and ends is None:
            raise ParseError(f"{name}: assume an open range ({name} > ...), and ask its end as {name} = ...")
        low = bounds.low if bounds.low is not None or bounds.high is None or bounds.high <= 0 else sp.Integer(0)
        positive = low is not None and low >= 0
        symbols[name] = sp.Symbol(name, positive=True) if positive else sp.Symbol(name, real=True)
        if ends is not None:
            ends += [(symbols[name], end) for end in dict.fromkeys(closed)]
        if closed and bounds.low == bounds.high:  # a <= x <= a
            raise ParseError(f"{name} has one value: write {name} = {bounds.low}")
        free = sp.Symbol(_fresh("a", taken), positive=True)
        if low is None:
            covered[symbols[name]] = bounds.high - free
        elif bounds.high is None:
            covered[symbols[name]] = low + free
        elif bounds.high <= low or bounds.is_empty((kinds or {}).get(name) == "integer"):
            raise ParseError(f"the assumptions on {name} leave nothing")
        else:
            covered[symbols[name]] = low + (bounds.high - low) / (1 + free)
    for symbol in fixed:
        symbols[symbol.name] = symbol
    return covered, fixed


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
