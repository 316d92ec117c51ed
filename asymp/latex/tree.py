r"""Tokens to items: numbers, letters, brackets, macros with their arguments, powers and indices, rows of a display.

The same formula typed in another way is the same list of items: ``p_n`` and ``p_{n}``, ``\frac12`` and ``\frac{1}{2}``.

>>> items(r"\frac12 p_n") == items(r"\frac{1}{2} p_{n}")
True
>>> [item.kind for item in items(r"\hat\mu \left(x\right) \text{ as } 2.5")]
['letter', 'open', 'letter', 'close', 'text', 'number']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from asymp.latex import signs
from asymp.latex.items import BRACKETS, DELIMITERS, SIGNS, Item, Items, bounded, numbers
from asymp.latex.macros import Macro, expanded
from asymp.latex.source import MAX_NESTING, Unreadable
from asymp.latex.tokens import Token, tokens

_LEFT = frozenset("left bigl Bigl biggl Biggl".split())
_RIGHT = frozenset("right bigr Bigr biggr Biggr".split())
_ARGUMENTS = {**dict.fromkeys(signs.FRACTIONS | signs.BINOMIALS, 2), "overset": 2, "underset": 2, "stackrel": 2, "underline": 1}


def items(source: str, macros: Mapping[str, Macro] | None = None) -> Items:
    """The items of a text; ``macros`` are put in first.

    Raises:
        Unreadable: one line with the place.
    """
    found = tokens(source)
    builder = _Builder(source, expanded(found, macros or {}, source), "\\" not in source)
    made = builder.until(frozenset(), None)
    bounded(made, builder.fail, MAX_NESTING)
    return made


class _Builder:
    def __init__(self, source: str, found: list[Token], typed: bool) -> None:
        self.source, self.found, self.typed = source, found, typed
        self.position = self.depth = 0

    def fail(self, what: str, at: int) -> Unreadable:
        return Unreadable(what, self.source, at)

    def until(self, ends: frozenset[str], opened: Token | None) -> Items:
        """The items up to a token of one of the kinds; without kinds to the end."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.fail(f"nested more than {MAX_NESTING} deep", opened.at if opened else 0)
        out: list[Item] = []
        while self.position < len(self.found) and (token := self.found[self.position]).kind not in ends:
            if token.kind in ("close", "end"):
                what = "a brace that was never opened" if token.kind == "close" else f"\\end{{{token.text}}} without a beginning"
                raise self.fail(what, token.at)
            self.position += 1
            self.one(token, out)
        if ends and self.position == len(self.found) and opened is not None:
            what = "a brace" if opened.kind == "open" else f"\\begin{{{opened.text}}}" if opened.kind == "begin" else "a $"
            raise self.fail(f"{what} that is never closed", opened.at)
        self.depth -= 1
        return tuple(numbers(out, self.fail))

    def one(self, token: Token, out: list[Item]) -> None:
        """What begins with a token, which is taken."""
        text, at, gap = token.text, token.at, token.gap
        if token.kind == "open":
            inner = self.until(frozenset({"close"}), token)
            self.position += 1
            out.append(Item("group", "", (inner,), at=at, gap=gap))
        elif token.kind == "begin":
            self.environment(token, out)
        elif token.kind == "math":
            if text in (r"\)", r"\]"):
                raise self.fail(f"{text} without its beginning", at)
            if self.depth > 1 or any(item.kind != "row" for item in out):
                raise self.fail("one formula at a time: a second one, or words before it", at)
            out += self.until(frozenset({"math"}), token)
            if self.found[self.position].text != {r"\(": r"\)", r"\[": r"\]"}.get(text, text):
                raise self.fail(f"{text} that is never closed", at)
            self.position += 1
        elif token.kind == "macro":
            self.macro(token, out)
        elif text in "^_":
            self.script(token, out)
        elif text == "'":
            out.append(Item("prime", at=at))
        elif text.isalpha() or text.isdigit():
            out.append(Item("letter" if text.isalpha() else "digit", text, at=at, gap=gap))
        elif text in BRACKETS:
            kind, bracket = BRACKETS[text]
            out.append(Item(kind, bracket, at=at, gap=gap))
        elif text in "=<>":
            out.append(Item("relation", text, at=at))
        elif text in SIGNS:
            out.append(Item("sign", SIGNS[text], at=at, gap=gap))
        elif text == "|":
            out.append(Item("bar", "|", at=at))
        elif text == "~":
            out.append(Item("tie", at=at))
        elif text == "&":
            out.append(Item("cell", at=at))
        else:
            raise self.fail(f"{text!r} is not read", at)

    def script(self, token: Token, out: list[Item]) -> None:
        kind = "sup" if token.text == "^" else "sub"
        inner = self.argument(token, power=True)
        if inner and all(item == Item("macro", "prime") for item in inner):
            out += [Item("prime", at=item.at) for item in inner]
            return
        following = self.found[self.position] if self.position < len(self.found) else None
        if following and following.kind == "char" and following.text.isdigit() and not following.gap and inner[-1:] and \
                inner[-1].kind == "number" and self.found[self.position - 1].kind == "char":  # fmt: skip
            if not self.typed:
                shown = f"{token.text}{inner[-1].text}{following.text}"
                raise self.fail(f"{shown} prints one figure alone there: write {shown[0]}{{{shown[1:]}}}", token.at)
            digits = ""
            while self.position < len(self.found):
                one = self.found[self.position]
                if not one.text.isdigit() or one.gap:
                    break
                digits += one.text
                self.position += 1
            inner = (*inner[:-1], replace(inner[-1], text=inner[-1].text + digits))
        out.append(Item(kind, "", (inner,), at=token.at))

    def ends(self) -> bool:
        """Whether nothing follows that could be an argument."""
        if self.position == len(self.found):
            return True
        token = self.found[self.position]
        closing = (")", "]", ",", ";", r"\right", r"\;", r"\,", r"\ ", r"\quad")
        return token.kind in ("close", "end", "math") or token.text in closing

    def argument(self, of: Token, power: bool = False) -> Items:
        """The argument of a macro: a group, or one token; of a power also what stands in brackets."""
        if self.position == len(self.found):
            raise self.fail(f"{of.text} without its argument", of.at)
        token = self.found[self.position]
        self.position += 1
        if token.kind == "open":
            inner = self.until(frozenset({"close"}), token)
            self.position += 1
            return inner
        out: list[Item] = []
        if token.kind in ("close", "end", "begin", "math") or token.text in ("&", "\\", "^", "_", "~"):
            raise self.fail(f"{of.text} without its argument", of.at)
        if power and token.kind == "char" and token.text == "-" and not self.ends():  # else it is a side: 1^-
            return (Item("sign", "-", at=token.at), *self.argument(of))
        if power and token.kind == "char" and token.text == "(":
            return self.bracketed(token)
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.fail(f"nested more than {MAX_NESTING} deep", token.at)
        self.one(token, out)
        self.depth -= 1
        return tuple(numbers(out, self.fail))

    def bracketed(self, token: Token) -> Items:
        """``n^(1/2)``: what stands in the brackets is the exponent."""
        out: list[Item] = []
        level = 1
        while self.position < len(self.found):
            following = self.found[self.position]
            if following.kind in ("close", "end"):
                break
            self.position += 1
            level += (following.kind == "char") * ((following.text == "(") - (following.text == ")"))
            if level == 0:
                return tuple(numbers(out, self.fail))
            self.one(following, out)
        raise self.fail("a bracket that is never closed", token.at)

    def environment(self, token: Token, out: list[Item]) -> None:
        name = token.text
        if name not in signs.DISPLAYS and name not in ("cases", "dcases", "array", "cases*"):
            raise self.fail(f"the environment {name} is not read", token.at)
        if name in ("array", "alignat", "alignat*", "alignedat"):
            self.argument(token)
        inner = self.until(frozenset({"end"}), token)
        if self.found[self.position].text != name:
            raise self.fail(f"\\begin{{{name}}} is closed by \\end{{{self.found[self.position].text}}}", token.at)
        self.position += 1
        out.append(Item("env", name, (inner,), at=token.at))

    def macro(self, token: Token, out: list[Item]) -> None:
        name, at, gap = token.text, token.at, token.gap
        if name in _LEFT | _RIGHT:
            self.delimiter(token, out)
        elif name in signs.SPACES:
            if name in ("quad", "qquad") and out[-1:] != [Item("space")]:
                out.append(Item("space", at=at))
        elif name == "\\":
            self.row(token, out)
        elif name in signs.LAYOUT:
            for _ in range(signs.LAYOUT[name]):
                self.skipped(token)
        elif name in signs.RELATIONS:
            out.append(Item("relation", signs.RELATIONS[name], at=at))
        elif name in signs.LETTERS:
            font = "var" if name.startswith("var") else ""
            out.append(Item("letter", signs.LETTERS[name], (), font, at, gap))
        elif name in DELIMITERS:
            kind, bracket = DELIMITERS[name]
            out.append(Item(kind, bracket, at=at))
        elif name in signs.TIMES:
            out.append(Item("sign", "*", at=at))
        elif name == "div":
            out.append(Item("sign", "/", at=at))
        elif name == "colon":
            out.append(Item("sign", ":", at=at))
        elif name in signs.TEXTS:
            out.append(self.words(token))
        elif name in signs.FONTS:
            out.append(self.font(token))
        elif name in signs.ACCENTS:
            out.append(self.accent(token))
        elif name == "sqrt":
            root = self.optional()
            out.append(Item("macro", name, (self.root(token), *([root] if root else [])), at=at, gap=gap))
        elif name in ("xrightarrow", "xlongrightarrow"):
            below, above = self.optional(), self.argument(token)
            out.append(Item("macro", "arrow", (above, below), at=at))
        elif name in _ARGUMENTS:
            plain = "frac" if name in signs.FRACTIONS else "binom" if name in signs.BINOMIALS else name
            out.append(Item("macro", plain, tuple(self.argument(token) for _ in range(_ARGUMENTS[name])), at=at, gap=gap))
        elif name.startswith("asymphole"):
            out.append(Item("hole", str("ABCDEFGHI".index(name[-1]) + 1), at=at))
        else:  # what is no part of a term is refused there, unless the notation has a sign with it
            out.append(Item("macro", "dots" if name in signs.DOTS else name, at=at, gap=gap))

    def root(self, token: Token) -> Items:
        """Of ``√(2n)`` the brackets are the radicand."""
        following = self.found[self.position] if self.position < len(self.found) else None
        if following and following.kind == "char" and following.text == "(" and self.typed:
            self.position += 1
            return self.bracketed(following)
        return self.argument(token)

    def delimiter(self, token: Token, out: list[Item]) -> None:
        if self.position == len(self.found):
            raise self.fail(f"\\{token.text} without its bracket", token.at)
        following = self.found[self.position]
        if following.text in ("|", "vert"):
            self.position += 1
            out.append(Item("open" if token.text in _LEFT else "close", "|", at=token.at))
            return
        known = BRACKETS.get(following.text) if following.kind == "char" else DELIMITERS.get(following.text)
        wanted = "open" if token.text in _LEFT else "close"
        if known is None or following.kind not in ("char", "macro"):
            raise self.fail(f"\\{token.text} without its bracket", token.at)
        if known[0] != wanted and known[1] in ("(", "["):
            raise self.fail(f"\\{token.text} before a bracket of the other side", token.at)

    def row(self, token: Token, out: list[Item]) -> None:
        if self.position < len(self.found) and self.found[self.position].text == "*":
            self.position += 1
        if self.position < len(self.found) and self.found[self.position].text == "[" and not self.found[self.position].gap:
            self.optional()
        out.append(Item("row", at=token.at))

    def optional(self) -> Items:
        """An argument in square brackets; empty where there is none."""
        if self.position == len(self.found) or self.found[self.position][:2] != ("char", "["):
            return ()
        opened = self.found[self.position]
        self.position += 1
        out: list[Item] = []
        while self.position < len(self.found) and self.found[self.position][:2] != ("char", "]"):
            token = self.found[self.position]
            if token.kind in ("close", "end"):
                break
            self.position += 1
            self.one(token, out)
        if self.position == len(self.found) or self.found[self.position].text != "]":
            raise self.fail("a bracket that is never closed", opened.at)
        self.position += 1
        return tuple(numbers(out, self.fail))

    def skipped(self, token: Token) -> None:
        if self.position == len(self.found) or self.found[self.position].kind != "open":
            raise self.fail(f"\\{token.text} without its argument", token.at)
        level = 0
        while self.position < len(self.found):
            kind = self.found[self.position].kind
            level += (kind == "open") - (kind == "close")
            self.position += 1
            if level == 0:
                return
        raise self.fail(f"\\{token.text} without the end of its argument", token.at)

    def words(self, token: Token) -> Item:
        r"""``\text{for all $n \ge 1$}``: words, and formulas among them."""
        if self.position == len(self.found) or self.found[self.position].kind != "open":
            raise self.fail(f"\\{token.text} without its argument in braces", token.at)
        opened = self.found[self.position]
        self.position += 1
        start = self.position
        out: list[Item] = []
        level = 0
        while self.position < len(self.found):
            one = self.found[self.position]
            if one.kind == "close" and level == 0:
                break
            self.position += 1
            if one.kind == "math":
                self.position -= 1
                self.inner(one, out)
            elif one.kind in ("open", "close"):
                level += 1 if one.kind == "open" else -1
            elif one.kind == "char" and one.text.isalnum():
                last = out[-1] if out and out[-1].kind == "word" and not one.gap else None
                out[-1:] = [replace(last, text=last.text + one.text)] if last else [*out[-1:], Item("word", one.text, at=one.at)]
            elif one.kind == "char" and one.text in ".,;:-'":
                out.append(Item("sign", one.text, at=one.at))
            elif (one.kind == "macro" and one.text in signs.SPACES) or one.text == "~":
                out.append(Item("space", at=one.at))
            elif one.kind == "macro" and one.text == "_" and out and out[-1].kind == "word":
                out[-1] = replace(out[-1], text=out[-1].text + "_")
                following = self.found[self.position]
                self.found[self.position] = following._replace(gap=False)
            else:
                raise self.fail(f"{one.text!r} among words", one.at)
        if self.position == len(self.found):
            raise self.fail("a brace that is never closed", opened.at)
        apart = self.found[start].gap or self.found[self.position].gap  # " or " is a word of a sentence, and no name
        self.position += 1
        pieces = tuple(item for item in out if item.kind != "space")
        words = " ".join(item.text for item in pieces if item.kind == "word")
        return Item("text", words, (pieces,), "apart" if apart else "", at=token.at)

    def inner(self, token: Token, out: list[Item]) -> None:
        """A formula among words, between dollars."""
        self.position += 1
        out += self.until(frozenset({"math"}), token)
        self.position += 1

    def font(self, token: Token) -> Item:
        r"""``\mathrm{Erl}``, ``\mathcal{O}``: a word or a letter of an alphabet."""
        if token.text == "operatorname" and self.position < len(self.found) and self.found[self.position].text == "*":
            self.position += 1
        start = self.position
        inner = self.letters(token)
        text = "".join(item.text for item in inner)
        font = signs.FONTS[token.text]
        if not inner or any(item.kind not in ("letter", "number") for item in inner):
            if any(item.kind == "prime" for item in inner) and font == "":
                raise self.fail(f"\\{token.text} of more than letters", token.at)
            self.position = start
            return Item("group", "", (self.argument(token),), at=token.at)
        if text == "1" and font in ("bold", "bb"):
            return Item("macro", "indicator", at=token.at)
        if inner[0].kind == "number":
            plain = font == "" and len(inner) == 1
            return Item("number", text, at=token.at) if plain else Item("letter", text, (), font, token.at)
        greek = len(inner) == 1 and text in signs.LETTERS.values()
        if font in ("", "it") and (len(text) > 1 or token.text == "operatorname") and not greek:
            operator = token.text == "operatorname"
            return Item("upright", text, font="op" if operator and len(text) == 1 else "", at=token.at, operator=operator)
        return Item("letter", text, (), font or ("rm" if token.text == "mathrm" else ""), token.at, token.gap)

    def letters(self, token: Token) -> Items:
        r"""The argument of an alphabet; ``\_`` belongs to a word."""
        if self.position < len(self.found) and self.found[self.position].kind == "open":
            end = self.position + 1
            chars = []
            while end < len(self.found) and (one := self.found[end]).kind in ("char", "macro") and (
                (one.kind == "char" and one.text.isalnum()) or (one.kind == "macro" and one.text == "_")
            ):
                chars.append("_" if one.kind == "macro" else one.text)
                end += 1
            if end < len(self.found) and self.found[end].kind == "close" and len(chars) > 1 and chars[0].isalpha():
                self.position = end + 1
                return (Item("letter", "".join(chars), at=token.at),)
        return self.argument(token)

    def accent(self, token: Token) -> Item:
        inner = self.argument(token)
        accent = signs.ACCENTS[token.text]
        base = inner[0] if inner else None
        if base is None or base.kind not in ("letter", "upright") or any(item.kind != "sub" for item in inner[1:]):
            raise self.fail(f"\\{token.text} of more than one letter", token.at)
        if len(inner) > 1:
            raise self.fail(f"\\{token.text} over an index: write \\{token.text}{{x}}_i", token.at)
        return replace(base, font=f"{accent} {base.font}".strip(), at=token.at, gap=token.gap)
