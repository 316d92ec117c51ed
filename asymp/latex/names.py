r"""Letters with their accents, indices and primes as names: one sign one name, and no two signs the same.

>>> from asymp.latex.tree import items
>>> [sign_at(items(text), 0).plain for text in (r"\mu_1 x", r"\hat p_{n}'", r"N_{\text{idle}}", r"x_{n+1}")]
['mu1', 'phat_n_', 'N_idle', '']
"""

from __future__ import annotations

from dataclasses import dataclass

from asymp.latex.items import Item, Items

_WORDS = {"infty": "oo", **{word: word for word in ("max", "min", "sup", "inf", "lim", "ast", "star")}}


@dataclass(frozen=True)
class Sign:
    """A letter or a word with what belongs to it.

    Args:
        base: the letter with its accent.
        index: the items of its index; empty where it has none.
        primes: how many.
        star: whether a star is raised.
        end: where it ends.
        plain: the name that it is; empty where its index is an expression.
    """

    base: str
    index: Items
    primes: int
    star: bool
    end: int
    plain: str
    at: int
    font: str = ""


def is_letter(item: Item) -> bool:
    """Whether a name begins with it."""
    return item.kind in ("letter", "upright")


def sign_at(found: Items, k: int) -> Sign:
    """The name that begins at a place."""
    item, end = found[k], k + 1
    base = spelt(item)
    index: Items = ()
    primes = 0
    star = False
    while end < len(found) and found[end].kind in ("sub", "prime"):
        if found[end].kind == "sub":
            index = found[end].parts[0]
        else:
            primes += 1
        end += 1
    if end < len(found) and found[end].kind == "sup" and found[end].parts[0] in ((Item("sign", "*"),), (Item("letter", "star"),)):
        star, end = True, end + 1
    word = indexed(index)
    plain = "" if index and not word else base + (word if word.isdigit() else f"_{word}" if word else "")
    if plain:
        plain += "_star" * star + "_" * primes
    return Sign(base, index, primes, star, end, plain, item.at, item.font)


def is_braced(item: Item) -> bool:
    """Whether it is one letter in braces, ``{f}``, which is that letter."""
    return item.kind == "group" and len(item.parts[0]) == 1 and is_letter(item.parts[0][0])


def spelt(item: Item) -> str:
    """A letter with its accent or its alphabet as a word."""
    fonts = [font for font in item.font.split() if font not in ("rm", "op", "var", "it")]
    accents = [font for font in fonts if font in ("hat", "bar", "tilde", "vec", "check", "breve")]
    return "".join(font for font in fonts if font not in accents) + item.text + "".join(accents)


def indexed(index: Items) -> str:
    """An index that is a number, a letter or a word, as a word; empty where it is an expression."""
    if len(index) == 1:
        item = index[0]
        if item.kind in ("letter", "upright", "text"):
            word = spelt(item).replace(" ", "_")
            return word if word.isidentifier() and word.isascii() else ""
        if item.kind == "number" and item.text.isdigit():
            return item.text
        if item.kind == "macro" and item.text in _WORDS:
            return _WORDS[item.text]
        return ""
    if len(index) > 1 and all(item.kind == "letter" and not item.font and len(item.text) == 1 and not item.gap for item in index):
        return "".join(item.text for item in index)
    return ""


def standing(found: Items, bare: set[str], called: set[str]) -> None:
    """The names that stand without a bracket behind them somewhere, and those that stand with one."""
    found = tuple(item.parts[0][0] if is_braced(item) else item for item in found)
    k = 0
    while k < len(found):
        item = found[k]
        if is_letter(item):
            sign = sign_at(found, k)
            following = found[sign.end] if sign.end < len(found) else None
            opens = following is not None and following.kind == "open" and following.text in ("(", "[")
            if sign.plain and following != Item("sign", ":"):
                (called if opens else bare).add(sign.plain)
            standing(sign.index, bare, called)
            k = sign.end
            continue
        for part in item.parts:
            standing(part, bare, called)
        k += 1
