"""Statements as they are typed, and claims built from them.

>>> parse_statement("log(gamma(n)) ~ n*log(n) as n -> oo").kind
'equivalent'
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from asymp.claim import Claim, Outcome, Relation, Source, Unread
from asymp.language.conditions import Conditions, read_conditions
from asymp.language.elaborate import Setting, closed, filled
from asymp.language.numbers import NoLimit, ParseError
from asymp.language.quantifiers import ordered
from asymp.language.statement import Statement, is_asymptotic, read_statement
from asymp.language.tex import statement_tex
from asymp.messages import one_line
from asymp.parse.build import build

_NOTHING = Setting()
_UNREAD: ContextVar[Callable[[], str] | None] = ContextVar("unread", default=None)


def parse_statement(text: str) -> Relation:
    """A statement as a relation; :mod:`asymp.language.forms` has every form.

    Raises:
        ParseError: one line with the column.

    >>> parse_statement("harmonic(n) = log(n) + EulerGamma + O(1/n) as n -> oo").kind
    'expansion'
    >>> parse_statement("log(n) <= n for n >= 1").domain.text
    'n >= 1'
    """
    statement = read_statement(text)
    return build(closed(statement, _NOTHING), text=text).relation


def claim(
    id: str,
    statement: str,
    to: str | None = None,
    source: str | Source = "",
    assume: Iterable[str] | str = (),
    **others: Any,
) -> Claim:
    """A claim from text, as in a file of one's own.

    Args:
        id: permanent name, ``paper/slug``.
        statement: as for :func:`parse_statement`.
        to: what tends where: ``n->oo``, ``p->0+``, ties ``p = 1/n`` and orderings ``n*p->oo``, separated by commas.
        source: ``"bibliography key, locator"`` or a Source.
        assume: ranges of parameters, such as ``"alpha>1"``.
        others: further fields of :class:`asymp.claim.Claim`, such as ``expected="refuted"``.

    >>> made = claim("my/stirling", "log(gamma(n)) ~ n*log(n)", to="n->oo", source="me, eq. (1)")
    >>> made.source.locator, made.statement
    ('eq. (1)', 'log(gamma(n)) ~ n*log(n) as n -> oo')
    """
    place = _UNREAD.get()
    if place is None:
        return _made(id, statement, to, source, assume, others)
    try:
        return _made(id, statement, to, source, assume, others)
    except (ValueError, TypeError, ArithmeticError) as error:
        return _unread(id, statement, source, others, f"{place()}: {type(error).__name__}: {one_line(error, 300)}")


@contextlib.contextmanager
def unread_at(place: Callable[[], str]) -> Iterator[None]:
    """Within it a claim from text that cannot be read is one that says so, with its ``place``: it does not end its file.

    >>> with unread_at(lambda: "notes.py, line 3"):
    ...     claim("my/x", "n ~", to="n->oo", source="me, eq. (1)").relation.reason
    'notes.py, line 3: ParseError: the text ends too soon at column 4: n ~'
    """
    token = _UNREAD.set(place)
    try:
        yield
    finally:
        _UNREAD.reset(token)


def _unread(id: Any, statement: Any, source: Any, others: Mapping[str, Any], why: str) -> Claim:
    """The undecided claim that stands for one that cannot be read: nothing of it can be checked."""
    if not isinstance(source, Source):
        key, _, locator = str(source).partition(",")
        source = Source(key.strip() or "?", locator.strip() or "?")
    expected = others.get("expected")
    known = Outcome(expected) if expected in list(Outcome) else Outcome.HOLDS
    links = {name: others[name] for name in ("correction", "corrects", "as_printed") if name in others}
    return Claim(str(id), source, Unread(why), str(statement) or str(id), expected=known, **links)


def _made(
    id: str, statement: str, to: str | None, source: str | Source, assume: Iterable[str] | str, others: dict[str, Any]
) -> Claim:
    """The claim as it is read."""
    if isinstance(source, str):
        key, _, locator = source.partition(",")
        if not key.strip() or not locator.strip():
            raise ValueError(f"{id}: write the source as 'bibliography key, locator', not {source!r}")
        source = Source(key.strip(), locator.strip())
    written = _with_conditions(read_statement(statement), to, [assume] if isinstance(assume, str) else list(assume))
    if is_asymptotic(written.body) and not written.regime:
        raise NoLimit(f'{id}: say what tends where, such as to="n->oo"')
    if "expected" in others:
        others["expected"] = Outcome(others["expected"])
    whole = closed(written, _NOTHING)
    built = build(whole, text=statement)
    shown = filled(written, _NOTHING)
    others = {"latex": statement_tex(shown, {}), **others}
    return Claim(
        id, source, built.relation, str(shown), parts=built.parts, closed=str(whole),
        text_of=built.relation, **others,
    )


def _with_conditions(written: Statement, to: str | None, assume: list[str]) -> Statement:
    """The statement with what tends where, and with assumptions on its names."""
    if to is not None:
        if written.regime:
            raise ParseError("'as' and to=...: say what tends where once")
        regime = _conditions(to, "a limit is missing: write n->oo or p->0+")
        tending = replace(written, regime=regime)  # an inequality holds from some point on, unless it is said for what
        if is_asymptotic(written.body) or (is_asymptotic(tending.body) and not written.domain):
            written = tending
        elif not written.domain:  # which would say for which values it is
            raise ParseError("a statement about finite values is for all of a domain: leave out what tends where")
    assumed: Conditions = tuple(condition for text in assume for condition in _conditions(text, "an empty condition"))
    ordered(written, assumed)
    return replace(written, domain=(*written.domain, *assumed))


def _conditions(text: str, missing: str) -> Conditions:
    if not text.strip():
        raise ParseError(missing, text)
    return read_conditions(text)
