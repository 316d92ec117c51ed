"""Statements that are typed in: read, checked, and answered with more caution than a registered claim.

A registered claim has been read by its author, and numbers that support it are shown as what they
are.  Nobody has read a typed statement, so numbers alone decide nothing here: *holds* needs a
derivation that certified numbers confirm, or a proof; *refuted* needs a derivation or a certified
counterexample.  Everything else is *undecided*, with the reason.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

import sympy as sp

from asymp.check import bounds, oscillation, symbolic
from asymp.check.judge import weigh as check
from asymp.check.judge import without_meaning
from asymp.check.meant import meant
from asymp.check.settle import settle
from asymp.claim import Bound, Claim, Domain, Evidence, Identity, Outcome, Strength, Verdict
from asymp.meaning import Meaningless
from asymp.parse import claim
from asymp.scale import Regime


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
    >>> ask("1 = O(sin(n))", to="n->oo").evidence[0].detail
    'along n = 2*pi*k (k = 1, 2, ...) the bound is 0 and the left side is 1, which is not 0'
    """
    question = claim("ask/typed", statement, to=to, source="typed in, typed in", assume=assume)
    try:
        read = meant(question)
    except Meaningless as error:
        return without_meaning(question, error)
    question = replace(question, relation=read.relation)
    return replace(_answer(question, quick), reading=read.facts)


def _answer(question: Claim, quick: bool) -> Verdict:
    verdict = check(question, quick=quick)
    if isinstance(question.relation, Bound) and verdict.outcome is not Outcome.REFUTED:
        verdict = _bound(question, question.relation, verdict)
    verdict = cautious(verdict)
    if verdict.outcome is Outcome.UNDECIDED and question.regime is not None:
        verdict = _further(question, verdict, quick)
    return verdict


def _further(question: Claim, verdict: Verdict, quick: bool) -> Verdict:
    """What expansions leave open: oscillation, exact zeros, explicit bounds."""
    begin = time.perf_counter()
    try:
        lines = oscillation.decide(question, lambda claim: cautious(check(claim, quick=quick)))
        lines = lines or _at_a_zero(question, quick)
    except (ValueError, NotImplementedError, RecursionError):
        return verdict
    if not lines:
        return verdict
    seconds = verdict.seconds + time.perf_counter() - begin
    return Verdict(question, lines[0].outcome, lines[0].strength, lines, None, seconds)


def _bound(question: Claim, relation: Bound, verdict: Verdict) -> Verdict:
    """The verdict on a bound that holds on its grid: proved for the whole domain, refuted, or left as it is."""
    begin = time.perf_counter()
    line = settle(relation)
    if line is None or line.outcome is Outcome.UNDECIDED:
        steps = bounds.prove(relation)
        if steps:
            return check(replace(question, relation=replace(relation, proof=lambda: steps)))
    if line is None:
        return verdict
    seconds = verdict.seconds + time.perf_counter() - begin
    if line.outcome is Outcome.UNDECIDED:
        return replace(verdict, evidence=(line, *verdict.evidence), seconds=seconds)
    others = tuple(x for x in verdict.evidence if line.outcome is Outcome.HOLDS or x.outcome is line.outcome)
    return replace(verdict, outcome=line.outcome, strength=line.strength, evidence=(line, *others), seconds=seconds, reason="")


def _at_a_zero(question: Claim, quick: bool) -> tuple[Evidence, ...]:
    """Evidence that a statement derived only where some coefficients do not vanish fails where one does."""
    regime = question.regime
    if regime is None or not regime.ranges:
        return ()
    for derivation in symbolic.derive(question):
        for coefficient in derivation.assumed:
            for parameter, value in _zeros(coefficient, regime):
                fields = vars(question.relation).items()
                at_it = {name: item.subs(parameter, value) for name, item in fields if isinstance(item, sp.Basic)}
                relation = replace(question.relation, **at_it)
                there = replace(question, relation=relation, regime=regime.at(**{parameter.name: value}), refuting=())
                found = _further(there, cautious(check(there, quick=quick)), quick)
                if found.outcome is Outcome.REFUTED:
                    where = f"at {parameter} = {value}: "
                    return tuple(replace(line, detail=where + line.detail) for line in found.evidence)
    return ()


def _zeros(coefficient: sp.Expr, regime: Regime) -> list[tuple[sp.Symbol, sp.Expr]]:
    """The values in its range at which a coefficient in one parameter vanishes, verified."""
    if len(coefficient.free_symbols) != 1:
        return []
    (free,) = coefficient.free_symbols
    top = sp.fraction(sp.together(coefficient))[0]
    if not top.is_polynomial(free):
        return []
    roots = sp.roots(sp.Poly(top, free))
    found = []
    for root in roots:
        if root.is_number and root.is_positive and sp.simplify(coefficient.subs(free, root)) == 0:
            covers = [(p, cover) for p, cover in regime.ranges.items() if free in cover.free_symbols]
            found += [(p, sp.simplify(cover.subs(free, root))) for p, cover in covers]
    return found


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
        why = "; ".join(line.detail for line in verdict.evidence if line.kind == "symbolic")
        return f"{why or f'not proved for all of {domain.text}'}, though it holds at all {len(domain.grid)} points tried"
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
