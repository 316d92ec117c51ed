"""Coefficients of power series as numbers: see :mod:`asymp.kernel.facts.coefficients`.

>>> from asymp.enclosure.enclose import enclose
>>> str(enclose("n!*[z^n] exp(z)*sqrt(1 - z)", {"n": 4})), str(enclose("[z^n] (1-z)^(-a)", {"n": 2, "a": 3}))
('-4.9375', '6')
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from flint import ctx

from asymp.budget import METER
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.numbers import Undecided, to_fmpq
from asymp.enclosure.plan import Builder, builds, compile_term
from asymp.kernel.facts.coefficients import coefficient
from asymp.kernel.rings.power_series import Z, opened
from asymp.kernel.terms import Refused, Term, walk


@builds("Coefficient")
def _coefficient(builder: Builder, term: Term) -> int:
    body, order = opened(term), builder.place(term.parts[2])
    places = {one: builder.place(one) for one in dict.fromkeys(_constants(body)) if not one.is_number}
    return builder.emit(("coefficient", term), partial(_value, body, order, places), None)


def _constants(term: Term) -> Iterator[Term]:
    """The largest parts in which the variable does not stand, and that are no part of a sum or a product over an index."""
    if Z.name not in term.free:
        if not term.indices:
            yield term
        return
    for part in term.parts:
        yield from _constants(part)


def _value(body: Term, order: int, places: dict[Term, int], v: Any) -> ar.Number:
    n = ar.to_integer(v[order])
    if n is None or n < 0:
        return ar.NAN
    METER.steps += sum(Z.name in part.free for part in walk(body)) * (8 + int(n)) * (10 + ctx.prec // 8)

    def value(term: Term) -> ar.Number:
        if term.is_number:
            return to_fmpq(term.number)
        return v[places[term]] if term in places else compile_term(term).run({})

    try:
        return coefficient(body, int(n), value)
    except Refused as error:
        raise Undecided(str(error)) from error


