"""The public surface: ``import asymp`` is fast, and its verbs work however they are imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

import asymp

ORDERS = {
    "the verb first": "import asymp; v = asymp.check(asymp.claim('a/b', 'n + 1 ~ n', to='n->oo', source='me, 1'))",
    "the room first": "from asymp.check import check; from asymp.parse import claim; import asymp;"
    " v = asymp.check(claim('a/b', 'n + 1 ~ n', to='n->oo', source='me, 1'))",
    "the noun first": "from asymp.claim import Claim; import asymp;"
    " v = asymp.check.check(asymp.claim('a/b', 'n + 1 ~ n', to='n->oo', source='me, 1'))",
    "star": "from asymp import *; v = check(claim('a/b', 'n + 1 ~ n', to='n->oo', source='me, 1'))",
}


@pytest.mark.parametrize("order", ORDERS)
def test_verbs_work_whatever_was_imported_first(order):
    code = ORDERS[order] + "; assert v.outcome == 'holds', v"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_importing_asymp_imports_nothing_heavy():
    code = "import sys, asymp; print([m for m in ('sympy', 'numpy', 'flint', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", asymp.__all__)
def test_every_public_name_is_there(name):
    assert getattr(asymp, name) is not None
    assert name in dir(asymp)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'chekc'"):
        asymp.chekc  # noqa: B018 - what is tested


FINITE = (
    "n! >= 2^n for whole n >= 4", "log(x)/x is decreasing in x for x > 3", "x^2 = 4 iff x = 2 for x > 0", "EulerGamma rounds to 0.5772",
    "x*exp(x) = 3 has one root x in (0, oo)", "x = 1 for x in {1, 2}", "gamma(x)*gamma(1 - x) = pi/sin(pi*x) for 0 < x < 1",
)  # fmt: skip


LIMITS = ("harmonic(n) ~ log(n) as n -> oo", "n! ~ sqrt(2*pi*n)*(n/E)^n as whole n -> oo", "(1 + 1/n)^n -> 3 as n -> oo")


def test_what_the_kernel_decides_needs_no_sympy():
    """It is read, asked for its meaning, decided, set against numbers and shown."""
    code = "import sys; sys.modules['sympy'] = None\nfrom asymp.cli import main\nfor text in sys.argv[1:]: print(main(['ask', text]))"
    run = subprocess.run([sys.executable, "-c", code, *FINITE, *LIMITS], capture_output=True, text=True, check=False)
    assert run.returncode == 0 and not run.stderr, run.stderr
    assert run.stdout.count("holds, proved") >= 7 and run.stdout.count("refuted, proved") >= 2


def test_a_verb_with_the_name_of_a_room_is_one_whatever_was_imported():
    import asymp.latex

    claim = asymp.claim("my/harmonic", "harmonic(n) ~ log(n)", to="n->oo", source="me, eq. (1)")
    assert asymp.latex(claim) and str(asymp.latex.read(r"H_n \sim \ln n", to=r"n \to \infty")) == "harmonic(n) ~ log(n) as n -> oo"
