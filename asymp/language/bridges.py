"""Bridges: claims that a typed formula is the quantity of its model.

A name of a file of claims stands for a formula.  Where that is to be a quantity of a model (a blocking probability, a mean
number of jobs), what is proved of the name is proved of the model as far as somebody has shown that the two are equal: the claim
that says so is the *bridge*, ``bridge = "B"``, and what leans on ``B`` rests on it.

>>> from asymp.language.setting import SettingReader
>>> file = SettingReader('''
... paper.key = "demo"
... variables.n = "whole, >= 1"
... names.H = "harmonic(n)"
... names.H2 = "2*H"
... claim.lemma-1.says = "Sum(1/k, (k, 1, n)) = H"
... claim.lemma-1.bridge = "H"
... claim.lemma-2.says = "H2 > 1"
... ''', "demo.toml", None)
>>> file.setting = file.read_setting()
>>> file.regimes = file.domains = {}
>>> bridges(file)
{'H': ('demo/lemma-1',)}
>>> {one: resting_of(file, data, bridges(file)) for one, data in file.entries().items()}
{'demo/lemma-1': (), 'demo/lemma-2': (('demo/lemma-1',),)}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from asymp.language.names import BINDERS, Definitions, called, free_names, unfold
from asymp.language.numbers import ParseError
from asymp.language.statement import Comparison, Statement
from asymp.language.syntax import Node, words
from asymp.messages import unknown

if TYPE_CHECKING:
    from asymp.language.setting import SettingReader

BRIDGE = "bridge: "
"""With this begins what a verdict trusts of the tie of a name to the model: ``bridge: ilb/equation-42``."""


def leaned_on(nodes: list[Node], names: Definitions) -> frozenset[str]:
    """The names that stand in terms, in their definitions, and in the definitions of these."""
    found: set[str] = set()
    nodes = [*nodes]
    while nodes:
        node = nodes.pop()
        for name in (free_names(node) | called(node)) & set(names):
            if name not in found:
                found.add(name)
                nodes.append(names[name].term)
    return frozenset(found)


def leans_on(statement: Statement, names: Definitions) -> frozenset[str]:
    """The names that a statement leans on, its regime and its domain with it."""
    return leaned_on([*statement.terms(), *(node for c in statement.conditions() for node in c.terms())], names)


def bridges(file: SettingReader) -> dict[str, tuple[str, ...]]:
    """The claims that tie each name to the model, by their ids."""
    found: dict[str, tuple[str, ...]] = {}
    for one, data in file.entries().items():
        for name in tied(data):
            found[name] = (*found.get(name, ()), one)
    return found


def tied(data: Mapping[str, Any]) -> tuple[str, ...]:
    """The names that a claim ties to the model."""
    said = data.get("bridge", "")
    return tuple(filter(None, map(str.strip, said.split(",")))) if isinstance(said, str) else ()


def resting_of(file: SettingReader, data: Mapping[str, Any], over: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Of each bridged name that a claim leans on, the claims that tie it; of a test, which is code, nothing is seen.

    Raises:
        ParseError: the claim cannot be read; it is said to be a bridge and is none.
    """
    if not over or "test" in data:
        return ()
    return resting(file.worded(file.says(data), data)[0], data, over, file.setting.names)


def resting(
    statement: Statement, data: Mapping[str, Any], over: Mapping[str, tuple[str, ...]], names: Definitions
) -> tuple[tuple[str, ...], ...]:
    """The same, of its statement."""
    leaned, own = leans_on(statement, names), tied(data)
    for name in own:
        if name not in names:
            raise ParseError(f"bridge: {unknown('name', name, names)}")
        if not _ties(statement, name, names):
            raise ParseError(f"bridge: an equality is to have {name} on one side, and its quantity in the model on the other")
    return tuple(over[name] for name in sorted(leaned & set(over) - set(own)))


def covers(bridge: Statement, statement: Statement) -> bool:
    """Whether what a bridge is said for, beside what is declared of its variables, is among the conditions of a statement."""
    return set(map(str, bridge.domain)) <= set(map(str, statement.conditions()))


def _ties(statement: Statement, name: str, names: Definitions) -> bool:
    """Whether it is one equality, no limit, of the name and what is no definition of it.

    The other side does not lean on the name, or, where a law does that is fixed by its own mean, has a sum of its own.
    """
    body = statement.body
    if not isinstance(body, Comparison) or body.chain.signs != ("=",) or statement.regime:
        return False
    if len({words(unfold(side, names)) for side in body.terms()}) == 1:
        return False
    leaning = [name in leaned_on([side], names) for side in body.terms()]
    others = [side for side in body.terms() if side.text != name or side.kind not in ("name", "call")]
    return len(set(leaning)) == 2 or (all(leaning) and len(others) == 1 and any(map(_has_binder, others)))


def _has_binder(node: Node) -> bool:
    return (node.kind == "call" and node.text in BINDERS) or any(map(_has_binder, node.parts))
