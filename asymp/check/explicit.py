"""An expansion's O-remainder as a B-remainder: an explicit constant, valid from an explicit point, certified.

>>> answer = {"terms": ["log(n)", "EulerGamma"], "remainder": {"kind": "O", "growth": "1/n"}, "strength": "proved"}
>>> attach(answer, "harmonic(n)", "n->oo")["remainder"]
{'kind': 'B', 'growth': '1/n', 'constant': '0.5917', 'valid_from': '1'}
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.check.vanish import difference_is_zero
from asymp.enclosure import InputError, Undecided, compare
from asymp.expand.explicit import decimal_text, explicit
from asymp.expansion import Refused, Remainder
from asymp.parse import parse_expression, parse_setting

POINTS = (1, sp.Rational(11, 10), 7, 10**8, 10**20)
CAP_BITS = 4000


def attach(answer: dict[str, Any], expression: str, to: str, assume: Iterable[str] | str = ()) -> dict[str, Any]:
    """The answer of ``asymp expand`` with its remainder made explicit; else with ``"explicit"``: why it is not.

    The terms must come out of the explicit calculus too, and certified values from ``valid_from`` on must keep
    within the bound.

    Args:
        answer: as :func:`asymp.check.expansion.expand_text` gives it.
        expression, to, assume: what it was asked.
    """
    if "terms" not in answer or answer["remainder"]["growth"] == "0":
        return answer
    try:
        remainder = _remainder(answer["terms"], expression, to, assume)
    except (ValueError, NotImplementedError, TypeError, ArithmeticError) as error:
        return {**answer, "explicit": f"no certified constant: {' '.join(str(error).split())}"}
    return {**answer, "remainder": remainder}


def _remainder(shown: list[str], expression: str, to: str, assume: Iterable[str] | str) -> dict[str, str]:
    assumed = [assume] if isinstance(assume, str) else list(assume)
    setting = parse_setting(to, assumed, re.findall(r"[^\W\d]\w*", expression))
    regime = setting.regime
    if regime is None or len(regime.scales) != 1:
        raise Refused("there are several large variables")
    (scale,) = regime.scales
    f, total = (
        regime.resolve(parse_expression(text, setting.symbols).subs(dict(setting.values)))
        for text in (expression, " + ".join(f"({term})" for term in shown))
    )
    if (f.free_symbols | total.free_symbols) != {scale}:
        raise Refused("it holds parameters")
    terms, rest = explicit(f, scale, order=len(shown))
    if not _equal(sp.Add(*terms), total):
        raise Refused("the explicit calculus orders its terms otherwise")
    if rest.growth == 0:
        raise Refused("the terms are exact")
    _confirm(f - sp.Add(*terms), rest, scale)
    assert rest.constant is not None
    start = sp.sympify(rest.valid_from)
    if setting.symbols.get(scale.name) == scale:
        first = str(start) if start < 10**6 else f"1e{len(str(start)) - 1}"
    else:  # the scale is 1/(x - a): the bound holds between a and this x
        variable = next(s for s, tie in regime.ties.items() if scale in tie.free_symbols)
        first = str(regime.ties[variable].subs(scale, start))
    return {"kind": "B", "growth": str(regime.display(rest.growth)), "constant": decimal_text(rest.constant), "valid_from": first}


def _equal(a: sp.Expr, b: sp.Expr) -> bool:
    return bool(sy.expand(a - b) == 0 or difference_is_zero(a, b) or sy.simplify(sy.expand_log(a - b, force=True)) == 0)


def _confirm(rest: sp.Expr, bound: Remainder, scale: sp.Symbol) -> None:
    """Certified values within the bound, at least one.

    Raises:
        Refused: none could be had, or one is not within it.
    """
    seen = 0
    assert bound.valid_from is not None
    for factor in POINTS:
        at = {scale.name: sp.ceiling(bound.valid_from * factor)}
        try:
            within = compare(sp.Abs(rest), "<=", bound.constant * bound.growth, at, cap_bits=CAP_BITS)
        except (Undecided, InputError):
            continue
        if not within:
            raise Refused(f"a certified value at {scale} = {at[scale.name]} is not within the bound")
        seen += 1
    if not seen:
        raise Refused("no certified value could be set against the bound")
