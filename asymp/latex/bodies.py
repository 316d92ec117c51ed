r"""What a formula says between its conditions: relations, chains of them, limits, cases.

>>> from asymp.latex.read import read
>>> print(read(r"\lim_{n \to \infty} \frac{H_n}{\ln n} = 1"))
harmonic(n)/log(n) -> 1 as n -> oo
>>> print(read(r"n \le 2n \le 3n"))
n <= 2*n <= 3*n
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from asymp.language.laws import untitled
from asymp.language.orders import NotLinear, has_order
from asymp.language.syntax import Node, words
from asymp.latex.conditions import COMPARED, Condition, conditions
from asymp.latex.context import Context
from asymp.latex.cursor import unexpected
from asymp.latex.items import Item, Items
from asymp.latex.names import is_letter, sign_at
from asymp.latex.orders import exact, included, said
from asymp.latex.terms import Terms

SHAPES = ("increasing", "decreasing", "nondecreasing", "nonincreasing")
_LIMITS = ("lim",)


@dataclass
class Body:
    """What is said as text, whether it is of a limit, and the regime that a limit in it names.

    ``parts`` are several of them, one a row of cases, each with its condition.
    """

    text: str
    asymptotic: bool
    regime: list[Condition] = field(default_factory=list)
    parts: list[tuple[str, Items]] = field(default_factory=list)
    sides: list[Node] = field(default_factory=list)


def is_in_law(above: Items) -> bool:
    """Whether what stands above an arrow says that it is convergence in law: a d, a D or a w."""
    return len(above) == 1 and above[0].kind in ("letter", "upright", "text") and above[0].text in ("d", "D", "w")


def body(context: Context, found: Items) -> Body:
    """The relation or the chain that a list of items is."""
    found = tuple(item for item in found if item.kind != "space")
    if found and found[0].kind == "relation":
        raise context.fail("the left side is missing", found[0])
    return _Sides(context, found).body()


class _Sides(Terms):
    def body(self) -> Body:
        """All of it."""
        self.regime: list[Condition] = []
        self.limits: list[int] = []
        sides: list[Node] = []
        signs: list[Item] = []
        while True:
            if self.item is not None and self.item.kind == "env":
                return self.cases(sides, signs, self.item)
            if [sign.text for sign in signs] == ["in"] and self.item is not None and self.item.text in ("(", "["):
                return self.member(sides)
            begin = self.position
            sides.append(self.side(len(sides)))
            end, relation = self.position, self.relation()
            if relation is None:
                break
            if signs:
                self.require_one_term(begin, end)
            signs.append(relation)
        if self.item is not None and self.item.kind == "phrase":
            return self.quality(sides, signs, self.item)
        if self.item is not None:
            raise self.fail(unexpected(self.item))
        if not signs:
            if sides[0].kind == "call" and not has_order(sides[0]):
                return Body(words(sides[0]), False, [], [], sides)
            raise self.context.fail("a relation is missing (=, \\sim, \\le, \\to or the like)", self.found[0])
        return self.linked(sides, signs)

    def side(self, place: int) -> Node:
        r"""A term, or a limit of one."""
        if self.take("macro", "lim"):
            index = self.item
            if index is None or index.kind != "sub":
                raise self.fail("a limit without what tends where")
            self.position += 1
            self.regime += conditions(self.context, index.parts[0])
            self.limits.append(place)
        return self.expression()

    def member(self, sides: list[Node]) -> Body:
        r"""``f \in [0, 1]``: as a chain."""
        found = conditions(self.context, self.found)
        if len(found) != 1 or not re.search("[<>]", found[0]):
            raise self.context.fail("a set: only an interval is a chain of comparisons", self.found[0])
        return Body(str(found[0]), False, [], [], sides)

    def relation(self) -> Item | None:
        """The relation that is next, which is taken; what stands below it is the regime."""
        item = self.item
        if item is None:
            return None
        if item.kind == "macro" and item.text in ("arrow", "overset", "underset", "stackrel"):
            self.position += 1
            first, second = item.parts
            above, below = (first, second) if item.text in ("arrow", "stackrel", "overset") else (second, first)
            if item.text in ("stackrel", "overset"):
                small, sign = above, below
            elif item.text == "underset":
                small, sign = below, above
            else:
                if is_in_law(above):
                    return Item("relation", "=>", at=item.at)
                if above:
                    raise self.fail("what stands above the arrow is not read", item)
                small, sign = below, (Item("relation", "->", at=item.at),)
            if is_in_law(small) and item.text != "underset" and [one.text for one in sign] == ["->"]:
                return Item("relation", "=>", at=item.at)
            if len(sign) != 1 or sign[0].kind != "relation" or item.text == "overset" or item.text == "stackrel":
                raise self.fail("what stands above or below this sign is not read", item)
            if small:
                self.regime += conditions(self.context, small)
            return sign[0]
        if item == Item("sign", ":") and (following := self.ahead()) is not None and following == Item("relation", "="):
            self.position += 2
            return following
        if item.kind != "relation":
            return None
        self.position += 1
        if self.item is not None and self.item.kind == "sub":
            self.regime += conditions(self.context, self.item.parts[0])
            self.position += 1
        return item

    # --- links of a chain

    def linked(self, sides: list[Node], signs: list[Item]) -> Body:
        """A chain as text."""
        if self.limits:
            return self.limiting(sides, signs)
        if has_order(sides[0]) and all(sign.text == "=" for sign in signs):
            return self.ordered(sides)
        beside = [side for side, sign in zip(sides, signs, strict=False) if sign.text != "="]
        if has_order(sides[0]) or any(map(has_order, beside)):
            raise self.context.fail("an order on the left: say of what", self.found[0])
        if all(sign.text in COMPARED for sign in signs) and not any(map(has_order, sides)):
            text = words(sides[0]) + "".join(f" {sign.text} {words(s)}" for sign, s in zip(signs, sides[1:], strict=True))
            return Body(text, False, self.regime, [], sides)
        inner = [k for k in range(1, len(sides) - 1) if has_order(sides[k])]
        each = bool(inner) and self.context.ask("f = O(g) = O(h)", signs[inner[0]]) == "f = O(g), f = O(h)"
        links = []
        last = sides[0]
        for sign, side in zip(signs, sides[1:], strict=True):
            links.append(self.link(last, sign, side, side is sides[-1]))
            if not has_order(side):
                last = side
            elif not each and side is not sides[-1]:
                try:
                    last = exact(side)
                except NotLinear as error:
                    raise self.context.fail(str(error), sign) from None
        asymptotic = any(asymptotic for _, asymptotic in links)
        return Body(" and ".join(text for text, _ in links), asymptotic, self.regime, [], sides)

    def link(self, left: Node, sign: Item, right: Node, last: bool) -> tuple[str, bool]:
        """One relation as text, and whether it is of a limit."""
        def fail(what: str) -> Exception:
            return self.context.fail(what, sign)

        if sign.text == "=":
            return said(words(left), right, fail), has_order(right)
        if sign.text == "~" and has_order(right) and right.kind == "sum":
            if self.context.ask(r"f \sim g + o(h)", sign) == "f = g + o(h)":
                return said(words(left), right, fail), True
            return f"{words(left)} ~ {words(exact(right))}", True
        if has_order(right) and (sign.text not in ("<=", ">=") or not last):
            raise fail("an order behind this relation: write =")
        if has_order(right):
            return f"{words(left)} {sign.text} {words(right)}", True
        first, second = words(left), words(right)
        match sign.text:
            case "<=" | "<" | ">=" | ">":
                return f"{first} {sign.text} {second}", False
            case "~" | "->":
                return f"{first} {sign.text} {second}", True
            case "=>":
                return f"{words(untitled(left))} => {words(untitled(right))}", True
            case "asymp":
                return f"{first} = Theta({second})", True
            case "approx":
                if digits := printed(right):
                    return f"{first} rounds to {digits}", False
                near = self.context.ask(r"f \approx g", sign) == r"f \sim g"
                return (f"{first} ~ {second}" if near else f"{first} = {second} + o(1)"), True
            case "ll" | "gg":
                small = self.context.ask(r"f \ll g", sign) == "f = o(g)"
                order = {("ll", True): "o", ("ll", False): "O", ("gg", True): "omega", ("gg", False): "Omega"}[sign.text, small]
                return f"{first} = {order}({second})", True
        raise fail("this relation is no statement of its own")

    def ordered(self, sides: list[Node]) -> Body:
        """``O(f) = o(g)``, ``(1 + o(1)) f = g``: that all on the left is of what stands on the right."""
        links: list[str] = []
        for left, right in pairwise(sides):
            try:
                links += included(left, right)
            except NotLinear as error:
                raise self.context.fail(str(error), self.found[0]) from error
        return Body(" and ".join(links), True, self.regime, [], sides)

    def limiting(self, sides: list[Node], signs: list[Item]) -> Body:
        r"""``\lim f = c``, from either side, and what follows of c."""
        if len(self.limits) > 1 or self.limits[0] > 1 or signs[0].text != "=" or any(map(has_order, sides)):
            raise self.context.fail("a limit is written \\lim f = c", self.found[0])
        of, value = (sides[0], sides[1]) if self.limits[0] == 0 else (sides[1], sides[0])
        text = f"{words(of)} -> {words(value)}"
        last = sides[1]
        if self.limits[0] == 1 and len(sides) > 2:
            raise self.context.fail("a limit in the middle of a chain", self.found[0])
        for sign, side in zip(signs[1:], sides[2:], strict=True):
            if sign.text not in COMPARED:
                raise self.context.fail("this relation does not follow a limit", sign)
            text += f" and {words(last)} {sign.text} {words(side)}"
            last = side
        return Body(text, True, self.regime, [], sides)

    # --- other forms

    def quality(self, sides: list[Node], signs: list[Item], phrase: Item) -> Body:
        """``is increasing in x``, ``is largest at x = v``, ``f = g has one root x in (a, b)``."""
        self.position += 1
        said = phrase.text
        if said not in (*SHAPES, "largest", "least", "root") or len(sides) != 1 + (said == "root"):
            raise self.fail("words out of place", phrase)
        if self.item is None or not is_letter(self.item):
            raise self.fail("the variable is missing", phrase)
        sign = sign_at(self.found, self.position)
        name = self.context.name(sign)
        self.position = sign.end
        text = f"{words(sides[0])} is {said} in {name}"
        if said in ("largest", "least"):
            if not self.take("relation", "="):
                raise self.fail("the place is written x = v")
            text = f"{words(sides[0])} is {said} at {name} = {words(self.expression())}"
        if said == "root":
            if signs[0].text != "=" or not self.take("relation", "in"):
                raise self.fail("a root is said to be in (a, b)", phrase)
            if self.item != Item("open", "("):
                raise self.fail("a root is said to be in (a, b)", phrase)
            ends = ", ".join(map(words, self.arguments()))
            text = f"{words(sides[0])} = {words(sides[1])} has one root {name} in ({ends})"
        if self.item is not None:
            raise self.fail(unexpected(self.item))
        return Body(text, False, [], [], sides)

    def cases(self, sides: list[Node], signs: list[Item], item: Item) -> Body:
        """What stands behind the last sign as cases: a statement a row."""
        if len(sides) != 1 or signs[0].text != "=" or self.ahead() is not None or "cases" not in item.text:
            raise self.fail("cases are read behind one =", item)
        parts: list[tuple[str, Items]] = []
        for row in split(item.parts[0], "row"):
            cells = split(row, "cell")
            if not row:
                continue
            if len(cells) != 2:
                raise self.context.fail("a row of cases is its value, & and its condition", row[0])
            value = tuple(i for i in cells[0] if i.kind != "space")
            if value and value[-1].kind == "sign" and value[-1].text in ",.;":
                value = value[:-1]
            term = self.part(value, row[0].at)
            if has_order(term):
                raise self.context.fail("an order in cases", row[0])
            parts.append((f"{words(sides[0])} = {words(term)}", cells[1]))
        if not parts:
            raise self.fail("cases without a row", item)
        return Body("", False, self.regime, parts, sides)


def split(found: Items, kind: str) -> list[Items]:
    """Items between those of a kind."""
    out: list[list[Item]] = [[]]
    for item in found:
        if item.kind == kind:
            out.append([])
        else:
            out[-1].append(item)
    return [tuple(piece) for piece in out]


def printed(node: Node) -> str:
    r"""A number as it is printed, ``0.577`` or ``4.4 \cdot 10^{-3}``; empty for another term."""
    text = words(node)
    if re.fullmatch(r"-?\d+(\.\d+)?", text):
        return text
    power = re.fullmatch(r"(-?\d+(?:\.\d+)?)\*10\^\(?(-?\d+)\)?", text)
    return f"{power[1]}e{power[2]}" if power else ""
