r"""The signs of LaTeX and of Unicode that a formula may be made of, and what each is in asymp's language.

What is in none of these tables is refused: a sign that looks like another is another.

>>> FUNCTIONS["arcsin"], RELATIONS["leq"], UNICODE["√"]
('asin', '<=', '\\sqrt')
"""

from __future__ import annotations

from asymp.functions.table import NAMED, UNTYPED
from asymp.language.tex import GREEK

RELATIONS = {
    "=": "=", "<": "<", ">": ">", "le": "<=", "leq": "<=", "leqslant": "<=", "leqq": "<=", "ge": ">=", "geq": ">=",
    "geqslant": ">=", "geqq": ">=", "lt": "<", "gt": ">", "sim": "~", "thicksim": "~", "to": "->", "rightarrow": "->",
    "longrightarrow": "->", "coloneqq": "=", "triangleq": "=", "eqdef": "=", "approx": "approx", "asymp": "asymp", "ll": "ll",
    "gg": "gg", "uparrow": "up", "nearrow": "up", "downarrow": "down", "searrow": "down", "in": "in", "iff": "iff",
    "Leftrightarrow": "iff", "Longleftrightarrow": "iff", "implies": "implies", "Rightarrow": "implies",
    "Longrightarrow": "implies", "impliedby": "if", "Leftarrow": "if",
}  # fmt: skip
"""What stands between the sides of a statement."""
LETTERS = {name: name for name in GREEK} | {
    "varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho", "varsigma": "sigma", "ell": "ell",
    "varkappa": "kappa", "hbar": "hbar", "imath": "imath", "jmath": "jmath",
}  # fmt: skip
"""Macros that are letters."""
ACCENTS = {
    "hat": "hat", "widehat": "hat", "bar": "bar", "overline": "bar", "tilde": "tilde", "widetilde": "tilde", "vec": "vec",
    "check": "check", "breve": "breve",
}  # fmt: skip
FONTS = {
    "mathrm": "", "mathit": "it", "mathnormal": "", "operatorname": "", "mathop": "", "mathsf": "sf", "mathtt": "tt",
    "mathbf": "bold", "boldsymbol": "bold", "bm": "bold", "pmb": "bold", "mathcal": "cal", "mathscr": "scr", "mathfrak": "frak",
    "mathbb": "bb", "mathds": "bb", "mathbbm": "bb",
}  # fmt: skip
TEXTS = frozenset("text textrm textit textbf textnormal textsf mbox hbox mathord".split())
"""Macros whose argument is words."""
FRACTIONS = frozenset("frac dfrac tfrac cfrac".split())
BINOMIALS = frozenset("binom dbinom tbinom".split())
SPACES = frozenset(
    ", ; : ! > ~ quad qquad enspace enskip thinspace medspace thickspace negthinspace negmedspace negthickspace displaystyle "
    "textstyle scriptstyle scriptscriptstyle limits nolimits nonumber notag qedhere allowbreak nobreak relax mathstrut strut "
    "left right middle big Big bigg Bigg bigl bigr bigm Bigl Bigr Bigm biggl biggr biggm Biggl Biggr Biggm".split()
) | {" ", "\n"}
"""Macros that say nothing: spacing, sizes, numbers of equations."""
LAYOUT = {"label": 1, "tag": 1, "hspace": 1, "vspace": 1, "mspace": 1, "hskip": 0, "intertext": 0}
"""Macros that say nothing, with their arguments."""
DISPLAYS = frozenset(
    "equation equation* align align* aligned alignedat gather gather* gathered multline multline* split eqnarray eqnarray* "
    "displaymath math flalign flalign* subequations dmath dmath*".split()
)
"""Environments that are displays: their rows are read one after the other."""
DOTS = frozenset("dots ldots cdots dotsc dotsb dotsm dotsi".split())
TIMES = frozenset("cdot times ast cdotp bullet".split())
_KNOWN = {
    "ln": "log", "exp": "exp", "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arccot": "acot", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "coth": "coth", "arsinh": "asinh", "arcosh": "acosh", "artanh": "atanh", "max": "Max", "min": "Min", "sgn": "sign",
    "sign": "sign", "ln\\Gamma": "loggamma", "W": "LambertW", "B": "beta", "floor": "floor", "ceil": "ceiling", "abs": "Abs",
    "Erl": "Erl",
}  # fmt: skip
_OF_TABLE = {
    row.latex.removeprefix("\\operatorname{").removesuffix("}").removeprefix("\\"): name
    for name, row in NAMED.items()
    if row.latex and "#" not in row.latex and name == row.name and name not in UNTYPED
}
FUNCTIONS = {
    **{name: row.name for name, row in NAMED.items() if name not in UNTYPED | {"sqrt"} and len(name) > 1},
    **{sign: name for sign, name in _OF_TABLE.items() if sign not in GREEK and "_" not in sign},
    **{sign: name for sign, name in _KNOWN.items() if name in NAMED},
}  # fmt: skip
r"""Macros and upright words that are functions: ``\ln``, ``\operatorname{erf}``; one letter of them only where it is upright."""
MATHEMATICA = {
    "LogIntegral": "li", "ExpIntegralEi": "Ei", "Gamma": "Gamma", "PolyLog": "polylog", "HarmonicNumber": "harmonic",
    "Zeta": "zeta", "ProductLog": "LambertW", "Erf": "erf", "Erfc": "erfc", "PolyGamma": "polygamma",
}  # fmt: skip
"""Heads of Mathematica before a square bracket, as papers paste them: ``LogIntegral[x]``."""
BARE = frozenset("ln log lg exp sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan".split())
"""Functions that need no brackets."""
GREEK_FUNCTIONS = {"Gamma": {1: "gamma", 2: "uppergamma"}, "gamma": {2: "lowergamma"}, "zeta": {1: "zeta", 2: "zeta"}}
"""Greek letters that are functions where a bracket follows, by the number of arguments."""
UNICODE = {
    "−": "-", "–": "-", "·": r"\cdot", "⋅": r"\cdot", "×": r"\times", "∗": r"\ast", "≤": r"\le", "≥": r"\ge", "⩽": r"\le",
    "⩾": r"\ge", "→": r"\to", "⟶": r"\to", "∼": r"\sim", "≈": r"\approx", "≍": r"\asymp", "≪": r"\ll", "≫": r"\gg",
    "∞": r"\infty",
    "√": r"\sqrt", "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∈": r"\in", "∀": r"\forall", "∃": r"\exists", "⇔": r"\iff",
    "⇒": r"\implies", "⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil", "⌉": r"\rceil", "…": r"\ldots", "⋯": r"\cdots", "′": "'",
    "∧": r"\wedge", "∨": r"\vee", "ℓ": r"\ell", "µ": r"\mu", "∆": r"\Delta", "∣": "|", "ϵ": r"\epsilon",
    "ε": r"\varepsilon", "ϕ": r"\phi",
    "φ": r"\varphi", "ϑ": r"\vartheta", "ϱ": r"\varrho", "≔": r"\coloneqq", "↓": r"\downarrow", "↑": r"\uparrow",
}  # fmt: skip
"""Characters that stand for a sign of LaTeX."""
DOUBLE_STRUCK = {"ℕ": "N", "ℤ": "Z", "ℝ": "R", "ℚ": "Q", "ℂ": "C", "𝔼": "E", "ℙ": "P", "𝟙": "1"}
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱᵏ", "0123456789+-()nik", strict=True))
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙₖₘᵢⱼₚₛₜₓₐₑ", "0123456789+-()nkmijpstxae", strict=True))
FRACTION_SIGNS = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4)}
WORDS = BARE | frozenset(
    "sqrt max min Gamma zeta erf erfc lim sum prod int floor ceil abs harmonic li Ei infinity infty oo pi".split()
) | (GREEK - {"pi"})
"""Words that a text without macros means as signs."""
FORBIDDEN = {
    "def": "definitions are not read in a formula: give them as a notation", "newcommand": "definitions stand in the preamble",
    "renewcommand": "definitions stand in the preamble", "let": "definitions are not read in a formula",
    "input": "files are not read", "include": "files are not read", "write": "nothing is written", "csname": "not read",
    "openin": "files are not read", "read": "files are not read", "immediate": "nothing is written",
    "edef": "definitions are not read",
    "gdef": "definitions are not read", "catcode": "not read", "usepackage": "not read", "openout": "nothing is written",
    "special": "not read", "directlua": "not read", "expandafter": "not read", "loop": "not read", "%": "write the number",
}  # fmt: skip
"""Macros that are refused wherever they stand, and why."""
REFUSED = {
    "dot": "derivatives are not read", "ddot": "derivatives are not read",
    "pm": "two statements in one: write each", "mp": "two statements in one: write each",
    "neq": "≠ is no statement of the language",
    "ne": "≠ is no statement of the language", "equiv": "write = or say what it means", "propto": "write = with the constant",
    "partial": "derivatives are not read", "nabla": "derivatives are not read", "mid": "conditioning is not read",
    "limsup": "upper limits are not read", "liminf": "lower limits are not read", "varlimsup": "upper limits are not read",
    "sup": "a supremum is no term of the language", "inf": "an infimum is no term of the language",
    "bmod": "remainders are no terms of the language", "pmod": "remainders are no terms of the language",
    "mod": "remainders are not read",
    "cup": "sets are not read", "cap": "sets are not read", "subset": "sets are not read", "notin": "write the range",
    "langle": "angle brackets are not read", "rangle": "angle brackets are not read", "oint": "not read",
    "iint": "write \\int \\int",
    "lesssim": "write = O(...)", "gtrsim": "write = \\Omega(...)", "prec": "write = o(...)", "succ": "write = \\omega(...)",
    "not": "negated relations are not read", "cong": "not read", "simeq": "not read: write \\sim or \\approx",
    "arg": "not read", "argmax": "not read", "argmin": "not read", "det": "not read", "Pr": "give it in the notation",
    "substack": "write one condition under the sign", "underbrace": "not read", "overbrace": "not read",
    "mapsto": "maps are not read", "circ": "not read", "setminus": "sets are not read", "emptyset": "sets are not read",
}  # fmt: skip
"""Macros that are no part of a term, unless a notation says what they are."""
