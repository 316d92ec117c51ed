"""Expansions that are asked for in text, as objects: what ``asymp expand`` prints, writes as JSON and as LaTeX.

>>> expand("harmonic(n)", to="n->oo")
log(n) + EulerGamma + 1/(2*n) + O(1/n**2)
>>> expand("harmonic(n)", to="n->oo", order=2).record()["terms"]
['log(n)', 'EulerGamma']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from asymp.cas import assumed, said, statement_of
from asymp.check.expansion import expand_text
from asymp.check.explicit import attach
from asymp.export.article import escaped
from asymp.export.cell import formula
from asymp.export.expansion import expansion_latex
from asymp.messages import conditions_given
from asymp.parse import ParseError


@dataclass(frozen=True)
class Expanded:
    """The answer to a question for an expansion: terms and remainder, or cases of these, or a refusal.

    ``str`` of it is what ``asymp expand`` prints, ``record()`` what its ``--json`` writes.
    """

    question: str
    to: str
    data: Mapping[str, Any]
    unknown: str | None = None

    @property
    def refused(self) -> str | None:
        """Why there is no answer; None where there is one."""
        return self.data.get("refused")

    @property
    def cases(self) -> tuple[Mapping[str, Any], ...]:
        """The cases into which the answer splits; of an answer that does not split, or a refusal, it alone."""
        return tuple(self.data.get("cases", [self.data]))

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms, larger ones first, as text.

        Raises:
            ValueError: the answer splits into cases, or is refused.
        """
        if "terms" not in self.data:
            raise ValueError(self.refused or "the answer splits into cases: see cases")
        return tuple(self.data["terms"])

    @property
    def strength(self) -> str:
        """``proved`` where there is a theorem, else ``supported``; empty for a refusal."""
        return str(self.data.get("strength", ""))

    def record(self) -> dict[str, Any]:
        """The answer as plain data."""
        return dict(self.data)

    def latex(self) -> str:
        """The answer as one formula.

        Raises:
            ValueError: it is a refusal.
        """
        return expansion_latex(self.question, self.data, self.to, self.unknown)

    def __str__(self) -> str:
        if self.refused is not None:
            return f"refused: {self.refused}"
        lines = [_line(case) for case in self.cases]
        return "\n".join([*lines, *([self.data["explicit"]] if "explicit" in self.data else [])])

    __repr__ = __str__

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$" if self.refused is None else ""

    def _repr_html_(self) -> str:
        return formula(self.latex()) if self.refused is None else escaped(str(self))


def _line(case: Mapping[str, Any]) -> str:
    when = f"[{case.get('when', case.get('root'))}]  " if "when" in case or "root" in case else ""
    if "refused" in case:
        return f"{when}refused: {case['refused']}"
    rest = case["remainder"]
    terms = [*case["terms"], *([] if rest["growth"] == "0" else [f"{rest['kind']}({rest['growth']})"])]
    ending = f"   [at most {rest['constant']} times it, from {rest['valid_from']} on]" if rest["kind"] == "B" else ""
    fewer = f"   [{case['fewer']}]" if "fewer" in case and rest["growth"] != "0" else ""
    return when + (" + ".join(terms).replace("+ -", "- ") or "0") + ending + fewer


def expand(
    what: str | sp.Expr | None = None,
    *,
    order: int = 3,
    to: str | None = None,
    assume: Iterable[str] | str = (),
    explicit: bool = False,
    equation: str | sp.Rel | None = None,
    unknown: str | sp.Symbol | None = None,
) -> Expanded:
    """The first terms of an expansion and its remainder.

    Args:
        what: an expression, as text or of SymPy.
        order: how many terms.
        to: what tends where, such as ``"n->oo"`` or ``"n->oo, p=n^(-a)"``.
        assume: ranges of parameters, such as ``"a>0"``.
        explicit: a constant for the remainder, and the point from which it holds.
        equation, unknown: in place of ``what``, an equation for the root of which the expansion is wanted.

    Returns:
        An :class:`Expanded`, also where the expansion is refused.

    Raises:
        ParseError: text that cannot be read, in one line.

    >>> expand(equation="x*exp(x) = n", unknown="x", to="n->oo", order=2)
    [x > 0]  log(n) - log(log(n)) + O(log(log(n))/log(n))
    >>> expand(sp.harmonic(sp.Symbol("n")), to="n->oo", order=2)
    log(n) + EulerGamma + O(1/n)
    """
    conditions_given(to, assume)
    if isinstance(order, bool) or not isinstance(order, int):
        raise TypeError(f"order= is a whole number, not {order!r}")
    if what is not None and not isinstance(what, str | sp.Expr):
        raise TypeError(f"an expression is text or one of SymPy, not of the type {type(what).__name__}")
    assume = [assume] if isinstance(assume, str) else list(assume)
    if isinstance(what, sp.Expr):
        what, assume = said(what), [*_needed(assumed(what), to), *assume]
    if isinstance(equation, sp.Basic):
        equation, _, about = statement_of(equation)
        assume = [*(one for one in _needed(about, to) if one != f"real {unknown}"), *assume]  # it is a root, of an interval
    if unknown is not None:
        unknown = str(unknown)
    return answered(what, order, to=to, assume=assume, explicit=explicit, equation=equation, unknown=unknown)


def _needed(conditions: Iterable[str], to: str | None) -> list[str]:
    """Those that what tends does not say: as n -> oo it is in the end > 0."""
    ends = {part.strip() for part in (to or "").replace(" ", "").split(",")}
    implied = {f"{end.partition('->')[0]} {sign} 0" for end in ends if end.endswith(("->oo", "->0+")) for sign in (">", ">=")}
    return [one for one in conditions if one not in implied]


def answered(
    what: str | None,
    order: int = 3,
    *,
    to: str | None,
    assume: Iterable[str] | str = (),
    explicit: bool = False,
    equation: str | None = None,
    unknown: str | None = None,
) -> Expanded:
    """The answer to a question in text; see :func:`expand`."""
    if (what is None) == (equation is None) or (equation is not None and not unknown):
        raise ParseError("give one expression, or an equation and its unknown")
    if to is None:
        raise ParseError('say what tends where, such as to="n->oo"')
    data = expand_text(what, to, assume, order, equation=equation, unknown=unknown)
    if explicit and what is not None:
        data = attach(data, what, to, assume)
    return Expanded(what or equation or "", to, data, unknown)
