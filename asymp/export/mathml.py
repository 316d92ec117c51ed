r"""LaTeX formulas as MathML, which a browser sets by itself: no script, no font, no network.

The conversion is that of the library latex2mathml.  What it makes is written anew: elements and attributes that are known, text
escaped (a formula may come from a stranger's file), and as short as it can be, for a page holds thousands of formulas.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from asymp.budget import uncounted
from asymp.export.inline import low_exponents

LONGEST = 6000
"""Characters of a formula that is set; a longer one is shown as it was written."""
DEEPEST = 60
"""Braces within braces."""
_TWO_PRIMES = re.compile(r"(?<=[A-Za-z}])('+)\^\{")
_LEAVES = frozenset("mi mn mo mtext".split())
_INNER = frozenset("mrow mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mpadded mphantom".split())
_ATTRIBUTES = {"mathvariant": "normal", "linethickness": "0(?:px|em)?", "accent": "true"}
_WIDTH = re.compile(r"-?[0-9.]{1,6}em")
_WORD = re.compile(r"[^\W\d_]\w+")
_THIN = "<mspace width=.16em></mspace>"
_TAG = re.compile(r"\\tag\{([^{}]*)\}")
_FENCES = frozenset("()[]|")
_LIMITS = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
_CHARACTERS = {"~": "∼"}
_SYMBOLS = frozenset("∞∅")
"""Signs that the library takes for operators, with room on both sides."""
_BOLD = {**{ord("A") + k: 0x1D400 + k for k in range(26)}, **{ord("a") + k: 0x1D41A + k for k in range(26)}}
_BOLD |= {ord("0") + k: 0x1D7CE + k for k in range(10)}
"""Bold letters and figures: browsers know no other variant than "normal"."""


def mathml(latex: str, display: bool = False) -> str:
    r"""A formula as a ``math`` element, with ``display`` as large as in a line of its own; as ``code`` where it cannot be set.

    >>> mathml(r"\frac{1}{n} \sim \ln x")
    '<math><mfrac><mn>1</mn><mi>n</mi></mfrac><mo>∼</mo><mi>ln</mi><mspace width=.16em></mspace><mi>x</mi></math>'
    >>> mathml("x^2^3 < 1")
    '<code>x^2^3 &lt; 1</code>'
    """
    inner = _inner(latex) if 0 < len(latex) <= LONGEST and _depth(latex) <= DEEPEST else None
    if inner is None:
        return f"<code>{html.escape(latex)}</code>" if latex else ""
    return f"<math{' displaystyle=true' if display else ''}>{inner}</math>"


def statement(latex: str) -> str:
    r"""A formula in a line of its own, and under it the conditions that stand in brackets behind it.

    >>> statement(r"x > 1 \qquad (x \to \infty)").count("<div")
    2
    """
    formula, mark, conditions = latex.rpartition(r" \qquad (")
    if not mark or not conditions.endswith(")"):
        return f'<div class="scroll">{mathml(latex, True)}</div>'
    return f'<div class="scroll">{mathml(formula, True)}</div><div class="scroll when">{mathml(conditions[:-1])}</div>'


def _depth(latex: str) -> int:
    depth = deepest = 0
    for character in latex:
        depth += (character == "{") - (character == "}")
        deepest = max(deepest, depth)
    return deepest


@uncounted
@lru_cache(maxsize=4096)
def _inner(latex: str) -> str | None:
    from latex2mathml.converter import convert_to_element

    try:
        read = low_exponents(_TAG.sub(r"\\qquad (\1)", latex))
        root = convert_to_element(_TWO_PRIMES.sub(lambda match: "^{" + r"\prime " * len(match[1]), read))
        return _row(_children(root))
    except Exception:  # of many kinds: whatever it meets in what it cannot read
        return None


def _children(element: Any) -> list[Any]:
    """Of the children, a row that is alone is its own."""
    found = list(element)
    while len(found) == 1 and found[0].tag == "mrow" and len(found[0]):
        found = list(found[0])
    return found


def _row(elements: list[Any]) -> str:
    """Elements side by side: letters of a name are joined, a name stands apart from what is beside it."""
    parts: list[str] = []
    k, apart = 0, True
    while k < len(elements):
        run = k
        while run < len(elements) and _is_upright_letter(elements[run]):
            run += 1
        name = _name(elements[k])
        if run > k + 1:
            name = "".join(_said(element) for element in elements[k:run])
            said = f"<mi>{html.escape(name)}</mi>"
        else:
            said, run = _written(elements[k]), k + 1
        if name and not apart:
            parts.append(_THIN)
        parts.append(said)
        apart = _is_sign(elements[run - 1])
        if name and run < len(elements) and not apart and not _is_sign(elements[run]) and not _opens(elements[run]):
            parts.append(_THIN)
            apart = True
        k = run
    return "".join(parts)


def _name(element: Any) -> str:
    """The word that it is, or has scripts at."""
    if element.tag in ("msup", "msub", "msubsup", "munder") and len(element):
        return _name(element[0])
    if element.tag == "mrow":
        letters = list(element)
        if len(letters) == 1:
            return _name(letters[0])
        return "".join(map(_said, letters)) if letters and all(map(_is_upright_letter, letters)) else ""
    said = _said(element) if element.tag in ("mi", "mo") else ""
    return said if _WORD.fullmatch(said) else ""


def _written(element: Any) -> str:
    """Raises KeyError for an element that is not known."""
    tag = element.tag
    if tag in _LEAVES:
        said = _said(element)
        said = _CHARACTERS.get(said, said)
        said = said.translate(_BOLD) if element.get("mathvariant") == "bold" else said
        tag = "mo" if said == "∼" else "mi" if said in _SYMBOLS or (tag == "mo" and _WORD.fullmatch(said)) else tag
        if said == "/":  # a quotient in the line
            return "<mo lspace=0 rspace=0>/</mo>"
        stretchy = " stretchy=false" if tag == "mo" and element.get("stretchy") == "false" else ""
        return f"<{tag}{stretchy}{_attributes(element)}>{html.escape(said)}</{tag}>"
    if tag == "mspace":
        width = element.get("width", "")
        return f"<mspace width={width}></mspace>" if _WIDTH.fullmatch(width) else ""
    if tag == "mstyle":
        return f"<mrow>{_row(_children(element))}</mrow>"
    if tag not in _INNER:
        raise KeyError(tag)
    if tag in _LIMITS and element[0].tag == "mo" and _said(element[0]) in ("∑", "∏"):
        tag = _LIMITS[tag]
    if tag == "mrow":
        children = _children(element)
        if len(children) > 2 and _is_flat(children):  # brackets that need not grow stand closer
            for fence in (children[0], children[-1]):
                fence.set("stretchy", "false")
        return _written(children[0]) if len(children) == 1 else f"<mrow>{_row(children)}</mrow>"
    write: Callable[[list[Any]], str] = _row if tag in ("mtd", "msqrt", "mpadded", "mphantom") else _apart
    return f"<{tag}{_attributes(element)}>{write(list(element))}</{tag}>"


def _apart(elements: list[Any]) -> str:
    return "".join(map(_written, elements))


def _attributes(element: Any) -> str:
    if element.tag == "mi" and len(_said(element)) > 1:  # upright by itself
        return ""
    kept = ((name, element.get(name, "")) for name in _ATTRIBUTES)
    return "".join(f" {name}={value}" for name, value in kept if re.fullmatch(_ATTRIBUTES[name], value))


def _said(element: Any) -> str:
    return html.unescape(element.text or "")


def _is_upright_letter(element: Any) -> bool:
    return element.tag == "mi" and element.get("mathvariant") == "normal" and len(_said(element)) == 1


def _is_sign(element: Any) -> bool:
    """Whether what follows it stands close to it, or is kept away by it."""
    return (element.tag in ("mo", "mspace", "mtext") and not _name(element)) or _said(element) in ("~", "∼")


def _is_flat(elements: list[Any]) -> bool:
    """Whether brackets hold nothing but signs."""
    ends = (elements[0], elements[-1])
    return all(one.tag == "mo" and _said(one) in _FENCES for one in ends) and all(map(_is_low, elements))


def _is_low(element: Any) -> bool:
    """Whether it is no higher than a line."""
    return element.tag in _LEAVES or (element.tag in ("mrow", "msub") and all(map(_is_low, element)))


def _opens(element: Any) -> bool:
    while element.tag == "mrow" and len(element):
        element = element[0]
    return element.tag == "mo" and _said(element) in _FENCES
