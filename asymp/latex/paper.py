r"""The notation of a file of claims: how it prints its names, and which of them are variables and which functions.

>>> from asymp.language.setting import SettingReader
>>> file = SettingReader('''
... variables.n = "whole, >= 1"
... names."g(k)" = "k^n"
... notation.g = 'g_{#1}'
... ''', "demo.toml", None)
>>> found = of_file(file, file.read_setting())
>>> sorted(found.variables), dict(found.functions), dict(found.signs)
(['n'], {'g': 1}, {'g': 'g_{#1}'})
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from asymp.language.conditions import OfFunction
from asymp.language.elaborate import Setting
from asymp.language.setting import SettingReader
from asymp.latex.notation import Notation, notation
from asymp.latex.quotes import formulas
from asymp.latex.read import read
from asymp.latex.source import Unreadable


def of_file(file: SettingReader, setting: Setting) -> Notation:
    """The notation of a file, with what it declares."""
    functions: dict[str, int] = {name: len(item.arguments) for name, item in setting.names.items() if item.arguments}
    for name, said in setting.declared.items():
        functions[name] = next((len(c.arguments) for c in said if isinstance(c, OfFunction)), -1)
    for name, model in setting.functions.items():
        signature = getattr(model, "signature", None)
        functions[name] = -1 if signature is None else len([one for one in signature.split(",") if one.strip()])
    variables = {*setting.variables, *(name for name, item in setting.names.items() if not item.arguments)}
    return notation(file.texts("notation"), variables, functions)


class QuoteReader(SettingReader):
    """Reads claims that leave out what they say: their quote, which then has one formula with a relation, says it.

    >>> from asymp.language.setting import closed_texts
    >>> closed_texts('''
    ... paper.key = "demo"
    ... variables.n = "whole, >= 1"
    ... claim.lemma-1.quote = "we have $n < 2n$"
    ... ''', "demo.toml", QuoteReader)
    {'demo/lemma-1': 'n < 2*n for whole n >= 1'}
    """

    @cached_property
    def printed(self) -> Notation:
        """The notation of the file."""
        return of_file(self, self.setting)

    def read_quote(self, data: Mapping[str, Any]) -> str:
        """The statement of a quote, as text."""
        found = [one for one in formulas(str(data.get("laid") or data.get("quote", ""))) if one.related]
        if len(found) != 1 or not found[0].apart:
            raise Unreadable(f"says = \"...\" is missing, and the quote has {len(found)} formulas that could be meant")
        return str(read(found[0].text, self.printed))
