"""Parametric integrals and sums: enclosures at many parameters in mixed orders, and bounds, true and false.

``python -m benchmarks.soundness.integrals [--count N] [--seed S]``.  Each family has a closed form, typed here
and evaluated by mpmath; nothing of the truth comes from asymp.  An enclosure is wrong where the true value lies outside
its ball, or where the same question gets another answer when it is asked again after others.  Exit 1 if any is
wrong.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType

import mpmath as mp

from asymp.enclosure import InputError, Undecided, enclose
from asymp.parse import parse_expression
from benchmarks.soundness.statements import Statement

LIMIT = 30
"""Seconds for one enclosure."""
Real = mp.mpf
_pi, _sqrt, _exp, _log = mp.pi, mp.sqrt, mp.exp, mp.log


@dataclass(frozen=True)
class Family:
    """A text in the parameters w and a, its value, and the ranges of the parameters as powers of ten (whole: rounded)."""

    text: str
    value: Callable[[Real, Real], Real]
    w: tuple[float, float] = (-2, 2)
    a: tuple[float, float] = (-1, 1)
    whole: str = ""


def _laplace_over_one_plus_square(w: Real, _: Real) -> Real:
    return mp.ci(w) * mp.sin(w) + (_pi / 2 - mp.si(w)) * mp.cos(w)


FAMILIES = (
    Family("Integral(sin(w*t), (t, 0, 1))", lambda w, a: (1 - mp.cos(w)) / w, (-2, 3)),
    Family("Integral(cos(w*t), (t, 0, a))", lambda w, a: mp.sin(w * a) / w, (-2, 3)),
    Family("Integral(tanh(w*t), (t, 0, a))", lambda w, a: _log(mp.cosh(w * a)) / w),
    Family("Integral(sinh(w*t), (t, 0, a))", lambda w, a: (mp.cosh(w * a) - 1) / w, (-2, 1)),
    Family("Integral(exp(-w*t^2), (t, 0, a))", lambda w, a: _sqrt(_pi / w) * mp.erf(_sqrt(w) * a) / 2, (-2, 6)),
    Family("Integral(1/(a + w*t^2), (t, 0, 3))", lambda w, a: mp.atan(3 * _sqrt(w / a)) / _sqrt(w * a)),
    Family("Integral(exp(-w*t)/(a + t), (t, 0, oo))", lambda w, a: _exp(a * w) * mp.e1(a * w), (-1, 3)),
    Family("Integral(t^a*exp(-w*t^2), (t, 0, oo))", lambda w, a: mp.gamma((a + 1) / 2) / (2 * w ** ((a + 1) / 2))),
    Family("Integral(sin(w*t)/t, (t, 0, a))", lambda w, a: mp.si(w * a)),
    Family("Integral(exp(-t)*sqrt(w + t), (t, 0, oo))", lambda w, a: _exp(w) * mp.gammainc(Real(3) / 2, w)),
    Family("Integral(exp(-w*t)*sin(a*t), (t, 0, oo))", lambda w, a: a / (a * a + w * w)),
    Family("Integral(exp(-w*t)*cos(a*t), (t, 0, oo))", lambda w, a: w / (a * a + w * w)),
    Family("Integral(log(1 + w*t), (t, 0, a))", lambda w, a: ((1 + w * a) * _log(1 + w * a) - w * a) / w),
    Family("Integral((1 + w*t)^(-2*a - 2), (t, 0, 1))", lambda w, a: (1 - (1 + w) ** (-2 * a - 1)) / (w * (2 * a + 1))),
    Family("Integral((1 + w*t)^a, (t, 0, 1))", lambda w, a: ((1 + w) ** (a + 1) - 1) / (w * (a + 1))),
    Family("Integral(t^a*(1 - t)^w, (t, 0, 1))", lambda w, a: mp.beta(a + 1, w + 1)),
    Family("Integral(t^w*(1 - t)^w, (t, 0, 1))", lambda w, a: mp.beta(w + 1, w + 1), (0, 4), whole="w"),
    Family("Integral(exp(-w*cosh(t)), (t, 0, oo))", lambda w, a: mp.besselk(0, w)),
    Family("Integral(exp(w*cos(t)), (t, 0, pi))", lambda w, a: _pi * mp.besseli(0, w)),
    Family("Integral(cos(w*sin(t)), (t, 0, pi))", lambda w, a: _pi * mp.besselj(0, w), (-2, 1.5)),
    Family("Integral(cos(a*t)*exp(-w*t^2), (t, 0, oo))", lambda w, a: _sqrt(_pi / w) / 2 * _exp(-a * a / (4 * w)), (-1, 2)),
    Family("Integral(t/(exp(w*t) - 1), (t, 0, oo))", lambda w, a: _pi**2 / (6 * w * w)),
    Family("Integral(t^3/(exp(w*t) - 1), (t, 0, oo))", lambda w, a: _pi**4 / (15 * w**4)),
    Family("Integral(1/(exp(w*t) + a), (t, 0, oo))", lambda w, a: _log(1 + a) / (a * w)),
    Family("Integral(exp(-w*t)*log(t), (t, 0, oo))", lambda w, a: -(mp.euler + _log(w)) / w),
    Family("Integral(t^a*log(t), (t, 0, 1))", lambda w, a: -1 / (a + 1) ** 2),
    Family("Integral(exp(-w*(t + 1/t)), (t, 0, oo))", lambda w, a: 2 * mp.besselk(1, 2 * w)),
    Family("Integral(sqrt(1 + w*t), (t, 0, a))", lambda w, a: 2 * ((1 + w * a) ** Real(1.5) - 1) / (3 * w)),
    Family("Integral(atan(w*t), (t, 0, 1))", lambda w, a: mp.atan(w) - _log(1 + w * w) / (2 * w)),
    Family("Integral(log(1 + w*t^2), (t, 0, 1))", lambda w, a: _log(1 + w) - 2 + 2 * mp.atan(_sqrt(w)) / _sqrt(w)),
    Family("Integral(t^a*exp(-w*t), (t, 0, 1))", lambda w, a: mp.gammainc(a + 1, 0, w) / w ** (a + 1)),
    Family("Integral(t^a*exp(-w*t), (t, 1, oo))", lambda w, a: mp.gammainc(a + 1, w) / w ** (a + 1)),
    Family("Integral(erfc(w*t), (t, 0, a))", lambda w, a: a * mp.erfc(w * a) + (1 - _exp(-((w * a) ** 2))) / (w * _sqrt(_pi))),
    Family("Integral(1/(1 + a + cos(t)), (t, 0, pi))", lambda w, a: _pi / _sqrt((1 + a) ** 2 - 1)),
    Family("Integral(sin(w*t)^2, (t, 0, 1))", lambda w, a: Real(1) / 2 - mp.sin(2 * w) / (4 * w)),
    Family("Integral(exp(-w*(t - 1/2)^2), (t, 0, 1))", lambda w, a: _sqrt(_pi / w) * mp.erf(_sqrt(w) / 2), (0, 9), whole="w"),
    Family("Integral(exp(-w*t)/(1 + t^2), (t, 0, oo))", _laplace_over_one_plus_square, (-1, 1.5)),
    Family("Integral(t^w*exp(-t), (t, 0, oo))", lambda w, a: mp.gamma(w + 1), (0, 5), whole="w"),
    Family("Integral((1 - exp(-w*t))/t*exp(-t), (t, 0, oo))", lambda w, a: _log(1 + w)),
    Family("Integral((exp(-a*t) - exp(-w*t))/t, (t, 0, oo))", lambda w, a: _log(w / a)),
    Family("Integral(1/((t + a)*(t + a + w)), (t, 0, oo))", lambda w, a: _log(1 + w / a) / w),
    Family("Integral(log(1 + exp(-w*t)), (t, 0, oo))", lambda w, a: _pi**2 / (12 * w)),
    Family("Integral(t*sin(w*t), (t, 0, 1))", lambda w, a: mp.sin(w) / w**2 - mp.cos(w) / w),
    Family("Integral((t - w)^3, (t, 0, a))", lambda w, a: ((a - w) ** 4 - w**4) / 4),
    Family("Integral(exp(-w*t)*cosh(t/(1 + a)), (t, 0, oo))", lambda w, a: w / (w * w - 1 / (1 + a) ** 2), (0.1, 2)),
    Family("Integral(1/(w + sqrt(t)), (t, 0, 1))", lambda w, a: 2 - 2 * w * _log(1 + 1 / w)),
    Family("Integral(t^(-1/2)*exp(-w*t), (t, 0, a))", lambda w, a: _sqrt(_pi / w) * mp.erf(_sqrt(w * a))),
    Family("Integral(1/(t*(1 + w*t)), (t, 1, oo))", lambda w, a: _log(1 + 1 / w)),
    Family("Integral(exp(a*t)*sin(w*t), (t, 0, 1))",
           lambda w, a: (w + _exp(a) * (a * mp.sin(w) - w * mp.cos(w))) / (a * a + w * w)),
    Family("Sum(1/(k + w)^2, (k, 1, oo))", lambda w, a: mp.zeta(2, w + 1)),
    Family("Sum(1/(k + a), (k, 1, w))", lambda w, a: mp.digamma(w + 1 + a) - mp.digamma(1 + a), (0, 12), whole="w"),
    Family("Sum(log(k + a), (k, 1, w))", lambda w, a: mp.loggamma(w + 1 + a) - mp.loggamma(1 + a), (0, 8), whole="w"),
    Family("Sum((a/(1 + a))^k, (k, 0, w))", lambda w, a: (1 + a) * (1 - (a / (1 + a)) ** (w + 1)), (0, 4), whole="w"),
    Family("Sum(k*(a/(1 + a))^k, (k, 0, oo))", lambda w, a: a * (1 + a)),
    Family("Sum(w^k/factorial(k), (k, 0, oo))", lambda w, a: _exp(w)),
    Family("Sum(w^k/factorial(k), (k, 0, w))", lambda w, a: _exp(w) * mp.gammainc(w + 1, w, regularized=True), (0, 4), whole="w"),
    Family("Sum(binomial(w, k)*a^k, (k, 0, w))", lambda w, a: (1 + a) ** w, (0, 5), whole="w"),
    Family("Sum(1/(k^2 + w^2), (k, 1, oo))", lambda w, a: (_pi * w * mp.coth(_pi * w) - 1) / (2 * w * w)),
    Family("Sum((-1)^k/(k^2 + w^2), (k, 1, oo))", lambda w, a: (_pi * w * mp.csch(_pi * w) - 1) / (2 * w * w)),
    Family("Sum(exp(-w*k^2), (k, 1, oo))", lambda w, a: (mp.jtheta(3, 0, _exp(-w)) - 1) / 2, (-1, 2)),
    Family("Sum(exp(-w*k)*k^2, (k, 1, oo))", lambda w, a: _exp(-w) * (1 + _exp(-w)) / (1 - _exp(-w)) ** 3, (-2, 2)),
    Family("Sum(1/(k*(k + w)), (k, 1, oo))", lambda w, a: (mp.digamma(w + 1) + mp.euler) / w),
    Family("Sum(harmonic(k)*(a/(1 + a))^k, (k, 1, oo))", lambda w, a: (1 + a) * _log(1 + a)),
    Family("Sum(k^a, (k, 1, w))", lambda w, a: mp.zeta(-a) - mp.zeta(-a, w + 1), (0, 9), whole="w"),
    Family("Sum(log(k)/k^(1 + a), (k, 1, oo))", lambda w, a: -mp.zeta(1 + a, derivative=1), a=(-0.5, 1)),
    Family("Sum(exp(-k)*cos(w*k), (k, 0, oo))",
           lambda w, a: (1 - mp.cos(w) / mp.e) / (1 - 2 * mp.cos(w) / mp.e + _exp(-2))),
    Family("Sum((-1)^k*k, (k, 1, w))", lambda w, a: mp.floor((w + 1) / 2) * (-1) ** int(w % 2), (0, 6), whole="w"),
    Family("Sum(1/((k + a)*(k + a + 1)), (k, 1, w))", lambda w, a: 1 / (a + 1) - 1 / (w + a + 1), (0, 9), whole="w"),
    Family("Product(1 + a/k, (k, 1, w))", lambda w, a: mp.gammaprod([w + 1 + a], [w + 1, 1 + a]), (0, 6), whole="w"),
)
DIGITS = (6, 12, 20, 33)


class _Late(BaseException):
    """The time limit: not an Exception."""


def _ring(signum: int, frame: FrameType | None) -> None:
    raise _Late


@dataclass(frozen=True)
class Question:
    """One family at one point."""

    family: int
    w: str
    a: str
    digits: int


def draw(draws: random.Random, count: int) -> list[Question]:
    """Points of families, each family several times, in mixed order; some are asked twice."""
    asked = []
    for number in range(count):
        index = number % len(FAMILIES)
        family = FAMILIES[index]
        texts = []
        for name, powers in (("w", family.w), ("a", family.a)):
            value = 10 ** draws.uniform(*powers)
            if name in family.whole:
                texts.append(str(max(1, round(value))))
            else:
                bottom = draws.choice((1, 2, 3, 7, 10, 64, 1000))
                texts.append(f"{max(1, round(value * bottom))}/{bottom}")
        asked.append(Question(index, *texts, draws.choice(DIGITS)))
    asked += draws.choices(asked, k=count // 4)
    draws.shuffle(asked)
    return asked


def _real(text: str) -> Real:
    top, _, bottom = text.partition("/")
    return Real(top) / Real(bottom or "1")


def verdict(question: Question) -> tuple[str, str]:
    """('right' | 'wrong' | 'undecided' | 'late', what was said)."""
    family = FAMILIES[question.family]
    signal.signal(signal.SIGALRM, _ring)
    signal.alarm(LIMIT)
    try:
        found = enclose(parse_expression(family.text), {"w": question.w, "a": question.a}, digits=question.digits)
    except (Undecided, InputError) as refused:
        return "undecided", str(refused)
    except _Late:
        return "late", ""
    finally:
        signal.alarm(0)
    with mp.workdps(80 + len(question.w)):
        true = mp.re(family.value(_real(question.w), _real(question.a)))
        gap = abs(Real(found.value) - true)
        inside = gap <= Real(found.radius) + abs(true) * Real(10) ** -55
    return ("right" if inside else "wrong"), str(found)


@dataclass(frozen=True)
class _Bounded:
    """An integral in n on [low, high] that rises (or falls) there, and its value."""

    text: str
    value: Callable[[Real], Real]
    low: int
    high: int


_MONOTONE = (
    _Bounded("Integral(tanh(n*t), (t, 0, 1))", lambda n: _log(mp.cosh(n)) / n, 1, 5),
    _Bounded("Integral(exp(-n*t^2), (t, 0, 1))", lambda n: _sqrt(_pi / n) * mp.erf(_sqrt(n)) / 2, 1, 9),
    _Bounded("Integral(1/(1 + n*t), (t, 0, 1))", lambda n: _log(1 + n) / n, 1, 8),
    _Bounded("Integral(log(1 + n*t), (t, 0, 1))", lambda n: ((1 + n) * _log(1 + n) - n) / n, 1, 6),
    _Bounded("Integral(exp(-n*t)/(1 + t), (t, 0, oo))", lambda n: _exp(n) * mp.e1(n), 1, 7),
    _Bounded("Integral(atan(n*t), (t, 0, 1))", lambda n: mp.atan(n) - _log(1 + n * n) / (2 * n), 1, 6),
    _Bounded("Integral(t^n, (t, 0, 1))", lambda n: 1 / (n + 1), 1, 9),
    _Bounded("Integral(sin(n*t), (t, 0, 1/n))", lambda n: (1 - mp.cos(1)) / n, 1, 8),
    _Bounded("Integral(erf(n*t), (t, 0, 1))", lambda n: mp.erf(n) - (1 - _exp(-n * n)) / (n * _sqrt(_pi)), 1, 5),
    _Bounded("Sum(1/(k + n), (k, 1, 100))", lambda n: mp.digamma(101 + n) - mp.digamma(1 + n), 1, 9),
)


def statements() -> Iterator[Statement]:
    """Bounds of monotone integrals over a range of n, off by a little on either side of where they are sharp."""
    with mp.workdps(40):
        for one in _MONOTONE:
            first, last = one.value(Real(one.low)), one.value(Real(one.high))
            least, most = min(first, last), max(first, last)
            for share, side in ((Real("0.3"), 1), (Real("0.01"), 1), (Real("0.0001"), 1)):
                for relation, sharp in (("<=", most), (">=", least)):
                    for outward in (1, -1):
                        sign = outward * (1 if relation == "<=" else -1) * side
                        bound = sharp * (1 + sign * share)
                        text = mp.nstr(bound, 12)
                        holds = sharp <= Real(text) if relation == "<=" else sharp >= Real(text)
                        yield Statement(f"{one.text} {relation} {text} for {one.low} <= n <= {one.high}", None, (),
                                        bool(holds), "integral", f"sharp at {mp.nstr(sharp, 15)}")


def main() -> int:
    """Ask, print, and say whether all is right."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soundness.integrals", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begin = time.perf_counter()
    answers: dict[Question, tuple[str, str]] = {}
    counted: Counter[str] = Counter()
    changed = 0
    undecided: Counter[str] = Counter()
    for question in draw(random.Random(options.seed), options.count):
        found = verdict(question)
        counted[found[0]] += 1
        if found[0] == "wrong":
            print(f"WRONG: {question} {FAMILIES[question.family].text}: {found[1]}", flush=True)
        elif found[0] != "right":
            undecided[FAMILIES[question.family].text] += 1
        if question in answers and answers[question] != found and "late" not in (answers[question][0], found[0]):
            changed += 1
            print(f"CHANGED: {question}: {answers[question]} and then {found}", flush=True)
        answers[question] = found
    print(f"{sum(counted.values())} enclosures: " + ", ".join(f"{name} {number}" for name, number in counted.most_common())
          + f"; {changed} changed when asked again; {time.perf_counter() - begin:.0f} s")
    for text, number in undecided.most_common(12):
        print(f"  {number:>4} without an answer: {text}")
    return 1 if counted["wrong"] or changed else 0


if __name__ == "__main__":
    sys.exit(main())
