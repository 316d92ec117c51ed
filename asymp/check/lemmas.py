"""A claim by its lemmas: claims of the same file whose theorems the search may use.

What is proved so is a theorem, with those of the lemmas in it.  Of a lemma that is not proved, what follows from it is no
stronger than it is, and never proved; where it is not seen to hold, nothing follows, and the claim says for what it waits.

>>> from asymp.check import check
>>> from asymp.paper import read_claims
>>> found = read_claims('''
... paper.key = "demo"
... variables.n = "whole, >= 1"
... claim.lemma-1.says = "harmonic(n) <= 1 + log(n)"
... claim.lemma-2.says = "harmonic(n)^3 <= (1 + log(n))^3"
... claim.lemma-2.lemmas = ["lemma-1"]
... ''', "demo.toml")
>>> [str(verdict.strength) for verdict in map(check, found.claims)]
['proved', 'proved']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from asymp.budget import uncounted
from asymp.check.theorems import decided, line_of
from asymp.claim import Claim, Outcome, Strength, Verdict
from asymp.kernel.sequences.instances import under
from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import Theorem, certificate, proves, replay
from asymp.language.bodies import Comparison
from asymp.language.statement import Statement, read_statement
from asymp.prove.claims import theorem
from asymp.prove.lemmas import with_lemmas

Judge = Callable[[Claim], Verdict]
LEMMA = "lemma: "
"""With this begins what a verdict trusts of a lemma that is not proved."""


def leaned(verdict: Verdict, judge: Judge) -> Verdict:
    """The verdict, by its claim's lemmas where there is no theorem without."""
    claim = verdict.claim
    if not claim.leans or not claim.closed or not verdict.asked or verdict.asked_back:
        return verdict
    if verdict.strength in (Strength.PROVED, Strength.CERTIFIED) or verdict.outcome is Outcome.REFUTED:
        return verdict
    found = theorem_by_lemmas(claim)
    if not isinstance(found, str):
        line = line_of(found)
        return replace(
            verdict, outcome=Outcome.HOLDS, strength=Strength.PROVED, reason="", certificate=tuple(certificate(found)),
            trusts=tuple(sorted(found.trusts)), evidence=(*verdict.evidence, line), no_theorem="",
        )  # fmt: skip
    return _if_they_hold(verdict, judge, found)


@uncounted
def theorem_by_lemmas(claim: Claim) -> Theorem | str:
    """A theorem of a claim by those of its lemmas; or why there is none."""
    known = [found for one in claim.leans if not isinstance(found := theorem_of(one), str)]
    if not known:
        return "of none of its lemmas there is a theorem"
    statement = read_statement(claim.closed)
    try:
        found = replay(certificate(with_lemmas(statement, known, lambda one, holds: theorem(one, holds, claim.chains))))
    except Refused as error:
        return str(error)
    return found if proves(found, statement, True) else "the search came to a theorem of another statement"


def theorem_of(claim: Claim) -> Theorem | str:
    """A theorem that a claim holds, by its own lemmas where there is none without."""
    if claim.relation is not claim.text_of:
        return "code has put something else in its place"
    found = decided(claim, (Outcome.HOLDS,))
    if not isinstance(found, str):
        return found[1]
    return theorem_by_lemmas(claim) if claim.leans else found


def _if_they_hold(verdict: Verdict, judge: Judge, why: str) -> Verdict:
    """What follows from lemmas of which some are not proved."""
    claim = verdict.claim
    statement = read_statement(claim.closed)
    told = [(one, judge(one)) for one in claim.leans if isinstance(theorem_of(one), str)]
    if refuted := [one for one, found in told if found.outcome is Outcome.REFUTED]:
        return _waits(verdict, f"its lemma {refuted[0].id} is refuted")
    usable = [(one, found) for one, found in told if _says_enough(one, statement)]
    chains = [read_statement(one.closed).body.chain for one, _ in usable]  # type: ignore[attr-defined]
    known = [found for one in claim.leans if not isinstance(found := theorem_of(one), str)]
    if not usable:
        why = f"there is no theorem of its lemma {told[0][0].id}" if told else f"its lemmas do not show it: {why}"
        return _waits(verdict, why)
    conditional = under(statement, chains)
    try:
        if known:
            with_lemmas(conditional, known, lambda one, holds: theorem(one, holds, claim.chains))
        else:
            theorem(conditional, True, claim.chains)
    except Refused as error:
        return _waits(verdict, f"its lemmas do not show it: {error}")
    if open_ := [one for one, found in usable if found.outcome is not Outcome.HOLDS]:
        return _waits(verdict, f"it follows from its lemma {open_[0].id}, which is not seen to hold")
    weakest, least = min(usable, key=lambda pair: _RANK[pair[1].strength])
    strength = Strength.CERTIFIED if least.strength is Strength.CERTIFIED else Strength.SUPPORTED
    trusts = tuple(sorted({*verdict.trusts, *(f"{LEMMA}{one.id}" for one, _ in usable)}))
    return replace(
        verdict, outcome=Outcome.HOLDS, strength=strength, reason="", trusts=trusts,
        no_theorem=f"it follows from its lemma {weakest.id}, which is only {least.strength}",
    )  # fmt: skip


_RANK = {Strength.NONE: 0, Strength.SUPPORTED: 1, Strength.CERTIFIED: 2, Strength.PROVED: 3}


def _says_enough(lemma: Claim, statement: Statement) -> bool:
    """Whether a lemma is a comparison for all of the domain of a statement, or of a larger one: by its conditions."""
    if not lemma.closed:
        return False
    said = read_statement(lemma.closed)
    plain = type(said.body) is Comparison and not (said.some or said.uniform or said.regime or statement.regime)
    return plain and canonical(said)[3] <= canonical(statement)[3]


def _waits(verdict: Verdict, why: str) -> Verdict:
    """The verdict with what it waits for said beside it."""
    if verdict.outcome is Outcome.UNDECIDED:
        return replace(verdict, reason=f"{verdict.reason}; {why}" if verdict.reason else why)
    return replace(verdict, no_theorem=f"{verdict.no_theorem}; {why}" if verdict.no_theorem else why)
