"""What is proved of a typed formula is proved of the model as far as the claim that the two are equal is.

A verdict on a claim that leans on such a formula names the claim that ties it (its *bridge*,
:mod:`asymp.language.bridges`), and is no stronger than that.

>>> from asymp.check import check
>>> from asymp.paper import read_claims
>>> found = read_claims('''
... paper.key = "demo"
... variables.n = "whole, >= 1"
... names.H = "harmonic(n)"
... claim.lemma-1.says = "Sum(1/k, (k, 1, n)) = H"
... claim.lemma-1.bridge = "H"
... claim.lemma-2.says = "H <= 1 + log(n)"
... ''', "demo.toml")
>>> [(str(verdict.strength), verdict.trusts[:1]) for verdict in map(check, found.claims)]
[('proved', ()), ('proved', ('bridge: demo/lemma-1',))]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from asymp.budget import uncounted
from asymp.check.theorems import decided
from asymp.claim import Claim, Outcome, Relation, Source, Strength, Tie, Verdict
from asymp.language.bridges import BRIDGE

RANK = {Strength.NONE: 0, Strength.SUPPORTED: 1, Strength.CERTIFIED: 2, Strength.PROVED: 3}
"""The strengths, the weakest first."""
Judge = Callable[[Claim], Verdict]


def capped(verdict: Verdict, judge: Judge) -> Verdict:
    """The verdict, no stronger than what ties its formulas to the model; ``judge`` is asked where a tie is no theorem."""
    if not verdict.claim.rests or verdict.outcome is Outcome.UNDECIDED:
        return verdict
    found = [max(((way.claim, _worth(way, judge)) for way in ways), key=lambda one: RANK[one[1]]) for ways in verdict.claim.rests]
    trusts = tuple(sorted({*verdict.trusts, *(f"{BRIDGE}{claim.id}" for claim, _ in found)}))
    weakest, strength = min(found, key=lambda one: RANK[one[1]])
    if RANK[strength] >= RANK[verdict.strength]:
        return replace(verdict, trusts=trusts)
    why = f"{weakest.id}, which ties its formula to the model, is "
    if strength is Strength.NONE:
        why += "not seen to hold"
        verdict = _no_stronger(verdict, Strength.SUPPORTED)
        return replace(verdict, outcome=Outcome.UNDECIDED, strength=strength, reason=why, next_term=None, trusts=trusts)
    return replace(_no_stronger(verdict, strength), strength=strength, trusts=trusts, no_theorem=f"{why}only {strength}")


def _no_stronger(verdict: Verdict, strength: Strength) -> Verdict:
    """No line of evidence says more of the claim than is seen of it: a theorem is one of its formula."""
    lines = (replace(one, strength=strength) if RANK[one.strength] > RANK[strength] else one for one in verdict.evidence)
    return replace(verdict, evidence=tuple(lines))


def _worth(way: Tie, judge: Judge) -> Strength:
    """What a tie is worth: one for a part of all values supports what is said of others."""
    strength = _strength(way.claim, judge)
    if strength in (Strength.NONE, Strength.SUPPORTED):
        return strength
    return strength if way.covers and all(map(_holds, way.needed)) else Strength.SUPPORTED


@uncounted
@lru_cache(maxsize=1_000)
def _holds(closed: str) -> bool:
    """Whether there is a theorem of a closed statement."""
    claim = Claim("tie/needed", Source("tie", "needed"), Relation(), closed, closed=closed)
    return not isinstance(decided(claim, (Outcome.HOLDS,)), str)


_known: dict[int, tuple[Claim, Strength]] = {}
"""What claims are worth, by where they are in memory: they are kept, so that no other comes to stand there."""


@uncounted
def _strength(bridge: Claim, judge: Judge) -> Strength:
    if id(bridge) not in _known:
        _known[id(bridge)] = bridge, _judged(bridge, judge)
    return _known[id(bridge)][1]


def _judged(bridge: Claim, judge: Judge) -> Strength:
    if not isinstance(decided(bridge, (Outcome.HOLDS,)), str):  # as much as the ties that it leans on itself
        ties = (max((_worth(way, judge) for way in ways), key=RANK.__getitem__) for ways in bridge.rests)
        return min(ties, key=RANK.__getitem__, default=Strength.PROVED)
    found = judge(bridge)
    return found.strength if found.outcome is Outcome.HOLDS else Strength.NONE
