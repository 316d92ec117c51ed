"""Claims and verdicts in a notebook: what the report shows of them, in a cell.

>>> from asymp.parse import claim
>>> "<math" in cell(claim("my/x", "harmonic(n) ~ log(n)", to="n->oo", source="notes, eq. (1)"))
True
"""

from __future__ import annotations

from asymp.claim import Claim, Verdict
from asymp.export.article import article, statement
from asymp.export.record import claim_record, verdict_record

STYLE = (
    ".asymp{--holds:#1c7c4a;--refuted:#b3261e;--undecided:#946200;--supported:#7a8699;max-width:56rem}"
    ".asymp article{border-left:.25rem solid var(--tone);padding:.3rem .9rem}"
    ".asymp .holds{--tone:var(--holds)}.asymp .refuted{--tone:var(--refuted)}.asymp .undecided{--tone:var(--undecided)}"
    ".asymp .holds.supported{--tone:var(--supported)}.asymp .word{color:var(--tone);font-weight:600}"
    ".asymp summary{cursor:pointer}.asymp .head{display:flex;gap:.9rem}.asymp .head .word{margin-left:auto}"
    ".asymp .step{margin:.4rem 0}.asymp .inner{border-left:2px solid #8886;padding-left:.9rem}"
    ".asymp .id,.asymp .label,.asymp .when,.asymp dt{opacity:.7;font-size:.9em}.asymp .scroll{overflow-x:auto;white-space:nowrap}"
    ".asymp dl{display:grid;grid-template-columns:7rem minmax(0,1fr);gap:.3rem 1rem}.asymp dd{margin:0}"
)


def cell(item: Claim | Verdict) -> str:
    """A claim: its place, its statement.  A verdict: what became of it too; the evidence and the derivation unfold."""
    if isinstance(item, Claim):
        inside = statement(claim_record(item), True)
    else:
        entry = verdict_record(item, steps=True)
        inside = article(entry, {}, [step for line in entry["evidence"] for step in line["steps"]], page=False)
    return f'<div class="asymp"><style>{STYLE}</style>{inside}</div>'
