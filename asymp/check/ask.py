r"""Statements that are typed in: read as a claim, and judged like every other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from asymp.check.judge import check
from asymp.claim import Outcome, Strength, Verdict
from asymp.parse import claim

if TYPE_CHECKING:
    import sympy as sp


def ask(
    statement: str | sp.Rel | None = None, to: str | None = None, assume: Iterable[str] | str = (), quick: bool = False,
    so_far: Callable[[Verdict], None] | None = None, *, latex: str | None = None, notation: Mapping[str, str] | None = None,
) -> Verdict:
    r"""The verdict on a statement that is typed in.

    Args:
        statement: as for :func:`asymp.parse.parse_statement`; or a relation of SymPy.
        to: the limit, such as ``"n->oo"``.
        assume: ranges of parameters, such as ``"alpha>1"``.
        quick, so_far: as for :func:`asymp.check.check`.
        latex: in place of ``statement``, a formula in LaTeX; ``to`` and ``assume`` may be LaTeX too.
        notation: what the signs of the formula mean, as for :func:`asymp.latex.asked.asked`.

    Raises:
        ParseError: text that cannot be read, in one line; a formula of several readings, with all of them.

    >>> ask(latex=r"H_n \sim \ln n", to=r"n \to \infty").strength.value
    'proved'
    >>> verdict = ask("harmonic(n) ~ log(n)", to="n->oo")
    >>> verdict.outcome.value, verdict.strength.value, verdict.next_term
    ('holds', 'proved', 'EulerGamma/log(n)')
    >>> ask("1 = O(sin(n))", to="n->oo").evidence[0].detail
    'a theorem in 1 step (along): fails along n = k*pi'
    """
    if (statement is None) == (latex is None):
        raise TypeError("give a statement, or latex=")
    if statement is None:
        from asymp.latex.asked import asked  # only where there is a formula: it loads a reader of LaTeX

        statement, to, assume = asked(str(latex), to, assume, notation), None, ()
    return check(claim("ask/typed", statement, to=to, source="typed in, typed in", assume=assume), quick, so_far)


def confirmed(leaf: str) -> str:
    """Judges the statement of a leaf as one that is typed in: why it is not upheld, empty where it is.

    >>> confirmed("E1(x) = exp(-x)/x + O(exp(-x)/x^2) as x -> oo"), confirmed("E1(x) = O(exp(-x)/x^2) as x -> oo")[:7]
    ('', 'refuted')
    """
    verdict = ask(leaf, quick=True)
    if verdict.outcome is Outcome.HOLDS and verdict.strength not in (Strength.PROVED, Strength.CERTIFIED):
        return f"only {verdict.strength}"
    held = verdict.outcome is Outcome.HOLDS
    return "" if held else f"{verdict.outcome}: {verdict.reason or '; '.join(line.detail for line in verdict.evidence)}"
