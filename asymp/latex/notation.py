r"""What the signs of a paper mean: which tokens are one name, which names are functions, and the answers to what is ambiguous.

The ``[notation]`` table of a file of claims, read the other way round: there ``mun = '\mu_n'`` says how a name is printed, here
what a print is a name for.  Keys that are no names are answers (``"1/2n" = "1/(2n)"``) or signs for signs
(``'\mathbb{E}' = 'E'``).

>>> notation({"mun": r"\mu_n", "pie": r"\pi_{#1,#2}", r"\log": r"\ln"}).readings
{'\\log': '\\ln'}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from asymp.language.numbers import ParseError
from asymp.latex.choices import QUESTIONS
from asymp.latex.items import Item, Items
from asymp.latex.macros import Macro, read_macros
from asymp.latex.tree import items

_HOLES = "ABCDEFGHI"
_MOST_TRIES = 20_000


@dataclass(frozen=True)
class Pattern:
    """How a name is printed: items, in which holes stand for arguments; ``composite`` where they have a meaning without it."""

    name: str
    items: Items
    holes: int
    composite: bool = False


@dataclass(frozen=True)
class Notation:
    """Signs of names, signs for signs, answers, and what is declared.

    Args:
        signs: name -> how it is printed, with ``#1`` for an argument.
        readings: question -> answer, see :data:`asymp.latex.choices.QUESTIONS`.
        same: sign -> the sign that it stands for.
        variables: names that are declared as variables or as definitions without arguments.
        functions: names that are declared as functions, with the number of their arguments; -1 where it is not known.
        macros: what a preamble defines.
    """

    signs: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    variables: frozenset[str] = frozenset()
    functions: Mapping[str, int] = field(default_factory=dict)
    macros: Mapping[str, Macro] = field(default_factory=dict)

    def items(self, source: str) -> Items:
        """The items of a text, with signs in place of those that stand for them."""
        return self.replaced(items(source, self.macros))

    @cached_property
    def _same(self) -> dict[tuple[str, str, str], list[tuple[Items, Items]]]:
        found: dict[tuple[str, str, str], list[tuple[Items, Items]]] = {}  # by what they begin with
        for old, new in self.same.items():
            sign = items(_holes(old), self.macros)
            found.setdefault(_head(sign[0]), []).append((sign, items(_holes(new), self.macros)))
        return found

    def replaced(self, found: Items) -> Items:
        """Items with signs in place of those that stand for them."""
        if not self._same:
            return found
        out: list[Item] = []
        k = 0
        while k < len(found):
            for old, new in self._same.get(_head(found[k]), ()):
                if (matched := _stands(old, new, found, k)) is not None:
                    caught = {n: self.replaced(piece) for n, piece in matched[0].items()}
                    out += _filled(new, caught, found[k])
                    k = matched[1]
                    break
            else:
                item = found[k]
                inner = tuple(self.replaced(part) for part in item.parts)
                out.append(item if inner == item.parts else Item(item.kind, item.text, inner, item.font, item.at, item.gap))
                k += 1
        return tuple(out)

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """The signs that stand for one factor, longer ones first; a sum that a name prints is read as a sum."""
        found = [made for name, sign in self.signs.items() if (made := _pattern(name, sign, self)) is not None]
        return tuple(sorted(found, key=lambda p: -_size(p.items)))

    @cached_property
    def heads(self) -> frozenset[tuple[str, str, str]]:
        """What a pattern may begin with."""
        return frozenset((p.items[0].kind, p.items[0].text, p.items[0].font) for p in self.patterns)


def notation(
    table: Mapping[str, str], variables: Iterable[str] = (), functions: Mapping[str, int] | None = None, preamble: str = ""
) -> Notation:
    """A notation from the table of a paper and from what its preamble defines.

    Raises:
        ParseError: a key that is no name, no sign and no question; an answer that is none.
    """
    signs, readings, same = {}, {}, {}
    for key, value in table.items():
        if key in QUESTIONS:
            if value not in QUESTIONS[key]:
                raise ParseError(f"{key} is one of {', '.join(QUESTIONS[key])}, not {value}")
            readings[key] = value
        elif re.fullmatch(r"[A-Za-z]\w*", key, re.ASCII):
            signs[key] = value
        elif key.strip():
            same[key] = value
    return Notation(signs, readings, same, frozenset(variables), dict(functions or {}), read_macros(preamble))


def _holes(sign: str) -> str:
    return re.sub(r"#([1-9])", lambda found: rf"\asymphole{_HOLES[int(found.group(1)) - 1]} ", sign)


def _head(item: Item) -> tuple[str, str, str]:
    return item.kind, item.text, item.font


def _has_hole(found: Items) -> bool:
    return any(item.kind == "hole" or any(map(_has_hole, item.parts)) for item in found)


def _stands(old: Items, new: Items, found: Items, k: int) -> tuple[Captured, int] | None:
    """Where a sign that stands for another is; not before a bracket where the other ends with one."""
    if _has_hole(old):
        matched = matches(old, found, k)
    else:
        matched = ({}, k + len(old)) if found[k : k + len(old)] == old else None
    closes = new[-1:] == (Item("close", "("),) != old[-1:]
    opens = matched is not None and found[matched[1] : matched[1] + 1] == (Item("open", "("),)
    return None if closes and opens else matched


def _filled(found: Items, caught: Captured, at: Item) -> list[Item]:
    """Items with what was caught in place of their holes."""
    out: list[Item] = []
    for one in found:
        if one.kind == "hole":
            out += caught[int(one.text)]
        else:
            parts = tuple(tuple(_filled(part, caught, at)) for part in one.parts)
            out.append(Item(one.kind, one.text, parts, one.font, at.at, at.gap))
    return out


def _size(found: Items) -> int:
    return sum(1 + sum(map(_size, item.parts)) for item in found)


def _pattern(name: str, sign: str, of: Notation) -> Pattern | None:
    found = of.items(_holes(sign))
    level = 0
    for k, item in enumerate(found):
        if level == 0 and (item.kind in ("relation", "hole") or (item.kind == "sign" and item.text in "+-*/" and k)):
            return None  # a sum, or what has no end of its own: it is read as what it is
        level += (item.kind == "open") - (item.kind == "close")
    if not found or found[0].kind == "sign" or (len(found) == 1 and found[0].kind == "number"):
        return None
    letters = found[0].kind in ("letter", "upright") or "text" in {item.kind for item in found}
    return Pattern(name, found, len(set(re.findall(r"#([1-9])", sign))), not letters)


_STAR = Item("sup", "", ((Item("sign", "*"),),))
Captured = dict[int, Items]


def matches(pattern: Items, found: Items, start: int) -> tuple[Captured, int] | None:
    r"""What the holes of a pattern hold where it matches, and where it ends.

    >>> caught = matches(items(r"\pi_{\asympholeA , 0}"), items(r"2 \pi_{n-1,0} x"), 1)
    >>> caught is not None and caught[1], [item.text for item in caught[0][1]]
    (3, ['n', '-', '1'])
    """
    tries = [_MOST_TRIES]
    for caught, end in _matched(pattern, 0, found, start, {}, tries):
        if end < len(found) and (found[end].kind in ("sub", "prime") or found[end] == _STAR):
            continue
        return caught, end
    return None


def _matched(
    pattern: Items, p: int, found: Items, k: int, caught: Captured, tries: list[int], whole: bool = False
) -> Iterator[tuple[Captured, int]]:
    tries[0] -= 1
    if tries[0] < 0:
        return
    if p == len(pattern):
        if not whole or k == len(found):
            yield caught, k
        return
    wanted = pattern[p]
    if wanted.kind == "hole":
        number, level = int(wanted.text), 0
        for end in range(k, len(found)):
            level += (found[end].kind == "open") - (found[end].kind == "close")
            if level < 0 or (level == 0 and found[end].kind == "sign" and found[end].text == ","):
                return
            piece = found[k : end + 1]
            if level == 0 and caught.get(number, piece) == piece:
                yield from _matched(pattern, p + 1, found, end + 1, {**caught, number: piece}, tries, whole)
        return
    if k == len(found):
        return
    item = found[k]
    if (item.kind, item.text, item.font, len(item.parts)) != (wanted.kind, wanted.text, wanted.font, len(wanted.parts)):
        return
    states = [caught]
    for mine, theirs in zip(wanted.parts, item.parts, strict=True):
        states = [one for state in states for one, _ in _matched(mine, 0, theirs, 0, state, tries, whole=True)]
    for state in states:
        yield from _matched(pattern, p + 1, found, k + 1, state, tries, whole)
