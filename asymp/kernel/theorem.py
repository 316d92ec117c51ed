"""Theorems, the rules that make them, and certificates, from which they are made again.

A rule is a function of theorems and of data (see :mod:`asymp.kernel.data`) to a closed statement, and whether that holds or
its negation does.  It raises where a side condition fails.  :func:`apply` is the one way to a theorem: it refuses data that
the rule has not read, and adds to what is trusted what was asked on the way (see :mod:`asymp.kernel.trust`).

A rule that fails otherwise, by an error of the kinds that no data may lead to, is :class:`Broken`: that is a bug of the
kernel, never "no theorem".  No search catches it, and ``asymp verify`` ends with exit status 3.

A certificate is the list of the rules' names, premises and data, in order: :func:`replay` applies them again, and what a
verdict rests on is the theorem that comes out of that, never one that was handed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from asymp.functions.found import borrowed
from asymp.functions.table import BORROWED
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.noted import noted
from asymp.kernel.terms import Refused, canonical
from asymp.kernel.trust import collected
from asymp.language.bodies import Comparison, Not, UpperLimit
from asymp.language.conditions import Every, OfFunction, Recurrence
from asymp.language.statement import Statement, read_statement
from asymp.outside import HOUSE, package_of

MOST_STEPS = 10_000
LIMITS = (ValueError, RecursionError, MemoryError, OverflowError)
"""What may happen to a rule besides a refusal: it cannot read a text, or has no room.  (Python raises ValueError of numbers
too long to be written, and of a list that is not as long as another.)"""
DEFINITION = "definition: "
"""With this begins what a theorem trusts of the meaning of functions: ``definition: f(x) = ..., g(x) = ... of: ...``."""
OF_FUNCTIONS = frozenset({"order", "order fails", "population"})
"""The rules for statements whose domain declares functions: the others would pass over what it says of these."""
OF_ALL_PATHS = frozenset({"upper limit", "upper bound", "negation"})
"""The rules for what is said of all paths of a regime together: others would take more of them, or fewer, or some at a time."""
OF_SEQUENCES = set[str]()
"""The rules for statements whose domain declares sequences by recurrences."""
ALONE = set[str]()
"""The rules without premises."""
_KEY = object()


class Broken(BaseException):
    """A bug of a rule: an error that no data may lead to.

    Not an Exception: what catches those, a search or a judge, must not take it for "no theorem".
    """


class Theorem:
    """A closed statement that holds (or whose negation does, where ``holds`` is false), and what that is trusted for.

    >>> Theorem(None, read_statement("0 = 1 for x > 0"), True, frozenset(), ("", (), {}))
    Traceback (most recent call last):
    ...
    TypeError: rules make theorems
    """

    __slots__ = ("holds", "made", "statement", "trusts")

    def __init__(self, key: object, statement: Statement, holds: bool, trusts: frozenset[str], made: Made) -> None:
        if key is not _KEY:
            raise TypeError("rules make theorems")
        for slot, value in zip(("statement", "holds", "trusts", "made"), (statement, holds, trusts, made), strict=True):
            object.__setattr__(self, slot, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a theorem does not change")

    statement: Statement
    holds: bool
    trusts: frozenset[str]
    made: Made

    def __repr__(self) -> str:
        return f"⊢ {'' if self.holds else 'not: '}{self.statement}"


Made = tuple[str, tuple[Theorem, ...], Mapping[str, Any]]


@dataclass(frozen=True)
class Conclusion:
    """What a rule concludes: the statement or its negation, and what it adds to what is trusted."""

    statement: Statement
    holds: bool = True
    trusts: frozenset[str] = frozenset()


Rule = Callable[[Sequence[Theorem], Data], Conclusion]
RULES: dict[str, Rule] = {}


def rule(name: str, of_sequences: bool = False, alone: bool = False) -> Callable[[Rule], Rule]:
    """Registers a rule of a theory, ``alone`` where it has no premises; of a module outside of the kernel it is called
    PACKAGE/name.  No rule takes another's name.

    Raises:
        ValueError: there is a rule of that name, or no entry point names the module.
    """

    def register(function: Rule) -> Rule:
        inside = function.__module__.startswith(f"{HOUSE}.kernel.")
        full = name if inside else f"{package_of(function.__module__, 'theories')}/{name}"
        if full in RULES or "/" in name:
            raise ValueError(f"a second rule {full}")
        RULES[full] = function
        OF_SEQUENCES.update([name] if inside and of_sequences else [])
        ALONE.update([full] if alone else [])
        return function

    return register


def apply(name: str, premises: Sequence[Theorem] = (), **data: Any) -> Theorem:
    """The theorem that a rule makes of theorems and data.

    Raises:
        Refused: there is no such rule, a premise is no theorem, a side condition fails, or data were not read.
        Broken: the rule has a bug.
    """
    if type(name) is not str or name not in RULES:
        package = str(name).rpartition("/")[0]
        raise Refused(f"no rule {name}" + (f": {package} is not installed" if package else ""))
    if not all(type(premise) is Theorem for premise in premises):
        raise Refused("a premise that is no theorem")
    if premises and name in ALONE:
        raise Refused("no premises are wanted")
    try:
        with collected() as used:
            read = Data(data)
            found = RULES[name](tuple(premises), read)
            assert type(found) is Conclusion, "it concludes nothing"
    except Refused:
        raise
    except LIMITS as error:
        raise Refused(f"{name}: {type(error).__name__}: {error}") from error
    except Exception as error:
        raise Broken(f"bug of the rule {name}: {type(error).__name__}: {error}") from error
    if unread := read.unread():
        raise Refused(f"{name}: nothing uses {', '.join(unread)}")
    given(found.statement.conditions())  # whatever the rule looked at, there are no two kinds of one variable
    said = found.statement.conditions()
    if isinstance(found.statement.body, (Not, UpperLimit)) and name not in OF_ALL_PATHS:
        raise Refused(f"{name} knows nothing of what is said of all paths together")
    declares = any(isinstance(c, Recurrence) for c in said)
    if name not in (OF_SEQUENCES if declares else OF_FUNCTIONS) and any(isinstance(c, (OfFunction, Every)) for c in said):
        raise Refused(f"{name} knows nothing of statements {'of declared sequences' if declares else 'for all functions'}")
    trusts = found.trusts.union(used, borrowed(" ".join(read.words), BORROWED), *(premise.trusts for premise in premises))
    trusts |= {f"theory: {name}", *borrowed(str(found.statement), BORROWED)} if "/" in name else set()
    _one_meaning(trusts)
    theorem = Theorem(_KEY, found.statement, found.holds, trusts, (name, tuple(premises), dict(data)))
    noted("theorem", made=theorem)
    return theorem


def _one_meaning(trusts: frozenset[str]) -> None:
    """That no function is defined twice.

    Raises:
        Refused: one is.
    """
    seen: set[str] = set()
    for leaf in trusts:
        if leaf.startswith(DEFINITION):
            names = {piece.split()[-1] for piece in leaf.partition(" of: ")[0].split("(")[:-1]}
            if seen & names:
                raise Refused(f"{min(seen & names)} has two meanings")
            seen |= names


def proves(theorem: Theorem, statement: Statement, holds: bool = True) -> bool:
    """Whether a theorem says of this statement that it holds (or does not)."""
    return type(theorem) is Theorem and theorem.holds is holds and canonical(theorem.statement) == canonical(statement)


def shown(premises: Sequence[Theorem], wanted: Sequence[Statement], holds: bool | None = True) -> bool:
    """That premises are these statements, in order, and hold (or fail, or either); whether the first does.

    Raises:
        Refused: they are others, or one fails (or holds).
    """
    if [canonical(one.statement) for one in premises] != [canonical(one) for one in wanted]:
        raise Refused("the premises are other statements")
    if holds is not None and not all(one.holds is holds for one in premises):
        raise Refused(f"a premise that {'fails' if holds else 'holds'}")
    return bool(premises) and premises[0].holds


def together(statement: Statement, premises: Sequence[Theorem], parts: Sequence[Statement]) -> Conclusion:
    """Of a statement that says what its parts say together: it holds if the premises are all of them, and fails if one fails.

    Raises:
        Refused: the premises are neither.
    """
    if len(premises) == 1 and not premises[0].holds and canonical(premises[0].statement) in map(canonical, parts):
        return Conclusion(statement, holds=False)
    if not parts:
        raise Refused("a statement without parts")
    shown(premises, parts)
    return Conclusion(statement)


# --- certificates ----------------------------------------------------------------------------------


Certificate = list[dict[str, Any]]


def certificate(theorem: Theorem) -> Certificate:
    """The steps to a theorem, each after its premises, the theorem's own last."""
    order: list[Theorem] = []
    seen: set[int] = set()

    def visit(one: Theorem) -> None:
        if id(one) not in seen:
            seen.add(id(one))
            for premise in one.made[1]:
                visit(premise)
            order.append(one)

    visit(theorem)
    place = {id(one): k for k, one in enumerate(order)}
    return [
        {"rule": one.made[0], "premises": [place[id(p)] for p in one.made[1]], "data": dict(one.made[2])} for one in order
    ]


def replay(steps: Certificate) -> Theorem:
    """The theorem at the end of a certificate, made again.

    Raises:
        Refused: it is none, one of its steps does not go through, or nothing uses it; the step is named.
        Broken: a rule has a bug.
    """
    if not isinstance(steps, list) or not steps or len(steps) > MOST_STEPS:
        raise Refused("no certificate")
    made: list[Theorem] = []
    used: set[int] = set()
    for k, step in enumerate(steps):
        if not isinstance(step, dict) or set(step) != {"rule", "premises", "data"} or not isinstance(step["data"], dict):
            raise Refused(f"step {k + 1}: malformed")
        places = step["premises"]
        if not isinstance(places, list) or not all(type(p) is int and 0 <= p < k for p in places):
            raise Refused(f"step {k + 1}: premises that do not stand before it")
        if not all(type(key) is str for key in step["data"]) or step["data"].keys() & {"name", "premises"}:
            raise Refused(f"step {k + 1}: data of other names")
        try:
            made.append(apply(step["rule"], [made[p] for p in places], **step["data"]))
        except Refused as error:
            raise Refused(f"step {k + 1}: {error}") from error
        used.update(places)
    if spare := sorted(set(range(len(steps) - 1)) - used):
        raise Refused(f"step {spare[0] + 1}: nothing uses it")
    return made[-1]


def read_closed(text: Any) -> Statement:
    """A statement from a certificate's data.

    Raises:
        Refused: it is no text.
    """
    if not isinstance(text, str):
        raise Refused("a statement is a text")
    return read_statement(text)


def comparison_in(data: Mapping[str, Any]) -> Statement:
    """The statement in a rule's data: a comparison for all of a domain.

    Raises:
        Refused: it is of another form.
    """
    statement = read_closed(data["statement"])
    if type(statement.body) is not Comparison or statement.some or statement.uniform or statement.regime:
        raise Refused("a comparison for all of a domain is wanted")
    return statement
