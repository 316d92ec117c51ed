r"""Items to terms: sums, products, powers, fractions; every item is part of the term, or the formula is refused.

>>> from asymp.language.syntax import words
>>> words(term(r"\frac{n(n+1)}{2} + 2^{-k}"))
'n*(n + 1)/2 + 2^(-k)'
"""

from __future__ import annotations

from asymp.functions.table import NAMED
from asymp.language.syntax import Node
from asymp.latex import atoms, totals
from asymp.latex.choices import Answers, Asked
from asymp.latex.context import Context, call_node, number_node, product_node, sum_node
from asymp.latex.cursor import Cursor
from asymp.latex.items import Item, Items
from asymp.latex.names import standing
from asymp.latex.notation import Notation
from asymp.latex.pieces import top
from asymp.latex.source import Unreadable

_TOTALS = frozenset(("sum", "prod", "int"))

JOINS = ("wedge", "vee", "lor", "land")
"""The smaller and the larger of two numbers, or "and" and "or"."""


class Terms(Cursor):
    """Reads terms: sums of products of factors."""

    # --- sums and products

    def expression(self) -> Node:
        """A sum."""
        parts: list[Node] = []
        signs = ""
        while True:
            item = self.item
            sign = item.text if item is not None and item.kind == "sign" and item.text in "+-" else ""
            if not sign and parts:
                break
            if sign:
                self.position += 1
                if not parts and sign == "+":
                    raise self.fail("a + with nothing before it", item)
                following = self.item
                if following is not None and following.kind == "sign" and following.text in ("+", "-"):
                    raise self.fail("two signs one after the other")
            parts.append(self.product())
            signs += sign or "+"
        if signs[0] == "-":
            parts[0], signs = Node("negative", 1, "", (parts[0],)), "+" + signs[1:]
        return sum_node(*parts, signs=signs)

    def product(self) -> Node:
        """A product."""
        parts, signs = self.factors()
        return product_node(*parts, signs=signs)

    def factors(self) -> tuple[list[Node], str]:
        """The factors of a product, and whether each multiplies or divides."""
        parts, signs = [self.factor()], "*"
        while (item := self.item) is not None:
            if totals.begins_anew(self):
                break
            if item.kind == "sign" and item.text in "*/":
                self.position += 1
                signs += item.text
                parts.append(self.factor())
                if item.text == "/" and self.starts():
                    self.divided(parts, item)
            elif item.kind == "macro" and item.text in JOINS:
                self.position += 1
                if len(parts) > 1:
                    raise self.fail("brackets are wanted around what \\wedge or \\vee joins", item)
                parts = [call_node("Min" if item.text in ("wedge", "land") else "Max", parts[0], self.factor())]
                if self.starts():
                    raise self.fail("brackets are wanted around what \\wedge or \\vee joins", item)
            elif self.starts():
                before = self.found[self.position - 1]
                following = self.ahead() if self.differential() and not self.inside else None
                if following is not None and not following.gap and not self.letter_d():
                    raise self.context.beyond("a differential without its integral?  Write d \\cdot for a product", item)
                self.adjacent(item, before)
                if self.mixed(before, item):
                    parts[-1] = sum_node(parts[-1], self.factor())
                    continue
                signs += "*"
                parts.append(self.factor())
            else:
                break
        return parts, signs

    def require_one_term(self, begin: int, end: int) -> None:
        r"""That between two relations no ``\wedge`` stands that may join statements: ``x \ge 1 \wedge x \le 2``."""
        for joins in (i for i in top(self.found[begin:end]) if i.kind == "macro" and i.text in JOINS):
            raise self.fail(f"\\{joins.text} between two relations: of two numbers, or of two statements?  "
                            "Use brackets, or the word", joins)  # fmt: skip

    def divided(self, parts: list[Node], slash: Item) -> None:
        """What stands right after ``1/2``: the question whether it is divided or divides."""
        if self.context.ask("1/2n", slash) == "(1/2)n":
            return
        below = [parts.pop()]
        while self.starts():
            below.append(self.factor())
        parts.append(product_node(*below))

    def adjacent(self, item: Item, before: Item) -> None:
        """That a number does not stand behind a factor, where it may be an index or a misprint."""
        power = (following := self.ahead()) is not None and following.kind in ("sup", "sign")
        starred = following is not None and following.kind == "sign" and following.text == "!"
        if item.kind == "number" and not (power and (following is None or following.kind == "sup" or starred)):
            raise self.fail("a number right after a factor: write \\cdot before it, or an index with _")

    def mixed(self, before: Item, item: Item) -> bool:
        r"""Whether ``2\frac12`` is two and a half."""
        halves = item.kind == "macro" and item.text == "frac" and all(len(p) == 1 and p[0].kind == "number" for p in item.parts)
        alone = before.kind == "number" and (self.position < 2 or self.found[self.position - 2].kind not in ("sup", "sub"))
        return halves and alone and self.context.ask(r"2\frac12", item) == r"2 + \frac12"

    # --- powers

    def factor(self) -> Node:
        """A factor with its factorials and powers; a sum takes all factors behind it."""
        item = self.item
        if item is None:
            raise self.fail("the formula ends too soon")
        if item.kind == "macro" and item.text in _TOTALS:
            if (item.kind, item.text, item.font) in self.context.notation.heads and (found := atoms.named(self)) is not None:
                return self.raised(*found, item)
            return totals.total(self, item)
        if item.kind == "sign" and item.text == "-" and self.position and self.found[self.position - 1].kind == "sign":
            raise self.fail("two signs one after the other: use brackets")
        if (found_one := totals.coefficient(self, item)) is not None:
            return found_one
        node, shape = atoms.atom(self, item)
        return self.raised(node, shape, item)

    def raised(self, node: Node, shape: str, first: Item) -> Node:
        """A factor with the factorials, primes and powers behind it; ``shape`` says what it is."""
        if self.item is not None and self.item.kind == "sub":
            raise self.fail("an index of what is no letter")
        if self.item is not None and self.item.kind == "prime":
            raise self.fail("a prime behind what is no letter: a derivative is not read")
        if self.take("sign", "!"):
            if shape == "function":
                raise self.fail("a factorial of a function: use brackets", first)
            if self.take("sign", "!"):
                node = call_node("factorial2", node)
            else:
                node = Node("factorial", 1, "", (node,))
            if self.item is not None and self.item == Item("sign", "!"):
                raise self.fail("a third factorial: use brackets")
            shape = "factorial"
        item = self.item
        if item is None or item.kind != "sup":
            return node
        self.position += 1
        return self.power(node, shape, item, first)

    def power(self, node: Node, shape: str, item: Item, first: Item) -> Node:
        """A power of a factor."""
        inner = item.parts[0]
        if inner == (Item("sign", "+"),):
            if shape != "bracket":
                raise self.fail("a raised + of what stands in no brackets", item)
            return self.raised(call_node("Max", node, number_node("0")), "bracket", first)
        if (len(inner) == 1 and inner[0].kind == "sign") or not inner:
            raise self.fail("a power that is no term", item)
        named = shape == "letter" or (node.kind == "call" and node.text not in NAMED)
        if named and is_index(inner) and not self.is_moving(node, inner):
            raise self.fail("an index in brackets above a letter: say in the notation what it is", item)
        if len(inner) == 1 and inner[0].kind == "macro" and inner[0].text == "underline":  # n(n - 1)...(n - k + 1)
            return call_node("ff", node, self.part(inner[0].parts[0], item.at))
        if shape == "letter" and len(inner) == 1 and inner[0].kind in ("text", "upright"):
            raise self.context.beyond("a word above a letter: say in the notation what it is", item)
        exponent = self.part(inner, item.at)
        if self.item is not None and self.item.kind in ("sup", "prime", "sub"):
            raise self.fail("a second power or index: use brackets")
        if self.item is not None and self.item == Item("sign", "!"):
            raise self.fail("a factorial behind a power: use brackets")
        if node.kind == "name" and node.text == "E":
            return call_node("exp", exponent)
        return Node("power", 1, "", (node, exponent))

    def is_moving(self, node: Node, inner: Items) -> bool:
        """Whether a letter is a declared or bound variable, so that what is raised is a power and no derivative."""
        name = node.text if node.kind == "name" else ""
        return (name in self.context.notation.variables or name in self.context.bound) and len(inner) > 3



def is_index(inner: Items) -> bool:
    """Whether a superscript may be an index in brackets, as in ``B^{(n)}`` or ``f^{(k+1)}``."""
    if inner[0] != Item("open", "("):
        return False
    level = 0
    for end, item in enumerate(inner):
        level += (item.kind == "open") - (item.kind == "close")
        if level == 0:
            return end in (2, len(inner) - 1)
    return False


def term(source: str, notation: Notation | None = None) -> Node:
    """A text as one term, where nothing in it is ambiguous.

    Raises:
        Unreadable: it is not read.
    """
    notation = notation or Notation()
    found = notation.items(source)
    bare: set[str] = set()
    standing(found, bare, set())
    context = Context(source, notation, Answers(notation.readings), frozenset(bare))
    try:
        return Terms(context, tuple(i for i in found if i.kind != "space")).whole()
    except Asked as asked:
        raise Unreadable(f"{asked.question}: {' or '.join(asked.options)}?", source, asked.at) from asked

