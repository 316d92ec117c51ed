"""Records replayed: of each claim, whether its certificate proves its closed statement, or the negation where it is refuted.

Nothing here imports SymPy, or searches: a record that was written anywhere is checked by the kernel alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from asymp.functions.found import absent
from asymp.kernel import rules as rules
from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import DEFINITION, RULES, Broken, proves, read_closed, replay
from asymp.language.bridges import BRIDGE
from asymp.language.numbers import ParseError
from asymp.language.setting import shown_closed
from asymp.outside import add_theories

add_theories(RULES)
REPLAYED, GIVEN = "replayed", "replayed given"
Texts = Mapping[str, str | None] | None
UNCITED = ("engine: ", "row: ", "theory: ", "given: ", BRIDGE)  # an expansion; a row, a rule from outside; a law, a tie
REFUSED, OPEN, MISSING, BUG = "refused", "not covered", "missing", "bug"
"""An error of a rule that no certificate may lead to: of the claim nothing is known, and the kernel is to be mended."""


@dataclass(frozen=True)
class Replay:
    """What replaying says of one claim: ``told`` is one of the words above; ``trusts`` what the theorem rests on."""

    id: str
    told: str
    trusts: tuple[str, ...] = ()
    why: str = ""

    def __str__(self) -> str:
        rest = ", ".join(leaf for leaf in self.trusts if leaf.startswith(UNCITED))
        return f"{self.told} {rest}" if self.told == GIVEN else self.told + (f": {self.why}" if self.why else "")


def replays(
    entries: Sequence[Mapping[str, Any]], texts: Texts = None, definitions: frozenset[str] = frozenset(),
) -> list[Replay]:  # fmt: skip
    """The claims of a record, and those of a file of claims that it lacks; no id is to be there twice.

    >>> entry = {"id": "me/x", "closed": "1 < 2", "outcome": "undecided", "certificate": None}
    >>> [str(one) for one in replays([entry, entry], {"me/x": "1 < 2", "me/y": None})]
    ['not covered', 'refused: it is there twice', 'missing: the record does not have this claim of the file']
    """
    found: list[Replay] = []
    seen: set[str] = set()
    for entry in entries:
        one = replayed(entry, texts, definitions)
        found.append(Replay(one.id, REFUSED, why="it is there twice") if one.id in seen else one)
        seen.add(one.id)
    lacking = [name for name in texts or () if name not in seen]
    return [*found, *(Replay(name, MISSING, why="the record does not have this claim of the file") for name in lacking)]


def replayed(entry: Mapping[str, Any], texts: Texts = None, definitions: frozenset[str] = frozenset()) -> Replay:
    """One claim of a record.

    Args:
        entry: the claim.
        texts: the closed statements that a file of claims makes, by id, which are to be the record's.
        definitions: the chains by which that file defines functions: a theorem may trust no others.

    >>> step = {"rule": "algebra", "premises": [], "data": {"statement": "1 - a < 0 for a > 1"}}
    >>> entry = {"id": "me/x", "closed": "1 - a < 0 for a > 1", "outcome": "holds", "certificate": [step]}
    >>> str(replayed(entry)), str(replayed({**entry, "closed": "1 - a < 0 for a > 0"}))
    ('replayed', 'refused: the certificate proves another statement')
    >>> str(replayed({**entry, "outcome": "refuted"})), str(replayed({**entry, "certificate": None}))
    ('refused: the certificate proves another statement', 'not covered')
    >>> str(replayed({**entry, "statement": "1 - g < 0 for a > 1", "where": ["g = a"]}))
    'replayed'
    >>> str(replayed({**entry, "statement": "1 - g < 0 for a > 1", "where": ["g = 2*a"]}))
    'refused: what is shown says something else than what is closed'
    >>> str(replayed(entry, {"me/x": "1 - a < 0 for a > 2"})), str(replayed(entry, {}))
    ('refused: the file of claims says something else', 'refused: the file of claims does not make this claim')
    """
    name = str(entry.get("id", "?"))
    steps = entry.get("certificate")
    if steps is not None and (why := absent(entry.get("trusts"), RULES)):
        return Replay(name, REFUSED, why=why)
    if why := _shown_otherwise(entry):
        return Replay(name, REFUSED, why=why)
    if texts is not None and texts.get(name) != entry.get("closed"):
        why = "says something else" if name in texts else "does not make this claim"
        return Replay(name, REFUSED, why=f"the file of claims {why}")
    if steps is None:
        return Replay(name, OPEN)
    try:
        theorem = replay(steps)
        holds = {"holds": True, "refuted": False}[str(entry.get("outcome"))]
        if not proves(theorem, read_closed(entry.get("closed")), holds):
            return Replay(name, REFUSED, why="the certificate proves another statement")
    except Broken as error:
        return Replay(name, BUG, why=str(error))
    except KeyError:
        return Replay(name, REFUSED, why="a certificate, and no outcome")
    except (Refused, ParseError) as error:
        return Replay(name, REFUSED, why=str(error))
    trusts = tuple(sorted(theorem.trusts))
    meant = {leaf.removeprefix(DEFINITION) for leaf in trusts if leaf.startswith(DEFINITION)}
    if texts is not None and not meant <= definitions:
        return Replay(name, REFUSED, trusts, "the file of claims defines its functions otherwise")
    said = entry.get("trusts", list(trusts))
    ties = {leaf for leaf in said if str(leaf).startswith(BRIDGE)} if isinstance(said, list) else set()  # see command.records
    if not isinstance(said, list) or not all(isinstance(leaf, str) for leaf in said) or set(said) - ties != set(trusts):
        return Replay(name, REFUSED, trusts, "the record says that it trusts something else")
    return Replay(name, GIVEN if any(leaf.startswith(UNCITED) for leaf in trusts) else REPLAYED, (*trusts, *sorted(ties)))


def _shown_otherwise(entry: Mapping[str, Any]) -> str:
    """Why the statement that is shown, with the definitions beside it, is not the closed one; empty where it is.

    It is read and closed again.  A claim that has no closed statement has none that a theorem could prove.
    """
    shown, where = entry.get("statement"), entry.get("where", [])
    if not entry.get("closed") or shown is None:
        return ""
    if not isinstance(shown, str) or not isinstance(where, list) or not all(isinstance(one, str) for one in where):
        return "what is shown is no text"
    try:
        again, closed = shown_closed(shown, where), read_closed(entry["closed"])
        same = str(again) == str(closed) or canonical(again) == canonical(closed)
    except (Refused, ParseError) as error:
        return f"what is shown cannot be read: {error}"
    return "" if same else "what is shown says something else than what is closed"


def ledger(found: list[Replay]) -> list[str]:
    """What is trusted, and by how many theorems: a line each, the most used first.

    >>> ledger([Replay("a", REPLAYED, ("DLMF 5.11.2",)), Replay("b", GIVEN, ("DLMF 5.11.2", "engine: sum"))])
    ['2  DLMF 5.11.2', '1  engine: sum']
    """
    count = Counter(leaf for one in found for leaf in one.trusts)
    return [f"{k}  {leaf}" for leaf, k in sorted(count.items(), key=lambda item: (-item[1], item[0]))]
