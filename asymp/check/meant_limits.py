"""The meaning of what is to be expanded: parts of an expression in a regime.

>>> from asymp.parse import parse_setting
>>> from asymp.parse.mathematics import read_expression
>>> setting = parse_setting("n->oo")
>>> has_meaning(read_expression("log(-n)^0", setting.symbols)[1], setting)
Traceback (most recent call last):
...
asymp.meaning.read.Meaningless: log(-n) is not defined at n = 1000: -n > 0 is needed
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from asymp.cas import text as text_of
from asymp.check.meant import prove
from asymp.expand.splits import Case, at_end
from asymp.language.parts import Part
from asymp.language.syntax import Node, Parser
from asymp.meaning import read
from asymp.meaning.limit import far_out
from asymp.meaning.limits import of_expression
from asymp.parse.setting import Setting


def has_meaning(parts: Iterable[Part], setting: Setting) -> None:
    """Nothing, where every part is real and defined in the setting's regime, ends of ranges that belong to it included.

    Raises:
        Meaningless: as for :func:`meant`.
    """
    regime = setting.regime
    if regime is None:
        return
    values = {symbol.name: _node(value) for symbol, value in setting.values}
    parts = [part.with_values(values) for part in parts]
    tied = [part for tie in regime.ties.values() for part in of_expression(sp.sympify(tie))]
    names = set().union(*(part.free for part in parts))
    read(parts, far_out(regime, setting.symbols, names, prove), regime.real, tied)
    for symbol, value in setting.ends:
        there = at_end(Case(regime), symbol, value).regime
        inner = [part.with_values({symbol.name: _node(value)}) for part in parts]
        read(inner, far_out(there, setting.symbols, names, prove), regime.real)


def _node(value: sp.Expr) -> Node:
    return Parser(text_of(sp.sympify(value))).whole()
