"""SymPy's expressions and relations as text of the language: what a claim made by code says.

>>> n, p = sp.symbols("n p", positive=True)
>>> term(sp.Sum((1 - p)**n / n, (n, 1, sp.oo)) + sp.harmonic(p))
'harmonic(p) + Sum((1 - p)^n/n, (n, 1, oo))'
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.printing.str import StrPrinter

from asymp.claim import Bound, Claim, Equivalent, ExpansionOf, Identity, Limit, Order, Relation, Value
from asymp.domain import Domain, Interval
from asymp.language.numbers import ParseError
from asymp.parse.statements import claim as typed
from asymp.scale import Regime


class _Printer(StrPrinter):
    """SymPy's own text, but for powers, sums and integrals."""

    def _ranged(self, name: str, expr: Any) -> str:
        limits = [f"({', '.join(map(self._print, limit))})" for limit in expr.limits]
        return f"{name}({', '.join([self._print(expr.function), *limits])})"

    def _print_Sum(self, expr: sp.Sum) -> str:
        return self._ranged("Sum", expr)

    def _print_Product(self, expr: sp.Product) -> str:
        return self._ranged("Product", expr)

    def _print_Integral(self, expr: sp.Integral) -> str:
        return self._ranged("Integral", expr)

    def _print_Exp1(self, _: Any) -> str:
        return "E"


def term(expr: sp.Basic) -> str:
    """An expression as text."""
    return str(_Printer().doprint(expr)).replace("**", "^")


def _says(relation: Relation) -> str:
    match relation:
        case Equivalent(f, g):
            return f"{term(f)} ~ {term(g)}"
        case Limit(f, value):
            return f"{term(f)} -> {term(value)}"
        case Order(f, order, g):
            return f"{term(f)} = {order}({term(g)})"
        case ExpansionOf(f, kept, order, growth):
            return f"{term(f)} = {term(kept)} + {order}({term(growth)})"
        case Identity(lhs, rhs) if isinstance(lhs, sp.Expr) and isinstance(rhs, sp.Expr):
            return f"{term(lhs)} = {term(rhs)}"
        case Bound(lhs, op, rhs) if isinstance(lhs, sp.Expr) and isinstance(rhs, sp.Expr):
            return f"{term(lhs)} {op} {term(rhs)}"
        case Value(expr, printed):
            return f"{term(expr)} rounds to {printed}"
    raise ParseError(f"a {relation.kind} is not a formula")


def _range(name: str, bounds: Interval) -> str:
    below = "" if bounds.low is None else f"{bounds.low} {'<' if bounds.low_open else '<='} "
    above = "" if bounds.high is None else f" {'<' if bounds.high_open else '<='} {bounds.high}"
    return f"{below}{name}{above}" if below or above else f"real {name}"


def _domain(domain: Domain) -> str:
    if domain.conditions or domain.ranges is None:
        return domain.text
    kinds = [*(f"whole {name}" for name in sorted(domain.whole)), *(f"real {name}" for name in sorted(domain.real))]
    return ", ".join([*kinds, *(_range(name, bounds) for name, bounds in domain.ranges.items())])


def _regime(regime: Regime) -> str:
    """What tends where, from the regime itself: its scales, and what is tied to them."""
    if regime.ranges or regime.cases:
        return regime.text
    whole = "".join(f", whole {name}" for name in sorted(regime.whole))
    scales = ", ".join(f"{scale} -> oo" for scale in regime.scales)
    return ", ".join([scales, *(f"{s} = {term(sp.sympify(e))}" for s, e in regime.ties.items())]) + whole


def written(claim: Claim) -> Claim:
    """A claim made by code with its statement as text, if that text is read as the same relation; else as it is.

    The words that it came with are its quote from then on.

    >>> from asymp.claim import Source
    >>> n = sp.Symbol("n", positive=True)
    >>> made = Claim("a/b", Source("a", "1"), Equivalent(sp.harmonic(n), sp.log(n)), "H_n ~ ln n", Regime.single(n))
    >>> written(made).statement, written(made).source.quote
    ('harmonic(n) ~ log(n) as n -> oo', 'H_n ~ ln n')
    """
    if claim.closed and claim.text_of is claim.relation:
        return claim
    if claim.closed:  # code has put another relation in its place
        stale = f"{claim.statement} (changed by code)"
        claim = replace(claim, statement=stale, closed="", tried="", latex="", where=(), parts=None, text_of=None)
    try:
        to = _regime(claim.regime) if claim.regime is not None else None
        says = _says(claim.relation)
        domain = getattr(claim.relation, "domain", None)
        text = f"{says} for {_domain(domain)}" if domain is not None and _domain(domain) else says
        again = typed(claim.id, text, to=to, source=claim.source, assume=_assumed(claim))
    except (ParseError, ValueError, TypeError, ArithmeticError, RecursionError):
        return claim
    if not _same(claim.relation, again.relation) or not _same_ground(claim, again):
        return claim
    quote = claim.source.quote or claim.statement
    source = replace(claim.source, quote=quote)
    return replace(
        claim, statement=again.statement, closed=again.closed, latex=claim.latex or again.latex, source=source,
        text_of=claim.relation,
    )  # fmt: skip


def _assumed(claim: Claim) -> list[str]:
    """What the symbols of a claim about a limit say of its parameters, and a text has to say."""
    regime = claim.regime
    if regime is None:
        return []
    free = _free(claim).union(*(sp.sympify(tie).free_symbols for tie in regime.ties.values()))
    free -= {*regime.scales, *regime.ties, *regime.ranges}
    return [f"{symbol} > 0" for symbol in sorted(free, key=str) if symbol.is_positive]


def _same(first: Relation, second: Relation) -> bool:
    """Whether two relations say the same of variables of the same names."""
    if type(first) is not type(second):
        return False
    for name in vars(first):
        a, b = getattr(first, name), getattr(second, name)
        if isinstance(a, sp.Basic) and isinstance(b, sp.Basic):
            if _plain(a) != _plain(b):
                return False
        elif name not in ("domain", "proof") and a != b:
            return False
    return True


def _same_ground(first: Claim, second: Claim) -> bool:
    """Whether the domains, the regimes, and what is known of each variable are the same."""
    known = [{s.name: s.assumptions0 for s in _free(claim)} for claim in (first, second)]
    if any(known[1].get(name, assumptions) != assumptions for name, assumptions in known[0].items()):
        return False
    a, b = (getattr(claim.relation, "domain", None) for claim in (first, second))
    if isinstance(a, Domain) and isinstance(b, Domain):
        if a.complete or a.conditions or a.whole != b.whole or a.real != b.real:
            return False
        if a.ranges is not None and a.ranges != b.ranges:
            return False
    one, two = first.regime, second.regime
    if one is None or two is None:
        return one is two
    maps = [tuple({s.name: str(e) for s, e in m.items()} for m in (r.ties, r.ranges)) for r in (one, two)]
    names = [[s.name for s in r.scales] for r in (one, two)]
    return maps[0] == maps[1] and names[0] == names[1] and (one.whole, one.real) == (two.whole, two.real) and not one.cases


def _free(claim: Claim) -> set[sp.Symbol]:
    found = [item for item in vars(claim.relation).values() if isinstance(item, sp.Basic)]
    return set().union(*(item.free_symbols for item in found)) if found else set()


def _plain(expr: sp.Basic) -> sp.Basic:
    """The expression with symbols that carry nothing but their names."""
    return expr.xreplace({s: sp.Symbol(s.name) for s in expr.atoms(sp.Symbol)})
