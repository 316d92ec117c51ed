"""The searchers: they propose steps, and the kernel accepts them or not.  Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Sequence

from asymp.kernel.terms import first as first
from asymp.language.conditions import Condition, text_of
from asymp.language.statement import Statement, read_statement


def read_on(text: str, domain: Sequence[Condition]) -> Statement:
    """The statement of a text for all of a domain."""
    return read_statement(text + (f" for {text_of(tuple(domain))}" if domain else ""))
