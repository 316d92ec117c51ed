"""Terms as they are written by hand: one power of each base, roots under one root, numbers first and exponentials last.

>>> by_hand(terms.read("-(exp(-1)*log(n)*n^(1/2)*2^(1/2)*pi^(1/2)*n^(-2))/3 + 2^(2*n)*exp(-n*n^(-a))"))
'4^n*exp(-n^(1 - a)) - sqrt(2*pi)*log(n)/(3*E*n^(3/2))'
>>> by_hand(terms.read("(log(2) + log(pi))/2 + gamma(a + 1)/a - uppergamma(0, c)"))
'gamma(a) + log(2*pi)/2 - expint(1, c)'
"""

from __future__ import annotations

from dataclasses import replace

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.growth import Domain
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.terms import Refused, Term
from asymp.language.syntax import Node, Parser, words
from asymp.prove.written import gathered, in_words, powers

LARGEST = 10_000
"""A power of numbers is not worked out beyond it."""
LAST = {"log": 5, "exp": 6}


def by_hand(term: Term) -> str:
    """A term as text."""
    return words(_arranged(Parser(in_words(_simple(powers(term)))).whole()))


# --- what it is -----------------------------------------------------------------------------------------


def _simple(term: Term) -> Term:
    if not term.parts or term.head in terms.BINDERS:
        return term
    term = terms.rebuilt(term, tuple(map(_simple, term.parts)))
    if term.head == "product":
        found = gathered(term, _plain)
        parts = found.parts if found.head == "product" else (found,)
        return _with_gamma(terms.multiply(*(_power(*x.parts) if x.head == "power" else x for x in parts)))
    if term.head == "sum":
        return _with_one_log(term)
    return _power(*term.parts) if term.head == "power" else term


def _plain(term: Term) -> Term:
    """A sum with like terms taken together."""
    try:
        return to_term(Domain().value(term))
    except Refused:
        return term


def _power(base: Term, exponent: Term) -> Term:
    """4^n for 2^(2 n), and 2*4^n for 2^(2 n + 1)."""
    if not base.is_number or base.number <= 0 or exponent.is_number:
        return terms.power(base, exponent)
    summands = exponent.parts if exponent.head == "sum" else (exponent,)
    still = [terms.power(base, x) for x in summands if x.is_number]
    inside = terms.add(*(x for x in summands if not x.is_number))
    factors = inside.parts if inside.head == "product" else (inside,)
    (k,) = [x.number for x in factors if x.is_number] or [mpq(1)]
    if k.denominator == 1 and max(base.number.numerator, base.number.denominator) ** int(abs(k)) <= LARGEST:
        base = terms.number(base.number ** int(abs(k)))
        inside = terms.multiply(terms.number(k / abs(k)), *(x for x in factors if not x.is_number))
    return terms.multiply(*still, terms.power(base, inside))


def _with_gamma(term: Term) -> Term:
    """Gamma(a) for Gamma(a + 1)/a."""
    if term.head != "product":
        return term
    parts = list(term.parts)
    for k, part in enumerate(parts):
        if part.head == "gamma":
            for sign in (1, -1):
                below = terms.add(part.parts[0], terms.number(-1))
                divisor = terms.reciprocal(_plain(terms.multiply(terms.number(sign), below)))
                if divisor in parts:
                    left = [x for j, x in enumerate(parts) if j != k and x != divisor]
                    return terms.multiply(terms.number(sign), terms.call("gamma", below), *left)
    return term


def _with_one_log(term: Term) -> Term:
    """log(2 pi) for log(2) + log(pi)."""
    found: dict[Term, list[Term]] = {}
    others = []
    for part in term.parts:
        factors = part.parts if part.head == "product" else (part,)
        logs = [x for x in factors if x.head == "log" and not x.free - terms.CONSTANTS]
        if len(logs) == 1 and all(x is logs[0] or x.is_number for x in factors):
            found.setdefault(terms.multiply(*(x for x in factors if x is not logs[0])), []).append(logs[0].parts[0])
        else:
            others.append(part)
    joined = (terms.multiply(c, terms.call("log", terms.multiply(*inside))) for c, inside in found.items())
    return terms.add(*others, *joined)


# --- how it is written ----------------------------------------------------------------------------------


def _arranged(node: Node) -> Node:
    found = node.of(tuple(map(_arranged, node.parts)))
    if found.kind == "call" and found.text == "uppergamma" and found.parts[0].text == "0":
        return replace(found, text="expint", parts=(replace(found.parts[0], text="1"), found.parts[1]))
    if found.kind == "call" and found.text == "exp" and words(found.parts[0]) == "1":
        return Node("name", found.column, "E")
    if found.kind != "product":
        return found
    minus, above, below = _factors(found)
    top, bottom = (sorted(_one_root(several), key=_place) for several in (above, below))
    whole = _product(top, found) if top else Node("number", found.column, "1")
    if bottom:
        parts, signs = (whole.parts, whole.signs) if whole.kind == "product" else ((whole,), "*")
        whole = replace(found, parts=(*parts, _product(bottom, found)), signs=signs + "/")
    return Node("negative", found.column, "", (whole,)) if minus else whole


def _product(parts: list[Node], like: Node) -> Node:
    return parts[0] if len(parts) == 1 else replace(like, parts=tuple(parts), signs="*" * len(parts))


def _factors(node: Node) -> tuple[bool, list[Node], list[Node]]:
    """Whether a product has a sign, and what stands above and below its line."""
    minus = False
    above: list[Node] = []
    below: list[Node] = []
    for sign, part in zip(node.signs, node.parts, strict=True):
        if part.kind == "negative":
            minus, part = not minus, part.parts[0]
        over, under = (above, below) if sign == "*" else (below, above)
        inner = _factors(part) if part.kind == "product" else (False, [part], [])
        minus ^= inner[0]
        over += inner[1]
        under += inner[2]
    for part in list(above):
        if part.kind == "call" and part.text == "exp" and words(part.parts[0]) == "-1":
            above.remove(part)
            below.append(Node("name", part.column, "E"))
    return minus, [x for x in above if x.text != "1" or x.kind != "number"], below


def _one_root(parts: list[Node]) -> list[Node]:
    roots = [x for x in parts if x.kind == "call" and x.text == "sqrt"]
    if len(roots) < 2:
        return parts
    inside = sorted((x.parts[0] for x in roots), key=_place)
    root = replace(roots[0], parts=(_product(inside, Node("product", 1, "")),))
    return [root, *(x for x in parts if x not in roots)]


def _place(node: Node) -> tuple[int, str]:
    """Numbers, roots and powers of numbers, constants, letters, sums, functions, logarithms, exponentials."""
    base = node.parts[0] if node.kind == "power" or (node.kind == "call" and node.text == "sqrt") else node
    if base.kind == "number":
        return (0 if node is base else 1), ""
    if base.kind == "product":
        return max(map(_place, base.parts))
    if base.kind == "name":
        return (2 if base.text in terms.CONSTANTS else 3), base.text
    return (LAST.get(base.text, 4), f"{len(words(base)):4}") if base.kind == "call" else (4, "")
