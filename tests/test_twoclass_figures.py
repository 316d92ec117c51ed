"""Figures of Grosof, Harchol-Balter and Scheller-Wolf (2020): their data are the exact values, their arrows Lemma 5.1."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction as F
from itertools import pairwise
from math import gcd
from pathlib import Path

import pytest

from asymp.export import plot
from asymp.export.pictures import Arrow, Diagram, Map, Node
from asymp.papers.twoclass import curves, model, pictured, plots

ALL = plots.figures()
NAMES = ["figure-1", "figure-2", "figure-3", "figure-4", "figure-5", "figure-6", "figure-7", "figure-8", "growth", "planner"]


def line(panel: plot.Panel, start: str) -> plot.Series:
    return next(series for series in panel.series if series.label.startswith(start))


def test_listing_figures_computes_nothing(monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("a number was computed")

    for name in ("exact", "quick", "transitions", "sampled_response"):
        monkeypatch.setattr(plots, name, refuse)
    fresh = plots.figures()
    assert list(fresh) == NAMES == list(ALL)
    with pytest.raises(AssertionError):
        list(fresh["figure-7"].panels)


@pytest.mark.parametrize("name", NAMES)
def test_figures_can_be_drawn_and_say_what_they_are(name):
    assert plot.render(ALL[name])[:4] == b"\x89PNG" and len(ALL[name].caption) > 80
    if name in ("figure-6", "figure-7", "figure-8"):  # whose captions are lost
        assert "recovered" in ALL[name].title and "recovered" in ALL[name].caption


@pytest.mark.parametrize("system", [(1, 4, 7), (2, 5, 9), (3, 10, 30), (1, 2, 2)])
@pytest.mark.parametrize(("p1", "mu2"), [(F(1, 2), F(1)), (F(9, 10), F(1, 50)), (F(1, 7), F(30))])
def test_the_product_form_and_its_floats_are_the_chain_of_the_rules(system, p1, mu2):
    chain = (model.completions(*system, p1, 1, mu2), model.rules_idle(*system, p1, 1, mu2))
    assert curves.exact(*system, p1, 1, mu2) == chain
    assert curves.quick(*system, float(p1), float(mu2)) == pytest.approx(tuple(map(float, chain)), rel=1e-12)


@pytest.mark.parametrize("system", [(1, 100, 200), (1, 200, 200), (1, 100, 300), (4, 10, 399)])
@pytest.mark.parametrize("ratio", [F(1, 1000), F(1, 2), F(10**5)])
def test_floats_are_good_where_weights_are_huge(system, ratio):
    found = curves.quick(*system, 0.75, float(ratio))
    assert found == pytest.approx(tuple(map(float, curves.exact(*system, F(3, 4), 1, ratio))), rel=1e-10)


# --- figures 1, 2 and 4 ------------------------------------------------------------------------------


def test_what_figures_1_and_2_say_of_the_table():
    rows, demanded = pictured.cell(), dict(zip((need for need, *_ in pictured.cell()), pictured.demanded(), strict=True))
    part = {need: jobs for need, jobs, _ in rows}
    assert len(rows) == 26 and sum(part.values()) == pytest.approx(1) and sum(demanded.values()) == pytest.approx(1)
    assert (round(part[1], 2), round(part[100], 2)) == (0.84, 0.07)
    few = (200, 256, 2000)
    assert round(sum(demanded[k] for k in few), 2) == 0.86 and round(100 * sum(part[k] for k in few), 2) == 0.03
    means = [mean for *_, mean in rows]
    assert round(max(means) / min(means), -3) == 68000
    assert [round(pictured.fit(by_jobs)[0], 2) for by_jobs in (False, True)] == [0.17, -0.26]
    for name in ("figure-1", "figure-2"):
        assert "not in the text" in ALL[name].caption or "not seen here" in ALL[name].caption


def test_a_power_law_is_found_where_there_is_one(monkeypatch):
    monkeypatch.setattr(pictured, "cell", lambda: [(k, w, 3.0 * k**0.5) for k, w in ((1, 0.5), (10, 0.3), (1000, 0.2))])
    for by_jobs in (False, True):
        found, slope, height = pictured.fit(by_jobs)
        assert (found, slope, 10**height) == (pytest.approx(1), pytest.approx(0.5), pytest.approx(3))


def test_figure_4_is_a_state_of_the_chain():
    n1, n2, n = pictured.SYSTEM_4
    first, second = (pictured.SERVICE_4.count(kind) for kind in (1, 2))
    assert (1, first, second) in model.saturated(n1, n2, n, F(1, 2), 1, 1).states
    assert pictured.QUEUE_4 == (2, 1, 1, 1) and n1 <= pictured.free() == n - n1 * first - n2 * second < n2
    (panel,) = ALL["figure-4"].panels
    boxes = [series for series in panel.series if series.area]
    widths = [max(box.xs) - min(box.xs) for box in boxes if max(box.ys) <= 1]
    assert sum(widths) == n and len(boxes) == len(pictured.SERVICE_4) + 1 + len(pictured.QUEUE_4)


# --- figure 3 ----------------------------------------------------------------------------------------


def test_figure_3():
    (panel,) = ALL["figure-3"].panels
    for (colour, (p1, mu1, mu2)), edge in zip(curves.SYSTEMS_3.items(), ("9.1087", "7.3720"), strict=True):
        p1, mu1, mu2 = F(p1), F(mu1), F(mu2)
        assert p1 / mu1 + 10 * (1 - p1) / mu2 == 1  # E[S]
        curve, sampled, bar = (series for series in panel.series if series.colour == colour)
        assert edge in bar.label and bar.xs[0] == float(model.completions(1, 10, 10, p1, mu1, mu2))
        assert curve.ys[0] == pytest.approx(float(p1 / mu1 + (1 - p1) / mu2), rel=0.03)  # nobody waits
        assert list(curve.ys) == sorted(curve.ys) and curve.ys[-1] > plots.HIGHEST
        for rate, value, half in zip(sampled.xs, sampled.ys, sampled.errors, strict=True):
            truth = curves.mean_response(colour, F(rate))
            assert 0 < half < 0.05 * truth and abs(value - truth) < 2 * half  # 99% intervals: twice is 5.1 errors
    naive = line(panel, r"$\lambda^{\mathrm{naive}}")
    assert set(naive.xs) == {10.0}


# --- figure 5 ----------------------------------------------------------------------------------------


def lemma_5_1(a: int) -> set[tuple[int, str, str]]:
    """What items i to viii of Lemma 5.1 say of s_1(a) in the 3-10-30 system."""

    def s1(a: int) -> tuple[int, int, int]:
        b = (30 - 3 * a) // 10
        return (int(30 - 3 * a - 10 * b >= 3), a, b)

    def s2(b: int) -> tuple[int, int, int]:
        return (0, (30 - 10 * b) // 3, b)

    h, _, b = here = s1(a)
    found = []
    if h == 0:
        found += [(1, here), (1, s1(a - 1))] if a > 0 else []
        found += [(2, here), (2, s2(b - 1))] if b > 0 else []
        found += [(2, (1, more, b - 1)) for more in range(a + 1, s2(b - 1)[1])] if b > 0 else []
    else:
        found += [(1, s1(a - 1))] if a > 0 else []
        found += [(2, s2(b))] if b > 0 else []
        found += [(2, (1, more, b)) for more in range(a, s2(b)[1])] if b > 0 else []
    text = "[{},{},{}]".format
    return {(kind, text(*here), text(*there)) for kind, there in found}


def test_the_arrows_of_figure_5_are_those_of_lemma_5_1():
    (diagram,) = ALL["figure-5"].panels
    kinds = {colour: int(text.split()[2]) for text, colour in diagram.key}  # 'a class 1 job completes'
    drawn = [(kinds[arrow.colour], arrow.start, arrow.end) for arrow in diagram.arrows]
    assert len(drawn) == len(set(drawn)) == 28
    assert set(drawn) == set().union(*(lemma_5_1(a) for a in range(1, 8)))
    # the examples in the proof
    assert {(1, "[0,3,2]", "[1,2,2]"), (2, "[0,3,2]", "[0,6,1]"), (2, "[1,4,1]", "[1,5,1]")} <= set(drawn)


def test_the_states_of_figure_5_stand_in_the_order_of_a_in_two_rows():
    (diagram,) = ALL["figure-5"].panels
    where = {node.text: (node.x, node.y) for node in diagram.nodes}
    assert len(where) == 11
    parsed = {text: tuple(map(int, text[1:-1].split(","))) for text in where}
    assert sorted(where, key=lambda text: where[text][0]) == sorted(where, key=lambda text: parsed[text][1])
    assert all((where[text][1] == 0) == (parsed[text][0] == 1) for text in where)
    assert set(diagram.faint) == {text for text, state in parsed.items() if not 1 <= state[1] <= 7}


# --- figure 6 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "words"), [(0, ("6.41", "77.15", "61.4")), (1, ("1.30", "125.04", "37.5"))])
def test_figure_6(k, words):
    panel, (n1, n2, n) = ALL["figure-6"].panels[k], plots.SYSTEMS_6[k]
    area, naive, stable, mark = panel.series
    assert all(word in mark.label for word in words)
    assert set(zip(area.xs, area.ys, strict=True)) == {
        *zip(naive.xs, naive.ys, strict=True),
        *zip(stable.xs, stable.ys, strict=True),
    }
    for x, y in zip(naive.xs, naive.ys, strict=True):  # mu1 = 2, mu2 = 1
        assert x * n1 / 2 + y * n2 == pytest.approx(n)
    for place in (20, 100, 140, 200):
        rate = stable.xs[place] + stable.ys[place]
        p2 = F(curves.SHARES[place])
        assert rate == pytest.approx(float(curves.exact(n1, n2, n, 1 - p2, 2, 1)[0]), rel=1e-10)
    assert (max(stable.xs), max(stable.ys)) == pytest.approx((2 * n, n // n2), rel=1e-2)
    # the marked point: on the boundary, and nothing near it is worse
    most = F(mark.ys[0] / (mark.xs[0] + mark.ys[0])).limit_denominator(10**6)
    wasted = [curves.exact(n1, n2, n, 1 - most * near, 2, 1)[1] for near in (F(99, 100), 1, F(101, 100))]
    assert wasted[1] == max(wasted) and float(wasted[1]) == pytest.approx(float(words[1]), abs=0.005)
    assert mark.xs[1] * n1 / 2 + mark.ys[1] * n2 == pytest.approx(n)
    assert mark.xs[0] / mark.xs[1] == pytest.approx(1 - float(wasted[1]) / n)


# --- figures 7 and 8 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "k"), [(7, 0), (7, 1), (8, 0), (8, 1)])
def test_figures_7_and_8(number, k):
    panel, system = ALL[f"figure-{number}"].panels[k], plots.SYSTEMS_7_8[number][k]
    curve, exact, left, right, _ = panel.series
    n2 = system[1]
    for ratio, wasted in zip(plots.RATIOS, exact.ys, strict=True):
        assert curves.quick(*system, 0.5, float(ratio))[1] == pytest.approx(wasted, rel=1e-9)
        assert min(abs(x / float(ratio) - 1) for x in curve.xs) < 1e-9  # the curve goes through the squares
    for bound, ratio in ((left, F(1, 10**12)), (right, F(10**12))):
        assert bound.ys[0] == pytest.approx(float(curves.exact(*system, F(1, 2), 1, ratio)[1]), abs=1e-5)
    if number == 7:
        assert round(exact.ys[plots.RATIOS.index(1)] / n2, 2) == 0.60
    rises = [y < z for y, z in pairwise(curve.ys)]
    peaks = sum(up and not then for up, then in pairwise(rises))
    assert peaks == {(7, 0): 2, (7, 1): 3, (8, 0): 2, (8, 1): 0}[number, k]


def test_claims_on_a_figure_are_on_the_systems_that_are_drawn():
    said = {
        claim: set(re.findall(r"wastage_at\((\d+), (\d+), (\d+), ", data["says"]))
        for claim, data in registered().items()
        if "says" in data
    }
    for number, drawn in {
        6: plots.SYSTEMS_6,
        7: plots.SYSTEMS_7_8[7],
        8: (*plots.SYSTEMS_7_8[8], plots.SYSTEMS_7_8[7][0]),
    }.items():
        own = {
            tuple(map(int, one))
            for claim, found in said.items()
            if claim.startswith(f"figure-{number}")
            for one in found
        }
        assert own <= {*drawn} and {*drawn[:2]} <= own


def registered() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(plots.__file__).parent / "claims.toml").read_text(encoding="utf-8"))["claim"]


def test_the_limit_of_many_short_class_2_jobs_is_that_of_the_claims():
    """n - p1/(p2 sum p1^a/a + p1^n/n), as section-9.2-limit-ratio has it for n1 = 1, n2 = n."""
    for n, p1 in ((2, F(9, 10)), (10, F(1, 2)), (7, F(1, 5))):
        total = (1 - p1) * sum(p1**a / a for a in range(1, n)) + p1**n / n
        assert curves.limit_of_ratio(1, n, n, p1) == n - p1 / total


def test_the_limit_where_class_2_jobs_divide_the_servers_is_that_of_the_claims():
    """n1 (l m - mean of a), as section-9.2-limit has it for n2 = m n1, n = l n2."""
    for n1, m, l, p1 in ((1, 4, 2, F(1, 2)), (3, 2, 2, F(9, 10)), (2, 5, 3, F(1, 5))):
        law = {a: (1 - p1) * p1**a / a for a in range((l - 1) * m + 1, l * m)} | {l * m: p1 ** (l * m) / (l * m)}
        mean = sum(a * w for a, w in law.items()) / sum(law.values())
        assert curves.limit_of_ratio(n1, m * n1, l * m * n1, p1) == n1 * (l * m - mean)


# --- ours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("needs", [(1, 10), (4, 6), (2, 3), (6, 10), (3, 9)])
@pytest.mark.parametrize("ratio", [0.2, 1.0, 7.0])
def test_wastage_with_many_servers(needs, ratio):
    for n in (30000, 30001, 30005):
        limit = float(curves.limit_of_size(*needs, F(1, 3), n % gcd(*needs)))
        gaps = [m * (curves.quick(*needs, m, 1 / 3, ratio)[1] - limit) for m in (n, 2 * n - n % 90)]
        assert gaps[0] == pytest.approx(gaps[1], rel=0.02) and abs(gaps[0]) < 300  # so it is O(1/n)


def test_the_growth_figure_has_the_exact_values():
    left, right = ALL["growth"].panels
    for ratio, series, gaps in zip((F(1, 10), F(1), F(10)), left.series[:3], right.series[:3], strict=True):
        for n in (20, 200):
            truth, at = curves.exact(4, 10, n, F(1, 2), 1, ratio)[1], series.xs.index(n)
            assert series.ys[at] == pytest.approx(float(truth), rel=1e-10)
            assert gaps.ys[at] == pytest.approx(float(n * (truth - F(22, 7))), rel=1e-8)
    odd = next(s for s in left.series if s.line == "--")
    assert odd.ys[0] == pytest.approx(float(curves.exact(4, 10, 21, F(1, 2), 1, F(1, 10))[1]), rel=1e-10)
    assert {s.ys[0] for s in left.series if s.line == ":"} == {22 / 7, 29 / 7}


def test_the_planners_map():
    wasted, *changes = ALL["planner"].panels
    j, i = 20, 30
    p2, ratio = F(wasted.xs[i]), F(wasted.ys[j])
    rate, waste = curves.exact(1, 16, 64, 1 - p2, 1, ratio)
    assert wasted.values[j][i] == pytest.approx(float(100 * waste / 64), rel=1e-10)
    for chart, n2 in zip(changes, (17, 21, 22), strict=True):
        new = curves.exact(1, n2, 64, 1 - p2, 1, ratio * n2 / 16)[0]
        assert chart.values[j][i] == pytest.approx(float(100 * (new / rate - 1)), rel=1e-9)
        everything = [value for row in chart.values for value in row]
        assert min(everything) < -10 and 4 < max(everything) < 7  # load lost here, bought there
        lost = [curves.change(n2, p2, ratio, faster=False) for p2 in plots.P2S[::3] for ratio in plots.MAP_RATIOS[::2]]
        assert max(lost) < 0  # the caption's last sentence


# --- what figures are made of --------------------------------------------------------------------------------


def test_panels_refuse_what_does_not_fit():
    nodes = (Node("0", 0, 0), Node("1", 1, 0))
    for arrow in (Arrow("0", "2", "black"), Arrow("2", "0", "black")):
        with pytest.raises(ValueError, match="no node '2'"):
            Diagram("", nodes, (arrow,))
    with pytest.raises(ValueError, match="want 2 rows of 1 values"):
        Map("", (1.0,), (1.0, 2.0), ((1.0,),), (0.0, 1.0))
    with pytest.raises(ValueError, match="1 ys and 2 errors"):
        plot.Series("", "black", (1,), (1,), errors=(1, 2))


def test_panels_stand_in_rows():
    panel = plot.Panel("", (plot.Series("", "blue", (1, 2, 2), (1, 1, 2), area=True),), y_log=False)
    canvas = plot.draw(plot.Figure("", "", (panel,) * 3, x_log=False, columns=2, size=(3, 2)))
    assert canvas.get_size_inches().tolist() == [6, 4]
    assert len(canvas.axes[0].patches) == 1 and canvas.axes[0].get_legend() is None
