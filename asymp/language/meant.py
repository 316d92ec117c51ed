r"""What was probably meant by a text that cannot be read, as a text that can: for who pastes LaTeX, forgets a *, writes e.

Mistakes are mended one kind after another, until the text reads; what still does not read is not offered.  Nothing is ever
read as something else than it says: a repair is shown, and is for the user to type.

>>> mended(r"\log n \le n", assume=["n >= 1"]).statements, mended("H(n) ~ log(n", "n -> oo").statements
(('log(n) <= n',), ('harmonic(n) ~ log(n)',))
>>> mended("mu ~ ln n p", "n to infinity", ["mu > 0", "p > 0"])
Mended(statements=('mu ~ ln(n*p)', 'mu ~ ln(n)*p'), to='n -> oo', assume=('mu > 0', 'p > 0'))
>>> mended("n! <= C*n^n").statements, mended("n! <= C*n^n", "n -> oo").statements
(('n! <= C*n^n for n > 0 for some real C',), ('n! <= C*n^n for some real C',))
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from asymp.language.conditions import read_conditions
from asymp.language.elaborate import Setting, closed
from asymp.language.hints import NO_NUMBERS, Unsaid, is_left_open, likely
from asymp.language.known import known
from asymp.language.meanings import CALLED
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, is_asymptotic, read_statement
from asymp.language.syntax import RESERVED
from asymp.language.words import CONSTANTS
from asymp.messages import near

_TEX = {
    "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "lt": "<", "gt": ">", "sim": "~",
    "to": "->", "rightarrow": "->", "longrightarrow": "->", "infty": "oo", "cdot": "*", "times": "*", "ln": "log", "lg": "log",
    "gamma": "EulerGamma", "left": "", "right": "", "quad": "", "qquad": "",
}  # fmt: skip
_INSTEAD = (
    ("=<", "<="),
    ("≤", "<="),
    ("≥", ">="),
    ("→", "->"),
    ("∞", "oo"),
    ("∼", "~"),
    ("==>", "=>"),
    ("...", ".."),
    ("–", "-"),
    ("∑", "Sum"),
    ("−", "-"),
    ("·", "*"),
    ("×", "*"),
)
_POWERS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_WORD = r"[^\W\d]\w*"
_PIECE = re.compile(
    rf"\s*(?:(?P<name>{_WORD})|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<other>->|<=|>=|\*\*|\.\.|!!|\S))"
)
_BINDERS = ("Sum", "Product", "Integral")
MOST_NAMES = 8
"""Of which nothing is said: with more it is not said what to type."""
_OTHERS = {"H": "harmonic", "Gamma": "gamma", "W": "LambertW", "lg": "log", "floor_": "floor", "ceil": "ceiling"}


@dataclass(frozen=True)
class Mended:
    """What can be typed: one statement or, where a product can be read in two ways, both; what tends where; assumptions."""

    statements: tuple[str, ...] = ()
    to: str | None = None
    assume: tuple[str, ...] = ()


def mended(
    statement: str, to: str | None = None, assume: Iterable[str] = (), setting: Setting = Setting(), leaves: bool = True
) -> Mended:
    """What was probably meant, under what is declared in a file; without statements where nothing that reads was found.

    ``leaves``: it may say that there is some number C, as an expression alone may not.
    """
    if any(command not in _TEX and command not in CALLED for command in re.findall(r"\\([A-Za-z]+)", statement)):
        return Mended()  # a formula in LaTeX
    if "\\" in statement and re.search(r"[A-Za-z]_", statement):
        return Mended()  # H_n is a function of n there, and no name of its own
    own = {*setting.variables, *setting.names, *setting.functions, *setting.declared}
    assumed = tuple(_first(text, _condition_reads) for text in assume)
    limit = _limit(to, statement) if to is not None else None
    for text in _repairs(statement, own):
        good = [one for one in text if _says(one, limit, assumed, own) is not None]
        if good:
            tidy = dict.fromkeys(" ".join(one.split()) for one in good)
            found = _whole(Mended(tuple(tidy), limit, assumed), setting, own, leaves)
            guessed = {one.removesuffix(" > 0") for one in found.assume[len(assumed) :]}
            return Mended() if any(re.search(rf"\b{one}\s*\(", statement) for one in guessed) else found
    return Mended()


def _whole(found: Mended, setting: Setting, own: Container[str], leaves: bool) -> Mended:
    """With a limit where one is missing, and a condition on each name of which nothing is said."""
    said = _says(found.statements[0], found.to, found.assume, own)
    if said is not None and is_asymptotic(said.body) and not said.regime:
        found = replace(found, to=f"{_tending(said)} -> oo")
    left: list[str] = []
    for _ in range(MOST_NAMES):
        written = _left_open(found, left)
        said = _says(written.statements[0], written.to, written.assume, own)
        try:
            if said is not None:
                closed(said, setting)
        except Unsaid as error:
            if error.name in NO_NUMBERS or _is_slip(error.name):
                return Mended()
            if leaves and is_left_open(error.name):
                left.append(error.name)
            else:
                found = replace(found, assume=(*found.assume, f"{error.name} > 0"))
            continue
        except ParseError:
            return Mended()
        return written
    return Mended()


def _left_open(found: Mended, names: Sequence[str]) -> Mended:
    """With some number for each of the names: one for all of what is assumed, where nothing tends."""
    if not names:
        return found
    some = f" for some {', '.join(f'real {name}' for name in names)}"
    if found.to or not found.assume:
        return replace(found, statements=tuple(one + some for one in found.statements))
    assumed = ", ".join(found.assume)
    texts = (f"{one}, {assumed}" if " for " in one else f"{one} for {assumed}" for one in found.statements)
    return replace(found, statements=tuple(text + some for text in texts), assume=())


def _tending(said: Statement) -> str:
    """The name that is most likely to tend to infinity."""
    names = [name for term in said.terms() for name in sorted(term.free - CONSTANTS)]
    return next((name for name in ("n", "N", "k", "m", "x", "t") if name in names), names[0] if names else "n")


def _says(text: str, to: str | None, assume: Sequence[str], own: Container[str] = ()) -> Statement | None:
    """The statement, every term of which is known; None where it is not read."""
    try:
        said = read_statement(text)
        if to and not said.regime:
            said = replace(said, regime=read_conditions(to))
        said = replace(said, domain=(*said.domain, *(c for one in assume for c in read_conditions(one))))
        for term in (*said.terms(), *(t for c in (*said.domain, *said.some, *said.uniform) for t in c.terms())):
            known(term, declared=own)
        if any(_is_slip(name) for term in said.terms() for name in term.free if name not in own):
            return None
    except (ParseError, RecursionError):
        return None
    return said


def _is_slip(name: str) -> bool:
    """Whether a name without an argument was meant as a constant or a function."""
    return name not in CONSTANTS and (bool(likely(name)) or name == "gamma" or (name in CALLED and len(name) > 2))


def _condition_reads(text: str) -> bool:
    try:
        return bool(read_conditions(text))
    except (ParseError, RecursionError):
        return False


def _first(text: str, reads: Callable[[str], bool]) -> str:
    """The text, or the first repair of it that reads."""
    if reads(text):
        return text
    return next((one for found in _repairs(text) for one in found if reads(one)), text)


def _limit(to: str, statement: str) -> str:
    """What tends where: ``n to infinity``; where it is a word that says nothing, the name of the statement to infinity."""
    plain = re.sub(r"\b(?:goes |tends )?to\b|=>|⟶|−>|--?>", "->", to)
    plain = re.sub(
        r"->\s*\+?(?:infinity|inf|infty|Infinity|INF|\\infty)\b", "-> oo", re.sub(r"\\(?=to|infty)", "", plain)
    )
    plain = re.sub(r"->$", "-> oo", " ".join(plain.split()))

    def reads(text: str) -> bool:
        return _condition_reads(text) and not any(
            _is_slip(name) for c in read_conditions(text) for t in c.terms() for name in t.free
        )

    found = next((one for texts in ((to, plain), *_repairs(plain)) for one in texts if reads(one)), "")
    if found or re.search(r"[-=<>~]", to):
        return found or to
    names = [name for name in re.findall(_WORD, statement) if name not in CALLED and name not in CONSTANTS]
    return f"{'n' if 'n' in names else to if re.fullmatch('[a-z]', to) else (names or ['n'])[0]} -> oo"


# --- repairs, one kind after another ---------------------------------------------------------


def _repairs(text: str, own: Container[str] = ()) -> Iterator[tuple[str, ...]]:
    """The text with more and more of its mistakes mended; two texts where a product can be read in two ways."""
    for old, new in _INSTEAD:
        text = text.replace(old, new)
    text = _POWERS.sub(lambda found: f"^{unicodedata.normalize('NFKC', found[0])}", text)
    text = re.sub(r"\be\^", "E^", re.sub(r"\\\\?([A-Za-z]+)\s*", _command, text))
    yield (text,)
    text = _ranges(text)
    yield (text,)
    text = _brackets(text)
    yield (text,)
    if (power := re.compile(r"(\w+)\^(\w+)!(?!!)")).search(text):
        yield power.sub(r"(\1^\2)!", text), power.sub(r"\1^(\2!)", text)
    yield tuple(" ".join(_joined(_pieces(text), greedy, own).split()) for greedy in (True, False))


def _command(match: re.Match[str]) -> str:
    name = match[1]
    return f" {_TEX.get(name, name)} "


def _brackets(text: str) -> str:
    """Round brackets, each of which is closed."""
    coefficient = re.search(r"\[\w+\^", text)
    plain = text if coefficient or ("{" in text and " in " in text) else text.translate(str.maketrans("[]{}", "()()"))
    head, word, tail = (plain, "", "")
    for cut in (" for ", " as ", " -> ", " ~ ", " <= ", " >= ", " = ", " < ", " > "):
        if cut in plain:
            head, word, tail = plain.partition(cut)
            return f"{_brackets(head)}{word}{_brackets(tail)}"
    missing = plain.count("(") - plain.count(")")
    return plain.rstrip() + ")" * missing if missing > 0 else plain


def _ranges(text: str) -> str:
    """``Sum(1/k, k=1..n)`` as ``Sum(1/k, (k, 1, n))``, and ``sum_{k=1}^n 1/k`` too."""
    text = re.sub(rf",\s*({_WORD})\s*=\s*([^.,()]+?)\s*(?:\.\.|\bto\b)\s*([^,()]+?)\s*\)", r", (\1, \2, \3))", text)
    text = re.sub(r"\b(sum|prod|product|int|integral)\(", lambda m: _binder(m[1]) + "(", text)
    end = r"(\{[^{}]*\}|\w+)"
    match = re.search(
        rf"\b([Ss]um|prod|[Pp]roduct)\s*_\s*\{{?\s*(\w+)\s*=\s*([^{{}}^]+?)\s*\}}?\s*\^\s*{end}\s*(.+)", text
    )
    if match is None:
        return text
    body, relation, rest = re.match(r"(.*?)(\s*(?:~|->|<=|>=|=|<|>|$))(.*)", match[5]).groups()  # type: ignore[union-attr]
    low, high = match[3], match[4].strip("{}")
    return f"{text[: match.start()]}{_binder(match[1])}({body.strip()}, ({match[2]}, {low}, {high})){relation}{rest}"


def _binder(word: str) -> str:
    return next(name for name in _BINDERS if name.lower().startswith(word.lower()[:3]))


def _pieces(text: str) -> list[tuple[str, str]]:
    return [(str(match.lastgroup), match[str(match.lastgroup)]) for match in _PIECE.finditer(text)]


def _joined(pieces: Sequence[tuple[str, str]], greedy: bool, own: Container[str]) -> str:
    """The pieces with a * where one is missing, functions with their brackets, constants by their names.

    ``greedy``: a function without brackets takes all factors that follow it, else the first.
    """
    text, k, before = "", 0, ""
    spaced = ("~", "->", "<=", ">=", "<", ">", "=", "+", "-")
    while k < len(pieces):
        kind, word = pieces[k]
        following = pieces[k + 1][1] if k + 1 < len(pieces) else ""
        reserved = kind == "name" and word in RESERVED
        if kind == "name" and not reserved and word not in own:
            word = _named(word, following == "(")
        starts = (kind in ("name", "number") and not reserved) or word == "("
        called = before == "name" and word == "(" and _is_function(text, own)
        if before in ("name", "number", ")") and starts and not called:
            text += "*"
        if (
            kind == "name"
            and word in CALLED
            and word not in own
            and following not in ("(", "")
            and not reserved
            and pieces[k + 1][0] != "other"
        ):
            last = k + 1
            while (
                greedy
                and last + 1 < len(pieces)
                and pieces[last + 1][0] in ("name", "number")
                and pieces[last + 1][1] not in RESERVED
            ):
                last += 1
            text += f"{word}({_joined(pieces[k + 1 : last + 1], greedy, own)})"
            k, before = last + 1, ")"
            continue
        text += f" {word} " if word in spaced or reserved else f"{word} " if word == "," else word
        before = "" if reserved else kind if kind != "other" else ")" if word in (")", "!", "!!") else ""
        k += 1
    return text


def _is_function(text: str, own: Container[str]) -> bool:
    name = re.search(rf"{_WORD}$", text)
    return name is not None and (
        name[0] in own
        or name[0] in CALLED
        or name[0] in (*_BINDERS, "O", "o", "Theta", "Omega", "omega", "P", "E", "Var")
    )


def _named(word: str, called: bool) -> str:
    """The name that was meant."""
    if called:
        if word in CALLED or word in _BINDERS or (len(word) == 1 and word not in _OTHERS):
            return word
        if word in _OTHERS:
            return _OTHERS[word]
        lower = {name.lower(): name for name in sorted(CALLED)}
        return lower.get(word.lower()) or next(iter(near(word, sorted(CALLED))), word)
    return likely(word) or ("EulerGamma" if word == "gamma" else word)


def instead(data: Mapping[str, object], setting: Setting, regimes: Iterable[str]) -> str:
    """What to write in a claim of a file that is not read, as the end of a message; empty where that is not known.

    >>> instead({"says": "n ~ 2 n", "to": "large"}, Setting(), ["large"])
    '; write says = "n ~ 2*n"'
    >>> instead({"says": "n ~ n", "to": "larg"}, Setting(), ["large"]), instead({"says": "n ~ n"}, Setting(), [])
    ('; write to = "large"', '; write to = "n -> oo"')
    """
    says, to, names = data.get("says"), data.get("to"), list(regimes)
    if type(says) is not str or not isinstance(to, str | None):  # a formula of a paper has signs of its own: nothing is guessed
        return ""
    found = mended(says, setting=setting)
    lines = [f'says = "{one}"' for one in found.statements if found.statements[0] != says]
    limit = to
    if to is None:
        limit = found.to
    elif to not in names and not _condition_reads(to):
        limit = next(iter(near(to, names)), _limit(to, says))
    if limit != to:
        return f"; write {', '.join([*lines[:1], f'to = {chr(34)}{limit}{chr(34)}'])}"
    return f"; write {' or '.join(lines)}" if lines else ""
