"""Whether a complex ball may touch a branch cut, as a row of the table gives it; there an analytic function answers nan.

>>> unit = on_cut("x <= -1 or x >= 1")
>>> unit(acb(2)), unit(acb(arb("0.5"), arb(0, 1))), unit(acb(2, 1)), on_cut("I*x >= 1")(acb(0, -2)), on_cut("")(acb(0))
(True, False, False, True, False)
"""

from __future__ import annotations

import re
from collections.abc import Callable

from flint import acb, arb

CNAN = acb("nan")
_I = acb(0, 1)


def on_cut(text: str) -> Callable[[acb], bool]:
    """Whether a ball may touch one of the rays ``x <= c``, ``x >= c`` of the real line, ``I*x <= c`` of the imaginary one."""
    rays = []
    for ray in filter(None, text.split(" or ")):
        found = re.fullmatch(r"(I\*)?x ([<>])= (\S+)", ray)
        assert found is not None, f"no ray: {ray}"
        rays.append((bool(found[1]), found[2] == "<", arb(found[3])))

    def touched(z: acb) -> bool:
        for turned, below, end in rays:
            w = z * _I if turned else z
            if w.imag.contains(0) and not (w.real > end if below else w.real < end):
                return True
        return False

    return touched
