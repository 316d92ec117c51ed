"""The one judge: a claim to a verdict, the same one from every door.

The rules, in this order:

1. What is not decided says nothing.
2. Lines of evidence that contradict each other give *undecided*; but one certified counterexample outweighs what is
   merely supported.
3. A proof that the certified numbers contradict is not believed; one that could not be set against any is *supported*.
4. Otherwise the strongest line wins.
5. What leans on a typed formula is no stronger than the claim that ties it to the model (:mod:`asymp.check.bridges`).
6. ``proved`` comes from a theorem alone (:mod:`asymp.check.theorems`): what the engine derived without one, and what a
   claim's own argument or test says, is *supported*, unless the test goes through every case of a finite statement
   (:class:`asymp.claim.Property`), or found a counterexample.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from asymp.check import asymptotic, bounds, finite, roots, worst
from asymp.check.bridges import capped
from asymp.check.distance import distance
from asymp.check.lemmas import leaned
from asymp.check.meant import limits_of, meant
from asymp.check.theorems import alone, decided, line_of, settled, untold
from asymp.claim import (
    Asymptotic,
    Bound,
    Claim,
    Composite,
    Evidence,
    Finding,
    Identity,
    Law,
    LimitLaw,
    OfSequence,
    Outcome,
    Property,
    Relation,
    Root,
    SomeNumber,
    Strength,
    Unread,
    Value,
    Verdict,
)
from asymp.domain import is_whole
from asymp.kernel.theorem import Theorem
from asymp.language.conditions import Compared
from asymp.language.names import substitute
from asymp.language.statement import read_statement
from asymp.meaning import Meaning, Meaningless
from asymp.parse.build import build
from asymp.parse.built import member
from asymp.stopwatch import Stopwatch

Told = Callable[[Verdict], None]


_RANK = {Strength.PROVED: 3, Strength.CERTIFIED: 2, Strength.SUPPORTED: 1, Strength.NONE: 0}


def check(claim: Claim, quick: bool = False, so_far: Told | None = None) -> Verdict:
    """The verdict on a claim.

    Args:
        claim: the statement.
        quick: fewer paths and instances in the numerical confirmation, and no samples.
        so_far: is given the verdict that stands if what comes after has to be ended: certified numbers beside what was
            derived, and the search for a theorem, which comes last.

    A claim whose check fails with an error is undecided, with the error as the reason; so is one without meaning.
    """
    watch = Stopwatch()

    def tell(verdict: Verdict) -> None:
        if so_far is not None and verdict.outcome is not Outcome.UNDECIDED:
            early = capped(_of_laws(untold(verdict, "the search for one was ended")), check)
            so_far(replace(early, seconds=watch.seconds()))

    found = searched(claim, quick, tell)
    tell(found)
    verdict = capped(_of_laws(leaned(settled(found), check)), check)
    next_term = None if verdict.outcome is Outcome.UNDECIDED else verdict.next_term
    return replace(verdict, next_term=next_term, seconds=watch.seconds())


def _of_laws(verdict: Verdict) -> Verdict:
    """The verdict; a limit of transforms or moments that fails refutes no limit law, for these may grow: a theorem does."""
    relation = verdict.claim.relation
    laws = any(isinstance(one, LimitLaw) for one in (relation, *(m.relation for m in getattr(relation, "members", ()))))
    if not laws or verdict.outcome is not Outcome.REFUTED or verdict.strength is Strength.PROVED:
        return verdict
    why = "a limit to which it unfolds fails, and it is not seen that it fails with that"
    return replace(verdict, outcome=Outcome.UNDECIDED, strength=Strength.NONE, reason=why, next_term=None)


def searched(claim: Claim, quick: bool = False, so_far: Told = lambda _: None) -> Verdict:
    """What the lines of evidence say: *proved* is what a search derived."""
    watch = Stopwatch()
    if claim.relation is not claim.text_of:  # code has put another relation in the place of the text's
        claim = replace(claim, closed="")
    if isinstance(claim.relation, Composite):
        members = claim.relation.members
        if isinstance(claim.relation, LimitLaw):
            try:
                members = limits_of(claim.relation)
            except Meaningless as error:
                return _undecided(claim, f"no meaning: {error}", watch)
            if why := _no_law(claim.relation, quick):
                return _undecided(claim, why, watch)
        if isinstance(claim.relation, SomeNumber):
            found = decided(replace(claim, closed=str(claim.relation.statement)))
            if isinstance(found, str):
                open_ = "" if isinstance(claim.relation, OfSequence) else "no number is found for what is left open: "
                return _undecided(claim, f"{open_}{found}", watch)
            if isinstance(claim.relation, OfSequence) and found[1].made[0] != "sequence":
                return replace(_by(claim, found[1]), seconds=watch.seconds())
            last = not found[1].holds and not isinstance(claim.relation, OfSequence)
            premise = found[1].made[1][-1 if last else 0]  # with a number for it, or what fails for all
            if premise.holds is not found[1].holds and last:
                return replace(_by(claim, found[1]), seconds=watch.seconds())
            said = premise.statement
            members = (member(said, build(said)),)
        verdicts = [searched(one, quick) for one in members]
        if not claim.relation.complete and all(one.outcome is Outcome.HOLDS for one in verdicts):
            more, sure = _at_worst(claim)
            found_there = [searched(one, quick) for one in more]
            if sure or any(one.outcome is Outcome.REFUTED for one in found_there):
                verdicts += found_there
        verdict = _together(claim, verdicts)
        if isinstance(claim.relation, LimitLaw) and not quick and (line := distance(claim.relation.statement, verdict.outcome)):
            verdict = replace(verdict, evidence=(*verdict.evidence, line))
        return replace(_with_samples(verdict, quick), seconds=watch.seconds())
    if isinstance(claim.relation, Unread):
        return replace(_undecided(claim, claim.relation.reason, watch), ended="unread")
    try:
        read = meant(claim)
        verdict = _weighed(claim, read, quick, lambda early: so_far(_of(claim, read, early)))
    except Meaningless as error:
        return _undecided(claim, f"no meaning: {error}", watch)
    except MemoryError:  # the caller's, who knows of limits
        raise
    except Exception as error:  # a broken claim must not take the others down
        return _undecided(claim, f"{type(error).__name__}: {error}".splitlines()[0], watch)
    return replace(_of(claim, read, verdict), seconds=watch.seconds())


def _by(claim: Claim, found: Theorem) -> Verdict:
    """The verdict on a statement that a theorem alone decides."""
    line = line_of(found)
    return Verdict(claim, line.outcome, line.strength, (line,))


def _of(claim: Claim, read: Meaning, verdict: Verdict) -> Verdict:
    """The verdict as one on the claim, as it is read."""
    if read.unsure and verdict.outcome is Outcome.HOLDS:
        verdict = replace(verdict, outcome=Outcome.UNDECIDED, strength=Strength.NONE, reason=read.unsure, next_term=None)
    return replace(verdict, claim=claim, reading=read.facts)


def _together(claim: Claim, verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict on a statement of several parts: one that fails refutes it; else the weakest speaks for all.

    Each of them has to have a meaning first.  Ways along which it holds say nothing of the others, where the worst is not among
    them: exp(-n (x - 1/3)^2) tends to 0 next to the ends of 0 <= x <= 1 and in the middle, and is 1 at 1/3.
    """
    assert isinstance(claim.relation, Composite)
    lines = tuple(
        replace(line, detail=f"{verdict.claim.statement}: {line.detail}") for verdict in verdicts for line in verdict.evidence
    )
    reading = tuple(dict.fromkeys(fact for verdict in verdicts for fact in verdict.reading))
    if strange := [verdict for verdict in verdicts if not verdict.asked]:
        why = f"{strange[0].claim.statement}: {strange[0].reason}"
        return Verdict(claim, Outcome.UNDECIDED, Strength.NONE, lines, reason=why, reading=reading, asked=False)
    refuted = [verdict for verdict in verdicts if verdict.outcome is Outcome.REFUTED]
    open_ = [verdict for verdict in verdicts if verdict.outcome is Outcome.UNDECIDED]
    if refuted:
        best = max((verdict.strength for verdict in refuted), key=_RANK.__getitem__)
        rest = max(map(alone, refuted), key=_RANK.__getitem__)
        return Verdict(claim, Outcome.REFUTED, best, lines, reading=reading, alone=rest)
    if open_ or not verdicts:
        why = f"{open_[0].claim.statement}: {open_[0].reason}" if open_ else "nothing is said"
        asked = tuple(sorted({letter for verdict in open_ for letter in verdict.asked_back}))
        return Verdict(claim, Outcome.UNDECIDED, Strength.NONE, lines, reason=why, reading=reading, asked_back=asked)
    next_term = next((verdict.next_term for verdict in verdicts if verdict.next_term), None)
    if len(verdicts) == len(claim.relation.members) and not claim.relation.complete:
        why = "it holds along the ways that were tried, which says nothing of the others"
        return Verdict(claim, Outcome.UNDECIDED, Strength.NONE, lines, next_term, reason=why, reading=reading)
    strength, rest = Strength.SUPPORTED, Strength.SUPPORTED
    if claim.relation.complete:
        strength = min((verdict.strength for verdict in verdicts), key=_RANK.__getitem__)
        rest = min(map(alone, verdicts), key=_RANK.__getitem__)
    return Verdict(claim, Outcome.HOLDS, strength, lines, next_term, reading=reading, alone=rest)


def _at_worst(claim: Claim) -> tuple[list[Claim], bool]:
    """What is said uniformly, along the ways on which it is worst, and whether they are known to be."""
    if not claim.closed:
        return [], False
    said = read_statement(claim.closed)
    names = [c.parts[1].text for c in said.uniform if isinstance(c, Compared) and len(c.parts) == 3]
    found = []
    told, sure = worst.ways(said) if len(names) == 1 else ([], False)
    for way in told:
        body = said.body.changed(partial(substitute, values={names[0]: way}))
        put = replace(said, uniform=(), body=body)
        found.append(member(put, build(put)))
    return found, sure


def _no_law(relation: LimitLaw, quick: bool) -> str:
    """Why it is not known that what is given is a law; empty where there are theorems of that."""
    for ways in relation.needed:
        why = "nothing can be asked"
        for one in ways:
            found = settled(searched(one, quick))
            if found.outcome is Outcome.HOLDS and found.strength in _STRONG:
                break
            why = f"{one.statement}{'' if found.outcome is Outcome.REFUTED else ' is not seen'}"
            if found.outcome is Outcome.REFUTED and found.strength in _STRONG:
                return f"no law is given: it is refuted that {one.closed}"
        else:
            return f"not known to be a law: {why}"
    return ""


def _with_samples(verdict: Verdict, quick: bool) -> Verdict:
    """The verdict with what samples say beside it."""
    lines = _sampled(verdict.claim, quick)
    against = [line for line in lines if line.outcome not in (verdict.outcome, Outcome.UNDECIDED)]
    if against and verdict.outcome is not Outcome.UNDECIDED:
        why = f"lines of evidence contradict each other: {against[0].detail}"
        verdict = replace(verdict, outcome=Outcome.UNDECIDED, strength=Strength.NONE, reason=why, alone=None)
    return replace(verdict, evidence=(*verdict.evidence, *lines))


def _sampled(claim: Claim, quick: bool) -> list[Evidence]:
    """What the claim's samples say: they support or speak against it, no more."""
    if claim.sampled is None or quick:
        return []
    return [replace(line, strength=Strength.SUPPORTED) if line.strength in _STRONG else line for line in claim.sampled()]


def _undecided(claim: Claim, reason: str, watch: Stopwatch) -> Verdict:
    return Verdict(claim, Outcome.UNDECIDED, Strength.NONE, (), None, watch.seconds(), reason, asked=False)


def _weighed(claim: Claim, read: Meaning, quick: bool, so_far: Told) -> Verdict:
    """The verdict on a claim as it is read.

    Where it may be read for real or for whole values of some letters: what holds for real values holds for whole ones,
    what fails for whole ones fails for real ones, and where the two are not decided alike it is asked back.
    """
    ambiguous = read.ambiguous
    if not read.hangs:
        real = frozenset() if isinstance(claim.relation, Asymptotic) else ambiguous
        verdict = weigh(_as_read(claim, read.relation, read.whole, real), quick, (lambda _: None) if ambiguous else so_far)
        ambiguous = _with_whole_points(read.relation, ambiguous)
        if not ambiguous:
            return verdict
    else:
        verdict = weigh(_as_read(claim, read.relation, read.whole, ambiguous), quick)
    if verdict.outcome is Outcome.HOLDS:
        return verdict
    other = weigh(_as_read(claim, read.relation, read.whole | ambiguous, frozenset()), quick)
    if other.outcome is Outcome.REFUTED or other.outcome is verdict.outcome:
        return other if other.outcome is Outcome.REFUTED else verdict
    names = ", ".join(sorted(ambiguous))
    reason = f"{other.outcome} for whole {names}, {verdict.outcome} for real: say integer {names} or real {names}"
    asked = tuple(sorted(ambiguous))
    return replace(verdict, outcome=Outcome.UNDECIDED, strength=Strength.NONE, reason=reason, next_term=None, asked_back=asked)


def _with_whole_points(relation: Relation, names: frozenset[str]) -> frozenset[str]:
    """Those of the names that may be whole in a statement tried at points of its own choice: whole numbers are in their range.

    Of such a one k (k - 1) >= 0 for 0 <= k <= 1 does not fail at 1/2.
    """
    if not isinstance(relation, (Identity, Bound)) or relation.domain.complete:
        return frozenset()
    ranges = relation.domain.ranges
    found = frozenset(name for name in names if name in ranges and not ranges[name].is_empty(whole=True))
    at = [p for p in relation.domain.grid if all(is_whole(p[name]) for name in found if name in p)]
    return found if at else frozenset()


def _as_read(claim: Claim, relation: Relation, whole: frozenset[str], real: frozenset[str]) -> Claim:
    """The claim with that relation, and with what is whole and what is real in its regime or domain."""
    if isinstance(relation, Asymptotic):
        relation = replace(relation, whole=relation.whole | whole, real=relation.real | real)
    if isinstance(relation, (Identity, Bound)):
        domain = relation.domain
        new = whole - domain.whole  # a point that is not whole where the domain says so is an error of the claim, and stays
        grid = domain.grid
        if not domain.complete:  # of a finite set no point is left out
            grid = tuple(p for p in grid if all(is_whole(p[name]) for name in new if name in p))
        domain = replace(domain, whole=domain.whole | whole, real=domain.real | real, grid=grid)
        relation = replace(relation, domain=domain)
    text_of = relation if claim.relation is claim.text_of else claim.text_of
    return replace(claim, relation=relation, text_of=text_of)


def weigh(claim: Claim, quick: bool = False, so_far: Told = lambda _: None) -> Verdict:
    """The verdict on a claim whose meaning has been checked."""
    watch = Stopwatch()

    def of(lines: Sequence[Evidence]) -> Verdict:
        outcome, strength, reason = judge(lines)
        next_term = next((line.next_term for line in lines if line.next_term), None) if outcome is Outcome.HOLDS else None
        return Verdict(claim, outcome, strength, tuple(lines), next_term, watch.seconds(), reason)

    return of(_lines(claim, quick, lambda early: so_far(of(early))))


def judge(lines: Sequence[Evidence]) -> tuple[Outcome, Strength, str]:
    """Outcome, strength, and the reason where undecided.

    >>> judge([])
    (<Outcome.UNDECIDED: 'undecided'>, <Strength.NONE: 'none'>, 'no evidence')
    """
    decided = [line for line in lines if line.outcome is not Outcome.UNDECIDED and line.strength is not Strength.NONE]
    if not decided:
        return Outcome.UNDECIDED, Strength.NONE, "; ".join(line.detail for line in lines) or "no evidence"
    best = max(decided, key=lambda line: _RANK[line.strength])
    if len({line.outcome for line in decided}) > 1:
        against = [line for line in decided if line.outcome is not Outcome.REFUTED]
        counterexample = any(x.outcome is Outcome.REFUTED and x.strength is Strength.CERTIFIED for x in decided)
        if counterexample and all(x.strength is Strength.SUPPORTED for x in against):
            return Outcome.REFUTED, Strength.CERTIFIED, ""
        said = "; ".join(f"{line.kind}: {line.outcome}, {line.detail}" for line in decided)
        return Outcome.UNDECIDED, Strength.NONE, f"lines of evidence contradict each other: {said}"
    unconfirmed = [x for x in lines if x.kind == "enclosed" and x.outcome is Outcome.UNDECIDED]
    if best.kind == "symbolic" and unconfirmed:
        contradicted = [x for x in unconfirmed if x.finding is Finding.CONTRADICTED]
        if contradicted:
            return Outcome.UNDECIDED, Strength.NONE, contradicted[0].detail
        if len(decided) == 1:  # one route alone: derived, but no number could be set against it
            return best.outcome, Strength.SUPPORTED, ""
    return best.outcome, best.strength, ""


def _lines(claim: Claim, quick: bool, so_far: Callable[[Sequence[Evidence]], None]) -> list[Evidence]:
    relation = claim.relation
    lines: list[Evidence] = []
    if isinstance(relation, Asymptotic):
        lines += asymptotic.evidence(claim, so_far)
    elif isinstance(relation, Identity):
        lines += finite.identity(relation)
    elif isinstance(relation, Bound):
        lines += bounds.evidence(relation, claim if claim.relation is claim.text_of else None)
    elif isinstance(relation, Value):
        lines += finite.value(relation)
    elif isinstance(relation, Root):
        lines += roots.evidence(relation)
    elif isinstance(relation, (Property, Law)):
        lines += [_said_by_a_test(line, relation.complete) for line in relation.test()]
    return lines + _sampled(claim, quick)


_STRONG = (Strength.PROVED, Strength.CERTIFIED)


def _said_by_a_test(line: Evidence, complete: bool) -> Evidence:
    """What a function says of a statement that it never sees: at most *certified*, and that only of what it can certify."""
    if line.strength not in _STRONG:
        return line
    if line.outcome is Outcome.REFUTED and line.strength is Strength.CERTIFIED:
        return line  # one counterexample is enough
    if line.outcome is Outcome.HOLDS and complete:
        return replace(line, strength=Strength.CERTIFIED)
    return replace(line, strength=Strength.SUPPORTED)
