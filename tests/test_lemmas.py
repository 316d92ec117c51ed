"""Claims by their lemmas, and the rule for what is given: what they may use, and what they may not."""

from __future__ import annotations

import pytest

from asymp.check import check
from asymp.claim import Outcome, Strength, Unread
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply, certificate, replay
from asymp.language.statement import read_statement
from asymp.paper import read_claims
from asymp.prove.claims import theorem

HEAD = """
paper.key = "demo"
variables.x = "> 0"
variables.y = "> 0"
"""
TARGET = 'claim.theorem-1.says = "airyai(x)^4*y <= y/16"\nclaim.theorem-1.lemmas = ["{0}"]\n'


def verdict(text: str, place: int = -1):
    return check(read_claims(HEAD + text, "demo.toml").claims[place])


def test_what_a_lemma_says_is_used_and_its_proof_is_in_the_certificate() -> None:
    alone = verdict('claim.theorem-1.says = "airyai(x)^4*y <= y/16"\n')
    assert alone.strength is not Strength.PROVED  # else the example shows nothing
    found = verdict('claim.lemma-1.says = "airyai(x)^2 <= 1/4"\n' + TARGET.format("lemma-1"))
    assert (found.outcome, found.strength) == (Outcome.HOLDS, Strength.PROVED)
    assert {"given", "line"} <= {step["rule"] for step in found.certificate or ()}


@pytest.mark.parametrize(
    ("lemma", "why"),
    [
        ('claim.lemma-1.says = "airyai(x)^2 <= 1/4"\nclaim.lemma-1.for = "x > 1"\n', "lemma"),  # narrower than what is used
        ('claim.lemma-1.says = "airyai(x)^2 <= 1/9"\n', "refuted"),
        ('claim.lemma-1.says = "airyai(x)^2 <= 1"\n', "do not show it"),  # says too little
        ('claim.lemma-1.says = "airyai(x) -> 0"\nclaim.lemma-1.to = "x -> oo"\n', "do not show it"),  # of a limit
    ],
)
def test_what_a_lemma_does_not_say_is_not_used(lemma: str, why: str) -> None:
    found = verdict(lemma + TARGET.format("lemma-1"))
    assert found.strength is not Strength.PROVED and why in f"{found.reason} {found.no_theorem}"


def test_what_follows_from_a_lemma_that_is_not_proved_is_no_theorem() -> None:
    lemma = 'claim.lemma-1.says = "besselj(0, x)^2 + airyai(x)^2 <= 2"\n'
    found = verdict(lemma + 'claim.theorem-1.says = "y*(besselj(0, x)^2 + airyai(x)^2) <= 2*y"\nclaim.theorem-1.lemmas = ["lemma-1"]\n')
    assert found.strength is Strength.SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        'claim.lemma-1.says = "x + y > 0"\nclaim.lemma-1.lemmas = ["lemma-2"]\nclaim.lemma-2.says = "x + y > 0"\n'
        'claim.lemma-2.lemmas = ["lemma-1"]\n',  # a circle
        'claim.lemma-1.says = "x + y > 0"\nclaim.lemma-1.lemmas = ["lemma-1"]\n',
        'claim.lemma-1.says = "x + y > 0"\nclaim.lemma-1.lemmas = ["lemma-9"]\n',
        'claim.lemma-1.says = "x < y"\nclaim.lemma-1.corrected = "x > 0"\nclaim.lemma-2.says = "x + y > 0"\n'
        'claim.lemma-2.lemmas = ["lemma-1"]\n',  # expected to be refuted
        'claim.lemma-1.says = "x + y > 0"\nclaim.lemma-1.lemmas = [1]\n',
    ],
)
def test_lemmas_that_are_refused_as_they_are_read(text: str) -> None:
    claims = read_claims(HEAD + text, "demo.toml").claims
    assert isinstance(claims[-1].relation, Unread)
    assert check(claims[-1]).outcome is Outcome.UNDECIDED


def test_a_correction_may_be_a_lemma() -> None:
    text = 'claim.lemma-1.says = "x < y"\nclaim.lemma-1.corrected = "x > 0"\nclaim.lemma-2.says = "x + y > 0"\n'
    claims = read_claims(HEAD + text + 'claim.lemma-2.lemmas = ["lemma-1-corrected"]\n', "demo.toml").claims
    assert [one.id for one in claims[-1].leans] == ["demo/lemma-1-corrected"]


# --- the rule ----------------------------------------------------------------------------------


def proved(text: str, holds: bool = True):
    return theorem(read_statement(text), holds)


def test_what_is_given_is_said_of_all_of_the_domain() -> None:
    text = "x + 1 <= x^2 + 1 for x >= 1"
    rest, lemma = proved("x + 1 <= x^2 + 1 for x >= 1, x <= x^2"), proved("x <= x^2 for x >= 1")
    found = apply("given", [rest, lemma], statement=text)
    assert replay(certificate(found)).statement == found.statement
    for premises in (
        [rest],  # nothing is given
        [lemma, rest],
        [rest, proved("x <= x^2 for x >= 2")],  # of less than the domain
        [rest, proved("x <= x^2 for x > 0", False)],
        [rest, proved("2*x <= 2*x^2 for x >= 1")],  # another comparison than the one it was shown with
        [proved("x <= x^2 for x >= 1"), lemma],
        [rest, proved("1/x -> 0 as x -> oo")],
    ):
        with pytest.raises(Refused):
            apply("given", premises, statement=text)
    for other in ("x + 1 <= x^2 + 1 for x > 0", "x + 2 <= x^2 + 1 for x >= 1", "x + 1 <= x^2 + 1 as x -> oo"):
        with pytest.raises(Refused):
            apply("given", [rest, lemma], statement=other)
