r"""A derivation as text for a terminal, as HTML, as LaTeX: the same paragraphs, lemmas with their proofs inside them.

>>> from asymp.claim import Step
>>> lemma = Step("", "x > 0", "", "Lemma 1", (Step("By algebra", "", "", "", (Step("", "1 = 1"),)),))
>>> proof = [Step("To be shown", r"\ln x \le x"), lemma]
>>> print("\n".join(text(proof)))
To be shown: ln x ≤ x
Lemma 1. x > 0
  By algebra (1 step)
>>> print("\n".join(text(proof, full=True)[-2:]))
  By algebra
    1 = 1
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from asymp.claim import Step
from asymp.evidence import every as every
from asymp.export.escape import escape
from asymp.export.formula import rich
from asymp.export.mathml import mathml, statement
from asymp.export.notation import Names, plain, renamed, shortened

WIDTH = 100
LONGEST = 20_000
"""Characters of a formula."""
DEEPEST = 4
"""Lemmas inside one another that LaTeX indents."""
_FORMULA = re.compile(r"\$([^$]*)\$")


def read(steps: Iterable[Mapping[str, Any]]) -> tuple[Step, ...]:
    """Paragraphs from a record."""
    return tuple(Step(s["rule"], s["latex"], s["source"], s.get("name", ""), read(s.get("steps", ()))) for s in steps)


def data(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """Paragraphs for a record."""
    found = []
    for step in steps:
        one: dict[str, Any] = {"rule": step.rule, "latex": step.latex, "source": step.source}
        found.append(one | ({"name": step.name} if step.name else {}) | ({"steps": data(step.steps)} if step.steps else {}))
    return found


def in_notation(steps: Iterable[Step], names: Names) -> tuple[Step, ...]:
    """The same in a paper's notation."""

    def put(step: Step) -> Step:
        rule = _FORMULA.sub(lambda found: f"${renamed(found[1], names)}$", step.rule)
        return Step(rule, renamed(step.latex, names), step.source, step.name, in_notation(step.steps, names))

    return tuple(map(put, steps))


def folds(step: Step) -> str:
    """What stands where the details of a paragraph are folded away: nothing where there are none."""
    n = sum(1 for _ in every(step.steps))
    return f"{n} step{'s' * (n > 1)}" if n and not step.name else ""


def words(step: Step, maths: Callable[[str], str], text: Callable[[str], str]) -> str:
    """The words of a paragraph before its formula; formulas in them by ``maths``, what is between by ``text``."""
    pieces = _FORMULA.split(step.rule)
    said = "".join(maths(piece) if k % 2 else text(piece) for k, piece in enumerate(pieces))
    stop = ":" if step.latex and said and said[-1:] not in ",:." and not step.rule.startswith("Expanding the") else ""
    return said + stop


def text(steps: Iterable[Step], full: bool = False, depth: int = 0, longest: int = LONGEST) -> list[str]:
    """Lines for a terminal; details that are no lemma's proof are counted, or shown where ``full``."""
    lines: list[str] = []
    for step in steps:
        head = " ".join(filter(None, (f"{step.name}." if step.name else "", words(step, plain, str))))
        tail = "".join((f" ({folds(step)})" if not full and folds(step) else "", f" [{step.source}]" if step.source else ""))
        formula, indent = plain(shortened(step.latex, longest)), "  " * depth
        whole = f"{head} {formula}".strip() + tail
        short = not formula or len(indent + whole) <= WIDTH
        for piece, inner in ((whole, indent),) if short else ((head, indent), (formula + tail, indent + "    ")):
            lines += textwrap.wrap(piece, WIDTH, initial_indent=inner, subsequent_indent=indent + "    ",
                                   break_long_words=False, break_on_hyphens=False)  # fmt: skip
        if step.name or full:
            lines += text(step.steps, full, depth + 1, longest)
    return lines


def as_html(steps: Iterable[Step]) -> str:
    """Paragraphs with what they unfold to."""
    return "".join(map(_html, steps))


def _html(step: Step) -> str:
    name = f"<b>{html.escape(step.name)}.</b> " if step.name else ""
    source = f' <span class="label">[{html.escape(step.source)}]</span>' if step.source else ""
    said = name + words(step, mathml, lambda piece: html.escape(piece.replace("\0", ""), quote=False)) + source
    formula = statement(step.latex) if step.latex else ""
    inner = as_html(step.steps)
    if inner:
        inner = f'<details class="more"><summary>{folds(step) or "proof"}</summary><div class="inner">{inner}</div></details>'
    return f'<div class="step">{said}{formula}{inner}</div>'


def as_latex(
    steps: Iterable[Step], displayed: Callable[[str], Sequence[str]], longest: int = LONGEST, depth: int = 0
) -> Iterator[str]:
    """Lines of LaTeX; details that are no lemma's proof, nor all that a paragraph says, are left out.

    ``displayed`` sets a formula in a line of its own.
    """
    for step in steps:
        name = rf"\textbf{{{escape(step.name)}.}} " if step.name else ""
        source = f" [{escape(step.source)}]" if step.source else ""
        said = words(step, lambda formula: f"${formula}$", str)
        yield ""
        yield f"{name}{rich(said)}{source}"
        yield from displayed(shortened(step.latex, longest))
        if step.name:
            inner = list(as_latex(step.steps, displayed, longest, depth + 1))
            yield from [r"\begin{quote}", *inner, r"\end{quote}"] if depth < DEEPEST else inner
        elif not step.latex:
            yield from as_latex(step.steps, displayed, longest, depth)
