"""A statement that is typed in pieces: what it says, what tends where, what is assumed.

>>> print(typed("f(n) ~ n", "n -> oo", ["a > 0"]))
f(n) ~ n as n -> oo for a > 0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asymp.language.conditions import Conditions, read_conditions
from asymp.language.elaborate import Setting, closed
from asymp.language.numbers import NoLimit, ParseError
from asymp.language.quantifiers import ordered
from asymp.language.statement import Statement, is_asymptotic, read_statement

NOTHING = Setting()


def typed(text: str, to: str | None = None, assume: Sequence[str] = (), named: str = "") -> Statement:
    """The statement as it is written, with what tends where, and with assumptions on its names.

    Raises:
        ParseError: one line; NoLimit, which begins with what is ``named``, where it needs a limit and none is given.
    """
    written = read_statement(text)
    if to is not None:
        if written.regime:
            raise ParseError("'as' and to=...: say what tends where once")
        regime = _conditions(to, "a limit is missing: write n->oo or p->0+")
        tending = replace(written, regime=regime)  # an inequality holds from some point on, unless it is said for what
        if is_asymptotic(written.body) or (is_asymptotic(tending.body) and not written.domain):
            written = tending
        elif not written.domain:  # which would say for which values it is
            why = "an equality or a quality is said for all of a domain, and not as something tends"
            raise ParseError(f"{why}: leave that out, or write ~ for =, or end it in + O(...) or + o(...)")
    assumed = tuple(condition for text in assume for condition in _conditions(text, "an empty condition"))
    ordered(written, assumed)
    found = replace(written, domain=(*written.domain, *assumed))
    if is_asymptotic(found.body) and not found.regime:
        raise NoLimit(f'{named}: say what tends where, such as to="n->oo"')
    return found


def looked_at(text: str, to: str | None, assume: Sequence[str]) -> None:
    """That it can be read: told at once, before what would judge it is there.

    Raises:
        ParseError: it cannot.
    """
    closed(typed(text, to, assume), NOTHING)


def _conditions(text: str, missing: str) -> Conditions:
    if not text.strip():
        raise ParseError(missing, text)
    return read_conditions(text)
