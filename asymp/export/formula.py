"""Formulas made safe for LaTeX: what could stop the compiler is refused, what is too wide is broken."""

from __future__ import annotations

import re
import unicodedata

from asymp.export.escape import LOWERED, MATHS, RAISED, character_text, escape


def maths(latex: str) -> str | None:
    r"""A formula safe to set in math mode, or None where it could stop the compiler.

    >>> maths(r"\mu ≤ \frac{1}{p}")
    '\\mu \\le  \\frac{1}{p}'
    >>> maths(r"\frac{1}{p") is None
    True
    """
    formula = latex.strip()
    for opening, closing in (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)")):
        if formula.startswith(opening) and formula.endswith(closing) and len(formula) >= 2 * len(opening):
            formula = formula[len(opening) : -len(closing)].strip()
            break
    formula = "".join(_maths_character(character) for character in unicodedata.normalize("NFC", formula))
    return formula if formula and _compiles(formula) else None


def _maths_character(character: str) -> str:
    if character in "\n\r\t":
        return " "
    if character.isascii():
        return character if character.isprintable() else ""
    if character in RAISED:
        return f"{{}}^{{{RAISED[character]}}}"
    if character in LOWERED:
        return f"{{}}_{{{LOWERED[character]}}}"
    if character in MATHS:
        return MATHS[character] + " "
    return rf"\text{{{character_text(character)}}}"


_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|.", re.DOTALL)

_SYMBOLS = frozenset(
    r"""alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho
    sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
    sum prod coprod int iint iiint oint bigcup bigcap bigoplus bigotimes bigvee bigwedge lim limsup liminf sup inf max
    min log ln lg exp sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth det dim gcd arg deg hom ker Pr
    le leq ge geq ne neq lt gt sim simeq approx cong equiv asymp propto ll gg lesssim gtrsim leqslant geqslant prec
    succ preceq succeq subset supset subseteq supseteq in notin ni mid nmid parallel perp models to rightarrow
    leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow longrightarrow longleftarrow Longrightarrow iff
    implies mapsto longmapsto uparrow downarrow nearrow searrow hookrightarrow rightsquigarrow pm mp times div cdot
    ast star circ bullet oplus otimes cap cup setminus wedge vee land lor lnot neg forall exists nexists emptyset
    varnothing infty partial nabla ell hbar Re Im aleph prime dagger surd square blacksquare Box triangle angle top
    bot ldots cdots vdots ddots dots dotsc dotsb quad qquad lfloor rfloor lceil rceil langle rangle lvert rvert lVert
    rVert vert Vert lbrace rbrace lbrack rbrack backslash colon displaystyle textstyle scriptstyle scriptscriptstyle
    therefore because checkmark And Beta Eta Tau""".split()
)
_ENGLISH = {"And", "Beta", "Eta", "Tau"}  # names that are not LaTeX at all
_PUNCTUATION = frozenset(", ; : ! { } % $ & # _ | /".split()) | {" "}
_ARGUMENTS = {
    **dict.fromkeys("frac dfrac tfrac binom dbinom tbinom stackrel overset underset".split(), 2),
    **dict.fromkeys(
        """sqrt overline underline widehat widetilde hat tilde bar vec dot ddot check breve acute grave mathring
        mathbb mathbf mathcal mathfrak mathit mathsf mathtt mathrm mathscr boldsymbol bm operatorname operatorname*
        overbrace underbrace overrightarrow phantom hphantom vphantom boxed substack pmod mathop mathbin mathrel
        xrightarrow xleftarrow""".split(),
        1,
    ),
}
_MISSING = {"mathscr", "bm", "substack"}  # these need packages that the document does not load, or take lines
_OPTIONAL = {"sqrt", "xrightarrow", "xleftarrow"}
_TEXTS = {"text", "textrm", "mbox", "textbf", "textit", "texttt", "textsc", "textnormal"}
_BIG = frozenset(a + b for a in ("big", "Big", "bigg", "Bigg") for b in ("", "l", "r", "m"))
_DELIMITERS = frozenset("( ) [ ] | / . < >".split()) | {
    "\\" + name
    for name in """{ } | lfloor rfloor lceil rceil langle rangle lvert rvert lVert rVert vert Vert uparrow downarrow
    lbrace rbrace lbrack rbrack backslash""".split()
}
_ENVIRONMENTS = {
    "cases",
    "matrix",
    "pmatrix",
    "bmatrix",
    "vmatrix",
    "smallmatrix",
    "aligned",
    "array",
    "split",
    "gathered",
}
_LIMITS = {"\\" + name for name in "sum prod int lim max min sup inf bigcup bigcap limsup liminf operatorname".split()}
_CHARACTERS = {"-"} | {
    "\\" + name
    for name in """allowbreak textbackslash textasciitilde textasciicircum textless textgreater textbar textquotedbl
    textasciigrave S P textdegree textcopyright textbullet""".split()
}
_DEEPEST = 40


class _Unsafe(Exception):
    """The formula could stop the compiler."""


def _compiles(formula: str) -> bool:
    """Whether the formula is of the part of LaTeX that is known here, and is complete."""
    try:
        checker = _Checker(_TOKEN.findall(formula))
        checker.sequence("")
    except (_Unsafe, IndexError):
        return False
    return checker.position == len(checker.tokens)


class _Checker:
    """Reads a formula as LaTeX would: groups, arguments, scripts, delimiters, environments."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.position = 0
        self.depth = 0

    def next(self) -> str:
        """The next token that is not a space."""
        while self.tokens[self.position].isspace():
            self.position += 1
        self.position += 1
        return self.tokens[self.position - 1]

    def sequence(self, closing: str, lines: bool = False) -> None:
        """Atoms up to a closing token (or the end); with ``lines``, alignment is allowed."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _Unsafe
        raised = lowered = primed = False
        before = ""
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            if token.isspace():
                self.position += 1
                continue
            if token == closing:
                self.depth -= 1
                return
            self.position += 1
            if token == "^":
                if raised:
                    raise _Unsafe
                raised = True
                self.script()
            elif token == "_":
                if lowered:
                    raise _Unsafe
                lowered = True
                self.script()
            elif token == "'":
                if raised or (primed and before != "'"):
                    raise _Unsafe
                primed = True
            elif token == r"\limits":
                if before not in _LIMITS:
                    raise _Unsafe
            else:
                self.atom(token, lines)
                raised = lowered = primed = False
            before = token
        if closing:
            raise _Unsafe
        self.depth -= 1

    def atom(self, token: str, lines: bool) -> None:
        if token == "{":
            self.sequence("}")
            self.position += 1
        elif token in ("&", r"\\"):
            if not lines:
                raise _Unsafe
        elif token == r"\left":
            self.delimiter()
            self.sequence(r"\right")
            self.position += 1
            self.delimiter()
        elif token == r"\begin":
            self.environment()
        elif token.startswith("\\") and len(token) > 1:
            self.command(token[1:])
        elif token in "}$%#\\":
            raise _Unsafe

    def command(self, name: str) -> None:
        if name in _TEXTS:
            self.words()
        elif name in _BIG:
            self.delimiter()
        elif name in _ARGUMENTS and name not in _MISSING:
            if name in _OPTIONAL and self.peek() == "[":
                self.next()
                self.sequence("]")
                self.position += 1
            for _ in range(_ARGUMENTS[name]):
                self.script()
        elif name not in _PUNCTUATION and (name not in _SYMBOLS or name in _ENGLISH):
            raise _Unsafe

    def peek(self) -> str:
        """The next token that is not a space, left where it is; empty at the end."""
        return next((token for token in self.tokens[self.position :] if not token.isspace()), "")

    def script(self) -> None:
        """An argument: a group, or one character or symbol."""
        token = self.next()
        if token == "{":
            self.sequence("}")
            self.position += 1
        elif token.startswith("\\"):
            if token[1:] not in _SYMBOLS or token[1:] in _ENGLISH or token.endswith("style"):
                raise _Unsafe
        elif token in "^_}&$%#'~":
            raise _Unsafe

    def words(self) -> None:
        """The argument of ``\\text``: words, escaped characters, symbols in ``\\ensuremath``."""
        if self.next() != "{":
            raise _Unsafe
        while True:
            token = self.tokens[self.position]
            self.position += 1
            if token == "}":
                return
            if token == r"\ensuremath":
                self.script()
            elif token in _CHARACTERS:
                if self.tokens[self.position : self.position + 2] == ["{", "}"]:
                    self.position += 2
            elif token in (r"\textsuperscript", r"\textsubscript", r"\texttt"):
                self.words()
            elif (token.startswith("\\") and token[1:] not in _PUNCTUATION) or token in "{$%#&^_":
                raise _Unsafe

    def delimiter(self) -> None:
        if self.next() not in _DELIMITERS:
            raise _Unsafe

    def environment(self) -> None:
        name = self.name()
        if name not in _ENVIRONMENTS:
            raise _Unsafe
        if name == "array":
            if self.next() != "{":
                raise _Unsafe
            while (token := self.next()) != "}":
                if token not in "lcr|":
                    raise _Unsafe
        self.sequence(r"\end", lines=True)
        self.position += 1
        if self.name() != name:
            raise _Unsafe

    def name(self) -> str:
        """A name in braces."""
        if self.next() != "{":
            raise _Unsafe
        letters = ""
        while (token := self.next()) != "}":
            letters += token
        return letters


def broken(formula: str, width: int = 100) -> str:
    """A long formula in several lines, broken before relations, + and - that no bracket encloses."""
    if _printed_width(formula) <= width or r"\begin" in formula or r"\\" in formula:
        return formula
    chunks, start, depth, last = [], 0, 0, ""
    for match in _TOKEN.finditer(formula):
        token = match.group()
        if token in ("{", "(", "[", r"\left", r"\lfloor", r"\lceil", r"\{"):
            depth += 1
        elif token in ("}", ")", "]", r"\right", r"\rfloor", r"\rceil", r"\}"):
            # \left( opens two and \right) closes two, so pairs still match
            depth -= 1
        elif (
            token in ("+", "-", "=", r"\sim", r"\le", r"\ge", r"\leq", r"\geq")
            and depth == 0
            and last not in ("", "=", "(", "^", "_")
        ):
            chunks.append(formula[start : match.start()])
            start = match.start()
        if not token.isspace():
            last = token
    chunks.append(formula[start:])
    lines: list[str] = []
    for chunk in chunks:
        if lines and _printed_width(lines[-1]) + _printed_width(chunk) <= width:
            lines[-1] += chunk
        else:
            lines.append(chunk)
    if len(lines) == 1:
        return formula
    return r"\begin{aligned} & " + r" \\ & \quad ".join(line.strip() for line in lines) + r" \end{aligned}"


def _printed_width(formula: str) -> int:
    """About how many characters wide a formula prints: a command counts as one."""
    return len(re.sub(r"\\[A-Za-z]+|\\.", "x", re.sub(r"[{}^_\s]|\\left|\\right|\\,|\\frac", "", formula)))


def rich(text: str) -> str:
    """Text in which ``$...$`` is mathematics, if every piece of it is safe; else plain text."""
    parts = text.split("$")
    if len(parts) % 2 == 1 and len(parts) > 1:
        formulas = [maths(part) for part in parts[1::2]]
        if all(formula is not None for formula in formulas):
            pieces = [
                _spaced(part) if index % 2 == 0 else f"${formulas[index // 2]}$" for index, part in enumerate(parts)
            ]
            return "".join(pieces).strip()
    return escape(text)


def _spaced(part: str) -> str:
    """Escaped text that keeps a space at its ends."""
    body = escape(part)
    return (" " if part[:1].isspace() else "") + body + (" " if body and part[-1:].isspace() else "")
