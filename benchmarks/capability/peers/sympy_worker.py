"""SymPy's answers to one problem: reads a JSON object, prints ``@@`` and an answer for each way that gives one."""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import sympy as sp

from benchmarks.capability.evaluate import parse


def _say(way: str, **found: str) -> None:
    print("@@" + json.dumps({"way": way, **found}), flush=True)


def _tell(way: str, expr: sp.Expr) -> None:
    """An expansion with its O."""
    if expr.has(sp.Order) and not (expr.is_Add or isinstance(expr, sp.Order)):
        expr = sp.expand(expr)
    order = expr.getO() if expr.has(sp.Order) else None
    _say(way, text=str(expr.replace(sp.Order, lambda *_: sp.S.Zero)), remainder=str(order.expr) if order is not None else "")


def main() -> None:
    """The ways: series, aseries, as_leading_term at x = 1/n, and limit; for equations solve first."""
    warnings.simplefilter("ignore")
    problem: dict[str, Any] = json.loads(sys.stdin.read())
    limits, order = problem["limits"], problem["order"]
    ties = {sp.Symbol(name, positive=True): parse(text) for name, text in problem["ties"]}
    for _ in ties:
        ties = {name: value.subs(ties) for name, value in ties.items()}
    (name, target), *others = limits
    variable = sp.Symbol(name, positive=True)
    if problem["ratio"]:
        _attempt("limit", lambda: _say("limit", limit=str(sp.limit(parse(problem["ratio"]), variable, sp.oo))))
        return
    expressions = []
    if problem["unknown"]:
        left, right = problem["text"].split("=")
        unknown = sp.Symbol(problem["unknown"], positive=True)
        for root in sp.solve(sp.Eq(parse(left), parse(right)), unknown):
            expressions.append(root)
    else:
        expressions.append(parse(problem["text"]).subs(ties))
    for expr in expressions:
        if expr.has(sp.Sum, sp.Integral, sp.Product):
            expr = expr.doit()
        _ways(expr, variable, target, others, order)


def _ways(expr: sp.Expr, variable: sp.Symbol, target: str, others: list[list[str]], order: int) -> None:
    for n in (order + 1, 2 * order + 2):
        _attempt(f"series({n})", lambda n=n: _tell(f"series({n})", _series(expr, variable, target, others, n)))
    if target == "oo":
        _attempt("aseries", lambda: _tell("aseries", expr.aseries(variable, order + 1)))
    x = sp.Symbol("x_", positive=True)
    near = {"oo": 1 / x}.get(target)
    if near is None:
        point = sp.Rational(target[:-1])
        near = point + x if target[-1] == "+" else point - x
    back = 1 / variable if target == "oo" else (variable - point if target[-1] == "+" else point - variable)
    _attempt(
        "as_leading_term",
        lambda: _say("as_leading_term", text=str(expr.subs(variable, near).as_leading_term(x).subs(x, back)), remainder=""),
    )
    _attempt("limit", lambda: _say("limit", text=str(_limit(expr, variable, target)), remainder=""))


def _series(expr: sp.Expr, variable: sp.Symbol, target: str, others: list[list[str]], n: int) -> sp.Expr:
    found = _series_in(expr, variable, target, n)
    for name, goal in others:
        found = _series_in(found.removeO(), sp.Symbol(name, positive=True), goal, n)
    return found


def _series_in(expr: sp.Expr, variable: sp.Symbol, target: str, n: int) -> sp.Expr:
    if target == "oo":
        return expr.series(variable, sp.oo, n)
    return expr.series(variable, sp.Rational(target[:-1]), n, dir=target[-1])


def _limit(expr: sp.Expr, variable: sp.Symbol, target: str) -> sp.Expr:
    if target == "oo":
        return sp.limit(expr, variable, sp.oo)
    return sp.limit(expr, variable, sp.Rational(target[:-1]), target[-1])


def _attempt(way: str, tell: Any) -> None:
    try:
        tell()
    except Exception as error:  # any failure is a refusal, and is said
        _say(way, refused=f"{type(error).__name__}: {error}"[:200])


if __name__ == "__main__":
    main()
