"""Fixtures shared by the rooms' tests."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import asymp.check
from asymp.claim import Claim, Evidence, Outcome, Step, Strength, Verdict, Witness
from asymp.command.worker import COLLECT

# The one profile of all property tests.  How fast the machine is does not make a test fail: no deadline, and no complaint
# of slow generation.  Derandomized: a test that passes for the author passes for whoever runs it next, and a failure comes
# back by itself; the examples follow from the test's own source, so that a change to a test brings new ones.  To search
# on, with fresh examples each time, and with the seed and the failing example printed:
# ``pytest --hypothesis-profile=search``.
SLOW = (HealthCheck.too_slow,)
settings.register_profile("asymp", deadline=None, suppress_health_check=SLOW, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, suppress_health_check=SLOW, print_blob=True, max_examples=1000)
settings.load_profile("asymp")

collect_ignore = ["outside", "typed_user.py"]  # a package of its own, which a test installs; what .ci/wheel asks mypy of

CLAIM_FILE = """
from asymp.parse import claim

CLAIMS = [
    claim("my/harmonic", "harmonic(n) ~ log(n)", to="n->oo", source="me, eq. (1)"),
    claim("my/wrong", "harmonic(n) ~ 2*log(n)", to="n->oo", source="me, eq. (2)",
          expected="refuted", correction="my/right"),
    claim("my/right", "harmonic(n) ~ log(n)", to="n->oo", source="me, eq. (2)",
          as_printed=False, corrects="my/wrong"),
]
"""


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Where Python is told to keep no bytecode, the processes of the tests keep it for one another while the tests run.

    Else each of them compiles all of asymp, which takes as long as what it is started for.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") and "PYTHONPYCACHEPREFIX" not in os.environ:
        kept = tempfile.TemporaryDirectory(prefix="asymp-bytecode-", ignore_cleanup_errors=True)
        os.environ["PYTHONPYCACHEPREFIX"] = kept.name
        session.config.add_cleanup(kept.cleanup)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Garbage is looked for as seldom as in the workers of ``asymp check``, and never in what the collected tests hold.

    That stays to the end, and Python would look through it ever anew: while the modules are imported, and in each of the tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(*COLLECT)


@pytest.fixture
def claim_file(tmp_path: Path) -> Path:
    """A user's file of three claims."""
    path = tmp_path / "my_claims.py"
    path.write_text(CLAIM_FILE, encoding="utf-8")
    return path


def stub_check(claim: Claim, quick: bool = False, so_far: object = None) -> Verdict:
    """A checker that believes every claim's expectation: for tests of what happens around it."""
    if "interrupt" in claim.id:
        raise KeyboardInterrupt
    if "crash" in claim.id:
        import os

        os._exit(9)
    if "raise" in claim.id:
        raise RuntimeError("no such luck")
    outcome = Outcome.HOLDS if claim.relation.kind == "property" else claim.expected
    if "surprise" in claim.id:
        outcome = Outcome.UNDECIDED
    evidence = Evidence(
        "symbolic",
        outcome,
        Strength.PROVED,
        "a 50% case of f_n & g^2 with ≤ and μ",
        (Witness({"n": "1e1000"}, "1." + "3" * 60, "1e-30"),),
        (Step("Stirling's series", r"\log \Gamma(n) \sim n \log n", "DLMF 5.11.1"),),
    )
    return Verdict(claim, outcome, Strength.PROVED, (evidence,), "1/(12*n)", 0.25)


@pytest.fixture
def stubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the judge by the stub (worker processes inherit it)."""
    monkeypatch.setattr(asymp.check, "check", stub_check)
