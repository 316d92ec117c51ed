"""Verdicts on claims, and on statements in text: the object that ``asymp ask`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from asymp.check.ask import ask
from asymp.check.judge import check as check_claim
from asymp.check.theorems import explained
from asymp.claim import Claim, Verdict
from asymp.export.cell import cell
from asymp.messages import conditions_given

if TYPE_CHECKING:
    import sympy as sp


def check(
    claim: Claim | str | sp.Rel | None = None, quick: bool = False, *, to: str | None = None, assume: Iterable[str] | str = (),
    latex: str | None = None, notation: Mapping[str, str] | None = None,
) -> Verdict:
    r"""The verdict on a claim, or on a statement as text, as LaTeX or as a relation of SymPy.

    Args:
        claim: a claim; or a statement: ``"harmonic(n) ~ log(n)"``, ``"log(n) <= n for n >= 1"``, ``sp.Lt(sp.log(n), n)``.
        quick: fewer paths and instances in the numerical confirmation, and no samples.
        to: of a statement, what tends where: ``"n->oo"``.
        assume: of a statement, ranges of parameters: ``"alpha>1"``.
        latex: in place of a claim, a statement as LaTeX; ``to`` and ``assume`` may then be LaTeX too.
        notation: what its signs mean, and answers to what is ambiguous: ``{"mun": r"\mu_n", r"\log": r"\ln"}``.

    What a symbol of SymPy is said to be (``integer=True``, ``positive=True``) is part of the statement, and an O or a limit
    of SymPy says what tends.

    Raises:
        ParseError: what cannot be read, in one line.

    >>> check("harmonic(n) ~ log(n)", to="n->oo").next_term
    'EulerGamma/log(n)'
    >>> check(latex=r"\ln n! = n \ln n - n + O(\ln n)", to=r"n \to \infty").outcome.value
    'holds'
    >>> import sympy as sp
    >>> n = sp.Symbol("n", positive=True)
    >>> verdict = check(sp.Lt(sp.log(n), n - 1))
    >>> verdict.claim.statement, verdict.outcome.value
    ('log(n) < n - 1 for real n > 0', 'refuted')
    """
    conditions_given(to, assume)
    if isinstance(claim, str) and claim.endswith((".toml", ".tex")) and " " not in claim:
        raise TypeError(f"a file of claims is checked by asymp.Paper({claim!r}).check()")
    if isinstance(claim, Claim):
        if latex is not None or notation is not None:
            raise TypeError("give a claim, or latex=")
        if to is not None or assume:
            raise TypeError("a claim says what tends where itself: to and assume belong to a statement as text")
        return check_claim(claim, quick)
    return explained(ask(claim, to=to, assume=assume, quick=quick, latex=latex, notation=notation))


def shown(item: Claim | Verdict) -> str:
    """What a notebook shows of it, as HTML; of a verdict the derivation too, made of its certificate."""
    return cell(explained(item) if isinstance(item, Verdict) else item)
