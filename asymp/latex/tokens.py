r"""LaTeX, or mathematics typed with Unicode, to tokens with their places; pylatexenc knows macros, environments and comments.

>>> [token.text for token in tokens(r"\frac12 n ≤ x% a comment")]
['frac', '1', '2', 'n', 'le', 'x']
>>> [token.text for token in tokens("sqrt(n) -> oo")]
['sqrt', '(', 'n', ')', 'to', 'infty']
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from pylatexenc.latexwalker import LatexWalker, LatexWalkerEndOfStream, LatexWalkerParseError
from pylatexenc.macrospec import LatexContextDb

from asymp.latex.signs import (
    BARE,
    DOUBLE_STRUCK,
    FONTS,
    FORBIDDEN,
    FRACTION_SIGNS,
    MATHEMATICA,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    TEXTS,
    UNICODE,
    WORDS,
)
from asymp.latex.source import MAX_ITEMS, MAX_LENGTH, Unreadable


class Token(NamedTuple):
    """``kind`` is char, macro, begin, end, open, close or math; ``gap``: a space stands before it."""

    kind: str
    text: str
    at: int
    gap: bool = False


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-*/=<>()[]|!.,;:'&^_\"~`?@")
_PAIRS = {("-", ">"): "to", ("<", "="): "le", (">", "="): "ge", (":", "="): "coloneqq"}
_NAMING = frozenset(("_", "label", "tag", "begin")) | TEXTS | frozenset(FONTS)
_SAID = frozenset("as for and if iff where all".split())
_TYPED = {"infinity": "infty", "oo": "infty"}


def tokens(source: str) -> list[Token]:
    """The tokens of a text.

    Raises:
        Unreadable: it is too long, holds a character or a macro that is not read, or is no LaTeX.
    """
    if len(source) > MAX_LENGTH:
        raise Unreadable(f"too long: {len(source)} characters, at most {MAX_LENGTH} are read")
    found: list[Token] = []
    typed = "\\" not in source and "$" not in source
    for token in _walked(source):
        if len(found) > MAX_ITEMS:
            raise Unreadable(f"too long: more than {MAX_ITEMS} tokens", source, token.at)
        if token.kind == "macro" and token.text in FORBIDDEN:
            raise Unreadable(f"\\{token.text}: {FORBIDDEN[token.text]}", source, token.at)
        found += _of_unicode(token, source) if token.kind == "char" else [token]
    return _words(_paired(found), source, typed)


def _walked(source: str) -> list[Token]:
    """The tokens as pylatexenc sees them: comments and spaces are left out."""
    walker = LatexWalker(source, latex_context=LatexContextDb(), tolerant_parsing=False)
    found: list[Token] = []
    kinds = {"brace_open": "open", "brace_close": "close", "begin_environment": "begin", "end_environment": "end",
             "mathmode_inline": "math", "mathmode_display": "math"}  # fmt: skip
    at, gap = 0, False
    while at < len(source):
        try:
            token = walker.get_token(at)
        except LatexWalkerEndOfStream as error:
            if source[at:].strip():
                raise Unreadable("what stands at the end is no token", source, at) from error
            break
        except LatexWalkerParseError as error:
            raise Unreadable(f"no LaTeX: {str(error.msg).splitlines()[0][:80]}", source, at) from error
        if token.pos + token.len <= at or (token.tok == "macro" and not token.arg):
            raise Unreadable("a \\ with nothing behind it", source, at)
        at = token.pos + token.len
        if token.tok == "comment":
            gap = True
            continue
        text = token.arg if isinstance(token.arg, str) else getattr(token.arg, "specials_chars", "")
        kind = kinds.get(token.tok, token.tok)
        if kind not in ("char", "macro", "begin", "end", "open", "close", "math"):
            kind = "char"
        space = gap or bool(token.pre_space)
        if kind == "char" and text.isspace():
            gap = True
            continue
        for k, character in enumerate(text if kind == "char" else [text]):
            found.append(Token(kind, character, token.pos + k, space and k == 0))
        gap = bool(token.post_space)
    return found


def _of_unicode(token: Token, source: str) -> list[Token]:
    """A character as a sign of LaTeX; several where it is a power or an index."""
    character, at, gap = token.text, token.at, token.gap
    if character in _PLAIN:
        return [token]
    if character in UNICODE:
        sign = UNICODE[character]
        return [Token("macro", sign[1:], at, gap) if sign[0] == "\\" else Token("char", sign, at, gap)]
    for table, mark in ((SUPERSCRIPTS, "^"), (SUBSCRIPTS, "_")):
        if character in table:
            raised = [Token("open", "{", at), Token("char", table[character], at), Token("close", "}", at)]
            return [Token("char", mark, at, gap), *raised]
    if character in FRACTION_SIGNS:
        above, below = FRACTION_SIGNS[character]
        parts = [Token("open", "{", at), Token("char", str(above), at), Token("close", "}", at)]
        return [Token("macro", "frac", at, gap), *parts, parts[0], Token("char", str(below), at), parts[2]]
    if character in DOUBLE_STRUCK:
        inner = Token("char", DOUBLE_STRUCK[character], at)
        return [Token("macro", "mathbb", at, gap), Token("open", "{", at), inner, Token("close", "}", at)]
    name = unicodedata.name(character, "")
    match = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (FINAL )?([A-Z]+)", name)
    if match:
        letter = ("var" if match.group(2) else "") + match.group(3).lower().replace("lamda", "lambda")
        return [Token("macro", letter if match.group(1) == "SMALL" else letter.capitalize(), at, gap)]
    shown = f"{character!r} ({name})" if character.isprintable() and name else f"the character U+{ord(character):04X}"
    raise Unreadable(f"{shown} is not read", source, at)


def _paired(found: list[Token]) -> list[Token]:
    """``->``, ``<=``, ``>=`` and ``:=`` as one sign, and runs of raised or lowered characters as one power or index."""
    out: list[Token] = []
    for token in found:
        if out and token.kind == "char" and out[-1].kind == "char" and not token.gap and (out[-1].text, token.text) in _PAIRS:
            last = out.pop()
            out.append(Token("macro", _PAIRS[last.text, token.text], last.at, last.gap))
            continue
        previous = out[-1] if out else None
        raised = token.kind == "char" and token.text in "^_" and not token.gap
        if raised and previous is not None and previous.kind == "close" and _same_run(out, token, previous):
            out.pop()  # of x²³ the exponent is 23: its brace is opened again below
            out.append(Token("macro", " joined", token.at))
            continue
        if token.kind == "open" and out and out[-1].text == " joined":
            out.pop()
            continue
        out.append(token)
    return out


def _same_run(out: list[Token], token: Token, previous: Token) -> bool:
    """Whether a raised character goes on with the one before: both came from single characters of the text."""
    opened = next((k for k in range(len(out) - 1, -1, -1) if out[k].kind == "open"), 0)
    mark = out[opened - 1] if opened else None
    from_one = mark is not None and mark.text == token.text and token.kind == "char" and mark.at == out[opened].at
    return from_one and previous.at == token.at - 1


def _words(found: list[Token], source: str, typed: bool) -> list[Token]:
    """Runs of letters that are words: of a text without macros signs such as ``sqrt``, else refused."""
    out: list[Token] = []
    run: list[Token] = []
    named = False  # within braces behind a macro or an index letters are one name or words
    level = 0
    for k, token in enumerate([*found, Token("stop", "", len(source))]):
        letter = token.kind == "char" and token.text.isalpha()
        if run and not (letter and not token.gap):
            opens = token.text == "[" and not token.gap
            head = MATHEMATICA.get("".join(one.text for one in run)) if opens else None
            if head:
                out += _head(head, run[0])
            else:
                out += _word(run, source) if typed else _unspelt(run, source, named)
            run = []
        if token.kind == "open":
            before = found[k - 1] if k else None
            level += named or (before is not None and (before.text in _NAMING or before.kind == "begin"))
            named = level > 0
        elif token.kind == "close":
            level = max(level - named, 0)
            named = level > 0
        if letter:
            run.append(token)
        elif token.kind != "stop":
            out.append(token)
    return out


def _head(name: str, at: Token) -> list[Token]:
    """A function of Mathematica as the sign that it has in LaTeX."""
    if name == "Gamma":
        return [Token("macro", name, at.at, at.gap)]
    letters = [Token("char", letter, at.at) for letter in name]
    return [Token("macro", "operatorname", at.at, at.gap), Token("open", "{", at.at), *letters, Token("close", "}", at.at)]


def _unspelt(run: list[Token], source: str, named: bool) -> list[Token]:
    word = "".join(token.text for token in run)
    if len(word) > 60:
        raise Unreadable(f"{len(word)} letters without a space: a name, or a product?", source, run[0].at)
    if not named and word in _SAID and len(word) > 2:
        raise Unreadable(f"the word {word!r} in a formula: write \\text{{{word}}}", source, run[0].at)
    if not named and (word in BARE or word in ("sqrt", "max", "min", "lim", "erf") or len(word) > 4):
        what = f"the letters {word!r}: a word, or a product?  Write \\{word} or \\mathrm{{{word}}}, or the product"
        raise Unreadable(what, source, run[0].at)
    return run


def _word(run: list[Token], source: str) -> list[Token]:
    word, at, gap = "".join(token.text for token in run), run[0].at, run[0].gap
    if word in WORDS:
        return [Token("macro", _TYPED.get(word, word), at, gap)]
    if word in _SAID:
        letters = [Token("char", letter, at) for letter in word]
        return [Token("macro", "text", at, gap), Token("open", "{", at), *letters, Token("close", "}", at)]
    if len(word) > 3:
        raise Unreadable(f"the word {word!r}: one name or a product?  Write \\mathrm{{{word}}}, or the product", source, at)
    return run
