"""Terms of the statements as numbers: read by Python's own parser, computed by mpmath, sums term by term; nothing is asymp's.

>>> value(tree("Sum(1/k^2, (k, 1, oo))*6/pi^2 + 3!"), {})
mpf('7.0')
>>> sorted(free(tree("Sum(x^k/k!, (k, 0, n))*E")))
['n', 'x']
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Mapping
from typing import Any

import mpmath as mp

from benchmarks.by_mpmath import BY_MPMATH
from benchmarks.papers import sequences

MANY = 100_000
"""Terms of an infinite sum, beyond which it is given up."""
SLOW = 400
"""Terms after which a sum that does not fall geometrically is extrapolated by mpmath."""


def _sum(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    if high != mp.inf:
        return mp.fsum(term(mp.mpf(k)) for k in range(int(low), int(mp.floor(high)) + 1))
    found, small = mp.mpf(0), 0
    for k in itertools.count(int(low)):
        one = term(mp.mpf(k))
        found += one
        small = small + 1 if abs(one) <= abs(found) * mp.eps / 8 else 0
        if small > 8:
            return found
        if k - low == SLOW and abs(one) > abs(found) * mp.mpf(10) ** -12:
            return mp.nsum(lambda j: term(mp.mpf(j)), [int(low), mp.inf])
        if k - low > MANY:
            raise ValueError("a sum without an end")
    raise AssertionError


def _product(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    if high == mp.inf:
        return mp.exp(_sum(lambda k: mp.log(term(k)), low, high))
    return mp.fprod(term(mp.mpf(k)) for k in range(int(low), int(high) + 1))


def _integral(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    inside = [mp.mpf(2) ** j for j in range(-6, 9)]
    ends = [low, *(x for x in (*(-y for y in reversed(inside)), 0, *inside) if low < x < high), high]
    return mp.quad(term, ends)


TOTALS = {"Sum": _sum, "Product": _product, "Integral": _integral}
BASE: dict[str, Any] = {
    **BY_MPMATH, "oo": mp.inf, "mp": mp, "Total": TOTALS, "Number": mp.mpf, "stieltjes": mp.stieltjes, "abs": abs,
    **{name: getattr(sequences, name) for name in sequences.__all__},
}  # fmt: skip
CONSTANTS = {"pi": mp.pi, "E": mp.e, "EulerGamma": mp.euler, "Glaisher": mp.glaisher}


class _Numbers(ast.NodeTransformer):
    """Numbers are mpmath's, totals are functions of their summand."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Call(ast.Name("Number", ast.Load()), [ast.Constant(str(node.value))], [])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not (isinstance(node.func, ast.Name) and node.func.id in TOTALS and len(node.args) > 1):
            return self.generic_visit(node)
        found = self.visit(node.args[0])
        for limits in node.args[1:]:
            assert isinstance(limits, ast.Tuple)
            name, low, high = limits.elts
            assert isinstance(name, ast.Name)
            which = ast.Subscript(ast.Name("Total", ast.Load()), ast.Constant(node.func.id), ast.Load())
            bound = ast.arguments([], [ast.arg(name.id)], None, [], [], None, [])
            found = ast.Call(which, [ast.Lambda(bound, found), self.visit(low), self.visit(high)], [])
        return found


def tree(text: str) -> ast.expr:
    """The term: ^ is a power, ! the factorial of the name, number, bracket or call before it; 1e400 is not infinite."""
    text = re.sub(r"\b(\d+(?:\.\d+)?)e(\d+)\b", r"(\1*10**\2)", text.replace("^", "**"))
    while mark := re.search(r"!(?!=)", text):
        head, depth = mark.start(), 0
        while head > 0:
            here = text[head - 1]
            depth += (here == ")") - (here == "(")
            if depth < 0 or (depth == 0 and not (here.isalnum() or here in "(_")):
                break
            head -= 1
        text = f"{text[:head]}factorial({text[head : mark.start()]}){text[mark.end() :]}"
    return ast.parse(text.strip(), mode="eval").body


def value(term: ast.expr, point: Mapping[str, Any]) -> Any:
    """The number at a point, at mpmath's precision."""
    whole = ast.Expression(_Numbers().visit(ast.parse(ast.unparse(term), mode="eval").body))
    return eval(compile(ast.fix_missing_locations(whole), "<statement>", "eval"), names(point))


def python(text: str, point: Mapping[str, Any]) -> Any:
    """The value of Python in the data, where the names of the point, of mpmath and of the exact sequences have a meaning."""
    return eval(text, names(point))


def names(point: Mapping[str, Any]) -> dict[str, Any]:
    """All that a term may name."""
    return {**BASE, **{name: +constant for name, constant in CONSTANTS.items()}, **point}


def free(term: ast.AST, bound: frozenset[str] = frozenset()) -> set[str]:
    """The variables of a term."""
    if isinstance(term, ast.Call):
        own = {limits.elts[0].id for limits in term.args[1:] if isinstance(limits, ast.Tuple)}  # type: ignore[attr-defined]
        return set().union(*(free(part, bound | own) for part in term.args))
    if isinstance(term, ast.Name):
        return set() if term.id in bound or term.id in CONSTANTS or term.id == "oo" else {term.id}
    return set().union(*(free(part, bound) for part in ast.iter_child_nodes(term)))
