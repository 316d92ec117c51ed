"""Figures of Grosof and Ayhan (2025): the paper's markers, certified numbers, and what converges how."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from asymp import registry
from asymp.enclosure import compare, enclose, enclose_quantity
from asymp.export import plot
from asymp.papers.lfms import curves, notation, plots
from asymp.papers.lfms.curves import FIGURES
from asymp.papers.lfms.notation import E_DELTA, n
from asymp.papers.lfms.uniform import UNIFORM_MU

ALL = plots.figures()
CASES = [(number, what) for number in FIGURES for what in plots.WHAT]
MU, E = registry.paper("lfms").quantities()


def line(figure: str, panel: int, start: str) -> plot.Series:
    return next(series for series in ALL[figure].panels[panel].series if series.label.startswith(start))


def test_every_figure_of_the_paper_is_there_and_its_ratio():
    assert list(FIGURES) == list(range(2, 11))
    wanted = [name for number in FIGURES for name in (f"figure-{number}", f"figure-{number}-ratio")]
    assert list(ALL) == [*wanted, "peak", "uniform-error"]
    for number, setting in FIGURES.items():
        assert (
            f"Figure {number}" in ALL[f"figure-{number}"].title
            and setting.text in ALL[f"figure-{number}"].caption
        )


def test_what_a_caption_says_of_the_paper_s_ratios_is_so():
    """What is said of figures 4, 5 and 7: where the gap is largest, and within what factor it stays."""
    ratios = {(k, what): [curves.ratio(k, what, plots.right_colour(k), j) for j in curves.SIZES] for k, what in CASES}
    assert set(plots.SEEN) == set(FIGURES)
    for number, most in ((4, 2), (5, 3), (7, 2)):
        found = ratios[number, "response"]
        assert all(found[j] < found[most - 1] for j in range(len(found)) if j != most - 1)
    assert all(Fraction(2, 3) < one.low and one.high < Fraction(3, 2) for k in (4, 5) for one in ratios[k, "response"])
    assert all(Fraction(99, 100) < one.low for k in (4, 10) for one in ratios[k, "throughput"][2:])
    assert all(Fraction(98, 100) < one.low for one in ratios[7, "throughput"][2:])


def test_listing_figures_computes_nothing(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a number was computed")

    for name in ("enclose", "enclose_quantity", "ratio"):
        monkeypatch.setattr(plots, name, refuse)
    assert len(plots.figures()) == 20
    with pytest.raises(AssertionError):
        list(plots.figures()["figure-2"].panels)


@pytest.mark.parametrize("number", FIGURES)
def test_panels_and_markers_are_those_of_the_paper(number):
    """Section 9: green upward triangles, orange downward triangles, purple squares; n in [10, 10^8]."""
    figure = ALL[f"figure-{number}"]
    assert figure.x_log and len(figure.panels) == 2
    for panel in figure.panels:
        assert panel.y_log
        assert [series.colour for series in panel.series] == ["orange", "green", "purple"]
        for series in panel.series:
            marker = series.marker or plot.MARKERS[series.colour]
            assert marker == {"green": "^", "orange": "v", "purple": "s"}[series.colour]
            assert (series.xs[0], series.xs[-1]) == ("10", "100000000")


@pytest.mark.parametrize("size", [10, 10**8])
@pytest.mark.parametrize("number", FIGURES)
def test_the_exact_series_are_the_certified_quantities(number, size):
    setting = FIGURES[number]
    raw = {"n": size, "alpha": setting.exponent, "mu1": setting.rate1, "mun": setting.raten}
    for panel, quantity in enumerate((MU, E)):
        ball = enclose_quantity(quantity, {name: str(value) for name, value in raw.items()}, 30)
        series = line(f"figure-{number}", panel, "exact")
        drawn = Fraction(str(series.ys[series.xs.index(str(size))]))
        assert abs(drawn / Fraction(ball.value) - 1) < Fraction(1, 10**12)


def test_the_smallest_chain_agrees_with_the_start_of_a_curve():
    """n = 10, p_n = 1/10, mu1 = mun = 1: the saturated chain, built from the rules alone."""
    from asymp.queues.saturated import one_and_n

    system = one_and_n(10, Fraction(1, 10), 1, 1)
    exact = (system.throughput, system.mean_relative_completions)
    for panel, value in enumerate(exact):
        assert abs(Fraction(str(line("figure-3", panel, "exact").ys[0])) / value - 1) < Fraction(1, 10**12)


@pytest.mark.parametrize(("number", "what"), CASES)
def test_the_next_term_brings_the_ratio_nearer(number, what):
    """|f/g - (1 + next)| < |f/g - 1| at n = 10^1000, certified."""
    quotient, next_term = plots.derived_terms(number, what)
    rates = {"mu1": FIGURES[number].rate1, "mun": FIGURES[number].raten, "n": sp.Integer(10) ** 1000}
    values = {name: value for name, value in rates.items() if name in {s.name for s in quotient.free_symbols}}
    near, far = sp.Abs(quotient - 1 - next_term), sp.Abs(quotient - 1)
    assert compare(near, "<", far, values)


@pytest.mark.parametrize(("number", "what"), CASES)
def test_the_ratio_series_are_the_two_sides_of_the_claim(number, what):
    quotient, next_term = plots.derived_terms(number, what)
    panel = plots.WHAT.index(what)
    ratio = line(f"figure-{number}-ratio", panel, "exact/asymptotic")
    predicted = next(s for s in ALL[f"figure-{number}-ratio"].panels[panel].series if s.colour == "blue")
    assert ratio.xs == predicted.xs and ratio.xs[-1] == "1e1000"
    at = ratio.xs.index("1e8")
    for series, expr in ((ratio, quotient), (predicted, 1 + next_term)):
        assert float(enclose(expr, {"n": 10**8}, digits=15).value) == pytest.approx(series.ys[at], rel=1e-12)
    low, high = ALL[f"figure-{number}-ratio"].panels[panel].y_limits
    assert all(low < value < high for value in ratio.ys)


def test_the_peak_is_at_k_1_and_above_the_balanced_regime():
    left, right = ALL["peak"].panels
    for series in left.series[:-1]:
        values = [Fraction(str(y)) for y in series.ys]
        assert series.xs[values.index(max(values))] == "1.0"
        # the balanced regime's p_n = 1/n is less at the same n
        power = int(series.label.split("{")[1].split("}")[0])
        balanced = left.series[-1].ys[plots.PEAK_POWERS.index(power)]
        assert max(values) > 2 * Fraction(str(balanced))
    limit = next(series for series in right.series if series.label.startswith("limit"))
    assert max(Fraction(str(y)) for y in limit.ys) == Fraction(1, 8)
    far = float(enclose(E_DELTA / (n * sp.log(n)), _peak_point(100), digits=15).value)
    assert far == pytest.approx(float(plots.peak_value(100, Fraction(1), n * sp.log(n))), rel=1e-12)
    assert abs(far - 1 / 8) < 0.002


def _peak_point(power: int) -> dict[str, object]:
    size = sp.Integer(10) ** power
    return {"n": size, "p": 1 / (size * sp.log(size)), "mu1": 1, "mun": 1}


def test_uniform_errors_stay_below_their_bounds():
    for panel in ALL["uniform-error"].panels:
        for measured, bound in zip(panel.series[::2], panel.series[1::2], strict=True):
            assert measured.colour == bound.colour and bound.line == "--"
            assert all(
                0 < Fraction(str(y)) < Fraction(str(z)) for y, z in zip(measured.ys, bound.ys, strict=True)
            )


@pytest.mark.parametrize("name", ["figure-4", "figure-7-ratio", "peak", "uniform-error"])
def test_figures_can_be_drawn(name):
    """Labels with mathematics are parsed by matplotlib, and 10^1000 has a tick."""
    canvas = plot.draw(ALL[name])
    canvas.canvas.draw()
    if name.endswith("ratio"):
        labels = [tick.get_text() for tick in canvas.axes[0].get_xticklabels()]
        assert "$10^{1000}$" in labels


def test_later_panels_are_computed_once():
    calls = []
    panels = plot.Later(lambda: calls.append(1) or [plot.Panel("a", ()), plot.Panel("b", ())])
    assert not calls
    assert len(panels) == 2 and panels[1].title == "b" and [panel.title for panel in panels] == ["a", "b"]
    assert calls == [1]


@pytest.mark.parametrize("size", [10, 10**2, 10**4, 10**8])
@pytest.mark.parametrize("power", [1, 2, 3])
def test_the_throughput_in_all_regimes(size, power):
    """One formula on both sides of p_n = 1/n, to relative error under 1/(250 n^4)."""
    at = {"n": size, "p": Fraction(1, size**power), "mu1": 1, "mun": 1}
    error = enclose(notation.MU / UNIFORM_MU - 1, at, digits=3)
    assert error.ball.abs_upper() < 1 / (250 * float(size) ** 4)
