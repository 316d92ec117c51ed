r"""The pieces of a formula: what they are, figures put together to numbers, and what is raised or lowered in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Item:
    """A piece of a formula: ``kind`` says what it is, ``text`` which, ``parts`` are its arguments or its content.

    ``font`` is the accent or the alphabet of a letter; where it stands is no part of what it is.
    """

    kind: str
    text: str = ""
    parts: tuple[Items, ...] = ()
    font: str = ""
    at: int = field(default=0, compare=False)
    gap: bool = field(default=False, compare=False)
    operator: bool = field(default=False, compare=False)


Items = tuple[Item, ...]
SIGNS = {"+": "+", "-": "-", "/": "/", "*": "*", "!": "!", ",": ",", ";": ";", ":": ":", ".": "."}
BRACKETS = {"(": ("open", "("), ")": ("close", "("), "[": ("open", "["), "]": ("close", "[")}
DELIMITERS = {
    "{": ("open", "{"), "}": ("close", "{"), "lbrace": ("open", "{"), "rbrace": ("close", "{"), "lbrack": ("open", "["),
    "rbrack": ("close", "["), "lfloor": ("open", "floor"), "rfloor": ("close", "floor"), "lceil": ("open", "ceil"),
    "rceil": ("close", "ceil"), "lvert": ("open", "|"), "rvert": ("close", "|"), "vert": ("bar", "|"), "lparen": ("open", "("),
    "rparen": ("close", "("), "|": ("bar", "||"), "Vert": ("bar", "||"),
}  # fmt: skip
_SCRIPTS = {"sub": 0, "prime": 1, "sup": 2}


def bounded(found: Items, fail: Callable[[str, int], Exception], most: int, level: int = 0) -> None:
    """That brackets, and what they hold, are not too deep inside one another."""
    for item in found:
        level += (item.kind == "open") - (item.kind == "close" and level > 0)
        if level > most:
            raise fail(f"nested more than {most} deep", item.at)
        for part in item.parts:
            bounded(part, fail, most, level)


def numbers(found: list[Item], fail: Callable[[str, int], Exception]) -> list[Item]:
    """Digits that stand together as numbers, with their point."""
    out: list[Item] = []
    joined = False
    for item in found:
        last = out[-1] if out else None
        if item.kind == "digit":
            if last is not None and last.kind == "number" and item.gap and joined:
                raise fail("two numbers with a space between: one number, or a product?", item.at)
            if last is not None and last.kind == "number" and joined:
                out[-1] = replace(last, text=last.text + item.text)
            elif last is not None and last.kind == "sign" and last.text == "." and not item.gap:
                whole = out[-2] if len(out) > 1 and out[-2].kind == "number" and not last.gap else None
                out[-2 if whole else -1 :] = [
                    replace(whole, text=f"{whole.text}.{item.text}") if whole else Item("number", f"0.{item.text}", at=last.at)
                ]
            else:
                out.append(Item("number", item.text, at=item.at, gap=item.gap))
            joined = True
        else:
            out.append(item)
            joined = False
    for item in out:
        if item.kind == "number" and item.text.count(".") > 1:
            raise fail("a number with two points", item.at)
    return scripts(out, fail)


def scripts(found: list[Item], fail: Callable[[str, int], Exception]) -> list[Item]:
    """An index before primes, and both before a power, in whatever order they are typed."""
    out: list[Item] = []
    run: list[Item] = []
    for item in [*found, Item("end")]:
        if item.kind in _SCRIPTS:
            if any(item.kind == one.kind != "prime" for one in run):
                raise fail("a second power or index: use braces", item.at)
            run.append(item)
            continue
        run = sorted(run, key=lambda one: _SCRIPTS[one.kind])
        if run and out and out[-1].kind == "letter" and out[-1].text in ("Sigma", "Pi") and not out[-1].font and \
                run[0].kind == "sub" and any(one.kind == "relation" for one in run[0].parts[0]):  # fmt: skip
            out[-1] = Item("macro", "sum" if out[-1].text == "Sigma" else "prod", at=out[-1].at)
        out += run
        run = []
        if item.kind != "end":
            out.append(item)
    return out
