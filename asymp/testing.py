"""Claims as tests: one line in a test file, one test a claim.

In ``test_claims.py``::

    from asymp.testing import claims_test

    test_claims = claims_test("my_claims.py")  # or a registered paper: claims_test("lfms")

A relative path is looked for beside the test file first.  Every claim is one item of pytest; it
passes when the outcome is the expected one, and a failure shows the evidence.  A verdict that the user's store has is taken from
there (``asymp store``; with ``ASYMP_STORE=off`` there is none).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path

from asymp import registry
from asymp.claim import Claim, Verdict


def claims_test(
    target: str | Path, quick: bool = False, slow: Sequence[str] = (), trust: bool = False
) -> Callable[[str], None]:
    """A parametrised test function for the claims of a file or a registered paper; a claim of a paper is read in its own test.

    Args:
        target: a file's path or a paper's key.
        quick: as for ``asymp check --quick``.
        trust: whether the model that a TOML file names may run.
        slow: ids of claims to be marked ``slow`` (leave them out with ``-m "not slow"``).

    Raises:
        RegistryError: no such paper or file, a file that cannot be read, or no claims: that is no test passed.
    """
    import pytest

    ids, found = _claims(target, _folder_of_caller(), trust)
    marks = {name: [pytest.mark.slow] for name in slow}

    @pytest.mark.parametrize("claim_id", [pytest.param(name, id=name, marks=marks.get(name, [])) for name in ids])
    def test(claim_id: str) -> None:
        assert_as_expected(found(claim_id), quick=quick)

    test.__doc__ = f"The claims of {target}."
    return test


def assert_as_expected(claim: Claim, quick: bool = False) -> Verdict:
    """Check a claim; AssertionError, with the evidence, unless the outcome is the expected one."""
    __tracebackhide__ = True
    from asymp.command.claims import kept_or_checked

    verdict = kept_or_checked(claim, quick)
    if not verdict.as_expected:
        raise AssertionError(explain_failure(verdict))
    return verdict


def explain_failure(verdict: Verdict) -> str:
    """What a failed test says: the claim, both outcomes, and the evidence."""
    from asymp.export.table import evidence_text

    claim = verdict.claim
    lines = [
        f"{claim.id} ({claim.source.locator} of {claim.source.key}): {verdict.outcome}, {verdict.strength};"
        f" expected {claim.expected}",
        claim.statement,
    ]
    if verdict.reason:
        lines.append(verdict.reason)
    return "\n".join([*lines, evidence_text(verdict.evidence)]).rstrip()


def _claims(target: str | Path, beside: Path | None, trust: bool) -> tuple[tuple[str, ...], Callable[[str], Claim]]:
    """The ids, and what finds the claim of an id."""
    if str(target) in registry.papers():
        return registry.paper(str(target)).ids(), registry.find_claim
    claims = {claim.id: claim for claim in _of_file(target, beside, trust)}
    if not claims:
        raise registry.RegistryError(f"{target}: no claims")
    return tuple(claims), claims.__getitem__


def _of_file(target: str | Path, beside: Path | None, trust: bool) -> tuple[Claim, ...]:
    path = Path(target)
    if not path.is_absolute() and beside is not None and (beside / path).is_file():
        path = beside / path
    if path.suffix not in (".py", *registry.DATA) and not path.is_file():
        registry.paper(str(target))  # says what there is
    return registry.load_file(str(path), trust)


def _folder_of_caller() -> Path | None:
    frame = inspect.currentframe()
    for _ in range(2):
        frame = frame.f_back if frame is not None else None
    file = frame.f_globals.get("__file__") if frame is not None else None
    return Path(file).parent if file else None
