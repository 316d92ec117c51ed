"""Every claim of every paper reaches the outcome that is expected of it.

`asymp check`, the README's first command, asks the same of all of them; those of the papers that take minutes are here by hand
(`pytest -m slow tests/test_claims.py`).
"""

import pytest

from asymp.testing import claims_test

test_lfms = claims_test("lfms")
test_twoclass = pytest.mark.slow(claims_test("twoclass"))
test_ilb = pytest.mark.slow(claims_test("ilb"))
test_parallelps = pytest.mark.slow(claims_test("parallelps"))
