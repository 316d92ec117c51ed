"""A quadratic form in monomials as a sum of squares, by completing one square after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gmpy2 import mpq

from asymp.kernel.rings.ratio import Poly, Powers, Ratio, in_order, rational, to_term
from asymp.kernel.terms import Term

MOST = 12
"""Monomials that are squared."""


def squares(p: Poly, is_positive: Callable[[Term], bool]) -> list[tuple[mpq, Ratio]] | None:
    """Numbers c > 0 and e with p = c_1 e_1^2 + c_2 e_2^2 + ..., or None; the last e may be 1.

    Roots are taken only of what is positive.  A monomial that is a square is one of the c e^2, and any other is made of
    the first two that give it, or of all that do, in equal parts.

    >>> from asymp.kernel.rings.ratio import atom
    >>> from asymp.kernel.terms import name
    >>> x, y = (atom(name(v)) for v in "xy")
    >>> [(str(c), str(to_term(e))) for c, e in squares((x * x + x * y + y * y).num, lambda a: False)]
    [('1', 'x + 1/2*y'), ('3/4', 'y')]
    >>> squares((x * x - y * y).num, lambda a: False) is None
    True
    """
    found = (_half(powers, is_positive) for powers, c in p.items() if c > 0)
    roots = sorted((one for one in found if one is not None), key=lambda one: (not one, str(one)))
    if not roots or len(roots) > MOST:
        return None
    places: dict[Powers, list[tuple[int, int]]] = {}
    for i, one in enumerate(roots):
        for j in range(i + 1):
            places.setdefault(_product(one, roots[j]), []).append((i, j))
    if not p.keys() <= places.keys():
        return None
    for shared in (False, True):
        form = [[mpq(0)] * len(roots) for _ in roots]
        for powers, c in p.items():
            own = [(i, j) for i, j in places[powers] if i == j][:1] or (places[powers] if shared else places[powers][:1])
            for i, j in own:
                form[i][j] = form[j][i] = c / len(own) / (1 if i == j else 2)
        if (completed := _completed(form, [Ratio({one: mpq(1)}) for one in roots])) is not None:
            return completed
    return None


def _half(powers: Powers, is_positive: Callable[[Term], bool]) -> Powers | None:
    half = [(a, k / 2) for a, k in powers]
    return in_order(dict(half)) if all(k.denominator == 1 or is_positive(a) for a, k in half) else None


def _product(one: Powers, other: Powers) -> Powers:
    found = dict(one)
    for a, k in other:
        found[a] = found.get(a, mpq(0)) + k
    return in_order(found)


def _completed(form: list[list[mpq]], roots: list[Ratio]) -> list[tuple[mpq, Ratio]] | None:
    """One variable after another: c x^2 + 2 x y + ... = c (x + y/c)^2 - y^2/c + ..."""
    found = []
    for i, row in enumerate(form):
        c = row[i]
        if c < 0 or (c == 0 and any(row[i:])):
            return None
        if c:
            e = rational(0)
            for j in range(i, len(row)):
                e = e + rational(row[j] / c) * roots[j]
            found.append((c, e))
            for j in range(i + 1, len(row)):
                for k in range(i + 1, len(row)):
                    form[j][k] -= row[j] * row[k] / c
    return found


def facts_of(p: Poly, is_positive: Callable[[Term], bool]) -> list[Any] | None:
    """The facts of which a polynomial is the sum; a positive number besides is left as the rest."""
    found = squares(p, is_positive)
    if found is None:
        return None
    return ["by", [[str(c), ["square", str(to_term(e))]] for c, e in found if e.constant() is None]]
