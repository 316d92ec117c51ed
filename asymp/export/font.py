"""The font of formulas, as a rule of a style sheet: a page, and a notebook, that carry it need none to be installed.

>>> face()[:44]
'@font-face{font-family:"Asymp Math";src:url('
"""

from __future__ import annotations

import base64
from functools import lru_cache
from importlib import resources
from itertools import count

from asymp.budget import uncounted

_CELLS = count()


@uncounted
@lru_cache(1)
def face() -> str:
    """The rule, with the font in it."""
    font = resources.files("asymp.export").joinpath("fonts/AsympMath.woff2").read_bytes()
    return f'@font-face{{font-family:"Asymp Math";src:url(data:font/woff2;base64,{base64.b64encode(font).decode()})}}'


def once() -> str:
    """The rule for the first cell of a process, which serves the whole notebook; nothing for those after it, which stay small."""
    return face() if next(_CELLS) == 0 else ""
