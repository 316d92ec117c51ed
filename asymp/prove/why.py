r"""Why a value has the sign that a rule has seen, in words.

>>> from asymp.kernel.facts.context import Context
>>> from asymp.kernel.noted import listening
>>> from asymp.kernel.terms import ONE, name, read
>>> at = Context(pairs=((ONE, "<=", name("x")),))
>>> with listening() as notes:
...     signs = at.signs(read("x^2 - x + 1"))
>>> why_signs(notes, at.value(read("x^2 - x + 1")))
'by the ranges of its parts'
"""

from __future__ import annotations

from collections.abc import Sequence

from asymp.kernel.noted import Note
from asymp.kernel.rings.ratio import Ratio, multiplied_out

WHY = {
    "exp": "as $e^{y} > 1 + y + y^2/2$ for $y > 0$, and $0 < e^{y} < 1$ for $y < 0$, with the ranges of its parts",
    "ranges": "by the ranges of its parts",
    "one variable": "its Bernstein coefficients on the range of its variable have that sign",
    "quadratic": "a quadratic whose discriminant is not positive",
    "logarithms": "the logarithm of a product, which is compared with 1",
    "exponentials": "by the logarithms of its two terms",
    "hypotheses": "a condition of the domain times what has a sign",
    "tangents": r"since $1 - \frac{1}{y} \le \ln y \le y - 1$",
    "truncated": "a sum over the index of the sums in it, all of whose terms have that sign",
}


def why_signs(notes: Sequence[Note], x: Ratio) -> str:
    """Of a value: why its numerator has its sign; empty where that is plain, or was not asked."""
    seen = {frozenset(note.of["of"].items()): note.of for note in notes if note.kind == "sign"}
    found = seen.get(frozenset(multiplied_out(x.num).items()))
    while found is not None and found["way"] == "factors":
        found = seen.get(frozenset(multiplied_out(found["rest"]).items()))
    if found is None or found["way"] == "terms":
        return ""
    if found["way"] == "ranges" and any(a.head == "exp" for powers in found["of"] for a, _ in powers):
        return WHY["exp"]
    return WHY.get(found["way"], "")
