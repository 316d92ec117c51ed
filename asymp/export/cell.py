"""Claims and verdicts in a notebook: what the report shows of them, in a cell.

>>> from asymp.parse import claim
>>> "<math" in cell(claim("my/x", "harmonic(n) ~ log(n)", to="n->oo", source="notes, eq. (1)"))
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from asymp.claim import Claim, Verdict
from asymp.export.article import article, derivation_of, escaped, folded, left_out, statement
from asymp.export.derivation import data, in_notation
from asymp.export.font import face, once
from asymp.export.mathml import mathml
from asymp.export.notation import names_of
from asymp.export.record import claim_record, verdict_record
from asymp.export.table import summary_line

STYLE = (
    ".asymp{--holds:#2a9158;--refuted:#d0453b;--undecided:#a87000;--supported:#6b7789;max-width:56rem;line-height:1.45}"
    ".asymp article{border-left:.25rem solid var(--tone,#8886);padding:.1rem .9rem;margin:.7rem 0;overflow-wrap:anywhere}"
    ".asymp .holds{--tone:var(--holds)}.asymp .refuted{--tone:var(--refuted)}.asymp .undecided{--tone:var(--undecided)}"
    ".asymp .holds.supported{--tone:var(--supported)}.asymp .word{color:var(--tone);font-weight:600}"
    ".asymp summary{cursor:pointer}.asymp article>details>summary{display:block}"
    ".asymp summary:hover .head b{text-decoration:underline}.asymp summary>.head::before{content:'\\25b8\\a0'}"
    ".asymp [open]>summary>.head::before{content:'\\25be\\a0'}"
    ".asymp .head{display:flex;flex-wrap:wrap;gap:0 .9rem;align-items:baseline}.asymp .head::before{margin-right:-.7rem}"
    ".asymp .head .word{margin-left:auto}.asymp p{margin:.3rem 0;overflow:auto hidden}"
    ".asymp ol{padding-left:1.4rem;margin:.4rem 0}"
    ".asymp .id,.asymp .label,.asymp .when,.asymp dl dt{opacity:.7;font-size:.9em}"
    ".asymp .scroll{overflow:auto hidden;padding:.4rem 0;margin:-.25rem 0;white-space:nowrap}.asymp code{white-space:pre-wrap}"
    ".asymp math{font-family:'Asymp Math',math;font-size:1.06em}"
    ".asymp .keep{white-space:nowrap}.asymp sup{line-height:0;font-size:.75em}"
    ".asymp blockquote.scroll{white-space:normal;margin:0;padding:0;border:0;background:none}"
    ".asymp .step{margin:.4rem 0}.asymp .inner{border-left:2px solid #8886;padding-left:.9rem}"
    ".asymp .body dl{display:grid;grid-template-columns:7rem minmax(0,1fr);gap:.3rem 1rem;margin:.6rem 0}"
    ".asymp .body dl dt,.asymp .body dl dd{float:none;width:auto;margin:0;min-width:0;text-align:left;font-weight:400}"
    ".asymp dl::before,.asymp dl::after{display:none!important}"
    ".asymp .scroll table{margin:.2rem 0;font-size:.9em}.asymp .scroll table td{text-align:left;padding:.1rem .9rem .1rem 0}"
    ".asymp svg.plot{max-width:100%;height:auto}@media(max-width:40rem){.asymp .body dl{grid-template-columns:minmax(0,1fr)}}"
)
"""Rules of a notebook's own are undone where they would get in the way; no more than the page's width is taken."""


MOST_DERIVED = 400_000
"""Characters of all derivations in a cell: the longest are left to ``asymp show``."""


def cell(item: Claim | Verdict) -> str:
    """A claim: its place, its statement.  A verdict: what became of it too; the evidence and the derivation unfold."""
    if isinstance(item, Claim):
        return _styled(statement(claim_record(item), True))
    return _styled(article(verdict_record(item, steps=True), {}, _steps(item), page=False))


def claims(items: Sequence[Claim], title: str) -> str:
    """The claims of a paper: of each its place and its statement."""
    rows = (f"<article>{statement(claim_record(one), True)}</article>" for one in items)
    return _styled(f"<h3>{escaped(title)}</h3>{''.join(rows)}")


def verdicts(items: Sequence[Verdict], title: str, summary: Mapping[str, Any]) -> str:
    """Verdicts below one another, each with its evidence to unfold, and how many there are of each kind above them."""
    shown, room = {}, MOST_DERIVED
    for one in sorted(items, key=lambda one: sum(len(step.latex) for step in one.steps)):
        derived = derivation_of(_steps(one)) if room > 0 else left_out(one.claim.id)
        room -= len(derived)
        shown[one.claim.id] = derived if room > 0 else left_out(one.claim.id)
    head = (f"<h3>{escaped(title)}</h3>" if title else "") + f"<p>{escaped(summary_line(summary))}</p>"
    shown_ones = (folded(verdict_record(one), {}, shown[one.claim.id], page=False) for one in items)
    return _styled(head + "".join(shown_ones), face())


def _steps(verdict: Verdict) -> list[dict[str, Any]]:
    """The derivation, in the paper's notation."""
    return data(in_notation(verdict.steps, names_of(verdict.claim)))


def formula(latex: str) -> str:
    """A formula by itself."""
    return _styled(f'<div class="scroll">{mathml(latex, True)}</div>')


def _styled(inside: str, font: str | None = None) -> str:
    return f'<div class="asymp"><style>{once() if font is None else font}{STYLE}</style>{inside}</div>'
