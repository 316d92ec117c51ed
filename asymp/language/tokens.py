"""Text to tokens: names, numbers, operators and relations, with their columns.

>>> [token.text for token in tokens("2*n^2 ~ g")]
['2', '*', 'n', '^', '2', '~', 'g', '']
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

from asymp.language.numbers import DECIMAL, MAX_LENGTH, ParseError

MAX_TOKENS = 15_000


class Token(NamedTuple):
    """A piece of the text: ``kind`` is number, name, op, relation or end."""

    kind: str
    text: str
    column: int


_TOKEN = re.compile(
    rf"(?P<number>{DECIMAL})|(?P<name>zeta'+(?=\s*\()|[^\W\d]\w*|∞)"
    r"|(?P<relation>->|→|=>|⇒|==|<=|>=|≤|≥|<|>|=|~|∼)|(?P<op>\*\*|\.\.|!!|[-+*/^(),!{}\[\]−·×])|(?P<space>\s+)"
)
_SAME = {
    "**": "^", "−": "-", "·": "*", "×": "*", "→": "->", "⇒": "=>", "≤": "<=", "≥": ">=", "∼": "~", "==": "=", "∞": "oo",
}  # fmt: skip
_UNREAD = {
    "!=": "write n! = 2, or < and >",
    "!!!": "write n!! for the double factorial, (n!)! for the factorial of n!",
    "...": "a range is written 2..7",  # 2...7 would be the numbers from 2 to 0.7
}
NUMBERS = {
    "Glaisher": "exp(1/12 - zeta'(-1))", "GoldenRatio": "(1 + sqrt(5))/2", "Catalan": "(trigamma(1/4) - trigamma(3/4))/16",
}  # fmt: skip
"""Names of numbers that stand for terms (DLMF 5.17.6; 25.11.12 and 25.11.40)."""
RESERVED = frozenset("for in as is and if iff not some all whole integer integers real function uniformly".split())
"""The words that no term is made of: where one stands in a term, it would be taken for a variable and lose what it says."""


def tokens(text: str) -> list[Token]:
    """The tokens of a text, with an end token."""
    if len(text) > MAX_LENGTH:
        raise ParseError(f"too long: {len(text)} characters, at most {MAX_LENGTH} are read")
    for signs, instead in _UNREAD.items():
        if (place := text.find(signs)) >= 0:
            raise ParseError(f"{signs} is not read: {instead}", text, place + 1)
    found: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ParseError(_strange(text[position]), text, position + 1)
        kind = str(match.lastgroup)
        if kind != "space":
            word = match.group()
            if kind == "name":
                word = _plain_name(word, text, position + 1)
            found.append(Token(kind, _SAME.get(word, word), position + 1))
        position = match.end()
        if len(found) > MAX_TOKENS:
            raise ParseError(f"too long: more than {MAX_TOKENS} symbols", text, position)
    return _require_one_spelling(text, [*found, Token("end", "", len(text) + 1)])


def _require_one_spelling(text: str, found: list[Token]) -> list[Token]:
    """That no two names of a text are one when they are spelt out, as ξ and xi; gamma(γ) is a function of a variable."""
    spellings: dict[tuple[str, bool], str] = {}
    for token, after in pairwise([] if text.isascii() else found):
        if token.kind == "name" and token.text != "pi" and (match := _TOKEN.match(text, token.column - 1)):
            word = match.group().replace("µ", "μ")
            if (first := spellings.setdefault((token.text, after.text == "("), word)) != word:
                raise ParseError(f"{first} and {word} would be one name, {token.text}", text, token.column)
    return found


def _strange(character: str) -> str:
    if character in "'\"`":
        return "a quotation mark: strings are not mathematics"
    if character == ".":
        return "a dot: attributes are not mathematics"
    return f"unexpected {character!r}" if character.isprintable() else "an unprintable character"


def _plain_name(word: str, text: str, column: int) -> str:
    """The name in ASCII, Greek letters spelt out; names that start with _ are refused."""
    if word == "∞" or word.startswith("zeta'"):
        return word
    plain = spelt(word)
    if not plain.isascii() or not plain.isidentifier():
        raise ParseError(f"the name {word[:20]!r}", text, column)
    if plain.startswith("_"):
        raise ParseError("a name that starts with an underscore", text, column)
    if len(plain) > 60:
        raise ParseError("a name of more than 60 letters", text, column)
    return plain


def spelt(text: str) -> str:
    """A text with its Greek letters spelt out.

    >>> spelt("μ_1 + λ")
    'mu_1 + lambda'
    """
    return text if text.isascii() else "".join(map(_spelt, unicodedata.normalize("NFC", text)))


def _spelt(character: str) -> str:
    if character.isascii():
        return character
    name = unicodedata.name(character, "")
    match = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (?:FINAL )?([A-Z]+)", name)
    if match is None:
        return "mu" if character == "µ" else character
    letter = match.group(2).lower().replace("lamda", "lambda")
    return letter if match.group(1) == "SMALL" else letter.capitalize()
