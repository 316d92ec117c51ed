"""What a theorem adds to a verdict: *proved* has one source, a certificate of the claim's closed statement.

The judge's lines of evidence are searches.  What they derive without a theorem supports a claim, however convincing; a
theorem decides it, unless certified numbers speak against it: then one of the two is wrong, and nothing is said.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from asymp.claim import Composite, Evidence, Finding, Outcome, Strength, Verdict
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Broken, Theorem, certificate
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.parse import claim as typed
from asymp.prove.claims import doubt, theorem
from asymp.prove.derivation import derivation


def of_expansion(expression: str, to: str, assume: Iterable[str], cases: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The strength of an answer that was derived and confirmed, and what it trusts: *proved* if each case is a theorem.

    >>> answer = {"terms": ["log(n)"], "remainder": {"growth": "1"}}
    >>> of_expansion("harmonic(n)", "n->oo", [], [answer])
    {'strength': 'proved', 'trusts': ['DLMF 5.11.2', 'DLMF 5.4.14']}
    """
    trusts: set[str] = set()
    found = list(cases)
    if not found:
        return {"strength": str(Strength.SUPPORTED), "trusts": []}
    for case in found:
        kept = " + ".join(f"({term})" for term in case.get("terms", ())) or "0"
        when = str(case["when"]).split(" and ") if "when" in case else []
        try:
            text = f"{expression} = {kept} + O({case['remainder']['growth']})"
            closed = typed("expand/typed", text, to=to, source="typed in, typed in", assume=[*assume, *when]).closed
            trusts |= theorem(read_statement(closed), True).trusts
        except MemoryError:  # the caller's, who knows of limits
            raise
        except Exception:  # whatever a search meets, or a case that was refused: then there is no theorem
            return {"strength": str(Strength.SUPPORTED), "trusts": []}
    return {"strength": str(Strength.PROVED), "trusts": sorted(trusts)}


NO_TEXT = "the claim has no closed statement"


def settled(verdict: Verdict) -> Verdict:
    """The verdict with the theorem that decides its claim, or without the word *proved*."""
    said = {line.outcome for line in verdict.evidence} - {Outcome.UNDECIDED}
    parts = isinstance(verdict.claim.relation, Composite) and verdict.outcome is Outcome.REFUTED  # others of them may hold
    if any(line.finding is Finding.CONTRADICTED for line in verdict.evidence) or (len(said) > 1 and not parts):
        _not_against_a_theorem(verdict)
        return untold(verdict, "lines of evidence contradict each other")
    if verdict.asked_back or not verdict.asked:
        return untold(verdict, verdict.reason)
    if not verdict.claim.closed:
        return untold(verdict, NO_TEXT)
    why = ""
    points = [one.at for line in verdict.evidence if line.outcome is Outcome.REFUTED for one in line.points]
    for outcome in (Outcome.HOLDS, Outcome.REFUTED):
        if verdict.outcome in (outcome, Outcome.UNDECIDED):
            try:
                closed, claim = read_statement(verdict.claim.closed), verdict.claim
                found = theorem(closed, outcome is Outcome.HOLDS, claim.chains, claim.lemmas, points)
            except (Refused, ParseError) as error:
                why = why or str(error)
                continue
            except MemoryError:  # the caller's, who knows of limits
                raise
            except Exception as error:  # a search that breaks finds nothing
                why = why or f"{type(error).__name__}: {error}".splitlines()[0]
                continue
            return _with(verdict, found, outcome)
    if verdict.outcome is Outcome.HOLDS and alone(verdict) is Strength.SUPPORTED and not verdict.claim.chains:
        with contextlib.suppress(Refused, ParseError):  # points spoke for it; there may be one that speaks against it
            return _with(verdict, doubt(read_statement(verdict.claim.closed)), Outcome.REFUTED)
    return untold(verdict, why)


def _not_against_a_theorem(verdict: Verdict) -> None:
    """That there is no theorem of what a certified number refutes: it would be a bug of the kernel.

    Raises:
        Broken: there is.
    """
    refuted = [x for x in verdict.evidence if x.outcome is Outcome.REFUTED and x.strength is Strength.CERTIFIED]
    if refuted and verdict.claim.closed:
        with contextlib.suppress(Refused, ParseError):
            found = theorem(read_statement(verdict.claim.closed), True, verdict.claim.chains, verdict.claim.lemmas)
            raise Broken(f"a theorem is contradicted by a certified value: {found}: {refuted[0].detail}")


def _with(verdict: Verdict, found: Theorem, outcome: Outcome) -> Verdict:
    """What the searches found stays the reason; where they found none, that is dropped and the theorem's rules are named."""
    steps = certificate(found)
    lines = [_searched(x) for x in verdict.evidence if x.kind != "symbolic" or x.outcome is not Outcome.UNDECIDED]
    own = [k for k, line in enumerate(lines) if line.kind == "symbolic" and line.outcome is outcome]
    if own:
        lines[own[0]] = replace(lines[own[0]], strength=Strength.PROVED)
    else:
        rules = ", ".join(dict.fromkeys(step["rule"] for step in steps))
        detail = f"a theorem in {len(steps)} step{'s' * (len(steps) > 1)} ({rules})"
        lines.append(Evidence("symbolic", outcome, Strength.PROVED, detail))
    return replace(
        verdict, outcome=outcome, strength=Strength.PROVED, reason="", certificate=tuple(steps),
        trusts=tuple(sorted(found.trusts)), evidence=tuple(lines),
    )  # fmt: skip


def untold(verdict: Verdict, why: str) -> Verdict:
    """The verdict without a theorem: what was derived supports."""
    return replace(verdict, strength=alone(verdict), evidence=tuple(map(_searched, verdict.evidence)), no_theorem=why)


def alone(verdict: Verdict) -> Strength:
    """The strength of what the searches found, where no theorem stands behind it: what they derived supports.

    Of a statement of several parts the judge says it: that a part is certified says nothing of the others.
    """
    if verdict.alone is not None:
        return verdict.alone
    if verdict.strength is not Strength.PROVED:
        return verdict.strength
    others = {line.strength for line in verdict.evidence if line.outcome is verdict.outcome}
    return Strength.CERTIFIED if Strength.CERTIFIED in others else Strength.SUPPORTED


def _searched(line: Evidence) -> Evidence:
    """A line of evidence by itself: what was derived supports."""
    return replace(line, strength=Strength.SUPPORTED) if line.strength is Strength.PROVED else line


def explained(verdict: Verdict) -> Verdict:
    """The verdict with the derivation of its theorem, if it has one, in place of the steps of the searches."""
    if verdict.certificate is None:
        return verdict
    steps = derivation(verdict.certificate, {})
    lines = [replace(line, steps=()) for line in verdict.evidence]
    first = next(k for k, line in enumerate(lines) if line.strength is Strength.PROVED)
    lines[first] = replace(lines[first], steps=steps)
    return replace(verdict, evidence=tuple(lines))
