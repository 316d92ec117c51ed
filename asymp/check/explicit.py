"""An expansion's O-remainder as a B-remainder: an explicit constant, valid from an explicit point, by a theorem.

>>> answer = {"terms": ["log(n)", "EulerGamma"], "remainder": {"kind": "O", "growth": "1/n"}, "strength": "proved"}
>>> attach(answer, "harmonic(n)", "n->oo")["remainder"]
{'kind': 'B', 'growth': '1/n', 'constant': '0.5428', 'valid_from': '2'}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from asymp.kernel.terms import Refused
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.parse import claim as typed
from asymp.prove.remainders import bounded


def attach(answer: dict[str, Any], expression: str, to: str, assume: Iterable[str] | str = ()) -> dict[str, Any]:
    """The answer of ``asymp expand`` with its remainder made explicit; else with ``"explicit"``: why it is not.

    Args:
        answer: as :func:`asymp.check.expansion.expand_text` gives it.
        expression, to, assume: what it was asked.
    """
    if "terms" not in answer or answer["remainder"]["growth"] == "0":
        return answer
    rest = answer["remainder"]
    kept = " + ".join(f"({term})" for term in answer["terms"]) or "0"
    given = [assume] if isinstance(assume, str) else list(assume)
    text = f"{expression} = {kept} + O({rest['growth']})"
    try:
        claim = typed("expand/typed", text, to=to, source="typed in, typed in", assume=given)
        if not claim.closed:
            raise Refused("it is read in two ways")
        found = bounded(read_statement(claim.closed))
    except (Refused, ParseError) as error:
        return {**answer, "explicit": f"no certified constant: {' '.join(str(error).split())}"}
    bound = {"kind": "B", "growth": rest["growth"], "constant": found.constant, "valid_from": found.start}
    return {**answer, "remainder": bound}
