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

from asymp.language.conditions import OfFunction
from asymp.language.elaborate import Setting
from asymp.language.setting import SettingReader
from asymp.latex.notation import Notation, notation


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
