"""Table 1 of the multiserver-job paper: the samplers against the exact mean waits.

Intervals of level 1 - 10^-9, by the normal approximation: a false alarm is rarer than 10^-5 even where waits are as skewed
as at load 0.2.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

pytest.importorskip("numba")
pytest.importorskip("benchmarks.table1", reason="benchmarks are not installed")

from asymp.papers.mjsre.table1 import TABLE_1
from benchmarks import table1

LEVEL = 1 - 1e-9
LOADS = [Fraction(k, 10) for k in range(1, 10)]


def test_a_load_of_table_1():
    """The printed exact wait, which a claim certifies to be this one rounded."""
    load, printed = Fraction(1, 5), Fraction(TABLE_1[1].exact)
    run = table1.own_length(load, 1500, LEVEL)
    assert table1.covers(run.waiting, printed)
    assert not table1.covers(run.waiting, 2 * printed)  # the interval is narrow enough to tell
    line = table1.Line(load, printed, {"own": run})
    text = "\n".join(table1.report([line]))
    assert "| 0.2 | 8.5900 |" in text
    assert "1 of 1 intervals hold" in text
    assert "| 7.99 | [7.32, 8.65] | 409 |" in text


def test_seeds_differ():
    seeds = [table1.seed_of(load, method) for load in LOADS for method in range(1, 7)]
    assert len(set(seeds)) == len(seeds)


def test_misses_and_scores_are_counted():
    """A wrong exact value is seen in the table and in what is said of all loads."""
    load = Fraction(1, 5)
    run = table1.from_empty(load, 20)
    wrong = table1.Line(load, 3 * Fraction(run.waiting.value), {"empty": run})
    text = "\n".join(table1.report([wrong]))
    assert "| **no** |" in text
    assert "0 of 1 intervals hold" in text


@pytest.mark.slow
@pytest.mark.parametrize("load", LOADS)
def test_algorithm_1_at_every_load(load):
    exact = table1.exact_wait(load)
    run = table1.own_length(load, table1.default_samples(load), LEVEL)
    assert table1.covers(run.waiting, exact)
    # forward runs with half of them left out, and perfect samples
    assert table1.covers(table1.warmed_up(load, level=LEVEL).waiting, exact)
    if samples := table1.perfect_samples(load):
        found = table1.beside_perfect(load, samples)
        assert abs(table1.score(found.waiting, exact)) < 6


@pytest.mark.slow
@pytest.mark.parametrize("load", LOADS[-2:])
def test_bias_at_high_load_is_seen(load):
    """Stopped sample by sample from l = 10000, and forward from empty without warm-up: too low."""
    exact = table1.exact_wait(load)
    early = table1.paper_length(load, level=LEVEL)
    for run in (early, table1.from_empty(load, level=LEVEL)):
        assert run.waiting.interval[1] < exact
    bias = early.found["early-stopping-bias"]  # it is seen in the run too, without the exact value
    assert bias.value > 4 * bias.stderr
