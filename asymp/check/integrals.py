"""Integrals and series in a form that has balls at n = 10^1000: closed forms, series that are cut far below what is measured.

Terms without integrals and series of logarithms are what they were, and need no SymPy.
"""

from __future__ import annotations

from collections.abc import Mapping

from asymp.kernel import terms
from asymp.kernel.terms import Term

OO = terms.name("oo")


def evaluable(term: Term) -> Term:
    """Integrals over ranges up to 10^1000 in incomplete gamma functions (the identity has its own tests)."""
    if all(part.head != "Integral" for part in terms.walk(term)):
        return term
    from asymp.check import symbolic_integrals as symbolic

    return symbolic.as_term(symbolic.evaluable(symbolic.expression(term)))


def oscillates(term: Term) -> bool:
    """Whether there is an integral or a sum of sines that turn faster and faster: far out it has no ball, and one near by takes
    long."""
    waves = (x for part in terms.walk(term) if part.head in ("Integral", "Sum") for x in terms.walk(part.parts[0]))
    return bool(term.free) and any(x.head in ("sin", "cos") and x.free & term.free for x in waves)


def cut_series(term: Term) -> Term:
    """Infinite series with logarithms, which have no ball by themselves, cut where their terms are far below what is measured."""
    series = (part for part in terms.walk(term) if part.head == "Sum" and part.parts[2] == OO)
    if not any(x.head == "log" for part in series for x in terms.walk(part.parts[0])):
        return term
    from asymp.check import symbolic_integrals as symbolic

    return symbolic.as_term(symbolic.cut_series(symbolic.expression(term)))


def with_whole_limits(term: Term, instance: Mapping[str, Term], shift: int) -> tuple[Mapping[str, Term], Term]:
    """Parameters that end a sum inside an integral are whole numbers, different ones on different runs; such sums written out."""
    integrals = (part for part in terms.walk(term) if part.head == "Integral")
    if not any(x.head == "Sum" for part in integrals for x in terms.walk(part.parts[0])):
        return instance, term
    from asymp.check import symbolic_integrals as symbolic

    values, expr = symbolic.with_whole_limits(symbolic.expression(term), symbolic.values(instance), shift)
    return {s.name: symbolic.as_term(x) for s, x in values.items()}, symbolic.as_term(expr)
