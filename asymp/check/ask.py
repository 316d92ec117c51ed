"""Statements that are typed in: read, checked, and answered with more caution than a registered claim.

A registered claim has been read by its author, and numbers that support it are shown as what they
are.  Nobody has read a typed statement, so numbers alone decide nothing here: *holds* needs a
derivation that certified numbers confirm, or a proof; *refuted* needs a derivation or a certified
counterexample.  Everything else is *undecided*, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from asymp.check import bounds
from asymp.check.judge import check
from asymp.claim import Bound, Claim, Domain, Evidence, Identity, Outcome, Strength, Verdict
from asymp.parse import claim


def ask(statement: str, to: str | None = None, assume: Iterable[str] | str = (), quick: bool = False) -> Verdict:
    """The verdict on a statement that is typed in.

    Args:
        statement: as for :func:`asymp.parse.parse_statement`.
        to: the limit, such as ``"n->oo"``.
        assume: ranges of parameters, such as ``"alpha>1"``.
        quick: as for :func:`asymp.check.check`.

    Raises:
        ParseError: text that cannot be read, in one line.

    >>> verdict = ask("harmonic(n) ~ log(n)", to="n->oo")
    >>> verdict.outcome.value, verdict.strength.value, verdict.next_term
    ('holds', 'proved', 'EulerGamma/log(n)')
    >>> ask("1 = O(sin(n))", to="n->oo").outcome.value
    'undecided'
    """
    question = claim("ask/typed", statement, to=to, source="typed in, typed in", assume=assume)
    verdict = check(question, quick=quick)
    if isinstance(question.relation, Bound) and verdict.outcome is Outcome.HOLDS:
        steps = bounds.prove(question.relation)
        if steps:
            relation = replace(question.relation, proof=lambda: steps)
            verdict = check(replace(question, relation=relation), quick=quick)
    return cautious(verdict)


def cautious(verdict: Verdict) -> Verdict:
    """The verdict with what rests on numbers alone taken back."""
    if verdict.outcome is Outcome.UNDECIDED:
        return verdict
    why = _taken_back(verdict.claim, verdict)
    if not why:
        return verdict
    return replace(verdict, outcome=Outcome.UNDECIDED, strength=Strength.NONE, reason=why, next_term=None)


def _taken_back(question: Claim, verdict: Verdict) -> str:
    """Why the outcome is not believed; empty where it is."""
    symbolic = _lines(verdict, "symbolic")
    if isinstance(question.relation, Bound | Identity):
        domain: Domain = question.relation.domain
        if verdict.outcome is Outcome.REFUTED or verdict.strength is Strength.PROVED:
            return ""
        return f"not proved for all of {domain.text}, though it holds at all {len(domain.grid)} points tried"
    if not symbolic:
        why = "; ".join(line.detail for line in verdict.evidence if line.kind == "symbolic")
        return f"{why or 'not derived'}; numbers alone decide nothing ({_said(verdict.evidence)})"
    if verdict.outcome is Outcome.HOLDS and verdict.strength is not Strength.PROVED:
        return symbolic[0].detail
    if not any(line.outcome is verdict.outcome for line in _lines(verdict, "enclosed")):
        return f"derived ({symbolic[0].detail}), but certified numbers could not confirm it"
    return ""


def _lines(verdict: Verdict, kind: str) -> list[Evidence]:
    """The lines of one kind that decide something."""
    return [line for line in verdict.evidence if line.kind == kind and line.outcome is not Outcome.UNDECIDED]


def _said(evidence: Sequence[Evidence]) -> str:
    return "; ".join(line.detail for line in evidence if line.kind != "symbolic") or "none could be certified"
