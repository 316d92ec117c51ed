r"""Regimes and domains: ``n \to \infty``, ``0 < p < 1``, ``k = 1, \ldots, n``, ``x \in [0, 1)``, as text of the language.

>>> from asymp.latex.statements import read_conditions
>>> read_conditions(r"n \to \infty,\ p \downarrow 0,\ 1 \le i \le n,\ k = 0, 1, \ldots,\ x \in (0, 1]")
['n -> oo', 'p -> 0+', '1 <= i <= n', 'whole k >= 0', '0 < x <= 1']
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from asymp.language.orders import has_order
from asymp.language.syntax import Node, words
from asymp.latex.context import Context
from asymp.latex.cursor import unexpected
from asymp.latex.items import Item, Items
from asymp.latex.names import is_letter, sign_at
from asymp.latex.phrases import flat
from asymp.latex.pieces import COMMA, STOPS
from asymp.latex.terms import Terms

COMPARED = ("<=", "<", ">=", ">", "=")
DOTS = Item("macro", "dots")
NATURAL = r"\mathbb{N}"
_KINDS = {"whole": "whole", "integer": "whole", "integers": "whole", "real": "real", "natural": ""}


class Condition(str):
    """A condition as text; ``tends`` says that it is of a limit."""

    tends: bool = False


def made(text: str, tends: bool = False) -> Condition:
    """A condition."""
    one = Condition(text)
    one.tends = tends
    return one


def conditions(context: Context, found: Items) -> list[Condition]:
    """The conditions in a list of items, with commas between."""
    at = _Conditions(context, found)
    out: list[Condition] = []
    while at.item is not None:
        alone = at.alone()
        out += at.one() if not alone else []
        if at.item is None:
            break
        if not (at.take("sign", ",", ";") or at.take("space") or at.take("phrase", "and")):
            raise at.fail(unexpected(at.item))
        while at.take("space"):
            pass
        if at.item is None:
            raise context.fail("a condition is missing behind the comma", at.found[-1])
    return out


class _Conditions(Terms):
    def one(self) -> list[Condition]:
        """The condition that begins here, or several that share what is said."""
        start = self.item
        assert start is not None
        kind = ""
        if start.kind == "phrase" and start.text in _KINDS and _KINDS[start.text]:
            self.position += 1
            kind = _KINDS[start.text]
        if self.item == Item("open", "[") and (chain := self.every()):
            return [made(chain)]
        if self.is_function():
            return [made(self.function())]
        names = [self.expression_or_tuple()]
        while self.item == COMMA and is_name(names[-1]) and self.shares():
            self.position += 1
            names.append(self.expression_or_tuple())
        sign = self.item
        if sign is None or sign.kind != "relation":
            if kind and is_name(names[0]):
                return [made(f"{kind} {words(one)}") for one in names]
            raise self.fail("a condition is written with a relation", sign or start)
        self.position += 1
        if sign.text == "in":
            found = self.member(names[0])
            if len(names) > 1 and any(len(re.findall(rf"\b{re.escape(words(names[0]))}\b", c)) != 1 for c in found):
                raise self.fail("one variable at a time", sign)
            return [*found, *(made(_other(c, names[0], one)) for one in names[1:] for c in found)]
        if sign.text in ("->", "up", "down"):
            target, side = self.target(sign)
            prefix = f"{kind} " if kind else ""
            return [made(f"{prefix}{words(one)} -> {target}{side}", tends=True) for one in names]
        if sign.text in ("ll", "gg"):
            small = self.context.ask(r"f \ll g", sign) == "f = o(g)"
            order = {("ll", True): "o", ("ll", False): "O", ("gg", True): "omega", ("gg", False): "Omega"}[sign.text, small]
            right = words(self.expression())
            return [made(f"{words(one)} = {order}({right})", tends=True) for one in names]
        if sign.text in ("~", "asymp"):
            right = words(self.expression())
            text = f"~ {right}" if sign.text == "~" else f"= Theta({right})"
            return [made(f"{words(one)} {text}", tends=True) for one in names]
        if sign.text not in COMPARED:
            raise self.fail("this relation is no condition", sign)
        return self.compared(names, sign, kind)

    def alone(self) -> bool:
        r"""Whether a name stands here alone, of which the next condition is: ``\forall b, 0 < b < n``; it is then taken."""
        k = self.position
        if self.item is None or not is_letter(self.item) or (end := sign_at(self.found, k).end) >= len(self.found):
            return False
        name, after = self.found[k:end], self.found[end + 1 :]
        cut = next((j for j, one in enumerate(after) if one == COMMA), len(after))
        said = after[:cut]
        sides = [j for j, one in enumerate(said) if one.kind == "relation"]
        inside = len(sides) == 2 and said[sides[0] + 1 : sides[1]] == name
        if self.found[end] == COMMA and (inside or (len(sides) == 1 and said[: sides[0]] == name)):
            self.position = end
            return True
        return False

    def expression_or_tuple(self) -> Node:
        """A term, or a list of names in brackets before ``\\in``."""
        if self.item == Item("open", "("):
            place = self.position
            level = 0
            for k in range(place, len(self.found)):
                level += (self.found[k].kind == "open") - (self.found[k].kind == "close")
                if level == 0:
                    break
            inner = self.found[place + 1 : k]
            after = self.found[k + 1] if k + 1 < len(self.found) else None
            if COMMA in inner and after is not None and after == Item("relation", "in"):
                return Node("tuple", 1, "", self.arguments())
        return self.expression()

    def shares(self) -> bool:
        """Whether ``a, b > 0`` goes on here: a name behind the comma, and then a comma or a relation."""
        k = self.position + 1
        if k >= len(self.found) or not is_letter(self.found[k]):
            return False
        end = sign_at(self.found, k).end
        return end < len(self.found) and (self.found[end] == COMMA or self.found[end].kind == "relation")

    def compared(self, names: list[Node], sign: Item, kind: str) -> list[Condition]:
        """A chain of comparisons, or a list of values."""
        if len(names) == 1 and sign.text == "=" and is_name(names[0]) and (listed := self.listed(names[0])):
            return [made(listed)]
        begin = self.position
        parts, signs = [self.expression()], [sign.text]
        while self.item is not None and self.item.kind == "relation":
            if self.item.text not in COMPARED:
                raise self.fail("two relations of another kind in one condition")
            self.require_one_term(begin, self.position)
            begin = self.position + 1
            signs.append(self.item.text)
            self.position += 1
            parts.append(self.expression())
        if any(map(has_order, parts[:-1])) or (has_order(parts[-1]) and (signs != ["="] or parts[-1].kind != "call")):
            raise self.fail("an order in a condition is written p = o(q)", sign)
        tail = "".join(f" {s} {words(p)}" for s, p in zip(signs, parts, strict=True))
        prefix = f"{kind} " if kind else ""
        return [made(f"{prefix}{words(one)}{tail}", tends=has_order(parts[-1])) for one in names]

    def listed(self, name: Node) -> str:
        r"""``= 1, 2, \ldots``, ``= 1, \ldots, n`` and ``= 1, 2, 3`` behind a name; empty for another equation."""
        pieces, end = self.pieces()
        related = next((k for k, piece in enumerate(pieces) if any(one.kind == "relation" for one in piece)), len(pieces))
        rest, pieces = pieces[related:], pieces[:related]
        if DOTS in [piece[0] for piece in pieces if len(piece) == 1]:
            dots = next(k for k, piece in enumerate(pieces) if piece == (DOTS,))
            low = self.part(pieces[0], self.at)
            first = [self.part(piece, self.at) for piece in pieces[:dots]]
            if not dots or not all(map(_next, first, first[1:])):
                raise self.fail("a list is written 1, 2, \\ldots or 1, \\ldots, n")
            last = dots + 1 < len(pieces)
            self.position = end(dots + 2 if last else dots + 1)
            if last:
                return f"whole {words(name)}, {words(low)} <= {words(name)} <= {words(self.part(pieces[dots + 1], self.at))}"
            return f"whole {words(name)} >= {words(low)}"
        if len(pieces) > 1 and not rest:
            values = [words(self.part(piece, self.at)) for piece in pieces]
            self.position = end(len(pieces))
            return f"{words(name)} in {{{', '.join(values)}}}"
        return ""

    def pieces(self) -> tuple[list[Items], Callable[[int], int]]:
        """What stands between the commas from here on, and where the first so many of them end."""
        cuts = [self.position - 1]
        level = 0
        for k in range(self.position, len(self.found)):
            one = self.found[k]
            level += (one.kind == "open") - (one.kind == "close")
            if level == 0 and one in (Item("sign", ";"), Item("phrase", "and")):
                cuts.append(k)
                break
            if level == 0 and one == COMMA:
                cuts.append(k)
        else:
            cuts.append(len(self.found))
        found = [tuple(i for i in self.found[a + 1 : b] if i.kind != "space") for a, b in pairwise(cuts)]
        return found, lambda count: cuts[count]

    def target(self, sign: Item) -> tuple[str, str]:
        """Where something tends, and from which side."""
        start = self.position
        end = start
        while end < len(self.found) and self.found[end].kind not in ("phrase", "space") and self.found[end] not in STOPS:
            end += 1
        inner = self.found[start:end]
        if not inner:
            raise self.fail("where it tends is missing", sign)
        side = ""
        last = inner[-1]
        if last.kind == "sup" and last.parts[0] in ((Item("sign", "+"),), (Item("sign", "-"),)):
            side, inner = last.parts[0][0].text, inner[:-1]
        elif last.kind == "sign" and last.text in "+-":
            side, inner = last.text, inner[:-1]
        self.position = end
        target = words(self.part(inner, sign.at))
        if sign.text != "->":
            if side:
                raise self.fail("a side that is said twice", sign)
            side = "" if target in ("oo", "-oo") else "-" if sign.text == "up" else "+"
        return target, side

    # --- sets

    def member(self, name: Node) -> list[Condition]:
        r"""What stands behind ``\in``."""
        item = self.item
        if item is None:
            raise self.fail("a set is missing")
        if item.kind == "letter" and item.font.startswith("bb"):
            return [made(self.numbers(name, item))]
        if item == Item("open", "{"):
            return [made(self.values(name))]
        if item.kind in ("open", "close") and item.text in ("(", "[") and name.kind != "tuple":
            return [made(self.interval(name, item))]
        raise self.fail("a set is written {1, 2}, [0, 1) or \\mathbb{R}", item)

    def numbers(self, name: Node, item: Item) -> str:
        r"""``\mathbb{R}``, ``\mathbb{Z}``, ``\mathbb{N}``."""
        self.position += 1
        variable = words(name)
        bound = ""
        if self.item is not None and self.item.kind in ("sub", "sup"):
            inner = self.item.parts[0]
            self.position += 1
            if item.text == "N" and inner in ((Item("number", "0"),),):
                return f"whole {variable} >= 0"
            if item.text == "N" and inner in ((Item("sign", "*"),), (Item("sign", "+"),)):
                return f"whole {variable} >= 1"
            if len(inner) > 1 and inner[0].kind == "relation" and inner[0].text in (">=", ">", "<", "<="):
                bound = f" {inner[0].text} {words(self.part(inner[1:], item.at))}"
            else:
                raise self.fail("whether 0 belongs to it is not said: write > 0 or \\ge 0", item)
        if item.text == "R":
            return f"{variable}{bound}" if bound else f"real {variable}"
        if item.text == "Z" or (item.text == "N" and bound):
            return f"whole {variable}{bound}"
        if item.text == "N":
            return f"whole {variable} >= {self.context.ask(NATURAL, item, NATURAL)[-1]}"
        raise self.fail(f"the set \\mathbb{{{item.text}}} is not read", item)

    def values(self, name: Node) -> str:
        r"""``\{1, 2, 5\}``, ``\{2, \ldots, 7\}`` and ``\{(1, 2), (3, 4)\}``."""
        opened = self.item
        self.position += 1
        rows: list[str] = []
        dots = -1
        while True:
            if self.take("macro", "dots"):
                if dots >= 0:
                    raise self.fail("two rows of dots")
                dots = len(rows)
            elif name.kind == "tuple":
                if self.item is None or self.item.kind != "open":
                    raise self.fail(f"{len(name.parts)} values in brackets are wanted here", opened)
                row = self.arguments()
                if len(row) != len(name.parts):
                    raise self.fail(f"{len(name.parts)} values are wanted here", opened)
                rows.append(f"({', '.join(map(words, row))})")
            else:
                rows.append(words(self.expression()))
            if not self.take("sign", ","):
                break
        if not self.take("close", "{"):
            raise self.fail("a set that is never closed with \\}", opened if self.item is None else None)
        if dots >= 0:
            if (dots, len(rows)) not in ((1, 2), (2, 3)) or name.kind == "tuple":
                raise self.fail("a range is written \\{2, \\ldots, 7\\}", opened)
            if dots == 2 and not _next_text(rows[0], rows[1]):
                raise self.fail("a range is written \\{2, \\ldots, 7\\}", opened)
            return f"{words(name)} in {rows[0]}..{rows[-1]}"
        names = f"({', '.join(map(words, name.parts))})" if name.kind == "tuple" else words(name)
        return f"{names} in {{{', '.join(rows)}}}"

    def interval(self, name: Node, opened: Item) -> str:
        """``[0, 1)``, ``]0, 1[`` and the like."""
        self.position += 1
        low = self.expression()
        if not self.take("sign", ","):
            raise self.fail("an interval is written [0, 1)", opened)
        high = self.expression()
        end = self.item
        if end is None or end.kind not in ("open", "close") or end.text not in ("(", "["):
            raise self.fail("an interval that is never closed", opened)
        self.position += 1
        left_open = opened == Item("open", "(") or opened == Item("close", "[")
        right_open = end == Item("close", "(") or end == Item("open", "[")
        variable, below, above = words(name), words(low), words(high)
        if below == "oo" or above == "-oo":
            raise self.fail("an interval that begins at infinity", opened)
        if below == "-oo" and above == "oo":
            return f"real {variable}"
        if below == "-oo":
            return f"{variable} {'<' if right_open else '<='} {above}"
        if above == "oo":
            return f"{variable} {'>' if left_open else '>='} {below}"
        return f"{below} {'<' if left_open else '<='} {variable} {'<' if right_open else '<='} {above}"

    # --- functions that stand for any

    def is_function(self) -> bool:
        r"""Whether ``f : \mathbb{Z} \to \mathbb{R}`` stands here."""
        k = self.position
        if k >= len(self.found) or not is_letter(self.found[k]):
            return False
        end = sign_at(self.found, k).end
        return end < len(self.found) and self.found[end] == Item("sign", ":")

    def function(self) -> str:
        r"""``f : \mathbb{Z}^2 \to \mathbb{R}``."""
        sign = sign_at(self.found, self.position)
        name = self.context.name(sign)
        self.position = sign.end + 1
        source, count = self.item, 1
        if source is None or (source.kind, source.text, source.font) != ("letter", "Z", "bb"):
            raise self.fail("a function is declared on \\mathbb{Z}")
        self.position += 1
        if self.item is not None and self.item.kind == "sup":
            power = self.item.parts[0]
            if len(power) != 1 or power[0].kind != "number":
                raise self.fail("a power of \\mathbb{Z} is a number")
            count = int(power[0].text)
            self.position += 1
        if not self.take("relation", "->"):
            raise self.fail("a function is declared with \\to")
        values = self.item
        if values is None or values.kind != "letter" or values.font != "bb" or values.text not in ("Z", "R") or count > 20:
            raise self.fail("the values of a function are in \\mathbb{Z} or \\mathbb{R}")
        self.position += 1
        whole = "whole " if values.text == "Z" else ""
        return f"function {whole}{name}({', '.join(f'x{k + 1}' for k in range(count))})"

    def every(self) -> str:
        r"""``[w_i \le w_j \text{ for } i \in \mathbb{Z}]``; empty where the bracket is a term's."""
        level = 0
        for end in range(self.position, len(self.found)):
            level += (self.found[end].kind == "open") - (self.found[end].kind == "close")
            if level == 0:
                break
        inner = flat(self.context, self.found[self.position + 1 : end])
        cut = next((k for k, one in enumerate(inner) if one == Item("phrase", "for")), 0)
        if not cut or level:
            return ""
        over = conditions(self.context, inner[cut + 1 :])
        (chain,) = _Conditions(self.context, inner[:cut]).one()
        self.position = end + 1
        return f"[{chain} for {', '.join(over)}]"


def is_name(node: Node) -> bool:
    """Whether a term is one name."""
    return node.kind == "name"


def _other(text: str, old: Node, new: Node) -> str:
    """A condition on one name as one on another."""
    return re.sub(rf"\b{re.escape(words(old))}\b", words(new), text)


def _next(low: Node, following: Node) -> bool:
    return _next_text(words(low), words(following))


def _next_text(low: str, following: str) -> bool:
    return low.isdigit() and following.isdigit() and int(following) == int(low) + 1
