"""Ctrl-C and time limits end an enclosure where they come, and leave no wrong ball behind."""

from __future__ import annotations

import signal
import subprocess
import sys

import mpmath
import pytest
from flint import acb, arb, ctx

from asymp.enclosure import enclose
from asymp.enclosure.quadrature import Waiting, integral
from asymp.parse import parse_expression


class Late(BaseException):
    """Not an Exception, as a time limit's is not."""


@pytest.fixture
def alarm():
    """SIGALRM raises Late."""

    def ring(*_: object) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, Late, SystemExit, GeneratorExit, MemoryError])
@pytest.mark.parametrize("at", [1, 2, 3, 7, 20])
def test_what_the_integrand_raises_is_raised_and_ends_the_integral(error, at):
    calls = []

    def f(z: acb, _: bool) -> acb:
        calls.append(z)
        if len(calls) == at:
            raise error("here")
        return z.exp() * z.sin()

    with pytest.raises(error, match="here"):
        integral(f, acb(0), acb(30))
    assert len(calls) == at
    assert integral(lambda z, _: z.exp(), acb(0), acb(1)).real.overlaps(arb(1).exp() - 1)


@pytest.mark.parametrize("at", [1, 2, 9, 30])
def test_a_signal_inside_an_integral_ends_it_with_what_its_handler_raises(alarm, at):
    calls = []

    def f(z: acb, _: bool) -> acb:
        calls.append(z)
        if len(calls) == at:
            signal.raise_signal(signal.SIGALRM)
        return z.exp() * z.sin()

    with pytest.raises(Late):
        integral(f, acb(0), acb(30))
    assert len(calls) == at


def test_a_signal_whose_handler_returns_costs_an_integral_nothing_but_time():
    rung, calls = [], []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))

    def f(z: acb, _: bool) -> acb:
        calls.append(z)
        if len(calls) % 3 == 0:
            signal.raise_signal(signal.SIGALRM)
        return z.exp()

    try:
        value = integral(f, acb(0), acb(3))
    finally:
        signal.signal(signal.SIGALRM, before)
    assert value.real.overlaps(arb(3).exp() - 1)
    assert value.real.rad() < 1e-6
    assert rung


def test_handlers_are_put_back():
    here = signal.getsignal(signal.SIGINT)
    with pytest.raises(ValueError, match="no"), Waiting():
        raise ValueError("no")
    assert signal.getsignal(signal.SIGINT) is here
    integral(lambda z, _: z, acb(0), acb(1))
    assert signal.getsignal(signal.SIGINT) is here


def test_a_signal_at_any_time_leaves_no_wrong_ball(alarm):
    """The alarm rings later and later: each enclosure ends in Late, or is right; so is the next one, from the caches."""
    text = "Integral(tanh(w*t)*exp(-t^2/w), (t, 0, 1))"
    expr = parse_expression(text)
    ctx_before, late, right = ctx.prec, 0, 0
    with mpmath.workdps(30):
        true = {w: mpmath.quad(lambda t, w=w: mpmath.tanh(w * t) * mpmath.exp(-t * t / w), [0, 0.2, 1]) for w in range(2, 26)}
        for w, value in true.items():
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0004 * (w - 1) ** 1.7)
                found = enclose(expr, {"w": w}, digits=18)
                signal.setitimer(signal.ITIMER_REAL, 0)
                right += 1
            except Late:
                late += 1
                found = enclose(expr, {"w": w}, digits=18)
            assert abs(mpmath.mpf(found.value) - value) <= mpmath.mpf(found.radius) + mpmath.mpf(10) ** -24, (w, str(found))
            assert ctx.prec == ctx_before
    assert late


SCRIPT = """
import signal, sys
from asymp.enclosure import enclose
from asymp.parse import parse_expression
expr = parse_expression("Integral(exp(sin(w*t^2))*sin(w*t), (t, 0, 40))")
w = 1
signal.signal(signal.SIGALRM, signal.default_int_handler)
try:
    signal.setitimer(signal.ITIMER_REAL, float(sys.argv[1]))
    while True:
        w += 1
        enclose(expr, {"w": w}, digits=60)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("after", ["0.3", "0.7"])
def test_an_interrupt_ends_a_long_enclosure(after):
    """Nothing else would end it: the loop goes on for ever."""
    done = subprocess.run([sys.executable, "-c", SCRIPT, after], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.split()[-1:] == ["interrupted"], (done.stdout, done.stderr[-1500:])
    assert "Exception ignored" not in done.stderr
