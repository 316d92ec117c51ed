"""Every claim of every paper reaches the outcome that is expected of it."""

from asymp.testing import claims_test

test_ilb = claims_test("ilb")
test_lfms = claims_test("lfms")
test_twoclass = claims_test("twoclass")
