"""The claims of the ilb paper: well formed, complete in sections 2 to 5.1, 6 (Theorem 11) and A.4, in the paper's words.

All claims are run by `asymp check`, and by hand in test_claims.
"""

from __future__ import annotations

import re
from functools import partial

import pytest

from asymp import registry
from asymp.check.judge import check
from asymp.claim import Outcome, Strength, Unread
from asymp.registry import validate

claims = partial(registry.claims, "ilb")  # read when the first test asks
RESULTS = ["Theorem 1", "Corollary 1", "Theorem 3", "Proposition 1", "Remark 2", "Proposition 2", "Proposition 3", "Proposition 4",
           "Theorem 4", "Corollary 2", "Corollary 3", "Theorem 11", "Theorem 12", "Lemma 3", "Theorem 13"]  # fmt: skip
EQUATIONS = {1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 14, 15, 17, 18, 20, 22, 23, 24, 25, 27, 28, 29, 31, 32, 33, 71, 73, 74, 86, 94, 96, 98, 110, 111, 113, 118, 120}
FAILING = ["equation-5", "equation-14", "theorem-2-proof-lipschitz", "equation-23", "theorem-3-above-steady", "section-5.1-first-moment",
           "corollary-2", "corollary-3", "theorem-6", "theorem-7", "corollary-6", "equation-59", "equation-76", "equation-94",
           "equation-96", "equation-98"]  # fmt: skip


def test_claims_are_well_formed_and_linked():
    assert validate(claims(), "ilb") == []
    assert [claim.id for claim in claims() if isinstance(claim.relation, Unread)] == []
    assert len(claims()) >= 120


def test_every_refuted_claim_has_its_correction():
    bare = [c.id for c in claims() if c.expected is Outcome.REFUTED and c.correction is None]
    assert bare == []
    assert all(registry.find_claim(c.correction).expected is Outcome.HOLDS for c in claims() if c.correction)
    assert {f"ilb/{name}" for name in FAILING} <= {c.id for c in claims() if c.expected is Outcome.REFUTED}


def test_every_result_is_registered():
    places = {claim.source.locator for claim in claims()}
    assert [name for name in RESULTS if name not in places] == []
    numbers = {int(k) for place in places for k in re.findall(r"Equation \((\d+)\)", place)}
    assert numbers >= EQUATIONS


@pytest.mark.parametrize("slug", ["equation-10", "equation-22-mean", "theorem-3-interior", "theorem-3-proof-erlang-increasing",
                                  "equation-7-servers", "proposition-2-any", "lemma-1", "theorem-4-sum", "equation-113"])  # fmt: skip
def test_for_any_buffer_depth_there_is_a_theorem(slug):
    verdict = check(registry.find_claim(f"ilb/{slug}"))
    assert (verdict.outcome, verdict.strength) == (Outcome.HOLDS, Strength.PROVED)
