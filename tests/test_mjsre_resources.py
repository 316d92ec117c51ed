"""The functions of the mjsre model for sections 7 to 10: claims fail on broken ones, and what is refuted can hold."""

from __future__ import annotations

from fractions import Fraction as F
from types import SimpleNamespace

import pytest

from asymp.check.judge import check
from asymp.claim import Outcome
from asymp.papers.mjsre import paths, resources, section8, typed, under_figures
from asymp.papers.mjsre.recurrence import (
    specific_step,
    typed_step,
    typed_waiting,
)
from asymp.papers.mjsre.typed import typed_read_as_zero
from asymp.queues.saturated import saturated
from asymp.registry import find_claim, paper
from asymp.sample.referee import play


def claim(slug):
    return find_claim(f"mjsre/{slug}")


@pytest.fixture(autouse=True)
def fresh():
    """No value that an unbroken function gave before, none left behind."""

    def clear():
        for module in (resources, paths, typed):
            for item in vars(module).values():
                if (
                    hasattr(item, "cache_clear")
                    and getattr(item, "__module__", "").startswith("asymp.papers.mjsre.")
                    and item.__name__ != "solved"
                ):
                    item.cache_clear()

    clear()
    yield
    clear()


def wrong_server(w, job):
    """Starts when the first server is free, not the alpha-th."""
    raised = [max(w[0], v) + (job.service if i < job.servers else 0) for i, v in enumerate(w)]
    return sorted(max(v - job.gap, 0) for v in raised)


def backfilling(jobs, servers, *rest):
    """Not first come, first served: the line is served shortest need first."""
    return play(sorted(jobs, key=lambda job: (job.time, job.servers)), servers, *rest)


def by_start(w, job):
    """Services that depend on the workload: not monotone."""
    return typed_step(w, job._replace(service=0 if w[1][-1] > 3 else 9))


def specific_by_start(w, job):
    return specific_step(w, job._replace(service=0 if w[-1] > 3 else 9))


BATCHES = paths._batches.__wrapped__
BREAKS = [
    ("section-7.1-small-length", resources, "not_coupled", lambda length: (F(1, 9), F(1, 8))),
    ("section-7.3-biased", resources, "sample_law", lambda j, ell: resources._rest(j)),
    ("section-7.3-correlated", resources, "step", lambda w, job: [0] * len(w)),
    ("figure-2a-exact", resources, "saturated", lambda s, classes: saturated(s + 1, classes)),
    ("section-9-samples-played", typed, "MAPS", (typed_read_as_zero, by_start)),
    ("section-9-samples-played", paths, "specific_step", specific_by_start),
    ("section-9.1-index-corrected", paths, "specific_positions", lambda job, s: [s]),
    ("equation-14-played", paths, "specific_step", paths.read_as_zero),
    ("equation-14-played", paths, "play", backfilling),
    ("section-9.2-zero-corrected", typed, "typed_read_as_zero", lambda w, job: typed_step(w, job._replace(servers=(1, 0)))),
    ("equation-15-played", typed, "MAPS", (typed_read_as_zero, typed_read_as_zero)),
    ("equation-15-played", typed, "play", backfilling),
    ("equation-15-all-types-played", typed, "typed_waiting", lambda w, servers: typed_waiting(w[:1], servers[:1])),
    ("section-9-causal", typed, "typed_step", typed_read_as_zero),
    ("section-9-separable", typed, "typed_step", by_start),
    ("section-9.3-max-plus-played", typed, "MAPS", (typed_read_as_zero, lambda w, job: [sorted(p) for p in zip(sorted(v[0] for v in w), strict=True)])),
    ("section-9.3-chain", typed, "typed_read_as_zero", lambda w, job: [[w[0][0] + 1], [max(w[0][0] + 1, w[1][0]) + 1]]),
    ("perfect-delay-to-the-last", paths, "_batches", lambda seed, m, last: BATCHES(seed, m, True)),
]  # fmt: skip


@pytest.mark.parametrize(("slug", "module", "name", "replacement"), BREAKS, ids=[f"{b[0]}-{b[2]}" for b in BREAKS])
def test_each_claim_fails_on_broken_functions(slug, module, name, replacement, monkeypatch):
    monkeypatch.setattr(module, name, replacement)
    verdict = check(claim(slug))
    assert verdict.outcome == Outcome.REFUTED, verdict.reason


MENDS = [
    ("equation-14", paths, "read_as_zero", specific_step),
    ("equation-15", typed, "MAPS", (typed_step, typed_step)),
]


@pytest.mark.parametrize(("slug", "module", "name", "replacement"), MENDS, ids=[m[0] for m in MENDS])
def test_each_refuted_claim_can_hold(slug, module, name, replacement, monkeypatch):
    monkeypatch.setattr(module, name, replacement)
    assert check(claim(slug)).outcome == Outcome.HOLDS


def test_stopping_too_soon_is_bounded_from_both_sides(monkeypatch):
    low, high = resources.not_coupled(4)
    assert 0 < low <= high < low + F(1, 10**4)
    resources.not_coupled.cache_clear()
    monkeypatch.setattr(resources, "STEPS", 64)
    wide = resources.not_coupled(4)
    assert wide[0] <= low <= high <= wide[1]


def test_a_wait_that_is_not_known_to_the_digits_is_refused():
    known = SimpleNamespace(value="1.234564", radius="1e-7")
    assert resources._rounded(known, 5) == F("1.23456")
    with pytest.raises(ArithmeticError):
        resources._rounded(SimpleNamespace(value="1.234565", radius="1e-7"), 5)


def test_the_bound_of_the_tail_is_not_claimed_where_it_fails():
    for more in ({"decay": section8.sp.Rational(1, 50)}, {"rate": section8.sp.Rational(4, 5)}):
        assert [line.outcome for line in section8.heavy_tail(**more)] == [Outcome.UNDECIDED]


def test_the_sample_of_algorithm_1_is_a_law_and_below_the_perfect_one():
    for j in range(3):
        law = resources.sample_law(j, 2)
        assert sum(law.values()) == 1 and law != resources._rest(j)


def test_each_figure_has_words_under_it():
    figures = paper("mjsre").figures()
    assert figures.keys() == under_figures.words().keys()
    assert all(callable(figure.words) for figure in figures.values())


def test_what_stands_under_a_figure_says_whether_it_is_so():
    assert under_figures._said("a", "b", True).endswith("So it is.") and under_figures._said("a", "b", False).endswith("It is not so.")
    assert under_figures._rising((1, 1, 2)) and not under_figures._rising((1, 3, 2))
    assert under_figures._share([True, False]) == "1 of 2" and under_figures._share([True]) == "all"
