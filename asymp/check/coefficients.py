"""Expansions of coefficients of power series that are asked for: the kernel's series, and a theorem of what is shown.

>>> found = expanded("[z^n] 1/sqrt(1-4*z)", "n->oo", (), 2)
>>> found["terms"], found["remainder"]["growth"], found["strength"]
(['4**n/(sqrt(n)*sqrt(pi))', '-4**n/(8*n**(3/2)*sqrt(pi))'], '4**n/n**(5/2)', 'proved')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gmpy2 import mpq

from asymp.check.meant import meant
from asymp.kernel import terms
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.regime import moving, placed
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused, Term
from asymp.language.bodies import Ordering
from asymp.language.statement import Statement, read_statement
from asymp.meaning import Meaningless
from asymp.parse.statements import claim
from asymp.prove.claims import theorem
from asymp.prove.written import Quantities, in_order, in_words
from asymp.regimes.quantities import places
from asymp.stopwatch import Stopwatch

ONE = mpq(1)
FURTHER = 4
"""Orders beyond the one that is asked for."""


def expanded(expression: str, to: str, assume: Sequence[str], order: int) -> dict[str, Any]:
    """The first terms and the remainder, as ``asymp expand`` has them; or refused.

    Raises:
        ParseError: text that cannot be read, in one line.
    """
    watch = Stopwatch()
    asked = claim("ask/expand", f"{expression} = O(1)", to=to, source="typed in, typed in", assume=assume)
    try:
        meant(asked)
        statement = read_statement(asked.closed)
        kept, rest = _series(statement, order)
        if not kept and rest:
            raise Refused(f"no term could be derived, only O({' + '.join(rest)})")
        below = " + ".join(rest) or f"exp(-{min(moving(statement))})"  # what is exact is as near as that
        where = str(statement).removeprefix(f"{statement.body}")
        theorem(read_statement(f"{expression} = {' + '.join(kept) or '0'} + O({below}){where}"), True)
    except Meaningless as error:
        return {"refused": f"no meaning: {error}"}
    except Refused as error:
        return {"refused": str(error)}
    remainder = {"kind": "O", "growth": _sympy(" + ".join(rest)) or "0", "constant": None, "valid_from": None}
    fewer = {"fewer": "exact: there are no more terms"} if len(kept) < order and not rest else {}
    return {"terms": list(map(_sympy, kept)), "remainder": remainder, "strength": "proved", **fewer, "seconds": watch.seconds()}


def _series(statement: Statement, order: int) -> tuple[list[str], list[str]]:
    """The terms, the larger ones first, and the growths of the remainder."""
    assert isinstance(statement.body, Ordering)
    last, best = Refused("no quantities for this regime"), None
    for further in range(FURTHER):
        for place in places(statement):
            try:
                where = placed(statement, place)
                a = Algebra(where.domain, order + further)
                found = expander_of((), statement, where, a).series(where.put(terms.of(statement.body.left)))
                quantities = Quantities(where, place["scales"])
                ordered = in_order(found.terms, a)
                rest = a.made([], [*found.rest, *(g for _, g in ordered[order:])]).rest
                kept = [_words(quantities.term(c, g)) for c, g in ordered[:order]]
                best = kept, [_words(quantities.term(rational(1), g)) for g in rest]
            except Refused as error:
                last = error
                continue
            if len(kept) == order or not rest:
                return best
    if best is None:
        raise last
    return best


def _words(term: Term) -> str:
    return re.sub(r"(?<!\w)\((\d+)\)\^", r"\1^", in_words(_powers(term)))


def _powers(term: Term, k: mpq = ONE) -> Term:
    """With a^x for exp(x log(a)), and (a^k)^x for its whole power, a a number."""
    if term.head == "power" and term.parts[0].head == "exp" and term.parts[1].is_number:
        return _powers(term.parts[0], term.parts[1].number)
    if term.head == "exp":
        inner = term.parts[0].parts if term.parts[0].head == "product" else term.parts
        logs = [part for part in inner if part.head == "log"]
        if len(logs) == 1:
            base, rest = logs[0].parts[0], [part for part in inner if part is not logs[0]]
            if base.is_number and k.denominator == 1:
                return terms.power(terms.power(base, terms.number(k)), terms.multiply(*rest))
            return terms.power(base, terms.multiply(terms.number(k), *rest))
        return terms.power(term, terms.number(k)) if k != 1 else term
    if not term.parts or term.head in terms.BINDERS:
        return term
    return terms.rebuilt(term, tuple(map(_powers, term.parts)))


def _sympy(text: str) -> str:
    return text.replace("^", "**")
