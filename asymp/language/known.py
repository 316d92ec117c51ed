"""What a term may be made of: functions that are known, with as many arguments as they take, and ranges that are ranges.

>>> from asymp.language.syntax import Parser
>>> known(Parser("Sum(1/k, (k, 1, n)) - log(n)").whole())
>>> known(Parser("harmonc(n) + 1").whole(), "harmonc(n) + 1")
Traceback (most recent call last):
...
asymp.language.numbers.ParseError: unknown function 'harmonc': did you mean harmonic? at column 1: harmonc(n) + 1
"""

from __future__ import annotations

import difflib
from collections.abc import Container

from asymp.functions.table import BORROWED, NAMED, UNTYPED
from asymp.language.hints import NO_NUMBERS
from asymp.language.meanings import CALLED
from asymp.language.numbers import ParseError, exact
from asymp.language.syntax import BINDERS, DESCRIBED, Node, is_coefficient
from asymp.language.words import CONSTANTS

TOTALS = ("Sum", "Product", "Integral")
ORDERS = ("O", "o", "Theta", "Omega", "omega")
PARAMETERS = frozenset({
    "beta", "gamma", "zeta", "digamma", "sign", "rf", "ff", "sec", "Si", "Ci", "Shi", "Chi", "bell", "bernoulli", "acot", "asec",
    "acsc", "acoth", "asech", "acsch", "fresnels", "fresnelc", "bessely", "elliptic_k", "elliptic_e", "hyp1f1", "hyp2f1",
    "betainc", "barnesg", "stirling1", "stirling2", "subfactorial", *BORROWED,
})  # fmt: skip
"""Functions whose names are parameters too, when no bracket follows."""
REFUSED = {
    "e": "e is no constant here: write E or exp(1)",
    "I": "complex numbers are not read",
    **NO_NUMBERS,
}


def known(node: Node, text: str = "", declared: Container[str] = ()) -> None:
    """That all of a term is known.

    Args:
        node: the term.
        text: what was typed, for the message.
        declared: names that have a meaning by what is declared: functions of a model, letters that are variables.

    Raises:
        ParseError: an unknown function, another number of arguments, a constant that is none, a range that is none; with the
            column.
    """
    _Known(text, declared).term(node, ())


def is_infinite(node: Node) -> int:
    """1 for oo, -1 for -oo, where a term is that and nothing else; else 0.

    >>> from asymp.language.syntax import Parser
    >>> is_infinite(Parser("-oo").whole()), is_infinite(Parser("oo + 1").whole())
    (-1, 0)
    """
    if node.kind == "negative":
        return -is_infinite(node.parts[0])
    return int(node.kind == "name" and node.text == "oo")


class _Known:
    def __init__(self, text: str, declared: Container[str]) -> None:
        self.text, self.declared = text, declared

    def fail(self, what: str, node: Node) -> ParseError:
        return ParseError(what, self.text, node.column)

    def term(self, node: Node, bound: tuple[str, ...]) -> None:
        """``bound``: the variables of the ranges around it."""
        match node.kind:
            case "number":
                exact(node.text, self.text, node.column)
            case "name":
                self.name(node, bound)
            case "call" if node.text in self.declared:
                self.all(node.parts, bound)
            case "call" if node.text in TOTALS or is_coefficient(node):
                self.total(node, bound)
            case "call":
                self.call(node, bound)
            case "tuple":
                raise self.fail("a list in brackets: only Sum, Product and Integral take one", node)
            case "product":
                self.all(node.parts, bound)
                for part, sign in zip(node.parts, node.signs, strict=True):
                    if sign == "/" and part.kind == "number" and exact(part.text) == 0:
                        raise self.fail("division by zero", node)
            case _:
                self.all(node.parts, bound)

    def all(self, nodes: tuple[Node, ...], bound: tuple[str, ...]) -> None:
        for node in nodes:
            self.term(node, bound)

    def name(self, node: Node, bound: tuple[str, ...]) -> None:
        name = node.text
        if name in bound or name in self.declared:
            return
        if name == "oo":
            raise self.fail("oo is no number: it may be where something tends, or the end of a range", node)
        if name in REFUSED:
            raise self.fail(REFUSED[name], node)
        if name in CALLED and name not in PARAMETERS:
            raise self.fail(f"{name} is a function: give it arguments in brackets", node)

    def call(self, node: Node, bound: tuple[str, ...]) -> None:
        name = node.text
        if name in DESCRIBED:
            raise self.fail(f"{name} gives a law, which stands on the left of =>", node)
        if name == "Coefficient":
            raise self.fail("a coefficient is written [z^n] F", node)
        if name in BINDERS or name == "AtMost":  # of sorted lists: what is exact, and has arguments of its own kind
            return
        row = NAMED.get(name)
        if name in ORDERS and row is None:
            raise self.fail(f"{name}(...) may only end the right side of a statement", node)
        if row is None or name in UNTYPED:
            raise self.fail(_unknown(name), node)
        if not row.least <= len(node.parts) <= row.most:
            wanted = f"{row.least}" if row.least == row.most else f"{row.least} to {row.most}"
            raise self.fail(f"{name} takes {wanted} arguments, not {len(node.parts)}", node)
        self.all(node.parts, bound)

    def total(self, node: Node, bound: tuple[str, ...]) -> None:
        body, *limits = node.parts
        if not limits:
            raise self.fail(f"{node.text} needs a range such as (k, 1, n)", node)
        for limit in reversed(limits):  # the last range is the outermost
            if limit.kind != "tuple" or len(limit.parts) != 3 or limit.parts[0].kind != "name":
                raise self.fail(f"a range of {node.text} is written (variable, from, to)", limit)
            variable, *ends = limit.parts
            if variable.text in CONSTANTS or variable.text in REFUSED:
                raise self.fail(f"{variable.text} cannot be a variable", variable)
            self.all(tuple(end for end in ends if not is_infinite(end)), bound)
            bound = (*bound, variable.text)
        self.term(body, bound)


def _unknown(name: str) -> str:
    lower = {item.lower(): item for item in sorted(CALLED)}
    near = difflib.get_close_matches(name, sorted(CALLED), 1, 0.6) if len(name) > 2 else []
    close = [lower[name.lower()]] if name.lower() in lower else near
    if close:
        return f"unknown function {name[:30]!r}: did you mean {close[0]}?"
    return f"unknown function {name[:30]!r} (a product is written {name[:30]}*(...))"
