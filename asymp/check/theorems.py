"""What a theorem adds to a verdict: *proved* has one source, a certificate of the claim's closed statement.

The judge's lines of evidence are searches.  What they derive without a theorem supports a claim, however convincing; a
theorem decides it, unless certified numbers speak against it: then one of the two is wrong, and nothing is said.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from asymp.budget import uncounted
from asymp.claim import Asymptotic, Claim, Composite, Domain, Evidence, Finding, Outcome, Strength, Verdict
from asymp.functions.found import borrowed
from asymp.functions.table import BORROWED
from asymp.kernel.terms import Refused, Term, read
from asymp.kernel.theorem import Broken, Theorem, certificate
from asymp.language.conditions import OfKind
from asymp.language.functions import variables_of
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, Throughout, read_statement
from asymp.language.transitions import Transitions
from asymp.parse import claim as typed
from asymp.prove import left_open
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


Decided = tuple[Outcome, Theorem] | str
Points = tuple[tuple[tuple[str, str], ...], ...]
"""Of each point the variables with their values."""


def decided(claim: Claim, outcomes: Sequence[Outcome] = (Outcome.HOLDS, Outcome.REFUTED), points: Points = ()) -> Decided:
    """The first of the outcomes of which there is a theorem, with it; or why there is none.

    Asked again, the answer is the same: it depends on the claim's closed statement and on what is given with it alone, and
    on the ``points`` at which it is said to fail.

    Raises:
        Broken: the search met a bug of the kernel.
    """
    if not claim.closed:
        return NO_TEXT
    why = ""
    for outcome in outcomes:
        holds = outcome is Outcome.HOLDS
        found = _asked(claim.closed, holds, claim.chains, claim.lemmas, () if holds else points)
        if not isinstance(found, str):
            return outcome, found
        why = why or found
    return why


def decided_as_read(claim: Claim) -> Decided:
    """A theorem of a claim with the letters whole, and of a domain real, that its regime or domain has so, said or not.

    What holds for real numbers holds for whole ones; what fails for them need not.

    Raises:
        Broken: the search met a bug of the kernel.
    """
    found = decided(claim, (Outcome.HOLDS,))
    if not isinstance(found, str) or not claim.closed:
        return found
    statement = read_statement(claim.closed)
    asymptotic = isinstance(claim.relation, Asymptotic)
    read = claim.relation if isinstance(claim.relation, Asymptotic) else getattr(claim.relation, "domain", Domain(""))
    open_ = set(variables_of(statement)) - {c.name for c in statement.conditions() if isinstance(c, OfKind)}
    if whole := sorted(read.whole & open_):
        return decided(replace(claim, closed=str(_with_kind(statement, whole, "whole"))))
    if real := () if asymptotic else sorted(read.real & open_):
        statement = _with_kind(statement, real, "real")
    refuted = decided(replace(claim, closed=str(statement)), (Outcome.REFUTED,))
    return found if isinstance(refuted, str) else refuted


def _with_kind(statement: Statement, names: Iterable[str], kind: str) -> Statement:
    return replace(statement, domain=(*statement.domain, *(OfKind(name, kind) for name in names)))


@uncounted
@lru_cache(maxsize=64)
def _asked(closed: str, holds: bool, chains: tuple[Transitions, ...], lemmas: tuple[str, ...], points: Points) -> Theorem | str:
    statement = read_statement(closed)
    try:
        return theorem(statement, holds, chains, lemmas, [dict(at) for at in points])
    except Refused as error:
        goal = _missing(error, statement) if holds else ""
        return f"{error}; what is left to show: {goal}" if goal else str(error)
    except ParseError as error:
        return str(error)
    except MemoryError:  # the caller's, who knows of limits
        raise
    except Exception as error:  # a search that breaks finds nothing
        return f"{type(error).__name__}: {error}".splitlines()[0]


def _missing(error: Refused, statement: Statement) -> str:
    """The lemma for want of which there is no theorem: what was asked on the way and not decided; empty where none is known.

    A statement that is seen to fail is the end of a wrong way, and no lemma.
    """
    goal = left_open(error)
    guessed = statement.some or isinstance(statement.body, Throughout)  # with one number in place of what is left open
    if not goal or guessed or goal == str(statement):
        return ""
    try:
        doubt(read_statement(goal))
    except Refused:
        return goal
    return ""


def settled(verdict: Verdict) -> Verdict:
    """The verdict with the theorem that decides its claim, or without the word *proved*."""
    said = {line.outcome for line in verdict.evidence} - {Outcome.UNDECIDED}
    parts = isinstance(verdict.claim.relation, Composite) and verdict.outcome is Outcome.REFUTED  # others of them may hold
    if any(line.finding is Finding.CONTRADICTED for line in verdict.evidence) or (len(said) > 1 and not parts):
        _not_against_a_theorem(verdict)
        return untold(verdict, "lines of evidence contradict each other")
    if verdict.asked_back or not verdict.asked:
        return untold(verdict, verdict.reason)
    either = (Outcome.HOLDS, Outcome.REFUTED)
    refuting = [line.points for line in verdict.evidence if line.outcome is Outcome.REFUTED]
    points = tuple(tuple(sorted(one.at.items())) for some in refuting for one in some)
    found = decided(verdict.claim, either if verdict.outcome is Outcome.UNDECIDED else (verdict.outcome,), points)
    if not isinstance(found, str):
        return _with(verdict, found[1], found[0])
    only_points = verdict.outcome is Outcome.HOLDS and alone(verdict) is Strength.SUPPORTED
    if only_points and verdict.claim.closed and not verdict.claim.chains:
        with contextlib.suppress(Refused, ParseError):  # points spoke for it; there may be one that speaks against it
            return _with(verdict, doubt(read_statement(verdict.claim.closed)), Outcome.REFUTED)
    return untold(verdict, found)


def _not_against_a_theorem(verdict: Verdict) -> None:
    """That there is no theorem of what a certified number refutes: it would be a bug of the kernel.

    Raises:
        Broken: there is.
    """
    refuted = [x for x in verdict.evidence if x.outcome is Outcome.REFUTED and x.strength is Strength.CERTIFIED]
    if refuted and verdict.claim.closed:
        found = decided(verdict.claim, (Outcome.HOLDS,))
        if not isinstance(found, str):
            raise Broken(f"a theorem is contradicted by a certified value: {found[1]}: {refuted[0].detail}")


def _with(verdict: Verdict, found: Theorem, outcome: Outcome) -> Verdict:
    """What the searches found stays the reason; where they found none, that is dropped and the theorem's rules are named."""
    steps = certificate(found)
    lines = [_searched(x) for x in verdict.evidence if x.kind != "symbolic" or x.outcome is not Outcome.UNDECIDED]
    own = [k for k, line in enumerate(lines) if line.kind == "symbolic" and line.outcome is outcome]
    if own:
        lines[own[0]] = replace(lines[own[0]], strength=Strength.PROVED)
    else:
        lines.append(line_of(found))
    return replace(
        verdict, outcome=outcome, strength=Strength.PROVED, reason="", certificate=tuple(steps),
        trusts=tuple(sorted(found.trusts)), evidence=tuple(lines),
    )  # fmt: skip


ALONG = frozenset(("along", "along powers", "path"))
"""Rules that refute along a path."""


def line_of(found: Theorem) -> Evidence:
    """A theorem as a line of evidence, with the rules that made it."""
    steps = certificate(found)
    rules = ", ".join(dict.fromkeys(step["rule"] for step in steps))
    detail = f"a theorem in {len(steps)} step{'s' * (len(steps) > 1)} ({rules})"
    name, _, data = found.made
    if place := data.get("values") if name in ALONG else data.get("at") if name == "witness" else None:
        shown = ", ".join(f"{v} = {x}" for v, x in place.items())
        detail += f": fails {'at' if name == 'witness' else 'along'} {shown}" if shown else ""
    return Evidence("symbolic", Outcome.HOLDS if found.holds else Outcome.REFUTED, Strength.PROVED, detail)


def witness(found: Theorem) -> dict[str, Fraction | Term] | None:
    """The point at which balls refute a statement, if its theorem is that it fails there."""
    name, _, data = found.made
    return {v: _number(str(x)) for v, x in data["at"].items()} if name == "witness" else None


def _number(text: str) -> Fraction | Term:
    found = read(text)
    return Fraction(int(found.number.numerator), int(found.number.denominator)) if found.is_number else found


def untold(verdict: Verdict, why: str) -> Verdict:
    """The verdict without a theorem: what was derived supports, and leans on rows from outside as a theorem would."""
    rows = tuple(sorted(borrowed(f"{verdict.claim.closed} {verdict.claim.chains}", BORROWED)))
    lines = tuple(map(_searched, verdict.evidence))
    return replace(verdict, strength=alone(verdict), evidence=lines, no_theorem=why, trusts=rows)


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
