r"""Terms and series as a reader meets them: quotients and roots, letters for bound variables, powers as powers, in LaTeX.

>>> print(set_term(terms.read("exp(x*log(x))*n^(-a) - 1/2"), {}))
\frac{x^{x}}{n^{a}} - \frac{1}{2}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cmp_to_key, lru_cache

from gmpy2 import mpq

from asymp.budget import uncounted
from asymp.kernel import terms
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.growth import Domain, Growth
from asymp.kernel.growths.regime import Placed
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.factors import factored, reduced
from asymp.kernel.rings.ratio import Poly, rational, to_term
from asymp.kernel.rings.ratio import Ratio as Coefficient
from asymp.kernel.terms import Refused, Term
from asymp.language.names import BINDERS
from asymp.language.syntax import Node, Parser, words
from asymp.language.tex import Notation, tex

MOST_SHOWN = 4
"""Terms of a series that are written out; what follows is part of the remainder then."""
MOST_PARTS, MOST_MERGED = 600, 200
"""Of a term for which a shorter form is looked for; of a sum whose like terms are taken together where that halves it."""


# --- terms as text -------------------------------------------------------------------------------------


def in_words(term: Term) -> str:
    """A term as text, with quotients and roots, and letters for bound variables.

    >>> in_words(terms.read("2^(1/2)*n^(-1)*x - 1"))
    'x*sqrt(2)/n - 1'
    """
    match term.head:
        case "sum":
            parts = sorted((in_words(part) for part in term.parts), key=_negative_last)
            return " + ".join(parts).replace("+ -", "- ")
        case "product" | "power":
            over, under = _factors(term)
            minus = "-" if over[:1] == ["-1"] else ""
            top = "*".join(over[1:] if minus else over) or "1"
            below = under[0] if len(under) == 1 else f"({'*'.join(under)})"
            return f"{minus}{top}" + (f"/{below}" if under else "")
    if not term.parts:
        return str(term)
    if term.head in BINDERS:
        letters = {"Coefficient": "zwxyuvts", "Integral": "tuvwxyz"}.get(term.head, "ijklmrstuvw")
        variable = next(letter for letter in letters if letter not in {part.name for part in terms.walk(term)})
        body = terms.opened(term.parts[0], terms.name(variable))
        low, high, *others = map(in_words, term.parts[1:])
        return f"{term.head}({', '.join([in_words(body), f'({variable}, {low}, {high})', *others])})"
    return f"{term.head}({', '.join(in_words(part) for part in term.parts)})"


def _negative_last(text: str) -> tuple[bool, bool]:
    return text.startswith("-"), not any(letter.isalpha() for letter in text)


def _factors(term: Term) -> tuple[list[str], list[str]]:
    """What stands above and below the line."""
    over: list[str] = []
    under: list[str] = []
    for part in term.parts if term.head == "product" else (term,):
        if part.is_number:
            top, bottom = part.number.numerator, part.number.denominator
            over[:0] = ["-1"] * (top < 0) + ([str(abs(top))] if abs(top) != 1 else [])
            under += [str(bottom)] if bottom != 1 else []
        elif part.head == "power" and _is_negative(part.parts[1]):
            under.append(_raised(part.parts[0], terms.negative(part.parts[1])))
        elif part.head == "power":
            over.append(_raised(*part.parts))
        else:
            over.append(_raised(part, terms.ONE))
    return over, under


def _is_negative(exponent: Term) -> bool:
    """Whether it is a negative number, or a multiple by one."""
    return any(
        part.is_number and part.number < 0 for part in (exponent.parts if exponent.head == "product" else (exponent,))
    )


def _raised(base: Term, exponent: Term) -> str:
    if exponent == terms.number(mpq(1, 2)):
        return f"sqrt({in_words(base)})"
    bare = in_words(base)
    closed = base.head not in ("sum", "product", "power", "number") or bare.isdigit()
    closed |= base.head == "power" and exponent == terms.ONE and not _is_negative(base.parts[1])
    base_text = bare if closed else f"({bare})"
    power = in_words(exponent)
    return base_text if exponent == terms.ONE else f"{base_text}^{power if power.isalnum() else f'({power})'}"


# --- terms in LaTeX ------------------------------------------------------------------------------------


def set_text(text: str, notation: Notation) -> str:
    """A term as text, in LaTeX; a sign stands before its fraction."""
    return tex(_signed(Parser(text).whole()), notation)


def set_term(term: Term, notation: Notation) -> str:
    """A term in LaTeX."""
    return set_text(in_words(powers(term)), notation)


def _signed(node: Node) -> Node:
    """The same with the sign of a product's first factor before the product, logarithms last, where they need no brackets, and
    one root for several."""
    found = node.of(tuple(map(_signed, node.parts)))
    if found.kind != "product" or found.signs[0] == "/":
        return found
    if found.parts[0].kind == "negative":
        inner = _signed(replace(found, parts=(*found.parts[0].parts, *found.parts[1:])))
        return Node("negative", found.column, "", (inner,))
    pairs = map(_below, found.signs, found.parts)
    parts = sorted(pairs, key=lambda pair: (pair[0] == "/", _is_logarithm(pair[1])))
    parts = _one_root(parts)
    return replace(found, signs="".join(sign for sign, _ in parts), parts=tuple(part for _, part in parts))


def _below(sign: str, part: Node) -> tuple[str, Node]:
    """A factor e^(-2) as a divisor e^2."""
    if sign == "*" and part.kind == "call" and part.text == "exp" and part.parts[0].kind == "negative":
        (inner,) = part.parts[0].parts
        if inner.kind == "number":
            return "/", replace(part, parts=(inner,))
    return sign, part


def _one_root(parts: list[tuple[str, Node]]) -> list[tuple[str, Node]]:
    """Factors with one root of a product in place of several roots, above and below the line."""
    found = list(parts)
    for sign in "*/":
        roots = [
            k for k, (own, part) in enumerate(found) if own == sign and part.kind == "call" and part.text == "sqrt"
        ]
        if len(roots) > 1:
            inside = sorted((found[k][1].parts[0] for k in roots), key=lambda node: node.kind != "number")
            inner = replace(inside[0], kind="product", text="", parts=tuple(inside), signs="*" * len(inside))
            first = found[roots[0]][1]
            found[roots[0]] = (sign, replace(first, parts=(inner,)))
            found = [one for k, one in enumerate(found) if k not in roots[1:]]
    return found


def _is_logarithm(node: Node) -> bool:
    return (node.parts[0] if node.kind == "power" else node).text == "log"


def powers(term: Term) -> Term:
    """The same with powers for exponentials of multiples of logarithms: what has a logarithm is above 0.

    >>> str(powers(terms.read("exp(log(n)/2 - a*n)^2 + exp(x*log(x) + 1)")))
    'exp(1)*x^x + exp(-2*a*n)*n'
    """
    if not term.parts:
        return term
    if term.head == "power" and term.parts[0].head == "exp":
        (inner,) = term.parts[0].parts
        summands = inner.parts if inner.head == "sum" else (inner,)
        return powers(terms.call("exp", terms.add(*(terms.multiply(term.parts[1], one) for one in summands))))
    if term.head == "power" and term.parts[0].head in ("product", "power") and _is_whole(term.parts[1]):
        base, exponent = term.parts
        if base.head == "product":
            return powers(terms.multiply(*(terms.power(part, exponent) for part in base.parts)))
        if _is_whole(base.parts[1]):
            return powers(terms.power(base.parts[0], terms.multiply(base.parts[1], exponent)))
    if term.head == "power" and term.parts[1] == terms.ZERO:
        return terms.ONE
    if term.head == "product" and terms.ZERO in term.parts:
        return terms.ZERO
    parts = tuple(map(powers, term.parts))
    if term.head == "sum":
        plain = _plain_sum(term := terms.add(*(part for part in parts if part != terms.ZERO)))
        return plain if size_of(term) < MOST_MERGED and size_of(plain) <= size_of(term) // 2 else term
    term = terms.rebuilt(term, parts)
    if term.head != "exp":
        return term
    summands = term.parts[0].parts if term.parts[0].head == "sum" else term.parts
    found, left = [], []
    for one in summands:
        factors = one.parts if one.head == "product" else (one,)
        logs = [factor for factor in factors if factor.head == "log"]
        if len(logs) == 1 and logs[0].parts[0].head != "bound":
            exponent = terms.multiply(*(factor for factor in factors if factor is not logs[0]))
            found.append(terms.power(logs[0].parts[0], exponent))
        else:
            left.append(one)
    return terms.multiply(*found, *([terms.call("exp", terms.add(*left))] if left else [])) if found else term


def _is_whole(exponent: Term) -> bool:
    return exponent.is_number and exponent.number.denominator == 1


def named(node: Node, names: Mapping[str, str]) -> Node:
    """The same with other letters."""
    if node.kind == "name":
        return replace(node, text=names.get(node.text, node.text))
    return node.of(tuple(named(part, names) for part in node.parts))


def labelled(term: Term, labels: Mapping[Term, Term]) -> Term:
    """A term with labels for parts of it; of a multiple by a number only the part itself has one.

    >>> x = terms.read("n*log(n)")
    >>> str(labelled(terms.read("exp(2*n*log(n)) - n*log(n)"), {x: terms.name("A")}))
    'exp(2*A) - A'
    """
    if term in labels or not term.parts or not labels:
        return labels.get(term, term)
    if term.head == "product" and any(part.is_number for part in term.parts):
        number, rest = (terms.multiply(*(x for x in term.parts if x.is_number is own)) for own in (True, False))
        return terms.multiply(number, labelled(rest, labels))
    made = terms.rebuilt(term, tuple(labelled(part, labels) for part in term.parts))
    return labels.get(made, made)  # of what stands in the labels' own


@uncounted
@lru_cache(maxsize=20_000)
def size_of(term: Term) -> int:
    """How many parts a term has."""
    return 1 + sum(map(size_of, term.parts))


def tidied(node: Node) -> Node:
    """A term as it is written; one that a search wrote with quotients, powers, and letters for bound variables.

    >>> words(tidied(Parser("Sum((b0^2)^(-1), (b0, 1, k)) + exp(k*log(k))").whole())), words(tidied(Parser("1*b^2").whole()))
    ('Sum(1/i^2, (i, 1, k)) + k^k', '1*b^2')
    """
    term = terms.of(node)
    exponents = (part.parts[0] for part in terms.walk(term) if part.head == "exp")
    untidy = _UNTIDY.search(words(node)) or any(part.head == "log" for one in exponents for part in terms.walk(one))
    return Parser(in_words(powers(term))).whole() if untidy else node


_UNTIDY = re.compile(r"\^\(-|\*\(-|\(b\d+_*,|\+ \(-|\+ -")
"""A reciprocal as a power, the range of a variable that has no letter, or what is negative and added."""


# --- series --------------------------------------------------------------------------------------------


class Quantities:
    """The quantities of a certificate in the statement's variables, and growths written in these."""

    def __init__(self, where: Placed, scales: Mapping[str, str], whole: bool = False) -> None:
        self.names = [name for name, _ in sorted(where.scales.items(), key=lambda item: item[1])]
        self.values = {name: terms.read(scales.get(name, name)) for name in self.names}
        self.values |= {e: terms.reciprocal(terms.call("Abs", gap)) for e, gap in where.near.items()}
        self.names += where.near
        several = enumerate(map(self.values.get, self.names))
        self.hidden = {f"quantity_{i}": x for i, x in several if whole and x is not None and x.parts}
        """Those that are no name, under a name where their logarithm is taken: with ``whole`` log(n/w) stays so."""
        above = {v: Range(mpq(0), True) for value in self.values.values() for v in terms.free(value)}
        above |= {name: Range(mpq(0), True) for name in self.hidden}
        self.domain = Domain(within={**where.domain.ranges, **above})

    def term(self, c: Coefficient, growth: Growth) -> Term:
        """A coefficient times a growth.

        Raises:
            Refused: a quantity that stands for what is left of an exponent, and has no name.
        """
        return terms.substitute(self.tidy(terms.multiply(to_term(c), self._growth(growth))), self.hidden)

    def shown(self, c: Coefficient, growth: Growth) -> Term:
        """The same, with the coefficient in factors, and the growth by itself, where the coefficient has several terms."""
        if len(c.num) == len(c.den) == 1:
            return self.term(c, growth)
        return terms.substitute(terms.multiply(in_factors(c), self.tidy(self._growth(growth))), self.hidden)

    def tidy(self, term: Term) -> Term:
        """A term as a quotient of polynomials, where it is seen to be one."""
        try:
            return to_term(self.domain.value(term))
        except Refused:
            return term

    def _growth(self, growth: Growth) -> Term:
        factors = []
        for (i, depth), e in growth.powers:
            if i >= len(self.names):
                raise Refused("a quantity without a name")
            base = self.values[self.names[i]]
            if depth and f"quantity_{i}" in self.hidden:
                base = terms.name(f"quantity_{i}")
            for _ in range(depth):
                base = terms.call("log", base)
            factors.append(terms.power(base, to_term(e)))
        parts = [self.tidy(terms.multiply(to_term(c), self._growth(g))) for c, g in growth.exponent]
        if parts:
            factors.append(terms.call("exp", terms.add(*parts)))
        return terms.multiply(*factors)


def gathered(term: Term, tidy: Callable[[Term], Term] = lambda term: term) -> Term:
    """A product with one power of each base; of what is defined, where a base is divided by too.

    >>> str(gathered(terms.read("n*(n^2)*q*n^(-a)*exp(n - 1)*exp(1)")))
    'exp(n)*q*n^(3 - a)'
    """
    if term.head != "product":
        return term
    found: dict[Term, list[Term]] = {}
    exponents = [part.parts[0] for part in term.parts if part.head == "exp"]
    for part in (part for part in term.parts if part.head != "exp"):
        base, exponent = part.parts if part.head == "power" else (part, terms.ONE)
        if base == terms.name("E"):
            exponents.append(exponent)
        else:
            found.setdefault(base, []).append(exponent)
    each = {base: tidy(terms.add(*several)) if len(several) > 1 else several[0] for base, several in found.items()}
    powers = [terms.power(base, exponent) for base, exponent in each.items() if exponent != terms.ZERO]
    joined = tidy(terms.add(*exponents)) if len(exponents) > 1 else terms.add(*exponents)
    return terms.multiply(*powers, *([] if joined == terms.ZERO else [terms.call("exp", joined)]))


def in_factors(c: Coefficient) -> Term:
    """A coefficient with its numerator and its denominator in factors, where these are found.

    >>> str(in_factors(Domain().value(terms.read("(2*x^2 - 2)*y/3"))))
    '2/3*y*(x - 1)*(x + 1)'
    """

    def factors(p: Poly, sign: int) -> list[Term]:
        number, powers, rest = factored(p)
        flipped = [2 * sum(c < 0 for c in q.values()) > len(q) for q, _ in rest]
        number *= (-1) ** sum(k for (_, k), yes in zip(rest, flipped, strict=True) if yes)
        ties = [n for n, (q, k) in enumerate(rest) if k % 2 and 2 * sum(c < 0 for c in q.values()) == len(q)]
        if number < 0 and ties:  # rather 2 - x than -(x - 2)
            number, flipped[ties[0]] = -number, True
        rest = [({m: -c for m, c in q.items()} if yes else q, k) for (q, k), yes in zip(rest, flipped, strict=True)]
        found = [(a, k) for a, k in powers] + [(to_term(Coefficient(q)), mpq(k)) for q, k in rest]
        return [terms.number(number**sign), *(terms.power(a, terms.number(sign * k)) for a, k in found)]

    try:
        found = reduced(c)
        return gathered(terms.multiply(*factors(found.num, 1), *factors(found.den, -1)), _plain_sum)
    except Refused:
        return to_term(c)


def _plain_sum(term: Term) -> Term:
    """A sum of exponents with like terms taken together, whatever they are."""
    try:
        return to_term(Domain().value(term))
    except Refused:
        return term


def shortest(term: Term, at: Domain | Context, length: Callable[[Term], int]) -> Term:
    """A term as it is, with like terms taken together, or in factors."""
    ways = [term]
    with suppress(Refused):
        if size_of(term) <= MOST_PARTS:
            value = at.value(term)
            ways += [to_term(value), in_factors(value)]
    return min(ways, key=length)


def in_order(series: Sequence[tuple[Coefficient, Growth]], algebra: Algebra) -> list[tuple[Coefficient, Growth]]:
    """Terms, the larger ones first."""

    def compared(x: tuple[Coefficient, Growth], y: tuple[Coefficient, Growth]) -> int:
        return {"infinity": -1, "zero": 1}.get((x[1] / y[1]).limit(algebra.domain), 0)

    return sorted(series, key=cmp_to_key(compared))


def set_series(
    series: Series,
    algebra: Algebra,
    quantities: Quantities,
    notation: Notation,
    letters: Mapping[str, Term] | None = None,
) -> str:
    """The terms, the larger ones first, and the remainder; ``letters``: what is written for quantities that have no name."""

    def put(term: Term) -> str:
        shown = gathered(powers(term), quantities.tidy)
        return set_term(terms.substitute(shown, letters) if letters else shown, notation)

    ordered = in_order(series.terms, algebra)
    shown, rest = ordered[:MOST_SHOWN], list(series.rest)
    if ordered[MOST_SHOWN:]:
        rest = list(algebra.made([], [*rest, *(g for _, g in ordered[MOST_SHOWN:])]).rest)
    parts = [put(quantities.shown(c, g)) for c, g in shown]
    if rest:
        growths = (put(quantities.term(rational(1), g)) for g in rest)
        parts.append(f"O\\left({' + '.join(growths)}\\right)")
    return " + ".join(parts).replace("+ -", "- ") or "0"

