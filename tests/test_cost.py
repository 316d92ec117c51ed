"""What is typed in is read in bounded work: an expression, or one line that says why not; later stages do not hang on it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
import sympy as sp

import asymp
import asymp.symbolics as sy
from asymp.kernel.terms import Refused
from asymp.parse import parse_expression

ROOT = Path(asymp.__file__).resolve().parents[1]
PRIMES = list(sp.primerange(2, 400))
LONG = "(10^6000+7)"
COSTLY = [
    f"sqrt{LONG}", f"{LONG}^(1/3)", f"n*{LONG}^(2/7)", f"sqrt({LONG}*n)", f"-sqrt{LONG}/2 + n", f"(1+sqrt{LONG})^2",
    f"log{LONG}", f"log({LONG}, 3)", f"exp(log{LONG}/2)", f"atanh{LONG}", f"floor(log{LONG})", f"li{LONG}", f"sin{LONG}",
    "(10^999+9)^(1/2)*(10^999+9)^(1/3)", "n^(1/(10^400+69))", "2^(1/(10^6000+7))",
    "harmonic(1000, 999)", "harmonic(1000, 1000)", "n + harmonic(10^4, 10^3)", "harmonic(500+1/7)",
    "(a+b+c+d)^500", "(n+1)^(10^7) - n^(10^7)", "((n+1)^100+1)^100", "(sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7))^400",
    "Max(" + ", ".join(f"a{k}*n+{k}" for k in range(30)) + ")", "Min(" + ", ".join(f"x{k}^2-n" for k in range(40)) + ")",
    "binomial(10^5, 5*10^4)", "binomial(n, 10^6)", "binomial(10^6+1/2, 10^3)", "factorial(999)!", "((5!)!)!", "n" + "!" * 500,
    "zeta(200)", "zeta(-199)", "zeta(10^9)", "gamma(1/2+10^6)", "gamma(10^9)", "rf(10^9, 10^9)", "catalan(10^6)",
    "cos(pi/10007)", "tan(pi/7919)", "cos(pi/65537)", "sin(200*asin(1/3))", "cosh(1000*acosh(2))", "asin(sin(10^300))",
    "(" * 2000 + "n" + ")" * 2000, "-" * 2000 + "n", "2^" * 500 + "2", "1/" * 900 + "n", "sqrt(" * 50 + "n" + ")" * 50,
    "*".join(f"{p}^(1/2)" for p in PRIMES), "sqrt(" + "*".join(str(10**20 + k) for k in range(60)) + ")",
    "log(" + "*".join(str(10**20 + k) for k in range(60)) + ")", "exp(" + "+".join(f"log(n+{k})" for k in range(200)) + ")",
    "(2^(10^6)+1)^(1/2)", "(2/3)^(10^6)*(3/2)^(10^6+1)", "1e1000000*1e1000000", "sqrt(1e999999)", "2^3^4^5",
    "Sum(k^100, (k, 1, 10^6))", "Sum(1/k, (k, 1, 10^9))", "Product(k, (k, 1, 10^5))", "Integral((x+1)^1000, (x, 0, 1))",
    "polygamma(10^9, n)", "uppergamma(1000, n)", "besselk(101/2, n)", "polylog(-49, n)",
]  # fmt: skip
EXPANDED = [
    f"sqrt{LONG}", "n*(10^4400+7)^(1/3) + 1", f"log{LONG}/n", "harmonic(1000, 999)/n", "(a+b+c+d)^500*n", "(n+1)^(10^7)",
    "uppergamma(450, n)", "Sum((n+k)^500, (k, 1, n))", "+".join(f"n^{k}" for k in range(1, 900)),
    "Integral(exp(-n*(t^a+t^2)), (t, 0, 1))",
]  # fmt: skip

LARGER = [f"n*{LONG}^(1/3) + 1", "uppergamma(1000, n)"]

BATCH = """
import json, os, resource, sys
from asymp.check.expansion import expand_text
from asymp.parse import ParseError, parse_expression

work = {"parse": parse_expression, "expand": lambda text: expand_text(text, "n->oo", order=1)}[sys.argv[1]]
for text in json.load(sys.stdin):
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (1536 << 20, 1536 << 20))
        resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]), int(sys.argv[2])))
        try:
            work(text)
            code = 0
        except ParseError as error:
            code = 0 if len(str(error).splitlines()) == 1 else 3
        except MemoryError:
            code = 4
        except BaseException:
            code = 5
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def batch(stage: str, texts: list[str], seconds: int) -> list[str]:
    """The texts that did not end well, each read in a process of its own with limited memory and processor time."""
    found = subprocess.run(
        [sys.executable, "-c", BATCH, stage, str(seconds)], input=json.dumps(texts), capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    codes = found.stdout.split()
    assert len(codes) == len(texts), found.stderr
    return [f"{code}: {text[:70]}" for code, text in zip(codes, texts, strict=True) if code != "0"]


def test_what_would_take_minutes_is_read_or_refused():
    assert batch("parse", COSTLY, 60) == []


@pytest.mark.slow
def test_later_stages_do_not_hang_on_it():
    assert batch("expand", EXPANDED, 120) == []


@pytest.mark.slow
def test_later_stages_do_not_hang_on_what_is_larger():
    assert batch("expand", LARGER, 120) == []


def grown(draw: random.Random, depth: int) -> str:
    """A random expression with numbers and powers that are much too large here and there."""
    if depth == 0 or draw.random() < 0.15:
        return draw.choice(["n", "x", "a", "2", "7/3", "10^400+69", LONG, "10^30", "1e5000", "999", "1/997", "pi", "E", "10^6"])
    inner = grown(draw, depth - 1)
    other = grown(draw, depth - 1)
    return draw.choice([
        f"({inner}+{other})", f"({inner}-{other})", f"({inner})*({other})", f"({inner})/({other})", f"({inner})^({other})",
        f"sqrt({inner})", f"log({inner})", f"exp({inner})", f"harmonic({inner})", f"harmonic({inner}, {other})", f"({inner})!",
        f"binomial({inner}, {other})", f"gamma({inner})", f"zeta({inner})", f"cos(pi/({inner}))", f"floor({inner})",
        f"Max({inner}, {other}, {inner}+1)", f"polylog({inner}, {other})", f"Sum(k^({inner}), (k, 1, {other}))", f"tan({inner})",
        f"uppergamma({inner}, {other})", f"({inner})^(1/3)", f"atan({inner})", f"rf({inner}, {other})", f"sign({inner})",
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(2))
def test_generated_expressions_are_read_or_refused(seed):
    draw = random.Random(seed)
    assert batch("parse", [grown(draw, 3) for _ in range(60)], 30) == []


def test_a_long_number_under_a_root_stays_exact():
    assert parse_expression("sqrt(10^6000)") == 10**3000
    assert parse_expression("(8*10^3000)^(2/3)") == 4 * 10**2000
    left = parse_expression("sqrt(10^6000+7)")
    assert left.is_Pow and left.args == (sp.Integer(10**6000 + 7), sp.Rational(1, 2))
    assert str(asymp.enclose(left, digits=5).value) == "1.0000e+3000"


def test_the_door_turns_errors_into_refusals():
    x = sp.Symbol("x")
    for failing in (
        lambda: sy.poly(1 / x, x), lambda: sy.solve(sp.exp(x) + sp.sin(x) + x**x, x), lambda: sy.degree(sp.sin(x) / x, x),
        lambda: sy.real_roots(sp.sin(x)), lambda: sy.degree(1 / (x + 1), x),
    ):  # fmt: skip
        with pytest.raises(Refused):
            failing()


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit])
def test_the_door_lets_interrupts_pass(error):
    def interrupted() -> None:
        raise error

    with pytest.raises(error), sy.refusing("a test"):
        interrupted()


def test_the_door_hides_no_bug_of_ours():
    with pytest.raises(TypeError), sy.refusing("a test"):
        len(3)  # type: ignore[arg-type]


def test_what_is_multiplied_out_is_counted_first():
    a, b, c, d = sp.symbols("a b c d")
    for huge in ((a + b + c + d) ** 500, sp.exp((a + b) ** 9999), (a + b) ** 60 * (c + d) ** 90, (a + b) ** sp.Rational(20001, 2)):
        for function in (sy.expand, sy.factor, sy.cancel, sy.simplify, sy.together):
            with pytest.raises(sy.SymbolicFailure):
                function(huge)
    small = (a + b) ** 5 * (c - d) ** 3 + (a * b) ** 300
    assert sy.terms(small) >= len(sp.Add.make_args(sy.expand(small)))
