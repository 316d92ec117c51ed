"""Claims of papers reach the outcome that is expected of them.

`asymp check`, the README's first command, asks the same of all of them.  Here is one paper, but for the claims that have a theorem:
those are replayed (`test_golden.py`), and one in ten of all papers' is asked again.  The others, and the other papers, are for a
weekly run, or by hand: `pytest -m slow tests/test_claims.py`.
"""

import pytest
from recorded import PAPERS

from asymp.testing import claims_test

ELSEWHERE = [name for name, entry in PAPERS.items() if "certificate" in entry or "cost" in entry]

test_lfms = claims_test("lfms", slow=ELSEWHERE)
test_twoclass = pytest.mark.slow(claims_test("twoclass"))
test_ilb = pytest.mark.slow(claims_test("ilb"))
test_parallelps = pytest.mark.slow(claims_test("parallelps"))
