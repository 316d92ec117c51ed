"""Laws in statements ``X_n => X``: one atom, scaled and shifted, by what is given of it.

An atom is an everyday law (:mod:`asymp.functions.laws`), or a law of which one thing is given as a term with its range:

- ``Laplace(f, (s, 0, oo))``: X >= 0 and E exp(-s X) = f;  ``Mgf(f, (s, a, b))``: E exp(s X) = f, where a <= 0 <= b;
- ``Generating(f, (z, 0, 1))``: X = 0, 1, 2, ... and E z^X = f;  ``Masses(f, (k, a, b))``: P(X = k) = f for whole k;
- ``Distribution(f, (x, a, b))``: P(X <= x) = f for a < x < b;  ``Moments(f, (k, 1, oo))``: E X^k = f for whole k.

>>> one = law(Parser("(poisson(n) - n)/sqrt(n)").whole())
>>> print(*map(words, (one.atom, one.scaled(ONE), one.shift(ONE), one.inverse(Node("name", 1, "x")))), sep="; ")
poisson(n); 1/sqrt(n); -n/sqrt(n); x*sqrt(n) + n
>>> law(Parser("poisson(1) + poisson(2)").whole())
Traceback (most recent call last):
...
asymp.language.numbers.ParseError: two laws on one side of =>: poisson(1), poisson(2) (nothing says how they are joint)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from asymp.functions.laws import LAWS
from asymp.functions.laws import Law as Row
from asymp.language.conditions import Conditions, OfKind, read_conditions
from asymp.language.names import substitute
from asymp.language.numbers import ParseError
from asymp.language.syntax import DESCRIBED, Node, Parser, ranges, walk, words

ZERO, ONE, OO = Node("number", 1, "0"), Node("number", 1, "1"), Node("name", 1, "oo")
LESS_OO = Node("negative", 1, "", (OO,))


@dataclass(frozen=True)
class Law:
    """An atom (None: the side is a number) inside of what scales and shifts it."""

    side: Node
    atom: Node | None

    @property
    def row(self) -> Row | None:
        """The everyday law that the atom is."""
        return None if self.atom is None or self.atom.text in DESCRIBED else LAWS[self.atom.text]

    @property
    def given(self) -> str:
        """What is given of an atom that is none."""
        return self.atom.text if self.atom is not None and self.atom.text in DESCRIBED else ""

    @property
    def is_plain(self) -> bool:
        """Whether it is neither scaled nor shifted."""
        return self.side is self.atom

    @property
    def parameters(self) -> tuple[Node, ...]:
        """What stands in the brackets of the atom."""
        return () if self.atom is None else self.atom.parts

    def put(self, text: str, **values: Node) -> Node:
        """A text of the table, of an everyday law."""
        assert self.row is not None
        return put(text, {**dict(zip(self.row.letters, self.parameters, strict=True)), **values})

    def of_parameters(self, node: Node) -> Node:
        """A term in the letters of the table, of the parameters."""
        assert self.row is not None
        return substitute(node, dict(zip(self.row.letters, self.parameters, strict=True)))

    def scaled(self, value: Node) -> Node:
        """A value in place of the atom, without what is added to that."""
        return _scaled(self.side, self.atom, value)

    def shift(self, factor: Node) -> Node | None:
        """What is added in the end, times a factor; None for nothing."""
        return times(factor, self.side) if self.atom is None else _shift(self.side, self.atom, factor)

    def inverse(self, value: Node) -> Node:
        """What the atom is where the side has this value."""
        return _inverse(self.side, self.atom, value)

    def key(self) -> tuple[str, tuple[Node, ...]]:
        """What it is made of: two of which that is the same are one law."""
        if self.atom is None:
            return "", (self.side,)
        own = (self.row.name, self.parameters) if self.row else ("", (self.atom,))
        return own[0], (*own[1], self.scaled(ONE), self.shift(ONE) or ZERO)

    def terms(self) -> Iterator[Node]:
        """The terms it is made of."""
        if self.atom is None:
            yield self.side
            return
        yield from self.atom.parts if self.row else (self.atom,)
        if not self.is_plain:
            yield self.scaled(ONE)
            if (rest := self.shift(ONE)) is not None:
                yield rest

    def whole(self) -> list[Node]:
        """The parameters of an everyday law that are whole."""
        kinds = {c.name for c in read_conditions(self.row.where) if isinstance(c, OfKind)} if self.row else set()
        return [] if self.row is None else [x for v, x in zip(self.row.letters, self.parameters, strict=True) if v in kinds]

    def needs(self) -> Conditions:
        """What the parameters of an everyday law have to meet."""
        if self.row is None:
            return ()
        return tuple(c for c in read_conditions(self.row.where) if not isinstance(c, OfKind))


@lru_cache(maxsize=1_000)
def law(side: Node) -> Law:
    """The law that a side of => is.

    Raises:
        ParseError: two atoms, one that is not scaled and shifted alone, one of other arguments.
    """
    found = list(dict.fromkeys(_atoms(side)))
    if len(list(_atoms(side))) > 1:
        raise ParseError(f"two laws on one side of =>: {', '.join(map(words, found))} (nothing says how they are joint)")
    atom = found[0] if found else None
    if atom is not None:
        if atom.text in DESCRIBED:
            _range(atom)
        elif len(atom.parts) != len(LAWS[atom.text].letters):
            raise ParseError(f"{atom.text} takes {len(LAWS[atom.text].letters)} parameters: {LAWS[atom.text].words}")
        _scaled(side, atom, ONE)
    return Law(atom if side == atom and atom is not None else side, atom)


def standard(side: Node) -> Node:
    """A side with gumbel(0, 1) for gumbel."""
    if side.kind == "name" and side.text == "gumbel":
        return Node("call", side.column, "gumbel", (ZERO, ONE))
    return side if is_law(side) else side.of(tuple(map(standard, side.parts)))


TITLES = {name.capitalize() if name != "gamma" else "GammaLaw": name for name in LAWS}
"""Everyday laws as they are printed: what a function of the name is, is no law."""


def titled(side: Node) -> Node:
    """A side with the law as it is printed.

    >>> words(titled(Parser("binomial(n, 1)/binomial(n)").whole()))
    'Binomial(n, 1)/Binomial(n)'
    """
    if is_law(side):
        printed = {name: title for title, name in TITLES.items()}
        return side if side.text in DESCRIBED else Node("call", side.column, printed[side.text], side.parts)
    return side.of(tuple(map(titled, side.parts)))


def untitled(side: Node) -> Node:
    """A side as it was before."""
    if side.kind == "call" and side.text in TITLES:
        return Node("call", side.column, TITLES[side.text], side.parts)
    return side.of(tuple(map(untitled, side.parts)))


def is_law(node: Node) -> bool:
    """Whether it is an atom: gamma(n) and binomial(n, k) elsewhere are functions."""
    is_function = node.text == "gamma" and len(node.parts) == 1
    return node.kind == "call" and (node.text in DESCRIBED or (node.text in LAWS and not is_function))


def _atoms(side: Node) -> Iterator[Node]:
    if is_law(side):
        yield side
        return
    for part in side.parts:
        yield from _atoms(part)


def _range(atom: Node) -> None:
    found = ranges(atom)
    if len(found) != 1 or len(atom.parts) != 2:
        raise ParseError(f"{atom.text} has one term and one range: {atom.text}(f, (s, 0, oo))")
    _, low, high = found[0]
    wanted = {"Laplace": (ZERO, None), "Generating": (ZERO, ONE), "Moments": (ONE, OO)}.get(atom.text, (None, None))
    for end, want in zip((low, high), wanted, strict=True):
        if want is not None and end != want:
            raise ParseError(f"the range of {atom.text} is ({words(wanted[0] or low)}, {words(wanted[1] or high)})")
    if low == OO or high == LESS_OO:
        raise ParseError(f"the range of {atom.text} runs backwards")


def _apart(node: Node, atom: Node | None) -> tuple[int, Node]:
    """The part of a sum or product that holds the atom.

    Raises:
        ParseError: the atom is not scaled and shifted alone.
    """
    k = next(k for k, part in enumerate(node.parts) if any(one == atom for one in walk(part)))
    if node.kind not in ("sum", "product", "negative") or (node.kind == "product" and node.signs[k] == "/"):
        raise ParseError(f"a law is scaled and shifted, no more: {words(node)}")
    return k, node.parts[k]


def _scaled(node: Node, atom: Node | None, value: Node) -> Node:
    if node == atom:
        return value
    k, part = _apart(node, atom)
    inner = _scaled(part, atom, value)
    if node.kind == "sum":
        return minus(inner) if node.signs[k] == "-" else inner
    return node.of((*node.parts[:k], inner, *node.parts[k + 1 :]))


def _shift(node: Node, atom: Node | None, factor: Node) -> Node | None:
    if node == atom:
        return None
    k, part = _apart(node, atom)
    inner = _shift(part, atom, factor)
    if node.kind == "negative":
        return None if inner is None else minus(inner)
    if node.kind == "product":
        if inner is None or inner.kind != "product" or k:
            return None if inner is None else node.of((*node.parts[:k], inner, *node.parts[k + 1 :]))
        return Node("product", 1, "", (*inner.parts, *node.parts[1:]), inner.signs + node.signs[1:])
    found = inner if inner is None or node.signs[k] == "+" else minus(inner)
    for j, (one, sign) in enumerate(zip(node.parts, node.signs, strict=True)):
        if j != k:
            piece = one if factor == ONE else _product(factor, one)
            found = (minus(piece) if sign == "-" else piece) if found is None else plus(found, piece, sign)
    return found


def _inverse(node: Node, atom: Node | None, value: Node) -> Node:
    if node == atom:
        return value
    k, part = _apart(node, atom)
    if node.kind == "negative":
        return _inverse(part, atom, minus(value))
    for j, (one, sign) in enumerate(zip(node.parts, node.signs, strict=True)):
        if j != k:
            other = {"+": "-", "-": "+", "*": "/", "/": "*"}[sign]
            value = plus(value, one, other) if node.kind == "sum" else times(value, one, other)
    if node.kind == "sum" and node.signs[k] == "-":
        value = minus(value)
    return _inverse(part, atom, value)


# --- nodes ------------------------------------------------------------------------------------------


def call(name: str, *parts: Node) -> Node:
    """f(x, y)."""
    return Node("call", 1, name, parts)


def minus(x: Node) -> Node:
    """-x."""
    if x.kind == "negative":
        return x.parts[0]
    if x.kind == "product" and x.parts[0].kind == "negative":
        first = x.parts[0].parts[0]
        own, signs = (first.parts, first.signs) if first.kind == "product" else ((first,), "*")
        return Node("product", 1, "", (*own, *x.parts[1:]), signs + x.signs[1:])
    return x if x == ZERO else Node("negative", 1, "", (x,))


def plus(x: Node, y: Node, sign: str = "+") -> Node:
    """x + y, x - y."""
    if y.kind == "negative":
        y, sign = y.parts[0], "-" if sign == "+" else "+"
    if y == ZERO:
        return x
    if x == ZERO:
        return minus(y) if sign == "-" else y
    if x.kind == "sum":
        return Node("sum", 1, "", (*x.parts, y), x.signs + sign)
    return Node("sum", 1, "", (x, y), f"+{sign}")


def times(x: Node, y: Node, sign: str = "*") -> Node:
    """x*y, x/y."""
    if y == ONE or (x == ONE and sign == "*"):
        return x if y == ONE else y
    if ZERO in (x, y) and sign == "*":
        return ZERO
    if x.kind == "negative":
        return minus(times(x.parts[0], y, sign))
    if x.kind == "product":
        return Node("product", 1, "", (*x.parts, y), x.signs + sign)
    return Node("product", 1, "", (x, y), f"*{sign}")


def _product(x: Node, y: Node) -> Node:
    """x*y, where y may be a product: of the first factor on."""
    return Node("product", 1, "", (x, *y.parts), "*" + y.signs) if y.kind == "product" else times(x, y)


def is_infinite(end: Node) -> bool:
    """Whether an end is oo or -oo."""
    return end in (OO, LESS_OO)


def put(text: str, values: dict[str, Node]) -> Node:
    """A text of the table with terms for its letters; what a number among them makes superfluous is left out.

    >>> words(put("exp(v*s^2/2 - m*s)/(b - a)^n", {"m": ZERO, "v": ONE, "a": ZERO, "b": Node("name", 1, "c")}))
    'exp(s^2/2)/c^n'
    """
    bare = {name: x.parts[0] if x.kind == "negative" else x for name, x in values.items()}
    numbers = {name: values[name] for name, x in bare.items() if x.kind == "number"}
    return substitute(_tidy(substitute(Parser(text).whole(), numbers)), values)


def _tidy(node: Node) -> Node:
    parts = tuple(map(_tidy, node.parts))
    match node.kind:
        case "negative":
            return minus(parts[0])
        case "sum":
            found = ZERO
            for part, sign in zip(parts, node.signs, strict=True):
                found = plus(found, part, sign)
            return found
        case "product":
            if any(part == ZERO and sign == "*" for part, sign in zip(parts, node.signs, strict=True)):
                return ZERO
            found = parts[0]
            for part, sign in zip(parts[1:], node.signs[1:], strict=True):
                found = times(found, part, sign)
            return found
        case "power" if parts[0] == ONE or parts[1] == ONE:
            return parts[0]
        case "call" if node.text == "exp" and parts == (ZERO,):
            return ONE
    return node.of(parts)
