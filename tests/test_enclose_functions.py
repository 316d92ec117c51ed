"""Every function of the table, enclosed: against mpmath to 30 digits inside and at the ends, at what is huge, and in time."""

from __future__ import annotations

import random
import time
from fractions import Fraction

import mpmath
import pytest

import asymp
from asymp.enclosure import InputError, Undecided
from asymp.enclosure.functions import FUNCTIONS
from asymp.functions.table import NAMED, ROWS, UNTYPED
from asymp.parse import ParseError
from benchmarks.by_mpmath import BY_MPMATH

NAMES = sorted(row.name for row in ROWS if row.name not in UNTYPED)
WHOLE = {"bell", "bernoulli", "subfactorial", "stirling1", "stirling2", "factorial2"}
DRAWN = 16
LONGEST = 20  # seconds, of what takes less than one here


def counts(name: str) -> range:
    return range(NAMED[name].least, min(NAMED[name].most, 3 if name in ("Min", "Max") else 4) + 1)


def points(name: str, arguments: int) -> list[tuple[Fraction, ...]]:
    """Ends and poles of what is real, places inside, and some far out."""
    draw = random.Random(f"{name} {arguments}")
    ends = [Fraction(k, 2) for k in range(-4, 5)] if arguments == 1 else []
    found = [(x,) for x in ends]
    for _ in range(DRAWN):
        found.append(tuple(Fraction(draw.randint(-18, 30), draw.choice([1, 2, 3, 7])) for _ in range(arguments)))
        found.append(tuple(Fraction(draw.randint(1, 30), draw.choice([1, 5, 31, 31])) for _ in range(arguments)))
        if name in WHOLE:
            found.append(tuple(Fraction(draw.randint(0, 25)) for _ in range(arguments)))
    if name == "parallel_occupancy":
        return [(Fraction(d), Fraction(k, 8)) for d in (1, 2, 3) for k in (1, 3, 7)] + [(Fraction(5, 2), Fraction(1, 2))]
    return found


def enclosed(name: str, arguments: tuple[Fraction | str, ...], digits: int = 30) -> asymp.enclosure.Enclosure | None:
    """The value; None where it is refused."""
    letters = "xyzw"[: len(arguments)]
    values = dict(zip(letters, map(str, arguments), strict=True))
    try:
        return asymp.enclose(f"{name}({', '.join(letters)})", values, digits=digits)
    except (Undecided, InputError, ParseError):
        return None


def by_mpmath(name: str, arguments: tuple[Fraction, ...]) -> mpmath.mpf | None:
    """mpmath's value, the same at two precisions; None where there is none, or it is not real."""
    found = []
    for digits in (45, 60):
        with mpmath.workdps(digits):
            try:
                numbers = [mpmath.mpf(x.numerator) / x.denominator for x in arguments]
                value = mpmath.mpmathify(BY_MPMATH[name](*numbers)) if (name, len(numbers)) != ("log", 2) else mpmath.log(*numbers)
            except (ValueError, ZeroDivisionError, OverflowError, TypeError, mpmath.libmp.NoConvergence):
                return None
            if not mpmath.isfinite(value) or abs(mpmath.im(value)) > mpmath.mpf(10) ** -30 * (1 + abs(value)):
                return None
            found.append(mpmath.re(value))
    with mpmath.workdps(60):
        return found[1] if abs(found[0] - found[1]) <= mpmath.mpf(10) ** -38 * (abs(found[1]) + mpmath.mpf(10) ** -20) else None


def test_every_row_that_is_typed_can_be_enclosed():
    assert set(FUNCTIONS) >= {row.name for row in ROWS if row.ball or row.exact}
    assert {name for name in NAMES if not any(enclosed(name, p) for n in counts(name) for p in points(name, n))} == set()


@pytest.mark.parametrize("name", NAMES)
def test_it_holds_the_value_inside_and_at_the_ends(name):
    compared = 0
    for arguments in (p for n in counts(name) for p in points(name, n)):
        found = enclosed(name, arguments)
        if found is None:
            continue
        true = by_mpmath(name, arguments)
        if true is None:
            continue
        with mpmath.workdps(60):
            gap = abs(mpmath.mpf(found.value) - true)
            assert gap <= mpmath.mpf(found.radius) + mpmath.mpf(10) ** -36 * (abs(true) + mpmath.mpf(10) ** -20), (name, arguments)
            assert mpmath.mpf(found.radius) <= mpmath.mpf(10) ** -29 * abs(true), (name, arguments)
        compared += 1
    assert compared >= 6


# --- what is huge ---------------------------------------------------------------------------------------------

HUGE = ("1e1000", "-1e1000 - 1/3", "1e8")
VALUES = {  # by the first terms of expansions of the DLMF, whose next term is far below the digits
    ("loggamma", "1e1000"): lambda n: (n - 0.5) * mpmath.log(n) - n + mpmath.log(2 * mpmath.pi) / 2,
    ("digamma", "1e1000"): mpmath.log,
    ("trigamma", "1e1000"): lambda n: 1 / n,
    ("harmonic", "1e1000"): lambda n: mpmath.log(n) + mpmath.euler,
    ("log", "1e1000"): mpmath.log,
    ("asinh", "1e1000"): lambda n: mpmath.log(2 * n),
    ("acosh", "1e1000"): lambda n: mpmath.log(2 * n),
    ("acot", "1e1000"): lambda n: 1 / n,
    ("atan", "-1e1000"): lambda n: -mpmath.pi / 2,
    ("erf", "-1e1000"): lambda n: mpmath.mpf(-1),
    ("sqrt", "1e1000"): mpmath.sqrt,
    ("zeta", "1e1000"): lambda n: mpmath.mpf(1),
    ("zeta", "1e1000 + 1/2"): lambda n: mpmath.mpf(1),
    ("zeta", "-1e1000"): lambda n: mpmath.mpf(0),
    ("Si", "1e1000"): lambda n: mpmath.pi / 2,
    ("LambertW", "1e1000"): mpmath.lambertw,
    ("fresnels", "-1e1000"): lambda n: mpmath.mpf(-1) / 2,
    ("elliptic_k", "-1e1000"): lambda n: (mpmath.log(16) + mpmath.log(-n)) / (2 * mpmath.sqrt(-n)),
    ("barnesg", "-1e1000"): lambda n: mpmath.mpf(0),
    ("polylog", "1e1000", "1/2"): lambda s, z: z,
    ("polylog", "2", "-1e1000"): lambda s, z: -(mpmath.pi**2) / 6 - mpmath.log(-z) ** 2 / 2,
    ("harmonic", "1/3", "1e1000"): lambda n, m: mpmath.mpf(1),
    ("expint", "1e1000", "2"): lambda p, x: mpmath.exp(-x) / p,
    ("bessely", "0", "1e-1000"): lambda nu, x: 2 / mpmath.pi * (mpmath.log(x / 2) + mpmath.euler),
    ("hyp1f1", "1/3", "1/3", "-1e8"): lambda a, b, x: mpmath.exp(x),
}


@pytest.mark.parametrize("case", VALUES, ids=" ".join)
def test_values_far_out(case):
    name, *arguments = case
    found = enclosed(name, tuple(arguments), 25)
    assert found is not None
    with mpmath.workdps(1100):
        true = mpmath.re(VALUES[case](*(mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator if "/" in x and " " not in x
                                        else mpmath.mpf(x.split()[0]) for x in arguments)))  # fmt: skip
        assert abs(mpmath.mpf(found.value) - true) <= mpmath.mpf(found.radius) + mpmath.mpf(10) ** -24 * abs(true)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_huge_has_a_value_or_is_refused_and_never_hangs(name):
    for n in counts(name):
        for huge in HUGE:
            for arguments in {(huge,) * n, ("2",) * (n - 1) + (huge,), (huge,) + ("1/3",) * (n - 1)}:
                start = time.perf_counter()
                enclosed(name, arguments)
                assert time.perf_counter() - start < LONGEST, (name, arguments)


@pytest.mark.parametrize(("name", "arguments"), [
    ("polylog", ("-1e20 - 1/3", "1/3")), ("polylog", ("1e8", "-3")), ("zeta", ("-1e8 - 1/2", "1/3")), ("harmonic", ("1/3", "-1e8 - 1/2")),
    ("barnesg", ("-1e20 - 1/3",)), ("besselj", ("-1e6 - 1/3", "2")), ("lowergamma", ("-1e6 - 1/3", "2")),
    ("polygamma", ("1e20", "-1/2")), ("zeta", ("-15000.5", "1/3")),
])  # fmt: skip
def test_where_flint_would_take_hours_or_end_the_process_it_is_refused(name, arguments):
    assert enclosed(name, arguments) is None
