"""The same claims as a regression test: ``pytest examples/test_my_claims.py``."""

from asymp.testing import claims_test

test_claims = claims_test("my_claims.py")
