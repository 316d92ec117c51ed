"""Claims of papers reach the outcome that is expected of them.

`asymp check`, the README's first command, asks the same of all of them.  Here one paper's are held against the record, and
one in three of those without a theorem is asked: theorems are replayed (`test_golden.py`), and one in ten of all papers'
claims is asked again.  The others, and the other papers, are for a weekly run, or by hand: `pytest -m slow tests/test_claims.py`.
"""

import pytest
from recorded import PAPERS

from asymp import registry
from asymp.testing import claims_test
from benchmarks.golden import chosen

ELSEWHERE = [name for name, entry in PAPERS.items() if "certificate" in entry or "cost" in entry or not chosen(name, 3)]

test_lfms = claims_test("lfms", slow=ELSEWHERE)
test_twoclass = pytest.mark.slow(claims_test("twoclass"))
test_ilb = pytest.mark.slow(claims_test("ilb"))
test_parallelps = pytest.mark.slow(claims_test("parallelps"))


def test_each_claim_is_recorded_with_the_outcome_that_is_expected():
    claims = registry.claims("lfms")
    assert [claim.id for claim in claims if PAPERS[claim.id]["outcome"] != claim.expected] == [] and len(claims) > 400
