"""Claims and verdicts as LaTeX that compiles with pdflatex, whatever their text holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from asymp.claim import Claim, Evidence, Outcome, Strength, Verdict
from asymp.export.called import alike, called
from asymp.export.derivation import LONGEST, as_latex, in_notation
from asymp.export.escape import escape
from asymp.export.formula import broken, maths, rich
from asymp.export.inline import inline
from asymp.export.notation import Names, names_of, tex
from asymp.export.prose import set_formulas
from asymp.export.table import number

if TYPE_CHECKING:
    import sympy as sp

LONGEST_STEP = 1500  # characters of a step; its first terms say enough
MAX_FORMULA = 6000  # characters of source of a formula that is given

PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{lmodern}
\usepackage{amsmath,amssymb}
\usepackage{graphicx}
\usepackage{longtable}
\usepackage{array}
\usepackage[margin=25mm]{geometry}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\setcounter{secnumdepth}{0}
\sloppy
% a displayed formula, scaled down where it would be wider than the line
\newsavebox{\fitbox}
\newcommand{\fitmath}[1]{\par\smallskip\savebox{\fitbox}{$\displaystyle #1$}%
  \noindent\hspace*{1em}\ifdim\wd\fitbox>\dimexpr\linewidth-1em\relax
  \resizebox{\dimexpr\linewidth-1em\relax}{!}{\usebox{\fitbox}}\else\usebox{\fitbox}\fi\par\smallskip}
"""


def latex(item: Verdict | Claim | sp.Basic) -> str:
    r"""LaTeX of a verdict (its sheet), a claim (its formula), or an expression.

    >>> import sympy as sp
    >>> latex(sp.log(sp.Symbol("n")))
    '\\ln n'
    """
    if isinstance(item, Verdict):
        return claim_sheet(item)
    if isinstance(item, Claim):
        return claim_latex(item)
    from asymp.cas import text  # only where there is an expression of SymPy

    return tex(text(item))


def claim_latex(claim: Claim) -> str:
    r"""The statement in LaTeX; in words where there is no formula.

    >>> from asymp.parse import claim
    >>> claim_latex(claim("a/b", "n + 1 ~ n", to="n->oo", source="a, Lemma 1"))
    'n + 1 \\sim n \\qquad (n \\to \\infty)'
    """
    if claim.latex and maths(claim.latex):
        return str(maths(claim.latex))
    return rf"\text{{{escape(claim.statement)}}}"


def claim_sheet(verdict: Verdict, corrected: Verdict | None = None, asked: bool = False, brief: bool = False) -> str:
    """One claim as a part of a document: statement, source, verdict, reading, derivation, evidence.

    A statement that was typed in (``asked``) has no source and no expected outcome; a ``brief`` sheet says what was found, and
    leaves out the derivation and the tables of numbers.
    """
    claim, names = verdict.claim, names_of(verdict.claim)
    heading = rf"{escape(called(claim.id, claim.source.locator))} \normalfont\normalsize ({escape(claim.id)})"
    lines = [
        rf"\{'paragraph' if brief else 'subsection'}{{{'Statement' if asked else heading}}}",
        rf"\textbf{{{_word(verdict.outcome, verdict.strength)}}}." if asked else _verdict_line(verdict),
        *([""] if not brief else []),
        *(_statement(claim)[1:] if brief and claim.closed else _statement(claim)),
    ]
    if claim.source.quote and claim.closed and not alike(claim.source.quote, claim.latex):
        lines += printed(claim.source.quote)
    if claim.said:
        lines += ["", rf"\textbf{{Read as.}} {rich(claim.said)}"]
    if _unlike(claim) == ", differs":
        lines += ["", rf"\textbf{{Differs.}} The quote reads {rich(claim.quoted['read'])}; the claim says otherwise"]
    if claim.narrowed:
        lines += ["", rf"\textbf{{Narrowed.}} {rich(claim.narrowed)}"]
    if claim.note:
        lines += ["", rf"\textbf{{{'Note' if claim.closed else 'Reading'}.}} {rich(claim.note)}"]
    if verdict.reason:
        lines += ["", rf"\textbf{{Reason.}} {rich(set_formulas(verdict.reason))}"]
    if verdict.next_term:
        terms = _next_term(verdict.next_term, names)
        if brief:
            terms = [re.sub(r"^\\fitmath\{(.*)\}$", lambda found: f"${inline(found[1])}$", one) for one in terms]
        lines += ["", r"\textbf{Next term.}", *terms]
    if verdict.steps and not brief:
        longest = LONGEST_STEP if verdict.certificate is None else LONGEST
        lines += ["", r"\textbf{Derivation.}", *as_latex(in_notation(verdict.steps, names), displayed, longest)]
    if brief:
        lines += _in_brief(verdict)
    elif verdict.evidence:
        lines += ["", r"\textbf{Evidence.}", r"\begin{itemize}"]
        for item in verdict.evidence:
            detail = rich(set_formulas(item.detail))
            lines += [rf"\item {{}}\emph{{{escape(item.kind)}}}: {_word(item.outcome, item.strength)}. {detail}"]
        lines += [r"\end{itemize}", *(line for item in verdict.evidence for line in _points(item))]
    if claim.correction:
        lines += ["", rf"\textbf{{Correction}} ({escape(claim.correction)})"]
        if corrected is not None:
            lines[-1] += rf", {_word(corrected.outcome, corrected.strength)}."
            lines += displayed(claim_latex(corrected.claim), skip_text=True) or [escape(corrected.claim.statement)]
    if claim.corrects:
        lines += ["", rf"\textbf{{Corrects}} {escape(claim.corrects)}."]
    return "\n".join(lines) + "\n"


def _statement(claim: Claim) -> list[str]:
    """The statement as a formula, with the definitions that it leans on; in words where it is none."""
    if not claim.closed:
        return [rf"\textbf{{Statement.}} {escape(claim.statement)}", *displayed(claim_latex(claim), skip_text=True)]
    lines = [r"\textbf{Statement.}", *displayed(claim_latex(claim), skip_text=True)]
    if claim.where:
        lines += ["", r"\textbf{Where} " + "; ".join(rf"\texttt{{{escape(item)}}}" for item in claim.where) + "."]
    return lines


def _in_brief(verdict: Verdict) -> list[str]:
    """The strongest evidence for what was found, in a line; of what holds by a theorem there is no more to say."""
    found = [item for item in verdict.evidence if item.outcome == verdict.outcome]
    best = min(found, key=lambda item: list(Strength).index(item.strength), default=None)
    if best is None or (verdict.outcome is Outcome.HOLDS and best.strength is Strength.PROVED):
        return []
    return ["", rf"\textbf{{Evidence}} (\emph{{{escape(best.kind)}}}). {rich(set_formulas(best.detail))}"]


def _next_term(text: str, names: Names) -> list[str]:
    """One formula a case; as text where it cannot be read back."""
    try:
        return [line for part in text.split(" | ") for line in displayed(tex(part, names))]
    except ValueError:
        return [rf"\texttt{{{escape(text)}}}"]


def document(title: str, verdicts: Sequence[Verdict], others: Sequence[Verdict] = (), derivations: bool = True) -> str:
    """A whole document: a summary table, then a sheet for every claim, brief ones where no ``derivations`` are wanted;
    corrections may be among ``others``."""
    by_id = {verdict.claim.id: verdict for verdict in (*verdicts, *others)}
    lines = [
        PREAMBLE + r"\begin{document}",
        rf"\title{{{escape(title)}: its claims, checked}}",
        r"\author{asymp}\date{}\maketitle",
        r"\section{Summary}",
        *_summary(verdicts),
        r"\section{Claims}",
    ]
    lines += [claim_sheet(one, by_id.get(one.claim.correction or ""), brief=not derivations) for one in verdicts]
    return "\n".join([*lines, r"\end{document}", ""])


def _summary(verdicts: Sequence[Verdict]) -> list[str]:
    if not verdicts:
        return ["No claims."]
    head = r"\textbf{item} & \textbf{claim} & \textbf{outcome} & \textbf{strength} \\ \hline \endhead"
    rows = [
        f"{escape(called(v.claim.id, v.claim.source.locator), 12)} & {escape(v.claim.id, 12)} & "
        f"{v.outcome}{'' if v.as_expected else ' (!)'} & {v.strength}{_unlike(v.claim)} \\\\"
        for v in verdicts
    ]
    columns = r">{\raggedright\arraybackslash}p{0.28\linewidth}>{\raggedright\arraybackslash}p{0.36\linewidth}ll"
    return [r"{\small", rf"\begin{{longtable}}{{{columns}}}", head, *rows, r"\end{longtable}", "}"]


def _unlike(claim: Claim) -> str:
    differs = claim.quoted.get("reading") == "differs" and not claim.as_printed
    return ", differs" if differs else ", narrowed" if claim.narrowed else ""


def _verdict_line(verdict: Verdict) -> str:
    expected = "as expected" if verdict.as_expected else f"not as expected ({verdict.claim.expected})"
    printed = "" if verdict.claim.as_printed else ", not as printed"
    printed += ", narrower than printed" if verdict.claim.narrowed else ""
    source = escape(verdict.claim.source.key)
    return (
        rf"\textbf{{{_word(verdict.outcome, verdict.strength)}}} ({expected}). "
        rf"Source: {source}, \mbox{{{escape(verdict.claim.source.locator)}}}{printed}."
    )


def _word(outcome: Outcome, strength: Strength) -> str:
    return str(outcome) if strength is Strength.NONE else f"{outcome}, {strength}"


def displayed(latex: str, skip_text: bool = False) -> list[str]:
    """A displayed formula; text with ``$`` in it, or an unsafe formula, is set as text."""
    if not latex or (skip_text and latex.startswith(r"\text{")):
        return []
    if latex.count("$") > 2:
        return ["", rich(latex)]
    formula = maths(latex) if len(latex) <= MAX_FORMULA else None
    if formula is None:
        shown = latex if len(latex) <= MAX_FORMULA else latex[:MAX_FORMULA] + " ..."
        return ["", rf"{{\footnotesize\ttfamily {escape(shown)}}}"]
    return [rf"\fitmath{{{broken(formula)}}}"]


def printed(quote: str) -> list[str]:
    r"""A quote: its formulas set, as far as they are whole and safe.

    >>> printed(r"\mu = \frac{1}{p} \tag{3}")[2]
    '\\fitmath{\\mu = \\frac{1}{p}}'
    """
    pieces = quote.split("$$") if "$" in quote else ["", quote] if "\\" in quote else [quote]
    lines = ["", rf"\textbf{{Printed.}} {rich(pieces[0]) if pieces[0].strip() else ''}"]
    for k, piece in enumerate(pieces[1:], 1):
        formula = re.sub(r"\\tag\{[^{}]*\}", "", piece).strip()
        if formula:
            lines += displayed(formula) if k % 2 and maths(formula) else ["", rich(piece)]
    return lines


def _points(item: Evidence) -> list[str]:
    if not item.points:
        return []
    columns = r">{\raggedright\arraybackslash}p{0.36\linewidth}>{\raggedright\arraybackslash}p{0.36\linewidth}l"
    head = rf"\multicolumn{{3}}{{l}}{{\emph{{{escape(item.kind)}}}}} \\ point & value & radius \\ \hline \endhead"
    rows = []
    for point in item.points:
        at = ", ".join(f"{name} = {number(str(value))}" for name, value in point.at.items())
        value, radius = number(str(point.value)), number(str(point.radius), 8)
        rows.append(rf"{escape(at, 12)} & \texttt{{{escape(value, 12)}}} & \texttt{{{escape(radius, 12)}}} \\")
    return [r"{\footnotesize", rf"\begin{{longtable}}{{{columns}}}", head, *rows, r"\end{longtable}", "}"]
