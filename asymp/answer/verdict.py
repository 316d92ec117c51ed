"""Verdicts on claims, and on statements in text: the object that ``asymp ask`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from asymp.check.ask import ask
from asymp.check.judge import check as check_claim
from asymp.check.theorems import explained
from asymp.claim import Claim, Verdict


def check(
    claim: Claim | str | None = None, quick: bool = False, *, to: str | None = None, assume: Iterable[str] | str = (),
    latex: str | None = None, notation: Mapping[str, str] | None = None,
) -> Verdict:
    r"""The verdict on a claim, or on a statement as text.

    Args:
        claim: a claim; or a statement, such as ``"harmonic(n) ~ log(n)"`` or ``"log(n) <= n for n >= 1"``.
        quick: fewer paths and instances in the numerical confirmation, and no samples.
        to: of a statement, what tends where: ``"n->oo"``.
        assume: of a statement, ranges of parameters: ``"alpha>1"``.
        latex: in place of a claim, a statement as LaTeX; ``to`` and ``assume`` may then be LaTeX too.
        notation: what its signs mean, and answers to what is ambiguous: ``{"mun": r"\mu_n", r"\log": r"\ln"}``.

    Raises:
        ParseError: text that cannot be read, in one line.

    >>> check("harmonic(n) ~ log(n)", to="n->oo").next_term
    'EulerGamma/log(n)'
    >>> check(latex=r"\ln n! = n \ln n - n + O(\ln n)", to=r"n \to \infty").outcome.value
    'holds'
    """
    if latex is not None or claim is None:
        if isinstance(claim, Claim):
            raise TypeError("give a claim, or latex=")
        return explained(ask(claim, to=to, assume=assume, quick=quick, latex=latex, notation=notation))
    if isinstance(claim, str):
        return explained(ask(claim, to=to, assume=assume, quick=quick))
    if to is not None or assume:
        raise TypeError("a claim says what tends where itself: to and assume belong to a statement as text")
    return check_claim(claim, quick)
