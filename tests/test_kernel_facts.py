"""What the kernel's theories say of terms on domains is true at every point, with no layer of meaning in front.

The draws are those of :mod:`benchmarks.soundness.kernel_facts`, which makes longer runs.
"""

from __future__ import annotations

import pytest

from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from benchmarks.soundness.kernel_facts import both_ways, run


@pytest.mark.parametrize("seed", range(4))
def test_what_the_theories_tell_is_true_at_every_point(seed):
    assert run(seed, rounds=12) > 60  # else nothing was tried


@pytest.mark.parametrize("seed", range(2))
def test_no_comparison_is_proved_and_refuted(seed):
    proved, refuted = both_ways(seed, rounds=6)
    assert proved + refuted > 2


# --- what is learned inside a range stays there -------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "Sum(1/d, (k, 1, d)) = 1 for whole d >= 0, whole n >= 0, d >= (n - 17)^2",
        "Sum(1/d, (k, 1, d)) > 0 for whole d >= 0",
        "Sum(1/(n - m), (k, m + 1, n)) = 1 for whole m >= 0, whole n >= m",
        "Sum(Sum(1/d, (j, 1, d)), (k, 1, d)) = d for whole d >= 0",
        "Sum(log(d), (k, 1, d)) = d*log(d) for whole d >= 0",
        "Sum(2^d/2^d, (k, 1, d)) >= 1 for whole d >= 0",
    ],
)
def test_no_value_found_in_an_empty_sum_is_used_outside(statement):
    point = {v: "17" if v == "n" else "1" for v in ("d", "n", "m") if f"whole {v}" in statement}
    with pytest.raises(Refused):
        apply("bounds", statement=statement, point=point, proofs=[["by", []]])


@pytest.mark.parametrize(
    "statement",
    [
        "Sum(1/d, (k, 1, d)) = 1 for whole d >= 1",
        "Sum(1/d, (k, 1, d)) >= 0 for whole d >= 0",
        "Sum(d, (k, 1, d)) = d^2 for whole d >= 0",
    ],
)
def test_what_holds_outside_is_still_seen(statement):
    assert apply("bounds", statement=statement, point={"d": "1"}, proofs=[["by", []]]).holds
