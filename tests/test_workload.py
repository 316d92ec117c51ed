"""Laws against closed forms and quadrature; workloads and their files, each refusal tried."""

import math
import os
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.queues import workload_file
from asymp.queues.laws import (
    BoundedPareto,
    Deterministic,
    Empirical,
    Erlang,
    Exponential,
    HyperExponential,
    Kind,
)
from asymp.queues.workload import SHIPPED, ServerNeed, Workload, half_and_half, named, read_workload, write_workload
from asymp.queues.workload_file import format_workload, parse_workload, read_text

HEAD = "servers,probability,mean_service\n"

# --- the theory of the laws, by a second route -------------------------------------------------------

CONTINUOUS = [
    Exponential(0.7),
    Erlang(1, 2.0),
    Erlang(3, 0.5),
    Erlang(40, 3.33),
    HyperExponential((0.01, 0.99), (25.0, 0.25)),
    HyperExponential((0.2, 0.3, 0.5), (1e-3, 1.0, 50.0)),
    BoundedPareto(0.1492, 400.0, 1.4),
    BoundedPareto(1.0, 50.0, 1.0),
    BoundedPareto(1.0, 50.0, 2.0),
    BoundedPareto(0.5, 1e6, 0.3),
    BoundedPareto(2.0, 2.0 + 1e-6, 3.0),
]


def density(law):
    """The density, straight from the definition, with the points where it bends."""
    if isinstance(law, Exponential):
        return lambda x: mpmath.exp(-x / law.mean) / law.mean, [0, law.mean, 10 * law.mean, mpmath.inf]
    if isinstance(law, Erlang):
        k, theta = law.phases, mpmath.mpf(law.mean) / law.phases
        points = [0, law.mean / 2, law.mean, 2 * law.mean, 5 * law.mean, mpmath.inf]
        return lambda x: x ** (k - 1) * mpmath.exp(-x / theta) / theta**k / mpmath.factorial(k - 1), points
    if isinstance(law, HyperExponential):
        pairs = list(zip(law.probabilities, law.means, strict=True))
        points = sorted({mpmath.mpf(m * c) for m in law.means for c in (1, 4, 16, 64)})
        return lambda x: sum(q * mpmath.exp(-x / m) / m for q, m in pairs), [0, *points, mpmath.inf]
    a, low, high = (mpmath.mpf(v) for v in (law.shape, law.low, law.high))
    points = [low * (high / low) ** (mpmath.mpf(i) / 16) for i in range(17)]
    return lambda x: a * low**a * x ** (-a - 1) / (1 - (low / high) ** a), points


@pytest.mark.parametrize("law", CONTINUOUS, ids=str)
def test_moments_and_distribution_against_quadrature(law):
    with mpmath.workdps(30):
        f, points = density(law)
        for k in range(4):
            exact = mpmath.quad(lambda x, k=k: x**k * f(x), points)
            assert law.moment(k) == pytest.approx(float(exact), rel=2e-13)
        mean = mpmath.quad(lambda x: x * f(x), points)
        assert law.mean == pytest.approx(float(mean), rel=1e-14)
        assert law.variance == pytest.approx(float(mpmath.quad(lambda x: (x - mean) ** 2 * f(x), points)), rel=2e-10)
        assert law.cv == pytest.approx(math.sqrt(law.variance) / law.mean)
        for u in (0.001, 0.3, 0.9, 0.9999):
            x = mpmath.mpf(law.quantile(u))
            below = [p for p in points if p < x]
            # a quantile within 4 ulp may move the distribution function by density * x * 1e-15
            slack = float(f(x) * x) * 4e-15 + 1e-15
            assert abs(float(mpmath.quad(f, [*below, x])) - u) < max(slack, 1e-14)


@pytest.mark.parametrize("law", CONTINUOUS, ids=str)
def test_distribution_functions_of_numbers_and_of_arrays(law):
    x = np.array([-1.0, 0.0, *(law.quantile(u) for u in (0.001, 0.3, 0.9))])
    with mpmath.workdps(30):
        f, points = density(law)
        for v, below in zip(x.tolist(), law.cdf(x).tolist(), strict=True):
            exact = float(mpmath.quad(f, [*[p for p in points if p < v], v])) if v > points[0] else 0.0
            # x may be off by 4 ulp
            assert abs(below - exact) <= 1e-12 * exact + (float(f(v) * v) * 4e-15 if exact else 0.0)
            assert law.cdf(v) == below


def test_closed_forms():
    """Values of the definitions that are known without asymp's formulas."""
    # exponential: factorials; Erlang(3, m): m^2/3; E X^3 = 3*4*5 (m/3)^3
    assert [Exponential(1.0).moment(k) for k in range(6)] == [1, 1, 2, 6, 24, 120]
    assert Erlang(3, 3.0).moment(3) == pytest.approx(60) and Erlang(3, 3.0).variance == pytest.approx(3)
    # bounded Pareto on [1, 2]: shape 1 has mean 2 log 2 and second moment 2; shape 2: 4/3 and (8/3) log 2
    assert BoundedPareto(1, 2, 1).mean == pytest.approx(2 * math.log(2), rel=1e-15)
    assert BoundedPareto(1, 2, 1).moment(2) == pytest.approx(2, rel=1e-15)
    assert BoundedPareto(1, 2, 2).mean == pytest.approx(4 / 3, rel=1e-15)
    assert BoundedPareto(1, 2, 2).moment(2) == pytest.approx(8 / 3 * math.log(2), rel=1e-15)
    # close bounds: the law is almost uniform, of variance width^2/12 (a difference of moments has no digit left)
    narrow = BoundedPareto(1.0, 1.0 + 2.0**-40, 1.4)
    assert narrow.variance == pytest.approx(2.0**-80 / 12, rel=1e-9)
    assert Deterministic(3).moment(4) == 81 and Deterministic(3).variance == 0 and Deterministic(3).cdf(3) == 1
    law = Empirical((1, 2, 4), (1, 1, 2))
    assert law.mean == 2.75 and law.variance == pytest.approx(1.6875) and law.cdf(2) == 0.5 and law.cdf(1.9) == 0.25
    assert Empirical((0.0, 1.0)).quantile(0) == 0


def laws():
    """Laws over a wide range of parameters."""
    size = st.floats(1e-6, 1e6)
    weights = st.lists(st.floats(0.01, 1), min_size=1, max_size=5)
    hyper = weights.flatmap(lambda w: st.tuples(st.just(w), st.lists(size, min_size=len(w), max_size=len(w)))).map(
        lambda x: HyperExponential(tuple(v / math.fsum(x[0]) for v in x[0]), tuple(x[1]))
    )
    pareto = st.tuples(size, st.floats(1.0001, 1e6), st.floats(0.05, 9)).map(
        lambda x: BoundedPareto(x[0], x[0] * x[1], x[2])
    )
    return st.one_of(
        size.map(Exponential),
        st.tuples(st.integers(1, 200), size).map(lambda x: Erlang(*x)),
        hyper,
        pareto,
        size.map(Deterministic),
        st.lists(size, min_size=1, max_size=6).map(lambda x: Empirical(tuple(x))),
    )


@settings(max_examples=200)
@given(laws(), st.floats(0, 0.999999), st.floats(0, 0.999999), st.floats(1e-3, 1e3))
def test_properties_of_every_law(law, u, v, factor):
    x, y = law.quantile(min(u, v)), law.quantile(max(u, v))
    assert 0 <= x <= y * (1 + 1e-14)
    # the quantile is the point where the distribution function passes u, to 13 digits of the point
    assert law.cdf(y * (1 + 1e-13)) >= max(u, v) - 1e-14
    assert law.cdf(y * (1 - 1e-13)) <= max(u, v) + 1e-14
    if isinstance(law, (Deterministic, Empirical)):
        assert law.quantile(min(law.cdf(x), 0.999999)) == x  # x is an atom
    assert law.cdf(-1.0) == 0 and law.moment(0) == pytest.approx(1)
    assert law.mean == pytest.approx(law.moment(1)) and law.variance >= 0
    assert law.variance == pytest.approx(law.moment(2) - law.mean**2, rel=1e-6, abs=1e-8 * law.moment(2))
    bigger = law.scaled(factor)
    assert bigger.mean == pytest.approx(factor * law.mean, rel=1e-12)
    assert bigger.cv == pytest.approx(law.cv, rel=1e-6, abs=1e-6)
    assert math.fsum(part.probability for part in law.parts()) == pytest.approx(1, abs=1e-12)


def mean_of_part(part):
    """The mean of an elementary law from what the kernels are given."""
    if part.kind == Kind.BOUNDED_PARETO:
        low, mass, inverse = part.parameters
        return float(mpmath.quad(lambda u: low * (1 - u * mass) ** -inverse, [0, 0.5, 0.9, 0.99, 0.999, 1]))
    if part.kind == Kind.ERLANG:
        return part.parameters[0] * part.parameters[1]
    return part.parameters[0]


@settings(max_examples=60)
@given(laws())
def test_the_parts_make_the_law(law):
    """What is drawn has the mean of the law."""
    total = math.fsum(part.probability * mean_of_part(part) for part in law.parts())
    assert total == pytest.approx(law.mean, rel=2e-3 if isinstance(law, BoundedPareto) else 1e-12)


@settings(max_examples=100)
@given(st.floats(1e-4, 1e4), st.floats(1.001, 1e6), st.floats(0.2, 5))
def test_bounded_pareto_of_a_mean(mean, ratio, shape):
    law = BoundedPareto.of_mean(mean, mean * ratio, shape)
    assert law.mean == pytest.approx(mean, rel=1e-13) and law.high == mean * ratio


@pytest.mark.parametrize("bad", [0, -1, math.inf, -math.inf, math.nan, 10**400, "1", None, True, 1j])
def test_parameters_are_refused(bad):
    makers = [
        Exponential,
        Deterministic,
        lambda x: Erlang(3, x),
        lambda x: HyperExponential((0.5, 0.5), (1.0, x)),
        lambda x: HyperExponential((1.0, x), (1.0, 1.0)),
        lambda x: BoundedPareto(x, 2, 1.4),
        lambda x: BoundedPareto(1, x, 1.4),
        lambda x: BoundedPareto(1, 2, x),
        lambda x: BoundedPareto.of_mean(x, 2, 1.4),
        lambda x: Empirical((1.0, 2.0), (1.0, x)),
        lambda x: Exponential(1.0).scaled(x),
    ]
    for make in makers:
        with pytest.raises(ValueError) as caught:
            make(bad)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Erlang(0, 1.0),
        lambda: Erlang(2.5, 1.0),
        lambda: Erlang(True, 1.0),
        lambda: HyperExponential((0.5, 0.4), (1.0, 2.0)),
        lambda: HyperExponential((0.5, 0.5), (1.0,)),
        lambda: HyperExponential((), ()),
        lambda: HyperExponential.of_mean(0.5, (0.5, 0.5), (1.0,)),
        lambda: HyperExponential.of_mean(0.5, (0.5, 0.5), ()),
        lambda: BoundedPareto(2, 2, 1.4),
        lambda: BoundedPareto(3, 2, 1.4),
        lambda: BoundedPareto.of_mean(3, 2, 1.4),
        lambda: Empirical(()),
        lambda: Empirical((0.0,)),
        lambda: Empirical((1.0, -1.0)),
        lambda: Empirical((1.0, math.nan)),
        lambda: Empirical((1.0, 2.0), (1.0,)),
        lambda: Exponential(1).quantile(1.0),
        lambda: Exponential(1).quantile(math.nan),
        lambda: Exponential(1).moment(-1),
        lambda: Exponential(1).moment(0.5),
    ],
)
def test_laws_that_are_none_are_refused(make):
    with pytest.raises(ValueError):
        make()


# --- the shipped workloads ---------------------------------------------------------------------------

# mjsre, Table 2 (means, variances) and section 8.2 (coefficients of variation, ideal rate)
MEANS = (0.5, 0.83, 1.25, 3.33, 10.0)
HYPEREXPONENTIAL = (12.38, 34.10, 77.35, 548.96, 4950.51)
BOUNDED_PARETO = (5.62, 11.38, 20.078, 77.15, 335.56)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_workloads_load_and_round_trip(name):
    workload = named(name)
    assert workload.servers == SHIPPED[name] and workload.name == name
    assert parse_workload(format_workload(workload), workload.servers, name=name) == workload
    assert named(name, 10 * workload.servers).ideal_rate == pytest.approx(10 * workload.ideal_rate)


@pytest.mark.parametrize(
    ("law", "overall", "variances"),
    [
        ("exponential", 1.78, tuple(m * m for m in MEANS)),
        ("erlang", 1.34, tuple(m * m / 3 for m in MEANS)),
        ("hyperexponential", 10.22, HYPEREXPONENTIAL),
        ("bounded-pareto", 4.01, BOUNDED_PARETO),
    ],
)
def test_table_2_keeps_what_is_printed(law, overall, variances):
    """Means exactly; variances and coefficients of variation to their printed digits."""
    workload = named(f"table2-{law}")
    assert workload.needs == (1, 2, 5, 10, 15) and workload.probabilities == (0.5, 0.1, 0.2, 0.19, 0.01)
    assert [c.service.mean for c in workload.classes] == pytest.approx(MEANS, rel=1e-14)
    assert round(workload.ideal_rate, 2) == 2.11
    assert abs(workload.service_cv - overall) < 0.0051
    for entry, variance in zip(workload.classes, variances, strict=True):
        assert abs(entry.service.variance - variance) < 0.0051


def test_the_printed_bounds_do_not_give_the_printed_moments():
    """(0.15, 400) has mean 0.5026 and variance 5.66; the public inputs' 0.1492 gives 0.5 and 5.62."""
    printed, public = (named(f"table2-bounded-pareto-{x}").classes[0].service for x in ("printed", "public"))
    assert round(printed.mean, 4) == 0.5026 and round(printed.variance, 2) == 5.66
    assert round(public.mean, 4) == 0.5 and round(public.variance, 2) == 5.62
    assert [round(c.service.low, 6) for c in named("table2-bounded-pareto").classes] == pytest.approx(
        [c.service.low for c in named("table2-bounded-pareto-public").classes], rel=2e-5
    )
    second = named("table2-hyperexponential").classes[0].service.means[1]
    assert second == pytest.approx(0.25 / 0.99)  # (0.5 - 0.01 * 25)/0.99


def test_cell_b():
    workload = named("cell-b")
    assert len(workload.classes) == 26 and workload.servers == 2048 and max(workload.needs) == 2000
    assert math.fsum(workload.probabilities) == pytest.approx(1, abs=1e-14)
    assert half_and_half(0.002).mean_demand == pytest.approx(0.6)


# --- workloads ---------------------------------------------------------------------------------------


def test_sums_over_classes():
    workload = Workload(8, (ServerNeed(1, 0.75, Exponential(2.0)), ServerNeed(4, 0.25, Deterministic(6.0))))
    assert workload.mean_service == 3 and workload.mean_demand == 7.5 and workload.ideal_rate == pytest.approx(8 / 7.5)
    # E sigma^2 = 0.75*8 + 0.25*36 = 15, so the variance is 6
    assert workload.service_cv == pytest.approx(math.sqrt(6) / 3)
    assert workload.with_law(lambda m: Erlang(2, m)).classes[1].service == Erlang(2, 6.0)


def test_probabilities_rounded_in_print_are_normalised():
    thirds = tuple(ServerNeed(k, 0.3333333, Exponential(1.0)) for k in (1, 2, 3))
    assert Workload(3, thirds).probabilities == pytest.approx([1 / 3] * 3, rel=1e-15)
    with pytest.raises(ValueError, match=r"sum to 0\.9999"):
        Workload(3, tuple(replace(c, probability=0.3333) for c in thirds))


GOOD = ServerNeed(1, 1.0, Exponential(1.0))


@pytest.mark.parametrize(
    ("servers", "classes", "words"),
    [
        (4, (), "at least one class"),
        (0, (GOOD,), "servers must be an integer"),
        (-3, (GOOD,), "servers must be an integer"),
        (2.5, (GOOD,), "servers must be an integer"),
        (math.nan, (GOOD,), "servers must be an integer"),
        (True, (GOOD,), "servers must be an integer"),
        (10**12, (GOOD,), "servers must be an integer"),
        (4, (replace(GOOD, servers=5),), "class 1: a job needs 5 servers, and there are 4"),
        (4, (replace(GOOD, servers=0),), "class 1: servers"),
        (4, (replace(GOOD, servers=1.0),), "class 1: servers"),
        (4, (replace(GOOD, probability=math.nan),), "class 1: probability must be finite"),
        (4, (replace(GOOD, probability=-1.0),), "class 1: probability must be positive"),
        (4, (replace(GOOD, probability=0.5),), "sum to 0.5"),
        (4, (GOOD, replace(GOOD, servers=2)), "sum to 2"),
        (4, (replace(GOOD, probability=2.0),), "class 1: probability must be at most 1"),
        (4, (replace(GOOD, service=1.0),), "class 1: service must be a law"),
        (4, (replace(GOOD, service=Exponential(1e308)),), ""),
    ],
)
def test_bad_workloads_are_refused(servers, classes, words):
    if not words:  # large and finite: fine
        assert Workload(servers, classes).ideal_rate > 0
        return
    with pytest.raises(ValueError) as caught:
        Workload(servers, classes)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_demand_beyond_float64_is_refused():
    with pytest.raises(ValueError, match="beyond float64"):
        Workload(1000, (ServerNeed(1000, 1.0, Exponential(1e308)),))


# --- files -------------------------------------------------------------------------------------------

EVERY_LAW = """\
# every law
servers, probability, mean_service, law, phases, p1, m1, p2, m2, p3, m3, low, high, shape, values, weights

1, 0.1, 0.5
2, 0.1, 0.5, exponential
2, 0.1, 0.25, exponential
3, 0.1, 1, Erlang, 3
4, 0.1, 2, deterministic
5, 0.1, 0.5, hyperexponential,, 0.01, 25, 0.99,
6, 0.1, , hyperexponential,, 0.2, 1, 0.3, 2,, 3
7, 0.1, 0.5, bounded-pareto,,,,,,,,, 400, 1.4
8, 0.1, , bounded-pareto,,,,,,,, 0.15, 400, 1.4
9, 0.1, , empirical,,,,,,,,,,, 3;1;2, 1;1;2
"""


def test_every_law_is_read_and_written(tmp_path):
    workload = parse_workload(EVERY_LAW, 10)
    services = [c.service for c in workload.classes]
    assert services[:5] == [Exponential(0.5), Exponential(0.5), Exponential(0.25), Erlang(3, 1.0), Deterministic(2.0)]
    assert services[5] == HyperExponential.of_mean(0.5, (0.01, 0.99), (25.0,))
    assert services[6].probabilities == pytest.approx((0.2, 0.3, 0.5)) and services[6].means == (1, 2, 3)
    assert services[7:9] == [BoundedPareto.of_mean(0.5, 400, 1.4), BoundedPareto(0.15, 400, 1.4)]
    assert services[9] == Empirical((1, 2, 3), (1, 2, 1))
    write_workload(tmp_path / "w.csv", workload)
    assert read_workload(tmp_path / "w.csv", 10) == replace(workload, name="w")


def test_the_law_of_rows_that_name_none(tmp_path):
    (tmp_path / "w.csv").write_text(HEAD + "1,1,3\n")
    assert read_workload(tmp_path / "w.csv", 1, law=Deterministic).classes[0].service == Deterministic(3.0)


def test_values_beside_the_file(tmp_path):
    (tmp_path / "times.txt").write_text("# measured\n1\n2\n2\n")
    (tmp_path / "w.csv").write_text("servers,probability,mean_service,law,values_file\n1,1,,empirical,times.txt\n")
    assert read_workload(tmp_path / "w.csv", 1).classes[0].service == Empirical((1.0, 2.0, 2.0))
    (tmp_path / "times.txt").write_text("1,0.25\n2,0.75\n")
    assert read_workload(tmp_path / "w.csv", 1).classes[0].service == Empirical((1.0, 2.0), (0.25, 0.75))
    for text, words in [("1\nx\n", "line 2"), ("", "no values"), ("1,2\n3\n", "line 2"), ("-1\n", "nonnegative")]:
        (tmp_path / "times.txt").write_text(text)
        with pytest.raises(ValueError, match=words):
            read_workload(tmp_path / "w.csv", 1)
    (tmp_path / "times.txt").unlink()
    with pytest.raises(ValueError, match=r"w\.csv, line 2: values_file"):
        read_workload(tmp_path / "w.csv", 1)


def naming(values_file: str) -> str:
    return f'servers,probability,mean_service,law,values_file\n1,1,,empirical,"{values_file}"\n'


@pytest.fixture
def folder(tmp_path):
    """A workload's folder in one where there is more: values that are good, and a secret."""
    (tmp_path / "outside.txt").write_text("1\n2\n")
    (tmp_path / "secret.txt").write_text("root:x:0:0:hunter2\n")
    here = tmp_path / "here"
    (here / "below").mkdir(parents=True)
    (here / "below" / "in.txt").write_text("1\n2\n")
    return here


@pytest.mark.parametrize("name", ["below/in.txt", "./below/in.txt", "link.txt", "linked/in.txt"])
def test_values_of_a_file_in_the_folder(name, folder):
    (folder / "link.txt").symlink_to("below/in.txt")
    (folder / "linked").symlink_to(folder / "below")
    (folder / "w.csv").write_text(naming(name))
    assert read_workload(folder / "w.csv", 1).classes[0].service == Empirical((1.0, 2.0))


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "{}/outside.txt", "../outside.txt", "below/../../outside.txt", "link.txt", "linked/outside.txt",
     "ring", "below", ".", "pipe", "/dev/zero", "/dev/stdin", "~/x", "x" * 5000, "below/in.txt/x"],
)  # fmt: skip
def test_values_of_no_other_file_are_read(name, folder, monkeypatch):
    (folder / "link.txt").symlink_to("../outside.txt")
    (folder / "linked").symlink_to("..")
    (folder / "ring").symlink_to("ring")
    os.mkfifo(folder / "pipe")
    (folder / "w.csv").write_text(naming(name.format(folder.parent)))
    read = []

    def reading(path):
        read.append(path.name)
        return read_text(path)

    monkeypatch.setattr(workload_file, "read_text", reading)
    with pytest.raises(ValueError, match=r"w\.csv, line 2: values_file") as caught:
        read_workload(folder / "w.csv", 1)
    assert read == ["w.csv"] and "\n" not in str(caught.value) and len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "content",
    ["hunter2", "1\nhunter2", "1,hunter2", "1,2,hunter2", '"hunter2', "-6621", "1,-6621", "nan,6621", "6621e6621",
     "0", "\0hunter2", "1\n2,6621", b"\xff\xfehunter2"],
)  # fmt: skip
def test_no_error_says_what_stands_in_the_file(content, folder):
    (folder / "v.txt").write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "w.csv").write_text(naming("v.txt"))
    with pytest.raises(ValueError, match=r"w\.csv, line 2: values_file 'v.txt'") as caught:
        read_workload(folder / "w.csv", 1)
    chain = [caught.value, caught.value.__cause__]
    assert not any("hunter2" in str(e) or "6621" in str(e) or "nan" in str(e) for e in chain)


def test_how_many_values_are_read_is_bounded(folder, monkeypatch):
    (folder / "w.csv").write_text(naming("below/in.txt"))
    monkeypatch.setattr(workload_file, "MOST_VALUES", 2)
    assert read_workload(folder / "w.csv", 1).classes[0].service == Empirical((1.0, 2.0))
    monkeypatch.setattr(workload_file, "MOST_VALUES", 1)
    with pytest.raises(ValueError, match="more than 1 lines"):
        read_workload(folder / "w.csv", 1)
    monkeypatch.setattr(workload_file, "MOST_VALUES", 2)
    (folder / "below" / "in.txt").write_bytes(b"1\n" + b"#" * 200)
    monkeypatch.setattr(workload_file, "MOST_BYTES", 100)
    with pytest.raises(ValueError, match="of at most 0 MiB"):
        read_workload(folder / "w.csv", 1)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(1, 50), st.floats(0.01, 1), laws()), min_size=1, max_size=6, unique_by=lambda x: x[0]
    )
)
def test_what_is_written_is_read_back_to_the_last_bit(rows):
    total = math.fsum(p for _, p, _ in rows)
    workload = Workload(50, tuple(ServerNeed(n, p / total, law) for n, p, law in rows))
    assert parse_workload(format_workload(workload), 50) == workload


BAD = [
    ("", "is empty"),
    ("# only a comment\n\n", "is empty"),
    (HEAD, "no rows"),
    ("1,0.5,1\n2,0.5,1\n", "line 1: missing column 'servers'"),
    ("servers,probability\n1,1\n", "line 1: missing column 'mean_service'"),
    ("servers,probability,mean_service,colour\n1,1,1,red\n", "line 1: unknown column 'colour'"),
    ("servers,probability,mean_service,servers\n1,1,1,1\n", "line 1: column 'servers' is there twice"),
    (HEAD + "1,0.5,1\n2,0.4,1\n", "lines 2 to 3: probabilities sum to 0.9, not to 1 (within 1e-06)"),
    (HEAD + "1,1,1,1\n", "line 2: 4 cells under 3 columns"),
    (HEAD + "1,0.5,1\n11,0.5,1\n", "line 3: a job needs 11 servers, and there are 10"),
    (HEAD + "0,1,1\n", "line 2: servers must be an integer in 1.."),
    (HEAD + "-1,1,1\n", "line 2: servers must be a positive integer, not '-1'"),
    (HEAD + "1.5,1,1\n", "line 2: servers must be a positive integer"),
    (HEAD + "nan,1,1\n", "line 2: servers must be a positive integer"),
    (HEAD + "9" * 30 + ",1,1\n", "line 2: servers must be a positive integer"),
    (HEAD + "1,1\n", "line 2: mean_service is blank"),
    (HEAD + "1,,1\n", "line 2: probability is blank"),
    (HEAD + ",1,1\n", "line 2: servers is blank"),
    (HEAD + "1,x,1\n", "line 2: probability is not a number: 'x'"),
    (HEAD + "1,1_0,1\n", "line 2: probability is not a number"),
    (HEAD + "1,nan,1\n", "line 2: probability must be finite"),
    (HEAD + "1,-0.5,1\n2,1.5,1\n", "line 2: probability must be positive"),
    (HEAD + "1,0,1\n2,1,1\n", "line 2: probability must be positive"),
    (HEAD + "1,1,0\n", "line 2: mean_service must be positive and finite, not 0"),
    (HEAD + "1,1,-2\n", "line 2: mean_service must be positive and finite, not -2"),
    (HEAD + "1,1,inf\n", "line 2: mean_service must be positive and finite, not inf"),
    (HEAD + "1,1,1e999\n", "line 2: mean_service must be positive and finite, not inf"),
    (HEAD + "1,1,nan\n", "line 2: mean_service must be positive and finite, not nan"),
    (HEAD + '1,1,"2\n', "line 2: not a line of CSV"),
    (HEAD + "1,0.5,1\n1,0.5,1\n", "line 3: repeats line 2"),
    ("servers,probability,mean_service,law\n1,1,1,erlnag\n", "line 2: unknown law 'erlnag': did you mean erlang?"),
    ("servers,probability,mean_service,law\n1,1,1,erlang\n", "line 2: phases must be a positive integer"),
    ("servers,probability,mean_service,law,phases\n1,1,1,erlang,0\n", "line 2: phases must be an integer in 1.."),
    (
        "servers,probability,mean_service,law,phases\n1,1,1,exponential,3\n",
        "phases is no parameter of the law exponential",
    ),
    ("servers,probability,mean_service,phases\n1,1,1,3\n", "line 2: phases is given and no law"),
    ("servers,probability,mean_service,law\n1,1,1,hyperexponential\n", "line 2: a hyperexponential law needs"),
    (
        "servers,probability,mean_service,law,p1,m1,p2,m2\n1,1,,hyperexponential,0.5,1,0.5,\n",
        "m2 and mean_service are both blank",
    ),
    ("servers,probability,mean_service,law,p1,m1,p2,m2\n1,1,1,hyperexponential,0.5,,0.5,1\n", "line 2: m1 is blank"),
    ("servers,probability,mean_service,law,p1,m1,p2,m2\n1,1,1,hyperexponential,0.5,9,0.5,\n", "none is left of 1"),
    ("servers,probability,mean_service,law,p1,m1,p2,m2\n1,1,,hyperexponential,0.5,9,0.4,1\n", "sum to 0.9"),
    ("servers,probability,mean_service,law,low,high,shape\n1,1,0.5,bounded-pareto,0.15,400,1.4\n", "give 0.50263"),
    (
        "servers,probability,mean_service,law,low,high,shape\n1,1,,bounded-pareto,,400,1.4\n",
        "low and mean_service are both blank",
    ),
    ("servers,probability,mean_service,law,low,high,shape\n1,1,1,bounded-pareto,,,1.4\n", "line 2: high is blank"),
    ("servers,probability,mean_service,law,low,high,shape\n1,1,,bounded-pareto,4,3,1.4\n", "low must be below high"),
    ("servers,probability,mean_service,law\n1,1,,empirical\n", "line 2: an empirical law needs values or values_file"),
    ("servers,probability,mean_service,law,values\n1,1,,empirical,1;x\n", "line 2: values is not a number: 'x'"),
    ("servers,probability,mean_service,law,values\n1,1,,empirical,1;-2\n", "line 2: values must be nonnegative"),
    (
        "servers,probability,mean_service,law,values\n1,1,,empirical,1;inf\n",
        "line 2: each of the values must be finite",
    ),
    (
        "servers,probability,mean_service,law,values_file\n1,1,,empirical,/etc/passwd\n",
        "line 2: values_file is read only for",
    ),
]


@pytest.mark.parametrize(("text", "words"), BAD, ids=range(len(BAD)))
def test_bad_files_are_refused_in_one_line_that_names_the_row(text, words):
    with pytest.raises(ValueError) as caught:
        parse_workload(text, 10, source="w.csv")
    message = str(caught.value)
    assert words in message and message.startswith("w.csv") and "\n" not in message


def test_files_that_are_none(tmp_path, monkeypatch):
    path = tmp_path / "w.csv"
    for data, words in [(b"\x00\x01", "zero bytes"), (b"\xff\xfe\x80", "not text"), (b"", "is empty")]:
        path.write_bytes(data)
        with pytest.raises(ValueError, match=words):
            read_workload(path, 10)
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + "1,1,1\r\n").replace("\n", "\r\n").encode())  # a spreadsheet's
    assert read_workload(path, 10).needs == (1,)
    with pytest.raises(OSError):
        read_workload(tmp_path, 10)
    with pytest.raises(OSError):
        read_workload(tmp_path / "absent.csv", 10)
    monkeypatch.setattr("asymp.queues.workload_file.MOST_BYTES", 1 << 20)
    with pytest.raises(ValueError, match="larger than 1 MiB"):
        read_workload("/dev/zero", 10)  # no size of its own: still not read for ever
    with pytest.raises(ValueError, match="unknown workload 'cell-c': did you mean cell-b"):
        named("cell-c")


@settings(max_examples=150)
@given(st.text(alphabet='servpobailtymn_0123456789.,;#"\n -einfNa', max_size=200))
def test_any_text_is_a_workload_or_one_line(text):
    for content in (text, HEAD + text):
        try:
            parse_workload(content, 10)
        except ValueError as error:
            assert "\n" not in str(error)
