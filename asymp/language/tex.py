r"""Terms in LaTeX, as they are written: nothing is reordered and nothing evaluated.

>>> from asymp.language.syntax import Parser
>>> print(tex(Parser("x^(3/2)/y^((-a)/(a + 1))").whole(), {}))
\frac{x^{3/2}}{y^{-a/\left(a + 1\right)}}
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from asymp.functions.table import NAMED
from asymp.language.everyday import WORDS as EVERYDAY
from asymp.language.laws import TITLES, titled
from asymp.language.names import binds, outside, ranges
from asymp.language.syntax import Node

Notation = Mapping[str, str]
GREEK = frozenset(
    """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega
    Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega""".split()
)
_FUNCTIONS = {name: row.latex for name, row in NAMED.items() if row.latex} | {
    title: rf"\mathrm{{{title}}}" for title in TITLES
}
_BARE = frozenset("sin cos tan cot sec csc sinh cosh tanh coth".split())
_LOOSE = {"sum": 0, "product": 1, "negative": 1, "power": 2}
_SUMS, _PRODUCTS, _POWERS, _ATOMS = 0, 1, 2, 3


def name_tex(name: str, notation: Notation) -> str:
    r"""A name: as the paper has it, else Greek letters and digits as indices.

    >>> name_tex("mu1", {}), name_tex("alpha_n", {}), name_tex("rate", {})
    ('\\mu_{1}', '\\alpha_{n}', '\\mathrm{rate}')
    """
    if name in notation:
        return notation[name]
    if name == "EulerGamma":
        return r"\gamma_{\mathrm{Euler}}" if r"\gamma" in notation.values() else r"\gamma"
    if name == "e":  # a variable e is not Euler's number
        return r"\mathit{e}"
    if name in ("E", "gamma"):  # a variable gamma is not Euler's constant
        return "e" if name == "E" else r"\mathrm{gamma}"
    primes = len(name) - len(name.rstrip("_"))
    match = re.fullmatch(r"([A-Za-z]+?)_?(\d+|(?<=_)[A-Za-z]+)?", name.rstrip("_"))
    stem, index = match.groups() if match else (name, None)
    shown = rf"\{stem}" if stem in GREEK else stem if len(stem) == 1 else rf"\mathrm{{{stem}}}"
    return (rf"{shown}_{{{index}}}" if index else shown) + "'" * primes


def tex(node: Node, notation: Notation, least: int = _SUMS) -> str:
    r"""A term.

    >>> from asymp.language.syntax import Parser
    >>> print(tex(Parser("n^2*harmonic(n-1)/(2*(1-p))").whole(), {}), tex(Parser("-log(p)*n").whole(), {}))
    \frac{n^{2} H_{n - 1}}{2 \left(1 - p\right)} \left(-\ln p\right) n
    """
    text = _tex(node, notation)
    level = _LOOSE.get(node.kind, _ATOMS)
    if node.kind == "product" and "/" in node.signs and "*" not in node.signs[1:]:
        level = _POWERS - 1
    return rf"\left({text}\right)" if level < least else text


def _tex(node: Node, notation: Notation) -> str:
    parts = node.parts
    match node.kind:
        case "number":
            return _number(node.text)
        case "name":
            return r"\infty" if node.text == "oo" else name_tex(node.text, notation)
        case "negative":
            return "-" + tex(parts[0], notation, _POWERS if parts[0].kind == "negative" else _PRODUCTS)
        case "factorial":
            return _base(parts[0], notation) + "!"
        case "sum":
            shown = tex(parts[0], notation, _PRODUCTS if node.signs[0] == "-" else _SUMS)
            return shown + "".join(f" {s} {_added(p, notation)}" for s, p in zip(node.signs[1:], parts[1:], strict=True))
        case "product":
            return _product(node, notation)
        case "power":
            return _power(parts[0], _exponent(parts[1], notation), notation)
        case "event":
            sign = {"<=": r"\le", ">=": r"\ge"}.get(node.text, node.text)
            return f"{tex(parts[0], notation)} {sign} {tex(parts[1], notation)}"
        case "tuple":
            return rf"\left({', '.join(tex(p, notation) for p in parts)}\right)"
    return _call(node, notation)


def _added(node: Node, notation: Notation) -> str:
    """A term of a sum after its sign, which is no other sign."""
    shown = tex(node, notation, _PRODUCTS)
    return rf"\left({shown}\right)" if shown.startswith("-") else shown


def _number(text: str) -> str:
    mantissa, _, exponent = text.lower().partition("e")
    if not exponent:
        return mantissa
    power = f"10^{{{exponent.lstrip('+')}}}"
    return power if mantissa == "1" else rf"{mantissa} \cdot {power}"


def _product(node: Node, notation: Notation) -> str:
    above = [p for s, p in zip(node.signs, node.parts, strict=True) if s == "*"]
    below = [p for s, p in zip(node.signs, node.parts, strict=True) if s == "/"]
    if not below:
        return _factors(above, notation)
    trailing = []
    if node.signs[-1] == "*" and any(binds(p) for p in above[-1:]):  # a sum stands behind the fraction
        trailing = [above.pop()]
    top, bottom = _alone(above, notation) if above else "1", _alone(below, notation)
    fraction = rf"\frac{{{top}}}{{{bottom}}}"
    return " ".join([fraction, *(tex(p, notation, _PRODUCTS) for p in trailing)])


def _alone(factors: list[Node], notation: Notation) -> str:
    factors = [f for f in factors if not (f.kind == "number" and f.text == "1")] or factors[:1]
    return tex(factors[0], notation) if len(factors) == 1 else _factors(factors, notation)


def _factors(factors: list[Node], notation: Notation) -> str:
    shown: list[str] = []
    for place, factor in enumerate(factors):
        open_end = binds(factor) and place < len(factors) - 1
        text = tex(factor, notation, _PRODUCTS + (factor.kind == "negative" and place > 0))
        inner = factor.parts[0] if factor.kind in ("power", "negative") else factor  # ln^2 n is open to the right too
        log = inner.kind == "call" and inner.text in ("log", "ln") and place < len(factors) - 1
        text = rf"\left({text}\right)" if open_end or log else text
        if shown and text[0].isdigit():
            text = rf"\cdot {text}"
        shown.append(text)
    return " ".join(shown)


def _power(base: Node, exponent: str, notation: Notation) -> str:
    if base.kind == "call" and len(base.parts) == 1 and exponent != "-1" and not exponent.startswith(r"\left("):
        if base.text in ("log", "ln"):
            return rf"\ln^{{{exponent}}} {_argument(base.parts[0], notation)}"
        if base.text in _BARE:  # sin(x)^2 would be read as sin(x^2) as well
            return rf"{_FUNCTIONS[base.text]}^{{{exponent}}}\left({tex(base.parts[0], notation)}\right)"
    if base.kind == "call" and base.text in (*_BARE, "log", "ln"):
        return rf"\left({tex(base, notation)}\right)^{{{exponent}}}"
    return rf"{_base(base, notation)}^{{{exponent}}}"


def _exponent(node: Node, notation: Notation) -> str:
    """An exponent, in which a short quotient stands in the line."""
    if node.kind == "negative" and (shown := _exponent(node.parts[0], notation)) != tex(node.parts[0], notation):
        return f"-{shown}"
    if node.kind != "product" or node.signs != "*/":
        return tex(node, notation)
    top, below = node.parts
    sign, top = ("-", top.parts[0]) if top.kind == "negative" else ("", top)
    if not {top.kind, below.kind} <= {"number", "name", "sum"}:
        return tex(node, notation)
    return f"{sign}{tex(top, notation, _ATOMS)}/{tex(below, notation, _ATOMS)}"


def _base(node: Node, notation: Notation) -> str:
    """What a power or a factorial is taken of: in brackets where it would be read as something else."""
    shown = tex(node, notation, _ATOMS)
    closed = node.kind == "name" or (node.kind == "number" and "10^" not in shown) or shown.startswith(r"\left(")
    plain = node.kind == "call" and not binds(node) and "^" not in shown and shown.endswith(r"\right)")
    index = node.kind == "call" and node.text in ("harmonic", "sqrt") and "^" not in shown
    return shown if closed or plain or index else rf"\left({shown}\right)"


def _argument(node: Node, notation: Notation) -> str:
    """The argument of a logarithm: brackets where it is not one piece."""
    simple = node.kind in ("name", "number") or (node.kind == "product" and "/" in node.signs)
    return tex(node, notation) if simple else rf"\left({tex(node, notation)}\right)"


def _call(node: Node, notation: Notation) -> str:
    if node.text in _GIVEN and binds(node):
        return _law(node, notation)
    if binds(node):
        return _total(node, notation)
    arguments = [tex(part, notation) for part in node.parts]
    inner = ", ".join(arguments)
    match node.text:
        case "harmonic":
            order = rf"^{{({arguments[1]})}}" if len(arguments) == 2 else ""
            taken = any(sign.startswith("H_") for name, sign in notation.items() if name != "harmonic")
            return (r"\mathrm{H}" if taken else "H") + f"_{{{arguments[0]}}}{order}"
        case "exp":
            return "e" if arguments[0] == "1" else f"e^{{{_exponent(node.parts[0], notation)}}}"
        case "sqrt":
            return rf"\sqrt{{{arguments[0]}}}"
        case "floor":
            return rf"\left\lfloor {inner} \right\rfloor"
        case "ceiling":
            return rf"\left\lceil {inner} \right\rceil"
        case "Abs":
            return rf"\left| {inner} \right|"
        case "factorial":
            return tex(node.parts[0], notation, _ATOMS) + "!"
        case "factorial2":
            return _base(node.parts[0], notation) + "!!"
        case "AtMost":
            return rf"\mathbf{{1}}\left[{arguments[0]} \le {arguments[1]}\right]"
        case "binomial":
            return rf"\binom{{{arguments[0]}}}{{{arguments[1]}}}"
        case "log" | "ln" if len(arguments) == 1:
            return rf"\ln {_argument(node.parts[0], notation)}"
        case "log" | "ln" if len(arguments) == 2:
            return rf"\log_{{{arguments[1]}}} {_argument(node.parts[0], notation)}"
    if node.text in EVERYDAY and node.text not in notation and len(node.parts) == 1:
        inner = tex(titled(node.parts[0]), notation)
    head = _FUNCTIONS.get(node.text) or notation.get(node.text) or function_tex(node.text)
    if "#" in (pattern := notation.get(node.text, "")) or "#" in (pattern := head):
        closed = [tex(part, notation, _PRODUCTS) for part in node.parts]
        return re.sub(r"(.?)#(\d)(?=(.?))", lambda found: _filled(found, arguments, closed), pattern)
    return rf"{head}\left({inner}\right)"


_GIVEN = {
    "Laplace": r"\mathrm{E}\, e^{-#1 X}", "Mgf": r"\mathrm{E}\, e^{#1 X}", "Generating": r"\mathrm{E}\, #1^X",
    "Masses": r"\Pr(X = #1)", "Distribution": r"\Pr(X \le #1)", "Moments": r"\mathrm{E}\, X^{#1}",
}  # fmt: skip
"""What is given of a law."""


def _law(node: Node, notation: Notation) -> str:
    """The law of an X of which one thing is given, with its range."""
    ((name, low, high),) = ranges(node)
    variable, ends = name_tex(name, notation), [tex(low, notation), tex(high, notation)]
    sign = r"\le" if node.text in ("Masses", "Moments") else "<"
    left, right = (f"{ends[0]} {sign} " if low.kind != "negative" else ""), (f" {sign} {ends[1]}" if high.text != "oo" else "")
    given = _GIVEN[node.text].replace("#1", variable)
    return rf"\left[{given} = {tex(node.parts[0], notation)},\ {left}{variable}{right}\right]"


def _filled(found: re.Match[str], arguments: list[str], closed: list[str]) -> str:
    """An argument in the paper's sign of a function; a sum stands in brackets unless it is in some already."""
    before, place, after = found.group(1), int(found.group(2)) - 1, found.group(3)
    inside = before in "{([," and after in "})],"
    return before + (arguments if inside and before and after else closed)[place] if place < len(arguments) else found.group()


def function_tex(name: str) -> str:
    """The name of a function that has no sign of its own."""
    return rf"\{name}" if name in GREEK else name if len(name) == 1 else rf"\mathrm{{{name}}}".replace("_", r"\_")


def _total(node: Node, notation: Notation) -> str:
    if node.text == "Ranked":
        ((name, low, high),), body = ranges(node), tex(node.parts[0], notation)
        index = rf"{name_tex(name, notation)} = {tex(low, notation)}, \ldots, {tex(high, notation)}"
        return rf"\left({body} : {index}\right)_{{\left({tex(outside(node)[0], notation)}\right)}}"
    if node.text == "Coefficient":
        ((name, _, order),) = ranges(node)
        body = tex(node.parts[0], notation, _PRODUCTS)
        body = rf"\left({body}\right)" if body.startswith("-") else body
        return rf"[{name_tex(name, notation)}^{{{tex(order, notation)}}}]\, {body}"
    if node.text == "Vector":
        ((name, low, high),) = ranges(node)
        index = rf"{name_tex(name, notation)} = {tex(low, notation)}"
        return rf"\left({tex(node.parts[0], notation)}\right)_{{{index}}}^{{{tex(high, notation)}}}"
    shown: list[str] = []
    tail: list[str] = []
    for limit, (name, low, high) in reversed(list(zip(node.parts[1:], ranges(node), strict=True))):
        variable = tex(limit.parts[0], notation)
        if node.text == "Integral":
            shown.append(rf"\int_{{{tex(low, notation)}}}^{{{tex(high, notation)}}}")
            tail.insert(0, rf"\, d{name_tex(name, notation)}")
        else:
            sign = r"\sum" if node.text == "Sum" else r"\prod"
            shown.append(rf"{sign}_{{{variable} = {tex(low, notation)}}}^{{{tex(high, notation)}}}")
    body = tex(node.parts[0], notation, _PRODUCTS)
    return " ".join([*shown, rf"\left({body}\right)" if body.startswith("-") else body]) + "".join(tail)
