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

from collections.abc import Callable, Sequence

from asymp.kernel import terms
from asymp.kernel.facts.truncated import INDEX
from asymp.kernel.noted import Note
from asymp.kernel.rings.ratio import Ratio, multiplied_out, to_term
from asymp.kernel.terms import Term
from asymp.prove.written import in_factors

MOST_TERMS = 12
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


def why_signs(notes: Sequence[Note], x: Ratio, written: Callable[[Term], str] = str) -> str:
    """Of a value: why its numerator has its sign; empty where that is plain, or was not asked.

    Args:
        notes: what a rule has seen.
        x: the value.
        written: how terms stand in formulas.
    """
    seen = {frozenset(note.of["of"].items()): note.of for note in notes if note.kind == "sign"}
    whole = multiplied_out(x.num)
    found = seen.get(frozenset(whole.items()))
    while found is not None and found["way"] == "factors":
        found = seen.get(frozenset(multiplied_out(found["rest"]).items()))
    if found is None or found["way"] == "terms":
        told = found is not None and whole != x.num and len(whole) <= MOST_TERMS
        return f"up to a positive factor its numerator is ${written(in_factors(Ratio(whole)))}$" if told else ""
    if found["way"] == "ranges" and any(a.head == "exp" for powers in found["of"] for a, _ in powers):
        return WHY["exp"]
    if found["way"] == "truncated":
        return _over_the_index(notes, written)
    return WHY.get(found["way"], "")


def _over_the_index(notes: Sequence[Note], written: Callable[[Term], str]) -> str:
    """Of what is linear in a truncated exponential series: as a sum over its index, all of whose terms have one sign."""
    of = next((note.of for note in reversed(notes) if note.kind == "truncated"), None)
    if of is None:
        return WHY["truncated"]
    k, m = INDEX.name, of["total"].parts[2]
    q = terms.substitute(in_factors(of["q"]), {k: terms.name("k")})
    x = to_term(of["x"])
    summed = r"\sum_{k = 0}^{" + written(m) + r"} \left(" + written(q) + r"\right) \frac{" + written(x) + r"^{k}}{k!}"
    first, last = in_factors(of["first"]), in_factors(of["beyond"])
    end = rf"\frac{{{written(x)}^{{{written(m)}}}}}{{\left({written(m)}\right)!}}"
    more = rf" + \left({written(last)}\right) {end}" if last != terms.ZERO else ""
    before = f"{written(first)} + " if first != terms.ZERO else ""
    last_ones = ", the last ones together," if more else ""
    return f"up to factors of known sign it is ${before}{summed}{more}$, whose terms{last_ones} have one sign"
